/* SPDX-License-Identifier: MIT */
#include "replayer/view/value-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

static void text_open(void *opaque, bool is_array)
{
	struct wt_value_text *text = opaque;

	separate(text);
	wt_buffer_append_format(&text->buffer, is_array ? "[" : "{");
	text->begun = false;
}

/* Brackets are matched by what was opened last: it is in the text itself. */
static void text_close(void *opaque)
{
	struct wt_value_text *text = opaque;
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = text->buffer.size; i-- > 0;) {
		char character = (char)text->buffer.data[i];

		quoted ^= character == '"';
		if (quoted)
			continue;
		depth += character == ']' || character == '}';
		if (character != '[' && character != '{')
			continue;
		if (!depth) {
			wt_buffer_append_format(&text->buffer, character == '[' ? "]" : "}");
			break;
		}
		depth--;
	}
	text->begun = true;
}

static void text_member(void *opaque, const char *name)
{
	struct wt_value_text *text = opaque;

	separate(text);
	put_visible(text, name);
	wt_buffer_append_format(&text->buffer, " = ");
	text->named = true;
}

/* Prints as few digits as tell the number from its neighbours. */
static void format_real(const struct wt_dwarf_scalar *scalar, char *buffer, size_t size)
{
	for (int digits = 1; digits <= 17; digits++) {
		double back;

		snprintf(buffer, size, "%.*g", digits, scalar->real);
		back = strtod(buffer, NULL);
		if (scalar->bits < 64 ? (float)back == (float)scalar->real : back == scalar->real)
			return;
	}
}

static void text_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	struct wt_value_text *text = opaque;
	char number[64];

	separate(text);
	switch (scalar->kind) {
	case WT_DWARF_TYPE_SIGNED:
		wt_buffer_append_format(&text->buffer, "%" PRId64, (int64_t)scalar->number);
		return;
	case WT_DWARF_TYPE_BOOLEAN:
		wt_buffer_append_format(&text->buffer, scalar->number ? "true" : "false");
		return;
	case WT_DWARF_TYPE_CHARACTER:
		wt_buffer_append_format(&text->buffer, "%" PRId64, (int64_t)scalar->number);
		if (scalar->number >= 0x20 && scalar->number < 0x7f)
			wt_buffer_append_format(&text->buffer, " '%c'", (char)scalar->number);
		return;
	case WT_DWARF_TYPE_FLOAT:
		format_real(scalar, number, sizeof(number));
		wt_buffer_append_format(&text->buffer, "%s", number);
		return;
	case WT_DWARF_TYPE_ENUM:
		if (scalar->name)
			put_visible(text, scalar->name);
		else if (!scalar->is_signed)
			wt_buffer_append_format(&text->buffer, "%" PRIu64, scalar->number);
		else
			wt_buffer_append_format(&text->buffer, "%" PRId64, (int64_t)scalar->number);
		return;
	case WT_DWARF_TYPE_POINTER:
		wt_buffer_append_format(&text->buffer, "0x%" PRIx64, scalar->number);
		return;
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		wt_buffer_append_format(&text->buffer, "%" PRIu64, scalar->number);
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
		.close = text_close,
		.member = text_member,
		.scalar = text_scalar,
		.text = text_text,
		.unknown = text_unknown,
		.more = text_more,
	};
}
