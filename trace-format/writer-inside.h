/* SPDX-License-Identifier: MIT */
/* What the two halves of the writer share. */
#ifndef WT_TRACE_WRITER_INSIDE_H
#define WT_TRACE_WRITER_INSIDE_H

#include "trace-format/blob.h"
#include "trace-format/fields.h"
#include "trace-format/names.h"
#include "trace-format/tape.h"
#include "trace-format/writer.h"

struct wt_writer {
	struct wt_tape *tape;
	bool reproducible, sync_stops;
	uint32_t keyframe_interval;
	struct wt_names names;
	uint32_t names_written; /* names up to this number are in the trace */
	struct wt_blob_map blobs;
	struct wt_state *state; /* of the last moment, with what came late */
	struct wt_buffer items; /* encoded, on their way into a packet */
	bool failed;		/* and then this is why: */
	enum wt_error_code failure_code;
	char *failure;
};

/** As wt_writer_create(), with system calls of the caller's choice. */
struct wt_error *wt_writer_create_with(const char *path, const struct wt_writer_options *options,
				       const struct wt_io_ops *ops, struct wt_writer **writer_ret);

/** Start a packet; names it may refer to are written before it. */
struct wt_error *wt_writer_begin(struct wt_writer *writer, enum wt_packet_field field,
				 struct wt_buffer **buffer_ret);

/** The error that every call gives after the first that failed; NULL before. */
struct wt_error *wt_writer_check(const struct wt_writer *writer);

/**
 * End the trace because of @error, as well as that can be done. Returns it. NULL is passed through.
 */
struct wt_error *wt_writer_result(struct wt_writer *writer, struct wt_error *error);

/** A Notice, and an End, straight onto a tape. */
struct wt_error *wt_tape_notice(struct wt_tape *tape, enum wt_notice_kind kind, uint64_t call,
				const char *text);
struct wt_error *wt_tape_end_trace(struct wt_tape *tape, const char *reason);

/** Answers as field @field of a message. */
void wt_encode_answers(struct wt_buffer *buffer, unsigned int field,
		       const struct wt_answer *answers, size_t count);

#endif /* WT_TRACE_WRITER_INSIDE_H */
