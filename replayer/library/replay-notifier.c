/* SPDX-License-Identifier: MIT */
#include "replayer/library/replay-notifier.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

bool wt_notifier_open(int ends[2])
{
	if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0)
		return true;
	ends[0] = ends[1] = -1;
	return false;
}

void wt_notifier_close(int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	ends[0] = ends[1] = -1;
}

void wt_notifier_raise(const int ends[2])
{
	struct pollfd readable = {.fd = ends[0], .events = POLLIN};
	ssize_t written;

	if (poll(&readable, 1, 0) != 0)
		return;
	do
		written = write(ends[1], "+", 1);
	while (written < 0 && errno == EINTR);
}
