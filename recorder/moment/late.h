/* SPDX-License-Identifier: MIT */
/*
 * Late items: what a call of the client shows about the last moment after that was written. Hooks in late-*.c find what the
 * state lacks, and add it to the moment with these functions. Between an event and the moment of its stop they add it to
 * the moment to come (session.early).
 *
 *     late-contents.c     registers and memory that the client reads or overwrites
 *     late-settings.c     answers and lists, watchpoints and displaced steppings
 *     late-unreported.c   waves that have stopped and whose event the client has not got yet
 */
#ifndef WT_RECORDER_MOMENT_LATE_H
#define WT_RECORDER_MOMENT_LATE_H

#include <stdbool.h>

#include "recorder/recording/call.h"

/** Is there a finished moment that late items can be added to now? */
static inline bool wt_late_possible(const struct wt_call *call)
{
	return wt_call_takes_state(call) && call->recorder->session.state &&
	       !wt_session_pending(&call->recorder->session);
}

/** Write the items of @more to the trace as late items, and put them into the state of the last moment. */
struct wt_error *wt_late_write(struct wt_recorder *recorder, const struct wt_state *more);

/** Ask the library about an object, and add its answers so. */
struct wt_error *wt_late_object(struct wt_recorder *recorder, enum wt_object object,
				uint64_t handle);

/** The state that may have an item already; NULL if there is none. */
static inline const struct wt_state *wt_late_held(const struct wt_call *call)
{
	const struct wt_session *session = &call->recorder->session;

	return wt_session_pending(session) ? session->early : session->state;
}

/**
 * The state to put a new item into.
 *
 * @more: set to a new state if the last moment is finished: the caller passes it to wt_late_write() and destroys it.
 *	Unchanged if the item belongs to a moment that is still to be written.
 *
 * Return: NULL if there is no memory.
 */
struct wt_state *wt_late_target(struct wt_call *call, struct wt_state **more);

/**
 * Note the error status of a call that the library refused for a reason that a replay cannot know. Errors in the client's
 * arguments are not noted, because a replay finds them itself. SUCCESS takes back what was noted before.
 *
 * @function: under whose name it is noted: of one with older forms, today's.
 */
struct wt_error *wt_late_refusal(struct wt_call *call, enum wt_function function, uint64_t owner,
				 amd_dbgapi_status_t status);

/** Append a number to an item of this type. @handle: to be appended, too; NULL: the type has none. */
struct wt_error *wt_late_append(struct wt_call *call, enum wt_item_type type, uint64_t owner,
				uint64_t number, const uint64_t *handle);

/** The pc of a stopped wave, also if its event has not been reported; false if the wave runs. */
bool wt_late_pc(struct wt_recorder *recorder, uint64_t wave, uint64_t *pc_ret);

/**
 * Has a wave stopped, and its event not been reported to the client? If so this is noted in the trace, once at each
 * moment, with the wave's registers.
 */
struct wt_error *wt_late_unreported(struct wt_call *call, uint64_t wave, bool *unreported_ret);

/** The key under which it is noted. */
struct wt_key wt_late_unreported_key(struct wt_recorder *recorder, uint64_t wave);

/** After a PASS: remove that note of waves that were resumed before it. */
struct wt_error *wt_late_forget_unreported(struct wt_recorder *recorder);

/** At a STOP: of the waves that were told to step, keep those that have not made their step. */
void wt_late_forget_stepped(struct wt_recorder *recorder);

#endif /* WT_RECORDER_MOMENT_LATE_H */
