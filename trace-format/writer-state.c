/* SPDX-License-Identifier: MIT */
/* Moments, facts and what comes late: what changed, and where its bytes are. */
#include <stdlib.h>
#include <string.h>

#include "trace-format/encode.h"
#include "trace-format/state-items.h"
#include "trace-format/writer-inside.h"

/*
 * As many handles as make a blob of their own pay: the lists of registers are the same for many
 * waves.
 */
#define HANDLES_IN_BLOB 16u
/* Unchanged bytes that cost less to repeat than another patch. */
#define PATCH_JOIN 8u
/* Bytes a patch takes besides its data. */
#define PATCH_COST 8u

/* One blob, unless its content has a number already. */
static struct wt_error *write_blob(struct wt_writer *writer, const uint8_t *data, size_t size,
				   bool planes, uint32_t *number_ret)
{
	uint8_t key[WT_BLOB_KEY_SIZE], *place;
	struct wt_buffer *packet;
	struct wt_error *error;
	uint32_t number;

	wt_blob_key(data, size, key);
	*number_ret = wt_blob_map_get(&writer->blobs, key);
	if (*number_ret)
		return NULL;
	error = wt_writer_begin(writer, WT_PACKET_BLOB, &packet);
	if (error)
		return error;
	wt_encode_bytes(packet, WT_BLOB_KEY, key, sizeof(key));
	wt_encode_number(packet, WT_BLOB_ENCODING, planes ? WT_BLOB_PLANES4 : WT_BLOB_PLAIN);
	if (planes) {
		wt_encode_varint(packet, WT_BLOB_DATA << 3 | 2);
		wt_encode_varint(packet, size);
		place = wt_buffer_extend(packet, size);
		if (place)
			wt_planes4_encode(data, size, place);
	} else {
		wt_encode_bytes(packet, WT_BLOB_DATA, data, size);
	}
	error = wt_tape_end(writer->tape, 0);
	if (error)
		return error;
	number = writer->tape->open.first_blob + writer->tape->open.blobs - 1;
	error = wt_blob_map_put(&writer->blobs, key, number);
	if (!error)
		*number_ret = number;
	return error;
}

/* The blobs of an item's bytes, kept with it as the base of later patches. */
static struct wt_error *write_blobs(struct wt_writer *writer, struct wt_held_item *held)
{
	struct wt_bytes *bytes = held->item.bytes;
	size_t count = (bytes->size + WT_LIMIT_BLOB - 1) / WT_LIMIT_BLOB;
	bool planes = held->item.key.type == WT_ITEM_REGISTERS;
	uint32_t *blobs = calloc(count, sizeof(*blobs));
	struct wt_error *error = NULL;

	if (!blobs)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		size_t offset = i * WT_LIMIT_BLOB, size = bytes->size - offset;

		size = size < WT_LIMIT_BLOB ? size : WT_LIMIT_BLOB;
		error = write_blob(writer, bytes->data + offset, size, planes, &blobs[i]);
	}
	if (error) {
		free(blobs);
		return error;
	}
	free(held->blobs);
	held->blobs = blobs;
	held->blob_count = count;
	wt_bytes_release(held->base);
	held->base = wt_bytes_reference(bytes);
	return NULL;
}

/* The next run of bytes that differ from @offset on: false if there is none. */
static bool next_difference(const struct wt_bytes *from, const struct wt_bytes *to, size_t offset,
			    size_t *start_ret, size_t *end_ret)
{
	size_t start = offset, end, size = to->size;

	while (start + 8 <= size && !memcmp(from->data + start, to->data + start, 8))
		start += 8;
	while (start < size && from->data[start] == to->data[start])
		start++;
	if (start >= size)
		return false;
	end = start + 1;
	for (size_t i = end; i < size && i < end + PATCH_JOIN; i++)
		if (from->data[i] != to->data[i])
			end = i + 1;
	*start_ret = start;
	*end_ret = end;
	return true;
}

/* What patches from one value to another would take, or SIZE_MAX where there can be none. */
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

static void encode_patches(struct wt_buffer *buffer, const struct wt_bytes *from,
			   const struct wt_bytes *to)
{
	size_t start, end;

	for (size_t at = 0; next_difference(from, to, at, &start, &end); at = end) {
		size_t mark = wt_encode_begin(buffer, WT_ITEM_PATCH);

		wt_encode_number(buffer, WT_PATCH_OFFSET, start);
		wt_encode_bytes(buffer, WT_PATCH_DATA, to->data + start, end - start);
		wt_encode_end(buffer, mark);
	}
}

void wt_encode_answers(struct wt_buffer *buffer, unsigned int field,
		       const struct wt_answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t mark = wt_encode_begin(buffer, field);

		wt_encode_number(buffer, WT_ANSWER_QUERY, answers[i].query);
		wt_encode_signed(buffer, WT_ANSWER_STATUS, answers[i].status);
		if (answers[i].size)
			wt_encode_bytes(buffer, WT_ANSWER_VALUE, answers[i].value, answers[i].size);
		wt_encode_end(buffer, mark);
	}
}

static void encode_key(struct wt_buffer *buffer, const struct wt_key *key)
{
	wt_encode_number(buffer, WT_ITEM_TYPE, key->type);
	wt_encode_number(buffer, WT_ITEM_KIND, key->kind);
	wt_encode_number(buffer, WT_ITEM_OWNER, key->owner);
	wt_encode_number(buffer, WT_ITEM_ADDRESS, key->address);
}

/* Handles in line, or as the blob @handle_blob if that is not 0. */
static void encode_value(struct wt_buffer *buffer, const struct wt_held_item *held,
			 uint32_t handle_blob)
{
	const struct wt_item *item = &held->item;
	uint64_t *more;

	wt_encode_signed(buffer, WT_ITEM_STATUS, item->status);
	wt_encode_answers(buffer, WT_ITEM_ANSWER, item->answers, item->answer_count);
	if (!handle_blob)
		wt_encode_packed(buffer, WT_ITEM_HANDLE, item->handles, item->handle_count);
	if (held->blob_count)
		wt_encode_number(buffer, WT_ITEM_BLOB, held->blobs[0]);
	if (held->base && held->base != item->bytes)
		encode_patches(buffer, held->base, item->bytes);
	wt_encode_packed(buffer, WT_ITEM_NUMBER, item->numbers, item->number_count);
	if (held->blob_count > 1) {
		more = calloc(held->blob_count, sizeof(*more));
		if (!more) {
			buffer->failed = true;
			return;
		}
		for (size_t i = 1; i < held->blob_count; i++)
			more[i - 1] = held->blobs[i];
		wt_encode_packed(buffer, WT_ITEM_MORE_BLOB, more, held->blob_count - 1);
		free(more);
	}
	wt_encode_number(buffer, WT_ITEM_HANDLE_BLOB, handle_blob);
}

static struct wt_error *write_handle_blob(struct wt_writer *writer, const struct wt_item *item,
					  uint32_t *number_ret)
{
	wt_cleanup_buffer struct wt_buffer words = {0};

	*number_ret = 0;
	if (item->handle_count < HANDLES_IN_BLOB || item->key.type == WT_ITEM_LIST)
		return NULL;
	for (size_t i = 0; i < item->handle_count; i++)
		wt_buffer_append_u64(&words, item->handles[i]);
	if (words.failed)
		return &wt_error_no_memory;
	if (words.size > WT_LIMIT_BLOB)
		return NULL;
	return write_blob(writer, words.data, words.size, false, number_ret);
}

/* An item as a value of its own, for which no earlier one is needed. */
static struct wt_error *write_whole(struct wt_writer *writer, unsigned int field,
				    struct wt_held_item *held)
{
	struct wt_buffer *items = &writer->items;
	const struct wt_bytes *bytes = held->item.bytes;
	struct wt_error *error = NULL;
	uint32_t handle_blob;
	size_t mark;

	if (bytes && bytes->size && held->base != bytes &&
	    (held->blob_count != 1 || !patches_pay(held->base, bytes)))
		error = write_blobs(writer, held);
	if (!error)
		error = write_handle_blob(writer, &held->item, &handle_blob);
	if (error)
		return error;
	mark = wt_encode_begin(items, field);
	encode_key(items, &held->item.key);
	encode_value(items, held, handle_blob);
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

static struct wt_error *inherit_base(struct wt_held_item *held, const struct wt_held_item *old)
{
	held->blobs = calloc(old->blob_count, sizeof(*held->blobs));
	if (!held->blobs)
		return &wt_error_no_memory;
	memcpy(held->blobs, old->blobs, old->blob_count * sizeof(*held->blobs));
	held->blob_count = old->blob_count;
	held->base = wt_bytes_reference(old->base);
	return NULL;
}

/* An item that was @old (or nothing) before. */
static struct wt_error *write_change(struct wt_writer *writer, unsigned int field,
				     struct wt_held_item *held, const struct wt_held_item *old)
{
	struct wt_buffer *items = &writer->items;
	struct wt_error *error;
	size_t mark;

	if (!old || old->blob_count != 1 || !only_bytes_differ(&old->item, &held->item) ||
	    !patches_pay(old->item.bytes, held->item.bytes))
		return write_whole(writer, field, held);
	error = inherit_base(held, old);
	if (error)
		return error;
	mark = wt_encode_begin(items, field);
	encode_key(items, &held->item.key);
	encode_patches(items, old->item.bytes, held->item.bytes);
	wt_encode_end(items, mark);
	return NULL;
}

static void write_removal(struct wt_writer *writer, unsigned int field, const struct wt_key *key)
{
	size_t mark = wt_encode_begin(&writer->items, field);

	encode_key(&writer->items, key);
	wt_encode_number(&writer->items, WT_ITEM_REMOVED, 1);
	wt_encode_end(&writer->items, mark);
}

/*
 * One item of a new state: into the packet if it changed, and into @next, which becomes the state.
 */
static struct wt_error *write_item(struct wt_writer *writer, const struct wt_item *item,
				   struct wt_held_item *old, bool keyframe, struct wt_state *next)
{
	bool same = old && wt_item_equal(&old->item, item);
	struct wt_held_item *held;
	struct wt_error *error = NULL;

	held = same ? wt_held_item_reference(old) : wt_held_item_create(item);
	if (!held)
		return &wt_error_no_memory;
	if (keyframe && old && !same && old->blob_count == 1 && patches_pay(old->base, item->bytes))
		error = inherit_base(held, old);
	if (!error && keyframe)
		error = write_whole(writer, WT_MOMENT_ITEM, held);
	else if (!error && !same)
		error = write_change(writer, WT_MOMENT_ITEM, held, old);
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

	wt_buffer_clear(&writer->items);
	for (size_t n = 0; n <= new_count && !error; n++) {
		const struct wt_item *item = wt_state_at(state, n);
		struct wt_held_item *old = NULL;

		for (; o < old_count && !old; o++) {
			struct wt_held_item *candidate = wt_state_held_at(writer->state, o);
			int order = item ? wt_key_compare(&candidate->item.key, &item->key) : -1;

			if (order > 0)
				break;
			if (!order)
				old = candidate;
			else if (!keyframe)
				write_removal(writer, WT_MOMENT_ITEM, &candidate->item.key);
		}
		if (item)
			error = write_item(writer, item, old, keyframe, next);
	}
	return error;
}

static void encode_moment(struct wt_writer *writer, struct wt_buffer *packet,
			  const struct wt_moment *moment, uint32_t number, bool keyframe)
{
	size_t mark;

	wt_encode_number(packet, WT_MOMENT_NUMBER, number);
	wt_encode_number(packet, WT_MOMENT_PROCESS, moment->process);
	wt_encode_number(packet, WT_MOMENT_CAUSE, moment->cause);
	wt_encode_number(packet, WT_MOMENT_CALL, moment->call);
	wt_encode_number(packet, WT_MOMENT_TIME, writer->reproducible ? 0 : moment->time);
	wt_encode_number(packet, WT_MOMENT_KEYFRAME, keyframe);
	wt_encode_number(packet, WT_MOMENT_FUNCTION, moment->function);
	for (size_t i = 0; i < moment->event_count; i++) {
		const struct wt_event *event = &moment->events[i];

		mark = wt_encode_begin(packet, WT_MOMENT_EVENT);
		wt_encode_number(packet, WT_EVENT_HANDLE, event->handle);
		wt_encode_number(packet, WT_EVENT_KIND, event->kind);
		wt_encode_answers(packet, WT_EVENT_ANSWER, event->answers, event->answer_count);
		wt_encode_end(packet, mark);
	}
	wt_encode_number(packet, WT_MOMENT_AFTER_RESUME, moment->after_resume);
	wt_encode_packed(packet, WT_MOMENT_STOP_REQUESTED, moment->stop_requested,
			 moment->stop_requested_count);
	for (size_t i = 0; i < moment->log_count; i++) {
		mark = wt_encode_begin(packet, WT_MOMENT_LOG);
		wt_encode_number(packet, WT_LOG_LEVEL, moment->log[i].level);
		wt_encode_string(packet, WT_LOG_TEXT, moment->log[i].text, false);
		wt_encode_number(packet, WT_LOG_EVENT, moment->log[i].event);
		wt_encode_end(packet, mark);
	}
	wt_buffer_append(packet, writer->items.data, writer->items.size);
	packet->failed |= writer->items.failed;
}

static struct wt_error *write_moment(struct wt_writer *writer, const struct wt_moment *moment,
				     const struct wt_state *state, struct wt_state *next)
{
	const struct wt_chunk_fields *open = &writer->tape->open;
	uint32_t number = open->first_moment + open->moments;
	bool keyframe = number % writer->keyframe_interval == 0;
	struct wt_buffer *packet;
	struct wt_error *error;

	error = write_items(writer, state, keyframe, next);
	if (!error)
		error = wt_writer_begin(writer, WT_PACKET_MOMENT, &packet);
	if (error)
		return error;
	encode_moment(writer, packet, moment, number, keyframe);
	error = wt_tape_end(writer->tape, keyframe);
	if (error)
		return error;
	if (moment->cause == WT_MOMENT_STOP)
		return wt_tape_close_chunk(writer->tape, writer->sync_stops);
	return wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_moment(struct wt_writer *writer, const struct wt_moment *moment,
				  const struct wt_state *state)
{
	struct wt_error *error = wt_writer_check(writer);
	struct wt_state *next;

	if (error)
		return error;
	next = wt_state_create();
	error = next ? write_moment(writer, moment, state, next) : &wt_error_no_memory;
	if (error) {
		wt_state_destroy(next);
		return wt_writer_result(writer, error);
	}
	wt_state_destroy(writer->state);
	writer->state = next;
	return NULL;
}

/* A packet of items alone: Facts, or Late for @moment. */
static struct wt_error *write_packet(struct wt_writer *writer, enum wt_packet_field field,
				     uint32_t moment)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, field, &packet);

	if (error)
		return error;
	if (field == WT_PACKET_LATE)
		wt_encode_number(packet, WT_LATE_MOMENT, moment);
	wt_buffer_append(packet, writer->items.data, writer->items.size);
	packet->failed |= writer->items.failed;
	error = wt_tape_end(writer->tape, 0);
	return error ? error : wt_tape_flush(writer->tape);
}

static struct wt_error *write_facts(struct wt_writer *writer, const struct wt_item *const *items,
				    size_t count)
{
	struct wt_error *error = NULL;

	wt_buffer_clear(&writer->items);
	for (size_t i = 0; i < count && !error; i++) {
		struct wt_held_item *held = wt_held_item_create(items[i]);

		error = held ? write_whole(writer, WT_FACTS_ITEM, held) : &wt_error_no_memory;
		wt_held_item_release(held);
	}
	return error ? error : write_packet(writer, WT_PACKET_FACTS, 0);
}

struct wt_error *wt_writer_facts(struct wt_writer *writer, const struct wt_item *const *items,
				 size_t count)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_facts(writer, items, count));
}

static struct wt_error *write_late_item(struct wt_writer *writer, const struct wt_item *item)
{
	size_t position = wt_state_lower_bound(writer->state, &item->key);
	struct wt_held_item *old = wt_state_held_at(writer->state, position), *held;
	struct wt_error *error;

	if (old && wt_key_compare(&old->item.key, &item->key))
		old = NULL;
	if (item->removed && old) {
		write_removal(writer, WT_LATE_ITEM, &item->key);
		wt_state_remove(writer->state, &item->key);
	}
	if (item->removed || (old && wt_item_equal(&old->item, item)))
		return NULL;
	held = wt_held_item_create(item);
	if (!held)
		return &wt_error_no_memory;
	error = write_change(writer, WT_LATE_ITEM, held, old);
	if (!error)
		error = wt_state_hold(writer->state, held);
	wt_held_item_release(held);
	return error;
}

static struct wt_error *write_late(struct wt_writer *writer, const struct wt_item *const *items,
				   size_t count)
{
	const struct wt_chunk_fields *open = &writer->tape->open;
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
	return write_packet(writer, WT_PACKET_LATE, moments - 1);
}

struct wt_error *wt_writer_late(struct wt_writer *writer, const struct wt_item *const *items,
				size_t count)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_late(writer, items, count));
}
