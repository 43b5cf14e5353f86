/* SPDX-License-Identifier: MIT */
/*
 * The older form has to remember the client's callbacks, and the attached processes. The API has no context parameter,
 * so there is one of it for each library.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "older-wrappers.h"

struct process {
	struct wt_older_attached attached;
	LIST_ENTRY(process) link;
};

static struct {
	pthread_mutex_t lock;
	bool initialized;
	struct wt_older_callbacks client;
	uint64_t libraries; /* handles given out */
	LIST_HEAD(, process) processes;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

const struct wt_older_callbacks *wt_older_client(void)
{
	return &state.client;
}

bool wt_older_is_initialized(void)
{
	bool initialized;

	pthread_mutex_lock(&state.lock);
	initialized = state.initialized;
	pthread_mutex_unlock(&state.lock);
	return initialized;
}

void wt_older_set_initialized(bool initialized)
{
	struct wt_older_attached attached;

	while (wt_older_remove((amd_dbgapi_process_id_t){0}, &attached))
		;
	pthread_mutex_lock(&state.lock);
	state.initialized = initialized;
	pthread_mutex_unlock(&state.lock);
}

bool wt_older_add(amd_dbgapi_client_process_id_t client, struct wt_older_attached *attached_ret)
{
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return false;
	pthread_mutex_lock(&state.lock);
	process->attached.client = client;
	process->attached.library.handle = ++state.libraries;
	LIST_INSERT_HEAD(&state.processes, process, link);
	*attached_ret = process->attached;
	pthread_mutex_unlock(&state.lock);
	return true;
}

void wt_older_added(struct wt_older_shared_library library, amd_dbgapi_process_id_t process_id)
{
	struct process *process, *next;

	pthread_mutex_lock(&state.lock);
	for (process = LIST_FIRST(&state.processes); process; process = next) {
		next = LIST_NEXT(process, link);
		if (process->attached.library.handle != library.handle)
			continue;
		process->attached.process_id = process_id;
		if (!process_id.handle) {
			LIST_REMOVE(process, link);
			free(process);
		}
	}
	pthread_mutex_unlock(&state.lock);
}

static struct process *process_find(amd_dbgapi_process_id_t process_id,
				    amd_dbgapi_client_process_id_t client)
{
	struct process *process;

	LIST_FOREACH(process, &state.processes, link)
	{
		if (process_id.handle ? process->attached.process_id.handle == process_id.handle
				      : process->attached.client == client)
			return process;
	}
	return NULL;
}

bool wt_older_find(amd_dbgapi_process_id_t process_id, amd_dbgapi_client_process_id_t client,
		   struct wt_older_attached *attached_ret)
{
	const struct process *process;

	pthread_mutex_lock(&state.lock);
	process = process_find(process_id, client);
	if (process)
		*attached_ret = process->attached;
	pthread_mutex_unlock(&state.lock);
	return process;
}

bool wt_older_remove(amd_dbgapi_process_id_t process_id, struct wt_older_attached *attached_ret)
{
	struct process *process;

	pthread_mutex_lock(&state.lock);
	process = process_id.handle ? process_find(process_id, NULL) : LIST_FIRST(&state.processes);
	if (process) {
		*attached_ret = process->attached;
		LIST_REMOVE(process, link);
	}
	pthread_mutex_unlock(&state.lock);
	free(process);
	return process;
}

bool wt_older_only_process(void)
{
	const struct process *first;
	bool only;

	pthread_mutex_lock(&state.lock);
	first = LIST_FIRST(&state.processes);
	only = first && !LIST_NEXT(first, link);
	pthread_mutex_unlock(&state.lock);
	return only;
}

int wt_older_process(amd_dbgapi_process_id_t process_id)
{
	struct wt_older_attached attached;

	if (!wt_older_is_initialized())
		return WT_OLDER_NOT_INITIALIZED;
	if (!process_id.handle || !wt_older_find(process_id, NULL, &attached))
		return WT_OLDER_INVALID_PROCESS_ID;
	return WT_OLDER_SUCCESS;
}

int wt_older_architecture(amd_dbgapi_architecture_id_t architecture_id)
{
	uint32_t machine;

	return wt_older_status(amd_dbgapi_architecture_get_info(
		architecture_id, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE, sizeof(machine),
		&machine));
}

int wt_older_gone(int status)
{
	return status ? status : WT_OLDER_UNIMPLEMENTED;
}

/* ---- Callbacks ---- */

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
older_process_get_info(amd_dbgapi_client_process_id_t client_process_id,
		       amd_dbgapi_client_process_info_t query, size_t value_size, void *value)
{
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || !value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(pid_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return wt_older_callback_status(state.client.get_os_pid(client_process_id, value));
}

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
older_insert_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			amd_dbgapi_global_address_t address,
			amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	struct wt_older_attached attached;

	if (!wt_older_find((amd_dbgapi_process_id_t){0}, client_process_id, &attached))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_CLIENT_PROCESS_ID;
	return wt_older_callback_status(state.client.insert_breakpoint(
		client_process_id, attached.library, address, breakpoint_id));
}

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
older_remove_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	return wt_older_callback_status(
		state.client.remove_breakpoint(client_process_id, breakpoint_id));
}

amd_dbgapi_status_t wt_older_no_memory(amd_dbgapi_client_process_id_t client_process_id,
				       amd_dbgapi_global_address_t address,
				       amd_dbgapi_size_t *value_size, void *read_buffer,
				       const void *write_buffer)
{
	(void)client_process_id;
	(void)address;
	(void)value_size;
	(void)read_buffer;
	(void)write_buffer;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

WT_OLDER_CALLS_CLIENT static void older_log_message(amd_dbgapi_log_level_t level,
						    const char *message)
{
	state.client.log_message(wt_older_then_log_level((uint32_t)level), message);
}

void wt_older_keep_callbacks(const struct wt_older_callbacks *client,
			     amd_dbgapi_callbacks_t *callbacks_ret)
{
	bool whole = client->get_os_pid && client->enable_notify_shared_library &&
		     client->disable_notify_shared_library && client->get_symbol_address &&
		     client->insert_breakpoint && client->remove_breakpoint && client->log_message;

	state.client = *client;
	/* One that is missing is refused by the provider, in its own order of checks. */
	*callbacks_ret = (amd_dbgapi_callbacks_t){
		.allocate_memory = client->allocate_memory,
		.deallocate_memory = client->deallocate_memory,
		.client_process_get_info = whole ? older_process_get_info : NULL,
		.insert_breakpoint = older_insert_breakpoint,
		.remove_breakpoint = older_remove_breakpoint,
		.xfer_global_memory = wt_older_no_memory,
		.log_message = older_log_message,
	};
}
