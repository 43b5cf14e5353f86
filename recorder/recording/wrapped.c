/* SPDX-License-Identifier: MIT */
#include "recorder/recording/wrapped.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/own-note.h"

static const char what[] = "cannot find the library to record";

WT_OWN_NOTE(recording_note);

struct identity {
	dev_t device;
	ino_t inode;
};

static bool identity_read(const char *path, struct identity *identity_ret)
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

	if (!dladdr(&recording_note, &info) || !info.dli_fname)
		return false;
	*path_ret = info.dli_fname;
	return identity_read(info.dli_fname, identity_ret);
}

static bool holds_note(Elf_Data *notes)
{
	size_t at = 0, name, descriptor;
	GElf_Nhdr note;

	while (notes && (at = gelf_getnote(notes, at, &note, &name, &descriptor)) > 0)
		if (note.n_type == WT_OWN_NOTE_IN_FRONT &&
		    note.n_namesz == sizeof(WT_OWN_NOTE_NAME) &&
		    !memcmp((const char *)notes->d_buf + name, WT_OWN_NOTE_NAME,
			    sizeof(WT_OWN_NOTE_NAME)))
			return true;
	return false;
}

static bool is_recording_elf(Elf *elf)
{
	size_t count = 0;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_NOTE &&
		    holds_note(elf_getdata_rawchunk(elf, (int64_t)segment.p_offset,
						    segment.p_filesz, ELF_T_NHDR)))
			return true;
	}
	return false;
}

/* Is that file this library, or one of its kind, which would end up in front of itself? */
static bool is_recording(const char *path, const struct identity *self)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct identity identity;
	Elf *elf = NULL;
	bool recording;

	if (identity_read(path, &identity) && identity.device == self->device &&
	    identity.inode == self->inode)
		return true;
	if (fd >= 0 && elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(fd, ELF_C_READ, NULL);
	recording = is_recording_elf(elf);
	elf_end(elf);
	return recording;
}

static struct wt_error *load_named(const char *path, const struct identity *self,
				   struct wt_api *api_ret)
{
	if (is_recording(path, self))
		return wt_error_create(WT_ERROR_USAGE, what, path,
				       "that is the recording library itself");
	return wt_api_load(path, api_ret);
}

/* The places where the loader looks for what an object needs, which include LD_LIBRARY_PATH. */
static Dl_serinfo *search_path(void *handle)
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

/* True if there is a library of the name that is none of ours. */
static bool candidate(const char *directory, const struct identity *self, char path_ret[PATH_MAX])
{
	int length = snprintf(path_ret, PATH_MAX, "%s/" WT_API_SONAME, directory);

	return length > 0 && length < PATH_MAX && !access(path_ret, R_OK) &&
	       !is_recording(path_ret, self);
}

/* The path of an object that is loaded; NULL is the program. */
static bool find_in_path_of(const char *object, const struct identity *self,
			    char path_ret[PATH_MAX])
{
	void *handle = dlopen(object, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
	wt_cleanup_free Dl_serinfo *search = search_path(handle);
	bool found = false;

	for (unsigned int i = 0; search && i < search->dls_cnt && !found; i++)
		found = candidate(search->dls_serpath[i].dls_name, self, path_ret);
	if (handle)
		dlclose(handle);
	return found;
}

/* Is an object that is loaded linked with a library of the name? */
static bool needs_library(const struct link_map *object)
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
		    !strcmp(strings + entry->d_un.d_val, WT_API_SONAME))
			return true;
	return false;
}

/*
 * By the path of an object that is linked with the library: what that would have got. One that was built with DT_RPATH never
 * looks where LD_LIBRARY_PATH says.
 */
static bool find_for_linked(const struct identity *self, char path_ret[PATH_MAX])
{
	void *program = dlopen(NULL, RTLD_NOW | RTLD_LOCAL);
	struct link_map *object = NULL;
	bool found = false;

	if (program && dlinfo(program, RTLD_DI_LINKMAP, &object))
		object = NULL;
	for (; object && !found; object = object->l_next)
		if (needs_library(object))
			found = find_in_path_of(*object->l_name ? object->l_name : NULL, self,
						path_ret);
	if (program)
		dlclose(program);
	return found;
}

/* The program's own path counts too: a client that loads the library itself may find it there alone. */
static struct wt_error *load_next(const char *self_path, const struct identity *self,
				  struct wt_api *api_ret)
{
	char path[PATH_MAX];

	if (find_for_linked(self, path) || find_in_path_of(NULL, self, path) ||
	    find_in_path_of(self_path, self, path) || candidate("/opt/rocm/lib", self, path) ||
	    candidate("/opt/rocm/core/lib", self, path))
		return wt_api_load(path, api_ret);
	return wt_error_create(
		WT_ERROR_NOT_FOUND, what, WT_API_SONAME,
		"there is no other in the search path; set WAVETAPE_DBGAPI to its full "
		"path");
}

/*
 * The path of a library that is loaded under the name that clients ask for, if that is not this one: then we were preloaded
 * under a name of our own, and what the client asks for that we do not have, it gets from that library.
 */
static bool find_beside(const struct identity *self, char path_ret[PATH_MAX])
{
	void *handle = dlopen(WT_API_SONAME, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
	struct link_map *map;
	int length = -1;

	if (!handle)
		return false;
	if (!dlinfo(handle, RTLD_DI_LINKMAP, &map))
		length = snprintf(path_ret, PATH_MAX, "%s", map->l_name);
	dlclose(handle);
	return length > 0 && length < PATH_MAX && !is_recording(path_ret, self);
}

struct wt_error *wt_wrapped_load(const char *path, struct wt_api *api_ret)
{
	char beside[PATH_MAX];
	struct identity self;
	const char *self_path;

	if (!identify_self(&self, &self_path))
		return wt_error_create(WT_ERROR_INTERNAL, what, WT_API_SONAME,
				       "the recording library does not find its own file");
	/* Two libraries in one session would not know of each other: the client's own it is. */
	if (find_beside(&self, beside))
		return wt_api_load(beside, api_ret);
	if (path && *path)
		return load_named(path, &self, api_ret);
	return load_next(self_path, &self, api_ret);
}
