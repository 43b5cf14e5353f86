/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints in the host program that the wrapped library has its client insert: their addresses, and the library's answers
 * to reports of hits. A replay has its client insert them at the same addresses, and gives the same answers.
 */
#ifndef WT_RECORDER_MOMENT_CLIENT_BREAKPOINT_H
#define WT_RECORDER_MOMENT_CLIENT_BREAKPOINT_H

#include "recorder/recording/call.h"

/** The client has inserted or removed a breakpoint. Called in a callback, where the library must not be called. */
bool wt_breakpoint_inserted(struct wt_session *session, uint64_t handle, uint64_t address);
void wt_breakpoint_removed(struct wt_session *session, uint64_t handle);

/** The process of a breakpoint; 0 if it is not known. */
uint64_t wt_breakpoint_process(struct wt_recorder *recorder, uint64_t handle);

/** Put all breakpoints into a state: the objects, and for each process the addresses. */
struct wt_error *wt_take_breakpoints(struct wt_recorder *recorder, struct wt_state *state);

/** The client reported a hit. @action: the library's answer; NULL if the call failed with @status. */
struct wt_error *wt_take_hit(struct wt_call *call, uint64_t handle, amd_dbgapi_status_t status,
			     const amd_dbgapi_breakpoint_action_t *action);

#endif /* WT_RECORDER_MOMENT_CLIENT_BREAKPOINT_H */
