/* SPDX-License-Identifier: MIT */
#include "cli/browse/page-lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/output.h"

/* The column in which verbs begin the text behind a label: "crash        ...". */
#define LABEL_COLUMNS 13
#define NARROW 60 /* here that would leave too little */

void wt_text_deinit(struct wt_text *text)
{
	free(text->text);
	free(text->rows);
	*text = (struct wt_text){.count = 0};
}

static bool text_add_row(struct wt_text *text, size_t from, size_t size, size_t indent)
{
	if (text->count == text->capacity) {
		size_t capacity = text->capacity ? 2 * text->capacity : 64;
		void *rows = reallocarray(text->rows, capacity, sizeof(*text->rows));

		if (!rows)
			return false;
		text->rows = rows;
		text->capacity = capacity;
	}
	text->rows[text->count++] = (struct wt_text_row){from, size, indent};
	return true;
}

static bool line_has_label(const char *line, size_t size)
{
	return size > LABEL_COLUMNS && line[0] != ' ' && line[LABEL_COLUMNS - 1] == ' ' &&
	       line[LABEL_COLUMNS] != ' ';
}

static size_t line_indent(const char *line, size_t size, size_t width)
{
	size_t blanks = strspn(line, " ");

	if (width >= NARROW && line_has_label(line, size))
		return LABEL_COLUMNS;
	return blanks + 2 < width / 2 ? blanks + 2 : 2;
}

/* How much of a line goes into so many columns: up to a blank, if there is one not too far back. */
static size_t line_fitting(const char *line, size_t size, size_t columns)
{
	size_t end = columns;

	if (size <= columns)
		return size;
	while (end > columns / 2 && line[end] != ' ')
		end--;
	if (line[end] == ' ')
		return end;
	/* Not within a character. */
	for (end = columns; end > 1 && ((unsigned char)line[end] & 0xc0) == 0x80; end--)
		;
	return end;
}

static bool text_wrap_line(struct wt_text *text, const char *line, size_t size)
{
	size_t from = (size_t)(line - text->text), indent = 0;

	while (text->width && size > text->width - indent) {
		size_t taken = line_fitting(text->text + from, size, text->width - indent);

		if (!text_add_row(text, from, taken, indent))
			return false;
		if (!indent)
			indent = line_indent(line, strcspn(line, "\n"), text->width);
		from += taken;
		size -= taken;
		while (size && text->text[from] == ' ') {
			from++;
			size--;
		}
		if (!size)
			return true;
	}
	return text_add_row(text, from, size, indent);
}

static void text_make_rows(struct wt_text *text)
{
	const char *line = text->text;

	text->count = 0;
	while (line && *line) {
		size_t size = strcspn(line, "\n");

		if (!text_wrap_line(text, line, size))
			return;
		line += size + (line[size] == '\n');
	}
}

/* A sentence that was wrapped for paper is one line again: it is wrapped for the page. */
static void join_sentences(char *string)
{
	static const char next[] = "\n             ";
	char *from = string, *to = string;
	bool in_cause = false;

	while (from && *from) {
		if (from == string || from[-1] == '\n')
			in_cause = !strncmp(from, "cause ", 6);
		if (in_cause && !strncmp(from, next, sizeof(next) - 1)) {
			from += sizeof(next) - 1;
			*to++ = ' ';
			continue;
		}
		*to++ = *from++;
	}
	if (to)
		*to = '\0';
}

void wt_text_set(struct wt_text *text, char *string)
{
	free(text->text);
	text->text = string;
	join_sentences(string);
	text_make_rows(text);
}

void wt_text_wrap(struct wt_text *text, size_t width)
{
	if (width < 8)
		width = 8;
	if (text->width == width)
		return;
	text->width = width;
	text_make_rows(text);
}

char *wt_text_row(const struct wt_text *text, size_t number)
{
	if (number >= text->count)
		return NULL;
	return strndup(text->text + text->rows[number].from, text->rows[number].size);
}

static unsigned int line_style(const char *string)
{
	static const char *const faults[] = {"crash ", "cause ", "notice ", "cannot ", "!"};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (!strncmp(string, faults[i], strlen(faults[i])))
			return WT_STYLE_FAULT;
	return !strncmp(string, "=>", 2) ? WT_STYLE_HERE : WT_STYLE_PLAIN;
}

void wt_text_line(const struct wt_text *text, size_t number, struct wt_line *line)
{
	wt_cleanup_free char *string = wt_text_row(text, number);
	const struct wt_text_row *row = &text->rows[number];
	char label[LABEL_COLUMNS + 1] = "";
	unsigned int style;

	if (!string)
		return;
	style = line_style(string);
	if (row->indent)
		wt_line_put(line, WT_STYLE_PLAIN, "%*s", (int)row->indent, "");
	if (row->indent || !line_has_label(string, strlen(string))) {
		wt_line_text(line, style, string);
		return;
	}
	memcpy(label, string, LABEL_COLUMNS);
	wt_line_text(line, style == WT_STYLE_FAULT ? style : WT_STYLE_QUIET, label);
	wt_line_text(line,
		     !strncmp(label, "crash", 5) || !strncmp(label, "cause", 5) ? WT_STYLE_STRONG
										: WT_STYLE_PLAIN,
		     string + LABEL_COLUMNS);
}

void wt_text_print(struct wt_text *text, struct wt_error *(*print)(void *opaque), void *opaque)
{
	struct wt_cli_capture capture;
	struct wt_error *error = wt_cli_capture_begin(&capture), *failed;
	char *string = NULL;

	if (!error) {
		failed = print(opaque);
		if (failed)
			printf("! %s: %s: %s\n", failed->what, failed->where, failed->why);
		wt_error_destroy(failed);
		error = wt_cli_capture_end(&capture, &string);
	}
	wt_error_destroy(error);
	wt_text_set(text, string);
}
