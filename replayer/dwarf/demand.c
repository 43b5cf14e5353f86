/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/demand.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/flow.h"
#include "gfx/isa/uses.h"
#include "replayer/dwarf/code-effects.h"

#define MAX_DEPTH 16 /* of results whose use is looked for */

/* Modifiers take parts of what is read, and nobody looks which: then nobody says where its bits come from. */
static enum gfx_flow instruction_flow(const struct wt_dwarf_instruction *code)
{
	const struct gfx_instruction *instruction = &code->code;

	if (!code->is_known || !code->has_read || instruction->second || instruction->clamp ||
	    instruction->op_sel || instruction->extension != GFX_EXTENSION_NONE)
		return GFX_FLOW_OTHER;
	return gfx_operation_flow(instruction->operation);
}

/* Does it keep a vector register in the frame? Also one whose lanes have nothing that is needed, to use it for something else. */
static bool is_kept(const struct wt_dwarf_instruction *code)
{
	return wt_dwarf_is_private(code, GFX_MEMORY_STORE) &&
	       (code->code.scalar_address == 33 || code->code.scalar_address == 32);
}

static bool range_includes(const struct wt_dwarf_range *range, struct wt_dwarf_name name)
{
	return range->kind == name.kind && range->first <= name.index && name.index <= range->last;
}

/* Writing one lane leaves the others, and is no use of them. */
static bool instruction_reads(const struct wt_dwarf_instruction *code, struct wt_dwarf_name name)
{
	if (name.kind == 'v' && (is_kept(code) || wt_dwarf_computes(code, "v_writelane_b32")))
		return false;
	return wt_dwarf_reads(code, name);
}

struct search {
	const struct wt_dwarf_frame *frame;
	uint32_t lanes; /* of the wave */
	const struct wt_dwarf_instruction *code;
	size_t count;
	const struct wt_dwarf_readers
		*readers; /* of the register that is asked for; NULL: all count */
	/* Bits that are needed of the result of each instruction: of its lower and its upper word. */
	struct result {
		bool is_begun;
		uint32_t bits;
	} * results;
};

static struct wt_dwarf_demand demand_from(const struct search *search, struct wt_dwarf_name name,
					  size_t from, unsigned int depth);

/* The bits that are needed of what an instruction makes. */
static uint64_t result_needed(const struct search *search, size_t at, unsigned int depth)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	struct wt_dwarf_range range;
	uint64_t bits = 0;

	if (depth == MAX_DEPTH || !wt_dwarf_result(code, &range))
		return 0;
	for (uint32_t i = 0; i < 2 && i <= range.last - range.first; i++) {
		struct result *result = &search->results[2 * at + i];

		/* A loop adds nothing that is not found otherwise. */
		if (!result->is_begun) {
			result->is_begun = true;
			result->bits =
				demand_from(search,
					    (struct wt_dwarf_name){range.kind, range.first + i},
					    at + 1, depth + 1)
					.bits;
		}
		bits |= (uint64_t)result->bits << 32 * i;
	}
	/* The other half of a register is not its result. */
	return gfx_type_is_half(code->code.operation->dst) ? bits & 0xffff : bits;
}

static uint64_t bits_up_to(uint64_t bits)
{
	return bits ? UINT64_MAX >> __builtin_clzll(bits) : 0;
}

/* An operand that is a number, with its sign. */
static bool operand_immediate(const struct wt_dwarf_instruction *code, unsigned int index,
			      uint64_t *number_ret)
{
	uint32_t number;

	if (!wt_dwarf_source_number(code, index, &number))
		return false;
	*number_ret = (uint64_t)(int64_t)(int32_t)number;
	return true;
}

/* The instruction that has written a register which another one reads, if there is only one that can; else NULL. */
static const struct wt_dwarf_instruction *find_maker(const struct search *search, size_t at,
						     const struct wt_dwarf_range *range)
{
	const struct wt_dwarf_name name = {range->kind, range->first};

	while (at-- > 0) {
		const struct wt_dwarf_instruction *code = &search->code[at];

		if (wt_dwarf_is_branched_to(search->code, search->count, code[1].address) ||
		    wt_dwarf_ends(code) || !code->has_written)
			return NULL;
		if (wt_dwarf_writes(code, name))
			return code;
	}
	return NULL;
}

/* Does an instruction give a register a number, or set some bits for certain? */
static bool instruction_sets(const struct wt_dwarf_instruction *code, bool is_number)
{
	enum gfx_flow flow = instruction_flow(code);

	if (!code->is_known || !code->has_written || code->code.second || flow == GFX_FLOW_MOVE)
		return true;
	return !is_number &&
	       (flow == GFX_FLOW_OR || flow == GFX_FLOW_AND_OR || flow == GFX_FLOW_LEFT_OR);
}

/* Can a register have what an instruction makes that sets it so? */
static bool may_be_set(const struct search *search, size_t at, const struct wt_dwarf_range *range,
		       bool is_number)
{
	const struct wt_dwarf_instruction *maker = find_maker(search, at, range);

	if (maker)
		return instruction_sets(maker, is_number);
	for (size_t i = 0; i < search->count; i++)
		if (wt_dwarf_writes(&search->code[i],
				    (struct wt_dwarf_name){range->kind, range->first}) &&
		    instruction_sets(&search->code[i], is_number))
			return true;
	return false;
}

/* A comparison with a power of two leaves out the bits below it, and one with zero may need the sign alone. */
static uint64_t order_needed(const struct search *search, size_t at, unsigned int index)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	const char *type = strchr(gfx_computes(code->code.operation) + strlen("s_cmp_"), '_');
	unsigned int other = 1 - index;
	struct wt_dwarf_range range;
	uint64_t number;

	if (index > 1 || !type)
		return 0;
	if (wt_dwarf_source(code, other, &range))
		return may_be_set(search, at, &range, true) ? 0 : UINT64_MAX;
	if (!operand_immediate(code, other, &number))
		return 0;
	if (type[1] == 'i')
		return number + 1 <= 1 ? 0 : UINT64_MAX;
	return number && ~number ? ~(bits_up_to((number & -number) | (~number & -~number)) >> 1)
				 : 0;
}

static uint64_t shift_needed(const struct wt_dwarf_instruction *code, enum gfx_flow flow,
			     unsigned int index, uint64_t needed)
{
	const struct gfx_instruction *instruction = &code->code;
	/* s_lshl_b32 s0, value, amount; v_lshlrev_b32_e32 v0, amount, value. */
	unsigned int value = instruction->encoding == GFX_SOP2 ? 0 : 1, amount = 1 - value;
	unsigned int bits = 32 * gfx_type_words(instruction->operation->dst);
	uint64_t number;

	if (index == amount)
		return bits - 1;
	if (index != value)
		return 0;
	if (!operand_immediate(code, amount, &number))
		return flow == GFX_FLOW_LEFT || !needed ? bits_up_to(needed)
							: UINT64_MAX << __builtin_ctzll(needed);
	number &= bits - 1;
	if (flow == GFX_FLOW_LEFT)
		return needed >> number;
	if (flow == GFX_FLOW_RIGHT_SIGNED && number && needed >> (bits - number))
		return (needed << number) | UINT64_C(1) << (bits - 1);
	return needed << number;
}

/* An OR leaves out the bits that the other operand has for certain. */
static uint64_t or_needed(const struct search *search, size_t at, unsigned int index,
			  uint64_t needed)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	struct wt_dwarf_range range;
	uint64_t number;

	for (unsigned int i = 0; i < 3; i++) {
		if (i == index)
			continue;
		if (operand_immediate(code, i, &number))
			needed &= ~number;
		else if (wt_dwarf_source(code, i, &range) && may_be_set(search, at, &range, false))
			return 0;
	}
	return needed;
}

static uint64_t extract_needed(const struct wt_dwarf_instruction *code, unsigned int index,
			       uint64_t needed)
{
	uint64_t from, width;

	if (index != 0 || !operand_immediate(code, 1, &from) ||
	    !operand_immediate(code, 2, &width) || from > 31 || !width || width > 31)
		return 0;
	if (instruction_flow(code) == GFX_FLOW_EXTRACT_SIGNED && needed >> (width - 1))
		needed |= UINT64_C(1) << (width - 1);
	return (needed & ((UINT64_C(1) << width) - 1)) << from;
}

/* A multiplication leaves out the bits that a constant shifts out. */
static uint64_t product_needed(const struct wt_dwarf_instruction *code, unsigned int index,
			       uint64_t needed)
{
	uint64_t number;

	if (!operand_immediate(code, 1 - index, &number))
		return bits_up_to(needed);
	return number ? bits_up_to(needed) >> __builtin_ctzll(number) : 0;
}

/* The third source of some operations is added to what the first two make, or combined with it. */
static uint64_t third_needed(enum gfx_flow flow, uint64_t needed)
{
	return flow == GFX_FLOW_AND_OR || flow == GFX_FLOW_LEFT_OR ? needed : bits_up_to(needed);
}

/* The bits of an operand that an instruction needs, of whose result some are needed. */
static uint64_t operand_needed(const struct search *search, size_t at, enum gfx_flow flow,
			       unsigned int index, uint64_t needed)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	bool third = index == 2;
	uint64_t number;

	switch (flow) {
	case GFX_FLOW_MOVE:
	case GFX_FLOW_CHOICE:
	case GFX_FLOW_XOR:
		return needed;
	case GFX_FLOW_SUM:
	case GFX_FLOW_DIFFERENCE:
	case GFX_FLOW_REVERSED:
	case GFX_FLOW_XOR_ADD:
		return bits_up_to(needed);
	case GFX_FLOW_PRODUCT_SUM:
		/* Both factors have 32 bits, and the sum 64. */
		return !third && needed >> 32 ? UINT32_MAX : bits_up_to(needed);
	case GFX_FLOW_PRODUCT:
		return product_needed(code, index, needed);
	case GFX_FLOW_PRODUCT_24:
	case GFX_FLOW_PRODUCT_24_SUM:
		return third ? bits_up_to(needed) : needed ? 0xffffff : 0;
	case GFX_FLOW_AND:
	case GFX_FLOW_AND_OR:
		if (third)
			return third_needed(flow, needed);
		return operand_immediate(code, 1 - index, &number) ? needed & number : 0;
	case GFX_FLOW_OR:
		return or_needed(search, at, index, needed);
	case GFX_FLOW_LEFT:
	case GFX_FLOW_RIGHT:
	case GFX_FLOW_RIGHT_SIGNED:
		return shift_needed(code, flow, index, needed);
	case GFX_FLOW_LEFT_ADD:
	case GFX_FLOW_LEFT_OR:
		if (!operand_immediate(code, 1, &number) || index == 1)
			return 0;
		return third ? third_needed(flow, needed)
			     : third_needed(flow, needed) >> (number & 31);
	case GFX_FLOW_ADD_LEFT:
		return !third && operand_immediate(code, 2, &number)
			       ? bits_up_to(needed >> (number & 31))
			       : 0;
	case GFX_FLOW_EXTRACT:
	case GFX_FLOW_EXTRACT_SIGNED:
		return extract_needed(code, index, needed);
	case GFX_FLOW_EXTEND_8:
		return 0xff;
	case GFX_FLOW_EXTEND_16:
		return 0xffff;
	case GFX_FLOW_OTHER:
	case GFX_FLOW_SCATTER:
	case GFX_FLOW_PRODUCT_HIGH:
	case GFX_FLOW_EQUAL:
	case GFX_FLOW_ORDER:
	case GFX_FLOW_FLOAT:
		break;
	}
	return 0;
}

/* The bits of what is stored: less than a word is in one half of its register. */
static uint32_t stored_bits(const struct gfx_operation *operation)
{
	if (operation->size >= 4)
		return UINT32_MAX;
	if (operation->flags & GFX_HIGH_HALF)
		return operation->size == 2 ? 0xffff0000 : 0;
	return operation->size == 2 ? 0xffff : 0xff;
}

static enum gfx_register_file name_file(struct wt_dwarf_name name)
{
	return name.kind == 's'	  ? GFX_FILE_SCALAR
	       : name.kind == 'v' ? GFX_FILE_VECTOR
				  : GFX_FILE_ACCUMULATION;
}

/* The bits that an access to memory needs: all of an address, and what it stores as it is. */
static uint32_t access_needed(const struct search *search, const struct wt_dwarf_instruction *code,
			      struct wt_dwarf_name name)
{
	const struct gfx_operation *operation = code->code.operation;
	bool passes = operation->memory == GFX_MEMORY_STORE && !(operation->flags & GFX_FORMATTED);
	struct gfx_uses uses;
	uint32_t bits = 0;

	if (operation->memory == GFX_MEMORY_ATOMIC || operation->flags & GFX_RESOURCE)
		return 0;
	gfx_instruction_uses(&code->code, search->lanes, &uses);
	for (uint32_t i = 0; i < uses.read_count; i++) {
		const struct gfx_use *use = &uses.reads[i];

		if (use->file == name_file(name) && name.index >= use->number &&
		    name.index - use->number < use->words)
			bits |= use->address ? UINT32_MAX : passes ? stored_bits(operation) : 0;
	}
	return bits;
}

/* The bits of a register that one instruction needs which reads it. */
static uint32_t instruction_needed(const struct search *search, size_t at,
				   struct wt_dwarf_name name, unsigned int depth)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	enum gfx_flow flow = instruction_flow(code);
	uint64_t needed = 0, bits = 0;
	struct wt_dwarf_range range;

	if (code->is_known && code->code.operation->memory != GFX_MEMORY_NONE)
		return access_needed(search, code, name);
	/* A place to go on at. */
	if (wt_dwarf_computes(code, "s_setpc_b64") || wt_dwarf_computes(code, "s_swappc_b64") ||
	    flow == GFX_FLOW_EQUAL || flow == GFX_FLOW_FLOAT || flow == GFX_FLOW_PRODUCT_HIGH)
		return UINT32_MAX;
	if (flow == GFX_FLOW_OTHER || flow == GFX_FLOW_SCATTER)
		return 0;
	if (flow != GFX_FLOW_ORDER)
		needed = result_needed(search, at, depth);
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t own;

		if (!wt_dwarf_source(code, i, &range) || !range_includes(&range, name))
			continue;
		own = flow == GFX_FLOW_ORDER ? order_needed(search, at, i)
					     : operand_needed(search, at, flow, i, needed);
		bits |= own >> 32 * (name.index - range.first > 0);
	}
	return (uint32_t)bits;
}

/*
 * The bits of a register that a call passes on to a function which needs them. Calls in it are not followed, nor are those of the
 * function itself.
 */
static uint32_t call_needed(const struct search *search, size_t at, struct wt_dwarf_name name)
{
	const struct wt_dwarf_frame *frame = search->frame;
	wt_cleanup_free struct result *results = NULL;
	struct search called = {.frame = NULL, .lanes = search->lanes};
	uint64_t target;

	if (!frame || !wt_dwarf_call_target(search->code, search->count, at, &target) ||
	    target == frame->low)
		return 0;
	called.count = wt_dwarf_whole_function(frame->machine, frame->object, target, &called.code);
	results = calloc(2 * called.count + 1, sizeof(*results));
	if (!called.count || !results)
		return 0;
	called.results = results;
	return demand_from(&called, name, 0, 0).bits;
}

/* Results of instructions are needed by whoever reads them. */
static bool reader_counts(const struct search *search, size_t at, unsigned int depth)
{
	return depth || !search->readers ||
	       search->readers->counts(search->readers->opaque, search->code[at].address);
}

static struct wt_dwarf_demand demand_from(const struct search *search, struct wt_dwarf_name name,
					  size_t from, unsigned int depth)
{
	wt_cleanup_free bool *seen = calloc(search->count + 1, sizeof(*seen));
	wt_cleanup_free size_t *left = calloc(search->count + 1, sizeof(*left));
	struct wt_dwarf_demand demand = {.is_read = false};
	size_t waiting = 0;

	if (!seen || !left)
		return demand;
	left[waiting++] = from;
	while (waiting) {
		for (size_t i = left[--waiting]; i < search->count && !seen[i]; i++) {
			const struct wt_dwarf_instruction *code = &search->code[i];
			size_t target = search->count;

			seen[i] = true;
			if (instruction_reads(code, name) && reader_counts(search, i, depth)) {
				demand.is_read = true;
				demand.bits |= instruction_needed(search, i, name, depth);
			}
			if (wt_dwarf_calls(code) && reader_counts(search, i, depth))
				demand.bits |= call_needed(search, i, name);
			demand.is_read |= demand.bits;
			if (demand.bits == UINT32_MAX)
				return demand;
			if (wt_dwarf_writes(code, name))
				break;
			if (code->has_target)
				target = wt_dwarf_instruction_from(search->code, search->count,
								   code->target);
			if (target < search->count && !seen[target])
				left[waiting++] = target;
			if (wt_dwarf_ends(code))
				break;
		}
	}
	return demand;
}

struct wt_dwarf_demand wt_dwarf_demand(const struct wt_dwarf_frame *frame, uint64_t number,
				       uint64_t from, const struct wt_dwarf_readers *readers)
{
	struct wt_dwarf_demand none = {.is_read = false};
	wt_cleanup_free struct result *results = NULL;
	struct search search = {.readers = readers};
	struct wt_dwarf_name name;

	search.count = wt_dwarf_function_code(frame, frame->high, &search.code);
	if (!search.count || !wt_dwarf_name(number, &name))
		return none;
	results = calloc(2 * search.count, sizeof(*results));
	if (!results)
		return none;
	search.results = results;
	search.frame = frame;
	search.lanes = frame->machine->lanes;
	return demand_from(&search, name,
			   wt_dwarf_instruction_from(search.code, search.count, from), 0);
}
