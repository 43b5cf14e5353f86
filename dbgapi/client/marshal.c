/* SPDX-License-Identifier: MIT */
#include "dbgapi/client/marshal.h"

#include <stdlib.h>
#include <string.h>

void wt_marshal_result(const struct wt_query *query, const void *value, size_t length,
		       struct wt_buffer *buffer)
{
	amd_dbgapi_core_state_data_t core;
	amd_dbgapi_watchpoint_list_t list;
	const char *pointer;

	switch (query->result) {
	case WT_RESULT_FIXED:
		wt_buffer_append(buffer, value, query->size);
		return;
	case WT_RESULT_STRING:
		memcpy(&pointer, value, sizeof(pointer));
		wt_buffer_append(buffer, pointer, pointer ? strlen(pointer) : 0);
		return;
	case WT_RESULT_BYTES:
		memcpy(&pointer, value, sizeof(pointer));
		wt_buffer_append(buffer, pointer, pointer ? length : 0);
		return;
	case WT_RESULT_HANDLES:
		memcpy(&list, value, sizeof(list));
		wt_buffer_append(buffer, list.watchpoint_ids,
				 list.count * sizeof(*list.watchpoint_ids));
		return;
	case WT_RESULT_CORE_STATE:
		memcpy(&core, value, sizeof(core));
		wt_buffer_append_u32(buffer, (uint32_t)core.endianness);
		wt_buffer_append(buffer, core.data, core.size);
		return;
	}
}

void wt_marshal_core_state(void *value, uint32_t endianness, const void *data, size_t size)
{
	amd_dbgapi_core_state_data_t core;

	memset(&core, 0, sizeof(core));
	core.endianness = (amd_dbgapi_endianness_t)endianness;
	core.size = size;
	core.data = data;
	memcpy(value, &core, sizeof(core));
}

static amd_dbgapi_status_t return_core_state(const struct wt_client *client, const uint8_t *data,
					     size_t size, size_t value_size, void *value)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);
	amd_dbgapi_status_t status;
	uint32_t endianness;
	void *memory;

	if (!wt_cursor_u32(&cursor, &endianness))
		return AMD_DBGAPI_STATUS_FATAL;
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(amd_dbgapi_core_state_data_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	status = wt_client_allocate(client, cursor.remaining, &memory);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (cursor.remaining)
		memcpy(memory, cursor.data, cursor.remaining);
	wt_marshal_core_state(value, endianness, memory, cursor.remaining);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t return_text(const struct wt_client *client, const void *data,
				       size_t size, size_t value_size, void *value)
{
	char *text = strndup(size ? data : "", size);
	amd_dbgapi_status_t status;

	if (!text)
		return AMD_DBGAPI_STATUS_FATAL;
	status = wt_client_return_string(client, value_size, value, text);
	free(text);
	return status;
}

amd_dbgapi_status_t wt_unmarshal_result(const struct wt_client *client,
					const struct wt_query *query, const void *data, size_t size,
					size_t value_size, void *value)
{
	switch (query->result) {
	case WT_RESULT_FIXED:
		if (size != query->size)
			return AMD_DBGAPI_STATUS_FATAL;
		return wt_client_return(client, value_size, value, data, size);
	case WT_RESULT_STRING:
		return return_text(client, data, size, value_size, value);
	case WT_RESULT_BYTES:
		return wt_client_return_memory(client, value_size, value, data, size);
	case WT_RESULT_HANDLES:
		if (size % sizeof(uint64_t))
			return AMD_DBGAPI_STATUS_FATAL;
		return wt_client_return_handles(client, value_size, value, data,
						size / sizeof(uint64_t));
	case WT_RESULT_CORE_STATE:
		return return_core_state(client, data, size, value_size, value);
	}
	return AMD_DBGAPI_STATUS_FATAL;
}

void wt_marshal_release(const struct wt_query *query, void *value)
{
	amd_dbgapi_core_state_data_t core;
	amd_dbgapi_watchpoint_list_t list;
	void *pointer;

	switch (query->result) {
	case WT_RESULT_FIXED:
		return;
	case WT_RESULT_STRING:
	case WT_RESULT_BYTES:
		memcpy(&pointer, value, sizeof(pointer));
		free(pointer);
		return;
	case WT_RESULT_HANDLES:
		memcpy(&list, value, sizeof(list));
		free(list.watchpoint_ids);
		return;
	case WT_RESULT_CORE_STATE:
		memcpy(&core, value, sizeof(core));
		free((void *)(uintptr_t)core.data);
		return;
	}
}

size_t wt_marshal_information_size(uint32_t instruction_kind)
{
	switch (instruction_kind) {
	case AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_BRANCH:
	case AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_BRANCH_CONDITIONAL:
	case AMD_DBGAPI_INSTRUCTION_KIND_TRAP:
		return sizeof(uint64_t);
	case AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_REGISTER_PAIR:
	case AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_CONDITIONAL_REGISTER_PAIR:
	case AMD_DBGAPI_INSTRUCTION_KIND_RELATIVE_BRANCH_REGISTER_PAIR:
		return 2 * sizeof(uint64_t);
	case AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR:
		return sizeof(amd_dbgapi_direct_call_register_pair_information_t);
	case AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_CALL_REGISTER_PAIRS:
		return 4 * sizeof(uint64_t);
	default:
		return 0;
	}
}
