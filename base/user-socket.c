/* SPDX-License-Identifier: MIT */
#include "base/user-socket.h"

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
