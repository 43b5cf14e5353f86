/* SPDX-License-Identifier: MIT */
#include "trace-format/container/tape-tail.h"
#include "base/blake2b.h"
#include "trace-format/writer/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "trace-format/message/encode.h"
#include "trace-format/writer/ahead.h"
#include "trace-format/writer/internal.h"

#define CANNOT_WRITE "cannot write the trace"
/* With less there is no memory for a second chunk. */
#define DEFER_MEMORY_MIN ((uint64_t)32 << 20)
/* Each thread that compresses needs a chunk, raw and compressed, and zstd's own memory. */
#define THREAD_MEMORY_MIN ((uint64_t)32 << 20)
/*
 * In a reproducible trace a chunk that another thread compresses gets into the file after so many flushes, so that
 * what a kill at some call leaves is the same each time, too.
 */
#define REPRODUCIBLE_LAG 1000u
/* Bytes of names in one packet, but for a longer one: a trace that is put together anew has all of them at once. */
#define NAMES_AT_ONCE ((size_t)1 << 20)
/* Bytes that a trace in memory reserves ahead. */
#define MEMORY_SPARE ((uint64_t)256 << 10)

struct wt_error *wt_writer_check(const struct wt_writer *writer)
{
	if (!writer->failed)
		return NULL;
	if (writer->failure_code == WT_ERROR_MEMORY)
		return &wt_error_no_memory;
	return wt_error_create(writer->failure_code, CANNOT_WRITE, writer->tape->file.path,
			       "the recording has ended: %s",
			       writer->failure ? writer->failure : "for want of memory");
}

/* Puts as many names as go into one packet, from @first on; @count_ret: how many they are. */
static struct wt_error *put_names(struct wt_writer *writer, uint32_t first, uint32_t *count_ret)
{
	const char *text = wt_names_text(&writer->names, first);
	struct wt_buffer *packet;
	uint32_t number = first;
	size_t size = 0;

	wt_tape_number_names(writer->tape, first);
	packet = wt_tape_begin(writer->tape, WT_PACKET_NAMES);
	wt_encode_number(packet, WT_FIELD_NAMES_FIRST, first);
	do {
		size += strlen(text);
		wt_encode_string(packet, WT_FIELD_NAMES_TEXT, text, true);
		text = wt_names_text(&writer->names, ++number);
	} while (text && size + strlen(text) <= NAMES_AT_ONCE);
	*count_ret = number - first;
	return wt_tape_end(writer->tape, number - first);
}

struct wt_error *wt_writer_flush_names(struct wt_writer *writer)
{
	struct wt_error *error = NULL;
	uint32_t first, count;

	if (writer->names_missing)
		return &wt_error_no_memory;
	while (!error && writer->names_written < writer->names.count) {
		first = wt_names_next(&writer->names, writer->names_written + 1);
		error = put_names(writer, first, &count);
		if (!error)
			writer->names_written = first + count - 1;
	}
	return error;
}

/*
 * Hands over the part of the final index that tells of the stops: once, also where it is tried again to finish the
 * trace.
 */
static void hand_over_stops(struct wt_writer *writer)
{
	if (writer->tape->summary.has_stops)
		return;
	wt_writer_list_stop(writer);
	writer->tape->summary.has_stops = !writer->listed.broken;
	if (!writer->listed.broken)
		writer->tape->summary.stops = writer->listed.encoded;
	else
		wt_buffer_deinit(&writer->listed.encoded);
	writer->listed.encoded = (struct wt_buffer){0};
}

struct wt_error *wt_tape_end_trace(struct wt_tape *tape, const char *reason)
{
	const struct wt_chunk_fields *open = &tape->chunk.fields;
	struct wt_buffer *packet = wt_tape_begin(tape, WT_PACKET_END);

	wt_encode_number(packet, WT_FIELD_END_PACKETS, wt_tape_packets(tape) + 1);
	wt_encode_number(packet, WT_FIELD_END_MOMENTS, open->first_moment + open->moments);
	wt_encode_number(packet, WT_FIELD_END_CALLS, open->first_call + open->calls - 1);
	wt_encode_string(packet, WT_FIELD_END_REASON, reason, false);
	return wt_tape_end(tape, 0);
}

static struct wt_error *writer_finish(struct wt_writer *writer, const char *reason)
{
	struct wt_error *error;

	hand_over_stops(writer);
	error = wt_tape_end_trace(writer->tape, reason);

	return error ? error : wt_tape_finish(writer->tape, writer->sync_every);
}

/* Why a writer that failed ends its trace. */
static const char *failure_reason(const struct wt_writer *writer, const struct wt_error *error)
{
	const struct wt_file *file = &writer->tape->file;

	if (error->code == WT_ERROR_LIMIT && file->over_limit)
		return WT_END_MAX_BYTES;
	if (error->code == WT_ERROR_LIMIT && writer->over_memory)
		return WT_END_MAX_MEMORY;
	if (error->code == WT_ERROR_IO && wt_file_is_full(file))
		return WT_END_DISK_FULL;
	return WT_END_WRITER_FAILED;
}

struct wt_error *wt_writer_result(struct wt_writer *writer, struct wt_error *error)
{
	enum wt_notice_kind kind = WT_NOTICE_LOST;
	struct wt_error *finished;
	const char *reason;

	if (!error || writer->failed)
		return error;
	reason = failure_reason(writer, error);
	if (!strcmp(reason, WT_END_MAX_BYTES) || !strcmp(reason, WT_END_MAX_MEMORY))
		kind = WT_NOTICE_NOT_TAKEN;
	writer->failed = true;
	writer->failure_code = error->code;
	writer->failure = error->why ? strdup(error->why) : NULL;
	/*
	 * The writer says what can still be said; if that fails too, the trace stays as a kill would leave it. A file
	 * that somebody cut stays as they left it.
	 */
	if (!writer->tape->file.cut) {
		wt_error_destroy(wt_tape_notice(writer->tape, kind, 0, error->why));
		finished = writer_finish(writer, reason);
		writer->ended = !finished;
		wt_error_destroy(finished);
	}
	wt_file_close_descriptor(&writer->tape->file);
	return error;
}

/* Options of a caller who knows fewer fields: the rest is as if they were zero. */
static struct wt_writer_options take_options(const struct wt_writer_options *options)
{
	struct wt_writer_options taken = {0};

	if (options)
		memcpy(&taken, options,
		       options->size < sizeof(taken) ? options->size : sizeof(taken));
	if (taken.reproducible)
		taken.process_id = taken.start_time = 0;
	return taken;
}

static void encode_header(struct wt_buffer *packet, const struct wt_writer_options *options)
{
	size_t mark;

	wt_encode_string(packet, WT_FIELD_HEADER_RECORDER, options->recorder, false);
	wt_encode_string(packet, WT_FIELD_HEADER_API_LEVEL, options->api_level, false);
	wt_encode_string(packet, WT_FIELD_HEADER_LIBRARY_VERSION, options->library_version, false);
	wt_encode_string(packet, WT_FIELD_HEADER_LIBRARY_BUILD_NAME, options->library_build_name,
			 false);
	wt_encode_number(packet, WT_FIELD_HEADER_START_TIME, options->start_time);
	wt_encode_number(packet, WT_FIELD_HEADER_REPRODUCIBLE, options->reproducible);
	for (const char *const *word = options->command_line; word && *word; word++)
		wt_encode_string(packet, WT_FIELD_HEADER_COMMAND_LINE, *word, true);
	wt_encode_number(packet, WT_FIELD_HEADER_PROCESS_ID, options->process_id);
	if (options->part) {
		mark = wt_encode_begin(packet, WT_FIELD_HEADER_PART);
		wt_encode_number(packet, WT_FIELD_PART_STOPS_BEFORE, options->part->stops_before);
		wt_encode_number(packet, WT_FIELD_PART_CALLS_BEFORE, options->part->calls_before);
		wt_encode_end(packet, mark);
	}
	wt_encode_string(packet, WT_FIELD_HEADER_OPTIONS, options->policy, false);
	wt_encode_number(packet, WT_FIELD_HEADER_REDACTED, options->redacted);
	wt_encode_string(packet, WT_FIELD_HEADER_CLIENT_LEVEL, options->client_level, false);
}

/* Random, or for a reproducible trace derived from what its header says. */
static struct wt_error *writer_make_id(const struct wt_writer_options *options, uint8_t id[16])
{
	wt_cleanup_buffer struct wt_buffer header = {0};
	uint8_t key[WT_BLAKE2B_SIZE];

	if (!options->reproducible) {
		if (getrandom(id, 16, 0) == 16)
			return NULL;
		return wt_error_errno(errno, "cannot create the trace", "random file id");
	}
	encode_header(&header, options);
	if (header.failed)
		return &wt_error_no_memory;
	wt_blake2b(header.data, header.size, key);
	memcpy(id, key, 16);
	return NULL;
}

/* Too small a budget is told as what it is, with how much would do. */
static struct wt_error *name_budget(struct wt_error *error, const char *path, uint64_t max_bytes)
{
	if (error->code != WT_ERROR_LIMIT || max_bytes >= WT_WRITER_BYTES_MIN)
		return error;
	wt_error_destroy(error);
	return wt_error_create(WT_ERROR_LIMIT, "cannot write the trace", path,
			       "the %llu bytes that it may have are too few to begin: it takes up "
			       "to %llu",
			       (unsigned long long)max_bytes,
			       (unsigned long long)WT_WRITER_BYTES_MIN);
}

static bool options_may_defer(const struct wt_writer_options *options)
{
	return !options->no_thread &&
	       (!options->max_memory || options->max_memory >= DEFER_MEMORY_MIN);
}

/* How many threads may compress the chunks of a stop at once. */
static unsigned int count_cores(const struct wt_writer_options *options)
{
	unsigned int cores = wt_worker_cores();

	cores = cores < WT_POOL_MAX ? cores : WT_POOL_MAX;
	if (options->max_memory && options->max_memory / THREAD_MEMORY_MIN < cores)
		cores = (unsigned int)(options->max_memory / THREAD_MEMORY_MIN);
	return cores;
}

/* The file and its name, where stops are to survive the machine. */
static struct wt_error *sync_file(struct wt_writer *writer)
{
	struct wt_error *error;

	if (!writer->sync_every)
		return NULL;
	error = wt_file_sync(&writer->tape->file);
	return error ? error : wt_file_sync_name(&writer->tape->file);
}

static struct wt_error *open_tape(struct wt_writer *writer, const char *path,
				  const struct wt_writer_options *options,
				  const struct wt_io_ops *ops)
{
	struct wt_file file = {.fd = -1};
	struct wt_buffer *packet;
	struct wt_error *error;
	uint8_t id[16];

	error = writer_make_id(options, id);
	if (!error)
		error = options->in_memory ? wt_file_create_in_memory(path, ops, &file)
					   : wt_file_create(path, ops, &file);
	if (error)
		return error;
	if (options->file_watch.created && !options->in_memory)
		options->file_watch.created(options->file_watch.opaque, path);
	file.limit = options->max_bytes;
	file.no_mapping = options->no_mapping;
	if (options->in_memory)
		file.spare = MEMORY_SPARE;
	else if (options->ring_stops)
		file.spare = wt_writer_ring_spare(&file);
	error = wt_tape_create(&file, id, options->compression ? options->compression : 1,
			       options->name_gaps ? WT_FEATURE_NAME_GAPS : 0,
			       options_may_defer(options), &writer->tape);
	if (error) {
		if (!options->in_memory)
			unlink(path);
		return name_budget(error, path, options->max_bytes);
	}
	writer->tape->workers.cores = count_cores(options);
	writer->tape->workers.lag = options->reproducible ? REPRODUCIBLE_LAG : 0;
	packet = wt_tape_begin(writer->tape, WT_PACKET_HEADER);
	encode_header(packet, options);
	error = wt_tape_end(writer->tape, 0);
	if (!error)
		error = wt_tape_flush(writer->tape);
	if (!error && !options->in_memory)
		error = sync_file(writer);
	if (!error)
		return NULL;
	if (!options->in_memory)
		unlink(path);
	return name_budget(error, path, options->max_bytes);
}

struct wt_error *wt_writer_create_with(const char *path, const struct wt_writer_options *options,
				       const struct wt_io_ops *ops, struct wt_writer **writer_ret)
{
	struct wt_writer_options taken = take_options(options);
	struct wt_writer *writer;
	struct wt_error *error;

	if (taken.in_memory && taken.ring_stops)
		return wt_error_create(WT_ERROR_USAGE, "cannot create the trace", path,
				       "a ring of stops needs a file");
	if (taken.ring_stops && !taken.turn_ring)
		return wt_error_create(WT_ERROR_USAGE, "cannot create the trace", path,
				       "a ring of stops needs `turn_ring`");
	writer = calloc(1, sizeof(*writer));
	if (!writer)
		return &wt_error_no_memory;
	writer->reproducible = taken.reproducible;
	writer->shares_items = taken.shares_items;
	writer->sync_every = taken.sync_every ? taken.sync_every : taken.sync_stops;
	writer->max_memory = taken.max_memory;
	writer->compression = taken.compression;
	writer->ring_stops = taken.ring_stops;
	writer->turn_ring = taken.turn_ring;
	writer->ring_watch = taken.ring_watch;
	writer->keyframe_interval = taken.keyframe_interval;
	writer->state = wt_state_create();
	error = writer->state ? NULL : &wt_error_no_memory;
	if (!error && taken.ring_stops)
		error = wt_writer_prepare_ring(writer, path);
	if (!error)
		error = open_tape(writer, path, &taken, ops);
	if (error) {
		wt_writer_abandon(writer);
		return error;
	}
	*writer_ret = writer;
	return NULL;
}

struct wt_error *wt_writer_create(const char *path, const struct wt_writer_options *options,
				  struct wt_writer **writer_ret)
{
	return wt_writer_create_with(path, options, &wt_io_system, writer_ret);
}

struct wt_error *wt_writer_move(struct wt_writer *writer, const char *path)
{
	struct wt_error *error = wt_writer_check(writer);

	if (!error)
		error = wt_tape_move(writer->tape, path);
	return error ? error : wt_writer_result(writer, sync_file(writer));
}

bool wt_writer_has_ended(const struct wt_writer *writer)
{
	return writer->ended;
}

void wt_writer_abandon(struct wt_writer *writer)
{
	if (!writer)
		return;
	/* First, for its thread uses what is released below. */
	wt_ahead_end(writer);
	wt_tape_destroy(writer->tape);
	wt_names_deinit(&writer->names);
	wt_blob_map_deinit(&writer->blobs);
	wt_state_destroy(writer->state);
	wt_stop_list_deinit(&writer->listed);
	free(writer->stop.events);
	wt_buffer_deinit(&writer->items);
	free(writer->failure);
	free(writer->ring_path);
	free(writer);
}

struct wt_error *wt_writer_close(struct wt_writer *writer, const char *reason)
{
	struct wt_error *error = wt_writer_check(writer);

	if (!error)
		error = wt_writer_result(writer, wt_writer_turn_ring(writer, true));
	if (!error)
		error = wt_writer_result(writer, writer_finish(writer, reason));
	wt_writer_abandon(writer);
	return error;
}

uint32_t wt_writer_name(struct wt_writer *writer, const char *text)
{
	uint32_t number = wt_names_find(&writer->names, text);

	if (number)
		return number;
	number = writer->names.count + 1;
	if (wt_names_set(&writer->names, number, text, strlen(text)))
		return number;
	writer->names_missing = true;
	return 0;
}

struct wt_error *wt_writer_notice(struct wt_writer *writer, enum wt_notice_kind kind, uint64_t call,
				  const char *text)
{
	struct wt_error *error = wt_writer_check(writer);

	if (error)
		return error;
	error = wt_tape_notice(writer->tape, kind, call, text);
	return wt_writer_result(writer, error ? error : wt_tape_flush(writer->tape));
}

uint64_t wt_writer_stored(const struct wt_writer *writer)
{
	return writer->tape->tail.end;
}

void wt_writer_sizes(const struct wt_writer *writer, uint64_t *stored_ret, uint64_t *raw_ret)
{
	*stored_ret = writer->tape->tail.end;
	*raw_ret = writer->tape->chunk.raw_before + writer->tape->chunk.raw.size;
}
