/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the timeline share, from the lowest to the highest: a file uses what stands above its own
 * part here. Only held-waves.c and move.c use each other: a held wave must not miss its stop when the timeline moves, and to find
 * that stop, held-waves.c looks ahead as move.c does.
 */
#ifndef WT_REPLAYER_TIMELINE_INTERNAL_H
#define WT_REPLAYER_TIMELINE_INTERNAL_H

#include "replayer/timeline/client-position.h"

/* ---- event.c ---- */

/** Does this kind of event report that a wave has stopped, or that it no longer will? */
static inline bool wt_event_stops(amd_dbgapi_event_kind_t kind)
{
	return kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
	       kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
}

/** The track of a wave: what is noted about it. NULL if there is none. */
struct wt_wave_track *wt_timeline_track(const struct wt_timeline *timeline, uint64_t wave);

/** The track of a wave, created if there is none; NULL if there is no memory. */
struct wt_wave_track *wt_timeline_make_track(struct wt_timeline *timeline, uint64_t wave);

/** Note whether an event is due of a wave: after whatever its track says of commands or events has changed. */
void wt_timeline_count_owed(struct wt_timeline *timeline, struct wt_wave_track *track);

/** Forget one track. */
void wt_timeline_forget_wave(struct wt_timeline *timeline, struct wt_wave_track *track);

/** Forget all tracks. */
void wt_timeline_forget_waves(struct wt_timeline *timeline);

/** The wave that a recorded event is about; 0 if it is about none. */
uint64_t wt_timeline_wave_of(const struct wt_timeline *timeline, const struct wt_event *event);

/** Does a moment hold an event that stops a wave? */
bool wt_timeline_has_stop_of(struct wt_timeline *timeline, const struct wt_moment *moment,
			     uint64_t wave);

/** Had the recorded client asked for the wave to stop, by the time of a moment? */
bool wt_timeline_asks_for(struct wt_timeline *timeline, const struct wt_moment *moment,
			  uint64_t wave);

/** Forget which waves the two know of: memory that they take. */
void wt_timeline_forget_indexes(struct wt_timeline *timeline);

/** An event, queued or reported; NULL if there is no such event. */
struct wt_timeline_event *wt_timeline_find_event(const struct wt_timeline *timeline,
						 uint64_t handle);

/**
 * Queue the events of the moment that was reached.
 * @all: also those that this client would not expect.
 */
struct wt_error *wt_timeline_queue_events(struct wt_timeline *timeline, bool all);

/** Was a moment made in a call of this function? */
bool wt_timeline_made_in(const struct wt_timeline *timeline, const struct wt_moment *moment,
			 enum wt_function function);

/** Take an event from the queue: the client gets it now. */
const struct wt_timeline_event *wt_timeline_report(struct wt_timeline *timeline,
						   struct wt_timeline_event *event);

/* ---- move.c: waves as the client may know them ---- */

/** The recorded waves that exist, by their place in the state: the first one's. */
size_t wt_timeline_waves_begin(const struct wt_timeline *timeline);

/** The wave at a place; 0 past the last one. */
uint64_t wt_timeline_wave_at(const struct wt_timeline *timeline, size_t position);

/**
 * Was a wave stopped at this moment when it was recorded, although the recorded client had not got its event? It may have
 * stopped only after the recorded client asked it to. What the recorded client saw before it resumed the wave does not count.
 *
 * @track: of the wave; may be NULL.
 */
bool wt_timeline_stopped_unreported(const struct wt_timeline *timeline, uint64_t wave,
				    const struct wt_wave_track *track);

/* ---- held-waves.c ---- */

/** Would a wave that was reported as stopped, and not resumed, no longer exist at the next moment, or have stopped there again? */
bool wt_timeline_would_lose_held(struct wt_timeline *timeline);

/** Forget what is known about the next moment: the timeline moves, or ends. */
void wt_timeline_forget_ahead(struct wt_timeline *timeline);

/* ---- move.c ---- */

/** Is a moment one of this process? A moment of all processes is, too. */
bool wt_timeline_is_ours(const struct wt_timeline *timeline, const struct wt_moment *moment);

/**
 * The next moment of the process, while it stays attached.
 *
 * @position_ret: its position.
 * @moment_ret: the moment; NULL if it cannot be read, so that it may be one of the process.
 *
 * Return: false if there is none.
 */
bool wt_timeline_find_next(struct wt_timeline *timeline, uint32_t *position_ret,
			   const struct wt_moment **moment_ret);

/** Likewise, behind any position. */
bool wt_timeline_find_behind(const struct wt_timeline *timeline, uint32_t position,
			     uint32_t *position_ret, const struct wt_moment **moment_ret);

/** The state of this process at a moment. */
struct wt_error *wt_timeline_state_at(const struct wt_timeline *timeline, uint32_t position,
				      struct wt_state **state_ret);

/** Move the timeline to a moment. After an error it is as before. */
struct wt_error *wt_timeline_go(struct wt_timeline *timeline, uint32_t position);

/** Move to the next moment of the process; an error if there is none. As above. */
struct wt_error *wt_timeline_go_on(struct wt_timeline *timeline);

/** The same as wt_timeline_go() with the state of that moment (wt_timeline_state_at()), which is taken over, also on error. */
struct wt_error *wt_timeline_go_to(struct wt_timeline *timeline, uint32_t position,
				   struct wt_state *state);

/** May the timeline move, and to which moment? NULL if that moment cannot be read. */
bool wt_timeline_may_move(struct wt_timeline *timeline, const struct wt_moment **next_ret);

/* ---- command.c ---- */

/** Did the client ask a wave to stop, for which no event is queued yet? */
bool wt_timeline_owes_stop(struct wt_timeline *timeline);

/** Queue a COMMAND_TERMINATED event for each command to a wave that no longer exists. */
struct wt_error *wt_timeline_end_commands(struct wt_timeline *timeline);

/**
 * Queue an event for each wave that was asked to stop, if the timeline does not move to the recorded event that would answer.
 */
struct wt_error *wt_timeline_answer_stops(struct wt_timeline *timeline);

/* ---- pc.c ---- */

/** After travelling: give waves at breakpoints the pc that they had when their event was recorded. */
struct wt_error *wt_timeline_restore_pcs(struct wt_timeline *timeline);

/** Then move the pc back to the breakpoint for waves that the debugger holds and gets no event of. */
struct wt_error *wt_timeline_adjust_pcs(struct wt_timeline *timeline);

/** The same for one wave whose stop a debugger is told of: it sees the wave at the breakpoint. */
struct wt_error *wt_timeline_adjust_pc(struct wt_timeline *timeline, uint64_t wave);

/* ---- weigh.c ---- */

/**
 * Queue an event for each wave that the client does not hold, those first that have most to do with the stop. A debugger
 * gets events of those that ran, too: it would stop them itself, and what was recorded of that is in the next moment.
 * Return: false if there is no memory.
 */
bool wt_timeline_stop_waves(struct wt_timeline *timeline);

/** Moves faults to the front of the queued stops: a debugger shows the first one. */
void wt_timeline_put_faults_first(struct wt_timeline *timeline);

#endif /* WT_REPLAYER_TIMELINE_INTERNAL_H */
