/* SPDX-License-Identifier: MIT */
#include "gfx/architecture/packet.h"

/* The low byte of a header, and the format of a vendor's packet behind that. */
enum packet_type {
	TYPE_VENDOR = 0,
	TYPE_INVALID = 1,
	TYPE_DISPATCH = GFX_PACKET_TYPE_DISPATCH,
	TYPE_BARRIER_AND = 3,
	TYPE_BARRIER_OR = 5,
};
#define FORMAT_BARRIER_VALUE 2

/* Offsets. */
#define HEADER_FORMAT 2
#define DISPATCH_WORKGROUP 4
#define DISPATCH_GRID 12
#define DISPATCH_KERNEL 32
#define DISPATCH_ARGUMENTS 40
#define BARRIER_SIGNALS 8
#define VALUE_VALUE 16
#define VALUE_MASK 24
#define VALUE_CONDITION 32
#define COMPLETION 56

static uint64_t packet_number(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	for (size_t i = size; i-- > 0;)
		value = value << 8 | bytes[i];
	return value;
}

static void decode_dispatch(const uint8_t *bytes, struct gfx_packet *packet)
{
	packet->kind = GFX_PACKET_DISPATCH;
	for (size_t d = 0; d < 3; d++) {
		packet->workgroup[d] =
			(uint32_t)packet_number(bytes + DISPATCH_WORKGROUP + 2 * d, 2);
		packet->grid[d] = (uint32_t)packet_number(bytes + DISPATCH_GRID + 4 * d, 4);
	}
	packet->kernel_object = packet_number(bytes + DISPATCH_KERNEL, 8);
	packet->arguments = packet_number(bytes + DISPATCH_ARGUMENTS, 8);
}

/* The first @count places for signals, without those that are empty. */
static void decode_signals(const uint8_t *bytes, size_t count, struct gfx_packet *packet)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t signal = packet_number(bytes + BARRIER_SIGNALS + 8 * i, 8);

		if (signal)
			packet->signals[packet->signal_count++] = signal;
	}
}

static void decode_value(const uint8_t *bytes, struct gfx_packet *packet)
{
	packet->kind = GFX_PACKET_BARRIER_VALUE;
	decode_signals(bytes, 1, packet);
	packet->value = (int64_t)packet_number(bytes + VALUE_VALUE, 8);
	packet->mask = (int64_t)packet_number(bytes + VALUE_MASK, 8);
	packet->condition = (uint32_t)packet_number(bytes + VALUE_CONDITION, 4);
}

struct gfx_packet gfx_packet_decode(const uint8_t bytes[GFX_PACKET_SIZE])
{
	struct gfx_packet packet = {.kind = GFX_PACKET_OTHER,
				    .type = bytes[0],
				    .completion = packet_number(bytes + COMPLETION, 8)};

	switch (packet.type) {
	case TYPE_INVALID:
		packet.kind = GFX_PACKET_INVALID;
		break;
	case TYPE_DISPATCH:
		decode_dispatch(bytes, &packet);
		break;
	case TYPE_BARRIER_AND:
	case TYPE_BARRIER_OR:
		packet.kind = packet.type == TYPE_BARRIER_AND ? GFX_PACKET_BARRIER_AND
							      : GFX_PACKET_BARRIER_OR;
		decode_signals(bytes, GFX_PACKET_SIGNALS, &packet);
		break;
	case TYPE_VENDOR:
		if (bytes[HEADER_FORMAT] == FORMAT_BARRIER_VALUE)
			decode_value(bytes, &packet);
		break;
	default:
		break;
	}
	return packet;
}
