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

/** Whether a wave has a register of its architecture. Its register files may be smaller than the largest. */
bool wt_register_exists(const struct gfx_wave *wave, const struct gfx_register *reg);

/**
 * Read a register that exists.
 *
 * @value_ret: reg->range->size bytes, little endian.
 */
void wt_register_get(const struct gfx_wave *wave, const struct gfx_register *reg, void *value_ret);

/**
 * Write a register that exists. Read-only bits do not change; related registers may.
 *
 * @value: reg->range->size bytes, little endian.
 */
void wt_register_set(struct gfx_wave *wave, const struct gfx_register *reg, const void *value);

#endif /* WT_DBGAPI_SIMULATED_REGISTERS_H */
