/* SPDX-License-Identifier: MIT */
/*
 * What GDB's relative with full GPU support asks beyond GDB. What a provider says it does not implement or
 * support is shown as that; anything else must be as that client needs it.
 */
#include "gdb.h"

#include <stdlib.h>
#include <string.h>

static bool absent(amd_dbgapi_status_t status)
{
	return status == AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED ||
	       status == AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED ||
	       status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

/* One query, shown in hex, or by its status where it may be absent. */
#define SHOW(function, id, query, type)                                                            \
	do {                                                                                       \
		type value_;                                                                       \
		amd_dbgapi_status_t status_ = function(id, query, sizeof(value_), &value_);        \
                                                                                                   \
		printf(" %s=", strstr(#query, "_INFO_") + 6);                                      \
		if (status_ != AMD_DBGAPI_STATUS_SUCCESS) {                                        \
			if (!absent(status_))                                                      \
				gdb_check(#query, status_);                                        \
			printf("(%s)", gdb_status(status_));                                       \
		} else {                                                                           \
			for (size_t i_ = sizeof(value_); i_-- > 0;)                                \
				printf("%02x", ((const uint8_t *)&value_)[i_]);                    \
		}                                                                                  \
	} while (0)

struct sizes {
	uint32_t values[3];
};

struct short_sizes {
	uint16_t values[3];
};

static int compare(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* A list by handle, without touching the flag of what changed. */
#define LIST(kind, type, list_ret, count_ret)                                                      \
	do {                                                                                       \
		gdb_check(#kind " list",                                                           \
			  amd_dbgapi_process_##kind##_list(gdb.id, count_ret, list_ret, NULL));    \
		if (*(count_ret))                                                                  \
			qsort(*(list_ret), *(count_ret), sizeof(**(list_ret)), compare);           \
	} while (0)

void gdb_info_agents(const char *argument)
{
	amd_dbgapi_agent_id_t *list;
	size_t count;

	(void)argument;
	LIST(agent, amd_dbgapi_agent_id_t, &list, &count);
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_agent_id_t id = list[i];
		char *name = NULL;

		gdb_check("agent name", amd_dbgapi_agent_get_info(id, AMD_DBGAPI_AGENT_INFO_NAME,
								  sizeof(name), &name));
		printf("agent %" PRIu64 " \"%s\"", id.handle, name);
		free(name);
#define ASK(query, type) SHOW(amd_dbgapi_agent_get_info, id, AMD_DBGAPI_AGENT_INFO_##query, type)
		ASK(PROCESS, uint64_t);
		ASK(ARCHITECTURE, uint64_t);
		ASK(STATE, uint32_t);
		ASK(PCI_DOMAIN, uint16_t);
		ASK(PCI_SLOT, uint16_t);
		ASK(PCI_VENDOR_ID, uint32_t);
		ASK(PCI_DEVICE_ID, uint32_t);
		ASK(EXECUTION_UNIT_COUNT, size_t);
		ASK(MAX_WAVES_PER_EXECUTION_UNIT, size_t);
		ASK(OS_ID, uint64_t);
#undef ASK
		putchar('\n');
	}
	free(list);
}

void gdb_info_queues(const char *argument)
{
	amd_dbgapi_queue_id_t *list;
	size_t count;

	(void)argument;
	LIST(queue, amd_dbgapi_queue_id_t, &list, &count);
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_os_queue_packet_id_t first = 0, past = 0;
		amd_dbgapi_status_t status;
		size_t size = 0;

		printf("queue %" PRIu64, list[i].handle);
#define ASK(query, type)                                                                           \
	SHOW(amd_dbgapi_queue_get_info, list[i], AMD_DBGAPI_QUEUE_INFO_##query, type)
		ASK(AGENT, uint64_t);
		ASK(OS_ID, uint64_t);
		ASK(TYPE, uint32_t);
		ASK(SIZE, uint64_t);
		ASK(ADDRESS, uint64_t);
#undef ASK
		status = amd_dbgapi_queue_packet_list(list[i], &first, &past, &size, NULL);
		if (status != AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED)
			gdb_check("packets", status);
		printf(" packets %" PRIu64 "..%" PRIu64 "\n", first, past);
	}
	free(list);
}

void gdb_info_dispatches(const char *argument)
{
	amd_dbgapi_dispatch_id_t *list;
	size_t count;

	(void)argument;
	LIST(dispatch, amd_dbgapi_dispatch_id_t, &list, &count);
	for (size_t i = 0; i < count; i++) {
		printf("dispatch %" PRIu64, list[i].handle);
#define ASK(query, type)                                                                           \
	SHOW(amd_dbgapi_dispatch_get_info, list[i], AMD_DBGAPI_DISPATCH_INFO_##query, type)
		ASK(QUEUE, uint64_t);
		ASK(AGENT, uint64_t);
		ASK(OS_QUEUE_PACKET_ID, uint64_t);
		ASK(BARRIER, uint32_t);
		ASK(ACQUIRE_FENCE, uint32_t);
		ASK(RELEASE_FENCE, uint32_t);
		ASK(GRID_DIMENSIONS, uint32_t);
		ASK(WORKGROUP_SIZES, struct short_sizes);
		ASK(GRID_SIZES, struct sizes);
		ASK(PRIVATE_SEGMENT_SIZE, uint64_t);
		ASK(GROUP_SEGMENT_SIZE, uint64_t);
		ASK(KERNEL_ARGUMENT_SEGMENT_ADDRESS, uint64_t);
		ASK(KERNEL_DESCRIPTOR_ADDRESS, uint64_t);
		ASK(KERNEL_CODE_ENTRY_ADDRESS, uint64_t);
		ASK(KERNEL_COMPLETION_ADDRESS, uint64_t);
#undef ASK
		putchar('\n');
	}
	free(list);
}

void gdb_info_lanes(const char *argument)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};
	size_t lanes = 0;

	(void)argument;
	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	gdb_check("LANE_COUNT", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT,
							 sizeof(lanes), &lanes));
	gdb_assert(lanes == 32 || lanes == 64);
	printf("%zu lanes", lanes);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, uint64_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, uint64_t);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, struct sizes);
	SHOW(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
	     uint32_t);
	putchar('\n');
}

/* Every register of the architecture at once, most of which this wave has not. */
void gdb_fetch_all(const char *argument)
{
	const struct gdb_arch *arch;
	uint8_t value[1024];
	size_t read = 0, missing = 0;
	uint64_t hash = 0;

	(void)argument;
	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	arch = gdb_wave_arch(gdb.current);
	for (size_t i = 0; i < arch->register_count; i++) {
		if (!gdb_read_register(gdb.current, arch, i, value)) {
			missing++;
			continue;
		}
		read++;
		hash = hash * 31 + gdb_hash(value, gdb_register_size(arch, i));
	}
	printf("fetched %zu registers, %zu not available, %016" PRIx64 "\n", read, missing, hash);
}

static const char *dependency_name(amd_dbgapi_address_space_id_t space, uint64_t address)
{
	static const char *const names[] = {"none",	 "process", "agent",
					    "workgroup", "wave",    "lane"};
	amd_dbgapi_segment_address_dependency_t dependency;
	amd_dbgapi_status_t status = amd_dbgapi_address_dependency(space, address, &dependency);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return gdb_status(status);
	gdb_assert((size_t)dependency < sizeof(names) / sizeof(*names));
	return names[dependency];
}

static void show_space(amd_dbgapi_address_space_id_t space, bool read)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};
	uint8_t data[64] = {0};
	char *name = NULL;

	gdb_check("space name",
		  amd_dbgapi_address_space_get_info(space, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME,
						    sizeof(name), &name));
	printf("space %s", name);
	free(name);
	SHOW(amd_dbgapi_address_space_get_info, space, AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE,
	     uint64_t);
	SHOW(amd_dbgapi_address_space_get_info, space, AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS,
	     uint64_t);
	SHOW(amd_dbgapi_address_space_get_info, space, AMD_DBGAPI_ADDRESS_SPACE_INFO_ACCESS,
	     uint32_t);
	printf(" depends on %s", dependency_name(space, 64));
	for (amd_dbgapi_lane_id_t lane = 0; read && lane < 3; lane++) {
		amd_dbgapi_size_t size = sizeof(data);
		amd_dbgapi_status_t status =
			amd_dbgapi_read_memory(gdb.id, wave, lane, space, 64, &size, data);

		if (status == AMD_DBGAPI_STATUS_SUCCESS)
			printf(" %" PRIu64 ":%016" PRIx64, size, gdb_hash(data, size));
		else
			printf(" (%s)", gdb_status(status));
	}
	putchar('\n');
}

/* Spaces by list, and by the DWARF numbers that a debugger meets. */
void gdb_address_spaces(const char *argument)
{
	const struct gdb_arch *arch;
	amd_dbgapi_address_space_id_t *list, space;
	size_t count;

	(void)argument;
	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	arch = gdb_wave_arch(gdb.current);
	gdb_check("address spaces",
		  amd_dbgapi_architecture_address_space_list(arch->id, &count, &list));
	for (size_t i = 0; i < count; i++)
		show_space(list[i], true);
	free(list);
	for (uint64_t number = 0; number < 8; number++) {
		amd_dbgapi_status_t status =
			amd_dbgapi_dwarf_address_space_to_address_space(arch->id, number, &space);

		if (status == AMD_DBGAPI_STATUS_SUCCESS)
			printf("DWARF %" PRIu64 " is space %" PRIu64 "\n", number,
			       space.handle & 0xffffffff);
		else
			printf("DWARF %" PRIu64 ": %s\n", number, gdb_status(status));
	}
}

static bool wait_for(uint64_t handle)
{
	for (int i = 0; i < 1000; i++) {
		gdb_require_progress(true);
		gdb_require_progress(false);
		gdb_process_events(AMD_DBGAPI_EVENT_KIND_NONE);
		for (size_t j = 0; j < gdb.event_count; j++)
			if (gdb.events[j].wave == handle)
				return true;
	}
	return false;
}

static void step_copy(amd_dbgapi_wave_id_t wave, amd_dbgapi_displaced_stepping_id_t stepping)
{
	amd_dbgapi_wave_stop_reasons_t reason = 0;
	struct gdb_wave *known = gdb_wave_find(wave.handle);
	uint64_t before = gdb_read_pc(wave.handle);

	gdb_check("resume", amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
						   AMD_DBGAPI_EXCEPTION_NONE));
	known->executing = true;
	known->mode = AMD_DBGAPI_RESUME_MODE_SINGLE_STEP;
	gdb_assert(wait_for(wave.handle));
	known->executing = false;
	known->mode = AMD_DBGAPI_RESUME_MODE_NORMAL;
	gdb.event_count = 0;
	gdb_check("stop reason", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
							  sizeof(reason), &reason));
	gdb_check("complete", amd_dbgapi_displaced_stepping_complete(wave, stepping));
	printf("displaced step: reason 0x%x, pc was 0x%" PRIx64 " in the copy, is 0x%" PRIx64 "\n",
	       (unsigned int)reason, before, gdb_read_pc(wave.handle));
}

/* Over the breakpoint that the selected wave stands at, by a copy of the instruction. */
void gdb_displaced_step(const char *argument)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};
	amd_dbgapi_displaced_stepping_id_t stepping;
	const struct gdb_arch *arch;
	uint8_t bytes[16];
	amd_dbgapi_status_t status;
	uint64_t pc;

	(void)argument;
	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	arch = gdb_wave_arch(gdb.current);
	pc = gdb_read_pc(gdb.current);
	if (gdb_read_memory(pc, bytes, arch->breakpoint_size) != arch->breakpoint_size ||
	    gdb_write_memory(pc, arch->breakpoint, arch->breakpoint_size) !=
		    arch->breakpoint_size) {
		printf("warning: cannot insert a breakpoint at the pc\n");
		return;
	}
	status = amd_dbgapi_displaced_stepping_start(wave, bytes, &stepping);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		step_copy(wave, stepping);
	else
		printf("displaced_stepping_start: %s\n", gdb_status(status));
	gdb_assert(gdb_write_memory(pc, bytes, arch->breakpoint_size) == arch->breakpoint_size);
}

/* Where the numbered argument of the selected wave's kernel points to. */
static uint64_t kernel_argument(long number)
{
	amd_dbgapi_wave_id_t wave = {gdb.current};
	amd_dbgapi_dispatch_id_t dispatch;
	uint64_t address = 0, value = 0;

	gdb_check("DISPATCH", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
						       sizeof(dispatch), &dispatch));
	gdb_check("arguments",
		  amd_dbgapi_dispatch_get_info(
			  dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
			  sizeof(address), &address));
	gdb_assert(gdb_read_memory(address + 8 * (uint64_t)number, &value, sizeof(value)) ==
		   sizeof(value));
	return value;
}

static void show_watchpoints(uint64_t wave_handle)
{
	amd_dbgapi_wave_id_t wave = {wave_handle};
	amd_dbgapi_watchpoint_list_t hit = {.count = 0};
	amd_dbgapi_status_t status =
		amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, sizeof(hit), &hit);

	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		printf("watchpoints hit: %s\n", gdb_status(status));
		return;
	}
	printf("watchpoints hit: %zu\n", hit.count);
	free(hit.watchpoint_ids);
}

/* A write watchpoint on what a kernel argument points to; continue to it, and remove it. */
void gdb_watch(const char *argument)
{
	amd_dbgapi_watchpoint_id_t watchpoint;
	uint64_t address, begin = 0, size = 0;
	amd_dbgapi_status_t status;

	if (!gdb.current) {
		printf("no wave is selected\n");
		return;
	}
	address = kernel_argument(argument ? atol(argument) : 0);
	status = amd_dbgapi_set_watchpoint(gdb.id, address, 4,
					   AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW, &watchpoint);
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		printf("set_watchpoint: %s\n", gdb_status(status));
		return;
	}
	gdb_check("watchpoint address",
		  amd_dbgapi_watchpoint_get_info(watchpoint, AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS,
						 sizeof(begin), &begin));
	gdb_check("watchpoint size",
		  amd_dbgapi_watchpoint_get_info(watchpoint, AMD_DBGAPI_WATCHPOINT_INFO_SIZE,
						 sizeof(size), &size));
	gdb_assert(begin <= address && address + 4 <= begin + size);
	printf("watchpoint at 0x%" PRIx64 ", %" PRIu64 " bytes\n", begin, size);
	gdb_proceed(false, false);
	if (!gdb.id.handle)
		return;
	if (gdb.current)
		show_watchpoints(gdb.current);
	gdb_check("remove_watchpoint", amd_dbgapi_remove_watchpoint(watchpoint));
}

/* As for a core dump of a live process. */
void gdb_freeze(const char *argument)
{
	amd_dbgapi_core_state_data_t core = {.data = NULL};
	amd_dbgapi_status_t status;

	(void)argument;
	gdb_require_progress(false);
	gdb_check("wave creation",
		  amd_dbgapi_process_set_wave_creation(gdb.id, AMD_DBGAPI_WAVE_CREATION_STOP));
	status = amd_dbgapi_process_freeze(gdb.id);
	printf("freeze: %s\n", gdb_status(status));
	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		status = amd_dbgapi_process_get_info(gdb.id, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						     sizeof(core), &core);
		printf("core state: %s\n", gdb_status(status));
		if (status == AMD_DBGAPI_STATUS_SUCCESS)
			printf("%zu bytes %016" PRIx64 "\n", core.size,
			       gdb_hash(core.data, core.size));
		free((void *)(uintptr_t)core.data);
		gdb_check("unfreeze", amd_dbgapi_process_unfreeze(gdb.id));
	}
	gdb_check("wave creation",
		  amd_dbgapi_process_set_wave_creation(gdb.id, AMD_DBGAPI_WAVE_CREATION_NORMAL));
}
