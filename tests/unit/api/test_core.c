/* SPDX-License-Identifier: MIT */
/* Freezing a process, and attaching to what was frozen: live and core, side by side in one library. */
#include "core-client.h"

/* ---- Freezing ---- */

static void test_states_for_freezing(void **state)
{
	amd_dbgapi_core_state_data_t data;
	uint32_t small;

	(void)state;
	begin("matmul-short-buffer");
	assert_status(amd_dbgapi_process_freeze((amd_dbgapi_process_id_t){99}),
		      STATUS(INVALID_PROCESS_ID));
	set_creation(AMD_DBGAPI_WAVE_CREATION_NORMAL);
	assert_status(amd_dbgapi_process_freeze(live), STATUS(INCOMPATIBLE_PROCESS_STATE));
	set_creation(AMD_DBGAPI_WAVE_CREATION_STOP);
	set_progress(live, AMD_DBGAPI_PROGRESS_NORMAL);
	assert_status(amd_dbgapi_process_freeze(live), STATUS(INCOMPATIBLE_PROCESS_STATE));
	set_progress(live, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	assert_status(amd_dbgapi_process_unfreeze(live), STATUS(PROCESS_NOT_FROZEN));
	assert_status(amd_dbgapi_process_get_info(live, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						  sizeof(data), &data),
		      STATUS(PROCESS_NOT_FROZEN));
	assert_success(amd_dbgapi_process_freeze(live));
	assert_status(amd_dbgapi_process_freeze(live), STATUS(PROCESS_ALREADY_FROZEN));
	assert_status(amd_dbgapi_process_get_info(live, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						  sizeof(data), NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_process_get_info(live, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						  sizeof(small), &small),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_success(amd_dbgapi_process_unfreeze(live));
	assert_status(amd_dbgapi_process_unfreeze(live), STATUS(PROCESS_NOT_FROZEN));
	/* The save areas are used again. */
	for (int i = 0; i < 3; i++) {
		assert_success(amd_dbgapi_process_freeze(live));
		assert_success(amd_dbgapi_process_unfreeze(live));
	}
}

/* Nothing changes a frozen process, but everything of it can be asked. */
static void test_frozen(void **state)
{
	amd_dbgapi_register_id_t s0 = client_register("s0");
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	amd_dbgapi_watchpoint_id_t watchpoint;
	amd_dbgapi_size_t size = 4;
	uint32_t word;

	(void)state;
	begin("matmul-short-buffer");
	assert_int_equal(client_waves(live, waves, MAX_WAVES), 16);
	assert_success(amd_dbgapi_process_freeze(live));
	assert_status(amd_dbgapi_process_set_progress(live, AMD_DBGAPI_PROGRESS_NORMAL),
		      STATUS(PROCESS_FROZEN));
	assert_status(amd_dbgapi_process_set_progress(AMD_DBGAPI_PROCESS_NONE,
						      AMD_DBGAPI_PROGRESS_NO_FORWARD),
		      STATUS(PROCESS_FROZEN));
	assert_status(amd_dbgapi_process_set_wave_creation(live, AMD_DBGAPI_WAVE_CREATION_NORMAL),
		      STATUS(PROCESS_FROZEN));
	assert_status(amd_dbgapi_set_watchpoint(live, 0x210000000000, 4,
						AMD_DBGAPI_WATCHPOINT_KIND_ALL, &watchpoint),
		      STATUS(PROCESS_FROZEN));
	for (int i = 0; i < 16; i++) {
		bool stopped = client_wave_state(waves[i]) == AMD_DBGAPI_WAVE_STATE_STOP;

		assert_status(amd_dbgapi_wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
						     AMD_DBGAPI_EXCEPTION_NONE),
			      STATUS(PROCESS_FROZEN));
		assert_status(amd_dbgapi_wave_stop(waves[i]),
			      stopped ? STATUS(WAVE_STOPPED) : STATUS(PROCESS_FROZEN));
		assert_status(amd_dbgapi_write_register(waves[i], s0, 0, 4, &word),
			      STATUS(PROCESS_FROZEN));
		if (stopped)
			assert_success(amd_dbgapi_read_register(waves[i], s0, 0, 4, &word));
	}
	assert_status(amd_dbgapi_write_memory(live, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0x210000000000,
					      &size, &word),
		      STATUS(PROCESS_FROZEN));
	assert_success(amd_dbgapi_read_memory(live, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0x210000000000,
					      &size, &word));
	client_expect_none(live);
	/* A detach needs no unfreeze. */
	assert_success(amd_dbgapi_process_detach(live));
}

/* ---- Cores ---- */

static void compare_wave(amd_dbgapi_wave_id_t from, amd_dbgapi_wave_id_t to)
{
	amd_dbgapi_register_id_t *registers, *same;
	size_t count, same_count;

	assert_success(amd_dbgapi_wave_register_list(from, &count, &registers));
	assert_success(amd_dbgapi_wave_register_list(to, &same_count, &same));
	assert_int_equal(count, same_count);
	assert_memory_equal(registers, same, count * sizeof(*registers));
	for (size_t i = 0; i < count; i++) {
		uint8_t value[256], saved[256];
		uint64_t size;

		assert_success(amd_dbgapi_register_get_info(
			registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE, sizeof(size), &size));
		assert_success(amd_dbgapi_read_register(from, registers[i], 0, size, value));
		assert_success(amd_dbgapi_read_register(to, registers[i], 0, size, saved));
		assert_memory_equal(value, saved, size);
	}
	free(registers);
	free(same);
}

static uint64_t place_of(amd_dbgapi_wave_id_t wave)
{
	uint32_t coordinates[3], number;

	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
						sizeof(coordinates), coordinates));
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
						sizeof(number), &number));
	return (uint64_t)coordinates[1] << 32 | coordinates[0] << 8 | number;
}

/* The wave at the same place of the grid. */
static amd_dbgapi_wave_id_t find_same(const amd_dbgapi_wave_id_t *waves, int count,
				      amd_dbgapi_wave_id_t wave)
{
	for (int i = 0; i < count; i++)
		if (place_of(waves[i]) == place_of(wave))
			return waves[i];
	fail();
	return AMD_DBGAPI_WAVE_NONE;
}

static void test_core(void **state)
{
	amd_dbgapi_wave_id_t waves[MAX_WAVES], saved[MAX_WAVES];
	amd_dbgapi_core_state_data_t data;
	uint32_t reasons = 0;
	uint64_t os_id;
	bool ran[MAX_WAVES] = {false};

	(void)state;
	begin("matmul-short-buffer");
	freeze_and_keep();
	core = client_attach_ready(CORE_PROCESS);
	assert_int_equal(client_waves(live, waves, MAX_WAVES), 16);
	assert_int_equal(client_waves(core, saved, MAX_WAVES), 16);
	for (int i = 0; i < 16; i++) {
		assert_int_equal(client_wave_state(saved[i]), AMD_DBGAPI_WAVE_STATE_RUN);
		ran[i] = client_wave_state(waves[i]) != AMD_DBGAPI_WAVE_STATE_STOP;
	}
	/* Those with a reason first. */
	for (int i = 0; i < 16; i++) {
		uint32_t reason = client_stop_reason(client_take(core, STOP_EVENT));

		assert_int_equal(reason != 0, i < 4);
		reasons |= reason;
	}
	client_expect_none(core);
	assert_int_equal(reasons, AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	assert_success(amd_dbgapi_process_unfreeze(live));
	for (int i = 0; i < 16; i++) {
		if (ran[i]) {
			assert_success(amd_dbgapi_wave_stop(waves[i]));
			client_take(live, STOP_EVENT);
		}
		compare_wave(waves[i], find_same(saved, 16, waves[i]));
	}
	assert_status(amd_dbgapi_process_get_info(core, AMD_DBGAPI_PROCESS_INFO_OS_ID, 8, &os_id),
		      STATUS(NOT_AVAILABLE));
	assert_status(amd_dbgapi_process_get_info(core, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						  sizeof(data), &data),
		      STATUS(NOT_AVAILABLE));
}

/* What can be done to a core, and what cannot. */
static void test_control(void **state)
{
	amd_dbgapi_wave_id_t wave, *list;
	amd_dbgapi_watchpoint_id_t watchpoint;
	size_t count;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	core = client_attach_ready(CORE_PROCESS);
	wave = client_take(core, STOP_EVENT);
	for (int i = 0; i < 3; i++)
		client_take(core, STOP_EVENT);
	assert_success(amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
					      AMD_DBGAPI_EXCEPTION_NONE));
	client_expect_none(core);
	assert_int_equal(client_wave_state(wave), AMD_DBGAPI_WAVE_STATE_RUN);
	assert_success(amd_dbgapi_wave_stop(wave));
	assert_status(amd_dbgapi_wave_stop(wave), STATUS(WAVE_OUTSTANDING_STOP));
	client_take(core, STOP_EVENT);
	assert_int_equal(client_stop_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_NONE);
	assert_success(amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
					      AMD_DBGAPI_EXCEPTION_NONE));
	client_expect_none(core);
	assert_int_equal(client_wave_state(wave), AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
	assert_success(amd_dbgapi_wave_stop(wave));
	client_take(core, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED);
	assert_status(amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
					     AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION),
		      AMD_DBGAPI_STATUS_FATAL);
	assert_int_equal(client_wave_state(wave), AMD_DBGAPI_WAVE_STATE_RUN);
	assert_status(amd_dbgapi_process_set_wave_creation(core, AMD_DBGAPI_WAVE_CREATION_STOP),
		      AMD_DBGAPI_STATUS_FATAL);
	assert_status(amd_dbgapi_set_memory_precision(core, AMD_DBGAPI_MEMORY_PRECISION_PRECISE),
		      AMD_DBGAPI_STATUS_FATAL);
	assert_success(amd_dbgapi_set_memory_precision(core, AMD_DBGAPI_MEMORY_PRECISION_NONE));
	assert_status(amd_dbgapi_set_watchpoint(core, 0x210000000000, 4,
						AMD_DBGAPI_WATCHPOINT_KIND_ALL, &watchpoint),
		      AMD_DBGAPI_STATUS_FATAL);
	assert_status(amd_dbgapi_process_freeze(core), STATUS(INCOMPATIBLE_PROCESS_STATE));
	set_progress(core, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	assert_status(amd_dbgapi_process_set_progress(core, AMD_DBGAPI_PROGRESS_NORMAL),
		      AMD_DBGAPI_STATUS_FATAL);
	assert_status(amd_dbgapi_process_wave_list(core, &count, &list, NULL),
		      AMD_DBGAPI_STATUS_FATAL);
	/* The other process has nothing to do with it. */
	assert_int_equal(client_waves(live, NULL, 0), 4);
	assert_success(amd_dbgapi_process_detach(core));
}

/* Without a usable note there is a process, and nothing in it. */
/* A client whose callback says that it read, and did not: what comes of it is the same each time. */
static void test_reads_that_are_none(void **state)
{
	uint8_t bytes[64], zeros[64] = {0};
	amd_dbgapi_size_t size = sizeof(bytes);

	(void)state;
	begin("oob-store");
	freeze_and_keep();
	assert_success(
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)CORE_PROCESS, &core));
	kept.lies = true;
	memset(bytes, 0xa5, sizeof(bytes));
	assert_success(amd_dbgapi_read_memory(core, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0x1234, &size,
					      bytes));
	assert_int_equal(size, sizeof(bytes));
	assert_memory_equal(bytes, zeros, sizeof(bytes));
}

static void test_no_note(void **state)
{
	uint8_t *note;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	note = (uint8_t *)(uintptr_t)kept.state.data;
	note[0]++;
	core = client_attach(CORE_PROCESS);
	client_expect_none(core);
	assert_int_equal(client_waves(core, NULL, 0), 0);
	assert_success(amd_dbgapi_process_detach(core));
	note[0]--;
	/* A driver of another age. */
	note[12] = 3;
	assert_status(
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)CORE_PROCESS, &core),
		STATUS(RESTRICTION));
	note[12] = 16;
	/* No workload, and no note. */
	kept.no_note = true;
	unsetenv("WAVETAPE_WORKLOAD");
	core = client_attach(CORE_PROCESS);
	client_expect_none(core);
	assert_int_equal(client_waves(core, NULL, 0), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_states_for_freezing, finish),
		cmocka_unit_test_teardown(test_frozen, finish),
		cmocka_unit_test_teardown(test_core, finish),
		cmocka_unit_test_teardown(test_control, finish),
		cmocka_unit_test_teardown(test_reads_that_are_none, finish),
		cmocka_unit_test_teardown(test_no_note, finish),
	};

	if (argc != 2)
		return 2;
	kernels = argv[1];
	return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
