/* SPDX-License-Identifier: MIT */
/* Items as states hold them: created once, immutable, and shared by all states that have them. */
#ifndef WT_TRACE_FORMAT_STATE_HELD_H
#define WT_TRACE_FORMAT_STATE_HELD_H

#include "trace-format/state/item.h"

/* Items as packets have them, whose lists and bytes were not read yet: the first is a value, the others change it. */
struct wt_unread {
	size_t size;
	uint8_t bodies[]; /* of each its size, 64 bits in little endian, and its bytes */
};

struct wt_held_item {
	struct wt_item item; /* its arrays lie behind this structure */
	size_t references;
	uint32_t blob; /* for the reader: the one blob that has all of its bytes; 0: none */
	bool gone;     /* used inside a state: stands for an item that was removed */
	bool lost;     /* for the reader: it was to be read, and could not be */
	/* For the reader: `item` has a key and a status alone, and the rest is in this; NULL: `item` is whole. */
	struct wt_unread *unread;
	uint64_t *
		handles; /* for the reader: those of `item` where they do not lie behind this structure */
	/*
	 * For the writer: the blobs that hold `base`. `item.bytes` may differ from `base` by patches that were written
	 * since. Shared like the item.
	 */
	uint32_t *blobs;
	size_t blob_count;
	struct wt_bytes *base;
	/*
	 * For the writer: the caller's item that this one was last found equal to. Items are immutable, so the same
	 * item need not be compared again.
	 */
	struct wt_held_item *origin;
};

/** A deep copy that shares the bytes; NULL if there is no memory. */
struct wt_held_item *wt_held_item_create(const struct wt_item *item);
struct wt_held_item *wt_held_item_reference(struct wt_held_item *held);
void wt_held_item_release(struct wt_held_item *held);

#endif /* WT_TRACE_FORMAT_STATE_HELD_H */
