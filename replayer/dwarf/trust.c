/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/trust.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/demand.h"
#include "replayer/dwarf/line-order.h"
#include "replayer/dwarf/one-value.h"
#include "replayer/dwarf/scope.h"
#include "replayer/dwarf/trust-rounds.h"

/* ---- Code around the pc ---- */

/* Does a branch in the frame's function lead to an address, or only branches? */
static bool frame_is_joined(const struct wt_dwarf_frame *frame, uint64_t address)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	size_t at = wt_dwarf_instruction_at(code, count, address);

	return wt_dwarf_is_branched_to(code, count, address) ||
	       (at && at < count && wt_dwarf_ends(&code[at - 1]));
}

/* The instruction at an address of the frame's function; NULL if none is there. */
static const struct wt_dwarf_instruction *frame_code_at(const struct wt_dwarf_frame *frame,
							uint64_t address)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	size_t at = wt_dwarf_instruction_at(code, count, address);

	return at < count ? &code[at] : NULL;
}

/* Is it this operation, by the name of what it computes? */
static bool frame_has_at(const struct wt_dwarf_frame *frame, uint64_t address, const char *name)
{
	const struct wt_dwarf_instruction *code = frame_code_at(frame, address);

	return code && wt_dwarf_computes(code, name);
}

static bool frame_loads_scalars_at(const struct wt_dwarf_frame *frame, uint64_t address)
{
	const struct wt_dwarf_instruction *code = frame_code_at(frame, address);

	return code && code->is_known && code->code.encoding == GFX_SMEM;
}

/*
 * The last branch that leads from the pc, or from behind it, back to it or in front of it: what is up to there may come before the pc in the
 * next round of a loop. 0 if there is none, UINT64_MAX if the code is not known.
 */
static uint64_t frame_round_end(const struct wt_dwarf_frame *frame)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	uint64_t end = count ? 0 : UINT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (code[i].has_target && code[i].target <= frame->lookup &&
		    code[i].address >= frame->lookup)
			end = code[i].address;
	return end;
}

/* ---- Order ---- */

static bool location_is_constant(const struct wt_dwarf_location *location)
{
	if (location->used_count || location->used_entry)
		return false;
	for (size_t i = 0; i < location->count; i++)
		if (location->pieces[i].place != WT_DWARF_AT_VALUE)
			return false;
	return true;
}

static bool location_has_value(const struct wt_dwarf_location *location)
{
	for (size_t i = 0; i < location->count; i++)
		if (location->pieces[i].place == WT_DWARF_AT_VALUE)
			return true;
	return false;
}

#define MOVED WT_DWARF_OPTIMIZED_OUT ": the code assigns to it in another order than the source"

/* Is a line of the source behind another one, or is either not known? */
static bool is_late(int there, int here)
{
	return !here || !there || there > here;
}

static bool is_early(int there, int here)
{
	return !here || !there || there <= here;
}

/* Does the place of the variable change in front of the pc by a line that comes later, or behind it by one that came before? */
static bool is_moved(struct wt_dwarf_order *order, const struct wt_dwarf_expression *expression)
{
	uint64_t before;

	if (expression->to <= order->to && wt_dwarf_before(order->frame, expression->to, &before) &&
	    before > order->frame->lookup &&
	    (is_early(wt_dwarf_order_line(order, before), order->here) ||
	     wt_dwarf_is_later_round(order)))
		return true;
	return expression->from > order->from &&
	       wt_dwarf_before(order->frame, expression->from, &before) &&
	       is_late(wt_dwarf_order_line(order, before), order->here);
}

/* The same of writes to a register that it is in. */
static bool is_written(struct wt_dwarf_order *order, const struct wt_dwarf_expression *expression,
		       uint64_t number)
{
	uint64_t from = expression->from > order->from ? expression->from : order->from;
	uint64_t to = expression->to < order->to ? expression->to : order->to;
	uint64_t at;

	for (at = from; wt_dwarf_next_write(order->frame, number, at, to, &at); at++) {
		int there = wt_dwarf_order_line(order, at);

		if (at < order->frame->lookup
			    ? is_late(there, order->here)
			    : is_early(there, order->here) || wt_dwarf_is_later_round(order))
			return true;
	}
	return false;
}

/* Does the instruction at an address make a new value of a register from its old one? */
static bool is_update(const struct wt_dwarf_order *order, uint64_t address, uint64_t number)
{
	const struct wt_dwarf_instruction *code = frame_code_at(order->frame, address);
	struct wt_dwarf_name name;

	return code && code->has_read && wt_dwarf_name(number, &name) && wt_dwarf_reads(code, name);
}

/*
 * A write may also be moved behind the block, as into what follows the two ways of an if: where the register still is the variable's,
 * and the line comes before that of the pc. What the head of a loop does at the end of each round, from where the loop leads back to
 * the pc, has the line of that head, where its variable is declared. At the end of the place the register is given to another variable, if the write does not update it.
 */
static bool is_written_later(const struct wt_dwarf_order *order,
			     const struct wt_dwarf_expression *expression, uint64_t number)
{
	Dwarf_Die die = *order->die;
	int declared = 0;
	uint64_t last;

	if (dwarf_decl_line(&die, &declared))
		declared = 0;
	for (uint64_t at = order->to;
	     wt_dwarf_next_write(order->frame, number, at, expression->to, &at); at++) {
		int there = wt_dwarf_order_line(order, at);

		if (there && there < order->here && (there != declared || at > order->round_end) &&
		    (!wt_dwarf_before(order->frame, expression->to, &last) || at != last ||
		     is_update(order, at, number)))
			return true;
	}
	return false;
}

/* ---- Remarks ---- */

/* Does the function write one of its registers? */
static bool is_ever_written(const struct wt_dwarf_frame *frame,
			    const struct wt_dwarf_location *location)
{
	uint64_t at;

	for (size_t i = 0; i < location->used_count; i++)
		if (wt_dwarf_next_write(frame, location->used[i], frame->low, frame->high, &at))
			return true;
	return false;
}

/*
 * A remark is a place that no instruction makes: a constant that the variable has from some address on, or a register that was
 * another variable's. Compilers move instructions, and merge them, and a remark stays where its neighbours went: of a loop that
 * became straight code, the constants of several rounds may come to lie behind each other, or in another order.
 *
 * A remark is taken only if one of these holds:
 * - It is the only place that the variable ever has, in a register that is written once and not in a loop, or never (of a parameter:
 *   never), and no code of a later line has come between its beginning and the pc: then there is one value, and it is assigned.
 * - It is the only place of a variable that is no parameter, a constant, and the lines of the code are in the order of the source
 *   around the pc.
 * - The constants of the variable count by one, up or down, in at least three steps, and each copy of the pc's instruction is in one of
 *   their places: no round is missing or in another place.
 * A register that the function never writes, from the pc on, is no remark.
 */
static bool is_remark(const struct wt_dwarf_order *order,
		      const struct wt_dwarf_expression *expression,
		      const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t before, at;

	if (!location->used_count && !location->used_entry)
		return true;
	if (expression->from <= frame->low || !wt_dwarf_before(frame, expression->from, &before) ||
	    (expression->from == frame->lookup && !is_ever_written(frame, location)))
		return false;
	for (size_t i = 0; i < location->used_count; i++) {
		if (wt_dwarf_next_write(frame, location->used[i], before, expression->from, &at))
			return false;
		/* The value is what was written on each of the ways that come together there. */
		if (frame_is_joined(frame, expression->from) &&
		    wt_dwarf_next_write(frame, location->used[i], frame->low, frame->high, &at) &&
		    wt_dwarf_next_write(frame, location->used[i], at + 1, frame->high, &at))
			return false;
	}
	return true;
}

/*
 * Is a value computed, of registers or numbers? Compilers write that down where they removed what computed it, of what is left: registers
 * that have been given to something else, and numbers for values that are not defined.
 */
static bool is_computed(const struct wt_dwarf_expression *expression,
			const struct wt_dwarf_location *location)
{
	struct wt_cursor bytes = expression->bytes;

	if (!location_has_value(location) || location->used_entry)
		return false;
	if (location->used_count)
		return true;
	if (location->count != 1 || !bytes.remaining)
		return false;
	/* Small numbers are one byte; the others have theirs behind them. */
	return bytes.data[0] >= DW_OP_lit0 && bytes.data[0] <= DW_OP_lit31 && bytes.remaining > 2 &&
	       bytes.data[1] != DW_OP_stack_value;
}

/* Are the registers of a long number not written by one line? Then one of them may be another variable's by now. */
static bool is_torn(const struct wt_dwarf_order *order,
		    const struct wt_dwarf_expression *expression,
		    const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = order->frame;
	int first = -1;

	for (size_t i = 0; i < location->used_count; i++) {
		uint64_t at = wt_dwarf_place_last_write(frame, expression, location->used[i]);
		int line = at == UINT64_MAX ? INT_MAX : wt_dwarf_order_line(order, at);

		if (i && (line != first || !line))
			return true;
		first = line;
	}
	return false;
}

/* Does the instruction at an address choose one of two values? */
static bool is_choice(const struct wt_dwarf_frame *frame, uint64_t address)
{
	return frame_has_at(frame, address, "v_cndmask_b32") ||
	       frame_has_at(frame, address, "s_cselect");
}

/*
 * Has the line of the pc, or one behind it, written what the register has where the place begins? That is not assigned to a variable
 * yet, if it is not from the round before. Nor is what the code keeps of other registers in lanes of a vector register. One of two
 * values is often not the variable's any more: compilers do to both what the next line does to the chosen one, and leave its name.
 */
static bool is_of_this_line(const struct wt_dwarf_order *order,
			    const struct wt_dwarf_expression *expression, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number);

	if (last == UINT64_MAX)
		return false;
	return frame_has_at(frame, last, "v_writelane_b32") || is_choice(frame, last) ||
	       (is_late(wt_dwarf_order_line(order, last) + 1, order->here) &&
		last > order->round_end);
}

/*
 * Does another place of the variable begin behind the pc, by a line that comes before it, though no loop leads back and it is no other
 * round? Then the source has assigned to it already.
 */
static bool is_assigned_behind(const struct wt_dwarf_order *order)
{
	const struct wt_dwarf_frame *frame = order->frame;
	struct wt_dwarf_expression other;
	uint64_t before;

	for (size_t i = 0; wt_dwarf_location_entry(order->context->unit, order->die, DW_AT_location,
						   i, &other) == WT_DWARF_FOUND;
	     i++) {
		int line;

		if (other.from <= frame->lookup || other.from > order->to ||
		    !wt_dwarf_before(frame, other.from, &before) || before <= frame->lookup ||
		    before <= order->round_end)
			continue;
		line = wt_dwarf_order_line(order, before);
		if (line && line < order->here && !wt_dwarf_is_repeated(order, other.from))
			return true;
	}
	return false;
}

/* Does the code keep scalar registers in lanes of the register, in front of the pc? */
static bool is_kept_in(const struct wt_dwarf_order *order, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t at = frame->low;

	for (; wt_dwarf_next_write(frame, number, at, frame->lookup, &at); at++)
		if (frame_has_at(frame, at, "v_writelane_b32"))
			return true;
	return false;
}

/* Has the variable one place only, in registers that keep one value? */
static bool is_one_value(const struct wt_dwarf_order *order,
			 const struct wt_dwarf_expression *expression,
			 const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = order->frame;
	/* A parameter is there before anything is written. */
	bool is_parameter = dwarf_tag(order->die) == DW_TAG_formal_parameter;
	uint64_t at;

	for (size_t i = 0; i < location->used_count; i++)
		if (wt_dwarf_next_write(frame, location->used[i], frame->low, expression->to,
					&at) &&
		    (is_parameter || wt_dwarf_may_loop(frame, 0) ||
		     wt_dwarf_next_write(frame, location->used[i], at + 1, expression->to, &at)))
			return false;
	return expression->is_only && location->used_count;
}

/*
 * Are the lines of straight code those of the source: none in front of the pc that comes later, none behind it that comes before, and
 * not the same once more? Else code was moved over the pc, or is that of another round.
 */
static bool is_sorted(const struct wt_dwarf_order *order)
{
	const struct wt_dwarf_instruction *code, *here = wt_dwarf_order_here(order);
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);

	for (size_t i = 0; i < count; i++) {
		int line;

		if (code[i].address < order->from || code[i].address >= order->to ||
		    &code[i] == here)
			continue;
		line = wt_dwarf_order_line(order, code[i].address);
		if ((line == order->here && wt_dwarf_is_same_operation(&code[i], here)) ||
		    (code[i].address < here->address ? line > order->here
						     : line && line < order->here))
			return false;
	}
	return here;
}

static bool expression_number_find(const struct wt_dwarf_context *context,
				   const struct wt_dwarf_expression *expression,
				   uint64_t *number_ret)
{
	struct wt_dwarf_location location = {0};
	const struct wt_dwarf_piece *piece = location.pieces;

	wt_dwarf_evaluate(context, expression->bytes, &location);
	if (location.count != 1 || !location_is_constant(&location) || piece->data || !piece->size)
		return false;
	*number_ret = 0;
	for (size_t i = 0; i < piece->size && i < 8; i++)
		*number_ret |= (uint64_t)piece->value[i] << 8 * i;
	return true;
}

/*
 * Does the straight code do outside of all places of the variable what it does at the pc? Then a round of a loop was moved over where its place
 * begins, and so were the others: each stands in the place of its neighbour.
 */
static bool is_copied_outside(const struct wt_dwarf_order *order)
{
	const struct wt_dwarf_instruction *code, *here = wt_dwarf_order_here(order);
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);
	struct wt_dwarf_expression place;

	for (size_t i = 0; i < count && here; i++)
		if (code[i].address >= order->from && code[i].address < order->to &&
		    wt_dwarf_is_same_operation(&code[i], here) &&
		    wt_dwarf_order_line(order, code[i].address) == order->here &&
		    wt_dwarf_location_find(order->context->unit, order->die, DW_AT_location,
					   code[i].address, &place) != WT_DWARF_FOUND)
			return true;
	return !here;
}

/* How often does the straight code do in a place what it does at the pc? */
static size_t order_copies(const struct wt_dwarf_order *order,
			   const struct wt_dwarf_expression *place)
{
	const struct wt_dwarf_instruction *code, *here = wt_dwarf_order_here(order);
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code), copies = 0;

	for (size_t i = 0; i < count && here; i++)
		copies += code[i].address >= order->from && code[i].address < order->to &&
			  code[i].address >= place->from && code[i].address < place->to &&
			  wt_dwarf_is_same_operation(&code[i], here) &&
			  wt_dwarf_order_line(order, code[i].address) == order->here;
	return copies;
}

/* Do all places of the variable in the straight code count by one, and has each round its own? Two rounds in one place have moved the others. */
static bool is_counting(const struct wt_dwarf_order *order)
{
	struct wt_dwarf_expression expression;
	uint64_t number, last = 0, step = 0;
	size_t count = 0, copies = 0, here;

	for (size_t i = 0; wt_dwarf_location_entry(order->context->unit, order->die, DW_AT_location,
						   i, &expression) == WT_DWARF_FOUND;
	     i++) {
		if (expression.to <= order->from || expression.from >= order->to)
			continue;
		here = order_copies(order, &expression);
		if (!expression_number_find(order->context, &expression, &number) ||
		    (here && copies && here != copies))
			return false;
		copies = here ? here : copies;
		if (count == 1)
			step = number - last;
		else if (count > 1 && number - last != step)
			return false;
		last = number;
		count++;
	}
	return count >= 3 && (step == 1 || step == UINT64_MAX) && !is_copied_outside(order);
}

/*
 * Does the place begin in the straight code, and does a line that comes later have code between there and the pc? That was moved, and the beginning
 * of the place may have come along with it.
 */
static bool is_behind_later_line(const struct wt_dwarf_order *order,
				 const struct wt_dwarf_expression *expression)
{
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);

	if (expression->from <= order->from)
		return false;
	for (size_t i = 0; i < count; i++)
		if (code[i].address >= expression->from && code[i].address < order->frame->lookup &&
		    is_late(wt_dwarf_order_line(order, code[i].address), order->here))
			return true;
	return false;
}

static bool is_certain_remark(const struct wt_dwarf_order *order,
			      const struct wt_dwarf_expression *expression,
			      const struct wt_dwarf_location *location)
{
	if (location->used_count)
		return is_one_value(order, expression, location) &&
		       !is_behind_later_line(order, expression);
	return is_counting(order) ||
	       (expression->is_only && dwarf_tag(order->die) != DW_TAG_formal_parameter &&
		is_sorted(order));
}

/* Is a variable of a function, other than one, declared in a line? */
static bool is_declared_in(Dwarf_Die *scope, Dwarf_Die *other, int line, unsigned int depth)
{
	Dwarf_Die child;
	int declared;

	if (depth > 16 || dwarf_child(scope, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variable && dwarf_dieoffset(&child) != dwarf_dieoffset(other) &&
		    !dwarf_decl_line(&child, &declared) && declared == line)
			return true;
		if (tag == DW_TAG_lexical_block && is_declared_in(&child, other, line, depth + 1))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/*
 * Has the declaration of another variable made what the register has, behind that of this one? Then an assignment copies it that no
 * instruction makes, and nobody knows where in the source that is.
 */
static bool is_copied(const struct wt_dwarf_order *order,
		      const struct wt_dwarf_expression *expression, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number);
	Dwarf_Die die = *order->die, function;
	int declared = 0, there;

	/* Arguments of a kernel are loaded where they are needed first. */
	if (last == UINT64_MAX || dwarf_decl_line(&die, &declared) ||
	    frame_loads_scalars_at(frame, last))
		return false;
	there = wt_dwarf_order_line(order, last);
	return there > declared &&
	       dwarf_offdie(dwarf_cu_getdwarf(die.cu), order->function, &function) &&
	       is_declared_in(&function, &die, there, 0);
}

/* ---- What makes a value, and what needs it ---- */

/* Does the place begin behind an instruction that writes a register of it? */
static bool is_made(const struct wt_dwarf_frame *frame,
		    const struct wt_dwarf_expression *expression,
		    const struct wt_dwarf_location *location)
{
	uint64_t before, at;

	if (!expression->listed || !wt_dwarf_before(frame, expression->from, &before))
		return false;
	for (size_t i = 0; i < location->used_count; i++)
		if (wt_dwarf_next_write(frame, location->used[i], before, expression->from, &at))
			return true;
	return false;
}

/*
 * Does the place end in front of the function's end though nothing writes to its registers there? Then the variable was assigned to, by
 * nothing that would be in the code: so nobody knows whether that comes before the pc in the source.
 */
static bool is_left(const struct wt_dwarf_frame *frame,
		    const struct wt_dwarf_expression *expression,
		    const struct wt_dwarf_location *location)
{
	uint64_t before, at;

	if (!expression->listed || expression->to >= frame->high)
		return false;
	if (!wt_dwarf_before(frame, expression->to, &before))
		return true;
	for (size_t i = 0; i < location->used_count; i++)
		if (wt_dwarf_next_write(frame, location->used[i], before, expression->to, &at))
			return false;
	return true;
}

/* Is the place there from the start of the function: something that was passed to it? */
static bool is_passed(const struct wt_dwarf_frame *frame,
		      const struct wt_dwarf_expression *expression)
{
	uint64_t before;

	return expression->from <= frame->low ||
	       (wt_dwarf_before(frame, expression->from, &before) && before == frame->low);
}

/* The bits of a register that a variable has there. */
static uint32_t location_bits(const struct wt_dwarf_type *type,
			      const struct wt_dwarf_location *location)
{
	if (location->count != 1 || location->pieces[0].place != WT_DWARF_AT_REGISTER ||
	    location->pieces[0].offset || !type->bits)
		return UINT32_MAX;
	/* A truth value that is no other than 0 or 1 is its first bit. */
	if (type->kind == WT_DWARF_TYPE_BOOLEAN)
		return 1;
	return type->bits < 32 ? (UINT32_C(1) << type->bits) - 1 : UINT32_MAX;
}

/* Does code from an address on read all registers of a place? And what does it need of each? @readers: NULL if all count. */
static struct wt_dwarf_demand location_demand(const struct wt_dwarf_frame *frame,
					      const struct wt_dwarf_location *location,
					      uint64_t from, const struct wt_dwarf_readers *readers)
{
	struct wt_dwarf_demand least = {true, UINT32_MAX};

	for (size_t i = 0; i < location->used_count; i++) {
		struct wt_dwarf_demand demand =
			wt_dwarf_demand(frame, location->used[i], from, readers);

		least.is_read &= demand.is_read;
		least.bits &= demand.bits;
	}
	return least;
}

#define MAX_LINES 512 /* between an assignment and the pc, and instructions: more have a gap */
#define GAP 5	      /* a loop of two lines, an assignment, and another loop */

/*
 * Blocks of which nothing remains are left out, and what was assigned in them is forgotten: the place of the variable goes on as if it had
 * not been. Finds the longest run of lines without code, where that may be, between what has made a register of the place and the pc; INT_MAX
 * if it is too far to see.
 */
static int order_gap(const struct wt_dwarf_order *order,
		     const struct wt_dwarf_expression *expression, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code), at, end;
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number);
	uint64_t from = last == UINT64_MAX ? frame->low : last;
	int first = wt_dwarf_order_line(order, from), longest = 0;
	bool has_code[MAX_LINES] = {false};
	Dwarf_Die function;

	/* A caller in whose code the function stands has made it: it is there from the first line on. */
	if (!first && dwarf_offdie(dwarf_cu_getdwarf(order->die->cu), order->function, &function) &&
	    dwarf_decl_line(&function, &first))
		first = 0;
	if (!first || order->here - first <= 1)
		return 0;
	at = wt_dwarf_instruction_from(code, count, from);
	end = wt_dwarf_instruction_from(code, count, frame->lookup);
	if (order->here - first > MAX_LINES || (end > at && end - at > MAX_LINES))
		return INT_MAX;
	for (; at < end; at++) {
		int line = wt_dwarf_order_line(order, code[at].address);

		if (line > first && line < order->here)
			has_code[line - first] = true;
	}
	for (int line = 1, gap = 0; line < order->here - first; line++) {
		gap = has_code[line] ? 0 : gap + 1;
		longest = gap > longest ? gap : longest;
	}
	return longest;
}

/* A copy that was made before keeps the register after an assignment that is forgotten: between two loops that are gone there is room for one. */
static bool is_behind_gap(const struct wt_dwarf_order *order,
			  const struct wt_dwarf_expression *expression, uint64_t number)
{
	return order_gap(order, expression, number) >= GAP;
}

/*
 * Was the only value that the variable has made right in front of the pc? One empty line may be between in straight code: what is forgotten
 * there has left one more, of the loop or the condition around it.
 */
static bool is_just_made(const struct wt_dwarf_order *order,
			 const struct wt_dwarf_expression *expression,
			 const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = order->frame;

	for (size_t i = 0; i < location->used_count; i++) {
		uint64_t last = wt_dwarf_place_last_write(frame, expression, location->used[i]);
		bool is_straight = last != UINT64_MAX && last >= order->from;

		if (order_gap(order, expression, location->used[i]) > is_straight)
			return false;
	}
	return expression->is_only;
}

/*
 * Does an instruction stand for what the source does behind the pc? One of an earlier line was moved, if no loop leads back to it: it
 * needs what the variable was there.
 */
static bool is_of_later_line(const void *opaque, uint64_t address)
{
	const struct wt_dwarf_order *order = opaque;
	int line = wt_dwarf_order_line(order, address);

	return !line || !order->here || line >= order->here || address <= order->round_end;
}

/*
 * Compilers keep what a register has as it is in the source as far as code needs it, and leave its name there even if none does: then what
 * computes it may be gone, or some of its bits, or the caller does not pass it. So a place is taken if all bits of it are needed from its
 * beginning on, and what was passed in any case, as long as code of a later line still reads it: behind the last read the variable may be
 * assigned to in a way that no instruction shows, but for a value that was just made.
 */
static bool location_is_needed(const struct wt_dwarf_order *order,
			       const struct wt_dwarf_expression *expression,
			       const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint32_t bits = location_bits(order->type, location);
	struct wt_dwarf_demand demand = location_demand(
		frame, location, expression->listed ? expression->from : frame->low, NULL);
	const struct wt_dwarf_readers later = {is_of_later_line, order};

	if (!demand.is_read)
		return false;
	if ((demand.bits & bits) == bits && is_just_made(order, expression, location))
		return true;
	return (is_passed(frame, expression) || (demand.bits & bits) == bits) &&
	       location_demand(frame, location, frame->pc, &later).is_read;
}

/*
 * A constant is in no register that would be given to something else, so its place ends only where the compiler says so, and it does not
 * say so of all that it leaves out. It is taken if no line of the source, where another assignment may be, is between the place's
 * beginning and the pc.
 */
static bool is_fresh(const struct wt_dwarf_order *order,
		     const struct wt_dwarf_expression *expression)
{
	uint64_t before;
	int first;

	if (expression->from < order->from || expression->from > order->frame->lookup)
		return false;
	first = wt_dwarf_before(order->frame, expression->from, &before)
			? wt_dwarf_order_line(order, before)
			: wt_dwarf_order_line(order, expression->from);
	return first && order->here && order->here >= first && order->here - first <= 1;
}

/*
 * Is a parameter of a kernel described by a register that has what the kernel was started with, or a copy of that? Kernels find their
 * arguments in memory.
 */
static bool is_input(const struct wt_dwarf_order *order, const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t at;

	if (!frame->is_kernel || dwarf_tag(order->die) != DW_TAG_formal_parameter ||
	    order->function != dwarf_dieoffset((Dwarf_Die *)(uintptr_t)&frame->function))
		return false;
	for (size_t i = 0; i < location->used_count; i++) {
		at = wt_dwarf_last_write(frame, location->used[i], frame->low, frame->lookup);
		if (location->used[i] >= WT_DWARF_VGPR_32 &&
		    (at == UINT64_MAX ||
		     wt_dwarf_order_line(order, at) == wt_dwarf_order_line(order, frame->low)))
			return true;
	}
	return false;
}

/* Do instructions need all of what a register was given by the last write in front of where the place begins, or by the caller? */
static bool is_needed_whole(const struct wt_dwarf_order *order,
			    const struct wt_dwarf_expression *expression,
			    const struct wt_dwarf_location *location, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	const struct wt_dwarf_instruction *code;
	size_t count = wt_dwarf_function_code(frame, frame->high, &code);
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number);
	size_t at = wt_dwarf_instruction_at(code, count, last);
	uint32_t bits = location_bits(order->type, location);
	struct wt_dwarf_demand demand;

	if (last != UINT64_MAX && at == count)
		return false;
	demand = wt_dwarf_demand(frame, number,
				 last == UINT64_MAX ? frame->low : last + code[at].size, NULL);
	return demand.is_read && (is_passed(frame, expression) || (demand.bits & bits) == bits);
}

/*
 * Registers are given before code is put in its last order, and places are not moved with it; and a place may be that of a parameter that
 * nothing reads, whose register has been given away. So what was written last in front of the place has to be a part of the
 * declaration, or nothing, as of what was passed: parameters are declared in one line. No part of it may stand behind the pc, nor
 * what a line in front of that does, nor what the next round of a loop would write.
 */
static bool is_exchanged(const struct wt_dwarf_order *order,
			 const struct wt_dwarf_expression *expression,
			 const struct wt_text_variable *lines, uint64_t number)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t last = wt_dwarf_place_last_write(frame, expression, number), at = frame->lookup;
	int line;

	if (last != UINT64_MAX) {
		line = wt_dwarf_order_line(order, last);
		if (line < lines->first || line > lines->last ||
		    dwarf_tag(order->die) == DW_TAG_formal_parameter)
			return true;
	}
	for (; wt_dwarf_next_write(frame, number, at, frame->high, &at); at++) {
		line = wt_dwarf_order_line(order, at);
		if ((lines->first <= line && line <= lines->last) || at <= order->round_end ||
		    (at < order->to && line < order->here))
			return true;
	}
	return false;
}

/*
 * A variable that the source gives one value, once only, has no other one: no order of instructions makes its place that of another
 * value, and no assignment can have been left out. It has to be in its place, though: something needs all of it, no part of it is
 * computed anew of what else is there, nothing has written there since, and no other code has come in
 * between.
 */
static const char *check_one_value(const struct wt_dwarf_order *order,
				   const struct wt_dwarf_expression *expression,
				   const struct wt_dwarf_location *location,
				   const struct wt_text_variable *lines)
{
	const struct wt_dwarf_frame *frame = order->frame;
	uint64_t from = expression->listed ? expression->from : frame->low, at;

	for (size_t i = 0; i < location->used_count; i++)
		if (!is_needed_whole(order, expression, location, location->used[i]))
			return WT_DWARF_NOT_NEEDED;
	if (is_computed(expression, location) || is_input(order, location))
		return MOVED;
	for (size_t i = 0; i < location->used_count; i++) {
		uint64_t number = location->used[i];
		uint64_t last = wt_dwarf_place_last_write(frame, expression, number);

		if (is_kept_in(order, number) || wt_dwarf_is_of_turned_round(order, number) ||
		    is_exchanged(order, expression, lines, number) ||
		    wt_dwarf_next_write(frame, number, from, frame->lookup, &at) ||
		    (last != UINT64_MAX && is_choice(frame, last)))
			return MOVED;
	}
	return NULL;
}

/*
 * Instructions are moved, and the places of variables with them. In straight code, is the value here one that the source assigns
 * later, or is one assigned later that the source has assigned already?
 */
static const char *check_order(const struct wt_dwarf_context *context, Dwarf_Off function,
			       Dwarf_Die *die, const struct wt_dwarf_type *type,
			       const struct wt_dwarf_expression *expression,
			       const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = context->frame;
	struct wt_dwarf_order order = {
		.context = context, .die = die, .type = type, .frame = frame, .function = function};
	struct wt_text_variable text;
	bool moved, single;

	if (location->used_more || !wt_dwarf_block(frame, &order.from, &order.to))
		return WT_DWARF_UNKNOWN "it is trusted only where the code can be decoded";
	order.here = wt_dwarf_order_line(&order, frame->lookup);
	order.round_end = frame_round_end(frame);
	if (location->used_count && wt_dwarf_has_one_value(context, function, die, type, &text) &&
	    text.is_once)
		return check_one_value(&order, expression, location, &text);
	/* The one value that one instruction makes is that, in whatever order the others are. */
	single = expression->is_only && is_made(frame, expression, location);
	if (location->used_count && !location_is_needed(&order, expression, location))
		return WT_DWARF_NOT_NEEDED;
	moved = (is_computed(expression, location) &&
		 (expression->listed || is_ever_written(frame, location))) ||
		(!location->used_count && !is_fresh(&order, expression)) ||
		(expression->listed && location->used_count && is_assigned_behind(&order)) ||
		(location->used_count && is_left(frame, expression, location)) ||
		(!expression->listed && !is_one_value(&order, expression, location)) ||
		is_torn(&order, expression, location) ||
		(!single && is_moved(&order, expression)) || is_input(&order, location) ||
		(is_remark(&order, expression, location) &&
		 !is_certain_remark(&order, expression, location));
	for (size_t i = 0; i < location->used_count && !moved; i++)
		moved = is_of_this_line(&order, expression, location->used[i]) ||
			is_kept_in(&order, location->used[i]) ||
			is_written(&order, expression, location->used[i]) ||
			is_written_later(&order, expression, location->used[i]) ||
			is_copied(&order, expression, location->used[i]) ||
			is_behind_gap(&order, expression, location->used[i]) ||
			wt_dwarf_is_of_other_round(&order, expression, location->used[i], single);
	return moved ? MOVED : NULL;
}

/* Is a part of it in the frame, of which the function has not made all yet? */
static bool is_too_early(const struct wt_dwarf_frame *frame,
			 const struct wt_dwarf_location *location)
{
	for (size_t i = 0; i < location->count; i++)
		if (location->pieces[i].place == WT_DWARF_AT_MEMORY &&
		    location->pieces[i].space == GFX_SPACE_PRIVATE_LANE)
			return frame->lookup < wt_dwarf_body_start(frame);
	return false;
}

/*
 * May a constant of a type be but a part of the value? Of a whole number that code needs a few bits of, compilers compute those alone, and
 * where those are the same in any case they name that constant: 5 for `x << 8 | 5`, also of a variable that is const. Pointers are no such
 * numbers to them.
 */
static bool type_is_reduced(const struct wt_dwarf_type *type)
{
	return type->kind != WT_DWARF_TYPE_BOOLEAN && type->kind != WT_DWARF_TYPE_FLOAT &&
	       type->kind != WT_DWARF_TYPE_POINTER;
}

/* Why the compiler's word may be true somewhere else only; NULL if it is true here. */
const char *wt_dwarf_distrust(const struct wt_dwarf_context *context, Dwarf_Off function,
			      Dwarf_Die *die, const struct wt_dwarf_type *type,
			      const struct wt_dwarf_expression *expression,
			      const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = context->frame;
	bool constant =
		location_has_value(location) && !location->used_count && !location->used_entry;
	struct wt_text_variable text;

	/* Whose text is at hand has its value from that. */
	if (constant && wt_dwarf_has_one_value(context, function, die, type, &text))
		return WT_DWARF_ONLY_A_CONSTANT;
	if (constant && type->is_constant && (!expression->listed || expression->is_only))
		return type_is_reduced(type) ? WT_DWARF_ONLY_A_CONSTANT : NULL;
	if (expression->listed && constant && wt_dwarf_may_loop(frame, expression->from))
		return WT_DWARF_OPTIMIZED_OUT ": only a value from before the loop is described";
	if (expression->listed)
		return check_order(context, function, die, type, expression, location);
	if (constant && location_is_constant(location))
		return WT_DWARF_ONLY_A_CONSTANT;
	if (is_too_early(frame, location))
		return WT_DWARF_UNKNOWN "the function has not begun its body yet";
	for (size_t i = 0; i < location->used_count; i++)
		if (location->used_more || !wt_dwarf_is_settled(frame, location->used[i]))
			return WT_DWARF_UNKNOWN "its register may not have its value yet";
	if (location->used_count) {
		/* The place holds in all of the scope, so in all code. */
		struct wt_dwarf_expression all = *expression;

		all.from = frame->low;
		all.to = frame->high;
		all.is_only = true;
		return check_order(context, function, die, type, &all, location);
	}
	return NULL;
}
