/* SPDX-License-Identifier: MIT */
/* gfx942: the vector operations that have a long form only, and the packed ones. */
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
#define LANE(operation, d, a, b, flag)                                                             \
	{                                                                                          \
		.name = #operation, .execute = gfx_##operation, .dst = GFX_##d,                    \
		.src = {GFX_##a, GFX_##b}, .flags = (flag) | GFX_LANE_SELECT                       \
	}
#define CLAMPS GFX_INTEGER_CLAMP
#define KEEPS GFX_KEEPS_HIGH
#define RAW GFX_NOT_ARITHMETIC
#define OWN GFX_OWN_NAN

/* Opcodes of this table count from the first one that is no VOPC, VOP2 or VOP1. */
#define OP(opcode) ((opcode) - 448)

const struct gfx_operation gfx942_vop3[GFX942_VOP3_COUNT] = {
	[OP(450)] = VECTOR(v_mad_i32_i24, mad_i32_i24, B32, B32, B32, B32, CLAMPS),
	[OP(451)] = VECTOR(v_mad_u32_u24, mad_u32_u24, B32, B32, B32, B32, CLAMPS),
	[OP(452)] = VECTOR(v_cubeid_f32, cubeid_f32, F32, F32, F32, F32, 0),
	[OP(453)] = VECTOR(v_cubesc_f32, cubesc_f32, F32, F32, F32, F32, 0),
	[OP(454)] = VECTOR(v_cubetc_f32, cubetc_f32, F32, F32, F32, F32, 0),
	[OP(455)] = VECTOR(v_cubema_f32, cubema_f32, F32, F32, F32, F32, 0),
	[OP(456)] = VECTOR(v_bfe_u32, bfe_u32, B32, B32, B32, B32, 0),
	[OP(457)] = VECTOR(v_bfe_i32, bfe_i32, B32, B32, B32, B32, 0),
	[OP(458)] = VECTOR(v_bfi_b32, bfi_b32, B32, B32, B32, B32, 0),
	[OP(459)] = FLOAT(v_fma_f32, fma_f32, F32, F32, F32, F32, FUSED, 0),
	[OP(460)] = FLOAT(v_fma_f64, fma_f64, F64, F64, F64, F64, FUSED, 0),
	[OP(461)] = VECTOR(v_lerp_u8, lerp_u8, B32, B32, B32, B32, 0),
	[OP(462)] = VECTOR(v_alignbit_b32, alignbit_b32, B32, B32, B32, B32, 0),
	[OP(463)] = VECTOR(v_alignbyte_b32, alignbyte_b32, B32, B32, B32, B32, 0),
	[OP(464)] = FLOAT(v_min3_f32, min3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(465)] = VECTOR(v_min3_i32, min3_i32, B32, B32, B32, B32, 0),
	[OP(466)] = VECTOR(v_min3_u32, min3_u32, B32, B32, B32, B32, 0),
	[OP(467)] = FLOAT(v_max3_f32, max3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(468)] = VECTOR(v_max3_i32, max3_i32, B32, B32, B32, B32, 0),
	[OP(469)] = VECTOR(v_max3_u32, max3_u32, B32, B32, B32, B32, 0),
	[OP(470)] = FLOAT(v_med3_f32, med3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	[OP(471)] = VECTOR(v_med3_i32, med3_i32, B32, B32, B32, B32, 0),
	[OP(472)] = VECTOR(v_med3_u32, med3_u32, B32, B32, B32, B32, 0),
	[OP(473)] = VECTOR(v_sad_u8, sad_u8, B32, B32, B32, B32, CLAMPS),
	[OP(474)] = VECTOR(v_sad_hi_u8, sad_hi_u8, B32, B32, B32, B32, CLAMPS),
	[OP(475)] = VECTOR(v_sad_u16, sad_u16, B32, B32, B32, B32, CLAMPS),
	[OP(476)] = VECTOR(v_sad_u32, sad_u32, B32, B32, B32, B32, CLAMPS),
	[OP(477)] = FLOAT(v_cvt_pk_u8_f32, cvt_pk_u8_f32, B32, F32, B32, B32, TO_U8, CLAMPS),
	[OP(478)] = FLOAT(v_div_fixup_f32, div_fixup_f32, F32, F32, F32, F32, QUOTIENT, OWN),
	[OP(479)] = FLOAT(v_div_fixup_f64, div_fixup_f64, F64, F64, F64, F64, QUOTIENT, OWN),
	[OP(480)] = VECTOR(v_div_scale_f32, div_scale_f32, F32, F32, F32, F32, GFX_CARRY_OUT),
	[OP(481)] = VECTOR(v_div_scale_f64, div_scale_f64, F64, F64, F64, F64, GFX_CARRY_OUT),
	[OP(482)] = FLOAT(v_div_fmas_f32, div_fmas_f32, F32, F32, F32, F32, SCALED_FUSED, GFX_READS_VCC),
	[OP(483)] = FLOAT(v_div_fmas_f64, div_fmas_f64, F64, F64, F64, F64, SCALED_FUSED, GFX_READS_VCC),
	[OP(488)] = VECTOR(v_mad_u64_u32, mad_u64_u32, B64, B32, B32, B64, GFX_CARRY_OUT),
	[OP(489)] = VECTOR(v_mad_i64_i32, mad_i64_i32, B64, B32, B32, B64, GFX_CARRY_OUT),
	[OP(490)] = FLOAT(v_mad_legacy_f16, mad_f16, F16, F16, F16, F16, PRODUCT_SUM, 0),
	[OP(491)] = VECTOR(v_mad_legacy_u16, mad_u16, B16, B16, B16, B16, CLAMPS),
	[OP(492)] = VECTOR(v_mad_legacy_i16, mad_i16, B16, B16, B16, B16, CLAMPS),
	[OP(493)] = VECTOR(v_perm_b32, perm_b32, B32, B32, B32, B32, 0),
	[OP(494)] = FLOAT(v_fma_legacy_f16, fma_f16, F16, F16, F16, F16, FUSED, 0),
	[OP(495)] = FLOAT(v_div_fixup_legacy_f16, div_fixup_f16, F16, F16, F16, F16, QUOTIENT, 0),
	[OP(497)] = VECTOR(v_mad_u32_u16, mad_u32_u16, B32, B16, B16, B32, CLAMPS | GFX_SELECTS_HALF),
	[OP(498)] = VECTOR(v_mad_i32_i16, mad_i32_i16, B32, B16, B16, B32, CLAMPS | GFX_SELECTS_HALF),
	[OP(499)] = VECTOR(v_xad_u32, xad_u32, B32, B32, B32, B32, 0),
	[OP(500)] = FLOAT(v_min3_f16, min3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(501)] = VECTOR(v_min3_i16, min3_i16, B16, B16, B16, B16, KEEPS),
	[OP(502)] = VECTOR(v_min3_u16, min3_u16, B16, B16, B16, B16, KEEPS),
	[OP(503)] = FLOAT(v_max3_f16, max3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(504)] = VECTOR(v_max3_i16, max3_i16, B16, B16, B16, B16, KEEPS),
	[OP(505)] = VECTOR(v_max3_u16, max3_u16, B16, B16, B16, B16, KEEPS),
	[OP(506)] = FLOAT(v_med3_f16, med3_f16, F16, F16, F16, F16, OPERANDS, KEEPS),
	[OP(507)] = VECTOR(v_med3_i16, med3_i16, B16, B16, B16, B16, KEEPS),
	[OP(508)] = VECTOR(v_med3_u16, med3_u16, B16, B16, B16, B16, KEEPS),
	[OP(509)] = VECTOR(v_lshl_add_u32, lshl_add_u32, B32, B32, B32, B32, 0),
	[OP(510)] = VECTOR(v_add_lshl_u32, add_lshl_u32, B32, B32, B32, B32, 0),
	[OP(511)] = VECTOR(v_add3_u32, add3_u32, B32, B32, B32, B32, 0),
	[OP(512)] = VECTOR(v_lshl_or_b32, lshl_or_b32, B32, B32, B32, B32, 0),
	[OP(513)] = VECTOR(v_and_or_b32, and_or_b32, B32, B32, B32, B32, 0),
	[OP(514)] = VECTOR(v_or3_b32, or3_b32, B32, B32, B32, B32, 0),
	[OP(515)] = FLOAT(v_mad_f16, mad_f16, F16, F16, F16, F16, PRODUCT_SUM, KEEPS),
	[OP(516)] = VECTOR(v_mad_u16, mad_u16, B16, B16, B16, B16, KEEPS | CLAMPS),
	[OP(517)] = VECTOR(v_mad_i16, mad_i16, B16, B16, B16, B16, KEEPS | CLAMPS),
	[OP(518)] = FLOAT(v_fma_f16, fma_f16, F16, F16, F16, F16, FUSED, KEEPS),
	[OP(519)] = FLOAT(v_div_fixup_f16, div_fixup_f16, F16, F16, F16, F16, QUOTIENT, KEEPS),
	[OP(520)] = VECTOR(v_lshl_add_u64, lshl_add_u64, B64, B64, B32, B64, 0),
	[OP(640)] = FLOAT(v_add_f64, add_f64, F64, F64, F64, NONE, SUM, 0),
	[OP(641)] = FLOAT(v_mul_f64, mul_f64, F64, F64, F64, NONE, PRODUCT, 0),
	[OP(642)] = FLOAT(v_min_f64, min_f64, F64, F64, F64, NONE, OPERANDS, OWN),
	[OP(643)] = FLOAT(v_max_f64, max_f64, F64, F64, F64, NONE, OPERANDS, OWN),
	[OP(644)] = FLOAT(v_ldexp_f64, ldexp_f64, F64, F64, B32, NONE, SCALING, 0),
	[OP(645)] = VECTOR(v_mul_lo_u32, mul_lo_u32, B32, B32, B32, NONE, 0),
	[OP(646)] = VECTOR(v_mul_hi_u32, mul_hi_u32, B32, B32, B32, NONE, 0),
	[OP(647)] = VECTOR(v_mul_hi_i32, mul_hi_i32, B32, B32, B32, NONE, 0),
	[OP(648)] = FLOAT(v_ldexp_f32, ldexp_f32, F32, F32, B32, NONE, SCALING, 0),
	[OP(649)] = LANE(v_readlane_b32, B32, B32, B32, GFX_SCALAR_DST),
	[OP(650)] = LANE(v_writelane_b32, B32, B32, B32, 0),
	[OP(651)] = VECTOR(v_bcnt_u32_b32, bcnt_u32_b32, B32, B32, B32, NONE, 0),
	[OP(652)] = VECTOR(v_mbcnt_lo_u32_b32, mbcnt_lo_u32_b32, B32, B32, B32, NONE, 0),
	[OP(653)] = VECTOR(v_mbcnt_hi_u32_b32, mbcnt_hi_u32_b32, B32, B32, B32, NONE, 0),
	[OP(655)] = VECTOR(v_lshlrev_b64, lshlrev_b64, B64, B32, B64, NONE, 0),
	[OP(656)] = VECTOR(v_lshrrev_b64, lshrrev_b64, B64, B32, B64, NONE, 0),
	[OP(657)] = VECTOR(v_ashrrev_i64, ashrrev_i64, B64, B32, B64, NONE, 0),
	[OP(658)] = VECTOR(v_trig_preop_f64, trig_preop_f64, F64, F64, B32, NONE, 0),
	[OP(659)] = VECTOR(v_bfm_b32, bfm_b32, B32, B32, B32, NONE, 0),
	[OP(660)] = FLOAT(v_cvt_pknorm_i16_f32, cvt_pknorm_i16_f32, B32, F32, F32, NONE, TO_SIGNED_PART, CLAMPS),
	[OP(661)] = FLOAT(v_cvt_pknorm_u16_f32, cvt_pknorm_u16_f32, B32, F32, F32, NONE, TO_UNSIGNED_PART, CLAMPS),
	[OP(662)] = FLOAT(v_cvt_pkrtz_f16_f32, cvt_pkrtz_f16_f32, B32, F32, F32, NONE, TRUNCATION, 0),
	[OP(663)] = VECTOR(v_cvt_pk_u16_u32, cvt_pk_u16_u32, B32, B32, B32, NONE, 0),
	[OP(664)] = VECTOR(v_cvt_pk_i16_i32, cvt_pk_i16_i32, B32, B32, B32, NONE, 0),
	[OP(668)] = VECTOR(v_add_i32, add_i32, B32, B32, B32, NONE, CLAMPS),
	[OP(669)] = VECTOR(v_sub_i32, sub_i32, B32, B32, B32, NONE, CLAMPS),
	[OP(670)] = VECTOR(v_add_i16, add_i16, B16, B16, B16, NONE, KEEPS | CLAMPS),
	[OP(671)] = VECTOR(v_sub_i16, sub_i16, B16, B16, B16, NONE, KEEPS | CLAMPS),
	[OP(672)] = VECTOR(v_pack_b32_f16, pack_b32_f16, B32, F16, F16, NONE, RAW | GFX_SELECTS_HALF),
	[OP(673)] = FLOAT(v_mul_legacy_f32, mul_legacy_f32, F32, F32, F32, NONE, LEGACY, 0),
};

const struct gfx_operation gfx942_vop3p[GFX942_VOP3P_COUNT] = {
	[0] = VECTOR(v_pk_mad_i16, pk_mad_i16, V2B16, V2B16, V2B16, V2B16, CLAMPS),
	[1] = VECTOR(v_pk_mul_lo_u16, pk_mul_lo_u16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[2] = VECTOR(v_pk_add_i16, pk_add_i16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[3] = VECTOR(v_pk_sub_i16, pk_sub_i16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[4] = VECTOR(v_pk_lshlrev_b16, pk_lshlrev_b16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[5] = VECTOR(v_pk_lshrrev_b16, pk_lshrrev_b16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[6] = VECTOR(v_pk_ashrrev_i16, pk_ashrrev_i16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[7] = VECTOR(v_pk_max_i16, pk_max_i16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[8] = VECTOR(v_pk_min_i16, pk_min_i16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[9] = VECTOR(v_pk_mad_u16, pk_mad_u16, V2B16, V2B16, V2B16, V2B16, CLAMPS),
	[10] = VECTOR(v_pk_add_u16, pk_add_u16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[11] = VECTOR(v_pk_sub_u16, pk_sub_u16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[12] = VECTOR(v_pk_max_u16, pk_max_u16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[13] = VECTOR(v_pk_min_u16, pk_min_u16, V2B16, V2B16, V2B16, NONE, CLAMPS),
	[14] = FLOAT(v_pk_fma_f16, pk_fma_f16, V2F16, V2F16, V2F16, V2F16, FUSED, 0),
	[15] = FLOAT(v_pk_add_f16, pk_add_f16, V2F16, V2F16, V2F16, NONE, SUM, 0),
	[16] = FLOAT(v_pk_mul_f16, pk_mul_f16, V2F16, V2F16, V2F16, NONE, PRODUCT, 0),
	[17] = FLOAT(v_pk_min_f16, pk_min_f16, V2F16, V2F16, V2F16, NONE, OPERANDS, 0),
	[18] = FLOAT(v_pk_max_f16, pk_max_f16, V2F16, V2F16, V2F16, NONE, OPERANDS, 0),
	[32] = FLOAT(v_fma_mix_f32, fma_mix_f32, F32, MIX, MIX, MIX, FUSED, 0),
	[33] = FLOAT(v_fma_mixlo_f16, fma_mixlo_f16, F16, MIX, MIX, MIX, MIXED, KEEPS),
	[34] = FLOAT(v_fma_mixhi_f16, fma_mixlo_f16, F16, MIX, MIX, MIX, MIXED, KEEPS | GFX_HIGH_HALF),
	[35] = FLOAT(v_dot2_f32_f16, dot2_f32_f16, F32, V2F16, V2F16, F32, DOT, GFX_NO_MODE),
	[38] = VECTOR(v_dot2_i32_i16, dot2_i32_i16, B32, V2B16, V2B16, B32, CLAMPS),
	[39] = VECTOR(v_dot2_u32_u16, dot2_u32_u16, B32, V2B16, V2B16, B32, CLAMPS),
	[40] = VECTOR(v_dot4_i32_i8, dot4_i32_i8, B32, B32, B32, B32, CLAMPS),
	[41] = VECTOR(v_dot4_u32_u8, dot4_u32_u8, B32, B32, B32, B32, CLAMPS),
	[42] = VECTOR(v_dot8_i32_i4, dot8_i32_i4, B32, B32, B32, B32, CLAMPS),
	[43] = VECTOR(v_dot8_u32_u4, dot8_u32_u4, B32, B32, B32, B32, CLAMPS),
	[48] = FLOAT(v_pk_fma_f32, pk_fma_f32, V2F32, V2F32, V2F32, V2F32, FUSED, 0),
	[49] = FLOAT(v_pk_mul_f32, pk_mul_f32, V2F32, V2F32, V2F32, NONE, PRODUCT, 0),
	[50] = FLOAT(v_pk_add_f32, pk_add_f32, V2F32, V2F32, V2F32, NONE, SUM, 0),
	[51] = VECTOR(v_pk_mov_b32, pk_mov_b32, V2B32, V2B32, V2B32, NONE, 0),
	[88] = VECTOR(v_accvgpr_read_b32, mov_b32, B32, B32, NONE, NONE, GFX_SRC_AGPR),
	[89] = VECTOR(v_accvgpr_write_b32, mov_b32, B32, B32, NONE, NONE, GFX_DST_AGPR),
};
