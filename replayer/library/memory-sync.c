/* SPDX-License-Identifier: MIT */
/* The memory of the moment that was reached, put into the host program. */
#include <stdlib.h>
#include <string.h>

#include "replayer/library/debuggee.h"
#include "replayer/library/internal.h"
#include "replayer/library/wave.h"

static struct wt_debuggee *debuggee(void)
{
	return &wt_replayer.process->debuggee;
}

/* A recorded page, as it was last put into the host. */
struct wt_debuggee_page {
	uint64_t address;
	struct wt_bytes *bytes;
	UT_hash_handle hh;
};

void wt_debuggee_forget_pages(void)
{
	struct wt_debuggee_page *page, *next;

	HASH_ITER(hh, debuggee()->pages, page, next)
	{
		HASH_DEL(debuggee()->pages, page);
		wt_bytes_release(page->bytes);
		free(page);
	}
	wt_images_deinit(&debuggee()->images);
	debuggee()->state = NULL;
}

static struct wt_debuggee_page *remember(uint64_t address)
{
	struct wt_debuggee_page *page;

	HASH_FIND(hh, debuggee()->pages, &address, sizeof(address), page);
	if (page)
		return page;
	page = calloc(1, sizeof(*page));
	if (!page)
		return NULL;
	page->address = address;
	HASH_ADD(hh, debuggee()->pages, address, sizeof(address), page);
	if (page->hh.tbl)
		return page;
	free(page);
	return NULL;
}

/*
 * Bytes that were not recorded to have changed stay as they are: the client may have put a
 * breakpoint among them. So does all that is the host's own.
 * @old: as they were put there before; NULL if they were not.
 */
static void put(uint64_t address, const struct wt_bytes *old, const uint8_t *data, size_t size)
{
	uint8_t there[WT_PAGE];

	if (size > sizeof(there) || wt_debuggee_owns(address) ||
	    wt_debuggee_move(address, there, NULL, size) != size)
		return;
	for (size_t i = 0; i < size; i++)
		if (!old || i >= old->size || old->data[i] != data[i])
			there[i] = data[i];
	wt_debuggee_move(address, NULL, there, size);
}

static void sync_page(const struct wt_item *item)
{
	struct wt_debuggee_page *page = remember(item->key.address);
	struct wt_bytes *old = page ? page->bytes : NULL;

	if (old == item->bytes)
		return;
	put(item->key.address, old, item->bytes->data, item->bytes->size);
	if (!page)
		return;
	page->bytes = wt_bytes_reference(item->bytes);
	wt_bytes_release(old);
}

static bool is_there(const struct wt_images *images, const struct wt_image_range *range)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->ranges[i].address == range->address &&
		    images->ranges[i].size == range->size && images->ranges[i].data == range->data)
			return true;
	return false;
}

/* Of a code object that came up: what no recorded page has. */
static void sync_range(const struct wt_recorded *recorded, const struct wt_image_range *range)
{
	for (uint64_t done = 0; done < range->size;) {
		uint64_t address = range->address + done, part = WT_PAGE - address % WT_PAGE;

		if (part > range->size - done)
			part = range->size - done;
		if (!wt_recorded_has_page(recorded, GFX_SPACE_GLOBAL, wt_replayer.process->handle,
					  address - address % WT_PAGE))
			put(address, NULL, range->data + done, (size_t)part);
		done += part;
	}
}

static void sync_images(const struct wt_recorded *recorded)
{
	struct wt_images images = {0};
	struct wt_error *error = wt_images_load(&images, recorded);

	if (error) {
		wt_replay_log_error(error);
		return;
	}
	for (size_t i = 0; i < images.count; i++)
		if (!is_there(&debuggee()->images, &images.ranges[i]))
			sync_range(recorded, &images.ranges[i]);
	wt_images_deinit(&debuggee()->images);
	debuggee()->images = images;
}

static void sync_pages(const struct wt_recorded *recorded)
{
	const struct wt_key first =
		wt_recorded_page_key(recorded, GFX_SPACE_GLOBAL, wt_replayer.process->handle, 0);

	for (size_t i = wt_state_lower_bound(recorded->state, &first);
	     first.kind && i < wt_state_count(recorded->state); i++) {
		const struct wt_item *item = wt_state_at(recorded->state, i);

		if (item->key.type != first.type || item->key.kind != first.kind ||
		    item->key.owner != first.owner)
			break;
		if (item->status == AMD_DBGAPI_STATUS_SUCCESS && item->bytes &&
		    item->key.address % WT_PAGE == 0 && item->bytes->size <= WT_PAGE)
			sync_page(item);
	}
}

/* The instruction of a breakpoint at an address, as the recording has it there. */
static void put_breakpoint(const struct wt_recorded *recorded, uint64_t address,
			   const struct wt_answer *instruction)
{
	uint64_t offset = address % WT_PAGE;
	const struct wt_key key = wt_recorded_page_key(
		recorded, GFX_SPACE_GLOBAL, wt_replayer.process->handle, address - offset);
	const struct wt_item *page = key.kind ? wt_state_get(recorded->state, &key) : NULL;

	if (page && page->status == AMD_DBGAPI_STATUS_SUCCESS && page->bytes &&
	    offset < page->bytes->size && instruction->size <= page->bytes->size - offset &&
	    !memcmp(page->bytes->data + offset, instruction->value, instruction->size))
		wt_debuggee_move(address, NULL, instruction->value, instruction->size);
}

/*
 * After travelling. GDB takes a stop at a breakpoint that it took away on the way for one that comes late, and lets the wave go
 * on; where it finds the instruction, it shows the stop.
 */
static void put_breakpoints(const struct wt_recorded *recorded)
{
	const struct wt_item *waves = wt_recorded_function(
		recorded, WT_ITEM_LIST, WT_FUNCTION_PROCESS_WAVE_LIST, wt_replayer.process->handle);

	for (size_t i = 0; waves && i < waves->handle_count; i++) {
		uint64_t wave = waves->handles[i], reason, architecture, adjustment, pc;
		const struct wt_answer *instruction;

		if (!wt_recorded_number(recorded, WT_OBJECT_WAVE, wave,
					AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reason) ||
		    !(reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT) ||
		    !wt_recorded_number(recorded, WT_OBJECT_WAVE, wave,
					AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture) ||
		    !wt_recorded_number(
			    recorded, WT_OBJECT_ARCHITECTURE, architecture,
			    AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST,
			    &adjustment) ||
		    !wt_replay_wave_pc(wave, &pc))
			continue;
		instruction =
			wt_recorded_answer(recorded, WT_OBJECT_ARCHITECTURE, architecture,
					   AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION);
		if (instruction && instruction->status == AMD_DBGAPI_STATUS_SUCCESS)
			put_breakpoint(recorded, pc - adjustment, instruction);
	}
}

void wt_debuggee_sync(void)
{
	const struct wt_timeline *timeline = &wt_replayer.process->timeline;

	if (!debuggee()->present || debuggee()->held || !timeline->attached ||
	    (debuggee()->state == timeline->state &&
	     debuggee()->position == timeline->state_position))
		return;
	wt_debuggee_note_waves(&timeline->recorded);
	sync_images(&timeline->recorded);
	sync_pages(&timeline->recorded);
	if (timeline->arrived)
		put_breakpoints(&timeline->recorded);
	debuggee()->state = timeline->state;
	debuggee()->position = timeline->state_position;
}
