/* SPDX-License-Identifier: MIT */
/*
 * Writing a trace. Single-threaded: the caller serialises. A function that returns an error has left the trace closed at
 * its last whole chunk; further calls return the same kind of error and do nothing. A Notice and an End in the trace then
 * say why, if the disk still takes them; space for both is reserved. One packet (a call's record, a moment's items) longer
 * than 64 MiB is such an error, of code LIMIT.
 *
 * The room `writer` encodes states and the journal as packets and puts them on a tape (container/tape.h). value.h makes
 * and compares values of the journal. This room must not read traces, and must not do system calls on the file itself:
 * container/tape-file.h does.
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

/** Create @path, mode 0600. An existing file that is not empty is replaced, never written through. */
struct wt_error *wt_writer_create(const char *path, const struct wt_writer_options *options,
				  struct wt_writer **writer_ret);

/**
 * Write the End, the final index and the footer, and close. @reason: one of those of message End. The writer is freed,
 * also on failure.
 */
struct wt_error *wt_writer_close(struct wt_writer *writer, const char *reason);

/**
 * Tell the writer that the caller renamed the file. A ring then replaces the file under its new path. If the path cannot
 * be stored, older stops are kept from now on.
 */
void wt_writer_renamed(struct wt_writer *writer, const char *path);

/**
 * Move a trace that was begun in memory to a new file, mode 0600. An existing file is replaced.
 *
 * Errors: those of wt_writer_create(); then the trace stays in memory, and nothing is at @path that was not there.
 */
struct wt_error *wt_writer_move(struct wt_writer *writer, const char *path);

/** Was the trace of a failed writer closed in order, with the reason in it? */
bool wt_writer_has_ended(const struct wt_writer *writer);

/** Free the writer without ending the trace, as a crash would. For tests and for children after fork(). */
void wt_writer_abandon(struct wt_writer *writer);

/**
 * The number of a name; a new name is added. 0 if there is no memory. References to it would then be wrong, so the next
 * write fails, which ends the trace.
 */
uint32_t wt_writer_name(struct wt_writer *writer, const char *text);

/** Write the record of a call before it is made. When this returns, the record is in the file and survives a kill. */
struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin);
struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback);
struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end);

/**
 * Write facts: items that hold for every moment. A state's own items are carried over to later moments by the reader.
 */
struct wt_error *wt_writer_facts(struct wt_writer *writer, const struct wt_item *const *items,
				 size_t count);

/**
 * Write a moment with its whole state. Only the changes from the moment before are stored, or, for a keyframe, the whole
 * state. The writer keeps a copy of the state, or shares its items if `shares_items`. A STOP ends its chunk. Unless it is
 * synced, the chunk may be compressed by another thread and written by a later call: until then its packets are in the
 * file as they are.
 */
struct wt_error *wt_writer_moment(struct wt_writer *writer, const struct wt_moment *moment,
				  const struct wt_state *state);

/** Write late items: more of the last moment's state. Later moments are compared with the state including them. */
struct wt_error *wt_writer_late(struct wt_writer *writer, const struct wt_item *const *items,
				size_t count);

struct wt_error *wt_writer_notice(struct wt_writer *writer, enum wt_notice_kind kind, uint64_t call,
				  const char *text);

/** Bytes of whole blocks in the file so far. It grows when a chunk is written. */
uint64_t wt_writer_stored(const struct wt_writer *writer);

/** The same, and the bytes before compression. */
void wt_writer_sizes(const struct wt_writer *writer, uint64_t *stored_ret, uint64_t *raw_ret);

struct wt_host;

/** Write facts of the host as a notice. Errors: those of the writer. */
struct wt_error *wt_writer_host(struct wt_writer *writer, const struct wt_host *host);

#endif /* WT_TRACE_FORMAT_WRITER_WRITER_H */
