/* SPDX-License-Identifier: MIT */
/* `wavetape way`: the instructions that a wave executed before it stopped, and questions on them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/facts.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "replayer/view/explain-cause.h"

/* ---- Steps, registers and values as JSON and as text ---- */

const char *wt_cli_way_value(const struct wt_way_value *value, char text_ret[WT_CLI_WAY_VALUE])
{
	if (value->status == WT_WAY_NOT_KNOWN && !value->may_be)
		return "?";
	snprintf(text_ret, WT_CLI_WAY_VALUE, "0x%" PRIx64 "%s", value->value,
		 value->may_be ? "?" : "");
	return text_ret;
}

void wt_cli_way_word(const struct wt_way_touch *touch, uint32_t word, char name[24])
{
	size_t digits = strcspn(touch->name, "0123456789"), length = strlen(touch->name);

	if (word == 1 && length > 3 && !strcmp(touch->name + length - 3, "_lo"))
		snprintf(name, 24, "%.*s_hi", (int)length - 3, touch->name);
	else if (!word || !touch->name[digits])
		snprintf(name, 24, "%s", touch->name);
	else
		snprintf(name, 24, "%.*s%lu", (int)digits, touch->name,
			 strtoul(touch->name + digits, NULL, 10) + word);
}

static json_t *way_value_json(const struct wt_way_value *value)
{
	struct wavetape_way_value facts;

	wt_way_value_facts(value, &facts);
	return wt_way_value_facts_json(&facts);
}

/* The values of a touch's registers where the way stands now. */
static json_t *touch_values_json(struct wt_way *way, const struct wt_way_touch *touch,
				 uint32_t lane)
{
	json_t *values = json_array();
	struct wt_way_value value;
	char name[24];

	for (uint32_t word = 0; word < touch->words; word++) {
		wt_cli_way_word(touch, word, name);
		if (wt_way_register(way, name, lane, &value))
			json_array_append_new(values, way_value_json(&value));
	}
	return values;
}

/* Addresses by lane, of those that are known. */
static json_t *touch_addresses_json(const struct wt_way_touch *touch)
{
	json_t *addresses;
	char name[16];

	if (!touch->memory)
		return NULL;
	addresses = json_object();
	for (uint64_t left = touch->lanes; left; left &= left - 1) {
		int lane = __builtin_ctzll(left);

		snprintf(name, sizeof(name), "%d", lane);
		json_object_set_new(addresses, name,
				    wt_cli_json_hex(touch->access->addresses[lane]));
	}
	return addresses;
}

/* The lane of the values is told where it is not that of the step. */
static json_t *touch_json(struct wt_way *way, const struct wt_way_touch *touch, uint32_t lane)
{
	uint32_t touched = wt_way_touched_lane(touch, lane);
	struct wavetape_way_touch facts;
	json_t *json;

	wt_way_touch_facts(touch, &facts);
	json = wt_way_touch_facts_json(&facts, touch_addresses_json(touch),
				       touch->memory ? NULL
						     : touch_values_json(way, touch, touched));
	if (touched != lane)
		json_object_set_new(json, "lane", json_integer(touched));
	return json;
}

/* @write: whether the way stands behind the step, so that what was written is there; of what is read before it. */
static json_t *touches_json(struct wt_way *way, const struct wt_way_step *step, bool write,
			    uint32_t lane)
{
	json_t *array = json_array();

	for (size_t i = 0; i < step->touch_count; i++) {
		if (step->touches[i].write == write)
			json_array_append_new(array, touch_json(way, &step->touches[i], lane));
	}
	return array;
}

static struct wt_error *way_step_json(struct wt_way *way, uint32_t lane, uint64_t next,
				      json_t **json_ret)
{
	struct wavetape_way_step facts;
	struct wt_way_step step;
	json_t *reads;
	bool has;
	struct wt_error *error = wt_way_step(way, &has, &step);

	*json_ret = NULL;
	if (error || !has)
		return error;
	lane = wt_way_lane(way, lane);
	reads = touches_json(way, &step, false, lane);
	wt_way_step_facts(&step, &facts);
	error = wt_way_go(way, next);
	if (!error) {
		*json_ret = wt_way_step_facts_json(&facts, wt_describe_code_json(&step.place),
						   reads, touches_json(way, &step, true, lane));
		json_object_set_new(*json_ret, "lane", json_integer(lane));
	} else {
		json_decref(reads);
	}
	wt_way_step_deinit(&step);
	return error;
}

/*
 * Describe steps of a way, with the values that each has written in a lane. The way goes there, and stays behind the last.
 *
 * @lane: as wt_way_lane() has it, in each.
 * @from: the position before the first step. @count: of steps; fewer where the way ends, or positions are left out.
 * @json_ret: an array.
 */
static struct wt_error *way_steps_json(struct wt_way *way, uint32_t lane, uint64_t from,
				       uint64_t count, json_t **json_ret)
{
	struct wt_error *error = wt_way_go(way, from);
	json_t *array = json_array(), *step;
	uint64_t next;

	while (!error && count-- && wt_way_next(way, false, &next) &&
	       next == wt_way_position(way) + 1) {
		error = way_step_json(way, lane, next, &step);
		if (!error && step)
			json_array_append_new(array, step);
	}
	if (error) {
		json_decref(array);
		return error;
	}
	*json_ret = array;
	return NULL;
}

static void print_writes(struct wt_way *way, const struct wt_way_step *step, uint32_t lane)
{
	char text[WT_CLI_WAY_VALUE], name[24];
	struct wt_way_value value;

	for (size_t i = 0; i < step->touch_count; i++) {
		const struct wt_way_touch *touch = &step->touches[i];
		char of_lane[24] = "";
		uint32_t touched;

		if (!touch->write)
			continue;
		if (touch->memory && !(touch->lanes >> lane & 1)) {
			printf("  %s [?]", wt_access_space_name(touch->access->space));
			continue;
		}
		if (touch->memory) {
			printf("  %s [0x%" PRIx64 "]", wt_access_space_name(touch->access->space),
			       touch->access->addresses[lane]);
			continue;
		}
		touched = wt_way_touched_lane(touch, lane);
		if (touched != lane)
			snprintf(of_lane, sizeof(of_lane), " of lane %u", touched);
		for (uint32_t word = 0; word < touch->words; word++) {
			wt_cli_way_word(touch, word, name);
			if (wt_way_register(way, name, touched, &value))
				printf("  %s%s = %s", name, of_lane,
				       wt_cli_way_value(&value, text));
		}
	}
}

static struct wt_error *way_step_print(struct wt_way *way, uint32_t lane, uint64_t next)
{
	char line[64] = "";
	struct wt_way_step step;
	bool has;
	struct wt_error *error = wt_way_step(way, &has, &step);

	if (error)
		return error;
	if (!has)
		return wt_way_go(way, next);
	lane = wt_way_lane(way, lane);
	if (step.place.file)
		snprintf(line, sizeof(line), "%.40s:%u", wt_text_file_name(step.place.file),
			 step.place.line);
	printf("%10" PRIu64 "  ", step.position);
	wt_cli_put_padded(line, 24);
	printf("  0x%" PRIx64 "  ", step.place.address);
	wt_cli_put_padded(step.place.instruction ? step.place.instruction : "?", 44);
	error = wt_way_go(way, next);
	if (!error)
		print_writes(way, &step, lane);
	putchar('\n');
	wt_way_step_deinit(&step);
	return error;
}

/* The same as text on stdout, a line for each. */
static struct wt_error *way_steps_print(struct wt_way *way, uint32_t lane, uint64_t from,
					uint64_t count)
{
	struct wt_error *error = wt_way_go(way, from);
	uint64_t next;

	while (!error && count-- && wt_way_next(way, false, &next) &&
	       next == wt_way_position(way) + 1)
		error = way_step_print(way, lane, next);
	return error;
}

/* Registers where the way stands, in a lane: {"s0": {"status": ..}}; those that have one value for all lanes, too. */
static json_t *way_registers_json(struct wt_way *way, uint32_t lane)
{
	json_t *registers = json_object();
	size_t count = wt_way_register_count(way);

	lane = wt_way_lane(way, lane);
	for (size_t i = 0; i < count; i++) {
		struct wt_way_value value;
		const char *name;
		bool vector;

		if (wt_way_register_at(way, i, &name, &vector) &&
		    wt_way_register(way, name, lane, &value))
			json_object_set_new(registers, name, way_value_json(&value));
	}
	return registers;
}

enum {
	KEY_AT = 0x100,
	KEY_FROM,
	KEY_LAST_WRITE,
	KEY_FIRST_READ,
	KEY_TO,
	KEY_WHEN,
	KEY_CHANGE,
	KEY_BACK,
	KEY_REGISTERS,
	KEY_INSTRUCTIONS,
};

#define STEPS_SHOWN 20u

struct options {
	struct wt_cli_trace trace;
	struct wt_way_options way;
	uint64_t lane, count, at;
	bool has_lane, has_count, has_at, back, registers;
	const char *last_write, *first_read;
	struct wt_way_until until;
	struct wt_way_address address; /* of the instruction that is gone to */
	bool has_until;
	char *file; /* of the line that is gone to */
	struct wt_way_found found;
	bool has_found;
};

static const struct argp_option way_options[] = {
	{"count", 'n', "N", 0,
	 "so many instructions (default 20): those before where the way stands", 0},
	{"lane", 'l', "LANE", 0,
	 "values in this lane (default: the first whose access failed, or the first that is "
	 "active)",
	 0},
	{"at", KEY_AT, "POSITION", 0,
	 "go to this position: 0 is where the way begins; without it, the stop", 0},
	{"from", KEY_FROM, "WHERE", 0,
	 "follow the wave from its `launch`, or from the last recorded `stop` of it before "
	 "(default: "
	 "the launch if that leads there, else the stop)",
	 0},
	{"instructions", KEY_INSTRUCTIONS, "N", 0, "follow no more instructions (default 4000000)",
	 0},
	{"last-write", KEY_LAST_WRITE, "WHAT", 0,
	 "go to the instruction that wrote a register (v3, s[4:5]), memory (0x7f00, `private "
	 "16:8`) "
	 "or a variable (i, p->x) last",
	 0},
	{"first-read", KEY_FIRST_READ, "WHAT", 0, "go to the first instruction that reads it", 0},
	{"to", KEY_TO, "PLACE", 0, "go on to a line (FILE:LINE) or an instruction (0xADDRESS)", 0},
	{"when", KEY_WHEN, "EXPRESSION", 0,
	 "go on to where this becomes true, or with --to: where it is true there", 0},
	{"change", KEY_CHANGE, "EXPRESSION", 0, "go on to where the value of this changes", 0},
	{"back", KEY_BACK, NULL, 0, "go back, not on: with --to, --when, --change", 0},
	{"registers", KEY_REGISTERS, NULL, 0, "the registers there, too", 0},
	{0},
};

/* "main.hip:12" or "0x1f00". */
static void parse_place(struct options *options, char *text, struct argp_state *state)
{
	char *colon = strrchr(text, ':');
	uint64_t line;

	if (colon && wt_cli_number(colon + 1, &line) && line && line <= UINT32_MAX) {
		options->file = strndup(text, (size_t)(colon - text));
		options->until.file = options->file;
		options->until.line = (uint32_t)line;
		options->until.kind = WT_WAY_UNTIL_LINE;
		if (!options->file)
			argp_failure(state, 1, 0, "out of memory");
	} else if (wt_cli_number(text, &options->address.address)) {
		options->until.addresses = &options->address;
		options->until.address_count = 1;
		options->until.kind = WT_WAY_UNTIL_INSTRUCTION;
	} else {
		argp_error(state, "--to takes FILE:LINE or an address, not '%s'", text);
	}
	options->has_until = true;
}

static void way_parse_number(const char *name, const char *argument, uint64_t *number_ret,
			     bool *has, struct argp_state *state)
{
	if (!wt_cli_number(argument, number_ret))
		argp_error(state, "--%s takes a number, not '%s'", name, argument);
	*has = true;
}

static void way_check(const struct options *options, struct argp_state *state)
{
	if (!!options->last_write + !!options->first_read + options->has_until > 1)
		argp_error(state, "one of --last-write, --first-read and --to, --when or --change "
				  "is answered");
	if (options->back && !options->has_until)
		argp_error(state, "--back goes with --to, --when or --change");
	if (options->has_lane && options->lane > 63)
		argp_error(state, "--lane takes 0 to 63, not '%" PRIu64 "'", options->lane);
}

static error_t way_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	bool has;

	switch (key) {
	case 'n':
		way_parse_number("count", argument, &options->count, &options->has_count, state);
		return 0;
	case 'l':
		way_parse_number("lane", argument, &options->lane, &options->has_lane, state);
		return 0;
	case KEY_AT:
		way_parse_number("at", argument, &options->at, &options->has_at, state);
		return 0;
	case KEY_INSTRUCTIONS:
		way_parse_number("instructions", argument, &options->way.instructions, &has, state);
		return 0;
	case KEY_FROM:
		if (strcmp(argument, "launch") != 0 && strcmp(argument, "stop") != 0)
			argp_error(state, "--from takes launch or stop, not '%s'", argument);
		options->way.from =
			!strcmp(argument, "stop") ? WT_WAY_FROM_STOP : WT_WAY_FROM_LAUNCH;
		return 0;
	case KEY_LAST_WRITE:
		options->last_write = argument;
		return 0;
	case KEY_FIRST_READ:
		options->first_read = argument;
		return 0;
	case KEY_TO:
		parse_place(options, argument, state);
		return 0;
	case KEY_WHEN:
		options->until.text = argument;
		if (!options->has_until)
			options->until.kind = WT_WAY_UNTIL_CONDITION;
		options->has_until = true;
		return 0;
	case KEY_CHANGE:
		options->until.text = argument;
		options->until.kind = WT_WAY_UNTIL_CHANGE;
		options->has_until = true;
		return 0;
	case KEY_BACK:
		options->back = true;
		return 0;
	case KEY_REGISTERS:
		options->registers = true;
		return 0;
	case ARGP_KEY_END:
		way_check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Goes to where it was asked for. */
static struct wt_error *way_go_where_asked(struct options *options, struct wt_way *way)
{
	struct wt_way_target target = {.lane = options->has_lane ? (uint32_t)options->lane
								 : UINT32_MAX};
	struct wt_error *error = options->has_at ? wt_way_go(way, options->at) : NULL;

	if (error)
		return error;
	options->until.lane = target.lane;
	options->has_found = options->last_write || options->first_read || options->has_until;
	if (options->last_write) {
		target.text = options->last_write;
		error = wt_way_last_write(way, &target, &options->found);
	} else if (options->first_read) {
		target.text = options->first_read;
		error = wt_way_first_read(way, &target, &options->found);
	} else if (options->has_until) {
		return wt_way_run(way, options->back, &options->until, 1, &options->found);
	}
	if (!error && options->has_found &&
	    (options->found.answer == WT_WAY_FOUND || options->found.answer == WT_WAY_UNCERTAIN))
		error = wt_way_go(way, options->found.position);
	return error;
}

static const char *answer_name(enum wt_way_answer answer)
{
	static const char *const names[] = {
		[WT_WAY_FOUND] = "found",	[WT_WAY_NOWHERE] = "nowhere",
		[WT_WAY_IN_CUT] = "left out",	[WT_WAY_UNCERTAIN] = "may be",
		[WT_WAY_GIVEN_UP] = "given up",
	};

	return names[answer];
}

/* Steps that are shown: those before where the way stands; of an answer the one that is meant, and those before it. */
static void shown_steps(const struct options *options, const struct wt_way *way, uint64_t *from_ret,
			uint64_t *count_ret)
{
	const struct wt_way_summary *summary = wt_way_summary(way);
	uint64_t end = wt_way_position(way);
	uint64_t count = options->has_count ? options->count : STEPS_SHOWN;

	if (options->has_found && end < summary->steps)
		end++;
	count = count < end ? count : end;
	if (summary->cut_count && end >= summary->cut_from + summary->cut_count &&
	    end - count < summary->cut_from + summary->cut_count)
		count = end - summary->cut_from - summary->cut_count;
	*from_ret = end - count;
	*count_ret = count;
}

static struct wt_error *way_put_json(struct options *options, struct wt_way *way, json_t **json_ret)
{
	uint32_t lane = options->has_lane ? (uint32_t)options->lane : UINT32_MAX;
	uint64_t position = wt_way_position(way), from, count;
	struct wavetape_way_info facts;
	json_t *steps = NULL;
	struct wt_error *error;

	wt_way_facts(way, &facts);
	shown_steps(options, way, &from, &count);
	*json_ret = json_pack("{s:I, s:o, s:I}", "wave", (json_int_t)options->trace.wave, "way",
			      wt_way_info_facts_json(&facts), "position", (json_int_t)position);
	if (options->has_found)
		json_object_set_new(*json_ret, "answer",
				    json_string(answer_name(options->found.answer)));
	if (options->registers)
		json_object_set_new(*json_ret, "registers", way_registers_json(way, lane));
	error = way_steps_json(way, lane, from, count, &steps);
	if (!error)
		json_object_set_new(*json_ret, "steps", steps);
	return error;
}

static void print_registers(struct wt_way *way, uint32_t lane)
{
	char text[WT_CLI_WAY_VALUE];

	lane = wt_way_lane(way, lane);
	for (size_t i = 0; i < wt_way_register_count(way); i++) {
		struct wt_way_value value;
		const char *name;
		bool vector;

		if (!wt_way_register_at(way, i, &name, &vector) ||
		    !wt_way_register(way, name, lane, &value))
			continue;
		wt_cli_put_padded(name, 14);
		printf(" %-18s %s%s%s\n", wt_cli_way_value(&value, text),
		       wt_way_status_name(value.status), value.why ? ": " : "",
		       value.why ? value.why : "");
	}
}

static struct wt_error *way_put(struct options *options, struct wt_way *way, uint32_t stop)
{
	uint32_t lane = options->has_lane ? (uint32_t)options->lane : UINT32_MAX;
	uint64_t failed = wt_way_summary(way)->failed_lanes, from, count;
	wt_cleanup_free char *text = NULL;
	struct wt_error *error = wt_way_describe(way, &text);

	if (error)
		return error;
	printf("stop %u, wave w%" PRIu64 ": ", stop, options->trace.wave);
	wt_cli_put(stdout, text);
	if (!options->has_lane && failed)
		printf("; values of lane %d, whose access failed, where it is active",
		       __builtin_ctzll(failed));
	putchar('\n');
	if (options->has_found && options->found.answer != WT_WAY_FOUND)
		printf("answer: %s\n", answer_name(options->found.answer));
	if (options->registers)
		print_registers(way, lane);
	shown_steps(options, way, &from, &count);
	return way_steps_print(way, lane, from, count);
}

/* An error of the way does not know of which trace it is. */
static struct wt_error *way_show_wave(struct options *options, struct wt_explainer *explainer,
				      uint32_t stop, json_t **json_ret)
{
	struct wt_way *way = NULL;
	struct wt_error *error = wt_way_create(explainer, options->trace.wave, &options->way, &way);

	if (!error)
		error = way_go_where_asked(options, way);
	if (!error)
		error = options->trace.json ? way_put_json(options, way, json_ret)
					    : way_put(options, way, stop);
	wt_way_destroy(way);
	return error ? wt_error_prefix(error, options->trace.path) : NULL;
}

static struct wt_error *way_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	struct wt_explainer *explainer = NULL;
	struct wt_view *view = NULL;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(trace, &view, &stop);

	if (!error)
		error = wt_cli_choose_wave("cannot follow a wave", trace, view);
	if (!error)
		error = wt_explainer_create(view, &explainer);
	if (!error)
		error = way_show_wave(options, explainer, stop, json_ret);
	wt_explainer_destroy(explainer);
	wt_view_close(view);
	free(options->file);
	options->file = NULL;
	return error;
}

int wt_command_way(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.arguments = "FILE",
		.doc = "Print the instructions that a wave executed before it stopped, and what "
		       "each "
		       "wrote, as they are known by executing the wave once more: a value with a "
		       "question mark may be another one.\v"
		       "Examples:\n"
		       "  wavetape way crash.wtape\n"
		       "  wavetape way crash.wtape --last-write v3 --lane 5\n"
		       "  wavetape way crash.wtape --back --to main.hip:12 --when 'i == 12'",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.own = {.options = way_options, .parser = way_parse},
		.show = way_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
