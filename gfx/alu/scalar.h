/* SPDX-License-Identifier: MIT */
/* Functions of the scalar operations, named after their instructions. */
#ifndef GFX_ALU_SCALAR_H
#define GFX_ALU_SCALAR_H

#include "gfx/wave/context.h"

#define GFX_STATUS_SCC 1U

/** Put SCC, which most operations make of their result, into a wave's status. The result is written already. */
static inline void gfx_settle_scc(struct gfx_wave *wave, const struct gfx_operation *operation,
				  struct gfx_scalar *scalar)
{
	if (operation->dst != GFX_B64)
		scalar->d &= UINT32_MAX;
	if (operation->flags & GFX_NONZERO_SCC)
		scalar->scc = scalar->d != 0;
	wave->status = (wave->status & ~GFX_STATUS_SCC) | scalar->scc;
}

/* gfx_operation.execute of scalar arithmetic, and of instructions without effect. */
gfx_execute_function gfx_execute_scalar, gfx_execute_nothing;

/* Arithmetic and moves (scalar.c). */
gfx_scalar_function gfx_s_add_u32, gfx_s_sub_u32, gfx_s_add_i32, gfx_s_sub_i32, gfx_s_addc_u32;
gfx_scalar_function gfx_s_subb_u32, gfx_s_min_i32, gfx_s_min_u32, gfx_s_max_i32, gfx_s_max_u32;
gfx_scalar_function gfx_s_add_nc_u64, gfx_s_sub_nc_u64, gfx_s_mul_u64;
gfx_scalar_function gfx_s_cselect, gfx_s_mul_i32, gfx_s_mul_hi_u32, gfx_s_mul_hi_i32;
gfx_scalar_function gfx_s_absdiff_i32, gfx_s_abs_i32, gfx_s_lshl1_add_u32, gfx_s_lshl2_add_u32;
gfx_scalar_function gfx_s_lshl3_add_u32, gfx_s_lshl4_add_u32, gfx_s_pack_ll, gfx_s_pack_lh;
gfx_scalar_function gfx_s_pack_hl, gfx_s_pack_hh, gfx_s_mov, gfx_s_cmov, gfx_s_addk_i32;
gfx_scalar_function gfx_s_sext_i32_i8, gfx_s_sext_i32_i16, gfx_s_movrels_b32, gfx_s_movrels_b64;
gfx_scalar_function gfx_s_movreld_b32, gfx_s_movreld_b64;

/* Bits (scalar-bits.c). */
gfx_scalar_function gfx_s_and, gfx_s_or, gfx_s_xor, gfx_s_andn2, gfx_s_orn2, gfx_s_nand;
gfx_scalar_function gfx_s_nor, gfx_s_xnor, gfx_s_lshl_b32, gfx_s_lshl_b64, gfx_s_lshr_b32;
gfx_scalar_function gfx_s_lshr_b64, gfx_s_ashr_i32, gfx_s_ashr_i64, gfx_s_bfm_b32, gfx_s_bfm_b64;
gfx_scalar_function gfx_s_bfe_u32, gfx_s_bfe_i32, gfx_s_bfe_u64, gfx_s_bfe_i64, gfx_s_not;
gfx_scalar_function gfx_s_wqm, gfx_s_brev_b32, gfx_s_brev_b64, gfx_s_bcnt0_b32, gfx_s_bcnt0_b64;
gfx_scalar_function gfx_s_bcnt1, gfx_s_ff0_b32, gfx_s_ff0_b64, gfx_s_ff1, gfx_s_flbit_b32;
gfx_scalar_function gfx_s_flbit_b64, gfx_s_flbit_i32, gfx_s_flbit_i64, gfx_s_bitset0_b32;
gfx_scalar_function gfx_s_bitset0_b64, gfx_s_bitset1_b32, gfx_s_bitset1_b64;
gfx_scalar_function gfx_s_bitreplicate, gfx_s_quadmask_b32, gfx_s_quadmask_b64;

/* Compares (scalar-bits.c). */
gfx_scalar_function gfx_s_cmp_eq, gfx_s_cmp_lg, gfx_s_cmp_gt_i32, gfx_s_cmp_ge_i32;
gfx_scalar_function gfx_s_cmp_lt_i32, gfx_s_cmp_le_i32, gfx_s_cmp_gt_u32, gfx_s_cmp_ge_u32;
gfx_scalar_function gfx_s_cmp_lt_u32, gfx_s_cmp_le_u32, gfx_s_bitcmp0_b32, gfx_s_bitcmp1_b32;
gfx_scalar_function gfx_s_bitcmp0_b64, gfx_s_bitcmp1_b64;

/* Control flow, exec and wave state (control-flow.c). */
gfx_scalar_function gfx_s_and_saveexec, gfx_s_or_saveexec, gfx_s_xor_saveexec;
gfx_scalar_function gfx_s_andn2_saveexec, gfx_s_orn2_saveexec, gfx_s_nand_saveexec;
gfx_scalar_function gfx_s_nor_saveexec, gfx_s_xnor_saveexec, gfx_s_andn1_saveexec;
gfx_scalar_function gfx_s_orn1_saveexec, gfx_s_andn1_wrexec, gfx_s_andn2_wrexec;
gfx_scalar_function gfx_s_getpc_b64, gfx_s_setpc_b64, gfx_s_swappc_b64, gfx_s_call_b64;
gfx_scalar_function gfx_s_sendmsg_rtn;
gfx_execute_function gfx_s_round_mode, gfx_s_denorm_mode;
gfx_scalar_function gfx_s_getreg_b32, gfx_s_setreg_b32, gfx_s_setreg_imm32_b32;
gfx_execute_function gfx_s_endpgm, gfx_s_branch, gfx_s_cbranch_scc0, gfx_s_cbranch_scc1;
gfx_execute_function gfx_s_cbranch_vccz, gfx_s_cbranch_vccnz, gfx_s_cbranch_execz;
gfx_execute_function gfx_s_barrier_signal, gfx_s_barrier_wait;
gfx_execute_function gfx_s_cbranch_execnz, gfx_s_barrier, gfx_s_sethalt, gfx_s_trap;
gfx_execute_function gfx_s_setprio, gfx_s_cbranch_cdbgsys, gfx_s_cbranch_cdbguser;
gfx_execute_function gfx_s_cbranch_cdbgsys_or_user, gfx_s_cbranch_cdbgsys_and_user;
gfx_execute_function gfx_s_sendmsghalt, gfx_s_set_gpr_idx_mode, gfx_s_set_gpr_idx_off;
gfx_scalar_function gfx_s_set_gpr_idx_on, gfx_s_set_gpr_idx_idx;

#endif /* GFX_ALU_SCALAR_H */
