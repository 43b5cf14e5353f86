/* SPDX-License-Identifier: MIT */
#include "trace-format/message/encode.h"

#include "trace-format/message/packet.h"

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void wt_encode_varint(struct wt_buffer *buffer, uint64_t value)
{
	uint8_t *place = wt_buffer_extend(buffer, WT_VARINT_MAX);

	if (place)
		buffer->size -= WT_VARINT_MAX - wt_varint_put(place, value);
}

void wt_encode_present(struct wt_buffer *buffer, unsigned int field, uint64_t value)
{
	uint8_t *place = wt_buffer_extend(buffer, 2 * WT_VARINT_MAX);
	size_t size;

	if (!place)
		return;
	size = wt_varint_put(place, (uint64_t)field << 3 | WIRE_VARINT);
	size += wt_varint_put(place + size, value);
	buffer->size -= 2 * WT_VARINT_MAX - size;
}

void wt_encode_number(struct wt_buffer *buffer, unsigned int field, uint64_t value)
{
	if (value)
		wt_encode_present(buffer, field, value);
}

void wt_encode_signed(struct wt_buffer *buffer, unsigned int field, int64_t value)
{
	wt_encode_number(buffer, field, wt_zigzag(value));
}

void wt_encode_bytes(struct wt_buffer *buffer, unsigned int field, const void *data, size_t size)
{
	wt_encode_varint(buffer, (uint64_t)field << 3 | WIRE_BYTES);
	wt_encode_varint(buffer, size);
	wt_buffer_append(buffer, data, size);
}

/* Length of the UTF-8 sequence at @text (which ends with a NUL), or 0 if it is none. */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {
		{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

	for (size_t form = 0; form < 4; form++) {
		uint32_t code = text[0] & (unsigned char)~forms[form].mask;

		if ((text[0] & forms[form].mask) != forms[form].lead)
			continue;
		for (size_t i = 1; i <= form; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (text[i] & 0x3f);
		}
		if (code < forms[form].least || code > 0x10ffff ||
		    (code >= 0xd800 && code < 0xe000))
			return 0;
		return form + 1;
	}
	return 0;
}

void wt_encode_string(struct wt_buffer *buffer, unsigned int field, const char *text, bool always)
{
	const unsigned char *at = (const unsigned char *)(text ? text : "");
	size_t mark;

	if (!*at && !always)
		return;
	mark = wt_encode_begin(buffer, field);
	while (*at) {
		size_t length = utf8_length(at);

		if (length)
			wt_buffer_append(buffer, at, length);
		else
			wt_buffer_append(buffer, "\xef\xbf\xbd", 3);
		at += length ? length : 1;
	}
	wt_encode_end(buffer, mark);
}

void wt_encode_packed(struct wt_buffer *buffer, unsigned int field, const uint64_t *values,
		      size_t count)
{
	size_t size = 0;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		size += wt_varint_size(values[i]);
	wt_encode_varint(buffer, (uint64_t)field << 3 | WIRE_BYTES);
	wt_encode_varint(buffer, size);
	for (size_t i = 0; i < count; i++)
		wt_encode_varint(buffer, values[i]);
}

size_t wt_encode_begin(struct wt_buffer *buffer, unsigned int field)
{
	wt_encode_varint(buffer, (uint64_t)field << 3 | WIRE_BYTES);
	/* Most messages are short: one byte is kept for the length, and made more at the end. */
	wt_buffer_extend(buffer, 1);
	return buffer->size;
}

void wt_encode_end(struct wt_buffer *buffer, size_t mark)
{
	size_t length, extra;

	if (buffer->failed)
		return;
	length = buffer->size - mark;
	extra = wt_varint_size(length) - 1;
	if (extra) {
		if (!wt_buffer_extend(buffer, extra))
			return;
		memmove(buffer->data + mark + extra, buffer->data + mark, length);
	}
	wt_varint_put(buffer->data + mark - 1, length);
}
