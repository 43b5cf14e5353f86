# SPDX-License-Identifier: MIT
"""Freezing a process, and attaching to what was frozen: live and core, side by side in one library. And what AMD's library makes of a
core, and ours as well: orders, numbers, agents, displaced stepping.

Usage: test_core.py LIBRARY WORKLOADS
"""

import ctypes
import os
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import SUCCESS, buffer, libc, number
from client.case import Case, Side, main

CORE_PROCESS = 7
CHUNK = 0x10000
ADDRESS = 0x210000000000
# Of the note: its head, and each of its agents.
HEAD, AGENT = 56, 120
ENDPGM, NOP, ILLEGAL = 0xBF810000, 0xBF800000, 0xFFFFFFFF
AREA_DEBUG = 16


class CoreSide(Side):
    """A client that keeps what a core file would have of a frozen process."""

    def __init__(self):
        super().__init__()
        self.note, self.chunks = b"", []
        self.no_note = False
        self.lies = False  # reads succeed, and nothing is written to their buffers
        self.moves = None  # so many bytes are all that is ever moved
        self.nothing = 0  # what is said of memory that was not kept

    def client_process_get_info(self, process, query, size, value):
        if process != CORE_PROCESS:
            return super().client_process_get_info(process, query, size, value)
        if query == self.api.CLIENT_PROCESS_INFO_OS_PID or self.no_note:
            return self.api.STATUS_ERROR_NOT_AVAILABLE
        copy = libc.malloc(len(self.note))
        ctypes.memmove(copy, bytes(self.note), len(self.note))
        state = self.api.at.structures["amd_dbgapi_core_state_data_t"](endianness=self.api.ENDIAN_LITTLE, size=len(self.note), data=copy)
        ctypes.memmove(value, ctypes.byref(state), ctypes.sizeof(state))
        return SUCCESS

    def xfer_global_memory(self, process, address, size, read_buffer, write_buffer):
        assert process == CORE_PROCESS
        if self.lies and not write_buffer:
            return SUCCESS
        if self.moves is not None:
            size[0] = self.moves
            return SUCCESS
        for begin, content in [] if write_buffer else self.chunks:
            offset = address - begin
            if not 0 <= offset < len(content):
                continue
            # Never all at once: what is left must be asked for again.
            part = bytes(content[offset : offset + min(size[0], 100)])
            ctypes.memmove(read_buffer, part, len(part))
            size[0] = len(part)
            return SUCCESS
        return self.nothing or self.api.STATUS_ERROR_MEMORY_ACCESS


class Frozen(Case):
    make_side = CoreSide

    def begin(self, workload):
        """Run to the fault, stop nothing else, and let no wave start."""
        self.use_workload(workload)
        self.start()
        self.live = self.attach_ready()
        event = 0
        while not event:
            event, _ = self.next(self.live)
        self.progress(self.live, False)
        while event:
            self.gives(self.api.event_processed(event))
            event, _ = self.next(self.live)
        self.creation(self.live, True)

    def freeze_and_keep(self):
        self.gives(self.api.process_freeze(self.live))
        self.side.note = bytearray(self.client.ask("process", self.live, "CORE_STATE"))
        for region in range(0x20, 0x26):
            for address in range(region << 40, (region << 40) + 64 * CHUNK, CHUNK):
                status, content = self.client.read_memory(self.live, address, CHUNK)
                if status == SUCCESS:
                    self.side.chunks.append((address, bytearray(content)))

    def freeze_workload(self, workload="oob-load"):
        self.begin(workload)
        self.freeze_and_keep()

    def attach_core(self):
        """And take the first stop. Return: the process, and the wave."""
        core = self.attach_ready(CORE_PROCESS)
        return core, self.take(core)


class Freezing(Frozen):
    def test_states(self):
        api = self.api
        self.begin("matmul-short-buffer")
        live, core_state = self.live, api.at.structures["amd_dbgapi_core_state_data_t"]()
        self.gives(api.process_freeze(99), "ERROR_INVALID_PROCESS_ID")
        self.creation(live, False)
        self.gives(api.process_freeze(live), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        self.creation(live, True)
        self.progress(live, True)
        self.gives(api.process_freeze(live), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        self.progress(live, False)
        self.gives(api.process_unfreeze(live), "ERROR_PROCESS_NOT_FROZEN")
        size = ctypes.sizeof(core_state)
        self.gives(self.client.get_info("process", live, "CORE_STATE", size, ctypes.byref(core_state)), "ERROR_PROCESS_NOT_FROZEN")
        self.gives(api.process_freeze(live))
        self.gives(api.process_freeze(live), "ERROR_PROCESS_ALREADY_FROZEN")
        self.gives(self.client.get_info("process", live, "CORE_STATE", size, None), "ERROR_INVALID_ARGUMENT")
        self.gives(self.client.get_info("process", live, "CORE_STATE", 4, number()), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
        self.gives(api.process_unfreeze(live))
        self.gives(api.process_unfreeze(live), "ERROR_PROCESS_NOT_FROZEN")
        # The save areas are used again.
        for _ in range(3):
            self.gives(api.process_freeze(live))
            self.gives(api.process_unfreeze(live))

    def test_frozen(self):
        """Nothing changes a frozen process, but everything of it can be asked."""
        api, frozen = self.api, "ERROR_PROCESS_FROZEN"
        self.begin("matmul-short-buffer")
        live, waves, s0 = self.live, self.waves(self.live), self.register("s0")
        self.assertEqual(len(waves), 16)
        self.gives(api.process_freeze(live))
        self.gives(api.process_set_progress(live, api.PROGRESS_NORMAL), frozen)
        self.gives(api.process_set_progress(0, api.PROGRESS_NO_FORWARD), frozen)
        self.gives(api.process_set_wave_creation(live, api.WAVE_CREATION_NORMAL), frozen)
        self.gives(api.set_watchpoint(live, ADDRESS, 4, api.WATCHPOINT_KIND_ALL, number()), frozen)
        for wave in waves:
            stopped = self.state(wave) == "STOP"
            self.gives(self.client.wave_resume(wave), frozen)
            self.gives(api.wave_stop(wave), "ERROR_WAVE_STOPPED" if stopped else frozen)
            self.gives(self.client.write_register(wave, s0, bytes(4)), frozen)
            if stopped:
                self.gives(self.client.read_register(wave, s0, 4)[0])
        self.gives(self.client.write_memory(live, ADDRESS, bytes(4))[0], frozen)
        self.gives(self.client.read_memory(live, ADDRESS, 4)[0])
        self.expect_none(live)
        # A detach needs no unfreeze.
        self.gives(api.process_detach(live))


class Cores(Frozen):
    def contents(self, wave):
        """All registers of a wave."""
        return [(register, self.client.read_register(wave, register, self.client.ask("register", register, "SIZE")))
                for register in self.client.registers(wave)]

    def place(self, wave):
        return self.client.ask("wave", wave, "WORKGROUP_COORD"), self.client.ask("wave", wave, "WAVE_NUMBER_IN_WORKGROUP")

    def test_core(self):
        self.freeze_workload("matmul-short-buffer")
        core, reasons = self.attach_ready(CORE_PROCESS), 0
        waves, saved = self.waves(self.live), self.waves(core)
        self.assertEqual((len(waves), len(saved)), (16, 16))
        self.assertEqual({self.state(wave) for wave in saved}, {"RUN"})
        ran = {wave for wave in waves if self.state(wave) != "STOP"}
        # Those with a reason first.
        for i in range(16):
            reason = self.reason(self.take(core))
            self.assertEqual(reason != 0, i < 4)
            reasons |= reason
        self.expect_none(core)
        self.assertEqual(reasons, self.api.WAVE_STOP_REASON_MEMORY_VIOLATION)
        self.gives(self.api.process_unfreeze(self.live))
        same = {self.place(wave): wave for wave in saved}
        for wave in waves:
            if wave in ran:
                self.gives(self.api.wave_stop(wave))
                self.take(self.live)
            contents = self.contents(wave)
            self.assertEqual(contents, self.contents(same[self.place(wave)]))
            self.assertEqual({status for _, (status, _) in contents}, {SUCCESS})
        self.gives(self.client.answer("process", core, "OS_ID")[0], "ERROR_NOT_AVAILABLE")
        self.gives(self.client.answer("process", core, "CORE_STATE")[0], "ERROR_NOT_AVAILABLE")

    def test_control(self):
        """What can be done to a core, and what cannot."""
        api = self.api
        self.freeze_workload()
        core, wave = self.attach_core()
        for _ in range(3):
            self.take(core)
        self.gives(self.client.wave_resume(wave))
        self.expect_none(core)
        self.assertEqual(self.state(wave), "RUN")
        self.gives(api.wave_stop(wave))
        self.gives(api.wave_stop(wave), "ERROR_WAVE_OUTSTANDING_STOP")
        self.take(core)
        self.assertEqual(self.reason(wave), api.WAVE_STOP_REASON_NONE)
        self.gives(self.client.wave_resume(wave, True))
        self.expect_none(core)
        self.assertEqual(self.state(wave), "SINGLE_STEP")
        self.gives(api.wave_stop(wave))
        self.take(core, "WAVE_COMMAND_TERMINATED")
        self.gives(self.client.wave_resume(wave, exceptions=api.EXCEPTION_WAVE_MEMORY_VIOLATION), "FATAL")
        self.assertEqual(self.state(wave), "RUN")
        self.gives(api.process_set_wave_creation(core, api.WAVE_CREATION_STOP), "FATAL")
        self.gives(api.set_memory_precision(core, api.MEMORY_PRECISION_PRECISE), "FATAL")
        self.gives(api.set_memory_precision(core, api.MEMORY_PRECISION_NONE))
        self.gives(api.set_watchpoint(core, ADDRESS, 4, api.WATCHPOINT_KIND_ALL, number()), "FATAL")
        self.gives(api.process_freeze(core), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        self.progress(core, False)
        self.gives(api.process_set_progress(core, api.PROGRESS_NORMAL), "FATAL")
        self.check_after_progress(core)
        # The other process has nothing to do with it.
        self.assertEqual(len(self.waves(self.live)), 4)
        self.gives(api.process_detach(core))

    def check_after_progress(self, core):
        """The queues of a core were let go, for ever: what a library would suspend them for is FATAL, and nothing else."""
        api, fatal = self.api, {"dispatch", "workgroup", "wave"}
        for kind in self.client.lists():
            count, array = number(), ctypes.c_void_p()
            self.gives(self.client.list_call(kind, core, count, array, None), "FATAL" if kind in fatal else "SUCCESS")
            libc.free(array)
        self.gives(api.process_set_progress(core, api.PROGRESS_NO_FORWARD))
        self.gives(api.process_set_progress(core, api.PROGRESS_NORMAL))
        self.gives(api.process_wave_list(core, number(), ctypes.c_void_p(), None), "FATAL")
        queue = self.client.list("queue", core)[0]
        self.gives(api.queue_packet_list(queue, number(), number(), number(), None), "FATAL")

    def test_reads_that_are_none(self):
        """A client whose callback says that it read, and did not: what comes of it is the same each time."""
        self.freeze_workload("oob-store")
        core, size, content = self.attach(CORE_PROCESS), number(64), buffer(b"\xa5" * 64)
        self.side.lies = True
        self.gives(self.api.read_memory(core, 0, self.client.no_lane, self.client.global_space, 0x1234, size, content))
        self.assertEqual((size.value, bytes(content)), (64, bytes(64)))

    def test_memory_that_was_not_kept(self):
        """The client knows whether an address is none, or was left out of its core, and is told what it said."""
        self.freeze_workload("oob-store")
        core, size, content = self.attach(CORE_PROCESS), number(64), buffer(bytes(64))
        for nothing in ("ERROR_MEMORY_UNAVAILABLE", "ERROR_MEMORY_ACCESS", "ERROR_MEMORY_UNAVAILABLE"):
            self.side.nothing = getattr(self.api, f"STATUS_{nothing}")
            size.value = 64
            self.gives(self.api.read_memory(core, 0, self.client.no_lane, self.client.global_space, 0x1234, size, content), nothing)
            self.assertEqual(size.value, 0)
            size.value = 64
            self.gives(self.api.write_memory(core, 0, self.client.no_lane, self.client.global_space, 0x1234, size, content), nothing)
        # An address of nothing is that, whatever the client said last.
        architecture = self.client.ask("agent", self.client.list("agent", core)[0], "ARCHITECTURE")
        spaces = {self.client.ask("address_space", space, "NAME"): space for space in self.client.list("address_space", architecture)}
        size.value = 64
        read = self.api.read_memory(core, self.waves(core)[0], self.client.no_lane, spaces["local"], 0xFFFF0000, size, content)
        self.gives(read, "ERROR_MEMORY_ACCESS")

    def test_what_the_client_says_of_an_access(self):
        """It is passed on, also that nothing was moved, as AMD's library does; whatever a client must not say is fatal."""
        self.freeze_workload("oob-store")
        core, size, content = self.attach(CORE_PROCESS), number(), buffer(bytes(64))
        access = (core, 0, self.client.no_lane, self.client.global_space, 0x1234, size, content)
        for call in self.api.read_memory, self.api.write_memory:
            for moves in 0, 3:
                self.side.moves, size.value = moves, 64
                self.gives(call(*access))
                self.assertEqual(size.value, moves)
            self.side.moves = None
            for nothing in "ERROR", "ERROR_PROCESS_EXITED", "ERROR_INVALID_ARGUMENT", "FATAL":
                self.side.nothing, size.value = getattr(self.api, f"STATUS_{nothing}"), 64
                self.gives(call(*access), "FATAL")
                self.assertEqual(size.value, 64)

    def test_no_note(self):
        """Without a usable note there is a process, and nothing in it."""
        self.freeze_workload()
        self.side.note[0] += 1
        core = self.attach(CORE_PROCESS)
        self.expect_none(core)
        self.assertEqual(self.waves(core), [])
        self.gives(self.api.process_detach(core))
        self.side.note[0] -= 1
        # A driver of another age.
        self.side.note[12] = 3
        self.gives(self.api.process_attach(CORE_PROCESS, number()), "ERROR_RESTRICTION")
        self.side.note[12] = 16
        # No workload, and no note.
        self.side.no_note = True
        del os.environ["WAVETAPE_WORKLOAD"]
        core = self.attach(CORE_PROCESS)
        self.expect_none(core)
        self.assertEqual(self.waves(core), [])


class Habits(Frozen):
    def test_order(self):
        """Those that stopped by themselves come first, in the order of the core; then the others, in the list's."""
        self.begin("matmul-short-buffer")
        self.gives(self.api.process_detach(self.live))
        self.gives(self.api.finalize())
        self.freeze_workload("matmul-short-buffer")
        self.gives(self.api.finalize())
        self.start()
        core = self.attach_ready(CORE_PROCESS)
        self.assertEqual(self.waves(core), [16, 15, 14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
        self.assertEqual([self.take(core) for _ in range(16)], [4, 8, 12, 16, 15, 14, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13])

    def test_attach_again(self):
        """Numbers go on over attachments, also those of dispatches."""
        self.freeze_workload()
        dispatches = []
        for _ in range(3):
            core, wave = self.attach_core()
            dispatches.append(self.client.ask("wave", wave, "DISPATCH"))
            self.gives(self.api.process_detach(core))
        first = dispatches[0]
        self.assertEqual(dispatches, [first, first + 1, first + 2])
        # Waves that do not say whose they are have no dispatch, and use up no number.
        self.side.note[52] = 0
        self.side.note[HEAD + 116 : HEAD + 120] = bytes(4)
        for _ in range(2):
            core, wave = self.attach_core()
            self.gives(self.client.answer("wave", wave, "DISPATCH")[0], "ERROR_NOT_AVAILABLE")
            # Nothing has set up trap temporaries, and the wave says so.
            self.assertEqual(self.read(wave, "ttmp6") >> 30, 3)
            self.assertEqual(self.read(wave, "ttmp8"), 0)
            self.assertEqual(self.read(wave, "status") & 1 << 18, 0)
            self.gives(self.api.process_detach(core))
        self.side.note[52] = 1
        _, wave = self.attach_core()
        self.asked("wave", wave, "DISPATCH", first + 3)

    def start_step(self, wave, instruction, stepping):
        return self.api.displaced_stepping_start(wave, buffer(struct.pack("<5I", instruction, 0, 0, 0, 0)), stepping)

    def test_displaced_without_memory(self):
        self.freeze_workload()
        _, wave = self.attach_core()
        pc, stepping = self.pc(wave), number()
        self.gives(self.start_step(wave, NOP, stepping), "FATAL")
        self.gives(self.start_step(wave, ILLEGAL, stepping), "ERROR_ILLEGAL_INSTRUCTION")
        # One that depends on the pc needs no buffer.
        self.gives(self.start_step(wave, ENDPGM, stepping))
        self.assertEqual(self.pc(wave), pc)
        self.gives(self.start_step(wave, ENDPGM, number()), "ERROR_DISPLACED_STEPPING_ACTIVE")
        self.gives(self.client.wave_resume(wave), "ERROR_RESUME_DISPLACED_STEPPING")
        self.gives(self.api.displaced_stepping_complete(wave, stepping.value))
        self.assertEqual(self.pc(wave), pc)

    def place_debug_memory(self, area, offset, size):
        """Where the save area says that the debugger's memory is."""
        content, at = next((content, area - begin) for begin, content in self.side.chunks if 0 <= area - begin < len(content))
        content[at + AREA_DEBUG : at + AREA_DEBUG + 8] = struct.pack("<II", offset, size)

    def test_displaced_with_memory(self):
        self.freeze_workload()
        area, = struct.unpack_from("<Q", self.side.note, HEAD + AGENT + 32)
        self.place_debug_memory(area, 0x101, 0x7F)
        core = self.attach_ready(CORE_PROCESS)
        waves = [self.take(core) for _ in range(2)]
        pcs, stepping = [self.pc(wave) for wave in waves], [number(), number()]
        self.assertNotEqual(*pcs)
        # An instruction is right before the trap at the end of its 32 bytes.
        for wave, one, place in zip(waves, stepping, (0x120, 0x140)):
            self.gives(self.start_step(wave, NOP, one))
            self.assertEqual(self.pc(wave), area + place + 24)
        for wave, one in zip(waves, stepping):
            self.gives(self.api.displaced_stepping_complete(wave, one.value))
        self.assertEqual([self.pc(wave) for wave in waves], pcs)
        # What was freed last is taken first.
        for wave, one, place in zip(waves, stepping, (0x140, 0x120)):
            self.gives(self.start_step(wave, NOP, one))
            self.assertEqual(self.pc(wave), area + place + 24)
        self.gives(self.api.process_detach(core))
        # No room for one.
        self.place_debug_memory(area, 0x101, 0x3E)
        _, wave = self.attach_core()
        self.gives(self.start_step(wave, NOP, number()), "FATAL")

    def add_agent(self, target, gpu_id):
        """Put another agent before the one that is there."""
        agent = bytearray(self.side.note[HEAD : HEAD + AGENT])
        struct.pack_into("<I", agent, 56, gpu_id)
        struct.pack_into("<I", agent, 88, target)
        self.side.note[HEAD:HEAD] = agent
        self.side.note[24] += 1

    def test_other_agents(self):
        """An agent that cannot be debugged is listed, and the others serve."""
        self.freeze_workload()
        self.add_agent(120500, 701)
        self.add_agent(80003, 702)
        core = self.attach_ready(CORE_PROCESS)
        agents = self.client.list("agent", core)
        # The newest first.
        self.assertEqual([self.client.ask("agent", agent, "STATE") for agent in agents],
                         [self.api.AGENT_STATE_SUPPORTED, self.api.AGENT_STATE_NOT_SUPPORTED, self.api.AGENT_STATE_NOT_SUPPORTED])
        self.gives(self.client.answer("agent", agents[1], "ARCHITECTURE")[0])
        self.gives(self.client.answer("agent", agents[2], "ARCHITECTURE")[0], "ERROR_NOT_AVAILABLE")
        self.assertEqual(len(self.waves(core)), 4)
        self.asked("process", core, "WATCHPOINT_COUNT", 4)

    def test_busy(self):
        """A driver that somebody else debugs shows nothing but that."""
        self.freeze_workload()
        self.side.note[48] = 2
        core = self.attach(CORE_PROCESS)
        event, kind = self.next(core)
        self.assertEqual(kind, "RUNTIME")
        self.asked("event", event, "RUNTIME_STATE", self.api.RUNTIME_STATE_LOADED_ERROR_RESTRICTION)
        self.gives(self.api.event_processed(event))
        self.assertEqual(self.client.list("agent", core), [])
        self.expect_none(core)


if __name__ == "__main__":
    main(__doc__)
