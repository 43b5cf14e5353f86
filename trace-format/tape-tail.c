/* SPDX-License-Identifier: MIT */
/* The end of a trace that is being written: gap, stage, and how blocks get in front of them. */
#include "trace-format/index.h"
#include "trace-format/tape.h"

/* A stage holds a chunk's raw packets and the heads of its entries. */
#define STAGE_SIZE ((uint64_t)WT_CHUNK_TARGET + WT_CHUNK_TARGET / 4)
/* The file grows by this much at a time. */
#define GROWTH ((uint64_t)2 << 20)
/* Room for the notice and the end of a trace on a full disk, besides its index. */
#define END_SIZE ((uint64_t)64 << 10)

static void fill_head(const struct wt_tape *tape, struct wt_block *block)
{
	block->file_id = wt_file_id_low(tape->identity.id);
	block->index = tape->index;
}

void wt_tape_image_head(struct wt_tape *tape, struct wt_block *block)
{
	uint8_t head[WT_BLOCK_SIZE];

	fill_head(tape, block);
	block->sequence = tape->sequence++;
	block->offset = tape->end + tape->image.size;
	wt_block_encode(block, head);
	wt_buffer_append(&tape->image, head, sizeof(head));
}

static void encode_gap(const struct wt_tape *tape, uint64_t offset, uint64_t end,
		       uint8_t head[WT_BLOCK_SIZE])
{
	struct wt_block gap = {
		.kind = WT_BLOCK_GAP,
		.flags = WT_BLOCK_INLINE,
		.sequence = tape->sequence,
		.stored = end - offset - WT_BLOCK_SIZE,
		.offset = offset,
	};

	fill_head(tape, &gap);
	wt_block_encode(&gap, head);
}

static struct wt_error *write_stage_head(struct wt_tape *tape, uint64_t offset, uint64_t size)
{
	uint8_t head[WT_BLOCK_SIZE];
	struct wt_block stage = {
		.kind = WT_BLOCK_STAGE,
		.flags = WT_BLOCK_INLINE,
		.sequence = tape->sequence,
		.stored = size - offset - WT_BLOCK_SIZE,
		.offset = offset,
		.chunk = tape->open,
	};

	fill_head(tape, &stage);
	wt_block_encode(&stage, head);
	return wt_file_write(&tape->file, head, sizeof(head), offset);
}

/* Make the file at least @size bytes long, with some to spare if the disk has them. */
static struct wt_error *extend_file(struct wt_tape *tape, uint64_t size)
{
	uint64_t generous = wt_block_align(size + GROWTH);
	struct wt_error *error;

	if (size <= tape->size)
		return NULL;
	error = wt_file_reserve(&tape->file, tape->size, generous);
	if (!error) {
		tape->size = generous;
		return NULL;
	}
	if (!wt_file_is_full(&tape->file))
		return error;
	wt_error_destroy(error);
	error = wt_file_reserve(&tape->file, tape->size, size);
	if (!error)
		tape->size = size;
	return error;
}

struct wt_error *wt_tape_place_stage(struct wt_tape *tape, uint64_t room, bool extend)
{
	uint64_t stage = tape->end + wt_block_align(room) + WT_BLOCK_SIZE;
	uint64_t size = stage + WT_BLOCK_SIZE;
	uint8_t gap[WT_BLOCK_SIZE];
	struct wt_error *error = NULL;

	if (extend)
		size += wt_block_align(STAGE_SIZE + END_SIZE + wt_index_size(tape));
	error = extend_file(tape, size);
	if (!error)
		error = write_stage_head(tape, stage, tape->size);
	if (error)
		return error;
	/* Nothing sees the new stage until the gap leads to it. */
	encode_gap(tape, tape->end, stage, gap);
	error = wt_file_write(&tape->file, gap, sizeof(gap), tape->end);
	if (error)
		return error;
	tape->stage = stage;
	tape->stage_used = 0;
	tape->staged = 0;
	tape->stage_is_live = extend;
	return NULL;
}

struct wt_error *wt_tape_append_image(struct wt_tape *tape)
{
	struct wt_buffer *image = &tape->image;
	uint64_t length = image->size;
	struct wt_error *error = NULL;
	uint8_t *gap;

	if (tape->end + length + WT_BLOCK_SIZE > tape->stage) {
		if (tape->stage_used)
			return wt_error_create(WT_ERROR_INTERNAL, "cannot write the trace",
					       tape->file.path,
					       "a chunk does not fit into its gap");
		error = wt_tape_place_stage(tape, length, false);
		if (error)
			return error;
	}
	gap = wt_buffer_extend(image, WT_BLOCK_SIZE);
	if (!gap)
		return &wt_error_no_memory;
	encode_gap(tape, tape->end + length, tape->stage, gap);
	/* The first head is what makes the rest count, so it comes last. */
	error = wt_file_write(&tape->file, image->data + WT_BLOCK_SIZE, image->size - WT_BLOCK_SIZE,
			      tape->end + WT_BLOCK_SIZE);
	if (!error)
		error = wt_file_write(&tape->file, image->data, WT_BLOCK_SIZE, tape->end);
	if (!error)
		tape->end += length;
	return error;
}

struct wt_error *wt_tape_stage_packets(struct wt_tape *tape, bool *fits_ret)
{
	size_t length = tape->raw.size - tape->staged;
	uint64_t capacity = tape->size - tape->stage - WT_BLOCK_SIZE;
	struct wt_buffer *entry = &tape->entry;
	struct wt_error *error;

	*fits_ret = tape->stage_is_live && tape->stage_used <= capacity &&
		    length + WT_STAGE_ENTRY_HEAD <= capacity - tape->stage_used;
	if (!length || !*fits_ret)
		return NULL;
	wt_buffer_clear(entry);
	wt_buffer_append_u32(entry, (uint32_t)length);
	wt_buffer_append_u32(entry, wt_stage_crc(tape->sequence, tape->stage_used,
						 tape->raw.data + tape->staged, length));
	wt_buffer_append(entry, tape->raw.data + tape->staged, length);
	if (entry->failed)
		return &wt_error_no_memory;
	error = wt_file_write(&tape->file, entry->data, entry->size,
			      tape->stage + WT_BLOCK_SIZE + tape->stage_used);
	if (error)
		return error;
	tape->stage_used += entry->size;
	tape->staged = tape->raw.size;
	return NULL;
}
