/* SPDX-License-Identifier: MIT */
/* Callbacks of a client whose process is none of the system: it has no id, no memory, no program to stop. */
#ifndef WT_TESTS_BLIND_CALLBACKS_H
#define WT_TESTS_BLIND_CALLBACKS_H

#include <amd-dbgapi/amd-dbgapi.h>

#include <stddef.h>

static inline amd_dbgapi_status_t blind_process_get_info(amd_dbgapi_client_process_id_t client,
							 amd_dbgapi_client_process_info_t query,
							 size_t value_size, void *value)
{
	(void)client;
	(void)query;
	(void)value_size;
	(void)value;
	return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

static inline amd_dbgapi_status_t blind_insert_breakpoint(amd_dbgapi_client_process_id_t client,
							  amd_dbgapi_global_address_t address,
							  amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static inline amd_dbgapi_status_t blind_remove_breakpoint(amd_dbgapi_client_process_id_t client,
							  amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static inline amd_dbgapi_status_t
blind_xfer_global_memory(amd_dbgapi_client_process_id_t client, amd_dbgapi_global_address_t address,
			 amd_dbgapi_size_t *size, void *read_buffer, const void *write_buffer)
{
	(void)client;
	(void)address;
	(void)read_buffer;
	(void)write_buffer;
	*size = 0;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

#endif /* WT_TESTS_BLIND_CALLBACKS_H */
