/* SPDX-License-Identifier: MIT */
/*
 * A process that has the driver open. It and debug-call.c use each other: a debugger is such a process, and so is what it debugs.
 */
#include <stdlib.h>

#include "driver/owner/internal.h"

struct wt_owner_process *wt_owner_process_find(struct wt_owner *owner, pid_t pid)
{
	struct wt_owner_process *process = owner->processes;

	while (process && process->pid != pid)
		process = process->next;
	return process;
}

static void signal_event(void *opaque, uint32_t event)
{
	wt_event_signal(opaque, event);
}

static void tell_fault(void *opaque, const struct wt_engine_fault *fault)
{
	struct wt_owner_process *process = opaque;

	/* The first one stays until the debugger takes it back, as what that is told of it does. */
	if (!process->debug.has_violation[fault->agent])
		process->faults[fault->agent] = *fault;
	process->untold = wt_debug_raise_memory(&process->debug, fault->agent, fault->address);
	if (!process->untold)
		wt_event_fault(process, fault);
}

static void tell_hang(void *opaque, uint32_t agent, const char *why)
{
	struct wt_owner_process *process = opaque;

	wt_owner_complain(process->owner, "process %d: %s", process->pid, why);
	wt_event_hang(process, agent);
}

static bool raise_exception(void *opaque, uint32_t queue, uint64_t exceptions)
{
	struct wt_owner_process *process = opaque;

	if (wt_debug_raise_queue(&process->debug, queue, exceptions))
		return true;
	return exceptions == KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) &&
	       wt_event_hold(process, queue);
}

static void process_log(void *opaque, const char *text)
{
	const struct wt_owner_process *process = opaque;

	wt_owner_log(process->owner, "process %d: %s", process->pid, text);
}

static void process_misses(void *opaque, const char *text)
{
	const struct wt_owner_process *process = opaque;

	wt_owner_miss(process->owner, "%s", text);
}

struct wt_owner_process *wt_owner_process_create(struct wt_owner *owner, pid_t pid)
{
	const struct gfx_architecture *architectures[WT_OWNER_AGENTS_MAX];
	struct wt_owner_process *process = calloc(1, sizeof(*process));
	const struct wt_engine_host host = {
		.opaque = process,
		.signal = signal_event,
		.fault = tell_fault,
		.hang = tell_hang,
		.exception = raise_exception,
		.message = process_log,
		.missing = process_misses,
	};

	if (!process)
		return NULL;
	process->owner = owner;
	process->pid = pid;
	wt_space_init(&process->space, pid, &owner->store);
	for (uint32_t i = 0; i < owner->agent_count; i++)
		architectures[i] = owner->agents[i].architecture;
	process->engine =
		wt_engine_create(&process->space, architectures, owner->agent_count,
				 owner->agents[0].units, owner->seed, owner->local, &host);
	if (!process->engine) {
		free(process);
		return NULL;
	}
	wt_owner_debug_init(process);
	process->next = owner->processes;
	owner->processes = process;
	wt_owner_log(owner, "process %d opens the device", pid);
	return process;
}

/* A program whose runtime does not know the GPU sees none, and may die of that without a word. */
static void process_report_unused(const struct wt_owner_process *process)
{
	struct wt_owner *owner = process->owner;

	if (!process->has_runtime || process->set_up || owner->unused_reported)
		return;
	owner->unused_reported = true;
	wt_owner_complain(owner,
			  "the runtime of process %d has not set up any GPU: it may not know %s",
			  process->pid, owner->agents[0].architecture->name);
}

void wt_owner_process_destroy(struct wt_owner_process *process)
{
	struct wt_owner *owner = process->owner;
	struct wt_owner_process **link = &owner->processes;

	while (*link != process)
		link = &(*link)->next;
	*link = process->next;
	wt_owner_log(owner, "process %d has closed the device", process->pid);
	process_report_unused(process);
	wt_owner_debugger_gone(owner, process->pid);
	wt_debug_deinit(&process->debug);
	wt_owner_queues_forget(process);
	wt_engine_destroy(process->engine);
	for (size_t i = 0; i < process->object_count; i++)
		if (process->objects[i].buffer)
			wt_extent_release(&owner->store, process->objects[i].buffer);
	free(process->objects);
	wt_space_deinit(&process->space);
	free(process);
}
