/* SPDX-License-Identifier: MIT */
/*
 * Places that are put together of others. While parts are added, they are in the location that is evaluated, above what is on
 * the stack; DW_OP_LLVM_piece_end makes them one item of the stack, with which it goes on.
 */
#include <string.h>

#include "replayer/dwarf/expression-stack.h"
#include "replayer/dwarf/value.h"

#define BROKEN WT_DWARF_UNKNOWN "the debug information is broken"
#define PART_ONLY WT_DWARF_UNKNOWN "the compiler describes only a part of it"
#define INSIDE_POINTER WT_DWARF_UNKNOWN "it is a part of a pointer that was removed"

/* Parts that are written one behind the other. */
struct parts {
	struct wt_dwarf_piece *pieces;
	size_t *count;
	bool full;
};

static void parts_append(struct parts *parts, const struct wt_dwarf_piece *piece)
{
	if (*parts->count < WT_DWARF_MAX_PIECES)
		parts->pieces[(*parts->count)++] = *piece;
	else
		parts->full = true;
}

/* @bits of a composite place from @from on, both in bits; UINT64_MAX: all that are left. */
static void append_range(struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item,
			 uint64_t from, uint64_t bits, struct parts *parts)
{
	const struct wt_dwarf_piece missing = {
		.place = WT_DWARF_AT_UNKNOWN, .bits = bits, .why = PART_ONLY};

	for (size_t i = 0; i < item->part_count && bits; i++) {
		struct wt_dwarf_piece piece = stack->parts[item->first_part + i];

		if (from >= piece.bits) {
			from -= piece.bits;
			continue;
		}
		if (from && piece.place == WT_DWARF_AT_POINTER)
			piece = (struct wt_dwarf_piece){.place = WT_DWARF_AT_UNKNOWN,
							.bits = piece.bits,
							.why = INSIDE_POINTER};
		piece.offset += from;
		if (piece.bits != UINT64_MAX)
			piece.bits -= from;
		if (piece.bits > bits)
			piece.bits = bits;
		if (bits != UINT64_MAX)
			bits -= piece.bits;
		from = 0;
		parts_append(parts, &piece);
	}
	if (bits && bits != UINT64_MAX) {
		struct wt_dwarf_piece rest = missing;

		rest.bits = bits;
		parts_append(parts, &rest);
	}
}

/*
 * Makes the next part of what stands above the parts so far, or of anything at first; if nothing stands there, the part
 * is nowhere.
 */
static void take_part(struct wt_dwarf_stack *stack, size_t below, uint64_t bits, uint64_t offset,
		      struct parts *parts)
{
	struct wt_dwarf_piece piece = {.place = WT_DWARF_AT_UNKNOWN, .why = WT_DWARF_OPTIMIZED_OUT};

	if (!stack->why && stack->count > below && stack->items[stack->count - 1].part_count) {
		const struct wt_dwarf_item item = wt_dwarf_pop(stack);

		append_range(stack, &item, offset, bits, parts);
		return;
	}
	if (!stack->why && stack->count > below)
		wt_dwarf_pop_place(stack, &piece);
	if (stack->why) {
		/* This part is not known; the others may be. */
		piece = (struct wt_dwarf_piece){.place = WT_DWARF_AT_UNKNOWN, .why = stack->why};
		stack->why = NULL;
		if (stack->count > below)
			stack->count = below;
	}
	piece.bits = bits;
	piece.offset += offset;
	parts_append(parts, &piece);
}

void wt_dwarf_add_piece(struct wt_dwarf_stack *stack, uint64_t bits, uint64_t offset)
{
	struct wt_dwarf_location *location = stack->location;
	struct parts parts = {location->pieces, &location->count, false};
	bool is_first = !location->count;

	take_part(stack, is_first ? 0 : stack->below, bits, offset, &parts);
	if (is_first)
		stack->below = stack->count;
	if (parts.full)
		wt_dwarf_fail(stack, BROKEN);
}

/* Keep parts for an item that is pushed. */
static void push_parts(struct wt_dwarf_stack *stack, size_t first)
{
	const struct wt_dwarf_item item = {
		.is_place = true, .first_part = first, .part_count = stack->part_count - first};

	if (!item.part_count)
		wt_dwarf_fail(stack, BROKEN);
	wt_dwarf_push(stack, &item);
}

void wt_dwarf_end_pieces(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_location *location = stack->location;
	struct parts parts = {stack->parts, &stack->part_count, false};
	size_t first = stack->part_count, count = location->count;

	/* There must be parts, and nothing above them. */
	if (!count || stack->count != stack->below)
		wt_dwarf_fail(stack, BROKEN);
	for (size_t i = 0; i < count; i++)
		parts_append(&parts, &location->pieces[i]);
	location->count = 0;
	if (parts.full)
		wt_dwarf_fail(stack, BROKEN);
	push_parts(stack, first);
}

void wt_dwarf_push_moved(struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item,
			 uint64_t bits)
{
	struct parts parts = {stack->parts, &stack->part_count, false};
	size_t first = stack->part_count;

	append_range(stack, item, bits, UINT64_MAX, &parts);
	if (parts.full)
		wt_dwarf_fail(stack, BROKEN);
	push_parts(stack, first);
}

const char *wt_dwarf_item_read(const struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item,
			       uint8_t *data, size_t size)
{
	const struct wt_dwarf_context *context = stack->context;
	struct wt_dwarf_location location = {.count = 1};

	if (!item->part_count)
		return wt_dwarf_piece_read(context->frame, context->lane, &item->place, 0, data,
					   size);
	location.count = item->part_count;
	memcpy(location.pieces, stack->parts + item->first_part,
	       item->part_count * sizeof(*location.pieces));
	return wt_dwarf_read(context->frame, context->lane, &location, 0, 8 * (uint64_t)size, data);
}
