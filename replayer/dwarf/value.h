/* SPDX-License-Identifier: MIT */
/* The bytes of an object, from where it is. */
#ifndef WT_REPLAYER_DWARF_VALUE_H
#define WT_REPLAYER_DWARF_VALUE_H

#include "replayer/dwarf/expression.h"

/**
 * Read a part of an object.
 *
 * @offset, @bits: of the part, in bits from the object's start.
 * @data: room for (@bits + 7) / 8 bytes, little endian.
 *
 * Return: NULL, or why it is not known; then @data is undefined.
 */
const char *wt_dwarf_read(const struct wt_dwarf_frame *frame, uint32_t lane,
			  const struct wt_dwarf_location *location, uint64_t offset, uint64_t bits,
			  uint8_t *data);

/** Make a location of an object in memory. */
void wt_dwarf_location_memory(struct wt_dwarf_location *location, enum gfx_space space,
			      uint64_t address);

/** Finds where a part of an object is in memory; false if it is not, or not at a whole byte. */
bool wt_dwarf_address(const struct wt_dwarf_location *location, uint64_t offset,
		      enum gfx_space *space_ret, uint64_t *address_ret);

#endif /* WT_REPLAYER_DWARF_VALUE_H */
