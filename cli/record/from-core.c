/* SPDX-License-Identifier: MIT */
#include "cli/record/from-core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "base/uri.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/libraries.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "device/save-area/link-map.h"
#include "device/save-area/note.h"
#include "recorder/agent/core-agent.h"

static struct wt_progress core_start_progress(const struct wt_record_core *core, const char *what)
{
	struct wt_progress progress = wt_progress_start(what);

	progress.terminal |= core->progress;
	return progress;
}

static void core_show_bytes(void *opaque, uint64_t bytes)
{
	wt_progress_update(opaque, "%" PRIu64 " MiB", bytes >> 20);
}

static void core_show_events(void *opaque, uint64_t events)
{
	wt_progress_update(opaque, "%" PRIu64 " %s", events, wt_plural(events, "event", "events"));
}

static void core_show_log(void *opaque, amd_dbgapi_log_level_t level, const char *text)
{
	(void)opaque;
	(void)level;
	wt_cli_say("the library", text);
}

static void core_show_missing_file(void *opaque, const char *path)
{
	(void)opaque;
	fprintf(stderr, "wavetape: a code object is missing: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": the trace has no code of it\n");
}

/* A note that cannot be read is said to be so here: a library takes it for an empty process. */
static struct wt_error *core_check_note(struct wt_record_core *core)
{
	struct wt_core_note note;
	size_t size;
	const void *data = wt_core_file_note(core->file, &size);
	struct wt_error *error = wt_core_note_parse(data, size, &note);

	if (error)
		return wt_error_prefix(error, core->path);
	core->kind = wt_core_kind_find(core->file, &note);
	core->code_list = note.r_debug;
	wt_core_note_deinit(&note);
	return NULL;
}

static size_t core_file_read_memory(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_core_file_read(opaque, address, data, size);
}

/* The list is empty where it cannot be read. */
static struct wt_error *core_read_code_list(const struct wt_record_core *core,
					    struct wt_link_map *map_ret)
{
	const struct wt_memory_view memory = {.opaque = core->file, .read = core_file_read_memory};

	return wt_link_map_read(&memory, core->code_list, WT_R_DEBUG_CORE, map_ret);
}

/* Two files of different processes would tell of neither: the list of code objects is where the GPU's file says, or they are. */
static struct wt_error *core_check_host(const struct wt_record_core *core)
{
	struct wt_link_map map;
	wt_cleanup_error struct wt_error *why = core_read_code_list(core, &map);

	wt_link_map_deinit(&map);
	if (!why)
		return NULL;
	return wt_error_create(WT_ERROR_INPUT, "cannot read the core file", core->host,
			       "it has no list of code objects where %s says: it is of another "
			       "process, or not whole",
			       core->path);
}

struct wt_error *wt_record_core_open(struct wt_record_core *core)
{
	struct wt_progress progress = core_start_progress(core, "reading the core");
	struct wt_error *error;

	error = wt_core_file_open(core->path, core->host, wt_cli_temporary(), core_show_bytes,
				  &progress, &core->file);
	wt_progress_end(&progress);
	if (!error)
		error = core_check_note(core);
	return error || !core->host ? error : core_check_host(core);
}

struct wt_error *wt_record_core_set_words(const struct wt_record_core *core)
{
	const char *before = getenv("WAVETAPE_OPTIONS");
	wt_cleanup_free char *words = NULL;

	if (wt_core_file_facts(core->file)->of_process || core->kind.data_bytes)
		return NULL;
	if (asprintf(&words, "%s,lightweight", before ? before : "") < 0) {
		words = NULL;
		return &wt_error_no_memory;
	}
	return setenv("WAVETAPE_OPTIONS", words, 1) ? &wt_error_no_memory : NULL;
}

/* A list that cannot be read is left to the library; without memory nothing goes on. */
static struct wt_error *core_pass_over(struct wt_error *error)
{
	if (error == &wt_error_no_memory)
		return error;
	wt_error_destroy(error);
	return NULL;
}

static struct wt_error *core_check_code_object(const char *what, const char *output,
					       const char *text)
{
	struct wt_uri uri;
	struct wt_error *error = wt_uri_parse(text, &uri);

	if (error)
		return core_pass_over(error);
	if (uri.kind == WT_URI_FILE)
		error = wt_cli_check_output(what, output, uri.path, "a code object of the core");
	wt_uri_deinit(&uri);
	return error;
}

struct wt_error *wt_record_core_check_output(const struct wt_record_core *core, const char *what,
					     const char *output)
{
	struct wt_link_map map;
	struct wt_error *error = core_pass_over(core_read_code_list(core, &map));

	for (size_t i = 0; i < map.count && !error; i++)
		error = core_check_code_object(what, output, map.entries[i].uri);
	wt_link_map_deinit(&map);
	return error;
}

/* Lightweight or full: what pointers lead to is there, or it is not. That of a process has host memory, which is not looked through. */
static const char *core_memory_kind(const struct wt_record_core *core)
{
	if (wt_core_file_facts(core->file)->of_process)
		return "merged";
	return core->kind.data_bytes ? "full" : "lightweight";
}

static void core_describe_kind(const struct wt_record_core *core)
{
	if (wt_core_file_facts(core->file)->of_process)
		printf("the core is that of the process, with the GPUs' state in it");
	else if (core->kind.data_bytes)
		printf("the core is a full one: %" PRIu64
		       " bytes of it are of neither queues, waves nor code",
		       core->kind.data_bytes);
	else
		printf("the core is a lightweight one: it has queues, waves and code, and no "
		       "memory "
		       "that pointers lead to");
	puts(core->kind.without_debugger
		     ? "; it names no exception, as one that was written without the driver's "
		       "interface for debuggers: why waves stopped is told by the waves alone"
		     : "");
}

static void core_describe(const struct wt_core_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	if (summary->stopped_waves)
		printf("%" PRIu64 " of %" PRIu64 " %s stopped: %s\n", summary->stopped_waves,
		       summary->waves, wt_plural(summary->waves, "wave", "waves"),
		       wt_describe_reasons_plainly(summary->reasons, reasons));
	else
		printf("%" PRIu64 " %s, none of which stopped by itself\n", summary->waves,
		       wt_plural(summary->waves, "wave", "waves"));
}

static int core_report(const struct wt_record_core *core, const struct wt_core_summary *summary)
{
	const struct wt_core_file_facts *facts = wt_core_file_facts(core->file);
	char reasons[WT_DESCRIBE_MAX];

	if (!core->json) {
		core_describe(summary);
		core_describe_kind(core);
		return WT_EXIT_FINE;
	}
	return wt_cli_json(
		core->output, 0,
		json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:I, s:s, s:o, s:b, "
			  "s:I}",
			  "end", "core", "agents", (json_int_t)summary->agents, "queues",
			  (json_int_t)summary->queues, "dispatches",
			  (json_int_t)summary->dispatches, "code_objects",
			  (json_int_t)summary->code_objects, "waves", (json_int_t)summary->waves,
			  "stopped_waves", (json_int_t)summary->stopped_waves, "reasons",
			  wt_describe_reasons(summary->reasons, reasons), "memory_bytes",
			  (json_int_t)facts->memory_bytes, "missing_bytes",
			  (json_int_t)facts->missing_bytes, "missing_code_objects",
			  (json_int_t)summary->missing_files, "kind", core_memory_kind(core),
			  "driver",
			  json_sprintf("%u.%u", core->kind.driver_major, core->kind.driver_minor),
			  "without_debugger", core->kind.without_debugger, "data_bytes",
			  (json_int_t)core->kind.data_bytes));
}

/** Whether something of the core could not be recorded; a file that was cut off is told of. */
static bool core_is_partial(const struct wt_record_core *core,
			    const struct wt_core_summary *summary)
{
	const struct wt_core_file_facts *facts = wt_core_file_facts(core->file);

	if (facts->missing_bytes)
		fprintf(stderr,
			"wavetape: the core file is cut off: %s: %" PRIu64 " of %" PRIu64
			" bytes of memory are missing, the first at 0x%" PRIx64 "\n",
			core->path, facts->missing_bytes, facts->memory_bytes,
			facts->missing_address);
	return facts->missing_bytes || summary->missing_files ||
	       (core->own_library && summary->warnings);
}

int wt_record_core_run(const struct wt_record_core *core, const char *library)
{
	struct wt_progress progress = core_start_progress(core, "recording");
	const struct wt_core_agent_options options = {
		.size = sizeof(options),
		.progress = core_show_events,
		.log = core_show_log,
		.missing_file = core_show_missing_file,
		.opaque = &progress,
	};
	struct wt_core_summary summary = {0};
	struct wt_error *error;
	struct wt_api api;
	int code;

	error = wt_api_load(library, &api);
	if (!error)
		error = wt_core_agent_run(&api, core->file, &options, &summary);
	wt_progress_end(&progress);
	if (error)
		return wt_cli_fail(wt_error_prefix(error, core->path));
	code = core_is_partial(core, &summary) ? WT_EXIT_PARTIAL : WT_EXIT_FINE;
	return core_report(core, &summary) ? WT_EXIT_FAILED : code;
}
