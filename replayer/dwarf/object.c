/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/object.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "replayer/code/bytes.h"

#define AT_LLVM_AUGMENTATION 0x3e09

static void keep_section(struct wt_dwarf_object *object, const char *name, Elf_Scn *section,
			 const GElf_Shdr *header)
{
	const struct {
		const char *name;
		struct wt_dwarf_section *section;
	} wanted[] = {
		{".debug_loclists", &object->loclists}, {".debug_loc", &object->loc},
		{".debug_addr", &object->addr},		{".debug_frame", &object->frame},
		{".eh_frame", &object->eh_frame},
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		Elf_Data *data;

		if (strcmp(name, wanted[i].name) || header->sh_type == SHT_NOBITS)
			continue;
		data = elf_getdata(section, NULL);
		if (data && data->d_buf)
			*wanted[i].section = (struct wt_dwarf_section){data->d_buf, data->d_size};
		if (wanted[i].section == &object->eh_frame)
			object->eh_frame_address = header->sh_addr;
	}
}

void wt_dwarf_object_init(struct wt_dwarf_object *object, Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *section = NULL;
	size_t names;

	*object = (struct wt_dwarf_object){.dwarf = dwarf};
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		/* libdw has decompressed what was compressed. */
		if (!gelf_getshdr(section, &header) || header.sh_flags & SHF_COMPRESSED)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name)
			keep_section(object, name, section, &header);
	}
}

bool wt_dwarf_unit_init(struct wt_dwarf_unit *unit, const struct wt_dwarf_object *object,
			Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *producer;
	uint8_t address_size, offset_size;
	Dwarf_Half version;
	Dwarf_Addr base;

	*unit = (struct wt_dwarf_unit){.object = object};
	if (!dwarf_cu_die(die->cu, &unit->die, &version, NULL, &address_size, &offset_size, NULL,
			  NULL) ||
	    (address_size != 4 && address_size != 8) || (offset_size != 4 && offset_size != 8))
		return false;
	unit->version = version;
	unit->address_size = address_size;
	unit->offset_size = offset_size;
	if (!dwarf_lowpc(&unit->die, &base))
		unit->base = base;
	producer = dwarf_formstring(dwarf_attr(&unit->die, DW_AT_producer, &attribute));
	unit->amd = (producer && strstr(producer, "AMD clang")) ||
		    dwarf_hasattr(&unit->die, AT_LLVM_AUGMENTATION);
	return true;
}

bool wt_dwarf_unit_address(struct wt_dwarf_unit *unit, uint64_t index, uint64_t *address_ret)
{
	const struct wt_dwarf_section *section = &unit->object->addr;
	Dwarf_Attribute attribute;
	struct wt_cursor cursor;
	Dwarf_Word base;

	if (!section->data ||
	    dwarf_formudata(dwarf_attr(&unit->die, DW_AT_addr_base, &attribute), &base) ||
	    base > section->size || index > (section->size - base) / unit->address_size)
		return false;
	cursor = wt_cursor_init(section->data + base + index * unit->address_size,
				section->size - base - index * unit->address_size);
	return wt_dwarf_fixed(&cursor, unit->address_size, address_ret);
}
