/* SPDX-License-Identifier: MIT */
/*
 * Usage: conformance [--replay | --core FILE | --driver PROGRAM] [--workloads FOLDER] [--variant SUFFIX] [--level N] LIBRARY
 *
 * With --level it is a client of that level, 0.N, and asks for no newer symbols. With --driver it debugs programs that run the
 * workloads (program.c). Of a workload with variants, the one of --variant is taken.
 *
 * Exit code: 0 if every check holds, 1 if one does not, 2 for wrong usage.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "core-file.h"
#include "driver.h"
#include "suite.h"

static void *allocate_memory(size_t size)
{
	suite.allocations++;
	return suite.out_of_memory ? NULL : malloc(size);
}

static void deallocate_memory(void *data)
{
	free(data);
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t process,
						   amd_dbgapi_client_process_info_t query,
						   size_t size, void *value)
{
	amd_dbgapi_os_process_id_t id = 4242;

	if (suite.over == OVER_CORE && query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return core_file_state(size, value);
	if (suite.over == OVER_CORE || query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		return ERROR(NOT_AVAILABLE);
	if (size != sizeof(id))
		return ERROR(INVALID_ARGUMENT_COMPATIBILITY);
	if (suite.over == OVER_DRIVER && driver_process_id(process, &id) != SUCCESS)
		return ERROR(NOT_AVAILABLE);
	memcpy(value, &id, sizeof(id));
	return SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	suite.insertions++;
	suite.breakpoint = breakpoint.handle;
	if (suite.no_breakpoint)
		return AMD_DBGAPI_STATUS_ERROR;
	return suite.over == OVER_DRIVER ? driver_insert(process, address, breakpoint) : SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	suite.removals += breakpoint.handle == suite.breakpoint;
	return suite.over == OVER_DRIVER ? driver_remove(process, breakpoint) : SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	if (suite.over == OVER_DRIVER)
		return driver_transfer(process, address, size, read_buffer, write_buffer);
	if (suite.over == OVER_CORE && read_buffer && !write_buffer)
		return core_file_read(address, size, read_buffer);
	*size = 0;
	return ERROR(MEMORY_ACCESS);
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	fprintf(stderr, "log %d: %s\n", (int)level, message);
}

static void run(void)
{
	section_uninitialized();
	section_initialize();
	if (suite.over == OVER_CORE) {
		section_core();
		return;
	}
	section_objects();
	section_lists();
	section_events();
	section_waves();
	section_steps();
	section_stop_requests();
	section_hasty();
	section_breakpoints();
	section_arithmetic();
	section_reasons();
	section_exceptions();
	section_code_objects();
	section_loading();
	section_watchpoints();
	section_displaced();
	section_registers();
	section_memory();
	section_creation();
	section_freeze();
	section_queues();
	section_processes();
	section_ends();
}

static int usage(void)
{
	fprintf(stderr, "usage: conformance [--replay | --core FILE | --driver PROGRAM] "
			"[--workloads FOLDER] [--variant SUFFIX] [--level N] LIBRARY\n");
	return 2;
}

static struct wt_error *open_all(const char *library, unsigned int level, const char *core)
{
	struct wt_error *error = NULL;

	suite.callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = allocate_memory,
		.deallocate_memory = deallocate_memory,
		.client_process_get_info = client_process_get_info,
		.insert_breakpoint = insert_breakpoint,
		.remove_breakpoint = remove_breakpoint,
		.xfer_global_memory = xfer_global_memory,
		.log_message = log_message,
	};
	if (core)
		error = core_file_open(core);
	return error ? error : wt_api_load_at(library, level, &suite.api);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"core", required_argument, NULL, 'c'},
		{"driver", required_argument, NULL, 'd'},
		{"level", required_argument, NULL, 'l'},
		{"replay", no_argument, NULL, 'r'},
		{"variant", required_argument, NULL, 'v'},
		{"workloads", required_argument, NULL, 'w'},
		{NULL, 0, NULL, 0},
	};
	wt_cleanup_error struct wt_error *error = NULL;
	unsigned int level = UINT_MAX;
	const char *core = NULL, *program = NULL;
	int option;

	suite.workloads = ".";
	suite.variant = "";
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'c')
			core = optarg;
		else if (option == 'd')
			program = optarg;
		else if (option == 'l')
			level = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'w')
			suite.workloads = optarg;
		else if (option == 'v')
			suite.variant = optarg;
		else if (option != 'r')
			return usage();
		suite.over = option == 'r' ? OVER_REPLAY
			     : core	   ? OVER_CORE
			     : program	   ? OVER_DRIVER
					   : suite.over;
	}
	if (optind + 1 != argc)
		return usage();
	error = open_all(argv[optind], level, core);
	if (error) {
		fprintf(stderr, "conformance: %s: %s: %s\n", error->what, error->where, error->why);
		return 2;
	}
	if (program)
		driver_begin(program);
	find_lists();
	run();
	core_file_close();
	printf("%u ok, %u not ok, %u skipped\n", suite.passed, suite.failed, suite.skipped);
	return suite.failed ? 1 : 0;
}
