/* SPDX-License-Identifier: MIT */
/* `wavetape print`: the value of an expression, lane by lane. */
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/look/frame.h"
#include "cli/look/show.h"
#include "cli/look/variable-value.h"
#include "cli/output.h"

struct options {
	struct wt_cli_frame frame; /* first, for its parser */
	const char *expression;
	/* While lanes are shown: */
	struct wt_error *error;
	bool lacks_name; /* the error: a name has no meaning in the frame */
	char *outer;	 /* " (of #2 caller)", where that is not the frame that was asked for */
	char type[WT_DWARF_MAX_TYPE];
	/* The text behind `whatis` and `ptype`; NULL without such a word */
	const char *typed;
	bool is_whole;
	char *definition;
};

/* The text behind a word and blanks; NULL if the text does not begin with it. */
static const char *text_behind(const char *text, const char *word)
{
	size_t length = strlen(word);

	text += strspn(text, " \t");
	if (strncmp(text, word, length) != 0 || !strchr(" \t", text[length]) || !text[length])
		return NULL;
	text += length;
	return text + strspn(text, " \t");
}

/* A variable of such a name is meant before the word. */
static void options_take_words(struct options *options)
{
	static const char *const words[] = {"whatis", "ptype"};
	size_t count;

	wt_error_destroy(wt_stack_variables(options->frame.stack, options->frame.number, &count));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !options->typed; i++) {
		options->is_whole = i == 1;
		if (!wt_stack_has_variable(options->frame.stack, options->frame.number, words[i]))
			options->typed = text_behind(options->expression, words[i]);
	}
}

static bool type_find(struct options *options, uint32_t lane, struct wt_dwarf_complaint *complaint)
{
	free(options->definition);
	options->error = wt_stack_print_type(options->frame.stack, options->frame.number, lane,
					     options->typed, options->is_whole,
					     &options->definition, complaint);
	complaint->position += (size_t)(options->typed - options->expression);
	return options->definition;
}

static error_t print_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (options->expression)
			argp_error(state,
				   "one EXPRESSION is printed: '%s' stands behind it; quote it",
				   argument);
		options->expression = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->expression)
			argp_error(state, "print what? EXPRESSION is missing");
		return wt_cli_frame_parse(key, argument, state);
	default:
		return wt_cli_frame_parse(key, argument, state);
	}
}

static void print_show_lane(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink)
{
	struct options *options = opaque;
	struct wt_dwarf_complaint complaint;
	bool is_one = false;

	if (options->error)
		return;
	options_take_words(options);
	if (options->typed)
		is_one = type_find(options, lane, &complaint);
	else
		options->error = wt_stack_print(options->frame.stack, options->frame.number, lane,
						options->expression, sink, options->type, &is_one,
						&complaint);
	options->lacks_name = !options->error && !is_one && complaint.is_name;
	if (!options->error && !is_one)
		options->error =
			wt_error_create(WT_ERROR_INPUT, "cannot print", options->expression,
					"at character %zu: %s%s", complaint.position + 1,
					complaint.text, options->outer ? options->outer : "");
}

/* A sink for finding out whether there is a value at all, and of which type. */
static void skip_open(void *opaque, enum wt_dwarf_opened what)
{
	(void)opaque;
	(void)what;
}

static void skip_label(void *opaque, const struct wt_dwarf_label *label)
{
	(void)opaque;
	(void)label;
}

static void skip(void *opaque)
{
	(void)opaque;
}

static void skip_text(void *opaque, const char *text)
{
	(void)opaque;
	(void)text;
}

static void skip_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	(void)opaque;
	(void)scalar;
}

static void skip_string(void *opaque, const char *text, size_t length)
{
	(void)opaque;
	(void)text;
	(void)length;
}

static void skip_count(void *opaque, uint64_t count)
{
	(void)opaque;
	(void)count;
}

static struct wt_error *print_check_options(struct options *options)
{
	static const struct wt_dwarf_sink sink = {
		.open = skip_open,
		.reference = skip_count,
		.close = skip,
		.member = skip_label,
		.scalar = skip_scalar,
		.text = skip_string,
		.unknown = skip_text,
		.more = skip_count,
	};
	uint64_t lanes = options->frame.lanes.lanes;

	print_show_lane(options, lanes ? (uint32_t)__builtin_ctzll(lanes) : 0, &sink);
	return options->error;
}

static struct wt_error *check_in_caller(struct options *options, size_t number)
{
	const char *function = wt_stack_frame(options->frame.stack, number)->function;
	char name[1024];

	free(options->outer);
	options->outer = NULL;
	options->error = NULL;
	options->lacks_name = false;
	options->frame.number = number;
	if (asprintf(&options->outer, " (of #%zu %s)", number,
		     wt_visible(function ? function : "?", name, sizeof(name))) < 0) {
		options->outer = NULL;
		return &wt_error_no_memory;
	}
	return print_check_options(options);
}

/*
 * Unless a frame was asked for, the expression is of the innermost one in which all of its names have a meaning: one frame for
 * all of them, for a name may mean something else further out. Where there is none, the innermost one says what it lacks.
 */
static struct wt_error *expression_find_frame(struct options *options)
{
	struct wt_error *innermost = print_check_options(options), *error = innermost;

	if (options->frame.has_number || !error || !options->lacks_name)
		return error;
	for (size_t i = 1; i < wt_stack_count(options->frame.stack); i++) {
		error = check_in_caller(options, i);
		if (!error || !options->lacks_name) {
			wt_error_destroy(innermost);
			return error;
		}
		wt_error_destroy(error);
	}
	options->frame.number = 0;
	return innermost;
}

static void type_put(const struct options *options)
{
	printf("type = ");
	wt_cli_put_lines(stdout, options->definition);
	putchar('\n');
}

static struct wt_error *put_values(struct options *options)
{
	char type[4 * WT_DWARF_MAX_TYPE], expression[1024], *head = NULL;
	struct wt_error *error;

	if (asprintf(&head, "(%s) %s%s", wt_visible(options->type, type, sizeof(type)),
		     wt_visible(options->expression, expression, sizeof(expression)),
		     options->outer ? options->outer : "") < 0)
		return &wt_error_no_memory;
	error = wt_cli_put_values(head, &options->frame.lanes, print_show_lane, options);
	free(head);
	return error ? error : options->error;
}

struct wt_error *wt_cli_expression_print(struct wt_stack *stack, size_t number,
					 const char *expression, bool each)
{
	uint32_t count;
	struct options options = {
		.expression = expression,
		.frame =
			{
				.number = number,
				.stack = stack,
				.lanes = {.lanes = wt_stack_lanes(stack, &count), .each = each},
			},
	};
	struct wt_error *error = print_check_options(&options);

	if (!error && options.typed)
		type_put(&options);
	else if (!error)
		error = put_values(&options);
	free(options.definition);
	return error;
}

static struct wt_error *print_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	struct wt_error *error = wt_cli_frame_open(&options->frame, trace, "cannot print");
	json_t *values;

	if (!error)
		error = expression_find_frame(options);
	if (!error && !trace->json) {
		wt_cli_put_frame_head(&options->frame, trace);
		error = options->typed ? NULL : put_values(options);
		if (options->typed)
			type_put(options);
	} else if (!error && options->typed) {
		*json_ret = wt_cli_frame_head_json(&options->frame, trace);
		json_object_set_new(*json_ret, "expression", wt_cli_json_text(options->expression));
		json_object_set_new(*json_ret, "type", wt_cli_json_text(options->definition));
	} else if (!error) {
		values = wt_cli_values_json(&options->frame.lanes, print_show_lane, options);
		*json_ret = wt_cli_frame_head_json(&options->frame, trace);
		json_object_set_new(*json_ret, "expression", wt_cli_json_text(options->expression));
		json_object_set_new(*json_ret, "type", wt_cli_json_text(options->type));
		json_object_set_new(*json_ret, "values", values);
		error = options->error;
	}
	free(options->outer);
	free(options->definition);
	wt_cli_frame_close(&options->frame);
	return error;
}

int wt_command_print(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.arguments = "FILE EXPRESSION",
		.doc = "Print the value of an expression in the syntax of C over the variables of "
		       "the "
		       "function where a wave stopped, or else of the innermost caller that has "
		       "them all: a[i].b, *p, &x, (float)n, sizeof x, "
		       "arithmetic, "
		       "four elements from one on (a[2]@4), and registers ($v4, $exec). Pointers "
		       "are followed through recorded memory. "
		       "`ptype x` shows what a type or an expression's type is made of, `whatis x` "
		       "its name. "
		       "One "
		       "line where all active lanes agree, else the different values with their "
		       "lanes.\v"
		       "Examples:\n"
		       "  wavetape print crash.wtape 'out[i]'\n"
		       "  wavetape print crash.wtape --frame 1 'n * 4 + $v4'\n"
		       "  wavetape print crash.wtape 'ptype node'",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.own = {.options = wt_cli_frame_options, .parser = print_parse},
		.show = print_show,
	};
	struct options options = {0};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, &options);
}
