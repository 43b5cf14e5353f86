/* SPDX-License-Identifier: MIT */
/*
 * Items as versions of the format before 1.6 wrote them: facts that no function of the API answers with had the name of some
 * function for a key, as LIST and MAP items. They have types of their own now (trace.proto, Item.Type), and readers see no others.
 */
#ifndef WT_TRACE_FORMAT_READER_OLDER_ITEMS_H
#define WT_TRACE_FORMAT_READER_OLDER_ITEMS_H

#include "trace-format/message/arena.h"
#include "trace-format/state/item.h"
#include "trace-format/state/names.h"

#define WT_OLDER_ITEMS 20

/* Numbers of the names of functions that were such keys. All zeros: none is known yet. */
struct wt_older_items {
	uint32_t kinds[WT_OLDER_ITEMS];
	uint32_t known; /* how many names the trace had when they were looked up */
};

/** Give the key of such an item the type of today; other keys stay as they are. */
void wt_older_item_key(struct wt_older_items *older, const struct wt_names *names,
		       struct wt_key *key);

/**
 * Give the value of such an item the form of today: numbers alone, where handles held no handles.
 *
 * @value: with the key of today, and the numbers and handles as they were written.
 * @arena: where new numbers are put.
 *
 * Return: false if there is no memory.
 */
bool wt_older_item_value(struct wt_arena *arena, struct wt_item *value);

#endif /* WT_TRACE_FORMAT_READER_OLDER_ITEMS_H */
