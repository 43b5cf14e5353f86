/* SPDX-License-Identifier: MIT */
/* Vector operations: the frame around their semantic functions. */
#include "gfx/alu/scalar.h"
#include "gfx/alu/vector.h"

#include <fenv.h>

static bool is_half(uint32_t type)
{
	return type == GFX_F16 || type == GFX_V2F16;
}

static bool is_float(uint32_t type)
{
	return is_half(type) || type == GFX_F32 || type == GFX_F64 || type == GFX_V2F32;
}

/* Halves are rounded by the functions themselves, from a single where precisions are mixed. */
static enum gfx_round host_rounding(const struct gfx_operation *operation, uint32_t mode)
{
	if (operation->src[0] == GFX_MIX)
		return gfx_round_single(mode);
	return is_half(operation->dst) ? GFX_ROUND_NEAREST : gfx_rounding(operation, mode);
}

/* The host rounds as the wave's mode says during the one call. */
static void call(struct gfx_vector *vector)
{
	static const int host_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	const struct gfx_operation *operation = vector->instruction->operation;
	enum gfx_round round = host_rounding(operation, vector->mode);
	int before;

	if (round == GFX_ROUND_NEAREST) {
		operation->vector(vector);
		return;
	}
	before = fegetround();
	fesetround(host_modes[round]);
	operation->vector(vector);
	fesetround(before);
}

/* Carry or condition: vcc for the short forms, the third source for the long one. */
static void read_mask(struct gfx_vector *vector)
{
	const struct gfx_instruction *instruction = vector->instruction;
	uint32_t flags = instruction->operation->flags;
	bool is_long = instruction->encoding == GFX_VOP3E || instruction->encoding == GFX_VOP3;

	if (flags & GFX_READS_VCC || (flags & GFX_CARRY_IN && !is_long))
		vector->mask_in = gfx_vcc_lanes(vector->context->wave);
	else if (flags & GFX_CARRY_IN)
		vector->mask_in = gfx_read_mask(vector->context, instruction->src[2]);
}

/* SDWA puts the result into a part of the register; the rest becomes 0, the sign, or stays. */
static void place_sdwa(const struct gfx_instruction *instruction, uint32_t *result,
		       const uint32_t *old)
{
	uint32_t select = instruction->sdwa_dst, width = select < 4 ? 8 : 16;
	uint32_t shift = select < 4 ? select * 8 : select % 2 * 16;
	uint32_t mask = ((1U << width) - 1) << shift;

	if (select == 6)
		return;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t part = result[lane] << shift & mask;
		uint32_t sign = result[lane] >> (width - 1) & 1 ? ~(mask | ((1U << shift) - 1)) : 0;

		if (instruction->sdwa_unused == 1)
			part |= sign;
		else if (instruction->sdwa_unused == 2)
			part |= old[lane] & ~mask;
		result[lane] = part;
	}
}

/* Operations with half-register destinations keep the other half, where op_sel can choose one. */
static void place_half(const struct gfx_instruction *instruction, uint32_t *result,
		       const uint32_t *old)
{
	uint32_t flags = instruction->operation->flags;
	bool high = instruction->op_sel & 8 || flags & GFX_HIGH_HALF;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t half = result[lane] & 0xffff;

		result[lane] =
			high ? (old[lane] & 0xffff) | half << 16 : (old[lane] & 0xffff0000) | half;
	}
}

static void vector_write(struct gfx_vector *vector, uint64_t lanes)
{
	const struct gfx_instruction *instruction = vector->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t words = gfx_type_words(operation->dst);
	bool half = gfx_type_is_half(operation->dst);
	const struct gfx_wave *wave = vector->context->wave;
	uint32_t *dst = gfx_vgpr(wave, instruction->dst + gfx_register_index(wave, 3), words,
				 operation->flags & GFX_DST_AGPR);

	/* A destination past the wave's registers is written nowhere, and v_nop has none. */
	if (!dst || operation->dst == GFX_NONE)
		return;
	if (half && operation->flags & GFX_KEEPS_HIGH)
		place_half(instruction, vector->dst, dst);
	else if (half)
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			vector->dst[lane] &= 0xffff;
	if (instruction->extension == GFX_EXTENSION_SDWA)
		place_sdwa(instruction, vector->dst, dst);
	for (uint32_t i = 0; i < words; i++)
		gfx_commit_lanes(dst + i * GFX_MAX_LANES, vector->dst + i * GFX_MAX_LANES, lanes);
}

static bool integer_clamp_missing(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	return instruction->clamp && !is_float(operation->dst) &&
	       !(operation->flags & GFX_INTEGER_CLAMP);
}

enum gfx_step gfx_execute_vector(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	struct gfx_vector_room room;
	struct gfx_vector vector = {
		.context = context,
		.instruction = instruction,
		.dst = room.dst,
		.mode = context->wave->mode,
	};
	uint64_t lanes = context->wave->exec;

	if (integer_clamp_missing(instruction))
		return gfx_illegal(context, true, "clamp is not implemented for this operation");
	gfx_prepare_sources(&vector, &room, &lanes);
	read_mask(&vector);
	if (vector.mode & GFX_MODE_EXCEPTIONS)
		gfx_note_exceptions(&vector, lanes);
	call(&vector);
	if (is_float(operation->dst) && !(operation->flags & GFX_NOT_ARITHMETIC))
		gfx_finish_result(&vector);
	vector_write(&vector, lanes);
	if (operation->flags & GFX_CARRY_OUT)
		gfx_write_mask(context, instruction->sdst, vector.mask & lanes);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_execute_compare(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	struct gfx_vector_room room;
	struct gfx_vector vector = {
		.context = context,
		.instruction = instruction,
		.dst = room.dst,
		.mode = context->wave->mode,
	};
	uint64_t lanes = context->wave->exec;

	gfx_prepare_sources(&vector, &room, &lanes);
	if (vector.mode & GFX_MODE_EXCEPTIONS)
		gfx_note_exceptions(&vector, lanes);
	instruction->operation->vector(&vector);
	vector.mask &= lanes;
	gfx_write_mask(context, instruction->sdst, vector.mask);
	if (instruction->operation->flags & GFX_WRITES_EXEC)
		context->wave->exec = vector.mask;
	return GFX_STEP_DONE;
}

/*
 * An operation of vectors with scalar sources, which all lanes have alike: the first one's result is that of the instruction, whatever
 * exec says. A half leaves zeros above it.
 */
enum gfx_step gfx_execute_scalar_float(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	struct gfx_wave *wave = context->wave;
	struct gfx_vector_room room;
	struct gfx_vector vector = {
		.context = context,
		.instruction = instruction,
		.dst = room.dst,
		.mode = wave->mode,
	};
	uint64_t lanes = 1;

	gfx_prepare_sources(&vector, &room, &lanes);
	if (vector.mode & GFX_MODE_EXCEPTIONS)
		gfx_note_exceptions(&vector, lanes);
	call(&vector);
	if (operation->dst == GFX_NONE) {
		wave->status =
			(wave->status & ~GFX_STATUS_SCC) | (uint32_t)(vector.mask & GFX_STATUS_SCC);
		return GFX_STEP_DONE;
	}
	if (is_float(operation->dst))
		gfx_finish_result(&vector);
	gfx_write_scalar32(wave, instruction->dst,
			   is_half(operation->dst) ? room.dst[0] & 0xffff : room.dst[0]);
	return GFX_STEP_DONE;
}

/*
 * Each operation as one of its own, in the order in which the second does not see what the first wrote: its result is put in place behind the
 * second. The registers that they write are not the same ones. One of them may be executed alone.
 */
enum gfx_step gfx_execute_dual(struct gfx_context *context)
{
	const struct gfx_instruction *both = context->instruction;
	uint32_t *first = both->second ? gfx_vgpr(context->wave, both->dst, 1, false) : NULL;
	uint32_t before[GFX_MAX_LANES], result[GFX_MAX_LANES];
	struct gfx_instruction part;

	gfx_instruction_part(both, false, &part);
	part.encoding = GFX_VOP2;
	context->instruction = &part;
	if (first)
		memcpy(before, first, sizeof(before));
	gfx_execute_vector(context);
	if (first) {
		memcpy(result, first, sizeof(result));
		memcpy(first, before, sizeof(before));
	}
	if (both->second) {
		gfx_instruction_part(both, true, &part);
		part.encoding = GFX_VOP2;
		gfx_execute_vector(context);
	}
	if (first)
		memcpy(first, result, sizeof(result));
	context->instruction = both;
	return GFX_STEP_DONE;
}
