/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic exceptions: what a vector operation raises in its active lanes. They are looked for only
 * while one of them is enabled in mode, because that takes time; so only then does trapsts collect them.
 *
 * What is in the instruction set manuals is done: comparisons signal on signalling NaNs only, with
 * clamp on any; whole numbers are inexact with clamp only; the division is told of by its last step;
 * the reciprocal of integer division raises the one exception that is made for it. The multiplication
 * and addition that rounds singles twice, conversions that round to a side, the scaling of divisions
 * and what helps with textures raise nothing: LLVM says so, the manuals do not say otherwise.
 *
 * What they leave open follows IEEE 754: results are exact or correctly rounded, the transcendental
 * ones too; what is tiny is so after rounding; rounding to whole numbers as floats is never inexact. An
 * operand that the mode flushes is a zero by then, and raises what zeros do. A result that it flushes
 * underflows and is inexact. Clamping comes after all that and raises nothing.
 */
#include <math.h>

#include "gfx/alu/exact.h"
#include "gfx/alu/half.h"
#include "gfx/alu/vector.h"

/* An operand. */
struct real {
	const struct gfx_format *format; /* NULL for an integer, and if there is no such operand */
	uint64_t bits;
	uint32_t class;
};

/* One result of one lane. */
struct raising {
	const struct gfx_vector *vector;
	uint32_t lane;
	uint32_t part; /* 0 or 1: of packed operands */
	struct real operands[3];
	const struct gfx_format *format; /* of a float result; else NULL */
	enum gfx_round round;
	bool flushes;
	int32_t scale; /* exponent of the output modifier's factor */
};

static bool real_is_nan(const struct real *operand)
{
	return operand->class <= GFX_CLASS_QUIET;
}

static bool real_is_zero(const struct real *operand)
{
	return operand->class == GFX_CLASS_MINUS_ZERO || operand->class == GFX_CLASS_PLUS_ZERO;
}

static bool real_is_infinite(const struct real *operand)
{
	return operand->class == GFX_CLASS_MINUS_INFINITY ||
	       operand->class == GFX_CLASS_PLUS_INFINITY;
}

static bool real_is_denormal(const struct real *operand)
{
	return operand->class == GFX_CLASS_MINUS_DENORMAL ||
	       operand->class == GFX_CLASS_PLUS_DENORMAL;
}

static bool real_is_negative(const struct real *operand)
{
	return operand->class >= GFX_CLASS_MINUS_INFINITY && operand->class <= GFX_CLASS_MINUS_ZERO;
}

static struct real real_of(uint64_t bits, const struct gfx_format *format)
{
	return (struct real){format, bits,
			     gfx_class_of(bits, format->fraction_bits, format->exponent_bits)};
}

static struct gfx_exact real_exact(const struct real *operand)
{
	return gfx_exact_float(operand->bits, operand->format);
}

static double real_value(const struct real *operand)
{
	if (operand->format == &gfx_double_format)
		return gfx_f64(operand->bits);
	if (operand->format == &gfx_single_format)
		return (double)gfx_f32((uint32_t)operand->bits);
	return (double)gfx_half_to_float((uint16_t)operand->bits);
}

#define LARGEST_SCALE 8192 /* larger exponents give the same results */

static int32_t limited_scale(double scale)
{
	if (scale < -LARGEST_SCALE)
		return -LARGEST_SCALE;
	return scale > LARGEST_SCALE ? LARGEST_SCALE : (int32_t)scale;
}

/* GFX_EXCEPTION_INVALID if an operand is a signalling NaN, else 0. Sets *any_ret if one is a NaN. */
static uint32_t nans_among(const struct real *operands, uint32_t count, bool *any_ret)
{
	uint32_t exceptions = 0;

	for (uint32_t i = 0; i < count; i++) {
		*any_ret |= real_is_nan(&operands[i]);
		if (operands[i].class == GFX_CLASS_SIGNALLING)
			exceptions |= GFX_EXCEPTION_INVALID;
	}
	return exceptions;
}

/* In a mixed operation a half has become a single, and a denormal one a normal number. */
static struct real mixed(const struct raising *task, uint32_t index, uint32_t bits)
{
	struct real operand = real_of(bits, &gfx_single_format);
	bool half = task->vector->instruction->op_sel_hi >> index & 1;

	if (half && operand.class == GFX_CLASS_PLUS_NORMAL && gfx_f32(bits) < 0x1p-14f)
		operand.class = GFX_CLASS_PLUS_DENORMAL;
	if (half && operand.class == GFX_CLASS_MINUS_NORMAL && gfx_f32(bits) > -0x1p-14f)
		operand.class = GFX_CLASS_MINUS_DENORMAL;
	return operand;
}

static struct real raising_source(const struct raising *task, uint32_t index)
{
	const uint32_t *values = task->vector->src[index];
	uint32_t low = values[task->lane], shift = task->part * 16;

	switch (task->vector->instruction->operation->src[index]) {
	case GFX_F16:
		return real_of(low & 0xffff, &gfx_half_format);
	case GFX_V2F16:
		return real_of(low >> shift & 0xffff, &gfx_half_format);
	case GFX_F32:
		return real_of(low, &gfx_single_format);
	case GFX_V2F32:
		return real_of(values[task->lane + task->part * GFX_MAX_LANES], &gfx_single_format);
	case GFX_F64:
		return real_of(gfx_wide(values, task->lane), &gfx_double_format);
	case GFX_MIX:
		return mixed(task, index, low);
	default:
		return (struct real){NULL, low, GFX_CLASS_PLUS_ZERO};
	}
}

/* Round to the format of the result, scale, and flush. */
static uint32_t deliver_result(const struct raising *task, struct gfx_exact value)
{
	uint32_t exceptions = 0;
	uint64_t bits = gfx_exact_round(value, task->format, task->round, &exceptions);
	struct real result = real_of(bits, task->format);

	if (task->scale && !real_is_infinite(&result)) {
		value = real_exact(&result);
		value.scale += task->scale;
		bits = gfx_exact_round(value, task->format, task->round, &exceptions);
		result = real_of(bits, task->format);
	}
	if (task->flushes && real_is_denormal(&result))
		exceptions |= GFX_EXCEPTION_UNDERFLOW | GFX_EXCEPTION_INEXACT;
	return exceptions;
}

/*
 * The exceptions that operations of a kind raise, apart from those for signalling NaNs and denormals among
 * the operands. Called only if no operand is a NaN, except where noted: conversions to whole numbers and comparisons are called for NaNs, too.
 */
typedef uint32_t raise_function(const struct raising *task);

/* ---- Sums and products ---- */

static uint32_t sum_of(const struct raising *task, struct real a, struct real b)
{
	if (real_is_infinite(&a) && real_is_infinite(&b) && a.class != b.class)
		return GFX_EXCEPTION_INVALID;
	if (real_is_infinite(&a) || real_is_infinite(&b))
		return 0;
	return deliver_result(task, gfx_exact_sum(real_exact(&a), real_exact(&b)));
}

static struct real negated(struct real operand)
{
	const struct gfx_format *format = operand.format;

	return real_of(operand.bits ^ UINT64_C(1)
					      << (format->fraction_bits + format->exponent_bits),
		       format);
}

static uint32_t raise_sum(const struct raising *task)
{
	return sum_of(task, task->operands[0], task->operands[1]);
}

static uint32_t raise_difference(const struct raising *task)
{
	return sum_of(task, task->operands[0], negated(task->operands[1]));
}

static uint32_t raise_reversed_difference(const struct raising *task)
{
	return sum_of(task, task->operands[1], negated(task->operands[0]));
}

static bool is_nothing_times_infinity(const struct real *a, const struct real *b)
{
	return (real_is_zero(a) && real_is_infinite(b)) || (real_is_infinite(a) && real_is_zero(b));
}

static uint32_t raise_product(const struct raising *task)
{
	const struct real *a = &task->operands[0], *b = &task->operands[1];

	if (is_nothing_times_infinity(a, b))
		return GFX_EXCEPTION_INVALID;
	if (real_is_infinite(a) || real_is_infinite(b))
		return 0;
	return deliver_result(task, gfx_exact_product(real_exact(a), real_exact(b)));
}

/* Nothing times infinity is nothing here. */
static uint32_t raise_legacy_product(const struct raising *task)
{
	if (real_is_zero(&task->operands[0]) || real_is_zero(&task->operands[1]))
		return 0;
	return raise_product(task);
}

/* a * b + c. False if that is no finite number; *exceptions_ret is what this raises. */
static bool fused_value(const struct real operands[3], struct gfx_exact *value_ret,
			uint32_t *exceptions_ret)
{
	const struct real *a = &operands[0], *b = &operands[1], *c = &operands[2];
	bool infinite = real_is_infinite(a) || real_is_infinite(b);
	bool minus = real_is_negative(a) != real_is_negative(b);

	*exceptions_ret = 0;
	if (is_nothing_times_infinity(a, b) ||
	    (infinite && real_is_infinite(c) && minus != real_is_negative(c)))
		*exceptions_ret = GFX_EXCEPTION_INVALID;
	if (infinite || real_is_infinite(c))
		return false;
	*value_ret = gfx_exact_sum(gfx_exact_product(real_exact(a), real_exact(b)), real_exact(c));
	return true;
}

/* Rounded once, times 2^scale. */
static uint32_t fused_of(const struct raising *task, const struct real operands[3], int32_t scale)
{
	struct gfx_exact value;
	uint32_t exceptions;

	if (!fused_value(operands, &value, &exceptions))
		return exceptions;
	value.scale += scale;
	return deliver_result(task, value);
}

static uint32_t raise_fused(const struct raising *task)
{
	return fused_of(task, task->operands, 0);
}

/* The sum before the last of a division, which undoes its scaling. */
static uint32_t raise_scaled_fused(const struct raising *task)
{
	const struct real *c = &task->operands[2];
	int32_t exponent = (int32_t)(c->bits >> c->format->fraction_bits);
	int32_t bias = (1 << (c->format->exponent_bits - 1)) - 1,
		by = c->format == &gfx_double_format ? 128 : 64;

	if (!(task->vector->mask_in >> task->lane & 1))
		return raise_fused(task);
	exponent &= 2 * bias + 1;
	return fused_of(task, task->operands, exponent > bias ? by : -by);
}

static uint32_t raise_mixed(const struct raising *task)
{
	struct gfx_exact value;
	struct real single;
	uint32_t exceptions;

	if (!fused_value(task->operands, &value, &exceptions))
		return exceptions;
	single = real_of(gfx_exact_round(value, &gfx_single_format,
					 gfx_round_single(task->vector->mode), &exceptions),
			 &gfx_single_format);
	if (real_is_infinite(&single))
		return exceptions;
	return exceptions | deliver_result(task, real_exact(&single));
}

/* Halves that are multiplied, rounded, added and rounded again. */
static uint32_t raise_product_then_sum(const struct raising *task)
{
	const struct real *a = &task->operands[0], *b = &task->operands[1];
	uint32_t exceptions = 0;
	struct gfx_exact value;
	uint64_t bits;

	if (is_nothing_times_infinity(a, b))
		return GFX_EXCEPTION_INVALID;
	if (real_is_infinite(a) || real_is_infinite(b))
		return raise_fused(task);
	value = gfx_exact_product(real_exact(a), real_exact(b));
	bits = gfx_exact_round(value, task->format, task->round, &exceptions);
	return exceptions | sum_of(task, real_of(bits, task->format), task->operands[2]);
}

/* A half of a pair as an operand of an operation that flushes what it takes and gives. */
static struct real flushed_half(uint32_t pair, uint32_t part)
{
	struct real operand = real_of(pair >> part * 16 & 0xffff, &gfx_half_format);

	return real_is_denormal(&operand) ? real_of(operand.bits & 0x8000, &gfx_half_format)
					  : operand;
}

/* Two steps: the low halves' product and the addend, then the high halves'. */
static uint32_t raise_dot(const struct raising *task)
{
	const struct gfx_vector *vector = task->vector;
	uint32_t a = vector->src[0][task->lane], b = vector->src[1][task->lane];
	float addend = gfx_without_denormals(gfx_f32(vector->src[2][task->lane]));
	struct real low[3] = {flushed_half(a, 0), flushed_half(b, 0),
			      real_of(gfx_f32_bits(addend), &gfx_single_format)};
	struct real high[3] = {flushed_half(a, 1), flushed_half(b, 1), low[2]};
	bool any_nan = false;
	uint32_t exceptions = nans_among(low, 3, &any_nan) | nans_among(high, 2, &any_nan);

	if (any_nan)
		return exceptions;
	exceptions |= fused_of(task, low, 0);
	addend = fmaf((float)real_value(&low[0]), (float)real_value(&low[1]), addend);
	high[2] = real_of(gfx_f32_bits(gfx_without_denormals(addend)), &gfx_single_format);
	return real_is_nan(&high[2]) ? exceptions : exceptions | fused_of(task, high, 0);
}

/* ---- Quotients, roots and transcendental functions, as if they were correctly rounded ---- */

#define FULL_TURN 6.283185307179586476925

/* A number of infinitely many bits, of which the host knows enough. */
static uint32_t deliver_irrational(const struct raising *task, double value)
{
	struct gfx_exact near = gfx_exact_float(gfx_f64_bits(value), &gfx_double_format);

	near.rest = true;
	return deliver_result(task, near);
}

/* The last step of a division: the operands are a quotient, a denominator and a numerator. */
static uint32_t raise_quotient(const struct raising *task)
{
	const struct real *below = &task->operands[1], *above = &task->operands[2];

	if ((real_is_zero(below) && real_is_zero(above)) ||
	    (real_is_infinite(below) && real_is_infinite(above)))
		return GFX_EXCEPTION_INVALID;
	return real_is_zero(below) && !real_is_infinite(above) ? GFX_EXCEPTION_DIVIDE_BY_ZERO : 0;
}

static uint32_t raise_reciprocal(const struct raising *task)
{
	const struct real *a = &task->operands[0];

	if (real_is_zero(a))
		return GFX_EXCEPTION_DIVIDE_BY_ZERO;
	return real_is_infinite(a) ? 0 : deliver_result(task, gfx_exact_reciprocal(real_exact(a)));
}

static uint32_t raise_integer_reciprocal(const struct raising *task)
{
	return real_is_zero(&task->operands[0]) ? GFX_EXCEPTION_INTEGER_DIVIDE_BY_ZERO : 0;
}

/* Neither roots nor their reciprocals leave the range of their format. */
static uint32_t raise_root(const struct raising *task)
{
	const struct real *a = &task->operands[0];

	if (real_is_zero(a))
		return 0;
	if (real_is_negative(a))
		return GFX_EXCEPTION_INVALID;
	return real_is_infinite(a) || gfx_exact_is_square(real_exact(a)) ? 0
									 : GFX_EXCEPTION_INEXACT;
}

static uint32_t raise_reciprocal_root(const struct raising *task)
{
	const struct real *a = &task->operands[0];

	if (real_is_zero(a))
		return GFX_EXCEPTION_DIVIDE_BY_ZERO;
	if (real_is_negative(a))
		return GFX_EXCEPTION_INVALID;
	return real_is_infinite(a) || gfx_exact_is_power(real_exact(a), 4) ? 0
									   : GFX_EXCEPTION_INEXACT;
}

static uint32_t raise_logarithm(const struct raising *task)
{
	const struct real *a = &task->operands[0];

	if (real_is_zero(a))
		return GFX_EXCEPTION_DIVIDE_BY_ZERO;
	if (real_is_negative(a))
		return GFX_EXCEPTION_INVALID;
	return real_is_infinite(a) || gfx_exact_is_power(real_exact(a), 2) ? 0
									   : GFX_EXCEPTION_INEXACT;
}

static uint32_t raise_exponential(const struct raising *task)
{
	const struct real *a = &task->operands[0];
	double value = real_value(a), whole;
	struct gfx_exact result;

	if (real_is_infinite(a))
		return 0;
	whole = floor(value);
	result = gfx_exact_float(gfx_f64_bits(exp2(value - whole)), &gfx_double_format);
	result.rest = value != whole;
	result.scale += limited_scale(whole);
	return deliver_result(task, result);
}

/* Sines and cosines of quarters of a turn are numbers of finitely many bits; those of other fractions are not. */
static uint32_t raise_sine(const struct raising *task)
{
	const struct real *a = &task->operands[0];
	double part = fmod(real_value(a), 1);

	if (real_is_infinite(a))
		return GFX_EXCEPTION_INVALID;
	return 4 * part == trunc(4 * part) ? 0 : deliver_irrational(task, sin(part * FULL_TURN));
}

static uint32_t raise_cosine(const struct raising *task)
{
	const struct real *a = &task->operands[0];
	double part = fmod(real_value(a), 1);

	if (real_is_infinite(a))
		return GFX_EXCEPTION_INVALID;
	return 4 * part == trunc(4 * part) ? 0 : deliver_irrational(task, cos(part * FULL_TURN));
}

/* ---- Parts of numbers, conversions and comparisons ---- */

/* The difference of a number and the whole one below it. */
static uint32_t raise_fraction(const struct raising *task)
{
	const struct real *a = &task->operands[0];
	double below = -floor(real_value(a));

	if (real_is_infinite(a))
		return GFX_EXCEPTION_INVALID;
	return deliver_result(
		task, gfx_exact_sum(real_exact(a),
				    gfx_exact_float(gfx_f64_bits(below), &gfx_double_format)));
}

static uint32_t raise_scaling(const struct raising *task)
{
	const struct real *a = &task->operands[0], *b = &task->operands[1];
	bool half = task->vector->instruction->operation->src[1] == GFX_B16;
	int32_t by = half ? (int16_t)b->bits : (int32_t)b->bits;
	struct gfx_exact value;

	if (real_is_infinite(a))
		return 0;
	value = real_exact(a);
	value.scale += limited_scale(by);
	return deliver_result(task, value);
}

static uint32_t raise_conversion(const struct raising *task)
{
	const struct real *a = &task->operands[0];

	return real_is_infinite(a) ? 0 : deliver_result(task, real_exact(a));
}

static uint32_t raise_signed_conversion(const struct raising *task)
{
	bool half = task->vector->instruction->operation->src[0] == GFX_B16;
	uint32_t value = (uint32_t)task->operands[0].bits;

	return deliver_result(task, gfx_exact_integer(half ? (int16_t)value : (int32_t)value));
}

static uint32_t raise_unsigned_conversion(const struct raising *task)
{
	bool half = task->vector->instruction->operation->src[0] == GFX_B16;
	uint32_t value = (uint32_t)task->operands[0].bits;

	return deliver_result(task, gfx_exact_integer(half ? (uint16_t)value : value));
}

/* Towards zero; @low and @high can still be represented. */
static uint32_t whole_between(const struct raising *task, double low, double high)
{
	const struct real *a = &task->operands[0];
	double value = real_value(a), whole = trunc(value);

	if (real_is_nan(a) || whole < low || whole > high)
		return GFX_EXCEPTION_INVALID;
	return task->vector->instruction->clamp && whole != value ? GFX_EXCEPTION_INEXACT : 0;
}

static uint32_t raise_to_i32(const struct raising *task)
{
	return whole_between(task, INT32_MIN, INT32_MAX);
}

static uint32_t raise_to_u32(const struct raising *task)
{
	return whole_between(task, 0, UINT32_MAX);
}

static uint32_t raise_to_i16(const struct raising *task)
{
	return whole_between(task, INT16_MIN, INT16_MAX);
}

static uint32_t raise_to_u16(const struct raising *task)
{
	return whole_between(task, 0, UINT16_MAX);
}

static uint32_t raise_to_u8(const struct raising *task)
{
	return whole_between(task, 0, UINT8_MAX);
}

/* Parts of the largest number: what is out of range is meant to be limited. */
static uint32_t normalised(const struct raising *task, double least, int32_t largest)
{
	const struct real *a = &task->operands[0];
	struct gfx_exact value;

	if (real_is_nan(a))
		return GFX_EXCEPTION_INVALID;
	if (real_value(a) <= least || real_value(a) >= 1)
		return 0;
	value = gfx_exact_product(real_exact(a), gfx_exact_integer(largest));
	return gfx_exact_is_whole(value) ? 0 : GFX_EXCEPTION_INEXACT;
}

static uint32_t raise_to_signed_part(const struct raising *task)
{
	return normalised(task, -1, INT16_MAX);
}

static uint32_t raise_to_unsigned_part(const struct raising *task)
{
	return normalised(task, 0, UINT16_MAX);
}

/* Signalling NaNs are invalid everywhere; here, quiet ones are so as well if clamp says so. */
static uint32_t raise_comparison(const struct raising *task)
{
	return task->vector->instruction->clamp ? GFX_EXCEPTION_INVALID : 0;
}

/* ---- Of an operation ---- */

#define OPERANDS(count) ((1U << (count)) - 1)

static const struct kind {
	/* A bit for each operand whose NaNs and denormals count. */
	uint32_t operands;
	/* Raise what else there is: one if no source is a NaN, the other if one is. */
	raise_function *of_numbers, *of_nans;
} kinds[] = {
	[GFX_RAISES_NOTHING] = {0, NULL, NULL},
	[GFX_RAISES_OPERANDS] = {OPERANDS(3), NULL, NULL},
	[GFX_RAISES_COMPARISON] = {OPERANDS(2), NULL, raise_comparison},
	[GFX_RAISES_SUM] = {OPERANDS(2), raise_sum, NULL},
	[GFX_RAISES_DIFFERENCE] = {OPERANDS(2), raise_difference, NULL},
	[GFX_RAISES_REVERSED] = {OPERANDS(2), raise_reversed_difference, NULL},
	[GFX_RAISES_PRODUCT] = {OPERANDS(2), raise_product, NULL},
	[GFX_RAISES_LEGACY] = {OPERANDS(2), raise_legacy_product, NULL},
	[GFX_RAISES_FUSED] = {OPERANDS(3), raise_fused, NULL},
	[GFX_RAISES_SCALED_FUSED] = {OPERANDS(3), raise_scaled_fused, NULL},
	[GFX_RAISES_MIXED] = {OPERANDS(3), raise_mixed, NULL},
	[GFX_RAISES_PRODUCT_SUM] = {OPERANDS(3), raise_product_then_sum, NULL},
	[GFX_RAISES_DOT] = {0, raise_dot, NULL},
	[GFX_RAISES_QUOTIENT] = {6, raise_quotient,
				 NULL}, /* the first one is no operand of the division */
	[GFX_RAISES_RECIPROCAL] = {OPERANDS(1), raise_reciprocal, NULL},
	[GFX_RAISES_INTEGER_RECIPROCAL] = {0, raise_integer_reciprocal, NULL},
	[GFX_RAISES_ROOT] = {OPERANDS(1), raise_root, NULL},
	[GFX_RAISES_RECIPROCAL_ROOT] = {OPERANDS(1), raise_reciprocal_root, NULL},
	[GFX_RAISES_LOGARITHM] = {OPERANDS(1), raise_logarithm, NULL},
	[GFX_RAISES_EXPONENTIAL] = {OPERANDS(1), raise_exponential, NULL},
	[GFX_RAISES_SINE] = {OPERANDS(1), raise_sine, NULL},
	[GFX_RAISES_COSINE] = {OPERANDS(1), raise_cosine, NULL},
	[GFX_RAISES_FRACTION] = {OPERANDS(1), raise_fraction, NULL},
	[GFX_RAISES_SCALING] = {OPERANDS(1), raise_scaling, NULL},
	[GFX_RAISES_CONVERSION] = {OPERANDS(1), raise_conversion, NULL},
	[GFX_RAISES_TRUNCATION] = {OPERANDS(1), raise_conversion, NULL},
	[GFX_RAISES_FROM_SIGNED] = {0, raise_signed_conversion, NULL},
	[GFX_RAISES_FROM_UNSIGNED] = {0, raise_unsigned_conversion, NULL},
	[GFX_RAISES_TO_I32] = {OPERANDS(1), raise_to_i32, raise_to_i32},
	[GFX_RAISES_TO_U32] = {OPERANDS(1), raise_to_u32, raise_to_u32},
	[GFX_RAISES_TO_I16] = {OPERANDS(1), raise_to_i16, raise_to_i16},
	[GFX_RAISES_TO_U16] = {OPERANDS(1), raise_to_u16, raise_to_u16},
	[GFX_RAISES_TO_U8] = {OPERANDS(1), raise_to_u8, raise_to_u8},
	[GFX_RAISES_TO_SIGNED_PART] = {OPERANDS(1), raise_to_signed_part, raise_to_signed_part},
	[GFX_RAISES_TO_UNSIGNED_PART] = {OPERANDS(1), raise_to_unsigned_part,
					 raise_to_unsigned_part},
};

/* Each source becomes a half, or a byte, of the result. */
static bool is_made_of_two(const struct gfx_operation *operation)
{
	return operation->raises == GFX_RAISES_TRUNCATION ||
	       (operation->src[1] != GFX_NONE &&
		(operation->raises == GFX_RAISES_TO_SIGNED_PART ||
		 operation->raises == GFX_RAISES_TO_UNSIGNED_PART));
}

static uint32_t operation_parts(const struct gfx_operation *operation)
{
	return operation->dst == GFX_V2F16 || operation->dst == GFX_V2F32 ||
			       is_made_of_two(operation)
		       ? 2
		       : 1;
}

static uint32_t raised(struct raising *task)
{
	const struct gfx_operation *operation = task->vector->instruction->operation;
	const struct kind *kind = &kinds[operation->raises];
	uint32_t exceptions = 0;
	bool any_nan = false;

	for (uint32_t i = 0; i < 3; i++) {
		struct real *operand = &task->operands[i];

		*operand = raising_source(task, is_made_of_two(operation) ? task->part : i);
		if (!operand->format || !(kind->operands >> i & 1))
			continue;
		exceptions |= nans_among(operand, 1, &any_nan);
		if (real_is_denormal(operand))
			exceptions |= GFX_EXCEPTION_DENORMAL;
	}
	if (any_nan)
		return exceptions | (kind->of_nans ? kind->of_nans(task) : 0);
	return exceptions | (kind->of_numbers ? kind->of_numbers(task) : 0);
}

static const struct gfx_format *format_of(const struct gfx_operation *operation)
{
	switch (operation->dst) {
	case GFX_F64:
		return &gfx_double_format;
	case GFX_F32:
	case GFX_V2F32:
		return &gfx_single_format;
	default:
		return &gfx_half_format;
	}
}

void gfx_note_exceptions(const struct gfx_vector *vector, uint64_t lanes)
{
	const struct gfx_operation *operation = vector->instruction->operation;
	bool truncates = operation->raises == GFX_RAISES_TRUNCATION;
	struct raising task = {
		.vector = vector,
		.format = format_of(operation),
		.round = truncates ? GFX_ROUND_ZERO : gfx_rounding(operation, vector->mode),
		.flushes = gfx_flushes_result(vector),
		.scale = gfx_output_scale(vector),
	};
	uint32_t exceptions = 0;

	if (operation->raises == GFX_RAISES_NOTHING)
		return;
	for (; lanes; lanes &= lanes - 1) {
		task.lane = gfx_first_lane(lanes);
		for (task.part = 0; task.part < operation_parts(operation); task.part++)
			exceptions |= raised(&task);
	}
	vector->context->wave->trapsts |= exceptions;
}
