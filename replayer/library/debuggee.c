/* SPDX-License-Identifier: MIT */
#include "replayer/library/debuggee.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/plural.h"
#include "dbgapi/host/debugged-process.h"
#include "dbgapi/host/host.h"
#include "replayer/library/internal.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-wave.h"
#include "replayer/library/step.h"
#include "replayer/timeline/timeline.h"

#define INSTRUCTION 4u /* bytes of a breakpoint, of every architecture */
#define PATIENCE 16    /* looks of the client, of which each could find an event of the host */

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

/* Read the host's control block; false if the process has none. */
static bool debuggee_read_block(const struct wt_replay_process *process,
				struct wt_host_block *block_ret)
{
	return wt_debuggee_move(process, WT_HOST_BLOCK, block_ret, NULL, sizeof(*block_ret)) ==
		       sizeof(*block_ret) &&
	       block_ret->magic == WT_HOST_MAGIC;
}

/* Write a command into the host's control block. */
static void debuggee_tell(const struct wt_replay_process *process, enum wt_host_command command)
{
	const uint32_t word = command;

	wt_debuggee_move(process, WT_HOST_BLOCK + offsetof(struct wt_host_block, command), NULL,
			 &word, sizeof(word));
}

/* Is the address in the host's own memory, which the recorded process did not have? */
static bool debuggee_owns(const struct wt_replay_process *process, uint64_t address)
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

/* Remember the pc of each wave whose pc was recorded. */
static void debuggee_note_waves(struct wt_replay_process *process,
				const struct wt_recorded *recorded)
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

/* A recorded page, as it was last put into the host. */
struct wt_debuggee_page {
	uint64_t address;
	struct wt_bytes *bytes;
	UT_hash_handle hh;
};

/* A breakpoint that we put into the host, and what was there. */
struct wt_debuggee_trap {
	uint64_t address;
	uint8_t instruction[INSTRUCTION], original[INSTRUCTION];
	UT_hash_handle hh;
};

static void forget_traps(struct wt_replay_process *process)
{
	struct wt_debuggee_trap *trap, *next;

	HASH_ITER(hh, process->debuggee.traps, trap, next)
	{
		HASH_DEL(process->debuggee.traps, trap);
		free(trap);
	}
}

/* Forget which pages were written to the host. */
static void debuggee_forget_pages(struct wt_replay_process *process)
{
	struct wt_debuggee_page *page, *next;

	forget_traps(process);

	HASH_ITER(hh, process->debuggee.pages, page, next)
	{
		HASH_DEL(process->debuggee.pages, page);
		wt_bytes_release(page->bytes);
		free(page);
	}
	wt_images_deinit(&process->debuggee.images);
	process->debuggee.state = NULL;
}

/* ---- Breakpoints of the recorded client ---- */

static bool instruction_is_breakpoint(const uint8_t *instruction)
{
	for (size_t i = 0; i < wt_replayer.known.count; i++) {
		const struct wt_answer *breakpoint =
			wt_recorded_answer(&wt_replayer.facts, WT_OBJECT_ARCHITECTURE,
					   wt_replayer.known.architectures[i]->id,
					   AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION);

		if (breakpoint && breakpoint->status == AMD_DBGAPI_STATUS_SUCCESS &&
		    breakpoint->size == INSTRUCTION &&
		    !memcmp(breakpoint->value, instruction, INSTRUCTION))
			return true;
	}
	return false;
}

/*
 * In a page as it was recorded there may be breakpoints of the recorded client. This one inserts its own: what it finds in
 * their place is an instruction of the program, which it shows, and steps over as the recorded client did.
 */
static void take_breakpoints_out(const struct wt_image_range *range, uint64_t address,
				 uint8_t *data, size_t size)
{
	uint64_t end = address + size, range_end = range->address + range->size;
	uint64_t at = address > range->address ? address : range->address;

	if (range_end < end)
		end = range_end;
	for (at += -at % INSTRUCTION; at < end && end - at >= INSTRUCTION; at += INSTRUCTION) {
		const uint8_t *original = range->data + (at - range->address);
		uint8_t *there = data + (at - address);

		if (memcmp(there, original, INSTRUCTION) != 0 && instruction_is_breakpoint(there))
			memcpy(there, original, INSTRUCTION);
	}
}

/* The bytes of a page, without them. @buffer: of WT_PAGE bytes. @size_ret: how many there are. */
static void clean_page(const struct wt_replay_process *process, const struct wt_bytes *bytes,
		       uint64_t address, uint8_t *buffer, size_t *size_ret)
{
	const struct wt_images *images = &process->debuggee.images;

	*size_ret = bytes->size < WT_PAGE ? bytes->size : WT_PAGE;
	memcpy(buffer, bytes->data, *size_ret);
	for (size_t i = 0; i < images->count; i++)
		take_breakpoints_out(&images->ranges[i], address, buffer, *size_ret);
}

/* ---- Pages ---- */

static struct wt_debuggee_page *debuggee_page_remember(struct wt_replay_process *process,
						       uint64_t address)
{
	struct wt_debuggee_page *page;

	HASH_FIND(hh, process->debuggee.pages, &address, sizeof(address), page);
	if (page)
		return page;
	page = calloc(1, sizeof(*page));
	if (!page)
		return NULL;
	page->address = address;
	HASH_ADD(hh, process->debuggee.pages, address, sizeof(address), page);
	if (page->hh.tbl)
		return page;
	free(page);
	return NULL;
}

/*
 * Bytes that were not recorded to have changed stay as they are: the client may have put a
 * breakpoint among them. So does all that is the host's own.
 * @old: as they were put there before, @old_size bytes.
 */
static void debuggee_bytes_put(const struct wt_replay_process *process, uint64_t address,
			       const uint8_t *old, size_t old_size, const uint8_t *data,
			       size_t size)
{
	uint8_t there[WT_PAGE];

	if (size > sizeof(there) || debuggee_owns(process, address) ||
	    wt_debuggee_move(process, address, there, NULL, size) != size)
		return;
	for (size_t i = 0; i < size; i++)
		if (i >= old_size || old[i] != data[i])
			there[i] = data[i];
	wt_debuggee_move(process, address, NULL, there, size);
}

static void sync_page(struct wt_replay_process *process, const struct wt_item *item)
{
	struct wt_debuggee_page *page = debuggee_page_remember(process, item->key.address);
	struct wt_bytes *old = page ? page->bytes : NULL;
	uint8_t before[WT_PAGE] = {0}, now[WT_PAGE];
	size_t before_size = 0, now_size;

	if (old == item->bytes)
		return;
	if (old)
		clean_page(process, old, item->key.address, before, &before_size);
	clean_page(process, item->bytes, item->key.address, now, &now_size);
	debuggee_bytes_put(process, item->key.address, before, before_size, now, now_size);
	if (!page)
		return;
	page->bytes = wt_bytes_reference(item->bytes);
	wt_bytes_release(old);
}

static bool image_range_is_there(const struct wt_images *images, const struct wt_image_range *range)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->ranges[i].address == range->address &&
		    images->ranges[i].size == range->size && images->ranges[i].data == range->data)
			return true;
	return false;
}

/* Puts the bytes of a code object that came up where no recorded page has them. */
static void sync_range(const struct wt_replay_process *process, const struct wt_recorded *recorded,
		       const struct wt_image_range *range)
{
	for (uint64_t done = 0; done < range->size;) {
		uint64_t address = range->address + done, part = WT_PAGE - address % WT_PAGE;

		if (part > range->size - done)
			part = range->size - done;
		if (!wt_recorded_has_page(recorded, GFX_SPACE_GLOBAL, process->handle,
					  address - address % WT_PAGE))
			debuggee_bytes_put(process, address, NULL, 0, range->data + done,
					   (size_t)part);
		done += part;
	}
}

static void sync_images(struct wt_replay_process *process, const struct wt_recorded *recorded)
{
	struct wt_images images = {0};
	struct wt_error *error = wt_images_load(&images, recorded);

	if (error) {
		wt_replay_log_error(error);
		return;
	}
	for (size_t i = 0; i < images.count; i++)
		if (!image_range_is_there(&process->debuggee.images, &images.ranges[i]))
			sync_range(process, recorded, &images.ranges[i]);
	wt_images_deinit(&process->debuggee.images);
	process->debuggee.images = images;
}

static void sync_pages(struct wt_replay_process *process, const struct wt_recorded *recorded)
{
	const struct wt_key first =
		wt_recorded_page_key(recorded, GFX_SPACE_GLOBAL, process->handle, 0);

	for (size_t i = wt_state_lower_bound(recorded->state, &first);
	     first.kind && i < wt_state_count(recorded->state); i++) {
		const struct wt_item *item = wt_state_at(recorded->state, i);

		if (item->key.type != first.type || item->key.kind != first.kind ||
		    item->key.owner != first.owner)
			break;
		if (item->status == AMD_DBGAPI_STATUS_SUCCESS && item->bytes &&
		    item->key.address % WT_PAGE == 0 && item->bytes->size <= WT_PAGE)
			sync_page(process, item);
	}
}

/* Put a breakpoint to where the recording has one at an address, unless the client has one there itself. */
static void put_breakpoint(struct wt_replay_process *process, const struct wt_recorded *recorded,
			   uint64_t address, const struct wt_answer *instruction)
{
	uint64_t offset = address % WT_PAGE;
	const struct wt_key key =
		wt_recorded_page_key(recorded, GFX_SPACE_GLOBAL, process->handle, address - offset);
	const struct wt_item *page = key.kind ? wt_state_get(recorded->state, &key) : NULL;
	struct wt_debuggee_trap *trap;

	if (instruction->size != INSTRUCTION || !page ||
	    page->status != AMD_DBGAPI_STATUS_SUCCESS || !page->bytes ||
	    offset >= page->bytes->size || INSTRUCTION > page->bytes->size - offset ||
	    memcmp(page->bytes->data + offset, instruction->value, INSTRUCTION) != 0)
		return;
	trap = calloc(1, sizeof(*trap));
	if (!trap)
		return;
	trap->address = address;
	memcpy(trap->instruction, instruction->value, INSTRUCTION);
	if (wt_debuggee_move(process, address, trap->original, NULL, INSTRUCTION) == INSTRUCTION &&
	    memcmp(trap->original, trap->instruction, INSTRUCTION) != 0)
		HASH_ADD(hh, process->debuggee.traps, address, sizeof(address), trap);
	if (!trap->hh.tbl) {
		free(trap);
		return;
	}
	wt_debuggee_move(process, address, NULL, trap->instruction, INSTRUCTION);
}

/* Bytes that the client has written there since then stay. */
static void take_trap_back(struct wt_replay_process *process, struct wt_debuggee_trap *trap)
{
	uint8_t there[INSTRUCTION];

	if (wt_debuggee_move(process, trap->address, there, NULL, INSTRUCTION) == INSTRUCTION &&
	    !memcmp(there, trap->instruction, INSTRUCTION))
		wt_debuggee_move(process, trap->address, NULL, trap->original, INSTRUCTION);
	HASH_DEL(process->debuggee.traps, trap);
	free(trap);
}

static void take_traps_back(struct wt_replay_process *process)
{
	struct wt_debuggee_trap *trap, *next;

	HASH_ITER(hh, process->debuggee.traps, trap, next)
	{
		take_trap_back(process, trap);
	}
}

/* In bytes that were read: the program's where a trap was put. */
static void hide_trap(const struct wt_debuggee_trap *trap, uint64_t address, uint8_t *data,
		      size_t size)
{
	for (size_t i = 0; i < INSTRUCTION; i++) {
		uint64_t at = trap->address + i;

		if (at >= address && at - address < size &&
		    data[at - address] == trap->instruction[i])
			data[at - address] = trap->original[i];
	}
}

/*
 * The client has read memory through a wave. If that was a breakpoint that was put there, and nothing beside it, it has looked
 * for it: the breakpoint is taken back. In what else it reads, @data, it gets the program's instruction.
 */
static void debuggee_was_read(struct wt_replay_process *process, uint64_t address, void *data,
			      size_t size)
{
	struct wt_debuggee_trap *trap, *next;

	HASH_ITER(hh, process->debuggee.traps, trap, next)
	{
		if (address == trap->address && size == INSTRUCTION)
			take_trap_back(process, trap);
		else
			hide_trap(trap, address, data, size);
	}
}

/* The client is about to write memory through a wave: what was put there before is taken back. */
static void debuggee_is_written(struct wt_replay_process *process, uint64_t address, size_t size)
{
	struct wt_debuggee_trap *trap, *next;

	HASH_ITER(hh, process->debuggee.traps, trap, next)
	{
		if (address < trap->address + INSTRUCTION && trap->address < address + size)
			take_trap_back(process, trap);
	}
}

/*
 * A wave's stop is reported. If it is for a breakpoint that the client does not have in its program, it is put there: GDB
 * takes such a stop for one that comes late, and lets the wave go on, unless it finds the instruction. It is taken back
 * as soon as the client has looked for it, and when the replay moves on.
 * @wave: as recorded.
 */
static void debuggee_put_breakpoint(struct wt_replay_process *process, uint64_t wave)
{
	const struct wt_recorded *recorded = &process->timeline.recorded;
	const struct wt_answer *instruction;
	uint64_t reason, architecture, pc;

	if (!process->debuggee.present ||
	    wt_timeline_wave_stopped_on_request(&process->timeline, wave) ||
	    !wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
				&reason) ||
	    !(reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT) ||
	    !wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
				&architecture) ||
	    !wt_replay_wave_pc(process, wave, &pc))
		return;
	instruction = wt_recorded_answer(recorded, WT_OBJECT_ARCHITECTURE, architecture,
					 AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION);
	if (instruction && instruction->status == AMD_DBGAPI_STATUS_SUCCESS)
		put_breakpoint(process, recorded, pc, instruction);
}

/* After travelling, GDB may keep waves stopped without an event. */
static void put_breakpoints(struct wt_replay_process *process, const struct wt_timeline *timeline)
{
	const struct wt_item *waves = wt_recorded_function(
		&timeline->recorded, WT_ITEM_LIST, WT_FUNCTION_PROCESS_WAVE_LIST, process->handle);

	for (size_t i = 0; waves && i < waves->handle_count; i++)
		if (wt_timeline_wave_state(timeline, waves->handles[i]) ==
		    AMD_DBGAPI_WAVE_STATE_STOP)
			debuggee_put_breakpoint(process, waves->handles[i]);
}

void wt_debuggee_sync(struct wt_replay_process *process)
{
	const struct wt_timeline *timeline = &process->timeline;

	if (!process->debuggee.present || process->debuggee.held || !timeline->attached ||
	    (process->debuggee.state == timeline->state &&
	     process->debuggee.position == timeline->state_position))
		return;
	debuggee_note_waves(process, &timeline->recorded);
	take_traps_back(process);
	sync_images(process, &timeline->recorded);
	sync_pages(process, &timeline->recorded);
	if (timeline->arrived)
		put_breakpoints(process, timeline);
	process->debuggee.state = timeline->state;
	process->debuggee.position = timeline->state_position;
}

/* ---- The ready function ---- */

/*
 * The library has a breakpoint there, as a real one has where the runtime loads code, and lets the host call it when the client is to
 * look.
 */

uint64_t wt_debuggee_breakpoint(const struct wt_replay_process *process)
{
	return (UINT64_C(1) << 40) + process->slot;
}

/* Have the client insert the breakpoint at the ready function, or remove it. */
static void debuggee_ask_for_breakpoint(struct wt_replay_process *process)
{
	amd_dbgapi_status_t status = wt_replayer.client.callbacks.insert_breakpoint(
		process->client, process->debuggee.ready,
		(amd_dbgapi_breakpoint_id_t){wt_debuggee_breakpoint(process)});

	process->debuggee.breakpoint = status == AMD_DBGAPI_STATUS_SUCCESS;
	process->timeline.calls = process->debuggee.breakpoint;
	if (!process->debuggee.breakpoint)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: the client cannot put a breakpoint into wavetape-host: it "
			      "will not see the recorded stops");
}

static void debuggee_take_breakpoint_back(struct wt_replay_process *process)
{
	if (process->debuggee.breakpoint)
		wt_replayer.client.callbacks.remove_breakpoint(
			process->client,
			(amd_dbgapi_breakpoint_id_t){wt_debuggee_breakpoint(process)});
	process->debuggee.breakpoint = process->timeline.calls = false;
	process->timeline.call_awaited = false;
}

void wt_debuggee_pump(struct wt_replay_process *process)
{
	/* The first time is for the runtime. */
	if (TAILQ_EMPTY(&process->timeline.queue))
		process->debuggee.quiet = false;
	if (process->debuggee.leaving == WT_DEBUGGEE_MAY_LEAVE)
		debuggee_take_breakpoint_back(process);
}

void wt_debuggee_processed(struct wt_replay_process *process, amd_dbgapi_event_kind_t kind)
{
	if (kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME &&
	    process->debuggee.leaving == WT_DEBUGGEE_LEAVES)
		process->debuggee.leaving = WT_DEBUGGEE_MAY_LEAVE;
}

/* ---- Calls ---- */

static uint32_t last_command(const struct wt_replay_process *process)
{
	struct wt_host_block block;

	return debuggee_read_block(process, &block) ? block.command : (uint32_t)WT_HOST_WAIT;
}

/* A debugger may keep the host's thread from running, and let waves go. */
static bool host_runs(const struct wt_replay_process *process)
{
	return !process->has_os_id || wt_host_runs(process->os_id);
}

/*
 * Let the host call the ready function; false if the client keeps it from running, so that it never would. The host may
 * also be stopped for an event that the client has not looked at yet: so the client is made to look, some times.
 */
static bool call_host(struct wt_replay_process *process)
{
	if (process->debuggee.calling && last_command(process) == WT_HOST_WAIT)
		return true; /* it is there, and the client has not said so yet */
	if (host_runs(process)) {
		if (!process->debuggee.calling)
			debuggee_tell(process, WT_HOST_CALL);
		process->debuggee.calling = true;
		process->debuggee.stopped = 0;
		return true;
	}
	if (process->debuggee.stopped++ < PATIENCE) {
		wt_replay_make_pump(process);
		return true;
	}
	process->debuggee.stopped = 0;
	if (process->debuggee.calling)
		debuggee_tell(process, WT_HOST_WAIT);
	process->debuggee.calling = false;
	return false;
}

/* Does the host's thread run, or has it stopped for something that the client may not have looked at yet? */
static bool host_may_move(struct wt_replay_process *process)
{
	if (host_runs(process)) {
		process->debuggee.stopped = 0;
		return true;
	}
	if (process->debuggee.stopped++ == PATIENCE) {
		process->debuggee.stopped = 0;
		return false;
	}
	wt_replay_make_pump(process);
	return true;
}

/* Queues the events that let the host's thread go on, and tell of a changed list of code objects. */
static bool queue_answer(struct wt_replay_process *process, bool code)
{
	struct wt_timeline *timeline = &process->timeline;
	struct wt_timeline_event *resume =
		wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME, 0, NULL);
	struct wt_timeline_event *update = NULL;

	if (resume)
		wt_timeline_put_first(timeline, resume);
	if (resume && code)
		update = wt_timeline_make_event(
			timeline, AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED, 0, NULL);
	if (update)
		wt_timeline_put_first(timeline, update);
	return resume && (update || !code);
}

static amd_dbgapi_status_t ready_hit(struct wt_replay_process *process,
				     amd_dbgapi_breakpoint_action_t *action)
{
	struct wt_timeline *timeline = &process->timeline;
	bool code = process->debuggee.held || timeline->code_stale;

	process->debuggee.calling = false;
	*action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	if (code || process->debuggee.leaving == WT_DEBUGGEE_LEAVES) {
		if (!queue_answer(process, code))
			return AMD_DBGAPI_STATUS_FATAL;
		*action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;
	}
	process->debuggee.held = timeline->paused = false;
	timeline->code_stale = timeline->call_awaited = false;
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_answer_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				amd_dbgapi_client_thread_id_t client_thread_id,
				amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_BREAKPOINT, breakpoint_id.handle);
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wt_replay_note_thread(client_thread_id);
	if (!breakpoint_action)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_exists(process, WT_OBJECT_BREAKPOINT, breakpoint_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	if (breakpoint_id.handle == wt_debuggee_breakpoint(process))
		return ready_hit(process, breakpoint_action);
	status = wt_replay_breakpoint_hit(process, breakpoint_id.handle, breakpoint_action);
	if (status != AMD_DBGAPI_STATUS_SUCCESS ||
	    *breakpoint_action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT)
		return status;
	return wt_replay_release(process, WT_FUNCTION_REPORT_BREAKPOINT_HIT);
}

amd_dbgapi_status_t wt_debuggee_no_code(size_t *count, void *array, amd_dbgapi_changed_t *changed)
{
	const uint64_t none = 0;
	amd_dbgapi_status_t status =
		wt_client_return_list(&wt_replayer.client, changed ? NULL : &none, 0, count, array);

	if (status == AMD_DBGAPI_STATUS_SUCCESS && changed)
		*changed = AMD_DBGAPI_CHANGED_NO;
	return status;
}

/* ---- The process is let go ---- */

/* Does the client keep a wave from running? */
static bool holds_a_wave(const struct wt_replay_process *process, const struct wt_item *waves)
{
	for (size_t i = 0; waves && i < waves->handle_count; i++)
		if (wt_timeline_wave_state(&process->timeline, waves->handles[i]) ==
		    AMD_DBGAPI_WAVE_STATE_STOP)
			return true;
	return false;
}

/* False if there is no need for a call, or it would never come. */
static bool code_call_announce(struct wt_replay_process *process)
{
	struct wt_timeline *timeline = &process->timeline;

	if (!timeline->calls || !(timeline->code_stale || timeline->call_awaited))
		return false;
	if (call_host(process))
		return true;
	timeline->call_awaited = false;
	return false;
}

static bool end_commands(struct wt_replay_process *process, enum wt_timeline_ended which)
{
	if (!wt_timeline_end_commanded(&process->timeline, which))
		return false;
	wt_client_log(
		&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		"wavetape: the recording does not go on with this wave alone: it stays where it "
		"is");
	wt_replay_notify();
	return true;
}

/*
 * The host has to be gone without the breakpoint: a client removes what is in memory. It does so while the host's thread
 * is stopped there for the last time. Where the client lets a wave go alone, and not the host's thread, it waits for the wave.
 */
static void host_breakpoint_leave(struct wt_replay_process *process)
{
	if (!process->debuggee.breakpoint) {
		debuggee_tell(process, WT_HOST_EXIT);
		return;
	}
	if (process->debuggee.leaving == WT_DEBUGGEE_MAY_LEAVE)
		wt_replay_make_pump(process);
	else if (call_host(process))
		process->debuggee.leaving = WT_DEBUGGEE_LEAVES;
	else
		end_commands(process, WT_TIMELINE_ENDS_ALL);
}

/* GDB takes a wave for a running one until it has its event, and would wait for ever. */
static bool report_standing(struct wt_replay_process *process)
{
	size_t count = wt_timeline_report_standing(&process->timeline);

	if (!count)
		return false;
	wt_client_log(
		&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		"wavetape: no event reported that %zu recorded %s stopped: %s shown as stopped "
		"all the same",
		count, wt_plural(count, "wave", "waves"), count == 1 ? "it is" : "they are");
	wt_replay_notify();
	return true;
}

static bool told_of_step(bool made)
{
	if (!made)
		return false;
	wt_client_log(
		&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		"wavetape: the recording does not have this step: the wave is shown behind the "
		"instruction, and what that has written is not known");
	wt_replay_notify();
	return true;
}

/* Is there a wave that steps, and of whose fault the runtime is told with that? */
static bool process_steps_told(const struct wt_replay_process *process, uint64_t *wave_ret)
{
	const uint64_t wave = wt_timeline_next_step(&process->timeline, 0);

	for (size_t i = 0; wave && i < process->step_count; i++)
		if (process->steps[i].wave == wave && process->steps[i].told) {
			*wave_ret = wave;
			return true;
		}
	return false;
}

/* The recording goes on with all waves. Where the client holds the others, their next stops would be left out. */
static bool step_alone(struct wt_replay_process *process)
{
	uint64_t wave = wt_timeline_steps_alone(&process->timeline);

	/* A lone wave has no others that could be held: the host's thread is. */
	if (!wave && process_steps_told(process, &wave) && host_runs(process))
		wave = 0;
	return told_of_step(wave && wt_step_make(process, wave, false));
}

static bool make_steps(struct wt_replay_process *process)
{
	return told_of_step(wt_step_make_all(process));
}

void wt_debuggee_stay(struct wt_replay_process *process)
{
	process->debuggee.leaving = WT_DEBUGGEE_STAYS;
}

void wt_debuggee_run(struct wt_replay_process *process)
{
	struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *waves;
	bool held, made, moves;

	process->debuggee.quiet = false;

	if (!process->debuggee.present || !timeline->attached || timeline->paused)
		return;
	if (TAILQ_EMPTY(&timeline->queue) && step_alone(process))
		return;
	if (wt_timeline_pending(timeline) || code_call_announce(process))
		return;
	waves = wt_recorded_function(&timeline->recorded, WT_ITEM_LIST,
				     WT_FUNCTION_PROCESS_WAVE_LIST, process->handle);
	held = holds_a_wave(process, waves);
	made = make_steps(process);
	/* The client may be about to let the wave go, when the host's thread has come past a breakpoint. */
	moves = held && !made && host_may_move(process);
	/* A host that does not run cannot exit: it may be held, as the wave is. */
	if (end_commands(process, moves	 ? WT_TIMELINE_ENDS_STEPS_THAT_RUN
				  : held ? WT_TIMELINE_ENDS_ALL
					 : WT_TIMELINE_ENDS_STEPS) ||
	    made || moves)
		return;
	/* Waves that never were stopped run for ever: the client may stop them when it likes. */
	if (wt_timeline_is_last(timeline) &&
	    (!waves || !waves->handle_count || wt_timeline_has_resumed(timeline)))
		host_breakpoint_leave(process);
	else if (!report_standing(process))
		process->debuggee.leaving = WT_DEBUGGEE_STAYS;
}

/* ---- What the client is told of ---- */

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
		debuggee_put_breakpoint(process, event->wave);
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

		if (!debuggee_owns(process, at))
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

	debuggee_was_read(process, address, data, done);
	return done;
}

size_t wt_debuggee_write(struct wt_replay_process *process, const struct wt_access *access,
			 uint64_t address, const void *data, size_t size)
{
	debuggee_is_written(process, address, size);
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
	if (!debuggee_read_block(process, &block) || block.ready < WT_HOST_START ||
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
	debuggee_ask_for_breakpoint(process);
	/* GDB attaches to a stopped process, and takes an event before it lets it run for a bug. */
	process->debuggee.quiet = !process->debuggee.held;
}

void wt_debuggee_close(struct wt_replay_process *process)
{
	debuggee_take_breakpoint_back(process);
	if (process->debuggee.present || process->debuggee.memory > 0) {
		debuggee_forget_pages(process);
		debuggee_forget_waves(process);
		if (process->debuggee.memory >= 0)
			close(process->debuggee.memory);
	}
	process->debuggee = (struct wt_debuggee){.memory = -1};
	process->timeline.paused = process->timeline.hosted = false;
	process->timeline.calls = process->timeline.call_awaited = false;
}
