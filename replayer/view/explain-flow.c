/* SPDX-License-Identifier: MIT */
/* How values flow into the address: what it is a sum with, and what was only asked on the way, or mixed with other bits. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "gfx/alu/vector.h"
#include "gfx/instruction/fields.h"
#include "gfx/isa/flow.h"
#include "replayer/view/explain-cause-internal.h"

bool wt_cause_is_linear(const struct wt_analysis_step *step)
{
	const struct gfx_operation *operation = step->instruction.operation;

	/* A half is a number of its own, in which a sum may have begun again. */
	if (operation->dst == GFX_B16 || operation->flags & GFX_LANE_SELECT)
		return false;
	switch (gfx_operation_flow(operation)) {
	case GFX_FLOW_MOVE:
	case GFX_FLOW_SUM:
	case GFX_FLOW_DIFFERENCE:
	case GFX_FLOW_REVERSED:
	case GFX_FLOW_PRODUCT_SUM:
	case GFX_FLOW_LEFT:
	case GFX_FLOW_RIGHT_SIGNED:
	case GFX_FLOW_LEFT_ADD:
		return true;
	default:
		return false;
	}
}

static uint32_t operand_register(const struct wt_analysis_step *step, uint32_t index)
{
	uint32_t code = step->instruction.src[index];

	return code >= GFX_CODE_VGPR0 ? code - GFX_CODE_VGPR0 : code;
}

/* The place of a word of an operand among the step's sources; UINT32_MAX if there is none. @words: that the operand has to have, 0: any. */
static uint32_t operand_word(const struct wt_analysis_step *step, uint32_t index, uint32_t word,
			     uint32_t words)
{
	const bool scalar = step->instruction.src[index] < GFX_CODE_VGPR0;
	const uint32_t number = operand_register(step, index) + word;
	uint32_t at = 0;

	for (uint32_t i = 0; i < step->uses.read_count; i++) {
		const struct gfx_use *use = &step->uses.reads[i];

		/* A packed operation may take the second register of a pair alone. */
		if ((use->file == GFX_FILE_SCALAR) == scalar && at < step->source_count &&
		    number - use->number < use->words && (!words || use->words == words))
			return at + number - use->number;
		at += use->words;
	}
	return UINT32_MAX;
}

/* The value of an operand that the instruction itself says. */
static bool operand_constant(const struct wt_analysis_step *step, uint32_t index,
			     uint32_t *value_ret)
{
	uint32_t code = step->instruction.src[index];

	if (code == GFX_CODE_LITERAL) {
		*value_ret = step->instruction.literal;
		return true;
	}
	return gfx_code_integer(code, value_ret);
}

bool wt_cause_operand(const struct wt_cause *cause, const struct wt_analysis_step *step,
		      enum wt_cause_operand kind, uint32_t index, uint32_t *value_ret)
{
	uint32_t at, source;

	if (operand_constant(step, index, value_ret))
		return true;
	at = operand_word(step, index, 0, kind == WT_CAUSE_OPERAND_LOW ? 0 : 1);
	if (at >= step->source_count)
		return false;
	if (kind != WT_CAUSE_OPERAND_OF_CODE) {
		*value_ret = step->source_values[at];
		return step->source_known[at];
	}
	source = step->sources[at];
	return source < cause->analysis.count &&
	       wt_cause_moves_word(&cause->analysis.steps[source]) &&
	       operand_constant(&cause->analysis.steps[source], 0, value_ret);
}

static bool has_fractions(const struct gfx_operation *operation)
{
	return operation->dst == GFX_F16 || operation->dst == GFX_F32 ||
	       operation->dst == GFX_F64 || operation->src[0] == GFX_F16 ||
	       operation->src[0] == GFX_F32 || operation->src[0] == GFX_F64;
}

/*
 * Bits of the operands that the result still points as: through some operations a pointer is none any more, or is one that was chosen by
 * other operands.
 */
static uint32_t operands_kept(const struct wt_analysis_step *step)
{
	const struct gfx_operation *operation = step->instruction.operation;

	switch (gfx_operation_flow(operation)) {
	case GFX_FLOW_DIFFERENCE:
		return 1 << 0;
	case GFX_FLOW_REVERSED:
		return 1 << 1;
	case GFX_FLOW_LEFT_ADD:
		/* With a shift by nothing it is a sum of both. */
		return step->instruction.src[1] == GFX_CODE_ZERO ? UINT32_MAX : 1 << 2;
	case GFX_FLOW_PRODUCT_SUM:
	case GFX_FLOW_PRODUCT_24_SUM:
	case GFX_FLOW_LEFT_OR:
	case GFX_FLOW_XOR_ADD:
		return 1 << 2;
	case GFX_FLOW_OTHER:
		return has_fractions(operation) ? 0 : UINT32_MAX;
	case GFX_FLOW_MOVE:
	case GFX_FLOW_CHOICE:
	case GFX_FLOW_SUM:
	case GFX_FLOW_AND:
	case GFX_FLOW_OR:
	case GFX_FLOW_AND_OR:
		return UINT32_MAX;
	default:
		return 0;
	}
}

/* Is a register that a step reads one of its operands, by their bits? */
static bool is_of_operands(const struct wt_analysis_step *step, const struct gfx_use *use,
			   uint32_t operands)
{
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t code = step->instruction.src[i];

		if (operands >> i & 1 && step->instruction.operation->src[i] != GFX_NONE &&
		    (use->file == GFX_FILE_VECTOR
			     ? code >= GFX_CODE_VGPR0 && code - GFX_CODE_VGPR0 == use->number
			     : code < GFX_CODE_VGPR0 && code == use->number))
			return true;
	}
	return false;
}

/* A register that decides between values, or carries from one word to the next, is none that the result is made of. */
static bool use_decides(const struct gfx_use *use)
{
	return use->mask || (use->file == GFX_FILE_SCALAR && use->number == GFX_CODE_SCC);
}

/* ---- Nothing, because the code says so ---- */

#define ZERO_DEPTH 64u

static bool step_makes_zero(const struct wt_cause *cause, uint32_t at, uint32_t number,
			    uint32_t depth, size_t *made_ret);

/* Is the word of a source nothing because the code says so? */
static bool source_is_zero(const struct wt_cause *cause, const struct wt_analysis_step *step,
			   uint32_t source, uint32_t number, uint32_t depth, size_t *made_ret)
{
	return source < step->source_count && step->sources[source] < cause->analysis.count &&
	       step_makes_zero(cause, step->sources[source], number, depth, made_ret);
}

/* A word that the wave has kept in its private memory, by the one store there is of it. */
static bool kept_is_zero(const struct wt_cause *cause, const struct wt_analysis_step *load,
			 uint32_t word, uint32_t depth, size_t *made_ret)
{
	const struct wt_analysis_step *store;
	uint32_t source = 0, data = 0;

	if (load->store_count != 1 || load->stores[0] >= cause->analysis.count)
		return false;
	store = &cause->analysis.steps[load->stores[0]];
	for (uint32_t i = 0; i < store->uses.read_count; i++) {
		const struct gfx_use *use = &store->uses.reads[i];

		if (!use->address && use->file != GFX_FILE_SCALAR && word - data < use->words)
			return source_is_zero(cause, store, source + word - data,
					      use->number + word - data, depth, made_ret);
		data += use->address ? 0 : use->words;
		source += use->words;
	}
	return false;
}

/* Which of two operands a step chooses for the followed lane, from 0; UINT32_MAX if that is not known. */
static uint32_t step_chooses(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	bool scalar = step->file == GFX_FILE_SCALAR;
	uint32_t source = 0;

	for (uint32_t i = 0; i < step->uses.read_count; i++) {
		const struct gfx_use *use = &step->uses.reads[i];
		uint32_t at = source + (use->words > 1 ? cause->lane / 32 : 0);

		source += use->words;
		if (!use_decides(use))
			continue;
		if (at >= step->source_count || !step->source_known[at])
			return UINT32_MAX;
		return scalar ? !step->source_values[at]
			      : step->source_values[at] >> cause->lane % 32 & 1;
	}
	return UINT32_MAX;
}

/* Which word of which operand a word of a step's result is; false if it is not one of them as it is. */
static bool step_passes_word(const struct wt_cause *cause, const struct wt_analysis_step *step,
			     uint32_t *word, uint32_t *index_ret)
{
	const char *name = gfx_computes(step->instruction.operation);
	uint32_t shift;

	*index_ret = 0;
	if (step->instruction.operation->dst == GFX_B16 || step->instruction.abs ||
	    step->instruction.neg || step->instruction.neg_hi ||
	    step->instruction.extension != GFX_EXTENSION_NONE)
		return false;
	if (strstr(name, "cndmask") || strstr(name, "cselect")) {
		*index_ret = step_chooses(cause, step);
		return *index_ret <= 1;
	}
	if (!strcmp(name, "v_pk_mov_b32")) {
		*index_ret = *word;
		*word = step->instruction.op_sel >> *word & 1;
		return true;
	}
	if (!strcmp(name, "v_lshrrev_b64")) {
		*index_ret = 1;
		return !(*word)++ &&
		       wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 0, &shift) &&
		       shift == 32;
	}
	return !strcmp(name, "v_mov_b32") || !strcmp(name, "v_mov_b64") || !strcmp(name, "s_mov") ||
	       strstr(name, "readfirstlane") || strstr(name, "v_accvgpr_");
}

static bool step_makes_zero(const struct wt_cause *cause, uint32_t at, uint32_t number,
			    uint32_t depth, size_t *made_ret)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	uint32_t lane = step->file == GFX_FILE_SCALAR ? 0 : cause->lane;
	uint32_t word = number - step->number, index, value;

	if (depth == ZERO_DEPTH || !step->writes || word > 1 || !(step->known >> lane & 1) ||
	    (uint32_t)(step->values[lane] >> 32 * word))
		return false;
	if (step->loads)
		return step->private_memory && kept_is_zero(cause, step, word, depth + 1, made_ret);
	if (!step_passes_word(cause, step, &word, &index))
		return false;
	*made_ret = at;
	if (operand_constant(step, index, &value))
		return !value;
	return source_is_zero(cause, step, operand_word(step, index, word, 0),
			      operand_register(step, index) + word, depth + 1, made_ret);
}

/* ---- Words ---- */

#define ALL_WORDS UINT16_MAX

/* The words of what a source has written that are one of the registers read. */
static wt_step_words words_read(const struct wt_analysis_step *source, const struct gfx_use *use,
				uint32_t word)
{
	uint32_t number = use->number + word;

	return source->file == use->file && number >= source->number && number - source->number < 16
		       ? (wt_step_words)(1u << (number - source->number))
		       : ALL_WORDS;
}

/* Marks the words of steps that a step has its value from, or @accesses: its address. The value of a store are those of its words that are marked. */
static void mark_sources(const struct wt_cause *cause, size_t at, bool accesses, uint32_t operands,
			 wt_step_words marks[WT_ANALYSIS_MAX_LISTED])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	const bool stores = step->instruction.operation->memory == GFX_MEMORY_STORE && !accesses;
	uint32_t source = 0, data = 0, chosen = step_chooses(cause, step);

	/* An operand that a choice leaves out may be in the list as a part of something else. */
	if (gfx_operation_flow(step->instruction.operation) == GFX_FLOW_CHOICE && chosen <= 1)
		operands &= 1u << chosen;
	for (uint32_t i = 0; i < step->uses.read_count; i++) {
		const struct gfx_use *use = &step->uses.reads[i];
		bool counts = (accesses ? use->address || !step->loads
					: !(step->loads && use->address)) &&
			      !use_decides(use) &&
			      (operands == UINT32_MAX || is_of_operands(step, use, operands));

		for (uint32_t word = 0; word < use->words; word++, source++) {
			bool is_other = stores && !use->address && !(marks[at] >> data & 1);

			data += !use->address;
			if (counts && !is_other && source < step->source_count &&
			    step->sources[source] < cause->analysis.count)
				marks[step->sources[source]] |= words_read(
					&cause->analysis.steps[step->sources[source]], use, word);
		}
	}
	for (uint32_t i = 0; i < step->store_count && !accesses; i++)
		if (step->stores[i] < cause->analysis.count)
			marks[step->stores[i]] |= step->store_words[i];
}

static bool loads_argument(const struct wt_cause *cause, const struct wt_analysis_step *step,
			   wt_step_words words, const struct wt_explain_argument *argument)
{
	for (uint32_t word = 0; word < 16 && 4 * word < step->access.size; word++)
		if (words >> word & 1 && wt_cause_loaded_argument(cause, step, word) == argument)
			return true;
	return false;
}

void wt_cause_mark_pointer(const struct wt_cause *cause, size_t target,
			   wt_step_words marks[WT_ANALYSIS_MAX_LISTED])
{
	marks[target] = ALL_WORDS;
	for (size_t i = target; i < cause->analysis.count; i++)
		if (marks[i])
			mark_sources(cause, i, i == target,
				     i == target ? UINT32_MAX
						 : operands_kept(&cause->analysis.steps[i]),
				     marks);
}

/* Does any of the marked steps behind the target load an argument? */
static bool marks_argument(const struct wt_cause *cause, size_t target,
			   const wt_step_words marks[WT_ANALYSIS_MAX_LISTED],
			   const struct wt_explain_argument *argument)
{
	for (size_t i = target + 1; i < cause->analysis.count; i++)
		if (marks[i] &&
		    loads_argument(cause, &cause->analysis.steps[i], marks[i], argument))
			return true;
	return false;
}

bool wt_cause_points_on(const struct wt_cause *cause, size_t target,
			const struct wt_explain_argument *argument)
{
	wt_step_words marks[WT_ANALYSIS_MAX_LISTED] = {0};

	wt_cause_mark_pointer(cause, target, marks);
	return marks_argument(cause, target, marks, argument);
}

/* Does a step load a number that is neither an argument nor of the launch, and that the wave has not computed itself? */
static bool loads_from_memory(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint64_t offset;

	if (!step->loads || !step->writes || step->private_memory || step->store_count ||
	    wt_cause_loads_packet(cause, step, &offset))
		return false;
	for (uint32_t word = 0; word < step->words; word++)
		if (wt_cause_loaded_argument(cause, step, word))
			return false;
	return true;
}

/* ---- A pointer that is nothing, because the code says so ---- */

/* Does what a step takes there lead to a pointer: to one that was loaded, or to an argument, also to one whose type is none but that may be null? */
static bool source_has_pointer(const struct wt_cause *cause, const struct wt_analysis_step *step,
			       uint32_t source)
{
	wt_step_words marks[WT_ANALYSIS_MAX_LISTED] = {0};

	if (source >= step->source_count)
		return false;
	if (step->sources[source] >= cause->analysis.count)
		return step->sources[source] == WT_ANALYSIS_NOT_SHOWN;
	marks[step->sources[source]] = ALL_WORDS;
	for (size_t i = step->sources[source]; i < cause->analysis.count; i++) {
		if (!marks[i])
			continue;
		if (loads_from_memory(cause, &cause->analysis.steps[i]) &&
		    cause->analysis.steps[i].words > 1)
			return true;
		mark_sources(cause, i, false, UINT32_MAX, marks);
	}
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *part = &cause->arguments.parts[i];

		if ((part->pointer || (part->size == sizeof(uint64_t) && !part->value)) &&
		    marks_argument(cause, 0, marks, part))
			return true;
	}
	return false;
}

/* The step that made what others have only moved from register to register. */
static uint32_t source_skip_moves(const struct wt_cause *cause, uint32_t at)
{
	while (at < cause->analysis.count && wt_cause_moves_word(&cause->analysis.steps[at]) &&
	       cause->analysis.steps[at].source_count)
		at = cause->analysis.steps[at].sources[0];
	return at;
}

/* Is a pair of words, in two steps that add, the sum of a pair that is nothing and of an index? */
static bool sum_has_zero(const struct wt_cause *cause, uint32_t low, uint32_t high,
			 size_t *made_ret)
{
	const struct wt_analysis_step *lower, *upper;

	low = source_skip_moves(cause, low);
	high = source_skip_moves(cause, high);
	if (low >= cause->analysis.count || high >= cause->analysis.count)
		return false;
	lower = &cause->analysis.steps[low];
	upper = &cause->analysis.steps[high];
	if (gfx_operation_flow(lower->instruction.operation) != GFX_FLOW_SUM ||
	    gfx_operation_flow(upper->instruction.operation) != GFX_FLOW_SUM)
		return false;
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t is = i & 1, also = i >> 1;
		size_t unused;

		if (source_is_zero(cause, lower, operand_word(lower, is, 0, 0),
				   operand_register(lower, is), 0, made_ret) &&
		    source_is_zero(cause, upper, operand_word(upper, also, low == high, 0),
				   operand_register(upper, also) + (low == high), 0, &unused) &&
		    cause->steps[unused].code.line == cause->steps[*made_ret].code.line)
			return !source_has_pointer(cause, lower, operand_word(lower, !is, 0, 0));
	}
	return false;
}

bool wt_cause_is_made_zero(const struct wt_cause *cause, size_t *made_ret, bool *chosen_ret)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[0];
	uint32_t source = 0;
	size_t upper;

	for (uint32_t i = 0; i < step->uses.read_count; source += step->uses.reads[i++].words) {
		const struct gfx_use *use = &step->uses.reads[i];

		if (!use->address || use->words != 2 || source + 1 >= step->source_count)
			continue;
		if (!(source_is_zero(cause, step, source, use->number, 0, made_ret) &&
		      source_is_zero(cause, step, source + 1, use->number + 1, 0, &upper)) &&
		    !sum_has_zero(cause, step->sources[source], step->sources[source + 1],
				  made_ret))
			return false;
		*chosen_ret =
			strstr(gfx_computes(cause->analysis.steps[*made_ret].instruction.operation),
			       "mov") == NULL;
		return true;
	}
	return false;
}

/* ---- Which of several loads leads out of the buffer ---- */

/* How much the address grows where the value of a step grows by one, and what a load's value has added to it: with a sign, and without. */
struct slope {
	uint64_t by, added, added_unsigned;
	bool is_reached, is_unclear;
};

/* Is one operand of two nothing: because the code says so, or where it says so of neither, by its value? */
static bool operand_is_zero(const struct wt_cause *cause, const struct wt_analysis_step *step,
			    uint32_t index)
{
	uint32_t value;

	if (wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, index, &value))
		return !value;
	return !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, !index, &value) &&
	       wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, index, &value) && !value;
}

/* How much a step's result grows with each operand, and which of their words counts; false if that is not known. */
static bool step_find_slopes(const struct wt_cause *cause, const struct wt_analysis_step *step,
			     uint64_t by[3], uint32_t words[3])
{
	const bool reversed = step->file != GFX_FILE_SCALAR;
	uint32_t a = 0, b = 0;

	memset(words, 0, 3 * sizeof(*words));
	by[0] = by[1] = by[2] = 1;
	if (step->instruction.modified)
		return false;
	switch (gfx_operation_flow(step->instruction.operation)) {
	case GFX_FLOW_SUM:
		return true;
	case GFX_FLOW_OR:
		/* Unoptimised code puts halves together so: one of them has nothing there. */
		by[0] = operand_is_zero(cause, step, 1);
		by[1] = operand_is_zero(cause, step, 0);
		return by[0] != by[1];
	case GFX_FLOW_DIFFERENCE:
		by[1] = UINT64_MAX;
		return true;
	case GFX_FLOW_REVERSED:
		by[0] = UINT64_MAX;
		return true;
	case GFX_FLOW_LEFT:
		by[!reversed] = 0;
		by[reversed] = 1;
		if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, !reversed, &a) || a > 31)
			return false;
		by[reversed] <<= a;
		return true;
	case GFX_FLOW_RIGHT_SIGNED:
		/* The upper word was moved up before, and comes down with its sign. */
		by[!reversed] = 0;
		words[reversed] = 1;
		if (step->words < 2 ||
		    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, !reversed, &a) ||
		    a < 16 || a > 32)
			return false;
		by[reversed] <<= 32 - a;
		return true;
	case GFX_FLOW_LEFT_ADD:
		by[1] = 0;
		if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 1, &a) || a > 31)
			return false;
		by[0] <<= a;
		return true;
	case GFX_FLOW_ADD_LEFT:
		by[2] = 0;
		if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 2, &a) || a > 31)
			return false;
		by[0] <<= a;
		by[1] <<= a;
		return true;
	case GFX_FLOW_PRODUCT:
	case GFX_FLOW_PRODUCT_SUM:
		if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 0, &a) ||
		    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 1, &b))
			return false;
		by[0] = (uint64_t)(int64_t)(int32_t)b;
		by[1] = (uint64_t)(int64_t)(int32_t)a;
		return true;
	default:
		return false;
	}
}

/* Hands the slope of a step on to that of a source. */
static void slope_pass(const struct wt_cause *cause, const struct wt_analysis_step *step,
		       uint32_t source, const struct slope *slope, uint64_t by, bool is_unclear,
		       struct slope slopes[WT_ANALYSIS_MAX_LISTED])
{
	struct slope *to;

	if (source >= step->source_count || step->sources[source] >= cause->analysis.count ||
	    (!by && !is_unclear))
		return;
	to = &slopes[step->sources[source]];
	to->is_reached = true;
	to->is_unclear |= is_unclear || slope->is_unclear || !step->source_known[source];
	to->by += slope->by * by;
	to->added += slope->by * by * (uint64_t)(int64_t)(int32_t)step->source_values[source];
	to->added_unsigned += slope->by * by * step->source_values[source];
}

/* The stores that a step loads from, if it is one that has kept what is loaded, at the same place. */
static void slope_pass_kept(const struct wt_cause *cause, size_t at,
			    struct slope slopes[WT_ANALYSIS_MAX_LISTED])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];

	for (uint32_t i = 0; i < step->store_count; i++) {
		uint32_t store = step->stores[i];
		bool same;

		if (store >= cause->analysis.count)
			continue;
		same = step->store_count == 1 &&
		       cause->analysis.steps[store].access.addresses[cause->lane] ==
			       step->access.addresses[cause->lane];
		slopes[store].is_reached = true;
		slopes[store].is_unclear |= slopes[at].is_unclear || !same;
		slopes[store].by += slopes[at].by;
	}
}

static void slope_follow(const struct wt_cause *cause, size_t at,
			 struct slope slopes[WT_ANALYSIS_MAX_LISTED])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	const bool takes_address = !at, stores = at && !step->writes;
	uint64_t by[3];
	uint32_t words[3], source = 0, word = 0, index;

	if (takes_address || stores) {
		for (uint32_t i = 0; i < step->uses.read_count;
		     source += step->uses.reads[i++].words)
			if (step->uses.reads[i].address == takes_address &&
			    !use_decides(&step->uses.reads[i]))
				slope_pass(cause, step, source, &slopes[at], 1, false, slopes);
		return;
	}
	if (step_passes_word(cause, step, &word, &index)) {
		slope_pass(cause, step, operand_word(step, index, word, 0), &slopes[at], 1, false,
			   slopes);
		return;
	}
	if (step_find_slopes(cause, step, by, words)) {
		for (uint32_t i = 0; i < 3; i++)
			if (step->instruction.operation->src[i] != GFX_NONE)
				slope_pass(cause, step, operand_word(step, i, words[i], 0),
					   &slopes[at], by[i], false, slopes);
		return;
	}
	for (; source < step->source_count; source++)
		slope_pass(cause, step, source, &slopes[at], 1, true, slopes);
}

/* Would the address be in the buffer if it had not been for so many bytes, and are these, by themselves, more than the buffer has? */
static bool bytes_lead_out(const struct wt_cause *cause, uint64_t bytes)
{
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	const uint64_t room = cause->near.end - argument->value;
	const uint64_t at = cause->address - bytes - argument->value;

	return at < room && cause->wave.access.size <= room - at && bytes >= room;
}

/*
 * The load, of several, whose value alone leads out of the buffer: the position of the step; 0 if that is not one alone. Of a difference nobody
 * knows whether the one number is too large, or what is taken from it too small.
 */
static size_t load_find_blamed(const struct wt_cause *cause)
{
	struct slope slopes[WT_ANALYSIS_MAX_LISTED] = {{.by = 1, .is_reached = true}};
	bool is_added = false, is_taken = false;
	size_t found = 0;

	if (!wt_cause_argument_of(cause) || !cause->near.has_end || !cause->analysis.whole)
		return 0;
	for (size_t i = 0; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];

		if (!slopes[i].is_reached)
			continue;
		if (i && loads_from_memory(cause, step)) {
			is_added |= (int64_t)slopes[i].by > 0;
			is_taken |= (int64_t)slopes[i].by < 0;
			if (slopes[i].is_unclear || (is_added && is_taken))
				return 0;
			if (!bytes_lead_out(cause, slopes[i].added) &&
			    !bytes_lead_out(cause, slopes[i].added_unsigned))
				continue;
			if (found)
				return 0;
			found = i;
		} else if (i && step->loads && step->store_count) {
			slope_pass_kept(cause, i, slopes);
		} else if (!i || !step->loads || !step->writes) {
			slope_follow(cause, i, slopes);
		}
	}
	return found;
}

/* The value of a step as an index is counted on, or down: added to, taken away, scaled, widened, chosen. */
static bool keeps_index(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint32_t value;

	if (step->loads || step->store_count || wt_cause_is_linear(step))
		return true;
	switch (gfx_operation_flow(step->instruction.operation)) {
	case GFX_FLOW_OR:
		return operand_is_zero(cause, step, 0) || operand_is_zero(cause, step, 1);
	case GFX_FLOW_XOR:
		return strstr(gfx_computes(step->instruction.operation), "not") != NULL;
	case GFX_FLOW_XOR_ADD:
		return wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, 1, &value) &&
		       value == UINT32_MAX;
	case GFX_FLOW_CHOICE:
	case GFX_FLOW_PRODUCT:
	case GFX_FLOW_PRODUCT_HIGH:
	case GFX_FLOW_PRODUCT_24:
	case GFX_FLOW_ADD_LEFT:
		return true;
	default:
		return false;
	}
}

/* The pointer argument from which the address of a step leads on; NULL if it is not one alone. */
static const struct wt_explain_argument *step_argument(const struct wt_cause *cause, size_t at)
{
	const struct wt_explain_argument *found = NULL;
	wt_step_words marks[WT_ANALYSIS_MAX_LISTED] = {0};

	wt_cause_mark_pointer(cause, at, marks);
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (!argument->pointer || !argument->known || argument->hidden ||
		    !marks_argument(cause, at, marks, argument))
			continue;
		if (found)
			return NULL;
		found = argument;
	}
	return found;
}

const struct wt_explain_argument *wt_cause_name_loaded(const struct wt_cause *cause, size_t at,
						       uint32_t offset, uint32_t size,
						       char text_ret[WT_EXPLAIN_POINTED])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	const uint32_t lane = step->access.scalar ? 0 : cause->lane;
	const uint64_t address = step->access.addresses[lane] + offset;
	const struct wt_explain_argument *argument =
		step->address_known >> lane & 1 ? step_argument(cause, at) : NULL;

	text_ret[0] = '\0';
	if (!argument || address < argument->value)
		return NULL;
	wt_explain_name_pointed(&cause->arguments, argument, address, size, text_ret);
	if (!*text_ret)
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.64s + %" PRIu64, argument->label,
			 address - argument->value);
	return argument;
}

/* Says what a step loads, by the words of it that count, and at which line. @otherwise: where it has no name. */
static void load_say(const struct wt_cause *cause, size_t at, wt_step_words words,
		     const char *otherwise, char text_ret[WT_EXPLAIN_POINTED + WT_CAUSE_LINE])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	const bool all = words == ALL_WORDS;
	const uint32_t first = all ? 0 : (uint32_t)__builtin_ctz(words);
	const uint32_t bytes = 4 * (all ? step->words : (uint32_t)__builtin_popcount(words));
	const uint32_t size = step->access.size < bytes ? step->access.size : bytes;
	/* Words apart from each other have no name in common. */
	const bool apart = !all && words >> first & ((words >> first) + 1);
	char from[WT_EXPLAIN_POINTED] = "", where[WT_CAUSE_LINE];

	if (step->access.space == GFX_ACCESS_LOCAL)
		snprintf(from, sizeof(from), "local memory");
	else if (cause->steps[at].global)
		wt_cause_name_global(cause, at, 4 * first, apart ? UINT32_MAX : size, from);
	else if (!apart && (step->access.space == GFX_ACCESS_GLOBAL ||
			    step->access.space == GFX_ACCESS_GENERIC))
		wt_cause_name_loaded(cause, at, 4 * first, size, from);
	snprintf(text_ret, WT_EXPLAIN_POINTED + WT_CAUSE_LINE, "%s%s", *from ? from : otherwise,
		 wt_cause_line(" at ", &cause->steps[at].code, where));
}

/* Origins of the index of an access, as far as the list of steps goes back. */
struct origins {
	wt_step_words value[WT_ANALYSIS_MAX_LISTED], index[WT_ANALYSIS_MAX_LISTED];
	size_t loads, index_loads, load; /* the last one */
	size_t crossings, crossing;	 /* likewise: steps that take what another lane has */
};

#define LANE_UNKNOWN UINT32_MAX

/* The lane that DPP takes a value from: the followed one, too, where it gets none and keeps what it has. */
static uint32_t dpp_source_lane(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	uint32_t from[GFX_MAX_LANES], to[GFX_MAX_LANES];
	uint64_t lanes = UINT64_MAX;

	/* Lanes without a source get 0. */
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		from[lane] = lane + 1;
	gfx_dpp_select(&step->instruction, step->exec, from, to, &lanes);
	return lanes >> cause->lane & 1 && to[cause->lane] ? to[cause->lane] - 1 : cause->lane;
}

/* Which lane a ds_bpermute_b32 takes a value from. */
static uint32_t permute_source_lane(const struct wt_cause *cause,
				    const struct wt_analysis_step *step)
{
	uint32_t at;

	if (!step->source_count || !step->source_known[0])
		return LANE_UNKNOWN;
	at = (step->source_values[0] + (uint32_t)step->instruction.offset) / 4;
	return gfx_is_later(&step->instruction) ? (cause->lane & ~31U) | at % 32
						: at % GFX_MAX_LANES;
}

/* A scalar register that was kept in a lane is the wave's own. */
static uint32_t read_source_lane(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	const struct wt_analysis_step *kept;
	uint32_t lane;

	if (!step->source_count || step->sources[0] >= cause->analysis.count)
		return cause->lane;
	kept = &cause->analysis.steps[step->sources[0]];
	if (kept->private_memory ||
	    !strcmp(gfx_computes(kept->instruction.operation), "v_writelane_b32"))
		return cause->lane;
	return wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 1, &lane)
		       ? lane % cause->wave.lane_count
		       : LANE_UNKNOWN;
}

/* The lane whose value a step takes, which is the followed one for most; LANE_UNKNOWN if it may be any. */
static uint32_t step_source_lane(const struct wt_cause *cause, const struct wt_analysis_step *step)
{
	const char *name = gfx_computes(step->instruction.operation);

	if (step->instruction.extension == GFX_EXTENSION_DPP ||
	    step->instruction.extension == GFX_EXTENSION_DPP8)
		return dpp_source_lane(cause, step);
	if (!strcmp(name, "ds_bpermute_b32"))
		return permute_source_lane(cause, step);
	if (!strcmp(name, "v_readlane_b32"))
		return read_source_lane(cause, step);
	return strstr(name, "permute_b32") || strstr(name, "swizzle_b32") ||
			       strstr(name, "permlane")
		       ? LANE_UNKNOWN
		       : cause->lane;
}

static void origins_find(const struct wt_cause *cause, size_t at, struct origins *origins)
{
	*origins = (struct origins){.loads = 0};
	origins->value[at] = origins->index[at] = ALL_WORDS;
	for (size_t i = at; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];

		if (!origins->value[i])
			continue;
		if (i != at && step_source_lane(cause, step) != cause->lane) {
			origins->crossings++;
			origins->crossing = i;
			continue;
		}
		if (i != at && loads_from_memory(cause, step)) {
			origins->load = i;
			origins->index_loads += origins->index[i] != 0;
			origins->loads++;
			continue;
		}
		mark_sources(cause, i, i == at, UINT32_MAX, origins->value);
		if (origins->index[i] && (i == at || keeps_index(cause, step)))
			mark_sources(cause, i, i == at, UINT32_MAX, origins->index);
	}
}

/* Says which lane had the value that a step takes, and where it does. */
static void crossing_say(const struct wt_cause *cause, const struct origins *origins,
			 char text_ret[WT_EXPLAIN_POINTED + WT_CAUSE_LINE])
{
	const struct wt_analysis_step *step = &cause->analysis.steps[origins->crossing];
	const uint32_t source = step_source_lane(cause, step);
	char where[WT_CAUSE_LINE], lane[32];

	snprintf(lane, sizeof(lane), "lane %u", source);
	snprintf(text_ret, WT_EXPLAIN_POINTED + WT_CAUSE_LINE, "what %s had%s%s",
		 origins->crossings == 1 && source != LANE_UNKNOWN ? lane : "a lane of its wave",
		 wt_cause_line(" at ", &cause->steps[origins->crossing].code, where),
		 origins->loads ? ", and from memory" : "");
}

/* Does a number lead before the buffer since it has a sign, or past it since it alone is more than there are elements? */
static bool number_leads_out(const struct wt_cause *cause, int64_t value)
{
	if (cause->near.element < 0)
		return value < 0;
	return value > 0 && bytes_lead_out(cause, (uint64_t)value * cause->near.unit);
}

static bool argument_is_number(const struct wt_explain_argument *argument)
{
	return !argument->hidden && !argument->pointer && !argument->no_integer &&
	       argument->known && argument->text && (argument->size == 4 || argument->size == 8);
}

static int64_t argument_number(const struct wt_explain_argument *argument)
{
	return argument->size == 4 ? (int32_t)argument->value : (int64_t)argument->value;
}

/*
 * The number, of the kernel's arguments, that by itself leads out of the buffer; NULL if that is not one alone. One below zero is not blamed where
 * the index would be so without it, too, and may have had another one taken from it.
 */
static const struct wt_explain_argument *argument_find_blamed(const struct wt_cause *cause,
							      const struct origins *origins)
{
	const struct wt_explain_argument *found = NULL;
	bool others = false;

	if (!wt_cause_argument_of(cause) || !cause->near.has_end || !cause->analysis.whole)
		return NULL;
	for (size_t i = 1; i < cause->analysis.count; i++)
		for (uint32_t word = 0; origins->index[i] && word < 16; word++) {
			const struct wt_explain_argument *argument =
				origins->index[i] >> word & 1
					? wt_cause_loaded_argument(cause, &cause->analysis.steps[i],
								   word)
					: NULL;

			if (!argument || argument == found || !argument_is_number(argument))
				continue;
			if (!number_leads_out(cause, argument_number(argument))) {
				others |= argument_number(argument) != 0;
				continue;
			}
			if (found)
				return NULL;
			found = argument;
		}
	if (found && others && cause->near.element < 0 &&
	    cause->near.element < argument_number(found))
		return NULL;
	return found;
}

const char *wt_cause_index_source(const struct wt_cause *cause, size_t at,
				  char text_ret[WT_CAUSE_INDEX])
{
	char from[WT_EXPLAIN_POINTED + WT_CAUSE_LINE];
	const struct wt_explain_argument *argument = NULL;
	const char *otherwise;
	struct origins origins;
	size_t blamed;

	origins_find(cause, at, &origins);
	text_ret[0] = '\0';
	/* The list may have no room for all that another access is made from. */
	if (at && (cause->analysis.more || origins.loads + origins.crossings != 1))
		return text_ret;
	otherwise = origins.index_loads ? "memory" : "what was loaded from memory";
	/* Which of several is wrong is known only where the others lead nowhere else. */
	blamed = origins.loads > 1 && !origins.crossings ? load_find_blamed(cause) : 0;
	if (blamed) {
		origins.load = blamed;
		origins.loads = 1;
		origins.index_loads = origins.index[blamed] != 0;
	}
	if (!origins.loads && !origins.crossings)
		argument = argument_find_blamed(cause, &origins);
	if (argument)
		snprintf(text_ret, WT_CAUSE_INDEX,
			 "; its index was made from %.64s, which is %.64s", argument->label,
			 argument->text);
	if (!origins.loads && !origins.crossings)
		return text_ret;
	if (origins.crossings)
		crossing_say(cause, &origins, from);
	else if (origins.loads == 1)
		load_say(cause, origins.load,
			 origins.index_loads ? origins.index[origins.load]
					     : origins.value[origins.load],
			 otherwise, from);
	else
		snprintf(from, sizeof(from), "%s", otherwise);
	snprintf(text_ret, WT_CAUSE_INDEX, "; its index was %s from %s",
		 origins.index_loads && !origins.crossings ? "loaded" : "made", from);
	return text_ret;
}

const char *wt_cause_element(const struct wt_cause *cause, char text_ret[WT_CAUSE_ELEMENT])
{
	const struct wt_cause_near *near = &cause->near;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	const struct wt_explain_member *member = NULL;
	char pointed[WT_EXPLAIN_POINTED];
	int length = snprintf(text_ret, WT_CAUSE_ELEMENT, "%.191s[%" PRId64 "]", argument->label,
			      near->element);

	/* All elements have the members of the first. */
	if (near->unit == argument->element)
		member = wt_explain_name_pointed(&cause->arguments, argument,
						 argument->value + near->rest,
						 cause->wave.access.size, pointed);
	if (member && *member->name && length > 0)
		snprintf(text_ret + length, WT_CAUSE_ELEMENT - (size_t)length, "%s%s",
			 *member->name == '[' ? "" : ".", member->name);
	else if (near->rest && length > 0)
		snprintf(text_ret + length, WT_CAUSE_ELEMENT - (size_t)length, " + %u %s",
			 near->rest, wt_plural(near->rest, "byte", "bytes"));
	return text_ret;
}
