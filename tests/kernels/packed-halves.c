/* SPDX-License-Identifier: MIT */
/* Pairs of halves, which have instructions of their own: sums, products, extremes, halves exchanged. */
#include "device.h"

#if defined(__AMDGCN__)
typedef f16 pair __attribute__((ext_vector_type(2)));
#define PAIR_OPERATION(name, device, host)                                                         \
	DEVICE_INLINE pair pair_##name(pair a, pair b)                                             \
	{                                                                                          \
		return device;                                                                     \
	}
#else
typedef f16 pair __attribute__((vector_size(4)));
#define PAIR_OPERATION(name, device, host)                                                         \
	DEVICE_INLINE pair pair_##name(pair a, pair b)                                             \
	{                                                                                          \
		return (pair){host(a[0], b[0]), host(a[1], b[1])};                                 \
	}
#endif
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))

PAIR_OPERATION(add, a + b, half_add)
PAIR_OPERATION(multiply, a *b, half_multiply)
PAIR_OPERATION(lesser, __builtin_elementwise_min(a, b), LESSER)
PAIR_OPERATION(greater, __builtin_elementwise_max(a, b), GREATER)

KERNEL void packed_halves(GLOBAL const u16 *in, GLOBAL u16 *out)
{
	u32 i = global_id_x() * 2;
	pair a = {half_of_bits(in[i]), half_of_bits(in[i + 1])};
	pair b = {half_of_bits(in[i ^ 64]), half_of_bits(in[(i + 1) ^ 64])};
	pair turned = {b[1], (f16)-b[0]}, low = {a[0], a[0]};
	pair results[6] = {pair_add(a, b),	  pair_multiply(a, b),
			   pair_lesser(a, b),	  pair_greater(a, b),
			   pair_add(low, turned), pair_multiply(turned, (pair){(f16)0.5f, a[1]})};

	for (u32 k = 0; k < 6; k++) {
		out[i * 6 + k * 2] = bits_of_half(results[k][0]);
		out[i * 6 + k * 2 + 1] = bits_of_half(results[k][1]);
	}
}

HOST_KERNEL(packed_halves, "pp", POINTER(0), POINTER(1));
