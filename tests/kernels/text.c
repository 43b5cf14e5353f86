/* SPDX-License-Identifier: MIT */
/* Bytes as text: cases turned, digits read, runs counted, a checksum; one line for each work-item. */
#include "device.h"

#define LINE 16

DEVICE_INLINE u8 turn(u8 c)
{
	if (c >= 'a' && c <= 'z')
		return (u8)(c - 'a' + 'A');
	if (c >= 'A' && c <= 'Z')
		return (u8)((c - 'A' + 13) % 26 + 'a');
	return c >= '0' && c <= '9' ? (u8)('9' - (c - '0')) : c;
}

KERNEL void text(GLOBAL u8 *lines, GLOBAL u16 *out)
{
	u32 i = global_id_x();
	GLOBAL u8 *line = lines + i * LINE;
	u16 a = 1, b = 0, number = 0;
	u8 longest = 0, run = 0, before = 0;
	i8 balance = 0;

	for (u32 k = 0; k < LINE; k++) {
		u8 c = line[k];

		a = (u16)((a + c) % 251);
		b = (u16)((b + a) % 251);
		if (c >= '0' && c <= '9')
			number = (u16)(number * 10 + (c - '0'));
		balance = (i8)(balance + (c & 1 ? 3 : -2));
		run = c / 16 == before / 16 ? (u8)(run + 1) : (u8)1;
		longest = run > longest ? run : longest;
		before = c;
		line[k] = turn(c);
	}
	out[i * 4] = (u16)(b << 8 | a);
	out[i * 4 + 1] = number;
	out[i * 4 + 2] = (u16)(longest << 8 | (u8)balance);
	out[i * 4 + 3] = (u16)(i16)balance;
}

HOST_KERNEL(text, "pp", POINTER(0), POINTER(1));
