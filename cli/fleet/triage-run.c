/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/fleet/triage.h"
#include "cli/progress.h"

static const char what[] = "cannot read the traces";

/* The file that a worker reads, from 1, and since when; 0: none. */
struct taken {
	atomic_size_t file;
	_Atomic uint64_t since_ms;
};

/* The memory that all processes see. */
struct shared {
	atomic_size_t next;   /* the first file that nobody has taken */
	struct taken taken[]; /* by worker */
};

/* A process that reads traces and writes a line for each: the file's position, a blank, its record. */
struct worker {
	pid_t process;
	int fd;	   /* -1: it has ended */
	bool late; /* it was ended, since a file takes too long */
	struct wt_buffer text;
};

struct run {
	struct wt_triage_files *files;
	struct shared *shared;
	size_t shared_size;
	struct worker *workers;
	struct pollfd *polls;
	size_t count, done, wanted;
	uint64_t limit_ms; /* for a file; 0: none */
	struct wt_progress progress;
};

static uint64_t clock_now_ms(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static size_t triage_run_take_next(struct run *run)
{
	size_t position;

	do
		position = atomic_fetch_add(&run->shared->next, 1);
	while (position < run->files->count && run->files->files[position].record);
	return position;
}

/* Return: false if it cannot be written, since the reader is gone, or there is no memory. */
static bool record_write(FILE *out, size_t position, json_t *record)
{
	wt_cleanup_free char *text =
		record ? json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;

	json_decref(record);
	return text && fprintf(out, "%zu %s\n", position, text) > 0 && !fflush(out);
}

/* The whole life of a worker. */
__attribute__((noreturn)) static void triage_run_work(struct run *run, size_t number, int fd)
{
	FILE *out = fdopen(fd, "w");
	size_t position;

	while (out && (position = triage_run_take_next(run)) < run->files->count) {
		atomic_store(&run->shared->taken[number].since_ms, clock_now_ms());
		atomic_store(&run->shared->taken[number].file, position + 1);
		if (!record_write(out, position, wt_triage_trace(run->files->files[position].path)))
			_exit(1);
		atomic_store(&run->shared->taken[number].file, 0);
	}
	_exit(!out);
}

static struct wt_error *triage_run_start(struct run *run, size_t number)
{
	struct worker *worker = &run->workers[number];
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return wt_error_errno(errno, what, NULL);
	atomic_store(&run->shared->taken[number].file, 0);
	atomic_store(&run->shared->taken[number].since_ms, clock_now_ms());
	worker->late = false;
	fflush(NULL);
	worker->process = fork();
	if (worker->process < 0) {
		struct wt_error *error = wt_error_errno(errno, what, NULL);

		close(ends[0]);
		close(ends[1]);
		return error;
	}
	if (!worker->process) {
		close(ends[0]);
		triage_run_work(run, number, ends[1]);
	}
	close(ends[1]);
	worker->fd = ends[0];
	return NULL;
}

static void triage_run_keep(struct run *run, size_t position, json_t *record)
{
	if (position >= run->files->count || run->files->files[position].record || !record) {
		json_decref(record);
		return;
	}
	run->files->files[position].record = record;
	run->done++;
	wt_progress_update(&run->progress, "%zu of %zu traces", run->done, run->wanted);
}

/* Take the whole lines out of what a worker has written. */
static void triage_run_take_lines(struct run *run, struct worker *worker)
{
	char *text = (char *)worker->text.data;
	size_t at = 0;

	for (char *end;
	     at < worker->text.size && (end = memchr(text + at, '\n', worker->text.size - at));) {
		char *record;
		size_t position = strtoul(text + at, &record, 10);

		triage_run_keep(run, position, json_loadb(record, (size_t)(end - record), 0, NULL));
		at = (size_t)(end - text) + 1;
	}
	if (at)
		memmove(text, text + at, worker->text.size - at);
	worker->text.size -= at;
}

/* A worker is at its end. One that died had a file: that one is named, and another process goes on. */
static struct wt_error *triage_run_end(struct run *run, size_t number)
{
	struct worker *worker = &run->workers[number];
	size_t taken = atomic_load(&run->shared->taken[number].file);
	char why[64] = "reading it ended without a result";
	int status;

	close(worker->fd);
	worker->fd = -1;
	worker->text.size = 0;
	while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
		;
	worker->process = 0;
	/* The worker may have come to the end of a file just then. */
	if (!taken)
		return worker->late ? triage_run_start(run, number) : NULL;
	if (worker->late) {
		triage_run_keep(run, taken - 1, wt_triage_too_slow(run->limit_ms / 1000));
		return triage_run_start(run, number);
	}
	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "reading it ended with signal %d", WTERMSIG(status));
	triage_run_keep(run, taken - 1, wt_triage_unreadable(why));
	return triage_run_start(run, number);
}

static struct wt_error *triage_run_receive(struct run *run, size_t number)
{
	struct worker *worker = &run->workers[number];
	char text[65536];
	ssize_t size = read(worker->fd, text, sizeof(text));

	if (size < 0 && errno == EINTR)
		return NULL;
	if (size <= 0)
		return triage_run_end(run, number);
	wt_buffer_append(&worker->text, text, (size_t)size);
	if (worker->text.failed)
		return &wt_error_no_memory;
	triage_run_take_lines(run, worker);
	return NULL;
}

/* End workers whose file takes too long. Return: milliseconds until the next one's does; -1: for ever. */
static int triage_run_end_late(struct run *run)
{
	uint64_t now = clock_now_ms(), next = UINT64_MAX;

	for (size_t i = 0; i < run->count && run->limit_ms; i++) {
		struct worker *worker = &run->workers[i];
		uint64_t end = atomic_load(&run->shared->taken[i].since_ms) + run->limit_ms;

		if (worker->fd < 0 || worker->late)
			continue;
		if (end > now) {
			next = end < next ? end : next;
			continue;
		}
		worker->late = true;
		kill(worker->process, SIGKILL);
	}
	if (next == UINT64_MAX)
		return -1;
	return next - now < INT_MAX ? (int)(next - now) : INT_MAX;
}

static struct wt_error *triage_run_collect(struct run *run)
{
	struct wt_error *error = NULL;

	while (!error) {
		size_t open = 0;

		for (size_t i = 0; i < run->count; i++) {
			run->polls[i] = (struct pollfd){.fd = run->workers[i].fd, .events = POLLIN};
			open += run->workers[i].fd >= 0;
		}
		if (!open)
			return NULL;
		if (poll(run->polls, run->count, triage_run_end_late(run)) < 0 && errno != EINTR)
			return wt_error_errno(errno, what, NULL);
		for (size_t i = 0; i < run->count && !error; i++)
			if (run->workers[i].fd >= 0 && run->polls[i].revents)
				error = triage_run_receive(run, i);
	}
	return error;
}

static void triage_run_deinit(struct run *run)
{
	for (size_t i = 0; run->workers && i < run->count; i++) {
		if (run->workers[i].fd >= 0)
			close(run->workers[i].fd);
		if (run->workers[i].process > 0) {
			kill(run->workers[i].process, SIGKILL);
			waitpid(run->workers[i].process, NULL, 0);
		}
		wt_buffer_deinit(&run->workers[i].text);
	}
	if (run->shared && run->shared != MAP_FAILED)
		munmap(run->shared, run->shared_size);
	free(run->workers);
	free(run->polls);
	wt_progress_end(&run->progress);
}

static struct wt_error *triage_run_init(struct run *run)
{
	run->workers = calloc(run->count, sizeof(*run->workers));
	run->polls = calloc(run->count, sizeof(*run->polls));
	for (size_t i = 0; run->workers && i < run->count; i++)
		run->workers[i].fd = -1;
	run->shared_size = sizeof(*run->shared) + run->count * sizeof(*run->shared->taken);
	run->shared = mmap(NULL, run->shared_size, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return run->workers && run->polls && run->shared != MAP_FAILED ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_triage_run(struct wt_triage_files *files, const struct wt_triage_limits *limits)
{
	struct run run = {.files = files,
			  .limit_ms = limits->seconds * 1000,
			  .progress = wt_progress_start("triage")};
	struct wt_error *error;

	for (size_t i = 0; i < files->count; i++)
		run.wanted += !files->files[i].record;
	run.count = limits->jobs < run.wanted ? limits->jobs : run.wanted;
	if (!run.count)
		return NULL;
	error = triage_run_init(&run);
	for (size_t i = 0; !error && i < run.count; i++)
		error = triage_run_start(&run, i);
	if (!error)
		error = triage_run_collect(&run);
	triage_run_deinit(&run);
	for (size_t i = 0; !error && i < files->count; i++)
		if (!files->files[i].record)
			error = &wt_error_no_memory;
	return error;
}
