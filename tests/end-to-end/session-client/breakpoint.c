/* SPDX-License-Identifier: MIT */
/* A breakpoint at a symbol of the program, set as debuggers do: by writing over its instruction. */
#include "session.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

static uint64_t breakpoint_address;
static uint8_t saved_instruction[4];

/** The value of a symbol in an ELF file; 0 if it is not there. */
static uint64_t find_symbol(const char *path, const char *name)
{
	static char image[1 << 20];
	const Elf64_Ehdr *header = (const void *)image;
	const Elf64_Shdr *sections;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, image, sizeof(image));

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

void breakpoint_find(const char *symbol)
{
	amd_dbgapi_code_object_id_t *objects;
	amd_dbgapi_changed_t changed;
	size_t count;

	session_check("code objects", amd_dbgapi_process_code_object_list(session_process, &count,
									  &objects, &changed));
	printf("code objects %zu changed %d\n", count, (int)changed);
	for (size_t i = 0; i < count && objects; i++) {
		uint64_t load = 0, value;
		char *uri = NULL;

		session_check("URI", amd_dbgapi_code_object_get_info(
					     objects[i], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
					     sizeof(uri), &uri));
		session_check("load address",
			      amd_dbgapi_code_object_get_info(
				      objects[i], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
				      sizeof(load), &load));
		printf("code object %" PRIu64 " at 0x%" PRIx64 "\n", objects[i].handle, load);
		value = symbol && !strncmp(uri, "file://", 7) ? find_symbol(uri + 7, symbol) : 0;
		if (value)
			breakpoint_address = load + value;
		free(uri);
	}
	free(objects);
}

void breakpoint_set(amd_dbgapi_architecture_id_t architecture, bool insert)
{
	size_t size = sizeof(saved_instruction);
	uint8_t *trap = NULL;

	if (!breakpoint_address)
		return;
	session_check("breakpoint instruction",
		      amd_dbgapi_architecture_get_info(
			      architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
			      sizeof(trap), &trap));
	if (insert)
		session_check("read code",
			      amd_dbgapi_read_memory(session_process, AMD_DBGAPI_WAVE_NONE,
						     AMD_DBGAPI_LANE_NONE,
						     AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
						     breakpoint_address, &size, saved_instruction));
	session_check("write code",
		      amd_dbgapi_write_memory(session_process, AMD_DBGAPI_WAVE_NONE,
					      AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					      breakpoint_address, &size,
					      insert ? trap : saved_instruction));
	printf("breakpoint %s at 0x%" PRIx64 ", %zu bytes\n", insert ? "inserted" : "removed",
	       breakpoint_address, size);
	free(trap);
}

/* Each architecture has registers of its own. */
static amd_dbgapi_register_id_t find_pc_register(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_register_id_t pc_register;

	session_check("wave architecture",
		      amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					       sizeof(architecture), &architecture));
	session_check("pc register", amd_dbgapi_architecture_get_info(
					     architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
					     sizeof(pc_register), &pc_register));
	return pc_register;
}

void breakpoint_adjust_pcs(void)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count = session_list_waves(waves);

	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_register_id_t pc_register;
		uint32_t reason = 0;
		uint64_t pc = 0;

		if (amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STOP_REASON,
					     sizeof(reason), &reason) ||
		    !(reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT))
			continue;
		pc_register = find_pc_register(waves[i]);
		session_check("read pc",
			      amd_dbgapi_read_register(waves[i], pc_register, 0, sizeof(pc), &pc));
		if (pc != breakpoint_address + 4)
			continue;
		pc -= 4;
		session_check("write pc",
			      amd_dbgapi_write_register(waves[i], pc_register, 0, sizeof(pc), &pc));
	}
}
