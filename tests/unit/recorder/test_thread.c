/* SPDX-License-Identifier: MIT */
/* The thread that compresses what many calls leave: it is there only where it is of use, and nobody notices. */
#include "tests/unit/recorder/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace-format/rewrite.h"

/* So many fill several chunks. */
#define MANY 60000u
#define FEW 200u

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = support_client_process_get_info,
	.insert_breakpoint = support_insert_breakpoint,
	.remove_breakpoint = support_remove_breakpoint,
	.xfer_global_memory = support_xfer_global_memory,
	.log_message = support_log_message,
};

static void make_calls(const struct wt_api *api, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		uint64_t value[2];

		api->read_register((amd_dbgapi_wave_id_t){1}, (amd_dbgapi_register_id_t){i}, 0,
				   sizeof(value), value);
	}
}

/* A line of a file of /proc; empty if there is none. */
static void read_line(const char *path, const char *start, char line[128])
{
	FILE *file = fopen(path, "re");

	line[0] = '\0';
	while (file && fgets(line, 128, file) && strncmp(line, start, strlen(start)) != 0)
		line[0] = '\0';
	if (file)
		fclose(file);
}

/* Threads of ours in this process; none of them may take a signal that can be blocked. */
static unsigned int count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned int count = 0;
	struct dirent *task;

	assert_non_null(tasks);
	while ((task = readdir(tasks))) {
		char path[300], line[128];

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", task->d_name);
		read_line(path, "", line);
		if (strcmp(line, "wavetape\n") != 0)
			continue;
		count++;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", task->d_name);
		read_line(path, "SigBlk:", line);
		/* All but KILL and STOP, and the two that the C library keeps for itself. */
		assert_int_equal(strtoull(line + strlen("SigBlk:"), NULL, 16) | 0x180000000,
				 0xfffffffffffbfeff | 0x180000000);
	}
	closedir(tasks);
	return count;
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

/* Return: how many threads there were at the end. */
static unsigned int record(const char *trace, const char *options, unsigned int calls)
{
	struct support_library library = support_load(FAKE_LIBRARY, trace, options);
	unsigned int threads;

	assert_int_equal(library.api.initialize(&callbacks), 0);
	make_calls(&library.api, calls);
	threads = count_threads();
	assert_int_equal(library.api.finalize(), 0);
	support_unload(&library);
	/* It ends with the library. */
	assert_int_equal(count_threads(), 0);
	expect_calls(trace, calls + 2);
	return threads;
}

static void it_is_there_where_chunks_fill(void **state)
{
	(void)state;
	assert_int_equal(record(support_path("many.wtape"), NULL, MANY), 1);
	assert_int_equal(record(support_path("few.wtape"), NULL, FEW), 0);
}

static void it_can_be_left_out(void **state)
{
	const char *without = support_path("without.wtape");

	(void)state;
	assert_int_equal(record(without, "no-thread", MANY), 0);
	assert_int_equal(record(support_path("small.wtape"), "max-memory=8M", MANY), 0);
}

static void it_is_the_same_trace(void **state)
{
	char *with = strdup(support_path("same-with.wtape"));
	char *without = strdup(support_path("same-without.wtape")), command[1100];

	(void)state;
	assert_int_equal(record(with, "reproducible", MANY), 1);
	assert_int_equal(record(without, "reproducible,no-thread", MANY), 0);
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
	assert_int_equal(library.api.initialize(&callbacks), 0);
	/* It may come in the middle of a chunk's way. */
	for (unsigned int i = 0; i < 20; i++) {
		make_calls(&library.api, MANY / 20);
		fflush(NULL);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			alarm(60);
			make_calls(&library.api, FEW);
			exit(count_threads() ? 1 : 0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(library.api.finalize(), 0);
	support_unload(&library);
	expect_calls(trace, MANY + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_there_where_chunks_fill),
		cmocka_unit_test(it_can_be_left_out),
		cmocka_unit_test(it_is_the_same_trace),
		cmocka_unit_test(a_child_does_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
