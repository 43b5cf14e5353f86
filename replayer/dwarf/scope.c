/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/scope.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/code/address-scope.h"
#include "replayer/code/checksum.h"

#define MAX_VARIABLES 4096
#define MAX_DEPTH 32

/* DW_CC_LLVM_OpenCLKernel */
#define CC_KERNEL 0xc7

static void scopes_note_function(struct wt_dwarf_scopes *scopes)
{
	Dwarf_Die *function = &scopes->dies[0];
	Dwarf_Attribute attribute;
	Dwarf_Addr low, high;
	Dwarf_Word convention;

	scopes->has_function = scopes->count && dwarf_tag(function) == DW_TAG_subprogram;
	scopes->is_kernel = false;
	scopes->low = scopes->high = 0;
	if (!scopes->has_function)
		return;
	if (!dwarf_lowpc(function, &low) && !dwarf_highpc(function, &high)) {
		scopes->low = low;
		scopes->high = high;
	}
	scopes->is_kernel =
		!dwarf_formudata(dwarf_attr(function, DW_AT_calling_convention, &attribute),
				 &convention) &&
		convention == CC_KERNEL;
}

bool wt_dwarf_scopes_find(const struct wt_dwarf_object *object, uint64_t lookup,
			  struct wt_dwarf_scopes *scopes)
{
	Dwarf_Die scope;
	bool has_unit;

	scopes->count = 0;
	has_unit = object->dwarf && wt_scope_unit(object->dwarf, lookup, &scope) &&
		   wt_dwarf_unit_init(&scopes->unit, object, &scope);
	if (has_unit)
		scope = scopes->unit.die;
	while (has_unit && scopes->count < WT_DWARF_MAX_SCOPES &&
	       wt_scope_find(&scope, lookup, MAX_DEPTH, &scope))
		scopes->dies[scopes->count++] = scope;
	scopes_note_function(scopes);
	return has_unit;
}

/* ---- Functions ---- */

static int attribute_number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) || value > INT32_MAX)
		return 0;
	return (int)value;
}

/* Notes where an inlined function was called. */
static void place_call(struct wt_dwarf_unit *unit, Dwarf_Die *inlined,
		       struct wt_dwarf_function *caller)
{
	int file = attribute_number_of(inlined, DW_AT_call_file);
	Dwarf_Files *files;
	size_t count;

	caller->line = attribute_number_of(inlined, DW_AT_call_line);
	caller->column = attribute_number_of(inlined, DW_AT_call_column);
	if (!dwarf_getsrcfiles(&unit->die, &files, &count) && (size_t)file < count) {
		caller->file = dwarf_filesrc(files, (size_t)file, NULL, NULL);
		caller->md5 = wt_checksum_find(&unit->die, (size_t)file);
	}
	if (caller->file && !strncmp(caller->file, "./", 2))
		caller->file += 2;
}

size_t wt_dwarf_functions(struct wt_dwarf_scopes *scopes, struct wt_dwarf_function *functions)
{
	size_t count = 0, last = scopes->count;

	while (last) {
		struct wt_dwarf_function *function = &functions[count];
		size_t first = last - 1;

		while (first && dwarf_tag(&scopes->dies[first]) == DW_TAG_lexical_block)
			first--;
		*function = (struct wt_dwarf_function){
			.name = dwarf_diename(&scopes->dies[first]),
			.inlined = dwarf_tag(&scopes->dies[first]) == DW_TAG_inlined_subroutine,
			.first = first,
			.last = last - 1,
		};
		if (count)
			place_call(&scopes->unit, &scopes->dies[functions[count - 1].first],
				   function);
		count++;
		last = first;
	}
	return count;
}

int wt_dwarf_line_in(const struct wt_dwarf_object *object, Dwarf_Off function, uint64_t address)
{
	struct wt_dwarf_function functions[WT_DWARF_MAX_SCOPES];
	struct wt_dwarf_scopes scopes;
	Dwarf_Line *line;
	size_t count;
	int number;

	if (!wt_dwarf_scopes_find(object, address, &scopes))
		return 0;
	count = wt_dwarf_functions(&scopes, functions);
	for (size_t i = 0; i < count; i++) {
		if (dwarf_dieoffset(&scopes.dies[functions[i].first]) != function)
			continue;
		if (i)
			return functions[i].line;
		line = dwarf_getsrc_die(&scopes.unit.die, address);
		return line && !dwarf_lineno(line, &number) ? number : 0;
	}
	return 0;
}

uint64_t wt_dwarf_body_start(const struct wt_dwarf_frame *frame)
{
	Dwarf_Die unit, function = frame->function;
	Dwarf_Lines *lines;
	size_t count;

	if (!frame->has_function || !dwarf_diecu(&function, &unit, NULL, NULL) ||
	    dwarf_getsrclines(&unit, &lines, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		bool is_end;

		if (line && !dwarf_lineaddr(line, &address) && address >= frame->low &&
		    address < frame->high && !dwarf_lineprologueend(line, &is_end) && is_end)
			return address;
	}
	return 0;
}

/* ---- Variables ---- */

static bool is_variable(Dwarf_Die *die, struct wt_dwarf_variable *variable)
{
	int tag = dwarf_tag(die);

	if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
	    (dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_location)))
		return false;
	*variable = (struct wt_dwarf_variable){.die = *die,
					       .name = dwarf_diename(die),
					       .is_parameter = tag == DW_TAG_formal_parameter};
	return variable->name != NULL;
}

struct list {
	struct wt_dwarf_variable *variables;
	size_t count, capacity;
	bool failed;
};

static void variable_list_add(struct list *list, const struct wt_dwarf_variable *variable)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 32;
		void *grown = reallocarray(list->variables, capacity, sizeof(*list->variables));

		list->failed |= !grown;
		if (!grown)
			return;
		list->variables = grown;
		list->capacity = capacity;
	}
	list->variables[list->count++] = *variable;
}

static void add_scope(struct list *list, Dwarf_Die *scope, bool parameters)
{
	struct wt_dwarf_variable variable;
	size_t seen = 0;
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return;
	do {
		if (is_variable(&child, &variable) && variable.is_parameter == parameters)
			variable_list_add(list, &variable);
	} while (++seen < WT_SCOPE_MAX_CHILDREN && list->count < MAX_VARIABLES && !list->failed &&
		 !dwarf_siblingof(&child, &child));
}

static bool has_origin(const struct list *list, Dwarf_Die *origin)
{
	for (size_t i = 0; i < list->count; i++) {
		Dwarf_Die die = list->variables[i].die, other;
		Dwarf_Attribute attribute;

		if (dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute),
				      &other) &&
		    dwarf_dieoffset(&other) == dwarf_dieoffset(origin))
			return true;
	}
	return false;
}

/* Variables of an inlined function that are nowhere have an entry only in the function itself. */
static void add_origin(struct list *list, Dwarf_Die *function)
{
	struct wt_dwarf_variable variable;
	Dwarf_Attribute attribute;
	Dwarf_Die origin, child;
	size_t seen = 0;

	if (!dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin, &attribute), &origin) ||
	    dwarf_child(&origin, &child))
		return;
	do {
		if (is_variable(&child, &variable) && !has_origin(list, &child))
			variable_list_add(list, &variable);
	} while (++seen < WT_SCOPE_MAX_CHILDREN && list->count < MAX_VARIABLES && !list->failed &&
		 !dwarf_siblingof(&child, &child));
}

size_t wt_dwarf_variables(struct wt_dwarf_scopes *scopes, const struct wt_dwarf_function *function,
			  struct wt_dwarf_variable **variables_ret)
{
	struct list list = {0};

	for (size_t i = function->first; i <= function->last; i++) {
		add_scope(&list, &scopes->dies[i], true);
		add_scope(&list, &scopes->dies[i], false);
		if (i == function->first)
			add_origin(&list, &scopes->dies[i]);
	}
	if (list.failed) {
		free(list.variables);
		return SIZE_MAX;
	}
	for (size_t i = 0; i < list.count; i++)
		for (size_t j = i + 1; j < list.count; j++)
			list.variables[i].is_shadowed |=
				!strcmp(list.variables[i].name, list.variables[j].name);
	*variables_ret = list.variables;
	return list.count;
}

/* A name without that of the namespace, if it begins with it: "a::". */
static const char *behind_scope(Dwarf_Die *scope, const char *name)
{
	const char *own = dwarf_diename(scope);
	size_t length = own ? strlen(own) : 0;

	return length && !strncmp(name, own, length) && !strncmp(name + length, "::", 2)
		       ? name + length + 2
		       : name;
}

/* Is a variable called so, in the source or where it is linked? */
static bool variable_is_called(struct wt_dwarf_variable *variable, const char *name)
{
	Dwarf_Attribute attribute;
	const char *linked = dwarf_formstring(
		dwarf_attr_integrate(&variable->die, DW_AT_linkage_name, &attribute));

	return !strcmp(variable->name, name) || (linked && !strcmp(linked, name));
}

static bool global_variable_find(Dwarf_Die *parent, const char *name, bool is_placed, int depth,
				 struct wt_dwarf_variable *variable_ret)
{
	struct wt_dwarf_variable variable;
	size_t seen = 0;
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return false;
	do {
		if (is_variable(&child, &variable) && variable_is_called(&variable, name) &&
		    (!is_placed || dwarf_hasattr(&child, DW_AT_location))) {
			*variable_ret = variable;
			return true;
		}
		if (dwarf_tag(&child) == DW_TAG_namespace &&
		    global_variable_find(&child, behind_scope(&child, name), is_placed, depth - 1,
					 variable_ret))
			return true;
	} while (++seen < WT_SCOPE_MAX_CHILDREN && !dwarf_siblingof(&child, &child));
	return false;
}

bool wt_dwarf_global(struct wt_dwarf_scopes *scopes, const char *name, bool is_placed,
		     struct wt_dwarf_variable *variable_ret)
{
	return global_variable_find(&scopes->unit.die, name, is_placed, MAX_DEPTH, variable_ret);
}
