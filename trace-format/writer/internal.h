/* SPDX-License-Identifier: MIT */
/*
 * What the files of the writer share: the writer itself. rewrite/ includes it too, because a ring lets one writer go on in the
 * file of another one (rewrite/ring.c). It includes writer.h for the types that come from outside; writer.c includes both.
 */
#ifndef WT_TRACE_FORMAT_WRITER_INTERNAL_H
#define WT_TRACE_FORMAT_WRITER_INTERNAL_H

#include "trace-format/state/blob.h"
#include "trace-format/message/fields.h"
#include "trace-format/state/names.h"
#include "trace-format/state/held.h"
#include "trace-format/container/tape.h"
#include "trace-format/state/stops.h"
#include "trace-format/writer/writer.h"

struct wt_writer {
	struct wt_tape *tape;
	bool reproducible;
	uint32_t sync_every, stops_since_sync;
	uint32_t keyframe_interval; /* 0: as it pays */
	uint32_t since_keyframe;    /* moments */
	bool seen_stop;
	uint64_t looked; /* at the age of the open chunk, as calls count time: nanoseconds */
	/* Of the state at the last keyframe, and of the changes that were written since. */
	uint64_t state_bytes, change_bytes;
	uint64_t max_memory;
	int compression;
	uint32_t ring_stops;   /* newest stops to keep; 0: all */
	uint64_t calls_before; /* number of the last call whose beginning was dropped */
	uint32_t stops;	       /* in the file */
	struct wt_error *(*turn_ring)(struct wt_writer *writer);
	char *ring_path;     /* absolute; NULL without a ring */
	uint64_t ring_again; /* stops at which it is tried again to drop some, after that failed */
	bool ring_told;	     /* that it failed */
	struct wt_ring_watch ring_watch;
	struct wt_names names;
	uint32_t names_written; /* names up to this number are in the trace */
	bool names_missing;	/* there was no memory for one that was asked for */
	struct wt_blob_map blobs;
	struct wt_state *state;	    /* of the last moment, with what came late */
	struct wt_stop_list listed; /* stops before the last one, as the final index repeats them */
	struct wt_pending_stop {
		bool pending; /* the last moment is a stop: more of its state may come late */
		struct wt_moment moment; /* with its events, as far as a list has them */
		struct wt_event *events;
	} stop;
	struct wt_buffer items; /* encoded, on their way into a packet */
	bool no_words;		/* blobs and patches as they are: for measuring */
	bool over_memory;	/* more was held than `max_memory` */
	bool ended;		/* the trace is closed in order */
	bool failed;		/* and then this is why: */
	enum wt_error_code failure_code;
	char *failure;
};

/** As wt_writer_create(), with system calls of the caller's choice. */
struct wt_error *wt_writer_create_with(const char *path, const struct wt_writer_options *options,
				       const struct wt_io_ops *ops, struct wt_writer **writer_ret);

/** Are there names that are not in the trace yet, or that should be there and are not? */
static inline bool wt_writer_has_names(const struct wt_writer *writer)
{
	return writer->names_written < writer->names.count || writer->names_missing;
}

/** Write the names that are not in the trace yet; there are some. NO_MEMORY if one is missing. */
struct wt_error *wt_writer_flush_names(struct wt_writer *writer);

/** Start a packet; names it may refer to are written before it. */
static inline struct wt_error *wt_writer_begin(struct wt_writer *writer, enum wt_packet_field field,
					       struct wt_buffer **buffer_ret)
{
	struct wt_error *error = wt_writer_has_names(writer) ? wt_writer_flush_names(writer) : NULL;

	if (!error)
		*buffer_ret = wt_tape_begin(writer->tape, field);
	return error;
}

/** The error that every call gives after the first that failed; NULL before. */
struct wt_error *wt_writer_check(const struct wt_writer *writer);

/**
 * End the trace because of @error, as well as that can be done. Returns it. NULL is passed through.
 */
struct wt_error *wt_writer_result(struct wt_writer *writer, struct wt_error *error);

/** How much to reserve ahead in a file that is to be replaced, so that there is room for the next one. */
uint64_t wt_writer_ring_spare(const struct wt_file *file);

/** Where the file is, for when it is replaced. */
struct wt_error *wt_writer_prepare_ring(struct wt_writer *writer, const char *path);

/**
 * Drop older stops if it is time for it. @last: the recording ends, so that exactly as many stay as
 * were asked for. What cannot be done is said in the trace, once, and tried again when there are half as
 * many stops more; the error is one of writing.
 */
struct wt_error *wt_writer_turn_ring(struct wt_writer *writer, bool last);

/** A stop was written: it is listed when no more of its state can come. Without memory there is no list. */
void wt_writer_keep_stop(struct wt_writer *writer, const struct wt_moment *moment, uint32_t number);

/** List the last stop, if there is one that is not listed: its state is about to be replaced. */
void wt_writer_list_stop(struct wt_writer *writer);

/** A Notice, and an End, straight onto a tape. */
struct wt_error *wt_tape_notice(struct wt_tape *tape, enum wt_notice_kind kind, uint64_t call,
				const char *text);
struct wt_error *wt_tape_end_trace(struct wt_tape *tape, const char *reason);

/** Answers as field @field of a message. */
void wt_encode_answers(struct wt_buffer *buffer, unsigned int field,
		       const struct wt_answer *answers, size_t count);

/**
 * Put an item into `items`, as field @field of a packet, as a value of its own for which no earlier one
 * is needed. Blobs and names it refers to are written before.
 */
struct wt_error *wt_writer_put_whole(struct wt_writer *writer, unsigned int field,
				     struct wt_held_item *held);

/** As above, an item that was @old (or NULL) before: by patches of that where they pay. */
struct wt_error *wt_writer_put_change(struct wt_writer *writer, unsigned int field,
				      struct wt_held_item *held, const struct wt_held_item *old);

/** As above, that there is no item of this key any more. */
void wt_writer_put_removal(struct wt_writer *writer, unsigned int field, const struct wt_key *key);

/** Let an item keep the blobs of what it was before, if patches of them pay. */
struct wt_error *wt_writer_inherit_blobs(struct wt_held_item *held, const struct wt_held_item *old);

#endif /* WT_TRACE_FORMAT_WRITER_INTERNAL_H */
