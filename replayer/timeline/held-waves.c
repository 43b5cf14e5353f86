/* SPDX-License-Identifier: MIT */
/*
 * Waves that the client holds stopped. It may rely on them: a wave that it did not let go does not end. The
 * recorded client may have let it go, and then it is gone in the moment that comes next; the timeline
 * waits for this client to do the same, or to deliver an exception, which ends whole queues: maybe some moments
 * later, and in a recording piece by piece, as its client learned of it. Likewise the stop of a wave is not left out
 * that comes behind a step which was made here.
 */
#include <stdlib.h>

#include "base/cleanup.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

static const struct wt_item *waves_of(const struct wt_timeline *timeline,
				      const struct wt_state *state)
{
	const struct wt_recorded recorded = {.names = timeline->names, .state = state};

	return wt_recorded_function(&recorded, WT_ITEM_LIST, wt_objects[WT_OBJECT_WAVE].list,
				    timeline->process);
}

static bool is_gone(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_recorded ahead = {.names = timeline->names, .state = timeline->ahead};

	return !wt_recorded_object(&ahead, WT_OBJECT_WAVE, wave);
}

/* The state of the next moment is kept: most often the timeline goes there. */
static bool look_ahead(struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	uint32_t position;

	if (timeline->ahead)
		return true;
	/* A moment that cannot be read is found out by who goes there. */
	if (wt_timeline_find_next(timeline, &position, &next))
		wt_error_destroy(wt_timeline_state_at(timeline, position, &timeline->ahead));
	return timeline->ahead;
}

/* Waves that are gone in the next moment: found out once, as clients ask for events again and again. */
static bool find_ending(struct wt_timeline *timeline, const struct wt_item *waves)
{
	timeline->ending = calloc(waves->handle_count + 1, sizeof(*timeline->ending));
	timeline->ending_count = 0;
	if (timeline->ahead == timeline->state)
		return timeline->ending;
	for (size_t i = 0; timeline->ending && i < waves->handle_count; i++)
		if (is_gone(timeline, waves->handles[i]))
			timeline->ending[timeline->ending_count++] = waves->handles[i];
	return timeline->ending;
}

/* Behind a step that was made here the wave stands where its next recorded stop is still to come. */
static bool is_ahead_of_stop(struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	struct wt_wave_track *track, *following;
	uint32_t position;

	HASH_ITER(hh, timeline->waves, track, following)
	if (track->control == WT_WAVE_HELD && track->made_step &&
	    wt_timeline_find_next(timeline, &position, &next) && next &&
	    wt_timeline_has_stop_of(timeline, next, track->wave))
		return true;
	return false;
}

bool wt_timeline_would_lose_held(struct wt_timeline *timeline)
{
	const struct wt_item *waves;

	if (is_ahead_of_stop(timeline))
		return true;
	if (timeline->aborting)
		return false;
	if (!timeline->ending) {
		waves = waves_of(timeline, timeline->state);
		if (!waves || !look_ahead(timeline))
			return false;
		/* Without memory the timeline stays where it is. */
		if (!find_ending(timeline, waves))
			return true;
	}
	for (size_t i = 0; i < timeline->ending_count; i++)
		if (wt_timeline_wave_state(timeline, timeline->ending[i]) ==
		    AMD_DBGAPI_WAVE_STATE_STOP)
			return true;
	return false;
}

void wt_timeline_forget_ahead(struct wt_timeline *timeline)
{
	wt_state_destroy(wt_take(timeline->ahead));
	free(wt_take(timeline->ending));
}
