/* SPDX-License-Identifier: MIT */
/* Processes that AMD's kernel driver serves: they run by themselves. */
#include "base/cleanup.h"
#include "dbgapi/kfd/kfd.h"
#include "dbgapi/simulated/internal.h"

static size_t live_transfer(void *opaque, uint64_t address, void *to, const void *from, size_t size)
{
	struct wt_api_process *process = opaque;
	amd_dbgapi_size_t done = size;

	process->transferred = wt_provider.client.callbacks.xfer_global_memory(
		process->client, address, &done, to, from);
	if (process->transferred != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return done < size ? done : size;
}

static size_t read_client(void *opaque, uint64_t address, void *data, size_t size)
{
	return live_transfer(opaque, address, data, NULL, size);
}

static size_t write_client(void *opaque, uint64_t address, const void *data, size_t size)
{
	return live_transfer(opaque, address, NULL, data, size);
}

/* The driver's refusals are restrictions; failures that nobody can expect of it are fatal. */
amd_dbgapi_status_t wt_live_open(struct wt_api_process *process)
{
	const struct wt_kfd_target target = {
		.process = (uint32_t)process->os_id,
		.notifier = process->notifier[1],
		.memory = {.opaque = process, .read = read_client, .write = write_client},
	};
	wt_cleanup_error struct wt_error *error = wt_kfd_attach(&target, &process->device);

	if (!error)
		return AMD_DBGAPI_STATUS_SUCCESS;
	wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, error);
	return error->code == WT_ERROR_UNSUPPORTED || error->code == WT_ERROR_NOT_FOUND
		       ? AMD_DBGAPI_STATUS_ERROR_RESTRICTION
		       : AMD_DBGAPI_STATUS_FATAL;
}

bool wt_live_is_possible(void)
{
	return wt_kfd_is_there();
}

void wt_live_look(struct wt_api_process *process, enum wt_object kind)
{
	struct wt_device *device = process->device;
	bool waves =
		kind == WT_OBJECT_DISPATCH || kind == WT_OBJECT_WORKGROUP || kind == WT_OBJECT_WAVE;

	if (device->live && (waves || kind == WT_OBJECT_QUEUE))
		device->live->look(device, waves);
}

void wt_live_set_progress(struct wt_api_process *process, amd_dbgapi_progress_t progress)
{
	struct wt_device *device = process->device;

	if (!device->live || progress == process->progress)
		return;
	device->live->keep(device, progress == AMD_DBGAPI_PROGRESS_NO_FORWARD);
}

void wt_live_leave(struct wt_api_process *process)
{
	struct wt_api_wave *wave = NULL;

	if (!process->device->live)
		return;
	while ((wave = wt_next(process, WT_OBJECT_WAVE, wave))) {
		if (wave->displaced && wave->displaced->to && wt_wave_is_stopped(wave))
			wave->device->gfx->pc += wave->displaced->from - wave->displaced->to;
		if (wave->displaced)
			wt_wave_written(wave);
		wt_displaced_release(wave);
	}
	wt_breakpoint_remove(process);
}

struct wt_api_process *wt_live_catch(amd_dbgapi_wave_id_t id)
{
	const struct wt_api_wave *wave = wt_wave_find(id);
	struct wt_api_process *process = wave ? wave->entry.process : NULL;

	if (!process || !process->device->live || wt_wave_is_stopped(wave))
		return NULL;
	process->device->live->hold(process->device, wave->device);
	process->device->live->look(process->device, true);
	return process;
}

void wt_live_release(struct wt_api_process *process)
{
	if (process)
		process->device->live->let_go(process->device);
}

void wt_wave_written(struct wt_api_wave *wave)
{
	struct wt_device *device = wave->entry.process->device;

	if (device->live)
		device->live->wave_written(device, wave->device);
}

bool wt_live_has_failed(struct wt_api_process *process)
{
	bool failed = process->device->failed;

	process->device->failed = false;
	return failed;
}

amd_dbgapi_status_t wt_live_status(struct wt_api_process *process, amd_dbgapi_status_t status)
{
	return wt_live_has_failed(process) ? AMD_DBGAPI_STATUS_FATAL : status;
}
