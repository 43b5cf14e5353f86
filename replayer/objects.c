/* SPDX-License-Identifier: MIT */
/* All get_info and list functions, by the table. */
#include "replayer/replayer.h"

#include <string.h>

#include "dbgapi/marshal.h"
#include "replayer/wave.h"

/* What holds at every moment, and can be asked for without a process. */
static bool is_fact(enum wt_object object)
{
	switch (object) {
	case WT_OBJECT_ARCHITECTURE:
	case WT_OBJECT_REGISTER:
	case WT_OBJECT_REGISTER_CLASS:
	case WT_OBJECT_ADDRESS_CLASS:
	case WT_OBJECT_ADDRESS_SPACE:
		return true;
	default:
		return false;
	}
}

const struct wt_recorded *wt_replay_recorded(enum wt_object object)
{
	if (is_fact(object))
		return wt_replayer.reader ? &wt_replayer.facts : NULL;
	return wt_replayer.process.handle ? &wt_replayer.timeline.recorded : NULL;
}

bool wt_replay_exists(enum wt_object object, uint64_t handle)
{
	const struct wt_recorded *recorded = wt_replay_recorded(object);

	if (!recorded || !handle)
		return false;
	if (object == WT_OBJECT_PROCESS)
		return handle == wt_replayer.process.handle;
	if (object == WT_OBJECT_EVENT)
		return wt_timeline_event(&wt_replayer.timeline, handle);
	return wt_recorded_object(recorded, object, handle);
}

/* What was answered, with the checks and allocations of every get_info. */
static amd_dbgapi_status_t return_answer(const struct wt_query *query,
					 const struct wt_answer *answer, size_t value_size,
					 void *value)
{
	if (!answer)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (answer->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)answer->status;
	/* Values that a damaged trace gives the wrong size are none. */
	if (query->result == WT_RESULT_FIXED && answer->size != query->size)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	return wt_unmarshal_result(&wt_replayer.client, query, answer->value, answer->size,
				   value_size, value);
}

static amd_dbgapi_status_t process_info(const struct wt_query *query,
					const struct wt_answer *answer, size_t value_size,
					void *value)
{
	const struct wt_replay_process *process = &wt_replayer.process;

	switch (query->value) {
	case AMD_DBGAPI_PROCESS_INFO_NOTIFIER:
		return wt_client_return(&wt_replayer.client, value_size, value,
					&process->notifier[0], sizeof(process->notifier[0]));
	case AMD_DBGAPI_PROCESS_INFO_OS_ID:
		if (!process->has_os_id)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return wt_client_return(&wt_replayer.client, value_size, value, &process->os_id,
					sizeof(process->os_id));
	case AMD_DBGAPI_PROCESS_INFO_CORE_STATE:
		/* Recorders do not ask for it; a replayed process is never frozen. */
		if (!answer)
			return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
		return return_answer(query, answer, value_size, value);
	default:
		return return_answer(query, answer, value_size, value);
	}
}

/* An event that was made here has the answers that every stop event has. */
static amd_dbgapi_status_t event_info(uint64_t handle, const struct wt_query *query,
				      size_t value_size, void *value)
{
	const struct wt_timeline_event *event = wt_timeline_event(&wt_replayer.timeline, handle);
	const struct wt_client *client = &wt_replayer.client;

	if (event->recorded)
		return return_answer(
			query,
			wt_recorded_find(&wt_replayer.timeline.recorded, WT_OBJECT_EVENT, query,
					 event->recorded->answers, event->recorded->answer_count),
			value_size, value);
	switch (query->value) {
	case AMD_DBGAPI_EVENT_INFO_PROCESS:
		return wt_client_return(client, value_size, value, &wt_replayer.process.handle,
					sizeof(wt_replayer.process.handle));
	case AMD_DBGAPI_EVENT_INFO_KIND:
		return wt_client_return(client, value_size, value, &event->kind,
					sizeof(event->kind));
	case AMD_DBGAPI_EVENT_INFO_WAVE:
		return wt_client_return(client, value_size, value, &event->wave,
					sizeof(event->wave));
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

amd_dbgapi_status_t wt_replay_get_info(enum wt_object object, uint64_t handle, uint32_t query,
				       size_t value_size, void *value)
{
	const struct wt_query *known = wt_query_find(object, query);
	const struct wt_answer *answer;
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(object, handle))
		return wt_objects[object].invalid;
	if (known && known->stopped &&
	    wt_timeline_wave_state(&wt_replayer.timeline, handle) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	/* This one alone looks at the value before the query. */
	if (object == WT_OBJECT_REGISTER && !value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!known)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (object == WT_OBJECT_EVENT)
		return event_info(handle, known, value_size, value);
	answer = wt_recorded_answer(wt_replay_recorded(object), object, handle, query);
	if (object == WT_OBJECT_PROCESS)
		return process_info(known, answer, value_size, value);
	if (object == WT_OBJECT_WAVE &&
	    wt_replay_wave_info(handle, known, answer, value_size, value, &status))
		return status;
	return return_answer(known, answer, value_size, value);
}

/* A recorded list, as the client gets it. */
static amd_dbgapi_status_t return_list(const struct wt_item *item, size_t *count, void *array)
{
	if (!item)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)item->status;
	return wt_client_return_list(&wt_replayer.client, item->handles, item->handle_count, count,
				     array);
}

amd_dbgapi_status_t wt_replay_process_list(enum wt_object object, uint64_t process, size_t *count,
					   void *array, amd_dbgapi_changed_t *changed)
{
	uint64_t attached = wt_replayer.process.handle;
	amd_dbgapi_status_t status;
	bool *flag = &wt_replayer.timeline.changed[object];

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (process != AMD_DBGAPI_PROCESS_NONE.handle && process != attached)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!count || !array)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!attached || (changed && !*flag))
		status = wt_client_return_list(&wt_replayer.client, NULL, 0, count, array);
	else
		status = return_list(wt_recorded_function(&wt_replayer.timeline.recorded,
							  WT_ITEM_LIST, wt_objects[object].list,
							  attached),
				     count, array);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !changed)
		return status;
	*changed = attached && *flag ? AMD_DBGAPI_CHANGED_YES : AMD_DBGAPI_CHANGED_NO;
	*flag = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_replay_owner_list(enum wt_function function, enum wt_object object,
					 uint64_t owner, size_t *count, void *array)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(object, owner))
		return wt_objects[object].invalid;
	if (!count || !array)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	return return_list(
		wt_recorded_function(wt_replay_recorded(object), WT_ITEM_LIST, function, owner),
		count, array);
}
