/* SPDX-License-Identifier: MIT */
/* Loads and stores of every width, in all three memories, aligned and not. */
#include "device.h"

struct __attribute__((packed)) odd {
	u8 tag;
	u16 half;
	u32 word;
	u64 wide;
};

typedef u32 three __attribute__((vector_size(16)));

KERNEL void widths(GLOBAL const u8 *in, GLOBAL u8 *out)
{
	LOCAL_ARRAY u8 bytes[64 * 16];
	LOCAL_ARRAY three quads[64];
	u32 i = local_id_x();
	GLOBAL const struct odd *from = (GLOBAL const struct odd *)in + i;
	GLOBAL struct odd *to = (GLOBAL struct odd *)out + i;
	three quad = {from->tag, from->half, from->word, (u32)(from->wide >> 32)};
	u8 own[16];

	quads[i ^ 1] = quad;
	*(LOCAL u16 *)(bytes + i * 16) = from->half;
	*(LOCAL u32 *)(bytes + i * 16 + 4) = from->word;
	*(LOCAL u64 *)(bytes + i * 16 + 8) = from->wide;
	bytes[i * 16 + 2] = (u8)(from->tag + 1);
	bytes[i * 16 + 3] = (u8)i;
	barrier();
	for (u32 k = 0; k < 16; k++)
		own[k] = bytes[(i * 16 + k * 17) % sizeof(bytes)];
	to->tag = own[i % 16];
	to->half = (u16)(own[3] << 8 | own[(i + 5) % 16]);
	to->word = quads[i][1] + quads[i][3];
	to->wide = *(LOCAL u64 *)(bytes + ((i + 9) % 64) * 16 + 8) ^ (u64)(i8)own[7];
}

HOST_KERNEL(widths, "pp", POINTER(0), POINTER(1));
