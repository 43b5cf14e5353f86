/* SPDX-License-Identifier: MIT */
#include "recorder/agent/follow-events.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device/kfd-debug.h"

/* How long to wait for the library to have something to say before waves are asked for again. */
#define POLL_MS 20
/* Rounds of stopping waves before the agent takes what it has: new waves may keep coming. */
#define STOP_ROUNDS 64

#define WANTED_REASONS                                                                             \
	(AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT | AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT |         \
	 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP | AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP)

static struct wt_error *follow_error(const struct wt_agent_follow *follow, const char *function,
				     amd_dbgapi_status_t status)
{
	return wt_agent_client_failed(&follow->client, function, status);
}

void wt_agent_follow_deinit(struct wt_agent_follow *follow)
{
	free(follow->resumable);
	follow->resumable = NULL;
	follow->resumable_count = follow->resumable_capacity = 0;
}

bool wt_agent_wait(const struct wt_agent_follow *follow, int other, int milliseconds)
{
	struct pollfd readable[] = {{.fd = follow->notifier, .events = POLLIN},
				    {.fd = other, .events = POLLIN}};
	char mark;

	if (poll(readable, other >= 0 ? 2 : 1, milliseconds) <= 0 ||
	    !(readable[0].revents & POLLIN))
		return false;
	while (read(follow->notifier, &mark, 1) == 1)
		;
	return true;
}

static bool follow_wave_state(const struct wt_agent_follow *follow, amd_dbgapi_wave_id_t wave,
			      amd_dbgapi_wave_state_t *state_ret)
{
	uint32_t state;

	if (follow->client.api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state),
					      &state) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	*state_ret = (amd_dbgapi_wave_state_t)state;
	return true;
}

struct wt_error *wt_agent_set_progress(struct wt_agent_follow *follow,
				       amd_dbgapi_progress_t progress)
{
	bool no_forward = progress == AMD_DBGAPI_PROGRESS_NO_FORWARD;
	amd_dbgapi_status_t status;

	if (follow->no_forward == no_forward)
		return NULL;
	status = follow->client.api->process_set_progress(follow->client.process, progress);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return follow_error(follow, "amd_dbgapi_process_set_progress", status);
	follow->no_forward = no_forward;
	return NULL;
}

static struct wt_error *follow_remember_wave(struct wt_agent_follow *follow,
					     amd_dbgapi_wave_id_t wave)
{
	if (follow->resumable_count == follow->resumable_capacity) {
		size_t capacity = follow->resumable_capacity ? follow->resumable_capacity * 2 : 64;
		uint64_t *grown =
			reallocarray(follow->resumable, capacity, sizeof(*follow->resumable));

		if (!grown)
			return &wt_error_no_memory;
		follow->resumable = grown;
		follow->resumable_capacity = capacity;
	}
	follow->resumable[follow->resumable_count++] = wave.handle;
	return NULL;
}

/* Why the wave stopped, and what to do with it. */
static struct wt_error *follow_handle_stop(struct wt_agent_follow *follow,
					   amd_dbgapi_event_id_t event)
{
	const struct wt_api *api = follow->client.api;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_status_t status;
	uint32_t reasons;

	status = api->event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave), &wave);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return follow_error(follow, "amd_dbgapi_event_get_info", status);
	status = api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reasons),
				    &reasons);
	/* On a live device a wave may be gone by now. */
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		return NULL;
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return follow_error(follow, "amd_dbgapi_wave_get_info", status);
	follow->counts.wave_stops += reasons != 0;
	if (!(reasons & ~((uint32_t)WANTED_REASONS | follow->passing))) {
		if (reasons & follow->passing && follow->pass)
			follow->pass(follow, wave, reasons);
		follow->counts.debug_traps += !!(reasons & AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP);
		return follow_remember_wave(follow, wave);
	}
	if (!follow->counts.faulted_waves++)
		follow->counts.fault_wave = wave.handle;
	follow->counts.fault_reasons |= reasons;
	follow->fault = true;
	return NULL;
}

static void follow_note_runtime(struct wt_agent_follow *follow, amd_dbgapi_event_id_t event)
{
	uint32_t state;

	if (follow->client.api->event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
					       sizeof(state), &state) == AMD_DBGAPI_STATUS_SUCCESS)
		follow->runtime_state = state;
}

static struct wt_error *follow_handle_event(struct wt_agent_follow *follow,
					    amd_dbgapi_event_id_t event,
					    amd_dbgapi_event_kind_t kind)
{
	struct wt_error *error = NULL;
	amd_dbgapi_status_t status;

	if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
		error = follow_handle_stop(follow, event);
	if (kind == AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR)
		follow->fault = true;
	if (kind == AMD_DBGAPI_EVENT_KIND_RUNTIME && follow->watches_runtime)
		follow_note_runtime(follow, event);
	if (error)
		return error;
	status = follow->client.api->event_processed(event);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return follow_error(follow, "amd_dbgapi_event_processed", status);
	return NULL;
}

/* ---- What the kernel's driver says ---- */

/* The driver's number of the GPU of a node; 0 of a processor's, and of none. */
static uint32_t topology_gpu(uint32_t node)
{
	char path[96], text[16];
	ssize_t got = -1;
	int file;

	snprintf(path, sizeof(path), "/sys/class/kfd/kfd/topology/nodes/%u/gpu_id", node);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		got = read(file, text, sizeof(text) - 1);
		close(file);
	}
	if (got <= 0)
		return 0;
	text[got] = '\0';
	return (uint32_t)strtoul(text, NULL, 10);
}

/* A process has the GPUs that it began with. */
static void follow_find_gpus(struct wt_agent_follow *follow)
{
	for (uint32_t node = 0; node < WT_AGENT_NODES; node++) {
		uint32_t gpu = topology_gpu(node);

		if (gpu)
			follow->gpus[follow->gpu_count++] = gpu;
	}
}

/* The calling process is debugged by itself. */
static bool gpu_ask_fault(int kfd, uint32_t gpu, uint64_t *address_ret)
{
	struct kfd_device_memory_exception exception = {0};
	struct kfd_debug_trap args = {.pid = (uint32_t)getpid(),
				      .operation = KFD_DEBUG_QUERY_EXCEPTION,
				      .query_exception = {(uintptr_t)&exception, sizeof(exception),
							  gpu, KFD_EXCEPTION_DEVICE_MEMORY, 0}};

	if (ioctl(kfd, _IOWR(KFD_IOCTL_BASE, KFD_DEBUG, struct kfd_debug_trap), &args) < 0)
		return false;
	*address_ret = exception.address;
	return args.query_exception.size >= sizeof(exception.address);
}

static void device_fault_keep(const struct wt_agent_follow *follow,
			      const struct wt_host_device_fault *fault)
{
	struct wt_host_device_fault *faults = follow->device_faults;
	size_t *count = follow->device_fault_count, at = 0;

	while (at < *count && faults[at].gpu_id != fault->gpu_id)
		at++;
	if (at == follow->device_fault_room)
		return;
	faults[at] = *fault;
	*count += at == *count;
}

/*
 * The driver's violations that the library has not heard of yet: it takes them back as it hears of them. Nothing is taken back here.
 */
static void follow_ask_device_faults(const struct wt_agent_follow *follow)
{
	int before = errno, kfd;

	if (!follow->device_faults)
		return;
	kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
	for (size_t i = 0; kfd >= 0 && i < follow->gpu_count; i++) {
		struct wt_host_device_fault fault = {.gpu_id = follow->gpus[i]};

		if (gpu_ask_fault(kfd, fault.gpu_id, &fault.address))
			device_fault_keep(follow, &fault);
	}
	if (kfd >= 0)
		close(kfd);
	errno = before;
}

struct wt_error *wt_agent_follow_begin(struct wt_agent_follow *follow)
{
	amd_dbgapi_status_t status = follow->client.api->process_get_info(
		follow->client.process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER, sizeof(follow->notifier),
		&follow->notifier);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return follow_error(follow, "amd_dbgapi_process_get_info", status);
	if (follow->device_faults)
		follow_find_gpus(follow);
	return NULL;
}

/* ---- Events ---- */

struct wt_error *wt_agent_pump(struct wt_agent_follow *follow, bool *any_ret)
{
	struct wt_error *error = NULL;

	*any_ret = false;
	follow_ask_device_faults(follow);
	while (!error) {
		amd_dbgapi_event_id_t event = AMD_DBGAPI_EVENT_NONE;
		amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
		amd_dbgapi_status_t status = follow->client.api->process_next_pending_event(
			follow->client.process, &event, &kind);

		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return follow_error(follow, "amd_dbgapi_process_next_pending_event",
					    status);
		if (!event.handle)
			break;
		*any_ret = true;
		error = wt_agent_set_progress(follow, AMD_DBGAPI_PROGRESS_NO_FORWARD);
		if (!error)
			error = follow_handle_event(follow, event, kind);
	}
	follow->counts.stops += !error && *any_ret;
	return error;
}

struct wt_error *wt_agent_resume(struct wt_agent_follow *follow)
{
	for (size_t i = 0; i < follow->resumable_count; i++) {
		const amd_dbgapi_wave_id_t wave = {follow->resumable[i]};
		amd_dbgapi_status_t status = follow->client.api->wave_resume(
			wave, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE);

		if (status != AMD_DBGAPI_STATUS_SUCCESS &&
		    status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
			return follow_error(follow, "amd_dbgapi_wave_resume", status);
	}
	follow->resumable_count = 0;
	return wt_agent_set_progress(follow, AMD_DBGAPI_PROGRESS_NORMAL);
}

/* Ask every wave that runs to stop; how many there were. */
static struct wt_error *follow_stop_running(struct wt_agent_follow *follow, size_t *count_ret)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	struct wt_error *error = NULL;
	amd_dbgapi_status_t status;
	size_t count = 0;

	*count_ret = 0;
	status =
		follow->client.api->process_wave_list(follow->client.process, &count, &waves, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return follow_error(follow, "amd_dbgapi_process_wave_list", status);
	for (size_t i = 0; i < count && !error; i++) {
		amd_dbgapi_wave_state_t state;

		if (!follow_wave_state(follow, waves[i], &state) ||
		    state == AMD_DBGAPI_WAVE_STATE_STOP)
			continue;
		status = follow->client.api->wave_stop(waves[i]);
		(*count_ret)++;
		if (status != AMD_DBGAPI_STATUS_SUCCESS &&
		    status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID &&
		    status != AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED &&
		    status != AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP)
			error = follow_error(follow, "amd_dbgapi_wave_stop", status);
	}
	free(waves);
	return error;
}

struct wt_error *wt_agent_stop_all(struct wt_agent_follow *follow)
{
	struct wt_error *error = NULL;

	for (int round = 0; round < STOP_ROUNDS && !error; round++) {
		struct pollfd readable = {.fd = follow->notifier, .events = POLLIN};
		size_t count;
		bool any;

		error = follow_stop_running(follow, &count);
		if (error || !count)
			return error;
		error = wt_agent_pump(follow, &any);
		if (!error && !any)
			poll(&readable, 1, POLL_MS);
	}
	return error;
}

/* The exception that the runtime is to hear of, for each reason of a stop. */
static amd_dbgapi_exceptions_t reasons_exceptions(uint32_t reasons)
{
	static const struct {
		uint32_t reasons;
		amd_dbgapi_exceptions_t exception;
	} rows[] = {
		{AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP, AMD_DBGAPI_EXCEPTION_WAVE_ABORT},
		{AMD_DBGAPI_WAVE_STOP_REASON_TRAP, AMD_DBGAPI_EXCEPTION_WAVE_TRAP},
		{WT_AGENT_ARITHMETIC_REASONS, AMD_DBGAPI_EXCEPTION_WAVE_MATH_ERROR},
		{AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION,
		 AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION},
		{AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION,
		 AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION},
		{AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR,
		 AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR},
	};
	uint32_t exceptions = AMD_DBGAPI_EXCEPTION_NONE;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (reasons & rows[i].reasons)
			exceptions |= (uint32_t)rows[i].exception;
	return (amd_dbgapi_exceptions_t)exceptions;
}

/* A wave that is gone by now, or that still steps, needs nothing. */
static struct wt_error *follow_deliver_wave(struct wt_agent_follow *follow,
					    amd_dbgapi_wave_id_t wave)
{
	const struct wt_api *api = follow->client.api;
	amd_dbgapi_wave_state_t state;
	amd_dbgapi_status_t status;
	uint32_t reasons = 0;

	if (!follow_wave_state(follow, wave, &state) || state != AMD_DBGAPI_WAVE_STATE_STOP ||
	    api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reasons), &reasons) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
		return NULL;
	status = api->wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL, reasons_exceptions(reasons));
	if (status == AMD_DBGAPI_STATUS_SUCCESS ||
	    status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		return NULL;
	return follow_error(follow, "amd_dbgapi_wave_resume", status);
}

struct wt_error *wt_agent_deliver(struct wt_agent_follow *follow)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	struct wt_error *error = NULL, *next;
	amd_dbgapi_status_t status;
	size_t count = 0;

	follow->resumable_count = 0;
	status =
		follow->client.api->process_wave_list(follow->client.process, &count, &waves, NULL);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		error = follow_error(follow, "amd_dbgapi_process_wave_list", status);
	for (size_t i = 0; i < count; i++) {
		next = follow_deliver_wave(follow, waves[i]);
		if (error)
			wt_error_destroy(next);
		else
			error = next;
	}
	free(waves);
	next = wt_agent_set_progress(follow, AMD_DBGAPI_PROGRESS_NORMAL);
	if (error)
		wt_error_destroy(next);
	return error ? error : next;
}

/* A queue that has packets left will make waves, even if there are none now. */
bool wt_agent_queues_are_empty(const struct wt_agent_follow *follow)
{
	amd_dbgapi_queue_id_t *queues = NULL;
	bool empty = true;
	size_t count = 0;

	if (follow->client.api->process_queue_list(follow->client.process, &count, &queues, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return true;
	for (size_t i = 0; i < count && empty; i++) {
		amd_dbgapi_os_queue_packet_id_t read, write;
		size_t size;

		/* Not all kinds of queue can be looked into; those that cannot make no waves. */
		if (follow->client.api->queue_packet_list(queues[i], &read, &write, &size, NULL) ==
		    AMD_DBGAPI_STATUS_SUCCESS)
			empty = read == write;
	}
	free(queues);
	return empty;
}
