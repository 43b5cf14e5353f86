/* SPDX-License-Identifier: MIT */
#include "cli/report/page.h"

#include <string.h>

static const char block_end[] = "</script>\n";

void wt_report_append_json(struct wt_buffer *buffer, const char *text, size_t size)
{
	size_t begin = 0;

	for (size_t i = 0; i < size; i++) {
		const char *escape = text[i] == '<'   ? "\\u003c"
				     : text[i] == '>' ? "\\u003e"
				     : text[i] == '&' ? "\\u0026"
						      : NULL;

		if (!escape)
			continue;
		wt_buffer_append(buffer, text + begin, i - begin);
		wt_buffer_append_text(buffer, escape);
		begin = i + 1;
	}
	wt_buffer_append(buffer, text + begin, size - begin);
}

void wt_report_page_init(struct wt_report_page *page, size_t limit, size_t kept)
{
	*page = (struct wt_report_page){.limit = limit, .kept = kept};
	wt_buffer_append_text(&page->bytes, wt_report_head);
}

void wt_report_page_deinit(struct wt_report_page *page)
{
	wt_buffer_deinit(&page->bytes);
}

/* Bytes that are neither taken nor kept. */
static size_t page_room_beside(const struct wt_report_page *page, size_t kept)
{
	size_t taken = page->bytes.size + strlen(wt_report_tail);

	if (taken > page->limit || kept > page->limit - taken)
		return 0;
	return page->limit - taken - kept;
}

size_t wt_report_page_room(const struct wt_report_page *page)
{
	return page_room_beside(page, page->kept);
}

size_t wt_report_page_share(const struct wt_report_page *page, unsigned int percent)
{
	size_t share = page->limit / 100 * percent, room = wt_report_page_room(page);

	return share < room ? share : room;
}

/* A callback of jansson: it appends the text that jansson writes, escaped for a page. */
static int page_take_json_text(const char *text, size_t size, void *opaque)
{
	struct wt_buffer *buffer = opaque;

	wt_report_append_json(buffer, text, size);
	return buffer->failed ? -1 : 0;
}

static struct wt_error *page_add_block(struct wt_report_page *page, const char *id, json_t *json,
				       size_t room, bool *added_ret)
{
	struct wt_buffer *bytes = &page->bytes;
	size_t before = bytes->size;
	int failed;

	if (!json)
		return &wt_error_no_memory;
	wt_buffer_append_text(bytes, "<script type=\"application/json\" id=\"");
	wt_buffer_append_text(bytes, id);
	wt_buffer_append_text(bytes, "\">");
	failed = json_dump_callback(json, page_take_json_text, bytes,
				    JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(json);
	wt_buffer_append_text(bytes, block_end);
	if (failed || bytes->failed)
		return &wt_error_no_memory;
	*added_ret = bytes->size - before <= room;
	if (!*added_ret)
		bytes->size = before;
	return NULL;
}

struct wt_error *wt_report_page_add(struct wt_report_page *page, const char *id, json_t *json,
				    size_t room, bool *added_ret)
{
	size_t all = wt_report_page_room(page);

	return page_add_block(page, id, json, room < all ? room : all, added_ret);
}

struct wt_error *wt_report_page_must_add(struct wt_report_page *page, const char *id, json_t *json)
{
	bool added;
	struct wt_error *error = page_add_block(page, id, json, page_room_beside(page, 0), &added);

	if (error || added)
		return error;
	return wt_error_create(WT_ERROR_LIMIT, "cannot make a report", "--max-size",
			       "%zu bytes are too few for what every report of this trace has",
			       page->limit);
}

struct wt_error *wt_report_page_end(struct wt_report_page *page)
{
	wt_buffer_append_text(&page->bytes, wt_report_tail);
	return page->bytes.failed ? &wt_error_no_memory : NULL;
}
