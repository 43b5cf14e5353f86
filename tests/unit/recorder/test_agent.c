/* SPDX-License-Identifier: MIT */
/* Our agent over the simulated GPU: what it does, and what it leaves in the trace. */
#include "tests/unit/recorder/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/agent/agent.h"

static void run_agent(const char *library, const struct wt_agent_options *options,
		      const char *workload, struct wt_agent_summary *summary)
{
	char path[512];
	struct wt_api api;

	snprintf(path, sizeof(path), WORKLOADS "/%s.json", workload);
	setenv("WAVETAPE_WORKLOAD", path, 1);
	support_must(wt_api_load(library, &api));
	support_must(wt_agent_run(&api, options, summary));
}

/*
 * Run the agent in a process of its own, with a trace or without: process handles count up for as long as a
 * library lives.
 */
static void agent_apart(const char *trace, const char *workload, struct wt_agent_summary *summary)
{
	const struct wt_agent_options options = {.size = sizeof(options), .reproducible = true};
	struct wt_agent_summary *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	assert_true(shared != MAP_FAILED);
	child = fork();
	if (!child && trace) {
		struct support_library library =
			support_load(SIMULATED_LIBRARY, trace, "reproducible");

		run_agent(library.path, &options, workload, shared);
		support_unload(&library);
	} else if (!child) {
		run_agent(SIMULATED_LIBRARY, &options, workload, shared);
	}
	if (!child)
		_exit(0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	*summary = *shared;
	munmap(shared, sizeof(*shared));
}

static bool same_files(const char *a, const char *b)
{
	FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
	int c = 0;
	bool same;

	assert_non_null(x);
	assert_non_null(y);
	do {
		c = fgetc(x);
		same = c == fgetc(y);
	} while (same && c != EOF);
	fclose(x);
	fclose(y);
	return same;
}

static void the_agent_sees_the_same_and_records_it_twice_the_same(void **unused)
{
	static const char *const workloads[] = {"oob-store", "assert-trap", "debug-trap",
						"illegal",   "vecadd",	    "matmul-short-buffer"};

	(void)unused;
	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++) {
		struct wt_agent_summary plain, first, second;

		agent_apart(NULL, workloads[i], &plain);
		agent_apart(support_path("one.wtape"), workloads[i], &first);
		agent_apart(support_path("two.wtape"), workloads[i], &second);
		assert_true(plain.counts.stops > 0);
		assert_memory_equal(&plain, &first, sizeof(plain));
		assert_memory_equal(&plain, &second, sizeof(plain));
		assert_true(same_files(support_path("one.wtape"), support_path("two.wtape")));
	}
}

static void the_agent_keeps_its_limits(void **unused)
{
	struct wt_agent_options options = {.size = sizeof(options), .stop_limit = 1};
	struct wt_agent_summary summary;

	(void)unused;
	run_agent(SIMULATED_LIBRARY, &options, "debug-trap", &summary);
	assert_int_equal(summary.end, WT_AGENT_STOP_LIMIT);
	assert_int_equal(summary.counts.stops, 1);
	options.stop_limit = 0;
	run_agent(SIMULATED_LIBRARY, &options, "debug-trap", &summary);
	assert_int_equal(summary.end, WT_AGENT_IDLE);
	assert_true(summary.counts.debug_traps > 0);
	run_agent(SIMULATED_LIBRARY, NULL, "oob-store", &summary);
	assert_int_equal(summary.end, WT_AGENT_FAULT);
	assert_int_equal(summary.counts.fault_reasons,
			 AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	assert_true(summary.counts.fault_wave != 0);
}

static void the_agent_tells_why_it_cannot(void **unused)
{
	struct wt_agent_summary summary = {.counts.stops = 77};
	struct wt_error *error;
	struct wt_api api;

	(void)unused;
	setenv("WAVETAPE_WORKLOAD", "/no/such/workload.json", 1);
	support_must(wt_api_load(SIMULATED_LIBRARY, &api));
	error = wt_agent_run(&api, NULL, &summary);
	assert_non_null(error);
	assert_non_null(strstr(error->where, "amd_dbgapi_process_attach"));
	assert_non_null(strstr(error->why, "/no/such/workload.json"));
	assert_int_equal(summary.counts.stops, 77);
	wt_error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* First, while no library that its processes would inherit is loaded. */
		cmocka_unit_test(the_agent_sees_the_same_and_records_it_twice_the_same),
		cmocka_unit_test(the_agent_keeps_its_limits),
		cmocka_unit_test(the_agent_tells_why_it_cannot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
