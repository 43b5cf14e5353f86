/* SPDX-License-Identifier: MIT */
#include "cli/look/info-head.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/plural.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "replayer/view/sources.h"
#include "trace-format/state/host-facts.h"

static void print_size(uint64_t bytes)
{
	if (bytes < 10 * 1024)
		printf("%" PRIu64 " %s", bytes, wt_plural(bytes, "byte", "bytes"));
	else if (bytes < 10 * 1024 * 1024)
		printf("%" PRIu64 " KiB", (bytes + 512) / 1024);
	else
		printf("%" PRIu64 " MiB", (bytes + (1 << 19)) >> 20);
}

static const char *completeness(const struct wt_trace_info *info, const struct wt_missing *unknown)
{
	if (unknown->complete)
		return "complete";
	return info->complete ? "not complete" : "not closed in order";
}

static void print_recorder(const struct wt_trace_info *info)
{
	/* A recorder has a name. What was recovered from a trace that had lost it has an empty one. */
	if (!*info->recorder && !*info->api_level && !*info->library_version) {
		puts("recorded     by what is not known: the trace's Header is lost");
		return;
	}
	printf("recorded     by ");
	wt_cli_put(stdout, info->recorder);
	printf(", API ");
	wt_cli_put(stdout, info->api_level);
	printf(", library ");
	wt_cli_put(stdout, info->library_version);
	printf(" \"");
	wt_cli_put(stdout, info->library_build_name);
	putchar('"');
	if (*info->client_level) {
		printf(", client ");
		wt_cli_put(stdout, info->client_level);
	}
	putchar('\n');
}

json_t *wt_info_head_json(const char *path, const struct wt_trace_info *info,
			  const struct wt_missing *unknown, const uint32_t *stops)
{
	struct wavetape_trace_info facts;

	wt_trace_info_facts_take(info, &facts);
	facts.path = path;
	return wt_trace_info_facts_json(&facts, unknown ? json_boolean(unknown->complete) : NULL,
					unknown ? wt_describe_missing_json(unknown) : NULL,
					stops ? json_integer((json_int_t)*stops) : NULL);
}

void wt_info_print_trace(const struct wt_cli_trace *trace, const struct wt_trace_info *info,
			 const struct wt_missing *unknown)
{
	char text[WT_DESCRIBE_MAX];

	printf("trace        ");
	wt_cli_put(stdout, trace->path);
	printf(", ");
	print_size(info->file_size);
	printf(" (");
	print_size(info->raw_size);
	printf(" unpacked), %s\n", completeness(info, unknown));
	print_recorder(info);
	if (info->start_time) {
		printf("             on %s", wt_describe_time(info->start_time, text));
		if (info->process_id)
			printf(", process %" PRIu64, info->process_id);
		putchar('\n');
	}
	if (info->command_line && info->command_line[0]) {
		printf("command     ");
		for (const char *const *word = info->command_line; *word; word++) {
			putchar(' ');
			wt_cli_put(stdout, *word);
		}
		putchar('\n');
	}
	printf("timeline     %u %s, %" PRIu64 " API %s%s", trace->stops.count,
	       wt_plural(trace->stops.count, "stop", "stops"), info->calls,
	       wt_plural(info->calls, "call", "calls"), info->end_reason ? ", ended: " : "");
	wt_cli_put(stdout, info->end_reason);
	putchar('\n');
}

/* By the name in our tables, else by the one that the library gave it: the trace describes it. */
static void print_architecture(struct wt_view *view, uint64_t agent)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_AGENT, agent);
	const char *name = wt_view_text(view, WT_OBJECT_ARCHITECTURE,
					wt_view_number_or(view, WT_OBJECT_AGENT, agent,
							  AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, 0),
					AMD_DBGAPI_ARCHITECTURE_INFO_NAME);

	if (!architecture && name)
		wt_cli_put(stdout, name);
	printf("%s", architecture ? architecture->name
		     : name	  ? " (an architecture not known here)"
				  : "unknown architecture");
}

void wt_info_print_device(struct wt_view *view)
{
	const uint64_t *agents, *unused;
	size_t count = wt_view_objects(view, WT_OBJECT_AGENT, &agents);

	for (size_t i = 0; i < count; i++) {
		const char *name =
			wt_view_text(view, WT_OBJECT_AGENT, agents[i], AMD_DBGAPI_AGENT_INFO_NAME);

		printf("%s", i ? "             " : "device       ");
		print_architecture(view, agents[i]);
		printf(", ");
		wt_cli_put(stdout, name ? name : "no name");
		putchar('\n');
	}
	printf("             %zu queue(s), %zu code object(s)\n",
	       wt_view_objects(view, WT_OBJECT_QUEUE, &unused),
	       wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &unused));
	if (wt_view_processes(view) > 1)
		printf("process      %" PRIu64 ", of %zu that were attached at this stop\n",
		       wt_view_moment(view)->process, wt_view_processes(view));
}

static void print_host(const struct wt_host *host)
{
	for (size_t i = 0; i < host->versions_count && i < 2; i++) {
		printf("%s", i ? ", " : "");
		wt_cli_put(stdout, host->versions[i].of);
		putchar(' ');
		wt_cli_put(stdout, host->versions[i].text);
	}
	if (host->executable) {
		printf("\nprogram      ");
		wt_cli_put(stdout, host->executable);
		printf(", process %" PRIu64 ", %zu %s", host->process_id, host->threads_count,
		       wt_plural(host->threads_count, "thread", "threads"));
	}
	puts(" (`wavetape host`)");
}

/* The source files that were kept, as "source_files": nothing if there are none. */
static struct wt_error *info_put_sources(struct wt_cli_trace *trace, json_t *json)
{
	struct wt_sources *sources;
	struct wt_error *error = wt_sources_create(trace->reader, NULL, &sources);
	json_t *array;

	if (error)
		return error;
	array = json_array();
	for (size_t i = 0; i < wt_sources_count(sources); i++) {
		struct wavetape_source file;

		wt_source_facts_take(wt_sources_at(sources, i), &file);
		json_array_append_new(array, wt_source_facts_json(&file));
	}
	if (json_array_size(array))
		json_object_set(json, "source_files", array);
	json_decref(array);
	wt_sources_destroy(sources);
	return NULL;
}

struct wt_error *wt_info_show_host(struct wt_cli_trace *trace, json_t *json,
				   struct wt_host **host_ret)
{
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(trace->reader, &host);

	*host_ret = NULL;
	if (!error && json)
		error = info_put_sources(trace, json);
	if (error || !host) {
		wt_host_destroy(host);
		return error;
	}
	if (json) {
		struct wavetape_host_info info;

		wt_host_info_facts_take(host, &info);
		json_object_set_new(json, "host", wt_host_info_summary_json(&info));
	} else {
		printf("host         ");
		print_host(host);
	}
	*host_ret = host;
	return NULL;
}
