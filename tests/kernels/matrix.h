/* SPDX-License-Identifier: MIT */
/*
 * Test kernels for matrix instructions: D = A * B + C, with 64 work-items, in several blocks at once.
 *
 * On the device each work-item puts its part of the matrices where the instruction wants it and
 * takes its part of D. Elsewhere, and for targets without the instruction, D is computed from the
 * matrices as they are, which knows nothing of lanes and registers.
 *
 * A file that includes this one defines `number`, the type of C and D, NUMBER(n), which makes one of a
 * small whole number, and ADD(sum, a, b), which adds the product of a number of A and one of B; these
 * are given as whole numbers, too. The macros that multiply advance `out` behind D.
 */
#ifndef TESTS_KERNELS_MATRIX_H
#define TESTS_KERNELS_MATRIX_H

#include "device.h"

#define MATRIX_LANES 64U

enum matrix { MATRIX_A, MATRIX_B, MATRIX_C };

/* A number from -7 to 7, which all formats have, also times a power of two. */
DEVICE_INLINE i32 matrix_value(enum matrix matrix, u32 block, u32 row, u32 column)
{
	u32 x = (((u32)matrix * 16 + block) * 64 + row) * 64 + column;

	x = (x + 1) * 2654435761U;
	x = (x ^ x >> 15) * 2246822519U;
	return (i32)((x >> 16) % 15) - 7;
}

/* Of four neighbours in a row of A, two are there: which, from number @k of those that are. */
DEVICE_INLINE u32 matrix_index(u32 row, u32 k)
{
	u32 first = (row + k / 2) % 3;

	return k % 2 ? first + 1 + (row * 3 + k / 2) % (3 - first) : first;
}

/* The result without matrix instructions. */
#define MATRIX_PLAIN(out, rows, depth, blocks)                                                     \
	for (u32 e_ = local_id_x(); e_ < (rows) * (rows) * (blocks); e_ += MATRIX_LANES) {         \
		u32 column_ = e_ % (rows), row_ = e_ / (rows) % (rows);                            \
		u32 block_ = e_ / (rows) / (rows);                                                 \
		number sum_ = NUMBER(matrix_value(MATRIX_C, block_, row_, column_));               \
                                                                                                   \
		for (u32 k_ = 0; k_ < (depth); k_++)                                               \
			sum_ = ADD(sum_, matrix_value(MATRIX_A, block_, row_, k_),                 \
				   matrix_value(MATRIX_B, block_, k_, column_));                   \
		(out)[e_] = sum_;                                                                  \
	}                                                                                          \
	(out) += (rows) * (rows) * (blocks)

#define MATRIX_PLAIN_SPARSE(out, rows, depth)                                                      \
	for (u32 e_ = local_id_x(); e_ < (rows) * (rows); e_ += MATRIX_LANES) {                    \
		u32 column_ = e_ % (rows), row_ = e_ / (rows);                                     \
		number sum_ = NUMBER(matrix_value(MATRIX_C, 0, row_, column_));                    \
                                                                                                   \
		for (u32 k_ = 0; k_ < (depth) / 2; k_++)                                           \
			sum_ = ADD(sum_, matrix_value(MATRIX_A, 0, row_, k_),                      \
				   matrix_value(MATRIX_B, 0, k_ / 2 * 4 + matrix_index(row_, k_),  \
						column_));                                         \
		(out)[e_] = sum_;                                                                  \
	}                                                                                          \
	(out) += (rows) * (rows)

/* Where number @r of C and D is that a work-item has. Rows of doubles are apart, of others four are together. */
#define MATRIX_HEIGHT(type) (sizeof(type) == 8 ? 1U : 4U)
#define MATRIX_ROW(r, rows, blocks, type)                                                          \
	((rows) == 4                                                                               \
		 ? (sizeof(type) == 8 ? local_id_x() / 16 : (r))                                   \
		 : (r) % ((rows) * (rows) / MATRIX_LANES) / MATRIX_HEIGHT(type) *                  \
				   (MATRIX_HEIGHT(type) * MATRIX_LANES / (rows)) +                 \
			   local_id_x() / (rows)*MATRIX_HEIGHT(type) + (r) % MATRIX_HEIGHT(type))
#define MATRIX_BLOCK(r, rows, blocks, type)                                                        \
	((rows) == 4 ? local_id_x() / 4 % (blocks) : (r) / ((rows) * (rows) / MATRIX_LANES))

/*
 * One instruction. @input, @second, @result: types that hold what a work-item has of A, of B, and of
 * C and D. @part: the type of one number of A and B; @a_of, @b_of: functions that make one.
 */
#define MATRIX_DENSE(out, rows, depth, blocks, a_of, b_of, part, input, result, builtin)           \
	do {                                                                                       \
		union {                                                                            \
			input whole;                                                               \
			part parts[(rows) * (depth) * (blocks) / MATRIX_LANES];                    \
		} a_, b_;                                                                          \
		union {                                                                            \
			result whole;                                                              \
			number parts[(rows) * (rows) * (blocks) / MATRIX_LANES];                   \
		} c_;                                                                              \
		u32 together_ = sizeof(a_.parts) / sizeof(part),                                   \
		    count_ = sizeof(c_) / sizeof(number);                                          \
		u32 row_ = local_id_x() % (rows), column_ = row_;                                  \
		u32 block_ = local_id_x() / (rows) % (blocks);                                     \
		u32 first_ = local_id_x() / (rows) / (blocks)*together_;                           \
                                                                                                   \
		for (u32 k_ = 0; k_ < together_; k_++) {                                           \
			a_.parts[k_] = a_of(matrix_value(MATRIX_A, block_, row_, first_ + k_));    \
			b_.parts[k_] = b_of(matrix_value(MATRIX_B, block_, first_ + k_, column_)); \
		}                                                                                  \
		for (u32 r_ = 0; r_ < count_; r_++)                                                \
			c_.parts[r_] = NUMBER(                                                     \
				matrix_value(MATRIX_C, MATRIX_BLOCK(r_, rows, blocks, number),     \
					     MATRIX_ROW(r_, rows, blocks, number), column_));      \
		c_.whole = builtin(a_.whole, b_.whole, c_.whole, 0, 0, 0);                         \
		for (u32 r_ = 0; r_ < count_; r_++)                                                \
			(out)[(MATRIX_BLOCK(r_, rows, blocks, number) * (rows) +                   \
			       MATRIX_ROW(r_, rows, blocks, number)) *                             \
				      (rows) +                                                     \
			      column_] = c_.parts[r_];                                             \
		(out) += (rows) * (rows) * (blocks);                                               \
	} while (0)

/* One with a sparse A, whose indices are set number @set of those in the register. */
#define MATRIX_SPARSE(out, rows, depth, a_of, b_of, part, input, second, result, builtin, set)     \
	do {                                                                                       \
		union {                                                                            \
			input whole;                                                               \
			part parts[(rows) * (depth) / 2 / MATRIX_LANES];                           \
		} a_;                                                                              \
		union {                                                                            \
			second whole;                                                              \
			part parts[(rows) * (depth) / MATRIX_LANES];                               \
		} b_;                                                                              \
		union {                                                                            \
			result whole;                                                              \
			number parts[(rows) * (rows) / MATRIX_LANES];                              \
		} c_;                                                                              \
		u32 together_ = sizeof(a_.parts) / sizeof(part),                                   \
		    count_ = sizeof(c_) / sizeof(number);                                          \
		u32 row_ = local_id_x() % (rows), column_ = row_, index_ = 0;                      \
		u32 group_ = local_id_x() / (rows);                                                \
                                                                                                   \
		for (u32 k_ = 0; k_ < together_; k_++) {                                           \
			u32 place_ = group_ * together_ + k_;                                      \
                                                                                                   \
			a_.parts[k_] = a_of(matrix_value(MATRIX_A, 0, row_, place_));              \
			index_ |= matrix_index(row_, place_) << ((set)*together_ + k_) * 2;        \
		}                                                                                  \
		for (u32 k_ = 0; k_ < 2 * together_; k_++)                                         \
			b_.parts[k_] = b_of(                                                       \
				matrix_value(MATRIX_B, 0, group_ * 2 * together_ + k_, column_));  \
		for (u32 r_ = 0; r_ < count_; r_++)                                                \
			c_.parts[r_] = NUMBER(matrix_value(                                        \
				MATRIX_C, 0, MATRIX_ROW(r_, rows, 1, number), column_));           \
		c_.whole = builtin(a_.whole, b_.whole, c_.whole, (int)index_, 0, set);             \
		for (u32 r_ = 0; r_ < count_; r_++)                                                \
			(out)[MATRIX_ROW(r_, rows, 1, number) * (rows) + column_] = c_.parts[r_];  \
		(out) += (rows) * (rows);                                                          \
	} while (0)

/* An instruction of both targets, of gfx90a, and of gfx942. */
#if defined(__AMDGCN__)
#define MATRIX(...) MATRIX_DENSE(__VA_ARGS__)
#else
#define MATRIX(out, rows, depth, blocks, ...) MATRIX_PLAIN(out, rows, depth, blocks)
#endif
#if defined(__gfx90a__)
#define MATRIX_GFX90A(...) MATRIX_DENSE(__VA_ARGS__)
#else
#define MATRIX_GFX90A(out, rows, depth, blocks, ...) MATRIX_PLAIN(out, rows, depth, blocks)
#endif
#if defined(__gfx942__)
#define MATRIX_GFX942(...) MATRIX_DENSE(__VA_ARGS__)
#define MATRIX_SPARSE_GFX942(...) MATRIX_SPARSE(__VA_ARGS__)
#else
#define MATRIX_GFX942(out, rows, depth, blocks, ...) MATRIX_PLAIN(out, rows, depth, blocks)
#define MATRIX_SPARSE_GFX942(out, rows, depth, ...) MATRIX_PLAIN_SPARSE(out, rows, depth)
#endif

/* The upper half of a single. */
DEVICE_INLINE i16 matrix_bf16(float value)
{
	union {
		float value;
		u32 bits;
	} single = {.value = value};

	return (i16)(single.bits >> 16);
}

/* A quarter of a number from -7 to 7, in a byte with this many bits of fraction. */
DEVICE_INLINE u8 matrix_byte(i32 n, u32 fraction_bits)
{
	u32 magnitude = (u32)(n < 0 ? -n : n), log = magnitude >= 4 ? 2 : magnitude / 2;
	u32 fraction = (magnitude << fraction_bits >> log) & ((1U << fraction_bits) - 1);
	u32 exponent = log - 2 + (1U << (6 - fraction_bits));

	return (u8)(n ? (n < 0 ? 0x80U : 0) | exponent << fraction_bits | fraction : 0);
}

/* Vectors of the instructions' operands. */
typedef float f32x2 __attribute__((vector_size(8)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x16 __attribute__((vector_size(64)));
typedef float f32x32 __attribute__((vector_size(128)));
typedef i32 i32x2 __attribute__((vector_size(8)));
typedef i32 i32x4 __attribute__((vector_size(16)));
typedef i32 i32x16 __attribute__((vector_size(64)));
typedef i32 i32x32 __attribute__((vector_size(128)));
typedef double f64x4 __attribute__((vector_size(32)));
typedef f16 f16x4 __attribute__((vector_size(8)));
typedef f16 f16x8 __attribute__((vector_size(16)));
typedef i16 i16x2 __attribute__((vector_size(4)));
typedef i16 i16x4 __attribute__((vector_size(8)));
typedef i16 i16x8 __attribute__((vector_size(16)));

#endif /* TESTS_KERNELS_MATRIX_H */
