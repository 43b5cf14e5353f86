/* SPDX-License-Identifier: MIT */
/*
 * gfx950: what differs from gfx942, whose tables are looked at for everything else. A run of opcodes without operations says that there
 * are none, or that they are not implemented.
 */
#include "gfx/isa/rows.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* From opcode 88 on. */
static const struct gfx_operation vop1_own[] = {
	VECTOR(v_prng_b32, prng_b32, B32, B32, NONE, NONE, 0),
	LANE(v_permlane16_swap_b32, B32, B32, NONE, GFX_SELECTS_HALF),
	LANE(v_permlane32_swap_b32, B32, B32, NONE, GFX_SELECTS_HALF),
	FLOAT(v_cvt_f32_bf16, cvt_f32_bf16, F32, F16, NONE, NONE, NOTHING, 0),
};

static const struct gfx_operation from_bytes[] = {
	FROM_BYTES(open_fp8, open_bf8),
};

static const struct gfx_operation to_bytes[] = {
	TO_BYTES(open_fp8, open_bf8),
	TO_BYTE(open_fp8, open_bf8),
};

static const struct gfx_operation vop3_bitop3[] = {
	VECTOR(v_bitop3_b16, bitop3_b32, B16, B16, B16, B16, KEEPS),
	VECTOR(v_bitop3_b32, bitop3_b32, B32, B32, B32, B32, 0),
};

/* From opcode 613 on. */
static const struct gfx_operation vop3_packing[] = {
	VECTOR(v_ashr_pk_i8_i32, ashr_pk_i8_i32, B16, B32, B32, B32, KEEPS),
	VECTOR(v_ashr_pk_u8_i32, ashr_pk_u8_i32, B16, B32, B32, B32, KEEPS),
	VECTOR(v_cvt_pk_f16_f32, cvt_pk_f16_f32, B32, F32, F32, NONE, 0),
	VECTOR(v_cvt_pk_bf16_f32, cvt_pk_bf16_f32, B32, F32, F32, NONE, 0),
};

static const struct gfx_operation vop3_extremes[] = {
	FLOAT(v_minimum3_f32, minimum3_f32, F32, F32, F32, F32, OPERANDS, OWN),
	FLOAT(v_maximum3_f32, maximum3_f32, F32, F32, F32, F32, OPERANDS, OWN),
};

static const struct gfx_operation vop3p_extremes[] = {
	FLOAT(v_pk_minimum3_f16, pk_minimum3_f16, V2F16, V2F16, V2F16, V2F16, OPERANDS, 0),
	FLOAT(v_pk_maximum3_f16, pk_maximum3_f16, V2F16, V2F16, V2F16, V2F16, OPERANDS, 0),
};

static const struct gfx_operation buffer_addition[] = {
	ATOMIC("buffer_atomic_pk_add_bf16", pk_add_bf16, 4, 0),
};

/* The others are known by name, and not executed. */
#define NAMED(operation) {.name = #operation}

static const struct gfx_operation vop2_dot[] = {
	FLOAT(v_dot2c_f32_bf16, dot2_f32_bf16, F32, V2BF16, V2BF16, F32, NOTHING, OLD | GFX_SELECTS_HALF | GFX_NO_MODE),
};

/* From opcode 565 on. */
static const struct gfx_operation vop3_scaling[] = {
	[0] = NAMED(v_cvt_scalef32_pk_fp8_f32),
	[1] = NAMED(v_cvt_scalef32_pk_bf8_f32),
	[2] = NAMED(v_cvt_scalef32_sr_fp8_f32),
	[3] = NAMED(v_cvt_scalef32_sr_bf8_f32),
	[4] = NAMED(v_cvt_scalef32_pk_f32_fp8),
	[5] = NAMED(v_cvt_scalef32_pk_f32_bf8),
	[6] = NAMED(v_cvt_scalef32_f32_fp8),
	[7] = NAMED(v_cvt_scalef32_f32_bf8),
	[8] = NAMED(v_cvt_scalef32_pk_fp4_f32),
	[9] = NAMED(v_cvt_scalef32_sr_pk_fp4_f32),
	[10] = NAMED(v_cvt_scalef32_pk_f32_fp4),
	[11] = NAMED(v_cvt_scalef32_pk_fp8_f16),
	[12] = NAMED(v_cvt_scalef32_pk_bf8_f16),
	[13] = NAMED(v_cvt_scalef32_sr_fp8_f16),
	[14] = NAMED(v_cvt_scalef32_sr_bf8_f16),
	[15] = NAMED(v_cvt_scalef32_pk_fp8_bf16),
	[16] = NAMED(v_cvt_scalef32_pk_bf8_bf16),
	[17] = NAMED(v_cvt_scalef32_sr_fp8_bf16),
	[18] = NAMED(v_cvt_scalef32_sr_bf8_bf16),
	[19] = NAMED(v_cvt_scalef32_pk_f16_fp8),
	[20] = NAMED(v_cvt_scalef32_pk_f16_bf8),
	[21] = NAMED(v_cvt_scalef32_f16_fp8),
	[22] = NAMED(v_cvt_scalef32_f16_bf8),
	[23] = NAMED(v_cvt_scalef32_pk_fp4_f16),
	[24] = NAMED(v_cvt_scalef32_pk_fp4_bf16),
	[25] = NAMED(v_cvt_scalef32_sr_pk_fp4_f16),
	[26] = NAMED(v_cvt_scalef32_sr_pk_fp4_bf16),
	[27] = NAMED(v_cvt_scalef32_pk_f16_fp4),
	[28] = NAMED(v_cvt_scalef32_pk_bf16_fp4),
	[29] = NAMED(v_cvt_scalef32_2xpk16_fp6_f32),
	[30] = NAMED(v_cvt_scalef32_2xpk16_bf6_f32),
	[31] = NAMED(v_cvt_scalef32_sr_pk32_fp6_f32),
	[32] = NAMED(v_cvt_scalef32_sr_pk32_bf6_f32),
	[33] = NAMED(v_cvt_scalef32_pk32_f32_fp6),
	[34] = NAMED(v_cvt_scalef32_pk32_f32_bf6),
	[35] = NAMED(v_cvt_scalef32_pk32_fp6_f16),
	[36] = NAMED(v_cvt_scalef32_pk32_fp6_bf16),
	[37] = NAMED(v_cvt_scalef32_pk32_bf6_f16),
	[38] = NAMED(v_cvt_scalef32_pk32_bf6_bf16),
	[39] = NAMED(v_cvt_scalef32_sr_pk32_fp6_f16),
	[40] = NAMED(v_cvt_scalef32_sr_pk32_fp6_bf16),
	[41] = NAMED(v_cvt_scalef32_sr_pk32_bf6_f16),
	[42] = NAMED(v_cvt_scalef32_sr_pk32_bf6_bf16),
	[43] = NAMED(v_cvt_scalef32_pk32_f16_fp6),
	[44] = NAMED(v_cvt_scalef32_pk32_bf16_fp6),
	[45] = NAMED(v_cvt_scalef32_pk32_f16_bf6),
	[46] = NAMED(v_cvt_scalef32_pk32_bf16_bf6),
};

/* From opcode 617 on. */
static const struct gfx_operation vop3_scaling_bfloats[] = {
	[0] = NAMED(v_cvt_scalef32_pk_bf16_fp8),
	[1] = NAMED(v_cvt_scalef32_pk_bf16_bf8),
};

static const struct gfx_operation vop3_stochastic[] = {
	[0] = NAMED(v_cvt_sr_f16_f32),
	[1] = NAMED(v_cvt_sr_bf16_f32),
};

static const struct gfx_operation vop3p_dot[] = {
	FLOAT(v_dot2_f32_bf16, dot2_f32_bf16, F32, V2BF16, V2BF16, F32, NOTHING, GFX_NO_MODE),
};

/* From opcode 44 on: the first is the first half of an instruction of four words. */
static const struct gfx_operation matrix_scaled[] = {
	NAMED(v_mfma_ld_scale_b32),
	NAMED(v_mfma_f32_16x16x128_f8f6f4),
	NAMED(v_mfma_f32_32x32x64_f8f6f4),
};

static const struct gfx_operation ds_transposing[] = {
	NAMED(ds_read_b64_tr_b4),
	NAMED(ds_read_b96_tr_b6),
	NAMED(ds_read_b64_tr_b8),
	NAMED(ds_read_b64_tr_b16),
};

static const struct gfx_operation global_to_lds[] = {
	LOAD("global_load_lds_dwordx4", 16, GFX_TO_LOCAL),
	NAMED(global_load_lds_dwordx3),
};

#define MATRIX(first, n) PART(0xff800000, 0xd3800000, 16, 0x7f, first, n, 2, GFX_MAI, mai, gfx950_matrix + (first) - GFX950_MATRIX_FIRST)

const struct gfx_encoding_row gfx950_encodings[GFX950_ENCODING_COUNT] = {
	PART(0xfe000000, 0x7e000000, 9, 0xff, 88, 4, 1, GFX_VOP1, vop1, vop1_own),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 408, 1, 2, GFX_VOP3E, vop3, vop1_own),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 409, 2, 2, GFX_VOP3E, swap, vop1_own + 1),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 411, 1, 2, GFX_VOP3E, vop3, vop1_own + 3),
	PART(0xfe000000, 0x7e000000, 9, 0xff, 84, 4, 1, GFX_VOP1, vop1, from_bytes),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 404, 4, 2, GFX_VOP3E, vop3, from_bytes),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 674, 2, 2, GFX_VOP3, vop3, to_bytes),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 676, 2, 2, GFX_VOP3, to_byte, to_bytes + 2),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 563, 2, 2, GFX_VOP3, bitop3, vop3_bitop3),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 613, 4, 2, GFX_VOP3, vop3, vop3_packing),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 680, 2, 2, GFX_VOP3, vop3, vop3_extremes),
	PART(0xff800000, 0xd3800000, 16, 0x7f, 27, 2, 2, GFX_VOP3P, vop3p, vop3p_extremes),
	MATRIX(53, 9),
	ABSENT(0xff800000, 0xd3800000, 16, 0x7f, 62, 2, 2, GFX_MAI), /* singles cut to 19 bits */
	MATRIX(67, 1),
	MATRIX(70, 2),
	MATRIX(75, 1),
	MATRIX(78, 2),
	MATRIX(83, 3),
	MATRIX(90, 2),
	MATRIX(112, 16),
	PART(0xfc000000, 0xe0000000, 18, 0x7f, 82, 1, 2, GFX_MUBUF, mubuf, buffer_addition),
	PART(0x80000000, 0x00000000, 25, 0x3f, 22, 1, 1, GFX_VOP2, vop2, vop2_dot),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 278, 1, 2, GFX_VOP3E, vop3, vop2_dot),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 565, 47, 2, GFX_VOP3, vop3, vop3_scaling),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 617, 2, 2, GFX_VOP3, vop3, vop3_scaling_bfloats),
	PART(0xfc000000, 0xd0000000, 16, 0x3ff, 678, 2, 2, GFX_VOP3, vop3, vop3_stochastic),
	PART(0xff800000, 0xd3800000, 16, 0x7f, 26, 1, 2, GFX_VOP3P, vop3p, vop3p_dot),
	PART(0xff800000, 0xd3800000, 16, 0x7f, 44, 3, 2, GFX_MAI, mai, matrix_scaled),
	PART(0xfc000000, 0xd8000000, 17, 0xff, 224, 4, 2, GFX_DS, ds, ds_transposing),
	PART(0xfc00c000, 0xdc008000, 18, 0x7f, 125, 2, 2, GFX_GLOBAL, flat, global_to_lds),
};
