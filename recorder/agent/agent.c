/* SPDX-License-Identifier: MIT */
#include "recorder/agent/agent.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/agent/client.h"

/* How long to wait for the library to have something to say before the program is looked at. */
#define POLL_MS 20
/* Rounds of stopping waves before the agent takes what it has: new waves may keep coming. */
#define STOP_ROUNDS 64

#define WANTED_REASONS                                                                             \
	(AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT | AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT |         \
	 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP | AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP)

struct agent {
	struct wt_agent_client client;
	struct wt_agent_options options;
	struct wt_agent_summary summary;
	amd_dbgapi_notifier_t notifier;
	bool no_forward, fault;
	uint64_t started;
	uint64_t *resumable; /* waves to resume once all events are handled */
	size_t resumable_count, resumable_capacity;
};

static uint64_t now_ms(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static struct wt_error *failed(const struct agent *agent, const char *function,
			       amd_dbgapi_status_t status)
{
	return wt_agent_client_failed(&agent->client, function, status);
}

static amd_dbgapi_status_t process_id(void *context, void *value)
{
	const struct agent *agent = context;
	amd_dbgapi_os_process_id_t process = agent->options.reproducible ? 1 : getpid();

	memcpy(value, &process, sizeof(process));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static bool wave_state(const struct agent *agent, amd_dbgapi_wave_id_t wave,
		       amd_dbgapi_wave_state_t *state_ret)
{
	uint32_t state;

	if (agent->client.api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state),
					     &state) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	*state_ret = (amd_dbgapi_wave_state_t)state;
	return true;
}

static struct wt_error *set_progress(struct agent *agent, amd_dbgapi_progress_t progress)
{
	bool no_forward = progress == AMD_DBGAPI_PROGRESS_NO_FORWARD;
	amd_dbgapi_status_t status;

	if (agent->no_forward == no_forward)
		return NULL;
	status = agent->client.api->process_set_progress(agent->client.process, progress);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_process_set_progress", status);
	agent->no_forward = no_forward;
	return NULL;
}

static struct wt_error *remember(struct agent *agent, amd_dbgapi_wave_id_t wave)
{
	if (agent->resumable_count == agent->resumable_capacity) {
		size_t capacity = agent->resumable_capacity ? agent->resumable_capacity * 2 : 64;
		uint64_t *grown =
			reallocarray(agent->resumable, capacity, sizeof(*agent->resumable));

		if (!grown)
			return &wt_error_no_memory;
		agent->resumable = grown;
		agent->resumable_capacity = capacity;
	}
	agent->resumable[agent->resumable_count++] = wave.handle;
	return NULL;
}

/* Why the wave stopped, and what to do with it. */
static struct wt_error *handle_stop(struct agent *agent, amd_dbgapi_event_id_t event)
{
	const struct wt_api *api = agent->client.api;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_status_t status;
	uint32_t reasons;

	status = api->event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave), &wave);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_event_get_info", status);
	status = api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reasons),
				    &reasons);
	/* On a live device a wave may be gone by now. */
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		return NULL;
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_wave_get_info", status);
	agent->summary.wave_stops += reasons != 0;
	if (!(reasons & ~(uint32_t)WANTED_REASONS)) {
		agent->summary.debug_traps += !!(reasons & AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP);
		return remember(agent, wave);
	}
	if (!agent->summary.faulted_waves++)
		agent->summary.fault_wave = wave.handle;
	agent->summary.fault_reasons |= reasons;
	agent->fault = true;
	return NULL;
}

static struct wt_error *handle_event(struct agent *agent, amd_dbgapi_event_id_t event,
				     amd_dbgapi_event_kind_t kind)
{
	struct wt_error *error = NULL;
	amd_dbgapi_status_t status;

	if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
		error = handle_stop(agent, event);
	if (kind == AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR)
		agent->fault = true;
	if (error)
		return error;
	status = agent->client.api->event_processed(event);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_event_processed", status);
	return NULL;
}

/*
 * Handle events until there are none. From the first on the program is held still, so that it is at the
 * last event as it was at the first.
 */
static struct wt_error *pump(struct agent *agent, bool *any_ret)
{
	struct wt_error *error = NULL;

	*any_ret = false;
	while (!error) {
		amd_dbgapi_event_id_t event = AMD_DBGAPI_EVENT_NONE;
		amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
		amd_dbgapi_status_t status = agent->client.api->process_next_pending_event(
			agent->client.process, &event, &kind);

		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return failed(agent, "amd_dbgapi_process_next_pending_event", status);
		if (!event.handle)
			break;
		*any_ret = true;
		error = set_progress(agent, AMD_DBGAPI_PROGRESS_NO_FORWARD);
		if (!error)
			error = handle_event(agent, event, kind);
	}
	agent->summary.stops += !error && *any_ret;
	if (!error && *any_ret && agent->options.progress)
		agent->options.progress(agent->options.opaque, &agent->summary);
	return error;
}

static struct wt_error *resume_waves(struct agent *agent)
{
	for (size_t i = 0; i < agent->resumable_count; i++) {
		const amd_dbgapi_wave_id_t wave = {agent->resumable[i]};
		amd_dbgapi_status_t status = agent->client.api->wave_resume(
			wave, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE);

		if (status != AMD_DBGAPI_STATUS_SUCCESS &&
		    status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
			return failed(agent, "amd_dbgapi_wave_resume", status);
	}
	agent->resumable_count = 0;
	return set_progress(agent, AMD_DBGAPI_PROGRESS_NORMAL);
}

/* Ask every wave that runs to stop; how many there were. */
static struct wt_error *stop_running(struct agent *agent, size_t *count_ret)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	struct wt_error *error = NULL;
	amd_dbgapi_status_t status;
	size_t count = 0;

	*count_ret = 0;
	status = agent->client.api->process_wave_list(agent->client.process, &count, &waves, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_process_wave_list", status);
	for (size_t i = 0; i < count && !error; i++) {
		amd_dbgapi_wave_state_t state;

		if (!wave_state(agent, waves[i], &state) || state == AMD_DBGAPI_WAVE_STATE_STOP)
			continue;
		status = agent->client.api->wave_stop(waves[i]);
		(*count_ret)++;
		if (status != AMD_DBGAPI_STATUS_SUCCESS &&
		    status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID &&
		    status != AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED &&
		    status != AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP)
			error = failed(agent, "amd_dbgapi_wave_stop", status);
	}
	free(waves);
	return error;
}

/* Stop everything: the stop at which the last wave has stopped holds the whole program. */
static struct wt_error *stop_all(struct agent *agent)
{
	struct wt_error *error = NULL;

	for (int round = 0; round < STOP_ROUNDS && !error; round++) {
		struct pollfd readable = {.fd = agent->notifier, .events = POLLIN};
		size_t count;
		bool any;

		error = stop_running(agent, &count);
		if (error || !count)
			return error;
		error = pump(agent, &any);
		if (!error && !any)
			poll(&readable, 1, POLL_MS);
	}
	return error;
}

/* A queue that has packets left will make waves, even if there are none now. */
static bool queues_are_empty(const struct agent *agent)
{
	amd_dbgapi_queue_id_t *queues = NULL;
	bool empty = true;
	size_t count = 0;

	if (agent->client.api->process_queue_list(agent->client.process, &count, &queues, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return true;
	for (size_t i = 0; i < count && empty; i++) {
		amd_dbgapi_os_queue_packet_id_t read, write;
		size_t size;

		/* Not all kinds of queue can be looked into; those that cannot make no waves. */
		if (agent->client.api->queue_packet_list(queues[i], &read, &write, &size, NULL) ==
		    AMD_DBGAPI_STATUS_SUCCESS)
			empty = read == write;
	}
	free(queues);
	return empty;
}

static struct wt_error *is_idle(const struct agent *agent, bool *idle_ret)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	amd_dbgapi_status_t status;
	size_t count = 0;

	status = agent->client.api->process_wave_list(agent->client.process, &count, &waves, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_process_wave_list", status);
	free(waves);
	*idle_ret = !count && queues_are_empty(agent);
	return NULL;
}

/* Wait until the library says that it has something, or for a while. */
static bool notified(const struct agent *agent)
{
	struct pollfd readable = {.fd = agent->notifier, .events = POLLIN};
	char mark;

	if (poll(&readable, 1, POLL_MS) <= 0)
		return false;
	while (read(agent->notifier, &mark, 1) == 1)
		;
	return true;
}

static bool over_limit(struct agent *agent)
{
	const struct wt_agent_options *options = &agent->options;

	if (options->stop_limit && agent->summary.stops >= options->stop_limit)
		agent->summary.end = WT_AGENT_STOP_LIMIT;
	else if (options->time_limit_ms && now_ms() - agent->started >= options->time_limit_ms)
		agent->summary.end = WT_AGENT_TIME_LIMIT;
	else
		return false;
	return true;
}

/* Until the program ends, faults, or is too long about it. */
static struct wt_error *follow_events(struct agent *agent)
{
	struct wt_error *error = NULL;
	bool any, idle = false;

	while (!error) {
		bool told = notified(agent);

		error = pump(agent, &any);
		if (error)
			break;
		if (agent->fault) {
			agent->summary.end = WT_AGENT_FAULT;
			return stop_all(agent);
		}
		if (over_limit(agent))
			return NULL;
		if (any)
			error = resume_waves(agent);
		else if (!told)
			error = is_idle(agent, &idle);
		if (idle)
			return NULL;
		if (!any && agent->options.progress)
			agent->options.progress(agent->options.opaque, &agent->summary);
	}
	return error;
}

static struct wt_error *follow(void *context)
{
	struct agent *agent = context;
	amd_dbgapi_status_t status = agent->client.api->process_get_info(
		agent->client.process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER, sizeof(agent->notifier),
		&agent->notifier);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return failed(agent, "amd_dbgapi_process_get_info", status);
	return follow_events(agent);
}

struct wt_error *wt_agent_run(const struct wt_api *api, const struct wt_agent_options *options,
			      struct wt_agent_summary *summary_ret)
{
	struct agent agent = {.started = now_ms()};
	struct wt_error *error;

	if (options)
		memcpy(&agent.options, options,
		       options->size < sizeof(*options) ? options->size : sizeof(*options));
	if (agent.options.log_level < AMD_DBGAPI_LOG_LEVEL_WARNING)
		agent.options.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING;
	agent.client = (struct wt_agent_client){
		.api = api,
		.what = "cannot debug the program",
		.log_level = agent.options.log_level,
		.context = &agent,
		.query = AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID,
		.query_size = sizeof(amd_dbgapi_os_process_id_t),
		.answer = process_id,
		.follow = follow,
		.log = agent.options.log,
		.opaque = agent.options.opaque,
	};
	error = wt_agent_client_run(&agent.client);
	free(agent.resumable);
	if (!error)
		*summary_ret = agent.summary;
	return error;
}
