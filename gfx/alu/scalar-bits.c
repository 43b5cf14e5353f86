/* SPDX-License-Identifier: MIT */
/* Scalar bit operations, shifts and compares. Inputs come zero-extended to 64 bits. */
#include "gfx/alu/scalar.h"

/* A function whose result is one expression of its inputs a and b. */
#define RESULT(name, expression)                                                                   \
	void gfx_s_##name(struct gfx_scalar *scalar)                                               \
	{                                                                                          \
		uint64_t a = scalar->a, b = scalar->b;                                             \
                                                                                                   \
		(void)a;                                                                           \
		(void)b;                                                                           \
		scalar->d = (uint64_t)(expression);                                                \
	}

/* A function that sets nothing but scc. */
#define CONDITION(name, expression)                                                                \
	void gfx_s_##name(struct gfx_scalar *scalar)                                               \
	{                                                                                          \
		uint64_t a = scalar->a, b = scalar->b;                                             \
                                                                                                   \
		scalar->scc = (expression);                                                        \
	}

#define S32(value) ((int32_t)(uint32_t)(value))
#define ONE UINT64_C(1)

RESULT(and, a &b)
RESULT(or, a | b)
RESULT(xor, a ^ b)
RESULT(andn2, a & ~b)
RESULT(orn2, a | ~b)
RESULT(nand, ~(a &b))
RESULT(nor, ~(a | b))
RESULT(xnor, ~(a ^ b))
RESULT(not, ~a)

RESULT(lshl_b32, a << (b & 31))
RESULT(lshl_b64, a << (b & 63))
RESULT(lshr_b32, a >> (b & 31))
RESULT(lshr_b64, a >> (b & 63))
RESULT(ashr_i32, (uint32_t)(S32(a) >> (b & 31)))
RESULT(ashr_i64, (int64_t)a >> (b & 63))
RESULT(bfm_b32, ((ONE << (a & 31)) - 1) << (b & 31))
RESULT(bfm_b64, ((ONE << (a & 63)) - 1) << (b & 63))

/* Field extraction: the offset in the low bits of the second source, the width from bit 16 on. */
static uint64_t bits_extract(uint64_t value, uint64_t offset, uint64_t width)
{
	if (width == 0)
		return 0;
	value >>= offset;
	return width >= 64 ? value : value & ((ONE << width) - 1);
}

static uint64_t extract_signed(uint64_t value, uint64_t offset, uint64_t width, uint64_t size)
{
	uint64_t field = bits_extract(value, offset, width);

	if (width == 0)
		return 0;
	if (offset + width > size)
		width = size > offset ? size - offset : 1;
	return (uint64_t)((int64_t)(field << (64 - width)) >> (64 - width));
}

RESULT(bfe_u32, bits_extract(a, b & 31, b >> 16 & 0x7f))
RESULT(bfe_u64, bits_extract(a, b & 63, b >> 16 & 0x7f))
RESULT(bfe_i32, extract_signed(a, b & 31, b >> 16 & 0x7f, 32))
RESULT(bfe_i64, extract_signed(a, b & 63, b >> 16 & 0x7f, 64))

static uint32_t reverse(uint32_t value)
{
	value = (value >> 1 & 0x55555555) | (value & 0x55555555) << 1;
	value = (value >> 2 & 0x33333333) | (value & 0x33333333) << 2;
	value = (value >> 4 & 0x0f0f0f0f) | (value & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(value);
}

RESULT(brev_b32, reverse((uint32_t)a))
RESULT(brev_b64, (uint64_t)reverse((uint32_t)a) << 32 | reverse((uint32_t)(a >> 32)))
RESULT(bcnt0_b32, 32 - __builtin_popcountll(a))
RESULT(bcnt0_b64, 64 - __builtin_popcountll(a))
RESULT(bcnt1, __builtin_popcountll(a))

/* Position of the first one from the low end, or from the high end; -1 if there is none. */
static int32_t first_one(uint64_t value)
{
	return value ? __builtin_ctzll(value) : -1;
}

static int32_t leading(uint64_t value, int32_t size)
{
	return value ? __builtin_clzll(value) - (64 - size) : -1;
}

RESULT(ff0_b32, (uint32_t)first_one(~a &UINT32_MAX))
RESULT(ff0_b64, (uint32_t)first_one(~a))
RESULT(ff1, (uint32_t)first_one(a))
RESULT(flbit_b32, (uint32_t)leading(a, 32))
RESULT(flbit_b64, (uint32_t)leading(a, 64))
RESULT(flbit_i32, (uint32_t)leading((uint32_t)(S32(a) < 0 ? ~a : a), 32))
RESULT(flbit_i64, (uint32_t)leading((int64_t)a < 0 ? ~a : a, 64))

void gfx_s_bitset0_b32(struct gfx_scalar *scalar)
{
	scalar->d &= ~(ONE << (scalar->a & 31));
}

void gfx_s_bitset0_b64(struct gfx_scalar *scalar)
{
	scalar->d &= ~(ONE << (scalar->a & 63));
}

void gfx_s_bitset1_b32(struct gfx_scalar *scalar)
{
	scalar->d |= ONE << (scalar->a & 31);
}

void gfx_s_bitset1_b64(struct gfx_scalar *scalar)
{
	scalar->d |= ONE << (scalar->a & 63);
}

/* Each bit twice. */
void gfx_s_bitreplicate(struct gfx_scalar *scalar)
{
	for (uint32_t i = 0; i < 32; i++)
		scalar->d |= (scalar->a >> i & 1) * 3 << 2 * i;
}

static uint64_t quads(uint64_t value)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < 16; i++)
		mask |= (uint64_t)((value >> 4 * i & 15) != 0) << i;
	return mask;
}

RESULT(quadmask_b32, quads(a))
RESULT(quadmask_b64, quads(a))

/* Whole quads: every four bits of which one is set become set. */
void gfx_s_wqm(struct gfx_scalar *scalar)
{
	uint64_t mask = quads(scalar->a);

	scalar->d = 0;
	for (uint32_t i = 0; i < 16; i++)
		scalar->d |= (mask >> i & 1) * 15 << 4 * i;
}

CONDITION(cmp_eq, a == b)
CONDITION(cmp_lg, a != b)
CONDITION(cmp_gt_i32, S32(a) > S32(b))
CONDITION(cmp_ge_i32, S32(a) >= S32(b))
CONDITION(cmp_lt_i32, S32(a) < S32(b))
CONDITION(cmp_le_i32, S32(a) <= S32(b))
CONDITION(cmp_gt_u32, (uint32_t)a > (uint32_t)b)
CONDITION(cmp_ge_u32, (uint32_t)a >= (uint32_t)b)
CONDITION(cmp_lt_u32, (uint32_t)a < (uint32_t)b)
CONDITION(cmp_le_u32, (uint32_t)a <= (uint32_t)b)
CONDITION(bitcmp0_b32, (a >> (b & 31) & 1) == 0)
CONDITION(bitcmp1_b32, (a >> (b & 31) & 1) == 1)
CONDITION(bitcmp0_b64, (a >> (b & 63) & 1) == 0)
CONDITION(bitcmp1_b64, (a >> (b & 63) & 1) == 1)
