/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/doubt-memory.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/line-order.h"
#include "replayer/dwarf/trust.h"

/* ---- What code does to private memory ---- */

/*
 * scratch_store_dword off, v3, s33 offset:8 and buffer_store_dword v3, off, s[0:3], s33 offset:8, or the loads; of a kernel also
 * without a base, which is "off" or 0.
 */
static bool names_place(const struct wt_dwarf_frame *frame,
			const struct wt_dwarf_instruction *instruction, bool *from_frame_ret,
			uint64_t *offset_ret)
{
	const struct gfx_instruction *code = &instruction->code;
	bool buffer = code->encoding == GFX_MUBUF;

	if (buffer ? code->has_offset || code->has_index : code->has_address)
		return false;
	*from_frame_ret = code->scalar_address == 33;
	if (!*from_frame_ret && (!frame->is_kernel || (code->scalar_address != GFX_CODE_OFF &&
						       code->scalar_address != GFX_CODE_ZERO)))
		return false;
	*offset_ret = (uint64_t)(int64_t)code->offset;
	return true;
}

/*
 * Does an instruction leave lanes out of what follows? Around what is kept in the frame others are put in, and then it is as before:
 * @saved says whether that is so now.
 */
static bool takes_lanes(const struct wt_dwarf_instruction *instruction, bool *saved)
{
	bool all;
	const enum wt_dwarf_lanes lanes = wt_dwarf_lanes(instruction, &all);

	if (lanes == WT_DWARF_LANES_SAVED) {
		*saved = all;
		return !all;
	}
	if (instruction->code.operation->flags & GFX_WRITES_EXEC)
		return true;
	if (lanes != WT_DWARF_LANES_SET)
		return false;
	if (!*saved || !wt_dwarf_computes(instruction, "s_mov"))
		return true;
	/* All lanes, or those of before. */
	*saved = all;
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
		if (!code[i].is_known || takes_lanes(&code[i], &saved))
			break;
		if (code[i].has_target && code[i].target > skipped)
			skipped = code[i].target;
		/* A jump back may come from behind the pc: what is in front of it was executed all the same. */
		if (saved || code[i].address < skipped ||
		    !wt_dwarf_is_private(&code[i], GFX_MEMORY_STORE) ||
		    !names_place(frame, &code[i], &from_frame, &offset) ||
		    (from_frame && !start.known))
			continue;
		offset += from_frame ? start.byte : 0;
		bytes[found++] =
			(struct wt_dwarf_bytes){offset, offset + code[i].code.operation->size};
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
	if (code->is_known && code->code.encoding == GFX_FLAT)
		return code->code.operation->memory != GFX_MEMORY_STORE;
	return wt_dwarf_is_private(code, GFX_MEMORY_LOAD) &&
	       access_reaches_frame(frame, code, start, range);
}

/* Does it make an address of private memory, which may be passed to others? */
static bool makes_address(const struct wt_dwarf_instruction *code)
{
	const struct gfx_instruction *instruction = &code->code;
	bool vector = instruction->encoding >= GFX_VOP1 && instruction->encoding <= GFX_VOP3P;

	for (unsigned int i = 0; code->is_known && i < 3; i++) {
		uint32_t source = instruction->src[i];

		if (instruction->operation->src[i] != GFX_NONE &&
		    (source == GFX_CODE_PRIVATE_BASE || (vector && source == 33)))
			return true;
	}
	return false;
}

/*
 * May code behind the pc load a byte of a range of private memory? Functions that are called may if their caller makes an address of
 * private memory there.
 */
static bool frame_may_load(const struct wt_dwarf_frame *frame, const struct wt_dwarf_bytes *range)
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
		for (size_t i = left[--waiting]; i < count && !seen[i]; i++) {
			size_t target = count;

			seen[i] = true;
			if (loads_range(frame, &code[i], &start, range))
				return true;
			calls |= wt_dwarf_calls(&code[i]);
			makes |= makes_address(&code[i]);
			if (code[i].has_target)
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
	if (!code->is_known)
		return code->code.encoding == GFX_SCRATCH || code->code.encoding == GFX_MUBUF;
	return wt_dwarf_is_private(code, GFX_MEMORY_STORE) &&
	       access_reaches_frame(frame, code, start, range);
}

/*
 * The first instruction from an address on that may store a byte of a range of private memory: one that names it from where the frame begins,
 * and any whose address is not known. False if there is none.
 */
static bool frame_next_store(const struct wt_dwarf_frame *frame, const struct wt_dwarf_bytes *range,
			     uint64_t from, uint64_t *address_ret)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	const struct frame_start start = frame_find_start(frame);

	for (size_t i = wt_dwarf_instruction_from(code, count, from); i < count; i++)
		if (stores_range(frame, &code[i], &start, range)) {
			*address_ret = code[i].address;
			return true;
		}
	return false;
}

/* ---- What is taken ---- */

/*
 * Is it the code of a function that was optimised? Compilers describe all calls of such a function, and have lists of places in its
 * unit.
 */
static bool is_optimised(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit)
{
	Dwarf_Die function = frame->function;

	return (frame->has_function && (dwarf_hasattr(&function, DW_AT_call_all_calls) ||
					dwarf_hasattr(&function, DW_AT_GNU_all_call_sites))) ||
	       dwarf_hasattr(&unit->die, DW_AT_loclists_base);
}

#define NOT_STORED WT_DWARF_OPTIMIZED_OUT ": the wave has not stored it"
#define MAYBE_STORED                                                                               \
	WT_DWARF_UNKNOWN                                                                           \
	"optimised code may have left out storing it, and the way of the wave is not known"
#define STORED_LATE WT_DWARF_OPTIMIZED_OUT ": the code stores it in another order than the source"
#define MAX_STORES 64

static bool is_among(const struct wt_dwarf_bytes *stores, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (stores[i].from <= address && address < stores[i].to)
			return true;
	return false;
}

/* Does code behind the pc, in its block, store what a line in front of it has assigned, or a round of a loop before? */
static bool is_stored_late(const struct wt_dwarf_context *context, Dwarf_Off function,
			   const struct wt_dwarf_bytes *range)
{
	const struct wt_dwarf_frame *frame = context->frame;
	struct wt_dwarf_order order = {.context = context, .frame = frame, .function = function};

	if (!wt_dwarf_block(frame, &order.from, &order.to))
		return false;
	order.here = wt_dwarf_order_line(&order, frame->lookup);
	for (uint64_t at = frame->pc; frame_next_store(frame, range, at, &at) && at < order.to;
	     at++) {
		int there = wt_dwarf_order_line(&order, at);

		if (there && order.here && (there < order.here || wt_dwarf_is_later_round(&order)))
			return true;
	}
	return false;
}

/*
 * A variable that is in memory for all of its scope is there as far as something stores it: what nothing reads any more, optimised
 * code does not store, and the memory has what was there before. So a byte is taken only if it was stored for certain: by the
 * function's code in any case, or on the way of the wave.
 */
void wt_dwarf_doubt_memory(const struct wt_dwarf_context *context, Dwarf_Off function,
			   const struct wt_dwarf_type *type, struct wt_dwarf_location *location)
{
	const struct wt_dwarf_machine *machine = context->frame->machine;
	const struct wt_dwarf_piece *piece = location->pieces;
	uint32_t lane = piece->has_lane ? piece->lane : context->lane;
	uint64_t size =
		type->bits / 8 < WT_DWARF_MAX_DOUBTED ? type->bits / 8 : WT_DWARF_MAX_DOUBTED;
	struct wt_dwarf_bytes stores[MAX_STORES];
	size_t count, known = 0;

	if (location->count != 1 || piece->place != WT_DWARF_AT_MEMORY || piece->offset ||
	    piece->space != GFX_SPACE_PRIVATE_LANE || !is_optimised(context->frame, context->unit))
		return;
	if (!frame_may_load(context->frame,
			    &(struct wt_dwarf_bytes){piece->address, piece->address + size})) {
		wt_dwarf_location_unknown(location, WT_DWARF_NOT_NEEDED);
		return;
	}
	if (is_stored_late(context, function,
			   &(struct wt_dwarf_bytes){piece->address, piece->address + size})) {
		wt_dwarf_location_unknown(location, STORED_LATE);
		return;
	}
	count = wt_dwarf_stored_bytes(context->frame, MAX_STORES, stores);
	location->doubt = NOT_STORED;
	memset(location->stored, 0, sizeof(location->stored));
	for (uint64_t i = 0; i < size; i++) {
		enum wt_dwarf_stored stored = WT_DWARF_STORED_UNKNOWN;

		if (is_among(stores, count, piece->address + i))
			stored = WT_DWARF_STORED;
		else if (machine->is_stored)
			stored = machine->is_stored(machine->opaque, lane, piece->address + i);
		if (stored == WT_DWARF_STORED)
			location->stored[i / 8] |= (uint8_t)(1U << i % 8);
		known += stored == WT_DWARF_STORED;
		if (stored == WT_DWARF_STORED_UNKNOWN)
			location->doubt = MAYBE_STORED;
	}
	if (known == type->bits / 8)
		location->doubt = NULL;
	else if (!known)
		wt_dwarf_location_unknown(location, location->doubt);
}
