/* SPDX-License-Identifier: MIT */
/* Room for the waves of a task whose size was not known when its queue was made. */
#include <stdlib.h>
#include <string.h>

#include "device/machine/machine.h"

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

static bool reserve_group(struct wt_group *group, const struct wt_task *task, uint32_t waves)
{
	const struct gfx_wave_resources *resources = &task->resources;
	uint64_t registers =
		(uint64_t)(resources->vgpr_count + resources->agpr_count) * resources->lane_count;
	uint8_t *lds = realloc(group->lds, task->group_bytes ? task->group_bytes : 1);

	if (!lds)
		return false;
	group->lds = lds;
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

	return (size[0] * size[1] * size[2] + WT_WAVE_LANES - 1) / WT_WAVE_LANES;
}

bool wt_queue_reserve(struct wt_queue *queue, const struct wt_task *task)
{
	for (size_t i = 0; i < WT_QUEUE_GROUPS; i++)
		if (!reserve_group(&queue->groups[i], task, wt_task_waves(task)))
			return false;
	return true;
}
