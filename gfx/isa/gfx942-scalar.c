/* SPDX-License-Identifier: MIT */
/* gfx942: encodings, and the operations of the scalar ones. */
#include "gfx/instruction/fields.h"
#include "gfx/alu/scalar.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* name, function, types of destination and sources, flags */
#define SCALAR(operation, function, d, a, b, flag)                                                 \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_scalar, .scalar = gfx_s_##function,     \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b}, .flags = (flag)                         \
	}
#define CONTROL(operation, function) {.name = #operation, .execute = (function)}
#define BARE(operation, function)                                                                  \
	{.name = #operation, .execute = (function), .flags = GFX_NO_OPERANDS}
#define NZ GFX_NONZERO_SCC
#define OLD GFX_READS_DST

const struct gfx_operation gfx942_sop2[GFX942_SOP2_COUNT] = {
	[0] = SCALAR(s_add_u32, add_u32, B32, B32, B32, 0),
	[1] = SCALAR(s_sub_u32, sub_u32, B32, B32, B32, 0),
	[2] = SCALAR(s_add_i32, add_i32, B32, B32, B32, 0),
	[3] = SCALAR(s_sub_i32, sub_i32, B32, B32, B32, 0),
	[4] = SCALAR(s_addc_u32, addc_u32, B32, B32, B32, 0),
	[5] = SCALAR(s_subb_u32, subb_u32, B32, B32, B32, 0),
	[6] = SCALAR(s_min_i32, min_i32, B32, B32, B32, 0),
	[7] = SCALAR(s_min_u32, min_u32, B32, B32, B32, 0),
	[8] = SCALAR(s_max_i32, max_i32, B32, B32, B32, 0),
	[9] = SCALAR(s_max_u32, max_u32, B32, B32, B32, 0),
	[10] = SCALAR(s_cselect_b32, cselect, B32, B32, B32, 0),
	[11] = SCALAR(s_cselect_b64, cselect, B64, B64, B64, 0),
	[12] = SCALAR(s_and_b32, and, B32, B32, B32, NZ),
	[13] = SCALAR(s_and_b64, and, B64, B64, B64, NZ),
	[14] = SCALAR(s_or_b32, or, B32, B32, B32, NZ),
	[15] = SCALAR(s_or_b64, or, B64, B64, B64, NZ),
	[16] = SCALAR(s_xor_b32, xor, B32, B32, B32, NZ),
	[17] = SCALAR(s_xor_b64, xor, B64, B64, B64, NZ),
	[18] = SCALAR(s_andn2_b32, andn2, B32, B32, B32, NZ),
	[19] = SCALAR(s_andn2_b64, andn2, B64, B64, B64, NZ),
	[20] = SCALAR(s_orn2_b32, orn2, B32, B32, B32, NZ),
	[21] = SCALAR(s_orn2_b64, orn2, B64, B64, B64, NZ),
	[22] = SCALAR(s_nand_b32, nand, B32, B32, B32, NZ),
	[23] = SCALAR(s_nand_b64, nand, B64, B64, B64, NZ),
	[24] = SCALAR(s_nor_b32, nor, B32, B32, B32, NZ),
	[25] = SCALAR(s_nor_b64, nor, B64, B64, B64, NZ),
	[26] = SCALAR(s_xnor_b32, xnor, B32, B32, B32, NZ),
	[27] = SCALAR(s_xnor_b64, xnor, B64, B64, B64, NZ),
	[28] = SCALAR(s_lshl_b32, lshl_b32, B32, B32, B32, NZ),
	[29] = SCALAR(s_lshl_b64, lshl_b64, B64, B64, B32, NZ),
	[30] = SCALAR(s_lshr_b32, lshr_b32, B32, B32, B32, NZ),
	[31] = SCALAR(s_lshr_b64, lshr_b64, B64, B64, B32, NZ),
	[32] = SCALAR(s_ashr_i32, ashr_i32, B32, B32, B32, NZ),
	[33] = SCALAR(s_ashr_i64, ashr_i64, B64, B64, B32, NZ),
	[34] = SCALAR(s_bfm_b32, bfm_b32, B32, B32, B32, 0),
	[35] = SCALAR(s_bfm_b64, bfm_b64, B64, B32, B32, 0),
	[36] = SCALAR(s_mul_i32, mul_i32, B32, B32, B32, 0),
	[37] = SCALAR(s_bfe_u32, bfe_u32, B32, B32, B32, NZ),
	[38] = SCALAR(s_bfe_i32, bfe_i32, B32, B32, B32, NZ),
	[39] = SCALAR(s_bfe_u64, bfe_u64, B64, B64, B32, NZ),
	[40] = SCALAR(s_bfe_i64, bfe_i64, B64, B64, B32, NZ),
	[42] = SCALAR(s_absdiff_i32, absdiff_i32, B32, B32, B32, NZ),
	[44] = SCALAR(s_mul_hi_u32, mul_hi_u32, B32, B32, B32, 0),
	[45] = SCALAR(s_mul_hi_i32, mul_hi_i32, B32, B32, B32, 0),
	[46] = SCALAR(s_lshl1_add_u32, lshl1_add_u32, B32, B32, B32, 0),
	[47] = SCALAR(s_lshl2_add_u32, lshl2_add_u32, B32, B32, B32, 0),
	[48] = SCALAR(s_lshl3_add_u32, lshl3_add_u32, B32, B32, B32, 0),
	[49] = SCALAR(s_lshl4_add_u32, lshl4_add_u32, B32, B32, B32, 0),
	[50] = SCALAR(s_pack_ll_b32_b16, pack_ll, B32, B32, B32, 0),
	[51] = SCALAR(s_pack_lh_b32_b16, pack_lh, B32, B32, B32, 0),
	[52] = SCALAR(s_pack_hh_b32_b16, pack_hh, B32, B32, B32, 0),
};

const struct gfx_operation gfx942_sop1[GFX942_SOP1_COUNT] = {
	[0] = SCALAR(s_mov_b32, mov, B32, B32, NONE, 0),
	[1] = SCALAR(s_mov_b64, mov, B64, B64, NONE, 0),
	[2] = SCALAR(s_cmov_b32, cmov, B32, B32, NONE, OLD),
	[3] = SCALAR(s_cmov_b64, cmov, B64, B64, NONE, OLD),
	[4] = SCALAR(s_not_b32, not, B32, B32, NONE, NZ),
	[5] = SCALAR(s_not_b64, not, B64, B64, NONE, NZ),
	[6] = SCALAR(s_wqm_b32, wqm, B32, B32, NONE, NZ),
	[7] = SCALAR(s_wqm_b64, wqm, B64, B64, NONE, NZ),
	[8] = SCALAR(s_brev_b32, brev_b32, B32, B32, NONE, 0),
	[9] = SCALAR(s_brev_b64, brev_b64, B64, B64, NONE, 0),
	[10] = SCALAR(s_bcnt0_i32_b32, bcnt0_b32, B32, B32, NONE, NZ),
	[11] = SCALAR(s_bcnt0_i32_b64, bcnt0_b64, B32, B64, NONE, NZ),
	[12] = SCALAR(s_bcnt1_i32_b32, bcnt1, B32, B32, NONE, NZ),
	[13] = SCALAR(s_bcnt1_i32_b64, bcnt1, B32, B64, NONE, NZ),
	[14] = SCALAR(s_ff0_i32_b32, ff0_b32, B32, B32, NONE, 0),
	[15] = SCALAR(s_ff0_i32_b64, ff0_b64, B32, B64, NONE, 0),
	[16] = SCALAR(s_ff1_i32_b32, ff1, B32, B32, NONE, 0),
	[17] = SCALAR(s_ff1_i32_b64, ff1, B32, B64, NONE, 0),
	[18] = SCALAR(s_flbit_i32_b32, flbit_b32, B32, B32, NONE, 0),
	[19] = SCALAR(s_flbit_i32_b64, flbit_b64, B32, B64, NONE, 0),
	[20] = SCALAR(s_flbit_i32, flbit_i32, B32, B32, NONE, 0),
	[21] = SCALAR(s_flbit_i32_i64, flbit_i64, B32, B64, NONE, 0),
	[22] = SCALAR(s_sext_i32_i8, sext_i32_i8, B32, B32, NONE, 0),
	[23] = SCALAR(s_sext_i32_i16, sext_i32_i16, B32, B32, NONE, 0),
	[24] = SCALAR(s_bitset0_b32, bitset0_b32, B32, B32, NONE, OLD),
	[25] = SCALAR(s_bitset0_b64, bitset0_b64, B64, B32, NONE, OLD),
	[26] = SCALAR(s_bitset1_b32, bitset1_b32, B32, B32, NONE, OLD),
	[27] = SCALAR(s_bitset1_b64, bitset1_b64, B64, B32, NONE, OLD),
	[28] = SCALAR(s_getpc_b64, getpc_b64, B64, NONE, NONE, 0),
	[29] = SCALAR(s_setpc_b64, setpc_b64, NONE, B64, NONE, 0),
	[30] = SCALAR(s_swappc_b64, swappc_b64, B64, B64, NONE, 0),
	[32] = SCALAR(s_and_saveexec_b64, and_saveexec, B64, B64, NONE, 0),
	[33] = SCALAR(s_or_saveexec_b64, or_saveexec, B64, B64, NONE, 0),
	[34] = SCALAR(s_xor_saveexec_b64, xor_saveexec, B64, B64, NONE, 0),
	[35] = SCALAR(s_andn2_saveexec_b64, andn2_saveexec, B64, B64, NONE, 0),
	[36] = SCALAR(s_orn2_saveexec_b64, orn2_saveexec, B64, B64, NONE, 0),
	[37] = SCALAR(s_nand_saveexec_b64, nand_saveexec, B64, B64, NONE, 0),
	[38] = SCALAR(s_nor_saveexec_b64, nor_saveexec, B64, B64, NONE, 0),
	[39] = SCALAR(s_xnor_saveexec_b64, xnor_saveexec, B64, B64, NONE, 0),
	[40] = SCALAR(s_quadmask_b32, quadmask_b32, B32, B32, NONE, NZ),
	[41] = SCALAR(s_quadmask_b64, quadmask_b64, B64, B64, NONE, NZ),
	[42] = SCALAR(s_movrels_b32, movrels_b32, B32, B32, NONE, 0),
	[43] = SCALAR(s_movrels_b64, movrels_b64, B64, B64, NONE, 0),
	[44] = SCALAR(s_movreld_b32, movreld_b32, NONE, B32, NONE, 0),
	[45] = SCALAR(s_movreld_b64, movreld_b64, NONE, B64, NONE, GFX_DST_PAIR),
	[48] = SCALAR(s_abs_i32, abs_i32, B32, B32, NONE, NZ),
	[50] = SCALAR(s_set_gpr_idx_idx, set_gpr_idx_idx, NONE, B32, NONE, 0),
	[51] = SCALAR(s_andn1_saveexec_b64, andn1_saveexec, B64, B64, NONE, 0),
	[52] = SCALAR(s_orn1_saveexec_b64, orn1_saveexec, B64, B64, NONE, 0),
	[53] = SCALAR(s_andn1_wrexec_b64, andn1_wrexec, B64, B64, NONE, 0),
	[54] = SCALAR(s_andn2_wrexec_b64, andn2_wrexec, B64, B64, NONE, 0),
	[55] = SCALAR(s_bitreplicate_b64_b32, bitreplicate, B64, B32, NONE, 0),
};

const struct gfx_operation gfx942_sopc[GFX942_SOPC_COUNT] = {
	[0] = SCALAR(s_cmp_eq_i32, cmp_eq, NONE, B32, B32, 0),
	[1] = SCALAR(s_cmp_lg_i32, cmp_lg, NONE, B32, B32, 0),
	[2] = SCALAR(s_cmp_gt_i32, cmp_gt_i32, NONE, B32, B32, 0),
	[3] = SCALAR(s_cmp_ge_i32, cmp_ge_i32, NONE, B32, B32, 0),
	[4] = SCALAR(s_cmp_lt_i32, cmp_lt_i32, NONE, B32, B32, 0),
	[5] = SCALAR(s_cmp_le_i32, cmp_le_i32, NONE, B32, B32, 0),
	[6] = SCALAR(s_cmp_eq_u32, cmp_eq, NONE, B32, B32, 0),
	[7] = SCALAR(s_cmp_lg_u32, cmp_lg, NONE, B32, B32, 0),
	[8] = SCALAR(s_cmp_gt_u32, cmp_gt_u32, NONE, B32, B32, 0),
	[9] = SCALAR(s_cmp_ge_u32, cmp_ge_u32, NONE, B32, B32, 0),
	[10] = SCALAR(s_cmp_lt_u32, cmp_lt_u32, NONE, B32, B32, 0),
	[11] = SCALAR(s_cmp_le_u32, cmp_le_u32, NONE, B32, B32, 0),
	[12] = SCALAR(s_bitcmp0_b32, bitcmp0_b32, NONE, B32, B32, 0),
	[13] = SCALAR(s_bitcmp1_b32, bitcmp1_b32, NONE, B32, B32, 0),
	[14] = SCALAR(s_bitcmp0_b64, bitcmp0_b64, NONE, B64, B32, 0),
	[15] = SCALAR(s_bitcmp1_b64, bitcmp1_b64, NONE, B64, B32, 0),
	[17] = SCALAR(s_set_gpr_idx_on, set_gpr_idx_on, NONE, B32, NONE, 0),
	[18] = SCALAR(s_cmp_eq_u64, cmp_eq, NONE, B64, B64, 0),
	[19] = SCALAR(s_cmp_lg_u64, cmp_lg, NONE, B64, B64, 0),
};

/* The compares with a constant have it second: the first source is the register in the dst
 * field. */
#define COMPARE_K(operation, function)                                                             \
	SCALAR(operation, function, NONE, DST, K16, 0)
#define COMPARE_K_UNSIGNED(operation, function)                                                    \
	SCALAR(operation, function, NONE, DST, U16, 0)

const struct gfx_operation gfx942_sopk[GFX942_SOPK_COUNT] = {
	[0] = SCALAR(s_movk_i32, mov, B32, K16, NONE, 0),
	[1] = SCALAR(s_cmovk_i32, cmov, B32, K16, NONE, OLD),
	[2] = COMPARE_K(s_cmpk_eq_i32, cmp_eq),
	[3] = COMPARE_K(s_cmpk_lg_i32, cmp_lg),
	[4] = COMPARE_K(s_cmpk_gt_i32, cmp_gt_i32),
	[5] = COMPARE_K(s_cmpk_ge_i32, cmp_ge_i32),
	[6] = COMPARE_K(s_cmpk_lt_i32, cmp_lt_i32),
	[7] = COMPARE_K(s_cmpk_le_i32, cmp_le_i32),
	[8] = COMPARE_K_UNSIGNED(s_cmpk_eq_u32, cmp_eq),
	[9] = COMPARE_K_UNSIGNED(s_cmpk_lg_u32, cmp_lg),
	[10] = COMPARE_K_UNSIGNED(s_cmpk_gt_u32, cmp_gt_u32),
	[11] = COMPARE_K_UNSIGNED(s_cmpk_ge_u32, cmp_ge_u32),
	[12] = COMPARE_K_UNSIGNED(s_cmpk_lt_u32, cmp_lt_u32),
	[13] = COMPARE_K_UNSIGNED(s_cmpk_le_u32, cmp_le_u32),
	[14] = SCALAR(s_addk_i32, addk_i32, B32, K16, NONE, OLD),
	[15] = SCALAR(s_mulk_i32, mul_i32, B32, K16, NONE, OLD),
	[17] = SCALAR(s_getreg_b32, getreg_b32, B32, NONE, NONE, 0),
	[18] = SCALAR(s_setreg_b32, setreg_b32, NONE, NONE, NONE, 0),
	[20] = SCALAR(s_setreg_imm32_b32, setreg_imm32_b32, NONE, NONE, NONE, GFX_LITERAL_K),
	[21] = SCALAR(s_call_b64, call_b64, B64, NONE, NONE, 0),
};

const struct gfx_operation gfx942_sopp[GFX942_SOPP_COUNT] = {
	[0] = CONTROL(s_nop, gfx_execute_nothing),
	[1] = CONTROL(s_endpgm, gfx_s_endpgm),
	[2] = CONTROL(s_branch, gfx_s_branch),
	[3] = BARE(s_wakeup, gfx_execute_nothing),
	[4] = CONTROL(s_cbranch_scc0, gfx_s_cbranch_scc0),
	[5] = CONTROL(s_cbranch_scc1, gfx_s_cbranch_scc1),
	[6] = CONTROL(s_cbranch_vccz, gfx_s_cbranch_vccz),
	[7] = CONTROL(s_cbranch_vccnz, gfx_s_cbranch_vccnz),
	[8] = CONTROL(s_cbranch_execz, gfx_s_cbranch_execz),
	[9] = CONTROL(s_cbranch_execnz, gfx_s_cbranch_execnz),
	[10] = BARE(s_barrier, gfx_s_barrier),
	[12] = CONTROL(s_waitcnt, gfx_execute_nothing),
	[13] = CONTROL(s_sethalt, gfx_s_sethalt),
	[14] = CONTROL(s_sleep, gfx_execute_nothing),
	[15] = CONTROL(s_setprio, gfx_s_setprio),
	[16] = CONTROL(s_sendmsg, gfx_execute_nothing),
	[17] = CONTROL(s_sendmsghalt, gfx_s_sendmsghalt),
	[18] = CONTROL(s_trap, gfx_s_trap),
	[19] = BARE(s_icache_inv, gfx_execute_nothing),
	[20] = CONTROL(s_incperflevel, gfx_execute_nothing),
	[21] = CONTROL(s_decperflevel, gfx_execute_nothing),
	[22] = BARE(s_ttracedata, gfx_execute_nothing),
	[23] = CONTROL(s_cbranch_cdbgsys, gfx_s_cbranch_cdbgsys),
	[24] = CONTROL(s_cbranch_cdbguser, gfx_s_cbranch_cdbguser),
	[25] = CONTROL(s_cbranch_cdbgsys_or_user, gfx_s_cbranch_cdbgsys_or_user),
	[26] = CONTROL(s_cbranch_cdbgsys_and_user, gfx_s_cbranch_cdbgsys_and_user),
	[28] = BARE(s_set_gpr_idx_off, gfx_s_set_gpr_idx_off),
	[29] = CONTROL(s_set_gpr_idx_mode, gfx_s_set_gpr_idx_mode),
};

/* One row per run of opcodes; the first that fits a word is taken, so narrow prefixes come
 * first. */
#define ENCODING(m, v, shift, o_mask, first, n, size, format, parse, table)                        \
	{                                                                                          \
		.mask = (m), .value = (v), .opcode_mask = (o_mask), .opcode_first = (first),       \
		.opcode_count = (n), .opcode_shift = (shift), .word_count = (size),                \
		.encoding = (format), .fields = gfx_fields_##parse, .operations = (table),         \
		.operation_count = sizeof(table) / sizeof((table)[0])                              \
	}

const struct gfx_encoding_row gfx942_encodings[GFX942_ENCODING_COUNT] = {
	ENCODING(0xff800000, 0xbe800000, 8, 0xff, 0, 256, 1, GFX_SOP1, sop1, gfx942_sop1),
	ENCODING(0xff800000, 0xbf000000, 16, 0x7f, 0, 128, 1, GFX_SOPC, sopc, gfx942_sopc),
	ENCODING(0xff800000, 0xbf800000, 16, 0x7f, 0, 128, 1, GFX_SOPP, sopp, gfx942_sopp),
	ENCODING(0xf0000000, 0xb0000000, 23, 0x1f, 0, 32, 1, GFX_SOPK, sopk, gfx942_sopk),
	ENCODING(0xc0000000, 0x80000000, 23, 0x7f, 0, 128, 1, GFX_SOP2, sop2, gfx942_sop2),
	ENCODING(0xfe000000, 0x7e000000, 9, 0xff, 0, 256, 1, GFX_VOP1, vop1, gfx942_vop1),
	ENCODING(0xfe000000, 0x7c000000, 17, 0xff, 0, 256, 1, GFX_VOPC, vopc, gfx942_vopc),
	ENCODING(0x80000000, 0x00000000, 25, 0x3f, 0, 64, 1, GFX_VOP2, vop2, gfx942_vop2),
	ENCODING(0xff800000, 0xd3800000, 16, 0x7f, GFX_MATRIX_LOW_FIRST, GFX_MATRIX_LOW_COUNT, 2,
		 GFX_MAI, mai, gfx942_matrix_low),
	ENCODING(0xff800000, 0xd3800000, 16, 0x7f, GFX_MATRIX_HIGH_FIRST, GFX_MATRIX_HIGH_COUNT, 2,
		 GFX_MAI, mai, gfx942_matrix_high),
	ENCODING(0xff800000, 0xd3800000, 16, 0x7f, 0, 128, 2, GFX_VOP3P, vop3p, gfx942_vop3p),
	ENCODING(0xfc000000, 0xd0000000, 16, 0x3ff, 0, 256, 2, GFX_VOP3E, vop3, gfx942_vopc),
	ENCODING(0xfc000000, 0xd0000000, 16, 0x3ff, 256, 64, 2, GFX_VOP3E, vop3, gfx942_vop2),
	ENCODING(0xfc000000, 0xd0000000, 16, 0x3ff, 320, 128, 2, GFX_VOP3E, vop3, gfx942_vop1),
	ENCODING(0xfc000000, 0xd0000000, 16, 0x3ff, 448, 448, 2, GFX_VOP3, vop3, gfx942_vop3),
	ENCODING(0xfc00c000, 0xdc008000, 18, 0x7f, 0, 128, 2, GFX_GLOBAL, flat, gfx942_global),
	ENCODING(0xfc000000, 0xc0000000, 18, 0xff, 0, 256, 2, GFX_SMEM, smem, gfx942_smem),
	ENCODING(0xfc000000, 0xd8000000, 17, 0xff, 0, 256, 2, GFX_DS, ds, gfx942_ds),
	ENCODING(0xfc00c000, 0xdc000000, 18, 0x7f, 0, 128, 2, GFX_FLAT, flat, gfx942_flat),
	ENCODING(0xfc00c000, 0xdc004000, 18, 0x7f, 0, 128, 2, GFX_SCRATCH, flat, gfx942_scratch),
	ENCODING(0xfc000000, 0xe0000000, 18, 0x7f, 0, 128, 2, GFX_MUBUF, mubuf, gfx942_mubuf),
	ENCODING(0xfc000000, 0xe8000000, 15, 15, 0, 16, 2, GFX_MUBUF, mubuf, gfx942_mtbuf),
};
