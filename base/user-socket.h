/* SPDX-License-Identifier: MIT */
/* Sockets through which processes of one user talk to each other on one machine. */
#ifndef WT_BASE_USER_SOCKET_H
#define WT_BASE_USER_SOCKET_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/error.h"

/* The words with which every line of a request and the first line of an answer begin. */
#define WT_USER_SOCKET_HELLO "wavetape 1 "

/** Is the other end of a connection the user who runs this process? */
bool wt_user_socket_is_own(int connection);

/** The process at the other end of a connection, or that listened there; -1 if the kernel does not say. */
pid_t wt_user_socket_process(int connection);

/** The address at which the agent in a process listens: a name without a file, in the network namespace. */
struct sockaddr_storage wt_user_socket_agent(pid_t process, socklen_t *size_ret);

/**
 * Read text up to the end of a connection, or as much as there is room for; it ends with a zero.
 *
 * @milliseconds: how long to wait for the next bytes.
 * @late: why, if none come for so long.
 *
 * Errors, of @what and @where: IO; @late.
 */
struct wt_error *wt_user_socket_receive(int connection, int milliseconds, const char *what,
					const char *where, const char *late, char *text,
					size_t size);

#endif /* WT_BASE_USER_SOCKET_H */
