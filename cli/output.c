/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/progress.h"

const char *wt_cli_colour(FILE *file, enum wt_cli_colour colour)
{
	static const char *const starts[] = {
		[WT_CLI_PLAIN] = "\x1b[0m",  [WT_CLI_RED] = "\x1b[31m",
		[WT_CLI_GREEN] = "\x1b[32m", [WT_CLI_YELLOW] = "\x1b[33m",
		[WT_CLI_BOLD] = "\x1b[1m",
	};
	const char *none = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	/* A stream that is kept for a page, or shown in another way, is no terminal. */
	if (fileno(file) < 0 || !isatty(fileno(file)) || (none && *none) ||
	    (terminal && !strcmp(terminal, "dumb")))
		return "";
	return starts[colour];
}

void wt_cli_put_label(enum wt_cli_colour colour, const char *label)
{
	printf("%s%s%s%*s", wt_cli_colour(stdout, colour), label,
	       wt_cli_colour(stdout, WT_CLI_PLAIN),
	       (int)(strlen(label) < WT_CLI_LABEL ? WT_CLI_LABEL - strlen(label) : 0), "");
}

int wt_cli_fail(struct wt_error *error)
{
	int code = error->code == WT_ERROR_USAGE ? WT_EXIT_USAGE : WT_EXIT_FAILED;

	fflush(stdout);
	wt_progress_hide();
	fprintf(stderr, "%swavetape:%s ", wt_cli_colour(stderr, WT_CLI_RED),
		wt_cli_colour(stderr, WT_CLI_PLAIN));
	wt_cli_put(stderr, error->what);
	fprintf(stderr, ": ");
	if (error->where[0]) {
		wt_cli_put(stderr, error->where);
		fprintf(stderr, ": ");
	}
	wt_cli_put_lines(stderr, error->why);
	putc('\n', stderr);
	wt_error_destroy(error);
	return code;
}

/* JSON is written piece by piece, most of them a few characters, each of which would lock the file. */
static int text_put_piece(const char *piece, size_t size, void *opaque)
{
	FILE *file = opaque;

	return fwrite_unlocked(piece, 1, size, file) == size ? 0 : -1;
}

static int json_write(const json_t *value, FILE *file, size_t flags)
{
	int failed;

	flockfile(file);
	failed = json_dump_callback(value, text_put_piece, file, flags | JSON_PRESERVE_ORDER);
	funlockfile(file);
	return failed;
}

bool wt_cli_json_line(FILE *file, json_t *value)
{
	bool failed = value && json_write(value, file, JSON_COMPACT);

	json_decref(value);
	return !failed && (!value || putc('\n', file) != EOF);
}

int wt_cli_json(const char *file, uint32_t stop, json_t *value)
{
	json_t *whole = json_pack("{s:i}", "format", WT_CLI_JSON_FORMAT);
	int failed;

	if (file)
		json_object_set_new(whole, "file", wt_cli_json_text(file));
	if (stop)
		json_object_set_new(whole, "stop", json_integer((json_int_t)stop));
	failed = !value || json_object_update(whole, value);
	json_decref(value);
	if (failed) {
		json_decref(whole);
		return wt_cli_fail(&wt_error_no_memory);
	}
	failed = json_write(whole, stdout, JSON_INDENT(2));
	json_decref(whole);
	putchar('\n');
	/* A loss of what stdout did not take is told when the command ends. */
	return failed ? WT_EXIT_FAILED : WT_EXIT_FINE;
}

int wt_cli_finish(int code)
{
	if (!ferror(stdout) && !fflush(stdout))
		return code;
	fprintf(stderr, "wavetape: cannot write the output: stdout: %s\n", strerror(errno));
	return WT_EXIT_FAILED;
}

int wt_cli_put(FILE *file, const char *text)
{
	char shown[WT_VISIBLE_CHARACTER];
	size_t written = 0;

	while (text && *text) {
		text += wt_visible_character(text, shown);
		fputs(shown, file);
		written += strlen(shown);
	}
	return (int)written;
}

void wt_cli_put_padded(const char *text, int width)
{
	int written = wt_cli_put(stdout, text);

	printf("%*s", written < width ? width - written : 0, "");
}

void wt_cli_put_lines(FILE *file, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		wt_cleanup_free char *line = strndup(text, length);

		wt_cli_put(file, line);
		text += length;
		if (*text)
			putc(*text++, file);
	}
}

void wt_cli_put_bytes(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < WT_CLI_DUMP_BYTES; i++) {
		if (i % 4 == 0)
			putchar(' ');
		if (i < size)
			printf("%02x ", data[i]);
		else
			fputs("   ", stdout);
	}
	fputs(" |", stdout);
	for (size_t i = 0; i < size && i < WT_CLI_DUMP_BYTES; i++)
		putchar(isprint(data[i]) ? data[i] : '.');
	fputs("|\n", stdout);
}

void wt_cli_say(const char *who, const char *text)
{
	wt_progress_hide();
	fprintf(stderr, "wavetape: %s says: ", who);
	wt_cli_put_lines(stderr, text);
	putc('\n', stderr);
}

struct wt_error *wt_cli_capture_begin(struct wt_cli_capture *capture)
{
	*capture = (struct wt_cli_capture){.before = stdout};
	capture->memory = open_memstream(&capture->text, &capture->size);
	if (!capture->memory)
		return &wt_error_no_memory;
	/* A variable like any other in the GNU C library. */
	stdout = capture->memory;
	return NULL;
}

struct wt_error *wt_cli_capture_end(struct wt_cli_capture *capture, char **text_ret)
{
	bool failed = ferror(capture->memory);

	stdout = capture->before;
	failed |= fclose(capture->memory) != 0;
	*text_ret = NULL;
	if (failed) {
		free(capture->text);
		return &wt_error_no_memory;
	}
	*text_ret = capture->text;
	return NULL;
}

json_t *wt_cli_json_text(const char *text)
{
	static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
	wt_cleanup_free char *clean = NULL;
	json_t *string;
	size_t used = 0;

	if (!text)
		return json_null();
	string = json_string(text);
	if (string)
		return string;
	clean = malloc(strlen(text) * strlen(replacement) + 1);
	if (!clean)
		return NULL;
	while (*text) {
		size_t length = wt_utf8_length(text);
		const char *from = length ? text : replacement;

		text += length ? length : 1;
		length = length ? length : strlen(replacement);
		memcpy(clean + used, from, length);
		used += length;
	}
	return json_stringn(clean, used);
}

json_t *wt_cli_json_visible(const char *text)
{
	wt_cleanup_free char *shown = text ? malloc(strlen(text) * WT_VISIBLE_CHARACTER + 1) : NULL;
	char *end = shown;

	if (!text)
		return json_null();
	if (!shown)
		return NULL;
	*end = '\0';
	while (*text) {
		text += wt_visible_character(text, end);
		end += strlen(end);
	}
	return json_string(shown);
}

json_t *wt_cli_json_texts(const char *const *texts)
{
	json_t *array = json_array();

	for (; texts && *texts; texts++)
		json_array_append_new(array, wt_cli_json_text(*texts));
	return array;
}

json_t *wt_cli_json_bytes(const uint8_t *data, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	wt_cleanup_free char *text = malloc(size * 2 + 1);

	if (!text)
		return NULL;
	for (size_t i = 0; i < size; i++) {
		text[2 * i] = digits[data[i] >> 4];
		text[2 * i + 1] = digits[data[i] & 15];
	}
	text[2 * size] = '\0';
	return json_string(text);
}

json_t *wt_cli_json_base64(const uint8_t *data, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	wt_cleanup_buffer struct wt_buffer text = {0};

	for (size_t i = 0; i < size; i += 3) {
		size_t count = size - i < 3 ? size - i : 3;
		uint32_t bits = 0;
		char four[4];

		for (size_t j = 0; j < 3; j++)
			bits = bits << 8 | (j < count ? data[i + j] : 0);
		memset(four, '=', sizeof(four));
		for (size_t j = 0; j <= count; j++)
			four[j] = digits[bits >> (18 - 6 * j) & 63];
		wt_buffer_append(&text, four, sizeof(four));
	}
	if (text.failed)
		return NULL;
	return json_stringn(text.size ? (const char *)text.data : "", text.size);
}

json_t *wt_cli_json_numbers(const uint32_t *numbers, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_integer((json_int_t)numbers[i]));
	return array;
}

json_t *wt_cli_json_hex(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}
