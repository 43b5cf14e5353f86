/* SPDX-License-Identifier: MIT */
/* Texts of source files, added at the end of a trace that is copied. */
#include "base/cleanup.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/rewrite/internal.h"
#include "trace-format/state/blob.h"

static struct wt_error *add_names(const struct wt_rewriting *rewriting, struct wt_tape *tape,
				  uint32_t first)
{
	struct wt_buffer *packet;

	wt_tape_number_names(tape, first);
	packet = wt_tape_begin(tape, WT_PACKET_NAMES);
	wt_encode_number(packet, WT_FIELD_NAMES_FIRST, first);
	for (size_t i = 0; i < rewriting->text_count; i++)
		wt_encode_string(packet, WT_FIELD_NAMES_TEXT, rewriting->texts[i].name, true);
	return wt_tape_end(tape, (uint32_t)rewriting->text_count);
}

static struct wt_error *source_add_text(const struct wt_kept_source *text, uint32_t name,
					struct wt_tape *tape, struct wt_buffer *items)
{
	struct wt_buffer *packet;
	struct wt_error *error;
	size_t mark;

	packet = wt_tape_begin(tape, WT_PACKET_BLOB);
	wt_encode_number(packet, WT_FIELD_BLOB_ENCODING, WT_BLOB_PLAIN);
	wt_encode_bytes(packet, WT_FIELD_BLOB_DATA, text->data, text->size);
	error = wt_tape_end(tape, 0);
	if (error)
		return error;
	mark = wt_encode_begin(items, WT_FIELD_FACTS_ITEM);
	wt_encode_number(items, WT_FIELD_ITEM_TYPE, WT_ITEM_SOURCE);
	wt_encode_number(items, WT_FIELD_ITEM_KIND, name);
	wt_encode_number(items, WT_FIELD_ITEM_BLOB, tape->open.first_blob + tape->open.blobs - 1);
	wt_encode_end(items, mark);
	return items->failed ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_rewriting_add_texts(const struct wt_rewriting *rewriting, struct wt_tape *tape)
{
	uint32_t first = wt_reader_last_name(rewriting->reader) + 1;
	wt_cleanup_buffer struct wt_buffer items = {0};
	struct wt_error *error;
	struct wt_buffer *packet;

	if (!rewriting->text_count)
		return NULL;
	error = add_names(rewriting, tape, first);
	for (size_t i = 0; !error && i < rewriting->text_count; i++)
		error = source_add_text(&rewriting->texts[i], first + (uint32_t)i, tape, &items);
	if (error)
		return error;
	packet = wt_tape_begin(tape, WT_PACKET_FACTS);
	wt_buffer_append(packet, items.data, items.size);
	return wt_tape_end(tape, 0);
}
