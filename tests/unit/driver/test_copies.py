# SPDX-License-Identifier: MIT
"""An SDMA queue without a runtime: each command that is executed, around the end of the ring too, and what ends the queue.

Usage: test_copies.py WAVETAPE
"""

import ctypes
import os
import struct
import time

from driver import AbortsNoted, PAGE, ProgramCase, kfd, main, on, wait_until, wire

RING_BYTES = 4096
LONGEST = 13  # words of a command
PATIENCE = 5000  # milliseconds
POLL_EQUAL = 3 << 28 | 1 << 31
ATOMIC_ADD_64 = 47 << 25
FILL_WORDS = 2 << 30
TIMESTAMP_GLOBAL = 13 | 2 << 8
NOT_MAPPED = 0x10000
MARGIN = 64
# Each byte says where it is, so that none is found at another's place.
PATTERN = bytes((index * 31 + index // 251 + 1) & 0xFF for index in range(251 * 256))


def pattern(size):
    return (PATTERN * (size // len(PATTERN) + 1))[:size]


class Wide(int):
    """An address: two words of a command."""


def words_of(*parts):
    return [word for part in parts for word in ((part & 0xFFFFFFFF, part >> 32) if isinstance(part, Wide) else (part,))]


class CopyCase(ProgramCase):
    """The queue, and a page whose words it reads and writes."""

    def setUp(self):
        super().setUp()
        self.program.acquire()
        self.pointers, self.ring, self.page = (self.program.memory(size) for size in (PAGE, RING_BYTES, PAGE))
        self.at = Wide(self.page.address)
        self.make_queue()

    def make_queue(self):
        self.written = 0
        self.queue = self.program.must("create_queue", kfd.create_queue(
            ring_address=self.ring.address, write_pointer_address=self.pointers.address, read_pointer_address=self.pointers.address + 8,
            ring_size=RING_BYTES, gpu_id=self.program.gpu_id, type=kfd.QUEUE_SDMA, percentage=100))

    def put(self, *parts):
        """A command."""
        for word in words_of(*parts):
            self.ring.put(self.written % RING_BYTES, word)
            self.written += 4

    def ring_doorbell(self):
        """It is in the file that stands for the device."""
        self.assertEqual(os.pwrite(self.program.anchor.files[wire.KFD], struct.pack("<Q", self.written), self.queue.doorbell_offset), 8)

    @property
    def position(self):
        """How far it has come."""
        return self.pointers.get(8, 8)

    def reaches(self, position):
        self.assertTrue(wait_until(lambda: self.position >= position))
        self.assertEqual(self.position, position)

    def do(self, *parts):
        """Commands are executed: those that were put, and one more."""
        self.put(*parts)
        self.ring_doorbell()
        self.reaches(self.written)

    def at_offset(self, offset):
        return Wide(self.page.address + offset)

    def check_words(self, expected):
        self.assertEqual({offset: self.page.get(offset) for offset in expected}, expected)


# ---- What is executed ----

class Copies(CopyCase):
    def test_commands_do_what_they_say(self):
        self.put(2, self.at, 2, 11, 12, 13)
        self.put(1, 11, 0, self.at, self.at_offset(64))
        self.put(11 | FILL_WORDS, self.at_offset(128), 0x77777777, 12)
        self.put(10 | ATOMIC_ADD_64, self.at_offset(256), 0xFFFFFFFF, 1, 0, 0, 0)
        self.put(5, self.at_offset(320), 42)
        self.put(TIMESTAMP_GLOBAL, self.at_offset(328))
        self.do(2 << 16, 0xDEAD, 0xBEEF)
        self.check_words({64: 11, 72: 13, 76: 0, 128: 0x77777777, 140: 0x77777777, 144: 0, 320: 42})
        self.assertEqual(self.page.get(256, 8), 0x1FFFFFFFF)
        self.assertTrue(self.page.get(328, 8))

    def test_copy_goes_to_two_places(self):
        self.put(2, self.at, 1, 21, 22)
        self.put(1 | 1 << 27, 7, 0, self.at, self.at_offset(64), self.at_offset(128))
        self.do(5, self.at_offset(320), 42)
        self.check_words({68: 22, 128: 21, 132: 22, 320: 42})

    def check_rectangle(self, count, origin, pitch, first):
        """Two columns of three rows of three words."""
        for i in range(count):
            self.page.put(4 * i, i)
        self.do(1 | 4 << 8 | 2 << 29, self.at, 1, origin, 8, self.at_offset(512), 0, pitch, 3, 1 | 2 << 16, 0)
        self.check_words({512 + 8 * row + 4 * column: first + 3 * row + column for row in range(3) for column in range(2)})

    def test_rectangle_is_copied(self):
        """From the second column on."""
        self.check_rectangle(9, 2 << 13, 1 << 13, 1)

    @on("gfx1201")
    def test_rectangle_is_copied_by_a_later_engine(self):
        """It has other fields: from the second column and the second of two slices on, and another slice."""
        self.check_rectangle(18, 1 | 2 << 16, 1 << 16, 10)

    def test_counts_have_30_bits(self):
        """From 1 to 30 bits of count: exactly so many bytes arrive, from an odd address too."""
        sizes = (1, 4, 4095, 0x3FFFFF, 0x400000, 0x400001, 0x500000, 0x2000003)
        source, target = (self.program.memory(sizes[-1] + 2 * MARGIN) for _ in range(2))
        content = pattern(source.size)
        source.put_bytes(0, content)
        for shift, size in enumerate(sizes):
            target.clear()
            at = MARGIN - shift
            self.do(1, size - 1, 0, Wide(source.address + shift), Wide(target.address + at))
            self.assertTrue(target.bytes_at(at, size) == content[shift : shift + size], f"{size} bytes")
            self.assertEqual((target.get(at - 1, 1), target.get(at + size, 1)), (0, 0))

    def test_fills_have_30_bits(self):
        """Bytes, halves and words; a count of the bytes less one, or of the words less one."""
        target, value = self.program.memory(0x501000), bytes((0x11, 0x22, 0x33, 0x44))
        for element, count, size in ((0, 0, 1), (0, 2, 3), (1, 2, 4), (2, 12, 16), (2, 15, 16), (2, 0x4FFFFF, 0x500000)):
            target.clear()
            self.do(11 | element << 30, Wide(target.address), int.from_bytes(value, "little"), count)
            self.assertTrue(target.bytes_at(0, size) == (value[: 1 << element] * size)[:size], f"{size} bytes")
            self.assertEqual(target.get(size, 1), 0)

    def test_ranges_may_overlap(self):
        """Where the target begins within the source, it gets what the source had."""
        both = self.program.memory(0x600000)
        content = pattern(both.size)
        both.put_bytes(0, content)
        self.do(1, 0x4FFFFF, 0, Wide(both.address), Wide(both.address + 4097))
        self.assertTrue(both.bytes_at(4097, 0x500000) == content[:0x500000])

    def test_poll_waits(self):
        self.put(5, self.at, 1)
        before = self.written
        self.put(8 | POLL_EQUAL, self.at_offset(8), 5, 0xFFFFFFFF, 0)
        self.put(5, self.at, 2)
        self.ring_doorbell()
        self.reaches(before)
        time.sleep(0.02)
        self.check_words({0: 1})
        self.page.put(8, 5)
        self.reaches(self.written)
        self.check_words({0: 2})

    def test_commands_wrap_around(self):
        """A command goes on at the ring's beginning, and one of which a part is missing waits for the rest."""
        self.put((RING_BYTES // 4 - 6 - 1) << 16)
        self.written = RING_BYTES - 24
        self.do()
        self.do(2, self.at, 7, 1, 2, 3, 4, 5, 6, 7, 8)
        self.check_words({4 * i: i + 1 for i in range(8)})
        before = self.written
        self.put(2, self.at, 1, 99)
        self.ring_doorbell()
        time.sleep(0.02)
        self.assertEqual(self.position, before)
        self.check_words({0: 1})
        self.do(100)
        self.check_words({0: 99, 4: 100})

    # ---- What ends the queue ----

    def wait_event(self, *events):
        """Wait for one of them. Return: their data."""
        data = (kfd.event_data * len(events))(*(kfd.event_data(event_id=event) for event in events))
        wait = kfd.wait_events(ctypes.addressof(data), len(events), 0, PATIENCE)
        self.assertEqual(self.program.must("wait_events", wait).result, kfd.WAIT_COMPLETE)
        return data

    def test_wrong_commands_end_the_queue(self):
        """Unknown ones, one that is longer than the ring, and memory that is not there; other queues are made after them. The program is
        told: of a command that is not known that the device hangs, and of memory where it was accessed."""
        self.remarks = ("copy queue 0 has failed: a command that it does not know",)
        hangs, violations = self.program.make_event(kfd.EVENT_HW_EXCEPTION), self.program.make_event(kfd.EVENT_MEMORY)
        unknown = ((99,), (1 | 9 << 8,), (1, 0x40000000), (1, 3, 1 << 16), (2 | 1 << 8,), (2, 0, 0, 0xFFFFF), (5 | 1 << 8,), (6 | 1 << 8,),
                   (8, 0x1234), (8 | 1 << 8 | POLL_EQUAL,), (8 | 7 << 28 | 1 << 31,), (10 | 46 << 25,), (11 | 3 << 30,),
                   (11 | FILL_WORDS, 0, 0, 0, 0x80000000), (13,), (17,))
        missing = ((2, NOT_MAPPED, 0, 0, 1), (1, 3, 0, NOT_MAPPED, 0, NOT_MAPPED, 0), (8 | POLL_EQUAL, NOT_MAPPED),
                   (11 | FILL_WORDS, NOT_MAPPED, 0, 1, 0), (5, NOT_MAPPED, 0, 1))
        for command in (*unknown, *missing):
            self.put(*command, *[0] * (LONGEST - len(command)))
            self.ring_doorbell()
            hang, violation = self.wait_event(hangs, violations)
            self.assertLess(self.position, self.written)
            if command in missing:
                found = violation.memory
                self.assertEqual((found.gpu_id, found.address, found.not_present), (self.program.gpu_id, NOT_MAPPED, 1))
            else:
                found = hang.hardware
                self.assertEqual((found.gpu_id, found.memory_lost, found.reset_cause), (self.program.gpu_id, 1, kfd.RESET_HANG))
            self.program.must("reset_event", kfd.event(violations if command in missing else hangs))
            self.assertEqual(self.program.destroy_queue(self.queue.queue_id), 0)
            self.pointers.put(0, 0, 8)
            self.pointers.put(8, 0, 8)
            self.make_queue()
        self.do(5, self.at, 3)
        self.check_words({0: 3})


class Unheard(AbortsNoted, CopyCase):
    remarks = ("copy queue 0 has failed: a command that it does not know", "its runtime has not heard that the device hangs")

    def check_end(self, *kinds):
        """It has events of these kinds, and waits for none."""
        for kind in kinds:
            self.program.make_event(kind)
        self.put(99, 0)
        self.ring_doorbell()
        self.wait_for_abort()

    def test_program_that_does_not_hear_of_a_hang_is_ended(self):
        """Of runtimes before ROCm 6.2 a thread that waits for it may come too late."""
        self.check_end(kfd.EVENT_MEMORY)

    def test_program_with_an_event_of_hangs_is_ended(self):
        """That alone is signalled."""
        self.check_end(kfd.EVENT_MEMORY, kfd.EVENT_HW_EXCEPTION)


if __name__ == "__main__":
    main(__doc__)
