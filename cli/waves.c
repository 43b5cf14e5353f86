/* SPDX-License-Identifier: MIT */
/* `wavetape waves`: the waves at a stop, and where each stands. */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"

static void print_wave(const struct wt_explain_wave *wave)
{
	char text[WT_DESCRIBE_MAX];

	printf("w%-5" PRIu64 " %-14s ", wave->wave, wt_describe_coordinates(wave, text));
	wt_cli_put_padded(wave->kernel ? wave->kernel : "?", 12);
	if (!wave->stopped) {
		printf(" %s\n", wt_describe_wave_state(wave));
		return;
	}
	printf(" %s, exec 0x%016" PRIx64 ", pc 0x%" PRIx64 "\n",
	       wt_describe_reasons_plainly(wave->reasons, text), wave->exec, wave->pc);
	printf("       %s\n", wt_describe_code(&wave->code, text));
}

static void print_head(const struct wt_view *view, uint32_t stop, size_t count)
{
	printf("stop %u", stop);
	if (wt_view_processes(view) > 1)
		printf(", process %" PRIu64, wt_view_moment(view)->process);
	printf(": %zu %s\n", count, wt_plural(count, "wave", "waves"));
}

static struct wt_error *show_waves(struct wt_view *view, struct wt_explainer *explainer,
				   uint32_t stop, json_t *array)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	if (!array)
		print_head(view, stop, count);
	for (size_t i = 0; i < count; i++) {
		struct wt_explain_wave wave;
		struct wt_error *error = wt_explain_wave(explainer, waves[i], &wave);

		if (error)
			return error;
		if (array)
			json_array_append_new(array, wt_describe_wave_json(&wave));
		else
			print_wave(&wave);
		wt_explain_wave_deinit(&wave);
	}
	return NULL;
}

static struct wt_error *show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	struct wt_explainer *explainer = NULL;
	struct wt_view *view = NULL;
	json_t *array = NULL;
	struct wt_error *error;
	uint32_t stop;

	(void)options;
	error = wt_cli_trace_view(trace, &view, &stop);
	if (!error)
		error = wt_explainer_create(view, &explainer);
	if (!error && trace->json) {
		array = json_array();
		*json_ret = json_pack("{s:I, s:o}", "stop", (json_int_t)stop, "waves", array);
	}
	if (*json_ret && wt_view_processes(view) > 1)
		json_object_set_new(*json_ret, "process",
				    json_integer((json_int_t)wt_view_moment(view)->process));
	if (!error)
		error = show_waves(view, explainer, stop, array);
	wt_explainer_destroy(explainer);
	wt_view_close(view);
	return error;
}

int wt_command_waves(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.doc = "List the waves at a stop: workgroup coordinates and number in the "
		       "workgroup, kernel, why it stopped, active lanes, pc and source line.",
		.stop = WT_CLI_STOP_HELP,
		.show = show,
	};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, NULL);
}
