/* SPDX-License-Identifier: MIT */
/* Requests that others make over the control socket, and the client's timeline. */
#include <stdio.h>

#include "base/cleanup.h"
#include "replayer/control/control.h"
#include "replayer/library/cache.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/internal.h"
#include "replayer/timeline/timeline.h"

/* A replay that cannot be controlled is a replay still. */
void wt_replay_control_open(struct wt_replay_process *process)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_control_options options;
	struct wt_control_place place = {
		.process = process->handle,
		.start = process->timeline.start,
		.position = process->timeline.position,
	};

	for (const struct wt_replay_process *other = wt_replayer.processes; other;
	     other = other->next)
		if (other->control)
			return;
	if (!wt_control_wanted(&options))
		return;
	options.trace = wt_replayer.path;
	error = wt_control_open(&options, &place, process->notifier[1], &process->control);
	if (error)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_INFO, "%s: %s: %s",
			      error->what, error->where, error->why);
}

void wt_replay_control_close(struct wt_replay_process *process)
{
	wt_control_close(wt_take(process->control));
}

/* A client may end without detaching, or be done with the library: its code goes, and the thread. */
__attribute__((destructor)) static void replay_control_end(void)
{
	struct wt_replay_process *process;

	for (process = wt_replayer.processes; process; process = process->next)
		wt_replay_control_close(process);
}

/* A client that allows it is taken there without events; another gets them when it has let its waves go. */
static struct wt_error *requested_stop_go(struct wt_replay_process *process,
					  const struct wt_control_request *request)
{
	struct wt_timeline *timeline = &process->timeline;
	struct wt_error *error = NULL;
	bool jumped = false;

	wt_debuggee_stay(process);
	if (request->at_once)
		error = wt_timeline_jump(timeline, request->destination, request->selected,
					 &jumped);
	if (!error && !jumped)
		wt_timeline_travel(timeline, request->destination);
	if (jumped)
		wt_debuggee_arrived(process);
	return error;
}

bool wt_replay_control_asks(void)
{
	const struct wt_replay_process *process = wt_replayer.processes;

	while (process && !(process->control && wt_control_has_request(process->control)))
		process = process->next;
	return process;
}

void wt_replay_control_take(struct wt_replay_process *process)
{
	struct wt_error *error = NULL;
	struct wt_control_request request;

	if (!process->control || !wt_control_take_request(process->control, &request))
		return;
	wt_cache_forget_all();
	process->travels = true;
	process->selected = request.selected;
	if (request.stays)
		wt_timeline_travel(&process->timeline, WT_TIMELINE_NOWHERE);
	else
		error = requested_stop_go(process, &request);
	wt_error_destroy(wt_replay_control_tell(process, error));
}

struct wt_error *wt_replay_control_tell(struct wt_replay_process *process, struct wt_error *error)
{
	struct wt_timeline *timeline = &process->timeline;
	struct wt_control_result result = {0};
	char why[512];

	if (!process->control)
		return error;
	wt_control_set_position(process->control, timeline->position);
	if (!process->travels || timeline->destination != WT_TIMELINE_NOWHERE)
		return error;
	process->travels = false;
	result.wave = wt_timeline_show(timeline, process->selected, &result.running);
	result.events = !TAILQ_EMPTY(&timeline->queue);
	result.quiet = !result.events && !timeline->call_awaited;
	if (error) {
		snprintf(why, sizeof(why), "%s: %s: %s", error->what, error->where, error->why);
		result.why = why;
	}
	wt_control_complete(process->control, &result);
	/* The client did not ask for it, so its call has not failed. */
	if (error)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "cannot go to another stop: %s", why);
	wt_error_destroy(error);
	return NULL;
}
