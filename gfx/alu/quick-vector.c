/* SPDX-License-Identifier: MIT */
/*
 * Vector operations whose operands are known: sources are taken in place or copied with a change of their signs, and
 * results go to the active lanes. Parts of registers (SDWA), output modifiers and rare modes are left to vector.c.
 */
#include "gfx/alu/quick.h"
#include "gfx/alu/vector.h"
#include "gfx/wave/some.h"

#define SINGLE_INFINITY 0x7f800000
#define DOUBLE_INFINITY 0x7ff00000 /* the upper word */
#define SIGN 0x80000000U
#define MODE_FLOATS 0xffU /* rounding and denormals of both widths: */
#define MODE_USUAL 0xf0U  /* to nearest, and all are kept */

GFX_ALWAYS void spread(uint32_t *to, uint32_t value)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		to[lane] = value;
}

GFX_ALWAYS void copy_changed(uint32_t *to, const uint32_t *from, uint32_t clear, uint32_t flip)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		to[lane] = (from[lane] & ~clear) ^ flip;
}

/* Whether a word without its sign is above a limit. */
GFX_ALWAYS bool any_above(const uint32_t *values, int32_t limit)
{
	uint32_t any = 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		any |= (int32_t)(values[lane] & ~SIGN) > limit ? 1U : 0U;
	return any;
}

static const uint32_t zeros[2 * GFX_MAX_LANES];

GFX_ALWAYS const uint32_t *take(const struct gfx_context *context,
				const struct gfx_plan_source *source, uint32_t *room)
{
	const struct gfx_wave *wave = context->wave;
	const uint32_t *planes = source->file == GFX_FILE_AGPRS ? wave->agprs : wave->vgprs;
	const uint8_t *words = source->file == GFX_FILE_WAVE
				       ? (const uint8_t *)wave
				       : (const uint8_t *)context->plan->values;

	if (source->in_place)
		return planes + source->place[0];
	if (source->file == GFX_FILE_NONE)
		return zeros;
	for (uint32_t i = 0; i < source->words; i++) {
		uint32_t clear = source->clear[i], flip = source->flip[i], word;
		uint32_t *to = room + i * GFX_MAX_LANES;

		if (source->file == GFX_FILE_VGPRS || source->file == GFX_FILE_AGPRS) {
			copy_changed(to, planes + source->place[i], clear, flip);
			continue;
		}
		memcpy(&word, words + source->place[i], sizeof(word));
		spread(to, (word & ~clear) ^ flip);
	}
	return room;
}

GFX_ALWAYS void finish(struct gfx_vector *vector, enum gfx_plan_finish how)
{
	uint32_t *high = vector->dst + GFX_MAX_LANES;

	switch (how) {
	case GFX_FINISH_HALVES:
		copy_changed(vector->dst, vector->dst, 0xffff0000, 0);
		break;
	case GFX_FINISH_SINGLES:
		if (any_above(vector->dst, SINGLE_INFINITY))
			gfx_finish_result(vector);
		break;
	case GFX_FINISH_PAIRS:
		if (any_above(vector->dst, SINGLE_INFINITY) || any_above(high, SINGLE_INFINITY))
			gfx_finish_result(vector);
		break;
	case GFX_FINISH_DOUBLES:
		if (any_above(high, DOUBLE_INFINITY - 1))
			gfx_finish_result(vector);
		break;
	case GFX_FINISH_NOTHING:
	default:
		break;
	}
}

/* The first source's lanes change places. A constant is the same in all, and its planes are copied when they are needed. */
GFX_ALWAYS void select_lanes(const struct gfx_context *context, struct gfx_vector_room *room,
			     struct gfx_vector *vector, uint64_t *lanes)
{
	uint32_t selected[GFX_MAX_LANES];

	for (uint32_t i = 0; i < context->plan->src[0].words; i++) {
		gfx_dpp_select(context->instruction, context->wave->exec,
			       vector->src[0] + i * GFX_MAX_LANES, selected, lanes);
		memcpy(room->src[0] + i * GFX_MAX_LANES, selected, sizeof(selected));
	}
	vector->src[0] = room->src[0];
}

/* @lanes: set to the lanes that are written. */
GFX_ALWAYS void prepare(const struct gfx_context *context, struct gfx_vector_room *room,
			struct gfx_vector *vector, uint64_t *lanes)
{
	const struct gfx_plan *plan = context->plan;

	*lanes = context->wave->exec;
	for (uint32_t i = 0; i < 3; i++)
		vector->src[i] = take(context, &plan->src[i], room->src[i]);
	if (context->instruction->extension == GFX_EXTENSION_DPP)
		select_lanes(context, room, vector, lanes);
	if (plan->mask_in != GFX_NO_PLACE)
		vector->mask_in = gfx_wave_mask(context->wave, plan);
}

GFX_LANE_LOOPS static enum gfx_step quick_vector_execute(struct gfx_context *context)
{
	const struct gfx_plan *plan = context->plan;
	struct gfx_wave *wave = context->wave;
	struct gfx_vector_room room;
	struct gfx_vector vector = {
		.context = context,
		.instruction = context->instruction,
		.dst = room.dst,
		.mode = wave->mode,
	};
	uint32_t *to = plan->dst_file == GFX_FILE_AGPRS ? wave->agprs : wave->vgprs;
	uint64_t lanes;

	prepare(context, &room, &vector, &lanes);
	plan->vector(&vector);
	finish(&vector, (enum gfx_plan_finish)plan->finish);
	for (uint32_t i = 0; i < plan->dst_words; i++)
		gfx_take_lanes(to + plan->dst + i * GFX_MAX_LANES, room.dst + i * GFX_MAX_LANES,
			       lanes);
	if (plan->mask_out != GFX_NO_PLACE)
		gfx_set_wave_mask(wave, plan, vector.mask & lanes);
	return GFX_STEP_DONE;
}

GFX_LANE_LOOPS static enum gfx_step quick_vector_compare(struct gfx_context *context)
{
	const struct gfx_plan *plan = context->plan;
	struct gfx_wave *wave = context->wave;
	struct gfx_vector_room room;
	struct gfx_vector vector = {
		.context = context,
		.instruction = context->instruction,
		.dst = room.dst,
		.mode = wave->mode,
	};
	uint64_t lanes;

	prepare(context, &room, &vector, &lanes);
	plan->vector(&vector);
	vector.mask &= lanes;
	gfx_set_wave_mask(wave, plan, vector.mask);
	if (context->instruction->operation->flags & GFX_WRITES_EXEC)
		wave->exec = vector.mask;
	return GFX_STEP_DONE;
}

/* ---- Plans ---- */

static bool is_pair(enum gfx_type type)
{
	return type == GFX_V2F32 || type == GFX_V2B32;
}

/* Sign changes as modify() in operand-planes.c makes them. */
static void plan_signs(const struct gfx_instruction *instruction, enum gfx_type type,
		       uint32_t index, struct gfx_plan_source *source)
{
	bool single = type == GFX_F32 || type == GFX_F64 || type == GFX_S32;
	uint32_t bit = type == GFX_F16 ? 0x8000 : single ? SIGN : 0, last = source->words - 1U;

	if (is_pair(type)) {
		bit = type == GFX_V2F32 ? SIGN : 0;
		source->flip[0] = instruction->neg >> index & 1 ? bit : 0;
		source->flip[1] = instruction->neg_hi >> index & 1 ? bit : 0;
		return;
	}
	source->clear[last] = instruction->abs >> index & 1 ? bit : 0;
	source->flip[last] = instruction->neg >> index & 1 ? bit : 0;
}

/* Each result of a pair takes either word of each source. */
static void select_pair(const struct gfx_instruction *instruction, uint32_t index,
			struct gfx_plan_source *source)
{
	uint32_t low = source->place[0], high = source->place[1];

	source->place[0] = instruction->op_sel >> index & 1 ? high : low;
	source->place[1] = instruction->op_sel_hi >> index & 1 ? high : low;
}

static bool plan_planes(const struct gfx_context *context, uint32_t index, enum gfx_type type,
			struct gfx_plan_source *source)
{
	const struct gfx_instruction *instruction = context->instruction;
	bool acc = index == 0 && instruction->operation->flags & GFX_SRC_AGPR;
	uint32_t number = instruction->src[index] & 0xffU, words = gfx_type_words(type);

	if (!gfx_vgpr(context->wave, number, words, acc))
		return false;
	source->file = acc ? GFX_FILE_AGPRS : GFX_FILE_VGPRS;
	source->words = (uint8_t)words;
	source->place[0] = number * GFX_MAX_LANES;
	source->place[1] = source->place[0] + GFX_MAX_LANES;
	return true;
}

/* A packed pair of singles has a constant in its low part alone. */
static bool vector_plan_source(const struct gfx_context *context, uint32_t index,
			       struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	enum gfx_type type = (enum gfx_type)instruction->operation->src[index];
	struct gfx_plan_source *source = &plan->src[index];
	uint32_t code = instruction->src[index];
	bool planes = code >= GFX_CODE_VGPR0;

	if (type == GFX_MIX)
		return false;
	if (planes && !plan_planes(context, index, type, source))
		return false;
	if (!planes && !gfx_plan_uniform(context, code, type, index, plan))
		return false;
	if (source->file == GFX_FILE_VALUES && is_pair(type))
		plan->values[index] = (uint32_t)gfx_read_constant(context, code, GFX_F32);
	if (is_pair(type) && instruction->modified)
		select_pair(instruction, index, source);
	if (instruction->modified)
		plan_signs(instruction, type, index, source);
	source->in_place =
		planes &&
		!(source->clear[0] | source->clear[1] | source->flip[0] | source->flip[1]) &&
		(source->words == 1 || source->place[1] == source->place[0] + GFX_MAX_LANES);
	return true;
}

/* Whether the modifiers of an instruction are signs and choices of words at most. */
static bool is_plain(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool pairs = false, packed = false;

	for (uint32_t i = 0; i < 3; i++) {
		pairs |= is_pair((enum gfx_type)operation->src[i]);
		packed |= operation->src[i] == GFX_V2B16 || operation->src[i] == GFX_V2F16;
	}
	if ((instruction->extension != GFX_EXTENSION_NONE &&
	     instruction->extension != GFX_EXTENSION_DPP) ||
	    operation->dst == GFX_B128 || instruction->omod ||
	    operation->flags & (GFX_NO_MODE | GFX_KEEPS_HIGH))
		return false;
	if (instruction->clamp && !(operation->flags & GFX_INTEGER_CLAMP))
		return false;
	return !instruction->modified || (!packed && (pairs || !instruction->op_sel));
}

static void plan_mode(const struct gfx_operation *operation, struct gfx_plan *plan)
{
	bool floats = operation->raises != GFX_RAISES_NOTHING;

	for (uint32_t i = 0; i < 3; i++)
		floats |= !gfx_keeps_denormals(0, operation->src[i], false);
	floats |= !gfx_keeps_denormals(0, operation->dst, true);
	plan->mode_mask = GFX_MODE_EXCEPTIONS | GFX_MODE_INDEXED;
	if (floats && !(operation->flags & GFX_NOT_ARITHMETIC)) {
		plan->mode_mask |= MODE_FLOATS;
		plan->mode_value = MODE_USUAL;
	}
}

static enum gfx_plan_finish finish_of(const struct gfx_operation *operation)
{
	bool own = operation->flags & (GFX_OWN_NAN | GFX_NOT_ARITHMETIC);

	switch (operation->dst) {
	case GFX_B16:
	case GFX_F16:
		return GFX_FINISH_HALVES;
	case GFX_F32:
		return own ? GFX_FINISH_NOTHING : GFX_FINISH_SINGLES;
	case GFX_F64:
		return own ? GFX_FINISH_NOTHING : GFX_FINISH_DOUBLES;
	case GFX_V2F32:
		return own ? GFX_FINISH_NOTHING : GFX_FINISH_PAIRS;
	default:
		return GFX_FINISH_NOTHING;
	}
}

static bool plan_result(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t words = gfx_type_words(operation->dst);
	bool acc = operation->flags & GFX_DST_AGPR;

	if (operation->dst == GFX_NONE || !gfx_vgpr(context->wave, instruction->dst, words, acc))
		return false;
	plan->dst_file = acc ? GFX_FILE_AGPRS : GFX_FILE_VGPRS;
	plan->dst_words = (uint8_t)words;
	plan->dst = instruction->dst * GFX_MAX_LANES;
	plan->finish = (uint8_t)finish_of(operation);
	return true;
}

/* Carry or condition, as read_mask() in vector.c finds it. */
static bool plan_masks(const struct gfx_context *context, bool compares, struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t flags = instruction->operation->flags, code = GFX_CODE_VCC;
	uint32_t words = gfx_is_short(context->wave) ? 1 : 2;

	plan->short_masks = words == 1;
	plan->mask_in = plan->mask_out = GFX_NO_PLACE;
	if (!(flags & GFX_READS_VCC) &&
	    (instruction->encoding == GFX_VOP3E || instruction->encoding == GFX_VOP3))
		code = instruction->src[2];
	if (flags & (GFX_READS_VCC | GFX_CARRY_IN) &&
	    !gfx_plan_scalar(context->wave, code & ~(words - 1), words, false, &plan->mask_in))
		return false;
	if (!compares && !(flags & GFX_CARRY_OUT))
		return true;
	return gfx_plan_scalar(context->wave, instruction->sdst & ~(words - 1), words, true,
			       &plan->mask_out);
}

bool gfx_plan_vector_operation(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_operation *operation = context->instruction->operation;
	bool compares = operation->execute == gfx_execute_compare;

	if ((!compares && operation->execute != gfx_execute_vector) ||
	    !is_plain(context->instruction))
		return false;
	for (uint32_t i = 0; i < 3; i++)
		if (operation->src[i] != GFX_NONE && operation->src[i] != GFX_MASK &&
		    !vector_plan_source(context, i, plan))
			return false;
	if (!plan_masks(context, compares, plan) || (!compares && !plan_result(context, plan)))
		return false;
	plan_mode(operation, plan);
	plan->vector = operation->vector;
	plan->execute = compares ? quick_vector_compare : gfx_find_fused(context->instruction);
	if (!plan->execute)
		plan->execute = quick_vector_execute;
	return true;
}
