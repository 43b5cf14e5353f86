/* SPDX-License-Identifier: MIT */
/* The memory of the moment that was reached, put into the host program. */
#include <stdlib.h>
#include <string.h>

#include "replayer/library/debuggee.h"
#include "replayer/library/internal.h"
#include "replayer/library/replay-wave.h"
#include "replayer/timeline/timeline.h"

#define INSTRUCTION 4u /* bytes of a breakpoint, of every architecture */

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

void wt_debuggee_forget_pages(struct wt_replay_process *process)
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

	if (size > sizeof(there) || wt_debuggee_owns(process, address) ||
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

void wt_debuggee_was_read(struct wt_replay_process *process, uint64_t address, void *data,
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

void wt_debuggee_is_written(struct wt_replay_process *process, uint64_t address, size_t size)
{
	struct wt_debuggee_trap *trap, *next;

	HASH_ITER(hh, process->debuggee.traps, trap, next)
	{
		if (address < trap->address + INSTRUCTION && trap->address < address + size)
			take_trap_back(process, trap);
	}
}

void wt_debuggee_put_breakpoint(struct wt_replay_process *process, uint64_t wave)
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
			wt_debuggee_put_breakpoint(process, waves->handles[i]);
}

void wt_debuggee_sync(struct wt_replay_process *process)
{
	const struct wt_timeline *timeline = &process->timeline;

	if (!process->debuggee.present || process->debuggee.held || !timeline->attached ||
	    (process->debuggee.state == timeline->state &&
	     process->debuggee.position == timeline->state_position))
		return;
	wt_debuggee_note_waves(process, &timeline->recorded);
	take_traps_back(process);
	sync_images(process, &timeline->recorded);
	sync_pages(process, &timeline->recorded);
	if (timeline->arrived)
		put_breakpoints(process, timeline);
	process->debuggee.state = timeline->state;
	process->debuggee.position = timeline->state_position;
}
