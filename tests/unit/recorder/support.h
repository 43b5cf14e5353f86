/* SPDX-License-Identifier: MIT */
/* A recording library of its own for each test: a copy, since a library reads its environment once. */
#ifndef WT_TEST_RECORDER_SUPPORT_H
#define WT_TEST_RECORDER_SUPPORT_H

#include "tests/unit/with-cmocka.h"

#include "base/error.h"
#include "dbgapi/table/api.h"
#include "trace-format/reader/reader.h"

/* A directory for the files of this program, removed at exit. */
const char *support_directory(void);
/** A path in it, valid until the next but seven. */
const char *support_path(const char *name);

/** Print and fail if there is an error. */
void support_must(struct wt_error *error);

struct support_library {
	char *path;
	struct wt_api api;
};

/**
 * Load a fresh copy of the recording library with an environment: NULL leaves a variable unset.
 */
struct support_library support_load(const char *dbgapi, const char *trace, const char *options);
/** Unload it, which ends its trace. */
void support_unload(struct support_library *library);
/** Leave it loaded until the process ends: what it points to stays in reach. */
void support_keep(struct support_library *library);

/** Copy a file, with its mode. */
void support_copy(const char *from, const char *to);

/*
 * Callbacks of a client that has nothing to say: its process is number 4242, breakpoints are set in nothing, memory cannot be
 * read, and messages are dropped.
 */
amd_dbgapi_status_t support_client_process_get_info(amd_dbgapi_client_process_id_t process,
						    amd_dbgapi_client_process_info_t query,
						    size_t value_size, void *value);
amd_dbgapi_status_t support_insert_breakpoint(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_breakpoint_id_t breakpoint);
amd_dbgapi_status_t support_remove_breakpoint(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_breakpoint_id_t breakpoint);
amd_dbgapi_status_t support_xfer_global_memory(amd_dbgapi_client_process_id_t process,
					       amd_dbgapi_global_address_t address,
					       amd_dbgapi_size_t *size, void *read_buffer,
					       const void *write_buffer);
void support_log_message(amd_dbgapi_log_level_t level, const char *message);

/** All of these, with the memory of malloc(). */
extern amd_dbgapi_callbacks_t support_callbacks;

#endif /* WT_TEST_RECORDER_SUPPORT_H */
