/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/print.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/dwarf/arithmetic.h"
#include "replayer/dwarf/named.h"
#include "replayer/dwarf/operand.h"

#define MAX_DEPTH 24
#define MAX_NAME 128

/* ---- Tokens ---- */

static void skip_blanks(struct wt_dwarf_parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool take(struct wt_dwarf_parser *parser, const char *token)
{
	size_t length = strlen(token);

	skip_blanks(parser);
	if (strncmp(parser->at, token, length))
		return false;
	parser->at += length;
	return true;
}

static void need(struct wt_dwarf_parser *parser, const char *token)
{
	if (!take(parser, token))
		wt_dwarf_complain(parser, "'%s' is missing", token);
}

static bool take_name(struct wt_dwarf_parser *parser, char name[MAX_NAME])
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

/* ---- Members and elements ---- */

static void select_member(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_member member;
	char name[MAX_NAME];

	if (parser->failed)
		return;
	if (!take_name(parser, name)) {
		wt_dwarf_complain(parser, "the name of a member is missing");
	} else if (operand->type.kind == WT_DWARF_TYPE_STRUCT &&
		   wt_dwarf_operand_find_member(parser, &operand->type, name, &member, 0)) {
		wt_dwarf_operand_select(operand, &member.type, member.offset, member.bits);
	} else if (!wt_dwarf_operand_component(parser, operand, name)) {
		wt_dwarf_complain(parser,
				  operand->type.kind == WT_DWARF_TYPE_STRUCT
					  ? "it has no member %s"
					  : "this has no members, so no %s",
				  name);
	}
}

static void binary(struct wt_dwarf_parser *parser, int level, struct wt_dwarf_operand *operand);

static void select_element(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_operand index;
	struct wt_dwarf_type element;
	uint64_t count;

	binary(parser, 0, &index);
	need(parser, "]");
	if (!parser->failed)
		wt_dwarf_operand_load(parser, &index);
	if (parser->failed)
		return;
	if (!wt_dwarf_operand_is_integer(&index)) {
		wt_dwarf_complain(parser, "an index is an integer");
		return;
	}
	if (operand->type.kind != WT_DWARF_TYPE_ARRAY) {
		wt_dwarf_operand_load(parser, operand);
		if (!parser->failed && !operand->has_target)
			wt_dwarf_complain(parser, "this is neither an array nor a pointer");
		if (parser->failed)
			return;
		wt_dwarf_operand_move(operand, &index, false);
		wt_dwarf_operand_dereference(parser, operand);
		return;
	}
	wt_dwarf_type_target(&operand->type, parser->scene->unit, &element);
	if (index.why)
		wt_dwarf_operand_unknown(operand, &element, index.why);
	else if (wt_dwarf_type_count(&operand->type, &count) && index.scalar.number >= count)
		wt_dwarf_operand_unknown(operand, &element,
					 "not known: the index is outside the array");
	else
		wt_dwarf_operand_select(operand, &element, index.scalar.number * element.bits,
					element.bits);
}

/* ---- Primary expressions ---- */

static void number(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
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
		wt_dwarf_operand_number(operand, &scalar);
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
	wt_dwarf_operand_number(operand, &scalar);
	if (isalnum((unsigned char)*end))
		wt_dwarf_complain(parser, "a number does not end so");
}

static void character(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};

	scalar.number = (unsigned char)parser->at[0];
	if (!parser->at[0] || parser->at[1] != '\'') {
		wt_dwarf_complain(parser, "a character stands between two '");
		return;
	}
	parser->at += 2;
	wt_dwarf_operand_number(operand, &scalar);
}

static void read_register(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED};
	const struct wt_dwarf_scene *scene = parser->scene;
	const char *why = NULL;
	char name[MAX_NAME];

	if (!take_name(parser, name))
		wt_dwarf_complain(parser, "the name of a register is missing");
	else if (!scene->read_register(scene->opaque, name, parser->lane, &scalar.number,
				       &scalar.bits, &why))
		wt_dwarf_complain(parser, "there is no register %s of up to 8 bytes", name);
	wt_dwarf_operand_number(operand, &scalar);
	operand->why = why;
}

static void variable(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	const char *before = parser->at;
	char name[MAX_NAME];

	if (!take_name(parser, name)) {
		wt_dwarf_complain(parser, *parser->at ? "this cannot stand here"
						      : "something is missing at the end");
		return;
	}
	if (parser->scene->variable(parser->scene->opaque, name, parser->lane, operand))
		return;
	parser->at = before;
	wt_dwarf_complain(parser, "there is no variable %s here", name);
}

static void cast(struct wt_dwarf_parser *parser, const struct wt_dwarf_named *named,
		 struct wt_dwarf_operand *operand);
static void unary(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand);

/* The type of a cast; false, and nothing is taken, if no type stands here. */
static bool take_type(struct wt_dwarf_parser *parser, struct wt_dwarf_named *named)
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

static void primary(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
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

static void postfix(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	primary(parser, operand);
	while (!parser->failed) {
		wt_dwarf_operand_follow_reference(parser, operand);
		if (take(parser, "->")) {
			wt_dwarf_operand_dereference(parser, operand);
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

static void negate(struct wt_dwarf_parser *parser, char operator, struct wt_dwarf_operand * operand)
{
	const char *why;
	struct wt_dwarf_scalar scalar;

	wt_dwarf_operand_load(parser, operand);
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
		wt_dwarf_complain(parser, "this cannot be done to such a value");
		return;
	} else {
		scalar = wt_dwarf_promote(&scalar);
		scalar.real = -scalar.real;
		scalar.number = operator== '~' ? ~scalar.number : - scalar.number;
		scalar = wt_dwarf_convert(&scalar, scalar.kind, scalar.bits, scalar.is_signed);
	}
	wt_dwarf_operand_number(operand, &scalar);
	operand->why = why;
}

static void size_of(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
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
	wt_dwarf_operand_number(operand, &scalar);
}

static void unary(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	const char *before = parser->at;
	struct wt_dwarf_named named;
	char name[MAX_NAME];

	if (++parser->depth > MAX_DEPTH)
		wt_dwarf_complain(parser, "it is nested too deeply");
	if (parser->failed)
		return;
	if (take(parser, "*")) {
		unary(parser, operand);
		wt_dwarf_operand_dereference(parser, operand);
	} else if (!take(parser, "&&") && take(parser, "&")) {
		unary(parser, operand);
		if (!parser->failed)
			wt_dwarf_operand_address(parser, operand);
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
		wt_dwarf_operand_load(parser, operand);
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

static void cast(struct wt_dwarf_parser *parser, const struct wt_dwarf_named *named,
		 struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_type *type = &named->type;
	struct wt_dwarf_scalar scalar;
	enum gfx_space space;
	const char *why;

	if (!parser->failed)
		wt_dwarf_operand_decay(parser, operand);
	if (parser->failed)
		return;
	why = operand->why;
	if (named->is_pointer) {
		space = named->has_space      ? named->space
			: operand->has_target ? operand->scalar.space
					      : GFX_SPACE_GENERIC;
		wt_dwarf_operand_pointer(operand, type, space, operand->scalar.number, why);
		return;
	}
	if (!wt_dwarf_type_is_number(type) || type->kind == WT_DWARF_TYPE_POINTER) {
		wt_dwarf_complain(parser, "a cast is to a number or a pointer");
		return;
	}
	scalar = wt_dwarf_convert(&operand->scalar, type->kind, (unsigned int)type->bits,
				  type->is_signed || type->kind == WT_DWARF_TYPE_SIGNED);
	if (type->kind == WT_DWARF_TYPE_ENUM)
		scalar.name = wt_dwarf_enumerator(type, scalar.number);
	wt_dwarf_operand_number(operand, &scalar);
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

static const char *take_operator(struct wt_dwarf_parser *parser, size_t level)
{
	skip_blanks(parser);
	for (size_t i = 0; i < 5 && levels[level][i]; i++) {
		const char *text = levels[level][i];
		char next;

		if (strncmp(parser->at, text, strlen(text)))
			continue;
		next = parser->at[strlen(text)];
		/* | is not ||, < not <<. */
		if (!text[1] && next == text[0] && strchr("|&<>", next))
			continue;
		parser->at += strlen(text);
		return text;
	}
	return NULL;
}

static bool add_pointers(struct wt_dwarf_parser *parser, const char *operator,
			 struct wt_dwarf_operand * a, struct wt_dwarf_operand *b)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 64, .is_signed = true};
	const char *why = a->why ? a->why : b->why;

	if (strcmp(operator, "+") && strcmp(operator, "-"))
		return false;
	if (a->has_target && wt_dwarf_operand_is_integer(b)) {
		wt_dwarf_operand_move(a, b, operator[0] == '-');
	} else if (b->has_target && wt_dwarf_operand_is_integer(a) && operator[0] == '+') {
		wt_dwarf_operand_move(b, a, false);
		*a = *b;
	} else if (a->has_target && b->has_target && operator[0] == '-' && a->target.bits >= 8) {
		scalar.number = (uint64_t)((int64_t)(a->scalar.number - b->scalar.number) /
					   (int64_t)(a->target.bits / 8));
		wt_dwarf_operand_number(a, &scalar);
		a->why = why;
	} else if (a->has_target || b->has_target) {
		wt_dwarf_complain(parser, "this cannot be done to pointers");
	} else {
		return false;
	}
	return true;
}

static void apply(struct wt_dwarf_parser *parser, const char *operator, struct wt_dwarf_operand * a,
		  struct wt_dwarf_operand *b)
{
	struct wt_dwarf_scalar x, y,
		result = {.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};
	const char *why;

	wt_dwarf_operand_decay(parser, a);
	if (!parser->failed)
		wt_dwarf_operand_decay(parser, b);
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
	wt_dwarf_operand_number(a, &result);
	a->why = why;
}

static void binary(struct wt_dwarf_parser *parser, int level, struct wt_dwarf_operand *operand)
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
	struct wt_dwarf_parser parser = {.scene = scene,
					 .lane = lane,
					 .start = text,
					 .at = text,
					 .complaint = complaint_ret};
	struct wt_dwarf_operand operand = {0};

	binary(&parser, 0, &operand);
	skip_blanks(&parser);
	if (!parser.failed && *parser.at)
		wt_dwarf_complain(&parser, "this cannot stand here");
	if (parser.failed)
		return false;
	name_type(scene, &operand, type_ret);
	show(scene, lane, &operand, sink);
	return true;
}
