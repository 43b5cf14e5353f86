/* SPDX-License-Identifier: MIT */
/*
 * Usage: ask-all LIBRARY [--seed N] [--stops N] [--silent] [--core FILE] [--addresses]
 *
 * Runs a program stop by stop, everything stopped at each, and asks all there is to ask in an order that
 * the seed shuffles: every query of every object, every list, every register of waves, memory of every space.
 * One line for each answer, with the question in it, so that the sorted output says nothing of the order.
 * With --silent it only runs: what a replay of that answers was not asked for when it was recorded. With --core the
 * process is a core, which has one stop. With --addresses only addresses of waves are asked about, first of all and in order.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "question.h"
#include "tests/conformance/core-file.h"
#include "tests/end-to-end/blind-callbacks.h"

#define MAX_STOPS 64
#define ROUND_LIMIT 20000
/* Waves whose registers and memory are asked for: the first and the last ones. */
#define WAVES_ASKED 4u

static uint64_t seed = 1;
static int notifier = -1;
static bool silent, addresses_only;
static const char *core;
static unsigned int max_stops = 6;
static struct question *questions;
static size_t question_count, question_capacity;

/* ---- The client's side ---- */

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	(void)message;
}

static size_t allocations;

/* Not malloc() itself: who allocates shall be seen to be this program. */
static void *allocate_memory(size_t size)
{
	void *memory = malloc(size);

	allocations += memory != NULL;
	return memory;
}

static void must(const char *what, amd_dbgapi_status_t status)
{
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		return;
	printf("FAILED %s: %d\n", what, (int)status);
	exit(1);
}

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static amd_dbgapi_status_t core_get_info(amd_dbgapi_client_process_id_t client,
					 amd_dbgapi_client_process_info_t query, size_t value_size,
					 void *value)
{
	(void)client;
	return query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE
		       ? core_file_state(value_size, value)
		       : AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

static amd_dbgapi_status_t core_xfer(amd_dbgapi_client_process_id_t client,
				     amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				     void *read_buffer, const void *write_buffer)
{
	(void)client;
	return read_buffer ? core_file_read(address, size, read_buffer)
			   : core_file_write(address, size, write_buffer);
}

/* ---- All there is to ask ---- */

static void add(struct question question)
{
	if (question_count == question_capacity) {
		question_capacity = question_capacity ? 2 * question_capacity : 4096;
		questions = realloc(questions, question_capacity * sizeof(*questions));
		if (!questions)
			abort();
	}
	questions[question_count++] = question;
}

static void add_queries(enum wt_object object, uint64_t handle)
{
	for (size_t i = 0; i < wt_objects[object].query_count; i++)
		add((struct question){.kind = QUERY,
				      .what = (int)object,
				      .owner = handle,
				      .number = wt_objects[object].queries[i].value});
}

/* A list, and all queries of what is in it. */
static void add_objects(enum wt_object object, uint64_t owner)
{
	amd_dbgapi_status_t status;
	size_t count;
	wt_cleanup_free uint64_t *list = get_list(wt_objects[object].list, owner, &count, &status);

	add((struct question){.kind = LIST, .what = (int)wt_objects[object].list, .owner = owner});
	for (size_t i = 0; list && i < count; i++)
		add_queries(object, list[i]);
	for (size_t i = 0; object == WT_OBJECT_QUEUE && list && i < count; i++)
		add((struct question){.kind = PACKETS, .owner = list[i]});
}

static void add_architecture(uint64_t architecture)
{
	static const enum wt_object objects[] = {WT_OBJECT_REGISTER, WT_OBJECT_REGISTER_CLASS,
						 WT_OBJECT_ADDRESS_SPACE, WT_OBJECT_ADDRESS_CLASS};
	amd_dbgapi_status_t status;
	size_t count, class_count;
	wt_cleanup_free uint64_t *registers =
		get_list(WT_FUNCTION_ARCHITECTURE_REGISTER_LIST, architecture, &count, &status);
	wt_cleanup_free uint64_t *classes = get_list(WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST,
						     architecture, &class_count, &status);

	add_queries(WT_OBJECT_ARCHITECTURE, architecture);
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++)
		add_objects(objects[i], architecture);
	for (size_t i = 0; classes && i < class_count; i++)
		for (size_t j = 0; registers && j < count; j += 7)
			add((struct question){
				.kind = MEMBER, .owner = classes[i], .number = registers[j]});
}

static void add_memory(uint64_t wave, uint64_t space, uint64_t address, uint64_t lane)
{
	add((struct question){.kind = MEMORY,
			      .owner = wave,
			      .number = space,
			      .address = address & ~(uint64_t)(PAGE - 1),
			      .lane = lane});
}

/* Code, arguments, and what arguments point to. */
static void add_global_memory(uint64_t wave)
{
	uint64_t dispatch = 0, address = 0, arguments[8] = {0};
	amd_dbgapi_size_t size = sizeof(arguments);

	get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch), &dispatch);
	get_info(WT_OBJECT_DISPATCH, dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
		 sizeof(address), &address);
	add_memory(wave, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle, address, 0);
	get_info(WT_OBJECT_DISPATCH, dispatch,
		 AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, sizeof(address),
		 &address);
	add_memory(wave, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle, address, 0);
	api.read_memory((amd_dbgapi_process_id_t){process}, AMD_DBGAPI_WAVE_NONE,
			AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size,
			arguments);
	for (size_t i = 0; i < size / sizeof(*arguments); i++)
		if (arguments[i] > PAGE)
			add_memory(wave, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle, arguments[i], 0);
}

/* Each space from its beginning; never at its end, where the null address is. */
static void add_spaces(uint64_t wave, uint64_t architecture)
{
	amd_dbgapi_status_t status;
	size_t count;
	wt_cleanup_free uint64_t *spaces = get_list(WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST,
						    architecture, &count, &status);

	for (size_t i = 0; spaces && i < count; i++)
		for (uint64_t lane = 0; lane < 64; lane += 21)
			for (uint64_t page = 0; page < 3; page++)
				add_memory(wave, spaces[i], page * PAGE, lane);
}

/* Addresses of one space as all others have them, and the classes that they are in. */
static void add_addresses(uint64_t wave, uint64_t architecture)
{
	static const uint64_t addresses[] = {4, PAGE + 8, UINT64_C(0x100000000001),
					     UINT64_C(0x1000000000010), UINT64_C(0x2000000000024)};
	amd_dbgapi_status_t status;
	size_t count, class_count;
	wt_cleanup_free uint64_t *spaces = get_list(WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST,
						    architecture, &count, &status);
	wt_cleanup_free uint64_t *classes = get_list(WT_FUNCTION_ARCHITECTURE_ADDRESS_CLASS_LIST,
						     architecture, &class_count, &status);

	for (size_t i = 0; spaces && i < count; i++) {
		for (size_t j = 0; j < sizeof(addresses) / sizeof(*addresses); j++) {
			struct question question = {.owner = wave,
						    .number = spaces[i],
						    .address = addresses[j],
						    .lane = 3 * j};

			question.kind = ADDRESS;
			for (size_t k = 0; k < count; k++) {
				question.other = spaces[k];
				add(question);
			}
			question.kind = CLASS;
			for (size_t k = 0; classes && k < class_count; k++) {
				question.other = classes[k];
				add(question);
			}
		}
	}
}

static void add_wave(uint64_t wave)
{
	amd_dbgapi_status_t status;
	uint64_t architecture = 0;
	uint64_t *registers;
	size_t count;

	if (get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, sizeof(architecture),
		     &architecture))
		return;
	add_addresses(wave, architecture);
	if (addresses_only)
		return;
	registers = get_list(WT_FUNCTION_ARCHITECTURE_REGISTER_LIST, architecture, &count, &status);
	for (size_t i = 0; registers && i < count; i++) {
		add((struct question){.kind = REGISTER, .owner = wave, .number = registers[i]});
		add((struct question){.kind = EXISTS, .owner = wave, .number = registers[i]});
	}
	free(registers);
	add((struct question){
		.kind = REGISTERS, .what = WT_FUNCTION_WAVE_REGISTER_LIST, .owner = wave});
	add((struct question){.kind = TEXT, .owner = wave, .number = architecture});
	add_global_memory(wave);
	add_spaces(wave, architecture);
}

static uint64_t first_architecture(void)
{
	amd_dbgapi_status_t status;
	size_t count;
	uint64_t architecture = 0;
	wt_cleanup_free uint64_t *agents =
		get_list(WT_FUNCTION_PROCESS_AGENT_LIST, process, &count, &status);

	if (agents && count)
		get_info(WT_OBJECT_AGENT, agents[0], AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
			 sizeof(architecture), &architecture);
	return architecture;
}

static void add_waves(void)
{
	amd_dbgapi_status_t status;
	size_t count;
	wt_cleanup_free uint64_t *waves =
		get_list(WT_FUNCTION_PROCESS_WAVE_LIST, process, &count, &status);

	if (waves && count)
		qsort(waves, count, sizeof(*waves), wt_compare_u64);
	for (size_t i = 0; waves && i < count; i++)
		if (i < WAVES_ASKED || i + WAVES_ASKED >= count)
			add_wave(waves[i]);
}

static void add_all(unsigned int stop)
{
	static const enum wt_object objects[] = {WT_OBJECT_CODE_OBJECT, WT_OBJECT_AGENT,
						 WT_OBJECT_QUEUE,	WT_OBJECT_DISPATCH,
						 WT_OBJECT_WORKGROUP,	WT_OBJECT_WAVE};

	add_queries(WT_OBJECT_PROCESS, process);
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++)
		add_objects(objects[i], process);
	if (stop == 1)
		add_architecture(first_architecture());
	add_waves();
}

static void ask_everything(unsigned int stop)
{
	question_count = 0;
	if (addresses_only)
		add_waves();
	else
		add_all(stop);
	for (size_t i = addresses_only ? 0 : question_count; i > 1; i--) {
		size_t other = next_random() % i;
		struct question swapped = questions[i - 1];

		questions[i - 1] = questions[other];
		questions[other] = swapped;
	}
	for (size_t i = 0; i < question_count; i++) {
		printf("stop %u: ", stop);
		ask(&questions[i]);
	}
}

/* ---- Running ---- */

static size_t pump(void)
{
	size_t stops = 0;

	for (;;) {
		amd_dbgapi_event_id_t event;
		amd_dbgapi_event_kind_t kind;

		must("next_pending_event",
		     api.process_next_pending_event((amd_dbgapi_process_id_t){process}, &event,
						    &kind));
		if (!event.handle)
			return stops;
		must("event_processed", api.event_processed(event));
		stops += kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
			 kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
	}
}

/* What to do with each wave that exists; how many it was done to. */
static size_t for_each_wave(bool stop)
{
	amd_dbgapi_status_t status;
	size_t count, done = 0;
	wt_cleanup_free uint64_t *waves =
		get_list(WT_FUNCTION_PROCESS_WAVE_LIST, process, &count, &status);

	for (size_t i = 0; waves && i < count; i++) {
		amd_dbgapi_wave_id_t wave = {waves[i]};

		status = stop ? api.wave_stop(wave)
			      : api.wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
						AMD_DBGAPI_EXCEPTION_NONE);
		done += status == AMD_DBGAPI_STATUS_SUCCESS;
	}
	return done;
}

static void set_progress(amd_dbgapi_progress_t progress)
{
	must("set_progress",
	     api.process_set_progress((amd_dbgapi_process_id_t){process}, progress));
}

static bool run(void)
{
	size_t stopped = 0, asked;
	char byte;

	/* All of a core stands as soon as its events are there. */
	if (core)
		return pump();
	set_progress(AMD_DBGAPI_PROGRESS_NORMAL);
	for (int round = 0; !stopped; round++) {
		ssize_t got = read(notifier, &byte, 1);

		stopped = pump();
		if (!stopped && got < 1 && round > 100)
			return false;
		if (round > ROUND_LIMIT)
			return false;
	}
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	asked = for_each_wave(true);
	for (int round = 0; asked && round < ROUND_LIMIT; round++) {
		size_t came = pump();

		asked -= came < asked ? came : asked;
	}
	if (asked)
		printf("FAILED: %zu waves that were asked to stop did not\n", asked);
	return true;
}

static void session(void)
{
	static char identity;
	amd_dbgapi_process_id_t id = {0};

	must("attach", api.process_attach((amd_dbgapi_client_process_id_t)(void *)&identity, &id));
	process = id.handle;
	must("notifier", api.process_get_info(id, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
					      sizeof(notifier), &notifier));
	for (unsigned int stop = 1; stop <= max_stops && run(); stop++) {
		printf("---- stop %u\n", stop);
		if (!silent)
			ask_everything(stop);
		if (core)
			break;
		for_each_wave(false);
	}
	must("detach", api.process_detach(id));
}

int main(int argc, char **argv)
{
	amd_dbgapi_callbacks_t callbacks = {allocate_memory,
					    free,
					    blind_process_get_info,
					    blind_insert_breakpoint,
					    blind_remove_breakpoint,
					    blind_xfer_global_memory,
					    log_message};
	struct wt_error *error = NULL;

	if (argc < 2)
		return 2;
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--silent"))
			silent = true;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10) * 2 + 1;
		else if (!strcmp(argv[i], "--stops") && i + 1 < argc)
			max_stops = (unsigned int)atoi(argv[++i]);
		else if (!strcmp(argv[i], "--core") && i + 1 < argc)
			core = argv[++i];
		else if (!strcmp(argv[i], "--addresses"))
			addresses_only = true;
	}
	alarm(60);
	if (core) {
		callbacks.client_process_get_info = core_get_info;
		callbacks.xfer_global_memory = core_xfer;
		error = core_file_open(core);
	}
	if (!error)
		error = wt_api_load(argv[1], &api);
	if (error) {
		fprintf(stderr, "ask-all: %s: %s: %s\n", error->what, error->where, error->why);
		return 2;
	}
	must("initialize", api.initialize(&callbacks));
	session();
	must("finalize", api.finalize());
	free(questions);
	return 0;
}
