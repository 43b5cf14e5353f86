/* SPDX-License-Identifier: MIT */
#include "base/user-socket.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

static bool credentials(int connection, struct ucred *peer_ret)
{
	socklen_t size = sizeof(*peer_ret);

	return !getsockopt(connection, SOL_SOCKET, SO_PEERCRED, peer_ret, &size) &&
	       size == sizeof(*peer_ret);
}

bool wt_user_socket_is_own(int connection)
{
	struct ucred peer;

	return credentials(connection, &peer) && peer.uid == geteuid();
}

pid_t wt_user_socket_process(int connection)
{
	struct ucred peer;

	return credentials(connection, &peer) ? peer.pid : -1;
}

struct sockaddr_storage wt_user_socket_agent(pid_t process, socklen_t *size_ret)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct sockaddr_storage storage = {0};
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			      "wavetape-agent/%d", (int)process);

	memcpy(&storage, &address, sizeof(address));
	*size_ret = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
	return storage;
}

struct wt_error *wt_user_socket_receive(int connection, int milliseconds, const char *what,
					const char *where, const char *late, char *text,
					size_t size)
{
	size_t length = 0;

	while (length < size - 1) {
		struct pollfd readable = {.fd = connection, .events = POLLIN};
		ssize_t got;

		if (poll(&readable, 1, milliseconds) == 0)
			return wt_error_create(WT_ERROR_IO, what, where, "%s", late);
		got = read(connection, text + length, size - 1 - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wt_error_errno(errno, what, where);
		if (!got)
			break;
		length += (size_t)got;
	}
	text[length] = '\0';
	return NULL;
}
