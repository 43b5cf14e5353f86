/* SPDX-License-Identifier: MIT */
/* Scalar operand codes to values and back, inline constants, and where vector registers are. */
#include "gfx/instruction/fields.h"
#include "gfx/wave/context.h"

#define SGPR_CODES 102U
#define ALIASED_SGPRS 6U
#define TTMP_COUNT 16U
#define STATUS_SCC 1U
#define STATUS_PRIVILEGED (1U << 5)

enum gfx_step gfx_illegal(struct gfx_context *context, bool not_implemented, const char *reason)
{
	context->fault->not_implemented = not_implemented;
	context->fault->reason = reason;
	return GFX_STEP_ILLEGAL_INSTRUCTION;
}

static uint32_t half_of(uint64_t pair, uint32_t index)
{
	return (uint32_t)(index & 1 ? pair >> 32 : pair);
}

/*
 * The last six SGPRs of a wave's allocation are flat_scratch, xnack_mask and vcc, by their numbers
 * too: a program without use for one of the first two has two more SGPRs.
 */
static uint32_t without_alias(const struct gfx_wave *wave, uint32_t code)
{
	if (code < wave->sgpr_count || code - wave->sgpr_count >= ALIASED_SGPRS)
		return code;
	return GFX_CODE_FLAT_SCRATCH + code - wave->sgpr_count;
}

/* A register past those the wave has reads s0. */
static uint32_t read_sgpr(const struct gfx_wave *wave, uint32_t number)
{
	return wave->sgprs[number < wave->sgpr_count && number < GFX_MAX_SGPRS ? number : 0];
}

static uint32_t code_read_register(const struct gfx_wave *wave, uint32_t code)
{
	/* From gfx10 on a wave has all of them, those by the numbers of the ones below among them. */
	if (code < wave->sgpr_count && code < GFX_MAX_SGPRS)
		return wave->sgprs[code];
	if (code < SGPR_CODES)
		code = without_alias(wave, code);
	if (code < SGPR_CODES)
		return read_sgpr(wave, code);
	if (code < GFX_CODE_XNACK_MASK)
		return half_of(wave->flat_scratch, code);
	if (code < GFX_CODE_VCC)
		return half_of(wave->xnack_mask, code);
	if (code < GFX_CODE_TTMP0)
		return half_of(wave->vcc, code);
	if (code < GFX_CODE_M0)
		return wave->ttmps[(code - GFX_CODE_TTMP0) % TTMP_COUNT];
	if (code == GFX_CODE_M0)
		return wave->m0;
	return code >= GFX_CODE_EXEC ? half_of(wave->exec, code) : 0;
}

/* Bit patterns of +-0.5, 1, 2, 4 and 1/(2 pi), in the order of their codes. */
static const uint16_t half_constants[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
					  0xc000, 0x4400, 0xc400, 0x3118};
static const uint32_t single_constants[] = {0x3f000000, 0xbf000000, 0x3f800000,
					    0xbf800000, 0x40000000, 0xc0000000,
					    0x40800000, 0xc0800000, 0x3e22f983};
static const uint64_t double_constants[] = {
	0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
	0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
	0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882,
};

/* A pair of halves has it in the low one; to a pair of integers it is the single, whose halves they are. */
static uint64_t float_constant(uint32_t index, enum gfx_type type)
{
	switch (type) {
	case GFX_F64:
	case GFX_B64:
		return double_constants[index];
	case GFX_B16:
	case GFX_F16:
	case GFX_V2F16:
		return half_constants[index];
	case GFX_V2BF16:
		return single_constants[index] >> 16;
	case GFX_V2B16:
	default:
		return single_constants[index];
	}
}

static uint64_t aperture(const struct gfx_memory *memory, uint32_t code)
{
	switch (code) {
	case GFX_CODE_SHARED_BASE:
		return memory->local_base;
	case GFX_CODE_SHARED_LIMIT:
		return memory->local_limit;
	case GFX_CODE_PRIVATE_BASE:
		return memory->private_base;
	default:
		return memory->private_limit;
	}
}

/* An aperture read as 32 bits is its upper half: bases and limits differ there only. */
static uint64_t special_value(const struct gfx_context *context, uint32_t code, bool wide)
{
	const struct gfx_wave *wave = context->wave;

	switch (code) {
	case GFX_CODE_SHARED_BASE:
	case GFX_CODE_SHARED_LIMIT:
	case GFX_CODE_PRIVATE_BASE:
	case GFX_CODE_PRIVATE_LIMIT:
		return aperture(context->memory, code) >> (wide ? 0 : 32);
	case GFX_CODE_VCCZ:
		return gfx_vcc_lanes(wave) == 0;
	case GFX_CODE_EXECZ:
		return wave->exec == 0;
	case GFX_CODE_SCC:
		return wave->status & STATUS_SCC;
	default:
		return 0;
	}
}

/* A literal has 32 bits: the upper ones of a double; a 64-bit integer gets zeros above it. */
static uint64_t literal_value(uint32_t literal, enum gfx_type type)
{
	return type == GFX_F64 ? (uint64_t)literal << 32 : literal;
}

/* Short forms of packed operations choose no halves: from gfx11 on a constant that is not a literal is in both. */
static bool is_in_both_halves(const struct gfx_instruction *instruction, enum gfx_type type)
{
	return type == GFX_V2F16 && instruction->encoding == GFX_VOP2 &&
	       instruction->generation >= GFX_GENERATION_11;
}

static uint64_t inline_constant(const struct gfx_context *context, uint32_t code,
				enum gfx_type type)
{
	bool wide = gfx_type_words(type) > 1;

	if (code <= 192)
		return code - GFX_CODE_ZERO;
	if (code <= 208)
		return (uint64_t)(192 - (int64_t)code);
	if (code >= GFX_CODE_FLOATS && code <= GFX_CODE_INVERSE_2PI)
		return float_constant(code - GFX_CODE_FLOATS, type);
	return special_value(context, code, wide);
}

uint64_t gfx_read_constant(const struct gfx_context *context, uint32_t code, enum gfx_type type)
{
	uint64_t value;

	if (code < GFX_CODE_ZERO)
		return gfx_type_words(type) > 1 ? gfx_read_scalar64(context, code)
						: code_read_register(context->wave, code);
	if (code == GFX_CODE_LITERAL)
		return literal_value(context->instruction->literal, type);
	value = inline_constant(context, code, type);
	return is_in_both_halves(context->instruction, type) ? (value & 0xffff) * 0x10001 : value;
}

uint32_t gfx_read_scalar32(const struct gfx_context *context, uint32_t code)
{
	return (uint32_t)gfx_read_constant(context, code, GFX_B32);
}

uint64_t gfx_read_scalar64(const struct gfx_context *context, uint32_t code)
{
	if (code >= GFX_CODE_ZERO)
		return gfx_read_constant(context, code, GFX_B64);
	if (code == GFX_CODE_NULL)
		return 0;
	return code_read_register(context->wave, code) |
	       (uint64_t)code_read_register(context->wave, code + 1) << 32;
}

static void set_half(uint64_t *pair, uint32_t index, uint32_t value)
{
	uint32_t shift = index & 1 ? 32 : 0;

	*pair = (*pair & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)value << shift;
}

/* Trap temporaries belong to the trap handler: without its privilege a write is lost. */
void gfx_write_scalar32(struct gfx_wave *wave, uint32_t code, uint32_t value)
{
	if (code < SGPR_CODES)
		code = without_alias(wave, code);
	if (code < wave->sgpr_count && code < GFX_MAX_SGPRS) {
		wave->sgprs[code] = value;
	} else if (code < SGPR_CODES) {
		return;
	} else if (code < GFX_CODE_XNACK_MASK) {
		set_half(&wave->flat_scratch, code, value);
	} else if (code < GFX_CODE_VCC) {
		set_half(&wave->xnack_mask, code, value);
	} else if (code < GFX_CODE_TTMP0) {
		set_half(&wave->vcc, code, value);
	} else if (code < GFX_CODE_M0) {
		if (wave->status & STATUS_PRIVILEGED)
			wave->ttmps[(code - GFX_CODE_TTMP0) % TTMP_COUNT] = value;
	} else if (code == GFX_CODE_M0) {
		wave->m0 = value;
	} else if (code == GFX_CODE_EXEC || code == GFX_CODE_EXEC + 1) {
		/* A wave of 32 lanes has no upper half. */
		if (code == GFX_CODE_EXEC || !gfx_is_short(wave))
			set_half(&wave->exec, code, value);
	}
}

void gfx_write_scalar64(struct gfx_wave *wave, uint32_t code, uint64_t value)
{
	/* Nothing behind null is a half of it. */
	if (code == GFX_CODE_NULL)
		return;
	gfx_write_scalar32(wave, code, (uint32_t)value);
	gfx_write_scalar32(wave, code + 1, (uint32_t)(value >> 32));
}

uint64_t gfx_read_mask(const struct gfx_context *context, uint32_t code)
{
	if (gfx_is_short(context->wave))
		return gfx_read_scalar32(context, code);
	return gfx_read_scalar64(context, gfx_mask_code(context->instruction, code, GFX_MAX_LANES));
}

void gfx_write_mask(const struct gfx_context *context, uint32_t code, uint64_t mask)
{
	if (gfx_is_short(context->wave))
		gfx_write_scalar32(context->wave, code, (uint32_t)mask);
	else
		gfx_write_scalar64(context->wave,
				   gfx_mask_code(context->instruction, code, GFX_MAX_LANES), mask);
}
