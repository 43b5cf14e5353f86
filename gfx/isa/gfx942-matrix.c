/* SPDX-License-Identifier: MIT */
/* The matrix operations of gfx942, gfx90a, and what gfx950 has beyond gfx942. */
#include "gfx/alu/operations.h"
#include "gfx/isa/tables.h"

/* clang-format off */

/* name; rows, depth, blocks; elements of A and B; how products are added, and how many at once; flags */
#define MATRIX(operation, m, k, b, first, second, how, count, ...)                                 \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_matrix,                                 \
		.matrix = &(const struct gfx_matrix){                                              \
			.rows = (m), .depth = (k), .blocks = (b), .sum = GFX_MATRIX_##how,         \
			.elements = {GFX_ELEMENT_##first, GFX_ELEMENT_##second},                   \
			.group = (count), __VA_ARGS__                                              \
		}                                                                                  \
	}
#define BLOCKS .broadcasts = true, .permutes = true
#define LANES .permutes = true
#define SIGNS .negates = true
#define SPARSE .sparse = true
#define PLAIN .sparse = false

/* Opcodes count from the first one of a table. */
#define LOW(opcode) ((opcode) - GFX_MATRIX_LOW_FIRST)
#define HIGH(opcode) ((opcode) - GFX_MATRIX_HIGH_FIRST)

const struct gfx_operation gfx942_matrix_low[GFX_MATRIX_LOW_COUNT] = {
	[LOW(62)] = MATRIX(v_mfma_f32_16x16x8_xf32, 16, 8, 1, XF32, XF32, TRUNCATED, 4, PLAIN),
	[LOW(63)] = MATRIX(v_mfma_f32_32x32x4_xf32, 32, 4, 1, XF32, XF32, TRUNCATED, 4, PLAIN),
	[LOW(64)] = MATRIX(v_mfma_f32_32x32x1_2b_f32, 32, 1, 2, F32, F32, FUSED, 1, BLOCKS),
	[LOW(65)] = MATRIX(v_mfma_f32_16x16x1_4b_f32, 16, 1, 4, F32, F32, FUSED, 1, BLOCKS),
	[LOW(66)] = MATRIX(v_mfma_f32_4x4x1_16b_f32, 4, 1, 16, F32, F32, FUSED, 1, BLOCKS),
	[LOW(68)] = MATRIX(v_mfma_f32_32x32x2_f32, 32, 2, 1, F32, F32, FUSED, 2, LANES),
	[LOW(69)] = MATRIX(v_mfma_f32_16x16x4_f32, 16, 4, 1, F32, F32, FUSED, 4, LANES),
	[LOW(72)] = MATRIX(v_mfma_f32_32x32x4_2b_f16, 32, 4, 2, F16, F16, TRUNCATED, 4, BLOCKS),
	[LOW(73)] = MATRIX(v_mfma_f32_16x16x4_4b_f16, 16, 4, 4, F16, F16, TRUNCATED, 4, BLOCKS),
	[LOW(74)] = MATRIX(v_mfma_f32_4x4x4_16b_f16, 4, 4, 16, F16, F16, TRUNCATED, 4, BLOCKS),
	[LOW(76)] = MATRIX(v_mfma_f32_32x32x8_f16, 32, 8, 1, F16, F16, TRUNCATED, 8, PLAIN),
	[LOW(77)] = MATRIX(v_mfma_f32_16x16x16_f16, 16, 16, 1, F16, F16, TRUNCATED, 8, PLAIN),
	[LOW(80)] = MATRIX(v_mfma_i32_32x32x4_2b_i8, 32, 4, 2, I8, I8, INTEGER, 4, BLOCKS),
	[LOW(81)] = MATRIX(v_mfma_i32_16x16x4_4b_i8, 16, 4, 4, I8, I8, INTEGER, 4, BLOCKS),
	[LOW(82)] = MATRIX(v_mfma_i32_4x4x4_16b_i8, 4, 4, 16, I8, I8, INTEGER, 4, BLOCKS),
	[LOW(86)] = MATRIX(v_mfma_i32_32x32x16_i8, 32, 16, 1, I8, I8, INTEGER, 16, PLAIN),
	[LOW(87)] = MATRIX(v_mfma_i32_16x16x32_i8, 16, 32, 1, I8, I8, INTEGER, 32, PLAIN),
};

const struct gfx_operation gfx942_matrix_high[GFX_MATRIX_HIGH_COUNT] = {
	[HIGH(93)] = MATRIX(v_mfma_f32_32x32x4_2b_bf16, 32, 4, 2, BF16, BF16, TRUNCATED, 4, BLOCKS),
	[HIGH(94)] = MATRIX(v_mfma_f32_16x16x4_4b_bf16, 16, 4, 4, BF16, BF16, TRUNCATED, 4, BLOCKS),
	[HIGH(95)] = MATRIX(v_mfma_f32_4x4x4_16b_bf16, 4, 4, 16, BF16, BF16, TRUNCATED, 4, BLOCKS),
	[HIGH(96)] = MATRIX(v_mfma_f32_32x32x8_bf16, 32, 8, 1, BF16, BF16, TRUNCATED, 8, PLAIN),
	[HIGH(97)] = MATRIX(v_mfma_f32_16x16x16_bf16, 16, 16, 1, BF16, BF16, TRUNCATED, 8, PLAIN),
	[HIGH(98)] = MATRIX(v_smfmac_f32_16x16x32_f16, 16, 32, 1, F16, F16, TRUNCATED, 8, SPARSE),
	[HIGH(100)] = MATRIX(v_smfmac_f32_32x32x16_f16, 32, 16, 1, F16, F16, TRUNCATED, 8, SPARSE),
	[HIGH(102)] = MATRIX(v_smfmac_f32_16x16x32_bf16, 16, 32, 1, BF16, BF16, TRUNCATED, 8, SPARSE),
	[HIGH(104)] = MATRIX(v_smfmac_f32_32x32x16_bf16, 32, 16, 1, BF16, BF16, TRUNCATED, 8, SPARSE),
	[HIGH(106)] = MATRIX(v_smfmac_i32_16x16x64_i8, 16, 64, 1, I8, I8, INTEGER, 32, SPARSE),
	[HIGH(108)] = MATRIX(v_smfmac_i32_32x32x32_i8, 32, 32, 1, I8, I8, INTEGER, 16, SPARSE),
	[HIGH(110)] = MATRIX(v_mfma_f64_16x16x4_f64, 16, 4, 1, F64, F64, FUSED, 4, SIGNS),
	[HIGH(111)] = MATRIX(v_mfma_f64_4x4x4_4b_f64, 4, 4, 4, F64, F64, FUSED, 4, SIGNS),
	[HIGH(112)] = MATRIX(v_mfma_f32_16x16x32_bf8_bf8, 16, 32, 1, BF8, BF8, HALVES, 16, PLAIN),
	[HIGH(113)] = MATRIX(v_mfma_f32_16x16x32_bf8_fp8, 16, 32, 1, BF8, FP8, HALVES, 16, PLAIN),
	[HIGH(114)] = MATRIX(v_mfma_f32_16x16x32_fp8_bf8, 16, 32, 1, FP8, BF8, HALVES, 16, PLAIN),
	[HIGH(115)] = MATRIX(v_mfma_f32_16x16x32_fp8_fp8, 16, 32, 1, FP8, FP8, HALVES, 16, PLAIN),
	[HIGH(116)] = MATRIX(v_mfma_f32_32x32x16_bf8_bf8, 32, 16, 1, BF8, BF8, HALVES, 16, PLAIN),
	[HIGH(117)] = MATRIX(v_mfma_f32_32x32x16_bf8_fp8, 32, 16, 1, BF8, FP8, HALVES, 16, PLAIN),
	[HIGH(118)] = MATRIX(v_mfma_f32_32x32x16_fp8_bf8, 32, 16, 1, FP8, BF8, HALVES, 16, PLAIN),
	[HIGH(119)] = MATRIX(v_mfma_f32_32x32x16_fp8_fp8, 32, 16, 1, FP8, FP8, HALVES, 16, PLAIN),
	[HIGH(120)] = MATRIX(v_smfmac_f32_16x16x64_bf8_bf8, 16, 64, 1, BF8, BF8, HALVES, 16, SPARSE),
	[HIGH(121)] = MATRIX(v_smfmac_f32_16x16x64_bf8_fp8, 16, 64, 1, BF8, FP8, HALVES, 16, SPARSE),
	[HIGH(122)] = MATRIX(v_smfmac_f32_16x16x64_fp8_bf8, 16, 64, 1, FP8, BF8, HALVES, 16, SPARSE),
	[HIGH(123)] = MATRIX(v_smfmac_f32_16x16x64_fp8_fp8, 16, 64, 1, FP8, FP8, HALVES, 16, SPARSE),
	[HIGH(124)] = MATRIX(v_smfmac_f32_32x32x32_bf8_bf8, 32, 32, 1, BF8, BF8, HALVES, 16, SPARSE),
	[HIGH(125)] = MATRIX(v_smfmac_f32_32x32x32_bf8_fp8, 32, 32, 1, BF8, FP8, HALVES, 16, SPARSE),
	[HIGH(126)] = MATRIX(v_smfmac_f32_32x32x32_fp8_bf8, 32, 32, 1, FP8, BF8, HALVES, 16, SPARSE),
	[HIGH(127)] = MATRIX(v_smfmac_f32_32x32x32_fp8_fp8, 32, 32, 1, FP8, FP8, HALVES, 16, SPARSE),
};

const struct gfx_operation gfx90a_matrix_low[GFX_MATRIX_LOW_COUNT] = {
	[LOW(64)] = MATRIX(v_mfma_f32_32x32x1f32, 32, 1, 2, F32, F32, FUSED, 1, BLOCKS),
	[LOW(65)] = MATRIX(v_mfma_f32_16x16x1f32, 16, 1, 4, F32, F32, FUSED, 1, BLOCKS),
	[LOW(66)] = MATRIX(v_mfma_f32_4x4x1f32, 4, 1, 16, F32, F32, FUSED, 1, BLOCKS),
	[LOW(68)] = MATRIX(v_mfma_f32_32x32x2f32, 32, 2, 1, F32, F32, FUSED, 2, LANES),
	[LOW(69)] = MATRIX(v_mfma_f32_16x16x4f32, 16, 4, 1, F32, F32, FUSED, 4, LANES),
	[LOW(72)] = MATRIX(v_mfma_f32_32x32x4f16, 32, 4, 2, F16, F16, PAIRS, 4, BLOCKS),
	[LOW(73)] = MATRIX(v_mfma_f32_16x16x4f16, 16, 4, 4, F16, F16, PAIRS, 4, BLOCKS),
	[LOW(74)] = MATRIX(v_mfma_f32_4x4x4f16, 4, 4, 16, F16, F16, PAIRS, 4, BLOCKS),
	[LOW(76)] = MATRIX(v_mfma_f32_32x32x8f16, 32, 8, 1, F16, F16, PAIRS, 4, LANES),
	[LOW(77)] = MATRIX(v_mfma_f32_16x16x16f16, 16, 16, 1, F16, F16, PAIRS, 4, LANES),
	[LOW(80)] = MATRIX(v_mfma_i32_32x32x4i8, 32, 4, 2, I8, I8, INTEGER, 4, BLOCKS),
	[LOW(81)] = MATRIX(v_mfma_i32_16x16x4i8, 16, 4, 4, I8, I8, INTEGER, 4, BLOCKS),
	[LOW(82)] = MATRIX(v_mfma_i32_4x4x4i8, 4, 4, 16, I8, I8, INTEGER, 4, BLOCKS),
	[LOW(84)] = MATRIX(v_mfma_i32_32x32x8i8, 32, 8, 1, I8, I8, INTEGER, 8, LANES),
	[LOW(85)] = MATRIX(v_mfma_i32_16x16x16i8, 16, 16, 1, I8, I8, INTEGER, 16, LANES),
};

const struct gfx_operation gfx90a_matrix_high[GFX_MATRIX_HIGH_COUNT] = {
	[HIGH(99)] = MATRIX(v_mfma_f32_32x32x4bf16_1k, 32, 4, 2, BF16, BF16, PAIRS, 4, BLOCKS),
	[HIGH(100)] = MATRIX(v_mfma_f32_16x16x4bf16_1k, 16, 4, 4, BF16, BF16, PAIRS, 4, BLOCKS),
	[HIGH(101)] = MATRIX(v_mfma_f32_4x4x4bf16_1k, 4, 4, 16, BF16, BF16, PAIRS, 4, BLOCKS),
	[HIGH(102)] = MATRIX(v_mfma_f32_32x32x8bf16_1k, 32, 8, 1, BF16, BF16, PAIRS, 4, LANES),
	[HIGH(103)] = MATRIX(v_mfma_f32_16x16x16bf16_1k, 16, 16, 1, BF16, BF16, PAIRS, 4, LANES),
	[HIGH(104)] = MATRIX(v_mfma_f32_32x32x2bf16, 32, 2, 2, BF16, BF16, PAIRS, 2, BLOCKS),
	[HIGH(105)] = MATRIX(v_mfma_f32_16x16x2bf16, 16, 2, 4, BF16, BF16, PAIRS, 2, BLOCKS),
	[HIGH(107)] = MATRIX(v_mfma_f32_4x4x2bf16, 4, 2, 16, BF16, BF16, PAIRS, 2, BLOCKS),
	[HIGH(108)] = MATRIX(v_mfma_f32_32x32x4bf16, 32, 4, 1, BF16, BF16, PAIRS, 2, LANES),
	[HIGH(109)] = MATRIX(v_mfma_f32_16x16x8bf16, 16, 8, 1, BF16, BF16, PAIRS, 2, LANES),
	[HIGH(110)] = MATRIX(v_mfma_f64_16x16x4f64, 16, 4, 1, F64, F64, FUSED, 4, PLAIN),
	[HIGH(111)] = MATRIX(v_mfma_f64_4x4x4f64, 4, 4, 4, F64, F64, FUSED, 4, PLAIN),
};

#define NEW(opcode) ((opcode) - GFX950_MATRIX_FIRST)

/* Numbers of eight bits are those of the Open Compute Project, also where gfx942 has an operation of that name. */
const struct gfx_operation gfx950_matrix[GFX950_MATRIX_COUNT] = {
	[NEW(53)] = MATRIX(v_mfma_f32_16x16x32_bf16, 16, 32, 1, BF16, BF16, TRUNCATED, 8, PLAIN),
	[NEW(54)] = MATRIX(v_mfma_i32_16x16x64_i8, 16, 64, 1, I8, I8, INTEGER, 32, PLAIN),
	[NEW(55)] = MATRIX(v_mfma_f32_32x32x16_bf16, 32, 16, 1, BF16, BF16, TRUNCATED, 8, PLAIN),
	[NEW(56)] = MATRIX(v_mfma_i32_32x32x32_i8, 32, 32, 1, I8, I8, INTEGER, 32, PLAIN),
	[NEW(57)] = MATRIX(v_smfmac_f32_16x16x64_bf16, 16, 64, 1, BF16, BF16, TRUNCATED, 8, SPARSE),
	[NEW(58)] = MATRIX(v_smfmac_i32_16x16x128_i8, 16, 128, 1, I8, I8, INTEGER, 32, SPARSE),
	[NEW(59)] = MATRIX(v_smfmac_f32_16x16x128_bf8_bf8, 16, 128, 1, OPEN_BF8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(60)] = MATRIX(v_smfmac_f32_16x16x128_bf8_fp8, 16, 128, 1, OPEN_BF8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(61)] = MATRIX(v_smfmac_f32_16x16x128_fp8_bf8, 16, 128, 1, OPEN_FP8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(67)] = MATRIX(v_smfmac_f32_16x16x128_fp8_fp8, 16, 128, 1, OPEN_FP8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(70)] = MATRIX(v_smfmac_f32_32x32x32_bf16, 32, 32, 1, BF16, BF16, TRUNCATED, 8, SPARSE),
	[NEW(71)] = MATRIX(v_smfmac_i32_32x32x64_i8, 32, 64, 1, I8, I8, INTEGER, 32, SPARSE),
	[NEW(75)] = MATRIX(v_smfmac_f32_32x32x64_bf8_bf8, 32, 64, 1, OPEN_BF8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(78)] = MATRIX(v_smfmac_f32_32x32x64_bf8_fp8, 32, 64, 1, OPEN_BF8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(79)] = MATRIX(v_smfmac_f32_32x32x64_fp8_bf8, 32, 64, 1, OPEN_FP8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(83)] = MATRIX(v_smfmac_f32_32x32x64_fp8_fp8, 32, 64, 1, OPEN_FP8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(84)] = MATRIX(v_mfma_f32_16x16x32_f16, 16, 32, 1, F16, F16, TRUNCATED, 8, PLAIN),
	[NEW(85)] = MATRIX(v_mfma_f32_32x32x16_f16, 32, 16, 1, F16, F16, TRUNCATED, 8, PLAIN),
	[NEW(90)] = MATRIX(v_smfmac_f32_16x16x64_f16, 16, 64, 1, F16, F16, TRUNCATED, 8, SPARSE),
	[NEW(91)] = MATRIX(v_smfmac_f32_32x32x32_f16, 32, 32, 1, F16, F16, TRUNCATED, 8, SPARSE),
	[NEW(112)] = MATRIX(v_mfma_f32_16x16x32_bf8_bf8, 16, 32, 1, OPEN_BF8, OPEN_BF8, HALVES, 16, PLAIN),
	[NEW(113)] = MATRIX(v_mfma_f32_16x16x32_bf8_fp8, 16, 32, 1, OPEN_BF8, OPEN_FP8, HALVES, 16, PLAIN),
	[NEW(114)] = MATRIX(v_mfma_f32_16x16x32_fp8_bf8, 16, 32, 1, OPEN_FP8, OPEN_BF8, HALVES, 16, PLAIN),
	[NEW(115)] = MATRIX(v_mfma_f32_16x16x32_fp8_fp8, 16, 32, 1, OPEN_FP8, OPEN_FP8, HALVES, 16, PLAIN),
	[NEW(116)] = MATRIX(v_mfma_f32_32x32x16_bf8_bf8, 32, 16, 1, OPEN_BF8, OPEN_BF8, HALVES, 16, PLAIN),
	[NEW(117)] = MATRIX(v_mfma_f32_32x32x16_bf8_fp8, 32, 16, 1, OPEN_BF8, OPEN_FP8, HALVES, 16, PLAIN),
	[NEW(118)] = MATRIX(v_mfma_f32_32x32x16_fp8_bf8, 32, 16, 1, OPEN_FP8, OPEN_BF8, HALVES, 16, PLAIN),
	[NEW(119)] = MATRIX(v_mfma_f32_32x32x16_fp8_fp8, 32, 16, 1, OPEN_FP8, OPEN_FP8, HALVES, 16, PLAIN),
	[NEW(120)] = MATRIX(v_smfmac_f32_16x16x64_bf8_bf8, 16, 64, 1, OPEN_BF8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(121)] = MATRIX(v_smfmac_f32_16x16x64_bf8_fp8, 16, 64, 1, OPEN_BF8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(122)] = MATRIX(v_smfmac_f32_16x16x64_fp8_bf8, 16, 64, 1, OPEN_FP8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(123)] = MATRIX(v_smfmac_f32_16x16x64_fp8_fp8, 16, 64, 1, OPEN_FP8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(124)] = MATRIX(v_smfmac_f32_32x32x32_bf8_bf8, 32, 32, 1, OPEN_BF8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(125)] = MATRIX(v_smfmac_f32_32x32x32_bf8_fp8, 32, 32, 1, OPEN_BF8, OPEN_FP8, HALVES, 16, SPARSE),
	[NEW(126)] = MATRIX(v_smfmac_f32_32x32x32_fp8_bf8, 32, 32, 1, OPEN_FP8, OPEN_BF8, HALVES, 16, SPARSE),
	[NEW(127)] = MATRIX(v_smfmac_f32_32x32x32_fp8_fp8, 32, 32, 1, OPEN_FP8, OPEN_FP8, HALVES, 16, SPARSE),
};
