/* SPDX-License-Identifier: MIT */
#include "recorder/recording/unknown.h"

#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "dbgapi/table/load.h"

#define FUNCTION_PREFIX "amd_dbgapi_"
#define VERSION_PREFIX "AMD_DBGAPI_"
/* Levels before it are of the oldest form, which has a table of its own. */
#define FIRST_MINOR 54u
/* Objects of a process, and versions that one asks for, that are looked at. */
#define NEEDS_LIMIT 4096u

/* The minor number of a symbol version of the API; 0 if it is none. */
static unsigned int minor_of(const char *version)
{
	unsigned int major, minor;
	char rest;

	if (!version || strncmp(version, VERSION_PREFIX, strlen(VERSION_PREFIX)) != 0 ||
	    sscanf(version + strlen(VERSION_PREFIX), "%u.%u%c", &major, &minor, &rest) != 2 ||
	    major)
		return 0;
	return minor;
}

static bool is_known(const char *name, const char *version)
{
	for (size_t i = 0; i < wt_symbol_count; i++)
		if (!strcmp(wt_symbols[i].name, name) && !strcmp(wt_symbols[i].version, version))
			return true;
	return false;
}

/* ---- What a library exports ---- */

/* Of its dynamic symbols: themselves, the number of the version of each, and the names of these. */
struct exports {
	Elf *elf;
	Elf_Data *symbols, *numbers, *versions;
	size_t names, version_names; /* sections of strings */
	size_t count;
};

static void take_section(struct exports *exports, Elf_Scn *section)
{
	GElf_Shdr header;

	if (!gelf_getshdr(section, &header))
		return;
	if (header.sh_type == SHT_DYNSYM && header.sh_entsize) {
		exports->symbols = elf_getdata(section, NULL);
		exports->names = header.sh_link;
		exports->count = header.sh_size / header.sh_entsize;
	} else if (header.sh_type == SHT_GNU_versym) {
		exports->numbers = elf_getdata(section, NULL);
	} else if (header.sh_type == SHT_GNU_verdef) {
		exports->versions = elf_getdata(section, NULL);
		exports->version_names = header.sh_link;
	}
}

/* The name of a version; NULL if the file defines none of that number. */
static const char *version_name(const struct exports *exports, unsigned int number)
{
	GElf_Verdaux name;
	GElf_Verdef version;
	int offset = 0;

	/* A chain that turns back on itself ends: each step goes forward. */
	while (gelf_getverdef(exports->versions, offset, &version)) {
		if (version.vd_ndx == number)
			return gelf_getverdaux(exports->versions, offset + (int)version.vd_aux,
					       &name)
				       ? elf_strptr(exports->elf, exports->version_names,
						    name.vda_name)
				       : NULL;
		if (!version.vd_next || version.vd_next > (unsigned int)(INT32_MAX - offset))
			break;
		offset += (int)version.vd_next;
	}
	return NULL;
}

/* The name of a function of the API that is unknown, and its version; NULL for anything else. */
static const char *unknown_at(const struct exports *exports, size_t index, const char **version_ret)
{
	GElf_Versym number;
	GElf_Sym symbol;
	const char *name;

	if (!gelf_getsym(exports->symbols, (int)index, &symbol) || symbol.st_shndx == SHN_UNDEF ||
	    symbol.st_shndx == SHN_ABS || !gelf_getversym(exports->numbers, (int)index, &number))
		return NULL;
	name = elf_strptr(exports->elf, exports->names, symbol.st_name);
	if (!name || strncmp(name, FUNCTION_PREFIX, strlen(FUNCTION_PREFIX)) != 0)
		return NULL;
	*version_ret = version_name(exports, number & 0x7fffu);
	if (minor_of(*version_ret) < FIRST_MINOR || is_known(name, *version_ret))
		return NULL;
	return name;
}

static size_t look_through(const struct exports *exports, wt_unknown_function unknown, void *opaque)
{
	const char *name, *version;
	size_t count = 0;

	for (size_t i = 0; i < exports->count && i < INT32_MAX; i++) {
		name = unknown_at(exports, i, &version);
		if (!name)
			continue;
		count++;
		if (unknown)
			unknown(opaque, name, version);
	}
	return count;
}

size_t wt_unknown_functions(const char *path, wt_unknown_function unknown, void *opaque)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct exports exports = {0};
	Elf_Scn *section = NULL;
	size_t count = 0;

	if (fd >= 0 && elf_version(EV_CURRENT) != EV_NONE)
		exports.elf = elf_begin(fd, ELF_C_READ, NULL);
	while (exports.elf && (section = elf_nextscn(exports.elf, section)))
		take_section(&exports, section);
	if (exports.symbols && exports.numbers && exports.versions)
		count = look_through(&exports, unknown, opaque);
	elf_end(exports.elf);
	return count;
}

/* ---- What a client asks for ---- */

/* Where an address of a table of the loader is: some are of the file, and some of memory. */
static const void *place(const struct dl_phdr_info *object, ElfW(Addr) address)
{
	return (const void *)(address < object->dlpi_addr ? object->dlpi_addr + address : address);
}

static unsigned int newest_need(const ElfW(Verneed) * need, const char *strings)
{
	unsigned int newest = 0;

	for (size_t i = 0; i < NEEDS_LIMIT; i++) {
		const ElfW(Vernaux) *version = (const void *)((const char *)need + need->vn_aux);

		for (size_t j = 0; j < need->vn_cnt; j++) {
			unsigned int minor = minor_of(strings + version->vna_name);

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
	minor = newest_need(place(object, needs), place(object, strings));
	*newest = minor > *newest ? minor : *newest;
	return 0;
}

void wt_unknown_client_level(char level_ret[16])
{
	unsigned int newest = 0;

	dl_iterate_phdr(look_at_object, &newest);
	level_ret[0] = '\0';
	if (newest)
		snprintf(level_ret, 16, "0.%u", newest);
}
