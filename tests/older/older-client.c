/* SPDX-License-Identifier: MIT */
/*
 * A client of the API in its older form: built with the header of that form and linked with a library that has it
 * alone, so that it binds to the older symbol versions, as one built years ago does. It prints all it learns. The output over the
 * simulated GPU, recorded, and over the trace must be the same bytes. A line that begins with "rule" says which
 * statement of that form it holds: what was expected, and what came.
 *
 * Usage: older-client [STEPS]: the first stopped wave that can be resumed makes so many steps.
 */
#include "amd-dbgapi-older.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PUMP_LIMIT 10000

static amd_dbgapi_process_id_t process;
static amd_dbgapi_shared_library_id_t library;
static long steps;

static const char *status_name(amd_dbgapi_status_t status)
{
	const char *text = "no text";

	amd_dbgapi_get_status_string(status, &text);
	return text;
}

/* What a statement of the reference promises, and whether it came. */
static void rule(const char *statement, amd_dbgapi_status_t expected, amd_dbgapi_status_t status)
{
	printf("rule %s: %s%s%s\n", statement, status_name(status),
	       expected == status ? "" : ", NOT ", expected == status ? "" : status_name(expected));
}

/* ---- Callbacks ---- */

static amd_dbgapi_status_t get_os_pid(amd_dbgapi_client_process_id_t client,
				      amd_dbgapi_os_pid_t *pid)
{
	(void)client;
	*pid = 4242;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t enable_notify(amd_dbgapi_client_process_id_t client, const char *name,
					 amd_dbgapi_shared_library_id_t id,
					 amd_dbgapi_shared_library_state_t *state)
{
	(void)client;
	printf("callback enable_notify_shared_library %s\n", name);
	library = id;
	*state = AMD_DBGAPI_SHARED_LIBRARY_STATE_LOADED;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t disable_notify(amd_dbgapi_client_process_id_t client,
					  amd_dbgapi_shared_library_id_t id)
{
	(void)client;
	printf("callback disable_notify_shared_library %s\n",
	       id.handle == library.handle ? "the same" : "ANOTHER");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t get_symbol(amd_dbgapi_client_process_id_t client,
				      amd_dbgapi_shared_library_id_t id, const char *name,
				      amd_dbgapi_global_address_t *address)
{
	(void)client;
	(void)id;
	(void)name;
	(void)address;
	return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_shared_library_id_t id,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	printf("callback insert_breakpoint %s 0x%" PRIx64 " #%" PRIu64 "\n",
	       id.handle == library.handle ? "in the library" : "ELSEWHERE", address,
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

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	printf("log %d: %s\n", (int)level, message);
}

/* ---- What is asked of one wave ---- */

static amd_dbgapi_status_t symbolize(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	(void)id;
	return asprintf(text, "<place 0x%" PRIx64 ">", address) < 0 ? AMD_DBGAPI_STATUS_ERROR
								    : AMD_DBGAPI_STATUS_SUCCESS;
}

static void show_code(amd_dbgapi_architecture_id_t architecture, amd_dbgapi_wave_id_t wave,
		      amd_dbgapi_global_address_t pc)
{
	amd_dbgapi_address_space_id_t global = {1};
	amd_dbgapi_instruction_kind_t kind;
	amd_dbgapi_symbolizer_id_t id = (amd_dbgapi_symbolizer_id_t)&steps;
	uint8_t bytes[16];
	amd_dbgapi_size_t size = sizeof(bytes), length;
	char *text = NULL;
	amd_dbgapi_status_t status =
		amd_dbgapi_read_memory(process, wave, 0, global, pc, &size, bytes);

	printf("  code %s", status_name(status));
	for (size_t i = 0; !status && i < size; i++)
		printf(" %02x", bytes[i]);
	putchar('\n');
	if (status)
		return;
	length = size;
	status = amd_dbgapi_disassemble_instruction(architecture, pc, &length, bytes, &text, id,
						    symbolize);
	printf("  instruction %s %s\n", status_name(status), status ? "" : text);
	free(status ? NULL : text);
	length = size;
	status = amd_dbgapi_classify_instruction(architecture, pc, &length, bytes, &kind, NULL);
	printf("  kind %s %d\n", status_name(status), status ? -1 : (int)kind);
}

static void show_registers(amd_dbgapi_architecture_id_t architecture, amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_id_t *registers;
	size_t count;
	amd_dbgapi_status_t status =
		amd_dbgapi_wave_register_list(process, wave, &count, &registers);

	printf("  registers %s\n", status_name(status));
	for (size_t i = 0; !status && i < count; i++) {
		uint8_t value[512];
		amd_dbgapi_size_t size = 0;
		char *name = NULL;
		uint32_t sum = 0;

		amd_dbgapi_architecture_register_get_info(architecture, registers[i],
							  AMD_DBGAPI_REGISTER_INFO_SIZE,
							  sizeof(size), &size);
		status = amd_dbgapi_wave_register_get_info(process, wave, registers[i],
							   AMD_DBGAPI_REGISTER_INFO_NAME,
							   sizeof(name), &name);
		if (status || size > sizeof(value)) {
			printf("  register %s\n", status_name(status));
			break;
		}
		status = amd_dbgapi_read_register(process, wave, registers[i], 0, size, value);
		for (size_t at = 0; !status && at < size; at++)
			sum = sum * 31 + value[at];
		printf("  %s %s %08x\n", name, status_name(status), sum);
		free(name);
		status = AMD_DBGAPI_STATUS_SUCCESS;
	}
	free(status ? NULL : registers);
}

#define ASK(query, variable)                                                                       \
	amd_dbgapi_wave_get_info(process, wave, AMD_DBGAPI_WAVE_INFO_##query, sizeof(variable),    \
				 &(variable))

static uint64_t show_wave(amd_dbgapi_wave_id_t wave)
{
	uint64_t reason = 0, mask = 0;
	amd_dbgapi_global_address_t pc = 0;
	uint32_t group[3] = {0}, number = 0;
	amd_dbgapi_architecture_id_t architecture = {0};
	amd_dbgapi_dispatch_id_t dispatch = {0};
	amd_dbgapi_wave_state_t state = 0;
	size_t lanes = 0;

	printf("wave %" PRIu64 ": %s", wave.handle, status_name(ASK(STATE, state)));
	printf(" state %d, %s", (int)state, status_name(ASK(STOP_REASON, reason)));
	printf(" reason 0x%" PRIx64, reason);
	printf(", %s", status_name(ASK(WORK_GROUP_COORD, group)));
	printf(" (%u,%u,%u)", group[0], group[1], group[2]);
	printf(", %s", status_name(ASK(WAVE_NUMBER_IN_WORK_GROUP, number)));
	printf(" /%u, %s", number, status_name(ASK(LANE_COUNT, lanes)));
	printf(" %zu lanes, %s", lanes, status_name(ASK(DISPATCH, dispatch)));
	printf(" dispatch %" PRIu64 ", %s", dispatch.handle, status_name(ASK(EXEC_MASK, mask)));
	printf(" exec 0x%" PRIx64 ", %s", mask, status_name(ASK(PC, pc)));
	printf(" pc 0x%" PRIx64 ", %s\n", pc, status_name(ASK(ARCHITECTURE, architecture)));
	show_registers(architecture, wave);
	show_code(architecture, wave, pc);
	return reason;
}

/* ---- Events ---- */

/* One event with its wave; a handle of 0 for none. */
static amd_dbgapi_wave_id_t show_event(amd_dbgapi_event_id_t event, amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_runtime_state_t state = 0;
	amd_dbgapi_process_id_t none = {0};
	amd_dbgapi_event_kind_t told = 0;
	amd_dbgapi_wave_id_t wave = {0};

	amd_dbgapi_event_get_info(process, event, AMD_DBGAPI_EVENT_INFO_KIND, sizeof(told), &told);
	printf("event %" PRIu64 " kind %d %d\n", event.handle, (int)kind, (int)told);
	if (kind == AMD_DBGAPI_EVENT_KIND_RUNTIME) {
		amd_dbgapi_event_get_info(process, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
					  sizeof(state), &state);
		printf("  runtime state %d\n", (int)state);
	} else {
		amd_dbgapi_event_get_info(process, event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave),
					  &wave);
		printf("  wave %" PRIu64 "\n", wave.handle);
	}
	rule("event_get_info: process_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_event_get_info(none, event, AMD_DBGAPI_EVENT_INFO_KIND, sizeof(told),
				       &told));
	rule("event_get_info: event_id is the NULL event", AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID,
	     amd_dbgapi_event_get_info(process, (amd_dbgapi_event_id_t){0},
				       AMD_DBGAPI_EVENT_INFO_KIND, sizeof(told), &told));
	rule("event_get_info: value is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_event_get_info(process, event, AMD_DBGAPI_EVENT_INFO_KIND, sizeof(told),
				       NULL));
	rule("event_get_info: an attribute not of the kind",
	     AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_event_get_info(process, event, AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD,
				       sizeof(void *), &wave));
	rule("event_get_info: value_size does not match",
	     AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_SIZE,
	     amd_dbgapi_event_get_info(process, event, AMD_DBGAPI_EVENT_INFO_KIND, 1, &told));
	if (wave.handle && kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
		rule("wave_resume: the stop event is not processed yet",
		     AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE,
		     amd_dbgapi_wave_resume(process, wave, AMD_DBGAPI_RESUME_MODE_NORMAL));
	rule("event_processed: process_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_event_processed(none, event));
	rule("event_processed: reported once", AMD_DBGAPI_STATUS_SUCCESS,
	     amd_dbgapi_event_processed(process, event));
	rule("event_processed: the event is invalidated", AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID,
	     amd_dbgapi_event_processed(process, event));
	return kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ? wave : (amd_dbgapi_wave_id_t){0};
}

/* All events there are. The last wave that stopped; a handle of 0 for none. */
static amd_dbgapi_wave_id_t pump(void)
{
	amd_dbgapi_wave_id_t stopped = {0};
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	for (int i = 0; i < PUMP_LIMIT; i++) {
		amd_dbgapi_status_t status = amd_dbgapi_next_pending_event(process, &event, &kind);
		amd_dbgapi_wave_id_t wave;

		if (status || kind == AMD_DBGAPI_EVENT_KIND_NONE) {
			printf("no event: %s, event %" PRIu64 "\n", status_name(status),
			       event.handle);
			break;
		}
		wave = show_event(event, kind);
		stopped = wave.handle ? wave : stopped;
	}
	return stopped;
}

static void event_rules(void)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	rule("next_pending_event: process_id is invalid",
	     AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_next_pending_event((amd_dbgapi_process_id_t){99}, &event, &kind));
	rule("next_pending_event: event_id is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_next_pending_event(process, NULL, &kind));
	rule("next_pending_event: kind is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_next_pending_event(process, &event, NULL));
	rule("event_processed: event_id is the NULL event",
	     AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID,
	     amd_dbgapi_event_processed(process, (amd_dbgapi_event_id_t){0}));
}

/* ---- Waves ---- */

static void wave_rules(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_wave_id_t none = {0};
	uint64_t reason;

	rule("wave_get_info: process_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_wave_get_info((amd_dbgapi_process_id_t){99}, wave,
				      AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason), &reason));
	rule("wave_get_info: wave_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID,
	     amd_dbgapi_wave_get_info(process, none, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
				      sizeof(reason), &reason));
	rule("wave_get_info: value is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_wave_get_info(process, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
				      sizeof(reason), NULL));
	rule("wave_get_info: query is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_wave_get_info(process, wave, (amd_dbgapi_wave_info_t)77, sizeof(reason),
				      &reason));
	rule("wave_get_info: value_size does not match",
	     AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_SIZE,
	     amd_dbgapi_wave_get_info(process, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, 4, &reason));
	rule("wave_stop: the wave is already stopped", AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED,
	     amd_dbgapi_wave_stop(process, wave));
	rule("wave_stop: wave_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID,
	     amd_dbgapi_wave_stop(process, none));
	rule("wave_stop: process_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_wave_stop((amd_dbgapi_process_id_t){99}, wave));
	rule("wave_resume: wave_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID,
	     amd_dbgapi_wave_resume(process, none, AMD_DBGAPI_RESUME_MODE_NORMAL));
	rule("wave_resume: process_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_wave_resume((amd_dbgapi_process_id_t){99}, wave,
				    AMD_DBGAPI_RESUME_MODE_NORMAL));
	rule("wave_resume: resume_mode is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_wave_resume(process, wave, (amd_dbgapi_resume_mode_t)77));
}

/* Reasons with which a wave could not go on. */
static bool is_final(uint64_t reason)
{
	return reason &
	       (AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP | AMD_DBGAPI_WAVE_STOP_REASON_TRAP |
		AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |
		AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION);
}

/* Steps of a wave that stopped, until it may not go on, or is gone. */
static void step(amd_dbgapi_wave_id_t wave)
{
	for (long i = 0; i < steps && wave.handle; i++) {
		uint64_t reason = show_wave(wave);

		if (is_final(reason)) {
			rule("wave_resume: a reason that cannot be resumed",
			     AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE,
			     amd_dbgapi_wave_resume(process, wave, AMD_DBGAPI_RESUME_MODE_NORMAL));
			return;
		}
		rule("wave_resume: once, in single step mode", AMD_DBGAPI_STATUS_SUCCESS,
		     amd_dbgapi_wave_resume(process, wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP));
		rule("wave_resume: all but the first one give an error",
		     AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED,
		     amd_dbgapi_wave_resume(process, wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP));
		wave = pump();
	}
}

static void show_waves(void)
{
	amd_dbgapi_changed_t changed;
	amd_dbgapi_wave_id_t *waves = NULL;
	size_t count = 0;
	amd_dbgapi_status_t status = amd_dbgapi_wave_list(process, &count, &waves, NULL);

	printf("waves %s %zu\n", status_name(status), status ? 0 : count);
	for (size_t i = 0; !status && i < count; i++) {
		amd_dbgapi_wave_state_t state = 0;

		amd_dbgapi_wave_get_info(process, waves[i], AMD_DBGAPI_WAVE_INFO_STATE,
					 sizeof(state), &state);
		if (state == AMD_DBGAPI_WAVE_STATE_STOP)
			show_wave(waves[i]);
		else
			printf("wave %" PRIu64 " state %d\n", waves[i].handle, (int)state);
	}
	free(status ? NULL : waves);
	rule("wave_list: process_id is invalid", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_wave_list((amd_dbgapi_process_id_t){99}, &count, &waves, &changed));
	rule("wave_list: wave_count is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_wave_list(process, NULL, &waves, &changed));
	rule("wave_list: waves is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_wave_list(process, &count, NULL, &changed));
	amd_dbgapi_wave_list(process, &count, &waves, &changed);
	if (changed == AMD_DBGAPI_CHANGED_YES)
		free(waves);
	status = amd_dbgapi_wave_list(process, &count, &waves, &changed);
	printf("rule wave_list: nothing new since the last call: %s\n",
	       !status && changed == AMD_DBGAPI_CHANGED_NO && !waves ? "NULL and NO" : "SOMETHING");
}

/* ---- Everything else ---- */

static void show_objects(void)
{
	amd_dbgapi_code_object_id_t *code_objects;
	amd_dbgapi_agent_id_t *agents;
	amd_dbgapi_queue_id_t *queues;
	size_t count;

	if (!amd_dbgapi_code_object_list(process, &count, &code_objects, NULL)) {
		for (size_t i = 0; i < count; i++) {
			ptrdiff_t load = 0;

			amd_dbgapi_code_object_get_info(process, code_objects[i],
							AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS,
							sizeof(load), &load);
			printf("code object %" PRIu64 " at 0x%tx\n", code_objects[i].handle, load);
		}
		free(code_objects);
	}
	if (!amd_dbgapi_agent_list(process, &count, &agents, NULL)) {
		for (size_t i = 0; i < count; i++) {
			uint32_t units = 0;
			char *name = NULL;

			amd_dbgapi_agent_get_info(process, agents[i], AMD_DBGAPI_AGENT_INFO_NAME,
						  sizeof(name), &name);
			printf("agent %" PRIu64 " %s\n", agents[i].handle, name);
			free(name);
			rule("agent_get_info: a number that is no longer known",
			     AMD_DBGAPI_STATUS_ERROR_UNIMPLEMENTED,
			     amd_dbgapi_agent_get_info(process, agents[i],
						       AMD_DBGAPI_AGENT_INFO_SHADER_ENGINE_COUNT,
						       sizeof(units), &units));
		}
		free(agents);
	}
	if (!amd_dbgapi_queue_list(process, &count, &queues, NULL)) {
		for (size_t i = 0; i < count; i++) {
			amd_dbgapi_queue_packet_id_t first = 0;
			amd_dbgapi_queue_type_t type = 0;
			amd_dbgapi_size_t size = 0;
			void *packets = NULL;
			amd_dbgapi_status_t status;

			amd_dbgapi_queue_get_info(process, queues[i], AMD_DBGAPI_QUEUE_TYPE,
						  sizeof(type), &type);
			status = amd_dbgapi_queue_packet_list(process, queues[i], &first, &size,
							      &packets);
			printf("queue %" PRIu64 " type %d, %s packets from %" PRIu64 ", %" PRIu64
			       " bytes\n",
			       queues[i].handle, (int)type, status_name(status), first, size);
			free(status ? NULL : packets);
		}
		free(queues);
	}
}

static void show_spaces(amd_dbgapi_architecture_id_t architecture)
{
	amd_dbgapi_address_space_id_t *spaces;
	size_t count;

	if (amd_dbgapi_architecture_address_space_list(architecture, &count, &spaces))
		return;
	for (size_t i = 0; i < count; i++) {
		char *name = NULL;

		amd_dbgapi_address_space_get_info(architecture, spaces[i],
						  AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME, sizeof(name),
						  &name);
		printf("space %s aliases", name);
		free(name);
		for (size_t j = 0; j < count; j++) {
			amd_dbgapi_address_space_alias_t alias = 77;

			amd_dbgapi_address_spaces_may_alias(architecture, spaces[i], spaces[j],
							    &alias);
			printf(" %d", (int)alias);
		}
		putchar('\n');
	}
	free(spaces);
}

static void library_rules(void)
{
	rule("report_shared_library: another library",
	     AMD_DBGAPI_STATUS_ERROR_INVALID_SHARED_LIBRARY_ID,
	     amd_dbgapi_report_shared_library(process, (amd_dbgapi_shared_library_id_t){99},
					      AMD_DBGAPI_SHARED_LIBRARY_STATE_LOADED));
	rule("report_shared_library: the one asked for", AMD_DBGAPI_STATUS_SUCCESS,
	     amd_dbgapi_report_shared_library(process, library,
					      AMD_DBGAPI_SHARED_LIBRARY_STATE_LOADED));
	rule("report_shared_library: no such state", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_report_shared_library(process, library,
					      (amd_dbgapi_shared_library_state_t)7));
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.get_os_pid = get_os_pid,
	.enable_notify_shared_library = enable_notify,
	.disable_notify_shared_library = disable_notify,
	.get_symbol_address = get_symbol,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.log_message = log_message,
};

static void start(void)
{
	amd_dbgapi_callbacks_t broken = callbacks;
	amd_dbgapi_client_process_id_t client = (amd_dbgapi_client_process_id_t)&steps;
	uint32_t major, minor, patch;
	size_t count;

	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR);
	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("version %u, at least 0.30: %s\n", major, minor >= 30 ? "yes" : "NO");
	rule("next_pending_event: the library is not initialized",
	     AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED,
	     amd_dbgapi_next_pending_event(process, NULL, NULL));
	rule("wave_list: the library is not initialized", AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED,
	     amd_dbgapi_wave_list(process, &count, NULL, NULL));
	broken.get_symbol_address = NULL;
	rule("initialize: a callback is NULL", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT,
	     amd_dbgapi_initialize(&broken));
	rule("initialize", AMD_DBGAPI_STATUS_SUCCESS, amd_dbgapi_initialize(&callbacks));
	rule("initialize: twice", AMD_DBGAPI_STATUS_ERROR_ALREADY_INITIALIZED,
	     amd_dbgapi_initialize(&callbacks));
	rule("process_attach", AMD_DBGAPI_STATUS_SUCCESS,
	     amd_dbgapi_process_attach(client, &process));
	rule("process_attach: twice", AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED,
	     amd_dbgapi_process_attach(client, &process));
}

int main(int argc, char **argv)
{
	amd_dbgapi_architecture_id_t architecture = {0};
	amd_dbgapi_wave_id_t wave;

	steps = argc > 1 ? atol(argv[1]) : 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(60);
	start();
	library_rules();
	event_rules();
	wave = pump();
	show_objects();
	if (!wave.handle)
		wave = pump();
	amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	show_waves();
	if (wave.handle) {
		wave_rules(wave);
		amd_dbgapi_wave_get_info(process, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					 sizeof(architecture), &architecture);
		show_spaces(architecture);
		amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL);
		step(wave);
	}
	rule("process_detach", AMD_DBGAPI_STATUS_SUCCESS, amd_dbgapi_process_detach(process));
	rule("process_detach: twice", AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID,
	     amd_dbgapi_process_detach(process));
	rule("finalize", AMD_DBGAPI_STATUS_SUCCESS, amd_dbgapi_finalize());
	rule("finalize: twice", AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED, amd_dbgapi_finalize());
	return 0;
}
