/* SPDX-License-Identifier: MIT */
#include "tests/bench/session.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_WITHOUT_A_STOP 1000

_Noreturn void die(const char *format, ...)
{
	va_list arguments;

	fputs("bench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

void check(amd_dbgapi_status_t status, const char *call)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		die("%s: %s", call, wt_status_name(status));
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t nanoseconds(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t cpu_nanoseconds(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- Callbacks ---- */

/* The callbacks have no parameter for it. */
static struct wt_core_file *core;

/* The library frees the copy. */
static amd_dbgapi_status_t give_core_state(size_t value_size, void *value)
{
	amd_dbgapi_core_state_data_t state = {.endianness = AMD_DBGAPI_ENDIAN_LITTLE};
	const void *note = wt_core_file_note(core, &state.size);
	void *copy;

	if (value_size != sizeof(state))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	copy = malloc(state.size);
	if (!copy)
		return AMD_DBGAPI_STATUS_ERROR;
	memcpy(copy, note, state.size);
	state.data = copy;
	memcpy(value, &state, sizeof(state));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = 1;

	(void)client;
	if (core && query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return give_core_state(value_size, value);
	if (core || query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID)
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
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t client,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)client;
	*size = core && read_buffer && !write_buffer
			? wt_core_file_read(core, address, read_buffer, *size)
			: 0;
	return *size ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	fprintf(stderr, "bench: the library says: %s\n", message);
}

/* ---- The session ---- */

static void set_progress(struct session *session, amd_dbgapi_progress_t progress)
{
	check(session->api.process_set_progress(session->process, progress),
	      "process_set_progress");
}

/** Take the events there are; how many waves stopped. */
static size_t pump(struct session *session)
{
	size_t stops = 0;

	for (;;) {
		amd_dbgapi_event_kind_t kind;
		amd_dbgapi_event_id_t event;
		uint64_t before = nanoseconds(), taken;

		check(session->api.process_next_pending_event(session->process, &event, &kind),
		      "process_next_pending_event");
		taken = nanoseconds() - before;
		if (taken > session->longest_poll_ns)
			session->longest_poll_ns = taken;
		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			return stops;
		stops += kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
			 kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
		check(session->api.event_processed(event), "event_processed");
	}
}

/** Take events until at least @wanted waves have stopped; false if nothing comes. */
static size_t wait_for_stops(struct session *session, size_t wanted)
{
	size_t stops = 0;

	for (int round = 0; round < ROUNDS_WITHOUT_A_STOP && stops < wanted; round++) {
		struct pollfd notifier = {.fd = session->notifier, .events = POLLIN};
		char byte;

		poll(&notifier, 1, 0);
		while (read(session->notifier, &byte, 1) == 1)
			;
		stops += pump(session);
	}
	return stops;
}

static void list_waves(struct session *session)
{
	free(session->waves);
	check(session->api.process_wave_list(session->process, &session->wave_count,
					     &session->waves, NULL),
	      "process_wave_list");
}

static void stop_all(struct session *session)
{
	size_t asked = 0;

	list_waves(session);
	for (size_t i = 0; i < session->wave_count; i++)
		asked += session->api.wave_stop(session->waves[i]) == AMD_DBGAPI_STATUS_SUCCESS;
	if (wait_for_stops(session, asked) < asked)
		die("not all of %zu waves stopped", asked);
	list_waves(session);
}

static void attach(struct session *session)
{
	static int identity;
	uint64_t before = nanoseconds();

	check(session->api.process_attach((amd_dbgapi_client_process_id_t)(void *)&identity,
					  &session->process),
	      "process_attach");
	session->attach_ns = nanoseconds() - before;
	check(session->api.process_get_info(session->process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
					    sizeof(session->notifier), &session->notifier),
	      "process_get_info");
}

/* Without telling a library that nothing may run, it would try to let the queues of a core go on. */
static void take_core(struct session *session)
{
	set_progress(session, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	pump(session);
	list_waves(session);
}

static void run_to_stop(struct session *session)
{
	uint64_t before = nanoseconds(), cpu = cpu_nanoseconds();

	if (!wait_for_stops(session, 1))
		die("no wave stopped");
	set_progress(session, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	stop_all(session);
	session->first_stop_ns = nanoseconds() - before;
	session->first_stop_cpu = cpu_nanoseconds() - cpu;
}

void session_begin(struct session *session, const char *library, struct wt_core_file *core_file)
{
	amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = malloc,
		.deallocate_memory = free,
		.client_process_get_info = client_process_get_info,
		.insert_breakpoint = insert_breakpoint,
		.remove_breakpoint = remove_breakpoint,
		.xfer_global_memory = xfer_global_memory,
		.log_message = log_message,
	};
	struct wt_error *error = wt_api_load(library, &session->api);

	if (error)
		die("%s: %s: %s", error->what, error->where, error->why);
	core = core_file;
	session->of_core = core_file != NULL;
	check(session->api.initialize(&callbacks), "initialize");
	attach(session);
	if (core)
		take_core(session);
	else
		run_to_stop(session);
	if (!session->wave_count)
		die("no wave is left");
}

uint64_t session_step_all(struct session *session)
{
	uint64_t before = nanoseconds();

	session->longest_poll_ns = 0;
	for (size_t i = 0; i < session->wave_count; i++)
		check(session->api.wave_resume(session->waves[i],
					       AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
					       AMD_DBGAPI_EXCEPTION_NONE),
		      "wave_resume");
	set_progress(session, AMD_DBGAPI_PROGRESS_NORMAL);
	if (wait_for_stops(session, session->wave_count) < session->wave_count)
		die("not all of %zu waves finished their step", session->wave_count);
	set_progress(session, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	return nanoseconds() - before;
}

void session_end(struct session *session)
{
	free(session->waves);
	check(session->api.process_detach(session->process), "process_detach");
	check(session->api.finalize(), "finalize");
}
