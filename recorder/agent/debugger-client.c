/* SPDX-License-Identifier: MIT */
#include "recorder/agent/debugger-client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The callbacks of the API have no parameter for it. */
static struct wt_agent_client *running;

static amd_dbgapi_status_t
agent_client_process_get_info(amd_dbgapi_client_process_id_t client_process,
			      amd_dbgapi_client_process_info_t query, size_t value_size,
			      void *value)
{
	(void)client_process;
	if (query != running->query)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (value_size != running->query_size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return running->answer(running->context, value);
}

static amd_dbgapi_status_t agent_insert_breakpoint(amd_dbgapi_client_process_id_t client_process,
						   amd_dbgapi_global_address_t address,
						   amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client_process;
	(void)address;
	if (!running->takes_breakpoint)
		return AMD_DBGAPI_STATUS_ERROR;
	running->breakpoint = breakpoint;
	running->has_breakpoint = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t agent_remove_breakpoint(amd_dbgapi_client_process_id_t client_process,
						   amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client_process;
	(void)breakpoint;
	return running->takes_breakpoint ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR;
}

static amd_dbgapi_status_t agent_xfer_global_memory(amd_dbgapi_client_process_id_t client_process,
						    amd_dbgapi_global_address_t address,
						    amd_dbgapi_size_t *size, void *read_buffer,
						    const void *write_buffer)
{
	(void)client_process;
	if (!running->read)
		return AMD_DBGAPI_STATUS_ERROR;
	if (!size || !read_buffer == !write_buffer)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (write_buffer)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	return running->read(running->context, address, size, read_buffer);
}

static void agent_log_message(amd_dbgapi_log_level_t level, const char *text)
{
	running->warnings += level == AMD_DBGAPI_LOG_LEVEL_WARNING;
	/* AMD's library puts its own call stack behind the line that says why. */
	if (level <= AMD_DBGAPI_LOG_LEVEL_WARNING)
		snprintf(running->last_log, sizeof(running->last_log), "%.*s",
			 (int)strcspn(text, "\n"), text);
	if (running->log)
		running->log(running->opaque, level, text);
}

struct wt_error *wt_agent_client_failed(const struct wt_agent_client *client, const char *function,
					amd_dbgapi_status_t status)
{
	/* AMD's library has this answer to another debugger and says nothing more. */
	const char *silent = status == AMD_DBGAPI_STATUS_ERROR_RESTRICTION
				     ? "another debugger has the process, or the library does not "
				       "know this driver"
				     : "the library gave no reason";

	return wt_error_create(WT_ERROR_INTERNAL, client->what, function, "%s: %s",
			       wt_status_name(status),
			       client->last_log[0] ? client->last_log : silent);
}

static struct wt_error *agent_client_attach_and_follow(struct wt_agent_client *client)
{
	/* Only its address matters: it is the process's name between us and the library. */
	static char client_process;
	amd_dbgapi_status_t status = client->api->process_attach(
		(amd_dbgapi_client_process_id_t)(void *)&client_process, &client->process);
	struct wt_error *error;

	client->left = status == AMD_DBGAPI_STATUS_FATAL;
	client->attached = status == AMD_DBGAPI_STATUS_SUCCESS;
	if (!client->attached)
		return wt_agent_client_failed(client, "amd_dbgapi_process_attach", status);
	error = client->follow(client->context);
	status = client->api->process_detach(client->process);
	client->attached = status != AMD_DBGAPI_STATUS_SUCCESS;
	client->left = error || client->attached;
	if (!error && status != AMD_DBGAPI_STATUS_SUCCESS)
		error = wt_agent_client_failed(client, "amd_dbgapi_process_detach", status);
	return error;
}

struct wt_error *wt_agent_client_run(struct wt_agent_client *client)
{
	amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = malloc,
		.deallocate_memory = free,
		.client_process_get_info = agent_client_process_get_info,
		.insert_breakpoint = agent_insert_breakpoint,
		.remove_breakpoint = agent_remove_breakpoint,
		.xfer_global_memory = agent_xfer_global_memory,
		.log_message = agent_log_message,
	};
	amd_dbgapi_status_t status;
	struct wt_error *error;

	running = client;
	client->api->set_log_level(client->log_level);
	status = client->api->initialize(&callbacks);
	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		error = agent_client_attach_and_follow(client);
		client->api->finalize();
	} else if (status == AMD_DBGAPI_STATUS_ERROR_ALREADY_INITIALIZED) {
		error = wt_error_create(WT_ERROR_UNSUPPORTED, client->what, "the debugger library",
					"something else in this program uses it already, as "
					"another agent in HSA_TOOLS_LIB: that one watches");
	} else {
		error = wt_agent_client_failed(client, "amd_dbgapi_initialize", status);
	}
	running = NULL;
	client->over = true;
	return error;
}

void wt_agent_client_look_for_code(const struct wt_agent_client *client)
{
	amd_dbgapi_breakpoint_action_t action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	/* Only its address matters. */
	static char thread;

	if (client->has_breakpoint)
		client->api->report_breakpoint_hit(client->breakpoint,
						   (amd_dbgapi_client_thread_id_t)(void *)&thread,
						   &action);
}

bool wt_agent_client_register_is(const struct wt_agent_client *client, amd_dbgapi_register_id_t id,
				 const char *wanted)
{
	char *name = NULL;
	bool is;

	if (client->api->register_get_info(id, AMD_DBGAPI_REGISTER_INFO_NAME, sizeof(name),
					   &name) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	is = !strcmp(name, wanted);
	free(name);
	return is;
}

size_t wt_agent_client_count_waves(const struct wt_agent_client *client)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	size_t count = 0;

	if (client->api->process_wave_list(client->process, &count, &waves, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	free(waves);
	return count;
}
