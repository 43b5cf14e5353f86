/* SPDX-License-Identifier: MIT */
/* Exceptions that sums and products raise. */
#include <math.h>

#include "gfx/alu/exceptions.h"

static uint32_t sum_of(const struct gfx_raising *task, struct gfx_real a, struct gfx_real b)
{
	if (gfx_is_infinite(&a) && gfx_is_infinite(&b) && a.class != b.class)
		return GFX_EXCEPTION_INVALID;
	if (gfx_is_infinite(&a) || gfx_is_infinite(&b))
		return 0;
	return gfx_deliver(task, gfx_exact_sum(gfx_real_exact(&a), gfx_real_exact(&b)));
}

static struct gfx_real negated(struct gfx_real operand)
{
	const struct gfx_format *format = operand.format;

	return gfx_real_of(operand.bits ^
				   UINT64_C(1) << (format->fraction_bits + format->exponent_bits),
			   format);
}

uint32_t gfx_raise_sum(const struct gfx_raising *task)
{
	return sum_of(task, task->operands[0], task->operands[1]);
}

uint32_t gfx_raise_difference(const struct gfx_raising *task)
{
	return sum_of(task, task->operands[0], negated(task->operands[1]));
}

uint32_t gfx_raise_reversed_difference(const struct gfx_raising *task)
{
	return sum_of(task, task->operands[1], negated(task->operands[0]));
}

static bool is_nothing_times_infinity(const struct gfx_real *a, const struct gfx_real *b)
{
	return (gfx_is_zero(a) && gfx_is_infinite(b)) || (gfx_is_infinite(a) && gfx_is_zero(b));
}

uint32_t gfx_raise_product(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0], *b = &task->operands[1];

	if (is_nothing_times_infinity(a, b))
		return GFX_EXCEPTION_INVALID;
	if (gfx_is_infinite(a) || gfx_is_infinite(b))
		return 0;
	return gfx_deliver(task, gfx_exact_product(gfx_real_exact(a), gfx_real_exact(b)));
}

/* Nothing times infinity is nothing here. */
uint32_t gfx_raise_legacy_product(const struct gfx_raising *task)
{
	if (gfx_is_zero(&task->operands[0]) || gfx_is_zero(&task->operands[1]))
		return 0;
	return gfx_raise_product(task);
}

/* a * b + c. False if that is no finite number; *exceptions_ret is what this raises. */
static bool fused_value(const struct gfx_real operands[3], struct gfx_exact *value_ret,
			uint32_t *exceptions_ret)
{
	const struct gfx_real *a = &operands[0], *b = &operands[1], *c = &operands[2];
	bool infinite = gfx_is_infinite(a) || gfx_is_infinite(b);
	bool minus = gfx_is_negative(a) != gfx_is_negative(b);

	*exceptions_ret = 0;
	if (is_nothing_times_infinity(a, b) ||
	    (infinite && gfx_is_infinite(c) && minus != gfx_is_negative(c)))
		*exceptions_ret = GFX_EXCEPTION_INVALID;
	if (infinite || gfx_is_infinite(c))
		return false;
	*value_ret = gfx_exact_sum(gfx_exact_product(gfx_real_exact(a), gfx_real_exact(b)),
				   gfx_real_exact(c));
	return true;
}

/* Rounded once, times 2^scale. */
static uint32_t fused_of(const struct gfx_raising *task, const struct gfx_real operands[3],
			 int32_t scale)
{
	struct gfx_exact value;
	uint32_t exceptions;

	if (!fused_value(operands, &value, &exceptions))
		return exceptions;
	value.scale += scale;
	return gfx_deliver(task, value);
}

uint32_t gfx_raise_fused(const struct gfx_raising *task)
{
	return fused_of(task, task->operands, 0);
}

/* The sum before the last of a division, which undoes its scaling. */
uint32_t gfx_raise_scaled_fused(const struct gfx_raising *task)
{
	const struct gfx_real *c = &task->operands[2];
	int32_t exponent = (int32_t)(c->bits >> c->format->fraction_bits);
	int32_t bias = (1 << (c->format->exponent_bits - 1)) - 1,
		by = c->format == &gfx_double_format ? 128 : 64;

	if (!(task->vector->mask_in >> task->lane & 1))
		return gfx_raise_fused(task);
	exponent &= 2 * bias + 1;
	return fused_of(task, task->operands, exponent > bias ? by : -by);
}

uint32_t gfx_raise_mixed(const struct gfx_raising *task)
{
	struct gfx_exact value;
	struct gfx_real single;
	uint32_t exceptions;

	if (!fused_value(task->operands, &value, &exceptions))
		return exceptions;
	single = gfx_real_of(gfx_exact_round(value, &gfx_single_format,
					     gfx_round_single(task->vector->mode), &exceptions),
			     &gfx_single_format);
	if (gfx_is_infinite(&single))
		return exceptions;
	return exceptions | gfx_deliver(task, gfx_real_exact(&single));
}

/* Halves that are multiplied, rounded, added and rounded again. */
uint32_t gfx_raise_product_then_sum(const struct gfx_raising *task)
{
	const struct gfx_real *a = &task->operands[0], *b = &task->operands[1];
	uint32_t exceptions = 0;
	struct gfx_exact value;
	uint64_t bits;

	if (is_nothing_times_infinity(a, b))
		return GFX_EXCEPTION_INVALID;
	if (gfx_is_infinite(a) || gfx_is_infinite(b))
		return gfx_raise_fused(task);
	value = gfx_exact_product(gfx_real_exact(a), gfx_real_exact(b));
	bits = gfx_exact_round(value, task->format, task->round, &exceptions);
	return exceptions | sum_of(task, gfx_real_of(bits, task->format), task->operands[2]);
}

/* A half of a pair as an operand of an operation that flushes what it takes and gives. */
static struct gfx_real flushed_half(uint32_t pair, uint32_t part)
{
	struct gfx_real operand = gfx_real_of(pair >> part * 16 & 0xffff, &gfx_half_format);

	return gfx_is_denormal(&operand) ? gfx_real_of(operand.bits & 0x8000, &gfx_half_format)
					 : operand;
}

/* Two steps: the low halves' product and the addend, then the high halves'. */
uint32_t gfx_raise_dot(const struct gfx_raising *task)
{
	const struct gfx_vector *vector = task->vector;
	uint32_t a = vector->src[0][task->lane], b = vector->src[1][task->lane];
	float addend = gfx_without_denormals(gfx_f32(vector->src[2][task->lane]));
	struct gfx_real low[3] = {flushed_half(a, 0), flushed_half(b, 0),
				  gfx_real_of(gfx_f32_bits(addend), &gfx_single_format)};
	struct gfx_real high[3] = {flushed_half(a, 1), flushed_half(b, 1), low[2]};
	bool any_nan = false;
	uint32_t exceptions = gfx_nans_among(low, 3, &any_nan) | gfx_nans_among(high, 2, &any_nan);

	if (any_nan)
		return exceptions;
	exceptions |= fused_of(task, low, 0);
	addend = fmaf((float)gfx_real_value(&low[0]), (float)gfx_real_value(&low[1]), addend);
	high[2] = gfx_real_of(gfx_f32_bits(gfx_without_denormals(addend)), &gfx_single_format);
	return gfx_is_nan(&high[2]) ? exceptions : exceptions | fused_of(task, high, 0);
}
