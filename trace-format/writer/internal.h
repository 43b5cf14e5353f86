/* SPDX-License-Identifier: MIT */
/*
 * The writer itself, which the files of the writer share. The room rewrite/ includes this header, too, because a ring lets one
 * writer continue in the file of another one (rewrite/ring.c).
 */
#ifndef WT_TRACE_FORMAT_WRITER_INTERNAL_H
#define WT_TRACE_FORMAT_WRITER_INTERNAL_H

#include "trace-format/container/tape.h"
#include "trace-format/message/packet.h"
#include "trace-format/state/blob.h"
#include "trace-format/state/held.h"
#include "trace-format/state/names.h"
#include "trace-format/state/rows.h"
#include "trace-format/state/stop-list.h"
#include "trace-format/writer/write-options.h"

struct wt_writer {
	struct wt_tape *tape;
	uint64_t calls_before; /* number of the last call whose beginning was dropped */
	bool reproducible;
	uint32_t sync_every, stops_since_sync;
	bool shares_items;
	uint32_t keyframe_interval; /* 0: a keyframe where it pays */
	uint32_t since_keyframe;    /* moments since the last keyframe */
	bool seen_stop;
	uint64_t looked; /* call time, in ns, of the last check of the open chunk's age */
	/* Sizes of the state at the last keyframe, and of the changes that were written since. */
	uint64_t state_bytes, change_bytes;
	uint64_t max_memory;
	int compression;
	uint32_t ring_stops; /* newest stops to keep; 0: all */
	uint32_t stops;	     /* in the file */
	struct wt_error *(*turn_ring)(struct wt_writer *writer);
	char *ring_path;     /* absolute path; NULL without a ring */
	uint64_t ring_again; /* count of stops at which to retry dropping some, after a failure */
	bool ring_told;	     /* a notice says that dropping stops failed */
	struct wt_ring_watch ring_watch;
	struct wt_names names;
	uint32_t names_written; /* names up to this number are in the trace */
	bool names_missing;	/* there was no memory for a requested name */
	struct wt_blob_map blobs;
	struct wt_state *state;	    /* at the last moment, with its late items */
	struct wt_stop_list listed; /* stops before the last one, as the final index repeats them */
	struct wt_pending_stop {
		bool pending;		 /* the last moment is a stop, and late items may follow */
		struct wt_moment moment; /* with the parts of its events that a list has */
		struct wt_event *events;
	} stop;
	struct wt_buffer items;	  /* encoded items for the next packet */
	uint64_t taken_ahead;	  /* blobs that another thread has encoded */
	struct wt_ahead *ahead;	  /* of ahead.c; NULL: nothing is encoded ahead */
	struct wt_rows_seen rows; /* of the blob that is being encoded */
	bool no_words;	  /* store blobs and patches without an encoding; for measurements */
	bool over_memory; /* the writer exceeded `max_memory` */
	bool ended;	  /* the trace is closed in order */
	bool failed;	  /* the next two fields say why: */
	enum wt_error_code failure_code;
	char *failure;
};

/** Like wt_writer_create(), with system calls that the caller chooses. */
struct wt_error *wt_writer_create_with(const char *path, const struct wt_writer_options *options,
				       const struct wt_io_ops *ops, struct wt_writer **writer_ret);

/** Are there names that are not in the trace yet, or that are missing because there was no memory? */
static inline bool wt_writer_has_names(const struct wt_writer *writer)
{
	return writer->names_written < writer->names.count || writer->names_missing;
}

/** Write the names that are not in the trace yet. Call it only if wt_writer_has_names(). NO_MEMORY if one is missing. */
struct wt_error *wt_writer_flush_names(struct wt_writer *writer);

/** Begin a packet. New names are written before it, because it may refer to them. */
static inline struct wt_error *wt_writer_begin(struct wt_writer *writer, enum wt_field_packet field,
					       struct wt_buffer **buffer_ret)
{
	struct wt_error *error = wt_writer_has_names(writer) ? wt_writer_flush_names(writer) : NULL;

	if (!error)
		*buffer_ret = wt_tape_begin(writer->tape, field);
	return error;
}

/** The error that every call returns after the first failure; NULL before. */
struct wt_error *wt_writer_check(const struct wt_writer *writer);

/**
 * If @error is not NULL, end the trace because of it, as far as possible. Returns @error.
 */
struct wt_error *wt_writer_result(struct wt_writer *writer, struct wt_error *error);

/** How many bytes to reserve ahead in a file that a ring will replace, so that the next file has room, too. */
uint64_t wt_writer_ring_spare(const struct wt_file *file);

/** Remember the absolute path of the file, for its replacement. */
struct wt_error *wt_writer_prepare_ring(struct wt_writer *writer, const char *path);

/**
 * Drop older stops if that is due. @last: the recording ends, so exactly `ring_stops` stops stay. If dropping fails, the
 * trace says so once, and the writer retries when there are half as many stops more. Errors: those of writing.
 */
struct wt_error *wt_writer_turn_ring(struct wt_writer *writer, bool last);

/** Keep a stop that was written. It is listed when no late items can follow. Without memory there is no list. */
void wt_writer_keep_stop(struct wt_writer *writer, const struct wt_moment *moment, uint32_t number);

/** List the pending stop, if there is one. Call it before its state is replaced. */
void wt_writer_list_stop(struct wt_writer *writer);

/** Write a Notice (write-notice.c), or an End (writer.c), directly to a tape. */
struct wt_error *wt_tape_notice(struct wt_tape *tape, enum wt_notice_kind kind, uint64_t call,
				const char *text);
struct wt_error *wt_tape_end_trace(struct wt_tape *tape, const char *reason);

#endif /* WT_TRACE_FORMAT_WRITER_INTERNAL_H */
