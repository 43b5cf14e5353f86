/* SPDX-License-Identifier: MIT */
/*
 * Makes very many calls, while its clock says that hours go by: what a recorder has in memory and open must not grow with them.
 *
 * Usage: many-calls CALLS HOURS
 *
 * It attaches, makes a call for whose answer it has no memory, makes the calls, detaches, and prints for each of ten parts of them how many descriptors there are and how many KiB
 * of memory that is its own: a part of the recorder's file that it has mapped is not.
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/end-to-end/blind-callbacks.h"

#define PARTS 10u

static uint64_t calls, made, hours;
static bool has_no_memory;

/* Everybody's clock: besides the time that goes by the calls made take their share of the hours. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = (int)syscall(SYS_clock_gettime, clock, time);

	if (!result && calls)
		time->tv_sec += (time_t)(hours * 3600 * made / calls);
	return result;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	if (level <= AMD_DBGAPI_LOG_LEVEL_WARNING)
		printf("log %d: %s\n", (int)level, message);
}

static void *allocate(size_t size)
{
	return has_no_memory ? NULL : malloc(size);
}

/* Who replays it cannot make this call again: no answer of it was recorded. */
static amd_dbgapi_status_t make_refused_call(amd_dbgapi_process_id_t process)
{
	amd_dbgapi_agent_id_t *agents;
	amd_dbgapi_status_t status;
	size_t count;
	char *name;

	status = amd_dbgapi_process_agent_list(process, &count, &agents, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	has_no_memory = true;
	status = amd_dbgapi_agent_get_info(agents[0], AMD_DBGAPI_AGENT_INFO_NAME, sizeof(name),
					   &name);
	has_no_memory = false;
	free(agents);
	return status;
}

static unsigned int count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned int count = 0;

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

static unsigned long read_memory_use(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	unsigned long kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "RssAnon:", 8))
			kib = strtoul(line + 8, NULL, 10);
	if (file)
		fclose(file);
	return kib;
}

static amd_dbgapi_status_t make_calls(amd_dbgapi_process_id_t process, uint64_t count)
{
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_SUCCESS;
	amd_dbgapi_notifier_t notifier;

	for (uint64_t i = 0; i < count && status == AMD_DBGAPI_STATUS_SUCCESS; i++, made++)
		status = amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						     sizeof(notifier), &notifier);
	return status;
}

int main(int argc, char **argv)
{
	amd_dbgapi_callbacks_t callbacks = {allocate,
					    free,
					    blind_process_get_info,
					    blind_insert_breakpoint,
					    blind_remove_breakpoint,
					    blind_xfer_global_memory,
					    log_message};
	amd_dbgapi_process_id_t process;
	int failed = argc != 3;

	if (failed)
		return 2;
	calls = strtoull(argv[1], NULL, 10);
	hours = strtoull(argv[2], NULL, 10);
	if (amd_dbgapi_initialize(&callbacks) ||
	    amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)(void *)&process, &process) ||
	    make_refused_call(process) != AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK)
		return 1;
	for (unsigned int i = 0; i < PARTS && !failed; i++) {
		failed = make_calls(process, calls / PARTS);
		printf("%u %lu\n", count_descriptors(), read_memory_use());
	}
	if (amd_dbgapi_process_detach(process) || amd_dbgapi_finalize())
		return 1;
	return failed;
}
