/* SPDX-License-Identifier: MIT */
/* Room for resident workgroups and their waves. */
#include <stdlib.h>
#include <string.h>

#include "device/machine/machine.h"
#include "device/machine/room.h"

/* After so many times WT_PATIENCE it is said that more workgroups would have to be resident. */
#define REPORT_AFTER 64u

static bool reserve_wave(struct wt_group *group, uint32_t index, uint64_t registers)
{
	struct wt_wave *wave = &group->waves[index];
	uint32_t *grown;

	wave->group = group;
	if (wave->register_count >= registers && wave->registers)
		return true;
	grown = reallocarray(wave->registers, registers ? registers : 1, sizeof(*grown));
	if (!grown)
		return false;
	wave->registers = grown;
	wave->register_count = registers;
	return true;
}

static bool reserve_group(const struct wt_queue *queue, struct wt_group *group,
			  const struct wt_task *task)
{
	const struct gfx_wave_resources *resources = &task->resources;
	uint64_t registers =
		(uint64_t)(resources->vgpr_count + resources->agpr_count) * GFX_MAX_LANES;
	uint32_t waves = wt_task_waves(task);
	uint32_t room =
		(uint32_t)gfx_local_room(queue->agent->agent.architecture, task->group_bytes);

	if (!group->lds || room > group->lds_capacity) {
		uint8_t *lds = realloc(group->lds, room ? room : 1);

		if (!lds)
			return false;
		group->lds = lds;
		group->lds_capacity = room;
	}
	if (waves > group->slot_count) {
		struct wt_wave *grown = reallocarray(group->waves, waves, sizeof(*grown));

		if (!grown)
			return false;
		memset(&grown[group->slot_count], 0, (waves - group->slot_count) * sizeof(*grown));
		group->waves = grown;
		group->slot_count = waves;
	}
	for (uint32_t i = 0; i < waves; i++)
		if (!reserve_wave(group, i, registers))
			return false;
	return true;
}

uint32_t wt_task_waves(const struct wt_task *task)
{
	const uint32_t *size = task->workgroup;
	uint32_t lanes = task->resources.lane_count;

	return (size[0] * size[1] * size[2] + lanes - 1) / lanes;
}

/* Workgroups are pointed to by others, so that each stays where it is. */
static bool make_groups(struct wt_queue *queue, size_t count)
{
	struct wt_group **groups, **resident;

	if (count <= queue->group_count)
		return true;
	groups = reallocarray(queue->groups, count, sizeof(struct wt_group *));
	queue->groups = groups ? groups : queue->groups;
	resident = reallocarray(queue->resident, count, sizeof(struct wt_group *));
	queue->resident = resident ? resident : queue->resident;
	if (!groups || !resident)
		return false;
	while (queue->group_count < count) {
		struct wt_group *group = calloc(1, sizeof(*group));

		if (!group)
			return false;
		queue->groups[queue->group_count++] = group;
	}
	return true;
}

bool wt_queue_reserve(struct wt_queue *queue, const struct wt_task *task, size_t groups)
{
	groups = groups > WT_QUEUE_GROUPS ? groups : WT_QUEUE_GROUPS;
	if (!make_groups(queue, groups))
		return false;
	for (size_t i = 0; i < groups; i++)
		if (!reserve_group(queue, queue->groups[i], task))
			return false;
	return true;
}

void wt_queue_free_slots(struct wt_queue *queue)
{
	for (size_t i = 0; i < queue->group_count; i++) {
		struct wt_group *group = queue->groups[i];

		for (uint32_t w = 0; w < group->slot_count; w++)
			free(group->waves[w].registers);
		free(group->waves);
		free(group->lds);
		free(group);
	}
	free(queue->groups);
	free(queue->resident);
}

/* ---- More of them ---- */

static size_t queue_slot_room(const struct wt_queue *queue)
{
	const struct wt_task *task = queue->task;
	const struct gfx_unit *unit = &queue->agent->agent.architecture->unit;
	uint64_t units = queue->agent->agent.execution_unit_count / unit->simds, groups = 1;
	uint64_t room = units * wt_unit_groups(unit, &task->resources, wt_task_waves(task),
					       task->group_bytes);

	/* No more than the dispatch has. */
	for (size_t d = 0; d < 3 && groups < room; d++)
		groups *= (task->grid[d] + (uint64_t)task->workgroup[d] - 1) / task->workgroup[d];
	room = groups < room ? groups : room;
	return room > WT_QUEUE_GROUPS ? room : WT_QUEUE_GROUPS;
}

/* False if there is no more room, or no memory. */
static bool queue_slots_grow(struct wt_queue *queue)
{
	size_t room = queue_slot_room(queue), wanted = 2 * queue->resident_limit;

	wanted = queue->operations->provide(queue, wanted < room ? wanted : room);
	if (wanted <= queue->resident_limit || !make_groups(queue, wanted))
		return false;
	for (size_t i = queue->resident_limit; i < wanted; i++) {
		if (!reserve_group(queue, queue->groups[i], queue->task))
			return false;
		queue->operations->place(queue, queue->groups[i], i);
	}
	queue->resident_limit = wanted;
	return true;
}

void wt_queue_begin_slots(struct wt_queue *queue)
{
	queue->resident_limit = queue->operations->provide(queue, WT_QUEUE_GROUPS);
	queue->waited = 0;
	queue->full = queue->reported = false;
	/* Its workgroups are known to wait for each other. */
	while (queue->has_sync && queue_slots_grow(queue))
		;
}

void wt_queue_note_wait(struct wt_queue *queue, uint64_t done)
{
	queue->waited += done;
	if (!queue->full && queue->waited >= WT_PATIENCE) {
		queue->full = !queue_slots_grow(queue);
		queue->waited = queue->full ? queue->waited : 0;
	}
	if (!queue->full || queue->reported || queue->waited < REPORT_AFTER * WT_PATIENCE)
		return;
	queue->reported = true;
	wt_machine_message(queue->machine, true,
			   "queue %u%s%s: none of the %zu workgroups that are resident has ended "
			   "within %u million instructions, and there is no room for more: if they "
			   "wait for one that has not begun, they wait for ever",
			   queue->queue.number, *queue->task->name ? ", kernel " : "",
			   queue->task->name, queue->resident_count,
			   REPORT_AFTER * WT_PATIENCE / 1000000);
}
