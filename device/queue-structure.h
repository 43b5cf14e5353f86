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
/* Waves with private memory, and bytes of each: device/save-area/layout.h has the fields of each family. */
#define WT_QUEUE_STRUCTURE_TMPRING_SIZE 140
#define WT_QUEUE_STRUCTURE_SCRATCH_BASE 160
#define WT_QUEUE_STRUCTURE_SCRATCH_SIZE 168

#endif /* WT_DEVICE_QUEUE_STRUCTURE_H */
