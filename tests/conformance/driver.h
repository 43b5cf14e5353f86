/* SPDX-License-Identifier: MIT */
/*
 * The suite over a kernel driver: what it attaches to are programs of the HSA runtime (program.c), which are started and traced
 * here, as a debugger does.
 *
 * The suite is written for programs that move only while it asks for events. These move by themselves, so between two questions
 * for events all their queues are suspended: calls of the API that would let them go on, and those that wait for them, have
 * functions of this file in front.
 */
#ifndef TESTS_CONFORMANCE_DRIVER_H
#define TESTS_CONFORMANCE_DRIVER_H

#include <amd-dbgapi/amd-dbgapi.h>

/** Put these functions in front of suite.api. @program: the path of the program that runs workloads. */
void driver_begin(const char *program);
/** What the programs that are attached to from now on run. Copied. */
void driver_choose(const char *workload);

/* The client's side, by the process that it has given. */
amd_dbgapi_status_t driver_process_id(amd_dbgapi_client_process_id_t client,
				      amd_dbgapi_os_process_id_t *id_ret);
amd_dbgapi_status_t driver_insert(amd_dbgapi_client_process_id_t client,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t breakpoint);
amd_dbgapi_status_t driver_remove(amd_dbgapi_client_process_id_t client,
				  amd_dbgapi_breakpoint_id_t breakpoint);
amd_dbgapi_status_t driver_transfer(amd_dbgapi_client_process_id_t client,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read_buffer, const void *write_buffer);

#endif /* TESTS_CONFORMANCE_DRIVER_H */
