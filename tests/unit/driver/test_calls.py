# SPDX-License-Identifier: MIT
"""Calls on /dev/kfd, right and wrong: each wrong one gets the kernel's errno, and the device goes on.

Usage: test_calls.py WAVETAPE
"""

import ctypes
import errno
import os
import signal
import struct
import time

from driver import PAGE, Closed, Connection, ProgramCase, ioctl, kfd, main, on, wait_until, wire

# The call DRM_AMDGPU_INFO and its question AMDGPU_INFO_DEV_INFO, whose answer is Linux' struct drm_amdgpu_info_device.
AMDGPU_INFO, DEVICE_INFO = 0x45, 0x16
DEVICE_FAMILY, DEVICE_FLAGS = 16, 136
FLAG_FUSION = 1


class CallCase(ProgramCase):
    def fails(self, name, argument, expected=errno.EINVAL):
        self.assertEqual(self.program.call(name, argument), -expected, name)

    def ask_version(self):
        version = self.program.must("get_version", kfd.get_version())
        self.assertEqual(version.major, 1)
        self.assertGreaterEqual(version.minor, 8)


class Calls(CallCase):
    def test_version_is_told(self):
        self.ask_version()

    def test_agents_that_are_not_there_are_refused(self):
        self.program.acquire()
        for name, argument in (("acquire_vm", kfd.acquire_vm(gpu_id=12345)), ("allocate_memory", kfd.allocate_memory(address=PAGE, size=PAGE)),
                               ("set_scratch_backing", kfd.set_scratch_backing(gpu_id=1)), ("set_trap_handler", kfd.set_trap_handler(gpu_id=1)),
                               ("create_queue", kfd.create_queue(ring_address=PAGE, ring_size=4096, gpu_id=1))):
            self.fails(name, argument)

    def test_memory_comes_after_acquiring(self):
        apertures = kfd.apertures()
        self.program.must("get_apertures", kfd.get_apertures(ctypes.addressof(apertures), 1))
        self.fails("allocate_memory", kfd.allocate_memory(address=PAGE, size=PAGE, flags=1, gpu_id=apertures.gpu_id), errno.ENODEV)

    def test_pointers_that_lead_nowhere_are_refused(self):
        self.program.acquire()
        for name, argument in (("get_apertures", kfd.get_apertures(8, 1)), ("wait_events", kfd.wait_events(events=8, count=1)),
                               ("get_tile_config", kfd.get_tile_config(tiles=8, tile_count=4, gpu_id=self.program.gpu_id)),
                               ("map_memory", kfd.map_memory(self.program.memory(PAGE).handle, 8, 1))):
            self.fails(name, argument, errno.EFAULT)

    def test_handles_and_ids_out_of_range_are_refused(self):
        self.program.acquire()
        for wide in (0, 1, 4095, 4096, 2**32 - 1, 2**64 - 1):
            word = wide & 2**32 - 1
            for name, argument in (("free_memory", kfd.free_memory(wide)), ("map_memory", kfd.map_memory(wide, 0, 1)),
                                   ("unmap_memory", kfd.map_memory(wide, 0, 1)), ("destroy_event", kfd.event(word)), ("set_event", kfd.event(word)),
                                   ("reset_event", kfd.event(word)), ("destroy_queue", kfd.destroy_queue(word)),
                                   ("update_queue", kfd.update_queue(queue_id=word))):
                self.fails(name, argument)

    def test_strangers_are_shut_out(self):
        """What speaks another language is shut out, and only that."""
        for size in (7, ctypes.sizeof(wire.call)):
            other = self.program.connection()
            other.socket.send(b"\xee" * size)
            self.assertRaises(Closed, other.receive)
            other.close()
        # A process has one anchor.
        self.assertRaises(Closed, Connection, self.program.directory, wire.ANCHOR)
        self.ask_version()

    def test_dead_leave_nothing(self):
        """A process that dies takes what it had, and nothing else."""
        def available():
            return self.program.must("available_memory", kfd.available_memory(gpu_id=self.program.gpu_id)).available

        def child():
            self.program.connect_again()
            size = 64 << 20
            self.program.must("acquire_vm", kfd.acquire_vm(gpu_id=self.program.gpu_id))
            self.program.must("allocate_memory", kfd.allocate_memory(address=PAGE, size=size, gpu_id=self.program.gpu_id, flags=kfd.MEMORY_VRAM))
            if available() == before - size:
                os.kill(os.getpid(), signal.SIGKILL)

        self.program.acquire()
        before = available()
        _, status = os.waitpid(self.fork(child), 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), -signal.SIGKILL)
        self.assertTrue(wait_until(lambda: available() == before))


class DeviceInfo(CallCase):
    """Runtimes tell programs whether a device is a card or a part of the processor: hipDeviceProp_t has it as `integrated`."""

    def check(self, family, flags):
        answer = ctypes.create_string_buffer(b"\xff" * 192, 192)
        asked = struct.pack("=Q6I", ctypes.addressof(answer), len(answer), DEVICE_INFO, 0, 0, 0, 0)
        self.assertEqual(self.program.render(AMDGPU_INFO, (ctypes.c_char * len(asked)).from_buffer_copy(asked)), 0)
        self.assertEqual(struct.unpack_from("=I", answer, DEVICE_FAMILY) + struct.unpack_from("=Q", answer, DEVICE_FLAGS), (family, flags))

    def test_card(self):
        self.check(141, 0)

    @on("gfx1151")
    def test_part_of_the_processor(self):
        self.check(150, FLAG_FUSION)


class Unknown(CallCase):
    """What is not there is named once, in the log and by the device."""

    def count_in_log(self, what):
        return self.device.log.read_text("utf-8").splitlines().count(what)

    def test_unknown_calls_are_refused(self):
        results = {self.program.thread.call(ioctl("K", call, 0), b"") for call in range(256)}
        self.assertLessEqual(results, {0, *(-getattr(errno, name) for name in ("EINVAL", "EFAULT", "ENODEV", "ENOSPC", "ESRCH", "EPERM"))})
        self.assertIn(0, results)
        for base, number, file, expected in (("x", 1, wire.KFD, errno.ENOTTY), ("K", 1, wire.RENDER, errno.ENOTTY),
                                             ("d", 0x77, wire.RENDER, errno.EINVAL)):
            self.assertEqual(self.program.thread.call(ioctl(base, number, 8, direction=2), bytes(8), file), -expected)
        self.ask_version()

    def test_what_is_not_there_is_named(self):
        """Each is named once. One that a kernel may be built without is refused as by such a kernel, and no lack."""
        for _ in range(3):
            for base, number, size, file, expected in (("K", 0x81, 32, wire.KFD, errno.EINVAL), ("d", 0x77, 32, wire.RENDER, errno.EINVAL),
                                                       ("K", 0x20, 24, wire.KFD, errno.EPERM)):
                self.assertEqual(self.program.thread.call(ioctl(base, number, size), bytes(size), file), -expected)
        for what, count in (("0x81 of /dev/kfd", 1), ("0x77 of /dev/dri/renderD*", 1), ("0x20 of /dev/kfd", 0)):
            self.assertEqual(self.count_in_log(f"not implemented: call {what}"), count)


class Events(CallCase):
    def make(self, auto_reset=True):
        event = self.program.make_event(kfd.EVENT_SIGNAL, auto_reset)
        self.assertIn(event, range(1, kfd.SIGNAL_EVENTS))
        return event

    def wait_for(self, *ids, every=False, timeout=0):
        """Return: the call's result if it fails, else whether what is waited for has come."""
        data = (kfd.event_data * 4)(*(kfd.event_data(event_id=event) for event in ids))
        wait = kfd.wait_events(ctypes.addressof(data), len(ids), every, timeout)
        result = self.program.call("wait_events", wait)
        return result or {kfd.WAIT_COMPLETE: True, kfd.WAIT_TIMEOUT: False}[wait.result]

    def set(self, event):
        self.program.must("set_event", kfd.event(event))

    def test_events_are_latches(self):
        first, second = self.make(), self.make(False)
        # Nothing has happened.
        self.assertIs(self.wait_for(first, second), False)
        # Signalled before the wait: it counts, once.
        self.set(first)
        self.assertIs(self.wait_for(first, second, every=True, timeout=20), False)
        self.assertIs(self.wait_for(first, second), True)
        self.assertIs(self.wait_for(first, second), False)
        # Without automatic reset it stays.
        self.set(second)
        for _ in range(2):
            self.assertIs(self.wait_for(second, every=True), True)
        self.program.must("reset_event", kfd.event(second))
        self.assertIs(self.wait_for(second, every=True, timeout=10), False)

    def test_waits_of_nothing_are_refused(self):
        self.assertEqual(self.wait_for(99), -errno.EINVAL)
        self.assertEqual(self.wait_for(), -errno.EINVAL)

    def begin_wait(self, event, count):
        """On another thread's connection. Return: it, and the list that it has passed."""
        other, data = self.program.connection(), (kfd.event_data * count)(*(kfd.event_data(event_id=event) for _ in range(count)))
        other.send(ioctl("K", 0x0C, ctypes.sizeof(kfd.wait_events)), kfd.wait_events(ctypes.addressof(data), count, 0, 2**32 - 1))
        time.sleep(0.02)
        return other, data

    def test_wait_ends_when_its_event_is_gone(self):
        event = self.make()
        other, _data = self.begin_wait(event, 1)
        self.program.must("destroy_event", kfd.event(event))
        self.assertEqual(other.receive()[0].result, -errno.EINVAL)
        other.close()

    def test_wait_is_for_the_events_of_its_call(self):
        """A wait that goes on has the list as it was: the program may write into it, and waits for the same events."""
        event = self.make()
        other, data = self.begin_wait(event, 2)
        data[0].event_id = data[1].event_id = 0
        self.set(event)
        answer, _ = other.receive()
        self.assertEqual(answer.result, 0)
        self.assertEqual(kfd.wait_events.from_buffer_copy(answer.argument).result, kfd.WAIT_COMPLETE)
        other.close()

    def test_all_who_wait_are_answered(self):
        """One with automatic reset is quiet when they are: nobody who comes later hears of it, and a number is not taken for a mark."""
        event, second = self.make(), self.make()
        waiting = [self.begin_wait(event, 1)[0] for _ in range(3)]
        both = self.program.connection()
        data = (kfd.event_data * 2)(kfd.event_data(event_id=event), kfd.event_data(event_id=second))
        both.send(ioctl("K", 0x0C, ctypes.sizeof(kfd.wait_events)), kfd.wait_events(ctypes.addressof(data), 2, 1, 2**32 - 1))
        time.sleep(0.02)
        self.set(event)
        for other in waiting:
            answer, _ = other.receive()
            self.assertEqual((answer.result, kfd.wait_events.from_buffer_copy(answer.argument).result), (0, kfd.WAIT_COMPLETE))
            other.close()
        self.assertIs(self.wait_for(event), False)
        # Who waits for two has heard of the first.
        self.set(second)
        answer, _ = both.receive()
        self.assertEqual((answer.result, kfd.wait_events.from_buffer_copy(answer.argument).result), (0, kfd.WAIT_COMPLETE))
        both.close()
        self.assertEqual(self.wait_for(event | 1 << 31), -errno.EINVAL)

    def test_too_many_events_are_refused(self):
        for _ in range(1, kfd.SIGNAL_EVENTS):
            self.make(False)
        self.fails("create_event", kfd.create_event(), errno.ENOSPC)
        self.fails("create_event", kfd.create_event(type=9))


if __name__ == "__main__":
    main(__doc__)
