/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/reader/blobs.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/scan.h"
#include "trace-format/reader/summary.h"

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
	error = wt_reader_scan(reader);
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
