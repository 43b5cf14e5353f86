/* SPDX-License-Identifier: MIT */
/* Errors of reading; and what of a trace is not whole, as it is found: a list of pieces, and a text of a line for each. */
#include "trace-format/reader/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "base/text.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"

/* Damage beyond this many notes is only counted. */
#define NOTES_MAX 100u
#define PIECES_MAX ((size_t)1 << 12)

struct wt_error *wt_reader_error(const struct wt_reader *reader, enum wt_error_code code,
				 const char *format, ...)
{
	wt_cleanup_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return &wt_error_no_memory;
	return wt_error_create(code, "cannot read the trace", reader->file.path, "%s", text);
}

/* Texts that were given out stay where they are: a longer one is a new one. */
static bool keep_text(struct wt_reader *reader)
{
	char **texts;

	if (!reader->damage.text.data)
		return true;
	texts = reallocarray(reader->damage.old_texts, reader->damage.old_text_count + 1,
			     sizeof(*texts));
	if (!texts)
		return false;
	reader->damage.old_texts = texts;
	texts[reader->damage.old_text_count++] = (char *)reader->damage.text.data;
	return true;
}

static void drop_piece(struct wt_reader *reader, const struct wt_damage *piece)
{
	reader->damage.dropped++;
	free((char *)(uintptr_t)piece->text);
	if (piece->offset == WT_NO_OFFSET)
		return;
	if (!reader->damage.last_dropped)
		reader->damage.first_dropped = piece->offset;
	if (piece->offset > reader->damage.last_dropped)
		reader->damage.last_dropped = piece->offset;
}

/* Take a piece over; beyond the limit, or without memory, it is only in the text, and counted. */
static void keep_piece(struct wt_reader *reader, const struct wt_damage *piece)
{
	size_t capacity = reader->damage.piece_capacity ? reader->damage.piece_capacity * 2 : 16;
	struct wt_damage *pieces;

	if (reader->damage.piece_count == reader->damage.piece_capacity) {
		pieces = capacity > PIECES_MAX
				 ? NULL
				 : reallocarray(reader->damage.pieces, capacity, sizeof(*pieces));
		if (!pieces) {
			drop_piece(reader, piece);
			return;
		}
		reader->damage.pieces = pieces;
		reader->damage.piece_capacity = capacity;
	}
	reader->damage.pieces[reader->damage.piece_count++] = *piece;
}

static void append_note(struct wt_reader *reader, const char *text)
{
	struct wt_buffer longer = {0};

	if (reader->damage.count++ >= NOTES_MAX)
		return;
	if (reader->damage.text.size) {
		wt_buffer_append(&longer, reader->damage.text.data, reader->damage.text.size - 1);
		wt_buffer_append(&longer, "\n", 1);
	}
	wt_buffer_append_text(&longer, text);
	if (reader->damage.count == NOTES_MAX)
		wt_buffer_append(&longer, "\n(more is damaged)", 18);
	wt_buffer_append(&longer, "", 1);
	if (longer.failed || !keep_text(reader)) {
		wt_buffer_deinit(&longer);
		return;
	}
	reader->damage.text = longer;
}

void wt_reader_note(struct wt_reader *reader, uint64_t offset, uint64_t size, bool loss,
		    const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return;
	append_note(reader, text);
	reader->damage.loss |= loss;
	keep_piece(reader, &(struct wt_damage){offset, size, loss, text});
}

struct wt_run wt_run_of(const struct wt_chunk_fields *fields)
{
	return (struct wt_run){
		.first_packet = fields->first_packet,
		.packets = fields->packets,
		.first_moment = fields->first_moment,
		.moments = fields->moments,
		.first_call = fields->first_call,
		.calls = fields->calls,
	};
}

const char *wt_run_lost(const struct wt_run *run, char text[WT_LOST_TEXT_SIZE])
{
	char packets[64];

	if (run->packets == 1)
		snprintf(packets, sizeof(packets), "packet %" PRIu64 " is", run->first_packet);
	else
		snprintf(packets, sizeof(packets), "packets %" PRIu64 " to %" PRIu64 " are",
			 run->first_packet, run->first_packet + run->packets - 1);
	snprintf(text, WT_LOST_TEXT_SIZE,
		 "%s lost, among them %" PRIu64 " %s from %" PRIu64 " and %" PRIu64
		 " %s from %" PRIu64,
		 packets, run->moments, wt_plural(run->moments, "moment", "moments"),
		 run->first_moment, run->calls, wt_plural(run->calls, "call", "calls"),
		 run->first_call);
	return text;
}

size_t wt_reader_damage_count(const struct wt_reader *reader)
{
	return reader->damage.piece_count;
}

uint64_t wt_reader_damage_dropped(const struct wt_reader *reader)
{
	return reader->damage.dropped;
}

bool wt_reader_has_loss(const struct wt_reader *reader)
{
	return reader->damage.loss;
}

const struct wt_damage *wt_reader_damage_at(const struct wt_reader *reader, size_t position)
{
	return position < reader->damage.piece_count ? &reader->damage.pieces[position] : NULL;
}

const char *wt_reader_damage(const struct wt_reader *reader)
{
	return reader->damage.text.size ? (const char *)reader->damage.text.data : NULL;
}

void wt_reader_drop_notes(struct wt_reader *reader)
{
	for (size_t i = 0; i < reader->damage.old_text_count; i++)
		free(reader->damage.old_texts[i]);
	free(reader->damage.old_texts);
	for (size_t i = 0; i < reader->damage.piece_count; i++)
		free((char *)(uintptr_t)reader->damage.pieces[i].text);
	free(reader->damage.pieces);
	wt_buffer_deinit(&reader->damage.text);
}
