# SPDX-License-Identifier: MIT
"""What the replaying library answers, at one moment: as a client asks, in any order. The sessions are made by hand: session.h.

Usage: test_library.py LIBRARY WRITE-SESSIONS
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import Api, buffer, libc, number
from client.case import Case, Side, main

PROCESS, PAGE, TAIL, REFUSED_PAGE = 7, 0x10000, 100, 0x80000
GFX942 = 0x4C
WAVE1, WAVE2, WAVE3, NOBODY = 1, 2, 3, 9
ABSENT = 0x700000001  # v1, which the session does not have
SPACES = {"global": 1, "generic": 29, "wave": 28, "lane": 27, "local": 26}
NO_LANE = 0xFFFFFFFF
LOCAL_APERTURE = 0x1000000000000
EXECZ = 1 << 9


class Session(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        subprocess.run([cls.folder, cls.directory.name], check=True)

    def setUp(self):
        super().setUp()
        self.side.process_id = 4711
        self.use("good")

    def use(self, name):
        os.environ["WAVETAPE_TRACE"] = f"{self.directory.name}/{name}.wtape"

    def begin(self):
        self.gives(self.client.initialize())
        self.assertEqual(self.attach(), PROCESS)

    def pump(self, expected):
        event, kind = self.next(PROCESS)
        self.assertEqual(kind, expected)
        return event

    def at_the_stop(self):
        """Attached, with both stop events of the fourth moment fetched and processed."""
        self.begin()
        self.pump("RUNTIME")
        self.gives(self.api.event_processed(1))
        self.pump("NONE")
        self.pump("NONE")
        self.assertEqual([self.pump("WAVE_STOP"), self.pump("WAVE_STOP")], [2, 3])
        self.gives(self.api.event_processed(2))
        self.gives(self.api.event_processed(3))

    def register(self, name, machine=GFX942):
        return {"s0": 0x700000400, "s1": 0x700000401, "v0": 0x700000000, "pc": 0x700000522, "exec": 0x70000053D, "vcc": 0x70000053F,
                "status": 0x70000053A}[name]


class Begins(Session):
    def test_not_initialized(self):
        api = self.api
        version = [number(0, "u32") for _ in range(3)]
        api.get_version(*version)
        self.assertEqual([part.value for part in version], [0, 77, 3])
        self.assertEqual(api.get_build_name(), b"built by hand")
        self.gives(self.client.answer("wave", WAVE1, "STATE")[0], "ERROR_NOT_INITIALIZED")
        self.gives(api.wave_stop(WAVE1), "ERROR_NOT_INITIALIZED")
        self.gives(api.finalize(), "ERROR_NOT_INITIALIZED")
        self.gives(api.initialize(None), "ERROR_INVALID_ARGUMENT")

    def test_no_trace(self):
        process = number(77)
        del os.environ["WAVETAPE_TRACE"]
        self.api.set_log_level(self.api.LOG_LEVEL_FATAL_ERROR)
        self.gives(self.client.initialize())
        self.gives(self.api.process_attach(1, process), "ERROR_RESTRICTION")
        self.assertEqual(process.value, 77)
        self.assertIn("WAVETAPE_TRACE", self.side.log[-1][1])
        # Questions without a process have no answers either, but are answered.
        self.gives(self.client.get_info("architecture", 1, "NAME", 8, process), "ERROR_INVALID_ARCHITECTURE_ID")
        self.gives(self.api.finalize())
        os.environ["WAVETAPE_TRACE"] = "/nonexistent/file"
        self.gives(self.client.initialize())
        self.gives(self.api.process_attach(1, process), "ERROR_RESTRICTION")
        self.assertIn("/nonexistent/file", self.side.log[-1][1])
        self.api.set_log_level(self.api.LOG_LEVEL_NONE)

    def test_facts_before_attach(self):
        api, architecture, state, register = self.api, number(99), number(0, "u32"), number()
        self.gives(self.client.initialize())
        self.gives(api.get_architecture(0x7777, architecture), "ERROR_INVALID_ELF_AMDGPU_MACHINE")
        self.assertEqual(architecture.value, 99)
        self.gives(api.get_architecture(GFX942, architecture))
        self.assertEqual(architecture.value, 7)
        self.asked("architecture", 7, "NAME", "gfx942")
        self.asked("architecture", 7, "BREAKPOINT_INSTRUCTION", b"\x01\x00\x92\xbf")
        registers = self.client.list("register", 7)
        self.assertEqual((len(registers), registers[3]), (7, self.register("pc")))
        general = 0x23
        for place, expected in ((2, api.REGISTER_CLASS_STATE_MEMBER), (3, api.REGISTER_CLASS_STATE_NOT_MEMBER)):
            self.gives(api.register_is_in_register_class(general, registers[place], state))
            self.assertEqual(state.value, expected)
        self.gives(api.dwarf_register_to_register(7, 16, register))
        self.assertEqual(register.value, self.register("pc"))
        self.gives(api.dwarf_register_to_register(7, 17, register), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")


class Answers(Session):
    def test_order_of_checks(self):
        """The handle before all else; a wave that runs before the query; availability before NULL."""
        self.at_the_stop()
        get_info, value, argument = self.client.get_info, number(0x5A5A), "ERROR_INVALID_ARGUMENT"
        self.gives(get_info("wave", NOBODY, 99, 0, None), "ERROR_INVALID_WAVE_ID")
        self.gives(get_info("wave", WAVE3, "PC", 1, None), "ERROR_WAVE_NOT_STOPPED")
        self.gives(get_info("wave", WAVE1, 99, 8, value), argument)
        self.gives(get_info("wave", WAVE1, "WAVE_NUMBER_IN_WORKGROUP", 1, None), "ERROR_NOT_AVAILABLE")
        self.gives(get_info("wave", WAVE1, "PC", 4, None), argument)
        self.gives(get_info("wave", WAVE1, "PC", 4, value), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
        # What was not recorded is not made up.
        self.gives(get_info("wave", WAVE1, "QUEUE", 8, value), "ERROR_NOT_AVAILABLE")
        self.gives(get_info("register", self.register("pc"), 99, 0, None), argument)
        self.assertEqual(value.value, 0x5A5A)
        self.asked("wave", WAVE1, "PC", 0x1010)
        self.gives(self.client.answer("queue", 1, "STATE")[0], "ERROR_NOT_IMPLEMENTED")
        self.asked("process", PROCESS, "OS_ID", 4711)
        self.gives(self.api.process_agent_list(8, None, None, None), "ERROR_INVALID_PROCESS_ID")
        self.gives(self.api.process_agent_list(PROCESS, number(), None, None), argument)

    def changed_list(self, process):
        """Return: whether the list has changed, and the waves; None where no list is given."""
        count, array, changed = number(), ctypes.c_void_p(99), number(77, "u32")
        self.gives(self.api.process_wave_list(process, count, array, changed))
        waves = None if array.value is None else [*(ctypes.c_uint64 * count.value).from_address(array.value)]
        libc.free(array)
        return changed.value == self.api.CHANGED_YES, waves

    def test_lists_and_changes(self):
        self.at_the_stop()
        self.assertEqual(len(self.waves(PROCESS)), 3)
        self.assertEqual(self.changed_list(PROCESS), (True, [WAVE1, WAVE2, WAVE3]))
        self.assertEqual(self.changed_list(0), (False, None))
        self.gives(self.api.finalize())
        # Nothing is attached: an empty list of all processes.
        self.gives(self.client.initialize())
        self.assertFalse(self.changed_list(0)[1])

    def test_packets(self):
        self.at_the_stop()
        first, last, size, packets = number(), number(), number(), ctypes.c_void_p()
        self.gives(self.api.queue_packet_list(1, first, last, size, packets))
        self.assertEqual((first.value, last.value, ctypes.string_at(packets, size.value)), (4, 5, b"packet"))
        libc.free(packets)
        self.gives(self.api.queue_packet_list(1, first, last, size, None))
        self.gives(self.api.queue_packet_list(2, first, last, size, None), "ERROR_INVALID_QUEUE_ID")


class Registers(Session):
    def test_registers(self):
        self.at_the_stop()
        read, value, compatibility = self.api.read_register, number(), "ERROR_INVALID_ARGUMENT_COMPATIBILITY"
        self.assertEqual(self.read(WAVE1, "s0"), 0x13121110)
        self.assertEqual(self.read(WAVE1, "pc", 8), 0x4746454443424140)
        self.assertEqual(self.read(WAVE1, "v0", 4, 20), 0x47464544)
        self.gives(read(WAVE1, self.register("v0"), 256, 1, value), compatibility)
        self.gives(read(WAVE1, self.register("v0"), 2**64 - 2, 4, value), compatibility)
        self.gives(read(WAVE1, ABSENT, 0, 4, value), "ERROR_INVALID_REGISTER_ID")
        self.gives(read(WAVE3, self.register("pc"), 0, 8, value), "ERROR_WAVE_NOT_STOPPED")
        # A write is seen by reads and by the queries that tell the same value; read-only bits stay.
        self.write(WAVE1, "pc", 0x2003, 8)
        self.assertEqual((self.read(WAVE1, "pc", 8), self.pc(WAVE1)), (0x2000, 0x2000))
        self.write(WAVE1, "s1", 0xABCD, 2, 1)
        self.assertEqual(self.read(WAVE1, "s1"), 0x23ABCD20)
        self.assertEqual(self.read(WAVE2, "s1"), 0x33323130)
        # exec becomes zero, and status says so.
        self.assertEqual(self.read(WAVE1, "status") & EXECZ, 0)
        self.write(WAVE1, "exec", 0, 8)
        self.assertEqual(self.read(WAVE1, "status") & EXECZ, EXECZ)

    def check_existing(self, wave, register, expected="SUCCESS"):
        exists = number(self.api.REGISTER_ABSENT, "u32")
        self.gives(self.api.wave_register_exists(wave, register, exists), expected)
        self.assertEqual(exists.value, self.api.REGISTER_PRESENT if expected == "SUCCESS" else self.api.REGISTER_ABSENT)

    def test_existing_registers(self):
        """What was looked up of the last wave and of registers does not outlive what it is of."""
        self.at_the_stop()
        s0 = self.register("s0")
        for _ in range(2):
            self.check_existing(WAVE1, s0)
            self.check_existing(WAVE1, ABSENT, "ERROR_INVALID_REGISTER_ID")
            self.check_existing(WAVE3, s0, "ERROR_NOT_AVAILABLE")
            self.check_existing(WAVE2, s0)
            self.check_existing(NOBODY, s0, "ERROR_INVALID_WAVE_ID")
        # To the end, where the waves are gone.
        self.check_existing(WAVE1, s0)
        self.gives(self.client.wave_resume(WAVE1))
        for kind in ("WAVE_STOP", "NONE", "WAVE_STOP"):
            self.pump(kind)
        self.gives(self.api.event_processed(4))
        self.gives(self.client.wave_resume(WAVE2, True))
        self.gives(self.client.wave_resume(WAVE1))
        self.check_existing(WAVE1, s0)
        self.progress(PROCESS, False)
        self.progress(PROCESS, True)
        self.pump("WAVE_COMMAND_TERMINATED")
        self.check_existing(WAVE1, s0, "ERROR_INVALID_WAVE_ID")
        # Nor is it there when the process is not.
        self.gives(self.api.process_detach(PROCESS))
        self.check_existing(WAVE1, s0, "ERROR_INVALID_WAVE_ID")
        self.gives(self.api.finalize())
        self.at_the_stop()
        self.check_existing(WAVE1, s0)

    def test_registers_of_another_trace(self):
        """Nor the trace that it is of."""
        self.at_the_stop()
        self.check_existing(WAVE1, self.register("status"))
        self.gives(self.api.finalize())
        self.use("no-status")
        self.at_the_stop()
        self.check_existing(WAVE1, self.register("vcc"))
        self.check_existing(WAVE1, self.register("status"), "ERROR_INVALID_REGISTER_ID")


class Memory(Session):
    def get(self, wave, lane, space, address, size, expected="SUCCESS"):
        status, content = self.client.read_memory(PROCESS, address, size, SPACES[space], wave, lane)
        self.gives(status, expected)
        return content

    def test_memory(self):
        self.at_the_stop()
        content = self.get(0, NO_LANE, "global", PAGE + 4090, 512)
        self.assertEqual((len(content), content[0], content[6]), (6 + TAIL, 4090 & 0xFF, 7))
        self.assertEqual(self.get(0, NO_LANE, "global", PAGE - 1, 2, "ERROR_MEMORY_UNAVAILABLE"), b"")
        self.assertEqual(self.get(0, NO_LANE, "global", 0, 0), b"")
        content = self.get(WAVE1, NO_LANE, "local", 60, 8)
        self.assertEqual((len(content), content[0]), (4, 0x40 + 60))
        self.get(0, NO_LANE, "local", 0, 8, "ERROR_INVALID_WAVE_ID")
        self.get(WAVE1, NO_LANE, "lane", 0, 8, "ERROR_INVALID_LANE_ID")
        self.get(WAVE1, 64, "lane", 0, 8, "ERROR_INVALID_LANE_ID")
        self.get(WAVE3, 0, "lane", 0, 8, "ERROR_WAVE_NOT_STOPPED")
        # The lanes take turns at each word; 16 bytes belong to a lane.
        content = self.get(WAVE1, 3, "lane", 2, 32)
        self.assertEqual((len(content), content[0], content[2]), (14, 0x80 + 3 * 4 + 2, 0x80 + 256 + 3 * 4 & 0xFF))
        # Generic addresses lead to the others.
        content = self.get(WAVE1, 3, "generic", LOCAL_APERTURE + 60, 8)
        self.assertEqual((len(content), content[0]), (4, 0x40 + 60))
        content = self.get(WAVE1, NO_LANE, "generic", PAGE + 1, 2)
        self.assertEqual((len(content), content[0]), (2, 1))
        # The NULL address of private memory, at which AMD's library does not come back.
        self.get(WAVE1, 0, "wave", 0xFFFFFFFF, 8, "ERROR_MEMORY_ACCESS")

    def put(self, wave, lane, space, address, content, expected="SUCCESS"):
        status, count = self.client.write_memory(PROCESS, address, content, SPACES[space], wave, lane)
        self.gives(status, expected)
        return count

    def test_memory_writes(self):
        self.at_the_stop()
        written = bytes(range(1, 9))
        self.assertEqual(self.put(WAVE1, 0, "global", PAGE + 4092, written), 8)
        content = self.get(WAVE1, 0, "global", PAGE + 4091, 10)
        self.assertEqual(content, bytes([4091 & 0xFF, *written, 7 + 4]))
        # Bytes that were not recorded cannot be written.
        self.assertEqual(self.put(WAVE1, 0, "global", PAGE + 4096 + TAIL - 2, written), 2)
        self.put(WAVE1, 5, "lane", 2, written[:6])
        self.assertEqual(self.get(WAVE1, 0, "wave", 256 + 20, 4), written[2:6])
        self.assertEqual(self.put(WAVE1, 0, "global", 16, written[:1], "ERROR_MEMORY_UNAVAILABLE"), 0)

    def test_not_recorded_or_not_there(self):
        """Who can tell the two apart is told; who is older gets what it knows."""
        self.at_the_stop()
        older = Api(self.library, 77)
        cases = [
            (0, NO_LANE, "global", 16, "UNAVAILABLE"),
            (0, NO_LANE, "global", REFUSED_PAGE - 1, "UNAVAILABLE"),
            (0, NO_LANE, "global", REFUSED_PAGE, "ACCESS"),
            (0, NO_LANE, "global", REFUSED_PAGE + 4095, "ACCESS"),
            (0, NO_LANE, "global", REFUSED_PAGE + 4096, "UNAVAILABLE"),
            (0, NO_LANE, "global", PAGE + 4096 + TAIL, "ACCESS"),
            (0, NO_LANE, "global", PAGE + 8192, "UNAVAILABLE"),
            (WAVE1, NO_LANE, "local", 64, "ACCESS"),
            (WAVE1, NO_LANE, "local", 0x7000, "ACCESS"),
            (WAVE1, NO_LANE, "wave", 16 * 64, "ACCESS"),
            (WAVE1, 3, "lane", 16, "ACCESS"),
            (WAVE1, 3, "generic", LOCAL_APERTURE + 64, "ACCESS"),
            (WAVE2, 3, "lane", 0, "UNAVAILABLE"),
            (WAVE2, 3, "lane", 0xFFFFFFFF, "ACCESS"),
        ]
        for wave, lane, space, address, which in cases:
            with self.subTest(space=space, address=hex(address)):
                self.get(wave, lane, space, address, 4, f"ERROR_MEMORY_{which}")
                status = older.read_memory(PROCESS, wave, lane, SPACES[space], address, number(4), buffer(4))
                self.assertEqual(older.status_name(status), "ERROR_MEMORY_ACCESS")

    def test_without_a_wave(self):
        """Since 0.79 a library does not look at what a generic address means for no wave."""
        for session, local, generic in (("good", "INVALID_WAVE_ID", None),
                                        ("newer", "INVALID_ARGUMENT_COMPATIBILITY", "ERROR_INVALID_ARGUMENT_COMPATIBILITY")):
            with self.subTest(session=session):
                self.use(session)
                self.at_the_stop()
                self.get(0, NO_LANE, "local", 0, 8, f"ERROR_{local}")
                self.get(0, NO_LANE, "generic", PAGE, 8, generic or "SUCCESS")
                self.get(0, 0, "local", 0, 8, "ERROR_INVALID_LANE_ID")
                self.get(NOBODY, NO_LANE, "local", 0, 8, "ERROR_INVALID_WAVE_ID")
                self.get(0, NO_LANE, "global", PAGE, 8)
                self.gives(self.api.finalize())

    def convert(self, lane, source, address, destination, expected="SUCCESS"):
        result, count = number(), number()
        self.gives(self.api.convert_address_space(PROCESS, WAVE1, lane, SPACES[source], address, SPACES[destination], result, count),
                   expected)
        return result.value, count.value

    def test_conversions(self):
        """By the rules of the recorded library; what depends on how large private memory is, is not known here."""
        null = 0xFFFFFFFF
        for session in "good", "newer":
            with self.subTest(session=session):
                self.use(session)
                self.at_the_stop()
                self.convert(NO_LANE, "wave", 4, "global", "ERROR_NOT_AVAILABLE")
                self.convert(3, "lane", 0x10000, "wave", "ERROR_NOT_AVAILABLE")
                if session == "good":
                    self.assertEqual(self.convert(NO_LANE, "wave", 4, "wave"), (4, 2**32 - 4))
                    self.convert(NO_LANE, "generic", 0, "local", "ERROR_INVALID_ADDRESS_SPACE_CONVERSION")
                else:
                    self.convert(NO_LANE, "wave", 4, "wave", "ERROR_NOT_AVAILABLE")
                    self.assertEqual(self.convert(NO_LANE, "generic", 0, "local"), (null, 0))
                self.gives(self.api.finalize())


class Modes(Session):
    def test_precision(self):
        self.at_the_stop()
        api = self.api
        self.gives(api.set_memory_precision(PROCESS, api.MEMORY_PRECISION_PRECISE))
        self.gives(api.set_memory_precision(PROCESS, 5), "ERROR_INVALID_ARGUMENT")
        self.gives(api.set_alu_exceptions_precision(PROCESS, api.ALU_EXCEPTIONS_PRECISION_PRECISE), "ERROR_NOT_SUPPORTED")
        self.gives(api.process_freeze(PROCESS), "ERROR_INCOMPATIBLE_PROCESS_STATE")

    def test_unable(self):
        """Agents that cannot, as recorded: not one watchpoint too many, but none at all."""
        self.use("unable")
        self.begin()
        api, watchpoint, refused = self.api, number(77), "ERROR_NOT_SUPPORTED"
        self.gives(api.set_watchpoint(PROCESS, PAGE, 4, api.WATCHPOINT_KIND_ALL, watchpoint), refused)
        self.gives(api.set_watchpoint(PROCESS, PAGE, 0, api.WATCHPOINT_KIND_ALL, None), refused)
        self.assertEqual(watchpoint.value, 77)
        self.gives(api.set_memory_precision(PROCESS, api.MEMORY_PRECISION_PRECISE), refused)
        self.gives(api.set_memory_precision(PROCESS, api.MEMORY_PRECISION_NONE))

    def test_set_up(self):
        """Nothing of the kind was recorded."""
        self.at_the_stop()
        api, watchpoint, stepping, word = self.api, number(77), number(77), buffer(bytes(4))
        self.gives(api.set_watchpoint(PROCESS, PAGE, 0, api.WATCHPOINT_KIND_ALL, watchpoint), "ERROR_INVALID_ARGUMENT")
        self.gives(api.set_watchpoint(PROCESS, PAGE, 4, api.WATCHPOINT_KIND_ALL, watchpoint), "ERROR_NOT_IMPLEMENTED")
        self.assertEqual(watchpoint.value, 77)
        self.gives(api.remove_watchpoint(77), "ERROR_INVALID_WATCHPOINT_ID")
        self.gives(api.displaced_stepping_start(WAVE3, word, stepping), "ERROR_WAVE_NOT_STOPPED")
        self.gives(api.displaced_stepping_start(WAVE1, word, stepping), "ERROR_NOT_IMPLEMENTED")
        self.gives(api.displaced_stepping_complete(WAVE1, 77), "ERROR_INVALID_DISPLACED_STEPPING_ID")
        self.gives(self.client.answer("process", PROCESS, "CORE_STATE")[0], "ERROR_PROCESS_NOT_FROZEN")

    def test_frozen(self):
        self.at_the_stop()
        api, frozen = self.api, "ERROR_PROCESS_FROZEN"
        self.progress(PROCESS, False)
        self.gives(api.process_freeze(PROCESS), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        self.creation(PROCESS, True)
        self.gives(api.process_unfreeze(PROCESS), "ERROR_PROCESS_NOT_FROZEN")
        self.gives(api.process_freeze(PROCESS))
        self.gives(api.process_freeze(PROCESS), "ERROR_PROCESS_ALREADY_FROZEN")
        self.gives(self.client.answer("process", PROCESS, "CORE_STATE")[0], "ERROR_NOT_AVAILABLE")
        self.gives(api.process_set_progress(PROCESS, api.PROGRESS_NORMAL), frozen)
        self.gives(api.process_set_wave_creation(PROCESS, api.WAVE_CREATION_NORMAL), frozen)
        self.gives(self.client.wave_resume(WAVE1), frozen)
        self.gives(api.wave_stop(WAVE3), frozen)
        self.gives(api.wave_stop(WAVE1), "ERROR_WAVE_STOPPED")
        self.gives(self.client.write_register(WAVE1, self.register("exec"), bytes(4)), frozen)
        self.gives(self.client.write_memory(PROCESS, PAGE, bytes(4))[0], frozen)
        self.gives(self.client.read_memory(PROCESS, PAGE, 4)[0])
        self.gives(api.set_watchpoint(PROCESS, PAGE, 4, api.WATCHPOINT_KIND_ALL, None), frozen)
        self.gives(api.process_unfreeze(PROCESS))
        self.creation(PROCESS, False)


class Leaving(Side):
    """A client whose callbacks may call the library. `leave`: what they call, which is done once."""

    leave = None

    def left(self):
        leave, self.leave = self.leave, None
        if leave:
            leave()

    def client_process_get_info(self, process, query, size, value):
        status = super().client_process_get_info(process, query, size, value)
        self.left()
        return status

    def allocate_memory(self, size):
        self.left()
        return super().allocate_memory(size)


class Leaves(Session):
    """A callback that detaches or finalizes in the call that makes it: what the call works on stays until it ends."""

    make_side = Leaving

    def test_finalized_in_an_attach(self):
        process, statuses = number(99), []
        self.gives(self.client.initialize())
        self.side.leave = lambda: statuses.append(self.api.finalize())
        self.gives(self.api.process_attach(1, process), "ERROR")
        self.assertEqual((process.value, statuses), (99, [0]))
        self.begin()

    def test_detached_in_a_call(self):
        statuses = []
        self.begin()
        for kind in ("RUNTIME", "NONE", "NONE", "WAVE_STOP"):
            self.pump(kind)
        self.side.leave = lambda: statuses.extend(self.api.process_detach(PROCESS) for _ in range(2))
        self.assertEqual(self.client.list("wave", PROCESS), [WAVE1, WAVE2, WAVE3])
        self.assertEqual(statuses, [0, self.api.STATUS_ERROR_INVALID_PROCESS_ID])
        status = self.api.process_wave_list(PROCESS, number(), ctypes.byref(ctypes.c_void_p()), None)
        self.gives(status, "ERROR_INVALID_PROCESS_ID")
        self.assertEqual(self.attach(), PROCESS + 1)


if __name__ == "__main__":
    main(__doc__)
