/* SPDX-License-Identifier: MIT */
/* A buffer of bytes that grows, and a cursor that reads bytes without passing their end. */
#ifndef WT_BASE_BUFFER_H
#define WT_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * If memory runs out, `failed` is set and later appends do nothing. So the code that fills a buffer
 * needs no error handling: its owner checks `failed` once at the end. Zero a buffer before use.
 */
struct wt_buffer {
	uint8_t *data;
	size_t size, capacity;
	bool failed;
};

/* The slow path of wt_buffer_extend(): allocate, then extend. */
uint8_t *wt_buffer_grow(struct wt_buffer *buffer, size_t size);

/** Append @size bytes that the caller writes. Return: where to; NULL if there is no memory. */
static inline uint8_t *wt_buffer_extend(struct wt_buffer *buffer, size_t size)
{
	if (buffer->failed || !buffer->data || size > buffer->capacity - buffer->size)
		return wt_buffer_grow(buffer, size);
	buffer->size += size;
	return buffer->data + (buffer->size - size);
}

void wt_buffer_append(struct wt_buffer *buffer, const void *data, size_t size);

/** Append a text without its end. */
static inline void wt_buffer_append_text(struct wt_buffer *buffer, const char *text)
{
	wt_buffer_append(buffer, text, strlen(text));
}

/** Append a text as printf() makes it, without its end. */
__attribute__((format(printf, 2, 3))) void wt_buffer_append_format(struct wt_buffer *buffer,
								   const char *format, ...);

/** Take the text that was appended, for the caller to free(); nothing is left in the buffer. NULL if there was no memory. */
char *wt_buffer_take_text(struct wt_buffer *buffer);

static inline void wt_buffer_clear(struct wt_buffer *buffer)
{
	buffer->size = 0;
	buffer->failed = false;
}

static inline void wt_buffer_deinit(struct wt_buffer *buffer)
{
	free(buffer->data);
	memset(buffer, 0, sizeof(*buffer));
}

#define wt_cleanup_buffer __attribute__((cleanup(wt_buffer_deinit)))

/* Append a number in little-endian order, which all our formats use. */
void wt_buffer_append_u16(struct wt_buffer *buffer, uint16_t value);
void wt_buffer_append_u32(struct wt_buffer *buffer, uint32_t value);
void wt_buffer_append_u64(struct wt_buffer *buffer, uint64_t value);

struct wt_cursor {
	const uint8_t *data;
	size_t remaining;
};

static inline struct wt_cursor wt_cursor_init(const void *data, size_t size)
{
	return (struct wt_cursor){.data = data, .remaining = size};
}

/** Take @size bytes; false, and nothing is taken, if fewer remain. @data_ret points into the input. */
bool wt_cursor_take(struct wt_cursor *cursor, size_t size, const uint8_t **data_ret);
bool wt_cursor_u16(struct wt_cursor *cursor, uint16_t *value_ret);
bool wt_cursor_u32(struct wt_cursor *cursor, uint32_t *value_ret);
bool wt_cursor_u64(struct wt_cursor *cursor, uint64_t *value_ret);

/* The same for a caller that has checked that enough bytes remain; 0, and nothing is taken, if not. */
static inline uint16_t wt_cursor_next_u16(struct wt_cursor *cursor)
{
	uint16_t value = 0;

	wt_cursor_u16(cursor, &value);
	return value;
}

static inline uint32_t wt_cursor_next_u32(struct wt_cursor *cursor)
{
	uint32_t value = 0;

	wt_cursor_u32(cursor, &value);
	return value;
}

static inline uint64_t wt_cursor_next_u64(struct wt_cursor *cursor)
{
	uint64_t value = 0;

	wt_cursor_u64(cursor, &value);
	return value;
}

#endif /* WT_BASE_BUFFER_H */
