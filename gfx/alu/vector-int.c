/* SPDX-License-Identifier: MIT */
/* Integer arithmetic of the vector encodings. */
#include "gfx/alu/operations.h"

#define CLAMP (vector->instruction->clamp)

/* With the clamp bit, overflow saturates. */
static uint32_t unsigned_result(uint64_t value, bool clamp)
{
	if (clamp && value > UINT32_MAX)
		return (int64_t)value < 0 ? 0 : UINT32_MAX;
	return (uint32_t)value;
}

static uint32_t signed_result(int64_t value, bool clamp)
{
	if (clamp && value > INT32_MAX)
		return INT32_MAX;
	if (clamp && value < INT32_MIN)
		return 0x80000000;
	return (uint32_t)value;
}

static uint32_t unsigned_half(int64_t value, bool clamp)
{
	if (clamp && value < 0)
		return 0;
	if (clamp && value > UINT16_MAX)
		return UINT16_MAX;
	return (uint32_t)value & 0xffff;
}

static uint32_t signed_half(int64_t value, bool clamp)
{
	if (clamp && value < INT16_MIN)
		return 0x8000;
	if (clamp && value > INT16_MAX)
		return INT16_MAX;
	return (uint32_t)value & 0xffff;
}

#define U64(value) ((uint64_t)(value))
#define S64(value) ((int64_t)(int32_t)(value))

GFX_VECTOR(add_u32, OUT(unsigned_result(U64(A) + B, CLAMP)))
GFX_VECTOR(sub_u32, OUT(unsigned_result(U64(A) - B, CLAMP)))
GFX_VECTOR(subrev_u32, OUT(unsigned_result(U64(B) - A, CLAMP)))
GFX_VECTOR(add_i32, OUT(signed_result(S64(A) + S64(B), CLAMP)))
GFX_VECTOR(sub_i32, OUT(signed_result(S64(A) - S64(B), CLAMP)))

/* Carry out is bit 32 of the exact sum or, of a difference, its borrow. */
#define CARRY(expression)                                                                          \
	{                                                                                          \
		uint64_t sum_ = (expression);                                                      \
                                                                                                   \
		MASK_OUT(sum_ >> 32 & 1);                                                          \
		OUT(unsigned_result(sum_, CLAMP));                                                 \
	}

GFX_VECTOR(add_co_u32, CARRY(U64(A) + B))
GFX_VECTOR(sub_co_u32, CARRY(U64(A) - B))
GFX_VECTOR(subrev_co_u32, CARRY(U64(B) - A))
GFX_VECTOR(addc_co_u32, CARRY(U64(A) + B + MASK_IN))
GFX_VECTOR(subb_co_u32, CARRY(U64(A) - B - MASK_IN))
GFX_VECTOR(subbrev_co_u32, CARRY(U64(B) - A - MASK_IN))

#define S24(value) ((int64_t)((int32_t)((value) << 8) >> 8))
#define U24(value) ((uint64_t)((value)&0xffffff))

GFX_VECTOR(mul_i32_i24, OUT(S24(A) * S24(B)))
GFX_VECTOR(mul_hi_i32_i24, OUT((uint64_t)(S24(A) * S24(B)) >> 32))
GFX_VECTOR(mul_u32_u24, OUT(U24(A) * U24(B)))
GFX_VECTOR(mul_hi_u32_u24, OUT(U24(A) * U24(B) >> 32))
GFX_VECTOR(mul_lo_u32, OUT(A *B))
GFX_VECTOR(mul_hi_u32, OUT(U64(A) * B >> 32))
GFX_VECTOR(mul_hi_i32, OUT((uint64_t)(S64(A) * S64(B)) >> 32))
GFX_VECTOR(mad_i32_i24, OUT(signed_result(S24(A) * S24(B) + S64(C), CLAMP)))
GFX_VECTOR(mad_u32_u24, OUT(unsigned_result(U24(A) * U24(B) + C, CLAMP)))
GFX_VECTOR(mad_u32_u16, OUT(unsigned_result(U64(A & 0xffff) * (B & 0xffff) + C, CLAMP)))
GFX_VECTOR(mad_i32_i16,
	   OUT(signed_result((int64_t)(int16_t)A *(int64_t)(int16_t)B + S64(C), CLAMP)))

static bool add_overflows(uint64_t a, uint64_t b)
{
	return a + b < a;
}

GFX_VECTOR(mad_u64_u32, {
	uint64_t product = U64(A) * B;

	MASK_OUT(add_overflows(product, CW));
	OUTW(product + CW);
})

GFX_VECTOR(mad_i64_i32, {
	int64_t product = S64(A) * S64(B), sum;

	MASK_OUT(__builtin_add_overflow(product, (int64_t)CW, &sum));
	OUTW(sum);
})

GFX_VECTOR(add3_u32, OUT(A + B + C))
GFX_VECTOR(xad_u32, OUT((A ^ B) + C))
GFX_VECTOR(add_lshl_u32, OUT((A + B) << (C & 31)))
GFX_VECTOR(lshl_add_u32, OUT((A << (B & 31)) + C))
/* The shift amount is 0 to 4 in every use that is defined; the field has three bits. */
GFX_VECTOR(lshl_add_u64, OUTW((AW << (B & 7)) + CW))

GFX_VECTOR(min_i32, OUT(AS < BS ? A : B))
GFX_VECTOR(max_i32, OUT(AS > BS ? A : B))
GFX_VECTOR(min_u32, OUT(A < B ? A : B))
GFX_VECTOR(max_u32, OUT(A > B ? A : B))

static int32_t min32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t max32(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static uint32_t minu(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t maxu(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

GFX_VECTOR(min3_i32, OUT(min32(min32(AS, BS), CS)))
GFX_VECTOR(max3_i32, OUT(max32(max32(AS, BS), CS)))
GFX_VECTOR(med3_i32, OUT(max32(min32(AS, BS), min32(max32(AS, BS), CS))))
GFX_VECTOR(maxmin_i32, OUT(min32(max32(AS, BS), CS)))
GFX_VECTOR(minmax_i32, OUT(max32(min32(AS, BS), CS)))
GFX_VECTOR(maxmin_u32, OUT(minu(maxu(A, B), C)))
GFX_VECTOR(minmax_u32, OUT(maxu(minu(A, B), C)))
GFX_VECTOR(cvt_i32_i16, OUT((int16_t)A))
GFX_VECTOR(cvt_u32_u16, OUT((uint16_t)A))
GFX_VECTOR(min3_u32, OUT(minu(minu(A, B), C)))
GFX_VECTOR(max3_u32, OUT(maxu(maxu(A, B), C)))
GFX_VECTOR(med3_u32, OUT(maxu(minu(A, B), minu(maxu(A, B), C))))

/* 16 bits: inputs in the low halves. */
#define UH(value) ((int64_t)(uint16_t)(value))
#define SH(value) ((int64_t)(int16_t)(value))

GFX_VECTOR(add_u16, OUT(unsigned_half(UH(A) + UH(B), CLAMP)))
GFX_VECTOR(sub_u16, OUT(unsigned_half(UH(A) - UH(B), CLAMP)))
GFX_VECTOR(subrev_u16, OUT(unsigned_half(UH(B) - UH(A), CLAMP)))
GFX_VECTOR(add_i16, OUT(signed_half(SH(A) + SH(B), CLAMP)))
GFX_VECTOR(sub_i16, OUT(signed_half(SH(A) - SH(B), CLAMP)))
GFX_VECTOR(mul_lo_u16, OUT(unsigned_half(UH(A) * UH(B), CLAMP)))
GFX_VECTOR(mad_u16, OUT(unsigned_half(UH(A) * UH(B) + UH(C), CLAMP)))
GFX_VECTOR(mad_i16, OUT(signed_half(SH(A) * SH(B) + SH(C), CLAMP)))
GFX_VECTOR(min_i16, OUT(min32((int16_t)A, (int16_t)B)))
GFX_VECTOR(max_i16, OUT(max32((int16_t)A, (int16_t)B)))
GFX_VECTOR(min_u16, OUT(minu(A & 0xffff, B & 0xffff)))
GFX_VECTOR(max_u16, OUT(maxu(A & 0xffff, B & 0xffff)))
GFX_VECTOR(min3_i16, OUT(min32(min32((int16_t)A, (int16_t)B), (int16_t)C)))
GFX_VECTOR(max3_i16, OUT(max32(max32((int16_t)A, (int16_t)B), (int16_t)C)))
GFX_VECTOR(med3_i16, OUT(max32(min32((int16_t)A, (int16_t)B),
			       min32(max32((int16_t)A, (int16_t)B), (int16_t)C))))
GFX_VECTOR(min3_u16, OUT(minu(minu(A & 0xffff, B & 0xffff), C & 0xffff)))
GFX_VECTOR(max3_u16, OUT(maxu(maxu(A & 0xffff, B & 0xffff), C & 0xffff)))
GFX_VECTOR(med3_u16,
	   OUT(maxu(minu(A & 0xffff, B & 0xffff), minu(maxu(A & 0xffff, B & 0xffff), C & 0xffff))))

/* Sums of absolute differences, of bytes, halves or the whole. */
static uint32_t difference(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

static uint32_t byte_differences(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (uint32_t shift = 0; shift < 32; shift += 8)
		sum += difference(a >> shift & 255, b >> shift & 255);
	return sum;
}

GFX_VECTOR(sad_u8, OUT(unsigned_result(U64(byte_differences(A, B)) + C, CLAMP)))
GFX_VECTOR(sad_hi_u8, OUT(unsigned_result((U64(byte_differences(A, B)) << 16) + C, CLAMP)))
GFX_VECTOR(sad_u16, OUT(unsigned_result(U64(difference(A & 0xffff, B & 0xffff)) +
						difference(A >> 16, B >> 16) + C,
					CLAMP)))
/* Bytes that the reference @b does not have count nothing. */
static uint32_t masked_differences(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (uint32_t shift = 0; shift < 32; shift += 8)
		sum += b >> shift & 255 ? difference(a >> shift & 255, b >> shift & 255) : 0;
	return sum;
}

/* Four words that begin a byte apart, each with its own sum of 16 bits. */
static uint64_t quad_differences(uint32_t (*differences)(uint32_t, uint32_t), uint64_t words,
				 uint32_t reference, uint64_t sums, bool clamp)
{
	uint64_t result = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t sum = differences((uint32_t)(words >> 8 * i), reference) +
			       (uint32_t)(sums >> 16 * i & 0xffff);

		result |= (uint64_t)(clamp && sum > 0xffff ? 0xffff : sum & 0xffff) << 16 * i;
	}
	return result;
}

GFX_VECTOR(msad_u8, OUT(unsigned_result(U64(masked_differences(A, B)) + C, CLAMP)))
GFX_VECTOR(qsad_pk_u16_u8, OUTW(quad_differences(byte_differences, AW, B, CW, CLAMP)))
GFX_VECTOR(mqsad_pk_u16_u8, OUTW(quad_differences(masked_differences, AW, B, CW, CLAMP)))
/* The same four, each with a sum of its own register. */
GFX_VECTOR(mqsad_u32_u8, {
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t differences = masked_differences((uint32_t)(AW >> 8 * i), B);

		d_[lane + i * GFX_MAX_LANES] =
			unsigned_result(U64(differences) + c_[lane + i * GFX_MAX_LANES], CLAMP);
	}
})
GFX_VECTOR(sad_u32, OUT(unsigned_result(U64(difference(A, B)) + C, CLAMP)))

GFX_VECTOR(cvt_pk_u16_u32, OUT(minu(A, 0xffff) | minu(B, 0xffff) << 16))
GFX_VECTOR(cvt_pk_i16_i32, OUT(signed_half(S64(A), true) | signed_half(S64(B), true) << 16))
