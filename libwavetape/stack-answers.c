/* SPDX-License-Identifier: MIT */
/* Calls and variables of a wave, and values as trees. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libwavetape/handles.h"
#include "replayer/dwarf/variable.h"
#include "replayer/view/stack.h"
#include "replayer/view/value-text.h"

static const char cannot_show[] = "cannot show the calls";
static const char cannot_print[] = "cannot print";
static const char cannot_tell[] = "cannot show the value";

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

#define VALUE_DEPTH 32 /* the depth of types is limited to less */

struct wavetape_value {
	struct wavetape_value_info info; /* strings are its own */
	struct wavetape_value *parts;
	size_t capacity;
};

/* A value that is being made. */
struct value_maker {
	struct wavetape_value *open[VALUE_DEPTH]; /* from the outside in */
	size_t depth;
	char *name; /* of the member that comes next */
	bool is_base, is_unnamed;
	struct wavetape_value *root;
	bool failed; /* no memory */
};

/* ---- Making values ---- */

/* The next part of what is open; the root itself if nothing is. NULL if there is no memory. */
static struct wavetape_value *maker_value_add(struct value_maker *maker, uint32_t kind)
{
	struct wavetape_value *around = maker->depth ? maker->open[maker->depth - 1] : NULL;
	struct wavetape_value *value = maker->root;

	if (maker->failed)
		return NULL;
	if (around && around->info.count == around->capacity) {
		size_t capacity = around->capacity ? around->capacity * 2 : 4;
		struct wavetape_value *parts =
			reallocarray(around->parts, capacity, sizeof(*parts));

		maker->failed = !parts;
		if (!parts)
			return NULL;
		around->parts = parts;
		around->capacity = capacity;
	}
	if (around)
		value = &around->parts[around->info.count++];
	*value = (struct wavetape_value){.info.kind = kind,
					 .info.name = maker->name,
					 .info.base = maker->is_base,
					 .info.unnamed = maker->is_unnamed};
	maker->name = NULL;
	maker->is_base = maker->is_unnamed = false;
	return value;
}

static const char *maker_text_copy(struct value_maker *maker, const char *text, size_t length)
{
	char *copied = strndup(text, length);

	maker->failed |= !copied;
	return copied;
}

static struct wavetape_value *maker_open(struct value_maker *maker, uint32_t kind)
{
	struct wavetape_value *value = maker_value_add(maker, kind);

	if (value && maker->depth < VALUE_DEPTH)
		maker->open[maker->depth++] = value;
	else
		maker->failed = true;
	return value;
}

static void open_part(void *opaque, enum wt_dwarf_opened what)
{
	maker_open(opaque,
		   what == WT_DWARF_OPEN_ARRAY ? WAVETAPE_VALUE_ARRAY : WAVETAPE_VALUE_STRUCT);
}

static void open_reference(void *opaque, uint64_t address)
{
	struct wavetape_value *value = maker_open(opaque, WAVETAPE_VALUE_REFERENCE);

	if (value)
		value->info.number = address;
}

static void close_part(void *opaque)
{
	struct value_maker *maker = opaque;

	maker->depth -= maker->depth > 0;
}

static void take_member(void *opaque, const struct wt_dwarf_label *label)
{
	struct value_maker *maker = opaque;

	free(maker->name);
	maker->name = (char *)maker_text_copy(maker, label->text, strlen(label->text));
	maker->is_base = label->is_base;
	maker->is_unnamed = label->is_unnamed;
}

static void maker_take_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	static const uint32_t kinds[] = {
		[WT_DWARF_TYPE_NONE] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_SIGNED] = WAVETAPE_VALUE_SIGNED,
		[WT_DWARF_TYPE_UNSIGNED] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_BOOLEAN] = WAVETAPE_VALUE_BOOLEAN,
		[WT_DWARF_TYPE_CHARACTER] = WAVETAPE_VALUE_CHARACTER,
		[WT_DWARF_TYPE_FLOAT] = WAVETAPE_VALUE_FLOAT,
		[WT_DWARF_TYPE_ENUM] = WAVETAPE_VALUE_ENUM,
		[WT_DWARF_TYPE_POINTER] = WAVETAPE_VALUE_POINTER,
		[WT_DWARF_TYPE_ARRAY] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_STRUCT] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_FUNCTION] = WAVETAPE_VALUE_UNSIGNED,
	};
	struct value_maker *maker = opaque;
	struct wavetape_value *value = maker_value_add(maker, kinds[scalar->kind]);
	const char *word = wt_dwarf_scalar_word(scalar);

	if (!value)
		return;
	value->info.number = scalar->number;
	value->info.high = scalar->high;
	value->info.real = scalar->real;
	value->info.bits = scalar->bits;
	value->info.is_signed = scalar->kind == WT_DWARF_TYPE_SIGNED || scalar->is_signed;
	if (word)
		value->info.text = maker_text_copy(maker, word, strlen(word));
}

static void maker_take_text(void *opaque, const char *text, size_t length)
{
	struct value_maker *maker = opaque;
	struct wavetape_value *value = maker_value_add(maker, WAVETAPE_VALUE_TEXT);

	if (value)
		value->info.text = maker_text_copy(maker, text, length);
}

static void take_unknown(void *opaque, const char *why)
{
	struct value_maker *maker = opaque;
	struct wavetape_value *value = maker_value_add(maker, WAVETAPE_VALUE_UNKNOWN);

	if (value)
		value->info.text = maker_text_copy(maker, why, strlen(why));
}

static void take_more(void *opaque, uint64_t count)
{
	struct wavetape_value *value = maker_value_add(opaque, WAVETAPE_VALUE_MORE);

	if (value)
		value->info.number = count;
}

/* Makes a value of what it is shown. @maker: zeros but for `root`, a value of zeros. */
static struct wt_dwarf_sink maker_sink(struct value_maker *maker)
{
	return (struct wt_dwarf_sink){
		.opaque = maker,
		.open = open_part,
		.reference = open_reference,
		.close = close_part,
		.member = take_member,
		.scalar = maker_take_scalar,
		.text = maker_take_text,
		.unknown = take_unknown,
		.more = take_more,
	};
}

/* ---- Asking for them ---- */

/* The depth is limited by that of types. */
static void value_tree_deinit(struct wavetape_value *value)
{
	for (size_t i = 0; i < value->info.count; i++)
		value_tree_deinit(&value->parts[i]);
	free(value->parts);
	free((char *)value->info.name);
	free((char *)value->info.text);
	free((char *)value->info.type);
	free((char *)value->info.rendered);
}

void wavetape_value_close(struct wavetape_value *value)
{
	if (!value)
		return;
	value_tree_deinit(value);
	free(value);
}

struct wavetape_error *wavetape_value_info(const struct wavetape_value *value,
					   struct wavetape_value_info *info_ret)
{
	if (!value)
		return wt_wrong_argument(cannot_tell, "the value is NULL");
	return wt_give(cannot_tell, &value->info, sizeof(value->info), info_ret);
}

const struct wavetape_value *wavetape_value_part(const struct wavetape_value *value, size_t index)
{
	return value && index < value->info.count ? &value->parts[index] : NULL;
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
	struct value_maker maker = {.root = value};
	const struct wt_dwarf_sink sink = maker_sink(&maker);
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
