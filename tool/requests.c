/* SPDX-License-Identifier: MIT */
#include "tool/requests.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/user-socket.h"

#define HIGH_DESCRIPTOR 512 /* out of the way of the numbers that the program's own files get */

static const char what[] = "cannot listen for requests";

/* A signal handler has no parameter for it. */
static struct wt_tool_requests *signalled;

static void requests_wake(struct wt_tool_requests *requests)
{
	const uint64_t one = 1;
	ssize_t done = write(requests->event, &one, sizeof(one));

	(void)done;
}

/* The handler is inherited by children of fork(), and so is the descriptor: it is the parent's. */
static void requests_handle_signal(int signal)
{
	struct wt_tool_requests *requests = signalled;
	int error = errno;

	(void)signal;
	if (requests && getpid() == requests->owner) {
		atomic_store(&requests->signalled, true);
		requests_wake(requests);
	}
	errno = error;
}

static bool requests_take_signal(struct wt_tool_requests *requests, int signal)
{
	const struct sigaction ours = {.sa_handler = requests_handle_signal,
				       .sa_flags = SA_RESTART};
	struct sigaction before;

	if (!signal)
		return true;
	if (sigaction(signal, NULL, &before) || before.sa_flags & SA_SIGINFO ||
	    before.sa_handler != SIG_DFL)
		return false;
	signalled = requests;
	if (sigaction(signal, &ours, NULL))
		return false;
	requests->signal = signal;
	return true;
}

static void requests_give_signal_back(const struct wt_tool_requests *requests)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	struct sigaction now;

	if (requests->signal && !sigaction(requests->signal, NULL, &now) &&
	    now.sa_handler == requests_handle_signal)
		sigaction(requests->signal, &usual, NULL);
	signalled = NULL;
}

static int descriptor_raise(int fd)
{
	int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR) : -1;

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static int requests_listen(void)
{
	socklen_t size;
	const struct sockaddr_storage address = wt_user_socket_agent(getpid(), &size);
	int fd = descriptor_raise(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

	if (fd < 0)
		return -1;
	if (!bind(fd, (const struct sockaddr *)&address, size) && !listen(fd, 4))
		return fd;
	close(fd);
	return -1;
}

static bool epoll_watch(int epoll, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	return !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

struct wt_error *wt_tool_requests_open(struct wt_tool_requests *requests, int signal,
				       bool *signal_ret)
{
	*requests = (struct wt_tool_requests){
		.owner = getpid(), .wake = -1, .event = -1, .listener = -1, .client = -1};
	requests->event = descriptor_raise(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	requests->wake = descriptor_raise(epoll_create1(EPOLL_CLOEXEC));
	if (requests->event < 0 || requests->wake < 0 ||
	    !epoll_watch(requests->wake, requests->event)) {
		struct wt_error *error = wt_error_errno(errno, what, "eventfd");

		wt_tool_requests_close(requests);
		return error;
	}
	requests->listener = requests_listen();
	if (requests->listener >= 0)
		epoll_watch(requests->wake, requests->listener);
	*signal_ret = requests_take_signal(requests, signal);
	return NULL;
}

static void descriptor_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void wt_tool_requests_close(struct wt_tool_requests *requests)
{
	requests_give_signal_back(requests);
	descriptor_close(&requests->client);
	descriptor_close(&requests->listener);
	descriptor_close(&requests->wake);
	descriptor_close(&requests->event);
}

void wt_tool_requests_forget(struct wt_tool_requests *requests)
{
	descriptor_close(&requests->client);
	descriptor_close(&requests->listener);
}

void wt_tool_requests_end(struct wt_tool_requests *requests)
{
	atomic_store(&requests->ends, true);
	requests_wake(requests);
}

void wt_tool_requests_queue_error(struct wt_tool_requests *requests,
				  const struct wt_host_queue_error *error)
{
	atomic_store(&requests->queue_error, error);
	requests_wake(requests);
}

/* Does a line ask for a snapshot? It comes at once, or not at all. */
static bool asks_for_snapshot(int fd)
{
	static const char line[] = WT_USER_SOCKET_HELLO "snapshot\n";
	const struct timeval patience = {.tv_sec = 1};
	char text[sizeof(line)] = "";
	size_t length = 0;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	while (length < sizeof(line) - 1) {
		ssize_t got = recv(fd, text + length, sizeof(line) - 1 - length, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		length += (size_t)got;
	}
	return !memcmp(text, line, sizeof(line) - 1);
}

static void send_text(int fd, const char *text)
{
	ssize_t sent = send(fd, text, strlen(text), MSG_NOSIGNAL);

	(void)sent;
}

static bool requests_take_client(struct wt_tool_requests *requests)
{
	int fd = accept4(requests->listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return false;
	if (!wt_user_socket_is_own(fd))
		send_text(fd, WT_USER_SOCKET_HELLO "refused the program is another user's\n");
	else if (!asks_for_snapshot(fd))
		send_text(fd, WT_USER_SOCKET_HELLO "refused no such request: snapshot\n");
	else {
		requests->client = descriptor_raise(fd);
		return true;
	}
	close(fd);
	return false;
}

bool wt_tool_requests_take(struct wt_tool_requests *requests)
{
	uint64_t count;
	ssize_t done = read(requests->event, &count, sizeof(count));
	bool wanted = atomic_exchange(&requests->signalled, false);

	(void)done;
	if (requests->listener >= 0 && requests->client < 0)
		wanted |= requests_take_client(requests);
	return wanted;
}

void wt_tool_requests_answer(struct wt_tool_requests *requests, const char *path, uint64_t waves,
			     const char *why)
{
	char text[8192];

	if (requests->client < 0)
		return;
	if (why)
		snprintf(text, sizeof(text), WT_USER_SOCKET_HELLO "refused %s\n", why);
	else
		snprintf(text, sizeof(text),
			 WT_USER_SOCKET_HELLO "ok\npath %s\nwaves %" PRIu64 "\n", path, waves);
	send_text(requests->client, text);
	descriptor_close(&requests->client);
}
