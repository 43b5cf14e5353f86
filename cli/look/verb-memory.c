/* SPDX-License-Identifier: MIT */
/* `wavetape memory`: recorded memory at a stop, dumped or listed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output-file.h"
#include "cli/output.h"

#define CANNOT_WRITE "cannot write the memory"
#define MAX_BYTES (UINT64_C(1) << 30)

struct options {
	struct wt_cli_trace trace;
	const char *space;
	uint64_t lane, address, size;
	bool has_lane;
	int positional;
};

static error_t parse_argument(struct options *options, char *argument, struct argp_state *state)
{
	uint64_t *number = options->positional ? &options->size : &options->address;

	if (!options->trace.path || options->positional > 1)
		return ARGP_ERR_UNKNOWN;
	if (!wt_cli_number(argument, number))
		argp_error(state, "%s is a number, not '%s'",
			   options->positional ? "BYTES" : "ADDRESS", argument);
	if (options->positional && (!options->size || options->size > MAX_BYTES))
		argp_error(state, "BYTES is 1 to %" PRIu64, MAX_BYTES);
	options->positional++;
	return 0;
}

/* An option that would have no effect is not what was meant. */
static void memory_check_options(struct options *options, struct argp_state *state)
{
	if (!options->positional &&
	    (options->space || options->trace.wave || options->has_lane || options->trace.output))
		argp_error(state,
			   "--space, --wave, --lane and --output go with an ADDRESS: without "
			   "one, all that was recorded is listed");
	if (!options->space)
		options->space = "global";
	if (strcmp(options->space, "global") && options->positional && !options->trace.wave)
		argp_error(state, "memory of the %s space belongs to a wave: name it with --wave",
			   options->space);
	if (options->has_lane && strcmp(options->space, "private_lane") &&
	    strcmp(options->space, "generic"))
		argp_error(state,
			   "a lane has memory of its own in the private_lane and generic "
			   "spaces: --lane says nothing of %s memory",
			   options->space);
}

static error_t memory_parse(int key, char *argument, struct argp_state *state)
{
	static const char *const spaces[] = {"global", "generic", "local", "private_lane",
					     "private_wave"};
	struct options *options = state->input;

	switch (key) {
	case 'l':
		if (!wt_cli_number(argument, &options->lane) || options->lane > 63)
			argp_error(state, "--lane takes 0 to 63, not '%s'", argument);
		options->has_lane = true;
		return 0;
	case 'a':
		for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
			if (!strcmp(argument, spaces[i]))
				options->space = spaces[i];
		if (!options->space)
			argp_error(state,
				   "--space is global, generic, local, private_lane or "
				   "private_wave, not '%s'",
				   argument);
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(options, argument, state);
	case ARGP_KEY_END:
		memory_check_options(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_bytes(uint64_t address, const uint8_t *data, size_t size)
{
	for (size_t offset = 0; offset < size; offset += WT_CLI_DUMP_BYTES) {
		printf("0x%012" PRIx64 " ", address + offset);
		wt_cli_put_bytes(data + offset, size - offset);
	}
}

static struct wt_error *memory_show_range(struct wt_view *view, const struct options *options,
					  json_t **json_ret)
{
	uint64_t wanted = options->positional > 1 ? options->size : 64, room = wanted;
	wt_cleanup_free uint8_t *data = malloc(wanted);
	size_t size;

	if (!data)
		return &wt_error_no_memory;
	if (options->trace.wave && !wt_view_lists(view, WT_OBJECT_WAVE, options->trace.wave))
		return wt_cli_no_wave("cannot show the memory", &options->trace);
	/* Nothing is behind the end of the address space. */
	if (room - 1 > UINT64_MAX - options->address)
		room = -options->address;
	size = wt_view_memory(view, options->space, options->trace.wave, (uint32_t)options->lane,
			      options->address, data, room);
	if (!size || (options->positional > 1 && options->trace.output && size < wanted)) {
		char where[64];

		snprintf(where, sizeof(where), "%s 0x%" PRIx64, options->space,
			 options->address + size);
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show the memory", where,
				       "it was not recorded at this stop, or was not mapped; "
				       "`wavetape memory FILE` lists what was recorded");
	}
	if (options->trace.output && options->trace.json)
		*json_ret = json_pack("{s:o}", "written", wt_cli_json_text(options->trace.output));
	if (options->trace.output)
		return wt_cli_write_file(CANNOT_WRITE, options->trace.output, data, size);
	if (options->trace.json) {
		*json_ret = json_pack("{s:s, s:o, s:I, s:o}", "space", options->space, "address",
				      wt_cli_json_hex(options->address), "recorded_bytes",
				      (json_int_t)size, "data", wt_cli_json_bytes(data, size));
		return NULL;
	}
	print_bytes(options->address, data, size);
	if (options->positional > 1 && size < wanted)
		printf("0x%012" PRIx64 "  not recorded\n", options->address + size);
	return NULL;
}

static void show_run(const char *space, uint64_t owner, uint64_t from, uint64_t to, json_t *array)
{
	if (array)
		json_array_append_new(array,
				      json_pack("{s:s, s:I, s:o, s:o}", "space", space, "owner",
						(json_int_t)owner, "from", wt_cli_json_hex(from),
						"to", wt_cli_json_hex(to)));
	else
		printf("%-13s %-6" PRIu64 " 0x%012" PRIx64 " - 0x%012" PRIx64 " %" PRIu64
		       " bytes\n",
		       space, owner, from, to, to - from);
}

/** One line, or one array element, for each run of recorded bytes of an owner. */
static void list_runs(const struct wt_view *view, const char *space, uint64_t owner, json_t *array)
{
	uint64_t address = 0, from, to;

	while (wt_view_memory_next(view, space, owner, address, &from, &to)) {
		show_run(space, owner, from, to, array);
		/* A run up to the end of the address space ends at 0. */
		if (to <= address)
			break;
		address = to;
	}
}

/* Lists the memory of a space that objects of a kind own. */
static void list_owners(const struct wt_view *view, const char *space, enum wt_object kind,
			json_t *array)
{
	const uint64_t *numbers;
	size_t count = wt_view_objects(view, kind, &numbers);

	for (size_t i = 0; i < count; i++)
		if (numbers[i])
			list_runs(view, space, numbers[i], array);
}

static void memory_list_all(const struct wt_view *view, json_t *array)
{
	if (!array)
		puts("space         owner  recorded");
	list_runs(view, "global", wt_view_moment(view)->process, array);
	list_owners(view, "local", WT_OBJECT_WORKGROUP, array);
	list_owners(view, "private_wave", WT_OBJECT_WAVE, array);
}

static struct wt_error *memory_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	const struct options *options = input;
	struct wt_view *view = NULL;
	uint32_t stop;
	struct wt_error *error = NULL;

	if (options->trace.output)
		error = wt_cli_check_output(CANNOT_WRITE, options->trace.output, trace->path,
					    "the trace that is read");
	if (!error)
		error = wt_cli_trace_view(trace, &view, &stop);
	if (!error && options->positional) {
		error = memory_show_range(view, options, json_ret);
	} else if (!error) {
		if (trace->json)
			*json_ret = json_pack("{s:[]}", "ranges");
		memory_list_all(view, json_object_get(*json_ret, "ranges"));
	}
	wt_view_close(view);
	return error;
}

int wt_command_memory(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"space", 'a', "SPACE", 0,
		 "address space: global (the default), generic, local, "
		 "private_lane, private_wave",
		 0},
		{"lane", 'l', "LANE", 0, "which lane's private or generic memory (default 0)", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "FILE [ADDRESS [BYTES]]",
		.doc = "Print memory at a stop: BYTES (64 where left out) from ADDRESS. "
		       "Without an address, list what was recorded.",
		.stop = WT_CLI_STOP_HELP,
		.wave = "whose local, private or generic memory",
		.output = "write the bytes to this file; all must be recorded",
		.own = {.options = argp_options, .parser = memory_parse},
		.show = memory_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
