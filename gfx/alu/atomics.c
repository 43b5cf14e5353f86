/* SPDX-License-Identifier: MIT */
/*
 * New values of atomic operations. 32-bit operands come zero-extended, and only the low half of the
 * result is used then.
 */
#include <math.h>

#include "gfx/alu/half.h"
#include "gfx/wave/memory-access.h"

#define ATOMIC(name, expression)                                                                   \
	uint64_t gfx_atomic_##name(uint64_t old, uint64_t data, uint64_t compare)                  \
	{                                                                                          \
		(void)old, (void)data, (void)compare;                                              \
		return (uint64_t)(expression);                                                     \
	}

#define S32(value) ((int32_t)(uint32_t)(value))
#define S64(value) ((int64_t)(value))

ATOMIC(swap, data)
ATOMIC(cmpswap, old == compare ? data : old)
ATOMIC(add, old + data)
ATOMIC(sub, old - data)
ATOMIC(rsub, data - old)
ATOMIC(and, old &data)
ATOMIC(or, old | data)
ATOMIC(xor, old ^ data)
ATOMIC(umin, data < old ? data : old)
ATOMIC(umax, data > old ? data : old)
ATOMIC(smin32, S32(data) < S32(old) ? data : old)
ATOMIC(smax32, S32(data) > S32(old) ? data : old)
ATOMIC(smin64, S64(data) < S64(old) ? data : old)
ATOMIC(smax64, S64(data) > S64(old) ? data : old)
/* Counting up to, and down from, a limit. */
ATOMIC(inc, old >= data ? 0 : old + 1)
ATOMIC(dec, old == 0 || old > data ? data : old - 1)
ATOMIC(wrap, old >= data ? old - data : old + compare)
/* Down to nothing, or not at all. */
ATOMIC(sub_clamp, old < data ? 0 : old - data)
ATOMIC(cond_sub, old < data ? old : old - data)
ATOMIC(mskor, (old & ~data) | compare)

#define F32(value) gfx_f32((uint32_t)(value))

ATOMIC(add_f32, gfx_f32_bits(F32(old) + F32(data)))
ATOMIC(min_f32, gfx_f32_bits(fminf(F32(old), F32(data))))
ATOMIC(max_f32, gfx_f32_bits(fmaxf(F32(old), F32(data))))
ATOMIC(add_f64, gfx_f64_bits(gfx_f64(old) + gfx_f64(data)))
ATOMIC(min_f64, gfx_f64_bits(fmin(gfx_f64(old), gfx_f64(data))))
ATOMIC(max_f64, gfx_f64_bits(fmax(gfx_f64(old), gfx_f64(data))))
/* DS has the compared value first and the new one second. */
ATOMIC(cmpst, old == data ? compare : old)
ATOMIC(cmpst_f32, F32(old) == F32(data) ? compare : old)
ATOMIC(cmpst_f64, gfx_f64(old) == gfx_f64(data) ? compare : old)
ATOMIC(cmpswap_f32, F32(old) == F32(compare) ? data : old)
ATOMIC(cmpswap_f64, gfx_f64(old) == gfx_f64(compare) ? data : old)

/* Each word is written where the uppermost bit of its data says so, which is no part of what is written. */
static uint64_t word_on_condition(uint64_t old, uint64_t data)
{
	return data >> 31 & 1 ? data & INT32_MAX : old & UINT32_MAX;
}

ATOMIC(condxchg, word_on_condition(old, data) | word_on_condition(old >> 32, data >> 32) << 32)

static uint32_t half_sum(uint64_t a, uint64_t b)
{
	double sum =
		(double)gfx_half_to_float((uint16_t)a) + (double)gfx_half_to_float((uint16_t)b);

	return gfx_half_from_double(sum, GFX_ROUND_NEAREST);
}

ATOMIC(pk_add_f16, half_sum(old, data) | half_sum(old >> 16, data >> 16) << 16)

static uint32_t brain_sum(uint64_t a, uint64_t b)
{
	return gfx_bfloat_from_single(gfx_f32_bits(F32(a << 16) + F32(b << 16)));
}

ATOMIC(pk_add_bf16, brain_sum(old, data) | brain_sum(old >> 16, data >> 16) << 16)
