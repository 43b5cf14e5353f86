/* SPDX-License-Identifier: MIT */
#include "tests/unit/recorder/support.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[256];
static pid_t owner;

static void remove_directory(void)
{
	char command[512];

	if (getpid() != owner)
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		perror(command);
}

const char *support_directory(void)
{
	const char *base = getenv("TMPDIR");

	if (directory[0])
		return directory;
	snprintf(directory, sizeof(directory), "%s/wavetape-recorder-XXXXXX", base ? base : "/tmp");
	if (!mkdtemp(directory)) {
		perror(directory);
		abort();
	}
	owner = getpid();
	atexit(remove_directory);
	return directory;
}

const char *support_path(const char *name)
{
	static char paths[8][512];
	static unsigned int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", support_directory(), name);
	return path;
}

void support_must(struct wt_error *error)
{
	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
}

void support_copy(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	struct stat status;

	assert_true(in >= 0 && out >= 0);
	assert_int_equal(fstat(in, &status), 0);
	for (off_t done = 0; done < status.st_size;)
		assert_true(sendfile(out, in, &done, (size_t)(status.st_size - done)) > 0);
	close(in);
	close(out);
}

static void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

struct support_library support_load(const char *dbgapi, const char *trace, const char *options)
{
	static unsigned int number;
	struct support_library library;
	char name[64];

	/* Children of one test load theirs side by side. */
	snprintf(name, sizeof(name), "copy-%d-%u.so", (int)getpid(), number++);
	library.path = strdup(support_path(name));
	support_copy(RECORDING_LIBRARY, library.path);
	set("WAVETAPE_DBGAPI", dbgapi);
	set("WAVETAPE_TRACE", trace);
	set("WAVETAPE_OPTIONS", options);
	support_must(wt_api_load(library.path, &library.api));
	return library;
}

void support_unload(struct support_library *library)
{
	/* However often wt_api_load() loaded it; each look takes one more reference. */
	void *handle = dlopen(library->path, RTLD_NOW | RTLD_NOLOAD);

	assert_non_null(handle);
	for (; handle; handle = dlopen(library->path, RTLD_NOW | RTLD_NOLOAD)) {
		dlclose(handle);
		dlclose(handle);
	}
	unlink(library->path);
	free(library->path);
}

void support_keep(struct support_library *library)
{
	unlink(library->path);
	free(library->path);
}

amd_dbgapi_status_t support_client_process_get_info(amd_dbgapi_client_process_id_t process,
						    amd_dbgapi_client_process_info_t query,
						    size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = 4242;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t support_insert_breakpoint(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t support_remove_breakpoint(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t support_xfer_global_memory(amd_dbgapi_client_process_id_t process,
					       amd_dbgapi_global_address_t address,
					       amd_dbgapi_size_t *size, void *read_buffer,
					       const void *write_buffer)
{
	(void)process;
	(void)address;
	(void)size;
	(void)read_buffer;
	(void)write_buffer;
	return AMD_DBGAPI_STATUS_ERROR;
}

void support_log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	(void)message;
}

amd_dbgapi_callbacks_t support_callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = support_client_process_get_info,
	.insert_breakpoint = support_insert_breakpoint,
	.remove_breakpoint = support_remove_breakpoint,
	.xfer_global_memory = support_xfer_global_memory,
	.log_message = support_log_message,
};
