/* SPDX-License-Identifier: MIT */
/* `wavetape locals`: variables and arguments of a function where a wave stopped, lane by lane. */
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/look/frame.h"
#include "cli/look/show.h"
#include "cli/look/variable-value.h"
#include "cli/output.h"

struct shown {
	struct wt_stack *stack;
	size_t frame, variable;
	bool is_declared; /* in one of the lanes that were shown */
};

static void locals_show_lane(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink)
{
	struct shown *shown = opaque;

	if (wt_stack_show(shown->stack, shown->frame, shown->variable, lane, sink))
		shown->is_declared = true;
}

/* "int i", with what tells it from another one of the name. */
static char *variable_describe(const struct wt_stack_variable *variable)
{
	char type[4 * WT_DWARF_MAX_TYPE], name[4 * WT_DWARF_MAX_TYPE], *head = NULL;

	if (asprintf(&head, "%s %s%s", wt_visible(variable->type, type, sizeof(type)),
		     wt_visible(variable->name, name, sizeof(name)),
		     variable->is_shadowed ? " (of an outer block)" : "") < 0)
		return NULL;
	return head;
}

static struct wt_error *locals_show_text(struct shown *shown,
					 const struct wt_stack_variable *variable,
					 const struct wt_cli_lanes *lanes)
{
	char *head = variable_describe(variable);
	struct wt_error *error;

	if (!head)
		return &wt_error_no_memory;
	error = wt_cli_put_values(head, lanes, locals_show_lane, shown);
	free(head);
	return error;
}

static json_t *locals_variable_json(const struct wt_stack_variable *variable,
				    const struct wt_cli_lanes *lanes, struct shown *shown)
{
	struct wavetape_variable facts;
	json_t *json;

	wt_variable_facts_take(variable, &facts);
	shown->is_declared = false;
	json = wt_variable_facts_json(&facts, wt_cli_values_json(lanes, locals_show_lane, shown));
	if (shown->is_declared)
		json_object_set_new(json, "computed", json_true());
	return json;
}

static void locals_print_none(const char *split_file)
{
	printf("no variables are described here");
	if (split_file) {
		printf(": they are in ");
		wt_cli_put(stdout, split_file);
		printf(", which is not in the code object");
	}
	putchar('\n');
}

static struct wt_error *show_variables(struct wt_cli_frame *frame, json_t *array)
{
	struct shown shown = {.stack = frame->stack, .frame = frame->number};
	size_t count;
	struct wt_error *error = wt_stack_variables(frame->stack, frame->number, &count);

	for (; !error && shown.variable < count; shown.variable++) {
		struct wt_stack_variable variable;

		wt_stack_variable(frame->stack, frame->number, shown.variable, &variable);
		if (array)
			json_array_append_new(
				array, locals_variable_json(&variable, &frame->lanes, &shown));
		else
			error = locals_show_text(&shown, &variable, &frame->lanes);
	}
	if (!error && !count && !array)
		locals_print_none(wt_stack_frame(frame->stack, frame->number)->place.split_file);
	return error;
}

struct wt_error *wt_cli_locals_print(struct wt_stack *stack, size_t number, bool each)
{
	uint32_t count;
	struct wt_cli_frame frame = {
		.number = number,
		.stack = stack,
		.lanes = {.lanes = wt_stack_lanes(stack, &count), .each = each},
	};

	return show_variables(&frame, NULL);
}

static struct wt_error *locals_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	static const char action[] = "cannot show variables";
	struct wt_cli_frame *frame = input;
	json_t *array = NULL;
	struct wt_error *error = wt_cli_frame_open(frame, trace, action);

	if (!error && trace->json) {
		array = json_array();
		*json_ret = wt_cli_frame_head_json(frame, trace);
		json_object_set_new(*json_ret, "variables", array);
	} else if (!error) {
		wt_cli_put_frame_head(frame, trace);
	}
	if (!error)
		error = show_variables(frame, array);
	wt_cli_frame_close(frame);
	return error;
}

int wt_command_locals(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.doc = "Print the variables and arguments of the function where a wave stopped, as "
		       "the "
		       "source names them: one line where all active lanes agree, else the "
		       "different values with the lanes that have them. What is optimized out, was "
		       "not recorded or lies in an unknown location says so.",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.own = {.options = wt_cli_frame_options, .parser = wt_cli_frame_parse},
		.show = locals_show,
	};
	struct wt_cli_frame frame = {0};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, &frame);
}
