/* SPDX-License-Identifier: MIT */
/* Scalar operations: reading and writing their operands, arithmetic and moves. */
#include "gfx/alu/scalar.h"

static uint64_t scalar_read_source(const struct gfx_context *context, uint32_t index)
{
	const struct gfx_instruction *instruction = context->instruction;
	enum gfx_type type = instruction->operation->src[index];

	switch (type) {
	case GFX_NONE:
		return 0;
	case GFX_K16:
		return (uint32_t)instruction->offset;
	case GFX_U16:
		return (uint16_t)instruction->offset;
	case GFX_DST:
		return gfx_read_scalar32(context, instruction->dst);
	case GFX_B64:
		return gfx_read_scalar64(context, instruction->src[index]);
	default:
		return gfx_read_scalar32(context, instruction->src[index]);
	}
}

static uint64_t read_old(const struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;

	if (instruction->operation->dst == GFX_B64)
		return gfx_read_scalar64(context, instruction->dst);
	return gfx_read_scalar32(context, instruction->dst);
}

enum gfx_step gfx_execute_scalar(struct gfx_context *context)
{
	const struct gfx_operation *operation = context->instruction->operation;
	struct gfx_wave *wave = context->wave;
	struct gfx_scalar scalar = {
		.context = context,
		.a = scalar_read_source(context, 0),
		.b = scalar_read_source(context, 1),
		.d = operation->flags & GFX_READS_DST ? read_old(context) : 0,
		.scc = wave->status & GFX_STATUS_SCC,
	};

	operation->scalar(&scalar);
	if (operation->dst == GFX_B64)
		gfx_write_scalar64(wave, context->instruction->dst, scalar.d);
	else if (operation->dst == GFX_B32)
		gfx_write_scalar32(wave, context->instruction->dst, (uint32_t)scalar.d);
	gfx_settle_scc(wave, operation, &scalar);
	return GFX_STEP_DONE;
}

static int32_t signed32(uint64_t value)
{
	return (int32_t)(uint32_t)value;
}

static bool fits32(int64_t value)
{
	return value == (int32_t)value;
}

void gfx_s_add_u32(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a + scalar->b;
	scalar->scc = scalar->d >> 32 & 1;
}

void gfx_s_addc_u32(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a + scalar->b + scalar->scc;
	scalar->scc = scalar->d >> 32 & 1;
}

void gfx_s_sub_u32(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a - scalar->b;
	scalar->scc = scalar->d >> 32 & 1;
}

void gfx_s_subb_u32(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a - scalar->b - scalar->scc;
	scalar->scc = scalar->d >> 32 & 1;
}

void gfx_s_add_i32(struct gfx_scalar *scalar)
{
	scalar->scc = !fits32((int64_t)signed32(scalar->a) + signed32(scalar->b));
	scalar->d = scalar->a + scalar->b;
}

void gfx_s_sub_i32(struct gfx_scalar *scalar)
{
	scalar->scc = !fits32((int64_t)signed32(scalar->a) - signed32(scalar->b));
	scalar->d = scalar->a - scalar->b;
}

void gfx_s_addk_i32(struct gfx_scalar *scalar)
{
	scalar->scc = !fits32((int64_t)signed32(scalar->d) + signed32(scalar->a));
	scalar->d += scalar->a;
}

/* The four below set scc to whether the first source was taken. */
void gfx_s_min_i32(struct gfx_scalar *scalar)
{
	scalar->scc = signed32(scalar->a) < signed32(scalar->b);
	scalar->d = scalar->scc ? scalar->a : scalar->b;
}

void gfx_s_min_u32(struct gfx_scalar *scalar)
{
	scalar->scc = scalar->a < scalar->b;
	scalar->d = scalar->scc ? scalar->a : scalar->b;
}

void gfx_s_max_i32(struct gfx_scalar *scalar)
{
	scalar->scc = signed32(scalar->a) > signed32(scalar->b);
	scalar->d = scalar->scc ? scalar->a : scalar->b;
}

void gfx_s_max_u32(struct gfx_scalar *scalar)
{
	scalar->scc = scalar->a > scalar->b;
	scalar->d = scalar->scc ? scalar->a : scalar->b;
}

void gfx_s_cselect(struct gfx_scalar *scalar)
{
	scalar->d = scalar->scc ? scalar->a : scalar->b;
}

/* Also s_mulk_i32, whose first source is the destination: one product serves both. */
void gfx_s_mul_i32(struct gfx_scalar *scalar)
{
	bool in_place = scalar->context->instruction->operation->flags & GFX_READS_DST;

	scalar->d = scalar->a * (in_place ? scalar->d : scalar->b);
}

/* gfx12 alone has it. scc stays as it is. */
void gfx_s_add_nc_u64(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a + scalar->b;
}

void gfx_s_sub_nc_u64(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a - scalar->b;
}

void gfx_s_mul_u64(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a * scalar->b;
}

void gfx_s_mul_hi_u32(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a * scalar->b >> 32;
}

void gfx_s_mul_hi_i32(struct gfx_scalar *scalar)
{
	int64_t product = (int64_t)signed32(scalar->a) * signed32(scalar->b);

	scalar->d = (uint64_t)product >> 32;
}

void gfx_s_absdiff_i32(struct gfx_scalar *scalar)
{
	uint32_t difference = (uint32_t)(scalar->a - scalar->b);

	scalar->d = signed32(difference) < 0 ? 0 - difference : difference;
}

void gfx_s_abs_i32(struct gfx_scalar *scalar)
{
	uint32_t value = (uint32_t)scalar->a;

	scalar->d = signed32(value) < 0 ? 0 - value : value;
}

static void shift_add(struct gfx_scalar *scalar, uint32_t shift)
{
	scalar->d = (scalar->a << shift) + scalar->b;
	scalar->scc = scalar->d >> 32 != 0;
}

void gfx_s_lshl1_add_u32(struct gfx_scalar *scalar)
{
	shift_add(scalar, 1);
}

void gfx_s_lshl2_add_u32(struct gfx_scalar *scalar)
{
	shift_add(scalar, 2);
}

void gfx_s_lshl3_add_u32(struct gfx_scalar *scalar)
{
	shift_add(scalar, 3);
}

void gfx_s_lshl4_add_u32(struct gfx_scalar *scalar)
{
	shift_add(scalar, 4);
}

void gfx_s_pack_ll(struct gfx_scalar *scalar)
{
	scalar->d = (scalar->a & 0xffff) | (scalar->b & 0xffff) << 16;
}

void gfx_s_pack_lh(struct gfx_scalar *scalar)
{
	scalar->d = (scalar->a & 0xffff) | (scalar->b & 0xffff0000);
}

void gfx_s_pack_hh(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a >> 16 | (scalar->b & 0xffff0000);
}

void gfx_s_pack_hl(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a >> 16 | scalar->b << 16;
}

void gfx_s_mov(struct gfx_scalar *scalar)
{
	scalar->d = scalar->a;
}

void gfx_s_cmov(struct gfx_scalar *scalar)
{
	if (scalar->scc)
		scalar->d = scalar->a;
}

void gfx_s_sext_i32_i8(struct gfx_scalar *scalar)
{
	scalar->d = (uint64_t)(int8_t)scalar->a;
}

void gfx_s_sext_i32_i16(struct gfx_scalar *scalar)
{
	scalar->d = (uint64_t)(int16_t)scalar->a;
}

/* Registers relative to m0: the source in the first two, the destination in the others. */
void gfx_s_movrels_b32(struct gfx_scalar *scalar)
{
	const struct gfx_context *context = scalar->context;

	scalar->d = gfx_read_scalar32(context,
				      (context->instruction->src[0] + context->wave->m0) & 0x7f);
}

void gfx_s_movrels_b64(struct gfx_scalar *scalar)
{
	const struct gfx_context *context = scalar->context;

	scalar->d = gfx_read_scalar64(context,
				      (context->instruction->src[0] + context->wave->m0) & 0x7e);
}

void gfx_s_movreld_b32(struct gfx_scalar *scalar)
{
	struct gfx_context *context = scalar->context;

	gfx_write_scalar32(context->wave, (context->instruction->dst + context->wave->m0) & 0x7f,
			   (uint32_t)scalar->a);
}

void gfx_s_movreld_b64(struct gfx_scalar *scalar)
{
	struct gfx_context *context = scalar->context;

	gfx_write_scalar64(context->wave, (context->instruction->dst + context->wave->m0) & 0x7e,
			   scalar->a);
}
