/* SPDX-License-Identifier: MIT */
/* Moments, facts and what comes late: what changed. One item of a state in a packet is a value, or patches of an earlier one. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "trace-format/container/tape.h"
#include "trace-format/message/encode.h"
#include "trace-format/state/held.h"
#include "trace-format/writer/ahead.h"
#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

/* ---- Items ---- */

/* So many handles make a blob of their own pay: the lists of registers are the same for many waves. */
#define HANDLES_IN_BLOB 16u
/* Bytes of a value that are compared at once. */
#define EQUAL_STEP 512u
/* Unchanged bytes that cost less to repeat than another patch. */
#define PATCH_JOIN 8u
/* Bytes a patch takes besides its data. */
#define PATCH_COST 8u
/* Changed bytes in a row from which on they are taken as words, and the words encoded. */
#define PATCH_WORDS 32u

static void encode_words(struct wt_buffer *buffer, unsigned int field,
			 enum wt_blob_encoding encoding, const uint8_t *data, size_t size)
{
	uint8_t *place;

	wt_encode_varint(buffer, field << 3 | 2);
	wt_encode_varint(buffer, size);
	place = wt_buffer_extend(buffer, size);
	if (place)
		wt_words_encode(encoding, data, size, place);
}

/* False if there are too few, or they become no fewer. @made: what they became, if another thread has done it. */
static bool encode_rows(struct wt_writer *writer, struct wt_buffer *packet, const uint8_t *data,
			size_t size, const struct wt_ahead_blob *made)
{
	const size_t before = packet->size;
	size_t mark, used;
	uint8_t *place;

	if (size < WT_ROWS_SIZE_MIN)
		return false;
	wt_encode_number(packet, WT_FIELD_BLOB_ENCODING, WT_BLOB_ROWS);
	mark = wt_encode_begin(packet, WT_FIELD_BLOB_DATA);
	place = wt_buffer_extend(packet, made ? made->rows.size : wt_rows_bound(size));
	if (!place)
		return true;
	used = made ? made->rows.size : wt_rows_encode(&writer->rows, data, size, place);
	if (made)
		memcpy(place, made->rows.data, used);
	packet->size = used < size ? mark + used : before;
	if (used < size)
		wt_encode_end(packet, mark);
	return used < size;
}

static void encode_blob(struct wt_buffer *packet, const uint8_t *data, size_t size, bool words)
{
	enum wt_blob_encoding encoding = words ? wt_words_encoding(data, size) : WT_BLOB_PLAIN;

	wt_encode_number(packet, WT_FIELD_BLOB_ENCODING, encoding);
	encode_words(packet, WT_FIELD_BLOB_DATA, encoding, data, size);
}

/* One blob, unless its content has a number already. */
static struct wt_error *write_blob(struct wt_writer *writer, const uint8_t *data, size_t size,
				   bool words, uint32_t *number_ret)
{
	const struct wt_ahead_blob *made = words ? wt_ahead_take(writer, data) : NULL;
	struct wt_blob_hash hash = made ? made->hash : wt_blob_map_hash(&writer->blobs, data, size);
	struct wt_buffer *packet;
	struct wt_error *error;
	uint32_t number;

	*number_ret = wt_blob_map_get(&writer->blobs, hash);
	if (*number_ret)
		return NULL;
	error = wt_writer_begin(writer, WT_PACKET_BLOB, &packet);
	if (error)
		return error;
	if (!words || !encode_rows(writer, packet, data, size, made))
		encode_blob(packet, data, size, words);
	error = wt_tape_end(writer->tape, 0);
	if (error)
		return error;
	number = writer->tape->chunk.fields.first_blob + writer->tape->chunk.fields.blobs - 1;
	error = wt_blob_map_put(&writer->blobs, hash, number);
	if (!error)
		*number_ret = number;
	return error;
}

/* The blobs of an item's bytes, kept with it as the base of later patches. */
static struct wt_error *write_blobs(struct wt_writer *writer, struct wt_held_item *held)
{
	struct wt_bytes *bytes = held->item.bytes;
	size_t count = (bytes->size + WT_LIMIT_BLOB - 1) / WT_LIMIT_BLOB;
	bool words = held->item.key.type == WT_ITEM_REGISTERS && !writer->no_words;
	struct wt_stored *stored = wt_stored_create(bytes, count);
	struct wt_error *error = NULL;

	if (!stored)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		size_t offset = i * WT_LIMIT_BLOB, size = bytes->size - offset;

		size = size < WT_LIMIT_BLOB ? size : WT_LIMIT_BLOB;
		error = write_blob(writer, bytes->data + offset, size, words, &stored->blobs[i]);
	}
	if (error) {
		wt_stored_release(stored);
		return error;
	}
	wt_stored_release(held->stored);
	held->stored = stored;
	return NULL;
}

static uint64_t differing_bits_at_end(const uint8_t *a, const uint8_t *b, size_t size)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < size; i++)
		bits |= (uint64_t)(a[i] ^ b[i]) << 8 * i;
	return bits;
}

/* The bits in which up to 8 bytes from @offset on differ, those of the first byte lowest; 0 at the end. */
static inline uint64_t differing_bits(const struct wt_bytes *from, const struct wt_bytes *to,
				      size_t offset)
{
	const uint8_t *a = from->data + offset, *b = to->data + offset;
	uint64_t left, right;

	if (to->size - offset < sizeof(left))
		return differing_bits_at_end(a, b, to->size - offset);
	memcpy(&left, a, sizeof(left));
	memcpy(&right, b, sizeof(right));
	return le64toh(left ^ right);
}

/* The first byte in which two values differ, from @offset on: most of a large one is as it was, and the C library compares that fastest. */
static size_t skip_equal(const struct wt_bytes *from, const struct wt_bytes *to, size_t offset)
{
	const uint8_t *a = from->data, *b = to->data;
	uint64_t bits = 0;

	while (to->size - offset >= EQUAL_STEP && !memcmp(a + offset, b + offset, EQUAL_STEP))
		offset += EQUAL_STEP;
	while (offset < to->size && !(bits = differing_bits(from, to, offset)))
		offset += sizeof(bits);
	return bits ? offset + (unsigned int)__builtin_ctzll(bits) / 8 : to->size;
}

/* The next run of bytes that differ from @offset on: false if there is none. */
static bool next_difference(const struct wt_bytes *from, const struct wt_bytes *to, size_t offset,
			    size_t *start_ret, size_t *end_ret)
{
	size_t start = skip_equal(from, to, offset), end = start + 1;
	uint64_t bits;

	if (start >= to->size)
		return false;
	_Static_assert(PATCH_JOIN == sizeof(bits), "so many equal bytes in a row end it");
	while ((bits = differing_bits(from, to, end)))
		end += 8 - (unsigned int)__builtin_clzll(bits) / 8;
	*start_ret = start;
	*end_ret = end;
	return true;
}

/* Bytes that patches from one value to another would take, or SIZE_MAX where there can be none. */
static size_t patch_cost(const struct wt_bytes *from, const struct wt_bytes *to)
{
	size_t cost = 0, start, end;

	if (!from || !to || from->size != to->size)
		return SIZE_MAX;
	for (size_t at = 0; next_difference(from, to, at, &start, &end); at = end) {
		cost += end - start + PATCH_COST;
		if (cost > to->size)
			return SIZE_MAX;
	}
	return cost;
}

/* Do patches take less than half of what the whole value would? */
static bool patches_pay(const struct wt_bytes *from, const struct wt_bytes *to)
{
	return to && to->size && patch_cost(from, to) <= to->size / 2;
}

static void encode_patch(const struct wt_writer *writer, struct wt_buffer *buffer,
			 const struct wt_bytes *to, size_t start, size_t end)
{
	enum wt_blob_encoding encoding = WT_BLOB_PLAIN;
	size_t mark;

	if (end - start >= PATCH_WORDS && !writer->no_words) {
		start -= start % 4;
		end += (4 - end % 4) % 4;
		end = end < to->size ? end : to->size;
		encoding = wt_words_encoding(to->data + start, end - start);
	}
	mark = wt_encode_begin(buffer, WT_FIELD_ITEM_PATCH);
	wt_encode_number(buffer, WT_FIELD_PATCH_OFFSET, start);
	encode_words(buffer, WT_FIELD_PATCH_DATA, encoding, to->data + start, end - start);
	wt_encode_number(buffer, WT_FIELD_PATCH_ENCODING, encoding);
	wt_encode_end(buffer, mark);
}

/*
 * Patches from one value to another.
 *
 * @most: bytes that they may take, as patch_cost() counts them.
 * Return: whether they are all there, and take no more.
 */
static bool encode_patches(const struct wt_writer *writer, struct wt_buffer *buffer,
			   const struct wt_bytes *from, const struct wt_bytes *to, size_t most)
{
	size_t cost = 0, start, end, next = 0;

	while (next_difference(from, to, next, &start, &end)) {
		cost += end - start + PATCH_COST;
		if (cost > most)
			return false;
		next = end;
		encode_patch(writer, buffer, to, start, end);
	}
	return true;
}

/* Encode answers as field @field of a message. */
static void encode_answers(struct wt_buffer *buffer, unsigned int field,
			   const struct wt_answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const size_t mark = wt_encode_begin(buffer, field);

		wt_encode_number(buffer, WT_FIELD_ANSWER_QUERY, answers[i].query);
		wt_encode_signed(buffer, WT_FIELD_ANSWER_STATUS, answers[i].status);
		if (answers[i].size)
			wt_encode_bytes(buffer, WT_FIELD_ANSWER_VALUE, answers[i].value,
					answers[i].size);
		wt_encode_end(buffer, mark);
	}
}

static void encode_key(struct wt_buffer *buffer, const struct wt_key *key)
{
	wt_encode_number(buffer, WT_FIELD_ITEM_TYPE, key->type);
	wt_encode_number(buffer, WT_FIELD_ITEM_KIND, key->kind);
	wt_encode_number(buffer, WT_FIELD_ITEM_OWNER, key->owner);
	wt_encode_number(buffer, WT_FIELD_ITEM_ADDRESS, key->address);
}

/* Handles in line, or as the blob @handle_blob if that is not 0. */
static void encode_value(const struct wt_writer *writer, struct wt_buffer *buffer,
			 const struct wt_held_item *held, uint32_t handle_blob)
{
	const struct wt_item *item = &held->item;
	const struct wt_stored *stored = held->stored;
	uint64_t *more;

	wt_encode_signed(buffer, WT_FIELD_ITEM_STATUS, item->status);
	encode_answers(buffer, WT_FIELD_ITEM_ANSWER, item->answers, item->answer_count);
	if (!handle_blob)
		wt_encode_packed(buffer, WT_FIELD_ITEM_HANDLE, item->handles, item->handle_count);
	if (stored)
		wt_encode_number(buffer, WT_FIELD_ITEM_BLOB, stored->blobs[0]);
	if (stored && stored->base != item->bytes)
		encode_patches(writer, buffer, stored->base, item->bytes, SIZE_MAX);
	wt_encode_packed(buffer, WT_FIELD_ITEM_NUMBER, item->numbers, item->number_count);
	if (stored && stored->count > 1) {
		more = calloc(stored->count, sizeof(*more));
		if (!more) {
			buffer->failed = true;
			return;
		}
		for (size_t i = 1; i < stored->count; i++)
			more[i - 1] = stored->blobs[i];
		wt_encode_packed(buffer, WT_FIELD_ITEM_MORE_BLOB, more, stored->count - 1);
		free(more);
	}
	wt_encode_number(buffer, WT_FIELD_ITEM_HANDLE_BLOB, handle_blob);
}

static struct wt_error *write_handle_blob(struct wt_writer *writer, const struct wt_item *item,
					  uint32_t *number_ret)
{
	wt_cleanup_buffer struct wt_buffer words = {0};
	const size_t size = item->handle_count * sizeof(*item->handles);

	*number_ret = 0;
	if (item->handle_count < HANDLES_IN_BLOB || item->key.type == WT_ITEM_LIST ||
	    size > WT_LIMIT_BLOB)
		return NULL;
	/* In memory they mostly are what they are in a trace. */
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return write_blob(writer, (const uint8_t *)item->handles, size, false, number_ret);
	for (size_t i = 0; i < item->handle_count; i++)
		wt_buffer_append_u64(&words, item->handles[i]);
	if (words.failed)
		return &wt_error_no_memory;
	return write_blob(writer, words.data, words.size, false, number_ret);
}

/* Has it blobs that hold its bytes, or so much of them that patches pay? */
static bool held_is_stored(const struct wt_held_item *held)
{
	const struct wt_stored *stored = held->stored;

	return stored && (stored->base == held->item.bytes ||
			  (stored->count == 1 && patches_pay(stored->base, held->item.bytes)));
}

/*
 * Encode an item into `items`, as field @field of a packet, as a complete value that needs no earlier one. The blobs and
 * names it refers to are written first.
 */
static struct wt_error *writer_put_whole(struct wt_writer *writer, unsigned int field,
					 struct wt_held_item *held)
{
	struct wt_buffer *items = &writer->items;
	const struct wt_bytes *bytes = held->item.bytes;
	struct wt_error *error = NULL;
	uint32_t handle_blob;
	size_t mark;

	if (bytes && bytes->size && !held_is_stored(held))
		error = write_blobs(writer, held);
	if (!error)
		error = write_handle_blob(writer, &held->item, &handle_blob);
	if (error)
		return error;
	mark = wt_encode_begin(items, field);
	encode_key(items, &held->item.key);
	encode_value(writer, items, held, handle_blob);
	wt_encode_end(items, mark);
	return NULL;
}

/* Do two items differ in their bytes alone? */
static bool only_bytes_differ(const struct wt_item *a, const struct wt_item *b)
{
	struct wt_item like_b = *a;

	like_b.bytes = b->bytes;
	return wt_item_equal(&like_b, b);
}

static bool has_one_blob(const struct wt_held_item *held)
{
	return held->stored && held->stored->count == 1;
}

/* The same questions, answered otherwise here and there? Those that have no bytes are not patched. */
static bool only_answers_differ(const struct wt_item *a, const struct wt_item *b)
{
	struct wt_item like_b = *a;

	if (a->bytes || b->bytes || a->answer_count != b->answer_count)
		return false;
	for (size_t i = 0; i < a->answer_count; i++)
		if (a->answers[i].query != b->answers[i].query)
			return false;
	like_b.answers = b->answers;
	return wt_item_equal(&like_b, b);
}

/*
 * Puts the answers that changed. Each takes the place of the next one of its query, so those of the same query that are
 * passed on the way to it are told, too.
 */
static void put_answers(struct wt_buffer *items, unsigned int field, const struct wt_item *old,
			const struct wt_item *item)
{
	size_t mark = wt_encode_begin(items, field), next = 0;

	encode_key(items, &item->key);
	for (size_t i = 0; i < item->answer_count; i++) {
		if (wt_answer_equal(&old->answers[i], &item->answers[i]))
			continue;
		for (; next <= i; next++)
			if (item->answers[next].query == item->answers[i].query)
				encode_answers(items, WT_FIELD_ITEM_ANSWER, &item->answers[next],
					       1);
	}
	wt_encode_number(items, WT_FIELD_ITEM_KEEP, 1);
	wt_encode_end(items, mark);
}

/* An item of patches alone, if they pay; what has been encoded of others is dropped. */
static bool put_patches(struct wt_writer *writer, unsigned int field, const struct wt_item *old,
			const struct wt_item *item)
{
	const struct wt_bytes *from = old->bytes, *to = item->bytes;
	struct wt_buffer *items = &writer->items;
	size_t before = items->size, mark;

	if (!from || !to || !to->size || from->size != to->size)
		return false;
	mark = wt_encode_begin(items, field);
	encode_key(items, &item->key);
	if (!encode_patches(writer, items, from, to, to->size / 2)) {
		items->size = before;
		return false;
	}
	wt_encode_end(items, mark);
	return true;
}

/* Like writer_put_whole(), for an item that was @old (or NULL) before: as patches of @old where they pay. */
static struct wt_error *writer_put_change(struct wt_writer *writer, unsigned int field,
					  struct wt_held_item *held, const struct wt_held_item *old)
{
	struct wt_buffer *items = &writer->items;

	if (old && only_answers_differ(&old->item, &held->item)) {
		put_answers(items, field, &old->item, &held->item);
		return NULL;
	}
	if (!old || !has_one_blob(old) || !only_bytes_differ(&old->item, &held->item) ||
	    !put_patches(writer, field, &old->item, &held->item))
		return writer_put_whole(writer, field, held);
	held->stored = wt_stored_reference(old->stored);
	return NULL;
}

/* Like writer_put_whole(), for an item that was removed. */
static void writer_put_removal(struct wt_writer *writer, unsigned int field,
			       const struct wt_key *key)
{
	size_t mark = wt_encode_begin(&writer->items, field);

	encode_key(&writer->items, key);
	wt_encode_number(&writer->items, WT_FIELD_ITEM_REMOVED, 1);
	wt_encode_end(&writer->items, mark);
}

/* Let an item that has no blobs keep those of its earlier value, if patches of them pay. */
static void writer_inherit_blobs(struct wt_held_item *held, const struct wt_held_item *old)
{
	if (has_one_blob(old) && patches_pay(old->stored->base, held->item.bytes))
		held->stored = wt_stored_reference(old->stored);
}

/* ---- Moments, facts and what comes late ---- */

/* A keyframe comes after so many moments at the latest, and not before so many. */
#define KEYFRAME_MOMENTS 64u
#define KEYFRAME_MOMENTS_MIN 8u
/* ... and when the changes since the last one take so many times the bytes of a state. */
#define KEYFRAME_CHANGES 4u

/* Is it the same item that the last state has, or was made of? */
static bool held_is_same(const struct wt_held_item *old, const struct wt_held_item *given)
{
	return old == given || old->origin == given;
}

/*
 * The caller's item as the writer's own. What it may know of a trace is of the one that it was in before. What its equal
 * knows goes over to it, with its bytes, so that those of the old one are no more needed.
 */
static struct wt_held_item *share_item(struct wt_held_item *given, struct wt_held_item *equal)
{
	struct wt_stored *stored = equal ? equal->stored : NULL;

	if (given == equal)
		return wt_held_item_reference(given);
	wt_stored_release(given->stored);
	given->stored = wt_stored_reference(stored);
	if (stored && stored->base == equal->item.bytes) {
		stored->base = wt_bytes_reference(given->item.bytes);
		wt_bytes_release(equal->item.bytes);
	}
	return wt_held_item_reference(given);
}

/* The writer's own copy of an item; it is not made again while the caller gives the same one. */
static struct wt_held_item *copy_item(struct wt_held_item *given, struct wt_held_item *equal)
{
	struct wt_held_item *held =
		equal ? wt_held_item_reference(equal) : wt_held_item_create(&given->item);

	if (!held || held->origin == given)
		return held;
	wt_held_item_release(held->origin);
	held->origin = wt_held_item_reference(given);
	return held;
}

/*
 * Does a state hold the very items that the last one was made of? Then nothing need be compared: so
 * it is where a client only asks whether something happened.
 */
static bool is_unchanged(const struct wt_writer *writer, const struct wt_state *state)
{
	size_t count;

	if (wt_state_has_source(writer->state, state))
		return true;
	count = wt_state_count(state);
	if (count != wt_state_count(writer->state))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!held_is_same(wt_state_held_at(writer->state, i), wt_state_held_at(state, i)))
			return false;
	wt_state_set_source(writer->state, state);
	return true;
}

/*
 * One item of a new state: into the packet if it changed, and into @next, which becomes the state.
 */
static struct wt_error *write_item(struct wt_writer *writer, struct wt_held_item *given,
				   struct wt_held_item *old, bool keyframe, struct wt_state *next)
{
	bool same = old && (held_is_same(old, given) || wt_item_equal(&old->item, &given->item));
	struct wt_held_item *equal = same ? old : NULL, *held;
	struct wt_error *error = NULL;

	held = writer->shares_items ? share_item(given, equal) : copy_item(given, equal);
	if (!held)
		return &wt_error_no_memory;
	if (keyframe && old && !same)
		writer_inherit_blobs(held, old);
	if (keyframe)
		error = writer_put_whole(writer, WT_FIELD_MOMENT_ITEM, held);
	else if (!same)
		error = writer_put_change(writer, WT_FIELD_MOMENT_ITEM, held, old);
	if (!error)
		error = wt_state_hold(next, held);
	wt_held_item_release(held);
	return error;
}

/* Walk the old and the new state side by side. */
static struct wt_error *write_items(struct wt_writer *writer, const struct wt_state *state,
				    bool keyframe, struct wt_state *next)
{
	size_t new_count = wt_state_count(state), old_count = wt_state_count(writer->state), o = 0;
	struct wt_error *error = NULL;

	wt_ahead_begin(writer, state);
	for (size_t n = 0; n <= new_count && !error; n++) {
		struct wt_held_item *given = wt_state_held_at(state, n), *old = NULL;

		for (; o < old_count && !old; o++) {
			struct wt_held_item *candidate = wt_state_held_at(writer->state, o);
			int order =
				given ? wt_key_compare(&candidate->item.key, &given->item.key) : -1;

			if (order > 0)
				break;
			if (!order)
				old = candidate;
			else if (!keyframe)
				writer_put_removal(writer, WT_FIELD_MOMENT_ITEM,
						   &candidate->item.key);
		}
		if (given)
			error = write_item(writer, given, old, keyframe, next);
	}
	wt_ahead_end(writer);
	return error;
}

static void encode_moment(struct wt_writer *writer, struct wt_buffer *packet,
			  const struct wt_moment *moment, uint32_t number, bool keyframe)
{
	size_t mark;

	wt_encode_number(packet, WT_FIELD_MOMENT_NUMBER, number);
	wt_encode_number(packet, WT_FIELD_MOMENT_PROCESS, moment->process);
	wt_encode_number(packet, WT_FIELD_MOMENT_CAUSE, moment->cause);
	wt_encode_number(packet, WT_FIELD_MOMENT_CALL, moment->call);
	wt_encode_number(packet, WT_FIELD_MOMENT_TIME, writer->reproducible ? 0 : moment->time);
	wt_encode_number(packet, WT_FIELD_MOMENT_KEYFRAME, keyframe);
	wt_encode_number(packet, WT_FIELD_MOMENT_FUNCTION, moment->function);
	wt_encode_signed(packet, WT_FIELD_MOMENT_STATUS, moment->status);
	for (size_t i = 0; i < moment->event_count; i++) {
		const struct wt_event *event = &moment->events[i];

		mark = wt_encode_begin(packet, WT_FIELD_MOMENT_EVENT);
		wt_encode_number(packet, WT_FIELD_EVENT_HANDLE, event->handle);
		wt_encode_number(packet, WT_FIELD_EVENT_KIND, event->kind);
		encode_answers(packet, WT_FIELD_EVENT_ANSWER, event->answers, event->answer_count);
		wt_encode_end(packet, mark);
	}
	wt_encode_number(packet, WT_FIELD_MOMENT_AFTER_RESUME, moment->after_resume);
	wt_encode_packed(packet, WT_FIELD_MOMENT_STOP_REQUESTED, moment->stop_requested,
			 moment->stop_requested_count);
	for (size_t i = 0; i < moment->log_count; i++) {
		mark = wt_encode_begin(packet, WT_FIELD_MOMENT_LOG);
		wt_encode_number(packet, WT_FIELD_LOG_MESSAGE_LEVEL, moment->log[i].level);
		wt_encode_string(packet, WT_FIELD_LOG_MESSAGE_TEXT, moment->log[i].text, false);
		wt_encode_number(packet, WT_FIELD_LOG_MESSAGE_EVENT, moment->log[i].event);
		wt_encode_end(packet, mark);
	}
	wt_buffer_append(packet, writer->items.data, writer->items.size);
	packet->failed |= writer->items.failed;
}

/* Bytes before compression. */
static uint64_t written(const struct wt_writer *writer)
{
	return writer->tape->chunk.raw_before + writer->tape->chunk.raw.size;
}

static uint64_t state_size(const struct wt_state *state)
{
	uint64_t size = 0;

	for (size_t i = 0; i < wt_state_count(state); i++) {
		const struct wt_item *item = wt_state_at(state, i);

		size += (item->handle_count + item->number_count) * sizeof(uint64_t);
		size += item->bytes ? item->bytes->size : 0;
		for (size_t j = 0; j < item->answer_count; j++)
			size += item->answers[j].size;
	}
	return size;
}

/*
 * The first stop needs nothing before it but facts. Then a keyframe comes when the changes since the
 * last one are much more to read than a state is: reaching a moment costs five states at most.
 */
static bool is_time_for_keyframe(const struct wt_writer *writer, const struct wt_moment *moment)
{
	if (writer->keyframe_interval)
		return writer->since_keyframe >= writer->keyframe_interval;
	return (moment->cause == WT_MOMENT_STOP && !writer->seen_stop) ||
	       writer->since_keyframe >= KEYFRAME_MOMENTS ||
	       (writer->since_keyframe >= KEYFRAME_MOMENTS_MIN &&
		writer->change_bytes / KEYFRAME_CHANGES >= writer->state_bytes);
}

static void count_moment(struct wt_writer *writer, const struct wt_moment *moment, bool keyframe,
			 uint64_t bytes, const struct wt_state *state)
{
	writer->seen_stop |= moment->cause == WT_MOMENT_STOP;
	writer->since_keyframe = keyframe ? 1 : writer->since_keyframe + 1;
	writer->change_bytes = keyframe ? 0 : writer->change_bytes + bytes;
	if (keyframe)
		writer->state_bytes = state_size(state);
}

/* A finished stop ends its chunk. One that is to be on the disk is there when this returns. */
static struct wt_error *writer_close_stop(struct wt_writer *writer)
{
	bool sync = writer->sync_every && ++writer->stops_since_sync >= writer->sync_every;

	struct wt_error *error;

	if (sync)
		writer->stops_since_sync = 0;
	error = sync ? wt_tape_close_chunk(writer->tape, true) : wt_tape_close_later(writer->tape);
	writer->stops++;
	return error;
}

static struct wt_error *writer_write_moment(struct wt_writer *writer,
					    const struct wt_moment *moment,
					    const struct wt_state *state, struct wt_state **next)
{
	const struct wt_chunk_fields *open = &writer->tape->chunk.fields;
	uint32_t number = open->first_moment + open->moments;
	bool keyframe = !number || is_time_for_keyframe(writer, moment);
	uint64_t before = written(writer);
	struct wt_buffer *packet;
	struct wt_error *error = NULL;

	wt_buffer_clear(&writer->items);
	wt_tape_begin_bulk(writer->tape);
	if (keyframe || !is_unchanged(writer, state)) {
		*next = wt_state_create();
		error = *next ? write_items(writer, state, keyframe, *next) : &wt_error_no_memory;
	}
	if (!error)
		error = wt_writer_begin(writer, WT_PACKET_MOMENT, &packet);
	if (error)
		return error;
	encode_moment(writer, packet, moment, number, keyframe);
	error = wt_tape_end(writer->tape, keyframe);
	if (error)
		return error;
	count_moment(writer, moment, keyframe, written(writer) - before, *next);
	if (moment->cause == WT_MOMENT_STOP && !writer->tape->packed)
		return writer_close_stop(writer);
	return wt_tape_flush(writer->tape);
}

/* Memory that the writer holds by itself: buffers, what it knows of blobs and names, and the state. */
static uint64_t memory_held(const struct wt_writer *writer)
{
	const struct wt_tape *tape = writer->tape;
	uint64_t size = tape->chunk.raw.capacity + tape->stage.entry.capacity +
			tape->stage.zeros.capacity + tape->packing.image.capacity +
			tape->index.entries.capacity + tape->index.copies.capacity +
			tape->index.offsets.capacity + writer->items.capacity +
			wt_tape_compression_size(tape) + wt_blob_map_size(&writer->blobs) +
			wt_names_size(&writer->names) + wt_stop_list_size(&writer->listed) +
			tape->summary.notices.capacity;

	return size + state_size(writer->state) +
	       wt_state_count(writer->state) * sizeof(struct wt_held_item);
}

static struct wt_error *check_memory(struct wt_writer *writer)
{
	if (!writer->max_memory || memory_held(writer) <= writer->max_memory / 4 * 3)
		return NULL;
	writer->over_memory = true;
	return wt_error_create(WT_ERROR_LIMIT, "cannot write the trace", writer->tape->file.path,
			       "the recording needs more than the %llu bytes of memory it may have",
			       (unsigned long long)writer->max_memory);
}

struct wt_error *wt_writer_moment(struct wt_writer *writer, const struct wt_moment *moment,
				  const struct wt_state *state)
{
	const struct wt_chunk_fields *open = &writer->tape->chunk.fields;
	struct wt_error *error = wt_writer_check(writer);
	uint32_t number = open->first_moment + open->moments;
	struct wt_state *next = NULL;

	if (error)
		return error;
	wt_writer_list_stop(writer);
	error = writer_write_moment(writer, moment, state, &next);
	/* The moment is in the trace even if its chunk could not be closed. */
	if (error && open->first_moment + open->moments == number) {
		wt_state_destroy(next);
		return wt_writer_result(writer, error);
	}
	if (next) {
		wt_state_destroy(writer->state);
		writer->state = next;
		wt_state_set_source(next, state);
	}
	if (moment->cause == WT_MOMENT_STOP)
		wt_writer_keep_stop(writer, moment, number);
	if (!error && moment->cause == WT_MOMENT_STOP)
		error = wt_writer_turn_ring(writer, false);
	if (!error)
		error = check_memory(writer);
	return wt_writer_result(writer, error);
}

/* A packet of items alone: Facts, or Late for @moment. */
static struct wt_error *write_packet(struct wt_writer *writer, enum wt_field_packet field,
				     uint32_t moment)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, field, &packet);

	if (error)
		return error;
	if (field == WT_PACKET_LATE)
		wt_encode_number(packet, WT_FIELD_LATE_MOMENT, moment);
	wt_buffer_append(packet, writer->items.data, writer->items.size);
	packet->failed |= writer->items.failed;
	error = wt_tape_end(writer->tape, 0);
	return error ? error : wt_tape_flush(writer->tape);
}

static struct wt_error *writer_write_facts(struct wt_writer *writer,
					   const struct wt_item *const *items, size_t count)
{
	struct wt_error *error = NULL;

	wt_buffer_clear(&writer->items);
	for (size_t i = 0; i < count && !error; i++) {
		struct wt_held_item *held = wt_held_item_create(items[i]);

		error = held ? writer_put_whole(writer, WT_FIELD_FACTS_ITEM, held)
			     : &wt_error_no_memory;
		wt_held_item_release(held);
	}
	return error ? error : write_packet(writer, WT_PACKET_FACTS, 0);
}

struct wt_error *wt_writer_facts(struct wt_writer *writer, const struct wt_item *const *items,
				 size_t count)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, writer_write_facts(writer, items, count));
}

static struct wt_error *write_late_item(struct wt_writer *writer, const struct wt_item *item)
{
	size_t position = wt_state_lower_bound(writer->state, &item->key);
	struct wt_held_item *old = wt_state_held_at(writer->state, position), *held;
	struct wt_error *error;

	if (old && wt_key_compare(&old->item.key, &item->key))
		old = NULL;
	if (item->removed && old) {
		writer_put_removal(writer, WT_FIELD_LATE_ITEM, &item->key);
		wt_state_remove(writer->state, &item->key);
	}
	if (item->removed || (old && wt_item_equal(&old->item, item)))
		return NULL;
	held = wt_held_item_create(item);
	if (!held)
		return &wt_error_no_memory;
	error = writer_put_change(writer, WT_FIELD_LATE_ITEM, held, old);
	if (!error)
		error = wt_state_hold(writer->state, held);
	wt_held_item_release(held);
	return error;
}

static struct wt_error *write_late(struct wt_writer *writer, const struct wt_item *const *items,
				   size_t count)
{
	const struct wt_chunk_fields *open = &writer->tape->chunk.fields;
	uint32_t moments = open->first_moment + open->moments;
	struct wt_error *error = NULL;

	if (!moments)
		return wt_error_create(WT_ERROR_USAGE, "cannot write the trace", NULL,
				       "something came late for a moment, and there was none");
	wt_buffer_clear(&writer->items);
	for (size_t i = 0; i < count && !error; i++)
		error = write_late_item(writer, items[i]);
	if (error || !writer->items.size)
		return error;
	writer->change_bytes += writer->items.size;
	return write_packet(writer, WT_PACKET_LATE, moments - 1);
}

struct wt_error *wt_writer_late(struct wt_writer *writer, const struct wt_item *const *items,
				size_t count)
{
	struct wt_error *error = wt_writer_check(writer);

	if (error)
		return error;
	error = write_late(writer, items, count);
	/* Then the state may have more than the trace. */
	writer->listed.broken |= error && writer->stop.pending;
	return wt_writer_result(writer, error);
}
