/* SPDX-License-Identifier: MIT */
#include "device/code-object/msgpack.h"

#include <string.h>

/* First bytes of values; below 0x80 and from 0xe0 on they are numbers themselves. */
enum {
	FIXMAP = 0x80,
	FIXARRAY = 0x90,
	FIXSTR = 0xa0,
	NIL = 0xc0,
	UNUSED = 0xc1,
	FALSE = 0xc2,
	TRUE = 0xc3,
	BIN8 = 0xc4,
	BIN32 = 0xc6,
	EXT8 = 0xc7,
	EXT32 = 0xc9,
	FLOAT32 = 0xca,
	FLOAT64 = 0xcb,
	UINT8 = 0xcc,
	UINT64 = 0xcf,
	INT8 = 0xd0,
	INT64 = 0xd3,
	FIXEXT1 = 0xd4,
	FIXEXT16 = 0xd8,
	STR8 = 0xd9,
	STR32 = 0xdb,
	ARRAY16 = 0xdc,
	ARRAY32 = 0xdd,
	MAP16 = 0xde,
	MAP32 = 0xdf,
	NEGATIVE = 0xe0,
};

static bool take_byte(struct wt_cursor *cursor, uint8_t *byte_ret)
{
	const uint8_t *data;

	if (!wt_cursor_take(cursor, 1, &data))
		return false;
	*byte_ret = *data;
	return true;
}

/* A number of 1, 2, 4 or 8 bytes, most significant first. */
static bool msgpack_number_take(struct wt_cursor *cursor, size_t size, uint64_t *value_ret)
{
	const uint8_t *data;
	uint64_t value = 0;

	if (!wt_cursor_take(cursor, size, &data))
		return false;
	for (size_t i = 0; i < size; i++)
		value = value << 8 | data[i];
	*value_ret = value;
	return true;
}

/* A count or length of the value that starts with @first, whose short form is @fixed with @mask. */
static bool take_count(struct wt_cursor *cursor, uint8_t first, uint8_t fixed, uint8_t mask,
		       uint8_t smallest, size_t smallest_size, uint32_t *count_ret)
{
	uint64_t count;

	if ((first & ~mask) == fixed) {
		*count_ret = first & mask;
		return true;
	}
	if (first < smallest || (smallest_size << (first - smallest)) > 4)
		return false;
	if (!msgpack_number_take(cursor, smallest_size << (first - smallest), &count))
		return false;
	*count_ret = (uint32_t)count;
	return true;
}

bool wt_msgpack_map(struct wt_cursor *cursor, uint32_t *count_ret)
{
	uint8_t first;

	return take_byte(cursor, &first) &&
	       ((first & 0xf0) == FIXMAP || first == MAP16 || first == MAP32) &&
	       take_count(cursor, first, FIXMAP, 0x0f, MAP16, 2, count_ret);
}

bool wt_msgpack_array(struct wt_cursor *cursor, uint32_t *count_ret)
{
	uint8_t first;

	return take_byte(cursor, &first) &&
	       ((first & 0xf0) == FIXARRAY || first == ARRAY16 || first == ARRAY32) &&
	       take_count(cursor, first, FIXARRAY, 0x0f, ARRAY16, 2, count_ret);
}

bool wt_msgpack_string(struct wt_cursor *cursor, struct wt_msgpack_string *string_ret)
{
	const uint8_t *data;
	uint32_t length;
	uint8_t first;

	if (!take_byte(cursor, &first) ||
	    ((first & 0xe0) != FIXSTR && (first < STR8 || first > STR32)) ||
	    !take_count(cursor, first, FIXSTR, 0x1f, STR8, 1, &length) ||
	    !wt_cursor_take(cursor, length, &data))
		return false;
	*string_ret = (struct wt_msgpack_string){(const char *)data, length};
	return true;
}

bool wt_msgpack_unsigned(struct wt_cursor *cursor, uint64_t *value_ret)
{
	uint64_t value;
	uint8_t first;

	if (!take_byte(cursor, &first))
		return false;
	if (first < FIXMAP) {
		value = first;
	} else if (first == FALSE || first == TRUE) {
		value = first == TRUE;
	} else if (first >= UINT8 && first <= UINT64) {
		if (!msgpack_number_take(cursor, (size_t)1 << (first - UINT8), &value))
			return false;
	} else if (first >= INT8 && first <= INT64) {
		size_t size = (size_t)1 << (first - INT8);

		if (!msgpack_number_take(cursor, size, &value) || value >> (8 * size - 1))
			return false;
	} else {
		return false;
	}
	*value_ret = value;
	return true;
}

/* Bytes behind the first one of a number, a string, or binary data; values within it for the
 * others. */
static bool skip_extent(struct wt_cursor *cursor, uint8_t first, uint64_t *bytes_ret,
			uint64_t *values_ret)
{
	uint32_t count = 0;
	bool legal = true;

	*bytes_ret = *values_ret = 0;
	if (first < FIXMAP || first >= NEGATIVE || first == NIL || first == FALSE || first == TRUE)
		return true;
	if ((first & 0xf0) == FIXMAP || first == MAP16 || first == MAP32) {
		legal = take_count(cursor, first, FIXMAP, 0x0f, MAP16, 2, &count);
		*values_ret = 2 * (uint64_t)count;
	} else if ((first & 0xf0) == FIXARRAY || first == ARRAY16 || first == ARRAY32) {
		legal = take_count(cursor, first, FIXARRAY, 0x0f, ARRAY16, 2, &count);
		*values_ret = count;
	} else if ((first & 0xe0) == FIXSTR || (first >= STR8 && first <= STR32)) {
		legal = take_count(cursor, first, FIXSTR, 0x1f, STR8, 1, &count);
		*bytes_ret = count;
	} else if (first >= BIN8 && first <= BIN32) {
		legal = take_count(cursor, first, UNUSED, 0, BIN8, 1, &count);
		*bytes_ret = count;
	} else if (first >= EXT8 && first <= EXT32) {
		legal = take_count(cursor, first, UNUSED, 0, EXT8, 1, &count);
		*bytes_ret = (uint64_t)count + 1;
	} else if (first >= FLOAT32 && first <= FLOAT64) {
		*bytes_ret = first == FLOAT32 ? 4 : 8;
	} else if (first >= UINT8 && first <= INT64) {
		*bytes_ret = (uint64_t)1 << ((first - UINT8) & 3);
	} else if (first >= FIXEXT1 && first <= FIXEXT16) {
		*bytes_ret = ((uint64_t)1 << (first - FIXEXT1)) + 1;
	} else {
		legal = false;
	}
	return legal;
}

bool wt_msgpack_skip(struct wt_cursor *cursor)
{
	uint64_t left = 1;

	/* Counted, not nested: depth in the input costs no stack here. */
	while (left) {
		uint64_t bytes, values;
		const uint8_t *data;
		uint8_t first;

		if (!take_byte(cursor, &first) || !skip_extent(cursor, first, &bytes, &values) ||
		    !wt_cursor_take(cursor, bytes, &data))
			return false;
		left--;
		/* Each value takes a byte or more: more of them than bytes cannot be. */
		if (values > cursor->remaining || left > cursor->remaining - values)
			return false;
		left += values;
	}
	return true;
}

bool wt_msgpack_equals(struct wt_msgpack_string string, const char *text)
{
	return string.length == strlen(text) && memcmp(string.text, text, string.length) == 0;
}
