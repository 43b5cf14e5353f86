/* SPDX-License-Identifier: MIT */
/* Several processes at once: which of them a call is about, and what they have in common. */
#include <string.h>

#include "replayer/library/internal.h"
#include "replayer/timeline/timeline.h"

struct wt_replay_process *wt_replay_find_process(uint64_t handle)
{
	struct wt_replay_process *process = wt_replayer.processes;

	while (process && (!process->handle || process->shown != handle))
		process = process->next;
	return process;
}

bool wt_replay_is_process(struct wt_replay_process *process, amd_dbgapi_process_id_t process_id)
{
	return wt_replay_exists(process, WT_OBJECT_PROCESS,
				wt_replay_handle(process, WT_OBJECT_PROCESS, process_id.handle));
}

bool wt_replay_is_process_or_none(uint64_t handle)
{
	return handle == AMD_DBGAPI_PROCESS_NONE.handle || wt_replay_find_process(handle);
}

/* The kind of object that a parameter names, if it is one that a process has; else WT_OBJECT_COUNT. */
static enum wt_object parameter_object_kind(const struct wt_parameter *parameter)
{
	if (!parameter->is_handle || parameter->shape != WT_SHAPE_VALUE)
		return WT_OBJECT_COUNT;
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		if (!strcmp(parameter->type, wt_objects[i].handle_type))
			return wt_replay_is_fact((enum wt_object)i) ? WT_OBJECT_COUNT
								    : (enum wt_object)i;
	return WT_OBJECT_COUNT;
}

struct wt_replay_process *wt_replay_process_of(enum wt_object object, uint64_t handle)
{
	struct wt_replay_process *process = wt_replayer.processes;

	if (wt_replayer.process_count > 1 && handle && !wt_replay_is_fact(object))
		while (process && !wt_replay_exists(process, object,
						    wt_replay_handle(process, object, handle)))
			process = process->next;
	if (!process)
		process = wt_replayer.processes;
	return process ? process : &wt_replayer.nobody;
}

amd_dbgapi_status_t wt_replay_check_process(amd_dbgapi_process_id_t process_id,
					    struct wt_replay_process **process_ret)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_is_process(process, process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	*process_ret = process;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

struct wt_replay_process *wt_replay_process_of_call(enum wt_function function,
						    const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[function];

	if (function == WT_FUNCTION_PROCESS_ATTACH)
		return &wt_replayer.nobody;
	for (size_t i = 0; i < info->parameter_count; i++) {
		enum wt_object object = parameter_object_kind(&info->parameters[i]);

		if (object != WT_OBJECT_COUNT && arguments[i].number)
			return wt_replay_process_of(object, arguments[i].number);
	}
	return wt_replay_process_of(WT_OBJECT_PROCESS, 0);
}

/* The highest handles that any of them has given: after travelling no other is to give one of those again. */
static void gather_handles(struct wt_timeline *all)
{
	for (const struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next) {
		const struct wt_timeline *timeline = &process->timeline;

		all->incarnations.travelled |= timeline->incarnations.travelled;
		all->last_event_known |= timeline->last_event_known;
		if (timeline->last_event > all->last_event)
			all->last_event = timeline->last_event;
		for (int i = 0; i < WT_OBJECT_COUNT; i++)
			if (timeline->incarnations.highest[i] > all->incarnations.highest[i])
				all->incarnations.highest[i] = timeline->incarnations.highest[i];
	}
}

void wt_replay_share_handles(void)
{
	struct wt_timeline all = {0};

	if (wt_replayer.process_count < 2)
		return;
	gather_handles(&all);
	for (struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next) {
		process->timeline.incarnations.travelled = all.incarnations.travelled;
		memcpy(process->timeline.incarnations.highest, all.incarnations.highest,
		       sizeof(all.incarnations.highest));
		process->timeline.last_event = all.last_event;
		process->timeline.last_event_known = all.last_event_known;
	}
}

void wt_replay_look(void)
{
	uint32_t latest = 0;

	if (wt_replayer.process_count < 2)
		return;
	for (const struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next)
		if (process->timeline.position > latest)
			latest = process->timeline.position;
	for (struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next)
		wt_replay_log_error(wt_timeline_look(&process->timeline, latest));
}
