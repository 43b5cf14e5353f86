/* SPDX-License-Identifier: MIT */
#include "cli/serve/message.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

static const char length_field[] = "Content-Length:";

void wt_message_reader_deinit(struct wt_message_reader *reader)
{
	wt_buffer_deinit(&reader->bytes);
}

void wt_message_reader_feed(struct wt_message_reader *reader, const void *data, size_t size)
{
	struct wt_buffer *bytes = &reader->bytes;

	/* A long message that is passed over is never in memory. */
	if (reader->skipped) {
		size_t passed = size < reader->skipped ? size : (size_t)reader->skipped;

		reader->skipped -= passed;
		data = (const char *)data + passed;
		size -= passed;
	}
	if (reader->taken) {
		memmove(bytes->data, bytes->data + reader->taken, bytes->size - reader->taken);
		bytes->size -= reader->taken;
		reader->taken = 0;
	}
	wt_buffer_append(bytes, data, size);
}

/* Is this the escape of a character that no text here can hold: 0, or half of a pair? @digits: behind "\\u". */
static bool escape_is_no_character(const char *digits, size_t size, bool *is_first_half_ret)
{
	char number[5] = "";
	unsigned long code;

	*is_first_half_ret = false;
	if (size < 4)
		return false;
	memcpy(number, digits, 4);
	if (strspn(number, "0123456789abcdefABCDEF") != 4)
		return false;
	code = strtoul(number, NULL, 16);
	*is_first_half_ret = code >= 0xD800 && code < 0xDC00;
	return !code || (code >= 0xD800 && code < 0xE000);
}

/* Put U+FFFD in place of each escape of what is no character. */
static void text_replace_escapes(char *text, size_t size)
{
	static const char replacement[] = {'f', 'f', 'f', 'd'};
	size_t i = 0;

	while (i + 1 < size) {
		bool is_first_half, is_pair;

		if (text[i] != '\\') {
			i++;
			continue;
		}
		if (text[i + 1] != 'u' ||
		    !escape_is_no_character(text + i + 2, size - i - 2, &is_first_half)) {
			i += 2;
			continue;
		}
		is_pair = is_first_half && size - i >= 12 &&
			  !strncasecmp(text + i + 6, "\\ud", 3) && strchr("cdefCDEF", text[i + 9]);
		if (!is_pair)
			memcpy(text + i + 2, replacement, sizeof(replacement));
		i += is_pair ? 12 : 6;
	}
}

/* Is this a number that is too large to be held? */
static bool number_is_too_large(const char *text, size_t size)
{
	json_error_t error;
	json_t *number = json_loadb(text, size, JSON_DECODE_ANY, &error);

	json_decref(number);
	return !number && json_error_code(&error) == json_error_numeric_overflow;
}

/* Put null, and blanks behind it, in place of each number that is too large to be held. */
static void text_replace_numbers(char *text, size_t size)
{
	static const char replacement[] = {'n', 'u', 'l', 'l'};
	bool is_string = false;

	for (size_t i = 0; i < size; i++) {
		size_t length = 0;

		if (is_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			is_string = !is_string;
		else if (!is_string)
			while (i + length < size && text[i + length] &&
			       strchr("+-.0123456789Ee", text[i + length]))
				length++;
		if (length < sizeof(replacement))
			continue;
		if (number_is_too_large(text + i, length)) {
			memset(text + i, ' ', length);
			memcpy(text + i, replacement, sizeof(replacement));
		}
		i += length - 1;
	}
}

/*
 * Read a message that is no JSON for jansson, for the sake of who sent it: JSON may have texts that hold what is no character, and
 * numbers of any size, and the rest of the message says what it answers.
 */
static json_t *message_parse_replaced(const char *text, size_t size)
{
	wt_cleanup_free char *copy = malloc(size);

	if (!copy)
		return NULL;
	memcpy(copy, text, size);
	text_replace_escapes(copy, size);
	text_replace_numbers(copy, size);
	return json_loadb(copy, size, 0, NULL);
}

static enum wt_message_result message_parse(const char *text, size_t size, json_t **message_ret,
					    char why[WT_MESSAGE_WHY])
{
	json_error_t error;

	*message_ret = json_loadb(text, size, 0, &error);
	if (*message_ret)
		return WT_MESSAGE_READ;
	*message_ret = message_parse_replaced(text, size);
	if (*message_ret && json_error_code(&error) == json_error_numeric_overflow)
		snprintf(why, WT_MESSAGE_WHY, "a number of the message is too large");
	else if (*message_ret)
		snprintf(why, WT_MESSAGE_WHY,
			 "a text of the message has U+0000 or half of a surrogate pair, which are "
			 "no "
			 "characters");
	else
		snprintf(why, WT_MESSAGE_WHY, "a message is no JSON: %s", error.text);
	return WT_MESSAGE_MALFORMED;
}

/* ---- Lines ---- */

static enum wt_message_result line_next(struct wt_message_reader *reader, json_t **message_ret,
					char why[WT_MESSAGE_WHY])
{
	struct wt_buffer *bytes = &reader->bytes;

	for (;;) {
		size_t left = bytes->size - reader->taken, size;
		const char *line = left ? (const char *)bytes->data + reader->taken : "";
		const char *end = left ? memchr(line, '\n', left) : NULL;

		if (!end && left <= WT_MESSAGE_MAX && !reader->is_line_lost)
			return WT_MESSAGE_NONE;
		size = end ? (size_t)(end - line) : left;
		reader->taken += end ? size + 1 : size;
		if (reader->is_line_lost || size > WT_MESSAGE_MAX) {
			bool told = reader->is_line_lost;

			reader->is_line_lost = !end;
			if (told && end)
				continue;
			if (told)
				return WT_MESSAGE_NONE;
			snprintf(why, WT_MESSAGE_WHY, "a message is longer than %zu bytes",
				 WT_MESSAGE_MAX);
			return WT_MESSAGE_MALFORMED;
		}
		if (size && line[size - 1] == '\r')
			size--;
		if (size)
			return message_parse(line, size, message_ret, why);
	}
}

/* ---- Lengths ---- */

/* The number behind the last field of that name in a head, which may be behind bytes that belong to nothing. */
static bool head_find_length(const char *head, size_t size, uint64_t *length_ret)
{
	const size_t name = sizeof(length_field) - 1;
	bool found = false;

	for (size_t i = 0; i + name < size; i++) {
		size_t at = i + name;
		uint64_t number = 0;
		size_t digits = 0;

		if (strncasecmp(head + i, length_field, name) != 0)
			continue;
		while (at < size && (head[at] == ' ' || head[at] == '\t'))
			at++;
		for (; at < size && head[at] >= '0' && head[at] <= '9' && digits < 19; at++) {
			number = 10 * number + (uint64_t)(head[at] - '0');
			digits++;
		}
		while (at < size && (head[at] == ' ' || head[at] == '\t'))
			at++;
		if (!digits || (at < size && head[at] != '\r'))
			continue;
		*length_ret = number;
		found = true;
	}
	return found;
}

static enum wt_message_result head_lost(struct wt_message_reader *reader, char why[WT_MESSAGE_WHY])
{
	bool told = reader->is_lost;

	reader->is_lost = true;
	if (told)
		return WT_MESSAGE_NONE;
	snprintf(why, WT_MESSAGE_WHY, "bytes came that are no head with a Content-Length");
	return WT_MESSAGE_MALFORMED;
}

/* Pass over a message that is too long: what of it is here now, the rest as it comes. */
static enum wt_message_result body_skip(struct wt_message_reader *reader, uint64_t length,
					char why[WT_MESSAGE_WHY])
{
	size_t here = reader->bytes.size - reader->taken;

	if (here > length)
		here = (size_t)length;
	reader->taken += here;
	reader->skipped = length - here;
	snprintf(why, WT_MESSAGE_WHY,
		 "a message of %" PRIu64 " bytes is longer than the %zu that are taken", length,
		 WT_MESSAGE_MAX);
	return WT_MESSAGE_MALFORMED;
}

static enum wt_message_result length_next(struct wt_message_reader *reader, json_t **message_ret,
					  char why[WT_MESSAGE_WHY])
{
	struct wt_buffer *bytes = &reader->bytes;

	for (;;) {
		size_t left = bytes->size - reader->taken, head;
		const char *text = left ? (const char *)bytes->data + reader->taken : "";
		const char *end = left ? memmem(text, left, "\r\n\r\n", 4) : NULL;
		uint64_t length;

		if (!end && left <= WT_MESSAGE_HEAD_MAX)
			return WT_MESSAGE_NONE;
		/* The last bytes may begin the end of a head. */
		head = end ? (size_t)(end - text) + 4 : left - 3;
		if (!end || !head_find_length(text, head - 4, &length)) {
			reader->taken += head;
			if (head_lost(reader, why) == WT_MESSAGE_MALFORMED)
				return WT_MESSAGE_MALFORMED;
			continue;
		}
		if (length <= WT_MESSAGE_MAX && left - head < length)
			return WT_MESSAGE_NONE;
		reader->taken += head;
		reader->is_lost = false;
		if (length > WT_MESSAGE_MAX)
			return body_skip(reader, length, why);
		reader->taken += (size_t)length;
		return message_parse(text + head, (size_t)length, message_ret, why);
	}
}

enum wt_message_result wt_message_next(struct wt_message_reader *reader, json_t **message_ret,
				       char why[WT_MESSAGE_WHY])
{
	*message_ret = NULL;
	if (reader->bytes.failed) {
		wt_buffer_clear(&reader->bytes);
		reader->taken = 0;
		snprintf(why, WT_MESSAGE_WHY, "there was no memory for a message");
		return WT_MESSAGE_MALFORMED;
	}
	return reader->framing == WT_FRAMING_LINE ? line_next(reader, message_ret, why)
						  : length_next(reader, message_ret, why);
}

bool wt_message_encode(enum wt_framing framing, const json_t *message, struct wt_buffer *bytes)
{
	wt_cleanup_free char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

	if (!text)
		return false;
	if (framing == WT_FRAMING_LENGTH)
		wt_buffer_append_format(bytes, "%s %zu\r\n\r\n", length_field, strlen(text));
	wt_buffer_append_text(bytes, text);
	if (framing == WT_FRAMING_LINE)
		wt_buffer_append_text(bytes, "\n");
	return !bytes->failed;
}

/* ---- The loop of a server ---- */

/* Messages that wait; more stay where they are, in the pipe. */
#define WAITING_MAX 1024

struct waiting {
	json_t *message; /* NULL: there was none */
	bool is_malformed;
	char *why;	       /* it is malformed; NULL: there was no memory to say it */
	const json_t *earlier; /* that it takes back, while that is here; NULL: none */
	bool is_taken_back;
	bool has_taken_back; /* what it takes back was answered as such */
};

struct wt_server {
	const struct wt_server_kind *kind;
	void *opaque;
	int input, output;
	bool is_at_end;
	struct wt_message_reader reader;
	struct waiting waiting[WAITING_MAX]; /* a ring */
	size_t first, count;
	struct waiting current; /* that is being handled */
	struct wt_buffer sent;
	struct wt_error *error;
	void (*pipe_before)(int);
};

struct wt_error *wt_server_create(const struct wt_server_kind *kind, void *opaque, int input,
				  int output, struct wt_server **server_ret)
{
	struct wt_server *server = calloc(1, sizeof(*server));

	if (!server)
		return &wt_error_no_memory;
	server->kind = kind;
	server->opaque = opaque;
	server->input = input;
	server->output = output;
	server->reader.framing = kind->framing;
	/* A client that is gone is an error of writing. */
	server->pipe_before = signal(SIGPIPE, SIG_IGN);
	*server_ret = server;
	return NULL;
}

static struct waiting *waiting_at(struct wt_server *server, size_t index)
{
	return &server->waiting[(server->first + index) % WAITING_MAX];
}

static void waiting_deinit(struct waiting *waiting)
{
	json_decref(waiting->message);
	free(waiting->why);
}

void wt_server_destroy(struct wt_server *server)
{
	if (!server)
		return;
	for (size_t i = 0; i < server->count; i++)
		waiting_deinit(waiting_at(server, i));
	wt_message_reader_deinit(&server->reader);
	wt_buffer_deinit(&server->sent);
	wt_error_destroy(server->error);
	signal(SIGPIPE, server->pipe_before);
	free(server);
}

void wt_server_send(struct wt_server *server, json_t *message)
{
	wt_buffer_clear(&server->sent);
	if (!wt_message_encode(server->kind->framing, message, &server->sent)) {
		if (!server->error)
			server->error = &wt_error_no_memory;
	} else if (!server->error) {
		server->error = wt_file_write_all(server->output, server->sent.data,
						  server->sent.size, "cannot answer", "the client");
	}
	json_decref(message);
}

static void waiting_take_back(struct wt_server *server, struct waiting *waiting,
			      struct waiting *earlier)
{
	if (!earlier->message ||
	    !server->kind->takes_back(server->opaque, waiting->message, earlier->message))
		return;
	earlier->is_taken_back = true;
	waiting->earlier = earlier->message;
}

/* A request can be taken back before it is looked at, or while it is at work. */
static void server_note_arrival(struct wt_server *server, struct waiting *waiting)
{
	waiting_take_back(server, waiting, &server->current);
	for (size_t i = 0; i < server->count; i++)
		waiting_take_back(server, waiting, waiting_at(server, i));
}

/* Take the messages that are whole, as far as there is room for them. */
static void server_take(struct wt_server *server)
{
	while (server->count < WAITING_MAX) {
		struct waiting *waiting = waiting_at(server, server->count);
		char why[WT_MESSAGE_WHY];
		json_t *message = NULL;
		enum wt_message_result result = wt_message_next(&server->reader, &message, why);

		if (result == WT_MESSAGE_NONE)
			return;
		*waiting = (struct waiting){.message = message};
		if (result == WT_MESSAGE_MALFORMED) {
			waiting->is_malformed = true;
			waiting->why = strdup(why);
		} else {
			server_note_arrival(server, waiting);
		}
		server->count++;
	}
}

/* @timeout: as poll() has it. Return: false if nothing came. */
static bool server_read(struct wt_server *server, int timeout)
{
	struct pollfd ready = {.fd = server->input, .events = POLLIN};
	char data[1 << 16];
	ssize_t size;

	if (server->is_at_end || poll(&ready, 1, timeout) <= 0)
		return false;
	size = read(server->input, data, sizeof(data));
	if (size < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (size <= 0) {
		server->is_at_end = true;
		return false;
	}
	wt_message_reader_feed(&server->reader, data, (size_t)size);
	return true;
}

static void server_look(struct wt_server *server)
{
	server_take(server);
	while (server->count < WAITING_MAX && server_read(server, 0))
		server_take(server);
}

bool wt_server_is_taken_back(struct wt_server *server)
{
	server_look(server);
	return server->current.is_taken_back;
}

static void current_drop(struct wt_server *server, enum wt_handled how)
{
	for (size_t i = 0; i < server->count; i++) {
		struct waiting *waiting = waiting_at(server, i);

		if (!waiting->earlier || waiting->earlier != server->current.message)
			continue;
		waiting->has_taken_back = how == WT_HANDLED_AS_TAKEN_BACK;
		waiting->earlier = NULL;
	}
	waiting_deinit(&server->current);
	server->current = (struct waiting){.message = NULL};
}

/* Return: false if it was the last. */
static bool server_handle_next(struct wt_server *server)
{
	struct waiting *current = &server->current;
	enum wt_handled how = WT_HANDLED;

	*current = *waiting_at(server, 0);
	server->first = (server->first + 1) % WAITING_MAX;
	server->count--;
	if (!current->is_malformed)
		how = server->kind->handle(server->opaque, current->message,
					   current->has_taken_back);
	else
		server->kind->complain(server->opaque, current->message,
				       current->why ? current->why : "there is no memory");
	current_drop(server, how);
	return how != WT_HANDLED_LAST;
}

struct wt_error *wt_server_run(struct wt_server *server)
{
	struct wt_error *error;

	while (!server->error) {
		server_look(server);
		if (server->count) {
			if (!server_handle_next(server))
				break;
		} else if (server->is_at_end) {
			break;
		} else {
			server_read(server, -1);
		}
	}
	error = server->error;
	server->error = NULL;
	return error;
}
