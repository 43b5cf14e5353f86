/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/code-effects.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/uses.h"

/* A called function that is longer than this is not followed. */
#define MAX_CALLED_BYTES (UINT64_C(1) << 16)

bool wt_dwarf_name(uint64_t number, struct wt_dwarf_name *name_ret)
{
	bool accumulation;
	uint32_t index;

	if (wt_dwarf_is_scalar(number, &index))
		*name_ret = (struct wt_dwarf_name){'s', index};
	else if (wt_dwarf_is_vector(number, &accumulation, &index))
		*name_ret = (struct wt_dwarf_name){accumulation ? 'a' : 'v', index};
	else
		return false;
	return true;
}

/* ---- Decoding ---- */

/* Add the registers of a list; false if there are more than are kept. */
static bool add_ranges(const struct gfx_use *uses, uint32_t use_count,
		       struct wt_dwarf_range *ranges, uint32_t max, uint32_t *count)
{
	static const char kinds[] = {
		[GFX_FILE_SCALAR] = 's', [GFX_FILE_VECTOR] = 'v', [GFX_FILE_ACCUMULATION] = 'a'};

	for (uint32_t i = 0; i < use_count; i++) {
		const struct gfx_use *use = &uses[i];

		if (use->file == GFX_FILE_SCALAR && use->number >= GFX_CODE_VCC)
			continue;
		if (*count == max)
			return false;
		ranges[(*count)++] = (struct wt_dwarf_range){kinds[use->file], use->number,
							     use->number + use->words - 1U};
	}
	return true;
}

/* Nobody knows what it writes and reads where that depends on values. */
static void instruction_find_uses(struct wt_dwarf_instruction *instruction, uint32_t lanes)
{
	struct gfx_uses uses;

	gfx_instruction_uses(&instruction->code, lanes, &uses);
	instruction->has_written = add_ranges(uses.writes, uses.write_count, instruction->written,
					      WT_DWARF_MAX_WRITTEN, &instruction->written_count) &&
				   !uses.dynamic;
	instruction->has_read = add_ranges(uses.reads, uses.read_count, instruction->read,
					   WT_DWARF_MAX_READ, &instruction->read_count) &&
				!uses.dynamic;
}

#define IMAGE_WORDS 5	     /* of four components, and whether pages were there */
#define IMAGE_GFX12_LAST 127 /* the opcodes behind it write more */

/* Images and exports have known registers, though nobody knows what they do. */
static void instruction_bound_uses(struct wt_dwarf_instruction *instruction)
{
	const struct gfx_instruction *code = &instruction->code;
	bool is_gfx12 = code->generation >= GFX_GENERATION_12;
	uint32_t first = code->words[1] >> (is_gfx12 ? 0 : 8) & 0xff;
	uint32_t last = first + IMAGE_WORDS - 1;

	instruction->has_written = code->encoding == GFX_EXP;
	if (code->encoding != GFX_MIMG ||
	    (is_gfx12 && (code->words[0] >> 14 & 0xff) > IMAGE_GFX12_LAST))
		return;
	instruction->has_written = true;
	instruction->written[instruction->written_count++] =
		(struct wt_dwarf_range){'v', first, last};
	/* A bit says which of the two on some of them, and something else on the others. */
	if (code->generation == GFX_GENERATION_9)
		instruction->written[instruction->written_count++] =
			(struct wt_dwarf_range){'a', first, last};
}

bool wt_dwarf_decode(const struct gfx_architecture *architecture, uint32_t lanes, uint64_t address,
		     const uint32_t *words, size_t word_count,
		     struct wt_dwarf_instruction *instruction_ret)
{
	struct wt_dwarf_instruction instruction = {.address = address};
	struct gfx_classification flow;
	enum gfx_decode_status status =
		gfx_decode(architecture, words, word_count, &instruction.code);

	if (status == GFX_DECODE_UNKNOWN_ENCODING || instruction.code.word_count > word_count)
		return false;
	instruction.size = instruction.code.word_count * (uint32_t)sizeof(*words);
	instruction.is_known = status == GFX_DECODE_OK;
	if (instruction.is_known)
		instruction_find_uses(&instruction, lanes);
	else if (status == GFX_DECODE_UNKNOWN_OPERATION)
		instruction_bound_uses(&instruction);
	gfx_classify(architecture, address, words, word_count, &flow);
	instruction.kind = flow.kind;
	instruction.has_target = flow.kind == GFX_INSTRUCTION_DIRECT_BRANCH ||
				 flow.kind == GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL;
	instruction.target = flow.target;
	*instruction_ret = instruction;
	return true;
}

/* ---- What one instruction does ---- */

static bool ranges_include(const struct wt_dwarf_range *ranges, uint32_t count,
			   struct wt_dwarf_name name)
{
	for (uint32_t i = 0; i < count; i++)
		if (ranges[i].kind == name.kind && ranges[i].first <= name.index &&
		    name.index <= ranges[i].last)
			return true;
	return false;
}

bool wt_dwarf_writes(const struct wt_dwarf_instruction *instruction, struct wt_dwarf_name name)
{
	return !instruction->has_written ||
	       ranges_include(instruction->written, instruction->written_count, name);
}

bool wt_dwarf_reads(const struct wt_dwarf_instruction *instruction, struct wt_dwarf_name name)
{
	return !instruction->has_read ||
	       ranges_include(instruction->read, instruction->read_count, name);
}

static bool operand_range(uint32_t code, char vector, uint32_t words, struct wt_dwarf_range *range)
{
	bool scalar = code < GFX_CODE_VGPR0;
	uint32_t first = scalar ? code : code - GFX_CODE_VGPR0;

	*range = (struct wt_dwarf_range){vector, first, first + words - 1};
	if (scalar)
		range->kind = 's';
	return !scalar || code < GFX_CODE_VCC;
}

bool wt_dwarf_source(const struct wt_dwarf_instruction *instruction, unsigned int index,
		     struct wt_dwarf_range *range_ret)
{
	const struct gfx_instruction *code = &instruction->code;
	uint32_t type;

	if (!instruction->is_known || index > 2)
		return false;
	type = code->operation->src[index];
	if (type == GFX_DST)
		return operand_range(code->dst, 'v', 1, range_ret);
	return type != GFX_NONE && type != GFX_MASK && type != GFX_K16 && type != GFX_U16 &&
	       !((code->neg | code->abs) >> index & 1) &&
	       operand_range(code->src[index],
			     !index && code->operation->flags & GFX_SRC_AGPR ? 'a' : 'v',
			     gfx_type_words(type), range_ret);
}

bool wt_dwarf_source_number(const struct wt_dwarf_instruction *instruction, unsigned int index,
			    uint32_t *number_ret)
{
	const struct gfx_instruction *code = &instruction->code;
	uint32_t type;

	if (!instruction->is_known || index > 2)
		return false;
	type = code->operation->src[index];
	if (type == GFX_K16 || type == GFX_U16)
		*number_ret = type == GFX_K16 ? (uint32_t)code->offset
					      : (uint32_t)code->offset & UINT16_MAX;
	else if (code->src[index] == GFX_CODE_LITERAL)
		*number_ret = code->literal;
	else if (!gfx_code_integer(code->src[index], number_ret))
		return false;
	return type != GFX_NONE && type != GFX_DST;
}

static bool source_is(const struct wt_dwarf_instruction *instruction, unsigned int index,
		      struct wt_dwarf_name name)
{
	struct wt_dwarf_range range;

	return wt_dwarf_source(instruction, index, &range) && range.kind == name.kind &&
	       range.first == name.index && range.last == name.index;
}

static bool is_scalar(const struct gfx_instruction *code)
{
	return code->encoding <= GFX_SMEM || code->operation->flags & GFX_SCALAR_DST;
}

bool wt_dwarf_result(const struct wt_dwarf_instruction *instruction,
		     struct wt_dwarf_range *range_ret)
{
	const struct gfx_instruction *code = &instruction->code;
	const struct gfx_operation *operation = code->operation;

	if (!instruction->is_known || operation->dst == GFX_NONE)
		return false;
	return operand_range(is_scalar(code) ? code->dst : code->dst + (uint32_t)GFX_CODE_VGPR0,
			     operation->flags & GFX_DST_AGPR ? 'a' : 'v',
			     gfx_type_words(operation->dst), range_ret);
}

bool wt_dwarf_computes(const struct wt_dwarf_instruction *instruction, const char *name)
{
	return instruction->is_known && !instruction->code.second &&
	       !strcmp(gfx_computes(instruction->code.operation), name);
}

bool wt_dwarf_is_private(const struct wt_dwarf_instruction *instruction, enum gfx_memory_kind kind)
{
	return instruction->is_known &&
	       (instruction->code.encoding == GFX_SCRATCH ||
		instruction->code.encoding == GFX_MUBUF) &&
	       instruction->code.operation->memory == kind;
}

static bool source_is_ones(const struct wt_dwarf_instruction *instruction)
{
	uint32_t value;

	return wt_dwarf_source_number(instruction, 0, &value) && value == UINT32_MAX;
}

enum wt_dwarf_lanes wt_dwarf_lanes(const struct wt_dwarf_instruction *instruction, bool *all_ret)
{
	const struct gfx_instruction *code = &instruction->code;
	const char *name;

	*all_ret = false;
	if (!instruction->is_known)
		return WT_DWARF_LANES_KEPT;
	*all_ret = source_is_ones(instruction);
	name = gfx_computes(code->operation);
	if (strstr(name, "saveexec") || strstr(name, "wrexec"))
		return WT_DWARF_LANES_SAVED;
	*all_ret &= !strcmp(name, "s_mov");
	return is_scalar(code) && code->operation->dst != GFX_NONE &&
			       (code->dst | 1) == (GFX_CODE_EXEC | 1)
		       ? WT_DWARF_LANES_SET
		       : WT_DWARF_LANES_KEPT;
}

bool wt_dwarf_ends(const struct wt_dwarf_instruction *instruction)
{
	return instruction->kind == GFX_INSTRUCTION_INDIRECT_BRANCH ||
	       instruction->kind == GFX_INSTRUCTION_TERMINATE ||
	       instruction->kind == GFX_INSTRUCTION_DIRECT_BRANCH;
}

bool wt_dwarf_calls(const struct wt_dwarf_instruction *instruction)
{
	return instruction->kind == GFX_INSTRUCTION_DIRECT_CALL ||
	       instruction->kind == GFX_INSTRUCTION_INDIRECT_CALL;
}

/* ---- Called functions ---- */

size_t wt_dwarf_instruction_from(const struct wt_dwarf_instruction *code, size_t count,
				 uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t wt_dwarf_instruction_at(const struct wt_dwarf_instruction *code, size_t count,
			       uint64_t address)
{
	size_t at = wt_dwarf_instruction_from(code, count, address);

	return at < count && code[at].address == address ? at : count;
}

bool wt_dwarf_is_branched_to(const struct wt_dwarf_instruction *code, size_t count,
			     uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (code[i].has_target && code[i].target == address)
			return true;
	return false;
}

/*
 * s_getpc_b64 s[0:1], s_add_u32 s0, s0, 0x84, s_addc_u32 s1, s1, 0: nothing else may write the two registers from the first to the
 * last of them, which is at @at, and no branch may lead there.
 */
static bool is_address(const struct wt_dwarf_instruction *code, size_t count, size_t at,
		       const struct wt_dwarf_range *pair, uint64_t *target_ret)
{
	const struct wt_dwarf_name low = {'s', pair->first}, high = {'s', pair->last};
	struct wt_dwarf_range written;
	uint32_t parts[2] = {0};
	size_t i = at + 1;

	for (unsigned int found = 0; i-- > 0;) {
		const struct wt_dwarf_instruction *one = &code[i];
		bool is_high = !found;

		if (i < at && (wt_dwarf_is_branched_to(code, count, code[i + 1].address) ||
			       wt_dwarf_ends(one) || wt_dwarf_calls(one)))
			return false;
		if (!wt_dwarf_writes(one, low) && !wt_dwarf_writes(one, high))
			continue;
		if (found == 2) {
			*target_ret =
				one->address + one->size + (parts[0] | (uint64_t)parts[1] << 32);
			return wt_dwarf_computes(one, "s_getpc_b64") &&
			       wt_dwarf_result(one, &written) && written.first == pair->first &&
			       written.last == pair->last;
		}
		if (!(is_high ? wt_dwarf_computes(one, "s_addc_u32")
			      : wt_dwarf_computes(one, "s_add_u32") ||
					wt_dwarf_computes(one, "s_add_i32")) ||
		    one->code.dst != (is_high ? high.index : low.index) ||
		    !source_is(one, 0, is_high ? high : low) ||
		    !wt_dwarf_source_number(one, 1, &parts[is_high]))
			return false;
		found++;
	}
	return false;
}

#define MAX_LOOKED_AT 1024

/* Instructions from which code comes to an instruction without writing to a pair of registers. */
struct backwards {
	const struct wt_dwarf_instruction *code;
	size_t count;
	struct wt_dwarf_range pair;
	size_t seen[MAX_LOOKED_AT], seen_count;
	size_t last_write; /* @count: none was found */
	bool failed;	   /* there are others, or too many ways */
};

static void backwards_add(struct backwards *back, size_t index)
{
	const struct wt_dwarf_instruction *one = &back->code[index];

	if (wt_dwarf_writes(one, (struct wt_dwarf_name){'s', back->pair.first}) ||
	    wt_dwarf_writes(one, (struct wt_dwarf_name){'s', back->pair.last})) {
		back->failed |= back->last_write != back->count && back->last_write != index;
		back->last_write = index;
		return;
	}
	for (size_t i = 0; i < back->seen_count; i++)
		if (back->seen[i] == index)
			return;
	if (back->seen_count == MAX_LOOKED_AT)
		back->failed = true;
	else
		back->seen[back->seen_count++] = index;
}

/*
 * Finds the one instruction that wrote a pair of registers last, on all ways to an instruction. Code reads no register that a call may
 * have changed, so that calls in between do not matter.
 */
static bool find_last_write(struct backwards *back, size_t at)
{
	back->last_write = back->count;
	back->seen[back->seen_count++] = at;
	for (size_t next = 0; next < back->seen_count && !back->failed; next++) {
		size_t index = back->seen[next];

		for (size_t i = 0; i < back->count; i++)
			if (back->code[i].has_target &&
			    back->code[i].target == back->code[index].address)
				backwards_add(back, i);
		if (index && !wt_dwarf_ends(&back->code[index - 1]))
			backwards_add(back, index - 1);
	}
	return !back->failed && back->last_write < back->count;
}

bool wt_dwarf_call_target(const struct wt_dwarf_instruction *code, size_t count, size_t at,
			  uint64_t *target_ret)
{
	struct backwards back = {.code = code, .count = count};

	if (code[at].kind == GFX_INSTRUCTION_DIRECT_CALL) {
		*target_ret = code[at].target;
		return true;
	}
	return wt_dwarf_computes(&code[at], "s_swappc_b64") &&
	       wt_dwarf_source(&code[at], 0, &back.pair) && back.pair.kind == 's' &&
	       back.pair.last == back.pair.first + 1 && find_last_write(&back, at) &&
	       is_address(code, count, back.last_write, &back.pair, target_ret);
}

/* How many of the instructions are the function's; 0 if it goes on behind them. */
static size_t find_end(const struct wt_dwarf_instruction *code, size_t count, uint64_t low)
{
	uint64_t reach = low;

	for (size_t i = 0; i < count; i++) {
		if (code[i].has_target) {
			if (code[i].target < low)
				return 0;
			if (code[i].target > reach)
				reach = code[i].target;
		}
		if (wt_dwarf_ends(&code[i]) && code[i].address + code[i].size > reach)
			return i + 1;
	}
	return 0;
}

size_t wt_dwarf_whole_function(const struct wt_dwarf_machine *machine,
			       const struct wt_dwarf_object *object, uint64_t low,
			       const struct wt_dwarf_instruction **instructions_ret)
{
	for (uint64_t bytes = 256; bytes <= MAX_CALLED_BYTES; bytes *= 4) {
		size_t count, end;

		if (low > UINT64_MAX - bytes)
			return 0;
		count = machine->decode(machine->opaque, object, low, low + bytes,
					instructions_ret);
		end = find_end(*instructions_ret, count, low);
		if (end || !count ||
		    (*instructions_ret)[count - 1].address + (*instructions_ret)[count - 1].size <
			    low + bytes)
			return end;
	}
	return 0;
}

size_t wt_dwarf_function_code(const struct wt_dwarf_frame *frame, uint64_t to,
			      const struct wt_dwarf_instruction **instructions_ret)
{
	const struct wt_dwarf_machine *machine = frame->machine;
	size_t count;

	*instructions_ret = NULL;
	if (frame->low >= to)
		return 0;
	count = machine->decode(machine->opaque, frame->object, frame->low, to, instructions_ret);
	if (count &&
	    (*instructions_ret)[count - 1].address + (*instructions_ret)[count - 1].size >= to)
		return count;
	return 0;
}

/* s_mov_b32 s33, s32. */
static bool takes_stack(const struct wt_dwarf_instruction *instruction, uint32_t scalar)
{
	return wt_dwarf_computes(instruction, "s_mov") && instruction->code.dst == scalar &&
	       source_is(instruction, 0, (struct wt_dwarf_name){'s', 32});
}

const char *wt_dwarf_base_holds(const struct wt_dwarf_frame *frame, uint32_t scalar)
{
	const struct wt_dwarf_name name = {'s', scalar};
	const struct wt_dwarf_instruction *code;
	bool holds = scalar == 32;
	size_t count;

	if (frame->pc == frame->low)
		return holds ? NULL : WT_DWARF_UNKNOWN "the function has not made its frame yet";
	count = wt_dwarf_function_code(frame, frame->pc, &code);
	if (!count)
		return WT_DWARF_UNKNOWN
			"whether the function has its frame here needs its code, which cannot be "
			"decoded";
	for (size_t i = 0; i < count; i++) {
		if (wt_dwarf_ends(&code[i])) {
			/* The code behind an end is reached by a branch, with the frame made if it was made before. */
			for (size_t j = 0; j < i && !holds; j++)
				holds = takes_stack(&code[j], scalar);
			continue;
		}
		if (!wt_dwarf_writes(&code[i], name))
			continue;
		holds = scalar == 33 && takes_stack(&code[i], scalar);
	}
	return holds ? NULL
		     : WT_DWARF_UNKNOWN "the function has not made its frame yet, or has left it";
}

bool wt_dwarf_is_settled(const struct wt_dwarf_frame *frame, uint64_t number)
{
	const struct wt_dwarf_instruction *code;
	struct wt_dwarf_name name;
	size_t count;

	if (!wt_dwarf_name(number, &name))
		return false;
	count = wt_dwarf_function_code(frame, frame->high, &code);
	for (size_t i = 0; i < count; i++)
		if (code[i].address >= frame->lookup && wt_dwarf_writes(&code[i], name))
			return false;
	return count > 0;
}

bool wt_dwarf_may_loop(const struct wt_dwarf_frame *frame, uint64_t from)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);

	for (size_t i = 0; i < count; i++)
		if (code[i].has_target && code[i].address >= frame->lookup &&
		    code[i].target <= frame->lookup && code[i].target > from)
			return true;
	return !count;
}

static bool is_branch(const struct wt_dwarf_instruction *instruction)
{
	return instruction->kind == GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL ||
	       wt_dwarf_ends(instruction);
}

bool wt_dwarf_block(const struct wt_dwarf_frame *frame, uint64_t *from_ret, uint64_t *to_ret)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	uint64_t from = frame->low, to = frame->high;

	for (size_t i = 0; i < count; i++) {
		uint64_t end = code[i].address + code[i].size;

		if (code[i].has_target && code[i].target <= frame->lookup && code[i].target > from)
			from = code[i].target;
		if (code[i].has_target && code[i].target > frame->lookup && code[i].target < to)
			to = code[i].target;
		if (!is_branch(&code[i]))
			continue;
		if (end <= frame->lookup && end > from)
			from = end;
		if (end > frame->lookup && end < to)
			to = end;
	}
	*from_ret = from;
	*to_ret = to;
	return count > 0;
}

bool wt_dwarf_before(const struct wt_dwarf_frame *frame, uint64_t address, uint64_t *before_ret)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	size_t at = wt_dwarf_instruction_from(code, count, address);

	if (!count || !at || code[at - 1].address + code[at - 1].size != address)
		return false;
	*before_ret = code[at - 1].address;
	return true;
}

bool wt_dwarf_next_write(const struct wt_dwarf_frame *frame, uint64_t number, uint64_t from,
			 uint64_t to, uint64_t *address_ret)
{
	const struct wt_dwarf_instruction *code;
	struct wt_dwarf_name name;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);

	if (!wt_dwarf_name(number, &name))
		return false;
	for (size_t i = wt_dwarf_instruction_from(code, count, from);
	     i < count && code[i].address < to; i++)
		if (wt_dwarf_writes(&code[i], name)) {
			*address_ret = code[i].address;
			return true;
		}
	return false;
}

uint64_t wt_dwarf_last_write(const struct wt_dwarf_frame *frame, uint64_t number, uint64_t from,
			     uint64_t to)
{
	uint64_t at = from, last = UINT64_MAX;

	for (; wt_dwarf_next_write(frame, number, at, to, &at); at++)
		last = at;
	return last;
}
