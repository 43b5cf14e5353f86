/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/end-to-end/blind-callbacks.h"

amd_dbgapi_callbacks_t session_callbacks;
char session_log[4096];
unsigned session_allocations;

void session_must(struct wt_error *error)
{
	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
}

static char directory[64];

static void remove_directory(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		fprintf(stderr, "cannot remove %s\n", directory);
}

const char *session_path(const char *name)
{
	static char paths[16][128];
	static unsigned used;
	char *path = paths[used++ % 16];

	if (!directory[0]) {
		const char *base = getenv("TMPDIR");

		snprintf(directory, sizeof(directory), "%.40s/wavetape-XXXXXX",
			 base ? base : "/tmp");
		if (!mkdtemp(directory))
			fail_msg("no directory for files");
		atexit(remove_directory);
	}
	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

static void *test_allocate(size_t size)
{
	session_allocations++;
	return malloc(size ? size : 1);
}

static void test_deallocate(void *memory)
{
	free(memory);
}

static amd_dbgapi_status_t test_process_info(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_client_process_info_t query, size_t size,
					     void *value)
{
	amd_dbgapi_os_process_id_t id = 4711;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void test_log(amd_dbgapi_log_level_t level, const char *message)
{
	size_t used = strlen(session_log);

	snprintf(session_log + used, sizeof(session_log) - used, "%d %s\n", (int)level, message);
}

const struct wt_api *session_api(const char *path)
{
	static struct wt_api api;
	static bool loaded;

	session_callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = test_allocate,
		.deallocate_memory = test_deallocate,
		.client_process_get_info = test_process_info,
		.insert_breakpoint = blind_insert_breakpoint,
		.remove_breakpoint = blind_remove_breakpoint,
		.xfer_global_memory = blind_xfer_global_memory,
		.log_message = test_log,
	};
	if (path)
		setenv("WAVETAPE_TRACE", path, 1);
	else
		unsetenv("WAVETAPE_TRACE");
	if (!loaded)
		session_must(wt_api_load(getenv("WT_REPLAY_LIBRARY"), &api));
	loaded = true;
	session_log[0] = '\0';
	return &api;
}

const struct wt_api *session_begin(const char *path, amd_dbgapi_process_id_t *process_ret)
{
	const struct wt_api *api = session_api(path);

	assert_int_equal(api->initialize(&session_callbacks), AMD_DBGAPI_STATUS_SUCCESS);
	assert_int_equal(
		api->process_attach((amd_dbgapi_client_process_id_t)&session_log, process_ret),
		AMD_DBGAPI_STATUS_SUCCESS);
	assert_int_equal(process_ret->handle, SESSION_PROCESS);
	return api;
}

void session_end(const struct wt_api *api)
{
	assert_int_equal(api->finalize(), AMD_DBGAPI_STATUS_SUCCESS);
}

uint64_t session_pump(const struct wt_api *api, amd_dbgapi_event_kind_t expected)
{
	amd_dbgapi_event_id_t event = {99};
	amd_dbgapi_event_kind_t kind = (amd_dbgapi_event_kind_t)99;

	assert_int_equal(api->process_next_pending_event(AMD_DBGAPI_PROCESS_NONE, &event, &kind),
			 AMD_DBGAPI_STATUS_SUCCESS);
	assert_int_equal(kind, expected);
	assert_int_equal(event.handle != 0, expected != AMD_DBGAPI_EVENT_KIND_NONE);
	return event.handle;
}

uint64_t session_register(const char *name)
{
	struct gfx_register reg;

	assert_true(gfx_register_by_name(SESSION_ARCHITECTURE, name, &reg));
	return reg.id;
}

uint64_t session_space(enum gfx_space space)
{
	return gfx_address_space_of(SESSION_ARCHITECTURE, space)->id;
}
