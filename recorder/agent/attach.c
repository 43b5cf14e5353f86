/* SPDX-License-Identifier: MIT */
#include "recorder/agent/attach.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "recorder/agent/ptrace.h"

/* How often signals of the process are looked for. */
#define SERVE_MS 20

struct attach {
	struct wt_agent_follow follow;
	struct wt_attach_options options;
	struct wt_attach_summary summary;
};

static amd_dbgapi_status_t attach_process_id(void *context, void *value)
{
	const struct attach *attach = context;
	const amd_dbgapi_os_process_id_t process = attach->options.process;

	memcpy(value, &process, sizeof(process));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Every wave, where it stands. */
static struct wt_error *attach_take_waves(struct attach *attach)
{
	struct wt_error *error =
		wt_agent_set_progress(&attach->follow, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	bool any;

	wt_agent_client_look_for_code(&attach->follow.client);
	if (!error)
		error = wt_agent_pump(&attach->follow, &any);
	if (!error)
		error = wt_agent_stop_all(&attach->follow);
	attach->summary.waves = wt_agent_client_count_waves(&attach->follow.client);
	return error;
}

static bool attach_has_owner(const struct attach *attach)
{
	return !attach->options.owner || getppid() == attach->options.owner;
}

/* Until a wave has a fault, the process ends, or the time is over. */
static struct wt_error *attach_watch(struct attach *attach, bool *lives)
{
	uint64_t end = wt_clock_ms() + attach->options.follow_ms;
	struct wt_error *error = NULL;
	bool any;

	while (!error && !attach->follow.fault && wt_clock_ms() < end && attach_has_owner(attach)) {
		*lives = wt_trace_serve(attach->options.process);
		if (!*lives)
			break;
		if (!wt_agent_wait(&attach->follow, -1, SERVE_MS))
			continue;
		wt_agent_client_look_for_code(&attach->follow.client);
		error = wt_agent_pump(&attach->follow, &any);
		if (!error && any && !attach->follow.fault)
			error = wt_agent_resume(&attach->follow);
	}
	return error;
}

static struct wt_error *attach_restriction_error(const struct attach *attach)
{
	return wt_error_create(WT_ERROR_UNSUPPORTED, attach->follow.client.what,
			       "the debugger library", "it is restricted: %s",
			       attach->follow.client.last_log[0] ? attach->follow.client.last_log
								 : "the library gave no reason");
}

static struct wt_error *attach_follow(void *context)
{
	struct attach *attach = context;
	struct wt_agent_follow *events = &attach->follow;
	struct wt_error *error = wt_agent_follow_begin(events);
	bool any, lives = true;

	if (!error)
		error = wt_agent_pump(events, &any);
	if (!error && events->runtime_state == AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION)
		return attach_restriction_error(attach);
	if (!error && attach->options.follow_ms && !events->fault)
		error = wt_agent_resume(events);
	if (!error && attach->options.follow_ms)
		error = attach_watch(attach, &lives);
	if (error || !lives) {
		attach->summary.end = WT_ATTACH_EXIT;
		return error;
	}
	error = attach_take_waves(attach);
	if (error)
		return error;
	attach->summary.end = events->fault ? WT_ATTACH_FAULT : WT_ATTACH_SNAPSHOT;
	return events->fault ? wt_agent_deliver(events) : wt_agent_resume(events);
}

struct wt_error *wt_attach_run(const struct wt_api *api, const struct wt_attach_options *options,
			       struct wt_attach_summary *summary_ret)
{
	struct attach attach = {.options = *options};
	struct wt_error *error = wt_trace_begin(options->process);

	if (error)
		return error;
	attach.follow.watches_runtime = true;
	attach.follow.client = (struct wt_agent_client){
		.api = api,
		.what = "cannot debug the process",
		.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING,
		.context = &attach,
		.query = AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID,
		.query_size = sizeof(amd_dbgapi_os_process_id_t),
		.answer = attach_process_id,
		.takes_breakpoint = true,
		.follow = attach_follow,
	};
	error = wt_agent_client_run(&attach.follow.client);
	wt_trace_end(options->process);
	attach.summary.counts = attach.follow.counts;
	wt_agent_follow_deinit(&attach.follow);
	if (!error)
		*summary_ret = attach.summary;
	return error;
}
