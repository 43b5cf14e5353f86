/* SPDX-License-Identifier: MIT */
/* Takes what the driver tells. */
#include <errno.h>

#include "dbgapi/kfd/internal.h"

/* No process has so much to tell at once: a driver that goes on does not hear. */
#define EVENTS_MAX 65536u

static bool is_loaded_state(uint32_t state)
{
	return state != KFD_RUNTIME_DISABLED;
}

/* The runtime has come or gone: which of them, the driver says on another call. */
static void runtime_changed(struct wt_live *live)
{
	struct kfd_runtime_info info = {0};
	struct kfd_debug_trap args = {
		.query_exception = {(uintptr_t)&info, sizeof(info), 0, KFD_EXCEPTION_RUNTIME, 1}};

	if (wt_live_call(live, KFD_DEBUG_QUERY_EXCEPTION, &args) < 0)
		return;
	live->runtime_waits = true;
	if (is_loaded_state(info.state) == (live->runtime != WT_LIVE_RUNTIME_NONE)) {
		wt_live_fail(live,
			     "the kernel driver: process %u: its runtime has come or gone twice",
			     live->calls.process);
		wt_live_answer_runtime(&live->core.device);
		return;
	}
	live->core.note.r_debug = info.r_debug;
	live->core.note.runtime = info.state;
	live->core.note.ttmps_set_up = info.ttmps_set_up;
	/* Objects that were told to be there are told to be gone first. */
	wt_live_tell(live, WT_LIVE_NEWS_ALL);
	if (is_loaded_state(info.state))
		wt_live_load_runtime(live);
	else
		wt_live_unload_runtime(live);
}

static void device_failed(struct wt_live *live, uint32_t gpu_id)
{
	struct wt_core_agent *agent = wt_core_find_agent(&live->core, gpu_id);

	if (agent)
		agent->violation = true;
	live->stale = true;
	for (size_t i = 0; i < live->core.queue_count; i++)
		live->core.queues[i]->live.stale |= live->core.queues[i]->agent == agent;
}

static void queue_stopped(struct wt_live *live, uint32_t queue_id)
{
	live->stale = true;
	for (size_t i = 0; i < live->core.queue_count; i++)
		live->core.queues[i]->live.stale |=
			live->core.queues[i]->entry.queue_id == queue_id;
}

static void take_faults(struct wt_live *live, const struct kfd_debug_trap *args)
{
	uint64_t exceptions = args->query_event.exceptions;

	if (exceptions & WT_LIVE_VIOLATION)
		device_failed(live, args->query_event.gpu_id);
	if (exceptions & WT_LIVE_WAVE_EXCEPTIONS)
		queue_stopped(live, args->query_event.queue_id);
}

static void live_take_event(struct wt_live *live, const struct kfd_debug_trap *args)
{
	if (args->query_event.exceptions & WT_LIVE_QUEUE_NEW)
		wt_live_find_queues(live, false);
	take_faults(live, args);
	if (args->query_event.exceptions & WT_LIVE_RUNTIME)
		runtime_changed(live);
}

/* The runtime's exception is not cleared here, since there is more to ask of it. Return: whether there was an event. */
static bool query(struct wt_live *live, struct kfd_debug_trap *args)
{
	int result;

	args->query_event.exceptions = WT_LIVE_WAVE_EXCEPTIONS | WT_LIVE_VIOLATION;
	args->query_event.gpu_id = args->query_event.queue_id = 0;
	result = wt_live_try(live, KFD_DEBUG_QUERY_EVENT, args);
	if (result != -EAGAIN)
		wt_live_check(live, KFD_DEBUG_QUERY_EVENT, result);
	return result >= 0;
}

void wt_live_take_events(struct wt_live *live)
{
	struct kfd_debug_trap args = {0};

	for (uint32_t i = 0; i < EVENTS_MAX && !live->exited && !live->core.device.failed; i++) {
		if (!query(live, &args))
			return;
		live_take_event(live, &args);
	}
	if (!live->exited && !live->core.device.failed)
		wt_live_fail(live, "the kernel driver: process %u: its events have no end",
			     live->calls.process);
}

/* The rest, queues and the runtime, is heard of later. It comes behind the faults. */
void wt_live_take_faults(struct wt_live *live)
{
	struct kfd_debug_trap args = {0};

	for (uint32_t i = 0; i < EVENTS_MAX && !live->exited && !live->core.device.failed; i++) {
		if (!query(live, &args) || args.query_event.exceptions & WT_LIVE_RUNTIME)
			return;
		take_faults(live, &args);
	}
}
