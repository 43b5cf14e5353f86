/* SPDX-License-Identifier: MIT */
/* Numbers of DWARF from bytes that end somewhere. */
#ifndef WT_REPLAYER_CODE_BYTES_H
#define WT_REPLAYER_CODE_BYTES_H

#include "base/buffer.h"

/** An unsigned number of 1 to 8 bytes; false if fewer remain. */
static inline bool wt_dwarf_fixed(struct wt_cursor *cursor, size_t size, uint64_t *value_ret)
{
	const uint8_t *data;
	uint64_t value = 0;

	if (size > sizeof(value) || !wt_cursor_take(cursor, size, &data))
		return false;
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)data[i] << 8 * i;
	*value_ret = value;
	return true;
}

/** The same, taken as signed. */
static inline bool wt_dwarf_fixed_signed(struct wt_cursor *cursor, size_t size, uint64_t *value_ret)
{
	if (!wt_dwarf_fixed(cursor, size, value_ret))
		return false;
	if (size && size < 8 && *value_ret >> (8 * size - 1))
		*value_ret |= UINT64_MAX << 8 * size;
	return true;
}

static inline bool wt_dwarf_leb(struct wt_cursor *cursor, bool is_signed, uint64_t *value_ret)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 70; shift += 7) {
		const uint8_t *byte;

		if (!wt_cursor_take(cursor, 1, &byte))
			return false;
		if (shift < 64)
			value |= (uint64_t)(*byte & 0x7f) << shift;
		if (*byte & 0x80)
			continue;
		if (is_signed && *byte & 0x40 && shift + 7 < 64)
			value |= UINT64_MAX << (shift + 7);
		*value_ret = value;
		return true;
	}
	return false;
}

static inline bool wt_dwarf_uleb(struct wt_cursor *cursor, uint64_t *value_ret)
{
	return wt_dwarf_leb(cursor, false, value_ret);
}

static inline bool wt_dwarf_sleb(struct wt_cursor *cursor, uint64_t *value_ret)
{
	return wt_dwarf_leb(cursor, true, value_ret);
}

#endif /* WT_REPLAYER_CODE_BYTES_H */
