/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/line-order.h"

#include "replayer/dwarf/scope.h"

int wt_dwarf_order_line(const struct wt_dwarf_order *order, uint64_t address)
{
	return wt_dwarf_line_in(order->frame->object, order->function, address);
}

/*
 * Loops of a few rounds become straight code, in which a line of the source comes again. Behind code of later lines, or another copy
 * of the instruction, the pc may be in a later round: then what a later line does behind it may belong in front of it.
 */
bool wt_dwarf_is_later_round(struct wt_dwarf_order *order)
{
	const struct wt_dwarf_instruction *code, *here;
	size_t count;

	if (order->is_round_known)
		return order->is_later_round;
	order->is_round_known = true;
	here = wt_dwarf_order_here(order);
	count = wt_dwarf_function_code(order->frame, order->frame->high, &code);
	order->is_later_round = !here;
	for (size_t i = 0; i < count && &code[i] < here && !order->is_later_round; i++) {
		int line;

		if (code[i].address < order->from)
			continue;
		line = wt_dwarf_order_line(order, code[i].address);
		order->is_later_round =
			line > order->here ||
			(line == order->here && wt_dwarf_is_same_operation(&code[i], here));
	}
	return order->is_later_round;
}

uint64_t wt_dwarf_place_last_write(const struct wt_dwarf_frame *frame,
				   const struct wt_dwarf_expression *expression, uint64_t number)
{
	return wt_dwarf_last_write(frame, number, frame->low, expression->from);
}

bool wt_dwarf_is_repeated(const struct wt_dwarf_order *order, uint64_t to)
{
	const struct wt_dwarf_instruction *here = wt_dwarf_order_here(order), *code;
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);

	for (size_t i = 0; here && i < count && code[i].address < to; i++)
		if (&code[i] > here && wt_dwarf_is_same_operation(&code[i], here) &&
		    wt_dwarf_order_line(order, code[i].address) == order->here)
			return true;
	return false;
}
