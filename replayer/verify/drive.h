/* SPDX-License-Identifier: MIT */
/* One recorded call, made again. */
#ifndef WT_REPLAYER_VERIFY_DRIVE_H
#define WT_REPLAYER_VERIFY_DRIVE_H

#include "dbgapi/table/api.h"

/* An argument: which member counts follows from the parameter's shape. */
struct wt_argument {
	uint64_t number; /* value */
	void *pointer;	 /* opaque, and pointers to data */
	amd_dbgapi_status_t (*symbolizer)(amd_dbgapi_symbolizer_id_t, amd_dbgapi_global_address_t,
					  char **);
};

/* More parameters than any function has. */
#define WT_ARGUMENTS 16

/**
 * Call a function of the API. Generated.
 *
 * @status_ret: written if it returns a status.
 * @text_ret: written if it returns a string.
 */
void wt_drive_call(const struct wt_api *api, enum wt_function function,
		   const struct wt_argument *arguments, int64_t *status_ret, const char **text_ret);

#endif /* WT_REPLAYER_VERIFY_DRIVE_H */
