/* SPDX-License-Identifier: MIT */
/* The choices of a user of the writer: budgets, when to sync, which thread does what, and who is told of the file. */
#ifndef WT_TRACE_FORMAT_WRITER_WRITE_OPTIONS_H
#define WT_TRACE_FORMAT_WRITER_WRITE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/state/record.h"

struct wt_writer;

/* Callbacks for when a ring replaces the file that is written with a new one; NULL: none. */
struct wt_ring_watch {
	void *opaque;
	/* Before the replacement. @path: of the new file until then. After an error the old file stays for now. */
	struct wt_error *(*before)(void *opaque, const char *path);
	/* After the replacement. @done: false if it failed. */
	void (*after)(void *opaque, bool done);
};

/* Callback for when the file has been created and is still empty; NULL: none. */
struct wt_file_watch {
	void *opaque;
	void (*created)(void *opaque, const char *path);
};

/* The minimum of `max_bytes`: a trace can begin and end in order, with room for little more than its Header. */
#define WT_WRITER_KIB_MIN 128
#define WT_WRITER_BYTES_MIN ((uint64_t)WT_WRITER_KIB_MIN << 10)

/* Growth: the size says which fields the caller knows. Strings need to live only during the call. */
struct wt_writer_options {
	size_t size; /* of this structure */
	const char *recorder, *api_level, *library_version, *library_build_name;
	const char *const *command_line; /* NULL-terminated; may be NULL */
	uint64_t process_id, start_time;
	bool reproducible; /* no times, no random id; chunks are not closed by the clock */
	bool sync_stops;   /* fdatasync after each STOP moment, like sync_every = 1 */
	int compression;   /* zstd level; 0 means 1 */
	uint32_t
		keyframe_interval; /* moments from one keyframe to the next; 0: as it pays, 64 at most */
	uint32_t sync_every;	   /* fdatasync after every so many STOP moments; 0: never */
	/*
	 * Budgets; 0 means none. The trace ends in order before the file would exceed `max_bytes`, or when the writer
	 * itself holds more than three quarters of `max_memory` (states that the caller gives it are shared, and it takes
	 * the next one beside them). It then has a Notice of kind NOT_TAKEN, and each budget has its own end reason.
	 */
	uint64_t max_bytes, max_memory;
	/*
	 * Keep so many of the newest stops and everything after the oldest of them; 0: keep all. The space of older
	 * parts is returned to the file system, and a Notice says so. While they are dropped there are two files, which
	 * together take no more than `max_bytes`.
	 */
	uint32_t ring_stops;
	/* The function that drops them: &wt_ring_turn (rewrite/ring.h). USAGE if `ring_stops` is set without it. */
	struct wt_error *(*turn_ring)(struct wt_writer *writer);
	bool no_mapping; /* never store through a mapping of the file, always use system calls */
	const struct wt_part *part; /* NULL: the trace has the recording from its start */
	const char *policy; /* option words that selected what is recorded; NULL: the defaults */
	bool redacted;	    /* memory of the program was left out on purpose */
	const char *client_level; /* the client's level of the API: "0.77"; NULL: not known */
	struct wt_ring_watch ring_watch;
	bool no_thread; /* never start a thread: the call that fills a chunk compresses it */
	struct wt_file_watch file_watch;
	bool name_gaps; /* the caller may choose name numbers, with gaps between them */
	bool in_memory; /* no file until wt_writer_move(); the path is what errors call it; without a ring */
	/*
	 * The writer keeps the items of states themselves, in place of copies. The caller then never changes an item
	 * that was in a state it gave, and gives it to no other writer while this one writes.
	 */
	bool shares_items;
};

#endif /* WT_TRACE_FORMAT_WRITER_WRITE_OPTIONS_H */
