/* SPDX-License-Identifier: MIT */
/* Scalar operations whose operands are known to be plain registers and constants. */
#include "gfx/alu/quick.h"
#include "gfx/alu/scalar.h"

static inline uint64_t read(const struct gfx_context *context, const struct gfx_plan_source *source)
{
	const uint8_t *base = source->file == GFX_FILE_WAVE
				      ? (const uint8_t *)context->wave
				      : (const uint8_t *)context->plan->values;
	uint64_t wide;
	uint32_t word;

	if (source->words > 1) {
		memcpy(&wide, base + source->place[0], sizeof(wide));
		return wide;
	}
	memcpy(&word, base + source->place[0], sizeof(word));
	return word;
}

static enum gfx_step quick_scalar_execute(struct gfx_context *context)
{
	const struct gfx_plan *plan = context->plan;
	const struct gfx_operation *operation = context->instruction->operation;
	struct gfx_wave *wave = context->wave;
	struct gfx_scalar scalar = {
		.context = context,
		.a = read(context, &plan->src[0]),
		.b = read(context, &plan->src[1]),
		.d = read(context, &plan->src[2]),
		.scc = wave->status & GFX_STATUS_SCC,
	};

	operation->scalar(&scalar);
	if (plan->dst_words > 1)
		gfx_set_wave_pair(wave, plan->dst, scalar.d);
	else if (plan->dst_words)
		gfx_set_wave_word(wave, plan->dst, (uint32_t)scalar.d);
	gfx_settle_scc(wave, operation, &scalar);
	return GFX_STEP_DONE;
}

static void plan_value(struct gfx_plan *plan, uint32_t index, uint64_t value)
{
	plan->src[index].file = GFX_FILE_VALUES;
	plan->src[index].words = 2;
	plan->src[index].place[0] = (uint32_t)(index * sizeof(plan->values[0]));
	plan->values[index] = value;
}

static bool scalar_plan_source(const struct gfx_context *context, uint32_t index,
			       struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	enum gfx_type type = (enum gfx_type)instruction->operation->src[index];

	switch (type) {
	case GFX_NONE:
		plan_value(plan, index, 0);
		return true;
	case GFX_K16:
		plan_value(plan, index, (uint32_t)instruction->offset);
		return true;
	case GFX_U16:
		plan_value(plan, index, (uint16_t)instruction->offset);
		return true;
	case GFX_DST:
		return gfx_plan_uniform(context, instruction->dst, GFX_B32, index, plan);
	case GFX_B64:
		return gfx_plan_uniform(context, instruction->src[index], GFX_B64, index, plan);
	default:
		return gfx_plan_uniform(context, instruction->src[index], GFX_B32, index, plan);
	}
}

/* The old destination is the third source. */
static bool plan_destination(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_operation *operation = instruction->operation;
	enum gfx_type type = operation->dst == GFX_B64 ? GFX_B64 : GFX_B32;

	plan_value(plan, 2, 0);
	if (operation->flags & GFX_READS_DST &&
	    !gfx_plan_uniform(context, instruction->dst, type, 2, plan))
		return false;
	if (operation->dst != GFX_B64 && operation->dst != GFX_B32)
		return true;
	plan->dst_words = (uint8_t)gfx_type_words(type);
	return gfx_plan_scalar(context->wave, instruction->dst, plan->dst_words, true, &plan->dst);
}

bool gfx_is_alone(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	return operation->execute == gfx_execute_scalar &&
	       (operation->scalar == gfx_s_getreg_b32 || operation->scalar == gfx_s_setreg_b32 ||
		operation->scalar == gfx_s_setreg_imm32_b32);
}

bool gfx_plan_scalar_operation(const struct gfx_context *context, struct gfx_plan *plan)
{
	const struct gfx_operation *operation = context->instruction->operation;

	if (operation->execute != gfx_execute_scalar || gfx_is_alone(context->instruction))
		return false;
	if (!scalar_plan_source(context, 0, plan) || !scalar_plan_source(context, 1, plan) ||
	    !plan_destination(context, plan))
		return false;
	plan->execute = quick_scalar_execute;
	return true;
}
