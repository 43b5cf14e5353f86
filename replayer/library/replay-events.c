/* SPDX-License-Identifier: MIT */
/* Events: which comes next, of which process, and when the client is to ask for one. */
#include "replayer/library/debuggee.h"
#include "replayer/library/internal.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-notifier.h"
#include "replayer/timeline/timeline.h"

/* Something is to be had, now or when the client has asked as often as the recorded one. */
static bool is_pending(struct wt_replay_process *process)
{
	return wt_timeline_pending(&process->timeline) ||
	       (wt_replay_is_in_step() &&
		wt_call_cursor_expects_event(&wt_replayer.cursor, process->handle));
}

void wt_replay_make_pump(const struct wt_replay_process *process)
{
	wt_notifier_raise(process->notifier);
}

void wt_replay_notify(void)
{
	struct wt_replay_process *process;

	wt_replay_share_handles();
	wt_replay_look();
	for (process = wt_replayer.processes; process; process = process->next) {
		wt_debuggee_sync(process);
		wt_replay_control_take(process);
		if (!process->debuggee.quiet && is_pending(process))
			wt_replay_make_pump(process);
	}
}

/* The next event of a process. */
static struct wt_error *process_event_pump(struct wt_replay_process *process,
					   const struct wt_timeline_event **event_ret)
{
	struct wt_error *error;

	*event_ret = NULL;
	wt_debuggee_pump(process);
	wt_replay_control_take(process);
	error = wt_timeline_pump(&process->timeline, event_ret);
	error = wt_replay_control_tell(process, error);
	if (error)
		return error;
	wt_debuggee_reported(process, *event_ret);
	wt_replay_breakpoints_sync(process);
	wt_replay_log(process);
	wt_replay_share_handles();
	return NULL;
}

/* The process whose event comes first: libraries count events as they come, whatever process they are of. NULL for none. */
static struct wt_replay_process *find_first(void)
{
	struct wt_replay_process *process, *found = NULL;
	uint64_t first = UINT64_MAX;

	for (process = wt_replayer.processes; process; process = process->next) {
		const struct wt_timeline_event *event = TAILQ_FIRST(&process->timeline.queue);

		if (!event || process->timeline.call_awaited || event->handle >= first)
			continue;
		found = process;
		first = event->handle;
	}
	return found;
}

/* Lets all processes move whose next STOPs were recorded at the same time, the first that there are. */
static struct wt_error *fetch_stops(void)
{
	uint64_t first = UINT64_MAX, call;
	struct wt_replay_process *process;
	struct wt_error *error = NULL;

	for (process = wt_replayer.processes; process; process = process->next)
		if (wt_timeline_stop_comes(&process->timeline, &call) && call < first)
			first = call;
	for (process = wt_replayer.processes; process && !error; process = process->next)
		if (wt_timeline_stop_comes(&process->timeline, &call) && call == first)
			error = wt_timeline_fetch(&process->timeline);
	return error;
}

/* All their events were given: one call gives none, as it ended the STOPs that were recorded together. */
static bool close_stops(void)
{
	bool closing = false;

	for (struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next) {
		closing |= process->timeline.closing;
		process->timeline.closing = false;
	}
	return closing;
}

/* The next event of any process. */
static struct wt_error *pump_all(const struct wt_timeline_event **event_ret)
{
	struct wt_error *error = find_first() ? NULL : fetch_stops();
	struct wt_replay_process *process = error ? NULL : find_first();

	*event_ret = NULL;
	if (error)
		return error;
	if (process)
		return process_event_pump(process, event_ret);
	if (close_stops())
		return NULL;
	for (process = wt_replayer.processes; process && !error && !*event_ret;
	     process = process->next)
		error = process_event_pump(process, event_ret);
	return error;
}

/* State of all processes that a request for an event may change. */
struct before {
	uint64_t positions, states;
	bool closing;
};

static struct before request_effects_look(void)
{
	struct before found = {0};

	for (const struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next) {
		found.positions += process->timeline.position;
		found.states += process->timeline.state_changes;
		found.closing |= process->timeline.closing;
	}
	return found;
}

/* Nothing moved, and nothing is to come that is not waited for: the next request would find the same. */
static bool request_is_quiet(const struct before *before)
{
	const struct before now = request_effects_look();
	struct wt_replay_process *process;
	bool quiet = now.positions == before->positions && now.states == before->states &&
		     !before->closing && !now.closing && !wt_replayer.options.host;

	for (process = wt_replayer.processes; process && quiet; process = process->next)
		quiet = !is_pending(process) && !process->timeline.call_awaited &&
			process->timeline.destination == WT_TIMELINE_NOWHERE;
	return quiet;
}

amd_dbgapi_status_t wt_answer_process_next_pending_event(amd_dbgapi_process_id_t process_id,
							 amd_dbgapi_event_id_t *event_id,
							 amd_dbgapi_event_kind_t *kind)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);
	const struct wt_timeline_event *event = NULL;
	const struct before before = request_effects_look();
	struct wt_error *error = NULL;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!event_id || !kind)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_is_process_or_none(process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (wt_replay_is_of_all(process_id.handle))
		error = pump_all(&event);
	else if (wt_replayer.processes)
		error = process_event_pump(process, &event);
	if (error) {
		wt_replay_log_error(error);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	event_id->handle = event ? event->handle : AMD_DBGAPI_EVENT_NONE.handle;
	*kind = event ? event->kind : AMD_DBGAPI_EVENT_KIND_NONE;
	wt_replay_notify();
	wt_replayer.changed_nothing = !event && request_is_quiet(&before);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_event_processed(amd_dbgapi_event_id_t event_id)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_EVENT, event_id.handle);
	const struct wt_timeline_event *event;
	bool released;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	event = process->handle ? wt_timeline_event(&process->timeline, event_id.handle) : NULL;
	released =
		event && event->recorded && event->kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME;
	if (event)
		wt_debuggee_processed(process, event->kind);
	if (!process->handle || !wt_timeline_processed(&process->timeline, event_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID;
	/* The recorded program went on from its breakpoint in this call. */
	if (released)
		return wt_replay_release(process, WT_FUNCTION_EVENT_PROCESSED);
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}
