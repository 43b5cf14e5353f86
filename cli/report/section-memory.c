/* SPDX-License-Identifier: MIT */
/* Memory in a report: pages that waves in the page point to first, then what else was recorded. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/compare.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "trace-format/state/state.h"

#define BLOCK_PAGES 16
#define PAGE_TEXT (WT_PAGE / 3 * 4 + 64) /* what a page takes in the report, about */

/* Pages of one owner's memory, as they are collected for a block. */
struct memory {
	struct wt_report *report;
	struct wt_report_stop *stop;
	const char *space;
	uint64_t owner;
	json_t *pages;
	size_t room, number,
		left; /* bytes that may be taken; blocks so far; pages that did not fit */
};

static struct wt_error *memory_flush(struct memory *memory)
{
	size_t count = json_array_size(memory->pages), before = memory->report->page.bytes.size;
	bool added = false;
	struct wt_error *error;
	char id[48];

	if (!count)
		return NULL;
	snprintf(id, sizeof(id), "memory-%u-%zu", memory->stop->number, memory->number++);
	error = wt_report_page_add(&memory->report->page, id,
				   json_pack("{s:s, s:I, s:O}", "space", memory->space, "owner",
					     (json_int_t)memory->owner, "pages", memory->pages),
				   memory->room, &added);
	if (!added)
		memory->left += count;
	else
		memory->room -= memory->report->page.bytes.size - before;
	json_array_clear(memory->pages);
	return error;
}

/* Zeros at the end of a page are left out; the page's size says how many. */
static struct wt_error *memory_take_page(struct memory *memory, uint64_t from, const uint8_t *data,
					 size_t size)
{
	size_t used = size;

	while (used && !data[used - 1])
		used--;
	json_array_append_new(memory->pages,
			      json_pack("[o, I, o]", wt_cli_json_hex(from), (json_int_t)size,
					wt_cli_json_base64(data, used)));
	return json_array_size(memory->pages) == BLOCK_PAGES ? memory_flush(memory) : NULL;
}

/* ---- Pointers ---- */

/* Addresses of pages of global memory, in ascending order. */
struct pages {
	uint64_t *list;
	size_t count, capacity;
};

static struct wt_error *pages_note_pointer(struct pages *pages, uint64_t pointer)
{
	if (pages->count == pages->capacity) {
		size_t capacity = pages->capacity ? 2 * pages->capacity : 256;
		uint64_t *grown = reallocarray(pages->list, capacity, sizeof(*grown));

		if (!grown)
			return &wt_error_no_memory;
		pages->list = grown;
		pages->capacity = capacity;
	}
	pages->list[pages->count++] = pointer - pointer % WT_PAGE;
	return NULL;
}

/* Note pages to which pairs of scalar registers may point, and those that the instruction which stopped the wave accessed. */
static struct wt_error *pages_note_pointers(struct wt_report_stop *stop, uint64_t wave,
					    struct pages *pages)
{
	struct wt_explain_wave explained;
	struct wt_error *error = wt_explain_wave(stop->explainer, wave, &explained);
	uint64_t low, high;

	if (error)
		return error;
	for (uint32_t lane = 0; explained.has_access && !error && lane < 64; lane++)
		if (explained.access.lanes >> lane & 1)
			error = pages_note_pointer(pages, explained.access.addresses[lane]);
	wt_explain_wave_deinit(&explained);
	for (unsigned int i = 0; !error && i < 104; i += 2) {
		char first[8], second[8];

		snprintf(first, sizeof(first), "s%u", i);
		snprintf(second, sizeof(second), "s%u", i + 1);
		if (wt_view_register_value(stop->view, wave, first, 0, &low) &&
		    wt_view_register_value(stop->view, wave, second, 0, &high))
			error = pages_note_pointer(pages, high << 32 | low);
	}
	return error;
}

static struct wt_error *pages_find_pointers(struct wt_report_stop *stop, struct pages *pages)
{
	struct wt_error *error = NULL;
	size_t kept = 0;

	for (size_t i = 0; !error && i < stop->wave_count; i++)
		if (stop->waves[i].in_page)
			error = pages_note_pointers(stop, stop->waves[i].handle, pages);
	if (pages->count)
		qsort(pages->list, pages->count, sizeof(*pages->list), wt_compare_u64);
	for (size_t i = 0; i < pages->count; i++)
		if (!kept || pages->list[kept - 1] != pages->list[i])
			pages->list[kept++] = pages->list[i];
	pages->count = kept;
	return error;
}

static bool pages_have(const struct pages *pages, uint64_t page)
{
	return pages->count &&
	       bsearch(&page, pages->list, pages->count, sizeof(*pages->list), wt_compare_u64);
}

/* ---- Owners ---- */

/* All pages of an owner. @pages: of them, those that are pointed to, or the others; NULL: all. */
static struct wt_error *memory_take_owner(struct memory *memory, const char *space, uint64_t owner,
					  const struct pages *pages, bool pointed)
{
	const struct wt_view *view = memory->stop->view;
	uint64_t address = 0, from, to;
	struct wt_error *error = NULL;

	memory->space = space;
	memory->owner = owner;
	while (!error && wt_view_memory_next(view, space, owner, address, &from, &to)) {
		uint64_t page = from - from % WT_PAGE;
		size_t size;
		const uint8_t *data = wt_view_page(view, space, owner, page, &size);

		/* A run goes on over pages; one is taken at a time. */
		address = page + WT_PAGE;
		if (!data || (pages && pages_have(pages, page) != pointed))
			address = address ? address : UINT64_MAX;
		else if (json_array_size(memory->pages) * PAGE_TEXT > memory->room)
			memory->left++;
		else
			error = memory_take_page(memory, page, data, size);
		if (!address || address == UINT64_MAX)
			break;
	}
	return error ? error : memory_flush(memory);
}

static struct wt_error *memory_take_owners(struct memory *memory, const char *space,
					   enum wt_object object)
{
	const uint64_t *owners;
	size_t count = wt_view_objects(memory->stop->view, object, &owners);
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < count; i++)
		error = memory_take_owner(memory, space, owners[i], NULL, true);
	return error;
}

struct wt_error *wt_report_add_memory(struct wt_report *report, struct wt_report_stop *stop,
				      size_t room)
{
	struct memory memory = {
		.report = report, .stop = stop, .pages = json_array(), .room = room};
	uint64_t process = wt_view_moment(stop->view)->process;
	struct pages pages = {0};
	struct wt_error *error = pages_find_pointers(stop, &pages);

	if (!error)
		error = memory_take_owner(&memory, "global", process, &pages, true);
	if (!error)
		error = memory_take_owners(&memory, "local", WT_OBJECT_WORKGROUP);
	if (!error)
		error = memory_take_owners(&memory, "private_wave", WT_OBJECT_WAVE);
	if (!error)
		error = memory_take_owner(&memory, "global", process, &pages, false);
	if (!error && memory.left)
		wt_report_leave_out(report, "%zu KiB of the memory that was recorded at stop %u",
				    memory.left * WT_PAGE / 1024, stop->number);
	free(pages.list);
	json_decref(memory.pages);
	return error;
}
