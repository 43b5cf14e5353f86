/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/variable.h"

#include <dwarf.h>
#include <string.h>

#include "replayer/dwarf/doubt-memory.h"
#include "replayer/dwarf/one-value.h"
#include "replayer/dwarf/trust.h"

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
 * Drops those parts of an array that are in registers or known by value: assignments through an index that is not a
 * constant are not followed there.
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

static void find_constant(const struct wt_dwarf_context *context, Dwarf_Off function,
			  Dwarf_Die *die, const struct wt_dwarf_type *type,
			  struct wt_dwarf_location *location)
{
	struct wt_text_variable text;
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &attribute))
		wt_dwarf_location_unknown(location, WT_DWARF_OPTIMIZED_OUT);
	else if (type->is_constant && !wt_dwarf_has_one_value(context, function, die, type, &text))
		set_constant(location, &attribute);
	else
		wt_dwarf_location_unknown(location, WT_DWARF_ONLY_A_CONSTANT);
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
		find_constant(&context, function, die, type, location);
		return;
	}
	wt_dwarf_evaluate(&context, expression.bytes, location);
	if (location->count == 1 && location->pieces[0].place == WT_DWARF_AT_UNKNOWN)
		return;
	if (!trust->known)
		trust->why =
			wt_dwarf_distrust(&context, function, die, type, &expression, location);
	trust->known = true;
	if (trust->why)
		wt_dwarf_location_unknown(location, trust->why);
	else if (!expression.listed && location->count == 1)
		wt_dwarf_doubt_memory(&context, function, type, location);
	else if (has_array(type, unit, 0))
		drop_parts(location);
}

/* ---- Numbers ---- */

const char *wt_dwarf_scalar_integer(const struct wt_dwarf_scalar *scalar,
				    char text[WT_DWARF_INTEGER_MAX])
{
	bool is_signed = scalar->kind == WT_DWARF_TYPE_SIGNED || scalar->is_signed;
	bool negative = is_signed && (scalar->bits > 64 ? scalar->high : scalar->number) >> 63;
	unsigned __int128 rest = scalar->bits > 64 ? (unsigned __int128)scalar->high << 64 : 0;
	char *at = text + WT_DWARF_INTEGER_MAX - 1;

	rest |= scalar->number;
	if (negative)
		rest = scalar->bits > 64 ? -rest : (unsigned __int128)(0 - (uint64_t)rest);
	*at = '\0';
	do {
		*--at = (char)('0' + (int)(rest % 10));
		rest /= 10;
	} while (rest);
	if (negative)
		*--at = '-';
	return at;
}

static const char *set_real(struct wt_dwarf_scalar *scalar)
{
	if (!wt_real_is_known(scalar->form, scalar->bits))
		return WT_DWARF_UNKNOWN "a floating point type that is not known here";
	scalar->real = wt_real_of(scalar->form, scalar->bits, scalar->number);
	return NULL;
}

void wt_dwarf_scalar_enumerate(struct wt_dwarf_scalar *scalar, const struct wt_dwarf_type *type)
{
	scalar->name = wt_dwarf_enumerator(type, scalar->number);
	scalar->flags[0] = '\0';
	if (!scalar->name && !wt_dwarf_flags(type, scalar->number, scalar->flags))
		scalar->flags[0] = '\0';
}

const char *wt_dwarf_scalar_word(const struct wt_dwarf_scalar *scalar)
{
	if (scalar->kind != WT_DWARF_TYPE_ENUM)
		return NULL;
	return scalar->name ? scalar->name : scalar->flags[0] ? scalar->flags : NULL;
}

/* Integers of 16 bytes are known, too. */
static bool type_is_wide(const struct wt_dwarf_type *type)
{
	return type->bits == 128 &&
	       (type->kind == WT_DWARF_TYPE_SIGNED || type->kind == WT_DWARF_TYPE_UNSIGNED);
}

const char *wt_dwarf_scalar_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				 const struct wt_dwarf_type *type,
				 const struct wt_dwarf_location *location, uint64_t offset,
				 uint64_t bits, struct wt_dwarf_scalar *scalar)
{
	uint8_t bytes[16] = {0};
	const char *why;

	*scalar = (struct wt_dwarf_scalar){.kind = type->kind,
					   .bits = (unsigned int)bits,
					   .form = type->form,
					   .has_space = type->has_space,
					   .space = type->space,
					   .is_signed = type->is_signed};
	if (!bits || bits > (type_is_wide(type) ? 128 : 64))
		return WT_DWARF_UNKNOWN "its type has a size that is not known here";
	why = wt_dwarf_read(frame, lane, location, offset, bits, bytes);
	if (why)
		return why;
	for (size_t i = 0; i < 8; i++) {
		scalar->number |= (uint64_t)bytes[i] << 8 * i;
		scalar->high |= (uint64_t)bytes[8 + i] << 8 * i;
	}
	if (type->kind == WT_DWARF_TYPE_SIGNED || type->is_signed) {
		if (bits < 64 && scalar->number >> (bits - 1))
			scalar->number |= UINT64_MAX << bits;
		if (bits > 64 && bits < 128 && scalar->high >> (bits - 65))
			scalar->high |= UINT64_MAX << (bits - 64);
	}
	if (type->kind == WT_DWARF_TYPE_BOOLEAN && scalar->number > 1)
		return WT_DWARF_UNKNOWN "what is described is no truth value";
	if (type->kind == WT_DWARF_TYPE_ENUM)
		wt_dwarf_scalar_enumerate(scalar, type);
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
	size_t left;	  /* how many more numbers are shown */
	bool is_referred; /* what a reference refers to: references in it are not followed */
};

static void value_show(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
		       uint64_t bits, unsigned int depth);

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
static bool array_text_show(struct show *to, const struct wt_dwarf_type *element, uint64_t count,
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
	/* Characters behind the end would be lost. */
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
	if (array_text_show(to, &element, count, offset))
		return;
	shown = count < WT_DWARF_MAX_ELEMENTS ? count : WT_DWARF_MAX_ELEMENTS;
	sink->open(sink->opaque, WT_DWARF_OPEN_ARRAY);
	for (uint64_t i = 0; i < shown && to->left; i++)
		value_show(to, &element, offset + i * element.bits, element.bits, depth + 1);
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

/* A structure that stands for numbers: one of them alone, or several as an array is. */
static bool reals_show(struct show *to, const struct wt_dwarf_type *type, uint64_t offset)
{
	struct wt_dwarf_type number = {.kind = WT_DWARF_TYPE_FLOAT};
	const struct wt_dwarf_sink *sink = to->sink;
	unsigned int bits, count = wt_dwarf_type_reals(type, &number.form, &bits);

	number.bits = bits;
	if (count > 1)
		sink->open(sink->opaque, WT_DWARF_OPEN_ARRAY);
	for (unsigned int i = 0; i < count; i++)
		show_scalar(to, &number, offset + i * bits, bits);
	if (count > 1)
		sink->close(sink->opaque);
	return count;
}

static void show_struct(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
			unsigned int depth)
{
	const struct wt_dwarf_sink *sink = to->sink;
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	char name[WT_DWARF_MAX_TYPE];

	if (reals_show(to, type, offset))
		return;
	sink->open(sink->opaque,
		   wt_dwarf_type_is_plain(type) ? WT_DWARF_OPEN_STRUCT : WT_DWARF_OPEN_MEMBERS);
	while (to->left && wt_dwarf_member_next(type, to->unit, &state, &member)) {
		struct wt_dwarf_label label = {.is_base = member.is_base,
					       .is_unnamed = !member.name && !member.is_base};
		uint64_t place;
		const char *why = wt_dwarf_member_place(to->frame, to->unit, to->lane, to->location,
							offset, &member, &place);

		label.text = wt_dwarf_member_label(type, to->unit, &member, name);
		sink->member(sink->opaque, &label);
		if (why)
			sink->unknown(sink->opaque, why);
		else
			value_show(to, &member.type, place, member.bits, depth + 1);
	}
	sink->close(sink->opaque);
}

/* A reference by its address and what is there. */
static void show_reference(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
			   uint64_t bits, unsigned int depth)
{
	const struct wt_dwarf_location *location = to->location;
	const struct wt_dwarf_sink *sink = to->sink;
	struct wt_dwarf_location referred;
	struct wt_dwarf_scalar scalar;
	struct wt_dwarf_type target;
	const char *why =
		wt_dwarf_scalar_read(to->frame, to->lane, type, location, offset, bits, &scalar);

	if (why) {
		sink->unknown(sink->opaque, why);
		return;
	}
	sink->reference(sink->opaque, scalar.number);
	wt_dwarf_type_target(type, to->unit, &target);
	if (!to->frame->machine || !type->has_space || to->is_referred) {
		sink->unknown(sink->opaque, to->is_referred
						    ? "not followed: it is in what a reference "
						      "refers to"
						    : WT_DWARF_NOT_RECORDED);
	} else {
		wt_dwarf_location_memory(&referred, type->space, scalar.number);
		to->location = &referred;
		to->is_referred = true;
		value_show(to, &target, 0, target.bits, depth + 1);
		to->is_referred = false;
		to->location = location;
	}
	sink->close(sink->opaque);
}

static void value_show(struct show *to, const struct wt_dwarf_type *type, uint64_t offset,
		       uint64_t bits, unsigned int depth)
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
		if (type->is_reference)
			show_reference(to, type, offset, bits, depth);
		else
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
		value_show(&to, type, offset, type->bits, 0);
}
