/* SPDX-License-Identifier: MIT */
/* Reading the journal along with the stops: what comes before a stop in the journal is handed on before it. */
#ifndef WT_CLI_FILES_JOURNAL_WITH_STOPS_H
#define WT_CLI_FILES_JOURNAL_WITH_STOPS_H

#include "replayer/view/stops.h"

/* Set the first two; all else is zero at first. */
struct wt_cli_journal_with_stops {
	struct wt_error *(*take)(void *opaque, const struct wt_journal_record *record);
	void *opaque;
	struct wt_journal *journal;
	bool at_end;
	struct wt_error *error; /* that ended it */
};

/** Read the journal as stops are found, from now on. */
struct wt_error *wt_cli_journal_with_stops_begin(struct wt_cli_journal_with_stops *beside,
						 struct wt_stops *stops);

/** Find the next stop, as wt_stops_next(). Errors: of the journal, too. */
struct wt_error *wt_cli_journal_with_stops_next(struct wt_cli_journal_with_stops *beside,
						struct wt_stops *stops, bool *found_ret);

/** Read the rest of the journal. */
struct wt_error *wt_cli_journal_with_stops_end(struct wt_cli_journal_with_stops *beside,
					       struct wt_stops *stops);
void wt_cli_journal_with_stops_deinit(struct wt_cli_journal_with_stops *beside);

#endif /* WT_CLI_FILES_JOURNAL_WITH_STOPS_H */
