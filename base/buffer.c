/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <endian.h>
#include <stdarg.h>

#include "base/text.h"

uint8_t *wt_buffer_grow(struct wt_buffer *buffer, size_t size)
{
	size_t needed, capacity;
	uint8_t *data;

	if (buffer->failed || __builtin_add_overflow(buffer->size, size, &needed))
		goto fail;
	if (needed > buffer->capacity) {
		capacity = buffer->capacity ? buffer->capacity : 64;
		while (capacity < needed)
			if (__builtin_mul_overflow(capacity, (size_t)2, &capacity))
				goto fail;
		data = realloc(buffer->data, capacity);
		if (!data)
			goto fail;
		buffer->data = data;
		buffer->capacity = capacity;
	}
	data = buffer->data + buffer->size;
	buffer->size = needed;
	return data;

fail:
	buffer->failed = true;
	return NULL;
}

void wt_buffer_append(struct wt_buffer *buffer, const void *data, size_t size)
{
	uint8_t *room;

	if (!size)
		return;
	room = wt_buffer_extend(buffer, size);
	if (room)
		memcpy(room, data, size);
}

void wt_buffer_append_format(struct wt_buffer *buffer, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (text)
		wt_buffer_append_text(buffer, text);
	else
		buffer->failed = true;
	free(text);
}

char *wt_buffer_take_text(struct wt_buffer *buffer)
{
	char *text = NULL;

	wt_buffer_append(buffer, "", 1);
	if (!buffer->failed) {
		text = (char *)buffer->data;
		buffer->data = NULL;
	}
	wt_buffer_deinit(buffer);
	return text;
}

void wt_buffer_append_u16(struct wt_buffer *buffer, uint16_t value)
{
	value = htole16(value);
	wt_buffer_append(buffer, &value, sizeof(value));
}

void wt_buffer_append_u32(struct wt_buffer *buffer, uint32_t value)
{
	value = htole32(value);
	wt_buffer_append(buffer, &value, sizeof(value));
}

void wt_buffer_append_u64(struct wt_buffer *buffer, uint64_t value)
{
	value = htole64(value);
	wt_buffer_append(buffer, &value, sizeof(value));
}

bool wt_cursor_take(struct wt_cursor *cursor, size_t size, const uint8_t **data_ret)
{
	if (size > cursor->remaining)
		return false;
	*data_ret = cursor->data;
	cursor->data += size;
	cursor->remaining -= size;
	return true;
}

bool wt_cursor_u16(struct wt_cursor *cursor, uint16_t *value_ret)
{
	const uint8_t *data;

	if (!wt_cursor_take(cursor, sizeof(*value_ret), &data))
		return false;
	memcpy(value_ret, data, sizeof(*value_ret));
	*value_ret = le16toh(*value_ret);
	return true;
}

bool wt_cursor_u32(struct wt_cursor *cursor, uint32_t *value_ret)
{
	const uint8_t *data;

	if (!wt_cursor_take(cursor, sizeof(*value_ret), &data))
		return false;
	memcpy(value_ret, data, sizeof(*value_ret));
	*value_ret = le32toh(*value_ret);
	return true;
}

bool wt_cursor_u64(struct wt_cursor *cursor, uint64_t *value_ret)
{
	const uint8_t *data;

	if (!wt_cursor_take(cursor, sizeof(*value_ret), &data))
		return false;
	memcpy(value_ret, data, sizeof(*value_ret));
	*value_ret = le64toh(*value_ret);
	return true;
}
