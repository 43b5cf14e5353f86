/* SPDX-License-Identifier: MIT */
#include "replayer/library/replay-breakpoint.h"

#include <stdlib.h>

#include "replayer/library/created.h"

/* A damaged trace may list any number of threads: so many are read. */
#define THREADS_LIMIT 65536u

static const struct wt_item *recorded_places(const struct wt_replay_process *process)
{
	return wt_recorded_plain(&process->timeline.recorded, WT_ITEM_BREAKPOINTS, process->handle);
}

static struct wt_replay_breakpoint *replay_breakpoint_find(struct wt_replay_process *process,
							   uint64_t handle)
{
	struct wt_replay_breakpoint *all = process->breakpoints;

	for (size_t i = 0; handle && i < WT_REPLAY_BREAKPOINTS; i++)
		if (all[i].handle == handle)
			return &all[i];
	return NULL;
}

static struct wt_replay_breakpoint *replay_breakpoint_place(struct wt_replay_process *process)
{
	struct wt_replay_breakpoint *all = process->breakpoints;

	for (size_t i = 0; i < WT_REPLAY_BREAKPOINTS; i++)
		if (!all[i].handle)
			return &all[i];
	return NULL;
}

static void replay_breakpoint_insert(struct wt_replay_process *process, uint64_t handle,
				     uint64_t address)
{
	struct wt_replay_breakpoint *place = replay_breakpoint_place(process);

	/* One that is there does not move. */
	if (!handle || !place || replay_breakpoint_find(process, handle))
		return;
	place->handle = handle;
	place->hits = 0;
	place->inserted = wt_replayer.client.callbacks.insert_breakpoint(
				  process->client, address, (amd_dbgapi_breakpoint_id_t){handle}) ==
			  AMD_DBGAPI_STATUS_SUCCESS;
}

static void withdraw(const struct wt_replay_process *process,
		     struct wt_replay_breakpoint *breakpoint)
{
	if (breakpoint->inserted)
		wt_replayer.client.callbacks.remove_breakpoint(
			process->client, (amd_dbgapi_breakpoint_id_t){breakpoint->handle});
	*breakpoint = (struct wt_replay_breakpoint){0};
}

/* Hits are counted from the moment at which the state was taken: a PASS has that of the one before. */
static void forget_hits(struct wt_replay_process *process)
{
	const struct wt_timeline *timeline = &process->timeline;

	for (size_t i = 0;
	     timeline->state_moment->cause != WT_MOMENT_PASS && i < WT_REPLAY_BREAKPOINTS; i++)
		process->breakpoints[i].hits = 0;
}

void wt_replay_breakpoints_sync(struct wt_replay_process *process)
{
	const struct wt_item *places;

	/* The moment decides where breakpoints are. */
	if (!process->handle || wt_replayer.options.host ||
	    (process->breakpoints_synced &&
	     process->breakpoints_position == process->timeline.state_position))
		return;
	process->breakpoints_synced = true;
	process->breakpoints_position = process->timeline.state_position;
	places = recorded_places(process);
	for (size_t i = 0; i < WT_REPLAY_BREAKPOINTS; i++)
		if (process->breakpoints[i].handle &&
		    !(places && wt_recorded_lists(places, process->breakpoints[i].handle)))
			withdraw(process, &process->breakpoints[i]);
	for (size_t i = 0; places && i < places->handle_count && i < places->number_count; i++)
		replay_breakpoint_insert(process, places->handles[i], places->numbers[i]);
	forget_hits(process);
}

void wt_replay_breakpoint_follow(struct wt_replay_process *process, uint64_t handle, bool there)
{
	struct wt_replay_breakpoint *place = replay_breakpoint_find(process, handle);

	if (!place && there)
		place = replay_breakpoint_place(process);
	if (place)
		*place = (struct wt_replay_breakpoint){
			.handle = there ? handle : 0, .hits = place->hits, .inserted = there};
}

void wt_replay_breakpoints_followed(struct wt_replay_process *process)
{
	if (process->breakpoints_synced &&
	    process->breakpoints_position == process->timeline.state_position)
		return;
	process->breakpoints_synced = true;
	process->breakpoints_position = process->timeline.state_position;
	forget_hits(process);
}

void wt_replay_breakpoint_was_hit(struct wt_replay_process *process, uint64_t handle)
{
	struct wt_replay_breakpoint *breakpoint = replay_breakpoint_find(process, handle);

	if (breakpoint)
		breakpoint->hits++;
}

/* When the program has ended, nothing is left to be removed. */
void wt_replay_breakpoints_withdraw(struct wt_replay_process *process)
{
	struct wt_replay_breakpoint *all = process->breakpoints;

	for (size_t i = 0; i < WT_REPLAY_BREAKPOINTS; i++)
		if (all[i].handle && wt_replay_exists(process, WT_OBJECT_BREAKPOINT, all[i].handle))
			withdraw(process, &all[i]);
}

static bool is_action(uint64_t number)
{
	return number == AMD_DBGAPI_BREAKPOINT_ACTION_RESUME ||
	       number == AMD_DBGAPI_BREAKPOINT_ACTION_HALT;
}

amd_dbgapi_status_t wt_replay_breakpoint_hit(struct wt_replay_process *process, uint64_t handle,
					     amd_dbgapi_breakpoint_action_t *action_ret)
{
	const struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *hits =
		wt_recorded_plain(&timeline->recorded, WT_ITEM_BREAKPOINT_HITS, handle);
	struct wt_replay_breakpoint *breakpoint = replay_breakpoint_find(process, handle);

	if (!breakpoint || !hits || timeline->incarnations.travelled ||
	    breakpoint->hits >= hits->number_count || !is_action(hits->numbers[breakpoint->hits]))
		return wt_created_refusal(process, WT_FUNCTION_REPORT_BREAKPOINT_HIT, handle);
	*action_ret = (amd_dbgapi_breakpoint_action_t)hits->numbers[breakpoint->hits++];
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_replay_thread(uint64_t ordinal, amd_dbgapi_client_thread_id_t *thread_ret)
{
	if (ordinal > wt_replayer.thread_count)
		return false;
	*thread_ret = ordinal ? wt_replayer.threads[ordinal - 1] : NULL;
	return true;
}

void wt_replay_note_thread(amd_dbgapi_client_thread_id_t thread)
{
	amd_dbgapi_client_thread_id_t *threads = wt_replayer.threads;
	size_t count = wt_replayer.thread_count;

	for (size_t i = 0; i < count; i++)
		if (threads[i] == thread)
			return;
	if (!thread || count == THREADS_LIMIT)
		return;
	threads = reallocarray(threads, count + 1, sizeof(*threads));
	if (!threads)
		return;
	wt_replayer.threads = threads;
	threads[wt_replayer.thread_count++] = thread;
}
