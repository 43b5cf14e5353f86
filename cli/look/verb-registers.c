/* SPDX-License-Identifier: MIT */
/* `wavetape registers`: values of a wave's registers at a stop. */
#include <inttypes.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "replayer/view/selection.h"

struct options {
	struct wt_cli_trace trace;
	char **lists; /* of the registers wanted; none: all */
	size_t list_count;
};

static error_t registers_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	(void)argument;
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	/* All that is left: argp has moved the options to the front. */
	options->lists = state->argv + state->next - 1;
	options->list_count = (size_t)(state->argc - state->next + 1);
	state->next = state->argc;
	for (size_t i = 0; i < options->list_count; i++)
		wt_cli_check_registers(state, "LIST", options->lists[i]);
	return 0;
}

static void print_register(const struct wt_view_register *reg)
{
	char text[WT_DESCRIBE_MAX];

	wt_cli_put_padded(reg->name, 14);
	if (!reg->value) {
		puts(" not recorded");
		return;
	}
	if (!reg->vector) {
		printf(" %s\n", wt_describe_value(reg->value, reg->size, text));
		return;
	}
	for (uint32_t lane = 0; lane < reg->size / 4; lane++) {
		if (lane && lane % 8 == 0)
			printf("\n%-14s", "");
		printf(" %08" PRIx64, wt_describe_number(reg->value + lane * 4, 4));
	}
	putchar('\n');
}

static void show_registers(struct wt_view *view, uint64_t wave,
			   const struct wt_selection *selection, json_t *array)
{
	for (size_t i = 0; i < selection->count; i++) {
		struct wt_view_register reg;

		if (!wt_view_register_at(view, wave, selection->positions[i], &reg))
			continue;
		if (array)
			json_array_append_new(array, wt_describe_register_json(&reg));
		else
			print_register(&reg);
	}
}

static struct wt_error *registers_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	const struct options *options = input;
	struct wt_selection selection = {0};
	struct wt_view *view = NULL;
	json_t *array = NULL;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(trace, &view, &stop);

	if (!error)
		error = wt_cli_choose_wave("cannot show registers", trace, view);
	if (!error)
		error = wt_selection_make(view, trace->wave, (const char *const *)options->lists,
					  options->list_count, trace->path, &selection);
	if (!error && trace->json) {
		array = json_array();
		*json_ret = json_pack("{s:I, s:o}", "wave", (json_int_t)trace->wave, "registers",
				      array);
	} else if (!error) {
		printf("stop %u, wave w%" PRIu64 "\n", stop, trace->wave);
	}
	if (!error)
		show_registers(view, trace->wave, &selection, array);
	wt_selection_deinit(&selection);
	wt_view_close(view);
	return error;
}

int wt_command_registers(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.arguments = "FILE [LIST...]",
		.doc = "Print registers of a wave at a stop, in hexadecimal: all, or those that "
		       "are listed. LIST is " WT_CLI_REGISTERS_TAKE
		       ". Vector registers show one value for each lane.\v"
		       "Examples:\n"
		       "  wavetape registers crash.wtape pc exec v0\n"
		       "  wavetape registers crash.wtape --wave 3 s0-s15,system",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.own = {.parser = registers_parse},
		.show = registers_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
