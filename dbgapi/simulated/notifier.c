/* SPDX-License-Identifier: MIT */
/* The notifier of a process: a pipe that is readable while the client should ask for events. */
#include "dbgapi/simulated/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

bool wt_notifier_create(struct wt_api_process *process)
{
	if (pipe2(process->notifier, O_NONBLOCK | O_CLOEXEC) == 0)
		return true;
	process->notifier[0] = process->notifier[1] = -1;
	return false;
}

/* Clients read single bytes until the pipe is empty, so one byte at most may stand in it. */
void wt_notifier_mark(struct wt_api_process *process)
{
	struct pollfd readable = {.fd = process->notifier[0], .events = POLLIN};
	ssize_t written;

	if (poll(&readable, 1, 0) != 0)
		return;
	do
		written = write(process->notifier[1], "+", 1);
	while (written < 0 && errno == EINTR);
}

void wt_notifier_close(struct wt_api_process *process)
{
	for (int i = 0; i < 2; i++)
		if (process->notifier[i] >= 0)
			close(process->notifier[i]);
}
