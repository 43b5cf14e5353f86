/* SPDX-License-Identifier: MIT */
#include "recorder/agent/agent.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "recorder/agent/follow-events.h"

/* How long to wait for the library to have something to say before the program is looked at. */
#define POLL_MS 20

struct agent {
	struct wt_agent_follow follow;
	struct wt_agent_options options;
	struct wt_agent_summary summary;
	uint64_t started;
};

static struct wt_error *agent_error(const struct agent *agent, const char *function,
				    amd_dbgapi_status_t status)
{
	return wt_agent_client_failed(&agent->follow.client, function, status);
}

static amd_dbgapi_status_t agent_process_id(void *context, void *value)
{
	const struct agent *agent = context;
	amd_dbgapi_os_process_id_t process = agent->options.reproducible ? 1 : getpid();

	memcpy(value, &process, sizeof(process));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Does what wt_agent_pump() does, and tells who wants to know. */
static struct wt_error *agent_pump(struct agent *agent, bool *any_ret)
{
	struct wt_error *error = wt_agent_pump(&agent->follow, any_ret);

	agent->summary.counts = agent->follow.counts;
	if (!error && *any_ret && agent->options.progress)
		agent->options.progress(agent->options.opaque, &agent->summary);
	return error;
}

static struct wt_error *agent_is_idle(const struct agent *agent, bool *idle_ret)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	amd_dbgapi_status_t status;
	size_t count = 0;

	status = agent->follow.client.api->process_wave_list(agent->follow.client.process, &count,
							     &waves, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return agent_error(agent, "amd_dbgapi_process_wave_list", status);
	free(waves);
	*idle_ret = !count && wt_agent_queues_are_empty(&agent->follow);
	return NULL;
}

static bool agent_is_over_limit(struct agent *agent)
{
	const struct wt_agent_options *options = &agent->options;

	if (options->stop_limit && agent->summary.counts.stops >= options->stop_limit)
		agent->summary.end = WT_AGENT_STOP_LIMIT;
	else if (options->time_limit_ms && wt_clock_ms() - agent->started >= options->time_limit_ms)
		agent->summary.end = WT_AGENT_TIME_LIMIT;
	else if (options->is_interrupted && options->is_interrupted())
		agent->summary.end = WT_AGENT_INTERRUPTED;
	else
		return false;
	return true;
}

static struct wt_error *agent_stop_all(struct agent *agent)
{
	struct wt_error *error = wt_agent_stop_all(&agent->follow);

	agent->summary.counts = agent->follow.counts;
	return error;
}

/* The last stop shows what a program that takes too long is doing. */
static struct wt_error *agent_stop_where_they_are(struct agent *agent)
{
	struct wt_error *error =
		wt_agent_set_progress(&agent->follow, AMD_DBGAPI_PROGRESS_NO_FORWARD);

	return error ? error : agent_stop_all(agent);
}

/* Until the program ends, faults, or is too long about it. */
static struct wt_error *agent_follow_events(struct agent *agent)
{
	struct wt_error *error = NULL;
	bool any, idle = false;

	while (!error) {
		bool told = wt_agent_wait(&agent->follow, -1, POLL_MS);

		error = agent_pump(agent, &any);
		if (error)
			break;
		if (agent->follow.fault) {
			agent->summary.end = WT_AGENT_FAULT;
			return agent_stop_all(agent);
		}
		if (agent_is_over_limit(agent))
			return agent->summary.end == WT_AGENT_STOP_LIMIT
				       ? NULL
				       : agent_stop_where_they_are(agent);
		if (any)
			error = wt_agent_resume(&agent->follow);
		else if (!told)
			error = agent_is_idle(agent, &idle);
		if (idle)
			return NULL;
		if (!any && agent->options.progress)
			agent->options.progress(agent->options.opaque, &agent->summary);
	}
	return error;
}

static struct wt_error *agent_follow(void *context)
{
	struct agent *agent = context;
	struct wt_error *error = wt_agent_follow_begin(&agent->follow);

	return error ? error : agent_follow_events(agent);
}

struct wt_error *wt_agent_run(const struct wt_api *api, const struct wt_agent_options *options,
			      struct wt_agent_summary *summary_ret)
{
	struct agent agent = {.started = wt_clock_ms()};
	struct wt_error *error;

	if (options)
		memcpy(&agent.options, options,
		       options->size < sizeof(*options) ? options->size : sizeof(*options));
	if (agent.options.log_level < AMD_DBGAPI_LOG_LEVEL_WARNING)
		agent.options.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING;
	agent.follow.client = (struct wt_agent_client){
		.api = api,
		.what = "cannot debug the program",
		.log_level = agent.options.log_level,
		.context = &agent,
		.query = AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID,
		.query_size = sizeof(amd_dbgapi_os_process_id_t),
		.answer = agent_process_id,
		.follow = agent_follow,
		.log = agent.options.log,
		.opaque = agent.options.opaque,
	};
	error = wt_agent_client_run(&agent.follow.client);
	wt_agent_follow_deinit(&agent.follow);
	if (!error)
		*summary_ret = agent.summary;
	return error;
}
