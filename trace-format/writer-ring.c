/* SPDX-License-Identifier: MIT */
/*
 * Keeping the newest stops. When the file holds twice as many as are wanted, the newest ones go into a
 * new file beside it, as `trim` would write it, which then takes its place in one step: so there is a
 * whole trace with the newest stops under the path at any time, and each stop is written at most twice
 * on average. What goes wrong on the way leaves the old file, which then grows on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/rewrite-inside.h"

#define BESIDE_SUFFIX ".ring"

struct wt_error *wt_writer_prepare_ring(struct wt_writer *writer, const char *path)
{
	wt_cleanup_free char *directory = NULL;

	if (*path == '/') {
		writer->ring_path = strdup(path);
		return writer->ring_path ? NULL : &wt_error_no_memory;
	}
	/* The recorded program may go elsewhere before the file has to be replaced. */
	directory = getcwd(NULL, 0);
	if (!directory)
		return wt_error_errno(errno, "cannot create the trace", path);
	if (asprintf(&writer->ring_path, "%s/%s", directory, path) < 0) {
		writer->ring_path = NULL;
		return &wt_error_no_memory;
	}
	return NULL;
}

void wt_writer_renamed(struct wt_writer *writer, const char *path)
{
	struct wt_error *error;

	if (!writer->ring_stops)
		return;
	free(wt_take(writer->ring_path));
	error = wt_writer_prepare_ring(writer, path);
	/* Under its old name there may be another file by then. */
	if (error)
		writer->ring_failed = true;
	wt_error_destroy(error);
}

static struct wt_error *create_next(const struct wt_writer *writer, struct wt_extract *extract,
				    const char *beside, struct wt_writer **next_ret)
{
	const struct wt_file *file = &writer->tape->file;
	struct wt_writer_options options;
	struct wt_trace_info info;

	wt_reader_info(extract->rebuild.reader, &info);
	info.part = extract->part;
	options = wt_rebuild_options(&info, writer->compression);
	options.keyframe_interval = writer->keyframe_interval;
	options.max_bytes = file->limit;
	options.no_mapping = file->no_mapping;
	return wt_writer_create_with(beside, &options, file->ops, next_ret);
}

static struct wt_error *fill_next(struct wt_writer *writer, struct wt_extract *extract,
				  struct wt_writer *next)
{
	char text[160];
	struct wt_error *error;

	snprintf(
		text, sizeof(text),
		"only the newest stops are kept: %llu stops before these are not here, and no call "
		"before number %llu",
		(unsigned long long)extract->part.stops_before,
		(unsigned long long)extract->part.calls_before + 1);
	extract->rebuild.writer = next;
	error = wt_writer_notice(next, WT_NOTICE_NOT_TAKEN, 0, text);
	if (!error)
		error = wt_extract_run(extract);
	if (!error)
		error = wt_tape_close_chunk(next->tape, false);
	if (!error && writer->sync_every)
		error = wt_file_sync_name(&next->tape->file);
	return error;
}

/* The new file becomes the one that is written. Names keep their numbers, also those not yet used. */
static void take_over(struct wt_writer *writer, struct wt_writer *next)
{
	struct wt_tape *tape = writer->tape;
	struct wt_state *state = writer->state;
	struct wt_blob_map blobs = writer->blobs;
	char *path = tape->file.path;

	tape->file.path = next->tape->file.path;
	next->tape->file.path = path;
	writer->tape = next->tape;
	writer->state = next->state;
	writer->since_keyframe = next->since_keyframe;
	writer->state_bytes = next->state_bytes;
	writer->change_bytes = next->change_bytes;
	writer->blobs = next->blobs;
	writer->names_written = next->names_written;
	next->tape = tape;
	next->state = state;
	next->blobs = blobs;
	wt_writer_abandon(next);
}

static struct wt_error *replace(struct wt_writer *writer, const struct wt_extract *extract,
				const char *beside, struct wt_writer *next)
{
	if (rename(beside, writer->ring_path)) {
		struct wt_error *error =
			wt_error_errno(errno, "cannot replace the trace", writer->ring_path);

		wt_writer_abandon(next);
		unlink(beside);
		return error;
	}
	take_over(writer, next);
	writer->stops = writer->ring_stops;
	writer->calls_before = extract->part.calls_before;
	if (writer->sync_every)
		return wt_file_sync_name(&writer->tape->file);
	return NULL;
}

static struct wt_error *turn(struct wt_writer *writer, struct wt_reader *reader)
{
	struct wt_extract extract = {.rebuild.reader = reader};
	wt_cleanup_free char *beside = NULL;
	struct wt_writer *next;
	struct wt_error *error;

	error = wt_extract_plan(&extract, writer->stops - writer->ring_stops, writer->stops - 1);
	if (error)
		return error;
	if (asprintf(&beside, "%s" BESIDE_SUFFIX, writer->ring_path) < 0) {
		beside = NULL;
		return &wt_error_no_memory;
	}
	error = create_next(writer, &extract, beside, &next);
	if (error)
		return error;
	error = fill_next(writer, &extract, next);
	if (!error)
		return replace(writer, &extract, beside, next);
	wt_writer_abandon(next);
	unlink(beside);
	return error;
}

/* Read through the descriptor: whatever is under the path by now, this is our file. */
static struct wt_error *read_and_turn(struct wt_writer *writer)
{
	const struct wt_reader_options options = {.size = sizeof(options), .small_caches = true};
	struct wt_reader *reader;
	struct wt_error *error;
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", writer->tape->file.fd);
	error = wt_reader_open_with(path, &options, &reader);
	if (error)
		return error;
	error = turn(writer, reader);
	wt_reader_close(reader);
	return error;
}

static bool is_time(const struct wt_writer *writer, bool last)
{
	const struct wt_tape *tape = writer->tape;

	if (!writer->ring_stops || writer->ring_failed || writer->stops <= writer->ring_stops)
		return false;
	if (last || writer->stops / 2 >= writer->ring_stops)
		return true;
	/* Both files have to fit into what one may have. */
	return tape->file.limit && tape->end > tape->file.limit / 2;
}

struct wt_error *wt_writer_turn_ring(struct wt_writer *writer, bool last)
{
	struct wt_error *error;
	char text[256];

	if (!is_time(writer, last))
		return NULL;
	error = read_and_turn(writer);
	if (!error)
		return NULL;
	/* The recording goes on, in a file that is no longer bounded. */
	writer->ring_failed = true;
	snprintf(text, sizeof(text), "older stops are kept from here on: %s: %s: %s", error->what,
		 error->where, error->why);
	wt_error_destroy(error);
	error = wt_tape_notice(writer->tape, WT_NOTICE_CONTEXT, 0, text);
	return error ? error : wt_tape_flush(writer->tape);
}
