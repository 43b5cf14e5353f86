/* SPDX-License-Identifier: MIT */
/* What an address is near: mapped memory around it, and the kernel argument that points there. */
#include "replayer/view/explain-cause-internal.h"

#include <string.h>

#define LOOK_AROUND (UINT64_C(1) << 24) /* bytes to each side */
#define MAX_PAGES 65536u		/* of one buffer */

int wt_cause_page(const struct wt_view *view, uint64_t process, uint64_t address, uint64_t *end_ret)
{
	const struct wt_key key = {
		.type = WT_ITEM_MEMORY,
		.kind = wt_reader_name_number(wt_view_reader(view), "global"),
		.owner = process,
		.address = address - address % WT_PAGE,
	};
	const struct wt_item *item = wt_state_get(wt_view_state(view), &key);

	*end_ret = key.address;
	if (!item)
		return 0;
	if (item->status || !item->bytes)
		return -1;
	*end_ret = key.address + item->bytes->size;
	return address < *end_ret ? 1 : -1;
}

/* The first byte above @from that is not mapped, if all between is known to be. */
static bool find_end(const struct wt_view *view, uint64_t process, uint64_t from, uint64_t *end_ret)
{
	uint64_t at = from;

	for (uint32_t i = 0; i < MAX_PAGES; i++) {
		uint64_t end;
		int state = wt_cause_page(view, process, at, &end);

		if (state == 0 || (state < 0 && at == from))
			return false;
		if (state < 0) {
			*end_ret = at;
			return true;
		}
		at = end;
	}
	return false;
}

/* ---- The argument ---- */

const struct wt_explain_argument *wt_cause_loaded_argument(const struct wt_cause *cause,
							   const struct wt_analysis_step *step,
							   uint32_t word)
{
	uint64_t base = cause->arguments.address, address, lane = cause->lane;

	if (!step->loads || !step->writes || !base || step->access.parts > 1 ||
	    (step->access.space != GFX_ACCESS_GLOBAL && step->access.space != GFX_ACCESS_GENERIC))
		return NULL;
	if (step->access.scalar)
		lane = 0;
	if (!(step->address_known >> lane & 1) || !(step->access.lanes >> lane & 1))
		return NULL;
	address = step->access.addresses[lane] + 4ULL * word;
	for (size_t i = 0; i < cause->arguments.count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.list[i];

		if (address >= base + argument->offset &&
		    address < base + argument->offset + argument->size)
			return argument;
	}
	return NULL;
}

/* Each source of each step that is a part of the address: whether it is an argument's word, and of which. */
struct argument_walk {
	const struct wt_cause *cause;
	size_t pointer; /* the one pointer found; SIZE_MAX: none yet */
	bool several;
};

static void visit_source(struct argument_walk *walk, uint32_t source, enum gfx_register_file file,
			 uint32_t number)
{
	const struct wt_cause *cause = walk->cause;
	const struct wt_explain_argument *argument;
	const struct wt_analysis_step *step;
	size_t at;

	if (source >= cause->analysis.count)
		return;
	step = &cause->analysis.steps[source];
	if (!step->writes || step->file != file || number < step->number)
		return;
	argument = wt_cause_loaded_argument(cause, step, number - step->number);
	if (!argument || !argument->pointer)
		return;
	at = (size_t)(argument - cause->arguments.list);
	walk->several |= walk->pointer != SIZE_MAX && walk->pointer != at;
	walk->pointer = at;
}

static void visit_step(struct argument_walk *walk, const struct wt_analysis_step *step,
		       bool is_target)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, at++) {
			const struct gfx_use *use = &step->uses.reads[i];

			if (at >= step->source_count)
				return;
			if (is_target ? use->address : !(step->loads && use->address))
				visit_source(walk, step->sources[at], use->file,
					     use->number + word);
		}
}

/* The pointer argument that is a part of the address; SIZE_MAX if there is none, or more than one. */
static size_t find_pointer(const struct wt_cause *cause)
{
	struct argument_walk walk = {.cause = cause, .pointer = SIZE_MAX};

	for (size_t i = 0; i < cause->analysis.count; i++)
		if (!cause->analysis.steps[i].indirect)
			visit_step(&walk, &cause->analysis.steps[i], i == 0);
	return walk.several || !cause->analysis.whole ? SIZE_MAX : walk.pointer;
}

/* ---- Around the address ---- */

static void find_below(const struct wt_view *view, uint64_t process, struct wt_cause *cause)
{
	uint64_t lowest = cause->address > LOOK_AROUND ? cause->address - LOOK_AROUND : 0;
	uint64_t at = cause->address, end;

	/* From page to page down: what is nearest. */
	for (at -= at % WT_PAGE; at >= lowest; at -= WT_PAGE) {
		int state = wt_cause_page(view, process, at, &end);

		if (state == 1 && end <= cause->address) {
			cause->near.mapped_before = true;
			cause->near.before_end = end;
			return;
		}
		if (at < WT_PAGE)
			return;
	}
}

static void find_above(const struct wt_view *view, uint64_t process, struct wt_cause *cause)
{
	uint64_t from, to;

	if (wt_view_memory_next(view, "global", process, cause->address, &from, &to) &&
	    from > cause->address && from - cause->address <= LOOK_AROUND) {
		cause->near.mapped_after = true;
		cause->near.after_start = from;
	}
}

static void relate_to_argument(const struct wt_view *view, uint64_t process, struct wt_cause *cause)
{
	struct wt_cause_near *near = &cause->near;
	const struct wt_explain_argument *argument;
	uint32_t size = cause->wave.access.size;

	near->argument = find_pointer(cause);
	if (near->argument == SIZE_MAX)
		return;
	argument = &cause->arguments.list[near->argument];
	if (!argument->known) {
		near->argument = SIZE_MAX;
		return;
	}
	near->byte_offset = (int64_t)(cause->address - argument->value);
	near->whole = size && near->byte_offset % (int64_t)size == 0;
	near->element = near->whole ? near->byte_offset / (int64_t)size : 0;
	near->has_end = argument->value && find_end(view, process, argument->value, &near->end);
}

void wt_cause_look_around(struct wt_view *view, uint64_t process, struct wt_cause *cause)
{
	cause->near.argument = SIZE_MAX;
	if (cause->wave.access.space == GFX_ACCESS_LOCAL ||
	    cause->wave.access.space == GFX_ACCESS_PRIVATE)
		return;
	find_below(view, process, cause);
	find_above(view, process, cause);
	if (cause->analysed && cause->analysis.end == WT_ANALYSIS_ARRIVED)
		relate_to_argument(view, process, cause);
}
