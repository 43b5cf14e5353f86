/* SPDX-License-Identifier: MIT */
/*
 * What a debugger's write to a register of a wave does: which bits it leaves alone, and what other
 * register changes with it. The same for a simulated wave and for a recorded one. Pure functions.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_REGISTER_RULES_H
#define WT_DBGAPI_ARCHITECTURE_REGISTER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

/* Scalar registers of gfx9 that flat_scratch, xnack_mask and vcc overlay, at the top of what a wave
 * has. */
#define WT_REGISTER_SHADOWS 6u

/**
 * Bits of a register of up to 8 bytes that a write does not change.
 */
uint64_t wt_register_readonly_bits(const struct gfx_architecture *architecture,
				   enum gfx_register_kind kind);

/** What a register of up to 8 bytes holds after @value was written over @old. */
uint64_t wt_register_written(const struct gfx_architecture *architecture,
			     enum gfx_register_kind kind, uint64_t old, uint64_t value);

/* Bits of another register that follow a write. */
struct wt_register_effect {
	enum gfx_register_kind kind;
	uint64_t mask, bits;
};

/**
 * What else changes when a register gets a value: status tells whether exec and vcc are zero.
 *
 * @stored: what wt_register_written() gave.
 * @effect_ret: set if the function returns true.
 */
bool wt_register_side_effect(enum gfx_register_kind kind, uint64_t stored,
			     struct wt_register_effect *effect_ret);

/* The register that a shadow register is a half of. */
struct wt_register_alias {
	enum gfx_register_kind kind;
	uint32_t half; /* 0: the low 32 bits */
};

/**
 * What the shadow register of a number stands for.
 *
 * @first_shadow: the number of the wave's first one, which is how many plain ones it has.
 *
 * Return: false if the wave has no such shadow register.
 */
bool wt_register_shadow_alias(uint32_t first_shadow, uint32_t number,
			      struct wt_register_alias *alias_ret);

#endif /* WT_DBGAPI_ARCHITECTURE_REGISTER_RULES_H */
