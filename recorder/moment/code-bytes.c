/* SPDX-License-Identifier: MIT */
#include "recorder/moment/code-bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/cleanup.h"
#include "base/uri.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/memory-pages.h"
#include "recorder/recording/question.h"

/* Larger code objects are left out. */
#define IMAGE_LIMIT (256u << 20)

static const char what[] = "cannot load a code object";

static struct wt_error *check_range(const struct wt_uri *uri, const char *text, uint64_t available)
{
	if (uri->offset > available || uri->size > available - uri->offset)
		return wt_error_create(WT_ERROR_INPUT, what, text, "the range is not in the file");
	if (uri->size > IMAGE_LIMIT)
		return wt_error_create(WT_ERROR_LIMIT, what, text, "it is larger than %u bytes",
				       IMAGE_LIMIT);
	return NULL;
}

/* A file may be anything, a pipe too: look before reading. */
static struct wt_error *load_file(struct wt_uri *uri, const char *text, struct wt_buffer *image)
{
	wt_cleanup_close int fd = open(uri->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct wt_error *error;
	struct stat status;
	uint8_t *data;

	if (fd < 0 || fstat(fd, &status))
		return wt_error_errno(errno, what, text);
	if (!S_ISREG(status.st_mode))
		return wt_error_create(WT_ERROR_INPUT, what, text, "it is no regular file");
	if (!uri->has_range)
		uri->size = (uint64_t)status.st_size;
	error = check_range(uri, text, (uint64_t)status.st_size);
	if (error)
		return error;
	data = wt_buffer_extend(image, (size_t)uri->size);
	if (!data)
		return &wt_error_no_memory;
	for (uint64_t done = 0; done < uri->size;) {
		ssize_t got = pread(fd, data + done, (size_t)(uri->size - done),
				    (off_t)(uri->offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return wt_error_errno(got ? errno : EIO, what, text);
		done += (uint64_t)got;
	}
	return NULL;
}

static struct wt_error *load_memory(struct wt_recorder *recorder, uint64_t process,
				    const struct wt_uri *uri, const char *text,
				    struct wt_buffer *image)
{
	struct wt_error *error = check_range(uri, text, UINT64_MAX);
	uint8_t *data;

	if (error)
		return error;
	data = wt_buffer_extend(image, (size_t)uri->size);
	if (!data)
		return &wt_error_no_memory;
	if (!wt_read_global(recorder, process, uri->offset, data, (size_t)uri->size))
		return wt_error_create(WT_ERROR_IO, what, text, "the memory cannot be read");
	return NULL;
}

static struct wt_error *load(struct wt_recorder *recorder, uint64_t process, const char *text,
			     struct wt_buffer *image)
{
	struct wt_uri uri;
	struct wt_error *error = wt_uri_parse(text, &uri);
	int state;

	if (error)
		return error;
	state = wt_cancel_disable();
	if (uri.kind == WT_URI_FILE)
		error = load_file(&uri, text, image);
	else
		error = load_memory(recorder, process, &uri, text, image);
	wt_cancel_restore(state);
	wt_uri_deinit(&uri);
	return error;
}

/* The URI, NUL-terminated; false if the library does not tell. */
static bool ask_uri(struct wt_recorder *recorder, uint64_t code_object, struct wt_buffer *text)
{
	const struct wt_query *query =
		wt_query_find(WT_OBJECT_CODE_OBJECT, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);

	if (wt_ask(recorder, WT_OBJECT_CODE_OBJECT, code_object, query, text) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	wt_buffer_append(text, "", 1);
	return !text->failed;
}

struct wt_error *wt_take_image(struct wt_recorder *recorder, struct wt_state *state,
			       const struct wt_state *previous, uint64_t process,
			       uint64_t code_object)
{
	wt_cleanup_buffer struct wt_buffer image = {0}, text = {0};
	struct wt_item item = {.key = wt_key_plain(WT_ITEM_IMAGE, code_object)};
	const struct wt_item *old = previous ? wt_state_get(previous, &item.key) : NULL;
	struct wt_error *error, *notice;

	if (old)
		return wt_state_set(state, old);
	if (!ask_uri(recorder, code_object, &text))
		return NULL;
	error = load(recorder, process, (const char *)text.data, &image);
	if (!error) {
		error = wt_facts_take_of_image(recorder, image.data, image.size);
		return error ? error : wt_take_bytes(state, &item, image.data, image.size);
	}
	item.status = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	notice = wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN, "%s: %s: %s", error->what,
				    error->where, error->why);
	wt_error_destroy(error);
	return notice ? notice : wt_state_set(state, &item);
}
