/* SPDX-License-Identifier: MIT */
/* `wavetape registers`: values of a wave's registers at a stop. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "libwavetape/handles.h"

struct options {
	struct wt_cli_trace trace;
	char **lists; /* of the registers wanted; none: all */
	size_t list_count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
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

static void print_register(const struct wavetape_register *reg)
{
	char text[WT_DESCRIBE_MAX];

	wt_cli_put_padded(reg->name, 14);
	if (!reg->value) {
		puts(" not recorded");
		return;
	}
	if (!reg->lanes) {
		printf(" %s\n", wt_describe_value(reg->value, reg->bytes, text));
		return;
	}
	for (uint32_t lane = 0; lane < reg->lanes; lane++) {
		if (lane && lane % 8 == 0)
			printf("\n%-14s", "");
		printf(" %08" PRIx64, wt_describe_number(reg->value + lane * 4, 4));
	}
	putchar('\n');
}

static struct wt_error *show_registers(struct wavetape_registers *registers, json_t *array)
{
	size_t count = wavetape_registers_count(registers);

	for (size_t i = 0; i < count; i++) {
		struct wavetape_register reg = {.size = sizeof(reg)};
		struct wavetape_error *error = wavetape_registers_get(registers, i, &reg);

		if (error)
			return wt_inside(error);
		if (array)
			json_array_append_new(array, wt_describe_register_json(&reg));
		else
			print_register(&reg);
	}
	return NULL;
}

/* The lists as one; NULL if there is none. The caller frees it. */
static struct wt_error *join_lists(const struct options *options, char **list_ret)
{
	size_t size = 1;
	char *list;

	for (size_t i = 0; i < options->list_count; i++)
		size += strlen(options->lists[i]) + 1;
	list = options->list_count ? calloc(1, size) : NULL;
	if (options->list_count && !list)
		return &wt_error_no_memory;
	for (size_t i = 0; i < options->list_count; i++) {
		strcat(list, i ? "," : "");
		strcat(list, options->lists[i]);
	}
	*list_ret = list;
	return NULL;
}

static struct wt_error *select_registers(struct wavetape_stop *stop, const struct options *options,
					 struct wavetape_registers **registers_ret)
{
	wt_cleanup_free char *list = NULL;
	struct wt_error *error = join_lists(options, &list);

	return error ? error
		     : wt_inside(wavetape_registers_open(stop, options->trace.wave, list,
							 registers_ret));
}

static struct wt_error *show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct wavetape_registers *registers = NULL;
	struct wavetape_stop *stop = NULL;
	json_t *array = NULL;
	uint32_t number;
	struct wt_error *error = wt_cli_trace_stop(trace, &stop, &number);

	if (!error)
		error = wt_cli_choose_wave_at("cannot show registers", trace, stop);
	if (!error)
		error = select_registers(stop, input, &registers);
	if (!error && trace->json) {
		array = json_array();
		*json_ret = json_pack("{s:I, s:I, s:o}", "stop", (json_int_t)number, "wave",
				      (json_int_t)trace->wave, "registers", array);
	} else if (!error) {
		printf("stop %u, wave w%" PRIu64 "\n", number, trace->wave);
	}
	if (!error)
		error = show_registers(registers, array);
	wavetape_registers_close(registers);
	wavetape_stop_close(stop);
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
		.own = {.parser = parse},
		.show = show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
