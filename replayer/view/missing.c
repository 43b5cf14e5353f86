/* SPDX-License-Identifier: MIT */
#include "replayer/view/missing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wt_losses_note(struct wt_losses *losses, const struct wt_journal_record *record)
{
	/* Losses that the reader itself tells of are in its damage, too. */
	if (record->kind == WT_JOURNAL_NOTICE && record->notice_body)
		wt_losses_add(losses, record->notice_kind, record->notice_call);
}

__attribute__((format(printf, 2, 3))) static void missing_add(struct wt_missing *missing,
							      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(missing->reasons[missing->count++], WT_MISSING_MAX, format, arguments);
	va_end(arguments);
}

/* Is something lost? That a trace was not closed is one piece of damage, and does not count here. */
static bool has_lost_part(const struct wt_reader *reader, bool closed)
{
	size_t count = wt_reader_damage_count(reader), losses = 0;

	for (size_t i = 0; i < count; i++)
		losses += wt_reader_damage_at(reader, i)->loss;
	return closed ? wt_reader_has_loss(reader) : losses > 1;
}

bool wt_recorded_with(const struct wt_trace_info *info, const char *word)
{
	const char *words = info->policy;
	size_t length = strlen(word);

	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t here = strcspn(words, " ");

		if (here == length && !memcmp(words, word, length))
			return true;
		words += here;
	}
	return false;
}

void wt_missing_find(const struct wt_reader *reader, const struct wt_losses *losses,
		     struct wt_missing *missing_ret)
{
	struct wt_missing missing = {0};
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	if (!info.complete)
		missing_add(&missing, "the recording was not closed, or its end is lost");
	if (info.cut)
		missing_add(&missing, "the recording ended early: %s", info.end_reason);
	if (has_lost_part(reader, info.complete))
		missing_add(&missing, "part of the trace is lost");
	if (losses->told)
		missing_add(&missing, "something was lost, as the notices say");
	missing.complete = !missing.count;
	if (wt_recorded_with(&info, "journal-only"))
		missing_add(&missing, "no state was recorded (journal-only)");
	if (info.part.stops_before || info.part.calls_before ||
	    (info.end_reason && !strcmp(info.end_reason, WT_END_TRIMMED)))
		missing_add(&missing, "it is part of a longer recording");
	*missing_ret = missing;
}

struct wt_error *wt_missing_read(struct wt_reader *reader, struct wt_missing *missing_ret)
{
	const struct wt_journal_record *record = NULL;
	struct wt_losses losses = {0};
	struct wt_journal *journal;
	struct wt_error *error = wt_journal_open(reader, &journal);

	if (error)
		return error;
	do {
		error = wt_journal_next(journal, &record);
		if (!error && record)
			wt_losses_note(&losses, record);
	} while (!error && record);
	wt_journal_close(journal);
	if (!error)
		wt_missing_find(reader, &losses, missing_ret);
	return error;
}

const char *wt_missing_text(const struct wt_missing *missing, char buffer[WT_MISSING_TEXT])
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < missing->count && used < WT_MISSING_TEXT; i++)
		used += (size_t)snprintf(buffer + used, WT_MISSING_TEXT - used, "%s%s",
					 i ? "; " : "", missing->reasons[i]);
	return buffer;
}
