/* SPDX-License-Identifier: MIT */
/* Handles: from numbers to objects, and lists of them. */
#include "dbgapi/core/core.h"
#include "dbgapi/simulated/internal.h"

#include <stdlib.h>

#include "base/cleanup.h"

#define FEW 64u /* handles, for which no memory is allocated */

struct wt_provider wt_provider = {.processes = TAILQ_HEAD_INITIALIZER(wt_provider.processes)};

void *wt_find_anew(enum wt_object kind, uint64_t handle)
{
	struct wt_api_entry *entry =
		wt_table_find(&wt_provider.handles[kind], WT_BY_HANDLE, handle);

	if (!entry || entry->hidden)
		return NULL;
	*wt_recent(kind, handle) = entry;
	return entry;
}

void *wt_find_number(struct wt_api_process *process, enum wt_object kind, uint32_t number)
{
	return wt_table_find(&process->numbers[kind], WT_BY_NUMBER, number);
}

/* Waves are known by what the device keeps for its listener, and events by their handles. */
static bool is_found_by_number(enum wt_object kind)
{
	return kind != WT_OBJECT_PROCESS && kind != WT_OBJECT_WAVE && kind != WT_OBJECT_EVENT;
}

static bool add_to_tables(enum wt_object kind, struct wt_api_entry *entry)
{
	if (entry->handle && !wt_table_add(&wt_provider.handles[kind], WT_BY_HANDLE, entry))
		return false;
	if (!is_found_by_number(kind) ||
	    wt_table_add(&entry->process->numbers[kind], WT_BY_NUMBER, entry))
		return true;
	if (entry->handle)
		wt_table_remove(&wt_provider.handles[kind], WT_BY_HANDLE, entry);
	return false;
}

/* The list of the objects of a process; for no process, the processes. */
static struct wt_api_entries *process_list(struct wt_api_process *process, enum wt_object kind)
{
	return kind == WT_OBJECT_PROCESS ? &wt_provider.processes : &process->objects[kind];
}

static void add_to_list(enum wt_object kind, struct wt_api_entry *entry)
{
	TAILQ_INSERT_TAIL(process_list(entry->process, kind), entry, link);
	if (kind != WT_OBJECT_PROCESS)
		entry->process->object_count[kind]++;
}

static void remove_from_list(enum wt_object kind, struct wt_api_entry *entry)
{
	TAILQ_REMOVE(process_list(entry->process, kind), entry, link);
	if (kind != WT_OBJECT_PROCESS)
		entry->process->object_count[kind]--;
}

static void *object_create(struct wt_api_process *process, enum wt_object kind, uint64_t handle,
			   uint32_t number, size_t size)
{
	struct wt_api_entry *entry = calloc(1, size);

	if (!entry)
		return NULL;
	entry->handle = handle;
	entry->hidden = !handle;
	entry->number = number;
	entry->process = process;
	if (!add_to_tables(kind, entry)) {
		free(entry);
		return NULL;
	}
	add_to_list(kind, entry);
	return entry;
}

/* A handle is never used again, until the library is finalized: the next one is counted, whatever was removed. */
void *wt_create(struct wt_api_process *process, enum wt_object kind, uint32_t number, size_t size)
{
	void *object =
		object_create(process, kind, wt_provider.last_handle[kind] + 1, number, size);

	if (!object)
		return NULL;
	wt_provider.last_handle[kind]++;
	if (process)
		process->changed[kind] = true;
	return object;
}

void *wt_create_nameless(struct wt_api_process *process, enum wt_object kind, uint32_t number,
			 size_t size)
{
	return object_create(process, kind, 0, number, size);
}

void wt_remove(enum wt_object kind, struct wt_api_entry *entry)
{
	if (entry->handle)
		wt_table_remove(&wt_provider.handles[kind], WT_BY_HANDLE, entry);
	if (is_found_by_number(kind))
		wt_table_remove(&entry->process->numbers[kind], WT_BY_NUMBER, entry);
	remove_from_list(kind, entry);
	if (kind != WT_OBJECT_PROCESS && !entry->hidden)
		entry->process->changed[kind] = true;
	if (*wt_recent(kind, entry->handle) == entry)
		*wt_recent(kind, entry->handle) = NULL;
	if (kind == WT_OBJECT_WAVE && wt_provider.reading.wave == (void *)entry)
		wt_provider.reading.wave = NULL;
	free(entry);
}

void wt_remove_all(struct wt_api_process *process, enum wt_object kind)
{
	struct wt_api_entry *entry;

	while ((entry = TAILQ_FIRST(process_list(process, kind))))
		wt_remove(kind, entry);
	wt_table_deinit(&process->numbers[kind]);
}

void *wt_next(struct wt_api_process *process, enum wt_object kind, const void *object)
{
	const struct wt_api_entry *entry = object;

	return entry ? TAILQ_NEXT(entry, link) : TAILQ_FIRST(process_list(process, kind));
}

struct wt_api_process *wt_next_process(amd_dbgapi_process_id_t id, struct wt_api_process *process)
{
	if (id.handle != AMD_DBGAPI_PROCESS_NONE.handle)
		return process ? NULL : wt_process_find(id);
	return wt_next(NULL, WT_OBJECT_PROCESS, process);
}

static bool any_changed(enum wt_object kind, amd_dbgapi_process_id_t id)
{
	struct wt_api_process *process = NULL;

	while ((process = wt_next_process(id, process)))
		if (process->changed[kind])
			return true;
	return false;
}

static size_t count_entries(enum wt_object kind, amd_dbgapi_process_id_t id)
{
	struct wt_api_process *process = NULL;
	size_t count = 0;

	while ((process = wt_next_process(id, process)))
		count += process->object_count[kind];
	return count;
}

/* @hidden_ret: set if some of them are not shown. */
static size_t collect_process(enum wt_object kind, struct wt_api_process *process,
			      uint64_t *handles, bool *hidden_ret)
{
	size_t count = 0;

	for (struct wt_api_entry *entry = NULL; (entry = wt_next(process, kind, entry));) {
		if (!entry->handle)
			continue;
		handles[count++] = entry->handle;
		*hidden_ret = *hidden_ret || entry->hidden;
	}
	return count;
}

static size_t drop_hidden(enum wt_object kind, uint64_t *handles, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (wt_find(kind, handles[i]))
			handles[kept++] = handles[i];
	return kept;
}

/* In order of creation; where AMD's library could be in our place, in its order. */
static size_t handles_collect(enum wt_object kind, amd_dbgapi_process_id_t id, uint64_t *handles)
{
	struct wt_api_process *process = NULL;
	size_t count = 0;

	while ((process = wt_next_process(id, process))) {
		bool hidden = false;
		size_t found = collect_process(kind, process, handles + count, &hidden);

		if (process->device->core || process->device->live)
			wt_core_order(handles + count, found);
		count += hidden ? drop_hidden(kind, handles + count, found) : found;
	}
	return count;
}

static amd_dbgapi_status_t return_entries(enum wt_object kind, amd_dbgapi_process_id_t id,
					  size_t *count_ret, void *array_ret)
{
	size_t capacity = count_entries(kind, id);
	wt_cleanup_free uint64_t *many = capacity > FEW ? calloc(capacity, sizeof(*many)) : NULL;
	uint64_t few[FEW], *handles = capacity > FEW ? many : few;

	if (!handles)
		return AMD_DBGAPI_STATUS_FATAL;
	return wt_client_return_list(&wt_provider.client, handles,
				     handles_collect(kind, id, handles), count_ret, array_ret);
}

/* AMD's library learns of these by suspending queues; those of a core were let go for ever. */
static bool kind_needs_waves(enum wt_object kind)
{
	return kind == WT_OBJECT_DISPATCH || kind == WT_OBJECT_WORKGROUP || kind == WT_OBJECT_WAVE;
}

amd_dbgapi_status_t wt_list(enum wt_object kind, amd_dbgapi_process_id_t process_id,
			    size_t *count_ret, void *array_ret, amd_dbgapi_changed_t *changed_ret)
{
	struct wt_api_process *process = NULL;
	amd_dbgapi_status_t status;
	bool changed;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (process_id.handle != AMD_DBGAPI_PROCESS_NONE.handle && !wt_process_find(process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!count_ret || !array_ret)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	while ((process = wt_next_process(process_id, process))) {
		wt_live_look(process, kind);
		if ((process->broken && kind_needs_waves(kind)) || wt_live_has_failed(process))
			return AMD_DBGAPI_STATUS_FATAL;
	}
	changed = any_changed(kind, process_id);
	if (changed_ret && !changed)
		status = wt_client_return_list(&wt_provider.client, NULL, 0, count_ret, array_ret);
	else
		status = return_entries(kind, process_id, count_ret, array_ret);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !changed_ret)
		return status;
	*changed_ret = changed ? AMD_DBGAPI_CHANGED_YES : AMD_DBGAPI_CHANGED_NO;
	while ((process = wt_next_process(process_id, process)))
		process->changed[kind] = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
