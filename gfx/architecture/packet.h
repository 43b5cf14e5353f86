/* SPDX-License-Identifier: MIT */
/* Packets of AQL queues, as the HSA specification and AMD's runtime have them: what a queue is to do, and what it waits for. */
#ifndef GFX_ARCHITECTURE_PACKET_H
#define GFX_ARCHITECTURE_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define GFX_PACKET_SIZE 64u
#define GFX_PACKET_TYPE_DISPATCH 2u
#define GFX_PACKET_SIGNALS 5u /* that one packet can wait for */

enum gfx_packet_kind {
	GFX_PACKET_INVALID, /* its slot was reserved, and nothing was written there yet */
	GFX_PACKET_DISPATCH,
	GFX_PACKET_BARRIER_AND,	  /* waits until all of its signals are 0 */
	GFX_PACKET_BARRIER_OR,	  /* waits until one of them is */
	GFX_PACKET_BARRIER_VALUE, /* waits until its signal's value meets a condition */
	GFX_PACKET_OTHER,	  /* of another type */
};

enum gfx_packet_condition {
	GFX_PACKET_EQUAL,
	GFX_PACKET_NOT_EQUAL,
	GFX_PACKET_LESS,
	GFX_PACKET_NOT_LESS,
};

struct gfx_packet {
	enum gfx_packet_kind kind;
	uint8_t type; /* as in the packet's header */
	/* A dispatch has its size in work-items, and the addresses of its kernel's descriptor and arguments. */
	uint32_t grid[3], workgroup[3];
	uint64_t kernel_object, arguments;
	/* A barrier has the addresses of the signals that it waits for. */
	uint64_t signals[GFX_PACKET_SIGNALS];
	size_t signal_count;
	/* BARRIER_VALUE compares (value of the signal & mask) with `value`. */
	int64_t value, mask;
	uint32_t condition;  /* enum gfx_packet_condition */
	uint64_t completion; /* the signal that is told when the packet is done; 0: none */
};

/** Decode a packet. Any bytes are one. */
struct gfx_packet gfx_packet_decode(const uint8_t bytes[GFX_PACKET_SIZE]);

/* Offset of the value in a signal; it has 8 bytes. */
#define GFX_SIGNAL_VALUE 8u

#endif /* GFX_ARCHITECTURE_PACKET_H */
