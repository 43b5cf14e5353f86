/* SPDX-License-Identifier: MIT */
/* `wavetape disassemble`: code at a stop, with source lines and the waves that stand in it. */
#include <inttypes.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/output.h"

#define DEFAULT_BEFORE 16 /* instructions around a wave's pc */
#define DEFAULT_AFTER 8
#define MAX_INSTRUCTIONS 100000

static const char what[] = "cannot disassemble";

struct options {
	struct wt_cli_trace trace;
	const char *kernel;
	uint64_t address, count;
	bool has_address;
};

/* Code to disassemble, and an instruction to mark in it. */
struct range {
	const struct gfx_architecture *architecture;
	uint64_t from;
	uint64_t size; /* bytes from there; UINT64_MAX where the count decides */
	uint64_t count;
	uint64_t marked; /* address of the instruction that stopped the wave, or 0 */
};

static error_t disassemble_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'k':
		options->kernel = argument;
		return 0;
	case 'n':
		if (!wt_cli_number(argument, &options->count) || !options->count ||
		    options->count > MAX_INSTRUCTIONS)
			argp_error(state, "--count takes 1 to %d, not '%s'", MAX_INSTRUCTIONS,
				   argument);
		return 0;
	case ARGP_KEY_ARG:
		if (!options->trace.path || options->has_address)
			return ARGP_ERR_UNKNOWN;
		if (!wt_cli_number(argument, &options->address))
			argp_error(state, "ADDRESS is a number, not '%s'", argument);
		options->has_address = true;
		return 0;
	case ARGP_KEY_END:
		if (options->has_address + (options->kernel != NULL) + (options->trace.wave != 0) >
		    1)
			argp_error(state, "name one of --wave, --kernel and ADDRESS");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct gfx_architecture *any_architecture(struct wt_view *view)
{
	const uint64_t *agents;

	if (!wt_view_objects(view, WT_OBJECT_AGENT, &agents))
		return NULL;
	return wt_view_architecture(view, WT_OBJECT_AGENT, agents[0]);
}

static bool function_next(struct wt_source *source, size_t *position,
			  struct wt_source_symbol *symbol_ret)
{
	while (wt_source_symbol_next(source, position, symbol_ret))
		if (symbol_ret->kind == WT_SYMBOL_FUNCTION)
			return true;
	return false;
}

/* A function by its symbol, or as its author wrote it. */
static bool find_function(struct wt_source *source, const char *name,
			  struct wt_source_symbol *symbol_ret)
{
	struct wt_source_symbol symbol;
	bool found = false;

	for (size_t position = 0; !found && function_next(source, &position, &symbol);)
		found = !strcmp(symbol.name, name);
	for (size_t position = 0; !found && function_next(source, &position, &symbol);)
		found = wt_cli_name_is(symbol.name, name, true);
	/* A function that is in something is meant where none that is in nothing has the name. */
	for (size_t position = 0; !found && function_next(source, &position, &symbol);)
		found = wt_cli_name_is(symbol.name, name, false);
	/* One without a size of its own gets it there. */
	return found && wt_source_symbol_at(source, symbol.address, symbol_ret);
}

/** Look for a kernel's symbol in every code object. */
static struct wt_error *find_kernel(struct wt_view *view, const struct options *options,
				    struct range *range)
{
	const char *name = options->kernel;
	const uint64_t *code_objects;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &code_objects);

	for (size_t i = 0; i < count; i++) {
		struct wt_source_symbol symbol;
		struct wt_source *source;
		const uint8_t *image;
		struct wt_error *error;
		bool found;
		size_t size;

		if (!wt_view_image(view, code_objects[i], &image, &size))
			continue;
		error = wt_source_open(image, size, &source);
		if (error && error->code == WT_ERROR_MEMORY)
			return error;
		if (error) {
			/* No ELF file has no symbols; another code object may have this one. */
			wt_error_destroy(error);
			continue;
		}
		found = find_function(source, name, &symbol);
		wt_source_close(source);
		if (!found)
			continue;
		range->from = symbol.address +
			      wt_view_number_or(view, WT_OBJECT_CODE_OBJECT, code_objects[i],
						AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 0);
		/* Assembly often leaves the size out. */
		range->size = symbol.size ? symbol.size : UINT64_MAX;
		if (!symbol.size && !options->count)
			range->count = DEFAULT_BEFORE;
		return NULL;
	}
	return wt_error_create(WT_ERROR_NOT_FOUND, what, name,
			       "no code object of the trace has a function of that name");
}

/** Choose the wave: the one named, else the first with a fault, else the first stopped one. */
static uint64_t choose_wave(struct wt_view *view, uint64_t wanted)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	uint64_t first = 0, reasons;

	if (wanted)
		return wanted;
	for (size_t i = 0; i < count; i++) {
		if (!wt_view_number(view, WT_OBJECT_WAVE, waves[i],
				    AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons))
			continue;
		if (reasons & WT_FAULT_REASONS)
			return waves[i];
		first = first ? first : waves[i];
	}
	return first;
}

static struct wt_error *find_wave_code(struct wt_view *view, struct wt_explainer *explainer,
				       const struct options *options, struct range *range)
{
	uint64_t wave = choose_wave(view, options->trace.wave);
	struct wt_explain_wave explanation;
	struct wt_error *error;
	uint64_t before;

	if (!wave)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, options->trace.path,
			"no wave is stopped at this stop: name a --kernel or an ADDRESS");
	if (!wt_view_exists(view, WT_OBJECT_WAVE, wave))
		return wt_cli_no_wave(what, &options->trace);
	error = wt_explain_wave(explainer, wave, &explanation);
	if (error)
		return error;
	range->architecture = wt_view_architecture(view, WT_OBJECT_WAVE, wave);
	if (explanation.state != WAVETAPE_WAVE_STOPPED) {
		wt_explain_wave_deinit(&explanation);
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, options->trace.path,
			"wave %" PRIu64 " is running at this stop, so its pc is not known", wave);
	}
	range->marked = explanation.code.address;
	/* Instructions differ in length: walk from the function's start where it is known. */
	before = explanation.code.symbol ? explanation.code.symbol_offset : 0;
	range->from = explanation.code.address - before;
	wt_explain_wave_deinit(&explanation);
	return NULL;
}

/** Say once as whose code it is decoded, where that is not its own architecture. */
static void print_decoded_as(const struct wavetape_place *code,
			     const struct gfx_architecture *architecture)
{
	if (code->decoded_as)
		printf("; %s is newer than the LLVM here: decoded as %s\n", architecture->name,
		       code->decoded_as);
}

static void print_instruction(const struct wavetape_place *code, bool marked, uint32_t *last_line)
{
	if (code->symbol && !code->symbol_offset) {
		wt_cli_put(stdout, code->symbol);
		puts(":");
	}
	if (code->file && code->line != *last_line) {
		printf("; ");
		wt_cli_put(stdout, code->file);
		printf(":%u\n", code->line);
	}
	*last_line = code->line;
	printf("%s 0x%012" PRIx64 " ", marked ? "=>" : "  ", code->address);
	for (uint32_t i = 0; i < 2; i++)
		if (i < code->instruction_bytes / 4)
			printf(" %08x", code->words[i]);
		else
			printf(" %8s", "");
	if (code->instruction)
		printf("  %s\n", code->instruction);
	else
		printf("  .long (%s%s)\n", code->not_decoded ? "not decoded: " : "no instruction",
		       code->not_decoded ? code->not_decoded : "");
}

/** The address of the instruction DEFAULT_BEFORE before the marked one, walking from the start. */
static struct wt_error *skip_ahead(struct wt_explainer *explainer, struct range *range)
{
	uint64_t window[DEFAULT_BEFORE] = {0}, address = range->from;
	size_t steps = 0;

	while (address < range->marked) {
		struct wavetape_place code;
		struct wt_error *error =
			wt_explain_address(explainer, range->architecture, address, &code);

		if (error)
			return error;
		window[steps++ % DEFAULT_BEFORE] = address;
		address += code.instruction_bytes;
		wt_explain_code_deinit(&code);
		if (!code.instruction_bytes)
			return NULL;
	}
	if (steps >= DEFAULT_BEFORE)
		range->from = window[steps % DEFAULT_BEFORE];
	return NULL;
}

static struct wt_error *disassemble_show_range(struct wt_explainer *explainer,
					       const struct range *range, json_t *array)
{
	uint64_t address = range->from, after = 0;
	char where[32];
	uint32_t last_line = UINT32_MAX;

	for (uint64_t i = 0; i < range->count && address - range->from < range->size; i++) {
		struct wavetape_place code;
		struct wt_error *error =
			wt_explain_address(explainer, range->architecture, address, &code);

		if (error)
			return error;
		if (!code.instruction_bytes) {
			wt_explain_code_deinit(&code);
			if (i)
				return NULL;
			snprintf(where, sizeof(where), "0x%" PRIx64, address);
			return wt_error_create(WT_ERROR_NOT_FOUND, what, where,
					       "no code was recorded there");
		}
		if (array)
			json_array_append_new(array, wt_describe_code_json(&code));
		else if (!i)
			print_decoded_as(&code, range->architecture);
		if (!array)
			print_instruction(&code, address == range->marked, &last_line);
		address += code.instruction_bytes;
		wt_explain_code_deinit(&code);
		if (range->marked && address > range->marked && after++ >= DEFAULT_AFTER)
			return NULL;
	}
	return NULL;
}

static struct wt_error *find_range(struct wt_view *view, struct wt_explainer *explainer,
				   const struct options *options, struct range *range)
{
	struct wt_error *error;

	*range = (struct range){.architecture = any_architecture(view), .size = UINT64_MAX};
	range->count = options->count ? options->count : MAX_INSTRUCTIONS;
	if (options->has_address) {
		range->from = options->address;
		range->count = options->count ? options->count : DEFAULT_BEFORE;
		return NULL;
	}
	if (options->kernel)
		return find_kernel(view, options, range);
	error = find_wave_code(view, explainer, options, range);
	return error ? error : skip_ahead(explainer, range);
}

static struct wt_error *disassemble_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	const struct options *options = input;
	struct wt_explainer *explainer = NULL;
	struct wt_view *view = NULL;
	struct range range;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(trace, &view, &stop);

	if (!error)
		error = wt_explainer_create(view, &explainer);
	if (!error)
		error = find_range(view, explainer, options, &range);
	if (!error && trace->json)
		*json_ret = json_pack("{s:[]}", "instructions");
	if (!error)
		error = disassemble_show_range(explainer, &range,
					       json_object_get(*json_ret, "instructions"));
	wt_explainer_destroy(explainer);
	wt_view_close(view);
	return error;
}

int wt_command_disassemble(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"kernel", 'k', "NAME", 0, "a whole kernel or function", 0},
		{"count", 'n', "N", 0, "at most N instructions", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "FILE [ADDRESS]",
		.doc = "Disassemble recorded code around a wave's pc, from an address, or of "
		       "a kernel, with source lines where the code object has them.",
		.stop = WT_CLI_STOP_HELP,
		.wave = "around this wave's pc; without it, the first with a fault",
		.own = {.options = argp_options, .parser = disassemble_parse},
		.show = disassemble_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
