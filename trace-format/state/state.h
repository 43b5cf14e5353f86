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

enum wt_item_type {
	WT_ITEM_OBJECT = 1,
	WT_ITEM_LIST,
	WT_ITEM_REGISTERS,
	WT_ITEM_MEMORY,
	WT_ITEM_PACKETS,
	WT_ITEM_IMAGE,
	WT_ITEM_MAP,
};

/* What a MEMORY item holds at most, and what its address is a multiple of. Bytes. */
#define WT_PAGE 4096u

/* `kind` is the number of a name (wt_writer_name(), wt_reader_name()). */
struct wt_key {
	enum wt_item_type type;
	uint32_t kind;
	uint64_t owner;
	uint64_t address;
};

struct wt_answer {
	uint32_t query; /* name */
	int64_t status;
	const uint8_t *value;
	size_t size;
};

/* Bytes shared by all states that hold the same content. */
struct wt_bytes {
	size_t references;
	size_t size;
	uint8_t data[];
};

struct wt_bytes *wt_bytes_create(const void *data, size_t size);
struct wt_bytes *wt_bytes_reference(struct wt_bytes *bytes);
void wt_bytes_release(struct wt_bytes *bytes); /* NULL is legal */

/*
 * A value. Which fields count depends on the type:
 *   OBJECT     answers
 *   LIST       status, handles
 *   REGISTERS  status, handles (register ids in order), bytes (their values, one after the other)
 *   MEMORY     status, bytes (short at the end of what can be read)
 *   PACKETS    status, numbers (read id, write id), bytes
 *   IMAGE      status, bytes
 *   MAP        numbers (keys) and handles, of equal length
 * Owned by the state it is in.
 */
struct wt_item {
	struct wt_key key;
	int64_t status;
	struct wt_answer *answers;
	size_t answer_count;
	uint64_t *handles;
	size_t handle_count;
	uint64_t *numbers;
	size_t number_count;
	struct wt_bytes *bytes;
	bool removed; /* for wt_writer_late() only: the key is no longer in the map */
};

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

/** An answer of an OBJECT item by query name number; NULL if it was not recorded. */
const struct wt_answer *wt_item_answer(const struct wt_item *item, uint32_t query);

/** How many items, and the one at @position in the order of keys (type, kind, owner, address). */
size_t wt_state_count(const struct wt_state *state);
const struct wt_item *wt_state_at(const struct wt_state *state, size_t position);

/**
 * The first position whose key is not below @key: for walking all items of one type, kind, owner.
 */
size_t wt_state_lower_bound(const struct wt_state *state, const struct wt_key *key);

/** Same query, status and value? */
bool wt_answer_equal(const struct wt_answer *a, const struct wt_answer *b);

/** Same key and same value? */
bool wt_item_equal(const struct wt_item *a, const struct wt_item *b);

int wt_key_compare(const struct wt_key *a, const struct wt_key *b);

#endif /* WT_TRACE_FORMAT_STATE_STATE_H */
