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
 * without a base, which is "off" or 0. @base: the register that says where the frame begins.
 */
static bool names_place(const struct wt_dwarf_frame *frame,
			const struct wt_dwarf_instruction *instruction, uint32_t base,
			bool *from_frame_ret, uint64_t *offset_ret)
{
	const struct gfx_instruction *code = &instruction->code;
	bool buffer = code->encoding == GFX_MUBUF;

	if (buffer ? code->has_offset || code->has_index : code->has_address)
		return false;
	*from_frame_ret = code->scalar_address == base;
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
		    !names_place(frame, &code[i], 33, &from_frame, &offset) ||
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

	if (!names_place(frame, code, 33, &from_frame, &offset) || (from_frame && !start->known))
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

/* ---- Bytes that code needs ---- */

#define MAX_PATHS                                                                                  \
	4 /* that wait, for each instruction: what is more is left out, and said to be not needed */

/* A place that is still to be followed: bytes of the range that nothing has stored since the pc, and whether lanes may be left out. */
struct load_path {
	size_t at;
	uint64_t bytes;
	bool is_narrow;
};

/* Code is followed for each byte that comes to it, with all lanes and with a part of them. */
struct load_search {
	const struct wt_dwarf_frame *frame;
	const struct wt_dwarf_instruction *code;
	size_t count;
	const struct wt_dwarf_bytes *range;
	struct frame_start start;
	uint64_t *seen;
	struct load_path *paths;
	size_t waiting, room;
	uint64_t loaded, at_calls;
	bool makes;
	bool is_alike; /* the range has nothing but elements of one kind */
};

/*
 * Does the stack register have what the frame register has? So it is in front of where the function takes its part of the stack, and behind
 * where it gives that back: registers are kept and brought back there.
 */
static bool stack_is_frame(const struct load_search *search,
			   const struct wt_dwarf_instruction *code)
{
	const struct wt_dwarf_name stack = {'s', 32};
	uint32_t number;

	if (!search->start.known)
		return false;
	while (code-- > search->code) {
		if (!wt_dwarf_writes(code, stack))
			continue;
		return (wt_dwarf_source_number(code, 1, &number) ||
			wt_dwarf_source_number(code, 0, &number)) &&
		       (wt_dwarf_computes(code, "s_sub") ? (int32_t)number > 0
							 : (int32_t)number < 0);
	}
	return true;
}

/*
 * The bytes of the range that an access names; all if it finds its address in a register, and then @named_ret is false. Of structures none
 * are, then: a compiler knows which member an index among others leads to, and leaves out what is stored in the others.
 */
static uint64_t access_bytes(const struct load_search *search,
			     const struct wt_dwarf_instruction *code, bool *named_ret)
{
	const struct wt_dwarf_bytes *range = search->range;
	const uint32_t base =
		code->is_known && code->code.scalar_address == 32 && stack_is_frame(search, code)
			? 32
			: 33;
	uint64_t offset, bytes = 0;
	bool from_frame;

	*named_ret = code->is_known && code->code.encoding != GFX_FLAT &&
		     names_place(search->frame, code, base, &from_frame, &offset) &&
		     (!from_frame || search->start.known);
	if (!*named_ret)
		return search->is_alike ? UINT64_MAX : 0;
	offset += from_frame ? search->start.byte : 0;
	for (uint64_t i = 0; i < code->code.operation->size; i++)
		if (range->from <= offset + i && offset + i < range->to)
			bytes |= UINT64_C(1) << (offset + i - range->from);
	return bytes;
}

/*
 * Lanes are left out in a part of the code: a store there ends nothing for the others. Parts within parts are not counted: then too much
 * ends, and too few bytes are said to be needed.
 */
static bool is_narrow_behind(const struct wt_dwarf_instruction *code, bool is_narrow)
{
	bool all;

	if (!code->is_known)
		return is_narrow;
	if (wt_dwarf_lanes(code, &all) == WT_DWARF_LANES_SET)
		return !all && !wt_dwarf_computes(code, "s_or") &&
		       !wt_dwarf_computes(code, "s_mov");
	return is_narrow || wt_dwarf_lanes(code, &all) == WT_DWARF_LANES_SAVED ||
	       code->code.operation->flags & GFX_WRITES_EXEC;
}

static void search_add(struct load_search *search, struct load_path path)
{
	uint64_t new;

	if (path.at >= search->count || search->waiting == search->room)
		return;
	new = path.bytes & ~search->seen[2 * path.at + path.is_narrow];
	if (new)
		search->paths[search->waiting++] = path;
}

/* Follows code up to where nothing is new. */
static void search_follow(struct load_search *search, struct load_path path)
{
	for (; path.at < search->count && path.bytes; path.at++) {
		const struct wt_dwarf_instruction *code = &search->code[path.at];
		uint64_t *seen = &search->seen[2 * path.at + path.is_narrow];
		bool is_named;

		path.bytes &= ~*seen;
		*seen |= path.bytes;
		if (loads_range(search->frame, code, &search->start, search->range))
			search->loaded |= path.bytes & access_bytes(search, code, &is_named);
		if (wt_dwarf_calls(code))
			search->at_calls |= path.bytes;
		search->makes |= makes_address(code);
		if (!path.is_narrow && code->is_known &&
		    wt_dwarf_is_private(code, GFX_MEMORY_STORE)) {
			uint64_t stored = access_bytes(search, code, &is_named);

			path.bytes &= is_named ? ~stored : UINT64_MAX;
		}
		path.is_narrow = is_narrow_behind(code, path.is_narrow);
		if (code->has_target)
			search_add(search, (struct load_path){wt_dwarf_instruction_from(
								      search->code, search->count,
								      code->target),
							      path.bytes, path.is_narrow});
		if (wt_dwarf_ends(code))
			break;
	}
}

uint64_t wt_dwarf_needed_bytes(const struct wt_dwarf_frame *frame,
			       const struct wt_dwarf_bytes *range, bool is_alike)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	wt_cleanup_free uint64_t *seen = calloc(2 * count + 1, sizeof(*seen));
	wt_cleanup_free struct load_path *paths = calloc(MAX_PATHS * count + 1, sizeof(*paths));
	struct load_search search = {.frame = frame,
				     .code = code,
				     .count = count,
				     .range = range,
				     .start = frame_find_start(frame),
				     .is_alike = is_alike,
				     .seen = seen,
				     .paths = paths,
				     .room = MAX_PATHS * count};

	if (!count || !seen || !paths)
		return 0;
	search_add(&search,
		   (struct load_path){wt_dwarf_instruction_from(code, count, frame->pc),
				      range->to - range->from < 64
					      ? (UINT64_C(1) << (range->to - range->from)) - 1
					      : UINT64_MAX,
				      false});
	while (search.waiting)
		search_follow(&search, paths[--search.waiting]);
	return search.loaded | (search.makes ? search.at_calls : 0);
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
#define MAYBE_STORED WT_DWARF_UNKNOWN "optimised code may have left out storing it"
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

#define MAX_DIMENSIONS 8

/* Is it no structure, nor an array of them? */
static bool type_is_alike(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit)
{
	struct wt_dwarf_type inner = *type;

	for (int i = 0; i < MAX_DIMENSIONS && inner.kind == WT_DWARF_TYPE_ARRAY; i++) {
		const struct wt_dwarf_type outer = inner;

		wt_dwarf_type_target(&outer, unit, &inner);
	}
	return inner.kind != WT_DWARF_TYPE_STRUCT && inner.kind != WT_DWARF_TYPE_ARRAY;
}

/* Which bytes may code behind the pc need? One bit each. */
static bool find_needed(const struct wt_dwarf_frame *frame, const struct wt_dwarf_bytes *range,
			bool is_alike, uint8_t *needed)
{
	bool any = false;

	for (uint64_t from = range->from; from < range->to; from += 64) {
		struct wt_dwarf_bytes part = {from, range->to - from < 64 ? range->to : from + 64};
		uint64_t bits = wt_dwarf_needed_bytes(frame, &part, is_alike);

		any |= bits;
		for (uint64_t i = 0; i < 8; i++)
			needed[(from - range->from) / 8 + i] = (uint8_t)(bits >> 8 * i);
	}
	return any;
}

/*
 * A variable that is in memory for all of its scope is there as far as something stores it: what nothing reads any more, optimised
 * code does not store, and the memory has what was there before. So a byte is taken only if code behind the pc may load it, and if it was
 * stored for certain: by the function's code in any case, or on the way of the wave.
 */
void wt_dwarf_doubt_memory(const struct wt_dwarf_context *context, Dwarf_Off function,
			   const struct wt_dwarf_type *type, struct wt_dwarf_location *location)
{
	const struct wt_dwarf_machine *machine = context->frame->machine;
	const struct wt_dwarf_piece *piece = location->pieces;
	uint32_t lane = piece->has_lane ? piece->lane : context->lane;
	uint64_t size =
		type->bits / 8 < WT_DWARF_MAX_DOUBTED ? type->bits / 8 : WT_DWARF_MAX_DOUBTED;
	const struct wt_dwarf_bytes range = {piece->address, piece->address + size};
	struct wt_dwarf_bytes stores[MAX_STORES];
	uint8_t needed[WT_DWARF_MAX_DOUBTED / 8];
	size_t count, known = 0;

	if (location->count != 1 || piece->place != WT_DWARF_AT_MEMORY || piece->offset ||
	    piece->space != GFX_SPACE_PRIVATE_LANE || !is_optimised(context->frame, context->unit))
		return;
	if (!find_needed(context->frame, &range, type_is_alike(type, context->unit), needed)) {
		wt_dwarf_location_unknown(location, WT_DWARF_NOT_NEEDED);
		return;
	}
	if (is_stored_late(context, function, &range)) {
		wt_dwarf_location_unknown(location, STORED_LATE);
		return;
	}
	count = wt_dwarf_stored_bytes(context->frame, MAX_STORES, stores);
	location->doubt = NOT_STORED;
	memset(location->stored, 0, sizeof(location->stored));
	for (uint64_t i = 0; i < size; i++) {
		enum wt_dwarf_stored stored = WT_DWARF_STORED_UNKNOWN;

		if (!(needed[i / 8] >> i % 8 & 1)) {
			location->doubt = MAYBE_STORED;
			continue;
		}
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
