# SPDX-License-Identifier: MIT
"""Queries of agents, queues, code objects, dispatches, workgroups and waves.

Usage: test_objects.py LIBRARY-OVER-THE-FAKE-DEVICE
"""

import ctypes

from fake import MEMORY, PC, FakeCase, buffer, libc, main, number

FILLER = b"\xa5" * 32
GFX942 = 7  # the handle of the architecture
KINDS = ("agent", "queue", "code_object", "dispatch", "workgroup", "wave")


class Objects(FakeCase):
    def setUp(self):
        super().setUp()
        self.begin(2)
        lists = {kind: self.client.list(kind, self.process) for kind in KINDS}
        self.assertEqual({kind: len(handles) for kind, handles in lists.items()}, {**dict.fromkeys(KINDS, 1), "wave": 2})
        self.handles = {kind: handles[-1] for kind, handles in lists.items()}
        self.owners = {**self.handles, "process": self.process, "architecture": GFX942}

    def check(self, kind, **expected):
        """Answers to queries of an object. Where an object is asked for, it is the one there is."""
        for query, value in expected.items():
            self.asked(kind, self.handles[kind], query, value)

    def check_owners(self, kind, *queries):
        self.check(kind, **{query: self.owners[query.lower()] for query in queries})

    def check_all_queries(self, kind):
        """Handle, query, availability, NULL, size: the same for every query of the table."""
        handle, (_, _, invalid, queries) = self.handles[kind], self.api.at.objects[kind]
        value, get_info = buffer(FILLER), self.client.get_info
        for query, (_, result, *_) in queries.items():
            size = self.client.query_size(kind, query)
            status = self.api.status_name(get_info(kind, handle, query, size, None))
            self.gives(get_info(kind, 99, query, 0, None), invalid)
            self.gives(get_info(kind, 0, query, size, value), invalid)
            if status in ("ERROR_NOT_IMPLEMENTED", "ERROR_WAVE_NOT_STOPPED"):
                continue
            # Of clusters, which no architecture here has.
            if "CLUSTER" in query:
                self.assertEqual(status, "ERROR_NOT_AVAILABLE")
                continue
            self.assertEqual(status, "ERROR_INVALID_ARGUMENT")
            self.gives(get_info(kind, handle, query, size + 1, value), "ERROR_INVALID_ARGUMENT_COMPATIBILITY")
            self.assertEqual(bytes(value), FILLER)
            if result == "string":
                self.side.out_of_memory = True
                self.gives(get_info(kind, handle, query, size, value), "ERROR_CLIENT_CALLBACK")
                self.side.out_of_memory = False
                self.assertEqual(bytes(value), FILLER)
                continue
            self.gives(get_info(kind, handle, query, size, value))
            self.assertEqual(bytes(value)[size:], FILLER[size:])
            if result == "handles":
                libc.free(ctypes.c_void_p.from_buffer(value, 8))
            value[:] = FILLER
        self.gives(get_info(kind, handle, 0, 8, value), "ERROR_INVALID_ARGUMENT")
        self.gives(get_info(kind, handle, 99, 8, value), "ERROR_INVALID_ARGUMENT")

    def test_all_queries(self):
        for kind in KINDS:
            self.check_all_queries(kind)
        self.stop(self.handles["wave"])
        self.check_all_queries("wave")

    def test_agent(self):
        self.check_owners("agent", "PROCESS", "ARCHITECTURE")
        self.check("agent", NAME="Fake GPU", STATE=1, PCI_DOMAIN=0, PCI_SLOT=0x300, PCI_VENDOR_ID=0x1002, PCI_DEVICE_ID=0x74A1,
                   EXECUTION_UNIT_COUNT=304, MAX_WAVES_PER_EXECUTION_UNIT=32, OS_ID=4711)

    def test_queue(self):
        self.check_owners("queue", "AGENT", "ARCHITECTURE")
        self.check("queue", TYPE=self.api.OS_QUEUE_TYPE_HSA_AQL, ADDRESS=MEMORY, SIZE=256, OS_ID=12)
        for query in ("STATE", "ERROR_REASON"):
            self.gives(self.client.answer("queue", self.handles["queue"], query)[0], "ERROR_NOT_IMPLEMENTED")

    def test_packets(self):
        """Packets 3, 4 and 5 of a ring of four: the second lies at the start of the ring again."""
        packet_list, queue = self.api.queue_packet_list, self.handles["queue"]
        first, end, size, packets = number(), number(), number(), ctypes.c_void_p()
        ring = self.memory(self.process, MEMORY, 256)
        self.gives(packet_list(queue, first, end, size, packets))
        self.assertEqual((first.value, end.value, size.value), (3, 6, 192))
        self.assertEqual(ctypes.string_at(packets, 192), ring[192:] + ring[:128])
        libc.free(packets)
        size.value = 0
        self.gives(packet_list(queue, first, end, size, None))
        self.assertEqual(size.value, 192)
        self.gives(packet_list(queue, first, end, None, None), "ERROR_INVALID_ARGUMENT")
        # As AMD's library: the handle is looked at last.
        self.gives(packet_list(9, None, None, None, None), "ERROR_INVALID_ARGUMENT")
        self.gives(packet_list(9, first, end, size, None), "ERROR_INVALID_QUEUE_ID")

    def test_code_object(self):
        self.check_owners("code_object", "PROCESS")
        self.check("code_object", URI_NAME="file:///kernels/fake.co", LOAD_ADDRESS=0x7F0000200000)

    def test_dispatch(self):
        """Byte i of the packet is 0x40 + i, so that every field shows where it was read: header 0x4140, setup 0x4342."""
        self.check_owners("dispatch", "QUEUE", "AGENT", "PROCESS", "ARCHITECTURE")
        self.check("dispatch", OS_QUEUE_PACKET_ID=1, BARRIER=1, ACQUIRE_FENCE=0, RELEASE_FENCE=0, GRID_DIMENSIONS=2,
                   WORKGROUP_SIZES=(0x4544, 0x4746, 0x4948), GRID_SIZES=(0x4F4E4D4C, 0x53525150, 0x57565554),
                   PRIVATE_SEGMENT_SIZE=0x5B5A5958, GROUP_SEGMENT_SIZE=0x5F5E5D5C, KERNEL_DESCRIPTOR_ADDRESS=0x6766656463626160,
                   KERNEL_ARGUMENT_SEGMENT_ADDRESS=0x6F6E6D6C6B6A6968, KERNEL_COMPLETION_ADDRESS=0x7F7E7D7C7B7A7978,
                   KERNEL_CODE_ENTRY_ADDRESS=PC)

    def test_workgroup_and_wave(self):
        self.check_owners("workgroup", "DISPATCH")
        self.check("workgroup", WORKGROUP_COORD=(3, 2, 1))
        self.check_owners("wave", "WORKGROUP", "DISPATCH", "QUEUE", "AGENT")
        self.check("wave", WORKGROUP_COORD=(3, 2, 1), WAVE_NUMBER_IN_WORKGROUP=1, LANE_COUNT=64)

    def test_stopped_queries(self):
        self.stop(self.handles["wave"])
        self.check("wave", PC=PC, EXEC_MASK=2**64 - 1, WATCHPOINTS=[])


if __name__ == "__main__":
    main(__doc__)
