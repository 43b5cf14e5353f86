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

/** As xfer_global_memory. */
amd_dbgapi_status_t core_file_read(amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				   void *data);

#endif /* TESTS_CONFORMANCE_CORE_FILE_H */
