/* SPDX-License-Identifier: MIT */
/* `wavetape explain`: where the address came from that a faulting wave accessed, and what the cause is. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/function-names.h"
#include "cli/look/describe-cause.h"
#include "cli/look/show.h"
#include "cli/output.h"

struct options {
	uint64_t lane; /* UINT64_MAX: the first that failed */
	struct wt_source_maps maps;
	bool all; /* instructions that only move values, too */
};

static void explain_print_head(const struct wt_cause *cause, uint32_t stop)
{
	const struct wt_explain_wave *wave = &cause->wave;
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];

	printf("wave         w%" PRIu64 " %s of kernel ", wave->wave,
	       wt_describe_coordinates(wave, text));
	wt_cli_put(stdout, wt_cli_name(wave->kernel ? wave->kernel : "?", name));
	printf(", stop %u: %s\n", stop, wt_describe_reasons_plainly(wave->reasons, text));
	printf("at           ");
	wt_cli_put(stdout, wt_describe_code(&wave->code, text));
	if (wave->code.instruction)
		printf(": %s", wave->code.instruction);
	putchar('\n');
}

/* Is the address of the lane that is explained not known, though those of others are? */
static bool cause_lane_is_lost(const struct wt_cause *cause)
{
	return cause->late && !(cause->wave.access.lanes >> cause->lane & 1);
}

static struct wt_error *print_cause(const struct wt_view *view, const struct wt_cause *cause,
				    const struct options *options, uint32_t stop)
{
	char text[WT_DESCRIBE_MAX];
	struct wt_error *error;

	explain_print_head(cause, stop);
	wt_print_cause_late(cause);
	if (cause->wave.has_access && cause_lane_is_lost(cause))
		printf("access       lane %u %s %u bytes at an address that is not known\n",
		       cause->lane, cause->wave.access.write ? "stores" : "loads",
		       cause->wave.access.size);
	else if (cause->wave.has_access)
		printf("access       %s\n", wt_describe_access(&cause->wave, text));
	error = wt_print_source(view, &options->maps, wt_cause_code(cause));
	if (error)
		return error;
	wt_print_cause_sentence(cause);
	wt_print_cause_memory(cause);
	wt_print_arguments(&cause->arguments);
	wt_print_cause_near(cause);
	wt_print_cause_steps(cause, options->all);
	return NULL;
}

static struct wt_error *cause_json(const struct wt_view *view, const struct wt_cause *cause,
				   const struct options *options, json_t *array)
{
	json_t *json = wt_describe_wave_json(&cause->wave);

	wt_describe_cause_into(cause, true, json);
	json_array_append_new(array, json);
	return wt_describe_source_json(view, &options->maps, wt_cause_code(cause), json);
}

static bool explain_same_fault(const struct wt_view *view, uint64_t a, uint64_t b)
{
	static const uint32_t queries[] = {AMD_DBGAPI_WAVE_INFO_STOP_REASON,
					   AMD_DBGAPI_WAVE_INFO_PC};

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		if (wt_view_number_or(view, WT_OBJECT_WAVE, a, queries[i], 0) !=
		    wt_view_number_or(view, WT_OBJECT_WAVE, b, queries[i], 0))
			return false;
	return true;
}

/*
 * The first of several waves that stopped at the same instruction for the same reason stands for all.
 *
 * @firsts: those found so far, with room for one more.
 */
static bool explain_is_first_fault(const struct wt_view *view, uint64_t wave, uint64_t *firsts,
				   size_t *count)
{
	for (size_t i = 0; i < *count; i++)
		if (explain_same_fault(view, firsts[i], wave))
			return false;
	firsts[(*count)++] = wave;
	return true;
}

/* @waves: of one fault; the first counts alone if a lane of it was asked for. */
static struct wt_error *show_fault(struct wt_explainer *explainer, const struct options *options,
				   const uint64_t *waves, size_t count, uint32_t stop,
				   json_t *array)
{
	const struct wt_cause_limits limits = WT_CAUSE_LIMITS;
	const struct wt_view *view = wt_explainer_view(explainer);
	const bool any_lane = options->lane == UINT64_MAX;
	struct wt_cause cause;
	struct wt_error *error =
		wt_explain_fault(explainer, waves, any_lane ? count : 1,
				 any_lane ? UINT32_MAX : (uint32_t)options->lane, &limits, &cause);

	wt_progress_hide_for_text();
	if (error)
		return error;
	error = array ? cause_json(view, &cause, options, array)
		      : print_cause(view, &cause, options, stop);
	wt_cause_deinit(&cause);
	return error;
}

struct wt_error *wt_cli_explain_print(struct wt_explainer *explainer, uint64_t wave, uint32_t stop,
				      const struct wt_source_maps *maps)
{
	const struct options options = {.lane = UINT64_MAX, .maps = *maps};

	return show_fault(explainer, &options, &wave, 1, stop, NULL);
}

/* A wave, and those behind it that have the same fault. Return: how many of them, WT_FAULT_WAVES at most. */
static size_t explain_list_fault(const struct wt_view *view, const uint64_t *waves, size_t count,
				 uint64_t fault_ret[WT_FAULT_WAVES])
{
	size_t found = 0;

	fault_ret[found++] = waves[0];
	for (size_t i = 1; i < count && found < WT_FAULT_WAVES; i++)
		if (wt_view_wave_has_fault(view, waves[i]) &&
		    explain_same_fault(view, waves[0], waves[i]))
			fault_ret[found++] = waves[i];
	return found;
}

static struct wt_error *show_faults(struct wt_cli_trace *trace, struct wt_view *view,
				    const struct options *options, uint32_t stop, json_t *array)
{
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves), shown = 0, first_count = 0;
	wt_cleanup_free uint64_t *firsts = calloc(count + 1, sizeof(*firsts));

	if (!error && !firsts)
		error = &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		uint64_t fault[WT_FAULT_WAVES];
		size_t fault_count;

		if (trace->wave
			    ? waves[i] != trace->wave
			    : !wt_view_wave_has_fault(view, waves[i]) ||
				      !explain_is_first_fault(view, waves[i], firsts, &first_count))
			continue;
		if (shown++ && !array)
			putchar('\n');
		wt_progress_update(&trace->progress, "wave %zu of %zu", i + 1, count);
		fault_count =
			explain_list_fault(view, &waves[i], trace->wave ? 1 : count - i, fault);
		error = show_fault(explainer, options, fault, fault_count, stop, array);
	}
	wt_explainer_destroy(explainer);
	if (!error && !shown && trace->wave)
		error = wt_cli_no_wave("cannot explain", trace);
	if (!error && !shown && !array)
		printf("stop %u: no wave has a fault\n", stop);
	return error;
}

static struct wt_error *explain_show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	struct wt_view *view = NULL;
	json_t *array = NULL;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(trace, &view, &stop);

	if (!error && trace->json) {
		array = json_array();
		*json_ret = json_pack("{s:o}", "explanations", array);
	}
	if (!error)
		error = show_faults(trace, view, options, stop, array);
	wt_view_close(view);
	return error;
}

static error_t explain_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == WT_CLI_SOURCE_MAP_KEY) {
		wt_cli_take_source_map(state, &options->maps, argument);
		return 0;
	}
	if (key == 'a') {
		options->all = true;
		return 0;
	}
	if (key != 'l')
		return ARGP_ERR_UNKNOWN;
	if (!wt_cli_number(argument, &options->lane) || options->lane >= GFX_MAX_LANES)
		argp_error(state, "--lane: %s: not a lane from 0 to %d", argument,
			   GFX_MAX_LANES - 1);
	return 0;
}

int wt_command_explain(int argc, char **argv)
{
	static const struct argp_option own[] = {
		{"all", 'a', NULL, 0,
		 "show all instructions, also those that only move a value, and all that are of "
		 "one line",
		 0},
		{"lane", 'l', "N", 0,
		 "follow the address of lane N; without it, of the first one whose access failed",
		 0},
		WT_CLI_SOURCE_MAP_OPTION,
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "Say where the address came from that a faulting wave accessed: the "
		       "instructions that made it, with source lines and values, back to kernel "
		       "arguments, loads and work-item numbers; what it is near; and the cause in "
		       "one sentence, where that is certain.",
		.stop = WT_CLI_STOP_HELP,
		.wave = "explain wave N; without it, the first wave of each fault, or another of "
			"it whose cause is known",
		.own = {.options = own, .parser = explain_parse_option},
		.hides_progress = true,
		.show = explain_show,
	};
	struct options options = {.lane = UINT64_MAX};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, &options);
}
