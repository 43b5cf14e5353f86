/* SPDX-License-Identifier: MIT */
/* Memory in every address space, and the order of its checks. */
#include "client.h"

#include <string.h>

#include "fake-device.h"

#define GLOBAL AMD_DBGAPI_ADDRESS_SPACE_GLOBAL
#define NO_WAVE AMD_DBGAPI_WAVE_NONE
#define NO_LANE AMD_DBGAPI_LANE_NONE

static amd_dbgapi_process_id_t process;
static amd_dbgapi_wave_id_t wave, running;
static struct wt_device_wave *device_wave;
static amd_dbgapi_address_space_id_t generic, local, private_lane, private_wave;

static enum wt_device_progress launch_two(struct fake_device *device)
{
	struct wt_device_wave *waves[2];

	fake_launch(device, 2, waves);
	device_wave = waves[0];
	return WT_DEVICE_RUNNING;
}

static amd_dbgapi_address_space_id_t space_of(enum gfx_space space)
{
	return (amd_dbgapi_address_space_id_t){
		gfx_address_space_of(gfx_architecture_by_name("gfx942"), space)->id};
}

static int start(void **state)
{
	amd_dbgapi_wave_id_t waves[2];

	(void)state;
	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
	client_start();
	process = client_attach_ready(1);
	fake_next_run = launch_two;
	client_expect_none(process);
	client_waves(process, waves, 2);
	wave = waves[0];
	running = waves[1];
	assert_success(amd_dbgapi_wave_stop(wave));
	client_take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	generic = space_of(GFX_SPACE_GENERIC);
	local = space_of(GFX_SPACE_LOCAL);
	private_lane = space_of(GFX_SPACE_PRIVATE_LANE);
	private_wave = space_of(GFX_SPACE_PRIVATE_WAVE);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	return amd_dbgapi_finalize() == SUCCESS ? 0 : -1;
}

/* Read: how many bytes came, or a negative status. */
static int64_t get(amd_dbgapi_wave_id_t of, uint32_t lane, amd_dbgapi_address_space_id_t space,
		   uint64_t address, size_t size, void *data)
{
	amd_dbgapi_size_t transferred = size;
	amd_dbgapi_status_t status =
		amd_dbgapi_read_memory(process, of, lane, space, address, &transferred, data);

	if (status == STATUS(MEMORY_ACCESS))
		assert_int_equal(transferred, 0);
	else if (status != SUCCESS)
		assert_int_equal(transferred, size);
	return status == SUCCESS ? (int64_t)transferred : status;
}

static int64_t put(amd_dbgapi_wave_id_t of, uint32_t lane, amd_dbgapi_address_space_id_t space,
		   uint64_t address, size_t size, const void *data)
{
	amd_dbgapi_size_t transferred = size;
	amd_dbgapi_status_t status =
		amd_dbgapi_write_memory(process, of, lane, space, address, &transferred, data);

	return status == SUCCESS ? (int64_t)transferred : status;
}

static void test_global(void **state)
{
	uint8_t bytes[16], two[2] = {0xaa, 0xbb};

	(void)state;
	assert_int_equal(get(NO_WAVE, NO_LANE, GLOBAL, FAKE_MEMORY + 256, 16, bytes), 16);
	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(bytes[i], (uint8_t)((256 + i) * 7 + 1));
	assert_int_equal(put(NO_WAVE, NO_LANE, GLOBAL, FAKE_MEMORY + 257, 2, two), 2);
	assert_int_equal(get(wave, 0, GLOBAL, FAKE_MEMORY + 257, 2, bytes), 2);
	assert_memory_equal(bytes, two, 2);
	/* in part is as good as whole */
	assert_int_equal(
		get(NO_WAVE, NO_LANE, GLOBAL, FAKE_MEMORY + FAKE_MEMORY_SIZE - 5, 16, bytes), 5);
	assert_int_equal(put(NO_WAVE, NO_LANE, GLOBAL, FAKE_MEMORY + FAKE_MEMORY_SIZE - 1, 2, two),
			 1);
	assert_int_equal(get(NO_WAVE, NO_LANE, GLOBAL, FAKE_MEMORY - 1, 16, bytes),
			 STATUS(MEMORY_ACCESS));
	assert_int_equal(put(NO_WAVE, NO_LANE, GLOBAL, 0, 2, two), STATUS(MEMORY_ACCESS));
	assert_int_equal(get(NO_WAVE, NO_LANE, GLOBAL, 0, 0, bytes), 0);
}

static void test_local(void **state)
{
	uint8_t bytes[16], *lds = device_wave->gfx->lds;

	(void)state;
	for (unsigned int i = 0; i < FAKE_LDS_SIZE; i++)
		lds[i] = (uint8_t)i;
	assert_int_equal(get(wave, NO_LANE, local, 16, 16, bytes), 16);
	assert_memory_equal(bytes, lds + 16, 16);
	assert_int_equal(get(wave, NO_LANE, local, FAKE_LDS_SIZE - 3, 16, bytes), 3);
	assert_int_equal(get(wave, NO_LANE, local, FAKE_LDS_SIZE, 1, bytes), STATUS(MEMORY_ACCESS));
	assert_int_equal(get(wave, NO_LANE, local, UINT32_MAX, 1, bytes), STATUS(MEMORY_ACCESS));
	assert_int_equal(put(wave, 3, local, 4, 2, "xy"), 2);
	assert_memory_equal(lds + 4, "xy", 2);
}

/* Byte a of lane l is at (a / 4) * 256 + l * 4 + a % 4 of the wave's. */
static void test_private(void **state)
{
	uint8_t bytes[64], *scratch = device_wave->gfx->scratch;

	(void)state;
	for (unsigned int i = 0; i < FAKE_LANES * FAKE_LANE_BYTES; i++)
		scratch[i] = (uint8_t)(i * 31 >> 3);
	assert_int_equal(get(wave, 5, private_lane, 3, 10, bytes), 10);
	for (unsigned int i = 0; i < 10; i++)
		assert_int_equal(bytes[i], scratch[(3 + i) / 4 * 256 + 5 * 4 + (3 + i) % 4]);
	assert_int_equal(get(wave, 63, private_lane, 30, 10, bytes), 2);
	assert_int_equal(bytes[1], scratch[FAKE_LANES * FAKE_LANE_BYTES - 1]);
	assert_int_equal(get(wave, 0, private_lane, 32, 1, bytes), STATUS(MEMORY_ACCESS));
	assert_int_equal(put(wave, 7, private_lane, 6, 4, "abcd"), 4);
	assert_memory_equal(scratch + 256 + 7 * 4 + 2, "ab", 2);
	assert_memory_equal(scratch + 512 + 7 * 4, "cd", 2);
	assert_int_equal(get(wave, NO_LANE, private_wave, 256 + 7 * 4 + 2, 2, bytes), 2);
	assert_memory_equal(bytes, "ab", 2);
	assert_int_equal(
		get(wave, NO_LANE, private_wave, FAKE_LANES * FAKE_LANE_BYTES - 1, 4, bytes), 1);
	/* the NULL address answers at once */
	assert_int_equal(get(wave, 0, private_lane, UINT32_MAX, 4, bytes), STATUS(MEMORY_ACCESS));
	assert_int_equal(get(wave, 0, private_wave, UINT32_MAX, 4, bytes), STATUS(MEMORY_ACCESS));
}

static void test_generic(void **state)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx942");
	uint8_t bytes[8];

	(void)state;
	assert_int_equal(put(wave, 2, private_lane, 8, 4, "priv"), 4);
	assert_int_equal(put(wave, 2, local, 8, 4, "locl"), 4);
	assert_int_equal(get(wave, 2, generic, architecture->private_aperture + 8, 4, bytes), 4);
	assert_memory_equal(bytes, "priv", 4);
	assert_int_equal(get(wave, NO_LANE, generic, architecture->local_aperture + 8, 4, bytes),
			 4);
	assert_memory_equal(bytes, "locl", 4);
	assert_int_equal(put(wave, 2, generic, FAKE_MEMORY, 4, "glob"), 4);
	assert_int_equal(get(NO_WAVE, NO_LANE, GLOBAL, FAKE_MEMORY, 4, bytes), 4);
	assert_memory_equal(bytes, "glob", 4);
	assert_int_equal(get(wave, NO_LANE, generic, architecture->private_aperture, 4, bytes),
			 STATUS(INVALID_LANE_ID));
}

static void test_order_of_checks(void **state)
{
	amd_dbgapi_address_space_id_t no_space = {9999};
	amd_dbgapi_process_id_t other, nobody = {99};
	amd_dbgapi_size_t size = 4;
	uint8_t bytes[4] = {1, 2, 3, 4};

	(void)state;
	assert_status(amd_dbgapi_read_memory(nobody, NO_WAVE, NO_LANE, no_space, 0, NULL, NULL),
		      STATUS(INVALID_PROCESS_ID));
	assert_status(amd_dbgapi_read_memory(process, NO_WAVE, NO_LANE, no_space, 0, &size, NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_read_memory(process, NO_WAVE, NO_LANE, no_space, 0, NULL, bytes),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_write_memory(process, NO_WAVE, NO_LANE, no_space, 0, &size, NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_int_equal(get((amd_dbgapi_wave_id_t){99}, 77, no_space, 0, 4, bytes),
			 STATUS(INVALID_ADDRESS_SPACE_ID));
	assert_int_equal(get((amd_dbgapi_wave_id_t){99}, 77, local, 0, 4, bytes),
			 STATUS(INVALID_WAVE_ID));
	assert_int_equal(get(NO_WAVE, 0, GLOBAL, FAKE_MEMORY, 4, bytes), STATUS(INVALID_LANE_ID));
	assert_int_equal(get(running, 77, GLOBAL, FAKE_MEMORY, 4, bytes), STATUS(WAVE_NOT_STOPPED));
	assert_int_equal(get(wave, 64, GLOBAL, FAKE_MEMORY, 4, bytes), STATUS(INVALID_LANE_ID));
	assert_int_equal(get(NO_WAVE, NO_LANE, local, 0, 4, bytes), STATUS(INVALID_WAVE_ID));
	assert_int_equal(get(wave, NO_LANE, private_lane, 0, 4, bytes), STATUS(INVALID_LANE_ID));
	no_space.handle =
		gfx_address_space_of(gfx_architecture_by_name("gfx90a"), GFX_SPACE_LOCAL)->id;
	assert_int_equal(get(wave, 64, no_space, 0, 4, bytes),
			 STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	other = client_attach(2);
	assert_status(amd_dbgapi_read_memory(other, wave, 0, GLOBAL, FAKE_MEMORY, &size, bytes),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_memory_equal(bytes, "\1\2\3\4", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_global, start, finish),
		cmocka_unit_test_setup_teardown(test_local, start, finish),
		cmocka_unit_test_setup_teardown(test_private, start, finish),
		cmocka_unit_test_setup_teardown(test_generic, start, finish),
		cmocka_unit_test_setup_teardown(test_order_of_checks, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
