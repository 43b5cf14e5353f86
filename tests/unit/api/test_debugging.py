# SPDX-License-Identifier: MIT
"""Watchpoints and displaced stepping over a device that says what it was told.

Usage: test_debugging.py LIBRARY-OVER-THE-FAKE-DEVICE
"""

from fake import EVENT, PC, WATCHPOINTS, FakeCase, buffer, main, number

S_NOP, S_ENDPGM = 0xBF800000, 0xBF810000
BUFFER = 0x7F0000300000


class TwoStopped(FakeCase):
    def setUp(self):
        super().setUp()
        self.two = self.begin(2)
        for wave in self.two:
            self.stop(wave)

    def watch(self, address, size, kind="ALL"):
        """Return: the status, and the handle, 99 if there is none."""
        watchpoint = number(99)
        status = self.api.set_watchpoint(self.process, address, size, self.api.at.constants[f"WATCHPOINT_KIND_{kind}"], watchpoint)
        return status, watchpoint.value

    def step_out_of_place(self, wave, saved):
        stepping = number(99)
        status = self.api.displaced_stepping_start(wave, buffer(saved.to_bytes(4, "little")), stepping)
        return status, stepping.value


class Watchpoints(TwoStopped):
    def check_range(self, address, size, first, count):
        status, watchpoint = self.watch(address, size, "LOAD")
        self.gives(status)
        self.assertEqual(self.fake.watchpoint(0), (first, count, self.api.WATCHPOINT_KIND_LOAD))
        self.gives(self.api.remove_watchpoint(watchpoint))
        self.assertEqual(self.fake.watchpoint(0)[1], 0)

    def test_ranges(self):
        """What is programmed for a range: gfx942 can leave bits 7 to 30 of an address out of the comparison."""
        self.check_range(0x1000, 1, 0x1000, 0x80)
        self.check_range(0x107F, 1, 0x1000, 0x80)
        self.check_range(0x107F, 2, 0x1000, 0x100)
        self.check_range(0x10FC, 8, 0x1000, 0x200)
        self.check_range(0x12340000, 0x1000, 0x12340000, 0x1000)
        # More than can be left out: what can be, from the first byte on.
        self.check_range(0x7FFFFFFF0, 0x20, 0x7FFFFFF80, 0x80)
        self.check_range(0x780000000, 1 << 40, 0x780000000, 0x80000000)

    def test_registers_are_used_again(self):
        self.assertEqual([self.watch(0x1000 * i, 4) for i in range(WATCHPOINTS)], [(0, i + 1) for i in range(WATCHPOINTS)])
        self.gives(self.watch(0, 4)[0], "ERROR_NO_WATCHPOINT_AVAILABLE")
        self.gives(self.api.remove_watchpoint(3))
        # The attempt that failed has used up a handle.
        self.assertEqual(self.watch(0x9000, 4), (0, 6))
        self.assertEqual(self.fake.watchpoint(2)[0], 0x9000)


class Stepping(TwoStopped):
    def test_no_buffer_left(self):
        status, stepping = self.step_out_of_place(self.two[0], S_NOP)
        self.gives(status, "ERROR_DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE")
        self.assertEqual((stepping, self.pc(self.two[0])), (99, PC))

    def test_buffer_is_shared_and_freed(self):
        first, second = self.two
        complete = self.api.displaced_stepping_complete
        self.fake.buffer_at(BUFFER)
        status, stepping = self.step_out_of_place(first, S_NOP)
        self.gives(status)
        self.assertEqual(self.fake.get("buffer_size"), 4)
        self.assertEqual(self.pc(first), BUFFER)
        self.assertEqual(self.step_out_of_place(second, S_NOP), (0, stepping))
        self.gives(complete(first, stepping))
        self.assertEqual(self.pc(first), PC)
        self.assertEqual(self.fake.get("buffer_freed"), 0)
        self.gives(complete(second, stepping))
        self.assertEqual(self.fake.get("buffer_freed"), BUFFER)
        self.gives(complete(second, stepping), "ERROR_INVALID_DISPLACED_STEPPING_ID")

    def test_in_place(self):
        """What depends on the pc stays where it is."""
        status, stepping = self.step_out_of_place(self.two[0], S_ENDPGM)
        self.gives(status)
        self.assertEqual(self.fake.get("override"), S_ENDPGM)
        self.assertEqual(self.pc(self.two[0]), PC)
        self.gives(self.api.displaced_stepping_complete(self.two[0], stepping))
        self.assertEqual(self.fake.get("override"), 0)

    def test_wave_ends(self):
        """A wave that ends leaves its operation."""
        self.fake.buffer_at(BUFFER)
        status, stepping = self.step_out_of_place(self.two[0], S_NOP)
        self.gives(status)
        self.gives(self.client.wave_resume(self.two[0], True))
        self.fake.next_run(lambda: self.fake.end(0, EVENT))
        self.assertEqual(self.take(self.process, "WAVE_COMMAND_TERMINATED"), self.two[0])
        self.assertEqual(self.fake.get("buffer_freed"), BUFFER)
        self.gives(self.client.answer("displaced_stepping", stepping, "PROCESS")[0], "ERROR_INVALID_DISPLACED_STEPPING_ID")


class Ends(TwoStopped):
    """When the program has ended there are no agents that could watch, or be precise."""

    def precise(self, yes):
        return self.api.set_memory_precision(self.process, self.api.MEMORY_PRECISION_PRECISE if yes else self.api.MEMORY_PRECISION_NONE)

    def run_to_the_end(self):
        for wave in self.two:
            self.gives(self.client.wave_resume(wave))
        self.fake.next_run(self.fake.end_program)
        self.expect_none(self.process)

    def test_program_ends(self):
        """The process is asked before the arguments are looked at."""
        self.gives(self.precise(False))
        self.run_to_the_end()
        status, watchpoint = self.watch(0x1000, 4)
        self.gives(status, "ERROR_NOT_SUPPORTED")
        self.assertEqual(watchpoint, 99)
        self.gives(self.api.set_watchpoint(self.process, 0x1000, 0, self.api.WATCHPOINT_KIND_ALL, None), "ERROR_NOT_SUPPORTED")
        self.gives(self.precise(True), "ERROR_NOT_SUPPORTED")
        self.gives(self.precise(False))

    def test_precise_to_the_end(self):
        """As AMD's library, which compares before it asks what the agents can."""
        self.gives(self.precise(True))
        self.run_to_the_end()
        self.gives(self.precise(True))
        self.gives(self.precise(False), "ERROR_NOT_SUPPORTED")


if __name__ == "__main__":
    main(__doc__)
