/* SPDX-License-Identifier: MIT */
#include "cli/serve/message-server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Messages that wait; more stay where they are, in the pipe. */
#define WAITING_MAX 1024

struct waiting {
	json_t *message; /* NULL: there was none */
	char *why;
};

struct wt_server {
	const struct wt_server_kind *kind;
	void *opaque;
	int input, output;
	bool is_at_end;
	struct wt_message_reader reader;
	struct waiting waiting[WAITING_MAX]; /* a ring */
	size_t first, count;
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

void wt_server_destroy(struct wt_server *server)
{
	if (!server)
		return;
	for (size_t i = 0; i < server->count; i++) {
		json_decref(server->waiting[(server->first + i) % WAITING_MAX].message);
		free(server->waiting[(server->first + i) % WAITING_MAX].why);
	}
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

/* Take the messages that are whole, as far as there is room for them. */
static void server_take(struct wt_server *server)
{
	while (server->count < WAITING_MAX) {
		struct waiting *waiting =
			&server->waiting[(server->first + server->count) % WAITING_MAX];
		char why[WT_MESSAGE_WHY];
		json_t *message = NULL;
		enum wt_message_result result = wt_message_next(&server->reader, &message, why);

		if (result == WT_MESSAGE_NONE)
			return;
		*waiting = (struct waiting){.message = message};
		if (result == WT_MESSAGE_MALFORMED)
			waiting->why = strdup(why);
		else if (server->kind->arrive)
			server->kind->arrive(server->opaque, message);
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

void wt_server_look(struct wt_server *server)
{
	server_take(server);
	while (server->count < WAITING_MAX && server_read(server, 0))
		server_take(server);
}

/* Return: false if it was the last. */
static bool server_handle_next(struct wt_server *server)
{
	struct waiting waiting = server->waiting[server->first];
	bool goes_on = true;

	server->first = (server->first + 1) % WAITING_MAX;
	server->count--;
	if (waiting.message)
		goes_on = server->kind->handle(server->opaque, waiting.message);
	else
		server->kind->complain(server->opaque,
				       waiting.why ? waiting.why : "there is no memory");
	json_decref(waiting.message);
	free(waiting.why);
	return goes_on;
}

struct wt_error *wt_server_run(struct wt_server *server)
{
	struct wt_error *error;

	while (!server->error) {
		wt_server_look(server);
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
