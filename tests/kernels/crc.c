/* SPDX-License-Identifier: MIT */
/* A checksum by a table of constants and bit by bit; both must come to the same. */
#include "device.h"

CONSTANT u32 table[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

KERNEL void crc(GLOBAL const u8 *in, GLOBAL u32 *out, u32 length)
{
	u32 i = global_id_x(), by_table = ~0u, by_bit = ~0u;

	for (u32 k = 0; k < length; k++) {
		u8 byte = in[i * length + k];

		by_table ^= byte;
		by_table = by_table >> 4 ^ table[by_table & 15];
		by_table = by_table >> 4 ^ table[by_table & 15];
		by_bit ^= byte;
		for (u32 bit = 0; bit < 8; bit++)
			by_bit = by_bit >> 1 ^ (by_bit & 1 ? 0xedb88320 : 0);
	}
	out[i * 2] = ~by_table;
	out[i * 2 + 1] = by_table ^ by_bit;
}

HOST_KERNEL(crc, "ppI", POINTER(0), POINTER(1), U32(2));
