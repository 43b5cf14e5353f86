/* SPDX-License-Identifier: MIT */
/* One step of a way: its instruction, its source line, and what it reads and writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/wave/memory-access.h"
#include "replayer/view/explain-access.h"
#include "replayer/way/internal.h"

/* ---- Code and lines ---- */

const struct wt_rerun_code *wt_way_code(struct wt_way *way, uint64_t pc)
{
	struct wt_rerun *rerun = way->track->rerun;
	uint64_t here = rerun->wave.pc;
	const struct wt_rerun_code *code;

	rerun->wave.pc = pc;
	code = wt_rerun_code(rerun);
	rerun->wave.pc = here;
	return code;
}

static struct wt_way_line *line_slot(struct wt_way_line *lines, size_t capacity, uint64_t pc)
{
	size_t at = (size_t)(pc / 4 * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);

	while (lines[at].used && lines[at].pc != pc)
		at = (at + 1) & (capacity - 1);
	return &lines[at];
}

static bool lines_grow(struct wt_way *way)
{
	size_t capacity = way->line_capacity ? 2 * way->line_capacity : 1024;
	struct wt_way_line *lines;

	if (way->line_capacity && way->line_count < way->line_capacity / 2)
		return true;
	lines = calloc(capacity, sizeof(*lines));
	if (!lines)
		return false;
	for (size_t i = 0; i < way->line_capacity; i++)
		if (way->lines[i].used)
			*line_slot(lines, capacity, way->lines[i].pc) = way->lines[i];
	free(way->lines);
	way->lines = lines;
	way->line_capacity = capacity;
	return true;
}

static bool line_find_functions(struct wt_way_line *line, struct wt_source *source,
				uint64_t address)
{
	struct wt_source_function functions[WT_SOURCE_MAX_FUNCTIONS];
	size_t count = wt_source_functions(source, address, functions);

	line->functions = calloc(count + 1, sizeof(*functions));
	if (!line->functions)
		return false;
	memcpy(line->functions, functions, count * sizeof(*functions));
	line->function_count = count;
	return true;
}

struct wt_error *wt_way_line_of(struct wt_way *way, uint64_t pc, struct wt_way_line *line_ret)
{
	struct wavetape_place place = {0};
	struct wt_source *source = NULL;
	struct wt_way_line *slot;
	uint64_t code_object, load;
	struct wt_error *error = NULL;

	if (!lines_grow(way))
		return &wt_error_no_memory;
	slot = line_slot(way->lines, way->line_capacity, pc);
	if (slot->used) {
		*line_ret = *slot;
		return NULL;
	}
	code_object = wt_view_code_object_at(way->view, pc, &load);
	if (code_object)
		error = wt_explainer_source(way->explainer, code_object, &source);
	if (error)
		return error;
	if (source && wt_source_find(source, pc - load, &place)) {
		slot->file = place.file;
		slot->line = place.line;
		if (!line_find_functions(slot, source, pc - load))
			return &wt_error_no_memory;
	}
	slot->pc = pc;
	slot->used = true;
	way->line_count++;
	*line_ret = *slot;
	return NULL;
}

bool wt_way_pc_at(const struct wt_way *way, uint64_t position, uint64_t *pc_ret)
{
	uint64_t step;

	if (position == way->summary.steps && way->track) {
		*pc_ret = way->track->end_pc;
		return true;
	}
	if (!way->track || !wt_track_step_of(way->track, position, &step) ||
	    !wt_track_pc(way->track, step, pc_ret))
		return false;
	*pc_ret &= ~WT_RERUN_HALF;
	return true;
}

int wt_way_depth_change(struct wt_way *way, uint64_t position)
{
	const struct wt_rerun_code *code;
	uint64_t pc, next;

	if (!wt_way_pc_at(way, position, &pc))
		return 0;
	code = wt_way_code(way, pc);
	if (!code || code->instruction.encoding != GFX_SOP1)
		return 0;
	if (!strcmp(code->instruction.operation->name, "s_swappc_b64"))
		return 1;
	/* A jump to a place behind a call is its return. */
	if (strcmp(code->instruction.operation->name, "s_setpc_b64") != 0 ||
	    !wt_way_pc_at(way, position + 1, &next))
		return 0;
	code = wt_way_code(way, next - 4);
	return code && !strcmp(code->instruction.operation->name, "s_swappc_b64") ? -1 : 0;
}

/* ---- Touches ---- */

static void touch_name(const struct wt_way *way, const struct gfx_use *use,
		       struct wt_way_touch *touch)
{
	if (use->file == GFX_FILE_SCALAR)
		wt_way_scalar_name(way, use->number, touch->name);
	else
		snprintf(touch->name, sizeof(touch->name), "%c%u",
			 use->file == GFX_FILE_VECTOR ? 'v' : 'a', use->number);
	touch->words = use->words;
	touch->vector = use->file != GFX_FILE_SCALAR;
}

static struct wt_way_touch *step_add(struct wt_way_step *step, bool write)
{
	struct wt_way_touch *touch;

	if (step->touch_count == WT_WAY_TOUCHES)
		return NULL;
	touch = &step->touches[step->touch_count++];
	touch->write = write;
	return touch;
}

static void add_registers(const struct wt_way *way, const struct wt_rerun_code *code, bool write,
			  struct wt_way_step *step)
{
	const struct gfx_uses *uses = &code->uses;
	uint32_t count = write ? uses->write_count : uses->read_count;

	for (uint32_t i = 0; i < count; i++) {
		const struct gfx_use *use = write ? &uses->writes[i] : &uses->reads[i];
		struct wt_way_touch *touch;

		/* A half that stays is not looked at. */
		if (use->kept)
			continue;
		touch = step_add(step, write);
		if (!touch)
			return;
		touch_name(way, use, touch);
		if (touch->vector)
			touch->lanes = wt_rerun_touched_lanes(way->track->rerun, code);
	}
}

uint32_t wt_way_touched_lane(const struct wt_way_touch *touch, uint32_t lane)
{
	if (!touch->vector || !touch->lanes || touch->lanes >> lane & 1)
		return lane;
	return gfx_first_lane(touch->lanes);
}

static void add_memory(const struct wt_rerun_code *code, struct wt_way_step *step, bool write,
		       uint64_t known)
{
	struct wt_way_touch *touch;

	if (!gfx_touches_memory(&code->instruction) ||
	    !(write ? step->access.write : step->access.read))
		return;
	touch = step_add(step, write);
	if (!touch)
		return;
	touch->memory = true;
	touch->access = &step->access;
	touch->lanes = step->access.lanes & known;
}

struct wt_error *wt_way_step(struct wt_way *way, bool *has_ret, struct wt_way_step *step_ret)
{
	struct wt_rerun *rerun = way->track ? way->track->rerun : NULL;
	const struct wt_rerun_code *code = rerun ? wt_rerun_code(rerun) : NULL;
	struct wt_rerun_code parts[2];
	uint32_t count = 1;
	uint64_t known = 0;
	struct wt_error *error;

	*has_ret = false;
	memset(step_ret, 0, sizeof(*step_ret));
	if (!code || wt_way_is_at_end(way))
		return NULL;
	parts[0] = *code;
	if (code->skips) {
		code = wt_way_code(way, rerun->wave.pc | WT_RERUN_HALF);
		if (code)
			parts[count++] = *code;
	}
	step_ret->position = way->position;
	step_ret->exec = wt_way_exec(way, &step_ret->exec_known);
	step_ret->depth = (uint32_t)rerun->call_count;
	error = wt_explain_address(way->explainer, way->input.architecture, rerun->wave.pc,
				   &step_ret->place);
	if (error)
		return error;
	if (gfx_touches_memory(&parts[0].instruction)) {
		wt_rerun_access(rerun, &parts[0], &step_ret->access, &known);
		wt_rerun_name_private(rerun, &step_ret->access, known);
		wt_explain_resolve(way->input.architecture, &step_ret->access);
	}
	for (uint32_t i = 0; i < count; i++)
		add_registers(way, &parts[i], false, step_ret);
	add_memory(&parts[0], step_ret, false, known);
	for (uint32_t i = 0; i < count; i++)
		add_registers(way, &parts[i], true, step_ret);
	add_memory(&parts[0], step_ret, true, known);
	*has_ret = true;
	return NULL;
}

void wt_way_step_deinit(struct wt_way_step *step)
{
	wt_explain_code_deinit(&step->place);
}

void wt_way_step_facts(const struct wt_way_step *step, struct wavetape_way_step *facts_ret)
{
	*facts_ret = (struct wavetape_way_step){
		.position = step->position,
		.exec = step->exec,
		.exec_known = step->exec_known,
		.depth = step->depth,
	};
}

void wt_way_touch_facts(const struct wt_way_touch *touch, struct wavetape_way_touch *facts_ret)
{
	*facts_ret = (struct wavetape_way_touch){.write = touch->write, .lanes = touch->lanes};
	if (touch->memory) {
		facts_ret->space = wt_access_space_name(touch->access->space);
		facts_ret->bytes = touch->access->size * touch->access->parts;
	} else {
		facts_ret->first = touch->name;
		facts_ret->words = touch->words;
	}
}

void wt_way_value_facts(const struct wt_way_value *value, struct wavetape_way_value *facts_ret)
{
	*facts_ret = (struct wavetape_way_value){
		.status = wt_way_status_name(value->status),
		.value = value->value,
		.bits = value->bits,
		.known_or_may_be = value->status != WT_WAY_NOT_KNOWN || value->may_be,
		.may_be = value->may_be,
		.why = value->why,
	};
}
