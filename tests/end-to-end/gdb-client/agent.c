/* SPDX-License-Identifier: MIT */
/*
 * The order of calls of an agent inside the debugged process: it prints every wave that stops, with all
 * its registers, and lets it go on; debug traps go on without a word.
 */
#include "gdb.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IDLE_LIMIT 20
#define STOP_LIMIT 64

static void runtime_must_be_loaded(void)
{
	amd_dbgapi_runtime_state_t state = 0;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	gdb_check("next_pending_event",
		  amd_dbgapi_process_next_pending_event(gdb.id, &event, &kind));
	gdb_assert(kind == AMD_DBGAPI_EVENT_KIND_RUNTIME);
	gdb_check("runtime state",
		  amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
					    sizeof(state), &state));
	gdb_assert(state == AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
	gdb_check("event_processed", amd_dbgapi_event_processed(event));
}

static void print_code_objects(void)
{
	amd_dbgapi_code_object_id_t *list;
	size_t count;

	gdb_check("code objects", amd_dbgapi_process_code_object_list(gdb.id, &count, &list, NULL));
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_process_id_t process;
		uint64_t load = 0;
		char *uri;

		gdb_check("load address", amd_dbgapi_code_object_get_info(
						  list[i], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
						  sizeof(load), &load));
		gdb_check("URI", amd_dbgapi_code_object_get_info(
					 list[i], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, sizeof(uri),
					 &uri));
		gdb_check("process", amd_dbgapi_code_object_get_info(
					     list[i], AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS,
					     sizeof(process), &process));
		gdb_assert(process.handle == gdb.id.handle);
		printf("code object at 0x%" PRIx64 ", URI of %s\n", load,
		       strncmp(uri, "file://", 7) ? "memory" : "a file");
		free(uri);
	}
	free(list);
}

static void print_register(amd_dbgapi_wave_id_t wave, amd_dbgapi_register_id_t id)
{
	uint8_t value[1024] = {0};
	uint64_t size = 0;
	char *name, *type;

	gdb_check("name", amd_dbgapi_register_get_info(id, AMD_DBGAPI_REGISTER_INFO_NAME,
						       sizeof(name), &name));
	gdb_check("type", amd_dbgapi_register_get_info(id, AMD_DBGAPI_REGISTER_INFO_TYPE,
						       sizeof(type), &type));
	gdb_check("size", amd_dbgapi_register_get_info(id, AMD_DBGAPI_REGISTER_INFO_SIZE,
						       sizeof(size), &size));
	gdb_assert(size <= sizeof(value));
	gdb_check("read_register", amd_dbgapi_read_register(wave, id, 0, size, value));
	printf(" %s=%016" PRIx64, name, gdb_hash(value, size));
	free(name);
	free(type);
}

/* Registers by class, each in the first class that holds it. */
static void print_registers(amd_dbgapi_wave_id_t wave, amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_register_class_id_t *classes;
	amd_dbgapi_register_id_t *registers;
	size_t class_count, count;
	bool *printed;

	gdb_check("classes", amd_dbgapi_architecture_register_class_list(architecture, &class_count,
									 &classes));
	gdb_check("registers", amd_dbgapi_wave_register_list(wave, &count, &registers));
	printed = gdb_allocate(count);
	for (size_t i = 0; i < class_count; i++) {
		char *name;

		gdb_check("class name", amd_dbgapi_architecture_register_class_get_info(
						classes[i], AMD_DBGAPI_REGISTER_CLASS_INFO_NAME,
						sizeof(name), &name));
		printf(" %s:", name);
		free(name);
		for (size_t j = 0; j < count; j++) {
			amd_dbgapi_register_class_state_t state;

			gdb_check("membership", amd_dbgapi_register_is_in_register_class(
							classes[i], registers[j], &state));
			if (printed[j] || state != AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER)
				continue;
			print_register(wave, registers[j]);
			printed[j] = true;
		}
		putchar('\n');
	}
	free(printed);
	free(classes);
	free(registers);
}

static void print_local_memory(amd_dbgapi_wave_id_t wave, amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_address_space_id_t local;
	static uint8_t data[4096];
	uint64_t hash = 0, total = 0;

	gdb_check("local space",
		  amd_dbgapi_dwarf_address_space_to_address_space(architecture, 3, &local));
	for (;;) {
		amd_dbgapi_size_t size = sizeof(data);

		if (amd_dbgapi_read_memory(gdb.id, wave, 0, local, total, &size, data) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
			break;
		gdb_assert(size > 0 && size <= sizeof(data));
		hash = hash * 31 + gdb_hash(data, size);
		total += size;
		gdb_assert(total <= 1 << 20);
	}
	printf(" local memory: %" PRIu64 " bytes %016" PRIx64 "\n", total, hash);
}

static void print_code(amd_dbgapi_architecture_id_t architecture, uint64_t pc)
{
	amd_dbgapi_size_t have, size = 0;
	uint8_t code[64];
	char *text;

	have = sizeof(code);
	if (amd_dbgapi_read_memory(gdb.id, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
				   AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &have,
				   code) != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	for (amd_dbgapi_size_t at = 0; at < have; at += size) {
		size = have - at;
		if (amd_dbgapi_disassemble_instruction(architecture, pc + at, &size, code + at,
						       &text, NULL,
						       NULL) != AMD_DBGAPI_STATUS_SUCCESS)
			break;
		printf("  0x%" PRIx64 " %s\n", pc + at, text);
		free(text);
	}
}

static void print_wave(amd_dbgapi_wave_id_t wave, uint32_t reason)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_dispatch_id_t dispatch;
	uint64_t pc = 0, entry = 0;

	gdb_check("pc", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	if (amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch),
				     &dispatch) == AMD_DBGAPI_STATUS_SUCCESS)
		gdb_check("entry",
			  amd_dbgapi_dispatch_get_info(
				  dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
				  sizeof(entry), &entry));
	gdb_check("architecture", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
							   sizeof(architecture), &architecture));
	printf("wave %" PRIu64 ": pc 0x%" PRIx64 " (kernel at 0x%" PRIx64 ") reason 0x%x\n",
	       wave.handle, pc, entry, reason);
	print_registers(wave, architecture);
	print_local_memory(wave, architecture);
	print_code(architecture, pc);
}

static amd_dbgapi_exceptions_t exceptions_of(uint32_t reason)
{
	static const struct {
		uint32_t reason;
		amd_dbgapi_exceptions_t exception;
	} rules[] = {
		{AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION,
		 AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION},
		{AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR,
		 AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR},
		{AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION,
		 AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION},
		{AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP, AMD_DBGAPI_EXCEPTION_WAVE_ABORT},
		{AMD_DBGAPI_WAVE_STOP_REASON_TRAP, AMD_DBGAPI_EXCEPTION_WAVE_TRAP},
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (reason == rules[i].reason)
			return rules[i].exception;
	return AMD_DBGAPI_EXCEPTION_NONE;
}

/* The reason of a wave, if it stands. */
static bool stands(amd_dbgapi_wave_id_t wave, uint32_t *reason_ret)
{
	amd_dbgapi_wave_state_t state;

	if (amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    state != AMD_DBGAPI_WAVE_STATE_STOP)
		return false;
	gdb_check("stop reason", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
							  sizeof(*reason_ret), reason_ret));
	return true;
}

static void for_each_stopped(bool resume)
{
	amd_dbgapi_wave_id_t *list;
	uint32_t reason;
	size_t count;

	gdb_check("wave list", amd_dbgapi_process_wave_list(gdb.id, &count, &list, NULL));
	for (size_t i = 0; i < count; i++) {
		if (!stands(list[i], &reason))
			continue;
		if (!resume)
			print_wave(list[i], reason);
		else
			gdb_check("wave_resume",
				  amd_dbgapi_wave_resume(list[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
							 exceptions_of(reason)));
	}
	free(list);
}

static void print_and_go_on(void)
{
	gdb_check("hold", amd_dbgapi_process_set_progress(gdb.id, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	gdb_check("wave creation",
		  amd_dbgapi_process_set_wave_creation(gdb.id, AMD_DBGAPI_WAVE_CREATION_STOP));
	print_code_objects();
	for_each_stopped(false);
	for_each_stopped(true);
	gdb_check("wave creation",
		  amd_dbgapi_process_set_wave_creation(gdb.id, AMD_DBGAPI_WAVE_CREATION_NORMAL));
	gdb_check("let go", amd_dbgapi_process_set_progress(gdb.id, AMD_DBGAPI_PROGRESS_NORMAL));
}

/* Is there something to print? A debug trap alone is let go on. */
static bool handle_wave_stop(amd_dbgapi_event_id_t event)
{
	amd_dbgapi_wave_stop_reasons_t reason = 0;
	amd_dbgapi_wave_id_t wave;

	gdb_check("event wave", amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE,
							  sizeof(wave), &wave));
	gdb_check("stop reason", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
							  sizeof(reason), &reason));
	gdb_check("event_processed", amd_dbgapi_event_processed(event));
	if (reason != AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP)
		return true;
	gdb_check("wave_resume", amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
							AMD_DBGAPI_EXCEPTION_NONE));
	return false;
}

static size_t handle_events(void)
{
	size_t events = 0;
	bool print = false;

	for (;; events++) {
		amd_dbgapi_event_kind_t kind;
		amd_dbgapi_event_id_t event;

		gdb_check("next_pending_event",
			  amd_dbgapi_process_next_pending_event(gdb.id, &event, &kind));
		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			break;
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP) {
			print |= handle_wave_stop(event);
			continue;
		}
		gdb_check("event_processed", amd_dbgapi_event_processed(event));
	}
	if (print)
		print_and_go_on();
	return events;
}

static void drain(void)
{
	ssize_t got;
	char byte;

	do {
		got = read(gdb.notifier, &byte, 1);
	} while (got >= 0);
}

void gdb_debug_agent(const char *argument)
{
	int idle = 0, stops = 0;

	(void)argument;
	gdb.pid = getpid();
	gdb_check("process_attach", amd_dbgapi_process_attach(gdb_inferior(), &gdb.id));
	runtime_must_be_loaded();
	gdb_check("notifier", amd_dbgapi_process_get_info(gdb.id, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
							  sizeof(gdb.notifier), &gdb.notifier));
	while (idle < IDLE_LIMIT && stops < STOP_LIMIT) {
		struct pollfd notifier = {.fd = gdb.notifier, .events = POLLIN};

		if (poll(&notifier, 1, 1) <= 0) {
			idle++;
			continue;
		}
		idle = 0;
		drain();
		stops += handle_events() > 0;
	}
	printf("the agent is done\n");
	gdb_check("process_detach", amd_dbgapi_process_detach(gdb.id));
	gdb.id = AMD_DBGAPI_PROCESS_NONE;
	gdb.notifier = -1;
	gdb_library_reset();
}
