/* SPDX-License-Identifier: MIT */
/* Waves: what they are, and how the client stops and resumes them. */

#include "base/cleanup.h"
#include "dbgapi/kfd/kfd.h"
#include "dbgapi/simulated/internal.h"
#include "device/trap-handler.h"

/* Processes that AMD's kernel driver serves: they run by themselves. */

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

/*
 * Keep the process of a wave that seems to run where it is, so that the wave is found only if it is still there.
 *
 * Return: the process, for live_release(); NULL if there is nothing to be kept.
 */
static struct wt_api_process *live_catch(amd_dbgapi_wave_id_t id)
{
	const struct wt_api_wave *wave = wt_wave_find(id);
	struct wt_api_process *process = wave ? wave->entry.process : NULL;

	if (!process || !process->device->live || wt_wave_is_stopped(wave))
		return NULL;
	process->device->live->hold(process->device, wave->device);
	process->device->live->look(process->device, true);
	return process;
}

static void live_release(struct wt_api_process *process)
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

#define KNOWN_EXCEPTIONS                                                                           \
	((uint32_t)AMD_DBGAPI_EXCEPTION_WAVE_ABORT | AMD_DBGAPI_EXCEPTION_WAVE_TRAP |              \
	 AMD_DBGAPI_EXCEPTION_WAVE_MATH_ERROR | AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION |    \
	 AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION | AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR)

/*
 * A stop becomes visible when its event is fetched, not when it happens: a debugger that finds a
 * wave stopped before it was told would wait for an event that it takes for another one.
 */
amd_dbgapi_wave_state_t wt_wave_state(const struct wt_api_wave *wave)
{
	switch (wave->device->state) {
	case WT_WAVE_RUNNING:
		return AMD_DBGAPI_WAVE_STATE_RUN;
	case WT_WAVE_STEPPING:
		return AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	case WT_WAVE_STOPPED:
		break;
	}
	if (!wave->stop || wave->stop->reported)
		return AMD_DBGAPI_WAVE_STATE_STOP;
	return wave->device->stop_reasons & AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP
		       ? AMD_DBGAPI_WAVE_STATE_SINGLE_STEP
		       : AMD_DBGAPI_WAVE_STATE_RUN;
}

amd_dbgapi_status_t amd_dbgapi_process_wave_list(amd_dbgapi_process_id_t process_id,
						 size_t *wave_count, amd_dbgapi_wave_id_t **waves,
						 amd_dbgapi_changed_t *changed)
{
	return wt_list(WT_OBJECT_WAVE, process_id, wave_count, waves, changed);
}

/* Which objects a wave belongs to, and where it stands in them. */
static amd_dbgapi_status_t owner_info(const struct wt_api_wave *wave, uint32_t query,
				      size_t value_size, void *value)
{
	const struct wt_api_dispatch *dispatch = wave->workgroup->dispatch;
	const uint32_t *coordinates = wave->workgroup->device->coordinates;

	/* A wave of a core may not know where it comes from. */
	if (dispatch->device->unknown && (query == AMD_DBGAPI_WAVE_INFO_DISPATCH ||
					  query == AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD ||
					  query == AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	switch (query) {
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP:
		return wt_answer_u64(value_size, value, wave->workgroup->entry.handle);
	case AMD_DBGAPI_WAVE_INFO_DISPATCH:
		return wt_answer_u64(value_size, value, dispatch->entry.handle);
	case AMD_DBGAPI_WAVE_INFO_QUEUE:
		return wt_answer_u64(value_size, value, dispatch->queue->entry.handle);
	case AMD_DBGAPI_WAVE_INFO_AGENT:
		return wt_answer_u64(value_size, value, dispatch->queue->agent->entry.handle);
	case AMD_DBGAPI_WAVE_INFO_PROCESS:
		return wt_answer_u64(value_size, value, wave->entry.process->entry.handle);
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD:
		return wt_answer(value_size, value, coordinates, 3 * sizeof(*coordinates));
	case AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP:
		return wt_answer_u32(value_size, value, wave->device->number_in_group);
	case AMD_DBGAPI_WAVE_INFO_CLUSTER:
	case AMD_DBGAPI_WAVE_INFO_CLUSTER_COORD:
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD_IN_CLUSTER:
		/* No architecture that can be simulated has clusters. */
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

amd_dbgapi_status_t amd_dbgapi_wave_get_info(amd_dbgapi_wave_id_t wave_id,
					     amd_dbgapi_wave_info_t query, size_t value_size,
					     void *value)
{
	const struct wt_query *known = wt_query_find(WT_OBJECT_WAVE, query);
	const struct wt_api_wave *wave;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave = wt_wave_find(wave_id);
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (known && known->stopped && wt_wave_state(wave) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_WAVE_INFO_STATE:
		return wt_answer_u32(value_size, value, wt_wave_state(wave));
	case AMD_DBGAPI_WAVE_INFO_STOP_REASON:
		return wt_answer_u32(value_size, value, wave->device->stop_reasons);
	case AMD_DBGAPI_WAVE_INFO_WATCHPOINTS:
		return wt_wave_watchpoints(wave, value_size, value);
	case AMD_DBGAPI_WAVE_INFO_ARCHITECTURE:
		return wt_answer_u64(value_size, value, wt_wave_architecture(wave)->id);
	case AMD_DBGAPI_WAVE_INFO_PC:
		return wt_answer_u64(value_size, value, wave->device->gfx->pc);
	case AMD_DBGAPI_WAVE_INFO_EXEC_MASK:
		return wt_answer_u64(value_size, value, wave->device->gfx->exec);
	case AMD_DBGAPI_WAVE_INFO_LANE_COUNT:
		return wt_answer_u64(value_size, value, wave->device->gfx->lane_count);
	default:
		return owner_info(wave, query, value_size, value);
	}
}

/* The wave stands still at once. One that was stepping did not get to do so: its command ended. */
static void halt(struct wt_api_wave *wave)
{
	struct wt_api_process *process = wave->entry.process;
	amd_dbgapi_event_kind_t kind = wave->device->state == WT_WAVE_STEPPING
					       ? AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
					       : AMD_DBGAPI_EVENT_KIND_WAVE_STOP;

	/* One that has stopped or ended by itself has an event of its own, which the client is to ask for. */
	if (process->device->operations->wave_halt(process->device, wave->device))
		wt_event_queue(process, kind, wave);
	else
		wt_notifier_mark(process);
}

/*
 * Waves of a core stop by themselves. One that stands has nothing to be asked for, however often; those that were saved
 * running have been asked already.
 */
static bool is_outstanding(const struct wt_api_wave *wave)
{
	const struct wt_device *device = wave->entry.process->device;

	return device->core && wt_wave_is_stopped(wave) ? !wave->device->stop_reasons
							: wave->stop_requested;
}

/* A wave that has stopped but whose event was not fetched yet answers the request with that event. */
static amd_dbgapi_status_t wave_request_stop(amd_dbgapi_wave_id_t wave_id)
{
	struct wt_api_wave *wave = wt_wave_find(wave_id);

	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (wt_wave_state(wave) == AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED;
	if (is_outstanding(wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP;
	if (wave->entry.process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (wave->entry.process->broken)
		return AMD_DBGAPI_STATUS_FATAL;
	wave->stop_requested = true;
	if (!wt_wave_is_stopped(wave))
		halt(wave);
	return wt_live_status(wave->entry.process, wave->entry.process->out_of_memory
							   ? AMD_DBGAPI_STATUS_FATAL
							   : AMD_DBGAPI_STATUS_SUCCESS);
}

amd_dbgapi_status_t amd_dbgapi_wave_stop(amd_dbgapi_wave_id_t wave_id)
{
	struct wt_api_process *process;
	amd_dbgapi_status_t status;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = live_catch(wave_id);
	status = wave_request_stop(wave_id);
	live_release(process);
	return process ? wt_live_status(process, status) : status;
}

/*
 * The wave goes on when the device runs next. An exception given with it is passed to the runtime,
 * whose answer is to fail the queue: all waves of it end, also when the device runs next.
 */
static amd_dbgapi_status_t wave_request_resume(amd_dbgapi_wave_id_t wave_id,
					       amd_dbgapi_resume_mode_t resume_mode,
					       amd_dbgapi_exceptions_t exceptions)
{
	struct wt_api_process *process;
	struct wt_api_wave *wave;
	bool step;

	wave = wt_wave_find(wave_id);
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (wave->entry.process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if ((resume_mode != AMD_DBGAPI_RESUME_MODE_NORMAL &&
	     resume_mode != AMD_DBGAPI_RESUME_MODE_SINGLE_STEP) ||
	    (uint32_t)exceptions & ~KNOWN_EXCEPTIONS)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (wt_wave_state(wave) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (wave->stop)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE;
	if (wave->displaced && resume_mode != AMD_DBGAPI_RESUME_MODE_SINGLE_STEP)
		return AMD_DBGAPI_STATUS_ERROR_RESUME_DISPLACED_STEPPING;
	process = wave->entry.process;
	if (process->broken)
		return AMD_DBGAPI_STATUS_FATAL;
	step = resume_mode == AMD_DBGAPI_RESUME_MODE_SINGLE_STEP;
	if (process->device->live && exceptions != AMD_DBGAPI_EXCEPTION_NONE) {
		process->device->live->wave_deliver(process->device, wave->device, step,
						    (uint32_t)exceptions);
		return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
	}
	process->device->operations->wave_resume(process->device, wave->device, step);
	/* A core has no runtime to be told, which AMD's library notices when the wave goes on, halted. */
	if (exceptions != AMD_DBGAPI_EXCEPTION_NONE && process->device->core) {
		wt_wave_set_halted(wave->device->gfx, true);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	if (exceptions != AMD_DBGAPI_EXCEPTION_NONE)
		wave->workgroup->dispatch->queue->aborting = true;
	wt_notifier_mark(process);
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}

amd_dbgapi_status_t amd_dbgapi_wave_resume(amd_dbgapi_wave_id_t wave_id,
					   amd_dbgapi_resume_mode_t resume_mode,
					   amd_dbgapi_exceptions_t exceptions)
{
	struct wt_api_process *process;
	amd_dbgapi_status_t status;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = live_catch(wave_id);
	status = wave_request_resume(wave_id, resume_mode, exceptions);
	live_release(process);
	return process ? wt_live_status(process, status) : status;
}
