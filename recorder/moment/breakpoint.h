/* SPDX-License-Identifier: MIT */
/*
 * The library's own breakpoints in the host program, which a client inserts for it: where they are, and what the
 * library made of their hits. A replay has its client insert them at the same places, and answers the same.
 */
#ifndef WT_RECORDER_MOMENT_BREAKPOINT_H
#define WT_RECORDER_MOMENT_BREAKPOINT_H

#include "recorder/recording/call.h"

/** The client has inserted one, or taken it out. Called in a callback: the library is not asked. */
bool wt_breakpoint_inserted(struct wt_session *session, uint64_t handle, uint64_t address);
void wt_breakpoint_removed(struct wt_session *session, uint64_t handle);

/** The process of one; 0 if it is not known. */
uint64_t wt_breakpoint_process(struct wt_recorder *recorder, uint64_t handle);

/** All of them, into a state: the objects, and for each process the addresses. */
struct wt_error *wt_take_breakpoints(struct wt_recorder *recorder, struct wt_state *state);

/** The client reported a hit. @action: what the library answered; NULL if it refused, with @status. */
struct wt_error *wt_take_hit(struct wt_call *call, uint64_t handle, amd_dbgapi_status_t status,
			     const amd_dbgapi_breakpoint_action_t *action);

#endif /* WT_RECORDER_MOMENT_BREAKPOINT_H */
