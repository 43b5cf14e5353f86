/* SPDX-License-Identifier: MIT */
/*
 * Convert results of get_info queries to bytes and back:
 *
 *   fixed       the value itself, little endian
 *   string      the characters, without the NUL
 *   bytes       the bytes
 *   handles     the handles, 8 bytes each
 *   core_state  4 bytes of endianness, then the data
 */
#ifndef WT_DBGAPI_CLIENT_MARSHAL_H
#define WT_DBGAPI_CLIENT_MARSHAL_H

#include "base/buffer.h"
#include "dbgapi/table/api.h"
#include "dbgapi/client/client.h"

/**
 * Append the result of a query to a buffer.
 *
 * @value: the query->size bytes that the library wrote.
 * @length: for WT_RESULT_BYTES, the size in bytes of the memory that it points to.
 */
void wt_marshal_result(const struct wt_query *query, const void *value, size_t length,
		       struct wt_buffer *buffer);

/**
 * Return a result from these bytes, as the functions wt_client_return*() do.
 *
 * Return: also FATAL if @data cannot be a result of the query.
 */
amd_dbgapi_status_t wt_unmarshal_result(const struct wt_client *client,
					const struct wt_query *query, const void *data, size_t size,
					size_t value_size, void *value);

/**
 * Write the result of a query for the core state, also the gap behind its first field: a client sees these bytes.
 *
 * @value: room for an amd_dbgapi_core_state_data_t, at any address. @data: @size bytes that the client owns from then on.
 */
void wt_marshal_core_state(void *value, uint32_t endianness, const void *data, size_t size);

/** Free the memory that a result points to, which must come from malloc(). */
void wt_marshal_release(const struct wt_query *query, void *value);

/**
 * The size in bytes of the information that classify_instruction gives for a kind: handles of registers
 * or an address, 8 bytes each; 0 for kinds without information.
 */
size_t wt_marshal_information_size(uint32_t instruction_kind);

#endif /* WT_DBGAPI_CLIENT_MARSHAL_H */
