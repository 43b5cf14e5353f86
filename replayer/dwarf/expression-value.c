/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/expression-value.h"

#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#include "replayer/dwarf/arithmetic.h"

__attribute__((format(printf, 2, 3))) void wt_dwarf_complain(struct wt_dwarf_parser *parser,
							     const char *format, ...)
{
	va_list arguments;

	if (parser->failed)
		return;
	parser->failed = true;
	parser->complaint->position =
		(size_t)((parser->blamed ? parser->blamed : parser->at) - parser->start);
	va_start(arguments, format);
	vsnprintf(parser->complaint->text, sizeof(parser->complaint->text), format, arguments);
	va_end(arguments);
}

void wt_dwarf_operand_number(struct wt_dwarf_operand *operand, const struct wt_dwarf_scalar *scalar)
{
	operand->computed = true;
	operand->has_target = operand->has_launch = false;
	operand->why = NULL;
	operand->scalar = *scalar;
	operand->type = (struct wt_dwarf_type){
		.kind = scalar->kind, .bits = scalar->bits, .is_signed = scalar->is_signed};
	operand->offset = 0;
	operand->bits = scalar->bits;
	operand->repeated = 0;
}

/* A value of a type that is not known. */
void wt_dwarf_operand_unknown(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *type,
			      const char *why)
{
	operand->type = *type;
	operand->computed = true;
	operand->has_target = operand->has_launch = false;
	operand->why = why;
	operand->scalar =
		(struct wt_dwarf_scalar){.kind = type->kind, .bits = (unsigned int)type->bits};
	operand->bits = type->bits;
}

void wt_dwarf_operand_pointer(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *target,
			      enum gfx_space space, uint64_t address, const char *why)
{
	bool narrow = space != GFX_SPACE_GENERIC && space != GFX_SPACE_GLOBAL;
	const struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_POINTER,
					       .bits = narrow ? 32 : 64,
					       .number = narrow ? (uint32_t)address : address,
					       .space = space,
					       .has_space = true};
	const struct wt_dwarf_type copy = *target;

	wt_dwarf_operand_number(operand, &scalar);
	operand->type.space = space;
	operand->type.has_space = true;
	operand->has_target = true;
	operand->target = copy;
	operand->why = why;
}

bool wt_dwarf_type_is_number(const struct wt_dwarf_type *type)
{
	switch (type->kind) {
	case WT_DWARF_TYPE_SIGNED:
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_BOOLEAN:
	case WT_DWARF_TYPE_CHARACTER:
	case WT_DWARF_TYPE_FLOAT:
	case WT_DWARF_TYPE_ENUM:
	case WT_DWARF_TYPE_POINTER:
		return true;
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		break;
	}
	return false;
}

/* Read an object that is one number; then it is a computed one. */
void wt_dwarf_operand_load(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	struct wt_dwarf_type type = operand->type, target = {0};
	struct wt_dwarf_scalar scalar;
	const char *why;

	if (operand->computed && operand->why && type.kind == WT_DWARF_TYPE_POINTER &&
	    !operand->has_target) {
		/* A pointer in what is not known: so are what it points to, and members of that. */
		wt_dwarf_type_target(&type, scene->unit, &target);
		wt_dwarf_operand_pointer(operand, &target,
					 type.has_space ? type.space : GFX_SPACE_GENERIC, 0,
					 operand->why);
		operand->type = type;
	}
	if (operand->computed)
		return;
	if (!wt_dwarf_type_is_number(&type)) {
		wt_dwarf_complain(parser, "this is no number");
		return;
	}
	why = wt_dwarf_scalar_read(scene->frame, parser->lane, &type, &operand->location,
				   operand->offset, operand->bits, &scalar);
	if (type.kind == WT_DWARF_TYPE_POINTER) {
		wt_dwarf_type_target(&type, scene->unit, &target);
		if (!why && !type.has_space)
			why = WT_DWARF_UNKNOWN
				"it points to an address space that is not known here";
		wt_dwarf_operand_pointer(operand, &target,
					 type.has_space ? type.space : GFX_SPACE_GENERIC,
					 why ? 0 : scalar.number, why);
	} else {
		wt_dwarf_operand_number(operand, &scalar);
		operand->why = why;
	}
	operand->type = type;
}

/* An array where a pointer is meant: to its first element. */
void wt_dwarf_operand_decay(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_type target;
	enum gfx_space space = GFX_SPACE_GENERIC;
	uint64_t address = 0;
	bool found;

	if (operand->type.kind != WT_DWARF_TYPE_ARRAY) {
		wt_dwarf_operand_load(parser, operand);
		return;
	}
	wt_dwarf_type_target(&operand->type, parser->scene->unit, &target);
	found = !operand->computed &&
		wt_dwarf_address(&operand->location, operand->offset, &space, &address);
	wt_dwarf_operand_pointer(
		operand, &target, space, address,
		found ? NULL : WT_DWARF_UNKNOWN "it is not in memory, so it has no address");
}

/* ---- Pointers to what is not in memory ---- */

/* A pointer that the compiler has removed, of which it describes what it points to; NULL if this is none. */
static const struct wt_dwarf_piece *removed_pointer(const struct wt_dwarf_operand *operand)
{
	uint64_t start = 0;

	if (operand->computed || operand->type.kind != WT_DWARF_TYPE_POINTER)
		return NULL;
	for (size_t i = 0; i < operand->location.count; i++) {
		const struct wt_dwarf_piece *piece = &operand->location.pieces[i];

		if (start == operand->offset && piece->place == WT_DWARF_AT_POINTER)
			return piece;
		if (piece->bits > operand->offset - start)
			return NULL;
		start += piece->bits;
	}
	return NULL;
}

/* The entry of a variable of the frame's function, or of none, and the function that it belongs to. */
static bool find_entry(const struct wt_dwarf_scene *scene, uint64_t offset, Dwarf_Die *die,
		       Dwarf_Off *function_ret)
{
	wt_cleanup_free Dwarf_Die *scopes = NULL;
	Dwarf_Off innermost = 0, outermost = 0;
	Dwarf_Die unit;
	int count, tag;

	if (!scene->unit->object || !dwarf_offdie(scene->unit->object->dwarf, offset, die) ||
	    !dwarf_diecu(die, &unit, NULL, NULL) ||
	    dwarf_dieoffset(&unit) != dwarf_dieoffset(&scene->unit->die))
		return false;
	tag = dwarf_tag(die);
	count = dwarf_getscopes_die(die, &scopes);
	if (count <= 0 || (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter))
		return false;
	for (int i = 1; i < count; i++) {
		tag = dwarf_tag(&scopes[i]);
		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		outermost = dwarf_dieoffset(&scopes[i]);
		if (!innermost)
			innermost = outermost;
	}
	*function_ret = innermost;
	return !outermost ||
	       (scene->frame->has_function &&
		dwarf_dieoffset((Dwarf_Die *)(uintptr_t)&scene->frame->function) == outermost);
}

bool wt_dwarf_operand_follow_removed(struct wt_dwarf_parser *parser,
				     struct wt_dwarf_operand *operand, uint64_t index)
{
	const struct wt_dwarf_piece *piece = removed_pointer(operand);
	const struct wt_dwarf_scene *scene = parser->scene;
	struct wt_dwarf_trust trust = {0};
	struct wt_dwarf_type target, type;
	uint64_t bytes;
	Dwarf_Off function;
	Dwarf_Die die;

	if (!piece)
		return false;
	wt_dwarf_type_target(&operand->type, scene->unit, &target);
	if (target.kind == WT_DWARF_TYPE_NONE || target.kind == WT_DWARF_TYPE_FUNCTION)
		return false;
	if (!find_entry(scene, piece->variable, &die, &function)) {
		wt_dwarf_operand_unknown(operand, &target,
					 WT_DWARF_UNKNOWN
					 "it is in a variable that this function does not have");
		return true;
	}
	bytes = piece->offset + index * (target.bits / 8);
	wt_dwarf_type_of(&type, scene->unit, &die);
	if (bytes > type.bits / 8 || target.bits > type.bits - 8 * bytes) {
		wt_dwarf_operand_unknown(operand, &target,
					 "not known: the pointer leads out of its variable");
		return true;
	}
	wt_dwarf_variable_find(scene->frame, scene->unit, function, &die, &type, parser->lane,
			       &trust, &operand->location);
	operand->type = target;
	operand->offset = 8 * bytes;
	operand->bits = target.bits;
	return true;
}

void wt_dwarf_operand_dereference(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_type target;

	if (wt_dwarf_operand_follow_removed(parser, operand, 0))
		return;
	wt_dwarf_operand_decay(parser, operand);
	if (parser->failed)
		return;
	if (!operand->has_target) {
		wt_dwarf_complain(parser, "this is no pointer");
		return;
	}
	target = operand->target;
	if (target.kind == WT_DWARF_TYPE_NONE || target.kind == WT_DWARF_TYPE_FUNCTION) {
		wt_dwarf_complain(
			parser,
			"what it points to has no type that can be shown; cast the pointer");
		return;
	}
	if (operand->why) {
		wt_dwarf_operand_unknown(operand, &target, operand->why);
		return;
	}
	wt_dwarf_location_memory(&operand->location, operand->scalar.space, operand->scalar.number);
	operand->computed = operand->has_target = false;
	operand->type = target;
	operand->offset = 0;
	operand->bits = target.bits;
}

void wt_dwarf_operand_follow_reference(struct wt_dwarf_parser *parser,
				       struct wt_dwarf_operand *operand)
{
	if (operand->type.kind == WT_DWARF_TYPE_POINTER && operand->type.is_reference)
		wt_dwarf_operand_dereference(parser, operand);
}

void wt_dwarf_operand_address(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_type type = operand->type;
	enum gfx_space space = GFX_SPACE_GENERIC;
	uint64_t address = 0;
	bool found = !operand->computed &&
		     wt_dwarf_address(&operand->location, operand->offset, &space, &address);

	if (operand->has_launch || (operand->computed && !operand->why)) {
		wt_dwarf_complain(parser, "a number that was computed has no address");
		return;
	}
	if (operand->bits != type.bits) {
		wt_dwarf_complain(parser, "a bit field has no address");
		return;
	}
	wt_dwarf_operand_pointer(
		operand, &type, space, address,
		found ? NULL : WT_DWARF_UNKNOWN "it is not in memory, so it has no address");
}

/* ---- Members ---- */

#define MAX_NESTING WT_DWARF_MAX_WAY

static bool is_same_type(const struct wt_dwarf_type *a, const struct wt_dwarf_type *b)
{
	Dwarf_Die first = a->die, second = b->die;

	return a->has_die && b->has_die && dwarf_dieoffset(&first) == dwarf_dieoffset(&second);
}

/* Do two ways lead to one object? So they do through a virtual base that both have. */
static bool is_same_way(const struct wt_dwarf_way *a, const struct wt_dwarf_way *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; a->steps[i].is_virtual && j < b->count; j++)
			if (b->steps[j].is_virtual &&
			    is_same_type(&a->steps[i].type, &b->steps[j].type))
				return true;
	return false;
}

/* A lookup in a structure: of a member by its name, or of a base by its type. */
struct lookup {
	struct wt_dwarf_unit *unit;
	const char *name;
	const char *of; /* the class that it is a member of, or has from a base; NULL: of any */
	const struct wt_dwarf_type *whole;
	const struct wt_dwarf_type *base;
	struct wt_dwarf_way way; /* to where the search is */
	struct wt_dwarf_ways *ways;
};

/* Is a type called this, with all of its namespaces or without the outer ones? */
static bool type_is_called(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			   const char *name)
{
	char text[WT_DWARF_MAX_TYPE];
	const char *path = wt_dwarf_type_path(type, unit, text);
	size_t length = strlen(path), size = strlen(name);

	return size <= length && !strcmp(path + length - size, name) &&
	       (size == length || path[length - size - 1] == ':');
}

/* Is the member that the way leads to one of the class that is named? */
static bool way_is_of(const struct lookup *lookup)
{
	const struct wt_dwarf_way *way = &lookup->way;
	bool is_of = !lookup->of || type_is_called(lookup->whole, lookup->unit, lookup->of);

	for (size_t i = 0; i < way->count && !is_of; i++)
		is_of = way->steps[i].is_base &&
			type_is_called(&way->steps[i].type, lookup->unit, lookup->of);
	return is_of;
}

static void note_way(struct lookup *lookup)
{
	struct wt_dwarf_ways *ways = lookup->ways;

	for (size_t i = 0; i < ways->count && i < WT_DWARF_MAX_WAYS; i++)
		if (is_same_way(&ways->found[i], &lookup->way))
			return;
	if (ways->count < WT_DWARF_MAX_WAYS)
		ways->found[ways->count] = lookup->way;
	ways->count++;
}

static bool member_is_anonymous(const struct wt_dwarf_member *member)
{
	return !member->name && !member->is_base && member->type.kind == WT_DWARF_TYPE_STRUCT;
}

/* Members of the structure itself, and of unnamed ones in it. */
static bool look_at_own(struct lookup *lookup, const struct wt_dwarf_type *type)
{
	struct wt_dwarf_way *way = &lookup->way;
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member *step = &way->steps[way->count];
	bool found = false;

	if (way->count == MAX_NESTING || !lookup->name)
		return false;
	while (!found && wt_dwarf_member_next(type, lookup->unit, &state, step)) {
		const struct wt_dwarf_type inner = step->type;

		way->count++;
		if (step->name && !strcmp(step->name, lookup->name) && way_is_of(lookup)) {
			note_way(lookup);
			found = true;
		} else if (member_is_anonymous(step)) {
			found = look_at_own(lookup, &inner);
		}
		way->count--;
	}
	return found;
}

/* A structure's own members hide those of its bases. */
static void lookup_in_type(struct lookup *lookup, const struct wt_dwarf_type *type)
{
	struct wt_dwarf_way *way = &lookup->way;
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member *step = &way->steps[way->count];

	if (look_at_own(lookup, type) || way->count == MAX_NESTING)
		return;
	while (wt_dwarf_member_next(type, lookup->unit, &state, step)) {
		const struct wt_dwarf_type inner = step->type;

		if (!step->is_base)
			continue;
		way->count++;
		if (lookup->base && is_same_type(&inner, lookup->base))
			note_way(lookup);
		else
			lookup_in_type(lookup, &inner);
		way->count--;
	}
}

/* "front::base::x and back::base::x" */
static void name_ways(const struct lookup *lookup, char *text, size_t size)
{
	const struct wt_dwarf_ways *ways = lookup->ways;
	char path[WT_DWARF_MAX_TYPE];
	size_t used = 0;

	for (size_t i = 0; i < ways->count && i < WT_DWARF_MAX_WAYS && used < size; i++) {
		const struct wt_dwarf_way *way = &ways->found[i];
		/* Bases of one type are told apart by the structure that has them. */
		size_t last = 0;

		for (size_t j = 0; j + (lookup->base != NULL) < way->count; j++)
			last = way->steps[j].is_base ? j : last;
		wt_dwarf_type_path(&way->steps[last].type, lookup->unit, path);
		used += (size_t)snprintf(
			text + used, size - used, "%s%s%s%s", i ? " and " : "", path,
			lookup->base ? "" : "::", lookup->base ? "" : lookup->name);
	}
}

bool wt_dwarf_operand_find_member(struct wt_dwarf_parser *parser, const struct wt_dwarf_type *type,
				  const char *of, const char *name, struct wt_dwarf_way *way_ret)
{
	struct wt_dwarf_ways ways = {0};
	struct lookup lookup = {
		.unit = parser->scene->unit, .name = name, .of = of, .whole = type, .ways = &ways};
	char text[160];

	lookup_in_type(&lookup, type);
	if (ways.count > 1) {
		name_ways(&lookup, text, sizeof(text));
		wt_dwarf_complain(parser, "%s is ambiguous: it is %s", name, text);
	}
	*way_ret = ways.found[0];
	return ways.count > 0;
}

bool wt_dwarf_operand_find_base(struct wt_dwarf_parser *parser, const struct wt_dwarf_type *type,
				const struct wt_dwarf_type *base, struct wt_dwarf_way *way_ret)
{
	struct wt_dwarf_ways ways = {0};
	struct lookup lookup = {.unit = parser->scene->unit, .base = base, .ways = &ways};
	char text[160], name[WT_DWARF_MAX_TYPE];

	if (type->kind != WT_DWARF_TYPE_STRUCT || base->kind != WT_DWARF_TYPE_STRUCT)
		return false;
	lookup_in_type(&lookup, type);
	if (ways.count > 1) {
		name_ways(&lookup, text, sizeof(text));
		wt_dwarf_complain(parser, "the base %s is ambiguous: it is one of %s; cast to that",
				  wt_dwarf_type_path(base, lookup.unit, name), text);
	}
	*way_ret = ways.found[0];
	return ways.count > 0;
}

void wt_dwarf_operand_follow_way(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
				 const struct wt_dwarf_way *way)
{
	const struct wt_dwarf_scene *scene = parser->scene;

	for (size_t i = 0; i < way->count; i++) {
		const struct wt_dwarf_member *step = &way->steps[i];
		uint64_t place = 0;
		const char *why = operand->computed
					  ? NULL
					  : wt_dwarf_member_place(scene->frame, scene->unit,
								  parser->lane, &operand->location,
								  operand->offset, step, &place);

		if (why)
			wt_dwarf_operand_unknown(operand, &step->type, why);
		else
			wt_dwarf_operand_select(operand, &step->type, place - operand->offset,
						step->bits);
	}
}

/* A pointer to an object as one to a base of it; of a null pointer it is one as well. */
static void move_to_base(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *pointer,
			 const struct wt_dwarf_way *way)
{
	const struct wt_dwarf_type target = way->steps[way->count - 1].type;
	struct wt_dwarf_operand object = *pointer;
	enum gfx_space space = pointer->scalar.space;
	uint64_t address = pointer->scalar.number;
	const char *why = pointer->why;

	if (!why && address) {
		wt_dwarf_operand_dereference(parser, &object);
		wt_dwarf_operand_follow_way(parser, &object, way);
		if (object.computed ||
		    !wt_dwarf_address(&object.location, object.offset, &space, &address))
			why = object.why ? object.why : WT_DWARF_NOT_RECORDED;
	}
	wt_dwarf_operand_pointer(pointer, &target, space, address, why);
}

void wt_dwarf_operand_cast_class(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *pointer,
				 const struct wt_dwarf_type *target)
{
	struct wt_dwarf_way way;
	uint64_t distance = 0;

	if (!pointer->has_target)
		return;
	if (wt_dwarf_operand_find_base(parser, &pointer->target, target, &way)) {
		if (!parser->failed)
			move_to_base(parser, pointer, &way);
		return;
	}
	/* From a base to what has it: back by the same way. */
	if (parser->failed || !wt_dwarf_operand_find_base(parser, target, &pointer->target, &way) ||
	    parser->failed)
		return;
	for (size_t i = 0; i < way.count; i++) {
		if (way.steps[i].is_virtual) {
			wt_dwarf_complain(parser,
					  "a virtual base does not say what it is a base of");
			return;
		}
		distance += way.steps[i].offset / 8;
	}
	if (pointer->scalar.number)
		wt_dwarf_operand_pointer(pointer, target, pointer->scalar.space,
					 pointer->scalar.number - distance, pointer->why);
}

void wt_dwarf_operand_select(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *type,
			     uint64_t offset, uint64_t bits)
{
	const struct wt_dwarf_type copy = *type;

	if (operand->computed) {
		wt_dwarf_operand_unknown(operand, &copy,
					 operand->why ? operand->why : WT_DWARF_NOT_RECORDED);
		return;
	}
	operand->type = copy;
	operand->offset += offset;
	operand->bits = bits;
}

/* A number of threadIdx and such. */
static bool launch_component(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
			     const char *name)
{
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED, .bits = 32};
	const char *why;

	if (!operand->has_launch)
		return false;
	if (name[1] || name[0] < 'x' || name[0] > 'z') {
		wt_dwarf_complain(parser, "it has the parts x, y and z");
		return true;
	}
	scalar.number = operand->launch[name[0] - 'x'].value;
	why = operand->launch[name[0] - 'x'].why;
	*operand = (struct wt_dwarf_operand){0};
	wt_dwarf_operand_number(operand, &scalar);
	operand->why = why;
	return true;
}

/* float4's x, y, z, w. */
bool wt_dwarf_operand_component(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
				const char *name)
{
	const char *letters = "xyzw", *found = strchr(letters, name[0]);
	struct wt_dwarf_type element;
	uint64_t count;

	if (launch_component(parser, operand, name))
		return true;
	if (!operand->type.is_vector || name[1] || !found ||
	    !wt_dwarf_type_count(&operand->type, &count) || (uint64_t)(found - letters) >= count)
		return false;
	wt_dwarf_type_target(&operand->type, parser->scene->unit, &element);
	wt_dwarf_operand_select(operand, &element, (uint64_t)(found - letters) * element.bits,
				element.bits);
	return true;
}

void wt_dwarf_operand_move(struct wt_dwarf_operand *pointer, const struct wt_dwarf_operand *index,
			   bool back)
{
	const struct wt_dwarf_type target = pointer->target;
	uint64_t distance = index->scalar.number * (target.bits / 8);
	const char *why = pointer->why ? pointer->why
			  : index->why ? index->why
				       : wt_dwarf_sign_doubt(&index->scalar, 64);

	wt_dwarf_operand_pointer(
		pointer, &target, pointer->scalar.space,
		back ? pointer->scalar.number - distance : pointer->scalar.number + distance, why);
}

bool wt_dwarf_operand_is_integer(const struct wt_dwarf_operand *operand)
{
	return operand->computed && operand->scalar.kind != WT_DWARF_TYPE_FLOAT &&
	       operand->scalar.kind != WT_DWARF_TYPE_POINTER && operand->scalar.bits <= 64 &&
	       wt_dwarf_type_is_number(&operand->type);
}
