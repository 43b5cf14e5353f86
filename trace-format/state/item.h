/* SPDX-License-Identifier: MIT */
/* One value of a state, and its key (trace.proto, message Item). */
#ifndef WT_TRACE_FORMAT_STATE_ITEM_H
#define WT_TRACE_FORMAT_STATE_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compare.h"

enum wt_item_type {
	WT_ITEM_OBJECT = 1,
	WT_ITEM_LIST,
	WT_ITEM_REGISTERS,
	WT_ITEM_MEMORY,
	WT_ITEM_PACKETS,
	WT_ITEM_IMAGE,
	WT_ITEM_MAP,
	WT_ITEM_SOURCE,
	WT_ITEM_REFUSAL,
	WT_ITEM_LIST_CHANGES,
	WT_ITEM_MEMORY_PRECISION,
	WT_ITEM_UNREPORTED_STOP,
	WT_ITEM_PRIVATE_PLACE,
	WT_ITEM_DISPLACED_STEPPINGS,
	WT_ITEM_DISPLACED_CODE,
	WT_ITEM_BREAKPOINTS,
	WT_ITEM_BREAKPOINT_HITS,
};

#define WT_ITEM_NEWEST WT_ITEM_BREAKPOINT_HITS

/** Is `kind` the name of a function? Asked of types after SOURCE; it is 0 where not. */
static inline bool wt_item_type_has_function(enum wt_item_type type)
{
	return type == WT_ITEM_REFUSAL || type == WT_ITEM_LIST_CHANGES;
}

/* The maximum size of a MEMORY item, and the alignment of its address, in bytes. */
#define WT_PAGE 4096u

/* So many packets of a queue before its read index are taken with the memory of its ring. */
#define WT_PACKETS_BEFORE 32u

/*
 * The status of a page that reads as zeros, but is only reserved by the program: whether a GPU has memory there is not known.
 * It is AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, with which no read of memory ends.
 */
#define WT_PAGE_RESERVED (-4)

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

struct wt_bytes_pool;

/* Bytes shared by all states that hold the same content. */
struct wt_bytes {
	size_t references;
	union {
		size_t size;
		struct wt_bytes *next; /* while nobody has them */
	};
	struct wt_bytes_pool *pool; /* where they go then; NULL: they are freed */
	uint8_t data[];
};

struct wt_bytes *wt_bytes_create(const void *data, size_t size);

/*
 * Bytes of one size that go and come with each state, and need not be given back to the system in between. The pool is of
 * who made it, and its bytes may outlive that.
 *
 * @size: of each. @left: so many bytes more may be kept that nobody has; several pools can share it, and it has to be there
 *	until all of them are destroyed.
 * Return: NULL if there is no memory.
 */
struct wt_bytes_pool *wt_bytes_pool_create(size_t size, size_t *left);
void wt_bytes_pool_destroy(struct wt_bytes_pool *pool); /* NULL is legal */
/** Gives bytes as wt_bytes_create() does, whatever is in them; the user may make them shorter. */
struct wt_bytes *wt_bytes_pool_take(struct wt_bytes_pool *pool);
struct wt_bytes *wt_bytes_reference(struct wt_bytes *bytes);
void wt_bytes_release(struct wt_bytes *bytes); /* NULL is legal */

/*
 * A value. Which fields count depends on the type:
 *   OBJECT     answers
 *   LIST       status, handles
 *   REGISTERS  status, handles (register ids in order), bytes (their values, one after the other)
 *   MEMORY     status, bytes (short at the end of what can be read)
 *   PACKETS    status, numbers (read id, write id), bytes
 *   SOURCE     bytes: the text of a file; a fact
 *   IMAGE      status, bytes
 *   MAP        numbers (keys) and handles, of equal length
 *   REFUSAL    status
 *   DISPLACED_STEPPINGS, BREAKPOINTS    numbers (addresses) and handles, of equal length
 *   LIST_CHANGES, MEMORY_PRECISION, UNREPORTED_STOP, PRIVATE_PLACE, DISPLACED_CODE, BREAKPOINT_HITS    numbers
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

/** An answer of an OBJECT item by query name number; NULL if it was not recorded. */
const struct wt_answer *wt_item_answer(const struct wt_item *item, uint32_t query);

/** Same query, status and value? Most values are one number, and waves have thousands of them. */
static inline bool wt_answer_equal(const struct wt_answer *a, const struct wt_answer *b)
{
	return a->query == b->query && a->status == b->status && a->size == b->size &&
	       wt_same_bytes(a->value, b->value, a->size);
}

/** Same key and same value? */
bool wt_item_equal(const struct wt_item *a, const struct wt_item *b);

/**
 * Copy answers and, behind them, their values into memory that is there.
 *
 * @room: where there is room for all of them; moved to behind them.
 * Return: the first copy; NULL if there are none.
 */
struct wt_answer *wt_answers_copy(uint8_t **room, const struct wt_answer *answers, size_t count);

/** Bytes of memory that an item and its lists take, without `bytes`; SIZE_MAX on overflow. */
size_t wt_item_size(const struct wt_item *item);

static inline bool wt_key_equal(const struct wt_key *a, const struct wt_key *b)
{
	return a->owner == b->owner && a->address == b->address && a->type == b->type &&
	       a->kind == b->kind;
}

static inline int wt_key_compare(const struct wt_key *a, const struct wt_key *b)
{
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return 0;
}

#endif /* WT_TRACE_FORMAT_STATE_ITEM_H */
