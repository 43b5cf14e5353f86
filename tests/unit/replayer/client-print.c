/* SPDX-License-Identifier: MIT */
/* Everything that a client is told of the architecture and of the process, printed. */
#include "client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t client_hash(const void *data, size_t size)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		value = (value ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
	return value;
}

void client_say(const char *what, amd_dbgapi_status_t status)
{
	printf("%s: %d\n", what, (int)status);
}

/* ---- The architecture ---- */

void client_print_registers(void)
{
	amd_dbgapi_register_id_t *registers;
	size_t count = 0;
	uint64_t sum = 0;

	client_say("register list",
		   amd_dbgapi_architecture_register_list(client.architecture, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_size_t size = 0;
		char *name = NULL, *type = NULL;

		amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
					     sizeof(name), &name);
		amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_TYPE,
					     sizeof(type), &type);
		amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
					     sizeof(size), &size);
		sum = sum * 31 + registers[i].handle + size;
		if (name && type)
			sum = sum * 31 + client_hash(name, strlen(name)) +
			      client_hash(type, strlen(type));
		free(name);
		free(type);
	}
	printf("%zu registers, %016" PRIx64 "\n", count, sum);
	if (count)
		free(registers);
}

void client_print_classes(void)
{
	amd_dbgapi_register_class_id_t *classes;
	amd_dbgapi_register_id_t *registers;
	size_t class_count = 0, count = 0;

	amd_dbgapi_architecture_register_list(client.architecture, &count, &registers);
	client_say("class list", amd_dbgapi_architecture_register_class_list(
					 client.architecture, &class_count, &classes));
	for (size_t i = 0; i < class_count; i++) {
		char *name = NULL;
		size_t members = 0;

		amd_dbgapi_architecture_register_class_get_info(
			classes[i], AMD_DBGAPI_REGISTER_CLASS_INFO_NAME, sizeof(name), &name);
		for (size_t j = 0; j < count; j++) {
			amd_dbgapi_register_class_state_t state;

			if (!amd_dbgapi_register_is_in_register_class(classes[i], registers[j],
								      &state) &&
			    state == AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER)
				members++;
		}
		printf("class %s: %zu\n", name ? name : "?", members);
		free(name);
	}
	if (class_count)
		free(classes);
	if (count)
		free(registers);
}

void client_print_spaces(void)
{
	static const struct {
		uint64_t dwarf;
		amd_dbgapi_address_space_id_t *space;
	} spaces[] = {{0, &client.global},
		      {1, &client.generic},
		      {3, &client.local},
		      {5, &client.private_lane},
		      {6, &client.private_wave}};

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		amd_dbgapi_segment_address_t null_address = 0;
		char *name = NULL;

		client_say("space", amd_dbgapi_dwarf_address_space_to_address_space(
					    client.architecture, spaces[i].dwarf, spaces[i].space));
		amd_dbgapi_address_space_get_info(
			*spaces[i].space, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME, sizeof(name), &name);
		amd_dbgapi_address_space_get_info(*spaces[i].space,
						  AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS,
						  sizeof(null_address), &null_address);
		printf("space %s 0x%" PRIx64 "\n", name ? name : "?", null_address);
		free(name);
	}
}

/* ---- The process ---- */

void client_print_code_objects(void)
{
	amd_dbgapi_code_object_id_t *objects;
	amd_dbgapi_changed_t changed;
	size_t count = 0;

	client_say("code objects",
		   amd_dbgapi_process_code_object_list(client.process, &count, &objects, &changed));
	printf("%zu, changed %d\n", count, (int)changed);
	for (size_t i = 0; i < count; i++) {
		ptrdiff_t load = 0;
		char *uri = NULL;

		amd_dbgapi_code_object_get_info(objects[i], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
						sizeof(uri), &uri);
		amd_dbgapi_code_object_get_info(
			objects[i], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, sizeof(load), &load);
		printf("code object %" PRIu64 " %s at %tx\n", objects[i].handle, uri ? uri : "?",
		       load);
		free(uri);
	}
	if (count)
		free(objects);
}

void client_print_queues(void)
{
	amd_dbgapi_queue_id_t *queues;
	size_t count = 0;

	client_say("queues", amd_dbgapi_process_queue_list(client.process, &count, &queues, NULL));
	for (size_t i = 0; i < count; i++) {
		uint64_t first = 0, last = 0, address = 0;
		void *packets = NULL;
		size_t size = 0;
		amd_dbgapi_status_t status =
			amd_dbgapi_queue_packet_list(queues[i], &first, &last, &size, &packets);

		amd_dbgapi_queue_get_info(queues[i], AMD_DBGAPI_QUEUE_INFO_ADDRESS, sizeof(address),
					  &address);
		printf("queue %" PRIu64 " at %" PRIx64 ": %d, packets %" PRIu64 "..%" PRIu64
		       ", %zu bytes, %016" PRIx64 "\n",
		       queues[i].handle, address, (int)status, first, last, size,
		       client_hash(packets, size));
		free(packets);
	}
	if (count)
		free(queues);
}

void client_print_dispatches(void)
{
	amd_dbgapi_dispatch_id_t *dispatches;
	amd_dbgapi_workgroup_id_t *groups;
	amd_dbgapi_changed_t changed;
	size_t count = 0;

	client_say("dispatches",
		   amd_dbgapi_process_dispatch_list(client.process, &count, &dispatches, &changed));
	printf("changed %d\n", (int)changed);
	for (size_t i = 0; i < count; i++) {
		uint64_t entry = 0, arguments = 0;
		uint32_t grid[3] = {0};

		amd_dbgapi_dispatch_get_info(dispatches[i],
					     AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
					     sizeof(entry), &entry);
		amd_dbgapi_dispatch_get_info(
			dispatches[i], AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
			sizeof(arguments), &arguments);
		amd_dbgapi_dispatch_get_info(dispatches[i], AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES,
					     sizeof(grid), grid);
		printf("dispatch %" PRIu64 " %" PRIx64 " %" PRIx64 " %u\n", dispatches[i].handle,
		       entry, arguments, grid[0]);
	}
	if (count)
		free(dispatches);
	client_say("workgroups",
		   amd_dbgapi_process_workgroup_list(client.process, &count, &groups, &changed));
	printf("%zu, changed %d\n", count, (int)changed);
	if (count)
		free(groups);
}

static void print_memory(amd_dbgapi_wave_id_t wave, uint32_t lane,
			 amd_dbgapi_address_space_id_t space, uint64_t address, size_t size)
{
	uint8_t bytes[4096];
	amd_dbgapi_size_t done = size;
	amd_dbgapi_status_t status =
		amd_dbgapi_read_memory(client.process, wave, lane, space, address, &done, bytes);

	printf("  memory %" PRIu64 " 0x%" PRIx64 ": %d, %" PRIu64 " bytes, %016" PRIx64 "\n",
	       space.handle, address, (int)status, done,
	       status == AMD_DBGAPI_STATUS_SUCCESS ? client_hash(bytes, done) : 0);
}

static amd_dbgapi_status_t symbolize(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	(void)id;
	return asprintf(text, "symbol_%" PRIx64, address) < 0 ? AMD_DBGAPI_STATUS_ERROR
							      : AMD_DBGAPI_STATUS_SUCCESS;
}

static void print_instruction(amd_dbgapi_wave_id_t wave, uint64_t pc)
{
	amd_dbgapi_instruction_kind_t kind = AMD_DBGAPI_INSTRUCTION_KIND_UNKNOWN;
	uint8_t bytes[16] = {0};
	amd_dbgapi_size_t size = sizeof(bytes), left;
	amd_dbgapi_status_t status;
	void *information = NULL;
	char *text = NULL;

	amd_dbgapi_read_memory(client.process, wave, AMD_DBGAPI_LANE_NONE, client.global, pc, &size,
			       bytes);
	left = size;
	status = amd_dbgapi_disassemble_instruction(client.architecture, pc, &left, bytes, &text,
						    NULL, symbolize);
	printf("  %d %" PRIu64 " %s\n", (int)status, left, text ? text : "?");
	free(text);
	left = size;
	status = amd_dbgapi_classify_instruction(client.architecture, pc, &left, bytes, &kind, NULL,
						 &information);
	printf("  classified %d %d\n", (int)status, (int)kind);
	free(information);
}

static void print_wave_registers(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_id_t *registers;
	size_t count = 0;
	uint64_t sum = 0;
	int failed = 0;

	client_say("  registers", amd_dbgapi_wave_register_list(wave, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_size_t size = 0;
		uint8_t value[512];

		amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
					     sizeof(size), &size);
		if (size > sizeof(value) ||
		    amd_dbgapi_read_register(wave, registers[i], 0, size, value))
			failed++;
		else
			sum = sum * 31 + client_hash(value, size);
	}
	printf("  %zu registers, %d failed, %016" PRIx64 "\n", count, failed, sum);
	if (count)
		free(registers);
}

static void print_stopped_wave(amd_dbgapi_wave_id_t wave)
{
	uint64_t pc = 0, exec = 0, kernarg = 0;
	amd_dbgapi_dispatch_id_t dispatch;
	amd_dbgapi_segment_address_t converted = 0;
	amd_dbgapi_size_t contiguous = 0;
	amd_dbgapi_status_t status;
	uint32_t reason = 0;

	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason), &reason);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, sizeof(exec), &exec);
	printf("  reason %x pc %" PRIx64 " exec %" PRIx64 "\n", reason, pc, exec);
	print_instruction(wave, pc);
	print_wave_registers(wave);
	print_memory(wave, AMD_DBGAPI_LANE_NONE, client.local, 0, 4096);
	print_memory(wave, 5, client.private_lane, 2, 64);
	print_memory(wave, AMD_DBGAPI_LANE_NONE, client.private_wave, 0, 4096);
	print_memory(wave, 0, client.generic, pc, 64);
	print_memory(wave, 70, client.global, pc, 64);
	print_memory(wave, 0, client.global, 16, 64);
	if (!amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch),
				      &dispatch) &&
	    !amd_dbgapi_dispatch_get_info(dispatch,
					  AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
					  sizeof(kernarg), &kernarg))
		print_memory(wave, 0, client.global, kernarg, 4096);
	status = amd_dbgapi_convert_address_space(client.process, wave, 3, client.private_lane, 8,
						  client.private_wave, &converted, &contiguous);
	printf("  converted %d 0x%" PRIx64 " %" PRIu64 "\n", (int)status, converted, contiguous);
}

void client_print_wave(amd_dbgapi_wave_id_t wave)
{
	uint32_t state = 0, coordinates[3] = {0}, number = 0;
	size_t lanes = 0;
	uint64_t pc;

	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, sizeof(coordinates),
				 coordinates);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
				 sizeof(number), &number);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, sizeof(lanes), &lanes);
	printf("wave %" PRIu64 " (%u,%u,%u)/%u state %u, %zu lanes\n", wave.handle, coordinates[0],
	       coordinates[1], coordinates[2], number, state, lanes);
	if (state == AMD_DBGAPI_WAVE_STATE_STOP)
		print_stopped_wave(wave);
	else
		client_say("  pc", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC,
							    sizeof(pc), &pc));
}

size_t client_print_waves(amd_dbgapi_wave_id_t **waves_ret)
{
	amd_dbgapi_changed_t changed;
	amd_dbgapi_wave_id_t *waves;
	size_t count = 0;

	client_say("waves", amd_dbgapi_process_wave_list(client.process, &count, &waves, &changed));
	printf("%zu, changed %d\n", count, (int)changed);
	if (count)
		free(waves);
	amd_dbgapi_process_wave_list(client.process, &count, waves_ret, NULL);
	for (size_t i = 0; i < count && i < 6; i++)
		client_print_wave((*waves_ret)[i]);
	return count;
}
