/* SPDX-License-Identifier: MIT */
/*
 * A client of the API that knows nothing but the public header: it debugs whatever the library it is
 * started over offers, in the order of calls that a debugger has, and prints all it learns. Its output over the
 * simulated GPU and over a trace of that session must be the same bytes.
 *
 * Usage: session-client [--break SYMBOL] [--steps N] [--alone N] [--stops N] [--kill-at N] [--lines 1]
 *
 * After a stop the first wave makes a step, as often as --steps says, while the others run. The first of these
 * steps, as many as --alone says, it makes while the others stay where they are.
 * With --kill-at it ends by SIGKILL after it has shown that stop, as a process does that is killed in the middle.
 * With --lines each line is written at once, for who reads along.
 */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "blind-callbacks.h"

#define PUMP_LIMIT 100000

amd_dbgapi_process_id_t session_process;
static amd_dbgapi_notifier_t notifier = -1;
static const char *break_symbol;
static long max_steps, max_alone, max_stops = 8, kill_at;

/* ---- Callbacks ---- */

static size_t allocations;

/* Not malloc() itself: who allocates shall be seen to be this program. */
static void *allocate_memory(size_t size)
{
	void *memory = malloc(size);

	allocations += memory != NULL;
	return memory;
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = 4242;

	(void)client;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	printf("callback insert_breakpoint 0x%" PRIx64 " #%" PRIu64 "\n", address,
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

/* ---- Helpers ---- */

static void fail(const char *what, amd_dbgapi_status_t status)
{
	const char *text = "?";

	amd_dbgapi_get_status_string(status, &text);
	printf("FAILED %s: %d %s\n", what, (int)status, text);
	fflush(stdout);
	exit(1);
}

void session_check(const char *what, amd_dbgapi_status_t status)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		fail(what, status);
}

/* ---- Events ---- */

/** Wait for the notifier, empty it as clients do, and take one event. */
static amd_dbgapi_event_id_t next_event(amd_dbgapi_event_kind_t *kind)
{
	amd_dbgapi_event_id_t event;

	session_check("next event",
		      amd_dbgapi_process_next_pending_event(session_process, &event, kind));
	return event;
}

static void drain_notifier(void)
{
	ssize_t got;
	char byte;

	do {
		got = read(notifier, &byte, 1);
	} while (got == 1 || (got < 0 && errno == EINTR));
}

/** Take all events there are; how many were stops. */
static size_t pump(void)
{
	amd_dbgapi_event_kind_t kind;
	size_t stops = 0;

	for (;;) {
		amd_dbgapi_event_id_t event = next_event(&kind);

		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			return stops;
		printf("event %" PRIu64 " kind %d", event.handle, (int)kind);
		SHOW(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_PROCESS, uint64_t);
		SHOW(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_WAVE, uint64_t);
		SHOW(amd_dbgapi_event_get_info, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
		     uint32_t);
		putchar('\n');
		session_check("event processed", amd_dbgapi_event_processed(event));
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
		    kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED)
			stops++;
	}
}

size_t session_list_waves(amd_dbgapi_wave_id_t *waves)
{
	amd_dbgapi_wave_id_t *list;
	size_t count;

	session_check("wave list",
		      amd_dbgapi_process_wave_list(session_process, &count, &list, NULL));
	if (count > MAX_WAVES)
		count = MAX_WAVES;
	if (count)
		memcpy(waves, list, count * sizeof(*waves));
	free(list);
	return count;
}

static amd_dbgapi_wave_state_t wave_state(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_wave_state_t state = 0;

	if (amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return state;
}

static void stop_all(void)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count = session_list_waves(waves), asked = 0;

	for (size_t i = 0; i < count; i++)
		if (wave_state(waves[i]) != AMD_DBGAPI_WAVE_STATE_STOP &&
		    amd_dbgapi_wave_stop(waves[i]) == AMD_DBGAPI_STATUS_SUCCESS)
			asked++;
	printf("asked %zu waves to stop\n", asked);
	for (size_t came = 0, rounds = 0; came < asked && rounds < PUMP_LIMIT; rounds++)
		came += pump();
}

/** Resume the waves, or the first one @alone; it makes a step if @step. False: there was a fault. */
static bool resume(bool step, bool alone)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count = session_list_waves(waves);

	for (size_t i = 0; i < count; i++) {
		uint32_t reason = 0;

		amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason),
					 &reason);
		if (reason & ~(uint32_t)(AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP |
					 AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT |
					 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP))
			return false;
	}
	for (size_t i = 0; i < (alone && count ? 1 : count); i++)
		printf("resume %" PRIu64 ": %d\n", waves[i].handle,
		       (int)amd_dbgapi_wave_resume(waves[i],
						   i == 0 && step
							   ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
							   : AMD_DBGAPI_RESUME_MODE_NORMAL,
						   AMD_DBGAPI_EXCEPTION_NONE));
	return true;
}

/* ---- The session ---- */

static amd_dbgapi_architecture_id_t first_architecture(void)
{
	amd_dbgapi_architecture_id_t architecture = {0};

	session_check("get_architecture", amd_dbgapi_get_architecture(0x4c, &architecture));
	return architecture;
}

/** Let the waves go until something stops or there is nothing left; false at the end. */
static bool run(void)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];

	session_check("let go",
		      amd_dbgapi_process_set_progress(session_process, AMD_DBGAPI_PROGRESS_NORMAL));
	for (int rounds = 0; rounds < PUMP_LIMIT; rounds++) {
		struct pollfd poll_notifier = {.fd = notifier, .events = POLLIN};
		int ready = poll(&poll_notifier, 1, 0);
		size_t stops;

		drain_notifier();
		stops = pump();
		if (stops) {
			session_check("hold",
				      amd_dbgapi_process_set_progress(
					      session_process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
			return true;
		}
		if (ready <= 0 && !session_list_waves(waves))
			return false;
	}
	printf("gave up waiting\n");
	return false;
}

static void show_stop(long number)
{
	static amd_dbgapi_wave_id_t waves[MAX_WAVES];
	size_t count;

	printf("---- stop %ld\n", number);
	show_queues();
	show_dispatches();
	count = session_list_waves(waves);
	printf("waves %zu\n", count);
	for (size_t i = 0; i < count; i++)
		show_wave(waves[i], i < 2 || i + 1 == count);
}

static void session(void)
{
	amd_dbgapi_architecture_id_t architecture = first_architecture();
	long steps = 0;

	show_architecture(architecture);
	show_agents();
	show_queues();
	breakpoint_find(break_symbol);
	breakpoint_set(architecture, true);
	for (long stop = 1; stop <= max_stops && run(); stop++) {
		bool step = steps < max_steps, alone = step && steps < max_alone;

		stop_all();
		show_stop(stop);
		if (stop == kill_at) {
			fflush(stdout);
			raise(SIGKILL);
		}
		breakpoint_adjust_pcs();
		if (steps == 0)
			breakpoint_set(architecture, false);
		if (step)
			steps++;
		if (!resume(step, alone))
			break;
	}
	printf("---- end\n");
	show_queues();
	show_dispatches();
}

static void parse_arguments(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--break"))
			break_symbol = argv[i + 1];
		else if (!strcmp(argv[i], "--steps"))
			max_steps = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--stops"))
			max_stops = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--alone"))
			max_alone = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--lines"))
			setvbuf(stdout, NULL, _IOLBF, 0);
		else if (!strcmp(argv[i], "--kill-at"))
			kill_at = atol(argv[i + 1]);
	}
}

int main(int argc, char **argv)
{
	static int identity;
	amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = allocate_memory,
		.deallocate_memory = free,
		.client_process_get_info = client_process_get_info,
		.insert_breakpoint = insert_breakpoint,
		.remove_breakpoint = remove_breakpoint,
		.xfer_global_memory = blind_xfer_global_memory,
		.log_message = log_message,
	};
	uint32_t major, minor, patch;

	parse_arguments(argc, argv);
	amd_dbgapi_get_version(&major, &minor, &patch);
	printf("version %u.%u.%u\n", major, minor, patch);
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	session_check("initialize", amd_dbgapi_initialize(&callbacks));
	session_check("attach",
		      amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)(void *)&identity,
						&session_process));
	session_check("notifier",
		      amd_dbgapi_process_get_info(session_process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						  sizeof(notifier), &notifier));
	printf("precise memory: %d\n",
	       (int)amd_dbgapi_set_memory_precision(session_process,
						    AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	session_check("hold", amd_dbgapi_process_set_progress(session_process,
							      AMD_DBGAPI_PROGRESS_NO_FORWARD));
	pump();
	session();
	session_check("detach", amd_dbgapi_process_detach(session_process));
	session_check("finalize", amd_dbgapi_finalize());
	return 0;
}
