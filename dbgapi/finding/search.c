/* SPDX-License-Identifier: MIT */
#include "dbgapi/finding/search.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"

/* A list of places that is longer than this comes from no machine that is well. */
#define PLACES_MAX 256

#define WHEEL "_rocm_sdk_core/"

/* Folders of libraries in a ROCm; LLVM has its own in each, which older ones have had beside it. */
static const char *const folders_of_rocm[] = {"lib", "lib/llvm/lib", "llvm/lib"};

static size_t search_count_folders(const struct wt_search *search)
{
	return search->of_llvm ? 3 : 1;
}

struct wt_search wt_search_begin(const char *name)
{
	return (struct wt_search){.root = "",
				  .variable = getenv,
				  .name = name,
				  .of_api = !strcmp(name, WT_SEARCH_DBGAPI),
				  .of_llvm = !strcmp(name, WT_SEARCH_LLVM)};
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

static void search_add_all(struct wt_search *search, const char *begin, const char *source);

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
	if (search->of_llvm)
		search_add_all(search, path, source);
	else
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

/* Folders that were found. */
struct folders {
	char **paths;
	size_t count;
};

static void folders_free(struct folders *folders)
{
	for (size_t i = 0; i < folders->count; i++)
		free(folders->paths[i]);
	free(folders->paths);
}

/* Keep a path if something is there, and free it else. False without memory. */
static bool folders_take(struct folders *folders, char *path)
{
	char **grown;

	if (access(path, F_OK)) {
		free(path);
		return true;
	}
	grown = reallocarray(folders->paths, folders->count + 1, sizeof(*grown));
	if (!grown) {
		free(path);
		return false;
	}
	folders->paths = grown;
	grown[folders->count++] = path;
	return true;
}

/*
 * Find folders whose path begins so, as /opt/rocm- does, and what is in each at the end. glob() would, too, but that of glibc 2.36 frees
 * a path twice where memory is short, and the program that we are in would end by it. False without memory.
 */
static bool folders_find(struct folders *folders, const char *begin, const char *end)
{
	const char *name = strrchr(begin, '/') + 1;
	wt_cleanup_free char *parent = strndup(begin, (size_t)(name - begin));
	DIR *directory = parent ? opendir(parent) : NULL;
	bool fits = parent && (directory || errno != ENOMEM);
	const struct dirent *entry;

	while (fits && directory && (entry = readdir(directory))) {
		char *path;

		if (*entry->d_name == '.' || strncmp(entry->d_name, name, strlen(name)) != 0)
			continue;
		fits = asprintf(&path, "%s%s%s", parent, entry->d_name, end) >= 0 &&
		       folders_take(folders, path);
	}
	if (directory)
		closedir(directory);
	return fits;
}

/* Add all files whose paths begin so, the newest first. */
static void search_add_all(struct wt_search *search, const char *begin, const char *source)
{
	struct folders files = {0};

	search->no_memory |= !folders_find(&files, begin, "");
	if (files.count)
		qsort(files.paths, files.count, sizeof(*files.paths), path_compare_newest);
	for (size_t i = 0; i < files.count; i++)
		if (wt_search_names(search, strrchr(files.paths[i], '/') + 1))
			wt_search_add(search, files.paths[i], source);
	folders_free(&files);
}

/* Add the folders of all versions, the newest first. The path begins with a '/'. */
static void search_add_versions(struct wt_search *search, const char *begin, const char *end,
				const char *source)
{
	struct folders folders = {0};

	search->no_memory |= !folders_find(&folders, begin, end);
	if (folders.count)
		qsort(folders.paths, folders.count, sizeof(*folders.paths), path_compare_newest);
	for (size_t i = 0; i < folders.count; i++)
		wt_search_add_folder(search, folders.paths[i], source);
	folders_free(&folders);
}

/* A folder of the system, below the root that the search has; with an @end: folders of all versions, whose paths begin so. */
static void search_add_system(struct wt_search *search, const char *path, const char *end,
			      const char *source)
{
	wt_cleanup_free char *whole = NULL;

	if (asprintf(&whole, "%s%s", search->root, path) < 0) {
		whole = NULL;
		search->no_memory = true;
	} else if (end) {
		search_add_versions(search, whole, end, source);
	} else {
		wt_search_add_folder(search, whole, source);
	}
}

static void search_add_cached(struct wt_search *search, const char *path)
{
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
	"/usr/local/lib",
};

#define SYSTEM_FOLDERS (sizeof(system_folders) / sizeof(*system_folders))

/* The same for a folder of the loader's path for some object; not for those of the system, which come behind the loader's cache. */
static void search_add_loaders(struct wt_search *search, const char *folder, const char *source)
{
	for (size_t i = 0; i < SYSTEM_FOLDERS; i++)
		if (!strcmp(folder, system_folders[i]))
			return;
	wt_search_add_folder(search, folder, source);
}

/* The form of glibc 2.2 and later, which may stand behind an older one. Places in it count from its beginning. */
#define MAGIC "glibc-ld.so.cache1.1"
#define HEAD_SIZE 48u
#define ENTRY_SIZE 24u
#define CACHE_MAX ((off_t)64 << 20)

/* A text in the cache, which ends within it; NULL if there is none. */
static const char *cache_text(const uint8_t *data, size_t size, uint32_t at)
{
	if (at >= size || !memchr(data + at, '\0', size - at))
		return NULL;
	return (const char *)data + at;
}

/* Add what the cache has for the library, in its order: there may be one for each kind of processor. */
static void search_add_entries(struct wt_search *search, const uint8_t *data, size_t size)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);
	const uint8_t *skipped;
	uint32_t count = 0;

	if (!wt_cursor_take(&cursor, sizeof(MAGIC) - 1, &skipped) ||
	    !wt_cursor_u32(&cursor, &count) ||
	    !wt_cursor_take(&cursor, HEAD_SIZE - sizeof(MAGIC) + 1 - sizeof(count), &skipped))
		return;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry;
		const char *key, *path;
		struct wt_cursor fields;

		if (!wt_cursor_take(&cursor, ENTRY_SIZE, &entry))
			return;
		fields = wt_cursor_init(entry + 4, 8);
		key = cache_text(data, size, wt_cursor_next_u32(&fields));
		path = cache_text(data, size, wt_cursor_next_u32(&fields));
		if (key && path && wt_search_names(search, key))
			search_add_cached(search, path);
	}
}

/* A cache that cannot be read, or is of a form that is not known, has nothing. */
static void search_add_cache(struct wt_search *search, const char *cache)
{
	wt_cleanup_close int fd = open(cache, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	wt_cleanup_buffer struct wt_buffer file = {0};
	const uint8_t *start;
	struct stat status;
	uint8_t *data;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || !status.st_size ||
	    status.st_size > CACHE_MAX)
		return;
	data = wt_buffer_extend(&file, (size_t)status.st_size);
	if (!data || wt_file_read_at(fd, 0, data, file.size) != (ssize_t)file.size)
		return;
	start = memmem(data, file.size, MAGIC, sizeof(MAGIC) - 1);
	if (start)
		search_add_entries(search, start, file.size - (size_t)(start - data));
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
	search_add_cache(search, cache);
	for (size_t i = 0; i < SYSTEM_FOLDERS; i++)
		search_add_system(search, system_folders[i], NULL, "system");
}

/* ---- Python ---- */

/* The folders of packages below a prefix of Python, as /usr or a virtual environment is one. */
static void search_add_prefix(struct wt_search *search, const char *prefix, int length,
			      const char *source)
{
	static const struct {
		const char *begin, *end;
	} packages[] = {{"lib/python3", "/site-packages/" WHEEL},
			{"lib64/python3", "/site-packages/" WHEEL},
			{"lib/python3", "/dist-packages/" WHEEL}};

	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++)
		for (size_t j = 0; j < search_count_folders(search); j++) {
			wt_cleanup_free char *begin = NULL;
			char end[64];

			if (asprintf(&begin, "%.*s/%s", length, prefix, packages[i].begin) < 0) {
				begin = NULL;
				search->no_memory = true;
				return;
			}
			snprintf(end, sizeof(end), "%s%s", packages[i].end, folders_of_rocm[j]);
			search_add_versions(search, begin, end, source);
		}
}

/* A list of folders of packages. */
static void search_add_wheel_of(struct wt_search *search, const char *packages, const char *source)
{
	for (size_t i = 0; i < search_count_folders(search); i++) {
		char behind[64];

		snprintf(behind, sizeof(behind), "/" WHEEL "%s", folders_of_rocm[i]);
		search_add_list(search, packages, behind, source);
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

/* Look for ROCm's wheel among Python's packages: in a folder of them. */
static void search_add_packages(struct wt_search *search, const char *packages)
{
	search_add_wheel_of(search, packages, "wheel of Python");
}

static void search_add_wheels(struct wt_search *search, const char *program)
{
	static const char *const prefixes[] = {"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONUSERBASE"};
	const char *home = search->variable("HOME");
	wt_cleanup_free char *local = NULL, *usr = NULL, *usr_local = NULL;

	search_add_wheel_of(search, search->variable("PYTHONPATH"), "wheel in PYTHONPATH");
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

static void search_add_rocm(struct wt_search *search)
{
	static const char *const places[] = {"/opt/rocm", "/opt/rocm-", "/opt/rocm/core",
					     "/opt/rocm/core-"};
	size_t count = search_count_folders(search);

	for (size_t i = 0; i < count; i++) {
		char behind[32];

		snprintf(behind, sizeof(behind), "/%s", folders_of_rocm[i]);
		search_add_list(search, search->variable("ROCM_PATH"), behind, "ROCM_PATH");
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		for (size_t j = 0; j < count; j++) {
			bool versions = places[i][strlen(places[i]) - 1] == '-';
			char end[32], path[64];

			snprintf(end, sizeof(end), "/%s", folders_of_rocm[j]);
			snprintf(path, sizeof(path), "%s%s", places[i], versions ? "" : end);
			search_add_system(search, path, versions ? end : NULL, "ROCm");
		}
}

/* A runtime of AMD's stands in the lib/ of a ROCm, or in a folder that has of it what is needed. */
static void search_add_beside(struct wt_search *search, const char *runtime)
{
	static const char *const beside[] = {"", "/llvm/lib", "/../llvm/lib"};
	const char *slash = strrchr(runtime, '/');

	for (size_t i = 0; slash && i < search_count_folders(search); i++) {
		wt_cleanup_free char *folder = NULL;

		if (asprintf(&folder, "%.*s%s", (int)(slash - runtime), runtime, beside[i]) < 0) {
			folder = NULL;
			search->no_memory = true;
			return;
		}
		wt_search_add_folder(search, folder, "beside the runtime");
	}
}

/* Distributions keep the versions of LLVM in folders of their own: Debian and Alpine, Fedora, Gentoo. */
static void search_add_llvm(struct wt_search *search)
{
	search_add_system(search, "/usr/lib/llvm", "/lib", "system");
	search_add_system(search, "/usr/lib64/llvm", "/lib64", "system");
	search_add_system(search, "/usr/lib/llvm/", "/lib64", "system");
}

void wt_search_add_known(struct wt_search *search, const char *program, const char *runtime)
{
	search_add_loader(search);
	if (search->of_llvm)
		search_add_llvm(search);
	search_add_rocm(search);
	search_add_wheels(search, program);
	if (runtime)
		search_add_beside(search, runtime);
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
		search_add_loaders(search, path->dls_serpath[i].dls_name, source);
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
			search_add_packages(search, packages);
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
