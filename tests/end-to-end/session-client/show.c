/* SPDX-License-Identifier: MIT */
/* What there is, and what the library says of it: of large things only a sum. */
#include "session.h"

#include <inttypes.h>

static uint64_t fnv1a(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

struct triple {
	uint32_t values[3];
};

struct short_triple {
	uint16_t values[3];
};

void show_agents(void)
{
	amd_dbgapi_agent_id_t *agents;
	amd_dbgapi_changed_t changed;
	size_t count;

	session_check("agent list",
		      amd_dbgapi_process_agent_list(session_process, &count, &agents, &changed));
	printf("agents %zu changed %d\n", count, (int)changed);
	for (size_t i = 0; i < count; i++) {
		printf("agent %" PRIu64, agents[i].handle);
		SHOW_TEXT(amd_dbgapi_agent_get_info, agents[i], AMD_DBGAPI_AGENT_INFO_NAME);
		SHOW(amd_dbgapi_agent_get_info, agents[i], AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
		     uint64_t);
		SHOW(amd_dbgapi_agent_get_info, agents[i], AMD_DBGAPI_AGENT_INFO_STATE, uint32_t);
		SHOW(amd_dbgapi_agent_get_info, agents[i], AMD_DBGAPI_AGENT_INFO_OS_ID, uint64_t);
		putchar('\n');
	}
	free(agents);
}

void show_queues(void)
{
	amd_dbgapi_queue_id_t *queues;
	amd_dbgapi_changed_t changed;
	size_t count;

	session_check("queue list",
		      amd_dbgapi_process_queue_list(session_process, &count, &queues, &changed));
	printf("queues %zu changed %d\n", count, (int)changed);
	for (size_t i = 0; i < count && queues; i++) {
		amd_dbgapi_os_queue_packet_id_t first = 0, past = 0;
		amd_dbgapi_status_t status;
		void *bytes = NULL;
		size_t size = 0;

		printf("queue %" PRIu64, queues[i].handle);
		SHOW(amd_dbgapi_queue_get_info, queues[i], AMD_DBGAPI_QUEUE_INFO_AGENT, uint64_t);
		SHOW(amd_dbgapi_queue_get_info, queues[i], AMD_DBGAPI_QUEUE_INFO_TYPE, uint32_t);
		SHOW(amd_dbgapi_queue_get_info, queues[i], AMD_DBGAPI_QUEUE_INFO_STATE, uint32_t);
		SHOW(amd_dbgapi_queue_get_info, queues[i], AMD_DBGAPI_QUEUE_INFO_ADDRESS, uint64_t);
		SHOW(amd_dbgapi_queue_get_info, queues[i], AMD_DBGAPI_QUEUE_INFO_SIZE, uint64_t);
		status = amd_dbgapi_queue_packet_list(queues[i], &first, &past, &size, &bytes);
		printf(" packets %d %" PRIu64 "..%" PRIu64 " %zu bytes %016" PRIx64 "\n",
		       (int)status, first, past, size, fnv1a(bytes, size));
		free(bytes);
	}
	free(queues);
}

void show_dispatches(void)
{
	amd_dbgapi_dispatch_id_t *dispatches;
	amd_dbgapi_changed_t changed;
	size_t count;

	session_check("dispatch list", amd_dbgapi_process_dispatch_list(session_process, &count,
									&dispatches, &changed));
	printf("dispatches %zu changed %d\n", count, (int)changed);
	for (size_t i = 0; i < count && dispatches; i++) {
		amd_dbgapi_dispatch_id_t id = dispatches[i];

		printf("dispatch %" PRIu64, id.handle);
		SHOW(amd_dbgapi_dispatch_get_info, id, AMD_DBGAPI_DISPATCH_INFO_QUEUE, uint64_t);
		SHOW(amd_dbgapi_dispatch_get_info, id, AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID,
		     uint64_t);
		SHOW(amd_dbgapi_dispatch_get_info, id, AMD_DBGAPI_DISPATCH_INFO_GRID_DIMENSIONS,
		     uint32_t);
		SHOW(amd_dbgapi_dispatch_get_info, id, AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES,
		     struct short_triple);
		SHOW(amd_dbgapi_dispatch_get_info, id, AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES,
		     struct triple);
		SHOW(amd_dbgapi_dispatch_get_info, id,
		     AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, uint64_t);
		SHOW(amd_dbgapi_dispatch_get_info, id,
		     AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, uint64_t);
		SHOW(amd_dbgapi_dispatch_get_info, id, AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE,
		     uint64_t);
		putchar('\n');
	}
	free(dispatches);
}

void show_architecture(amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_register_id_t *registers;
	uint64_t hash = 0;
	size_t count;

	printf("architecture");
	SHOW_TEXT(amd_dbgapi_architecture_get_info, architecture,
		  AMD_DBGAPI_ARCHITECTURE_INFO_NAME);
	SHOW(amd_dbgapi_architecture_get_info, architecture,
	     AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE, uint64_t);
	SHOW(amd_dbgapi_architecture_get_info, architecture,
	     AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE, uint64_t);
	SHOW(amd_dbgapi_architecture_get_info, architecture,
	     AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, uint64_t);
	session_check("register list",
		      amd_dbgapi_architecture_register_list(architecture, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		uint64_t dwarf = 0;
		char *text = NULL;

		session_check("register name", amd_dbgapi_register_get_info(
						       registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
						       sizeof(text), &text));
		hash = hash * 31 + fnv1a(text, strlen(text));
		free(text);
		session_check("register type", amd_dbgapi_register_get_info(
						       registers[i], AMD_DBGAPI_REGISTER_INFO_TYPE,
						       sizeof(text), &text));
		hash = hash * 31 + fnv1a(text, strlen(text));
		free(text);
		if (amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_DWARF,
						 sizeof(dwarf),
						 &dwarf) == AMD_DBGAPI_STATUS_SUCCESS)
			hash = hash * 31 + dwarf;
	}
	printf(" registers=%zu %016" PRIx64 "\n", count, hash);
	free(registers);
}

static void show_instruction(amd_dbgapi_wave_id_t wave, amd_dbgapi_architecture_id_t architecture,
			     uint64_t address)
{
	uint8_t code[8] = {0};
	amd_dbgapi_size_t length;
	size_t size = sizeof(code);
	char *text = NULL;
	amd_dbgapi_instruction_kind_t kind = 0;
	amd_dbgapi_instruction_properties_t properties = 0;
	amd_dbgapi_status_t status = amd_dbgapi_read_memory(
		session_process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size, code);

	printf("  code at pc: %d %zu", (int)status, size);
	for (size_t i = 0; i < size && i < 8; i++)
		printf(" %02x", code[i]);
	length = size;
	status = amd_dbgapi_disassemble_instruction(architecture, address, &length, code, &text,
						    NULL, NULL);
	printf(" disassembled %d \"%s\"", (int)status, text ? text : "");
	free(text);
	length = size;
	status = amd_dbgapi_classify_instruction(architecture, address, &length, code, &kind,
						 &properties, NULL);
	printf(" kind %d %d\n", (int)status, (int)kind);
}

static void show_registers(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_id_t *registers;
	size_t count;

	session_check("wave register list",
		      amd_dbgapi_wave_register_list(wave, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_register_exists_t exists = 0;
		uint8_t value[512] = {0};
		uint64_t size = 0;
		amd_dbgapi_status_t status;
		char *name = NULL;

		session_check("register name", amd_dbgapi_register_get_info(
						       registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
						       sizeof(name), &name));
		session_check("register size", amd_dbgapi_register_get_info(
						       registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
						       sizeof(size), &size));
		session_check("register exists",
			      amd_dbgapi_wave_register_exists(wave, registers[i], &exists));
		status = amd_dbgapi_read_register(wave, registers[i], 0, size, value);
		if (size <= 8)
			printf("  %s %d %d %016" PRIx64 "\n", name, (int)exists, (int)status,
			       *(uint64_t *)(void *)value);
		else
			printf("  %s %d %d hash %016" PRIx64 "\n", name, (int)exists, (int)status,
			       fnv1a(value, size));
		free(name);
	}
	free(registers);
}

static void show_spaces(amd_dbgapi_wave_id_t wave, amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_address_space_id_t *spaces;
	size_t count;

	session_check("address spaces",
		      amd_dbgapi_architecture_address_space_list(architecture, &count, &spaces));
	for (size_t i = 0; i < count; i++) {
		uint8_t data[256] = {0};
		size_t size = sizeof(data);
		char *name = NULL;
		amd_dbgapi_status_t status;

		session_check("address space name",
			      amd_dbgapi_address_space_get_info(spaces[i],
								AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME,
								sizeof(name), &name));
		status = amd_dbgapi_read_memory(session_process, wave, 0, spaces[i], 16, &size,
						data);
		printf("  space %s at 16: %d %zu %016" PRIx64 "\n", name, (int)status, size,
		       status == AMD_DBGAPI_STATUS_SUCCESS ? fnv1a(data, size) : 0);
		free(name);
	}
	free(spaces);
}

void show_wave(amd_dbgapi_wave_id_t wave, bool registers)
{
	amd_dbgapi_architecture_id_t architecture;
	uint64_t pc = 0;

	printf("wave %" PRIu64, wave.handle);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_STATE, uint32_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, uint32_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_PC, uint64_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, uint64_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, struct triple);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
	     uint32_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP, uint64_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, uint64_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, uint64_t);
	putchar('\n');
	if (!registers || amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc),
						   &pc) != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	session_check("wave architecture",
		      amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					       sizeof(architecture), &architecture));
	show_instruction(wave, architecture, pc);
	show_registers(wave);
	show_spaces(wave, architecture);
}
