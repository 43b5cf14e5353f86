/* SPDX-License-Identifier: MIT */
/* How the rows of operation tables are written. Only tables include it. */
#ifndef GFX_ISA_ROWS_H
#define GFX_ISA_ROWS_H

#include "gfx/alu/operations.h"
#include "gfx/alu/scalar.h"
#include "gfx/instruction/fields.h"
#include "gfx/wave/memory-access.h"

/* clang-format off */

/* ---- Scalar: name, function, types of destination and sources, flags ---- */

#define SCALAR(operation, function, d, a, b, flag)                                                 \
	{                                                                                          \
		.name = #operation, .computes = "s_" #function,                                    \
		.execute = gfx_execute_scalar, .scalar = gfx_s_##function,                         \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b}, .flags = (flag)                         \
	}
#define CONTROL(operation, function) {.name = #operation, .execute = (function)}
#define BARE(operation, function)                                                                  \
	{.name = #operation, .execute = (function), .flags = GFX_NO_OPERANDS}
/* The compares with a constant have it second: the first source is the register in the dst field. */
#define COMPARE_K(operation, function)                                                             \
	SCALAR(operation, function, NONE, DST, K16, 0)
#define COMPARE_K_UNSIGNED(operation, function)                                                    \
	SCALAR(operation, function, NONE, DST, U16, 0)
#define NZ GFX_NONZERO_SCC
#define OLD GFX_READS_DST

/* ---- Vector: the same with three sources ---- */

#define VECTOR(operation, function, d, a, b, c, flag)                                              \
	{                                                                                          \
		.name = #operation, .computes = "v_" #function,                                    \
		.execute = gfx_execute_vector, .vector = gfx_v_##function,                         \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b, GFX_##c}, .flags = (flag)                \
	}
/* Floats: the same, and what they raise; those that raise nothing need not say so. */
#define FLOAT(operation, function, d, a, b, c, exceptions, flag)                                   \
	{                                                                                          \
		.name = #operation, .computes = "v_" #function,                                    \
		.execute = gfx_execute_vector, .vector = gfx_v_##function,                         \
		.dst = GFX_##d, .src = {GFX_##a, GFX_##b, GFX_##c}, .flags = (flag),               \
		.raises = GFX_RAISES_##exceptions                                                  \
	}
/* Operations that look across lanes execute themselves. */
#define LANE(operation, d, a, b, flag)                                                             \
	{                                                                                          \
		.name = #operation, .execute = gfx_##operation, .dst = GFX_##d,                    \
		.src = {GFX_##a, GFX_##b}, .flags = (flag) | GFX_LANE_SELECT                       \
	}
#define CLAMPS GFX_INTEGER_CLAMP
#define RAW GFX_NOT_ARITHMETIC
#define KEEPS GFX_KEEPS_HIGH
#define OWN GFX_OWN_NAN
#define NO_LANES GFX_NO_LANES
#define CARRIES (GFX_CARRY_OUT | GFX_INTEGER_CLAMP)
#define CHAINS (GFX_CARRY_IN | GFX_CARRY_OUT | GFX_INTEGER_CLAMP)

/* Numbers of eight bits, of gfx942 or of the Open Compute Project. */
#define FROM_BYTES(fp8, bf8)                                                                       \
	VECTOR(v_cvt_f32_fp8, cvt_f32_##fp8, F32, B32, NONE, NONE, GFX_WHOLE_SDWA),                \
	VECTOR(v_cvt_f32_bf8, cvt_f32_##bf8, F32, B32, NONE, NONE, GFX_WHOLE_SDWA),                \
	VECTOR(v_cvt_pk_f32_fp8, cvt_pk_f32_##fp8, V2F32, B32, NONE, NONE, GFX_WHOLE_SDWA),        \
	VECTOR(v_cvt_pk_f32_bf8, cvt_pk_f32_##bf8, V2F32, B32, NONE, NONE, GFX_WHOLE_SDWA)
#define TO_BYTES(fp8, bf8)                                                                         \
	VECTOR(v_cvt_pk_fp8_f32, cvt_pk_##fp8##_f32, B16, F32, F32, NONE, KEEPS),                  \
	VECTOR(v_cvt_pk_bf8_f32, cvt_pk_##bf8##_f32, B16, F32, F32, NONE, KEEPS)
#define TO_BYTE(fp8, bf8)                                                                          \
	VECTOR(v_cvt_sr_fp8_f32, cvt_sr_##fp8##_f32, B32, F32, B32, B32, OLD),                     \
	VECTOR(v_cvt_sr_bf8_f32, cvt_sr_##bf8##_f32, B32, F32, B32, B32, OLD)

/* ---- Floats in scalar registers ---- */

/* The operations are those of vectors, done for one value. They leave scc alone, but for the compares. */
#define SCALAR_FLOAT(operation, function, d, a, b, c, exceptions, flag)                            \
	{                                                                                          \
		.name = #operation, .computes = "s_" #function,                                    \
		.execute = gfx_execute_scalar_float,                                               \
		.vector = gfx_v_##function, .dst = GFX_##d,                                        \
		.src = {GFX_##a, GFX_##b, GFX_##c}, .flags = (flag),                               \
		.raises = GFX_RAISES_##exceptions                                                  \
	}

/* ---- Matrices from gfx11 on: name, depth, elements of A, of B, and of C and D, how products are added ---- */

#define WAVE_MATRIX(operation, k, first, second, third, how, ...)                                  \
	{                                                                                          \
		.name = #operation, .execute = gfx_execute_wave_matrix,                            \
		.matrix = &(const struct gfx_matrix){                                              \
			.rows = 16, .depth = (k), .blocks = 1, .sum = GFX_MATRIX_##how,            \
			.elements = {GFX_ELEMENT_##first, GFX_ELEMENT_##second},                   \
			.result = GFX_ELEMENT_##third, .group = 1, __VA_ARGS__                     \
		}                                                                                  \
	}
/* Opcodes count from 64. */
#define WAVE_MATRICES                                                                              \
	[0] = WAVE_MATRIX(v_wmma_f32_16x16x16_f16, 16, F16, F16, F32, FUSED),                      \
	[1] = WAVE_MATRIX(v_wmma_f32_16x16x16_bf16, 16, BF16, BF16, F32, FUSED),                   \
	[2] = WAVE_MATRIX(v_wmma_f16_16x16x16_f16, 16, F16, F16, F16, FUSED),                      \
	[3] = WAVE_MATRIX(v_wmma_bf16_16x16x16_bf16, 16, BF16, BF16, BF16, FUSED),                 \
	[4] = WAVE_MATRIX(v_wmma_i32_16x16x16_iu8, 16, I8, I8, F32, INTEGER),                      \
	[5] = WAVE_MATRIX(v_wmma_i32_16x16x16_iu4, 16, I4, I4, F32, INTEGER)

/* ---- Two operations at once ---- */

/* Both operations have their opcodes here; the last three are second ones only. */
#define DUAL(operation, function, a, b, c, flag)                                                   \
	{                                                                                          \
		.name = #operation, .computes = "v_" #function,                                    \
		.execute = gfx_execute_dual, .vector = gfx_v_##function,                           \
		.dst = GFX_##a, .src = {GFX_##a, GFX_##b, GFX_##c}, .flags = (flag)                \
	}
/* All generations have these. */
#define DUAL_OPERATIONS                                                                            \
	[0] = DUAL(v_dual_fmac_f32, fma_f32, F32, F32, F32, OLD),                                  \
	[1] = DUAL(v_dual_fmaak_f32, fma_f32, F32, F32, F32, GFX_LITERAL_K_ADD),                   \
	[2] = DUAL(v_dual_fmamk_f32, fma_f32, F32, F32, F32, GFX_LITERAL_K),                       \
	[3] = DUAL(v_dual_mul_f32, mul_f32, F32, F32, NONE, 0),                                    \
	[4] = DUAL(v_dual_add_f32, add_f32, F32, F32, NONE, 0),                                    \
	[5] = DUAL(v_dual_sub_f32, sub_f32, F32, F32, NONE, 0),                                    \
	[6] = DUAL(v_dual_subrev_f32, subrev_f32, F32, F32, NONE, 0),                              \
	[7] = DUAL(v_dual_mul_dx9_zero_f32, mul_legacy_f32, F32, F32, NONE, 0),                    \
	[8] = DUAL(v_dual_mov_b32, mov_b32, B32, NONE, NONE, 0),                                   \
	[9] = DUAL(v_dual_cndmask_b32, cndmask_b32, S32, S32, MASK, GFX_CARRY_IN | RAW),           \
	[16] = DUAL(v_dual_add_nc_u32, add_u32, B32, B32, NONE, 0),                                \
	[17] = DUAL(v_dual_lshlrev_b32, lshlrev_b32, B32, B32, NONE, 0),                           \
	[18] = DUAL(v_dual_and_b32, and_b32, B32, B32, NONE, 0)

/* ---- Compares: conditions come in runs of eight or sixteen; the cmpx forms write exec too ---- */

#define COMPARE_AS(condition, function, type, operand, prefix, flag, exceptions)                   \
	{                                                                                          \
		.name = prefix #condition "_" #type, .computes = "v_cmp_" #function "_" #type,     \
		.execute = gfx_execute_compare,                                                    \
		.vector = gfx_v_cmp_##function##_##type, .dst = GFX_NONE,                          \
		.src = {GFX_##operand, GFX_##operand}, .flags = (flag),                            \
		.raises = GFX_RAISES_##exceptions                                                  \
	}
#define COMPARE(condition, type, operand, prefix, flag, exceptions)                                \
	COMPARE_AS(condition, condition, type, operand, prefix, flag, exceptions)
/* The conditions between never and always. */
#define MIDDLE_INTEGERS(base, type, operand, prefix, flag)                                         \
	[(base) + 1] = COMPARE(lt, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 2] = COMPARE(eq, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 3] = COMPARE(le, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 4] = COMPARE(gt, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 5] = COMPARE(ne, type, operand, prefix, flag, NOTHING),                          \
	[(base) + 6] = COMPARE(ge, type, operand, prefix, flag, NOTHING)
#define INTEGERS(base, type, operand, prefix, flag)                                                \
	[(base) + 0] = COMPARE(f, type, operand, prefix, flag, NOTHING),                           \
	MIDDLE_INTEGERS(base, type, operand, prefix, flag),                                        \
	[(base) + 7] = COMPARE(t, type, operand, prefix, flag, NOTHING)
#define MIDDLE_FLOATS(base, type, operand, prefix, flag)                                           \
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
	[(base) + 14] = COMPARE(nlt, type, operand, prefix, flag, COMPARISON)
#define FLOATS_UP_TO(last, base, type, operand, prefix, flag)                                      \
	[(base) + 0] = COMPARE(f, type, operand, prefix, flag, COMPARISON),                        \
	MIDDLE_FLOATS(base, type, operand, prefix, flag),                                          \
	[(base) + 15] = COMPARE_AS(last, tru, type, operand, prefix, flag, COMPARISON)
#define CLASS(op, type, operand, prefix, flag)                                                     \
	[op] = {                                                                                   \
		.name = prefix "class_" #type, .execute = gfx_execute_compare,                     \
		.vector = gfx_v_cmp_class_##type, .dst = GFX_NONE,                                 \
		.src = {GFX_##operand, GFX_B32}, .flags = (flag) | RAW                             \
	}
#define BOTH(kind, base, step, type, operand)                                                      \
	kind(base, type, operand, "v_cmp_", 0),                                                    \
	kind((base) + (step), type, operand, "v_cmpx_", GFX_WRITES_EXEC)

/* ---- Memory: the name is a string here, since segments share their rows ---- */

#define LOAD(operation, bytes, flag)                                                               \
	{                                                                                          \
		.name = operation, .execute = gfx_execute_memory, .memory = GFX_MEMORY_LOAD,       \
		.size = (bytes), .flags = (flag)                                                   \
	}
#define STORE(operation, bytes, flag)                                                              \
	{                                                                                          \
		.name = operation, .execute = gfx_execute_memory, .memory = GFX_MEMORY_STORE,      \
		.size = (bytes), .flags = (flag)                                                   \
	}
#define ATOMIC(operation, function, bytes, flag)                                                   \
	{                                                                                          \
		.name = operation, .execute = gfx_execute_memory, .memory = GFX_MEMORY_ATOMIC,     \
		.atomic = gfx_atomic_##function, .size = (bytes), .flags = (flag)                  \
	}
#define OTHER(operation, function) {.name = operation, .execute = (function)}
#define SCALAR_LOAD(operation, bytes) SCALAR_LOAD_AS(operation, bytes, 0)
#define SCALAR_LOAD_AS(operation, bytes, flag)                                                     \
	{                                                                                          \
		.name = operation, .execute = gfx_s_load, .memory = GFX_MEMORY_LOAD,               \
		.size = (bytes), .flags = (flag)                                                   \
	}
#define BUFFER_LOAD(operation, bytes) BUFFER_LOAD_AS(operation, bytes, 0)
#define BUFFER_LOAD_AS(operation, bytes, flag)                                                     \
	{                                                                                          \
		.name = operation, .execute = gfx_s_buffer_load, .memory = GFX_MEMORY_LOAD,        \
		.size = (bytes), .flags = GFX_RESOURCE | (flag)                                    \
	}
/* Words: registers, of a component each. */
#define FORMATTED(operation, words, kind)                                                          \
	{                                                                                          \
		.name = operation, .execute = gfx_execute_formatted, .memory = GFX_MEMORY_##kind,  \
		.size = 4 * (words), .flags = GFX_FORMATTED                                        \
	}
#define FORMATTED_OPERATIONS(prefix)                                                               \
	[0] = FORMATTED(prefix "_load_format_x", 1, LOAD),                                         \
	[1] = FORMATTED(prefix "_load_format_xy", 2, LOAD),                                        \
	[2] = FORMATTED(prefix "_load_format_xyz", 3, LOAD),                                       \
	[3] = FORMATTED(prefix "_load_format_xyzw", 4, LOAD),                                      \
	[4] = FORMATTED(prefix "_store_format_x", 1, STORE),                                       \
	[5] = FORMATTED(prefix "_store_format_xy", 2, STORE),                                      \
	[6] = FORMATTED(prefix "_store_format_xyz", 3, STORE),                                     \
	[7] = FORMATTED(prefix "_store_format_xyzw", 4, STORE)
/* Two components to a register. */
#define FORMATTED_HALVES(operation, count, kind, flag)                                             \
	{                                                                                          \
		.name = operation, .execute = gfx_execute_formatted, .memory = GFX_MEMORY_##kind,  \
		.size = 2 * (count), .flags = GFX_FORMATTED | (flag)                               \
	}
#define FORMATTED_HALVES_OPERATIONS(load, store)                                                   \
	[8] = FORMATTED_HALVES(load "_x", 1, LOAD, D16),                                           \
	[9] = FORMATTED_HALVES(load "_xy", 2, LOAD, D16),                                          \
	[10] = FORMATTED_HALVES(load "_xyz", 3, LOAD, D16),                                        \
	[11] = FORMATTED_HALVES(load "_xyzw", 4, LOAD, D16),                                       \
	[12] = FORMATTED_HALVES(store "_x", 1, STORE, D16),                                        \
	[13] = FORMATTED_HALVES(store "_xy", 2, STORE, D16),                                       \
	[14] = FORMATTED_HALVES(store "_xyz", 3, STORE, D16),                                      \
	[15] = FORMATTED_HALVES(store "_xyzw", 4, STORE, D16)
/* The upper half of one register. */
#define FORMATTED_UPPER_OPERATIONS(load, store)                                                    \
	[38] = FORMATTED_HALVES(load, 1, LOAD, D16_HIGH),                                          \
	[39] = FORMATTED_HALVES(store, 1, STORE, D16_HIGH)
#define HIGH GFX_HIGH_HALF
#define D16 GFX_D16
#define D16_HIGH (GFX_D16 | GFX_HIGH_HALF)
#define SIGNED GFX_SIGNED
#define PAIR GFX_PAIR
#define FAR_PAIR (GFX_PAIR | GFX_PAIR_64)
#define RTN GFX_RETURNS
#define TWO GFX_TWO_DATA
#define CROSS(operation)                                                                           \
	{.name = #operation, .execute = gfx_##operation, .flags = GFX_TWO_DATA}
#define COUNTER(operation)                                                                         \
	{.name = #operation, .execute = gfx_##operation, .flags = GFX_DS_FIELDS}
#define SYNC(operation)                                                                            \
	{.name = #operation, .execute = gfx_##operation, .flags = GFX_GLOBAL_SYNC}

/* ---- Encodings: one row per run of opcodes; the first that fits a word is taken ---- */

#define PART(m, v, shift, o_mask, first, n, size, format, parse, table)                            \
	{                                                                                          \
		.mask = (m), .value = (v), .opcode_mask = (o_mask), .opcode_first = (first),       \
		.opcode_count = (n), .opcode_shift = (shift), .word_count = (size),                \
		.encoding = (format), .fields = gfx_fields_##parse, .operations = (table),         \
		.operation_count = (n)                                                             \
	}
#define ENCODING(m, v, shift, o_mask, first, n, size, format, parse, table)                        \
	{                                                                                          \
		.mask = (m), .value = (v), .opcode_mask = (o_mask), .opcode_first = (first),       \
		.opcode_count = (n), .opcode_shift = (shift), .word_count = (size),                \
		.encoding = (format), .fields = gfx_fields_##parse, .operations = (table),         \
		.operation_count = sizeof(table) / sizeof((table)[0])                              \
	}
/* An overlay stands above a base: operations without a name are those of the base. */
#define OVERLAY(m, v, shift, o_mask, first, n, size, format, parse, table)                         \
	{                                                                                          \
		.mask = (m), .value = (v), .opcode_mask = (o_mask), .opcode_first = (first),       \
		.opcode_count = (n), .opcode_shift = (shift), .word_count = (size),                \
		.encoding = (format), .fields = gfx_fields_##parse, .operations = (table),         \
		.operation_count = sizeof(table) / sizeof((table)[0]), .overlay = true             \
	}
/* A row there of an operation that the base has, and this architecture has not. */
#define GONE {.flags = GFX_NO_OPERANDS}
#define ABSENT(m, v, shift, o_mask, first, n, size, format)                                        \
	{                                                                                          \
		.mask = (m), .value = (v), .opcode_mask = (o_mask), .opcode_first = (first),       \
		.opcode_count = (n), .opcode_shift = (shift), .word_count = (size),                \
		.encoding = (format)                                                               \
	}

#endif /* GFX_ISA_ROWS_H */
