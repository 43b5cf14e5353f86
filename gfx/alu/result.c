/* SPDX-License-Identifier: MIT */
/* Results of float operations: rounding, NaNs, output modifier, clamp and denormals. */
#include <math.h>

#include "gfx/alu/half.h"
#include "gfx/alu/vector.h"

#define MODE_DENORMALS_SINGLE 4
#define MODE_DENORMALS_DOUBLE 6
#define MODE_DX10_CLAMP (1U << 8)

/* The mode register has a field for singles and one for doubles and halves. */
enum gfx_round gfx_rounding(const struct gfx_operation *operation, uint32_t mode)
{
	if (operation->flags & (GFX_NOT_ARITHMETIC | GFX_NO_MODE))
		return GFX_ROUND_NEAREST;
	if (operation->dst == GFX_F64 || operation->src[0] == GFX_F64 ||
	    operation->dst == GFX_F16 || operation->dst == GFX_V2F16)
		return gfx_round_double(mode);
	if (operation->dst == GFX_F32 || operation->dst == GFX_V2F32)
		return gfx_round_single(mode);
	return GFX_ROUND_NEAREST;
}

/* Each field of the mode has a bit for inputs and, above it, one for results. */
bool gfx_keeps_denormals(uint32_t mode, uint32_t type, bool result)
{
	uint32_t shift;

	switch (type) {
	case GFX_F32:
	case GFX_V2F32:
	case GFX_MIX:
		shift = MODE_DENORMALS_SINGLE;
		break;
	case GFX_F16:
	case GFX_V2F16:
	case GFX_F64:
		shift = MODE_DENORMALS_DOUBLE;
		break;
	default:
		return true;
	}
	return mode >> (shift + (result ? 1 : 0)) & 1;
}

static void flush_singles(uint32_t *values)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		if (!(values[lane] & 0x7f800000))
			values[lane] &= 0x80000000;
}

static void flush_doubles(uint32_t *values)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t value = gfx_wide(values, lane);

		if (!(value & UINT64_C(0x7ff0000000000000)))
			gfx_set_wide(values, lane, value & UINT64_C(1) << 63);
	}
}

static void flush_halves(uint32_t *values)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		if (!(values[lane] & 0x7c00))
			values[lane] &= ~0x3ffU;
		if (!(values[lane] & 0x7c000000))
			values[lane] &= ~0x3ff0000U;
	}
}

void gfx_flush_denormals(uint32_t *values, uint32_t type)
{
	switch (type) {
	case GFX_F64:
		flush_doubles(values);
		break;
	case GFX_F16:
	case GFX_V2F16:
		flush_halves(values);
		break;
	case GFX_V2F32:
		flush_singles(values + GFX_MAX_LANES);
		flush_singles(values);
		break;
	default:
		flush_singles(values);
		break;
	}
}

/*
 * A NaN result is the first NaN among the sources, made quiet, or the positive default. Hosts
 * differ here, so nothing is left to them. Sources of another type than the result (conversions)
 * have handed their NaN on already.
 */
static uint64_t choose_nan(const struct gfx_vector *vector, uint32_t lane, uint64_t result)
{
	const struct gfx_operation *operation = vector->instruction->operation;
	bool wide = operation->dst == GFX_F64, converts = false;

	for (uint32_t i = 0; i < 3; i++) {
		const uint32_t *values = vector->src[i];
		uint32_t type = operation->src[i];

		if (type == GFX_MIX && operation->dst == GFX_F32)
			type = GFX_F32;
		converts |= type != operation->dst && (type == GFX_F32 || type == GFX_F64 ||
						       type == GFX_F16 || type == GFX_MIX);
		if (type != operation->dst)
			continue;
		if (wide && gfx_f64_is_nan(gfx_wide(values, lane)))
			return gfx_wide(values, lane) | UINT64_C(1) << 51;
		if (!wide && gfx_f32_is_nan(values[lane]))
			return values[lane] | 1U << 22;
	}
	if (converts)
		return result;
	return wide ? UINT64_C(0x7ff8000000000000) : 0x7fc00000;
}

static bool any_nan(const uint32_t *values)
{
	uint32_t any = 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		any |= (int32_t)(values[lane] & INT32_MAX) > 0x7f800000 ? 1U : 0U;
	return any;
}

static void settle_single_nans(struct gfx_vector *vector)
{
	uint32_t *values = vector->dst;

	if (!any_nan(values))
		return;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		if (gfx_f32_is_nan(values[lane]))
			values[lane] = (uint32_t)choose_nan(vector, lane, values[lane]);
}

static void settle_double_nans(struct gfx_vector *vector)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t value = gfx_wide(vector->dst, lane);

		if (gfx_f64_is_nan(value))
			gfx_set_wide(vector->dst, lane, choose_nan(vector, lane, value));
	}
}

bool gfx_flushes_result(const struct gfx_vector *vector)
{
	const struct gfx_operation *operation = vector->instruction->operation;

	if (operation->flags & GFX_NOT_ARITHMETIC)
		return false;
	return operation->flags & GFX_NO_MODE ||
	       !gfx_keeps_denormals(vector->mode, operation->dst, true);
}

/* Output scaling is for programs that want neither IEEE arithmetic nor denormals, and is ignored in others. */
int32_t gfx_output_scale(const struct gfx_vector *vector)
{
	static const int32_t scales[] = {0, 1, 2, -1};

	if (vector->mode & GFX_MODE_IEEE || !gfx_flushes_result(vector))
		return 0;
	return scales[vector->instruction->omod & 3];
}

/* A zero that is scaled is positive. */
static double scaled(double value, int32_t scale)
{
	return scale ? ldexp(value, scale) + 0.0 : value;
}

static double limit(double value, bool clamp, bool nan_is_zero)
{
	if (!clamp)
		return value;
	if (value != value)
		return nan_is_zero ? 0 : value;
	if (!(value > 0))
		return 0;
	return value > 1 ? 1 : value;
}

static uint16_t adjust_half(uint32_t half, int32_t scale, bool clamp, bool nan_is_zero)
{
	double value = scaled((double)gfx_half_to_float((uint16_t)half), scale);

	return gfx_half_from_double(limit(value, clamp, nan_is_zero), GFX_ROUND_NEAREST);
}

static void adjust_lane(struct gfx_vector *vector, uint32_t lane, uint32_t type)
{
	const struct gfx_instruction *instruction = vector->instruction;
	/* A NaN that is clamped is zero where mode does not say so, either. */
	bool zero = vector->mode & MODE_DX10_CLAMP || instruction->generation >= GFX_GENERATION_12;
	bool clamp = instruction->clamp;
	int32_t scale = gfx_output_scale(vector);
	uint32_t *values = vector->dst, value = values[lane];

	switch (type) {
	case GFX_F64:
		gfx_set_wide(values, lane,
			     gfx_f64_bits(limit(scaled(gfx_f64(gfx_wide(values, lane)), scale),
						clamp, zero)));
		break;
	case GFX_V2F16:
		values[lane] = adjust_half(value, scale, clamp, zero) |
			       (uint32_t)adjust_half(value >> 16, scale, clamp, zero) << 16;
		break;
	case GFX_F16:
		values[lane] = adjust_half(value, scale, clamp, zero);
		break;
	case GFX_V2F32:
		values[lane + GFX_MAX_LANES] = gfx_f32_bits((float)limit(
			scaled((double)gfx_f32(values[lane + GFX_MAX_LANES]), scale), clamp, zero));
		/* fall through */
	default:
		values[lane] = gfx_f32_bits(
			(float)limit(scaled((double)gfx_f32(value), scale), clamp, zero));
		break;
	}
}

/* The two planes of a packed result, each with its sources, as two plain results. */
static void settle_pair_nans(struct gfx_vector *vector)
{
	struct gfx_instruction instruction;
	struct gfx_operation single;
	struct gfx_vector part;

	if (!any_nan(vector->dst) && !any_nan(vector->dst + GFX_MAX_LANES))
		return;
	single = *vector->instruction->operation;
	instruction = *vector->instruction;
	part = *vector;
	single.dst = GFX_F32;
	for (uint32_t i = 0; i < 3; i++)
		single.src[i] = single.src[i] == GFX_V2F32 ? GFX_F32 : GFX_NONE;
	instruction.operation = &single;
	part.instruction = &instruction;
	settle_single_nans(&part);
	part.dst += GFX_MAX_LANES;
	for (uint32_t i = 0; i < 3; i++)
		part.src[i] += GFX_MAX_LANES;
	settle_single_nans(&part);
}

void gfx_finish_result(struct gfx_vector *vector)
{
	const struct gfx_instruction *instruction = vector->instruction;
	uint32_t type = instruction->operation->dst;

	if (instruction->operation->flags & GFX_OWN_NAN)
		; /* nothing to settle */
	else if (type == GFX_F32)
		settle_single_nans(vector);
	else if (type == GFX_F64)
		settle_double_nans(vector);
	else if (type == GFX_V2F32)
		settle_pair_nans(vector);
	if (instruction->clamp || (instruction->omod && gfx_output_scale(vector)))
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			adjust_lane(vector, lane, type);
	if (gfx_flushes_result(vector))
		gfx_flush_denormals(vector->dst, type);
}
