/* SPDX-License-Identifier: MIT */
#include "recorder/finding/search.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "recorder/finding/loader-cache.h"

/* A list of places that is longer than this comes from no machine that is well. */
#define PLACES_MAX 256

#define WHEEL "_rocm_sdk_core/lib"

struct wt_search wt_search_begin(const char *name)
{
	return (struct wt_search){.root = "",
				  .variable = getenv,
				  .name = name,
				  .of_api = !strcmp(name, WT_SEARCH_DBGAPI)};
}

void wt_search_deinit(struct wt_search *search)
{
	for (size_t i = 0; i < search->count; i++) {
		free(search->places[i].path);
		free(search->places[i].source);
	}
	free(search->places);
	search->places = NULL;
	search->count = 0;
}

/* ---- Places ---- */

static bool search_has(const struct wt_search *search, const char *path)
{
	for (size_t i = 0; i < search->count; i++)
		if (!strcmp(search->places[i].path, path))
			return true;
	return false;
}

void wt_search_add(struct wt_search *search, const char *path, const char *source)
{
	struct wt_search_place *places, place;

	if (search->count >= PLACES_MAX || search_has(search, path))
		return;
	places = realloc(search->places, (search->count + 1) * sizeof(*places));
	search->no_memory |= !places;
	if (!places)
		return;
	search->places = places;
	place = (struct wt_search_place){.path = strdup(path),
					 .source = strdup(source),
					 .file = wt_library_file_look(path, search->of_api)};
	if (place.path && place.source) {
		places[search->count++] = place;
		return;
	}
	free(place.path);
	free(place.source);
	search->no_memory = true;
}

void wt_search_add_folder(struct wt_search *search, const char *folder, const char *source)
{
	wt_cleanup_free char *path = NULL;
	size_t length = strlen(folder);

	while (length > 1 && folder[length - 1] == '/')
		length--;
	if (!length)
		return;
	if (asprintf(&path, "%.*s%s%s", (int)length, folder, folder[length - 1] == '/' ? "" : "/",
		     search->name) < 0) {
		path = NULL;
		search->no_memory = true;
		return;
	}
	wt_search_add(search, path, source);
}

/* The folders of a list as LD_LIBRARY_PATH is, with something behind each. */
static void search_add_list(struct wt_search *search, const char *list, const char *behind,
			    const char *source)
{
	while (list && *list) {
		size_t length = strcspn(list, ":;");
		wt_cleanup_free char *folder = NULL;

		if (length && asprintf(&folder, "%.*s%s", (int)length, list, behind) < 0) {
			folder = NULL;
			search->no_memory = true;
			return;
		}
		if (folder)
			wt_search_add_folder(search, folder, source);
		list += length;
		list += *list != '\0';
	}
}

static int path_compare_newest(const void *a, const void *b)
{
	return -strverscmp(*(char *const *)a, *(char *const *)b);
}

/* The folders that a pattern finds, the newest version first. */
static void search_add_pattern(struct wt_search *search, const char *pattern, const char *source)
{
	glob_t found;

	if (!glob(pattern, GLOB_NOSORT, NULL, &found)) {
		qsort(found.gl_pathv, found.gl_pathc, sizeof(*found.gl_pathv), path_compare_newest);
		for (size_t i = 0; i < found.gl_pathc; i++)
			wt_search_add_folder(search, found.gl_pathv[i], source);
	}
	globfree(&found);
}

/* A pattern, or a folder, of the system: below the root that the search has. */
static void search_add_system(struct wt_search *search, const char *path, const char *source)
{
	wt_cleanup_free char *whole = NULL;

	if (asprintf(&whole, "%s%s", search->root, path) < 0) {
		whole = NULL;
		search->no_memory = true;
	} else if (strpbrk(path, "*?[")) {
		search_add_pattern(search, whole, source);
	} else {
		wt_search_add_folder(search, whole, source);
	}
}

static void search_add_cached(void *opaque, const char *path)
{
	struct wt_search *search = opaque;
	wt_cleanup_free char *whole = NULL;

	if (asprintf(&whole, "%s%s", search->root, path) < 0) {
		whole = NULL;
		search->no_memory = true;
		return;
	}
	wt_search_add(search, whole, "ldconfig");
}

/* Folders in which the loader looks last, behind its cache. */
static const char *const system_folders[] = {
#if defined(__x86_64__)
	"/lib/x86_64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
	"/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu",
#endif
	"/lib64",
	"/usr/lib64",
	"/lib",
	"/usr/lib",
};

#define SYSTEM_FOLDERS (sizeof(system_folders) / sizeof(*system_folders))

void wt_search_add_loaders(struct wt_search *search, const char *folder, const char *source)
{
	for (size_t i = 0; i < SYSTEM_FOLDERS; i++)
		if (!strcmp(folder, system_folders[i]))
			return;
	wt_search_add_folder(search, folder, source);
}

static void search_add_loader(struct wt_search *search)
{
	wt_cleanup_free char *cache = NULL;

	search_add_list(search, search->variable("LD_LIBRARY_PATH"), "", "LD_LIBRARY_PATH");
	if (asprintf(&cache, "%s/etc/ld.so.cache", search->root) < 0) {
		cache = NULL;
		search->no_memory = true;
		return;
	}
	wt_loader_cache_find(cache, search->name, search_add_cached, search);
	for (size_t i = 0; i < SYSTEM_FOLDERS; i++)
		search_add_system(search, system_folders[i], "system");
}

/* ---- Python ---- */

/* The folders of packages below a prefix of Python, as /usr or a virtual environment is one. */
static void search_add_prefix(struct wt_search *search, const char *prefix, int length,
			      const char *source)
{
	static const char *const packages[] = {
		"lib/python3*/site-packages", "lib64/python3*/site-packages",
		"lib/python3*/dist-packages", "lib/python3/dist-packages"};

	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		wt_cleanup_free char *pattern = NULL;

		if (asprintf(&pattern, "%.*s/%s/" WHEEL, length, prefix, packages[i]) < 0) {
			pattern = NULL;
			search->no_memory = true;
			return;
		}
		search_add_pattern(search, pattern, source);
	}
}

/* The prefix of the Python that a program is: it stands in its bin/. A link is not followed: that of a virtual environment tells it. */
static void search_add_python_of(struct wt_search *search, const char *program)
{
	const char *name = strrchr(program, '/'), *bin = name;

	if (!name || strncmp(name + 1, "python", 6) != 0)
		return;
	while (bin > program && bin[-1] != '/')
		bin--;
	if (bin > program + 1 && name - bin == 3 && !memcmp(bin, "bin", 3))
		search_add_prefix(search, program, (int)(bin - 1 - program), "wheel of Python");
}

void wt_search_add_packages(struct wt_search *search, const char *packages)
{
	search_add_list(search, packages, "/" WHEEL, "wheel of Python");
}

static void search_add_wheels(struct wt_search *search, const char *program)
{
	static const char *const prefixes[] = {"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONUSERBASE"};
	const char *home = search->variable("HOME");
	wt_cleanup_free char *local = NULL, *usr = NULL, *usr_local = NULL;

	search_add_list(search, search->variable("PYTHONPATH"), "/" WHEEL, "wheel in PYTHONPATH");
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		const char *prefix = search->variable(prefixes[i]);

		if (prefix && *prefix)
			search_add_prefix(search, prefix, INT_MAX, "wheel of Python");
	}
	if (program)
		search_add_python_of(search, program);
	if (home && asprintf(&local, "%s/.local", home) < 0)
		local = NULL;
	if (asprintf(&usr, "%s/usr", search->root) < 0)
		usr = NULL;
	if (asprintf(&usr_local, "%s/usr/local", search->root) < 0)
		usr_local = NULL;
	if (local)
		search_add_prefix(search, local, INT_MAX, "wheel of Python");
	if (usr_local)
		search_add_prefix(search, usr_local, INT_MAX, "wheel of Python");
	if (usr)
		search_add_prefix(search, usr, INT_MAX, "wheel of Python");
}

/* ---- The list ---- */

void wt_search_add_known(struct wt_search *search, const char *program, const char *runtime)
{
	const char *slash = runtime ? strrchr(runtime, '/') : NULL;
	wt_cleanup_free char *folder = NULL;

	search_add_loader(search);
	search_add_list(search, search->variable("ROCM_PATH"), "/lib", "ROCM_PATH");
	search_add_system(search, "/opt/rocm/lib", "ROCm");
	search_add_system(search, "/opt/rocm-*/lib", "ROCm");
	search_add_system(search, "/opt/rocm/core/lib", "ROCm");
	search_add_system(search, "/opt/rocm/core-*/lib", "ROCm");
	search_add_wheels(search, program);
	if (slash && asprintf(&folder, "%.*s", (int)(slash - runtime), runtime) < 0)
		folder = NULL;
	if (folder)
		wt_search_add_folder(search, folder, "beside the runtime");
}

const struct wt_search_place *wt_search_taken(const struct wt_search *search)
{
	const struct wt_search_place *older = NULL;

	for (size_t i = 0; i < search->count; i++) {
		const struct wt_search_place *place = &search->places[i];

		if (place->file.state != WT_LIBRARY_GOOD)
			continue;
		if (place->file.level >= search->client_level)
			return place;
		older = older ? older : place;
	}
	return older;
}

char *wt_search_text(const struct wt_search *search)
{
	struct wt_buffer text = {0};

	for (size_t i = 0; i < search->count; i++) {
		const struct wt_search_place *place = &search->places[i];
		const char *slash = strrchr(place->path, '/');
		int folder = slash && slash > place->path ? (int)(slash - place->path) : 1;

		wt_buffer_append_format(&text, "%s%.*s (%s", i ? ", " : "", folder, place->path,
					place->source);
		if (place->file.state != WT_LIBRARY_ABSENT)
			wt_buffer_append_format(&text, ": %s",
						wt_library_state_text(place->file.state));
		wt_buffer_append_text(&text, ")");
	}
	return wt_buffer_take_text(&text);
}

/* ---- Versions ---- */

char *wt_search_rocm_of(const char *library)
{
	const char *slash = strrchr(library, '/');
	wt_cleanup_free char *path = NULL;
	wt_cleanup_close int fd = -1;
	char text[128];
	ssize_t size;

	if (!slash ||
	    asprintf(&path, "%.*s/../.info/version", (int)(slash - library), library) < 0) {
		path = NULL;
		return NULL;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		return NULL;
	text[size] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	return *text ? strdup(text) : NULL;
}

char *wt_search_rocm(const struct wt_search *search)
{
	const struct wt_search_place *taken = wt_search_taken(search);
	char *version = taken ? wt_search_rocm_of(taken->path) : NULL;

	for (size_t i = 0; i < search->count && !version; i++)
		version = wt_search_rocm_of(search->places[i].path);
	return version;
}
