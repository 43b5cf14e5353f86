/* SPDX-License-Identifier: MIT */
/* A call of the journal while it is read: its name and inputs, how its values are shown, and which calls are wanted. */
#ifndef WT_REPLAYER_JOURNAL_CALL_TEXT_H
#define WT_REPLAYER_JOURNAL_CALL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dbgapi/table/api.h"
#include "replayer/facts/fields.h"
#include "trace-format/reader/reader.h"

#define WT_SHOWN_LOST_NAME 32
#define WT_SHOWN_VALUE 640

/* A call whose begin has been read, and whose end may follow. Zeros at first. */
struct wt_shown_call {
	const struct wt_function_info *function; /* NULL: a name we do not know */
	const char *name;
	char lost_name[WT_SHOWN_LOST_NAME];
	char lost_callback[WT_SHOWN_LOST_NAME]; /* of the entry that was taken last */
	struct wt_value *inputs; /* a copy: records live until the next one is read */
	size_t input_count;
	uint64_t number, start; /* start: nanoseconds since the recording began */
	uint32_t thread;
	bool open;     /* begun and not ended */
	bool returned; /* the entry that was taken last is its end */
};

void wt_shown_call_deinit(struct wt_shown_call *call);

/** The parameter that the input, or the output, at @index belongs to; NULL if that is not known. */
const struct wt_parameter *wt_shown_call_input(const struct wt_shown_call *call, size_t index);
const struct wt_parameter *wt_shown_call_output(const struct wt_shown_call *call, size_t index);

/**
 * Take a record as an entry: the begin or the end of the call, or what is beside it. A moment is none, and leaves the entry as it is.
 *
 * Errors: no memory.
 */
struct wt_error *wt_shown_entry_take(struct wt_shown_call *call, const struct wt_reader *reader,
				     const struct wt_journal_record *record,
				     struct wavetape_entry *entry_ret);

/** A value as text. @parameter: may be NULL. Bytes of the trace may be in the text. */
void wt_shown_value_text(const struct wt_shown_call *call, const struct wt_parameter *parameter,
			 const struct wt_value *value, char text[WT_SHOWN_VALUE]);

/** Writes the answer to a query as text. @query: NULL if it is not known. */
void wt_shown_result_text(const struct wt_query *query, const struct wt_value *value,
			  char text[WT_SHOWN_VALUE]);

/* Which calls are wanted. */
struct wt_shown_call_filter {
	const char *function; /* only functions whose names hold this; NULL: all */
	uint64_t from, to;
};

bool wt_shown_call_is_in_range(const struct wt_shown_call_filter *filter, uint64_t number);
bool wt_shown_call_passes(const struct wt_shown_call_filter *filter,
			  const struct wt_shown_call *call);

#endif /* WT_REPLAYER_JOURNAL_CALL_TEXT_H */
