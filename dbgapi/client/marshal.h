/* SPDX-License-Identifier: MIT */
/*
 * Results of get_info queries as bytes, the same in a trace's journal and state, and back.
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
 * Append what a query answered to a buffer.
 *
 * @value: what the library wrote; of query->size bytes.
 * @length: of the memory it points to, for WT_RESULT_BYTES; else ignored.
 */
void wt_marshal_result(const struct wt_query *query, const void *value, size_t length,
		       struct wt_buffer *buffer);

/**
 * Answer a query from such bytes, with the checks and allocations of every get_info.
 *
 * Return: as wt_client_return() and its kin; FATAL if @data cannot be a result of the query.
 */
amd_dbgapi_status_t wt_unmarshal_result(const struct wt_client *client,
					const struct wt_query *query, const void *data, size_t size,
					size_t value_size, void *value);

/** Free what a result points to, for callers that asked with malloc() as their allocator. */
void wt_marshal_release(const struct wt_query *query, void *value);

/**
 * What classify_instruction's information holds, by kind: registers first or a target address, each 8
 * bytes. Return its size in bytes; 0 for kinds that have none.
 */
size_t wt_marshal_information_size(uint32_t instruction_kind);

#endif /* WT_DBGAPI_CLIENT_MARSHAL_H */
