/* SPDX-License-Identifier: MIT */
/* Packed integers and packed singles; the sources come with their halves in place. */
#include <math.h>

#include "gfx/alu/operations.h"

#define CLAMP (vector->instruction->clamp)
#define LOW(value) ((value)&0xffff)
#define HIGH(value) ((value) >> 16)
#define LOW_S(value) ((int32_t)(int16_t)(value))
#define HIGH_S(value) ((int32_t)(value) >> 16)

static uint32_t limit_unsigned(int64_t value, bool clamp)
{
	if (clamp && value < 0)
		return 0;
	if (clamp && value > UINT16_MAX)
		return UINT16_MAX;
	return (uint32_t)value & 0xffff;
}

static uint32_t limit_signed(int64_t value, bool clamp)
{
	if (clamp && value < INT16_MIN)
		return 0x8000;
	if (clamp && value > INT16_MAX)
		return INT16_MAX;
	return (uint32_t)value & 0xffff;
}

/* One expression of x, y and z for both halves. */
#define PACKED_UNSIGNED(name, expression)                                                          \
	static int64_t unsigned_##name(int64_t x, int64_t y, int64_t z)                            \
	{                                                                                          \
		(void)z;                                                                           \
		return (expression);                                                               \
	}                                                                                          \
	GFX_VECTOR(pk_##name,                                                                      \
		   OUT(limit_unsigned(unsigned_##name(LOW(A), LOW(B), LOW(C)), CLAMP) |            \
		       limit_unsigned(unsigned_##name(HIGH(A), HIGH(B), HIGH(C)), CLAMP) << 16))

#define PACKED_SIGNED(name, expression)                                                            \
	static int64_t signed_##name(int64_t x, int64_t y, int64_t z)                              \
	{                                                                                          \
		(void)z;                                                                           \
		return (expression);                                                               \
	}                                                                                          \
	GFX_VECTOR(pk_##name,                                                                      \
		   OUT(limit_signed(signed_##name(LOW_S(A), LOW_S(B), LOW_S(C)), CLAMP) |          \
		       limit_signed(signed_##name(HIGH_S(A), HIGH_S(B), HIGH_S(C)), CLAMP) << 16))

PACKED_UNSIGNED(add_u16, x + y)
PACKED_UNSIGNED(sub_u16, x - y)
PACKED_UNSIGNED(mul_lo_u16, x *y)
PACKED_UNSIGNED(mad_u16, x *y + z)
PACKED_UNSIGNED(min_u16, x < y ? x : y)
PACKED_UNSIGNED(max_u16, x > y ? x : y)
PACKED_UNSIGNED(lshlrev_b16, y << (x & 15))
PACKED_UNSIGNED(lshrrev_b16, y >> (x & 15))
PACKED_SIGNED(add_i16, x + y)
PACKED_SIGNED(sub_i16, x - y)
PACKED_SIGNED(mad_i16, x *y + z)
PACKED_SIGNED(min_i16, x < y ? x : y)
PACKED_SIGNED(max_i16, x > y ? x : y)
PACKED_SIGNED(ashrrev_i16, y >> (x & 15))

/* Two singles: planes hold them side by side. */
#define NEXT(values) gfx_f32((values)[lane + GFX_MAX_LANES])
#define OUT_NEXT(value) (d_[lane + GFX_MAX_LANES] = gfx_f32_bits(value))

GFX_VECTOR(pk_fma_f32, {
	OUTF(fmaf(AF, BF, CF));
	OUT_NEXT(fmaf(NEXT(a_), NEXT(b_), NEXT(c_)));
})

GFX_VECTOR(pk_mul_f32, {
	OUTF(AF * BF);
	OUT_NEXT(NEXT(a_) * NEXT(b_));
})

GFX_VECTOR(pk_add_f32, {
	OUTF(AF + BF);
	OUT_NEXT(NEXT(a_) + NEXT(b_));
})

/*
 * The low word from the first source, the high one from the second: of either the word that op_sel chooses, which the
 * sources have in front. Here op_sel_hi chooses nothing.
 */
GFX_VECTOR(pk_mov_b32, {
	OUT(A);
	d_[lane + GFX_MAX_LANES] = B;
})

/* Dot products of small integers. */
#define CLAMPED_SIGNED(value) limit_dot_signed((value), CLAMP)
#define CLAMPED_UNSIGNED(value) limit_dot_unsigned((value), CLAMP)

static uint32_t limit_dot_signed(int64_t value, bool clamp)
{
	if (clamp && value > INT32_MAX)
		return INT32_MAX;
	if (clamp && value < INT32_MIN)
		return 0x80000000;
	return (uint32_t)value;
}

static uint32_t limit_dot_unsigned(uint64_t value, bool clamp)
{
	return clamp && value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static int64_t signed_dot(uint32_t a, uint32_t b, uint32_t width)
{
	int64_t sum = 0;

	for (uint32_t shift = 0; shift < 32; shift += width) {
		int32_t x = (int32_t)(a << (32 - width - shift)) >> (32 - width);
		int32_t y = (int32_t)(b << (32 - width - shift)) >> (32 - width);

		sum += (int64_t)x * y;
	}
	return sum;
}

static uint64_t unsigned_dot(uint32_t a, uint32_t b, uint32_t width)
{
	uint32_t mask = (1U << width) - 1;
	uint64_t sum = 0;

	for (uint32_t shift = 0; shift < 32; shift += width)
		sum += (uint64_t)(a >> shift & mask) * (b >> shift & mask);
	return sum;
}

GFX_VECTOR(dot2_i32_i16, OUT(CLAMPED_SIGNED(signed_dot(A, B, 16) + CS)))
GFX_VECTOR(dot2_u32_u16, OUT(CLAMPED_UNSIGNED(unsigned_dot(A, B, 16) + C)))
GFX_VECTOR(dot4_i32_i8, OUT(CLAMPED_SIGNED(signed_dot(A, B, 8) + CS)))
GFX_VECTOR(dot4_u32_u8, OUT(CLAMPED_UNSIGNED(unsigned_dot(A, B, 8) + C)))
GFX_VECTOR(dot8_i32_i4, OUT(CLAMPED_SIGNED(signed_dot(A, B, 4) + CS)))
GFX_VECTOR(dot8_u32_u4, OUT(CLAMPED_UNSIGNED(unsigned_dot(A, B, 4) + C)))

/* The first and the second source have signs where `neg` says so. */
static int64_t mixed_dot(const struct gfx_instruction *instruction, uint32_t a, uint32_t b,
			 uint32_t width)
{
	uint32_t mask = (1U << width) - 1, sign = 1U << (width - 1);
	uint32_t first = instruction->neg & 1 ? sign : 0, second = instruction->neg & 2 ? sign : 0;
	int64_t sum = 0;

	for (uint32_t shift = 0; shift < 32; shift += width) {
		int64_t x = (int64_t)((a >> shift & mask) ^ first) - first;
		int64_t y = (int64_t)((b >> shift & mask) ^ second) - second;

		sum += x * y;
	}
	return sum;
}

GFX_VECTOR(dot4_i32_iu8, OUT(CLAMPED_SIGNED(mixed_dot(vector->instruction, A, B, 8) + CS)))
GFX_VECTOR(dot8_i32_iu4, OUT(CLAMPED_SIGNED(mixed_dot(vector->instruction, A, B, 4) + CS)))
