/* SPDX-License-Identifier: MIT */
/* Events as the client gets them: fetched, asked about, processed. */
#include "dbgapi/simulated/internal.h"

/* Look for an event of the processes that the client asks for. */
static struct wt_api_event *first_queued(amd_dbgapi_process_id_t process_id)
{
	struct wt_api_process *process = NULL;

	while ((process = wt_next_process(process_id, process)))
		if (!TAILQ_EMPTY(&process->queued))
			return TAILQ_FIRST(&process->queued);
	return NULL;
}

/* False if something that happened could not be kept for want of memory. */
static bool run_devices(amd_dbgapi_process_id_t process_id)
{
	struct wt_api_process *process = NULL;
	bool complete = true;

	while ((process = wt_next_process(process_id, process))) {
		wt_device_slice(process);
		complete = complete && !process->out_of_memory && !wt_live_has_failed(process);
	}
	return complete;
}

static void pump_hosts(amd_dbgapi_process_id_t process_id)
{
	struct wt_api_process *process = NULL;

	while ((process = wt_next_process(process_id, process)))
		wt_stand_in_pump(process);
}

/* From here on the client knows what the event tells. */
static void event_report(struct wt_api_event *event)
{
	struct wt_api_wave *wave = wt_find(WT_OBJECT_WAVE, event->wave);

	TAILQ_REMOVE(&event->entry.process->queued, event, link);
	event->reported = true;
	if (wave && wave->stop == event)
		wave->stop_requested = false;
}

/*
 * The device runs here, if there is no event to give: in normal progress a client that finds none
 * has let it run for one slice more, and gets what happened meanwhile. A slice that ended because
 * its time was over leaves the notifier readable, so that a client that waits on it comes back.
 */
amd_dbgapi_status_t amd_dbgapi_process_next_pending_event(amd_dbgapi_process_id_t process_id,
							  amd_dbgapi_event_id_t *event_id,
							  amd_dbgapi_event_kind_t *kind)
{
	struct wt_api_event *event;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!event_id || !kind)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (process_id.handle != AMD_DBGAPI_PROCESS_NONE.handle && !wt_process_find(process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	pump_hosts(process_id);
	event = first_queued(process_id);
	if (!event) {
		if (!run_devices(process_id))
			return AMD_DBGAPI_STATUS_FATAL;
		event = first_queued(process_id);
	}
	if (event)
		event_report(event);
	event_id->handle = event ? event->entry.handle : AMD_DBGAPI_EVENT_NONE.handle;
	*kind = event ? event->kind : AMD_DBGAPI_EVENT_KIND_NONE;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Only events that the client has got, and has not said to be done with, exist for it. */
static struct wt_api_event *find_reported(amd_dbgapi_event_id_t event_id)
{
	struct wt_api_event *event = wt_find(WT_OBJECT_EVENT, event_id.handle);

	return event && event->reported ? event : NULL;
}

amd_dbgapi_status_t amd_dbgapi_event_get_info(amd_dbgapi_event_id_t event_id,
					      amd_dbgapi_event_info_t query, size_t value_size,
					      void *value)
{
	struct wt_api_event *event;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	event = find_reported(event_id);
	if (!event)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_EVENT_INFO_PROCESS:
		return wt_answer_u64(value_size, value, event->entry.process->entry.handle);
	case AMD_DBGAPI_EVENT_INFO_KIND:
		return wt_answer(value_size, value, &event->kind, sizeof(event->kind));
	case AMD_DBGAPI_EVENT_INFO_WAVE:
		if (event->kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP &&
		    event->kind != AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		return wt_answer_u64(value_size, value, event->wave);
	case AMD_DBGAPI_EVENT_INFO_BREAKPOINT:
		if (event->kind != AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		return wt_answer_u64(value_size, value, event->breakpoint);
	case AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD:
		if (event->kind != AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		return wt_answer(value_size, value, &event->client_thread,
				 sizeof(event->client_thread));
	case AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE:
		if (event->kind != AMD_DBGAPI_EVENT_KIND_RUNTIME)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		return wt_answer_u32(value_size, value, event->runtime_state);
	default: /* also the queue, which only a QUEUE_ERROR event has; there are none */
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* Does what follows from an event that the client is done with. */
static void act_on(const struct wt_api_event *event)
{
	struct wt_api_process *process = event->entry.process;
	struct wt_api_event *next = wt_find(WT_OBJECT_EVENT, event->next);

	switch (event->kind) {
	case AMD_DBGAPI_EVENT_KIND_RUNTIME:
		process->runtime_ready =
			event->runtime_state == AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
		if (process->device->live)
			process->device->live->answer_runtime(process->device);
		wt_notifier_mark(process);
		break;
	case AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED:
		/* The GPU may have breakpoints by now: whatever has stopped comes before the thread goes on. */
		if (next) {
			wt_live_look(process, WT_OBJECT_WAVE);
			wt_event_enqueue(next);
		}
		break;
	case AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME:
		process->changing = false;
		if (process->device->operations->program_is_stopped(process->device))
			process->device->operations->program_continue(process->device);
		wt_stand_in_resumed(process);
		wt_notifier_mark(process);
		break;
	default:
		break;
	}
}

amd_dbgapi_status_t amd_dbgapi_event_processed(amd_dbgapi_event_id_t event_id)
{
	struct wt_api_process *process;
	struct wt_api_event *event;
	struct wt_api_wave *wave;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	event = find_reported(event_id);
	if (!event)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID;
	act_on(event);
	wave = wt_find(WT_OBJECT_WAVE, event->wave);
	if (wave && wave->stop == event)
		wave->stop = NULL;
	process = event->entry.process;
	wt_remove(WT_OBJECT_EVENT, &event->entry);
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}
