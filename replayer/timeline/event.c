/* SPDX-License-Identifier: MIT */
/*
 * Events: queued, reported to the client, processed by it. And what is noted of each wave that the client or an event
 * did something to (struct wt_wave_track).
 */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "replayer/recorded/images.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

struct wt_wave_track *wt_timeline_track(const struct wt_timeline *timeline, uint64_t wave)
{
	struct wt_wave_track *track;

	HASH_FIND(hh, timeline->waves, &wave, sizeof(wave), track);
	return track;
}

struct wt_wave_track *wt_timeline_make_track(struct wt_timeline *timeline, uint64_t wave)
{
	struct wt_wave_track *track = wt_timeline_track(timeline, wave);

	if (track)
		return track;
	track = calloc(1, sizeof(*track));
	if (!track)
		return NULL;
	track->wave = wave;
	HASH_ADD(hh, timeline->waves, wave, sizeof(wave), track);
	if (!track->hh.tbl) {
		free(track);
		return NULL;
	}
	return track;
}

/* An event is due: of a stop that was asked for, or of the end of a wave that had been told to step. */
static bool is_owed(const struct wt_timeline *timeline, const struct wt_wave_track *track)
{
	return !track->stop &&
	       (track->stop_requested ||
		(track->control == WT_WAVE_STEPPED &&
		 !wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave)));
}

void wt_timeline_count_owed(struct wt_timeline *timeline, struct wt_wave_track *track)
{
	bool owed = is_owed(timeline, track);

	timeline->owed = timeline->owed + owed - track->owed;
	track->owed = owed;
}

void wt_timeline_forget_wave(struct wt_timeline *timeline, struct wt_wave_track *track)
{
	timeline->owed -= track->owed;
	HASH_DEL(timeline->waves, track);
	free(track);
}

void wt_timeline_forget_waves(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	wt_timeline_forget_wave(timeline, track);
}

struct wt_timeline_event *wt_timeline_find_event(const struct wt_timeline *timeline,
						 uint64_t handle)
{
	struct wt_timeline_event *event;

	HASH_FIND(hh, timeline->events, &handle, sizeof(handle), event);
	return event;
}

/* NULL if there is no memory. The handle must not be in use. */
static struct wt_timeline_event *queue_event(struct wt_timeline *timeline, uint64_t handle,
					     amd_dbgapi_event_kind_t kind, uint64_t wave,
					     const struct wt_event *recorded)
{
	struct wt_wave_track *track = NULL;
	struct wt_timeline_event *event;

	if (wave && wt_event_stops(kind)) {
		track = wt_timeline_make_track(timeline, wave);
		if (!track)
			return NULL;
	}
	event = calloc(1, sizeof(*event));
	if (!event)
		return NULL;
	*event = (struct wt_timeline_event){
		.handle = handle,
		.kind = kind,
		.wave = wave,
		.shown = wt_incarnation_shown(&timeline->incarnations, WT_OBJECT_WAVE, wave),
		.recorded = recorded};
	HASH_ADD(hh, timeline->events, handle, sizeof(handle), event);
	if (!event->hh.tbl) {
		free(event);
		return NULL;
	}
	if (track) {
		track->stop = event;
		wt_timeline_count_owed(timeline, track);
	}
	if (handle > timeline->last_event && handle < UINT64_MAX / 2)
		timeline->last_event = handle;
	TAILQ_INSERT_TAIL(&timeline->queue, event, link);
	return event;
}

uint64_t wt_timeline_wave_of(const struct wt_timeline *timeline, const struct wt_event *event)
{
	const struct wt_query *query = wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_WAVE);
	uint64_t wave = 0;

	wt_answer_number(wt_recorded_find(&timeline->recorded, WT_OBJECT_EVENT, query,
					  event->answers, event->answer_count),
			 &wave);
	return wave;
}

/* Makes an index that has room for some waves, and none in it. Return: false if there is no memory. */
static bool renew(struct wt_wave_index *index, const struct wt_moment *moment, size_t room)
{
	free(index->waves);
	*index = (struct wt_wave_index){.moment = moment->number,
					.waves = calloc(room + 1, sizeof(*index->waves))};
	index->known = index->waves;
	return index->known;
}

static bool wave_index_is_of(const struct wt_wave_index *index, const struct wt_moment *moment)
{
	return index->known && index->moment == moment->number;
}

static bool has(const struct wt_wave_index *index, uint64_t wave)
{
	return index->count &&
	       bsearch(&wave, index->waves, index->count, sizeof(wave), wt_compare_u64);
}

static bool index_stops(struct wt_timeline *timeline, const struct wt_moment *moment)
{
	struct wt_wave_index *index = &timeline->stopped;

	if (!renew(index, moment, moment->event_count))
		return false;
	for (size_t i = 0; i < moment->event_count; i++)
		if (wt_event_stops((amd_dbgapi_event_kind_t)moment->events[i].kind))
			index->waves[index->count++] =
				wt_timeline_wave_of(timeline, &moment->events[i]);
	qsort(index->waves, index->count, sizeof(*index->waves), wt_compare_u64);
	return true;
}

static bool index_asked(struct wt_timeline *timeline, const struct wt_moment *moment)
{
	struct wt_wave_index *index = &timeline->asked;

	if (!renew(index, moment, moment->stop_requested_count))
		return false;
	for (size_t i = 0; i < moment->stop_requested_count; i++)
		index->waves[index->count++] = moment->stop_requested[i];
	qsort(index->waves, index->count, sizeof(*index->waves), wt_compare_u64);
	return true;
}

/* Without memory nothing is found. */
bool wt_timeline_has_stop_of(struct wt_timeline *timeline, const struct wt_moment *moment,
			     uint64_t wave)
{
	return moment->event_count &&
	       (wave_index_is_of(&timeline->stopped, moment) || index_stops(timeline, moment)) &&
	       has(&timeline->stopped, wave);
}

bool wt_timeline_asks_for(struct wt_timeline *timeline, const struct wt_moment *moment,
			  uint64_t wave)
{
	return moment->stop_requested_count &&
	       (wave_index_is_of(&timeline->asked, moment) || index_asked(timeline, moment)) &&
	       has(&timeline->asked, wave);
}

void wt_timeline_forget_indexes(struct wt_timeline *timeline)
{
	free(wt_take(timeline->stopped.waves));
	free(wt_take(timeline->asked.waves));
	timeline->stopped.known = timeline->asked.known = false;
}

static uint64_t highest_event(const struct wt_moment *moment, uint64_t highest)
{
	/* Handles that leave no room above them are not the work of any library. */
	for (size_t i = 0; i < moment->event_count; i++)
		if (moment->events[i].handle > highest && moment->events[i].handle < UINT64_MAX / 2)
			highest = moment->events[i].handle;
	return highest;
}

static void find_last_event(struct wt_timeline *timeline)
{
	uint32_t count = wt_reader_moment_count(timeline->reader);

	for (uint32_t i = 0; (i = wt_reader_next_moment(timeline->reader, i)) < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, i, &moment);

		if (!error)
			timeline->last_event = highest_event(moment, timeline->last_event);
		wt_error_destroy(error);
	}
	timeline->last_event_known = true;
}

/*
 * A handle that no event has had, nor will have. After travelling recorded handles are not used
 * any more, so that those to come do not matter.
 */
static uint64_t fresh_event(struct wt_timeline *timeline)
{
	if (!timeline->last_event_known && !wt_incarnations_translate(&timeline->incarnations))
		find_last_event(timeline);
	return timeline->last_event + 1;
}

struct wt_timeline_event *wt_timeline_make_event(struct wt_timeline *timeline,
						 amd_dbgapi_event_kind_t kind, uint64_t wave,
						 const struct wt_event *recorded)
{
	return queue_event(timeline, fresh_event(timeline), kind, wave, recorded);
}

/*
 * An event as it was recorded. One that comes again, or after others that were made here, has
 * another handle: event handles are never used twice, either. A handle that a damaged trace has
 * twice keeps its first event.
 */
static bool queue_recorded(struct wt_timeline *timeline, const struct wt_event *event,
			   amd_dbgapi_event_kind_t kind, uint64_t wave)
{
	if (wt_incarnations_translate(&timeline->incarnations))
		return wt_timeline_make_event(timeline, kind, wave, event);
	return !event->handle || wt_timeline_find_event(timeline, event->handle) ||
	       queue_event(timeline, event->handle, kind, wave, event);
}

static uint64_t reasons_of(const struct wt_timeline *timeline, uint64_t wave)
{
	uint64_t reasons = 0;

	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave,
			   AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons);
	return reasons;
}

/* Had the recorded client begun a displaced stepping that it had not completed at this moment? */
static bool timeline_steps_displaced(const struct wt_timeline *timeline)
{
	const struct wt_key first = {
		.type = WT_ITEM_OBJECT,
		.kind = timeline->names->objects[WT_OBJECT_DISPLACED_STEPPING]};
	size_t position = first.kind ? wt_state_lower_bound(timeline->state, &first)
				     : wt_state_count(timeline->state);
	const struct wt_item *item = position < wt_state_count(timeline->state)
					     ? wt_state_at(timeline->state, position)
					     : NULL;

	return item && item->key.type == WT_ITEM_OBJECT && item->key.kind == first.kind;
}

/* Does a wave stand where no code object is, as behind a displaced step? */
static bool wave_is_out_of_code(const struct wt_timeline *timeline, const struct wt_images *images,
				uint64_t wave)
{
	uint64_t pc;
	uint8_t byte;

	return wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave,
				  AMD_DBGAPI_WAVE_INFO_PC, &pc) &&
	       !wt_images_read(images, pc, &byte, sizeof(byte));
}

/*
 * A debugger's step over a breakpoint of its own ends behind a copy of the instruction. One that has let the wave run steps over none, and
 * would show a stop that its user has not asked for, at an address that is no code: the wave runs on to what comes then.
 */
static bool is_foreign_step(const struct wt_timeline *timeline, const struct wt_images *images,
			    const struct wt_wave_track *track)
{
	return images->count && track && track->control == WT_WAVE_RESUMED &&
	       reasons_of(timeline, track->wave) == AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP &&
	       wave_is_out_of_code(timeline, images, track->wave);
}

/*
 * An event that stops a wave which this client never let go would surprise it: it is left out. The
 * recorded client had resumed the wave.
 */
static bool event_is_left_out(const struct wt_timeline *timeline, const struct wt_images *images,
			      amd_dbgapi_event_kind_t kind, uint64_t wave)
{
	const struct wt_wave_track *track = wave ? wt_timeline_track(timeline, wave) : NULL;

	if (!wt_event_stops(kind))
		return timeline->hosted;
	return (track && track->control == WT_WAVE_HELD) ||
	       is_foreign_step(timeline, images, track);
}

struct wt_error *wt_timeline_queue_events(struct wt_timeline *timeline, bool all)
{
	__attribute__((cleanup(wt_images_deinit))) struct wt_images images = {0};
	const struct wt_moment *moment = timeline->moment;
	struct wt_error *error = NULL;

	if (moment->cause != WT_MOMENT_STOP)
		return NULL;
	if (!all && timeline->hosted && timeline_steps_displaced(timeline))
		error = wt_images_load(&images, &timeline->recorded);
	if (error)
		return error;
	for (size_t i = 0; i < moment->event_count; i++) {
		const struct wt_event *event = &moment->events[i];
		amd_dbgapi_event_kind_t kind = (amd_dbgapi_event_kind_t)event->kind;
		uint64_t wave = wt_timeline_wave_of(timeline, event);

		if (!all && event_is_left_out(timeline, &images, kind, wave))
			continue;
		if (!queue_recorded(timeline, event, kind, wave))
			return &wt_error_no_memory;
	}
	return NULL;
}

static uint64_t runtime_of(const struct wt_timeline *timeline,
			   const struct wt_timeline_event *event)
{
	const struct wt_query *query =
		wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE);
	uint64_t state = (uint64_t)event->runtime;

	if (event->recorded)
		wt_answer_number(wt_recorded_find(&timeline->recorded, WT_OBJECT_EVENT, query,
						  event->recorded->answers,
						  event->recorded->answer_count),
				 &state);
	return state;
}

bool wt_timeline_made_in(const struct wt_timeline *timeline, const struct wt_moment *moment,
			 enum wt_function function)
{
	return timeline->names->functions[function] &&
	       moment->function == timeline->names->functions[function];
}

/* Behind the last event of a STOP the client gets none. */
static void stop_note_end(struct wt_timeline *timeline)
{
	if (TAILQ_EMPTY(&timeline->queue) && timeline->moment->cause == WT_MOMENT_STOP)
		timeline->closing = timeline->arrived ||
				    wt_timeline_made_in(timeline, timeline->moment,
							WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT);
}

const struct wt_timeline_event *wt_timeline_report(struct wt_timeline *timeline,
						   struct wt_timeline_event *event)
{
	struct wt_wave_track *track = NULL;

	TAILQ_REMOVE(&timeline->queue, event, link);
	event->reported = true;
	if (event->wave && wt_event_stops(event->kind))
		track = wt_timeline_make_track(timeline, event->wave);
	if (track) {
		track->stop_requested = false;
		track->control = WT_WAVE_HELD;
		track->on_request = !event->recorded && !event->arrival && !event->step;
		track->made_step = event->step;
		track->reported =
			track->on_request || event->step ? 0 : reasons_of(timeline, event->wave);
		wt_timeline_count_owed(timeline, track);
	}
	if (event->kind == AMD_DBGAPI_EVENT_KIND_RUNTIME)
		timeline->runtime = runtime_of(timeline, event);
	stop_note_end(timeline);
	return event;
}

const struct wt_timeline_event *wt_timeline_event(const struct wt_timeline *timeline,
						  uint64_t handle)
{
	const struct wt_timeline_event *event = wt_timeline_find_event(timeline, handle);

	return event && event->reported ? event : NULL;
}

bool wt_timeline_processed(struct wt_timeline *timeline, uint64_t handle)
{
	struct wt_timeline_event *event = wt_timeline_find_event(timeline, handle);
	struct wt_wave_track *track;

	if (!event || !event->reported)
		return false;
	track = wt_timeline_track(timeline, event->wave);
	if (track && track->stop == event) {
		track->stop = NULL;
		wt_timeline_count_owed(timeline, track);
	}
	HASH_DEL(timeline->events, event);
	free(event);
	return true;
}
