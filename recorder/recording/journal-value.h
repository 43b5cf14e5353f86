/* SPDX-License-Identifier: MIT */
/*
 * Arguments and results as values of the journal (docs/trace-model.md). A value points to the client's
 * own bytes wherever it can, so it is valid until the call returns to the client.
 *
 * `failed` says that the call ended with an error: then an output is recorded only if it changed.
 */
#ifndef WT_RECORDER_RECORDING_JOURNAL_VALUE_H
#define WT_RECORDER_RECORDING_JOURNAL_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "recorder/recording/recorder.h"
#include "trace-format/writer/value.h"

/** A pointer that lies at @place; NULL if @place is. */
static inline void *wt_value_load_pointer(const void *place)
{
	void *pointer = NULL;

	if (place)
		memcpy(&pointer, place, sizeof(pointer));
	return pointer;
}

/** An integer that is passed in through a pointer. */
static inline struct wt_value wt_value_in(const void *integer, size_t size, bool is_signed)
{
	return (struct wt_value){.form = integer ? WT_VALUE_NUMBER : WT_VALUE_ABSENT,
				 .number = wt_value_load(integer, size, is_signed)};
}

/** An integer that comes out through a pointer; @before: what was there. */
static inline struct wt_value wt_value_out(bool failed, const void *integer, size_t size,
					   bool is_signed, uint64_t before)
{
	uint64_t after = wt_value_load(integer, size, is_signed);

	const bool absent = !integer || (failed && after == before);

	return (struct wt_value){.form = absent ? WT_VALUE_ABSENT : WT_VALUE_NUMBER,
				 .number = after};
}

/**
 * A client's pointer that is an identity: its number in order of appearance, or just that it is there
 * when too many were seen.
 */
struct wt_value wt_value_opaque(struct wt_ordinals *ordinals, const void *identity);

/**
 * Bytes that the client passes in. Their length is only a claim until the wrapped library has checked it:
 * long ones are copied in a way that an unreadable byte does not crash.
 *
 * @size_known: false if the length itself was not given.
 */
struct wt_value wt_value_in_bytes(struct wt_recorder *recorder, const void *data, bool size_known,
				  uint64_t size);

/** For more bytes than the journal takes: only that there are some. A notice says so once. The lock is held. */
struct wt_value wt_value_too_long(struct wt_recorder *recorder, uint64_t size);

/** Bytes that the client or the wrapped library has made, so that they are there, if they are not too many. */
static inline struct wt_value wt_value_limited(struct wt_recorder *recorder, const void *data,
					       uint64_t size)
{
	return size <= WT_VALUE_DATA_MAX ? wt_value_data(data, (size_t)size)
					 : wt_value_too_long(recorder, size);
}

/** Bytes that came back in the client's buffer. */
static inline struct wt_value wt_value_out_bytes(struct wt_recorder *recorder, bool failed,
						 const void *data, uint64_t size)
{
	return failed || !data ? wt_value_absent() : wt_value_limited(recorder, data, size);
}

/**
 * The value that a pointer to a pointer was set to: bytes, or nothing.
 *
 * @place: the client's; @before: what it held.
 */
struct wt_value wt_value_out_memory(struct wt_recorder *recorder, bool failed, const void *place,
				    const void *before, bool size_known, uint64_t size);
struct wt_value wt_value_out_string(struct wt_recorder *recorder, bool failed, const void *place,
				    const void *before);

#endif /* WT_RECORDER_RECORDING_JOURNAL_VALUE_H */
