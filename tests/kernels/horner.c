/* SPDX-License-Identifier: MIT */
#include "device.h"

/* A polynomial of `degree` in double precision, with its coefficients in memory, highest first. */
KERNEL void horner(GLOBAL const double *coefficients, u32 degree, GLOBAL const double *x,
		   GLOBAL double *y)
{
	u32 i = global_id_x();
	double at = x[i];
	double value = coefficients[0];

	for (u32 k = 1; k <= degree; k++)
		value = value * at + coefficients[k];
	y[i] = value;
}
HOST_KERNEL(horner, "pIpp", POINTER(0), U32(1), POINTER(2), POINTER(3));
