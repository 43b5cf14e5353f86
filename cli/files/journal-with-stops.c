/* SPDX-License-Identifier: MIT */
#include "cli/files/journal-with-stops.h"

#include "base/cleanup.h"

static struct wt_error *journal_read_until(struct wt_cli_journal_with_stops *beside,
					   uint32_t moment)
{
	const struct wt_journal_record *record;
	struct wt_error *error = NULL;

	while (!beside->at_end && !error) {
		error = wt_journal_next(beside->journal, &record);
		if (error)
			break;
		beside->at_end = !record;
		if (!record || (record->kind == WT_JOURNAL_MOMENT && record->moment >= moment))
			break;
		error = beside->take(beside->opaque, record);
	}
	return error;
}

static void journal_read_before(void *opaque, uint32_t moment)
{
	struct wt_cli_journal_with_stops *beside = opaque;

	if (!beside->error)
		beside->error = journal_read_until(beside, moment);
}

struct wt_error *wt_cli_journal_with_stops_begin(struct wt_cli_journal_with_stops *beside,
						 struct wt_stops *stops)
{
	stops->beside = journal_read_before;
	stops->opaque = beside;
	return wt_journal_open(stops->reader, &beside->journal);
}

struct wt_error *wt_cli_journal_with_stops_next(struct wt_cli_journal_with_stops *beside,
						struct wt_stops *stops, bool *found_ret)
{
	struct wt_error *error = wt_stops_next(stops, found_ret);

	return error ? error : wt_take(beside->error);
}

struct wt_error *wt_cli_journal_with_stops_end(struct wt_cli_journal_with_stops *beside,
					       struct wt_stops *stops)
{
	stops->beside = NULL;
	return beside->error ? wt_take(beside->error) : journal_read_until(beside, UINT32_MAX);
}

void wt_cli_journal_with_stops_deinit(struct wt_cli_journal_with_stops *beside)
{
	wt_journal_close(beside->journal);
	wt_error_destroy(beside->error);
}
