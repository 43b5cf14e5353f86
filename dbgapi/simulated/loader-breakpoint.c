/* SPDX-License-Identifier: MIT */
/*
 * The library's own breakpoint in the host program: where that calls its debugger when its code
 * objects change. A program that loads none and unloads none gets no breakpoint.
 *
 * The simulated program has no threads that a client could see stop. It waits at its breakpoint until
 * the client reports a hit, which a client does that gets no more events; a hit that is reported
 * while it is elsewhere is answered with RESUME. If the client cannot insert the breakpoint, the
 * program goes by, and the list of code objects changes without an event.
 *
 * Where wavetape-host stands in for the program, the breakpoint is at its ready function, which it calls in all these cases.
 */
#include "dbgapi/simulated/internal.h"

bool wt_breakpoint_insert(struct wt_api_process *process)
{
	struct wt_device *device = process->device;
	uint64_t address = device->operations->program_breakpoint(device, false);
	struct wt_api_breakpoint *breakpoint;

	if (process->stand_in.present)
		address = process->stand_in.ready;
	if (!address)
		return true;
	breakpoint = wt_create(process, WT_OBJECT_BREAKPOINT, 0, sizeof(*breakpoint));
	if (!breakpoint) {
		process->out_of_memory = true;
		return false;
	}
	if (wt_provider.client.callbacks.insert_breakpoint(
		    process->client, address,
		    (amd_dbgapi_breakpoint_id_t){breakpoint->entry.handle}) ==
	    AMD_DBGAPI_STATUS_SUCCESS) {
		device->operations->program_breakpoint(device, true);
		return true;
	}
	wt_client_log(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		      "the breakpoint at %#llx could not be inserted: code objects will come and "
		      "go without an event",
		      (unsigned long long)address);
	wt_remove(WT_OBJECT_BREAKPOINT, &breakpoint->entry);
	return false;
}

void wt_breakpoint_remove(struct wt_api_process *process)
{
	struct wt_api_breakpoint *breakpoint = wt_next(process, WT_OBJECT_BREAKPOINT, NULL);

	if (!breakpoint)
		return;
	wt_provider.client.callbacks.remove_breakpoint(
		process->client, (amd_dbgapi_breakpoint_id_t){breakpoint->entry.handle});
	wt_remove(WT_OBJECT_BREAKPOINT, &breakpoint->entry);
}

/* The event that lets the thread go on exists from now on, and is queued when the client has
 * processed the one that tells of the change. */
bool wt_breakpoint_answer(struct wt_api_breakpoint *breakpoint, bool code,
			  amd_dbgapi_client_thread_id_t client_thread_id)
{
	struct wt_api_process *process = breakpoint->entry.process;
	struct wt_api_event *resume =
		wt_event_create(process, AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME);
	struct wt_api_event *update;

	if (!resume)
		return false;
	resume->breakpoint = breakpoint->entry.handle;
	resume->client_thread = client_thread_id;
	if (!code) {
		wt_event_enqueue(resume);
		return true;
	}
	update = wt_event_create(process, AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED);
	if (!update) {
		wt_remove(WT_OBJECT_EVENT, &resume->entry);
		return false;
	}
	update->next = resume->entry.handle;
	wt_event_enqueue(update);
	return true;
}

/*
 * Stops a program at its breakpoint. Return: whether it waits there for the client. One that runs by itself is at work
 * on its list, or has done nothing to it, where nothing has changed.
 */
static bool stop_there(struct wt_api_process *process, bool *code_ret)
{
	struct wt_device *device = process->device;

	if (process->changing || wt_stand_in_is_ready(process, code_ret))
		return !process->changing;
	if (!device->operations->program_is_stopped(device))
		return false;
	*code_ret = device->operations->program_change(device);
	return *code_ret;
}

amd_dbgapi_status_t
amd_dbgapi_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				 amd_dbgapi_client_thread_id_t client_thread_id,
				 amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	struct wt_api_breakpoint *breakpoint;
	struct wt_api_process *process;
	bool code = false;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!breakpoint_action)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	breakpoint = wt_find(WT_OBJECT_BREAKPOINT, breakpoint_id.handle);
	if (!breakpoint)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	process = breakpoint->entry.process;
	if (!stop_there(process, &code)) {
		*breakpoint_action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	process->changing = true;
	if (process->out_of_memory || !wt_breakpoint_answer(breakpoint, code, client_thread_id))
		return AMD_DBGAPI_STATUS_FATAL;
	*breakpoint_action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t amd_dbgapi_breakpoint_get_info(amd_dbgapi_breakpoint_id_t breakpoint_id,
						   amd_dbgapi_breakpoint_info_t query,
						   size_t value_size, void *value)
{
	const struct wt_api_breakpoint *breakpoint;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	breakpoint = wt_find(WT_OBJECT_BREAKPOINT, breakpoint_id.handle);
	if (!breakpoint)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	if (query != AMD_DBGAPI_BREAKPOINT_INFO_PROCESS)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	return wt_answer_u64(value_size, value, breakpoint->entry.process->entry.handle);
}
