/* SPDX-License-Identifier: MIT */
#include "replayer/code/unpack.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/cleanup.h"

#define COMPRESSED_BY_ZSTD 2u /* ELFCOMPRESS_ZSTD, of the gABI; not in every <elf.h> */
#define UNPACKED_MOST ((size_t)1 << 30)

struct sections {
	const uint8_t *image;
	size_t size;
	uint64_t offset; /* of the headers */
	uint32_t count;
};

static bool sections_find(const void *image, size_t size, struct sections *sections)
{
	Elf64_Ehdr header;

	if (size < sizeof(header))
		return false;
	memcpy(&header, image, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof(Elf64_Shdr) ||
	    header.e_shoff > size || header.e_shnum > (size - header.e_shoff) / sizeof(Elf64_Shdr))
		return false;
	*sections = (struct sections){image, size, header.e_shoff, header.e_shnum};
	return true;
}

static Elf64_Shdr section_at(const struct sections *sections, uint32_t index)
{
	Elf64_Shdr section;

	memcpy(&section, sections->image + sections->offset + index * sizeof(section),
	       sizeof(section));
	return section;
}

/* Is it compressed by zstd, and all there? */
static bool section_is_packed(const struct sections *sections, const Elf64_Shdr *section,
			      Elf64_Chdr *header)
{
	if (!(section->sh_flags & SHF_COMPRESSED) || section->sh_type == SHT_NOBITS ||
	    section->sh_offset > sections->size ||
	    section->sh_size > sections->size - section->sh_offset ||
	    section->sh_size < sizeof(*header))
		return false;
	memcpy(header, sections->image + section->sh_offset, sizeof(*header));
	return header->ch_type == COMPRESSED_BY_ZSTD;
}

/* How much more room the unpacked sections need; 0 if there are none, or they are too large. */
static size_t sections_measure(const struct sections *sections)
{
	size_t total = 0;

	for (uint32_t i = 0; i < sections->count; i++) {
		Elf64_Shdr section = section_at(sections, i);
		Elf64_Chdr header;

		if (!section_is_packed(sections, &section, &header))
			continue;
		if (header.ch_size > UNPACKED_MOST - total - 16)
			return 0;
		total += (header.ch_size + 15) & ~(size_t)15;
	}
	return total;
}

/* Unpack a section behind what is used of the new file; false if it is not what its header says. */
static bool section_unpack(const struct sections *sections, uint32_t index, uint8_t *to,
			   size_t *used)
{
	Elf64_Shdr section = section_at(sections, index);
	Elf64_Chdr header;
	size_t size;

	if (!section_is_packed(sections, &section, &header))
		return true;
	size = ZSTD_decompress(to + *used, header.ch_size,
			       sections->image + section.sh_offset + sizeof(header),
			       section.sh_size - sizeof(header));
	if (ZSTD_isError(size) || size != header.ch_size)
		return false;
	section.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	section.sh_offset = *used;
	section.sh_size = header.ch_size;
	section.sh_addralign = header.ch_addralign;
	memcpy(to + sections->offset + index * sizeof(section), &section, sizeof(section));
	*used += (header.ch_size + 15) & ~(size_t)15;
	return true;
}

struct wt_error *wt_elf_unpack(const void *image, size_t size, uint8_t **image_ret,
			       size_t *size_ret)
{
	wt_cleanup_free uint8_t *unpacked = NULL;
	size_t start = (size + 15) & ~(size_t)15, more, used = start;
	struct sections sections;

	*image_ret = NULL;
	if (!sections_find(image, size, &sections))
		return NULL;
	more = sections_measure(&sections);
	if (!more)
		return NULL;
	unpacked = calloc(1, start + more);
	if (!unpacked)
		return &wt_error_no_memory;
	memcpy(unpacked, image, size);
	for (uint32_t i = 0; i < sections.count; i++)
		if (!section_unpack(&sections, i, unpacked, &used))
			return NULL;
	*size_ret = start + more;
	*image_ret = wt_take(unpacked);
	return NULL;
}
