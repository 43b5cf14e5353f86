# SPDX-License-Identifier: MIT
"""Memory in every address space, and the order of its checks.

Usage: test_memory.py LIBRARY-OVER-THE-FAKE-DEVICE
"""

from fake import LANE_BYTES, LANES, LDS_SIZE, MEMORY, MEMORY_SIZE, FakeCase, buffer, main, number

GLOBAL = 1
NO_LANE = 0xFFFFFFFF
GFX942, GFX90A = 0x4C, 0x3F
# Of gfx942, as they are set up by the driver.
LOCAL_APERTURE, PRIVATE_APERTURE = 0x1000000000000, 0x2000000000000


class Memory(FakeCase):
    def setUp(self):
        super().setUp()
        self.wave, self.running = self.begin(2)
        self.device_wave = self.fake.wave(0)
        self.stop(self.wave)
        spaces = self.spaces(GFX942)
        self.generic, self.local = spaces["generic"], spaces["local"]
        self.private_lane, self.private_wave = spaces["private_lane"], spaces["private_wave"]

    def spaces(self, machine):
        """The handles of address spaces by their names."""
        architecture = number()
        self.gives(self.api.get_architecture(machine, architecture))
        return {self.client.ask("address_space", space, "NAME"): space for space in self.client.list("address_space", architecture.value)}

    def get(self, wave, lane, space, address, size, expected="SUCCESS"):
        """Read: what comes. Where nothing does, the size says so; errors of another kind leave it."""
        transferred, content = number(size), buffer(max(size, 1))
        self.gives(self.api.read_memory(self.process, wave, lane, space, address, transferred, content), expected)
        if expected != "SUCCESS":
            self.assertEqual(transferred.value, 0 if expected == "ERROR_MEMORY_ACCESS" else size)
        return bytes(content)[: transferred.value]

    def put(self, wave, lane, space, address, content, expected="SUCCESS"):
        """Write: how many bytes went."""
        status, count = self.client.write_memory(self.process, address, content, space, wave, lane)
        self.gives(status, expected)
        return count

    def test_global(self):
        self.assertEqual(self.get(0, NO_LANE, GLOBAL, MEMORY + 256, 16), bytes((256 + i) * 7 + 1 & 0xFF for i in range(16)))
        self.assertEqual(self.put(0, NO_LANE, GLOBAL, MEMORY + 257, b"\xaa\xbb"), 2)
        self.assertEqual(self.get(self.wave, 0, GLOBAL, MEMORY + 257, 2), b"\xaa\xbb")
        # In part is as good as whole.
        self.assertEqual(len(self.get(0, NO_LANE, GLOBAL, MEMORY + MEMORY_SIZE - 5, 16)), 5)
        self.assertEqual(self.put(0, NO_LANE, GLOBAL, MEMORY + MEMORY_SIZE - 1, b"\xaa\xbb"), 1)
        self.get(0, NO_LANE, GLOBAL, MEMORY - 1, 16, "ERROR_MEMORY_ACCESS")
        self.put(0, NO_LANE, GLOBAL, 0, b"\xaa\xbb", "ERROR_MEMORY_ACCESS")
        self.assertEqual(self.get(0, NO_LANE, GLOBAL, 0, 0), b"")

    def test_local(self):
        wave, lds = self.wave, self.fake.part("lds", self.device_wave)
        lds[:] = bytes(range(LDS_SIZE))
        self.assertEqual(self.get(wave, NO_LANE, self.local, 16, 16), bytes(lds[16:32]))
        self.assertEqual(len(self.get(wave, NO_LANE, self.local, LDS_SIZE - 3, 16)), 3)
        self.get(wave, NO_LANE, self.local, LDS_SIZE, 1, "ERROR_MEMORY_ACCESS")
        self.get(wave, NO_LANE, self.local, 0xFFFFFFFF, 1, "ERROR_MEMORY_ACCESS")
        self.assertEqual(self.put(wave, 3, self.local, 4, b"xy"), 2)
        self.assertEqual(bytes(lds[4:6]), b"xy")

    def test_private(self):
        """Byte a of lane l is at (a / 4) * 256 + l * 4 + a % 4 of the wave's."""
        wave, scratch, lane_space = self.wave, self.fake.part("scratch", self.device_wave), self.private_lane
        scratch[:] = bytes(i * 31 >> 3 & 0xFF for i in range(LANES * LANE_BYTES))
        self.assertEqual(self.get(wave, 5, lane_space, 3, 10), bytes(scratch[a // 4 * 256 + 5 * 4 + a % 4] for a in range(3, 13)))
        last = self.get(wave, 63, lane_space, 30, 10)
        self.assertEqual((len(last), last[1]), (2, scratch[LANES * LANE_BYTES - 1]))
        self.get(wave, 0, lane_space, 32, 1, "ERROR_MEMORY_ACCESS")
        self.assertEqual(self.put(wave, 7, lane_space, 6, b"abcd"), 4)
        self.assertEqual(bytes(scratch[256 + 7 * 4 + 2 : 256 + 7 * 4 + 4]), b"ab")
        self.assertEqual(bytes(scratch[512 + 7 * 4 : 512 + 7 * 4 + 2]), b"cd")
        self.assertEqual(self.get(wave, NO_LANE, self.private_wave, 256 + 7 * 4 + 2, 2), b"ab")
        self.assertEqual(len(self.get(wave, NO_LANE, self.private_wave, LANES * LANE_BYTES - 1, 4)), 1)
        # The NULL address answers at once.
        self.get(wave, 0, lane_space, 0xFFFFFFFF, 4, "ERROR_MEMORY_ACCESS")
        self.get(wave, 0, self.private_wave, 0xFFFFFFFF, 4, "ERROR_MEMORY_ACCESS")

    def test_generic(self):
        wave = self.wave
        self.assertEqual(self.put(wave, 2, self.private_lane, 8, b"priv"), 4)
        self.assertEqual(self.put(wave, 2, self.local, 8, b"locl"), 4)
        self.assertEqual(self.get(wave, 2, self.generic, PRIVATE_APERTURE + 8, 4), b"priv")
        self.assertEqual(self.get(wave, NO_LANE, self.generic, LOCAL_APERTURE + 8, 4), b"locl")
        self.assertEqual(self.put(wave, 2, self.generic, MEMORY, b"glob"), 4)
        self.assertEqual(self.get(0, NO_LANE, GLOBAL, MEMORY, 4), b"glob")
        self.get(wave, NO_LANE, self.generic, PRIVATE_APERTURE, 4, "ERROR_INVALID_LANE_ID")

    def test_order_of_checks(self):
        wave, argument, read = self.wave, "ERROR_INVALID_ARGUMENT", self.api.read_memory
        size, content = number(4), buffer(b"\1\2\3\4")
        self.gives(read(99, 0, NO_LANE, 9999, 0, None, None), "ERROR_INVALID_PROCESS_ID")
        self.gives(read(self.process, 0, NO_LANE, 9999, 0, size, None), argument)
        self.gives(read(self.process, 0, NO_LANE, 9999, 0, None, content), argument)
        self.gives(self.api.write_memory(self.process, 0, NO_LANE, 9999, 0, size, None), argument)
        self.get(99, 77, 9999, 0, 4, "ERROR_INVALID_ADDRESS_SPACE_ID")
        self.get(99, 77, self.local, 0, 4, "ERROR_INVALID_WAVE_ID")
        self.get(0, 0, GLOBAL, MEMORY, 4, "ERROR_INVALID_LANE_ID")
        self.get(self.running, 77, GLOBAL, MEMORY, 4, "ERROR_WAVE_NOT_STOPPED")
        self.get(wave, 64, GLOBAL, MEMORY, 4, "ERROR_INVALID_LANE_ID")
        self.get(0, NO_LANE, self.local, 0, 4, "ERROR_INVALID_WAVE_ID")
        self.get(wave, NO_LANE, self.private_lane, 0, 4, "ERROR_INVALID_LANE_ID")
        self.get(wave, 64, self.spaces(GFX90A)["local"], 0, 4, "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
        other = self.attach(2)
        self.gives(read(other, wave, 0, GLOBAL, MEMORY, size, content), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
        self.assertEqual(bytes(content), b"\1\2\3\4")
        self.gives(self.api.process_detach(other))


if __name__ == "__main__":
    main(__doc__)
