/* SPDX-License-Identifier: MIT */
/* The registers of a simulated wave as a debugger sees them. */
#ifndef WT_DBGAPI_SIMULATED_REGISTERS_H
#define WT_DBGAPI_SIMULATED_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "gfx/architecture/architecture.h"
#include "gfx/wave/wave.h"

/* Bytes of the largest register: one word for each of 64 lanes. */
#define WT_REGISTER_MAX_BYTES 256u

/*
 * A register of the wave's architecture is given by its range and its number within its kind, which struct gfx_register has.
 */

/** Whether a wave has a register. Its register files may be smaller than the largest. */
bool wt_register_exists(const struct gfx_wave *wave, const struct gfx_register_range *range,
			uint32_t index);

/**
 * Read bytes of a register that exists, little endian: @size of them from @offset on, which it has.
 */
void wt_register_get(const struct gfx_wave *wave, const struct gfx_register_range *range,
		     uint32_t index, uint64_t offset, size_t size, void *value_ret);

/**
 * Write a register that exists. Read-only bits do not change; related registers may.
 *
 * @value: range->size bytes, little endian.
 */
void wt_register_set(struct gfx_wave *wave, const struct gfx_register_range *range, uint32_t index,
		     const void *value);

/* More than the low half of any register's id. */
#define WT_REGISTER_NUMBERS 0x543u

/*
 * The places of the registers of waves that have the same ones. Registers that are not shown as they are kept are in
 * none of the files, and neither are those that a wave does not have.
 */
struct wt_register_shape {
	const struct gfx_architecture *architecture; /* NULL: it is of no wave */
	uint32_t lane_count, sgpr_count, vgpr_count, agpr_count, shared_count;
	struct wt_register_place {
		uint16_t word; /* in the file */
		uint8_t file;  /* enum wt_register_file */
		uint8_t words; /* of the register */
	} places[WT_REGISTER_NUMBERS];
};

enum wt_register_file {
	WT_REGISTER_FILE_NONE,
	WT_REGISTER_FILE_WAVE,
	WT_REGISTER_FILE_VGPRS,
	WT_REGISTER_FILE_AGPRS,
	WT_REGISTER_FILES,
};

/** Make the shape that of a wave, if it is another one's. */
void wt_register_shape_take(struct wt_register_shape *shape, const struct gfx_wave *wave);

#endif /* WT_DBGAPI_SIMULATED_REGISTERS_H */
