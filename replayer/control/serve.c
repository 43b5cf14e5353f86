/* SPDX-License-Identifier: MIT */
/*
 * The thread that serves the control socket: some connections at a time, none for long. Whoever
 * connects may be slow, send anything, or vanish.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "replayer/control/internal.h"

#define CONNECTIONS 16u
#define PATIENCE 2000 /* milliseconds for a request and its answer */

struct connection {
	int fd; /* -1: unused */
	int64_t deadline;
	char request[WT_CONTROL_REQUEST];
	size_t received;
	char answer[WT_CONTROL_ANSWER];
	size_t length, sent;
};

static void hang_up(struct connection *connection)
{
	close(connection->fd);
	connection->fd = -1;
}

/* Whoever comes when all are busy may come again. */
static void connection_accept(struct wt_control *control, struct connection *connections)
{
	int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	for (size_t i = 0; wt_user_socket_is_own(fd) && i < CONNECTIONS; i++) {
		if (connections[i].fd >= 0)
			continue;
		connections[i].fd = fd;
		connections[i].deadline = (int64_t)wt_clock_ms() + PATIENCE;
		connections[i].received = connections[i].length = connections[i].sent = 0;
		return;
	}
	close(fd);
}

static bool may_try_again(ssize_t result)
{
	return result < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Takes what has arrived of the request; with its end it is answered. */
static void connection_receive(struct wt_control *control, struct connection *connection)
{
	size_t room = sizeof(connection->request) - connection->received;
	ssize_t count = read(connection->fd, connection->request + connection->received, room);
	char *end;

	if (may_try_again(count))
		return;
	if (count <= 0) {
		hang_up(connection);
		return;
	}
	connection->received += (size_t)count;
	end = memchr(connection->request, '\n', connection->received);
	if (!end && connection->received < sizeof(connection->request))
		return;
	/* A line that is too long is no request; nor is one with a NUL in it, which ends it early. */
	if (!end)
		end = connection->request + sizeof(connection->request) - 1;
	*end = '\0';
	connection->length = wt_control_answer(control, connection->request, connection->answer);
}

static void reply(struct connection *connection)
{
	ssize_t count = send(connection->fd, connection->answer + connection->sent,
			     connection->length - connection->sent, MSG_NOSIGNAL);

	if (may_try_again(count))
		return;
	if (count > 0)
		connection->sent += (size_t)count;
	if (count <= 0 || connection->sent == connection->length)
		hang_up(connection);
}

static void serve_connection(struct wt_control *control, struct connection *connection, short ready)
{
	if (connection->deadline <= (int64_t)wt_clock_ms() || ready & (POLLERR | POLLNVAL)) {
		hang_up(connection);
		return;
	}
	if (ready & POLLIN && !connection->length)
		connection_receive(control, connection);
	else if (ready & POLLHUP && !connection->length)
		hang_up(connection);
	if (connection->fd >= 0 && connection->length)
		reply(connection);
}

/* How long to wait: until the first deadline; -1: for ever. */
static int patience(const struct connection *connections)
{
	int64_t first = -1, left;

	for (size_t i = 0; i < CONNECTIONS; i++)
		if (connections[i].fd >= 0 && (first < 0 || connections[i].deadline < first))
			first = connections[i].deadline;
	if (first < 0)
		return -1;
	left = first - (int64_t)wt_clock_ms();
	return left > 0 ? (int)left + 1 : 0;
}

/* False when the thread is to end. */
static bool control_serve_once(struct wt_control *control, struct connection *connections)
{
	struct pollfd files[CONNECTIONS + 2];

	files[0] = (struct pollfd){.fd = control->wake, .events = POLLIN};
	files[1] = (struct pollfd){.fd = control->listener, .events = POLLIN};
	for (size_t i = 0; i < CONNECTIONS; i++)
		files[i + 2] = (struct pollfd){.fd = connections[i].fd,
					       .events = connections[i].length ? POLLOUT : POLLIN};
	if (poll(files, CONNECTIONS + 2, patience(connections)) < 0 && errno != EINTR)
		return false;
	if (files[0].revents)
		return false;
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (connections[i].fd >= 0)
			serve_connection(control, &connections[i], files[i + 2].revents);
	if (files[1].revents & POLLIN)
		connection_accept(control, connections);
	return true;
}

void *wt_control_serve(void *argument)
{
	struct connection *connections = calloc(CONNECTIONS, sizeof(*connections));
	struct wt_control *control = argument;

	if (!connections)
		return NULL;
	for (size_t i = 0; i < CONNECTIONS; i++)
		connections[i].fd = -1;
	while (control_serve_once(control, connections))
		;
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (connections[i].fd >= 0)
			close(connections[i].fd);
	free(connections);
	return NULL;
}
