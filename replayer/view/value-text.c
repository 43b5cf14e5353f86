/* SPDX-License-Identifier: MIT */
#include "replayer/view/value-text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"

static void value_text_put(struct wt_value_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void value_text_put(struct wt_value_text *text, const char *format, ...)
{
	char *line = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&line, format, arguments);
	va_end(arguments);
	if (length < 0)
		text->buffer.failed = true;
	else
		wt_buffer_append(&text->buffer, line, (size_t)length);
	if (length >= 0)
		free(line);
}

static void put_visible(struct wt_value_text *text, const char *name)
{
	char visible[4 * WT_DWARF_MAX_TYPE];

	value_text_put(text, "%s", wt_visible(name, visible, sizeof(visible)));
}

/* Separates an element from the one before. */
static void separate(struct wt_value_text *text)
{
	if (text->begun && !text->named)
		value_text_put(text, ", ");
	text->begun = true;
	text->named = false;
}

static void text_open(void *opaque, bool is_array)
{
	struct wt_value_text *text = opaque;

	separate(text);
	value_text_put(text, is_array ? "[" : "{");
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
			value_text_put(text, character == '[' ? "]" : "}");
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
	value_text_put(text, " = ");
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
		value_text_put(text, "%" PRId64, (int64_t)scalar->number);
		return;
	case WT_DWARF_TYPE_BOOLEAN:
		value_text_put(text, scalar->number ? "true" : "false");
		return;
	case WT_DWARF_TYPE_CHARACTER:
		value_text_put(text, "%" PRId64, (int64_t)scalar->number);
		if (scalar->number >= 0x20 && scalar->number < 0x7f)
			value_text_put(text, " '%c'", (char)scalar->number);
		return;
	case WT_DWARF_TYPE_FLOAT:
		format_real(scalar, number, sizeof(number));
		value_text_put(text, "%s", number);
		return;
	case WT_DWARF_TYPE_ENUM:
		if (scalar->name)
			put_visible(text, scalar->name);
		else if (!scalar->is_signed)
			value_text_put(text, "%" PRIu64, scalar->number);
		else
			value_text_put(text, "%" PRId64, (int64_t)scalar->number);
		return;
	case WT_DWARF_TYPE_POINTER:
		value_text_put(text, "0x%" PRIx64, scalar->number);
		return;
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		value_text_put(text, "%" PRIu64, scalar->number);
	}
}

static void text_text(void *opaque, const char *string, size_t length)
{
	char copy[WT_DWARF_MAX_ELEMENTS + 1], visible[4 * sizeof(copy)];
	struct wt_value_text *text = opaque;

	separate(text);
	memcpy(copy, string, length);
	copy[length] = '\0';
	value_text_put(text, "\"%s\"", wt_visible(copy, visible, sizeof(visible)));
}

static void text_unknown(void *opaque, const char *why)
{
	struct wt_value_text *text = opaque;

	separate(text);
	value_text_put(text, "<%s>", why);
}

static void text_more(void *opaque, uint64_t count)
{
	struct wt_value_text *text = opaque;

	separate(text);
	value_text_put(text, "... %" PRIu64 " more", count);
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
