/* SPDX-License-Identifier: MIT */
/*
 * Measures one library, or one trace; tests/bench/run makes ratios of it.
 *
 * Usage: bench calls LIBRARY [CORE]   nanoseconds of each call, the median and the tenth percentile of batches, of the way to the first
 *                                     stop, and of reading the clock, as JSON; of a core file, the session is about it
 *        bench row LIBRARY            nanoseconds of a call, on average over very many in a row, as JSON
 *        bench callbacks LIBRARY      the same of calls that make the library call back
 *        bench steps LIBRARY COUNT    nanoseconds of the first stop and of each of COUNT steps of all waves, also of
 *                                     processor time, and of the longest next_pending_event in each step, as JSON
 *        bench dump TRACE FILE        the state at every stop, raw
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/agent/core-file.h"
#include "tests/bench/calls.h"
#include "tests/bench/dump.h"
#include "tests/bench/session.h"

static void measure_calls(const char *library, const char *core)
{
	struct session session = {0};
	struct wt_core_file *file = NULL;
	struct wt_error *error = NULL;

	if (core)
		error = wt_core_file_open(core, NULL, "/tmp", NULL, NULL, &file);
	if (error)
		die("%s: %s: %s", error->what, error->where, error->why);
	session_begin(&session, library, file);
	printf("{\"waves\": %zu, \"attach\": %" PRIu64 ", \"poll\": %" PRIu64 ", \"clock\": %.1f, ",
	       session.wave_count, session.attach_ns, session.longest_poll_ns, calls_clock());
	calls_measure(&session);
	puts("}");
	session_end(&session);
	wt_core_file_close(file);
}

static void measure_row(const char *library, double (*row)(struct session *session))
{
	struct session session = {0};

	session_begin(&session, library, NULL);
	printf("%.1f\n", row(&session));
	session_end(&session);
}

static void print_list(const char *name, const uint64_t *numbers, size_t count)
{
	printf("\"%s\": [", name);
	for (size_t i = 0; i < count; i++)
		printf("%s%" PRIu64, i ? ", " : "", numbers[i]);
	putchar(']');
}

static uint64_t *numbers(size_t count)
{
	uint64_t *made = calloc(count + 1, sizeof(*made));

	if (!made)
		die("no memory");
	return made;
}

static void measure_steps(const char *library, const char *count_text)
{
	struct session session = {0};
	size_t count = strtoul(count_text, NULL, 10);
	uint64_t *steps = numbers(count), *polls = numbers(count), *cpu = numbers(count);

	session_begin(&session, library, NULL);
	for (size_t i = 0; i < count; i++) {
		uint64_t before = cpu_nanoseconds();

		steps[i] = session_step_all(&session);
		cpu[i] = cpu_nanoseconds() - before;
		polls[i] = session.longest_poll_ns;
	}
	printf("{\"waves\": %zu, \"first\": %" PRIu64 ", \"first_cpu\": %" PRIu64 ", ",
	       session.wave_count, session.first_stop_ns, session.first_stop_cpu);
	print_list("ns", steps, count);
	printf(", ");
	print_list("cpu", cpu, count);
	printf(", ");
	print_list("poll", polls, count);
	puts("}");
	session_end(&session);
	free(steps);
	free(polls);
	free(cpu);
}

int main(int argc, char **argv)
{
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "calls"))
		measure_calls(argv[2], argv[3]);
	else if (argc == 3 && !strcmp(argv[1], "row"))
		measure_row(argv[2], calls_row);
	else if (argc == 3 && !strcmp(argv[1], "callbacks"))
		measure_row(argv[2], calls_callbacks);
	else if (argc == 4 && !strcmp(argv[1], "steps"))
		measure_steps(argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "dump"))
		dump_states(argv[2], argv[3]);
	else
		die("usage: bench calls LIBRARY [CORE] | row LIBRARY | callbacks LIBRARY | steps "
		    "LIBRARY COUNT | dump TRACE FILE");
	return 0;
}
