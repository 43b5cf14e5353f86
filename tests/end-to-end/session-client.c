/* SPDX-License-Identifier: MIT */
/*
 * A client of the API that knows nothing but the public header: it debugs whatever the library it is
 * started over offers, in the order of calls that a debugger has, and prints all it learns. Its output over the
 * simulated GPU and over a trace of that session must be the same bytes.
 *
 * Usage: session-client [--break SYMBOL] [--steps N] [--alone N] [--stops N] [--kill-at N] [--lines 1]
 *
 * After a stop the first wave makes a step, as often as --steps says, while the others run. The first of these
 * steps, as many as --alone says, it makes while the others stay where they are.
 * With --kill-at it ends by SIGKILL after it has shown that stop, as a process does that is killed in the middle.
 * With --lines each line is written at once, for who reads along.
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WAVES 4096
#define PUMP_LIMIT 100000
#define SHOWN_FAULT_PAGES 4

static amd_dbgapi_process_id_t process;
static amd_dbgapi_notifier_t notifier = -1;
static const char *break_symbol;
static long max_steps, max_alone, max_stops = 8, kill_at;

/* ---- Callbacks ---- */

static size_t allocations;

/* Not malloc() itself: who allocates shall be seen to be this program. */
static void *allocate_memory(size_t size)
{
	void *memory = malloc(size);

	allocations += memory != NULL;
	return memory;
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = 4242;

	(void)client;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	printf("callback insert_breakpoint 0x%" PRIx64 " #%" PRIu64 "\n", address,
	       breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	printf("callback remove_breakpoint #%" PRIu64 "\n", breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t client,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)client;
	(void)address;
	(void)read_buffer;
	(void)write_buffer;
	*size = 0;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	printf("log %d: %s\n", (int)level, message);
}

/* ---- Helpers ---- */

static void fail(const char *what, amd_dbgapi_status_t status)
{
	const char *text = "?";

	amd_dbgapi_get_status_string(status, &text);
	printf("FAILED %s: %d %s\n", what, (int)status, text);
	fflush(stdout);
	exit(1);
}

static void check(const char *what, amd_dbgapi_status_t status)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		fail(what, status);
}

static uint64_t fnv1a(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/** Print one query of an object: the value in hex, or the status. */
#define SHOW(function, id, query, type)                                                            \
	do {                                                                                       \
		type value_;                                                                       \
		amd_dbgapi_status_t status_;                                                       \
                                                                                                   \
		memset(&value_, 0, sizeof(value_));                                                \
		status_ = function(id, query, sizeof(value_), &value_);                            \
		printf(" %s=", &(#query)[strlen("AMD_DBGAPI_")]);                                  \
		if (status_ != AMD_DBGAPI_STATUS_SUCCESS)                                          \
			printf("!%d", (int)status_);                                               \
		else                                                                               \
			for (size_t i_ = sizeof(value_); i_ > 0; i_--)                             \
				printf("%02x", ((const uint8_t *)&value_)[i_ - 1]);                \
	} while (0)

#define SHOW_TEXT(function, id, query)                                                             \
	do {                                                                                       \
		char *text_ = NULL;                                                                \
		amd_dbgapi_status_t status_ = function(id, query, sizeof(text_), &text_);          \
                                                                                                   \
		printf(" %s=", &(#query)[strlen("AMD_DBGAPI_")]);                                  \
		if (status_ != AMD_DBGAPI_STATUS_SUCCESS)                                          \
			printf("!%d", (int)status_);                                               \
		else                                                                               \
			printf("\"%s\"", text_);                                                   \
		free(text_);                                                                       \
	} while (0)

struct triple {
	uint32_t values[3];
};

struct short_triple {
	uint16_t values[3];
};

/* ---- What there is ---- */

static void show_agents(void)
{
	amd_dbgapi_agent_id_t *agents;
	amd_dbgapi_changed_t changed;
	size_t count;

	check("agent list", amd_dbgapi_process_agent_list(process, &count, &agents, &changed));
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

static void show_queues(void)
{
	amd_dbgapi_queue_id_t *queues;
	amd_dbgapi_changed_t changed;
	size_t count;

	check("queue list", amd_dbgapi_process_queue_list(process, &count, &queues, &changed));
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

static void show_dispatches(void)
{
	amd_dbgapi_dispatch_id_t *dispatches;
	amd_dbgapi_changed_t changed;
	size_t count;

	check("dispatch list",
	      amd_dbgapi_process_dispatch_list(process, &count, &dispatches, &changed));
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

static void show_architecture(amd_dbgapi_architecture_id_t architecture)
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
	check("register list",
	      amd_dbgapi_architecture_register_list(architecture, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		uint64_t dwarf = 0;
		char *text = NULL;

		check("register name",
		      amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
						   sizeof(text), &text));
		hash = hash * 31 + fnv1a(text, strlen(text));
		free(text);
		check("register type",
		      amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_TYPE,
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
		process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size, code);

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

	check("wave register list", amd_dbgapi_wave_register_list(wave, &count, &registers));
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_register_exists_t exists = 0;
		uint8_t value[512] = {0};
		uint64_t size = 0;
		amd_dbgapi_status_t status;
		char *name = NULL;

		check("register name",
		      amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
						   sizeof(name), &name));
		check("register size",
		      amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
						   sizeof(size), &size));
		check("register exists",
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

	check("address spaces",
	      amd_dbgapi_architecture_address_space_list(architecture, &count, &spaces));
	for (size_t i = 0; i < count; i++) {
		uint8_t data[256] = {0};
		size_t size = sizeof(data);
		char *name = NULL;
		amd_dbgapi_status_t status;

		check("address space name",
		      amd_dbgapi_address_space_get_info(
			      spaces[i], AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME, sizeof(name), &name));
		status = amd_dbgapi_read_memory(process, wave, 0, spaces[i], 16, &size, data);
		printf("  space %s at 16: %d %zu %016" PRIx64 "\n", name, (int)status, size,
		       status == AMD_DBGAPI_STATUS_SUCCESS ? fnv1a(data, size) : 0);
		free(name);
	}
	free(spaces);
}

static void show_wave(amd_dbgapi_wave_id_t wave, bool registers)
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
	check("wave architecture", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
							    sizeof(architecture), &architecture));
	show_instruction(wave, architecture, pc);
	show_registers(wave);
	show_spaces(wave, architecture);
}

/* ---- Events ---- */

/** Wait for the notifier, empty it as clients do, and take one event. */
static amd_dbgapi_event_id_t next_event(amd_dbgapi_event_kind_t *kind)
{
	amd_dbgapi_event_id_t event;

	check("next event", amd_dbgapi_process_next_pending_event(process, &event, kind));
	return event;
}

static void drain_notifier(void)
{
	ssize_t got;
	char byte;

	do {
		got = read(notifier, &byte, 1);
	} while (got == 1 || (got < 0 && errno == EINTR));
}

/** Take all events there are; how many were stops. */
static size_t pump(void)
{
	amd_dbgapi_event_kind_t kind;
	size_t stops = 0;

	for (;;) {
		amd_dbgapi_event_id_t event = next_event(&kind);

		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			return stops;
		printf("event %" PRIu64 " kind %d", event.handle, (int)kind);
		SHOW(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_PROCESS, uint64_t);
		SHOW(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_WAVE, uint64_t);
		SHOW(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
		     uint32_t);
		putchar('\n');
		check("event processed", amd_dbgapi_event_processed(event));
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
		    kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED)
			stops++;
	}
}

static size_t list_waves(amd_dbgapi_wave_id_t *waves)
{
	amd_dbgapi_wave_id_t *list;
	size_t count;

	check("wave list", amd_dbgapi_process_wave_list(process, &count, &list, NULL));
	if (count > MAX_WAVES)
		count = MAX_WAVES;
	if (count)
		memcpy(waves, list, count * sizeof(*waves));
	free(list);
	return count;
}

static amd_dbgapi_wave_state_t wave_state(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_wave_state_t state = 0;

	if (amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return state;
}

static void stop_all(void)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count = list_waves(waves), asked = 0;

	for (size_t i = 0; i < count; i++)
		if (wave_state(waves[i]) != AMD_DBGAPI_WAVE_STATE_STOP &&
		    amd_dbgapi_wave_stop(waves[i]) == AMD_DBGAPI_STATUS_SUCCESS)
			asked++;
	printf("asked %zu waves to stop\n", asked);
	for (size_t came = 0, rounds = 0; came < asked && rounds < PUMP_LIMIT; rounds++)
		came += pump();
}

/** Resume the waves, or the first one @alone; it makes a step if @step. False: there was a fault. */
static bool resume(bool step, bool alone)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count = list_waves(waves);

	for (size_t i = 0; i < count; i++) {
		uint32_t reason = 0;

		amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason),
					 &reason);
		if (reason & ~(uint32_t)(AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP |
					 AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT |
					 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP))
			return false;
	}
	for (size_t i = 0; i < (alone && count ? 1 : count); i++)
		printf("resume %" PRIu64 ": %d\n", waves[i].handle,
		       (int)amd_dbgapi_wave_resume(waves[i],
						   i == 0 && step
							   ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
							   : AMD_DBGAPI_RESUME_MODE_NORMAL,
						   AMD_DBGAPI_EXCEPTION_NONE));
	return true;
}

/* ---- Breakpoints ---- */

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

static uint64_t breakpoint_address;
static uint8_t saved_instruction[4];

static void show_code_objects(void)
{
	amd_dbgapi_code_object_id_t *objects;
	amd_dbgapi_changed_t changed;
	size_t count;

	check("code objects",
	      amd_dbgapi_process_code_object_list(process, &count, &objects, &changed));
	printf("code objects %zu changed %d\n", count, (int)changed);
	for (size_t i = 0; i < count && objects; i++) {
		uint64_t load = 0, symbol;
		char *uri = NULL;

		check("URI", amd_dbgapi_code_object_get_info(objects[i],
							     AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
							     sizeof(uri), &uri));
		check("load address", amd_dbgapi_code_object_get_info(
					      objects[i], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
					      sizeof(load), &load));
		printf("code object %" PRIu64 " at 0x%" PRIx64 "\n", objects[i].handle, load);
		symbol = break_symbol && !strncmp(uri, "file://", 7)
				 ? find_symbol(uri + 7, break_symbol)
				 : 0;
		if (symbol)
			breakpoint_address = load + symbol;
		free(uri);
	}
	free(objects);
}

static void set_breakpoint(amd_dbgapi_architecture_id_t architecture, bool insert)
{
	size_t size = sizeof(saved_instruction);
	uint8_t *trap = NULL;

	if (!breakpoint_address)
		return;
	check("breakpoint instruction",
	      amd_dbgapi_architecture_get_info(architecture,
					       AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
					       sizeof(trap), &trap));
	if (insert)
		check("read code",
		      amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					     AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, breakpoint_address,
					     &size, saved_instruction));
	check("write code",
	      amd_dbgapi_write_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
				      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, breakpoint_address, &size,
				      insert ? trap : saved_instruction));
	printf("breakpoint %s at 0x%" PRIx64 ", %zu bytes\n", insert ? "inserted" : "removed",
	       breakpoint_address, size);
	free(trap);
}

/** As debuggers do after a breakpoint: the pc goes back to the instruction that was replaced. */
static void adjust_pcs(amd_dbgapi_architecture_id_t architecture)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count = list_waves(waves);
	amd_dbgapi_register_id_t pc_register;

	check("pc register", amd_dbgapi_architecture_get_info(
				     architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
				     sizeof(pc_register), &pc_register));
	for (size_t i = 0; i < count; i++) {
		uint32_t reason = 0;
		uint64_t pc = 0;

		if (amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STOP_REASON,
					     sizeof(reason), &reason) ||
		    !(reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT))
			continue;
		check("read pc",
		      amd_dbgapi_read_register(waves[i], pc_register, 0, sizeof(pc), &pc));
		if (pc != breakpoint_address + 4)
			continue;
		pc -= 4;
		check("write pc",
		      amd_dbgapi_write_register(waves[i], pc_register, 0, sizeof(pc), &pc));
	}
}

/* ---- The session ---- */

static amd_dbgapi_architecture_id_t first_architecture(void)
{
	amd_dbgapi_architecture_id_t architecture = {0};

	check("get_architecture", amd_dbgapi_get_architecture(0x4c, &architecture));
	return architecture;
}

/** Let the waves go until something stops or there is nothing left; false at the end. */
static bool run(void)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];

	check("let go", amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
	for (int rounds = 0; rounds < PUMP_LIMIT; rounds++) {
		struct pollfd poll_notifier = {.fd = notifier, .events = POLLIN};
		int ready = poll(&poll_notifier, 1, 0);
		size_t stops;

		drain_notifier();
		stops = pump();
		if (stops) {
			check("hold", amd_dbgapi_process_set_progress(
					      process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
			return true;
		}
		if (ready <= 0 && !list_waves(waves))
			return false;
	}
	printf("gave up waiting\n");
	return false;
}

static void show_stop(long number)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count;

	printf("---- stop %ld\n", number);
	show_queues();
	show_dispatches();
	count = list_waves(waves);
	printf("waves %zu\n", count);
	for (size_t i = 0; i < count; i++)
		show_wave(waves[i], i < 2 || i + 1 == count);
}

static void session(void)
{
	amd_dbgapi_architecture_id_t architecture = first_architecture();
	long steps = 0;

	show_architecture(architecture);
	show_agents();
	show_queues();
	show_code_objects();
	set_breakpoint(architecture, true);
	for (long stop = 1; stop <= max_stops && run(); stop++) {
		bool step = steps < max_steps, alone = step && steps < max_alone;

		stop_all();
		show_stop(stop);
		if (stop == kill_at) {
			fflush(stdout);
			raise(SIGKILL);
		}
		adjust_pcs(architecture);
		if (breakpoint_address && steps == 0) {
			set_breakpoint(architecture, false);
		}
		if (step)
			steps++;
		if (!resume(step, alone))
			break;
	}
	printf("---- end\n");
	show_queues();
	show_dispatches();
}

static void parse_arguments(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--break"))
			break_symbol = argv[i + 1];
		else if (!strcmp(argv[i], "--steps"))
			max_steps = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--stops"))
			max_stops = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--alone"))
			max_alone = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--lines"))
			setvbuf(stdout, NULL, _IOLBF, 0);
		else if (!strcmp(argv[i], "--kill-at"))
			kill_at = atol(argv[i + 1]);
	}
}

int main(int argc, char **argv)
{
	static int identity;
	amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = allocate_memory,
		.deallocate_memory = free,
		.client_process_get_info = client_process_get_info,
		.insert_breakpoint = insert_breakpoint,
		.remove_breakpoint = remove_breakpoint,
		.xfer_global_memory = xfer_global_memory,
		.log_message = log_message,
	};
	uint32_t major, minor, patch;

	parse_arguments(argc, argv);
	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("version %u.%u.%u\n", major, minor, patch);
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	check("initialize", amd_dbgapi_initialize(&callbacks));
	check("attach", amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)(void *)&identity,
						  &process));
	check("notifier", amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						      sizeof(notifier), &notifier));
	printf("precise memory: %d\n",
	       (int)amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	check("hold", amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	pump();
	session();
	check("detach", amd_dbgapi_process_detach(process));
	check("finalize", amd_dbgapi_finalize());
	return 0;
}
