/* SPDX-License-Identifier: MIT */
/* Exceptions that parts of numbers, conversions and comparisons raise. */
#include <math.h>

#include "gfx/alu/exceptions.h"

/* The difference of a number and the whole one below it. */
uint32_t gfx_raise_fraction(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];
	double below = -floor(gfx_real_value(a));

	if (gfx_is_infinite(a))
		return GFX_EXCEPTION_INVALID;
	return gfx_deliver(task,
			   gfx_exact_sum(gfx_real_exact(a),
					 gfx_exact_float(gfx_f64_bits(below), &gfx_double_format)));
}

uint32_t gfx_raise_scaling(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0], *b = &task->operands[1];
	bool half = task->vector->instruction->operation->src[1] == GFX_B16;
	int32_t by = half ? (int16_t)b->bits : (int32_t)b->bits;
	struct gfx_exact value;

	if (gfx_is_infinite(a))
		return 0;
	value = gfx_real_exact(a);
	value.scale += gfx_limited_scale(by);
	return gfx_deliver(task, value);
}

uint32_t gfx_raise_conversion(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0];

	return gfx_is_infinite(a) ? 0 : gfx_deliver(task, gfx_real_exact(a));
}

uint32_t gfx_raise_signed_conversion(const struct gfx_raising *task)
{
	bool half = task->vector->instruction->operation->src[0] == GFX_B16;
	uint32_t value = (uint32_t)task->operands[0].bits;

	return gfx_deliver(task, gfx_exact_integer(half ? (int16_t)value : (int32_t)value));
}

uint32_t gfx_raise_unsigned_conversion(const struct gfx_raising *task)
{
	bool half = task->vector->instruction->operation->src[0] == GFX_B16;
	uint32_t value = (uint32_t)task->operands[0].bits;

	return gfx_deliver(task, gfx_exact_integer(half ? (uint16_t)value : value));
}

/* Towards zero; @low and @high can still be represented. */
static uint32_t whole_between(const struct gfx_raising *task, double low, double high)
{
	const struct gfx_real *a = &task->operands[0];
	double value = gfx_real_value(a), whole = trunc(value);

	if (gfx_is_nan(a) || whole < low || whole > high)
		return GFX_EXCEPTION_INVALID;
	return task->vector->instruction->clamp && whole != value ? GFX_EXCEPTION_INEXACT : 0;
}

uint32_t gfx_raise_to_i32(const struct gfx_raising *task)
{
	return whole_between(task, INT32_MIN, INT32_MAX);
}

uint32_t gfx_raise_to_u32(const struct gfx_raising *task)
{
	return whole_between(task, 0, UINT32_MAX);
}

uint32_t gfx_raise_to_i16(const struct gfx_raising *task)
{
	return whole_between(task, INT16_MIN, INT16_MAX);
}

uint32_t gfx_raise_to_u16(const struct gfx_raising *task)
{
	return whole_between(task, 0, UINT16_MAX);
}

uint32_t gfx_raise_to_u8(const struct gfx_raising *task)
{
	return whole_between(task, 0, UINT8_MAX);
}

/* Parts of the largest number: what is out of range is meant to be limited. */
static uint32_t normalised(const struct gfx_raising *task, double least, int32_t largest)
{
	const struct gfx_real *a = &task->operands[0];
	struct gfx_exact value;

	if (gfx_is_nan(a))
		return GFX_EXCEPTION_INVALID;
	if (gfx_real_value(a) <= least || gfx_real_value(a) >= 1)
		return 0;
	value = gfx_exact_product(gfx_real_exact(a), gfx_exact_integer(largest));
	return gfx_exact_is_whole(value) ? 0 : GFX_EXCEPTION_INEXACT;
}

uint32_t gfx_raise_to_signed_part(const struct gfx_raising *task)
{
	return normalised(task, -1, INT16_MAX);
}

uint32_t gfx_raise_to_unsigned_part(const struct gfx_raising *task)
{
	return normalised(task, 0, UINT16_MAX);
}

/* Signalling NaNs are invalid everywhere; here, quiet ones are so as well if clamp says so. */
uint32_t gfx_raise_comparison(const struct gfx_raising *task)
{
	return task->vector->instruction->clamp ? GFX_EXCEPTION_INVALID : 0;
}
