/* SPDX-License-Identifier: MIT */
/* What others wish of the replay over the control socket, and the client's timeline. */
#include <stdio.h>

#include "base/cleanup.h"
#include "replayer/library/internal.h"

/* A replay that cannot be controlled is a replay still. */
void wt_replay_control_open(void)
{
	struct wt_replay_process *process = &wt_replayer.process;
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_control_options options;
	struct wt_control_place place = {
		.process = process->handle,
		.start = wt_replayer.timeline.start,
		.position = wt_replayer.timeline.position,
	};

	if (!wt_control_wanted(&options))
		return;
	options.trace = wt_replayer.path;
	error = wt_control_open(&options, &place, process->notifier[1], &process->control);
	if (error)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_INFO, "%s: %s: %s",
			      error->what, error->where, error->why);
}

void wt_replay_control_close(void)
{
	wt_control_close(wt_take(wt_replayer.process.control));
}

/* A client may end without detaching, or be done with the library: its code goes, and the thread. */
__attribute__((destructor)) static void end(void)
{
	wt_replay_control_close();
}

void wt_replay_control_take(void)
{
	struct wt_replay_process *process = &wt_replayer.process;
	uint32_t destination;

	if (!process->control || !wt_control_take_request(process->control, &destination))
		return;
	wt_timeline_travel(&wt_replayer.timeline, destination);
	process->travels = true;
}

struct wt_error *wt_replay_control_tell(struct wt_error *error)
{
	struct wt_replay_process *process = &wt_replayer.process;
	char why[512];

	if (!process->control)
		return error;
	wt_control_set_position(process->control, wt_replayer.timeline.position);
	if (!process->travels || wt_replayer.timeline.destination != WT_TIMELINE_NOWHERE)
		return error;
	process->travels = false;
	if (error)
		snprintf(why, sizeof(why), "%s: %s: %s", error->what, error->where, error->why);
	wt_control_complete(process->control, error ? why : NULL,
			    wt_replayer.timeline.arrived_running);
	/* The client did not ask for it, so its call has not failed. */
	if (error)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "cannot go to another stop: %s", why);
	wt_error_destroy(error);
	return NULL;
}
