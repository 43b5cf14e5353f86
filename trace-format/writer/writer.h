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
#include "trace-format/writer/write-options.h"

struct wt_writer;

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
