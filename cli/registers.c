/* SPDX-License-Identifier: MIT */
/* `wavetape registers`: values of a wave's registers at a stop. */
#include <inttypes.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"

struct options {
	struct wt_cli_trace trace;
	const char *class_name;
	char **names; /* of the registers wanted; none: all */
	size_t name_count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'c':
		options->class_name = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (!options->trace.path)
			return ARGP_ERR_UNKNOWN;
		/* All that is left: argp has moved the options to the front. */
		options->names = state->argv + state->next - 1;
		options->name_count = (size_t)(state->argc - state->next + 1);
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (options->names && options->class_name)
			argp_error(state, "name registers or a --class, not both");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
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
	wt_cli_put_padded(reg->name, 14);
	if (!reg->value) {
		puts(" not recorded");
		return;
	}
	if (!reg->vector) {
		printf(" 0x%0*" PRIx64 "\n", (int)(reg->size * 2),
		       little_endian(reg->value, reg->size));
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

/* The heading comes in front of the first value: not where there is none to show. */
static void show_heading(const struct options *options, uint32_t stop, json_t *array)
{
	if (!array)
		printf("stop %u, wave w%" PRIu64 "\n", stop, options->trace.wave);
}

static void show_register(const struct wt_view_register *reg, json_t *array)
{
	if (array)
		json_array_append_new(array, register_json(reg));
	else
		print_register(reg);
}

static struct wt_error *show_named(struct wt_view *view, const struct options *options,
				   uint32_t stop, json_t *array)
{
	struct wt_view_register reg;

	for (size_t i = 0; i < options->name_count; i++)
		if (!wt_view_register(view, options->trace.wave, options->names[i], &reg))
			return wt_error_create(
				WT_ERROR_NOT_FOUND, "cannot show the register", options->names[i],
				"wave %" PRIu64 " has no such register, or it was not recorded",
				options->trace.wave);
	show_heading(options, stop, array);
	for (size_t i = 0; i < options->name_count; i++)
		if (wt_view_register(view, options->trace.wave, options->names[i], &reg))
			show_register(&reg, array);
	return NULL;
}

static struct wt_error *show_all(struct wt_view *view, const struct options *options, uint32_t stop,
				 json_t *array)
{
	size_t count = wt_view_register_count(view, options->trace.wave), shown = 0;

	for (size_t i = 0; i < count; i++) {
		struct wt_view_register reg;

		if (!wt_view_register_at(view, options->trace.wave, i, &reg))
			continue;
		if (options->class_name &&
		    !wt_view_register_in_class(view, reg.id, options->class_name))
			continue;
		if (!shown++)
			show_heading(options, stop, array);
		show_register(&reg, array);
	}
	if (shown)
		return NULL;
	if (count)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, "cannot show registers", options->class_name,
			"wave %" PRIu64 " has no register in that class", options->trace.wave);
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show registers", options->trace.path,
			       "no registers of wave %" PRIu64
			       " were recorded at this stop: only stopped waves' are",
			       options->trace.wave);
}

/** Without --wave: the first one with a fault, else the first one whose registers were recorded. */
static struct wt_error *choose_wave(struct wt_view *view, struct options *options)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	if (options->trace.wave) {
		/* Where the wave itself is lost its registers may be there all the same. */
		if (wt_view_exists(view, WT_OBJECT_WAVE, options->trace.wave) ||
		    wt_view_register_count(view, options->trace.wave))
			return NULL;
		return wt_error_create(
			WT_ERROR_NOT_FOUND, "cannot show registers", options->trace.path,
			"there is no wave %" PRIu64 " at this stop; `wavetape waves` lists them",
			options->trace.wave);
	}
	for (size_t i = 0; i < count; i++) {
		if (!options->trace.wave && wt_view_register_count(view, waves[i]))
			options->trace.wave = waves[i];
		if (wt_view_number_or(view, WT_OBJECT_WAVE, waves[i],
				      AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0) &
		    WT_FAULT_REASONS) {
			options->trace.wave = waves[i];
			return NULL;
		}
	}
	if (options->trace.wave)
		return NULL;
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show registers", options->trace.path,
			       "no wave is stopped at this stop");
}

static struct wt_error *show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	struct wt_view *view = NULL;
	json_t *array = NULL;
	struct wt_error *error;
	uint32_t stop;

	error = wt_cli_trace_view(trace, &view, &stop);
	if (!error)
		error = choose_wave(view, options);
	if (!error && trace->json) {
		array = json_array();
		*json_ret = json_pack("{s:I, s:I, s:o}", "stop", (json_int_t)stop, "wave",
				      (json_int_t)options->trace.wave, "registers", array);
	}
	if (!error)
		error = options->name_count ? show_named(view, options, stop, array)
					    : show_all(view, options, stop, array);
	wt_view_close(view);
	return error;
}

int wt_command_registers(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"class", 'c', "CLASS", 0,
		 "only registers of this class: scalar, vector, system...; not with REGISTER", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "FILE [REGISTER...]",
		.doc = "Print registers of a wave at a stop, in hexadecimal: all, or those "
		       "named. Vector registers show one value for each lane.",
		.stop = true,
		.wave = "of this wave (a number, or w and a number); without it, of the first "
			"with a fault",
		.own = {.options = argp_options, .parser = parse},
		.show = show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
