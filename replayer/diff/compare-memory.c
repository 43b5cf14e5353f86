/* SPDX-License-Identifier: MIT */
/* Memory, page by page: only pages that both sides have recorded can differ. */
#include <string.h>

#include "replayer/diff/internal.h"

struct area {
	const char *space;
	const uint64_t *owners;
	struct wt_diff *diff; /* what reports say besides the page */
};

/* Is a byte of a page one of an argument that was told with the values that these pages have? */
static bool argument_has(const struct wt_diff_told *told, const struct wt_diff *page, size_t at)
{
	uint64_t address = told->address + told->offset, place = page->position + at;

	if (!told->address || place < address || place - address >= told->size)
		return false;
	return page->value[WT_DIFF_A].data[at] == told->bytes[place - address] &&
	       page->value[WT_DIFF_B].data[at] == told->bytes[told->size + place - address];
}

/* Is all that differs of a page arguments that were told? */
static bool page_differs_in_arguments(const struct wt_diff_pair *pair, const struct wt_diff *page,
				      size_t size)
{
	for (size_t at = 0; at < size; at++) {
		bool told = page->value[WT_DIFF_A].data[at] == page->value[WT_DIFF_B].data[at];

		for (size_t i = 0; !told && i < pair->arguments->count; i++)
			told = argument_has(&pair->arguments->told[i], page, at);
		if (!told)
			return false;
	}
	return true;
}

static struct wt_error *compare_page(struct wt_diff_pair *pair, const struct area *area,
				     uint64_t page)
{
	struct wt_diff *diff = area->diff;
	size_t shorter = SIZE_MAX;

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		struct wt_diff_value *value = &diff->value[side];

		*value = (struct wt_diff_value){.present = true};
		value->data = wt_view_page(pair->half[side].view, area->space, area->owners[side],
					   page, &value->size);
		if (!value->data)
			value->size = 0;
		if (value->size < shorter)
			shorter = value->size;
	}
	/* If only one side has bytes, there is nothing to compare them with. */
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		pair->counts.only_pages[side] += diff->value[side].size > shorter;
	pair->counts.pages += shorter > 0;
	if (!shorter || !memcmp(diff->value[WT_DIFF_A].data, diff->value[WT_DIFF_B].data, shorter))
		return NULL;
	diff->value[WT_DIFF_A].size = diff->value[WT_DIFF_B].size = shorter;
	diff->position = page;
	if (!*area->owners && page_differs_in_arguments(pair, diff, shorter))
		return NULL;
	return wt_diff_report(pair, diff);
}

/* Is there anything of the page on side A? Then it was compared when the pages of A were gone through. */
static bool memory_page_was_compared(const struct wt_diff_pair *pair, const struct area *area,
				     uint64_t page)
{
	size_t size;

	return wt_view_page(pair->half[WT_DIFF_A].view, area->space, area->owners[WT_DIFF_A], page,
			    &size) != NULL;
}

/* All pages that a side has recorded. */
static struct wt_error *go_through(struct wt_diff_pair *pair, const struct area *area,
				   enum wt_diff_side side)
{
	const struct wt_view *view = pair->half[side].view;
	uint64_t address = 0, from, to;
	struct wt_error *error = NULL;

	while (!error &&
	       wt_view_memory_next(view, area->space, area->owners[side], address, &from, &to)) {
		for (uint64_t page = from - from % WT_PAGE; !error && page - from % WT_PAGE < to;
		     page += WT_PAGE) {
			if (side == WT_DIFF_A || !memory_page_was_compared(pair, area, page))
				error = compare_page(pair, area, page);
			if (page + WT_PAGE < page)
				break;
		}
		if (to <= address)
			break;
		address = to;
	}
	return error;
}

struct wt_error *wt_diff_memory(struct wt_diff_pair *pair, const char *space,
				const uint64_t owners[WT_DIFF_SIDES], struct wt_diff *diff)
{
	const struct area area = {space, owners, diff};
	struct wt_error *error;

	diff->kind = WT_DIFF_MEMORY;
	diff->what = WT_DIFF_BYTES;
	diff->name = space;
	error = go_through(pair, &area, WT_DIFF_A);
	return error ? error : go_through(pair, &area, WT_DIFF_B);
}
