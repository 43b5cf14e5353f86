# SPDX-License-Identifier: MIT
"""GPUs that nothing here executes: the driver says that its device is another one, and what a suspended queue has in its save area is
prepared here, in that family's layout (saved-waves.c). What the library writes back is found there, and prepared anew.

Usage: test_families.py WAVETAPE LIBRARY SAVED-WAVES
"""

import sys

from live import Headers, LiveCase, PAGE, ctypes, kfd, main, number

PC = 0x7F1122334400
AREA_BYTES = 60 * PAGE
ENGINES = 8  # of the driver's device
structure = Headers("wt_queue_structure_", "device/queue-structure.h")
FAMILIES = (("gfx906", 90006, 64), ("gfx908", 90008, 64), ("gfx1010", 100100, 32), ("gfx1010", 100100, 64), ("gfx1030", 100300, 32),
            ("gfx1030", 100300, 64), ("gfx1100", 110000, 32), ("gfx1100", 110000, 64), ("gfx1201", 120001, 32), ("gfx1201", 120001, 64))
LATER = (("gfx1250", 120500, "12.5.0"),)


class Family(LiveCase):
    waves = None

    def prepare(self, target, architecture="", lanes=0, xccs=1, flat_scratch=0):
        """The device that the driver is to have, with one wave, unless it is of no architecture."""
        self.begin()
        self.target, self.xccs, self.engines = target, xccs, 0
        self.suspended = self.hits = False
        self.has_wave = bool(architecture)
        if architecture:
            self.waves.family_prepare(architecture.encode(), lanes, ctypes.c_uint64(PC), ctypes.c_uint64(flat_scratch))
        self.faults.before, self.faults.after = self.before, self.after

    def before(self, args):
        if self.suspended and args.operation in (kfd.DEBUG_RESUME_QUEUES, kfd.DEBUG_DISABLE):
            self.suspended = False
            self.assertTrue(self.waves.family_load(ctypes.c_void_p(self.queue.save.address), self.hits))

    def after(self, args):
        if args.operation == kfd.DEBUG_DEVICE_SNAPSHOT:
            device = kfd.device_entry.from_address(args.snapshot.buffer)
            device.target_version, device.xcc_count = self.target, self.xccs
            self.engines = device.array_count // device.arrays_per_engine
        if args.operation == kfd.DEBUG_QUEUE_SNAPSHOT and args.snapshot.count:
            kfd.queue_entry.from_address(args.snapshot.buffer).save_size = AREA_BYTES
        if self.has_wave and args.operation == kfd.DEBUG_SUSPEND_QUEUES and args.suspend.count and not self.suspended:
            self.suspended = True
            self.assertTrue(self.waves.family_save(ctypes.c_void_p(self.queue.save.address), ctypes.c_uint64(AREA_BYTES), self.xccs))

    def of_wave(self, what, index=0):
        return self.waves.family_get(what.encode(), index)

    # ---- What is tried of each family ----

    def check_registers(self, wave, lanes):
        self.reasons(wave, "BREAKPOINT")
        self.assertEqual(self.pc(wave), PC)
        expected = [("exec", lanes // 8, 0, self.of_wave("exec")), ("vcc", lanes // 8, 0, 0x1234), ("s9", 4, 0, 109), ("v0", 4, 0, 1000),
                    ("v7", 4, (lanes - 1) * 4, 1000 + 8 * lanes - 1)]
        if self.of_wave("agpr_count"):
            expected.append(("a7", 4, 4, 5000 + 7 * 64 + 1))
        for name, size, offset, value in expected:
            self.assertEqual(self.read(wave, name, size, offset), value, name)

    def check_stop(self, wave, reason):
        self.counts(wave=1)
        self.take_stop(wave, reason)

    def check_control(self, wave, lanes):
        """Changed, stepped, let go: what it has in the end is what the library has written."""
        self.write(wave, "v3", 77, offset=8)
        self.write(wave, "s2", 78)
        self.write(wave, "pc", PC + 64, 8)
        self.resume(wave, step=True)
        self.check_stop(wave, "SINGLE_STEP")
        self.assertEqual(self.pc(wave), PC + 68)
        self.assertEqual((self.of_wave("vgpr", 3 * lanes + 2), self.of_wave("sgpr", 2)), (77, 78))
        self.resume(wave)
        self.assertEqual([self.of_wave(what) for what in ("pc", "trapped", "halted")], [PC + 68, 0, 0])
        self.gives(self.api.wave_stop(wave))
        self.take_stop(wave, "NONE")
        self.assertTrue(self.of_wave("halted"))

    def check_watchpoints(self, wave):
        """The second watchpoint of two is enabled in the wave, which hits it; with the last one it is disabled."""
        watchpoints = [number(), number()]
        for i, watchpoint in enumerate(watchpoints):
            self.gives(self.api.set_watchpoint(self.process, PC + 128 * i, 4, self.api.WATCHPOINT_KIND_ALL, watchpoint))
        self.hits = True
        self.resume(wave)
        self.assertTrue(self.of_wave("watching"))
        self.check_stop(wave, "WATCHPOINT")
        self.asked("wave", wave, "WATCHPOINTS", [watchpoints[1].value])
        self.hits = False
        for watchpoint in watchpoints:
            self.gives(self.api.remove_watchpoint(watchpoint.value))
        self.resume(wave)
        self.assertEqual([self.of_wave(what) for what in ("watching", "told")], [0, 0])
        self.stop(wave)

    def check_branch(self, wave):
        """A branch is executed by the library, with the wave's scc: it is taken, over one word."""
        code, state = self.program.memory(PAGE), self.of_wave("state")
        code.put(0, self.of_wave("scc_branch"))
        self.write(wave, "pc", code.address, 8)
        self.resume(wave, step=True)
        self.check_stop(wave, "SINGLE_STEP")
        self.assertEqual(self.pc(wave), code.address + 8)
        self.assertEqual(self.of_wave("state"), state)

    def check_family(self, architecture, target, lanes):
        """Neither is every wave parked, nor does every one tell that it has made a step."""
        self.prepare(target, architecture, lanes)
        self.attach_live()
        wave = self.take_wave()
        self.check_registers(wave, lanes)
        self.check_control(wave, lanes)
        self.check_watchpoints(wave)
        self.check_branch(wave)
        self.detach()
        # It goes on where it stood.
        self.assertFalse(self.of_wave("halted"))
        self.end()

    def test_private_memory_of_a_part_is_found(self):
        """From version 11 of r_debug on, a queue does not say how much private memory each part of the device has."""
        wave_bytes, pattern = 1024, 4711
        address = self.program.next_address + (1 << 30)
        self.prepare(90402, "gfx942", 64, xccs=2, flat_scratch=address + ENGINES * wave_bytes)
        self.debug.put(0, 11)
        self.program.next_address = address
        scratch = self.program.memory(16 * PAGE)
        self.assertEqual(scratch.address, address)
        self.queue.structure.put(structure.SCRATCH_BASE, scratch.address, 8)
        self.queue.structure.put(structure.SCRATCH_SIZE, 0x8901234567, 8)
        self.queue.structure.put(structure.TMPRING_SIZE, ENGINES | 1 << 12)
        scratch.put(ENGINES * wave_bytes, pattern)
        self.attach_live()
        self.assertEqual(self.engines, ENGINES)
        wave, space = self.take_wave(), number()
        self.gives(self.api.dwarf_address_space_to_address_space(self.client.ask("wave", wave, "ARCHITECTURE"), 5, space))
        self.assertEqual(self.client.read_memory(self.process, 0, 4, space.value, wave, 0), (0, pattern.to_bytes(4, "little")))
        self.detach_and_end()

    def check_refused(self, target, version):
        """Agents whose waves cannot be read are listed, and the log says why; the process is there all the same."""
        self.prepare(target)
        self.attach_live()
        self.assertIn("it is not known how its waves are saved", self.side.last_log)
        self.assertIn(version, self.side.last_log)
        agent, = self.handles("agent")
        self.asked("agent", agent, "STATE", self.api.AGENT_STATE_NOT_SUPPORTED)
        self.counts(queue=0, wave=0)
        self.detach_and_end()


def add_tests():
    """One of each family."""
    for architecture, target, lanes in FAMILIES:
        setattr(Family, f"test_{architecture}_in_waves_of_{lanes}",
                lambda self, row=(architecture, target, lanes): self.check_family(*row))
    for architecture, target, version in LATER:
        setattr(Family, f"test_{architecture}_is_refused", lambda self, row=(target, version): self.check_refused(*row))


if __name__ == "__main__":
    if len(sys.argv) > 3:
        Family.waves = ctypes.CDLL(sys.argv.pop(3))
        Family.waves.family_get.restype = ctypes.c_uint64
    add_tests()
    main(__doc__)
