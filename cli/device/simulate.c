/* SPDX-License-Identifier: MIT */
/* `wavetape simulate`: run a workload without recording, and write buffers out. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "dbgapi/core/dump-write.h"
#include "device/device.h"

#define SLICE UINT64_C(1000000) /* instructions between two looks at the progress line */

#define CANNOT_SAVE "cannot save the buffer"

/* The process id in a core file: the simulation has no process. */
#define CORE_PROCESS 1

struct save {
	char *name;
	const char *path;
};

struct options {
	const char *workload, *core;
	struct save *saves;
	size_t save_count;
	bool json;
};

/* A run of the device: what the device has told so far. */
struct run {
	struct wt_device *device;
	struct wt_device_wave **stopped; /* waves to look at after a slice */
	size_t stopped_count;
	uint64_t dispatches, waves, debug_traps, faults;
	uint64_t *left_local; /* instructions that accessed local memory past its end, each once */
	size_t left_local_count;
	const char *core; /* file to write at the first fault, NULL once it was */
	json_t *fault_list, *left_local_list; /* NULL: text on stderr */
	bool out_of_memory;
};

static error_t simulate_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	struct save *saves;
	char *equals;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'c':
		options->core = argument;
		return 0;
	case 's':
		equals = strchr(argument, '=');
		if (!equals || equals == argument || !equals[1]) {
			argp_error(state, "--save takes NAME=FILE, not '%s'", argument);
			return EINVAL;
		}
		saves = reallocarray(options->saves, options->save_count + 1, sizeof(*saves));
		if (!saves) {
			argp_failure(state, WT_EXIT_FAILED, ENOMEM, "--save");
			return ENOMEM;
		}
		*equals = '\0';
		saves[options->save_count++] = (struct save){argument, equals + 1};
		options->saves = saves;
		return 0;
	case ARGP_KEY_ARG:
		if (options->workload)
			return ARGP_ERR_UNKNOWN;
		options->workload = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->workload)
			argp_error(state, "which workload? Name a JSON file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- What happens on the device ---- */

static void dispatch_created(void *opaque, struct wt_device_dispatch *dispatch)
{
	struct run *run = opaque;

	(void)dispatch;
	run->dispatches++;
}

static void wave_created(void *opaque, struct wt_device_wave *wave)
{
	struct run *run = opaque;

	(void)wave;
	run->waves++;
}

static void wave_stopped(void *opaque, struct wt_device_wave *wave)
{
	struct run *run = opaque;
	struct wt_device_wave **stopped =
		reallocarray(run->stopped, run->stopped_count + 1, sizeof(*stopped));

	if (!stopped) {
		run->out_of_memory = true;
		return;
	}
	stopped[run->stopped_count++] = wave;
	run->stopped = stopped;
}

static void ignore_workgroup(void *opaque, struct wt_device_workgroup *workgroup)
{
	(void)opaque;
	(void)workgroup;
}

static void ignore_dispatch(void *opaque, struct wt_device_dispatch *dispatch)
{
	(void)opaque;
	(void)dispatch;
}

static void ignore_termination(void *opaque, struct wt_device_wave *wave, bool stepping)
{
	(void)opaque;
	(void)wave;
	(void)stepping;
}

static void simulate_message(void *opaque, bool warning, const char *text)
{
	(void)opaque;
	if (warning)
		wt_cli_say("the simulated GPU", text);
}

static void run_report_fault(struct run *run, const struct wt_device_wave *wave)
{
	const struct wt_device_workgroup *group = wave->workgroup;
	char reasons[WT_DESCRIBE_MAX], lanes[WT_DESCRIBE_MAX];

	run->faults++;
	if (run->fault_list) {
		json_array_append_new(
			run->fault_list,
			json_pack("{s:s, s:[i,i,i], s:i, s:o, s:o, s:o}", "stop_reason",
				  wt_describe_reasons(wave->stop_reasons, reasons), "workgroup",
				  (int)group->coordinates[0], (int)group->coordinates[1],
				  (int)group->coordinates[2], "number_in_workgroup",
				  (int)wave->number_in_group, "pc", wt_cli_json_hex(wave->gfx->pc),
				  "lanes", wt_cli_json_hex(wave->fault.lanes), "address",
				  wt_cli_json_hex(wave->fault.address)));
		return;
	}
	fprintf(stderr,
		"wavetape: a wave stopped: workgroup (%u,%u,%u) wave %u: %s at pc 0x%" PRIx64,
		group->coordinates[0], group->coordinates[1], group->coordinates[2],
		wave->number_in_group, wt_describe_reasons_plainly(wave->stop_reasons, reasons),
		wave->gfx->pc);
	if (wave->fault.lanes)
		fprintf(stderr, ", lanes %s, address 0x%" PRIx64,
			wt_describe_lanes(wave->fault.lanes, lanes), wave->fault.address);
	fputc('\n', stderr);
}

static json_t *wave_left_local_json(const struct wt_device_wave *wave)
{
	const uint32_t *group = wave->workgroup->coordinates;

	return json_pack("{s:[i,i,i], s:i, s:o, s:o, s:o, s:b}", "workgroup", (int)group[0],
			 (int)group[1], (int)group[2], "number_in_workgroup",
			 (int)wave->number_in_group, "pc", wt_cli_json_hex(wave->gfx->pc), "lanes",
			 wt_cli_json_hex(wave->fault.lanes), "address",
			 wt_cli_json_hex(wave->fault.address), "write", wave->fault.write);
}

/** Each instruction is told of once: the first wave that does it. It goes on, as on hardware. */
static bool run_take_left_local(void *opaque, struct wt_device_wave *wave)
{
	const uint32_t *group = wave->workgroup->coordinates;
	char lanes[WT_DESCRIBE_MAX];
	struct run *run = opaque;
	uint64_t *grown;

	for (size_t i = 0; i < run->left_local_count; i++)
		if (run->left_local[i] == wave->gfx->pc)
			return true;
	grown = reallocarray(run->left_local, run->left_local_count + 1, sizeof(*grown));
	if (!grown) {
		run->out_of_memory = true;
		return true;
	}
	grown[run->left_local_count++] = wave->gfx->pc;
	run->left_local = grown;
	if (run->left_local_list) {
		json_array_append_new(run->left_local_list, wave_left_local_json(wave));
		return true;
	}
	fprintf(stderr,
		"wavetape: past the end of local memory, of which the workgroup has %u bytes: "
		"workgroup "
		"(%u,%u,%u) wave %u %s at pc 0x%" PRIx64 ", lanes %s, address 0x%" PRIx64
		"; it goes on, as on hardware\n",
		wave->workgroup->lds_size, group[0], group[1], group[2], wave->number_in_group,
		wave->fault.write ? "writes" : "reads", wave->gfx->pc,
		wt_describe_lanes(wave->fault.lanes, lanes), wave->fault.address);
	return true;
}

/** The file is what a debugger would find at this moment: of waves that go on, too. */
static struct wt_error *run_write_core(struct run *run)
{
	struct wt_error *error;

	if (!run->core)
		return NULL;
	error = wt_core_file_write(run->core, run->device, CORE_PROCESS);
	run->core = NULL;
	return error;
}

/** Debug traps are resumed, as without a debugger; everything else stays stopped and is reported. */
static struct wt_error *run_handle_stops(struct run *run)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < run->stopped_count && !error; i++)
		if (run->stopped[i]->stop_reasons != AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP)
			error = run_write_core(run);
	for (size_t i = 0; i < run->stopped_count; i++) {
		struct wt_device_wave *wave = run->stopped[i];

		if (wave->stop_reasons == AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP) {
			run->debug_traps++;
			run->device->operations->wave_resume(run->device, wave, false);
		} else {
			run_report_fault(run, wave);
		}
	}
	run->stopped_count = 0;
	return error;
}

static struct wt_error *run_to_end(struct run *run)
{
	struct wt_progress progress = wt_progress_start("simulating");
	enum wt_device_progress state = WT_DEVICE_RUNNING;
	struct wt_error *error = NULL;
	uint64_t slices = 0;

	while ((state == WT_DEVICE_RUNNING || state == WT_DEVICE_EVENT) && !run->out_of_memory &&
	       !error) {
		state = run->device->operations->run(run->device, SLICE);
		error = run_handle_stops(run);
		slices++;
		wt_progress_update(&progress, "%" PRIu64 " %s, %" PRIu64 " %s", run->waves,
				   wt_plural(run->waves, "wave", "waves"), slices,
				   wt_plural(slices, "slice", "slices"));
	}
	wt_progress_end(&progress);
	if (!error && run->out_of_memory)
		error = &wt_error_no_memory;
	return error ? error : run_write_core(run);
}

/* ---- Buffers ---- */

static struct wt_error *device_save_buffer(struct wt_device *device, const struct save *save)
{
	wt_cleanup_free uint8_t *data = NULL;
	uint64_t address, size;

	if (!wt_simulated_buffer(device, save->name, &address, &size))
		return wt_error_create(WT_ERROR_USAGE, CANNOT_SAVE, save->name,
				       "the workload has no buffer of that name");
	data = malloc(size ? size : 1);
	if (!data)
		return &wt_error_no_memory;
	if (device->operations->read_memory(device, address, data, size) != size)
		return wt_error_create(WT_ERROR_INTERNAL, CANNOT_SAVE, save->name,
				       "the device does not give its bytes");
	return wt_cli_write_file(CANNOT_SAVE, save->path, data, size);
}

/** A name that is wrong should be told before a long run, not after it. */
static struct wt_error *device_check_outputs(struct wt_device *device,
					     const struct options *options)
{
	struct wt_error *error = NULL;

	if (options->core)
		error = wt_cli_check_workload_output("cannot write the core file", options->core,
						     options->workload, device);
	for (size_t i = 0; i < options->save_count && !error; i++) {
		const struct save *save = &options->saves[i];
		uint64_t address, size;

		if (!wt_simulated_buffer(device, save->name, &address, &size))
			return wt_error_create(WT_ERROR_USAGE, CANNOT_SAVE, save->name,
					       "the workload has no buffer of that name");
		error = wt_cli_check_workload_output(CANNOT_SAVE, save->path, options->workload,
						     device);
	}
	return error;
}

static struct wt_error *run_simulate(const struct options *options, struct run *run)
{
	const struct wt_device_listener listener = {
		.opaque = run,
		.dispatch_created = dispatch_created,
		.workgroup_created = ignore_workgroup,
		.wave_created = wave_created,
		.wave_stopped = wave_stopped,
		.wave_left_local = run_take_left_local,
		.wave_terminated = ignore_termination,
		.workgroup_ended = ignore_workgroup,
		.dispatch_ended = ignore_dispatch,
		.message = simulate_message,
	};
	struct wt_error *error = wt_simulated_create(options->workload, &run->device);

	run->core = options->core;

	if (error)
		return error;
	run->device->operations->set_listener(run->device, &listener);
	error = device_check_outputs(run->device, options);
	if (!error)
		error = run_to_end(run);
	for (size_t i = 0; !error && i < options->save_count; i++)
		error = device_save_buffer(run->device, &options->saves[i]);
	return error;
}

static int simulate_report(const struct options *options, const struct run *run)
{
	int code = run->faults || run->left_local_count ? WT_EXIT_FAILED : WT_EXIT_FINE;

	if (options->json) {
		int failed = wt_cli_json(
			options->workload, 0,
			json_pack("{s:I, s:I, s:I, s:O, s:O}", "dispatches",
				  (json_int_t)run->dispatches, "waves", (json_int_t)run->waves,
				  "debug_traps", (json_int_t)run->debug_traps, "faults",
				  run->fault_list, "left_local", run->left_local_list));
		return failed ? failed : code;
	}
	printf("%" PRIu64 " %s, %" PRIu64 " %s, %" PRIu64 " debug %s, %" PRIu64 " %s\n",
	       run->dispatches, wt_plural(run->dispatches, "dispatch", "dispatches"), run->waves,
	       wt_plural(run->waves, "wave", "waves"), run->debug_traps,
	       wt_plural(run->debug_traps, "trap", "traps"), run->faults,
	       wt_plural(run->faults, "fault", "faults"));
	return code;
}

int wt_command_simulate(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"core", 'c', "FILE", 0,
		 "write a GPU core dump at the first fault, or at the end if there is none", 0},
		{"save", 's', "NAME=FILE", 0, "after the run, write the buffer NAME to FILE", 0},
		WT_CLI_JSON_OPTION,
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = simulate_parse_option,
		.args_doc = "WORKLOAD.json",
		.doc = "Run a workload on the simulated GPU without a debugger. A wave that faults "
		       "stays "
		       "where it is and is reported; the others go on. One that reads or writes "
		       "past "
		       "the end of local memory is reported and goes on, as on hardware. The exit "
		       "code is 1 if one did either.",
	};
	struct options options = {0};
	struct run run = {0};
	struct wt_error *error;
	int code;

	wt_cli_parse(&argp, argc, argv, &options);
	if (options.json) {
		run.fault_list = json_array();
		run.left_local_list = json_array();
	}
	error = run_simulate(&options, &run);
	code = error ? wt_cli_fail(error) : simulate_report(&options, &run);
	if (run.device)
		run.device->operations->destroy(run.device);
	json_decref(run.fault_list);
	json_decref(run.left_local_list);
	free(run.left_local);
	free(run.stopped);
	free(options.saves);
	return code;
}
