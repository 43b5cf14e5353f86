/* SPDX-License-Identifier: MIT */
/* The journal as JSON: an object for each call and each notice. */
#ifndef WT_CLI_LOOK_JOURNAL_JSON_H
#define WT_CLI_LOOK_JOURNAL_JSON_H

#include <jansson.h>

#include "replayer/journal/call-text.h"

/* Zeros but for what is said of the first three. */
struct wt_cli_calls_json {
	const struct wt_reader *reader;
	struct wt_shown_call_filter filter;
	json_t *array; /* gets the objects; the caller's. All are whole while `call` is not open */
	struct wt_shown_call call;
	json_t *json; /* of `call`, in `array` */
	bool shown;   /* `call` passed the filter */
};

/** Take the next record of the journal. Errors: no memory. */
struct wt_error *wt_cli_calls_json_take(struct wt_cli_calls_json *calls,
					const struct wt_journal_record *record);
void wt_cli_calls_json_deinit(struct wt_cli_calls_json *calls);

#endif /* WT_CLI_LOOK_JOURNAL_JSON_H */
