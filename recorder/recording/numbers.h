/* SPDX-License-Identifier: MIT */
/* Small numbers stand in the trace for names of the table, and for the client's pointers. */
#ifndef WT_RECORDER_RECORDING_NUMBERS_H
#define WT_RECORDER_RECORDING_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/table/api.h"
#include "trace-format/writer/writer.h"

/* No object kind has more queries than this. */
#define WT_MAX_QUERIES 32

/* Numbers of the trace's names, 0 until they were used: only names that occur are written. */
struct wt_numbers {
	struct wt_writer *writer; /* NULL once the recording is over */
	uint32_t functions[WT_FUNCTION_COUNT];
	uint32_t callbacks[WT_CALLBACK_COUNT];
	uint32_t objects[WT_OBJECT_COUNT];
	uint32_t queries[WT_OBJECT_COUNT][WT_MAX_QUERIES];
	uint32_t global;
};

/* Numbers for names that were not used before: the four functions below write each name into the trace. */
uint32_t wt_number_new_function(struct wt_numbers *numbers, enum wt_function function);
uint32_t wt_number_new_callback(struct wt_numbers *numbers, enum wt_callback_kind callback);
uint32_t wt_number_new_object(struct wt_numbers *numbers, enum wt_object object);
uint32_t wt_number_new_query(struct wt_numbers *numbers, enum wt_object object,
			     const struct wt_query *query);

/** The number of a name in the trace; 0 if there is no memory for it. */
static inline uint32_t wt_number_function(struct wt_numbers *numbers, enum wt_function function)
{
	const uint32_t kept = numbers->functions[function];

	return kept ? kept : wt_number_new_function(numbers, function);
}

static inline uint32_t wt_number_callback(struct wt_numbers *numbers,
					  enum wt_callback_kind callback)
{
	const uint32_t kept = numbers->callbacks[callback];

	return kept ? kept : wt_number_new_callback(numbers, callback);
}

static inline uint32_t wt_number_object(struct wt_numbers *numbers, enum wt_object object)
{
	const uint32_t kept = numbers->objects[object];

	return kept ? kept : wt_number_new_object(numbers, object);
}

/** @query: one of wt_objects[object].queries. */
static inline uint32_t wt_number_query(struct wt_numbers *numbers, enum wt_object object,
				       const struct wt_query *query)
{
	const size_t index = (size_t)(query - wt_objects[object].queries);
	const uint32_t kept = index < WT_MAX_QUERIES ? numbers->queries[object][index] : 0;

	return kept ? kept : wt_number_new_query(numbers, object, query);
}

/** The number of the address space with the process's memory. */
uint32_t wt_number_global(struct wt_numbers *numbers);

/*
 * Identities numbered from 1 in order of appearance. The table stops growing at a limit, so that a client
 * with ever new pointers does not cost ever more memory.
 */
struct wt_ordinals {
	uintptr_t *slots; /* open addressing, a power of two of them; 0 is free */
	uint32_t *ordinals;
	size_t slot_count, count;
};

/** The ordinal of an identity: 0 for 0; false if the table is full or there is no memory. */
bool wt_ordinal(struct wt_ordinals *ordinals, uintptr_t identity, uint64_t *ordinal_ret);
void wt_ordinals_deinit(struct wt_ordinals *ordinals);

#endif /* WT_RECORDER_RECORDING_NUMBERS_H */
