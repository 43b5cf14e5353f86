/* SPDX-License-Identifier: MIT */
#include "recorder/agent/core-agent.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/uri.h"
#include "recorder/agent/debugger-client.h"

struct agent {
	struct wt_agent_client client;
	struct wt_core_file *file;
	struct wt_core_agent_options options;
	struct wt_core_summary summary;
	uint64_t events;
	bool runtime_told;
};

static struct wt_error *core_agent_error(const struct agent *agent, const char *function,
					 amd_dbgapi_status_t status)
{
	return wt_agent_client_failed(&agent->client, function, status);
}

/* The library frees the copy. */
static amd_dbgapi_status_t core_agent_give_note(void *context, void *value)
{
	const struct agent *agent = context;
	amd_dbgapi_core_state_data_t state = {.endianness = AMD_DBGAPI_ENDIAN_LITTLE};
	const void *note = wt_core_file_note(agent->file, &state.size);
	void *copy = malloc(state.size ? state.size : 1);

	if (!copy)
		return AMD_DBGAPI_STATUS_ERROR;
	memcpy(copy, note, state.size);
	state.data = copy;
	memcpy(value, &state, sizeof(state));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t core_agent_read_memory(void *context, uint64_t address,
						  amd_dbgapi_size_t *size, void *data)
{
	const struct agent *agent = context;
	size_t done = wt_core_file_read(agent->file, address, data, *size);

	if (*size && !done)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	*size = done;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static struct wt_error *core_agent_handle_stop(struct agent *agent, amd_dbgapi_event_id_t event)
{
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_status_t status;
	uint32_t reasons;

	status = agent->client.api->event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave),
						   &wave);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return core_agent_error(agent, "amd_dbgapi_event_get_info", status);
	status = agent->client.api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						  sizeof(reasons), &reasons);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return core_agent_error(agent, "amd_dbgapi_wave_get_info", status);
	agent->summary.stopped_waves += reasons != 0;
	agent->summary.reasons |= reasons;
	return NULL;
}

static struct wt_error *core_agent_pump(struct agent *agent)
{
	for (;;) {
		amd_dbgapi_event_id_t event = AMD_DBGAPI_EVENT_NONE;
		amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
		amd_dbgapi_status_t status = agent->client.api->process_next_pending_event(
			agent->client.process, &event, &kind);
		struct wt_error *error = NULL;

		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return core_agent_error(agent, "amd_dbgapi_process_next_pending_event",
						status);
		if (!event.handle)
			return NULL;
		agent->runtime_told |= kind == AMD_DBGAPI_EVENT_KIND_RUNTIME;
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			error = core_agent_handle_stop(agent, event);
		if (error)
			return error;
		status = agent->client.api->event_processed(event);
		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return core_agent_error(agent, "amd_dbgapi_event_processed", status);
		if (agent->options.progress)
			agent->options.progress(agent->options.opaque, ++agent->events);
	}
}

/* All lists have the same form: an array of handles. */
#define COUNT(agent, kind, ret)                                                                    \
	({                                                                                         \
		amd_dbgapi_##kind##_id_t *list_ = NULL;                                            \
		amd_dbgapi_status_t status_;                                                       \
		size_t count_ = 0;                                                                 \
                                                                                                   \
		status_ = (agent)->client.api->process_##kind##_list((agent)->client.process,      \
								     &count_, &list_, NULL);       \
		free(list_);                                                                       \
		*(ret) = count_;                                                                   \
		status_ == AMD_DBGAPI_STATUS_SUCCESS                                               \
			? NULL                                                                     \
			: core_agent_error(agent, "amd_dbgapi_process_" #kind "_list", status_);   \
	})

static struct wt_error *core_agent_count_objects(struct agent *agent)
{
	struct wt_core_summary *summary = &agent->summary;
	struct wt_error *error = COUNT(agent, agent, &summary->agents);

	if (!error)
		error = COUNT(agent, queue, &summary->queues);
	if (!error)
		error = COUNT(agent, dispatch, &summary->dispatches);
	if (!error)
		error = COUNT(agent, wave, &summary->waves);
	return error;
}

/* The recorder takes the image; here it is only found out whether there is one. */
static void core_agent_look_for_file(struct agent *agent, amd_dbgapi_code_object_id_t object)
{
	wt_cleanup_error struct wt_error *error = NULL;
	wt_cleanup_free char *text = NULL;
	struct wt_uri uri;

	if (agent->client.api->code_object_get_info(object, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
						    sizeof(text),
						    &text) != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	error = wt_uri_parse(text, &uri);
	if (error)
		return;
	if (uri.kind == WT_URI_FILE && access(uri.path, R_OK)) {
		agent->summary.missing_files++;
		if (agent->options.missing_file)
			agent->options.missing_file(agent->options.opaque, uri.path);
	}
	wt_uri_deinit(&uri);
}

static struct wt_error *core_agent_look_for_files(struct agent *agent)
{
	amd_dbgapi_code_object_id_t *objects = NULL;
	amd_dbgapi_status_t status;
	size_t count = 0;

	status = agent->client.api->process_code_object_list(agent->client.process, &count,
							     &objects, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return core_agent_error(agent, "amd_dbgapi_process_code_object_list", status);
	agent->summary.code_objects = count;
	for (size_t i = 0; i < count; i++)
		core_agent_look_for_file(agent, objects[i]);
	free(objects);
	return NULL;
}

/*
 * The waves of a core stand still, but the library is told so: it would try to let queues go on
 * otherwise. The end of the events is the stop that is recorded.
 */
static struct wt_error *core_agent_read(void *context)
{
	struct agent *agent = context;
	amd_dbgapi_status_t status = agent->client.api->process_set_progress(
		agent->client.process, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	struct wt_error *error;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return core_agent_error(agent, "amd_dbgapi_process_set_progress", status);
	error = core_agent_pump(agent);
	if (!error && !agent->runtime_told)
		return wt_error_create(WT_ERROR_INPUT, "cannot read the GPU core dump", NULL,
				       "the library finds no GPU program in it: %s",
				       agent->client.last_log[0] ? agent->client.last_log
								 : "it gave no reason");
	if (!error)
		error = core_agent_count_objects(agent);
	return error ? error : core_agent_look_for_files(agent);
}

struct wt_error *wt_core_agent_run(const struct wt_api *api, struct wt_core_file *file,
				   const struct wt_core_agent_options *options,
				   struct wt_core_summary *summary_ret)
{
	struct agent agent = {.file = file};
	struct wt_error *error;

	if (options)
		memcpy(&agent.options, options,
		       options->size < sizeof(*options) ? options->size : sizeof(*options));
	agent.client = (struct wt_agent_client){
		.api = api,
		.what = "cannot read the GPU core dump",
		.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING,
		.context = &agent,
		.query = AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE,
		.query_size = sizeof(amd_dbgapi_core_state_data_t),
		.answer = core_agent_give_note,
		.read = core_agent_read_memory,
		.follow = core_agent_read,
		.log = agent.options.log,
		.opaque = agent.options.opaque,
	};
	error = wt_agent_client_run(&agent.client);
	agent.summary.warnings = agent.client.warnings;
	if (!error)
		*summary_ret = agent.summary;
	return error;
}
