/* SPDX-License-Identifier: MIT */
/*
 * The state at one moment, in memory: a map from keys to values (trace.proto, message Item). The
 * writer finds what changed between two of them; the reader builds one for any moment.
 */
#ifndef WT_TRACE_FORMAT_STATE_STATE_H
#define WT_TRACE_FORMAT_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/state/item.h"

struct wt_held_item;
struct wt_state;

/** An empty state; NULL if there is no memory. */
struct wt_state *wt_state_create(void);
/** A copy that shares the bytes. */
struct wt_state *wt_state_copy(const struct wt_state *state);
void wt_state_destroy(struct wt_state *state);

/** The item at a key, or NULL. Valid until the state is changed. */
const struct wt_item *wt_state_get(const struct wt_state *state, const struct wt_key *key);

/** The same, tried first at *@place, where it was found before: for who asks for the same key again and again. */
const struct wt_item *wt_state_get_near(const struct wt_state *state, const struct wt_key *key,
					size_t *place);

/** Put a deep copy of @item (sharing its bytes) in place of whatever has its key. */
struct wt_error *wt_state_set(struct wt_state *state, const struct wt_item *item);

/** Remove what is at a key, if anything. */
void wt_state_remove(struct wt_state *state, const struct wt_key *key);

/** How many items, and the one at @position in the order of keys (type, kind, owner, address). */
size_t wt_state_count(const struct wt_state *state);
const struct wt_item *wt_state_at(const struct wt_state *state, size_t position);

/**
 * The first position whose key is not below @key: for walking all items of one type, kind, owner.
 */
size_t wt_state_lower_bound(const struct wt_state *state, const struct wt_key *key);

/* For who shares items between states (held.h). */

/** The holder of the item at @position; it may be changed only where no other state sees it. */
struct wt_held_item *wt_state_held_at(const struct wt_state *state, size_t position);

/** The holder of the item at a key, or NULL. */
struct wt_held_item *wt_state_held(const struct wt_state *state, const struct wt_key *key);

/** The same for who is about to change it in place; NULL also if another state shares it. */
struct wt_held_item *wt_state_own(struct wt_state *state, const struct wt_key *key);

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

#endif /* WT_TRACE_FORMAT_STATE_STATE_H */
