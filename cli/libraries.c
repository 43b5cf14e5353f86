/* SPDX-License-Identifier: MIT */
/* Where our libraries are, and running a client over one of them. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/command.h"

#define LIBRARY_NAME "librocm-dbgapi.so.0"

static const struct {
	const char *built;     /* from the build directory */
	const char *installed; /* from <libdir>/wavetape */
} places[] = {
	[WT_LIBRARY_SIMULATED] = {"dbgapi", "simulated"},
	[WT_LIBRARY_RECORD] = {"recorder", "record"},
	[WT_LIBRARY_REPLAY] = {"replayer", "replay"},
};

/** The directory of the running command: <build>/cli or <prefix>/bin. */
static struct wt_error *own_directory(char *buffer, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
	char *slash;

	if (length < 0)
		return wt_error_errno(errno, "cannot find wavetape's own place", "/proc/self/exe");
	buffer[length] = '\0';
	slash = strrchr(buffer, '/');
	if (slash)
		*slash = '\0';
	return NULL;
}

struct wt_error *wt_cli_library(enum wt_cli_library library, char **path_ret)
{
	char directory[PATH_MAX];
	struct wt_error *error = own_directory(directory, sizeof(directory));
	char *path;

	if (error)
		return error;
	if (asprintf(&path, "%s/../%s/" LIBRARY_NAME, directory, places[library].built) < 0)
		return &wt_error_no_memory;
	if (access(path, R_OK)) {
		free(path);
		if (asprintf(&path, WT_LIBDIR "/wavetape/%s/" LIBRARY_NAME,
			     places[library].installed) < 0)
			return &wt_error_no_memory;
	}
	if (access(path, R_OK)) {
		error = wt_error_errno(errno, "cannot find wavetape's library", path);
		free(path);
		return error;
	}
	*path_ret = realpath(path, NULL);
	free(path);
	return *path_ret ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_cli_library_path(const char *library)
{
	const char *old = getenv("LD_LIBRARY_PATH");
	const char *slash = strrchr(library, '/');
	wt_cleanup_free char *path = NULL;

	if (asprintf(&path, "%.*s%s%s", slash ? (int)(slash - library) : 1, slash ? library : ".",
		     old && *old ? ":" : "", old && *old ? old : "") < 0) {
		path = NULL;
		return &wt_error_no_memory;
	}
	return setenv("LD_LIBRARY_PATH", path, 1) ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_cli_run_client(char *const argv[], int *status_ret)
{
	static const char what[] = "cannot run the client";
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child < 0)
		return wt_error_errno(errno, what, argv[0]);
	if (!child) {
		execvp(argv[0], argv);
		fprintf(stderr, "wavetape: %s: %s: %s\n", what, argv[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return wt_error_errno(errno, what, argv[0]);
	*status_ret = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return NULL;
}
