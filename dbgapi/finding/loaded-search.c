/* SPDX-License-Identifier: MIT */
#include "dbgapi/finding/loaded-search.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* The places where the loader looks for what an object needs, which include LD_LIBRARY_PATH. */
static Dl_serinfo *object_search_path(void *handle)
{
	Dl_serinfo sizes, *path = NULL;

	if (!handle || dlinfo(handle, RTLD_DI_SERINFOSIZE, &sizes))
		return NULL;
	path = malloc(sizes.dls_size);
	if (!path)
		return NULL;
	*path = sizes;
	if (!dlinfo(handle, RTLD_DI_SERINFO, path))
		return path;
	free(path);
	return NULL;
}

/* @object: the path of one that is loaded; NULL is the program. */
static void search_add_path_of(struct wt_search *search, const char *object)
{
	void *handle = dlopen(object, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
	wt_cleanup_free Dl_serinfo *path = object_search_path(handle);
	const char *slash = object ? strrchr(object, '/') : NULL;
	wt_cleanup_free char *source = NULL;

	if (asprintf(&source, "the loader's path of %s",
		     !object ? "the program"
		     : slash ? slash + 1
			     : object) < 0) {
		source = NULL;
		search->no_memory = true;
	}
	for (unsigned int i = 0; source && path && i < path->dls_cnt; i++)
		wt_search_add_loaders(search, path->dls_serpath[i].dls_name, source);
	if (handle)
		dlclose(handle);
}

/* Is an object that is loaded linked with the library? */
static bool object_needs(const struct link_map *object, const struct wt_search *search)
{
	const char *strings = NULL;

	for (const ElfW(Dyn) *entry = object->l_ld; entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			/* Some loaders leave what is in the file. */
			strings = (const char *)(entry->d_un.d_ptr < object->l_addr
							 ? object->l_addr + entry->d_un.d_ptr
							 : entry->d_un.d_ptr);
	for (const ElfW(Dyn) *entry = object->l_ld; strings && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED &&
		    wt_search_names(search, strings + entry->d_un.d_val))
			return true;
	return false;
}

/* A folder of Python's packages that an object was loaded from: a link to an interpreter does not tell a virtual environment. */
static void search_add_packages_of(struct wt_search *search, const char *object)
{
	static const char *const names[] = {"/site-packages/", "/dist-packages/"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *at = strstr(object, names[i]);
		wt_cleanup_free char *packages =
			at ? strndup(object, (size_t)(at - object) + strlen(names[i]) - 1) : NULL;

		if (packages)
			wt_search_add_packages(search, packages);
		search->no_memory |= at && !packages;
	}
}

/* Adds the places from which what is linked with the library would have got it. An object that was built with DT_RPATH never looks where LD_LIBRARY_PATH says. */
static void search_add_linked(struct wt_search *search, struct link_map *object)
{
	for (; object; object = object->l_next)
		if (object_needs(object, search))
			search_add_path_of(search, *object->l_name ? object->l_name : NULL);
}

static const char *objects_find_runtime(struct link_map *object)
{
	static const char name[] = "/libhsa-runtime64.so";

	for (; object; object = object->l_next)
		if (strstr(object->l_name, name))
			return object->l_name;
	return NULL;
}

void wt_search_add_loaded(struct wt_search *search, const char *self)
{
	void *program = dlopen(NULL, RTLD_NOW | RTLD_LOCAL);
	struct link_map *objects = NULL;
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	if (program && dlinfo(program, RTLD_DI_LINKMAP, &objects))
		objects = NULL;
	search_add_linked(search, objects);
	/* A client that loads the library itself may find it by the program's own path alone. */
	search_add_path_of(search, NULL);
	search_add_path_of(search, self);
	for (const struct link_map *object = objects; object; object = object->l_next)
		search_add_packages_of(search, object->l_name);
	wt_search_add_known(search, length > 0 ? path : NULL, objects_find_runtime(objects));
	if (program)
		dlclose(program);
}
