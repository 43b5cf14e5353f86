/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/doubt-memory.h"

#include <dwarf.h>
#include <string.h>

#include "replayer/dwarf/line-order.h"
#include "replayer/dwarf/trust.h"

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
	for (uint64_t at = frame->pc; wt_dwarf_next_store(frame, range, at, &at) && at < order.to;
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
	if (!wt_dwarf_may_load(context->frame,
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
