/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/trust-rounds.h"

#include <dwarf.h>

#include "replayer/dwarf/line-order.h"

/* The first line that code of a range has; 0 if it has none. */
static int order_first_line(const struct wt_dwarf_order *order,
			    const struct wt_dwarf_instruction *from,
			    const struct wt_dwarf_instruction *to)
{
	int first = 0;

	for (; from <= to; from++) {
		int line = wt_dwarf_order_line(order, from->address);

		if (line && (!first || line < first))
			first = line;
	}
	return first;
}

/*
 * Has a loop around the pc done already what it does between two rounds: counted, or copied what the next one begins with? That has the line of
 * the branch that leads back, or the first one of the loop if the branch has none of its own, wherever in the round it stands. The beginning
 * of a round may do the same: that is not told apart.
 */
static bool is_counted_early(const struct wt_dwarf_order *order, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	const struct wt_dwarf_instruction *code, *end;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);

	for (end = code; end < code + count; end++) {
		uint64_t at = end->target;
		int back = wt_dwarf_order_line(order, end->address), first;

		if (!end->has_target || end->address < frame->lookup || !back)
			continue;
		first = order_first_line(order, &code[wt_dwarf_instruction_from(code, count, at)],
					 end);
		for (; wt_dwarf_next_write(frame, number, at, frame->lookup, &at); at++) {
			int line = wt_dwarf_order_line(order, at);

			if (line == back || line == first)
				return true;
		}
	}
	return false;
}

#define MAX_WRITES 64

/*
 * In a loop that became straight code an instruction of the pc's line comes once for each round. Then a register that has been written
 * in front of the pc has the value of this round only if the rounds are alike: if what is written between one copy of the pc's
 * instruction and the next is written by the same lines each time. Else a write of a later round may stand in front of the pc.
 */
static bool has_unlike_rounds(const struct wt_dwarf_order *order, uint64_t number)
{
	const struct wt_dwarf_instruction *code, *here = wt_dwarf_order_here(order);
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);
	struct {
		int line;
		size_t round;
	} writes[MAX_WRITES];
	struct wt_dwarf_name name;
	size_t rounds = 0, found = 0;

	if (!here || !wt_dwarf_name(number, &name))
		return true;
	for (size_t i = 0; i < count; i++) {
		if (code[i].address < order->from || code[i].address >= order->to)
			continue;
		if (wt_dwarf_is_same_operation(&code[i], here) &&
		    wt_dwarf_order_line(order, code[i].address) == order->here)
			rounds++;
		else if (wt_dwarf_writes(&code[i], name)) {
			if (found == MAX_WRITES)
				return true;
			writes[found].line = wt_dwarf_order_line(order, code[i].address);
			writes[found++].round = rounds;
		}
	}
	for (size_t i = 0; i < found && rounds > 1; i++) {
		/* Writes behind the last copy belong to no round. */
		if (writes[i].round == rounds)
			continue;
		for (size_t round = 0; round < rounds; round++) {
			size_t own = 0, other = 0;

			for (size_t j = 0; j < found; j++) {
				own += writes[j].line == writes[i].line &&
				       writes[j].round == writes[i].round;
				other += writes[j].line == writes[i].line &&
					 writes[j].round == round;
			}
			if (own != other)
				return true;
		}
	}
	return false;
}

/*
 * Does the code come, at a branch or behind it, to a line in front of the one that has written the register, and then to the pc? That is the next
 * round of a loop, in which the line was passed once more: what it writes is moved behind the pc.
 */
static bool is_of_round_before(const struct wt_dwarf_order *order,
			       const struct wt_dwarf_expression *expression, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number);
	bool is_behind_branch = false;
	int written;

	if (last == UINT64_MAX)
		return false;
	written = wt_dwarf_order_line(order, last);
	for (size_t i = wt_dwarf_instruction_at(code, count, last);
	     i < count && code[i].address < frame->lookup; i++) {
		int line;

		is_behind_branch |= code[i].has_target;
		line = is_behind_branch ? wt_dwarf_order_line(order, code[i].address) : 0;
		if (line && line < written)
			return true;
	}
	return false;
}

/*
 * In a loop that became straight code, is what the register has of a later round? It may be if what is done at the pc comes again, and a line behind the one
 * that has written it has code in front of that, or behind the pc, though it comes before the line of the pc.
 */
static bool is_of_later_round(const struct wt_dwarf_order *order,
			      const struct wt_dwarf_expression *expression, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number);
	int written;

	if (last == UINT64_MAX || last < order->from || !wt_dwarf_is_repeated(order, frame->high))
		return false;
	written = wt_dwarf_order_line(order, last);
	for (size_t i = wt_dwarf_instruction_from(code, count, order->from);
	     i < count && code[i].address < order->to; i++) {
		int line = wt_dwarf_order_line(order, code[i].address);

		if (line > written && (code[i].address < last ||
				       (code[i].address > frame->lookup && line < order->here)))
			return true;
	}
	return false;
}

/*
 * In a loop that became straight code a line writes the register in each round. Which round the pc is in is not known if its own
 * instruction is not there in each.
 */
static bool is_one_of_rounds(const struct wt_dwarf_order *order, uint64_t number)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);
	uint64_t last =
		wt_dwarf_last_write(order->frame, number, order->from, order->frame->lookup);
	size_t at = wt_dwarf_instruction_at(code, count, last), same = 0;
	struct wt_dwarf_name name;

	if (last == UINT64_MAX || at == count || !wt_dwarf_name(number, &name))
		return false;
	for (size_t i = 0; i < at; i++)
		same += code[i].address >= order->from && wt_dwarf_writes(&code[i], name) &&
			wt_dwarf_is_same_operation(&code[i], &code[at]) &&
			wt_dwarf_order_line(order, code[i].address) ==
				wt_dwarf_order_line(order, last);
	return same;
}

/* Does a branch from outside of a loop, whose first and last instructions these are, lead in between two of its addresses? */
static bool is_entered_between(const struct wt_dwarf_instruction *code, size_t count,
			       const struct wt_dwarf_instruction *first,
			       const struct wt_dwarf_instruction *last, uint64_t behind,
			       uint64_t to)
{
	for (size_t i = 0; i < count; i++)
		if (code[i].has_target && (&code[i] < first || &code[i] > last) &&
		    code[i].target > behind && code[i].target <= to)
			return true;
	return false;
}

/* Is what an instruction in front of the pc writes done at the end of each round of a loop around both, which is entered behind it? */
static bool is_turned(const struct wt_dwarf_order *order, uint64_t address, int declared)
{
	const struct wt_dwarf_frame *frame = order->frame;
	const struct wt_dwarf_instruction *code, *end;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	int written = wt_dwarf_order_line(order, address);

	for (end = code; end < code + count && written < order->here; end++) {
		size_t first;

		if (!end->has_target || end->address < frame->lookup || end->target > address)
			continue;
		first = wt_dwarf_instruction_from(code, count, end->target);
		if (is_entered_between(code, count, &code[first], end, address, frame->lookup) &&
		    (written != declared || written != order_first_line(order, &code[first], end)))
			return true;
	}
	return false;
}

bool wt_dwarf_is_of_turned_round(const struct wt_dwarf_order *order, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	Dwarf_Die die = *order->die;
	int declared = 0;

	if (dwarf_decl_line(&die, &declared))
		declared = 0;
	for (uint64_t at = frame->low; wt_dwarf_next_write(frame, number, at, frame->lookup, &at);
	     at++)
		if (is_turned(order, at, declared))
			return true;
	return false;
}

bool wt_dwarf_is_of_other_round(const struct wt_dwarf_order *order,
				const struct wt_dwarf_expression *expression, uint64_t number,
				bool is_single)
{
	return is_of_round_before(order, expression, number) ||
	       is_of_later_round(order, expression, number) ||
	       wt_dwarf_is_of_turned_round(order, number) || is_counted_early(order, number) ||
	       (!is_single && has_unlike_rounds(order, number)) ||
	       (!expression->is_only && is_one_of_rounds(order, number));
}
