/* SPDX-License-Identifier: MIT */
/* Conversions between integers, singles and doubles. Out of range saturates, a NaN becomes 0. */
#include <math.h>

#include "gfx/alu/half.h"
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
