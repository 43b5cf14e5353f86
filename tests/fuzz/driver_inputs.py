# SPDX-License-Identifier: MIT
"""Inputs for the fuzz target `driver`: what two programs ask of the driver, record by record (driver.c)."""

import struct

BASE = 0x600000000000  # of the programs' own memory, 64 KiB
AGENT = 0x9000
GTT, VRAM, USERPTR, DOORBELL = 2, 1, 4, 8
USABLE = 0xC0000000  # writable and executable
PROGRAM, DEBUGGER = 0, 1
IDS = BASE  # there stands what calls point to
STRUCTURE, RING, SAVE, ROOM, CODE = (BASE + 0x100000 * i for i in range(1, 6))
RING_BYTES, SAVE_BYTES = 4096, 0x10000
ALL_EXCEPTIONS = 0x80010000003F | 1 << 30 | 1 << 32
NOTIFIER = 3

ENABLE, DISABLE, RUNTIME_EVENT, EXCEPTIONS, OVERRIDE, MODE, SUSPEND, RESUME, WATCH, NO_WATCH, FLAGS, EVENT, EXCEPTION, \
    QUEUES, DEVICES = range(15)

KERNELS = {
    "end": (0xBF810000,),
    "trap": (0xBF920002, 0xBF810000),
    "breakpoint": (0xBF920001, 0xBF810000),
    "forever": (0xBF82FFFF, 0xBF810000),
    "fault": (0xBE8400C0, 0xBE850080, 0xC0060082, 0, 0xBF8C0000, 0xBF810000),
    "illegal": (0xFFFFFFFF, 0xBF810000),
    # s_load_dwordx2 s[2:3], s[0:1]; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; s_waitcnt; global_store v1, v2, s[2:3]
    "store": (0xC0060080, 0, 0x24020082, 0x7E040287, 0xBF8C0000, 0xDC708000, 0x00020201, 0xBF810000),
}


def record(kind, who, body=b""):
    return bytes([kind | who << 3]) + body


def call(number, argument, who=PROGRAM):
    return record(0, who, bytes([number, len(argument)]) + argument)


def render(number, argument):
    return record(2, PROGRAM, bytes([number, len(argument)]) + argument)


def write(address, data, who=PROGRAM):
    return b"".join(record(3, who, struct.pack("<IB", address - BASE + at, len(data[at:at + 255])) + data[at:at + 255])
                    for at in range(0, len(data), 255))


def doorbell(number, value):
    return record(4, PROGRAM, struct.pack("<HQ", number, value))


TURN = record(5, PROGRAM)


class Script:
    """Calls in a row, and which handle the next memory gets."""

    def __init__(self):
        self.handles = 0
        self.data = call(0x15, struct.pack("<II", 0, AGENT)) + write(IDS, struct.pack("<II", AGENT, AGENT + 1))

    def __add__(self, data):
        self.data += data
        return self

    def memory(self, address, size, flags=GTT | USABLE, offset=0):
        self.handles += 1
        self.data += call(0x16, struct.pack("<4QII", address, size, 0, offset, AGENT, flags))
        self.data += call(0x18, struct.pack("<QQII", self.handles, IDS, 1, 0))

    def queue(self, kind=2):
        """The rest of the ring has packets that are invalid."""
        for address, size in ((STRUCTURE, 4096), (RING, RING_BYTES), (SAVE, SAVE_BYTES), (ROOM, 0x10000), (CODE, 4096)):
            self.memory(address, size)
        for at in range(0, 4 * 64, 64):
            self.data += write(RING + at, b"\1\0")
        self.data += call(2, struct.pack("<4Q6I3QII", RING, STRUCTURE + 0x38, STRUCTURE + 0x80, 0, RING_BYTES, AGENT, kind,
                                         100, 7, 0, 0, 0, SAVE, SAVE_BYTES - 4096, 0))

    def submit(self, count):
        self.data += write(STRUCTURE + 0x38, struct.pack("<Q", count)) + doorbell(0, count)

    def dispatch(self, kernel, lanes=64):
        """A descriptor, its code behind it, arguments, a signal, and the packet."""
        code = struct.pack(f"<{len(KERNELS[kernel])}I", *KERNELS[kernel])
        descriptor = struct.pack("<IIIIQ", 0, 0, 8, 0, 256) + bytes(20) + struct.pack("<IIIHH", 0, 0xAC0000, 0x90, 8, 0)
        self.data += write(CODE, descriptor.ljust(64, b"\0")) + write(CODE + 256, code)
        self.data += write(ROOM, struct.pack("<Q", ROOM + 0x1000)) + write(ROOM + 64, struct.pack("<qq", 1, 1))
        self.data += write(RING, struct.pack("<HHHHHHIIIIIQQQQ", 0x1502, 1, 64, 1, 1, 0, lanes, 1, 1, 0, 0, CODE, ROOM, 0,
                                             ROOM + 64))
        self.submit(1)


def debug(operation, *words, who=DEBUGGER, form="<4Q"):
    return call(0x26, struct.pack("<II", 1, operation) + struct.pack(form, *words), who)


def memory():
    script = Script()
    script.memory(BASE + 0x100000, 0x4000, VRAM | USABLE)
    script.memory(BASE + 0x200000, 0x2000)
    script.memory(BASE + 0x300000, 0x1000, USERPTR | USABLE, BASE + 0x1000)
    script.memory(BASE + 0x400000, 8192, DOORBELL | USABLE)
    script += call(0x23, struct.pack("<QII", 0, AGENT, 0))
    script += call(0x19, struct.pack("<QQII", 1, IDS, 1, 0))
    return (script + call(0x17, struct.pack("<Q", 1)) + call(0x17, struct.pack("<Q", 3))).data


def questions():
    """Calls that change little: versions, clocks, apertures, tiles, policies, the render node."""
    script = Script()
    script += call(1, bytes(8)) + call(5, struct.pack("<4QII", 0, 0, 0, 0, AGENT, 0))
    script += call(0x14, struct.pack("<QII", IDS + 64, 2, 0)) + call(4, struct.pack("<QQIIII", 0, 0, AGENT, 0, 1, 0))
    script += call(0x12, struct.pack("<QQIIIIII", IDS + 64, IDS + 512, 32, 16, AGENT, 0, 0, 0))
    script += call(0x13, struct.pack("<QQII", 0, 0, AGENT, 0)) + call(0x11, struct.pack("<QII", 0, AGENT, 0))
    script += call(0x21, struct.pack("<i", -1)) + call(0x82, struct.pack("<QQII4I", 0, 0, 0, 7, 0, 0, 0, 0))
    script += render(0, struct.pack("<iiiIQQQQQQ", 0, 0, 0, 0, 16, IDS + 64, 16, IDS + 96, 16, IDS + 128))
    script += render(5, bytes(40)) + render(0x45, struct.pack("<QIIIIII", IDS + 64, 64, 0x16, 0, 0, 0, 0))
    return (script + record(6, PROGRAM, struct.pack("<IB", 0xC0084B01, 8) + bytes(8))).data


def events():
    script = Script()
    script.memory(BASE + 0x100000, 0x8000)
    script += call(8, struct.pack("<Q6I", 1, 0, 0, 1, 0, 0, 0)) + call(8, struct.pack("<Q6I", 0, 0, 8, 0, 0, 0, 0))
    script += write(IDS + 1024, bytes(40) + struct.pack("<II", 0, 0) + bytes(40) + struct.pack("<II", 1, 0))
    script += call(0x0A, struct.pack("<II", 0, 0)) + call(0x0C, struct.pack("<QIIII", IDS + 1024, 2, 0, 0, 0))
    script += call(0x0C, struct.pack("<QIIII", IDS + 1024, 1, 1, 1000, 0)) + TURN
    return (script + call(0x0B, struct.pack("<II", 0, 0)) + call(9, struct.pack("<II", 0, 0))).data


def copies():
    """An SDMA queue: a linear copy, a write, a fill, a fence, a poll."""
    script = Script()
    script.queue(1)
    packets = struct.pack("<7I", 1, 255, 0, ROOM & 0xFFFFFFFF, ROOM >> 32, (ROOM + 4096) & 0xFFFFFFFF, ROOM >> 32)
    packets += struct.pack("<6I", 2, ROOM & 0xFFFFFFFF, ROOM >> 32, 1, 5, 6)
    packets += struct.pack("<5I", 11 | 2 << 30, ROOM & 0xFFFFFFFF, ROOM >> 32, 0x12345678, 63)
    packets += struct.pack("<4I", 5, (ROOM + 512) & 0xFFFFFFFF, ROOM >> 32, 7)
    packets += struct.pack("<6I", 8 | 3 << 28, (ROOM + 512) & 0xFFFFFFFF, ROOM >> 32, 7, 0xFFFFFFFF, 0)
    script += write(RING, packets)
    script.submit(len(packets))
    return (script + TURN + TURN + call(3, struct.pack("<II", 0, 0))).data


def barrier():
    """A barrier packet that waits for a signal, one for any, and a queue that is updated."""
    script = Script()
    script.queue()
    script += write(ROOM + 64, struct.pack("<qq", 1, 1)) + write(ROOM + 128, struct.pack("<qq", 1, 1))
    script += write(RING, struct.pack("<HHIQQQQQQQ", 0x1503, 0, 0, ROOM + 64, 0, 0, 0, 0, 0, ROOM + 128))
    script += write(RING + 64, struct.pack("<HHIQQQQQQQ", 0x1505, 0, 0, 0, ROOM + 64, 0, 0, 0, 0, 0))
    script.submit(2)
    script += TURN + write(ROOM + 64, struct.pack("<qq", 1, 0)) + TURN
    return (script + call(7, struct.pack("<QIIII", RING, 0, RING_BYTES, 0, 7)) + TURN).data


def kernel(name, lanes=64):
    script = Script()
    script.queue()
    script.dispatch(name, lanes)
    return (script + TURN + TURN + call(3, struct.pack("<II", 0, 0))).data


def debugged(name):
    """Attached before the kernel starts: its stop is told, the queue suspended, looked at and resumed."""
    script = Script()
    script += call(0x25, struct.pack("<QII", 0x123456789000, 3, 0))
    script += debug(ENABLE, ALL_EXCEPTIONS, IDS + 64, 16, NOTIFIER, form="<QQII")
    script += debug(RUNTIME_EVENT, 1 << 47, 0, 0, form="<QII")
    script.queue()
    script += debug(EVENT, 1 << 30, 0, 0, form="<QII") + debug(MODE, 0, 0, form="<II")
    script += debug(OVERRIDE, 0, 0x7F, 0x7F, 0, form="<4I") + debug(FLAGS, 1, 0, form="<II")
    script += debug(WATCH, ROOM + 0x1000, 3, 0xFFFFFFC0, AGENT, 0, form="<Q4I")
    script.dispatch(name)
    script += TURN + TURN + debug(EVENT, 0x3F, 0, 0, form="<QII")
    script += write(IDS + 128, struct.pack("<I", 0), DEBUGGER)
    script += debug(SUSPEND, 0x3F, IDS + 128, 1, 0, form="<QQII")
    script += debug(QUEUES, 0, IDS + 256, 4, 64, form="<QQII") + debug(DEVICES, 0, IDS + 1024, 2, 128, form="<QQII")
    script += debug(EXCEPTION, IDS + 2048, 64, 0, 2, 1, form="<Q4I")
    script += write(IDS + 128, struct.pack("<I", 0), DEBUGGER)
    script += debug(RESUME, IDS + 128, 1, 0, form="<QII") + TURN
    script += debug(NO_WATCH, AGENT, 0, form="<II") + debug(EXCEPTIONS, 0x3F, form="<Q")
    return (script + debug(DISABLE, form="<") + TURN).data


def make():
    """Inputs by name."""
    inputs = {"memory": memory(), "questions": questions(), "events": events(), "copies": copies(), "barrier": barrier()}
    inputs.update({f"kernel-{name}": kernel(name) for name in KERNELS})
    inputs["kernel-many"] = kernel("store", 1024)
    inputs.update({f"debugged-{name}": debugged(name) for name in KERNELS})
    inputs["odd/nothing"] = b"\5"
    return inputs
