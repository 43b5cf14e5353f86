/* SPDX-License-Identifier: MIT */
/*
 * Waves that the client holds stopped. It may rely on them: a wave that it did not let go does not end. The
 * recorded client may have let it go, and then it is gone in the moment that comes next; the timeline
 * waits for this client to do the same, or to deliver an exception, which ends whole queues: maybe some moments
 * later, and in a recording piece by piece, as its client learned of it.
 */
#include "replayer/timeline-internal.h"

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
	if (timeline->ahead)
		return true;
	/* What cannot be read is found out by who goes there. */
	wt_error_destroy(
		wt_reader_state(timeline->reader, timeline->position + 1, &timeline->ahead));
	return timeline->ahead;
}

bool wt_timeline_would_lose_held(struct wt_timeline *timeline)
{
	const struct wt_item *waves = waves_of(timeline, timeline->state);

	if (!waves || timeline->aborting)
		return false;
	for (size_t i = 0; i < waves->handle_count; i++) {
		uint64_t wave = waves->handles[i];

		if (wt_timeline_wave_state(timeline, wave) == AMD_DBGAPI_WAVE_STATE_STOP &&
		    look_ahead(timeline) && is_gone(timeline, wave))
			return true;
	}
	return false;
}
