/* SPDX-License-Identifier: MIT */
/* initialize as clients of the levels before 0.76 call it: they tell process ids by a callback of its own. */
#include <string.h>

#include "dbgapi/older/older.h"
#include "dbgapi/table/api-functions.h"

amd_dbgapi_status_t wt_initialize_at_0_54(struct wt_callbacks_0_54 *callbacks) WT_OLDER_EXPORTED;

/* The API has no context parameter, so there is one client for each library. */
static struct wt_callbacks_0_54 client;

static amd_dbgapi_status_t level_process_get_info(amd_dbgapi_client_process_id_t client_process_id,
						  amd_dbgapi_client_process_info_t query,
						  size_t value_size, void *value)
{
	/* These clients have no cores. */
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || !value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(amd_dbgapi_os_process_id_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return client.get_os_pid(client_process_id, value);
}

amd_dbgapi_status_t wt_initialize_at_0_54(struct wt_callbacks_0_54 *callbacks)
{
	const struct wt_callbacks_0_54 before = client;
	amd_dbgapi_callbacks_t now;
	amd_dbgapi_status_t status;

	if (!callbacks)
		return amd_dbgapi_initialize(NULL);
	now = (amd_dbgapi_callbacks_t){
		.allocate_memory = callbacks->allocate_memory,
		.deallocate_memory = callbacks->deallocate_memory,
		.client_process_get_info = callbacks->get_os_pid ? level_process_get_info : NULL,
		.insert_breakpoint = callbacks->insert_breakpoint,
		.remove_breakpoint = callbacks->remove_breakpoint,
		.xfer_global_memory = wt_older_no_memory,
		.log_message = callbacks->log_message,
	};
	client = *callbacks;
	status = amd_dbgapi_initialize(&now);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		client = before;
	return status;
}
__asm__(".symver wt_initialize_at_0_54, amd_dbgapi_initialize@AMD_DBGAPI_0.54");
