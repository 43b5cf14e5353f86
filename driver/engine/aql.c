/* SPDX-License-Identifier: MIT */
/*
 * AQL queues: packets in order from the read index, as the HSA specification has them. One dispatch of a queue is worked on
 * at a time, so that the barrier bit holds for every packet.
 */
#include <endian.h>
#include <string.h>

#include "driver/engine/internal.h"
#include "gfx/architecture/packet.h"

/* The low byte of a header. */
#define PACKET_VENDOR 0
#define PACKET_INVALID 1

/* The value that a queue's inactive signal has for a packet that is none. */
#define INACTIVE_PACKET 32
#define EXCEPTION_PACKET_UNSUPPORTED (UINT64_C(1) << 21)

static uint64_t address_of(const struct wt_engine_queue *queue, uint64_t packet_id)
{
	return queue->options.ring_address +
	       packet_id % (queue->options.ring_size / GFX_PACKET_SIZE) * GFX_PACKET_SIZE;
}

/* The packet is done: its slot may be used again once the read index has moved on. */
static void consume(struct wt_engine_queue *queue, uint64_t signal, uint64_t start)
{
	const uint16_t invalid = PACKET_INVALID;
	uint64_t *read_id = &queue->queue.queue.read_packet_id;

	wt_sight_publish(queue->view, address_of(queue, *read_id), &invalid, sizeof(invalid));
	wt_signal_complete(queue, signal, start);
	(*read_id)++;
	wt_sight_publish(queue->view, queue->options.read_pointer_address, read_id,
			 sizeof(*read_id));
	queue->view->engine->packets++;
}

/* Has every one, or any, of the signals that a barrier has come down to zero? */
static bool is_met(const struct wt_engine_queue *queue, const struct gfx_packet *packet)
{
	bool all = packet->kind == GFX_PACKET_BARRIER_AND, any = false;

	for (size_t i = 0; i < packet->signal_count; i++) {
		int64_t value;

		if (!wt_signal_read(queue, packet->signals[i], &value) || (value && all))
			return false;
		any |= !value;
	}
	return all || any || !packet->signal_count;
}

/* Does the signal's value meet the condition? A condition that there is not is never met. */
static bool signal_has_value(const struct wt_engine_queue *queue, const struct gfx_packet *packet)
{
	int64_t value;

	if (!packet->signal_count)
		return true;
	if (!wt_signal_read(queue, packet->signals[0], &value))
		return false;
	value &= packet->mask;
	switch (packet->condition) {
	case GFX_PACKET_EQUAL:
		return value == packet->value;
	case GFX_PACKET_NOT_EQUAL:
		return value != packet->value;
	case GFX_PACKET_LESS:
		return value < packet->value;
	case GFX_PACKET_NOT_LESS:
		return value >= packet->value;
	default:
		return false;
	}
}

enum step { STEP_NEXT, STEP_BEGIN, STEP_LATER };

/* One packet that has been written. */
static enum step aql_take_packet(struct wt_engine_queue *queue, const uint8_t *bytes)
{
	const struct gfx_packet packet = gfx_packet_decode(bytes);
	uint64_t start = wt_engine_ticks();

	switch (packet.kind) {
	case GFX_PACKET_DISPATCH:
		queue->signal = packet.completion;
		queue->start = start;
		return wt_dispatch_prepare(queue, bytes) == WT_PREPARED ? STEP_BEGIN : STEP_LATER;
	case GFX_PACKET_BARRIER_AND:
	case GFX_PACKET_BARRIER_OR:
		if (!is_met(queue, &packet))
			return STEP_LATER;
		break;
	case GFX_PACKET_BARRIER_VALUE:
		if (!signal_has_value(queue, &packet))
			return STEP_LATER;
		break;
	default:
		if (packet.type == PACKET_VENDOR) {
			/* Commands in another format: what the runtime has is that code has changed. */
			queue->view->engine->code_changes++;
			break;
		}
		queue->view->engine->host.missing(queue->view->engine->host.opaque,
						  "a packet of a type that is not known");
		wt_queue_fail(queue, EXCEPTION_PACKET_UNSUPPORTED, INACTIVE_PACKET,
			      "a packet of a type that it does not know");
		return STEP_LATER;
	}
	consume(queue, packet.completion, start);
	return STEP_NEXT;
}

static bool aql_begin(struct wt_queue *base)
{
	struct wt_engine_queue *queue = wt_engine_queue_of(base);
	uint64_t *read_id = &base->queue.read_packet_id;
	uint8_t packet[GFX_PACKET_SIZE];
	enum step step = STEP_NEXT;

	if (!queue->runs || queue->failed || !wt_dispatch_may_go_on(queue))
		return false;
	/* Other queues have their turn after a ring's worth of packets. */
	for (uint64_t i = 0; i < queue->options.ring_size / GFX_PACKET_SIZE; i++) {
		uint64_t address = address_of(queue, *read_id);

		if (!wt_sight_read(queue->view, queue->options.write_pointer_address,
				   &base->queue.write_packet_id, sizeof(*read_id)) ||
		    *read_id >= base->queue.write_packet_id ||
		    !wt_sight_read(queue->view, address, packet, sizeof(packet)) ||
		    packet[0] == PACKET_INVALID)
			return false;
		/* The words behind the header were written before it. */
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		wt_sight_read(queue->view, address, packet, sizeof(packet));
		step = aql_take_packet(queue, packet);
		if (step != STEP_NEXT)
			break;
	}
	if (step != STEP_BEGIN)
		return false;
	base->task = &queue->task;
	base->dispatch = (struct wt_device_dispatch){.packet_id = *read_id,
						     .packet_address = address_of(queue, *read_id)};
	memcpy(base->dispatch.packet, packet, sizeof(packet));
	return true;
}

static void aql_complete(struct wt_queue *base)
{
	struct wt_engine_queue *queue = wt_engine_queue_of(base);

	consume(queue, queue->signal, queue->start);
	wt_dispatch_give_back(queue);
}

static bool aql_is_empty(const struct wt_queue *base)
{
	return base->queue.read_packet_id >= base->queue.write_packet_id;
}

const struct wt_queue_operations wt_aql_operations = {
	.begin = aql_begin,
	.complete = aql_complete,
	.is_empty = aql_is_empty,
	.provide = wt_dispatch_provide,
	.place = wt_dispatch_place,
};
