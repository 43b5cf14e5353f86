# SPDX-License-Identifier: MIT
"""A library over a device that does nothing by itself (fake-device.h): a test says what happens in the next run."""

import ctypes
import os
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import buffer, libc, number
from client.case import Case, main

__all__ = ["EVENT", "IDLE", "LANES", "LANE_BYTES", "LDS_SIZE", "MEMORY", "MEMORY_SIZE", "PC", "RUNNING", "WATCHPOINTS", "WAVE_RUNNING",
           "WAVE_STOPPED", "FakeCase", "buffer", "libc", "main", "number"]

MEMORY, MEMORY_SIZE = 0x7F0000100000, 4096
PC = 0x7F0000200000
LDS_SIZE = 256
LANES, LANE_BYTES = 64, 32
WATCHPOINTS = 4
# enum wt_device_progress, and enum wt_wave_run_state.
IDLE, _, RUNNING, EVENT = range(4)
WAVE_RUNNING, _, WAVE_STOPPED = range(3)
SCRIPT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
NO_SCRIPT = ctypes.cast(None, SCRIPT)


class Device:
    """The device made last, and what its next run does: `launch`, `stop`, `end` in it, a run() returns what they do."""

    def __init__(self, api):
        self.api, self.library = api, api.library
        self.script = NO_SCRIPT
        self.library.fake_part.restype = ctypes.c_void_p
        self.library.fake_waves.restype = ctypes.c_size_t

    def variable(self, name, kind=ctypes.c_uint64):
        return kind.in_dll(self.library, name)

    @property
    def device(self):
        return self.variable("fake_device", ctypes.c_void_p)

    @property
    def runs(self):
        return self.variable("fake_runs", ctypes.c_uint).value

    @property
    def alive(self):
        return self.variable("fake_alive", ctypes.c_uint).value

    def fails(self, yes):
        self.variable("fake_fails", ctypes.c_bool).value = yes

    def buffer_at(self, address):
        self.variable("fake_buffer").value = address

    # ---- What a run does ----

    def next_run(self, *actions):
        """Do these in the next run; the last one says how it ends."""
        def run(_):
            return [action() for action in actions][-1]

        self.script = self.api.callback(SCRIPT, run) if actions else NO_SCRIPT
        ctypes.c_void_p.in_dll(self.library, "fake_next_run").value = ctypes.cast(self.script, ctypes.c_void_p).value

    def launch(self, waves):
        self.library.fake_launch(self.device, ctypes.c_uint32(waves), None)
        return RUNNING

    def stop(self, index, reason):
        self.library.fake_stop(self.device, self.wave(index), ctypes.c_uint32(reason))
        return EVENT

    def end(self, index, result=RUNNING):
        self.library.fake_end(self.device, self.wave(index))
        return result

    def end_all(self):
        while self.waves():
            self.end(0)
        return IDLE

    def end_program(self):
        self.library.fake_end_program(self.device)
        return IDLE

    # ---- What is in it ----

    def waves(self):
        """The waves that are alive, in order of creation."""
        found = (ctypes.c_void_p * 8)()
        return [ctypes.c_void_p(found[i]) for i in range(self.library.fake_waves(self.device, found, ctypes.c_size_t(8)))]

    def wave(self, index):
        return self.waves()[index]

    def part(self, name, wave=None, kind=ctypes.c_uint8):
        """A member of the device or a wave, as an array."""
        size = ctypes.c_size_t()
        address = self.library.fake_part(self.device, wave, name.encode(), ctypes.byref(size))
        if not address:
            raise KeyError(name)
        return (kind * (size.value // ctypes.sizeof(kind))).from_address(address)

    def get(self, name, wave=None):
        """A member that is a number."""
        return int.from_bytes(bytes(self.part(name, wave)), "little")

    def set(self, name, wave, value):
        part = self.part(name, wave)
        part[:] = value.to_bytes(len(part), "little")

    def words(self, name, wave=None):
        return self.part(name, wave, ctypes.c_uint32)

    def watchpoint(self, index):
        """Address, size and kind of what is set."""
        return struct.unpack_from("<QQI", bytes(self.part("watchpoints")), 24 * index)

    def say(self, warning, text):
        self.library.fake_say(self.device, ctypes.c_bool(warning), text.encode())


class FakeCase(Case):
    """A test over that device; what it has made is gone at its end."""

    def setUp(self):
        super().setUp()
        os.environ["WAVETAPE_WORKLOAD"] = "fake.json"
        self.fake = Device(self.api)
        self.fake.buffer_at(0)

    def tearDown(self):
        self.fake.next_run()
        super().tearDown()
        self.assertEqual(self.fake.alive, 0)

    def begin(self, waves):
        """A process with so many running waves."""
        self.start()
        self.process = self.attach_ready()
        self.fake.next_run(lambda: self.fake.launch(waves))
        self.expect_none(self.process)
        found = self.waves(self.process)
        self.assertEqual(len(found), waves)
        return found

    def stop(self, wave):
        """Stop it, and take the event."""
        self.gives(self.api.wave_stop(wave))
        self.assertEqual(self.take(self.process), wave)
