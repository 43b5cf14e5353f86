/* SPDX-License-Identifier: MIT */
#include "recorder/library/callbacks.h"

#include <errno.h>
#include <stdlib.h>

#include "recorder/moment/client-breakpoint.h"
#include "recorder/recording/environment.h"
#include "recorder/recording/redact.h"

/* A callback on its way to the journal. */
struct note {
	struct wt_recorder *recorder;
	struct wt_thread *thread;
	const struct wt_call *current; /* the call that it is made in; NULL: none */
	int error; /* what the wrapped library has to see of the thread's errno */
};

/*
 * Start a note: false if nothing is to be written, as of a callback in a call that passes unrecorded. True: the lock is held.
 * Called after the client's callback, so that the client's own work happens without our lock.
 */
static bool note_begin(struct note *note, struct wt_thread *thread)
{
	struct wt_recorder *recorder = wt_recorder_get();

	*note = (struct note){
		.recorder = recorder,
		.thread = thread,
		.current = thread->current,
		.error = errno,
	};
	if (!atomic_load(&recorder->recording) || !wt_recorder_is_owner(recorder) ||
	    wt_thread_is_busy(thread, &recorder->unrecorded))
		return false;
	if (!wt_thread_lock(thread, &recorder->lock, __builtin_frame_address(0)))
		wt_recorder_abandon(recorder);
	else if (atomic_load(&recorder->recording))
		return true;
	else
		wt_thread_unlock(thread, &recorder->lock);
	errno = note->error;
	return false;
}

static void unlock(struct note *note)
{
	wt_thread_unlock(note->thread, &note->recorder->lock);
	errno = note->error;
}

static void callback_note_end(struct note *note, uint32_t function, const struct wt_value *inputs,
			      size_t input_count, int64_t result, const struct wt_value *outputs,
			      size_t output_count)
{
	const struct wt_callback callback = {
		.call = note->current ? note->current->number : 0,
		.function = function,
		.inputs = inputs,
		.input_count = input_count,
		.result = result,
		.outputs = outputs,
		.output_count = output_count,
	};

	if (atomic_load(&note->recorder->recording))
		wt_recorder_check(note->recorder,
				  wt_writer_callback(note->recorder->writer, &callback));
	unlock(note);
}

static uint32_t name(const struct note *note, enum wt_callback_kind callback)
{
	return wt_number_callback(&note->recorder->numbers, callback);
}

/* Notes a callback with one input. */
static void note_memory(struct note *note, enum wt_callback_kind callback, struct wt_value input,
			int64_t result)
{
	callback_note_end(note, name(note, callback), &input, 1, result, NULL, 0);
}

static void *record_allocate_memory(size_t byte_size)
{
	struct wt_thread *thread = wt_thread_self();
	struct note note;
	void *memory;

	/* Answers to our own questions are ours, not the client's. */
	if (thread->own_depth)
		return wt_own_allocate(byte_size);
	memory = wt_recorder_get()->client.callbacks.allocate_memory(byte_size);
	if (note_begin(&note, thread))
		note_memory(&note, WT_CALLBACK_ALLOCATE_MEMORY, wt_value_number(byte_size),
			    memory != NULL);
	return memory;
}

static void record_deallocate_memory(void *data)
{
	struct wt_thread *thread = wt_thread_self();
	struct note note;

	if (thread->own_depth) {
		free(data);
		return;
	}
	wt_recorder_get()->client.callbacks.deallocate_memory(data);
	if (note_begin(&note, thread))
		note_memory(&note, WT_CALLBACK_DEALLOCATE_MEMORY, wt_value_pointer(data), 0);
}

/* The answer that the client wrote to a query about its process. */
static struct wt_value client_answer(struct wt_recorder *recorder,
				     amd_dbgapi_client_process_info_t query, size_t value_size,
				     const void *value)
{
	static const amd_dbgapi_os_process_id_t no_process;
	amd_dbgapi_core_state_data_t core;

	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID && value_size == sizeof(no_process))
		return wt_value_data(recorder->options.reproducible ? &no_process : value,
				     value_size);
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE || value_size != sizeof(core))
		return wt_value_present(true);
	memcpy(&core, value, sizeof(core));
	wt_buffer_clear(&recorder->scratch);
	wt_buffer_append_u32(&recorder->scratch, (uint32_t)core.endianness);
	wt_buffer_append(&recorder->scratch, core.data, core.size);
	if (recorder->scratch.failed)
		return wt_value_present(true);
	return wt_value_limited(recorder, recorder->scratch.data, recorder->scratch.size);
}

static amd_dbgapi_status_t
record_client_process_get_info(amd_dbgapi_client_process_id_t client_process_id,
			       amd_dbgapi_client_process_info_t query, size_t value_size,
			       void *value)
{
	amd_dbgapi_status_t status = wt_recorder_get()->client.callbacks.client_process_get_info(
		client_process_id, query, value_size, value);
	struct wt_value inputs[4], output;
	struct note note;

	if (!note_begin(&note, wt_thread_self()))
		return status;
	if (note.thread->current && query == AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		note.thread->current->client_unknown =
			status != AMD_DBGAPI_STATUS_SUCCESS &&
			status != AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	inputs[0] = wt_value_opaque(&note.recorder->ordinals.client_processes, client_process_id);
	inputs[1] = wt_value_number((uint32_t)query);
	inputs[2] = wt_value_number(value_size);
	inputs[3] = wt_value_pointer(value);
	output = status == AMD_DBGAPI_STATUS_SUCCESS && value
			 ? client_answer(note.recorder, query, value_size, value)
			 : wt_value_absent();
	callback_note_end(&note, name(&note, WT_CALLBACK_CLIENT_PROCESS_GET_INFO), inputs, 4,
			  status, &output, 1);
	return status;
}

static amd_dbgapi_status_t
record_insert_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			 amd_dbgapi_global_address_t address,
			 amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	amd_dbgapi_status_t status = wt_recorder_get()->client.callbacks.insert_breakpoint(
		client_process_id, address, breakpoint_id);
	struct wt_value inputs[3];
	struct note note;

	if (!note_begin(&note, wt_thread_self()))
		return status;
	inputs[0] = wt_value_opaque(&note.recorder->ordinals.client_processes, client_process_id);
	inputs[1] = wt_value_number(address);
	inputs[2] = wt_value_number(breakpoint_id.handle);
	if (status == AMD_DBGAPI_STATUS_SUCCESS &&
	    !wt_breakpoint_inserted(&note.recorder->session, breakpoint_id.handle, address))
		wt_recorder_check(note.recorder, &wt_error_no_memory);
	callback_note_end(&note, name(&note, WT_CALLBACK_INSERT_BREAKPOINT), inputs, 3, status,
			  NULL, 0);
	return status;
}

static amd_dbgapi_status_t
record_remove_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			 amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	amd_dbgapi_status_t status = wt_recorder_get()->client.callbacks.remove_breakpoint(
		client_process_id, breakpoint_id);
	struct wt_value inputs[2];
	struct note note;

	if (!note_begin(&note, wt_thread_self()))
		return status;
	inputs[0] = wt_value_opaque(&note.recorder->ordinals.client_processes, client_process_id);
	inputs[1] = wt_value_number(breakpoint_id.handle);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		wt_breakpoint_removed(&note.recorder->session, breakpoint_id.handle);
	callback_note_end(&note, name(&note, WT_CALLBACK_REMOVE_BREAKPOINT), inputs, 2, status,
			  NULL, 0);
	return status;
}

static amd_dbgapi_status_t
record_xfer_global_memory(amd_dbgapi_client_process_id_t client_process_id,
			  amd_dbgapi_global_address_t global_address, amd_dbgapi_size_t *value_size,
			  void *read_buffer, const void *write_buffer)
{
	uint64_t asked = value_size ? *value_size : 0;
	amd_dbgapi_status_t status = wt_recorder_get()->client.callbacks.xfer_global_memory(
		client_process_id, global_address, value_size, read_buffer, write_buffer);
	uint64_t done = value_size && *value_size < asked ? *value_size : asked;
	bool failed = status != AMD_DBGAPI_STATUS_SUCCESS;
	struct wt_value inputs[5], outputs[2];
	struct note note;

	if (!note_begin(&note, wt_thread_self()))
		return status;
	inputs[0] = wt_value_opaque(&note.recorder->ordinals.client_processes, client_process_id);
	inputs[1] = wt_value_number(global_address);
	inputs[2] = value_size ? wt_value_number(asked) : wt_value_absent();
	inputs[3] = wt_value_pointer(read_buffer);
	inputs[4] = write_buffer
			    ? wt_redact_value(note.recorder,
					      wt_value_limited(note.recorder, write_buffer, asked))
			    : wt_value_absent();
	outputs[0] = wt_value_out(failed, value_size, sizeof(asked), false, asked);
	outputs[1] = wt_redact_value(note.recorder,
				     wt_value_out_bytes(note.recorder, failed, read_buffer, done));
	callback_note_end(&note, name(&note, WT_CALLBACK_XFER_GLOBAL_MEMORY), inputs, 5, status,
			  outputs, 2);
	return status;
}

static void record_log_message(amd_dbgapi_log_level_t level, const char *message)
{
	struct wt_thread *thread = wt_thread_self();
	struct wt_value inputs[2];
	struct note note;

	/* The library's words about our own questions are not for the client. */
	if (thread->own_depth)
		return;
	wt_recorder_get()->client.callbacks.log_message(level, message);
	if (!note_begin(&note, thread))
		return;
	if (!wt_session_log(&note.recorder->session, (uint32_t)level, message ? message : ""))
		wt_recorder_check(note.recorder, &wt_error_no_memory);
	inputs[0] = wt_value_number((uint32_t)level);
	inputs[1] = message ? wt_value_limited(note.recorder, message, strlen(message))
			    : wt_value_absent();
	callback_note_end(&note, name(&note, WT_CALLBACK_LOG_MESSAGE), inputs, 2, 0, NULL, 0);
}

amd_dbgapi_callbacks_t *wt_callbacks_wrap(struct wt_call *call, amd_dbgapi_callbacks_t *callbacks)
{
	static amd_dbgapi_callbacks_t ours;

	if (!callbacks)
		return NULL;
	if (call->recorder->client.initialized)
		return &ours;
	call->recorder->client.callbacks = *callbacks;
	ours = (amd_dbgapi_callbacks_t){
		.allocate_memory = callbacks->allocate_memory ? record_allocate_memory : NULL,
		.deallocate_memory = callbacks->deallocate_memory ? record_deallocate_memory : NULL,
		.client_process_get_info =
			callbacks->client_process_get_info ? record_client_process_get_info : NULL,
		.insert_breakpoint = callbacks->insert_breakpoint ? record_insert_breakpoint : NULL,
		.remove_breakpoint = callbacks->remove_breakpoint ? record_remove_breakpoint : NULL,
		.xfer_global_memory =
			callbacks->xfer_global_memory ? record_xfer_global_memory : NULL,
		.log_message = callbacks->log_message ? record_log_message : NULL,
	};
	return &ours;
}

struct wt_value wt_value_callbacks(const amd_dbgapi_callbacks_t *callbacks)
{
	if (!callbacks)
		return wt_value_absent();
	return wt_value_number(
		(uint64_t)(callbacks->allocate_memory != NULL) << WT_CALLBACK_ALLOCATE_MEMORY |
		(uint64_t)(callbacks->deallocate_memory != NULL) << WT_CALLBACK_DEALLOCATE_MEMORY |
		(uint64_t)(callbacks->client_process_get_info != NULL)
			<< WT_CALLBACK_CLIENT_PROCESS_GET_INFO |
		(uint64_t)(callbacks->insert_breakpoint != NULL) << WT_CALLBACK_INSERT_BREAKPOINT |
		(uint64_t)(callbacks->remove_breakpoint != NULL) << WT_CALLBACK_REMOVE_BREAKPOINT |
		(uint64_t)(callbacks->xfer_global_memory != NULL)
			<< WT_CALLBACK_XFER_GLOBAL_MEMORY |
		(uint64_t)(callbacks->log_message != NULL) << WT_CALLBACK_LOG_MESSAGE);
}

static amd_dbgapi_status_t record_symbolize(amd_dbgapi_symbolizer_id_t id,
					    amd_dbgapi_global_address_t address, char **symbol_text)
{
	const struct wt_symbolizing *symbolizing = (const void *)id;
	const void *before = wt_value_load_pointer(symbol_text);
	amd_dbgapi_status_t status =
		symbolizing->client(symbolizing->client_id, address, symbol_text);
	struct wt_value inputs[3], output;
	uint32_t function;
	struct note note;

	if (!note_begin(&note, wt_thread_self()))
		return status;
	function = wt_writer_name(note.recorder->writer, "symbolizer");
	inputs[0] = wt_value_opaque(&note.recorder->ordinals.symbolizers, symbolizing->client_id);
	inputs[1] = wt_value_number(address);
	inputs[2] = wt_value_pointer(symbol_text);
	output = wt_value_out_string(note.recorder, status != AMD_DBGAPI_STATUS_SUCCESS,
				     symbol_text, before);
	callback_note_end(&note, function, inputs, 3, status, &output, 1);
	return status;
}

wt_symbolizer wt_symbolizer_wrap(struct wt_call *call, struct wt_symbolizing *symbolizing,
				 amd_dbgapi_symbolizer_id_t id, wt_symbolizer client)
{
	*symbolizing = (struct wt_symbolizing){call->recorder, id, client};
	return client ? record_symbolize : NULL;
}
