/* SPDX-License-Identifier: MIT */
/*
 * The trace as a file: which name it has, which process it belongs to, and how much room is left for it.
 *
 * Where there is a trace of that name already it stays until the new one has a stop to show: until then the new one is
 * called NAME.partial.
 */
#ifndef WT_RECORDER_RECORDING_TRACE_FILE_H
#define WT_RECORDER_RECORDING_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/writer/writer.h"

struct wt_trace_file {
	char *partial_name,
		*final_name; /* NULL: it has had its final name from the start, or by now */
	/* For wt_claim_release(), -1 without: of the file, of one about to take its place, of its directory. */
	int claim, claim_next, claim_begun;
	bool is_others;	   /* another process records into it: nothing is recorded here */
	int directory;	   /* in whose file system the room is looked at; -1 without a limit */
	uint64_t min_free; /* bytes that are to be left there; 0: no limit */
	bool disk_spent;   /* there were fewer */
};

/* Without a file, which can be released all the same. */
#define WT_TRACE_FILE_NONE                                                                         \
	{                                                                                          \
		.claim = -1, .claim_next = -1, .claim_begun = -1, .directory = -1                  \
	}

/**
 * Claim the trace and create it.
 *
 * @file: WT_TRACE_FILE_NONE; stays where it is as long as the writer.
 * @options: what to write with. How claims follow the file is filled in.
 * @min_free: bytes that wt_trace_file_check_room() wants free; 0: none.
 *
 * Errors: WT_ERROR_USAGE if it belongs to another process; those of the writer. No claim is held then.
 */
struct wt_error *wt_trace_file_create(struct wt_trace_file *file, const char *path,
				      struct wt_writer_options *options, uint64_t min_free,
				      struct wt_writer **writer_ret);

/**
 * A trace that was begun in memory gets a file of its own, and is claimed there.
 *
 * Errors: of wt_writer_move(), and of wt_trace_file_check_room(); the trace then stays in memory.
 */
struct wt_error *wt_trace_file_move(struct wt_trace_file *file, struct wt_writer *writer,
				    const char *path, uint64_t min_free);

/**
 * Keeps a trace that has something to show: it takes the place of an older trace of that name. If that fails it keeps
 * its first name for good.
 *
 * @writer: told of the name; NULL if the trace is at its end.
 *
 * Return: false, and errno, if it failed.
 */
bool wt_trace_file_keep(struct wt_trace_file *file, struct wt_writer *writer);

/** WT_ERROR_LIMIT when there is less room in the file system than there should be: the recording then ends. */
struct wt_error *wt_trace_file_check_room(struct wt_trace_file *file);

/** Nothing more is written; the claim stays. */
void wt_trace_file_end(struct wt_trace_file *file);

/** Give the claim up. @owner: as wt_claim_release() has it. */
void wt_trace_file_release(struct wt_trace_file *file, bool owner);

#endif /* WT_RECORDER_RECORDING_TRACE_FILE_H */
