/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/variable.h"

#include <dwarf.h>
#include <string.h>

#include "replayer/dwarf/code.h"
#include "replayer/dwarf/scope.h"

#define ONLY_A_CONSTANT WT_DWARF_OPTIMIZED_OUT ": only a constant that it had is described"

static void set_constant(struct wt_dwarf_location *location, Dwarf_Attribute *attribute)
{
	struct wt_dwarf_piece *piece = location->pieces;
	Dwarf_Block block;
	Dwarf_Word value;
	Dwarf_Sword number;

	location->count = 1;
	*piece = (struct wt_dwarf_piece){.place = WT_DWARF_AT_VALUE, .bits = UINT64_MAX};
	if (!dwarf_formblock(attribute, &block)) {
		piece->data = block.data;
		piece->size = block.length;
		return;
	}
	if (!dwarf_formsdata(attribute, &number))
		value = (Dwarf_Word)number;
	else if (dwarf_formudata(attribute, &value)) {
		wt_dwarf_location_unknown(location,
					  WT_DWARF_UNKNOWN "the debug information is broken");
		return;
	}
	piece->size = 8;
	for (size_t i = 0; i < 8; i++)
		piece->value[i] = (uint8_t)(value >> 8 * i);
}

static bool is_constant(const struct wt_dwarf_location *location)
{
	if (location->used_count || location->used_entry)
		return false;
	for (size_t i = 0; i < location->count; i++)
		if (location->pieces[i].place != WT_DWARF_AT_VALUE)
			return false;
	return true;
}

static bool has_value(const struct wt_dwarf_location *location)
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

/* Where straight code around the pc is, and which function's lines count. */
struct order {
	const struct wt_dwarf_context *context;
	Dwarf_Die *die; /* of the variable */
	const struct wt_dwarf_frame *frame;
	Dwarf_Off function;
	uint64_t from, to;
	int here; /* the line of the pc */
	bool is_round_known, is_later_round;
};

static int line_at(const struct order *order, uint64_t address)
{
	return wt_dwarf_line_in(order->frame->object, order->function, address);
}

static bool is_same_operation(const struct wt_dwarf_instruction *a,
			      const struct wt_dwarf_instruction *b)
{
	size_t length = a->text ? strcspn(a->text, " ") : 0;

	return length && b->text && strcspn(b->text, " ") == length &&
	       !strncmp(a->text, b->text, length);
}

/*
 * Loops of a few rounds become straight code, in which a line of the source comes again. Behind code of later lines, or another copy
 * of the instruction, the pc may be in a later round: then what a later line does behind it may belong in front of it.
 */
static bool is_later_round(struct order *order)
{
	const struct wt_dwarf_instruction *code, *here = NULL;
	size_t count;

	if (order->is_round_known)
		return order->is_later_round;
	order->is_round_known = true;
	count = wt_dwarf_function_code(order->frame, order->frame->high, &code);
	for (size_t i = 0; i < count && !here; i++)
		if (code[i].address + code[i].size > order->frame->lookup)
			here = &code[i];
	order->is_later_round = !here;
	for (size_t i = 0; here && &code[i] < here && !order->is_later_round; i++) {
		int line;

		if (code[i].address < order->from)
			continue;
		line = line_at(order, code[i].address);
		order->is_later_round = line > order->here ||
					(line == order->here && is_same_operation(&code[i], here));
	}
	return order->is_later_round;
}

/* Does the place of the variable change in front of the pc by a line that comes later, or behind it by one that came before? */
static bool is_moved(struct order *order, const struct wt_dwarf_expression *expression)
{
	uint64_t before;

	if (expression->to <= order->to && wt_dwarf_before(order->frame, expression->to, &before) &&
	    before > order->frame->lookup &&
	    (is_early(line_at(order, before), order->here) || is_later_round(order)))
		return true;
	return expression->from > order->from &&
	       wt_dwarf_before(order->frame, expression->from, &before) &&
	       is_late(line_at(order, before), order->here);
}

/* The same of writes to a register that it is in. */
static bool is_written(struct order *order, const struct wt_dwarf_expression *expression,
		       uint64_t number)
{
	uint64_t from = expression->from > order->from ? expression->from : order->from;
	uint64_t to = expression->to < order->to ? expression->to : order->to;
	uint64_t at;

	for (at = from; wt_dwarf_next_write(order->frame, number, at, to, &at); at++) {
		int there = line_at(order, at);

		if (at < order->frame->lookup
			    ? is_late(there, order->here)
			    : is_early(there, order->here) || is_later_round(order))
			return true;
	}
	return false;
}

#define MAX_WRITES 64

/*
 * In a loop that became straight code an instruction of the pc's line comes once for each round. Then a register that has been written
 * in front of the pc has the value of this round only if the rounds are alike: if what is written between one copy of the pc's
 * instruction and the next is written by the same lines each time. Else a write of a later round may stand in front of the pc.
 */
static bool has_unlike_rounds(const struct order *order, uint64_t number)
{
	const struct wt_dwarf_instruction *code, *here = NULL;
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);
	struct {
		int line;
		size_t round;
	} writes[MAX_WRITES];
	struct wt_dwarf_name name;
	size_t rounds = 0, found = 0;

	for (size_t i = 0; i < count && !here; i++)
		if (code[i].address + code[i].size > order->frame->lookup)
			here = &code[i];
	if (!here || !wt_dwarf_name(number, &name))
		return true;
	for (size_t i = 0; i < count; i++) {
		if (code[i].address < order->from || code[i].address >= order->to)
			continue;
		if (is_same_operation(&code[i], here) &&
		    line_at(order, code[i].address) == order->here)
			rounds++;
		else if (wt_dwarf_writes(&code[i], name)) {
			if (found == MAX_WRITES)
				return true;
			writes[found].line = line_at(order, code[i].address);
			writes[found++].round = rounds;
		}
	}
	for (size_t i = 0; i < found && rounds > 1; i++) {
		/* What stands behind the last copy belongs to no round. */
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

/* ---- Remarks ---- */

/*
 * A remark is a place that no instruction makes: a constant that the variable has from some address on, or a register that was
 * another variable's. Compilers move instructions, and merge them, and a remark stays where its neighbours went: of a loop that
 * became straight code, the constants of several rounds may come to lie behind each other, or in another order.
 *
 * A remark that stands in the straight code around the pc, in front of it, is taken only if one of these holds:
 * - It stands right in front of the pc's own instruction.
 * - It is the only place that the variable ever has, in a register that is written once and not in a loop, or never: whatever the
 *   order is, there is one value.
 * - The lines of the code are in the order of the source around the pc: so nothing has been moved over it.
 * - The constants of the variable count by one, up or down, in at least three steps: no round is missing or in another place.
 */
static bool is_remark(const struct order *order, const struct wt_dwarf_expression *expression,
		      const struct wt_dwarf_location *location)
{
	uint64_t before, at;

	if (expression->from <= order->from || expression->from == order->frame->lookup ||
	    !wt_dwarf_before(order->frame, expression->from, &before))
		return false;
	for (size_t i = 0; i < location->used_count; i++)
		if (wt_dwarf_next_write(order->frame, location->used[i], before, expression->from,
					&at))
			return false;
	return true;
}

/* Has the variable one place only, in registers that keep one value? */
static bool is_one_value(const struct wt_dwarf_frame *frame,
			 const struct wt_dwarf_expression *expression,
			 const struct wt_dwarf_location *location)
{
	uint64_t at;

	for (size_t i = 0; i < location->used_count; i++)
		if (wt_dwarf_next_write(frame, location->used[i], frame->low, expression->to,
					&at) &&
		    (wt_dwarf_may_loop(frame, 0) ||
		     wt_dwarf_next_write(frame, location->used[i], at + 1, expression->to, &at)))
			return false;
	return expression->is_only && location->used_count;
}

/*
 * Are the lines of straight code those of the source: none in front of the pc that comes later, none behind it that comes before, and
 * not the same once more? Else code was moved over the pc, or is that of another round.
 */
static bool is_sorted(const struct order *order)
{
	const struct wt_dwarf_instruction *code, *here = NULL;
	size_t count = wt_dwarf_function_code(order->frame, order->frame->high, &code);

	for (size_t i = 0; i < count && !here; i++)
		if (code[i].address + code[i].size > order->frame->lookup)
			here = &code[i];
	for (size_t i = 0; i < count; i++) {
		int line;

		if (code[i].address < order->from || code[i].address >= order->to ||
		    &code[i] == here)
			continue;
		line = line_at(order, code[i].address);
		if ((line == order->here && is_same_operation(&code[i], here)) ||
		    (code[i].address < here->address ? line > order->here
						     : line && line < order->here))
			return false;
	}
	return here;
}

static bool find_number(const struct order *order, const struct wt_dwarf_expression *expression,
			uint64_t *number_ret)
{
	struct wt_dwarf_location location = {0};
	const struct wt_dwarf_piece *piece = location.pieces;

	wt_dwarf_evaluate(order->context, expression->bytes, &location);
	if (location.count != 1 || !is_constant(&location) || piece->data || !piece->size)
		return false;
	*number_ret = 0;
	for (size_t i = 0; i < piece->size && i < 8; i++)
		*number_ret |= (uint64_t)piece->value[i] << 8 * i;
	return true;
}

/* Do all places of the variable in the straight code count by one? */
static bool is_counting(const struct order *order)
{
	struct wt_dwarf_expression expression;
	uint64_t number, last = 0, step = 0;
	size_t count = 0;

	for (size_t i = 0; wt_dwarf_location_entry(order->context->unit, order->die, DW_AT_location,
						   i, &expression) == WT_DWARF_FOUND;
	     i++) {
		if (expression.to <= order->from || expression.from >= order->to)
			continue;
		if (!find_number(order, &expression, &number))
			return false;
		if (count == 1)
			step = number - last;
		else if (count > 1 && number - last != step)
			return false;
		last = number;
		count++;
	}
	return count >= 3 && (step == 1 || step == UINT64_MAX);
}

/*
 * Instructions are moved, and the places of variables with them. In straight code, is the value here one that the source assigns
 * later, or is one assigned later that the source has assigned already?
 */
static const char *check_order(const struct wt_dwarf_context *context, Dwarf_Off function,
			       Dwarf_Die *die, const struct wt_dwarf_expression *expression,
			       const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = context->frame;
	struct order order = {.context = context, .die = die, .frame = frame, .function = function};
	bool moved;

	if (location->used_more || !wt_dwarf_block(frame, &order.from, &order.to))
		return WT_DWARF_UNKNOWN "it is trusted only where the code can be decoded";
	order.here = line_at(&order, frame->lookup);
	moved = is_moved(&order, expression) || (is_remark(&order, expression, location) &&
						 !is_one_value(frame, expression, location) &&
						 !is_sorted(&order) && !is_counting(&order));
	for (size_t i = 0; i < location->used_count && !moved; i++)
		moved = is_written(&order, expression, location->used[i]) ||
			has_unlike_rounds(&order, location->used[i]);
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

/* Why the compiler's word may be true somewhere else only; NULL if it is true here. */
static const char *distrust(const struct wt_dwarf_context *context, Dwarf_Off function,
			    Dwarf_Die *die, const struct wt_dwarf_type *type,
			    const struct wt_dwarf_expression *expression,
			    const struct wt_dwarf_location *location)
{
	const struct wt_dwarf_frame *frame = context->frame;
	bool constant = has_value(location) && !location->used_count && !location->used_entry;

	if (constant && type->is_constant)
		return NULL;
	if (expression->listed && constant && wt_dwarf_may_loop(frame, expression->from))
		return WT_DWARF_OPTIMIZED_OUT ": only a value from before the loop is described";
	if (expression->listed)
		return check_order(context, function, die, expression, location);
	if (constant && is_constant(location))
		return ONLY_A_CONSTANT;
	if (is_too_early(frame, location))
		return WT_DWARF_UNKNOWN "the function has not begun its body yet";
	for (size_t i = 0; i < location->used_count; i++)
		if (location->used_more || !wt_dwarf_is_settled(frame, location->used[i]))
			return WT_DWARF_UNKNOWN "its register may not have its value yet";
	return NULL;
}

/* ---- Memory of optimised code ---- */

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
#define MAX_STORES 64

static bool is_among(const struct wt_dwarf_bytes *stores, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (stores[i].from <= address && address < stores[i].to)
			return true;
	return false;
}

/*
 * A variable that is in memory for all of its scope is there as far as something stores it: what nothing reads any more, optimised
 * code does not store, and the memory has what was there before. So a byte is taken only if it was stored for certain: by the
 * function's code in any case, or on the way of the wave.
 */
static void doubt_memory(const struct wt_dwarf_context *context, const struct wt_dwarf_type *type,
			 struct wt_dwarf_location *location)
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

static bool has_array(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
		      unsigned int depth)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;

	if (type->kind == WT_DWARF_TYPE_ARRAY)
		return !type->is_vector;
	if (type->kind != WT_DWARF_TYPE_STRUCT || depth > 8)
		return depth > 8;
	while (wt_dwarf_member_next(type, unit, &state, &member))
		if (has_array(&member.type, unit, depth + 1))
			return true;
	return false;
}

/*
 * Of an array in parts, those that are in registers or known by value: what is assigned through an index that is not a constant
 * is not followed there.
 */
static void drop_parts(struct wt_dwarf_location *location)
{
	for (size_t i = 0; i < location->count && location->count > 1; i++) {
		struct wt_dwarf_piece *piece = &location->pieces[i];

		if (piece->place != WT_DWARF_AT_VALUE && piece->place != WT_DWARF_AT_REGISTER)
			continue;
		piece->place = WT_DWARF_AT_UNKNOWN;
		piece->why =
			WT_DWARF_OPTIMIZED_OUT ": changes of a part of an array are not described";
	}
}

static void find_constant(Dwarf_Die *die, const struct wt_dwarf_type *type,
			  struct wt_dwarf_location *location)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &attribute))
		wt_dwarf_location_unknown(location, WT_DWARF_OPTIMIZED_OUT);
	else if (type->is_constant)
		set_constant(location, &attribute);
	else
		wt_dwarf_location_unknown(location, ONLY_A_CONSTANT);
}

void wt_dwarf_variable_find(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
			    Dwarf_Off function, Dwarf_Die *die, const struct wt_dwarf_type *type,
			    uint32_t lane, struct wt_dwarf_trust *trust,
			    struct wt_dwarf_location *location)
{
	const struct wt_dwarf_context context = {
		.frame = frame,
		.unit = unit,
		.lane = lane,
		.object_bits = type->bits,
		.is_boolean = type->kind == WT_DWARF_TYPE_BOOLEAN,
	};
	struct wt_dwarf_expression expression;

	location->count = location->used_count = 0;
	location->used_more = location->used_entry = false;
	location->doubt = NULL;
	switch (wt_dwarf_location_find(unit, die, DW_AT_location, frame->lookup, &expression)) {
	case WT_DWARF_FOUND:
		break;
	case WT_DWARF_BROKEN:
		wt_dwarf_location_unknown(location,
					  WT_DWARF_UNKNOWN "the debug information is broken");
		return;
	case WT_DWARF_NONE:
		find_constant(die, type, location);
		return;
	}
	wt_dwarf_evaluate(&context, expression.bytes, location);
	if (location->count == 1 && location->pieces[0].place == WT_DWARF_AT_UNKNOWN)
		return;
	if (!trust->known)
		trust->why = distrust(&context, function, die, type, &expression, location);
	trust->known = true;
	if (trust->why)
		wt_dwarf_location_unknown(location, trust->why);
	else if (!expression.listed && location->count == 1)
		doubt_memory(&context, type, location);
	else if (has_array(type, unit, 0))
		drop_parts(location);
}

/* ---- Numbers ---- */

static double half_to_double(uint16_t half)
{
	unsigned int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
	double value = fraction / 1024.0;

	if (exponent == 0x1f)
		value = fraction ? __builtin_nan("") : __builtin_inf();
	else
		value = __builtin_ldexp(exponent ? 1 + value : value,
					exponent ? (int)exponent - 15 : -14);
	return half >> 15 ? -value : value;
}

static const char *set_real(struct wt_dwarf_scalar *scalar)
{
	union {
		uint64_t bits;
		double real;
	} whole = {.bits = scalar->number};
	union {
		uint32_t bits;
		float real;
	} single = {.bits = (uint32_t)scalar->number};

	switch (scalar->bits) {
	case 16:
		scalar->real = half_to_double((uint16_t)scalar->number);
		return NULL;
	case 32:
		scalar->real = (double)single.real;
		return NULL;
	case 64:
		scalar->real = whole.real;
		return NULL;
	default:
		return WT_DWARF_UNKNOWN "a floating point type that is not known here";
	}
}

const char *wt_dwarf_scalar_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				 const struct wt_dwarf_type *type,
				 const struct wt_dwarf_location *location, uint64_t offset,
				 uint64_t bits, struct wt_dwarf_scalar *scalar)
{
	uint8_t bytes[8] = {0};
	const char *why;

	*scalar = (struct wt_dwarf_scalar){.kind = type->kind,
					   .bits = (unsigned int)bits,
					   .has_space = type->has_space,
					   .space = type->space,
					   .is_signed = type->is_signed};
	if (!bits || bits > 64)
		return WT_DWARF_UNKNOWN "its type has a size that is not known here";
	why = wt_dwarf_read(frame, lane, location, offset, bits, bytes);
	if (why)
		return why;
	for (size_t i = 0; i < sizeof(bytes); i++)
		scalar->number |= (uint64_t)bytes[i] << 8 * i;
	if (type->kind == WT_DWARF_TYPE_SIGNED || type->is_signed)
		if (bits < 64 && scalar->number >> (bits - 1))
			scalar->number |= UINT64_MAX << bits;
	if (type->kind == WT_DWARF_TYPE_BOOLEAN && scalar->number > 1)
		return WT_DWARF_UNKNOWN "what is described is no truth value";
	if (type->kind == WT_DWARF_TYPE_ENUM)
		scalar->name = wt_dwarf_enumerator(type, scalar->number);
	return type->kind == WT_DWARF_TYPE_FLOAT ? set_real(scalar) : NULL;
}

/* ---- Objects ---- */

#define MAX_DEPTH 24

struct show {
	const struct wt_dwarf_frame *frame;
	struct wt_dwarf_unit *unit;
	uint32_t lane;
	const struct wt_dwarf_location *location;
	const struct wt_dwarf_sink *sink;
	size_t left; /* how many more numbers are shown */
};

static void show(struct show *to, const struct wt_dwarf_type *type, uint64_t offset, uint64_t bits,
		 unsigned int depth);

static void show_scalar(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
			uint64_t bits)
{
	struct wt_dwarf_scalar scalar;
	const char *why = wt_dwarf_scalar_read(to->frame, to->lane, type, to->location, offset,
					       bits, &scalar);

	if (why)
		to->sink->unknown(to->sink->opaque, why);
	else
		to->sink->scalar(to->sink->opaque, &scalar);
}

/* An array of characters, if it is text: up to the first that is zero. */
static bool show_text(struct show *to, const struct wt_dwarf_type *element, uint64_t count,
		      uint64_t offset)
{
	uint8_t text[WT_DWARF_MAX_ELEMENTS];
	size_t length = 0;

	if (element->kind != WT_DWARF_TYPE_CHARACTER || element->bits != 8 || !count ||
	    count > sizeof(text) ||
	    wt_dwarf_read(to->frame, to->lane, to->location, offset, count * 8, text))
		return false;
	while (length < count && text[length])
		if (text[length++] >= 0x7f)
			return false;
	/* What stands behind the end would be lost. */
	for (size_t i = length; i < count; i++)
		if (text[i])
			return false;
	to->sink->text(to->sink->opaque, (const char *)text, length);
	return true;
}

static void show_array(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
		       unsigned int depth)
{
	const struct wt_dwarf_sink *sink = to->sink;
	struct wt_dwarf_type element;
	uint64_t count, shown;

	wt_dwarf_type_target(type, to->unit, &element);
	if (!wt_dwarf_type_count(type, &count) || !element.bits) {
		sink->unknown(sink->opaque, WT_DWARF_UNKNOWN "the size of the array is not known");
		return;
	}
	if (show_text(to, &element, count, offset))
		return;
	shown = count < WT_DWARF_MAX_ELEMENTS ? count : WT_DWARF_MAX_ELEMENTS;
	sink->open(sink->opaque, true);
	for (uint64_t i = 0; i < shown && to->left; i++)
		show(to, &element, offset + i * element.bits, element.bits, depth + 1);
	if (shown < count)
		sink->more(sink->opaque, count - shown);
	sink->close(sink->opaque);
}

/*
 * The place of a virtual base: compilers describe it by an offset that is found through the object's first pointer and added to the
 * object's address, which stays on the stack for that. The offset alone says where it is.
 */
const char *wt_dwarf_member_place(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
				  uint32_t lane, const struct wt_dwarf_location *location,
				  uint64_t offset, const struct wt_dwarf_member *member,
				  uint64_t *offset_ret)
{
	struct wt_dwarf_piece object = {.place = WT_DWARF_AT_MEMORY, .bits = UINT64_MAX};
	const struct wt_dwarf_context context = {
		.frame = frame, .unit = unit, .lane = lane, .initial = &object};
	struct wt_cursor place = member->place;
	uint64_t distance;
	uint8_t pointer[8];
	const char *why;

	*offset_ret = offset + member->offset;
	if (!member->is_virtual)
		return NULL;
	if (!place.remaining || place.data[place.remaining - 1] != DW_OP_plus ||
	    !wt_dwarf_address(location, offset, &object.space, &object.address))
		return WT_DWARF_UNKNOWN "where this virtual base is, is not known here";
	/* The pointer has to be the object's. */
	why = wt_dwarf_read(frame, lane, location, offset, 64, pointer);
	if (!why) {
		place.remaining--;
		why = wt_dwarf_evaluate_number(&context, place, &distance);
	}
	if (why)
		return why;
	if (distance > INT32_MAX)
		return WT_DWARF_UNKNOWN "this virtual base does not lie behind the object";
	*offset_ret = offset + 8 * distance;
	return NULL;
}

static void show_struct(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
			unsigned int depth)
{
	const struct wt_dwarf_sink *sink = to->sink;
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	char name[WT_DWARF_MAX_TYPE];

	sink->open(sink->opaque, false);
	while (to->left && wt_dwarf_member_next(type, to->unit, &state, &member)) {
		uint64_t place;
		const char *why = wt_dwarf_member_place(to->frame, to->unit, to->lane, to->location,
							offset, &member, &place);

		sink->member(sink->opaque, wt_dwarf_member_label(type, to->unit, &member, name));
		if (why)
			sink->unknown(sink->opaque, why);
		else
			show(to, &member.type, place, member.bits, depth + 1);
	}
	sink->close(sink->opaque);
}

static void show(struct show *to, const struct wt_dwarf_type *type, uint64_t offset, uint64_t bits,
		 unsigned int depth)
{
	const struct wt_dwarf_sink *sink = to->sink;

	if (depth > MAX_DEPTH || !to->left) {
		sink->unknown(sink->opaque, WT_DWARF_UNKNOWN "it is too large to be shown");
		return;
	}
	to->left--;
	switch (type->kind) {
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_FUNCTION:
		sink->unknown(sink->opaque,
			      WT_DWARF_UNKNOWN "it has a type that is not known here");
		return;
	case WT_DWARF_TYPE_ARRAY:
		show_array(to, type, offset, depth);
		return;
	case WT_DWARF_TYPE_STRUCT:
		show_struct(to, type, offset, depth);
		return;
	case WT_DWARF_TYPE_SIGNED:
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_BOOLEAN:
	case WT_DWARF_TYPE_CHARACTER:
	case WT_DWARF_TYPE_FLOAT:
	case WT_DWARF_TYPE_ENUM:
	case WT_DWARF_TYPE_POINTER:
		show_scalar(to, type, offset, bits);
		return;
	}
}

void wt_dwarf_show(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit, uint32_t lane,
		   const struct wt_dwarf_type *type, const struct wt_dwarf_location *location,
		   uint64_t offset, const struct wt_dwarf_sink *sink)
{
	struct show to = {.frame = frame,
			  .unit = unit,
			  .lane = lane,
			  .location = location,
			  .sink = sink,
			  .left = WT_DWARF_MAX_SCALARS};

	/* One reason for the whole is enough. */
	if (location->count == 1 && location->pieces[0].place == WT_DWARF_AT_UNKNOWN)
		sink->unknown(sink->opaque, location->pieces[0].why);
	else
		show(&to, type, offset, type->bits, 0);
}
