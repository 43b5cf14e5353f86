/* SPDX-License-Identifier: MIT */
/*
 * A ring's turn: the newest stops go into a new file beside the trace, as `trim` would write it, which then takes its
 * place in one step. So there is a whole trace with the newest stops under the path at any time. What goes wrong on the
 * way leaves the old file, which grows until it is tried again (writer/ring-due.c).
 */
#include "trace-format/rewrite/ring.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/rewrite/extract.h"
#include "trace-format/writer/internal.h"

#define BESIDE_SUFFIX ".ring"

static struct wt_error *ring_create_next(const struct wt_writer *writer, struct wt_extract *extract,
					 const char *beside, struct wt_writer **next_ret)
{
	const struct wt_file *file = &writer->tape->file;
	uint64_t size = writer->tape->tail.size;
	struct wt_writer_options options;
	struct wt_trace_info info;

	wt_reader_info(extract->rebuild.reader, &info);
	info.part = extract->part;
	options = wt_rebuild_options(extract->rebuild.reader, &info, writer->compression);
	options.keyframe_interval = writer->keyframe_interval;
	options.ring_stops = writer->ring_stops;
	options.turn_ring = writer->turn_ring;
	options.no_mapping = file->no_mapping;
	options.no_thread = !writer->tape->workers.may_defer;
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
	struct wt_stop_list listed = writer->listed;
	struct wt_pending_stop stop = writer->stop;
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
	writer->listed = next->listed;
	writer->stop = next->stop;
	writer->names_written = next->names_written;
	next->tape = tape;
	next->state = state;
	next->blobs = blobs;
	next->listed = listed;
	next->stop = stop;
	wt_writer_abandon(next);
	file->spare = wt_writer_ring_spare(file);
}

/* Tell who watches that the file takes its place, and let it. */
static struct wt_error *ring_move_file(struct wt_writer *writer, const char *beside)
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

static struct wt_error *ring_replace_file(struct wt_writer *writer,
					  const struct wt_extract *extract, const char *beside,
					  struct wt_writer *next)
{
	struct wt_error *error = ring_move_file(writer, beside);

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

static struct wt_error *ring_turn(struct wt_writer *writer, struct wt_reader *reader)
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
	error = ring_create_next(writer, &extract, beside, &next);
	if (error)
		return error;
	error = fill_next(writer, &extract, next);
	if (!error)
		return ring_replace_file(writer, &extract, beside, next);
	wt_writer_abandon(next);
	unlink(beside);
	return error;
}

/*
 * Read through the descriptor: whatever is under the path by now, this is our file. All of it that has a
 * meaning is in whole blocks; behind them there may be megabytes of reserve to look through.
 */
struct wt_error *wt_ring_turn(struct wt_writer *writer)
{
	const struct wt_reader_options options = {
		.size = sizeof(options), .small_caches = true, .length = writer->tape->tail.end};
	struct wt_reader *reader;
	struct wt_error *error;
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", writer->tape->file.fd);
	error = wt_reader_open_with(path, &options, &reader);
	if (error)
		return error;
	error = ring_turn(writer, reader);
	wt_reader_close(reader);
	return error;
}
