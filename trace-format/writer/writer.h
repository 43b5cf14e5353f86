/* SPDX-License-Identifier: MIT */
/*
 * Writing a trace. Single-threaded: the caller serialises. Every function that returns an error has
 * left the trace closed at its last whole chunk; further calls return the same kind of error and do
 * nothing. The trace then says why in a Notice and an End, where the disk still takes them: space
 * for both is kept. One packet (a call's record, a moment's items) longer than 64 MiB is such an
 * error, of code LIMIT.
 */
#ifndef WT_TRACE_FORMAT_WRITER_WRITER_H
#define WT_TRACE_FORMAT_WRITER_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "trace-format/state/record.h"
#include "trace-format/state/state.h"

struct wt_writer;

/* Who wants to know when a ring puts a new file in place of the one that is written; NULL: nobody. */
struct wt_ring_watch {
	void *opaque;
	/* Before that. @path: what the new file is called until then. On an error the old one stays for now. */
	struct wt_error *(*before)(void *opaque, const char *path);
	/* Was it done? */
	void (*after)(void *opaque, bool done);
};

/* Who wants to know that the file has been made, before anything is in it; NULL: nobody. */
struct wt_file_watch {
	void *opaque;
	void (*created)(void *opaque, const char *path);
};

/* The least `max_bytes` of use: a trace begins, and can end in order, with room for little more than its header. */
#define WT_WRITER_KIB_MIN 128
#define WT_WRITER_BYTES_MIN ((uint64_t)WT_WRITER_KIB_MIN << 10)

/* Growth: the size says which fields the caller knows. Strings are the caller's for the call. */
struct wt_writer_options {
	size_t size; /* of this structure */
	const char *recorder, *api_level, *library_version, *library_build_name;
	const char *const *command_line; /* NULL-terminated; may be NULL */
	uint64_t process_id, start_time;
	bool reproducible; /* no times, no random id; chunks are not closed by the clock */
	bool sync_stops;   /* fdatasync after each STOP moment: as sync_every = 1 */
	int compression;   /* zstd level; 0 means 1 */
	uint32_t
		keyframe_interval; /* moments from one keyframe to the next; 0: as it pays, 64 at most */
	uint32_t sync_every;	   /* fdatasync after every so many STOP moments; 0: never */
	/*
	 * Budgets; 0 means none. The trace ends in order before the file gets longer than `max_bytes`
	 * at any time, or when the writer itself holds more than half of `max_memory` (what the caller
	 * passes in is about as much, and the caller's): with a Notice of kind NOT_TAKEN, and a reason
	 * of its own.
	 */
	uint64_t max_bytes, max_memory;
	/*
	 * Keep so many of the newest stops and what came after the oldest of them; 0: keep all. What
	 * is older is given back to the file system, and a Notice says so. While that is done there are
	 * two files, which together have no more than `max_bytes`.
	 */
	uint32_t ring_stops;
	/* How that is done: &wt_ring_turn (rewrite/ring.h). USAGE if there are `ring_stops` without it. */
	struct wt_error *(*turn_ring)(struct wt_writer *writer);
	bool no_mapping; /* never store through a mapping of the file: a system call each time */
	const struct wt_part *part; /* NULL: the recording is here from its start */
	const char *policy;	  /* words that decided what was recorded; NULL for the defaults */
	bool redacted;		  /* memory of the program was left out on purpose */
	const char *client_level; /* of the API: "0.77"; NULL: not known */
	struct wt_ring_watch ring_watch;
	bool no_thread; /* never start one: what fills a chunk is held up while that is compressed */
	struct wt_file_watch file_watch;
	bool name_gaps; /* names may be given numbers of the caller's choice, with gaps between them */
};

/** Create @path (mode 0600, never through an existing file that is not empty: it is replaced). */
struct wt_error *wt_writer_create(const char *path, const struct wt_writer_options *options,
				  struct wt_writer **writer_ret);

/**
 * Write the end, the index and the footer, and close. @reason: one of those of message End. The
 * writer is gone afterwards, also if that fails.
 */
struct wt_error *wt_writer_close(struct wt_writer *writer, const char *reason);

/**
 * The caller has given the file another name: there it is replaced by what keeps the newest stops.
 * If that name cannot be remembered older stops are kept from here on.
 */
void wt_writer_renamed(struct wt_writer *writer, const char *path);

/** Was the trace of a writer that failed closed in order, with the reason in it? */
bool wt_writer_has_ended(const struct wt_writer *writer);

/** Drop without an end, as a crash would: for tests and for children after fork(). */
void wt_writer_abandon(struct wt_writer *writer);

/**
 * The number of a name, added when it is new; 0 if there is no memory. What refers to it would then mean something else:
 * the next thing to be written fails, which ends the trace.
 */
uint32_t wt_writer_name(struct wt_writer *writer, const char *text);

/** The intent: in the file (where a kill of the process leaves it) when this returns. */
struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin);
struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback);
struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end);

/**
 * Items that hold for every moment. The state's own items are copied into later moments by the
 * reader.
 */
struct wt_error *wt_writer_facts(struct wt_writer *writer, const struct wt_item *const *items,
				 size_t count);

/**
 * Write a moment with the whole of its state; only what differs from the moment before is stored,
 * with a keyframe every so often. The writer keeps a copy of the state. Ends the chunk for a STOP.
 */
struct wt_error *wt_writer_moment(struct wt_writer *writer, const struct wt_moment *moment,
				  const struct wt_state *state);

/** More of the last moment's state. Later moments are compared with the state as it then is. */
struct wt_error *wt_writer_late(struct wt_writer *writer, const struct wt_item *const *items,
				size_t count);

struct wt_error *wt_writer_notice(struct wt_writer *writer, enum wt_notice_kind kind, uint64_t call,
				  const char *text);

/** Bytes of whole blocks in the file so far: it grows when a chunk is compressed. */
uint64_t wt_writer_stored(const struct wt_writer *writer);

/** The same, and before compression. */
void wt_writer_sizes(const struct wt_writer *writer, uint64_t *stored_ret, uint64_t *raw_ret);

struct wt_host;

/** Write facts of the host as a notice. Errors: those of the writer. */
struct wt_error *wt_writer_host(struct wt_writer *writer, const struct wt_host *host);

#endif /* WT_TRACE_FORMAT_WRITER_WRITER_H */
