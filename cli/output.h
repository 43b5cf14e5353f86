/* SPDX-License-Identifier: MIT */
/*
 * Printing of verbs: errors on stderr, data as text or JSON on stdout.
 *
 * Text from a trace or from the command line may be any bytes. It is printed with the functions here only, so that
 * nothing in a trace can act on the terminal or look like a line of ours.
 */
#ifndef WT_CLI_OUTPUT_H
#define WT_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/error.h"

/** Print `wavetape: WHAT: WHERE: WHY` to stderr, free the error, and return the exit code for it. */
int wt_cli_fail(struct wt_error *error);

/**
 * Flush stdout at the end of a process that wrote to it.
 *
 * @return: @code, or WT_EXIT_FAILED if some of the output could not be written; the reason is printed.
 */
int wt_cli_finish(int code);

/* ---- Text ---- */

enum wt_cli_colour {
	WT_CLI_PLAIN, /* again */
	WT_CLI_RED,
	WT_CLI_GREEN,
	WT_CLI_YELLOW,
	WT_CLI_BOLD,
};

/** The characters that begin a colour on a terminal; "" where the file is none, or NO_COLOR is set and not empty. */
const char *wt_cli_colour(FILE *file, enum wt_cli_colour colour);

#define WT_CLI_LABEL 13 /* how wide the first column of `info` is */

/** Print a label of ASCII on stdout in a colour, followed by blanks up to the next column. */
void wt_cli_put_label(enum wt_cli_colour colour, const char *label);

/**
 * Print text. Control characters and bytes that are not UTF-8 are shown as \x1b, \n and so on.
 *
 * @text: NULL is printed as an empty string.
 * @return: how many bytes were written.
 */
int wt_cli_put(FILE *file, const char *text);

/** The same on stdout, followed by blanks up to @width bytes. */
void wt_cli_put_padded(const char *text, int width);

/** The same, but line ends in @text are printed as they are: for messages of more than one line. */
void wt_cli_put_lines(FILE *file, const char *text);

#define WT_CLI_DUMP_BYTES 16

/** Print at most WT_CLI_DUMP_BYTES bytes as a line of `hexdump -C` has them, without an address. */
void wt_cli_put_bytes(const uint8_t *data, size_t size);

/** Print to stderr what somebody else reports: "wavetape: the library says: TEXT". */
void wt_cli_say(const char *who, const char *text);

/* A capture keeps what is printed on stdout. */
struct wt_cli_capture {
	FILE *before, *memory;
	char *text;
	size_t size;
};

/** Keep what is printed on stdout from now on, in place of printing it. Errors: no memory; then nothing is kept. */
struct wt_error *wt_cli_capture_begin(struct wt_cli_capture *capture);

/**
 * Print on stdout again.
 *
 * @text_ret: what was kept, for the caller to free(); NULL with an error.
 */
struct wt_error *wt_cli_capture_end(struct wt_cli_capture *capture, char **text_ret);

/* ---- JSON ---- */

/* The form of what --json prints; docs/reference.md says what each number changed. */
#define WT_CLI_JSON_FORMAT 3

/** Write JSON on a line of its own, and drop the reference. NULL writes nothing. false: not all could be written. */
bool wt_cli_json_line(FILE *file, json_t *value);

/**
 * Print what a verb found to stdout, with a newline: one object that begins with WT_CLI_JSON_FORMAT as "format".
 *
 * @file: the trace, or what else was read or made, as "file"; NULL: there is none.
 * @stop: the stop that was looked at, as "stop"; 0: none alone.
 * @value: an object, whose reference is dropped; NULL means that memory ran out.
 * @return: the exit code.
 */
int wt_cli_json(const char *file, uint32_t stop, json_t *value);

/** An address or a mask: "0x7f00", a string, because JSON readers keep numbers as doubles of 53 bits. */
json_t *wt_cli_json_hex(uint64_t value);

/** Numbers, such as coordinates: [1, 0, 0]. */
json_t *wt_cli_json_numbers(const uint32_t *numbers, size_t count);

/** Texts, of which NULL is behind the last; NULL: none. */
json_t *wt_cli_json_texts(const char *const *texts);

/** Bytes as a string of hexadecimal digits. */
json_t *wt_cli_json_bytes(const uint8_t *data, size_t size);

/** The same as base64, of RFC 4648. */
json_t *wt_cli_json_base64(const uint8_t *data, size_t size);

/** A string. Bytes that are not UTF-8 become U+FFFD, since JSON holds Unicode only. NULL becomes null. */
json_t *wt_cli_json_text(const char *text);

/** A text of a trace that is shown as it comes, on one line: with what wt_visible_character() makes of it. NULL becomes null. */
json_t *wt_cli_json_visible(const char *text);

#endif /* WT_CLI_OUTPUT_H */
