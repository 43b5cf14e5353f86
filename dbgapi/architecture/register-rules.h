/* SPDX-License-Identifier: MIT */
/*
 * Rules for a debugger's write of a register: which bits are read-only, and which other registers change. The same for
 * simulated and recorded waves. Pure functions.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_REGISTER_RULES_H
#define WT_DBGAPI_ARCHITECTURE_REGISTER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

/* How many of a wave's last scalar registers flat_scratch, xnack_mask and vcc overlay on gfx9. */
#define WT_REGISTER_SHADOWS 6u

/** The read-only bits of a register of up to 8 bytes. */
uint64_t wt_register_readonly_bits(const struct gfx_architecture *architecture,
				   enum gfx_register_kind kind);

/** The value of a register of up to 8 bytes after writing @value, where it was @old. */
uint64_t wt_register_written(const struct gfx_architecture *architecture,
			     enum gfx_register_kind kind, uint64_t old, uint64_t value);

/* A change of another register: bits of @mask become @bits. */
struct wt_register_effect {
	enum gfx_register_kind kind;
	uint64_t mask, bits;
};

/**
 * The change of another register by a write: status has bits that say whether exec and vcc are zero.
 *
 * @stored: the result of wt_register_written().
 * @effect_ret: set if there is a change.
 *
 * Return: whether there is a change.
 */
bool wt_register_side_effect(enum gfx_register_kind kind, uint64_t stored,
			     struct wt_register_effect *effect_ret);

/** Whether a library reads such a register of a saved wave when it is asked for; the others it has at hand. */
bool wt_register_is_saved_apart(enum gfx_register_kind kind);

/**
 * Whether a wave with this status has given its vector registers back: from gfx11 on they are gone then, and are there again when
 * the bit is cleared.
 */
bool wt_register_vectors_are_gone(const struct gfx_architecture *architecture, uint64_t status);

/* The register of which a shadow register is a half. */
struct wt_register_alias {
	enum gfx_register_kind kind;
	uint32_t half; /* 0 for the low 32 bits, 1 for the high ones */
};

/**
 * Find the register of which shadow register sN is a half.
 *
 * @first_shadow: the number of the wave's first shadow register, which equals its count of plain ones.
 * @number: N.
 *
 * Return: false if the wave has no such shadow register.
 */
bool wt_register_shadow_alias(uint32_t first_shadow, uint32_t number,
			      struct wt_register_alias *alias_ret);

#endif /* WT_DBGAPI_ARCHITECTURE_REGISTER_RULES_H */
