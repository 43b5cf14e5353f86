/* SPDX-License-Identifier: MIT */
#include "recorder/recording/journal-value.h"

#include <sys/uio.h>
#include <unistd.h>

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
