/* SPDX-License-Identifier: MIT */
/*
 * Answers of the present moment, kept where a call of the same function and arguments finds them without a look at the trace or the
 * journal. An answer is kept when a call was answered once and would be answered the same way again; all are forgotten
 * when something changes.
 *
 * The API lets one thread at a time into the library, and the calls that look here take no lock. A client that breaks this rule
 * gets an answer that was kept, or none: each has a mark that is looked at again after it was copied.
 */
#ifndef WT_REPLAYER_LIBRARY_CACHE_H
#define WT_REPLAYER_LIBRARY_CACHE_H

#include <stdatomic.h>
#include <string.h>

#include "dbgapi/table/invoke.h"

#define WT_CACHE_BITS 11
#define WT_CACHE_KEYS 5
#define WT_CACHE_BYTES 64 /* longer answers are not kept */

/* An answer holds for a moment, or for the whole trace: its facts are the same at all moments. */
enum wt_cache_for { WT_CACHE_MOMENT, WT_CACHE_FACTS, WT_CACHE_COUNT };

/* How the answer of a function is kept. */
enum wt_cache_form {
	WT_CACHE_NOTHING,
	WT_CACHE_QUERY,	   /* of get_info: a value or a string */
	WT_CACHE_VALUE,	   /* the one value that it gives */
	WT_CACHE_REGISTER, /* of read_register: the bytes from the first on */
	WT_CACHE_NO_EVENT, /* of process_next_pending_event: that there is none */
	WT_CACHE_DONE,	   /* that it succeeds and changes nothing */
};

/* Generated: how each function is answered from here. */
struct wt_cache_way {
	enum wt_cache_form form;
	enum wt_cache_for what;
};
extern const struct wt_cache_way wt_cache_ways[WT_FUNCTION_COUNT];

struct wt_cached {
	_Atomic(uint64_t) epoch;     /* of wt_cache_epochs, when it was kept; 0: nothing is */
	uint64_t key[WT_CACHE_KEYS]; /* the function, and its arguments that are no pointers */
	uint32_t size;
	bool text; /* a string, which is to be allocated for the client */
	uint8_t data[WT_CACHE_BYTES];
} __attribute__((aligned(128)));

extern struct wt_cached wt_cache_entries[1u << WT_CACHE_BITS] __attribute__((visibility("hidden")));
extern uint64_t wt_cache_epochs[WT_CACHE_COUNT] __attribute__((visibility("hidden")));

/** The place of an answer. Arguments that a function does not have are 0. */
static inline struct wt_cached *wt_cache_place(enum wt_function function, uint64_t a, uint64_t b)
{
	uint64_t hash = (a + b * UINT64_C(0x9e3779b97f4a7c15) + ((uint64_t)function << 24)) *
			UINT64_C(0xd6e8feb86659fd93);

	return &wt_cache_entries[hash >> (64 - WT_CACHE_BITS)];
}

/** The answer that was kept; NULL if there is none. */
static inline const struct wt_cached *wt_cache_find(enum wt_cache_for what,
						    enum wt_function function, uint64_t a,
						    uint64_t b, uint64_t c, uint64_t d)
{
	const struct wt_cached *kept = wt_cache_place(function, a, b);

	if (atomic_load_explicit(&kept->epoch, memory_order_acquire) != wt_cache_epochs[what] ||
	    kept->key[0] != function || kept->key[1] != a || kept->key[2] != b ||
	    kept->key[3] != c || kept->key[4] != d)
		return NULL;
	return kept;
}

/** After it was copied: is it still the answer that was found? */
static inline bool wt_cache_holds(enum wt_cache_for what, const struct wt_cached *kept)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&kept->epoch, memory_order_relaxed) == wt_cache_epochs[what];
}

/** Give a string that was found to the client, in memory of its own. False: it is no longer the one that was found. */
bool wt_cache_give_text(enum wt_cache_for what, const struct wt_cached *kept, void *value,
			amd_dbgapi_status_t *status_ret);

/**
 * Answer a get_info function.
 *
 * @status_ret: its status; written only if it was answered.
 * Return: whether it was.
 */
static inline bool wt_cache_query(enum wt_cache_for what, enum wt_function function,
				  uint64_t object, uint64_t query, size_t size, void *value,
				  amd_dbgapi_status_t *status_ret)
{
	const struct wt_cached *kept = wt_cache_find(what, function, object, query, size, 0);

	if (!kept || !value)
		return false;
	if (kept->text)
		return wt_cache_give_text(what, kept, value, status_ret);
	if (size == sizeof(uint64_t))
		memcpy(value, kept->data, sizeof(uint64_t));
	else if (size == sizeof(uint32_t))
		memcpy(value, kept->data, sizeof(uint32_t));
	else if (size <= WT_CACHE_BYTES)
		memcpy(value, kept->data, size);
	*status_ret = AMD_DBGAPI_STATUS_SUCCESS;
	return wt_cache_holds(what, kept);
}

/** Answer a function that gives one value of @size bytes, as above. */
static inline bool wt_cache_value(enum wt_cache_for what, enum wt_function function, uint64_t a,
				  uint64_t b, uint64_t c, uint64_t d, size_t size, void *value)
{
	const struct wt_cached *kept = wt_cache_find(what, function, a, b, c, d);

	if (!kept || !value)
		return false;
	memcpy(value, kept->data, size);
	return wt_cache_holds(what, kept);
}

/** Answer read_register, as above. */
static inline bool wt_cache_register(enum wt_cache_for what, enum wt_function function,
				     uint64_t wave, uint64_t id, uint64_t offset, size_t size,
				     void *value)
{
	amd_dbgapi_status_t status;

	return size <= WT_CACHE_BYTES && value && offset == 0 &&
	       wt_cache_query(what, function, wave, id, size, value, &status);
}

/** Did a call without outputs succeed and change nothing? */
static inline bool wt_cache_done(enum wt_cache_for what, enum wt_function function, uint64_t a,
				 uint64_t b)
{
	const struct wt_cached *kept = wt_cache_find(what, function, a, b, 0, 0);

	return kept && wt_cache_holds(what, kept);
}

/** Did process_next_pending_event find no event, and is nothing asked for over the control socket? */
bool wt_cache_no_event(enum wt_cache_for what, enum wt_function function, uint64_t process,
		       amd_dbgapi_event_id_t *event_id, amd_dbgapi_event_kind_t *kind);

/**
 * Keep what a function has answered with success, if its answers are kept.
 *
 * @arguments: of the call; its outputs are there.
 * @epochs: wt_cache_epochs as they were before the call: what changed during it makes its answer one of the past.
 */
void wt_cache_keep(enum wt_function function, const struct wt_argument *arguments,
		   const uint64_t epochs[WT_CACHE_COUNT]);

/** Something changed: forget what was kept for a moment; or all. */
void wt_cache_forget(void);
void wt_cache_forget_all(void);

#endif /* WT_REPLAYER_LIBRARY_CACHE_H */
