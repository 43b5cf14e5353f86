/* SPDX-License-Identifier: MIT */
/* The order of the code around the pc of a frame, by the lines of one of the functions there. */
#ifndef WT_REPLAYER_DWARF_LINE_ORDER_H
#define WT_REPLAYER_DWARF_LINE_ORDER_H

#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/type.h"

/* The order of code around the pc: where it is straight, and which function's lines count. */
struct wt_dwarf_order {
	const struct wt_dwarf_context *context;
	Dwarf_Die *die; /* of the variable */
	const struct wt_dwarf_type *type;
	const struct wt_dwarf_frame *frame;
	Dwarf_Off function;
	uint64_t from, to;
	uint64_t round_end; /* of the loops around the pc */
	int here;	    /* the line of the pc */
	bool is_round_known, is_later_round;
};

/** The line of an address as the function sees it; 0 if it is not known, or the address is not in it. */
int wt_dwarf_order_line(const struct wt_dwarf_order *order, uint64_t address);

/** May the pc be in a later round of a loop that became straight code than the first? */
bool wt_dwarf_is_later_round(struct wt_dwarf_order *order);

/** The last instruction that may have written a register of a place, in front of where the place begins; UINT64_MAX if there is none. */
uint64_t wt_dwarf_place_last_write(const struct wt_dwarf_frame *frame,
				   const struct wt_dwarf_expression *expression, uint64_t number);

/** Does straight code up to an address repeat what is done at the pc, in another round of a loop? */
bool wt_dwarf_is_repeated(const struct wt_dwarf_order *order, uint64_t to);

static inline bool wt_dwarf_is_same_operation(const struct wt_dwarf_instruction *a,
					      const struct wt_dwarf_instruction *b)
{
	return a->is_known && b->is_known && a->code.operation == b->code.operation &&
	       a->code.second == b->code.second && a->code.encoding == b->code.encoding;
}

/* The instruction at the pc, or the call that the frame is in. */
static inline const struct wt_dwarf_instruction *
wt_dwarf_order_here(const struct wt_dwarf_order *order)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);

	for (size_t i = 0; i < count; i++)
		if (code[i].address + code[i].size > order->frame->lookup)
			return &code[i];
	return NULL;
}

#endif /* WT_REPLAYER_DWARF_LINE_ORDER_H */
