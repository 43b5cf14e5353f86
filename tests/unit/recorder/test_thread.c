/* SPDX-License-Identifier: MIT */
/* The thread that compresses what many calls leave: it is there only where it is of use, and nobody notices. */
#include "tests/unit/recorder/support.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace-format/rewrite/rewrite.h"

/* So many fill several chunks, each sooner than it would be closed for its age, and so few none. */
#define MANY 6000u
#define FEW 200u
#define VALUE_SIZE 2048u
/* A file without slots is shorter while it is written, one with them longer. */
#define SLOTS_BYTES (8 << 20)

static void make_calls(const struct wt_api *api, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		uint8_t value[VALUE_SIZE] = {0};

		api->read_register((amd_dbgapi_wave_id_t){1}, (amd_dbgapi_register_id_t){i}, 0,
				   sizeof(value), value);
	}
}

/* Does the file that is being written have the two slots that chunks on their way need? */
static bool has_slots(const char *trace)
{
	struct stat status;

	assert_int_equal(stat(trace, &status), 0);
	return status.st_size > SLOTS_BYTES;
}

static void expect_calls(const char *trace, uint64_t calls)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_reader *reader;
	struct wt_trace_info info;
	uint64_t last = 0;

	support_must(wt_reader_open(trace, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	support_must(wt_journal_open(reader, &journal));
	for (;;) {
		support_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		if (record->kind == WT_JOURNAL_BEGIN)
			assert_int_equal(record->begin.number, ++last);
	}
	assert_int_equal(last, calls);
	assert_null(wt_reader_damage(reader));
	wt_journal_close(journal);
	wt_reader_close(reader);
}

/* Return: whether chunks were compressed by another thread. */
static bool record(const char *trace, const char *options, unsigned int calls)
{
	struct support_library library = support_load(FAKE_LIBRARY, trace, options);
	bool slots;

	assert_int_equal(library.api.initialize(&support_callbacks), 0);
	make_calls(&library.api, calls);
	slots = has_slots(trace);
	assert_int_equal(library.api.finalize(), 0);
	support_unload(&library);
	expect_calls(trace, calls + 2);
	return slots;
}

static void it_is_there_where_chunks_fill(void **state)
{
	(void)state;
	assert_true(record(support_path("many.wtape"), NULL, MANY));
	assert_false(record(support_path("few.wtape"), NULL, FEW));
}

static void it_can_be_left_out(void **state)
{
	(void)state;
	assert_false(record(support_path("without.wtape"), "no-thread", MANY));
	assert_false(record(support_path("small.wtape"), "max-memory=8M", MANY));
}

static void it_is_the_same_trace(void **state)
{
	char *with = strdup(support_path("same-with.wtape"));
	char *without = strdup(support_path("same-without.wtape")), command[1100];

	(void)state;
	assert_true(record(with, "reproducible", MANY));
	assert_false(record(without, "reproducible,no-thread", MANY));
	snprintf(command, sizeof(command), "cmp '%s' '%s'", with, without);
	assert_int_equal(system(command), 0);
	free(with);
	free(without);
}

/* A child has no such thread: it is not recorded, ends as it would, and the parent's trace is whole. */
static void a_child_does_without(void **state)
{
	const char *trace = support_path("child.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, NULL);
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(library.api.initialize(&support_callbacks), 0);
	/* It may come in the middle of a chunk's way. */
	for (unsigned int i = 0; i < 20; i++) {
		make_calls(&library.api, MANY / 20);
		fflush(NULL);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			alarm(60);
			make_calls(&library.api, FEW);
			exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(library.api.finalize(), 0);
	support_unload(&library);
	expect_calls(trace, MANY + 2);
}

/* In a child, over a library of its own: what it ends with; killed if it takes too long. */
static int in_child(const char *trace, const char *options, void (*work)(const struct wt_api *api))
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct support_library library = support_load(FAKE_LIBRARY, trace, options);

		alarm(60);
		library.api.initialize(&support_callbacks);
		work(&library.api);
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* What the main thread's stack points to is no leak in a process which that thread has left. */
static bool main_thread_left;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return main_thread_left;
}

static void leave_main_thread(const struct wt_api *api)
{
	make_calls(api, MANY);
	main_thread_left = true;
	pthread_exit(NULL);
}

/* With its last thread a process ends: ours must not be one that stays. */
static void the_main_thread_may_leave(void **state)
{
	const char *trace = support_path("leaves.wtape");

	(void)state;
	assert_int_equal(in_child(trace, NULL, leave_main_thread), 0);
	expect_calls(trace, MANY + 1);
}

static const struct wt_api *handled;
static atomic_uint handled_count;

static void handle(int signal)
{
	(void)signal;
	make_calls(handled, 1);
	atomic_fetch_add(&handled_count, 1);
}

static void *make_one(void *api)
{
	make_calls(api, 1);
	return NULL;
}

/* A timer's signal comes every 100 microseconds, now and then in the middle of our work. */
static void interrupt(const struct wt_api *api)
{
	const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

	handled = api;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	make_calls(api, 2 * MANY);
	setitimer(ITIMER_REAL, &never, NULL);
	if (atomic_load(&handled_count) < 10)
		_exit(3);
}

static void interrupt_with_threads(const struct wt_api *api)
{
	pthread_t thread;

	/* From then on the lock is a mutex. */
	if (pthread_create(&thread, NULL, make_one, (void *)(uintptr_t)api) ||
	    pthread_join(thread, NULL))
		_exit(2);
	interrupt(api);
}

/* What a handler does meanwhile is answered; what cannot be recorded is counted. */
static void a_signal_handler_may_call(void **state)
{
	static void (*const ways[])(const struct wt_api *api) = {interrupt, interrupt_with_threads};
	const char *trace = support_path("handler.wtape");

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct wt_reader *reader;
		struct wt_check check;

		assert_int_equal(in_child(trace, NULL, ways[i]), 0);
		support_must(wt_reader_open(trace, &reader));
		support_must(wt_reader_examine(reader, NULL, &check));
		assert_true(check.complete && check.whole);
		assert_true(check.calls.count > 2 * MANY);
		wt_reader_close(reader);
	}
}

static void *call_for_ever(void *api)
{
	for (;;) {
		make_calls(api, 10);
		pthread_testcancel();
	}
	return NULL;
}

static void cancel_often(const struct wt_api *api)
{
	for (unsigned int i = 0; i < 30; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, call_for_ever, (void *)(uintptr_t)api))
			_exit(2);
		usleep(5000 + i * 211);
		if (pthread_cancel(thread) || pthread_join(thread, NULL))
			_exit(2);
		make_calls(api, 1);
	}
}

/* A thread that is cancelled is so before or after our work: it leaves no lock behind. */
static void a_thread_may_be_cancelled(void **state)
{
	const char *trace = support_path("cancelled.wtape");

	(void)state;
	assert_int_equal(in_child(trace, NULL, cancel_often), 0);
	assert_int_equal(in_child(trace, "no-thread,no-mapping", cancel_often), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_there_where_chunks_fill),
		cmocka_unit_test(it_can_be_left_out),
		cmocka_unit_test(it_is_the_same_trace),
		cmocka_unit_test(a_child_does_without),
		cmocka_unit_test(the_main_thread_may_leave),
		cmocka_unit_test(a_signal_handler_may_call),
		cmocka_unit_test(a_thread_may_be_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
