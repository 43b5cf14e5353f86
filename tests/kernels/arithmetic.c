/* SPDX-License-Identifier: MIT */
/* Arithmetic that a program wants to stop at, in work-items past the first 64. */
#include "device.h"

/* Exceptions, as bits of the field that enables them. */
#define INVALID 1
#define OVERFLOW 8

#if defined(__AMDGCN__)
/* From here on these, and no others, stop the wave. */
#define enable_exceptions(exceptions)                                                              \
	__builtin_amdgcn_s_setreg(1 | 12 << 6 | 6 << 11, wave_first(exceptions))
#define host_raises() ((void)0)
#else
/* The host does not look for exceptions: it is told of the place where one is raised. */
#define enable_exceptions(exceptions) ((void)(exceptions))
#define host_raises() host_stop("arithmetic exception")
#endif

#define HALF_OVERFLOW 0
#define INVALID_CONVERSION 1

DEVICE_INLINE float float_of_bits(u32 bits)
{
	union {
		u32 bits;
		float single;
	} value = {.bits = bits};

	return value.single;
}

DEVICE_INLINE u32 calculate(u32 word, u32 what)
{
	f16 half = half_of_bits((u16)word);

	if (what == HALF_OVERFLOW)
		return bits_of_half(half_multiply(half, half)); /* overflows */
	if (what == INVALID_CONVERSION)
		return (u32)(i32)float_of_bits(word); /* is out of range */
	return float_of_bits(word) < 1.0f;	      /* compares NaNs */
}

KERNEL void arithmetic(GLOBAL const u32 *in, GLOBAL u32 *out, u32 what)
{
	u32 i = global_id_x(), word = in[i];

	enable_exceptions(what == HALF_OVERFLOW ? OVERFLOW : INVALID);
	OPAQUE(word);
	if (i >= 64)
		host_raises();
	out[i] = calculate(word, what);
}

HOST_KERNEL(arithmetic, "ppI", POINTER(0), POINTER(1), U32(2));
