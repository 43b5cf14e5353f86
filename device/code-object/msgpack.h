/* SPDX-License-Identifier: MIT */
/*
 * Reading MessagePack from untrusted bytes, value by value, without allocation: counts in the input
 * are never believed, they only say how many reads will follow. Each function returns false, and
 * the whole document is to be refused, if the bytes are not what was asked for or end too early.
 */
#ifndef WT_DEVICE_CODE_OBJECT_MSGPACK_H
#define WT_DEVICE_CODE_OBJECT_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/** A string, in place: not terminated. */
struct wt_msgpack_string {
	const char *text;
	size_t length;
};

/** A map of @count_ret pairs, or an array of as many values, follows. */
bool wt_msgpack_map(struct wt_cursor *cursor, uint32_t *count_ret);
bool wt_msgpack_array(struct wt_cursor *cursor, uint32_t *count_ret);

bool wt_msgpack_string(struct wt_cursor *cursor, struct wt_msgpack_string *string_ret);

/** A whole number that is not negative, or a boolean as 0 or 1. */
bool wt_msgpack_unsigned(struct wt_cursor *cursor, uint64_t *value_ret);

/** Pass over one value of any kind, with all that is in it. */
bool wt_msgpack_skip(struct wt_cursor *cursor);

bool wt_msgpack_equals(struct wt_msgpack_string string, const char *text);

#endif /* WT_DEVICE_CODE_OBJECT_MSGPACK_H */
