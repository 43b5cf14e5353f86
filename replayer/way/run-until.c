/* SPDX-License-Identifier: MIT */
/* Going along a way until something holds: a line, an instruction, a condition, another value. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "replayer/view/value-text.h"
#include "replayer/way/internal.h"

/* ---- The value of an expression where the way stands ---- */

struct evaluation {
	struct wt_value_text text; /* first, so that who shows it finds the rest */
	bool is_one;		   /* the text is an expression there */
	bool is_known;		   /* and its value is known */
	bool is_true;		   /* a number other than 0 */
	bool seen;		   /* a number was */
};

static void evaluation_deinit(struct evaluation *evaluation)
{
	wt_buffer_deinit(&evaluation->text.buffer);
}

static void evaluate_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	struct evaluation *evaluation = opaque;

	if (!evaluation->seen)
		evaluation->is_true = scalar->kind == WT_DWARF_TYPE_FLOAT ? scalar->real != 0
									  : scalar->number != 0;
	evaluation->seen = true;
	wt_value_text_sink(&evaluation->text).scalar(&evaluation->text, scalar);
}

static void evaluate_unknown(void *opaque, const char *why)
{
	struct evaluation *evaluation = opaque;

	evaluation->is_known = false;
	wt_value_text_sink(&evaluation->text).unknown(&evaluation->text, why);
}

/* @complaint: why it is none; of the last one. */
static struct wt_error *way_evaluate(struct wt_way *way, const struct wt_way_until *until,
				     struct wt_dwarf_complaint *complaint,
				     struct evaluation *evaluation)
{
	struct wt_dwarf_sink sink = wt_value_text_sink(&evaluation->text);
	char type[WT_DWARF_MAX_TYPE];
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_way_stack(way, &stack);
	uint32_t lane = wt_way_lane(way, until->lane);

	*evaluation = (struct evaluation){.is_known = true};
	sink.scalar = evaluate_scalar;
	sink.unknown = evaluate_unknown;
	if (!error && stack && lane < wt_way_lanes(way))
		error = wt_stack_print(stack, 0, lane, until->text, &sink, type,
				       &evaluation->is_one, complaint);
	wt_stack_destroy(stack);
	return error;
}

/* ---- What a value hangs on: it is found once where nothing of that is another ---- */

/*
 * A value is found from the place, from the lanes that are active, and from what the state of the wave answers to the questions that
 * come up on the way to it. Where the wave comes by with the same answers, the value is the same: asking again costs a hundredth of
 * finding frame, scope and place once more.
 */

#define KEPT_VALUES 4096u   /* of an expression: for so many places, and lanes there */
#define KEPT_QUESTIONS 256u /* a value that hangs on more is not kept */
#define QUESTION_BYTES 8u   /* of memory */

struct question {
	enum { ASKS_REGISTER, ASKS_MEMORY, ASKS_STORED } kind;
	enum gfx_space space;
	uint32_t lane;
	uint32_t size; /* of memory */
	uint64_t address;
	char name[16]; /* of a register */
};

struct answer {
	bool there;
	unsigned int bits; /* that are known */
	uint64_t value;
	const char *why;
};

struct exchange {
	struct question question;
	struct answer answer;
};

/* The place of the way, as far as it is no question. */
struct standing {
	uint64_t pc, exec, exec_known;
	uint32_t lane;
	bool at_end;
};

struct kept_value {
	struct standing standing;
	struct exchange *exchanges;
	size_t count, capacity;
	bool is_whole; /* all that was asked is there */
	struct evaluation evaluation;
	struct wt_dwarf_complaint complaint; /* if it is no expression */
};

static void kept_value_destroy(struct kept_value *kept)
{
	if (!kept)
		return;
	evaluation_deinit(&kept->evaluation);
	free(kept->exchanges);
	free(kept);
}

static struct standing standing_of(struct wt_way *way, const struct wt_way_until *until)
{
	struct standing standing = {.pc = wt_way_pc(way),
				    .lane = wt_way_lane(way, until->lane),
				    .at_end = wt_way_is_at_end(way)};

	standing.exec = wt_way_exec(way, &standing.exec_known);
	return standing;
}

static bool is_same_standing(const struct standing *one, const struct standing *other)
{
	return one->pc == other->pc && one->exec == other->exec &&
	       one->exec_known == other->exec_known && one->lane == other->lane &&
	       one->at_end == other->at_end;
}

static size_t standing_slot(const struct standing *standing)
{
	uint64_t hash = standing->pc ^ standing->exec * UINT64_C(0x9e3779b97f4a7c15) ^
			(uint64_t)standing->lane << 56;

	return hash * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (KEPT_VALUES - 1);
}

static struct answer state_answer(const struct wt_machine_state *state,
				  const struct question *question)
{
	struct answer answer = {.there = true};
	uint8_t bytes[QUESTION_BYTES] = {0};
	size_t known;

	switch (question->kind) {
	case ASKS_REGISTER:
		answer.there = state->read_register(state->opaque, question->name, question->lane,
						    &answer.value, &answer.bits, &answer.why);
		break;
	case ASKS_MEMORY:
		known = state->read_memory(state->opaque, question->space, question->lane,
					   question->address, bytes, question->size);
		answer.bits = 8 * (unsigned int)known;
		memcpy(&answer.value, bytes, known);
		break;
	case ASKS_STORED:
		answer.value = state->is_stored(state->opaque, question->lane, question->address);
		break;
	}
	return answer;
}

static bool is_same_answer(const struct answer *one, const struct answer *other)
{
	return one->there == other->there && one->bits == other->bits &&
	       one->value == other->value && one->why == other->why;
}

static bool kept_value_holds(const struct wt_way *way, const struct kept_value *kept,
			     const struct standing *standing)
{
	if (!is_same_standing(&kept->standing, standing))
		return false;
	for (size_t i = 0; i < kept->count; i++) {
		struct answer answer = state_answer(&way->state, &kept->exchanges[i].question);

		if (!is_same_answer(&answer, &kept->exchanges[i].answer))
			return false;
	}
	return true;
}

/* The state of the wave, and who keeps what it is asked. */
struct listening {
	struct wt_machine_state state;
	struct kept_value *kept;
};

static struct answer listening_answer(struct listening *listening, const struct question *question)
{
	struct kept_value *kept = listening->kept;
	struct answer answer = state_answer(&listening->state, question);

	if (kept->count == kept->capacity && kept->capacity < KEPT_QUESTIONS) {
		size_t capacity = kept->capacity ? 2 * kept->capacity : 16;
		void *grown = reallocarray(kept->exchanges, capacity, sizeof(*kept->exchanges));

		if (grown) {
			kept->exchanges = grown;
			kept->capacity = capacity;
		}
	}
	if (kept->count < kept->capacity)
		kept->exchanges[kept->count++] = (struct exchange){*question, answer};
	else
		kept->is_whole = false;
	return answer;
}

static bool listen_register(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret,
			    unsigned int *bits_ret, const char **why_ret)
{
	struct listening *listening = opaque;
	struct question question = {.kind = ASKS_REGISTER, .lane = lane};
	struct answer answer;

	if (strlen(name) >= sizeof(question.name)) {
		listening->kept->is_whole = false;
		return listening->state.read_register(listening->state.opaque, name, lane,
						      value_ret, bits_ret, why_ret);
	}
	memcpy(question.name, name, strlen(name));
	answer = listening_answer(listening, &question);
	if (!answer.there)
		return false;
	*value_ret = answer.value;
	*bits_ret = answer.bits;
	*why_ret = answer.why;
	return true;
}

static size_t listen_memory(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
			    void *data, size_t size)
{
	uint8_t *bytes = data;
	size_t known = 0;

	while (known < size) {
		size_t part = size - known < QUESTION_BYTES ? size - known : QUESTION_BYTES;
		const struct question question = {.kind = ASKS_MEMORY,
						  .space = space,
						  .lane = lane,
						  .size = (uint32_t)part,
						  .address = address + known};
		struct answer answer = listening_answer(opaque, &question);

		memcpy(bytes + known, &answer.value, answer.bits / 8);
		known += answer.bits / 8;
		if (answer.bits / 8 < part)
			break;
	}
	return known;
}

static enum wt_dwarf_stored listen_stored(void *opaque, uint32_t lane, uint64_t address)
{
	const struct question question = {.kind = ASKS_STORED, .lane = lane, .address = address};

	return (enum wt_dwarf_stored)listening_answer(opaque, &question).value;
}

/* Finds the value where the way stands, and keeps what it hangs on. */
static struct wt_error *kept_value_create(struct wt_way *way, const struct wt_way_until *until,
					  const struct standing *standing,
					  struct kept_value **kept_ret)
{
	struct kept_value *kept = calloc(1, sizeof(*kept));
	struct listening listening = {.state = way->state, .kept = kept};
	struct wt_error *error;

	if (!kept)
		return &wt_error_no_memory;
	kept->standing = *standing;
	kept->is_whole = true;
	way->state.opaque = &listening;
	way->state.read_register = listen_register;
	way->state.read_memory = listen_memory;
	way->state.is_stored = listen_stored;
	way->state.is_innermost = true;
	error = way_evaluate(way, until, &kept->complaint, &kept->evaluation);
	way->state = listening.state;
	if (error) {
		kept_value_destroy(kept);
		return error;
	}
	*kept_ret = kept;
	return NULL;
}

/* Finds the value where the way stands, if it is not that of a time before. @kept_ret: stays in the table until the next one is found. */
static struct wt_error *kept_value_find(struct wt_way *way, const struct wt_way_until *until,
					struct kept_value **table,
					const struct kept_value **kept_ret)
{
	struct standing standing = standing_of(way, until);
	struct kept_value **slot = &table[standing_slot(&standing)], *kept = *slot;

	if (!kept || !kept->is_whole || !kept_value_holds(way, kept, &standing)) {
		struct wt_error *error = kept_value_create(way, until, &standing, &kept);

		if (error)
			return error;
		kept_value_destroy(*slot);
		*slot = kept;
	}
	*kept_ret = kept;
	return NULL;
}

static struct evaluation evaluation_copy(const struct evaluation *evaluation)
{
	struct evaluation copy = *evaluation;

	copy.text = (struct wt_value_text){.depth = 0};
	wt_buffer_append(&copy.text.buffer, evaluation->text.buffer.data,
			 evaluation->text.buffer.size);
	return copy;
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

#define ALL_FUNCTIONS SIZE_MAX

/* The line as one sees it to whom so many of the functions around it are shown, from the outermost on: of what is inlined there, the call. */
static struct wt_way_line line_seen(const struct wt_way_line *line, size_t shown)
{
	struct wt_way_line seen = *line;

	if (shown < line->function_count) {
		seen.file = line->functions[shown].call_file;
		seen.line = line->functions[shown].call_line;
	}
	return seen;
}

/* Are both in one copy of an inlined function, which is not shown? */
static bool is_same_hidden(const struct wt_way_line *one, const struct wt_way_line *other,
			   size_t shown)
{
	return shown < one->function_count && shown < other->function_count &&
	       one->functions[shown].entry == other->functions[shown].entry;
}

/*
 * Does a line begin at a position: does the wave come there from another one, or round a loop of the same?
 *
 * @shown: see line_seen().
 */
static struct wt_error *line_begins(struct wt_way *way, uint64_t position, size_t shown,
				    bool *begins_ret, struct wt_way_line *line_ret)
{
	struct wt_way_line line, before, seen;
	uint64_t pc, before_pc;
	struct wt_error *error;
	bool returned;

	*begins_ret = false;
	*line_ret = (struct wt_way_line){.file = NULL};
	if (!wt_way_pc_at(way, position, &pc))
		return NULL;
	error = wt_way_line_of(way, pc, &line);
	if (error)
		return error;
	*line_ret = line_seen(&line, shown);
	if (!position || !wt_way_pc_at(way, position - 1, &before_pc)) {
		*begins_ret = true;
		return NULL;
	}
	/* Behind the call that a function comes back to, the statement that called it goes on: the call is the instruction before in memory. */
	returned = wt_way_depth_change(way, position - 1) < 0;
	error = wt_way_line_of(way, returned ? pc - 1 : before_pc, &before);
	if (error)
		return error;
	seen = line_seen(&before, shown);
	*begins_ret = !is_same_line(line_ret, &seen) ||
		      (!returned && pc <= before_pc && !is_same_hidden(&line, &before, shown));
	return NULL;
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
	struct kept_value *(*kept)[KEPT_VALUES]; /* of each */
};

/* The address of an instruction that is gone to and is at a position; NULL if there is none. */
static const struct wt_way_address *
until_address(const struct wt_way *way, const struct wt_way_until *until, uint64_t position)
{
	uint64_t pc;

	if (until->kind != WT_WAY_UNTIL_INSTRUCTION || !until->address_count ||
	    !wt_way_pc_at(way, position, &pc))
		return NULL;
	return bsearch(&pc, until->addresses, until->address_count, sizeof(*until->addresses),
		       wt_compare_u64);
}

/* Hides the functions where the way stands that are to have no frame. Where the wave stopped, all are shown. */
static struct wt_error *functions_hide(struct wt_way *way, size_t shown)
{
	struct wt_way_line line;
	struct wt_error *error;
	uint64_t pc;

	way->hidden = 0;
	if (!shown || wt_way_is_at_end(way) || !wt_way_pc_at(way, way->position, &pc))
		return NULL;
	error = wt_way_line_of(way, pc, &line);
	if (!error && shown < line.function_count)
		way->hidden = line.function_count - shown;
	return error;
}

static struct wt_error *until_hide(struct wt_way *way, const struct wt_way_until *until)
{
	const struct wt_way_address *address = until_address(way, until, way->position);

	return functions_hide(way, address ? address->functions : 0);
}

/* Does the place alone fit, without what the text says? */
static struct wt_error *place_fits(struct run *run, const struct wt_way_until *until,
				   uint64_t position, bool *fits_ret)
{
	struct wt_way_line line;
	struct wt_error *error;

	*fits_ret = until_address(run->way, until, position) != NULL;
	if (until->kind == WT_WAY_UNTIL_INSTRUCTION)
		return NULL;
	error = line_begins(run->way, position, ALL_FUNCTIONS, fits_ret, &line);
	*fits_ret &= !error && line.file && until->file && line.line == until->line &&
		     is_file(line.file, until->file);
	return error;
}

/* The text of one, where the run looks at a position. @evaluation_ret: until the next one is found. */
static struct wt_error *run_evaluate(struct run *run, size_t index, uint64_t position,
				     const struct evaluation **evaluation_ret)
{
	struct wt_error *error = wt_way_go(run->way, position);
	const struct kept_value *kept;

	if (!error)
		error = until_hide(run->way, &run->until[index]);
	if (!error)
		error = kept_value_find(run->way, &run->until[index], run->kept[index], &kept);
	run->asked[index] = true;
	if (error)
		return error;
	run->meant[index] |= kept->evaluation.is_one;
	if (!kept->evaluation.is_one)
		run->complaint = kept->complaint;
	*evaluation_ret = &kept->evaluation;
	return NULL;
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
	const struct evaluation *evaluation;

	if (error || !*holds_ret || !run->until[index].text)
		return error;
	error = run_evaluate(run, index, position, &evaluation);
	*holds_ret = !error && evaluation_holds(evaluation);
	return error;
}

/*
 * Does one without a place hold at a position, seen from the one before it? A change that is met going back is met at the position before
 * the step: that is @position less one.
 */
static struct wt_error *watched_holds(struct run *run, size_t index, uint64_t position,
				      bool *holds_ret)
{
	struct evaluation copy, *last = &run->last[index];
	const struct evaluation *now;
	struct wt_error *error = run_evaluate(run, index, position, &now);

	*holds_ret = false;
	if (error)
		return error;
	copy = evaluation_copy(now);
	if (copy.text.buffer.failed) {
		evaluation_deinit(&copy);
		return &wt_error_no_memory;
	}
	if (run->has_last[index])
		*holds_ret = run->until[index].kind == WT_WAY_UNTIL_CHANGE
				     ? evaluation_differs(last, now)
				     : evaluation_holds(now) && !evaluation_holds(last);
	evaluation_deinit(last);
	*last = copy;
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

/*
 * How many positions are looked at in order, going back: few at first, since most often what is asked for is near; then as many as lie
 * between two states that are kept, for each stretch is executed from one of these.
 */
#define STRETCH 512u

/*
 * Going back: values are found in the order of positions, for each is executed from the one before it. So stretch by stretch is
 * looked at from its beginning, and the last that holds in it counts.
 */
static struct wt_error *run_back(struct run *run, uint64_t from, struct wt_way_found *found)
{
	const struct wt_way_summary *summary = &run->way->summary;
	uint64_t end = from; /* looked at are positions before it; a change up to it */
	uint64_t stretch = STRETCH;
	bool watched = has_watched(run);
	struct wt_error *error = NULL;

	while (!error && end && found->answer == WT_WAY_NOWHERE) {
		uint64_t begin = end > stretch ? end - stretch : 0, position;

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
		if (stretch < WT_TRACK_SEGMENT)
			stretch *= 2;
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
	size_t hidden = way->hidden;
	struct run run = {.way = way,
			  .until = until,
			  .count = count,
			  .back = back,
			  .meant = calloc(count + 1, sizeof(bool)),
			  .asked = calloc(count + 1, sizeof(bool)),
			  .last = calloc(count + 1, sizeof(struct evaluation)),
			  .has_last = calloc(count + 1, sizeof(bool)),
			  .kept = calloc(count + 1, sizeof(*run.kept))};
	struct wt_error *error = &wt_error_no_memory, *other;

	way->hidden = 0;
	if (run.meant && run.asked && run.last && run.has_last && run.kept)
		error = run_make(&run, from, &found);
	for (size_t i = 0; run.kept && i < count; i++)
		for (size_t j = 0; j < KEPT_VALUES; j++)
			kept_value_destroy(run.kept[i][j]);
	free(run.kept);
	free(run.meant);
	free(run.asked);
	free(run.last);
	free(run.has_last);
	other = wt_way_go(way, error ? from : found.position);
	if (!other && (error || found.answer == WT_WAY_GIVEN_UP))
		way->hidden = hidden;
	if (!error && !other && found.answer == WT_WAY_FOUND)
		other = until_hide(way, &until[found.which]);
	if (error) {
		wt_error_destroy(other);
		return error;
	}
	*found_ret = found;
	return other;
}

/* ---- Line by line ---- */

/* Someone who goes line by line, and sees what a function is seen to do in which he is. */
struct walk {
	struct wt_way *way;
	bool back;
	enum wt_way_stride stride;
	/* The function, by the place where the walk begins: the last one that is shown there. */
	struct wt_way_line home;
	size_t shown;
	int depth; /* calls of functions that are not inlined since */
	uint64_t
		after; /* going back: the position that was looked at last in the function, and what is inlined into it */
	struct wt_way_found found;
	size_t found_shown; /* functions that are shown where the walk ends */
};

static void walk_end(struct walk *walk, uint64_t position, size_t shown)
{
	walk->found = (struct wt_way_found){.answer = WT_WAY_FOUND, .position = position};
	walk->found_shown = shown;
}

/* Ends the walk if a line begins at a position, as one sees it from a function. @anyway: it does, wherever there is a line. */
static struct wt_error *walk_end_at_line(struct walk *walk, uint64_t position, size_t shown,
					 bool anyway)
{
	struct wt_way_line line;
	bool begins;
	struct wt_error *error = line_begins(walk->way, position, shown, &begins, &line);

	if (!error && (begins || anyway) && line.file && line.line)
		walk_end(walk, position, shown);
	return error;
}

/* How many of the functions that are shown where the walk began are also around another place. */
static size_t walk_common(const struct walk *walk, const struct wt_way_line *line)
{
	size_t common = 0;

	while (common < walk->shown && common < line->function_count &&
	       walk->home.functions[common].entry == line->functions[common].entry)
		common++;
	return common;
}

/* At a place of a function that the walk began in, inlined ones and those around them too. @common: so many of the functions. */
static struct wt_error *walk_look_inside(struct walk *walk, uint64_t position, size_t common)
{
	bool left = common && common < walk->shown;
	struct wt_error *error;

	/* The call of a function that is inlined is where it begins. */
	if (walk->stride == WT_WAY_OUT) {
		if (left && walk->back)
			walk_end(walk, walk->after, walk->shown - 1);
		else if (left)
			walk_end(walk, position, common);
		return NULL;
	}
	while (left && walk->back && walk->shown > common) {
		walk->shown--;
		error = walk_end_at_line(walk, walk->after, walk->shown, false);
		if (error || walk->found.answer == WT_WAY_FOUND)
			return error;
	}
	return walk_end_at_line(walk, position, common ? common : ALL_FUNCTIONS,
				left && !walk->back);
}

/* @change: of the calls, on the step to the position. */
static struct wt_error *walk_look_at(struct walk *walk, uint64_t position, int change)
{
	struct wt_way_line line;
	struct wt_error *error;
	size_t common;
	uint64_t pc;

	if (walk->stride == WT_WAY_INTO)
		return walk_end_at_line(walk, position, ALL_FUNCTIONS,
					change < 0 && walk->depth < 0);
	if (walk->depth > 0 || !wt_way_pc_at(walk->way, position, &pc))
		return NULL;
	if (walk->depth < 0 && walk->stride == WT_WAY_OUT) {
		walk_end(walk, position, ALL_FUNCTIONS);
		return NULL;
	}
	/* Who leaves a function stops in the statement that called it. */
	if (walk->depth < 0)
		return walk_end_at_line(walk, position, ALL_FUNCTIONS, change < 0);
	error = wt_way_line_of(walk->way, pc, &line);
	if (error)
		return error;
	common = walk_common(walk, &line);
	error = walk_look_inside(walk, position, common);
	walk->after = position;
	return error;
}

static struct wt_error *walk_begin(struct walk *walk)
{
	struct wt_way *way = walk->way;
	struct wt_error *error;
	uint64_t pc;

	walk->after = way->position;
	if (!wt_way_pc_at(way, way->position, &pc))
		return NULL;
	error = wt_way_line_of(way, pc, &walk->home);
	if (error)
		return error;
	walk->shown = walk->home.function_count - way->hidden;
	/* Who stands at the call of an inlined function need go nowhere to be in it. */
	if (way->hidden && !walk->back && walk->stride == WT_WAY_INTO)
		walk_end(walk, way->position, walk->shown + 1);
	return NULL;
}

static struct wt_error *walk_go(struct walk *walk)
{
	struct wt_way *way = walk->way;
	uint64_t from = way->position, position = from, looked = 0;
	struct wt_error *error = walk_begin(walk);

	walk->found.position = from;
	while (!error && walk->found.answer == WT_WAY_NOWHERE) {
		int change = walk->back ? 0 : wt_way_depth_change(way, position);

		if (!next_position(&way->summary, walk->back, &position))
			break;
		walk->found.position = position;
		if (!(++looked % WT_TRACK_SEGMENT) && !wt_way_goes_on(way, WT_TRACK_SEGMENT)) {
			walk->found =
				(struct wt_way_found){.answer = WT_WAY_GIVEN_UP, .position = from};
			break;
		}
		walk->depth += walk->back ? -wt_way_depth_change(way, position) : change;
		error = walk_look_at(walk, position, change);
	}
	return error;
}

struct wt_error *wt_way_stride(struct wt_way *way, bool back, enum wt_way_stride stride,
			       struct wt_way_found *found_ret)
{
	struct walk walk = {
		.way = way, .back = back, .stride = stride, .found = {.answer = WT_WAY_NOWHERE}};
	struct wt_error *error = walk_go(&walk);

	if (!error)
		error = wt_way_go(way, walk.found.position);
	/* Who gives up stands where he stood. */
	if (!error && walk.found.answer != WT_WAY_GIVEN_UP)
		error = functions_hide(way, walk.found_shown);
	if (!error)
		*found_ret = walk.found;
	return error;
}
