/* SPDX-License-Identifier: MIT */
/* Offsets in the structure of a queue that the ROCm runtime calls amd_queue_t: what programs and debuggers read there. */
#ifndef WT_DEVICE_QUEUE_STRUCTURE_H
#define WT_DEVICE_QUEUE_STRUCTURE_H

#define WT_QUEUE_STRUCTURE_BYTES 256
#define WT_QUEUE_STRUCTURE_RING 8
#define WT_QUEUE_STRUCTURE_PACKETS 24 /* how many the ring has */
#define WT_QUEUE_STRUCTURE_ID 32
#define WT_QUEUE_STRUCTURE_WRITE_ID 56
#define WT_QUEUE_STRUCTURE_LOCAL_BASE_HIGH 64
#define WT_QUEUE_STRUCTURE_PRIVATE_BASE_HIGH 68
#define WT_QUEUE_STRUCTURE_READ_ID 128
#define WT_QUEUE_STRUCTURE_TMPRING_SIZE                                                            \
	140 /* waves with private memory, and bytes of each: see below */
#define WT_QUEUE_STRUCTURE_SCRATCH_BASE 160
#define WT_QUEUE_STRUCTURE_SCRATCH_SIZE 168

/* Fields of TMPRING_SIZE: 12 bits of waves, then 13 bits of units that each has. */
#define WT_TMPRING_WAVES 0xfffu
#define WT_TMPRING_UNITS_SHIFT 12
#define WT_TMPRING_UNITS 0x1fffu
#define WT_TMPRING_UNIT_BYTES 1024u

#endif /* WT_DEVICE_QUEUE_STRUCTURE_H */
