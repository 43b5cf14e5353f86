/* SPDX-License-Identifier: MIT */
#include "recorder/host/gathering.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"

/* Nanoseconds of a core; and altogether, so that a file system that does not answer holds nobody for long. */
#define WORK_LIMIT_NS UINT64_C(400000000)
#define TIME_LIMIT_NS UINT64_C(3000000000)

void wt_gathering_begin(struct wt_gathering *gathering, uint64_t most_ms)
{
	uint64_t most =
		most_ms && most_ms < TIME_LIMIT_NS / 1000000 ? most_ms * 1000000 : TIME_LIMIT_NS;

	gathering->deadline = wt_clock_ns() + most;
	gathering->work_end = wt_clock_work_ns() + WORK_LIMIT_NS;
}

bool wt_gathering_is_over(struct wt_gathering *gathering)
{
	if (wt_clock_ns() < gathering->deadline &&
	    (!gathering->work_end || wt_clock_work_ns() < gathering->work_end))
		return false;
	if (gathering->deadline)
		wt_gathering_missing(gathering, "what comes after it: the time for it was over");
	gathering->deadline = 0;
	return true;
}

char *wt_gathering_text(struct wt_gathering *gathering, const char *text, size_t size)
{
	size_t length = 0;
	char *copy;

	while (length < size && length < WT_HOST_TEXT && text[length])
		length++;
	copy = strndup(text, length);
	gathering->no_memory |= !copy;
	return copy;
}

void wt_gathering_missing(struct wt_gathering *gathering, const char *format, ...)
{
	char **missing = WT_HOST_ADD(gathering->host, missing);
	va_list arguments;

	if (!missing) {
		gathering->no_memory = true;
		return;
	}
	va_start(arguments, format);
	*missing = wt_text_list(format, arguments);
	if (!*missing) {
		gathering->host->missing_count--;
		gathering->no_memory = true;
	}
	va_end(arguments);
}

bool wt_gathering_read_file(const char *path, size_t limit, struct wt_buffer *text)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool fine = fd >= 0;

	while (fine && text->size < limit) {
		uint8_t *place = wt_buffer_extend(text, 4096);
		ssize_t got = place ? read(fd, place, 4096) : -1;

		if (place)
			text->size -= 4096 - (size_t)(got > 0 ? got : 0);
		if (got < 0 && errno == EINTR)
			continue;
		fine = got >= 0;
		if (got <= 0)
			break;
	}
	wt_buffer_append(text, "", 1);
	return fine && !text->failed;
}

bool wt_gathering_read(const struct wt_gathering *gathering, const char *name, size_t limit,
		       struct wt_buffer *text)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/%llu/%s", (unsigned long long)gathering->process, name);
	wt_buffer_clear(text);
	return wt_gathering_read_file(path, limit, text);
}

bool wt_gathering_read_at(int directory, const char *path, char *text)
{
	wt_cleanup_close int fd =
		openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got;

	do
		got = fd >= 0 ? read(fd, text, WT_HOST_TEXT - 1) : -1;
	while (got < 0 && fd >= 0 && errno == EINTR);
	text[got > 0 ? got : 0] = '\0';
	return got >= 0;
}
