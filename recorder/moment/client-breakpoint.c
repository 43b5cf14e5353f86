/* SPDX-License-Identifier: MIT */
#include "recorder/moment/client-breakpoint.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "recorder/moment/late.h"
#include "recorder/recording/question.h"

static struct wt_breakpoint *breakpoint_find(struct wt_session *session, uint64_t handle)
{
	for (size_t i = 0; i < session->breakpoint_count; i++)
		if (session->breakpoints[i].handle == handle)
			return &session->breakpoints[i];
	return NULL;
}

bool wt_breakpoint_inserted(struct wt_session *session, uint64_t handle, uint64_t address)
{
	struct wt_breakpoint *all, *known = breakpoint_find(session, handle);

	if (known) {
		known->address = address;
		return true;
	}
	all = reallocarray(session->breakpoints, session->breakpoint_count + 1, sizeof(*all));
	if (!all)
		return false;
	session->breakpoints = all;
	all[session->breakpoint_count++] =
		(struct wt_breakpoint){.handle = handle, .address = address};
	return true;
}

void wt_breakpoint_removed(struct wt_session *session, uint64_t handle)
{
	struct wt_breakpoint *gone = breakpoint_find(session, handle);

	if (!gone)
		return;
	session->breakpoint_count--;
	for (; gone < &session->breakpoints[session->breakpoint_count]; gone++)
		gone[0] = gone[1];
}

uint64_t wt_breakpoint_process(struct wt_recorder *recorder, uint64_t handle)
{
	uint64_t process;

	return wt_ask_number(recorder, WT_OBJECT_BREAKPOINT, handle,
			     AMD_DBGAPI_BREAKPOINT_INFO_PROCESS, &process)
		       ? process
		       : 0;
}

/* Takes the places of the breakpoints of a process. */
static struct wt_error *take_places(struct wt_recorder *recorder, struct wt_state *state,
				    uint64_t process)
{
	const struct wt_session *session = &recorder->session;
	size_t count = session->breakpoint_count;
	wt_cleanup_free uint64_t *pairs = calloc(2 * count + 1, sizeof(*pairs));
	struct wt_item item = {
		.key = wt_key_plain(WT_ITEM_BREAKPOINTS, process),
	};

	if (!pairs)
		return &wt_error_no_memory;
	item.numbers = pairs;
	item.handles = pairs + count;
	for (size_t i = 0; i < count; i++) {
		if (session->breakpoints[i].process != process)
			continue;
		item.numbers[item.number_count++] = session->breakpoints[i].address;
		item.handles[item.handle_count++] = session->breakpoints[i].handle;
	}
	return item.number_count ? wt_state_set(state, &item) : NULL;
}

/* One of a program that has ended is still where it was, but no object any more. */
struct wt_error *wt_take_breakpoints(struct wt_recorder *recorder, struct wt_state *state)
{
	const struct wt_session *session = &recorder->session;
	const struct wt_attached *process = session->processes;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < session->breakpoint_count && !error; i++) {
		struct wt_breakpoint *breakpoint = &session->breakpoints[i];
		uint64_t owner = wt_breakpoint_process(recorder, breakpoint->handle);

		if (!owner)
			continue;
		breakpoint->process = owner;
		error = wt_take_object(recorder, state, WT_OBJECT_BREAKPOINT, breakpoint->handle);
	}
	for (; process && session->breakpoint_count && !error; process = process->next)
		error = take_places(recorder, state, process->handle);
	return error;
}

struct wt_error *wt_take_hit(struct wt_call *call, uint64_t handle, amd_dbgapi_status_t status,
			     const amd_dbgapi_breakpoint_action_t *action)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return wt_late_refusal(call, call->function, handle, status);
	return action ? wt_late_append(call, WT_ITEM_BREAKPOINT_HITS, handle, (uint32_t)*action,
				       NULL)
		      : NULL;
}
