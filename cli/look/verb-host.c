/* SPDX-License-Identifier: MIT */
/* `wavetape host`: the machine and the recorded program, as the recorder found them. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/look/verb-host.h"
#include "cli/output.h"
#include "replayer/facts/fields.h"
#include "replayer/view/missing.h"
#include "replayer/view/explain-memory.h"
#include "trace-format/state/host-facts.h"

#define SHORT_FRAMES 16 /* that are shown of one thread without --all */

struct options {
	bool all;
};

static void print_build_id(const struct wt_host_map *map)
{
	for (size_t i = 0; i < map->build_id_size; i++)
		printf("%02x", map->build_id[i]);
}

static void print_program(const struct wt_host *host)
{
	for (size_t i = 0; i < host->versions_count; i++) {
		wt_cli_put_padded(host->versions[i].of, 13);
		wt_cli_put(stdout, host->versions[i].text);
		putchar('\n');
	}
	if (host->process_id)
		printf("process      %" PRIu64 "\n", host->process_id);
	if (host->executable) {
		printf("executable   ");
		wt_cli_put(stdout, host->executable);
		putchar('\n');
	}
	if (host->command_line_count) {
		printf("command     ");
		for (size_t i = 0; i < host->command_line_count; i++) {
			putchar(' ');
			wt_cli_put(stdout, host->command_line[i]);
		}
		putchar('\n');
	}
	for (size_t i = 0; i < host->missing_count; i++) {
		printf("not known    ");
		wt_cli_put(stdout, host->missing[i]);
		putchar('\n');
	}
}

static void print_frame(const struct wt_host_frame *frame)
{
	printf("  0x%012" PRIx64 " ", frame->address);
	if (*frame->symbol) {
		wt_cli_put(stdout, frame->symbol);
		printf("+0x%" PRIx64, frame->symbol_offset);
	} else {
		putchar('?');
	}
	if (*frame->path) {
		printf(" in ");
		wt_cli_put(stdout, wt_text_file_name(frame->path));
	}
	if (*frame->file) {
		printf(" at ");
		wt_cli_put(stdout, frame->file);
		printf(":%" PRIu32, frame->line);
	}
	putchar('\n');
}

static void print_thread(const struct wt_host_thread *thread, size_t frames)
{
	printf("\nthread %" PRIu64 " \"", thread->id);
	wt_cli_put(stdout, thread->name);
	printf("\" ");
	wt_cli_put(stdout, thread->state);
	if (*thread->waiting) {
		printf(", waiting in ");
		wt_cli_put(stdout, thread->waiting);
	}
	putchar('\n');
	for (size_t j = 0; j < thread->frame_count && j < frames; j++)
		print_frame(&thread->frames[j]);
}

static void print_threads(const struct wt_host *host)
{
	for (size_t i = 0; i < host->threads_count; i++)
		print_thread(&host->threads[i], SIZE_MAX);
}

/** The parts of a file one below the other, its build once. */
static void print_maps(const struct wt_host *host)
{
	for (size_t i = 0; i < host->maps_count; i++) {
		const struct wt_host_map *map = &host->maps[i];

		if (!i)
			puts("\nmaps");
		printf("  %012" PRIx64 "-%012" PRIx64 " ", map->start, map->end);
		wt_cli_put(stdout, map->access);
		printf(" %8" PRIx64 " ", map->offset);
		wt_cli_put(stdout, map->path);
		if (map->build_id_size && (!i || strcmp(map->path, host->maps[i - 1].path))) {
			printf(" build ");
			print_build_id(map);
		}
		putchar('\n');
	}
}

static void print_environment(const struct wt_host *host)
{
	for (size_t i = 0; i < host->environment_count; i++) {
		if (!i)
			puts("\nenvironment");
		printf("  ");
		wt_cli_put(stdout, host->environment[i].name);
		if (host->environment[i].value) {
			putchar('=');
			wt_cli_put(stdout, host->environment[i].value);
		}
		putchar('\n');
	}
}

static void print_call(const struct wt_host *host, const struct wt_host_allocating *call)
{
	const struct wt_memory_caller caller = wt_memory_caller_find(host, call);

	printf(" by %s", caller.function ? caller.function : call->function);
	if (caller.file) {
		printf(" at ");
		wt_cli_put(stdout, caller.file);
		printf(":%" PRIu32, caller.line);
	} else if (caller.module) {
		printf(" in ");
		wt_cli_put(stdout, caller.module);
	}
}

static void print_allocations(const struct wt_host *host)
{
	for (size_t i = 0; i < host->allocations_count; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];

		if (!i)
			puts("\nallocations");
		printf("  %012" PRIx64 "-%012" PRIx64 " %s", is->address, is->address + is->size,
		       wt_memory_allocation_kind_name(is->kind));
		if (*is->agent) {
			printf(" of ");
			wt_cli_put(stdout, is->agent);
		}
		if (*is->made.function)
			print_call(host, &is->made);
		if (*is->freed.function) {
			printf(", gone");
			print_call(host, &is->freed);
		}
		putchar('\n');
	}
}

/* Seconds stand in relation to the trace's beginning. */
static void host_print_kernel_log(const struct wt_host *host)
{
	for (size_t i = 0; i < host->kernel_lines_count; i++) {
		if (!i)
			puts("\nkernel log");
		printf("  %+.6f s ", (double)host->kernel_lines[i].time / 1e9);
		wt_cli_put(stdout, host->kernel_lines[i].text);
		putchar('\n');
	}
	for (size_t i = 0; i < host->device_dumps_count; i++) {
		if (!i)
			puts("\ndevice dumps");
		printf("  ");
		wt_cli_put(stdout, host->device_dumps[i]);
		putchar('\n');
	}
}

static json_t *texts_json(char *const *texts, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, wt_cli_json_text(texts[i]));
	return array;
}

static json_t *maps_json(const struct wt_host *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->maps_count; i++) {
		struct wavetape_map map;

		wt_map_facts_take(&host->maps[i], &map);
		json_array_append_new(array, wt_map_facts_json(&map));
	}
	return array;
}

static json_t *host_frames_json(const struct wt_host_frame *frames, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		struct wavetape_host_frame frame;

		wt_host_frame_facts_take(&frames[i], &frame);
		json_array_append_new(array, wt_host_frame_facts_json(&frame));
	}
	return array;
}

static json_t *call_json(const struct wt_host_allocating *call)
{
	return *call->function ? wt_allocating_facts_json(call) : json_null();
}

static json_t *allocations_json(const struct wt_host *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->allocations_count; i++) {
		const struct wt_host_allocation *is = &host->allocations[i];

		json_array_append_new(
			array, wt_allocation_facts_json(
				       is, json_string(wt_memory_allocation_kind_name(is->kind)),
				       call_json(&is->made), call_json(&is->freed)));
	}
	return array;
}

/* Allocations refer to them by position, from 1. */
static json_t *stacks_json(const struct wt_host *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->stacks_count; i++)
		json_array_append_new(array, host_frames_json(host->stacks[i].frames,
							      host->stacks[i].frame_count));
	return array;
}

static json_t *threads_json(const struct wt_host *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->threads_count; i++) {
		const struct wt_host_thread *known = &host->threads[i];
		struct wavetape_thread thread;

		wt_thread_facts_take(known, &thread);
		json_array_append_new(
			array, wt_thread_facts_json(&thread, host_frames_json(known->frames,
									      known->frame_count)));
	}
	return array;
}

static json_t *versions_json(const struct wt_host *host)
{
	json_t *versions = json_object();

	for (size_t i = 0; i < host->versions_count; i++)
		json_object_set_new(versions, host->versions[i].of,
				    wt_cli_json_text(host->versions[i].text));
	return versions;
}

static json_t *environment_json(const struct wt_host *host)
{
	json_t *environment = json_object();

	for (size_t i = 0; i < host->environment_count; i++) {
		json_t *name = wt_cli_json_text(host->environment[i].name);

		json_object_set_new(environment, json_string_value(name),
				    wt_cli_json_text(host->environment[i].value));
		json_decref(name);
	}
	return environment;
}

static json_t *device_faults_json(const struct wt_host *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->device_faults_count; i++)
		json_array_append_new(array, wt_device_fault_facts_json(&host->device_faults[i]));
	return array;
}

static json_t *kernel_log_json(const struct wt_host *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->kernel_lines_count; i++) {
		struct wavetape_kernel_line line;

		wt_kernel_line_facts_take(&host->kernel_lines[i], &line);
		json_array_append_new(array, wt_kernel_line_facts_json(&line));
	}
	return array;
}

static void host_put_kernel_log(const struct wt_host *host, json_t *json)
{
	if (host->kernel_lines_count)
		json_object_set_new(json, "kernel_log", kernel_log_json(host));
	if (host->device_dumps_count)
		json_object_set_new(json, "device_dumps",
				    texts_json(host->device_dumps, host->device_dumps_count));
}

json_t *wt_host_json(const struct wt_host *host)
{
	struct wavetape_host_info info;
	json_t *json;

	wt_host_info_facts_take(host, &info);
	json = wt_host_info_facts_json(&info, versions_json(host), environment_json(host));
	json_object_set_new(json, "command_line",
			    texts_json(host->command_line, host->command_line_count));
	json_object_set_new(json, "maps", maps_json(host));
	json_object_set_new(json, "threads", threads_json(host));
	if (host->allocations_count) {
		json_object_set_new(json, "allocations", allocations_json(host));
		json_object_set_new(json, "stacks", stacks_json(host));
		json_object_set_new(json, "allocations_known",
				    json_boolean(host->allocations_known));
		json_object_set_new(json, "memory_closed", json_boolean(host->memory_closed));
	}
	if (host->device_faults_count)
		json_object_set_new(json, "device_faults", device_faults_json(host));
	host_put_kernel_log(host, json);
	json_object_set_new(json, "not_known", texts_json(host->missing, host->missing_count));
	return json;
}

/* The thread that the program began with, and how much there is of everything else. */
static void print_short(const struct wt_host *host)
{
	size_t frames = 0;

	for (size_t i = 0; i < host->threads_count; i++) {
		if (host->threads[i].id == host->process_id || host->threads_count == 1) {
			print_thread(&host->threads[i], SHORT_FRAMES);
			frames = host->threads[i].frame_count;
			break;
		}
	}
	if (frames > SHORT_FRAMES)
		printf("  ... and %zu more\n", frames - SHORT_FRAMES);
	printf("\nthreads      %zu\n", host->threads_count);
	printf("allocations  %zu\n", host->allocations_count);
	printf("maps         %zu\n", host->maps_count);
	printf("environment  %zu\n", host->environment_count);
	puts("--all shows them");
}

static struct wt_error *no_host(struct wt_cli_trace *trace)
{
	struct wt_missing unknown;
	char text[WT_MISSING_TEXT];
	struct wt_error *error = wt_missing_read(trace->reader, &unknown);

	if (error)
		return error;
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show the host", trace->path,
			       "this trace has nothing of it: no wave stopped, it was "
			       "left out (--no-host, --reproducible), or it was made of a core%s%s",
			       unknown.count ? "; or it is in what is not here: " : "",
			       wt_missing_text(&unknown, text));
}

static struct wt_error *host_show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	const struct options *asked = options;
	struct wt_host *host = NULL;
	/* The facts may be in a part that was lost: losses are told, too. */
	struct wt_error *error = wt_stops_find(&trace->stops);

	if (!error)
		error = wt_reader_host(trace->reader, &host);
	if (error)
		return error;
	if (!host)
		return no_host(trace);
	if (trace->json) {
		*json_ret = wt_host_json(host);
	} else {
		print_program(host);
		host_print_kernel_log(host);
	}
	if (!trace->json && !asked->all) {
		print_short(host);
	} else if (!trace->json) {
		print_threads(host);
		print_allocations(host);
		print_maps(host);
		print_environment(host);
	}
	wt_host_destroy(host);
	return NULL;
}

static error_t host_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	(void)argument;
	if (key != 'a')
		return ARGP_ERR_UNKNOWN;
	options->all = true;
	return 0;
}

int wt_command_host(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"all", 'a', NULL, 0,
		 "all threads, allocations, mapped files and environment variables", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "The machine and the recorded program: versions, command line, threads "
		       "with the frames that could be found without stopping them, what the "
		       "program "
		       "had allocated, mapped files with build ids, environment variables by "
		       "name, and what the kernel has logged of AMD's GPUs: the thread that it "
		       "began with and how much there is of the rest, or all of it.",
		.own = {.options = argp_options, .parser = host_parse},
		.show = host_show,
	};
	struct wt_cli_trace trace = {0};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, &options);
}
