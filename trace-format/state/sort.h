/* SPDX-License-Identifier: MIT */
/* The order of items by their keys. */
#ifndef WT_TRACE_FORMAT_STATE_SORT_H
#define WT_TRACE_FORMAT_STATE_SORT_H

#include <stddef.h>

#include "trace-format/state/held.h"

/** Compares the items in two places as wt_key_compare() does their keys. */
static inline int wt_held_compare(struct wt_held_item *const *a, struct wt_held_item *const *b)
{
	return wt_key_compare(&(*a)->item.key, &(*b)->item.key);
}

/**
 * Sort items as they come, stable: of two with one key the later stays later. Those of a kind are mostly in order already, with
 * those of other kinds between them.
 *
 * @room: for as many more.
 */
void wt_held_sort(struct wt_held_item **items, size_t count, struct wt_held_item **room);

#endif /* WT_TRACE_FORMAT_STATE_SORT_H */
