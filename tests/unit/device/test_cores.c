/* SPDX-License-Identifier: MIT */
/*
 * Workgroups on several cores: everything that can be seen of a device, at any moment at which a run returns, is what it is on
 * one. Every workload is run on one core and on several, with budgets from a few instructions to all; what the listener hears,
 * in its order, and the registers, local, private and global memory at each return must be the same.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/machine/windows.h"
#include "tests/unit/device/support.h"
#include "tests/unit/share.h"

#define MAX_WAVES 256
#define MAX_RUNS 4000
#define CORES 4
#define MAX_LOOKS 6

struct seen {
	struct wt_device *device;
	struct wt_device_wave *waves[MAX_WAVES];
	size_t count;
	unsigned int cores;
	unsigned int looks; /* that are left while it runs */
	uint64_t digest, stops;
};

struct totals {
	uint64_t workloads, kept, lost, stops;
};

static void mix(struct seen *seen, const void *bytes, size_t size)
{
	const uint8_t *data = bytes;
	uint64_t word;

	for (; size >= sizeof(word); data += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		seen->digest = (seen->digest ^ word) * UINT64_C(0x100000001b3);
		seen->digest ^= seen->digest >> 29;
	}
	for (; size; data++, size--)
		seen->digest = (seen->digest ^ *data) * UINT64_C(0x100000001b3);
}

static void mix_number(struct seen *seen, uint64_t number)
{
	mix(seen, &number, sizeof(number));
}

static void mix_wave(struct seen *seen, const struct wt_device_wave *wave)
{
	const struct gfx_wave *gfx = wave->gfx;

	mix_number(seen, wave->number);
	mix_number(seen, wave->state);
	mix_number(seen, wave->stop_reasons);
	mix_number(seen, gfx->pc);
	mix_number(seen, gfx->exec);
	mix_number(seen, gfx->vcc);
	mix_number(seen, gfx->m0);
	mix_number(seen, gfx->status);
	mix_number(seen, gfx->mode);
	mix_number(seen, gfx->trapsts);
	mix_number(seen, gfx->instruction_count);
	mix(seen, gfx->sgprs, sizeof(gfx->sgprs));
	mix(seen, gfx->ttmps, sizeof(gfx->ttmps));
	mix(seen, gfx->vgprs, (size_t)gfx->vgpr_count * gfx->lane_count * sizeof(uint32_t));
	mix(seen, gfx->agprs, (size_t)gfx->agpr_count * gfx->lane_count * sizeof(uint32_t));
	mix(seen, gfx->scratch, gfx->scratch ? gfx->scratch_size : 0);
}

/* The local memory of a workgroup is ahead while others end waves; at each return it is what it should be. */
static void mix_local(struct seen *seen, const struct wt_device_wave *wave)
{
	mix(seen, wave->gfx->lds, wave->gfx->lds_size);
}

static void on_dispatch(void *opaque, struct wt_device_dispatch *dispatch)
{
	mix_number(opaque, 1000 + dispatch->number);
}

static void on_workgroup(void *opaque, struct wt_device_workgroup *workgroup)
{
	mix_number(opaque, 2000000 + workgroup->number);
	mix(opaque, workgroup->coordinates, sizeof(workgroup->coordinates));
}

static void on_created(void *opaque, struct wt_device_wave *wave)
{
	struct seen *seen = opaque;

	assert_true(seen->count < MAX_WAVES);
	seen->waves[seen->count++] = wave;
	mix_wave(seen, wave);
}

/* Everything that a debugger can see. Memory first: who asks for it gets the waves as they are, too. */
static void look(struct seen *seen)
{
	uint64_t address, size;

	for (size_t i = 0; seen->device->operations->memory_range(seen->device, i, &address, &size);
	     i++) {
		uint8_t *bytes = malloc(size);

		assert_non_null(bytes);
		assert_int_equal(
			seen->device->operations->read_memory(seen->device, address, bytes, size),
			size);
		mix(seen, bytes, size);
		free(bytes);
	}
	for (size_t i = 0; i < seen->count; i++) {
		mix_wave(seen, seen->waves[i]);
		mix_local(seen, seen->waves[i]);
	}
}

static void remove_wave(struct seen *seen, const struct wt_device_wave *wave)
{
	size_t i = 0;

	while (i < seen->count && seen->waves[i] != wave)
		i++;
	assert_true(i < seen->count);
	memmove(&seen->waves[i], &seen->waves[i + 1],
		(seen->count - i - 1) * sizeof(struct wt_device_wave *));
	seen->count--;
}

/* Between the turns of two waves, at some of which the listener looks. */
static void on_terminated(void *opaque, struct wt_device_wave *wave, bool stepping)
{
	struct seen *seen = opaque;

	assert_false(stepping);
	mix_wave(seen, wave);
	remove_wave(seen, wave);
	if (!seen->looks || wave->number % 3)
		return;
	seen->looks--;
	look(seen);
}

static void on_stopped(void *opaque, struct wt_device_wave *wave)
{
	struct seen *seen = opaque;

	seen->stops++;
	mix_wave(seen, wave);
	mix_local(seen, wave);
}

/* Windows however short, from now on. */
static void set_cores(const struct seen *seen)
{
	assert_true(wt_simulated_set_cores(seen->device, seen->cores));
	if (seen->cores > 1)
		((struct wt_machine *)seen->device)->windows->eager = true;
}

/* A trap or a fault of its own ends a run; one more shows where the others go from there. */
static void run(struct seen *seen, uint64_t budget)
{
	enum wt_device_progress progress = WT_DEVICE_RUNNING;

	for (int runs = 0; runs < MAX_RUNS; runs++) {
		progress = seen->device->operations->run(seen->device, budget);
		mix_number(seen, progress);
		/* What is known of the cores before is then of no use. */
		if (runs == 1)
			set_cores(seen);
		/* Looking takes longer than running. */
		if (progress != WT_DEVICE_RUNNING || runs < 4 || runs % 64 == 0)
			look(seen);
		if (progress == WT_DEVICE_IDLE || progress == WT_DEVICE_BLOCKED)
			return;
	}
}

static uint64_t digest_of(const char *path, unsigned int cores, uint64_t budget, unsigned int looks,
			  struct totals *totals)
{
	struct seen seen = {.cores = cores, .looks = looks, .digest = 1};
	const struct wt_device_listener listener = {
		.opaque = &seen,
		.dispatch_created = on_dispatch,
		.dispatch_ended = on_dispatch,
		.workgroup_created = on_workgroup,
		.workgroup_ended = on_workgroup,
		.wave_created = on_created,
		.wave_stopped = on_stopped,
		.wave_terminated = on_terminated,
	};
	uint64_t lost;

	assert_null(wt_simulated_create(path, &seen.device));
	set_cores(&seen);
	seen.device->operations->set_listener(seen.device, &listener);
	run(&seen, budget);
	totals->kept += wt_simulated_windows(seen.device, &lost);
	totals->lost += lost;
	totals->stops += seen.stops;
	seen.device->operations->destroy(seen.device);
	return seen.digest;
}

static void compare(const char *path, struct totals *totals)
{
	static const struct {
		uint64_t budget;
		unsigned int looks;
	} ways[] = {{UINT64_MAX, 0}, {UINT64_MAX, MAX_LOOKS}, {3000, 0}, {170, 0}};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (digest_of(path, 1, ways[i].budget, ways[i].looks, totals) !=
		    digest_of(path, CORES, ways[i].budget, ways[i].looks, totals))
			fail_msg("%s: not the same on %d cores with runs of %llu instructions, "
				 "and %u looks meanwhile",
				 path, CORES, (unsigned long long)ways[i].budget, ways[i].looks);
	totals->workloads++;
}

static void test_workloads(void **state)
{
	DIR *directory = opendir(support_kernels);
	struct totals totals = {.workloads = 0};
	struct dirent *entry;
	unsigned int number = 0;

	(void)state;
	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);
		char path[512];

		if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0 ||
		    strncmp(entry->d_name, "bad-", 4) == 0 || number++ % test_share() != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", support_kernels, entry->d_name);
		compare(path, &totals);
	}
	closedir(directory);
	print_message("%llu workloads the same; windows: %llu kept, %llu lost; %llu stops\n",
		      (unsigned long long)totals.workloads, (unsigned long long)totals.kept,
		      (unsigned long long)totals.lost, (unsigned long long)totals.stops);
	assert_true(totals.workloads > 10);
	assert_true(totals.kept > totals.workloads);
	assert_true(totals.lost > 0);
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run_all);
}
