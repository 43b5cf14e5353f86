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

/* The blobs that hold `base`. The bytes of an item may differ from it by patches that were written since. */
struct wt_stored {
	size_t references;
	struct wt_bytes *base;
	size_t count;
	uint32_t blobs[];
};

/* Handles that many items have: of thousands of waves most have the same registers. They do not change. */
struct wt_handle_list {
	size_t references;
	size_t count;
	uint64_t handles[];
};

struct wt_held_item {
	struct wt_item item; /* its arrays lie behind this structure */
	size_t references;
	struct wt_handle_list *list; /* that has its handles; NULL: it has them by itself */
	uint32_t blob; /* for the reader: the one blob that has all of its bytes; 0: none */
	bool gone;     /* used inside a state: stands for an item that was removed */
	bool lost;     /* for the reader: it was to be read, and could not be */
	/* For the reader: `item` has a key and a status alone, and the rest is in this; NULL: `item` is whole. */
	struct wt_unread *unread;
	uint64_t *
		handles; /* for the reader: those of `item` where they do not lie behind this structure */
	/*
	 * The place of the bytes in a trace; NULL: nothing is known of it. For the writer of the state, or for the
	 * reader.
	 */
	struct wt_stored *stored;
	/*
	 * For a writer that copies: the caller's item that this one was last found equal to. Items are immutable, so the
	 * same item need not be compared again.
	 */
	struct wt_held_item *origin;
};

/** Without blobs yet; NULL if there is no memory. */
struct wt_stored *wt_stored_create(struct wt_bytes *base, size_t count);
struct wt_stored *wt_stored_reference(struct wt_stored *stored); /* NULL is legal for both */
void wt_stored_release(struct wt_stored *stored);

/** A copy; NULL if there is no memory. */
struct wt_handle_list *wt_handle_list_create(const uint64_t *handles, size_t count);
struct wt_handle_list *wt_handle_list_reference(struct wt_handle_list *list);
void wt_handle_list_release(struct wt_handle_list *list); /* NULL is legal */

/** The holder of an item of a state. */
static inline const struct wt_held_item *wt_held_of(const struct wt_item *item)
{
	return (const struct wt_held_item *)((const char *)item -
					     offsetof(struct wt_held_item, item));
}

/**
 * A deep copy that shares the bytes; NULL if there is no memory.
 *
 * @list: shared, too, in place of the item's handles; NULL: these are copied.
 */
struct wt_held_item *wt_held_item_create_of(const struct wt_item *item,
					    struct wt_handle_list *list);
struct wt_held_item *wt_held_item_create(const struct wt_item *item);
/**
 * The same of an item that wt_held_item_create() made, in one piece. The caller may change the values of its answers, in the
 * place where they are, before anybody else has it.
 */
struct wt_held_item *wt_held_item_clone(const struct wt_held_item *held);
struct wt_held_item *wt_held_item_reference(struct wt_held_item *held);
void wt_held_item_release(struct wt_held_item *held);

#endif /* WT_TRACE_FORMAT_STATE_HELD_H */
