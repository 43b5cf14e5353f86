/* SPDX-License-Identifier: MIT */
/* All get_info and list functions, by the table. */
#include "replayer/library/internal.h"

#include <stdlib.h>
#include <string.h>

#include "dbgapi/architecture/static-info.h"
#include "dbgapi/client/marshal.h"
#include "replayer/library/created.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-wave.h"
#include "replayer/library/substitute.h"
#include "replayer/timeline/timeline.h"

bool wt_replay_is_fact(enum wt_object object)
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

const struct wt_recorded *wt_replay_recorded(const struct wt_replay_process *process,
					     enum wt_object object)
{
	if (wt_replay_is_fact(object))
		return wt_replayer.reader ? &wt_replayer.facts : NULL;
	return process->handle ? &process->timeline.recorded : NULL;
}

const struct wt_item *wt_replay_fact(enum wt_object object, uint64_t handle)
{
	return wt_replayer.reader && handle ? wt_recorded_object(&wt_replayer.facts, object, handle)
					    : NULL;
}

uint64_t wt_replay_handle(const struct wt_replay_process *process, enum wt_object object,
			  uint64_t shown)
{
	if (object == WT_OBJECT_PROCESS && shown)
		return process->handle && shown == process->shown ? process->handle : WT_NO_HANDLE;
	return wt_incarnation_recorded(&process->timeline.incarnations, object, shown);
}

/* The kind of object that a query's answer names; WT_OBJECT_COUNT if it names none that may die. */
static enum wt_object named_object(const struct wt_query *query)
{
	for (int i = 0; query->is_handle && i < WT_OBJECT_COUNT; i++)
		if ((i == WT_OBJECT_PROCESS || wt_incarnation_is_translated((enum wt_object)i)) &&
		    !strcmp(query->type, wt_objects[i].handle_type))
			return (enum wt_object)i;
	return WT_OBJECT_COUNT;
}

/* A recorded handle as the client knows it. */
static amd_dbgapi_status_t return_handle(const struct wt_replay_process *process,
					 enum wt_object object, const struct wt_answer *answer,
					 size_t value_size, void *value)
{
	uint64_t handle;

	if (!wt_answer_number(answer, &handle))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (object == WT_OBJECT_PROCESS && handle == process->handle)
		handle = process->shown;
	handle = wt_incarnation_shown(&process->timeline.incarnations, object, handle);
	return wt_client_return(&wt_replayer.client, value_size, value, &handle, sizeof(handle));
}

bool wt_replay_exists(struct wt_replay_process *process, enum wt_object object, uint64_t handle)
{
	const struct wt_recorded *recorded = wt_replay_recorded(process, object);

	if (!recorded || !handle)
		return false;
	if (object == WT_OBJECT_PROCESS)
		return handle == process->handle;
	if (object == WT_OBJECT_EVENT)
		return wt_timeline_event(&process->timeline, handle);
	if (object == WT_OBJECT_BREAKPOINT && handle == wt_debuggee_breakpoint(process))
		return process->debuggee.breakpoint;
	if (object == WT_OBJECT_WATCHPOINT)
		return wt_created_watchpoint_exists(process, handle);
	if (object == WT_OBJECT_DISPLACED_STEPPING)
		return wt_created_displaced_exists(process, handle);
	return wt_recorded_object(recorded, object, handle);
}

/* Returns a recorded answer, with the checks and allocations of every get_info. */
static amd_dbgapi_status_t return_answer(const struct wt_replay_process *process,
					 const struct wt_query *query,
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
	if (wt_incarnations_translate(&process->timeline.incarnations) &&
	    named_object(query) != WT_OBJECT_COUNT)
		return return_handle(process, named_object(query), answer, value_size, value);
	return wt_unmarshal_result(&wt_replayer.client, query, answer->value, answer->size,
				   value_size, value);
}

static amd_dbgapi_status_t process_info(const struct wt_replay_process *process,
					const struct wt_query *query,
					const struct wt_answer *answer, size_t value_size,
					void *value)
{
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
		/* Only a client that asked for it had the answer recorded. A core has none, and says so. */
		if (!process->frozen && answer &&
		    answer->status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		if (!process->frozen)
			return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
		if (!value)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		if (value_size != sizeof(amd_dbgapi_core_state_data_t))
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
		if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return return_answer(process, query, answer, value_size, value);
	default:
		return return_answer(process, query, answer, value_size, value);
	}
}

/* Answers with the wave that an event is about, which may have another handle by now. */
static amd_dbgapi_status_t event_wave(const struct wt_replay_process *process,
				      const struct wt_timeline_event *event,
				      const struct wt_query *query, size_t value_size, void *value)
{
	const struct wt_answer *answer = NULL;

	if (event->recorded)
		answer = wt_recorded_find(&process->timeline.recorded, WT_OBJECT_EVENT, query,
					  event->recorded->answers, event->recorded->answer_count);
	if (event->recorded &&
	    (!event->wave || !answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS))
		return return_answer(process, query, answer, value_size, value);
	if (!event->shown)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	return wt_client_return(&wt_replayer.client, value_size, value, &event->shown,
				sizeof(event->shown));
}

/* The trace has numbers in place of the client's threads. */
static amd_dbgapi_status_t event_thread(const struct wt_replay_process *process,
					const struct wt_query *query,
					const struct wt_answer *answer, size_t value_size,
					void *value)
{
	amd_dbgapi_client_thread_id_t thread;
	uint64_t ordinal;

	if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS ||
	    !wt_answer_number(answer, &ordinal) || !wt_replay_thread(ordinal, &thread))
		return return_answer(process, query, answer, value_size, value);
	return wt_client_return(&wt_replayer.client, value_size, value, &thread, sizeof(thread));
}

static amd_dbgapi_status_t recorded_event_info(const struct wt_replay_process *process,
					       const struct wt_event *event,
					       const struct wt_query *query, size_t value_size,
					       void *value)
{
	const struct wt_answer *answer =
		wt_recorded_find(&process->timeline.recorded, WT_OBJECT_EVENT, query,
				 event->answers, event->answer_count);

	return query->value == AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD
		       ? event_thread(process, query, answer, value_size, value)
		       : return_answer(process, query, answer, value_size, value);
}

/* An event that was made here has the answers that every event of its kind has. */
static amd_dbgapi_status_t event_info(const struct wt_replay_process *process, uint64_t handle,
				      const struct wt_query *query, size_t value_size, void *value)
{
	const struct wt_timeline_event *event = wt_timeline_event(&process->timeline, handle);
	const struct wt_client *client = &wt_replayer.client;

	if (event->recorded && query->value != AMD_DBGAPI_EVENT_INFO_WAVE)
		return recorded_event_info(process, event->recorded, query, value_size, value);
	if (query->value == AMD_DBGAPI_EVENT_INFO_WAVE)
		return event_wave(process, event, query, value_size, value);
	switch (query->value) {
	case AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE:
		if (event->kind != AMD_DBGAPI_EVENT_KIND_RUNTIME)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		return wt_client_return(client, value_size, value, &event->runtime,
					sizeof(event->runtime));
	case AMD_DBGAPI_EVENT_INFO_BREAKPOINT:
		handle = wt_debuggee_breakpoint(process);
		if (event->kind != AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		return wt_client_return(client, value_size, value, &handle, sizeof(handle));
	case AMD_DBGAPI_EVENT_INFO_PROCESS:
		return wt_client_return(client, value_size, value, &process->shown,
					sizeof(process->shown));
	case AMD_DBGAPI_EVENT_INFO_KIND:
		return wt_client_return(client, value_size, value, &event->kind,
					sizeof(event->kind));
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* Answers queries that are served otherwise than they were recorded; false for others. */
static bool served_info(const struct wt_replay_process *process, enum wt_object object,
			uint64_t handle, const struct wt_query *query, size_t value_size,
			void *value, amd_dbgapi_status_t *status_ret)
{
	const struct wt_client *client = &wt_replayer.client;
	const amd_dbgapi_size_t none = 0;
	const char *uri;
	uint32_t machine;

	if (object == WT_OBJECT_CODE_OBJECT &&
	    query->value == AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME) {
		uri = wt_substitute_uri(process, handle);
		if (uri)
			*status_ret = wt_client_return_string(client, value_size, value, uri);
		return uri;
	}
	if (object == WT_OBJECT_ARCHITECTURE &&
	    query->value == AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE &&
	    wt_substitute_machine(handle, &machine)) {
		*status_ret =
			wt_client_return(client, value_size, value, &machine, sizeof(machine));
		return true;
	}
	if (object == WT_OBJECT_ARCHITECTURE && wt_replayer.options.host &&
	    query->value == AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST) {
		*status_ret = wt_client_return(client, value_size, value, &none, sizeof(none));
		return true;
	}
	if (object == WT_OBJECT_BREAKPOINT && handle == wt_debuggee_breakpoint(process) &&
	    query->value == AMD_DBGAPI_BREAKPOINT_INFO_PROCESS) {
		*status_ret = wt_client_return(client, value_size, value, &process->shown,
					       sizeof(process->shown));
		return true;
	}
	return false;
}

/* Our tables have what is no fact of the trace, or refuse the handle. */
static amd_dbgapi_status_t table_info(enum wt_object object, uint64_t handle, uint32_t query,
				      size_t value_size, void *value)
{
	const struct wt_static tables = wt_replay_tables();

	switch ((int)object) {
	case WT_OBJECT_ARCHITECTURE:
		return wt_static_architecture_get_info(
			&tables, (amd_dbgapi_architecture_id_t){handle},
			(amd_dbgapi_architecture_info_t)query, value_size, value);
	case WT_OBJECT_REGISTER:
		return wt_static_register_get_info(&tables, (amd_dbgapi_register_id_t){handle},
						   (amd_dbgapi_register_info_t)query, value_size,
						   value);
	case WT_OBJECT_REGISTER_CLASS:
		return wt_static_architecture_register_class_get_info(
			&tables, (amd_dbgapi_register_class_id_t){handle},
			(amd_dbgapi_register_class_info_t)query, value_size, value);
	case WT_OBJECT_ADDRESS_CLASS:
		return wt_static_address_class_get_info(
			&tables, (amd_dbgapi_address_class_id_t){handle},
			(amd_dbgapi_address_class_info_t)query, value_size, value);
	case WT_OBJECT_ADDRESS_SPACE:
		return wt_static_address_space_get_info(
			&tables, (amd_dbgapi_address_space_id_t){handle},
			(amd_dbgapi_address_space_info_t)query, value_size, value);
	default:
		return wt_objects[object].invalid;
	}
}

static amd_dbgapi_status_t table_list(enum wt_function function, uint64_t owner, size_t *count,
				      void *array)
{
	const amd_dbgapi_architecture_id_t architecture = {owner};
	const struct wt_static tables = wt_replay_tables();

	switch ((int)function) {
	case WT_FUNCTION_ARCHITECTURE_REGISTER_LIST:
		return wt_static_architecture_register_list(&tables, architecture, count, array);
	case WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST:
		return wt_static_architecture_register_class_list(&tables, architecture, count,
								  array);
	case WT_FUNCTION_ARCHITECTURE_ADDRESS_CLASS_LIST:
		return wt_static_architecture_address_class_list(&tables, architecture, count,
								 array);
	default:
		return wt_static_architecture_address_space_list(&tables, architecture, count,
								 array);
	}
}

amd_dbgapi_status_t wt_replay_get_info(enum wt_object object, uint64_t handle, uint32_t query,
				       size_t value_size, void *value)
{
	struct wt_replay_process *process = wt_replay_process_of(object, handle);
	const struct wt_query *known = wt_query_find(object, query);
	const struct wt_answer *answer;
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	handle = wt_replay_handle(process, object, handle);
	if (!wt_replay_exists(process, object, handle))
		return table_info(object, handle, query, value_size, value);
	if (known && known->stopped &&
	    wt_timeline_wave_state(&process->timeline, handle) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	/* This one alone looks at the value before the query. */
	if (object == WT_OBJECT_REGISTER && !value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!known)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (object == WT_OBJECT_EVENT)
		return event_info(process, handle, known, value_size, value);
	if (served_info(process, object, handle, known, value_size, value, &status))
		return status;
	if (object == WT_OBJECT_WATCHPOINT &&
	    wt_created_watchpoint_info(process, handle, query, value_size, value, &status))
		return status;
	if (object == WT_OBJECT_DISPLACED_STEPPING &&
	    wt_created_displaced_info(process, handle, query, value_size, value, &status))
		return status;
	answer = wt_recorded_answer(wt_replay_recorded(process, object), object, handle, query);
	if (object == WT_OBJECT_PROCESS)
		return process_info(process, known, answer, value_size, value);
	if (object == WT_OBJECT_WAVE &&
	    wt_replay_wave_info(process, handle, known, answer, value_size, value, &status))
		return status;
	return return_answer(process, known, answer, value_size, value);
}

/* A list without handles is a list all the same. */
static const uint64_t no_handles[1];

/* A recorded list, as the client gets it. */
static amd_dbgapi_status_t return_list(const struct wt_item *item, size_t *count, void *array)
{
	if (!item)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)item->status;
	return wt_client_return_list(&wt_replayer.client,
				     item->handles ? item->handles : no_handles, item->handle_count,
				     count, array);
}

/* A list of the client's, which holds recorded handles yet. */
static void show_handles(const struct wt_replay_process *process, enum wt_object object,
			 size_t count, void *array)
{
	const struct wt_incarnations *incarnations = &process->timeline.incarnations;
	uint64_t *handles;

	memcpy(&handles, array, sizeof(handles));
	for (size_t i = 0; wt_incarnations_translate(incarnations) && i < count; i++)
		handles[i] = wt_incarnation_shown(incarnations, object, handles[i]);
}

/* Code objects are there when their memory is: a client puts breakpoints into it at once. */
static bool is_held_back(const struct wt_replay_process *process, enum wt_object object)
{
	return process->debuggee.held && object == WT_OBJECT_CODE_OBJECT;
}

/* A library learns of these by suspending queues; those of a core were let go for ever. */
static bool is_out_of_reach(const struct wt_replay_process *process, enum wt_object object)
{
	return process->broken && (object == WT_OBJECT_DISPATCH || object == WT_OBJECT_WORKGROUP ||
				   object == WT_OBJECT_WAVE);
}

/* The list of one process, with no look at whether it has changed. */
static amd_dbgapi_status_t list_of_process(struct wt_replay_process *process, enum wt_object object,
					   size_t *count, void *array,
					   amd_dbgapi_changed_t *changed)
{
	amd_dbgapi_status_t status;

	/* A debugger that holds all waves, and is to be somewhere else, has no other call to make for it. */
	if (object == WT_OBJECT_WAVE)
		wt_replay_control_take(process);
	if (is_held_back(process, object))
		return wt_debuggee_no_code(count, array, changed);
	if (is_out_of_reach(process, object))
		return AMD_DBGAPI_STATUS_FATAL;
	if (!process->handle || (changed && !process->timeline.changed[object]))
		status = wt_client_return_list(&wt_replayer.client, changed ? NULL : no_handles, 0,
					       count, array);
	else
		status = return_list(wt_recorded_function(&process->timeline.recorded, WT_ITEM_LIST,
							  wt_objects[object].list, process->handle),
				     count, array);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		show_handles(process, object, *count, array);
	return status;
}

/* The handles collected so far for a list of all processes. */
struct gathered {
	uint64_t *handles;
	size_t count;
};

static amd_dbgapi_status_t process_objects_gather(const struct wt_replay_process *process,
						  enum wt_object object, struct gathered *all)
{
	const struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *item = wt_recorded_function(&timeline->recorded, WT_ITEM_LIST,
							  wt_objects[object].list, process->handle);
	uint64_t *grown;

	if (is_held_back(process, object))
		return AMD_DBGAPI_STATUS_SUCCESS;
	if (is_out_of_reach(process, object))
		return AMD_DBGAPI_STATUS_FATAL;
	if (!item)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)item->status;
	grown = reallocarray(all->handles, all->count + item->handle_count + 1, sizeof(*grown));
	if (!grown)
		return AMD_DBGAPI_STATUS_FATAL;
	all->handles = grown;
	for (size_t i = 0; i < item->handle_count; i++)
		grown[all->count++] =
			wt_incarnation_shown(&timeline->incarnations, object, item->handles[i]);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* One list of all processes, in the order in which they were attached to. It has changed where one of theirs has. */
static amd_dbgapi_status_t list_of_all(enum wt_object object, size_t *count, void *array,
				       amd_dbgapi_changed_t *changed)
{
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_SUCCESS;
	struct wt_replay_process *process;
	struct gathered all = {0};
	bool any = !changed;

	for (process = wt_replayer.processes; process; process = process->next)
		any = any || process->timeline.changed[object];
	for (process = any ? wt_replayer.processes : NULL;
	     process && status == AMD_DBGAPI_STATUS_SUCCESS; process = process->next)
		status = process_objects_gather(process, object, &all);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = wt_client_return_list(&wt_replayer.client,
					       all.handles ? all.handles
					       : any	   ? no_handles
							   : NULL,
					       all.count, count, array);
	free(all.handles);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !changed)
		return status;
	*changed = any ? AMD_DBGAPI_CHANGED_YES : AMD_DBGAPI_CHANGED_NO;
	for (process = wt_replayer.processes; process; process = process->next)
		process->timeline.changed[object] &= is_held_back(process, object);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_replay_process_list(enum wt_object object, uint64_t handle, size_t *count,
					   void *array, amd_dbgapi_changed_t *changed)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_PROCESS, handle);
	bool *flag = &process->timeline.changed[object];
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (handle != AMD_DBGAPI_PROCESS_NONE.handle && handle != process->shown)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!count || !array)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (wt_replay_is_of_all(handle))
		return list_of_all(object, count, array, changed);
	status = list_of_process(process, object, count, array, changed);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !changed || is_held_back(process, object))
		return status;
	*changed = process->handle && *flag ? AMD_DBGAPI_CHANGED_YES : AMD_DBGAPI_CHANGED_NO;
	*flag = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_replay_owner_list(enum wt_function function, enum wt_object object,
					 uint64_t owner, size_t *count, void *array)
{
	struct wt_replay_process *process = wt_replay_process_of(object, owner);

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	owner = wt_replay_handle(process, object, owner);
	/* These two look at the handle last. */
	if ((!count || !array) && (function == WT_FUNCTION_ARCHITECTURE_ADDRESS_CLASS_LIST ||
				   function == WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_exists(process, object, owner))
		return object == WT_OBJECT_ARCHITECTURE ? table_list(function, owner, count, array)
							: wt_objects[object].invalid;
	if (!count || !array)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	return return_list(wt_recorded_function(wt_replay_recorded(process, object), WT_ITEM_LIST,
						function, owner),
			   count, array);
}
