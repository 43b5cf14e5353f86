/* SPDX-License-Identifier: MIT */
/*
 * Debug calls: who may make them, on whom, and what then happens to sessions when one of the two goes. What an operation
 * does stands in driver/debug/.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/newer-names.h"
#include "base/cleanup.h"
#include "device/save-area/note.h"
#include "driver/owner/internal.h"

#define CAPABILITY_LAUNCH (3u << 16) /* launch override and launch mode */
#define VENDOR 0x1002u
#define PROPERTY_TTMPS_ALWAYS (1u << 10)
#define PROPERTY_WATCH_UNSHARED (1u << 11)
/* Lowest and highest bit of an address that a watch register's mask has. */
#define WATCH_BITS(first, last) ((first) | (uint32_t)(last) << 4)

/* A device as debuggers see it in a snapshot. */
static struct kfd_device_entry device_describe(const struct wt_owner_agent *agent)
{
	const struct gfx_product *product = agent->architecture->product;

	return (struct kfd_device_entry){
		.lds_base = WT_LDS_BASE,
		.lds_limit = WT_LDS_LIMIT,
		.scratch_base = WT_SCRATCH_BASE,
		.scratch_limit = WT_SCRATCH_LIMIT,
		.gpuvm_base = WT_GPUVM_BASE,
		.gpuvm_limit = WT_GPUVM_LIMIT,
		.gpu_id = agent->gpu_id,
		.location_id = (agent->node + 2) << 8,
		.vendor_id = VENDOR,
		.device_id = product->pci_device,
		.revision_id = product->pci_revision,
		.firmware = product->firmware,
		.target_version = agent->architecture->version,
		.simd_count = agent->units * agent->architecture->unit.simds,
		.waves_per_simd = agent->architecture->unit.waves,
		.array_count = product->engines * product->engine_arrays,
		.arrays_per_engine = product->engine_arrays,
		.xcc_count = 1,
		.capability =
			WT_CAPABILITY_DEBUG | CAPABILITY_LAUNCH |
			(agent->architecture->precise_memory
				 ? WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY
				 : 0) |
			(agent->architecture->precise_alu ? WT_CORE_NOTE_CAPABILITY_PRECISE_ALU
							  : 0),
		.debug_properties =
			PROPERTY_WATCH_UNSHARED |
			(agent->architecture->ttmps_always ? PROPERTY_TTMPS_ALWAYS : 0) |
			WATCH_BITS(agent->architecture->watch_first_bit,
				   agent->architecture->watch_last_bit),
	};
}

/* The kernel tells something of a process or thread in the line that begins with @name; NULL: there is none. It is the caller's. */
static char *status_line(pid_t pid, const char *name)
{
	size_t room = 0, length = strlen(name);
	char path[64], *line = NULL;
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	while (!found && getline(&line, &room, file) >= 0)
		found = !strncmp(line, name, length);
	fclose(file);
	if (found)
		memmove(line, line + length, strlen(line + length) + 1);
	else
		free(line);
	return found ? line : NULL;
}

/* Such a line's number; -1: there is none. */
static long ask_kernel(pid_t pid, const char *name)
{
	wt_cleanup_free char *line = status_line(pid, name);

	return line ? strtol(line, NULL, 10) : -1;
}

bool wt_owner_is_stopped(pid_t pid)
{
	wt_cleanup_free char *state = status_line(pid, "State:\t");

	/* The kernel's letters: t of a thread that a debugger holds, T where a signal does. */
	return ask_kernel(pid, "TracerPid:") > 0 || (state && (*state == 't' || *state == 'T'));
}

/* Is a process there that still runs? One that nobody has waited for has no memory any more. */
static bool process_is_alive(pid_t pid)
{
	return pid > 0 && ask_kernel(pid, "VmSize:") >= 0;
}

static bool traces(pid_t debugger, pid_t pid)
{
	long thread = ask_kernel(pid, "TracerPid:");

	return thread > 0 && ask_kernel((pid_t)thread, "Tgid:") == debugger;
}

static int copy_in(void *opaque, void *to, uint64_t from, size_t size)
{
	return wt_owner_copy_in(opaque, to, from, size);
}

static int copy_out(void *opaque, uint64_t to, const void *from, size_t size)
{
	return wt_owner_copy_out(opaque, to, from, size);
}

/* A descriptor of the caller's, as one of ours. */
static int take_descriptor(pid_t pid, uint32_t number)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0), fd;

	if (process < 0)
		return -EBADF;
	fd = (int)syscall(SYS_pidfd_getfd, process, number, 0);
	close(process);
	return fd < 0 ? -EBADF : fd;
}

static int debug_enable(struct wt_owner_process *target, struct wt_owner_process *debugger,
			const struct wt_debug_caller *caller, struct kfd_debug_trap *args)
{
	int notifier, error;

	if (target->debug.attached)
		return -EALREADY;
	notifier = take_descriptor(debugger->pid, args->enable.notifier);
	if (notifier < 0)
		return notifier;
	error = wt_debug_enable(&target->debug, caller, args, notifier);
	if (error) {
		close(notifier);
		return error;
	}
	target->debugger = debugger->pid;
	wt_owner_log(debugger->owner, "process %d debugs process %d", debugger->pid, target->pid);
	return 0;
}

/* The process that is meant. One that is traced need not have opened the device yet. */
static int debug_find_target(struct wt_owner_process *caller, const struct kfd_debug_trap *args,
			     struct wt_owner_process **target_ret)
{
	pid_t pid = (pid_t)args->pid;
	struct wt_owner_process *target = wt_owner_process_find(caller->owner, pid);
	bool traced;

	if (!process_is_alive(pid))
		return -ESRCH;
	traced = pid == caller->pid || traces(caller->pid, pid);
	if (!target && args->operation == KFD_DEBUG_ENABLE && traced)
		target = wt_owner_process_create(caller->owner, pid);
	if (!target)
		return -ESRCH;
	if (!traced && args->operation != KFD_DEBUG_DISABLE)
		return -EPERM;
	*target_ret = target;
	return 0;
}

int wt_owner_debug(struct wt_connection *connection, struct kfd_debug_trap *args)
{
	struct wt_owner_process *caller = connection->process, *target;
	const struct wt_debug_caller memory = {
		.opaque = caller, .copy_in = copy_in, .copy_out = copy_out};
	int error = debug_find_target(caller, args, &target);

	if (error)
		return error;
	if (args->operation == KFD_DEBUG_ENABLE)
		return debug_enable(target, caller, &memory, args);
	return wt_debug_operate(&target->debug, &memory, args);
}

static int debug_tell_runtime(void *opaque, uint32_t queue_id, uint64_t exceptions)
{
	struct wt_owner_process *process = opaque;

	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) &&
	    wt_event_hold(process, queue_id))
		exceptions &= ~KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY);
	return exceptions ? wt_engine_tell_runtime(process->engine, queue_id, exceptions) : 0;
}

/* The fault was kept when it was not the program's to hear of. */
static void debug_tell_memory(void *opaque, uint32_t device)
{
	struct wt_owner_process *process = opaque;
	struct wt_engine_fault fault = process->faults[device];

	fault.agent = device;
	wt_event_fault(process, &fault);
}

void wt_owner_debug_init(struct wt_owner_process *process)
{
	const struct wt_debug_host host = {.opaque = process,
					   .tell_runtime = debug_tell_runtime,
					   .tell_memory = debug_tell_memory};
	const struct wt_owner *owner = process->owner;
	struct kfd_device_entry devices[WT_OWNER_AGENTS_MAX];

	for (uint32_t i = 0; i < owner->agent_count; i++)
		devices[i] = device_describe(&owner->agents[i]);
	wt_debug_init(&process->debug, process->engine, &host, devices, owner->agent_count);
}

void wt_owner_debugger_gone(struct wt_owner *owner, pid_t pid)
{
	struct wt_owner_process *next;

	for (struct wt_owner_process *p = owner->processes; p; p = next) {
		next = p->next;
		if (!p->debug.attached || p->debugger != pid)
			continue;
		wt_owner_log(owner, "process %d debugs process %d no more", pid, p->pid);
		wt_debug_disable(&p->debug);
		wt_engine_release_waves(p->engine);
		if (!p->anchored)
			wt_owner_process_destroy(p);
	}
}

int wt_owner_runtime(struct wt_connection *connection, const struct kfd_runtime_info *info)
{
	struct wt_owner_process *process = connection->process;
	uint32_t version;
	int result;

	if (!info->r_debug || wt_owner_copy_in(process, &version, info->r_debug, sizeof(version)))
		version = 0;
	result = wt_debug_runtime(&process->debug, info, le32toh(version));
	if (result < 0)
		return result;
	wt_owner_log(process->owner, "process %d: the runtime is %s", process->pid,
		     info->state ? "there" : "gone");
	process->has_runtime |= info->state == KFD_RUNTIME_ENABLED;
	connection->wait.kind = WT_WAIT_RUNTIME;
	return result ? WT_CALL_WAITS : 0;
}

int wt_owner_destroy_queue(struct wt_connection *connection, uint32_t id)
{
	struct wt_owner_process *process = connection->process;
	const struct wt_debug_queue *queue = wt_debug_find_queue(&process->debug, id);

	if (!queue || !queue->suspended)
		return wt_owner_queue_destroy(process, id);
	connection->wait.kind = WT_WAIT_DESTROY;
	connection->wait.queue_id = id;
	return WT_CALL_WAITS;
}

/* Tries to answer a waiting call, if it is not one that waits for events. WT_CALL_WAITS: nothing yet. */
int wt_owner_try_again(struct wt_connection *connection)
{
	struct wt_owner_process *process = connection->process;

	if (connection->wait.kind == WT_WAIT_RUNTIME)
		return process->debug.runtime_waits ? WT_CALL_WAITS : 0;
	return wt_owner_destroy_queue(connection, connection->wait.queue_id);
}
