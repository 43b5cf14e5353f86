/* SPDX-License-Identifier: MIT */
/*
 * Functions in forms that levels before today's had, as calls of today's. A provider that passes calls on has its own.
 *
 * This file is compiled for each provider that has not: FORM() names a function of the provider's.
 */
#include "dbgapi/older/older.h"
#include FORM_HEADER

static const struct wt_older_calls calls = {
	.set_watchpoint = FORM(set_watchpoint),
	.watchpoint_get_info = FORM(watchpoint_get_info),
	.remove_watchpoint = FORM(remove_watchpoint),
	.address_space_get_info = FORM(address_space_get_info),
};

amd_dbgapi_status_t FORM(set_watchpoint_0_54)(amd_dbgapi_process_id_t process_id,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t size,
					      amd_dbgapi_watchpoint_kind_t kind,
					      amd_dbgapi_watchpoint_id_t *watchpoint_id,
					      amd_dbgapi_global_address_t *watchpoint_address,
					      amd_dbgapi_size_t *watchpoint_size)
{
	return wt_older_watch(&calls, process_id, address, size, kind, watchpoint_id,
			      watchpoint_address, watchpoint_size);
}

amd_dbgapi_status_t FORM(remove_watchpoint_0_54)(amd_dbgapi_process_id_t process_id,
						 amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	amd_dbgapi_process_id_t of;
	size_t count;
	amd_dbgapi_status_t status = FORM(process_get_info)(
		process_id, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, sizeof(count), &count);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = FORM(watchpoint_get_info)(
			watchpoint_id, AMD_DBGAPI_WATCHPOINT_INFO_PROCESS, sizeof(of), &of);
	if (status == AMD_DBGAPI_STATUS_SUCCESS && of.handle != process_id.handle)
		status = AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID;
	return status == AMD_DBGAPI_STATUS_SUCCESS ? FORM(remove_watchpoint)(watchpoint_id)
						   : status;
}

amd_dbgapi_status_t
FORM(convert_address_space_0_54)(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				 amd_dbgapi_address_space_id_t source_address_space_id,
				 amd_dbgapi_segment_address_t source_segment_address,
				 amd_dbgapi_address_space_id_t destination_address_space_id,
				 amd_dbgapi_segment_address_t *destination_segment_address)
{
	amd_dbgapi_size_t contiguous;

	return FORM(convert_address_space_0_62)(
		wave_id, lane_id, source_address_space_id, source_segment_address,
		destination_address_space_id, destination_segment_address, &contiguous);
}

amd_dbgapi_status_t
FORM(address_spaces_may_alias_0_54)(amd_dbgapi_address_space_id_t address_space_id1,
				    amd_dbgapi_address_space_id_t address_space_id2,
				    uint32_t *address_space_alias)
{
	bool alias;
	amd_dbgapi_status_t status =
		wt_older_may_alias(&calls, address_space_id1, address_space_id2, &alias);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!address_space_alias)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*address_space_alias = alias; /* 0: none, 1: may */
	return AMD_DBGAPI_STATUS_SUCCESS;
}
