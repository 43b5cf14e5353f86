/* SPDX-License-Identifier: MIT */
/* `wavetape code-objects`: what was loaded, and a way to get it out. */
#include <inttypes.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output-file.h"
#include "cli/output.h"

#define CANNOT_WRITE "cannot write the code object"

struct options {
	struct wt_cli_trace trace;
	uint64_t code_object;
};

static error_t code_objects_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'e':
		if (!wt_cli_number(argument, &options->code_object) || !options->code_object)
			argp_error(state, "--extract takes a code object's number, not '%s'",
				   argument);
		return 0;
	case ARGP_KEY_END:
		if (!options->code_object != !options->trace.output)
			argp_error(state, "--extract and --output go together");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static struct wt_error *extract(const struct wt_view *view, const struct options *options)
{
	const uint8_t *image;
	size_t size;

	if (!wt_view_image(view, options->code_object, &image, &size))
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot extract the code object",
				       options->trace.path,
				       "there is no code object %" PRIu64
				       " at this stop, or its bytes were not recorded",
				       options->code_object);
	return wt_cli_write_file(CANNOT_WRITE, options->trace.output, image, size);
}

static void print_code_object(const struct wavetape_code_object *code)
{
	printf("%-4" PRIu64 " 0x%012" PRIx64 " ", code->number, code->load_address);
	if (code->bytes)
		printf("%8zu bytes", code->byte_count);
	else
		printf("%14s", "not recorded");
	printf("  ");
	wt_cli_put(stdout, code->uri ? code->uri : "?");
	putchar('\n');
}

static void code_objects_list_all(struct wt_view *view, json_t *array)
{
	const uint64_t *numbers;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &numbers);

	if (!array)
		puts("     load address         size  from");
	for (size_t i = 0; i < count; i++) {
		struct wavetape_code_object code;

		wt_view_code_object(view, numbers[i], &code);
		if (array)
			json_array_append_new(
				array, wt_code_object_facts_json(&code, json_boolean(code.bytes)));
		else
			print_code_object(&code);
	}
}

static struct wt_error *code_objects_show(struct wt_cli_trace *trace, void *input,
					  json_t **json_ret)
{
	const struct options *options = input;
	struct wt_view *view = NULL;
	struct wt_error *error = NULL;
	uint32_t stop;

	if (options->trace.output)
		error = wt_cli_check_output(CANNOT_WRITE, options->trace.output, trace->path,
					    "the trace that is read");
	if (!error)
		error = wt_cli_trace_view(trace, &view, &stop);
	if (!error && options->code_object) {
		error = extract(view, options);
		if (!error && trace->json)
			*json_ret = json_pack("{s:o}", "written",
					      wt_cli_json_text(options->trace.output));
	} else if (!error) {
		if (trace->json)
			*json_ret = json_pack("{s:[]}", "code_objects");
		code_objects_list_all(view, json_object_get(*json_ret, "code_objects"));
	}
	wt_view_close(view);
	return error;
}

int wt_command_code_objects(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"extract", 'e', "NUMBER", 0, "write this code object's ELF file to --output", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "List the code objects at a stop: load address, size, and the URI they "
		       "came from. Their bytes are in the trace.",
		.stop = WT_CLI_STOP_HELP,
		.output = "where to",
		.own = {.options = argp_options, .parser = code_objects_parse},
		.show = code_objects_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
