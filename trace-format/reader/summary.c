/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/reader/blobs.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"

/* Memory for the lists, and for each byte of what they are decoded from: as for packets. */
#define LIST_SLACK ((size_t)1 << 20)
#define LIST_FACTOR 256u

static bool has_all_packets(const struct wt_reader *reader)
{
	for (size_t i = 0; i + 1 < reader->places.count; i++)
		if (!wt_reader_continues(reader, i))
			return false;
	return reader->places.closed && reader->places.count &&
	       !reader->places.at[0].entry.chunk.first_packet;
}

struct wt_error *wt_summary_keep(struct wt_reader *reader, const struct wt_block *block,
				 const struct wt_index *index)
{
	struct wt_summary *summary = &reader->summary;
	struct wt_cursor section = index->summary;
	uint32_t crc, reserved;

	if (!section.data)
		return NULL;
	summary->offset = block->offset;
	summary->size = WT_BLOCK_SIZE + block->stored;
	summary->fits = wt_cursor_u32(&section, &crc) && wt_cursor_u32(&section, &reserved) &&
			crc == wt_crc32c(0, index->chunks.data, index->chunks.remaining);
	free(summary->content);
	summary->content = malloc(section.remaining + 1);
	if (!summary->content)
		return &wt_error_no_memory;
	memcpy(summary->content, section.data, section.remaining);
	summary->content_size = section.remaining;
	return NULL;
}

void wt_summary_deinit(struct wt_summary *summary)
{
	free(summary->content);
	if (summary->looked_at)
		wt_arena_deinit(&summary->arena);
}

void wt_summary_refuse(struct wt_reader *reader, const char *why)
{
	struct wt_summary *summary = &reader->summary;

	summary->refused = true;
	wt_reader_note(reader, summary->offset, summary->size, false,
		       "the summary in the index at offset %llu is not used: %s",
		       (unsigned long long)summary->offset, why);
}

/* The fields of message Summary as bytes; NULL if they cannot be had. */
static uint8_t *summary_decompress(struct wt_reader *reader, size_t *size_ret)
{
	const struct wt_summary *summary = &reader->summary;
	unsigned long long size = ZSTD_getFrameContentSize(summary->content, summary->content_size);
	wt_cleanup_free uint8_t *raw = NULL;

	if (size > WT_LIMIT_RAW) /* also an error, or not known */
		return NULL;
	raw = malloc((size_t)size + 1);
	if (!reader->chunks.zstd)
		reader->chunks.zstd = ZSTD_createDCtx();
	reader->summary.no_memory = !raw || !reader->chunks.zstd;
	if (reader->summary.no_memory ||
	    ZSTD_decompressDCtx(reader->chunks.zstd, raw, (size_t)size, summary->content,
				summary->content_size) != size)
		return NULL;
	*size_ret = (size_t)size;
	return wt_take(raw);
}

static bool summary_take_codes(struct wt_arena *arena, const struct wt_packed_summary *message,
			       struct wt_stop_code **codes_ret)
{
	const struct wt_packed_listed_code *from = message->code.elements;
	struct wt_stop_code *codes = wt_arena_array(arena, message->code.count, sizeof(*codes));

	for (size_t i = 0; codes && i < message->code.count; i++)
		codes[i] = (struct wt_stop_code){
			.handle = from[i].handle,
			.load_address = from[i].load_address,
			.blobs = from[i].blob.elements,
			.blob_count = from[i].blob.count,
		};
	*codes_ret = codes;
	return codes;
}

/* The code objects of a stop: those of the one before, or others. False if there are none such. */
static bool take_stop_codes(struct wt_arena *arena, const struct wt_packed_summary *message,
			    const struct wt_stop_code *codes,
			    const struct wt_packed_listed_stop *from, const struct wt_stop *before,
			    struct wt_stop *stop)
{
	const uint32_t *positions = from->code.elements;

	if (from->same_code) {
		stop->code = before ? before->code : NULL;
		stop->code_count = before ? before->code_count : 0;
		return true;
	}
	stop->code = wt_arena_array(arena, from->code.count, sizeof(*stop->code));
	stop->code_count = from->code.count;
	for (size_t i = 0; stop->code && i < from->code.count; i++) {
		if (positions[i] >= message->code.count)
			return false;
		stop->code[i] = codes[positions[i]];
	}
	return stop->code;
}

static bool take_groups(struct wt_arena *arena, const struct wt_packed_listed_stop *from,
			struct wt_stop *stop)
{
	const struct wt_packed_listed_waves *groups = from->group.elements;

	stop->groups = wt_arena_array(arena, from->group.count, sizeof(*stop->groups));
	stop->group_count = from->group.count;
	for (size_t i = 0; stop->groups && i < from->group.count; i++)
		stop->groups[i] = (struct wt_stop_group){
			.reasons = groups[i].reasons,
			.count = groups[i].count,
			.wave = groups[i].wave,
			.known = groups[i].known,
			.pc = groups[i].pc,
			.architecture = groups[i].architecture,
			.entry = groups[i].entry,
		};
	return stop->groups;
}

static bool listed_stop_take_events(struct wt_arena *arena,
				    const struct wt_packed_listed_stop *from, struct wt_stop *stop)
{
	const struct wt_packed_listed_events *events = from->event.elements;

	stop->events = wt_arena_array(arena, from->event.count, sizeof(*stop->events));
	stop->event_count = from->event.count;
	for (size_t i = 0; stop->events && i < from->event.count; i++)
		stop->events[i] =
			(struct wt_stop_events){events[i].first, events[i].count, events[i].kind};
	return stop->events;
}

/* Could there be such a moment behind the one before? */
static bool is_possible(const struct wt_reader *reader, const struct wt_stop *stop,
			const struct wt_stop *before, uint64_t *events)
{
	for (size_t i = 0; i < stop->event_count; i++)
		if (__builtin_add_overflow(*events, stop->events[i].count, events) ||
		    *events > WT_LISTED_EVENTS_MAX)
			return false;
	return stop->moment < wt_reader_moment_count(reader) &&
	       (!before || stop->moment > before->moment);
}

static bool take_stops(struct wt_reader *reader, const struct wt_packed_summary *message)
{
	struct wt_summary *summary = &reader->summary;
	struct wt_arena *arena = &summary->arena;
	const struct wt_packed_listed_stop *listed = message->stop.elements;
	struct wt_stop_code *codes;
	uint64_t events = 0;

	summary->stops = wt_arena_array(arena, message->stop.count, sizeof(*summary->stops));
	if (!summary->stops || !summary_take_codes(arena, message, &codes))
		return false;
	for (size_t i = 0; i < message->stop.count; i++) {
		const struct wt_packed_listed_stop *from = &listed[i];
		const struct wt_stop *before = i ? &summary->stops[i - 1] : NULL;
		struct wt_stop *stop = &summary->stops[i];

		*stop = (struct wt_stop){.moment = from->moment,
					 .process = from->process,
					 .call = from->call,
					 .time = from->time,
					 .waves = from->waves};
		if (!listed_stop_take_events(arena, from, stop) ||
		    !take_groups(arena, from, stop) ||
		    !take_stop_codes(arena, message, codes, from, before, stop) ||
		    !is_possible(reader, stop, before, &events))
			return false;
	}
	summary->stop_count = message->stop.count;
	summary->has_stops = message->has_stops;
	return true;
}

/* The list is of use if each of them can be decoded: what is malformed in a chunk is so here, too. */
static bool take_notices(struct wt_reader *reader, const struct wt_packed_summary *message)
{
	struct wt_summary *summary = &reader->summary;
	struct wt_arena *arena = &summary->arena;
	const struct wt_cursor *bodies = message->notice.elements;
	struct wt_listed_notice *notices =
		wt_arena_array(arena, message->notice.count, sizeof(*notices));

	summary->has_notices = notices && message->has_notices;
	for (size_t i = 0; summary->has_notices && i < message->notice.count; i++) {
		struct wt_packed_notice notice;

		summary->has_notices = wt_wire_decode(&wt_message_notice, bodies[i], arena,
						      &notice) == WT_DECODED &&
				       !notice.host;
		if (summary->has_notices)
			notices[i] = (struct wt_listed_notice){
				.kind = (enum wt_notice_kind)notice.kind,
				.text = notice.text,
				.call = notice.call,
			};
	}
	summary->malformed_notices = message->has_notices && !summary->has_notices;
	summary->notices = notices;
	summary->notice_count = message->notice.count;
	summary->host_packet = message->host_packet;
	return notices;
}

/* Decodes the summary. Return: what is wrong with it; NULL: nothing, or there is no memory for it. */
static const char *summary_decode(struct wt_reader *reader)
{
	struct wt_summary *summary = &reader->summary;
	wt_cleanup_free uint8_t *raw = NULL;
	struct wt_packed_summary message;
	size_t size = 0;

	if (!summary->fits)
		return "it is of other chunks";
	raw = summary_decompress(reader, &size);
	if (!raw)
		return "it cannot be decompressed";
	summary->arena.limit = LIST_SLACK + size * LIST_FACTOR;
	if (wt_wire_decode(&wt_message_summary, wt_cursor_init(raw, size), &summary->arena,
			   &message) != WT_DECODED)
		return "it cannot be decoded";
	return take_stops(reader, &message) && take_notices(reader, &message)
		       ? NULL
		       : "it tells of what is not there";
}

/* A lack of memory is none of the summary's faults: there is none this time, and it may be there the next time. */
static bool no_memory(const struct wt_reader *reader)
{
	return reader->summary.no_memory || reader->summary.arena.no_memory;
}

/* Decode it when it is first asked for. Is there one that may be used? */
static bool summary_is_there(struct wt_reader *reader)
{
	struct wt_summary *summary = &reader->summary;
	const char *why;

	if (!summary->content || summary->refused || !has_all_packets(reader))
		return false;
	if (summary->looked_at)
		return true;
	wt_arena_init(&summary->arena, 0);
	why = summary_decode(reader);
	summary->looked_at = !no_memory(reader);
	if (!summary->looked_at)
		wt_arena_deinit(&summary->arena);
	else if (why)
		wt_summary_refuse(reader, why);
	return summary->looked_at && !why;
}

const struct wt_stop *wt_reader_listed_stops(struct wt_reader *reader, size_t *count_ret)
{
	if (!summary_is_there(reader) || !reader->summary.has_stops)
		return NULL;
	*count_ret = reader->summary.stop_count;
	return reader->summary.stops;
}

const struct wt_listed_notice *wt_reader_listed_notices(struct wt_reader *reader, size_t *count_ret)
{
	if (!summary_is_there(reader) || !reader->summary.has_notices)
		return NULL;
	*count_ret = reader->summary.notice_count;
	return reader->summary.notices;
}

bool wt_summary_has_malformed_notices(struct wt_reader *reader)
{
	return summary_is_there(reader) && reader->summary.malformed_notices;
}

bool wt_summary_host(struct wt_reader *reader, uint64_t *packet_ret)
{
	if (!summary_is_there(reader) || !reader->summary.has_notices)
		return false;
	*packet_ret = reader->summary.host_packet;
	return true;
}

struct wt_error *wt_reader_listed_image(struct wt_reader *reader, const struct wt_stop_code *code,
					struct wt_bytes **bytes_ret)
{
	reader->budget.spent = 0;
	return wt_reader_join(reader, code->blobs, code->blob_count, NULL, 0, bytes_ret);
}

/* The entry of a moment in the list; NULL if it is none of its stops. */
static const struct wt_stop *summary_find_stop(const struct wt_summary *summary, uint32_t moment)
{
	size_t low = 0, high = summary->stop_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (summary->stops[middle].moment < moment)
			low = middle + 1;
		else
			high = middle;
	}
	return low < summary->stop_count && summary->stops[low].moment == moment
		       ? &summary->stops[low]
		       : NULL;
}

/* Has somebody been given the list? */
static bool is_used(const struct wt_summary *summary)
{
	return summary->looked_at && !summary->refused && summary->has_stops;
}

static void contradict(struct wt_reader *reader, uint32_t moment)
{
	char why[80];

	snprintf(why, sizeof(why), "of moment %u it says something else than the chunks have",
		 moment);
	wt_summary_refuse(reader, why);
}

void wt_summary_compare_moment(struct wt_reader *reader, const struct wt_moment *moment)
{
	const struct wt_stop *listed;

	if (!is_used(&reader->summary))
		return;
	listed = summary_find_stop(&reader->summary, moment->number);
	if ((moment->cause == WT_MOMENT_STOP) != (listed != NULL))
		contradict(reader, moment->number);
}

struct wt_error *wt_summary_compare_state(struct wt_reader *reader, const struct wt_moment *moment,
					  const struct wt_state *state)
{
	const struct wt_stop *listed;
	struct wt_error *error;
	struct wt_stop stop;
	bool whole;

	if (!is_used(&reader->summary) || moment->cause != WT_MOMENT_STOP)
		return NULL;
	listed = summary_find_stop(&reader->summary, moment->number);
	if (!listed)
		return NULL;
	error = wt_stop_describe(&reader->repeated.names, moment, state, &stop, &whole);
	if (error)
		return error;
	if (!whole || !wt_stop_equal(&stop, listed))
		contradict(reader, moment->number);
	wt_stop_deinit(&stop);
	return NULL;
}
