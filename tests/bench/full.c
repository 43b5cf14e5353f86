/* SPDX-License-Identifier: MIT */
#include "tests/kernels/device.h"

/* Written one by one: the compiler gives a kernel that may run in workgroups of 1024 only 128 of the registers. */
#define FILL                                                                                       \
	".set n, 1\n"                                                                              \
	"v_mov_b32 v32, %0\n"                                                                      \
	".rept 223\n"                                                                              \
	"v_add_f32 v[32 + n], v[31 + n], %1\n"                                                     \
	".set n, n + 1\n"                                                                          \
	".endr\n"                                                                                  \
	".set n, 0\n"                                                                              \
	".rept 256\n"                                                                              \
	"v_accvgpr_write_b32 a[n], v[255 - n %% 224]\n"                                            \
	".set n, n + 1\n"                                                                          \
	".endr\n"

/* Every wave has all 512 vector registers that gfx942 has, 128 KiB, with values that no two lanes share, and stops with them. */
KERNEL void full(GLOBAL float *a, GLOBAL const float *b, u32 rounds)
{
	u32 lane = global_id_x();

	__asm__ volatile(FILL : : "v"(a[lane]), "v"(b[lane]) : "v32", "v255", "a0", "a255");
	trap_debug();
	for (u32 round = 0; round < rounds; round++)
		a[lane] += b[lane];
}
