/* SPDX-License-Identifier: MIT */
/*
 * Every provider does this for its client in the same way: keep the callbacks, allocate memory that the client will
 * own, return values, log. Outputs are written on success only, and then completely.
 *
 * The room `client` also has the results of queries as bytes (marshal.h). It must not know processes, devices or
 * traces.
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
 * Check and keep the client's callbacks.
 *
 * Return: ALREADY_INITIALIZED, which is checked first; INVALID_ARGUMENT if @callbacks or one of them is
 * NULL.
 */
amd_dbgapi_status_t wt_client_initialize(struct wt_client *client,
					 const amd_dbgapi_callbacks_t *callbacks);

/** Forget the callbacks; NOT_INITIALIZED if there are none. Keeps the log level. */
amd_dbgapi_status_t wt_client_finalize(struct wt_client *client);

/**
 * Allocate memory that the client will own. The client is called for 0 bytes, too, and may return NULL
 * for them.
 *
 * Return: CLIENT_CALLBACK if the client returned NULL for more than 0 bytes.
 */
amd_dbgapi_status_t wt_client_allocate(const struct wt_client *client, size_t size,
				       void **memory_ret);

/**
 * Return the result of a get_info query.
 *
 * Return: INVALID_ARGUMENT if @value is NULL, else INVALID_ARGUMENT_COMPATIBILITY if @value_size is not
 * @result_size.
 */
amd_dbgapi_status_t wt_client_return(const struct wt_client *client, size_t value_size, void *value,
				     const void *result, size_t result_size);

/** Returns the result of a query that gives a pointer: to a copy of @size bytes that the client will own. */
amd_dbgapi_status_t wt_client_return_memory(const struct wt_client *client, size_t value_size,
					    void *value, const void *data, size_t size);

/** Returns a string in the same way, which is copied with its NUL. */
amd_dbgapi_status_t wt_client_return_string(const struct wt_client *client, size_t value_size,
					    void *value, const char *text);

/** Returns an amd_dbgapi_watchpoint_list_t of @count handles in the same way. */
amd_dbgapi_status_t wt_client_return_handles(const struct wt_client *client, size_t value_size,
					     void *value, const uint64_t *handles, size_t count);

/**
 * Return the outputs of a list function: an array of @count handles that the client will own, which may have no bytes.
 *
 * @handles: NULL: no array is given, as to a client that has the list already.
 * @array_ret: the client's pointer to the array's pointer. Its elements are handles of any kind.
 */
amd_dbgapi_status_t wt_client_return_list(const struct wt_client *client, const uint64_t *handles,
					  size_t count, size_t *count_ret, void *array_ret);

/** Send a message to the client if its log level includes @level. */
__attribute__((format(printf, 3, 4))) void wt_client_log(const struct wt_client *client,
							 amd_dbgapi_log_level_t level,
							 const char *format, ...);

/** Logs an error, which the caller still owns. */
void wt_client_log_error(const struct wt_client *client, amd_dbgapi_log_level_t level,
			 const struct wt_error *error);

/** The text that get_status_string gives; NULL for an unknown status. */
const char *wt_status_text(amd_dbgapi_status_t status);

#endif /* WT_DBGAPI_CLIENT_CLIENT_H */
