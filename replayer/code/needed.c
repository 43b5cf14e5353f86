/* SPDX-License-Identifier: MIT */
#include "replayer/code/needed.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <string.h>

#include "base/cleanup.h"

static void dynamic_section_look(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
				 const char *soname, struct wt_needed *needed)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	needed->program = true;
	for (size_t i = 0; data && i < count && i < INT32_MAX; i++) {
		GElf_Dyn entry;
		const char *name;

		if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
		needed->needs = needed->needs || (name && !fnmatch(soname, name, 0));
	}
}

struct wt_needed wt_needed_find(const char *path, const char *soname)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct wt_needed needed = {0};
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf *elf;

	if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return needed;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
			dynamic_section_look(elf, section, &header, soname, &needed);
	elf_end(elf);
	return needed;
}

/* The name in a segment, which ends there with a zero. */
static bool copy_name(Elf *elf, const GElf_Phdr *segment, char *path_ret, size_t size)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
					      ELF_T_BYTE);

	if (!data || !data->d_size || data->d_size > size ||
	    ((const char *)data->d_buf)[data->d_size - 1])
		return false;
	memcpy(path_ret, data->d_buf, data->d_size);
	return true;
}

bool wt_needed_loader(const char *program, char *path_ret, size_t size)
{
	wt_cleanup_close int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t count = 0;
	bool found = false;
	Elf *elf;

	if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return false;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count)))
		count = 0;
	for (size_t i = 0; i < count && !found; i++) {
		GElf_Phdr segment;

		found = gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_INTERP &&
			copy_name(elf, &segment, path_ret, size);
	}
	elf_end(elf);
	return found;
}

/* Constants are in sections that are loaded and not executed. */
static bool constants_hold(Elf_Scn *section, const GElf_Shdr *header, const char *text)
{
	Elf_Data *data;

	if (header->sh_type != SHT_PROGBITS || !(header->sh_flags & SHF_ALLOC) ||
	    header->sh_flags & SHF_EXECINSTR)
		return false;
	data = elf_getdata(section, NULL);
	return data && data->d_buf && memmem(data->d_buf, data->d_size, text, strlen(text));
}

bool wt_needed_has_text(const char *path, const char *text)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool found = false;
	Elf *elf;

	if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return false;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (!found && elf && (section = elf_nextscn(elf, section)))
		found = gelf_getshdr(section, &header) && constants_hold(section, &header, text);
	elf_end(elf);
	return found;
}
