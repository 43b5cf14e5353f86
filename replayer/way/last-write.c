/* SPDX-License-Identifier: MIT */
/* Who wrote a register, memory or a variable last, and who reads it first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/wave/memory-access.h"
#include "replayer/way/internal.h"

/* Memory and registers that a target can be in: bytes of private memory that was scattered have more. */
#define RANGES 16u
#define MAX_BYTES 4096u

struct range {
	bool memory;
	enum gfx_register_file file;
	uint32_t number, words;
	enum gfx_access_space space;
	uint64_t address, size;
	uint32_t lane;
};

struct target {
	struct range ranges[RANGES];
	size_t count;
};

static struct wt_error *target_refuse(const struct wt_way_target *target, const char *why)
{
	return wt_error_create(WT_ERROR_INPUT, "cannot follow", target->text, "%s", why);
}

/* ---- What is meant ---- */

/* "s[4:5]". False if it is none. */
static bool parse_registers(const struct wt_way *way, const char *text, uint32_t lane,
			    struct target *target)
{
	struct wt_way_register_place place;
	unsigned int first, last;
	char kind, name[16], rest;

	if (*text == '$')
		text++;
	if (sscanf(text, "%c[%u:%u]%c", &kind, &first, &last, &rest) == 3) {
		if (last < first || last - first >= 32)
			return false;
		snprintf(name, sizeof(name), "%c%u", kind, last % 1000);
		if (!wt_way_register_find(way, name, &place))
			return false;
		snprintf(name, sizeof(name), "%c%u", kind, first % 1000);
		if (!wt_way_register_find(way, name, &place))
			return false;
		place.words = last - first + 1;
	} else if (!wt_way_register_find(way, text, &place) || place.is_pc || place.is_mode) {
		return false;
	}
	target->ranges[target->count++] = (struct range){
		.file = place.file, .number = place.number, .words = place.words, .lane = lane};
	return true;
}

/* "private 16:8". False if it is none. */
static bool parse_memory(const char *text, uint32_t lane, struct target *target)
{
	static const struct {
		const char *name;
		enum gfx_access_space space;
	} spaces[] = {{"global ", GFX_ACCESS_GLOBAL},
		      {"generic ", GFX_ACCESS_GENERIC},
		      {"local ", GFX_ACCESS_LOCAL},
		      {"private ", GFX_ACCESS_PRIVATE}};
	struct range range = {.memory = true, .space = GFX_ACCESS_GENERIC, .size = 4, .lane = lane};
	bool named = false;
	char *end;

	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]) && !named; i++)
		if (!strncmp(text, spaces[i].name, strlen(spaces[i].name))) {
			range.space = spaces[i].space;
			text += strlen(spaces[i].name);
			named = true;
		}
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	range.address = strtoull(text, &end, 0);
	if (*end == ':')
		range.size = strtoull(end + 1, &end, 0);
	if (errno || *end || !range.size || range.size > MAX_BYTES)
		return false;
	target->ranges[target->count++] = range;
	return true;
}

static bool target_add_place(void *opaque, const struct wt_dwarf_part_place *place)
{
	struct target *target = opaque;
	struct range range = {.lane = place->lane, .memory = place->memory};
	bool accumulation;

	if (target->count == RANGES)
		return false;
	if (place->memory) {
		range.space = place->space == GFX_SPACE_LOCAL	       ? GFX_ACCESS_LOCAL
			      : place->space == GFX_SPACE_PRIVATE_LANE ? GFX_ACCESS_PRIVATE
								       : GFX_ACCESS_GENERIC;
		range.address = place->address;
		range.size = place->size < MAX_BYTES ? place->size : MAX_BYTES;
	} else if (wt_dwarf_is_scalar(place->number, &range.number)) {
		range.file = GFX_FILE_SCALAR;
		range.words = 1;
	} else if (wt_dwarf_is_vector(place->number, &accumulation, &range.number)) {
		range.file = accumulation ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR;
		range.words = 1;
	} else {
		return false;
	}
	target->ranges[target->count++] = range;
	return true;
}

static struct wt_error *parse_variable(struct wt_way *way, const struct wt_way_target *asked,
				       uint32_t lane, struct target *target)
{
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_way_stack(way, &stack);
	char why[256] = "no frame is known there";

	if (!error && stack)
		error = wt_stack_places(stack, 0, lane, asked->text, target_add_place, target, why);
	wt_stack_destroy(stack);
	if (error || target->count)
		return error;
	return target_refuse(asked, why);
}

static struct wt_error *target_parse(struct wt_way *way, const struct wt_way_target *asked,
				     struct target *target)
{
	uint32_t lane = wt_way_lane(way, asked->lane);

	*target = (struct target){.count = 0};
	if (!way->track)
		return target_refuse(asked, "no way is known");
	if (lane >= wt_way_lanes(way))
		return target_refuse(asked, "the wave has no such lane");
	if (parse_registers(way, asked->text, lane, target) ||
	    parse_memory(asked->text, lane, target))
		return NULL;
	return parse_variable(way, asked, lane, target);
}

/* ---- Who wrote it last ---- */

static void writer_take(uint32_t writer, bool unsure, uint32_t *last, bool *uncertain)
{
	if (writer > *last) {
		*last = writer;
		*uncertain = unsure;
	}
}

static void range_writer(const struct wt_way *way, const struct range *range, uint32_t *last,
			 bool *uncertain)
{
	const struct wt_rerun *rerun = way->track->rerun;

	for (uint32_t word = 0; !range->memory && word < range->words; word++)
		writer_take(wt_rerun_writer(rerun, range->file, range->number + word, range->lane),
			    false, last, uncertain);
	for (uint64_t i = 0; range->memory && i < range->size; i++) {
		struct wt_rerun_place place =
			wt_rerun_place_of(rerun, range->space, range->lane, range->address + i);
		const struct wt_written *written;

		if (place.kind == WT_RERUN_PRIVATE && place.there)
			writer_take(rerun->private_writers[place.offset / 4],
				    rerun->private_anywhere, last, uncertain);
		else if (place.kind == WT_RERUN_LOCAL && place.there)
			writer_take(rerun->local_writers[place.offset / 4], !rerun->alone, last,
				    uncertain);
		else if (place.kind == WT_RERUN_GLOBAL) {
			written = wt_rerun_written(rerun, place.offset);
			if (written)
				writer_take(written->writer, written->unknown, last, uncertain);
		}
	}
}

/* Is it known that the step which is next has written the range: were its lanes known to be active, and its addresses? */
static bool step_is_certain(struct wt_way *way, const struct range *range)
{
	struct wt_rerun *rerun = way->track->rerun;
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	uint64_t open = wt_rerun_exec_unknown(rerun);

	return code &&
	       (range->file == GFX_FILE_SCALAR && !range->memory ? true
								 : !(open >> range->lane & 1));
}

/* Who asks goes nowhere: the frame stays the one that it was, too. */
static struct wt_error *way_return(struct wt_way *way, uint64_t position, size_t hidden)
{
	struct wt_error *error = wt_way_go(way, position);

	if (!error)
		way->hidden = hidden;
	return error;
}

struct wt_error *wt_way_last_write(struct wt_way *way, const struct wt_way_target *asked,
				   struct wt_way_found *found_ret)
{
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	uint64_t here = way->position, position;
	size_t hidden = way->hidden;
	bool uncertain = false;
	struct target target;
	struct wt_error *error = target_parse(way, asked, &target);
	uint32_t last = 0;

	if (error)
		return error;
	for (size_t i = 0; i < target.count; i++)
		range_writer(way, &target.ranges[i], &last, &uncertain);
	if (!last) {
		*found_ret = found;
		return NULL;
	}
	if (!wt_track_position_of(way->track, last - 1, &position)) {
		found.answer = WT_WAY_IN_CUT;
		*found_ret = found;
		return NULL;
	}
	found.position = position;
	error = wt_way_go(way, position);
	if (error)
		return error;
	for (size_t i = 0; i < target.count; i++)
		uncertain |= !step_is_certain(way, &target.ranges[i]);
	found.answer = uncertain ? WT_WAY_UNCERTAIN : WT_WAY_FOUND;
	*found_ret = found;
	return way_return(way, here, hidden);
}

/* ---- Who reads it first ---- */

static bool reads_register(const struct wt_rerun_code *code, const struct range *range)
{
	for (uint32_t i = 0; i < code->uses.read_count; i++) {
		const struct gfx_use *use = &code->uses.reads[i];

		if (use->file == range->file && use->number < range->number + range->words &&
		    range->number < (uint32_t)use->number + use->words)
			return true;
	}
	return false;
}

static bool overlaps(uint64_t first, uint64_t size, uint64_t other, uint64_t other_size)
{
	return first < other ? other - first < size : first - other < other_size;
}

/* Does the access of a lane reach a range of memory? */
static bool access_reaches(const struct wt_rerun *rerun, const struct gfx_access *access,
			   uint32_t lane, const struct range *range)
{
	struct wt_rerun_place wanted =
		wt_rerun_place_of(rerun, range->space, range->lane, range->address);

	for (uint32_t part = 0; part < access->parts; part++) {
		uint64_t address = gfx_part_address(access, lane, part);
		struct wt_rerun_place place =
			wt_rerun_place_of(rerun, access->space, lane, address);

		if (place.kind != wanted.kind)
			continue;
		/* Words of a lane are not side by side: both are looked at byte by byte. */
		if (place.kind != WT_RERUN_PRIVATE) {
			if (overlaps(place.offset, access->size, wanted.offset, range->size))
				return true;
			continue;
		}
		for (uint32_t i = 0; i < access->size; i++)
			for (uint64_t j = 0; j < range->size; j++)
				if (wt_rerun_place_of(rerun, access->space, lane, address + i)
					    .offset == wt_rerun_place_of(rerun, range->space,
									 range->lane,
									 range->address + j)
							       .offset)
					return true;
	}
	return false;
}

/* WT_WAY_NOWHERE: the step that is next does not read it. */
static enum wt_way_answer step_reads(struct wt_way *way, const struct wt_rerun_code *code,
				     const struct range *range)
{
	struct wt_rerun *rerun = way->track->rerun;
	uint64_t exec, known;
	struct gfx_access access;
	enum wt_way_answer answer = WT_WAY_NOWHERE;

	exec = wt_way_exec(way, &known);
	if (!range->memory) {
		if (range->file == GFX_FILE_SCALAR || code->uses.cross_lane || code->uses.all_lanes)
			return WT_WAY_FOUND;
		if (!(known >> range->lane & 1))
			return WT_WAY_UNCERTAIN;
		return exec >> range->lane & 1 ? WT_WAY_FOUND : WT_WAY_NOWHERE;
	}
	wt_rerun_access(rerun, code, &access, &known);
	if (!access.read)
		return WT_WAY_NOWHERE;
	if (access.lanes & ~known)
		answer = WT_WAY_UNCERTAIN;
	for (uint64_t left = access.lanes & known; left; left &= left - 1)
		if (access_reaches(rerun, &access, (uint32_t)__builtin_ctzll(left), range))
			return WT_WAY_FOUND;
	return answer;
}

/* Can the instruction at a position read one of the target's ranges, as far as its code says? */
static bool may_read(const struct wt_rerun_code *code, const struct target *target)
{
	for (size_t i = 0; i < target->count; i++)
		if (target->ranges[i].memory
			    ? code->instruction.operation->memory != GFX_MEMORY_NONE &&
				      code->instruction.operation->memory != GFX_MEMORY_STORE
			    : reads_register(code, &target->ranges[i]))
			return true;
	return false;
}

static struct wt_error *look_at(struct wt_way *way, uint64_t position, const struct target *target,
				struct wt_way_found *found)
{
	struct wt_error *error = wt_way_go(way, position);
	const struct wt_rerun_code *code;

	if (error)
		return error;
	for (size_t i = 0; i < target->count && found->answer == WT_WAY_NOWHERE; i++) {
		code = wt_rerun_code(way->track->rerun);
		if (!code || (target->ranges[i].memory ? !gfx_touches_memory(&code->instruction)
						       : !reads_register(code, &target->ranges[i])))
			continue;
		found->answer = step_reads(way, code, &target->ranges[i]);
		found->position = position;
	}
	return NULL;
}

struct wt_error *wt_way_first_read(struct wt_way *way, const struct wt_way_target *asked,
				   struct wt_way_found *found_ret)
{
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	uint64_t here = way->position, position = here, looked = 0;
	size_t hidden = way->hidden;
	struct target target;
	struct wt_error *error = target_parse(way, asked, &target), *other;

	while (!error && found.answer == WT_WAY_NOWHERE && position < way->summary.steps) {
		const struct wt_rerun_code *code;
		uint64_t pc;

		if (way->summary.cut_count && position == way->summary.cut_from) {
			found.answer = WT_WAY_IN_CUT;
			break;
		}
		if (!(++looked % WT_TRACK_SEGMENT) && !wt_way_goes_on(way, WT_TRACK_SEGMENT)) {
			found.answer = WT_WAY_GIVEN_UP;
			break;
		}
		code = wt_way_pc_at(way, position, &pc) ? wt_way_code(way, pc) : NULL;
		if (code && may_read(code, &target))
			error = look_at(way, position, &target, &found);
		position++;
	}
	other = way_return(way, here, hidden);
	if (error || other) {
		if (error)
			wt_error_destroy(other);
		return error ? error : other;
	}
	*found_ret = found;
	return NULL;
}
