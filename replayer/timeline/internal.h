/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the timeline share, from the lowest to the highest: a file uses what stands above its own
 * part here. Only held.c and move.c use each other: a held wave must not miss its stop when the timeline moves, and to find
 * that stop, held.c looks ahead as move.c does.
 */
#ifndef WT_REPLAYER_TIMELINE_INTERNAL_H
#define WT_REPLAYER_TIMELINE_INTERNAL_H

#include "replayer/timeline/timeline.h"

/* ---- event.c ---- */

/** Is it a kind of event that reports that a wave has stopped, or no longer will? */
static inline bool wt_event_stops(amd_dbgapi_event_kind_t kind)
{
	return kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
	       kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
}

/** What is noted of a wave; NULL if nothing is. */
struct wt_wave_track *wt_timeline_track(const struct wt_timeline *timeline, uint64_t wave);

/** The same, made if there is none; NULL if there is no memory. */
struct wt_wave_track *wt_timeline_make_track(struct wt_timeline *timeline, uint64_t wave);

/** Forget what the client and events made of all waves. */
void wt_timeline_forget_waves(struct wt_timeline *timeline);

/** The wave that a recorded event is about; 0 if it is about none. */
uint64_t wt_timeline_wave_of(const struct wt_timeline *timeline, const struct wt_event *event);

/** Does a moment hold an event that stops a wave? */
bool wt_timeline_has_stop_of(const struct wt_timeline *timeline, const struct wt_moment *moment,
			     uint64_t wave);

/** An event, queued or reported; NULL if there is no such event. */
struct wt_timeline_event *wt_timeline_find_event(const struct wt_timeline *timeline,
						 uint64_t handle);

/**
 * Queue the events of the moment that was reached.
 * @all: also those that this client would not expect.
 */
struct wt_error *wt_timeline_queue_events(struct wt_timeline *timeline, bool all);

/** Was a moment made in a call of a function? */
bool wt_timeline_made_in(const struct wt_timeline *timeline, const struct wt_moment *moment,
			 enum wt_function function);

/** Take an event of the queue: the client gets it now. */
const struct wt_timeline_event *wt_timeline_report(struct wt_timeline *timeline,
						   struct wt_timeline_event *event);

/* ---- wave.c ---- */

/** The recorded waves that exist, by their place in the state: the first one's. */
size_t wt_timeline_waves_begin(const struct wt_timeline *timeline);

/** The wave at a place; 0 past the last one. */
uint64_t wt_timeline_wave_at(const struct wt_timeline *timeline, size_t position);

/**
 * Did the recorded client find a wave standing still, without having its event? From the beginning of the moment on, or,
 * where it had asked the wave to stop before, maybe only from then on. What it found before it resumed the wave, and
 * only then went on from the moment, says nothing of after.
 *
 * @track: what is noted of the wave; may be NULL.
 */
bool wt_timeline_stopped_unreported(const struct wt_timeline *timeline, uint64_t wave,
				    const struct wt_wave_track *track);

/** Does a wave make a single step, of which the client has no event yet? */
bool wt_timeline_has_step(const struct wt_timeline *timeline);

/* ---- held.c ---- */

/** Would a wave that was reported as stopped, and not resumed, be gone in the next moment? */
bool wt_timeline_would_lose_held(struct wt_timeline *timeline);

/** Forget what was found out about the next moment: the timeline moves, or ends. */
void wt_timeline_forget_ahead(struct wt_timeline *timeline);

/* ---- move.c ---- */

/** Is a moment one of the process, as far as the moment itself says? One of all processes at once is. */
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

/** Make a moment the one that was reached. Errors leave the timeline as it was. */
struct wt_error *wt_timeline_go(struct wt_timeline *timeline, uint32_t position);

/** To the next moment of the process; an error if there is none. As above. */
struct wt_error *wt_timeline_go_on(struct wt_timeline *timeline);

/** The same as wt_timeline_go() with the state of that moment (wt_timeline_state_at()), which is taken over, also on error. */
struct wt_error *wt_timeline_go_to(struct wt_timeline *timeline, uint32_t position,
				   struct wt_state *state);

/** Whether the timeline may move, and to what; NULL if that moment cannot be read. */
bool wt_timeline_may_move(struct wt_timeline *timeline, const struct wt_moment **next_ret);

/* ---- answer.c ---- */

/**
 * Does a recorded event answer a request to stop a wave?
 *
 * @position_ret: the STOP that it is in; the present moment if it did not come while the trace lasted.
 */
bool wt_timeline_is_answered(struct wt_timeline *timeline, uint64_t wave, uint32_t *position_ret);

/** Does a recorded event report the end of a wave, which is gone? */
bool wt_timeline_is_end_reported(struct wt_timeline *timeline, uint64_t wave);

/**
 * Had a wave made a step when it stopped? A request to stop it then came too late.
 *
 * @position: as wt_timeline_is_answered() has it.
 */
bool wt_timeline_has_stepped(struct wt_timeline *timeline, uint32_t position, uint64_t wave);

/* ---- command.c ---- */

/** Did the client ask a wave to stop, for which no event is queued yet? */
bool wt_timeline_owes_stop(const struct wt_timeline *timeline);

/** Queue the end of the commands that the client gave to waves which are gone. */
struct wt_error *wt_timeline_end_commands(struct wt_timeline *timeline);

/**
 * Queue an event for each wave that was asked to stop, where the one that was to answer does not come because
 * the timeline does not move.
 */
struct wt_error *wt_timeline_answer_stops(struct wt_timeline *timeline);

/* ---- pc.c ---- */

/** On arrival: the pcs that came with the events of waves at breakpoints. */
struct wt_error *wt_timeline_restore_pcs(struct wt_timeline *timeline);

/** Then: those of waves that a debugger holds and gets no events of, moved back to the breakpoint as it would do. */
struct wt_error *wt_timeline_adjust_pcs(struct wt_timeline *timeline);

/** Likewise of one, which has stopped again for no reason: the debugger moved its pc when it hit the breakpoint. */
struct wt_error *wt_timeline_adjust_pc(struct wt_timeline *timeline, uint64_t wave);

/* ---- weigh.c ---- */

/**
 * Queue an event for each wave that the client does not hold, those first that have most to do with the stop. A debugger
 * gets events of those that ran, too: it would stop them itself, and what was recorded of that is in the next moment.
 * Return: false if there is no memory.
 */
bool wt_timeline_stop_waves(struct wt_timeline *timeline);

/** Of queued stops: a debugger shows the first one, and that is to be a fault if there is one. */
void wt_timeline_put_faults_first(struct wt_timeline *timeline);

/* ---- travel.c ---- */

/** May it go to the destination: is no wave stopped that the client relies on? */
bool wt_timeline_may_travel(const struct wt_timeline *timeline);

/** Go to the destination, and queue the events that report it to the client. */
struct wt_error *wt_timeline_arrive(struct wt_timeline *timeline);

#endif /* WT_REPLAYER_TIMELINE_INTERNAL_H */
