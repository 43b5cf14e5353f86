/* SPDX-License-Identifier: MIT */
#include "recorder/recording/value.h"

#include <sys/uio.h>
#include <unistd.h>

#include "dbgapi/client/marshal.h"
#include "recorder/recording/question.h"

/* No register is longer, and no instruction: what a correct client passes in most calls. */
#define PLAIN_LIMIT 256u

struct wt_value wt_value_opaque(struct wt_ordinals *ordinals, const void *identity)
{
	uint64_t ordinal;

	if (!wt_ordinal(ordinals, (uintptr_t)identity, &ordinal))
		return wt_value_present(true);
	return wt_value_number(ordinal);
}

/* The kernel copies, and says so where a pointer leads nowhere. */
static bool copy_safely(const void *data, size_t size, uint8_t *copy)
{
	struct iovec from = {.iov_base = (void *)(uintptr_t)data, .iov_len = size};
	struct iovec to = {.iov_base = copy, .iov_len = size};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

struct wt_value wt_value_in_bytes(struct wt_recorder *recorder, const void *data, bool size_known,
				  uint64_t size)
{
	uint8_t *copy;

	if (!data)
		return wt_value_absent();
	if (!size_known)
		return wt_value_present(true);
	if (size <= PLAIN_LIMIT)
		return wt_value_data(data, (size_t)size);
	wt_buffer_clear(&recorder->scratch);
	copy = size <= WT_VALUE_DATA_MAX ? wt_buffer_extend(&recorder->scratch, (size_t)size)
					 : NULL;
	if (copy && copy_safely(data, (size_t)size, copy))
		return wt_value_data(copy, (size_t)size);
	if (atomic_load(&recorder->recording))
		wt_recorder_check(
			recorder,
			wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
					   "%llu bytes of an argument of the next call are not "
					   "in the journal: too many, or not readable",
					   (unsigned long long)size));
	return wt_value_present(true);
}

struct wt_value wt_value_too_long(struct wt_recorder *recorder, uint64_t size)
{
	if (atomic_load(&recorder->recording))
		wt_recorder_check(
			recorder,
			wt_recorder_remark(
				recorder, WT_REMARK_LONG_ANSWER,
				"%llu bytes of an answer are not in the journal, and neither "
				"are others of more than %llu",
				(unsigned long long)size, (unsigned long long)WT_VALUE_DATA_MAX));
	return wt_value_present(true);
}

static bool unchanged(bool failed, const void *place, const void *before)
{
	return !place || (failed && wt_value_load_pointer(place) == before);
}

struct wt_value wt_value_out_memory(struct wt_recorder *recorder, bool failed, const void *place,
				    const void *before, bool size_known, uint64_t size)
{
	const void *memory = wt_value_load_pointer(place);

	if (unchanged(failed, place, before))
		return wt_value_absent();
	if (failed || !memory || !size_known)
		return wt_value_present(memory);
	return wt_value_limited(recorder, memory, size);
}

struct wt_value wt_value_out_string(struct wt_recorder *recorder, bool failed, const void *place,
				    const void *before)
{
	const char *text = wt_value_load_pointer(place);

	if (unchanged(failed, place, before))
		return wt_value_absent();
	return failed || !text ? wt_value_present(text)
			       : wt_value_limited(recorder, text, strlen(text));
}

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
	if (query->identity && recorder->reproducible)
		return wt_value_data(nothing, query->size);
	if (wt_question_is_pointer(query)) {
		kept->ordinal =
			wt_question_client_thread(recorder, wt_value_load_pointer(kept->value));
		return wt_value_data(&kept->ordinal, sizeof(kept->ordinal));
	}
	return wt_value_data(kept->value, query->size);
}
