/* SPDX-License-Identifier: MIT */
#include "recorder/agent/follow-events.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "device/kfd-debug.h"

/* How long to wait for the library to have something to say before waves are asked for again. */
#define POLL_MS 20
/* Rounds of stopping waves before the agent takes what it has: new waves may keep coming. */
#define STOP_ROUNDS 64

/* Every debugger's library hears of these in the runtime's place: a wave has stopped. */
#define WAVE_EXCEPTIONS                                                                            \
	(KFD_EXCEPTION(KFD_EXCEPTION_WAVE_ABORT) | KFD_EXCEPTION(KFD_EXCEPTION_WAVE_TRAP) |        \
	 KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MATH) | KFD_EXCEPTION(KFD_EXCEPTION_WAVE_ILLEGAL) |      \
	 KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) | KFD_EXCEPTION(KFD_EXCEPTION_WAVE_APERTURE))
#define VIOLATION KFD_EXCEPTION(KFD_EXCEPTION_DEVICE_MEMORY)

#define WANTED_REASONS                                                                             \
	(AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT | AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT |         \
	 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP | AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP)

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

static int driver_open(void)
{
	return open("/dev/kfd", O_RDWR | O_CLOEXEC);
}

/* The calling process is debugged by itself. */
static bool driver_ask(int kfd, enum kfd_debug_operation operation, struct kfd_debug_trap *args)
{
	args->pid = (uint32_t)getpid();
	args->operation = operation;
	return ioctl(kfd, _IOWR(KFD_IOCTL_BASE, KFD_DEBUG, struct kfd_debug_trap), args) >= 0;
}

static void follow_add_untold(struct wt_agent_follow *follow, uint64_t exceptions, uint32_t gpu_id,
			      uint32_t queue_id)
{
	struct wt_agent_untold *untold = follow->untold;
	size_t at = 0;

	while (at < follow->untold_count &&
	       (untold[at].gpu_id != gpu_id || untold[at].queue_id != queue_id))
		at++;
	if (!exceptions || at == WT_AGENT_UNTOLD)
		return;
	if (at == follow->untold_count)
		untold[follow->untold_count++] =
			(struct wt_agent_untold){.gpu_id = gpu_id, .queue_id = queue_id};
	untold[at].exceptions |= exceptions;
}

/* @named_ret: whether the driver names the page, too. */
static bool gpu_ask_fault(int kfd, uint32_t gpu, struct wt_host_device_fault *fault_ret,
			  bool *named_ret)
{
	struct kfd_device_memory_exception exception = {0};
	struct kfd_debug_trap args = {.query_exception = {(uintptr_t)&exception, sizeof(exception),
							  gpu, KFD_EXCEPTION_DEVICE_MEMORY, 0}};

	if (!driver_ask(kfd, KFD_DEBUG_QUERY_EXCEPTION, &args))
		return false;
	*fault_ret = (struct wt_host_device_fault){.gpu_id = gpu, .address = exception.address};
	*named_ret = args.query_exception.size >= sizeof(exception.address);
	return true;
}

static void follow_keep_fault(const struct wt_agent_follow *follow,
			      const struct wt_host_device_fault *fault)
{
	struct wt_host_device_fault *faults = follow->device_faults;
	size_t *count = follow->device_fault_count;
	size_t at = 0;

	while (at < *count && faults[at].gpu_id != fault->gpu_id)
		at++;
	if (at == follow->device_fault_room)
		return;
	faults[at] = *fault;
	*count += at == *count;
}

static void follow_ask_queues(struct wt_agent_follow *follow, int kfd)
{
	struct kfd_queue_entry entries[WT_AGENT_UNTOLD] = {0};
	struct kfd_debug_trap args = {
		.snapshot = {0, (uintptr_t)entries, WT_AGENT_UNTOLD, sizeof(*entries)}};

	if (!driver_ask(kfd, KFD_DEBUG_QUEUE_SNAPSHOT, &args) ||
	    args.snapshot.entry_size < sizeof(*entries))
		return;
	for (uint32_t i = 0; i < WT_AGENT_UNTOLD && i < args.snapshot.count; i++)
		follow_add_untold(follow, entries[i].exceptions & WAVE_EXCEPTIONS,
				  entries[i].gpu_id, entries[i].queue_id);
}

/*
 * The driver forgets what it has to tell as the library hears of it. So the pages of violations are noted before, and what the runtime
 * has to be told if the library fails. Nothing is taken back here.
 */
static void follow_ask_driver(struct wt_agent_follow *follow)
{
	int before = errno;
	wt_cleanup_close int kfd = follow->device_faults ? driver_open() : -1;

	if (kfd >= 0)
		follow_ask_queues(follow, kfd);
	for (size_t i = 0; kfd >= 0 && i < follow->gpu_count; i++) {
		struct wt_host_device_fault fault;
		bool named;

		if (!gpu_ask_fault(kfd, follow->gpus[i], &fault, &named))
			continue;
		follow_add_untold(follow, VIOLATION, follow->gpus[i], KFD_ALL_ONES);
		if (named)
			follow_keep_fault(follow, &fault);
	}
	errno = before;
}

/* ---- Where the library is gone ---- */

/* A wave's violation and its GPU's are told in one call, as the libraries do it: the runtime wants to hear of the second first. */
static void follow_join_untold(struct wt_agent_follow *follow)
{
	for (size_t i = 0; i < follow->untold_count; i++) {
		struct wt_agent_untold *gpu = &follow->untold[i];

		if (gpu->queue_id != KFD_ALL_ONES)
			continue;
		for (size_t j = 0; j < follow->untold_count && gpu->exceptions; j++) {
			struct wt_agent_untold *queue = &follow->untold[j];

			if (queue->queue_id == KFD_ALL_ONES || queue->gpu_id != gpu->gpu_id ||
			    !(queue->exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY)))
				continue;
			queue->exceptions |= gpu->exceptions;
			gpu->exceptions = 0;
		}
	}
}

/* The driver lets none but a debugger tell. */
static bool driver_attach(int kfd, int notifier)
{
	struct kfd_debug_trap args = {.enable = {.notifier = (uint32_t)notifier}};

	return notifier >= 0 && driver_ask(kfd, KFD_DEBUG_ENABLE, &args);
}

/*
 * The driver says of a process that nobody debugs it, whatever the library believes. One that debugs nothing at all has answers of its own, which
 * count where the library says that it is not attached, either. In both cases there is nothing to let go.
 */
static bool driver_may_hold(const struct wt_agent_follow *follow, int error)
{
	return error != EINVAL &&
	       (follow->client.attached || (error != EPERM && error != EACCES && error != ESRCH &&
					    error != ENOTTY && error != ENOSYS));
}

/* Nobody debugs the process from then on, so that the runtime hears of what comes later. */
static void follow_tell_by_driver(struct wt_agent_follow *follow)
{
	bool left = follow->client.left;
	wt_cleanup_close int kfd = follow->untold_count || left ? driver_open() : -1;
	wt_cleanup_close int notifier = kfd >= 0 ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	struct kfd_debug_trap args = {0};
	bool attached = kfd >= 0 && follow->untold_count && driver_attach(kfd, notifier);

	follow->held = follow->unheard = false;
	follow_join_untold(follow);
	for (size_t i = 0; kfd >= 0 && i < follow->untold_count; i++) {
		struct wt_agent_untold *untold = &follow->untold[i];

		args.send.exceptions = untold->exceptions;
		args.send.gpu_id = untold->gpu_id;
		args.send.queue_id = untold->queue_id;
		if (untold->exceptions && driver_ask(kfd, KFD_DEBUG_SEND_RUNTIME_EVENT, &args))
			untold->exceptions = 0;
		follow->unheard |= untold->exceptions != 0;
	}
	if (attached || (left && kfd >= 0))
		follow->held = !driver_ask(kfd, KFD_DEBUG_DISABLE, &args) &&
			       driver_may_hold(follow, errno);
}

/* ---- The library ---- */

/* The driver forgets with the end of the session what nobody has heard of yet. */
static struct wt_error *follow_error(struct wt_agent_follow *follow, const char *function,
				     amd_dbgapi_status_t status)
{
	follow_ask_driver(follow);
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

struct wt_error *wt_agent_pump(struct wt_agent_follow *follow, bool *any_ret)
{
	struct wt_error *error = NULL;
	bool looked = false;

	*any_ret = false;
	follow_ask_driver(follow);
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
		if (!error && !looked && kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP) {
			/*
			 * Its code may have been loaded since the caller looked. The program is held, and there are more events to ask for, so that the
			 * list is new where the stop is recorded.
			 */
			wt_agent_client_look_for_code(&follow->client);
			looked = true;
		}
		if (!error)
			error = follow_handle_event(follow, event, kind);
	}
	follow->counts.stops += !error && *any_ret;
	return error;
}

/* Whatever has happened is dealt with by then. */
static struct wt_error *follow_let_go(struct wt_agent_follow *follow)
{
	struct wt_error *error = wt_agent_set_progress(follow, AMD_DBGAPI_PROGRESS_NORMAL);

	if (!error)
		follow->untold_count = 0;
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
	return follow_let_go(follow);
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

	if (follow->client.over) {
		follow_tell_by_driver(follow);
		return NULL;
	}
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
	next = error ? wt_agent_set_progress(follow, AMD_DBGAPI_PROGRESS_NORMAL)
		     : follow_let_go(follow);
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
