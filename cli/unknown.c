/* SPDX-License-Identifier: MIT */
#include "cli/unknown.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wt_cli_losses_note(struct wt_cli_losses *losses, const struct wt_journal_record *record)
{
	/* What the reader itself tells of is in its damage, too. */
	if (record->kind == WT_JOURNAL_NOTICE && record->notice_body)
		wt_cli_losses_add(losses, record->notice_kind, record->notice_call);
}

__attribute__((format(printf, 2, 3))) static void add(struct wt_cli_unknown *unknown,
						      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(unknown->reasons[unknown->count++], WT_CLI_UNKNOWN_MAX, format, arguments);
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

bool wt_cli_recorded_with(const struct wt_trace_info *info, const char *word)
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

void wt_cli_unknown_find(const struct wt_reader *reader, const struct wt_cli_losses *losses,
			 struct wt_cli_unknown *unknown_ret)
{
	struct wt_cli_unknown unknown = {0};
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	if (!info.complete)
		add(&unknown, "the recording was not closed, or its end is lost");
	if (info.cut)
		add(&unknown, "the recording ended early: %s", info.end_reason);
	if (has_lost_part(reader, info.complete))
		add(&unknown, "part of the trace is lost");
	if (losses->told)
		add(&unknown, "something was lost, as the notices say");
	unknown.complete = !unknown.count;
	if (wt_cli_recorded_with(&info, "journal-only"))
		add(&unknown, "no state was recorded (journal-only)");
	if (info.part.stops_before || info.part.calls_before ||
	    (info.end_reason && !strcmp(info.end_reason, WT_END_TRIMMED)))
		add(&unknown, "it is part of a longer recording");
	*unknown_ret = unknown;
}

struct wt_error *wt_cli_unknown_read(struct wt_reader *reader, struct wt_cli_unknown *unknown_ret)
{
	const struct wt_journal_record *record = NULL;
	struct wt_cli_losses losses = {0};
	struct wt_journal *journal;
	struct wt_error *error = wt_journal_open(reader, &journal);

	if (error)
		return error;
	do {
		error = wt_journal_next(journal, &record);
		if (!error && record)
			wt_cli_losses_note(&losses, record);
	} while (!error && record);
	wt_journal_close(journal);
	if (!error)
		wt_cli_unknown_find(reader, &losses, unknown_ret);
	return error;
}

const char *wt_cli_unknown_text(const struct wt_cli_unknown *unknown,
				char buffer[WT_CLI_UNKNOWN_TEXT])
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < unknown->count && used < WT_CLI_UNKNOWN_TEXT; i++)
		used += (size_t)snprintf(buffer + used, WT_CLI_UNKNOWN_TEXT - used, "%s%s",
					 i ? "; " : "", unknown->reasons[i]);
	return buffer;
}

json_t *wt_cli_unknown_json(const struct wt_cli_unknown *unknown)
{
	json_t *array = json_array();

	for (size_t i = 0; i < unknown->count; i++)
		json_array_append_new(array, json_string(unknown->reasons[i]));
	return array;
}
