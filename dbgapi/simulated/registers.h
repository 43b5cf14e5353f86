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

#endif /* WT_DBGAPI_SIMULATED_REGISTERS_H */
