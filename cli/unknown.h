/* SPDX-License-Identifier: MIT */
/*
 * Why there may have been more than a trace has. A verb that says "there is none" of something says this, too: in a
 * trace that is cut or damaged, it may have been in the part that is missing.
 */
#ifndef WT_CLI_UNKNOWN_H
#define WT_CLI_UNKNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "trace-format/reader/reader.h"

/* What the journal says about losses, collected while it is read. Zeros at first. */
struct wt_cli_losses {
	bool told; /* it has a notice of a loss that is not about a single call */
};

/** Take note of a record of the journal. */
void wt_cli_losses_note(struct wt_cli_losses *losses, const struct wt_journal_record *record);

/** Take note of a notice of the recorder. */
static inline void wt_cli_losses_add(struct wt_cli_losses *losses, enum wt_notice_kind kind,
				     uint64_t call)
{
	losses->told |= kind == WT_NOTICE_LOST && !call;
}

/** Is @word, which has no value, among the options that the trace was recorded with? */
bool wt_cli_recorded_with(const struct wt_trace_info *info, const char *word);

#define WT_CLI_UNKNOWN_REASONS 6
#define WT_CLI_UNKNOWN_MAX 128

struct wt_cli_unknown {
	char reasons[WT_CLI_UNKNOWN_REASONS][WT_CLI_UNKNOWN_MAX];
	size_t count;
	bool complete; /* closed in order, not before the session was over, and nothing is lost */
};

/** Find the reasons. Only damage that was found so far counts: read the whole trace before. */
void wt_cli_unknown_find(const struct wt_reader *reader, const struct wt_cli_losses *losses,
			 struct wt_cli_unknown *unknown_ret);

/** The same, and reads the journal for it. */
struct wt_error *wt_cli_unknown_read(struct wt_reader *reader, struct wt_cli_unknown *unknown_ret);

#define WT_CLI_UNKNOWN_TEXT (WT_CLI_UNKNOWN_REASONS * WT_CLI_UNKNOWN_MAX)

/** The reasons in one line: "part of the trace is lost; the recording ended early: disk full". Returns @buffer. */
const char *wt_cli_unknown_text(const struct wt_cli_unknown *unknown,
				char buffer[WT_CLI_UNKNOWN_TEXT]);

/** The reasons as an array of strings. */
json_t *wt_cli_unknown_json(const struct wt_cli_unknown *unknown);

#endif /* WT_CLI_UNKNOWN_H */
