/* SPDX-License-Identifier: MIT */
/*
 * A client that is compiled at every level of the API, and asks of each what it numbers, names or passes otherwise than others do.
 * What it prints is the same at each level that has it: lines that begin with a level are there from that level on. So what one
 * prints over any library that it can run on, recorded, and over a trace, can be compared with what any other does.
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUMP_LIMIT 10000
#define ASK(function, handle, query, value)                                                        \
	amd_dbgapi_##function(handle, query, sizeof(value), &(value))

static amd_dbgapi_process_id_t process;

/* ---- Callbacks ---- */

#if AMD_DBGAPI_LEVEL >= 76
static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t size, void *value)
{
	amd_dbgapi_os_process_id_t pid = 4242;

	(void)client;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(pid))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &pid, sizeof(pid));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t client,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read,
					      const void *write)
{
	(void)client;
	(void)address;
	(void)read;
	(void)write;
	*size = 0;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}
#else
static amd_dbgapi_status_t get_os_pid(amd_dbgapi_client_process_id_t client,
				      amd_dbgapi_os_process_id_t *pid)
{
	(void)client;
	*pid = 4242;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
#endif

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	(void)message;
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
#if AMD_DBGAPI_LEVEL >= 76
	.client_process_get_info = client_process_get_info,
	.xfer_global_memory = xfer_global_memory,
#else
	.get_os_pid = get_os_pid,
#endif
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.log_message = log_message,
};

#if defined(FUTURE)
amd_dbgapi_status_t amd_dbgapi_of_tomorrow(amd_dbgapi_process_id_t process_id, uint32_t *answer);
#endif

/* ---- What there is ---- */

static const char *name_of(amd_dbgapi_status_t status)
{
	const char *text = "no text";

	amd_dbgapi_get_status_string(status, &text);
	return text;
}

static void number(const char *what, amd_dbgapi_status_t status, uint64_t value)
{
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		printf("%s %#" PRIx64 "\n", what, value);
	else
		printf("%s: %s\n", what, name_of(status));
}

static void text(const char *what, amd_dbgapi_status_t status, char *value)
{
	printf("%s %s\n", what, status == AMD_DBGAPI_STATUS_SUCCESS ? value : name_of(status));
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		free(value);
}

static void show_process(void)
{
	amd_dbgapi_os_process_id_t pid = 0;
	uint32_t precision = 0;
	size_t count = 0;
	amd_dbgapi_status_t status;

	status = ASK(process_get_info, process, AMD_DBGAPI_PROCESS_INFO_OS_ID, pid);
	number("process id", status, (uint64_t)pid);
	status = ASK(process_get_info, process, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, count);
	number("watchpoints", status, count);
	status = ASK(process_get_info, process, AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED,
		     precision);
	number("precise memory", status, precision);
	/* No level has it, whatever it is at another. */
	status = ASK(process_get_info, process, (amd_dbgapi_process_info_t)99, precision);
	printf("query 99 of a process: %s\n", name_of(status));
#if AMD_DBGAPI_LEVEL >= 77
	status = ASK(process_get_info, process,
		     AMD_DBGAPI_PROCESS_INFO_PRECISE_ALU_EXCEPTIONS_SUPPORTED, precision);
	number("0.77 precise arithmetic", status, precision);
#endif
#if AMD_DBGAPI_LEVEL >= 80
	uint64_t bits = 0;

	status = ASK(process_get_info, process, AMD_DBGAPI_PROCESS_INFO_SIGNIFICANT_ADDRESS_BITS,
		     bits);
	number("0.80 significant bits", status, bits);
#endif
}

static void show_agent(void)
{
	amd_dbgapi_agent_id_t *agents = NULL;
	amd_dbgapi_os_agent_id_t os_id = 0;
	uint32_t vendor = 0;
	uint16_t slot = 0;
	size_t count = 0, units = 0;
	char *name = NULL;
	amd_dbgapi_status_t status = amd_dbgapi_process_agent_list(process, &count, &agents, NULL);

	number("agents", status, count);
	if (!count)
		return;
	status = ASK(agent_get_info, agents[0], AMD_DBGAPI_AGENT_INFO_NAME, name);
	text("agent", status, name);
	status = ASK(agent_get_info, agents[0], AMD_DBGAPI_AGENT_INFO_PCI_SLOT, slot);
	number("slot", status, slot);
	status = ASK(agent_get_info, agents[0], AMD_DBGAPI_AGENT_INFO_PCI_VENDOR_ID, vendor);
	number("vendor", status, vendor);
	status = ASK(agent_get_info, agents[0], AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT, units);
	number("units", status, units);
	status = ASK(agent_get_info, agents[0], AMD_DBGAPI_AGENT_INFO_OS_ID, os_id);
	number("agent id", status, (uint64_t)os_id);
	free(agents);
}

static void show_queue(void)
{
	amd_dbgapi_queue_id_t *queues = NULL;
	amd_dbgapi_os_queue_type_t type = AMD_DBGAPI_OS_QUEUE_TYPE_UNKNOWN;
	amd_dbgapi_exceptions_t reason = AMD_DBGAPI_EXCEPTION_NONE;
	size_t count = 0;
	amd_dbgapi_status_t status = amd_dbgapi_process_queue_list(process, &count, &queues, NULL);

	number("queues", status, count);
	if (!count)
		return;
	status = ASK(queue_get_info, queues[0], AMD_DBGAPI_QUEUE_INFO_TYPE, type);
	number("queue type", status, (uint64_t)type);
	status = ASK(queue_get_info, queues[0], AMD_DBGAPI_QUEUE_INFO_ERROR_REASON, reason);
	number("queue error", status, (uint64_t)reason);
	free(queues);
}

static void show_spaces(amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_address_space_id_t *spaces = NULL;
	amd_dbgapi_address_class_id_t *classes = NULL;
	amd_dbgapi_segment_address_t null_address = 0;
	amd_dbgapi_size_t size = 0;
	uint64_t dwarf = 0;
	size_t count = 0;
	char *name = NULL;
	amd_dbgapi_status_t status =
		amd_dbgapi_architecture_address_space_list(architecture, &count, &spaces);

	number("spaces", status, count);
	for (size_t i = 0; i < count; i++) {
		status = ASK(address_space_get_info, spaces[i], AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME,
			     name);
		text("space", status, name);
		status = ASK(address_space_get_info, spaces[i],
			     AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE, size);
		number(" size", status, size);
		status = ASK(address_space_get_info, spaces[i],
			     AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS, null_address);
		number(" null", status, null_address);
		status = ASK(address_space_get_info, spaces[i], AMD_DBGAPI_ADDRESS_SPACE_INFO_DWARF,
			     dwarf);
		number(" dwarf", status, dwarf);
	}
	free(spaces);
	count = 0;
	status = amd_dbgapi_architecture_address_class_list(architecture, &count, &classes);
	number("classes", status, count);
	for (size_t i = 0; i < count; i++) {
		status = ASK(address_class_get_info, classes[i], AMD_DBGAPI_ADDRESS_CLASS_INFO_NAME,
			     name);
		text("class", status, name);
		status = ASK(address_class_get_info, classes[i],
			     AMD_DBGAPI_ADDRESS_CLASS_INFO_DWARF, dwarf);
		number(" dwarf", status, dwarf);
	}
	free(classes);
}

/* ---- A wave that has stopped ---- */

/* Two addresses of each space as global ones. */
static void show_conversion(amd_dbgapi_wave_id_t wave, amd_dbgapi_architecture_id_t architecture)
{
	static const amd_dbgapi_segment_address_t addresses[] = {0x12345678, 0x10};
	amd_dbgapi_segment_address_t converted = 0;
	amd_dbgapi_address_space_id_t *spaces = NULL;
	amd_dbgapi_size_t contiguous = 0;
	size_t count = 0;
	amd_dbgapi_status_t status;

	(void)contiguous;
	amd_dbgapi_architecture_address_space_list(architecture, &count, &spaces);
	for (size_t i = 0; i < 2 * count; i++) {
#if AMD_DBGAPI_LEVEL >= 81
		status = amd_dbgapi_convert_address_space(
			process, wave, 0, spaces[i / 2], addresses[i % 2],
			AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, &converted, &contiguous);
#elif AMD_DBGAPI_LEVEL >= 62
		status = amd_dbgapi_convert_address_space(wave, 0, spaces[i / 2], addresses[i % 2],
							  AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
							  &converted, &contiguous);
#else
		status = amd_dbgapi_convert_address_space(wave, 0, spaces[i / 2], addresses[i % 2],
							  AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
							  &converted);
#endif
		number("converted", status, converted);
#if AMD_DBGAPI_LEVEL >= 62
		number("0.62 contiguous", status, contiguous);
#endif
	}
#if AMD_DBGAPI_LEVEL >= 81
	status = amd_dbgapi_convert_address_space(
		AMD_DBGAPI_PROCESS_NONE, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0x10,
		AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, &converted, &contiguous);
	number("0.81 of no process", status, converted);
#endif
	free(spaces);
}

#if AMD_DBGAPI_LEVEL >= 82
static void show_cluster(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_cluster_id_t cluster = {0};
	amd_dbgapi_dispatch_id_t dispatch = {0};
	uint32_t coordinates[3] = {0};
	amd_dbgapi_status_t status =
		ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_CLUSTER, cluster);

	number("0.82 cluster", status, cluster.handle);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_CLUSTER_COORD, coordinates);
	number("0.82 place of it", status, coordinates[0]);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD_IN_CLUSTER,
		     coordinates);
	number("0.82 place in it", status, coordinates[0]);
	status = ASK(cluster_get_info, cluster, AMD_DBGAPI_CLUSTER_INFO_DISPATCH, dispatch);
	number("0.82 its dispatch", status, dispatch.handle);
}
#endif

#if AMD_DBGAPI_LEVEL >= 64
static void show_dependency(amd_dbgapi_wave_id_t wave, amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_segment_address_dependency_t dependency = 0;
	amd_dbgapi_address_space_id_t *spaces = NULL;
	size_t count = 0;
	amd_dbgapi_status_t status;

	(void)wave;
	amd_dbgapi_architecture_address_space_list(architecture, &count, &spaces);
	for (size_t i = 0; i < count; i++) {
#if AMD_DBGAPI_LEVEL >= 79
		status = amd_dbgapi_address_dependency(process, wave, spaces[i], 0x1000,
						       &dependency);
#else
		status = amd_dbgapi_address_dependency(spaces[i], 0x1000, &dependency);
#endif
		number("0.64 dependency", status, (uint64_t)dependency);
	}
	free(spaces);
}
#endif

static void show_watchpoint(void)
{
	amd_dbgapi_watchpoint_id_t watchpoint = {0};
	amd_dbgapi_global_address_t address = 0;
	amd_dbgapi_size_t size = 0;
	amd_dbgapi_status_t status;

#if AMD_DBGAPI_LEVEL >= 62
	status = amd_dbgapi_set_watchpoint(process, 0x10000, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL,
					   &watchpoint);
	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		ASK(watchpoint_get_info, watchpoint, AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS, address);
		ASK(watchpoint_get_info, watchpoint, AMD_DBGAPI_WATCHPOINT_INFO_SIZE, size);
	}
#else
	status = amd_dbgapi_set_watchpoint(process, 0x10000, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL,
					   &watchpoint, &address, &size);
#endif
	number("watchpoint", status, address);
	number("watchpoint size", status, size);
#if AMD_DBGAPI_LEVEL >= 67
	status = amd_dbgapi_remove_watchpoint(watchpoint);
#else
	status = amd_dbgapi_remove_watchpoint(process, watchpoint);
#endif
	printf("watchpoint removed: %s\n", name_of(status));
}

static void show_code(amd_dbgapi_architecture_id_t architecture, uint64_t pc)
{
	amd_dbgapi_instruction_kind_t kind = AMD_DBGAPI_INSTRUCTION_KIND_UNKNOWN;
	amd_dbgapi_instruction_properties_t properties = AMD_DBGAPI_INSTRUCTION_PROPERTY_NONE;
	void *information = NULL;
	uint8_t bytes[16];
	amd_dbgapi_size_t size = sizeof(bytes);
	amd_dbgapi_status_t status =
		amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
				       AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size, bytes);

	number("code bytes", status, size);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	status = amd_dbgapi_classify_instruction(architecture, pc, &size, bytes, &kind, &properties,
						 &information);
	number("kind", status, (uint64_t)kind);
	number("properties", status, (uint64_t)properties);
	free(information);
	size = sizeof(bytes);
	status = amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 16, &size, bytes);
	printf("no memory: %s\n", name_of(status));
}

static void show_registers(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_properties_t properties = AMD_DBGAPI_REGISTER_PROPERTY_NONE;
	amd_dbgapi_register_id_t *registers = NULL;
	amd_dbgapi_size_t size = 0;
	uint8_t value[1024];
	size_t count = 0;
	char *name = NULL;
	amd_dbgapi_status_t status = amd_dbgapi_wave_register_list(wave, &count, &registers);

	number("registers", status, count);
	for (size_t i = 0; i < count; i += 97) {
		status = ASK(register_get_info, registers[i], AMD_DBGAPI_REGISTER_INFO_NAME, name);
		text("register", status, name);
		status = ASK(register_get_info, registers[i], AMD_DBGAPI_REGISTER_INFO_PROPERTIES,
			     properties);
		number(" properties", status, (uint64_t)properties);
		status = ASK(register_get_info, registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE, size);
		if (status != AMD_DBGAPI_STATUS_SUCCESS || size > sizeof(value))
			continue;
		status = amd_dbgapi_read_register(wave, registers[i], 0, size, value);
		number(" first byte", status, value[0]);
	}
	free(registers);
}

static void show_wave(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_wave_stop_reasons_t reason = AMD_DBGAPI_WAVE_STOP_REASON_NONE;
	amd_dbgapi_architecture_id_t architecture = {0};
	amd_dbgapi_dispatch_id_t dispatch = {0};
	uint32_t coordinates[3] = {0};
	uint64_t pc = 0, exec = 0;
	size_t lanes = 0;
	amd_dbgapi_status_t status;

	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, reason);
	number("wave stopped", status, (uint64_t)reason);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, dispatch);
	number(" dispatch", status, dispatch.handle);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_PC, pc);
	number(" pc", status, pc);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, exec);
	number(" exec", status, exec);
#if AMD_DBGAPI_LEVEL >= 64
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, coordinates);
#else
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WORK_GROUP_COORD, coordinates);
#endif
	number(" group", status, coordinates[0]);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, lanes);
	number(" lanes", status, lanes);
	status = ASK(wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, architecture);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	show_registers(wave);
	show_spaces(architecture);
	show_code(architecture, pc);
	show_conversion(wave, architecture);
#if AMD_DBGAPI_LEVEL >= 82
	show_cluster(wave);
#else
	/* The number that a later level gave to a query of its own. */
	status = ASK(wave_get_info, wave, (amd_dbgapi_wave_info_t)15, dispatch);
	if (status != AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT)
		printf("query 15 of a wave: %s\n", name_of(status));
#endif
#if AMD_DBGAPI_LEVEL >= 64
	show_dependency(wave, architecture);
#endif
}

/* The events of a session, up to its first quiet moment. */
static void pump(void)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_wave_id_t wave;

	for (int i = 0; i < PUMP_LIMIT; i++) {
		if (amd_dbgapi_process_next_pending_event(process, &event, &kind) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
			return;
		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			continue;
		printf("event %u\n", (unsigned)kind);
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP &&
		    ASK(event_get_info, event, AMD_DBGAPI_EVENT_INFO_WAVE, wave) ==
			    AMD_DBGAPI_STATUS_SUCCESS) {
			show_wave(wave);
			i = PUMP_LIMIT;
		}
		amd_dbgapi_event_processed(event);
	}
}

int main(void)
{
	static int client;
	uint32_t major = 9, minor = 0, patch = 0;
	amd_dbgapi_status_t status = amd_dbgapi_initialize(&callbacks);

	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("initialize: %s\nmajor %u, %s\n", name_of(status), (unsigned)major,
	       minor >= AMD_DBGAPI_LEVEL ? "no older than this client" : "OLDER than this client");
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return 1;
	status = amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)(void *)&client,
					   &process);
	printf("attach: %s\n", name_of(status));
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return 1;
	amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	show_process();
	show_agent();
	show_queue();
#if defined(FUTURE)
	uint32_t answer = 0;

	status = amd_dbgapi_of_tomorrow(process, &answer);
	number("tomorrow", status, answer);
	amd_dbgapi_code_object_id_t *objects = NULL;
	size_t count = 0;

	status = amd_dbgapi_process_code_object_list(process, &count, &objects, NULL);
	number("code objects", status, count);
	free(objects);
#endif
	amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL);
	pump();
	show_watchpoint();
	status = amd_dbgapi_process_detach(process);
	printf("detach: %s\n", name_of(status));
	status = amd_dbgapi_finalize();
	printf("finalize: %s\n", name_of(status));
	return 0;
}
