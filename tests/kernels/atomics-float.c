/* SPDX-License-Identifier: MIT */
/* Sums and extremes of floating point numbers that are exact in every order. */
#include "device.h"

KERNEL void atomics_float(GLOBAL float *singles, GLOBAL double *doubles)
{
	LOCAL_ARRAY float local_singles[3];
	LOCAL_ARRAY double local_double[1];
	u32 i = global_id_x();
	float number = (float)(i32)(i * 37 % 101) - 50.0f;

	if (local_id_x() < 3)
		local_singles[local_id_x()] = 0;
	if (local_id_x() == 0)
		local_double[0] = 0;
	barrier();
	atomic_add_f32_local(&local_singles[0], number);
	atomic_min_f32_local(&local_singles[1], number * 0.5f);
	atomic_max_f32_local(&local_singles[2], number * 0.25f);
	atomic_add_f64_local(&local_double[0], (double)number * 0.125);
	atomic_add_f32_global(&singles[0], number + 0.5f);
	atomic_add_f64_global(&doubles[0], (double)number + 0.25);
	atomic_min_f64_global(&doubles[1], (double)number * 3.0);
	atomic_max_f64_global(&doubles[2], (double)number * 5.0);
	barrier();
	if (local_id_x() < 3)
		singles[1 + group_id_x() * 3 + local_id_x()] = local_singles[local_id_x()];
	if (local_id_x() == 0)
		doubles[3 + group_id_x()] = local_double[0];
}

HOST_KERNEL(atomics_float, "pp", POINTER(0), POINTER(1));
