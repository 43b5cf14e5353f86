/* SPDX-License-Identifier: MIT */
/*
 * AQL queues: packets in order from the read index, as the HSA specification has them. One dispatch of a queue is worked on
 * at a time, so that the barrier bit holds for every packet. For the private memory of its waves the runtime is asked: it allocates it
 * and fills it into the queue's structure while the packet waits.
 */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "device/save-area/layout.h"
#include "driver/engine/internal.h"
#include "gfx/architecture/packet.h"

/* The low byte of a header. */
#define PACKET_VENDOR 0
#define PACKET_INVALID 1

/* Offsets in a dispatch packet. */
#define AT_WORKGROUP 4
#define AT_GRID 12
#define AT_PRIVATE 24
#define AT_GROUP 28
#define AT_KERNEL 32
#define AT_ARGUMENTS 40

/* Offsets in the queue's structure. */
#define AT_TMPRING 0x8c
#define AT_SCRATCH 0xa0
#define AT_SCRATCH_SIZE 0xa8
#define AT_PROPERTIES 0xb4
#define AT_INACTIVE_SIGNAL 0xc0

#define PROPERTY_USE_ONCE (1u << 4)

#define WORKGROUP_MAX 1024u

/* Values of a queue's inactive signal. */
enum inactive {
	INACTIVE_SCRATCH = 1,	       /* a request: waves of 64 lanes */
	INACTIVE_SCRATCH_SHORT = 1024, /* the same, of 32 */
	INACTIVE_DIMENSIONS = 2,
	INACTIVE_GROUP = 4,
	INACTIVE_CODE = 8,
	INACTIVE_PACKET = 32, /* for a packet that is none */
	INACTIVE_WORKGROUP = 64,
	INACTIVE_RECLAIM = 512, /* memory that is for one dispatch alone is not needed any more */
};

/* Bits of the exceptions that packets have. */
#define EXCEPTION_DIMENSIONS (UINT64_C(1) << 15)
#define EXCEPTION_GROUP (UINT64_C(1) << 16)
#define EXCEPTION_CODE (UINT64_C(1) << 17)
#define EXCEPTION_WORKGROUP (UINT64_C(1) << 19)
#define EXCEPTION_PACKET_UNSUPPORTED (UINT64_C(1) << 21)

enum prepared {
	PREPARED,
	PREPARED_WAITS, /* it waits for scratch memory */
	PREPARED_WRONG, /* the packet is invalid, and the queue has failed */
};

/* ---- Dispatches: from a packet to a task ---- */

static uint32_t packet_word_at(const uint8_t *packet, size_t offset)
{
	uint32_t word;

	memcpy(&word, packet + offset, sizeof(word));
	return word;
}

static uint64_t address_at(const uint8_t *packet, size_t offset)
{
	uint64_t address;

	memcpy(&address, packet + offset, sizeof(address));
	return address;
}

static uint64_t dispatch_field(const struct wt_engine_queue *queue, size_t offset, size_t size)
{
	uint64_t value = 0;

	wt_sight_read(queue->view, queue->structure + offset, &value, size);
	return value;
}

static enum prepared dispatch_fail(struct wt_engine_queue *queue, uint64_t exception,
				   enum inactive inactive, const char *why)
{
	wt_queue_fail(queue, exception, inactive, why);
	return PREPARED_WRONG;
}

static enum prepared read_sizes(struct wt_engine_queue *queue, const uint8_t *packet)
{
	const uint32_t most = queue->queue.agent->agent.architecture->unit.local_bytes;
	struct wt_task *task = &queue->task;
	uint64_t items = 1;
	char why[64];

	for (size_t d = 0; d < 3; d++) {
		uint16_t size;

		memcpy(&size, packet + AT_WORKGROUP + 2 * d, sizeof(size));
		task->workgroup[d] = size;
		task->grid[d] = packet_word_at(packet, AT_GRID + 4 * d);
		if (!size || !task->grid[d])
			return dispatch_fail(queue, EXCEPTION_DIMENSIONS, INACTIVE_DIMENSIONS,
					     "a dispatch of no work-items");
		items *= size;
	}
	if (items > WORKGROUP_MAX)
		return dispatch_fail(queue, EXCEPTION_WORKGROUP, INACTIVE_WORKGROUP,
				     "a workgroup of more than 1024 work-items");
	task->group_bytes = packet_word_at(packet, AT_GROUP);
	task->private_bytes = (packet_word_at(packet, AT_PRIVATE) + 3) / 4 * 4;
	if (task->group_bytes > most) {
		snprintf(why, sizeof(why), "a workgroup with more than %u KiB of local memory",
			 most / 1024);
		return dispatch_fail(queue, EXCEPTION_GROUP, INACTIVE_GROUP, why);
	}
	task->arguments_address = address_at(packet, AT_ARGUMENTS);
	return PREPARED;
}

static enum prepared dispatch_read_kernel(struct wt_engine_queue *queue, const uint8_t *packet)
{
	const struct gfx_architecture *architecture = queue->queue.agent->agent.architecture;
	uint64_t kernel = address_at(packet, AT_KERNEL);
	struct wt_task *task = &queue->task;
	uint8_t bytes[64];
	const char *wrong;

	if (!wt_sight_read(queue->view, kernel, bytes, sizeof(bytes)))
		return dispatch_fail(queue, EXCEPTION_CODE, INACTIVE_CODE,
				     "a kernel object that is not mapped");
	wrong = gfx_kernel_descriptor_parse(architecture, bytes, &task->descriptor);
	if (wrong)
		return dispatch_fail(queue, EXCEPTION_CODE, INACTIVE_CODE, wrong);
	gfx_kernel_descriptor_resources(architecture, &task->descriptor, &task->resources);
	task->entry = kernel + (uint64_t)task->descriptor.entry_offset;
	task->name = "";
	return PREPARED;
}

static void aql_place(struct wt_queue *base, struct wt_group *group, size_t index)
{
	struct wt_engine_queue *queue = wt_engine_queue_of(base);
	uint64_t size = base->scratch_wave;

	for (uint32_t w = 0; w < wt_task_waves(&queue->task); w++) {
		struct wt_wave *wave = &group->waves[w];
		uint64_t at = base->scratch_address + index * base->scratch_group + w * size;

		wave->scratch_address = size ? at : 0;
		wave->scratch = size && index < queue->scratch_groups
					? wt_sight_bytes(queue->view, at, size)
					: NULL;
	}
}

static size_t aql_provide(struct wt_queue *base, size_t groups)
{
	const struct wt_engine_queue *queue = wt_engine_queue_of(base);
	const struct wt_device_agent *agent = &base->agent->agent;
	uint32_t units = agent->execution_unit_count / agent->architecture->unit.simds;
	size_t most = wt_engine_stack_waves(agent->architecture->product, units) /
		      wt_task_waves(base->task);

	groups = groups < most ? groups : most;
	return groups < queue->scratch_groups ? groups : queue->scratch_groups;
}

/* Places the private memory of the first workgroups; @groups: how many have some. */
static void dispatch_place_scratch(struct wt_engine_queue *queue, uint64_t wave_size, size_t groups)
{
	struct wt_queue *base = &queue->queue;

	base->scratch_wave = wave_size;
	base->scratch_group = wt_task_waves(&queue->task) * wave_size;
	queue->scratch_groups = groups;
	for (size_t i = 0; i < WT_QUEUE_GROUPS; i++)
		aql_place(base, base->groups[i], i);
}

static enum prepared find_scratch(struct wt_engine_queue *queue)
{
	struct wt_queue *base = &queue->queue;
	const struct wt_task *task = &queue->task;
	uint64_t address = dispatch_field(queue, AT_SCRATCH, 8),
		 size = dispatch_field(queue, AT_SCRATCH_SIZE, 8);
	const struct gfx_architecture *architecture = base->agent->agent.architecture;
	const struct wt_save_area_layout *layout = wt_save_area_layout_find(architecture);
	uint32_t ring = (uint32_t)dispatch_field(queue, AT_TMPRING, 4), waves = wt_task_waves(task);
	uint64_t engines = architecture->product->engines, fit;
	uint64_t wave_size = wt_tmpring_wave_bytes(layout, ring);
	uint64_t slots = wt_tmpring_wave_count(layout, ring, engines);
	uint64_t needed = (uint64_t)task->private_bytes * task->resources.lane_count;

	base->scratch_address = address;
	base->scratch_size = size;
	if (!task->private_bytes) {
		dispatch_place_scratch(queue, 0, SIZE_MAX);
		return PREPARED;
	}
	fit = wave_size ? size / wave_size : 0;
	slots = slots < fit ? slots : fit;
	if (address && wave_size >= needed && slots >= waves &&
	    wt_sight_bytes(queue->view, address, size)) {
		/* A save area tells a wave's place by its shader engine, each of which has as many. */
		/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a GPU has a shader engine */
		slots = slots < engines ? slots : slots / engines * engines;
		/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a workgroup has a wave */
		dispatch_place_scratch(queue, wave_size, slots >= waves ? slots / waves : 1);
		queue->scratch_asked = false;
		return PREPARED;
	}
	/* Scratch memory is asked for once: the answer is that the signal becomes 0. */
	if (!queue->scratch_asked) {
		queue->scratch_asked = true;
		wt_signal_set(queue, dispatch_field(queue, AT_INACTIVE_SIGNAL, 8),
			      task->resources.lane_count == GFX_MAX_LANES ? INACTIVE_SCRATCH
									  : INACTIVE_SCRATCH_SHORT);
	}
	return PREPARED_WAITS;
}

/* Is a request still without an answer? */
static bool is_asked(const struct wt_engine_queue *queue)
{
	uint64_t signal = dispatch_field(queue, AT_INACTIVE_SIGNAL, 8);
	int64_t value = 0;

	return signal && wt_sight_read(queue->view, signal + 8, &value, sizeof(value)) && value;
}

/* Has the runtime accepted the scratch memory that was returned? */
static bool dispatch_may_go_on(struct wt_engine_queue *queue)
{
	if (!queue->scratch_asked && !queue->scratch_given)
		return true;
	if (is_asked(queue))
		return false;
	queue->scratch_asked = queue->scratch_given = false;
	return true;
}

/* A dispatch has ended: return scratch memory that was for this dispatch only. */
static void dispatch_give_back(struct wt_engine_queue *queue)
{
	if (!queue->task.private_bytes ||
	    !(dispatch_field(queue, AT_PROPERTIES, 4) & PROPERTY_USE_ONCE))
		return;
	queue->scratch_given = true;
	wt_signal_set(queue, dispatch_field(queue, AT_INACTIVE_SIGNAL, 8), INACTIVE_RECLAIM);
}

static enum prepared aql_prepare(struct wt_engine_queue *queue, const uint8_t packet[64])
{
	enum prepared prepared = read_sizes(queue, packet);

	if (prepared == PREPARED)
		prepared = dispatch_read_kernel(queue, packet);
	if (prepared == PREPARED && !wt_queue_reserve(&queue->queue, &queue->task, WT_QUEUE_GROUPS))
		return dispatch_fail(queue, EXCEPTION_GROUP, INACTIVE_GROUP,
				     "no memory for the waves of a dispatch");
	return prepared == PREPARED ? find_scratch(queue) : prepared;
}

/* ---- Packets in order ---- */

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
		/* A dispatch sees all that the program wrote before it, also in a run that began earlier. */
		wt_remote_forget(queue->view->engine);
		queue->signal = packet.completion;
		queue->start = start;
		return aql_prepare(queue, bytes) == PREPARED ? STEP_BEGIN : STEP_LATER;
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

	if (!queue->runs || queue->failed || !dispatch_may_go_on(queue))
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
	dispatch_give_back(queue);
}

static bool aql_is_empty(const struct wt_queue *base)
{
	return base->queue.read_packet_id >= base->queue.write_packet_id;
}

const struct wt_queue_operations wt_aql_operations = {
	.begin = aql_begin,
	.complete = aql_complete,
	.is_empty = aql_is_empty,
	.provide = aql_provide,
	.place = aql_place,
};
