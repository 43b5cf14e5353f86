/* SPDX-License-Identifier: MIT */
/* The library as a whole: life cycle, versions, log. */
#include "dbgapi/simulated/internal.h"

amd_dbgapi_status_t amd_dbgapi_get_status_string(amd_dbgapi_status_t status,
						 const char **status_string)
{
	const char *text = wt_status_text(status);

	if (!status_string || !text)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*status_string = text;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

void amd_dbgapi_get_version(uint32_t *major, uint32_t *minor, uint32_t *patch)
{
	if (major)
		*major = AMD_DBGAPI_VERSION_MAJOR;
	if (minor)
		*minor = AMD_DBGAPI_VERSION_MINOR;
	if (patch)
		*patch = 0;
}

/* The build name says what processes are attached to from now on. */
const char *amd_dbgapi_get_build_name(void)
{
	const char *path = wt_workload_path();

	return (!path || !*path) && wt_live_is_possible()
		       ? "wavetape " WT_VERSION " (kernel driver)"
		       : "wavetape " WT_VERSION " (simulated GPU)";
}

amd_dbgapi_status_t amd_dbgapi_initialize(amd_dbgapi_callbacks_t *callbacks)
{
	return wt_client_initialize(&wt_provider.client, callbacks);
}

amd_dbgapi_status_t amd_dbgapi_finalize(void)
{
	struct wt_api_process *process;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	while ((process = wt_next_process(AMD_DBGAPI_PROCESS_NONE, NULL))) {
		wt_live_leave(process);
		wt_process_destroy(process);
	}
	for (int kind = 0; kind < WT_OBJECT_COUNT; kind++) {
		wt_table_deinit(&wt_provider.handles[kind]);
		if (kind != WT_OBJECT_PROCESS)
			wt_provider.last_handle[kind] = 0;
	}
	wt_disassemblers_deinit(&wt_provider.disassemblers);
	return wt_client_finalize(&wt_provider.client);
}

void amd_dbgapi_set_log_level(amd_dbgapi_log_level_t level)
{
	wt_provider.client.log_level = level;
}
