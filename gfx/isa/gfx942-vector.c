/* SPDX-License-Identifier: MIT */
/* gfx942: the operations of VOP1, VOP2 and VOPC. */
#include "gfx/alu/operations.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* name, function, types of destination and sources, flags */
#define VECTOR(operation, function, d, a, b, c, flag)                                              \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_vector, .vector = gfx_v_##function,     \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b, GFX_##c}, .flags = (flag)                \
	}
/* Floats: the same, and what they raise; those that raise nothing need not say so. */
#define FLOAT(operation, function, d, a, b, c, exceptions, flag)                                   \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_vector, .vector = gfx_v_##function,     \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b, GFX_##c}, .flags = (flag),               \
		.raises = GFX_RAISES_##exceptions                                                  \
	}
#define OLD GFX_READS_DST
#define CLAMPS GFX_INTEGER_CLAMP
#define RAW GFX_NOT_ARITHMETIC
#define CARRIES (GFX_CARRY_OUT | GFX_INTEGER_CLAMP)
#define CHAINS (GFX_CARRY_IN | GFX_CARRY_OUT | GFX_INTEGER_CLAMP)

const struct gfx_operation gfx942_vop2[GFX942_VOP2_COUNT] = {
	[0] = VECTOR(v_cndmask_b32, cndmask_b32, S32, S32, S32, MASK, GFX_CARRY_IN | RAW),
	[1] = FLOAT(v_add_f32, add_f32, F32, F32, F32, NONE, SUM, 0),
	[2] = FLOAT(v_sub_f32, sub_f32, F32, F32, F32, NONE, DIFFERENCE, 0),
	[3] = FLOAT(v_subrev_f32, subrev_f32, F32, F32, F32, NONE, REVERSED, 0),
	[4] = FLOAT(v_fmac_f64, fma_f64, F64, F64, F64, F64, FUSED, OLD),
	[5] = FLOAT(v_mul_f32, mul_f32, F32, F32, F32, NONE, PRODUCT, 0),
	[6] = VECTOR(v_mul_i32_i24, mul_i32_i24, B32, B32, B32, NONE, 0),
	[7] = VECTOR(v_mul_hi_i32_i24, mul_hi_i32_i24, B32, B32, B32, NONE, 0),
	[8] = VECTOR(v_mul_u32_u24, mul_u32_u24, B32, B32, B32, NONE, 0),
	[9] = VECTOR(v_mul_hi_u32_u24, mul_hi_u32_u24, B32, B32, B32, NONE, 0),
	[10] = FLOAT(v_min_f32, min_f32, F32, F32, F32, NONE, OPERANDS, GFX_OWN_NAN),
	[11] = FLOAT(v_max_f32, max_f32, F32, F32, F32, NONE, OPERANDS, GFX_OWN_NAN),
	[12] = VECTOR(v_min_i32, min_i32, B32, B32, B32, NONE, 0),
	[13] = VECTOR(v_max_i32, max_i32, B32, B32, B32, NONE, 0),
	[14] = VECTOR(v_min_u32, min_u32, B32, B32, B32, NONE, 0),
	[15] = VECTOR(v_max_u32, max_u32, B32, B32, B32, NONE, 0),
	[16] = VECTOR(v_lshrrev_b32, lshrrev_b32, B32, B32, B32, NONE, 0),
	[17] = VECTOR(v_ashrrev_i32, ashrrev_i32, B32, B32, B32, NONE, 0),
	[18] = VECTOR(v_lshlrev_b32, lshlrev_b32, B32, B32, B32, NONE, 0),
	[19] = VECTOR(v_and_b32, and_b32, B32, B32, B32, NONE, 0),
	[20] = VECTOR(v_or_b32, or_b32, B32, B32, B32, NONE, 0),
	[21] = VECTOR(v_xor_b32, xor_b32, B32, B32, B32, NONE, 0),
	[23] = FLOAT(v_fmamk_f32, fma_f32, F32, F32, F32, F32, FUSED, GFX_LITERAL_K | GFX_NO_SUFFIX),
	[24] = FLOAT(v_fmaak_f32, fma_f32, F32, F32, F32, F32, FUSED, GFX_LITERAL_K_ADD | GFX_NO_SUFFIX),
	[25] = VECTOR(v_add_co_u32, add_co_u32, B32, B32, B32, NONE, CARRIES),
	[26] = VECTOR(v_sub_co_u32, sub_co_u32, B32, B32, B32, NONE, CARRIES),
	[27] = VECTOR(v_subrev_co_u32, subrev_co_u32, B32, B32, B32, NONE, CARRIES),
	[28] = VECTOR(v_addc_co_u32, addc_co_u32, B32, B32, B32, MASK, CHAINS),
	[29] = VECTOR(v_subb_co_u32, subb_co_u32, B32, B32, B32, MASK, CHAINS),
	[30] = VECTOR(v_subbrev_co_u32, subbrev_co_u32, B32, B32, B32, MASK, CHAINS),
	[31] = FLOAT(v_add_f16, add_f16, F16, F16, F16, NONE, SUM, 0),
	[32] = FLOAT(v_sub_f16, sub_f16, F16, F16, F16, NONE, DIFFERENCE, 0),
	[33] = FLOAT(v_subrev_f16, subrev_f16, F16, F16, F16, NONE, REVERSED, 0),
	[34] = FLOAT(v_mul_f16, mul_f16, F16, F16, F16, NONE, PRODUCT, 0),
	[35] = FLOAT(v_mac_f16, mad_f16, F16, F16, F16, F16, PRODUCT_SUM, OLD),
	[36] = FLOAT(v_madmk_f16, mad_f16, F16, F16, F16, F16, PRODUCT_SUM, GFX_LITERAL_K | GFX_NO_SUFFIX),
	[37] = FLOAT(v_madak_f16, mad_f16, F16, F16, F16, F16, PRODUCT_SUM, GFX_LITERAL_K_ADD | GFX_NO_SUFFIX),
	[38] = VECTOR(v_add_u16, add_u16, B16, B16, B16, NONE, CLAMPS),
	[39] = VECTOR(v_sub_u16, sub_u16, B16, B16, B16, NONE, CLAMPS),
	[40] = VECTOR(v_subrev_u16, subrev_u16, B16, B16, B16, NONE, CLAMPS),
	[41] = VECTOR(v_mul_lo_u16, mul_lo_u16, B16, B16, B16, NONE, 0),
	[42] = VECTOR(v_lshlrev_b16, lshlrev_b16, B16, B16, B16, NONE, 0),
	[43] = VECTOR(v_lshrrev_b16, lshrrev_b16, B16, B16, B16, NONE, 0),
	[44] = VECTOR(v_ashrrev_i16, ashrrev_i16, B16, B16, B16, NONE, 0),
	[45] = FLOAT(v_max_f16, max_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[46] = FLOAT(v_min_f16, min_f16, F16, F16, F16, NONE, OPERANDS, 0),
	[47] = VECTOR(v_max_u16, max_u16, B16, B16, B16, NONE, 0),
	[48] = VECTOR(v_max_i16, max_i16, B16, B16, B16, NONE, 0),
	[49] = VECTOR(v_min_u16, min_u16, B16, B16, B16, NONE, 0),
	[50] = VECTOR(v_min_i16, min_i16, B16, B16, B16, NONE, 0),
	[51] = FLOAT(v_ldexp_f16, ldexp_f16, F16, F16, B16, NONE, SCALING, 0),
	[52] = VECTOR(v_add_u32, add_u32, B32, B32, B32, NONE, CLAMPS),
	[53] = VECTOR(v_sub_u32, sub_u32, B32, B32, B32, NONE, CLAMPS),
	[54] = VECTOR(v_subrev_u32, subrev_u32, B32, B32, B32, NONE, CLAMPS),
	[55] = FLOAT(v_dot2c_f32_f16, dot2_f32_f16, F32, B32, B32, F32, DOT, OLD | GFX_SELECTS_HALF | GFX_NO_MODE),
	[56] = VECTOR(v_dot2c_i32_i16, dot2_i32_i16, B32, B32, B32, B32, OLD | GFX_SELECTS_HALF | CLAMPS),
	[57] = VECTOR(v_dot4c_i32_i8, dot4_i32_i8, B32, B32, B32, B32, OLD | GFX_SELECTS_HALF | CLAMPS),
	[58] = VECTOR(v_dot8c_i32_i4, dot8_i32_i4, B32, B32, B32, B32, OLD | GFX_SELECTS_HALF | CLAMPS),
	[59] = FLOAT(v_fmac_f32, fma_f32, F32, F32, F32, F32, FUSED, OLD),
	[61] = VECTOR(v_xnor_b32, xnor_b32, B32, B32, B32, NONE, 0),
};

/* Operations that look across lanes execute themselves. */
#define LANE(operation, d, a, b, flag)                                                             \
	{                                                                                          \
		.name = #operation, .execute = gfx_##operation, .dst = GFX_##d,                    \
		.src = {GFX_##a, GFX_##b}, .flags = (flag) | GFX_LANE_SELECT                       \
	}

const struct gfx_operation gfx942_vop1[GFX942_VOP1_COUNT] = {
	[0] = VECTOR(v_nop, nop, NONE, NONE, NONE, NONE, GFX_NO_SUFFIX | GFX_NO_OPERANDS),
	[1] = VECTOR(v_mov_b32, mov_b32, B32, B32, NONE, NONE, 0),
	[2] = LANE(v_readfirstlane_b32, B32, B32, NONE, GFX_SCALAR_DST | GFX_NO_SUFFIX),
	[3] = FLOAT(v_cvt_i32_f64, cvt_i32_f64, B32, F64, NONE, NONE, TO_I32, CLAMPS),
	[4] = VECTOR(v_cvt_f64_i32, cvt_f64_i32, F64, B32, NONE, NONE, 0),
	[5] = FLOAT(v_cvt_f32_i32, cvt_f32_i32, F32, B32, NONE, NONE, FROM_SIGNED, 0),
	[6] = FLOAT(v_cvt_f32_u32, cvt_f32_u32, F32, B32, NONE, NONE, FROM_UNSIGNED, 0),
	[7] = FLOAT(v_cvt_u32_f32, cvt_u32_f32, B32, F32, NONE, NONE, TO_U32, CLAMPS),
	[8] = FLOAT(v_cvt_i32_f32, cvt_i32_f32, B32, F32, NONE, NONE, TO_I32, CLAMPS),
	[10] = FLOAT(v_cvt_f16_f32, cvt_f16_f32, F16, F32, NONE, NONE, CONVERSION, 0),
	[11] = FLOAT(v_cvt_f32_f16, cvt_f32_f16, F32, F16, NONE, NONE, CONVERSION, 0),
	[12] = VECTOR(v_cvt_rpi_i32_f32, cvt_rpi_i32_f32, B32, F32, NONE, NONE, 0),
	[13] = VECTOR(v_cvt_flr_i32_f32, cvt_flr_i32_f32, B32, F32, NONE, NONE, 0),
	[14] = VECTOR(v_cvt_off_f32_i4, cvt_off_f32_i4, F32, B32, NONE, NONE, 0),
	[15] = FLOAT(v_cvt_f32_f64, cvt_f32_f64, F32, F64, NONE, NONE, CONVERSION, 0),
	[16] = FLOAT(v_cvt_f64_f32, cvt_f64_f32, F64, F32, NONE, NONE, CONVERSION, 0),
	[17] = VECTOR(v_cvt_f32_ubyte0, cvt_f32_ubyte0, F32, B32, NONE, NONE, 0),
	[18] = VECTOR(v_cvt_f32_ubyte1, cvt_f32_ubyte1, F32, B32, NONE, NONE, 0),
	[19] = VECTOR(v_cvt_f32_ubyte2, cvt_f32_ubyte2, F32, B32, NONE, NONE, 0),
	[20] = VECTOR(v_cvt_f32_ubyte3, cvt_f32_ubyte3, F32, B32, NONE, NONE, 0),
	[21] = FLOAT(v_cvt_u32_f64, cvt_u32_f64, B32, F64, NONE, NONE, TO_U32, CLAMPS),
	[22] = VECTOR(v_cvt_f64_u32, cvt_f64_u32, F64, B32, NONE, NONE, 0),
	[23] = FLOAT(v_trunc_f64, trunc_f64, F64, F64, NONE, NONE, OPERANDS, 0),
	[24] = FLOAT(v_ceil_f64, ceil_f64, F64, F64, NONE, NONE, OPERANDS, 0),
	[25] = FLOAT(v_rndne_f64, rndne_f64, F64, F64, NONE, NONE, OPERANDS, 0),
	[26] = FLOAT(v_floor_f64, floor_f64, F64, F64, NONE, NONE, OPERANDS, 0),
	[27] = FLOAT(v_fract_f32, fract_f32, F32, F32, NONE, NONE, FRACTION, 0),
	[28] = FLOAT(v_trunc_f32, trunc_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[29] = FLOAT(v_ceil_f32, ceil_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[30] = FLOAT(v_rndne_f32, rndne_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[31] = FLOAT(v_floor_f32, floor_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[32] = FLOAT(v_exp_f32, exp_f32, F32, F32, NONE, NONE, EXPONENTIAL, 0),
	[33] = FLOAT(v_log_f32, log_f32, F32, F32, NONE, NONE, LOGARITHM, 0),
	[34] = FLOAT(v_rcp_f32, rcp_f32, F32, F32, NONE, NONE, RECIPROCAL, 0),
	[35] = FLOAT(v_rcp_iflag_f32, rcp_f32, F32, F32, NONE, NONE, INTEGER_RECIPROCAL, 0),
	[36] = FLOAT(v_rsq_f32, rsq_f32, F32, F32, NONE, NONE, RECIPROCAL_ROOT, 0),
	[37] = FLOAT(v_rcp_f64, rcp_f64, F64, F64, NONE, NONE, RECIPROCAL, 0),
	[38] = FLOAT(v_rsq_f64, rsq_f64, F64, F64, NONE, NONE, RECIPROCAL_ROOT, 0),
	[39] = FLOAT(v_sqrt_f32, sqrt_f32, F32, F32, NONE, NONE, ROOT, 0),
	[40] = FLOAT(v_sqrt_f64, sqrt_f64, F64, F64, NONE, NONE, ROOT, 0),
	[41] = FLOAT(v_sin_f32, sin_f32, F32, F32, NONE, NONE, SINE, 0),
	[42] = FLOAT(v_cos_f32, cos_f32, F32, F32, NONE, NONE, COSINE, 0),
	[43] = VECTOR(v_not_b32, not_b32, B32, B32, NONE, NONE, 0),
	[44] = VECTOR(v_bfrev_b32, bfrev_b32, B32, B32, NONE, NONE, 0),
	[45] = VECTOR(v_ffbh_u32, ffbh_u32, B32, B32, NONE, NONE, 0),
	[46] = VECTOR(v_ffbl_b32, ffbl_b32, B32, B32, NONE, NONE, 0),
	[47] = VECTOR(v_ffbh_i32, ffbh_i32, B32, B32, NONE, NONE, 0),
	[48] = FLOAT(v_frexp_exp_i32_f64, frexp_exp_i32_f64, B32, F64, NONE, NONE, OPERANDS, 0),
	[49] = FLOAT(v_frexp_mant_f64, frexp_mant_f64, F64, F64, NONE, NONE, OPERANDS, 0),
	[50] = FLOAT(v_fract_f64, fract_f64, F64, F64, NONE, NONE, FRACTION, 0),
	[51] = FLOAT(v_frexp_exp_i32_f32, frexp_exp_i32_f32, B32, F32, NONE, NONE, OPERANDS, 0),
	[52] = FLOAT(v_frexp_mant_f32, frexp_mant_f32, F32, F32, NONE, NONE, OPERANDS, 0),
	[53] = VECTOR(v_clrexcp, nop, NONE, NONE, NONE, NONE, GFX_NO_SUFFIX | GFX_NO_OPERANDS),
	[56] = VECTOR(v_mov_b64, mov_b64, B64, B64, NONE, NONE, 0),
	[57] = FLOAT(v_cvt_f16_u16, cvt_f16_u16, F16, B16, NONE, NONE, FROM_UNSIGNED, 0),
	[58] = FLOAT(v_cvt_f16_i16, cvt_f16_i16, F16, B16, NONE, NONE, FROM_SIGNED, 0),
	[59] = FLOAT(v_cvt_u16_f16, cvt_u16_f16, B16, F16, NONE, NONE, TO_U16, CLAMPS),
	[60] = FLOAT(v_cvt_i16_f16, cvt_i16_f16, B16, F16, NONE, NONE, TO_I16, CLAMPS),
	[61] = FLOAT(v_rcp_f16, rcp_f16, F16, F16, NONE, NONE, RECIPROCAL, 0),
	[62] = FLOAT(v_sqrt_f16, sqrt_f16, F16, F16, NONE, NONE, ROOT, 0),
	[63] = FLOAT(v_rsq_f16, rsq_f16, F16, F16, NONE, NONE, RECIPROCAL_ROOT, 0),
	[64] = FLOAT(v_log_f16, log_f16, F16, F16, NONE, NONE, LOGARITHM, 0),
	[65] = FLOAT(v_exp_f16, exp_f16, F16, F16, NONE, NONE, EXPONENTIAL, 0),
	[66] = FLOAT(v_frexp_mant_f16, frexp_mant_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[67] = FLOAT(v_frexp_exp_i16_f16, frexp_exp_i16_f16, B16, F16, NONE, NONE, OPERANDS, 0),
	[68] = FLOAT(v_floor_f16, floor_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[69] = FLOAT(v_ceil_f16, ceil_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[70] = FLOAT(v_trunc_f16, trunc_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[71] = FLOAT(v_rndne_f16, rndne_f16, F16, F16, NONE, NONE, OPERANDS, 0),
	[72] = FLOAT(v_fract_f16, fract_f16, F16, F16, NONE, NONE, FRACTION, 0),
	[73] = FLOAT(v_sin_f16, sin_f16, F16, F16, NONE, NONE, SINE, 0),
	[74] = FLOAT(v_cos_f16, cos_f16, F16, F16, NONE, NONE, COSINE, 0),
	[75] = FLOAT(v_exp_legacy_f32, exp_f32, F32, F32, NONE, NONE, EXPONENTIAL, 0),
	[76] = FLOAT(v_log_legacy_f32, log_f32, F32, F32, NONE, NONE, LOGARITHM, 0),
	[77] = FLOAT(v_cvt_norm_i16_f16, cvt_norm_i16_f16, B16, F16, NONE, NONE, TO_SIGNED_PART, CLAMPS),
	[78] = FLOAT(v_cvt_norm_u16_f16, cvt_norm_u16_f16, B16, F16, NONE, NONE, TO_UNSIGNED_PART, CLAMPS),
	[79] = VECTOR(v_sat_pk_u8_i16, sat_pk_u8_i16, B32, B32, NONE, NONE, 0),
	[81] = LANE(v_swap_b32, B32, B32, NONE, GFX_NO_SUFFIX),
	[82] = VECTOR(v_accvgpr_mov_b32, mov_b32, B32, B32, NONE, NONE,
		       GFX_SRC_AGPR | GFX_DST_AGPR | GFX_NO_SUFFIX),
};

/* Conditions come in runs of eight or sixteen; the cmpx forms write exec too. */
#define COMPARE(condition, type, operand, prefix, flag, exceptions)                                \
	{                                                                                          \
		.name = prefix #condition "_" #type, .execute = gfx_execute_compare,               \
		.vector = gfx_v_cmp_##condition##_##type, .dst = GFX_NONE,                         \
		.src = {GFX_##operand, GFX_##operand}, .flags = (flag),                            \
		.raises = GFX_RAISES_##exceptions                                                  \
	}
#define INTEGERS(base, type, operand, prefix, flag)                                                \
	[(base) + 0] = COMPARE(f, type, operand, prefix, flag, NOTHING),                           \
	[(base) + 1] = COMPARE(lt, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 2] = COMPARE(eq, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 3] = COMPARE(le, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 4] = COMPARE(gt, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 5] = COMPARE(ne, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 6] = COMPARE(ge, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 7] = COMPARE(t, type, operand, prefix, flag, NOTHING)
#define FLOATS(base, type, operand, prefix, flag)                                                  \
	[(base) + 0] = COMPARE(f, type, operand, prefix, flag, COMPARISON),                        \
	[(base) + 1] = COMPARE(lt, type, operand, prefix, flag, COMPARISON),                       \
	[(base) + 2] = COMPARE(eq, type, operand, prefix, flag, COMPARISON),                       \
	[(base) + 3] = COMPARE(le, type, operand, prefix, flag, COMPARISON),                       \
	[(base) + 4] = COMPARE(gt, type, operand, prefix, flag, COMPARISON),                       \
	[(base) + 5] = COMPARE(lg, type, operand, prefix, flag, COMPARISON),                       \
	[(base) + 6] = COMPARE(ge, type, operand, prefix, flag, COMPARISON),                       \
	[(base) + 7] = COMPARE(o, type, operand, prefix, flag, COMPARISON),                        \
	[(base) + 8] = COMPARE(u, type, operand, prefix, flag, COMPARISON),                        \
	[(base) + 9] = COMPARE(nge, type, operand, prefix, flag, COMPARISON),                      \
	[(base) + 10] = COMPARE(nlg, type, operand, prefix, flag, COMPARISON),                     \
	[(base) + 11] = COMPARE(ngt, type, operand, prefix, flag, COMPARISON),                     \
	[(base) + 12] = COMPARE(nle, type, operand, prefix, flag, COMPARISON),                     \
	[(base) + 13] = COMPARE(neq, type, operand, prefix, flag, COMPARISON),                     \
	[(base) + 14] = COMPARE(nlt, type, operand, prefix, flag, COMPARISON),                     \
	[(base) + 15] = COMPARE(tru, type, operand, prefix, flag, COMPARISON)
#define CLASS(op, type, operand, prefix, flag)                                                     \
	[op] = {                                                                                   \
		.name = prefix "class_" #type, .execute = gfx_execute_compare,                     \
		.vector = gfx_v_cmp_class_##type, .dst = GFX_NONE,                                 \
		.src = {GFX_##operand, GFX_B32}, .flags = (flag) | RAW                             \
	}
#define BOTH(kind, base, step, type, operand)                                                      \
	kind(base, type, operand, "v_cmp_", 0),                                                    \
	kind((base) + (step), type, operand, "v_cmpx_", GFX_WRITES_EXEC)

const struct gfx_operation gfx942_vopc[GFX942_VOPC_COUNT] = {
	BOTH(CLASS, 16, 1, f32, F32),
	BOTH(CLASS, 18, 1, f64, F64),
	BOTH(CLASS, 20, 1, f16, F16),
	BOTH(FLOATS, 32, 16, f16, F16),
	BOTH(FLOATS, 64, 16, f32, F32),
	BOTH(FLOATS, 96, 16, f64, F64),
	BOTH(INTEGERS, 160, 16, i16, B16),
	BOTH(INTEGERS, 168, 16, u16, B16),
	BOTH(INTEGERS, 192, 16, i32, B32),
	BOTH(INTEGERS, 200, 16, u32, B32),
	BOTH(INTEGERS, 224, 16, i64, B64),
	BOTH(INTEGERS, 232, 16, u64, B64),
};
