/* SPDX-License-Identifier: MIT */
#include "dbgapi/client/level.h"

#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define VERSION_PREFIX "AMD_DBGAPI_"
/* Libraries that one object asks for versions of, that are looked at. */
#define NEEDS_LIMIT 4096u

unsigned int wt_version_minor(const char *version)
{
	unsigned int major, minor;
	char rest;

	if (!version || strncmp(version, VERSION_PREFIX, strlen(VERSION_PREFIX)) != 0 ||
	    sscanf(version + strlen(VERSION_PREFIX), "%u.%u%c", &major, &minor, &rest) != 2 ||
	    major)
		return 0;
	return minor;
}

/* The place in memory of an address in a table of the loader: some are of the file, and some of memory. */
static const void *object_place(const struct dl_phdr_info *object, ElfW(Addr) address)
{
	return (const void *)(address < object->dlpi_addr ? object->dlpi_addr + address : address);
}

static unsigned int newest_need(const ElfW(Verneed) * need, const char *strings)
{
	unsigned int newest = 0;

	for (size_t i = 0; i < NEEDS_LIMIT; i++) {
		const ElfW(Vernaux) *version = (const void *)((const char *)need + need->vn_aux);

		for (size_t j = 0; j < need->vn_cnt; j++) {
			unsigned int minor = wt_version_minor(strings + version->vna_name);

			newest = minor > newest ? minor : newest;
			version = (const void *)((const char *)version + version->vna_next);
		}
		if (!need->vn_next)
			break;
		need = (const void *)((const char *)need + need->vn_next);
	}
	return newest;
}

static int look_at_object(struct dl_phdr_info *object, size_t size, void *opaque)
{
	unsigned int *newest = opaque, minor;
	const ElfW(Dyn) *entry = NULL;
	ElfW(Addr) needs = 0, strings = 0;

	(void)size;
	for (size_t i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_VERNEED)
			needs = entry->d_un.d_ptr;
		else if (entry->d_tag == DT_STRTAB)
			strings = entry->d_un.d_ptr;
	}
	if (!needs || !strings)
		return 0;
	minor = newest_need(object_place(object, needs), object_place(object, strings));
	*newest = minor > *newest ? minor : *newest;
	return 0;
}

unsigned int wt_client_level(void)
{
	unsigned int newest = 0;

	dl_iterate_phdr(look_at_object, &newest);
	return newest;
}
