/* SPDX-License-Identifier: MIT */
/* From operand fields to planes of lane values. */
#include "gfx/alu/half.h"
#include "gfx/alu/vector.h"

static const uint32_t zeros[4 * GFX_MAX_LANES];

static void copy_planes(uint32_t *to, const uint32_t *from, uint32_t words)
{
	if (to != from)
		memcpy(to, from, words * GFX_MAX_LANES * sizeof(*to));
}

static void source_spread(uint32_t *to, uint64_t value, uint32_t words)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		to[lane] = (uint32_t)value;
	if (words > 1)
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			to[lane + GFX_MAX_LANES] = (uint32_t)(value >> 32);
}

/* A register past those the wave has reads v0, as far as that exists. */
static const uint32_t *read_vector(const struct gfx_vector *vector, uint32_t index, uint32_t words)
{
	const struct gfx_wave *wave = vector->context->wave;
	uint32_t flags = vector->instruction->operation->flags;
	bool acc = index == 0 && flags & GFX_SRC_AGPR;
	uint32_t number = vector->instruction->src[index] & 0xffU;
	const uint32_t *planes =
		gfx_vgpr(wave, number + gfx_register_index(wave, index), words, acc);

	if (!planes)
		planes = gfx_vgpr(wave, 0, words, acc);
	return planes ? planes : zeros;
}

/* Constants of a packed pair sit in its low part. */
static uint64_t read_uniform(const struct gfx_vector *vector, uint32_t code, uint32_t type)
{
	if (type == GFX_MIX)
		type = GFX_F32;
	if ((type == GFX_V2F32 || type == GFX_V2B32) && code >= GFX_CODE_ZERO)
		return (uint32_t)gfx_read_constant(vector->context, code, GFX_F32);
	return gfx_read_constant(vector->context, code, (enum gfx_type)type);
}

static uint32_t sdwa_part(struct gfx_sdwa_select select, uint32_t value)
{
	uint32_t width = select.select < 4 ? 8 : 16;
	uint32_t shift = select.select < 4 ? select.select * 8U : select.select % 2 * 16U;

	if (select.select == 6)
		return value;
	value = value >> shift & ((1U << width) - 1);
	if (select.sign)
		value = (uint32_t)((int32_t)(value << (32 - width)) >> (32 - width));
	return value;
}

static void select_sdwa(const struct gfx_vector *vector, uint32_t index, uint32_t *values)
{
	struct gfx_sdwa_select select = vector->instruction->sdwa_src[index];

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		values[lane] = sdwa_part(select, values[lane]);
}

static uint32_t sign_bit(uint32_t type)
{
	if (type == GFX_F16)
		return 0x8000;
	return type == GFX_F32 || type == GFX_F64 || type == GFX_S32 ? 0x80000000 : 0;
}

/* Absolute value, then negation, in the word that has the sign. */
static void apply_signs(const struct gfx_vector *vector, uint32_t index, uint32_t type,
			uint32_t *values)
{
	uint32_t bit = sign_bit(type);
	uint32_t clear = vector->instruction->abs >> index & 1 ? bit : 0;
	uint32_t flip = vector->instruction->neg >> index & 1 ? bit : 0;

	if (gfx_type_words(type) > 1)
		values += GFX_MAX_LANES;
	if (!(clear | flip))
		return;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		values[lane] = (values[lane] & ~clear) ^ flip;
}

static void select_half(const struct gfx_vector *vector, uint32_t index, uint32_t *values)
{
	if (!(vector->instruction->op_sel >> index & 1))
		return;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		values[lane] >>= 16;
}

struct pair_selection {
	bool low, high;		      /* which half each result half is taken from */
	uint32_t clear;		      /* sign bits, of both, */
	uint32_t flip_low, flip_high; /* and of each */
};

static struct pair_selection pair_selection(const struct gfx_instruction *instruction,
					    uint32_t index, uint32_t sign)
{
	return (struct pair_selection){
		.low = instruction->op_sel >> index & 1,
		.high = instruction->op_sel_hi >> index & 1,
		.clear = instruction->abs >> index & 1 ? sign : 0,
		.flip_low = instruction->neg >> index & 1 ? sign : 0,
		.flip_high = instruction->neg_hi >> index & 1 ? sign : 0,
	};
}

static void select_pair16(const struct gfx_vector *vector, uint32_t index, uint32_t type,
			  uint32_t *values)
{
	struct pair_selection pair =
		pair_selection(vector->instruction, index, type == GFX_V2B16 ? 0 : 0x8000);

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t value = values[lane];
		uint32_t low = (pair.low ? value >> 16 : value & 0xffff) & ~pair.clear;
		uint32_t high = (pair.high ? value >> 16 : value & 0xffff) & ~pair.clear;

		values[lane] = (low ^ pair.flip_low) | (high ^ pair.flip_high) << 16;
	}
}

static void select_pair32(const struct gfx_vector *vector, uint32_t index, uint32_t type,
			  uint32_t *values)
{
	struct pair_selection pair =
		pair_selection(vector->instruction, index, type == GFX_V2F32 ? 0x80000000 : 0);

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t low = values[lane], high = values[lane + GFX_MAX_LANES];

		values[lane] = (pair.low ? high : low) ^ pair.flip_low;
		values[lane + GFX_MAX_LANES] = (pair.high ? high : low) ^ pair.flip_high;
	}
}

/* The half as a single; a signalling NaN stays one, for the operation itself to see. */
static uint32_t widened(uint32_t half)
{
	if ((half & 0x7c00) == 0x7c00)
		return (half & 0x8000) << 16 | 0x7f800000 | (half & 0x3ff) << 13;
	return gfx_f32_bits(gfx_half_to_float((uint16_t)half));
}

/* A mixed source is a half when op_sel_hi says so; the fields of the high signs mean absolute. */
static void select_mix(const struct gfx_vector *vector, uint32_t index, uint32_t *values)
{
	const struct gfx_instruction *instruction = vector->instruction;
	bool half = instruction->op_sel_hi >> index & 1, high = instruction->op_sel >> index & 1;
	uint32_t clear = instruction->neg_hi >> index & 1 ? 0x80000000 : 0;
	uint32_t flip = instruction->neg >> index & 1 ? 0x80000000 : 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t value = values[lane];

		if (half)
			value = widened(high ? value >> 16 : value & 0xffff);
		values[lane] = (value & ~clear) ^ flip;
	}
}

static void modify(struct gfx_vector *vector, uint32_t index, uint32_t type, uint32_t *values)
{
	switch (type) {
	case GFX_V2B16:
	case GFX_V2F16:
	case GFX_V2BF16:
		select_pair16(vector, index, type, values);
		return;
	case GFX_V2B32:
	case GFX_V2F32:
		select_pair32(vector, index, type, values);
		return;
	case GFX_MIX:
		select_mix(vector, index, values);
		return;
	case GFX_B16:
	case GFX_F16:
		select_half(vector, index, values);
		break;
	default:
		break;
	}
	if (vector->instruction->extension == GFX_EXTENSION_SDWA && index < 2)
		select_sdwa(vector, index, values);
	apply_signs(vector, index, type, values);
}

static bool flushes(const struct gfx_vector *vector, uint32_t type)
{
	uint32_t flags = vector->instruction->operation->flags;
	bool known = type == GFX_F16 || type == GFX_F32 || type == GFX_F64 || type == GFX_V2F16;

	if (flags & GFX_NOT_ARITHMETIC)
		return false;
	return (flags & GFX_NO_MODE && known) || !gfx_keeps_denormals(vector->mode, type, false);
}

static void source_prepare(struct gfx_vector *vector, uint32_t index, uint32_t *room,
			   uint64_t *lanes)
{
	const struct gfx_instruction *instruction = vector->instruction;
	uint32_t type = instruction->operation->src[index], code = instruction->src[index];
	uint32_t words = gfx_type_words(type);
	const uint32_t *values = room;

	if (code >= GFX_CODE_VGPR0)
		values = read_vector(vector, index, words);
	else
		source_spread(room, read_uniform(vector, code, type), words);
	if (index == 0 && (instruction->extension == GFX_EXTENSION_DPP ||
			   instruction->extension == GFX_EXTENSION_DPP8)) {
		for (uint32_t i = 0; i < words; i++)
			gfx_dpp_select(instruction, vector->context->wave->exec,
				       values + i * GFX_MAX_LANES, room + i * GFX_MAX_LANES, lanes);
		values = room;
	}
	if (instruction->modified) {
		copy_planes(room, values, words);
		modify(vector, index, type, room);
		values = room;
	}
	if (flushes(vector, type)) {
		copy_planes(room, values, words);
		gfx_flush_denormals(room, type);
		values = room;
	}
	vector->src[index] = values;
}

void gfx_prepare_sources(struct gfx_vector *vector, struct gfx_vector_room *room, uint64_t *lanes)
{
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t type = vector->instruction->operation->src[i];

		vector->src[i] = zeros;
		if (type != GFX_NONE && type != GFX_MASK)
			source_prepare(vector, i, room->src[i], lanes);
	}
}
