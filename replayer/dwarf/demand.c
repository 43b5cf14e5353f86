/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/demand.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/dwarf/code-effects.h"

#define MAX_DEPTH 16 /* of results whose use is looked for */

/* How an operation needs what it reads. */
enum use {
	IN_PART,  /* nobody knows which bits */
	ALL,	  /* all bits: it compares, counts with fractions, or finds memory by them */
	SAME,	  /* those that are needed of its result */
	UP_TO,	  /* those up to the highest that is needed of its result: it adds */
	MULTIPLY, /* the same, without those that a constant shifts out */
	PRODUCT,  /* of 24 bits, those */
	PRODUCT_SUM,
	UP_TO_16, /* it adds 16 bits */
	AND,
	OR,
	AND_OR,
	SHIFT_LEFT,
	SHIFT_RIGHT,
	SHIFT_RIGHT_SIGNED,
	LEFT_ADD, /* the first is shifted by the second, and the third added */
	ADD_LEFT, /* the sum of the first two is shifted by the third */
	LEFT_OR,
	EXTRACT, /* from the bit that the second names as many as the third says */
	EXTEND_8,
	EXTEND_16,
	ORDER, /* it tells which is less */
	STORE_8,
	STORE_16,
	STORE_HIGH, /* the upper 16 bits */
};

/*
 * The first that a mnemonic begins with holds. Compilers know which bits of an operand a constant beside it leaves out, so those are not
 * needed; where something else than a constant may be known to leave some out, none are counted.
 */
static const struct {
	const char *mnemonic;
	enum use use;
} uses[] = {
	{"global_store_byte_d16_hi", IN_PART},
	{"flat_store_byte_d16_hi", IN_PART},
	{"scratch_store_byte_d16_hi", IN_PART},
	{"buffer_store_byte_d16_hi", IN_PART},
	{"global_store_byte", STORE_8},
	{"global_store_b8", STORE_8},
	{"flat_store_byte", STORE_8},
	{"flat_store_b8", STORE_8},
	{"scratch_store_byte", STORE_8},
	{"scratch_store_b8", STORE_8},
	{"buffer_store_byte", STORE_8},
	{"buffer_store_b8", STORE_8},
	{"ds_write_b8", STORE_8},
	{"ds_store_b8", STORE_8},
	{"global_store_short_d16_hi", STORE_HIGH},
	{"flat_store_short_d16_hi", STORE_HIGH},
	{"scratch_store_short_d16_hi", STORE_HIGH},
	{"buffer_store_short_d16_hi", STORE_HIGH},
	{"global_store_short", STORE_16},
	{"global_store_b16", STORE_16},
	{"flat_store_short", STORE_16},
	{"flat_store_b16", STORE_16},
	{"scratch_store_short", STORE_16},
	{"scratch_store_b16", STORE_16},
	{"buffer_store_short", STORE_16},
	{"buffer_store_b16", STORE_16},
	{"ds_write_b16", STORE_16},
	{"ds_store_b16", STORE_16},
	{"global_store_dword", ALL},
	{"global_store_b", ALL},
	{"flat_store_dword", ALL},
	{"flat_store_b", ALL},
	{"scratch_store_dword", ALL},
	{"scratch_store_b", ALL},
	{"buffer_store_dword", ALL},
	{"buffer_store_b", ALL},
	{"ds_write_b", ALL},
	{"ds_write2", ALL},
	{"ds_store_b", ALL},
	{"ds_store_2addr", ALL},
	{"global_load_", ALL},
	{"flat_load_", ALL},
	{"scratch_load_", ALL},
	{"buffer_load_", ALL},
	{"ds_read", ALL},
	{"ds_load_", ALL},
	{"s_load_", ALL},
	{"s_setpc_", ALL},
	{"s_swappc_", ALL},
	{"v_cmp_eq_u32", ALL},
	{"v_cmp_ne_u32", ALL},
	{"v_cmp_eq_i32", ALL},
	{"v_cmp_ne_i32", ALL},
	{"v_cmp_eq_u64", ALL},
	{"v_cmp_ne_u64", ALL},
	{"v_cmp_lt_u32", ORDER},
	{"v_cmp_gt_u32", ORDER},
	{"v_cmp_le_u32", ORDER},
	{"v_cmp_ge_u32", ORDER},
	{"v_cmp_lt_i32", ORDER},
	{"v_cmp_gt_i32", ORDER},
	{"v_cmp_le_i32", ORDER},
	{"v_cmp_ge_i32", ORDER},
	{"v_cmp_lt_u64", ORDER},
	{"v_cmp_gt_u64", ORDER},
	{"v_cmp_lt_i64", ORDER},
	{"v_cmp_gt_i64", ORDER},
	{"s_cmp_eq_u", ALL},
	{"s_cmp_lg_u", ALL},
	{"s_cmp_eq_i", ALL},
	{"s_cmp_lg_i", ALL},
	{"s_cmp_", ORDER},
	{"v_cvt_f32_u32", ALL},
	{"v_cvt_f32_i32", ALL},
	{"v_cvt_f64_", ALL},
	{"v_cvt_i32_f", ALL},
	{"v_cvt_u32_f", ALL},
	{"v_add_f32", ALL},
	{"v_add_f64", ALL},
	{"v_sub_f32", ALL},
	{"v_subrev_f32", ALL},
	{"v_mul_f32", ALL},
	{"v_mul_f64", ALL},
	{"v_fma_f32", ALL},
	{"v_fma_f64", ALL},
	{"v_fmac_f32", ALL},
	{"v_fmac_f64", ALL},
	{"v_fmaak_f32", ALL},
	{"v_fmamk_f32", ALL},
	{"v_max_f32", ALL},
	{"v_max_f64", ALL},
	{"v_min_f32", ALL},
	{"v_min_f64", ALL},
	{"v_mul_hi_u32_u24", PRODUCT},
	{"v_mul_hi_i32_i24", PRODUCT},
	{"v_mul_hi_", ALL},
	{"s_mul_hi_", ALL},
	{"v_mul_u32_u24", PRODUCT},
	{"v_mul_i32_i24", PRODUCT},
	{"v_mad_u32_u24", PRODUCT_SUM},
	{"v_mad_i32_i24", PRODUCT_SUM},
	{"v_add_u16", UP_TO_16},
	{"v_sub_u16", UP_TO_16},
	{"v_subrev_u16", UP_TO_16},
	{"v_mul_lo_u16", UP_TO_16},
	{"v_xad_u32", UP_TO},
	{"v_cndmask_b32", SAME},
	{"v_mov_b32", SAME},
	{"v_mov_b64", SAME},
	{"v_xor_b32", SAME},
	{"v_readfirstlane", SAME},
	{"s_mov_b", SAME},
	{"s_xor_b", SAME},
	{"s_cselect_", SAME},
	{"v_add_u32", UP_TO},
	{"v_sub_u32", UP_TO},
	{"v_subrev_u32", UP_TO},
	{"v_add_nc_u32", UP_TO},
	{"v_sub_nc_u32", UP_TO},
	{"v_subrev_nc_u32", UP_TO},
	{"v_add_co_", UP_TO},
	{"v_sub_co_", UP_TO},
	{"v_subrev_co_", UP_TO},
	{"v_addc_co_", UP_TO},
	{"v_subb_co_", UP_TO},
	{"v_subbrev_co_", UP_TO},
	{"v_add3_u32", UP_TO},
	{"v_mad_u64_u32", UP_TO},
	{"s_add_u32", UP_TO},
	{"s_add_i32", UP_TO},
	{"s_addc_u32", UP_TO},
	{"s_sub_u32", UP_TO},
	{"s_sub_i32", UP_TO},
	{"s_subb_u32", UP_TO},
	{"v_mul_lo_u32", MULTIPLY},
	{"s_mul_i32", MULTIPLY},
	{"v_and_b32", AND},
	{"s_and_b", AND},
	{"v_or_b32", OR},
	{"s_or_b", OR},
	{"v_or3_b32", OR},
	{"v_and_or_b32", AND_OR},
	{"v_lshlrev_b", SHIFT_LEFT},
	{"v_lshrrev_b", SHIFT_RIGHT},
	{"v_ashrrev_i", SHIFT_RIGHT_SIGNED},
	{"s_lshl_b", SHIFT_LEFT},
	{"s_lshr_b", SHIFT_RIGHT},
	{"s_ashr_i", SHIFT_RIGHT_SIGNED},
	{"v_lshl_add_u", LEFT_ADD},
	{"v_add_lshl_u32", ADD_LEFT},
	{"v_lshl_or_b32", LEFT_OR},
	{"v_bfe_u32", EXTRACT},
	{"v_bfe_i32", EXTRACT},
	{"s_sext_i32_i8", EXTEND_8},
	{"s_sext_i32_i16", EXTEND_16},
};

/* Modifiers take parts of what is read. */
static enum use instruction_use(const struct wt_dwarf_instruction *code)
{
	if (!code->has_read || strstr(code->text, "_sel:") || strstr(code->text, "op_sel") ||
	    strstr(code->text, " clamp") || strstr(code->text, "_dpp"))
		return IN_PART;
	for (size_t i = 0; i < sizeof(uses) / sizeof(*uses); i++)
		if (wt_dwarf_is(code, uses[i].mnemonic))
			return uses[i].use;
	return IN_PART;
}

/* Does it keep a vector register in the frame? Also one whose lanes have nothing that is needed, to use it for something else. */
static bool is_kept(const struct wt_dwarf_instruction *code)
{
	bool buffer = wt_dwarf_is(code, "buffer_store_");
	unsigned int base = buffer ? 3 : 2;

	return (buffer || wt_dwarf_is(code, "scratch_store_")) &&
	       (wt_dwarf_operand_is(code, base, (struct wt_dwarf_name){'s', 33}) ||
		wt_dwarf_operand_is(code, base, (struct wt_dwarf_name){'s', 32}));
}

static bool range_includes(const struct wt_dwarf_range *range, struct wt_dwarf_name name)
{
	return range->kind == name.kind && range->first <= name.index && name.index <= range->last;
}

/* Writing one lane leaves the others, and is no use of them. */
static bool instruction_reads(const struct wt_dwarf_instruction *code, struct wt_dwarf_name name)
{
	if (name.kind == 'v' && (is_kept(code) || wt_dwarf_is(code, "v_writelane_b32")))
		return false;
	for (uint32_t i = 0; i < code->read_count; i++)
		if (range_includes(&code->read[i], name))
			return true;
	return !code->has_read;
}

struct search {
	const struct wt_dwarf_frame *frame;
	const struct wt_dwarf_instruction *code;
	size_t count;
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

	if (depth == MAX_DEPTH || !wt_dwarf_operand_range(code, 0, &range))
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
	return bits;
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

	if (!wt_dwarf_operand_literal(code, index, &number))
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
	static const char *const moves[] = {"s_mov", "v_mov"};
	static const char *const sets[] = {"s_or_", "v_or_", "v_or3", "v_and_or", "v_lshl_or"};

	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++)
		if (wt_dwarf_is(code, moves[i]))
			return true;
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets) && !is_number; i++)
		if (wt_dwarf_is(code, sets[i]))
			return true;
	return !code->has_written;
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
	bool scalar = wt_dwarf_is(code, "s_cmp_");
	/* s_cmp_lt_u32 s0, s1; v_cmp_lt_u32_e32 vcc, v0, v1. */
	unsigned int first = scalar ? 0 : 1, other = index == first ? first + 1 : first;
	const char *kind = strchr(code->text + strlen("s_cmp_"), '_');
	struct wt_dwarf_range range;
	uint64_t number;

	if (!kind)
		return 0;
	if (wt_dwarf_operand_range(code, other, &range))
		return may_be_set(search, at, &range, true) ? 0 : UINT64_MAX;
	if (!operand_immediate(code, other, &number))
		return 0;
	if (kind[1] == 'i')
		return number + 1 <= 1 ? 0 : UINT64_MAX;
	return number && ~number ? ~(bits_up_to((number & -number) | (~number & -~number)) >> 1)
				 : 0;
}

static uint64_t shift_needed(const struct wt_dwarf_instruction *code, enum use use,
			     unsigned int index, uint64_t needed)
{
	bool scalar = wt_dwarf_is(code, "s_");
	/* s_lshl_b32 s0, value, amount; v_lshlrev_b32_e32 v0, amount, value. */
	unsigned int value = scalar ? 1 : 2, amount = scalar ? 2 : 1;
	bool wide = strstr(code->text, "b64") || strstr(code->text, "i64");
	unsigned int bits = wide ? 64 : 32;
	uint64_t number;

	if (strstr(code->text, "b16") || strstr(code->text, "i16"))
		return 0;
	if (index == amount)
		return bits - 1;
	if (index != value)
		return 0;
	if (!operand_immediate(code, amount, &number))
		return use == SHIFT_LEFT || !needed ? bits_up_to(needed)
						    : UINT64_MAX << __builtin_ctzll(needed);
	number &= bits - 1;
	if (use == SHIFT_LEFT)
		return needed >> number;
	if (use == SHIFT_RIGHT_SIGNED && number && needed >> (bits - number))
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

	for (unsigned int i = 1; i < 4; i++) {
		if (i == index)
			continue;
		if (operand_immediate(code, i, &number))
			needed &= ~number;
		else if (wt_dwarf_operand_range(code, i, &range) &&
			 may_be_set(search, at, &range, false))
			return 0;
	}
	return needed;
}

static uint64_t extract_needed(const struct wt_dwarf_instruction *code, unsigned int index,
			       uint64_t needed)
{
	uint64_t from, width;

	if (index != 1 || !operand_immediate(code, 2, &from) ||
	    !operand_immediate(code, 3, &width) || from > 31 || !width || width > 31)
		return 0;
	if (wt_dwarf_is(code, "v_bfe_i32") && needed >> (width - 1))
		needed |= UINT64_C(1) << (width - 1);
	return (needed & ((UINT64_C(1) << width) - 1)) << from;
}

/* The bits of an operand that an instruction needs, of whose result some are needed. */
static uint64_t operand_needed(const struct search *search, size_t at, enum use use,
			       unsigned int index, uint64_t needed)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	uint64_t number;

	switch (use) {
	case SAME:
		/* The last of a choice is a mask. */
		return wt_dwarf_is(code, "v_cndmask") && index > 2 ? 0 : needed;
	case UP_TO:
		/* Both factors have 32 bits, and the sum 64. */
		if (wt_dwarf_is(code, "v_mad_u64") && index < 4 && needed >> 32)
			return UINT32_MAX;
		return bits_up_to(needed);
	case MULTIPLY:
		if (!operand_immediate(code, index == 1 ? 2 : 1, &number))
			return bits_up_to(needed);
		return number ? bits_up_to(needed) >> __builtin_ctzll(number) : 0;
	case PRODUCT:
		return needed ? 0xffffff : 0;
	case PRODUCT_SUM:
		return index == 3 ? bits_up_to(needed) : needed ? 0xffffff : 0;
	case UP_TO_16:
		return bits_up_to(needed & 0xffff);
	case AND:
		return operand_immediate(code, index == 1 ? 2 : 1, &number) ? needed & number : 0;
	case OR:
		return or_needed(search, at, index, needed);
	case AND_OR:
		if (index == 3)
			return needed;
		return operand_immediate(code, index == 1 ? 2 : 1, &number) ? needed & number : 0;
	case SHIFT_LEFT:
	case SHIFT_RIGHT:
	case SHIFT_RIGHT_SIGNED:
		return shift_needed(code, use, index, needed);
	case LEFT_ADD:
		if (!operand_immediate(code, 2, &number) || index == 2)
			return 0;
		return index == 3 ? bits_up_to(needed) : bits_up_to(needed) >> (number & 31);
	case ADD_LEFT:
		if (!operand_immediate(code, 3, &number) || index == 3)
			return 0;
		return bits_up_to(needed >> (number & 31));
	case LEFT_OR:
		if (!operand_immediate(code, 2, &number) || index == 2)
			return 0;
		return index == 3 ? needed : needed >> (number & 31);
	case EXTRACT:
		return extract_needed(code, index, needed);
	case EXTEND_8:
		return 0xff;
	case EXTEND_16:
		return 0xffff;
	case IN_PART:
	case ALL:
	case ORDER:
	case STORE_8:
	case STORE_16:
	case STORE_HIGH:
		break;
	}
	return 0;
}

static bool use_is_store(enum use use)
{
	return use == STORE_8 || use == STORE_16 || use == STORE_HIGH;
}

/* The bits of a register that one instruction needs which reads it. */
static uint32_t instruction_needed(const struct search *search, size_t at,
				   struct wt_dwarf_name name, unsigned int depth)
{
	const struct wt_dwarf_instruction *code = &search->code[at];
	enum use use = instruction_use(code);
	bool has_result = use != ORDER && !use_is_store(use);
	bool scalar_order = use == ORDER && wt_dwarf_is(code, "s_cmp_");
	unsigned int data = wt_dwarf_is(code, "buffer_") ? 0 : 1;
	uint64_t needed = 0, bits = 0;
	struct wt_dwarf_range range;

	if (use == IN_PART || use == ALL)
		return use == ALL ? UINT32_MAX : 0;
	if (has_result)
		needed = result_needed(search, at, depth);
	for (unsigned int i = has_result || (use == ORDER && !scalar_order) ? 1 : 0; i < 6; i++) {
		uint64_t own;

		if (!wt_dwarf_operand_range(code, i, &range) || !range_includes(&range, name))
			continue;
		if (use == ORDER)
			own = order_needed(search, at, i);
		else if (!use_is_store(use))
			own = operand_needed(search, at, use, i, needed);
		else if (i != data)
			own = UINT64_MAX;
		else
			own = use == STORE_8 ? 0xff : use == STORE_16 ? 0xffff : 0xffff0000;
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
	struct search called = {.frame = NULL};
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
			if (instruction_reads(code, name)) {
				demand.is_read = true;
				demand.bits |= instruction_needed(search, i, name, depth);
			}
			if (wt_dwarf_calls(code))
				demand.bits |= call_needed(search, i, name);
			demand.is_read |= demand.bits;
			if (demand.bits == UINT32_MAX)
				return demand;
			if (wt_dwarf_writes(code, name))
				break;
			if (code->has_target && !wt_dwarf_calls(code))
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
				       uint64_t from)
{
	struct wt_dwarf_demand none = {.is_read = false};
	wt_cleanup_free struct result *results = NULL;
	struct search search;
	struct wt_dwarf_name name;

	search.count = wt_dwarf_function_code(frame, frame->high, &search.code);
	if (!search.count || !wt_dwarf_name(number, &name))
		return none;
	results = calloc(2 * search.count, sizeof(*results));
	if (!results)
		return none;
	search.results = results;
	search.frame = frame;
	return demand_from(&search, name,
			   wt_dwarf_instruction_from(search.code, search.count, from), 0);
}
