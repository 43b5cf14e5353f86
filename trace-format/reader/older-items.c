/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/older-items.h"

/* The names of functions that were keys, and the types that say so now. */
static const struct older_item {
	enum wt_item_type type;
	const char *function;
	enum wt_item_type now;
} older_items[] = {
	{WT_ITEM_LIST, "amd_dbgapi_set_watchpoint", WT_ITEM_REFUSAL},
	{WT_ITEM_LIST, "amd_dbgapi_displaced_stepping_start", WT_ITEM_REFUSAL},
	{WT_ITEM_LIST, "amd_dbgapi_report_breakpoint_hit", WT_ITEM_REFUSAL},
	{WT_ITEM_LIST, "amd_dbgapi_set_memory_precision", WT_ITEM_REFUSAL},
	{WT_ITEM_LIST, "amd_dbgapi_set_alu_exceptions_precision", WT_ITEM_REFUSAL},
	{WT_ITEM_LIST, "amd_dbgapi_process_set_wave_creation", WT_ITEM_REFUSAL},
	{WT_ITEM_LIST, "amd_dbgapi_queue_packet_list", WT_ITEM_REFUSAL},
	{WT_ITEM_MAP, "amd_dbgapi_process_agent_list", WT_ITEM_LIST_CHANGES},
	{WT_ITEM_MAP, "amd_dbgapi_process_queue_list", WT_ITEM_LIST_CHANGES},
	{WT_ITEM_MAP, "amd_dbgapi_process_dispatch_list", WT_ITEM_LIST_CHANGES},
	{WT_ITEM_MAP, "amd_dbgapi_process_workgroup_list", WT_ITEM_LIST_CHANGES},
	{WT_ITEM_MAP, "amd_dbgapi_process_wave_list", WT_ITEM_LIST_CHANGES},
	{WT_ITEM_MAP, "amd_dbgapi_process_code_object_list", WT_ITEM_LIST_CHANGES},
	{WT_ITEM_MAP, "amd_dbgapi_set_memory_precision", WT_ITEM_MEMORY_PRECISION},
	{WT_ITEM_MAP, "amd_dbgapi_read_register", WT_ITEM_UNREPORTED_STOP},
	{WT_ITEM_MAP, "amd_dbgapi_convert_address_space@AMD_DBGAPI_0.81", WT_ITEM_PRIVATE_PLACE},
	{WT_ITEM_MAP, "amd_dbgapi_displaced_stepping_start", WT_ITEM_DISPLACED_STEPPINGS},
	{WT_ITEM_MAP, "amd_dbgapi_read_memory", WT_ITEM_DISPLACED_CODE},
	{WT_ITEM_MAP, "amd_dbgapi_breakpoint_get_info", WT_ITEM_BREAKPOINTS},
	{WT_ITEM_MAP, "amd_dbgapi_report_breakpoint_hit", WT_ITEM_BREAKPOINT_HITS},
};

_Static_assert(sizeof(older_items) / sizeof(*older_items) == WT_OLDER_ITEMS, "one kind for each");

static void older_kinds_look_up(struct wt_older_items *older, const struct wt_names *names)
{
	for (size_t i = 0; i < WT_OLDER_ITEMS; i++)
		older->kinds[i] = wt_names_find(names, older_items[i].function);
	older->known = names->known;
}

void wt_older_item_key(struct wt_older_items *older, const struct wt_names *names,
		       struct wt_key *key)
{
	if ((key->type != WT_ITEM_LIST && key->type != WT_ITEM_MAP) || !key->kind)
		return;
	if (older->known != names->known)
		older_kinds_look_up(older, names);
	for (size_t i = 0; i < WT_OLDER_ITEMS; i++) {
		if (older_items[i].type != key->type || older->kinds[i] != key->kind)
			continue;
		key->type = older_items[i].now;
		if (!wt_item_type_has_function(key->type))
			key->kind = 0;
		return;
	}
}

/* Numbers and what stood beside them as handles, one after the other. */
static bool join_pairs(struct wt_arena *arena, struct wt_item *value)
{
	size_t count = value->number_count < value->handle_count ? value->number_count
								 : value->handle_count;
	uint64_t *numbers = wt_arena_array(arena, 2 * count, sizeof(*numbers));

	if (!numbers)
		return false;
	for (size_t i = 0; i < count; i++) {
		numbers[2 * i] = value->numbers[i];
		numbers[2 * i + 1] = value->handles[i];
	}
	value->numbers = numbers;
	value->number_count = 2 * count;
	return true;
}

bool wt_older_item_value(struct wt_arena *arena, struct wt_item *value)
{
	const enum wt_item_type type = value->key.type;

	if (type == WT_ITEM_DISPLACED_STEPPINGS || type == WT_ITEM_BREAKPOINTS)
		return true;
	if ((type == WT_ITEM_PRIVATE_PLACE || type == WT_ITEM_DISPLACED_CODE) &&
	    !join_pairs(arena, value))
		return false;
	value->handles = NULL;
	value->handle_count = 0;
	return true;
}
