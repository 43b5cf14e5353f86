/* SPDX-License-Identifier: MIT */
#include "recorder/finding/loader-cache.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"

/* The form of glibc 2.2 and later, which may stand behind an older one. Places in it count from its beginning. */
#define MAGIC "glibc-ld.so.cache1.1"
#define HEAD_SIZE 48u
#define ENTRY_SIZE 24u
#define CACHE_MAX ((off_t)64 << 20)

/* A text in the cache, which ends within it; NULL if there is none. */
static const char *cache_text(const uint8_t *data, size_t size, uint32_t at)
{
	if (at >= size || !memchr(data + at, '\0', size - at))
		return NULL;
	return (const char *)data + at;
}

static void cache_walk(const uint8_t *data, size_t size, const char *name,
		       void (*found)(void *opaque, const char *path), void *opaque)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);
	const uint8_t *skipped;
	uint32_t count = 0;

	if (!wt_cursor_take(&cursor, sizeof(MAGIC) - 1, &skipped) ||
	    !wt_cursor_u32(&cursor, &count) ||
	    !wt_cursor_take(&cursor, HEAD_SIZE - sizeof(MAGIC) + 1 - sizeof(count), &skipped))
		return;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry;
		const char *key, *path;
		struct wt_cursor fields;

		if (!wt_cursor_take(&cursor, ENTRY_SIZE, &entry))
			return;
		fields = wt_cursor_init(entry + 4, 8);
		key = cache_text(data, size, wt_cursor_next_u32(&fields));
		path = cache_text(data, size, wt_cursor_next_u32(&fields));
		if (key && path && !strcmp(key, name))
			found(opaque, path);
	}
}

void wt_loader_cache_find(const char *cache, const char *name,
			  void (*found)(void *opaque, const char *path), void *opaque)
{
	wt_cleanup_close int fd = open(cache, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	wt_cleanup_buffer struct wt_buffer file = {0};
	const uint8_t *start;
	struct stat status;
	uint8_t *data;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || !status.st_size ||
	    status.st_size > CACHE_MAX)
		return;
	data = wt_buffer_extend(&file, (size_t)status.st_size);
	if (!data || wt_file_read_at(fd, 0, data, file.size) != (ssize_t)file.size)
		return;
	start = memmem(data, file.size, MAGIC, sizeof(MAGIC) - 1);
	if (start)
		cache_walk(start, file.size - (size_t)(start - data), name, found, opaque);
}
