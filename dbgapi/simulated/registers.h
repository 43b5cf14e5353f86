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

/** Whether the wave has a register: its register files may be smaller than the architecture's. */
bool wt_register_exists(const struct gfx_wave *wave, const struct gfx_register *reg);

/**
 * The value of a register that exists.
 * @value_ret: range->size bytes, little endian.
 */
void wt_register_get(const struct gfx_wave *wave, const struct gfx_register *reg, void *value_ret);

/** Write a register that exists: range->size bytes. Bits that are read-only stay; others may
 * follow. */
void wt_register_set(struct gfx_wave *wave, const struct gfx_register *reg, const void *value);

#endif /* WT_DBGAPI_SIMULATED_REGISTERS_H */
