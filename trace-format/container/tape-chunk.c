/* SPDX-License-Identifier: MIT */
/* Chunks and index blocks on their way into the file. */
#include "trace-format/container/tape-chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/container/index.h"
#include "trace-format/container/tape-tail.h"
#include "trace-format/message/encode.h"

uint64_t wt_tape_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Start the fields of the next open chunk: its numbers follow those of the present one. */
static void tape_open_next(struct wt_tape *tape)
{
	struct wt_chunk_fields *open = &tape->chunk.fields;

	*open = (struct wt_chunk_fields){
		.first_packet = open->first_packet + open->packets,
		.first_call = open->first_call + open->calls,
		.first_blob = open->first_blob + open->blobs,
		.first_name = tape->chunk.next_name,
		.first_moment = open->first_moment + open->moments,
		.keyframe = open->keyframe,
	};
}

static void enter_chunk(struct wt_tape *tape, const struct wt_block *block)
{
	struct wt_index_entry entry = wt_index_entry_of(block);

	wt_index_entry_append(&tape->index.entries, &entry);
}

/* Write the packed payload in tape->packing.image to the file as a chunk with these fields. */
static struct wt_error *tape_append_chunk(struct wt_tape *tape,
					  const struct wt_chunk_fields *fields,
					  const struct wt_packed *packed)
{
	size_t entered = tape->index.entries.size;
	uint64_t sequence = tape->tail.sequence;
	struct wt_block block = {
		.kind = WT_BLOCK_CHUNK,
		.flags = WT_BLOCK_REQUIRED,
		.stored = packed->stored,
		.stored_crc = packed->crc,
		.chunk = *fields,
	};
	struct wt_error *error;

	tape->packing.image.size = 0;
	wt_tape_image_head(tape, &block);
	tape->packing.image.size += packed->stored;
	enter_chunk(tape, &block);
	error = tape->index.entries.failed ? &wt_error_no_memory : wt_tape_append_image(tape);
	if (error) {
		tape->index.entries.size = entered;
		tape->index.entries.failed = false;
		tape->tail.sequence = sequence;
		return error;
	}
	return NULL;
}

struct wt_error *wt_tape_put_chunk(struct wt_tape *tape, size_t size)
{
	struct wt_packed packed;
	struct wt_error *error;

	if (!wt_pack_prepare(&tape->packing.image, size))
		return &wt_error_no_memory;
	wt_pack(tape->packing.zstd, &tape->chunk.raw, size, &tape->packing.image, &packed);
	tape->chunk.fields.raw = size;
	error = wt_pack_check(&packed, tape->file.path);
	if (!error)
		error = tape_append_chunk(tape, &tape->chunk.fields, &packed);
	if (error)
		return error;
	tape->chunk.raw_before += size;
	tape->chunk.raw.size -= size;
	memmove(tape->chunk.raw.data, tape->chunk.raw.data + size, tape->chunk.raw.size);
	tape->stage.is_live = false;
	tape->stage.used = 0;
	tape->stage.staged = 0;
	tape_open_next(tape);
	return NULL;
}

/* Offsets of the index blocks 1, 2, 4, 8... before the one to come. */
static void append_links(struct wt_tape *tape, struct wt_buffer *buffer)
{
	size_t count = tape->index.offsets.size / sizeof(uint64_t);
	uint64_t links[64];
	size_t used = 0;

	for (size_t back = 1; back <= count; back *= 2)
		memcpy(&links[used++], tape->index.offsets.data + (count - back) * sizeof(uint64_t),
		       sizeof(uint64_t));
	wt_index_section_append(buffer, WT_INDEX_LINKS, links, used * sizeof(links[0]));
}

static void append_packets(struct wt_tape *tape, struct wt_buffer *buffer, size_t from)
{
	wt_cleanup_buffer struct wt_buffer packets = {0};

	wt_buffer_append(&packets, tape->index.copies.data, tape->index.header_size);
	wt_buffer_append(&packets, tape->index.copies.data + from, tape->index.copies.size - from);
	wt_index_section_append(buffer, WT_INDEX_PACKETS, packets.data, packets.size);
	buffer->failed |= packets.failed;
}

/* Fields of message Summary, as far as there was memory for all of them. */
static void encode_summary(const struct wt_tape *tape, struct wt_buffer *summary)
{
	if (tape->summary.has_stops) {
		wt_encode_number(summary, WT_FIELD_SUMMARY_HAS_STOPS, 1);
		wt_buffer_append(summary, tape->summary.stops.data, tape->summary.stops.size);
	}
	if (!tape->summary.notices_left_out) {
		wt_encode_number(summary, WT_FIELD_SUMMARY_HAS_NOTICES, 1);
		wt_buffer_append(summary, tape->summary.notices.data, tape->summary.notices.size);
		wt_encode_number(summary, WT_FIELD_SUMMARY_HOST_PACKET, tape->summary.host_packet);
	}
}

/* A summary is a convenience: a trace for which there is no memory for one has none. */
static void append_summary(struct wt_tape *tape, struct wt_buffer *buffer)
{
	wt_cleanup_buffer struct wt_buffer summary = {0}, content = {0};
	size_t room, size;
	uint8_t *place;

	encode_summary(tape, &summary);
	room = ZSTD_compressBound(summary.size);
	wt_buffer_append_u32(&content,
			     wt_crc32c(0, tape->index.entries.data, tape->index.entries.size));
	wt_buffer_append_u32(&content, 0);
	place = wt_buffer_extend(&content, room);
	if (!place || summary.failed)
		return;
	size = ZSTD_compress2(tape->packing.zstd, place, room, summary.data, summary.size);
	if (ZSTD_isError(size))
		return;
	wt_index_section_append(buffer, WT_INDEX_SUMMARY, content.data, content.size - room + size);
}

/* Read a payload back from the file; false if that fails. */
static bool tape_read_payload(const struct wt_tape *tape, const struct wt_index_entry *entry,
			      uint8_t *payload)
{
	size_t done = 0;

	while (done < entry->stored) {
		ssize_t size = pread(tape->file.fd, payload + done, (size_t)entry->stored - done,
				     (off_t)(entry->offset + WT_BLOCK_SIZE + done));

		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return false;
		done += (size_t)size;
	}
	return true;
}

/* How much the payloads of all chunks are together, and the longest one. */
static uint64_t tape_measure_payloads(const struct wt_tape *tape, uint64_t *longest_ret)
{
	struct wt_cursor entries =
		wt_cursor_init(tape->index.entries.data, tape->index.entries.size);
	struct wt_index_entry entry;
	uint64_t total = 0;

	*longest_ret = 0;
	while (wt_index_entry_take(&entries, &entry)) {
		total += entry.stored;
		*longest_ret = entry.stored > *longest_ret ? entry.stored : *longest_ret;
	}
	return total;
}

/*
 * A small trace has all payloads once more, joined so that any one of them can be made of the others. Of a trace of one chunk that
 * is a copy. It is read back here, so that nothing is added to what a recorded call costs. Where that fails the trace has none.
 */
static void append_parity(const struct wt_tape *tape, struct wt_buffer *buffer)
{
	struct wt_cursor entries =
		wt_cursor_init(tape->index.entries.data, tape->index.entries.size);
	wt_cleanup_free uint8_t *payload = NULL, *parity = NULL;
	struct wt_index_entry entry;
	uint64_t longest;

	/* A trace that is packed again is to be small, and its few chunks are large. */
	if (tape->packed || tape_measure_payloads(tape, &longest) > WT_LIMIT_PARITY || !longest)
		return;
	payload = malloc((size_t)longest);
	parity = calloc(1, (size_t)longest);
	if (!payload || !parity)
		return;
	while (wt_index_entry_take(&entries, &entry)) {
		if (!tape_read_payload(tape, &entry, payload))
			return;
		wt_parity_join(parity, payload, (size_t)entry.stored);
	}
	wt_index_section_append(buffer, WT_INDEX_PARITY, parity, (size_t)longest);
}

/* Parts that an index has beyond what it needs. */
enum wt_extras { WT_EXTRAS_NONE, WT_EXTRAS_SUMMARY, WT_EXTRAS_ALL };

static void append_body(struct wt_tape *tape, struct wt_buffer *body, bool final,
			enum wt_extras extras)
{
	size_t entries = final ? 0 : tape->index.entries_indexed;
	size_t copies = final ? tape->index.header_size : tape->index.copies_indexed;

	if (tape->index.entries.size > entries)
		wt_index_section_append(body, WT_INDEX_CHUNKS, tape->index.entries.data + entries,
					tape->index.entries.size - entries);
	append_links(tape, body);
	append_packets(tape, body, copies);
	if (final && extras >= WT_EXTRAS_SUMMARY)
		append_summary(tape, body);
	if (final && extras == WT_EXTRAS_ALL)
		append_parity(tape, body);
}

/* An index block, into the image: of the chunks since the last one, or the final one of all. */
static void append_index(struct wt_tape *tape, bool final, enum wt_extras extras)
{
	wt_cleanup_buffer struct wt_buffer body = {0};
	struct wt_block block = {
		.kind = final ? WT_BLOCK_FINAL : WT_BLOCK_INDEX,
		.flags = WT_BLOCK_INLINE,
	};
	size_t used;
	uint8_t *rest;

	append_body(tape, &body, final, extras);
	used = body.size;
	rest = wt_buffer_extend(&body, wt_block_align(used) - used);
	if (!rest) {
		tape->packing.image.failed = true;
		return;
	}
	memset(rest, 0, body.size - used);
	block.stored = body.size;
	block.stored_crc = wt_crc32c(0, body.data, body.size);
	wt_tape_image_head(tape, &block);
	wt_buffer_append(&tape->packing.image, body.data, body.size);
}

bool wt_tape_is_index_due(const struct wt_tape *tape, unsigned int pending)
{
	return tape->index.entries.size - tape->index.entries_indexed +
		       pending * WT_INDEX_ENTRY_SIZE >=
	       (size_t)WT_CHUNKS_PER_INDEX * WT_INDEX_ENTRY_SIZE;
}

struct wt_error *wt_tape_put_index(struct wt_tape *tape)
{
	uint64_t offset = tape->tail.end;
	struct wt_error *error = NULL;

	if (!wt_tape_is_index_due(tape, 0))
		return NULL;
	wt_buffer_clear(&tape->packing.image);
	append_index(tape, false, WT_EXTRAS_NONE);
	wt_buffer_append_u64(&tape->index.offsets, offset);
	if (tape->index.offsets.failed)
		return &wt_error_no_memory;
	error = tape->packing.image.failed ? &wt_error_no_memory : wt_tape_append_image(tape);
	if (error) {
		tape->index.offsets.size -= sizeof(offset);
		return error;
	}
	tape->index.newest = offset;
	tape->index.entries_indexed = tape->index.entries.size;
	tape->index.copies_indexed = tape->index.copies.size;
	return NULL;
}

/* Is there room for what has to be there, but not for all of this? */
static bool tape_is_too_long(const struct wt_tape *tape)
{
	uint64_t end = tape->tail.end + tape->packing.image.size + WT_BLOCK_SIZE;

	if (tape->summary.wanted_size && end > tape->summary.wanted_size)
		return true;
	return (tape->file.errnum || tape->file.limit) && end + WT_BLOCK_SIZE > tape->tail.size;
}

struct wt_error *wt_tape_put_final(struct wt_tape *tape)
{
	struct wt_block footer = {.kind = WT_BLOCK_FOOTER};
	uint64_t sequence = tape->tail.sequence;
	enum wt_extras extras = WT_EXTRAS_ALL;

	wt_buffer_clear(&tape->packing.image);
	append_index(tape, true, extras);
	for (; extras != WT_EXTRAS_NONE && tape_is_too_long(tape);) {
		extras--;
		tape->tail.sequence = sequence;
		wt_buffer_clear(&tape->packing.image);
		append_index(tape, true, extras);
	}
	footer.footer.file = tape->identity;
	footer.footer.final_offset = tape->tail.end;
	footer.footer.final_stored = tape->packing.image.size - WT_BLOCK_SIZE;
	wt_tape_image_head(tape, &footer);
	return tape->packing.image.failed ? &wt_error_no_memory : wt_tape_append_image(tape);
}

/* A full chunk that is no longer open and not yet in the file, while it is compressed. */

void wt_pending_compress(struct wt_pending *pending)
{
	wt_pack(pending->zstd, &pending->raw, pending->raw.size, &pending->image, &pending->packed);
}

bool wt_pending_prepare(const struct wt_tape *tape, struct wt_pending *pending, size_t size)
{
	size_t rest = tape->chunk.raw.size - size;

	wt_buffer_clear(&pending->raw);
	if (!wt_pack_prepare(&pending->image, size) || !wt_buffer_extend(&pending->raw, rest + 1))
		return false;
	wt_buffer_clear(&pending->raw);
	wt_buffer_append(&pending->raw, tape->chunk.raw.data + size, rest);
	return true;
}

void wt_pending_take(struct wt_tape *tape, struct wt_pending *pending, size_t size)
{
	struct wt_buffer raw = tape->chunk.raw;

	raw.size = size;
	tape->chunk.raw = pending->raw;
	tape->stage.staged = 0;
	tape->chunk.opened = wt_tape_now();
	tape->chunk.fields.raw = size;
	tape->chunk.raw_before += size;
	pending->raw = raw;
	pending->fields = tape->chunk.fields;
	pending->zstd_size = ZSTD_sizeof_CCtx(pending->zstd);
	tape_open_next(tape);
}

struct wt_error *wt_pending_finish(const struct wt_tape *tape, struct wt_pending *pending)
{
	if (ZSTD_isError(pending->packed.result))
		wt_pending_compress(pending);
	return wt_pack_check(&pending->packed, tape->file.path);
}

static void swap_images(struct wt_tape *tape, struct wt_pending *pending)
{
	struct wt_buffer image = tape->packing.image;

	tape->packing.image = pending->image;
	pending->image = image;
}

struct wt_error *wt_pending_write(struct wt_tape *tape, struct wt_pending *pending)
{
	struct wt_error *error;

	swap_images(tape, pending);
	error = tape_append_chunk(tape, &pending->fields, &pending->packed);
	swap_images(tape, pending);
	return error;
}

void wt_pending_deinit(struct wt_pending *pending)
{
	wt_buffer_deinit(&pending->raw);
	wt_buffer_deinit(&pending->image);
}
