/* SPDX-License-Identifier: MIT */
/* Attaching to a process through the kernel driver: what is found, what comes and goes, and what is refused. */
#include "tests/unit/kfd/live.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static void expect_nothing(void)
{
	assert_int_equal(live_count(amd_dbgapi_process_agent_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_code_object_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
}

static void expect_first_code(void)
{
	amd_dbgapi_code_object_id_t *code;
	uint64_t address;
	size_t count;
	char *uri;

	assert_success(amd_dbgapi_process_code_object_list(live.process, &count, &code, NULL));
	assert_int_equal(count, 1);
	assert_success(amd_dbgapi_code_object_get_info(
		code[0], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, sizeof(uri), &uri));
	assert_string_equal(uri, CODE_URI "#0");
	assert_success(amd_dbgapi_code_object_get_info(
		code[0], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, sizeof(address), &address));
	assert_int_equal(address, 0x1000);
	free(uri);
	free(code);
}

static void a_process_that_runs_is_found(void **state)
{
	amd_dbgapi_process_id_t again;

	live_begin(state, true);
	assert_string_equal(amd_dbgapi_get_build_name(), "wavetape " WT_VERSION " (kernel driver)");
	live_attach();
	assert_int_equal(live.breakpoints, 1);
	assert_int_equal(live_count(amd_dbgapi_process_agent_list), 1);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 1);
	expect_first_code();
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	assert_int_equal(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &again),
			 STATUS(ALREADY_ATTACHED));
	/* The driver lets one debugger in, whoever it is. */
	assert_int_equal(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&again, &again),
			 STATUS(RESTRICTION));
	assert_non_null(strstr(live.log, "another debugger is attached"));
	live_detach();
	assert_int_equal(live.breakpoints, 0);
	live_attach();
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 1);
	live_detach();
	live_end(0);
}

static void versions_are_checked(void **state)
{
	static const struct {
		uint32_t major, minor;
		amd_dbgapi_status_t status;
	} rows[] = {{1, 12, STATUS(RESTRICTION)},
		    {2, 0, STATUS(RESTRICTION)},
		    {2, 14, STATUS(RESTRICTION)},
		    {1, 13, SUCCESS},
		    {1, 999, SUCCESS}};

	live_begin(state, true);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		live_faults.major = rows[i].major;
		live_faults.minor = rows[i].minor;
		assert_int_equal(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live,
							   &live.process),
				 rows[i].status);
		if (rows[i].status == SUCCESS)
			live_detach();
	}
	live_faults.absent = true;
	assert_int_equal(
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &live.process),
		STATUS(RESTRICTION));
	assert_string_equal(amd_dbgapi_get_build_name(), "wavetape " WT_VERSION " (simulated GPU)");
	live_end(0);
}

/* ---- A runtime that comes and goes ---- */

static void *enable_runtime(void *opaque)
{
	const uint64_t *r_debug = opaque;
	int thread = wt_wire_connect(live.session->directory, WT_WIRE_THREAD, NULL, NULL);
	struct kfd_runtime_enable args = {.r_debug = *r_debug,
					  .mode = *r_debug ? KFD_RUNTIME_ENABLE : 0};
	int result = call_on(thread, WT_WIRE_KFD, (uint32_t)CALL(KFD_RUNTIME, args), &args,
			     sizeof(args));

	close(thread);
	return result ? opaque : NULL;
}

static void change_runtime(uint64_t r_debug, amd_dbgapi_runtime_state_t expected)
{
	amd_dbgapi_runtime_state_t runtime;
	amd_dbgapi_event_id_t event;
	pthread_t thread;
	void *result;

	assert_int_equal(pthread_create(&thread, NULL, enable_runtime, &r_debug), 0);
	event = live_expect(AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
						 sizeof(runtime), &runtime));
	assert_int_equal(runtime, expected);
	/* It waits until the client knows of it. */
	assert_int_equal(pthread_tryjoin_np(thread, &result), EBUSY);
	live_process(event);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_null(result);
}

static void a_runtime_comes_and_goes(void **state)
{
	live_begin(state, false);
	assert_success(
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &live.process));
	assert_int_equal(live_count(amd_dbgapi_process_agent_list), 1);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 0);
	for (size_t i = 0; i < 2; i++) {
		change_runtime(live.debug.address, AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
		assert_int_equal(live.breakpoints, 1);
		expect_first_code();
		change_runtime(0, AMD_DBGAPI_RUNTIME_STATE_UNLOADED);
		assert_int_equal(live.breakpoints, 0);
		assert_int_equal(live_count(amd_dbgapi_process_code_object_list), 0);
		assert_int_equal(live_count(amd_dbgapi_process_agent_list), 1);
	}
	live_detach();
	live_end(0);
}

/* A runtime that cannot be debugged is there, and nothing else of it is. */
static void a_runtime_is_restricted(void **state)
{
	static const struct {
		uint32_t version;
		bool refuse;
		amd_dbgapi_runtime_state_t expected;
	} rows[] = {{6, false, AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION},
		    {12, false, AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION},
		    {10, true, AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION},
		    {7, false, AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS},
		    {11, false, AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS}};

	live_begin(state, false);
	assert_success(
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &live.process));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		memcpy(live.debug.data, &rows[i].version, sizeof(rows[i].version));
		live.refuse_breakpoint = rows[i].refuse;
		change_runtime(live.debug.address, rows[i].expected);
		assert_int_equal(live_count(amd_dbgapi_process_code_object_list),
				 rows[i].expected == AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
		assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
		change_runtime(0, AMD_DBGAPI_RUNTIME_STATE_UNLOADED);
	}
	live_detach();
	live_end(0);
}

/* ---- Code objects ---- */

static amd_dbgapi_breakpoint_action_t hit(void)
{
	amd_dbgapi_breakpoint_action_t action;

	assert_success(amd_dbgapi_report_breakpoint_hit(
		live.breakpoint, (amd_dbgapi_client_thread_id_t)&live, &action));
	return action;
}

static void code_objects_come_and_go(void **state)
{
	static const size_t counts[] = {3, 0, 2, 1};
	const uint32_t changing = 1;

	live_begin(state, true);
	live_attach();
	assert_int_equal(hit(), AMD_DBGAPI_BREAKPOINT_ACTION_RESUME);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		live_set_code(counts[i]);
		assert_int_equal(hit(), AMD_DBGAPI_BREAKPOINT_ACTION_HALT);
		assert_int_equal(live_count(amd_dbgapi_process_code_object_list), counts[i]);
		live_process(live_expect(AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED));
		live_process(live_expect(AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME));
	}
	/* While it is changed there is nothing to see. */
	live_set_code(2);
	memcpy(live.debug.data + 24, &changing, sizeof(changing));
	assert_int_equal(hit(), AMD_DBGAPI_BREAKPOINT_ACTION_RESUME);
	assert_int_equal(live_count(amd_dbgapi_process_code_object_list), 1);
	live_detach();
	live_end(0);
}

/* ---- Its end ---- */

static void a_process_that_exits_has_nothing(void **state)
{
	amd_dbgapi_event_id_t event;
	amd_dbgapi_event_kind_t kind;

	live_begin(state, true);
	for (unsigned int at = 2; at < 40; at++) {
		live_faults = (struct live_faults){.fail_at = at, .error = ESRCH, .stays = true};
		assert_success(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live,
							 &live.process));
		do {
			assert_success(
				amd_dbgapi_process_next_pending_event(live.process, &event, &kind));
			if (event.handle)
				live_process(event);
		} while (event.handle);
		live_count(amd_dbgapi_process_wave_list);
		if (live_faults.calls >= at) {
			assert_success(
				amd_dbgapi_process_next_pending_event(live.process, &event, &kind));
			expect_nothing();
		}
		live_faults.fail_at = 0;
		live_detach();
		/* What was inserted into a program has gone with it. */
		live.breakpoints = 0;
		/* The one that was let go by nobody is let go now. */
		debug_call(&(struct debugger){.session = live.session, .target = getpid()},
			   KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	}
	live_end(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_process_that_runs_is_found), TEST(versions_are_checked),
		TEST(a_runtime_comes_and_goes),	    TEST(a_runtime_is_restricted),
		TEST(code_objects_come_and_go),	    TEST(a_process_that_exits_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
