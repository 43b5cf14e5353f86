/* SPDX-License-Identifier: MIT */
/*
 * Going to another stop at once, under a debugger that holds all waves. Waves that exist at both stops stay stopped, and the
 * debugger forgets what it has read of them; only those that are gone or new have events. So a debugger that still has the
 * stops of a thousand waves to show, one by one, need not do so before it lets them go.
 *
 * Where a wave that the debugger gave a command to would be gone, this is not possible: the debugger waits for that command.
 */
#include <string.h>

#include "base/cleanup.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

/* The stop that it is about. */
struct there {
	struct wt_state *state;
	struct wt_layout layout;
	struct wt_recorded recorded;
};

static void there_deinit(struct there *there)
{
	wt_layout_deinit(&there->layout);
	wt_state_destroy(there->state);
}

static struct wt_error *destination_look(struct wt_timeline *timeline, uint32_t destination,
					 struct there *there)
{
	struct wt_error *error = wt_timeline_state_at(timeline, destination, &there->state);

	there->recorded = (struct wt_recorded){
		.names = timeline->names, .state = there->state, .layout = &there->layout};
	return error;
}

static bool recorded_wave_is_stopped(const struct wt_recorded *recorded, uint64_t wave)
{
	uint64_t state = 0;

	wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE, &state);
	return state == AMD_DBGAPI_WAVE_STATE_STOP;
}

static uint64_t reasons(const struct wt_recorded *recorded, uint64_t wave)
{
	uint64_t reason = 0;

	if (recorded_wave_is_stopped(recorded, wave))
		wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
				   &reason);
	return reason;
}

/*
 * The debugger may still have to show that a wave stopped, for a reason which the wave has not at the destination. There it gets
 * another handle, as if it were another wave.
 */
static bool is_renewed(const struct wt_wave_track *track, const struct wt_recorded *there,
		       bool selected)
{
	return !selected && track->reported && track->reported != reasons(there, track->wave);
}

static bool may_jump(const struct wt_timeline *timeline, const struct there *there,
		     uint64_t selected)
{
	uint64_t wave;

	for (size_t i = wt_timeline_waves_begin(timeline);
	     (wave = wt_timeline_wave_at(timeline, i)); i++) {
		const struct wt_wave_track *track = wt_timeline_track(timeline, wave);

		if (!track || track->control != WT_WAVE_HELD || track->stop)
			return false;
		if (track->commanded &&
		    (!wt_recorded_object(&there->recorded, WT_OBJECT_WAVE, wave) ||
		     is_renewed(track, &there->recorded, wave == selected)))
			return false;
	}
	return true;
}

/* A wave that has ended may be there, as another wave to the client, which knows nothing of that one. */
static void forget_ended(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		if (wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave))
			continue;
		wt_timeline_forget_wave(timeline, track);
	}
}

/* Keeps the client's knowledge of waves, which holds at the destination, too. Return: false without memory. */
static bool keep_tracks(struct wt_timeline *timeline, uint64_t selected)
{
	const struct wt_recorded *recorded = &timeline->recorded;
	struct wt_wave_track *track, *next;
	bool kept = true;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		bool exists = wt_recorded_object(recorded, WT_OBJECT_WAVE, track->wave);
		bool renewed = exists && is_renewed(track, recorded, track->wave == selected);

		if (renewed)
			kept = wt_incarnation_renew(&timeline->incarnations, WT_OBJECT_WAVE,
						    track->wave) &&
			       kept;
		if (!exists || renewed) {
			wt_timeline_forget_wave(timeline, track);
			timeline->changed[WT_OBJECT_WAVE] = true;
			continue;
		}
		if (track->wave == selected)
			track->reported = 0;
		track->on_request = !recorded_wave_is_stopped(recorded, track->wave);
		track->made_step = false;
	}
	return kept;
}

static struct wt_error *timeline_jump(struct wt_timeline *timeline, uint32_t destination,
				      struct there *there, uint64_t selected)
{
	struct wt_error *error;

	/* Recorded handles say no more which life of an object is meant. */
	timeline->incarnations.travelled = true;
	forget_ended(timeline);
	error = wt_timeline_go_to(timeline, destination, wt_take(there->state));
	if (error)
		return error;
	if (!keep_tracks(timeline, selected))
		return &wt_error_no_memory;
	wt_overlay_forget_registers(&timeline->overlay);
	timeline->logged = timeline->log_due = timeline->moment->log_count;
	error = wt_timeline_restore_pcs(timeline);
	if (!error)
		error = wt_timeline_adjust_pcs(timeline);
	if (error)
		return error;
	timeline->arrived = true;
	return wt_timeline_stop_waves(timeline) ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_timeline_jump(struct wt_timeline *timeline, uint32_t destination,
				  uint64_t selected, bool *jumped_ret)
{
	__attribute__((cleanup(there_deinit))) struct there there = {0};
	struct wt_error *error;

	*jumped_ret = false;
	if (!timeline->attached || !timeline->hosted || !timeline->calls || timeline->paused ||
	    !TAILQ_EMPTY(&timeline->queue))
		return NULL;
	selected = wt_incarnation_recorded(&timeline->incarnations, WT_OBJECT_WAVE, selected);
	error = destination_look(timeline, destination, &there);
	if (error || !may_jump(timeline, &there, selected))
		return error;
	*jumped_ret = true;
	timeline->destination = WT_TIMELINE_NOWHERE;
	error = timeline_jump(timeline, destination, &there, selected);
	timeline->call_awaited = timeline->code_stale || !TAILQ_EMPTY(&timeline->queue);
	return error;
}
