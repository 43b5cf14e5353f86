/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/one-value.h"

#include <dwarf.h>
#include <string.h>

#include "replayer/code/address-scope.h"
#include "replayer/code/checksum.h"
#include "replayer/dwarf/scope.h"

#define MAX_DEPTH 8 /* of namespaces and classes */

static const struct wt_tokens *machine_tokens(const struct wt_dwarf_machine *machine,
					      const char *file, const uint8_t *md5)
{
	if (!file || !md5 || !machine->tokens)
		return NULL;
	return machine->tokens(machine->stack_opaque, strncmp(file, "./", 2) != 0 ? file : file + 2,
			       md5);
}

static const struct wt_tokens *unit_tokens(const struct wt_dwarf_context *context, size_t index)
{
	Dwarf_Die *unit = &context->unit->die;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_getsrcfiles(unit, &files, &count) || index >= count)
		return NULL;
	return machine_tokens(context->frame->machine, dwarf_filesrc(files, index, NULL, NULL),
			      wt_checksum_find(unit, index));
}

/* ---- Words that debug information knows ---- */

/* Does a name begin with a word, and is nothing behind it but arguments of a template? */
static bool die_is_called(Dwarf_Die *die, const char *word, size_t size)
{
	const char *name = dwarf_diename(die);

	return name && !strncmp(name, word, size) && (!name[size] || name[size] == '<');
}

/* May a function change what it is given? A reference to what is const does not. */
static bool function_takes_references(struct wt_dwarf_unit *unit, Dwarf_Die *function)
{
	size_t seen = 0;
	Dwarf_Die child;

	if (dwarf_child(function, &child))
		return false;
	do {
		struct wt_dwarf_type type, target;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		wt_dwarf_type_of(&type, unit, &child);
		if (!type.is_reference)
			continue;
		wt_dwarf_type_target(&type, unit, &target);
		if (!target.is_constant)
			return true;
	} while (++seen < WT_SCOPE_MAX_CHILDREN && !dwarf_siblingof(&child, &child));
	return false;
}

/* Several functions may have one name: one that takes references counts. */
static enum wt_known_word scope_know(struct wt_dwarf_unit *unit, Dwarf_Die *scope, const char *word,
				     size_t size, unsigned int depth)
{
	enum wt_known_word known = WT_WORD_UNKNOWN;
	size_t seen = 0;
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(scope, &child))
		return WT_WORD_UNKNOWN;
	do {
		int tag = dwarf_tag(&child);
		enum wt_known_word here = WT_WORD_UNKNOWN;

		if (tag == DW_TAG_subprogram && die_is_called(&child, word, size))
			here = function_takes_references(unit, &child) ? WT_WORD_FUNCTION
								       : WT_WORD_TAKES_VALUES;
		else if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
			 tag == DW_TAG_class_type || tag == DW_TAG_enumeration_type)
			here = scope_know(unit, &child, word, size, depth + 1);
		if (!here && tag != DW_TAG_subprogram && die_is_called(&child, word, size))
			here = WT_WORD_NAME;
		if (here == WT_WORD_FUNCTION)
			return here;
		known = here > known ? here : known;
	} while (++seen < WT_SCOPE_MAX_CHILDREN && !dwarf_siblingof(&child, &child));
	return known;
}

static enum wt_known_word unit_know(void *opaque, const char *word, size_t size)
{
	struct wt_dwarf_unit *unit = opaque;

	return scope_know(unit, &unit->die, word, size, 0);
}

/* ---- The variable ---- */

static bool unit_is_c(struct wt_dwarf_unit *unit)
{
	switch (dwarf_srclang(&unit->die)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return true;
	default:
		return false;
	}
}

/* Finds what its declaration says of it. */
static bool variable_declared(Dwarf_Die *die, const struct wt_dwarf_type *type,
			      struct wt_declared *declared, size_t *file_ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file;
	int line;

	if (type->kind == WT_DWARF_TYPE_NONE || type->kind == WT_DWARF_TYPE_ARRAY ||
	    type->kind == WT_DWARF_TYPE_STRUCT || type->is_reference || !dwarf_diename(die) ||
	    dwarf_decl_line(die, &line) || line <= 0 ||
	    dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &file))
		return false;
	*declared = (struct wt_declared){
		.name = dwarf_diename(die),
		.line = (uint32_t)line,
		.is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter,
		.is_pointer = type->kind == WT_DWARF_TYPE_POINTER,
		.is_constant = type->is_constant,
	};
	*file_ret = file;
	return true;
}

/* The calls in whose place the function stands that @functions has at @first. */
static bool calls_find(const struct wt_dwarf_machine *machine,
		       const struct wt_dwarf_function *functions, size_t first, size_t count,
		       struct wt_text_call *calls)
{
	for (size_t i = first + 1; i < count; i++) {
		struct wt_text_call *call = &calls[i - first - 1];

		*call = (struct wt_text_call){
			.file = machine_tokens(machine, functions[i].file, functions[i].md5),
			.function = functions[i].name,
			.line = (uint32_t)functions[i].line,
		};
		if (!call->file || !call->function)
			return false;
	}
	return true;
}

bool wt_dwarf_has_one_value(const struct wt_dwarf_context *context, Dwarf_Off function,
			    Dwarf_Die *die, const struct wt_dwarf_type *type,
			    struct wt_text_variable *found)
{
	const struct wt_dwarf_frame *frame = context->frame;
	struct wt_dwarf_function functions[WT_DWARF_MAX_SCOPES];
	struct wt_text_call calls[WT_DWARF_MAX_SCOPES];
	struct wt_assignments text = {.is_c = unit_is_c(context->unit),
				      .know = unit_know,
				      .opaque = context->unit,
				      .whose = context->unit->die.addr};
	struct wt_declared declared;
	struct wt_dwarf_scopes scopes;
	size_t file, first = 0, count;
	int here;

	if (!frame->machine->tokens || !variable_declared(die, type, &declared, &file) ||
	    !wt_dwarf_scopes_find(frame->object, frame->lookup, &scopes))
		return false;
	text.file = unit_tokens(context, file);
	count = wt_dwarf_functions(&scopes, functions);
	while (first < count && dwarf_dieoffset(&scopes.dies[functions[first].first]) != function)
		first++;
	if (!text.file || first == count || !functions[first].name ||
	    !calls_find(frame->machine, functions, first, count, calls))
		return false;
	declared.function = functions[first].name;
	here = wt_dwarf_line_in(frame->object, function, frame->lookup);
	if (here <= 0 || !wt_assignments_none(&text, &declared, calls, count - first - 1, found))
		return false;
	return here > found->last || (declared.is_parameter && here == found->last);
}
