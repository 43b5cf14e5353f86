/* SPDX-License-Identifier: MIT */
/* Threads of a program: what is taken of each is what the kernel says of it in a file for each fact. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "recorder/host/gathering.h"
#include "base/clock.h"

#define COUNT 6u
#define SECONDS UINT64_C(1000000000)

static const char *const names[COUNT] = {"plain", "two words", "a) S 7", "(", "back\\slash", ""};

static struct waiting {
	const char *name;
	pid_t id;
	int pipe[2];
	pthread_t thread;
} all[COUNT];

static void *wait_named(void *argument)
{
	struct waiting *waiting = argument;
	char byte;

	prctl(PR_SET_NAME, waiting->name);
	__atomic_store_n(&waiting->id, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (read(waiting->pipe[0], &byte, 1) > 0)
		;
	return NULL;
}

/* A line of a thread's file; nothing where it is "0". */
static void read_fact(pid_t id, const char *name, char text[64])
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/%s", id, name);
	file = fopen(path, "re");
	assert_non_null(file);
	if (!fgets(text, 64, file) || !strcmp(text, "0"))
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	fclose(file);
}

static char read_letter(pid_t id)
{
	char path[64], letter = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", id);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fscanf(file, "State: %c", &letter) != 1)
		assert_int_not_equal(fscanf(file, "%*[^\n]\n"), EOF);
	fclose(file);
	return letter;
}

static int start(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		struct waiting *waiting = &all[i];

		waiting->name = names[i];
		assert_int_equal(pipe(waiting->pipe), 0);
		assert_int_equal(pthread_create(&waiting->thread, NULL, wait_named, waiting), 0);
		while (!__atomic_load_n(&waiting->id, __ATOMIC_ACQUIRE) ||
		       read_letter(waiting->id) != 'S')
			usleep(1000);
	}
	return 0;
}

static int finish(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		close(all[i].pipe[1]);
		pthread_join(all[i].thread, NULL);
		close(all[i].pipe[0]);
	}
	return 0;
}

static const struct wt_host_thread *thread_of(const struct wt_host *host, pid_t id)
{
	for (size_t i = 0; i < host->threads_count; i++)
		if (host->threads[i].id == (uint64_t)id)
			return &host->threads[i];
	fail_msg("thread %d is not there", id);
	return NULL;
}

static void test_facts(void **state)
{
	struct wt_gathering gathering = {.host = wt_host_create(),
					 .process = (uint64_t)getpid(),
					 .deadline = wt_clock_ns() + 100 * SECONDS};

	(void)state;
	assert_non_null(gathering.host);
	wt_gather_threads(&gathering);
	assert_false(gathering.no_memory);
	for (size_t i = 0; i < COUNT; i++) {
		const struct wt_host_thread *thread = thread_of(gathering.host, all[i].id);
		char text[64];

		assert_string_equal(thread->name, names[i]);
		read_fact(all[i].id, "comm", text);
		assert_string_equal(thread->name, text);
		read_fact(all[i].id, "wchan", text);
		assert_string_equal(thread->waiting, text);
		assert_string_equal(thread->state, "S");
	}
	/* The one that reads runs, and waits nowhere. */
	assert_string_equal(thread_of(gathering.host, getpid())->state, "R");
	assert_string_equal(thread_of(gathering.host, getpid())->waiting, "");
	wt_host_destroy(gathering.host);
}

static _Atomic pid_t spinning;
static _Atomic bool is_over;

/* Not inlined, and with work behind the call, so that each has a frame. */
__attribute__((noinline)) static int look_again(int turns)
{
	while (!is_over)
		turns++;
	return turns;
}

__attribute__((noinline)) static int wait_by_looking(int turns)
{
	return look_again(turns + 1) + 1;
}

static void *spin(void *argument)
{
	spinning = (pid_t)syscall(SYS_gettid);
	return (void *)(uintptr_t)(wait_by_looking((int)(uintptr_t)argument) & 1);
}

static bool has_frame(const struct wt_host_thread *thread, const char *function)
{
	for (size_t i = 0; i < thread->frame_count; i++)
		if (thread->frames[i].symbol && strstr(thread->frames[i].symbol, function))
			return true;
	return false;
}

/* Runtimes wait for the GPU by looking again and again: the thread that launched the kernel runs. */
static void test_frames_of_one_that_runs(void **state)
{
	struct wt_gathering gathering = {.host = wt_host_create(),
					 .process = (uint64_t)getpid(),
					 .deadline = wt_clock_ns() + 100 * SECONDS};
	const struct wt_host_thread *thread;
	pthread_t id;

	(void)state;
	assert_non_null(gathering.host);
	assert_int_equal(pthread_create(&id, NULL, spin, NULL), 0);
	while (!spinning)
		usleep(1000);
	usleep(10000);
	wt_gather_threads(&gathering);
	thread = thread_of(gathering.host, spinning);
	assert_string_equal(thread->state, "R");
	assert_true(has_frame(thread, "look_again"));
	assert_true(has_frame(thread, "wait_by_looking"));
	assert_true(has_frame(thread, "spin"));
	/* The thread was let go. */
	assert_int_equal(read_letter(spinning), 'R');
	is_over = true;
	assert_int_equal(pthread_join(id, NULL), 0);
	wt_host_destroy(gathering.host);
}

/* Where it has ended between being listed and being read there is nothing to be known of it. */
static void test_nothing_of_one_that_ended(void **state)
{
	char text[WT_HOST_TEXT] = "before";

	(void)state;
	assert_false(wt_gathering_read_at(-1, "no/such/file", text));
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_facts, start, finish),
		cmocka_unit_test(test_frames_of_one_that_runs),
		cmocka_unit_test(test_nothing_of_one_that_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
