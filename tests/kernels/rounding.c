/* SPDX-License-Identifier: MIT */
/* The four rounding modes that a program may set, in single and in double precision. */
#include "device.h"

DEVICE_INLINE float single_in(u32 mode, float x, float y, u32 what)
{
	float result;

	OPAQUE(x);
	OPAQUE(y);
	set_round_single(mode);
	OPAQUE(x);
	OPAQUE(y);
	result = what == 0 ? x + y : what == 1 ? x * y : __builtin_fmaf(x, y, x);
	OPAQUE(result);
	set_round_single(ROUND_NEAREST);
	return result;
}

/*
 * The compiler sees to the mode of doubles itself, so it must not see these. @operation: the
 * instruction, and its C form.
 */
#if defined(__AMDGCN__)
#define DOUBLE_IN(mode, instruction, x, operation, y)                                              \
	({                                                                                         \
		double result_;                                                                    \
		__asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), %3\n\t" instruction \
				 " %0, %1, %2\n\t"                                                 \
				 "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 0"                  \
				 : "=&v"(result_)                                                  \
				 : "v"(x), "v"(y), "n"(mode));                                     \
		result_;                                                                           \
	})
#else
#define DOUBLE_IN(mode, instruction, x, operation, y)                                              \
	({                                                                                         \
		double x_ = (x), result_;                                                          \
		set_round_double(mode);                                                            \
		OPAQUE(x_);                                                                        \
		result_ = x_ operation(y);                                                         \
		OPAQUE(result_);                                                                   \
		set_round_double(ROUND_NEAREST);                                                   \
		result_;                                                                           \
	})
#endif

KERNEL void rounding(GLOBAL const float *in, GLOBAL float *out, GLOBAL double *wide)
{
	u32 i = global_id_x();
	float x = in[i], y = in[i ^ 5] * 0.001f;
	double wide_x = (double)x / 3.0, wide_y = (double)y * 1e-7;

	for (u32 what = 0; what < 3; what++) {
		out[i * 12 + what * 4] = single_in(ROUND_NEAREST, x, y, what);
		out[i * 12 + what * 4 + 1] = single_in(ROUND_UP, x, y, what);
		out[i * 12 + what * 4 + 2] = single_in(ROUND_DOWN, x, y, what);
		out[i * 12 + what * 4 + 3] = single_in(ROUND_ZERO, x, y, what);
	}
	wide[i * 8] = DOUBLE_IN(ROUND_NEAREST, "v_add_f64", wide_x, +, wide_y);
	wide[i * 8 + 1] = DOUBLE_IN(ROUND_UP, "v_add_f64", wide_x, +, wide_y);
	wide[i * 8 + 2] = DOUBLE_IN(ROUND_DOWN, "v_add_f64", wide_x, +, wide_y);
	wide[i * 8 + 3] = DOUBLE_IN(ROUND_ZERO, "v_add_f64", wide_x, +, wide_y);
	wide[i * 8 + 4] = DOUBLE_IN(ROUND_NEAREST, "v_mul_f64", wide_x, *, wide_y);
	wide[i * 8 + 5] = DOUBLE_IN(ROUND_UP, "v_mul_f64", wide_x, *, wide_y);
	wide[i * 8 + 6] = DOUBLE_IN(ROUND_DOWN, "v_mul_f64", wide_x, *, wide_y);
	wide[i * 8 + 7] = DOUBLE_IN(ROUND_ZERO, "v_mul_f64", wide_x, *, wide_y);
}

HOST_KERNEL(rounding, "ppp", POINTER(0), POINTER(1), POINTER(2));
