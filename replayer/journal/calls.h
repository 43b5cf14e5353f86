/* SPDX-License-Identifier: MIT */
/*
 * The journal as whole calls. Calls of several threads may overlap in it; they come out in the
 * order in which they began, each with its callbacks and its end.
 */
#ifndef WT_REPLAYER_JOURNAL_CALLS_H
#define WT_REPLAYER_JOURNAL_CALLS_H

#include <sys/queue.h>

#include "dbgapi/table/api.h"
#include "dbgapi/table/invoke.h"
#include "trace-format/reader/reader.h"

/* How much is said of what is lost. */
#define WT_CALLS_WHY_MAX 256

/* A callback as it was recorded. The symbolizer counts as one, past those of the table. */
#define WT_CALLBACK_SYMBOLIZER ((int)WT_CALLBACK_COUNT)
#define WT_CALLBACK_UNKNOWN ((int)WT_CALLBACK_COUNT + 1)

struct wt_whole_callback {
	int kind;
	struct wt_value inputs[WT_ARGUMENTS], outputs[WT_ARGUMENTS];
	size_t input_count, output_count;
	int64_t result;
};

struct wt_whole_call {
	uint64_t number;
	enum wt_function function; /* WT_FUNCTION_COUNT: none that we know */
	struct wt_value inputs[WT_ARGUMENTS], outputs[WT_ARGUMENTS];
	size_t input_count, output_count;
	struct wt_whole_callback *callbacks;
	size_t callback_count, callback_capacity;
	bool ended;
	bool torn; /* it began after something was lost, or while: see wt_calls.gap */
	int64_t status;
	TAILQ_ENTRY(wt_whole_call) link;
};

struct wt_calls {
	struct wt_reader *reader;
	struct wt_journal *journal;
	TAILQ_HEAD(wt_whole_calls, wt_whole_call) pending;
	bool at_end;
	uint64_t last; /* number of the call that began last */
	/*
	 * Something is lost between the calls: the reader says so, or a number is missing, or a notice of no
	 * call's tells of it, as a recovered trace has them.
	 */
	bool gap;
	char why[WT_CALLS_WHY_MAX];
	/* Called for every moment in the journal; the calls before it may not have come out yet. */
	struct wt_error *(*moment)(void *opaque, uint32_t number);
	void *opaque;
};

struct wt_error *wt_calls_open(struct wt_reader *reader, struct wt_calls *calls_ret);
void wt_calls_close(struct wt_calls *calls);

/**
 * The next call, which the caller frees with wt_whole_call_destroy(); NULL at the end. Calls that
 * have no end come with `ended` false, after all that have one.
 */
struct wt_error *wt_calls_next(struct wt_calls *calls, struct wt_whole_call **call_ret);
void wt_whole_call_destroy(struct wt_whole_call *call);

/** Did the client give the library a core in this call? */
bool wt_whole_call_gives_core(const struct wt_whole_call *call);

#endif /* WT_REPLAYER_JOURNAL_CALLS_H */
