/* SPDX-License-Identifier: MIT */
#include "device.h"

/*
 * Writes three times its number to each element, but work-items first ... first + count - 1 miss
 * theirs by `stray` elements. With a stray index that leaves the buffer just those lanes fault;
 * with a count of 0 none.
 */
KERNEL void oob_store(GLOBAL u32 *out, u32 first, u32 count, u32 stray)
{
	u32 i = global_id_x();
	u64 index = i;

	if (i - first < count)
		index += stray;
	out[index] = 3 * i;
}
HOST_KERNEL(oob_store, "pIII", POINTER(0), U32(1), U32(2), U32(3));
