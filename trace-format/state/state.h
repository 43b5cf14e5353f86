/* SPDX-License-Identifier: MIT */
/*
 * The state at one moment, in memory: a map from keys to values (trace.proto, message Item). The writer stores the
 * changes from one state to the next; the reader builds the state at any moment.
 *
 * The room `state` has the data that the writer and the reader share:
 *
 *     item.h        one value of a state and its key
 *     held.h        items as states share them
 *     blob.h        encodings of bytes that a trace stores once
 *     names.h       strings and their numbers
 *     record.h      what a trace records besides states: calls, moments, notices
 *     stop-list.h   what a list of stops shows of each stop
 *     host-facts.h  facts of the machine and the recorded program
 *
 * This room must not read or write files. Only stop-list.h may know what items mean.
 */
#ifndef WT_TRACE_FORMAT_STATE_STATE_H
#define WT_TRACE_FORMAT_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/state/item.h"

struct wt_handle_list;
struct wt_held_item;
struct wt_state;

/** An empty state; NULL if there is no memory. */
struct wt_state *wt_state_create(void);
/** A copy that shares the bytes. */
struct wt_state *wt_state_copy(const struct wt_state *state);
/** The same state for one more, who destroys it, too. From then on nobody may change it. */
struct wt_state *wt_state_share(struct wt_state *state);
void wt_state_destroy(struct wt_state *state);

/** The item with a key, or NULL. Valid until the state is changed. */
const struct wt_item *wt_state_get(const struct wt_state *state, const struct wt_key *key);

/**
 * Like wt_state_get(), but tries position *@place first, where a key was found before, and those beside it. For repeated
 * look-ups of a key, and of keys in their order or against it.
 */
const struct wt_item *wt_state_get_near(const struct wt_state *state, const struct wt_key *key,
					size_t *place);

/** Add a deep copy of @item, which shares its bytes. It replaces an item with the same key. */
struct wt_error *wt_state_set(struct wt_state *state, const struct wt_item *item);

/** The same. @copy_ret: the item in the state, until another one with its key takes its place, or it is removed. */
struct wt_error *wt_state_put(struct wt_state *state, const struct wt_item *item,
			      const struct wt_item **copy_ret);

/** The same. @list: has the handles, and is shared, too (held.h); NULL: the item has them. */
struct wt_error *wt_state_put_of(struct wt_state *state, const struct wt_item *item,
				 struct wt_handle_list *list, const struct wt_item **copy_ret);

/** Set all items of another state, which shares them. Errors: out of memory; some are then set. */
struct wt_error *wt_state_set_all(struct wt_state *state, const struct wt_state *more);

/** Remove the item with a key, if there is one. */
void wt_state_remove(struct wt_state *state, const struct wt_key *key);

/** The number of items, and the item at @position in the order of keys (type, kind, owner, address). */
size_t wt_state_count(const struct wt_state *state);
const struct wt_item *wt_state_at(const struct wt_state *state, size_t position);

/**
 * The first position whose key is not below @key. For walking all items of one type, kind and owner.
 */
size_t wt_state_lower_bound(const struct wt_state *state, const struct wt_key *key);

/* Items next to each other, in the order of keys. */
struct wt_state_range {
	struct wt_held_item *const *items;
	size_t count;
};

/**
 * The items whose keys are not below @from and below @end, valid until the state is changed, or asked for a position. Of a
 * state that was laid over another one it is found without making one of both, as long as it is in one of them alone.
 */
struct wt_state_range wt_state_range(const struct wt_state *state, const struct wt_key *from,
				     const struct wt_key *end);

/**
 * Do two states share all items whose keys are not below @from and below @end? What is laid over the same state, and was built one
 * from the other, shares what did not change. False: they may be equal all the same.
 */
bool wt_state_shares(const struct wt_state *a, const struct wt_state *b, const struct wt_key *from,
		     const struct wt_key *end);

/* For code that shares items between states (held.h). */

/** The holder of the item at @position; it may be changed only if no other state shares it. */
struct wt_held_item *wt_state_held_at(const struct wt_state *state, size_t position);

/** The holder of the item with a key, or NULL; and like wt_state_get_near(). */
struct wt_held_item *wt_state_held(const struct wt_state *state, const struct wt_key *key);
struct wt_held_item *wt_state_held_near(const struct wt_state *state, const struct wt_key *key,
					size_t *place);

/** Like wt_state_held(), for a caller that changes the item in place; NULL also if another state shares it. */
struct wt_held_item *wt_state_own(struct wt_state *state, const struct wt_key *key);

/**
 * Mark @state as made from @source, and ask for that mark. It is dropped as soon as either state is changed. Without
 * memory there is no mark.
 */
void wt_state_set_source(struct wt_state *state, const struct wt_state *source);
bool wt_state_has_source(const struct wt_state *state, const struct wt_state *source);

/** Add a reference to @held. It replaces an item with the same key. */
struct wt_error *wt_state_hold(struct wt_state *state, struct wt_held_item *held);

/**
 * A new state that shares the items of both. If both have a key, the item of @over is used. NULL if there is no memory.
 */
struct wt_state *wt_state_merge(const struct wt_state *under, const struct wt_state *over);

/**
 * The same, for a long state @under below many short ones: it is shared, so that nobody may change it from now on. It
 * becomes part of the new state when somebody asks that for a position, or changes it.
 */
struct wt_state *wt_state_lay(struct wt_state *under, const struct wt_state *over);

#endif /* WT_TRACE_FORMAT_STATE_STATE_H */
