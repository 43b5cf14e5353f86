# SPDX-License-Identifier: MIT
"""The debug calls: who may make them, in which order, and what of a process they tell.

Usage: test_debug.py WAVETAPE
"""

import ctypes
import errno
import os
import signal
import struct
import threading
import time

from driver import PAGE, Connection, Debugger, ProgramCase, exception, kfd, libc, main, wire, xorshift

R_DEBUG = 0x123456789000
RUNTIME, NEW = exception("RUNTIME"), exception("QUEUE_NEW")
NOBODY = 0x3FFFFFFF
PTRACE_DETACH, PTRACE_SEIZE, WALL = 17, 0x4206, 0x40000000
FILLED = 0xEE


class DebugCase(ProgramCase):
    def debugger(self, target=None):
        debugger = Debugger(self.program, target)
        self.addCleanup(debugger.close)
        return debugger

    def attached(self):
        """To this process, whose runtime is there."""
        self.program.acquire()
        self.assertEqual(self.program.runtime_comes(R_DEBUG), 0)
        debugger = self.debugger()
        self.assertEqual(debugger.attach(RUNTIME), 0)
        return debugger

    def expect(self, result, *operations, debugger, **parts):
        for operation in operations:
            self.assertEqual(debugger.call(operation, **parts), result, operation)


class Rights(DebugCase):
    """Who may."""

    def start_child(self, opens):
        """A process that does nothing, and has the device open, or not."""
        def child():
            anchor = Connection(self.program.directory, wire.ANCHOR) if opens else None
            os.write(ready[1], b"x")
            signal.pause()
            anchor.close()

        ready = os.pipe()
        process = self.fork(child)
        self.assertEqual(os.read(ready[0], 1), b"x")
        for end in ready:
            os.close(end)
        return process

    @staticmethod
    def end_child(child):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def seize(self, child):
        self.assertEqual(libc.ptrace(PTRACE_SEIZE, child, None, None), 0)

    def test_only_who_traces_a_process_debugs_it(self):
        child = self.start_child(True)
        debugger = self.debugger(child)
        self.assertEqual(debugger.attach(RUNTIME), -errno.EPERM)
        self.seize(child)
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.assertEqual(debugger.info.state, kfd.RUNTIME_DISABLED)
        self.assertEqual(debugger.attach(RUNTIME), -errno.EALREADY)
        # Whoever has stopped tracing may still let go, and nothing else.
        os.kill(child, signal.SIGSTOP)
        os.waitpid(child, WALL)
        self.assertEqual(libc.ptrace(PTRACE_DETACH, child, None, None), 0)
        self.expect(-errno.EPERM, "QUERY_EVENT", debugger=debugger)
        debugger.must("DISABLE")
        self.expect(-errno.EINVAL, "DISABLE", debugger=debugger)
        self.end_child(child)
        self.expect(-errno.ESRCH, "DISABLE", debugger=debugger)

    def test_process_is_debugged_before_it_opens_the_device(self):
        child = self.start_child(False)
        debugger, device = self.debugger(child), kfd.device_entry()
        snapshot = {"snapshot": (0, ctypes.addressof(device), 1, ctypes.sizeof(device))}
        self.assertEqual(debugger.attach(RUNTIME), -errno.ESRCH)
        self.seize(child)
        self.expect(-errno.ESRCH, "DEVICE_SNAPSHOT", debugger=debugger, **snapshot)
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.assertEqual(debugger.must("DEVICE_SNAPSHOT", **snapshot).snapshot.count, 1)
        self.assertEqual(device.target_version, 90010)
        self.end_child(child)
        self.expect(-errno.ESRCH, "QUERY_EVENT", debugger=debugger)

    def test_nobody_is_debugged(self):
        debugger = self.debugger(NOBODY)
        self.expect(-errno.ESRCH, *range(kfd.DEBUG_OPERATIONS + 3), debugger=debugger)
        debugger.target = 0
        self.assertEqual(debugger.attach(RUNTIME), -errno.ESRCH)


class Order(DebugCase):
    """In which order."""

    def test_attaching_needs_a_notifier_and_memory(self):
        debugger, info = self.debugger(), (ctypes.c_uint64 * 3)(7, 7, 7)
        address, notifier = ctypes.addressof(info), debugger.notifier[1]
        self.expect(-errno.EBADF, "ENABLE", debugger=debugger, enable=(RUNTIME, address, 8, 9999))
        self.expect(-errno.EFAULT, "ENABLE", debugger=debugger, enable=(RUNTIME, 8, 8, notifier))
        # As much as there is room for, and how much there would be.
        self.assertEqual(debugger.must("ENABLE", enable=(RUNTIME, address, 8, notifier)).enable.info_size, 16)
        self.assertEqual(info[:2], [0, 7])
        debugger.must("DISABLE")

    def test_operations_need_a_debugger_and_a_runtime(self):
        debugger = self.debugger()
        self.program.acquire()
        self.expect(-errno.EINVAL, *range(1, kfd.DEBUG_OPERATIONS + 3), debugger=debugger)
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.expect(-errno.EPERM, *range(kfd.DEBUG_LAUNCH_OVERRIDE, kfd.DEBUG_SET_FLAGS + 1), debugger=debugger)
        self.expect(-errno.EINVAL, *range(kfd.DEBUG_OPERATIONS, 40), debugger=debugger)
        debugger.must("DISABLE")


class Runtimes(DebugCase):
    def begin_coming(self):
        """The runtime comes, in a thread. Return: the thread, and what will have the result."""
        def come():
            connection = self.program.connection()
            results.append(self.program.runtime_comes(R_DEBUG, connection))
            connection.close()

        results = []
        thread = threading.Thread(target=come)
        thread.start()
        return thread, results

    def expect_info(self, debugger):
        self.assertEqual((debugger.info.state, debugger.info.r_debug), (kfd.RUNTIME_ENABLED, R_DEBUG))

    def test_runtimes_come_once_and_before_queues(self):
        debugger = self.debugger()
        self.program.acquire()
        self.assertEqual([self.program.runtime_comes(R_DEBUG) for _ in range(2)], [0, -errno.EBUSY])
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.expect_info(debugger)
        self.assertEqual(debugger.info.ttmps_set_up, 1)
        debugger.must("DISABLE")
        self.program.must("runtime_enable", kfd.runtime_enable())
        self.program.queue()
        self.assertEqual(self.program.runtime_comes(R_DEBUG), -errno.EEXIST)

    def test_runtime_waits_for_the_debugger(self):
        """The runtime waits until the debugger has seen it come, and the event says so in two steps."""
        def ask():
            return debugger.call("QUERY_EXCEPTION", query_exception=(ctypes.addressof(debugger.info), 16, 0, kfd.EXCEPTION_RUNTIME, 1))

        debugger = self.debugger()
        self.program.acquire()
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.expect(-errno.EAGAIN, "QUERY_EVENT", debugger=debugger)
        self.assertEqual(ask(), -errno.ENODATA)
        thread, results = self.begin_coming()
        self.assertTrue(debugger.notified())
        # What is not asked to be cleared stays.
        for _ in range(2):
            event = debugger.must("QUERY_EVENT", query_event=(0x80000000, 0, 0)).query_event
            self.assertEqual((event.exceptions, event.gpu_id, event.queue_id), (RUNTIME, 0, 0))
        self.assertEqual(ask(), 0)
        self.expect_info(debugger)
        self.assertEqual(ask(), -errno.ENODATA)
        self.expect(-errno.EAGAIN, "QUERY_EVENT", debugger=debugger, query_event=(RUNTIME, 0, 0))
        time.sleep(0.02)
        self.assertEqual(results, [])
        debugger.must("SEND_RUNTIME_EVENT", send=(RUNTIME, kfd.ALL_ONES, kfd.ALL_ONES))
        thread.join()
        self.assertEqual(results, [0])
        debugger.must("DISABLE")

    def test_runtime_goes_on_without_its_debugger(self):
        """Nor does it wait for one that lets go."""
        debugger = self.debugger()
        self.assertEqual(debugger.attach(RUNTIME), 0)
        thread, results = self.begin_coming()
        self.assertTrue(debugger.notified())
        debugger.must("DISABLE")
        thread.join()
        self.assertEqual(results, [0])

    def test_older_runtimes_say_the_same(self):
        """What the runtimes up to ROCm 5.6 say is the same, by another call."""
        for set_up in range(2):
            old = kfd.debug_trap_old(address=R_DEBUG, operation=kfd.DEBUG_OLD_RUNTIME_ENABLE, data=(1, set_up))
            debugger = self.debugger()
            self.program.must("debug_trap_old", old)
            self.assertEqual(debugger.attach(RUNTIME), 0)
            self.expect_info(debugger)
            self.assertEqual(debugger.info.ttmps_set_up, set_up)
            debugger.must("DISABLE")
            old.data[0] = 0
            self.program.must("debug_trap_old", old)


class Snapshots(DebugCase):
    """What there is."""

    def test_devices_are_described(self):
        debugger, devices = self.debugger(), (kfd.device_entry * 2)()
        size = ctypes.sizeof(kfd.device_entry)

        def snapshot(count, entry_size=size, buffer=ctypes.addressof(devices)):
            ctypes.memset(devices, FILLED, ctypes.sizeof(devices))
            trap = kfd.debug_trap(snapshot=(0, buffer, count, entry_size))
            return debugger.call("DEVICE_SNAPSHOT", trap) or trap.snapshot

        self.program.acquire()
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.assertEqual((snapshot(0).count, devices[0].gpu_id), (1, 0xEEEEEEEE))
        told, device = snapshot(2), devices[0]
        self.assertEqual((told.count, told.entry_size, size), (1, 120, 120))
        self.assertEqual((device.gpu_id, device.lds_base, device.scratch_base), (self.program.gpu_id, 1 << 48, 2 << 48))
        for name in ("simd_count", "waves_per_simd", "array_count", "arrays_per_engine", "xcc_count"):
            self.assertTrue(getattr(device, name), name)
        # Watch registers, four of them; debugging; precise memory; the firmware can.
        self.assertEqual(device.capability & 0x20048F80, 0x20048280)
        self.assertEqual(device.debug_properties & 0x3FF, 6 | 29 << 4)
        self.assertEqual(devices[1].gpu_id, 0xEEEEEEEE)
        # Entries may be wanted shorter, and the room for each may be larger.
        snapshot(1, 8)
        self.assertEqual(devices[0].lds_base, 0xEEEEEEEEEEEEEEEE)
        self.assertEqual(snapshot(1, 0), -errno.EINVAL)
        self.assertEqual(snapshot(1, size, 8), -errno.EFAULT)
        debugger.must("DISABLE")

    def test_queues_are_new_until_they_were_seen(self):
        """A queue is new until a snapshot that says so has been taken of it."""
        debugger, entries = self.debugger(), (kfd.queue_entry * 3)()

        def snapshot(count):
            return debugger.must("QUEUE_SNAPSHOT", snapshot=(NEW, ctypes.addressof(entries), count, ctypes.sizeof(kfd.queue_entry))).snapshot.count

        self.program.acquire()
        self.assertEqual(self.program.runtime_comes(R_DEBUG), 0)
        queue, other = self.program.queue(), self.program.queue()
        self.assertEqual(debugger.attach(RUNTIME), 0)
        self.assertEqual(debugger.suspend(queue.id)[0], 0)
        self.assertEqual(snapshot(1), 2)
        first = {name: getattr(entries[0], name) for name, _ in kfd.queue_entry._fields_ if name not in ("ring_size", "reserved")}
        self.assertEqual(first, {
            "exceptions": NEW, "queue_id": queue.id, "gpu_id": self.program.gpu_id, "type": kfd.QUEUE_COMPUTE_AQL,
            "ring_address": queue.ring.address, "write_pointer_address": queue.structure.address + queue.WRITE_POINTER,
            "read_pointer_address": queue.structure.address + queue.READ_POINTER, "save_address": queue.save.address,
            "save_size": queue.save.size - PAGE})
        # Only what was handed out is not new any more.
        self.assertEqual(snapshot(3), 2)
        self.assertEqual([(entry.exceptions, entry.queue_id) for entry in entries[:2]], [(0, queue.id), (NEW, other.id)])
        debugger.must("DISABLE")


class Waves(DebugCase):
    """What is asked of waves."""

    def test_launches_have_modes_and_traps(self):
        debugger = self.attached()

        def override(mode, enable, support):
            trap = kfd.debug_trap(launch_override=(mode, enable, support, 0))
            return debugger.call("LAUNCH_OVERRIDE", trap), trap.launch_override.enable, trap.launch_override.support

        self.assertEqual(override(kfd.OVERRIDE_OR, 0, 0), (0, 0, 0x1FF))
        self.assertEqual(override(kfd.OVERRIDE_OR, 0xFF, 0x81)[0], 0)
        self.assertEqual(override(kfd.OVERRIDE_REPLACE, 0, 1)[:2], (0, 0x81))
        result, _, support = override(kfd.OVERRIDE_REPLACE, 0x81, 0x200)
        self.assertEqual((result, support), (-errno.EACCES, 0x1FF))
        self.assertEqual(override(kfd.OVERRIDE_REPLACE, 0x81, 0)[:2], (0, 0x80))
        self.assertEqual(override(2, 0x80, 0)[0], -errno.EPERM)
        for mode in range(6):
            self.expect(0 if mode in (kfd.LAUNCH_NORMAL, kfd.LAUNCH_HALT, kfd.LAUNCH_DEBUG) else -errno.EINVAL, "LAUNCH_MODE",
                        debugger=debugger, launch_mode=(mode, 0))
        debugger.must("DISABLE")

    def test_flags_are_given_back(self):
        debugger = self.attached()
        self.assertEqual(debugger.must("SET_FLAGS", set_flags=(kfd.FLAG_PRECISE_MEMORY, 0)).set_flags.flags, 0)
        self.expect(-errno.EACCES, "SET_FLAGS", debugger=debugger, set_flags=(kfd.FLAG_PRECISE_ALU, 0))
        self.assertEqual(debugger.must("SET_FLAGS").set_flags.flags, kfd.FLAG_PRECISE_MEMORY)
        debugger.must("DISABLE")

    def test_watch_registers_are_four(self):
        debugger, gpu = self.attached(), self.program.gpu_id

        def watch(agent=gpu):
            trap = kfd.debug_trap(set_watch=(0x1000, kfd.WATCH_ALL, 0xFFFFFFC0, agent, 77))
            return debugger.call("SET_WATCH", trap) or trap.set_watch.id

        def clear(number, agent=gpu):
            return debugger.call("CLEAR_WATCH", clear_watch=(agent, number))

        self.assertEqual([watch() for _ in range(5)], [0, 1, 2, 3, -errno.ENOMEM])
        self.assertEqual([clear(number) for number in (2, 2, 4)], [0, -errno.EINVAL, -errno.EINVAL])
        self.assertEqual(watch(), 2)
        self.assertEqual((watch(gpu + 1), clear(2, 1)), (-errno.ENODEV, -errno.ENODEV))
        debugger.must("DISABLE")

    def test_any_call_is_answered(self):
        """Whatever is in a call, the owner is there afterwards, and serves."""
        debugger, queue = self.attached(), self.program.queue()
        room, served = self.program.memory(PAGE).address, 0
        choices = (0, 1, 2, 3, queue.id, self.program.gpu_id, room & 2**32 - 1, 2**32 - 1, 48, 31)
        numbers = xorshift()
        for _ in range(6000):
            words = []
            for _ in range(6):
                random = next(numbers)
                words.append(random >> 20 & 2**32 - 1 if random & 1 else choices[(random >> 8) % 10])
            # Addresses mostly lie where something may be written, and never where Python has its own memory.
            for high in (1, 3):
                if random >> high & 1:
                    words[high - 1] = room & 2**32 - 1
                if random >> high & 1 or not words[high]:
                    words[high] = room >> 32
            trap = kfd.debug_trap.from_buffer_copy(struct.pack("<8I", 0, 0, *words))
            served += debugger.call((random >> 40) % 17, trap) >= 0
            debugger.attach(random)
        self.assertIn(served, range(500, 6001))
        debugger.must("DISABLE")
        queue.launch([0xBF810000])
        self.assertTrue(queue.wait(1))


if __name__ == "__main__":
    main(__doc__)
