/* SPDX-License-Identifier: MIT */
/* How the timeline moves under clients that do other things than the recorded one did. */
#include "session.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static const amd_dbgapi_process_id_t process = {SESSION_PROCESS};

static uint32_t state_of(const struct wt_api *api, uint64_t wave)
{
	uint32_t state;

	assert_int_equal(api->wave_get_info((amd_dbgapi_wave_id_t){wave},
					    AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state),
			 0);
	return state;
}

static uint32_t reason_of(const struct wt_api *api, uint64_t wave)
{
	uint32_t reason;

	assert_int_equal(api->wave_get_info((amd_dbgapi_wave_id_t){wave},
					    AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason),
					    &reason),
			 0);
	return reason;
}

static int resume(const struct wt_api *api, uint64_t wave, amd_dbgapi_resume_mode_t mode)
{
	return api->wave_resume((amd_dbgapi_wave_id_t){wave}, mode, AMD_DBGAPI_EXCEPTION_NONE);
}

static void processed(const struct wt_api *api, uint64_t event)
{
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){event}), 0);
}

/*
 * Attach, and go on to the stop of waves 1 and 2, whose events are not fetched yet but the first.
 */
static const struct wt_api *to_first_stop_of(const struct session_options *options)
{
	amd_dbgapi_process_id_t id;
	const struct wt_api *api = session_begin(session_write(options), &id);

	session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	processed(api, 1);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE); /* as recorded: the STOP was made here */
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE); /* the PASS */
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 2);
	return api;
}

static const struct wt_api *to_first_stop(void)
{
	return to_first_stop_of(&(struct session_options){0});
}

static void test_unfetched_stops_are_hidden(void **state)
{
	const struct wt_api *api = to_first_stop();
	amd_dbgapi_register_id_t s0 = {session_register("s0")};
	uint32_t value;
	uint64_t pc;

	(void)state;
	assert_int_equal(state_of(api, 1), AMD_DBGAPI_WAVE_STATE_STOP);
	/* Its reason is a step that was done: stepping is what the client may know. */
	assert_int_equal(state_of(api, 2), AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_RUN);
	assert_int_equal(
		api->wave_get_info((amd_dbgapi_wave_id_t){2}, AMD_DBGAPI_WAVE_INFO_PC, 8, &pc),
		AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	assert_int_equal(api->read_register((amd_dbgapi_wave_id_t){2}, s0, 0, 4, &value), 0);
	/* A request to stop it is answered by the event that is on its way. */
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){2}), 0);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){2}),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP);
	assert_int_equal(resume(api, 2, AMD_DBGAPI_RESUME_MODE_NORMAL),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 3);
	assert_int_equal(state_of(api, 2), AMD_DBGAPI_WAVE_STATE_STOP);
	assert_int_equal(reason_of(api, 2), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	session_end(api);
}

static void test_events(void **state)
{
	const struct wt_api *api = to_first_stop();
	uint64_t wave = 0;
	uint32_t number;

	(void)state;
	assert_int_equal(api->event_get_info((amd_dbgapi_event_id_t){2}, AMD_DBGAPI_EVENT_INFO_WAVE,
					     8, &wave),
			 0);
	assert_int_equal(wave, 1);
	assert_int_equal(api->event_get_info((amd_dbgapi_event_id_t){2},
					     AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE, 4, &number),
			 AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	/* Queued, never seen, done with: all are no events. */
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){3}),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID);
	assert_int_equal(api->event_get_info((amd_dbgapi_event_id_t){50},
					     AMD_DBGAPI_EVENT_INFO_KIND, 4, &number),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE);
	processed(api, 2);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){2}),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){1}),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED);
	assert_int_equal(resume(api, 1, (amd_dbgapi_resume_mode_t)7),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(state_of(api, 1), AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
	session_end(api);
}

static void test_nothing_moves_without_a_resume(void **state)
{
	const struct wt_api *api = to_first_stop();

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	for (int i = 0; i < 5; i++)
		session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(reason_of(api, 1), AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	processed(api, 2);
	processed(api, 3);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	assert_int_equal(reason_of(api, 1), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	session_end(api);
}

static void test_overlay_and_time(void **state)
{
	const struct wt_api *api = to_first_stop();
	const amd_dbgapi_address_space_id_t global = {session_space(GFX_SPACE_GLOBAL)};
	amd_dbgapi_register_id_t s0 = {session_register("s0")};
	uint8_t ones[4] = {0xff, 0xff, 0xff, 0xff}, bytes[4];
	amd_dbgapi_size_t size = 4;
	uint32_t value;

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	processed(api, 3);
	assert_int_equal(api->write_register((amd_dbgapi_wave_id_t){1}, s0, 0, 4, ones), 0);
	assert_int_equal(api->write_register((amd_dbgapi_wave_id_t){2}, s0, 0, 4, ones), 0);
	/* One page will be another in the next moment, one will not. */
	assert_int_equal(api->write_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					   global, SESSION_PAGE, &size, ones),
			 0);
	assert_int_equal(api->write_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					   global, SESSION_PAGE + 4096, &size, ones),
			 0);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	assert_int_equal(api->read_register((amd_dbgapi_wave_id_t){1}, s0, 0, 4, &value), 0);
	assert_int_equal(value, 0x33323130);
	assert_int_equal(api->read_register((amd_dbgapi_wave_id_t){2}, s0, 0, 4, &value), 0);
	assert_int_equal(value, 0xffffffff);
	assert_int_equal(api->read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					  global, SESSION_PAGE, &size, bytes),
			 0);
	assert_int_equal(bytes[0], 1);
	assert_int_equal(api->read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					  global, SESSION_PAGE + 4096, &size, bytes),
			 0);
	assert_int_equal(bytes[0], 0xff);
	session_end(api);
}

static void test_requested_stop_that_was_recorded(void **state)
{
	const struct wt_api *api = to_first_stop();

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_RUN);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){3}), 0);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_RUN);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 5);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_STOP);
	session_end(api);
}

/*
 * How often a debugger asks for events is a matter of its host threads. One that has let a wave go, or asked for a stop,
 * is past what the recorded one asked before that, and will not ask again: it waits.
 */
static void test_fewer_polls_before_a_resume(void **state)
{
	const struct session_options options = {.polled_before = 4};
	const struct wt_api *api = to_first_stop_of(&options);

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	session_end(api);
	/* One that asks as often as that. */
	api = to_first_stop_of(&options);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	session_end(api);
}

static void test_fewer_polls_before_a_stop_request(void **state)
{
	const struct wt_api *api = to_first_stop_of(&(struct session_options){.polled_before = 5});

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){3}), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 5);
	session_end(api);
}

/* The recorded wave has made its step by then: the request comes too late to end it. */
static void test_requested_stop_after_a_step(void **state)
{
	const struct wt_api *api = to_first_stop();

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){1}), 0);
	assert_int_equal(state_of(api, 1), AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){1}),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	assert_int_equal(reason_of(api, 1), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	session_end(api);
}

/* Of this one no step was recorded: the request ends it, and the reason of the stop before is over. */
static void test_requested_stop_of_a_step(void **state)
{
	const struct wt_api *api = to_first_stop();

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	processed(api, 3);
	assert_int_equal(resume(api, 2, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(state_of(api, 2), AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){2}), 0);
	assert_int_equal(state_of(api, 2), AMD_DBGAPI_WAVE_STATE_RUN);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED);
	assert_int_equal(state_of(api, 2), AMD_DBGAPI_WAVE_STATE_STOP);
	session_end(api);
}

static void test_requested_stop_that_was_not(void **state)
{
	const struct wt_api *api = to_first_stop();
	amd_dbgapi_register_id_t s0 = {session_register("s0")};
	uint64_t event, wave, pc;
	uint32_t value;

	(void)state;
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){3}), 0);
	event = session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	assert_true(event > 6);
	assert_int_equal(api->event_get_info((amd_dbgapi_event_id_t){event},
					     AMD_DBGAPI_EVENT_INFO_WAVE, 8, &wave),
			 0);
	assert_int_equal(wave, 3);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_STOP);
	assert_int_equal(reason_of(api, 3), AMD_DBGAPI_WAVE_STOP_REASON_NONE);
	/* It ran when it was recorded: where, no one knows. */
	assert_int_equal(
		api->wave_get_info((amd_dbgapi_wave_id_t){3}, AMD_DBGAPI_WAVE_INFO_PC, 8, &pc),
		AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	assert_int_equal(api->read_register((amd_dbgapi_wave_id_t){3}, s0, 0, 4, &value),
			 AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE);
	/* The client holds it: the event that the recorded client got would be one too many. */
	processed(api, 2);
	processed(api, 3);
	processed(api, event);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 4);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_STOP);
	session_end(api);
}

static void to_the_end(const struct wt_api *api)
{
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	processed(api, 2);
	processed(api, 3);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 5);
	processed(api, 4);
	assert_int_equal(resume(api, 2, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP), 0);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
}

static void test_progress_and_end(void **state)
{
	const struct wt_api *api = to_first_stop();
	amd_dbgapi_wave_id_t *waves;
	uint32_t number;
	size_t count;

	(void)state;
	to_the_end(api);
	assert_int_equal(api->process_set_progress(process, (amd_dbgapi_progress_t)9),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD), 0);
	assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL), 0);
	/* The PASS was made there: the next thing is the last STOP. */
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED), 6);
	assert_int_equal(api->wave_get_info((amd_dbgapi_wave_id_t){2}, AMD_DBGAPI_WAVE_INFO_STATE,
					    4, &number),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID);
	assert_int_equal(api->process_wave_list(process, &count, &waves, NULL), 0);
	assert_int_equal(count, 1);
	free(waves);
	processed(api, 6);
	processed(api, 5);
	assert_int_equal(resume(api, 3, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
	for (int i = 0; i < 5; i++)
		session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(state_of(api, 3), AMD_DBGAPI_WAVE_STATE_RUN);
	/* A wave can be stopped after the end, too. */
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){3}), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	session_end(api);
}

static bool readable(int descriptor)
{
	struct pollfd poll_for = {.fd = descriptor, .events = POLLIN};

	return poll(&poll_for, 1, 0) == 1;
}

static void drain(int descriptor)
{
	char byte;

	while (read(descriptor, &byte, 1) == 1)
		;
}

static void test_notifier(void **state)
{
	const struct wt_api *api = to_first_stop();
	int notifier;

	(void)state;
	assert_int_equal(api->process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
					       sizeof(notifier), &notifier),
			 0);
	assert_int_equal(fcntl(notifier, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	assert_int_equal(fcntl(notifier, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_true(readable(notifier));
	drain(notifier);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	/* Nothing is queued, and nothing can move. */
	assert_false(readable(notifier));
	processed(api, 2);
	assert_int_equal(resume(api, 1, AMD_DBGAPI_RESUME_MODE_NORMAL), 0);
	assert_true(readable(notifier));
	drain(notifier);
	assert_int_equal(api->wave_stop((amd_dbgapi_wave_id_t){3}), 0);
	assert_true(readable(notifier));
	assert_int_equal(api->process_detach(process), 0);
	assert_int_equal(fcntl(notifier, F_GETFL), -1);
	session_end(api);
}

static void test_attach_again(void **state)
{
	const struct wt_api *api = to_first_stop();
	amd_dbgapi_process_id_t id;
	uint64_t event;

	(void)state;
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&session_log, &id),
			 AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED);
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id),
			 AMD_DBGAPI_STATUS_ERROR_RESTRICTION);
	assert_int_equal(api->process_detach(process), 0);
	assert_int_equal(api->process_detach(process), AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){2}),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID);
	/* There is one process in the trace, so it begins again, under handles that were not given before. */
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id), 0);
	assert_int_equal(id.handle, SESSION_PROCESS + 1);
	assert_int_equal(api->process_detach((amd_dbgapi_process_id_t){SESSION_PROCESS}),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID);
	event = session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_true(event > 2);
	assert_int_equal(api->event_get_info((amd_dbgapi_event_id_t){event},
					     AMD_DBGAPI_EVENT_INFO_PROCESS, sizeof(id), &id),
			 0);
	assert_int_equal(id.handle, SESSION_PROCESS + 1);
	session_end(api);
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id), 0);
	assert_int_equal(id.handle, SESSION_PROCESS);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME), 1);
	session_end(api);
}

static amd_dbgapi_status_t attach_as(const struct wt_api *api, uint64_t handle)
{
	amd_dbgapi_process_id_t id = {77};
	amd_dbgapi_status_t status =
		api->process_attach((amd_dbgapi_client_process_id_t)&session_log, &id);

	assert_int_equal(id.handle, status ? 77 : handle);
	return status;
}

static amd_dbgapi_status_t attach(const struct wt_api *api)
{
	return attach_as(api, SESSION_PROCESS);
}

static void test_refused_attach(void **state)
{
	const struct session_options options = {.refusals = 2};
	const struct wt_api *api = session_api(session_write(&options));

	(void)state;
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(attach(api), AMD_DBGAPI_STATUS_FATAL);
	assert_string_equal(session_log, "2 no access\n");
	assert_int_equal(attach(api), AMD_DBGAPI_STATUS_FATAL);
	assert_int_equal(attach(api), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	/* Who attaches again is not refused again. */
	assert_int_equal(api->process_detach((amd_dbgapi_process_id_t){SESSION_PROCESS}), 0);
	assert_int_equal(attach_as(api, SESSION_PROCESS + 1), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
	session_end(api);
}

static void test_always_refused(void **state)
{
	const struct session_options options = {.refusals = 1, .refused_alone = true};
	const struct wt_api *api = session_api(session_write(&options));

	(void)state;
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(attach(api), AMD_DBGAPI_STATUS_FATAL);
	assert_int_equal(attach(api), AMD_DBGAPI_STATUS_FATAL);
	session_end(api);
}

/* The journal has the call, and no moment has the process: none is made up. */
static void test_lost_attach(void **state)
{
	const struct session_options options = {.journal = true, .attach_alone = true};
	const struct wt_api *api = session_api(session_write(&options));

	(void)state;
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(attach(api), AMD_DBGAPI_STATUS_ERROR_RESTRICTION);
	session_end(api);
}

static void test_log(void **state)
{
	const struct session_options options = {0};
	const struct wt_api *api = session_api(session_write(&options));
	amd_dbgapi_process_id_t id;

	(void)state;
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id), 0);
	assert_string_equal(session_log, "");
	session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_string_equal(session_log, "2 a stop\n");
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
	session_end(api);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unfetched_stops_are_hidden),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_nothing_moves_without_a_resume),
		cmocka_unit_test(test_overlay_and_time),
		cmocka_unit_test(test_requested_stop_that_was_recorded),
		cmocka_unit_test(test_fewer_polls_before_a_resume),
		cmocka_unit_test(test_fewer_polls_before_a_stop_request),
		cmocka_unit_test(test_requested_stop_after_a_step),
		cmocka_unit_test(test_requested_stop_of_a_step),
		cmocka_unit_test(test_requested_stop_that_was_not),
		cmocka_unit_test(test_progress_and_end),
		cmocka_unit_test(test_notifier),
		cmocka_unit_test(test_attach_again),
		cmocka_unit_test(test_refused_attach),
		cmocka_unit_test(test_always_refused),
		cmocka_unit_test(test_lost_attach),
		cmocka_unit_test(test_log),
	};

	return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
