/* SPDX-License-Identifier: MIT */
/*
 * Records of a trace besides states: calls, moments, notices, and why it ended. The writer takes these structures, and
 * the reader returns them (trace.proto has them field by field). Names are numbers in a table: wt_writer_name(),
 * wt_reader_name().
 */
#ifndef WT_TRACE_FORMAT_STATE_RECORD_H
#define WT_TRACE_FORMAT_STATE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace-format/state/item.h"

/* For a trace that holds a part of a recording: what the recording has before it. */
struct wt_part {
	uint64_t stops_before;
	uint64_t calls_before; /* number of the last call whose beginning is missing */
};

/* A recorder does not keep an argument or result of more bytes than this: it becomes WT_VALUE_PRESENT. */
#define WT_VALUE_DATA_MAX ((uint64_t)16 << 20)

/*
 * A Value of the journal. WT_VALUE_ABSENT is a NULL pointer or an output that was not written. The
 * number of WT_VALUE_PRESENT is 1, or 0 for an output that was returned as NULL.
 */
enum wt_value_form { WT_VALUE_ABSENT, WT_VALUE_NUMBER, WT_VALUE_DATA, WT_VALUE_PRESENT };
struct wt_value {
	enum wt_value_form form;
	uint64_t number;
	const uint8_t *data;
	size_t size;
};

struct wt_call_begin {
	uint64_t number;
	uint32_t function, thread;
	uint64_t start;
	const struct wt_value *inputs;
	size_t input_count;
};

struct wt_callback {
	uint64_t call;
	uint32_t function;
	const struct wt_value *inputs;
	size_t input_count;
	int64_t result;
	const struct wt_value *outputs;
	size_t output_count;
};

struct wt_call_end {
	uint64_t number;
	int64_t status;
	uint64_t duration;
	const struct wt_value *outputs;
	size_t output_count;
};

enum wt_moment_cause {
	WT_MOMENT_ATTACH = 1,
	WT_MOMENT_STOP,
	WT_MOMENT_PASS,
	WT_MOMENT_REFUSED,
};

struct wt_event {
	uint64_t handle;
	uint32_t kind;
	struct wt_answer *answers;
	size_t answer_count;
};

struct wt_log_message {
	uint32_t level;
	const char *text;
	uint32_t event; /* how many of the moment's events the client had received before it */
};

struct wt_moment {
	uint32_t number; /* set by the writer */
	uint64_t process;
	enum wt_moment_cause cause;
	uint64_t call, time;
	uint32_t function; /* name of the API function whose call recorded the moment */
	int64_t status;	   /* of WT_MOMENT_REFUSED: what the library answered */
	const struct wt_event *events;
	size_t event_count;
	bool after_resume;
	const uint64_t *stop_requested;
	size_t stop_requested_count;
	const struct wt_log_message *log;
	size_t log_count;
};

enum wt_notice_kind { WT_NOTICE_NOT_TAKEN = 1, WT_NOTICE_LOST, WT_NOTICE_CONTEXT };

/* Reasons of a writer that had to end a trace early. */
#define WT_END_DISK_FULL "disk full"
#define WT_END_WRITER_FAILED "writer failed"
#define WT_END_MAX_BYTES "byte budget spent"
#define WT_END_MAX_MEMORY "memory budget spent"
/** Reasons of a recorder that had to end a trace early. */
#define WT_END_DISK_SPENT "disk budget spent"
#define WT_END_RECORDER_FAILED "recorder failed"
/** The reason in a trace whose later parts were left out. */
#define WT_END_TRIMMED "trimmed"

#endif /* WT_TRACE_FORMAT_STATE_RECORD_H */
