/* SPDX-License-Identifier: MIT */
#include "replayer/code/elf-copy.h"

#include <gelf.h>
#include <string.h>

#define MACHINE_MASK 0xffu /* EF_AMDGPU_MACH of e_flags */

/* Code objects are 64-bit and little endian, as everything that can run a debugger for them is. */
static bool is_code_object(const void *image, size_t size)
{
	const unsigned char *identity = image;

	return size >= sizeof(Elf64_Ehdr) && !memcmp(identity, ELFMAG, SELFMAG) &&
	       identity[EI_CLASS] == ELFCLASS64 && identity[EI_DATA] == ELFDATA2LSB;
}

/* The sections that a debugger's unwinder reads; the second is how .debug_frame was called when compressed. */
static bool is_debug_frame(const char *name)
{
	return !strcmp(name, ".debug_frame") || !strcmp(name, ".zdebug_frame") ||
	       !strcmp(name, ".eh_frame");
}

/* The number of the first such section; 0 if there is none. */
static size_t find_debug_frame(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NULL)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && is_debug_frame(name))
			return elf_ndxscn(section);
	}
	return 0;
}

static size_t debug_frame_of(const void *image, size_t size)
{
	size_t number;
	Elf *elf;

	if (!is_code_object(image, size) || elf_version(EV_CURRENT) == EV_NONE)
		return 0;
	/* libelf takes a pointer to memory that it could write, but does not for reading alone. */
	elf = elf_memory((char *)(uintptr_t)image, size);
	if (!elf)
		return 0;
	number = find_debug_frame(elf);
	elf_end(elf);
	return number;
}

bool wt_elf_has_debug_frame(const void *image, size_t size)
{
	return debug_frame_of(image, size) != 0;
}

/* The header of a section becomes an unused one. */
static bool drop_section(void *image, size_t size, size_t number)
{
	const Elf64_Shdr unused = {0};
	Elf64_Ehdr header;
	uint64_t place;

	memcpy(&header, image, sizeof(header));
	if (header.e_shentsize != sizeof(unused) || header.e_shoff > size ||
	    number > (size - header.e_shoff) / sizeof(unused))
		return false;
	place = header.e_shoff + number * sizeof(unused);
	if (size - place < sizeof(unused))
		return false;
	memcpy((uint8_t *)image + place, &unused, sizeof(unused));
	return true;
}

bool wt_elf_drop_debug_frame(void *image, size_t size)
{
	size_t number = debug_frame_of(image, size), last = 0;
	bool dropped = false;

	/* Each is behind the one before, or it was not dropped. */
	while (number > last && drop_section(image, size, number)) {
		dropped = true;
		last = number;
		number = debug_frame_of(image, size);
	}
	return dropped;
}

bool wt_elf_set_machine(void *image, size_t size, uint32_t machine)
{
	Elf64_Ehdr header;

	if (!is_code_object(image, size))
		return false;
	memcpy(&header, image, sizeof(header));
	header.e_flags = (header.e_flags & ~MACHINE_MASK) | (machine & MACHINE_MASK);
	memcpy(image, &header, sizeof(header));
	return true;
}
