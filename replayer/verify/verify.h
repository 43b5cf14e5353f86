/* SPDX-License-Identifier: MIT */
/*
 * Verification of a replay: every call in the journal of a trace is made again to an implementation of the API. Every
 * status, every output byte and every callback is compared with the trace.
 *
 * There are two modes. In step, the library answers as to a client that makes the recorded calls. From state, it answers
 * as to a client that makes other calls; a difference then shows what the state lacks.
 *
 * Values that mean nothing in another process are compared for presence only (`identity` queries: notifier, process id).
 * Opaque pointers are compared by their number in order of appearance. Log messages are compared in step as the callbacks
 * that they are. From state they are compared as one sequence with the messages that the moments hold: the other recorded
 * messages were made where no moment was.
 */
#ifndef WT_REPLAYER_VERIFY_VERIFY_H
#define WT_REPLAYER_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dbgapi/table/api.h"
#include "replayer/journal/calls.h"
#include "replayer/verify/differences.h"
#include "trace-format/reader/reader.h"

struct wt_verify_result {
	uint64_t calls;	     /* driven and compared */
	uint64_t callbacks;  /* compared */
	uint64_t bytes;	     /* of outputs compared */
	uint64_t not_driven; /* calls whose arguments no one could give: see verify.c */
	uint64_t redacted;   /* calls that carry memory, in a trace that was recorded without any */
	/*
	 * Something between the calls is lost, of a damaged trace or of the one that this was recovered from:
	 * no call from here on can be compared. Those that are there count as not driven.
	 */
	bool lost;
	uint64_t lost_call; /* the first one that is not compared */
	char lost_why[WT_CALLS_WHY_MAX];
	bool unfinished; /* the journal ends in a call without an end: the process was killed */
	uint64_t unfinished_call;
	struct wt_differences differences;
};

struct wt_verify_options {
	size_t size;					/* of this structure */
	void (*progress)(void *opaque, uint64_t calls); /* after each call; may be NULL */
	void *opaque;
	/* The library was told not to look at the recorded calls (WAVETAPE_REPLAY_OPTIONS). */
	bool from_state;
	/* A client that has made so many of the calls makes one of its own, and has turned away; 0: it never does. */
	uint64_t turn_at;
};

/**
 * Drive the journal of a trace.
 *
 * @api: as wt_api_load() gave it. It replays the trace that WAVETAPE_TRACE named when it was
 *	initialized: the caller sets that. It must not be initialized, unless it was driven in step
 *	before and is now from state, and is not when this returns, unless the journal left it so.
 * @result_ret: the caller calls wt_verify_deinit().
 *
 * Errors: those of the reader. Differences are no error. Not thread-safe: callbacks have no
 * context.
 */
struct wt_error *wt_verify_run(struct wt_reader *reader, const struct wt_api *api,
			       const struct wt_verify_options *options,
			       struct wt_verify_result *result_ret);
void wt_verify_deinit(struct wt_verify_result *result);

/**
 * Are two traces the same up to times? Compared are header facts, facts, moments with their events
 * and states, and the journal; names by their text, numbers of moments and calls as they are. Not
 * compared are times, process ids, the file's id, how it is stored, command line and recorder, and
 * the values of `identity` queries.
 *
 * @differences_ret: the caller calls wt_differences_deinit(). `function` is empty for what is no
 * call.
 */
struct wt_error *wt_trace_compare(struct wt_reader *a, struct wt_reader *b,
				  struct wt_differences *differences_ret);

#endif /* WT_REPLAYER_VERIFY_VERIFY_H */
