/* SPDX-License-Identifier: MIT */
#include "recorder/recording/unknown.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "dbgapi/client/level.h"
#include "dbgapi/table/load.h"

#define FUNCTION_PREFIX "amd_dbgapi_"
/* Levels before it are of the oldest form, which has a table of its own. */
#define FIRST_MINOR 54u

static bool symbol_is_known(const char *name, const char *version)
{
	for (size_t i = 0; i < wt_symbol_count; i++)
		if (!strcmp(wt_symbols[i].name, name) && !strcmp(wt_symbols[i].version, version))
			return true;
	return false;
}

/* ---- What a library exports ---- */

/* The dynamic symbols of a library: themselves, the number of the version of each, and the names of these. */
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
	if (!*version_ret || wt_version_minor(*version_ret) < FIRST_MINOR ||
	    symbol_is_known(name, *version_ret))
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
