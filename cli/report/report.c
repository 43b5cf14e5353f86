/* SPDX-License-Identifier: MIT */
/* `wavetape report`: what of a trace goes into a page, in which order, and where to. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/look/show.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "recorder/recording/options.h"

#define CANNOT_WRITE "cannot write the report"
#define DEFAULT_SIZE (UINT64_C(5) * 1000 * 1000) /* what people can send to each other */
#define LEAST_SIZE (UINT64_C(256) * 1024)
#define MOST_SIZE (UINT64_C(1) << 30) /* browsers fail far below that */
#define KEPT_SIZE (64 * 1024)	      /* for what comes last */
#define MOST_EXPLANATIONS 16

struct options {
	struct wt_cli_trace trace;
	struct wt_source_maps maps;
	uint64_t max_size;
};

void wt_report_leave_out(struct wt_report *report, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	json_array_append_new(report->left_out, json_vsprintf(format, arguments));
	va_end(arguments);
}

/* ---- What every page has ---- */

static json_t *fault_reasons(void)
{
	json_t *names = json_array();
	char text[WT_DESCRIBE_MAX];

	for (uint32_t left = WT_FAULT_REASONS; left; left &= left - 1)
		json_array_append_new(names, json_string(wt_describe_reasons(left & -left, text)));
	return names;
}

/* Add to an explanation what `info` says of its wave. */
static void explanation_add_wave(json_t *explanation, const json_t *faults)
{
	const json_t *wave = json_object_get(explanation, "wave");
	json_t *fault;
	size_t i;

	json_array_foreach(faults, i, fault) if (json_equal(json_object_get(fault, "wave"), wave))
		json_object_update_missing(explanation, fault);
}

/* `info`, but of its waves with a fault those that are explained alone: the map has all. */
static struct wt_error *report_add_head(struct wt_report *report, json_t *info)
{
	json_t *explanations = json_object_get(info, "explanations");
	size_t count = json_array_size(explanations);
	const char *slash = strrchr(report->trace->path, '/');

	for (size_t i = 0; i < count && i < MOST_EXPLANATIONS; i++)
		explanation_add_wave(json_array_get(explanations, i),
				     json_object_get(info, "faults"));
	json_object_set_new(
		info, "faults",
		json_integer((json_int_t)json_array_size(json_object_get(info, "faults"))));
	while (json_array_size(explanations) > MOST_EXPLANATIONS)
		json_array_remove(explanations, MOST_EXPLANATIONS);
	if (count > MOST_EXPLANATIONS)
		wt_report_leave_out(report, "the explanations of %zu of %zu faults",
				    count - MOST_EXPLANATIONS, count);
	json_object_set_new(info, "name",
			    wt_cli_json_text(slash ? slash + 1 : report->trace->path));
	json_object_set_new(info, "fault_reasons", fault_reasons());
	json_object_set_new(info, "wavetape", json_string(WT_VERSION));
	return wt_report_page_must_add(&report->page, "head", json_incref(info));
}

/* Bytes that are left of @room after all that was added since the page had @before bytes. */
static size_t report_room_left(size_t room, const struct wt_report *report, size_t before)
{
	size_t taken = report->page.bytes.size - before;

	return room > taken ? room - taken : 0;
}

/* ---- Waves ---- */

/* Add waves of a stop that are in this state and are not in the page yet, as long as they fit. */
static struct wt_error *report_add_waves(struct wt_report *report, struct wt_report_stop *stop,
					 enum wt_report_state state, bool firsts, size_t room)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < stop->wave_count; i++) {
		struct wt_report_wave *wave = &stop->waves[i];
		size_t before = report->page.bytes.size;

		if (wave->in_page || wave->state != state || (firsts && !wave->is_first))
			continue;
		error = wt_report_add_wave(report, stop, wave, room);
		if (!error && !wave->in_page)
			break;
		room = report_room_left(room, report, before);
	}
	return error;
}

/* Add one wave of each place. */
static struct wt_error *report_add_first_waves(struct wt_report *report,
					       struct wt_report_stop *stop, size_t room)
{
	size_t begin = report->page.bytes.size;
	struct wt_error *error = NULL;

	for (int state = WT_REPORT_FAULT; !error && state >= WT_REPORT_STOPPED; state--)
		error = report_add_waves(report, stop, (enum wt_report_state)state, true,
					 report_room_left(room, report, begin));
	return error;
}

static void report_name_left_out_waves(struct wt_report *report, const struct wt_report_stop *stop)
{
	size_t stopped = 0, in_page = 0;

	for (size_t i = 0; i < stop->wave_count; i++) {
		stopped += stop->waves[i].state >= WT_REPORT_STOPPED;
		in_page += stop->waves[i].in_page;
	}
	if (in_page < stopped)
		wt_report_leave_out(report,
				    "registers and variables of %zu of %zu stopped waves of stop "
				    "%u",
				    stopped - in_page, stopped, stop->number);
}

static struct wt_error *report_add_all_waves(struct wt_report *report, struct wt_report_stop *stop,
					     size_t kept)
{
	struct wt_error *error = NULL;
	size_t room = wt_report_page_room(&report->page);
	size_t most = room > kept ? room - kept : 0, begin = report->page.bytes.size;

	for (int state = WT_REPORT_FAULT; !error && state >= WT_REPORT_STOPPED; state--)
		error = report_add_waves(report, stop, (enum wt_report_state)state, false,
					 report_room_left(most, report, begin));
	return error;
}

/* ---- Stops ---- */

/* The most that a kind of block may take of the page, in percent. */
enum { STOPS = 8, MAP = 30, HOST = 5, FIRST_WAVES = 20, MEMORY = 20, JOURNAL = 12, OTHERS = 20 };

static struct wt_error *report_add_other_stop(struct wt_report *report, uint32_t number,
					      size_t room, bool *added_ret)
{
	struct wt_report_stop stop = {0};
	struct wt_error *error = wt_report_stop_open(report, number, &stop);
	size_t before = report->page.bytes.size;

	/* The list of stops says that its state is lost. */
	*added_ret = error != NULL;
	if (error)
		return wt_error_is_loss(error) ? NULL : error;
	error = wt_report_add_map(report, &stop, room, added_ret);
	room = report_room_left(room, report, before);
	if (!error && *added_ret)
		error = report_add_first_waves(report, &stop, room);
	wt_report_stop_close(&stop);
	return error;
}

/* The nearest first. */
static struct wt_error *report_add_other_stops(struct wt_report *report, uint32_t number)
{
	uint32_t count = report->trace->stops.count, left = 0;
	size_t room = wt_report_page_share(&report->page, OTHERS);
	struct wt_error *error = NULL;
	bool is_full = false;

	for (uint32_t away = 1; !error && away < count; away++) {
		const uint32_t both[] = {number > away ? number - away : 0,
					 away <= count - number ? number + away : 0};

		for (size_t i = 0; !error && i < 2; i++) {
			size_t before = report->page.bytes.size;
			bool added = false;

			if (!both[i])
				continue;
			if (!is_full)
				error = report_add_other_stop(report, both[i], room, &added);
			is_full |= !added;
			left += !added;
			room = report_room_left(room, report, before);
		}
	}
	if (!error && left)
		wt_report_leave_out(report, "the waves of %u of %u stops", left, count);
	return error;
}

/*
 * All of the stop that is shown first; others before the many waves that are as the first ones; of the journal as much as is
 * left room for, and some in any case.
 */
static struct wt_error *report_add_stop(struct wt_report *report, struct wt_report_stop *stop)
{
	struct wt_report_page *page = &report->page;
	uint64_t call = wt_view_moment(stop->view)->call;
	bool added;
	struct wt_error *error =
		wt_report_add_map(report, stop, wt_report_page_share(page, MAP), &added);

	if (!error)
		error = report_add_first_waves(report, stop,
					       wt_report_page_share(page, FIRST_WAVES));
	if (!error)
		error = wt_report_add_memory(report, stop, wt_report_page_share(page, MEMORY));
	if (!error)
		error = report_add_other_stops(report, stop->number);
	if (!error)
		error = report_add_all_waves(report, stop, wt_report_page_share(page, JOURNAL));
	if (!error)
		report_name_left_out_waves(report, stop);
	if (!error)
		error = wt_report_add_journal(report, call, wt_report_page_room(page));
	return error;
}

static struct wt_error *report_add_all_stops(struct wt_report *report, const json_t *info)
{
	uint32_t number = (uint32_t)json_integer_value(json_object_get(info, "stop"));
	struct wt_report_stop stop = {0};
	struct wt_error *error;

	if (number && number <= report->trace->stops.count) {
		error = wt_report_stop_open(report, number, &stop);
		if (!error) {
			error = report_add_stop(report, &stop);
			wt_report_stop_close(&stop);
			return error;
		}
		if (!wt_error_is_loss(error))
			return error;
	}
	return wt_report_add_journal(report, 0, wt_report_page_room(&report->page));
}

/* ---- The page ---- */

static struct wt_error *report_fill(struct wt_report *report, json_t *stops, json_t *info)
{
	uint32_t number = (uint32_t)json_integer_value(json_object_get(info, "stop"));
	struct wt_error *error = report_add_head(report, info);

	if (!error)
		error = wt_report_add_stops(report, json_incref(stops), number,
					    wt_report_page_share(&report->page, STOPS));
	if (!error)
		error = wt_report_add_host(report, wt_report_page_share(&report->page, HOST));
	if (!error)
		error = report_add_all_stops(report, info);
	if (!error)
		error = wt_report_add_registers(report);
	if (!error)
		error = wt_report_add_missing(report);
	return error ? error : wt_report_page_end(&report->page);
}

static void report_print_result(const struct wt_report *report)
{
	const json_t *sentence;
	size_t i;

	wt_cli_put(stdout, report->trace->output);
	printf(": %zu bytes\n", report->page.bytes.size);
	json_array_foreach(report->left_out, i, sentence)
	{
		printf("left out for its size: ");
		wt_cli_put(stdout, json_string_value(sentence));
		putchar('\n');
	}
}

static struct wt_error *report_write_page(struct wt_report *report, json_t **json_ret)
{
	const struct wt_buffer *bytes = &report->page.bytes;
	struct wt_error *error =
		wt_cli_write_file(CANNOT_WRITE, report->trace->output, bytes->data, bytes->size);

	if (error)
		return error;
	if (report->trace->json)
		*json_ret = json_pack("{s:o, s:I, s:O}", "written",
				      wt_cli_json_text(report->trace->output), "bytes",
				      (json_int_t)bytes->size, "left_out", report->left_out);
	else
		report_print_result(report);
	return NULL;
}

static struct wt_error *report_run(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	struct wt_report report = {.trace = trace,
				   .maps = &options->maps,
				   .left_out = json_array(),
				   .shared = json_object()};
	json_t *stops = NULL, *info = NULL;
	struct wt_error *error = wt_cli_check_output(CANNOT_WRITE, trace->output, trace->path,
						     "the trace that is read");

	wt_report_page_init(&report.page, (size_t)options->max_size, KEPT_SIZE);
	if (!error)
		error = wt_cli_stops_json(trace, &stops);
	if (!error)
		error = wt_cli_info_json(trace, &options->maps, &info);
	if (!error)
		error = report_fill(&report, stops, info);
	if (!error)
		error = report_write_page(&report, json_ret);
	json_decref(info);
	json_decref(stops);
	json_decref(report.shared);
	json_decref(report.left_out);
	free(report.registers);
	free(report.codes);
	wt_report_page_deinit(&report.page);
	return error;
}

static error_t report_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'm':
		if (!wt_options_size(argument, &options->max_size) ||
		    options->max_size < LEAST_SIZE || options->max_size > MOST_SIZE)
			argp_error(state, "--max-size takes 256K to 1G, not '%s'", argument);
		return 0;
	case WT_CLI_SOURCE_MAP_KEY:
		wt_cli_take_source_map(state, &options->maps, argument);
		return 0;
	case ARGP_KEY_END:
		if (!options->trace.output)
			argp_error(state, "where to? Name a file with --output");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int wt_command_report(int argc, char **argv)
{
	static const struct argp_option own[] = {
		{"max-size", 'm', "SIZE", 0,
		 "leave out what makes the page larger than SIZE, 256K to 1G (default: 5 million "
		 "bytes); the page names it",
		 0},
		WT_CLI_SOURCE_MAP_OPTION,
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "FILE -o OUT.html",
		.doc = "Write a page for a browser that shows a trace: the crash, a map of all "
		       "waves, registers, variables, code, memory, stops, the journal and the "
		       "host. It is one file that needs no network, and no wavetape where it is "
		       "read.",
		.stop = WT_CLI_STOP_HELP,
		.output = "write the page to OUT, in place of a file that is there",
		.own = {.options = own, .parser = report_parse_option},
		.show = report_run,
	};
	struct options options = {.max_size = DEFAULT_SIZE};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
