/* SPDX-License-Identifier: MIT */
/* The sums of products that matrix operations consist of. Private to gfx/alu/. */
#ifndef GFX_ALU_MATRIX_H
#define GFX_ALU_MATRIX_H

#include "gfx/wave/lanes.h"

/* The longest row of A that is multiplied with a column of B. */
#define GFX_MATRIX_MAX_DEPTH 64

/** The number that @bits stand for, exactly; a NaN for a NaN. Denormals of operations without them are 0. */
double gfx_matrix_number(const struct gfx_matrix *matrix, uint32_t side, uint64_t bits);

/**
 * One value of D.
 *
 * @a, @b: @count numbers each, whose products are added in this order.
 * @c: bits of the value of C: a double, a single, or an integer.
 *
 * Return: the bits of the sum. Results that are not a number have one pattern. The mode of the wave has no
 * effect: results are rounded to nearest.
 */
uint64_t gfx_matrix_add(const struct gfx_matrix *matrix, const double *a, const double *b,
			uint32_t count, uint64_t c);

#endif /* GFX_ALU_MATRIX_H */
