/* SPDX-License-Identifier: MIT */
/*
 * Usage: ask-all LIBRARY [--seed N] [--stops N] [--silent]
 *
 * Runs a program stop by stop, everything stopped at each, and asks all there is to ask in an order that
 * the seed shuffles: every query of every object, every list, every register of waves, memory of every space.
 * One line for each answer, with the question in it, so that the sorted output says nothing of the order.
 * With --silent it only runs: what a replay of that answers was not asked for when it was recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "dbgapi/table/api.h"
#include "dbgapi/client/marshal.h"
#include "dbgapi/table/invoke.h"
#include "tests/end-to-end/blind-callbacks.h"

#define MAX_STOPS 64
#define ROUND_LIMIT 20000
#define PAGE 4096u
/* Waves whose registers and memory are asked for: the first and the last ones. */
#define WAVES_ASKED 4u

enum kind {
	QUERY,
	LIST,
	REGISTER,
	EXISTS,
	REGISTERS,
	PACKETS,
	MEMORY,
	TEXT,
	MEMBER,
	ADDRESS,
	CLASS
};

struct question {
	enum kind kind;
	int what;				      /* object or function */
	uint64_t owner, number, address, lane, other; /* handle, as `number` */
};

static struct wt_api api;
static uint64_t process, seed = 1;
static int notifier = -1;
static bool silent;
static unsigned int max_stops = 6;
static struct question *questions;
static size_t question_count, question_capacity;

/* ---- The client's side ---- */

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	(void)message;
}

static void must(const char *what, amd_dbgapi_status_t status)
{
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		return;
	printf("FAILED %s: %d\n", what, (int)status);
	exit(1);
}

static uint64_t hash_of(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* ---- Asking ---- */

static void print_status(amd_dbgapi_status_t status)
{
	printf(" = %s", wt_status_name(status));
}

static amd_dbgapi_status_t get_info(enum wt_object object, uint64_t handle, uint32_t query,
				    size_t size, void *value)
{
	struct wt_argument arguments[WT_ARGUMENTS] = {
		{.number = handle}, {.number = query}, {.number = size}, {.pointer = value}};
	int64_t status = 0;
	const char *text;

	wt_invoke(&api, wt_objects[object].get_info, arguments, &status, &text);
	return (amd_dbgapi_status_t)status;
}

/* A list, for free(); NULL if there is none. */
static uint64_t *get_list(enum wt_function function, uint64_t owner, size_t *count_ret,
			  amd_dbgapi_status_t *status_ret)
{
	uint64_t *list = NULL;
	struct wt_argument arguments[WT_ARGUMENTS] = {
		{.number = owner}, {.pointer = count_ret}, {.pointer = &list}, {.pointer = NULL}};
	int64_t status = 0;
	const char *text;

	*count_ret = 0;
	wt_invoke(&api, function, arguments, &status, &text);
	*status_ret = (amd_dbgapi_status_t)status;
	return status == AMD_DBGAPI_STATUS_SUCCESS ? list : NULL;
}

static void ask_query(const struct question *question)
{
	enum wt_object object = (enum wt_object)question->what;
	const struct wt_query *query = wt_query_find(object, (uint32_t)question->number);
	uint8_t value[64] = {0};
	uint64_t length = 0;
	struct wt_buffer bytes = {.size = 0};
	amd_dbgapi_status_t status =
		get_info(object, question->owner, query->value, query->size, value);

	printf("%s %" PRIu64 " %s", wt_objects[object].name, question->owner, query->name);
	print_status(status);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || query->identity)
		return;
	if (query->result == WT_RESULT_BYTES)
		get_info(object, question->owner, query->length_of, sizeof(length), &length);
	wt_marshal_result(query, value, length, &bytes);
	printf(" %016" PRIx64, hash_of(bytes.data, bytes.size));
	if (bytes.size <= 8)
		for (size_t i = bytes.size; i-- > 0;)
			printf("%s%02x", i + 1 == bytes.size ? " " : "", bytes.data[i]);
	wt_buffer_deinit(&bytes);
	wt_marshal_release(query, value);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static void ask_list(const struct question *question)
{
	amd_dbgapi_status_t status;
	size_t count;
	wt_cleanup_free uint64_t *list =
		get_list((enum wt_function)question->what, question->owner, &count, &status);

	printf("%s(%" PRIu64 ")", wt_functions[question->what].name, question->owner);
	print_status(status);
	printf(" %zu %016" PRIx64, count, list ? hash_of(list, count * sizeof(*list)) : 0);
}

static void ask_register(const struct question *question)
{
	static uint8_t value[1024];
	uint64_t size = 0;
	amd_dbgapi_status_t status;

	get_info(WT_OBJECT_REGISTER, question->number, AMD_DBGAPI_REGISTER_INFO_SIZE, sizeof(size),
		 &size);
	memset(value, 0, sizeof(value));
	status = api.read_register((amd_dbgapi_wave_id_t){question->owner},
				   (amd_dbgapi_register_id_t){question->number}, 0,
				   size <= sizeof(value) ? size : 0, value);
	printf("wave %" PRIu64 " register %" PRIu64, question->owner, question->number);
	print_status(status);
	printf(" %016" PRIx64, hash_of(value, sizeof(value)));
}

static void ask_exists(const struct question *question)
{
	amd_dbgapi_register_exists_t exists = (amd_dbgapi_register_exists_t)0;
	amd_dbgapi_status_t status =
		api.wave_register_exists((amd_dbgapi_wave_id_t){question->owner},
					 (amd_dbgapi_register_id_t){question->number}, &exists);

	printf("wave %" PRIu64 " has register %" PRIu64, question->owner, question->number);
	print_status(status);
	printf(" %d", (int)exists);
}

static void ask_packets(const struct question *question)
{
	amd_dbgapi_os_queue_packet_id_t first = 0, past = 0;
	amd_dbgapi_size_t size = 0;
	void *bytes = NULL;
	amd_dbgapi_status_t status = api.queue_packet_list((amd_dbgapi_queue_id_t){question->owner},
							   &first, &past, &size, &bytes);

	printf("queue %" PRIu64 " packets", question->owner);
	print_status(status);
	printf(" %" PRIu64 " %" PRIu64 " %zu %016" PRIx64, first, past, (size_t)size,
	       hash_of(bytes, bytes ? size : 0));
	free(bytes);
}

static void ask_memory(const struct question *question)
{
	static uint8_t data[PAGE];
	amd_dbgapi_size_t size = sizeof(data);
	amd_dbgapi_status_t status = api.read_memory(
		(amd_dbgapi_process_id_t){process}, (amd_dbgapi_wave_id_t){question->owner},
		(amd_dbgapi_lane_id_t)question->lane,
		(amd_dbgapi_address_space_id_t){question->number}, question->address, &size, data);

	printf("memory wave %" PRIu64 " space %" PRIu64 " lane %" PRIu64 " 0x%" PRIx64,
	       question->owner, question->number, question->lane, question->address);
	print_status(status);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		printf(" %zu %016" PRIx64, (size_t)size, hash_of(data, size));
}

/* The instruction at the pc of a wave. */
static void ask_text(const struct question *question)
{
	amd_dbgapi_instruction_properties_t properties = (amd_dbgapi_instruction_properties_t)0;
	amd_dbgapi_instruction_kind_t kind = (amd_dbgapi_instruction_kind_t)0;
	amd_dbgapi_architecture_id_t architecture = {question->number};
	amd_dbgapi_size_t size = 8;
	uint8_t code[8] = {0};
	uint64_t pc = 0;
	char *text = NULL;

	get_info(WT_OBJECT_WAVE, question->owner, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc);
	api.read_memory((amd_dbgapi_process_id_t){process}, (amd_dbgapi_wave_id_t){question->owner},
			0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size, code);
	printf("wave %" PRIu64 " code at 0x%" PRIx64, question->owner, pc);
	print_status(api.disassemble_instruction(architecture, pc, &size, code, &text, NULL, NULL));
	printf(" %zu \"%s\"", (size_t)size, text ? text : "");
	free(text);
	size = sizeof(code);
	print_status(
		api.classify_instruction(architecture, pc, &size, code, &kind, &properties, NULL));
	printf(" %d %d", (int)kind, (int)properties);
}

static void ask_member(const struct question *question)
{
	amd_dbgapi_register_class_state_t state = (amd_dbgapi_register_class_state_t)0;
	amd_dbgapi_status_t status = api.register_is_in_register_class(
		(amd_dbgapi_register_class_id_t){question->owner},
		(amd_dbgapi_register_id_t){question->number}, &state);

	printf("class %" PRIu64 " register %" PRIu64, question->owner, question->number);
	print_status(status);
	printf(" %d", (int)state);
}

/* What an address of one space depends on, and what it is in another one. */
static void ask_address(const struct question *question)
{
	amd_dbgapi_segment_address_dependency_t dependency =
		(amd_dbgapi_segment_address_dependency_t)0;
	amd_dbgapi_segment_address_t address = 0;
	amd_dbgapi_size_t size = 0;
	amd_dbgapi_address_space_id_t from = {question->number}, to = {question->other};

	printf("wave %" PRIu64 " lane %" PRIu64 " space %" PRIu64 " 0x%" PRIx64, question->owner,
	       question->lane, question->number, question->address);
	print_status(api.address_dependency((amd_dbgapi_process_id_t){process},
					    (amd_dbgapi_wave_id_t){question->owner}, from,
					    question->address, &dependency));
	printf(" %d in space %" PRIu64, (int)dependency, question->other);
	print_status(api.convert_address_space((amd_dbgapi_wave_id_t){question->owner},
					       (amd_dbgapi_lane_id_t)question->lane, from,
					       question->address, to, &address, &size));
	printf(" 0x%" PRIx64 " %zu", (uint64_t)address, (size_t)size);
}

static void ask_class(const struct question *question)
{
	amd_dbgapi_address_class_state_t state = (amd_dbgapi_address_class_state_t)0;

	printf("wave %" PRIu64 " lane %" PRIu64 " space %" PRIu64 " 0x%" PRIx64
	       " in class %" PRIu64,
	       question->owner, question->lane, question->number, question->address,
	       question->other);
	print_status(api.address_is_in_address_class(
		(amd_dbgapi_wave_id_t){question->owner}, (amd_dbgapi_lane_id_t)question->lane,
		(amd_dbgapi_address_space_id_t){question->number}, question->address,
		(amd_dbgapi_address_class_id_t){question->other}, &state));
	printf(" %d", (int)state);
}

static void ask(const struct question *question)
{
	static void (*const askers[])(const struct question *) = {
		[QUERY] = ask_query,	 [LIST] = ask_list,	 [REGISTER] = ask_register,
		[EXISTS] = ask_exists,	 [REGISTERS] = ask_list, [PACKETS] = ask_packets,
		[MEMORY] = ask_memory,	 [TEXT] = ask_text,	 [MEMBER] = ask_member,
		[ADDRESS] = ask_address, [CLASS] = ask_class,
	};

	askers[question->kind](question);
	putchar('\n');
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
	add_addresses(wave, architecture);
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

static void add_all(unsigned int stop)
{
	static const enum wt_object objects[] = {WT_OBJECT_CODE_OBJECT, WT_OBJECT_AGENT,
						 WT_OBJECT_QUEUE,	WT_OBJECT_DISPATCH,
						 WT_OBJECT_WORKGROUP,	WT_OBJECT_WAVE};
	amd_dbgapi_status_t status;
	size_t count;
	uint64_t *waves;

	question_count = 0;
	add_queries(WT_OBJECT_PROCESS, process);
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++)
		add_objects(objects[i], process);
	if (stop == 1)
		add_architecture(first_architecture());
	waves = get_list(WT_FUNCTION_PROCESS_WAVE_LIST, process, &count, &status);
	if (waves && count)
		qsort(waves, count, sizeof(*waves), compare);
	for (size_t i = 0; waves && i < count; i++)
		if (i < WAVES_ASKED || i + WAVES_ASKED >= count)
			add_wave(waves[i]);
	free(waves);
}

static void ask_everything(unsigned int stop)
{
	add_all(stop);
	for (size_t i = question_count; i > 1; i--) {
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
		for_each_wave(false);
	}
	must("detach", api.process_detach(id));
}

int main(int argc, char **argv)
{
	amd_dbgapi_callbacks_t callbacks = {malloc,
					    free,
					    blind_process_get_info,
					    blind_insert_breakpoint,
					    blind_remove_breakpoint,
					    blind_xfer_global_memory,
					    log_message};
	struct wt_error *error;

	if (argc < 2)
		return 2;
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--silent"))
			silent = true;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10) * 2 + 1;
		else if (!strcmp(argv[i], "--stops") && i + 1 < argc)
			max_stops = (unsigned int)atoi(argv[++i]);
	}
	alarm(60);
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
