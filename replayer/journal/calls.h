/* SPDX-License-Identifier: MIT */
/*
 * Reads the journal as whole calls: each with its callbacks and its result, in the order in which the calls began. In the
 * journal, calls of several threads may overlap.
 *
 *     calls.c    whole calls
 *     cursor.c   where a client in step is in the journal, and whether a call of it matches a recorded one
 *
 * This room must not answer a call, nor change a state.
 */
#ifndef WT_REPLAYER_JOURNAL_CALLS_H
#define WT_REPLAYER_JOURNAL_CALLS_H

#include <sys/queue.h>

#include "dbgapi/table/api.h"
#include "dbgapi/table/invoke.h"
#include "trace-format/reader/reader.h"

/* Length of the text that says what is lost. */
#define WT_CALLS_WHY_MAX 256

/* Kinds of callbacks besides those of the table (enum wt_callback_kind). */
#define WT_CALLBACK_SYMBOLIZER ((int)WT_CALLBACK_COUNT)
#define WT_CALLBACK_UNKNOWN ((int)WT_CALLBACK_COUNT + 1)

/*
 * Values that are none are NULL. Each row has the bytes of its values behind it, in a block of memory of its own; the outputs
 * of a callback are in the block of its inputs.
 */
struct wt_whole_callback {
	int kind;
	struct wt_value *inputs, *outputs;
	size_t input_count, output_count;
	int64_t result;
};

/* Most calls with callbacks have one or two: the memory of an answer, and its count. */
#define WT_FEW_CALLBACKS 2u

struct wt_whole_call {
	uint64_t number;
	enum wt_function function;	   /* WT_FUNCTION_COUNT: not in our table */
	struct wt_value *inputs, *outputs; /* the inputs are in the block of the call itself */
	size_t input_count, output_count;
	struct wt_whole_callback *callbacks; /* few, as long as they are */
	size_t callback_count, callback_capacity;
	struct wt_whole_callback few[WT_FEW_CALLBACKS];
	bool ended;
	bool torn; /* it began after a loss, or while something was lost: see wt_calls.gap */
	int64_t status;
	TAILQ_ENTRY(wt_whole_call) link;
};

/* Names of a trace whose functions are remembered: more than a recorder of today gives. */
#define WT_CALLS_NAMES 1024u

struct wt_calls {
	struct wt_reader *reader;
	struct wt_journal *journal;
	TAILQ_HEAD(wt_whole_calls, wt_whole_call) pending;
	uint16_t functions[WT_CALLS_NAMES]; /* that names stand for, plus 1; 0: not looked up yet */
	bool at_end;
	uint64_t last; /* number of the call that began last */
	/*
	 * Something is lost between the calls: the reader says so, a number is missing, or the trace was recovered and has a
	 * notice about it.
	 */
	bool gap;
	char why[WT_CALLS_WHY_MAX];
	/* Called for every moment in the journal. Calls before it may not have been returned yet. */
	struct wt_error *(*moment)(void *opaque, uint32_t number);
	void *opaque;
};

struct wt_error *wt_calls_open(struct wt_reader *reader, struct wt_calls *calls_ret);
void wt_calls_close(struct wt_calls *calls);

/**
 * The next call, which the caller frees with wt_whole_call_destroy(); NULL at the end. Calls that have no result come last,
 * with `ended` false.
 */
struct wt_error *wt_calls_next(struct wt_calls *calls, struct wt_whole_call **call_ret);
void wt_whole_call_destroy(struct wt_whole_call *call);

/** Did the client pass a core dump to the library in this call? */
bool wt_whole_call_gives_core(const struct wt_whole_call *call);

#endif /* WT_REPLAYER_JOURNAL_CALLS_H */
