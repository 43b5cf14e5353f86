/* SPDX-License-Identifier: MIT */
#include "recorder/recording/query-value.h"

#include "dbgapi/client/marshal.h"
#include "recorder/recording/question.h"
#include "recorder/recording/value.h"

void wt_value_query_before(struct wt_value_query *kept, enum wt_object object, uint32_t query,
			   size_t value_size, const void *value)
{
	kept->query = wt_query_find(object, query);
	/* With any other size the library refuses, and the buffer may be shorter than it takes. */
	kept->value =
		kept->query && value_size == kept->query->size && value_size <= sizeof(kept->before)
			? value
			: NULL;
	if (kept->value)
		memcpy(kept->before, kept->value, kept->query->size);
}

static struct wt_value marshalled(struct wt_recorder *recorder, const struct wt_value_query *kept,
				  enum wt_object object, uint64_t handle)
{
	size_t length = 0;

	if (kept->query->result == WT_RESULT_BYTES &&
	    !wt_ask_number(recorder, object, handle, kept->query->length_of, &length))
		return wt_value_present(true);
	wt_buffer_clear(&recorder->scratch);
	wt_marshal_result(kept->query, kept->value, length, &recorder->scratch);
	if (recorder->scratch.failed)
		return wt_value_present(true);
	return wt_value_limited(recorder, recorder->scratch.data, recorder->scratch.size);
}

struct wt_value wt_value_query_after(struct wt_recorder *recorder, struct wt_value_query *kept,
				     bool failed, enum wt_object object, uint64_t handle)
{
	static const uint8_t nothing[32];
	const struct wt_query *query = kept->query;

	if (!kept->value || (failed && !memcmp(kept->before, kept->value, query->size)))
		return wt_value_absent();
	if (query->result != WT_RESULT_FIXED)
		return failed ? wt_value_present(wt_value_load_pointer(kept->value))
			      : marshalled(recorder, kept, object, handle);
	if (query->identity && recorder->options.reproducible)
		return wt_value_data(nothing, query->size);
	if (wt_question_is_pointer(query)) {
		kept->ordinal =
			wt_question_client_thread(recorder, wt_value_load_pointer(kept->value));
		return wt_value_data(&kept->ordinal, sizeof(kept->ordinal));
	}
	return wt_value_data(kept->value, query->size);
}
