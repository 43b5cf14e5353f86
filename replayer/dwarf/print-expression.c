/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/print-expression.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "replayer/dwarf/arithmetic.h"
#include "replayer/dwarf/parse.h"

/* ---- A type as its source declares it, for who asks what it is made of ---- */

#define MAX_NESTING 8 /* structures without a name in each other */
#define MAX_ENUMERATORS 4096

static void define_indent(struct wt_buffer *text, unsigned int depth)
{
	for (unsigned int i = 0; i < depth; i++)
		wt_buffer_append_text(text, "    ");
}

static void define_struct(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  unsigned int depth, struct wt_buffer *text);

static bool type_has_name(const struct wt_dwarf_type *type)
{
	Dwarf_Die die = type->die;
	const char *name = dwarf_diename(&die);

	return name && *name;
}

static const char *struct_word(const struct wt_dwarf_type *type)
{
	Dwarf_Die die = type->die;
	int tag = dwarf_tag(&die);

	return tag == DW_TAG_union_type ? "union" : tag == DW_TAG_class_type ? "class" : "struct";
}

static void define_member(const struct wt_dwarf_member *member, struct wt_dwarf_unit *unit,
			  unsigned int depth, struct wt_buffer *text)
{
	char name[WT_DWARF_MAX_TYPE];
	Dwarf_Die named = member->type.named, die = member->type.die;

	define_indent(text, depth);
	/* A typedef that names it says it better. */
	if (member->type.kind == WT_DWARF_TYPE_STRUCT && !type_has_name(&member->type) &&
	    dwarf_dieoffset(&named) == dwarf_dieoffset(&die) && depth < MAX_NESTING)
		define_struct(&member->type, unit, depth, text);
	else
		wt_buffer_append_text(text, wt_dwarf_type_name(&member->type, unit, name));
	if (member->name)
		wt_buffer_append_format(text, " %s", member->name);
	if (member->is_field)
		wt_buffer_append_format(text, " : %llu", (unsigned long long)member->bits);
	wt_buffer_append_text(text, ";\n");
}

static void define_bases(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			 struct wt_buffer *text)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	char name[WT_DWARF_MAX_TYPE];
	const char *before = " : ";

	while (wt_dwarf_member_next(type, unit, &state, &member)) {
		if (!member.is_base)
			continue;
		wt_buffer_append_format(text, "%s%s%s", before, member.is_virtual ? "virtual " : "",
					wt_dwarf_type_path(&member.type, unit, name));
		before = ", ";
	}
}

static void define_struct(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  unsigned int depth, struct wt_buffer *text)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	struct wt_dwarf_type bare = *type;
	char name[WT_DWARF_MAX_TYPE];

	bare.named = bare.die;
	wt_buffer_append_text(text, struct_word(type));
	if (type_has_name(type))
		wt_buffer_append_format(text, " %s", wt_dwarf_type_path(&bare, unit, name));
	define_bases(type, unit, text);
	wt_buffer_append_text(text, " {\n");
	while (wt_dwarf_member_next(type, unit, &state, &member))
		if (!member.is_base)
			define_member(&member, unit, depth + 1, text);
	define_indent(text, depth);
	wt_buffer_append_text(text, "}");
}

static void define_enumeration(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			       struct wt_buffer *text)
{
	struct wt_dwarf_type bare = *type;
	Dwarf_Die parent = type->die, child;
	char name[WT_DWARF_MAX_TYPE];
	const char *before = " {";
	size_t count = 0;

	bare.named = bare.die;
	wt_buffer_append_text(text,
			      dwarf_hasattr(&parent, DW_AT_enum_class) ? "enum class" : "enum");
	if (type_has_name(type))
		wt_buffer_append_format(text, " %s", wt_dwarf_type_path(&bare, unit, name));
	if (dwarf_child(&parent, &child)) {
		wt_buffer_append_text(text, " {}");
		return;
	}
	do {
		Dwarf_Attribute attribute;
		Dwarf_Sword number;

		if (dwarf_tag(&child) != DW_TAG_enumerator ||
		    dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &attribute), &number))
			continue;
		wt_buffer_append_format(
			text, type->is_signed ? "%s%s = %lld" : "%s%s = %llu", before,
			dwarf_diename(&child) ? dwarf_diename(&child) : "?",
			type->is_signed
				? (long long)number
				: (long long)((uint64_t)number &
					      (type->bits < 64 ? (UINT64_C(1) << type->bits) - 1
							       : UINT64_MAX)));
		before = ", ";
	} while (++count < MAX_ENUMERATORS && !dwarf_siblingof(&child, &child));
	wt_buffer_append_text(text, *before == ',' ? "}" : " {}");
}

/* Append what a type is made of, without its typedefs: members with bases, enumerators with values; of a pointer what it points to. */
static void dwarf_type_define(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			      struct wt_buffer *text)
{
	struct wt_dwarf_type inner = *type, target;
	char whole[WT_DWARF_MAX_TYPE], core[WT_DWARF_MAX_TYPE];
	size_t length;

	for (int i = 0; i < MAX_NESTING &&
			(inner.kind == WT_DWARF_TYPE_POINTER || inner.kind == WT_DWARF_TYPE_ARRAY);
	     i++) {
		wt_dwarf_type_target(&inner, unit, &target);
		inner = target;
	}
	/* The text that a name has around that of its structure is kept: "local ", " *", "[4]". */
	target = *type;
	if (!target.dimension)
		target.named = target.die;
	wt_dwarf_type_name(&target, unit, whole);
	wt_dwarf_type_name(&inner, unit, core);
	length = strlen(core);
	if (inner.kind == WT_DWARF_TYPE_STRUCT)
		define_struct(&inner, unit, 0, text);
	else if (inner.kind == WT_DWARF_TYPE_ENUM)
		define_enumeration(&inner, unit, text);
	else
		wt_buffer_append_text(text, whole);
	if ((inner.kind == WT_DWARF_TYPE_STRUCT || inner.kind == WT_DWARF_TYPE_ENUM) &&
	    strstr(whole, core) && type->kind != inner.kind)
		wt_buffer_append_text(text, strstr(whole, core) + length);
}

/* Append its name, of a typedef the name of what that stands for. */
static void dwarf_type_unroll(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			      struct wt_buffer *text)
{
	struct wt_dwarf_type inner = *type;
	Dwarf_Die named = type->named;
	char name[WT_DWARF_MAX_TYPE];

	if (type->has_die && dwarf_tag(&named) == DW_TAG_typedef)
		wt_dwarf_type_of(&inner, unit, &named);
	wt_buffer_append_text(text, wt_dwarf_type_name(&inner, unit, name));
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
	{"@"},
	{"+", "-"},
	{"*", "/", "%"},
};
/* ---- Expressions ---- */

#define MAX_REPEATED 1000000 /* objects that are asked for at once */
#define LEVELS (sizeof(levels) / sizeof(*levels))

static const char *take_operator(struct wt_dwarf_parser *parser, size_t level)
{
	wt_dwarf_skip_blanks(parser);
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

static bool is_comparison(const char *operator)
{
	return strchr("=!<>", operator[0]) && strcmp(operator, "<<") && strcmp(operator, ">>");
}

/* A pointer as one that leads to any memory. Null is another number there; of a wave's private memory there is none. */
static bool pointer_widen(const struct wt_dwarf_parser *parser, struct wt_dwarf_operand *pointer)
{
	const struct wt_dwarf_frame *frame = parser->scene->frame;
	uint64_t aperture = 0;

	if (pointer->scalar.bits > 32)
		return true;
	if (frame && frame->machine && pointer->scalar.space == GFX_SPACE_LOCAL)
		aperture = frame->machine->local_aperture;
	if (frame && frame->machine && pointer->scalar.space == GFX_SPACE_PRIVATE_LANE)
		aperture = frame->machine->private_aperture;
	if (!aperture)
		return false;
	pointer->scalar.bits = 64;
	pointer->scalar.space = GFX_SPACE_GENERIC;
	if (pointer->scalar.number == UINT32_MAX)
		pointer->scalar.number = 0;
	else
		pointer->scalar.number += aperture;
	return true;
}

/* Pointers that count from different starts are compared, and subtracted, by their generic addresses. */
static bool bring_to_one_space(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *a,
			       struct wt_dwarf_operand *b)
{
	if (a->scalar.bits == b->scalar.bits &&
	    (a->scalar.bits > 32 || a->scalar.space == b->scalar.space))
		return true;
	if (pointer_widen(parser, a) && pointer_widen(parser, b))
		return true;
	wt_dwarf_complain(parser, "they point to different address spaces");
	return false;
}

/* A pointer and another one, or a number. */
static void compare_pointers(struct wt_dwarf_parser *parser, const char *operator,
			     struct wt_dwarf_operand * a, struct wt_dwarf_operand *b)
{
	const char *why = a->why ? a->why : b->why;
	struct wt_dwarf_scalar x, y, result;

	if (a->has_target && b->has_target) {
		if (!bring_to_one_space(parser, a, b))
			return;
	} else if (!wt_dwarf_operand_is_integer(a->has_target ? b : a)) {
		wt_dwarf_complain(parser, "this cannot be done to pointers");
		return;
	}
	x = wt_dwarf_convert(&a->scalar, WT_DWARF_TYPE_UNSIGNED, 64, false);
	y = wt_dwarf_convert(&b->scalar, WT_DWARF_TYPE_UNSIGNED, 64, false);
	wt_dwarf_compute(operator, & x, &y, &result);
	wt_dwarf_operand_number(a, &result);
	a->why = why;
}

static bool subtract_pointers(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *a,
			      struct wt_dwarf_operand *b)
{
	struct wt_dwarf_scalar scalar = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 64, .is_signed = true};
	const char *why = a->why ? a->why : b->why;

	if (!b->has_target || a->target.bits < 8)
		return false;
	if (!bring_to_one_space(parser, a, b))
		return true;
	scalar.number = (uint64_t)((int64_t)(a->scalar.number - b->scalar.number) /
				   (int64_t)(a->target.bits / 8));
	wt_dwarf_operand_number(a, &scalar);
	a->why = why;
	return true;
}

/* False if neither is a pointer. */
static bool apply_to_pointers(struct wt_dwarf_parser *parser, const char *operator,
			      struct wt_dwarf_operand * a, struct wt_dwarf_operand *b)
{
	if (!a->has_target && !b->has_target)
		return false;
	if (is_comparison(operator)) {
		compare_pointers(parser, operator, a, b);
	} else if (strchr("+-", operator[0]) && a->has_target && wt_dwarf_operand_is_integer(b)) {
		wt_dwarf_operand_move(a, b, operator[0] == '-');
	} else if (operator[0] == '+' && b->has_target && wt_dwarf_operand_is_integer(a)) {
		wt_dwarf_operand_move(b, a, false);
		*a = *b;
	} else if (operator[0] != '-' || !a->has_target || !subtract_pointers(parser, a, b)) {
		wt_dwarf_complain(parser, "this cannot be done to pointers");
	}
	return true;
}

/* One side that decides is enough, as in C: the other one need not be known. */
static void apply_logic(bool any, struct wt_dwarf_operand *a, const struct wt_dwarf_operand *b)
{
	struct wt_dwarf_scalar result = {
		.kind = WT_DWARF_TYPE_SIGNED, .bits = 32, .is_signed = true};
	bool x = wt_dwarf_is_true(&a->scalar), y = wt_dwarf_is_true(&b->scalar);
	const char *why = a->why ? a->why : b->why;

	if ((!a->why && x == any) || (a->why && !b->why && y == any)) {
		result.number = any;
		why = NULL;
	} else {
		result.number = y;
	}
	wt_dwarf_operand_number(a, &result);
	a->why = why;
}

/* So many objects of the type, from this one on. */
static void operand_repeat(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand,
			   struct wt_dwarf_operand *count)
{
	wt_dwarf_operand_load(parser, count);
	if (parser->failed)
		return;
	if (operand->computed && !operand->why)
		wt_dwarf_complain(parser, "a number that was computed has nothing behind it");
	else if (operand->bits != operand->type.bits || operand->bits % 8 || !operand->bits)
		wt_dwarf_complain(parser, "such an object has nothing behind it");
	else if (!wt_dwarf_operand_is_integer(count) || count->why)
		wt_dwarf_complain(parser, "how many there are is an integer that is known");
	else if (!count->scalar.number || count->scalar.number > MAX_REPEATED)
		wt_dwarf_complain(parser, "there are 1 to %d objects", MAX_REPEATED);
	else
		operand->repeated = count->scalar.number;
}

static void operator_apply(struct wt_dwarf_parser *parser, const char *operator,
			   struct wt_dwarf_operand * a, struct wt_dwarf_operand *b)
{
	bool any = !strcmp(operator, "||");
	struct wt_dwarf_scalar x, y, result;
	const char *why, *not_computed;

	wt_dwarf_need_one(parser, a);
	wt_dwarf_need_one(parser, b);
	if (parser->failed)
		return;
	if (operator[0] == '@') {
		operand_repeat(parser, a, b);
		return;
	}
	wt_dwarf_operand_decay(parser, a);
	if (!parser->failed)
		wt_dwarf_operand_decay(parser, b);
	if (parser->failed)
		return;
	if (any || !strcmp(operator, "&&")) {
		apply_logic(any, a, b);
		return;
	}
	if (apply_to_pointers(parser, operator, a, b))
		return;
	why = a->why ? a->why : b->why;
	x = a->scalar;
	y = b->scalar;
	result = x;
	not_computed = wt_dwarf_compute(operator, & x, &y, &result);
	wt_dwarf_operand_number(a, &result);
	a->why = why ? why : not_computed;
}

static void binary(struct wt_dwarf_parser *parser, int level, struct wt_dwarf_operand *operand)
{
	wt_dwarf_parse_unary(parser, operand);
	for (;;) {
		const char *operator= NULL, *before;
		size_t found = (size_t)level;
		struct wt_dwarf_operand second;

		if (parser->failed)
			return;
		wt_dwarf_skip_blanks(parser);
		before = parser->at;
		/* Among all operators that may stand here, the one that binds least is looked for first. */
		for (; found < LEVELS && !operator; found++)
			operator= take_operator(parser, found);
		if (!operator) {
			parser->at = before;
			return;
		}
		binary(parser, (int)found, &second);
		parser->blamed = before;
		if (!parser->failed)
			operator_apply(parser, operator, operand, &second);
		parser->blamed = NULL;
	}
}

static bool is_number(const struct wt_dwarf_operand *operand)
{
	return !operand->has_target && operand->type.kind != WT_DWARF_TYPE_POINTER &&
	       wt_dwarf_type_is_number(&operand->type);
}

/* The result of two numbers has the type that both can be brought to. */
static void bring_together(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *chosen,
			   struct wt_dwarf_operand *other)
{
	struct wt_dwarf_scalar zero, result;
	const char *why, *not_known;

	if (!is_number(chosen) || !is_number(other))
		return;
	wt_dwarf_operand_load(parser, chosen);
	wt_dwarf_operand_load(parser, other);
	if (parser->failed)
		return;
	zero = (struct wt_dwarf_scalar){.kind = other->scalar.kind,
					.bits = other->scalar.bits,
					.is_signed = other->scalar.is_signed,
					.is_of_enumeration = other->scalar.is_of_enumeration};
	why = chosen->why;
	result = chosen->scalar;
	not_known = wt_dwarf_compute("-", &chosen->scalar, &zero, &result);
	wt_dwarf_operand_number(chosen, &result);
	chosen->why = why ? why : not_known;
}

/* a ? b : c */
static void conditional_choose(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *condition)
{
	const char *mark = parser->at - 1;
	struct wt_dwarf_operand values[2];
	unsigned int chosen;

	parser->depth += 4;
	parser->blamed = mark;
	wt_dwarf_need_one(parser, condition);
	if (!parser->failed)
		wt_dwarf_operand_decay(parser, condition);
	parser->blamed = NULL;
	wt_dwarf_parse_expression(parser, &values[1]);
	wt_dwarf_need(parser, ":");
	wt_dwarf_parse_expression(parser, &values[0]);
	parser->depth -= 4;
	parser->blamed = mark;
	wt_dwarf_need_one(parser, &values[0]);
	wt_dwarf_need_one(parser, &values[1]);
	if (!parser->failed && is_number(&values[0]) != is_number(&values[1]))
		wt_dwarf_complain(parser, "the two values are of different kinds");
	if (parser->failed)
		return;
	chosen = wt_dwarf_is_true(&condition->scalar);
	bring_together(parser, &values[chosen], &values[!chosen]);
	parser->blamed = NULL;
	if (condition->why)
		wt_dwarf_operand_unknown(&values[chosen], &values[chosen].type, condition->why);
	*condition = values[chosen];
}

void wt_dwarf_parse_expression(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand)
{
	if (++parser->depth > WT_DWARF_MAX_NESTING)
		wt_dwarf_complain(parser, "it is nested too deeply");
	*operand = (struct wt_dwarf_operand){0};
	if (parser->failed)
		return;
	binary(parser, 0, operand);
	if (!parser->failed && wt_dwarf_take(parser, "?"))
		conditional_choose(parser, operand);
	parser->depth--;
}

/* ---- The whole ---- */

/* A type of C that this unit has no entry of. */
static void name_number(const struct wt_dwarf_type *type, char *buffer)
{
	const struct wt_dwarf_scalar scalar = {.kind = type->kind,
					       .bits = (unsigned int)type->bits,
					       .is_signed = type->is_signed,
					       .form = type->form};

	snprintf(buffer, WT_DWARF_MAX_TYPE, "%s", wt_dwarf_scalar_name(&scalar));
}

static void operand_name_one(const struct wt_dwarf_scene *scene,
			     const struct wt_dwarf_operand *operand, char *buffer)
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

	if (operand->has_launch) {
		snprintf(buffer, WT_DWARF_MAX_TYPE, "dim3");
		return;
	}
	if (operand->type.has_die) {
		wt_dwarf_type_name(&operand->type, scene->unit, buffer);
		return;
	}
	if (!operand->has_target) {
		name_number(&operand->type, buffer);
		if (operand->computed && operand->scalar.is_of_enumeration)
			snprintf(buffer, WT_DWARF_MAX_TYPE, "%s",
				 operand->scalar.bits == 64 ? "long or unsigned long"
							    : "int or unsigned int");
		return;
	}
	if (operand->target.has_die || operand->target.kind == WT_DWARF_TYPE_NONE)
		wt_dwarf_type_name(&operand->target, scene->unit, full);
	else
		name_number(&operand->target, full);
	snprintf(target, sizeof(target), "%.*s", (int)sizeof(target) - 1, full);
	snprintf(buffer, WT_DWARF_MAX_TYPE, "%s%s%s*", spaces[operand->scalar.space], target,
		 target[strlen(target) - 1] == '*' ? "" : " ");
}

const char *wt_dwarf_operand_type_name(const struct wt_dwarf_scene *scene,
				       const struct wt_dwarf_operand *operand, char *buffer)
{
	size_t length;

	operand_name_one(scene, operand, buffer);
	length = strlen(buffer);
	if (operand->repeated)
		snprintf(buffer + length, WT_DWARF_MAX_TYPE - length, "[%llu]",
			 (unsigned long long)operand->repeated);
	return buffer;
}

/* The first of several objects are shown, as those of an array are. */
static void operand_show_repeated(const struct wt_dwarf_scene *scene, uint32_t lane,
				  const struct wt_dwarf_operand *operand,
				  const struct wt_dwarf_sink *sink)
{
	uint64_t shown = operand->repeated < WT_DWARF_MAX_ELEMENTS ? operand->repeated
								   : WT_DWARF_MAX_ELEMENTS;

	sink->open(sink->opaque, WT_DWARF_OPEN_ARRAY);
	for (uint64_t i = 0; i < shown; i++)
		wt_dwarf_show(scene->frame, scene->unit, lane, &operand->type, &operand->location,
			      operand->offset + i * operand->bits, sink);
	if (shown < operand->repeated)
		sink->more(sink->opaque, operand->repeated - shown);
	sink->close(sink->opaque);
}

/* threadIdx and such. */
static void operand_show_launch(const struct wt_dwarf_operand *operand,
				const struct wt_dwarf_sink *sink)
{
	static const char *const names[] = {"x", "y", "z"};

	sink->open(sink->opaque, WT_DWARF_OPEN_STRUCT);
	for (size_t i = 0; i < 3; i++) {
		const struct wt_dwarf_label label = {.text = names[i]};
		const struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_UNSIGNED,
						       .bits = 32,
						       .number = operand->launch[i].value};

		sink->member(sink->opaque, &label);
		if (operand->launch[i].why)
			sink->unknown(sink->opaque, operand->launch[i].why);
		else
			sink->scalar(sink->opaque, &scalar);
	}
	sink->close(sink->opaque);
}

void wt_dwarf_operand_show(const struct wt_dwarf_scene *scene, uint32_t lane,
			   const struct wt_dwarf_operand *operand, const struct wt_dwarf_sink *sink)
{
	struct wt_dwarf_scalar scalar = operand->scalar;
	const char *why = operand->why;

	if (operand->computed && !why)
		why = wt_dwarf_sign_doubt(&scalar, UINT_MAX);
	if (operand->has_launch) {
		operand_show_launch(operand, sink);
		return;
	}
	if (!operand->computed && operand->repeated) {
		operand_show_repeated(scene, lane, operand, sink);
		return;
	}
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

static struct wt_dwarf_parser parser_begin(const struct wt_dwarf_scene *scene, uint32_t lane,
					   const char *text, struct wt_dwarf_complaint *complaint)
{
	complaint->is_name = false;
	return (struct wt_dwarf_parser){
		.scene = scene, .lane = lane, .start = text, .at = text, .complaint = complaint};
}

bool wt_dwarf_operand_parse(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
			    struct wt_dwarf_operand *operand_ret,
			    struct wt_dwarf_complaint *complaint_ret)
{
	struct wt_dwarf_parser parser = parser_begin(scene, lane, text, complaint_ret);

	wt_dwarf_parse_expression(&parser, operand_ret);
	wt_dwarf_skip_blanks(&parser);
	if (!parser.failed && *parser.at)
		wt_dwarf_complain(&parser, "this cannot stand here");
	return !parser.failed;
}

bool wt_dwarf_print(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
		    const struct wt_dwarf_sink *sink, char type_ret[WT_DWARF_MAX_TYPE],
		    struct wt_dwarf_complaint *complaint_ret)
{
	struct wt_dwarf_operand operand;

	if (!wt_dwarf_operand_parse(scene, lane, text, &operand, complaint_ret))
		return false;
	wt_dwarf_operand_type_name(scene, &operand, type_ret);
	wt_dwarf_operand_show(scene, lane, &operand, sink);
	return true;
}

/* ---- Types ---- */

/* A variable, if its name is all that stands there. */
static bool variable_take(struct wt_dwarf_parser *parser, const char *text,
			  struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	size_t length = strcspn(text, " \t");

	if (!length || text[length] || wt_dwarf_path_length(text) != length ||
	    !scene->variable(scene->opaque, text, parser->lane, operand))
		return false;
	parser->at = text + length;
	return true;
}

/* A type that is named, or that of an expression. */
static void type_say(struct wt_dwarf_parser *parser, bool is_whole, struct wt_buffer *text)
{
	const struct wt_dwarf_scene *scene = parser->scene;
	const char *before = parser->at;
	struct wt_dwarf_operand operand = {0};
	struct wt_dwarf_named named;
	char name[WT_DWARF_MAX_TYPE];
	bool is_named = wt_dwarf_take_type(parser, &named);

	wt_dwarf_skip_blanks(parser);
	/* Behind a name may stand more: then it is none of a type, or one of a cast. */
	is_named = is_named && !*parser->at;
	/* A variable alone may be a reference, which an expression is no more. */
	if (!is_named && !variable_take(parser, before, &operand)) {
		parser->at = before;
		wt_dwarf_parse_expression(parser, &operand);
	}
	wt_dwarf_skip_blanks(parser);
	if (!parser->failed && *parser->at)
		wt_dwarf_complain(parser, "this cannot stand here");
	if (parser->failed)
		return;
	if (is_named) {
		operand.type = named.type;
		if (named.is_pointer)
			wt_dwarf_operand_pointer(&operand, &named.type,
						 named.has_space ? named.space : GFX_SPACE_GENERIC,
						 0, NULL);
	}
	if (is_whole && operand.type.has_die && !operand.repeated)
		dwarf_type_define(&operand.type, scene->unit, text);
	else if (is_named && operand.type.has_die)
		dwarf_type_unroll(&operand.type, scene->unit, text);
	else
		wt_buffer_append_text(text, wt_dwarf_operand_type_name(scene, &operand, name));
	for (size_t i = 0; is_named && i < named.dimension_count; i++)
		wt_buffer_append_format(text, "[%llu]", (unsigned long long)named.dimensions[i]);
}

bool wt_dwarf_print_type(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
			 bool is_whole, struct wt_buffer *type,
			 struct wt_dwarf_complaint *complaint_ret)
{
	struct wt_dwarf_parser parser = parser_begin(scene, lane, text, complaint_ret);

	type_say(&parser, is_whole, type);
	return !parser.failed;
}
