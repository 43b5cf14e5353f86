/* SPDX-License-Identifier: MIT */
#include "dbgapi/host/debugged-process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

int wt_host_open(pid_t process)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/mem", (long)process);
	return open(path, O_RDWR | O_CLOEXEC);
}

size_t wt_host_move(int memory, uint64_t address, void *read_to, const void *write_from,
		    size_t size)
{
	size_t done = 0;

	/* Offsets of the file are signed. */
	while (done < size && address + done <= INT64_MAX) {
		ssize_t part;

		if (read_to)
			part = pread(memory, (uint8_t *)read_to + done, size - done,
				     (off_t)(address + done));
		else
			part = pwrite(memory, (const uint8_t *)write_from + done, size - done,
				      (off_t)(address + done));
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			break;
		done += (size_t)part;
	}
	return done;
}

bool wt_host_runs(pid_t process)
{
	char path[64], text[512];
	wt_cleanup_close int fd = -1;
	const char *end;
	ssize_t size;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		return false;
	text[size] = '\0';
	/* The state stands behind the name, which may have any bytes in it. */
	end = strrchr(text, ')');
	return end && end[1] == ' ' && (end[2] == 'R' || end[2] == 'S' || end[2] == 'D');
}
