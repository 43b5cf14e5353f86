/* SPDX-License-Identifier: MIT */
/* `wavetape waves`: the waves at a stop, and where each stands. */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/output.h"

static void print_wave(const struct wt_explain_wave *wave)
{
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];

	printf("w%-5" PRIu64 " %-14s ", wave->wave, wt_describe_coordinates(wave, text));
	wt_cli_put_padded(wt_cli_name(wave->kernel ? wave->kernel : "?", name), 12);
	if (wave->state != WAVETAPE_WAVE_STOPPED) {
		printf(" %s\n", wt_wave_state_name(wave->state));
		return;
	}
	putchar(' ');
	wt_wave_facts_print(&wave->facts);
	printf("\n       %s\n", wt_describe_code(&wave->code, text));
}

static void waves_print_head(const struct wt_view *view, uint32_t stop, size_t count)
{
	printf("stop %u", stop);
	if (wt_view_processes(view) > 1)
		printf(", process %" PRIu64, wt_view_moment(view)->process);
	printf(": %zu %s\n", count, wt_plural(count, "wave", "waves"));
}

/* Do the texts of the code that was described last belong to a wave? */
static bool wave_holds_code(const struct wt_explain_wave *wave,
			    const struct wt_described_code *described)
{
	return described->json && described->code.instruction == wave->code.instruction &&
	       described->code.not_decoded == wave->code.not_decoded;
}

static struct wt_error *show_waves(struct wt_explainer *explainer, const uint64_t *waves,
				   size_t count, json_t *array)
{
	struct wt_explain_wave wave, holder = {0};
	struct wt_described_code code = {0};
	struct wt_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++) {
		error = wt_explain_wave(explainer, waves[i], &wave);
		if (error)
			break;
		if (array)
			json_array_append_new(array, wt_describe_next_wave_json(&wave, &code));
		else
			print_wave(&wave);
		if (wave_holds_code(&wave, &code)) {
			wt_explain_wave_deinit(&holder);
			holder = wave;
		} else {
			wt_explain_wave_deinit(&wave);
		}
	}
	wt_explain_wave_deinit(&holder);
	json_decref(code.json);
	return error;
}

static json_t *waves_list_json(const struct wt_view *view, json_t *array)
{
	json_t *json = json_pack("{s:o}", "waves", array);

	if (wt_view_processes(view) > 1)
		json_object_set_new(json, "process",
				    json_integer((json_int_t)wt_view_moment(view)->process));
	return json;
}

static struct wt_error *show_view(const struct wt_cli_trace *trace, struct wt_view *view,
				  uint32_t stop, json_t **json_ret)
{
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);
	json_t *array = NULL;
	const uint64_t *waves;
	size_t count;

	if (error)
		return error;
	count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	if (trace->json) {
		array = json_array();
		*json_ret = waves_list_json(view, array);
	} else {
		wt_explainer_leave_text_out(explainer);
		waves_print_head(view, stop, count);
	}
	error = show_waves(explainer, waves, count, array);
	wt_explainer_destroy(explainer);
	return error;
}

static struct wt_error *waves_show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	struct wt_view *view = NULL;
	struct wt_error *error;
	uint32_t stop;

	(void)options;
	/* JSON says more than the text of waves with a fault: what they did, which takes their registers. */
	wt_cli_trace_need_no_registers(trace, trace->json);
	error = wt_cli_trace_view(trace, &view, &stop);
	if (!error)
		error = show_view(trace, view, stop, json_ret);
	wt_view_close(view);
	return error;
}

int wt_command_waves(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.doc = "List the waves at a stop: workgroup coordinates and number in the "
		       "workgroup, kernel, why it stopped, active lanes, pc and source line.",
		.stop = WT_CLI_STOP_HELP,
		.show = waves_show,
	};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, NULL);
}
