/* SPDX-License-Identifier: MIT */
/* Queues of programs: what the driver checks and hands out before the engine has them. */
#include <errno.h>
#include <time.h>

#include "driver/owner/internal.h"

#define AQL_PACKET 64u

/* A number that no process has: it is the place of the doorbell, too. */
static int queue_take_number(struct wt_owner *owner, uint32_t *id_ret)
{
	for (uint32_t i = 0; i < WT_QUEUES_MAX; i++)
		if (!owner->queues[i]) {
			owner->queues[i] = 1;
			*id_ret = i;
			return 0;
		}
	return -ENOMEM;
}

static int queue_check(const struct wt_owner_process *process, const struct kfd_create_queue *args)
{
	if (args->percentage > KFD_PERCENTAGE_MAX || args->priority > KFD_PRIORITY_MAX)
		return -EINVAL;
	if (args->ring_size < KFD_RING_BYTES_MIN || args->ring_size & (args->ring_size - 1) ||
	    !args->ring_address || args->ring_address % AQL_PACKET)
		return -EINVAL;
	if (args->write_pointer_address % sizeof(uint64_t) ||
	    args->read_pointer_address % sizeof(uint64_t))
		return -EFAULT;
	(void)process;
	return 0;
}

/* To debuggers. */
static bool queue_show(struct wt_owner_process *process, const struct kfd_create_queue *args,
		       uint32_t id)
{
	return wt_debug_add_queue(&process->debug,
				  &(struct kfd_queue_entry){
					  .ring_address = args->ring_address,
					  .write_pointer_address = args->write_pointer_address,
					  .read_pointer_address = args->read_pointer_address,
					  .save_address = args->save_address,
					  .queue_id = id,
					  .gpu_id = args->gpu_id,
					  .ring_size = args->ring_size,
					  .type = args->type,
					  .save_size = args->save_size,
				  });
}

int wt_owner_queue_create(struct wt_owner_process *process, struct kfd_create_queue *args)
{
	struct wt_owner *owner = process->owner;
	const struct wt_owner_agent *agent = wt_owner_agent_of(owner, args->gpu_id);
	struct wt_engine_queue_options options = {
		.ring_address = args->ring_address,
		.ring_size = args->ring_size,
		.write_pointer_address = args->write_pointer_address,
		.read_pointer_address = args->read_pointer_address,
		.save_address = args->save_address,
		.save_size = args->save_size,
	};
	int error = queue_check(process, args);
	uint64_t *doorbell;
	uint32_t id;

	if (error || !agent)
		return error ? error : -EINVAL;
	if (!process->acquired[agent - owner->agents])
		return -ENODEV;
	/* Queues of another packet format are not executed: said, and not taken as if they were. */
	if (args->type != KFD_QUEUE_COMPUTE_AQL && args->type != KFD_QUEUE_SDMA) {
		wt_owner_miss(owner, "a queue of type %u%s", args->type,
			      args->type == KFD_QUEUE_COMPUTE ? ", whose packets are PM4" : "");
		return -EINVAL;
	}
	error = queue_take_number(owner, &id);
	if (error)
		return error;
	doorbell = (uint64_t *)(void *)owner->doorbells + id;
	*doorbell = 0;
	options.agent = (uint32_t)(agent - owner->agents);
	options.kind = args->type == KFD_QUEUE_SDMA ? WT_ENGINE_SDMA : WT_ENGINE_AQL;
	options.doorbell = doorbell;
	error = wt_engine_queue_create(process->engine, id, &options);
	if (!error && !queue_show(process, args, id)) {
		wt_engine_queue_destroy(process->engine, id);
		error = -ENOMEM;
	}
	if (error) {
		owner->queues[id] = 0;
		return error;
	}
	process->queues[id] = true;
	args->queue_id = id;
	args->doorbell_offset = WT_DOORBELL_OFFSET + id * sizeof(*doorbell);
	owner->busy = wt_owner_clock(CLOCK_MONOTONIC);
	wt_owner_log(owner, "process %d makes queue %u, type %u, ring of %u bytes at %#llx",
		     process->pid, id, args->type, args->ring_size,
		     (unsigned long long)args->ring_address);
	return 0;
}

int wt_owner_queue_destroy(struct wt_owner_process *process, uint32_t id)
{
	if (id >= WT_QUEUES_MAX || !process->queues[id])
		return -EINVAL;
	process->queues[id] = process->held[id] = false;
	process->owner->queues[id] = 0;
	wt_debug_remove_queue(&process->debug, id);
	return wt_engine_queue_destroy(process->engine, id);
}

void wt_owner_queues_forget(struct wt_owner_process *process)
{
	for (uint32_t i = 0; i < WT_QUEUES_MAX; i++)
		if (process->queues[i])
			process->owner->queues[i] = 0;
}
