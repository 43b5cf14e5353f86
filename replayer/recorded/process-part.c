/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/process-part.h"

#include <string.h>

size_t wt_recorded_process_count(const struct wt_table_names *names, const struct wt_state *state)
{
	struct wt_key first = {.type = WT_ITEM_OBJECT, .kind = names->objects[WT_OBJECT_PROCESS]};
	struct wt_key behind = first;

	behind.kind++;
	return first.kind ? wt_state_range(state, &first, &behind).count : 0;
}

/* The query of a kind of object for its process; NULL if it has none. */
static const struct wt_query *process_query(enum wt_object object)
{
	const struct wt_object_info *info = &wt_objects[object];

	for (size_t i = 0; i < info->query_count; i++)
		if (info->queries[i].is_handle &&
		    !strcmp(info->queries[i].type, wt_objects[WT_OBJECT_PROCESS].handle_type))
			return &info->queries[i];
	return NULL;
}

/* The kind of object that a function is called with first; WT_OBJECT_COUNT for none. */
static enum wt_object first_parameter(enum wt_function function)
{
	const struct wt_function_info *info = &wt_functions[function];

	for (int i = 0; info->parameter_count && i < WT_OBJECT_COUNT; i++)
		if (info->parameters[0].is_handle &&
		    !strcmp(info->parameters[0].type, wt_objects[i].handle_type))
			return (enum wt_object)i;
	return WT_OBJECT_COUNT;
}

static int function_number_find(const uint32_t *numbers, int count, uint32_t number)
{
	int i = 0;

	while (i < count && numbers[i] != number)
		i++;
	return number ? i : count;
}

static enum wt_object space_owner(const struct wt_table_names *names, uint32_t kind)
{
	switch (function_number_find(names->spaces, WT_NAMES_SPACES, kind)) {
	case GFX_SPACE_GLOBAL:
		return WT_OBJECT_PROCESS;
	case GFX_SPACE_LOCAL:
		return WT_OBJECT_WORKGROUP;
	default:
		return WT_OBJECT_WAVE;
	}
}

/* The kind of object whose handle is the owner in a key; WT_OBJECT_COUNT if it is none. */
static enum wt_object kind_of_owner(const struct wt_table_names *names, const struct wt_key *key)
{
	int place;

	switch (key->type) {
	case WT_ITEM_OBJECT:
		return (enum wt_object)function_number_find(names->objects, WT_OBJECT_COUNT,
							    key->kind);
	case WT_ITEM_LIST:
	case WT_ITEM_MAP:
	case WT_ITEM_REFUSAL:
		place = function_number_find(names->functions, WT_FUNCTION_COUNT, key->kind);
		return place == WT_FUNCTION_COUNT ? WT_OBJECT_COUNT
						  : first_parameter((enum wt_function)place);
	case WT_ITEM_REGISTERS:
	case WT_ITEM_UNREPORTED_STOP:
	case WT_ITEM_PRIVATE_PLACE:
	case WT_ITEM_DISPLACED_STEPPINGS:
		return WT_OBJECT_WAVE;
	case WT_ITEM_LIST_CHANGES:
	case WT_ITEM_MEMORY_PRECISION:
	case WT_ITEM_BREAKPOINTS:
		return WT_OBJECT_PROCESS;
	case WT_ITEM_DISPLACED_CODE:
		return WT_OBJECT_DISPLACED_STEPPING;
	case WT_ITEM_BREAKPOINT_HITS:
		return WT_OBJECT_BREAKPOINT;
	case WT_ITEM_MEMORY:
		return space_owner(names, key->kind);
	case WT_ITEM_PACKETS:
		return WT_OBJECT_QUEUE;
	case WT_ITEM_IMAGE:
		return WT_OBJECT_CODE_OBJECT;
	default:
		return WT_OBJECT_COUNT;
	}
}

/* The last finding about a key: states are in the order of keys, and the next one mostly differs in its address. */
struct found {
	struct wt_key key;
	enum wt_object object;
	const struct wt_query *query;
	bool is_any, is_of;
};

static bool found_key_is_of(const struct wt_recorded *recorded, const struct found *found,
			    uint64_t process)
{
	uint64_t owner;

	if (found->object == WT_OBJECT_COUNT)
		return true;
	if (found->object == WT_OBJECT_PROCESS)
		return found->key.owner == process;
	return !found->query ||
	       !wt_recorded_number(recorded, found->object, found->key.owner, found->query->value,
				   &owner) ||
	       owner == process;
}

static bool find_out(const struct wt_recorded *recorded, const struct wt_key *key, uint64_t process,
		     struct found *found)
{
	bool same_kind =
		found->is_any && found->key.type == key->type && found->key.kind == key->kind;

	if (same_kind && found->key.owner == key->owner)
		return found->is_of;
	if (!same_kind) {
		found->object = kind_of_owner(recorded->names, key);
		found->query =
			found->object == WT_OBJECT_COUNT ? NULL : process_query(found->object);
	}
	found->is_any = true;
	found->key = *key;
	found->is_of = found_key_is_of(recorded, found, process);
	return found->is_of;
}

struct wt_error *wt_recorded_keep_process(const struct wt_table_names *names, uint64_t process,
					  struct wt_state **state)
{
	const struct wt_recorded recorded = {.names = names, .state = *state};
	struct wt_error *error = NULL;
	struct found found = {.is_any = false};
	struct wt_state *kept;

	if (!process || wt_recorded_process_count(names, *state) < 2)
		return NULL;
	kept = wt_state_create();
	if (!kept)
		return &wt_error_no_memory;
	for (size_t i = 0; !error && i < wt_state_count(*state); i++)
		if (find_out(&recorded, &wt_state_at(*state, i)->key, process, &found))
			error = wt_state_hold(kept, wt_state_held_at(*state, i));
	if (error) {
		wt_state_destroy(kept);
		return error;
	}
	wt_state_destroy(*state);
	*state = kept;
	return NULL;
}
