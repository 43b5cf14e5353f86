/* SPDX-License-Identifier: MIT */
/* Life cycle: initialize, attach, detach, finalize; what the process says of itself. */
#include "client.h"

#include <fcntl.h>
#include <string.h>

#include "fake-device.h"

#define LAST_STATUS AMD_DBGAPI_STATUS_ERROR_INVALID_CLUSTER_ID

static int finish(void **state)
{
	(void)state;
	amd_dbgapi_finalize();
	assert_int_equal(fake_alive, 0);
	fake_fails = false;
	return 0;
}

static void test_version_without_initialize(void **state)
{
	uint32_t major = 9, minor = 9, patch = 9;

	(void)state;
	amd_dbgapi_get_version(&major, &minor, &patch);
	assert_int_equal(major, 0);
	assert_int_equal(minor, AMD_DBGAPI_VERSION_MINOR);
	assert_int_equal(patch, 0);
	amd_dbgapi_get_version(NULL, NULL, NULL);
	assert_string_equal(amd_dbgapi_get_build_name(), "wavetape " WT_VERSION " (simulated GPU)");
}

static void test_status_strings(void **state)
{
	const char *text = "untouched";

	(void)state;
	for (int status = 0; status >= LAST_STATUS; status--) {
		text = NULL;
		assert_success(amd_dbgapi_get_status_string((amd_dbgapi_status_t)status, &text));
		assert_non_null(text);
	}
	text = "untouched";
	assert_status(amd_dbgapi_get_status_string((amd_dbgapi_status_t)1, &text),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_get_status_string((amd_dbgapi_status_t)(LAST_STATUS - 1), &text),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_get_status_string(SUCCESS, NULL), STATUS(INVALID_ARGUMENT));
	assert_string_equal(text, "untouched");
}

static void test_initialize_order(void **state)
{
	amd_dbgapi_callbacks_t partial = client_callbacks;

	(void)state;
	assert_status(amd_dbgapi_finalize(), STATUS(NOT_INITIALIZED));
	assert_status(amd_dbgapi_initialize(NULL), STATUS(INVALID_ARGUMENT));
	partial.xfer_global_memory = NULL;
	assert_status(amd_dbgapi_initialize(&partial), STATUS(INVALID_ARGUMENT));
	assert_success(amd_dbgapi_initialize(&client_callbacks));
	assert_status(amd_dbgapi_initialize(NULL), STATUS(ALREADY_INITIALIZED));
	assert_status(amd_dbgapi_initialize(&client_callbacks), STATUS(ALREADY_INITIALIZED));
	assert_success(amd_dbgapi_finalize());
	assert_status(amd_dbgapi_finalize(), STATUS(NOT_INITIALIZED));
}

static void test_attach_errors(void **state)
{
	amd_dbgapi_process_id_t process = {77};

	(void)state;
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, &process), STATUS(NOT_INITIALIZED));
	client_start();
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, NULL), STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_process_attach(NULL, &process), STATUS(INVALID_ARGUMENT));
	client_pid_status = AMD_DBGAPI_STATUS_ERROR;
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, &process), AMD_DBGAPI_STATUS_ERROR);
	client_pid_status = SUCCESS;
	fake_fails = true;
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, &process), STATUS(RESTRICTION));
	assert_int_equal(client_message_level, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR);
	assert_string_equal(client_message,
			    "cannot load the workload: fake.json: the test wants it so");
	assert_int_equal(process.handle, 77);
	fake_fails = false;
	client_attach(1);
	assert_status(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)1, &process),
		      STATUS(ALREADY_ATTACHED));
}

static void test_attach_without_workload(void **state)
{
	amd_dbgapi_process_id_t process = {77};

	(void)state;
	client_start();
	unsetenv("WAVETAPE_WORKLOAD");
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, &process), STATUS(RESTRICTION));
	assert_int_equal(client_message_level, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR);
	assert_non_null(strstr(client_message, "WAVETAPE_WORKLOAD"));
	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
}

static void test_process_info(void **state)
{
	amd_dbgapi_process_id_t process;
	amd_dbgapi_core_state_data_t core;
	amd_dbgapi_os_process_id_t pid = 0;
	uint32_t value;
	size_t count = 9;

	(void)state;
	client_start();
	process = client_attach(1);
	assert_success(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
						   sizeof(pid), &pid));
	assert_int_equal(pid, CLIENT_PID);
	assert_success(amd_dbgapi_process_get_info(
		process, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, sizeof(count), &count));
	assert_int_equal(count, 4);
	assert_success(amd_dbgapi_process_get_info(
		process, AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED, sizeof(value), &value));
	assert_int_equal(value, AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
	assert_status(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						  sizeof(core), &core),
		      STATUS(PROCESS_NOT_FROZEN));
	assert_status(amd_dbgapi_process_get_info(process, (amd_dbgapi_process_info_t)99, 0, NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID, 1, NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_status(
		amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID, 8, &count),
		STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_status(amd_dbgapi_process_get_info((amd_dbgapi_process_id_t){99},
						  (amd_dbgapi_process_info_t)99, 0, NULL),
		      STATUS(INVALID_PROCESS_ID));
}

static void test_process_without_pid(void **state)
{
	amd_dbgapi_process_id_t process;
	amd_dbgapi_os_process_id_t pid = 5;

	(void)state;
	client_start();
	client_pid_status = STATUS(NOT_AVAILABLE);
	process = client_attach(1);
	assert_status(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
						  sizeof(pid), &pid),
		      STATUS(NOT_AVAILABLE));
	assert_int_equal(pid, 5);
}

static void test_notifier(void **state)
{
	amd_dbgapi_notifier_t notifier;
	amd_dbgapi_process_id_t process;

	(void)state;
	client_start();
	process = client_attach(1);
	assert_success(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						   sizeof(notifier), &notifier));
	assert_true(fcntl(notifier, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(notifier, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(client_drain(process), 1);
	assert_int_equal(client_drain(process), 0);
	assert_success(amd_dbgapi_process_detach(process));
	assert_int_equal(fcntl(notifier, F_GETFL), -1);
	assert_int_equal(fake_alive, 0);
	assert_status(amd_dbgapi_process_detach(process), STATUS(INVALID_PROCESS_ID));
}

static void test_handles_restart_but_not_of_processes(void **state)
{
	amd_dbgapi_process_id_t first, second;
	amd_dbgapi_agent_id_t *agents;
	size_t count;

	(void)state;
	client_start();
	first = client_attach(1);
	second = client_attach(2);
	assert_int_equal(second.handle, first.handle + 1);
	assert_success(
		amd_dbgapi_process_agent_list(AMD_DBGAPI_PROCESS_NONE, &count, &agents, NULL));
	assert_int_equal(count, 2);
	assert_int_equal(agents[0].handle, 1);
	assert_int_equal(agents[1].handle, 2);
	free(agents);
	assert_success(amd_dbgapi_process_detach(first));
	client_attach(1);
	assert_success(
		amd_dbgapi_process_agent_list(AMD_DBGAPI_PROCESS_NONE, &count, &agents, NULL));
	assert_int_equal(count, 2);
	assert_int_equal(agents[0].handle, 2);
	assert_int_equal(agents[1].handle, 3);
	free(agents);
	assert_success(amd_dbgapi_finalize());
	client_start();
	first = client_attach(1);
	assert_int_equal(first.handle, second.handle + 2);
	assert_success(amd_dbgapi_process_agent_list(first, &count, &agents, NULL));
	assert_int_equal(count, 1);
	assert_int_equal(agents[0].handle, 1);
	free(agents);
}

static void test_setters(void **state)
{
	amd_dbgapi_process_id_t process, bad = {99};

	(void)state;
	client_start();
	process = client_attach(1);
	/* the mode before the process */
	assert_status(amd_dbgapi_process_set_progress(bad, (amd_dbgapi_progress_t)7),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_process_set_progress(bad, AMD_DBGAPI_PROGRESS_NORMAL),
		      STATUS(INVALID_PROCESS_ID));
	assert_success(amd_dbgapi_process_set_progress(AMD_DBGAPI_PROCESS_NONE,
						       AMD_DBGAPI_PROGRESS_NO_FORWARD));
	/* the process before the mode */
	assert_status(amd_dbgapi_process_set_wave_creation(bad, (amd_dbgapi_wave_creation_t)7),
		      STATUS(INVALID_PROCESS_ID));
	assert_status(amd_dbgapi_process_set_wave_creation(process, (amd_dbgapi_wave_creation_t)7),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_set_memory_precision(bad, AMD_DBGAPI_MEMORY_PRECISION_NONE),
		      STATUS(INVALID_PROCESS_ID));
	assert_success(amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_NONE));
	assert_success(
		amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	assert_status(amd_dbgapi_set_memory_precision(process, (amd_dbgapi_memory_precision_t)2),
		      STATUS(INVALID_ARGUMENT));
	assert_success(amd_dbgapi_set_alu_exceptions_precision(
		process, AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE));
	assert_status(amd_dbgapi_set_alu_exceptions_precision(
			      process, AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE),
		      STATUS(NOT_SUPPORTED));
}

/* A process is frozen only when nothing of it can move. */
static void test_freeze_order(void **state)
{
	amd_dbgapi_process_id_t process = {1};

	(void)state;
	assert_status(amd_dbgapi_process_freeze(process), STATUS(NOT_INITIALIZED));
	client_start();
	process = client_attach(1);
	assert_status(amd_dbgapi_process_freeze(process), STATUS(INCOMPATIBLE_PROCESS_STATE));
	assert_status(amd_dbgapi_process_unfreeze(process), STATUS(PROCESS_NOT_FROZEN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_version_without_initialize, finish),
		cmocka_unit_test_teardown(test_status_strings, finish),
		cmocka_unit_test_teardown(test_initialize_order, finish),
		cmocka_unit_test_teardown(test_attach_errors, finish),
		cmocka_unit_test_teardown(test_attach_without_workload, finish),
		cmocka_unit_test_teardown(test_process_info, finish),
		cmocka_unit_test_teardown(test_process_without_pid, finish),
		cmocka_unit_test_teardown(test_notifier, finish),
		cmocka_unit_test_teardown(test_handles_restart_but_not_of_processes, finish),
		cmocka_unit_test_teardown(test_setters, finish),
		cmocka_unit_test_teardown(test_freeze_order, finish),
	};

	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
