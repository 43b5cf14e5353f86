/* SPDX-License-Identifier: MIT */
/* The library's life as GDB leads it: start, attach, notifier, detach, reset; and its callbacks. */
#include "gdb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gdb_process gdb = {.notifier = -1, .runtime = AMD_DBGAPI_RUNTIME_STATE_UNLOADED};
bool gdb_quiet_log;

/* Its address is the inferior, to the library. */
static char inferior;

amd_dbgapi_client_process_id_t gdb_inferior(void)
{
	return (amd_dbgapi_client_process_id_t)(void *)&inferior;
}

void gdb_assert_failed(const char *file, int line, const char *condition)
{
	const char *name = strrchr(file, '/');

	printf("internal-error: %s:%d: assertion failed: %s\n", name ? name + 1 : file, line,
	       condition);
	fflush(stdout);
	_exit(3);
}

void *gdb_allocate(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	gdb_assert(memory != NULL);
	return memory;
}

uint64_t gdb_hash(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

const char *gdb_status(amd_dbgapi_status_t status)
{
	const char *text = NULL;

	gdb_assert(amd_dbgapi_get_status_string(status, &text) == AMD_DBGAPI_STATUS_SUCCESS);
	gdb_assert(text != NULL && *text);
	return text;
}

void gdb_check(const char *what, amd_dbgapi_status_t status)
{
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		return;
	printf("error: %s failed (%s)\n", what, gdb_status(status));
	fflush(stdout);
	_exit(1);
}

void gdb_warn(const char *what, amd_dbgapi_status_t status)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		printf("warning: %s failed (%s)\n", what, gdb_status(status));
}

/* ---- Callbacks ---- */

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	gdb_assert(client == gdb_inferior());
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(gdb.pid))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	memcpy(value, &gdb.pid, sizeof(gdb.pid));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static size_t callback_breakpoint(uint64_t handle)
{
	size_t i = 0;

	while (i < gdb.callback_breakpoint_count && gdb.callback_breakpoints[i] != handle)
		i++;
	return i;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)address;
	gdb_assert(client == gdb_inferior());
	if (callback_breakpoint(breakpoint.handle) < gdb.callback_breakpoint_count)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	gdb_assert(gdb.callback_breakpoint_count < 8);
	gdb.callback_breakpoints[gdb.callback_breakpoint_count++] = breakpoint.handle;
	printf("the library inserts a breakpoint\n");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	size_t i = callback_breakpoint(breakpoint.handle);

	gdb_assert(client == gdb_inferior());
	if (i == gdb.callback_breakpoint_count)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	gdb.callback_breakpoints[i] = gdb.callback_breakpoints[--gdb.callback_breakpoint_count];
	printf("the library removes a breakpoint\n");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* There is no program on the host whose memory could be read. */
static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t client,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)address;
	gdb_assert(client == gdb_inferior());
	if ((read_buffer != NULL) == (write_buffer != NULL))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	*size = 0;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	if (!gdb_quiet_log)
		printf("log %d: %s\n", (int)level, message);
}

/* ---- Start and end ---- */

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = client_process_get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.xfer_global_memory = xfer_global_memory,
	.log_message = log_message,
};

/* Each code of the header has its words, and nothing else has. */
static void check_status_strings(void)
{
	size_t known = 0;
	const char *text;

	for (int code = -128; code < 16; code++)
		if (amd_dbgapi_get_status_string((amd_dbgapi_status_t)code, &text) ==
		    AMD_DBGAPI_STATUS_SUCCESS)
			known++;
	for (int code = AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	     code <= AMD_DBGAPI_STATUS_SUCCESS; code++)
		gdb_status((amd_dbgapi_status_t)code);
	printf("status strings: %zu\n", known);
}

void gdb_library_start(void)
{
	uint32_t major, minor, patch;

	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("version %u.%u.%u\n", major, minor, patch);
	gdb_assert(major == AMD_DBGAPI_VERSION_MAJOR && minor >= AMD_DBGAPI_VERSION_MINOR);
	gdb_check("initialize", amd_dbgapi_initialize(&callbacks));
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	check_status_strings();
	gdb_arch_probe_all();
}

/* With no process left, GDB uninitializes the library and initializes it again at once. */
void gdb_library_reset(void)
{
	gdb_check("finalize", amd_dbgapi_finalize());
	gdb_check("initialize again", amd_dbgapi_initialize(&callbacks));
	free(gdb.met);
	gdb.met = NULL;
	gdb.met_count = 0;
}

/* ---- Attach ---- */

static void set_precision(void)
{
	amd_dbgapi_status_t status = amd_dbgapi_set_memory_precision(
		gdb.id, gdb.precise ? AMD_DBGAPI_MEMORY_PRECISION_PRECISE
				    : AMD_DBGAPI_MEMORY_PRECISION_NONE);

	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED)
		printf("warning: precise memory could not be set\n");
	else
		gdb_check("set_memory_precision", status);
}

bool gdb_attach(void)
{
	amd_dbgapi_status_t status;

	gdb_assert(!gdb.id.handle);
	gdb.pid = getpid();
	gdb.forward = true;
	status = amd_dbgapi_process_attach(gdb_inferior(), &gdb.id);
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		gdb_warn("process_attach", status);
		gdb.id = AMD_DBGAPI_PROCESS_NONE;
		return false;
	}
	gdb_check("notifier", amd_dbgapi_process_get_info(gdb.id, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
							  sizeof(gdb.notifier), &gdb.notifier));
	set_precision();
	gdb_notifier_handler();
	gdb_code_objects_update();
	return true;
}

/* Before the runtime is known to be loaded only an event that says so may come. */
static void first_event(void)
{
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_runtime_state_t state;

	gdb_check("next_pending_event",
		  amd_dbgapi_process_next_pending_event(gdb.id, &event, &kind));
	if (!event.handle) {
		gdb_assert(kind == AMD_DBGAPI_EVENT_KIND_NONE);
		return;
	}
	gdb_assert(kind == AMD_DBGAPI_EVENT_KIND_RUNTIME);
	gdb_check("runtime state",
		  amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
					    sizeof(state), &state));
	printf("runtime state %d\n", (int)state);
	if (state == AMD_DBGAPI_RUNTIME_STATE_UNLOADED)
		gdb_assert(gdb.runtime == AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION);
	else
		gdb_assert(gdb.runtime == AMD_DBGAPI_RUNTIME_STATE_UNLOADED);
	gdb.runtime = state;
	gdb.pushed = state == AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
	gdb_warn("event_processed", amd_dbgapi_event_processed(event));
}

void gdb_notifier_handler(void)
{
	ssize_t got;
	char byte;

	do {
		got = read(gdb.notifier, &byte, 1);
	} while (got >= 0 || errno == EINTR);
	if (!gdb.pushed)
		first_event();
}

void gdb_detach(void)
{
	if (!gdb.id.handle)
		return;
	gdb.runtime = AMD_DBGAPI_RUNTIME_STATE_UNLOADED;
	gdb_warn("process_detach", amd_dbgapi_process_detach(gdb.id));
	gdb_assert(gdb.notifier != -1);
	for (size_t i = 0; i < gdb.object_count; i++)
		free(gdb.objects[i].uri);
	free(gdb.objects);
	free(gdb.waves);
	free(gdb.events);
	gdb.objects = NULL;
	gdb.waves = NULL;
	gdb.events = NULL;
	gdb.object_count = gdb.wave_count = gdb.event_count = gdb.callback_breakpoint_count = 0;
	gdb.id = AMD_DBGAPI_PROCESS_NONE;
	gdb.notifier = -1;
	gdb.pushed = false;
	gdb.current = 0;
	for (size_t i = 0; i < gdb.breakpoint_count; i++)
		gdb.breakpoints[i].address = 0, gdb.breakpoints[i].inserted = false;
	gdb_library_reset();
}
