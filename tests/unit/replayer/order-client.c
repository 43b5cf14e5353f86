/* SPDX-License-Identifier: MIT */
/*
 * A client of few calls, whose order matters: what they let go or change shows at once, though the client has not asked
 * for another event. Over the simulated GPU, over a recording library in front of it, and over a replay it must print
 * the same.
 *
 * Usage: order-client SCRIPT, one of those at the end.
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/end-to-end/blind-callbacks.h"

#define MAX_ROUNDS 200

static const uint32_t nop = 0xbf800000;

static amd_dbgapi_process_id_t process;
static amd_dbgapi_breakpoint_id_t inserted;

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
	(void)address;
	inserted = breakpoint;
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
	.remove_breakpoint = blind_remove_breakpoint,
	.xfer_global_memory = blind_xfer_global_memory,
	.log_message = log_message,
};

/* ---- What the scripts are made of ---- */

struct happened {
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_wave_id_t wave;
};

static struct happened next_event(void)
{
	struct happened happened = {{0}, AMD_DBGAPI_EVENT_KIND_NONE, {0}};
	int status =
		amd_dbgapi_process_next_pending_event(process, &happened.event, &happened.kind);

	amd_dbgapi_event_get_info(happened.event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(happened.wave),
				  &happened.wave);
	printf("event: %d %" PRIu64 " kind %d wave %" PRIu64 "\n", status, happened.event.handle,
	       (int)happened.kind, happened.wave.handle);
	return happened;
}

static void processed(struct happened happened)
{
	printf("processed %" PRIu64 ": %d\n", happened.event.handle,
	       amd_dbgapi_event_processed(happened.event));
}

/* Go on to the next event of a kind; what comes before it is done with. */
static struct happened run_to(amd_dbgapi_event_kind_t kind)
{
	struct happened happened = {{0}, AMD_DBGAPI_EVENT_KIND_NONE, {0}};

	for (int i = 0; i < MAX_ROUNDS; i++) {
		happened = next_event();
		if (happened.kind == kind)
			break;
		if (happened.event.handle)
			processed(happened);
	}
	return happened;
}

/* All events until there are none, done with: the first wave that one of them stopped. */
static amd_dbgapi_wave_id_t take_all(void)
{
	amd_dbgapi_wave_id_t first = {0};
	struct happened happened;

	while ((happened = next_event()).event.handle) {
		if (!first.handle)
			first = happened.wave;
		processed(happened);
	}
	return first;
}

static uint64_t ask_wave(amd_dbgapi_wave_id_t wave, amd_dbgapi_wave_info_t query, size_t size)
{
	uint64_t value = 0;
	int status = amd_dbgapi_wave_get_info(wave, query, size, &value);

	printf("wave %" PRIu64 ", %d: %d %" PRIx64 "\n", wave.handle, (int)query, status, value);
	return value;
}

static void ask_state(amd_dbgapi_wave_id_t wave)
{
	ask_wave(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(uint32_t));
}

static amd_dbgapi_register_id_t pc_register(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_architecture_id_t architecture = {0};
	amd_dbgapi_register_id_t id = {0};

	amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, sizeof(architecture),
				 &architecture);
	amd_dbgapi_architecture_get_info(architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
					 sizeof(id), &id);
	return id;
}

static uint64_t read_pc(amd_dbgapi_wave_id_t wave)
{
	uint64_t pc = 0;
	int status = amd_dbgapi_read_register(wave, pc_register(wave), 0, sizeof(pc), &pc);

	printf("pc %" PRIu64 ": %d %" PRIx64 "\n", wave.handle, status, pc);
	return pc;
}

/* The last wave whose registers can be read, whether the client was told that it has stopped or not. */
static amd_dbgapi_wave_id_t last_standing(void)
{
	amd_dbgapi_wave_id_t *list = NULL, wave = {0};
	size_t count = 0;
	int status = amd_dbgapi_process_wave_list(process, &count, &list, NULL);

	printf("waves: %d %zu\n", status, count);
	for (size_t i = 0; i < count; i++)
		if (read_pc(list[i]))
			wave = list[i];
	free(list);
	return wave;
}

static void write_pc(amd_dbgapi_wave_id_t wave, uint64_t pc)
{
	printf("write pc %" PRIu64 ": %d\n", wave.handle,
	       amd_dbgapi_write_register(wave, pc_register(wave), 0, sizeof(pc), &pc));
}

static void read_word(uint64_t address)
{
	amd_dbgapi_size_t size = 4;
	uint32_t word = 0;
	int status = amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					    AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size, &word);

	printf("memory %" PRIx64 ": %d %x\n", address, status, word);
}

static void resume(amd_dbgapi_wave_id_t wave, amd_dbgapi_resume_mode_t mode)
{
	printf("resume %" PRIu64 " %d: %d\n", wave.handle, (int)mode,
	       amd_dbgapi_wave_resume(wave, mode, AMD_DBGAPI_EXCEPTION_NONE));
}

static void stop(amd_dbgapi_wave_id_t wave)
{
	printf("stop %" PRIu64 ": %d\n", wave.handle, amd_dbgapi_wave_stop(wave));
}

static void set_progress(amd_dbgapi_progress_t progress)
{
	printf("progress %d: %d\n", (int)progress,
	       amd_dbgapi_process_set_progress(process, progress));
}

static amd_dbgapi_displaced_stepping_id_t begin_step(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_displaced_stepping_id_t stepping = {0};
	int status = amd_dbgapi_displaced_stepping_start(wave, &nop, &stepping);

	printf("displaced %" PRIu64 ": %d %" PRIu64 "\n", wave.handle, status, stepping.handle);
	return stepping;
}

static void end_step(amd_dbgapi_wave_id_t wave, amd_dbgapi_displaced_stepping_id_t stepping)
{
	printf("complete %" PRIu64 ": %d\n", wave.handle,
	       amd_dbgapi_displaced_stepping_complete(wave, stepping));
}

static void list_packets(void)
{
	amd_dbgapi_queue_id_t *queues = NULL;
	size_t count = 0;
	int status = amd_dbgapi_process_queue_list(process, &count, &queues, NULL);

	printf("queues: %d %zu\n", status, count);
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_os_queue_packet_id_t read = 0, written = 0;
		amd_dbgapi_size_t size = 0;

		status = amd_dbgapi_queue_packet_list(queues[i], &read, &written, &size, NULL);
		printf("  packets: %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", status, read, written,
		       (uint64_t)size);
	}
	free(queues);
}

/* ---- The scripts ---- */

/* The program waits at a breakpoint until the event is processed; then it goes on at once, and uses its queue. */
static void process_breakpoint(void)
{
	amd_dbgapi_breakpoint_action_t action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	struct happened happened;

	for (int i = 0; i < MAX_ROUNDS && action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT; i++) {
		int status;

		take_all();
		status = amd_dbgapi_report_breakpoint_hit(inserted, NULL, &action);
		printf("hit: %d %d\n", status, (int)action);
	}
	processed(run_to(AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED));
	happened = run_to(AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME);
	take_all();
	list_packets();
	processed(happened);
	list_packets();
}

/* As before, but nothing was looked at, and no other event asked for, since the event came. */
static void process_breakpoint_at_once(void)
{
	amd_dbgapi_breakpoint_action_t action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;

	for (int i = 0; i < MAX_ROUNDS && action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT; i++) {
		take_all();
		amd_dbgapi_report_breakpoint_hit(inserted, NULL, &action);
	}
	list_packets();
	processed(run_to(AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED));
	processed(run_to(AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME));
	list_packets();
	take_all();
	list_packets();
}

/* A wave has stopped whose event is still to come. Its registers were written at one moment, and it steps at a later one. */
static void step_unseen(void)
{
	amd_dbgapi_displaced_stepping_id_t stepping;
	amd_dbgapi_wave_id_t wave;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_WAVE_STOP));
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	wave = last_standing();
	write_pc(wave, read_pc(wave));
	/* Whatever comes of it, what the client has seen is a moment before it. */
	resume(AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_RESUME_MODE_NORMAL);
	processed(next_event());
	stepping = begin_step(wave);
	resume(AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_RESUME_MODE_NORMAL);
	processed(next_event());
	read_pc(wave);
	end_step(wave, stepping);
	read_pc(wave);
}

/* In the middle of a displaced step a wave is let go, and stopped before anything moves. */
static void stop_in_step(void)
{
	amd_dbgapi_displaced_stepping_id_t stepping;
	amd_dbgapi_wave_id_t wave;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_RUNTIME));
	wave = take_all();
	read_pc(wave);
	stepping = begin_step(wave);
	read_pc(wave);
	resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP);
	read_pc(wave);
	stop(wave);
	write_pc(wave, read_pc(wave));
	processed(next_event());
	read_pc(wave);
	end_step(wave, stepping);
	read_pc(wave);
}

/* The client has looked at a wave before it got the event of its stop, steps it, and looks before the event of the step. */
static void look_in_step(void)
{
	amd_dbgapi_displaced_stepping_id_t stepping;
	amd_dbgapi_wave_id_t wave;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_WAVE_STOP));
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	wave = last_standing();
	read_pc(wave);
	take_all();
	stepping = begin_step(wave);
	resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP);
	read_pc(wave);
	set_progress(AMD_DBGAPI_PROGRESS_NORMAL);
	read_pc(wave);
	take_all();
	read_pc(wave);
	end_step(wave, stepping);
	read_pc(wave);
}

/* A step that is not made shows as one until the client asks the wave to stop, or something else stops it. */
static void ask_in_step(void)
{
	amd_dbgapi_wave_id_t wave;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_RUNTIME));
	wave = take_all();
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP);
	take_all();
	ask_state(wave);
	stop(wave);
	ask_state(wave);
	take_all();
	ask_state(wave);
}

/* A step that was made shows as one, also when the client asks the wave to stop; it ends without the event of either. */
static void ask_after_step(void)
{
	amd_dbgapi_wave_id_t wave;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_RUNTIME));
	wave = take_all();
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP);
	set_progress(AMD_DBGAPI_PROGRESS_NORMAL);
	stop(wave);
	ask_state(wave);
}

/*
 * A wave that is to make a step stops for another reason, and shows as running until its event is given. Another wave has
 * stopped in between, and the client has tried to do something with the first.
 */
static void fault_in_step(void)
{
	amd_dbgapi_wave_id_t wave, other;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_RUNTIME));
	wave = take_all();
	other = last_standing();
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP);
	resume(other, AMD_DBGAPI_RESUME_MODE_NORMAL);
	stop(other);
	take_all();
	ask_state(wave);
	begin_step(wave);
	set_progress(AMD_DBGAPI_PROGRESS_NORMAL);
	ask_state(wave);
	take_all();
	ask_state(wave);
}

/* The instructions of two displaced steps, begun at one moment, stand in one page. */
static void look_at_step(void)
{
	amd_dbgapi_wave_id_t first, second;

	processed(run_to(AMD_DBGAPI_EVENT_KIND_RUNTIME));
	first = take_all();
	second = last_standing();
	resume(second, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP);
	run_to(AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	take_all();
	begin_step(first);
	read_word(read_pc(first));
	begin_step(second);
	read_word(read_pc(second));
}

static const struct {
	const char *name;
	void (*run)(void);
} scripts[] = {
	{"process-breakpoint", process_breakpoint},
	{"process-breakpoint-at-once", process_breakpoint_at_once},
	{"step-unseen", step_unseen},
	{"stop-in-step", stop_in_step},
	{"look-in-step", look_in_step},
	{"ask-in-step", ask_in_step},
	{"ask-after-step", ask_after_step},
	{"fault-in-step", fault_in_step},
	{"look-at-step", look_at_step},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(scripts) / sizeof(*scripts); i++) {
		if (strcmp(argv[1], scripts[i].name) != 0)
			continue;
		printf("initialize: %d\n", amd_dbgapi_initialize(&callbacks));
		printf("attach: %d\n", amd_dbgapi_process_attach(
					       (amd_dbgapi_client_process_id_t)&process, &process));
		scripts[i].run();
		printf("finalize: %d\n", amd_dbgapi_finalize());
		return 0;
	}
	return 2;
}
