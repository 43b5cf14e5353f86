/* SPDX-License-Identifier: MIT */
#include <dwarf.h>
#include <string.h>

#include "replayer/code/bytes.h"
#include "replayer/dwarf/cfi.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/expression-stack.h"
#include "replayer/dwarf/expression.h"
#include "replayer/dwarf/unwind.h"
#include "replayer/dwarf/value.h"

#define MAX_STEPS 4096
#define MAX_DEPTH 8

#define NO_SPACE WT_DWARF_UNKNOWN "it is in an address space that is not known here"
#define BROKEN WT_DWARF_UNKNOWN "the debug information is broken"
#define NOT_KNOWN WT_DWARF_UNKNOWN "it is described by an operation that is not known here"

void wt_dwarf_location_unknown(struct wt_dwarf_location *location, const char *why)
{
	location->count = 1;
	location->doubt = NULL;
	location->pieces[0] = (struct wt_dwarf_piece){
		.place = WT_DWARF_AT_UNKNOWN, .bits = UINT64_MAX, .why = why};
}

bool wt_dwarf_space(const struct wt_dwarf_unit *unit, uint64_t number, enum gfx_space *space_ret)
{
	static const struct {
		uint64_t number;
		bool amd, upstream;
		enum gfx_space space;
	} spaces[] = {
		{0, true, true, GFX_SPACE_GLOBAL},
		{GFX_DWARF_SPACE_GENERIC, true, false, GFX_SPACE_GENERIC},
		{GFX_DWARF_SPACE_LOCAL, true, false, GFX_SPACE_LOCAL},
		{GFX_DWARF_SPACE_PRIVATE_LANE, true, false, GFX_SPACE_PRIVATE_LANE},
		{GFX_DWARF_SPACE_PRIVATE_WAVE, true, false, GFX_SPACE_PRIVATE_WAVE},
		{1, false, true, GFX_SPACE_PRIVATE_LANE},
		{2, false, true, GFX_SPACE_LOCAL},
	};

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		if (spaces[i].number != number || !(unit->amd ? spaces[i].amd : spaces[i].upstream))
			continue;
		*space_ret = spaces[i].space;
		return true;
	}
	return false;
}

/* ---- Places ---- */

static void use(struct wt_dwarf_stack *stack, uint64_t number)
{
	struct wt_dwarf_location *location = stack->location;

	if (location->used_count < WT_DWARF_MAX_USED)
		location->used[location->used_count++] = number;
	else
		location->used_more = true;
}

/* A value as the place that it stands for where an address is asked for. */
static void place_of_value(struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item,
			   struct wt_dwarf_piece *piece)
{
	*piece = (struct wt_dwarf_piece){.place = WT_DWARF_AT_MEMORY, .bits = UINT64_MAX};
	piece->address = item->value;
	switch (item->origin) {
	case WT_DWARF_FROM_FRAME:
		piece->space = GFX_SPACE_PRIVATE_LANE;
		return;
	case WT_DWARF_FROM_ADDRESS:
		piece->space = GFX_SPACE_GLOBAL;
		piece->address += stack->context->frame->load_address;
		return;
	case WT_DWARF_FROM_MEMORY:
		piece->space = GFX_SPACE_GENERIC;
		if (item->certain >= 64)
			return;
		break;
	case WT_DWARF_FROM_CONSTANT:
	case WT_DWARF_FROM_REGISTER:
		break;
	}
	wt_dwarf_fail(stack,
		      WT_DWARF_UNKNOWN "the compiler does not say in which address space it is");
}

static void stack_pop_any_place(struct wt_dwarf_stack *stack, struct wt_dwarf_item *item_ret)
{
	struct wt_dwarf_item item = wt_dwarf_pop(stack);

	if (!stack->why && !item.is_place)
		place_of_value(stack, &item, &item.place);
	item.is_place = true;
	*item_ret = item;
}

/* Take the top of the stack as a place of one part. */
static void stack_pop_place(struct wt_dwarf_stack *stack, struct wt_dwarf_piece *piece)
{
	struct wt_dwarf_item item;

	stack_pop_any_place(stack, &item);
	if (item.part_count)
		wt_dwarf_fail(stack, NOT_KNOWN);
	if (!stack->why)
		*piece = item.place;
}

static void stack_push_place(struct wt_dwarf_stack *stack, const struct wt_dwarf_piece *piece)
{
	struct wt_dwarf_item item = {.is_place = true, .place = *piece};

	wt_dwarf_push(stack, &item);
}

/* A place in memory. @number: of the address space, as the unit counts them. */
static void stack_push_memory(struct wt_dwarf_stack *stack, uint64_t number, uint64_t address)
{
	struct wt_dwarf_piece piece = {
		.place = WT_DWARF_AT_MEMORY, .bits = UINT64_MAX, .address = address};

	/* Private memory of one lane, whichever it is that asks. */
	if (number >= 0x20 && number < 0x60 && stack->context->unit->amd) {
		piece.space = GFX_SPACE_PRIVATE_LANE;
		piece.has_lane = true;
		piece.lane = (uint32_t)(number - 0x20);
	} else if (!wt_dwarf_space(stack->context->unit, number, &piece.space)) {
		wt_dwarf_fail(stack, NO_SPACE);
		return;
	}
	stack_push_place(stack, &piece);
}

/*
 * ---- Places that are put together of others. While parts are added, they are in the location that is evaluated, above what is on
 * the stack; DW_OP_LLVM_piece_end makes them one item of the stack, with which it goes on. ----
 */

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
		stack_pop_place(stack, &piece);
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

/* DW_OP_piece: make the top of the stack the next part of a place; of an empty one: a part that is nowhere. In bits. */
static void stack_add_piece(struct wt_dwarf_stack *stack, uint64_t bits, uint64_t offset)
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

/* DW_OP_LLVM_piece_end: make the parts so far one place on the stack. */
static void stack_end_pieces(struct wt_dwarf_stack *stack)
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

/* Push a place that is put together of others, from a bit of it on. */
static void stack_push_moved(struct wt_dwarf_stack *stack, const struct wt_dwarf_item *item,
			     uint64_t bits)
{
	struct parts parts = {stack->parts, &stack->part_count, false};
	size_t first = stack->part_count;

	append_range(stack, item, bits, UINT64_MAX, &parts);
	if (parts.full)
		wt_dwarf_fail(stack, BROKEN);
	push_parts(stack, first);
}

/* Bytes of a place, little endian. Return: NULL, or why they are not known. */
static const char *stack_item_read(const struct wt_dwarf_stack *stack,
				   const struct wt_dwarf_item *item, uint8_t *data, size_t size)
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

/* Move a place on by bytes, and bits. */
static void stack_move_place(struct wt_dwarf_stack *stack, uint64_t bytes, uint64_t bits)
{
	struct wt_dwarf_piece piece;
	struct wt_dwarf_item item;

	stack_pop_any_place(stack, &item);
	if (stack->why)
		return;
	if (item.part_count) {
		stack_push_moved(stack, &item, bytes * 8 + bits);
		return;
	}
	piece = item.place;
	switch (piece.place) {
	case WT_DWARF_AT_MEMORY:
		piece.address += bytes;
		piece.offset += bits;
		break;
	case WT_DWARF_AT_REGISTER:
	case WT_DWARF_AT_VALUE:
		/* Offsets in a vector register count over all of its lanes. */
		piece.whole = true;
		piece.offset += bytes * 8 + bits;
		break;
	case WT_DWARF_AT_POINTER:
	case WT_DWARF_AT_UNKNOWN:
		break;
	}
	stack_push_place(stack, &piece);
}

/* A register as a place, and its value with an offset. */
static void stack_push_register(struct wt_dwarf_stack *stack, uint64_t number)
{
	const struct wt_dwarf_piece piece = {
		.place = WT_DWARF_AT_REGISTER, .bits = UINT64_MAX, .number = number};

	use(stack, number);
	stack_push_place(stack, &piece);
}

/* ---- Registers and frames ---- */

/* The address of the frame, or of the top of the stack, in the private memory of a lane. */
static void push_base(struct wt_dwarf_stack *stack, uint32_t scalar, uint64_t offset)
{
	const struct wt_dwarf_frame *frame = stack->context->frame;
	struct wt_dwarf_item item = {.origin = WT_DWARF_FROM_FRAME, .certain = 32, .value = offset};
	const char *why = NULL;
	uint32_t base = 0;

	/* The frame of a kernel starts where private memory does, whether or not it sets these registers up. */
	if (!frame->is_kernel) {
		why = wt_dwarf_base_holds(frame, scalar);
		if (!why)
			why = wt_dwarf_frame_register(frame, wt_dwarf_scalar(scalar),
						      stack->context->lane, &base);
		if (!why && !frame->machine->has_scratch_shift)
			why = WT_DWARF_UNKNOWN
				"how this architecture counts private memory is not known";
	}
	if (why) {
		wt_dwarf_fail(stack, why);
		return;
	}
	item.value += base >> frame->machine->scratch_shift;
	wt_dwarf_push(stack, &item);
}

static void stack_push_register_value(struct wt_dwarf_stack *stack, uint64_t number,
				      uint64_t offset)
{
	const struct wt_dwarf_context *context = stack->context;
	struct wt_dwarf_item item = {.origin = WT_DWARF_FROM_REGISTER, .certain = 32};
	uint32_t value, scalar;
	const char *why;

	item.is_scalar = wt_dwarf_is_scalar(number, &scalar);
	if (item.is_scalar && !context->unit->amd && (scalar == 32 || scalar == 33)) {
		push_base(stack, scalar, offset);
		return;
	}
	use(stack, number);
	why = wt_dwarf_frame_register(context->frame, number, context->lane, &value);
	if (why)
		wt_dwarf_fail(stack, why);
	item.value = value + offset;
	wt_dwarf_push(stack, &item);
}

static void push_frame_base(struct wt_dwarf_stack *stack, uint64_t offset)
{
	const struct wt_dwarf_context *context = stack->context;
	struct wt_dwarf_frame *frame = (struct wt_dwarf_frame *)(uintptr_t)context->frame;
	struct wt_dwarf_context inner = *context;
	struct wt_dwarf_expression expression;
	struct wt_dwarf_location location = {0};
	const struct wt_dwarf_piece *piece = location.pieces;
	uint32_t scalar;

	if (frame->is_kernel && !context->unit->amd) {
		push_base(stack, 33, offset);
		return;
	}
	if (context->depth >= MAX_DEPTH || !frame->has_function ||
	    wt_dwarf_location_find(context->unit, &frame->function, DW_AT_frame_base, frame->lookup,
				   &expression) != WT_DWARF_FOUND) {
		wt_dwarf_fail(stack,
			      WT_DWARF_UNKNOWN "where the function's frame is, is not described");
		return;
	}
	inner.depth++;
	inner.object_bits = 0;
	inner.is_boolean = false;
	wt_dwarf_evaluate(&inner, expression.bytes, &location);
	if (location.count != 1 || piece->place == WT_DWARF_AT_UNKNOWN) {
		wt_dwarf_fail(stack, piece->why ? piece->why : NOT_KNOWN);
	} else if (piece->place == WT_DWARF_AT_REGISTER &&
		   wt_dwarf_is_scalar(piece->number, &scalar) && (scalar == 32 || scalar == 33)) {
		push_base(stack, scalar, offset);
	} else if (piece->place == WT_DWARF_AT_MEMORY) {
		stack_push_place(stack, piece);
		stack_move_place(stack, offset, 0);
	} else {
		wt_dwarf_fail(stack, NOT_KNOWN);
	}
}

/* ---- Memory ---- */

static void dereference(struct wt_dwarf_stack *stack, uint64_t size)
{
	struct wt_dwarf_item item = {.origin = WT_DWARF_FROM_MEMORY}, place;
	uint8_t bytes[8];
	const char *why;

	stack_pop_any_place(stack, &place);
	if (stack->why)
		return;
	if (!size || size > sizeof(bytes)) {
		wt_dwarf_fail(stack, BROKEN);
		return;
	}
	why = stack_item_read(stack, &place, bytes, (size_t)size);
	if (why) {
		wt_dwarf_fail(stack, why);
		return;
	}
	for (size_t i = 0; i < size; i++)
		item.value |= (uint64_t)bytes[i] << 8 * i;
	item.certain = (unsigned int)size * 8;
	wt_dwarf_push(stack, &item);
}

/*
 * Upstream's clang ends the location of a variable in private or local memory with this operation and means the place, not
 * what is there. It leaves it where the variable has moved to a register, whose value then only looks like an address.
 */
static void dereference_space(struct wt_dwarf_stack *stack, uint64_t size)
{
	struct wt_dwarf_item address = wt_dwarf_pop(stack), number = wt_dwarf_pop(stack);

	if (stack->why || address.is_place || number.is_place) {
		wt_dwarf_fail(stack, BROKEN);
		return;
	}
	if (stack->context->unit->amd) {
		stack_push_memory(stack, number.value, address.value);
		dereference(stack, size);
	} else if (address.origin != WT_DWARF_FROM_FRAME &&
		   address.origin != WT_DWARF_FROM_ADDRESS) {
		wt_dwarf_fail(stack, WT_DWARF_UNKNOWN
			      "the compiler writes the same for memory and for a register");
	} else if (address.origin == WT_DWARF_FROM_ADDRESS && number.value) {
		/* The linker leaves 0 for every variable there: where it is, only the code knows. */
		stack->location->in_local = true;
		wt_dwarf_fail(stack, WT_DWARF_UNKNOWN
			      "the compiler does not say where in local memory it is");
	} else if (address.origin == WT_DWARF_FROM_FRAME) {
		stack_push_memory(stack, number.value, address.value);
	} else {
		wt_dwarf_push(stack, &address);
	}
}

/* ---- Results ---- */

static void make_value(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_item item = wt_dwarf_pop(stack);
	struct wt_dwarf_piece piece = {.place = WT_DWARF_AT_VALUE, .bits = UINT64_MAX};

	if (stack->why)
		return;
	if (item.is_place || item.origin == WT_DWARF_FROM_FRAME ||
	    item.origin == WT_DWARF_FROM_ADDRESS) {
		wt_dwarf_fail(stack, WT_DWARF_UNKNOWN
			      "it is an address of which the compiler does not say the kind");
		return;
	}
	piece.size = item.certain / 8;
	for (size_t i = 0; i < 8; i++)
		piece.value[i] = (uint8_t)(item.value >> 8 * i);
	stack_push_place(stack, &piece);
}

/* ---- Operations ---- */

static void implicit_value(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_piece piece = {.place = WT_DWARF_AT_VALUE, .bits = UINT64_MAX};
	const uint8_t *data = NULL;
	uint64_t size = wt_dwarf_take_uleb(stack);

	if (size > stack->bytes.remaining || !wt_cursor_take(&stack->bytes, (size_t)size, &data))
		wt_dwarf_fail(stack, BROKEN);
	piece.data = data;
	piece.size = (size_t)size;
	stack_push_place(stack, &piece);
}

static void implicit_pointer(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_piece piece = {.place = WT_DWARF_AT_POINTER, .bits = UINT64_MAX};

	piece.variable = wt_dwarf_take_fixed(stack, stack->context->unit->offset_size, false);
	piece.offset = wt_dwarf_take_sleb(stack);
	stack_push_place(stack, &piece);
}

/* ---- Operations on frames, and AMD's: address spaces, lanes, and places that differ from lane to lane ---- */

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

/* Pushes what a register held when the function was called. */
static void stack_push_entry_value(struct wt_dwarf_stack *stack)
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
static void stack_push_frame(struct wt_dwarf_stack *stack)
{
	struct wt_dwarf_piece piece;
	const char *why = wt_dwarf_rules_frame(stack->context->frame, stack->context->lane, &piece);

	if (why)
		wt_dwarf_fail(stack, why);
	else
		stack_push_place(stack, &piece);
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
	stack_pop_any_place(stack, &item);
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
		const char *why = stack_item_read(stack, &mask, bytes, count <= 32 ? 4 : 8);

		if (why)
			wt_dwarf_fail(stack, why);
		value = 0;
		for (size_t i = 0; i < sizeof(bytes); i++)
			value |= (uint64_t)bytes[i] << 8 * i;
	}
	if (bits % 8 || !bits || count > 64 || context->lane >= count)
		wt_dwarf_fail(stack, BROKEN);
	stack_pop_any_place(stack, &item);
	stack_pop_any_place(stack, &other);
	if (stack->why)
		return;
	if (!(value >> context->lane & 1))
		item = other;
	if (item.part_count) {
		stack_push_moved(stack, &item, context->lane * bits);
		return;
	}
	chosen = item.place;
	if (chosen.place == WT_DWARF_AT_MEMORY && chosen.space != GFX_SPACE_PRIVATE_LANE)
		chosen.address += context->lane * bits / 8;
	else if (chosen.whole)
		chosen.offset += context->lane * bits;
	stack_push_place(stack, &chosen);
}

/* Do one of them. @code: 0 for any that is not known. */
static void stack_operate_lanes(struct wt_dwarf_stack *stack, uint64_t code)
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
		stack_push_memory(stack, item.value, second.value);
		return;
	case USER_push_lane:
		wt_dwarf_push_constant(stack, stack->context->lane);
		return;
	case USER_offset:
		item = wt_dwarf_pop(stack);
		stack_move_place(stack, item.value, 0);
		return;
	case USER_offset_uconst:
		stack_move_place(stack, wt_dwarf_take_uleb(stack), 0);
		return;
	case USER_bit_offset:
		item = wt_dwarf_pop(stack);
		stack_move_place(stack, 0, item.value);
		return;
	case USER_undefined:
		stack_push_place(stack, &piece);
		return;
	case USER_aspace_bregx:
		number = wt_dwarf_take_uleb(stack);
		item = wt_dwarf_pop(stack);
		stack_push_register_value(stack, number, wt_dwarf_take_sleb(stack));
		second = wt_dwarf_pop(stack);
		if (item.is_place || second.is_place)
			wt_dwarf_fail(stack, BROKEN);
		stack_push_memory(stack, item.value, second.value);
		return;
	case USER_call_frame_entry_reg:
		entry_register(stack, wt_dwarf_take_uleb(stack));
		return;
	case USER_extend:
		extend(stack);
		return;
	case USER_piece_end:
		stack_end_pieces(stack);
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

static void operate_register(struct wt_dwarf_stack *stack, unsigned int code)
{
	uint64_t number;

	if (code >= DW_OP_reg0 && code <= DW_OP_reg31) {
		stack_push_register(stack, code - DW_OP_reg0);
	} else if (code == DW_OP_regx) {
		stack_push_register(stack, wt_dwarf_take_uleb(stack));
	} else if (code == DW_OP_bregx) {
		number = wt_dwarf_take_uleb(stack);
		stack_push_register_value(stack, number, wt_dwarf_take_sleb(stack));
	} else {
		stack_push_register_value(stack, code - DW_OP_breg0, wt_dwarf_take_sleb(stack));
	}
}

static void operate_place(struct wt_dwarf_stack *stack, unsigned int code)
{
	uint64_t bits;

	switch (code) {
	case DW_OP_addr:
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		wt_dwarf_push_address(stack, code);
		return;
	case DW_OP_fbreg:
		push_frame_base(stack, wt_dwarf_take_sleb(stack));
		return;
	case DW_OP_deref:
		dereference(stack, stack->context->unit->address_size);
		return;
	case DW_OP_deref_size:
		dereference(stack, wt_dwarf_take_fixed(stack, 1, false));
		return;
	case DW_OP_xderef:
		dereference_space(stack, stack->context->unit->address_size);
		return;
	case DW_OP_xderef_size:
		dereference_space(stack, wt_dwarf_take_fixed(stack, 1, false));
		return;
	case DW_OP_stack_value:
		make_value(stack);
		return;
	case DW_OP_implicit_value:
		implicit_value(stack);
		return;
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		implicit_pointer(stack);
		return;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		stack_push_entry_value(stack);
		return;
	case DW_OP_call_frame_cfa:
		stack_push_frame(stack);
		return;
	case DW_OP_piece:
		bits = wt_dwarf_take_uleb(stack);
		stack_add_piece(stack, bits < UINT64_MAX / 8 ? bits * 8 : 0, 0);
		return;
	case DW_OP_bit_piece:
		bits = wt_dwarf_take_uleb(stack);
		stack_add_piece(stack, bits, wt_dwarf_take_uleb(stack));
		return;
	case WT_DWARF_OP_LLVM_user:
		stack_operate_lanes(stack, wt_dwarf_take_uleb(stack));
		return;
	default:
		if (code >= 0xe1 && code <= 0xe8 && stack->context->unit->amd)
			stack_operate_lanes(stack, code - 0xe1 + WT_DWARF_USER_form_aspace_address);
		else
			stack_operate_lanes(stack, 0);
	}
}

/*
 * After a failure the operations are read on without their effects, since another piece may follow that is known; where an
 * operation itself cannot be read, that is the end.
 */
static void operations_run(struct wt_dwarf_stack *stack)
{
	size_t steps = 0;

	while (stack->bytes.remaining && !stack->stopped) {
		const uint8_t *code;

		if (++steps > MAX_STEPS) {
			wt_dwarf_fail(stack, BROKEN);
			return;
		}
		wt_cursor_take(&stack->bytes, 1, &code);
		if ((*code >= DW_OP_reg0 && *code <= DW_OP_breg31) || *code == DW_OP_regx ||
		    *code == DW_OP_bregx)
			operate_register(stack, *code);
		else if (!wt_dwarf_operate(stack, *code))
			operate_place(stack, *code);
	}
}

/* A condition that differs from lane to lane is a mask in scalar registers, which looks like a value of its own. */
static bool is_mask(const struct wt_dwarf_context *context, const struct wt_dwarf_piece *piece)
{
	uint32_t scalar;

	return context->is_boolean && piece->place == WT_DWARF_AT_REGISTER &&
	       wt_dwarf_is_scalar(piece->number, &scalar);
}

static void location_check(const struct wt_dwarf_context *context,
			   struct wt_dwarf_location *location)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < location->count; i++) {
		if (is_mask(context, &location->pieces[i])) {
			wt_dwarf_location_unknown(location, WT_DWARF_UNKNOWN
						  "it may be a mask of lanes in a scalar register");
			return;
		}
		if (location->count > 1)
			bits += location->pieces[i].bits < UINT32_MAX ? location->pieces[i].bits
								      : UINT32_MAX;
	}
	if (context->object_bits && bits > context->object_bits)
		wt_dwarf_location_unknown(
			location,
			WT_DWARF_UNKNOWN "what the compiler describes is larger than the variable");
}

/* A place that was put together, and may have been moved, can be larger than what is there. */
static uint64_t bits_of_result(const struct wt_dwarf_stack *stack)
{
	uint64_t bits = stack->context->object_bits;

	if (!bits || !stack->count || !stack->items[stack->count - 1].part_count)
		return UINT64_MAX;
	return bits;
}

void wt_dwarf_evaluate(const struct wt_dwarf_context *context, struct wt_cursor bytes,
		       struct wt_dwarf_location *location)
{
	struct wt_dwarf_stack stack = {
		.context = context, .bytes = bytes, .whole = bytes, .location = location};

	location->count = 0;
	if (context->initial)
		stack_push_place(&stack, context->initial);
	if (!bytes.remaining) {
		wt_dwarf_location_unknown(location, WT_DWARF_OPTIMIZED_OUT);
		return;
	}
	operations_run(&stack);
	/* Items that are left behind the last piece are no part of the location. */
	if (location->count && !stack.stopped) {
		location_check(context, location);
		return;
	}
	location->count = 0;
	stack_add_piece(&stack, bits_of_result(&stack), 0);
	location_check(context, location);
}

const char *wt_dwarf_evaluate_number(const struct wt_dwarf_context *context, struct wt_cursor bytes,
				     uint64_t *number_ret)
{
	struct wt_dwarf_location ignored = {0};
	struct wt_dwarf_stack stack = {
		.context = context, .bytes = bytes, .whole = bytes, .location = &ignored};
	struct wt_dwarf_item item;

	if (context->initial)
		stack_push_place(&stack, context->initial);
	operations_run(&stack);
	item = wt_dwarf_pop(&stack);
	if (stack.why)
		return stack.why;
	if (item.is_place && (item.part_count || item.place.place != WT_DWARF_AT_MEMORY))
		return NOT_KNOWN;
	*number_ret = item.is_place ? item.place.address + item.place.offset / 8 : item.value;
	return NULL;
}
