/* SPDX-License-Identifier: MIT */
/*
 * Why there may have been more than a trace has. Whoever says "there is none" of something says this, too: in a
 * trace that is cut or damaged, it may have been in the part that is missing.
 */
#ifndef WT_REPLAYER_VIEW_MISSING_H
#define WT_REPLAYER_VIEW_MISSING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace-format/reader/reader.h"

/* Losses that the journal tells of, collected while it is read. Zeros at first. */
struct wt_losses {
	bool told; /* it has a notice of a loss that is not about a single call */
};

/** Take note of a record of the journal. */
void wt_losses_note(struct wt_losses *losses, const struct wt_journal_record *record);

/** Take note of a notice of the recorder. */
static inline void wt_losses_add(struct wt_losses *losses, enum wt_notice_kind kind, uint64_t call)
{
	losses->told |= kind == WT_NOTICE_LOST && !call;
}

/** Is @word, which has no value, among the options that the trace was recorded with? */
bool wt_recorded_with(const struct wt_trace_info *info, const char *word);

#define WT_MISSING_REASONS 6
#define WT_MISSING_MAX 128

struct wt_missing {
	char reasons[WT_MISSING_REASONS][WT_MISSING_MAX];
	size_t count;
	bool complete; /* closed in order, not before the session was over, and nothing is lost */
};

/** Find the reasons. Only damage that was found so far counts: read the whole trace before. */
void wt_missing_find(const struct wt_reader *reader, const struct wt_losses *losses,
		     struct wt_missing *missing_ret);

/** The same, and reads the journal for it. */
struct wt_error *wt_missing_read(struct wt_reader *reader, struct wt_missing *missing_ret);

#define WT_MISSING_TEXT (WT_MISSING_REASONS * WT_MISSING_MAX)

/** The reasons in one line: "part of the trace is lost; the recording ended early: disk full". Returns @buffer. */
const char *wt_missing_text(const struct wt_missing *missing, char buffer[WT_MISSING_TEXT]);

#endif /* WT_REPLAYER_VIEW_MISSING_H */
