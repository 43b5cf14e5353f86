# SPDX-License-Identifier: MIT
"""Today's runtime asks these things of the driver, in this form: the calls of a program were recorded, and are made again. None of them may
be refused, or be named as not implemented; each queue does its work.

A line of traffic-*.txt is a call: K (/dev/kfd) or d (the render node), its number, the bytes of its argument, and the argument's words in
hexadecimal, or in the place of some: G is the agent's id, A<i>+<offset> and H<i> are the address and the handle of the allocation that was
made as number i, E<i> and Q<i> an event and a queue, G* points to the agent's id, P to a buffer, U to memory of the program.

Usage: test_traffic.py WAVETAPE
"""

import ctypes
import os
import pathlib
import struct

from driver import BARRIER_AND, SYSTEM, Memory, ProgramCase, ioctl, kfd, main, wait_until, wire

CREATE_QUEUE, CREATE_EVENT, ALLOCATE, MAP = 0x02, 0x08, 0x16, 0x18
BUFFER_BYTES = 4096
SDMA_FENCE = 5


class Traffic(ProgramCase):
    def setUp(self):
        super().setUp()
        self.program.acquire()
        self.addresses, self.handles, self.events, self.queues = [], [], [], []
        self.agent, self.buffer = ctypes.c_uint32(self.program.gpu_id), ctypes.create_string_buffer(2 * BUFFER_BYTES)

    def value(self, token):
        """The bytes of a token of the table: one word or two."""
        index, _, offset = token[1:].partition("+")
        if token == "G*":
            return struct.pack("<Q", ctypes.addressof(self.agent))
        if token[0] in "PU":
            return struct.pack("<Q", -(-ctypes.addressof(self.buffer) // BUFFER_BYTES) * BUFFER_BYTES)
        if token[0] == "A":
            return struct.pack("<Q", self.addresses[int(index)] + int(offset, 16))
        if token[0] == "H":
            return struct.pack("<Q", self.handles[int(index)])
        return struct.pack("<I", {"G": lambda: self.program.gpu_id, "E": lambda: self.events[int(index)],
                                  "Q": lambda: self.queues[int(index)]}.get(token[0], lambda: int(token, 16))())

    def try_queue(self, queue):
        """It does one packet or command: a barrier, or a word that is written behind the read pointer."""
        read, target = Memory(queue.read_pointer_address, 8), Memory(queue.read_pointer_address + 64, 8)
        ring = Memory(queue.ring_address, queue.ring_size)
        target.put(0, 0, 8)
        if queue.type == kfd.QUEUE_COMPUTE_AQL:
            for offset in range(0, ring.size, 64):
                ring.put(offset, 1, 1)
            ring.put_bytes(2, bytes(62))
            ring.put(0, BARRIER_AND | SYSTEM, 2)
            Memory(queue.write_pointer_address, 8).put(0, 1, 8)
            self.assertTrue(wait_until(lambda: read.get(0, 8) == 1))
            return
        ring.put_bytes(0, struct.pack("<IQI", SDMA_FENCE, target.address, 42))
        self.assertEqual(os.pwrite(self.program.anchor.files[wire.KFD], struct.pack("<Q", 16), queue.doorbell_offset), 8)
        self.assertTrue(wait_until(lambda: target.get(0, 8) == 42))

    def keep(self, number, content):
        """The runtime keeps these of an answer."""
        if number == ALLOCATE:
            memory = kfd.allocate_memory.from_buffer_copy(content)
            self.handles.append(memory.handle)
            # Doorbells and the like are not accessed.
            if memory.flags & (kfd.MEMORY_GTT | kfd.MEMORY_VRAM):
                self.program.map_at(memory.address, memory.size, memory.mmap_offset)
        elif number == CREATE_EVENT:
            self.events.append(kfd.create_event.from_buffer_copy(content).event_id)
        elif number == CREATE_QUEUE:
            queue = kfd.create_queue.from_buffer_copy(content)
            self.queues.append(queue.queue_id)
            self.try_queue(queue)

    def call(self, line):
        base, number, size, *tokens = line.split()
        number, size = int(number, 16), int(size)
        is_kfd = base == "K"
        # An allocation's size stands behind its address.
        if is_kfd and number == ALLOCATE:
            self.addresses.append(self.program.place(int(tokens[1], 16))[0])
        content = b"".join(map(self.value, tokens))
        self.assertEqual(len(content), size, line)
        argument = (ctypes.c_uint8 * size).from_buffer_copy(content) if size else b""
        result = self.program.thread.call(ioctl(base, number, size), argument, wire.KFD if is_kfd else wire.RENDER)
        self.assertEqual(result, 0, f"{line}: {os.strerror(abs(result))}")
        if is_kfd and number == MAP:
            self.assertEqual(kfd.map_memory.from_buffer_copy(argument).done, 1)
        if is_kfd:
            self.keep(number, bytes(argument))

    def test_nothing_that_is_asked_is_refused(self):
        lines = pathlib.Path(__file__).with_name("traffic-rocr-6.4.3.txt").read_text("utf-8").splitlines()
        calls = [line for line in lines if not line.startswith("#")]
        for line in calls:
            self.call(line)
        self.assertGreater(len(calls), 250)
        self.assertEqual(len(self.queues), 5)
        self.assertNotIn("not implemented", self.device.log.read_text("utf-8"))


if __name__ == "__main__":
    main(__doc__)
