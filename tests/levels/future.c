/* SPDX-License-Identifier: MIT */
/* A function that no level has had. */
#include <amd-dbgapi/amd-dbgapi.h>

__attribute__((visibility("default"))) amd_dbgapi_status_t
amd_dbgapi_of_tomorrow(amd_dbgapi_process_id_t process_id, uint32_t *answer);

amd_dbgapi_status_t amd_dbgapi_of_tomorrow(amd_dbgapi_process_id_t process_id, uint32_t *answer)
{
	size_t count;
	amd_dbgapi_status_t status = amd_dbgapi_process_get_info(
		process_id, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, sizeof(count), &count);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		*answer = (uint32_t)count + 38;
	return status;
}
