/* SPDX-License-Identifier: MIT */
/*
 * Changes between two moments, held against a model that is as simple as can be: bytes of one value, and patches laid
 * over them. The input is: how many bytes the value has (1), those bytes, how many of them count (1), and
 * then patches: where (2), how long (1), the bytes. What the reader gives at the second moment must be what the model has, or, where
 * a patch does not fit, nothing.
 */
#include <string.h>

#include "fuzz.h"
#include "trace-format/reader/reader.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/container/tape.h"

static const struct wt_key key = {.type = WT_ITEM_MEMORY, .kind = 1, .owner = 1};

static void begin_item(struct wt_buffer *packets)
{
	wt_encode_number(packets, WT_FIELD_ITEM_TYPE, key.type);
	wt_encode_number(packets, WT_FIELD_ITEM_KIND, key.kind);
	wt_encode_number(packets, WT_FIELD_ITEM_OWNER, key.owner);
}

/* A moment up to its item; the marks are those of packet, body and item. */
static void begin_moment(struct wt_buffer *packets, uint32_t number, size_t marks[3])
{
	marks[0] = wt_encode_begin(packets, 1);
	marks[1] = wt_encode_begin(packets, WT_PACKET_MOMENT);
	wt_encode_number(packets, WT_FIELD_MOMENT_NUMBER, number);
	wt_encode_number(packets, WT_FIELD_MOMENT_PROCESS, 1);
	wt_encode_number(packets, WT_FIELD_MOMENT_CAUSE, WT_MOMENT_STOP);
	wt_encode_number(packets, WT_FIELD_MOMENT_KEYFRAME, !number);
	marks[2] = wt_encode_begin(packets, WT_FIELD_MOMENT_ITEM);
	begin_item(packets);
}

static void end_moment(struct wt_buffer *packets, const size_t marks[3])
{
	for (int i = 3; i > 0; i--)
		wt_encode_end(packets, marks[i - 1]);
}

static void add_value(struct wt_buffer *packets, const uint8_t *value, size_t size, uint8_t counts)
{
	size_t packet = wt_encode_begin(packets, 1), body, marks[3];

	body = wt_encode_begin(packets, WT_PACKET_NAMES);
	wt_encode_number(packets, WT_FIELD_NAMES_FIRST, 1);
	wt_encode_string(packets, WT_FIELD_NAMES_TEXT, "global", true);
	wt_encode_end(packets, body);
	wt_encode_end(packets, packet);
	packet = wt_encode_begin(packets, 1);
	body = wt_encode_begin(packets, WT_PACKET_BLOB);
	wt_encode_bytes(packets, WT_FIELD_BLOB_DATA, value, size);
	wt_encode_end(packets, body);
	wt_encode_end(packets, packet);
	begin_moment(packets, 0, marks);
	wt_encode_number(packets, WT_FIELD_ITEM_BLOB, 1);
	wt_encode_number(packets, WT_FIELD_ITEM_SIZE, counts);
	end_moment(packets, marks);
}

/* Patches to the packets and to the model. Return: do all of them fit? */
static bool add_patches(struct wt_buffer *packets, struct wt_cursor *input, uint8_t *model,
			size_t size)
{
	const uint8_t *length, *data;
	size_t marks[3], patch;
	bool fits = true;
	uint16_t offset;

	begin_moment(packets, 1, marks);
	while (wt_cursor_u16(input, &offset) && wt_cursor_take(input, 1, &length) &&
	       wt_cursor_take(input, *length, &data)) {
		patch = wt_encode_begin(packets, WT_FIELD_ITEM_PATCH);
		wt_encode_number(packets, WT_FIELD_PATCH_OFFSET, offset);
		wt_encode_bytes(packets, WT_FIELD_PATCH_DATA, data, *length);
		wt_encode_end(packets, patch);
		fits = fits && offset <= size && *length <= size - offset;
		if (fits && *length)
			memcpy(model + offset, data, *length);
	}
	end_moment(packets, marks);
	return fits;
}

static void compare(struct wt_reader *reader, const uint8_t *model, size_t size, bool fits)
{
	struct wt_state *state;
	const struct wt_item *item;

	FUZZ_CHECK(!wt_reader_state(reader, 1, &state));
	item = wt_state_get(state, &key);
	if (fits) {
		fuzz_reached++;
		FUZZ_CHECK(item && (item->bytes ? item->bytes->size : 0) == size);
		FUZZ_CHECK(!size || !memcmp(item->bytes->data, model, size));
	} else {
		FUZZ_CHECK(!item);
		FUZZ_CHECK(wt_reader_has_loss(reader));
	}
	wt_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wt_cleanup_buffer struct wt_buffer packets = {0};
	struct wt_cursor input = wt_cursor_init(data, size), patches;
	const uint8_t *length, *value, *counts;
	uint8_t model[256];
	struct wt_reader *reader;
	size_t used;
	bool fits, whole;

	if (!wt_cursor_take(&input, 1, &length) || !wt_cursor_take(&input, *length, &value) ||
	    !wt_cursor_take(&input, 1, &counts))
		return 0;
	memcpy(model, value, *length);
	used = *counts && *counts < *length ? *counts : *length;
	whole = *counts <= *length;
	add_value(&packets, value, *length, *counts);
	patches = input;
	/* A moment without patches says that the value has none left, which is another thing. */
	if (input.remaining < 3 || input.remaining - 3 < input.data[2])
		return 0;
	/* A value of more bytes than its blob has is none, and nothing can be laid over it. */
	fits = add_patches(&packets, &patches, model, used) && whole;
	FUZZ_CHECK(!packets.failed);
	FUZZ_CHECK(!fuzz_open(fuzz_stage(packets.data, packets.size), &reader));
	compare(reader, model, used, fits);
	wt_reader_close(reader);
	return 0;
}
