/* SPDX-License-Identifier: MIT */
/* Half-precision floats, in integer arithmetic: the result does not depend on the host. */
#ifndef GFX_ALU_HALF_H
#define GFX_ALU_HALF_H

#include "gfx/wave/lanes.h"

/** Exact. A signalling NaN becomes quiet. */
float gfx_half_to_float(uint16_t half);

/** Round a double once to a half. NaNs keep their sign and upper payload bits and become quiet. */
uint16_t gfx_half_from_double(double value, enum gfx_round round);

/** a * b + c with one rounding. */
uint16_t gfx_half_fma(uint16_t a, uint16_t b, uint16_t c, enum gfx_round round);

#endif /* GFX_ALU_HALF_H */
