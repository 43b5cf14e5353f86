/* SPDX-License-Identifier: MIT */
/*
 * emulator WORKLOAD.json...: how fast the simulated GPU executes each workload without a debugger, as JSON:
 * instructions of waves, seconds of processor time, and millions per second.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/device.h"
#include "gfx/wave/wave.h"

static void count(void *opaque, struct wt_device_wave *wave, bool stepping)
{
	(void)stepping;
	*(uint64_t *)opaque += wave->gfx->instruction_count;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct wt_error *measure(const char *path, const char *separator)
{
	uint64_t instructions = 0;
	struct wt_device_listener listener = {.opaque = &instructions, .wave_terminated = count};
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	enum wt_device_progress progress;
	struct wt_device *device;
	struct wt_error *error;
	double start, taken;

	error = wt_simulated_create(path, &device);
	if (error)
		return error;
	device->operations->set_listener(device, &listener);
	start = seconds();
	do
		progress = device->operations->run(device, UINT64_MAX);
	while (progress == WT_DEVICE_RUNNING);
	taken = seconds() - start;
	printf("%s\"%s\": {\"instructions\": %llu, \"seconds\": %.3f, \"millions_per_second\": "
	       "%.1f, \"ended\": %s}",
	       separator, name, (unsigned long long)instructions, taken,
	       (double)instructions / taken * 1e-6, progress == WT_DEVICE_IDLE ? "true" : "false");
	device->operations->destroy(device);
	return NULL;
}

int main(int argc, char **argv)
{
	struct wt_error *error = NULL;

	putchar('{');
	for (int i = 1; i < argc && !error; i++)
		error = measure(argv[i], i > 1 ? ", " : "");
	puts("}");
	if (!error)
		return 0;
	fprintf(stderr, "emulator: %s: %s: %s\n", error->what, error->where, error->why);
	wt_error_destroy(error);
	return 1;
}
