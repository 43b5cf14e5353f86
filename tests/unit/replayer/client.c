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
#include "client.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 400
#define MAX_STEPS 12

struct client client;
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

static void print_architecture(void)
{
	amd_dbgapi_register_id_t pc = {0};
	uint32_t major, minor, patch;
	char *name = NULL;

	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("version %u.%u.%u, %s\n", major, minor, patch, amd_dbgapi_get_build_name());
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	client_say("initialize", amd_dbgapi_initialize(&callbacks));
	client_say("initialize again", amd_dbgapi_initialize(&callbacks));
	client_say("no architecture", amd_dbgapi_get_architecture(0x1, &client.architecture));
	client_say("architecture", amd_dbgapi_get_architecture(0x4c, &client.architecture));
	amd_dbgapi_architecture_get_info(client.architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME,
					 sizeof(name), &name);
	amd_dbgapi_architecture_get_info(client.architecture,
					 AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, sizeof(pc), &pc);
	printf("%s, pc is %" PRIx64 "\n", name ? name : "?", pc.handle);
	free(name);
	client_print_registers();
	client_print_classes();
	client_print_spaces();
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
		client_say("  resume too early",
			   amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
						  AMD_DBGAPI_EXCEPTION_NONE));
	}
	client_say("  processed", amd_dbgapi_event_processed(event));
	client_say("  processed again", amd_dbgapi_event_processed(event));
}

/* Everything that is pending; how many events there were. */
static size_t pump(void)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	size_t count = 0;

	for (;;) {
		amd_dbgapi_status_t status =
			amd_dbgapi_process_next_pending_event(client.process, &event, &kind);

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
			client_say(name,
				   amd_dbgapi_write_register(wave, registers[i], 0, 4, &pattern));
			pattern = pattern * 3 + 1;
		}
		if (name && !strcmp(name, "exec")) {
			amd_dbgapi_read_register(wave, registers[i], 0, 8, &exec);
			odd = 0;
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &odd);
			client_print_wave(wave);
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &exec);
		}
		if (name && !strcmp(name, "pc")) {
			odd = pc + 5;
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &odd);
			client_print_wave(wave);
			amd_dbgapi_write_register(wave, registers[i], 0, 8, &pc);
		}
		free(name);
	}
	free(registers);
	client_print_wave(wave);
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch), &dispatch);
	amd_dbgapi_dispatch_get_info(dispatch,
				     AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
				     sizeof(kernarg), &kernarg);
	client_say("write arguments' end",
		   amd_dbgapi_write_memory(client.process, wave, 0, client.global, kernarg + 2000,
					   &size, &pattern));
	size = 4;
	client_say("write local", amd_dbgapi_write_memory(client.process, wave, 0, client.local, 8,
							  &size, &pattern));
	size = 4;
	client_say("write private",
		   amd_dbgapi_write_memory(client.process, wave, 7, client.private_lane, 6, &size,
					   &pattern));
	size = 4;
	client_say("write nowhere", amd_dbgapi_write_memory(client.process, wave, 7, client.global,
							    64, &size, &pattern));
	client_print_wave(wave);
}

/* The address two instructions after @pc. */
static uint64_t ahead(amd_dbgapi_wave_id_t wave, uint64_t pc)
{
	for (int i = 0; i < 2; i++) {
		uint8_t bytes[16];
		amd_dbgapi_size_t size = sizeof(bytes);

		if (amd_dbgapi_read_memory(client.process, wave, AMD_DBGAPI_LANE_NONE,
					   client.global, pc, &size, bytes) ||
		    amd_dbgapi_disassemble_instruction(client.architecture, pc, &size, bytes, NULL,
						       NULL, NULL))
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

	amd_dbgapi_architecture_get_info(client.architecture,
					 AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE,
					 sizeof(size), &size);
	if (address)
		client_say("take back",
			   amd_dbgapi_write_memory(client.process, wave, AMD_DBGAPI_LANE_NONE,
						   client.global, address, &size, original));
	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc);
	address = ahead(wave, pc);
	printf("breakpoint at 0x%" PRIx64 "\n", address);
	if (!address ||
	    amd_dbgapi_architecture_get_info(client.architecture,
					     AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
					     sizeof(trap), &trap))
		return;
	amd_dbgapi_read_memory(client.process, wave, AMD_DBGAPI_LANE_NONE, client.global, address,
			       &size, original);
	client_say("insert", amd_dbgapi_write_memory(client.process, wave, AMD_DBGAPI_LANE_NONE,
						     client.global, address, &size, trap));
	amd_dbgapi_read_memory(client.process, wave, AMD_DBGAPI_LANE_NONE, client.global, address,
			       &size, now);
	printf("there now: %016" PRIx64 "\n", client_hash(now, size));
	free(trap);
}

static void set_progress(amd_dbgapi_progress_t progress)
{
	if (debugger)
		client_say("progress", amd_dbgapi_process_set_progress(client.process, progress));
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

	count = client_print_waves(&waves);
	if (debugger) {
		stop_all(waves, count);
		free(waves);
		count = client_print_waves(&waves);
	}
	client_print_dispatches();
	client_print_queues();
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
	client_say("attach",
		   amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&client.process,
					     &client.process));
	client_say(
		"attach again",
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&client.process, &again));
	client_say("notifier",
		   amd_dbgapi_process_get_info(client.process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
					       sizeof(notifier), &notifier));
	client_print_code_objects();
	client_print_queues();
	run();
	client_say("detach", amd_dbgapi_process_detach(client.process));
	client_say("detach again", amd_dbgapi_process_detach(client.process));
	client_say("finalize", amd_dbgapi_finalize());
	return 0;
}
