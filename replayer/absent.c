/* SPDX-License-Identifier: MIT */
/*
 * What cannot be replayed to a client that was not recorded doing it: watchpoints, displaced
 * stepping, frozen processes, breakpoints of the library's own in the host program. Recorded
 * objects of these kinds can still be asked for.
 */
#include "replayer/replayer.h"

amd_dbgapi_status_t amd_dbgapi_process_freeze(amd_dbgapi_process_id_t process_id)
{
	(void)process_id;
	return wt_replayer.client.initialized ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t amd_dbgapi_process_unfreeze(amd_dbgapi_process_id_t process_id)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	return wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle)
		       ? AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN
		       : AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
}

amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_start(amd_dbgapi_wave_id_t wave_id,
				    const void *saved_instruction_bytes,
				    amd_dbgapi_displaced_stepping_id_t *displaced_stepping)
{
	(void)wave_id;
	(void)saved_instruction_bytes;
	(void)displaced_stepping;
	return wt_replayer.client.initialized ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_complete(amd_dbgapi_wave_id_t wave_id,
				       amd_dbgapi_displaced_stepping_id_t displaced_stepping)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(WT_OBJECT_WAVE, wave_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	return wt_replay_exists(WT_OBJECT_DISPLACED_STEPPING, displaced_stepping.handle)
		       ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
		       : AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID;
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
	return wt_replayer.client.initialized ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}

amd_dbgapi_status_t amd_dbgapi_remove_watchpoint(amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	return wt_replay_exists(WT_OBJECT_WATCHPOINT, watchpoint_id.handle)
		       ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
		       : AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID;
}

amd_dbgapi_status_t
amd_dbgapi_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				 amd_dbgapi_client_thread_id_t client_thread_id,
				 amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	(void)client_thread_id;
	(void)breakpoint_action;
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	return wt_replay_exists(WT_OBJECT_BREAKPOINT, breakpoint_id.handle)
		       ? AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED
		       : AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
}
