/* SPDX-License-Identifier: MIT */
/* gfx1150 to gfx1153: the floats in scalar registers, which gfx11 has not. Its tables are looked at for everything else. */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

#define SCALAR_COMPARE(condition, type, operand)                                                   \
	SCALAR_FLOAT(s_cmp_##condition##_##type, cmp_##condition##_##type, NONE, operand, operand, \
		     NONE, COMPARISON, 0)
/* Never and always are not there. */
#define SCALAR_COMPARES(base, type, operand)                                                       \
	[(base) + 1] = SCALAR_COMPARE(lt, type, operand),                                          \
	[(base) + 2] = SCALAR_COMPARE(eq, type, operand),                                          \
	[(base) + 3] = SCALAR_COMPARE(le, type, operand),                                          \
	[(base) + 4] = SCALAR_COMPARE(gt, type, operand),                                          \
	[(base) + 5] = SCALAR_COMPARE(lg, type, operand),                                          \
	[(base) + 6] = SCALAR_COMPARE(ge, type, operand),                                          \
	[(base) + 7] = SCALAR_COMPARE(o, type, operand),                                           \
	[(base) + 8] = SCALAR_COMPARE(u, type, operand),                                           \
	[(base) + 9] = SCALAR_COMPARE(nge, type, operand),                                         \
	[(base) + 10] = SCALAR_COMPARE(nlg, type, operand),                                        \
	[(base) + 11] = SCALAR_COMPARE(ngt, type, operand),                                        \
	[(base) + 12] = SCALAR_COMPARE(nle, type, operand),                                        \
	[(base) + 13] = SCALAR_COMPARE(neq, type, operand),                                        \
	[(base) + 14] = SCALAR_COMPARE(nlt, type, operand)

/* From opcode 64 on. */
static const struct gfx_operation sop2_floats[] = {
	[0] = SCALAR_FLOAT(s_add_f32, add_f32, F32, F32, F32, NONE, SUM, 0),
	[1] = SCALAR_FLOAT(s_sub_f32, sub_f32, F32, F32, F32, NONE, DIFFERENCE, 0),
	[2] = SCALAR_FLOAT(s_min_f32, min_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[3] = SCALAR_FLOAT(s_max_f32, max_f32, F32, F32, F32, NONE, OPERANDS, OWN),
	[4] = SCALAR_FLOAT(s_mul_f32, mul_f32, F32, F32, F32, NONE, PRODUCT, 0),
	[5] = SCALAR_FLOAT(s_fmaak_f32, fma_f32, F32, F32, F32, F32, FUSED, GFX_LITERAL_K_ADD),
	[6] = SCALAR_FLOAT(s_fmamk_f32, fma_f32, F32, F32, F32, F32, FUSED, GFX_LITERAL_K),
	[7] = SCALAR_FLOAT(s_fmac_f32, fma_f32, F32, F32, F32, F32, FUSED, OLD),
	[8] = SCALAR_FLOAT(s_cvt_pk_rtz_f16_f32, cvt_pkrtz_f16_f32, B32, F32, F32, NONE, TRUNCATION, 0),
	[9] = SCALAR_FLOAT(s_add_f16, add_f16, F16, F16, F16, NONE, SUM, 0),
	[10] = SCALAR_FLOAT(s_sub_f16, sub_f16, F16, F16, F16, NONE, DIFFERENCE, 0),
	[11] = SCALAR_FLOAT(s_min_f16, min_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[12] = SCALAR_FLOAT(s_max_f16, max_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[13] = SCALAR_FLOAT(s_mul_f16, mul_f16, F16, F16, F16, NONE, PRODUCT, 0),
	[14] = SCALAR_FLOAT(s_fmac_f16, fma_f16, F16, F16, F16, F16, FUSED, OLD),
};

/* From opcode 96 on. */
static const struct gfx_operation sop1_floats[] = {
	[0] = SCALAR_FLOAT(s_ceil_f32, ceil_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[1] = SCALAR_FLOAT(s_floor_f32, floor_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[2] = SCALAR_FLOAT(s_trunc_f32, trunc_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[3] = SCALAR_FLOAT(s_rndne_f32, rndne_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[4] = SCALAR_FLOAT(s_cvt_f32_i32, cvt_f32_i32, F32, B32, NONE, NONE, FROM_SIGNED, 0),
	[5] = SCALAR_FLOAT(s_cvt_f32_u32, cvt_f32_u32, F32, B32, NONE, NONE, FROM_UNSIGNED, 0),
	[6] = SCALAR_FLOAT(s_cvt_i32_f32, cvt_i32_f32, B32, F32, NONE, NONE, TO_I32, 0),
	[7] = SCALAR_FLOAT(s_cvt_u32_f32, cvt_u32_f32, B32, F32, NONE, NONE, TO_U32, 0),
	[8] = SCALAR_FLOAT(s_cvt_f16_f32, cvt_f16_f32, F16, F32, NONE, NONE, CONVERSION, 0),
	[9] = SCALAR_FLOAT(s_cvt_f32_f16, cvt_f32_f16, F32, F16, NONE, NONE, CONVERSION, 0),
	[10] = SCALAR_FLOAT(s_cvt_hi_f32_f16, cvt_f32_f16, F32, F16, NONE, NONE, CONVERSION, HIGH),
	[11] = SCALAR_FLOAT(s_ceil_f16, ceil_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[12] = SCALAR_FLOAT(s_floor_f16, floor_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[13] = SCALAR_FLOAT(s_trunc_f16, trunc_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[14] = SCALAR_FLOAT(s_rndne_f16, rndne_f16, F16, F16, NONE, NONE, OPERANDS, 0),
};

/* From opcode 64 on. */
static const struct gfx_operation sopc_floats[] = {
	SCALAR_COMPARES(0, f32, F32),
	SCALAR_COMPARES(16, f16, F16),
};

static const struct gfx_operation sopp_hint[] = {
	CONTROL(s_singleuse_vdst, gfx_execute_nothing),
};

const struct gfx_encoding_row gfx1150_encodings[GFX1150_ENCODING_COUNT] = {
	PART(0xff800000, 0xbe800000, 8, 0xff, 96, 15, 1, GFX_SOP1, sop1, sop1_floats),
	PART(0xff800000, 0xbf000000, 16, 0x7f, 64, 31, 1, GFX_SOPC, sopc, sopc_floats),
	PART(0xff800000, 0xbf800000, 16, 0x7f, 19, 1, 1, GFX_SOPP, sopp, sopp_hint),
	PART(0xc0000000, 0x80000000, 23, 0x7f, 64, 15, 1, GFX_SOP2, sop2, sop2_floats),
};

/* gfx11.7 has other matrices, which are not implemented: its registers hold no row twice, as those of gfx12. */
const struct gfx_encoding_row gfx1170_encodings[GFX1170_ENCODING_COUNT] = {
	ABSENT(0xff800000, 0xcc000000, 16, 0x7f, 64, 64, 2, GFX_VOP3P),
};
