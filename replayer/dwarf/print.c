/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/print.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/dwarf/arithmetic.h"
#include "replayer/dwarf/named.h"

#define MAX_DEPTH 24
#define MAX_NAME 128

struct parser {
	const struct wt_dwarf_scene *scene;
	uint32_t lane;
	const char *start, *at;
	unsigned int depth;
	bool failed;
	struct wt_dwarf_complaint *complaint;
};

__attribute__((format(printf, 2, 3))) static void complain(struct parser *parser,
							   const char *format, ...)
{
	va_list arguments;

	if (parser->failed)
		return;
	parser->failed = true;
	parser->complaint->position = (size_t)(parser->at - parser->start);
	va_start(arguments, format);
	vsnprintf(parser->complaint->text, sizeof(parser->complaint->text), format, arguments);
	va_end(arguments);
}

/* ---- Tokens ---- */

static void skip_blanks(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool take(struct parser *parser, const char *token)
{
	size_t length = strlen(token);

	skip_blanks(parser);
	if (strncmp(parser->at, token, length))
		return false;
	parser->at += length;
	return true;
}

static void need(struct parser *parser, const char *token)
{
	if (!take(parser, token))
		complain(parser, "'%s' is missing", token);
}

static bool take_name(struct parser *parser, char name[MAX_NAME])
{
	size_t length = 0;

	skip_blanks(parser);
	while (isalnum((unsigned char)parser->at[length]) || parser->at[length] == '_')
		length++;
	if (!length || isdigit((unsigned char)*parser->at) || length >= MAX_NAME)
		return false;
	memcpy(name, parser->at, length);
	name[length] = '\0';
	parser->at += length;
	return true;
}

/* ---- Operands ---- */

static void set_scalar(struct wt_dwarf_operand *operand, const struct wt_dwarf_scalar *scalar)
{
	operand->computed = true;
	operand->has_target = false;
	operand->why = NULL;
	operand->scalar = *scalar;
	operand->type = (struct wt_dwarf_type){
		.kind = scalar->kind, .bits = scalar->bits, .is_signed = scalar->is_signed};
	operand->offset = 0;
	operand->bits = scalar->bits;
}

/* A value of a type that is not known. */
static void set_unknown(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *type,
			const char *why)
{
	operand->type = *type;
	operand->computed = true;
	operand->has_target = false;
	operand->why = why;
	operand->scalar =
		(struct wt_dwarf_scalar){.kind = type->kind, .bits = (unsigned int)type->bits};
	operand->bits = type->bits;
}

static void set_pointer(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *target,
			enum gfx_space space, uint64_t address, const char *why)
{
	bool narrow = space != GFX_SPACE_GENERIC && space != GFX_SPACE_GLOBAL;
	const struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_POINTER,
					       .bits = narrow ? 32 : 64,
					       .number = narrow ? (uint32_t)address : address,
					       .space = space,
					       .has_space = true};
	const struct wt_dwarf_type copy = *target;

	set_scalar(operand, &scalar);
	operand->type.space = space;
	operand->type.has_space = true;
	operand->has_target = true;
	operand->target = copy;
	operand->why = why;
}

static bool is_number(const struct wt_dwarf_type *type)
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
static void load(struct parser *parser, struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	struct wt_dwarf_type type = operand->type, target = {0};
	struct wt_dwarf_scalar scalar;
	const char *why;

	if (operand->computed)
		return;
	if (!is_number(&type)) {
		complain(parser, "this is no number");
		return;
	}
	why = wt_dwarf_scalar_read(scene->frame, parser->lane, &type, &operand->location,
				   operand->offset, operand->bits, &scalar);
	if (type.kind == WT_DWARF_TYPE_POINTER) {
		wt_dwarf_type_target(&type, scene->unit, &target);
		if (!why && !type.has_space)
			why = WT_DWARF_UNKNOWN
				"it points to an address space that is not known here";
		set_pointer(operand, &target, type.has_space ? type.space : GFX_SPACE_GENERIC,
			    why ? 0 : scalar.number, why);
	} else {
		set_scalar(operand, &scalar);
		operand->why = why;
	}
	operand->type = type;
}

/* An array where a pointer is meant: to its first element. */
static void decay(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_type target;
	enum gfx_space space = GFX_SPACE_GENERIC;
	uint64_t address = 0;
	bool found;

	if (operand->type.kind != WT_DWARF_TYPE_ARRAY) {
		load(parser, operand);
		return;
	}
	wt_dwarf_type_target(&operand->type, parser->scene->unit, &target);
	found = !operand->computed &&
		wt_dwarf_address(&operand->location, operand->offset, &space, &address);
	set_pointer(operand, &target, space, address,
		    found ? NULL : WT_DWARF_UNKNOWN "it is not in memory, so it has no address");
}

static void dereference(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_type target;

	decay(parser, operand);
	if (parser->failed)
		return;
	if (!operand->has_target) {
		complain(parser, "this is no pointer");
		return;
	}
	target = operand->target;
	if (target.kind == WT_DWARF_TYPE_NONE || target.kind == WT_DWARF_TYPE_FUNCTION) {
		complain(parser,
			 "what it points to has no type that can be shown; cast the pointer");
		return;
	}
	if (operand->why) {
		set_unknown(operand, &target, operand->why);
		return;
	}
	wt_dwarf_location_memory(&operand->location, operand->scalar.space, operand->scalar.number);
	operand->computed = operand->has_target = false;
	operand->type = target;
	operand->offset = 0;
	operand->bits = target.bits;
}

static void follow_reference(struct parser *parser, struct wt_dwarf_operand *operand)
{
	if (operand->type.kind == WT_DWARF_TYPE_POINTER && operand->type.is_reference)
		dereference(parser, operand);
}

static void take_address(struct parser *parser, struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_type type = operand->type;
	enum gfx_space space = GFX_SPACE_GENERIC;
	uint64_t address = 0;
	bool found = !operand->computed &&
		     wt_dwarf_address(&operand->location, operand->offset, &space, &address);

	if (operand->computed && !operand->why) {
		complain(parser, "a number that was computed has no address");
		return;
	}
	if (operand->bits != type.bits) {
		complain(parser, "a bit field has no address");
		return;
	}
	set_pointer(operand, &type, space, address,
		    found ? NULL : WT_DWARF_UNKNOWN "it is not in memory, so it has no address");
}

/* ---- Members and elements ---- */

/* A member by name, also of unnamed ones and of bases. */
static bool find_member(struct parser *parser, const struct wt_dwarf_type *type, const char *name,
			struct wt_dwarf_member *member_ret, unsigned int depth)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;

	if (depth > 8)
		return false;
	while (wt_dwarf_member_next(type, parser->scene->unit, &state, &member)) {
		struct wt_dwarf_member inner;

		if (member.name && !strcmp(member.name, name)) {
			*member_ret = member;
			return true;
		}
		if ((!member.name || member.is_base) && member.type.kind == WT_DWARF_TYPE_STRUCT &&
		    find_member(parser, &member.type, name, &inner, depth + 1)) {
			inner.offset += member.offset;
			*member_ret = inner;
			return true;
		}
	}
	return false;
}

static void select_part(struct wt_dwarf_operand *operand, const struct wt_dwarf_type *type,
			uint64_t offset, uint64_t bits)
{
	const struct wt_dwarf_type copy = *type;

	if (operand->computed) {
		set_unknown(operand, &copy, operand->why ? operand->why : WT_DWARF_NOT_RECORDED);
		return;
	}
	operand->type = copy;
	operand->offset += offset;
	operand->bits = bits;
}

/* float4's x, y, z, w. */
static bool select_component(struct parser *parser, struct wt_dwarf_operand *operand,
			     const char *name)
{
	const char *letters = "xyzw", *found = strchr(letters, name[0]);
	struct wt_dwarf_type element;
	uint64_t count;

	if (!operand->type.is_vector || name[1] || !found ||
	    !wt_dwarf_type_count(&operand->type, &count) || (uint64_t)(found - letters) >= count)
		return false;
	wt_dwarf_type_target(&operand->type, parser->scene->unit, &element);
	select_part(operand, &element, (uint64_t)(found - letters) * element.bits, element.bits);
	return true;
}

static void select_member(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_member member;
	char name[MAX_NAME];

	if (parser->failed)
		return;
	if (!take_name(parser, name)) {
		complain(parser, "the name of a member is missing");
	} else if (operand->type.kind == WT_DWARF_TYPE_STRUCT &&
		   find_member(parser, &operand->type, name, &member, 0)) {
		select_part(operand, &member.type, member.offset, member.bits);
	} else if (!select_component(parser, operand, name)) {
		complain(parser,
			 operand->type.kind == WT_DWARF_TYPE_STRUCT
				 ? "it has no member %s"
				 : "this has no members, so no %s",
			 name);
	}
}

static void binary(struct parser *parser, int level, struct wt_dwarf_operand *operand);

static void move_pointer(struct wt_dwarf_operand *pointer, const struct wt_dwarf_operand *index,
			 bool back)
{
	const struct wt_dwarf_type target = pointer->target;
	uint64_t distance = index->scalar.number * (target.bits / 8);
	const char *why = pointer->why ? pointer->why : index->why;

	set_pointer(pointer, &target, pointer->scalar.space,
		    back ? pointer->scalar.number - distance : pointer->scalar.number + distance,
		    why);
}

static bool is_integer(const struct wt_dwarf_operand *operand)
{
	return operand->computed && operand->scalar.kind != WT_DWARF_TYPE_FLOAT &&
	       operand->scalar.kind != WT_DWARF_TYPE_POINTER && is_number(&operand->type);
}

static void select_element(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_operand index;
	struct wt_dwarf_type element;
	uint64_t count;

	binary(parser, 0, &index);
	need(parser, "]");
	if (!parser->failed)
		load(parser, &index);
	if (parser->failed)
		return;
	if (!is_integer(&index)) {
		complain(parser, "an index is an integer");
		return;
	}
	if (operand->type.kind != WT_DWARF_TYPE_ARRAY) {
		load(parser, operand);
		if (!parser->failed && !operand->has_target)
			complain(parser, "this is neither an array nor a pointer");
		if (parser->failed)
			return;
		move_pointer(operand, &index, false);
		dereference(parser, operand);
		return;
	}
	wt_dwarf_type_target(&operand->type, parser->scene->unit, &element);
	if (index.why)
		set_unknown(operand, &element, index.why);
	else if (wt_dwarf_type_count(&operand->type, &count) && index.scalar.number >= count)
		set_unknown(operand, &element, "not known: the index is outside the array");
	else
		select_part(operand, &element, index.scalar.number * element.bits, element.bits);
}

/* ---- Primary expressions ---- */

static void number(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};
	bool hexadecimal = parser->at[0] == '0' && (parser->at[1] == 'x' || parser->at[1] == 'X');
	bool real = !hexadecimal && memchr(parser->at, '.', strspn(parser->at, "0123456789."));
	bool is_unsigned = false, is_long = false;
	char *end;

	if (!hexadecimal && strspn(parser->at, "0123456789")) {
		const char *behind = parser->at + strspn(parser->at, "0123456789");

		real |= (*behind == 'e' || *behind == 'E') &&
			(isdigit((unsigned char)behind[1]) || behind[1] == '-');
	}
	if (real) {
		scalar = (struct wt_dwarf_scalar){.kind = WT_DWARF_TYPE_FLOAT, .bits = 64};
		scalar.real = strtod(parser->at, &end);
		if (*end == 'f') {
			scalar = wt_dwarf_convert(&scalar, WT_DWARF_TYPE_FLOAT, 32, true);
			end++;
		}
		parser->at = end;
		set_scalar(operand, &scalar);
		return;
	}
	scalar.number = strtoull(parser->at, &end, 0);
	for (; strchr("uUlL", *end) && *end; end++) {
		is_unsigned |= *end == 'u' || *end == 'U';
		is_long |= *end == 'l' || *end == 'L';
	}
	if (is_long || scalar.number > UINT32_MAX ||
	    (scalar.number > INT32_MAX && !hexadecimal && !is_unsigned))
		scalar.bits = 64;
	is_unsigned |= hexadecimal && scalar.number > (scalar.bits == 64 ? INT64_MAX : INT32_MAX);
	if (is_unsigned) {
		scalar.kind = WT_DWARF_TYPE_UNSIGNED;
		scalar.is_signed = false;
	}
	parser->at = end;
	set_scalar(operand, &scalar);
	if (isalnum((unsigned char)*end))
		complain(parser, "a number does not end so");
}

static void character(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};

	scalar.number = (unsigned char)parser->at[0];
	if (!parser->at[0] || parser->at[1] != '\'') {
		complain(parser, "a character stands between two '");
		return;
	}
	parser->at += 2;
	set_scalar(operand, &scalar);
}

static void read_register(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED};
	const struct wt_dwarf_scene *scene = parser->scene;
	const char *why = NULL;
	char name[MAX_NAME];

	if (!take_name(parser, name))
		complain(parser, "the name of a register is missing");
	else if (!scene->read_register(scene->opaque, name, parser->lane, &scalar.number,
				       &scalar.bits, &why))
		complain(parser, "there is no register %s of up to 8 bytes", name);
	set_scalar(operand, &scalar);
	operand->why = why;
}

static void variable(struct parser *parser, struct wt_dwarf_operand *operand)
{
	const char *before = parser->at;
	char name[MAX_NAME];

	if (!take_name(parser, name)) {
		complain(parser, *parser->at ? "this cannot stand here"
					     : "something is missing at the end");
		return;
	}
	if (parser->scene->variable(parser->scene->opaque, name, parser->lane, operand))
		return;
	parser->at = before;
	complain(parser, "there is no variable %s here", name);
}

static void cast(struct parser *parser, const struct wt_dwarf_named *named,
		 struct wt_dwarf_operand *operand);
static void unary(struct parser *parser, struct wt_dwarf_operand *operand);

/* The type of a cast; false, and nothing is taken, if no type stands here. */
static bool take_type(struct parser *parser, struct wt_dwarf_named *named)
{
	const char *before = parser->at, *end;
	char name[MAX_NAME];

	skip_blanks(parser);
	if (take_name(parser, name)) {
		parser->at = before;
		skip_blanks(parser);
		/* A variable of the name is meant before a type. */
		if (!parser->scene->has_variable(parser->scene->opaque, name) &&
		    wt_dwarf_named_parse(parser->scene->unit, parser->at, named, &end)) {
			parser->at = end;
			return true;
		}
	}
	parser->at = before;
	return false;
}

static void primary(struct parser *parser, struct wt_dwarf_operand *operand)
{
	skip_blanks(parser);
	if (take(parser, "(")) {
		binary(parser, 0, operand);
		need(parser, ")");
	} else if (take(parser, "$")) {
		read_register(parser, operand);
	} else if (take(parser, "'")) {
		character(parser, operand);
	} else if (isdigit((unsigned char)*parser->at)) {
		number(parser, operand);
	} else {
		variable(parser, operand);
	}
}

static void postfix(struct parser *parser, struct wt_dwarf_operand *operand)
{
	primary(parser, operand);
	while (!parser->failed) {
		follow_reference(parser, operand);
		if (take(parser, "->")) {
			dereference(parser, operand);
			select_member(parser, operand);
		} else if (take(parser, ".")) {
			select_member(parser, operand);
		} else if (take(parser, "[")) {
			select_element(parser, operand);
		} else {
			return;
		}
	}
}

static void negate(struct parser *parser, char operator, struct wt_dwarf_operand * operand)
{
	const char *why;
	struct wt_dwarf_scalar scalar;

	load(parser, operand);
	if (parser->failed)
		return;
	why = operand->why;
	scalar = operand->scalar;
	if (operator== '!') {
		scalar = (struct wt_dwarf_scalar){.kind = WT_DWARF_TYPE_SIGNED,
						  .bits = 32,
						  .number = !wt_dwarf_is_true(&scalar),
						  .is_signed = true};
	} else if (operand->has_target || (operator== '~' && scalar.kind == WT_DWARF_TYPE_FLOAT)) {
		complain(parser, "this cannot be done to such a value");
		return;
	} else {
		scalar = wt_dwarf_promote(&scalar);
		scalar.real = -scalar.real;
		scalar.number = operator== '~' ? ~scalar.number : - scalar.number;
		scalar = wt_dwarf_convert(&scalar, scalar.kind, scalar.bits, scalar.is_signed);
	}
	set_scalar(operand, &scalar);
	operand->why = why;
}

static void size_of(struct parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED, .bits = 64};
	const char *before = parser->at;
	struct wt_dwarf_named named;

	if (take(parser, "(") && take_type(parser, &named)) {
		need(parser, ")");
		scalar.number = (named.is_pointer ? 64 : named.type.bits) / 8;
	} else {
		parser->at = before;
		unary(parser, operand);
		scalar.number = operand->type.bits / 8;
	}
	set_scalar(operand, &scalar);
}

static void unary(struct parser *parser, struct wt_dwarf_operand *operand)
{
	const char *before = parser->at;
	struct wt_dwarf_named named;
	char name[MAX_NAME];

	if (++parser->depth > MAX_DEPTH)
		complain(parser, "it is nested too deeply");
	if (parser->failed)
		return;
	if (take(parser, "*")) {
		unary(parser, operand);
		dereference(parser, operand);
	} else if (!take(parser, "&&") && take(parser, "&")) {
		unary(parser, operand);
		if (!parser->failed)
			take_address(parser, operand);
	} else if (take(parser, "-")) {
		unary(parser, operand);
		negate(parser, '-', operand);
	} else if (take(parser, "~")) {
		unary(parser, operand);
		negate(parser, '~', operand);
	} else if (take(parser, "!")) {
		unary(parser, operand);
		negate(parser, '!', operand);
	} else if (take(parser, "+")) {
		unary(parser, operand);
		load(parser, operand);
	} else if (take(parser, "(") && take_type(parser, &named)) {
		need(parser, ")");
		unary(parser, operand);
		cast(parser, &named, operand);
	} else {
		parser->at = before;
		if (take_name(parser, name) && !strcmp(name, "sizeof")) {
			size_of(parser, operand);
		} else {
			parser->at = before;
			postfix(parser, operand);
		}
	}
	parser->depth--;
}

static void cast(struct parser *parser, const struct wt_dwarf_named *named,
		 struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_type *type = &named->type;
	struct wt_dwarf_scalar scalar;
	enum gfx_space space;
	const char *why;

	if (!parser->failed)
		decay(parser, operand);
	if (parser->failed)
		return;
	why = operand->why;
	if (named->is_pointer) {
		space = named->has_space      ? named->space
			: operand->has_target ? operand->scalar.space
					      : GFX_SPACE_GENERIC;
		set_pointer(operand, type, space, operand->scalar.number, why);
		return;
	}
	if (!is_number(type) || type->kind == WT_DWARF_TYPE_POINTER) {
		complain(parser, "a cast is to a number or a pointer");
		return;
	}
	scalar = wt_dwarf_convert(&operand->scalar, type->kind, (unsigned int)type->bits,
				  type->is_signed || type->kind == WT_DWARF_TYPE_SIGNED);
	if (type->kind == WT_DWARF_TYPE_ENUM)
		scalar.name = wt_dwarf_enumerator(type, scalar.number);
	set_scalar(operand, &scalar);
	operand->type = *type;
	operand->why = why;
}

/* ---- Operations ---- */

/* By how tightly they bind, those that bind least first; longer ones before those that they begin with. */
static const char *const levels[][5] = {
	{"||"},
	{"&&"},
	{"|"},
	{"^"},
	{"&"},
	{"==", "!="},
	{"<=", ">=", "<", ">"},
	{"<<", ">>"},
	{"+", "-"},
	{"*", "/", "%"},
};
#define LEVELS (sizeof(levels) / sizeof(*levels))

static const char *take_operator(struct parser *parser, size_t level)
{
	skip_blanks(parser);
	for (size_t i = 0; i < 5 && levels[level][i]; i++) {
		const char *text = levels[level][i];
		char next = parser->at[strlen(text)];

		if (strncmp(parser->at, text, strlen(text)))
			continue;
		/* | is not ||, < not <<. */
		if (!text[1] && next == text[0] && strchr("|&<>", next))
			continue;
		parser->at += strlen(text);
		return text;
	}
	return NULL;
}

static bool add_pointers(struct parser *parser, const char *operator, struct wt_dwarf_operand * a,
			 struct wt_dwarf_operand *b)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 64, .is_signed = true};
	const char *why = a->why ? a->why : b->why;

	if (strcmp(operator, "+") && strcmp(operator, "-"))
		return false;
	if (a->has_target && is_integer(b)) {
		move_pointer(a, b, operator[0] == '-');
	} else if (b->has_target && is_integer(a) && operator[0] == '+') {
		move_pointer(b, a, false);
		*a = *b;
	} else if (a->has_target && b->has_target && operator[0] == '-' && a->target.bits >= 8) {
		scalar.number = (uint64_t)((int64_t)(a->scalar.number - b->scalar.number) /
					   (int64_t)(a->target.bits / 8));
		set_scalar(a, &scalar);
		a->why = why;
	} else if (a->has_target || b->has_target) {
		complain(parser, "this cannot be done to pointers");
	} else {
		return false;
	}
	return true;
}

static void apply(struct parser *parser, const char *operator, struct wt_dwarf_operand * a,
		  struct wt_dwarf_operand *b)
{
	struct wt_dwarf_scalar x, y,
		result = {.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};
	const char *why;

	decay(parser, a);
	if (!parser->failed)
		decay(parser, b);
	if (parser->failed || add_pointers(parser, operator, a, b))
		return;
	why = a->why ? a->why : b->why;
	x = a->scalar;
	y = b->scalar;
	if (!strcmp(operator, "&&")) {
		result.number = wt_dwarf_is_true(&x) && wt_dwarf_is_true(&y);
	} else if (!strcmp(operator, "||")) {
		result.number = wt_dwarf_is_true(&x) || wt_dwarf_is_true(&y);
	} else {
		const char *not_computed = wt_dwarf_compute(operator, & x, &y, &result);

		why = why ? why : not_computed;
	}
	set_scalar(a, &result);
	a->why = why;
}

static void binary(struct parser *parser, int level, struct wt_dwarf_operand *operand)
{
	unary(parser, operand);
	for (;;) {
		const char *operator= NULL, *before = parser->at;
		size_t found = (size_t)level;
		struct wt_dwarf_operand second;

		if (parser->failed)
			return;
		/* Of all that may stand here, what binds least is looked for first. */
		for (; found < LEVELS && !operator; found++)
			operator= take_operator(parser, found);
		if (!operator) {
			parser->at = before;
			return;
		}
		binary(parser, (int)found, &second);
		if (!parser->failed)
			apply(parser, operator, operand, &second);
	}
}

/* ---- The whole ---- */

/* A type of C that this unit has no entry of. */
static void name_number(const struct wt_dwarf_type *type, char *buffer)
{
	const struct wt_dwarf_scalar scalar = {
		.kind = type->kind, .bits = (unsigned int)type->bits, .is_signed = type->is_signed};

	snprintf(buffer, WT_DWARF_MAX_TYPE, "%s", wt_dwarf_scalar_name(&scalar));
}

static void name_type(const struct wt_dwarf_scene *scene, const struct wt_dwarf_operand *operand,
		      char *buffer)
{
	static const char *const spaces[] = {
		[GFX_SPACE_LOCAL] = "local ",
		[GFX_SPACE_PRIVATE_LANE] = "private ",
		[GFX_SPACE_PRIVATE_WAVE] = "private ",
		[GFX_SPACE_GLOBAL] = "",
		[GFX_SPACE_GENERIC] = "",
	};
	char target[WT_DWARF_MAX_TYPE - 16];
	char full[WT_DWARF_MAX_TYPE];

	if (operand->type.has_die) {
		wt_dwarf_type_name(&operand->type, scene->unit, buffer);
		return;
	}
	if (!operand->has_target) {
		name_number(&operand->type, buffer);
		return;
	}
	if (operand->target.has_die) {
		wt_dwarf_type_name(&operand->target, scene->unit, full);
	} else {
		name_number(&operand->target, full);
	}
	snprintf(target, sizeof(target), "%.*s", (int)sizeof(target) - 1, full);
	snprintf(buffer, WT_DWARF_MAX_TYPE, "%s%s *", spaces[operand->scalar.space], target);
}

static void show(const struct wt_dwarf_scene *scene, uint32_t lane,
		 const struct wt_dwarf_operand *operand, const struct wt_dwarf_sink *sink)
{
	struct wt_dwarf_scalar scalar = operand->scalar;
	const char *why = operand->why;

	if (!operand->computed && operand->bits == operand->type.bits) {
		wt_dwarf_show(scene->frame, scene->unit, lane, &operand->type, &operand->location,
			      operand->offset, sink);
		return;
	}
	if (!operand->computed)
		why = wt_dwarf_scalar_read(scene->frame, lane, &operand->type, &operand->location,
					   operand->offset, operand->bits, &scalar);
	if (why)
		sink->unknown(sink->opaque, why);
	else
		sink->scalar(sink->opaque, &scalar);
}

bool wt_dwarf_print(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
		    const struct wt_dwarf_sink *sink, char type_ret[WT_DWARF_MAX_TYPE],
		    struct wt_dwarf_complaint *complaint_ret)
{
	struct parser parser = {.scene = scene,
				.lane = lane,
				.start = text,
				.at = text,
				.complaint = complaint_ret};
	struct wt_dwarf_operand operand = {0};

	binary(&parser, 0, &operand);
	skip_blanks(&parser);
	if (!parser.failed && *parser.at)
		complain(&parser, "this cannot stand here");
	if (parser.failed)
		return false;
	name_type(scene, &operand, type_ret);
	show(scene, lane, &operand, sink);
	return true;
}
