/* SPDX-License-Identifier: MIT */
/*
 * What the simulated GPU does not have: displaced stepping, watchpoints, frozen processes, and
 * breakpoints of the library's own in a host program. What would make such an object is
 * NOT_IMPLEMENTED; so no handle of one is ever valid.
 */
#include "dbgapi/simulated/provider.h"

amd_dbgapi_status_t amd_dbgapi_process_freeze(amd_dbgapi_process_id_t process_id)
{
	(void)process_id;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t amd_dbgapi_process_unfreeze(amd_dbgapi_process_id_t process_id)
{
	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	return wt_process_find(process_id) ? AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN
					   : AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
}

amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_get_info(amd_dbgapi_displaced_stepping_id_t displaced_stepping_id,
				       amd_dbgapi_displaced_stepping_info_t query,
				       size_t value_size, void *value)
{
	(void)displaced_stepping_id;
	(void)query;
	(void)value_size;
	(void)value;
	return wt_provider.client.initialized
		       ? AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID
		       : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_start(amd_dbgapi_wave_id_t wave_id,
				    const void *saved_instruction_bytes,
				    amd_dbgapi_displaced_stepping_id_t *displaced_stepping)
{
	(void)wave_id;
	(void)saved_instruction_bytes;
	(void)displaced_stepping;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_complete(amd_dbgapi_wave_id_t wave_id,
				       amd_dbgapi_displaced_stepping_id_t displaced_stepping)
{
	(void)displaced_stepping;
	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	return wt_wave_find(wave_id) ? AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID
				     : AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
}

amd_dbgapi_status_t amd_dbgapi_watchpoint_get_info(amd_dbgapi_watchpoint_id_t watchpoint_id,
						   amd_dbgapi_watchpoint_info_t query,
						   size_t value_size, void *value)
{
	(void)watchpoint_id;
	(void)query;
	(void)value_size;
	(void)value;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t amd_dbgapi_set_watchpoint(amd_dbgapi_process_id_t process_id,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t size,
					      amd_dbgapi_watchpoint_kind_t kind,
					      amd_dbgapi_watchpoint_id_t *watchpoint_id)
{
	(void)process_id;
	(void)address;
	(void)size;
	(void)kind;
	(void)watchpoint_id;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t amd_dbgapi_remove_watchpoint(amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	(void)watchpoint_id;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t amd_dbgapi_breakpoint_get_info(amd_dbgapi_breakpoint_id_t breakpoint_id,
						   amd_dbgapi_breakpoint_info_t query,
						   size_t value_size, void *value)
{
	(void)breakpoint_id;
	(void)query;
	(void)value_size;
	(void)value;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t
amd_dbgapi_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				 amd_dbgapi_client_thread_id_t client_thread_id,
				 amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	(void)breakpoint_id;
	(void)client_thread_id;
	(void)breakpoint_action;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}
