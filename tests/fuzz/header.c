/* SPDX-License-Identifier: MIT */
/* Any 128 bytes as a head: what is believed of it comes back the same when it is written again. */
#include <string.h>

#include "fuzz.h"
#include "trace-format/container/block.h"

/* The last four bytes made the checksum of what is before them. */
static void make_right(uint8_t head[WT_BLOCK_SIZE])
{
	uint32_t crc = wt_crc32c(0, head, WT_BLOCK_SIZE - 4);

	for (unsigned int i = 0; i < 4; i++)
		head[WT_BLOCK_SIZE - 4 + i] = (uint8_t)(crc >> 8 * i);
}

static void decode(const uint8_t head[WT_BLOCK_SIZE])
{
	uint8_t again[WT_BLOCK_SIZE];
	struct wt_block block, second;

	memset(&block, 0, sizeof(block));
	memset(&second, 0, sizeof(second));
	if (wt_block_decode(head, &block) != WT_BLOCK_FINE)
		return;
	fuzz_reached++;
	wt_block_encode(&block, again);
	FUZZ_CHECK(wt_block_decode(again, &second) == WT_BLOCK_FINE);
	FUZZ_CHECK(block.kind == second.kind && block.flags == second.flags);
	FUZZ_CHECK(block.sequence == second.sequence && block.stored == second.stored);
	FUZZ_CHECK(block.offset == second.offset && block.index == second.index);
	FUZZ_CHECK(block.file_id == second.file_id && block.stored_crc == second.stored_crc);
	if (block.kind == WT_BLOCK_CHUNK || block.kind == WT_BLOCK_STAGE)
		FUZZ_CHECK(!memcmp(&block.chunk, &second.chunk, sizeof(block.chunk)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t head[WT_BLOCK_SIZE] = {0};

	memcpy(head, data, size < sizeof(head) ? size : sizeof(head));
	decode(head);
	make_right(head);
	decode(head);
	/* The file that begins with it, and has the rest behind it. */
	fuzz_read(fuzz_file(data, size));
	return 0;
}
