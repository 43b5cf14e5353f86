/* SPDX-License-Identifier: MIT */
/*
 * Keeping the newest stops: when it is time to drop older ones. That is done when the file holds twice as many as are
 * wanted, so that each stop is written at most twice on average, and earlier where there would soon be no room for two
 * files. How it is done is in the rewriting of traces, which stands above this room: `turn_ring` of the options.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/cleanup.h"
#include "trace-format/container/tape-defer.h"
#include "trace-format/container/tape-tail.h"
#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

/* Bytes that a file takes besides its stops where room is short, about: the smallest gap and stage, the end. */
#define FILE_BYTES ((uint64_t)192 << 10)
/* A part of the room for both files: reserved ahead, at most. */
#define SPARE_PART 8u

/* Bytes that the file system has for us; UINT64_MAX if that is not known. */
static uint64_t file_free_bytes(const struct wt_file *file)
{
	struct statvfs status;

	if (fstatvfs(file->fd, &status) || !status.f_blocks)
		return UINT64_MAX;
	return (uint64_t)status.f_bavail * status.f_frsize;
}

static uint64_t bytes_smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t wt_writer_ring_spare(const struct wt_file *file)
{
	uint64_t limit = file->limit ? file->limit : UINT64_MAX;

	return bytes_smaller(limit, file_free_bytes(file)) / SPARE_PART + 1;
}

struct wt_error *wt_writer_prepare_ring(struct wt_writer *writer, const char *path)
{
	wt_cleanup_free char *directory = NULL;

	if (*path == '/') {
		writer->ring_path = strdup(path);
		return writer->ring_path ? NULL : &wt_error_no_memory;
	}
	/* The recorded program may go elsewhere before the file has to be replaced. */
	/* NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): glibc makes the room */
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

/* Would there be no room for another file any more after the next stop? As far as can be foreseen. */
static bool is_short_of_room(const struct wt_writer *writer)
{
	const struct wt_tape *tape = writer->tape;
	const struct wt_file *file = &tape->file;
	/* The newest stop may not be in the file yet. */
	uint64_t stop = tape->tail.end / (writer->stops - wt_tape_is_deferred(tape));
	uint64_t needed = stop * (writer->ring_stops + UINT64_C(1)) + FILE_BYTES;
	uint64_t room = file_free_bytes(file);

	if (file->limit)
		room = bytes_smaller(
			room, file->limit > tape->tail.size ? file->limit - tape->tail.size : 0);
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
	error = writer->turn_ring(writer);
	wt_cancel_restore(state);
	if (error)
		return tell_failed(writer, error);
	writer->ring_again = 0;
	return NULL;
}
