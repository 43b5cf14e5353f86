/* SPDX-License-Identifier: MIT */
/*
 * Variables that a bad address was made from, as DWARF has them: a number of 16 bits that had no room for what it was set to, an array of
 * the function's own that an access of private memory leads on from, or of the workgroup's in local memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "gfx/isa/flow.h"
#include "replayer/view/explain-cause-internal.h"
#include "replayer/view/stack.h"

#define ENDS_MAX 64

/* ---- Numbers that were cut ---- */

/* A value of 32 bits of which a step keeps 8 or 16. */
struct cut {
	size_t step;
	uint32_t bits;
	bool is_signed;
	int64_t from, became;
	uint32_t made; /* the step that made the value that was cut; UINT32_MAX: it is not shown */
};

static int64_t bits_kept(uint32_t value, uint32_t bits, bool is_signed)
{
	uint32_t kept = value << (32 - bits);

	return is_signed ? (int32_t)kept >> (32 - bits) : (int64_t)(kept >> (32 - bits));
}

/* The place of the first source that is no part of an address, and the step that made its value. */
static uint32_t value_source(const struct wt_cause *cause, const struct wt_analysis_step *step,
			     uint32_t *made_ret)
{
	uint32_t source = 0;

	for (uint32_t i = 0; i < step->uses.read_count; i++) {
		const struct gfx_use *use = &step->uses.reads[i];

		if (!use->address && !use->mask && source < step->source_count) {
			uint32_t from = step->sources[source];

			*made_ret = from < cause->analysis.count ? from : UINT32_MAX;
			return source;
		}
		source += use->words;
	}
	return UINT32_MAX;
}

/* Operations that keep 8 or 16 bits, where an operand has a value. */
static bool operation_cuts(const struct wt_cause *cause, const struct wt_analysis_step *step,
			   struct cut *cut)
{
	static const struct {
		const char *name;
		uint32_t operand, value, bits; /* value 0: whatever it is */
		bool is_signed;
	} operations[] = {
		{"s_sext_i32_i16", 0, 0, 16, true},   {"s_sext_i32_i8", 0, 0, 8, true},
		{"v_bfe_i32", 2, 16, 16, true},	      {"v_bfe_i32", 2, 8, 8, true},
		{"v_bfe_u32", 2, 16, 16, false},      {"v_bfe_u32", 2, 8, 8, false},
		{"s_bfe_i32", 1, 0x100000, 16, true}, {"s_bfe_i32", 1, 0x80000, 8, true},
		{"v_and_b32", 0, 0xffff, 16, false},  {"v_and_b32", 0, 0xff, 8, false},
		{"s_and", 1, 0xffff, 16, false},      {"s_and", 1, 0xff, 8, false},
		{"v_lshlrev_b32", 0, 16, 16, true},   {"v_lshlrev_b32", 0, 24, 8, true},
		{"s_lshl_b32", 1, 16, 16, true},      {"s_lshl_b32", 1, 24, 8, true},
		{"v_add_lshl_u32", 2, 16, 16, true},  {"v_add_lshl_u32", 2, 24, 8, true},
	};

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		uint32_t value;

		if (strcmp(gfx_computes(step->instruction.operation), operations[i].name) != 0 ||
		    (operations[i].value && (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND,
							       operations[i].operand, &value) ||
					     value != operations[i].value)))
			continue;
		cut->bits = operations[i].bits;
		cut->is_signed = operations[i].is_signed;
		return true;
	}
	return false;
}

/* A shift that brings a sign up cuts only if one down follows it. */
static bool is_shifted_down(const struct wt_cause *cause, size_t at)
{
	for (size_t i = 1; i < at; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];

		for (uint32_t j = 0; j < step->source_count; j++)
			if (step->sources[j] == at &&
			    !strstr(gfx_computes(step->instruction.operation), "ashr"))
				return false;
	}
	return true;
}

/* The register that was stored to the private memory that a step loads from: the value, before as many bits of it were stored. */
static bool stored_value(const struct wt_cause *cause, const struct wt_analysis_step *load,
			 struct cut *cut, uint32_t *value_ret)
{
	const struct wt_analysis_step *store;
	uint32_t source;

	if (!load->loads || !load->private_memory || load->store_count != 1 ||
	    load->stores[0] >= cause->analysis.count || 8 * load->access.size != cut->bits)
		return false;
	store = &cause->analysis.steps[load->stores[0]];
	source = value_source(cause, store, &cut->made);
	if (source == UINT32_MAX || store->access.size != load->access.size)
		return false;
	*value_ret = store->source_values[source];
	return store->source_known[source];
}

/* The value that an operation cuts: in a register, or where its bits came through private memory, as they were before. */
static bool cut_value(const struct wt_cause *cause, const struct wt_analysis_step *step,
		      struct cut *cut, uint32_t *value_ret)
{
	uint32_t source = value_source(cause, step, &cut->made), summand;

	if (source == UINT32_MAX)
		return false;
	/* A sum that is shifted is made here. */
	if (!strcmp(gfx_computes(step->instruction.operation), "v_add_lshl_u32")) {
		cut->made = UINT32_MAX;
		if (!wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 0, value_ret) ||
		    !wt_cause_operand(cause, step, WT_CAUSE_OPERAND_FOUND, 1, &summand))
			return false;
		*value_ret += summand;
		return true;
	}
	if (cut->made != UINT32_MAX && cause->analysis.steps[cut->made].loads)
		return stored_value(cause, &cause->analysis.steps[cut->made], cut, value_ret);
	*value_ret = step->source_values[source];
	return step->source_known[source];
}

static bool step_cuts(const struct wt_cause *cause, size_t at, struct cut *cut_ret)
{
	const struct wt_analysis_step *step = &cause->analysis.steps[at];
	struct cut cut = {.step = at, .made = UINT32_MAX};
	const char *name = step->instruction.operation->name;
	uint32_t value;

	if (!step->part || step->indirect || !step->writes || step->instruction.modified)
		return false;
	if (step->loads) {
		cut.bits = 8 * step->access.size;
		cut.is_signed = step->instruction.operation->flags & GFX_SIGNED;
		if ((cut.bits != 8 && cut.bits != 16) || !stored_value(cause, step, &cut, &value))
			return false;
	} else if (!operation_cuts(cause, step, &cut) ||
		   (strstr(name, "lshl") && !is_shifted_down(cause, at)) ||
		   !cut_value(cause, step, &cut, &value)) {
		return false;
	}
	cut.from = (int32_t)value;
	cut.became = bits_kept(value, cut.bits, cut.is_signed);
	*cut_ret = cut;
	return cut.from != cut.became;
}

/* Marks what the address is a sum with: nothing that was multiplied by another number, or that decided something. */
static void sums_mark(const struct wt_cause *cause, bool marks[WT_ANALYSIS_MAX_LISTED])
{
	memset(marks, 0, WT_ANALYSIS_MAX_LISTED * sizeof(*marks));
	marks[0] = true;
	for (size_t i = 0; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		struct cut unused;

		if (!marks[i] ||
		    (i && !step->loads && !step->store_count && step->writes &&
		     !wt_cause_is_linear(step) && !operation_cuts(cause, step, &unused)))
			continue;
		for (uint32_t j = 0; j < step->source_count; j++)
			if (step->sources[j] < cause->analysis.count)
				marks[step->sources[j]] = true;
		for (uint32_t j = 0; j < step->store_count; j++)
			if (step->stores[j] < cause->analysis.count)
				marks[step->stores[j]] = true;
	}
}

/* ---- Which variable it is ---- */

/* A look at one variable after the other. */
struct search {
	const struct wt_cause *cause;
	void (*visit)(struct search *search, struct wt_stack *stack, size_t frame, size_t number,
		      const struct wt_stack_variable *variable);
	const struct cut *cut;
	/* For arrays: the byte of their memory; in private memory the steps that say where the frame is, and in local memory its size. */
	int64_t byte;
	uint64_t local_size;
	const bool *bases;
	uint64_t ends[ENDS_MAX]; /* of arrays */
	size_t end_count;
	uint64_t start; /* of the array that was found */
	uint32_t found;
	char text[WT_CAUSE_ELEMENT];
};

/* Asks of each variable in the functions where the wave stopped. */
static struct wt_error *variables_search(struct wt_view *view, struct search *search)
{
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stacks_create(view, &stacks);

	if (!error)
		error = wt_stack_create(stacks, search->cause->wave.wave, &stack);
	for (size_t i = 0; !error && stack && i < wt_stack_count(stack); i++) {
		size_t count = 0;

		error = wt_stack_variables(stack, i, &count);
		for (size_t j = 0; !error && j < count; j++) {
			struct wt_stack_variable variable;

			wt_stack_variable(stack, i, j, &variable);
			if (variable.name)
				search->visit(search, stack, i, j, &variable);
		}
	}
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	return error;
}

/* A variable that has as many bits, and is declared where the value was made. */
static void visit_number(struct search *search, struct wt_stack *stack, size_t frame, size_t number,
			 const struct wt_stack_variable *variable)
{
	const struct cut *cut = search->cut;
	uint32_t place = cut->made != UINT32_MAX ? cut->made : (uint32_t)cut->step;

	(void)stack;
	(void)frame;
	(void)number;
	if (!variable->is_integer || variable->bits != cut->bits || !variable->line ||
	    (uint32_t)variable->line != search->cause->steps[place].code.line ||
	    variable->is_signed != cut->is_signed)
		return;
	search->found++;
	snprintf(search->text, sizeof(search->text), "%.64s, of type %.64s, has", variable->name,
		 variable->type);
}

/* Had the value not been cut, the address would be in what the pointer leads to: that it was meant to be cut cannot be. */
static bool is_inside_uncut(const struct wt_cause *cause,
			    const struct wt_explain_argument *argument, const struct cut *cut)
{
	int64_t element = cause->near.element + cut->from - cut->became;

	return cause->near.has_end && cause->near.whole && element >= 0 &&
	       (uint64_t)element < (cause->near.end - argument->value) / cause->near.unit;
}

struct wt_error *wt_cause_name_narrow(struct wt_cause_naming *naming)
{
	struct wt_cause *cause = naming->cause;
	const struct wt_explain_argument *argument = wt_cause_argument_of(cause);
	struct search search = {.cause = cause, .visit = visit_number};
	struct cut found = {.bits = 0}, cut;
	bool marks[WT_ANALYSIS_MAX_LISTED];
	struct wt_error *error;
	char where[WT_CAUSE_LINE];

	if (!argument || !cause->analysis.whole || !naming->failed)
		return NULL;
	sums_mark(cause, marks);
	for (size_t i = 1; i < cause->analysis.count; i++) {
		if (!marks[i] || !step_cuts(cause, i, &cut))
			continue;
		if (found.bits && (found.from != cut.from || found.became != cut.became))
			return NULL;
		/* The same value may be cut again; it was made before the first time. */
		found = cut;
	}
	if (!found.bits || !is_inside_uncut(cause, argument, &found))
		return NULL;
	search.cut = &found;
	error = variables_search(naming->view, &search);
	if (error)
		return error;
	if (search.found != 1)
		snprintf(search.text, sizeof(search.text), "%u bits have", found.bits);
	return wt_cause_say(
		cause, WT_CAUSE_OVERFLOW,
		"overflow: %s no room for %" PRId64 ": it became %" PRId64
		"%s, and is a part of an index of %s",
		search.text, found.from, found.became,
		wt_cause_line(
			" at ",
			&cause->steps[found.made != UINT32_MAX ? found.made : found.step].code,
			where),
		argument->label);
}

/* ---- Arrays in private memory ---- */

/*
 * Marks the steps whose value is a place in the frame: what the code says and where the stack is, and nothing that was loaded, passed, or is
 * of the lane.
 */
static void bases_mark(const struct wt_cause *cause, bool bases[WT_ANALYSIS_MAX_LISTED])
{
	const struct wt_analysis *analysis = &cause->analysis;

	for (size_t i = analysis->count; i-- > 0;) {
		const struct wt_analysis_step *step = &analysis->steps[i];
		uint32_t source = 0;

		bases[i] = !step->loads || (step->private_memory && step->store_count == 1);
		for (uint32_t j = 0; j < step->uses.read_count; j++)
			for (uint32_t word = 0; word < step->uses.reads[j].words;
			     word++, source++) {
				const struct gfx_use *use = &step->uses.reads[j];
				uint32_t from = source < step->source_count ? step->sources[source]
									    : WT_ANALYSIS_NOT_SHOWN;

				if (use->address)
					continue;
				bases[i] &= from < analysis->count
						    ? bases[from]
						    : from == WT_ANALYSIS_INITIAL &&
							      use->file == GFX_FILE_SCALAR;
			}
		for (uint32_t j = 0; j < step->store_count; j++)
			bases[i] &= step->stores[j] < analysis->count && bases[step->stores[j]];
	}
}

/* Was the address made from where an array begins? */
static bool is_base(const struct search *search, uint64_t start)
{
	const struct wt_cause *cause = search->cause;

	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		uint32_t lane = step->file == GFX_FILE_SCALAR ? 0 : cause->lane;

		if (search->bases[i] && step->part && !step->indirect && step->writes &&
		    step->known >> lane & 1 && (uint32_t)step->values[lane] == start)
			return true;
	}
	return false;
}

#define NAME_TEXT 160
#define WRAPPED_DEEP 4

/* A variable that was visited, or all that it has in it. */
struct visited {
	struct wt_stack_object_info info;
	char name[NAME_TEXT]; /* "stack", "stack.items" */
};

/* Describes a variable that the visit is at, or the one member of it that std::array and its like have; false if nothing is known of it. */
static bool visited_describe(const struct search *search, struct wt_stack *stack, size_t frame,
			     size_t number, const char *name, struct visited *visited_ret)
{
	const uint64_t firsts[WRAPPED_DEEP] = {0};
	struct wt_stack_object object = {.frame = frame, .variable = number, .parts = firsts};
	struct wt_stack_object_info *info = &visited_ret->info;
	int length = 0;

	for (;; object.depth++) {
		struct wt_dwarf_complaint complaint;
		bool is_one = false;
		struct wt_error *error = wt_stack_show_object(stack, &object, search->cause->lane,
							      NULL, info, &is_one, &complaint);

		wt_error_destroy(error);
		if (error || !is_one || length >= NAME_TEXT)
			return false;
		length += snprintf(visited_ret->name + length, (size_t)(NAME_TEXT - length),
				   "%s%.64s", object.depth ? "." : "",
				   object.depth ? info->name : name);
		if (info->is_array || info->is_pointer || info->parts != 1 ||
		    object.depth == WRAPPED_DEEP)
			return true;
	}
}

/* The element of an array that begins at a byte of its memory; false, and nothing said, if the array has it. */
static bool array_say_element(struct search *search, const struct visited *visited, uint64_t start)
{
	const uint64_t elements = visited->info.elements;
	int64_t size = (int64_t)(visited->info.bits / 8 / elements);
	int64_t element = search->byte - (int64_t)start;

	element = element < 0 ? -((-element + size - 1) / size) : element / size;
	if (element >= 0 && (uint64_t)element < elements)
		return false;
	snprintf(search->text, sizeof(search->text),
		 "%.100s[%" PRId64 "], and %.100s has %" PRIu64 " %s: ", visited->name, element,
		 visited->name, elements, wt_plural(elements, "element", "elements"));
	return true;
}

static void visit_array(struct search *search, struct wt_stack *stack, size_t frame, size_t number,
			const struct wt_stack_variable *variable)
{
	struct visited visited;
	const struct wt_stack_object_info *info = &visited.info;

	/* Private memory has addresses of 32 bits, but DWARF may say anything. */
	if (!visited_describe(search, stack, frame, number, variable->name, &visited) ||
	    !info->is_array || !info->has_address || !info->parts ||
	    info->space != GFX_SPACE_PRIVATE_LANE || info->bits / 8 < info->parts ||
	    info->bits / 8 > INT32_MAX || info->address > UINT32_MAX)
		return;
	if (search->end_count < ENDS_MAX)
		search->ends[search->end_count++] = info->address + info->bits / 8;
	if (!is_base(search, info->address) || !array_say_element(search, &visited, info->address))
		return;
	search->found++;
	search->start = info->address;
}

/* One that has all of local memory begins where that does. */
static void visit_shared(struct search *search, struct wt_stack *stack, size_t frame, size_t number,
			 const struct wt_stack_variable *variable)
{
	struct visited visited;

	if (!visited_describe(search, stack, frame, number, variable->name, &visited) ||
	    !visited.info.in_local)
		return;
	search->found++;
	if (visited.info.elements && visited.info.bits / 8 == search->local_size)
		array_say_element(search, &visited, 0);
}

/* Do all steps that take what a step has made keep those of their own bits that it says? A mask is no place in memory. */
static bool step_makes_mask(const struct wt_cause *cause, size_t at)
{
	bool masks = gfx_operation_flow(cause->analysis.steps[at].instruction.operation) ==
		     GFX_FLOW_MOVE;

	/* They are in front of it. */
	for (size_t i = 0; i < at; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];

		for (uint32_t j = 0; j < step->source_count; j++)
			masks &= step->sources[j] != at ||
				 gfx_operation_flow(step->instruction.operation) == GFX_FLOW_AND;
	}
	return masks;
}

/*
 * Has the code no number of its own that leads behind local memory? What was declared without a size begins there, and DWARF does not name
 * it.
 */
static bool address_begins_inside(const struct wt_cause *cause, uint64_t size)
{
	if (cause->wave.access.parts != 1 ||
	    (cause->analysis.steps[0].instruction.offset > 0 &&
	     (uint64_t)cause->analysis.steps[0].instruction.offset >= size))
		return false;
	for (size_t i = 1; i < cause->analysis.count; i++) {
		const struct wt_analysis_step *step = &cause->analysis.steps[i];
		uint32_t value;

		if (!step->part || step->indirect ||
		    gfx_operation_flow(step->instruction.operation) == GFX_FLOW_AND)
			continue;
		for (uint32_t operand = 0; operand < 3; operand++)
			if (step->instruction.operation->src[operand] != GFX_NONE &&
			    wt_cause_operand(cause, step, WT_CAUSE_OPERAND_OF_CODE, operand,
					     &value) &&
			    value >= size && value <= INT32_MAX && !step_makes_mask(cause, i))
				return false;
	}
	return true;
}

static struct wt_error *say_shared(struct wt_cause_naming *naming, int64_t byte,
				   char text_ret[WT_CAUSE_ELEMENT])
{
	struct search search = {.cause = naming->cause,
				.visit = visit_shared,
				.byte = byte,
				.local_size = naming->dispatch->local_size};
	struct wt_error *error;

	if (!search.local_size || !naming->cause->analysis.count ||
	    !naming->cause->analysis.whole ||
	    !address_begins_inside(naming->cause, search.local_size))
		return NULL;
	error = variables_search(naming->view, &search);
	if (!error && search.found == 1)
		memcpy(text_ret, search.text, sizeof(search.text));
	return error;
}

struct wt_error *wt_cause_say_array(struct wt_cause_naming *naming, int64_t byte,
				    char text_ret[WT_CAUSE_ELEMENT])
{
	bool bases[WT_ANALYSIS_MAX_LISTED] = {false};
	struct search search = {
		.cause = naming->cause, .visit = visit_array, .byte = byte, .bases = bases};
	struct wt_error *error;

	text_ret[0] = '\0';
	if (naming->cause->wave.access.space == GFX_ACCESS_LOCAL)
		return say_shared(naming, byte, text_ret);
	if (!naming->cause->analysis.whole)
		return NULL;
	bases_mark(naming->cause, bases);
	error = variables_search(naming->view, &search);
	/* An index past the end of another array leads to where that ends. */
	for (size_t i = 0; i < search.end_count; i++)
		search.found += search.ends[i] == search.start && search.found;
	if (!error && search.found == 1)
		memcpy(text_ret, search.text, sizeof(search.text));
	return error;
}
