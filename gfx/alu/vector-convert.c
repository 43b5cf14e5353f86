/* SPDX-License-Identifier: MIT */
/* Conversions between integers, singles and doubles. Out of range saturates, a NaN becomes 0. */
#include <math.h>

#include "gfx/alu/half.h"
#include "gfx/alu/matrix.h"
#include "gfx/alu/operations.h"

static int32_t to_signed(double value)
{
	if (isnan(value))
		return 0;
	if (value >= 0x1p31)
		return INT32_MAX;
	return value <= -0x1p31 ? INT32_MIN : (int32_t)value;
}

static uint32_t to_unsigned(double value)
{
	if (!(value > 0))
		return 0;
	return value >= 0x1p32 ? UINT32_MAX : (uint32_t)value;
}

static double nearest_even(double value)
{
	double rounded = round(value);

	if (fabs(value - trunc(value)) == 0.5)
		rounded = 2 * round(value / 2);
	return rounded;
}

GFX_VECTOR(cvt_i32_f64, OUT(to_signed(AD)))
GFX_VECTOR(cvt_u32_f64, OUT(to_unsigned(AD)))
GFX_VECTOR(cvt_i32_f32, OUT(to_signed((double)AF)))
GFX_VECTOR(cvt_u32_f32, OUT(to_unsigned((double)AF)))
GFX_VECTOR(cvt_f64_i32, OUTD((double)AS))
GFX_VECTOR(cvt_f64_u32, OUTD((double)A))
GFX_VECTOR(cvt_f32_i32, OUTF((float)AS))
GFX_VECTOR(cvt_f32_u32, OUTF((float)A))
GFX_VECTOR(cvt_f32_f64, OUTF((float)AD))
GFX_VECTOR(cvt_f64_f32, OUTD((double)AF))
/* Halves go up in the first, everything down in the second. */
GFX_VECTOR(cvt_rpi_i32_f32, OUT(to_signed(floor((double)AF + 0.5))))
GFX_VECTOR(cvt_flr_i32_f32, OUT(to_signed(floor((double)AF))))
GFX_VECTOR(cvt_f32_ubyte0, OUTF((float)(A & 255)))
GFX_VECTOR(cvt_f32_ubyte1, OUTF((float)(A >> 8 & 255)))
GFX_VECTOR(cvt_f32_ubyte2, OUTF((float)(A >> 16 & 255)))
GFX_VECTOR(cvt_f32_ubyte3, OUTF((float)(A >> 24)))
/* Four bits with the top one the sign, in sixteenths. */
GFX_VECTOR(cvt_off_f32_i4, OUTF((float)((int32_t)(A << 28) >> 28) / 16.0f))

static uint32_t byte_of(float value)
{
	return value >= 255 ? 255 : to_unsigned((double)value);
}

GFX_VECTOR(cvt_pk_u8_f32, {
	uint32_t shift = (B & 3) * 8;

	OUT((C & ~(255U << shift)) | byte_of(AF) << shift);
})

static uint32_t norm_signed(float value)
{
	double scaled = nearest_even(fmax(fmin((double)value, 1), -1) * 32767);

	return isnan(value) ? 0 : (uint32_t)(int32_t)scaled & 0xffff;
}

static uint32_t norm_unsigned(float value)
{
	double scaled = nearest_even(fmax(fmin((double)value, 1), 0) * 65535);

	return isnan(value) ? 0 : (uint32_t)scaled;
}

GFX_VECTOR(cvt_pknorm_i16_f32, OUT(norm_signed(AF) | norm_signed(BF) << 16))
GFX_VECTOR(cvt_pknorm_u16_f32, OUT(norm_unsigned(AF) | norm_unsigned(BF) << 16))

static uint32_t limited(int32_t value, int32_t low, int32_t high)
{
	return (uint32_t)(value < low ? low : value > high ? high : value) & 0xffff;
}

static uint32_t to_i16(float value)
{
	return limited(to_signed((double)value), INT16_MIN, INT16_MAX);
}

static uint32_t to_u16(float value)
{
	return limited(to_signed((double)value), 0, UINT16_MAX);
}

GFX_VECTOR(cvt_pk_i16_f32, OUT(to_i16(AF) | to_i16(BF) << 16))
GFX_VECTOR(cvt_pk_u16_f32, OUT(to_u16(AF) | to_u16(BF) << 16))

static uint32_t saturate_byte(int32_t value)
{
	return value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
}

GFX_VECTOR(sat_pk_u8_i16, OUT(saturate_byte((int16_t)A) | saturate_byte((int16_t)(A >> 16)) << 8))

static uint32_t limit(int32_t value, int32_t low, int32_t high)
{
	return (uint32_t)(value < low ? low : value > high ? high : value) & 0xff;
}

GFX_VECTOR(ashr_pk_i8_i32,
	   OUT(limit(AS >> (C & 31), -128, 127) | limit(BS >> (C & 31), -128, 127) << 8))
GFX_VECTOR(ashr_pk_u8_i32, OUT(limit(AS >> (C & 31), 0, 255) | limit(BS >> (C & 31), 0, 255) << 8))

static uint32_t bfloat_single(uint32_t code, uint32_t value)
{
	if (code == GFX_CODE_INVERSE_2PI)
		return 0x3e220000U | (value & 0x8000) << 16;
	if (code >= GFX_CODE_FLOATS && code < GFX_CODE_INVERSE_2PI)
		return gfx_f32_bits(gfx_half_to_float((uint16_t)value));
	return value << 16;
}

/* They are rounded to nearest whatever the mode says, which no document tells. */
GFX_VECTOR(cvt_pk_bf16_f32, OUT(gfx_bfloat_from_single(A) | gfx_bfloat_from_single(B) << 16))
/* Constants are halves, and of those of bfloats the value is the same but for the last one. */
GFX_VECTOR(cvt_f32_bf16, OUT(bfloat_single(vector->instruction->src[0], A)))

/* ---- Numbers of eight bits ---- */

#define BYTE_OVERFLOW_SATURATES (1U << 23) /* of the mode: FP16_OVFL */

/* Both kinds, with three and two bits of fraction, as gfx942 has them and as the Open Compute Project has. */
static const struct gfx_matrix bytes = {.elements = {GFX_ELEMENT_FP8, GFX_ELEMENT_BF8}};
static const struct gfx_matrix open_bytes = {
	.elements = {GFX_ELEMENT_OPEN_FP8, GFX_ELEMENT_OPEN_BF8}};

/* A byte whose size has no bits is zero, which gfx942 knows without a sign only; what would be -0 is its NaN. */
struct byte_format {
	uint8_t fraction, largest, infinity, nan;
	int8_t least; /* exponent of normal numbers */
	bool open;
};

static const struct byte_format fp8 = {3, 0x7f, 0x80, 0x80, -7, false};
static const struct byte_format bf8 = {2, 0x7f, 0x80, 0x80, -15, false};
static const struct byte_format open_fp8 = {3, 0x7e, 0x7f, 0x7f, -6, true};
static const struct byte_format open_bf8 = {2, 0x7b, 0x7c, 0x7f, -14, true};

static uint32_t whole_below(double value)
{
	return (uint32_t)value;
}

static uint32_t nearest_whole(double value)
{
	uint32_t whole = (uint32_t)value;
	double rest = value - whole;

	return whole + (rest > 0.5 || (rest == 0.5 && whole & 1));
}

/* One that is too large is infinite, or no number where the format has no infinity. */
static uint32_t byte_rounded(const struct byte_format *format, uint32_t single, uint32_t mode,
			     uint32_t (*rounding)(double value))
{
	uint32_t sign = single >> 31 << 7, one = 1U << format->fraction, whole, size;
	double value = (double)fabsf(gfx_f32(single));
	int exponent = 0;

	if (gfx_f32_is_nan(single))
		return format->open ? format->nan | sign : format->nan;
	if (isinf(value))
		return format->open ? format->infinity | sign : format->nan;
	(void)frexp(value, &exponent);
	exponent = exponent - 1 < format->least ? format->least : exponent - 1;
	/* The fraction, with a one before it but for numbers below the normal ones, carries into the exponent. */
	whole = exponent > 31 ? UINT32_MAX : rounding(ldexp(value, format->fraction - exponent));
	size = whole < one ? whole : (uint32_t)(exponent - format->least) * one + whole;
	if (exponent > 31 || size > format->largest) {
		if (mode & BYTE_OVERFLOW_SATURATES)
			return format->largest | sign;
		return format->open ? format->infinity | sign : format->nan;
	}
	return size || format->open ? size | sign : 0;
}

/* Rounded to nearest whatever the mode says. */
static uint32_t byte_from_single(const struct byte_format *format, uint32_t single, uint32_t mode)
{
	return byte_rounded(format, single, mode, nearest_whole);
}

/*
 * Rounded up or down by chance: the uppermost bits of the seed are added to those that the byte has no room for, and what is left of them is
 * cut off. No document says what becomes of the bits that numbers below the normal ones have no room for besides: they are cut off, too.
 */
static uint32_t byte_by_chance(const struct byte_format *format, uint32_t single, uint32_t seed,
			       uint32_t mode)
{
	const uint32_t too_large = 0x7f000000; /* for any byte: a carry would make it infinite */

	if ((single & 0x7fffffff) < too_large)
		single += seed >> (9 + format->fraction);
	return byte_rounded(format, single, mode, whole_below);
}

static uint32_t byte_replaced(uint32_t word, uint32_t byte, int32_t number)
{
	uint32_t shift = 8 * (uint32_t)number;

	return (word & ~(0xffU << shift)) | byte << shift;
}

/* The byte that SDWA or the instruction's own field chooses; without either it is the lowest. */
#define CHOSEN_BYTE (A >> 8 * vector->instruction->offset & 0xff)
#define BYTE_CONVERSIONS(kind, format, matrix, side)                                               \
	GFX_VECTOR(cvt_f32_##kind, OUTF((float)gfx_matrix_number(&(matrix), side, CHOSEN_BYTE)))   \
	GFX_VECTOR(cvt_pk_f32_##kind, {                                                            \
		uint32_t pair = A >> 8 * vector->instruction->offset;                              \
                                                                                                   \
		OUTF((float)gfx_matrix_number(&(matrix), side, pair & 0xff));                      \
		d_[lane + GFX_MAX_LANES] =                                                         \
			gfx_f32_bits((float)gfx_matrix_number(&(matrix), side, pair >> 8 & 0xff)); \
	})                                                                                         \
	GFX_VECTOR(cvt_pk_##kind##_f32, OUT(byte_from_single(&(format), A, vector->mode) |         \
					    byte_from_single(&(format), B, vector->mode) << 8))    \
	GFX_VECTOR(cvt_sr_##kind##_f32,                                                            \
		   OUT(byte_replaced(C, byte_by_chance(&(format), A, B, vector->mode),             \
				     vector->instruction->offset)))

BYTE_CONVERSIONS(fp8, fp8, bytes, 0)
BYTE_CONVERSIONS(bf8, bf8, bytes, 1)
BYTE_CONVERSIONS(open_fp8, open_fp8, open_bytes, 0)
BYTE_CONVERSIONS(open_bf8, open_bf8, open_bytes, 1)

/* The products are added one after the other, each rounded once, which no document says. */
static float byte_dot(uint32_t first, uint32_t second, uint32_t a, uint32_t b, float sum)
{
	for (uint32_t shift = 0; shift < 32; shift += 8)
		sum = fmaf((float)gfx_matrix_number(&open_bytes, first, a >> shift & 0xff),
			   (float)gfx_matrix_number(&open_bytes, second, b >> shift & 0xff), sum);
	return sum;
}

GFX_VECTOR(dot4_f32_fp8_bf8, OUTF(byte_dot(0, 1, A, B, CF)))
GFX_VECTOR(dot4_f32_bf8_fp8, OUTF(byte_dot(1, 0, A, B, CF)))
GFX_VECTOR(dot4_f32_fp8_fp8, OUTF(byte_dot(0, 0, A, B, CF)))
GFX_VECTOR(dot4_f32_bf8_bf8, OUTF(byte_dot(1, 1, A, B, CF)))
