/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/known.h"

#include <stdlib.h>
#include <string.h>

/* No library gives it to anything. */
#define NO_HANDLE UINT64_MAX

/* A copy of one of our tables, in which handles are the recorded ones. */
struct wt_known_architecture {
	struct gfx_architecture table;
	struct gfx_register_class_info classes[GFX_CLASS_COUNT];
	struct gfx_address_space *spaces;
	struct gfx_address_class *address_classes;
	struct gfx_register_range *registers;
};

static void architecture_destroy(struct wt_known_architecture *architecture)
{
	if (!architecture)
		return;
	free(architecture->spaces);
	free(architecture->address_classes);
	free(architecture->registers);
	free(architecture);
}

/* Kinds of objects of which an architecture has a list, and the query for their names. */
struct kind {
	enum wt_object object;
	enum wt_function list;
	uint32_t name;
};

static const struct kind spaces = {
	.object = WT_OBJECT_ADDRESS_SPACE,
	.list = WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST,
	.name = AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME,
};
static const struct kind address_classes = {
	.object = WT_OBJECT_ADDRESS_CLASS,
	.list = WT_FUNCTION_ARCHITECTURE_ADDRESS_CLASS_LIST,
	.name = AMD_DBGAPI_ADDRESS_CLASS_INFO_NAME,
};
static const struct kind register_classes = {
	.object = WT_OBJECT_REGISTER_CLASS,
	.list = WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST,
	.name = AMD_DBGAPI_REGISTER_CLASS_INFO_NAME,
};
static const struct kind registers = {
	.object = WT_OBJECT_REGISTER,
	.list = WT_FUNCTION_ARCHITECTURE_REGISTER_LIST,
	.name = AMD_DBGAPI_REGISTER_INFO_NAME,
};

static bool recorded_object_has_name(const struct wt_recorded *facts, const struct kind *kind,
				     uint64_t handle, const char *name)
{
	const struct wt_answer *answer =
		wt_recorded_answer(facts, kind->object, handle, kind->name);

	return answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS &&
	       answer->size == strlen(name) && !memcmp(answer->value, name, answer->size);
}

static const struct wt_item *architecture_list_of(const struct wt_recorded *facts,
						  const struct kind *kind, uint64_t architecture)
{
	return wt_recorded_function(facts, WT_ITEM_LIST, kind->list, architecture);
}

/* The handle that a name has in an architecture. */
static uint64_t named_handle_find(const struct wt_recorded *facts, const struct kind *kind,
				  uint64_t architecture, const char *name)
{
	const struct wt_item *list = architecture_list_of(facts, kind, architecture);

	for (size_t i = 0; list && i < list->handle_count; i++)
		if (recorded_object_has_name(facts, kind, list->handles[i], name))
			return list->handles[i];
	return NO_HANDLE;
}

/* ---- Registers ---- */

static bool is_register(const struct wt_recorded *facts, uint64_t handle,
			const struct gfx_register *known)
{
	char name[GFX_REGISTER_NAME];
	uint64_t size;

	gfx_register_name(known, name);
	return recorded_object_has_name(facts, &registers, handle, name) &&
	       wt_recorded_number(facts, WT_OBJECT_REGISTER, handle, AMD_DBGAPI_REGISTER_INFO_SIZE,
				  &size) &&
	       size == known->range->size;
}

/* If several registers have one name and size, the shadow is listed last. */
static uint64_t known_register_find(const struct wt_recorded *facts, uint64_t architecture,
				    const struct gfx_register *known)
{
	bool last = known->range->kind == GFX_REGISTER_SHADOW_SGPR;
	const struct wt_item *list = architecture_list_of(facts, &registers, architecture);
	uint64_t found = NO_HANDLE;

	for (size_t i = 0; list && i < list->handle_count && (last || found == NO_HANDLE); i++)
		if (is_register(facts, list->handles[i], known))
			found = list->handles[i];
	return found;
}

/*
 * Most libraries give a register the number that we give it. Those that do not give numbers in a row, as we do.
 * @range: our own; its number becomes the recorded one.
 */
static bool known_range_find(const struct wt_recorded *facts, uint64_t architecture,
			     struct gfx_register_range *range, const struct gfx_register *first,
			     const struct gfx_register *last)
{
	uint64_t handle = architecture << 32 | range->number;

	if (!is_register(facts, handle, first))
		handle = known_register_find(facts, architecture, first);
	if (handle == NO_HANDLE || handle >> 32 != architecture ||
	    !is_register(facts, handle + range->count - 1, last))
		return false;
	range->number = (uint32_t)handle;
	return true;
}

static bool copy_registers(struct wt_known_architecture *known, const struct wt_recorded *facts,
			   const struct gfx_architecture *table)
{
	size_t position = 0, count = 0;

	known->registers = calloc(table->register_range_count + 1, sizeof(*known->registers));
	if (!known->registers)
		return false;
	for (size_t i = 0; i < table->register_range_count; i++) {
		struct gfx_register_range range = table->registers[i];
		struct gfx_register first, last, pc;
		bool has_pc;

		if (!range.count || !gfx_register_at(table, position, &first) ||
		    !gfx_register_at(table, position + range.count - 1, &last))
			continue;
		position += range.count;
		has_pc = gfx_register_by_id(table, table->id << 32 | table->pc_register, &pc) &&
			 pc.range == first.range;
		if (!known_range_find(facts, known->table.id, &range, &first, &last))
			continue;
		if (has_pc)
			known->table.pc_register = range.number + (pc.index - range.first);
		known->registers[count++] = range;
	}
	known->table.registers = known->registers;
	known->table.register_range_count = count;
	return true;
}

/* ---- Address spaces and classes ---- */

static void copy_register_classes(struct wt_known_architecture *known,
				  const struct wt_recorded *facts,
				  const struct gfx_architecture *table)
{
	for (size_t i = 0; i < GFX_CLASS_COUNT; i++) {
		known->classes[i] = table->classes[i];
		known->classes[i].id = named_handle_find(facts, &register_classes, known->table.id,
							 table->classes[i].name);
	}
	known->table.classes = known->classes;
}

/* @complete_ret: all are there. False without memory. */
static bool copy_spaces(struct wt_known_architecture *known, const struct wt_recorded *facts,
			const struct gfx_architecture *table, bool *complete_ret)
{
	*complete_ret = true;
	known->spaces = calloc(table->space_count + 1, sizeof(*known->spaces));
	if (!known->spaces)
		return false;
	for (size_t i = 0; i < table->space_count; i++) {
		known->spaces[i] = table->spaces[i];
		known->spaces[i].id =
			named_handle_find(facts, &spaces, known->table.id, table->spaces[i].name);
		*complete_ret = *complete_ret && known->spaces[i].id != NO_HANDLE;
	}
	known->table.spaces = known->spaces;
	return true;
}

static bool copy_address_classes(struct wt_known_architecture *known,
				 const struct wt_recorded *facts,
				 const struct gfx_architecture *table)
{
	size_t count = 0;

	known->address_classes =
		calloc(table->address_class_count + 1, sizeof(*known->address_classes));
	if (!known->address_classes)
		return false;
	for (size_t i = 0; i < table->address_class_count; i++) {
		struct gfx_address_class class = table->address_classes[i];

		class.id = named_handle_find(facts, &address_classes, known->table.id, class.name);
		if (class.id != NO_HANDLE)
			known->address_classes[count++] = class;
	}
	known->table.address_classes = known->address_classes;
	known->table.address_class_count = count;
	return true;
}

/* ---- Architectures ---- */

/* @known_ret: NULL if we cannot use it. */
static struct wt_error *known_architecture_copy(const struct wt_recorded *facts, uint64_t handle,
						const struct gfx_architecture *table,
						struct wt_known_architecture **known_ret)
{
	struct wt_known_architecture *known = calloc(1, sizeof(*known));
	bool complete;

	*known_ret = NULL;
	if (!known)
		return &wt_error_no_memory;
	known->table = *table;
	known->table.id = handle;
	copy_register_classes(known, facts, table);
	if (!copy_spaces(known, facts, table, &complete) ||
	    !copy_address_classes(known, facts, table) || !copy_registers(known, facts, table)) {
		architecture_destroy(known);
		return &wt_error_no_memory;
	}
	if (complete)
		*known_ret = known;
	else
		architecture_destroy(known);
	return NULL;
}

static struct wt_error *known_architecture_add(struct wt_known *known,
					       const struct wt_recorded *facts, uint64_t handle)
{
	const struct gfx_architecture *table = wt_recorded_architecture(facts, handle);
	struct wt_known_architecture *added;
	struct wt_error *error;

	/* The handles of its registers have its own in their upper half. */
	if (!table || handle > UINT32_MAX || known->count == WT_KNOWN_ARCHITECTURES)
		return NULL;
	error = known_architecture_copy(facts, handle, table, &added);
	if (error || !added)
		return error;
	known->all[known->count] = added;
	known->architectures[known->count++] = &added->table;
	return NULL;
}

/* ---- Our tables ---- */

/*
 * The global space is one for all architectures: that of the trace, under its handle there. If none of them is known here, the
 * trace's handle is that of a space of which the tables say nothing.
 */
static uint64_t table_space_handle(const struct wt_known *known,
				   const struct gfx_address_space *space)
{
	for (size_t i = 0; i < known->count && space->space == GFX_SPACE_GLOBAL; i++) {
		const struct gfx_architecture *recorded = known->architectures[i];

		for (size_t j = 0; j < recorded->space_count; j++)
			if (recorded->spaces[j].space == GFX_SPACE_GLOBAL)
				return recorded->spaces[j].id;
	}
	return space->id + WT_KNOWN_TABLE_HANDLES;
}

/* The handles of its registers are made of its own. NULL without memory. */
static struct wt_known_architecture *table_copy(const struct wt_known *of,
						const struct gfx_architecture *table)
{
	struct wt_known_architecture *known = calloc(1, sizeof(*known));

	if (!known)
		return NULL;
	known->table = *table;
	known->table.id += WT_KNOWN_TABLE_HANDLES;
	known->spaces = calloc(table->space_count + 1, sizeof(*known->spaces));
	known->address_classes =
		calloc(table->address_class_count + 1, sizeof(*known->address_classes));
	if (!known->spaces || !known->address_classes) {
		architecture_destroy(known);
		return NULL;
	}
	for (size_t i = 0; i < GFX_CLASS_COUNT; i++) {
		known->classes[i] = table->classes[i];
		known->classes[i].id += WT_KNOWN_TABLE_HANDLES;
	}
	for (size_t i = 0; i < table->space_count; i++) {
		known->spaces[i] = table->spaces[i];
		known->spaces[i].id = table_space_handle(of, &table->spaces[i]);
	}
	for (size_t i = 0; i < table->address_class_count; i++) {
		known->address_classes[i] = table->address_classes[i];
		known->address_classes[i].id += WT_KNOWN_TABLE_HANDLES;
	}
	known->table.classes = known->classes;
	known->table.spaces = known->spaces;
	known->table.address_classes = known->address_classes;
	return known;
}

static struct wt_error *known_tables_add(struct wt_known *known)
{
	size_t count;
	const struct gfx_architecture *const *tables = gfx_architectures(&count);

	for (size_t i = 0; i < count && i < WT_KNOWN_TABLES; i++) {
		struct wt_known_architecture *added = table_copy(known, tables[i]);
		size_t place = known->count + known->table_count;

		if (!added)
			return &wt_error_no_memory;
		known->all[place] = added;
		known->architectures[place] = &added->table;
		known->table_count++;
	}
	return NULL;
}

struct wt_error *wt_known_init(struct wt_known *known, const struct wt_recorded *facts)
{
	const struct wt_key first = {.type = WT_ITEM_OBJECT,
				     .kind = facts->names->objects[WT_OBJECT_ARCHITECTURE]};
	struct wt_error *error = NULL;

	*known = (struct wt_known){0};
	for (size_t i = wt_state_lower_bound(facts->state, &first);
	     !error && first.kind && i < wt_state_count(facts->state); i++) {
		const struct wt_item *item = wt_state_at(facts->state, i);

		if (item->key.type != first.type || item->key.kind != first.kind)
			break;
		error = known_architecture_add(known, facts, item->key.owner);
	}
	if (!error)
		error = known_tables_add(known);
	if (error)
		wt_known_deinit(known);
	return error;
}

void wt_known_deinit(struct wt_known *known)
{
	for (size_t i = 0; i < known->count + known->table_count; i++)
		architecture_destroy(known->all[i]);
	*known = (struct wt_known){0};
}

const struct gfx_architecture *wt_known_find(const struct wt_known *known, uint64_t architecture)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->architectures[i]->id == architecture)
			return known->architectures[i];
	return NULL;
}
