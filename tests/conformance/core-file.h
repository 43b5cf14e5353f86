/* SPDX-License-Identifier: MIT */
/* A core file of a GPU: what a client answers a library from that debugs one. */
#ifndef TESTS_CONFORMANCE_CORE_FILE_H
#define TESTS_CONFORMANCE_CORE_FILE_H

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/error.h"

/** Map the file and find its note. */
struct wt_error *core_file_open(const char *path);
void core_file_close(void);

/** The core state as client_process_get_info gives it. */
amd_dbgapi_status_t core_file_state(size_t size, void *value);

/** The note itself, for who has memory of its own for it; it is part of the mapped file. */
const void *core_file_note(size_t *size_ret);

/** As xfer_global_memory. What is written is there for this process alone. */
amd_dbgapi_status_t core_file_read(amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				   void *data);
amd_dbgapi_status_t core_file_write(amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    const void *data);

#endif /* TESTS_CONFORMANCE_CORE_FILE_H */
