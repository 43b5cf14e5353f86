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

static uint64_t little_endian(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size && i < sizeof(value); i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
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
		printf(" %08" PRIx64, little_endian(reg->value + lane * 4, 4));
	}
	putchar('\n');
}

static json_t *register_json(const struct wt_view_register *reg)
{
	json_t *json = json_pack("{s:o, s:o, s:I}", "name", wt_cli_json_text(reg->name), "type",
				 wt_cli_json_text(reg->type), "bytes", (json_int_t)reg->size);

	if (!reg->value) {
		json_object_set_new(json, "value", json_null());
	} else if (reg->vector) {
		json_t *lanes = json_array();

		for (uint32_t lane = 0; lane < reg->size / 4; lane++)
			json_array_append_new(
				lanes, json_sprintf("0x%08" PRIx64,
						    little_endian(reg->value + lane * 4, 4)));
		json_object_set_new(json, "lanes", lanes);
	} else {
		json_object_set_new(json, "value",
				    wt_cli_json_hex(little_endian(reg->value, reg->size)));
	}
	return json;
}

/* ---- Which ones ---- */

/* Positions among a wave's registers, in the order in which they are shown. */
struct selection {
	size_t *positions, count;
	bool *selected; /* by position: a register is shown once */
};

static void selection_deinit(struct selection *selection)
{
	free(selection->positions);
	free(selection->selected);
}

static bool is_named(struct wt_view *view, const struct gfx_register_word *word, uint64_t id,
		     const char *name)
{
	static const char *const no_classes[] = {NULL};
	wt_cleanup_free char *class_name = NULL;

	if (gfx_register_word_names(word, name, no_classes))
		return true;
	class_name = strndup(word->text, word->length);
	return class_name && wt_view_register_in_class(view, id, class_name);
}

/** Why no recorded register of the wave is named by an element of a list. */
static struct wt_error *not_there(struct wt_view *view, const struct options *options,
				  const struct gfx_register_word *word)
{
	static const char what[] = "cannot show the register";
	wt_cleanup_free char *where = strndup(word->text, word->length);
	uint64_t wave = options->trace.wave;
	const uint64_t *registers;
	size_t count = wt_view_objects(view, WT_OBJECT_REGISTER, &registers);
	bool known = false;

	for (size_t i = 0; i < count; i++) {
		const char *name = wt_view_text(view, WT_OBJECT_REGISTER, registers[i],
						AMD_DBGAPI_REGISTER_INFO_NAME);

		if (!name || !is_named(view, word, registers[i], name))
			continue;
		if (wt_view_register_exists(view, wave, registers[i]))
			return wt_error_create(WT_ERROR_NOT_FOUND, what, where,
					       "its value was not recorded for wave %" PRIu64,
					       wave);
		known = true;
	}
	if (known)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, where,
			"wave %" PRIu64 " has no such register, or it was not recorded", wave);
	return wt_error_create(WT_ERROR_NOT_FOUND, what, where,
			       "no GPU of this trace has a register or class of that name");
}

static void select_one(struct selection *selection, size_t position)
{
	if (!selection->selected[position])
		selection->positions[selection->count++] = position;
	selection->selected[position] = true;
}

/* @total: how many registers of the wave were recorded. */
static struct wt_error *select_word(struct wt_view *view, const struct options *options,
				    const struct gfx_register_word *word, size_t total,
				    struct selection *selection)
{
	bool found = false;

	for (size_t i = 0; i < total; i++) {
		struct wt_view_register reg;

		if (!wt_view_register_at(view, options->trace.wave, i, &reg) ||
		    !is_named(view, word, reg.id, reg.name))
			continue;
		found = true;
		select_one(selection, i);
	}
	return found ? NULL : not_there(view, options, word);
}

/* In the order of the lists; registers of one element in the library's order. */
static struct wt_error *select_registers(struct wt_view *view, const struct options *options,
					 struct selection *selection)
{
	size_t total = wt_view_register_count(view, options->trace.wave);
	struct wt_error *error = NULL;
	struct gfx_register_word word;

	if (!total)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show registers",
				       options->trace.path,
				       "no registers of wave %" PRIu64
				       " were recorded at this stop: only stopped waves' are",
				       options->trace.wave);
	selection->positions = calloc(total, sizeof(*selection->positions));
	selection->selected = calloc(total, sizeof(*selection->selected));
	if (!selection->positions || !selection->selected)
		return &wt_error_no_memory;
	for (size_t i = 0; i < total && !options->list_count; i++)
		select_one(selection, i);
	for (size_t i = 0; i < options->list_count; i++) {
		const char *rest = options->lists[i];

		while (!error && gfx_register_list_next(&rest, &word))
			error = select_word(view, options, &word, total, selection);
	}
	return error;
}

static void show_registers(struct wt_view *view, const struct options *options, uint32_t stop,
			   const struct selection *selection, json_t *array)
{
	if (!array)
		printf("stop %u, wave w%" PRIu64 "\n", stop, options->trace.wave);
	for (size_t i = 0; i < selection->count; i++) {
		struct wt_view_register reg;

		if (!wt_view_register_at(view, options->trace.wave, selection->positions[i], &reg))
			continue;
		if (array)
			json_array_append_new(array, register_json(&reg));
		else
			print_register(&reg);
	}
}

static struct wt_error *show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct selection selection = {0};
	struct options *options = input;
	struct wt_view *view = NULL;
	json_t *array = NULL;
	struct wt_error *error;
	uint32_t stop;

	error = wt_cli_trace_view(trace, &view, &stop);
	if (!error)
		error = wt_cli_choose_wave("cannot show registers", trace, view);
	if (!error)
		error = select_registers(view, options, &selection);
	if (!error && trace->json) {
		array = json_array();
		*json_ret = json_pack("{s:I, s:I, s:o}", "stop", (json_int_t)stop, "wave",
				      (json_int_t)trace->wave, "registers", array);
	}
	if (!error)
		show_registers(view, options, stop, &selection, array);
	selection_deinit(&selection);
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
		.own = {.parser = parse},
		.show = show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
