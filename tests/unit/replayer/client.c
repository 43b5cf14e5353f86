/* SPDX-License-Identifier: MIT */
/*
 * A debugger in small, compiled against the public header alone: it prints everything it is told,
 * so that two runs of it can be compared. It must print the same over the simulated GPU, over a
 * recording library in front of that, and over a replay of the recording.
 *
 * Usage: client STYLE, where STYLE is `pump` (normal progress, events until there are none), `gdb`
 * (no progress while it looks, steps, all waves stopped), `write` (as gdb, and it changes what it
 * sees), or `break` (as gdb, and it keeps a breakpoint just ahead of a wave).
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 400
#define MAX_STEPS 12

static amd_dbgapi_process_id_t process;
static amd_dbgapi_architecture_id_t architecture;
static amd_dbgapi_address_space_id_t global, local, private_lane, private_wave, generic;
static bool writes, breaks, debugger;

static void *allocate(size_t size)
{
	return malloc(size ? size : 1);
}

static void deallocate(void *memory)
{
	free(memory);
}

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t id,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	amd_dbgapi_os_process_id_t pid = 17;

	printf("callback: process info %d for %s\n", (int)query, id ? "a process" : "none");
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(pid))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &pid, sizeof(pid));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert(amd_dbgapi_client_process_id_t id,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)id;
	printf("callback: breakpoint %" PRIu64 " at 0x%" PRIx64 "\n", breakpoint.handle, address);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t withdraw(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)id;
	printf("callback: no breakpoint %" PRIu64 "\n", breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read, const void *write)
{
	(void)id;
	(void)size;
	(void)read;
	(void)write;
	printf("callback: transfer at 0x%" PRIx64 "\n", address);
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *text)
{
	printf("log %d: %s\n", (int)level, text);
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = allocate,
	.deallocate_memory = deallocate,
	.client_process_get_info = process_info,
	.insert_breakpoint = insert,
	.remove_breakpoint = withdraw,
	.xfer_global_memory = transfer,
	.log_message = log_message,
};

/* FNV-1a: enough to see that two runs of bytes are the same. */
static uint64_t hash(const void *data, size_t size)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		value = (value ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
	return value;
}

static void say(const char *what, amd_dbgapi_status_t status)
{
	printf("%s: %d\n", what, (int)status);
}

/* ---- Before there is a process ---- */

static void print_registers(void)
{
	amd_dbgapi_register_id_t *registers;
	size_t count = 0;
	uint64_t sum = 0;

	say("register list",
	    amd_dbgapi_architecture_register_list(architecture, &count, &registers));
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
			sum = sum * 31 + hash(name, strlen(name)) + hash(type, strlen(type));
		free(name);
		free(type);
	}
	printf("%zu registers, %016" PRIx64 "\n", count, sum);
	if (count)
		free(registers);
}

static void print_classes(void)
{
	amd_dbgapi_register_class_id_t *classes;
	amd_dbgapi_register_id_t *registers;
	size_t class_count = 0, count = 0;

	amd_dbgapi_architecture_register_list(architecture, &count, &registers);
	say("class list",
	    amd_dbgapi_architecture_register_class_list(architecture, &class_count, &classes));
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

static void print_spaces(void)
{
	static const struct {
		uint64_t dwarf;
		amd_dbgapi_address_space_id_t *space;
	} spaces[] = {
		{0, &global}, {1, &generic}, {3, &local}, {5, &private_lane}, {6, &private_wave}};

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		amd_dbgapi_segment_address_t null_address = 0;
		char *name = NULL;

		say("space", amd_dbgapi_dwarf_address_space_to_address_space(
				     architecture, spaces[i].dwarf, spaces[i].space));
		amd_dbgapi_address_space_get_info(
			*spaces[i].space, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME, sizeof(name), &name);
		amd_dbgapi_address_space_get_info(*spaces[i].space,
						  AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS,
						  sizeof(null_address), &null_address);
		printf("space %s 0x%" PRIx64 "\n", name ? name : "?", null_address);
		free(name);
	}
}

static void print_architecture(void)
{
	amd_dbgapi_register_id_t pc = {0};
	uint32_t major, minor, patch;
	char *name = NULL;

	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("version %u.%u.%u, %s\n", major, minor, patch, amd_dbgapi_get_build_name());
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	say("initialize", amd_dbgapi_initialize(&callbacks));
	say("initialize again", amd_dbgapi_initialize(&callbacks));
	say("no architecture", amd_dbgapi_get_architecture(0x1, &architecture));
	say("architecture", amd_dbgapi_get_architecture(0x4c, &architecture));
	amd_dbgapi_architecture_get_info(architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME,
					 sizeof(name), &name);
	amd_dbgapi_architecture_get_info(architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
					 sizeof(pc), &pc);
	printf("%s, pc is %" PRIx64 "\n", name ? name : "?", pc.handle);
	free(name);
	print_registers();
	print_classes();
	print_spaces();
}

/* ---- The process ---- */

static void print_code_objects(void)
{
	amd_dbgapi_code_object_id_t *objects;
	amd_dbgapi_changed_t changed;
	size_t count = 0;

	say("code objects",
	    amd_dbgapi_process_code_object_list(process, &count, &objects, &changed));
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

static void print_queues(void)
{
	amd_dbgapi_queue_id_t *queues;
	size_t count = 0;

	say("queues", amd_dbgapi_process_queue_list(process, &count, &queues, NULL));
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
		       hash(packets, size));
		free(packets);
	}
	if (count)
		free(queues);
}

static void print_dispatches(void)
{
	amd_dbgapi_dispatch_id_t *dispatches;
	amd_dbgapi_workgroup_id_t *groups;
	amd_dbgapi_changed_t changed;
	size_t count = 0;

	say("dispatches", amd_dbgapi_process_dispatch_list(process, &count, &dispatches, &changed));
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
	say("workgroups", amd_dbgapi_process_workgroup_list(process, &count, &groups, &changed));
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
		amd_dbgapi_read_memory(process, wave, lane, space, address, &done, bytes);

	printf("  memory %" PRIu64 " 0x%" PRIx64 ": %d, %" PRIu64 " bytes, %016" PRIx64 "\n",
	       space.handle, address, (int)status, done,
	       status == AMD_DBGAPI_STATUS_SUCCESS ? hash(bytes, done) : 0);
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

	amd_dbgapi_read_memory(process, wave, AMD_DBGAPI_LANE_NONE, global, pc, &size, bytes);
	left = size;
	status = amd_dbgapi_disassemble_instruction(architecture, pc, &left, bytes, &text, NULL,
						    symbolize);
	printf("  %d %" PRIu64 " %s\n", (int)status, left, text ? text : "?");
	free(text);
	left = size;
	status = amd_dbgapi_classify_instruction(architecture, pc, &left, bytes, &kind, NULL,
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

	say("  registers", amd_dbgapi_wave_register_list(wave, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_size_t size = 0;
		uint8_t value[512];

		amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
					     sizeof(size), &size);
		if (size > sizeof(value) ||
		    amd_dbgapi_read_register(wave, registers[i], 0, size, value))
			failed++;
		else
			sum = sum * 31 + hash(value, size);
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
	print_memory(wave, AMD_DBGAPI_LANE_NONE, local, 0, 4096);
	print_memory(wave, 5, private_lane, 2, 64);
	print_memory(wave, AMD_DBGAPI_LANE_NONE, private_wave, 0, 4096);
	print_memory(wave, 0, generic, pc, 64);
	print_memory(wave, 70, global, pc, 64);
	print_memory(wave, 0, global, 16, 64);
	if (!amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch),
				      &dispatch) &&
	    !amd_dbgapi_dispatch_get_info(dispatch,
					  AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
					  sizeof(kernarg), &kernarg))
		print_memory(wave, 0, global, kernarg, 4096);
	status = amd_dbgapi_convert_address_space(wave, 3, private_lane, 8, private_wave,
						  &converted, &contiguous);
	printf("  converted %d 0x%" PRIx64 " %" PRIu64 "\n", (int)status, converted, contiguous);
}

static void print_wave(amd_dbgapi_wave_id_t wave)
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
		say("  pc",
		    amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
}

/* The waves, as many as there is time for; how many there are is the return value. */
static size_t print_waves(amd_dbgapi_wave_id_t **waves_ret)
{
	amd_dbgapi_changed_t changed;
	amd_dbgapi_wave_id_t *waves;
	size_t count = 0;

	say("waves", amd_dbgapi_process_wave_list(process, &count, &waves, &changed));
	printf("%zu, changed %d\n", count, (int)changed);
	if (count)
		free(waves);
	amd_dbgapi_process_wave_list(process, &count, waves_ret, NULL);
	for (size_t i = 0; i < count && i < 6; i++)
		print_wave((*waves_ret)[i]);
	return count;
}

/* ---- Events ---- */

static void print_event(amd_dbgapi_event_id_t event, amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_wave_id_t wave = {0};
	uint32_t runtime = 0;

	printf("event %" PRIu64 " kind %d\n", event.handle, (int)kind);
	if (kind == AMD_DBGAPI_EVENT_KIND_RUNTIME) {
		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
					  sizeof(runtime), &runtime);
		printf("  runtime %u\n", runtime);
	} else {
		uint32_t reason = 0;
		amd_dbgapi_status_t status;

		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave), &wave);
		status = amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						  sizeof(reason), &reason);
		printf("  wave %" PRIu64 ": %d, reason %x\n", wave.handle, (int)status, reason);
		say("  resume too early",
		    amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
					   AMD_DBGAPI_EXCEPTION_NONE));
	}
	say("  processed", amd_dbgapi_event_processed(event));
	say("  processed again", amd_dbgapi_event_processed(event));
}

/* Everything that is pending; how many events there were. */
static size_t pump(void)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	size_t count = 0;

	for (;;) {
		amd_dbgapi_status_t status =
			amd_dbgapi_process_next_pending_event(process, &event, &kind);

		if (status || kind == AMD_DBGAPI_EVENT_KIND_NONE) {
			printf("no more events: %d\n", (int)status);
			return count;
		}
		print_event(event, kind);
		count++;
	}
}

/* As GDB stops all: ask each wave that is not stopped, and wait for the answers. */
static void stop_all(const amd_dbgapi_wave_id_t *waves, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t state = 0;

		amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state),
					 &state);
		if (state == AMD_DBGAPI_WAVE_STATE_STOP)
			continue;
		printf("stop wave %" PRIu64 ": %d\n", waves[i].handle,
		       (int)amd_dbgapi_wave_stop(waves[i]));
		printf("again: %d\n", (int)amd_dbgapi_wave_stop(waves[i]));
	}
	pump();
}

/* Change things, and look at them again. */
static void change(amd_dbgapi_wave_id_t wave)
{
	static uint32_t pattern = 0x01020304;
	uint64_t pc = 0, exec = 0, kernarg = 0, odd;
	amd_dbgapi_register_id_t *registers;
	amd_dbgapi_dispatch_id_t dispatch = {0};
	amd_dbgapi_size_t size = 4;
	size_t count = 0;

	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc);
	if (amd_dbgapi_wave_register_list(wave, &count, &registers) || !count)
		return;
	for (size_t i = 0; i < count; i++) {
		char *name = NULL;
		amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
					     sizeof(name), &name);
		if (name && (!strcmp(name, "v5") || !strcmp(name, "vcc") || !strcmp(name, "mode") ||
			     !strcmp(name, "ttmp7") || !strcmp(name, "status"))) {
			say(name, amd_dbgapi_write_register(wave, registers[i], 0, 4, &pattern));
			pattern = pattern * 3 + 1;
		}
		if (name && !strcmp(name, "exec")) {
			amd_dbgapi_read_register(wave, registers[i], 0, 8, &exec);
			odd = 0;
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &odd);
			print_wave(wave);
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &exec);
		}
		if (name && !strcmp(name, "pc")) {
			odd = pc + 5;
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &odd);
			print_wave(wave);
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &pc);
		}
		free(name);
	}
	free(registers);
	print_wave(wave);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch), &dispatch);
	amd_dbgapi_dispatch_get_info(dispatch,
				     AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
				     sizeof(kernarg), &kernarg);
	say("write arguments' end",
	    amd_dbgapi_write_memory(process, wave, 0, global, kernarg + 2000, &size, &pattern));
	size = 4;
	say("write local", amd_dbgapi_write_memory(process, wave, 0, local, 8, &size, &pattern));
	size = 4;
	say("write private",
	    amd_dbgapi_write_memory(process, wave, 7, private_lane, 6, &size, &pattern));
	size = 4;
	say("write nowhere",
	    amd_dbgapi_write_memory(process, wave, 7, global, 64, &size, &pattern));
	print_wave(wave);
}

/* The address two instructions after @pc. */
static uint64_t ahead(amd_dbgapi_wave_id_t wave, uint64_t pc)
{
	for (int i = 0; i < 2; i++) {
		uint8_t bytes[16];
		amd_dbgapi_size_t size = sizeof(bytes);

		if (amd_dbgapi_read_memory(process, wave, AMD_DBGAPI_LANE_NONE, global, pc, &size,
					   bytes) ||
		    amd_dbgapi_disassemble_instruction(architecture, pc, &size, bytes, NULL, NULL,
						       NULL))
			return 0;
		pc += size;
	}
	return pc;
}

/* Take back the breakpoint that is set, and set one ahead of the wave. */
static void move_breakpoint(amd_dbgapi_wave_id_t wave)
{
	static uint8_t original[8];
	static uint64_t address;
	uint8_t *trap = NULL, now[8];
	amd_dbgapi_size_t size = 0;
	uint64_t pc = 0;

	amd_dbgapi_architecture_get_info(architecture,
					 AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE,
					 sizeof(size), &size);
	if (address)
		say("take back", amd_dbgapi_write_memory(process, wave, AMD_DBGAPI_LANE_NONE,
							 global, address, &size, original));
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc);
	address = ahead(wave, pc);
	printf("breakpoint at 0x%" PRIx64 "\n", address);
	if (!address || amd_dbgapi_architecture_get_info(
				architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
				sizeof(trap), &trap))
		return;
	amd_dbgapi_read_memory(process, wave, AMD_DBGAPI_LANE_NONE, global, address, &size,
			       original);
	say("insert", amd_dbgapi_write_memory(process, wave, AMD_DBGAPI_LANE_NONE, global, address,
					      &size, trap));
	amd_dbgapi_read_memory(process, wave, AMD_DBGAPI_LANE_NONE, global, address, &size, now);
	printf("there now: %016" PRIx64 "\n", hash(now, size));
	free(trap);
}

static void set_progress(amd_dbgapi_progress_t progress)
{
	if (debugger)
		say("progress", amd_dbgapi_process_set_progress(process, progress));
}

/* Let the stopped waves go on: those that have faulted stay, or nothing would ever end. */
static size_t resume(const amd_dbgapi_wave_id_t *waves, size_t count, bool step)
{
	size_t resumed = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t reason = 0;

		if (amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STOP_REASON,
					     sizeof(reason), &reason) ||
		    reason & (AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |
			      AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION |
			      AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP))
			continue;
		printf("resume wave %" PRIu64 ": %d\n", waves[i].handle,
		       (int)amd_dbgapi_wave_resume(waves[i],
						   step && i == 0 && !breaks
							   ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
							   : AMD_DBGAPI_RESUME_MODE_NORMAL,
						   AMD_DBGAPI_EXCEPTION_NONE));
		resumed++;
	}
	return resumed;
}

/* One stop: look at everything, change something, let go on. */
static size_t at_stop(unsigned round)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	size_t count, resumed;

	count = print_waves(&waves);
	if (debugger) {
		stop_all(waves, count);
		free(waves);
		count = print_waves(&waves);
	}
	print_dispatches();
	print_queues();
	if (writes && count)
		change(waves[round % count]);
	if (breaks && count)
		move_breakpoint(waves[0]);
	resumed = resume(waves, count, debugger && round < MAX_STEPS);
	free(waves);
	return resumed;
}

static void run(void)
{
	unsigned quiet = 0, stops = 0;

	for (unsigned round = 0; round < MAX_ROUNDS && quiet < 3; round++) {
		set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
		if (pump()) {
			quiet = 0;
			at_stop(stops++);
		} else {
			quiet++;
		}
		set_progress(AMD_DBGAPI_PROGRESS_NORMAL);
	}
	printf("%u stops\n", stops);
}

int main(int argc, char **argv)
{
	amd_dbgapi_process_id_t again = {5};
	amd_dbgapi_notifier_t notifier = -1;

	if (argc != 2)
		return 2;
	writes = !strcmp(argv[1], "write");
	breaks = !strcmp(argv[1], "break");
	debugger = writes || breaks || !strcmp(argv[1], "gdb");
	print_architecture();
	say("attach",
	    amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&process, &process));
	say("attach again",
	    amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&process, &again));
	say("notifier", amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						    sizeof(notifier), &notifier));
	print_code_objects();
	print_queues();
	run();
	say("detach", amd_dbgapi_process_detach(process));
	say("detach again", amd_dbgapi_process_detach(process));
	say("finalize", amd_dbgapi_finalize());
	return 0;
}
