/* SPDX-License-Identifier: MIT */
/*
 * Read MessagePack from untrusted bytes, value by value. Nothing is allocated, so that a wrong count in
 * the input does no harm. Each function returns false if the next value is of another type or the bytes
 * end too early; the caller must then reject the whole document.
 */
#ifndef WT_DEVICE_CODE_OBJECT_MSGPACK_H
#define WT_DEVICE_CODE_OBJECT_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/** A string in the input, not terminated. */
struct wt_msgpack_string {
	const char *text;
	size_t length;
};

/** Read the head of a map or array: @count_ret pairs of key and value, or values, follow. */
bool wt_msgpack_map(struct wt_cursor *cursor, uint32_t *count_ret);
bool wt_msgpack_array(struct wt_cursor *cursor, uint32_t *count_ret);

bool wt_msgpack_string(struct wt_cursor *cursor, struct wt_msgpack_string *string_ret);

/** Read a whole number that is not negative, or a boolean as 0 or 1. */
bool wt_msgpack_unsigned(struct wt_cursor *cursor, uint64_t *value_ret);

/** Skip one value of any type with everything inside it. */
bool wt_msgpack_skip(struct wt_cursor *cursor);

bool wt_msgpack_equals(struct wt_msgpack_string string, const char *text);

#endif /* WT_DEVICE_CODE_OBJECT_MSGPACK_H */
