# SPDX-License-Identifier: MIT
"""Register values of a wave: every register of the architecture, and the rules of writing.

Usage: test_registers.py LIBRARY-OVER-THE-FAKE-DEVICE
"""

from fake import PC, FakeCase, main, number

GFX90A = 0x3F
ALL = 2**32 - 1
# What the wave has of each file; scalar registers behind its own lie over others, up to s31.
COUNTS = {"v": 24, "a": 8, "s": 26}
SHADOWS = range(26, 32)
SHADOW = 0x480  # of s0, in its handle


class Registers(FakeCase):
    def setUp(self):
        super().setUp()
        self.wave, self.running = self.begin(2)
        self.gfx = self.fake.wave(0)
        self.stop(self.wave)

    def has(self, register):
        answer = number(0, "u32")
        self.gives(self.api.wave_register_exists(self.wave, register, answer))
        return answer.value == self.api.REGISTER_PRESENT

    def shadow(self, index):
        """The handle of the register that lies over a part of vcc, flat_scratch or xnack_mask."""
        return self.register("pc") >> 32 << 32 | SHADOW + index

    def read_shadow(self, index):
        status, content = self.client.read_register(self.wave, self.shadow(index), 4)
        self.gives(status)
        return int.from_bytes(content, "little")

    def write_shadow(self, index, value):
        self.gives(self.client.write_register(self.wave, self.shadow(index), value.to_bytes(4, "little")))

    def get(self, name):
        return self.fake.get(name, self.gfx)

    def set(self, name, value):
        self.fake.set(name, self.gfx, value)

    def all_registers(self):
        """Handle, name, and whether the wave should have it, of every register of its architecture."""
        for register in self.client.list("register", self.client.ask("wave", self.wave, "ARCHITECTURE")):
            name = self.client.ask("register", register, "NAME")
            file, index = name[0], name[1:]
            if register in {self.shadow(i) for i in range(102)}:
                yield register, name, int(index) in SHADOWS
            elif file in COUNTS and index.isdigit():
                yield register, name, int(index) < COUNTS[file]
            else:
                yield register, name, True


class Every(Registers):
    def test_existence_and_list(self):
        registers = [*self.all_registers()]
        self.assertEqual([self.has(register) for register, _, _ in registers], [expected for _, _, expected in registers])
        present = self.client.registers(self.wave)
        self.assertEqual(present, [register for register, _, expected in registers if expected])
        self.assertEqual(len(present), 24 + 8 + 26 + 6 + 8 + 1 + 9)

    def test_every_register_keeps_what_is_written(self):
        """A pattern goes in and comes out of each, but for bits that are not the debugger's to change."""
        absent, client = "ERROR_REGISTER_NOT_AVAILABLE", self.client
        for i, (register, name, expected) in enumerate(self.all_registers()):
            size = client.ask("register", register, "SIZE")
            pattern = bytes(i * 5 + b * 3 + 1 & 0xFF for b in range(size))
            if not expected:
                self.gives(client.read_register(self.wave, register, size)[0], absent)
                self.gives(client.write_register(self.wave, register, pattern), absent)
                self.gives(self.api.prefetch_register(self.wave, register, 1), absent)
                continue
            self.gives(client.write_register(self.wave, register, pattern))
            self.gives(self.api.prefetch_register(self.wave, register, 1))
            status, got = client.read_register(self.wave, register, size)
            self.gives(status)
            if not client.ask("register", register, "PROPERTIES") & self.api.REGISTER_PROPERTY_READONLY_BITS:
                self.assertEqual(got, pattern, name)
        # And they really are where the simulated GPU looks.
        self.assertEqual(self.fake.words("vgprs", self.gfx)[7 * 64 + 5] & 0xFF, 7 * 5 + 20 * 3 + 1)
        self.assertEqual(self.fake.words("agprs", self.gfx)[0] & 0xFF, 256 * 5 + 1 & 0xFF)
        self.assertEqual(self.fake.words("sgprs", self.gfx)[25] & 0xFF, (512 + 25) * 5 + 1 & 0xFF)

    def test_parts(self):
        wave, vgprs = self.wave, self.fake.words("vgprs", self.gfx)
        self.write(wave, "v3", 0x11223344, 4, 63 * 4)
        self.assertEqual((vgprs[3 * 64 + 63], vgprs[3 * 64 + 62]), (0x11223344, 0))
        self.assertEqual(self.read(wave, "v3", 2, 63 * 4 + 1), 0x2233)
        self.set("exec", 0x1122334455667788)
        self.assertEqual(self.read(wave, "exec", 3, 3), 0x334455)
        self.assertEqual(self.read(wave, "exec", 4, 4), 0x11223344)
        self.set("mode", 0xAABBCCDD)
        got = number(0x11223344, "u32")
        self.gives(self.api.read_register(wave, self.register("mode"), 1, 2, got))
        self.assertEqual(got.value, 0x1122BBCC)
        self.set("exec", 0x1111111122222222)
        self.write(wave, "exec", 0, 4, 4)
        self.assertEqual(self.get("exec"), 0x22222222)


class Rules(Registers):
    def test_readonly_bits(self):
        wave = self.wave
        self.set("pc", PC)
        self.write(wave, "pc", PC + 7, 8)
        self.assertEqual(self.read(wave, "pc", 8), PC + 4)

        self.set("mode", 0)
        self.write(wave, "mode", ALL)
        self.assertEqual(self.get("mode"), 0xFFBFFFFF)
        self.write(wave, "mode", 0)
        self.assertEqual(self.get("mode"), 0)

        self.set("trapsts", 0x200)
        self.write(wave, "trapsts", 0xFFFFFDFF)
        self.assertEqual(self.get("trapsts"), 0xF7FF7FFF)

        # Of status all bits are written, and privilege and the handler's mark are not shown.
        self.set("status", 0x00010061)
        self.write(wave, "status", 0)
        self.assertEqual(self.get("status"), 0)
        self.write(wave, "status", ALL)
        self.assertEqual(self.read(wave, "status"), 0xFFFBFFDF)
        self.set("status", 0x00050061)
        self.fake.words("ttmps", self.gfx)[6] = 0
        self.assertEqual(self.read(wave, "status"), 0x00010041)

    def test_halt(self):
        """The program's own halt is the trap handler's to keep while the wave is stopped."""
        wave, ttmps = self.wave, self.fake.words("ttmps", self.gfx)
        self.set("status", 0x2000)
        self.assertEqual(self.read(wave, "status"), 0)
        ttmps[6] = 0x60000000
        self.assertEqual(self.read(wave, "status"), 0x2000)
        self.write(wave, "status", 0)
        self.assertEqual((self.get("status"), ttmps[6]), (0x2000, 0x40000000))
        self.set("status", 0)
        self.write(wave, "status", 0x2001)
        self.assertEqual(self.get("status"), 1)
        self.assertEqual(self.read(wave, "ttmp6"), 0x60000000)

    def test_status_follows_exec_and_vcc(self):
        self.set("status", 0)
        for name, value, status in (("exec", 0, 1 << 9), ("vcc", 0, 3 << 9), ("exec", 1 << 63, 1 << 10), ("vcc", 1, 0)):
            self.write(self.wave, name, value, 8)
            self.assertEqual(self.read(self.wave, "status"), status)
        # Also through the registers that lie over it.
        self.write_shadow(30, 0)
        self.assertEqual(self.get("vcc"), 0)
        self.assertEqual(self.read(self.wave, "status"), 1 << 10)

    def test_shadows(self):
        self.set("flat_scratch", 0x1111111122222222)
        self.set("xnack_mask", 0x3333333344444444)
        self.set("vcc", 0x5555555566666666)
        self.assertEqual([self.read_shadow(i) for i in SHADOWS], [0x22222222, 0x11111111, 0x44444444, 0x33333333, 0x66666666, 0x55555555])
        self.write_shadow(27, 0xAAAAAAAA)
        self.assertEqual(self.get("flat_scratch"), 0xAAAAAAAA22222222)
        self.write(self.wave, "vcc", 0x0102030405060708, 8)
        self.assertEqual(self.read_shadow(31), 0x01020304)

    def test_no_shadows_in_a_large_wave(self):
        """A wave with all scalar registers: the special ones lie above s101 and have no shadows."""
        self.set("sgpr_count", 102)
        self.assertTrue(self.has(self.register("s101")))
        self.assertFalse(any(self.has(self.shadow(i)) for i in range(102)))


class Order(Registers):
    def test_reading_in_turns(self):
        """What is known of the wave that was read last is not taken for another's, nor for what it is later."""
        wave, running, a7, s25 = self.wave, self.running, self.register("a7"), self.register("s25")
        other, client = self.fake.wave(1), self.client
        self.stop(running)
        self.fake.set("agpr_count", other, 7)
        for turn in range(1, 4):
            self.fake.words("sgprs", self.gfx)[25] = turn
            self.fake.words("sgprs", other)[25] = 10 * turn
            self.fake.words("agprs", self.gfx)[7 * 64 + 63] = 100 * turn
            self.assertEqual(self.read(wave, "s25"), turn)
            self.assertEqual(self.read(wave, "a7", 4, 63 * 4), 100 * turn)
            self.gives(client.read_register(wave, a7, 256)[0])
            self.assertEqual(self.read(running, "s25"), 10 * turn)
            self.gives(client.read_register(running, a7, 256)[0], "ERROR_REGISTER_NOT_AVAILABLE")
        self.gives(client.wave_resume(running))
        self.gives(client.read_register(running, s25, 4)[0], "ERROR_WAVE_NOT_STOPPED")
        self.assertEqual(self.read(wave, "s25"), 3)
        self.fake.next_run(self.fake.end_all)
        self.expect_none(self.process)
        lanes = number(30)
        self.gives(self.api.read_register(wave, s25, 0, 4, lanes), "ERROR_INVALID_WAVE_ID")
        self.assertEqual(lanes.value, 30)

    def test_order_of_checks(self):
        read, write, exists = self.api.read_register, self.api.write_register, self.api.wave_register_exists
        wave, running, pc, absent, bad = self.wave, self.running, self.register("pc"), self.register("v24"), 99 << 32
        other, value, answer = self.register("pc", GFX90A), number(77), number(0, "u32")
        argument, compatibility, running_wave = ("ERROR_INVALID_ARGUMENT", "ERROR_INVALID_ARGUMENT_COMPATIBILITY", "ERROR_WAVE_NOT_STOPPED")
        self.gives(read(99, bad, 0, 8, value), "ERROR_INVALID_WAVE_ID")
        self.gives(read(running, bad, 0, 8, None), "ERROR_INVALID_REGISTER_ID")
        self.gives(read(running, pc, 0, 8, None), running_wave)
        self.gives(read(wave, pc, 99, 8, None), argument)
        self.gives(read(wave, pc, 99, 0, value), argument)
        for offset, size in ((1, 8), (2**64 - 4, 8), (1, 2**64 - 1)):
            self.gives(read(wave, pc, offset, size, value), compatibility)
        self.gives(read(wave, absent, 1, 256, value), compatibility)
        self.gives(read(wave, absent, 0, 8, value), "ERROR_REGISTER_NOT_AVAILABLE")
        self.assertEqual(value.value, 77)
        self.gives(write(running, pc, 0, 8, None), running_wave)
        self.gives(write(wave, pc, 0, 8, None), argument)
        self.gives(self.api.prefetch_register(running, absent, 1), running_wave)
        self.gives(exists(99, bad, None), "ERROR_INVALID_WAVE_ID")
        self.gives(exists(wave, bad, None), "ERROR_INVALID_REGISTER_ID")
        self.gives(exists(wave, pc, None), argument)
        # Of another architecture.
        self.gives(read(wave, other, 0, 8, value), compatibility)
        self.gives(exists(wave, other, answer), compatibility)
        # A running wave can be asked what it has.
        self.gives(exists(running, pc, answer))
        self.gives(self.api.wave_register_list(99, None, None), "ERROR_INVALID_WAVE_ID")
        self.gives(self.api.wave_register_list(wave, None, None), argument)


if __name__ == "__main__":
    main(__doc__)
