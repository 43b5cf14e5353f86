/* SPDX-License-Identifier: MIT */
/* The order in which things run: dispatches, workgroups, rounds. The rules stand in machine.h. */
#include <string.h>

#include "device/machine/machine.h"

#define MIX UINT64_C(0x9e3779b97f4a7c15)

/* The same dispatch has the same turns with the same seed, whatever was executed before it. */
static uint64_t first_random(const struct wt_queue *queue)
{
	const struct wt_device_queue *known = &queue->queue;
	uint64_t value = queue->machine->seed;

	if (!value)
		return 0;
	value = (value + known->number) * MIX;
	value = ((value ^ value >> 31) + queue->dispatch.packet_id) * MIX;
	value ^= value >> 29;
	return value ? value : MIX;
}

/* A number below @count; 0 without a seed. */
static uint32_t queue_draw(struct wt_queue *queue, uint32_t count)
{
	uint64_t random = queue->random;

	if (!random || count < 2)
		return 0;
	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	queue->random = random;
	return (uint32_t)(random >> 32) % count;
}

bool wt_queue_begin(struct wt_queue *queue)
{
	struct wt_machine *machine = queue->machine;

	if (!queue->operations->begin(queue))
		return false;
	queue->dispatch.number = machine->next_dispatch++;
	queue->dispatch.queue = &queue->queue;
	queue->dispatch.kernel_entry = queue->task->entry;
	queue->random = first_random(queue);
	memset(queue->next_group, 0, sizeof(queue->next_group));
	queue->all_groups_exist = false;
	queue->active = true;
	wt_queue_begin_slots(queue);
	if (machine->listener.dispatch_created)
		machine->listener.dispatch_created(machine->listener.opaque, &queue->dispatch);
	return true;
}

static void end_dispatch(struct wt_queue *queue)
{
	struct wt_machine *machine = queue->machine;

	queue->active = false;
	if (machine->listener.dispatch_ended)
		machine->listener.dispatch_ended(machine->listener.opaque, &queue->dispatch);
}

static void complete_dispatch(struct wt_queue *queue)
{
	end_dispatch(queue);
	queue->operations->complete(queue);
}

/* Size of a workgroup: the last one of a dimension may be smaller than the others. */
static uint32_t queue_group_extent(const struct wt_task *task, const uint32_t coordinates[3],
				   size_t d)
{
	uint64_t first = (uint64_t)coordinates[d] * task->workgroup[d];
	uint64_t left = task->grid[d] - first;
	uint32_t full = task->workgroup[d];

	return left < full ? (uint32_t)left : full;
}

/* Go on to the workgroup after this one. */
static void next_group_advance(struct wt_queue *queue)
{
	const struct wt_task *task = queue->task;

	for (size_t d = 0; d < 3; d++) {
		uint64_t next = (uint64_t)queue->next_group[d] + 1;

		if (next * task->workgroup[d] < task->grid[d]) {
			queue->next_group[d] = (uint32_t)next;
			return;
		}
		queue->next_group[d] = 0;
	}
	queue->all_groups_exist = true;
}

static struct wt_group *free_group(struct wt_queue *queue)
{
	for (size_t i = 0; i < queue->resident_limit; i++)
		if (!queue->groups[i]->resident)
			return queue->groups[i];
	return NULL;
}

void wt_queue_create_group(struct wt_queue *queue, struct wt_group *group,
			   const uint32_t coordinates[3])
{
	const struct wt_task *task = queue->task;
	struct wt_machine *machine = queue->machine;
	uint32_t size[3] = {queue_group_extent(task, coordinates, 0),
			    queue_group_extent(task, coordinates, 1),
			    queue_group_extent(task, coordinates, 2)};
	uint32_t lanes = task->resources.lane_count;

	if (task->group_bytes)
		memset(group->lds, 0,
		       gfx_local_room(queue->agent->agent.architecture, task->group_bytes));
	group->workgroup = (struct wt_device_workgroup){
		.number = machine->next_workgroup++,
		.dispatch = &queue->dispatch,
		.lds = group->lds,
		.lds_size = task->group_bytes,
	};
	memcpy(group->workgroup.coordinates, coordinates, sizeof(group->workgroup.coordinates));
	group->resident = true;
	group->wave_count = (size[0] * size[1] * size[2] + lanes - 1) / lanes;
	group->live_count = group->arrived_count = 0;
	queue->resident[queue->resident_count++] = group;
	if (machine->listener.workgroup_created)
		machine->listener.workgroup_created(machine->listener.opaque, &group->workgroup);
	for (uint32_t i = 0; i < group->wave_count; i++)
		wt_wave_create(queue, group, i, size);
}

/* Return: whether anything was created. */
static bool queue_fill(struct wt_queue *queue)
{
	struct wt_group *group;
	bool created = false;

	if (queue->held)
		return false;
	if (!queue->active) {
		if (!wt_queue_begin(queue))
			return false;
		created = true;
	}
	while (!queue->all_groups_exist && (group = free_group(queue))) {
		wt_queue_create_group(queue, group, queue->next_group);
		next_group_advance(queue);
		created = true;
	}
	return created;
}

/* Remove workgroups without waves. Return: whether there were any. */
static bool queue_sweep(struct wt_queue *queue)
{
	struct wt_machine *machine = queue->machine;
	size_t kept = 0, before = queue->resident_count;

	for (size_t i = 0; i < before; i++) {
		struct wt_group *group = queue->resident[i];

		if (group->live_count) {
			queue->resident[kept++] = group;
			continue;
		}
		group->resident = false;
		if (machine->listener.workgroup_ended)
			machine->listener.workgroup_ended(machine->listener.opaque,
							  &group->workgroup);
	}
	queue->resident_count = kept;
	return kept < before;
}

static uint64_t run_group(struct wt_queue *queue, struct wt_group *group)
{
	uint32_t first = queue_draw(queue, group->wave_count);
	uint64_t done = 0;

	for (uint32_t w = 0; w < group->wave_count; w++)
		done += wt_wave_run(queue, &group->waves[(first + w) % group->wave_count],
				    WT_WAVE_QUANTUM - queue_draw(queue, WT_WAVE_QUANTUM));
	return done;
}

static uint64_t run_queue(struct wt_queue *queue)
{
	uint32_t first = queue_draw(queue, (uint32_t)queue->resident_count);
	uint64_t done = 0;

	if (queue->held)
		return 0;
	for (size_t i = 0; i < queue->resident_count; i++)
		done += run_group(queue, queue->resident[(first + i) % queue->resident_count]);
	if (queue_sweep(queue))
		queue->waited = 0;
	else if (queue->active && !queue->all_groups_exist)
		wt_queue_note_wait(queue, done);
	if (queue->active && queue->all_groups_exist && !queue->resident_count)
		complete_dispatch(queue);
	return done;
}

static bool machine_is_idle(const struct wt_machine *machine)
{
	if (machine->program.stopped)
		return false;
	for (size_t i = 0; i < machine->queue_count; i++) {
		const struct wt_queue *queue = machine->queues[i];

		if (queue->active || !queue->operations->is_empty(queue))
			return false;
	}
	return true;
}

bool wt_machine_begin(struct wt_machine *machine)
{
	bool begun = false;

	for (size_t i = 0; i < machine->queue_count; i++)
		begun |= queue_fill(machine->queues[i]);
	return begun;
}

uint64_t wt_machine_round(struct wt_machine *machine, bool *begun_ret)
{
	uint64_t done = 0;

	*begun_ret = wt_machine_begin(machine);
	for (size_t i = 0; i < machine->queue_count; i++)
		done += run_queue(machine->queues[i]);
	return done;
}

enum wt_device_progress wt_machine_run(struct wt_machine *machine, uint64_t budget)
{
	uint64_t done = 0;

	machine->stops = 0;
	wt_program_run(machine);
	while (!machine_is_idle(machine)) {
		uint64_t before = done;
		bool created;

		if (done >= budget)
			return WT_DEVICE_RUNNING;
		done += wt_machine_round(machine, &created);
		wt_program_run(machine);
		if (machine->stops)
			return WT_DEVICE_EVENT;
		if (done == before && !created)
			return WT_DEVICE_BLOCKED;
	}
	return WT_DEVICE_IDLE;
}

void wt_queue_abort(struct wt_queue *queue)
{
	for (size_t i = 0; i < queue->resident_count; i++) {
		struct wt_group *group = queue->resident[i];

		for (uint32_t w = 0; w < group->wave_count; w++)
			if (group->waves[w].live)
				wt_wave_end(queue->machine, &group->waves[w]);
	}
	queue_sweep(queue);
	if (queue->active)
		end_dispatch(queue);
	wt_queue_drop(queue);
}
