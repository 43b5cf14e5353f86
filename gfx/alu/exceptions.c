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
#include "gfx/alu/exceptions.h"

/* In a mixed operation a half has become a single, and a denormal one a normal number. */
static struct gfx_real mixed(const struct gfx_raising *task, uint32_t index, uint32_t bits)
{
	struct gfx_real operand = gfx_real_of(bits, &gfx_single_format);
	bool half = task->vector->instruction->op_sel_hi >> index & 1;

	if (half && operand.class == GFX_CLASS_PLUS_NORMAL && gfx_f32(bits) < 0x1p-14f)
		operand.class = GFX_CLASS_PLUS_DENORMAL;
	if (half && operand.class == GFX_CLASS_MINUS_NORMAL && gfx_f32(bits) > -0x1p-14f)
		operand.class = GFX_CLASS_MINUS_DENORMAL;
	return operand;
}

static struct gfx_real raising_source(const struct gfx_raising *task, uint32_t index)
{
	const uint32_t *values = task->vector->src[index];
	uint32_t low = values[task->lane], shift = task->part * 16;

	switch (task->vector->instruction->operation->src[index]) {
	case GFX_F16:
		return gfx_real_of(low & 0xffff, &gfx_half_format);
	case GFX_V2F16:
		return gfx_real_of(low >> shift & 0xffff, &gfx_half_format);
	case GFX_F32:
		return gfx_real_of(low, &gfx_single_format);
	case GFX_V2F32:
		return gfx_real_of(values[task->lane + task->part * GFX_MAX_LANES],
				   &gfx_single_format);
	case GFX_F64:
		return gfx_real_of(gfx_wide(values, task->lane), &gfx_double_format);
	case GFX_MIX:
		return mixed(task, index, low);
	default:
		return (struct gfx_real){NULL, low, GFX_CLASS_PLUS_ZERO};
	}
}

/* Round to the format of the result, scale, and flush. */
uint32_t gfx_deliver(const struct gfx_raising *task, struct gfx_exact value)
{
	uint32_t exceptions = 0;
	uint64_t bits = gfx_exact_round(value, task->format, task->round, &exceptions);
	struct gfx_real result = gfx_real_of(bits, task->format);

	if (task->scale && !gfx_is_infinite(&result)) {
		value = gfx_real_exact(&result);
		value.scale += task->scale;
		bits = gfx_exact_round(value, task->format, task->round, &exceptions);
		result = gfx_real_of(bits, task->format);
	}
	if (task->flushes && gfx_is_denormal(&result))
		exceptions |= GFX_EXCEPTION_UNDERFLOW | GFX_EXCEPTION_INEXACT;
	return exceptions;
}

#define OPERANDS(count) ((1U << (count)) - 1)

static const struct kind {
	/* A bit for each operand whose NaNs and denormals count. */
	uint32_t operands;
	/* Raise what else there is: one if no source is a NaN, the other if one is. */
	gfx_raise_function *of_numbers, *of_nans;
} kinds[] = {
	[GFX_RAISES_NOTHING] = {0, NULL, NULL},
	[GFX_RAISES_OPERANDS] = {OPERANDS(3), NULL, NULL},
	[GFX_RAISES_COMPARISON] = {OPERANDS(2), NULL, gfx_raise_comparison},
	[GFX_RAISES_SUM] = {OPERANDS(2), gfx_raise_sum, NULL},
	[GFX_RAISES_DIFFERENCE] = {OPERANDS(2), gfx_raise_difference, NULL},
	[GFX_RAISES_REVERSED] = {OPERANDS(2), gfx_raise_reversed_difference, NULL},
	[GFX_RAISES_PRODUCT] = {OPERANDS(2), gfx_raise_product, NULL},
	[GFX_RAISES_LEGACY] = {OPERANDS(2), gfx_raise_legacy_product, NULL},
	[GFX_RAISES_FUSED] = {OPERANDS(3), gfx_raise_fused, NULL},
	[GFX_RAISES_SCALED_FUSED] = {OPERANDS(3), gfx_raise_scaled_fused, NULL},
	[GFX_RAISES_MIXED] = {OPERANDS(3), gfx_raise_mixed, NULL},
	[GFX_RAISES_PRODUCT_SUM] = {OPERANDS(3), gfx_raise_product_then_sum, NULL},
	[GFX_RAISES_DOT] = {0, gfx_raise_dot, NULL},
	[GFX_RAISES_QUOTIENT] = {6, gfx_raise_quotient,
				 NULL}, /* the first one is no operand of the division */
	[GFX_RAISES_RECIPROCAL] = {OPERANDS(1), gfx_raise_reciprocal, NULL},
	[GFX_RAISES_INTEGER_RECIPROCAL] = {0, gfx_raise_integer_reciprocal, NULL},
	[GFX_RAISES_ROOT] = {OPERANDS(1), gfx_raise_root, NULL},
	[GFX_RAISES_RECIPROCAL_ROOT] = {OPERANDS(1), gfx_raise_reciprocal_root, NULL},
	[GFX_RAISES_LOGARITHM] = {OPERANDS(1), gfx_raise_logarithm, NULL},
	[GFX_RAISES_EXPONENTIAL] = {OPERANDS(1), gfx_raise_exponential, NULL},
	[GFX_RAISES_SINE] = {OPERANDS(1), gfx_raise_sine, NULL},
	[GFX_RAISES_COSINE] = {OPERANDS(1), gfx_raise_cosine, NULL},
	[GFX_RAISES_FRACTION] = {OPERANDS(1), gfx_raise_fraction, NULL},
	[GFX_RAISES_SCALING] = {OPERANDS(1), gfx_raise_scaling, NULL},
	[GFX_RAISES_CONVERSION] = {OPERANDS(1), gfx_raise_conversion, NULL},
	[GFX_RAISES_TRUNCATION] = {OPERANDS(1), gfx_raise_conversion, NULL},
	[GFX_RAISES_FROM_SIGNED] = {0, gfx_raise_signed_conversion, NULL},
	[GFX_RAISES_FROM_UNSIGNED] = {0, gfx_raise_unsigned_conversion, NULL},
	[GFX_RAISES_TO_I32] = {OPERANDS(1), gfx_raise_to_i32, gfx_raise_to_i32},
	[GFX_RAISES_TO_U32] = {OPERANDS(1), gfx_raise_to_u32, gfx_raise_to_u32},
	[GFX_RAISES_TO_I16] = {OPERANDS(1), gfx_raise_to_i16, gfx_raise_to_i16},
	[GFX_RAISES_TO_U16] = {OPERANDS(1), gfx_raise_to_u16, gfx_raise_to_u16},
	[GFX_RAISES_TO_U8] = {OPERANDS(1), gfx_raise_to_u8, gfx_raise_to_u8},
	[GFX_RAISES_TO_SIGNED_PART] = {OPERANDS(1), gfx_raise_to_signed_part,
				       gfx_raise_to_signed_part},
	[GFX_RAISES_TO_UNSIGNED_PART] = {OPERANDS(1), gfx_raise_to_unsigned_part,
					 gfx_raise_to_unsigned_part},
};

/* Each source becomes a half, or a byte, of the result. */
static bool is_made_of_two(const struct gfx_operation *operation)
{
	return operation->raises == GFX_RAISES_TRUNCATION ||
	       (operation->src[1] == GFX_F32 && (operation->raises == GFX_RAISES_TO_SIGNED_PART ||
						 operation->raises == GFX_RAISES_TO_UNSIGNED_PART));
}

static uint32_t operation_parts(const struct gfx_operation *operation)
{
	return operation->dst == GFX_V2F16 || operation->dst == GFX_V2F32 ||
			       is_made_of_two(operation)
		       ? 2
		       : 1;
}

static uint32_t raised(struct gfx_raising *task)
{
	const struct gfx_operation *operation = task->vector->instruction->operation;
	const struct kind *kind = &kinds[operation->raises];
	uint32_t exceptions = 0;
	bool any_nan = false;

	for (uint32_t i = 0; i < 3; i++) {
		struct gfx_real *operand = &task->operands[i];

		*operand = raising_source(task, is_made_of_two(operation) ? task->part : i);
		if (!operand->format || !(kind->operands >> i & 1))
			continue;
		exceptions |= gfx_nans_among(operand, 1, &any_nan);
		if (gfx_is_denormal(operand))
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
	struct gfx_raising task = {
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
