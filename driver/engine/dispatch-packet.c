/* SPDX-License-Identifier: MIT */
/*
 * From a dispatch packet to a task, and the private memory of its waves, for which the runtime is asked: it allocates it
 * and fills it into the queue's structure while the packet waits.
 */
#include <stdio.h>
#include <string.h>

#include "device/save-area/layout.h"
#include "driver/engine/internal.h"

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
	INACTIVE_WORKGROUP = 64,
	INACTIVE_RECLAIM = 512, /* memory that is for one dispatch alone is not needed any more */
};

/* Bits of the exceptions that packets have. */
#define EXCEPTION_DIMENSIONS (UINT64_C(1) << 15)
#define EXCEPTION_GROUP (UINT64_C(1) << 16)
#define EXCEPTION_CODE (UINT64_C(1) << 17)
#define EXCEPTION_WORKGROUP (UINT64_C(1) << 19)

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

static enum wt_prepared dispatch_fail(struct wt_engine_queue *queue, uint64_t exception,
				      enum inactive inactive, const char *why)
{
	wt_queue_fail(queue, exception, inactive, why);
	return WT_PREPARED_WRONG;
}

static enum wt_prepared read_sizes(struct wt_engine_queue *queue, const uint8_t *packet)
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
	return WT_PREPARED;
}

static enum wt_prepared dispatch_read_kernel(struct wt_engine_queue *queue, const uint8_t *packet)
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
	return WT_PREPARED;
}

void wt_dispatch_place(struct wt_queue *base, struct wt_group *group, size_t index)
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

size_t wt_dispatch_provide(struct wt_queue *base, size_t groups)
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
		wt_dispatch_place(base, base->groups[i], i);
}

static enum wt_prepared find_scratch(struct wt_engine_queue *queue)
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
		return WT_PREPARED;
	}
	fit = wave_size ? size / wave_size : 0;
	slots = slots < fit ? slots : fit;
	if (address && wave_size >= needed && slots >= waves &&
	    wt_sight_bytes(queue->view, address, size)) {
		/* A save area tells a wave's place by its shader engine, each of which has as many. */
		slots = slots < engines ? slots : slots / engines * engines;
		/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a workgroup has a wave */
		dispatch_place_scratch(queue, wave_size, slots >= waves ? slots / waves : 1);
		queue->scratch_asked = false;
		return WT_PREPARED;
	}
	/* Scratch memory is asked for once: the answer is that the signal becomes 0. */
	if (!queue->scratch_asked) {
		queue->scratch_asked = true;
		wt_signal_set(queue, dispatch_field(queue, AT_INACTIVE_SIGNAL, 8),
			      task->resources.lane_count == GFX_MAX_LANES ? INACTIVE_SCRATCH
									  : INACTIVE_SCRATCH_SHORT);
	}
	return WT_PREPARED_WAITS;
}

/* Is a request still without an answer? */
static bool is_asked(const struct wt_engine_queue *queue)
{
	uint64_t signal = dispatch_field(queue, AT_INACTIVE_SIGNAL, 8);
	int64_t value = 0;

	return signal && wt_sight_read(queue->view, signal + 8, &value, sizeof(value)) && value;
}

bool wt_dispatch_may_go_on(struct wt_engine_queue *queue)
{
	if (!queue->scratch_asked && !queue->scratch_given)
		return true;
	if (is_asked(queue))
		return false;
	queue->scratch_asked = queue->scratch_given = false;
	return true;
}

void wt_dispatch_give_back(struct wt_engine_queue *queue)
{
	if (!queue->task.private_bytes ||
	    !(dispatch_field(queue, AT_PROPERTIES, 4) & PROPERTY_USE_ONCE))
		return;
	queue->scratch_given = true;
	wt_signal_set(queue, dispatch_field(queue, AT_INACTIVE_SIGNAL, 8), INACTIVE_RECLAIM);
}

enum wt_prepared wt_dispatch_prepare(struct wt_engine_queue *queue, const uint8_t packet[64])
{
	enum wt_prepared prepared = read_sizes(queue, packet);

	if (prepared == WT_PREPARED)
		prepared = dispatch_read_kernel(queue, packet);
	if (prepared == WT_PREPARED &&
	    !wt_queue_reserve(&queue->queue, &queue->task, WT_QUEUE_GROUPS))
		return dispatch_fail(queue, EXCEPTION_GROUP, INACTIVE_GROUP,
				     "no memory for the waves of a dispatch");
	return prepared == WT_PREPARED ? find_scratch(queue) : prepared;
}
