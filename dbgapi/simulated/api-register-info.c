/* SPDX-License-Identifier: MIT */
/* Registers and register classes are described here; their values are in another file. */
#include "dbgapi/simulated/internal.h"

amd_dbgapi_status_t
amd_dbgapi_architecture_register_class_get_info(amd_dbgapi_register_class_id_t register_class_id,
						amd_dbgapi_register_class_info_t query,
						size_t value_size, void *value)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_register_class_get_info(&provider, register_class_id, query, value_size,
						 value);
}

amd_dbgapi_status_t
amd_dbgapi_architecture_register_class_list(amd_dbgapi_architecture_id_t architecture_id,
					    size_t *register_class_count,
					    amd_dbgapi_register_class_id_t **register_classes)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_register_class_list(&provider, architecture_id, register_class_count,
					     register_classes);
}

amd_dbgapi_status_t amd_dbgapi_register_get_info(amd_dbgapi_register_id_t register_id,
						 amd_dbgapi_register_info_t query,
						 size_t value_size, void *value)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_register_get_info(&provider, register_id, query, value_size, value);
}

amd_dbgapi_status_t
amd_dbgapi_architecture_register_list(amd_dbgapi_architecture_id_t architecture_id,
				      size_t *register_count, amd_dbgapi_register_id_t **registers)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_register_list(&provider, architecture_id, register_count, registers);
}

amd_dbgapi_status_t
amd_dbgapi_dwarf_register_to_register(amd_dbgapi_architecture_id_t architecture_id,
				      uint64_t dwarf_register,
				      amd_dbgapi_register_id_t *register_id)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_dwarf_register_to_register(&provider, architecture_id, dwarf_register,
						    register_id);
}

amd_dbgapi_status_t
amd_dbgapi_register_is_in_register_class(amd_dbgapi_register_class_id_t register_class_id,
					 amd_dbgapi_register_id_t register_id,
					 amd_dbgapi_register_class_state_t *register_class_state)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_register_is_in_register_class(&provider, register_class_id, register_id,
						       register_class_state);
}
