/* SPDX-License-Identifier: MIT */
/*
 * Makes a value of the journal from what a get_info function wrote. This stands above question.h: to learn how long an
 * answer is may take a question of the recorder's own.
 */
#ifndef WT_RECORDER_RECORDING_QUERY_VALUE_H
#define WT_RECORDER_RECORDING_QUERY_VALUE_H

#include "recorder/recording/enumerator.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/recorder.h"

/* Kept from before the call: what the client's buffer held. */
struct wt_value_query {
	const struct wt_query *query; /* NULL: not in the table */
	const void *
		value; /* the client's buffer; NULL: not of the query's size, or not in the table */
	/* A query that is not in the table: its number, and the client's buffer. */
	struct {
		uint32_t number;
		const void *value;
		size_t size;
	} unknown;
	uint8_t before[32];
	uint64_t ordinal; /* in place of a client's pointer */
};

/** Before the call. @value_size: as the client passed it. */
static inline void wt_value_query_before(struct wt_value_query *kept, enum wt_object object,
					 uint32_t query, size_t value_size, const void *value)
{
	kept->query = wt_query_find(object, query);
	kept->value = NULL;
	if (!kept->query) {
		kept->unknown.number = query;
		kept->unknown.value = value;
		kept->unknown.size = value_size;
	} else if (value && value_size == kept->query->size && value_size <= sizeof(kept->before)) {
		/* With any other size the library refuses, and the buffer may be shorter than it takes. */
		kept->value = value;
		memcpy(kept->before, value, value_size);
	}
}

/* Does what wt_value_query_after() does, for any answer. */
struct wt_value wt_value_query_any(struct wt_recorder *recorder, struct wt_value_query *kept,
				   bool failed, enum wt_object object, uint64_t handle);

/** After it: the value, which points into @kept, the client's buffer or the recorder's scratch buffer. */
static inline struct wt_value wt_value_query_after(struct wt_recorder *recorder,
						   struct wt_value_query *kept, bool failed,
						   enum wt_object object, uint64_t handle)
{
	const struct wt_query *query = kept->query;

	/* Most are one or two words that are in the trace as they are. */
	if (failed || !kept->value || !query->plain)
		return wt_value_query_any(recorder, kept, failed, object, handle);
	if (query->size == sizeof(uint32_t))
		wt_enumerator_answered(
			recorder, query->enumeration,
			(uint32_t)wt_value_load(kept->value, sizeof(uint32_t), false));
	return wt_value_data(kept->value, query->size);
}

#endif /* WT_RECORDER_RECORDING_QUERY_VALUE_H */
