/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/incarnation.h"

#include <stdlib.h>

#include "trace-format/state/held.h"

/* Handles from here on are not the work of any library: there is no room to count above them. */
#define LIMIT (UINT64_C(1) << 62)

void wt_incarnations_deinit(struct wt_incarnations *incarnations)
{
	for (int i = 0; i < WT_OBJECT_COUNT; i++) {
		struct wt_incarnation *entry, *next;

		HASH_CLEAR(by_shown, incarnations->by_shown[i]);
		HASH_ITER(by_recorded, incarnations->by_recorded[i], entry, next)
		{
			HASH_DELETE(by_recorded, incarnations->by_recorded[i], entry);
			free(entry);
		}
	}
	*incarnations = (struct wt_incarnations){0};
}

bool wt_incarnation_is_translated(enum wt_object object)
{
	switch (object) {
	case WT_OBJECT_CODE_OBJECT:
	case WT_OBJECT_AGENT:
	case WT_OBJECT_QUEUE:
	case WT_OBJECT_DISPATCH:
	case WT_OBJECT_CLUSTER:
	case WT_OBJECT_WORKGROUP:
	case WT_OBJECT_WAVE:
		return true;
	default:
		return false;
	}
}

static struct wt_incarnation *incarnation_find_recorded(const struct wt_incarnations *incarnations,
							enum wt_object object, uint64_t recorded)
{
	struct wt_incarnation *entry;

	HASH_FIND(by_recorded, incarnations->by_recorded[object], &recorded, sizeof(recorded),
		  entry);
	return entry;
}

uint64_t wt_incarnation_recorded(const struct wt_incarnations *incarnations, enum wt_object object,
				 uint64_t shown)
{
	struct wt_incarnation *entry;

	if (!wt_incarnations_translate(incarnations) || !wt_incarnation_is_translated(object))
		return shown;
	HASH_FIND(by_shown, incarnations->by_shown[object], &shown, sizeof(shown), entry);
	if (entry)
		return entry->recorded;
	/* The handle of an earlier life. */
	return incarnation_find_recorded(incarnations, object, shown) ? WT_NO_HANDLE : shown;
}

uint64_t wt_incarnation_shown(const struct wt_incarnations *incarnations, enum wt_object object,
			      uint64_t recorded)
{
	const struct wt_incarnation *entry;

	if (!wt_incarnations_translate(incarnations) || !wt_incarnation_is_translated(object))
		return recorded;
	entry = incarnation_find_recorded(incarnations, object, recorded);
	return entry ? entry->shown : recorded;
}

/* The handle that an object is shown by from now on. */
static struct wt_error *rename_object(struct wt_incarnations *incarnations, enum wt_object object,
				      uint64_t recorded)
{
	struct wt_incarnation *entry = incarnation_find_recorded(incarnations, object, recorded);

	if (entry) {
		HASH_DELETE(by_shown, incarnations->by_shown[object], entry);
	} else {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return &wt_error_no_memory;
		entry->recorded = recorded;
		HASH_ADD(by_recorded, incarnations->by_recorded[object], recorded, sizeof(recorded),
			 entry);
		if (!entry->by_recorded.tbl) {
			free(entry);
			return &wt_error_no_memory;
		}
	}
	entry->shown = incarnations->highest[object] + 1;
	HASH_ADD(by_shown, incarnations->by_shown[object], shown, sizeof(entry->shown), entry);
	if (!entry->by_shown.tbl) {
		HASH_DELETE(by_recorded, incarnations->by_recorded[object], entry);
		free(entry);
		return &wt_error_no_memory;
	}
	incarnations->highest[object]++;
	return NULL;
}

bool wt_incarnation_renew(struct wt_incarnations *incarnations, enum wt_object object,
			  uint64_t recorded)
{
	struct wt_error *error = rename_object(incarnations, object, recorded);

	wt_error_destroy(error);
	return !error;
}

/* The objects of a kind in a state, in the order of their handles. */
static struct wt_state_range objects_in(const struct wt_state *state, uint32_t kind)
{
	const struct wt_key first = {.type = WT_ITEM_OBJECT, .kind = kind};
	const struct wt_key behind = {.type = WT_ITEM_OBJECT, .kind = kind + 1};

	return state && kind ? wt_state_range(state, &first, &behind) : (struct wt_state_range){0};
}

static uint64_t handle_at(const struct wt_state_range *range, size_t at)
{
	return range->items[at]->item.key.owner;
}

static void note_highest(struct wt_incarnations *incarnations, enum wt_object object,
			 uint64_t handle)
{
	if (handle < LIMIT && handle > incarnations->highest[object])
		incarnations->highest[object] = handle;
}

/*
 * Libraries count handles upwards, so that one which is not above all that were shown may have been
 * one of them.
 */
static struct wt_error *appear(struct wt_incarnations *incarnations, enum wt_object object,
			       struct wt_state_range before, struct wt_state_range after)
{
	struct wt_error *error = NULL;
	size_t old = 0;

	for (size_t i = 0; !error && i < after.count; i++) {
		uint64_t handle = handle_at(&after, i);

		while (old < before.count && handle_at(&before, old) < handle)
			old++;
		if (old < before.count && handle_at(&before, old) == handle)
			continue;
		if (handle <= incarnations->highest[object])
			error = rename_object(incarnations, object, handle);
		else
			note_highest(incarnations, object, handle);
	}
	return error;
}

struct wt_error *wt_incarnations_move(struct wt_incarnations *incarnations,
				      const struct wt_table_names *names,
				      const struct wt_state *before, const struct wt_state *after)
{
	struct wt_error *error = NULL;

	if (before == after)
		return NULL;
	for (int i = 0; !error && i < WT_OBJECT_COUNT; i++) {
		enum wt_object object = (enum wt_object)i;
		struct wt_state_range there;

		if (!wt_incarnation_is_translated(object))
			continue;
		there = objects_in(after, names->objects[object]);
		if (wt_incarnations_translate(incarnations))
			error = appear(incarnations, object,
				       objects_in(before, names->objects[object]), there);
		else if (there.count)
			note_highest(incarnations, object, handle_at(&there, there.count - 1));
	}
	return error;
}
