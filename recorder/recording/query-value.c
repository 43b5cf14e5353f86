/* SPDX-License-Identifier: MIT */
#include "recorder/recording/query-value.h"

#include "dbgapi/client/marshal.h"
#include "recorder/recording/enumerator.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"

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

static const char *object_article(enum wt_object object)
{
	return wt_objects[object].name[0] == 'a' || wt_objects[object].name[0] == 'e' ? "an" : "a";
}

/*
 * A query of a level that is not known here: its answer is kept as the bytes that it is. It may have been a pointer, of which
 * nothing can be said.
 */
static struct wt_value unknown_answer(struct wt_recorder *recorder,
				      const struct wt_value_query *kept, bool failed,
				      enum wt_object object)
{
	const uint64_t is = (uint64_t)object << 32 | kept->unknown.number;

	if (failed || !kept->unknown.value)
		return wt_value_absent();
	if (!wt_handles_has(&recorder->session.unknown_queries, is)) {
		if (!wt_handles_add(&recorder->session.unknown_queries, is))
			wt_recorder_check(recorder, &wt_error_no_memory);
		else
			wt_recorder_check(recorder,
					  wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
							     "query %u of %s %s is not known: its "
							     "answers are kept as bytes",
							     kept->unknown.number,
							     object_article(object),
							     wt_objects[object].name));
	}
	/* That the library took this length is all that speaks for it. */
	return wt_value_in_bytes(recorder, kept->unknown.value, true, kept->unknown.size);
}

struct wt_value wt_value_query_any(struct wt_recorder *recorder, struct wt_value_query *kept,
				   bool failed, enum wt_object object, uint64_t handle)
{
	static const uint8_t nothing[32];
	const struct wt_query *query = kept->query;
	const char *text;

	/* The string is there until the call returns: it need not be copied. */
	if (query && query->result == WT_RESULT_STRING && !failed && kept->value) {
		text = wt_value_load_pointer(kept->value);
		return wt_value_limited(recorder, text, text ? strlen(text) : 0);
	}
	if (!query)
		return unknown_answer(recorder, kept, failed, object);
	if (!kept->value || (failed && !memcmp(kept->before, kept->value, query->size)))
		return wt_value_absent();
	if (query->result != WT_RESULT_FIXED)
		return failed ? wt_value_present(wt_value_load_pointer(kept->value))
			      : marshalled(recorder, kept, object, handle);
	if (query->identity && recorder->options.reproducible)
		return wt_value_data(nothing, query->size);
	if (query->is_pointer) {
		kept->ordinal =
			wt_question_client_thread(recorder, wt_value_load_pointer(kept->value));
		return wt_value_data(&kept->ordinal, sizeof(kept->ordinal));
	}
	return wt_value_data(kept->value, query->size);
}
