/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the payload of an index: of the final one in a trace that was closed, behind a chunk that is whole, and of
 * one in the stream, whose links may lead anywhere.
 */
#include <string.h>

#include "fuzz.h"
#include "trace-format/container/block.h"
#include "trace-format/container/index.h"

/* A block with its payload; zeros fill it up. */
static uint64_t append(struct wt_buffer *file, struct wt_block block, const uint8_t *payload,
		       size_t size)
{
	static const uint8_t zeros[WT_BLOCK_SIZE];
	uint8_t head[WT_BLOCK_SIZE];
	size_t fill;

	block.offset = file->size;
	block.stored = wt_block_align(size);
	fill = (size_t)block.stored - size;
	block.stored_crc = wt_crc32c(wt_crc32c(0, payload, size), zeros, fill);
	wt_block_encode(&block, head);
	wt_buffer_append(file, head, sizeof(head));
	wt_buffer_append(file, payload, size);
	wt_buffer_append(file, zeros, fill);
	return block.offset;
}

static const struct wt_file_fields identity = {.major = WT_FORMAT_MAJOR};

static void start(struct wt_buffer *file)
{
	/* A zstd frame of no bytes, and a skippable one up to the end of the block. */
	uint8_t payload[WT_BLOCK_SIZE] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x00, 0x01, 0x00, 0x00};

	wt_skippable_encode(sizeof(payload) - 9 - WT_FRAME_HEAD, payload + 9);
	append(file,
	       (struct wt_block){
		       .kind = WT_BLOCK_FILE, .flags = WT_BLOCK_REQUIRED, .file = identity},
	       NULL, 0);
	append(file,
	       (struct wt_block){.kind = WT_BLOCK_CHUNK,
				 .flags = WT_BLOCK_REQUIRED,
				 .sequence = 1,
				 .chunk = {.first_call = 1,
					   .first_blob = 1,
					   .first_name = 1,
					   .keyframe = WT_NO_MOMENT}},
	       payload, sizeof(payload));
}

static void read_closed(const uint8_t *data, size_t size)
{
	wt_cleanup_buffer struct wt_buffer file = {0};
	struct wt_block footer = {.kind = WT_BLOCK_FOOTER, .sequence = 3};

	start(&file);
	footer.footer.file = identity;
	footer.footer.final_offset = append(
		&file,
		(struct wt_block){.kind = WT_BLOCK_FINAL, .flags = WT_BLOCK_INLINE, .sequence = 2},
		data, size);
	footer.footer.final_stored = wt_block_align(size);
	append(&file, footer, NULL, 0);
	FUZZ_CHECK(!file.failed);
	fuzz_read(fuzz_file(file.data, file.size));
}

static void read_torn(const uint8_t *data, size_t size)
{
	wt_cleanup_buffer struct wt_buffer file = {0};
	struct wt_block index = {.kind = WT_BLOCK_INDEX, .flags = WT_BLOCK_INLINE, .sequence = 2};
	struct wt_block gap = {.kind = WT_BLOCK_GAP, .flags = WT_BLOCK_INLINE, .sequence = 3};

	start(&file);
	/* The index before it is where the input says; that may be itself. */
	memcpy(&index.index, data, size < sizeof(index.index) ? size : sizeof(index.index));
	index.index &= 0x3FF & ~(uint64_t)(WT_BLOCK_SIZE - 1);
	gap.index = append(&file, index, data, size);
	append(&file, gap, NULL, 0);
	FUZZ_CHECK(!file.failed);
	fuzz_read(fuzz_file(file.data, file.size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_index index;

	if (wt_index_parse(data, size, &index)) {
		FUZZ_CHECK(index.chunks.remaining <= size && index.links.remaining <= size);
		FUZZ_CHECK(index.packets.remaining <= size);
		fuzz_reached++;
	}
	read_closed(data, size);
	read_torn(data, size);
	return 0;
}
