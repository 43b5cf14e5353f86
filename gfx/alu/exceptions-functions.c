/* SPDX-License-Identifier: MIT */
/* Exceptions that quotients, roots and transcendental functions raise, as if they were correctly rounded. */
#include <math.h>

#include "gfx/alu/exceptions.h"

#define FULL_TURN 6.283185307179586476925

/* A number of infinitely many bits, of which the host knows enough. */
static uint32_t deliver_irrational(const struct gfx_raising *task, double value)
{
	struct gfx_exact near = gfx_exact_float(gfx_f64_bits(value), &gfx_double_format);

	near.rest = true;
	return gfx_deliver(task, near);
}

/* The last step of a division: the operands are a quotient, a denominator and a numerator. */
uint32_t gfx_raise_quotient(const struct gfx_raising *task)
{
	const struct gfx_real *below = &task->operands[1], *above = &task->operands[2];

	if ((gfx_is_zero(below) && gfx_is_zero(above)) ||
	    (gfx_is_infinite(below) && gfx_is_infinite(above)))
		return GFX_EXCEPTION_INVALID;
	return gfx_is_zero(below) && !gfx_is_infinite(above) ? GFX_EXCEPTION_DIVIDE_BY_ZERO : 0;
}

uint32_t gfx_raise_reciprocal(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];

	if (gfx_is_zero(a))
		return GFX_EXCEPTION_DIVIDE_BY_ZERO;
	return gfx_is_infinite(a) ? 0 : gfx_deliver(task, gfx_exact_reciprocal(gfx_real_exact(a)));
}

uint32_t gfx_raise_integer_reciprocal(const struct gfx_raising *task)
{
	return gfx_is_zero(&task->operands[0]) ? GFX_EXCEPTION_INTEGER_DIVIDE_BY_ZERO : 0;
}

/* Neither roots nor their reciprocals leave the range of their format. */
uint32_t gfx_raise_root(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];

	if (gfx_is_zero(a))
		return 0;
	if (gfx_is_negative(a))
		return GFX_EXCEPTION_INVALID;
	return gfx_is_infinite(a) || gfx_exact_is_square(gfx_real_exact(a)) ? 0
									    : GFX_EXCEPTION_INEXACT;
}

uint32_t gfx_raise_reciprocal_root(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];

	if (gfx_is_zero(a))
		return GFX_EXCEPTION_DIVIDE_BY_ZERO;
	if (gfx_is_negative(a))
		return GFX_EXCEPTION_INVALID;
	return gfx_is_infinite(a) || gfx_exact_is_power(gfx_real_exact(a), 4)
		       ? 0
		       : GFX_EXCEPTION_INEXACT;
}

uint32_t gfx_raise_logarithm(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];

	if (gfx_is_zero(a))
		return GFX_EXCEPTION_DIVIDE_BY_ZERO;
	if (gfx_is_negative(a))
		return GFX_EXCEPTION_INVALID;
	return gfx_is_infinite(a) || gfx_exact_is_power(gfx_real_exact(a), 2)
		       ? 0
		       : GFX_EXCEPTION_INEXACT;
}

uint32_t gfx_raise_exponential(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];
	double value = gfx_real_value(a), whole;
	struct gfx_exact result;

	if (gfx_is_infinite(a))
		return 0;
	whole = floor(value);
	result = gfx_exact_float(gfx_f64_bits(exp2(value - whole)), &gfx_double_format);
	result.rest = value != whole;
	result.scale += gfx_limited_scale(whole);
	return gfx_deliver(task, result);
}

/* Sines and cosines of quarters of a turn are numbers of finitely many bits; those of other fractions are not. */
uint32_t gfx_raise_sine(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];
	double part = fmod(gfx_real_value(a), 1);

	if (gfx_is_infinite(a))
		return GFX_EXCEPTION_INVALID;
	return 4 * part == trunc(4 * part) ? 0 : deliver_irrational(task, sin(part * FULL_TURN));
}

uint32_t gfx_raise_cosine(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];
	double part = fmod(gfx_real_value(a), 1);

	if (gfx_is_infinite(a))
		return GFX_EXCEPTION_INVALID;
	return 4 * part == trunc(4 * part) ? 0 : deliver_irrational(task, cos(part * FULL_TURN));
}
