/* SPDX-License-Identifier: MIT */
/* Operations on frames, and AMD's: address spaces, lanes, and places that differ from lane to lane. */
#include <dwarf.h>
#include <string.h>

#include "replayer/code/bytes.h"
#include "replayer/dwarf/cfi.h"
#include "replayer/dwarf/expression-stack.h"
#include "replayer/dwarf/unwind.h"

/* AMD's operations, as they follow DW_OP_LLVM_user, or stood alone before that was there. */
enum {
	USER_nop = 1,
	USER_form_aspace_address = WT_DWARF_USER_form_aspace_address,
	USER_push_lane,
	USER_offset,
	USER_offset_uconst,
	USER_bit_offset,
	USER_call_frame_entry_reg,
	USER_undefined,
	USER_aspace_bregx,
	USER_piece_end,
	USER_extend,
	USER_select_bit_piece,
};

#define BROKEN WT_DWARF_UNKNOWN "the debug information is broken"
#define NOT_KNOWN WT_DWARF_UNKNOWN "it is described by an operation that is not known here"

/* Pushes what a register held when the function was called. */
void wt_dwarf_entry_value(struct wt_dwarf_stack *stack)
{
	const struct wt_dwarf_context *context = stack->context;
	struct wt_dwarf_item item = {.origin = WT_DWARF_FROM_REGISTER, .certain = 32};
	uint64_t size = wt_dwarf_take_uleb(stack), number = 0;
	struct wt_cursor inner = stack->bytes;
	const uint8_t *code;
	uint32_t value, scalar;
	const char *why;

	wt_dwarf_skip(stack, size);
	if (stack->why)
		return;
	inner.remaining = (size_t)size;
	if (!wt_cursor_take(&inner, 1, &code) ||
	    (*code == DW_OP_regx ? !wt_dwarf_uleb(&inner, &number)
				 : *code < DW_OP_reg0 || *code > DW_OP_reg31) ||
	    inner.remaining) {
		wt_dwarf_fail(stack, WT_DWARF_UNKNOWN "only its value at the call is described");
		return;
	}
	if (*code != DW_OP_regx)
		number = *code - DW_OP_reg0;
	why = wt_dwarf_frame_entry(context->frame, number, context->lane, &value);
	if (why) {
		wt_dwarf_fail(stack, strncmp(why, "unknown", 7) ? why
								: WT_DWARF_UNKNOWN
					     "only its value at the call is described, "
					     "which was in a register that has changed");
		return;
	}
	item.is_scalar = wt_dwarf_is_scalar(number, &scalar);
	item.value = value;
	stack->location->used_entry = true;
	wt_dwarf_push(stack, &item);
}

/* The address of the function's frame. */
void wt_dwarf_push_frame(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_piece piece;
	const char *why = wt_dwarf_rules_frame(stack->context->frame, stack->context->lane, &piece);

	if (why)
		wt_dwarf_fail(stack, why);
	else
		wt_dwarf_push_place(stack, &piece);
}

/* A register as it was when the function was called: its value, of which nothing else is used. */
static void entry_register(struct wt_dwarf_stack *stack, uint64_t number)
{
	const struct wt_dwarf_context *context = stack->context;
	bool is_exec = number == WT_DWARF_EXEC_32 || number == WT_DWARF_EXEC_64;
	struct wt_dwarf_item item = {.origin = WT_DWARF_FROM_MEMORY, .certain = 32};
	uint32_t low = 0, high = 0;
	const char *why =
		wt_dwarf_frame_entry(context->frame, number, is_exec ? 0 : context->lane, &low);

	if (!why && number == WT_DWARF_EXEC_64) {
		why = wt_dwarf_frame_entry(context->frame, number, 1, &high);
		item.certain = 64;
	}
	if (why)
		wt_dwarf_fail(stack, why);
	item.value = low | (uint64_t)high << 32;
	wt_dwarf_push(stack, &item);
}

/* The same place for every lane. */
static void extend(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_item item;
	uint64_t bits = wt_dwarf_take_uleb(stack), count = wt_dwarf_take_uleb(stack);

	if (!bits || count <= stack->context->lane)
		wt_dwarf_fail(stack, BROKEN);
	wt_dwarf_pop_any_place(stack, &item);
	wt_dwarf_push(stack, &item);
}

/*
 * Takes the upper of two places for lanes whose bit of a mask is set, else the lower one: there, what stands at the
 * lane's part of it. Who reads a vector register or memory of lanes asks for that lane anyhow.
 */
static void select_by_mask(struct wt_dwarf_stack *stack)
{
	uint64_t bits = wt_dwarf_take_uleb(stack), count = wt_dwarf_take_uleb(stack);
	const struct wt_dwarf_context *context = stack->context;
	struct wt_dwarf_item mask = wt_dwarf_pop(stack);
	struct wt_dwarf_item item, other;
	struct wt_dwarf_piece chosen;
	uint64_t value = mask.value;

	if (mask.is_place && !stack->why) {
		uint8_t bytes[8] = {0};
		const char *why = wt_dwarf_item_read(stack, &mask, bytes, count <= 32 ? 4 : 8);

		if (why)
			wt_dwarf_fail(stack, why);
		value = 0;
		for (size_t i = 0; i < sizeof(bytes); i++)
			value |= (uint64_t)bytes[i] << 8 * i;
	}
	if (bits % 8 || !bits || count > 64 || context->lane >= count)
		wt_dwarf_fail(stack, BROKEN);
	wt_dwarf_pop_any_place(stack, &item);
	wt_dwarf_pop_any_place(stack, &other);
	if (stack->why)
		return;
	if (!(value >> context->lane & 1))
		item = other;
	if (item.part_count) {
		wt_dwarf_push_moved(stack, &item, context->lane * bits);
		return;
	}
	chosen = item.place;
	if (chosen.place == WT_DWARF_AT_MEMORY && chosen.space != GFX_SPACE_PRIVATE_LANE)
		chosen.address += context->lane * bits / 8;
	else if (chosen.whole)
		chosen.offset += context->lane * bits;
	wt_dwarf_push_place(stack, &chosen);
}

void wt_dwarf_operate_lanes(struct wt_dwarf_stack *stack, uint64_t code)
{
	struct wt_dwarf_item item, second;
	struct wt_dwarf_piece piece = {
		.place = WT_DWARF_AT_UNKNOWN, .bits = UINT64_MAX, .why = WT_DWARF_OPTIMIZED_OUT};
	uint64_t number;

	switch (code) {
	case USER_nop:
		return;
	case USER_form_aspace_address:
		item = wt_dwarf_pop(stack);
		second = wt_dwarf_pop(stack);
		if (item.is_place || second.is_place)
			wt_dwarf_fail(stack, BROKEN);
		wt_dwarf_push_memory(stack, item.value, second.value);
		return;
	case USER_push_lane:
		wt_dwarf_push_constant(stack, stack->context->lane);
		return;
	case USER_offset:
		item = wt_dwarf_pop(stack);
		wt_dwarf_move_place(stack, item.value, 0);
		return;
	case USER_offset_uconst:
		wt_dwarf_move_place(stack, wt_dwarf_take_uleb(stack), 0);
		return;
	case USER_bit_offset:
		item = wt_dwarf_pop(stack);
		wt_dwarf_move_place(stack, 0, item.value);
		return;
	case USER_undefined:
		wt_dwarf_push_place(stack, &piece);
		return;
	case USER_aspace_bregx:
		number = wt_dwarf_take_uleb(stack);
		item = wt_dwarf_pop(stack);
		wt_dwarf_push_register_value(stack, number, wt_dwarf_take_sleb(stack));
		second = wt_dwarf_pop(stack);
		if (item.is_place || second.is_place)
			wt_dwarf_fail(stack, BROKEN);
		wt_dwarf_push_memory(stack, item.value, second.value);
		return;
	case USER_call_frame_entry_reg:
		entry_register(stack, wt_dwarf_take_uleb(stack));
		return;
	case USER_extend:
		extend(stack);
		return;
	case USER_piece_end:
		wt_dwarf_end_pieces(stack);
		return;
	case USER_select_bit_piece:
		select_by_mask(stack);
		return;
	default:
		/* The end of its operands is not known either. */
		wt_dwarf_fail(stack, NOT_KNOWN);
		stack->stopped = true;
	}
}
