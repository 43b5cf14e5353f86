/* SPDX-License-Identifier: MIT */
/*
 * The paths of the control sockets of running replays, and the protocol.
 *
 * A replay listens on DIRECTORY/PID-DEVICE-INODE.sock: the process that replays and the file of the trace, so that it is
 * found by either. The directory belongs to the user alone.
 *
 * A connection carries one request, a line of at most WT_CONTROL_REQUEST bytes, and one answer:
 *
 *   wavetape 1 info                  wavetape 1 ok
 *   wavetape 1 goto STOP             NAME VALUE     (a line for each field, see control.c)
 *   wavetape 1 next               or
 *   wavetape 1 previous              wavetape 1 refused WHY
 *   wavetape 1 stay
 *
 * `stay` takes back a request that is not carried out yet. Behind `goto`, `next` and `previous` a debugger may add
 * ` at-once`, or ` at-once WAVE` with the number of the wave that it shows. It says so that it holds all waves, and
 * forgets what it knows of their registers and memory. The replay then goes to the stop without events, where it can.
 */
#ifndef WT_REPLAYER_CONTROL_NAME_H
#define WT_REPLAYER_CONTROL_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/user-socket.h"

#define WT_CONTROL_HELLO WT_USER_SOCKET_HELLO
#define WT_CONTROL_REQUEST 64u /* bytes, with the newline */
#define WT_CONTROL_ANSWER 16384u

/* The parts of a socket's name. */
struct wt_control_name {
	pid_t pid;
	uint64_t device, inode; /* of the trace */
};

#define WT_CONTROL_NAME_MAX 64u

void wt_control_name_print(const struct wt_control_name *name, char text[WT_CONTROL_NAME_MAX]);

/** False if a file of that name is not a socket of ours. */
bool wt_control_name_parse(const char *text, struct wt_control_name *name_ret);

/**
 * Open the directory of the sockets.
 *
 * @runtime: the user's own directory, XDG_RUNTIME_DIR; NULL or "" if there is none.
 * @temporary: where to make one otherwise, TMPDIR; NULL or "" means /tmp.
 * @create: make the directory if it is not there.
 * @fd_ret: of the directory; the caller closes it.
 *
 * Errors: WT_ERROR_NOT_FOUND if it is not there; WT_ERROR_IO if it cannot be had, or if somebody
 * else could reach into it.
 */
struct wt_error *wt_control_directory(const char *runtime, const char *temporary, bool create,
				      int *fd_ret);

/**
 * The address of a socket in an open directory, however long the directory's path is: by way of
 * this process's own table of files.
 */
struct sockaddr_storage wt_control_address(int directory, const char *name, socklen_t *size_ret);

#endif /* WT_REPLAYER_CONTROL_NAME_H */
