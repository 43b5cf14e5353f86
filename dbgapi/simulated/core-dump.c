/* SPDX-License-Identifier: MIT */
/* GPU core dumps: attaching to one, and freezing a process to write one. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/client/marshal.h"
#include "dbgapi/core/core.h"
#include "dbgapi/simulated/internal.h"

/* The client has the core's memory; it may give less than is asked for. */
static size_t core_transfer(void *opaque, uint64_t address, void *to, const void *from, size_t size)
{
	const struct wt_api_process *process = opaque;
	amd_dbgapi_size_t done = size;

	if (!size ||
	    wt_provider.client.callbacks.xfer_global_memory(process->client, address, &done, to,
							    from) != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return done < size ? done : size;
}

/*
 * A callback may say that it read what it did not. No answer comes of bytes that nobody has set, and what is behind those that were
 * read stays as it is.
 */
static size_t process_read_core(void *opaque, uint64_t address, void *data, size_t size)
{
	wt_cleanup_free uint8_t *read = calloc(1, size ? size : 1);
	size_t done = 0, step;

	while (read && done < size &&
	       (step = core_transfer(opaque, address + done, read + done, NULL, size - done)))
		done += step;
	if (read)
		memcpy(data, read, done);
	return done;
}

static size_t process_write_core(void *opaque, uint64_t address, const void *data, size_t size)
{
	return core_transfer(opaque, address, NULL, data, size);
}

/* A core without a usable note is a process in which there is nothing to see, as in AMD's library. */
static struct wt_error *parse_note(const amd_dbgapi_core_state_data_t *state,
				   struct wt_core_note *note)
{
	if (state->endianness != AMD_DBGAPI_ENDIAN_LITTLE)
		return wt_error_create(WT_ERROR_INPUT, "cannot read the core state", NULL,
				       "it is not little endian");
	return wt_core_note_parse(state->data, state->size, note);
}

static amd_dbgapi_status_t process_open_core(struct wt_api_process *process,
					     struct wt_core_note *note)
{
	const struct wt_memory_view memory = {
		.opaque = process,
		.read = process_read_core,
		.write = process_write_core,
	};
	wt_cleanup_error struct wt_error *error = NULL;

	error = wt_core_create(note, &memory, &process->device);
	if (!error)
		return AMD_DBGAPI_STATUS_SUCCESS;
	wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, error);
	return AMD_DBGAPI_STATUS_FATAL;
}

bool wt_core_ask(const struct wt_api_process *process, amd_dbgapi_core_state_data_t *state_ret)
{
	amd_dbgapi_core_state_data_t state = {0};

	if (wt_provider.client.callbacks.client_process_get_info(
		    process->client, AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE, sizeof(state),
		    &state) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	*state_ret = state;
	return true;
}

amd_dbgapi_status_t wt_core_open(struct wt_api_process *process,
				 const amd_dbgapi_core_state_data_t *state)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_core_note note = {0};
	amd_dbgapi_status_t status;

	if (state) {
		error = parse_note(state, &note);
		wt_provider.client.callbacks.deallocate_memory((void *)(uintptr_t)state->data);
	}
	if (error)
		wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_WARNING, error);
	if (error && error->code == WT_ERROR_UNSUPPORTED)
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	status = process_open_core(process, &note);
	wt_core_note_deinit(&note);
	return status;
}

/* RUNTIME comes first; then the events of all waves, which are there at once. */
void wt_core_start(struct wt_api_process *process)
{
	enum wt_core_access access = wt_core_access(process->device);

	if (access == WT_CORE_ACCESS_NONE)
		return;
	wt_event_queue(process, AMD_DBGAPI_EVENT_KIND_RUNTIME, NULL);
	if (access == WT_CORE_ACCESS_RESTRICTED && !process->out_of_memory)
		TAILQ_LAST(&process->queued, wt_api_event_queue)->runtime_state =
			AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION;
	process->device->operations->run(process->device, 0);
}

/*
 * Freezing needs the process to stand still: no progress, and no waves that start. What is frozen is
 * saved to its memory at once, so that the client finds it there. AMD's library answers FATAL to a
 * second freeze and to CORE_STATE of a process that is not frozen; the statuses here are those that
 * are documented.
 */
amd_dbgapi_status_t amd_dbgapi_process_freeze(amd_dbgapi_process_id_t process_id)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_api_process *process;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (process->progress != AMD_DBGAPI_PROGRESS_NO_FORWARD ||
	    process->wave_creation != AMD_DBGAPI_WAVE_CREATION_STOP)
		return AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN;
	wt_buffer_clear(&process->core_state);
	error = process->device->operations->save(process->device, (uint64_t)process->os_id,
						  &process->core_state);
	if (error) {
		wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, error);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	process->frozen = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t amd_dbgapi_process_unfreeze(amd_dbgapi_process_id_t process_id)
{
	struct wt_api_process *process;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	process->frozen = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_core_state(const struct wt_api_process *process, size_t value_size,
				  void *value)
{
	size_t size = process->core_state.size;
	amd_dbgapi_status_t status;
	void *data = NULL;

	if (process->device->core)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (!process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(amd_dbgapi_core_state_data_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	status = wt_client_allocate(&wt_provider.client, size, &data);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	memcpy(data, process->core_state.data, size);
	wt_marshal_core_state(value, AMD_DBGAPI_ENDIAN_LITTLE, data, size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}
