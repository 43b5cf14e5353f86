/* SPDX-License-Identifier: MIT */
/* Code objects, breakpoints, and what a user looks at. */
#include "gdb.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Code objects ---- */

static void forget_objects(void)
{
	for (size_t i = 0; i < gdb.object_count; i++)
		free(gdb.objects[i].uri);
	free(gdb.objects);
	gdb.objects = NULL;
	gdb.object_count = 0;
}

/** The value of a symbol in the ELF file of a URI; 0 if it is not there. */
static uint64_t find_symbol(const char *uri, const char *name)
{
	static char image[1 << 20];
	const Elf64_Ehdr *header = (const void *)image;
	const Elf64_Shdr *sections;
	ssize_t size;
	int fd;

	if (strncmp(uri, "file://", 7))
		return 0;
	fd = open(uri + 7, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, image, sizeof(image));
	if (fd >= 0)
		close(fd);
	if (size < (ssize_t)sizeof(*header))
		return 0;
	sections = (const void *)(image + header->e_shoff);
	for (int i = 0; i < header->e_shnum; i++) {
		const Elf64_Sym *symbols = (const void *)(image + sections[i].sh_offset);
		const char *strings = image + sections[sections[i].sh_link].sh_offset;

		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		for (size_t j = 0; j < sections[i].sh_size / sizeof(*symbols); j++)
			if (!strcmp(strings + symbols[j].st_name, name))
				return symbols[j].st_value;
	}
	return 0;
}

static void resolve_breakpoints(void)
{
	for (size_t i = 0; i < gdb.breakpoint_count; i++)
		for (size_t j = 0; j < gdb.object_count && !gdb.breakpoints[i].address; j++) {
			uint64_t value = find_symbol(gdb.objects[j].uri, gdb.breakpoints[i].symbol);

			if (!value)
				continue;
			gdb.breakpoints[i].address = gdb.objects[j].load + value;
			printf("breakpoint %zu (%s) at 0x%" PRIx64 "\n", i + 1,
			       gdb.breakpoints[i].symbol, gdb.breakpoints[i].address);
		}
}

void gdb_code_objects_update(void)
{
	amd_dbgapi_code_object_id_t *list;
	size_t count;

	forget_objects();
	gdb_check("code object list",
		  amd_dbgapi_process_code_object_list(gdb.id, &count, &list, NULL));
	gdb.objects = gdb_allocate(count * sizeof(*gdb.objects));
	for (size_t i = 0; i < count; i++) {
		struct gdb_code_object *object = &gdb.objects[gdb.object_count];

		object->handle = list[i].handle;
		gdb_check("load address", amd_dbgapi_code_object_get_info(
						  list[i], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
						  sizeof(object->load), &object->load));
		gdb_check("URI", amd_dbgapi_code_object_get_info(
					 list[i], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
					 sizeof(object->uri), &object->uri));
		gdb_assert(object->uri && *object->uri);
		gdb.object_count++;
	}
	free(list);
	resolve_breakpoints();
}

void gdb_info_sharedlibrary(const char *argument)
{
	(void)argument;
	for (size_t i = 0; i < gdb.object_count; i++) {
		const char *name = strrchr(gdb.objects[i].uri, '/');

		printf("code_object_%" PRIu64 " at 0x%" PRIx64 " %s\n", gdb.objects[i].handle,
		       gdb.objects[i].load, name ? name + 1 : gdb.objects[i].uri);
	}
}

/* ---- Breakpoints ---- */

void gdb_break(const char *symbol)
{
	struct gdb_breakpoint *breakpoint = &gdb.breakpoints[gdb.breakpoint_count];

	gdb_assert(gdb.breakpoint_count < sizeof(gdb.breakpoints) / sizeof(*gdb.breakpoints));
	*breakpoint = (struct gdb_breakpoint){.address = 0};
	snprintf(breakpoint->symbol, sizeof(breakpoint->symbol), "%s", symbol);
	gdb.breakpoint_count++;
	resolve_breakpoints();
	if (!breakpoint->address)
		printf("breakpoint %zu (%s) is pending\n", gdb.breakpoint_count, symbol);
}

void gdb_delete_breakpoints(void)
{
	gdb_breakpoints_insert(false);
	gdb.breakpoint_count = 0;
}

/* The architecture of the program's code: that of the waves, or of the first agent. */
static const struct gdb_arch *code_arch(void)
{
	amd_dbgapi_architecture_id_t id;
	amd_dbgapi_agent_id_t *agents;
	uint32_t machine;
	size_t count;

	if (gdb.current)
		return gdb_wave_arch(gdb.current);
	gdb_check("agents", amd_dbgapi_process_agent_list(gdb.id, &count, &agents, NULL));
	gdb_assert(count > 0);
	gdb_check("agent architecture",
		  amd_dbgapi_agent_get_info(agents[0], AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
					    sizeof(id), &id));
	free(agents);
	gdb_check("ELF machine", amd_dbgapi_architecture_get_info(
					 id, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
					 sizeof(machine), &machine));
	return gdb_arch_find(machine);
}

void gdb_breakpoints_insert(bool insert)
{
	for (size_t i = 0; i < gdb.breakpoint_count; i++) {
		struct gdb_breakpoint *breakpoint = &gdb.breakpoints[i];
		const struct gdb_arch *arch;
		size_t size, done;

		if (!breakpoint->address || breakpoint->inserted == insert)
			continue;
		arch = code_arch();
		size = arch->breakpoint_size;
		if (insert &&
		    gdb_read_memory(breakpoint->address, breakpoint->shadow, size) != size) {
			printf("warning: cannot insert breakpoint %zu\n", i + 1);
			continue;
		}
		done = gdb_write_memory(breakpoint->address,
					insert ? arch->breakpoint : breakpoint->shadow, size);
		if (done != size)
			printf("warning: breakpoint %zu: %zu of %zu bytes\n", i + 1, done, size);
		breakpoint->inserted = insert;
	}
}

/* ---- What the user sees ---- */

void gdb_info_threads(const char *argument)
{
	(void)argument;
	gdb_update_waves();
	printf("%zu waves\n", gdb.wave_count);
	for (size_t i = 0; i < gdb.wave_count; i++) {
		const struct gdb_wave *wave = &gdb.waves[i];
		amd_dbgapi_wave_state_t state = 0;
		amd_dbgapi_status_t status = amd_dbgapi_wave_get_info(
			wave->id, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state);

		printf("%c %s ", wave->id.handle == gdb.current ? '*' : ' ', wave->label);
		if (status != AMD_DBGAPI_STATUS_SUCCESS || wave->executing)
			printf("(running)\n");
		else
			printf("pc 0x%" PRIx64 "\n", gdb_read_pc(wave->id.handle));
	}
}

static void show_register(const struct gdb_arch *arch, size_t number)
{
	uint8_t value[1024] = {0};
	size_t size = gdb_register_size(arch, number);

	gdb_assert(size <= sizeof(value));
	if (!gdb_read_register(gdb.current, arch, number, value)) {
		printf("%-16s <unavailable>\n", arch->registers[number].name);
		return;
	}
	printf("%-16s ", arch->registers[number].name);
	if (size > 16)
		printf("%zu bytes %016" PRIx64 "\n", size, gdb_hash(value, size));
	for (size_t i = size; size <= 16 && i-- > 0;)
		printf("%02x%s", value[i], i ? "" : "\n");
}

/* Hidden are those that this wave has not, as the twins for other wave sizes. */
static bool exists(const struct gdb_arch *arch, size_t number)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};
	amd_dbgapi_register_exists_t answer;

	if (amd_dbgapi_wave_register_exists(wave, arch->registers[number].id, &answer) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	return answer == AMD_DBGAPI_REGISTER_PRESENT;
}

static bool in_class(const struct gdb_arch *arch, size_t number, const char *name)
{
	amd_dbgapi_register_class_state_t state;

	for (size_t i = 0; i < arch->class_count; i++)
		if (!strcmp(arch->class_names[i], name))
			return amd_dbgapi_register_is_in_register_class(
				       arch->classes[i], arch->registers[number].id, &state) ==
				       AMD_DBGAPI_STATUS_SUCCESS &&
			       state == AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER;
	return false;
}

void gdb_info_registers(const char *argument)
{
	const struct gdb_arch *arch;
	size_t shown = 0;

	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	arch = gdb_wave_arch(gdb.current);
	for (size_t i = 0; i < arch->register_count; i++) {
		if (!exists(arch, i) ||
		    !(argument && !strcmp(argument, "all")
			      ? true
			      : in_class(arch, i, argument ? argument : "general")))
			continue;
		show_register(arch, i);
		shown++;
	}
	printf("%zu registers\n", shown);
}

static amd_dbgapi_status_t symbolize(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	gdb_assert(id == (amd_dbgapi_symbolizer_id_t)(void *)&gdb);
	*text = gdb_allocate(32);
	snprintf(*text, 32, "<0x%" PRIx64 ">", address);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* As the code cache does: 64 bytes for the first access, and four at a time where that fails. */
static size_t read_code(uint64_t address, uint8_t *code, size_t size)
{
	size_t done = gdb_read_memory(address, code, size);

	for (size_t got; done < size; done += got) {
		got = gdb_read_memory(address + done, code + done, 4);
		if (!got)
			break;
	}
	return done;
}

void gdb_disassemble(const char *argument)
{
	long count = argument ? atol(argument) : 8;
	uint64_t address;
	uint8_t code[256];
	size_t have, at = 0;
	const struct gdb_arch *arch;

	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	arch = gdb_wave_arch(gdb.current);
	address = gdb_read_pc(gdb.current);
	have = read_code(address & ~(uint64_t)63, code, 64);
	if (have == 64)
		have += read_code((address & ~(uint64_t)63) + 64, code + 64, sizeof(code) - 64);
	at = address & 63;
	while (count-- > 0 && at < have) {
		amd_dbgapi_architecture_id_t id;
		amd_dbgapi_size_t size = have - at < 20 ? have - at : 20;
		char *text = NULL;

		gdb_check("get_architecture", amd_dbgapi_get_architecture(arch->machine, &id));
		if (amd_dbgapi_disassemble_instruction(id, (address & ~(uint64_t)63) + at, &size,
						       code + at, &text,
						       (amd_dbgapi_symbolizer_id_t)(void *)&gdb,
						       symbolize) != AMD_DBGAPI_STATUS_SUCCESS) {
			printf("   0x%" PRIx64 " <illegal instruction>\n",
			       (address & ~(uint64_t)63) + at);
			at += 4;
			continue;
		}
		gdb_assert(size > 0 && size <= arch->largest_instruction);
		printf("   0x%" PRIx64 " %s\n", (address & ~(uint64_t)63) + at, text);
		free(text);
		at += size;
	}
}

/* x/4wx ADDRESS, one word at a time; without an address the code. */
void gdb_examine(const char *argument)
{
	uint64_t address = argument ? strtoull(argument, NULL, 0) : 0;
	uint32_t word;

	if (!address && gdb.current)
		address = gdb_read_pc(gdb.current);
	for (int i = 0; i < 4; i++, address += sizeof(word)) {
		if (gdb_read_memory(address, &word, sizeof(word)) == sizeof(word))
			printf("0x%" PRIx64 ": 0x%08x\n", address, word);
		else
			printf("Cannot access memory at address 0x%" PRIx64 "\n", address);
	}
}

/* set $REGISTER = the value it has, with the lowest bit of the first byte turned; then back. */
void gdb_set_register(const char *argument)
{
	const struct gdb_arch *arch;
	uint8_t value[1024], read[1024];

	if (!gdb.current || !argument)
		return;
	arch = gdb_wave_arch(gdb.current);
	for (size_t i = 0; i < arch->register_count; i++) {
		if (strcmp(arch->registers[i].name, argument) || !exists(arch, i) ||
		    !gdb_read_register(gdb.current, arch, i, value))
			continue;
		value[0] ^= 1;
		gdb_write_register(gdb.current, arch, i, value);
		gdb_assert(gdb_read_register(gdb.current, arch, i, read));
		printf("set %s: %s\n", argument,
		       memcmp(read, value, gdb_register_size(arch, i)) ? "otherwise"
								       : "as written");
		value[0] ^= 1;
		gdb_write_register(gdb.current, arch, i, value);
		return;
	}
	printf("no register %s\n", argument);
}
