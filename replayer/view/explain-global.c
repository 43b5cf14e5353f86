/* SPDX-License-Identifier: MIT */
/* Variables of the program, __device__ and __constant__ in HIP, that a bad address leads on from. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "replayer/view/explain-cause-internal.h"
#include "replayer/view/explain.h"
#include "replayer/view/stack.h"
#include "replayer/view/wave-machine.h"

/* The step that took the address of its own code, of which gfx12 extends the sign; NULL if @at is none. */
static const struct wt_analysis_step *step_takes_pc(const struct wt_cause *cause, uint32_t at)
{
	const struct wt_analysis_step *step =
		at < cause->analysis.count ? &cause->analysis.steps[at] : NULL;

	if (step && !strcmp(gfx_computes(step->instruction.operation), "s_sext_i32_i16") &&
	    step->source_count)
		step = step->sources[0] < cause->analysis.count
			       ? &cause->analysis.steps[step->sources[0]]
			       : NULL;
	return step && !strcmp(gfx_computes(step->instruction.operation), "s_getpc_b64") ? step
											 : NULL;
}

/* Which word of the address of its own code a step adds what the code says to: 0 or 1, and 2 for none. */
static uint32_t step_adds_to_pc(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	const char *name = gfx_computes(step->instruction.operation);
	uint32_t source = 0, unused;

	if (!step->writes || step->file != GFX_FILE_SCALAR || !(step->known & 1) ||
	    (strcmp(name, "s_add_u32") != 0 && strcmp(name, "s_addc_u32") != 0) ||
	    (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 0, &unused) &&
	     !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 1, &unused)))
		return 2;
	for (uint32_t i = 0; i < step->uses.read_count; source += step->uses.reads[i++].words) {
		const struct gfx_use *use = &step->uses.reads[i];
		const struct wt_analysis_step *from =
			source < step->source_count ? step_takes_pc(cause, step->sources[source])
						    : NULL;

		if (from)
			return use->number - from->number;
	}
	return 2;
}

/*
 * The address in a code object that the followed lane's address leads on from: one that the code makes from its own, and nothing else, a pointer
 * argument neither. False if there is none, or more than one.
 */
static bool code_find_address(const struct wt_cause *cause, uint64_t *address_ret)
{
	wt_step_words marks[WT_ANALYSIS_MAX_LISTED] = {0};
	uint32_t words[2] = {0}, counts[2] = {0};

	wt_cause_mark_pointer(cause, 0, marks);
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		uint32_t word = marks[i] ? step_adds_to_pc(cause, step) : 2;

		if (word > 1)
			continue;
		words[word] = (uint32_t)step->values[0];
		counts[word]++;
	}
	for (size_t i = 0; i < cause->arguments.part_count; i++)
		if (cause->arguments.parts[i].pointer &&
		    wt_cause_points_on(cause, 0, &cause->arguments.parts[i]))
			return false;
	*address_ret = words[0] | (uint64_t)words[1] << 32;
	return counts[0] == 1 && counts[1] == 1;
}

static bool nothing_read_register(void *opaque, const char *name, uint32_t lane,
				  uint64_t *value_ret, unsigned int *bits_ret, const char **why_ret)
{
	(void)opaque;
	(void)name;
	(void)lane;
	(void)value_ret;
	(void)bits_ret;
	(void)why_ret;
	return false;
}

static size_t nothing_read_memory(void *opaque, enum gfx_space space, uint32_t lane,
				  uint64_t address, void *data, size_t size)
{
	(void)opaque;
	(void)space;
	(void)lane;
	(void)address;
	(void)data;
	(void)size;
	return 0;
}

static enum wt_dwarf_stored nothing_is_stored(void *opaque, uint32_t lane, uint64_t address)
{
	(void)opaque;
	(void)lane;
	(void)address;
	return WT_DWARF_STORED_UNKNOWN;
}

struct wt_error *wt_explain_count_elements(struct wt_stack *stack, uint32_t lane,
					   const struct wt_explain_variable *variable,
					   uint64_t *count_ret)
{
	const struct wt_stack_object object = {.expression = variable->symbol};
	struct wt_stack_object_info info = {.elements = 0};
	struct wt_dwarf_complaint complaint;
	bool is_one = false;
	struct wt_error *error = NULL;

	*count_ret = 0;
	if (wt_stack_count(stack))
		error = wt_stack_show_object(stack, &object, lane, NULL, &info, &is_one,
					     &complaint);
	if (!error && is_one && info.is_array && info.has_address && info.elements &&
	    info.address == variable->address && info.bits / 8 == variable->size &&
	    !(variable->size % info.elements))
		*count_ret = info.elements;
	return error;
}

/*
 * The elements of the variable are counted as DWARF says, where it means the same one. No register has a part in that, so the wave is looked
 * at where it failed: one that jumped stands where there is no DWARF.
 */
static struct wt_error *variable_find_elements(struct wt_view *view, const struct wt_cause *cause,
					       const struct wt_explain_variable *found,
					       struct wt_cause_variable *variable)
{
	const struct wt_machine_state state = {
		.pc = cause->analysis.steps[0].pc,
		.exec = cause->analysis.steps[0].exec,
		.has_exec = true,
		.read_register = nothing_read_register,
		.read_memory = nothing_read_memory,
		.is_stored = nothing_is_stored,
		.not_there = "it is not asked for",
	};
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	uint64_t count = 0;
	struct wt_error *error = wt_stacks_create(view, &stacks);

	if (!error)
		error = wt_stack_create_at(stacks, cause->wave.wave, &state, &stack);
	if (!error && stack)
		error = wt_explain_count_elements(stack, cause->lane, found, &count);
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	if (error || !count)
		return error;
	variable->count = count;
	variable->unit = variable->size / count;
	return NULL;
}

static struct wt_error *variable_find(struct wt_explainer *explainer, const struct wt_cause *cause,
				      uint64_t address, struct wt_cause_variable *variable_ret)
{
	struct wt_explain_variable found;
	struct wt_error *error = wt_explain_variable_at(explainer, address, &found);

	if (error || !found.symbol)
		return error;
	*variable_ret = (struct wt_cause_variable){
		.symbol = found.symbol,
		.address = found.address,
		.size = found.size,
		.is_start = found.address == address,
	};
	return variable_find_elements(wt_explainer_view(explainer), cause, &found, variable_ret);
}

/* The variable of an address among those that steps before one load: loops load the same ones again and again; NULL if there is none. */
static const struct wt_cause_variable *variable_find_before(const struct wt_cause *cause,
							    size_t step, uint64_t address)
{
	while (step-- > 1) {
		const struct wt_cause_variable *variable = &cause->steps[step].variable;

		if (variable->symbol && address - variable->address < variable->size)
			return variable;
	}
	return NULL;
}

/* Finds the variables that steps load which the address is made of. */
static struct wt_error *steps_find_variables(struct wt_explainer *explainer, struct wt_cause *cause)
{
	const struct wt_cause_variable *before;
	struct wt_error *error = NULL;

	for (size_t i = 1; i < cause->analysis.count && !error; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		const uint64_t address =
			step->access.addresses[step->access.scalar ? 0 : cause->lane];
		struct wt_cause_variable *variable = &cause->steps[i].variable;

		if (!cause->steps[i].global || !step->part || step->indirect)
			continue;
		before = variable_find_before(cause, i, address);
		if (before)
			*variable = *before;
		else
			error = variable_find(explainer, cause, address, variable);
	}
	return error;
}

struct wt_error *wt_cause_find_variables(struct wt_explainer *explainer, struct wt_cause *cause)
{
	struct wt_error *error;
	uint64_t address;

	if (!cause->analysed || cause->analysis.end != WT_ANALYSIS_ARRIVED)
		return NULL;
	error = steps_find_variables(explainer, cause);
	if (error || cause->jumped || !cause->analysis.whole || wt_cause_argument_of(cause) ||
	    !code_find_address(cause, &address))
		return error;
	return variable_find(explainer, cause, address, &cause->variable);
}

const char *wt_cause_name_global(const struct wt_cause *cause, size_t at, uint32_t offset,
				 uint32_t size, char text_ret[WT_EXPLAIN_POINTED])
{
	const struct wt_cause_variable *variable = &cause->steps[at].variable;
	const struct gfx_access *access = &cause->analysis.steps[at].access;
	uint64_t place =
		access->addresses[access->scalar ? 0 : cause->lane] + offset - variable->address;

	/* A part of an element, as a member of a structure, and more than one are named by where the step begins to load. */
	if (!variable->unit || place >= variable->size || size != variable->unit ||
	    place % variable->unit)
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%s", cause->steps[at].global);
	else
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.120s[%" PRIu64 "]", variable->symbol,
			 place / variable->unit);
	return text_ret;
}

/* "table[17]" with the number of elements that there are, or the bytes at which the access is with those that there are. */
static void variable_say_place(const struct wt_cause *cause, char text_ret[WT_CAUSE_ELEMENT])
{
	const struct wt_cause_variable *is = &cause->variable;
	int64_t offset = (int64_t)(cause->address - is->address), unit = (int64_t)is->unit;
	int64_t rest = unit ? offset % unit : 0;
	char beside[64] = "";

	if (rest < 0)
		rest += unit;
	if (rest)
		snprintf(beside, sizeof(beside), " + %" PRId64 " %s", rest,
			 wt_plural((uint64_t)rest, "byte", "bytes"));
	if (unit)
		snprintf(text_ret, WT_CAUSE_ELEMENT,
			 "%.100s[%" PRId64 "]%s, and %.100s has %" PRIu64 " %s", is->symbol,
			 (offset - rest) / unit, beside, is->symbol, is->count,
			 wt_plural(is->count, "element", "elements"));
	else
		snprintf(text_ret, WT_CAUSE_ELEMENT,
			 "byte %" PRId64 " of %.100s, which has %" PRIu64 " %s", offset, is->symbol,
			 is->size, wt_plural(is->size, "byte", "bytes"));
}

/*
 * Compilers add a constant part of an index to where the code leads: of `last[i - 1]` that is in the variable before. So one is named where
 * the code leads to its start.
 */
struct wt_error *wt_cause_name_variable(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_cause_variable *is = &cause->variable;
	uint64_t end = is->address + is->size, size = cause->wave.access.size;
	char place[WT_CAUSE_ELEMENT], index[WT_CAUSE_INDEX];
	bool past;

	if (!is->symbol || !is->is_start || !naming->failed || cause->wave.access.parts != 1)
		return NULL;
	past = wt_cause_all_failed(naming, end - (size < is->size ? size - 1 : 0), UINT64_MAX);
	if (!past && !wt_cause_all_failed(naming, 0, is->address))
		return NULL;
	variable_say_place(cause, place);
	return wt_cause_say(cause, past ? WT_CAUSE_PAST_END : WT_CAUSE_BEFORE_START,
			    "%s: lane %u %s %s%s", past ? "past the end" : "before the start",
			    cause->lane, wt_cause_does(cause), place,
			    wt_cause_index_source(cause, 0, index));
}
