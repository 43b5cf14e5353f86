/* SPDX-License-Identifier: MIT */
/*
 * What every provider does for its client in the same way: keep the callbacks, allocate what the client
 * will own, hand values over, log. Outputs are written on success only, whole or not at all.
 */
#ifndef WT_DBGAPI_CLIENT_CLIENT_H
#define WT_DBGAPI_CLIENT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/error.h"

struct wt_client {
	bool initialized;
	amd_dbgapi_callbacks_t callbacks;
	amd_dbgapi_log_level_t log_level; /* may be set before initialize and outlives finalize */
};

/**
 * Check and keep the client's callbacks: ALREADY_INITIALIZED before INVALID_ARGUMENT (NULL, or one of
 * the seven missing).
 */
amd_dbgapi_status_t wt_client_initialize(struct wt_client *client,
					 const amd_dbgapi_callbacks_t *callbacks);

/** Forget the callbacks; NOT_INITIALIZED if there are none. The log level stays. */
amd_dbgapi_status_t wt_client_finalize(struct wt_client *client);

/**
 * Memory that the client will own. Size 0 asks too, and may give NULL without being an error.
 * Return: CLIENT_CALLBACK if the client gave none.
 */
amd_dbgapi_status_t wt_client_allocate(const struct wt_client *client, size_t size,
				       void **memory_ret);

/**
 * The end of every get_info: NULL is INVALID_ARGUMENT, then a size other than the result's is
 * INVALID_ARGUMENT_COMPATIBILITY, then the result is copied.
 */
amd_dbgapi_status_t wt_client_return(const struct wt_client *client, size_t value_size, void *value,
				     const void *result, size_t result_size);

/** As above for a result that is a pointer to memory that the client will own: a copy of @size bytes. */
amd_dbgapi_status_t wt_client_return_memory(const struct wt_client *client, size_t value_size,
					    void *value, const void *data, size_t size);

/** As above for a string; the NUL is copied too. */
amd_dbgapi_status_t wt_client_return_string(const struct wt_client *client, size_t value_size,
					    void *value, const char *text);

/** As above for amd_dbgapi_watchpoint_list_t: @count handles. */
amd_dbgapi_status_t wt_client_return_handles(const struct wt_client *client, size_t value_size,
					     void *value, const uint64_t *handles, size_t count);

/**
 * A list function's outputs: an array of @count handles. The array pointer is NULL for an empty list.
 * @array: the client's pointer to an array pointer, whatever its element type (all are one uint64_t).
 */
amd_dbgapi_status_t wt_client_return_list(const struct wt_client *client, const uint64_t *handles,
					  size_t count, size_t *count_ret, void *array_ret);

/** Tell the client, if its log level asks for messages of @level. */
__attribute__((format(printf, 3, 4))) void wt_client_log(const struct wt_client *client,
							 amd_dbgapi_log_level_t level,
							 const char *format, ...);

/** As above, with all that @error says, which stays the caller's. */
void wt_client_log_error(const struct wt_client *client, amd_dbgapi_log_level_t level,
			 const struct wt_error *error);

/** The text of get_status_string; NULL for a number that is no status. */
const char *wt_status_text(amd_dbgapi_status_t status);

#endif /* WT_DBGAPI_CLIENT_CLIENT_H */
