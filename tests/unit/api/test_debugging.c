/* SPDX-License-Identifier: MIT */
/* Watchpoints and displaced stepping over a device that says what it was told. */
#include "client.h"
#include "fake-device.h"

#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define S_NOP 0xbf800000u
#define S_ENDPGM 0xbf810000u
#define BUFFER UINT64_C(0x7f0000300000)

static amd_dbgapi_process_id_t process;
static amd_dbgapi_wave_id_t waves[2];

static enum wt_device_progress launch_two(struct fake_device *device)
{
	fake_launch(device, 2, NULL);
	return WT_DEVICE_RUNNING;
}

/* A process with two stopped waves. */
static int start(void **state)
{
	(void)state;
	client_start();
	process = client_attach_ready(1);
	fake_next_run = launch_two;
	client_expect_none(process);
	assert_int_equal(client_waves(process, waves, 2), 2);
	for (int i = 0; i < 2; i++) {
		assert_success(amd_dbgapi_wave_stop(waves[i]));
		client_take(process, STOP_EVENT);
	}
	fake_buffer = 0;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	fake_next_run = NULL;
	return amd_dbgapi_finalize() == SUCCESS && fake_alive == 0 ? 0 : -1;
}

/* What is programmed for a range: gfx942 can leave bits 7 to 30 of an address out of the comparison. */
static void check_range(uint64_t address, uint64_t size, uint64_t first, uint64_t bytes)
{
	amd_dbgapi_watchpoint_id_t id;

	assert_success(amd_dbgapi_set_watchpoint(process, address, size,
						 AMD_DBGAPI_WATCHPOINT_KIND_LOAD, &id));
	assert_true(fake_device->watchpoints[0].address == first);
	assert_true(fake_device->watchpoints[0].size == bytes);
	assert_int_equal(fake_device->watchpoints[0].kind, AMD_DBGAPI_WATCHPOINT_KIND_LOAD);
	assert_success(amd_dbgapi_remove_watchpoint(id));
	assert_int_equal(fake_device->watchpoints[0].size, 0);
}

static void test_ranges(void **state)
{
	(void)state;
	check_range(0x1000, 1, 0x1000, 0x80);
	check_range(0x107f, 1, 0x1000, 0x80);
	check_range(0x107f, 2, 0x1000, 0x100);
	check_range(0x10fc, 8, 0x1000, 0x200);
	check_range(0x12340000, 0x1000, 0x12340000, 0x1000);
	/* More than can be left out: what can be, from the first byte on. */
	check_range(UINT64_C(0x7fffffff0), 0x20, UINT64_C(0x7ffffff80), 0x80);
	check_range(UINT64_C(0x780000000), UINT64_C(1) << 40, UINT64_C(0x780000000),
		    UINT64_C(0x80000000));
}

static void test_registers_are_used_again(void **state)
{
	amd_dbgapi_watchpoint_id_t ids[WT_DEVICE_WATCHPOINTS], id = {0};

	(void)state;
	for (uint64_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++) {
		assert_success(amd_dbgapi_set_watchpoint(process, 0x1000 * i, 4,
							 AMD_DBGAPI_WATCHPOINT_KIND_ALL, &ids[i]));
		assert_int_equal(ids[i].handle, i + 1);
	}
	assert_status(amd_dbgapi_set_watchpoint(process, 0, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL, &id),
		      STATUS(NO_WATCHPOINT_AVAILABLE));
	assert_success(amd_dbgapi_remove_watchpoint(ids[2]));
	assert_success(
		amd_dbgapi_set_watchpoint(process, 0x9000, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL, &id));
	assert_int_equal(fake_device->watchpoints[2].address, 0x9000);
	/* The attempt that failed has used up a handle. */
	assert_int_equal(id.handle, 6);
}

static amd_dbgapi_status_t start_stepping(amd_dbgapi_wave_id_t wave, uint32_t saved,
					  amd_dbgapi_displaced_stepping_id_t *id)
{
	return amd_dbgapi_displaced_stepping_start(wave, &saved, id);
}

static void test_no_buffer_left(void **state)
{
	amd_dbgapi_displaced_stepping_id_t id = {99};

	(void)state;
	assert_status(start_stepping(waves[0], S_NOP, &id),
		      STATUS(DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE));
	assert_int_equal(id.handle, 99);
	assert_true(client_pc(waves[0]) == FAKE_PC);
}

static void test_buffer_is_shared_and_freed(void **state)
{
	amd_dbgapi_displaced_stepping_id_t id, shared;

	(void)state;
	fake_buffer = BUFFER;
	assert_success(start_stepping(waves[0], S_NOP, &id));
	assert_int_equal(fake_device->buffer_size, 4);
	assert_true(client_pc(waves[0]) == BUFFER);
	assert_success(start_stepping(waves[1], S_NOP, &shared));
	assert_int_equal(shared.handle, id.handle);
	assert_success(amd_dbgapi_displaced_stepping_complete(waves[0], id));
	assert_true(client_pc(waves[0]) == FAKE_PC);
	assert_int_equal(fake_device->buffer_freed, 0);
	assert_success(amd_dbgapi_displaced_stepping_complete(waves[1], id));
	assert_true(fake_device->buffer_freed == BUFFER);
	assert_status(amd_dbgapi_displaced_stepping_complete(waves[1], id),
		      STATUS(INVALID_DISPLACED_STEPPING_ID));
}

/* What depends on the pc stays where it is. */
static void test_in_place(void **state)
{
	amd_dbgapi_displaced_stepping_id_t id;

	(void)state;
	assert_success(start_stepping(waves[0], S_ENDPGM, &id));
	assert_int_equal(fake_device->override, S_ENDPGM);
	assert_true(client_pc(waves[0]) == FAKE_PC);
	assert_success(amd_dbgapi_displaced_stepping_complete(waves[0], id));
	assert_int_equal(fake_device->override, 0);
}

static enum wt_device_progress end_first(struct fake_device *device)
{
	struct wt_device_wave *wave;

	assert_int_equal(fake_waves(device, &wave, 1), 1);
	fake_end(device, wave);
	return WT_DEVICE_EVENT;
}

/* A wave that ends leaves its operation. */
static void test_wave_ends(void **state)
{
	amd_dbgapi_displaced_stepping_id_t id;
	uint64_t value;

	(void)state;
	fake_buffer = BUFFER;
	assert_success(start_stepping(waves[0], S_NOP, &id));
	assert_success(amd_dbgapi_wave_resume(waves[0], AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
					      AMD_DBGAPI_EXCEPTION_NONE));
	fake_next_run = end_first;
	assert_int_equal(client_take(process, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED).handle,
			 waves[0].handle);
	assert_true(fake_device->buffer_freed == BUFFER);
	assert_status(amd_dbgapi_displaced_stepping_get_info(
			      id, AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS, 8, &value),
		      STATUS(INVALID_DISPLACED_STEPPING_ID));
}

static enum wt_device_progress end_program(struct fake_device *device)
{
	const struct wt_device_listener *listener = &device->listener;
	struct wt_device_wave *all[2];
	size_t count = fake_waves(device, all, 2);

	for (size_t i = 0; i < count; i++)
		fake_end(device, all[i]);
	listener->program_ended(listener->opaque, true);
	return WT_DEVICE_IDLE;
}

static void run_to_the_end(void)
{
	for (size_t i = 0; i < 2; i++)
		assert_success(amd_dbgapi_wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
						      AMD_DBGAPI_EXCEPTION_NONE));
	fake_next_run = end_program;
	client_expect_none(process);
}

/* Then there are no agents that could watch, or be precise. The process is asked before the arguments are looked at. */
static void test_program_ends(void **state)
{
	amd_dbgapi_watchpoint_id_t id = {99};

	(void)state;
	assert_success(amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_NONE));
	run_to_the_end();
	assert_status(
		amd_dbgapi_set_watchpoint(process, 0x1000, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL, &id),
		STATUS(NOT_SUPPORTED));
	assert_status(
		amd_dbgapi_set_watchpoint(process, 0x1000, 0, AMD_DBGAPI_WATCHPOINT_KIND_ALL, NULL),
		STATUS(NOT_SUPPORTED));
	assert_int_equal(id.handle, 99);
	assert_status(amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE),
		      STATUS(NOT_SUPPORTED));
	assert_success(amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_NONE));
}

/* As AMD's library, which compares before it asks what the agents can. */
static void test_precise_to_the_end(void **state)
{
	(void)state;
	assert_success(
		amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	run_to_the_end();
	assert_success(
		amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	assert_status(amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_NONE),
		      STATUS(NOT_SUPPORTED));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)
	const struct CMUnitTest tests[] = {
		TEST(test_ranges),	   TEST(test_registers_are_used_again),
		TEST(test_no_buffer_left), TEST(test_buffer_is_shared_and_freed),
		TEST(test_in_place),	   TEST(test_wave_ends),
		TEST(test_program_ends),   TEST(test_precise_to_the_end),
	};

	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
