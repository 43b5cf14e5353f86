/* SPDX-License-Identifier: MIT */
/*
 * A trace written again: packet by packet, so that what it decompresses to stays the same; with texts of source files at its end;
 * some stops of it; or put together anew from what can be read of a damaged one. Into a file beside the one that was asked for,
 * which takes its place when all is written.
 */
#include "trace-format/rewrite/rewrite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blake2b.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "trace-format/container/tape-file.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/check.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/reader.h"
#include "trace-format/rewrite/extract.h"
#include "trace-format/state/blob.h"
#include "trace-format/writer/internal.h"

#define CANNOT_WRITE "cannot write the trace"
#define RECOVER_LEVEL 3
#define PACK_LEVEL 19
/* Larger chunks compress better, and one still takes only milliseconds to decompress. */
#define PACK_TARGET ((size_t)4 << 20)

struct rewriting {
	struct wt_reader *reader;
	const char *path; /* of the file that is written, before it is renamed */
	struct wt_rewrite_options options;
	size_t chunk_target;
	bool pack;			    /* the new file should be smaller */
	uint32_t first, last;		    /* stops to keep, from 1; 0: all */
	const struct wt_kept_source *texts; /* to add, in a whole trace only */
	size_t text_count;
	struct wt_stop_list *stops; /* of the trace that is read */
	struct wt_rewrite *result;
};

/* Report progress of the writing, which counts as the second half of the work; checking the trace is the first. */
static void rewriting_progress(const struct rewriting *rewriting, uint64_t done, uint64_t total)
{
	if (rewriting->options.progress && done <= total)
		rewriting->options.progress(rewriting->options.opaque, total + done, 2 * total);
}

/* ---- Texts of source files, added at the end of a trace that is copied ---- */

static struct wt_error *add_names(const struct rewriting *rewriting, struct wt_tape *tape,
				  uint32_t first)
{
	struct wt_buffer *packet;

	wt_tape_number_names(tape, first);
	packet = wt_tape_begin(tape, WT_PACKET_NAMES);
	wt_encode_number(packet, WT_FIELD_NAMES_FIRST, first);
	for (size_t i = 0; i < rewriting->text_count; i++)
		wt_encode_string(packet, WT_FIELD_NAMES_TEXT, rewriting->texts[i].name, true);
	return wt_tape_end(tape, (uint32_t)rewriting->text_count);
}

static struct wt_error *source_add_text(const struct wt_kept_source *text, uint32_t name,
					struct wt_tape *tape, struct wt_buffer *items)
{
	struct wt_buffer *packet;
	struct wt_error *error;
	size_t mark;

	packet = wt_tape_begin(tape, WT_PACKET_BLOB);
	wt_encode_number(packet, WT_FIELD_BLOB_ENCODING, WT_BLOB_PLAIN);
	wt_encode_bytes(packet, WT_FIELD_BLOB_DATA, text->data, text->size);
	error = wt_tape_end(tape, 0);
	if (error)
		return error;
	mark = wt_encode_begin(items, WT_FIELD_FACTS_ITEM);
	wt_encode_number(items, WT_FIELD_ITEM_TYPE, WT_ITEM_SOURCE);
	wt_encode_number(items, WT_FIELD_ITEM_KIND, name);
	wt_encode_number(items, WT_FIELD_ITEM_BLOB,
			 tape->chunk.fields.first_blob + tape->chunk.fields.blobs - 1);
	wt_encode_end(items, mark);
	return items->failed ? &wt_error_no_memory : NULL;
}

/* Write names, blobs and facts of the texts. */
static struct wt_error *rewriting_add_texts(const struct rewriting *rewriting, struct wt_tape *tape)
{
	uint32_t first = wt_reader_last_name(rewriting->reader) + 1;
	wt_cleanup_buffer struct wt_buffer items = {0};
	struct wt_error *error;
	struct wt_buffer *packet;

	if (!rewriting->text_count)
		return NULL;
	error = add_names(rewriting, tape, first);
	for (size_t i = 0; !error && i < rewriting->text_count; i++)
		error = source_add_text(&rewriting->texts[i], first + (uint32_t)i, tape, &items);
	if (error)
		return error;
	packet = wt_tape_begin(tape, WT_PACKET_FACTS);
	wt_buffer_append(packet, items.data, items.size);
	return wt_tape_end(tape, 0);
}

/* ---- Packet by packet ---- */

/* Derived from the Header as a writer does it, or random. */
static struct wt_error *copy_make_id(struct wt_reader *reader, const struct wt_trace_info *info,
				     uint8_t id[16])
{
	uint8_t key[WT_BLAKE2B_SIZE];
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
	wt_blake2b(chunk->raw + chunk->packets[0].offset, chunk->packets[0].size, key);
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

static struct wt_error *copy_chunk(const struct rewriting *rewriting, size_t position,
				   struct wt_tape *tape)
{
	struct wt_chunk *chunk;
	struct wt_error *error = wt_reader_chunk(rewriting->reader, position, &chunk);

	if (error)
		return error;
	for (size_t i = 0; !error && i < chunk->packet_count; i++) {
		if (chunk->packets[i].field == WT_PACKET_END)
			error = rewriting_add_texts(rewriting, tape);
		if (!error)
			error = tape_copy_packet(tape, chunk, &chunk->packets[i]);
	}
	wt_chunk_release(chunk);
	return error;
}

static struct wt_error *rewriting_copy_all(struct rewriting *rewriting,
					   const struct wt_trace_info *info, struct wt_tape *tape)
{
	struct wt_reader *reader = rewriting->reader;
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < wt_reader_chunk_count(reader); i++) {
		error = copy_chunk(rewriting, i, tape);
		rewriting_progress(rewriting, wt_reader_chunk_entry(reader, i)->offset,
				   info->file_size);
	}
	if (!error && !info->complete)
		error = wt_tape_notice(tape, WT_NOTICE_LOST, 0, wt_reader_damage(reader));
	if (!error && !info->complete)
		error = wt_tape_end_trace(tape, "recovered");
	tape->summary.has_stops = !rewriting->stops->broken;
	if (tape->summary.has_stops) {
		tape->summary.stops = rewriting->stops->encoded;
		rewriting->stops->encoded = (struct wt_buffer){0};
	}
	return error ? error : wt_tape_finish(tape, true);
}

/* Copy all packets as they are, and add a Notice and an End if there is no End. */
static struct wt_error *rewriting_copy(struct rewriting *rewriting)
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
	tape->packed = true;
	tape->chunk.target = rewriting->chunk_target;
	if (rewriting->pack)
		tape->summary.wanted_size = info.file_size;
	error = rewriting_copy_all(rewriting, &info, tape);
	result->as_it_was = true;
	result->new_size = tape->tail.end;
	result->packets = wt_tape_packets(tape);
	result->moments = tape->chunk.fields.first_moment;
	result->calls = tape->chunk.fields.first_call - 1;
	wt_tape_destroy(tape);
	return error;
}

/* ---- Some stops of a trace, as a trace ---- */

static void trim_tell_progress(void *opaque, uint64_t done, uint64_t total)
{
	rewriting_progress(opaque, done, total);
}

static const char *trim_end_reason(const struct rewriting *rewriting,
				   const struct wt_extract *extract,
				   const struct wt_trace_info *info)
{
	if (extract->last + 1 < wt_reader_moment_count(rewriting->reader))
		return WT_END_TRIMMED;
	return info->complete ? info->end_reason : "recovered";
}

static struct wt_error *write_part(struct rewriting *rewriting, struct wt_extract *extract)
{
	struct wt_rewrite *result = rewriting->result;
	struct wt_tape *tape = extract->rebuild.writer->tape;
	struct wt_error *error = NULL;

	if (!result->check.complete)
		error = wt_writer_notice(extract->rebuild.writer, WT_NOTICE_LOST, 0,
					 wt_reader_damage(rewriting->reader));
	if (!error)
		error = wt_extract_run(extract);
	result->moments = tape->chunk.fields.first_moment + tape->chunk.fields.moments;
	result->calls = tape->chunk.fields.first_call + tape->chunk.fields.calls - 1;
	result->packets = wt_tape_packets(tape) + 1;
	return error;
}

/* LIMIT if that takes more bytes than the whole trace. */
static struct wt_error *rewriting_trim(struct rewriting *rewriting)
{
	struct wt_extract extract = {.rebuild.reader = rewriting->reader,
				     .progress = trim_tell_progress,
				     .opaque = rewriting};
	struct wt_writer_options options;
	struct wt_writer *writer;
	struct wt_trace_info info;
	struct wt_error *error;

	error = wt_extract_plan(&extract, rewriting->first - 1, rewriting->last - 1);
	if (error)
		return error;
	wt_reader_info(rewriting->reader, &info);
	info.part = extract.part;
	options = wt_rebuild_options(rewriting->reader, &info, rewriting->options.compression);
	options.no_mapping = true;
	error = wt_writer_create(rewriting->path, &options, &writer);
	if (error)
		return error;
	extract.rebuild.writer = writer;
	writer->tape->packed = true;
	writer->tape->summary.wanted_size = info.file_size;
	writer->tape->chunk.target = rewriting->chunk_target;
	error = write_part(rewriting, &extract);
	if (error) {
		wt_writer_abandon(writer);
		return error;
	}
	writer->sync_every = 1;
	return wt_writer_close(writer, trim_end_reason(rewriting, &extract, &info));
}

/* ---- What can be read of a damaged trace ---- */

static struct wt_error *rebuild_take_journal(struct rewriting *rewriting,
					     struct wt_rebuild *rebuild)
{
	const struct wt_journal_record *record = NULL;
	uint64_t records = 0, total = rewriting->result->check.packets.count;
	struct wt_journal *journal;
	struct wt_error *error = wt_journal_open(rebuild->reader, &journal);

	while (!error) {
		error = wt_journal_next(journal, &record);
		if (!error && !record)
			break;
		if (wt_rebuild_is_loss(error)) {
			struct wt_error *told =
				wt_writer_notice(rebuild->writer, WT_NOTICE_LOST, 0, error->why);

			wt_error_destroy(error);
			error = told;
		} else if (!error) {
			error = wt_rebuild_record(rebuild, record);
		}
		rewriting_progress(rewriting, ++records, total);
	}
	wt_journal_close(journal);
	return error;
}

__attribute__((format(printf, 2, 3))) static struct wt_error *
rebuild_tell_lost(struct wt_rebuild *rebuild, const char *format, ...)
{
	wt_cleanup_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return &wt_error_no_memory;
	return wt_writer_notice(rebuild->writer, WT_NOTICE_LOST, 0, text);
}

/** Tells of losses, with a notice for each piece: a notice is one line. */
static struct wt_error *tell_damage(struct wt_rebuild *rebuild)
{
	uint64_t dropped = wt_reader_damage_dropped(rebuild->reader);
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < wt_reader_damage_count(rebuild->reader); i++)
		error = rebuild_tell_lost(rebuild,
					  "this trace was recovered from a damaged one: %s",
					  wt_reader_damage_at(rebuild->reader, i)->text);
	if (!error && dropped)
		error = rebuild_tell_lost(
			rebuild,
			"this trace was recovered from a damaged one: and %" PRIu64 " more",
			dropped);
	return error;
}

static struct wt_error *rebuild_take_all(struct rewriting *rewriting, struct wt_rebuild *rebuild)
{
	struct wt_error *error = wt_rebuild_names(rebuild);

	if (!error)
		error = wt_rebuild_facts(rebuild);
	if (!error)
		error = rebuild_take_journal(rewriting, rebuild);
	return error ? error : tell_damage(rebuild);
}

/* Write facts, moments and the journal as far as they can be read. */
static struct wt_error *rewriting_rebuild(struct rewriting *rewriting)
{
	struct wt_rebuild rebuild = {.reader = rewriting->reader};
	const struct wt_chunk_fields *open;
	struct wt_writer_options options;
	struct wt_trace_info info;
	struct wt_error *error;

	wt_reader_info(rewriting->reader, &info);
	options = wt_rebuild_options(rewriting->reader, &info, rewriting->options.compression);
	error = wt_writer_create(rewriting->path, &options, &rebuild.writer);
	if (error)
		return error;
	error = rebuild_take_all(rewriting, &rebuild);
	if (error) {
		wt_writer_abandon(rebuild.writer);
		return error;
	}
	open = &rebuild.writer->tape->chunk.fields;
	rewriting->result->moments = open->first_moment + open->moments;
	rewriting->result->calls = open->first_call + open->calls - 1;
	rewriting->result->packets = wt_tape_packets(rebuild.writer->tape) + 1;
	/* Stops were not synced one by one, but all of it is at the end. */
	rebuild.writer->sync_every = 1;
	return wt_writer_close(rebuild.writer, info.complete ? info.end_reason : "recovered");
}

/* ---- All of them ---- */

static void tell_check(void *opaque, uint64_t done, uint64_t total)
{
	const struct rewriting *rewriting = opaque;

	if (rewriting->options.progress)
		rewriting->options.progress(rewriting->options.opaque, done, 2 * total);
}

static struct wt_error *check_target(const struct wt_reader *reader, const char *path,
				     bool in_place)
{
	struct wt_error *error = wt_file_check_target(path, CANNOT_WRITE);
	struct stat source, target;

	if (!error)
		error = wt_reader_stat(reader, &source);
	if (error)
		return error;
	if (!in_place && !stat(path, &target) && source.st_dev == target.st_dev &&
	    source.st_ino == target.st_ino)
		return wt_error_create(WT_ERROR_USAGE, CANNOT_WRITE, path,
				       "it is the trace that is read; give another name");
	return NULL;
}

/* A name beside @path that nothing has. The file gets it when it is made, and not before it was told. */
static struct wt_error *name_beside(const char *path, char **beside_ret)
{
	wt_cleanup_free char *beside = NULL;
	struct stat status;
	uint32_t random;

	do {
		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return wt_error_errno(errno, CANNOT_WRITE, path);
		free(beside);
		if (asprintf(&beside, "%s.%08x", path, random) < 0) {
			beside = NULL;
			return &wt_error_no_memory;
		}
	} while (!lstat(beside, &status));
	*beside_ret = wt_take(beside);
	return NULL;
}

static void tell_making(const struct rewriting *rewriting, const char *path)
{
	if (rewriting->options.making)
		rewriting->options.making(rewriting->options.opaque, path);
}

/* May its packets be copied as they are? */
static bool is_gapless(const struct wt_reader *reader, const struct wt_check *check)
{
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	return !check->packets.lost && !check->moments.lost && !check->items_lost &&
	       !check->differs && info.has_header && wt_reader_chunk_count(reader) &&
	       (!check->loss || !check->complete);
}

/* Who packs or trims wants fewer bytes: what takes more is of no use. */
static struct wt_error *check_size(const struct rewriting *rewriting)
{
	unsigned long long old_size = rewriting->result->old_size;
	unsigned long long new_size = rewriting->result->new_size;

	if (new_size <= old_size)
		return NULL;
	if (rewriting->first)
		return wt_error_create(WT_ERROR_LIMIT, "cannot trim the trace",
				       wt_reader_path(rewriting->reader),
				       "these stops alone take more bytes (%llu) than all of it "
				       "(%llu); keep the whole trace",
				       new_size, old_size);
	return wt_error_create(
		WT_ERROR_LIMIT, "cannot pack the trace", wt_reader_path(rewriting->reader),
		"at level %d it takes more bytes (%llu) than now (%llu); take a higher "
		"level, or keep it as it is",
		rewriting->options.compression, new_size, old_size);
}

static struct wt_error *take_size(const char *path, uint64_t *size_ret)
{
	struct stat status;

	if (stat(path, &status))
		return wt_error_errno(errno, CANNOT_WRITE, path);
	*size_ret = (uint64_t)status.st_size;
	return NULL;
}

static bool say_instead(char **text, const char *other)
{
	char *copy = strdup(other);

	if (!copy)
		return false;
	free(*text);
	*text = copy;
	return true;
}

/* The name beside the target means nothing to whoever asked for the target. */
static struct wt_error *name_target(struct wt_error *error, const char *beside, const char *path)
{
	if (error != &wt_error_no_memory && !strcmp(error->where, beside) &&
	    say_instead(&error->what, CANNOT_WRITE))
		say_instead(&error->where, path);
	return error;
}

static struct wt_error *rewriting_check_source(struct rewriting *rewriting)
{
	const struct wt_check_options options = {
		.size = sizeof(options),
		.progress = tell_check,
		.opaque = rewriting,
		.stops = rewriting->stops,
	};
	struct wt_reader *reader = rewriting->reader;
	struct wt_check *check = &rewriting->result->check;
	struct wt_error *error = wt_reader_examine(reader, &options, check);

	if (error)
		return error;
	if (rewriting->pack && (check->loss || !is_gapless(reader, check)))
		return wt_error_create(
			WT_ERROR_INPUT,
			rewriting->first ? "cannot trim the trace" : "cannot pack the trace",
			wt_reader_path(reader), "%s; `wavetape recover` makes a whole one of %s",
			check->loss ? "something of it is lost"
				    : "its index and its chunks contradict each other",
			check->loss ? "what is left" : "it");
	if (rewriting->text_count &&
	    (check->loss || !check->complete || !is_gapless(reader, check)))
		return wt_error_create(
			WT_ERROR_INPUT, "cannot add source files", wt_reader_path(reader),
			"the trace is not whole; `wavetape recover` makes one of it");
	if (!wt_reader_chunk_count(reader))
		return wt_error_create(WT_ERROR_INPUT, "cannot recover the trace",
				       wt_reader_path(reader), "not one whole chunk is left of it");
	return NULL;
}

static struct wt_error *write_again(struct rewriting *rewriting)
{
	if (rewriting->first)
		return rewriting_trim(rewriting);
	return is_gapless(rewriting->reader, &rewriting->result->check)
		       ? rewriting_copy(rewriting)
		       : rewriting_rebuild(rewriting);
}

/* Into a file beside the target, which then takes its name. */
static struct wt_error *write_beside(struct rewriting *rewriting, const char *path)
{
	struct wt_rewrite *result = rewriting->result;
	wt_cleanup_free char *beside = NULL;
	struct wt_error *error = name_beside(path, &beside);

	if (error)
		return error;
	rewriting->path = beside;
	tell_making(rewriting, beside);
	/* To write it again is to read it again. */
	wt_reader_limit_work(rewriting->reader, wt_check_budget(result->old_size));
	error = write_again(rewriting);
	wt_reader_limit_work(rewriting->reader, 0);
	if (!error)
		error = take_size(beside, &result->new_size);
	if (!error && rewriting->pack)
		error = check_size(rewriting);
	if (!error && rename(beside, path))
		error = wt_error_errno(errno, CANNOT_WRITE, path);
	if (error)
		unlink(beside);
	tell_making(rewriting, NULL);
	return error ? name_target(error, beside, path) : NULL;
}

/* @rewriting: with what to do; the rest is filled in. */
static struct wt_error *rewrite(struct rewriting rewriting, const char *path,
				const struct wt_rewrite_options *options,
				struct wt_rewrite *rewrite_ret)
{
	struct wt_reader *reader = rewriting.reader;
	struct wt_stop_list stops = {0};
	struct wt_rewrite result = {0};
	struct wt_trace_info info;
	struct wt_error *error;

	rewriting.chunk_target = rewriting.pack ? PACK_TARGET : WT_CHUNK_TARGET;
	wt_reader_info(reader, &info);
	result.old_size = info.file_size;
	rewriting.result = &result;
	rewriting.stops = &stops;
	if (options)
		memcpy(&rewriting.options, options,
		       options->size < sizeof(*options) ? options->size : sizeof(*options));
	if (!rewriting.options.compression)
		rewriting.options.compression = rewriting.pack ? PACK_LEVEL : RECOVER_LEVEL;
	error = check_target(reader, path, rewriting.text_count);
	if (!error)
		error = rewriting_check_source(&rewriting);
	if (!error)
		error = write_beside(&rewriting, path);
	wt_stop_list_deinit(&stops);
	if (!error)
		*rewrite_ret = result;
	return error;
}

struct wt_error *wt_trace_recover(struct wt_reader *reader, const char *path,
				  const struct wt_rewrite_options *options,
				  struct wt_rewrite *rewrite_ret)
{
	return rewrite((struct rewriting){.reader = reader}, path, options, rewrite_ret);
}

struct wt_error *wt_trace_repack(struct wt_reader *reader, const char *path,
				 const struct wt_rewrite_options *options,
				 struct wt_rewrite *rewrite_ret)
{
	return rewrite((struct rewriting){.reader = reader, .pack = true}, path, options,
		       rewrite_ret);
}

struct wt_error *wt_trace_trim(struct wt_reader *reader, uint32_t first, uint32_t last,
			       const char *path, const struct wt_rewrite_options *options,
			       struct wt_rewrite *rewrite_ret)
{
	if (!first || first > last)
		return wt_error_create(
			WT_ERROR_USAGE, "cannot trim the trace", wt_reader_path(reader),
			"stops %u to %u are none: they are counted from 1", first, last);
	return rewrite(
		(struct rewriting){.reader = reader, .first = first, .last = last, .pack = true},
		path, options, rewrite_ret);
}

struct wt_error *wt_trace_add_sources(struct wt_reader *reader, const struct wt_kept_source *texts,
				      size_t count, const char *path,
				      const struct wt_rewrite_options *options,
				      struct wt_rewrite *rewrite_ret)
{
	return rewrite((struct rewriting){.reader = reader, .texts = texts, .text_count = count},
		       path, options, rewrite_ret);
}
