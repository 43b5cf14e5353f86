/* SPDX-License-Identifier: MIT */
/* Half-precision floats in integer arithmetic, so that results do not depend on the host. */
#ifndef GFX_ALU_HALF_H
#define GFX_ALU_HALF_H

#include "gfx/wave/lanes.h"

/** Convert exactly. A signalling NaN becomes quiet. */
float gfx_half_to_float(uint16_t half);

/** Round a double to a half. A NaN becomes quiet and keeps its sign and upper payload bits. */
uint16_t gfx_half_from_double(double value, enum gfx_round round);

/** a * b + c with one rounding. */
uint16_t gfx_half_fma(uint16_t a, uint16_t b, uint16_t c, enum gfx_round round);

/** Round a single to a bfloat, which is the upper half of one: to nearest, ties to even. A NaN becomes quiet. */
static inline uint32_t gfx_bfloat_from_single(uint32_t single)
{
	if (gfx_f32_is_nan(single))
		return single >> 16 | 0x40;
	return (single + 0x7fff + (single >> 16 & 1)) >> 16;
}

#endif /* GFX_ALU_HALF_H */
