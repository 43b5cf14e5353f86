/* SPDX-License-Identifier: MIT */
/* Inside a state: items are made once, never changed, and shared by all states that hold them. */
#ifndef WT_TRACE_FORMAT_STATE_ITEMS_H
#define WT_TRACE_FORMAT_STATE_ITEMS_H

#include "trace-format/state/state.h"

struct wt_held_item {
	struct wt_item item; /* its arrays lie behind this structure */
	size_t references;
	bool gone; /* inside of a state: in place of an item that was removed */
	/*
	 * For the writer: the blobs that hold `base`, from which `item.bytes` may differ by patches
	 * that were written since. Shared like the item.
	 */
	uint32_t *blobs;
	size_t blob_count;
	struct wt_bytes *base;
	/*
	 * For the writer: the caller's item that this one was last found equal to. Items do not change, so that
	 * the same one is equal again without looking.
	 */
	struct wt_held_item *origin;
};

/** A deep copy that shares the bytes; NULL if there is no memory. */
struct wt_held_item *wt_held_item_create(const struct wt_item *item);
struct wt_held_item *wt_held_item_reference(struct wt_held_item *held);
void wt_held_item_release(struct wt_held_item *held);

/** The holder of the item at @position; it may be changed only where no other state sees it. */
struct wt_held_item *wt_state_held_at(const struct wt_state *state, size_t position);

/**
 * Remember that one state is made of another, and tell whether it still is: false as soon as either was changed.
 * Without memory nothing is remembered.
 */
void wt_state_set_source(struct wt_state *state, const struct wt_state *source);
bool wt_state_has_source(const struct wt_state *state, const struct wt_state *source);

/** Put a reference to @held in place of whatever has its key. */
struct wt_error *wt_state_hold(struct wt_state *state, struct wt_held_item *held);

/**
 * A state with the items of two, shared; where both have a key, that of @over counts. NULL if there
 * is no memory.
 */
struct wt_state *wt_state_merge(const struct wt_state *under, const struct wt_state *over);

#endif /* WT_TRACE_FORMAT_STATE_ITEMS_H */
