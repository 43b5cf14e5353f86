/* SPDX-License-Identifier: MIT */
/* The exported functions that ask what something is: all are the same two. */
#include "replayer/library/internal.h"

#define GET_INFO(name, object, id_type, query_type)                                                \
	amd_dbgapi_status_t name(id_type id, query_type query, size_t value_size, void *value)     \
	{                                                                                          \
		return wt_replay_get_info(object, id.handle, (uint32_t)query, value_size, value);  \
	}

GET_INFO(wt_answer_architecture_get_info, WT_OBJECT_ARCHITECTURE, amd_dbgapi_architecture_id_t,
	 amd_dbgapi_architecture_info_t)
GET_INFO(wt_answer_process_get_info, WT_OBJECT_PROCESS, amd_dbgapi_process_id_t,
	 amd_dbgapi_process_info_t)
GET_INFO(wt_answer_code_object_get_info, WT_OBJECT_CODE_OBJECT, amd_dbgapi_code_object_id_t,
	 amd_dbgapi_code_object_info_t)
GET_INFO(wt_answer_agent_get_info, WT_OBJECT_AGENT, amd_dbgapi_agent_id_t, amd_dbgapi_agent_info_t)
GET_INFO(wt_answer_queue_get_info, WT_OBJECT_QUEUE, amd_dbgapi_queue_id_t, amd_dbgapi_queue_info_t)
GET_INFO(wt_answer_dispatch_get_info, WT_OBJECT_DISPATCH, amd_dbgapi_dispatch_id_t,
	 amd_dbgapi_dispatch_info_t)
GET_INFO(wt_answer_workgroup_get_info, WT_OBJECT_WORKGROUP, amd_dbgapi_workgroup_id_t,
	 amd_dbgapi_workgroup_info_t)
GET_INFO(wt_answer_cluster_get_info, WT_OBJECT_CLUSTER, amd_dbgapi_cluster_id_t,
	 amd_dbgapi_cluster_info_t)
GET_INFO(wt_answer_wave_get_info, WT_OBJECT_WAVE, amd_dbgapi_wave_id_t, amd_dbgapi_wave_info_t)
GET_INFO(wt_answer_displaced_stepping_get_info, WT_OBJECT_DISPLACED_STEPPING,
	 amd_dbgapi_displaced_stepping_id_t, amd_dbgapi_displaced_stepping_info_t)
GET_INFO(wt_answer_watchpoint_get_info, WT_OBJECT_WATCHPOINT, amd_dbgapi_watchpoint_id_t,
	 amd_dbgapi_watchpoint_info_t)
GET_INFO(wt_answer_architecture_register_class_get_info, WT_OBJECT_REGISTER_CLASS,
	 amd_dbgapi_register_class_id_t, amd_dbgapi_register_class_info_t)
GET_INFO(wt_answer_register_get_info, WT_OBJECT_REGISTER, amd_dbgapi_register_id_t,
	 amd_dbgapi_register_info_t)
GET_INFO(wt_answer_address_class_get_info, WT_OBJECT_ADDRESS_CLASS, amd_dbgapi_address_class_id_t,
	 amd_dbgapi_address_class_info_t)
GET_INFO(wt_answer_address_space_get_info, WT_OBJECT_ADDRESS_SPACE, amd_dbgapi_address_space_id_t,
	 amd_dbgapi_address_space_info_t)
GET_INFO(wt_answer_event_get_info, WT_OBJECT_EVENT, amd_dbgapi_event_id_t, amd_dbgapi_event_info_t)
GET_INFO(wt_answer_breakpoint_get_info, WT_OBJECT_BREAKPOINT, amd_dbgapi_breakpoint_id_t,
	 amd_dbgapi_breakpoint_info_t)

#define PROCESS_LIST(name, object, id_type)                                                        \
	amd_dbgapi_status_t name(amd_dbgapi_process_id_t process_id, size_t *count,                \
				 id_type **handles, amd_dbgapi_changed_t *changed)                 \
	{                                                                                          \
		return wt_replay_process_list(object, process_id.handle, count, handles, changed); \
	}

PROCESS_LIST(wt_answer_process_code_object_list, WT_OBJECT_CODE_OBJECT, amd_dbgapi_code_object_id_t)
PROCESS_LIST(wt_answer_process_agent_list, WT_OBJECT_AGENT, amd_dbgapi_agent_id_t)
PROCESS_LIST(wt_answer_process_queue_list, WT_OBJECT_QUEUE, amd_dbgapi_queue_id_t)
PROCESS_LIST(wt_answer_process_dispatch_list, WT_OBJECT_DISPATCH, amd_dbgapi_dispatch_id_t)
PROCESS_LIST(wt_answer_process_workgroup_list, WT_OBJECT_WORKGROUP, amd_dbgapi_workgroup_id_t)
PROCESS_LIST(wt_answer_process_wave_list, WT_OBJECT_WAVE, amd_dbgapi_wave_id_t)

#define ARCHITECTURE_LIST(name, function, id_type)                                                 \
	amd_dbgapi_status_t name(amd_dbgapi_architecture_id_t architecture_id, size_t *count,      \
				 id_type **handles)                                                \
	{                                                                                          \
		return wt_replay_owner_list(function, WT_OBJECT_ARCHITECTURE,                      \
					    architecture_id.handle, count, handles);               \
	}

ARCHITECTURE_LIST(wt_answer_architecture_register_class_list,
		  WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST, amd_dbgapi_register_class_id_t)
ARCHITECTURE_LIST(wt_answer_architecture_register_list, WT_FUNCTION_ARCHITECTURE_REGISTER_LIST,
		  amd_dbgapi_register_id_t)
ARCHITECTURE_LIST(wt_answer_architecture_address_class_list,
		  WT_FUNCTION_ARCHITECTURE_ADDRESS_CLASS_LIST, amd_dbgapi_address_class_id_t)
ARCHITECTURE_LIST(wt_answer_architecture_address_space_list,
		  WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST, amd_dbgapi_address_space_id_t)

static amd_dbgapi_status_t table_from_dwarf(enum wt_function function, uint64_t handle,
					    uint64_t number, uint64_t *handle_ret)
{
	const amd_dbgapi_architecture_id_t architecture = {handle};
	const struct wt_static tables = wt_replay_tables();

	/* Handles are structures of one number. */
	switch ((int)function) {
	case WT_FUNCTION_DWARF_REGISTER_TO_REGISTER:
		return wt_static_dwarf_register_to_register(&tables, architecture, number,
							    (amd_dbgapi_register_id_t *)handle_ret);
	case WT_FUNCTION_DWARF_ADDRESS_CLASS_TO_ADDRESS_CLASS:
		return wt_static_dwarf_address_class_to_address_class(
			&tables, architecture, number, (amd_dbgapi_address_class_id_t *)handle_ret);
	default:
		return wt_static_dwarf_address_space_to_address_space(
			&tables, architecture, number, (amd_dbgapi_address_space_id_t *)handle_ret);
	}
}

/* DWARF numbers of an architecture: those that are not in the map mean nothing. */
static amd_dbgapi_status_t from_dwarf(enum wt_function function, uint64_t architecture,
				      uint64_t number, uint64_t *handle_ret)
{
	const struct wt_item *map;
	uint64_t handle;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_fact(WT_OBJECT_ARCHITECTURE, architecture))
		return table_from_dwarf(function, architecture, number, handle_ret);
	if (!handle_ret)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	map = wt_recorded_function(&wt_replayer.facts, WT_ITEM_MAP, function, architecture);
	if (!map)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (!wt_recorded_map(map, number, &handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	*handle_ret = handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

#define FROM_DWARF(name, function, id_type)                                                        \
	amd_dbgapi_status_t name(amd_dbgapi_architecture_id_t architecture_id, uint64_t number,    \
				 id_type *id)                                                      \
	{                                                                                          \
		return from_dwarf(function, architecture_id.handle, number,                        \
				  id ? &id->handle : NULL);                                        \
	}

FROM_DWARF(wt_answer_dwarf_register_to_register, WT_FUNCTION_DWARF_REGISTER_TO_REGISTER,
	   amd_dbgapi_register_id_t)
FROM_DWARF(wt_answer_dwarf_address_class_to_address_class,
	   WT_FUNCTION_DWARF_ADDRESS_CLASS_TO_ADDRESS_CLASS, amd_dbgapi_address_class_id_t)
FROM_DWARF(wt_answer_dwarf_address_space_to_address_space,
	   WT_FUNCTION_DWARF_ADDRESS_SPACE_TO_ADDRESS_SPACE, amd_dbgapi_address_space_id_t)
