/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-arguments.h"

#include <dwarf.h>
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/code-object/elf.h"
#include "device/code-object/metadata.h"
#include "replayer/dwarf/scope.h"
#include "replayer/dwarf/variable.h"
#include "replayer/view/explain.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/view/value-text.h"

#define MAX_PARAMETERS 1024u
#define MAX_PARTS 1024u	  /* of all arguments */
#define MAX_BYTES 4096u	  /* of an argument whose value is put into words */
#define MAX_PART_DEPTH 8u /* of structures in structures */
#define PART_NAME 512u
#define MAX_MEMBERS 1024u     /* of what all arguments point to */
#define MAX_MEMBERS_EACH 128u /* and one of them */
#define MAX_LOOKED                                                                                 \
	65536u /* types that are looked at for them, since many may have no member that counts */

struct parameters {
	struct wt_dwarf_object object;
	struct wt_dwarf_scopes scopes;
	Dwarf_Die *dies;
	size_t count;
};

/* The code of a dispatch's kernel. */
struct kernel_place {
	struct wt_source *source; /* NULL if there is none */
	uint64_t code_object, elf_address;
	const char *symbol; /* NULL if it is not known */
	bool codeless;	    /* another function begins where it does */
};

/* ---- The parameters ---- */

/* Read the value of an argument or a part. */
static void argument_read_value(struct wt_view *view, uint64_t address,
				struct wt_explain_argument *argument)
{
	size_t size = argument->size < sizeof(uint64_t) ? argument->size : sizeof(uint64_t);
	uint8_t bytes[sizeof(uint64_t)] = {0};

	if (!address || !size || address + argument->offset < address ||
	    wt_view_memory(view, "global", 0, 0, address + argument->offset, bytes, size) != size)
		return;
	argument->known = true;
	for (size_t i = 0; i < size; i++)
		argument->value |= (uint64_t)bytes[i] << 8 * i;
}

static bool parameters_hold(const Dwarf_Die *die)
{
	return dwarf_tag((Dwarf_Die *)(uintptr_t)die) == DW_TAG_formal_parameter;
}

static struct wt_error *parameters_list(Dwarf_Die *function, struct parameters *parameters)
{
	Dwarf_Die child;
	size_t seen = 0;

	parameters->dies = calloc(MAX_PARAMETERS, sizeof(*parameters->dies));
	if (!parameters->dies)
		return &wt_error_no_memory;
	if (dwarf_child(function, &child))
		return NULL;
	do {
		if (!parameters_hold(&child))
			continue;
		if (parameters->count == MAX_PARAMETERS) {
			parameters->count = 0;
			return NULL;
		}
		parameters->dies[parameters->count++] = child;
	} while (++seen < MAX_PARTS * MAX_PARTS && !dwarf_siblingof(&child, &child));
	return NULL;
}

/*
 * Parameters of a kernel; none if DWARF has no function where it begins. The function there is another one where the kernel has no code,
 * and for such a kernel compilers describe no parameters.
 */
static struct wt_error *parameters_find(const struct kernel_place *kernel,
					struct parameters *parameters)
{
	Dwarf *dwarf = kernel->source ? wt_source_dwarf(kernel->source) : NULL;
	struct wt_dwarf_scopes *scopes = &parameters->scopes;
	Dwarf_Addr low;

	if (!dwarf || kernel->codeless)
		return NULL;
	wt_dwarf_object_init(&parameters->object, dwarf);
	if (!wt_dwarf_scopes_find(&parameters->object, kernel->elf_address, scopes) ||
	    !scopes->count || dwarf_tag(&scopes->dies[0]) != DW_TAG_subprogram ||
	    dwarf_lowpc(&scopes->dies[0], &low) || low != kernel->elf_address)
		return NULL;
	return parameters_list(&scopes->dies[0], parameters);
}

/*
 * A class that is declared and no more: compilers describe one where its constructor is compiled, which for a class that is made on the host
 * and passed to a kernel is in the host's code alone.
 */
static bool type_is_declared(const struct wt_dwarf_type *type)
{
	return type->kind == WT_DWARF_TYPE_STRUCT &&
	       dwarf_hasattr((Dwarf_Die *)(uintptr_t)&type->die, DW_AT_declaration);
}

/* Has each argument the size of its parameter, where that is known, and is each pointer one, or a structure of one? */
static bool parameters_agree(struct parameters *parameters,
			     const struct wt_explain_arguments *arguments)
{
	size_t count = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		const struct wt_explain_argument *argument = &arguments->list[i];
		struct wt_dwarf_type type;

		if (argument->hidden)
			continue;
		if (count == parameters->count)
			return false;
		wt_dwarf_type_of(&type, &parameters->scopes.unit, &parameters->dies[count++]);
		if ((type.bits != 8ULL * argument->size && !type_is_declared(&type)) ||
		    (argument->pointer && type.kind != WT_DWARF_TYPE_POINTER &&
		     type.kind != WT_DWARF_TYPE_STRUCT))
			return false;
	}
	return count == parameters->count;
}

/* ---- Names, types, values ---- */

static bool type_is_integer(const struct wt_dwarf_type *type)
{
	return type->kind == WT_DWARF_TYPE_SIGNED || type->kind == WT_DWARF_TYPE_UNSIGNED ||
	       type->kind == WT_DWARF_TYPE_CHARACTER || type->kind == WT_DWARF_TYPE_ENUM ||
	       type->kind == WT_DWARF_TYPE_BOOLEAN;
}

/* The size of what a pointer points to. */
static uint32_t type_element(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit)
{
	struct wt_dwarf_type element;

	if (type->kind != WT_DWARF_TYPE_POINTER)
		return 0;
	wt_dwarf_type_target(type, unit, &element);
	return element.bits % 8 || element.bits / 8 > UINT32_MAX ? 0 : (uint32_t)(element.bits / 8);
}

/* The value in words; NULL if it was not recorded, or has no type. */
static struct wt_error *value_describe(struct wt_view *view, uint64_t address,
				       struct wt_dwarf_unit *unit, const struct wt_dwarf_type *type,
				       struct wt_explain_argument *argument)
{
	struct wt_dwarf_location *location;
	const struct wt_dwarf_frame nowhere = {.machine = NULL};
	struct wt_value_text text = {.begun = false};
	struct wt_dwarf_sink sink = wt_value_text_sink(&text);
	uint8_t bytes[MAX_BYTES];

	if (!address || type->kind == WT_DWARF_TYPE_NONE || type_is_declared(type) ||
	    !argument->size || argument->size > sizeof(bytes) ||
	    wt_view_memory(view, "global", 0, 0, address + argument->offset, bytes,
			   argument->size) != argument->size)
		return NULL;
	location = calloc(1, sizeof(*location));
	if (!location)
		return &wt_error_no_memory;
	location->count = 1;
	location->pieces[0] = (struct wt_dwarf_piece){.place = WT_DWARF_AT_VALUE,
						      .bits = UINT64_MAX,
						      .data = bytes,
						      .size = argument->size};
	wt_dwarf_show(&nowhere, unit, 0, type, location, 0, &sink);
	free(location);
	if (!text.buffer.failed)
		argument->text = strndup((const char *)text.buffer.data, text.buffer.size);
	wt_buffer_deinit(&text.buffer);
	return argument->text ? NULL : &wt_error_no_memory;
}

static struct wt_error *argument_describe(struct wt_view *view, uint64_t address,
					  struct parameters *parameters, size_t number,
					  struct wt_explain_argument *argument)
{
	struct wt_dwarf_unit *unit = &parameters->scopes.unit;
	const char *name = dwarf_diename(&parameters->dies[number]);
	char buffer[WT_DWARF_MAX_TYPE];
	struct wt_dwarf_type type;

	wt_dwarf_type_of(&type, unit, &parameters->dies[number]);
	argument->no_integer = !type_is_integer(&type);
	argument->element = type_element(&type, unit);
	argument->type = strdup(wt_dwarf_type_name(&type, unit, buffer));
	if (!argument->type)
		return &wt_error_no_memory;
	if (!argument->name && name) {
		argument->name = strdup(name);
		if (!argument->name)
			return &wt_error_no_memory;
	}
	return value_describe(view, address, unit, &type, argument);
}

/* Whatever has no name is counted. */
static struct wt_error *argument_label(struct wt_explain_argument *argument, size_t number)
{
	const char *own = argument->name     ? argument->name
			  : argument->hidden ? argument->kind
					     : NULL;

	if (own)
		argument->label = strdup(own);
	else if (asprintf(&argument->label, "argument %zu", number + 1) < 0)
		argument->label = NULL;
	return argument->label ? NULL : &wt_error_no_memory;
}

/* ---- Parts ---- */

struct splitter {
	struct wt_view *view;
	struct wt_explain_arguments *arguments;
	struct wt_dwarf_unit *unit;
	size_t argument;
	size_t looked; /* at so many types below pointers */
};

static struct wt_error *part_add(struct splitter *splitter, const char *name,
				 const struct wt_explain_argument *values)
{
	const struct wt_explain_argument *whole = &splitter->arguments->list[splitter->argument];
	struct wt_explain_argument *parts, *part;

	parts = reallocarray(splitter->arguments->parts, splitter->arguments->part_count + 1,
			     sizeof(*parts));
	if (!parts)
		return &wt_error_no_memory;
	splitter->arguments->parts = parts;
	part = &parts[splitter->arguments->part_count++];
	*part = *values;
	part->argument = splitter->argument;
	part->type = NULL;
	part->text = values->text ? strdup(values->text) : NULL;
	part->name = whole->name ? strdup(name) : NULL;
	part->label = strdup(name);
	part->kind = strdup(whole->kind);
	return part->kind && part->label && (part->name || !whole->name) &&
			       (part->text || !values->text)
		       ? NULL
		       : &wt_error_no_memory;
}

/* ---- Members and elements, of an argument or of what it points to ---- */

/* @offset: of the type, in the segment or in what is pointed to. @name: the path to it, or nothing. */
typedef struct wt_error *split_function(struct splitter *splitter, const struct wt_dwarf_type *type,
					uint64_t offset, const char *name, size_t depth);

struct walk {
	split_function *split; /* takes each of them apart */
	uint64_t most;	       /* elements of an array */
};

/* An anonymous member is reached without a name. */
static struct wt_error *members_split(const struct walk *walk, struct splitter *splitter,
				      const struct wt_dwarf_type *type, uint64_t offset,
				      const char *name, size_t depth)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	struct wt_error *error = NULL;
	char path[PART_NAME];

	while (!error && wt_dwarf_member_next(type, splitter->unit, &state, &member)) {
		if (member.is_field || member.is_virtual || member.offset % 8)
			continue;
		snprintf(path, sizeof(path), "%s%s%s", name, *name && member.name ? "." : "",
			 member.name ? member.name : "");
		error = walk->split(splitter, &member.type, offset + member.offset / 8, path,
				    depth + 1);
	}
	return error;
}

static struct wt_error *elements_split(const struct walk *walk, struct splitter *splitter,
				       const struct wt_dwarf_type *type, uint64_t offset,
				       const char *name, size_t depth)
{
	struct wt_dwarf_type element;
	struct wt_error *error = NULL;
	char path[PART_NAME];
	uint64_t count;

	wt_dwarf_type_target(type, splitter->unit, &element);
	if (!element.bits || element.bits % 8 || !wt_dwarf_type_count(type, &count))
		return NULL;
	for (uint64_t i = 0; i < count && i < walk->most && !error; i++) {
		snprintf(path, sizeof(path), "%s[%llu]", name, (unsigned long long)i);
		error = walk->split(splitter, &element, offset + i * element.bits / 8, path,
				    depth + 1);
	}
	return error;
}

/*
 * A union of pointers alone holds one, whichever of its members the code takes: it is found by the first that says what it points to. False where
 * the members are anything else, or point to elements of other sizes.
 */
static bool union_find_pointer(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			       struct wt_dwarf_member *found_ret)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	uint32_t element = 0;
	size_t count = 0;

	for (; wt_dwarf_member_next(type, unit, &state, &member); count++) {
		const uint32_t its = type_element(&member.type, unit);

		if (member.type.kind != WT_DWARF_TYPE_POINTER || member.type.bits != type->bits ||
		    (element && its && its != element))
			return false;
		if (!count || (its && !element))
			*found_ret = member;
		element = its ? its : element;
	}
	return count && found_ret->name;
}

static struct wt_error *pointer_split(const struct walk *walk, struct splitter *splitter,
				      const struct wt_dwarf_member *pointer, uint64_t offset,
				      const char *name, size_t depth)
{
	char path[PART_NAME];

	snprintf(path, sizeof(path), "%s%s%s", name, *name ? "." : "", pointer->name);
	return walk->split(splitter, &pointer->type, offset, path, depth + 1);
}

/* ---- Targets of pointers ---- */

static struct wt_error *member_add(struct splitter *splitter, const struct wt_dwarf_type *type,
				   uint64_t offset, const char *name)
{
	struct wt_explain_arguments *arguments = splitter->arguments;
	struct wt_explain_member *members, *member;

	if (!type->bits || type->bits % 8 || type->bits / 8 > UINT32_MAX || offset > UINT32_MAX ||
	    strlen(name) >= WT_EXPLAIN_MEMBER || arguments->member_count == MAX_MEMBERS)
		return NULL;
	members = reallocarray(arguments->members, arguments->member_count + 1, sizeof(*members));
	if (!members)
		return &wt_error_no_memory;
	arguments->members = members;
	member = &members[arguments->member_count++];
	*member = (struct wt_explain_member){
		.part = arguments->part_count - 1,
		.offset = (uint32_t)offset,
		.size = (uint32_t)(type->bits / 8),
		.is_float = type->kind == WT_DWARF_TYPE_FLOAT,
		.is_pointer = type->kind == WT_DWARF_TYPE_POINTER,
	};
	snprintf(member->name, sizeof(member->name), "%s", name);
	return NULL;
}

/* @offset: bytes. Of a union nobody knows which member counts, but that it is a pointer. */
static struct wt_error *pointee_split(struct splitter *splitter, const struct wt_dwarf_type *type,
				      uint64_t offset, const char *name, size_t depth)
{
	static const struct walk walk = {pointee_split, MAX_MEMBERS_EACH};
	struct wt_dwarf_member pointer;

	if (splitter->looked++ >= MAX_LOOKED || depth > MAX_PART_DEPTH)
		return NULL;
	if (type->is_union)
		return union_find_pointer(type, splitter->unit, &pointer)
			       ? pointer_split(&walk, splitter, &pointer, offset, name, depth)
			       : NULL;
	if (type->kind == WT_DWARF_TYPE_STRUCT)
		return members_split(&walk, splitter, type, offset, name, depth);
	if (type->kind == WT_DWARF_TYPE_ARRAY)
		return elements_split(&walk, splitter, type, offset, name, depth);
	return member_add(splitter, type, offset, name);
}

/* Adds what the part that was added last points to. */
static struct wt_error *part_add_members(struct splitter *splitter,
					 const struct wt_dwarf_type *type)
{
	struct wt_dwarf_type element;

	if (type->kind != WT_DWARF_TYPE_POINTER)
		return NULL;
	wt_dwarf_type_target(type, splitter->unit, &element);
	return pointee_split(splitter, &element, 0, "", 0);
}

/* @offset: in the segment. Of a union nobody knows which member counts, but that it is a pointer. */
static struct wt_error *type_split(struct splitter *splitter, const struct wt_dwarf_type *type,
				   uint64_t offset, const char *name, size_t depth)
{
	static const struct walk walk = {type_split, MAX_PARTS};
	const struct wt_explain_argument *whole = &splitter->arguments->list[splitter->argument];
	struct wt_explain_argument part = {
		.offset = (uint32_t)offset,
		.size = (uint32_t)(type->bits / 8),
		.pointer = type->kind == WT_DWARF_TYPE_POINTER && type->bits == 64,
		.no_integer = !type_is_integer(type),
		.element = type_element(type, splitter->unit),
	};
	struct wt_dwarf_member pointer;
	struct wt_error *error;

	if (depth > MAX_PART_DEPTH || splitter->arguments->part_count >= MAX_PARTS || !part.size ||
	    offset < whole->offset || part.size > whole->size ||
	    offset - whole->offset > whole->size - part.size)
		return NULL;
	if (type->kind == WT_DWARF_TYPE_STRUCT && !type->is_union)
		return members_split(&walk, splitter, type, offset, name, depth);
	if (type->is_union && union_find_pointer(type, splitter->unit, &pointer))
		return pointer_split(&walk, splitter, &pointer, offset, name, depth);
	if (type->kind == WT_DWARF_TYPE_ARRAY)
		return elements_split(&walk, splitter, type, offset, name, depth);
	argument_read_value(splitter->view, splitter->arguments->address, &part);
	error = value_describe(splitter->view, splitter->arguments->address, splitter->unit, type,
			       &part);
	if (!error)
		error = part_add(splitter, name, &part);
	free(part.text);
	return error ? error : part_add_members(splitter, type);
}

/* The member of an element that has these bytes; NULL if there is none. */
static const struct wt_explain_member *member_at(const struct wt_explain_arguments *arguments,
						 const struct wt_explain_argument *part,
						 uint64_t address, uint32_t size)
{
	for (size_t i = 0; i < arguments->member_count && part->element; i++) {
		const struct wt_explain_member *member = &arguments->members[i];

		if (&arguments->parts[member->part] == part && member->size == size &&
		    member->offset == (address - part->value) % part->element)
			return member;
	}
	return NULL;
}

const struct wt_explain_member *
wt_explain_name_pointed(const struct wt_explain_arguments *arguments,
			const struct wt_explain_argument *part, uint64_t address, uint32_t size,
			char text_ret[WT_EXPLAIN_POINTED])
{
	const struct wt_explain_member *member = member_at(arguments, part, address, size);
	const uint64_t distance = address - part->value;
	char one[WT_EXPLAIN_POINTED], other[WT_EXPLAIN_POINTED];

	text_ret[0] = '\0';
	if (part->element && part->element == size && distance % size == 0)
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.60s[%" PRIu64 "]", part->label,
			 distance / size);
	else if (member && distance < part->element && *member->name != '[')
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.60s->%.60s", part->label, member->name);
	else if (member && part->element)
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.60s[%" PRIu64 "]%s%.60s", part->label,
			 distance / part->element, *member->name == '[' ? "" : ".", member->name);
	if (*text_ret || size != 2 * sizeof(uint32_t))
		return member;
	/* Two numbers beside each other were loaded at once. */
	wt_explain_name_pointed(arguments, part, address, sizeof(uint32_t), one);
	wt_explain_name_pointed(arguments, part, address + sizeof(uint32_t), sizeof(uint32_t),
				other);
	if (*one && *other && strlen(one) <= 77 && strlen(other) <= 77)
		snprintf(text_ret, WT_EXPLAIN_POINTED, "%.77s and %.77s", one, other);
	return member;
}

/* Find a pointer to an address in the first page of what an argument points to; false if there is none that DWARF names. */
static bool argument_find_link(struct wt_view *view, const struct wt_explain_arguments *arguments,
			       const struct wt_explain_argument *part, uint64_t address,
			       char name_ret[WT_EXPLAIN_POINTED])
{
	uint64_t words[WT_PAGE / sizeof(uint64_t)];
	const struct wt_explain_member *member;
	size_t size = wt_view_memory(view, "global", 0, 0, part->value, words,
				     WT_PAGE - part->value % WT_PAGE);

	for (size_t i = 0; i < size / sizeof(words[0]); i++) {
		if (le64toh(words[i]) != address)
			continue;
		member =
			wt_explain_name_pointed(arguments, part, part->value + i * sizeof(words[0]),
						sizeof(words[0]), name_ret);
		if (member && member->is_pointer && *name_ret)
			return true;
	}
	return false;
}

void wt_explain_name_linked(struct wt_view *view, const struct wt_explain_arguments *arguments,
			    uint64_t address, char text_ret[WT_EXPLAIN_LINKED])
{
	char name[WT_EXPLAIN_POINTED];

	text_ret[0] = '\0';
	for (size_t i = 0; i < arguments->part_count && address && !*text_ret; i++) {
		const struct wt_explain_argument *part = &arguments->parts[i];

		if (part->pointer && part->known && !part->hidden && part->element &&
		    argument_find_link(view, arguments, part, address, name))
			snprintf(text_ret, WT_EXPLAIN_LINKED, "*%s", name);
	}
}

/* A structure of which nothing is known may have a pointer wherever one can lie. */
static struct wt_error *words_split(struct splitter *splitter)
{
	const struct wt_explain_argument *whole = &splitter->arguments->list[splitter->argument];
	struct wt_error *error = NULL;
	char name[PART_NAME];

	for (uint32_t at = 0; at < whole->size && !error; at += sizeof(uint64_t)) {
		uint32_t left = whole->size - at;
		struct wt_explain_argument part = {
			.offset = whole->offset + at,
			.size = left < sizeof(uint64_t) ? left : (uint32_t)sizeof(uint64_t),
			.no_integer = true,
			.untyped = true,
		};

		argument_read_value(splitter->view, splitter->arguments->address, &part);
		snprintf(name, sizeof(name), "%.256s (byte %" PRIu32 ")", whole->label, at);
		error = part_add(splitter, name, &part);
	}
	return error;
}

static bool argument_is_unknown_structure(const struct wt_explain_argument *argument,
					  const struct wt_dwarf_type *type)
{
	return (type->kind == WT_DWARF_TYPE_NONE || type_is_declared(type)) && !argument->hidden &&
	       !argument->pointer && argument->size > sizeof(uint64_t) &&
	       argument->size <= MAX_BYTES && !strcmp(argument->kind, "by_value");
}

/* ---- All of it ---- */

static struct wt_error *describe_all(struct wt_view *view, struct parameters *parameters,
				     struct wt_explain_arguments *arguments)
{
	struct splitter splitter = {view, arguments, &parameters->scopes.unit, 0, 0};
	bool agree = parameters->count && parameters_agree(parameters, arguments);
	struct wt_error *error = NULL;
	size_t number = 0;

	for (size_t i = 0; i < arguments->count && !error; i++) {
		struct wt_explain_argument *argument = &arguments->list[i];
		bool described = agree && !argument->hidden;
		struct wt_dwarf_type type = {.kind = WT_DWARF_TYPE_NONE};

		if (described) {
			wt_dwarf_type_of(&type, splitter.unit, &parameters->dies[number]);
			error = argument_describe(view, arguments->address, parameters, number++,
						  argument);
		}
		if (!error)
			error = argument_label(argument, i);
		splitter.argument = argument->argument = i;
		if (!error && argument_is_unknown_structure(argument, &type) &&
		    arguments->part_count + argument->size / sizeof(uint64_t) < MAX_PARTS)
			error = words_split(&splitter);
		else if (!error && type.kind == WT_DWARF_TYPE_STRUCT && !type_is_declared(&type))
			error = type_split(&splitter, &type, argument->offset, argument->label, 0);
		else if (!error)
			error = part_add(&splitter, argument->label, argument);
		if (!error && type.kind == WT_DWARF_TYPE_POINTER)
			error = part_add_members(&splitter, &type);
	}
	return error;
}

/* Fill in what DWARF says of arguments: names, types, texts of the values; and in any case labels and parts. */
static struct wt_error *arguments_describe(struct wt_view *view, const struct kernel_place *kernel,
					   struct wt_explain_arguments *arguments)
{
	wt_cleanup_free struct parameters *parameters = calloc(1, sizeof(*parameters));
	struct wt_error *error;

	if (!parameters)
		return &wt_error_no_memory;
	error = parameters_find(kernel, parameters);
	if (!error)
		error = describe_all(view, parameters, arguments);
	free(parameters->dies);
	return error;
}

/* A code object that is not here is 0. */
static struct wt_error *kernel_place_find(struct wt_explainer *explainer, uint64_t dispatch,
					  struct kernel_place *place_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_view_kernel kernel = wt_view_kernel(view, dispatch);
	struct kernel_place place = {.source = NULL};
	struct wt_source_symbol symbol;
	struct wt_error *error = NULL;
	uint64_t load_address = 0;

	if (kernel.entry)
		place.code_object = wt_view_code_object_at(view, kernel.entry, &load_address);
	place.elf_address = kernel.entry - load_address;
	if (place.code_object)
		error = wt_explainer_source(explainer, place.code_object, &place.source);
	if (!error && place.source &&
	    wt_source_kernel_at(place.source, kernel.descriptor - load_address, place.elf_address,
				&symbol)) {
		place.symbol = symbol.name;
		place.codeless = !symbol.size;
	}
	*place_ret = place;
	return error;
}

static const struct wt_kernel_metadata *metadata_kernel(const struct wt_metadata *metadata,
							const char *name)
{
	for (size_t i = 0; i < metadata->kernel_count; i++)
		if (!strcmp(metadata->kernels[i].name, name))
			return &metadata->kernels[i];
	return NULL;
}

/* The kernel in the metadata: a symbol has the same name, or another one where it begins. */
static const struct wt_kernel_metadata *choose_kernel(const struct wt_metadata *metadata,
						      const struct kernel_place *place)
{
	const struct wt_kernel_metadata *kernel =
		place->symbol ? metadata_kernel(metadata, place->symbol) : NULL;
	struct wt_source_symbol symbol;
	size_t position = 0;

	while (place->symbol && !kernel && wt_source_symbol_next(place->source, &position, &symbol))
		if (symbol.kind == WT_SYMBOL_FUNCTION && symbol.address == place->elf_address)
			kernel = metadata_kernel(metadata, symbol.name);
	return kernel;
}

/* AMD's compiler marks what it passes as another type than the source has. */
static char *source_name(const char *name)
{
	static const char mark[] = ".coerce";
	size_t length = strlen(name), end = sizeof(mark) - 1;

	return length > end && !strcmp(name + length - end, mark) ? strndup(name, length - end)
								  : strdup(name);
}

static struct wt_error *copy_arguments(struct wt_view *view,
				       const struct wt_kernel_metadata *kernel,
				       struct wt_explain_arguments *arguments)
{
	arguments->list = calloc(kernel->argument_count + 1, sizeof(*arguments->list));
	if (!arguments->list)
		return &wt_error_no_memory;
	for (size_t i = 0; i < kernel->argument_count; i++) {
		const struct wt_kernel_argument *from = &kernel->arguments[i];
		struct wt_explain_argument *to = &arguments->list[arguments->count++];

		to->name = from->name && *from->name ? source_name(from->name) : NULL;
		to->kind = strdup(from->kind);
		if (!to->kind || (from->name && *from->name && !to->name))
			return &wt_error_no_memory;
		to->offset = from->offset;
		to->size = from->size;
		to->hidden = !wt_kernel_argument_explicit(from);
		to->pointer = from->value == WT_VALUE_GLOBAL_BUFFER;
		argument_read_value(view, arguments->address, to);
	}
	return NULL;
}

/* Parts of a code object that cannot be read are left out: only lack of memory is an error. */
static struct wt_error *without_input_errors(struct wt_error *error)
{
	if (!error || error->code == WT_ERROR_MEMORY)
		return error;
	wt_error_destroy(error);
	return NULL;
}

/* The kernel may be in this note or in another. */
static struct wt_error *note_take_arguments(struct wt_view *view, const uint8_t *note, size_t size,
					    const struct kernel_place *place,
					    struct wt_explain_arguments *arguments)
{
	const struct wt_kernel_metadata *kernel;
	struct wt_metadata metadata = {0};
	struct wt_error *error = wt_metadata_parse(note, size, &metadata);

	if (error)
		return error;
	kernel = choose_kernel(&metadata, place);
	if (kernel)
		error = copy_arguments(view, kernel, arguments);
	wt_metadata_deinit(&metadata);
	return error;
}

static struct wt_error *notes_take_arguments(struct wt_view *view, const uint8_t *image,
					     size_t size, const struct kernel_place *kernel,
					     struct wt_explain_arguments *arguments)
{
	struct wt_elf_place place = {0};
	struct wt_error *error;
	const uint8_t *note;
	size_t note_size;
	struct wt_elf elf;

	error = wt_elf_open(image, size, &elf);
	if (error)
		return error;
	/* The list is there, and may be empty, once the kernel has been found. */
	while (!error && !arguments->list && wt_elf_next_metadata(&elf, &place, &note, &note_size))
		error = note_take_arguments(view, note, note_size, kernel, arguments);
	wt_elf_close(&elf);
	return error;
}

/* A runtime that does not set the workgroup's size leaves it 0. */
static bool arguments_are_overwritten(const struct wt_view *view, uint64_t dispatch,
				      const struct wt_explain_arguments *arguments)
{
	static const char *const kinds[] = {"hidden_group_size_x", "hidden_group_size_y",
					    "hidden_group_size_z"};
	struct wt_view_dispatch known;

	wt_view_dispatch(view, dispatch, &known);
	for (size_t i = 0; i < arguments->count && known.has_sizes; i++)
		for (size_t axis = 0; axis < sizeof(kinds) / sizeof(kinds[0]); axis++) {
			const struct wt_explain_argument *argument = &arguments->list[i];

			if (!strcmp(argument->kind, kinds[axis]) && argument->known &&
			    argument->value && argument->value != known.workgroup[axis])
				return true;
		}
	return false;
}

struct wt_error *wt_explain_arguments(struct wt_explainer *explainer, uint64_t dispatch,
				      struct wt_explain_arguments *arguments_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_explain_arguments arguments = {
		.address = wt_view_number_or(
			view, WT_OBJECT_DISPATCH, dispatch,
			AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, 0)};
	struct kernel_place place;
	struct wt_error *error;
	const uint8_t *image;
	size_t size;

	*arguments_ret = arguments;
	error = kernel_place_find(explainer, dispatch, &place);
	if (error || !place.code_object || !wt_view_image(view, place.code_object, &image, &size))
		return error;
	error = without_input_errors(notes_take_arguments(view, image, size, &place, &arguments));
	if (!error)
		error = arguments_describe(view, &place, &arguments);
	if (error) {
		wt_explain_arguments_deinit(&arguments);
		return error;
	}
	arguments.overwritten = arguments_are_overwritten(view, dispatch, &arguments);
	*arguments_ret = arguments;
	return NULL;
}

static void free_all(struct wt_explain_argument *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].label);
		free(list[i].kind);
		free(list[i].type);
		free(list[i].text);
		free(list[i].memory);
	}
	free(list);
}

void wt_explain_arguments_deinit(struct wt_explain_arguments *arguments)
{
	free_all(arguments->list, arguments->count);
	free_all(arguments->parts, arguments->part_count);
	free(arguments->members);
	*arguments = (struct wt_explain_arguments){.address = arguments->address};
}

const struct wt_explain_argument *
wt_explain_argument_named(const struct wt_explain_arguments *arguments, const char *name)
{
	for (size_t i = 0; i < arguments->count; i++) {
		const struct wt_explain_argument *argument = &arguments->list[i];

		if (argument->name && !argument->hidden && argument->known &&
		    !strcmp(argument->name, name))
			return argument;
	}
	return NULL;
}
