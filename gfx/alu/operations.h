/* SPDX-License-Identifier: MIT */
/*
 * Functions of the vector operations, named after their instructions. Scalar operations are in scalar.h.
 *
 * The room `alu` computes what operations do with values, and which arithmetic exceptions they raise. It must not know
 * encodings, or which generation has an operation.
 */
#ifndef GFX_ALU_OPERATIONS_H
#define GFX_ALU_OPERATIONS_H

#include "gfx/wave/lanes.h"

/* gfx_operation.execute of vector arithmetic. */
gfx_execute_function gfx_execute_vector, gfx_execute_compare;
/* The same operations of scalar registers. */
gfx_execute_function gfx_execute_scalar_float;
/* gfx_operation.execute of typed buffers and images (texture.c). */
gfx_execute_function gfx_execute_formatted, gfx_image_load, gfx_image_store, gfx_image_sample;

/* Integers (vector-int.c). */
gfx_vector_function gfx_v_add_u32, gfx_v_sub_u32, gfx_v_subrev_u32, gfx_v_add_i32, gfx_v_sub_i32;
gfx_vector_function gfx_v_add_co_u32, gfx_v_sub_co_u32, gfx_v_subrev_co_u32, gfx_v_addc_co_u32;
gfx_vector_function gfx_v_subb_co_u32, gfx_v_subbrev_co_u32, gfx_v_mul_i32_i24;
gfx_vector_function gfx_v_mul_hi_i32_i24, gfx_v_mul_u32_u24, gfx_v_mul_hi_u32_u24;
gfx_vector_function gfx_v_mul_lo_u32, gfx_v_mul_hi_u32, gfx_v_mul_hi_i32, gfx_v_mad_i32_i24;
gfx_vector_function gfx_v_mad_u32_u24, gfx_v_mad_u32_u16, gfx_v_mad_i32_i16, gfx_v_mad_u64_u32;
gfx_vector_function gfx_v_mad_i64_i32, gfx_v_add3_u32, gfx_v_xad_u32, gfx_v_add_lshl_u32;
gfx_vector_function gfx_v_lshl_add_u32, gfx_v_lshl_add_u64, gfx_v_min_i32, gfx_v_max_i32;
gfx_vector_function gfx_v_min_u32, gfx_v_max_u32, gfx_v_min3_i32, gfx_v_max3_i32, gfx_v_med3_i32;
gfx_vector_function gfx_v_min3_u32, gfx_v_max3_u32, gfx_v_med3_u32, gfx_v_add_u16, gfx_v_sub_u16;
gfx_vector_function gfx_v_subrev_u16, gfx_v_add_i16, gfx_v_sub_i16, gfx_v_mul_lo_u16;
gfx_vector_function gfx_v_mad_u16, gfx_v_mad_i16, gfx_v_min_i16, gfx_v_max_i16, gfx_v_min_u16;
gfx_vector_function gfx_v_max_u16, gfx_v_min3_i16, gfx_v_max3_i16, gfx_v_med3_i16, gfx_v_min3_u16;
gfx_vector_function gfx_v_msad_u8, gfx_v_qsad_pk_u16_u8, gfx_v_mqsad_pk_u16_u8, gfx_v_mqsad_u32_u8;
gfx_vector_function gfx_v_max3_u16, gfx_v_med3_u16, gfx_v_sad_u8, gfx_v_sad_hi_u8, gfx_v_sad_u16;
gfx_vector_function gfx_v_sad_u32, gfx_v_cvt_pk_u16_u32, gfx_v_cvt_pk_i16_i32;

/* Moves, logic, bits (vector-bits.c). */
gfx_vector_function gfx_v_nop, gfx_v_mov_b32, gfx_v_mov_b64, gfx_v_cndmask_b32, gfx_v_and_b32;
gfx_vector_function gfx_v_or_b32, gfx_v_xor_b32, gfx_v_xnor_b32, gfx_v_not_b32, gfx_v_or3_b32;
gfx_vector_function gfx_v_and_or_b32, gfx_v_lshl_or_b32, gfx_v_bfi_b32, gfx_v_lshlrev_b32;
gfx_vector_function gfx_v_lshrrev_b32, gfx_v_ashrrev_i32, gfx_v_lshlrev_b64, gfx_v_lshrrev_b64;
gfx_vector_function gfx_v_ashrrev_i64, gfx_v_lshlrev_b16, gfx_v_lshrrev_b16, gfx_v_ashrrev_i16;
gfx_vector_function gfx_v_bfe_u32, gfx_v_bfe_i32, gfx_v_bfm_b32, gfx_v_alignbit_b32;
gfx_vector_function gfx_v_alignbyte_b32, gfx_v_bfrev_b32, gfx_v_ffbh_u32, gfx_v_ffbl_b32;
gfx_vector_function gfx_v_ffbh_i32, gfx_v_bcnt_u32_b32, gfx_v_mbcnt_lo_u32_b32;
gfx_vector_function gfx_v_mbcnt_hi_u32_b32, gfx_v_perm_b32, gfx_v_pack_b32_f16, gfx_v_lerp_u8;

/* Single precision (vector-f32.c). */
gfx_vector_function gfx_v_add_f32, gfx_v_sub_f32, gfx_v_subrev_f32, gfx_v_mul_f32, gfx_v_fma_f32;
gfx_vector_function gfx_v_mad_f32, gfx_v_mad_legacy_f32, gfx_v_mul_legacy_f32, gfx_v_min_f32,
	gfx_v_max_f32, gfx_v_min3_f32;
gfx_vector_function gfx_v_max3_f32, gfx_v_med3_f32, gfx_v_trunc_f32, gfx_v_ceil_f32;
gfx_vector_function gfx_v_floor_f32, gfx_v_rndne_f32, gfx_v_fract_f32, gfx_v_rcp_f32;
gfx_vector_function gfx_v_sqrt_f32, gfx_v_rsq_f32, gfx_v_exp_f32, gfx_v_log_f32, gfx_v_sin_f32;
gfx_vector_function gfx_v_cos_f32, gfx_v_frexp_exp_i32_f32, gfx_v_frexp_mant_f32, gfx_v_ldexp_f32;
gfx_vector_function gfx_v_div_scale_f32, gfx_v_div_fmas_f32, gfx_v_div_fixup_f32;
gfx_vector_function gfx_v_cubeid_f32, gfx_v_cubesc_f32, gfx_v_cubetc_f32, gfx_v_cubema_f32;

/* Double precision (vector-f64.c). */
gfx_vector_function gfx_v_add_f64, gfx_v_mul_f64, gfx_v_fma_f64, gfx_v_min_f64, gfx_v_max_f64;
gfx_vector_function gfx_v_trunc_f64, gfx_v_ceil_f64, gfx_v_floor_f64, gfx_v_rndne_f64;
gfx_vector_function gfx_v_fract_f64, gfx_v_rcp_f64, gfx_v_rsq_f64, gfx_v_sqrt_f64;
gfx_vector_function gfx_v_frexp_exp_i32_f64, gfx_v_frexp_mant_f64, gfx_v_ldexp_f64;
gfx_vector_function gfx_v_div_scale_f64, gfx_v_div_fmas_f64, gfx_v_div_fixup_f64;
gfx_vector_function gfx_v_trig_preop_f64;

/* Half precision (vector-f16.c). */
gfx_vector_function gfx_v_add_f16, gfx_v_sub_f16, gfx_v_subrev_f16, gfx_v_mul_f16, gfx_v_fma_f16;
gfx_vector_function gfx_v_mad_f16, gfx_v_min_f16, gfx_v_max_f16, gfx_v_min3_f16, gfx_v_max3_f16;
gfx_vector_function gfx_v_med3_f16, gfx_v_ldexp_f16, gfx_v_rcp_f16, gfx_v_sqrt_f16, gfx_v_rsq_f16;
gfx_vector_function gfx_v_log_f16, gfx_v_exp_f16, gfx_v_sin_f16, gfx_v_cos_f16, gfx_v_floor_f16;
gfx_vector_function gfx_v_ceil_f16, gfx_v_trunc_f16, gfx_v_rndne_f16, gfx_v_fract_f16;
gfx_vector_function gfx_v_frexp_exp_i16_f16, gfx_v_frexp_mant_f16, gfx_v_div_fixup_f16;
gfx_vector_function gfx_v_pk_add_f16, gfx_v_pk_mul_f16, gfx_v_pk_fma_f16, gfx_v_pk_min_f16;
gfx_vector_function gfx_v_pk_max_f16, gfx_v_fma_mix_f32, gfx_v_fma_mixlo_f16, gfx_v_mad_mixlo_f16;
gfx_vector_function gfx_v_cvt_f16_f32, gfx_v_cvt_f32_f16, gfx_v_cvt_f16_u16, gfx_v_cvt_f16_i16;
gfx_vector_function gfx_v_cvt_pkrtz_f16_f32, gfx_v_cvt_u16_f16, gfx_v_cvt_i16_f16;
gfx_vector_function gfx_v_cvt_norm_i16_f16, gfx_v_cvt_norm_u16_f16, gfx_v_cvt_pknorm_i16_f16;
gfx_vector_function gfx_v_cvt_pknorm_u16_f16, gfx_v_dot2_f32_f16;
gfx_vector_function gfx_v_dot2_f16_f16, gfx_v_dot2_f32_bf16, gfx_v_dot2_bf16_bf16;

/* Packed (vector-packed.c). */
gfx_vector_function gfx_v_pk_add_u16, gfx_v_pk_sub_u16, gfx_v_pk_mul_lo_u16, gfx_v_pk_mad_u16;
gfx_vector_function gfx_v_pk_min_u16, gfx_v_pk_max_u16, gfx_v_pk_lshlrev_b16;
gfx_vector_function gfx_v_pk_lshrrev_b16, gfx_v_pk_add_i16, gfx_v_pk_sub_i16, gfx_v_pk_mad_i16;
gfx_vector_function gfx_v_pk_min_i16, gfx_v_pk_max_i16, gfx_v_pk_ashrrev_i16, gfx_v_pk_fma_f32;
gfx_vector_function gfx_v_pk_mul_f32, gfx_v_pk_add_f32, gfx_v_pk_mov_b32, gfx_v_dot2_i32_i16;
gfx_vector_function gfx_v_dot2_u32_u16, gfx_v_dot4_i32_i8, gfx_v_dot4_u32_u8, gfx_v_dot8_i32_i4;
gfx_vector_function gfx_v_dot8_u32_u4, gfx_v_dot4_i32_iu8, gfx_v_dot8_i32_iu4;

/* Conversions (vector-convert.c). */
gfx_vector_function gfx_v_cvt_i32_f64, gfx_v_cvt_u32_f64, gfx_v_cvt_i32_f32, gfx_v_cvt_u32_f32;
gfx_vector_function gfx_v_cvt_f64_i32, gfx_v_cvt_f64_u32, gfx_v_cvt_f32_i32, gfx_v_cvt_f32_u32;
gfx_vector_function gfx_v_cvt_f32_f64, gfx_v_cvt_f64_f32, gfx_v_cvt_rpi_i32_f32;
gfx_vector_function gfx_v_cvt_flr_i32_f32, gfx_v_cvt_f32_ubyte0, gfx_v_cvt_f32_ubyte1;
gfx_vector_function gfx_v_cvt_f32_ubyte2, gfx_v_cvt_f32_ubyte3, gfx_v_cvt_off_f32_i4;
gfx_vector_function gfx_v_cvt_pk_u8_f32, gfx_v_cvt_pknorm_i16_f32, gfx_v_cvt_pknorm_u16_f32;
gfx_vector_function gfx_v_sat_pk_u8_i16;

gfx_vector_function gfx_v_cvt_f32_fp8, gfx_v_cvt_f32_bf8, gfx_v_cvt_pk_f32_fp8;
gfx_vector_function gfx_v_cvt_pk_f32_bf8, gfx_v_cvt_pk_fp8_f32, gfx_v_cvt_pk_bf8_f32;
gfx_vector_function gfx_v_cvt_f32_open_fp8, gfx_v_cvt_f32_open_bf8, gfx_v_cvt_pk_f32_open_fp8;
gfx_vector_function gfx_v_cvt_pk_f32_open_bf8, gfx_v_cvt_pk_open_fp8_f32;
gfx_vector_function gfx_v_cvt_sr_fp8_f32, gfx_v_cvt_sr_bf8_f32, gfx_v_cvt_sr_open_fp8_f32;
gfx_vector_function gfx_v_cvt_sr_open_bf8_f32;
gfx_vector_function gfx_v_cvt_pk_open_bf8_f32, gfx_v_dot4_f32_fp8_bf8, gfx_v_dot4_f32_bf8_fp8;
gfx_vector_function gfx_v_dot4_f32_fp8_fp8, gfx_v_dot4_f32_bf8_bf8;

/* Compares (vector-compare.c). */
gfx_vector_function gfx_v_cmp_f_f16, gfx_v_cmp_lt_f16, gfx_v_cmp_eq_f16, gfx_v_cmp_le_f16;
gfx_vector_function gfx_v_cmp_gt_f16, gfx_v_cmp_lg_f16, gfx_v_cmp_ge_f16, gfx_v_cmp_o_f16;
gfx_vector_function gfx_v_cmp_u_f16, gfx_v_cmp_nge_f16, gfx_v_cmp_nlg_f16, gfx_v_cmp_ngt_f16;
gfx_vector_function gfx_v_cmp_nle_f16, gfx_v_cmp_neq_f16, gfx_v_cmp_nlt_f16, gfx_v_cmp_tru_f16;
gfx_vector_function gfx_v_cmp_f_f32, gfx_v_cmp_lt_f32, gfx_v_cmp_eq_f32, gfx_v_cmp_le_f32;
gfx_vector_function gfx_v_cmp_gt_f32, gfx_v_cmp_lg_f32, gfx_v_cmp_ge_f32, gfx_v_cmp_o_f32;
gfx_vector_function gfx_v_cmp_u_f32, gfx_v_cmp_nge_f32, gfx_v_cmp_nlg_f32, gfx_v_cmp_ngt_f32;
gfx_vector_function gfx_v_cmp_nle_f32, gfx_v_cmp_neq_f32, gfx_v_cmp_nlt_f32, gfx_v_cmp_tru_f32;
gfx_vector_function gfx_v_cmp_f_f64, gfx_v_cmp_lt_f64, gfx_v_cmp_eq_f64, gfx_v_cmp_le_f64;
gfx_vector_function gfx_v_cmp_gt_f64, gfx_v_cmp_lg_f64, gfx_v_cmp_ge_f64, gfx_v_cmp_o_f64;
gfx_vector_function gfx_v_cmp_u_f64, gfx_v_cmp_nge_f64, gfx_v_cmp_nlg_f64, gfx_v_cmp_ngt_f64;
gfx_vector_function gfx_v_cmp_nle_f64, gfx_v_cmp_neq_f64, gfx_v_cmp_nlt_f64, gfx_v_cmp_tru_f64;
gfx_vector_function gfx_v_cmp_f_i16, gfx_v_cmp_lt_i16, gfx_v_cmp_eq_i16, gfx_v_cmp_le_i16;
gfx_vector_function gfx_v_cmp_gt_i16, gfx_v_cmp_ne_i16, gfx_v_cmp_ge_i16, gfx_v_cmp_t_i16;
gfx_vector_function gfx_v_cmp_f_u16, gfx_v_cmp_lt_u16, gfx_v_cmp_eq_u16, gfx_v_cmp_le_u16;
gfx_vector_function gfx_v_cmp_gt_u16, gfx_v_cmp_ne_u16, gfx_v_cmp_ge_u16, gfx_v_cmp_t_u16;
gfx_vector_function gfx_v_cmp_f_i32, gfx_v_cmp_lt_i32, gfx_v_cmp_eq_i32, gfx_v_cmp_le_i32;
gfx_vector_function gfx_v_cmp_gt_i32, gfx_v_cmp_ne_i32, gfx_v_cmp_ge_i32, gfx_v_cmp_t_i32;
gfx_vector_function gfx_v_cmp_f_u32, gfx_v_cmp_lt_u32, gfx_v_cmp_eq_u32, gfx_v_cmp_le_u32;
gfx_vector_function gfx_v_cmp_gt_u32, gfx_v_cmp_ne_u32, gfx_v_cmp_ge_u32, gfx_v_cmp_t_u32;
gfx_vector_function gfx_v_cmp_f_i64, gfx_v_cmp_lt_i64, gfx_v_cmp_eq_i64, gfx_v_cmp_le_i64;
gfx_vector_function gfx_v_cmp_gt_i64, gfx_v_cmp_ne_i64, gfx_v_cmp_ge_i64, gfx_v_cmp_t_i64;
gfx_vector_function gfx_v_cmp_f_u64, gfx_v_cmp_lt_u64, gfx_v_cmp_eq_u64, gfx_v_cmp_le_u64;
gfx_vector_function gfx_v_cmp_gt_u64, gfx_v_cmp_ne_u64, gfx_v_cmp_ge_u64, gfx_v_cmp_t_u64;
gfx_vector_function gfx_v_cmp_class_f16, gfx_v_cmp_class_f32, gfx_v_cmp_class_f64;

/* Matrices (matrix.c): gfx_operation.execute of all of them. */
gfx_execute_function gfx_execute_matrix;
/* The same from gfx11 on (wave-matrix.c). */
gfx_execute_function gfx_execute_wave_matrix;

/* Between lanes (cross-lane.c). */
gfx_execute_function gfx_v_readfirstlane_b32, gfx_v_readlane_b32, gfx_v_writelane_b32;
gfx_execute_function gfx_v_swap_b32;
gfx_execute_function gfx_v_permlane16_b32, gfx_v_permlanex16_b32, gfx_v_permlane64_b32;
gfx_execute_function gfx_v_movrels_b32, gfx_v_movreld_b32;

/* Two operations of one instruction (vector.c). */
gfx_execute_function gfx_execute_dual;

/* Operations of gfx10 and later that gfx9 has not. */
gfx_vector_function gfx_v_xor3_b32, gfx_v_maxmin_u32, gfx_v_minmax_u32, gfx_v_maxmin_i32;
gfx_vector_function gfx_v_minmax_i32, gfx_v_maxmin_f32, gfx_v_minmax_f32, gfx_v_maxmin_f16;
gfx_vector_function gfx_v_minmax_f16, gfx_v_fma_legacy_f32, gfx_v_cvt_i32_i16, gfx_v_cvt_u32_u16;
gfx_vector_function gfx_v_cvt_pk_i16_f32, gfx_v_cvt_pk_u16_f32;

/* The extremes of gfx12, of which a NaN is one. */
gfx_vector_function gfx_v_minimum_f32, gfx_v_maximum_f32, gfx_v_minimum3_f32, gfx_v_maximum3_f32;
gfx_vector_function gfx_v_minimummaximum_f32, gfx_v_maximumminimum_f32, gfx_v_minimum_f16;
gfx_vector_function gfx_v_maximum_f16, gfx_v_minimum3_f16, gfx_v_maximum3_f16;
gfx_vector_function gfx_v_minimummaximum_f16, gfx_v_maximumminimum_f16, gfx_v_pk_minimum_f16;
gfx_vector_function gfx_v_pk_maximum_f16, gfx_v_minimum_f64, gfx_v_maximum_f64;

/* Operations of gfx950 that gfx942 has not. */
gfx_vector_function gfx_v_prng_b32, gfx_v_cvt_f32_bf16, gfx_v_bitop3_b32, gfx_v_ashr_pk_i8_i32;
gfx_vector_function gfx_v_ashr_pk_u8_i32, gfx_v_cvt_pk_f16_f32, gfx_v_cvt_pk_bf16_f32;
gfx_vector_function gfx_v_pk_minimum3_f16, gfx_v_pk_maximum3_f16;
gfx_execute_function gfx_v_permlane16_swap_b32, gfx_v_permlane32_swap_b32;

#endif /* GFX_ALU_OPERATIONS_H */
