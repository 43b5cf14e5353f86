/* SPDX-License-Identifier: MIT */
#include "trace-format/rewrite/extract.h"

#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/read-journal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/writer/internal.h"

/* The findings of a pass over the moments so far. */
struct search {
	uint32_t stops; /* seen */
	uint32_t attach;
	uint64_t call; /* the last one before the moment before */
	bool found_first, found_last;
};

static void see_moment(struct wt_extract *extract, struct search *search,
		       const struct wt_moment *moment, uint32_t number, uint32_t first,
		       uint32_t last)
{
	if (moment->cause == WT_MOMENT_ATTACH && !search->found_first)
		search->attach = number;
	if (moment->cause != WT_MOMENT_STOP)
		return;
	if (search->stops == first) {
		extract->first = number;
		if (first)
			extract->part.calls_before = search->call;
		search->found_first = true;
	}
	if (search->stops == last) {
		extract->last = number;
		search->found_last = true;
	}
	search->stops++;
}

struct wt_error *wt_extract_plan(struct wt_extract *extract, uint32_t first, uint32_t last)
{
	struct wt_reader *reader = extract->rebuild.reader;
	uint32_t count = wt_reader_moment_count(reader);
	struct search search = {.attach = WT_NO_MOMENT};
	const struct wt_moment *moment;
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	extract->part = info.part;
	extract->part.stops_before += first;
	for (uint32_t i = 0; i < count && !search.found_last; i++) {
		struct wt_error *error = wt_reader_moment(reader, i, &moment);

		if (error)
			return error;
		see_moment(extract, &search, moment, i, first, last);
		search.call = moment->call;
	}
	if (!search.found_last)
		return wt_error_create(WT_ERROR_USAGE, "cannot trim the trace",
				       wt_reader_path(reader),
				       "there is no stop %u: the trace has %u, counted from 1",
				       last + 1, search.stops);
	extract->attach = search.attach;
	extract->whole_start = !first;
	return NULL;
}

/* The calls that are kept begin behind the moment before the first one. */
static struct wt_error *open_journal(struct wt_extract *extract, struct wt_journal **journal_ret)
{
	struct wt_reader *reader = extract->rebuild.reader;
	size_t place = 0;
	struct wt_error *error = NULL;

	if (!extract->whole_start)
		error = wt_reader_find_moment(reader, extract->first - 1, &place);
	return error ? error : wt_journal_open_at(reader, place, journal_ret);
}

/* Does a record belong to the part? What began before it does not. */
static bool record_belongs(const struct wt_extract *extract, const struct wt_journal_record *record)
{
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		return record->begin.number > extract->part.calls_before;
	case WT_JOURNAL_CALLBACK:
		return record->callback.call > extract->part.calls_before;
	case WT_JOURNAL_END:
		return record->end.number > extract->part.calls_before;
	case WT_JOURNAL_MOMENT:
	case WT_JOURNAL_NOTICE:
		return true;
	}
	return false;
}

/* @inside: behind the moment before the first one. */
static struct wt_error *extract_take_record(struct wt_extract *extract, bool *inside,
					    const struct wt_journal_record *record, bool *done_ret)
{
	bool is_moment = record->kind == WT_JOURNAL_MOMENT;

	*done_ret = is_moment && record->moment > extract->last;
	if (*done_ret)
		return NULL;
	if (!*inside) {
		*inside = is_moment && record->moment + 1 == extract->first;
		return NULL;
	}
	return record_belongs(extract, record) ? wt_rebuild_record(&extract->rebuild, record)
					       : NULL;
}

static struct wt_error *extract_take_journal(struct wt_extract *extract)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_error *error = open_journal(extract, &journal);
	bool inside = extract->whole_start, done = false;

	if (error)
		return error;
	while (!done) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		error = extract_take_record(extract, &inside, record, &done);
		if (error)
			break;
		if (extract->progress && record->kind == WT_JOURNAL_MOMENT &&
		    record->moment >= extract->first)
			extract->progress(extract->opaque, record->moment - extract->first,
					  extract->last - extract->first + 1);
	}
	wt_journal_close(journal);
	return error;
}

/* Facts of the host hold for every part; they are told at the start of a recording. */
static struct wt_error *take_hosts(struct wt_extract *extract)
{
	struct wt_reader *reader = extract->rebuild.reader;
	struct wt_error *error = NULL;
	size_t end = 0;

	if (!extract->whole_start)
		error = wt_reader_find_moment(reader, extract->first - 1, &end);
	for (size_t i = 0; !error && !extract->whole_start && i <= end; i++) {
		struct wt_chunk *chunk;

		if (!(wt_reader_chunk_entry(reader, i)->chunk.contents &
		      wt_packet_content(WT_PACKET_NOTICE)))
			continue;
		error = wt_reader_chunk(reader, i, &chunk);
		if (error)
			break;
		for (size_t j = 0; !error && j < chunk->packet_count; j++) {
			const struct wt_packet *packet = &chunk->packets[j];

			/* From here on they are taken with the rest of the journal. */
			if (packet->field == WT_PACKET_MOMENT &&
			    packet->moment + 1 >= extract->first)
				break;
			if (packet->field == WT_PACKET_NOTICE &&
			    wt_packet_count_field(chunk, packet, WT_FIELD_NOTICE_HOST))
				error = wt_rebuild_notice(&extract->rebuild,
							  chunk->raw + packet->offset, packet->size,
							  true);
		}
		wt_chunk_release(chunk);
	}
	return error;
}

/* Was a process attached to again, from a position on? */
static struct wt_error *find_again(const struct wt_extract *extract, uint32_t from,
				   uint64_t process, bool *found_ret)
{
	*found_ret = false;
	for (uint32_t i = from; i < extract->first && !*found_ret; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(extract->rebuild.reader, i, &moment);

		if (error)
			return error;
		*found_ret = moment->cause == WT_MOMENT_ATTACH && moment->process == process;
	}
	return NULL;
}

/*
 * Is the moment the ATTACH of a process that was still attached to where the part begins? Several may be at once.
 * @state: there.
 */
static struct wt_error *attach_is_needed(const struct wt_extract *extract,
					 const struct wt_state *state, uint32_t number,
					 bool *needed_ret)
{
	struct wt_reader *reader = extract->rebuild.reader;
	struct wt_key key = {.type = WT_ITEM_OBJECT,
			     .kind = wt_reader_name_number(reader, "process")};
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(reader, number, &moment);
	bool again = false;

	*needed_ret = false;
	if (error || moment->cause != WT_MOMENT_ATTACH)
		return error;
	key.owner = moment->process;
	if (number != extract->attach && key.kind && wt_state_get(state, &key))
		error = find_again(extract, number + 1, moment->process, &again);
	else
		again = number != extract->attach;
	*needed_ret = !again;
	return error;
}

static struct wt_error *take_attaches(struct wt_extract *extract)
{
	struct wt_error *error;
	struct wt_state *state;

	if (extract->whole_start || extract->attach == WT_NO_MOMENT)
		return NULL;
	error = wt_reader_state(extract->rebuild.reader, extract->first, &state);
	if (error)
		return error;
	for (uint32_t i = 0; !error && i < extract->first; i++) {
		bool needed;

		error = attach_is_needed(extract, state, i, &needed);
		if (!error && needed)
			error = wt_rebuild_moment(&extract->rebuild, i);
	}
	wt_state_destroy(state);
	return error;
}

struct wt_error *wt_extract_run(struct wt_extract *extract)
{
	struct wt_rebuild *rebuild = &extract->rebuild;
	struct wt_error *error = wt_rebuild_names(rebuild);

	if (!error)
		error = wt_rebuild_facts(rebuild);
	if (!error)
		error = take_hosts(extract);
	if (!error)
		error = take_attaches(extract);
	return error ? error : extract_take_journal(extract);
}
