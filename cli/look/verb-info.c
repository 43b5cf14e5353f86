/* SPDX-License-Identifier: MIT */
/* `wavetape info`: one screen. What was recorded, where, and the crash. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/look/info-cause.h"
#include "cli/look/info-places.h"
#include "cli/look/info-waiting.h"
#include "cli/look/show.h"
#include "cli/look/verb-host.h"
#include "cli/output.h"
#include "dbgapi/architecture/disassemble.h"
#include "replayer/view/missing.h"
#include "replayer/view/sources.h"
#include "trace-format/reader/summary.h"
#include "trace-format/state/host-facts.h"

/* ---- The head, before the waves of a trace: who recorded what, and where ---- */

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

/* Print file, recorder, command and timeline. @unknown: what says whether the trace is complete. */
static void info_print_trace(const struct wt_cli_trace *trace, const struct wt_trace_info *info,
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

/* Print the agents of a stop, and how many queues and code objects there are. */
static void info_print_device(struct wt_view *view)
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

/*
 * Tells the program that was debugged from others; `wavetape host` has the rest.
 *
 * @json: an object that gets "host", and "source_files" if any were kept; NULL to print it.
 * @host_ret: facts of the host, for wt_host_destroy(); NULL if the trace has none.
 *
 * Errors: no memory, the trace cannot be read.
 */
static struct wt_error *info_show_host(struct wt_cli_trace *trace, json_t *json,
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

#define SHOWN_WAVES 8
#define ALL_KEY 'a'

/* All waves of a stop that have a fault. They are shown in groups: see info_same_fault(). */
struct fault {
	struct wt_explain_wave *waves;
	size_t count, total;
	size_t unknown; /* waves of which nothing but the handle is here */
};

static void fault_deinit(struct fault *fault)
{
	for (size_t i = 0; i < fault->count; i++)
		wt_explain_wave_deinit(&fault->waves[i]);
	free(fault->waves);
}

/* The part of a state that the screen needs. Of a full GPU it is small: registers are of the waves with a fault alone. */
struct needs {
	uint64_t *waves; /* with a fault, in ascending order; NULL as long as they are not known */
	size_t wave_count;
	bool memory;		 /* global memory: of faults, and signals that queues wait for */
	uint32_t global;	 /* number of the name of global memory */
	uint32_t private, local; /* the same of the waves' own, where no wave has a fault; else 0 */
};

static bool is_needed(void *opaque, const struct wt_key *key)
{
	const struct needs *needs = opaque;

	switch (key->type) {
	case WT_ITEM_REGISTERS:
		return needs->waves && bsearch(&key->owner, needs->waves, needs->wave_count,
					       sizeof(key->owner), wt_compare_u64);
	case WT_ITEM_MEMORY:
		return needs->memory &&
		       (key->kind == needs->global || (needs->local && key->kind == needs->local) ||
			(needs->private && key->kind == needs->private &&
			 bsearch(&key->owner, needs->waves, needs->wave_count, sizeof(key->owner),
				 wt_compare_u64)));
	default:
		return true;
	}
}

/* View the stop again, with memory. */
static struct wt_error *view_memory(struct needs *needs, struct wt_view **view)
{
	struct wt_reader *reader = wt_view_reader(*view);
	uint32_t moment = wt_view_moment(*view)->number;

	needs->memory = true;
	needs->global = wt_reader_name_number(reader, "global");
	wt_reader_need(reader, is_needed, needs);
	wt_view_close(*view);
	*view = NULL;
	return wt_view_open(reader, moment, view);
}

/* Is a wave one of those that are looked at for a place, or in the workgroup of one that is shown? These may go round in a loop together. */
static bool places_need_wave(const struct wt_places *places, const struct wt_view *view,
			     uint64_t wave)
{
	uint64_t group =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP, 0);

	for (size_t i = 0; i < places->count && i < WT_INFO_PLACES; i++) {
		for (size_t j = 0; j < places->places[i].waves && j < WT_PLACE_SOME; j++)
			if (places->places[i].some[j] == wave)
				return true;
		if (group && wt_view_number_or(view, WT_OBJECT_WAVE, places->places[i].first,
					       AMD_DBGAPI_WAVE_INFO_WORKGROUP, 0) == group)
			return true;
	}
	return false;
}

/* If no wave has a fault, view the stop again with what shows for what the waves of each place wait. */
static struct wt_error *view_places(struct needs *needs, struct wt_view **view)
{
	struct wt_places places;
	struct wt_error *error = wt_places_find(*view, &places);
	const uint64_t *waves;
	size_t count = wt_view_objects(*view, WT_OBJECT_WAVE, &waves);

	if (error)
		return error;
	needs->waves = calloc(count ? count : 1, sizeof(*needs->waves));
	if (!needs->waves) {
		wt_places_deinit(&places);
		return &wt_error_no_memory;
	}
	for (size_t i = 0; i < count; i++)
		if (places_need_wave(&places, *view, waves[i]))
			needs->waves[needs->wave_count++] = waves[i];
	qsort(needs->waves, needs->wave_count, sizeof(*needs->waves), wt_compare_u64);
	wt_places_deinit(&places);
	needs->private = wt_reader_name_number(wt_view_reader(*view), "private_wave");
	needs->local = wt_reader_name_number(wt_view_reader(*view), "local");
	return view_memory(needs, view);
}

/* The waves with a fault in @view. Where there are any, view the stop again with what explains them. */
static struct wt_error *view_faults(struct needs *needs, struct wt_view **view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(*view, WT_OBJECT_WAVE, &waves);
	struct wt_waiting waiting;
	struct wt_error *error;

	if (!wt_view_has_fault(*view)) {
		error = wt_waiting_find(*view, NULL, &waiting);
		count = error ? 0 : waiting.count;
		if (!error)
			wt_waiting_deinit(&waiting);
		if (!error && wt_view_objects(*view, WT_OBJECT_WAVE, &waves))
			return view_places(needs, view);
		return count ? view_memory(needs, view) : error;
	}
	needs->waves = calloc(count, sizeof(*needs->waves));
	if (!needs->waves)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++)
		if (wt_view_wave_has_fault(*view, waves[i]))
			needs->waves[needs->wave_count++] = waves[i];
	qsort(needs->waves, needs->wave_count, sizeof(*needs->waves), wt_compare_u64);
	return view_memory(needs, view);
}

/** Explain every wave with a fault. */
static struct wt_error *collect_faults(struct wt_view *view, struct wt_explainer *explainer,
				       struct fault *fault)
{
	const uint64_t *waves;

	fault->total = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	fault->waves = calloc(fault->total ? fault->total : 1, sizeof(*fault->waves));
	if (!fault->waves)
		return &wt_error_no_memory;
	for (size_t i = 0; i < fault->total; i++) {
		struct wt_error *error;

		fault->unknown += !wt_view_exists(view, WT_OBJECT_WAVE, waves[i]);
		if (!wt_view_wave_has_fault(view, waves[i]))
			continue;
		error = wt_explain_wave(explainer, waves[i], &fault->waves[fault->count]);
		if (error)
			return error;
		fault->count++;
	}
	return NULL;
}

static bool info_same_fault(const struct wt_explain_wave *a, const struct wt_explain_wave *b)
{
	return a->reasons == b->reasons && a->code.address == b->code.address &&
	       a->certain == b->certain;
}

/* At the top stands what failed, wherever the wave was stopped. */
static void print_fault_head(const struct wt_cause *cause, uint32_t stop)
{
	const struct wt_explain_wave *wave = &cause->wave;
	const struct wavetape_place *code = wt_cause_code(cause);
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];

	putchar('\n');
	wt_cli_put_label(WT_CLI_RED, "crash");
	printf("%s in kernel ", wt_describe_reasons_plainly(wave->reasons, text));
	wt_cli_put(stdout, wt_cli_name(wave->kernel ? wave->kernel : "of unknown name", name));
	printf(" (stop %u)\n", stop);
	printf("at           ");
	if (code->file) {
		wt_cli_put(stdout, code->file);
		printf(":%u:%u, ", code->line, code->column);
	}
	/* Inlined code may stand in a header that the user has never seen. */
	if (code->call_file) {
		printf("from ");
		wt_cli_put(stdout, code->call_file);
		printf(":%d, ", code->call_line);
	}
	if (code->function) {
		wt_cli_put(stdout, code->function);
		printf("(), ");
	}
	if (code->symbol) {
		wt_cli_put(stdout, wt_cli_name(code->symbol, name));
		printf("+0x%" PRIx64 "\n", code->symbol_offset);
	} else {
		puts("no symbol");
	}
	printf("instruction  0x%" PRIx64 ": ", code->address);
	if (code->instruction)
		printf("%s%s%s%s\n", code->instruction, code->decoded_as ? " (decoded as " : "",
		       code->decoded_as ? code->decoded_as : "", code->decoded_as ? ")" : "");
	else if (code->instruction_bytes)
		printf("0x%08x (%s%s)\n", code->words[0],
		       code->not_decoded ? "not decoded: " : "no instruction of this architecture",
		       code->not_decoded ? code->not_decoded : "");
	else
		puts("the code was not recorded");
	if (wave->memory_fault && !cause->certain)
		puts("             which is not certain: without precise memory a fault may be of "
		     "an "
		     "earlier one");
}

/* An access where the wave was stopped says nothing of a wave that had gone on. */
static void print_fault_wave(const struct wt_explain_wave *wave, const struct wt_cause *cause)
{
	char text[WT_DESCRIBE_MAX];

	if (wave->wave == cause->wave.wave)
		wave = &cause->wave;

	printf("  w%-5" PRIu64 " %-12s ", wave->wave, wt_describe_coordinates(wave, text));
	if (wave->has_access && (!cause->late || wave == &cause->wave))
		printf("%s\n", wt_describe_access(wave, text));
	else
		printf("active lanes %s\n", wt_describe_lanes(wave->exec, text));
}

/** There is no fault, or no stop, in what is here; is that all there was? */
static void print_none(const char *label, const char *none, const struct wt_missing *unknown)
{
	char text[WT_MISSING_TEXT];

	if (unknown->count)
		printf("\n%-12s in what is here; the rest is not known: %s\n", label,
		       wt_missing_text(unknown, text));
	else
		printf("\n%-12s %s\n", label, none);
}

/* Is it the first of the waves that stopped there for that reason? */
static bool info_is_first_fault(const struct fault *fault, size_t position)
{
	for (size_t i = 0; i < position; i++)
		if (info_same_fault(&fault->waves[position], &fault->waves[i]))
			return false;
	return true;
}

/**
 * The cause of a fault, of the first of its waves or of another one.
 *
 * @first: the position of the first. @cause_ret: for the caller to wt_cause_deinit().
 */
static struct wt_error *fault_find_cause(const struct fault *fault, size_t first,
					 struct wt_explainer *explainer, struct wt_cause *cause_ret)
{
	uint64_t waves[WT_FAULT_WAVES];
	size_t count = 0;

	for (size_t i = first; i < fault->count && count < WT_FAULT_WAVES; i++)
		if (info_same_fault(&fault->waves[first], &fault->waves[i]))
			waves[count++] = fault->waves[i].wave;
	return wt_explain_fault(explainer, waves, count, UINT32_MAX, NULL, cause_ret);
}

/** The faults, grouped by instruction and reason, each with its first waves. */
static struct wt_error *print_faults(const struct fault *fault, struct wt_explainer *explainer,
				     const struct wt_source_maps *maps, uint32_t stop)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < fault->count && !error; i++) {
		struct wt_cause cause;
		size_t same = 0;

		if (!info_is_first_fault(fault, i))
			continue;
		error = fault_find_cause(fault, i, explainer, &cause);
		if (error)
			break;
		for (size_t j = i; j < fault->count; j++)
			same += info_same_fault(&fault->waves[i], &fault->waves[j]);
		print_fault_head(&cause, stop);
		error = wt_info_print_cause(explainer, &cause, maps);
		printf("waves        %zu of %zu stopped here\n", same, fault->total);
		for (size_t j = i, shown = 0; j < fault->count && shown < SHOWN_WAVES; j++)
			if (info_same_fault(&fault->waves[i], &fault->waves[j])) {
				print_fault_wave(&fault->waves[j], &cause);
				shown++;
			}
		if (same > SHOWN_WAVES)
			printf("  and %zu more: `wavetape waves` lists all\n", same - SHOWN_WAVES);
		wt_cause_deinit(&cause);
	}
	return error;
}

static json_t *faults_json(const struct fault *fault)
{
	json_t *array = json_array();

	for (size_t i = 0; i < fault->count; i++)
		json_array_append_new(array, wt_describe_wave_json(&fault->waves[i]));
	return array;
}

/* One for all waves that stopped at one place for one reason. */
static struct wt_error *explanations_json(const struct fault *fault, struct wt_explainer *explainer,
					  const struct wt_source_maps *maps, json_t *array)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < fault->count && !error; i++) {
		struct wt_cause cause;
		json_t *json;

		if (!info_is_first_fault(fault, i))
			continue;
		error = fault_find_cause(fault, i, explainer, &cause);
		if (error)
			break;
		/* The member "faults" says what the wave was doing. */
		json = json_pack("{s:I}", "wave", (json_int_t)cause.wave.wave);
		json_array_append_new(array, json);
		error = wt_info_cause_into(explainer, &cause, maps, json);
		wt_cause_deinit(&cause);
	}
	return error;
}

/* Notices of the recorder, in order: losses, what was left out. */
struct notices {
	struct wt_journal *journal;
	char **texts;
	size_t count, capacity;
	struct wt_losses losses;
	struct wt_error *error; /* which ended the reading */
	bool at_end;
};

static void notices_deinit(struct notices *notices)
{
	for (size_t i = 0; i < notices->count; i++)
		free(notices->texts[i]);
	free(notices->texts);
	wt_journal_close(notices->journal);
	wt_error_destroy(notices->error);
}

/* Keep a copy of a notice behind the others. Errors: no memory. */
static struct wt_error *notices_keep(struct notices *notices, const char *text)
{
	size_t capacity = notices->capacity ? notices->capacity * 2 : 16;
	char **texts;

	if (notices->count == notices->capacity) {
		texts = reallocarray(notices->texts, capacity, sizeof(*texts));
		if (!texts)
			return &wt_error_no_memory;
		notices->texts = texts;
		notices->capacity = capacity;
	}
	notices->texts[notices->count] = strdup(text);
	return notices->texts[notices->count++] ? NULL : &wt_error_no_memory;
}

/*
 * Read on in the journal, to a moment or, if there is none such, to the end.
 *
 * @opaque: the notices, since who walks through a trace calls it. What goes wrong is kept there.
 */
static void notices_read(void *opaque, uint32_t moment)
{
	struct notices *notices = opaque;
	const struct wt_journal_record *record;

	while (!notices->error && !notices->at_end) {
		notices->error = wt_journal_next(notices->journal, &record);
		if (notices->error)
			return;
		notices->at_end = !record;
		if (!record || (record->kind == WT_JOURNAL_MOMENT && record->moment >= moment))
			return;
		wt_losses_note(&notices->losses, record);
		if (record->kind == WT_JOURNAL_NOTICE && !record->notice_is_host)
			notices->error = notices_keep(notices, record->notice);
	}
}

/* Print them, or append them to @array. Errors: what went wrong while they were read. */
static struct wt_error *notices_show(struct notices *notices, json_t *array)
{
	for (size_t i = 0; i < notices->count; i++) {
		if (array) {
			json_array_append_new(array, wt_cli_json_text(notices->texts[i]));
			continue;
		}
		printf("notice       ");
		wt_cli_put(stdout, notices->texts[i]);
		putchar('\n');
	}
	return wt_take(notices->error);
}

/* Findings of the one walk through the trace. */
struct findings {
	const struct wt_source_maps *maps;
	bool all; /* that queues have run */
	struct needs needs;
	struct notices notices;
	struct wt_view *view;
	struct wt_error *view_error; /* in place of the view */
	uint32_t stop;
	struct wt_missing unknown; /* of the whole trace */
};

static void findings_deinit(struct findings *findings)
{
	free(findings->needs.waves);
	notices_deinit(&findings->notices);
	wt_view_close(findings->view);
	wt_error_destroy(findings->view_error);
}

/* A trace without stops has none to show. */
static void find_listed_stop(struct wt_cli_trace *trace, size_t count, struct findings *findings)
{
	if (count || trace->has_stop)
		findings->view_error = wt_cli_trace_view(trace, &findings->view, &findings->stop);
}

/* By what the trace repeats at its end. @done_ret: false if it does not, or that turned out to be wrong. */
static struct wt_error *take_lists(struct wt_cli_trace *trace, struct findings *findings,
				   bool *done_ret)
{
	size_t stop_count = 0, count = 0;
	const struct wt_listed_notice *notices = wt_reader_listed_notices(trace->reader, &count);
	struct wt_error *error = NULL;

	*done_ret = notices && wt_reader_listed_stops(trace->reader, &stop_count) &&
		    wt_stops_take_list(&trace->stops);
	if (!*done_ret)
		return NULL;
	find_listed_stop(trace, stop_count, findings);
	*done_ret = wt_reader_listed_notices(trace->reader, &count) != NULL;
	for (size_t i = 0; *done_ret && !error && i < count; i++) {
		wt_losses_add(&findings->notices.losses, notices[i].kind, notices[i].call);
		error = notices_keep(&findings->notices, notices[i].text);
	}
	if (!*done_ret) {
		findings_deinit(findings);
		*findings = (struct findings){.maps = findings->maps};
	}
	return error;
}

/** Find the stops, the one to show, and the notices. */
static struct wt_error *walk(struct wt_cli_trace *trace, struct findings *findings)
{
	struct wt_error *error = wt_journal_open(trace->reader, &findings->notices.journal);

	if (error)
		return error;
	trace->stops.beside = notices_read;
	trace->stops.opaque = &findings->notices;
	findings->view_error = wt_cli_trace_view(trace, &findings->view, &findings->stop);
	error = wt_stops_find(&trace->stops);
	trace->stops.beside = NULL;
	if (!error)
		notices_read(&findings->notices, UINT32_MAX);
	return error;
}

static void add_waves(const struct findings *findings, const struct fault *fault,
		      struct wt_missing *unknown)
{
	if (fault->unknown)
		snprintf(unknown->reasons[unknown->count++], WT_MISSING_MAX,
			 "the state of %zu %s at stop %u is not here", fault->unknown,
			 wt_plural(fault->unknown, "wave", "waves"), findings->stop);
}

/** Shows where the waves stand at a stop without a fault. */
static struct wt_error *show_places(const struct findings *findings, struct wt_explainer *explainer,
				    json_t *json)
{
	struct wt_places places;
	struct wt_error *error = wt_places_find(findings->view, &places);

	if (error)
		return error;
	error = wt_info_show_places(findings->view, explainer, &places, json);
	wt_places_deinit(&places);
	return error;
}

/** A stop without a fault. Where it was asked for, what else the trace may have had does not matter. */
static void print_no_fault(const struct wt_cli_trace *trace, const struct findings *findings,
			   const struct fault *fault)
{
	struct wt_missing unknown = {0};
	char none[64] = "no wave stopped for a fault";

	if (!trace->has_stop)
		unknown = findings->unknown;
	add_waves(findings, fault, &unknown);
	if (fault->total)
		snprintf(none, sizeof(none), "%zu %s, none stopped for a fault", fault->total,
			 wt_plural(fault->total, "wave", "waves"));
	print_none("no fault", none, &unknown);
}

/* In JSON alone: on the screen it counts only where the place of a fault is not certain. */
static void put_precision(const struct wt_view *view, json_t *json)
{
	uint32_t mode;

	if (wt_view_memory_precision(view, &mode))
		json_object_set_new(json, "memory_precision",
				    json_string(mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE
							? "PRECISE"
							: "NONE"));
}

/* Another library may know the GPU better, and print instructions in another way. */
static void print_decoder(void)
{
	const char *library = wt_disassembler_library();

	printf("             instructions by ");
	wt_cli_put(stdout, library ? library : "nothing that was found");
	putchar('\n');
}

static struct wt_error *put_stop(const struct wt_cli_trace *trace, struct findings *findings,
				 struct wt_explainer *explainer, const struct fault *fault,
				 const struct wt_queue_error *queue_error, json_t *json)
{
	struct wt_error *error;
	json_t *explanations;

	if (json) {
		add_waves(findings, fault, &findings->unknown);
		json_object_set_new(json, "not_known",
				    wt_describe_missing_json(&findings->unknown));
		json_object_set_new(json, "stop", json_integer(findings->stop));
		if (wt_view_processes(findings->view) > 1)
			json_object_set_new(
				json, "process",
				json_integer((json_int_t)wt_view_moment(findings->view)->process));
		json_object_set_new(json, "waves", json_integer((json_int_t)fault->total));
		put_precision(findings->view, json);
		wt_info_show_queue_error(queue_error, findings->stop, json);
		json_object_set_new(json, "faults", faults_json(fault));
		explanations = json_array();
		json_object_set_new(json, "explanations", explanations);
		if (fault->count && wt_disassembler_library())
			json_object_set_new(json, "decoder",
					    wt_cli_json_text(wt_disassembler_library()));
		return explanations_json(fault, explainer, findings->maps, explanations);
	}
	info_print_device(findings->view);
	if (fault->count)
		print_decoder();
	error = print_faults(fault, explainer, findings->maps, findings->stop);
	wt_info_show_queue_error(queue_error, findings->stop, NULL);
	if (!fault->count && !queue_error->there)
		print_no_fault(trace, findings, fault);
	return error;
}

/** The stop's part of the screen; a trace without stops has none. */
static struct wt_error *show_stop(const struct wt_cli_trace *trace, struct findings *findings,
				  json_t *json)
{
	struct wt_error *error = wt_take(findings->view_error);
	struct wt_explainer *explainer = NULL;
	struct fault fault = {0};
	struct wt_queue_error queue_error = {0};

	if (!error)
		error = view_faults(&findings->needs, &findings->view);
	/* The rest that is known of such a trace is worth a screen. */
	if (wt_error_is_loss(error)) {
		if (!json)
			puts("             the states of all stops are lost");
		return NULL;
	}
	if (!error)
		error = wt_explainer_create(findings->view, &explainer);
	if (!error)
		error = collect_faults(findings->view, explainer, &fault);
	if (!error)
		error = wt_queue_error_find(findings->view, explainer, &queue_error);
	if (!error)
		error = put_stop(trace, findings, explainer, &fault, &queue_error, json);
	if (!error && !fault.count)
		error = show_places(findings, explainer, json);
	if (!error)
		error = wt_info_show_queues(findings->view, explainer,
					    fault.count ? fault.waves[0].wave : 0, findings->all,
					    json);
	wt_queue_error_deinit(&queue_error);
	fault_deinit(&fault);
	wt_explainer_destroy(explainer);
	return error;
}

/* ---- What the kernel said ---- */

/* A page fault is told in nine lines. */
#define SHOWN_LINES 9u

static void info_print_kernel_log(const struct wt_host *host)
{
	size_t first =
		host->kernel_lines_count > SHOWN_LINES ? host->kernel_lines_count - SHOWN_LINES : 0;

	if (host->kernel_lines_count)
		printf("\nkernel log   %zu %s of AMD's GPUs since the program began%s\n",
		       host->kernel_lines_count,
		       wt_plural(host->kernel_lines_count, "line", "lines"),
		       first ? ", the last of which are (`wavetape host` has all):" : ":");
	for (size_t i = first; i < host->kernel_lines_count; i++) {
		printf("  ");
		wt_cli_put(stdout, host->kernel_lines[i].text);
		putchar('\n');
	}
	for (size_t i = 0; i < host->device_dumps_count; i++) {
		printf("device dump  ");
		wt_cli_put(stdout, host->device_dumps[i]);
		puts(", which the kernel keeps for minutes");
	}
}

/* Members of what `wavetape host --json` prints. */
static void put_kernel_log(const struct wt_host *host, json_t *json)
{
	static const char *const names[] = {"kernel_log", "device_dumps"};
	json_t *all = wt_host_json(host);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (json_object_get(all, names[i]))
			json_object_set(json, names[i], json_object_get(all, names[i]));
	json_decref(all);
}

static struct wt_error *show_findings(struct wt_cli_trace *trace, struct findings *findings,
				      json_t **json_ret)
{
	struct wt_trace_info info;
	struct wt_error *error = NULL;
	struct wt_host *host = NULL;
	json_t *notices = NULL;

	wt_reader_info(trace->reader, &info);
	wt_missing_find(trace->reader, &findings->notices.losses, &findings->unknown);
	if (trace->json) {
		notices = json_array();
		*json_ret = wt_info_head_json(trace->path, &info, &findings->unknown,
					      &trace->stops.count);
		json_object_set_new(*json_ret, "notices", notices);
	} else {
		info_print_trace(trace, &info, &findings->unknown);
	}
	error = info_show_host(trace, *json_ret, &host);
	if (error)
		return error;
	if (trace->stops.count || trace->has_stop)
		error = show_stop(trace, findings, *json_ret);
	else if (!trace->json)
		print_none("no stop", "nothing stopped while this was recorded",
			   &findings->unknown);
	if (!error && host && trace->json)
		put_kernel_log(host, *json_ret);
	else if (!error && host)
		info_print_kernel_log(host);
	wt_host_destroy(host);
	return error ? error : notices_show(&findings->notices, notices);
}

struct info_options {
	struct wt_source_maps maps;
	bool all;
};

static struct wt_error *info_show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	const struct info_options *wanted = options;
	struct findings findings = {.maps = &wanted->maps, .all = wanted->all};
	struct wt_error *error;
	bool listed;

	wt_reader_need(trace->reader, is_needed, &findings.needs);
	error = take_lists(trace, &findings, &listed);
	if (!listed) {
		wt_stops_forget(&trace->stops);
		error = walk(trace, &findings);
	}

	/* A --stop that the trace does not have: nothing is printed but the error. */
	if (!error && findings.view_error && findings.view_error->code == WT_ERROR_USAGE)
		error = wt_take(findings.view_error);
	if (!error)
		error = show_findings(trace, &findings, json_ret);
	wt_reader_need(trace->reader, NULL, NULL);
	findings_deinit(&findings);
	return error;
}

struct wt_error *wt_cli_info_json(struct wt_cli_trace *trace, struct wt_source_maps *maps,
				  json_t **json_ret)
{
	struct info_options options = {.maps = *maps};
	bool json = trace->json;
	struct wt_error *error;

	trace->json = true;
	error = info_show(trace, &options, json_ret);
	trace->json = json;
	return error;
}

struct wt_error *wt_cli_info_print(struct wt_cli_trace *trace, const struct wt_source_maps *maps)
{
	struct info_options options = {.maps = *maps};
	json_t *none = NULL;

	return info_show(trace, &options, &none);
}

static error_t info_parse_option(int key, char *argument, struct argp_state *state)
{
	struct info_options *options = state->input;

	if (key == ALL_KEY)
		options->all = true;
	else if (key == WT_CLI_SOURCE_MAP_KEY)
		wt_cli_take_source_map(state, &options->maps, argument);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int wt_command_info(int argc, char **argv)
{
	static const struct argp_option own[] = {
		WT_CLI_SOURCE_MAP_OPTION,
		{"all", ALL_KEY, NULL, 0,
		 "all that queues have run before, as far as it is known; otherwise what is next "
		 "to the kernel that failed",
		 0},
		{0}};
	static const struct wt_cli_verb verb = {
		.doc = "What a trace holds, on one screen: what was recorded, where, and the "
		       "crash: kernel, source line, reason, cause, arguments, waves, "
		       "lanes, addresses and instruction.",
		.stop = WT_CLI_STOP_HELP,
		.own = {.options = own, .parser = info_parse_option},
		.show = info_show,
	};
	struct wt_cli_trace trace = {0};
	struct info_options options = {.maps = {.count = 0}};

	return wt_cli_verb_run(&verb, argc, argv, &trace, &options);
}
