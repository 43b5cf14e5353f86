/* SPDX-License-Identifier: MIT */
/* Values of the journal: constructors for each form, and comparison. */
#ifndef WT_TRACE_FORMAT_WRITER_VALUE_H
#define WT_TRACE_FORMAT_WRITER_VALUE_H

#include <string.h>

#include "base/compare.h"
#include "trace-format/writer/writer.h"

static inline struct wt_value wt_value_absent(void)
{
	return (struct wt_value){.form = WT_VALUE_ABSENT};
}

static inline struct wt_value wt_value_number(uint64_t number)
{
	return (struct wt_value){.form = WT_VALUE_NUMBER, .number = number};
}

static inline struct wt_value wt_value_data(const void *data, size_t size)
{
	return (struct wt_value){.form = WT_VALUE_DATA, .data = data, .size = size};
}

static inline struct wt_value wt_value_present(bool present)
{
	return (struct wt_value){.form = WT_VALUE_PRESENT, .number = present};
}

/** A pointer of which only its presence matters. */
static inline struct wt_value wt_value_pointer(bool given)
{
	return (struct wt_value){.form = given ? WT_VALUE_PRESENT : WT_VALUE_ABSENT, .number = 1};
}

/** Load an integer of 4 or 8 bytes; signed ones are extended to 64 bits in two's complement. 0 for NULL. */
static inline uint64_t wt_value_load(const void *integer, size_t size, bool is_signed)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;

	if (!integer)
		return 0;
	if (size == sizeof(wide)) {
		memcpy(&wide, integer, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, integer, sizeof(narrow));
	return is_signed ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
}

/** Are two values the same, bytes included? */
static inline bool wt_value_equal(const struct wt_value *a, const struct wt_value *b)
{
	if (a->form != b->form)
		return false;
	switch (a->form) {
	case WT_VALUE_NUMBER:
	case WT_VALUE_PRESENT:
		return a->number == b->number;
	case WT_VALUE_DATA:
		return a->size == b->size && wt_same_bytes(a->data, b->data, a->size);
	case WT_VALUE_ABSENT:
		break;
	}
	return true;
}

#endif /* WT_TRACE_FORMAT_WRITER_VALUE_H */
