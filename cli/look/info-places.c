/* SPDX-License-Identifier: MIT */
#include "cli/look/info-places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/text.h"
#include "cli/describe.h"
#include "cli/facts.h"
#include "cli/function-names.h"
#include "cli/look/info-cause.h"
#include "cli/output.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/view/loop-group.h"

/* Names of memory that is read, apart from those by arguments that point to it. */
struct read_names {
	char *variable; /* of the program; NULL: none */
	char linked
		[WT_EXPLAIN_LINKED]; /* by a pointer in what the arguments point to; "": none leads there */
};

#define OTHER_ADDRESSES 3u

/* Other waves of a place wait there for another address than the one that is shown. */
struct elsewhere {
	struct wt_loop_read read;
	struct read_names names;
	size_t waves;
};

/* A place, and what waves do there. */
struct described {
	struct wt_stacks *stacks;    /* of who describes */
	struct wt_explain_wave wave; /* one of them */
	struct wt_activity_found activity;
	struct wavetape_place from, to; /* of a loop */
	uint64_t kept_out;		/* lanes that do nothing before the loop ends */
	struct wt_loop loop;
	struct wavetape_place reads[WT_LOOP_READS];
	struct elsewhere elsewhere[OTHER_ADDRESSES];
	size_t elsewhere_count; /* also beyond what there is room for */
	struct wavetape_place
		calls[WT_LOOP_READS]; /* of the functions that these are in; or nothing */
	struct read_names names[WT_LOOP_READS];
	struct wavetape_place miss; /* a comparison that no round changes; or nothing */
	struct wt_explain_arguments arguments;
	/* The workgroups of its dispatch, if it waits for what others of them may do, and not all are here; else all 0. */
	struct wt_view_groups groups;
};

static void described_deinit(struct described *described)
{
	wt_explain_wave_deinit(&described->wave);
	wt_explain_code_deinit(&described->from);
	wt_explain_code_deinit(&described->to);
	for (size_t i = 0; i < WT_LOOP_READS; i++) {
		wt_explain_code_deinit(&described->reads[i]);
		wt_explain_code_deinit(&described->calls[i]);
		free(described->names[i].variable);
	}
	for (size_t i = 0; i < OTHER_ADDRESSES; i++)
		free(described->elsewhere[i].names.variable);
	wt_explain_code_deinit(&described->miss);
	wt_explain_arguments_deinit(&described->arguments);
}

/* The lanes of a wave that have work-items; 0 if that is not known. */
static uint64_t lanes_of(struct wt_view *view, const struct wt_explain_wave *wave)
{
	uint64_t items, first = (uint64_t)wave->number_in_workgroup * wave->lane_count;
	uint32_t group[3];

	if (!wave->lane_count || !wt_view_group_items(view, wave->wave, group))
		return 0;
	items = (uint64_t)group[0] * group[1] * group[2];
	items = items > first ? items - first : 0;
	if (items > wave->lane_count)
		items = wave->lane_count;
	return items ? UINT64_MAX >> (64 - items) : 0;
}

/* Lanes that do nothing before the loop ends: those that no round of it has active, or none of its instructions can make active. */
static uint64_t lanes_kept_out(struct wt_view *view, const struct described *described)
{
	uint64_t in = described->loop.is_same ? described->loop.lanes : described->wave.exec;

	if (!in || (!described->loop.is_same && (described->activity.activity != WT_ACTIVITY_LOOP ||
						 !described->activity.keeps_out)))
		return 0;
	return lanes_of(view, &described->wave) & ~in;
}

/* A place in a loop: where functions are inlined into each other, the call that is told is the innermost one of the program's own. */
static struct wt_error *place_in_loop(struct wt_explainer *explainer,
				      const struct gfx_architecture *architecture, uint64_t address,
				      struct wavetape_place *place_ret)
{
	struct wt_error *error = wt_explain_address(explainer, architecture, address, place_ret);

	return error ? error : wt_explain_inner_call(explainer, place_ret);
}

static uint64_t described_dispatch(const struct wt_view *view, const struct described *described)
{
	return wt_view_number_or(view, WT_OBJECT_WAVE, described->wave.wave,
				 AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
}

/* The element of an array that a variable of the program is, by DWARF where the wave stands: "locks[7]" in place of "locks + 28". */
static struct wt_error *name_element(struct wt_stacks *stacks, uint64_t wave,
				     const struct wt_explain_variable *variable, uint64_t offset,
				     char **name)
{
	struct wt_stack *stack = NULL;
	uint64_t count = 0;
	struct wt_error *error = wt_stack_create(stacks, wave, &stack);

	if (!error && stack)
		error = wt_explain_count_elements(stack, 0, variable, &count);
	wt_stack_destroy(stack);
	if (error || !count || offset % (variable->size / count))
		return error;
	*name = wt_text("%s[%llu]", variable->symbol,
			(unsigned long long)(offset / (variable->size / count)));
	return *name ? NULL : &wt_error_no_memory;
}

static struct wt_error *find_names(struct wt_view *view, struct wt_explainer *explainer,
				   const struct described *described,
				   const struct wt_loop_read *read, struct read_names *names)
{
	struct wt_explain_variable variable;
	struct wt_error *error;

	if (read->space != GFX_ACCESS_GLOBAL)
		return NULL;
	wt_explain_name_linked(view, &described->arguments, read->address, names->linked);
	error = wt_explain_variable_at(explainer, read->address, &variable);
	if (error || !variable.symbol)
		return error;
	error = name_element(described->stacks, described->wave.wave, &variable,
			     read->address - variable.address, &names->variable);
	if (error || names->variable)
		return error;
	return wt_explain_variable(explainer, read->address, &names->variable);
}

/* Does a wave wait at the place's only read, for one address? */
static bool waits_for_one(const struct wt_loop *loop, uint64_t pc)
{
	return loop->is_same && loop->count == 1 && !loop->scalar && loop->reads[0].pc == pc &&
	       loop->reads[0].space == GFX_ACCESS_GLOBAL && loop->reads[0].addresses == 1 &&
	       !loop->reads[0].moves;
}

static void described_note_elsewhere(struct described *described, const struct wt_loop_read *read)
{
	size_t i = 0;

	if (read->address == described->loop.reads[0].address)
		return;
	while (i < described->elsewhere_count && i < OTHER_ADDRESSES &&
	       described->elsewhere[i].read.address != read->address)
		i++;
	if (i < OTHER_ADDRESSES) {
		described->elsewhere[i].read = *read;
		described->elsewhere[i].waves++;
	}
	if (i == described->elsewhere_count || i == OTHER_ADDRESSES)
		described->elsewhere_count++;
}

/* Waves that wait at one place, as for locks, need not wait for the same one. */
static struct wt_error *describe_elsewhere(struct wt_view *view, struct wt_explainer *explainer,
					   const struct wt_place *place,
					   struct described *described)
{
	const uint64_t pc = described->loop.count ? described->loop.reads[0].pc : 0;
	struct wt_error *error = NULL;

	/* Not all waves of a larger place are kept, and who waits could not be counted. */
	if (place->waves > WT_PLACE_SOME || !waits_for_one(&described->loop, pc))
		return NULL;
	for (size_t i = 1; i < place->waves && !error; i++) {
		struct wt_loop loop;

		error = wt_loop_follow(explainer, place->some[i], &loop);
		if (!error && waits_for_one(&loop, pc))
			described_note_elsewhere(described, &loop.reads[0]);
	}
	for (size_t i = 0; i < described->elsewhere_count && i < OTHER_ADDRESSES && !error; i++)
		error = find_names(view, explainer, described, &described->elsewhere[i].read,
				   &described->elsewhere[i].names);
	return error;
}

/* The reads of a loop, by place and by the names of the kernel's arguments. */
static struct wt_error *describe_reads(struct wt_view *view, struct wt_explainer *explainer,
				       const struct gfx_architecture *architecture,
				       struct described *described)
{
	struct wt_error *error = wt_explain_arguments(
		explainer, described_dispatch(view, described), &described->arguments);

	for (size_t i = 0; i < described->loop.count && i < WT_LOOP_READS && !error; i++) {
		const struct wt_loop_read *read = &described->loop.reads[i];

		error = place_in_loop(explainer, architecture, read->pc, &described->reads[i]);
		if (!error && read->call)
			error = place_in_loop(explainer, architecture, read->call,
					      &described->calls[i]);
		if (!error)
			error = find_names(view, explainer, described, read, &described->names[i]);
	}
	if (!error && described->loop.miss.pc)
		error = place_in_loop(explainer, architecture, described->loop.miss.pc,
				      &described->miss);
	return error;
}

/* A wave at a barrier has the pc behind it, and what stands there may be of another line, which the wave has not reached. */
static struct wt_error *place_at_barrier(struct wt_explainer *explainer,
					 const struct gfx_architecture *architecture,
					 struct described *described)
{
	struct wavetape_place barrier;
	struct wt_error *error =
		wt_explain_address(explainer, architecture, described->activity.barrier, &barrier);

	if (error)
		return error;
	wt_explain_code_deinit(&described->wave.code);
	described->wave.code = barrier;
	return NULL;
}

/* Does a wave wait for what another workgroup may do? */
static bool described_waits_for_others(const struct described *described)
{
	if (described->activity.activity == WT_ACTIVITY_GRID)
		return true;
	for (size_t i = 0;
	     described->loop.is_same && i < described->loop.count && i < WT_LOOP_READS; i++)
		if (described->loop.reads[i].space == GFX_ACCESS_GLOBAL)
			return true;
	return false;
}

static void described_count_groups(struct wt_view *view, struct described *described)
{
	struct wt_view_groups groups;

	if (described_waits_for_others(described) &&
	    wt_view_count_groups(view, described_dispatch(view, described), &groups) &&
	    groups.here < groups.all)
		described->groups = groups;
}

static struct wt_error *place_describe_waves(struct wt_view *view, struct wt_explainer *explainer,
					     struct wt_stacks *stacks, const struct wt_place *place,
					     bool follow, struct described *described)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, place->first);
	struct wt_error *error;

	*described = (struct described){.stacks = stacks};
	error = wt_explain_wave(explainer, place->first, &described->wave);
	if (!error)
		wt_place_activity(explainer, architecture, place->pc, &described->activity);
	if (!error && follow && !described->activity.barrier)
		error = wt_loop_follow(explainer, place->first, &described->loop);
	if (!error && follow && !described->loop.is_same && !described->loop.blind_rounds &&
	    described->activity.activity != WT_ACTIVITY_GRID)
		error = wt_loop_follow_group(explainer, place->first, &described->loop);
	if (!error && follow)
		described_count_groups(view, described);
	if (!error && described->loop.is_same)
		error = describe_reads(view, explainer, architecture, described);
	if (!error && described->loop.is_same)
		error = describe_elsewhere(view, explainer, place, described);
	if (!error && described->activity.barrier)
		return place_at_barrier(explainer, architecture, described);
	if (!error && follow)
		described->kept_out = lanes_kept_out(view, described);
	if (!error && described->loop.is_same && described->activity.activity != WT_ACTIVITY_LOOP) {
		/* The function is called in the loop; its lines are those of the reads. */
		described->activity.activity = WT_ACTIVITY_LOOP;
		return NULL;
	}
	if (error || described->activity.activity != WT_ACTIVITY_LOOP)
		return error;
	error = place_in_loop(explainer, architecture, described->activity.from, &described->from);
	if (error)
		return error;
	return place_in_loop(explainer, architecture, described->activity.to, &described->to);
}

static const char *activity_name(enum wt_activity activity)
{
	static const char *const names[] = {
		[WT_ACTIVITY_UNKNOWN] = "unknown", [WT_ACTIVITY_BARRIER] = "barrier",
		[WT_ACTIVITY_WAIT] = "wait",	   [WT_ACTIVITY_SLEEP] = "sleep",
		[WT_ACTIVITY_LOOP] = "loop",	   [WT_ACTIVITY_GRID] = "grid_barrier",
	};

	return names[activity];
}

/* ", in a loop, lines 12 to 14". */
static void print_loop(const struct described *described)
{
	const char *from_file, *to_file;
	uint32_t from, to;

	printf(", in a loop");
	wt_source_own_line(&described->from, &from_file, &from);
	wt_source_own_line(&described->to, &to_file, &to);
	/* Code that belongs to no line has line 0. */
	if (from_file && to_file && !strcmp(from_file, to_file) && from && from < to)
		printf(", lines %u to %u", from, to);
	else if (to_file && to)
		printf(", line %u", to);
	if (described->activity.sleeps)
		printf(", asleep");
}

static void print_activity(const struct described *described)
{
	switch (described->activity.activity) {
	case WT_ACTIVITY_BARRIER:
		printf(", at a barrier");
		break;
	case WT_ACTIVITY_WAIT:
		printf(", waiting for memory or a message");
		break;
	case WT_ACTIVITY_SLEEP:
		printf(", asleep");
		break;
	case WT_ACTIVITY_LOOP:
		print_loop(described);
		break;
	case WT_ACTIVITY_GRID:
		printf(", at a barrier of all workgroups");
		break;
	case WT_ACTIVITY_UNKNOWN:
		break;
	}
}

/*
 * Names what is read: "flag[0]", "tiles[5].status", "lock->owner", "*rings[1].tail", "byte 12 of table", "mutex", or nothing where no argument
 * points near, and no variable is. Return: the number in what an argument points to, or NULL.
 */
static const struct wt_explain_member *name_read(const struct described *described,
						 const struct wt_loop_read *read,
						 const struct read_names *names,
						 char text[WT_DESCRIBE_MAX])
{
	const struct wt_explain_argument *argument =
		read->space == GFX_ACCESS_GLOBAL
			? wt_loop_argument(&described->arguments, read->address)
			: NULL;
	const struct wt_explain_member *member = NULL;
	char pointed[WT_EXPLAIN_POINTED] = "";

	text[0] = '\0';
	if (argument)
		member = wt_explain_name_pointed(&described->arguments, argument, read->address,
						 read->size, pointed);
	if (*pointed)
		snprintf(text, WT_DESCRIBE_MAX, "%s", pointed);
	else if (*names->linked)
		snprintf(text, WT_DESCRIBE_MAX, "%s", names->linked);
	else if (argument)
		snprintf(text, WT_DESCRIBE_MAX, "byte %" PRIu64 " of %.60s",
			 read->address - argument->value, argument->label);
	else if (names->variable)
		snprintf(text, WT_DESCRIBE_MAX, "%.120s", names->variable);
	return member;
}

static int64_t read_value(const struct wt_loop_read *read)
{
	uint32_t unused = 64 - 8 * read->size;

	if (read->is_unsigned)
		return (int64_t)read->value;
	return unused < 64 ? (int64_t)(read->value << unused) >> unused : 0;
}

static double float_of(uint64_t bits)
{
	uint32_t word = (uint32_t)bits;
	float value;

	memcpy(&value, &word, sizeof(value));
	return (double)value;
}

/* In the program's own files, if it is there or was called there. */
static void print_source(const struct wavetape_place *code, const struct wavetape_place *call)
{
	const char *file;
	uint32_t line;

	if (!wt_source_own_line(code, &file, &line) && !wt_source_own_line(call, &file, &line))
		wt_source_own_line(code, &file, &line);
	if (file && line) {
		printf(" at ");
		wt_cli_put(stdout, file);
		printf(":%u", line);
	}
}

#define VALUE_TEXT 32

static void print_value(const struct wt_loop_read *read, const struct wt_explain_member *member,
			char text[VALUE_TEXT])
{
	if (read->is_float ||
	    (member && member->is_float && read->size == sizeof(float) && !read->until))
		snprintf(text, VALUE_TEXT, "%.9g", float_of(read->value));
	else if (member && member->is_pointer)
		snprintf(text, VALUE_TEXT, "0x%" PRIx64, read->value);
	else
		snprintf(text, VALUE_TEXT, "%" PRId64, read_value(read));
}

/* "1 other wave for locks[3], at 0x7fcd27d6e00c, which is 1". */
static void print_elsewhere(const struct described *described)
{
	for (size_t i = 0; i < described->elsewhere_count && i < OTHER_ADDRESSES; i++) {
		const struct elsewhere *other = &described->elsewhere[i];
		char name[WT_DESCRIBE_MAX], value[VALUE_TEXT];

		print_value(&other->read, name_read(described, &other->read, &other->names, name),
			    value);
		printf("             %zu other %s for ", other->waves,
		       wt_plural(other->waves, "wave", "waves"));
		wt_cli_put(stdout, name);
		printf("%s0x%" PRIx64 ", which is %s\n", name[0] ? ", at " : "",
		       other->read.address, value);
	}
	if (described->elsewhere_count > OTHER_ADDRESSES)
		printf("             %zu other %s for other addresses\n",
		       described->elsewhere_count - OTHER_ADDRESSES,
		       wt_plural(described->elsewhere_count - OTHER_ADDRESSES, "wave", "waves"));
}

/* Are names the same but for the numbers of elements? */
static bool names_are_alike(const char *one, const char *other)
{
	while (*one && *one == *other) {
		bool element = *one == '[';

		one++;
		other++;
		if (element) {
			one += strspn(one, "0123456789");
			other += strspn(other, "0123456789");
		}
	}
	return *one == *other;
}

/* Do two reads show the same? Of those that go round, each may have begun with another element. */
static bool reads_are_alike(const struct described *described, size_t one, size_t other)
{
	const struct wt_loop_read *left = &described->loop.reads[one],
				  *right = &described->loop.reads[other];
	char names[2][WT_DESCRIBE_MAX];

	if (left->space != right->space || left->size != right->size || left->until ||
	    right->until || left->addresses != right->addresses || left->moves != right->moves ||
	    left->turns != right->turns)
		return false;
	if (left->address == right->address)
		return true;
	name_read(described, left, &described->names[one], names[0]);
	name_read(described, right, &described->names[other], names[1]);
	return left->moves && *names[0] && names_are_alike(names[0], names[1]);
}

/* Does a read before it show the same? Code that is not optimised reads a variable as often as the source names it. */
static bool read_is_repeated(const struct described *described, size_t at)
{
	const char *files[2];
	uint32_t lines[2];

	wt_source_own_line(&described->reads[at], &files[1], &lines[1]);
	for (size_t i = 0; i < at; i++) {
		wt_source_own_line(&described->reads[i], &files[0], &lines[0]);
		if (files[0] && files[1] && !strcmp(files[0], files[1]) && lines[0] == lines[1] &&
		    reads_are_alike(described, i, at))
			return true;
	}
	return false;
}

static void print_read(const struct described *described, size_t at)
{
	const struct wt_loop_read *read = &described->loop.reads[at];
	char name[WT_DESCRIBE_MAX], where[64], until[80] = "", value[VALUE_TEXT];
	const struct wt_explain_member *member =
		name_read(described, read, &described->names[at], name);

	if (read->until && read->mask)
		snprintf(until, sizeof(until), " & 0x%" PRIx64 ") %s %#" PRIx64, read->mask,
			 read->until, (uint64_t)read->limit);
	else if (read->until && read->is_float)
		snprintf(until, sizeof(until), " %s %.9g", read->until,
			 float_of((uint64_t)read->limit));
	else if (read->until)
		snprintf(until, sizeof(until), " %s %" PRId64, read->until, read->limit);
	print_value(read, member, value);
	snprintf(where, sizeof(where), "%s%" PRIx64,
		 read->space == GFX_ACCESS_LOCAL ? "byte 0x" : "0x", read->address);
	printf("%-12s ", at ? "" : "waits for");
	if (name[0]) {
		printf("%s", read->mask ? "(" : "");
		wt_cli_put(stdout, name);
		printf("%s, at ", until);
	}
	printf("%s%s%s%s, which is %s and is read", read->mask && !name[0] ? "(" : "", where,
	       read->space == GFX_ACCESS_LOCAL ? " of local memory" : "", name[0] ? "" : until,
	       value);
	print_source(&described->reads[at], &described->calls[at]);
	if (read->addresses > 1)
		printf(", and %zu other %s", read->addresses - 1,
		       wt_plural(read->addresses - 1, "address", "addresses"));
	if (read->moves && read->turns > 1)
		printf(", and then %zu %s in turn, %s the loop", read->turns - 1,
		       wt_plural(read->turns - 1, "other", "others"),
		       wt_plural(read->turns - 1, "which does not end", "none of which ends"));
	else if (read->moves)
		printf(", and then others in turn");
	putchar('\n');
}

/* The number of a loop that a comparison is never true of. */
static void print_miss(const struct described *described)
{
	const struct wt_loop_miss *miss = &described->loop.miss;

	printf("waits for    nothing: a number that is compared with ");
	if (miss->is_one)
		printf("%" PRId64, miss->limit);
	else
		printf("another");
	print_source(&described->miss, &(struct wavetape_place){0});
	printf(" changes by multiples of %" PRIu32 ", and misses %s\n", miss->step,
	       miss->is_one ? "it" : "that");
}

/* Nothing else than one of these can end the loop. */
static void print_reads(const struct described *described)
{
	const struct wt_loop *loop = &described->loop;

	if (described->activity.endless) {
		puts("waits for    nothing: no instruction leads out of the loop");
		return;
	}
	for (size_t i = 0; loop->is_same && i < loop->count && i < WT_LOOP_READS; i++)
		if (!read_is_repeated(described, i))
			print_read(described, i);
	print_elsewhere(described);
	if (loop->is_same && !loop->count && !loop->scalar && loop->miss.pc)
		print_miss(described);
	else if (loop->is_same && !loop->count && !loop->scalar)
		puts("waits for    nothing: it reads no memory that could end the loop");
	if (loop->blind_rounds)
		printf("waits for    nothing: in %zu %s it reads no memory, nor comes to where it "
		       "was\n",
		       loop->blind_rounds, wt_plural(loop->blind_rounds, "round", "rounds"));
	if (loop->count > WT_LOOP_READS)
		printf("             and what %zu more instructions read\n",
		       loop->count - WT_LOOP_READS);
}

/* The others may have no room before these end, which may wait for them. */
static void print_groups(const struct wt_view_groups *groups)
{
	uint64_t others = groups->all - groups->here;

	if (!others)
		return;
	printf("workgroups   %" PRIu64 " of the grid's %" PRIu64 " %s on the GPU: the other ",
	       groups->here, groups->all, wt_plural(groups->here, "is", "are"));
	if (others > 1)
		printf("%" PRIu64 " have not begun, or have ended\n", others);
	else
		puts("one has not begun, or has ended");
}

static json_t *read_value_json(const struct wt_loop_read *read)
{
	return read->is_float ? json_real(float_of(read->value)) : json_integer(read_value(read));
}

static json_t *elsewhere_json(const struct described *described)
{
	json_t *array = json_array();

	for (size_t i = 0; i < described->elsewhere_count && i < OTHER_ADDRESSES; i++) {
		const struct elsewhere *other = &described->elsewhere[i];
		char name[WT_DESCRIBE_MAX];

		name_read(described, &other->read, &other->names, name);
		json_array_append_new(
			array, json_pack("{s:I, s:o, s:o, s:o}", "waves", (json_int_t)other->waves,
					 "address", wt_cli_json_hex(other->read.address), "value",
					 read_value_json(&other->read), "name",
					 wt_cli_json_text(name[0] ? name : NULL)));
	}
	return array;
}

static json_t *read_json(const struct described *described, size_t index)
{
	const struct wt_loop_read *read = &described->loop.reads[index];
	json_t *until = NULL;
	char name[WT_DESCRIBE_MAX];

	name_read(described, read, &described->names[index], name);
	if (read->until)
		until = wt_loop_until_facts_json(
			read, read->is_float ? json_real(float_of((uint64_t)read->limit))
					     : json_integer(read->limit));
	return wt_loop_read_facts_json(
		read, wt_describe_code_json(&described->reads[index]),
		read->call ? wt_describe_code_json(&described->calls[index]) : NULL,
		json_string(wt_access_space_name(read->space)), read_value_json(read), until,
		wt_cli_json_text(name[0] ? name : NULL));
}

static json_t *reads_json(const struct described *described)
{
	size_t count = described->activity.endless ? 0 : described->loop.count;
	json_t *array = json_array();

	for (size_t i = 0; i < count && i < WT_LOOP_READS; i++)
		json_array_append_new(array, read_json(described, i));
	return array;
}

static void print_place(const struct described *described, const struct wt_place *place, size_t all)
{
	const struct wt_explain_wave *wave = &described->wave;
	const struct wavetape_place *source = &wave->code;
	bool one = !(described->kept_out & (described->kept_out - 1));
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];

	printf("\nwaves        %zu of %zu in kernel ", place->waves, all);
	wt_cli_put(stdout, wt_cli_name(wave->kernel ? wave->kernel : "of unknown name", name));
	print_activity(described);
	if (wave->kernel_codeless)
		printf("\nno code      is left of this kernel: the compiler found that each run of "
		       "it "
		       "is an error, as one that never ends;\n             the waves run into the "
		       "function that follows");
	printf("\nat           ");
	if (source->file && source->line) {
		wt_cli_put(stdout, source->file);
		printf(":%d:%d, ", source->line, source->column);
	}
	if (source->call_file) {
		printf("from ");
		wt_cli_put(stdout, source->call_file);
		printf(":%d, ", source->call_line);
	}
	if (wave->code.symbol) {
		wt_cli_put(stdout, wt_cli_name(wave->code.symbol, name));
		printf("+0x%" PRIx64 "\n", wave->code.symbol_offset);
	} else {
		puts("no symbol");
	}
	if (wave->code.instruction)
		printf("instruction  0x%" PRIx64 ": %s\n", wave->code.address,
		       wave->code.instruction);
	printf("%-12s w%" PRIu64 " %s, active lanes ", place->waves > 1 ? "one of them" : "it is",
	       wave->wave, wt_describe_coordinates(wave, text));
	puts(wt_describe_lanes(wave->exec, text));
	if (described->kept_out)
		printf("held up      %s %s of it: %s when this loop has ended\n",
		       one ? "lane" : "lanes", wt_describe_lanes(described->kept_out, text),
		       one ? "if it is not done, it goes on" : "those that are not done go on");
}

static struct wt_error *places_print(struct wt_view *view, struct wt_explainer *explainer,
				     const struct wt_places *places)
{
	size_t shown = places->count < WT_INFO_PLACES ? places->count : WT_INFO_PLACES, more = 0;
	struct wt_stacks *stacks = NULL;
	struct wt_error *error = wt_stacks_create(view, &stacks);

	for (size_t i = 0; i < shown && !error; i++) {
		struct described described;

		error = place_describe_waves(view, explainer, stacks, &places->places[i],
					     i < WT_INFO_PLACES, &described);
		if (!error) {
			print_place(&described, &places->places[i],
				    places->waves + places->unknown);
			print_reads(&described);
			print_groups(&described.groups);
			error = wt_info_show_callers(stacks, places->places[i].first, NULL);
		}
		described_deinit(&described);
	}
	wt_stacks_destroy(stacks);
	for (size_t i = shown; i < places->count; i++)
		more += places->places[i].waves;
	if (more && !error)
		printf("\nwaves        %zu more in %zu other %s: `wavetape waves` lists all\n",
		       more, places->count - shown,
		       wt_plural(places->count - shown, "place", "places"));
	if (places->unknown && !error)
		printf("\nwaves        %zu whose place is not known: they were not stopped\n",
		       places->unknown);
	return error;
}

static json_t *place_json(const struct described *described, const struct wt_place *place)
{
	const struct wavetape_place *source = &described->wave.code;
	json_t *json = json_pack("{s:I, s:s, s:o, s:o}", "waves", (json_int_t)place->waves,
				 "activity", activity_name(described->activity.activity), "kernel",
				 wt_cli_json_text(described->wave.kernel), "at",
				 wt_describe_code_json(&described->wave.code));

	json_object_set_new(json, "kernel_has_code",
			    json_boolean(!described->wave.kernel_codeless));
	if (source->call_file)
		json_object_set_new(json, "called_from",
				    json_pack("{s:o, s:i}", "file",
					      wt_cli_json_text(source->call_file), "line",
					      source->call_line));
	if (described->groups.all)
		json_object_set_new(json, "workgroups",
				    wt_view_groups_facts_json(&described->groups));
	if (described->loop.is_same || described->activity.endless)
		json_object_set_new(json, "waits_for", reads_json(described));
	if (described->elsewhere_count)
		json_object_set_new(json, "others_wait_for", elsewhere_json(described));
	if (described->activity.activity == WT_ACTIVITY_LOOP) {
		json_object_set_new(json, "asleep", json_boolean(described->activity.sleeps));
		json_object_set_new(json, "held_up_lanes",
				    wt_describe_lanes_json(described->kept_out));
		json_object_set_new(json, "endless", json_boolean(described->activity.endless));
		if (described->loop.miss.pc)
			json_object_set_new(
				json, "misses",
				wt_loop_miss_facts_json(&described->loop.miss,
							wt_describe_code_json(&described->miss)));
		if (described->loop.blind_rounds)
			json_object_set_new(json, "rounds_without_reads",
					    json_integer((json_int_t)described->loop.blind_rounds));
		if (!described->from.address)
			return json;
		json_object_set_new(json, "loop_from", wt_describe_code_json(&described->from));
		json_object_set_new(json, "loop_to", wt_describe_code_json(&described->to));
	}
	return json;
}

static struct wt_error *places_json(struct wt_view *view, struct wt_explainer *explainer,
				    const struct wt_places *places, json_t **json_ret)
{
	json_t *array = json_array();
	struct wt_stacks *stacks = NULL;
	struct wt_error *error = wt_stacks_create(view, &stacks);

	for (size_t i = 0; i < places->count && !error; i++) {
		struct described described;

		error = place_describe_waves(view, explainer, stacks, &places->places[i],
					     i < WT_INFO_PLACES, &described);
		if (!error) {
			json_t *json = place_json(&described, &places->places[i]);
			json_t *callers = json_array();

			error = wt_info_show_callers(stacks, places->places[i].first, callers);
			json_object_set_new(json, "called_by", callers);
			json_array_append_new(array, json);
		}
		described_deinit(&described);
	}
	wt_stacks_destroy(stacks);
	if (error)
		json_decref(array);
	else
		*json_ret = array;
	return error;
}

struct wt_error *wt_info_show_places(struct wt_view *view, struct wt_explainer *explainer,
				     const struct wt_places *places, json_t *json)
{
	json_t *value = NULL;
	struct wt_error *error;

	if (!json)
		return places_print(view, explainer, places);
	error = places_json(view, explainer, places, &value);
	if (!error)
		json_object_set_new(json, "places", value);
	return error;
}
