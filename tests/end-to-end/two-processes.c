/* SPDX-License-Identifier: MIT */
/*
 * A client that is attached to several processes at once. It does what its arguments say, one after the other, and prints
 * all it learns: over the simulated GPU and over a trace of that the same bytes.
 *
 * Usage: two-processes ACTION...
 *
 * An action is a letter and a process, `a` to `d`, or `*` for all at once where the API has that:
 *
 *   +a[=WORKLOAD]  attach, to a program that runs a workload    -a  detach
 *   ea  take events until one has come and there are no more    qa  ask for one event
 *   sa  show what there is                                      ra  resume all stopped waves
 *   1a  let the first stopped wave make a step                  ta  stop all running waves
 *   ha  hold (no forward progress)                              ga  go on (normal progress)
 *   ma  read memory at the first stopped wave's pc, by the process alone
 *   wa  write a register and memory of the first stopped wave
 *   fa  finalize, and initialize again                          ka  die by SIGKILL
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blind-callbacks.h"

#define PROCESSES 4
#define PATIENCE 300

static amd_dbgapi_process_id_t processes[PROCESSES];
static char identities[PROCESSES];

/* ---- Callbacks ---- */

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id =
		4000 + (amd_dbgapi_os_process_id_t)((char *)client - identities);

	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	printf("  callback: insert %" PRIu64 " at %" PRIx64 " into %c\n", breakpoint.handle,
	       address, (char)('a' + ((char *)client - identities)));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	printf("  callback: remove %" PRIu64 " from %c\n", breakpoint.handle,
	       (char)('a' + ((char *)client - identities)));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	printf("  log %d: %s\n", (int)level, message);
}

/* ---- Showing ---- */

#define NUMBER(function, id, query, type)                                                          \
	do {                                                                                       \
		type number_ = 0;                                                                  \
		amd_dbgapi_status_t status_ = function(id, query, sizeof(number_), &number_);      \
                                                                                                   \
		if (status_ == AMD_DBGAPI_STATUS_SUCCESS)                                          \
			printf(" %s=%" PRIx64, &(#query)[strlen("AMD_DBGAPI_")],                   \
			       (uint64_t)number_);                                                 \
		else                                                                               \
			printf(" %s=!%d", &(#query)[strlen("AMD_DBGAPI_")], (int)status_);         \
	} while (0)

static void show_bytes(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

static void show_registers(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_id_t *registers = NULL;
	size_t count = 0;

	printf("   registers: %d", (int)amd_dbgapi_wave_register_list(wave, &count, &registers));
	for (size_t i = 0; i < count && i < 300; i += 25) {
		uint8_t bytes[256] = {0};
		amd_dbgapi_size_t size = 0;

		if (amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
						 sizeof(size),
						 &size) != AMD_DBGAPI_STATUS_SUCCESS ||
		    size > sizeof(bytes))
			continue;
		printf(" %zu:%d:", i,
		       (int)amd_dbgapi_read_register(wave, registers[i], 0, size, bytes));
		show_bytes(bytes, size < 8 ? (size_t)size : 8);
	}
	putchar('\n');
	free(registers);
}

static void show_wave(amd_dbgapi_wave_id_t wave, bool registers)
{
	uint32_t state = 0;

	printf("  wave %" PRIu64 ":", wave.handle);
	NUMBER(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_PROCESS, uint64_t);
	NUMBER(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_STATE, uint32_t);
	NUMBER(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, uint32_t);
	NUMBER(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_PC, uint64_t);
	NUMBER(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, uint64_t);
	NUMBER(amd_dbgapi_wave_get_info, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, uint64_t);
	putchar('\n');
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state);
	if (registers && state == AMD_DBGAPI_WAVE_STATE_STOP)
		show_registers(wave);
}

#define LIST(function, process, type, show)                                                        \
	do {                                                                                       \
		amd_dbgapi_changed_t changed_ = AMD_DBGAPI_CHANGED_NO;                             \
		type *list_ = NULL;                                                                \
		size_t count_ = 0;                                                                 \
		amd_dbgapi_status_t status_ = function(process, &count_, &list_, &changed_);       \
                                                                                                   \
		printf(" %s: %d changed %d\n", #function, (int)status_, (int)changed_);            \
		free(list_);                                                                       \
		list_ = NULL;                                                                      \
		count_ = 0;                                                                        \
		status_ = function(process, &count_, &list_, NULL);                                \
		printf("  %d, %zu:", (int)status_, count_);                                        \
		for (size_t i_ = 0; i_ < count_; i_++)                                             \
			printf(" %" PRIu64, list_[i_].handle);                                     \
		putchar('\n');                                                                     \
		for (size_t i_ = 0; i_ < count_; i_++)                                             \
			show(list_[i_], i_);                                                       \
		free(list_);                                                                       \
	} while (0)

static void show_code_object(amd_dbgapi_code_object_id_t code, size_t index)
{
	char *uri = NULL;

	(void)index;
	printf("  code object %" PRIu64 ":", code.handle);
	NUMBER(amd_dbgapi_code_object_get_info, code, AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS,
	       uint64_t);
	NUMBER(amd_dbgapi_code_object_get_info, code, AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
	       uint64_t);
	if (amd_dbgapi_code_object_get_info(code, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, sizeof(uri),
					    &uri) == AMD_DBGAPI_STATUS_SUCCESS)
		printf(" %s", uri);
	putchar('\n');
	free(uri);
}

static void show_agent(amd_dbgapi_agent_id_t agent, size_t index)
{
	(void)index;
	printf("  agent %" PRIu64 ":", agent.handle);
	NUMBER(amd_dbgapi_agent_get_info, agent, AMD_DBGAPI_AGENT_INFO_PROCESS, uint64_t);
	NUMBER(amd_dbgapi_agent_get_info, agent, AMD_DBGAPI_AGENT_INFO_OS_ID, uint64_t);
	putchar('\n');
}

static void show_dispatch(amd_dbgapi_dispatch_id_t dispatch, size_t index)
{
	(void)index;
	printf("  dispatch %" PRIu64 ":", dispatch.handle);
	NUMBER(amd_dbgapi_dispatch_get_info, dispatch, AMD_DBGAPI_DISPATCH_INFO_PROCESS, uint64_t);
	NUMBER(amd_dbgapi_dispatch_get_info, dispatch,
	       AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, uint64_t);
	putchar('\n');
}

static void show_wave_at(amd_dbgapi_wave_id_t wave, size_t index)
{
	show_wave(wave, index < 2);
}

static void show(amd_dbgapi_process_id_t process)
{
	if (process.handle) {
		NUMBER(amd_dbgapi_process_get_info, process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
		       int32_t);
		NUMBER(amd_dbgapi_process_get_info, process,
		       AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, uint64_t);
		putchar('\n');
	}
	LIST(amd_dbgapi_process_agent_list, process, amd_dbgapi_agent_id_t, show_agent);
	LIST(amd_dbgapi_process_code_object_list, process, amd_dbgapi_code_object_id_t,
	     show_code_object);
	LIST(amd_dbgapi_process_dispatch_list, process, amd_dbgapi_dispatch_id_t, show_dispatch);
	LIST(amd_dbgapi_process_wave_list, process, amd_dbgapi_wave_id_t, show_wave_at);
}

/* ---- Acting ---- */

static bool take_event(amd_dbgapi_process_id_t process)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_status_t status = amd_dbgapi_process_next_pending_event(process, &event, &kind);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		printf("  next event: %d\n", (int)status);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !event.handle)
		return false;
	printf("  event %" PRIu64 " kind %d", event.handle, (int)kind);
	NUMBER(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_PROCESS, uint64_t);
	NUMBER(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_WAVE, uint64_t);
	printf(" processed %d\n", (int)amd_dbgapi_event_processed(event));
	return true;
}

static void take_events(amd_dbgapi_process_id_t process)
{
	bool some = false;

	for (int i = 0; i < PATIENCE && !some; i++)
		some = take_event(process);
	while (some && take_event(process))
		;
}

enum to { TO_RESUME, TO_STEP, TO_STOP };

static void command(amd_dbgapi_process_id_t process, enum to to)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	size_t count = 0, done = 0;

	amd_dbgapi_process_wave_list(process, &count, &waves, NULL);
	for (size_t i = 0; i < count && (to != TO_STEP || !done); i++) {
		uint32_t state = 0;
		amd_dbgapi_status_t status;

		amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state),
					 &state);
		if ((state == AMD_DBGAPI_WAVE_STATE_STOP) == (to == TO_STOP))
			continue;
		status = to == TO_STOP ? amd_dbgapi_wave_stop(waves[i])
				       : amd_dbgapi_wave_resume(
						 waves[i],
						 to == TO_STEP ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
							       : AMD_DBGAPI_RESUME_MODE_NORMAL,
						 AMD_DBGAPI_EXCEPTION_NONE);
		printf(" %" PRIu64 ":%d", waves[i].handle, (int)status);
		done++;
	}
	putchar('\n');
	free(waves);
}

/* The first wave that is stopped, and its pc; a null handle without one. */
static amd_dbgapi_wave_id_t stopped_wave(amd_dbgapi_process_id_t process, uint64_t *pc)
{
	amd_dbgapi_wave_id_t *waves = NULL, found = {0};
	size_t count = 0;

	amd_dbgapi_process_wave_list(process, &count, &waves, NULL);
	for (size_t i = 0; i < count && !found.handle; i++)
		if (amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_PC, sizeof(*pc), pc) ==
		    AMD_DBGAPI_STATUS_SUCCESS)
			found = waves[i];
	free(waves);
	return found;
}

static void read_memory(amd_dbgapi_process_id_t process)
{
	amd_dbgapi_size_t size = 16;
	uint8_t bytes[16] = {0};
	uint64_t pc = 0;
	amd_dbgapi_status_t status;

	stopped_wave(process, &pc);
	status = amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, 0,
					AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size, bytes);
	printf("  %" PRIx64 ": %d %" PRIu64 " ", pc, (int)status, (uint64_t)size);
	show_bytes(bytes, sizeof(bytes));
	putchar('\n');
}

static void write_some(amd_dbgapi_process_id_t process)
{
	amd_dbgapi_register_id_t *registers = NULL;
	amd_dbgapi_size_t size = 4;
	uint64_t pc = 0;
	amd_dbgapi_wave_id_t wave = stopped_wave(process, &pc);
	size_t count = 0;
	uint8_t bytes[4] = {0xab, 0xcd, 0, 0};

	amd_dbgapi_wave_register_list(wave, &count, &registers);
	if (count > 25)
		printf("  register: %d\n",
		       (int)amd_dbgapi_write_register(wave, registers[25], 0, 4, bytes));
	free(registers);
	printf("  memory: %d\n", (int)amd_dbgapi_write_memory(process, AMD_DBGAPI_WAVE_NONE, 0,
							      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
							      pc + 64, &size, bytes));
}

static void attach(size_t index, const char *workload)
{
	if (*workload == '=')
		setenv("WAVETAPE_WORKLOAD", workload + 1, 1);
	printf("  %d", (int)amd_dbgapi_process_attach(
			       (amd_dbgapi_client_process_id_t)(void *)&identities[index],
			       &processes[index]));
	printf(" handle %" PRIu64 "\n", processes[index].handle);
}

static void start(void)
{
	static amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = malloc,
		.deallocate_memory = free,
		.client_process_get_info = client_process_get_info,
		.insert_breakpoint = insert_breakpoint,
		.remove_breakpoint = remove_breakpoint,
		.xfer_global_memory = blind_xfer_global_memory,
		.log_message = log_message,
	};

	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	printf("  initialize %d\n", (int)amd_dbgapi_initialize(&callbacks));
}

static void act(const char *action, size_t index)
{
	amd_dbgapi_process_id_t process =
		index < PROCESSES ? processes[index] : AMD_DBGAPI_PROCESS_NONE;

	switch (action[0]) {
	case '+':
		attach(index, action + 2);
		break;
	case '-':
		printf("  %d\n", (int)amd_dbgapi_process_detach(process));
		break;
	case 'e':
		take_events(process);
		break;
	case 'q':
		printf("  %d\n", take_event(process));
		break;
	case 's':
		show(process);
		break;
	case 'r':
		command(process, TO_RESUME);
		break;
	case '1':
		command(process, TO_STEP);
		break;
	case 't':
		command(process, TO_STOP);
		break;
	case 'h':
	case 'g':
		printf("  %d\n",
		       (int)amd_dbgapi_process_set_progress(
			       process, action[0] == 'g' ? AMD_DBGAPI_PROGRESS_NORMAL
							 : AMD_DBGAPI_PROGRESS_NO_FORWARD));
		break;
	case 'm':
		read_memory(process);
		break;
	case 'w':
		write_some(process);
		break;
	case 'f':
		printf("  finalize %d\n", (int)amd_dbgapi_finalize());
		start();
		break;
	case 'k':
		fflush(stdout);
		raise(SIGKILL);
		break;
	default:
		printf("  no such action\n");
	}
}

int main(int argc, char **argv)
{
	start();
	for (int i = 1; i < argc; i++) {
		/* A workload's path differs from place to place. */
		printf("==== %.2s\n", argv[i]);
		act(argv[i],
		    argv[i][1] == '*' ? PROCESSES : (size_t)(argv[i][1] - 'a') % PROCESSES);
	}
	printf("==== end\n  %d\n", (int)amd_dbgapi_finalize());
	return 0;
}
