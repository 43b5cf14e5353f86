/* SPDX-License-Identifier: MIT */
/* Calls and variables of a wave. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libwavetape/value-tree.h"
#include "replayer/view/stack.h"
#include "replayer/view/value-text.h"

static const char cannot_show[] = "cannot show the calls";
static const char cannot_print[] = "cannot print";

/* The name of a type, which was handed out. */
struct type_name {
	struct type_name *next;
	char text[WT_DWARF_MAX_TYPE];
};

struct wavetape_stack {
	struct wavetape_stop *stop;
	struct wt_stacks *stacks;
	struct wt_stack *stack;
	uint64_t wave;
	struct type_name *types;
};

void wavetape_stack_close(struct wavetape_stack *stack)
{
	if (!stack)
		return;
	while (stack->types) {
		struct type_name *next = stack->types->next;

		free(stack->types);
		stack->types = next;
	}
	wt_stack_destroy(stack->stack);
	wt_stacks_destroy(stack->stacks);
	wt_stop_release(stack->stop);
	free(stack);
}

static struct wt_error *stack_follow(struct wavetape_stack *stack)
{
	const struct wt_explain_wave *known;
	struct wt_error *error = wt_stop_wave(stack->stop, stack->wave, &known);

	if (!error)
		error = wt_stacks_create(stack->stop->view, &stack->stacks);
	if (!error)
		error = wt_stack_create(stack->stacks, stack->wave, &stack->stack);
	if (!error && !stack->stack)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stack->stop->trace->path,
					"wave %" PRIu64 " is not stopped at stop %u", stack->wave,
					stack->stop->number);
	return error;
}

struct wavetape_error *wavetape_stack_open(struct wavetape_stop *stop, uint64_t wave,
					   struct wavetape_stack **stack_ret)
{
	struct wavetape_stack *stack;
	struct wt_error *error;

	if (!stop || !stack_ret)
		return wt_wrong_argument(cannot_show,
					 "the stop or the place for the stack is NULL");
	stack = calloc(1, sizeof(*stack));
	if (!stack)
		return wt_public(&wt_error_no_memory);
	stack->stop = stop;
	stack->wave = wave;
	stop->users++;
	error = stack_follow(stack);
	if (error)
		wavetape_stack_close(stack);
	else
		*stack_ret = stack;
	return wt_public(error);
}

size_t wavetape_stack_count(const struct wavetape_stack *stack)
{
	return stack ? wt_stack_count(stack->stack) : 0;
}

const char *wavetape_stack_end(const struct wavetape_stack *stack)
{
	return stack ? wt_stack_end(stack->stack) : NULL;
}

struct wavetape_error *wavetape_stack_lanes(const struct wavetape_stack *stack,
					    uint64_t *active_ret, uint32_t *count_ret)
{
	if (!stack || !active_ret || !count_ret)
		return wt_wrong_argument(cannot_show, "the stack or a place for a result is NULL");
	*active_ret = wt_stack_lanes(stack->stack, count_ret);
	return NULL;
}

static struct wavetape_error *stack_frame_check(const struct wavetape_stack *stack, size_t frame)
{
	if (!stack || frame >= wt_stack_count(stack->stack))
		return wt_wrong_argument(cannot_show, "the stack is NULL, or has fewer frames");
	return NULL;
}

struct wavetape_error *wavetape_stack_frame(const struct wavetape_stack *stack, size_t frame,
					    struct wavetape_frame *frame_ret)
{
	struct wavetape_error *error = stack_frame_check(stack, frame);
	const struct wt_stack_frame *known;

	if (error)
		return error;
	known = wt_stack_frame(stack->stack, frame);
	return wt_give(cannot_show, &known->facts, sizeof(known->facts), frame_ret);
}

struct wavetape_error *wavetape_stack_place(const struct wavetape_stack *stack, size_t frame,
					    struct wavetape_place *place_ret)
{
	struct wavetape_error *error = stack_frame_check(stack, frame);
	const struct wavetape_place *place;

	if (error)
		return error;
	place = &wt_stack_frame(stack->stack, frame)->place;
	return wt_give(cannot_show, place, sizeof(*place), place_ret);
}

/* ---- Variables ---- */

struct wavetape_error *wavetape_stack_variable_count(struct wavetape_stack *stack, size_t frame,
						     size_t *count_ret)
{
	struct wavetape_error *error = stack_frame_check(stack, frame);

	if (error)
		return error;
	if (!count_ret)
		return wt_wrong_argument(cannot_show, "the place for the count is NULL");
	return wt_public(wt_stack_variables(stack->stack, frame, count_ret));
}

static struct wavetape_error *stack_variable_find(struct wavetape_stack *stack, size_t frame,
						  size_t index,
						  struct wt_stack_variable *variable_ret)
{
	struct wavetape_error *error = stack_frame_check(stack, frame);
	size_t count = 0;

	if (!error)
		error = wt_public(wt_stack_variables(stack->stack, frame, &count));
	if (error)
		return error;
	if (index >= count)
		return wt_wrong_argument(cannot_show, "the frame has fewer variables");
	wt_stack_variable(stack->stack, frame, index, variable_ret);
	return NULL;
}

/* NULL: no memory. */
static const char *keep_type(struct wavetape_stack *stack, const char *text)
{
	struct type_name *name;

	for (name = stack->types; name; name = name->next)
		if (!strcmp(name->text, text))
			return name->text;
	name = calloc(1, sizeof(*name));
	if (!name)
		return NULL;
	memcpy(name->text, text, strnlen(text, sizeof(name->text) - 1));
	name->next = stack->types;
	stack->types = name;
	return name->text;
}

struct wavetape_error *wavetape_stack_variable(struct wavetape_stack *stack, size_t frame,
					       size_t index, struct wavetape_variable *variable_ret)
{
	struct wavetape_variable filled;
	struct wt_stack_variable known;
	struct wavetape_error *error = stack_variable_find(stack, frame, index, &known);

	if (error)
		return error;
	wt_variable_facts_take(&known, &filled);
	filled.type = keep_type(stack, known.type);
	if (!filled.type)
		return wt_public(&wt_error_no_memory);
	return wt_give(cannot_show, &filled, sizeof(filled), variable_ret);
}

/* ---- Values ---- */

/* A variable or an expression that is shown in a lane. */
struct shown {
	struct wavetape_stack *stack;
	const char *expression; /* NULL: a variable */
	size_t frame, index;
	uint32_t lane;
	char type[WT_DWARF_MAX_TYPE];
};

static struct wt_error *shown_value_show(struct shown *shown, const struct wt_dwarf_sink *sink)
{
	struct wt_dwarf_complaint complaint;
	struct wt_error *error;
	bool is_one;

	if (!shown->expression) {
		wt_stack_show(shown->stack->stack, shown->frame, shown->index, shown->lane, sink);
		return NULL;
	}
	error = wt_stack_print(shown->stack->stack, shown->frame, shown->lane, shown->expression,
			       sink, shown->type, &is_one, &complaint);
	if (!error && !is_one)
		error = wt_error_create(WT_ERROR_INPUT, cannot_print, shown->expression,
					"at character %zu: %s", complaint.position + 1,
					complaint.text);
	return error;
}

static struct wt_error *render(struct shown *shown, struct wavetape_value *value)
{
	struct wt_value_text text = {0};
	const struct wt_dwarf_sink sink = wt_value_text_sink(&text);
	struct wt_error *error = shown_value_show(shown, &sink);

	value->info.rendered = wt_buffer_take_text(&text.buffer);
	if (!error && !value->info.rendered)
		error = &wt_error_no_memory;
	return error;
}

static struct wavetape_error *shown_value_make(struct shown *shown,
					       struct wavetape_value **value_ret)
{
	struct wavetape_value *value = calloc(1, sizeof(*value));
	struct wt_value_maker maker = {.root = value};
	const struct wt_dwarf_sink sink = wt_value_maker_sink(&maker);
	struct wt_error *error;

	if (!value)
		return wt_public(&wt_error_no_memory);
	error = shown_value_show(shown, &sink);
	free(maker.name);
	if (!error && maker.failed)
		error = &wt_error_no_memory;
	if (!error)
		error = render(shown, value);
	if (!error) {
		value->info.type = strdup(shown->type);
		error = value->info.type ? NULL : &wt_error_no_memory;
	}
	if (error)
		wavetape_value_close(value);
	else
		*value_ret = value;
	return wt_public(error);
}

static struct wavetape_error *check_lane(const struct wavetape_stack *stack, uint32_t lane)
{
	uint32_t count;
	uint64_t active = wt_stack_lanes(stack->stack, &count);

	if (lane < 64 && active >> lane & 1)
		return NULL;
	return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_print, NULL,
					 "lane %u of wave %" PRIu64
					 " is not active here, so its variables are elsewhere",
					 lane, stack->wave));
}

struct wavetape_error *wavetape_stack_value(struct wavetape_stack *stack, size_t frame,
					    size_t index, uint32_t lane,
					    struct wavetape_value **value_ret)
{
	struct shown shown = {.stack = stack, .frame = frame, .index = index, .lane = lane};
	struct wt_stack_variable known;
	struct wavetape_error *error = stack_variable_find(stack, frame, index, &known);

	if (!error && !value_ret)
		error = wt_wrong_argument(cannot_print, "the place for the value is NULL");
	if (!error)
		error = check_lane(stack, lane);
	if (error)
		return error;
	memcpy(shown.type, known.type, sizeof(shown.type));
	return shown_value_make(&shown, value_ret);
}

struct wavetape_error *wavetape_stack_print(struct wavetape_stack *stack, size_t frame,
					    uint32_t lane, const char *expression,
					    struct wavetape_value **value_ret)
{
	struct shown shown = {
		.stack = stack, .expression = expression, .frame = frame, .lane = lane};
	struct wavetape_error *error = stack_frame_check(stack, frame);

	if (!error && (!expression || !value_ret))
		error = wt_wrong_argument(cannot_print,
					  "the expression or the place for the value is NULL");
	if (!error)
		error = check_lane(stack, lane);
	return error ? error : shown_value_make(&shown, value_ret);
}
