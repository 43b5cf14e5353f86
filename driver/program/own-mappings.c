/* SPDX-License-Identifier: MIT */
/*
 * The process's own list of mappings, in which memory of the device has the name that it would have of the kernel's driver: AMD's runtime
 * looks there for what to write into a GPU core. Others see that process's list as it is.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/program/next.h"
#include "driver/program/program.h"

/* A line is at most a path and what stands before it. */
#define LINE_MAX_BYTES (PATH_MAX + 256)
#define STRING(number) STRING_OF(number)
#define STRING_OF(number) #number

/* How lines end, and how they are to end. Which of several render nodes it was is not known: they are one file. */
static const char *const names[][2] = {
	{"/memfd:" WT_WIRE_MEMORY_NAME " (deleted)",
	 "/dev/dri/renderD" STRING(WT_WIRE_FIRST_MINOR)},
	{"/memfd:" WT_WIRE_KFD_NAME " (deleted)", "/dev/kfd"},
};

static bool maps_is_own(const char *path)
{
	char own[64];

	if (strncmp(path, "/proc/", 6) != 0)
		return false;
	snprintf(own, sizeof(own), "/proc/%d/maps", (int)getpid());
	return !strcmp(path, "/proc/self/maps") || !strcmp(path, own);
}

static bool maps_write(int to, const char *text, size_t size)
{
	while (size) {
		ssize_t done = write(to, text, size);

		if (done <= 0)
			return false;
		text += done;
		size -= (size_t)done;
	}
	return true;
}

/* A line without its end. */
static bool maps_write_line(int to, const char *line, size_t size)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i][0]);

		if (size >= length && !memcmp(line + size - length, names[i][0], length))
			return maps_write(to, line, size - length) &&
			       maps_write(to, names[i][1], strlen(names[i][1])) &&
			       maps_write(to, "\n", 1);
	}
	return maps_write(to, line, size) && maps_write(to, "\n", 1);
}

/* No memory is allocated: programs read their mappings where something is wrong with them. */
static bool maps_copy(int from, int to)
{
	char buffer[2 * LINE_MAX_BYTES];
	size_t filled = 0;

	for (;;) {
		ssize_t got = read(from, buffer + filled, sizeof(buffer) - filled);
		char *line = buffer, *end;

		if (got <= 0)
			return !got && !filled;
		filled += (size_t)got;
		while ((end = memchr(line, '\n', filled - (size_t)(line - buffer)))) {
			if (!maps_write_line(to, line, (size_t)(end - line)))
				return false;
			line = end + 1;
		}
		filled -= (size_t)(line - buffer);
		memmove(buffer, line, filled);
		if (filled == sizeof(buffer))
			return false;
	}
}

int wt_program_open_maps(const char *path)
{
	int from, to;

	if (!path || !maps_is_own(path) || !wt_program_has_device())
		return -1;
	from = NEXT(open)(path, O_RDONLY | O_CLOEXEC);
	to = from < 0 ? -1 : memfd_create("maps", MFD_CLOEXEC);
	if (to >= 0 && (!maps_copy(from, to) || lseek(to, 0, SEEK_SET))) {
		close(to);
		to = -1;
	}
	if (from >= 0)
		close(from);
	return to;
}
