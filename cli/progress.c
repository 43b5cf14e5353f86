/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define FIRST_NS 500000000
#define NEXT_NS 200000000

static struct timespec time_after(long nanoseconds)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_nsec += nanoseconds;
	if (time.tv_nsec >= 1000000000) {
		time.tv_nsec -= 1000000000;
		time.tv_sec++;
	}
	return time;
}

struct wt_progress wt_progress_start(const char *what)
{
	return (struct wt_progress){
		.what = what,
		.terminal = isatty(STDERR_FILENO),
		.next = time_after(FIRST_NS),
	};
}

void wt_progress_update(struct wt_progress *progress, const char *format, ...)
{
	struct timespec now = time_after(0);
	va_list arguments;

	if (!progress->terminal || now.tv_sec < progress->next.tv_sec ||
	    (now.tv_sec == progress->next.tv_sec && now.tv_nsec < progress->next.tv_nsec))
		return;
	fprintf(stderr, "\r\033[K%s: ", progress->what);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fflush(stderr);
	progress->shown = true;
	progress->next = time_after(NEXT_NS);
}

void wt_progress_percent(void *progress, uint64_t done, uint64_t total)
{
	wt_progress_update(progress, "%u%%", total ? (unsigned int)(100 * done / total) : 100);
}

void wt_progress_end(struct wt_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
