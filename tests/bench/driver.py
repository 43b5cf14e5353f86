# SPDX-License-Identifier: MIT
"""What it costs to have the simulated GPU behind the driver, as JSON. The program speaks to the driver itself: there is no runtime between.

    busy            seconds of the owner's processor time for the kernel `loop`, GROUPS waves
    launch          nanoseconds from a packet of an empty kernel until it is done
    enable, attach  nanoseconds for a debugger: the first call; that and all until the running waves are in the save area

Usage: driver.py WAVETAPE CODE-OBJECT GROUPS ROUNDS
"""

import json
import pathlib
import statistics
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position
from client.kfd import kfd
from client.program import DISPATCH, PAGE, SYSTEM, Debugger, Device, Program

LAUNCHES, ATTACHES = 500, 50
CODE_AT, CODE_MAX = 256, 4096
ENDPGM, BRANCH_TO_ITSELF = 0xBF810000, 0xBF82FFFF
R_DEBUG = 0x123456789000
NEW = 1 << kfd.EXCEPTION_QUEUE_NEW - 1
PT_LOAD, SHT_DYNSYM = 1, 11


class CodeObject:
    def __init__(self, path):
        self.image = pathlib.Path(path).read_bytes()
        self.loads = [(address, at, size) for kind, _, at, address, _, size, _, _ in self.entries(32, 54, "<IIQQQQQQ") if kind == PT_LOAD]
        sections = list(self.entries(40, 58, "<IIQQQQIIQQ"))
        table = next(section for section in sections if section[1] == SHT_DYNSYM)
        names = sections[table[6]][4]
        self.symbols = {}
        for at in range(table[4], table[4] + table[5], 24):
            name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", self.image, at)
            self.symbols[self.image[names + name : self.image.index(b"\0", names + name)].decode()] = value

    def entries(self, offset_at, size_at, form):
        """Of a table of headers."""
        offset, = struct.unpack_from("<Q", self.image, offset_at)
        size, count = struct.unpack_from("<HH", self.image, size_at)
        return (struct.unpack_from(form, self.image, offset + i * size) for i in range(count))

    def content(self, address, size):
        """From an address on, as much as there is."""
        start, at, length = next(load for load in self.loads if load[0] <= address < load[0] + load[2])
        return self.image[at + address - start : at + min(address - start + size, length)]


def load_kernel(program, path, name):
    """In memory of the device: descriptor, and code behind it."""
    code_object = CodeObject(path)
    at = code_object.symbols[f"{name}.kd"]
    descriptor = code_object.content(at, 64)
    memory = program.memory(CODE_AT + CODE_MAX)
    memory.put_bytes(0, descriptor)
    memory.put(16, CODE_AT, 8)
    memory.put_bytes(CODE_AT, code_object.content(at + struct.unpack_from("<q", descriptor, 16)[0], CODE_MAX))
    return memory


def busy_seconds(process):
    """Processor time of a process."""
    return time.clock_gettime(~process << 3 | 2)


def run_loop(program, queue, path, groups, rounds):
    kernel, out, arguments = load_kernel(program, path, "loop"), program.memory(groups * 256), program.memory(PAGE)
    arguments.put(0, out.address, 8)
    arguments.put(8, rounds)
    packet = queue.write_dispatch(0, groups)
    packet.put(32, kernel.address, 8)
    packet.put(40, arguments.address, 8)
    start = busy_seconds(program.anchor.owner)
    queue.submit(DISPATCH | SYSTEM)
    assert queue.wait(queue.written)
    return busy_seconds(program.anchor.owner) - start


def run_launches(queue):
    taken = []
    for _ in range(LAUNCHES):
        queue.write_dispatch(queue.write_kernel([ENDPGM]))
        start = time.monotonic()
        queue.submit(DISPATCH | SYSTEM)
        while queue.done < queue.written:
            pass
        taken.append(time.monotonic() - start)
    return statistics.median(taken) * 1e9


def run_attaches(program, queue):
    """While 16 waves run."""
    debugger, enabled, attached = Debugger(program), [], []
    queue.launch([BRANCH_TO_ITSELF, ENDPGM], groups=16)
    for _ in range(ATTACHES):
        start = time.monotonic()
        assert debugger.attach(NEW) == 0
        enabled.append(time.monotonic() - start)
        debugger.see_queue(NEW)
        assert debugger.suspend(queue.id)[0] == 1
        attached.append(time.monotonic() - start)
        debugger.resume(queue.id)
        debugger.must("DISABLE")
    debugger.close()
    return {"enable": statistics.median(enabled) * 1e9, "attach": statistics.median(attached) * 1e9}


def main(wavetape, path, groups, rounds):
    device = Device(wavetape)
    program = Program(device.directory)
    program.acquire()
    # Before there are queues.
    assert program.runtime_comes(R_DEBUG) == 0
    queue = program.queue()
    print(json.dumps({"busy": run_loop(program, queue, path, int(groups), int(rounds)), "launch": run_launches(queue),
                      **run_attaches(program, queue)}))
    program.close()
    device.end()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
