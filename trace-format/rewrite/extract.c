/* SPDX-License-Identifier: MIT */
#include "trace-format/rewrite/extract.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/read-journal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/writer/internal.h"

/* Facts in one packet: few enough that it stays far below the limit for packets. */
#define FACTS_AT_ONCE 64u

struct wt_writer_options wt_rebuild_options(const struct wt_reader *reader,
					    const struct wt_trace_info *info, int compression)
{
	return (struct wt_writer_options){
		.size = sizeof(struct wt_writer_options),
		.recorder = info->recorder,
		.api_level = info->api_level,
		.library_version = info->library_version,
		.library_build_name = info->library_build_name,
		.command_line = info->command_line,
		.process_id = info->process_id,
		.start_time = info->start_time,
		.reproducible = info->reproducible,
		.policy = info->policy,
		.redacted = info->redacted,
		.client_level = info->client_level,
		.compression = compression,
		.name_gaps = wt_reader_has_name_gaps(reader),
		.part = info->part.stops_before || info->part.calls_before ? &info->part : NULL,
	};
}

/*
 * All names keep their numbers, so that what refers to them can be written as it was read. Those that are lost leave gaps: how
 * many they are is nothing but a number in a damaged file.
 */
struct wt_error *wt_rebuild_names(struct wt_rebuild *rebuild)
{
	uint32_t last = wt_reader_last_name(rebuild->reader);

	for (uint32_t number = 1; number <= last; number++) {
		const char *text = wt_reader_name(rebuild->reader, number);

		if (text && !wt_names_set(&rebuild->writer->names, number, text, strlen(text)))
			return &wt_error_no_memory;
	}
	return NULL;
}

struct wt_error *wt_rebuild_facts(struct wt_rebuild *rebuild)
{
	const struct wt_item *items[FACTS_AT_ONCE];
	struct wt_state *facts;
	struct wt_error *error = wt_reader_facts(rebuild->reader, &facts);
	size_t count, used = 0;

	if (error)
		return error;
	count = wt_state_count(facts);
	for (size_t i = 0; !error && i < count; i++) {
		items[used++] = wt_state_at(facts, i);
		if (used < FACTS_AT_ONCE && i + 1 < count)
			continue;
		error = wt_writer_facts(rebuild->writer, items, used);
		used = 0;
	}
	wt_state_destroy(facts);
	return error;
}

static struct wt_error *tell_lost_moment(struct wt_rebuild *rebuild, uint32_t number,
					 const char *why)
{
	wt_cleanup_free char *text = NULL;

	if (asprintf(&text, "moment %u of the damaged trace is left out: %s", number, why) < 0) {
		text = NULL;
		return &wt_error_no_memory;
	}
	return wt_writer_notice(rebuild->writer, WT_NOTICE_LOST, 0, text);
}

/* Write a moment with its state, or a Notice in its place if it is lost. */
static struct wt_error *rebuild_moment(struct wt_rebuild *rebuild, uint32_t number)
{
	const struct wt_moment *moment;
	const struct wt_state *state;
	struct wt_error *error = wt_reader_moment(rebuild->reader, number, &moment), *told;

	if (!error)
		error = wt_reader_own_state(rebuild->reader, number, &state);
	if (wt_rebuild_is_loss(error)) {
		told = tell_lost_moment(rebuild, number, error->why);
		wt_error_destroy(error);
		return told;
	}
	/* The writer compares it with the one before. */
	if (!error)
		error = wt_reader_work(rebuild->reader,
				       wt_state_count(state) * sizeof(struct wt_item));
	return error ? error : wt_writer_moment(rebuild->writer, moment, state);
}

/* Write a Notice with its whole body, including fields that this version does not know. */
static struct wt_error *rebuild_notice(struct wt_rebuild *rebuild, const uint8_t *body, size_t size,
				       bool has_host)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(rebuild->writer, WT_PACKET_NOTICE, &packet);

	if (error)
		return error;
	wt_buffer_append(packet, body, size);
	error = wt_tape_end(rebuild->writer->tape, has_host);
	return error ? error : wt_tape_flush(rebuild->writer->tape);
}

struct wt_error *wt_rebuild_record(struct wt_rebuild *rebuild,
				   const struct wt_journal_record *record)
{
	struct wt_writer *writer = rebuild->writer;

	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		return wt_writer_call_begin(writer, &record->begin);
	case WT_JOURNAL_CALLBACK:
		return wt_writer_callback(writer, &record->callback);
	case WT_JOURNAL_END:
		return wt_writer_call_end(writer, &record->end);
	case WT_JOURNAL_MOMENT:
		return rebuild_moment(rebuild, record->moment);
	case WT_JOURNAL_NOTICE:
		if (record->notice_body)
			return rebuild_notice(rebuild, record->notice_body, record->notice_size,
					      record->notice_is_host);
		return wt_writer_notice(writer, record->notice_kind, record->notice_call,
					record->notice);
	}
	return NULL;
}

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
				error = rebuild_notice(&extract->rebuild,
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
			error = rebuild_moment(&extract->rebuild, i);
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
