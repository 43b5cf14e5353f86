/* SPDX-License-Identifier: MIT */
/* The calls of the recorded client. */
#include <stdlib.h>

#include "libwavetape/handles.h"
#include "replayer/journal/call-text.h"

static const char cannot_show[] = "cannot show the journal";

struct wavetape_journal {
	struct wavetape_trace *trace;
	struct wt_journal *walk;
	const struct wt_journal_record *record; /* that was returned last; NULL at the end */
	struct wt_shown_call call;		/* that began last */
	char text[WT_SHOWN_VALUE];
};

struct wavetape_error *wavetape_journal_open(struct wavetape_trace *trace,
					     struct wavetape_journal **journal_ret)
{
	struct wavetape_journal *journal;
	struct wt_error *error;

	if (!trace || !journal_ret)
		return wt_wrong_argument(cannot_show,
					 "the trace or the place for the journal is NULL");
	journal = calloc(1, sizeof(*journal));
	if (!journal)
		return wt_public(&wt_error_no_memory);
	error = wt_journal_open(trace->reader, &journal->walk);
	if (error) {
		free(journal);
		return wt_public(error);
	}
	journal->trace = trace;
	trace->users++;
	*journal_ret = journal;
	return NULL;
}

void wavetape_journal_close(struct wavetape_journal *journal)
{
	if (!journal)
		return;
	wt_shown_call_deinit(&journal->call);
	wt_journal_close(journal->walk);
	wt_trace_release(journal->trace);
	free(journal);
}

struct wavetape_error *wavetape_journal_next(struct wavetape_journal *journal,
					     struct wavetape_entry *entry_ret)
{
	struct wavetape_entry entry = {0};
	struct wt_error *error;

	if (!journal || !entry_ret)
		return wt_wrong_argument(cannot_show,
					 "the journal or the place for the entry is NULL");
	do {
		error = wt_journal_next(journal->walk, &journal->record);
		if (!error && journal->record)
			error = wt_shown_entry_take(&journal->call, journal->trace->reader,
						    journal->record, &entry);
	} while (!error && journal->record && journal->record->kind == WT_JOURNAL_MOMENT);
	if (error) {
		journal->record = NULL;
		return wt_public(error);
	}
	return wt_give(cannot_show, &entry, sizeof(entry), entry_ret);
}

/* The value and its parameter; NULL if there is none. */
static const struct wt_value *entry_value_find(const struct wavetape_journal *journal, size_t index,
					       const struct wt_parameter **parameter_ret)
{
	const struct wt_journal_record *record = journal->record;

	*parameter_ret = NULL;
	if (!record)
		return NULL;
	if (record->kind == WT_JOURNAL_BEGIN && index < record->begin.input_count) {
		*parameter_ret = wt_shown_call_input(&journal->call, index);
		return &record->begin.inputs[index];
	}
	if (record->kind == WT_JOURNAL_CALLBACK && index < record->callback.input_count)
		return &record->callback.inputs[index];
	if (record->kind == WT_JOURNAL_END && journal->call.returned &&
	    index < record->end.output_count) {
		*parameter_ret = wt_shown_call_output(&journal->call, index);
		return &record->end.outputs[index];
	}
	return NULL;
}

struct wavetape_error *wavetape_journal_value(struct wavetape_journal *journal, size_t index,
					      struct wavetape_argument_text *value_ret)
{
	struct wavetape_argument_text filled = {0};
	const struct wt_parameter *parameter;
	const struct wt_value *value;

	if (!journal)
		return wt_wrong_argument(cannot_show, "the journal is NULL");
	value = entry_value_find(journal, index, &parameter);
	if (!value)
		return wt_wrong_argument(cannot_show, "the entry has fewer values");
	filled.name = parameter ? parameter->name : NULL;
	if (value->form != WT_VALUE_ABSENT) {
		wt_shown_value_text(&journal->call, parameter, value, journal->text);
		filled.text = journal->text;
	}
	return wt_give(cannot_show, &filled, sizeof(filled), value_ret);
}
