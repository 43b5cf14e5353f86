/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/blobs.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/chunk-places.h"
#include "trace-format/reader/head.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/summary.h"

/*
 * Finding the chunks of a file: by its footer and final index when it was closed and they are
 * whole, else by walking from head to head and looking for the next one where something is damaged.
 */

#define KNOWN_FEATURES                                                                             \
	(WT_FEATURE_CHANGES | WT_FEATURE_NAME_GAPS | WT_FEATURE_ROWS | WT_FEATURE_ITEM_TYPES)

static void reader_identify(struct wt_reader *reader, const struct wt_file_fields *identity)
{
	reader->file.identity = *identity;
	reader->file.id = wt_file_id_low(identity->id);
	reader->file.identity_known = true;
	reader->places.name_gaps = identity->required & WT_FEATURE_NAME_GAPS;
}

static struct wt_error *check_identity(const struct wt_reader *reader)
{
	uint64_t unknown = reader->file.identity.required & ~KNOWN_FEATURES;

	if (reader->file.identity.major > WT_FORMAT_MAJOR)
		return wt_reader_newer(reader);
	if (unknown)
		return wt_reader_error(reader, WT_ERROR_UNSUPPORTED,
				       "the trace needs features this version does not have (mask "
				       "0x%llx); use a newer wavetape",
				       (unsigned long long)unknown);
	return NULL;
}

/* The way in for a whole file: footer, final index. */
static struct wt_error *scan_from_footer(struct wt_reader *reader, const struct wt_block *footer,
					 bool *fine_ret)
{
	const struct wt_footer_fields *fields = &footer->footer;
	struct wt_block block;
	struct wt_error *error;
	bool found;

	*fine_ret = false;
	error = wt_reader_read_head(reader, fields->final_offset, &block, &found);
	if (error || !found || block.kind != WT_BLOCK_FINAL ||
	    block.stored != fields->final_stored || !wt_reader_fits(reader, &block) ||
	    block.offset + WT_BLOCK_SIZE + block.stored != footer->offset)
		return error;
	return wt_places_use_index(reader, &block, WT_INDEX_ALL, fine_ret);
}

static void note_cut_off(struct wt_reader *reader, const struct wt_block *block)
{
	const struct wt_run run = wt_run_of(&block->chunk);
	char lost[WT_LOST_TEXT_SIZE];

	wt_reader_note(reader, block->offset, reader->file.size - block->offset, true,
		       "chunk %llu at offset %llu is cut off by the end of the file: %s",
		       (unsigned long long)block->sequence, (unsigned long long)block->offset,
		       wt_run_lost(&run, lost));
}

/* A chunk that was found on a walk. */
static struct wt_error *walk_chunk(struct wt_reader *reader, const struct wt_block *block)
{
	struct wt_index_entry entry = wt_index_entry_of(block);
	struct wt_error *error;
	bool added;

	if (!wt_reader_fits(reader, block)) {
		note_cut_off(reader, block);
		return NULL;
	}
	error = wt_places_add(reader, &entry, &added);
	if (!error && !added)
		wt_reader_note(reader, block->offset, WT_BLOCK_SIZE + block->stored, true,
			       "the head of chunk %llu at offset %llu does not follow from those "
			       "before it",
			       (unsigned long long)block->sequence,
			       (unsigned long long)block->offset);
	return error;
}

/* ---- The stage that a killed recording leaves of its open chunk (FORMAT.md, "While it is written") ---- */

/* How many bytes of @raw are whole packets. */
static size_t whole_packets(const uint8_t *raw, size_t size)
{
	struct wt_cursor cursor = wt_cursor_init(raw, size);

	while (wt_chunk_skip_packet(&cursor))
		;
	return size - cursor.remaining;
}

/* The packets in a stage's entries, in one piece. */
static struct wt_error *read_stage(struct wt_reader *reader, const struct wt_block *stage,
				   uint8_t **raw_ret, size_t *size_ret)
{
	uint64_t left = reader->file.size - stage->offset - WT_BLOCK_SIZE, offset = 0;
	wt_cleanup_free uint8_t *payload = NULL;
	struct wt_cursor cursor;
	struct wt_error *error;
	size_t size, used = 0;

	left = stage->stored < left ? stage->stored : left;
	size = left < WT_LIMIT_RAW ? (size_t)left : WT_LIMIT_RAW;
	error = wt_reader_spend(reader, size);
	if (error)
		return error;
	payload = malloc(size + 1);
	if (!payload)
		return &wt_error_no_memory;
	error = wt_reader_read(reader, stage->offset + WT_BLOCK_SIZE, payload, size);
	if (error)
		return error;
	cursor = wt_cursor_init(payload, size);
	for (;;) {
		uint32_t length, crc;
		const uint8_t *data;

		if (!wt_cursor_u32(&cursor, &length) || !wt_cursor_u32(&cursor, &crc) || !length ||
		    !wt_cursor_take(&cursor, length, &data) ||
		    wt_stage_crc(stage->sequence, offset, data, length) != crc)
			break;
		memmove(payload + used, data, length);
		used += length;
		offset += WT_STAGE_ENTRY_HEAD + length;
	}
	*size_ret = whole_packets(payload, used);
	*raw_ret = wt_take(payload);
	return NULL;
}

/* A stage becomes a place like that of a chunk, if it follows from what is there. */
static struct wt_error *recover_stage(struct wt_reader *reader, const struct wt_block *stage)
{
	struct wt_index_entry entry = {
		.offset = stage->offset,
		.sequence = stage->sequence,
		.chunk = stage->chunk,
		.kind = WT_BLOCK_CHUNK,
	};
	struct wt_chunk *chunk;
	struct wt_error *error;
	uint8_t *raw;
	size_t size;
	bool added;

	const struct wt_place *last =
		reader->places.count ? &reader->places.at[reader->places.count - 1] : NULL;

	/* There is one that counts; another may still stand behind it. */
	if (last && (last->recovered || stage->sequence <= last->entry.sequence))
		return NULL;
	error = read_stage(reader, stage, &raw, &size);
	if (error)
		return error;
	error = wt_chunk_create(raw, size, &chunk);
	if (error)
		return error;
	/* The numbers of the chunk that it would have become. */
	if (!wt_chunk_count(chunk, reader->places.name_gaps, &entry.chunk)) {
		wt_chunk_release(chunk);
		return NULL;
	}
	error = wt_places_add(reader, &entry, &added);
	if (error || !added) {
		wt_chunk_release(chunk);
		return error;
	}
	reader->places.at[reader->places.count - 1].recovered = chunk;
	return NULL;
}

/*
 * Add the packets of a stage as a chunk after the known ones, unless they are in chunks already or do not follow them. If the
 * block after it is a stage with a lower sequence, that one is tried first, and only one of the two is added: while a chunk is put
 * into its place the one holds all packets, and the other one those behind that chunk.
 */
static struct wt_error *scan_stage(struct wt_reader *reader, const struct wt_block *stage)
{
	uint64_t behind = stage->offset + WT_BLOCK_SIZE + stage->stored;
	struct wt_block second;
	struct wt_error *error = NULL;
	bool found = false;

	if (wt_reader_fits(reader, stage) && reader->file.size - behind >= WT_BLOCK_SIZE)
		error = wt_reader_read_head(reader, behind, &second, &found);
	if (!error && found && second.kind == WT_BLOCK_STAGE && second.sequence < stage->sequence)
		error = recover_stage(reader, &second);
	return error ? error : recover_stage(reader, stage);
}

/* ---- Blocks from head to head ---- */

static struct wt_error *walk_block(struct wt_reader *reader, const struct wt_block *block)
{
	struct wt_error *error;
	bool fine = true;

	switch (block->kind) {
	case WT_BLOCK_CHUNK:
		return walk_chunk(reader, block);
	case WT_BLOCK_STAGE:
		return scan_stage(reader, block);
	case WT_BLOCK_INDEX:
	case WT_BLOCK_FINAL:
		if (!wt_reader_fits(reader, block))
			return NULL;
		error = wt_places_use_index(reader, block, WT_INDEX_MORE, &fine);
		if (!error && !fine)
			wt_reader_note(reader, block->offset, WT_BLOCK_SIZE + block->stored, false,
				       "the index at offset %llu is damaged",
				       (unsigned long long)block->offset);
		return error;
	case WT_BLOCK_FOOTER:
		reader->places.footer_end = block->offset + WT_BLOCK_SIZE;
		return NULL;
	case WT_BLOCK_FILE:
	case WT_BLOCK_GAP:
		return NULL;
	default:
		return wt_places_unknown_kind(reader, block->kind, block->flags, block->offset);
	}
}

/* From head to head; where there is none, to the next one. */
static struct wt_error *reader_walk_heads(struct wt_reader *reader, uint64_t offset)
{
	uint64_t next;
	struct wt_block block;
	struct wt_error *error;
	bool found;

	while (reader->file.size - offset >= WT_BLOCK_SIZE) {
		error = wt_reader_read_head(reader, offset, &block, &found);
		if (error)
			return error;
		if (found) {
			error = walk_block(reader, &block);
			if (error || !wt_reader_fits(reader, &block))
				return error;
			offset += WT_BLOCK_SIZE + block.stored;
			continue;
		}
		error = wt_reader_search_head(reader, offset + WT_BLOCK_SIZE, reader->file.size,
					      &next);
		if (error)
			return error;
		wt_reader_note(reader, offset, next - offset, false,
			       "there is no head of a block at offset %llu; %llu bytes were "
			       "skipped",
			       (unsigned long long)offset, (unsigned long long)(next - offset));
		offset = next;
	}
	return NULL;
}

/* All index blocks up to the one at @offset, oldest last. Each names the one before it. */
static struct wt_error *chain_indexes(struct wt_reader *reader, uint64_t offset,
				      struct wt_buffer *chain, bool *fine_ret)
{
	struct wt_error *error;
	struct wt_block block;
	bool found;

	*fine_ret = false;
	while (offset) {
		wt_buffer_append_u64(chain, offset);
		error = wt_reader_read_head(reader, offset, &block, &found);
		if (error)
			return error;
		if (!found || block.kind != WT_BLOCK_INDEX || !wt_reader_fits(reader, &block) ||
		    block.index >= offset)
			return NULL;
		offset = block.index;
	}
	*fine_ret = !chain->failed;
	return NULL;
}

/*
 * The chunks that index blocks in the stream tell of, so that a torn file need not be walked from
 * its start. @offset_ret: where to walk from. If one of the blocks is damaged that is the start.
 */
static struct wt_error *use_indexes(struct wt_reader *reader, uint64_t *offset_ret)
{
	wt_cleanup_buffer struct wt_buffer chain = {0};
	struct wt_block block;
	struct wt_error *error;
	uint64_t offset;
	bool fine = true;

	*offset_ret = WT_BLOCK_SIZE;
	error = wt_reader_newest_index(reader, &offset);
	if (!error && offset)
		error = chain_indexes(reader, offset, &chain, &fine);
	while (!error && fine && chain.size) {
		struct wt_cursor last;

		chain.size -= sizeof(offset);
		last = wt_cursor_init(chain.data + chain.size, sizeof(offset));
		if (!wt_cursor_u64(&last, &offset))
			break;
		error = wt_reader_read_head(reader, offset, &block, &fine);
		if (!error && fine)
			error = wt_places_use_index(reader, &block, WT_INDEX_NEXT, &fine);
		if (!error && fine)
			*offset_ret = offset + WT_BLOCK_SIZE + block.stored;
	}
	if (!error && !fine) {
		wt_places_forget(reader);
		*offset_ret = WT_BLOCK_SIZE;
	}
	return error;
}

/* Behind the highest number that a name of a chunk can have. */
static uint64_t names_end(const struct wt_reader *reader, size_t place)
{
	const struct wt_chunk_fields *fields = &reader->places.at[place].entry.chunk;

	if (!reader->places.name_gaps)
		return (uint64_t)fields->first_name + fields->names;
	if (place + 1 < reader->places.count)
		return reader->places.at[place + 1].entry.chunk.first_name;
	return UINT64_MAX;
}

/* Are the names of a chunk known? No two chunks have the same, so that all this costs is what there are. */
static bool knows_names(const struct wt_reader *reader, size_t place)
{
	const struct wt_chunk_fields *fields = &reader->places.at[place].entry.chunk;
	uint64_t end = names_end(reader, place);
	uint32_t known = 0;

	for (uint64_t i = fields->first_name; i < end && i <= reader->repeated.names.count; i++)
		known += wt_names_text(&reader->repeated.names, (uint32_t)i) != NULL;
	return fields->names && known >= fields->names;
}

/* Does a chunk tell of names, Header or End that are not known yet? */
static bool chunk_is_needed(const struct wt_reader *reader, size_t place)
{
	uint32_t has = reader->places.at[place].entry.chunk.contents;

	return (has & wt_packet_content(WT_PACKET_HEADER) && !reader->repeated.header) ||
	       (has & wt_packet_content(WT_PACKET_END) && !reader->repeated.end) ||
	       (has & wt_packet_content(WT_PACKET_NAMES) && !knows_names(reader, place));
}

/* Names, Header and End from the chunks, where no index repeats them. */
static struct wt_error *take_from_chunks(struct wt_reader *reader)
{
	for (size_t i = 0; i < reader->places.count; i++) {
		struct wt_chunk *chunk;
		struct wt_error *error;

		if (!chunk_is_needed(reader, i))
			continue;
		error = wt_reader_load(reader, i, &chunk);
		if (!error) {
			error = wt_reader_take_packets(reader, chunk);
			wt_chunk_release(chunk);
		}
		if (error && error->code != WT_ERROR_INPUT)
			return error;
		/* A damaged chunk has been noted: what others hold is taken all the same. */
		wt_error_destroy(error);
	}
	return NULL;
}

static struct wt_run run_between(const struct wt_chunk_fields *before,
				 const struct wt_chunk_fields *after)
{
	struct wt_run run = {
		.first_packet = before->first_packet + before->packets,
		.first_moment = (uint64_t)before->first_moment + before->moments,
		.first_call = before->first_call + before->calls,
	};

	run.packets = after->first_packet - run.first_packet;
	run.moments = after->first_moment - run.first_moment;
	run.calls = after->first_call - run.first_call;
	return run;
}

static void note_gaps(struct wt_reader *reader)
{
	struct wt_chunk_fields start = {.first_call = 1, .first_blob = 1, .first_name = 1};

	for (size_t i = 0; i < reader->places.count; i++) {
		const struct wt_chunk_fields *next = &reader->places.at[i].entry.chunk;
		const struct wt_run run = run_between(&start, next);
		char lost[WT_LOST_TEXT_SIZE];

		if (run.packets)
			wt_reader_note(reader, WT_NO_OFFSET, 0, true, "%s",
				       wt_run_lost(&run, lost));
		start = *next;
	}
}

/* Notes what every trace has that was closed, and is missing; the rest can be read without it. */
static void note_missing(struct wt_reader *reader, bool closed)
{
	if (!reader->repeated.header)
		wt_reader_note(reader, WT_NO_OFFSET, 0, true,
			       "there is no Header: what was recorded, and by what, is not known");
	if (!reader->repeated.end && closed)
		wt_reader_note(reader, WT_NO_OFFSET, 0, true,
			       "there is no End, although the file was closed: why the recording "
			       "ended is not known");
}

/* Footer and final index are whole. They repeat names, Header and End; if not, the chunks may have them. */
static struct wt_error *finish_closed(struct wt_reader *reader)
{
	struct wt_error *error = take_from_chunks(reader);

	if (error)
		return error;
	note_gaps(reader);
	note_missing(reader, true);
	return NULL;
}

/* A file with an End, of which the footer led to nothing. */
static void note_footer(struct wt_reader *reader)
{
	uint64_t rest = reader->file.size - reader->places.footer_end;

	if (reader->places.footer_end && rest)
		wt_reader_note(reader, reader->places.footer_end, rest, false,
			       "%llu %s the footer; the chunks were found by walking the "
			       "file",
			       (unsigned long long)rest,
			       wt_plural(rest, "byte follows", "bytes follow"));
	else
		wt_reader_note(reader, WT_NO_OFFSET, 0, false,
			       "the footer or the final index is damaged; the chunks were "
			       "found by walking the file");
}

static struct wt_error *scan_torn(struct wt_reader *reader)
{
	const struct wt_place *last;
	struct wt_error *error;
	uint64_t offset;

	wt_places_forget(reader);
	error = use_indexes(reader, &offset);
	if (!error)
		error = reader_walk_heads(reader, offset);
	if (!error)
		error = take_from_chunks(reader);
	if (error)
		return error;
	note_gaps(reader);
	if (reader->places.count)
		note_missing(reader, false);
	last = reader->places.count ? &reader->places.at[reader->places.count - 1] : NULL;
	if (reader->repeated.end)
		note_footer(reader);
	else if (last && last->recovered)
		wt_reader_note(reader, last->entry.offset, 0, true,
			       "the recording was not closed; its last %u %s recovered from the "
			       "open chunk at offset %llu",
			       last->entry.chunk.packets,
			       wt_plural(last->entry.chunk.packets, "packet was", "packets were"),
			       (unsigned long long)last->entry.offset);
	else
		wt_reader_note(reader, reader->file.size, 0, true,
			       "the recording was not closed, or its end is lost");
	return NULL;
}

#define BYTES(literal) (const uint8_t *)literal, sizeof(literal) - 1

/* Files that are not traces, by their first bytes, and what can be done with them. */
static const struct kind {
	const uint8_t *magic;
	size_t size;
	const char *text;
} kinds[] = {
	{BYTES("\x1f\x8b"), "it is a gzip file: unpack it first"},
	{BYTES("BZh"), "it is a bzip2 file: unpack it first"},
	{BYTES("\xfd"
	       "7zXZ"),
	 "it is an xz file: unpack it first"},
	{BYTES("PK\x03\x04"), "it is a zip file: unpack it first"},
	{BYTES("\x28\xb5\x2f\xfd"), "it is a zstd file of something else"},
	{BYTES("\x7f"
	       "ELF"),
	 "it is an ELF file; `wavetape record --core` makes a trace of a GPU core file"},
};

/* A text that ends a sentence; NULL if the bytes match no known kind. */
static const char *foreign_kind(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (size >= kinds[i].size && !memcmp(bytes, kinds[i].magic, kinds[i].size))
			return kinds[i].text;
	return NULL;
}

/* The error for a file that is no trace. If its first bytes tell what it is, the error says that. */
static struct wt_error *not_a_trace(struct wt_reader *reader)
{
	uint8_t bytes[16];
	size_t size = reader->file.size < sizeof(bytes) ? (size_t)reader->file.size : sizeof(bytes);
	struct wt_error *error = wt_reader_read(reader, 0, bytes, size);
	const char *kind;

	if (error)
		return error;
	kind = foreign_kind(bytes, size);
	if (!reader->file.size)
		kind = "it is empty";
	if (kind)
		return wt_reader_error(reader, WT_ERROR_INPUT, "it is not a wavetape trace: %s",
				       kind);
	if (reader->file.size < WT_BLOCK_SIZE)
		return wt_reader_error(reader, WT_ERROR_INPUT,
				       "it is not a wavetape trace: it has only %llu %s",
				       (unsigned long long)reader->file.size,
				       wt_plural(reader->file.size, "byte", "bytes"));
	return wt_reader_error(reader, WT_ERROR_INPUT, "it is not a wavetape trace");
}

/* A file without a whole head at its start: is it ours at all? */
static struct wt_error *find_identity(struct wt_reader *reader, const struct wt_block *footer,
				      bool have_footer)
{
	uint64_t limit = reader->file.size < WT_SEARCH_LIMIT ? reader->file.size : WT_SEARCH_LIMIT,
		 offset;
	struct wt_block block;
	struct wt_error *error;
	bool found;

	if (have_footer) {
		reader_identify(reader, &footer->footer.file);
	} else {
		error = wt_reader_search_head(reader, 0, limit - limit % WT_BLOCK_SIZE, &offset);
		if (error)
			return error;
		error = wt_reader_read_head(reader, offset, &block, &found);
		if (error)
			return error;
		if (!found)
			return not_a_trace(reader);
		reader->file.id = block.file_id;
		reader->file.identity_known = true;
		/* The identity's other words are lost: any feature may be there. */
		reader->places.name_gaps = true;
	}
	wt_reader_note(reader, 0, WT_BLOCK_SIZE, false, "the head of the file is damaged");
	return NULL;
}

/* Fill identity, places, names, header and end from the file. */
static struct wt_error *reader_scan(struct wt_reader *reader)
{
	struct wt_block head, footer = {0};
	bool have_head = false, have_footer = false, fine = false;
	struct wt_error *error;

	if (reader->file.size < WT_BLOCK_SIZE)
		return not_a_trace(reader);
	error = wt_reader_read_head(reader, 0, &head, &have_head);
	have_head = have_head && head.kind == WT_BLOCK_FILE;
	if (!error && have_head)
		reader_identify(reader, &head.file);
	if (!error && reader->file.size % WT_BLOCK_SIZE == 0)
		error = wt_reader_read_head(reader, reader->file.size - WT_BLOCK_SIZE, &footer,
					    &have_footer);
	have_footer = have_footer && footer.kind == WT_BLOCK_FOOTER;
	if (!error && !have_head)
		error = find_identity(reader, &footer, have_footer);
	if (!error)
		error = check_identity(reader);
	if (!error && have_footer)
		error = scan_from_footer(reader, &footer, &fine);
	if (error)
		return error;
	reader->places.closed = fine;
	return fine ? finish_closed(reader) : scan_torn(reader);
}

static struct wt_error *reader_open_file(struct wt_reader *reader, const char *path)
{
	struct stat status;

	reader->file.path = strdup(path);
	if (!reader->file.path)
		return &wt_error_no_memory;
	/* Opening a pipe must not wait for somebody to write to it. */
	reader->file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->file.fd < 0 || fstat(reader->file.fd, &status))
		return wt_error_errno(errno, "cannot read the trace", path);
	if (S_ISDIR(status.st_mode))
		return wt_reader_error(reader, WT_ERROR_INPUT, "it is a directory");
	if (!S_ISREG(status.st_mode))
		return wt_reader_error(reader, WT_ERROR_INPUT, "it is not a regular file");
	reader->file.size = (uint64_t)status.st_size;
	return NULL;
}

static struct wt_error *take_command_line(struct wt_reader *reader)
{
	const struct wt_packed_header *header = reader->repeated.header;
	size_t count = header ? header->command_line.count : 0;

	reader->repeated.command_line = calloc(count + 1, sizeof(*reader->repeated.command_line));
	if (!reader->repeated.command_line)
		return &wt_error_no_memory;
	if (count)
		memcpy(reader->repeated.command_line, header->command_line.elements,
		       count * sizeof(*reader->repeated.command_line));
	return NULL;
}

static struct wt_error *reader_prepare(struct wt_reader *reader, const char *path, uint64_t length)
{
	struct wt_error *error = reader_open_file(reader, path);

	if (error)
		return error;
	if (length && length < reader->file.size)
		reader->file.size = length;
	error = reader_scan(reader);
	return error ? error : take_command_line(reader);
}

/* Chunks get two thirds, as they do without a limit. */
static void limit_caches(struct wt_reader *reader, uint64_t limit)
{
	uint64_t blobs = limit / 3, chunks = limit - blobs;

	if (chunks < reader->chunks.limit)
		reader->chunks.limit = (size_t)chunks;
	if (blobs < reader->blobs.limit)
		reader->blobs.limit = (size_t)blobs;
}

/* @reader_ret: also after an error the caller's; NULL if there was no memory for it. */
static struct wt_error *reader_create(const char *path, const struct wt_reader_options *options,
				      struct wt_reader **reader_ret)
{
	struct wt_reader *reader = calloc(1, sizeof(*reader));

	*reader_ret = reader;
	if (!reader)
		return &wt_error_no_memory;
	reader->file.fd = -1;
	TAILQ_INIT(&reader->chunks.recent);
	reader->chunks.limit = options->small_caches ? WT_CHUNK_CACHE / 12 : WT_CHUNK_CACHE;
	reader->blobs.limit = options->small_caches ? WT_BLOB_CACHE / 8 : WT_BLOB_CACHE;
	if (options->cache_limit)
		limit_caches(reader, options->cache_limit);
	reader->blobs.count = options->small_caches ? WT_BLOB_SLOTS / 8 : WT_BLOB_SLOTS;
	reader->budget.one_call =
		options->decode_budget ? options->decode_budget : WT_BUDGET_DEFAULT;
	return reader_prepare(reader, path, options->length);
}

bool wt_reader_is_outdated(const struct wt_reader *reader)
{
	return reader->file.outdated;
}

struct wt_error *wt_reader_open_with(const char *path, const struct wt_reader_options *options,
				     struct wt_reader **reader_ret)
{
	struct wt_reader_options taken = {0};
	struct wt_reader *reader;
	struct wt_error *error;

	if (options)
		memcpy(&taken, options,
		       options->size < sizeof(taken) ? options->size : sizeof(taken));
	error = reader_create(path, &taken, &reader);
	if (error && reader && reader->file.outdated) {
		wt_error_destroy(error);
		wt_reader_close(reader);
		error = reader_create(path, &taken, &reader);
	}
	if (error) {
		wt_reader_close(reader);
		return error;
	}
	*reader_ret = reader;
	return NULL;
}

struct wt_error *wt_reader_open(const char *path, struct wt_reader **reader_ret)
{
	return wt_reader_open_with(path, NULL, reader_ret);
}

static void free_places(struct wt_reader *reader)
{
	for (size_t i = 0; i < reader->places.count; i++) {
		wt_chunk_release(reader->places.at[i].recovered);
		free(reader->places.at[i].moments);
	}
	free(reader->places.at);
	free(reader->places.parity);
}

void wt_reader_close(struct wt_reader *reader)
{
	if (!reader)
		return;
	wt_reader_drop_chunks(reader);
	wt_reader_drop_blobs(reader);
	free(reader->blobs.slots);
	free_places(reader);
	wt_state_destroy(reader->states.facts);
	wt_state_destroy(reader->states.last);
	wt_reader_drop_notes(reader);
	wt_summary_deinit(&reader->summary);
	wt_names_deinit(&reader->repeated.names);
	wt_arena_deinit(&reader->memory.lasting);
	wt_arena_deinit(&reader->memory.scratch);
	wt_arena_deinit(&reader->memory.item);
	wt_arena_deinit(&reader->memory.deferred);
	free(reader->repeated.command_line);
	ZSTD_freeDCtx(reader->chunks.zstd);
	if (reader->file.fd >= 0)
		close(reader->file.fd);
	free(reader->file.path);
	free(reader);
}

static const struct wt_chunk_fields *last_fields(const struct wt_reader *reader)
{
	static const struct wt_chunk_fields none = {.first_call = 1};

	return reader->places.count ? &reader->places.at[reader->places.count - 1].entry.chunk
				    : &none;
}

/* Reasons with which a writer ends a trace of a session that goes on. */
static bool ended_early(const char *reason)
{
	static const char *const reasons[] = {WT_END_DISK_FULL,	 WT_END_WRITER_FAILED,
					      WT_END_MAX_BYTES,	 WT_END_MAX_MEMORY,
					      WT_END_DISK_SPENT, WT_END_RECORDER_FAILED};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!strcmp(reason, reasons[i]))
			return true;
	return false;
}

void wt_reader_info(const struct wt_reader *reader, struct wt_trace_info *info_ret)
{
	const struct wt_packed_header *header = reader->repeated.header;
	const struct wt_chunk_fields *last = last_fields(reader);
	struct wt_trace_info info = {
		.recorder = header ? header->recorder : "",
		.api_level = header ? header->api_level : "",
		.library_version = header ? header->library_version : "",
		.library_build_name = header ? header->library_build_name : "",
		.command_line = reader->repeated.command_line,
		.start_time = header ? header->start_time : 0,
		.process_id = header ? header->process_id : 0,
		.reproducible = header && header->reproducible,
		.policy = header ? header->options : "",
		.redacted = header && header->redacted,
		.client_level = header ? header->client_level : "",
		.has_header = header,
		.complete = reader->repeated.end,
		.end_reason = reader->repeated.end ? reader->repeated.end->reason : NULL,
		.cut = reader->repeated.end && ended_early(reader->repeated.end->reason),
		.file_size = reader->file.size,
		.packets = last->first_packet + last->packets,
		.calls = last->first_call + last->calls - 1,
	};

	if (header && header->part)
		info.part =
			(struct wt_part){header->part->stops_before, header->part->calls_before};
	for (size_t i = 0; i < reader->places.count; i++)
		info.raw_size += reader->places.at[i].entry.chunk.raw;
	memcpy(info.file_id, reader->file.identity.id, sizeof(info.file_id));
	*info_ret = info;
}

uint32_t wt_reader_last_name(const struct wt_reader *reader)
{
	return reader->repeated.names.count;
}

bool wt_reader_has_name_gaps(const struct wt_reader *reader)
{
	return reader->repeated.names.known < reader->repeated.names.count;
}

const char *wt_reader_name(const struct wt_reader *reader, uint32_t number)
{
	return wt_names_text(&reader->repeated.names, number);
}

uint32_t wt_reader_name_number(const struct wt_reader *reader, const char *text)
{
	return wt_names_find(&reader->repeated.names, text);
}

const char *wt_reader_path(const struct wt_reader *reader)
{
	return reader->file.path;
}

struct wt_error *wt_reader_stat(const struct wt_reader *reader, struct stat *status_ret)
{
	if (fstat(reader->file.fd, status_ret))
		return wt_error_errno(errno, "cannot read the trace", reader->file.path);
	return NULL;
}

struct wt_error *wt_reader_check(struct wt_reader *reader)
{
	for (size_t i = 0; i < reader->places.count; i++) {
		struct wt_chunk *chunk;
		struct wt_error *error;

		reader->budget.spent = 0;
		error = wt_reader_load(reader, i, &chunk);
		if (!error)
			wt_chunk_release(chunk);
		if (error && error->code != WT_ERROR_INPUT)
			return error;
		wt_error_destroy(error);
	}
	return NULL;
}
