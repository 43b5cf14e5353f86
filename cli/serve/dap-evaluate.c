/* SPDX-License-Identifier: MIT */
/* Expressions, the console's words, and names that complete them. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "cli/serve/dap.h"

/* The innermost frame in which all names of an expression have a meaning, as `wavetape print` looks for it. */
static struct wt_error *dap_expression_frame(struct wt_dap *dap, struct wt_stack *stack,
					     const char *expression, size_t *frame_ret,
					     struct wt_dwarf_complaint *complaint_ret,
					     bool *is_one_ret)
{
	uint32_t count, lane = wt_dap_lane(dap, wt_stack_lanes(stack, &count));
	struct wt_stack_object object = {.expression = expression};

	/* A stack has a frame: the innermost one's complaint counts if no other knows the names. */
	do {
		struct wt_stack_object_info info;
		struct wt_dwarf_complaint complaint;
		struct wt_error *error;

		error = wt_stack_show_object(stack, &object, lane, NULL, &info, is_one_ret,
					     &complaint);
		if (error)
			return error;
		if (!object.frame || (!*is_one_ret && !complaint.is_name))
			*complaint_ret = complaint;
		if (*is_one_ret || !complaint.is_name) {
			*frame_ret = object.frame;
			return NULL;
		}
	} while (++object.frame < wt_stack_count(stack));
	*frame_ret = 0;
	*is_one_ret = false;
	return NULL;
}

static struct wt_error *expression_evaluate(struct wt_dap *dap, const json_t *arguments,
					    const char *expression, bool full, json_t **body_ret)
{
	static const char what[] = "cannot evaluate";
	struct wt_stack_object object = {.expression = expression};
	struct wt_dwarf_complaint complaint;
	struct wt_dap_frame frame;
	struct wt_stack *stack;
	bool is_one = true;
	struct wt_error *error = wt_dap_frame_find(dap, arguments, what, &frame, &stack);

	if (error)
		return error;
	object.frame = frame.index;
	if (!json_object_get(arguments, "frameId"))
		error = dap_expression_frame(dap, stack, expression, &object.frame, &complaint,
					     &is_one);
	if (!error && is_one)
		error = wt_dap_object_json(dap, stack, frame.wave, &object, "result", expression,
					   full, body_ret, &is_one, &complaint);
	if (error || is_one)
		return error;
	return wt_error_create(WT_ERROR_INPUT, what, expression, "at character %zu: %s",
			       complaint.position + 1, complaint.text);
}

/* Words for the console. */
static const char help[] =
	"An expression in the syntax of C, over variables and registers: a[i].b, *p, $v4\n"
	"lane N          look at lane N\n"
	"stop N          go to stop N\n"
	"explain         where the address of the fault came from, and the cause\n"
	"way             how far the wave can be walked\n"
	"step N          go to step N of the wave's way\n"
	"step back       a line back; run back: to the last breakpoint, or to the launch\n"
	"last-write X    go to where a variable, a register or memory was written last\n"
	"first-read X    go to where it is read first; X may end in \"in lane N\"\n";

static struct wt_error *console_explain(struct wt_dap *dap, char **text_ret)
{
	struct wt_cli_capture capture;
	struct wt_error *error, *end;

	if (!dap->wave)
		return wt_dap_wrong("cannot explain", "there is no wave");
	error = wt_cli_capture_begin(&capture);
	if (error)
		return error;
	error = wt_cli_explain_print(dap->opened->explainer, dap->wave, dap->opened->stop,
				     &dap->maps);
	end = wt_cli_capture_end(&capture, text_ret);
	if (!error)
		return end;
	wt_error_destroy(end);
	return error;
}

static void console_answer(const char *text, json_t **body_ret)
{
	*body_ret =
		json_pack("{s:o, s:i}", "result", wt_cli_json_text(text), "variablesReference", 0);
}

/* Return: true if it was such a word. */
static bool console_run(struct wt_dap *dap, const char *line, json_t **body_ret,
			struct wt_error **error_ret)
{
	wt_cleanup_free char *text = NULL;
	unsigned int number;
	char end;

	if (!strcmp(line, "help")) {
		console_answer(help, body_ret);
	} else if (!strcmp(line, "explain")) {
		*error_ret = console_explain(dap, &text);
		if (!*error_ret)
			console_answer(text, body_ret);
	} else if (sscanf(line, "lane %u%c", &number, &end) == 1) {
		*error_ret = wt_dap_take_lane(dap, number > 63 ? 64 : (json_int_t)number);
		text = wt_text("lane %u is in focus", number);
		if (!*error_ret)
			console_answer(text, body_ret);
	} else if (sscanf(line, "stop %u%c", &number, &end) == 1) {
		*error_ret = number ? wt_dap_go_stop(dap, number)
				    : wt_dap_wrong("cannot go there", "stops are counted from 1");
		text = wt_text("stop %u", number);
		if (!*error_ret) {
			console_answer(text, body_ret);
			wt_dap_tell_stop(dap, "goto", NULL);
		}
	} else if (wt_dap_console_way(dap, line, &text, error_ret)) {
		if (!*error_ret)
			console_answer(text, body_ret);
	} else {
		return false;
	}
	return true;
}

static struct wt_error *handle_evaluate(struct wt_dap *dap, const json_t *arguments,
					json_t **body_ret)
{
	const char *expression = wt_dap_text(arguments, "expression"),
		   *context = wt_dap_text(arguments, "context");
	bool console = context && !strcmp(context, "repl");
	struct wt_error *error = NULL;

	if (!expression)
		return wt_dap_wrong("cannot evaluate", "expression is missing");
	if (console && console_run(dap, expression, body_ret, &error))
		return error;
	return expression_evaluate(dap, arguments, expression,
				   console || (context && !strcmp(context, "clipboard")), body_ret);
}

/* The name that stands before the cursor. */
static const char *completion_word(const char *text, size_t column)
{
	size_t start = column;

	while (start && (strchr("_$", text[start - 1]) ||
			 (text[start - 1] >= 'a' && text[start - 1] <= 'z') ||
			 (text[start - 1] >= 'A' && text[start - 1] <= 'Z') ||
			 (text[start - 1] >= '0' && text[start - 1] <= '9')))
		start--;
	return text + start;
}

static struct wt_error *handle_completions(struct wt_dap *dap, const json_t *arguments,
					   json_t **body_ret)
{
	static const char what[] = "cannot complete";
	const char *text = wt_dap_text(arguments, "text"), *word;
	json_int_t column;
	struct wt_dap_frame frame;
	struct wt_stack *stack;
	size_t count, length;
	json_t *targets;
	struct wt_error *error =
		wt_dap_number(arguments, "column", 0, INT32_MAX, INT32_MAX, &column);

	if (!error && !text)
		error = wt_dap_wrong(what, "text is missing");
	if (!error)
		error = wt_dap_frame_find(dap, arguments, what, &frame, &stack);
	if (!error)
		error = wt_stack_variables(stack, frame.index, &count);
	if (error)
		return error;
	length = strlen(text);
	if (!dap->client.columns_from_0 && column)
		column--;
	if ((size_t)column < length)
		length = (size_t)column;
	word = completion_word(text, length);
	length -= (size_t)(word - text);
	targets = json_array();
	for (size_t i = 0; i < count; i++) {
		struct wt_stack_variable variable;

		wt_stack_variable(stack, frame.index, i, &variable);
		if (variable.name && !variable.is_shadowed && !strncmp(variable.name, word, length))
			json_array_append_new(targets, json_pack("{s:o, s:s}", "label",
								 wt_cli_json_text(variable.name),
								 "type", "variable"));
	}
	*body_ret = json_pack("{s:o}", "targets", targets);
	return NULL;
}

const struct wt_dap_command wt_dap_evaluate_commands[] = {
	{"evaluate", handle_evaluate, false},
	{"completions", handle_completions, false},
	{NULL, NULL, false},
};
