/* SPDX-License-Identifier: MIT */
#include "cli/libraries.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/apart.h"
#include "base/cleanup.h"
#include "base/text.h"

#define REASON_MAX 1024 /* bytes of why a library cannot be loaded */
#define TRY_SECONDS 20	/* in which it is to be loaded: over a network that takes some */

/*
 * Our files: where the command finds them from the build directory, and where they are installed, as seen from the directory of the command:
 * an installation can be moved as a whole.
 */
struct part {
	const char *built, *installed;
	int mode;	  /* as for access() */
	const char *what; /* what an error calls it */
};

#define LIBRARY(built, installed)                                                                  \
	{                                                                                          \
		built "/" WT_CLI_SONAME, WT_LIBDIR "/wavetape/" installed "/" WT_CLI_SONAME, R_OK, \
			"cannot find wavetape's library"                                           \
	}

static const struct part libraries[] = {
	[WT_LIBRARY_SIMULATED] = LIBRARY("dbgapi", "simulated"),
	[WT_LIBRARY_RECORD] = LIBRARY("recorder", "record"),
	[WT_LIBRARY_REPLAY] = LIBRARY("replayer", "replay"),
};
static const struct part host = {
	"dbgapi/host/wavetape-host",
	WT_LIBEXECDIR "/wavetape/wavetape-host",
	X_OK,
	"cannot find wavetape's host program",
};
static const struct part gate = {
	"dbgapi/gate/" WT_CLI_SONAME,
	WT_LIBDIR "/wavetape/gate/" WT_CLI_SONAME,
	R_OK,
	"cannot find wavetape's library",
};
static const struct part device = {
	"driver/libwavetape-device.so",
	WT_LIBDIR "/wavetape/libwavetape-device.so",
	R_OK,
	"cannot find wavetape's driver",
};
static const struct part preloaded = {
	"recorder/libwavetape-record.so",
	WT_LIBDIR "/wavetape/libwavetape-record.so",
	R_OK,
	"cannot find wavetape's library",
};
static const struct part agent = {
	"tool/libwavetape-agent.so",
	WT_LIBDIR "/wavetape/libwavetape-agent.so",
	R_OK,
	"cannot find wavetape's agent",
};
static const struct part gdb_commands = {
	"cli/gdb/wavetape-gdb.py",
	WT_DATADIR "/wavetape/wavetape-gdb.py",
	R_OK,
	"cannot find wavetape's commands for GDB",
};
static const struct part try_program = {
	"cli/doctor/try/wavetape-try",
	WT_LIBEXECDIR "/wavetape/wavetape-try",
	X_OK,
	"cannot find wavetape's program to try GPUs",
};
static const struct part try_code = {
	"cli/doctor/try/code",
	WT_DATADIR "/wavetape/try",
	R_OK,
	"cannot find wavetape's code for GPUs",
};

struct wt_error *wt_cli_command(char **path_ret)
{
	/* The kernel still says by which name the command was started where /proc is not mounted. */
	const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	int errnum;

	*path_ret = realpath("/proc/self/exe", NULL);
	errnum = errno;
	if (!*path_ret && started)
		*path_ret = realpath(started, NULL);
	return *path_ret ? NULL
			 : wt_error_errno(errnum, "cannot find wavetape's own place",
					  "/proc/self/exe");
}

/* One of our files, its links resolved: in the build directory if the command runs there, else where it was installed. */
static struct wt_error *part_find(const struct part *part, char **path_ret)
{
	wt_cleanup_free char *command = NULL, *built = NULL, *installed = NULL;
	struct wt_error *error = wt_cli_command(&command);
	const char *path;
	int folder; /* the length of <build>/cli or <prefix>/bin */

	if (error)
		return error;
	folder = (int)(strrchr(command, '/') - command);
	built = wt_text("%.*s/../%s", folder, command, part->built);
	installed = *part->installed == '/' ? strdup(part->installed)
					    : wt_text("%.*s/%s", folder, command, part->installed);
	if (!built || !installed)
		return &wt_error_no_memory;
	path = access(built, part->mode) ? installed : built;
	*path_ret = realpath(path, NULL);
	return *path_ret ? NULL : wt_error_errno(errno, part->what, path);
}

struct wt_error *wt_cli_library(enum wt_cli_library library, char **path_ret)
{
	return part_find(&libraries[library], path_ret);
}

struct wt_error *wt_cli_host(char **path_ret)
{
	return part_find(&host, path_ret);
}

struct wt_error *wt_cli_device_library(char **path_ret)
{
	return part_find(&device, path_ret);
}

struct wt_error *wt_cli_preloaded_library(char **path_ret)
{
	return part_find(&preloaded, path_ret);
}

struct wt_error *wt_cli_gate_library(char **path_ret)
{
	return part_find(&gate, path_ret);
}

struct wt_error *wt_cli_agent_library(char **path_ret)
{
	return part_find(&agent, path_ret);
}

struct wt_error *wt_cli_try_program(char **path_ret)
{
	return part_find(&try_program, path_ret);
}

struct wt_error *wt_cli_try_code(char **path_ret)
{
	return part_find(&try_code, path_ret);
}

struct wt_error *wt_cli_gdb_commands(char **path_ret)
{
	return part_find(&gdb_commands, path_ret);
}

/* The name by which a library is preloaded: a blank and a colon would end it, but in that of an open file there is none. */
static char *library_name_to_preload(const char *library)
{
	int fd;

	if (!strpbrk(library, " :"))
		return strdup(library);
	/* The file stays open until this command ends, which is behind the end of what it starts. */
	fd = open(library, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? NULL : wt_text("/proc/%ld/fd/%d", (long)getpid(), fd);
}

struct wt_error *wt_cli_preload(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	wt_cleanup_free char *name = library_name_to_preload(library), *preload = NULL;

	if (!name)
		return wt_error_errno(errno, "cannot preload the library", library);
	preload = wt_text("%s%s%s", old ? old : "", old && *old ? ":" : "", name);
	return preload && !setenv("LD_PRELOAD", preload, 1) ? NULL : &wt_error_no_memory;
}

char *wt_cli_escape(const char *text, char escape, const char *special)
{
	char *escaped = malloc(2 * strlen(text) + 1), *at = escaped;

	for (; escaped && *text; *at++ = *text++)
		if (strchr(special, *text))
			*at++ = escape;
	if (escaped)
		*at = '\0';
	return escaped;
}

size_t wt_cli_tool_length(const char *tools)
{
	bool quoted = false;
	size_t at = 0;

	for (; tools[at] && (quoted || tools[at] != ' '); at++) {
		quoted ^= tools[at] == '"';
		at += tools[at] == '\\' && tools[at + 1];
	}
	return at;
}

struct wt_error *wt_cli_library_path(const char *library)
{
	const char *old = getenv("LD_LIBRARY_PATH");
	int folder = (int)(strrchr(library, '/') - library);
	wt_cleanup_free char *path = NULL;

	if (strpbrk(library, ":;"))
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot put the library in front",
				       library,
				       "LD_LIBRARY_PATH cannot name a folder with : or ; in it");
	path = wt_text("%.*s%s%s", folder, library, old && *old ? ":" : "", old ? old : "");
	return path && !setenv("LD_LIBRARY_PATH", path, 1) ? NULL : &wt_error_no_memory;
}

/** Keys that end a program are the client's: a debugger interrupts its program with them. */
static void signals_ignore_keys(struct sigaction before_ret[2])
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGINT, &ignore, &before_ret[0]);
	sigaction(SIGQUIT, &ignore, &before_ret[1]);
}

static void signals_restore_keys(const struct sigaction before[2])
{
	sigaction(SIGINT, &before[0], NULL);
	sigaction(SIGQUIT, &before[1], NULL);
}

static bool descriptor_read_all(int fd, void *data, size_t size)
{
	ssize_t got;

	do
		got = read(fd, data, size);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)size;
}

const char *wt_cli_temporary(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

struct wt_error *wt_cli_temporary_failed(int errnum, const char *cannot)
{
	const char *folder = wt_cli_temporary();
	wt_cleanup_free char *where = NULL;

	if (folder == getenv("TMPDIR"))
		where = wt_text("TMPDIR is %s", folder);
	else
		where = wt_text("%s, where TMPDIR names no other folder", folder);
	return where ? wt_error_errno(errnum, cannot, where) : &wt_error_no_memory;
}

struct wt_error *wt_cli_temporary_trace(const char *cannot, char **path_ret)
{
	char *path = wt_text("%s/wavetape-XXXXXX.wtape", wt_cli_temporary());
	int fd;

	if (!path)
		return &wt_error_no_memory;
	fd = mkstemps(path, (int)strlen(".wtape"));
	if (fd < 0) {
		int errnum = errno;

		free(path);
		return wt_cli_temporary_failed(errnum, cannot);
	}
	close(fd);
	*path_ret = path;
	return NULL;
}

/* Apart: all of the library's own code runs there. The answer is the reason, and empty if there is none. */
static void library_load(int socket)
{
	char path[PATH_MAX] = "";
	const char *reason;

	alarm(2 * TRY_SECONDS);
	if (recv(socket, path, sizeof(path) - 1, 0) <= 0)
		return;
	reason = dlopen(path, RTLD_NOW | RTLD_LOCAL) ? "" : dlerror();
	send(socket, reason, strnlen(reason, REASON_MAX) + 1, MSG_NOSIGNAL);
}

char *wt_cli_try_library(const char *path)
{
	const struct timeval most = {.tv_sec = TRY_SECONDS};
	char reason[REASON_MAX + 1] = "";
	wt_cleanup_close int socket = -1;
	ssize_t told;

	if (!wt_apart_begin(library_load, &socket))
		return NULL;
	if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)) ||
	    send(socket, path, strlen(path), MSG_NOSIGNAL) < 0)
		return NULL;
	do
		told = recv(socket, reason, REASON_MAX, 0);
	while (told < 0 && errno == EINTR);
	if (told > 0)
		return *reason ? strdup(reason) : NULL;
	return told ? wt_text("its own code had not ended after %d seconds", TRY_SECONDS)
		    : strdup("its own code ends who loads it");
}

const char *wt_cli_search_dbgapi(struct wt_search *search, const char *runtime)
{
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (named && *named) {
		wt_search_add(search, named, "WAVETAPE_DBGAPI");
		return named;
	}
	wt_search_add_known(search, NULL, runtime);
	return NULL;
}

char *wt_cli_find_program(const char *name)
{
	const char *path = getenv("PATH");
	char *found = NULL;

	if (strchr(name, '/'))
		return strdup(name);
	while (path && *path && !found) {
		size_t length = strcspn(path, ":");

		if (asprintf(&found, "%.*s/%s", (int)length, length ? path : ".", name) < 0)
			return NULL;
		if (access(found, X_OK)) {
			free(found);
			found = NULL;
		}
		path += length;
		path += *path == ':';
	}
	return found;
}

struct wt_error *wt_cli_run_client(char *const argv[], int *status_ret)
{
	static const char what[] = "cannot run the client";
	struct wt_error *error = NULL;
	struct sigaction keys[2];
	int status = 0, errnum, ends[2];
	pid_t child;

	fflush(NULL);
	/* Its end is closed when another program runs in the child; else it tells why none does. */
	if (pipe2(ends, O_CLOEXEC))
		return wt_error_errno(errno, what, argv[0]);
	signals_ignore_keys(keys);
	child = fork();
	if (!child) {
		signals_restore_keys(keys);
		execvp(argv[0], argv);
		errnum = errno;
		_exit(write(ends[1], &errnum, sizeof(errnum)) == sizeof(errnum) ? 127 : 126);
	}
	close(ends[1]);
	if (child < 0)
		error = wt_error_errno(errno, what, argv[0]);
	else if (descriptor_read_all(ends[0], &errnum, sizeof(errnum)))
		error = wt_error_errno(errnum, what, argv[0]);
	close(ends[0]);
	while (child >= 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR) {
			error = error ? error : wt_error_errno(errno, what, argv[0]);
			break;
		}
	signals_restore_keys(keys);
	if (error)
		return error;
	*status_ret = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return NULL;
}
