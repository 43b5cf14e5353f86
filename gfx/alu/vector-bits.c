/* SPDX-License-Identifier: MIT */
/* Moves, logic, shifts, fields and bit counts of the vector encodings. */
#include "gfx/alu/operations.h"

GFX_VECTOR(nop, (void)lane)
GFX_VECTOR(mov_b32, OUT(A))
GFX_VECTOR(mov_b64, OUTW(AW))
GFX_VECTOR(cndmask_b32, OUT(MASK_IN ? B : A))
GFX_VECTOR(and_b32, OUT(A &B))
GFX_VECTOR(or_b32, OUT(A | B))
GFX_VECTOR(xor_b32, OUT(A ^ B))
GFX_VECTOR(xnor_b32, OUT(~(A ^ B)))
GFX_VECTOR(not_b32, OUT(~A))
GFX_VECTOR(or3_b32, OUT(A | B | C))
GFX_VECTOR(xor3_b32, OUT(A ^ B ^ C))
GFX_VECTOR(and_or_b32, OUT((A & B) | C))
GFX_VECTOR(lshl_or_b32, OUT(A << (B & 31) | C))
GFX_VECTOR(bfi_b32, OUT((A & B) | (~A & C)))

/* In the "rev" shifts the first source is the amount. */
GFX_VECTOR(lshlrev_b32, OUT(B << (A & 31)))
GFX_VECTOR(lshrrev_b32, OUT(B >> (A & 31)))
GFX_VECTOR(ashrrev_i32, OUT(BS >> (A & 31)))
GFX_VECTOR(lshlrev_b64, OUTW(BW << (A & 63)))
GFX_VECTOR(lshrrev_b64, OUTW(BW >> (A & 63)))
GFX_VECTOR(ashrrev_i64, OUTW((int64_t)BW >> (A & 63)))
GFX_VECTOR(lshlrev_b16, OUT((B & 0xffff) << (A & 15) & 0xffff))
GFX_VECTOR(lshrrev_b16, OUT((B & 0xffff) >> (A & 15)))
GFX_VECTOR(ashrrev_i16, OUT(((int32_t)(int16_t)B >> (A & 15)) & 0xffff))

static uint32_t field_mask(uint32_t width)
{
	return (1U << (width & 31)) - 1;
}

static uint32_t signed_field(uint32_t value, uint32_t offset, uint32_t width)
{
	value >>= offset & 31;
	width &= 31;
	if (width == 0)
		return 0;
	if ((offset & 31) + width >= 32)
		width = 32 - (offset & 31);
	return (uint32_t)((int32_t)(value << (32 - width)) >> (32 - width));
}

GFX_VECTOR(bfe_u32, OUT(A >> (B & 31) & field_mask(C)))
GFX_VECTOR(bfe_i32, OUT(signed_field(A, B, C)))
GFX_VECTOR(bfm_b32, OUT(field_mask(A) << (B & 31)))

static uint64_t joined(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

GFX_VECTOR(alignbit_b32, OUT(joined(A, B) >> (C & 31)))
GFX_VECTOR(alignbyte_b32, OUT(joined(A, B) >> (C & 3) * 8))

static uint32_t reverse(uint32_t value)
{
	value = (value >> 1 & 0x55555555) | (value & 0x55555555) << 1;
	value = (value >> 2 & 0x33333333) | (value & 0x33333333) << 2;
	value = (value >> 4 & 0x0f0f0f0f) | (value & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(value);
}

static uint32_t leading_zeros(uint32_t value)
{
	return value ? (uint32_t)__builtin_clz(value) : UINT32_MAX;
}

GFX_VECTOR(bfrev_b32, OUT(reverse(A)))
GFX_VECTOR(ffbh_u32, OUT(leading_zeros(A)))
GFX_VECTOR(ffbl_b32, OUT(A ? (uint32_t)__builtin_ctz(A) : UINT32_MAX))
GFX_VECTOR(ffbh_i32, OUT(leading_zeros(AS < 0 ? ~A : A)))

/* Written out, for hosts whose vectors cannot count bits. */
static inline uint32_t count_bits(uint32_t value)
{
	value -= value >> 1 & 0x55555555;
	value = (value & 0x33333333) + (value >> 2 & 0x33333333);
	value = (value + (value >> 4)) & 0x0f0f0f0f;
	value += value >> 8;
	return (value + (value >> 16)) & 63;
}

GFX_VECTOR(bcnt_u32_b32, OUT(count_bits(A) + B))

/* The lanes below this one, in the lower or the upper half of a mask. */
static inline uint32_t lanes_below(uint32_t lane)
{
	return lane >= 32 ? UINT32_MAX : (1U << lane % 32) - 1;
}

GFX_VECTOR(mbcnt_lo_u32_b32, OUT(count_bits(A &lanes_below(lane)) + B))
GFX_VECTOR(mbcnt_hi_u32_b32, OUT(count_bits(lane < 32 ? 0 : A & lanes_below(lane - 32)) + B))

/* One byte of the eight in a and b, or a constant made of the sign of a half, 0 or 255. */
static inline uint32_t permuted_byte(uint32_t high, uint32_t low, uint32_t select)
{
	uint32_t word = select & (select < 8 ? 4 : 2) ? high : low;
	uint32_t byte = word >> select % 4 * 8 & 255;
	uint32_t sign = word >> (select % 2 * 16 + 15) & 1 ? 255 : 0;
	uint32_t constant = select == 12 ? 0 : 255;

	return select < 8 ? byte : select < 12 ? sign : constant;
}

static inline uint32_t permute(uint32_t high, uint32_t low, uint32_t selects)
{
	return permuted_byte(high, low, selects & 255) |
	       permuted_byte(high, low, selects >> 8 & 255) << 8 |
	       permuted_byte(high, low, selects >> 16 & 255) << 16 |
	       permuted_byte(high, low, selects >> 24) << 24;
}

/* A bit of the table for each combination of three bits, those of the first source above the others. */
static uint32_t truth_table(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t result = 0;

	for (uint32_t i = 0; i < 8; i++)
		if (table >> i & 1)
			result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return result;
}

GFX_VECTOR(bitop3_b32, OUT(truth_table((uint32_t)vector->instruction->offset, A, B, C)))
/* The next of a sequence: a shift register with feedback. */
GFX_VECTOR(prng_b32, OUT(A << 1 ^ (A >> 31 ? 197U : 0)))

GFX_VECTOR(perm_b32, OUT(permute(A, B, C)))
GFX_VECTOR(pack_b32_f16, OUT((A & 0xffff) | (B & 0xffff) << 16))

static uint32_t average_bytes(uint32_t a, uint32_t b, uint32_t carry)
{
	uint32_t result = 0;

	for (uint32_t shift = 0; shift < 32; shift += 8)
		result |= ((a >> shift & 255) + (b >> shift & 255) + (carry >> shift & 1)) / 2
			  << shift;
	return result;
}

GFX_VECTOR(lerp_u8, OUT(average_bytes(A, B, C)))
