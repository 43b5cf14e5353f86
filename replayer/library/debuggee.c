/* SPDX-License-Identifier: MIT */
#include "replayer/library/debuggee.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replayer/library/breakpoint.h"
#include "replayer/host/host.h"
#include "replayer/library/internal.h"
#include "replayer/library/wave.h"

/* A recorded page, as it was last put into the host. */
struct wt_debuggee_page {
	uint64_t address;
	struct wt_bytes *bytes;
	UT_hash_handle hh;
};

struct wt_debuggee_wave {
	uint64_t wave, pc;
	UT_hash_handle hh;
};

static struct wt_debuggee *debuggee(void)
{
	return &wt_replayer.debuggee;
}

/* ---- The host's memory ---- */

static size_t by_file(uint64_t address, void *read_to, const void *write_from, size_t size)
{
	size_t done = 0;

	/* Offsets of the file are signed. */
	while (done < size && address + done <= INT64_MAX) {
		ssize_t part;

		if (read_to)
			part = pread(debuggee()->memory, (uint8_t *)read_to + done, size - done,
				     (off_t)(address + done));
		else
			part = pwrite(debuggee()->memory, (const uint8_t *)write_from + done,
				      size - done, (off_t)(address + done));
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			break;
		done += (size_t)part;
	}
	return done;
}

static size_t by_callback(uint64_t address, void *read_to, const void *write_from, size_t size)
{
	amd_dbgapi_size_t moved = size;

	if (wt_replayer.client.callbacks.xfer_global_memory(wt_replayer.process.client, address,
							    &moved, read_to, write_from) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    moved > size)
		return 0;
	return (size_t)moved;
}

static size_t move(uint64_t address, void *read_to, const void *write_from, size_t size)
{
	if (!size)
		return 0;
	return debuggee()->memory >= 0 ? by_file(address, read_to, write_from, size)
				       : by_callback(address, read_to, write_from, size);
}

static bool read_block(struct wt_host_block *block_ret)
{
	return move(WT_HOST_BLOCK, block_ret, NULL, sizeof(*block_ret)) == sizeof(*block_ret) &&
	       block_ret->magic == WT_HOST_MAGIC;
}

static void tell(enum wt_host_command command)
{
	const uint32_t word = command;

	move(WT_HOST_BLOCK + offsetof(struct wt_host_block, command), NULL, &word, sizeof(word));
}

bool wt_debuggee_owns(uint64_t address)
{
	return debuggee()->present && address >= WT_HOST_START && address < WT_HOST_END;
}

/* ---- Where waves are ---- */

static struct wt_debuggee_wave *find_wave(uint64_t wave)
{
	struct wt_debuggee_wave *found;

	HASH_FIND(hh, debuggee()->waves, &wave, sizeof(wave), found);
	return found;
}

static void note_wave(uint64_t wave, uint64_t pc)
{
	struct wt_debuggee_wave *found = find_wave(wave);

	if (found) {
		found->pc = pc;
		return;
	}
	found = calloc(1, sizeof(*found));
	if (!found)
		return;
	*found = (struct wt_debuggee_wave){.wave = wave, .pc = pc};
	HASH_ADD(hh, debuggee()->waves, wave, sizeof(wave), found);
	if (!found->hh.tbl)
		free(found);
}

static void note_waves(const struct wt_recorded *recorded)
{
	const struct wt_item *list = wt_recorded_function(
		recorded, WT_ITEM_LIST, WT_FUNCTION_PROCESS_WAVE_LIST, wt_replayer.process.handle);
	uint64_t pc;

	for (size_t i = 0; list && i < list->handle_count; i++)
		if (wt_recorded_number(recorded, WT_OBJECT_WAVE, list->handles[i],
				       AMD_DBGAPI_WAVE_INFO_PC, &pc))
			note_wave(list->handles[i], pc);
}

static void forget_waves(void)
{
	struct wt_debuggee_wave *wave, *next;

	HASH_ITER(hh, debuggee()->waves, wave, next)
	{
		HASH_DEL(debuggee()->waves, wave);
		free(wave);
	}
}

bool wt_debuggee_pc(uint64_t wave, uint64_t *pc_ret)
{
	const struct wt_recorded *recorded = &wt_replayer.timeline.recorded;
	const struct wt_debuggee_wave *seen = find_wave(wave);
	uint64_t dispatch;

	if (!debuggee()->present)
		return false;
	if (seen)
		*pc_ret = seen->pc;
	else if (!wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
				     &dispatch) ||
		 !wt_recorded_number(recorded, WT_OBJECT_DISPATCH, dispatch,
				     AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, pc_ret))
		return false;
	return true;
}

void wt_debuggee_reported(const struct wt_timeline_event *event)
{
	const struct wt_timeline *timeline = &wt_replayer.timeline;
	uint64_t pc;

	if (!debuggee()->present || debuggee()->told || !event ||
	    event->kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP || event->recorded ||
	    wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, event->wave,
			       AMD_DBGAPI_WAVE_INFO_PC, &pc))
		return;
	wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		      "wavetape: waves ran at this stop when it was recorded: they are shown where "
		      "they were seen last, and their registers are not known");
	debuggee()->told = true;
}

/* ---- What was recorded, put there ---- */

static void forget_pages(void)
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
 * breakpoint among them.
 * @old: as they were put there before; NULL if they were not.
 */
static void put(uint64_t address, const struct wt_bytes *old, const uint8_t *data, size_t size)
{
	uint8_t there[WT_PAGE];

	if (size > sizeof(there) || move(address, there, NULL, size) != size)
		return;
	for (size_t i = 0; i < size; i++)
		if (!old || i >= old->size || old->data[i] != data[i])
			there[i] = data[i];
	move(address, NULL, there, size);
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
		if (!wt_recorded_has_page(recorded, GFX_SPACE_GLOBAL, wt_replayer.process.handle,
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
		wt_recorded_page_key(recorded, GFX_SPACE_GLOBAL, wt_replayer.process.handle, 0);

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
		recorded, GFX_SPACE_GLOBAL, wt_replayer.process.handle, address - offset);
	const struct wt_item *page = key.kind ? wt_state_get(recorded->state, &key) : NULL;

	if (page && page->status == AMD_DBGAPI_STATUS_SUCCESS && page->bytes &&
	    offset < page->bytes->size && instruction->size <= page->bytes->size - offset &&
	    !memcmp(page->bytes->data + offset, instruction->value, instruction->size))
		move(address, NULL, instruction->value, instruction->size);
}

/*
 * After travelling. GDB takes a stop at a breakpoint that it took away on the way for one that comes late, and lets the wave go
 * on; where it finds the instruction, it shows the stop.
 */
static void put_breakpoints(const struct wt_recorded *recorded)
{
	const struct wt_item *waves = wt_recorded_function(
		recorded, WT_ITEM_LIST, WT_FUNCTION_PROCESS_WAVE_LIST, wt_replayer.process.handle);

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
	const struct wt_timeline *timeline = &wt_replayer.timeline;

	if (!debuggee()->present || debuggee()->held || !timeline->attached ||
	    (debuggee()->state == timeline->state && debuggee()->position == timeline->position))
		return;
	note_waves(&timeline->recorded);
	sync_images(&timeline->recorded);
	sync_pages(&timeline->recorded);
	if (timeline->arrived)
		put_breakpoints(&timeline->recorded);
	debuggee()->state = timeline->state;
	debuggee()->position = timeline->position;
}

/* ---- Reading and writing ---- */

/* How much from an address on is recorded at this moment, whatever the host has there. */
static size_t recorded_size(const struct wt_access *access, uint64_t address, size_t size)
{
	uint8_t ignored[WT_PAGE];

	return wt_access_read(access, GFX_SPACE_GLOBAL, address, ignored,
			      size < sizeof(ignored) ? size : sizeof(ignored));
}

static size_t transfer(const struct wt_access *access, uint64_t address, void *read_to,
		       const void *write_from, size_t size)
{
	size_t done = 0;

	while (done < size && address + done >= address) {
		uint64_t at = address + done;
		size_t part = size - done, moved;

		if (!wt_debuggee_owns(at))
			part = recorded_size(access, at, part);
		else if (part > WT_HOST_END - at)
			part = (size_t)(WT_HOST_END - at);
		moved = move(at, read_to ? (uint8_t *)read_to + done : NULL,
			     write_from ? (const uint8_t *)write_from + done : NULL, part);
		done += moved;
		if (!part || moved < part)
			break;
	}
	return done;
}

size_t wt_debuggee_read(const struct wt_access *access, uint64_t address, void *data, size_t size)
{
	return transfer(access, address, data, NULL, size);
}

size_t wt_debuggee_write(const struct wt_access *access, uint64_t address, const void *data,
			 size_t size)
{
	return transfer(access, address, NULL, data, size);
}

/* ---- Its life ---- */

static void open_memory(void)
{
	char path[64];

	if (!wt_replayer.process.has_os_id)
		return;
	snprintf(path, sizeof(path), "/proc/%ld/mem", (long)wt_replayer.process.os_id);
	debuggee()->memory = open(path, O_RDWR | O_CLOEXEC);
}

/* The client sees the ready function being called, and so learns what has come up. */
static void ask_for_breakpoint(void)
{
	amd_dbgapi_status_t status = wt_replayer.client.callbacks.insert_breakpoint(
		wt_replayer.process.client, debuggee()->ready,
		(amd_dbgapi_breakpoint_id_t){WT_DEBUGGEE_BREAKPOINT});

	debuggee()->breakpoint = status == AMD_DBGAPI_STATUS_SUCCESS;
	if (!debuggee()->breakpoint)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: the client cannot put a breakpoint into wavetape-host: it "
			      "will not "
			      "see the recorded stops");
}

/* Every client wants to hear first that there is a runtime, and only this once. */
static bool announce(void)
{
	struct wt_timeline_event *event = wt_timeline_make_event(
		&wt_replayer.timeline, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0, NULL);

	if (event)
		event->runtime = AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
	return event;
}

void wt_debuggee_open(void)
{
	struct wt_host_block block;

	*debuggee() = (struct wt_debuggee){.memory = -1};
	if (!wt_replayer.options.host)
		return;
	open_memory();
	if (!read_block(&block) || block.ready < WT_HOST_START || block.ready >= WT_HOST_END) {
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: the process is not wavetape-host: memory is seen through "
			      "waves alone");
		wt_debuggee_close();
		return;
	}
	debuggee()->present = true;
	debuggee()->ready = block.ready;
	debuggee()->held = wt_replayer.timeline.paused = block.state != WT_HOST_READY;
	wt_replayer.timeline.hosted = true;
	announce();
	if (debuggee()->held)
		ask_for_breakpoint();
	/* GDB attaches to a stopped process, and takes an event before it lets it run for a bug. */
	debuggee()->quiet = !debuggee()->held;
}

static void take_breakpoint_back(void)
{
	if (debuggee()->breakpoint)
		wt_replayer.client.callbacks.remove_breakpoint(
			wt_replayer.process.client,
			(amd_dbgapi_breakpoint_id_t){WT_DEBUGGEE_BREAKPOINT});
	debuggee()->breakpoint = debuggee()->called = false;
}

void wt_debuggee_pump(void)
{
	/* The first time is for the runtime. */
	if (TAILQ_EMPTY(&wt_replayer.timeline.queue))
		debuggee()->quiet = false;
	if (debuggee()->called)
		take_breakpoint_back();
}

void wt_debuggee_processed(amd_dbgapi_event_kind_t kind)
{
	debuggee()->called =
		debuggee()->called ||
		(debuggee()->present && kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME);
}

void wt_debuggee_close(void)
{
	take_breakpoint_back();
	if (debuggee()->present || debuggee()->memory > 0) {
		forget_pages();
		forget_waves();
		if (debuggee()->memory >= 0)
			close(debuggee()->memory);
	}
	*debuggee() = (struct wt_debuggee){.memory = -1};
	wt_replayer.timeline.paused = wt_replayer.timeline.hosted = false;
}

/* The list of code objects is what it is; the client asks for it anew. */
static bool queue_answer(void)
{
	return wt_timeline_make_event(&wt_replayer.timeline,
				      AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED, 0, NULL) &&
	       wt_timeline_make_event(&wt_replayer.timeline,
				      AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME, 0, NULL);
}

amd_dbgapi_status_t
amd_dbgapi_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				 amd_dbgapi_client_thread_id_t client_thread_id,
				 amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wt_replay_note_thread(client_thread_id);
	if (!breakpoint_action)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_exists(WT_OBJECT_BREAKPOINT, breakpoint_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	if (breakpoint_id.handle != WT_DEBUGGEE_BREAKPOINT) {
		status = wt_replay_breakpoint_hit(breakpoint_id.handle, breakpoint_action);
		if (status != AMD_DBGAPI_STATUS_SUCCESS ||
		    *breakpoint_action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT)
			return status;
		return wt_replay_release(WT_FUNCTION_REPORT_BREAKPOINT_HIT);
	}
	if (!debuggee()->held) {
		*breakpoint_action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	if (!queue_answer())
		return AMD_DBGAPI_STATUS_FATAL;
	debuggee()->held = wt_replayer.timeline.paused = false;
	wt_replay_notify();
	*breakpoint_action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_debuggee_no_code(size_t *count, void *array, amd_dbgapi_changed_t *changed)
{
	amd_dbgapi_status_t status =
		wt_client_return_list(&wt_replayer.client, NULL, 0, count, array);

	if (status == AMD_DBGAPI_STATUS_SUCCESS && changed)
		*changed = AMD_DBGAPI_CHANGED_NO;
	return status;
}

/* Does the client keep a wave from running? */
static bool holds_a_wave(const struct wt_item *waves)
{
	for (size_t i = 0; waves && i < waves->handle_count; i++)
		if (wt_timeline_wave_state(&wt_replayer.timeline, waves->handles[i]) ==
		    AMD_DBGAPI_WAVE_STATE_STOP)
			return true;
	return false;
}

void wt_debuggee_run(void)
{
	struct wt_timeline *timeline = &wt_replayer.timeline;
	const struct wt_item *waves;
	bool held;

	debuggee()->quiet = false;

	if (!debuggee()->present || !timeline->attached || timeline->paused ||
	    wt_timeline_pending(timeline))
		return;
	waves = wt_recorded_function(&timeline->recorded, WT_ITEM_LIST,
				     WT_FUNCTION_PROCESS_WAVE_LIST, wt_replayer.process.handle);
	held = holds_a_wave(waves);
	/* A host that does not run cannot exit: it may be held, as the wave is. */
	if (wt_timeline_end_commanded(timeline, held)) {
		wt_replay_notify();
		return;
	}
	/* Waves that never were stopped run for ever: the client may stop them when it likes. */
	if (wt_timeline_is_last(timeline) &&
	    (!waves || !waves->handle_count || wt_timeline_has_resumed(timeline)))
		tell(WT_HOST_EXIT);
}
