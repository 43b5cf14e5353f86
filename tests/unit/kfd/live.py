# SPDX-License-Identifier: MIT
"""A program on the driver that is debugged through the API: this process is the program, and its own debugger.

The library's calls on /dev/kfd come here (interposed.c), go on to the driver, or fail where a test wants it so.
"""

import ctypes
import os
import pathlib
import select
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import SUCCESS, Callbacks, buffer, libc, malloc, number, take_array
from client.case import Case
from client.kfd import Headers, kfd
from client import program
from client.program import PAGE, PATIENCE, Debugger, ProgramCase, on, wait_until

__all__ = ["BREAKPOINT", "CODE_URI", "CORE", "Faults", "Headers", "LiveCase", "NOP", "PAGE", "THIS", "buffer", "ctypes", "kernel", "kfd", "libc", "main",
           "number", "on", "os", "wait_until"]

CODE_URI = "file:///kernels/a.co"
BREAKPOINT_ADDRESS = 0x123456780000
BREAKPOINT, NOP = 0xBF920001, 0xBF800000
SAVE = 126 * PAGE
# In the page of r_debug.
AT_MAPS, MAP_BYTES, AT_NAMES = 64, 40, 1024
THIS, CORE = 1, 2  # the client's processes: this one, and a core of it
CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p)


def kernel(trap):
    """s_load_dwordx2 s[2:3], s[0:1]; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; TRAP; s_waitcnt; global_store v1, v2, s[2:3]; end"""
    return [0xC0060080, 0, 0x24020082, 0x7E040287, trap, 0xBF8C0000, 0xDC708000, 0x00020201, 0xBF810000]


class Faults:
    """How calls of the library fail. `before` and `after` each debug call that is made: a test may change what is answered."""

    def __init__(self, fail_at=0, error=0, stays=False, before=None, after=None):
        self.calls = 0  # made until now
        self.fail_at = fail_at  # the number of the one that fails, from 1; 0: none does
        self.error, self.stays = error, stays  # how, and whether all that follow fail, too
        self.suspended = 0  # calls that suspend queues
        self.version = None  # that is told in the place of the driver's
        self.before, self.after = before, after

    def fails(self):
        self.calls += 1
        return self.fail_at and (self.calls >= self.fail_at if self.stays else self.calls == self.fail_at)


class LiveSide(Callbacks):
    def __init__(self):
        super().__init__()
        self.process_id = os.getpid()
        self.breakpoint_address = 0
        self.state = b""  # of the core

    @property
    def breakpoints(self):
        """Inserted and not removed."""
        return self.insertions - self.removals

    @property
    def last_log(self):
        return self.log[-1][1] if self.log else ""

    def insert_breakpoint(self, process, address, breakpoint_id):
        if self.no_breakpoint:
            return self.api.STATUS_ERROR
        self.breakpoint_address = address
        return super().insert_breakpoint(process, address, breakpoint_id)

    def client_process_get_info(self, process, query, size, value):
        if process != CORE:
            return super().client_process_get_info(process, query, size, value)
        if query != self.api.CLIENT_PROCESS_INFO_CORE_STATE:
            return self.api.STATUS_ERROR_NOT_AVAILABLE
        copy = malloc(len(self.state))
        ctypes.memmove(copy, self.state, len(self.state))
        state = self.api.at.structures["amd_dbgapi_core_state_data_t"](endianness=1, size=len(self.state), data=copy)
        ctypes.memmove(value, ctypes.byref(state), size)
        return SUCCESS

    def xfer_global_memory(self, process, address, size, read_buffer, write_buffer):
        """A core's memory is this process's."""
        part = (ctypes.c_uint64 * 4)(address, size[0], read_buffer or 0, size[0])
        done = -1
        if process == CORE and not write_buffer:
            done = libc.process_vm_readv(os.getpid(), ctypes.byref(part, 16), 1, ctypes.byref(part), 1, 0)
        if done <= 0:
            return self.api.STATUS_ERROR_MEMORY_ACCESS
        size[0] = done
        return SUCCESS


class LiveCase(ProgramCase, Case):
    make_side = LiveSide
    names = {}

    def setUp(self):
        super().setUp()
        self.faults = Faults()
        self.answer_call = CALL(self.call_driver)
        self.variable("interposed_call", ctypes.c_void_p).value = ctypes.cast(self.answer_call, ctypes.c_void_p).value

    def tearDown(self):
        self.faults = Faults()
        self.absent(False)
        try:
            # After a test that has failed the library is to let go what it holds, as long as there is a driver: tests that follow have another.
            self.api.finalize()
        finally:
            super().tearDown()
            self.variable("interposed_call", ctypes.c_void_p).value = None

    @staticmethod
    def variable(name, kind):
        return kind.in_dll(libc, name)

    def absent(self, yes):
        """There is no driver."""
        self.variable("interposed_absent", ctypes.c_bool).value = yes

    # ---- The driver, as the library finds it ----

    def call_driver(self, request, argument):
        try:
            return self.answer(request, argument)
        except BaseException as error:  # pylint: disable=broad-exception-caught
            self.api.raised.append(error)
            return -5

    def answer(self, request, argument):
        faults = self.faults
        if faults.fails():
            return -faults.error
        trap = kfd.debug_trap.from_address(argument) if request & 0xFF == kfd.DEBUG else None
        if trap:
            faults.suspended += trap.operation == kfd.DEBUG_SUSPEND_QUEUES
            if faults.before:
                faults.before(trap)
        result = self.program.thread.call(request, trap or (ctypes.c_uint8 * (request >> 16 & 0x3FFF)).from_address(argument))
        if trap and result >= 0 and faults.after:
            faults.after(trap)
        if not result and request & 0xFF == kfd.GET_VERSION and faults.version:
            version = kfd.get_version.from_address(argument)
            version.major, version.minor = faults.version
        return result

    # ---- The program ----

    def set_code(self, count):
        """The list of code objects. One of one size is written whole: what is read of it follows its links."""
        page = self.debug
        page.put(24, 1)
        page.put(8, page.address + AT_MAPS if count else 0, 8)
        for i in range(count):
            at, name = AT_MAPS + i * MAP_BYTES, AT_NAMES + i * 64
            page.put_bytes(name, f"{CODE_URI}#{i}\0".encode())
            page.put(at, 0x1000 * (i + 1), 8)
            page.put(at + 8, page.address + name, 8)
            page.put(at + 24, page.address + at + MAP_BYTES if i + 1 < count else 0, 8)
        page.put(24, 0)

    def make_queue(self):
        """The debugger's memory is behind the save area."""
        queue = self.program.queue(SAVE)
        queue.save.put(16, SAVE)
        queue.save.put(20, PAGE)
        return queue

    def begin(self, loaded=True):
        """Memory, and the library initialized; with a runtime and a queue if it is loaded."""
        self.program.acquire()
        self.debug = self.program.memory(PAGE)
        self.debug.put(0, 10)
        self.debug.put(16, BREAKPOINT_ADDRESS, 8)
        self.set_code(1)
        if loaded:
            self.assertEqual(self.program.runtime_comes(self.debug.address), 0)
            self.queue = self.make_queue()
        self.api.set_log_level(self.api.LOG_LEVEL_WARNING)
        self.gives(self.client.initialize())

    def end(self, packets=0):
        """The library finalized; the queue has executed its packets."""
        self.faults.fail_at = 0
        self.gives(self.api.finalize())
        self.assertEqual(self.side.breakpoints, 0)
        if packets:
            self.assertTrue(self.queue.wait(packets))

    def begin_attached(self):
        self.begin()
        self.attach_live()

    def attach_status(self, client_process=THIS):
        process = number()
        status = self.api.process_attach(client_process, process)
        self.process = process.value
        return status

    def attach_live(self):
        """And take the RUNTIME event."""
        self.assertEqual(self.attach_status(), SUCCESS, self.side.last_log)
        event = self.next_of("RUNTIME")
        self.assertEqual(self.client.ask("event", event, "RUNTIME_STATE"), self.api.RUNTIME_STATE_LOADED_SUCCESS)
        self.gives(self.api.event_processed(event))
        self.assertEqual(self.side.breakpoint_address, BREAKPOINT_ADDRESS)

    def detach(self):
        self.gives(self.api.process_detach(self.process))

    def detach_and_end(self, packets=0):
        self.detach()
        self.end(packets)

    def debugger(self):
        return Debugger(self.program)

    # ---- Events and waves ----

    def notifier(self):
        return self.client.ask("process", self.process, "NOTIFIER")

    def wait_for_notice(self):
        """Wait until something has happened, of which the library is not asked yet."""
        self.assertTrue(select.select([self.notifier()], [], [], PATIENCE)[0])

    def next_of(self, kind):
        """Wait for the next event, which must be of a kind. Return: it, not processed."""
        while True:
            event, got = self.next(self.process)
            if got != "NONE":
                break
            self.wait_for_notice()
            self.drain(self.process)
        self.assertEqual(got, kind)
        return event

    def process_event(self, event):
        self.gives(self.api.event_processed(event))

    def take_wave(self, kind="WAVE_STOP"):
        event = self.next_of(kind)
        wave = self.client.ask("event", event, "WAVE")
        self.process_event(event)
        return wave

    def take_stop(self, wave, reason=None):
        """The next stop is of this wave."""
        self.assertEqual(self.take_wave(), wave)
        if reason:
            self.reasons(wave, reason)

    def expect_no_event(self):
        self.expect_none(self.process)

    def handles(self, kind):
        count, array = number(), ctypes.c_void_p()
        self.gives(self.client.list_call(kind, self.process, count, array, None))
        return take_array(array.value, count.value)

    def counts(self, **expected):
        """So many there are of these kinds."""
        self.assertEqual({kind: len(self.handles(kind)) for kind in expected}, expected)

    def one_wave(self):
        """The only wave there is, once it is there."""
        self.assertTrue(wait_until(lambda: self.handles("wave")))
        wave, = self.handles("wave")
        return wave

    def reasons(self, wave, name):
        self.assertEqual(self.reason(wave), getattr(self.api, f"WAVE_STOP_REASON_{name}"))

    def resume(self, wave, step=False, exceptions=0):
        self.gives(self.client.wave_resume(wave, step, exceptions))

    def resume_by(self, wave, *counts):
        """Let it go; the queue has then executed so many packets."""
        self.resume(wave)
        for count in counts:
            self.assertTrue(self.queue.wait(count))

    def stop(self, wave):
        self.gives(self.api.wave_stop(wave))
        self.take_stop(wave)

    def register_of(self, wave, name):
        """Registers have the same handles as long as the library is loaded."""
        key = self.client.ask("wave", wave, "ARCHITECTURE"), self.client.ask("wave", wave, "LANE_COUNT")
        if key not in self.names:
            self.names[key] = {self.client.ask("register", register, "NAME"): register for register in reversed(self.client.registers(wave))}
        return self.names[key][name]

    def read(self, wave, name, size=4, offset=0):
        status, content = self.client.read_register(wave, self.register_of(wave, name), size, offset)
        self.gives(status)
        return int.from_bytes(content, "little")

    def write(self, wave, name, value, size=4, offset=0):
        self.gives(self.client.write_register(wave, self.register_of(wave, name), value.to_bytes(size, "little"), offset))

    def hold_creation(self, stop):
        self.creation(self.process, stop)

    def set_progress(self, forward):
        self.progress(self.process, forward)

    def precise_memory(self, yes=True):
        return self.api.set_memory_precision(self.process, self.api.MEMORY_PRECISION_PRECISE if yes else self.api.MEMORY_PRECISION_NONE)


def main(description):
    """ARGUMENTS: WAVETAPE LIBRARY [TEST...]"""
    Case.library = sys.argv.pop(2) if len(sys.argv) > 2 else ""
    program.main(description)
