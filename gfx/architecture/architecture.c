/* SPDX-License-Identifier: MIT */
#include "gfx/architecture/architecture.h"

#include <stdio.h>
#include <string.h>

size_t gfx_architecture_count(void)
{
	size_t count;

	gfx_architectures(&count);
	return count;
}

const struct gfx_architecture *gfx_architecture_at(size_t index)
{
	size_t count;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	return index < count ? architectures[index] : NULL;
}

void gfx_list_architectures(bool (*wants)(const struct gfx_architecture *architecture), char *text,
			    size_t size)
{
	size_t count, used = 0;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	text[0] = '\0';
	for (size_t i = 0; i < count && used < size; i++)
		if (wants(architectures[i]))
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 architectures[i]->name);
}

const struct gfx_architecture *gfx_architecture_by_id(uint64_t id)
{
	size_t count;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	for (size_t i = 0; i < count; i++)
		if (architectures[i]->id == id)
			return architectures[i];
	return NULL;
}

const struct gfx_architecture *gfx_architecture_by_machine(uint32_t elf_machine)
{
	size_t count;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	for (size_t i = 0; i < count; i++)
		if (architectures[i]->elf_machine == elf_machine)
			return architectures[i];
	return NULL;
}

/* No GPU has version 0, which is that of generic targets. */
const struct gfx_architecture *gfx_architecture_by_version(uint32_t version)
{
	size_t count;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	for (size_t i = 0; version && i < count; i++)
		if (architectures[i]->version == version)
			return architectures[i];
	return NULL;
}

const struct gfx_architecture *gfx_architecture_by_name(const char *name)
{
	size_t count;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(architectures[i]->name, name))
			return architectures[i];
	return NULL;
}

const char *gfx_machine_name(uint32_t elf_machine)
{
	const struct gfx_architecture *known = gfx_architecture_by_machine(elf_machine);
	size_t count;
	const struct gfx_machine *machines = gfx_machines(&count);

	for (size_t i = 0; !known && i < count; i++)
		if (machines[i].elf_machine == elf_machine)
			return machines[i].operands.name;
	return known ? known->name : NULL;
}

bool gfx_architecture_may_run(const struct gfx_architecture *gpu, uint32_t elf_machine)
{
	const struct gfx_architecture *compiled = gfx_architecture_by_machine(elf_machine);

	if (!compiled)
		return !gfx_machine_name(elf_machine);
	return compiled == gpu ||
	       (!compiled->version && compiled->operands.profile == gpu->operands.profile);
}

/* Debuggers and recorders ask for names by the hundred thousand: printf() would be most of what that takes. */
void gfx_register_name(const struct gfx_register *reg, char name_ret[GFX_REGISTER_NAME])
{
	const struct gfx_register_range *range = reg->range;
	size_t length = strlen(range->prefix), digits = 0;
	uint32_t index = reg->index;
	char reversed[10];

	if (length > GFX_REGISTER_NAME - 1)
		length = GFX_REGISTER_NAME - 1;
	memcpy(name_ret, range->prefix, length);
	if (range->numbered) {
		do
			reversed[digits++] = (char)('0' + index % 10);
		while ((index /= 10));
	}
	while (digits && length < GFX_REGISTER_NAME - 1)
		name_ret[length++] = reversed[--digits];
	name_ret[length] = '\0';
}

/* The register at @offset within a range. */
static void expand(const struct gfx_architecture *architecture,
		   const struct gfx_register_range *range, uint32_t offset,
		   struct gfx_register *register_ret)
{
	register_ret->range = range;
	register_ret->index = range->first + offset;
	register_ret->id = architecture->id << 32 | (range->number + offset);
	register_ret->dwarf =
		range->dwarf == GFX_DWARF_NONE ? GFX_DWARF_NONE : range->dwarf + offset;
}

size_t gfx_register_count(const struct gfx_architecture *architecture)
{
	size_t count = 0;

	for (size_t i = 0; i < architecture->register_range_count; i++)
		count += architecture->registers[i].count;
	return count;
}

bool gfx_register_at(const struct gfx_architecture *architecture, size_t position,
		     struct gfx_register *register_ret)
{
	for (size_t i = 0; i < architecture->register_range_count; i++) {
		const struct gfx_register_range *range = &architecture->registers[i];

		if (position < range->count) {
			expand(architecture, range, (uint32_t)position, register_ret);
			return true;
		}
		position -= range->count;
	}
	return false;
}

const struct gfx_register_range *
gfx_register_range_search(const struct gfx_architecture *architecture, uint64_t id, size_t *place)
{
	if (id >> 32 != architecture->id)
		return NULL;
	/* From the one behind on: mostly that is it. */
	for (size_t i = 0, at = *place; i < architecture->register_range_count; i++) {
		const struct gfx_register_range *range;

		at = at + 1 < architecture->register_range_count ? at + 1 : 0;
		range = &architecture->registers[at];
		if ((uint32_t)id - range->number < range->count) {
			*place = at;
			return range;
		}
	}
	return NULL;
}

bool gfx_register_by_id(const struct gfx_architecture *architecture, uint64_t id,
			struct gfx_register *register_ret)
{
	size_t place = 0;
	const struct gfx_register_range *range = gfx_register_range_find(architecture, id, &place);

	if (range)
		expand(architecture, range, (uint32_t)id - range->number, register_ret);
	return range;
}

bool gfx_register_by_dwarf(const struct gfx_architecture *architecture, uint64_t dwarf,
			   struct gfx_register *register_ret)
{
	for (size_t i = 0; i < architecture->register_range_count; i++) {
		const struct gfx_register_range *range = &architecture->registers[i];

		if (range->dwarf == GFX_DWARF_NONE || dwarf < range->dwarf ||
		    dwarf - range->dwarf >= range->count)
			continue;
		expand(architecture, range, (uint32_t)(dwarf - range->dwarf), register_ret);
		return true;
	}
	return false;
}

/* The number at the end of a register name: digits only, no sign, no leading zero. */
static bool parse_index(const char *text, uint32_t *index_ret)
{
	uint32_t index = 0;

	if (!*text || (text[0] == '0' && text[1]))
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || index > 99999)
			return false;
		index = index * 10 + (uint32_t)(*text - '0');
	}
	*index_ret = index;
	return true;
}

static bool range_has_name(const struct gfx_register_range *range, const char *name,
			   uint32_t *offset_ret)
{
	size_t length = strlen(range->prefix);
	uint32_t index;

	if (!range->numbered) {
		*offset_ret = 0;
		return !strcmp(range->prefix, name);
	}
	if (strncmp(range->prefix, name, length) || !parse_index(name + length, &index) ||
	    index < range->first || index - range->first >= range->count)
		return false;
	*offset_ret = index - range->first;
	return true;
}

bool gfx_register_by_name(const struct gfx_architecture *architecture, const char *name,
			  struct gfx_register *register_ret)
{
	for (size_t i = 0; i < architecture->register_range_count; i++) {
		uint32_t offset;

		if (range_has_name(&architecture->registers[i], name, &offset)) {
			expand(architecture, &architecture->registers[i], offset, register_ret);
			return true;
		}
	}
	return false;
}

const struct gfx_address_space *gfx_address_space_by_id(const struct gfx_architecture *architecture,
							uint64_t id)
{
	for (size_t i = 0; i < architecture->space_count; i++)
		if (architecture->spaces[i].id == id)
			return &architecture->spaces[i];
	return NULL;
}

const struct gfx_address_class *gfx_address_class_by_id(const struct gfx_architecture *architecture,
							uint64_t id)
{
	for (size_t i = 0; i < architecture->address_class_count; i++)
		if (architecture->address_classes[i].id == id)
			return &architecture->address_classes[i];
	return NULL;
}

const struct gfx_register_class_info *
gfx_register_class_by_id(const struct gfx_architecture *architecture, uint64_t id,
			 enum gfx_register_class *class_ret)
{
	for (int i = 0; i < GFX_CLASS_COUNT; i++) {
		if (architecture->classes[i].id == id) {
			*class_ret = (enum gfx_register_class)i;
			return &architecture->classes[i];
		}
	}
	return NULL;
}

const struct gfx_address_space *gfx_address_space_of(const struct gfx_architecture *architecture,
						     enum gfx_space space)
{
	for (size_t i = 0; i < architecture->space_count; i++)
		if (architecture->spaces[i].space == space)
			return &architecture->spaces[i];
	return NULL;
}
