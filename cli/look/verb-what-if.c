/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/facts.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "replayer/what-if/what-if.h"

#define MAX_CHANGES 64u
#define MAX_SHOWN 20u /* differences, and waves, as text */
#define SHOWN_BYTES 16u

struct options {
	struct wt_cli_trace trace;
	struct wt_what_if_options run;
	uint64_t lane;
	bool has_lane;
	const char *changes[MAX_CHANGES];
	size_t change_count;
	/* While it is shown: */
	struct wt_explainer *explainer;
	struct wt_view *view;
	struct wt_what_if *what_if;
	struct wt_what_if_summary summary;
};

enum { KEY_SET = 0x100, KEY_SEED, KEY_INSTRUCTIONS, KEY_SECONDS };

static const struct argp_option what_if_options[] = {
	{"set", KEY_SET, "WHAT=VALUE", 0,
	 "change a register (v3=0, v3[5]=0 in lane 5, s[4:5]=0x7f00), memory (0x7f0012345678:8=1, "
	 "`local 0x40=1`, `private 16:8=1`) or a variable (i=5, p->x=1.5); may be given several "
	 "times",
	 0},
	{"lane", 'l', "LANE", 0,
	 "in this lane (default: in all that are active) of vector registers, variables and "
	 "private memory",
	 0},
	{"seed", KEY_SEED, "N", 0,
	 "draw the order in which waves take turns from this number (default: in order)", 0},
	{"instructions", KEY_INSTRUCTIONS, "N", 0,
	 "execute no more instructions (default 100000000)", 0},
	{"seconds", KEY_SECONDS, "N", 0, "run no longer (default 20)", 0},
	{0},
};

static void what_if_number(const char *name, const char *argument, uint64_t most,
			   uint64_t *number_ret, struct argp_state *state)
{
	if (!wt_cli_number(argument, number_ret) || *number_ret > most)
		argp_error(state, "--%s takes a number up to %" PRIu64 ", not '%s'", name, most,
			   argument);
}

static error_t what_if_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_SET:
		if (options->change_count == MAX_CHANGES)
			argp_error(state, "--set can be given %u times", MAX_CHANGES);
		options->changes[options->change_count++] = argument;
		return 0;
	case 'l':
		what_if_number("lane", argument, 63, &options->lane, state);
		options->has_lane = true;
		return 0;
	case KEY_SEED:
		what_if_number("seed", argument, INT64_MAX, &options->run.seed, state);
		return 0;
	case KEY_INSTRUCTIONS:
		what_if_number("instructions", argument, INT64_MAX, &options->run.instructions,
			       state);
		return 0;
	case KEY_SECONDS:
		what_if_number("seconds", argument, 86400, &options->run.seconds, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- Waves ---- */

/* The place of an address, for wt_explain_code_deinit(). */
static struct wt_error *place_of(const struct options *options, uint64_t address,
				 struct wavetape_place *place_ret)
{
	return wt_explain_address(
		options->explainer,
		wt_view_architecture(options->view, WT_OBJECT_WAVE, options->trace.wave), address,
		place_ret);
}

static struct wt_error *outcome_json(const struct options *options,
				     const struct wt_what_if_outcome *outcome, json_t **json_ret)
{
	struct wavetape_place place;
	struct wt_error *error = NULL;
	json_t *code = NULL;

	if (outcome->end != WT_WHAT_IF_ENDED) {
		error = place_of(options, outcome->pc, &place);
		if (error)
			return error;
		code = wt_describe_code_json(&place);
		wt_explain_code_deinit(&place);
	}
	*json_ret = wt_what_if_outcome_facts_json(outcome, code);
	return NULL;
}

static struct wt_error *wave_json(const struct options *options, const struct wt_what_if_wave *wave,
				  json_t **json_ret)
{
	struct wt_error *error = NULL;
	json_t *outcome = NULL, *without = NULL;

	if (wave->in_changed)
		error = outcome_json(options, &wave->changed, &outcome);
	if (wave->in_plain && !error)
		error = outcome_json(options, &wave->plain, &without);
	*json_ret = wt_what_if_wave_facts_json(wave, outcome, without);
	return error;
}

/* "stopped: memory violation at fill.c:12 in fill: loads 0x1000 (lanes 0-3)". */
static struct wt_error *outcome_print(const struct options *options,
				      const struct wt_what_if_outcome *outcome, bool begun)
{
	char text[WT_DESCRIBE_MAX];
	struct wavetape_place place;
	struct wt_error *error;

	if (!begun) {
		printf("not begun");
		return NULL;
	}
	printf("%s", wt_what_if_end_name(outcome->end));
	if (outcome->end == WT_WHAT_IF_ENDED)
		return NULL;
	if (outcome->end == WT_WHAT_IF_STOPPED)
		printf(": %s", wt_describe_reasons_plainly(outcome->reasons, text));
	error = place_of(options, outcome->pc, &place);
	if (error)
		return error;
	printf(" at ");
	wt_cli_put(stdout, wt_describe_code(&place, text));
	wt_explain_code_deinit(&place);
	if (outcome->has_address && outcome->end == WT_WHAT_IF_STOPPED)
		printf(": %s 0x%" PRIx64 ", lanes %s", outcome->write ? "stores to" : "loads from",
		       outcome->address, wt_describe_lanes(outcome->lanes, text));
	if (outcome->why && outcome->end == WT_WHAT_IF_STOPPED)
		printf(" (%s)", outcome->why);
	return NULL;
}

static struct wt_error *wave_print(const struct options *options,
				   const struct wt_what_if_wave *wave)
{
	char text[WT_DESCRIBE_MAX];
	struct wt_error *error;

	if (wave->wave)
		printf("  w%" PRIu64 " ", wave->wave);
	else
		printf("  new ");
	printf("%s: ", wt_describe_place(wave->workgroup, wave->number_in_workgroup, text));
	error = outcome_print(options, &wave->changed, wave->in_changed);
	if (!error && wave->differs) {
		printf("; without the change ");
		error = outcome_print(options, &wave->plain, wave->in_plain);
	}
	putchar('\n');
	return error;
}

/* Waves that ended, as they did without the changes, are counted alone. */
static struct wt_error *waves_print(const struct options *options)
{
	const struct wt_what_if_summary *summary = &options->summary;
	static const char *const words[] = {
		[WT_WHAT_IF_ENDED] = "",
		[WT_WHAT_IF_STOPPED] = "stopped",
		[WT_WHAT_IF_HALTED] = "halted",
		[WT_WHAT_IF_WAITS] = "waiting at a barrier",
		[WT_WHAT_IF_RUNS] = "still running",
	};
	size_t total = summary->waves + summary->begun, counts[WT_WHAT_IF_RUNS + 1] = {0};
	size_t shown = 0, left = 0;
	struct wt_error *error = NULL;
	struct wt_what_if_wave wave;

	for (size_t i = 0; i < total; i++) {
		wt_what_if_wave(options->what_if, i, &wave);
		if (wave.in_changed)
			counts[wave.changed.end]++;
	}
	printf("waves: %zu ended", counts[WT_WHAT_IF_ENDED]);
	for (size_t end = WT_WHAT_IF_STOPPED; end <= WT_WHAT_IF_RUNS; end++)
		if (counts[end])
			printf(", %zu %s", counts[end], words[end]);
	printf("; %" PRIu64 " instruction%s%s\n", summary->instructions,
	       summary->instructions == 1 ? "" : "s",
	       summary->limit_reached ? ", which is the limit" : "");
	for (size_t i = 0; i < total && !error; i++) {
		wt_what_if_wave(options->what_if, i, &wave);
		if (!wave.differs && (!wave.in_changed || wave.changed.end == WT_WHAT_IF_ENDED))
			continue;
		if (shown++ < MAX_SHOWN)
			error = wave_print(options, &wave);
		else
			left++;
	}
	if (left)
		printf("  and %zu more: --json has all\n", left);
	return error;
}

/* ---- Memory ---- */

static struct wt_error *put_differences_json(const struct options *options, json_t *array)
{
	for (size_t i = 0; i < options->summary.differences; i++) {
		struct wt_what_if_difference difference;
		wt_cleanup_free char *whose = NULL;
		struct wt_error *error;

		wt_what_if_difference(options->what_if, i, &difference);
		error = wt_what_if_whose(options->what_if, difference.address, &whose);
		if (error)
			return error;
		json_array_append_new(array,
				      wt_what_if_difference_facts_json(
					      &difference, whose ? wt_cli_json_text(whose) : NULL));
	}
	return NULL;
}

static void bytes_print(const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size && i < SHOWN_BYTES; i++)
		printf("%s%02x", i && !(i % 4) ? " " : "", bytes[i]);
	if (size > SHOWN_BYTES)
		printf(" ..");
}

static struct wt_error *difference_print(const struct options *options,
					 const struct wt_what_if_difference *difference)
{
	wt_cleanup_free char *whose = NULL;
	struct wt_error *error = wt_what_if_whose(options->what_if, difference->address, &whose);

	if (error)
		return error;
	printf("  0x%" PRIx64 " +%" PRIu64 "  ", difference->address, difference->size);
	bytes_print(difference->recorded, difference->size);
	printf(" -> ");
	bytes_print(difference->changed, difference->size);
	if (difference->from_plain) {
		printf("; without the change ");
		bytes_print(difference->plain, difference->size);
	}
	if (whose) {
		printf("; ");
		wt_cli_put(stdout, whose);
	}
	putchar('\n');
	return NULL;
}

static struct wt_error *memory_print(const struct options *options)
{
	const struct wt_what_if_summary *summary = &options->summary;
	struct wt_error *error = NULL;

	printf("memory: %" PRIu64 " byte%s from the recording", summary->from_recording,
	       summary->from_recording == 1 ? " differs" : "s differ");
	if (options->change_count && !summary->plain_why_not)
		printf(", %" PRIu64 " from what comes without the change", summary->from_plain);
	putchar('\n');
	for (size_t i = 0; i < summary->differences && i < MAX_SHOWN && !error; i++) {
		struct wt_what_if_difference difference;

		wt_what_if_difference(options->what_if, i, &difference);
		error = difference_print(options, &difference);
	}
	if (summary->differences > MAX_SHOWN)
		printf("  and %zu more: --json has all\n", summary->differences - MAX_SHOWN);
	return error;
}

/* ---- All of it ---- */

static struct wt_error *what_if_put(const struct options *options, uint32_t stop)
{
	const struct wt_what_if_summary *summary = &options->summary;
	struct wt_error *error;

	printf("what if from stop %u on", stop);
	for (size_t i = 0; i < options->change_count; i++) {
		printf("%s", i ? ", " : ": ");
		wt_cli_put(stdout, options->changes[i]);
	}
	if (options->change_count)
		printf(" in wave w%" PRIu64, options->trace.wave);
	putchar('\n');
	printf("dispatch %" PRIu64 ", kernel ", summary->dispatch);
	wt_cli_put(stdout, summary->kernel ? summary->kernel : "?");
	printf(": %zu wave%s of the stop", summary->waves, summary->waves == 1 ? "" : "s");
	if (summary->not_begun)
		printf(", and %" PRIu64 " workgroup%s supposed not to have begun",
		       summary->not_begun, summary->not_begun == 1 ? ", which is" : "s, which are");
	if (summary->seed)
		printf("; turns by seed %" PRIu64, summary->seed);
	putchar('\n');
	if (summary->others)
		printf("%zu other dispatch%s stood still\n", summary->others,
		       summary->others == 1 ? "" : "es");
	if (summary->plain_why_not) {
		printf("without the change: ");
		wt_cli_put(stdout, summary->plain_why_not);
		putchar('\n');
	}
	error = waves_print(options);
	return error ? error : memory_print(options);
}

static struct wt_error *what_if_put_json(const struct options *options, uint32_t stop,
					 json_t **json_ret)
{
	const struct wt_what_if_summary *summary = &options->summary;
	json_t *waves = json_array(), *differences = json_array(), *changes = json_array();
	struct wt_error *error = NULL;

	for (size_t i = 0; i < options->change_count; i++)
		json_array_append_new(changes, wt_cli_json_text(options->changes[i]));
	for (size_t i = 0; i < summary->waves + summary->begun && !error; i++) {
		struct wt_what_if_wave wave;
		json_t *json = NULL;

		wt_what_if_wave(options->what_if, i, &wave);
		error = wave_json(options, &wave, &json);
		json_array_append_new(waves, json);
	}
	if (!error)
		error = put_differences_json(options, differences);
	*json_ret = wt_what_if_facts_json(summary, json_integer(stop),
					  json_integer((json_int_t)options->trace.wave), changes,
					  waves, differences);
	return error;
}

static struct wt_error *what_if_run(struct options *options)
{
	struct wt_error *error = wt_what_if_create(options->explainer, options->trace.wave,
						   &options->run, &options->what_if);

	for (size_t i = 0; i < options->change_count && !error; i++)
		error = wt_what_if_set(options->what_if, options->changes[i],
				       options->has_lane ? (uint32_t)options->lane : UINT32_MAX);
	if (!error)
		error = wt_what_if_run(options->what_if);
	if (!error)
		wt_what_if_summary(options->what_if, &options->summary);
	return error;
}

static struct wt_error *what_if_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(trace, &options->view, &stop);

	if (!error)
		error = wt_cli_choose_wave("cannot go on", trace, options->view);
	if (!error)
		error = wt_explainer_create(options->view, &options->explainer);
	if (!error) {
		error = what_if_run(options);
		error = error ? wt_error_prefix(error, trace->path) : NULL;
	}
	if (!error)
		error = trace->json ? what_if_put_json(options, stop, json_ret)
				    : what_if_put(options, stop);
	wt_what_if_destroy(options->what_if);
	wt_explainer_destroy(options->explainer);
	wt_view_close(options->view);
	return error;
}

int wt_command_what_if(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.arguments = "FILE",
		.doc = "Let the dispatch of a wave go on from a stop, with values that are "
		       "changed, "
		       "on the simulated GPU over a copy of the recorded memory, and print what "
		       "comes out: how each wave ends, and which memory differs from the recording "
		       "and from what comes without the changes. The trace stays as it is. All "
		       "that the waves touch must be recorded: `record` with `--waves all` and a "
		       "large `--memory`.",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.own = {.options = what_if_options, .parser = what_if_parse},
		.show = what_if_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
