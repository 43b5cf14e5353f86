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

#endif /* GFX_ALU_HALF_H */
