/* SPDX-License-Identifier: MIT */
#include "replayer/library/debuggee.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dbgapi/host/debugged-process.h"
#include "replayer/library/internal.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-wave.h"
#include "replayer/timeline/timeline.h"

struct wt_debuggee_wave {
	uint64_t wave, pc;
	uint32_t position; /* of the moment */
	UT_hash_handle hh;
};

/* ---- The host's memory ---- */

static size_t by_callback(const struct wt_replay_process *process, uint64_t address, void *read_to,
			  const void *write_from, size_t size)
{
	amd_dbgapi_size_t moved = size;

	if (wt_replayer.client.callbacks.xfer_global_memory(process->client, address, &moved,
							    read_to, write_from) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    moved > size)
		return 0;
	return (size_t)moved;
}

size_t wt_debuggee_move(const struct wt_replay_process *process, uint64_t address, void *read_to,
			const void *write_from, size_t size)
{
	if (!size)
		return 0;
	return process->debuggee.memory >= 0
		       ? wt_host_move(process->debuggee.memory, address, read_to, write_from, size)
		       : by_callback(process, address, read_to, write_from, size);
}

bool wt_debuggee_read_block(const struct wt_replay_process *process,
			    struct wt_host_block *block_ret)
{
	return wt_debuggee_move(process, WT_HOST_BLOCK, block_ret, NULL, sizeof(*block_ret)) ==
		       sizeof(*block_ret) &&
	       block_ret->magic == WT_HOST_MAGIC;
}

void wt_debuggee_tell(const struct wt_replay_process *process, enum wt_host_command command)
{
	const uint32_t word = command;

	wt_debuggee_move(process, WT_HOST_BLOCK + offsetof(struct wt_host_block, command), NULL,
			 &word, sizeof(word));
}

bool wt_debuggee_owns(const struct wt_replay_process *process, uint64_t address)
{
	return process->debuggee.present && address >= WT_HOST_START && address < WT_HOST_END;
}

/* ---- Where waves are ---- */

static struct wt_debuggee_wave *debuggee_wave_find(const struct wt_replay_process *process,
						   uint64_t wave)
{
	struct wt_debuggee_wave *found;

	HASH_FIND(hh, process->debuggee.waves, &wave, sizeof(wave), found);
	return found;
}

static void note_wave(struct wt_replay_process *process, uint64_t wave, uint64_t pc)
{
	const uint32_t position = process->timeline.position;
	struct wt_debuggee_wave *found = debuggee_wave_find(process, wave);

	if (found) {
		found->pc = pc;
		found->position = position;
		return;
	}
	found = calloc(1, sizeof(*found));
	if (!found)
		return;
	*found = (struct wt_debuggee_wave){.wave = wave, .pc = pc, .position = position};
	HASH_ADD(hh, process->debuggee.waves, wave, sizeof(wave), found);
	if (!found->hh.tbl)
		free(found);
}

void wt_debuggee_note_waves(struct wt_replay_process *process, const struct wt_recorded *recorded)
{
	const struct wt_item *list = wt_recorded_function(
		recorded, WT_ITEM_LIST, WT_FUNCTION_PROCESS_WAVE_LIST, process->handle);
	uint64_t pc;

	for (size_t i = 0; list && i < list->handle_count; i++)
		if (wt_recorded_number(recorded, WT_OBJECT_WAVE, list->handles[i],
				       AMD_DBGAPI_WAVE_INFO_PC, &pc))
			note_wave(process, list->handles[i], pc);
}

static void debuggee_forget_waves(struct wt_replay_process *process)
{
	struct wt_debuggee_wave *wave, *next;

	HASH_ITER(hh, process->debuggee.waves, wave, next)
	{
		HASH_DEL(process->debuggee.waves, wave);
		free(wave);
	}
}

bool wt_debuggee_pc(const struct wt_replay_process *process, uint64_t wave, uint64_t *pc_ret)
{
	const struct wt_recorded *recorded = &process->timeline.recorded;
	const struct wt_debuggee_wave *seen = debuggee_wave_find(process, wave);
	uint64_t dispatch;

	if (!process->debuggee.present)
		return false;
	/* After travelling back, what was seen may be still to come. */
	if (seen && seen->position <= process->timeline.position)
		*pc_ret = seen->pc;
	else if (!wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
				     &dispatch) ||
		 !wt_recorded_number(recorded, WT_OBJECT_DISPATCH, dispatch,
				     AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, pc_ret))
		return false;
	return true;
}

/* The client has a wave as a stopped one: if it ran, its pc is not of this moment. */
static void remark_on(struct wt_replay_process *process, uint64_t wave)
{
	uint64_t pc;

	if (!process->debuggee.present || process->debuggee.told ||
	    wt_recorded_number(&process->timeline.recorded, WT_OBJECT_WAVE, wave,
			       AMD_DBGAPI_WAVE_INFO_PC, &pc))
		return;
	wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		      "wavetape: waves ran at this stop when it was recorded: they are shown where "
		      "they were seen last, and their registers are not known");
	process->debuggee.told = true;
}

void wt_debuggee_reported(struct wt_replay_process *process, const struct wt_timeline_event *event)
{
	if (!event || event->kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
		return;
	/* First take back what the stop before had put there. */
	wt_debuggee_sync(process);
	if (!event->step)
		wt_debuggee_put_breakpoint(process, event->wave);
	if (!event->recorded)
		remark_on(process, event->wave);
}

void wt_debuggee_arrived(struct wt_replay_process *process)
{
	const struct wt_item *waves =
		wt_recorded_function(&process->timeline.recorded, WT_ITEM_LIST,
				     WT_FUNCTION_PROCESS_WAVE_LIST, process->handle);

	wt_debuggee_sync(process);
	for (size_t i = 0; waves && i < waves->handle_count; i++)
		remark_on(process, waves->handles[i]);
}

/* ---- Reading and writing ---- */

/* How much from an address on is recorded at this moment, whatever the host has there. */
static size_t recorded_size(const struct wt_access *access, uint64_t address, size_t size)
{
	uint8_t ignored[WT_PAGE];

	return wt_access_read(access, GFX_SPACE_GLOBAL, address, ignored,
			      size < sizeof(ignored) ? size : sizeof(ignored));
}

static size_t debuggee_memory_transfer(const struct wt_replay_process *process,
				       const struct wt_access *access, uint64_t address,
				       void *read_to, const void *write_from, size_t size)
{
	size_t done = 0;

	while (done < size && address + done >= address) {
		uint64_t at = address + done;
		size_t part = size - done, moved;

		if (!wt_debuggee_owns(process, at))
			part = recorded_size(access, at, part);
		else if (part > WT_HOST_END - at)
			part = (size_t)(WT_HOST_END - at);
		moved = wt_debuggee_move(process, at, read_to ? (uint8_t *)read_to + done : NULL,
					 write_from ? (const uint8_t *)write_from + done : NULL,
					 part);
		done += moved;
		if (!part || moved < part)
			break;
	}
	return done;
}

size_t wt_debuggee_read(struct wt_replay_process *process, const struct wt_access *access,
			uint64_t address, void *data, size_t size)
{
	size_t done = debuggee_memory_transfer(process, access, address, data, NULL, size);

	wt_debuggee_was_read(process, address, data, done);
	return done;
}

size_t wt_debuggee_write(struct wt_replay_process *process, const struct wt_access *access,
			 uint64_t address, const void *data, size_t size)
{
	wt_debuggee_is_written(process, address, size);
	return debuggee_memory_transfer(process, access, address, NULL, data, size);
}

/* ---- Its life ---- */

/* Every client wants to hear first that there is a runtime, and only this once. */
static bool debuggee_announce_runtime(struct wt_replay_process *process)
{
	struct wt_timeline_event *event =
		wt_timeline_make_event(&process->timeline, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0, NULL);

	if (event)
		event->runtime = AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
	return event;
}

void wt_debuggee_open(struct wt_replay_process *process)
{
	struct wt_host_block block;

	process->debuggee = (struct wt_debuggee){.memory = -1};
	if (!wt_replayer.options.host)
		return;
	if (process->has_os_id)
		process->debuggee.memory = wt_host_open(process->os_id);
	if (!wt_debuggee_read_block(process, &block) || block.ready < WT_HOST_START ||
	    block.ready >= WT_HOST_END) {
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: the process is not wavetape-host: memory is seen through "
			      "waves alone");
		wt_debuggee_close(process);
		return;
	}
	process->debuggee.present = true;
	process->debuggee.ready = block.ready;
	process->debuggee.held = process->timeline.paused = block.state != WT_HOST_READY;
	process->timeline.hosted = true;
	debuggee_announce_runtime(process);
	wt_debuggee_ask_for_breakpoint(process);
	/* GDB attaches to a stopped process, and takes an event before it lets it run for a bug. */
	process->debuggee.quiet = !process->debuggee.held;
}

void wt_debuggee_close(struct wt_replay_process *process)
{
	wt_debuggee_take_breakpoint_back(process);
	if (process->debuggee.present || process->debuggee.memory > 0) {
		wt_debuggee_forget_pages(process);
		debuggee_forget_waves(process);
		if (process->debuggee.memory >= 0)
			close(process->debuggee.memory);
	}
	process->debuggee = (struct wt_debuggee){.memory = -1};
	process->timeline.paused = process->timeline.hosted = false;
	process->timeline.calls = process->timeline.call_awaited = false;
}
