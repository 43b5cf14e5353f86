/* SPDX-License-Identifier: MIT */
#include "recorder/library/unavailable.h"

#include <stddef.h>
#include <stdlib.h>

#include "dbgapi/client/client.h"

amd_dbgapi_status_t wt_unavailable_get_status_string(amd_dbgapi_status_t status,
						     const char **status_string)
{
	const char *text = wt_status_text(status);

	if (!text || !status_string)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*status_string = text;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The API level of this very library, so that a client goes on to initialize and hears the reason. */
void wt_unavailable_get_version(uint32_t *major, uint32_t *minor, uint32_t *patch)
{
	uint32_t *const places[] = {major, minor, patch};
	const char *level = WT_API_LEVEL;

	for (size_t i = 0; i < 3; i++) {
		char *end;
		unsigned long number = strtoul(level, &end, 10);

		if (places[i])
			*places[i] = (uint32_t)number;
		level = *end ? end + 1 : end;
	}
}

const char *wt_unavailable_get_build_name(void)
{
	return "wavetape-" WT_VERSION "-without-library";
}

void wt_unavailable_set_log_level(amd_dbgapi_log_level_t level)
{
	(void)level;
}

/* How loud to be. That the trace is another's is nothing the user of this program did wrong. */
static amd_dbgapi_log_level_t failure_level(const struct wt_recorder *recorder)
{
	if (!recorder->wrapped)
		return AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR;
	return recorder->file.is_others ? AMD_DBGAPI_LOG_LEVEL_INFO : AMD_DBGAPI_LOG_LEVEL_WARNING;
}

amd_dbgapi_status_t wt_initialize_unrecorded(const struct wt_recorder *recorder,
					     amd_dbgapi_callbacks_t *callbacks)
{
	if (recorder->failure && callbacks && callbacks->log_message)
		callbacks->log_message(failure_level(recorder), recorder->failure);
	return recorder->wrapped ? recorder->wrapped->initialize(callbacks)
				 : AMD_DBGAPI_STATUS_ERROR;
}
