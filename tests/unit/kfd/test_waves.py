# SPDX-License-Identifier: MIT
"""Waves of a process that runs: stopped, looked at, changed, stepped and let go, by what the driver finds in save areas.

Usage: test_waves.py WAVETAPE LIBRARY
"""

import time

from live import BREAKPOINT, CORE, NOP, LiveCase, PAGE, buffer, ctypes, kernel, kfd, main, number, on, wait_until

STOPS, PLAIN = kernel(BREAKPOINT), kernel(NOP)
AT_TRAP, BEHIND_TRAP, AT_STORE, AT_END = 16, 20, 24, 32
END = 0xBF810000
# s_trap 1; s_branch over the next; s_nop; s_branch to itself; end
BRANCHES = [BREAKPOINT, 0xBF820001, NOP, 0xBF82FFFF, END]
# s_branch to itself; end
FOREVER = [0xBF82FFFF, END]
# s_mov_b32 s4, 64; s_mov_b32 s5, 0; s_load_dwordx2 s[2:3], s[4:5]; s_waitcnt; end
FAULTS = [0xBE8400C0, 0xBE850080, 0xC0060082, 0, 0xBF8C0000, END]
# s_trap 1; s_trap 1; s_branch to itself
TWO_STOPS = [BREAKPOINT, BREAKPOINT, 0xBF82FFFF, END]
# v_mov_b32 v2, 42; v_mov_b32 v1, 0; s_mov_b32 m0, -1; ds_write_b32 v1, v2 offset:8; s_waitcnt; s_trap 1; ds_read_b32 v2, v1 offset:12;
# s_waitcnt; s_load_dwordx2 s[2:3], s[0:1]; s_waitcnt; global_store_dword v1, v2, s[2:3]; end
LOCAL = [0x7E0402FF, 42, 0x7E020280, 0xBEFC00C1, 0xD81A0008, 0x00000201, 0xBF8CC07F, BREAKPOINT, 0xD86C000C, 0x02000001, 0xBF8CC07F,
         0xC0060080, 0, 0xBF8CC07F, 0xDC708000, 0x00020201, END]
EXCEPTIONS = 0x80010000003F  # what a debugger subscribes to
BOTH = on("gfx90a", "gfx942")
EXCEPTION_MEMORY = 1 << kfd.EXCEPTION_WAVE_MEMORY - 1


class StoppedCase(LiveCase):
    def stopped(self, words=None, **how):
        """Attached to a program whose one wave has stopped. Return: it, and the entry of its kernel."""
        self.begin_attached()
        entry = self.queue.launch(words or STOPS, **how)
        return self.take_wave(), entry


class Stops(StoppedCase):
    @BOTH
    def test_wave_is_read_and_written(self):
        wave, entry = self.stopped()
        self.reasons(wave, "BREAKPOINT")
        self.assertEqual(self.state(wave), "STOP")
        self.assertEqual(self.pc(wave), entry + BEHIND_TRAP)
        self.assertEqual(self.one_wave(), wave)
        self.asked("wave", wave, "WORKGROUP_COORD", (0, 0, 0))
        self.asked("dispatch", self.client.ask("wave", wave, "DISPATCH"), "KERNEL_CODE_ENTRY_ADDRESS", entry)
        self.assertEqual(self.read(wave, "v1", offset=4 * 3), 12)
        self.assertEqual(self.read(wave, "v2"), 7)
        for lane in range(64):
            self.write(wave, "v2", 9 + lane, offset=4 * lane)
        self.write(wave, "exec", 0, offset=4)
        # The pc is in a trap temporary, too, where the handler parks waves.
        self.write(wave, "pc", entry & 0xFFFFFFFF)
        name = self.client.ask("architecture", self.client.ask("wave", wave, "ARCHITECTURE"), "NAME")
        self.assertEqual(self.read(wave, "ttmp7"), entry & 0xFFFFFFFF if "gfx90a" in name else 0)
        self.write(wave, "pc", entry + BEHIND_TRAP & 0xFFFFFFFF)
        self.resume_by(wave, 1)
        self.assertEqual([self.queue.result(lane) for lane in (0, 31, 32)], [9, 40, 0])
        self.counts(wave=0)
        self.gives(self.api.wave_stop(wave), "ERROR_INVALID_WAVE_ID")
        self.detach_and_end(1)

    @BOTH
    def test_wave_is_stepped_to_its_end(self):
        wave, entry = self.stopped()
        for at in (AT_STORE, AT_END):
            self.resume(wave, step=True)
            self.take_stop(wave, "SINGLE_STEP")
            self.assertEqual(self.pc(wave), entry + at)
        self.assertEqual(self.queue.result(5), 7)
        self.resume(wave, step=True)
        self.assertEqual(self.take_wave("WAVE_COMMAND_TERMINATED"), wave)
        self.gives(self.api.wave_stop(wave), "ERROR_INVALID_WAVE_ID")
        self.assertTrue(self.queue.wait(1))
        self.counts(dispatch=0)
        self.detach_and_end(1)

    @BOTH
    def test_branches_are_stepped(self):
        """Hardware would not say of a branch to itself that it was executed."""
        wave, entry = self.stopped(BRANCHES)
        for _ in range(3):
            self.resume(wave, step=True)
            self.assertEqual(self.state(wave), "SINGLE_STEP")
            self.take_stop(wave, "SINGLE_STEP")
            self.assertEqual(self.pc(wave), entry + 12)
        self.write(wave, "pc", entry + 16 & 0xFFFFFFFF)
        self.resume(wave)
        self.detach_and_end(1)

    # ---- What is asked of a wave that runs ----

    @BOTH
    def test_wave_that_runs_is_stopped(self):
        self.begin_attached()
        entry = self.queue.launch(FOREVER)
        wave = self.one_wave()
        self.assertEqual(self.state(wave), "RUN")
        self.gives(self.api.wave_stop(wave))
        self.gives(self.api.wave_stop(wave), "ERROR_WAVE_OUTSTANDING_STOP")
        self.take_stop(wave, "NONE")
        self.assertEqual(self.pc(wave), entry)
        self.resume(wave)
        self.stop(wave)
        self.write(wave, "pc", entry + 4 & 0xFFFFFFFF)
        self.detach_and_end(1)

    def test_wave_that_has_ended_is_none(self):
        """It may have ended since it was listed: then there is none, and no event of it."""
        self.begin_attached()
        for ask, count in ((self.client.wave_resume, 1), (self.api.wave_stop, 2)):
            self.queue.launch(STOPS)
            wave = self.take_wave()
            self.resume_by(wave, count)
            self.gives(ask(wave), "ERROR_INVALID_WAVE_ID")
            self.expect_no_event()
        self.detach_and_end(2)

    def test_detaching_lets_waves_go(self):
        """A wave that only the debugger has stopped goes on without it; it is another one for the next."""
        wave, _ = self.stopped()
        self.write(wave, "v2", 77)
        self.detach()
        self.assertTrue(self.queue.wait(1))
        self.assertEqual(self.queue.result(0), 77)
        self.attach_live()
        self.queue.launch(STOPS)
        self.take_stop(wave + 1)
        self.end(2)

    def test_stop_is_older_than_the_debugger(self):
        """What has stopped before the debugger came is reported after the runtime."""
        self.begin()
        self.queue.told()
        debugger = self.debugger()
        self.assertEqual(debugger.attach(EXCEPTIONS), 0)
        self.queue.launch(FAULTS)
        self.assertTrue(debugger.notified())
        debugger.detach()
        self.attach_live()
        wave = self.take_wave()
        self.reasons(wave, "MEMORY_VIOLATION")
        self.resume(wave, exceptions=self.api.EXCEPTION_WAVE_MEMORY_VIOLATION)
        self.detach_and_end()

    def test_fault_is_passed_on(self):
        self.begin()
        told = self.queue.told()
        self.attach_live()
        self.gives(self.precise_memory())
        entry = self.queue.launch(FAULTS)
        wave = self.take_wave()
        self.reasons(wave, "MEMORY_VIOLATION")
        # Right behind the load, which has two words.
        self.assertEqual(self.pc(wave), entry + 16)
        self.assertEqual(told.value, 0)
        self.resume(wave, exceptions=self.api.EXCEPTION_WAVE_MEMORY_VIOLATION)
        self.assertEqual(told.value, EXCEPTION_MEMORY)
        # It stays where it is: the runtime ends the program.
        self.stop(wave)
        self.assertEqual(self.pc(wave), entry + 16)
        self.detach_and_end()


class Progress(StoppedCase):
    """Progress and launches."""

    def test_progress_is_held(self):
        """While nothing has to go on, one suspension is enough for whatever is asked."""
        wave, _ = self.stopped()
        suspended = self.faults.suspended
        self.set_progress(False)
        for i in range(8):
            self.assertEqual(self.one_wave(), wave)
            self.read(wave, "v2", offset=4 * i)
            self.write(wave, "v2", i, offset=4 * i)
            self.resume(wave)
            self.stop(wave)
        self.assertEqual(self.faults.suspended, suspended + 1)
        self.resume(wave)
        time.sleep(0.02)
        self.assertEqual(self.queue.result(7), 0)
        # A queue that is made meanwhile is there, and stands, too.
        second = self.program.queue(126 * PAGE)
        self.counts(queue=2)
        second.launch(PLAIN)
        time.sleep(0.02)
        self.assertEqual(second.result(7), 0)
        self.set_progress(True)
        self.assertTrue(second.wait(1))
        self.assertTrue(self.queue.wait(1))
        self.assertEqual([self.queue.result(lane) for lane in (6, 8)], [6, 7])
        self.detach_and_end(1)

    def launch_held(self, words):
        """Launched, and held at that."""
        self.hold_creation(True)
        entry = self.queue.launch(words)
        self.assertTrue(wait_until(lambda: self.handles("dispatch")))
        return entry

    @BOTH
    def test_new_waves_are_held_at_their_launch(self):
        self.begin_attached()
        entry = self.launch_held(FOREVER)
        self.counts(wave=0)
        self.hold_creation(False)
        wave = self.one_wave()
        self.stop(wave)
        self.write(wave, "pc", entry + 4 & 0xFFFFFFFF)
        self.resume_by(wave, 1)
        # Those that nobody has let go do so when the debugger has gone.
        self.launch_held(PLAIN)
        self.detach_and_end(2)
        self.assertEqual(self.queue.result(3), 7)

    @BOTH
    def test_waves_that_run_already_are_not_held(self):
        """A wave that nobody has seen yet may have run before: it is not one that waits at its launch, and its stop is one like others."""
        self.begin_attached()
        self.drain(self.process)
        self.queue.launch(STOPS)
        self.wait_for_notice()
        self.hold_creation(True)
        self.counts(wave=1)
        wave = self.take_wave()
        self.reasons(wave, "BREAKPOINT")
        self.resume_by(wave, 1)
        self.detach_and_end(1)

    @BOTH
    def test_waves_that_were_held_unseen_go_on(self):
        """Nobody has looked between the launch and the end of holding."""
        self.begin_attached()
        self.hold_creation(True)
        self.queue.launch(PLAIN)
        time.sleep(0.05)
        self.assertEqual(self.queue.result(3), 0)
        self.hold_creation(False)
        self.assertTrue(self.queue.wait(1))
        self.assertEqual(self.queue.result(3), 7)
        self.detach_and_end(1)

    @BOTH
    def test_frozen_process_is_its_core(self):
        """What is frozen is read as a core: the same waves, with what the debugger has changed of them."""
        wave, _ = self.stopped()
        pc = self.pc(wave)
        self.write(wave, "v2", 4711, offset=12)
        self.gives(self.api.process_freeze(self.process), "ERROR_INCOMPATIBLE_PROCESS_STATE")
        self.set_progress(False)
        self.hold_creation(True)
        self.gives(self.api.process_freeze(self.process))
        self.side.state = self.client.ask("process", self.process, "CORE_STATE")
        core = self.attach(CORE)
        same, = self.waves(core)
        self.assertEqual([self.read(same, *what) for what in (("v2", 4, 12), ("v1", 4, 12), ("pc", 4))], [4711, 12, pc & 0xFFFFFFFF])
        self.gives(self.api.process_detach(core))
        self.gives(self.api.process_unfreeze(self.process))
        self.resume(wave)
        self.detach_and_end(1)
        self.assertEqual(self.queue.result(3), 4711)


class Precision(LiveCase):
    """Precise memory and arithmetic."""

    def begin_noting(self):
        """Return: a list of what flags the driver was told."""
        self.begin_attached()
        told = []

        def note(args):
            if args.operation == kfd.DEBUG_SET_FLAGS:
                told.append(args.set_flags.flags)

        self.faults.before = note
        return told

    def precise_arithmetic(self, value):
        return self.api.set_alu_exceptions_precision(self.process, value)

    @on("gfx1201")
    def test_arithmetic_can_be_precise(self):
        """The driver hears of each change, and once of the end; a setting that stays is not told."""
        told = self.begin_noting()
        precise, none = self.api.ALU_EXCEPTIONS_PRECISION_PRECISE, self.api.ALU_EXCEPTIONS_PRECISION_NONE
        self.gives(self.precise_memory(), "ERROR_NOT_SUPPORTED")
        self.assertEqual(told, [])
        for value, expected in ((precise, [kfd.FLAG_PRECISE_ALU]), (precise, [kfd.FLAG_PRECISE_ALU]), (none, [kfd.FLAG_PRECISE_ALU, 0]),
                                (precise, [kfd.FLAG_PRECISE_ALU, 0, kfd.FLAG_PRECISE_ALU])):
            self.gives(self.precise_arithmetic(value))
            self.assertEqual(told, expected)
        self.detach()
        self.assertEqual(told, [kfd.FLAG_PRECISE_ALU, 0, kfd.FLAG_PRECISE_ALU, 0])
        self.end()

    def test_memory_alone_can_be_precise(self):
        told = self.begin_noting()
        self.gives(self.precise_memory())
        self.gives(self.precise_arithmetic(self.api.ALU_EXCEPTIONS_PRECISION_PRECISE), "ERROR_NOT_SUPPORTED")
        self.gives(self.precise_arithmetic(2), "ERROR_INVALID_ARGUMENT")
        self.assertEqual(told, [kfd.FLAG_PRECISE_MEMORY])
        self.detach()
        self.assertEqual(told, [kfd.FLAG_PRECISE_MEMORY, 0])
        self.end()


class Debugging(StoppedCase):
    """Watchpoints, displaced steps, local memory."""

    @BOTH
    def test_watchpoint_is_hit(self):
        self.begin()
        address = self.queue.room.address + self.queue.RESULTS
        self.attach_live()
        self.gives(self.precise_memory())
        watchpoints = []
        for at in (0x10000, 0x20000, address, 0x40000):
            watchpoints.append(number())
            self.gives(self.api.set_watchpoint(self.process, at, 4, self.api.WATCHPOINT_KIND_STORE_AND_RMW, watchpoints[-1]))
        self.gives(self.api.set_watchpoint(self.process, 0x90000, 4, self.api.WATCHPOINT_KIND_ALL, number()), "ERROR_NO_WATCHPOINT_AVAILABLE")
        self.queue.launch(PLAIN)
        wave = self.take_wave()
        self.reasons(wave, "WATCHPOINT")
        self.asked("wave", wave, "WATCHPOINTS", [watchpoints[2].value])
        self.resume_by(wave, 1)
        for watchpoint in watchpoints:
            self.gives(self.api.remove_watchpoint(watchpoint.value))
        self.queue.launch(PLAIN)
        self.assertTrue(self.queue.wait(2))
        self.detach_and_end(2)

    def start_elsewhere(self, wave, *words):
        """Return: the status, and the stepping."""
        stepping = number()
        return self.api.displaced_stepping_start(wave, buffer(b"".join(word.to_bytes(4, "little") for word in words)), stepping), stepping.value

    def step_elsewhere(self, wave, word):
        status, stepping = self.start_elsewhere(wave, word)
        self.gives(status)
        pc = self.pc(wave)
        self.resume(wave, step=True)
        self.take_stop(wave)
        self.gives(self.api.displaced_stepping_complete(wave, stepping))
        return pc

    @BOTH
    def test_instruction_is_stepped_elsewhere(self):
        """The instruction that a breakpoint covers is executed elsewhere, or by the library if it is a branch."""
        move, literal, branch = 0x7E0402FF, 1234, 0xBF820002
        # s_trap 1; v_mov_b32 v2, 1234 under a breakpoint; and a branch under one.
        wave, entry = self.stopped([BREAKPOINT, BREAKPOINT, literal, BREAKPOINT, NOP, NOP, END])
        self.assertNotEqual(self.step_elsewhere(wave, move), entry + 4)
        self.reasons(wave, "SINGLE_STEP")
        self.assertEqual(self.pc(wave), entry + 12)
        self.assertEqual(self.read(wave, "v2", offset=8), literal)
        self.step_elsewhere(wave, branch)
        self.assertEqual(self.pc(wave), entry + 24)
        self.detach_and_end(1)

    def test_what_hardware_alone_executes_is_stepped_elsewhere(self):
        """One that our tables do not have, but LLVM's: an image instruction."""
        image = (0xF0000F00, 0x00000001)
        wave, entry = self.stopped([BREAKPOINT, BREAKPOINT, image[1], END])
        architecture = self.client.ask("wave", wave, "ARCHITECTURE")
        known = self.api.disassemble_instruction(architecture, entry, number(8), buffer((ctypes.c_uint32 * 2)(*image)), None, None, None)
        self.gives(self.start_elsewhere(wave, 0xFFFFFFFF, 0xFFFFFFFF)[0], "ERROR_ILLEGAL_INSTRUCTION")
        # Without LLVM, or with one that is too old, nobody knows it.
        if self.api.status_name(known) == "SUCCESS":
            status, stepping = self.start_elsewhere(wave, *image)
            self.gives(status)
            self.assertEqual((ctypes.c_uint32 * 2).from_address(self.pc(wave))[:], list(image))
            self.gives(self.api.displaced_stepping_complete(wave, stepping))
        self.assertEqual(self.pc(wave), entry + 4)
        self.write(wave, "pc", entry + 12 & 0xFFFFFFFF)
        self.detach_and_end(1)

    @BOTH
    def test_local_memory_is_read_and_written(self):
        wave, _ = self.stopped(LOCAL, local=64)
        space = number()
        self.gives(self.api.dwarf_address_space_to_address_space(self.client.ask("wave", wave, "ARCHITECTURE"), 3, space))
        at = {"space": space.value, "wave": wave}
        self.assertEqual(self.client.read_memory(self.process, 8, 4, **at), (0, (42).to_bytes(4, "little")))
        self.assertEqual(self.client.write_memory(self.process, 12, (4711).to_bytes(4, "little"), **at), (0, 4))
        # It has so much, in hardware's granules.
        self.gives(self.client.read_memory(self.process, 512, 4, **at)[0], "ERROR_MEMORY_ACCESS")
        self.resume_by(wave, 1)
        self.assertEqual(self.queue.result(0), 4711)
        self.detach_and_end(1)


class Queues(StoppedCase):
    """More than one queue, and queues that go with waves in them."""

    @BOTH
    def test_many_waves_of_two_queues_are_told_apart(self):
        groups = 4  # so many the device has of a queue at once
        self.begin()
        second = self.make_queue()
        self.attach_live()
        for queue in (self.queue, second):
            queue.launch(STOPS, groups=groups)
        waves, seen = [self.take_wave() for _ in range(2 * groups)], set()
        for wave in waves:
            group = self.client.ask("wave", wave, "WORKGROUP_COORD")[0]
            seen.add((self.client.ask("wave", wave, "QUEUE"), group))
            self.write(wave, "v2", 100 + group)
        queues = sorted({queue for queue, _ in seen})
        self.assertEqual(len(queues), 2)
        self.assertEqual(sorted(seen), [(queue, group) for queue in queues for group in range(groups)])
        self.counts(wave=2 * groups, workgroup=2 * groups, dispatch=2)
        for wave in waves[::2]:
            self.resume(wave)
        self.assertTrue(wait_until(lambda: len(self.handles("wave")) == groups))
        for wave in waves[1::2]:
            self.resume(wave)
        self.assertTrue(second.wait(1))
        self.assertTrue(self.queue.wait(1))
        self.counts(dispatch=0, workgroup=0, queue=2)
        self.assertEqual(self.program.destroy_queue(second.id), 0)
        self.counts(queue=1)
        self.detach_and_end(1)

    def find_stop_of_the_second(self, step):
        """Let the second of two waves come to its next stop, which is found when the first one goes on, and told to nobody."""
        self.begin_attached()
        self.queue.launch(TWO_STOPS, groups=2)
        first, second = self.take_wave(), self.take_wave()
        self.drain(self.process)
        self.resume(second, step=step)
        self.wait_for_notice()
        self.resume(first)
        self.assertEqual(self.program.destroy_queue(self.queue.id), 0)
        self.counts(wave=0)
        return second

    @BOTH
    def test_no_stop_is_told_of_a_wave_that_is_gone(self):
        """A debugger asks of each stop why the wave stands, and ends if there is no such wave."""
        self.find_stop_of_the_second(False)
        self.expect_no_event()
        self.detach_and_end()

    @BOTH
    def test_step_that_was_told_to_nobody_is_cut_short(self):
        second = self.find_stop_of_the_second(True)
        self.assertEqual(self.take_wave("WAVE_COMMAND_TERMINATED"), second)
        self.expect_no_event()
        self.detach_and_end()

    @BOTH
    def test_wave_stays_while_its_event_is_looked_at(self):
        """Asking for the next event takes nothing away from a client that is in the middle of one."""
        def destroy(args):
            """The queue goes right after the driver has said that something has happened in it."""
            if args.operation == kfd.DEBUG_QUERY_EVENT and args.query_event.exceptions & 1 << kfd.EXCEPTION_WAVE_TRAP - 1:
                self.faults.after = None
                self.assertEqual(self.program.destroy_queue(args.query_event.queue_id), 0)

        self.begin_attached()
        self.queue.launch(TWO_STOPS, groups=2)
        other = self.take_wave()
        event = self.next_of("WAVE_STOP")
        wave = self.client.ask("event", event, "WAVE")
        self.drain(self.process)
        self.resume(other)
        self.wait_for_notice()
        self.faults.after = destroy
        self.expect_no_event()
        self.assertIsNone(self.faults.after)
        self.reasons(wave, "BREAKPOINT")
        self.assertEqual(self.state(wave), "STOP")
        self.process_event(event)
        self.counts(wave=0, queue=0)
        self.gives(self.client.answer("wave", wave, "STATE")[0], "ERROR_INVALID_WAVE_ID")
        self.detach_and_end()

    @BOTH
    def test_what_concerns_one_queue_leaves_others_alone(self):
        together = [0]

        def note(args):
            if args.operation == kfd.DEBUG_SUSPEND_QUEUES:
                together.append(args.suspend.count)

        self.begin()
        second = self.make_queue()
        self.attach_live()
        for queue in (self.queue, second):
            queue.launch(STOPS)
        waves = [self.take_wave() for _ in range(2)]
        together[:] = [0]
        self.faults.before = note
        self.read(waves[0], "s2")
        for wave in waves:
            self.resume(wave, step=True)
            self.take_stop(wave)
        self.assertEqual(max(together), 1)
        # What is asked of all suspends all.
        self.counts(wave=2)
        self.assertEqual(max(together), 2)
        for wave in waves:
            self.resume(wave)
        self.assertTrue(second.wait(1))
        self.detach_and_end(1)


if __name__ == "__main__":
    main(__doc__)
