/* SPDX-License-Identifier: MIT */
#include "cli/record/recorded-library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/launcher.h"
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

char *wt_record_library_linked(char *const *client)
{
	wt_cleanup_free char *program = wt_cli_find_program(client[0]);

	return program ? wt_cli_linked_library(program, WT_CLI_SONAME) : NULL;
}

static void search_add_client(struct wt_search *search, char *const *client)
{
	wt_cleanup_free char *linked = wt_launcher_find_linked(client, WT_CLI_SONAME);
	wt_cleanup_free char *library =
		linked ? wt_cli_linked_library(linked, WT_CLI_SONAME) : NULL;
	wt_cleanup_free char *source = NULL;

	if (!library)
		return;
	if (asprintf(&source, "the loader, for %s", linked) < 0) {
		source = NULL;
		search->no_memory = true;
		return;
	}
	wt_search_add(search, library, source);
}

struct wt_search wt_record_library_search(char *const *client)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);
	wt_cleanup_free char *program = NULL, *runtime = NULL;
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (named && *named) {
		wt_search_add(&search, named, "WAVETAPE_DBGAPI");
		return search;
	}
	if (client) {
		program = wt_cli_find_program(client[0]);
		search_add_client(&search, client);
		if (program)
			runtime = wt_cli_linked_library(program, WT_SEARCH_RUNTIME);
	}
	wt_search_add_known(&search, program, runtime);
	return search;
}

struct wt_error *wt_record_library_not_found(const struct wt_search *search)
{
	wt_cleanup_free char *places = wt_search_text(search);

	if (!places || search->no_memory)
		return &wt_error_no_memory;
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot find AMD's debugger library",
			       WT_CLI_SONAME, "it is not in %s; name it with --dbgapi", places);
}
