/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic exceptions: what a vector operation on singles and doubles raises in its active lanes.
 * They are looked for only while one of them is enabled in mode, because that takes time; so only
 * then does trapsts collect them. Halves, conversions to whole numbers and comparisons raise none.
 */
#include "gfx/vector.h"

#include <fenv.h>

#define TRAPSTS_INVALID (1U << 0)
#define TRAPSTS_DENORMAL (1U << 1)
#define TRAPSTS_DIVIDE_BY_ZERO (1U << 2)
#define TRAPSTS_OVERFLOW (1U << 3)
#define TRAPSTS_UNDERFLOW (1U << 4)
#define TRAPSTS_INEXACT (1U << 5)
#define TRAPSTS_INTEGER_DIVIDE_BY_ZERO (1U << 6)

/* This one reciprocal begins the division of whole numbers, and says so. */
#define INTEGER_RECIPROCAL "v_rcp_iflag_f32"

static bool raises(const struct gfx_operation *operation)
{
	bool is_real = operation->dst == GFX_F32 || operation->dst == GFX_F64 ||
		       operation->dst == GFX_V2F32;

	return is_real && !(operation->flags & GFX_NOT_ARITHMETIC);
}

static bool is_denormal(const uint32_t *planes, uint32_t lane, uint32_t type)
{
	uint64_t wide;

	switch (type) {
	case GFX_F32:
		return !(planes[lane] & 0x7f800000) && planes[lane] & 0x7fffff;
	case GFX_V2F32:
		return is_denormal(planes, lane, GFX_F32) ||
		       is_denormal(planes + GFX_MAX_LANES, lane, GFX_F32);
	case GFX_F64:
		wide = gfx_wide(planes, lane);
		return !(wide & UINT64_C(0x7ff0000000000000)) && wide & UINT64_C(0xfffffffffffff);
	default:
		return false;
	}
}

static bool takes_denormals(const struct gfx_vector *vector, uint64_t lanes)
{
	for (uint32_t i = 0; i < 3; i++)
		for (uint64_t left = vector->src[i] ? lanes : 0; left; left &= left - 1)
			if (is_denormal(vector->src[i], gfx_first_lane(left),
					vector->instruction->operation->src[i]))
				return true;
	return false;
}

/* What is in inactive lanes must raise nothing: they get the values of an active one. */
static void copy_active(const struct gfx_vector *vector, uint64_t lanes,
			uint32_t copies[3][2 * GFX_MAX_LANES])
{
	const struct gfx_operation *operation = vector->instruction->operation;
	uint32_t first = gfx_first_lane(lanes);

	for (uint32_t i = 0; i < 3; i++) {
		uint32_t words = vector->src[i] ? gfx_type_words(operation->src[i]) : 0;

		for (uint32_t w = 0; w < words; w++) {
			const uint32_t *from = vector->src[i] + w * GFX_MAX_LANES;

			for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
				copies[i][w * GFX_MAX_LANES + lane] =
					from[lanes >> lane & 1 ? lane : first];
		}
	}
}

static uint32_t raised(const struct gfx_operation *operation)
{
	int flags = fetestexcept(FE_ALL_EXCEPT);
	uint32_t bits = 0;

	if (flags & FE_INVALID)
		bits |= TRAPSTS_INVALID;
	if (flags & FE_DIVBYZERO)
		bits |= strcmp(operation->name, INTEGER_RECIPROCAL)
				? TRAPSTS_DIVIDE_BY_ZERO
				: TRAPSTS_INTEGER_DIVIDE_BY_ZERO;
	if (flags & FE_OVERFLOW)
		bits |= TRAPSTS_OVERFLOW;
	if (flags & FE_UNDERFLOW)
		bits |= TRAPSTS_UNDERFLOW;
	if (flags & FE_INEXACT)
		bits |= TRAPSTS_INEXACT;
	return bits;
}

void gfx_call_noting_exceptions(struct gfx_vector *vector, uint64_t lanes,
				void (*call)(struct gfx_vector *vector))
{
	const struct gfx_operation *operation = vector->instruction->operation;
	const uint32_t *sources[3] = {vector->src[0], vector->src[1], vector->src[2]};
	uint32_t copies[3][2 * GFX_MAX_LANES];
	uint32_t bits;

	if (!lanes || !raises(operation)) {
		call(vector);
		return;
	}
	copy_active(vector, lanes, copies);
	for (uint32_t i = 0; i < 3; i++)
		vector->src[i] = sources[i] ? copies[i] : NULL;
	bits = takes_denormals(vector, lanes) ? TRAPSTS_DENORMAL : 0;
	feclearexcept(FE_ALL_EXCEPT);
	call(vector);
	vector->context->wave->trapsts |= bits | raised(operation);
	for (uint32_t i = 0; i < 3; i++)
		vector->src[i] = sources[i];
}
