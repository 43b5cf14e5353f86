/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/layout.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/recorded/recorded.h"

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

static bool is_of(const struct wt_layout *layout, const struct wt_item *item)
{
	return layout->handles && layout->handle_count == item->handle_count &&
	       !memcmp(layout->handles, item->handles, item->handle_count * sizeof(*item->handles));
}

/* Registers whose size the trace does not say end the list: what follows has no known place. */
static bool build(struct wt_layout *layout, const struct wt_recorded *recorded,
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

bool wt_layout_find(struct wt_layout *layout, const struct wt_recorded *recorded,
		    const struct wt_item *item, uint64_t handle, uint32_t *offset_ret,
		    uint32_t *size_ret)
{
	struct wt_layout_entry wanted = {.handle = handle};
	const struct wt_layout_entry *entry;

	if (!is_of(layout, item) && !build(layout, recorded, item))
		return false;
	entry = bsearch(&wanted, layout->entries, layout->entry_count, sizeof(wanted),
			compare_entries);
	if (!entry)
		return false;
	*offset_ret = entry->offset;
	*size_ret = entry->size;
	return true;
}
