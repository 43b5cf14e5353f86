# SPDX-License-Identifier: MIT
"""A program that speaks to the simulated GPU's driver itself, with no runtime between; and a debugger that makes the driver's calls.

    class Queues(ProgramCase):
        def test_kernel(self):
            self.program.acquire()
            queue = self.program.queue()
            queue.launch(words)
            queue.wait(1)

    main(__doc__)  # ARGUMENTS: WAVETAPE [LIBRARY] [TEST...]
"""

import ctypes
import functools
import itertools
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from .api import libc
from .kfd import kfd, wire

PAGE = 4096
FIRST_ADDRESS = 0x300000000000
RING_PACKETS = 64
SAVE_BYTES = 128 * PAGE
LANES = 64
PATIENCE = 60  # seconds: it may run under a sanitizer, on a busy machine

# Calls on /dev/kfd by the number that Linux has given them.
CALLS = {name: number for number, name in enumerate(
    ("get_version", "create_queue", "destroy_queue", "set_memory_policy", "get_clock_counters", None, "update_queue", "create_event",
     "destroy_event", "set_event", "reset_event", "wait_events", None, None, None, None, "set_scratch_backing", "get_tile_config",
     "set_trap_handler", "get_apertures", "acquire_vm", "allocate_memory", "free_memory", "map_memory", "unmap_memory", None, None,
     "get_dmabuf_info", "import_dmabuf", "allocate_sync", None, None, None, None, "available_memory", "export_dmabuf", "runtime_enable",
     "debug_trap"), 1)}
CALLS["debug_trap_old"] = 0x82

# Packets of a queue. A system-wide scope, and the barrier bit.
DISPATCH, BARRIER_AND, BARRIER_OR = 2, 3, 5
SYSTEM = 2 << 9 | 2 << 11 | 1 << 8

PR_SET_PTRACER, PR_SET_PDEATHSIG = 0x59616D61, 1
PROT_READ_WRITE, MAP_SHARED, MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS = 3, 1, 2, 0x10, 0x20
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64]
SIZES = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


def ioctl(base, number, size, direction=3):
    """The number of an ioctl that is read and written."""
    return direction << 30 | size << 16 | ord(base) << 8 | number


def let_trace(process=None):
    """Let a process, or any, look into this one."""
    libc.prctl(PR_SET_PTRACER, ctypes.c_ulong(process if process is not None else 2**64 - 1), 0, 0, 0)


def wait_until(condition, seconds=PATIENCE):
    """Return: whether it came to be."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


class Closed(Exception):
    """The other side of a connection has closed it."""


class Connection:
    """To the owner of the device. `files`: those of an anchor."""

    def __init__(self, directory, kind):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(f"{directory}/{wire.SOCKET}")
        self.socket.send(bytes(wire.hello(wire.MAGIC, kind)))
        welcome, self.files, _, _ = socket.recv_fds(self.socket, ctypes.sizeof(wire.welcome), wire.FILES)
        if not welcome:
            self.socket.close()
            raise Closed
        self.owner = wire.welcome.from_buffer_copy(welcome).owner

    def close(self):
        self.socket.close()
        for file in self.files:
            os.close(file)
        self.files = []

    def send(self, request, argument=b"", file=wire.KFD):
        message = wire.call(file=file, request=request)
        ctypes.memmove(message.argument, bytes(argument), len(bytes(argument)))
        self.socket.send(bytes(message))

    def receive(self):
        """Return: the answer, and the descriptor that comes along, or None."""
        answer, files, _, _ = socket.recv_fds(self.socket, ctypes.sizeof(wire.answer), 1)
        if not answer:
            raise Closed
        return wire.answer.from_buffer_copy(answer), files[0] if files else None

    def answered(self, seconds):
        return bool(select.select([self.socket], [], [], seconds)[0])

    def call(self, request, argument, file=wire.KFD):
        """An argument that can be written into gets what the driver writes there. Return: the result, or a negative errno."""
        self.send(request, argument, file)
        answer, _ = self.receive()
        if not isinstance(argument, bytes):
            ctypes.memmove(ctypes.byref(argument), answer.argument, ctypes.sizeof(argument))
        return answer.result


class Memory:
    """Memory of the driver's that this process sees at the same address."""

    def __init__(self, address, size, handle=0):
        self.address, self.size, self.handle = address, size, handle

    def get(self, offset, size=4):
        return SIZES[size].from_address(self.address + offset).value

    def put(self, offset, value, size=4):
        SIZES[size].from_address(self.address + offset).value = value

    def bytes_at(self, offset, size):
        return ctypes.string_at(self.address + offset, size)

    def put_bytes(self, offset, content):
        ctypes.memmove(self.address + offset, bytes(content), len(bytes(content)))

    def words(self, offset, count):
        """As an array that is this memory."""
        return (ctypes.c_uint32 * count).from_address(self.address + offset)

    def clear(self):
        ctypes.memset(self.address, 0, self.size)


class Program:
    """This process as a program of a device."""

    def __init__(self, directory):
        self.directory = directory
        self.connect()
        self.gpu_id = 0
        self.next_address = FIRST_ADDRESS

    def connect_again(self):
        """As a process that was forked of the program."""
        self.close()
        self.connect()

    def connect(self):
        self.anchor = Connection(self.directory, wire.ANCHOR)
        let_trace(self.anchor.owner)
        self.thread = self.connection()

    def close(self):
        self.thread.close()
        self.anchor.close()

    def connection(self):
        """Another thread's."""
        return Connection(self.directory, wire.THREAD)

    def call(self, name, argument, connection=None):
        """A call on /dev/kfd by its name. Return: its result, or a negative errno."""
        return (connection or self.thread).call(ioctl("K", CALLS[name], ctypes.sizeof(argument)), argument)

    def must(self, name, argument):
        """One that must not fail. Return: the argument."""
        result = self.call(name, argument)
        if result:
            raise AssertionError(f"{name}: {os.strerror(-result)}")
        return argument

    def render(self, number, argument):
        """A call on the render node, by its number."""
        return self.thread.call(ioctl("d", number, ctypes.sizeof(argument)), argument, wire.RENDER)

    def acquire(self):
        """The id of the one agent, and its memory made ready."""
        apertures = kfd.apertures()
        assert self.must("get_apertures", kfd.get_apertures(ctypes.addressof(apertures), 1)).count == 1
        self.gpu_id = apertures.gpu_id
        self.must("acquire_vm", kfd.acquire_vm(gpu_id=self.gpu_id))

    def map_at(self, address, size, offset):
        """It may lie where a program before this one had memory: these addresses are the tests'."""
        found = libc.mmap(address, size, PROT_READ_WRITE, MAP_SHARED | MAP_FIXED, self.anchor.files[wire.RENDER], offset)
        assert found == address, hex(found or 0)

    def place(self, size):
        """Address and size of the next memory, with a page behind it that is nobody's."""
        size = (size + PAGE - 1) // PAGE * PAGE
        address = self.next_address
        self.next_address += size + PAGE
        return address, size

    def memory(self, size):
        """Mapped for the agent and for this process."""
        address, size = self.place(size)
        allocated = self.allocate(address, size, kfd.MEMORY_GTT)
        self.map_at(address, size, allocated.mmap_offset)
        return Memory(address, size, allocated.handle)

    def own_memory(self, size):
        """This process's own, mapped for the agent. It lives as long as the process."""
        size = (size + PAGE - 1) // PAGE * PAGE
        address = libc.mmap(None, size, PROT_READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return Memory(address, size, self.allocate(address, size, kfd.MEMORY_USERPTR, address).handle)

    def allocate(self, address, size, kind, mmap_offset=0):
        """Memory of a kind that the agent can write and execute. Return: the driver's answer."""
        allocated = self.must("allocate_memory", kfd.allocate_memory(
            address=address, size=size, mmap_offset=mmap_offset, gpu_id=self.gpu_id,
            flags=kind | kfd.MEMORY_WRITABLE | kfd.MEMORY_EXECUTABLE))
        agent = ctypes.c_uint32(self.gpu_id)
        assert self.must("map_memory", kfd.map_memory(allocated.handle, ctypes.addressof(agent), 1)).done == 1
        return allocated

    def queue(self, save_size=SAVE_BYTES - PAGE):
        return Queue(self, save_size)

    def destroy_queue(self, number, connection=None):
        return self.call("destroy_queue", kfd.destroy_queue(number), connection)

    def runtime_comes(self, r_debug, connection=None):
        """Tell the driver that the runtime of this program is there."""
        mode = kfd.RUNTIME_ENABLE | kfd.RUNTIME_TTMPS
        return self.call("runtime_enable", kfd.runtime_enable(r_debug, mode), connection)

    def make_event(self, kind, auto_reset=False):
        return self.must("create_event", kfd.create_event(type=kind, auto_reset=auto_reset)).event_id


class Queue:
    """An AQL queue: its structure as the runtime lays it out, ring, save area whose last page is not the area's, and room for kernels."""

    KERNEL, ARGUMENTS, RESULTS = 4096, 8192, 12288
    KERNELS, KERNEL_BYTES = 8, 512
    WRITE_POINTER, READ_POINTER = 0x38, 0x80

    def __init__(self, program, save_size):
        self.program = program
        self.structure, self.ring = program.memory(PAGE), program.memory(RING_PACKETS * 64)
        self.save = program.memory(max(SAVE_BYTES, save_size + PAGE))
        if save_size < SAVE_BYTES:
            self.save.size = SAVE_BYTES
        self.room = program.memory(16 * PAGE)
        self.written = 0
        for packet in range(RING_PACKETS):
            self.ring.put(packet * 64, 1, 1)
        self.id = program.must("create_queue", kfd.create_queue(
            ring_address=self.ring.address, write_pointer_address=self.structure.address + self.WRITE_POINTER,
            read_pointer_address=self.structure.address + self.READ_POINTER, ring_size=RING_PACKETS * 64, gpu_id=program.gpu_id,
            type=kfd.QUEUE_COMPUTE_AQL, percentage=100, priority=7, save_address=self.save.address, save_size=save_size)).queue_id

    def packet(self):
        """The one that is written next, empty; its header is invalid."""
        packet = Memory(self.ring.address + self.written % RING_PACKETS * 64, 64)
        packet.clear()
        packet.put(0, 1, 1)
        return packet

    def submit(self, header):
        """Let the device see it."""
        self.ring.put(self.written % RING_PACKETS * 64, header, 2)
        self.written += 1
        self.structure.put(self.WRITE_POINTER, self.written, 8)

    @property
    def done(self):
        """How many packets are."""
        return self.structure.get(self.READ_POINTER, 8)

    def wait(self, count):
        """Wait until so many packets are done. Return: whether they are."""
        return wait_until(lambda: self.done >= count)

    def write_kernel(self, words, local=0, registers=1 | 2 << 6, lanes=LANES, setup=2 << 1 | 1 << 7):
        """Nobody tells the device that code has changed: each kernel has a place of its own. Return: its descriptor's offset in the room."""
        at = self.KERNEL + self.written % self.KERNELS * self.KERNEL_BYTES
        Memory(self.room.address + at, 64).clear()
        for offset, value, size in ((0, local, 4), (16, 256, 8), (44, 1, 4), (48, registers, 4), (52, setup, 4),
                                    (56, 1 << 3 | (lanes == 32) << 10, 2)):
            self.room.put(at + offset, value, size)
        self.room.put_bytes(at + 256, (ctypes.c_uint32 * len(words))(*words))
        self.room.put(self.ARGUMENTS, self.room.address + self.RESULTS, 8)
        ctypes.memset(self.room.address + self.RESULTS, 0, LANES * 4)
        return at

    def write_dispatch(self, at, groups=1, local=0, lanes=LANES):
        """A packet that launches workgroups of one wave each. Return: the packet, not submitted."""
        packet = self.packet()
        for offset, value, size in ((2, 1, 2), (4, lanes, 2), (6, 1, 2), (8, 1, 2), (12, groups * lanes, 4), (16, 1, 4), (20, 1, 4),
                                    (28, local, 4), (32, self.room.address + at, 8), (40, self.room.address + self.ARGUMENTS, 8)):
            packet.put(offset, value, size)
        return packet

    def launch(self, words, groups=1, local=0, registers=1 | 2 << 6, lanes=LANES):
        """Workgroups of one wave each, whose number is in s2. Return: the address of the first instruction."""
        at = self.write_kernel(words, local, registers, lanes)
        self.write_dispatch(at, groups, local, lanes)
        self.submit(DISPATCH | SYSTEM)
        return self.room.address + at + 256

    def launch_full(self, words, groups):
        """Waves with 64 vector and 96 scalar registers, and 2 KiB of local memory: 32 of them fill a compute unit, and its part of a save area."""
        return self.launch(words, groups, 2048, 7 | 10 << 6)

    def result(self, lane):
        """What this lane of the kernel has stored."""
        return self.room.get(self.RESULTS + 4 * lane)

    def told(self):
        """Have the runtime told of exceptions. Return: where, as something that has a value."""
        at = self.save.size - PAGE
        self.save.put(24, self.save.address + at, 8)
        return ctypes.c_uint64.from_address(self.save.address + at)


class Debugger:
    """Makes the driver's debug calls of a process. It has to be closed."""

    def __init__(self, program, target=None):
        self.program, self.target = program, os.getpid() if target is None else target
        self.notifier = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.info = kfd.runtime_info()

    def close(self):
        for end in self.notifier:
            os.close(end)

    def call(self, operation, trap=None, **parts):
        """A debug call, by its name or number. Return: its result, or a negative errno."""
        trap = trap or kfd.debug_trap(**parts)
        trap.pid = self.target
        trap.operation = getattr(kfd, f"DEBUG_{operation}") if isinstance(operation, str) else operation
        return self.program.call("debug_trap", trap)

    def must(self, operation, trap=None, **parts):
        """One that must not fail. Return: what was answered."""
        trap = trap or kfd.debug_trap(**parts)
        result = self.call(operation, trap)
        if result:
            raise AssertionError(f"{operation}: {os.strerror(-result)}")
        return trap

    def attach(self, exceptions):
        trap = kfd.debug_trap(enable=(exceptions, ctypes.addressof(self.info), ctypes.sizeof(self.info), self.notifier[1]))
        result = self.call("ENABLE", trap)
        assert result or trap.enable.info_size == ctypes.sizeof(self.info)
        return result

    def detach(self):
        self.must("DISABLE")
        self.close()

    def notified(self):
        """Wait for the notifier, and take what is there. Return: whether anything came."""
        if not select.select([self.notifier[0]], [], [], PATIENCE)[0]:
            return False
        assert os.read(self.notifier[0], 64)[:1] == b"."
        return True

    def see_queue(self, clear):
        """See the one queue in a snapshot, so that it can be suspended. Return: its entry."""
        entry = kfd.queue_entry()
        seen = self.must("QUEUE_SNAPSHOT", snapshot=(clear, ctypes.addressof(entry), 1, ctypes.sizeof(entry))).snapshot
        assert (seen.count, seen.entry_size) == (1, ctypes.sizeof(entry))
        return entry

    def suspend(self, queue, clear=0):
        """Return: the call's result, and the queue's id as it came back."""
        number = ctypes.c_uint32(queue)
        return self.call("SUSPEND_QUEUES", suspend=(clear, ctypes.addressof(number), 1, 0)), number.value

    def resume(self, queue):
        number = ctypes.c_uint32(queue)
        return self.call("RESUME_QUEUES", resume=(ctypes.addressof(number), 1, 0)), number.value


class Device:
    """`wavetape device`, until it is told to end."""

    def __init__(self, command, architecture="gfx90a", seed=0):
        self.place = tempfile.mkdtemp(prefix="wavetape-test-")
        self.log = pathlib.Path(self.place, "log")
        self.said = pathlib.Path(self.place, "said")
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        with self.said.open("w", encoding="utf-8") as said:
            self.process = subprocess.Popen(
                [command, "device", "-a", architecture, "-s", str(seed), "-l", self.log, "--", "sh", "-c", f'echo "${wire.VARIABLE}"; read end; exit 0'],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, env=environment, text=True)
        self.directory = self.process.stdout.readline().strip()

    def end(self):
        """Return: its exit status, and what it has said, but what it lacks, as its log has it, and that these programs are no runtime. Nothing
        of it is left."""
        self.process.stdin.close()
        self.process.stdout.close()
        status = self.process.wait(PATIENCE)
        lacks = [f"wavetape: the device: {line}" for line in self.log.read_text("utf-8").splitlines() if line.startswith("not implemented: ")]
        said = [line for line in self.said.read_text("utf-8").splitlines() if line not in lacks and "has not set up any GPU" not in line]
        shutil.rmtree(self.place)
        assert not os.path.exists(self.directory)
        return status, said


class ProgramCase(unittest.TestCase):
    """A test of a program on a device of its own, which must still be there at the end."""

    command = ""
    remarks = ()  # that the device may make

    def __init_subclass__(cls):
        super().__init_subclass__()
        for name, test in list(vars(cls).items()):
            for architecture in getattr(test, "architectures", ()):
                setattr(cls, f"{name}_on_{architecture}", on_one(test, architecture))
            if hasattr(test, "architectures"):
                delattr(cls, name)

    def setUp(self):
        super().setUp()
        self.device = Device(self.command, getattr(getattr(self, self._testMethodName), "architecture", "gfx90a"))
        self.program = Program(self.device.directory)

    def tearDown(self):
        try:
            self.assertEqual(self.program.call("get_version", kfd.get_version()), 0)
        finally:
            self.program.close()
            status, said = self.device.end()
            self.assertEqual(status, 0)
            self.assertEqual([line for line in said if not any(remark in line for remark in self.remarks)], [])
            super().tearDown()

    def fork(self, child):
        """A process that does this, and ends with what it returns, or with 99; or as soon as this one ends."""
        sys.stdout.flush()
        process = os.fork()
        if process:
            return process
        status = 99
        try:
            libc.prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
            # The device ends when nobody can write to it any more, whether a test that has failed has ended its child, or not.
            self.device.process.stdin.close()
            status = child() or 0
        finally:
            os._exit(status)


def on(*architectures):
    """Try a test on each of these devices."""
    def mark(test):
        test.architectures = architectures
        return test
    return mark


def on_one(test, architecture):
    """A test of a class on one of its devices."""
    @functools.wraps(test)
    def tried(self):
        test(self)

    tried.architecture = architecture
    return tried


def xorshift(state=88172645463325252):
    """Numbers of 64 bits, the same ones every time."""
    for _ in itertools.count():
        state = (state ^ state << 13) & 2**64 - 1
        state ^= state >> 7
        state = (state ^ state << 17) & 2**64 - 1
        yield state


def main(description):
    if len(sys.argv) < 2:
        print(description, file=sys.stderr)
        sys.exit(2)
    ProgramCase.command = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
