/* SPDX-License-Identifier: MIT */
#include "dbgapi/finding/library-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/own-note.h"
#include "dbgapi/client/level.h"

/* Levels before it are of the oldest form, which no program of today uses. */
#define FIRST_LEVEL 54u

/* The machine of this very program, as its own headers have it. */
static unsigned int own_machine(void)
{
#if defined(__x86_64__)
	return EM_X86_64;
#elif defined(__aarch64__)
	return EM_AARCH64;
#elif defined(__powerpc64__)
	return EM_PPC64;
#else
#error "name this machine's number in ELF files"
#endif
}

/* ---- Notes ---- */

static bool notes_have_own(Elf_Data *notes)
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

/* OWN or GOOD by the notes that the file has; UNREADABLE where they cannot be had. */
static enum wt_library_state elf_judge_notes(Elf *elf)
{
	size_t count = 0;

	if (elf_getphdrnum(elf, &count))
		return WT_LIBRARY_UNREADABLE;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		Elf_Data *notes;

		if (!gelf_getphdr(elf, (int)i, &segment))
			return WT_LIBRARY_UNREADABLE;
		if (segment.p_type != PT_NOTE || !segment.p_filesz)
			continue;
		notes = elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz,
					     ELF_T_NHDR);
		if (!notes)
			return WT_LIBRARY_UNREADABLE;
		if (notes_have_own(notes))
			return WT_LIBRARY_OWN;
	}
	return WT_LIBRARY_GOOD;
}

/* ---- Symbol versions ---- */

static unsigned int definition_level(Elf *elf, Elf_Data *data, size_t names, int offset,
				     const GElf_Verdef *version)
{
	GElf_Verdaux name;
	const char *text;

	if (version->vd_aux > (unsigned int)(INT32_MAX - offset) ||
	    !gelf_getverdaux(data, offset + (int)version->vd_aux, &name))
		return 0;
	text = elf_strptr(elf, names, name.vda_name);
	return text ? wt_version_minor(text) : 0;
}

static unsigned int section_newest_level(Elf *elf, Elf_Scn *section, size_t names)
{
	Elf_Data *data = elf_getdata(section, NULL);
	unsigned int newest = 0;
	GElf_Verdef version;
	int offset = 0;

	/* A chain that turns back on itself ends: each step goes forward. */
	while (data && gelf_getverdef(data, offset, &version)) {
		unsigned int level = definition_level(elf, data, names, offset, &version);

		newest = level > newest ? level : newest;
		if (!version.vd_next || version.vd_next > (unsigned int)(INT32_MAX - offset))
			break;
		offset += (int)version.vd_next;
	}
	return newest;
}

static unsigned int elf_newest_level(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_GNU_verdef)
			return section_newest_level(elf, section, header.sh_link);
	return 0;
}

/* ---- The file ---- */

static struct wt_library_file elf_look(Elf *elf, bool of_api)
{
	struct wt_library_file file = {WT_LIBRARY_NO_LIBRARY, 0};
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) ||
	    header.e_type != ET_DYN)
		return file;
	if (header.e_machine != own_machine() ||
	    gelf_getclass(elf) != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)) {
		file.state = WT_LIBRARY_OTHER_MACHINE;
		return file;
	}
	file.state = WT_LIBRARY_GOOD;
	if (!of_api)
		return file;
	file.level = elf_newest_level(elf);
	file.state = elf_judge_notes(elf);
	if (file.state == WT_LIBRARY_GOOD && file.level < FIRST_LEVEL)
		file.state = WT_LIBRARY_NO_LEVEL;
	return file;
}

struct wt_library_file wt_library_file_look(const char *path, bool of_api)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct wt_library_file file = {WT_LIBRARY_UNREADABLE, 0};
	struct stat status;
	Elf *elf;

	if (fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			file.state = WT_LIBRARY_ABSENT;
		return file;
	}
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || elf_version(EV_CURRENT) == EV_NONE)
		return file;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	file = elf_look(elf, of_api);
	elf_end(elf);
	return file;
}

const char *wt_library_state_text(enum wt_library_state state)
{
	static const char *const texts[] = {
		[WT_LIBRARY_ABSENT] = "is not there",
		[WT_LIBRARY_UNREADABLE] = "cannot be read",
		[WT_LIBRARY_NO_LIBRARY] = "is no shared library",
		[WT_LIBRARY_OTHER_MACHINE] = "is for another kind of processor",
		[WT_LIBRARY_OWN] = "is wavetape's own",
		[WT_LIBRARY_NO_LEVEL] = "is of no level of the API from 0.54 on",
		[WT_LIBRARY_GOOD] = "is good",
	};

	return texts[state];
}
