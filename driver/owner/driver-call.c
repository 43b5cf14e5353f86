/* SPDX-License-Identifier: MIT */
/*
 * The calls on /dev/kfd that AMD's runtimes make. A call's argument is as long as the caller says: what is missing of ours
 * is zero, as in the kernel. A number that is not served is refused by EINVAL, never answered as if it had been done.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "driver/owner/internal.h"
#include "gfx/wave/format.h"

#define KFD_MAJOR 1
#define KFD_MINOR 16

#define TILES_MAX 64u

/* The number of the debug call of the runtimes up to ROCm 5.6, and the version of it. */
#define DBG_TRAP 0x82
#define DBG_TRAP_MAJOR 10
#define DBG_TRAP_MINOR 3

typedef int call_function(struct wt_connection *connection, void *argument);

static int call_get_version(struct wt_connection *connection, void *argument)
{
	struct kfd_get_version *args = argument;

	(void)connection;
	args->major = KFD_MAJOR;
	args->minor = KFD_MINOR;
	return 0;
}

static int set_memory_policy(struct wt_connection *connection, void *argument)
{
	const struct kfd_set_memory_policy *args = argument;

	if (args->default_policy > KFD_CACHE_POLICY_MAX ||
	    args->alternate_policy > KFD_CACHE_POLICY_MAX)
		return -EINVAL;
	return wt_owner_agent_of(connection->process->owner, args->gpu_id) ? 0 : -EINVAL;
}

static int get_clocks(struct wt_connection *connection, void *argument)
{
	struct kfd_get_clock_counters *args = argument;

	(void)connection;
	args->gpu = wt_engine_ticks();
	args->cpu = wt_owner_clock(CLOCK_MONOTONIC_RAW);
	args->system = wt_owner_clock(CLOCK_BOOTTIME);
	args->frequency = 1000000000;
	return 0;
}

static int get_apertures(struct wt_connection *connection, void *argument)
{
	struct kfd_get_apertures *args = argument;
	const struct wt_owner *owner = connection->process->owner;
	uint32_t room = args->count;

	for (uint32_t i = 0; i < owner->agent_count && i < room; i++) {
		const struct kfd_apertures apertures = {
			.lds_base = WT_LDS_BASE,
			.lds_limit = WT_LDS_LIMIT,
			.scratch_base = WT_SCRATCH_BASE,
			.scratch_limit = WT_SCRATCH_LIMIT,
			.gpuvm_base = WT_GPUVM_BASE,
			.gpuvm_limit = WT_GPUVM_LIMIT,
			.gpu_id = owner->agents[i].gpu_id,
		};

		if (wt_owner_copy_out(connection->process, args->apertures + i * sizeof(apertures),
				      &apertures, sizeof(apertures)))
			return -EFAULT;
	}
	args->count = owner->agent_count;
	return 0;
}

static int acquire_vm(struct wt_connection *connection, void *argument)
{
	const struct kfd_acquire_vm *args = argument;
	struct wt_owner *owner = connection->process->owner;
	const struct wt_owner_agent *agent = wt_owner_agent_of(owner, args->gpu_id);

	if (!agent)
		return -EINVAL;
	connection->process->acquired[agent - owner->agents] = true;
	return 0;
}

/* Which memory is asked for; WT_KIND_FREE if more than one kind is, or none. */
static enum wt_kind flags_kind(uint32_t flags)
{
	switch (flags & KFD_MEMORY_KINDS) {
	case KFD_MEMORY_VRAM:
		return WT_KIND_VRAM;
	case KFD_MEMORY_GTT:
		return WT_KIND_GTT;
	case KFD_MEMORY_USERPTR:
		return WT_KIND_USER;
	case KFD_MEMORY_DOORBELL:
		return WT_KIND_DOORBELL;
	case KFD_MEMORY_MMIO_REMAP:
		return WT_KIND_MMIO;
	default:
		return WT_KIND_FREE;
	}
}

static int call_allocate(struct wt_connection *connection, void *argument)
{
	struct kfd_allocate_memory *args = argument;
	struct wt_owner_process *process = connection->process;
	const struct wt_owner_agent *agent = wt_owner_agent_of(process->owner, args->gpu_id);
	struct wt_allocation allocation = {
		.kind = flags_kind(args->flags),
		.address = args->address,
		.size = args->size,
		.offset = args->mmap_offset,
		.gpu_id = args->gpu_id,
		.flags = args->flags,
	};
	int error;

	if (!agent || allocation.kind == WT_KIND_FREE)
		return -EINVAL;
	if (!process->acquired[agent - process->owner->agents])
		return -ENODEV;
	if (allocation.kind == WT_KIND_USER && args->mmap_offset % WT_PAGE)
		return -EINVAL;
	if (allocation.kind == WT_KIND_DOORBELL && args->size != WT_DOORBELL_BYTES)
		return -EINVAL;
	if (allocation.kind == WT_KIND_DOORBELL)
		allocation.offset = WT_DOORBELL_OFFSET;
	if (allocation.kind == WT_KIND_MMIO)
		allocation.offset = WT_MMIO_OFFSET;
	error = wt_space_allocate(&process->space, &allocation, &args->handle);
	if (error)
		return error;
	args->mmap_offset = allocation.offset;
	wt_owner_log(
		process->owner, "process %d allocates %#llx bytes at %#llx, flags %#x: handle %llu",
		process->pid, (unsigned long long)args->size, (unsigned long long)args->address,
		args->flags, (unsigned long long)args->handle);
	return 0;
}

static int free_memory(struct wt_connection *connection, void *argument)
{
	const struct kfd_free_memory *args = argument;
	struct wt_space *space = &connection->process->space;

	return wt_space_find(space, args->handle) ? wt_space_free(space, args->handle) : -EINVAL;
}

/* Map or unmap for the agents of a list, from the first that has not been done. */
static int map_for(struct wt_connection *connection, struct kfd_map_memory *args,
		   int (*change)(struct wt_space *, struct wt_allocation *, uint32_t))
{
	struct wt_owner_process *process = connection->process;
	struct wt_allocation *allocation = wt_space_find(&process->space, args->handle);

	if (!args->count || args->count > WT_OWNER_AGENTS_MAX || args->done > args->count ||
	    !allocation)
		return -EINVAL;
	while (args->done < args->count) {
		const struct wt_owner_agent *agent;
		uint32_t id;
		int error;

		if (wt_owner_copy_in(process, &id, args->gpu_ids + args->done * sizeof(id),
				     sizeof(id)))
			return -EFAULT;
		agent = wt_owner_agent_of(process->owner, id);
		if (!agent)
			return -EINVAL;
		error = change(&process->space, allocation, 1u << (agent - process->owner->agents));
		if (error)
			return error;
		args->done++;
	}
	return 0;
}

static int map_memory(struct wt_connection *connection, void *argument)
{
	return map_for(connection, argument, wt_space_map);
}

static int unmap_memory(struct wt_connection *connection, void *argument)
{
	return map_for(connection, argument, wt_space_unmap);
}

static int create_queue(struct wt_connection *connection, void *argument)
{
	return wt_owner_queue_create(connection->process, argument);
}

static int destroy_queue(struct wt_connection *connection, void *argument)
{
	const struct kfd_destroy_queue *args = argument;

	return wt_owner_destroy_queue(connection, args->queue_id);
}

static int update_queue(struct wt_connection *connection, void *argument)
{
	const struct kfd_update_queue *args = argument;
	const struct wt_owner_process *process = connection->process;

	if (args->queue_id >= WT_QUEUES_MAX || !process->queues[args->queue_id] ||
	    args->percentage > KFD_PERCENTAGE_MAX || args->priority > KFD_PRIORITY_MAX)
		return -EINVAL;
	/* A queue without a ring is stopped, too. */
	return wt_engine_queue_update(process->engine, args->queue_id,
				      args->percentage && args->ring_address && args->ring_size,
				      args->ring_address, args->ring_size);
}

static int create_event(struct wt_connection *connection, void *argument)
{
	return wt_event_create(connection->process, argument);
}

static int destroy_event(struct wt_connection *connection, void *argument)
{
	const struct kfd_event *args = argument;

	return wt_event_destroy(connection->process, args->event_id);
}

static int set_event(struct wt_connection *connection, void *argument)
{
	const struct kfd_event *args = argument;

	return wt_event_set_by(connection, args->event_id);
}

static int reset_event(struct wt_connection *connection, void *argument)
{
	const struct kfd_event *args = argument;

	return wt_event_reset(connection->process, args->event_id);
}

static int wait_events(struct wt_connection *connection, void *argument)
{
	return wt_event_wait(connection, argument);
}

static int call_check_agent(struct wt_connection *connection, uint32_t gpu_id)
{
	return wt_owner_agent_of(connection->process->owner, gpu_id) ? 0 : -EINVAL;
}

/* A runtime does this for each agent that it knows. */
static int call_set_up_agent(struct wt_connection *connection, uint32_t gpu_id)
{
	int error = call_check_agent(connection, gpu_id);

	connection->process->set_up |= !error;
	return error;
}

/* The runtime's own trap handler is not executed: what it would do is done. */
static int set_trap_handler(struct wt_connection *connection, void *argument)
{
	const struct kfd_set_trap_handler *args = argument;

	return call_set_up_agent(connection, args->gpu_id);
}

static int set_scratch_backing(struct wt_connection *connection, void *argument)
{
	const struct kfd_set_scratch_backing *args = argument;

	return call_set_up_agent(connection, args->gpu_id);
}

static int call_put_zeros(const struct wt_owner_process *process, uint64_t address, uint32_t words)
{
	static const uint32_t zeros[TILES_MAX];

	if (words > TILES_MAX)
		return -EINVAL;
	return words ? wt_owner_copy_out(process, address, zeros, words * sizeof(*zeros)) : 0;
}

static int get_tile_config(struct wt_connection *connection, void *argument)
{
	struct kfd_get_tile_config *args = argument;
	int error = call_check_agent(connection, args->gpu_id);

	if (!error)
		error = call_put_zeros(connection->process, args->tiles, args->tile_count);
	if (!error)
		error = call_put_zeros(connection->process, args->macro_tiles,
				       args->macro_tile_count);
	args->gb_addr_config = GFX_ADDRESS_CONFIG;
	args->banks = args->ranks = 4;
	return error;
}

static int set_xnack_mode(struct wt_connection *connection, void *argument)
{
	struct kfd_set_xnack_mode *args = argument;

	(void)connection;
	/* The mode cannot be turned on. */
	if (args->enabled > 0)
		return -EPERM;
	args->enabled = 0;
	return 0;
}

static int available_memory(struct wt_connection *connection, void *argument)
{
	struct kfd_available_memory *args = argument;
	const struct wt_owner *owner = connection->process->owner;

	args->available = (WT_VRAM_BYTES - owner->store.vram) / owner->agent_count;
	return call_check_agent(connection, args->gpu_id);
}

/* Global wave sync: a queue gets all of it, however much is asked for. */
static int allocate_sync(struct wt_connection *connection, void *argument)
{
	struct kfd_allocate_sync *args = argument;

	args->first = 0;
	return wt_engine_queue_set_sync(connection->process->engine, args->queue_id,
					args->count != 0);
}

/* Ranges of shared virtual memory: refused as by a kernel that was built without them. */
static int refuse_ranges(struct wt_connection *connection, void *argument)
{
	(void)connection;
	(void)argument;
	return -EPERM;
}

static int runtime_enable(struct wt_connection *connection, void *argument)
{
	const struct kfd_runtime_enable *args = argument;
	const struct kfd_runtime_info info = {
		.r_debug = args->r_debug,
		.state = args->mode & KFD_RUNTIME_ENABLE ? KFD_RUNTIME_ENABLED
							 : KFD_RUNTIME_DISABLED,
		.ttmps_set_up = args->mode & KFD_RUNTIME_TTMPS ? 1 : 0,
	};

	return wt_owner_runtime(connection, &info);
}

static int debug(struct wt_connection *connection, void *argument)
{
	return wt_owner_debug(connection, argument);
}

/* The older runtimes' call. It has the version of the interface, and the runtime's coming and going. */
static int debug_old(struct wt_connection *connection, void *argument)
{
	struct kfd_debug_trap_old *args = argument;
	const struct kfd_runtime_info info = {
		.r_debug = args->address,
		.state = args->data[0] ? KFD_RUNTIME_ENABLED : KFD_RUNTIME_DISABLED,
		.ttmps_set_up = args->data[0] && args->data[1],
	};

	switch (args->operation) {
	case KFD_DEBUG_OLD_VERSION:
		args->data[0] = DBG_TRAP_MAJOR;
		args->data[1] = DBG_TRAP_MINOR;
		return 0;
	case KFD_DEBUG_OLD_RUNTIME_ENABLE:
		return wt_owner_runtime(connection, &info);
	default:
		return -EINVAL;
	}
}

/* By number. */
static call_function *const calls[] = {
	[KFD_GET_VERSION] = call_get_version,
	[0x02] = create_queue,
	[0x03] = destroy_queue,
	[0x04] = set_memory_policy,
	[0x05] = get_clocks,
	[0x07] = update_queue,
	[0x08] = create_event,
	[0x09] = destroy_event,
	[0x0a] = set_event,
	[0x0b] = reset_event,
	[0x0c] = wait_events,
	[0x11] = set_scratch_backing,
	[0x12] = get_tile_config,
	[0x13] = set_trap_handler,
	[0x14] = get_apertures,
	[0x15] = acquire_vm,
	[0x16] = call_allocate,
	[0x17] = free_memory,
	[0x18] = map_memory,
	[0x19] = unmap_memory,
	[0x1e] = allocate_sync,
	[0x20] = refuse_ranges,
	[0x21] = set_xnack_mode,
	[0x23] = available_memory,
	[KFD_RUNTIME] = runtime_enable,
	[KFD_DEBUG] = debug,
	[DBG_TRAP] = debug_old,
};

int wt_owner_kfd(struct wt_connection *connection, uint32_t request, void *argument)
{
	uint32_t number = _IOC_NR(request);
	char why[64];
	int result;

	if (_IOC_TYPE(request) != KFD_IOCTL_BASE)
		return -ENOTTY;
	if (number < sizeof(calls) / sizeof(calls[0]) && calls[number])
		result = calls[number](connection, argument);
	else
		result = wt_owner_shared_call(connection, 0, request, argument);
	if (result == -ENOTTY) {
		wt_owner_miss(connection->process->owner, "call %#x of /dev/kfd", number);
		result = -EINVAL;
	}
	wt_owner_log(connection->process->owner, "process %d: call %#x: %s",
		     connection->process->pid, number,
		     result == WT_CALL_WAITS ? "waits"
		     : result < 0	     ? strerror_r(-result, why, sizeof(why))
					     : "done");
	return result;
}
