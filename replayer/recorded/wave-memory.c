/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/wave-memory.h"

#include <string.h>

#include "gfx/architecture/private.h"

#define MAX_LANES 64u

struct wt_access wt_access_init(const struct wt_recorded *recorded, uint64_t process, uint64_t wave,
				uint32_t lane)
{
	struct wt_access access = {
		.recorded = recorded, .process = process, .wave = wave, .lane = lane};
	uint64_t number;

	if (!wave)
		return access;
	if (wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP,
			       &number))
		access.workgroup = number;
	if (wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_LANE_COUNT,
			       &number) &&
	    number <= MAX_LANES)
		access.lane_count = (uint32_t)number;
	if (wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
			       &number))
		access.architecture = wt_recorded_architecture(recorded, number);
	return access;
}

/* A run of bytes in one of the spaces that are recorded. */
struct run {
	enum gfx_space space;
	uint64_t owner, address;
	size_t size;
};

/*
 * The place of a lane's bytes in the wave's private memory; they stand together up to the next
 * word.
 */
static bool lane_address_swizzle(const struct wt_access *access, uint64_t address, size_t size,
				 struct run *run)
{
	size_t offset = address % GFX_PRIVATE_WORD;

	if (access->lane >= access->lane_count)
		return false;
	run->space = GFX_SPACE_PRIVATE_WAVE;
	run->owner = access->wave;
	run->address = gfx_private_place(access->lane_count, access->lane, address);
	run->size = size < GFX_PRIVATE_WORD - offset ? size : GFX_PRIVATE_WORD - offset;
	return true;
}

static bool in_aperture(const struct wt_access *access, uint64_t address, uint64_t base)
{
	return (address & access->architecture->aperture_mask) == base;
}

/* Resolves where a byte of any space is recorded, and how many after it are beside it. */
static bool resolve(const struct wt_access *access, enum gfx_space space, uint64_t address,
		    size_t size, struct run *run)
{
	if (space == GFX_SPACE_GENERIC) {
		if (!access->architecture)
			return false;
		space = GFX_SPACE_GLOBAL;
		if (in_aperture(access, address, access->architecture->local_aperture))
			space = GFX_SPACE_LOCAL;
		else if (in_aperture(access, address, access->architecture->private_aperture))
			space = GFX_SPACE_PRIVATE_LANE;
	}
	/* The segments have 32-bit addresses. */
	if (space != GFX_SPACE_GLOBAL)
		address &= UINT32_MAX;
	*run = (struct run){.space = space, .address = address, .size = size};
	switch (space) {
	case GFX_SPACE_GLOBAL:
		run->owner = access->process;
		return true;
	case GFX_SPACE_LOCAL:
		run->owner = access->workgroup;
		return true;
	case GFX_SPACE_PRIVATE_WAVE:
		run->owner = access->wave;
		return true;
	case GFX_SPACE_PRIVATE_LANE:
		return lane_address_swizzle(access, address, size, run);
	case GFX_SPACE_GENERIC:
		break;
	}
	return false;
}

/*
 * Global memory that was not recorded as such, from code objects; up to the end of the page at
 * most.
 */
static size_t read_images(const struct wt_access *access, const struct run *run, size_t done,
			  uint8_t *data)
{
	uint64_t address = run->address + done;
	size_t size = run->size - done, rest = WT_PAGE - address % WT_PAGE;

	if (!access->images || run->space != GFX_SPACE_GLOBAL || address < run->address ||
	    wt_recorded_has_page(access->recorded, run->space, run->owner,
				 address - address % WT_PAGE))
		return 0;
	return wt_images_read(access->images, address, data, size < rest ? size : rest);
}

/* A run, as far as it is there. */
static size_t read_run(const struct wt_access *access, const struct run *run, uint8_t *data)
{
	size_t done = 0, part;

	while (done < run->size) {
		part = wt_recorded_memory(access->recorded, run->space, run->owner,
					  run->address + done, data + done, run->size - done);
		if (!part)
			part = read_images(access, run, done, data + done);
		if (!part || run->address + done + part < run->address)
			return done + part;
		done += part;
	}
	return done;
}

size_t wt_access_read(const struct wt_access *access, enum gfx_space space, uint64_t address,
		      void *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		struct run run;
		size_t part;

		if (address + done < address ||
		    !resolve(access, space, address + done, size - done, &run))
			break;
		part = read_run(access, &run, (uint8_t *)data + done);
		done += part;
		if (part < run.size)
			break;
	}
	return done;
}

/* The size of a wave's private memory; false if the trace does not have it. */
static bool private_size_find(const struct wt_access *access, uint64_t *size_ret)
{
	const struct wt_item *place =
		wt_recorded_plain(access->recorded, WT_ITEM_PRIVATE_PLACE, access->wave);

	if (!place || place->number_count != 2)
		return false;
	*size_ret = place->numbers[1];
	return true;
}

/* Whether a wave's workgroup has no local memory at all: its dispatch asked for none. */
static bool has_no_local_memory(const struct wt_access *access)
{
	uint64_t dispatch, size;

	return wt_recorded_number(access->recorded, WT_OBJECT_WAVE, access->wave,
				  AMD_DBGAPI_WAVE_INFO_DISPATCH, &dispatch) &&
	       wt_recorded_number(access->recorded, WT_OBJECT_DISPATCH, dispatch,
				  AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE, &size) &&
	       !size;
}

/* Whether a page, of which the trace has an item, has no byte at this offset, and the recorded library said so. */
static bool page_ends_before(const struct wt_item *item, uint64_t offset)
{
	if (item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return item->status != AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE &&
		       item->status != WT_PAGE_RESERVED;
	return item->bytes && item->bytes->size < WT_PAGE && offset >= item->bytes->size;
}

/* The last page of a space up to an address that the trace has an item of; NULL if there is none. */
static const struct wt_item *last_page_find(const struct wt_access *access, const struct run *run)
{
	struct wt_key key =
		wt_recorded_page_key(access->recorded, run->space, run->owner, run->address + 1);
	size_t index = key.kind ? wt_state_lower_bound(access->recorded->state, &key) : 0;
	const struct wt_item *item = index ? wt_state_at(access->recorded->state, index - 1) : NULL;

	return item && item->key.type == key.type && item->key.kind == key.kind &&
			       item->key.owner == key.owner
		       ? item
		       : NULL;
}

bool wt_access_is_bad(const struct wt_access *access, enum gfx_space space, uint64_t address)
{
	const struct wt_item *page;
	struct run run;
	uint64_t size;

	if (!resolve(access, space, address, 1, &run))
		return true;
	/* The last address of a segment is that of NULL; behind the last one of all there is none to look for. */
	if (run.space == GFX_SPACE_GLOBAL ? address == UINT64_MAX
					  : (address & UINT32_MAX) == UINT32_MAX)
		return true;
	if (run.space == GFX_SPACE_PRIVATE_WAVE && private_size_find(access, &size))
		return run.address >= size;
	if (run.space == GFX_SPACE_LOCAL && has_no_local_memory(access))
		return true;
	page = last_page_find(access, &run);
	/* A segment begins at 0, and where it ends it is over. */
	return page &&
	       (run.space != GFX_SPACE_GLOBAL || run.address - page->key.address < WT_PAGE) &&
	       page_ends_before(page, run.address - page->key.address);
}

/* A page to write to: the recorded one, or what a code object has there. */
static struct wt_bytes *cover_page(const struct wt_access *access, struct wt_overlay *overlay,
				   const struct run *run, uint64_t page)
{
	struct wt_bytes *bytes = wt_recorded_page(access->recorded, run->space, run->owner, page);
	struct wt_key key = wt_recorded_page_key(access->recorded, run->space, run->owner, page);
	const struct run whole = {
		.space = run->space, .owner = run->owner, .address = page, .size = WT_PAGE};
	uint8_t image[WT_PAGE];
	size_t size;

	if (bytes)
		return wt_overlay_cover(overlay, &key, bytes);
	size = read_images(access, &whole, 0, image);
	return size ? wt_overlay_lay(overlay, &key, image, size) : NULL;
}

/* The bytes of one page. */
static size_t access_page_write(const struct wt_access *access, struct wt_overlay *overlay,
				const struct run *run, const uint8_t *data)
{
	size_t offset = run->address % WT_PAGE, part = WT_PAGE - offset;
	struct wt_bytes *bytes = cover_page(access, overlay, run, run->address - offset);

	if (!bytes || offset >= bytes->size)
		return 0;
	if (part > bytes->size - offset)
		part = bytes->size - offset;
	if (part > run->size)
		part = run->size;
	memcpy(bytes->data + offset, data, part);
	return part;
}

size_t wt_access_write(const struct wt_access *access, struct wt_overlay *overlay,
		       enum gfx_space space, uint64_t address, const void *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		struct run run;
		size_t part;

		if (address + done < address ||
		    !resolve(access, space, address + done, size - done, &run))
			break;
		part = access_page_write(access, overlay, &run, (const uint8_t *)data + done);
		if (!part)
			break;
		done += part;
	}
	return done;
}
