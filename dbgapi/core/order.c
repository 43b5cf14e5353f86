/* SPDX-License-Identifier: MIT */
#include "dbgapi/core/core.h"

static void reverse(uint64_t *handles, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint64_t handle = handles[i];

		handles[i] = handles[count - 1 - i];
		handles[count - 1 - i] = handle;
	}
}

/*
 * The lists are hash tables of the GNU C++ library: a new object is the first one, and when the table grows the order
 * of those that are there is reversed. These are the sizes of such a table.
 */
void wt_core_order(uint64_t *handles, size_t count)
{
	static const size_t sizes[] = {13,    29,     59,     127,    257,    541,
				       1109,  2357,   5087,   10273,  20753,  42043,
				       85229, 172933, 351061, 712697, 1447153};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes) && sizes[i] < count; i++)
		reverse(handles, sizes[i]);
	reverse(handles, count);
}
