/* SPDX-License-Identifier: MIT */
#include "cli/look/info-cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "replayer/view/stack.h"

#define SHOWN_CALLERS 8

/* The frames outside of the one where the wave stopped, which stands in "at" with all that is inlined into it. */
static size_t first_caller(const struct wt_stack *stack)
{
	size_t first = 0;

	while (first < wt_stack_count(stack) && wt_stack_frame(stack, first)->inlined)
		first++;
	return first + 1;
}

static void print_caller(const struct wt_stack_frame *frame, bool first)
{
	char name[WT_CLI_NAME];
	const char *function = frame->function ? wt_cli_name(frame->function, name) : "?";

	printf("%s", first ? "called by    " : "             ");
	wt_cli_put(stdout, function);
	if (frame->place.file) {
		/* A symbol of C++ has its parameters. */
		printf("%s at ", strchr(function, '(') ? "" : "()");
		wt_cli_put(stdout, frame->place.file);
		if (frame->place.line)
			printf(":%u", frame->place.line);
		if (frame->place.line && frame->place.column)
			printf(":%u", frame->place.column);
	}
	putchar('\n');
}

static json_t *caller_json(const struct wt_stack_frame *frame)
{
	json_t *json = json_pack("{s:o}", "function", wt_cli_json_text(frame->function));

	if (frame->place.file) {
		json_object_set_new(json, "file", wt_cli_json_text(frame->place.file));
		if (frame->place.line)
			json_object_set_new(json, "line", json_integer(frame->place.line));
	}
	return json;
}

struct wt_error *wt_info_show_callers(struct wt_stacks *stacks, uint64_t wave, json_t *array)
{
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stack_create(stacks, wave, &stack);

	if (!error && stack) {
		size_t first = first_caller(stack);

		for (size_t i = first; i < wt_stack_count(stack) && i < first + SHOWN_CALLERS; i++)
			if (array)
				json_array_append_new(array, caller_json(wt_stack_frame(stack, i)));
			else
				print_caller(wt_stack_frame(stack, i), i == first);
	}
	wt_stack_destroy(stack);
	return error;
}

static void call_show(const struct wavetape_place *call, bool first, json_t *array)
{
	const struct wavetape_place *place = call;
	const struct wt_stack_frame frames[] = {
		{.function = place->function ? place->function : call->symbol, .place = *place},
		{.function = call->symbol,
		 .place = {.file = place->call_file, .line = place->call_line}},
	};

	for (size_t i = 0; i < (place->call_file ? 2 : 1); i++)
		if (array)
			json_array_append_new(array, caller_json(&frames[i]));
		else
			print_caller(&frames[i], first && !i);
}

/*
 * The stack is that of where the wave stopped; where an access failed before, the way of the wave shows who had called. And a
 * function that does not return, as the one that reports a failed assertion, need not leave a stack that can be followed.
 */
static bool calls_are_better(const struct wt_cause *cause, const struct wt_stack *stack)
{
	const char *symbol = wt_cause_code(cause)->symbol;

	/* In the kernel itself nobody has called; elsewhere the calls were too many to be remembered. */
	if (cause->late && !cause->jumped)
		return cause->call_count ||
		       (symbol && cause->wave.kernel && !strcmp(symbol, cause->wave.kernel));
	return cause->call_count && (!stack || wt_stack_end(stack));
}

static struct wt_error *show_callers(struct wt_explainer *explainer, const struct wt_cause *cause,
				     json_t *array)
{
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stacks_create(wt_explainer_view(explainer), &stacks);

	if (!error)
		error = wt_stack_create(stacks, cause->wave.wave, &stack);
	for (size_t i = 0; !error && calls_are_better(cause, stack) && i < cause->call_count; i++)
		call_show(&cause->calls[i], !i, array);
	if (!error && !calls_are_better(cause, stack))
		error = wt_info_show_callers(stacks, cause->wave.wave, array);
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	return error;
}

/* The function where the wave stands, if it is also one of those that called it; else NULL. */
static const char *stack_find_recursion(const struct wt_stack *stack)
{
	size_t first = first_caller(stack);
	const char *function =
		first <= wt_stack_count(stack) ? wt_stack_frame(stack, first - 1)->function : NULL;

	for (size_t i = first; function && i < wt_stack_count(stack); i++) {
		const struct wt_stack_frame *frame = wt_stack_frame(stack, i);

		if (!frame->inlined && frame->function && !strcmp(frame->function, function))
			return function;
	}
	return NULL;
}

/* Private memory that comes to its end in a function that calls itself is the stack; how much there is, the host says. */
static struct wt_error *show_recursion(struct wt_explainer *explainer, const struct wt_cause *cause,
				       json_t *json)
{
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	struct wt_error *error;
	const char *function = NULL;
	char name[WT_CLI_NAME];

	if (cause->kind != WT_CAUSE_PRIVATE_END)
		return NULL;
	error = wt_stacks_create(wt_explainer_view(explainer), &stacks);
	if (!error)
		error = wt_stack_create(stacks, cause->wave.wave, &stack);
	if (!error && stack)
		function = stack_find_recursion(stack);
	if (function && json) {
		json_object_set_new(json, "calls_itself", wt_cli_json_text(function));
	} else if (function) {
		printf("recursion    ");
		wt_cli_put(stdout, wt_cli_name(function, name));
		puts("() calls itself, and each call takes private memory: the host sets how much "
		     "there is\n             by hipDeviceSetLimit(hipLimitStackSize, bytes)");
	}
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	return error;
}

/* The failed access stands above: this line says how far the wave had gone on by then. */
static void fault_print_stop(const struct wt_cause *cause)
{
	char text[WT_DESCRIBE_MAX];

	if (!cause->late)
		return;
	printf("stopped at   0x%" PRIx64, cause->wave.pc);
	if (cause->wave.code.address == cause->wave.pc && cause->wave.code.symbol) {
		printf(", ");
		wt_cli_put(stdout, wt_describe_code(&cause->wave.code, text));
	}
	/* How far it has gone in what is no code, nobody knows. */
	if (cause->jumped && cause->analysis.end_pc != cause->wave.pc) {
		putchar('\n');
		return;
	}
	printf(", %" PRIu64 " %s later\n", cause->late,
	       wt_plural(cause->late, "instruction", "instructions"));
}

struct wt_error *wt_info_print_cause(struct wt_explainer *explainer, const struct wt_cause *cause,
				     const struct wt_source_maps *maps)
{
	struct wt_error *error;

	fault_print_stop(cause);
	error = show_callers(explainer, cause, NULL);
	if (!error)
		error = wt_print_source(wt_explainer_view(explainer), maps, wt_cause_code(cause));
	if (!error && cause->sentence)
		wt_print_cause_sentence(cause);
	if (!error)
		error = show_recursion(explainer, cause, NULL);
	if (!error)
		wt_print_cause_memory(cause);
	if (!error)
		wt_print_arguments(&cause->arguments);
	if (!error && wt_cause_code(cause)->split_file) {
		printf("not here     names, types and variables: they are in ");
		wt_cli_put(stdout, wt_cause_code(cause)->split_file);
		putchar('\n');
	}
	return error;
}

struct wt_error *wt_info_cause_into(struct wt_explainer *explainer, const struct wt_cause *cause,
				    const struct wt_source_maps *maps, json_t *json)
{
	json_t *callers = json_array();
	struct wt_error *error = show_callers(explainer, cause, callers);

	if (!error)
		error = show_recursion(explainer, cause, json);
	json_object_set_new(json, "called_by", callers);
	if (error)
		return error;
	wt_describe_cause_into(cause, false, json);
	if (cause->wave.memory_fault)
		json_object_set_new(json, "place_is_certain", json_boolean(cause->certain));
	return wt_describe_source_json(wt_explainer_view(explainer), maps, wt_cause_code(cause),
				       json);
}
