/* SPDX-License-Identifier: MIT */
#include "cli/record/from-workload.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/plural.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/record/trace-output.h"
#include "device/device.h"
#include "recorder/agent/agent.h"

struct wt_error *wt_record_workload_check(const struct wt_record_workload *workload,
					  const char *const *written, size_t count)
{
	struct wt_device *device;
	struct wt_error *error = wt_simulated_create(workload->path, &device);

	if (error)
		return error;
	for (size_t i = 0; i < count && !error; i++)
		error = wt_cli_check_workload_output(WT_RECORD_CANNOT_WRITE, written[i],
						     workload->path, device);
	device->operations->destroy(device);
	return error;
}

static void workload_show_progress(void *opaque, const struct wt_agent_summary *summary)
{
	wt_progress_update(opaque, "%u %s, %u debug %s", summary->counts.stops,
			   wt_plural(summary->counts.stops, "stop", "stops"),
			   summary->counts.debug_traps,
			   wt_plural(summary->counts.debug_traps, "trap", "traps"));
}

static void workload_show_log(void *opaque, amd_dbgapi_log_level_t level, const char *text)
{
	(void)opaque;
	(void)level;
	wt_cli_say("the library", text);
}

/** Print how the session ended, in words. */
static void workload_describe_end(const struct wt_agent_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	switch (summary->end) {
	case WT_AGENT_IDLE:
		printf("the workload ran to its end");
		break;
	case WT_AGENT_FAULT:
		if (summary->counts.faulted_waves)
			printf("%u %s stopped for a fault: %s", summary->counts.faulted_waves,
			       wt_plural(summary->counts.faulted_waves, "wave", "waves"),
			       wt_describe_reasons_plainly(summary->counts.fault_reasons, reasons));
		else
			printf("a queue reported an error");
		break;
	case WT_AGENT_STOP_LIMIT:
		printf("--max-stops was reached");
		break;
	case WT_AGENT_TIME_LIMIT:
		printf("--time-limit was reached");
		break;
	case WT_AGENT_INTERRUPTED:
		printf("interrupted");
		break;
	}
	printf("; %u %s\n", summary->counts.stops,
	       wt_plural(summary->counts.stops, "stop", "stops"));
}

static const char *workload_end_name(enum wt_agent_end end)
{
	static const char *const names[] = {
		[WT_AGENT_IDLE] = "finished",		[WT_AGENT_FAULT] = "fault",
		[WT_AGENT_TIME_LIMIT] = "time limit",	[WT_AGENT_STOP_LIMIT] = "stop limit",
		[WT_AGENT_INTERRUPTED] = "interrupted",
	};

	return names[end];
}

static int workload_report(const struct wt_record_workload *workload,
			   const struct wt_agent_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	if (!workload->json) {
		workload_describe_end(summary);
		return WT_EXIT_FINE;
	}
	return wt_cli_json(workload->output, 0,
			   json_pack("{s:s, s:I, s:I, s:I, s:s}", "end",
				     workload_end_name(summary->end), "stops",
				     (json_int_t)summary->counts.stops, "debug_traps",
				     (json_int_t)summary->counts.debug_traps, "faulted_waves",
				     (json_int_t)summary->counts.faulted_waves, "reasons",
				     wt_describe_reasons(summary->counts.fault_reasons, reasons)));
}

/* ---- Interrupts ---- */

static atomic_bool interrupted;

static void workload_note_interrupt(int number)
{
	(void)number;
	atomic_store(&interrupted, true);
}

static bool workload_is_interrupted(void)
{
	return atomic_load(&interrupted);
}

void wt_record_ending_signals(sigset_t *signals_ret)
{
	sigemptyset(signals_ret);
	sigaddset(signals_ret, SIGINT);
	sigaddset(signals_ret, SIGTERM);
}

int wt_record_workload_run(const struct wt_record_workload *workload, const char *library)
{
	struct wt_progress progress = wt_progress_start("recording");
	const struct wt_agent_options agent_options = {
		.size = sizeof(agent_options),
		.reproducible = workload->reproducible,
		.stop_limit = (uint32_t)workload->max_stops,
		.time_limit_ms = workload->time_limit_ms,
		.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING,
		.progress = workload_show_progress,
		.log = workload_show_log,
		.opaque = &progress,
		.is_interrupted = workload_is_interrupted,
	};
	struct wt_agent_summary summary = {0};
	struct wt_error *error;
	struct wt_api api;
	sigset_t ending;

	wt_record_ending_signals(&ending);
	wt_cli_catch(&ending, workload_note_interrupt, SA_RESTART);
	error = wt_api_load(library, &api);
	if (!error)
		error = wt_agent_run(&api, &agent_options, &summary);
	wt_progress_end(&progress);
	return error ? wt_cli_fail(error) : workload_report(workload, &summary);
}
