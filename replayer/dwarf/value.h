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

/* A part of an object: bytes of memory, or a register of 4 bytes, of a lane. */
struct wt_dwarf_part_place {
	bool memory;
	enum gfx_space space;
	uint64_t address, size;
	uint64_t number; /* of the register, as DWARF has them */
	uint32_t lane;
};

/**
 * Show where an object is, part by part.
 *
 * @offset, @bits: of the object, in what the location is of.
 * @lane: who asks.
 * @visit: false for no more.
 * Return: NULL, or why a part is nowhere; those before it were shown.
 */
const char *wt_dwarf_location_visit(
	const struct wt_dwarf_location *location, uint64_t offset, uint64_t bits, uint32_t lane,
	bool (*visit)(void *opaque, const struct wt_dwarf_part_place *place), void *opaque);

#endif /* WT_REPLAYER_DWARF_VALUE_H */
