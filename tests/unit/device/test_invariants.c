/* SPDX-License-Identifier: MIT */
/*
 * What a program leaves in memory does not depend on how its waves are stopped, stepped and ordered:
 * every workload that ends by itself, on both targets, is run
 *   - freely,
 *   - with every wave stepped from its first instruction to its last,
 *   - stopped at random places, some waves or all, and going on,
 *   - one wave at a time, each until it ends or waits for others,
 * and its buffers must be the same each time.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd-dbgapi/amd-dbgapi.h"
#include "device/device.h"
#include "device/workload/workload.h"
#include "tests/unit/device/support.h"
#include "tests/unit/share.h"

#define MAX_WAVES 256
/* More than any of the workloads needs. */
#define MAX_RUNS 2000000

enum manner {
	FREELY,
	STEPPING,
	STOPPING,
	ONE_BY_ONE,
};

struct session {
	struct wt_device *device;
	enum manner manner;
	struct wt_device_wave *waves[MAX_WAVES];
	size_t count;
	uint64_t random, created, stops;
	bool stopped_itself; /* a trap or a fault: not a workload for these comparisons */
};

static const struct wt_device_operations *operations(const struct session *session)
{
	return session->device->operations;
}

static uint32_t next_random(struct session *session)
{
	session->random = session->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(session->random >> 33);
}

static void on_created(void *opaque, struct wt_device_wave *wave)
{
	struct session *session = opaque;

	assert_true(session->count < MAX_WAVES);
	session->waves[session->count++] = wave;
	session->created++;
	if (session->manner == FREELY || session->manner == STOPPING)
		return;
	operations(session)->wave_halt(session->device, wave);
	if (session->manner == STEPPING)
		operations(session)->wave_resume(session->device, wave, true);
}

static void on_terminated(void *opaque, struct wt_device_wave *wave, bool stepping)
{
	struct session *session = opaque;

	(void)stepping;
	for (size_t i = 0; i < session->count; i++) {
		if (session->waves[i] != wave)
			continue;
		memmove(&session->waves[i], &session->waves[i + 1],
			(session->count - i - 1) * sizeof(wave));
		session->count--;
		return;
	}
	fail_msg("a wave ended that had not begun");
}

static void on_stopped(void *opaque, struct wt_device_wave *wave)
{
	struct session *session = opaque;

	session->stops++;
	if (session->manner == STEPPING &&
	    wave->stop_reasons == AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP)
		operations(session)->wave_resume(session->device, wave, true);
	else
		session->stopped_itself = true;
}

/* Halt some of the waves, all now and then, and let them go on: as if nothing had been. */
static void disturb(struct session *session)
{
	bool all = next_random(session) % 4 == 0;

	for (size_t i = 0; i < session->count; i++) {
		if (!all && next_random(session) % 2)
			continue;
		operations(session)->wave_halt(session->device, session->waves[i]);
		session->stops++;
	}
	for (size_t i = 0; i < session->count; i++)
		operations(session)->wave_resume(session->device, session->waves[i], false);
}

/* Another wave's turn: all others stand. */
static void choose(struct session *session, size_t turn)
{
	for (size_t i = 0; i < session->count; i++)
		operations(session)->wave_halt(session->device, session->waves[i]);
	session->stops += session->count;
	if (session->count)
		operations(session)->wave_resume(session->device,
						 session->waves[turn % session->count], false);
}

static void run(struct session *session)
{
	enum wt_device_progress progress = WT_DEVICE_RUNNING;
	size_t turn = 0, runs = 0;

	while (progress != WT_DEVICE_IDLE && !session->stopped_itself) {
		uint64_t budget = session->manner == STOPPING	? 1 + next_random(session) % 300
				  : session->manner == STEPPING ? 1000
								: UINT64_MAX;

		assert_true(runs++ < MAX_RUNS);
		progress = operations(session)->run(session->device, budget);
		if (session->manner == STOPPING)
			disturb(session);
		else if (session->manner == ONE_BY_ONE && progress == WT_DEVICE_BLOCKED)
			choose(session, turn++);
		else
			assert_true(session->manner == STEPPING || progress != WT_DEVICE_BLOCKED);
	}
}

/* The buffers, one behind the other. */
static uint8_t *read_buffers(const struct session *session, const struct wt_workload *workload,
			     size_t *size_ret)
{
	uint8_t *bytes = NULL;
	size_t size = 0;

	for (size_t i = 0; i < workload->buffer_count; i++) {
		uint64_t address, length;

		assert_true(wt_simulated_buffer(session->device, workload->buffers[i].name,
						&address, &length));
		bytes = realloc(bytes, size + length);
		assert_non_null(bytes);
		assert_int_equal(operations(session)->read_memory(session->device, address,
								  bytes + size, length),
				 length);
		size += length;
	}
	*size_ret = size;
	return bytes;
}

/* The buffers after a run in this manner; NULL if a wave stopped by itself. */
static uint8_t *result_of(const char *path, enum manner manner, size_t *size_ret,
			  uint64_t *stops_ret)
{
	struct session session = {.manner = manner, .random = 11};
	const struct wt_device_listener listener = {
		.opaque = &session,
		.wave_created = on_created,
		.wave_stopped = on_stopped,
		.wave_terminated = on_terminated,
	};
	struct wt_workload *workload;
	uint8_t *bytes = NULL;

	assert_null(wt_workload_create(path, &workload));
	assert_null(wt_simulated_create(path, &session.device));
	operations(&session)->set_listener(session.device, &listener);
	run(&session);
	if (!session.stopped_itself) {
		assert_int_equal(session.count, 0);
		assert_true(session.created > 0);
		bytes = read_buffers(&session, workload, size_ret);
	}
	*stops_ret = session.stops;
	operations(&session)->destroy(session.device);
	wt_workload_destroy(workload);
	return bytes;
}

/* Return: stops made, 0 if the workload stops by itself. */
static uint64_t compare(const char *path)
{
	uint64_t stops, total = 0;
	size_t size, other_size;
	uint8_t *expected = result_of(path, FREELY, &size, &stops), *bytes;

	if (!expected)
		return 0;
	for (enum manner manner = STEPPING; manner <= ONE_BY_ONE; manner++) {
		bytes = result_of(path, manner, &other_size, &stops);
		if (!bytes || other_size != size || memcmp(bytes, expected, size) != 0)
			fail_msg("%s: the buffers differ in manner %d", path, (int)manner);
		/* A short one may be over before it is stopped. */
		assert_true(stops > 0 || manner == STOPPING);
		total += stops;
		free(bytes);
	}
	free(expected);
	return total;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);

	return length >= size && strcmp(text + length - size, end) == 0;
}

/* Of which variant of its workload a file is: what stands behind the name. */
static const char *variant_of(const char *file)
{
	static const char *const variants[] = {"-gfx90a-O0.json", "-gfx90a.json", "-O0.json",
					       ".json"};

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		if (ends_with(file, variants[i]))
			return variants[i];
	return "";
}

/* A share tries a quarter of the workloads, by their names, since a directory has them in any order. */
static bool is_in_share(const char *file)
{
	uint64_t sum = 0;

	for (; *file; file++)
		sum += (unsigned char)*file;
	return test_turn_is(sum, 4);
}

static void compare_variant(const char *variant)
{
	DIR *directory = opendir(support_kernels);
	uint64_t compared = 0, left_out = 0, stops = 0;
	struct dirent *entry;

	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		char path[512];
		uint64_t made;

		if (strcmp(variant_of(entry->d_name), variant) != 0 ||
		    strncmp(entry->d_name, "bad-", 4) == 0 || !is_in_share(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", support_kernels, entry->d_name);
		made = compare(path);
		stops += made;
		compared += made > 0;
		left_out += made == 0;
	}
	closedir(directory);
	print_message("*%s: %llu workloads the same in all manners, with %llu stops; %llu stop by "
		      "themselves\n",
		      variant, (unsigned long long)compared, (unsigned long long)stops,
		      (unsigned long long)left_out);
	assert_true(compared >= (test_share() > 1 ? 8 : 30));
}

static void test_gfx942(void **state)
{
	(void)state;
	compare_variant(".json");
}

static void test_gfx90a(void **state)
{
	(void)state;
	compare_variant("-gfx90a.json");
}

static void test_gfx90a_not_optimised(void **state)
{
	(void)state;
	if (test_share_is_small())
		skip();
	compare_variant("-gfx90a-O0.json");
}

static void test_gfx942_not_optimised(void **state)
{
	(void)state;
	if (test_share_is_small())
		skip();
	compare_variant("-O0.json");
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gfx942),
		cmocka_unit_test(test_gfx90a),
		cmocka_unit_test(test_gfx90a_not_optimised),
		cmocka_unit_test(test_gfx942_not_optimised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run_all);
}
