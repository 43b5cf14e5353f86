/* SPDX-License-Identifier: MIT */
/*
 * A client in a hurry: it asks and tells between one event and the next whatever comes to its mind, with normal progress
 * or without, the same for the same seed, and prints what comes of it. Over the simulated GPU, over a recording library in
 * front of it, and over a replay it must print the same.
 *
 * Usage: hasty-client [--touch] CALLS SEED...
 * With --touch it also changes registers and memory, and sets watchpoints.
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/end-to-end/blind-callbacks.h"

#define KNOWN 64

static amd_dbgapi_process_id_t process;
static uint64_t seed;

/* splitmix64: the same numbers everywhere. */
static uint64_t next(void)
{
	uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static bool one_in(unsigned n)
{
	return next() % n == 0;
}

/* Handles that the client was given, the newest ones. */
struct known {
	uint64_t handles[KNOWN];
	size_t count;
};

static struct known waves, events, steppings, watchpoints;

static void learn(struct known *known, uint64_t handle)
{
	for (size_t i = 0; i < known->count && i < KNOWN; i++)
		if (known->handles[i] == handle)
			return;
	if (handle)
		known->handles[known->count++ % KNOWN] = handle;
}

/* Most often one of the newest; now and then none, or one that nobody was ever given. */
static uint64_t pick(const struct known *known)
{
	size_t count = known->count < KNOWN ? known->count : KNOWN;

	if (!count || one_in(40))
		return one_in(2) ? 0 : 5000 + next() % 8;
	if (one_in(2) && known->count > 4)
		return known->handles[(known->count - 1 - next() % 4) % KNOWN];
	return known->handles[next() % count];
}

static amd_dbgapi_wave_id_t pick_wave(void)
{
	return (amd_dbgapi_wave_id_t){pick(&waves)};
}

/* ---- Callbacks ---- */

static void *allocate(size_t size)
{
	return malloc(size ? size : 1);
}

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t id,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	amd_dbgapi_os_process_id_t pid = 17;

	(void)id;
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
	printf("  insert %" PRIx64 " %" PRIu64 "\n", address, breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t withdraw(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)id;
	printf("  remove %" PRIu64 "\n", breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *text)
{
	printf("  log %d %s\n", (int)level, text);
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = allocate,
	.deallocate_memory = free,
	.client_process_get_info = process_info,
	.insert_breakpoint = insert,
	.remove_breakpoint = withdraw,
	.xfer_global_memory = blind_xfer_global_memory,
	.log_message = log_message,
};

/* ---- What it does ---- */

static void next_event(void)
{
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_wave_id_t wave = {0};
	int status = amd_dbgapi_process_next_pending_event(process, &event, &kind);

	if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
	    kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED)
		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave), &wave);
	printf("event: %d %" PRIu64 " kind %d wave %" PRIu64 "\n", status, event.handle, (int)kind,
	       wave.handle);
	learn(&events, event.handle);
	learn(&waves, wave.handle);
	if (event.handle && one_in(2))
		printf("  processed: %d\n", amd_dbgapi_event_processed(event));
}

static void process_event(void)
{
	amd_dbgapi_event_id_t event = {pick(&events)};

	printf("processed %" PRIu64 ": %d\n", event.handle, amd_dbgapi_event_processed(event));
}

static void stop_wave(void)
{
	amd_dbgapi_wave_id_t wave = pick_wave();

	printf("stop %" PRIu64 ": %d\n", wave.handle, amd_dbgapi_wave_stop(wave));
}

/* Exceptions end whole queues, so they are rare. */
static void resume_wave(void)
{
	amd_dbgapi_wave_id_t wave = pick_wave();
	amd_dbgapi_resume_mode_t mode =
		one_in(3) ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP : AMD_DBGAPI_RESUME_MODE_NORMAL;
	amd_dbgapi_exceptions_t exceptions =
		one_in(30) ? AMD_DBGAPI_EXCEPTION_WAVE_TRAP : AMD_DBGAPI_EXCEPTION_NONE;

	printf("resume %" PRIu64 " %d %d: %d\n", wave.handle, (int)mode, (int)exceptions,
	       amd_dbgapi_wave_resume(wave, mode, exceptions));
}

static void list_waves(void)
{
	amd_dbgapi_changed_t changed = AMD_DBGAPI_CHANGED_NO;
	amd_dbgapi_wave_id_t *list = NULL;
	size_t count = 0;
	int status =
		amd_dbgapi_process_wave_list(process, &count, &list, one_in(2) ? &changed : NULL);

	printf("waves: %d %d", status, (int)changed);
	for (size_t i = 0; list && i < count; i++) {
		printf(" %" PRIu64, list[i].handle);
		learn(&waves, list[i].handle);
	}
	printf("\n");
	free(list);
}

static void list_others(void)
{
	amd_dbgapi_changed_t changed = AMD_DBGAPI_CHANGED_NO, *wanted = one_in(2) ? &changed : NULL;
	amd_dbgapi_dispatch_id_t *dispatches = NULL;
	amd_dbgapi_workgroup_id_t *groups = NULL;
	size_t dispatch_count = 0, group_count = 0;
	int status;

	status = amd_dbgapi_process_dispatch_list(process, &dispatch_count, &dispatches, wanted);
	printf("dispatches: %d %d %zu", status, (int)changed, dispatch_count);
	status = amd_dbgapi_process_workgroup_list(process, &group_count, &groups, wanted);
	printf(" workgroups: %d %d %zu\n", status, (int)changed, group_count);
	free(dispatches);
	free(groups);
}

static uint64_t ask_wave(amd_dbgapi_wave_id_t wave, amd_dbgapi_wave_info_t query, size_t size)
{
	uint64_t value = 0;
	int status = amd_dbgapi_wave_get_info(wave, query, size, &value);

	printf(" %d:%" PRIx64, status, value);
	return value;
}

static void look_at_wave(void)
{
	amd_dbgapi_wave_id_t wave = pick_wave();

	printf("wave %" PRIu64 ":", wave.handle);
	ask_wave(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(uint32_t));
	ask_wave(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(uint32_t));
	ask_wave(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(uint64_t));
	ask_wave(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(uint64_t));
	printf("\n");
}

static bool find_pc(amd_dbgapi_wave_id_t wave, amd_dbgapi_register_id_t *ret)
{
	amd_dbgapi_architecture_id_t architecture;

	return !amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					 sizeof(architecture), &architecture) &&
	       !amd_dbgapi_architecture_get_info(
		       architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, sizeof(*ret), ret);
}

/* The pc, and what stands there; half the time it is written back, which changes nothing. */
static void read_pc(void)
{
	amd_dbgapi_wave_id_t wave = pick_wave();
	amd_dbgapi_register_id_t id = {0};
	amd_dbgapi_size_t size = 4;
	uint64_t pc = 0;
	uint32_t word = 0;
	bool found = find_pc(wave, &id);
	int status = amd_dbgapi_read_register(wave, id, 0, sizeof(pc), &pc);

	printf("pc %" PRIu64 ": %d %d %" PRIx64, wave.handle, found, status, pc);
	if (status == 0 && one_in(2))
		printf(" written %d", amd_dbgapi_write_register(wave, id, 0, sizeof(pc), &pc));
	status = amd_dbgapi_read_memory(process, one_in(2) ? AMD_DBGAPI_WAVE_NONE : wave,
					AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc,
					&size, &word);
	printf(" %d %x\n", status, word);
}

static void begin_step(void)
{
	static const uint32_t nop = 0xbf800000;
	amd_dbgapi_displaced_stepping_id_t stepping = {0};
	amd_dbgapi_wave_id_t wave = pick_wave();
	int status = amd_dbgapi_displaced_stepping_start(wave, &nop, &stepping);

	printf("displaced %" PRIu64 ": %d %" PRIu64 "\n", wave.handle, status, stepping.handle);
	learn(&steppings, stepping.handle);
}

static void end_step(void)
{
	amd_dbgapi_displaced_stepping_id_t stepping = {pick(&steppings)};
	amd_dbgapi_wave_id_t wave = pick_wave();

	printf("complete %" PRIu64 " %" PRIu64 ": %d\n", wave.handle, stepping.handle,
	       amd_dbgapi_displaced_stepping_complete(wave, stepping));
}

static void set_modes(void)
{
	amd_dbgapi_progress_t progress =
		one_in(3) ? AMD_DBGAPI_PROGRESS_NO_FORWARD : AMD_DBGAPI_PROGRESS_NORMAL;
	amd_dbgapi_wave_creation_t creation =
		one_in(3) ? AMD_DBGAPI_WAVE_CREATION_STOP : AMD_DBGAPI_WAVE_CREATION_NORMAL;

	printf("progress %d: %d\n", (int)progress,
	       amd_dbgapi_process_set_progress(process, progress));
	if (one_in(2))
		printf("creation %d: %d\n", (int)creation,
		       amd_dbgapi_process_set_wave_creation(process, creation));
}

static void freeze(void)
{
	int status = one_in(3) ? amd_dbgapi_process_freeze(process)
			       : amd_dbgapi_process_unfreeze(process);

	printf("freeze: %d\n", status);
}

/* Of a wave64, as DWARF numbers them: pc, exec, some scalar and some vector registers. */
static const uint64_t touched[] = {16, 17, 32, 33, 36, 40, 2560, 2561};

/* The pc is left at an instruction: it may go on by one, or stay. */
static void touch_register(void)
{
	size_t which = next() % (sizeof(touched) / sizeof(*touched));
	amd_dbgapi_size_t size = which < 2 ? 8 : 4;
	amd_dbgapi_wave_id_t wave = pick_wave();
	amd_dbgapi_architecture_id_t architecture = {0};
	amd_dbgapi_register_id_t id = {0};
	uint64_t value = 0;
	int status;

	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, sizeof(architecture),
				 &architecture);
	amd_dbgapi_dwarf_register_to_register(architecture, touched[which], &id);
	status = amd_dbgapi_read_register(wave, id, 0, size, &value);
	printf("register %zu of %" PRIu64 ": %d %" PRIx64, which, wave.handle, status, value);
	if (one_in(2)) {
		value += which ? next() % 16 : 4 * (next() % 2);
		printf(" written %d", amd_dbgapi_write_register(wave, id, 0, size, &value));
	}
	printf("\n");
}

/* Of the program's first buffer. */
static void touch_memory(void)
{
	amd_dbgapi_wave_id_t wave = one_in(2) ? AMD_DBGAPI_WAVE_NONE : pick_wave();
	amd_dbgapi_segment_address_t address = UINT64_C(0x200000000000) + 4 * (next() % 2048);
	amd_dbgapi_size_t size = 4;
	uint32_t word = 0;
	int status = amd_dbgapi_read_memory(process, wave, AMD_DBGAPI_LANE_NONE,
					    AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size, &word);

	printf("memory %" PRIx64 " of %" PRIu64 ": %d %" PRIu64 " %x", (uint64_t)address,
	       wave.handle, status, (uint64_t)size, word);
	/* Its first page holds data, the next ones the program. */
	if (one_in(2) && address % 8192 < 4096) {
		word += 3;
		size = 4;
		status = amd_dbgapi_write_memory(process, wave, AMD_DBGAPI_LANE_NONE,
						 AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size,
						 &word);
		printf(" written %d %" PRIu64, status, (uint64_t)size);
	}
	printf("\n");
}

static void watch(void)
{
	amd_dbgapi_watchpoint_id_t watchpoint = {0};
	int status;

	if (one_in(3)) {
		watchpoint.handle = pick(&watchpoints);
		printf("unwatch %" PRIu64 ": %d\n", watchpoint.handle,
		       amd_dbgapi_remove_watchpoint(watchpoint));
		return;
	}
	status =
		amd_dbgapi_set_watchpoint(process, UINT64_C(0x200000000000) + 64 * (next() % 16), 4,
					  AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW, &watchpoint);
	printf("watch: %d %" PRIu64 "\n", status, watchpoint.handle);
	learn(&watchpoints, watchpoint.handle);
}

static void set_precision(void)
{
	printf("precision: %d\n",
	       amd_dbgapi_set_memory_precision(process,
					       one_in(2) ? AMD_DBGAPI_MEMORY_PRECISION_NONE
							 : AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
}

/* How often in a hundred each is done. */
static const struct deed {
	unsigned weight;
	void (*act)(void);
} acts[] = {
	{26, next_event}, {12, process_event}, {10, stop_wave},	   {16, resume_wave},
	{7, list_waves},  {3, list_others},    {10, look_at_wave}, {5, read_pc},
	{4, begin_step},  {3, end_step},       {3, set_modes},	   {1, freeze},
};
static const struct deed touching_acts[] = {
	{18, next_event},     {9, process_event}, {8, stop_wave},    {14, resume_wave},
	{4, list_waves},      {2, list_others},	  {7, look_at_wave}, {4, read_pc},
	{8, begin_step},      {5, end_step},	  {3, set_modes},    {1, freeze},
	{11, touch_register}, {3, touch_memory},  {2, watch},	     {1, set_precision},
};
static bool touches;

static void act(void)
{
	const struct deed *deed = touches ? touching_acts : acts;
	unsigned at = (unsigned)(next() % 100);

	for (; at >= deed->weight; deed++)
		at -= deed->weight;
	deed->act();
}

static void hurry(unsigned long calls)
{
	memset(&waves, 0, sizeof(waves));
	memset(&events, 0, sizeof(events));
	memset(&steppings, 0, sizeof(steppings));
	memset(&watchpoints, 0, sizeof(watchpoints));
	printf("initialize: %d\n", amd_dbgapi_initialize(&callbacks));
	printf("attach: %d\n",
	       amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&process, &process));
	/* Waves come once the first event was processed. */
	next_event();
	amd_dbgapi_event_processed((amd_dbgapi_event_id_t){events.handles[0]});
	for (unsigned long i = 0; i < calls; i++)
		act();
	printf("finalize: %d\n", amd_dbgapi_finalize());
}

int main(int argc, char **argv)
{
	touches = argc > 1 && !strcmp(argv[1], "--touch");
	argc -= touches;
	argv += touches;
	if (argc < 3)
		return 2;
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	for (int i = 2; i < argc; i++) {
		seed = strtoull(argv[i], NULL, 0);
		printf("seed %s\n", argv[i]);
		hurry(strtoul(argv[1], NULL, 0));
	}
	return 0;
}
