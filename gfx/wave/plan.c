/* SPDX-License-Identifier: MIT */
/* Finds the places of the scalar operands of a plan. */
#include "gfx/wave/plan.h"

#define SGPR_CODES 102U

static bool place_pair(size_t pair, uint32_t code, uint32_t words, uint32_t *place_ret)
{
	if ((code & 1) + words > 2)
		return false;
	*place_ret = (uint32_t)pair + 4 * (code & 1);
	return true;
}

/* Registers that have another name, or are not there, are left to operands.c. */
static bool place_sgpr(const struct gfx_wave *wave, uint32_t code, uint32_t words,
		       uint32_t *place_ret)
{
	if (code + words > wave->sgpr_count || code + words > GFX_MAX_SGPRS)
		return false;
	*place_ret = (uint32_t)(offsetof(struct gfx_wave, sgprs) + 4 * code);
	return true;
}

bool gfx_plan_scalar(const struct gfx_wave *wave, uint32_t code, uint32_t words, bool write,
		     uint32_t *place_ret)
{
	/* The halves of a pair are words in their order on such hosts alone. */
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	if (code < SGPR_CODES || code < wave->sgpr_count)
		return place_sgpr(wave, code, words, place_ret);
	if (code < GFX_CODE_XNACK_MASK)
		return place_pair(offsetof(struct gfx_wave, flat_scratch), code, words, place_ret);
	if (code < GFX_CODE_VCC)
		return place_pair(offsetof(struct gfx_wave, xnack_mask), code, words, place_ret);
	if (code < GFX_CODE_TTMP0)
		return place_pair(offsetof(struct gfx_wave, vcc), code, words, place_ret);
	/* A wave of 32 lanes has no upper half: writes to it are lost. */
	if ((code == GFX_CODE_EXEC || code == GFX_CODE_EXEC + 1) && write && gfx_is_short(wave) &&
	    code + words > GFX_CODE_EXEC + 1)
		return false;
	if (code == GFX_CODE_EXEC || code == GFX_CODE_EXEC + 1)
		return place_pair(offsetof(struct gfx_wave, exec), code, words, place_ret);
	if (code < GFX_CODE_M0) {
		*place_ret = (uint32_t)(offsetof(struct gfx_wave, ttmps) +
					4 * (size_t)(code - GFX_CODE_TTMP0));
		return !write && code + words <= GFX_CODE_M0;
	}
	*place_ret = offsetof(struct gfx_wave, m0);
	return code == GFX_CODE_M0 && words == 1;
}

static bool is_constant(uint32_t code)
{
	return (code >= GFX_CODE_ZERO && code <= 208) || code == GFX_CODE_LITERAL ||
	       (code >= GFX_CODE_FLOATS && code <= GFX_CODE_INVERSE_2PI);
}

bool gfx_plan_uniform(const struct gfx_context *context, uint32_t code, enum gfx_type type,
		      uint32_t index, struct gfx_plan *plan)
{
	struct gfx_plan_source *source = &plan->src[index];

	source->words = (uint8_t)gfx_type_words(type);
	source->file = GFX_FILE_WAVE;
	if (!is_constant(code)) {
		if (!gfx_plan_scalar(context->wave, code, source->words, false, &source->place[0]))
			return false;
		source->place[1] = source->place[0] + 4;
		return true;
	}
	/* Words are compared in this order below. */
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	source->file = GFX_FILE_VALUES;
	source->place[0] = (uint32_t)(index * sizeof(plan->values[0]));
	source->place[1] = source->place[0] + 4;
	plan->values[index] = gfx_read_constant(context, code, type);
	return true;
}
