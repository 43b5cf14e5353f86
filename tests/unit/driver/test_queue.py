# SPDX-License-Identifier: MIT
"""AQL queues without a runtime: barriers, signals, a kernel of a few words, and packets that are none.

Usage: test_queue.py WAVETAPE
"""

import ctypes
import errno
import itertools
import time

from driver import AbortsNoted, BARRIER_AND, BARRIER_OR, DISPATCH, LANES, PAGE, SYSTEM, Device, Program, ProgramCase, exception, ioctl, kfd, main, wait_until

SIGNAL_SIZE, AT_VALUE = 64, 8
NOWHERE = 0x1000
# s_load_dwordx2 s[2:3], s[0:1], 0; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; s_waitcnt; global_store v1, v2, s[2:3]; end
PROGRAM = [0xC0060080, 0x00000000, 0x24020082, 0x7E040287, 0xBF8C0000, 0xDC708000, 0x00020201, 0xBF810000]
# Four workgroups of one wave each add to one word 32 times, and store what they have made of its values by their number:
# s_load s[4:5]; one lane; loop: global_atomic_add v3; v4 = 31 * v4 + v3; store v4 at 64 + 4 * workgroup.
COUNTS = [0xC0060100, 0x00000000, 0xBEFE0181, 0x7E020280, 0x7E040281, 0x7E080280, 0x7E0A029F, 0xB0060020, 0xBF8CC07F, 0xDD098000, 0x03040201,
          0xBF8C0F70, 0xD2850004, 0x00020B04, 0x68080704, 0x80868106, 0xBF078006, 0xBF85FFF7, 0x8E078202, 0x7E020207, 0xDC708040, 0x00040401,
          0xBF810000]
FOREVER = [0xBF82FFFF]  # s_branch to itself


class QueueCase(ProgramCase):
    def setUp(self):
        super().setUp()
        self.program.acquire()
        self.queue = self.program.queue()

    # ---- Signals in the queue's room, by number ----

    def signal_at(self, number):
        return self.queue.room.address + number * SIGNAL_SIZE

    def value(self, number):
        return ctypes.c_int64.from_address(self.signal_at(number) + AT_VALUE)

    def set_values(self, *values):
        for number, value in enumerate(values):
            self.value(number).value = value

    def submit_barrier(self, kind, on, completion):
        packet = self.queue.packet()
        packet.put(56, self.signal_at(completion), 8)
        for i, number in enumerate(on):
            packet.put(8 + 8 * i, self.signal_at(number), 8)
        self.queue.submit(kind | SYSTEM)

    def submit_value(self, condition, value, completion):
        """A packet of the runtime's that waits for what a signal's value is."""
        packet = self.queue.packet()
        for offset, content, size in ((2, 2, 1), (8, self.signal_at(1), 8), (16, value, 8), (24, 0xFF, 8), (32, condition, 4),
                                      (56, self.signal_at(completion), 8)):
            packet.put(offset, content, size)
        self.queue.submit(SYSTEM)

    # ---- Kernels ----

    def write(self, queue=None, words=None):
        """A kernel that stores 7 for each work-item. Return: the packet that launches it, which tells the first signal."""
        queue = queue or self.queue
        packet = queue.write_dispatch(queue.write_kernel(words or PROGRAM, setup=2 << 1))
        packet.put(56, queue.room.address, 8)
        return packet

    def write_nowhere(self):
        """One whose arguments are not there."""
        self.write().put(40, NOWHERE, 8)

    def check_kernel(self):
        self.queue = self.program.queue()
        self.value(0).value = 1
        self.write()
        self.queue.submit(DISPATCH | SYSTEM)
        self.assertTrue(self.queue.wait(1))
        self.assertEqual(self.value(0).value, 0)
        self.assertEqual([self.queue.result(lane) for lane in range(64)], [7] * 64)

    def run_forever(self):
        self.write(words=FOREVER)
        self.queue.submit(DISPATCH | SYSTEM)
        time.sleep(0.1)

    def destroy(self, queue=None):
        return self.program.destroy_queue((queue or self.queue).id)


class Packets(QueueCase):
    def test_barriers_wait_for_their_signals(self):
        queue = self.queue
        self.set_values(1, 1, 1, 1, 1)
        self.submit_barrier(BARRIER_AND, (), 0)
        self.assertTrue(queue.wait(1))
        self.assertEqual(self.value(0).value, 0)
        self.submit_barrier(BARRIER_OR, (1, 2), 3)
        self.submit_barrier(BARRIER_AND, (1, 2), 4)
        self.value(2).value = 0
        self.assertTrue(queue.wait(2))
        self.assertEqual((self.value(3).value, self.value(4).value), (0, 1))
        self.value(1).value = 0
        self.assertTrue(queue.wait(3))
        self.assertEqual(self.value(4).value, 0)
        # A packet that is done is invalid again.
        self.assertEqual(queue.ring.get(0, 1), 1)

    def test_barriers_wait_for_a_value(self):
        # What is waited for, a value of the signal with which that is not so, and one with which it is.
        for i, (condition, value, before, met) in enumerate(((0, 7, 8, 0x107), (1, 7, 7, 6), (2, 5, 5, 4), (3, 9, 8, 9))):
            self.value(2).value = 1
            self.value(1).value = before
            self.submit_value(condition, value, 2)
            # Behind it is one that is done at once, but not before it.
            self.submit_barrier(BARRIER_AND, (), 3)
            time.sleep(0.02)
            self.assertEqual(self.value(2).value, 1)
            self.value(1).value = met
            self.assertTrue(self.queue.wait(2 * i + 2))
            self.assertEqual(self.value(2).value, 0)

    def test_kernel_is_executed(self):
        self.check_kernel()

    def test_kernel_sees_what_was_written_before_it(self):
        """Its arguments are in the program's own memory, beside those of the one before, while another queue's kernel runs."""
        own, count = self.program.own_memory(PAGE), 64
        other = self.program.queue()
        self.write(other, FOREVER)
        other.submit(DISPATCH | SYSTEM)
        for i in range(count):
            results = self.queue.room.address + self.queue.RESULTS + 256 * (i % 8)
            ctypes.memset(results, 0, 256)
            self.write().put(40, own.address + 16 * i, 8)
            own.put(16 * i, results, 8)
            self.queue.submit(DISPATCH | SYSTEM)
            self.assertTrue(self.queue.wait(i + 1))
            self.assertEqual(list((ctypes.c_uint32 * LANES).from_address(results)), [7] * LANES)

    def test_wrong_packets_fail_their_queue(self):
        """Each packet is wrong in one way, and each fails its own queue: another one goes on."""
        for offset, size, value, kind, code in ((12, 4, 0, DISPATCH, 15), (28, 4, 1 << 20, DISPATCH, 16), (32, 8, NOWHERE, DISPATCH, 17),
                                                (4, 2, 2000, DISPATCH, 19), (0, 0, 0, 77, 21), (40, 8, NOWHERE, DISPATCH, 4)):
            queue = self.program.queue()
            told, packet = queue.told(), self.write(queue)
            if size:
                packet.put(offset, value, size)
            queue.submit(kind | SYSTEM)
            self.assertTrue(wait_until(lambda told=told: told.value))
            self.assertEqual((told.value, queue.done), (1 << code, 0))
            self.assertEqual((self.destroy(queue), self.destroy(queue)), (0, -errno.EINVAL))
        self.check_kernel()

    def test_global_wave_sync_is_of_one_queue(self):
        """A kernel that waits by global wave sync, for itself alone, runs where the queue has been given it, and stops where not."""
        def give(queue, count):
            sync = kfd.allocate_sync(queue, count)
            return self.program.call("allocate_sync", sync), sync.first

        other = self.program.queue()
        told = other.told()
        self.assertEqual(give(self.queue.id, 64), (0, 0))
        self.assertEqual([give(*what)[0] for what in ((self.queue.id, 64), (other.id, 64), (other.id, 0), (12345, 0))],
                         [-errno.EBUSY, -errno.EBUSY, -errno.EINVAL, -errno.EINVAL])
        barrier = [*PROGRAM[:-1], 0xD93B0000, 0x00000002, PROGRAM[-1]]  # ds_gws_barrier v2 gds
        for queue in (self.queue, other):
            self.write(queue, barrier)
            queue.submit(DISPATCH | SYSTEM)
        self.assertTrue(self.queue.wait(1))
        self.assertTrue(wait_until(lambda: told.value))
        self.assertEqual(told.value, exception("WAVE_ILLEGAL"))
        self.assertEqual((give(self.queue.id, 0)[0], give(self.queue.id, 0)[0]), (0, -errno.EINVAL))

    def test_seed_fixes_the_order(self):
        def order(seed):
            """What the order of the workgroups' turns is, as far as they see it."""
            device = Device(self.command, "gfx90a", seed)
            self.program.close()
            self.program = Program(device.directory)
            self.program.acquire()
            queue = self.program.queue()
            queue.launch(COUNTS, groups=4)
            self.assertTrue(queue.wait(1))
            self.assertEqual(queue.result(0), 128)
            seen = tuple(queue.result(16 + i) for i in range(4))
            self.program.close()
            self.assertEqual(device.end(), (0, []))
            return seen

        orders = [(order(seed), order(seed)) for seed in range(4)]
        self.program = Program(self.device.directory)
        self.assertEqual([first for first, _ in orders], [second for _, second in orders])
        for first, second in itertools.combinations(orders, 2):
            self.assertNotEqual(first, second)


class Violations(QueueCase):
    def wait_for_violation(self, event):
        data = kfd.event_data(event_id=event)
        wait = kfd.wait_events(events=ctypes.addressof(data), count=1, timeout=20000)
        self.assertEqual(self.program.must("wait_events", wait).result, kfd.WAIT_COMPLETE)
        return data.memory

    def test_violation_is_told_by_its_memory_first(self):
        """The memory's event comes first: the queue's exception follows when a wait has returned it."""
        told, event = self.queue.told(), self.program.make_event(kfd.EVENT_MEMORY)
        self.write_nowhere()
        self.queue.submit(DISPATCH | SYSTEM)
        time.sleep(0.2)
        self.assertEqual(told.value, 0)
        self.assertEqual(self.wait_for_violation(event).address, NOWHERE)
        self.assertTrue(wait_until(lambda: told.value))
        self.assertEqual(told.value, exception("WAVE_MEMORY"))

    def test_violation_names_the_page_that_is_missing(self):
        """An access that begins in a page that is there is told by the page in which it fails."""
        end = self.queue.room.address + self.queue.room.size
        event = self.program.make_event(kfd.EVENT_MEMORY)
        self.write().put(40, end - 4, 8)
        self.queue.submit(DISPATCH | SYSTEM)
        memory = self.wait_for_violation(event)
        self.assertEqual((memory.address, memory.not_present), (end, 1))


class Unheard(AbortsNoted, QueueCase):
    remarks = (f"its runtime has not heard of the memory violation at {NOWHERE:#x}",)

    def test_program_that_does_not_hear_is_ended(self):
        """A program of which no thread comes to wait for the violation would stand for ever."""
        self.program.make_event(kfd.EVENT_MEMORY)
        self.write_nowhere()
        self.queue.submit(DISPATCH | SYSTEM)
        self.wait_for_abort()


class Listener:
    """Another thread of the program, which waits for an event and for memory violations."""

    def __init__(self, program, event):
        self.connection = program.connection()
        self.data = (kfd.event_data * 2)(kfd.event_data(event_id=event), kfd.event_data(event_id=program.make_event(kfd.EVENT_MEMORY)))

    def wait(self, count=2):
        wait = kfd.wait_events(events=ctypes.addressof(self.data), count=count, timeout=2**32 - 1)
        self.connection.send(ioctl("K", 0x0C, ctypes.sizeof(wait)), wait)
        time.sleep(0.02)

    def wakes(self, seconds):
        if not self.connection.answered(seconds):
            return False
        assert self.connection.receive()[0].result == 0
        return True


class Listening(QueueCase):
    def start(self, event=None):
        """One that has waited for a signal and for memory violations, and was woken by the signal."""
        self.event = kfd.event(event or self.program.make_event(kfd.EVENT_SIGNAL, True))
        self.listener = Listener(self.program, self.event.event_id)
        self.listener.wait()
        self.signal()
        self.wakes(5)

    def tearDown(self):
        self.listener.connection.close()
        super().tearDown()

    def signal(self):
        self.program.must("set_event", self.event)

    def wakes(self, seconds, expected=True):
        self.assertEqual(self.listener.wakes(seconds), expected)

    def test_listener_sleeps_while_a_kernel_runs(self):
        """What wakes it is put off while a kernel runs, and not longer: here until its queue is gone, or there is none that works."""
        self.start()
        self.listener.wait()
        self.run_forever()
        self.signal()
        self.wakes(0.2, False)
        self.assertEqual(self.destroy(), 0)
        self.wakes(5)

    def test_listener_wakes_from_other_calls(self):
        """Calls in which it waits for no violation, as those of a callback, end as those of any other thread."""
        self.start()
        self.run_forever()
        self.listener.wait(1)
        self.signal()
        self.wakes(5)
        self.assertEqual(self.destroy(), 0)

    def test_listener_that_comes_back_sleeps_too(self):
        """The program wakes it while it is on its way back to its call: it sleeps there as if it had been back. What the device signals
        comes through."""
        page = self.program.memory(kfd.SIGNAL_EVENTS * 8)
        event = self.program.must("create_event", kfd.create_event(page_offset=page.handle, type=kfd.EVENT_SIGNAL, auto_reset=1)).event_id
        self.start(event)
        self.run_forever()
        self.signal()
        self.listener.wait()
        self.wakes(0.2, False)
        # The device does the same.
        page.put(8 * event, event, 8)
        self.wakes(5)
        page.put(8 * event, event, 8)
        time.sleep(0.1)
        self.signal()
        self.listener.wait()
        self.wakes(5)
        self.assertEqual(self.destroy(), 0)


class Wrong(QueueCase):
    def test_wrong_queues_are_refused(self):
        queue = self.queue
        right = {"ring_address": queue.ring.address, "write_pointer_address": queue.structure.address + queue.WRITE_POINTER,
                 "read_pointer_address": queue.structure.address + queue.READ_POINTER, "ring_size": 4096, "gpu_id": self.program.gpu_id,
                 "type": kfd.QUEUE_COMPUTE_AQL, "percentage": 100}
        for field, value, error in (("ring_size", 100, errno.EINVAL), ("ring_size", 0, errno.EINVAL), ("ring_address", 0, errno.EINVAL),
                                    ("percentage", 101, errno.EINVAL), ("priority", 16, errno.EINVAL), ("type", kfd.QUEUE_COMPUTE, errno.EINVAL),
                                    ("type", 9, errno.EINVAL), ("write_pointer_address", 3, errno.EFAULT), ("gpu_id", 0, errno.EINVAL)):
            self.assertEqual(self.program.call("create_queue", kfd.create_queue(**{**right, field: value})), -error, field)

    def test_queue_of_other_packets_is_refused(self):
        """Refused, and named in the log: they are not executed."""
        ring = self.program.memory(2 * PAGE)
        create = kfd.create_queue(ring_size=4096, percentage=100, priority=7, type=kfd.QUEUE_COMPUTE, gpu_id=self.program.gpu_id,
                                  ring_address=ring.address, write_pointer_address=ring.address + PAGE, read_pointer_address=ring.address + PAGE)
        self.assertEqual(self.program.call("create_queue", create), -errno.EINVAL)
        self.assertIn("not implemented: a queue of type 0, whose packets are PM4\n", self.device.log.read_text("utf-8"))

    def test_stopped_queue_waits(self):
        """A queue that has no share of the device, or no ring, does nothing until it is let go on."""
        def update(**changes):
            right = {"ring_address": self.queue.ring.address, "queue_id": self.queue.id, "ring_size": self.queue.ring.size, "percentage": 100}
            return self.program.call("update_queue", kfd.update_queue(**{**right, **changes}))

        for i, change in enumerate(("percentage", "ring_address", "ring_size")):
            self.value(0).value = 1
            self.assertEqual(update(**{change: 0}), 0)
            self.write()
            self.queue.submit(DISPATCH | SYSTEM)
            time.sleep(0.03)
            self.assertEqual(self.value(0).value, 1)
            self.assertEqual(update(), 0)
            self.assertTrue(self.queue.wait(i + 1))
            self.assertEqual(self.value(0).value, 0)
            self.assertEqual(update(ring_size=1000), -errno.EINVAL)


if __name__ == "__main__":
    main(__doc__)
