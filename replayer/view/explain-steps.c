/* SPDX-License-Identifier: MIT */
/* The steps that made an address, in the user's terms; of local memory also who may have stored what was loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "replayer/view/explain-access.h"
#include "replayer/view/explain-cause-internal.h"
#include "replayer/view/kernel-launch.h"

#define MAX_LINES 4
#define MAX_CODE (UINT64_C(1) << 18) /* bytes of a kernel that are looked at */

#define NO_REGISTER 0xff

/* ---- Who stores to local memory ---- */

/* The lines of instructions that may store there. */
struct lines {
	uint32_t list[MAX_LINES];
	size_t count;
	bool more; /* or no line is known, or not all of the code could be looked at */
};

enum stores {
	STORES_NOT,
	STORES_MAYBE, /* where FLAT stores depends on its address: unoptimised code has many that are private */
	STORES_LOCAL,
};

static enum stores stores_to_local(const struct gfx_instruction *instruction)
{
	uint8_t memory = instruction->operation->memory;

	if (memory != GFX_MEMORY_STORE && memory != GFX_MEMORY_ATOMIC)
		return STORES_NOT;
	if (instruction->encoding == GFX_FLAT)
		return STORES_MAYBE;
	return instruction->encoding == GFX_DS ? STORES_LOCAL : STORES_NOT;
}

/* The size of an instruction in bytes, and whether it may store; 0: it is not known. */
static size_t stores_look_at(struct wt_explainer *explainer,
			     const struct gfx_architecture *architecture, uint64_t address,
			     enum stores *stores_ret)
{
	struct gfx_instruction instruction;

	*stores_ret =
		wt_view_decode(wt_explainer_view(explainer), architecture, address, &instruction)
			? stores_to_local(&instruction)
			: STORES_MAYBE;
	return instruction.word_count * sizeof(uint32_t);
}

static void add_line(struct lines *lines, const struct wavetape_place *place)
{
	for (size_t i = 0; i < lines->count; i++)
		if (lines->list[i] == place->line)
			return;
	if (lines->count == MAX_LINES)
		lines->more = true;
	else
		lines->list[lines->count++] = place->line;
}

static struct wt_error *write_lines(const struct lines *lines, char **text_ret)
{
	char list[16 * MAX_LINES] = "";
	size_t length = 0;

	for (size_t i = 0; i < lines->count; i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%u",
					   i ? ", " : "", lines->list[i]);
	if (asprintf(text_ret, "%s %s%s", lines->count > 1 ? "lines" : "line", list,
		     lines->more ? " or elsewhere" : "") >= 0)
		return NULL;
	*text_ret = NULL;
	return &wt_error_no_memory;
}

/* The lines in which a kernel may store to local memory: "line 290", "lines 12, 15 or elsewhere"; NULL if no such line is known. */
static struct wt_error *find_local_stores(struct wt_explainer *explainer,
					  const struct gfx_architecture *architecture,
					  uint64_t entry, char **text_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	uint64_t load_address = 0, object = wt_view_code_object_at(view, entry, &load_address);
	struct wt_source *source = NULL;
	struct lines lines = {.count = 0};
	struct wt_source_symbol symbol;
	struct wt_error *error;

	*text_ret = NULL;
	if (!object)
		return NULL;
	error = wt_explainer_source(explainer, object, &source);
	if (error || !source || !wt_source_symbol_at(source, entry - load_address, &symbol))
		return error;
	lines.more = symbol.size > MAX_CODE;
	for (uint64_t at = 0; at < symbol.size && at < MAX_CODE;) {
		struct wavetape_place place = {0};
		enum stores stores;
		size_t size = stores_look_at(explainer, architecture, entry + at, &stores);

		if (stores == STORES_LOCAL &&
		    wt_source_find(source, entry + at - load_address, &place))
			add_line(&lines, &place);
		else
			lines.more |= stores != STORES_NOT;
		at += size ? size : sizeof(uint32_t);
	}
	return lines.count ? write_lines(&lines, text_ret) : NULL;
}

/* ---- What a step means ---- */

static const char dimensions[] = "xyz";

/* A register that the wave had from its launch on. */
static const char *initial_meaning(const struct wt_cause *cause, enum gfx_register_file file,
				   uint32_t number, char *buffer, size_t size)
{
	const struct wt_analysis_initial *initial = &cause->analysis.initial;

	if (file == GFX_FILE_VECTOR && number == 0)
		return "the work-item id";
	if (file != GFX_FILE_SCALAR)
		return NULL;
	if (number == initial->workgroup_id[1] && number == initial->workgroup_id[2] &&
	    number != NO_REGISTER)
		return "the workgroup ids y and z";
	for (uint32_t i = 0; i < 3; i++)
		if (number == initial->workgroup_id[i]) {
			snprintf(buffer, size, "the workgroup id %c", dimensions[i]);
			return buffer;
		}
	if (number == initial->kernarg || number == initial->kernarg + 1U)
		return "the address of the kernel arguments";
	if (number == initial->dispatch_packet || number == initial->dispatch_packet + 1U)
		return "the address of the dispatch packet";
	return NULL;
}

static void say_loaded_arguments(const struct wt_cause *cause, const struct wt_analysis_step *step,
				 struct wt_buffer *text)
{
	const struct wt_explain_argument *before = NULL;

	for (uint32_t word = 0; word < step->words; word++) {
		const struct wt_explain_argument *argument =
			wt_cause_loaded_argument(cause, step, word);

		if (argument && argument != before) {
			wt_buffer_append_format(text, "%s%s%s", text->size ? ", " : "kernel ",
						text->size ? ""
							   : wt_explain_argument_word(argument),
						argument->label);
		}
		before = argument;
	}
}

/* Hardware reads 0 there, and reports nothing. */
static bool reads_past_local(const struct wt_cause *cause, const struct wt_analysis_step *step,
			     uint32_t lane)
{
	return step->access.space == GFX_ACCESS_LOCAL && step->access.lanes >> lane & 1 &&
	       step->access.addresses[lane] >= cause->local_room;
}

/* Says where a load is from that is none of arguments. */
static void say_load(const struct wt_cause *cause, const struct wt_analysis_step *step,
		     struct wt_buffer *text)
{
	uint32_t lane = step->access.scalar ? 0 : cause->lane;
	const char *space = step->access.space == GFX_ACCESS_LOCAL ? "local" : "global";
	uint64_t offset;

	if (!step->loads || !step->writes || text->size)
		return;
	if (wt_cause_loads_packet(cause, step, &offset)) {
		wt_buffer_append_format(text, "%s, of the dispatch packet",
					wt_view_packet_field(offset));
		return;
	}
	if (step->private_memory)
		wt_buffer_append_format(text, "kept in private memory");
	else if (reads_past_local(cause, step, lane))
		wt_buffer_append_format(
			text,
			"0, read past the %llu bytes of local memory that the workgroup was given",
			(unsigned long long)cause->local_room);
	else if (step->access.lanes >> lane & 1)
		wt_buffer_append_format(text, "loaded from %s memory at 0x%llx", space,
					(unsigned long long)step->access.addresses[lane]);
	else
		wt_buffer_append_format(text, "loaded from %s memory", space);
}

static void say_initial(const struct wt_cause *cause, const struct wt_analysis_step *step,
			struct wt_buffer *text)
{
	uint32_t at = 0;
	char buffer[64];

	for (uint32_t i = 0; i < step->uses.read_count; i++)
		for (uint32_t word = 0; word < step->uses.reads[i].words; word++, at++) {
			const struct gfx_use *use = &step->uses.reads[i];
			const char *meaning;

			if (at >= step->source_count || word ||
			    step->sources[at] != WT_ANALYSIS_INITIAL || use->address)
				continue;
			meaning = initial_meaning(cause, use->file, use->number, buffer,
						  sizeof(buffer));
			if (!meaning)
				continue;
			wt_buffer_append_format(text, "%s%s", text->size ? ", " : "of ", meaning);
		}
}

static struct wt_error *say_meaning(const struct wt_cause *cause,
				    const struct wt_cause_step *described, char **meaning_ret)
{
	const struct wt_analysis_step *step = described->step;
	wt_cleanup_buffer struct wt_buffer text = {0};

	say_loaded_arguments(cause, step, &text);
	if (described->global && !text.size)
		wt_buffer_append_format(&text, "loaded from %s", described->global);
	say_load(cause, step, &text);
	say_initial(cause, step, &text);
	if (!text.size && !text.failed)
		return NULL;
	*meaning_ret = wt_buffer_take_text(&text);
	return *meaning_ret ? NULL : &wt_error_no_memory;
}

/* Has a step loaded what other waves may have stored? What the wave had stored itself alone is followed. */
static bool loads_from_others(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	return step->loads && step->writes && step->access.space == GFX_ACCESS_LOCAL &&
	       step->access.read && !step->store_count && !step->never_written &&
	       !(step->known >> cause->lane & 1);
}

static struct wt_error *say_local_stores(struct wt_explainer *explainer,
					 const struct gfx_architecture *architecture,
					 uint64_t entry, char **meaning)
{
	wt_cleanup_free char *lines = NULL;
	wt_cleanup_free char *before = *meaning;
	struct wt_error *error;

	*meaning = NULL;
	error = find_local_stores(explainer, architecture, entry, &lines);
	if (error)
		return error;
	if (asprintf(meaning, "%s, which the waves of the workgroup share%s%s",
		     before ? before : "loaded from local memory", lines ? ": stored at " : "",
		     lines ? lines : "") >= 0)
		return NULL;
	*meaning = NULL;
	return &wt_error_no_memory;
}

/* The variable of the program that a step loads in the followed lane. */
static struct wt_error *find_global(struct wt_explainer *explainer, const struct wt_cause *cause,
				    struct wt_cause_step *step)
{
	const struct gfx_access *access = &step->step->access;
	uint32_t lane = access->scalar ? 0 : cause->lane;

	if (!step->step->loads || !step->step->writes || !(access->lanes >> lane & 1) ||
	    (access->space != GFX_ACCESS_GLOBAL && access->space != GFX_ACCESS_GENERIC))
		return NULL;
	return wt_explain_variable(explainer, access->addresses[lane], &step->global);
}

struct wt_error *wt_cause_describe_steps(struct wt_explainer *explainer,
					 const struct gfx_architecture *architecture,
					 uint64_t entry, struct wt_cause *cause)
{
	cause->steps = calloc(cause->analysis.count + 1, sizeof(*cause->steps));
	if (!cause->steps)
		return &wt_error_no_memory;
	for (size_t i = 0; i < cause->analysis.count; i++) {
		struct wt_cause_step *step = &cause->steps[i];
		struct wt_error *error;

		step->step = &cause->analysis.steps[i];
		cause->analysis.steps[i].access.lanes &= step->step->address_known;
		wt_explain_resolve(architecture, &cause->analysis.steps[i].access);
		error = wt_explain_address(explainer, architecture, step->step->pc, &step->code);
		if (!error)
			error = find_global(explainer, cause, step);
		if (!error)
			error = say_meaning(cause, step, &step->meaning);
		if (!error && loads_from_others(cause, step->step))
			error = say_local_stores(explainer, architecture, entry, &step->meaning);
		if (error)
			return error;
	}
	return NULL;
}
