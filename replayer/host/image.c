/* SPDX-License-Identifier: MIT */
#include "replayer/host/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "replayer/code/elf-copy.h"
#include "dbgapi/host/host.h"
#include "replayer/recorded/images.h"
#include "trace-format/state/host-facts.h"

_Static_assert(WT_HOST_PAGE == WT_PAGE, "a page is a page");

static const char what[] = "cannot write the memory of the debugged program";

struct page {
	uint64_t address;
	struct wt_bytes *bytes; /* of a code object: the whole file */
	size_t offset, size;	/* in them */
	size_t start;		/* of them in the page */
	bool recorded;
	UT_hash_handle hh;
};

struct image {
	struct page *pages;
	struct wt_host_image_result result;
	bool host_recorded; /* the recorded program was a host, too: over a simulated GPU */
};

static void image_deinit(struct image *image)
{
	struct page *page, *next;

	HASH_ITER(hh, image->pages, page, next)
	{
		HASH_DEL(image->pages, page);
		wt_bytes_release(page->bytes);
		free(page);
	}
}

static bool can_be_mapped(uint64_t address)
{
	return address >= WT_HOST_END && address < WT_HOST_LIMIT;
}

/* Memory of the recorded host, in whose place this one has its own. */
static bool is_own(const struct image *image, uint64_t address)
{
	return image->host_recorded && address >= WT_HOST_START && address < WT_HOST_END;
}

/* A page that is there stays, unless it was not recorded itself. */
static struct wt_error *host_image_page_add(struct image *image, const struct page *wanted)
{
	uint64_t address = wanted->address;
	struct page *page;

	if (!can_be_mapped(address)) {
		image->result.left_out += is_own(image, address) ? 0 : wanted->size;
		return NULL;
	}
	HASH_FIND(hh, image->pages, &address, sizeof(address), page);
	if (page && (page->recorded || !wanted->recorded))
		return NULL;
	if (!page) {
		page = calloc(1, sizeof(*page));
		if (!page)
			return &wt_error_no_memory;
		page->address = address;
		HASH_ADD(hh, image->pages, address, sizeof(address), page);
		if (!page->hh.tbl) {
			free(page);
			return &wt_error_no_memory;
		}
	}
	wt_bytes_release(page->bytes);
	page->bytes = wt_bytes_reference(wanted->bytes);
	page->offset = wanted->offset;
	page->size = wanted->size;
	page->start = wanted->start;
	page->recorded = wanted->recorded;
	return NULL;
}

static struct wt_error *host_image_range_add(struct image *image,
					     const struct wt_image_range *range)
{
	struct wt_error *error = NULL;

	for (uint64_t done = 0; !error && done < range->size;) {
		uint64_t address = range->address + done, start = address % WT_PAGE;
		uint64_t part = WT_PAGE - start;
		struct page page = {.address = address - start,
				    .bytes = range->bytes,
				    .offset = (size_t)(range->data + done - range->bytes->data),
				    .start = (size_t)start};

		if (part > range->size - done)
			part = range->size - done;
		page.size = (size_t)part;
		error = host_image_page_add(image, &page);
		done += part;
	}
	return error;
}

static struct wt_error *add_images(struct image *image, const struct wt_recorded *recorded)
{
	struct wt_images images = {0};
	struct wt_error *error = wt_images_load(&images, recorded);

	for (size_t i = 0; !error && i < images.count; i++) {
		const struct wt_bytes *bytes = images.ranges[i].bytes;

		error = host_image_range_add(image, &images.ranges[i]);
		if (wt_elf_has_debug_frame(bytes->data, bytes->size))
			image->result.debug_frame = true;
	}
	wt_images_deinit(&images);
	return error;
}

static struct wt_error *add_state(struct image *image, const struct wt_recorded *recorded)
{
	const struct wt_key first = {.type = WT_ITEM_MEMORY,
				     .kind = recorded->names->spaces[GFX_SPACE_GLOBAL]};
	struct wt_error *error = add_images(image, recorded);

	for (size_t i = wt_state_lower_bound(recorded->state, &first);
	     !error && first.kind && i < wt_state_count(recorded->state); i++) {
		const struct wt_item *item = wt_state_at(recorded->state, i);

		if (item->key.type != first.type || item->key.kind != first.kind)
			break;
		if (item->status != AMD_DBGAPI_STATUS_SUCCESS || !item->bytes ||
		    item->bytes->size > WT_PAGE || item->key.address % WT_PAGE)
			continue;
		error = host_image_page_add(image, &(struct page){.address = item->key.address,
								  .bytes = item->bytes,
								  .size = item->bytes->size,
								  .recorded = true});
	}
	return error;
}

static struct wt_error *look_at_program(struct image *image, struct wt_reader *reader)
{
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(reader, &host);
	const char *name = !error && host && host->executable ? host->executable : "";

	image->host_recorded = !strcmp(wt_text_file_name(name), WT_HOST_NAME);
	wt_host_destroy(host);
	return error;
}

static struct wt_error *host_image_collect(struct image *image, struct wt_reader *reader,
					   const struct wt_table_names *names)
{
	uint32_t count = wt_reader_moment_count(reader);
	struct wt_error *error = NULL;

	for (uint32_t i = 0; !error && i < count; i++) {
		struct wt_recorded recorded = {.names = names};
		struct wt_state *state;

		error = wt_reader_state(reader, i, &state);
		/* The other moments of a damaged trace are enough to begin with: the library says what is lost. */
		if (error && error->code == WT_ERROR_INPUT) {
			wt_error_destroy(error);
			error = NULL;
			continue;
		}
		if (error)
			break;
		recorded.state = state;
		error = add_state(image, &recorded);
		wt_state_destroy(state);
	}
	return error;
}

static int pages_by_address(const struct page *a, const struct page *b)
{
	return a->address < b->address ? -1 : a->address > b->address;
}

/* Neighbours are one range. The ranges, their bytes one after the other behind them. */
static struct wt_host_range *make_ranges(struct image *image, size_t *count_ret)
{
	size_t count = 0;
	const struct page *page;
	struct wt_host_range *ranges;
	uint64_t offset, next = 0;

	for (page = image->pages; page; page = page->hh.next) {
		count += !count || page->address != next;
		next = page->address + WT_PAGE;
	}
	ranges = calloc(count + 1, sizeof(*ranges));
	if (!ranges)
		return NULL;
	offset = sizeof(struct wt_host_file) + count * sizeof(*ranges);
	offset = (offset + WT_PAGE - 1) / WT_PAGE * WT_PAGE;
	count = 0;
	for (page = image->pages; page; page = page->hh.next, offset += WT_PAGE) {
		if (!count || page->address != ranges[count - 1].address + ranges[count - 1].size)
			ranges[count++] =
				(struct wt_host_range){.address = page->address, .offset = offset};
		ranges[count - 1].size += WT_PAGE;
	}
	image->result.bytes = offset;
	*count_ret = count;
	return ranges;
}

static struct wt_error *host_image_write(struct image *image, int fd, const char *path)
{
	struct wt_host_file header = {.magic = WT_HOST_FILE_MAGIC};
	wt_cleanup_free struct wt_host_range *ranges = NULL;
	struct wt_error *error;
	uint64_t offset;
	size_t count;

	HASH_SORT(image->pages, pages_by_address);
	ranges = make_ranges(image, &count);
	if (!ranges)
		return &wt_error_no_memory;
	if (count > WT_HOST_RANGES)
		return wt_error_create(WT_ERROR_LIMIT, what, path,
				       "%zu ranges were recorded, and a process can have %u", count,
				       WT_HOST_RANGES);
	image->result.ranges = header.range_count = count;
	error = wt_file_write_at(fd, 0, &header, sizeof(header), what, path);
	if (!error)
		error = wt_file_write_at(fd, sizeof(header), ranges, count * sizeof(*ranges), what,
					 path);
	offset = count ? ranges[0].offset : 0;
	for (const struct page *page = image->pages; !error && page;
	     page = page->hh.next, offset += WT_PAGE)
		error = wt_file_write_at(fd, offset + page->start, page->bytes->data + page->offset,
					 page->size, what, path);
	/* Bytes behind the last byte of the last page are part of the page, too. */
	if (!error && ftruncate(fd, (off_t)image->result.bytes))
		error = wt_error_errno(errno, what, path);
	return error;
}

struct wt_error *wt_host_image_write(struct wt_reader *reader, int fd, const char *path,
				     struct wt_host_image_result *result_ret)
{
	struct image image = {0};
	struct wt_table_names names;
	struct wt_error *error = wt_table_names_init(&names, reader);

	if (error)
		return error;
	error = look_at_program(&image, reader);
	if (!error)
		error = host_image_collect(&image, reader, &names);
	if (!error)
		error = host_image_write(&image, fd, path);
	if (!error)
		*result_ret = image.result;
	image_deinit(&image);
	wt_table_names_deinit(&names);
	return error;
}
