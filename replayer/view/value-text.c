/* SPDX-License-Identifier: MIT */
#include "replayer/view/value-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"

static void put_visible(struct wt_value_text *text, const char *name)
{
	char visible[4 * WT_DWARF_MAX_TYPE];

	wt_buffer_append_format(&text->buffer, "%s", wt_visible(name, visible, sizeof(visible)));
}

/* Separates an element from the one before. */
static void separate(struct wt_value_text *text)
{
	if (text->begun && !text->named)
		wt_buffer_append_format(&text->buffer, ", ");
	text->begun = true;
	text->named = false;
}

static void text_push(struct wt_value_text *text, const char *open, char close)
{
	separate(text);
	wt_buffer_append_format(&text->buffer, "%s", open);
	if (text->depth < WT_VALUE_TEXT_DEPTH)
		text->closes[text->depth] = close;
	text->depth++;
	text->begun = false;
}

static void text_open(void *opaque, enum wt_dwarf_opened what)
{
	if (what == WT_DWARF_OPEN_ARRAY)
		text_push(opaque, "[", ']');
	else
		text_push(opaque, "{", '}');
}

static void text_reference(void *opaque, uint64_t address)
{
	char open[32];

	snprintf(open, sizeof(open), "@0x%" PRIx64 ": ", address);
	text_push(opaque, open, '\0');
}

/* Types are not deeper than there is room for. */
static void text_close(void *opaque)
{
	struct wt_value_text *text = opaque;

	text->begun = true;
	if (!text->depth)
		return;
	text->depth--;
	if (text->depth < WT_VALUE_TEXT_DEPTH && text->closes[text->depth])
		wt_buffer_append_format(&text->buffer, "%c", text->closes[text->depth]);
}

static void text_member(void *opaque, const struct wt_dwarf_label *label)
{
	struct wt_value_text *text = opaque;

	separate(text);
	put_visible(text, label->text);
	wt_buffer_append_format(&text->buffer, " = ");
	text->named = true;
}

static void text_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	struct wt_value_text *text = opaque;
	char number[WT_REAL_TEXT_MAX], integer[WT_DWARF_INTEGER_MAX];

	separate(text);
	switch (scalar->kind) {
	case WT_DWARF_TYPE_BOOLEAN:
		wt_buffer_append_format(&text->buffer, scalar->number ? "true" : "false");
		return;
	case WT_DWARF_TYPE_CHARACTER:
		wt_buffer_append_format(&text->buffer, "%" PRId64, (int64_t)scalar->number);
		if (scalar->number >= 0x20 && scalar->number < 0x7f)
			wt_buffer_append_format(&text->buffer, " '%c'", (char)scalar->number);
		return;
	case WT_DWARF_TYPE_FLOAT:
		wt_real_text(scalar->form, scalar->bits, scalar->real, number);
		wt_buffer_append_format(&text->buffer, "%s", number);
		return;
	case WT_DWARF_TYPE_ENUM:
		if (wt_dwarf_scalar_word(scalar))
			put_visible(text, wt_dwarf_scalar_word(scalar));
		else
			wt_buffer_append_format(&text->buffer, "%s",
						wt_dwarf_scalar_integer(scalar, integer));
		return;
	case WT_DWARF_TYPE_POINTER:
		wt_buffer_append_format(&text->buffer, "0x%" PRIx64, scalar->number);
		return;
	case WT_DWARF_TYPE_UNSIGNED:
		if (scalar->is_pattern) {
			wt_buffer_append_format(&text->buffer, "0x%" PRIx64, scalar->number);
			return;
		}
		/* fall through */
	case WT_DWARF_TYPE_SIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		wt_buffer_append_format(&text->buffer, "%s",
					wt_dwarf_scalar_integer(scalar, integer));
	}
}

static void text_text(void *opaque, const char *string, size_t length)
{
	char copy[WT_DWARF_MAX_ELEMENTS + 1], visible[4 * sizeof(copy)];
	struct wt_value_text *text = opaque;

	separate(text);
	memcpy(copy, string, length);
	copy[length] = '\0';
	wt_buffer_append_format(&text->buffer, "\"%s\"",
				wt_visible(copy, visible, sizeof(visible)));
}

static void text_unknown(void *opaque, const char *why)
{
	struct wt_value_text *text = opaque;

	separate(text);
	wt_buffer_append_format(&text->buffer, "<%s>", why);
}

static void text_more(void *opaque, uint64_t count)
{
	struct wt_value_text *text = opaque;

	separate(text);
	wt_buffer_append_format(&text->buffer, "... %" PRIu64 " more", count);
}

struct wt_dwarf_sink wt_value_text_sink(struct wt_value_text *text)
{
	return (struct wt_dwarf_sink){
		.opaque = text,
		.open = text_open,
		.reference = text_reference,
		.close = text_close,
		.member = text_member,
		.scalar = text_scalar,
		.text = text_text,
		.unknown = text_unknown,
		.more = text_more,
	};
}
