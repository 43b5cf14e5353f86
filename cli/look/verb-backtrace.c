/* SPDX-License-Identifier: MIT */
/* `wavetape backtrace`: the functions that a wave is in, and who called them; of all waves, grouped by their stacks. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/look/variable-value.h"
#include "cli/output.h"
#include "replayer/view/sources.h"

struct options {
	struct wt_cli_trace trace;
	bool all;
};

static error_t backtrace_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	(void)argument;
	switch (key) {
	case 'a':
		options->all = true;
		return 0;
	case ARGP_KEY_END:
		if (options->all && options->trace.wave)
			argp_error(state, "--all shows every wave: --wave says nothing with it");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- One stack ---- */

static json_t *frames_json(const struct wt_stack *stack)
{
	json_t *array = json_array();

	for (size_t i = 0; i < wt_stack_count(stack); i++)
		json_array_append_new(array, wt_cli_frame_json(i, wt_stack_frame(stack, i)));
	return array;
}

static void add_end_json(json_t *json, const struct wt_stack *stack)
{
	json_object_set_new(json, "outermost_known",
			    wt_stack_end(stack) ? json_string(wt_stack_end(stack)) : json_null());
}

static void print_frames(const struct wt_stack *stack)
{
	for (size_t i = 0; i < wt_stack_count(stack); i++)
		wt_cli_put_frame(i, wt_stack_frame(stack, i));
	if (wt_stack_end(stack))
		printf("   outermost known frame: %s\n", wt_stack_end(stack));
}

static struct wt_error *show_one(struct wt_stacks *stacks, struct wt_sources *sources,
				 const struct options *options, uint32_t stop, json_t **json_ret)
{
	const struct wt_cli_trace *trace = &options->trace;
	char text[WT_DESCRIBE_MAX];
	struct wt_stack *stack;
	struct wt_error *error = wt_stack_create(stacks, trace->wave, &stack);
	uint64_t active;
	uint32_t lanes;

	if (error)
		return error;
	if (!stack)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show the frames", trace->path,
				       "wave %" PRIu64 " is not stopped at this stop", trace->wave);
	error = wt_stack_use_sources(stack, sources);
	if (error) {
		wt_stack_destroy(stack);
		return error;
	}
	active = wt_stack_lanes(stack, &lanes);
	wt_describe_lanes(active, text);
	if (trace->json) {
		*json_ret = json_pack("{s:I, s:o, s:o}", "wave", (json_int_t)trace->wave, "lanes",
				      wt_describe_lanes_json(active), "frames", frames_json(stack));
		add_end_json(*json_ret, stack);
	} else {
		printf("stop %u, wave w%" PRIu64 ", lanes %s\n", stop, trace->wave, text);
		print_frames(stack);
	}
	wt_stack_destroy(stack);
	return NULL;
}

/* ---- All of them ---- */

/* Waves that have the same frames. */
struct group {
	struct wt_stack *stack; /* of the first */
	struct member {
		uint64_t wave, lanes;
	} * members;
	size_t count, capacity;
	size_t order; /* of the first among all waves */
};

struct groups {
	struct group *groups;
	size_t count, waves, running;
};

static bool same(const struct wt_stack *a, const struct wt_stack *b)
{
	if (wt_stack_count(a) != wt_stack_count(b) ||
	    !wt_same_text(wt_stack_end(a), wt_stack_end(b)))
		return false;
	for (size_t i = 0; i < wt_stack_count(a); i++) {
		const struct wt_stack_frame *x = wt_stack_frame(a, i), *y = wt_stack_frame(b, i);

		if (x->place.address != y->place.address || !wt_same_text(x->function, y->function))
			return false;
	}
	return true;
}

static bool join(struct group *group, uint64_t wave, uint64_t lanes)
{
	if (group->count == group->capacity) {
		size_t capacity = group->capacity ? 2 * group->capacity : 4;
		void *grown = reallocarray(group->members, capacity, sizeof(*group->members));

		if (!grown)
			return false;
		group->members = grown;
		group->capacity = capacity;
	}
	group->members[group->count++] = (struct member){wave, lanes};
	return true;
}

/* The stack is kept or destroyed. */
static bool add(struct groups *groups, uint64_t wave, struct wt_stack *stack)
{
	uint32_t count;
	uint64_t lanes = wt_stack_lanes(stack, &count);
	struct group *grown;
	size_t i = 0;

	groups->waves++;
	while (i < groups->count && !same(groups->groups[i].stack, stack))
		i++;
	if (i < groups->count) {
		wt_stack_destroy(stack);
		return join(&groups->groups[i], wave, lanes);
	}
	grown = reallocarray(groups->groups, groups->count + 1, sizeof(*grown));
	if (!grown) {
		wt_stack_destroy(stack);
		return false;
	}
	groups->groups = grown;
	groups->groups[groups->count++] = (struct group){.stack = stack, .order = groups->waves};
	return join(&groups->groups[i], wave, lanes);
}

static struct wt_error *collect(struct wt_view *view, struct wt_stacks *stacks,
				struct groups *groups)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	for (size_t i = 0; i < count; i++) {
		struct wt_stack *stack;
		struct wt_error *error = wt_stack_create(stacks, waves[i], &stack);

		if (error)
			return error;
		if (!stack)
			groups->running++;
		else if (!add(groups, waves[i], stack))
			return &wt_error_no_memory;
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return x->order < y->order ? -1 : 1;
}

static json_t *groups_json(const struct groups *groups)
{
	json_t *array = json_array();

	for (size_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->groups[i];
		json_t *waves = json_array(), *json;

		for (size_t j = 0; j < group->count; j++)
			json_array_append_new(
				waves, json_pack("{s:I, s:o}", "wave",
						 (json_int_t)group->members[j].wave, "lanes",
						 wt_describe_lanes_json(group->members[j].lanes)));
		json = json_pack("{s:o, s:o}", "waves", waves, "frames", frames_json(group->stack));
		add_end_json(json, group->stack);
		json_array_append_new(array, json);
	}
	return json_pack("{s:o, s:I}", "groups", array, "not_stopped", (json_int_t)groups->running);
}

static void print_group(const struct group *group)
{
	char text[WT_DESCRIBE_MAX];

	printf("\n%zu %s\n", group->count, wt_plural(group->count, "wave", "waves"));
	print_frames(group->stack);
	/* Waves that follow each other with the same lanes are one line. */
	for (size_t i = 0; i < group->count;) {
		size_t next = i + 1;

		while (next < group->count && group->members[next].lanes == group->members[i].lanes)
			next++;
		if (next - i == 1)
			printf("   w%" PRIu64, group->members[i].wave);
		else
			printf("   %zu waves from w%" PRIu64 " to w%" PRIu64, next - i,
			       group->members[i].wave, group->members[next - 1].wave);
		printf(": lanes %s\n", wt_describe_lanes(group->members[i].lanes, text));
		i = next;
	}
}

static struct wt_error *show_all(struct wt_view *view, struct wt_stacks *stacks,
				 struct wt_sources *sources, const struct options *options,
				 uint32_t stop, json_t **json_ret)
{
	struct groups groups = {0};
	struct wt_error *error = collect(view, stacks, &groups);

	for (size_t i = 0; i < groups.count && !error; i++)
		error = wt_stack_use_sources(groups.groups[i].stack, sources);
	if (groups.count)
		qsort(groups.groups, groups.count, sizeof(*groups.groups), compare);
	if (!error && options->trace.json) {
		*json_ret = groups_json(&groups);
	} else if (!error) {
		printf("stop %u: %zu stopped %s, %zu different %s", stop, groups.waves,
		       wt_plural(groups.waves, "wave", "waves"), groups.count,
		       wt_plural(groups.count, "stack", "stacks"));
		if (groups.running)
			printf("; %zu not stopped", groups.running);
		putchar('\n');
		for (size_t i = 0; i < groups.count; i++)
			print_group(&groups.groups[i]);
	}
	for (size_t i = 0; i < groups.count; i++) {
		wt_stack_destroy(groups.groups[i].stack);
		free(groups.groups[i].members);
	}
	free(groups.groups);
	return error;
}

static struct wt_error *backtrace_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	const struct options *options = input;
	struct wt_sources *sources = NULL;
	struct wt_stacks *stacks = NULL;
	struct wt_view *view = NULL;
	struct wt_error *error;
	uint32_t stop;

	error = wt_cli_trace_view(trace, &view, &stop);
	if (!error && !options->all)
		error = wt_cli_choose_wave("cannot show the frames", trace, view);
	if (!error)
		error = wt_stacks_create(view, &stacks);
	if (!error)
		error = wt_sources_create(trace->reader, NULL, &sources);
	if (!error)
		error = options->all ? show_all(view, stacks, sources, options, stop, json_ret)
				     : show_one(stacks, sources, options, stop, json_ret);
	wt_sources_destroy(sources);
	wt_stacks_destroy(stacks);
	wt_view_close(view);
	return error;
}

int wt_command_backtrace(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"all", 'a', NULL, 0,
		 "of all stopped waves: those with the same frames together, most waves first", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "Print the functions that a wave is in, innermost first: inlined ones too, "
		       "with "
		       "file, line and column. Where it cannot be known who called, that is said "
		       "with the outermost known frame.",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.own = {.options = argp_options, .parser = backtrace_parse},
		.show = backtrace_show,
	};
	struct options options = {0};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
