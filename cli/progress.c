/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS 500000000
#define NEXT_NS 200000000
#define LINE_BYTES 160
#define CLEAR "\r\033[K"

/* The line. Of a child that was forked it is not: there is no thread that would draw it. */
static struct {
	pthread_mutex_t lock; /* for all that follows, once there is a thread */
	pthread_cond_t changed;
	pthread_t thread;
	pid_t owner; /* the process of the thread; 0: there is none */
	bool ending, shown, is_new;
	struct timespec next;  /* it is not drawn before this */
	char text[LINE_BYTES]; /* empty: hidden */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

static bool time_is_over(const struct timespec *time)
{
	struct timespec now = time_after(0);

	return now.tv_sec > time->tv_sec ||
	       (now.tv_sec == time->tv_sec && now.tv_nsec >= time->tv_nsec);
}

/* Written at once, and past stdio, whose lock a fork could find taken. */
static void line_write(const char *text)
{
	char whole[LINE_BYTES + sizeof(CLEAR)];
	int size = snprintf(whole, sizeof(whole), CLEAR "%s", text);

	if (write(STDERR_FILENO, whole, (size_t)size) < 0)
		line.text[0] = '\0';
}

static void *line_draw_when_due(void *nothing)
{
	pthread_mutex_lock(&line.lock);
	while (!line.ending) {
		if (!line.text[0] || !line.is_new) {
			pthread_cond_wait(&line.changed, &line.lock);
		} else if (!time_is_over(&line.next)) {
			pthread_cond_timedwait(&line.changed, &line.lock, &line.next);
		} else {
			line_write(line.text);
			line.shown = true;
			line.is_new = false;
			line.next = time_after(NEXT_NS);
		}
	}
	pthread_mutex_unlock(&line.lock);
	return nothing;
}

/* The thread takes no signals: whoever waits for one is told as without it. */
static bool line_begin(void)
{
	pthread_condattr_t clock;
	sigset_t all, before;
	bool there;

	if (line.owner)
		return line.owner == getpid();
	line.ending = line.shown = line.is_new = false;
	line.text[0] = '\0';
	line.next = time_after(FIRST_NS);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&line.changed, &clock);
	pthread_condattr_destroy(&clock);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	there = !pthread_create(&line.thread, NULL, line_draw_when_due, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	line.owner = there ? getpid() : 0;
	return there;
}

static void line_say(const char *text)
{
	pthread_mutex_lock(&line.lock);
	line.is_new |= strcmp(line.text, text) != 0;
	snprintf(line.text, sizeof(line.text), "%s", text);
	pthread_cond_signal(&line.changed);
	pthread_mutex_unlock(&line.lock);
}

struct wt_progress wt_progress_start(const char *what)
{
	struct wt_progress progress = {.what = what, .terminal = isatty(STDERR_FILENO)};
	char text[LINE_BYTES];

	if (progress.terminal && line_begin()) {
		snprintf(text, sizeof(text), "%s ...", what);
		line_say(text);
	}
	return progress;
}

void wt_progress_update(struct wt_progress *progress, const char *format, ...)
{
	char text[LINE_BYTES], far[LINE_BYTES / 2];
	va_list arguments;

	if (!progress->terminal || !line_begin())
		return;
	va_start(arguments, format);
	vsnprintf(far, sizeof(far), format, arguments);
	va_end(arguments);
	snprintf(text, sizeof(text), "%.64s: %s", progress->what, far);
	line_say(text);
}

void wt_progress_percent(void *progress, uint64_t done, uint64_t total)
{
	wt_progress_update(progress, "%u%%", total ? (unsigned int)(100 * done / total) : 100);
}

void wt_progress_hide(void)
{
	if (!line.owner || line.owner != getpid())
		return;
	pthread_mutex_lock(&line.lock);
	if (line.shown)
		line_write("");
	line.shown = false;
	line.text[0] = '\0';
	line.next = time_after(FIRST_NS);
	pthread_mutex_unlock(&line.lock);
}

void wt_progress_hide_for_text(void)
{
	if (isatty(STDOUT_FILENO))
		wt_progress_hide();
}

void wt_progress_end(struct wt_progress *progress)
{
	if (!progress->terminal || !line.owner || line.owner != getpid())
		return;
	wt_progress_hide();
	pthread_mutex_lock(&line.lock);
	line.ending = true;
	pthread_cond_signal(&line.changed);
	pthread_mutex_unlock(&line.lock);
	pthread_join(line.thread, NULL);
	pthread_cond_destroy(&line.changed);
	line.owner = 0;
}
