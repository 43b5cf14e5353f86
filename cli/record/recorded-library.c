/* SPDX-License-Identifier: MIT */
#include "cli/record/recorded-library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/libraries.h"
#include "cli/preload.h"
#include "replayer/code/needed.h"

struct wt_error *wt_record_set_path(const char *variable, const char *path)
{
	wt_cleanup_free char *absolute = realpath(path, NULL);

	if (!absolute)
		return wt_error_errno(errno, "cannot find the file", path);
	return setenv(variable, absolute, 1) ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_record_library_take(const char *path)
{
	struct wt_error *error = wt_record_set_path("WAVETAPE_DBGAPI", path);

	if (error || wt_needed_find(path, WT_CLI_SONAME).program)
		return error;
	return wt_error_create(WT_ERROR_USAGE, "cannot record the library", path,
			       "it is not a shared library: name the file " WT_CLI_SONAME
			       " itself");
}

struct wt_error *wt_record_library_take_simulated(void)
{
	wt_cleanup_free char *simulated = NULL;
	struct wt_error *error = wt_cli_library(WT_LIBRARY_SIMULATED, &simulated);

	return error ? error : wt_record_set_path("WAVETAPE_DBGAPI", simulated);
}

/** A library of the name in a folder of a path with colons; NULL if there is none. */
static char *library_find_in_path(const char *path)
{
	wt_cleanup_free char *folders = path ? strdup(path) : NULL;
	char *rest = folders, *folder, *found = NULL;

	while (!found && rest && (folder = strsep(&rest, ":")))
		if (*folder && asprintf(&found, "%s/" WT_CLI_SONAME, folder) < 0)
			found = NULL;
		else if (found && access(found, R_OK)) {
			free(found);
			found = NULL;
		}
	return found;
}

char *wt_record_library_linked(char *const *client)
{
	wt_cleanup_free char *program = client ? wt_cli_find_program(client[0]) : NULL;

	return program ? wt_cli_linked_library(program) : NULL;
}

char *wt_record_library_of_client(char *const *client)
{
	const char *named = getenv("WAVETAPE_DBGAPI");
	char *found;

	if (named && *named)
		return strdup(named);
	found = wt_record_library_linked(client);
	if (!found)
		found = library_find_in_path(getenv("LD_LIBRARY_PATH"));
	if (!found)
		found = library_find_in_path("/opt/rocm/lib:/opt/rocm/core/lib");
	return found;
}
