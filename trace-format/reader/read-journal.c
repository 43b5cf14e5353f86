/* SPDX-License-Identifier: MIT */
/* The journal, record after record. */
#include "trace-format/reader/read-journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-format/message/packet.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"

struct wt_journal {
	struct wt_reader *reader;
	size_t place;		/* the one `chunk` is of, or the next */
	struct wt_chunk *chunk; /* NULL: not loaded yet */
	size_t packet;		/* next in `chunk`, or in the one that is to be loaded */
	uint64_t expected;	/* number of the packet that should come next */
	struct wt_arena arena;	/* of the record */
	struct wt_journal_record record;
	char lost[160]; /* text of a record that says what is missing */
};

static const uint32_t journal_contents = 1u << WT_PACKET_CALL_BEGIN | 1u << WT_PACKET_CALLBACK |
					 1u << WT_PACKET_CALL_END | 1u << WT_PACKET_MOMENT |
					 1u << WT_PACKET_NOTICE;

struct wt_error *wt_journal_open(struct wt_reader *reader, struct wt_journal **journal_ret)
{
	return wt_journal_open_at(reader, 0, journal_ret);
}

struct wt_error *wt_journal_open_at(struct wt_reader *reader, size_t place,
				    struct wt_journal **journal_ret)
{
	struct wt_journal *journal = calloc(1, sizeof(*journal));

	if (!journal)
		return &wt_error_no_memory;
	journal->reader = reader;
	journal->place = place;
	if (place)
		journal->expected = reader->places.at[place].entry.chunk.first_packet;
	wt_arena_init(&journal->arena, 0);
	*journal_ret = journal;
	return NULL;
}

void wt_journal_close(struct wt_journal *journal)
{
	if (!journal)
		return;
	wt_chunk_release(journal->chunk);
	wt_arena_deinit(&journal->arena);
	free(journal);
}

static struct wt_value packed_value(const struct wt_packed_value *packed)
{
	switch (packed->form) {
	case WT_FIELD_VALUE_NUMBER:
		return (struct wt_value){.form = WT_VALUE_NUMBER, .number = packed->number};
	case WT_FIELD_VALUE_DATA:
		return (struct wt_value){
			.form = WT_VALUE_DATA,
			.data = packed->data.data,
			.size = packed->data.remaining,
		};
	case WT_FIELD_VALUE_PRESENT:
		return (struct wt_value){.form = WT_VALUE_PRESENT, .number = packed->present};
	default:
		return (struct wt_value){0};
	}
}

/* NULL if there is no memory. */
static struct wt_value *packed_values(struct wt_arena *arena, const struct wt_wire_list *list)
{
	const struct wt_packed_value *packed = list->elements;
	struct wt_value *values = wt_arena_array(arena, list->count, sizeof(*values));

	for (size_t i = 0; values && i < list->count; i++)
		values[i] = packed_value(&packed[i]);
	return values;
}

static struct wt_error *begin_take(struct wt_journal *journal,
				   const struct wt_packed_call_begin *from)
{
	struct wt_call_begin *begin = &journal->record.begin;

	journal->record.kind = WT_JOURNAL_BEGIN;
	*begin = (struct wt_call_begin){
		.number = from->number,
		.function = from->function,
		.thread = from->thread,
		.start = from->start,
		.inputs = packed_values(&journal->arena, &from->input),
		.input_count = from->input.count,
	};
	return begin->inputs ? NULL : &wt_error_no_memory;
}

static struct wt_error *callback_take(struct wt_journal *journal,
				      const struct wt_packed_callback *from)
{
	struct wt_callback *callback = &journal->record.callback;

	journal->record.kind = WT_JOURNAL_CALLBACK;
	*callback = (struct wt_callback){
		.call = from->call,
		.function = from->function,
		.inputs = packed_values(&journal->arena, &from->input),
		.input_count = from->input.count,
		.result = from->result,
		.outputs = packed_values(&journal->arena, &from->output),
		.output_count = from->output.count,
	};
	return callback->inputs && callback->outputs ? NULL : &wt_error_no_memory;
}

static struct wt_error *end_take(struct wt_journal *journal, const struct wt_packed_call_end *from)
{
	struct wt_call_end *end = &journal->record.end;

	journal->record.kind = WT_JOURNAL_END;
	*end = (struct wt_call_end){
		.number = from->number,
		.status = from->status,
		.duration = from->duration,
		.outputs = packed_values(&journal->arena, &from->output),
		.output_count = from->output.count,
	};
	return end->outputs ? NULL : &wt_error_no_memory;
}

static struct wt_error *notice_take(struct wt_journal *journal, const struct wt_packed_notice *from)
{
	struct wt_journal_record *record = &journal->record;

	record->kind = WT_JOURNAL_NOTICE;
	record->notice_kind = (enum wt_notice_kind)from->kind;
	record->notice = from->text;
	record->notice_call = from->call;
	record->notice_is_host = from->host != NULL;
	return NULL;
}

static struct wt_error *journal_take_packet(struct wt_journal *journal,
					    const struct wt_packet *packet)
{
	struct wt_journal_record *record = &journal->record;
	const void *message = NULL;
	struct wt_error *error;

	if (packet->field == WT_PACKET_MOMENT) {
		record->kind = WT_JOURNAL_MOMENT;
		record->moment = packet->moment;
		return NULL;
	}
	wt_arena_reset(&journal->arena, 0);
	error = wt_packet_unpack(journal->reader, &journal->arena, journal->chunk, packet,
				 &message);
	if (error)
		return error;
	switch ((int)packet->field) {
	case WT_PACKET_CALL_BEGIN:
		return begin_take(journal, message);
	case WT_PACKET_CALLBACK:
		return callback_take(journal, message);
	case WT_PACKET_CALL_END:
		return end_take(journal, message);
	default:
		record->notice_body = journal->chunk->raw + packet->offset;
		record->notice_size = packet->size;
		return notice_take(journal, message);
	}
}

/* A record in place of what is missing before packet number @next. */
static void journal_tell_lost(struct wt_journal *journal, uint64_t next)
{
	struct wt_journal_record *record = &journal->record;

	if (next - journal->expected == 1)
		snprintf(journal->lost, sizeof(journal->lost),
			 "packet %llu is lost in a damaged part of the file",
			 (unsigned long long)journal->expected);
	else
		snprintf(journal->lost, sizeof(journal->lost),
			 "packets %llu to %llu are lost in a damaged part of the file",
			 (unsigned long long)journal->expected, (unsigned long long)next - 1);
	record->kind = WT_JOURNAL_NOTICE;
	record->notice_kind = WT_NOTICE_LOST;
	record->notice = journal->lost;
	journal->expected = next;
}

void wt_reader_note_malformed(struct wt_reader *reader, struct wt_place *place,
			      const struct wt_chunk *chunk, size_t number, const char *why)
{
	uint32_t content = wt_packet_content(chunk->packets[number].field);
	uint32_t *next = content & journal_contents			? &place->malformed
			 : content & wt_packet_content(WT_PACKET_FACTS) ? &place->malformed_facts
									: NULL;

	if (next && number < *next)
		return;
	if (next)
		*next = (uint32_t)number + 1;
	wt_reader_note(
		reader, WT_NO_OFFSET, 0, true,
		"packet %llu, in the chunk at offset %llu, is lost: %s",
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a place of a chunk is never null */
		(unsigned long long)(place->entry.chunk.first_packet + number),
		(unsigned long long)place->entry.offset, why);
}

/* A record in place of a packet that cannot be decoded although its chunk is whole. */
static struct wt_error *tell_malformed(struct wt_journal *journal, struct wt_error *error)
{
	struct wt_journal_record *record = &journal->record;
	uint64_t number = journal->expected + journal->packet - 1;

	snprintf(journal->lost, sizeof(journal->lost), "packet %llu is lost: %s",
		 (unsigned long long)number, error->why);
	wt_reader_note_malformed(journal->reader, &journal->reader->places.at[journal->place],
				 journal->chunk, journal->packet - 1, error->why);
	wt_error_destroy(error);
	memset(record, 0, sizeof(*record));
	record->kind = WT_JOURNAL_NOTICE;
	record->notice_kind = WT_NOTICE_LOST;
	record->notice = journal->lost;
	return NULL;
}

/*
 * Go on to the next chunk that matters. @ready_ret: a record was made on the way, or the end is
 * there.
 */
static struct wt_error *next_chunk(struct wt_journal *journal, bool *told_ret)
{
	struct wt_reader *reader = journal->reader;
	const struct wt_chunk_fields *fields = &reader->places.at[journal->place].entry.chunk;
	struct wt_error *error;

	*told_ret = false;
	if (fields->first_packet != journal->expected) {
		journal_tell_lost(journal, fields->first_packet);
		*told_ret = true;
		return NULL;
	}
	if (!(fields->contents & journal_contents) && !reader->places.at[journal->place].damaged) {
		journal->expected += fields->packets;
		journal->place++;
		return NULL;
	}
	error = wt_reader_load(reader, journal->place, &journal->chunk);
	if (error && error->code == WT_ERROR_INPUT) {
		wt_error_destroy(error);
		journal_tell_lost(journal, fields->first_packet + fields->packets);
		journal->place++;
		*told_ret = true;
		return NULL;
	}
	return error;
}

static void leave_chunk(struct wt_journal *journal)
{
	wt_chunk_release(journal->chunk);
	journal->chunk = NULL;
	journal->packet = 0;
	journal->expected += journal->reader->places.at[journal->place].entry.chunk.packets;
	journal->place++;
}

struct wt_journal_position wt_journal_position(const struct wt_journal *journal)
{
	return (struct wt_journal_position){journal->place, journal->packet, journal->expected};
}

void wt_journal_seek(struct wt_journal *journal, const struct wt_journal_position *position)
{
	wt_chunk_release(journal->chunk);
	journal->chunk = NULL;
	journal->place = position->place;
	journal->packet = position->packet;
	journal->expected = position->expected;
}

/* Passes a packet of a call, and keeps what is known of it without decoding it. */
static struct wt_error *pass_packet(struct wt_journal *journal, const struct wt_packet *packet)
{
	struct wt_journal_record *record = &journal->record;

	switch (packet->field) {
	case WT_PACKET_CALL_BEGIN:
		record->kind = WT_JOURNAL_BEGIN;
		record->begin.number =
			wt_packet_number(journal->chunk, packet, WT_FIELD_CALL_BEGIN_NUMBER);
		return NULL;
	case WT_PACKET_CALLBACK:
		record->kind = WT_JOURNAL_CALLBACK;
		record->callback.call =
			wt_packet_number(journal->chunk, packet, WT_FIELD_CALLBACK_CALL);
		return NULL;
	case WT_PACKET_CALL_END:
		record->kind = WT_JOURNAL_END;
		record->end.number =
			wt_packet_number(journal->chunk, packet, WT_FIELD_CALL_END_NUMBER);
		return NULL;
	default:
		return journal_take_packet(journal, packet);
	}
}

static struct wt_error *next(struct wt_journal *journal,
			     struct wt_error *(*take)(struct wt_journal *journal,
						      const struct wt_packet *packet),
			     const struct wt_journal_record **record_ret)
{
	struct wt_error *error;
	bool told = false;

	memset(&journal->record, 0, sizeof(journal->record));
	journal->reader->budget.spent = 0;
	while (journal->chunk || journal->place < journal->reader->places.count) {
		if (!journal->chunk) {
			error = next_chunk(journal, &told);
			if (error)
				return error;
			if (told) {
				*record_ret = &journal->record;
				return NULL;
			}
			continue;
		}
		while (journal->packet < journal->chunk->packet_count) {
			const struct wt_packet *packet =
				&journal->chunk->packets[journal->packet++];

			if (!(1u << packet->field & journal_contents))
				continue;
			error = take(journal, packet);
			if (error && error->code == WT_ERROR_INPUT)
				error = tell_malformed(journal, error);
			if (!error)
				*record_ret = &journal->record;
			return error;
		}
		leave_chunk(journal);
	}
	*record_ret = NULL;
	return NULL;
}

struct wt_error *wt_journal_next(struct wt_journal *journal,
				 const struct wt_journal_record **record_ret)
{
	return next(journal, journal_take_packet, record_ret);
}

struct wt_error *wt_journal_pass(struct wt_journal *journal,
				 const struct wt_journal_record **record_ret)
{
	return next(journal, pass_packet, record_ret);
}
