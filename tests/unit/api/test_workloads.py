# SPDX-License-Identifier: MIT
"""Sessions of a debugger with real programs: run, fault, trap, breakpoint, step, end.

Usage: test_workloads.py LIBRARY WORKLOADS
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import number
from client.case import Case, main

BREAKPOINT = b"\x01\x00\x92\xbf"
LOCAL, PRIVATE_LANE, PRIVATE_WAVE = 3, 5, 6  # DWARF numbers of address spaces
VALUES = 32  # where the kernel private-sort has its array


class Workload(Case):
    def begin(self, workload):
        """Attached, and nothing has run."""
        self.use_workload(workload)
        self.start()
        self.process = self.attach_ready()

    def dispatches(self):
        return self.client.list("dispatch", self.process)

    def of_dispatch(self, query):
        dispatch, = self.dispatches()
        return self.client.ask("dispatch", dispatch, query)

    def hold_at_launch(self):
        """The dispatch is there, its waves stand at their first instruction: nothing runs before an event is asked for."""
        self.assertEqual(self.state(self.waves(self.process)[0]), "RUN")

    def pointer_argument(self, index):
        """The address in the kernel's argument, if all before it are 8 bytes wide."""
        arguments = self.of_dispatch("KERNEL_ARGUMENT_SEGMENT_ADDRESS")
        return int.from_bytes(self.memory(self.process, arguments + index * 8, 8), "little")

    def expect_end(self):
        self.expect_none(self.process)
        self.assertEqual((self.dispatches(), self.waves(self.process)), ([], []))

    def resume(self, wave, step=False):
        self.gives(self.client.wave_resume(wave, step))

    def break_at_entry(self):
        """Like a debugger with `break kernel`: all waves of the first workgroups stop at its first instruction. Return: they, and it."""
        entry = self.of_dispatch("KERNEL_CODE_ENTRY_ADDRESS")
        saved = self.memory(self.process, entry, 4)
        self.assertEqual(self.client.write_memory(self.process, entry, BREAKPOINT), (0, 4))
        waves = [self.take(self.process)]
        self.progress(self.process, False)
        event, kind = self.next(self.process)
        while event:
            self.assertEqual(kind, "WAVE_STOP")
            waves.append(self.client.ask("event", event, "WAVE"))
            self.gives(self.api.event_processed(event))
            event, kind = self.next(self.process)
        for wave in waves:
            self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_BREAKPOINT)
            self.assertEqual(self.pc(wave), entry + 4)
            self.write(wave, "pc", entry, 8)
        self.assertEqual(self.client.write_memory(self.process, entry, saved), (0, 4))
        return waves, entry

    def space(self, wave, dwarf):
        found = number()
        self.gives(self.api.dwarf_address_space_to_address_space(self.client.ask("wave", wave, "ARCHITECTURE"), dwarf, found))
        return found.value

    def check_sums(self, address):
        self.assertEqual(struct.unpack("<1024f", self.memory(self.process, address, 4096)), tuple(float(i + 2) for i in range(1024)))


class Run(Workload):
    def test_run_to_the_end(self):
        self.begin("vecadd")
        self.hold_at_launch()
        address = self.pointer_argument(2)
        self.expect_end()
        self.check_sums(address)

    def test_memory_violation(self):
        self.begin("oob-store")
        wave = self.take(self.process)
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_MEMORY_VIOLATION)
        # Work-items 189 to 191 are lanes 61 to 63 of the third wave.
        self.asked("wave", wave, "WAVE_NUMBER_IN_WORKGROUP", 2)
        pc = self.pc(wave)
        # It is still there, and does the same again.
        self.resume(wave)
        self.assertEqual(self.take(self.process), wave)
        self.assertEqual(self.pc(wave), pc)
        # Passed to the program, the exception ends all of the queue.
        self.gives(self.client.wave_resume(wave, exceptions=self.api.EXCEPTION_WAVE_MEMORY_VIOLATION))
        self.expect_end()

    def test_wave_creation(self):
        """Waves that were there before go on, and those that are created are held."""
        self.begin("two-kernels")
        self.hold_at_launch()
        self.creation(self.process, True)
        self.expect_none(self.process)
        self.assertEqual(self.waves(self.process), [])
        self.assertNotEqual(self.dispatches(), [])
        self.creation(self.process, False)
        self.assertNotEqual(self.waves(self.process), [])
        self.expect_end()

    def test_debug_trap(self):
        self.begin("debug-trap")
        self.hold_at_launch()
        address = self.pointer_argument(0)
        waves = [self.take(self.process) for _ in range(2)]
        for wave in waves:
            self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_DEBUG_TRAP)
            self.assertEqual(self.client.read_word(self.process, self.pc(wave) - 4), 0xBF920003)
        self.expect_none(self.process)
        self.assertNotEqual(self.dispatches(), [])
        for wave in waves:
            self.resume(wave)
        self.expect_end()
        self.assertEqual(struct.unpack("<256I", self.memory(self.process, address, 1024)), tuple((i + 1) * 5 for i in range(256)))

    def test_assert_trap(self):
        self.begin("assert-trap")
        wave = self.take(self.process)
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_ASSERT_TRAP)
        self.assertEqual(self.client.read_word(self.process, self.pc(wave)), 0xBF920002)

    def test_illegal_instruction(self):
        self.begin("illegal")
        wave = self.take(self.process)
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_ILLEGAL_INSTRUCTION)
        self.assertEqual(self.client.ask("wave", wave, "WORKGROUP_COORD")[0], 2)
        self.expect_none(self.process)
        self.assertEqual(len(self.waves(self.process)), 1)


class Break(Workload):
    def test_breakpoint(self):
        self.begin("vecadd")
        self.hold_at_launch()
        address = self.pointer_argument(2)
        waves, _ = self.break_at_entry()
        self.assertEqual(len(waves), 16)
        for wave in waves:
            self.resume(wave)
        self.progress(self.process, True)
        self.expect_end()
        self.check_sums(address)

    def test_single_step_to_the_end(self):
        """Each step goes over one instruction, as the disassembler counts them; the last ends the wave."""
        self.begin("vecadd")
        self.hold_at_launch()
        (wave, *_), pc = self.break_at_entry()
        self.progress(self.process, True)
        for steps in range(1000):
            self.resume(wave, True)
            event, kind = self.next(self.process)
            if kind == "WAVE_COMMAND_TERMINATED":
                break
            self.assertEqual(kind, "WAVE_STOP")
            self.gives(self.api.event_processed(event))
            self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_SINGLE_STEP)
            self.assertIn(self.pc(wave) - pc, (4, 8))
            pc = self.pc(wave)
        self.assertEqual(kind, "WAVE_COMMAND_TERMINATED")
        self.assertGreater(steps, 10)
        self.gives(self.api.event_processed(event))
        self.assertEqual(len(self.waves(self.process)), 15)

    def test_registers_at_entry(self):
        """The registers that a kernel begins with, seen through the API."""
        self.begin("vecadd")
        self.hold_at_launch()
        waves, _ = self.break_at_entry()
        status, content = self.client.read_register(waves[5], self.register("v0"), 256)
        self.gives(status)
        # The second wave of its workgroup: work-items 64 to 127.
        self.assertEqual([word & 0x3FF for word in struct.unpack("<64I", content)], [*range(64, 128)])
        self.assertEqual(self.read(waves[5], "ttmp8"), 1)
        self.assertEqual(self.read(waves[5], "exec", 8), 2**64 - 1)


class Memory(Workload):
    def word(self, wave, lane, space, address):
        status, content = self.client.read_memory(self.process, address, 4, space, wave, lane)
        self.gives(status)
        return content

    def test_local_memory_is_of_the_workgroup(self):
        self.begin("reduce")
        self.hold_at_launch()
        waves, _ = self.break_at_entry()
        self.assertEqual(len(waves), 16)
        local = self.space(waves[0], LOCAL)
        self.gives(self.client.write_memory(self.process, 512, b"abcd", local, waves[0], 0)[0])
        # Four waves make a workgroup.
        self.assertEqual(self.word(waves[3], 0, local, 512), b"abcd")
        self.assertNotEqual(self.word(waves[4], 0, local, 512), b"abcd")
        self.gives(self.client.read_memory(self.process, 4096, 4096, local, waves[0], 0)[0], "ERROR_MEMORY_ACCESS")

    def at_private_memory(self):
        self.begin("private-sort-O0")
        self.hold_at_launch()
        (wave, *_), _ = self.break_at_entry()
        self.progress(self.process, True)
        return wave

    def test_private_memory(self):
        """What the program stored to its stack is where the debugger looks: lane by lane, and as a whole."""
        wave = self.at_private_memory()
        for _ in range(600):
            self.resume(wave, True)
            self.take(self.process)
        lane_space, wave_space = self.space(wave, PRIVATE_LANE), self.space(wave, PRIVATE_WAVE)
        different = 0
        for address in range(0, 64, 4):
            words = [self.word(wave, lane, lane_space, address) for lane in range(64)]
            self.assertEqual(words, [self.word(wave, self.client.no_lane, wave_space, address * 64 + lane * 4) for lane in range(64)])
            different += sum(word != words[0] for word in words)
        # Lanes sort different numbers.
        self.assertGreater(different, 0)

    def test_watched_private_memory(self):
        """Private memory is watched by its global address, here a word of one lane that the wave changes."""
        wave = self.at_private_memory()
        space, address, contiguous, watchpoint = self.space(wave, PRIVATE_LANE), number(), number(), number()
        arguments = (wave, 40, space, VALUES, self.client.global_space, address, contiguous)
        self.gives(self.api.convert_address_space(self.process, *arguments))
        self.gives(self.api.convert_address_space(0, *arguments), "ERROR_INVALID_PROCESS_ID")
        self.gives(self.api.set_watchpoint(self.process, address.value, 4, self.api.WATCHPOINT_KIND_STORE_AND_RMW, watchpoint))
        self.resume(wave)
        self.assertEqual(self.take(self.process), wave)
        self.assertEqual(self.reason(wave), self.api.WAVE_STOP_REASON_WATCHPOINT)
        self.asked("wave", wave, "WATCHPOINTS", [watchpoint.value])
        word = self.word(wave, 40, space, VALUES)
        self.assertNotEqual(word, bytes(4))
        self.assertEqual(word, self.memory(self.process, address.value, 4))


class Processes(Workload):
    def test_code_object(self):
        """Where the code object was loaded fits what runs."""
        self.begin("vecadd")
        self.hold_at_launch()
        code_object, = self.client.list("code_object", self.process)
        self.assertIn(self.of_dispatch("KERNEL_CODE_ENTRY_ADDRESS") - self.client.ask("code_object", code_object, "LOAD_ADDRESS"),
                      range(0x10001))
        self.assertRegex(self.client.ask("code_object", code_object, "URI_NAME"), "^file:///.*/vecadd.co")

    def test_bad_workload(self):
        self.start()
        for name in ("bad-wrong-kernel", "does-not-exist"):
            self.use_workload(name)
            self.gives(self.api.process_attach(9, number()), "ERROR_RESTRICTION")
            level, message = self.side.log[-1]
            self.assertEqual(level, self.api.LOG_LEVEL_FATAL_ERROR)
            self.assertIn(f"{name}.json", message)

    def test_same_answers(self):
        """Two processes at the same time get the same answers, each from its own GPU."""
        self.use_workload("oob-load")
        self.start()
        answers = []
        for client_process in (1, 2):
            process = self.attach_ready(client_process)
            wave = self.take(process)
            answers.append((self.pc(wave), self.read(wave, "exec", 8), len(self.waves(process))))
        self.assertEqual(answers[0], answers[1])


if __name__ == "__main__":
    main(__doc__)
