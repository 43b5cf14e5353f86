/* SPDX-License-Identifier: MIT */
/*
 * Runs along the ways of a trace, against a walk that finds the value at every position anew: each variable of where the wave stopped is
 * followed by its changes, and until it is odd, from both ends.
 *
 * Usage: way-watches TRACE STEPS
 * STEPS: ways of more are left out.
 * Prints how many ways were walked, and how many of the runs ended where something held; exit code 1 and the first difference if there is
 * one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/view/value-text.h"
#include "replayer/view/view.h"
#include "replayer/way/way.h"

#define WAVES 3u /* of a moment */
#define RUNS 40u /* in one direction */
#define NAMES 24u

/* A value where the way stands. */
struct value {
	bool is_one, is_known, is_true;
	char *text;
};

struct finding {
	struct wt_value_text text; /* first, so that who shows it finds the rest */
	struct value value;
	bool seen;
};

static void find_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	struct finding *finding = opaque;

	if (!finding->seen)
		finding->value.is_true = scalar->kind == WT_DWARF_TYPE_FLOAT ? scalar->real != 0
									     : scalar->number != 0;
	finding->seen = true;
	wt_value_text_sink(&finding->text).scalar(&finding->text, scalar);
}

static void find_unknown(void *opaque, const char *why)
{
	struct finding *finding = opaque;

	finding->value.is_known = false;
	wt_value_text_sink(&finding->text).unknown(&finding->text, why);
}

static void fail(struct wt_error *error)
{
	fprintf(stderr, "%s: %s\n", error->what, error->why);
	exit(2);
}

static void check(struct wt_error *error)
{
	if (error)
		fail(error);
}

static struct value value_find(struct wt_way *way, const char *text)
{
	struct finding finding = {.value.is_known = true};
	struct wt_dwarf_sink sink = wt_value_text_sink(&finding.text);
	struct wt_dwarf_complaint complaint;
	struct wt_stack *stack = NULL;
	char type[WT_DWARF_MAX_TYPE];
	uint32_t lane = wt_way_lane(way, UINT32_MAX);

	sink.scalar = find_scalar;
	sink.unknown = find_unknown;
	check(wt_way_stack(way, &stack));
	if (stack && lane < wt_way_lanes(way))
		check(wt_stack_print(stack, 0, lane, text, &sink, type, &finding.value.is_one,
				     &complaint));
	wt_stack_destroy(stack);
	finding.value.is_true &= finding.value.is_one && finding.value.is_known && finding.seen;
	finding.value.text = wt_buffer_take_text(&finding.text.buffer);
	return finding.value;
}

static bool value_differs(const struct value *one, const struct value *other)
{
	return one->is_one && other->is_one &&
	       (one->is_known != other->is_known ||
		(one->is_known && strcmp(one->text, other->text) != 0));
}

/* Does it hold at each position, seen from the one before? */
static bool *walk(struct wt_way *way, const struct wt_way_until *until)
{
	uint64_t steps = wt_way_summary(way)->steps;
	bool *holds = calloc(steps + 1, sizeof(*holds));
	struct value last = {.text = NULL};

	for (uint64_t position = 0; holds && position <= steps; position++) {
		struct value now;

		check(wt_way_go(way, position));
		now = value_find(way, until->text);
		if (position)
			holds[position] = until->kind == WT_WAY_UNTIL_CHANGE
						  ? value_differs(&last, &now)
						  : now.is_true && !last.is_true;
		free(last.text);
		last = now;
	}
	free(last.text);
	return holds;
}

static uint64_t runs;

/* Runs from one end, and is where the walk says; UINT64_MAX: nowhere any more. */
static void run_all(struct wt_way *way, const struct wt_way_until *until, const bool *holds,
		    bool back)
{
	uint64_t steps = wt_way_summary(way)->steps, from = back ? steps : 0;

	check(wt_way_go(way, from));
	for (uint32_t i = 0; i < RUNS; i++) {
		/* A change that is met going back is met before the step. */
		uint64_t shift = back && until->kind == WT_WAY_UNTIL_CHANGE;
		uint64_t expected = UINT64_MAX;
		struct wt_way_found found;
		struct wt_error *error;

		for (uint64_t at = back ? from : from + 1; at <= steps && expected == UINT64_MAX;
		     at += back ? UINT64_MAX : 1)
			if (holds[at] && (!back || at - shift < from))
				expected = at - shift;
		error = wt_way_run(way, back, until, 1, &found);
		if (error && !i && expected == UINT64_MAX) {
			/* The text is no expression anywhere on the way. */
			wt_error_destroy(error);
			return;
		}
		check(error);
		if ((found.answer == WT_WAY_FOUND ? found.position : UINT64_MAX) != expected) {
			printf("%s %s from %" PRIu64 " %s: %" PRIu64 ", and by walking %" PRIu64
			       "\n",
			       until->kind == WT_WAY_UNTIL_CHANGE ? "change" : "when", until->text,
			       from, back ? "back" : "on",
			       found.answer == WT_WAY_FOUND ? found.position : UINT64_MAX,
			       expected);
			exit(1);
		}
		if (expected == UINT64_MAX)
			return;
		from = expected;
		runs++;
	}
}

static void follow(struct wt_way *way, enum wt_way_until_kind kind, const char *text)
{
	const struct wt_way_until until = {.kind = kind, .text = text, .lane = UINT32_MAX};
	bool *holds = walk(way, &until);

	if (!holds)
		exit(2);
	run_all(way, &until, holds, false);
	run_all(way, &until, holds, true);
	free(holds);
}

/* The variables of all functions where the wave stopped: those of the outer ones are such as come and go. */
static size_t find_names(struct wt_way *way, char names[NAMES][64])
{
	struct wt_stack *stack = NULL;
	size_t count = 0, variables;

	check(wt_way_stack(way, &stack));
	for (size_t frame = 0; stack && frame < wt_stack_count(stack); frame++) {
		check(wt_stack_variables(stack, frame, &variables));
		for (size_t i = 0; i < variables && count < NAMES; i++) {
			struct wt_stack_variable variable;

			wt_stack_variable(stack, frame, i, &variable);
			if (variable.name && strlen(variable.name) < sizeof(names[0]))
				strcpy(names[count++], variable.name);
		}
	}
	wt_stack_destroy(stack);
	return count;
}

static void follow_all(struct wt_way *way)
{
	char names[NAMES][64], odd[80];
	size_t count = find_names(way, names);

	for (size_t i = 0; i < count; i++) {
		snprintf(odd, sizeof(odd), "%s & 1", names[i]);
		follow(way, WT_WAY_UNTIL_CHANGE, names[i]);
		follow(way, WT_WAY_UNTIL_CONDITION, odd);
	}
}

static uint32_t walk_waves(struct wt_view *view, uint64_t steps)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	struct wt_explainer *explainer = NULL;
	uint32_t walked = 0;

	check(wt_explainer_create(view, &explainer));
	for (size_t i = 0; i < count && walked < WAVES; i++) {
		struct wt_way *way = NULL;

		/* A wave that has not stopped has none. */
		wt_error_destroy(wt_way_create(explainer, waves[i], NULL, &way));
		if (way && wt_way_summary(way)->found && wt_way_summary(way)->steps <= steps &&
		    !wt_way_summary(way)->cut_count) {
			follow_all(way);
			walked++;
		}
		wt_way_destroy(way);
	}
	wt_explainer_destroy(explainer);
	return walked;
}

int main(int count, char **arguments)
{
	struct wt_reader *reader = NULL;
	uint32_t walked = 0;

	if (count != 3)
		return 2;
	check(wt_reader_open(arguments[1], &reader));
	for (uint32_t i = wt_reader_next_moment(reader, 0); i < wt_reader_moment_count(reader);
	     i = wt_reader_next_moment(reader, i + 1)) {
		struct wt_view *view = NULL;

		check(wt_view_open(reader, i, &view));
		walked += walk_waves(view, strtoull(arguments[2], NULL, 0));
		wt_view_close(view);
	}
	wt_reader_close(reader);
	printf("%" PRIu32 " %" PRIu64 "\n", walked, runs);
	return 0;
}
