/* SPDX-License-Identifier: MIT */
#include "recorder/wrapped.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cleanup.h"

static const char what[] = "cannot find the library to record";

/* An address inside this library. */
static const char anchor;

struct identity {
	dev_t device;
	ino_t inode;
};

static bool identify(const char *path, struct identity *identity_ret)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	*identity_ret = (struct identity){status.st_dev, status.st_ino};
	return true;
}

static bool identify_self(struct identity *identity_ret, const char **path_ret)
{
	Dl_info info;

	if (!dladdr(&anchor, &info) || !info.dli_fname)
		return false;
	*path_ret = info.dli_fname;
	return identify(info.dli_fname, identity_ret);
}

static bool same(const struct identity *a, const struct identity *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static struct wt_error *load_named(const char *path, const struct identity *self,
				   struct wt_api *api_ret)
{
	struct identity identity;

	if (identify(path, &identity) && same(&identity, self))
		return wt_error_create(WT_ERROR_USAGE, what, path,
				       "that is the recording library itself");
	return wt_api_load(path, api_ret);
}

/* The loader's search path for this library's own dependencies, which includes LD_LIBRARY_PATH. */
static Dl_serinfo *search_path(const char *self_path)
{
	void *handle = dlopen(self_path, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
	Dl_serinfo sizes, *path = NULL;

	if (!handle)
		return NULL;
	if (!dlinfo(handle, RTLD_DI_SERINFOSIZE, &sizes)) {
		path = malloc(sizes.dls_size);
		if (path)
			*path = sizes;
		if (path && dlinfo(handle, RTLD_DI_SERINFO, path)) {
			free(path);
			path = NULL;
		}
	}
	dlclose(handle);
	return path;
}

/* True if there is a library of the name that is not us. */
static bool candidate(const char *directory, const struct identity *self, char path_ret[PATH_MAX])
{
	struct identity identity;
	int length = snprintf(path_ret, PATH_MAX, "%s/" WT_API_SONAME, directory);

	return length > 0 && length < PATH_MAX && identify(path_ret, &identity) &&
	       !same(&identity, self);
}

static struct wt_error *load_next(const char *self_path, const struct identity *self,
				  struct wt_api *api_ret)
{
	wt_cleanup_free Dl_serinfo *search = search_path(self_path);
	char path[PATH_MAX];

	for (unsigned int i = 0; search && i < search->dls_cnt; i++)
		if (candidate(search->dls_serpath[i].dls_name, self, path))
			return wt_api_load(path, api_ret);
	if (candidate("/opt/rocm/lib", self, path))
		return wt_api_load(path, api_ret);
	return wt_error_create(
		WT_ERROR_NOT_FOUND, what, WT_API_SONAME,
		"there is no other in the search path; set WAVETAPE_DBGAPI to its full "
		"path");
}

struct wt_error *wt_wrapped_load(const char *path, struct wt_api *api_ret)
{
	struct identity self;
	const char *self_path;

	if (!identify_self(&self, &self_path))
		return wt_error_create(WT_ERROR_INTERNAL, what, WT_API_SONAME,
				       "the recording library does not find its own file");
	if (path && *path)
		return load_named(path, &self, api_ret);
	return load_next(self_path, &self, api_ret);
}
