/* SPDX-License-Identifier: MIT */
/*
 * Answers for a client whose calls cannot be recorded. Without a library to wrap, every function that has a status
 * answers ERROR; those that a client needs to learn why still work.
 */
#ifndef WT_RECORDER_LIBRARY_UNAVAILABLE_H
#define WT_RECORDER_LIBRARY_UNAVAILABLE_H

#include "recorder/recording/recorder.h"

/* The functions of the API of these names, without a library to wrap. */
amd_dbgapi_status_t wt_unavailable_get_status_string(amd_dbgapi_status_t status,
						     const char **status_string);
void wt_unavailable_get_version(uint32_t *major, uint32_t *minor, uint32_t *patch);
const char *wt_unavailable_get_build_name(void);
void wt_unavailable_set_log_level(amd_dbgapi_log_level_t level);

/** initialize, unrecorded: the client's log gets the reason, if something was to be recorded. */
amd_dbgapi_status_t wt_initialize_unrecorded(const struct wt_recorder *recorder,
					     amd_dbgapi_callbacks_t *callbacks);

#endif /* WT_RECORDER_LIBRARY_UNAVAILABLE_H */
