/* SPDX-License-Identifier: MIT */
/* The program's runtime: when it is loaded, and the code objects that it has. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/kfd/internal.h"

/* Versions of r_debug that can be met in processes. Debian 12's runtime has the first. */
#define VERSIONS ((struct wt_r_debug_versions){7, 11})

static struct wt_device_listener *listener_of(struct wt_live *live)
{
	return &live->core.listener;
}

/* ---- Code objects ---- */

static bool code_is_listed(const struct wt_live_code *code, const struct wt_link_map_entry *entry)
{
	return (uint64_t)code->object.load_address == entry->load_address &&
	       !strcmp(code->uri, entry->uri);
}

static void free_one(struct wt_live_code *code)
{
	free(code->uri);
	free(code);
}

void wt_live_free_code(struct wt_live *live)
{
	while (live->code) {
		struct wt_live_code *next = live->code->next;

		free_one(live->code);
		live->code = next;
	}
}

/* Takes the name of the entry. */
static bool live_add_code(struct wt_live *live, struct wt_link_map_entry *entry)
{
	struct wt_live_code **end = &live->code, *code = calloc(1, sizeof(*code));

	if (!code)
		return false;
	while (*end)
		end = &(*end)->next;
	code->uri = wt_take(entry->uri);
	code->listed = true;
	code->object = (struct wt_device_code_object){
		.number = live->next_code++,
		.uri = code->uri,
		.load_address = (int64_t)entry->load_address,
		.loaded = true,
	};
	*end = code;
	listener_of(live)->code_object_changed(listener_of(live)->opaque, &code->object);
	return true;
}

static bool live_find_code(struct wt_live *live, const struct wt_link_map_entry *entry)
{
	for (struct wt_live_code *code = live->code; code; code = code->next)
		if (!code->listed && code_is_listed(code, entry))
			return code->listed = true;
	return false;
}

static bool drop_unlisted(struct wt_live *live)
{
	struct wt_live_code **place = &live->code;
	bool changed = false;

	while (*place) {
		struct wt_live_code *code = *place;

		if (code->listed) {
			place = &code->next;
			continue;
		}
		*place = code->next;
		code->object.loaded = false;
		listener_of(live)->code_object_changed(listener_of(live)->opaque, &code->object);
		free_one(code);
		changed = true;
	}
	return changed;
}

/* Return: whether anything has changed. */
static bool update_code(struct wt_live *live, struct wt_link_map *map)
{
	bool changed;

	for (struct wt_live_code *code = live->code; code; code = code->next)
		code->listed = false;
	/* Code objects that are no longer listed go first, as the address may be another one's by now. */
	for (size_t i = 0; i < map->count; i++)
		if (live_find_code(live, &map->entries[i])) {
			free(map->entries[i].uri);
			map->entries[i].uri = NULL;
		}
	changed = drop_unlisted(live);
	for (size_t i = 0; i < map->count; i++)
		if (map->entries[i].uri) {
			changed = true;
			if (!live_add_code(live, &map->entries[i]))
				wt_live_fail(live, "there is no memory for a code object");
		}
	return changed;
}

static void warn_of(struct wt_live *live, const struct wt_error *error)
{
	wt_live_warn(live, "%s: %s: %s", error->what, error->where, error->why);
}

bool wt_live_look_for_code(struct wt_device *device)
{
	struct wt_live *live = wt_live_of(device);
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_link_map map = {0};
	bool changed = false;

	if (!wt_live_is_loaded(live))
		return false;
	error = wt_link_map_read(&live->core.memory, live->core.note.r_debug, VERSIONS, &map);
	if (error && !wt_live_ends(live))
		warn_of(live, error);
	/* While the runtime changes the list there is nothing to see of it. */
	if (!error && !map.changing)
		changed = update_code(live, &map);
	wt_link_map_deinit(&map);
	return changed;
}

/* ---- Its breakpoint ---- */

uint64_t wt_live_breakpoint(struct wt_device *device, bool stop)
{
	(void)stop;
	return wt_live_of(device)->core.link_map.breakpoint;
}

/* The client knows whether it is; what it reports is looked into. */
bool wt_live_is_at_breakpoint(const struct wt_device *device)
{
	return wt_live_is_loaded(wt_live_of(device));
}

/* ---- The runtime ---- */

/* Reads what r_debug says besides the list; a version that is not known restricts the process. */
static bool read_r_debug(struct wt_live *live)
{
	struct wt_core *core = &live->core;
	wt_cleanup_error struct wt_error *error =
		wt_link_map_read(&core->memory, core->note.r_debug, VERSIONS, &core->link_map);

	if (error && !wt_live_ends(live))
		warn_of(live, error);
	/* The list is kept elsewhere. */
	wt_link_map_deinit(&core->link_map);
	return !error;
}

static bool can_be_debugged(struct wt_live *live)
{
	if (live->core.note.runtime == WT_CORE_NOTE_RUNTIME_ENABLED)
		return read_r_debug(live);
	wt_live_warn(live, "process %u cannot be debugged: the kernel driver says that %s",
		     live->calls.process,
		     live->core.note.runtime == WT_CORE_NOTE_RUNTIME_BUSY
			     ? "another process debugs its GPU"
			     : "its runtime has an error");
	return false;
}

static void subscribe(struct wt_live *live, uint64_t exceptions)
{
	struct kfd_debug_trap args = {.set_exceptions = {exceptions}};

	wt_live_call(live, KFD_DEBUG_SET_EXCEPTIONS, &args);
}

void wt_live_load_runtime(struct wt_live *live)
{
	const struct wt_device_listener *listener = listener_of(live);
	bool restricted = !can_be_debugged(live);

	if (live->exited)
		return;
	live->runtime = WT_LIVE_RUNTIME_LOADED;
	if (!listener->runtime_loaded(listener->opaque, restricted) || restricted) {
		live->runtime = WT_LIVE_RUNTIME_RESTRICTED;
		return;
	}
	subscribe(live, WT_LIVE_EXCEPTIONS);
	wt_live_look_for_code(&live->core.device);
	wt_live_find_queues(live, true);
	wt_live_apply_settings(live);
	if (!wt_live_is_loaded(live))
		return;
	live->stands = true;
	wt_live_suspend(live);
	wt_live_settle(live);
	/* Whatever the runtime has asked for: with a debugger attached, hardware sets them up for new waves. */
	live->core.note.ttmps_set_up = true;
}

void wt_live_unload_runtime(struct wt_live *live)
{
	bool was_loaded = live->runtime == WT_LIVE_RUNTIME_LOADED;

	live->runtime = WT_LIVE_RUNTIME_NONE;
	live->unloaded_untold = live->untold = true;
	live->watching = live->stands = false;
	live->core.link_map.breakpoint = 0;
	for (size_t i = 0; i < live->core.queue_count; i++)
		live->core.queues[i]->live.gone = true;
	if (was_loaded)
		subscribe(live, WT_LIVE_RUNTIME);
	wt_live_free_code(live);
}

void wt_live_answer_runtime(struct wt_device *device)
{
	struct wt_live *live = wt_live_of(device);
	struct kfd_debug_trap args = {.send = {WT_LIVE_RUNTIME, KFD_ALL_ONES, KFD_ALL_ONES}};

	if (!live->runtime_waits)
		return;
	live->runtime_waits = false;
	wt_live_call(live, KFD_DEBUG_SEND_RUNTIME_EVENT, &args);
}
