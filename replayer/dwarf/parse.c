/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/parse.h"

#include <ctype.h>
#include <dwarf.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "replayer/code/address-scope.h"
#include "replayer/dwarf/arithmetic.h"
#include "replayer/dwarf/named.h"

#define MAX_NAME 128
#define MAX_MEMBERS 256 /* that a name is compared with */

/* ---- Tokens ---- */

void wt_dwarf_skip_blanks(struct wt_dwarf_parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

bool wt_dwarf_take(struct wt_dwarf_parser *parser, const char *token)
{
	size_t length = strlen(token);

	wt_dwarf_skip_blanks(parser);
	if (strncmp(parser->at, token, length))
		return false;
	parser->at += length;
	return true;
}

void wt_dwarf_need(struct wt_dwarf_parser *parser, const char *token)
{
	if (!wt_dwarf_take(parser, token))
		wt_dwarf_complain(parser, "'%s' is missing", token);
}

static bool take_name(struct wt_dwarf_parser *parser, char name[MAX_NAME])
{
	size_t length = 0;

	wt_dwarf_skip_blanks(parser);
	while (wt_dwarf_is_of_name(parser->at[length]))
		length++;
	if (!length || isdigit((unsigned char)*parser->at) || length >= MAX_NAME)
		return false;
	memcpy(name, parser->at, length);
	name[length] = '\0';
	parser->at += length;
	return true;
}

/* How long a name of C++ is at the beginning of a text, with the arguments of a template; 0 if there is none. */
static size_t class_name_length(const char *text)
{
	size_t length = 0, depth = 0;

	if (isdigit((unsigned char)*text))
		return 0;
	while (wt_dwarf_is_of_name(text[length]))
		length++;
	if (!length || text[length] != '<')
		return length;
	do {
		depth += text[length] == '<';
		depth -= text[length] == '>';
	} while (text[length++] && depth);
	return depth ? 0 : length;
}

/* "back::base::" in front of the name of a member; an empty text if nothing is. */
static void take_class(struct wt_dwarf_parser *parser, char of[MAX_NAME])
{
	const char *start = parser->at, *end = start;
	size_t length = class_name_length(start);

	while (length && !strncmp(parser->at + length, "::", 2)) {
		end = parser->at + length;
		parser->at = end + 2;
		length = class_name_length(parser->at);
	}
	length = (size_t)(end - start);
	if (length >= MAX_NAME) {
		wt_dwarf_complain(parser, "this name is too long");
		length = 0;
	}
	memcpy(of, start, length);
	of[length] = '\0';
}

/* ---- Members and elements ---- */

/* Offers the members of a structure, those of its bases and of members without a name among them, @left of all at most. */
static void guess_offer_members(struct wt_guess *guess, const struct wt_dwarf_type *type,
				struct wt_dwarf_unit *unit, size_t *left)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;

	while (*left && wt_dwarf_member_next(type, unit, &state, &member)) {
		--*left;
		if (member.name)
			wt_guess_offer(guess, member.name);
		else if (member.type.kind == WT_DWARF_TYPE_STRUCT)
			guess_offer_members(guess, &member.type, unit, left);
	}
}

/* "it has no member nmae: did you mean name?" */
static void name_refuse(struct wt_dwarf_parser *parser, const char *before, const char *behind,
			const struct wt_guess *guess)
{
	bool is_near = guess->nearest;

	wt_dwarf_complain(parser, "%s %s%s%s%s%s", before, guess->word, behind,
			  is_near ? ": did you mean " : "", is_near ? guess->nearest : "",
			  is_near ? "?" : "");
}

static void member_refuse(struct wt_dwarf_parser *parser, const struct wt_dwarf_type *type,
			  const char *name)
{
	struct wt_guess guess = wt_guess_begin(name);
	size_t left = MAX_MEMBERS;

	if (type->kind != WT_DWARF_TYPE_STRUCT) {
		wt_dwarf_complain(parser, "this has no members, so no %s", name);
		return;
	}
	guess_offer_members(&guess, type, parser->scene->unit, &left);
	name_refuse(parser, "it has no member", "", &guess);
}

static void select_member(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_way way;
	char name[MAX_NAME], of[MAX_NAME];

	if (parser->failed)
		return;
	wt_dwarf_skip_blanks(parser);
	parser->blamed = parser->at;
	take_class(parser, of);
	if (!take_name(parser, name)) {
		wt_dwarf_complain(parser, "the name of a member is missing");
	} else if (operand->type.kind == WT_DWARF_TYPE_STRUCT &&
		   wt_dwarf_operand_find_member(parser, &operand->type, *of ? of : NULL, name,
						&way)) {
		if (!parser->failed)
			wt_dwarf_operand_follow_way(parser, operand, &way);
	} else if (*of) {
		wt_dwarf_complain(parser, "it has no member %s of %s", name, of);
	} else if (!wt_dwarf_operand_component(parser, operand, name)) {
		member_refuse(parser, &operand->type, name);
	}
	parser->blamed = NULL;
}

/* The element that a number says; @bracket: where it begins in the text. */
static void index_pointer(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
			  const struct wt_dwarf_operand *index, const char *bracket)
{
	if (!index->why && wt_dwarf_operand_follow_removed(parser, operand, index->scalar.number))
		return;
	parser->blamed = bracket;
	wt_dwarf_operand_load(parser, operand);
	if (!parser->failed && !operand->has_target)
		wt_dwarf_complain(parser, "this is neither an array nor a pointer");
	if (!parser->failed)
		wt_dwarf_operand_move(operand, index, false);
	if (!parser->failed)
		wt_dwarf_operand_dereference(parser, operand);
	parser->blamed = NULL;
}

static bool take_index(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *index)
{
	const char *begin;

	wt_dwarf_skip_blanks(parser);
	begin = parser->at;
	wt_dwarf_parse_expression(parser, index);
	wt_dwarf_need(parser, "]");
	parser->blamed = begin;
	wt_dwarf_need_one(parser, index);
	if (!parser->failed)
		wt_dwarf_operand_load(parser, index);
	if (!parser->failed && !wt_dwarf_operand_is_integer(index))
		wt_dwarf_complain(parser, "an index is an integer");
	if (!parser->failed && index->computed && !index->why)
		index->why = wt_dwarf_sign_doubt(&index->scalar, 64);
	parser->blamed = NULL;
	return !parser->failed;
}

static void select_element(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	const char *bracket = parser->at - 1;
	struct wt_dwarf_operand index;
	struct wt_dwarf_type element;
	uint64_t count;

	if (!take_index(parser, &index))
		return;
	if (operand->type.kind != WT_DWARF_TYPE_ARRAY) {
		index_pointer(parser, operand, &index, bracket);
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

static void operand_number_parse(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};
	bool hexadecimal = parser->at[0] == '0' && (parser->at[1] == 'x' || parser->at[1] == 'X');
	bool decimal = parser->at[0] != '0';
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
		if (!isfinite(scalar.real))
			wt_dwarf_complain(parser, "the number is larger than a double can be");
		if (*end == 'f') {
			scalar = wt_dwarf_convert(&scalar, WT_DWARF_TYPE_FLOAT, 32, true);
			end++;
		}
		parser->at = end;
		wt_dwarf_operand_number(operand, &scalar);
		return;
	}
	errno = 0;
	scalar.number = strtoull(parser->at, &end, 0);
	if (errno == ERANGE)
		wt_dwarf_complain(parser, "the number has more than 64 bits");
	for (; strchr("uUlL", *end) && *end; end++) {
		is_unsigned |= *end == 'u' || *end == 'U';
		is_long |= *end == 'l' || *end == 'L';
	}
	if (is_long || scalar.number > UINT32_MAX ||
	    (scalar.number > INT32_MAX && decimal && !is_unsigned))
		scalar.bits = 64;
	is_unsigned |= !decimal && scalar.number > (scalar.bits == 64 ? INT64_MAX : INT32_MAX);
	is_unsigned |= scalar.number > INT64_MAX;
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
	static const char escapes[] = "0abfnrtv\\'", meanings[] = "\0\a\b\f\n\r\t\v\\'";
	const char *escape;
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};

	if (parser->at[0] == '\\' && parser->at[1]) {
		escape = strchr(escapes, parser->at[1]);
		if (!escape) {
			wt_dwarf_complain(parser,
					  "'\\%c' is none of \\0, \\a, \\b, \\f, \\n, \\r, "
					  "\\t, \\v, \\\\ and \\'",
					  isprint((unsigned char)parser->at[1]) ? parser->at[1]
										: '?');
			return;
		}
		parser->at++;
		scalar.number = (unsigned char)meanings[escape - escapes];
	} else {
		scalar.number = (unsigned char)parser->at[0];
	}
	if (!parser->at[0] || parser->at[1] != '\'') {
		wt_dwarf_complain(parser, "a character stands between two '");
		return;
	}
	parser->at += 2;
	wt_dwarf_operand_number(operand, &scalar);
}

/* Does a register have a value of the program: v4, s7, a0? The others have masks, addresses and bits. */
static bool register_is_general(const char *name)
{
	return strchr("vsa", *name) && isdigit((unsigned char)name[1]);
}

static void register_operand_parse(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED};
	const struct wt_dwarf_scene *scene = parser->scene;
	const char *why = NULL;
	char name[MAX_NAME] = "";

	parser->blamed = parser->at - 1;
	if (!take_name(parser, name))
		wt_dwarf_complain(parser, "the name of a register is missing");
	else if (!scene->read_register(scene->opaque, name, parser->lane, &scalar.number,
				       &scalar.bits, &why))
		wt_dwarf_complain(parser, "there is no register %s of up to 8 bytes", name);
	parser->blamed = NULL;
	scalar.is_pattern = !register_is_general(name);
	wt_dwarf_operand_number(operand, &scalar);
	operand->why = why;
}

/* A name, with the namespaces that it is in: a::b. */
static bool path_take(struct wt_dwarf_parser *parser, char name[MAX_NAME])
{
	size_t length;

	wt_dwarf_skip_blanks(parser);
	length = wt_dwarf_path_length(parser->at);
	if (!length || length >= MAX_NAME)
		return false;
	memcpy(name, parser->at, length);
	name[length] = '\0';
	parser->at += length;
	return true;
}

static struct wt_dwarf_names names_of(const struct wt_dwarf_parser *parser)
{
	const struct wt_dwarf_scene *scene = parser->scene;

	return (struct wt_dwarf_names){scene->unit, scene->scopes, scene->scope_count};
}

static bool enumerator(struct wt_dwarf_parser *parser, const char *name,
		       struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_names names = names_of(parser);
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_SIGNED, .bits = 64};
	struct wt_dwarf_type type;

	if (!wt_dwarf_named_enumerator(&names, name, &type, &scalar.number))
		return false;
	/* The form of a constant need not have the sign of its type. */
	wt_dwarf_convert_to(&scalar, &type, &scalar);
	if (type.kind == WT_DWARF_TYPE_ENUM)
		wt_dwarf_scalar_enumerate(&scalar, &type);
	wt_dwarf_operand_number(operand, &scalar);
	operand->type = type;
	return true;
}

/* A member of the object whose function this is. */
static bool own_member(struct wt_dwarf_parser *parser, const char *name,
		       struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	struct wt_dwarf_way way;

	if (!scene->variable(scene->opaque, "this", parser->lane, operand))
		return false;
	wt_dwarf_operand_dereference(parser, operand);
	if (parser->failed || operand->type.kind != WT_DWARF_TYPE_STRUCT ||
	    !wt_dwarf_operand_find_member(parser, &operand->type, NULL, name, &way))
		return false;
	if (!parser->failed)
		wt_dwarf_operand_follow_way(parser, operand, &way);
	return true;
}

/* The complaint that follows, unless there is one, is that a name has no meaning in this frame. */
static void parser_blame_name(struct wt_dwarf_parser *parser)
{
	if (!parser->failed)
		parser->complaint->is_name = true;
}

/* Offers the variables of the scopes around the pc. */
static void guess_offer_variables(struct wt_guess *guess, const struct wt_dwarf_scene *scene)
{
	for (size_t i = 0; i < scene->scope_count; i++) {
		Dwarf_Die scope = scene->scopes[i], child;
		size_t seen = 0;

		if (dwarf_child(&scope, &child))
			continue;
		do {
			int tag = dwarf_tag(&child);
			const char *name = dwarf_diename(&child);

			if (name && (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter))
				wt_guess_offer(guess, name);
		} while (++seen < WT_SCOPE_MAX_CHILDREN && !dwarf_siblingof(&child, &child));
	}
}

static void variable_refuse(struct wt_dwarf_parser *parser, const char *name)
{
	struct wt_guess guess = wt_guess_begin(name);

	guess_offer_variables(&guess, parser->scene);
	parser_blame_name(parser);
	name_refuse(parser, "there is no variable", " here", &guess);
}

/* A variable or a member of the program's own that has such a name; HIP's are structures without a member. */
static bool launch_name_is_variable(struct wt_dwarf_parser *parser, const char *name)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	struct wt_dwarf_operand operand = {0};
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;

	if (!scene->variable(scene->opaque, name, parser->lane, &operand))
		return own_member(parser, name, &operand);
	return operand.type.kind != WT_DWARF_TYPE_STRUCT ||
	       wt_dwarf_member_next(&operand.type, scene->unit, &state, &member);
}

/* "threadIdx": three numbers that the launch says, whether debug information describes them or not. */
static bool parser_take_launch(struct wt_dwarf_parser *parser, const char *name,
			       struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	const char *why = NULL;
	uint32_t value = 0;

	if (!scene->launch_value(scene->opaque, name, 0, parser->lane, &value, &why) ||
	    launch_name_is_variable(parser, name))
		return false;
	*operand = (struct wt_dwarf_operand){.type = {.bits = 96}, .has_launch = true};
	for (uint32_t i = 0; i < 3; i++)
		scene->launch_value(scene->opaque, name, i, parser->lane, &operand->launch[i].value,
				    &operand->launch[i].why);
	return true;
}

/* "__builtin_amdgcn_workitem_id_x()": one of them as compilers have it. No program declares such a name. */
static bool parser_take_launch_call(struct wt_dwarf_parser *parser, const char *name,
				    struct wt_dwarf_operand *operand)
{
	static const struct {
		const char *begin, *launch;
	} calls[] = {
		{"__builtin_amdgcn_workitem_id_", "threadIdx"},
		{"__builtin_amdgcn_workgroup_id_", "blockIdx"},
	};
	const struct wt_dwarf_scene *scene = parser->scene;

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		const size_t length = strlen(calls[i].begin);
		const char *dimension;
		struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED, .bits = 32};
		const char *why = NULL;
		uint32_t value = 0;

		if (strncmp(name, calls[i].begin, length) != 0)
			continue;
		dimension = name + length;
		if (*dimension < 'x' || *dimension > 'z' || dimension[1] ||
		    !scene->launch_value(scene->opaque, calls[i].launch,
					 (uint32_t)(*dimension - 'x'), parser->lane, &value, &why))
			continue;
		wt_dwarf_need(parser, "(");
		wt_dwarf_need(parser, ")");
		scalar.number = value;
		wt_dwarf_operand_number(operand, &scalar);
		operand->why = why;
		return true;
	}
	return false;
}

/* "true", "false" and "nullptr", which C++ has, and C of today. */
static bool parser_take_literal(const char *name, struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scalar truth = {
		.kind = WT_DWARF_TYPE_BOOLEAN, .bits = 8, .number = !strcmp(name, "true")};
	const struct wt_dwarf_type nothing = {.kind = WT_DWARF_TYPE_NONE};

	if (!strcmp(name, "nullptr"))
		wt_dwarf_operand_pointer(operand, &nothing, GFX_SPACE_GENERIC, 0, NULL);
	else if (truth.number || !strcmp(name, "false"))
		wt_dwarf_operand_number(operand, &truth);
	else
		return false;
	return true;
}

static void variable(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	const char *before = parser->at;
	char name[MAX_NAME];

	if (!path_take(parser, name)) {
		wt_dwarf_complain(parser, *parser->at ? "this cannot stand here"
						      : "something is missing at the end");
		return;
	}
	if (parser_take_launch_call(parser, name, operand) ||
	    parser_take_launch(parser, name, operand) ||
	    scene->variable(scene->opaque, name, parser->lane, operand) ||
	    enumerator(parser, name, operand) || own_member(parser, name, operand) ||
	    parser_take_literal(name, operand))
		return;
	parser->at = before;
	variable_refuse(parser, name);
}

static void cast(struct wt_dwarf_parser *parser, const struct wt_dwarf_named *named,
		 struct wt_dwarf_operand *operand);

/* How many elements stand behind a type: "[2][3]". */
static void take_dimensions(struct wt_dwarf_parser *parser, struct wt_dwarf_named *named)
{
	struct wt_dwarf_operand count;

	while (!parser->failed && wt_dwarf_take(parser, "[")) {
		if (!take_index(parser, &count))
			break;
		if (count.why || named->dimension_count == WT_DWARF_MAX_DIMENSIONS)
			wt_dwarf_complain(parser, "so many elements are no array");
		else
			named->dimensions[named->dimension_count++] = count.scalar.number;
	}
}

bool wt_dwarf_take_type(struct wt_dwarf_parser *parser, struct wt_dwarf_named *named)
{
	const struct wt_dwarf_names names = names_of(parser);
	const char *before = parser->at, *end;
	char name[MAX_NAME] = "";

	if (path_take(parser, name)) {
		parser->at = before;
		wt_dwarf_skip_blanks(parser);
		/* A variable of the name is meant before a type. */
		if (!parser->scene->has_variable(parser->scene->opaque, name) &&
		    wt_dwarf_named_parse(&names, parser->at, named, &end)) {
			parser->at = end;
			take_dimensions(parser, named);
			return true;
		}
	}
	if (wt_dwarf_is_tag(name)) {
		parser_blame_name(parser);
		wt_dwarf_complain(parser, "there is no such type here");
	}
	parser->at = before;
	return false;
}

static void primary(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	wt_dwarf_skip_blanks(parser);
	if (wt_dwarf_take(parser, "(")) {
		wt_dwarf_parse_expression(parser, operand);
		wt_dwarf_need(parser, ")");
	} else if (wt_dwarf_take(parser, "$")) {
		register_operand_parse(parser, operand);
	} else if (wt_dwarf_take(parser, "'")) {
		character(parser, operand);
	} else if (isdigit((unsigned char)*parser->at)) {
		operand_number_parse(parser, operand);
	} else {
		variable(parser, operand);
	}
}

void wt_dwarf_need_one(struct wt_dwarf_parser *parser, const struct wt_dwarf_operand *operand)
{
	if (!parser->failed && operand->repeated)
		wt_dwarf_complain(parser, "an array that @ makes can only be printed");
}

static void postfix(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	primary(parser, operand);
	while (!parser->failed) {
		wt_dwarf_skip_blanks(parser);
		if (operand->repeated && *parser->at && strchr("-.[", *parser->at))
			wt_dwarf_need_one(parser, operand);
		wt_dwarf_operand_follow_reference(parser, operand);
		if (wt_dwarf_take(parser, "->")) {
			parser->blamed = parser->at - 2;
			wt_dwarf_operand_dereference(parser, operand);
			parser->blamed = NULL;
			select_member(parser, operand);
		} else if (wt_dwarf_take(parser, ".")) {
			select_member(parser, operand);
		} else if (wt_dwarf_take(parser, "[")) {
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
		scalar = wt_dwarf_negate(operator, & scalar);
	}
	wt_dwarf_operand_number(operand, &scalar);
	operand->why = why;
}

/* The size of a type. */
static uint64_t named_size(struct wt_dwarf_parser *parser, const struct wt_dwarf_named *named)
{
	bool is_narrow = named->has_space && named->space != GFX_SPACE_GENERIC &&
			 named->space != GFX_SPACE_GLOBAL;
	uint64_t bytes = named->is_pointer ? (is_narrow ? 4 : 8) : named->type.bits / 8;

	if (!bytes)
		wt_dwarf_complain(parser, "the size of that type is not known");
	for (size_t i = 0; i < named->dimension_count; i++)
		if (__builtin_mul_overflow(bytes, named->dimensions[i], &bytes))
			wt_dwarf_complain(parser, "so many elements are no array");
	return bytes;
}

static void sizeof_parse(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED, .bits = 64};
	const char *before = parser->at;
	struct wt_dwarf_named named;

	if (wt_dwarf_take(parser, "(") && wt_dwarf_take_type(parser, &named)) {
		scalar.number = named_size(parser, &named);
		wt_dwarf_need(parser, ")");
	} else {
		parser->at = before;
		wt_dwarf_parse_unary(parser, operand);
		scalar.number = operand->type.bits / 8;
		if (operand->repeated)
			scalar.number *= operand->repeated;
	}
	wt_dwarf_operand_number(operand, &scalar);
}

/* Applies an operator to the operand behind it. */
static void apply_unary(struct wt_dwarf_parser *parser, char operator,
			struct wt_dwarf_operand * operand)
{
	switch (operator) {
	case '*':
		wt_dwarf_operand_dereference(parser, operand);
		break;
	case '&':
		wt_dwarf_operand_address(parser, operand);
		break;
	case '+':
		wt_dwarf_operand_load(parser, operand);
		break;
	default:
		negate(parser, operator, operand);
	}
}

void wt_dwarf_parse_unary(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_named named;
	const char *before;
	char name[MAX_NAME];

	operand->repeated = 0;
	wt_dwarf_skip_blanks(parser);
	before = parser->at;
	if (++parser->depth > WT_DWARF_MAX_NESTING)
		wt_dwarf_complain(parser, "it is nested too deeply");
	if (parser->failed)
		return;
	if (*before && strchr("*&-~!+", *before) && strncmp(before, "&&", 2) != 0) {
		parser->at++;
		wt_dwarf_parse_unary(parser, operand);
		parser->blamed = before;
		wt_dwarf_need_one(parser, operand);
		if (!parser->failed)
			apply_unary(parser, *before, operand);
		parser->blamed = NULL;
	} else if (wt_dwarf_take(parser, "(") && wt_dwarf_take_type(parser, &named)) {
		wt_dwarf_need(parser, ")");
		wt_dwarf_parse_unary(parser, operand);
		parser->blamed = before;
		cast(parser, &named, operand);
		parser->blamed = NULL;
	} else {
		parser->at = before;
		if (take_name(parser, name) && !strcmp(name, "sizeof")) {
			sizeof_parse(parser, operand);
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
	const char *why, *not_known;

	wt_dwarf_need_one(parser, operand);
	if (!parser->failed)
		wt_dwarf_operand_decay(parser, operand);
	if (parser->failed)
		return;
	why = operand->why;
	if (named->is_pointer && !named->dimension_count) {
		if (type->kind == WT_DWARF_TYPE_STRUCT)
			wt_dwarf_operand_cast_class(parser, operand, type);
		if (parser->failed)
			return;
		why = operand->why;
		space = named->has_space      ? named->space
			: operand->has_target ? operand->scalar.space
					      : GFX_SPACE_GENERIC;
		wt_dwarf_operand_pointer(operand, type, space, operand->scalar.number, why);
		return;
	}
	if (!wt_dwarf_type_is_number(type) || type->kind == WT_DWARF_TYPE_POINTER ||
	    named->dimension_count) {
		wt_dwarf_complain(parser, "a cast is to a number or a pointer");
		return;
	}
	not_known = wt_dwarf_convert_to(&operand->scalar, type, &scalar);
	if (type->kind == WT_DWARF_TYPE_ENUM)
		wt_dwarf_scalar_enumerate(&scalar, type);
	if (type->kind == WT_DWARF_TYPE_FLOAT && type->bits < 32) {
		scalar.form = type->form;
		scalar.real = wt_real_round(scalar.form, scalar.bits, scalar.real);
	}
	wt_dwarf_operand_number(operand, &scalar);
	operand->type = *type;
	operand->why = why ? why : not_known;
}
