/* SPDX-License-Identifier: MIT */
#include "recorder/recording/wrapped.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/own-note.h"
#include "dbgapi/client/level.h"
#include "dbgapi/finding/loaded-search.h"

static const char what[] = "cannot find the library to record";

WT_OWN_NOTE(recording_note);

static const char *self_path(void)
{
	Dl_info info;

	return dladdr(&recording_note, &info) ? info.dli_fname : NULL;
}

/*
 * Whether a library would end up in front of itself: it is this one, or another of its kind. The first needs neither memory nor a
 * descriptor, which may be short.
 */
static bool library_is_own(const char *path, const char *self)
{
	struct stat library, own;

	if (!stat(path, &library) && !stat(self, &own) && library.st_dev == own.st_dev &&
	    library.st_ino == own.st_ino)
		return true;
	return wt_library_file_look(path, true).state == WT_LIBRARY_OWN;
}

static struct wt_error *load_named(const char *path, const char *self, struct wt_api *api_ret)
{
	if (library_is_own(path, self))
		return wt_error_create(WT_ERROR_USAGE, what, path,
				       "that is the recording library itself");
	return wt_api_load(path, api_ret);
}

static struct wt_error *load_found(const char *self, unsigned int level, struct wt_api *api_ret)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);
	const struct wt_search_place *taken;
	wt_cleanup_free char *places = NULL;
	struct wt_error *error;

	search.client_level = wt_client_level();
	if (level > search.client_level)
		search.client_level = level;
	wt_search_add_loaded(&search, self);
	taken = wt_search_taken(&search);
	if (taken) {
		error = wt_api_load(taken->path, api_ret);
	} else {
		places = wt_search_text(&search);
		error = places && !search.no_memory
				? wt_error_create(WT_ERROR_NOT_FOUND, what, WT_API_SONAME,
						  "there is no other in %s; set WAVETAPE_DBGAPI to "
						  "its full path",
						  places)
				: &wt_error_no_memory;
	}
	wt_search_deinit(&search);
	return error;
}

/*
 * The path of a library that is loaded under the name that clients ask for, if that is not this one: then we were preloaded
 * under a name of our own, and what the client asks for that we do not have, it gets from that library.
 */
static bool find_beside(const char *self, char path_ret[PATH_MAX])
{
	void *handle = dlopen(WT_API_SONAME, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
	struct link_map *map;
	int length = -1;

	if (!handle)
		return false;
	if (!dlinfo(handle, RTLD_DI_LINKMAP, &map))
		length = snprintf(path_ret, PATH_MAX, "%s", map->l_name);
	dlclose(handle);
	return length > 0 && length < PATH_MAX && !library_is_own(path_ret, self);
}

struct wt_error *wt_wrapped_load(const char *path, unsigned int level, struct wt_api *api_ret)
{
	const char *self = self_path();
	char beside[PATH_MAX];

	if (!self)
		return wt_error_create(WT_ERROR_INTERNAL, what, WT_API_SONAME,
				       "the recording library does not find its own file");
	/* Two libraries in one session would not know of each other: the client's own it is. */
	if (find_beside(self, beside))
		return wt_api_load(beside, api_ret);
	return path && *path ? load_named(path, self, api_ret) : load_found(self, level, api_ret);
}
