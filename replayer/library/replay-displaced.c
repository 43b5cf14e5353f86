/* SPDX-License-Identifier: MIT */
/*
 * Displaced stepping, where it was recorded. The state says of each wave which displaced steppings it
 * began at a moment, and where its pc then was; the rest is bookkeeping.
 *
 * A debugger of a host program needs one wherever it has a breakpoint: what was not recorded leaves the pc where it is, and the
 * step is made here (step.h).
 */
#include <endian.h>
#include <stdlib.h>

#include "replayer/library/created.h"
#include "replayer/library/replay-wave.h"
#include "replayer/library/step.h"
#include "replayer/recorded/wave-memory.h"
#include "replayer/timeline/timeline.h"

/*
 * Instructions have up to eight bytes; a recorder writes fewer words than this, a damaged trace may claim any number.
 */
#define INSTRUCTION_WORDS 16u

static struct wt_replay_displaced *displaced_find(const struct wt_replay_process *process,
						  uint64_t wave)
{
	for (size_t i = 0; i < process->displaced_count; i++)
		if (process->displaced[i].wave == wave)
			return &process->displaced[i];
	return NULL;
}

/* NULL if there is no memory. */
static struct wt_replay_displaced *displaced_make(struct wt_replay_process *process, uint64_t wave)
{
	struct wt_replay_displaced *all, *found = displaced_find(process, wave);

	if (found)
		return found;
	all = reallocarray(process->displaced, process->displaced_count + 1, sizeof(*all));
	if (!all)
		return NULL;
	process->displaced = all;
	all[process->displaced_count] = (struct wt_replay_displaced){.wave = wave};
	return &all[process->displaced_count++];
}

bool wt_created_displaced(const struct wt_replay_process *process, uint64_t wave)
{
	const struct wt_replay_displaced *displaced = displaced_find(process, wave);

	return displaced && displaced->active;
}

/* Handles that are not recorded are far above those that may be. */
#define FIRST_OWN (UINT64_C(1) << 40)

bool wt_created_displaced_own(const struct wt_replay_process *process, uint64_t wave)
{
	const struct wt_replay_displaced *displaced = displaced_find(process, wave);

	return displaced && displaced->active && displaced->handle >= FIRST_OWN;
}

/* Several waves may have part in one; a wave that ends has none any more. */
bool wt_created_displaced_exists(struct wt_replay_process *process, uint64_t handle)
{
	for (size_t i = 0; i < process->displaced_count; i++)
		if (process->displaced[i].active && process->displaced[i].handle == handle &&
		    wt_replay_exists(process, WT_OBJECT_WAVE, process->displaced[i].wave))
			return true;
	return handle > process->last_displaced &&
	       wt_recorded_object(&process->timeline.recorded, WT_OBJECT_DISPLACED_STEPPING,
				  handle);
}

bool wt_created_displaced_info(const struct wt_replay_process *process, uint64_t handle,
			       uint32_t query, size_t value_size, void *value,
			       amd_dbgapi_status_t *status_ret)
{
	if (query != AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS ||
	    (handle > process->last_displaced && handle < FIRST_OWN))
		return false;
	*status_ret = wt_client_return(&wt_replayer.client, value_size, value, &process->shown,
				       sizeof(process->shown));
	return true;
}

/* The last moment up to now with a state of its own: what was begun since then is in the present one, in order. */
static uint32_t fresh_position(const struct wt_timeline *timeline)
{
	uint32_t position = timeline->state_position;
	const struct wt_moment *moment = timeline->state_moment;

	while (moment->cause == WT_MOMENT_PASS && position > timeline->start) {
		struct wt_error *error = wt_reader_moment(timeline->reader, position - 1, &moment);

		wt_error_destroy(error);
		if (error)
			break;
		position--;
	}
	return position;
}

/* How many of those that are in the present state the wave has begun. */
static size_t begun(const struct wt_replay_process *process, uint64_t wave)
{
	const struct wt_replay_displaced *before = displaced_find(process, wave);

	return before && before->since == fresh_position(&process->timeline) ? before->begun : 0;
}

/* Finds what was recorded of the wave's next displaced stepping; false if there is none. */
static bool displaced_next_recorded(const struct wt_replay_process *process, uint64_t wave,
				    uint64_t *handle_ret, uint64_t *pc_ret)
{
	const struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *map =
		wt_recorded_plain(&timeline->recorded, WT_ITEM_DISPLACED_STEPPINGS, wave);
	size_t next = begun(process, wave);

	if (!map || timeline->incarnations.travelled || next >= map->handle_count ||
	    next >= map->number_count)
		return false;
	*handle_ret = map->handles[next];
	*pc_ret = map->numbers[next];
	return true;
}

/*
 * Puts the instruction of the recorded library where the wave is to execute it, if the moment has those pages as they
 * were before.
 */
static void displaced_instruction_put(struct wt_replay_process *process, uint64_t handle)
{
	struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *words =
		wt_recorded_plain(&timeline->recorded, WT_ITEM_DISPLACED_CODE, handle);
	const struct wt_access access = wt_access_init(&timeline->recorded, process->handle, 0, 0);

	for (size_t i = 0; words && i + 1 < words->number_count && i < 2 * INSTRUCTION_WORDS;
	     i += 2) {
		uint64_t word = htole64(words->numbers[i + 1]);

		wt_access_write(&access, &timeline->overlay, GFX_SPACE_GLOBAL, words->numbers[i],
				&word, sizeof(word));
	}
}

static bool displaced_begin(struct wt_replay_process *process, uint64_t wave, uint64_t handle,
			    uint64_t to)
{
	size_t before = begun(process, wave);
	struct wt_replay_displaced *displaced;
	uint64_t from;

	if (!wt_replay_wave_pc(process, wave, &from))
		return false;
	displaced = displaced_make(process, wave);
	if (!displaced || !wt_replay_wave_set_pc(process, wave, to))
		return false;
	if (from != to && !wt_replayer.options.host)
		displaced_instruction_put(process, handle);
	*displaced = (struct wt_replay_displaced){
		.wave = wave,
		.handle = handle,
		.from = from,
		.to = to,
		.active = true,
		.since = fresh_position(&process->timeline),
		.begun = before + 1,
	};
	if (handle > process->last_displaced)
		process->last_displaced = handle;
	return true;
}

static amd_dbgapi_status_t begin_own(struct wt_replay_process *process, uint64_t wave,
				     const void *bytes,
				     amd_dbgapi_displaced_stepping_id_t *displaced_stepping)
{
	struct wt_replay_displaced *displaced = displaced_make(process, wave);
	uint64_t architecture, size;

	if (!displaced)
		return AMD_DBGAPI_STATUS_FATAL;
	displaced->handle = FIRST_OWN + process->own_displaced++;
	displaced->from = displaced->to = 0;
	displaced->active = true;
	if (wt_recorded_number(&process->timeline.recorded, WT_OBJECT_WAVE, wave,
			       AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture) &&
	    wt_recorded_number(&wt_replayer.facts, WT_OBJECT_ARCHITECTURE, architecture,
			       AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE, &size))
		wt_step_note(process, wave, bytes, size);
	displaced_stepping->handle = displaced->handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_answer_displaced_stepping_start(amd_dbgapi_wave_id_t wave_id,
				   const void *saved_instruction_bytes,
				   amd_dbgapi_displaced_stepping_id_t *displaced_stepping)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	uint64_t wave, handle, pc;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!saved_instruction_bytes || !displaced_stepping)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	wave = wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle);
	if (!wt_replay_exists(process, WT_OBJECT_WAVE, wave))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (!wt_timeline_wave_stopped(&process->timeline, wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (wt_created_displaced(process, wave))
		return AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE;
	while (!displaced_next_recorded(process, wave, &handle, &pc)) {
		amd_dbgapi_status_t refusal =
			wt_created_refusal(process, WT_FUNCTION_DISPLACED_STEPPING_START, wave);

		/* A refused call is none that came after a poll. */
		if (refusal == AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED &&
		    wt_timeline_pass_poll(&process->timeline))
			continue;
		return process->debuggee.present ? begin_own(process, wave, saved_instruction_bytes,
							     displaced_stepping)
						 : refusal;
	}
	if (!displaced_begin(process, wave, handle, pc))
		return AMD_DBGAPI_STATUS_FATAL;
	displaced_stepping->handle = handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* If the moment does not have the stepping, nobody knows where the pc went: the pc stays. */
void wt_created_follow_displaced(struct wt_replay_process *process, uint64_t wave, uint64_t handle)
{
	uint64_t recorded, pc;

	if (displaced_next_recorded(process, wave, &recorded, &pc) && recorded == handle)
		displaced_begin(process, wave, handle, pc);
	else if (wt_replay_wave_pc(process, wave, &pc))
		displaced_begin(process, wave, handle, pc);
}

/* The pc goes back by as much as it was moved. */
static bool move_back(struct wt_replay_process *process,
		      const struct wt_replay_displaced *displaced)
{
	uint64_t pc;

	return displaced->from == displaced->to ||
	       (wt_replay_wave_pc(process, displaced->wave, &pc) &&
		wt_replay_wave_set_pc(process, displaced->wave,
				      pc + displaced->from - displaced->to));
}

void wt_created_follow_completion(struct wt_replay_process *process, uint64_t wave)
{
	struct wt_replay_displaced *displaced = displaced_find(process, wave);

	if (!displaced || !displaced->active)
		return;
	move_back(process, displaced);
	displaced->active = false;
}

amd_dbgapi_status_t
wt_answer_displaced_stepping_complete(amd_dbgapi_wave_id_t wave_id,
				      amd_dbgapi_displaced_stepping_id_t displaced_stepping)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	struct wt_replay_displaced *displaced;
	uint64_t wave;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave = wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle);
	if (!wt_replay_exists(process, WT_OBJECT_WAVE, wave))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (!wt_timeline_wave_stopped(&process->timeline, wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (!wt_replay_exists(process, WT_OBJECT_DISPLACED_STEPPING, displaced_stepping.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID;
	displaced = displaced_find(process, wave);
	if (!displaced || !displaced->active || displaced->handle != displaced_stepping.handle)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	if (!move_back(process, displaced))
		return AMD_DBGAPI_STATUS_FATAL;
	displaced->active = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
