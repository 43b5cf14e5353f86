/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/code-effects.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

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

bool wt_dwarf_is(const struct wt_dwarf_instruction *instruction, const char *mnemonic)
{
	return instruction->text && !strncmp(instruction->text, mnemonic, strlen(mnemonic));
}

bool wt_dwarf_operand(const struct wt_dwarf_instruction *instruction, unsigned int index,
		      const char **text_ret, size_t *length_ret)
{
	const char *text = instruction->text;
	size_t length;

	if (!text)
		return false;
	text += strcspn(text, " ");
	for (;; index--) {
		text += strspn(text, " ,");
		/* A range has no comma: v[2:3]. */
		length = strcspn(text, ",");
		if (!index)
			break;
		if (!text[length])
			return false;
		text += length;
	}
	/* Modifiers behind the last operand, as offset:4, stand behind a blank. */
	length = strcspn(text, ", ");
	*text_ret = text;
	*length_ret = length;
	return length > 0;
}

/* The registers that an operand names: "v3", "s[30:31]", "-v1" is none of them. */
static bool parse_range(const char *text, size_t length, struct wt_dwarf_range *range)
{
	char copy[32], rest;
	unsigned int first, last;

	if (length < 2 || length >= sizeof(copy) || !strchr("sva", text[0]))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (sscanf(copy + 1, "[%u:%u%c", &first, &last, &rest) == 3 && rest == ']')
		*range = (struct wt_dwarf_range){text[0], first, last};
	else if (isdigit((unsigned char)copy[1]) && sscanf(copy + 1, "%u%c", &first, &rest) == 1)
		*range = (struct wt_dwarf_range){text[0], first, first};
	else
		return false;
	return true;
}

bool wt_dwarf_operand_range(const struct wt_dwarf_instruction *instruction, unsigned int index,
			    struct wt_dwarf_range *range)
{
	const char *text;
	size_t length;

	return wt_dwarf_operand(instruction, index, &text, &length) &&
	       parse_range(text, length, range);
}

bool wt_dwarf_operand_literal(const struct wt_dwarf_instruction *instruction, unsigned int index,
			      uint32_t *number_ret)
{
	const char *text;
	size_t length;
	char *end;

	if (!wt_dwarf_operand(instruction, index, &text, &length))
		return false;
	*number_ret = (uint32_t)strtoul(text, &end, 0);
	return end == text + length;
}

bool wt_dwarf_operand_is(const struct wt_dwarf_instruction *instruction, unsigned int index,
			 struct wt_dwarf_name name)
{
	struct wt_dwarf_range range;

	return wt_dwarf_operand_range(instruction, index, &range) && range.kind == name.kind &&
	       range.first == name.index && range.last == name.index;
}

/* Operations whose first operand is read. */
static bool only_reads(const struct wt_dwarf_instruction *instruction)
{
	static const char *const starts[] = {"s_cmp",	  "s_bitcmp",  "s_store",  "s_buffer_store",
					     "s_setpc",	  "s_cbranch", "ds_write", "ds_store",
					     "s_waitcnt", "s_setreg",  "exp "};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (wt_dwarf_is(instruction, starts[i]))
			return true;
	return strstr(instruction->text, "_store_") != NULL;
}

/* Operations that write their second operand, too: a carry or a flag, and swaps. */
static bool writes_second(const struct wt_dwarf_instruction *instruction)
{
	static const char *const starts[] = {"v_swap", "v_div_scale", "v_mad_u64", "v_mad_i64"};
	const char *carry = strstr(instruction->text, "_co_");

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (wt_dwarf_is(instruction, starts[i]))
			return true;
	return wt_dwarf_is(instruction, "v_") && carry &&
	       carry < instruction->text + strcspn(instruction->text, " ");
}

size_t wt_dwarf_written(const struct wt_dwarf_instruction *instruction,
			struct wt_dwarf_range ranges[WT_DWARF_MAX_WRITTEN])
{
	const char *second;
	size_t count = 0;

	if (instruction->has_written) {
		for (; count < instruction->written_count; count++)
			ranges[count] = instruction->written[count];
		return count;
	}
	if (!instruction->text || only_reads(instruction))
		return 0;
	count += wt_dwarf_operand_range(instruction, 0, &ranges[count]);
	if (writes_second(instruction))
		count += wt_dwarf_operand_range(instruction, 1, &ranges[count]);
	second = strstr(instruction->text, " :: ");
	if (second) {
		const struct wt_dwarf_instruction other = {.text = second + 4};

		count += wt_dwarf_operand_range(&other, 0, &ranges[count]);
	}
	return count;
}

bool wt_dwarf_writes(const struct wt_dwarf_instruction *instruction, struct wt_dwarf_name name)
{
	struct wt_dwarf_range ranges[WT_DWARF_MAX_WRITTEN];
	size_t count = wt_dwarf_written(instruction, ranges);

	for (size_t i = 0; i < count; i++)
		if (ranges[i].kind == name.kind && ranges[i].first <= name.index &&
		    name.index <= ranges[i].last)
			return true;
	/* Nothing is known of an instruction that cannot be decoded. */
	return !instruction->text;
}

bool wt_dwarf_ends(const struct wt_dwarf_instruction *instruction)
{
	return wt_dwarf_is(instruction, "s_setpc_b64") || wt_dwarf_is(instruction, "s_endpgm") ||
	       wt_dwarf_is(instruction, "s_branch");
}

bool wt_dwarf_calls(const struct wt_dwarf_instruction *instruction)
{
	return wt_dwarf_is(instruction, "s_swappc_b64") || wt_dwarf_is(instruction, "s_call_b64");
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

bool wt_dwarf_is_branched_to(const struct wt_dwarf_instruction *code, size_t count,
			     uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (code[i].has_target && code[i].target == address && !wt_dwarf_calls(&code[i]))
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
			return wt_dwarf_is(one, "s_getpc_b64") &&
			       wt_dwarf_operand_range(one, 0, &written) &&
			       written.first == pair->first && written.last == pair->last;
		}
		if (!wt_dwarf_is(one, is_high ? "s_addc" : "s_add_") ||
		    !wt_dwarf_operand_is(one, 0, is_high ? high : low) ||
		    !wt_dwarf_operand_is(one, 1, is_high ? high : low) ||
		    !wt_dwarf_operand_literal(one, 2, &parts[is_high]))
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
			if (back->code[i].has_target && !wt_dwarf_calls(&back->code[i]) &&
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

	if (code[at].has_target) {
		*target_ret = code[at].target;
		return true;
	}
	return wt_dwarf_is(&code[at], "s_swappc_b64") &&
	       wt_dwarf_operand_range(&code[at], 1, &back.pair) && back.pair.kind == 's' &&
	       back.pair.last == back.pair.first + 1 && find_last_write(&back, at) &&
	       is_address(code, count, back.last_write, &back.pair, target_ret);
}

/* How many of the instructions are the function's; 0 if it goes on behind them. */
static size_t find_end(const struct wt_dwarf_instruction *code, size_t count, uint64_t low)
{
	uint64_t reach = low;

	for (size_t i = 0; i < count; i++) {
		if (code[i].has_target && !wt_dwarf_calls(&code[i])) {
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

	if (frame->low >= to)
		return 0;
	count = machine->decode(machine->opaque, frame->object, frame->low, to, instructions_ret);
	if (count &&
	    (*instructions_ret)[count - 1].address + (*instructions_ret)[count - 1].size >= to)
		return count;
	return 0;
}

const char *wt_dwarf_base_holds(const struct wt_dwarf_frame *frame, uint32_t scalar)
{
	const struct wt_dwarf_name name = {'s', scalar}, stack = {'s', 32};
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
				holds = wt_dwarf_is(&code[j], "s_mov_b32") &&
					wt_dwarf_operand_is(&code[j], 0, name) &&
					wt_dwarf_operand_is(&code[j], 1, stack);
			continue;
		}
		if (!wt_dwarf_writes(&code[i], name))
			continue;
		holds = scalar == 33 && wt_dwarf_is(&code[i], "s_mov_b32") &&
			wt_dwarf_operand_is(&code[i], 1, stack);
	}
	return holds ? NULL
		     : WT_DWARF_UNKNOWN "the function has not made its frame yet, or has left it";
}

/* Bytes that a store writes, by the end of its name; 0 if it is none, or not known. */
static uint64_t stored_size(const struct wt_dwarf_instruction *instruction)
{
	static const struct {
		const char *name;
		uint64_t size;
	} names[] = {{"byte", 1},     {"b8", 1},   {"short", 2},    {"b16", 2},
		     {"dword", 4},    {"b32", 4},  {"dwordx2", 8},  {"b64", 8},
		     {"dwordx3", 12}, {"b96", 12}, {"dwordx4", 16}, {"b128", 16}};
	const char *name = strstr(instruction->text, "_store_");
	size_t length;

	if (!name)
		return 0;
	name += strlen("_store_");
	length = strcspn(name, " ");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i].name) == length && !strncmp(name, names[i].name, length))
			return names[i].size;
	return 0;
}

/*
 * scratch_store_dword off, v3, s33 offset:8 and buffer_store_dword v3, off, s[0:3], s33 offset:8, or the loads; of a kernel also
 * without a base, which is "off" or 0.
 */
static bool names_place(const struct wt_dwarf_frame *frame,
			const struct wt_dwarf_instruction *instruction, bool *from_frame_ret,
			uint64_t *offset_ret)
{
	const struct wt_dwarf_name base = {'s', 33};
	bool buffer = wt_dwarf_is(instruction, "buffer_");
	bool load = strstr(instruction->text, "_load_");
	unsigned int at = buffer ? 3 : 2;
	const char *text, *offset = strstr(instruction->text, " offset:");
	size_t length;
	uint32_t zero;

	if ((!buffer && !wt_dwarf_is(instruction, "scratch_")) ||
	    strstr(instruction->text, " offen") || strstr(instruction->text, " idxen") ||
	    !wt_dwarf_operand(instruction, buffer || load ? 1 : 0, &text, &length) || length != 3 ||
	    strncmp(text, "off", 3))
		return false;
	*from_frame_ret = wt_dwarf_operand_is(instruction, at, base);
	if (!*from_frame_ret &&
	    (!frame->is_kernel || !wt_dwarf_operand(instruction, at, &text, &length) ||
	     ((length != 3 || strncmp(text, "off", 3)) &&
	      (!wt_dwarf_operand_literal(instruction, at, &zero) || zero))))
		return false;
	*offset_ret = offset ? strtoull(offset + strlen(" offset:"), NULL, 0) : 0;
	return true;
}

/*
 * Does an instruction leave lanes out of what follows? Around what is kept in the frame others are put in, and then it is as before:
 * @saved says whether that is so now.
 */
static bool takes_lanes(const struct wt_dwarf_instruction *instruction, bool *saved)
{
	const char *text;
	uint32_t value;
	size_t length;

	if (strstr(instruction->text, "_saveexec_")) {
		*saved = wt_dwarf_operand_literal(instruction, 1, &value) && value == UINT32_MAX;
		return !*saved;
	}
	if (wt_dwarf_is(instruction, "v_cmpx"))
		return true;
	if (!wt_dwarf_operand(instruction, 0, &text, &length) || length < 4 ||
	    strncmp(text, "exec", 4) != 0)
		return false;
	if (!*saved || !wt_dwarf_is(instruction, "s_mov_"))
		return true;
	/* All lanes, or those of before. */
	*saved = wt_dwarf_operand_literal(instruction, 1, &value) && value == UINT32_MAX;
	return false;
}

/* The byte of private memory at which the frame begins, if the register that says so has it. */
struct frame_start {
	bool known;
	uint64_t byte;
};

static struct frame_start frame_find_start(const struct wt_dwarf_frame *frame)
{
	struct frame_start start = {.known = false};
	uint32_t value;

	start.known = frame->machine->has_scratch_shift && !wt_dwarf_base_holds(frame, 33) &&
		      !wt_dwarf_frame_register(frame, wt_dwarf_scalar(33), 0, &value);
	if (start.known)
		start.byte = value >> frame->machine->scratch_shift;
	return start;
}

size_t wt_dwarf_stored_bytes(const struct wt_dwarf_frame *frame, size_t max,
			     struct wt_dwarf_bytes *bytes)
{
	const struct wt_dwarf_instruction *code;
	size_t found = 0, count;
	uint64_t skipped = 0, offset;
	bool saved = false, from_frame;
	const struct frame_start start = frame_find_start(frame);

	count = wt_dwarf_function_code(frame, frame->pc, &code);
	for (size_t i = 0; i < count && code[i].address < frame->lookup && found < max; i++) {
		if (!code[i].text || takes_lanes(&code[i], &saved))
			break;
		if (code[i].has_target && !wt_dwarf_calls(&code[i]) && code[i].target > skipped)
			skipped = code[i].target;
		/* A jump back may come from behind the pc: what is in front of it was executed all the same. */
		if (saved || code[i].address < skipped || !stored_size(&code[i]) ||
		    !names_place(frame, &code[i], &from_frame, &offset) ||
		    (from_frame && !start.known))
			continue;
		offset += from_frame ? start.byte : 0;
		bytes[found++] = (struct wt_dwarf_bytes){offset, offset + stored_size(&code[i])};
	}
	return found;
}

/* Can an access of private memory reach a range? Also one that finds its address in a register. */
static bool access_reaches_frame(const struct wt_dwarf_frame *frame,
				 const struct wt_dwarf_instruction *code,
				 const struct frame_start *start,
				 const struct wt_dwarf_bytes *range)
{
	uint64_t offset;
	bool from_frame;

	if (!names_place(frame, code, &from_frame, &offset) || (from_frame && !start->known))
		return true;
	offset += from_frame ? start->byte : 0;
	return offset < range->to && range->from < offset + 16;
}

/* Can it load private memory of a range? Also one of any memory. */
static bool loads_range(const struct wt_dwarf_frame *frame, const struct wt_dwarf_instruction *code,
			const struct frame_start *start, const struct wt_dwarf_bytes *range)
{
	if (wt_dwarf_is(code, "flat_load_") || wt_dwarf_is(code, "flat_atomic_"))
		return true;
	return (wt_dwarf_is(code, "scratch_load_") || wt_dwarf_is(code, "buffer_load_")) &&
	       access_reaches_frame(frame, code, start, range);
}

/* Does it make an address of private memory, which may be passed to others? */
static bool makes_address(const struct wt_dwarf_instruction *code)
{
	const char *registers = strchr(code->text, ',');

	return strstr(code->text, "src_private_base") ||
	       (registers && wt_dwarf_is(code, "v_") && strstr(registers, " s33"));
}

bool wt_dwarf_may_load(const struct wt_dwarf_frame *frame, const struct wt_dwarf_bytes *range)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	wt_cleanup_free bool *seen = calloc(count + 1, sizeof(*seen));
	wt_cleanup_free size_t *left = calloc(count + 1, sizeof(*left));
	const struct frame_start start = frame_find_start(frame);
	size_t waiting = 0;
	bool calls = false, makes = false;

	if (!count || !seen || !left)
		return false;
	left[waiting++] = wt_dwarf_instruction_from(code, count, frame->pc);
	while (waiting) {
		for (size_t i = left[--waiting]; i < count && !seen[i] && code[i].text; i++) {
			size_t target = count;

			seen[i] = true;
			if (loads_range(frame, &code[i], &start, range))
				return true;
			calls |= wt_dwarf_calls(&code[i]);
			makes |= makes_address(&code[i]);
			if (code[i].has_target && !wt_dwarf_calls(&code[i]))
				target = wt_dwarf_instruction_from(code, count, code[i].target);
			if (target < count && !seen[target])
				left[waiting++] = target;
			if (wt_dwarf_ends(&code[i]))
				break;
		}
	}
	return calls && makes;
}

static bool stores_range(const struct wt_dwarf_frame *frame,
			 const struct wt_dwarf_instruction *code, const struct frame_start *start,
			 const struct wt_dwarf_bytes *range)
{
	return (wt_dwarf_is(code, "scratch_store_") || wt_dwarf_is(code, "buffer_store_")) &&
	       access_reaches_frame(frame, code, start, range);
}

bool wt_dwarf_next_store(const struct wt_dwarf_frame *frame, const struct wt_dwarf_bytes *range,
			 uint64_t from, uint64_t *address_ret)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	const struct frame_start start = frame_find_start(frame);

	for (size_t i = wt_dwarf_instruction_from(code, count, from); i < count && code[i].text;
	     i++)
		if (stores_range(frame, &code[i], &start, range)) {
			*address_ret = code[i].address;
			return true;
		}
	return false;
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
	return instruction->has_target || wt_dwarf_ends(instruction) ||
	       wt_dwarf_is(instruction, "s_cbranch");
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
		if (!is_branch(&code[i]) || wt_dwarf_calls(&code[i]))
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

	if (!at || code[at - 1].address + code[at - 1].size != address)
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
