/* SPDX-License-Identifier: MIT */
/* Heads of blocks: the one at an offset, and the next one where something is damaged. */
#include "trace-format/reader/head.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"

#define SEARCH_STEP ((size_t)64 << 10) /* bytes that are read at once */

/* A block that is where it says it is, belongs to this file and lies inside of it. */
static bool block_belongs(const struct wt_reader *reader, const struct wt_block *block,
			  uint64_t offset)
{
	return block->offset == offset && block->stored % WT_BLOCK_SIZE == 0 &&
	       (!reader->file.identity_known || block->file_id == reader->file.id);
}

bool wt_reader_fits(const struct wt_reader *reader, const struct wt_block *block)
{
	return block->stored <= reader->file.size - block->offset - WT_BLOCK_SIZE;
}

struct wt_error *wt_reader_newer(const struct wt_reader *reader)
{
	return wt_reader_error(reader, WT_ERROR_UNSUPPORTED,
			       "the trace has a newer format than %d; use a newer wavetape",
			       WT_FORMAT_MAJOR);
}

/* The head at an offset: false if there is none that belongs to this file. */
struct wt_error *wt_reader_read_head(struct wt_reader *reader, uint64_t offset,
				     struct wt_block *block_ret, bool *found_ret)
{
	uint8_t head[WT_BLOCK_SIZE];
	enum wt_block_result result;
	struct wt_error *error;

	*found_ret = false;
	if (offset > reader->file.size || reader->file.size - offset < WT_BLOCK_SIZE)
		return NULL;
	reader->places.heads_read++;
	error = wt_reader_read(reader, offset, head, sizeof(head));
	if (error)
		return error;
	result = wt_block_decode(head, block_ret);
	if (result == WT_BLOCK_NEWER)
		return wt_reader_newer(reader);
	*found_ret = result == WT_BLOCK_FINE && block_belongs(reader, block_ret, offset);
	return NULL;
}

/*
 * Finds the next place that may hold something else than zeros, from @offset on: @offset, the place of a head behind
 * it, or @limit. A file that was made longer and not filled is a hole of any size, in which no head is. Where the file
 * system does not tell its holes they are read.
 */
static uint64_t skip_hole(const struct wt_reader *reader, uint64_t offset, uint64_t limit)
{
	off_t data = lseek(reader->file.fd, (off_t)offset, SEEK_DATA);
	uint64_t next = (uint64_t)data - (uint64_t)data % WT_BLOCK_SIZE;

	if (data < 0)
		return errno == ENXIO ? limit : offset;
	if (next <= offset)
		return offset;
	return next < limit ? next : limit;
}

/*
 * The first whole head at or after @offset, or SIZE of the file: heads lie at multiples of their
 * size.
 */
struct wt_error *wt_reader_search_head(struct wt_reader *reader, uint64_t offset, uint64_t limit,
				       uint64_t *offset_ret)
{
	wt_cleanup_free uint8_t *window = malloc(SEARCH_STEP);
	struct wt_block block;
	struct wt_error *error;

	if (!window)
		return &wt_error_no_memory;
	for (;; offset += SEARCH_STEP) {
		uint64_t left;
		size_t size;

		offset = skip_hole(reader, offset, limit);
		if (offset >= limit)
			break;
		left = limit - offset;
		size = left < SEARCH_STEP ? (size_t)left : SEARCH_STEP;
		error = wt_reader_read(reader, offset, window, size);
		if (error)
			return error;
		for (size_t at = 0; at + WT_BLOCK_SIZE <= size; at += WT_BLOCK_SIZE) {
			if (wt_block_decode(window + at, &block) == WT_BLOCK_FINE &&
			    block_belongs(reader, &block, offset + at)) {
				*offset_ret = offset + at;
				return NULL;
			}
		}
	}
	*offset_ret = reader->file.size;
	return NULL;
}

struct wt_error *wt_reader_newest_index(struct wt_reader *reader, uint64_t *offset_ret)
{
	wt_cleanup_free uint8_t *window = malloc(SEARCH_STEP);
	uint64_t end = reader->file.size - reader->file.size % WT_BLOCK_SIZE;
	uint64_t limit = end > WT_SEARCH_LIMIT ? end - WT_SEARCH_LIMIT : 0;
	struct wt_block block;
	struct wt_error *error;

	if (!window)
		return &wt_error_no_memory;
	*offset_ret = 0;
	while (end > limit) {
		size_t size = end < SEARCH_STEP ? (size_t)end : SEARCH_STEP;

		if (skip_hole(reader, end - size, end) == end) {
			end -= size;
			continue;
		}
		error = wt_reader_read(reader, end - size, window, size);
		if (error)
			return error;
		for (size_t at = size; at; at -= WT_BLOCK_SIZE) {
			if (wt_block_decode(window + at - WT_BLOCK_SIZE, &block) != WT_BLOCK_FINE ||
			    !block_belongs(reader, &block, end - size + at - WT_BLOCK_SIZE))
				continue;
			*offset_ret = block.kind == WT_BLOCK_INDEX ? block.offset : block.index;
			return NULL;
		}
		end -= size;
	}
	return NULL;
}
