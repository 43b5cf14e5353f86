/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a file: heads, chunks, indexes, footer. Once as they are, and once with the
 * checksums made right, behind which a mutation otherwise never gets.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "trace-format/block.h"

static void put_u32(uint8_t *place, uint32_t value)
{
	for (unsigned int i = 0; i < 4; i++)
		place[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *place, unsigned int size)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < size; i++)
		value |= (uint64_t)place[i] << 8 * i;
	return value;
}

static void put_offset(uint8_t *head, uint64_t offset)
{
	put_u32(head + 40, (uint32_t)offset);
	put_u32(head + 44, (uint32_t)(offset >> 32));
}

/* Whatever looks like a head gets the offset it is at, the file's id and its checksums. */
static void make_right(uint8_t *data, size_t size)
{
	for (size_t at = 0; size - at >= WT_BLOCK_SIZE; at += WT_BLOCK_SIZE) {
		uint8_t *head = data + at;
		uint64_t kind = get(head + 16, 2), stored = get(head + 32, 8);
		size_t left = size - at - WT_BLOCK_SIZE;

		if (memcmp(head + 8, "WTAPE", 5) != 0)
			continue;
		put_offset(head, at);
		memcpy(head + 20, data + 48, 4);
		if (kind != WT_BLOCK_GAP && kind != WT_BLOCK_STAGE && stored <= left)
			put_u32(head + 120, wt_crc32c(0, head + WT_BLOCK_SIZE, (size_t)stored));
		put_u32(head + 124, wt_crc32c(0, head, WT_BLOCK_SIZE - 4));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	fuzz_read(fuzz_file(data, size));
	if (size < WT_BLOCK_SIZE)
		return 0;
	copy = malloc(size);
	FUZZ_CHECK(copy);
	memcpy(copy, data, size);
	make_right(copy, size);
	fuzz_read(fuzz_file(copy, size));
	free(copy);
	return 0;
}
