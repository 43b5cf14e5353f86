/* SPDX-License-Identifier: MIT */
/*
 * wavetape-host as the client's process. A debugger inserts breakpoints for the GPU where its program has the GPU's memory:
 * through a wave, or, while a thread of the program is selected, as in any other process. So the host maps the device's
 * memory, and both ways reach the same bytes.
 *
 * Like the program of a GPU it tells its debugger when code is loaded: at first when it has its memory, which is when code
 * objects come to be, and when the workload loads or unloads some. It ends when the workload has nothing more to run.
 */
#include "dbgapi/simulated/internal.h"

#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "dbgapi/host/debugged-process.h"

static bool read_block(const struct wt_stand_in *stand_in, struct wt_host_block *block_ret)
{
	return wt_host_move(stand_in->memory, WT_HOST_BLOCK, block_ret, NULL, sizeof(*block_ret)) ==
		       sizeof(*block_ret) &&
	       block_ret->magic == WT_HOST_MAGIC;
}

static void stand_in_tell(const struct wt_stand_in *stand_in, enum wt_host_command command)
{
	const uint32_t word = command;

	wt_host_move(stand_in->memory, WT_HOST_BLOCK + offsetof(struct wt_host_block, command),
		     NULL, &word, sizeof(word));
}

/* A host that has its memory already has another one's. */
static bool is_new_host(const struct wt_host_block *block)
{
	return block->state == WT_HOST_MAPPING && block->ready >= WT_HOST_START &&
	       block->ready < WT_HOST_END;
}

struct wt_error *wt_stand_in_open(struct wt_api_process *process)
{
	struct wt_stand_in *stand_in = &process->stand_in;
	struct wt_host_block block;

	if (!process->has_os_id)
		return NULL;
	stand_in->memory = wt_host_open(process->os_id);
	if (stand_in->memory < 0 || !read_block(stand_in, &block) || !is_new_host(&block))
		return NULL;
	stand_in->present = stand_in->held = true;
	stand_in->ready = block.ready;
	return wt_host_shared_init(&stand_in->shared);
}

/* The host opens the file by our own number of it. */
static bool stand_in_give_file(const struct wt_stand_in *stand_in)
{
	char path[WT_HOST_IMAGE_SIZE] = "";
	int size = snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(),
			    stand_in->shared.file);

	return size > 0 && (size_t)size < sizeof(path) &&
	       wt_host_move(stand_in->memory, WT_HOST_BLOCK + offsetof(struct wt_host_block, image),
			    NULL, path, sizeof(path)) == sizeof(path);
}

struct wt_error *wt_stand_in_start(struct wt_api_process *process)
{
	struct wt_stand_in *stand_in = &process->stand_in;
	struct wt_error *error;

	if (!stand_in->present)
		return NULL;
	error = wt_host_shared_update(&stand_in->shared, process->device);
	if (!error && !stand_in_give_file(stand_in))
		error = wt_error_create(WT_ERROR_IO, "cannot share the memory of the simulated GPU",
					"wavetape-host", "its memory cannot be written");
	return error;
}

void wt_stand_in_close(struct wt_api_process *process)
{
	if (process->stand_in.memory >= 0)
		close(process->stand_in.memory);
	wt_host_shared_deinit(&process->stand_in.shared);
	process->stand_in = (struct wt_stand_in){.memory = -1, .shared.file = -1};
}

/* ---- Its ready function ---- */

static void stand_in_release(struct wt_api_process *process)
{
	process->stand_in.held = false;
	if (!wt_device_show_code(process))
		process->out_of_memory = true;
	if (process->device->operations->begin)
		process->device->operations->begin(process->device);
	wt_notifier_mark(process);
}

/* Without a breakpoint there is no other way to learn of it. */
static void look_whether_ready(struct wt_api_process *process)
{
	struct wt_host_block block;

	if (read_block(&process->stand_in, &block) && block.state == WT_HOST_READY)
		stand_in_release(process);
	else
		wt_notifier_mark(process);
}

bool wt_stand_in_is_held(struct wt_api_process *process)
{
	return process->stand_in.held;
}

bool wt_stand_in_is_ready(struct wt_api_process *process, bool *code_ret)
{
	struct wt_stand_in *stand_in = &process->stand_in;

	stand_in->calling = false;
	if (stand_in->held) {
		stand_in_release(process);
		*code_ret = true;
		return true;
	}
	*code_ret = false;
	return stand_in->leaving == WT_STAND_IN_LEAVES;
}

static void stand_in_call(struct wt_stand_in *stand_in)
{
	if (!stand_in->calling)
		stand_in_tell(stand_in, WT_HOST_CALL);
	stand_in->calling = true;
}

/* ---- Its end ---- */

/*
 * The host has to end without the client's breakpoint, which the client takes out of its memory: when the host has called its
 * ready function once more, and its thread has gone on from there.
 */
static void stand_in_leave(struct wt_api_process *process)
{
	struct wt_stand_in *stand_in = &process->stand_in;

	if (!wt_next(process, WT_OBJECT_BREAKPOINT, NULL)) {
		stand_in_tell(stand_in, WT_HOST_EXIT);
	} else if (stand_in->leaving == WT_STAND_IN_MAY_LEAVE) {
		wt_notifier_mark(process);
	} else {
		stand_in->leaving = WT_STAND_IN_LEAVES;
		stand_in_call(stand_in);
	}
}

void wt_stand_in_resumed(struct wt_api_process *process)
{
	if (process->stand_in.leaving == WT_STAND_IN_LEAVES)
		process->stand_in.leaving = WT_STAND_IN_MAY_LEAVE;
}

void wt_stand_in_pump(struct wt_api_process *process)
{
	if (process->stand_in.leaving == WT_STAND_IN_MAY_LEAVE)
		wt_breakpoint_remove(process);
	if (process->stand_in.held && !wt_next(process, WT_OBJECT_BREAKPOINT, NULL))
		look_whether_ready(process);
}

/* ---- While it runs ---- */

static void share_more(struct wt_api_process *process)
{
	struct wt_stand_in *stand_in = &process->stand_in;
	const size_t before = stand_in->shared.count;
	wt_cleanup_error struct wt_error *error =
		wt_host_shared_update(&stand_in->shared, process->device);
	const uint32_t count = (uint32_t)stand_in->shared.count;

	if (error)
		wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_WARNING, error);
	if (!error && stand_in->shared.count != before)
		wt_host_move(stand_in->memory,
			     WT_HOST_BLOCK + offsetof(struct wt_host_block, ranges), NULL, &count,
			     sizeof(count));
}

void wt_stand_in_ran(struct wt_api_process *process, bool idle)
{
	struct wt_device *device = process->device;

	if (!process->stand_in.present)
		return;
	share_more(process);
	if (device->operations->program_is_stopped(device))
		stand_in_call(&process->stand_in);
	else if (idle && TAILQ_EMPTY(&process->queued))
		stand_in_leave(process);
}

size_t wt_stand_in_move(const struct wt_api_process *process, uint64_t address, void *read_to,
			const void *write_from, size_t size)
{
	const struct wt_stand_in *stand_in = &process->stand_in;

	if (!stand_in->present || address < WT_HOST_START || address >= WT_HOST_END)
		return 0;
	if (size > WT_HOST_END - address)
		size = (size_t)(WT_HOST_END - address);
	return wt_host_move(stand_in->memory, address, read_to, write_from, size);
}
