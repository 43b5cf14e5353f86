/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/register-values.h"

#include <stdlib.h>
#include <string.h>

uint32_t wt_recorded_register_size(const struct wt_recorded *recorded, uint64_t register_id)
{
	uint64_t size;

	if (!wt_recorded_number(recorded, WT_OBJECT_REGISTER, register_id,
				AMD_DBGAPI_REGISTER_INFO_SIZE, &size) ||
	    size > UINT32_MAX)
		return 0;
	return (uint32_t)size;
}

void wt_layout_deinit(struct wt_layout *layout)
{
	free(layout->handles);
	free(layout->entries);
	memset(layout, 0, sizeof(*layout));
}

static int compare_entries(const void *a, const void *b)
{
	uint64_t left = ((const struct wt_layout_entry *)a)->handle;
	uint64_t right = ((const struct wt_layout_entry *)b)->handle;

	return left < right ? -1 : left > right;
}

static bool layout_is_of(const struct wt_layout *layout, const struct wt_item *item)
{
	return layout->handles && layout->handle_count == item->handle_count &&
	       !memcmp(layout->handles, item->handles, item->handle_count * sizeof(*item->handles));
}

/* Registers whose size the trace does not say end the list: what follows has no known place. */
static bool layout_build(struct wt_layout *layout, const struct wt_recorded *recorded,
			 const struct wt_item *item)
{
	uint64_t offset = 0;

	wt_layout_deinit(layout);
	layout->handles = calloc(item->handle_count + 1, sizeof(*layout->handles));
	layout->entries = calloc(item->handle_count + 1, sizeof(*layout->entries));
	if (!layout->handles || !layout->entries) {
		wt_layout_deinit(layout);
		return false;
	}
	if (item->handle_count)
		memcpy(layout->handles, item->handles, item->handle_count * sizeof(*item->handles));
	layout->handle_count = item->handle_count;
	for (size_t i = 0; i < item->handle_count; i++) {
		uint32_t size = wt_recorded_register_size(recorded, item->handles[i]);

		if (!size || offset + size > UINT32_MAX)
			break;
		layout->entries[layout->entry_count++] = (struct wt_layout_entry){
			.handle = item->handles[i], .offset = (uint32_t)offset, .size = size};
		offset += size;
	}
	qsort(layout->entries, layout->entry_count, sizeof(*layout->entries), compare_entries);
	return true;
}

static bool layout_register_find(struct wt_layout *layout, const struct wt_recorded *recorded,
				 const struct wt_item *item, uint64_t handle, uint32_t *offset_ret,
				 uint32_t *size_ret)
{
	struct wt_layout_entry wanted = {.handle = handle};
	const struct wt_layout_entry *entry;

	if (!layout_is_of(layout, item) && !layout_build(layout, recorded, item))
		return false;
	entry = bsearch(&wanted, layout->entries, layout->entry_count, sizeof(wanted),
			compare_entries);
	if (!entry)
		return false;
	*offset_ret = entry->offset;
	*size_ret = entry->size;
	return true;
}

amd_dbgapi_status_t wt_recorded_register(const struct wt_recorded *recorded, uint64_t wave,
					 uint64_t register_id, const uint8_t **value_ret,
					 uint32_t *size_ret)
{
	const struct wt_item *item = wt_recorded_plain(recorded, WT_ITEM_REGISTERS, wave);
	struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave, .address = register_id};
	const struct wt_bytes *over = wt_overlay_get(recorded->overlay, &key);
	uint32_t offset, size;

	if (over) {
		*value_ret = over->data;
		*size_ret = (uint32_t)over->size;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	if (!item)
		return AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
	if (item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)item->status;
	if (!item->bytes ||
	    !layout_register_find(recorded->layout, recorded, item, register_id, &offset, &size) ||
	    offset > item->bytes->size || size > item->bytes->size - offset)
		return AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE;
	*value_ret = item->bytes->data + offset;
	*size_ret = size;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
