#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A client of a core that calls what it likes in an order of its own, the same for the same seed, and prints a line for each answer. What
libraries number in their own ways it calls by name, so that any two libraries of a level must print the same.

Usage: free_core.py LIBRARY CORE SEED CALLS

No waves are stepped: AMD's library executes a branch, say, by itself, and a core has nothing that would execute another instruction.
"""

import ctypes
import os
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
import client
from client import SUCCESS, number
from client.api import libc
from client.chance import Random

LEVEL = 77  # that of released libraries
FACTS = ("architecture", "register", "register_class", "address_class", "address_space")
OF_PROCESS = ("agent", "queue", "dispatch", "workgroup", "wave", "code_object")
EVENTS = 8  # more than there are after attaching
# Bits of status: that the wave has given its vector registers back, and others.
STATUS = (1 << 24, 0, 1 << 13, 0xFFFFFFFF)


class Side(client.Callbacks):
    """Of a core that can be written. What the library does there is not printed, since it may do what it likes."""

    def __init__(self, core):
        super().__init__()
        self.core = core
        self.saved, self.image, self.closing = core.image, None, False
        self.renew()

    def renew(self):
        """The core as it was: AMD's library does not attach again to what it has written itself."""
        self.image = self.core.image = bytearray(self.saved)

    def xfer_global_memory(self, process, address, size, read_buffer, write_buffer):
        if self.closing:
            return self.api.STATUS_ERROR_MEMORY_ACCESS
        if not write_buffer:
            return super().xfer_global_memory(process, address, size, read_buffer, write_buffer)
        for start, at, length in self.core.loads:
            if start <= address < start + length:
                size[0] = min(size[0], start + length - address)
                place = at + address - start
                self.image[place : place + size[0]] = ctypes.string_at(write_buffer, size[0])
                return SUCCESS
        size[0] = 0
        return self.api.STATUS_ERROR_MEMORY_ACCESS


class Free(client.Client):
    def __init__(self, library, core, seed):
        super().__init__(client.Api(library, LEVEL), Side(client.Core(core)))
        self.random, self.process, self.events = Random(seed), 0, []
        self.broken = False  # by the end of no progress: AMD's library does not survive a detach then
        self.names, self.handles = {}, {}

    # ---- What is numbered is called by name ----

    def learn(self, kind, handles, prefix):
        """Names are not unique: the second of a name has a mark."""
        seen = {}
        for handle in handles:
            name = prefix + self.ask(kind, handle, "NAME")
            seen[name] = seen.get(name, 0) + 1
            self.names[kind, handle] = name + "'" * (seen[name] - 1)
        self.handles[kind] = list(handles)

    def begin(self):
        print("initialize", self.said(self.initialize()))
        self.attached()
        architecture = self.ask("agent", self.list("agent", self.process)[0], "ARCHITECTURE")
        self.learn("architecture", [architecture], "")
        for kind in FACTS[1:]:
            self.learn(kind, self.list(kind, architecture), "")
        self.by_name = {name: handle for (kind, handle), name in self.names.items() if kind == "register"}
        # The word of a type of handle, for answers that name one.
        self.kinds = {self.api.at.functions[entry[0]][2][0][3]: kind for kind, entry in self.api.at.objects.items()}

    def said(self, status):
        return self.api.status_name(status)

    def show(self, kind, handle):
        return self.names.get((kind, handle), f"{kind} {handle}")

    def shown(self, kind, query, value):
        if query in ("ARCHITECTURE", "PC_REGISTER", "ADDRESS_SPACE") and isinstance(value, int):
            return self.show({"PC_REGISTER": "register"}.get(query, query.lower()), value)
        return f"{value:#x}" if isinstance(value, int) else value

    # ---- Chance ----

    def pick(self, values):
        return values[self.random.next() % len(values)] if values else 0

    def pick_wave(self):
        return self.pick(self.waves) if not self.random.one_in(40) else 4711

    def pick_register(self):
        """Those that matter more often than chance would have it."""
        if self.random.one_in(3):
            return self.by_name.get(self.pick(("pc", "exec", "vcc", "status", "v0", "v23", "s0", "m0", "mode", "trapsts", "ttmp6", "a0",
                                               "flat_scratch", "state_priv", "xnack_mask", "v24", "v39", "v40")), 0)
        return self.pick(self.handles["register"])

    def pick_address(self, space):
        """None of the save area, which each library changes when it likes."""
        address = self.pick((0, 4, 0x40, 0x1FC, 0x200, 0xFFC, 0x1000, 0x3FFFC, 0x40000, 1 << 33, 0x1000000000010, 0x2000000000024))
        if self.names.get(("address_space", space)) in ("global", "generic") and self.random.one_in(2):
            address = self.pick((0x200000000000, 0x200000001900, 0x300000000000, 0x320000000000, 0x320000001000))
        return address + (self.random.next() % 64 if self.random.one_in(4) else 0)

    def pick_lane(self):
        return self.no_lane if self.random.one_in(2) else self.random.next() % 66

    # ---- Calls ----

    def attached(self):
        process = number()
        status = self.api.process_attach(client.session.CLIENT_PROCESS, process)
        print("attach", self.said(status), process.value)
        self.process = process.value
        self.events.clear()
        self.waves = self.list("wave", self.process)
        print("  waves", self.waves)

    def call_list(self):
        kind = self.pick(self.lists(OF_PROCESS))
        flag = number(7, "u32") if self.random.one_in(2) else None
        count, array = number(), ctypes.c_void_p()
        status = self.list_call(kind, self.process if not self.random.one_in(20) else 4711, count, array, flag)
        handles = client.take_array(array.value, count.value) if status == SUCCESS else []
        print("list", kind, self.said(status), count.value, sorted(handles), flag and flag.value)

    def call_info(self):
        kind = self.pick(("agent", "queue", "dispatch", "workgroup", "wave", "wave", "wave", "process"))
        handle = self.process if kind == "process" else self.pick(self.list(kind, self.process))
        query = self.pick(list(self.api.at.objects[kind][3]))
        # A notifier is a file; names of agents are from a list of the machine that the library was built on.
        if (kind, query) in (("process", "NOTIFIER"), ("agent", "NAME")):
            return
        status, value = self.answer(kind, handle, query)
        print("info", kind, handle, query, self.said(status), self.shown(kind, query, value))

    def call_read_register(self):
        wave, register, offset = self.pick_wave(), self.pick_register(), 0 if self.random.one_in(2) else self.random.next() % 260
        size = self.pick((4, 4, 8, 128, 256, 0, 2))
        status, value = self.read_register(wave, register, size, offset)
        print("read", wave, self.show("register", register), offset, size, self.said(status), (value.hex() if len(value) <= 8 else f"{zlib.crc32(value):08x}") if not status else "")

    def call_write_register(self):
        wave, register = self.pick_wave(), self.pick_register()
        size = self.pick((4, 4, 8, 256))
        value = self.pick(STATUS).to_bytes(4, "little") + self.random.next().to_bytes(8, "little") * 32
        status = self.write_register(wave, register, value[:size])
        print("write", wave, self.show("register", register), size, value[:8].hex(), self.said(status))

    def call_status(self):
        """The vector registers of the wave go with a bit of it, from gfx11 on."""
        wave, value = self.pick_wave(), self.pick(STATUS)
        status = self.write_register(wave, self.by_name["status"], value.to_bytes(4, "little"))
        print("status", wave, f"{value:x}", self.said(status))
        for name in ("v0", "v0'", "v1", "s0"):
            if name in self.by_name:
                exists, register = number(0, "u32"), self.by_name[name]
                there = self.api.wave_register_exists(wave, register, exists)
                statuses = [self.read_register(wave, register, 4)[0], self.api.prefetch_register(wave, register, 1),
                            self.write_register(wave, register, bytes(4))]
                print(" ", name, self.said(there), exists.value, *map(self.said, statuses))

    def call_register_list(self):
        wave = self.pick_wave()
        print("registers", wave, zlib.crc32(" ".join(self.show("register", one) for one in self.registers(wave)).encode()))

    def call_exists(self):
        wave, register, exists = self.pick_wave(), self.pick_register(), number(0, "u32")
        status = self.api.wave_register_exists(wave, register, exists)
        print("exists", wave, self.show("register", register), self.said(status), exists.value,
              self.said(self.api.prefetch_register(wave, register, 1)))

    def call_read_memory(self):
        space, wave = self.pick(self.handles["address_space"]), self.pick_wave() if not self.random.one_in(5) else 0
        address, lane, size = self.pick_address(space), self.pick_lane(), self.pick((1, 4, 4, 8, 64, 300))
        status, value = self.read_memory(self.process, address, size, space, wave, lane)
        print("memory", wave, lane, self.show("address_space", space), f"{address:x}", size, self.said(status), len(value),
              (value.hex() if len(value) <= 8 else f"{zlib.crc32(value):08x}") if not status else "")

    def call_write_memory(self):
        space, wave = self.pick(self.handles["address_space"]), self.pick_wave() if not self.random.one_in(5) else 0
        address, lane = self.pick_address(space), self.pick_lane()
        status, size = self.write_memory(self.process, address, self.random.next().to_bytes(8, "little"), space, wave, lane)
        print("write memory", wave, lane, self.show("address_space", space), f"{address:x}", self.said(status), size)

    def call_convert(self):
        wave, lane = self.pick_wave() if not self.random.one_in(5) else 0, self.pick_lane()
        source, target = self.pick(self.handles["address_space"]), self.pick(self.handles["address_space"])
        address, found, count = self.pick_address(source), number(77), number(88)
        status = self.api.convert_address_space(wave, lane, source, address, target, found, count)
        print("convert", wave, lane, self.show("address_space", source), f"{address:x}", self.show("address_space", target),
              self.said(status), f"{found.value:x} {count.value:x}")

    def call_class(self):
        wave, lane, space = self.pick_wave() if not self.random.one_in(5) else 0, self.pick_lane(), self.pick(self.handles["address_space"])
        address, kind, state = self.pick_address(space), self.pick(self.handles["address_class"]), number(77, "u32")
        status = self.api.address_is_in_address_class(wave, lane, space, address, kind, state)
        dependency = number(99, "u32")
        depends = self.api.address_dependency(space, address, dependency)
        print("class", wave, lane, self.show("address_space", space), f"{address:x}", self.show("address_class", kind), self.said(status),
              state.value, self.said(depends), dependency.value)

    def call_event(self):
        event, kind = number(), number(0, "u32")
        status = self.api.process_next_pending_event(self.process, event, kind)
        if event.value:
            self.events.append(event.value)
        print("event", self.said(status), event.value, self.event_kind(kind.value))

    def call_event_info(self):
        event = self.pick(self.events)
        query = self.pick(list(self.api.at.objects["event"][3]))
        status, value = self.answer("event", event, query)
        print("event info", event, query, self.said(status), value)

    def call_processed(self):
        event = self.pick(self.events)
        print("processed", event, self.said(self.api.event_processed(event)))

    def call_packets(self):
        queue, numbers, array = self.pick(self.list("queue", self.process)), [number(), number(), number()], ctypes.c_void_p()
        status = self.api.queue_packet_list(queue, *numbers, array)
        content = bytes(client.take_array(array.value, numbers[2].value, ctypes.c_uint8)) if status == SUCCESS else b""
        print("packets", queue, self.said(status), *(one.value for one in numbers), f"{zlib.crc32(content):08x}")

    def call_stop(self):
        wave = self.pick_wave()
        print("stop", wave, self.said(self.api.wave_stop(wave)))

    def call_resume(self):
        wave, exceptions = self.pick_wave(), self.pick((0, 0, 0, 0, 0, self.api.EXCEPTION_WAVE_ABORT))
        print("resume", wave, exceptions, self.said(self.wave_resume(wave, False, exceptions)))

    def call_modes(self):
        api, of = self.api, self.process if not self.random.one_in(20) else 4711
        which = self.random.next() % 7
        if which == 0:
            mode = self.pick((api.PROGRESS_NORMAL, api.PROGRESS_NO_FORWARD, 9))
            status = self.said(api.process_set_progress(of, mode))
            self.broken = self.broken or status == "FATAL"
            print("progress", of, mode, status)
        elif which == 1:
            mode = self.pick((api.WAVE_CREATION_NORMAL, api.WAVE_CREATION_STOP, 9))
            print("creation", of, mode, self.said(api.process_set_wave_creation(of, mode)))
        elif which == 2:
            print("watch", of, self.watch(of, 0x320000000000, 4, self.pick((1, 2, 3, 9)), number())[0])
        elif which == 3:
            print("freeze", self.said(api.process_freeze(of)), self.said(api.process_unfreeze(of)))
        elif which == 4:
            mode = self.pick((0, 1, 9))
            print("precision", of, mode, self.said(api.set_memory_precision(of, mode)), self.said(api.set_alu_exceptions_precision(of, mode)))
        elif which == 5:
            print("unwatch", self.said(self.unwatch(of, 1 + self.random.next() % 3)))
        else:
            print("hit", self.said(api.report_breakpoint_hit(1, None, number(0, "u32"))))

    def call_again(self):
        if self.broken:
            return
        self.side.closing = True
        print("detach", self.said(self.api.process_detach(self.process)))
        self.side.closing = False
        self.side.renew()
        print("  gone", *(self.said(self.answer("wave", wave, "STATE")[0]) for wave in self.waves[:2]))
        self.attached()
        # How many events a library has made that nobody has fetched is its own affair, and they use up numbers.
        for _ in range(EVENTS):
            self.call_event()

    LOOKS = (call_list, call_info, call_info, call_read_register, call_read_register, call_register_list, call_exists, call_read_memory,
             call_read_memory, call_convert, call_convert, call_class, call_event_info, call_packets)
    MOVES = (call_event, call_event, call_processed, call_processed, call_stop, call_resume, call_write_register, call_write_register,
             call_status, call_write_memory)

    def run(self, calls):
        self.begin()
        for _ in range(20):
            self.call_event()
            self.call_processed()
        for at in range(calls):
            # What ends the process for the library comes last.
            last = at > calls * 3 // 4
            if not self.random.one_in(3):
                self.pick(self.LOOKS)(self)
            elif last and self.random.one_in(10):
                self.pick((Free.call_modes, Free.call_again))(self)
            else:
                self.pick(self.MOVES)(self)
        if self.broken:
            sys.stdout.flush()
            os._exit(0)
        print("finalize", self.said(self.api.finalize()))


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    library, core, seed, calls = arguments
    Free(library, core, int(seed)).run(int(calls))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
