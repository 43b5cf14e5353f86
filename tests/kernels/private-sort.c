/* SPDX-License-Identifier: MIT */
#include "device.h"

#define LENGTH 16

/* Insertion sort. A real call with a pointer into private memory. */
DEVICE_CALL void sort(u32 *values, u32 length)
{
	for (u32 k = 1; k < length; k++) {
		u32 value = values[k];
		u32 place = k;

		for (; place > 0 && values[place - 1] > value; place--)
			values[place] = values[place - 1];
		values[place] = value;
	}
}

/* Each work-item sorts LENGTH numbers of its own in private memory and writes them back. */
KERNEL void private_sort(GLOBAL u32 *data, u32 seed)
{
	u64 i = global_id_x();
	u32 values[LENGTH];

	for (u32 k = 0; k < LENGTH; k++)
		values[k] = (data[LENGTH * i + k] ^ seed) * 0x9e3779b9u;
	sort(values, LENGTH);
	for (u32 k = 0; k < LENGTH; k++)
		data[LENGTH * i + k] = values[k];
}
HOST_KERNEL(private_sort, "pI", POINTER(0), U32(1));
