/* SPDX-License-Identifier: MIT */
/* A replay's answers to what is asked again and again. */
#include "session.h"

#include <stdlib.h>

static const amd_dbgapi_wave_id_t wave1 = {1};
static const amd_dbgapi_process_id_t process = {SESSION_PROCESS};

/* Attached, with both stop events of the fourth moment fetched and processed. */
static const struct wt_api *at_the_stop(void)
{
	const struct session_options options = {0};
	amd_dbgapi_process_id_t id;
	const struct wt_api *api = session_begin(session_write(&options), &id);

	session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){1}), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 2);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 3);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){2}), 0);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){3}), 0);
	return api;
}

static uint64_t read_pc(const struct wt_api *api)
{
	amd_dbgapi_register_id_t id = {session_register("pc")};
	uint64_t value = 0;

	assert_int_equal(api->read_register(wave1, id, 0, sizeof(value), &value), 0);
	return value;
}

static amd_dbgapi_status_t ask_wave(const struct wt_api *api, amd_dbgapi_wave_info_t query)
{
	uint32_t value;

	return api->wave_get_info(wave1, query, sizeof(value), &value);
}

static amd_dbgapi_status_t ask_name(const struct wt_api *api, size_t size, char **text)
{
	return api->register_get_info((amd_dbgapi_register_id_t){session_register("pc")},
				      AMD_DBGAPI_REGISTER_INFO_NAME, size, text);
}

/* A string is the client's, each time. */
static void test_strings(void **state)
{
	const struct wt_api *api = at_the_stop();
	char *text[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ask_name(api, sizeof(text[i]), &text[i]), 0);
		assert_string_equal(text[i], "pc");
		text[i][0] = 'x';
	}
	for (int i = 0; i < 3; i++)
		free(text[i]);
	session_end(api);
}

/* The checks that come before an answer still come. */
static void test_checks(void **state)
{
	const struct wt_api *api = at_the_stop();
	amd_dbgapi_register_id_t pc = {session_register("pc")};
	char *text;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ask_name(api, sizeof(text), &text), 0);
		free(text);
		read_pc(api);
	}
	assert_int_equal(ask_name(api, sizeof(text), NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(ask_name(api, 4, &text),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	assert_int_equal(api->read_register(wave1, pc, 0, 8, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	session_end(api);
	assert_int_equal(ask_name(api, sizeof(text), &text),
			 AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED);
}

/* No answer outlives what it is of; calls that change nothing leave it. */
static void test_changes(void **state)
{
	const struct wt_api *api = at_the_stop();
	amd_dbgapi_register_id_t pc = {session_register("pc")};
	uint64_t value = 0x2000;

	(void)state;
	for (int i = 0; i < 3; i++) {
		session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
		assert_int_equal(read_pc(api), UINT64_C(0x4746454443424140));
		assert_int_equal(ask_wave(api, AMD_DBGAPI_WAVE_INFO_STOP_REASON), 0);
		assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD),
				 0);
	}
	assert_int_equal(api->write_register(wave1, pc, 0, sizeof(value), &value), 0);
	assert_int_equal(read_pc(api), 0x2000);
	assert_int_equal(
		api->wave_resume(wave1, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		0);
	assert_int_equal(ask_wave(api, AMD_DBGAPI_WAVE_INFO_STOP_REASON),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	assert_int_equal(api->read_register(wave1, pc, 0, sizeof(value), &value),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	session_end(api);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests_name("answers that are kept", tests, NULL, NULL);
}
