/* SPDX-License-Identifier: MIT */
/* One workgroup that is executed ahead: what it was before, and its rounds. */
#include <stdlib.h>
#include <string.h>

#include "device/machine/windows.h"

static size_t register_bytes(const struct wt_wave *wave)
{
	const struct gfx_wave *gfx = &wave->gfx;

	return (size_t)(gfx->vgpr_count + gfx->agpr_count) * gfx->lane_count * sizeof(uint32_t);
}

static size_t scratch_bytes(const struct wt_wave *wave)
{
	return wave->scratch ? wave->gfx.scratch_size : 0;
}

size_t wt_window_part_size(const struct wt_group *group)
{
	size_t size = group->workgroup.lds_size;

	for (uint32_t i = 0; i < group->wave_count; i++) {
		const struct wt_wave *wave = &group->waves[i];

		size += sizeof(*wave);
		if (wave->live)
			size += register_bytes(wave) + scratch_bytes(wave);
	}
	return size;
}

bool wt_window_part_prepare(struct wt_window_part *part, const struct wt_group *group)
{
	size_t size = wt_window_part_size(group);

	if (size > part->before_capacity) {
		uint8_t *grown = realloc(part->before, size);

		if (!grown)
			return false;
		part->before = grown;
		part->before_capacity = size;
	}
	if (group->wave_count > part->end_capacity) {
		struct wt_window_end *grown =
			reallocarray(part->ends, group->wave_count, sizeof(*grown));

		if (!grown)
			return false;
		part->ends = grown;
		part->end_capacity = group->wave_count;
	}
	return true;
}

/* Copy bytes to where they are kept, or back. Return: behind them, where they are kept. */
static uint8_t *move(uint8_t *kept, void *bytes, size_t size, bool back)
{
	if (size && back)
		memcpy(bytes, kept, size);
	else if (size)
		memcpy(kept, bytes, size);
	return kept + size;
}

static void move_group(uint8_t *kept, struct wt_group *group, bool back)
{
	kept = move(kept, group->lds, group->workgroup.lds_size, back);
	for (uint32_t i = 0; i < group->wave_count; i++) {
		struct wt_wave *wave = &group->waves[i];
		void *client = wave->wave.client;

		kept = move(kept, wave, sizeof(*wave), back);
		/* What the listener has done since then is not ours to put back. */
		wave->wave.client = client;
		/* Of one that has ended by then nothing else was kept. */
		if (!wave->live)
			continue;
		kept = move(kept, wave->registers, register_bytes(wave), back);
		kept = move(kept, wave->scratch, scratch_bytes(wave), back);
	}
}

static void keep(struct wt_window_part *part, struct wt_group *group)
{
	part->live_count = group->live_count;
	part->waiting_count = group->waiting_count;
	part->round = part->turns = 0;
	part->ends_heard = 0;
	move_group(part->before, group, false);
}

static bool execute_wave(struct wt_window_part *part, struct wt_group *group, uint32_t number,
			 const struct gfx_memory *memory, struct gfx_code *code, uint32_t round,
			 uint64_t *count)
{
	struct wt_wave *wave = &group->waves[number];
	bool live = wave->live;
	uint64_t done;

	if (!wt_wave_run_unseen(wave, memory, code, WT_WAVE_QUANTUM, &done))
		return false;
	*count += done;
	if (live && !wave->live)
		part->ends[part->end_count++] = (struct wt_window_end){round, number};
	return true;
}

/* The turns of so many waves. Return: whether it can go on. */
static bool execute_round(struct wt_window_part *part, struct wt_group *group,
			  const struct gfx_memory *memory, struct gfx_code *code, uint32_t round,
			  uint32_t turns)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < turns; i++)
		if (!execute_wave(part, group, i, memory, code, round, &count))
			return false;
	part->counts[round] = (uint16_t)count;
	return true;
}

/* Return: how many rounds, fewer if the last wave has ended or @stop is true, as it is when something went wrong. */
static uint32_t execute_rounds(struct wt_window_part *part, struct wt_group *group,
			       const struct gfx_memory *memory, struct gfx_code *code,
			       uint32_t rounds, atomic_bool *stop)
{
	uint32_t round = 0;

	part->end_count = 0;
	while (round < rounds && group->live_count &&
	       !atomic_load_explicit(stop, memory_order_relaxed)) {
		if (!execute_round(part, group, memory, code, round, group->wave_count) ||
		    part->claimant.failed) {
			atomic_store_explicit(stop, true, memory_order_relaxed);
			break;
		}
		/* Where nothing could run nothing will. */
		if (!part->counts[round++] && group->live_count)
			for (; round < rounds; round++)
				part->counts[round] = 0;
	}
	return round;
}

void wt_window_part_execute(struct wt_window_part *part, struct wt_group *group,
			    struct gfx_code *code, uint32_t rounds, atomic_bool *stop)
{
	keep(part, group);
	group->ahead = execute_rounds(part, group, &part->memory, code, rounds, stop);
	/* One that has come to nothing is to be put back, too. */
	if (!group->ahead)
		group->ahead = 1;
}

void wt_window_part_restore(struct wt_window_part *part, struct wt_group *group,
			    const struct gfx_memory *memory, struct gfx_code *code)
{
	atomic_bool stop = false;

	move_group(part->before, group, true);
	group->live_count = part->live_count;
	group->waiting_count = part->waiting_count;
	group->ahead = 0;
	part->claimant.failed = false;
	execute_rounds(part, group, memory, code, part->round, &stop);
	if (part->turns)
		execute_round(part, group, memory, code, part->round, part->turns);
}
