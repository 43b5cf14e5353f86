/* SPDX-License-Identifier: MIT */
/* Calls of the API whose function and arguments are data. */
#ifndef WT_DBGAPI_TABLE_INVOKE_H
#define WT_DBGAPI_TABLE_INVOKE_H

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
void wt_invoke(const struct wt_api *api, enum wt_function function,
	       const struct wt_argument *arguments, int64_t *status_ret, const char **text_ret);

#endif /* WT_DBGAPI_TABLE_INVOKE_H */
