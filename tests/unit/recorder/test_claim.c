/* SPDX-License-Identifier: MIT */
/* Who records into a trace that several want: one, and the others are told why not. */
#include "tests/unit/recorder/support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STARTS 12
#define ROUNDS 25

static char logged[1024];

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	snprintf(logged, sizeof(logged), "%s", message);
}

static void set_environment(const char *trace)
{
	setenv("WAVETAPE_DBGAPI", FAKE_LIBRARY, 1);
	setenv("WAVETAPE_TRACE", trace, 1);
	setenv("WAVETAPE_OPTIONS", "sync=none,no-host", 1);
}

enum told { RECORDS, REFUSED, OTHERWISE };

/* Start a recording: does it record, and if not, because somebody else does? */
static enum told start(const struct wt_api *api)
{
	logged[0] = '\0';
	support_callbacks.log_message = log_message;
	api->initialize(&support_callbacks);
	if (!logged[0])
		return RECORDS;
	return strstr(logged, "another process records into that trace") ? REFUSED : OTHERWISE;
}

/* One of many: starts when @go is closed, tells how that went, and ends when @end is. */
static void start_with_others(int go, int tell, int end)
{
	struct wt_api api;
	uint8_t told;
	char none;

	/* Loaded before, so that all of them start at once. */
	if (wt_api_load(RECORDING_LIBRARY, &api) || read(go, &none, 1))
		_exit(2);
	told = (uint8_t)start(&api);
	if (write(tell, &told, 1) != 1 || read(end, &none, 1))
		_exit(2);
	api.finalize();
	exit(0);
}

struct crowd {
	int go[2], tell[2], end[2];
	pid_t children[STARTS];
};

static void start_crowd(struct crowd *crowd)
{
	assert_int_equal(pipe(crowd->go), 0);
	assert_int_equal(pipe(crowd->tell), 0);
	assert_int_equal(pipe(crowd->end), 0);
	fflush(NULL);
	for (int i = 0; i < STARTS; i++) {
		crowd->children[i] = fork();
		assert_true(crowd->children[i] >= 0);
		if (crowd->children[i])
			continue;
		close(crowd->go[1]);
		close(crowd->end[1]);
		start_with_others(crowd->go[0], crowd->tell[1], crowd->end[0]);
	}
	close(crowd->go[0]);
	close(crowd->end[0]);
	close(crowd->tell[1]);
	close(crowd->go[1]);
}

static void end_crowd(struct crowd *crowd)
{
	int status;

	close(crowd->end[1]);
	close(crowd->tell[0]);
	for (int i = 0; i < STARTS; i++) {
		assert_int_equal(waitpid(crowd->children[i], &status, 0), crowd->children[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

/* The trace that was promised is there, and whole. */
static void check_trace(const char *trace)
{
	struct wt_trace_info info;
	struct wt_reader *reader;

	support_must(wt_reader_open(trace, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	assert_int_equal(info.calls, 2);
	wt_reader_close(reader);
}

static void of_many_one_records(void **state)
{
	const char *trace = support_path("crowd.wtape"), *link = support_path("link.wtape");

	(void)state;
	assert_int_equal(symlink(trace, link), 0);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int count[3] = {0};
		struct crowd crowd;
		uint8_t told;

		/* Over an older trace, or where there is none, which a link does not change. */
		if (round % 3 == 0)
			unlink(trace);
		set_environment(round % 3 == 2 ? link : trace);
		start_crowd(&crowd);
		for (int i = 0; i < STARTS; i++) {
			assert_int_equal(read(crowd.tell[0], &told, 1), 1);
			assert_true(told <= OTHERWISE);
			count[told]++;
		}
		end_crowd(&crowd);
		if (count[RECORDS] != 1 || count[REFUSED] != STARTS - 1)
			fail_msg("round %u: %u record, %u are refused", round, count[RECORDS],
				 count[REFUSED]);
		check_trace(trace);
	}
}

/* Who forks and goes on must not keep from others what its parent has finished. */
static void a_child_does_not_keep_the_claim(void **state)
{
	const char *trace = support_path("child.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "sync=none,no-host");
	int status, end[2];
	pid_t child;
	char none;

	(void)state;
	assert_int_equal(start(&library.api), RECORDS);
	assert_int_equal(pipe(end), 0);
	child = fork();
	if (!child) {
		close(end[1]);
		_exit(read(end[0], &none, 1) ? 1 : 0);
	}
	close(end[0]);
	library.api.finalize();
	support_unload(&library);
	check_trace(trace);
	library = support_load(FAKE_LIBRARY, trace, "sync=none,no-host");
	assert_int_equal(start(&library.api), RECORDS);
	library.api.finalize();
	support_unload(&library);
	close(end[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	check_trace(trace);
}

/* As support_unload() does it, with the file left for the parent. */
static void close_library(const struct support_library *library)
{
	void *handle = dlopen(library->path, RTLD_NOW | RTLD_NOLOAD);

	for (; handle; handle = dlopen(library->path, RTLD_NOW | RTLD_NOLOAD)) {
		dlclose(handle);
		dlclose(handle);
	}
}

/* Nor may the child, when it ends in order, give away what its parent still needs. */
static void a_child_does_not_release_the_claim(void **state)
{
	const char *trace = support_path("parent.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "sync=none,no-host");
	struct support_library other;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(start(&library.api), RECORDS);
	fflush(NULL);
	child = fork();
	if (!child) {
		close_library(&library);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	other = support_load(FAKE_LIBRARY, trace, "sync=none,no-host");
	assert_int_equal(start(&other.api), REFUSED);
	support_unload(&other);
	library.api.finalize();
	support_unload(&library);
	check_trace(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_many_one_records),
		cmocka_unit_test(a_child_does_not_keep_the_claim),
		cmocka_unit_test(a_child_does_not_release_the_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
