/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/expression-stack.h"

#include <dwarf.h>

#include "replayer/code/bytes.h"

#define BROKEN WT_DWARF_UNKNOWN "the debug information is broken"
#define AMBIGUOUS                                                                                  \
	WT_DWARF_UNKNOWN "what the compiler describes depends on a sign that it does not tell"

void wt_dwarf_fail(struct wt_dwarf_stack *stack, const char *why)
{
	if (!stack->why)
		stack->why = why;
}

struct wt_dwarf_item wt_dwarf_pop(struct wt_dwarf_stack *stack)
{
	if (stack->count)
		return stack->items[--stack->count];
	wt_dwarf_fail(stack, BROKEN);
	return (struct wt_dwarf_item){0};
}

void wt_dwarf_push(struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item)
{
	if (stack->count < WT_DWARF_MAX_STACK)
		stack->items[stack->count++] = *item;
	else
		wt_dwarf_fail(stack, BROKEN);
}

void wt_dwarf_push_constant(struct wt_dwarf_stack *stack, uint64_t value)
{
	const struct wt_dwarf_item item = {.value = value, .certain = 64};

	wt_dwarf_push(stack, &item);
}

static uint64_t stack_operand_taken(struct wt_dwarf_stack *stack, bool is_there, uint64_t value)
{
	if (is_there)
		return value;
	wt_dwarf_fail(stack, BROKEN);
	stack->stopped = true;
	return 0;
}

uint64_t wt_dwarf_take_uleb(struct wt_dwarf_stack *stack)
{
	uint64_t value = 0;
	bool is_there = wt_dwarf_uleb(&stack->bytes, &value);

	return stack_operand_taken(stack, is_there, value);
}

uint64_t wt_dwarf_take_sleb(struct wt_dwarf_stack *stack)
{
	uint64_t value = 0;
	bool is_there = wt_dwarf_sleb(&stack->bytes, &value);

	return stack_operand_taken(stack, is_there, value);
}

uint64_t wt_dwarf_take_fixed(struct wt_dwarf_stack *stack, size_t size, bool is_signed)
{
	uint64_t value = 0;
	bool is_there = is_signed ? wt_dwarf_fixed_signed(&stack->bytes, size, &value)
				  : wt_dwarf_fixed(&stack->bytes, size, &value);

	return stack_operand_taken(stack, is_there, value);
}

void wt_dwarf_skip(struct wt_dwarf_stack *stack, uint64_t size)
{
	const uint8_t *data;

	stack_operand_taken(stack,
			    size <= stack->bytes.remaining &&
				    wt_cursor_take(&stack->bytes, (size_t)size, &data),
			    0);
}

void wt_dwarf_push_address(struct wt_dwarf_stack *stack, unsigned int code)
{
	struct wt_dwarf_item item = {.origin = WT_DWARF_FROM_ADDRESS, .certain = 64};

	if (code == DW_OP_addr)
		item.value = wt_dwarf_take_fixed(stack, stack->context->unit->address_size, false);
	else if (!wt_dwarf_unit_address(stack->context->unit, wt_dwarf_take_uleb(stack),
					&item.value))
		wt_dwarf_fail(stack, BROKEN);
	wt_dwarf_push(stack, &item);
}

/* ---- Values ---- */

/* Bring a value of a type into its range. */
static void wrap(struct wt_dwarf_item *item)
{
	if (!item->bits || item->bits >= 64)
		return;
	item->value &= (UINT64_C(1) << item->bits) - 1;
	if (item->is_signed && item->value >> (item->bits - 1))
		item->value |= UINT64_MAX << item->bits;
}

/* The value of two items that are added, and so on: of the type that one of them has. */
static struct wt_dwarf_item items_join(const struct wt_dwarf_item *a, const struct wt_dwarf_item *b)
{
	struct wt_dwarf_item result = a->bits ? *a : *b;

	result.is_scalar = a->is_scalar || b->is_scalar;
	result.origin = a->origin == WT_DWARF_FROM_CONSTANT ? b->origin : a->origin;
	/* An address and what is added to it. */
	if (b->origin == WT_DWARF_FROM_FRAME || b->origin == WT_DWARF_FROM_ADDRESS)
		result.origin = b->origin;
	result.certain = a->certain < b->certain ? a->certain : b->certain;
	return result;
}

/*
 * Has a value no bits but those that are certain, and no sign? Compilers read four bytes of a register as a number without sign,
 * and shift, divide and compare as if it had been one, whatever it was.
 */
static bool item_is_plain(const struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item,
			  bool typed)
{
	unsigned int certain = item->certain;

	if (typed && item->bits)
		return true;
	if (item->origin != WT_DWARF_FROM_CONSTANT && stack->context->object_bits &&
	    stack->context->object_bits < certain)
		certain = (unsigned int)stack->context->object_bits;
	if (item->bits && item->bits < certain)
		certain = item->bits;
	return certain && item->value < UINT64_C(1) << (certain - 1);
}

static uint64_t shift_right(const struct wt_dwarf_item *a, uint64_t count, bool arithmetic)
{
	unsigned int bits = a->bits ? a->bits : 64;
	uint64_t value = a->value;

	if (!arithmetic && bits < 64)
		value &= (UINT64_C(1) << bits) - 1;
	if (count >= bits)
		return arithmetic && value >> 63 ? UINT64_MAX : 0;
	value >>= count;
	if (arithmetic && count && a->value >> 63)
		value |= UINT64_MAX << (64 - count);
	return value;
}

/* Comparisons, divisions and shifts to the right of plain numbers. */
static void operate_plain(struct wt_dwarf_stack *stack, unsigned int code,
			  const struct wt_dwarf_item *a, const struct wt_dwarf_item *b)
{
	bool shifts = code == DW_OP_shr || code == DW_OP_shra;
	struct wt_dwarf_item result = items_join(a, b);

	if (!item_is_plain(stack, a, shifts) || !item_is_plain(stack, b, false)) {
		wt_dwarf_fail(stack, AMBIGUOUS);
		return;
	}
	switch (code) {
	case DW_OP_shr:
	case DW_OP_shra:
		result = *a;
		result.value = shift_right(a, b->value, code == DW_OP_shra);
		break;
	case DW_OP_div:
	case DW_OP_mod:
		if (!b->value)
			wt_dwarf_fail(stack,
				      WT_DWARF_UNKNOWN "it is described by a division by zero");
		else
			result.value =
				code == DW_OP_div ? a->value / b->value : a->value % b->value;
		break;
	case DW_OP_lt:
		result.value = a->value < b->value;
		break;
	case DW_OP_le:
		result.value = a->value <= b->value;
		break;
	case DW_OP_gt:
		result.value = a->value > b->value;
		break;
	default:
		result.value = a->value >= b->value;
	}
	result.certain =
		result.certain < 64 && result.value < UINT64_C(1) << 31 ? 64 : result.certain;
	wrap(&result);
	wt_dwarf_push(stack, &result);
}

/* Are two numbers the same, as far as both are certain? */
static uint64_t equal(const struct wt_dwarf_item *a, const struct wt_dwarf_item *b,
		      unsigned int certain)
{
	uint64_t difference = a->value ^ b->value;

	if (certain < 64)
		difference &= (UINT64_C(1) << certain) - 1;
	return !difference;
}

static bool operate_two(struct wt_dwarf_stack *stack, unsigned int code)
{
	struct wt_dwarf_item b = wt_dwarf_pop(stack), a = wt_dwarf_pop(stack),
			     result = items_join(&a, &b);

	if (a.is_place || b.is_place) {
		wt_dwarf_fail(stack, WT_DWARF_UNKNOWN "it is described by an operation on a place");
		return true;
	}
	switch (code) {
	case DW_OP_plus:
		result.value = a.value + b.value;
		break;
	case DW_OP_minus:
		result.value = a.value - b.value;
		break;
	case DW_OP_mul:
		result.value = a.value * b.value;
		break;
	case DW_OP_and:
		result.value = a.value & b.value;
		/* A mask leaves only what is certain. */
		if ((a.certain == 64 && a.certain > b.certain && !(a.value >> b.certain)) ||
		    (b.certain == 64 && b.certain > a.certain && !(b.value >> a.certain)))
			result.certain = 64;
		break;
	case DW_OP_or:
		result.value = a.value | b.value;
		break;
	case DW_OP_xor:
		result.value = a.value ^ b.value;
		break;
	case DW_OP_shl:
		result = a;
		result.value = b.value < 64 ? a.value << b.value : 0;
		break;
	case DW_OP_eq:
	case DW_OP_ne:
		/* Two that were read in different widths cannot be compared. */
		if (result.certain < 32)
			wt_dwarf_fail(stack, AMBIGUOUS);
		result.value = equal(&a, &b, result.certain) == (code == DW_OP_eq);
		result.certain = 64;
		result.bits = 0;
		break;
	default:
		operate_plain(stack, code, &a, &b);
		return true;
	}
	wrap(&result);
	wt_dwarf_push(stack, &result);
	return true;
}

static void operate_one(struct wt_dwarf_stack *stack, unsigned int code)
{
	struct wt_dwarf_item item = wt_dwarf_pop(stack);

	if (item.is_place)
		wt_dwarf_fail(stack, WT_DWARF_UNKNOWN "it is described by an operation on a place");
	switch (code) {
	case DW_OP_neg:
		item.value = -item.value;
		break;
	case DW_OP_not:
		item.value = ~item.value;
		break;
	case DW_OP_plus_uconst:
		item.value += wt_dwarf_take_uleb(stack);
		break;
	default: /* DW_OP_abs */
		if (!item_is_plain(stack, &item, false))
			wt_dwarf_fail(stack, AMBIGUOUS);
	}
	wrap(&item);
	wt_dwarf_push(stack, &item);
}

/* ---- Types ---- */

struct base {
	unsigned int bits;
	bool is_signed, is_number;
};

static bool find_base(const struct wt_dwarf_stack *stack, uint64_t offset, struct base *base_ret)
{
	Dwarf_Die *unit = &stack->context->unit->die, die;
	uint64_t start = dwarf_dieoffset(unit) - dwarf_cuoffset(unit);
	Dwarf_Attribute attribute;
	Dwarf_Word encoding, size;

	if (!offset) {
		*base_ret = (struct base){0, false, true};
		return true;
	}
	if (offset > UINT64_MAX - start ||
	    !dwarf_offdie(stack->context->unit->object->dwarf, start + offset, &die) ||
	    dwarf_tag(&die) != DW_TAG_base_type ||
	    dwarf_formudata(dwarf_attr(&die, DW_AT_encoding, &attribute), &encoding))
		return false;
	if (!dwarf_formudata(dwarf_attr(&die, DW_AT_bit_size, &attribute), &size))
		base_ret->bits = size <= 64 ? (unsigned int)size : 0;
	else if (!dwarf_formudata(dwarf_attr(&die, DW_AT_byte_size, &attribute), &size))
		base_ret->bits = size <= 8 ? (unsigned int)size * 8 : 0;
	else
		return false;
	base_ret->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	base_ret->is_number = encoding != DW_ATE_float && encoding != DW_ATE_complex_float;
	return base_ret->bits > 0;
}

/* LLVM writes a type of one bit as one of a byte whose name says so. */
static void item_convert(struct wt_dwarf_stack *stack, bool keeps_bits)
{
	uint64_t offset = wt_dwarf_take_uleb(stack);
	struct wt_dwarf_item item = wt_dwarf_pop(stack);
	struct base base = {0};

	if (item.is_place || !find_base(stack, offset, &base)) {
		wt_dwarf_fail(stack, BROKEN);
	} else if (!base.is_number) {
		wt_dwarf_fail(stack,
			      WT_DWARF_UNKNOWN "it is described by a floating point operation");
	} else if (base.bits && base.bits < 32 && base.bits <= 8 && item.is_scalar &&
		   item.certain < 64 && !keeps_bits) {
		/* One bit of a scalar register: is it one for all lanes, or that of lane 0? */
		wt_dwarf_fail(stack,
			      WT_DWARF_UNKNOWN "it may be a mask of lanes in a scalar register");
	}
	item.bits = base.bits;
	item.is_signed = base.is_signed;
	if (base.bits && item.certain >= base.bits)
		item.certain = 64;
	wrap(&item);
	wt_dwarf_push(stack, &item);
}

/* ---- The stack itself ---- */

static void pick(struct wt_dwarf_stack *stack, uint64_t depth)
{
	struct wt_dwarf_item item;

	if (depth >= stack->count) {
		wt_dwarf_fail(stack, BROKEN);
		return;
	}
	item = stack->items[stack->count - 1 - depth];
	wt_dwarf_push(stack, &item);
}

/* Bring the top below @depth others. */
static void bury(struct wt_dwarf_stack *stack, size_t depth)
{
	struct wt_dwarf_item top;

	if (depth >= stack->count) {
		wt_dwarf_fail(stack, BROKEN);
		return;
	}
	top = stack->items[stack->count - 1];
	for (size_t i = 0; i < depth; i++)
		stack->items[stack->count - 1 - i] = stack->items[stack->count - 2 - i];
	stack->items[stack->count - 1 - depth] = top;
}

static void jump(struct wt_dwarf_stack *stack, bool conditional)
{
	uint64_t offset = wt_dwarf_take_fixed(stack, 2, true);
	struct wt_dwarf_item item = {.value = 1};
	size_t target = stack->whole.remaining - stack->bytes.remaining;

	if (conditional)
		item = wt_dwarf_pop(stack);
	/* Past a value that is not known, it is not known either where to go on. */
	if (stack->why || item.is_place) {
		wt_dwarf_fail(stack, BROKEN);
		stack->stopped = true;
		return;
	}
	if (!item.value)
		return;
	/* Numbers wrap around, pointers may not: one before the first byte is far past the last. */
	target += offset;
	if (target > stack->whole.remaining) {
		wt_dwarf_fail(stack, BROKEN);
		stack->stopped = true;
		return;
	}
	stack->bytes = wt_cursor_init(stack->whole.data + target, stack->whole.remaining - target);
}

static bool operate_stack(struct wt_dwarf_stack *stack, unsigned int code)
{
	switch (code) {
	case DW_OP_nop:
		return true;
	case DW_OP_dup:
		pick(stack, 0);
		return true;
	case DW_OP_over:
		pick(stack, 1);
		return true;
	case DW_OP_pick:
		pick(stack, wt_dwarf_take_fixed(stack, 1, false));
		return true;
	case DW_OP_drop:
		wt_dwarf_pop(stack);
		return true;
	case DW_OP_swap:
		bury(stack, 1);
		return true;
	case DW_OP_rot:
		bury(stack, 2);
		return true;
	case DW_OP_skip:
		jump(stack, false);
		return true;
	case DW_OP_bra:
		jump(stack, true);
		return true;
	default:
		return false;
	}
}

static bool operate_constant(struct wt_dwarf_stack *stack, unsigned int code)
{
	if (code >= DW_OP_lit0 && code <= DW_OP_lit31) {
		wt_dwarf_push_constant(stack, code - DW_OP_lit0);
		return true;
	}
	if (code >= DW_OP_const1u && code <= DW_OP_const8s) {
		/* 1u, 1s, 2u, 2s and so on. */
		unsigned int index = code - DW_OP_const1u;

		wt_dwarf_push_constant(
			stack, wt_dwarf_take_fixed(stack, (size_t)1 << index / 2, index & 1));
		return true;
	}
	if (code != DW_OP_constu && code != DW_OP_consts)
		return false;
	wt_dwarf_push_constant(stack, code == DW_OP_constu ? wt_dwarf_take_uleb(stack)
							   : wt_dwarf_take_sleb(stack));
	return true;
}

bool wt_dwarf_operate(struct wt_dwarf_stack *stack, unsigned int code)
{
	if (operate_constant(stack, code) || operate_stack(stack, code))
		return true;
	switch (code) {
	case DW_OP_and:
	case DW_OP_div:
	case DW_OP_minus:
	case DW_OP_mod:
	case DW_OP_mul:
	case DW_OP_or:
	case DW_OP_plus:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
	case DW_OP_xor:
	case DW_OP_eq:
	case DW_OP_ge:
	case DW_OP_gt:
	case DW_OP_le:
	case DW_OP_lt:
	case DW_OP_ne:
		return operate_two(stack, code);
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		operate_one(stack, code);
		return true;
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		item_convert(stack, code == DW_OP_reinterpret || code == DW_OP_GNU_reinterpret);
		return true;
	default:
		return false;
	}
}
