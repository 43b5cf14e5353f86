/* SPDX-License-Identifier: MIT */
#include "cli/browse/line.h"

#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/visible.h"

void wt_line_clear(struct wt_line *line)
{
	line->columns = 0;
}

static void line_put_cell(struct wt_line *line, unsigned int style, uint32_t character)
{
	if (line->columns == WT_LINE_COLUMNS)
		return;
	line->cells[line->columns] = character;
	line->styles[line->columns++] = (unsigned char)style;
}

/* The character at the start of UTF-8 text that has no errors, and its length. */
static uint32_t utf8_decode(const char *text, size_t *length_ret)
{
	unsigned char first = (unsigned char)text[0];
	size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	uint32_t character = length == 1 ? first : first & (0x7fU >> length);

	for (size_t i = 1; i < length; i++)
		character = character << 6 | ((unsigned char)text[i] & 0x3f);
	*length_ret = length;
	return character;
}

/* A character without a width moves, joins or turns others, or the terminal does not know it: "?" stands for it. */
static void line_put_character(struct wt_line *line, unsigned int style, uint32_t character)
{
	int width = character < 0x80 ? 1 : wcwidth((wchar_t)character);

	if (width <= 0) {
		line_put_cell(line, style, '?');
	} else if (line->columns + (size_t)width <= WT_LINE_COLUMNS) {
		line_put_cell(line, style, character);
		if (width > 1)
			line_put_cell(line, style, 0);
	}
}

void wt_line_text(struct wt_line *line, unsigned int style, const char *text)
{
	char visible[WT_LINE_BYTES];
	const char *next = visible;

	wt_visible(text ? text : "", visible, sizeof(visible));
	while (*next) {
		size_t length;

		line_put_character(line, style, utf8_decode(next, &length));
		next += length;
	}
}

void wt_line_put(struct wt_line *line, unsigned int style, const char *format, ...)
{
	wt_cleanup_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	wt_line_text(line, style, text);
}

/* Columns up to @columns without the first half of a wide character that goes on behind them. */
static size_t line_whole_columns(const struct wt_line *line, size_t columns)
{
	return columns < line->columns && columns && !line->cells[columns] ? columns - 1 : columns;
}

void wt_line_field(struct wt_line *line, unsigned int style, const char *text, size_t columns)
{
	size_t end = line->columns + columns;

	wt_line_text(line, style, text);
	if (line->columns > end && columns) {
		line->columns = line_whole_columns(line, end - 1);
		line_put_cell(line, style, '~');
	}
	while (line->columns < end && line->columns < WT_LINE_COLUMNS)
		line_put_cell(line, WT_STYLE_PLAIN, ' ');
}

void wt_line_window(struct wt_line *line, const struct wt_line *other, size_t from, size_t columns,
		    unsigned int flags)
{
	for (size_t i = 0; i < columns; i++) {
		size_t at = from + i;
		bool here = at < other->columns;
		uint32_t cell = here ? other->cells[at] : ' ';

		/* An edge of the window cuts through a wide character. */
		if ((!i && here && !cell) ||
		    (i + 1 == columns && at + 1 < other->columns && !other->cells[at + 1]))
			cell = ' ';
		line_put_cell(line, (here ? other->styles[at] : WT_STYLE_PLAIN) | flags, cell);
	}
}

static size_t utf8_encode(uint32_t character, char *text)
{
	if (character < 0x80) {
		text[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		text[0] = (char)(0xc0 | character >> 6);
		text[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		text[0] = (char)(0xe0 | character >> 12);
		text[1] = (char)(0x80 | (character >> 6 & 0x3f));
		text[2] = (char)(0x80 | (character & 0x3f));
		return 3;
	}
	text[0] = (char)(0xf0 | character >> 18);
	text[1] = (char)(0x80 | (character >> 12 & 0x3f));
	text[2] = (char)(0x80 | (character >> 6 & 0x3f));
	text[3] = (char)(0x80 | (character & 0x3f));
	return 4;
}

char *wt_line_string(const struct wt_line *line, char text[WT_LINE_BYTES], uint16_t *starts)
{
	size_t used = 0;

	for (size_t column = 0; column < line->columns; column++) {
		size_t length;

		if (!line->cells[column])
			continue;
		length = utf8_encode(line->cells[column], text + used);
		for (size_t i = 0; starts && i < length; i++)
			starts[used + i] = (uint16_t)column;
		used += length;
	}
	text[used] = '\0';
	return text;
}

void wt_line_flag(struct wt_line *line, size_t from, size_t to, unsigned int flags)
{
	for (size_t i = from; i < to && i < line->columns; i++)
		line->styles[i] |= (unsigned char)flags;
}
