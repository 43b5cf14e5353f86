/* SPDX-License-Identifier: MIT */
/* Any bytes as a core file of a GPU: program headers, notes, the core-state note, and what it leads to in memory. */
#include <string.h>

#include "dbgapi/core/core.h"
#include "fuzz.h"
#include "recorder/agent/core-file.h"

#define WAVES 256u

/* What the device tells. */
struct told {
	struct wt_device_wave *waves[WAVES];
	size_t wave_count, stopped;
};

static void dispatch_created(void *opaque, struct wt_device_dispatch *dispatch)
{
	(void)opaque;
	FUZZ_CHECK(dispatch->queue);
}

static void workgroup_created(void *opaque, struct wt_device_workgroup *workgroup)
{
	(void)opaque;
	FUZZ_CHECK(workgroup->dispatch);
}

static void wave_created(void *opaque, struct wt_device_wave *wave)
{
	struct told *told = opaque;

	FUZZ_CHECK(wave->workgroup && wave->gfx);
	if (told->wave_count < WAVES)
		told->waves[told->wave_count++] = wave;
}

static void wave_stopped(void *opaque, struct wt_device_wave *wave)
{
	struct told *told = opaque;

	FUZZ_CHECK(wave->state == WT_WAVE_STOPPED);
	told->stopped++;
}

static void message(void *opaque, bool warning, const char *text)
{
	(void)opaque;
	FUZZ_CHECK(warning && *text);
}

static size_t read_memory(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_core_file_read(opaque, address, data, size);
}

/* Every byte that was loaded is there. */
static void read_wave(struct wt_device *device, struct wt_device_wave *wave)
{
	const struct gfx_wave *gfx = wave->gfx;
	volatile uint32_t sum = 0;

	if (!device->operations->load_wave(device, wave))
		return;
	fuzz_reached++;
	for (uint32_t i = 0; i < gfx->sgpr_count; i++)
		sum += gfx->sgprs[i];
	for (uint32_t i = 0; wave->workgroup->lds && i < wave->workgroup->lds_size; i++)
		sum += wave->workgroup->lds[i];
}

static void run(struct wt_device *device)
{
	struct told told = {0};
	const struct wt_device_listener listener = {
		.opaque = &told,
		.dispatch_created = dispatch_created,
		.workgroup_created = workgroup_created,
		.wave_created = wave_created,
		.wave_stopped = wave_stopped,
		.message = message,
	};
	const struct wt_device_operations *operations = device->operations;

	operations->set_listener(device, &listener);
	FUZZ_CHECK(operations->run(device, 1) != WT_DEVICE_RUNNING);
	for (size_t i = 0; i < told.wave_count; i++)
		read_wave(device, told.waves[i]);
	for (size_t i = 0; i < operations->code_object_count(device); i++)
		FUZZ_CHECK(operations->code_object(device, i)->uri);
}

static void open_device(struct wt_core_file *file)
{
	const struct wt_memory_view memory = {.opaque = file, .read = read_memory};
	struct wt_device *device;
	struct wt_core_note note;
	struct wt_error *error;
	const void *data;
	size_t size;

	data = wt_core_file_note(file, &size);
	error = wt_core_note_parse(data, size, &note);
	if (error) {
		wt_error_destroy(error);
		return;
	}
	error = wt_core_create(&note, &memory, &device);
	if (error) {
		wt_core_note_deinit(&note);
		wt_error_destroy(error);
		return;
	}
	run(device);
	device->operations->destroy(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_core_file *file;
	struct wt_error *error =
		wt_core_file_open(fuzz_file(data, size), NULL, "/tmp", NULL, NULL, &file);

	if (error) {
		wt_error_destroy(error);
		return 0;
	}
	FUZZ_CHECK(wt_core_file_facts(file)->size == size);
	open_device(file);
	wt_core_file_close(file);
	return 0;
}
