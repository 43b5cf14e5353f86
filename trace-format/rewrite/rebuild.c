/* SPDX-License-Identifier: MIT */
#include "trace-format/rewrite/rebuild.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/reader/chunk-load.h"
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

struct wt_error *wt_rebuild_moment(struct wt_rebuild *rebuild, uint32_t number)
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

struct wt_error *wt_rebuild_notice(struct wt_rebuild *rebuild, const uint8_t *body, size_t size,
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
		return wt_rebuild_moment(rebuild, record->moment);
	case WT_JOURNAL_NOTICE:
		if (record->notice_body)
			return wt_rebuild_notice(rebuild, record->notice_body, record->notice_size,
						 record->notice_is_host);
		return wt_writer_notice(writer, record->notice_kind, record->notice_call,
					record->notice);
	}
	return NULL;
}
