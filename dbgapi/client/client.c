/* SPDX-License-Identifier: MIT */
#include "dbgapi/client/client.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

amd_dbgapi_status_t wt_client_initialize(struct wt_client *client,
					 const amd_dbgapi_callbacks_t *callbacks)
{
	if (client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_ALREADY_INITIALIZED;
	if (!callbacks || !callbacks->allocate_memory || !callbacks->deallocate_memory ||
	    !callbacks->client_process_get_info || !callbacks->insert_breakpoint ||
	    !callbacks->remove_breakpoint || !callbacks->xfer_global_memory ||
	    !callbacks->log_message)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	client->callbacks = *callbacks;
	client->initialized = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_client_finalize(struct wt_client *client)
{
	if (!client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	client->initialized = false;
	memset(&client->callbacks, 0, sizeof(client->callbacks));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_client_allocate(const struct wt_client *client, size_t size,
				       void **memory_ret)
{
	void *memory = client->callbacks.allocate_memory(size);

	if (!memory && size)
		return AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK;
	*memory_ret = memory;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t check_value(size_t value_size, const void *value, size_t result_size)
{
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != result_size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_client_return(const struct wt_client *client, size_t value_size, void *value,
				     const void *result, size_t result_size)
{
	amd_dbgapi_status_t status = check_value(value_size, value, result_size);

	(void)client;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		memcpy(value, result, result_size);
	return status;
}

amd_dbgapi_status_t wt_client_return_memory(const struct wt_client *client, size_t value_size,
					    void *value, const void *data, size_t size)
{
	amd_dbgapi_status_t status = check_value(value_size, value, sizeof(void *));
	void *memory;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	status = wt_client_allocate(client, size, &memory);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (memory && size)
		memcpy(memory, data, size);
	memcpy(value, &memory, sizeof(memory));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_client_return_string(const struct wt_client *client, size_t value_size,
					    void *value, const char *text)
{
	return wt_client_return_memory(client, value_size, value, text, strlen(text) + 1);
}

amd_dbgapi_status_t wt_client_return_handles(const struct wt_client *client, size_t value_size,
					     void *value, const uint64_t *handles, size_t count)
{
	amd_dbgapi_watchpoint_list_t list = {.count = count};
	amd_dbgapi_status_t status = check_value(value_size, value, sizeof(list));
	void *memory = NULL;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	status = wt_client_allocate(client, count * sizeof(*handles), &memory);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (count)
		memcpy(memory, handles, count * sizeof(*handles));
	list.watchpoint_ids = memory;
	memcpy(value, &list, sizeof(list));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_client_return_list(const struct wt_client *client, const uint64_t *handles,
					  size_t count, size_t *count_ret, void *array_ret)
{
	void *memory = NULL;
	amd_dbgapi_status_t status;

	if (handles) {
		status = wt_client_allocate(client, count * sizeof(*handles), &memory);
		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return status;
	}
	if (count)
		memcpy(memory, handles, count * sizeof(*handles));
	*count_ret = count;
	memcpy(array_ret, &memory, sizeof(memory));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

void wt_client_log(const struct wt_client *client, amd_dbgapi_log_level_t level, const char *format,
		   ...)
{
	va_list arguments;
	char *text;

	if (!client->initialized || level > client->log_level)
		return;
	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return;
	client->callbacks.log_message(level, text);
	free(text);
}

void wt_client_log_error(const struct wt_client *client, amd_dbgapi_log_level_t level,
			 const struct wt_error *error)
{
	wt_client_log(client, level, "%s: %s: %s", error->what, error->where, error->why);
}

/* Our own wording; indexed by -status from SUCCESS down. */
static const char *const status_texts[] = {
	[-AMD_DBGAPI_STATUS_SUCCESS] = "The call succeeded",
	[-AMD_DBGAPI_STATUS_ERROR] = "The call failed",
	[-AMD_DBGAPI_STATUS_FATAL] = "The library failed beyond recovery",
	[-AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED] = "This is not implemented",
	[-AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE] = "This is not available",
	[-AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED] = "This is not supported here",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT] = "An argument is invalid",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY] =
		"The arguments do not fit each other",
	[-AMD_DBGAPI_STATUS_ERROR_ALREADY_INITIALIZED] = "The library is initialized already",
	[-AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED] = "The library is not initialized",
	[-AMD_DBGAPI_STATUS_ERROR_RESTRICTION] =
		"A restriction keeps the process from being debugged",
	[-AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED] = "The process is attached already",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID] = "No such architecture",
	[-AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION] = "The bytes are no instruction",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_CODE_OBJECT_ID] = "No such code object",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE] = "No such AMDGPU machine number",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID] = "No such process",
	[-AMD_DBGAPI_STATUS_ERROR_PROCESS_EXITED] = "The process has exited",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_AGENT_ID] = "No such agent",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID] = "No such queue",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_DISPATCH_ID] = "No such dispatch",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID] = "No such wave",
	[-AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED] = "The wave is not stopped",
	[-AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED] = "The wave is stopped",
	[-AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP] =
		"The wave has been asked to stop: outstanding stop request",
	[-AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE] = "The wave cannot be resumed",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID] = "No such displaced stepping",
	[-AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE] =
		"No buffer is free for displaced stepping",
	[-AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE] = "The wave is in displaced stepping",
	[-AMD_DBGAPI_STATUS_ERROR_RESUME_DISPLACED_STEPPING] =
		"A wave in displaced stepping can only be single-stepped",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID] = "No such watchpoint",
	[-AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE] = "No watchpoint is free",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_CLASS_ID] = "No such register class",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID] = "No such register",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID] = "No such lane",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID] = "No such address class",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID] = "No such address space",
	[-AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS] = "The memory cannot be accessed",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION] =
		"The address cannot be converted to that space",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID] = "No such event",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID] = "No such breakpoint",
	[-AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK] = "A callback of the client failed",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_CLIENT_PROCESS_ID] = "No such client process",
	[-AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND] = "The symbol was not found",
	[-AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE] = "The wave does not have that register",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_WORKGROUP_ID] = "No such workgroup",
	[-AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE] =
		"The process is not in a state that allows this",
	[-AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN] = "The process is frozen",
	[-AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN] = "The process is frozen already",
	[-AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN] = "The process is not frozen",
	[-AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE] = "The memory cannot be reached now",
	[-AMD_DBGAPI_STATUS_ERROR_INVALID_CLUSTER_ID] = "No such cluster",
};

const char *wt_status_text(amd_dbgapi_status_t status)
{
	int64_t index = -(int64_t)status;

	if (index < 0 || index >= (int64_t)(sizeof(status_texts) / sizeof(*status_texts)))
		return NULL;
	return status_texts[index];
}
