/* SPDX-License-Identifier: MIT */
#include "cli/look/describe-cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/plural.h"
#include "base/text.h"
#include "base/visible.h"
#include "cli/facts.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "replayer/view/sources.h"

/* How many steps stand in what a person reads. */
#define SHOWN_STEPS 10u
#define SHOWN_VALUES 4 /* different ones of a register in a line */
#define TAB_WIDTH 8

/* A line of a program, with tabs as spaces: they count from its own beginning. */
static void put_source(const char *text)
{
	int column = 0;

	while (*text) {
		size_t length = strcspn(text, "\t");
		char part[512];

		snprintf(part, sizeof(part), "%.*s", (int)length, text);
		column += wt_cli_put(stdout, part);
		text += length;
		if (!*text)
			break;
		text++;
		printf("%*s", TAB_WIDTH - column % TAB_WIDTH, "");
		column += TAB_WIDTH - column % TAB_WIDTH;
	}
	putchar('\n');
}

/* ---- Source lines ---- */

void wt_cli_take_source_map(struct argp_state *state, struct wt_source_maps *maps,
			    const char *argument)
{
	if (!wt_source_maps_add(maps, argument))
		argp_error(state, "--source-map: %s: not FROM=TO, or more than %d of them",
			   argument, WT_SOURCE_MAPS);
}

static struct wt_error *check_source(const struct wt_view *view, const struct wt_source_maps *maps,
				     const struct wavetape_place *place,
				     enum wt_source_match *match_ret)
{
	struct wt_sources *sources;
	struct wt_error *error = wt_sources_create_mapped(wt_view_reader(view), maps, &sources);

	*match_ret = WT_SOURCE_NOT_KNOWN;
	if (error)
		return error;
	error = wt_sources_check(sources, place, match_ret);
	wt_sources_destroy(sources);
	return error;
}

struct wt_error *wt_print_source(const struct wt_view *view, const struct wt_source_maps *maps,
				 const struct wavetape_place *code)
{
	struct wt_lines lines;
	enum wt_source_match match;
	struct wt_error *error = check_source(view, maps, code, &match);

	if (!error)
		error = wt_lines_read(view, maps, code->file, code->line, &lines);
	if (error)
		return error;
	for (size_t i = 0; i < lines.count; i++) {
		uint32_t number = lines.first + (uint32_t)i;

		printf("%s%s %6u%s", i ? "            " : "source      ",
		       number == code->line ? ">" : " ", number, *lines.text[i] ? "  " : "");
		put_source(lines.text[i]);
	}
	if (match == WT_SOURCE_DIFFERS)
		printf("%-13s" WT_CLI_SOURCE_DIFFERS "\n", lines.count ? "" : "source");
	wt_lines_deinit(&lines);
	return NULL;
}

struct wt_error *wt_describe_source_json(const struct wt_view *view,
					 const struct wt_source_maps *maps,
					 const struct wavetape_place *code, json_t *json)
{
	struct wt_lines lines;
	enum wt_source_match match;
	struct wt_error *error = check_source(view, maps, code, &match);
	json_t *array;

	if (error)
		return error;
	wt_describe_match_into(match, json);
	error = wt_lines_read(view, maps, code->file, code->line, &lines);
	if (error || !lines.count)
		return error;
	array = json_array();
	for (size_t i = 0; i < lines.count; i++)
		json_array_append_new(array,
				      json_pack("{s:i, s:o}", "line", lines.first + (uint32_t)i,
						"text", wt_cli_json_text(lines.text[i])));
	json_object_set_new(json, "source_lines", array);
	wt_lines_deinit(&lines);
	return NULL;
}

/* ---- The sentence ---- */

#define FIRST_COLUMN 13
#define LAST_COLUMN 100

/* A sentence may be longer than a line: what does not fit stands below its beginning. Return: the column behind it. */
static int put_words(const char *text, int column)
{
	while (*text) {
		size_t length = strcspn(text + 1, " ") + 1,
		       digits = strspn(text + 1, "0123456789") + 1;
		char word[512], visible[sizeof(word) * WT_VISIBLE_CHARACTER];

		/* A number stays with what it counts. */
		if (digits > 1 && digits == length && text[length])
			length += strcspn(text + length + 1, " ") + 1;
		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		wt_visible(word, visible, sizeof(visible));
		if (*word == ' ' && column + (int)strlen(visible) > LAST_COLUMN) {
			printf("\n%*s%s", FIRST_COLUMN, "", visible + 1);
			column = FIRST_COLUMN + (int)strlen(visible) - 1;
		} else {
			fputs(visible, stdout);
			column += (int)strlen(visible);
		}
		text += length;
	}
	return column;
}

/* A copy of a sentence with its mangled names demangled, also of arrays whose elements are named, to free(); NULL if there is no memory. */
static char *demangle_words(const char *sentence)
{
	struct wt_buffer text = {0};

	while (*sentence) {
		size_t blanks = strspn(sentence, " [,"), length = strcspn(sentence + blanks, " [,");
		wt_cleanup_free char *word = strndup(sentence + blanks, length);
		wt_cleanup_free char *demangled = word ? wt_cli_demangle(word) : NULL;

		wt_buffer_append(&text, sentence, blanks);
		wt_buffer_append_text(&text, demangled ? demangled : word ? word : "");
		sentence += blanks + length;
	}
	return wt_buffer_take_text(&text);
}

void wt_print_cause_sentence(const struct wt_cause *cause)
{
	wt_cleanup_free char *named = cause->sentence ? demangle_words(cause->sentence) : NULL;
	const char *sentence = cause->sentence ? cause->sentence : "no simple cause is certain";
	int column;

	wt_cli_put_label(WT_CLI_BOLD, "cause");
	column = put_words(named ? named : sentence, FIRST_COLUMN);
	if (!cause->sentence && cause->why_not) {
		column = put_words(" (", column);
		put_words(cause->why_not, column);
		putchar(')');
	}
	putchar('\n');
}

void wt_print_cause_memory(const struct wt_cause *cause)
{
	char text[64];

	if (cause->memory_text) {
		snprintf(text, sizeof(text), "%-*s0x%" PRIx64 " is ", FIRST_COLUMN, "memory",
			 cause->wave.has_access ? cause->address : cause->reported);
		fputs(text, stdout);
		put_words(cause->memory_text, (int)strlen(text));
		putchar('\n');
	}
	if (cause->has_reported)
		printf("%-*sa fault at the page 0x%" PRIx64 ", by the GPU's driver\n", FIRST_COLUMN,
		       "reported", cause->reported);
}

void wt_print_cause_late(const struct wt_cause *cause)
{
	const struct wavetape_place *code = wt_cause_code(cause);
	char text[WT_DESCRIBE_MAX];

	if (!cause->late)
		return;
	printf("%-*s", FIRST_COLUMN, "failed at");
	wt_cli_put(stdout, wt_describe_code(code, text));
	if (code->instruction)
		printf(": %s", code->instruction);
	printf(", %" PRIu64 " %s before the wave was stopped\n", cause->late,
	       wt_plural(cause->late, "instruction", "instructions"));
}

/* ---- Arguments ---- */

/* Structures that are longer than this are not put into the line. */
#define ARGUMENT_TEXT 120

static void print_argument(const struct wt_explain_argument *argument)
{
	wt_cli_put(stdout, argument->label);
	if (!argument->known)
		printf(" (not recorded)");
	else if (argument->text && strlen(argument->text) <= ARGUMENT_TEXT)
		printf(" = %s", argument->text);
	else if (argument->size > sizeof(argument->value))
		printf(" (%u bytes)", argument->size);
	else if (argument->pointer || argument->value > INT32_MAX)
		printf(" = 0x%" PRIx64, argument->value);
	else
		printf(" = %" PRIu64, argument->value);
	if (argument->memory)
		printf(" (%s)", argument->memory);
}

void wt_print_arguments(const struct wt_explain_arguments *arguments)
{
	bool first = true;

	for (size_t i = 0; i < arguments->count; i++) {
		if (arguments->list[i].hidden)
			continue;
		printf("%s", first ? "arguments    " : ", ");
		print_argument(&arguments->list[i]);
		first = false;
	}
	if (!first)
		puts(arguments->overwritten ? " (overwritten after the launch)" : "");
}

static json_t *arguments_json(const struct wt_explain_arguments *arguments)
{
	json_t *array = json_array();

	for (size_t i = 0; i < arguments->count; i++) {
		struct wavetape_argument argument;

		wt_argument_facts_take(&arguments->list[i], &argument);
		json_array_append_new(array, wt_argument_facts_json(&argument));
	}
	return array;
}

/* ---- Near what ---- */

static const struct wt_explain_argument *near_argument(const struct wt_cause *cause)
{
	return cause->near.argument == SIZE_MAX ? NULL
						: &cause->arguments.parts[cause->near.argument];
}

static void print_near_argument(const struct wt_cause *cause,
				const struct wt_explain_argument *argument)
{
	const struct wt_cause_near *near = &cause->near;
	const char *name = argument->label;

	printf("             made from the kernel %s", wt_explain_argument_word(argument));
	wt_cli_put(stdout, name);
	printf(" = 0x%" PRIx64, argument->value);
	if (near->whole) {
		printf(": ");
		wt_cli_put(stdout, name);
		printf("[%" PRId64 "]", near->element);
		if (near->rest)
			printf(" + %u %s", near->rest, wt_plural(near->rest, "byte", "bytes"));
		printf(" of %u %s each\n", near->unit, wt_plural(near->unit, "byte", "bytes"));
	} else {
		printf(" and %" PRId64 " bytes\n", near->byte_offset);
	}
}

void wt_print_cause_near(const struct wt_cause *cause)
{
	const struct wt_explain_argument *argument = near_argument(cause);
	const struct wt_cause_near *near = &cause->near;

	if (!cause->wave.has_access || (!near->mapped_before && !near->mapped_after && !argument))
		return;
	printf("address      0x%" PRIx64 " in lane %u", cause->address, cause->lane);
	if (near->mapped_before)
		printf(": memory ends %" PRIu64 " %s before it, at 0x%" PRIx64,
		       cause->address - near->before_end,
		       wt_plural(cause->address - near->before_end, "byte", "bytes"),
		       near->before_end);
	if (near->mapped_after)
		printf("%s next is known %" PRIu64 " bytes behind it, at 0x%" PRIx64,
		       near->mapped_before ? ";" : ": memory", near->after_start - cause->address,
		       near->after_start);
	putchar('\n');
	if (argument)
		print_near_argument(cause, argument);
}

/* ---- Steps ---- */

static uint64_t lanes_with(const struct wavetape_step *step, uint64_t lanes, uint64_t value)
{
	uint64_t with = 0;

	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(lanes);

		if (step->values[lane] == value)
			with |= UINT64_C(1) << lane;
	}
	return with;
}

/* The followed lane's value first, then the others'. */
static void step_print_values(const struct wt_cause *cause, const struct wavetape_step *step,
			      bool uniform)
{
	uint64_t lanes = step->known_lanes, of_lane = UINT64_C(1) << cause->lane;
	char text[WT_DESCRIBE_MAX];
	uint32_t shown = 0;

	for (; lanes && shown < SHOWN_VALUES; shown++) {
		uint64_t next = !uniform && lanes & of_lane ? of_lane : lanes & -lanes;
		uint64_t value = step->values[__builtin_ctzll(next)];
		uint64_t with = lanes_with(step, lanes, value);

		printf("%s0x%" PRIx64, shown ? ", " : "", value);
		if (!uniform && (shown || with != lanes))
			printf(" (%s)", wt_describe_lanes(with, text));
		lanes &= ~with;
	}
	if (lanes)
		printf(", other values in lanes %s", wt_describe_lanes(lanes, text));
	if (!shown)
		printf("not known");
}

static void print_step(const struct wt_cause *cause, const struct wt_cause_step *step)
{
	const struct wavetape_place *code = &step->code;
	struct wavetape_step facts;
	char name[32];

	printf("  %s", step->step->indirect && step->step->part ? "  " : "");
	if (code->file) {
		wt_cli_put(stdout, wt_text_file_name(code->file));
		printf(":%u:%u ", code->line, code->column);
	}
	printf("%s\n",
	       code->instruction ? code->instruction : step->step->instruction.operation->name);
	wt_cause_step_facts(step, name, &facts);
	if (!facts.written)
		return;
	printf("      %s", facts.written);
	if (step->step->words <= 2) {
		printf(" = ");
		step_print_values(cause, &facts, step->step->file == GFX_FILE_SCALAR);
		printf("%s", facts.held ? "" : ", then overwritten");
	}
	if (facts.meaning) {
		printf(": ");
		wt_cli_put(stdout, facts.meaning);
	}
	putchar('\n');
}

/* ---- The steps that a person reads ---- */

/* Values that only move: copies, what private memory kept in between, and masks of lanes. */
static bool step_moves(const struct wt_cause_step *step)
{
	static const char *const moves[] = {"mov_", "_accvgpr_", "lane_b32", "saveexec"};

	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++)
		if (strstr(step->step->instruction.operation->name, moves[i]))
			return true;
	return !step->step->writes || step->step->private_memory;
}

static bool step_is_at(const struct wt_cause_step *step, const struct wt_cause_step *other)
{
	const struct wavetape_place *place = &step->code, *at = &other->code;

	return place->file && at->file && place->line == at->line && place->column == at->column &&
	       !strcmp(place->file, at->file);
}

/* Is a step chosen that stands at the same place of the source? */
static bool place_is_chosen(const struct wt_cause *cause, const bool *chosen, size_t position)
{
	for (size_t i = 1; i < cause->analysis.count; i++)
		if (chosen[i] && step_is_at(&cause->steps[i], &cause->steps[position]))
			return true;
	return false;
}

/*
 * The steps that carry a value: where it came from, and the latest instruction of each other place in the source. What belongs to the address
 * itself goes before what belongs to the address of a load.
 */
static size_t choose_steps(const struct wt_cause *cause, bool *chosen)
{
	size_t count = 0;

	for (int pass = 0; pass < 4; pass++)
		for (size_t i = 1; i < cause->analysis.count && count < SHOWN_STEPS; i++) {
			const struct wt_cause_step *step = &cause->steps[i];

			if (!step->step->part || step->step->indirect != (pass > 1) || chosen[i] ||
			    step_moves(step))
				continue;
			chosen[i] = pass % 2 ? step->code.file && !place_is_chosen(cause, chosen, i)
					     : step->meaning != NULL;
			count += chosen[i];
		}
	return count;
}

static size_t count_steps(const struct wt_cause *cause)
{
	size_t count = 0;

	for (size_t i = 1; i < cause->analysis.count; i++)
		count += (size_t)cause->steps[i].step->part + cause->steps[i].step->comparison;
	return count;
}

/* Comparisons of the source, each place once: others are of what the compiler made. */
static size_t choose_comparisons(const struct wt_cause *cause, bool *chosen)
{
	size_t count = 0;

	for (size_t i = 1; i < cause->analysis.count; i++) {
		chosen[i] = cause->steps[i].step->comparison && cause->steps[i].code.file &&
			    !place_is_chosen(cause, chosen, i);
		count += chosen[i];
	}
	return count;
}

/* Every step that @chosen has; NULL: all. */
static void print_parts(const struct wt_cause *cause, const bool *chosen)
{
	for (size_t i = 1; i < cause->analysis.count; i++)
		if (chosen ? chosen[i] : cause->steps[i].step->part)
			print_step(cause, &cause->steps[i]);
}

/* Comparisons decided where the wave went, or which lanes did; the latest stands first. */
static void print_comparisons(const struct wt_cause *cause, const bool *chosen)
{
	bool any = false;

	for (size_t i = 1; i < cause->analysis.count; i++) {
		if (chosen ? !chosen[i] : !cause->steps[i].step->comparison)
			continue;
		if (!any)
			puts("compared     on its way, for branches or lanes:");
		any = true;
		print_step(cause, &cause->steps[i]);
	}
}

void wt_print_cause_steps(const struct wt_cause *cause, bool all)
{
	bool chosen[WT_ANALYSIS_MAX_LISTED + 1] = {false};
	size_t count = count_steps(cause), shown;

	if (!cause->steps)
		return;
	printf("came from    %" PRIu64 " instructions on the wave's way, %zu register values as "
	       "recorded\n",
	       cause->analysis.step_count, cause->analysis.compared);
	shown = choose_steps(cause, chosen);
	print_parts(cause, all ? NULL : chosen);
	if (all && cause->analysis.more)
		printf("  and earlier ones\n");
	memset(chosen, 0, sizeof(chosen));
	shown += choose_comparisons(cause, chosen);
	print_comparisons(cause, all ? NULL : chosen);
	if (!all && shown < count)
		printf("             and %zu instructions more between them: --all\n",
		       count - shown);
}

/* ---- JSON ---- */

static json_t *values_json(const struct wavetape_step *step)
{
	json_t *values = json_object();

	for (uint64_t lanes = step->known_lanes; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
		char name[8];

		snprintf(name, sizeof(name), "%u", lane);
		json_object_set_new(values, name, wt_cli_json_hex(step->values[lane]));
	}
	return values;
}

static json_t *sources_json(const struct wt_analysis_step *step)
{
	const uint32_t step_limit = WT_ANALYSIS_MAX_LISTED;
	json_t *array = json_array();

	for (uint32_t i = 0; i < step->source_count; i++)
		if (step->sources[i] < step_limit)
			json_array_append_new(array, json_integer(step->sources[i]));
	for (uint32_t i = 0; i < step->store_count; i++)
		if (step->stores[i] < step_limit)
			json_array_append_new(array, json_integer(step->stores[i]));
	return array;
}

static json_t *step_json(const struct wt_cause_step *step)
{
	bool has_values = step->step->writes && step->step->words <= 2;
	struct wavetape_step facts;
	char name[32];

	wt_cause_step_facts(step, name, &facts);
	return wt_step_facts_json(&facts, wt_describe_code_json(&step->code),
				  sources_json(step->step),
				  has_values ? values_json(&facts) : NULL);
}

static json_t *memory_json(const struct wt_cause *cause)
{
	const struct wt_memory_owner *memory = &cause->memory;
	const struct wt_host_allocation *is = memory->allocation;

	return wt_memory_owner_facts_json(
		memory, wt_cli_json_text(cause->memory_text),
		is ? json_string(wt_memory_allocation_kind_name(is->kind)) : NULL,
		is && *is->made.function ? wt_memory_caller_facts_json(&cause->memory_made) : NULL,
		is && *is->freed.function ? wt_memory_caller_facts_json(&cause->memory_freed)
					  : NULL);
}

/* The wave has gone on: what failed is elsewhere than where it stands. */
static void late_into(const struct wt_cause *cause, json_t *json)
{
	json_t *wave = wt_describe_wave_json(&cause->wave);

	json_object_set_new(json, "late", json_integer((json_int_t)cause->late));
	json_object_set_new(json, "failed_at", wt_describe_code_json(wt_cause_code(cause)));
	json_object_set(json, "access", json_object_get(wave, "access"));
	json_decref(wave);
}

void wt_describe_cause_into(const struct wt_cause *cause, bool steps, json_t *json)
{
	const struct wt_explain_argument *argument = near_argument(cause);
	struct wavetape_cause_info facts;
	json_t *array;

	wt_cause_facts(cause, &facts);
	json_object_set_new(json, "cause", wt_cause_info_cause_json(&facts));
	json_object_set_new(json, "arguments", arguments_json(&cause->arguments));
	if (cause->has_reported)
		json_object_set_new(json, "reported", wt_cli_json_hex(cause->reported));
	if (!cause->wave.has_access && cause->memory_text)
		json_object_set_new(json, "memory", memory_json(cause));
	if (!cause->wave.has_access)
		return;
	json_object_set_new(json, "lane", json_integer(cause->lane));
	json_object_set_new(json, "address", wt_cli_json_hex(cause->address));
	json_object_set_new(json, "near",
			    wt_cause_info_near_json(
				    &facts, argument ? wt_cli_json_text(argument->label) : NULL));
	if (cause->memory_text)
		json_object_set_new(json, "memory", memory_json(cause));
	if (cause->late)
		late_into(cause, json);
	if (!cause->steps || !steps)
		return;
	array = json_array();
	for (size_t i = 0; i < cause->analysis.count; i++)
		json_array_append_new(array, step_json(&cause->steps[i]));
	json_object_set_new(json, "steps", array);
	json_object_set_new(json, "more_steps", json_boolean(cause->analysis.more));
}
