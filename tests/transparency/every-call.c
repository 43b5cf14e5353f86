/* SPDX-License-Identifier: MIT */
/*
 * Usage: every-call LIBRARY [--amd] [--core FILE] [--seed N] [--random N] [--level N] [--share N]
 *
 * With --level it is a client of that level, 0.N, and asks for no newer symbols.
 *
 * The sessions in which the calls are made: before initialize, without a process, with two processes at
 * each state of their events, with callbacks that fail in every way, from inside callbacks, and around
 * finalize. The order is the same in each run with the same seed. With --share every N'th way to fail is tried.
 */
#include "every.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct every every = {.notifier = -1, .seed = 1, .count_transfers = true};

static unsigned int random_calls = 12, level = UINT_MAX;
static unsigned int share = 1;
static uint32_t machine = 0x4c;

static uint64_t next_random(void)
{
	every.seed ^= every.seed << 13;
	every.seed ^= every.seed >> 7;
	every.seed ^= every.seed << 17;
	return every.seed;
}

/* ---- What there is ---- */

static void add_handle(enum wt_object object, uint64_t handle)
{
	if (handle && every.handle_counts[object] < MAX_HANDLES)
		every.handles[object][every.handle_counts[object]++] = handle;
}

#define ADD_LIST(object, call)                                                                     \
	do {                                                                                       \
		uint64_t *list_ = NULL;                                                            \
		size_t count_ = 0;                                                                 \
                                                                                                   \
		if (every.api.call == AMD_DBGAPI_STATUS_SUCCESS)                                   \
			for (size_t i_ = 0; i_ < count_; i_++)                                     \
				add_handle(object, list_[i_]);                                     \
	} while (0)

#define LIST_OF_PROCESS(object, function)                                                          \
	ADD_LIST(object, function((amd_dbgapi_process_id_t){every.process}, &count_,               \
				  (void *)&list_, NULL))
#define LIST_OF_ARCHITECTURE(object, function)                                                     \
	ADD_LIST(object, function(architecture, &count_, (void *)&list_))

static void add_address(uint64_t address)
{
	if (address && every.address_count < sizeof(every.addresses) / sizeof(*every.addresses))
		every.addresses[every.address_count++] = address;
}

static void find_addresses(void)
{
	amd_dbgapi_dispatch_id_t dispatch = {every.handles[WT_OBJECT_DISPATCH][0]};
	amd_dbgapi_queue_id_t queue = {every.handles[WT_OBJECT_QUEUE][0]};
	uint64_t address = 0;

	every.address_count = 0;
	every.arguments = 0;
	if (every.api.dispatch_get_info(dispatch,
					AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
					sizeof(address), &address) == AMD_DBGAPI_STATUS_SUCCESS)
		add_address(address);
	if (every.api.dispatch_get_info(dispatch,
					AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
					sizeof(address), &address) == AMD_DBGAPI_STATUS_SUCCESS)
		add_address(every.arguments = address);
	if (every.api.queue_get_info(queue, AMD_DBGAPI_QUEUE_INFO_ADDRESS, sizeof(address),
				     &address) == AMD_DBGAPI_STATUS_SUCCESS)
		add_address(address);
}

/* All kinds of handles, few of each. Their lists and allocations are no part of the comparison. */
static void find_handles(uint64_t event)
{
	amd_dbgapi_architecture_id_t architecture = {0};

	memset(every.handle_counts, 0, sizeof(every.handle_counts));
	add_handle(WT_OBJECT_PROCESS, every.process);
	add_handle(WT_OBJECT_EVENT, event);
	if (every.api.get_architecture(machine, &architecture) == AMD_DBGAPI_STATUS_SUCCESS) {
		add_handle(WT_OBJECT_ARCHITECTURE, architecture.handle);
		LIST_OF_ARCHITECTURE(WT_OBJECT_REGISTER, architecture_register_list);
		LIST_OF_ARCHITECTURE(WT_OBJECT_REGISTER_CLASS, architecture_register_class_list);
		LIST_OF_ARCHITECTURE(WT_OBJECT_ADDRESS_SPACE, architecture_address_space_list);
		LIST_OF_ARCHITECTURE(WT_OBJECT_ADDRESS_CLASS, architecture_address_class_list);
	}
	if (every.process) {
		LIST_OF_PROCESS(WT_OBJECT_CODE_OBJECT, process_code_object_list);
		LIST_OF_PROCESS(WT_OBJECT_AGENT, process_agent_list);
		LIST_OF_PROCESS(WT_OBJECT_QUEUE, process_queue_list);
		LIST_OF_PROCESS(WT_OBJECT_DISPATCH, process_dispatch_list);
		LIST_OF_PROCESS(WT_OBJECT_WORKGROUP, process_workgroup_list);
		LIST_OF_PROCESS(WT_OBJECT_WAVE, process_wave_list);
		find_addresses();
	}
	every_print_callbacks();
}

/* ---- Sweeps ---- */

static bool core;
/* A core's queues are let go for ever by progress after none, and what needs them is FATAL from there on: only the last stage does it. */
static bool keeps_queues;

/* What would end the stage that is being looked at, or make another one. */
static bool ends_stage(enum wt_function function, const struct choice *choices)
{
	switch ((int)function) {
	case WT_FUNCTION_FINALIZE:
		return true;
	case WT_FUNCTION_INITIALIZE:
		return !choices[0].null && choices[0].variant < 0;
	case WT_FUNCTION_PROCESS_DETACH:
		return choices[0].number == every.process;
	case WT_FUNCTION_PROCESS_ATTACH:
		return choices[0].null || !every.process || choices[0].number > 1;
	case WT_FUNCTION_PROCESS_SET_PROGRESS:
		/* On a core of AMD's this leaves a library that answers nothing any more. */
		return (every.amd || keeps_queues) &&
		       choices[1].number == AMD_DBGAPI_PROGRESS_NORMAL;
	case WT_FUNCTION_WAVE_RESUME:
		return every.amd && choices[2].number != 0;
	case WT_FUNCTION_SET_LOG_LEVEL:
		return choices[0].number > AMD_DBGAPI_LOG_LEVEL_WARNING;
	default:
		return false;
	}
}

static void perform(enum wt_function function, const struct choice *choices)
{
	if (choices_allowed(function, choices) && !ends_stage(function, choices))
		every_perform(function, choices);
}

static void choose_first(enum wt_function function, struct choice *choices)
{
	for (size_t i = 0; i < wt_functions[function].parameter_count; i++)
		choices[i] = choice_get(function, i, 0);
}

/* The right arguments, and each argument in turn as everything it might be; then some mixtures. */
static void sweep_function(enum wt_function function)
{
	const size_t parameters = wt_functions[function].parameter_count;
	struct choice choices[WT_ARGUMENTS] = {{.number = 0}};

	choose_first(function, choices);
	perform(function, choices);
	for (size_t i = 0; i < parameters; i++) {
		size_t count = choice_count(function, i);

		for (size_t j = 1; j < count; j++) {
			choose_first(function, choices);
			choices[i] = choice_get(function, i, j);
			perform(function, choices);
		}
	}
	for (unsigned int n = 0; parameters && n < random_calls; n++) {
		for (size_t i = 0; i < parameters; i++)
			choices[i] =
				choice_get(function, i, next_random() % choice_count(function, i));
		perform(function, choices);
	}
}

/* What a sweep took out of the queue is done with, or nothing would go on after it. */
static void process_events(void)
{
	for (size_t i = 0; i < every.event_count; i++) {
		const struct choice choice = {.number = every.events[i]};

		every_perform(WT_FUNCTION_EVENT_PROCESSED, &choice);
	}
	every.event_count = 0;
}

static void sweep(const char *stage, uint64_t event)
{
	enum wt_function order[WT_FUNCTION_COUNT];

	printf("---- %s\n", stage);
	find_handles(event);
	for (size_t i = 0; i < WT_FUNCTION_COUNT; i++)
		order[i] = (enum wt_function)i;
	for (size_t i = WT_FUNCTION_COUNT; i > 1; i--) {
		size_t other = next_random() % i;
		enum wt_function swapped = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swapped;
	}
	/* What makes something first, and what stops everything last. Waves of a core do not run again. */
	if (core)
		sweep_function(WT_FUNCTION_WAVE_STOP);
	sweep_function(WT_FUNCTION_EVENT_GET_INFO);
	sweep_function(WT_FUNCTION_SET_WATCHPOINT);
	sweep_function(WT_FUNCTION_DISPLACED_STEPPING_START);
	for (size_t i = 0; i < WT_FUNCTION_COUNT; i++)
		if (order[i] != WT_FUNCTION_PROCESS_FREEZE)
			sweep_function(order[i]);
	sweep_function(WT_FUNCTION_PROCESS_FREEZE);
	sweep_function(WT_FUNCTION_WAVE_STOP);
	sweep_function(WT_FUNCTION_PROCESS_GET_INFO);
	sweep_function(WT_FUNCTION_WRITE_MEMORY);
	sweep_function(WT_FUNCTION_PROCESS_UNFREEZE);
	every.api.set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	process_events();
}

/* ---- Single calls ---- */

static int64_t call(enum wt_function function, const uint64_t *values)
{
	struct choice choices[WT_ARGUMENTS] = {{.number = 0}};

	choose_first(function, choices);
	for (size_t i = 0; values && i < wt_functions[function].parameter_count; i++)
		if (wt_functions[function].parameters[i].shape == WT_SHAPE_VALUE ||
		    wt_functions[function].parameters[i].shape == WT_SHAPE_OPAQUE)
			choices[i] = (struct choice){.number = values[i]};
	return every_perform(function, choices);
}

#define CALL(function, ...) call(WT_FUNCTION_##function, (const uint64_t[8]){__VA_ARGS__})

static void use_process(uint64_t process)
{
	amd_dbgapi_notifier_t notifier = -1;

	every.process = process;
	every.notifier = -1;
	if (every.api.process_get_info((amd_dbgapi_process_id_t){process},
				       AMD_DBGAPI_PROCESS_INFO_NOTIFIER, sizeof(notifier),
				       &notifier) == AMD_DBGAPI_STATUS_SUCCESS)
		every.notifier = notifier;
}

/* Attach; 0 if that failed. Handles of processes are counted by the library. */
static uint64_t attach(uint64_t client, uint64_t *last)
{
	if (CALL(PROCESS_ATTACH, client) != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	/* The answer was printed; it is the next handle. */
	for (uint64_t handle = *last + 1; handle < *last + 100; handle++) {
		uint64_t none = 0;

		if (every.api.process_get_info((amd_dbgapi_process_id_t){handle},
					       AMD_DBGAPI_PROCESS_INFO_NOTIFIER, sizeof(none) + 1,
					       &none) ==
		    AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY) {
			*last = handle;
			use_process(handle);
			return handle;
		}
	}
	return 0;
}

static uint64_t last_process;

/* Take one event without ending it; 0 if there is none. */
static uint64_t take_event(void)
{
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_status_t status = every.api.process_next_pending_event(
		(amd_dbgapi_process_id_t){every.process}, &event, &kind);

	printf("event %d %llu kind %d\n", (int)status, (unsigned long long)event.handle, (int)kind);
	every_print_callbacks();
	return event.handle;
}

static void drain(void)
{
	char byte;

	if (every.notifier >= 0)
		while (read(every.notifier, &byte, 1) == 1)
			;
}

/* Let the program go until it stops or is done, and take all events but the last. */
static uint64_t run_to_stop(void)
{
	uint64_t event, last = 0;

	/* Whatever a sweep has left. */
	CALL(PROCESS_UNFREEZE, every.process);
	CALL(PROCESS_SET_WAVE_CREATION, every.process, AMD_DBGAPI_WAVE_CREATION_NORMAL);
	if (!every.amd && !keeps_queues)
		CALL(PROCESS_SET_PROGRESS, every.process, AMD_DBGAPI_PROGRESS_NORMAL);
	for (int i = 0; i < 200 && !last; i++) {
		drain();
		while ((event = take_event())) {
			if (last)
				CALL(EVENT_PROCESSED, last);
			last = event;
		}
	}
	return last;
}

/* ---- Sessions ---- */

static void full_session(void)
{
	uint64_t first, second, event;

	printf("==== full session\n");
	keeps_queues = core;
	sweep("before initialize", 0);
	call(WT_FUNCTION_FINALIZE, NULL);
	call(WT_FUNCTION_INITIALIZE, NULL);
	call(WT_FUNCTION_INITIALIZE, NULL);
	every.api.set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	sweep("without a process", 0);
	first = attach(0, &last_process);
	event = take_event();
	sweep("attached", event);
	CALL(EVENT_PROCESSED, event);
	second = attach(1, &last_process);
	event = take_event();
	sweep("first event of the second process", event);
	CALL(EVENT_PROCESSED, event);
	CALL(PROCESS_DETACH, second);
	use_process(first);
	event = run_to_stop();
	sweep("a stop that is not processed", event);
	CALL(EVENT_PROCESSED, event);
	sweep("a stop", 0);
	event = run_to_stop();
	CALL(EVENT_PROCESSED, event);
	keeps_queues = false;
	sweep("later", event);
	CALL(PROCESS_DETACH, first);
	every.process = 0;
	every.notifier = -1;
	sweep("after detach", 0);
	call(WT_FUNCTION_FINALIZE, NULL);
	sweep("after finalize", 0);
	call(WT_FUNCTION_FINALIZE, NULL);
}

/* Every call in it that allocates or asks the client. */
static void short_session(void)
{
	uint64_t event;

	if (call(WT_FUNCTION_INITIALIZE, NULL) != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	every.api.set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	if (attach(0, &last_process)) {
		for (int i = 0; i < 3; i++) {
			event = run_to_stop();
			if (!event)
				break;
			CALL(EVENT_PROCESSED, event);
		}
		call(WT_FUNCTION_PROCESS_CODE_OBJECT_LIST, NULL);
		CALL(PROCESS_WAVE_LIST, every.process);
		CALL(PROCESS_AGENT_LIST, every.process);
		CALL(AGENT_GET_INFO, 1, AMD_DBGAPI_AGENT_INFO_NAME, 8);
		CALL(CODE_OBJECT_GET_INFO, 1, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, 8);
		CALL(QUEUE_PACKET_LIST, 1);
		CALL(PROCESS_DETACH, every.process);
	}
	every.process = 0;
	every.notifier = -1;
	call(WT_FUNCTION_FINALIZE, NULL);
}

static void failing_callbacks(void)
{
	static const unsigned int afters[] = {0, 1, 5};
	const struct wt_enumeration *statuses = wt_enumeration_find("amd_dbgapi_status_t");
	unsigned int turn = 0;

	for (int kind = 0; kind < WT_CALLBACK_COUNT; kind++) {
		if (kind == WT_CALLBACK_XFER_GLOBAL_MEMORY && !every.count_transfers)
			continue;
		for (size_t i = 0; i < statuses->count; i++)
			for (size_t j = 0; j < sizeof(afters) / sizeof(*afters); j++) {
				/* Those without a status fail in one way. */
				if (i && (kind == WT_CALLBACK_ALLOCATE_MEMORY ||
					  kind == WT_CALLBACK_DEALLOCATE_MEMORY ||
					  kind == WT_CALLBACK_LOG_MESSAGE))
					continue;
				/* AMD's library does not survive that its first question is answered so. */
				if (every.amd && kind == WT_CALLBACK_CLIENT_PROCESS_GET_INFO &&
				    statuses->values[i].value ==
					    AMD_DBGAPI_STATUS_ERROR_PROCESS_EXITED)
					continue;
				failure = (struct failure){
					.kind = (enum wt_callback_kind)kind,
					.status = (amd_dbgapi_status_t)statuses->values[i].value,
					.after = afters[j],
				};
				if (turn++ % share)
					continue;
				printf("==== %s fails with %d after %u\n", wt_callback_names[kind],
				       (int)failure.status, afters[j]);
				short_session();
			}
	}
	failure = (struct failure){.kind = WT_CALLBACK_COUNT};
}

static void cycles(void)
{
	uint64_t first;

	printf("==== cycles\n");
	for (int i = 0; i < 3; i++)
		short_session();
	call(WT_FUNCTION_INITIALIZE, NULL);
	attach(0, &last_process);
	attach(1, &last_process);
	/* With two processes attached. */
	call(WT_FUNCTION_FINALIZE, NULL);
	call(WT_FUNCTION_FINALIZE, NULL);
	every.process = 0;
	every.notifier = -1;
	/* With the second one of them; again, since an attach may be refused. */
	for (int i = 0; i < 3; i++) {
		call(WT_FUNCTION_INITIALIZE, NULL);
		first = attach(0, &last_process);
		attach(1, &last_process);
		CALL(PROCESS_DETACH, first);
		call(WT_FUNCTION_FINALIZE, NULL);
	}
	every.process = 0;
	every.notifier = -1;
	short_session();
}

static void inside_callbacks(void)
{
	printf("==== calls from callbacks\n");
	failure = (struct failure){.kind = WT_CALLBACK_COUNT, .reentrant = true};
	short_session();
	failure.reentrant = false;
}

static void must(struct wt_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "every-call: %s: %s: %s\n", error->what, error->where, error->why);
	exit(2);
}

static void parse(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--amd")) {
			every.amd = true;
			every.count_transfers = false;
		} else if (!strcmp(argv[i], "--core") && i + 1 < argc) {
			must(every_serve_core(argv[++i]));
			core = true;
			every.count_transfers = false;
		} else if (!strcmp(argv[i], "--seed") && i + 1 < argc) {
			every.seed = strtoull(argv[++i], NULL, 10) * 2 + 1;
		} else if (!strcmp(argv[i], "--random") && i + 1 < argc) {
			random_calls = (unsigned int)atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--level") && i + 1 < argc) {
			level = (unsigned int)atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--share") && i + 1 < argc && atoi(argv[i + 1]) > 0) {
			share = (unsigned int)atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--machine") && i + 1 < argc) {
			machine = (uint32_t)strtoul(argv[++i], NULL, 0);
		}
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: every-call LIBRARY [OPTIONS]\n");
		return 2;
	}
	parse(argc, argv);
	alarm(300);
	must(wt_api_load_at(argv[1], level, &every.api));
	full_session();
	failing_callbacks();
	/* AMD's library says that callbacks must not call it. */
	if (!every.amd)
		inside_callbacks();
	cycles();
	printf("%llu calls\n", (unsigned long long)every.calls);
	return 0;
}
