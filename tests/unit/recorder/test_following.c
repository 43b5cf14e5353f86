/* SPDX-License-Identifier: MIT */
/* An agent follows events of a library that is made up here: code objects that are loaded while it is about to ask for events. */
#include "recorder/agent/follow-events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dbgapi/table/load.h"

/* The queue of events, the library's first; what was asked of it, a letter each. */
static struct {
	amd_dbgapi_event_kind_t queue[8];
	size_t first, end;
	bool code_is_listed;
	char asked[32];
} library;

static void library_note(const char *letter)
{
	strncat(library.asked, letter, sizeof(library.asked) - strlen(library.asked) - 1);
}

static amd_dbgapi_status_t AMD_DBGAPI next_event(amd_dbgapi_process_id_t process,
						 amd_dbgapi_event_id_t *event,
						 amd_dbgapi_event_kind_t *kind)
{
	(void)process;
	library_note("n");
	event->handle = 0;
	*kind = AMD_DBGAPI_EVENT_KIND_NONE;
	if (library.first < library.end) {
		*kind = library.queue[library.first];
		event->handle = ++library.first;
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI look(amd_dbgapi_breakpoint_id_t breakpoint,
					   amd_dbgapi_client_thread_id_t thread,
					   amd_dbgapi_breakpoint_action_t *action)
{
	(void)breakpoint;
	(void)thread;
	*action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	library_note("b");
	if (!library.code_is_listed)
		library.queue[library.end++] = AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED;
	library.code_is_listed = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI processed(amd_dbgapi_event_id_t event)
{
	(void)event;
	library_note("p");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI event_fact(amd_dbgapi_event_id_t event,
						 amd_dbgapi_event_info_t query, size_t size,
						 void *value)
{
	const amd_dbgapi_wave_id_t wave = {event.handle};

	assert_int_equal(query, AMD_DBGAPI_EVENT_INFO_WAVE);
	assert_int_equal(size, sizeof(wave));
	memcpy(value, &wave, sizeof(wave));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI wave_fact(amd_dbgapi_wave_id_t wave,
						amd_dbgapi_wave_info_t query, size_t size,
						void *value)
{
	const uint32_t reasons = AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP;

	(void)wave;
	assert_int_equal(query, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
	assert_int_equal(size, sizeof(reasons));
	memcpy(value, &reasons, sizeof(reasons));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t AMD_DBGAPI set_progress(amd_dbgapi_process_id_t process,
						   amd_dbgapi_progress_t progress)
{
	(void)process;
	(void)progress;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static const struct wt_api api = {
	.process_next_pending_event = next_event,
	.report_breakpoint_hit = look,
	.event_processed = processed,
	.event_get_info = event_fact,
	.wave_get_info = wave_fact,
	.process_set_progress = set_progress,
};

/* The caller has looked before there was any code; then it was loaded, and two of its waves have stopped. */
static void test_code_of_a_stop(void **state)
{
	struct wt_agent_follow follow = {.client = {.api = &api, .has_breakpoint = true}};
	bool any;

	(void)state;
	memset(&library, 0, sizeof(library));
	library.queue[0] = library.queue[1] = AMD_DBGAPI_EVENT_KIND_WAVE_STOP;
	library.end = 2;
	assert_null(wt_agent_pump(&follow, &any));
	assert_true(any && follow.fault && library.code_is_listed);
	assert_int_equal(library.first, 3);
	/* The library looks once, when it has nothing more to say of the stop, and its news are heard of before anything is taken. */
	assert_string_equal(library.asked, "npnpnbnpn");
	wt_agent_follow_deinit(&follow);
}

/* Without a stop nobody looks but the caller. */
static void test_no_stop(void **state)
{
	struct wt_agent_follow follow = {.client = {.api = &api, .has_breakpoint = true}};
	bool any;

	(void)state;
	memset(&library, 0, sizeof(library));
	library.queue[library.end++] = AMD_DBGAPI_EVENT_KIND_RUNTIME;
	assert_null(wt_agent_pump(&follow, &any));
	assert_true(any && !follow.fault);
	assert_string_equal(library.asked, "npn");
	wt_agent_follow_deinit(&follow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_of_a_stop),
		cmocka_unit_test(test_no_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
