/* SPDX-License-Identifier: MIT */
/*
 * Keeping the newest stops. When the file holds twice as many as are wanted, the newest ones go into a
 * new file beside it, as `trim` would write it, which then takes its place in one step: so there is a
 * whole trace with the newest stops under the path at any time, and each stop is written at most twice
 * on average. That is done earlier where there would soon be no room for two files. What goes wrong on
 * the way leaves the old file, which grows until it is tried again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/cleanup.h"
#include "trace-format/rewrite/internal.h"

#define BESIDE_SUFFIX ".ring"
/* What a file takes besides its stops where room is short, about: the smallest gap and stage, the end. */
#define FILE_BYTES ((uint64_t)192 << 10)
/* Of the room there is for both files: reserved ahead, at most. */
#define SPARE_PART 8u

/* Bytes that the file system has for us; UINT64_MAX if that is not known. */
static uint64_t free_bytes(const struct wt_file *file)
{
	struct statvfs status;

	if (fstatvfs(file->fd, &status) || !status.f_blocks)
		return UINT64_MAX;
	return (uint64_t)status.f_bavail * status.f_frsize;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t wt_writer_ring_spare(const struct wt_file *file)
{
	uint64_t limit = file->limit ? file->limit : UINT64_MAX;

	return smaller(limit, free_bytes(file)) / SPARE_PART + 1;
}

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
	/* Without a path nothing is dropped: under the old name there may be another file by then. */
	wt_error_destroy(error);
}

static struct wt_error *create_next(const struct wt_writer *writer, struct wt_extract *extract,
				    const char *beside, struct wt_writer **next_ret)
{
	const struct wt_file *file = &writer->tape->file;
	uint64_t size = writer->tape->size;
	struct wt_writer_options options;
	struct wt_trace_info info;

	wt_reader_info(extract->rebuild.reader, &info);
	info.part = extract->part;
	options = wt_rebuild_options(&info, writer->compression);
	options.keyframe_interval = writer->keyframe_interval;
	options.ring_stops = writer->ring_stops;
	options.no_mapping = file->no_mapping;
	options.no_thread = !writer->tape->may_defer;
	/* Both files have to fit into what one may have. */
	if (file->limit)
		options.max_bytes = file->limit > size ? file->limit - size : 1;
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
	/* Its bytes must be on the disk before it has the name. */
	if (!error && writer->sync_every)
		error = wt_file_sync(&next->tape->file);
	return error;
}

/* The new file becomes the one that is written. Names keep their numbers, also those not yet used. */
static void take_over(struct wt_writer *writer, struct wt_writer *next)
{
	struct wt_tape *tape = writer->tape;
	struct wt_state *state = writer->state;
	struct wt_blob_map blobs = writer->blobs;
	struct wt_file *file = &next->tape->file;
	char *path = tape->file.path;

	tape->file.path = file->path;
	file->path = path;
	file->limit = tape->file.limit;
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
	file->spare = wt_writer_ring_spare(file);
}

/* Tell who watches that the file takes its place, and let it. */
static struct wt_error *move(struct wt_writer *writer, const char *beside)
{
	const struct wt_ring_watch *watch = &writer->ring_watch;
	struct wt_error *error = watch->before ? watch->before(watch->opaque, beside) : NULL;

	if (error)
		return error;
	if (rename(beside, writer->ring_path))
		error = wt_error_errno(errno, "cannot replace the trace", writer->ring_path);
	if (watch->after)
		watch->after(watch->opaque, !error);
	return error;
}

static struct wt_error *replace(struct wt_writer *writer, const struct wt_extract *extract,
				const char *beside, struct wt_writer *next)
{
	struct wt_error *error = move(writer, beside);

	if (error) {
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

/*
 * Read through the descriptor: whatever is under the path by now, this is our file. All of it that has a
 * meaning is in whole blocks; behind them there may be megabytes of reserve to look through.
 */
static struct wt_error *read_and_turn(struct wt_writer *writer)
{
	const struct wt_reader_options options = {
		.size = sizeof(options), .small_caches = true, .length = writer->tape->end};
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

/* Would there be no room for another file any more after the next stop? As far as can be foreseen. */
static bool is_short_of_room(const struct wt_writer *writer)
{
	const struct wt_tape *tape = writer->tape;
	const struct wt_file *file = &tape->file;
	uint64_t stop = tape->end / writer->stops;
	uint64_t needed = stop * (writer->ring_stops + UINT64_C(1)) + FILE_BYTES;
	uint64_t room = free_bytes(file);

	if (file->limit)
		room = smaller(room, file->limit > tape->size ? file->limit - tape->size : 0);
	return room < needed + stop + wt_tape_growth(tape);
}

static bool is_time(const struct wt_writer *writer, bool last)
{
	if (!writer->ring_stops || !writer->ring_path || writer->stops <= writer->ring_stops)
		return false;
	if (last)
		return true;
	return writer->stops >= writer->ring_again &&
	       (writer->stops / 2 >= writer->ring_stops || is_short_of_room(writer));
}

/* The recording goes on, for now in a file that is not bounded. Takes @error over. */
static struct wt_error *tell_failed(struct wt_writer *writer, struct wt_error *error)
{
	char text[256];

	writer->ring_again = (uint64_t)writer->stops + writer->stops / 2;
	snprintf(text, sizeof(text),
		 "older stops could not be dropped, which is tried again: %s: %s: %s", error->what,
		 error->where, error->why);
	wt_error_destroy(error);
	if (writer->ring_told)
		return NULL;
	writer->ring_told = true;
	error = wt_tape_notice(writer->tape, WT_NOTICE_CONTEXT, 0, text);
	return error ? error : wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_turn_ring(struct wt_writer *writer, bool last)
{
	struct wt_error *error;
	int state;

	if (!is_time(writer, last))
		return NULL;
	error = wt_tape_close_chunk(writer->tape, false);
	if (error)
		return error;
	state = wt_cancel_disable();
	error = read_and_turn(writer);
	wt_cancel_restore(state);
	if (error)
		return tell_failed(writer, error);
	writer->ring_again = 0;
	return NULL;
}
