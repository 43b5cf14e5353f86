/* SPDX-License-Identifier: MIT */
/* A trace written again packet by packet: what it decompresses to stays the same. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "trace-format/state/blob.h"
#include "trace-format/message/packet.h"
#include "trace-format/rewrite/internal.h"
#include "trace-format/writer/internal.h"

/* Derived from the Header as a writer does it, or random. */
static struct wt_error *copy_make_id(struct wt_reader *reader, const struct wt_trace_info *info,
				     uint8_t id[16])
{
	uint8_t key[WT_BLOB_KEY_SIZE];
	struct wt_chunk *chunk;
	struct wt_error *error;

	if (!info->reproducible) {
		if (getrandom(id, 16, 0) == 16)
			return NULL;
		return wt_error_errno(errno, "cannot write the trace", "random file id");
	}
	error = wt_reader_chunk(reader, 0, &chunk);
	if (error)
		return error;
	wt_blob_key(chunk->raw + chunk->packets[0].offset, chunk->packets[0].size, key);
	memcpy(id, key, 16);
	wt_chunk_release(chunk);
	return NULL;
}

static struct wt_error *tape_copy_packet(struct wt_tape *tape, const struct wt_chunk *chunk,
					 const struct wt_packet *packet)
{
	struct wt_buffer *buffer;
	uint32_t weight = 0;

	if (packet->field == WT_PACKET_NAMES)
		wt_tape_number_names(
			tape, (uint32_t)wt_packet_number(chunk, packet, WT_FIELD_NAMES_FIRST));
	buffer = wt_tape_begin(tape, packet->field);
	wt_buffer_append(buffer, chunk->raw + packet->offset, packet->size);
	if (packet->field == WT_PACKET_NAMES)
		weight = wt_packet_count_field(chunk, packet, WT_FIELD_NAMES_TEXT);
	else if (packet->field == WT_PACKET_MOMENT)
		weight = packet->keyframe;
	else if (packet->field == WT_PACKET_NOTICE)
		weight = wt_packet_count_field(chunk, packet, WT_FIELD_NOTICE_HOST) != 0;
	return wt_tape_end(tape, weight);
}

static struct wt_error *copy_chunk(const struct wt_rewriting *rewriting, size_t position,
				   struct wt_tape *tape)
{
	struct wt_chunk *chunk;
	struct wt_error *error = wt_reader_chunk(rewriting->reader, position, &chunk);

	if (error)
		return error;
	for (size_t i = 0; !error && i < chunk->packet_count; i++) {
		if (chunk->packets[i].field == WT_PACKET_END)
			error = wt_rewriting_add_texts(rewriting, tape);
		if (!error)
			error = tape_copy_packet(tape, chunk, &chunk->packets[i]);
	}
	wt_chunk_release(chunk);
	return error;
}

static struct wt_error *rewriting_copy_all(struct wt_rewriting *rewriting,
					   const struct wt_trace_info *info, struct wt_tape *tape)
{
	struct wt_reader *reader = rewriting->reader;
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < wt_reader_chunk_count(reader); i++) {
		error = copy_chunk(rewriting, i, tape);
		wt_rewriting_progress(rewriting, wt_reader_chunk_entry(reader, i)->offset,
				      info->file_size);
	}
	if (!error && !info->complete)
		error = wt_tape_notice(tape, WT_NOTICE_LOST, 0, wt_reader_damage(reader));
	if (!error && !info->complete)
		error = wt_tape_end_trace(tape, "recovered");
	tape->has_stops = !rewriting->stops->broken;
	if (tape->has_stops) {
		tape->stops = rewriting->stops->encoded;
		rewriting->stops->encoded = (struct wt_buffer){0};
	}
	return error ? error : wt_tape_finish(tape, true);
}

struct wt_error *wt_rewriting_copy(struct wt_rewriting *rewriting)
{
	struct wt_rewrite *result = rewriting->result;
	struct wt_file file = {.fd = -1};
	struct wt_trace_info info;
	struct wt_tape *tape;
	struct wt_error *error;
	uint8_t id[16];

	wt_reader_info(rewriting->reader, &info);
	error = copy_make_id(rewriting->reader, &info, id);
	if (!error)
		error = wt_file_create(rewriting->path, &wt_io_system, &file);
	if (!error)
		error = wt_tape_create(
			&file, id, rewriting->options.compression,
			wt_reader_has_name_gaps(rewriting->reader) ? WT_FEATURE_NAME_GAPS : 0,
			false, &tape);
	if (error)
		return error;
	tape->target = rewriting->chunk_target;
	if (rewriting->pack)
		tape->wanted_size = info.file_size;
	error = rewriting_copy_all(rewriting, &info, tape);
	result->as_it_was = true;
	result->new_size = tape->end;
	result->packets = wt_tape_packets(tape);
	result->moments = tape->open.first_moment;
	result->calls = tape->open.first_call - 1;
	wt_tape_destroy(tape);
	return error;
}
