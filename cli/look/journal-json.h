/* SPDX-License-Identifier: MIT */
/* The journal as JSON: an object for each call and each notice. */
#ifndef WT_CLI_LOOK_JOURNAL_JSON_H
#define WT_CLI_LOOK_JOURNAL_JSON_H

#include <jansson.h>

#include "replayer/journal/call-text.h"

/* Zeros but for what is said of the first four. A long journal is never in memory as a whole. */
struct wt_cli_calls_json {
	const struct wt_reader *reader;
	struct wt_shown_call_filter filter;
	/* Is handed each object, in order, when nothing is added to it any more; the reference is not its own. */
	struct wt_error *(*put)(void *opaque, json_t *entry);
	void *opaque;
	json_t *waiting; /* objects that were not put yet, since a call before them did not return */
	struct wt_shown_call call;
	json_t *json; /* of `call`, in `waiting` */
	bool shown;   /* `call` passed the filter */
};

/** Take the next record of the journal. Errors: no memory; what `put` returns. */
struct wt_error *wt_cli_calls_json_take(struct wt_cli_calls_json *calls,
					const struct wt_journal_record *record);

/** Put what waits, when the journal is at its end: nothing returns any more. Errors: what `put` returns. */
struct wt_error *wt_cli_calls_json_end(struct wt_cli_calls_json *calls);
void wt_cli_calls_json_deinit(struct wt_cli_calls_json *calls);

#endif /* WT_CLI_LOOK_JOURNAL_JSON_H */
