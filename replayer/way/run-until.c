/* SPDX-License-Identifier: MIT */
/* Going along a way until something holds: a line, an instruction, a condition, another value. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/view/value-text.h"
#include "replayer/way/internal.h"

/* ---- The value of an expression where the way stands ---- */

struct evaluation {
	bool is_one;   /* the text is an expression there */
	bool is_known; /* and its value is known */
	bool is_true;  /* a number other than 0 */
	bool seen;     /* a number was */
	struct wt_value_text text;
	struct wt_dwarf_sink inner;
};

static void evaluation_deinit(struct evaluation *evaluation)
{
	wt_buffer_deinit(&evaluation->text.buffer);
}

static void evaluate_open(void *opaque, enum wt_dwarf_opened what)
{
	struct evaluation *evaluation = opaque;

	evaluation->inner.open(evaluation->inner.opaque, what);
}

static void evaluate_close(void *opaque)
{
	struct evaluation *evaluation = opaque;

	evaluation->inner.close(evaluation->inner.opaque);
}

static void evaluate_reference(void *opaque, uint64_t address)
{
	struct evaluation *evaluation = opaque;

	evaluation->inner.reference(evaluation->inner.opaque, address);
}

static void evaluate_member(void *opaque, const struct wt_dwarf_label *label)
{
	struct evaluation *evaluation = opaque;

	evaluation->inner.member(evaluation->inner.opaque, label);
}

static void evaluate_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	struct evaluation *evaluation = opaque;

	if (!evaluation->seen)
		evaluation->is_true = scalar->kind == WT_DWARF_TYPE_FLOAT ? scalar->real != 0
									  : scalar->number != 0;
	evaluation->seen = true;
	evaluation->inner.scalar(evaluation->inner.opaque, scalar);
}

static void evaluate_text(void *opaque, const char *text, size_t length)
{
	struct evaluation *evaluation = opaque;

	evaluation->inner.text(evaluation->inner.opaque, text, length);
}

static void evaluate_unknown(void *opaque, const char *why)
{
	struct evaluation *evaluation = opaque;

	evaluation->is_known = false;
	evaluation->inner.unknown(evaluation->inner.opaque, why);
}

static void evaluate_more(void *opaque, uint64_t count)
{
	struct evaluation *evaluation = opaque;

	evaluation->inner.more(evaluation->inner.opaque, count);
}

/* @complaint: why it is none; of the last one. */
static struct wt_error *way_evaluate(struct wt_way *way, const struct wt_way_until *until,
				     struct wt_dwarf_complaint *complaint,
				     struct evaluation *evaluation)
{
	const struct wt_dwarf_sink sink = {
		.opaque = evaluation,
		.open = evaluate_open,
		.reference = evaluate_reference,
		.close = evaluate_close,
		.member = evaluate_member,
		.scalar = evaluate_scalar,
		.text = evaluate_text,
		.unknown = evaluate_unknown,
		.more = evaluate_more,
	};
	char type[WT_DWARF_MAX_TYPE];
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_way_stack(way, &stack);
	uint32_t lane = wt_way_lane(way, until->lane);

	*evaluation = (struct evaluation){.is_known = true};
	evaluation->inner = wt_value_text_sink(&evaluation->text);
	if (!error && stack && lane < wt_way_lanes(way))
		error = wt_stack_print(stack, 0, lane, until->text, &sink, type,
				       &evaluation->is_one, complaint);
	wt_stack_destroy(stack);
	return error;
}

static bool evaluation_holds(const struct evaluation *evaluation)
{
	return evaluation->is_one && evaluation->is_known && evaluation->seen &&
	       evaluation->is_true;
}

static bool evaluation_differs(const struct evaluation *one, const struct evaluation *other)
{
	return one->is_one && other->is_one &&
	       (one->is_known != other->is_known ||
		(one->is_known && (one->text.buffer.size != other->text.buffer.size ||
				   memcmp(one->text.buffer.data, other->text.buffer.data,
					  one->text.buffer.size) != 0)));
}

/* ---- Lines ---- */

/* "dir/file.hip" is a file that "file.hip" names, too. */
static bool is_file(const char *file, const char *wanted)
{
	size_t size = strlen(file), part = strlen(wanted);

	return size >= part && !strcmp(file + size - part, wanted) &&
	       (size == part || file[size - part - 1] == '/' || wanted[0] == '/');
}

static bool is_same_line(const struct wt_way_line *one, const struct wt_way_line *other)
{
	return one->line == other->line &&
	       (one->file == other->file ||
		(one->file && other->file && !strcmp(one->file, other->file)));
}

/* Does a line begin at a position: does the wave come there from another one, or round a loop of the same? */
static struct wt_error *line_begins(struct wt_way *way, uint64_t position, bool *begins_ret,
				    struct wt_way_line *line_ret)
{
	struct wt_way_line before;
	uint64_t pc, before_pc;
	struct wt_error *error;
	bool returned;

	*begins_ret = false;
	*line_ret = (struct wt_way_line){.file = NULL};
	if (!wt_way_pc_at(way, position, &pc))
		return NULL;
	error = wt_way_line_of(way, pc, line_ret);
	if (error)
		return error;
	if (!position || !wt_way_pc_at(way, position - 1, &before_pc)) {
		*begins_ret = true;
		return NULL;
	}
	/* Behind the call that a function comes back to, the statement that called it goes on: the call is the instruction before in memory. */
	returned = wt_way_depth_change(way, position - 1) < 0;
	error = wt_way_line_of(way, returned ? pc - 1 : before_pc, &before);
	*begins_ret =
		!error && (!is_same_line(line_ret, &before) || (!returned && pc <= before_pc));
	return error;
}

/* ---- A run ---- */

struct run {
	struct wt_way *way;
	const struct wt_way_until *until;
	size_t count;
	bool back;
	uint64_t looked;
	struct wt_dwarf_complaint complaint;
	bool *meant; /* of each: its text was an expression somewhere */
	bool *asked; /* and it was looked at */
	/* The last value of each that changes, or becomes true, in the order of positions. */
	struct evaluation *last;
	bool *has_last;
};

/* Does the place alone fit, without what the text says? */
static struct wt_error *place_fits(struct run *run, const struct wt_way_until *until,
				   uint64_t position, bool *fits_ret)
{
	struct wt_way_line line;
	struct wt_error *error;
	uint64_t pc;

	*fits_ret = false;
	if (until->kind == WT_WAY_UNTIL_INSTRUCTION) {
		*fits_ret = wt_way_pc_at(run->way, position, &pc) && pc == until->address;
		return NULL;
	}
	error = line_begins(run->way, position, fits_ret, &line);
	*fits_ret &= !error && line.file && until->file && line.line == until->line &&
		     is_file(line.file, until->file);
	return error;
}

/* The text of one, where the run looks at a position. */
static struct wt_error *run_evaluate(struct run *run, size_t index, uint64_t position,
				     struct evaluation *evaluation)
{
	struct wt_error *error = wt_way_go(run->way, position);

	if (!error)
		error = way_evaluate(run->way, &run->until[index], &run->complaint, evaluation);
	run->asked[index] = true;
	run->meant[index] |= !error && evaluation->is_one;
	return error;
}

static bool is_watched(const struct wt_way_until *until)
{
	return until->kind == WT_WAY_UNTIL_CONDITION || until->kind == WT_WAY_UNTIL_CHANGE;
}

/* Does one with a place hold? */
static struct wt_error *placed_holds(struct run *run, size_t index, uint64_t position,
				     bool *holds_ret)
{
	struct wt_error *error = place_fits(run, &run->until[index], position, holds_ret);
	struct evaluation evaluation;

	if (error || !*holds_ret || !run->until[index].text)
		return error;
	error = run_evaluate(run, index, position, &evaluation);
	*holds_ret = !error && evaluation_holds(&evaluation);
	evaluation_deinit(&evaluation);
	return error;
}

/*
 * Does one without a place hold at a position, seen from the one before it? A change that is met going back is met at the position before
 * the step: that is @position less one.
 */
static struct wt_error *watched_holds(struct run *run, size_t index, uint64_t position,
				      bool *holds_ret)
{
	struct evaluation now, *last = &run->last[index];
	struct wt_error *error = run_evaluate(run, index, position, &now);

	*holds_ret = false;
	if (error) {
		evaluation_deinit(&now);
		return error;
	}
	if (run->has_last[index])
		*holds_ret = run->until[index].kind == WT_WAY_UNTIL_CHANGE
				     ? evaluation_differs(last, &now)
				     : evaluation_holds(&now) && !evaluation_holds(last);
	evaluation_deinit(last);
	*last = now;
	run->has_last[index] = true;
	return NULL;
}

static void run_forget(struct run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		if (run->has_last[i])
			evaluation_deinit(&run->last[i]);
		run->has_last[i] = false;
	}
}

/* Prepares what is watched: its value at a position from which on is looked. */
static struct wt_error *run_watch_from(struct run *run, uint64_t position)
{
	struct wt_error *error = NULL;
	bool holds;

	run_forget(run);
	for (size_t i = 0; i < run->count && !error; i++)
		if (is_watched(&run->until[i]))
			error = watched_holds(run, i, position, &holds);
	return error;
}

/* Looks at a position: does one of those with a place, or of those that are watched hold? */
static struct wt_error *run_look_at(struct run *run, uint64_t position, bool watched,
				    struct wt_way_found *found)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < run->count && !error; i++) {
		bool holds = false;

		if (is_watched(&run->until[i]) != watched)
			continue;
		error = watched ? watched_holds(run, i, position, &holds)
				: placed_holds(run, i, position, &holds);
		if (!holds || error)
			continue;
		/* The first of the list counts of several that hold at once. */
		if (found->answer == WT_WAY_FOUND && found->position == position &&
		    found->which < i)
			continue;
		*found = (struct wt_way_found){WT_WAY_FOUND, position, i};
		if (watched && run->back && run->until[i].kind == WT_WAY_UNTIL_CHANGE)
			found->position = position - 1;
		if (!watched)
			break;
	}
	return error;
}

static bool has_watched(const struct run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (is_watched(&run->until[i]))
			return true;
	return false;
}

static bool run_goes_on(struct run *run, struct wt_way_found *found)
{
	if (++run->looked % 256 || wt_way_goes_on(run->way, 256))
		return true;
	found->answer = WT_WAY_GIVEN_UP;
	return false;
}

static bool next_position(const struct wt_way_summary *summary, bool back, uint64_t *position)
{
	if (back ? !*position : *position >= summary->steps)
		return false;
	*position += back ? UINT64_MAX : 1;
	if (summary->cut_count && *position >= summary->cut_from &&
	    *position - summary->cut_from < summary->cut_count)
		*position = back ? summary->cut_from - 1 : summary->cut_from + summary->cut_count;
	return true;
}

/* Going on, position by position. */
static struct wt_error *run_forward(struct run *run, uint64_t from, struct wt_way_found *found)
{
	const struct wt_way_summary *summary = &run->way->summary;
	bool watched = has_watched(run);
	struct wt_error *error = watched ? run_watch_from(run, from) : NULL;
	uint64_t position = from;

	while (!error && found->answer == WT_WAY_NOWHERE &&
	       next_position(summary, false, &position)) {
		if (!run_goes_on(run, found))
			break;
		error = run_look_at(run, position, false, found);
		if (!error && watched)
			error = run_look_at(run, position, true, found);
	}
	return error;
}

#define STRETCH 512u /* positions that are looked at in order, going back */

/*
 * Going back: values are found in the order of positions, for each is executed from the one before it. So stretch by stretch is
 * looked at from its beginning, and the last that holds in it counts.
 */
static struct wt_error *run_back(struct run *run, uint64_t from, struct wt_way_found *found)
{
	const struct wt_way_summary *summary = &run->way->summary;
	uint64_t end = from; /* looked at are positions before it; a change up to it */
	bool watched = has_watched(run);
	struct wt_error *error = NULL;

	while (!error && end && found->answer == WT_WAY_NOWHERE) {
		uint64_t begin = end > STRETCH ? end - STRETCH : 0, position;

		if (summary->cut_count && end == summary->cut_from + summary->cut_count) {
			end = summary->cut_from;
			continue;
		}
		if (summary->cut_count && end > summary->cut_from &&
		    begin < summary->cut_from + summary->cut_count)
			begin = summary->cut_from + summary->cut_count;
		error = watched ? run_watch_from(run, begin ? begin - 1 : 0) : NULL;
		if (error && summary->cut_count) {
			/* The position before is left out. */
			wt_error_destroy(error);
			error = run_watch_from(run, begin);
		}
		for (position = begin; position <= end && !error; position++) {
			struct wt_way_found one = {.answer = WT_WAY_NOWHERE};

			if (!run_goes_on(run, found))
				break;
			if (position < end)
				error = run_look_at(run, position, false, &one);
			if (!error && watched && position)
				error = run_look_at(run, position, true, &one);
			if (!error && one.answer == WT_WAY_FOUND && one.position < from)
				*found = one;
		}
		end = begin;
	}
	return error;
}

static struct wt_error *run_complain(const struct run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->asked[i] && !run->meant[i])
			return wt_error_create(WT_ERROR_INPUT, "cannot follow", run->until[i].text,
					       "at character %zu: %s", run->complaint.position + 1,
					       run->complaint.text);
	return NULL;
}

static struct wt_error *run_make(struct run *run, uint64_t from, struct wt_way_found *found)
{
	const struct wt_way_summary *summary = &run->way->summary;
	struct wt_error *error =
		run->back ? run_back(run, from, found) : run_forward(run, from, found);

	run_forget(run);
	if (error)
		return error;
	if (found->answer == WT_WAY_NOWHERE) {
		error = run_complain(run);
		found->position = run->back ? 0 : summary->steps;
	} else if (found->answer == WT_WAY_GIVEN_UP) {
		found->position = from;
	}
	return error;
}

struct wt_error *wt_way_run(struct wt_way *way, bool back, const struct wt_way_until *until,
			    size_t count, struct wt_way_found *found_ret)
{
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	uint64_t from = way->position;
	struct run run = {.way = way,
			  .until = until,
			  .count = count,
			  .back = back,
			  .meant = calloc(count + 1, sizeof(bool)),
			  .asked = calloc(count + 1, sizeof(bool)),
			  .last = calloc(count + 1, sizeof(struct evaluation)),
			  .has_last = calloc(count + 1, sizeof(bool))};
	struct wt_error *error = &wt_error_no_memory, *other;

	if (run.meant && run.asked && run.last && run.has_last)
		error = run_make(&run, from, &found);
	free(run.meant);
	free(run.asked);
	free(run.last);
	free(run.has_last);
	other = wt_way_go(way, error ? from : found.position);
	if (error) {
		wt_error_destroy(other);
		return error;
	}
	*found_ret = found;
	return other;
}

/* ---- Line by line ---- */

struct wt_error *wt_way_stride(struct wt_way *way, bool back, enum wt_way_stride stride,
			       struct wt_way_found *found_ret)
{
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	uint64_t from = way->position, position = from, looked = 0;
	struct wt_error *error = NULL;
	int depth = 0;

	while (!error && found.answer == WT_WAY_NOWHERE) {
		int change = back ? 0 : wt_way_depth_change(way, position);
		struct wt_way_line line;
		bool begins, left;

		if (!next_position(&way->summary, back, &position))
			break;
		if (!(++looked % WT_TRACK_SEGMENT) && !wt_way_goes_on(way, WT_TRACK_SEGMENT)) {
			found.answer = WT_WAY_GIVEN_UP;
			position = from;
			break;
		}
		depth += back ? -wt_way_depth_change(way, position) : change;
		if (stride == WT_WAY_OUT) {
			if (depth < 0)
				found.answer = WT_WAY_FOUND;
			continue;
		}
		if (stride == WT_WAY_OVER && depth > 0)
			continue;
		error = line_begins(way, position, &begins, &line);
		/* Who leaves a function stops in the statement that called it. */
		left = change < 0 && depth < 0;
		if ((begins || left) && line.file && line.line)
			found.answer = WT_WAY_FOUND;
	}
	if (!error)
		error = wt_way_go(way, position);
	found.position = position;
	if (!error)
		*found_ret = found;
	return error;
}
