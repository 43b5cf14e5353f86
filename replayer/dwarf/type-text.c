/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/type-text.h"

#include <dwarf.h>
#include <string.h>

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

void wt_dwarf_type_define(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
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

void wt_dwarf_type_unroll(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_buffer *text)
{
	struct wt_dwarf_type inner = *type;
	Dwarf_Die named = type->named;
	char name[WT_DWARF_MAX_TYPE];

	if (type->has_die && dwarf_tag(&named) == DW_TAG_typedef)
		wt_dwarf_type_of(&inner, unit, &named);
	wt_buffer_append_text(text, wt_dwarf_type_name(&inner, unit, name));
}
