/* SPDX-License-Identifier: MIT */
/* Items on their way from packets into states. */
#include "trace-format/reader/items.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/blobs.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"
#include "trace-format/state/blob.h"
#include "trace-format/state/held.h"

/* Bytes of changes that are kept of a value until it is asked for. */
#define UNREAD_MOST ((size_t)64 << 10)

static struct wt_error *item_cut_bytes(struct wt_reader *reader, uint64_t size,
				       struct wt_bytes **bytes)
{
	struct wt_bytes *shorter;
	struct wt_error *error;

	if (!size || size == (*bytes)->size)
		return NULL;
	if (size > (*bytes)->size)
		return wt_reader_error(reader, WT_ERROR_INPUT, "a value is longer than its blob");
	error = wt_reader_spend(reader, size);
	if (error)
		return error;
	shorter = wt_bytes_create((*bytes)->data, (size_t)size);
	if (!shorter)
		return &wt_error_no_memory;
	wt_bytes_release(*bytes);
	*bytes = shorter;
	return NULL;
}

static struct wt_error *patch_in_place(struct wt_reader *reader, const struct wt_packed_item *item,
				       struct wt_bytes *bytes)
{
	const struct wt_packed_patch *patches = item->patch.elements;

	for (size_t i = 0; i < item->patch.count; i++) {
		const struct wt_packed_patch *change = &patches[i];
		size_t size = change->data.remaining;

		if (change->offset > bytes->size || size > bytes->size - change->offset)
			return wt_reader_error(reader, WT_ERROR_INPUT,
					       "a change lies outside of its value");
		if (!wt_words_decode(change->encoding, change->data.data, size,
				     bytes->data + change->offset))
			return wt_reader_unknown_encoding(reader, "change", change->encoding);
	}
	return NULL;
}

/* Put patches over @bytes, or over a copy that takes its place where others have it, too. */
static struct wt_error *patch(struct wt_reader *reader, const struct wt_packed_item *item,
			      struct wt_bytes **bytes)
{
	struct wt_bytes *patched = *bytes;
	struct wt_error *error;

	if (patched->references > 1) {
		error = wt_reader_spend(reader, patched->size);
		if (error)
			return error;
		patched = wt_bytes_create((*bytes)->data, (*bytes)->size);
		if (!patched)
			return &wt_error_no_memory;
		wt_bytes_release(*bytes);
		*bytes = patched;
	}
	return patch_in_place(reader, item, patched);
}

/* The bytes of an item that has a blob; NULL for one that has none. */
static struct wt_error *item_bytes(struct wt_reader *reader, const struct wt_packed_item *item,
				   struct wt_bytes **bytes_ret)
{
	struct wt_bytes *bytes = NULL;
	struct wt_error *error = NULL;

	if (item->blob)
		error = wt_reader_join(reader, &item->blob, 1, item->more_blob.elements,
				       item->more_blob.count, &bytes);
	if (!error && bytes)
		error = item_cut_bytes(reader, item->size, &bytes);
	if (!error && bytes && item->patch.count)
		error = patch(reader, item, &bytes);
	if (error) {
		wt_bytes_release(bytes);
		return error;
	}
	*bytes_ret = bytes;
	return NULL;
}

/* Handles that are in a blob, into @arena. */
static struct wt_error *item_take_handles(struct wt_reader *reader, struct wt_arena *arena,
					  uint32_t number, struct wt_item *value)
{
	struct wt_bytes *bytes;
	struct wt_error *error = wt_reader_blob(reader, number, &bytes);
	struct wt_cursor cursor;

	if (error)
		return error;
	/* Every item has its own. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): no error: the bytes are there */
	error = wt_reader_spend(reader, bytes->size);
	if (error) {
		wt_bytes_release(bytes);
		return error;
	}
	cursor = wt_cursor_init(bytes->data, bytes->size);
	value->handle_count = bytes->size / sizeof(uint64_t);
	value->handles = wt_arena_array(arena, value->handle_count, sizeof(uint64_t));
	for (size_t i = 0; value->handles && i < value->handle_count; i++)
		wt_cursor_u64(&cursor, &value->handles[i]);
	wt_bytes_release(bytes);
	return value->handles ? NULL : &wt_error_no_memory;
}

struct wt_answer *wt_reader_answers(struct wt_arena *arena, const struct wt_wire_list *list)
{
	const struct wt_packed_answer *packed = list->elements;
	struct wt_answer *answers = wt_arena_array(arena, list->count, sizeof(*answers));

	for (size_t i = 0; answers && i < list->count; i++)
		answers[i] = (struct wt_answer){
			.query = packed[i].query,
			.status = packed[i].status,
			.value = packed[i].value.data,
			.size = packed[i].value.remaining,
		};
	return answers;
}

/* The answers of @value with those of an item, which are in the same order, in their places. */
static struct wt_error *change_answers(struct wt_reader *reader, struct wt_arena *arena,
				       const struct wt_packed_item *item, struct wt_item *value)
{
	struct wt_answer *answers = wt_arena_array(arena, value->answer_count, sizeof(*answers));
	const struct wt_answer *changed = wt_reader_answers(arena, &item->answer);
	size_t at = 0;

	if (!answers || !changed)
		return &wt_error_no_memory;
	if (value->answer_count)
		memcpy(answers, value->answers, value->answer_count * sizeof(*answers));
	for (size_t i = 0; i < item->answer.count; i++) {
		while (at < value->answer_count && answers[at].query != changed[i].query)
			at++;
		if (at == value->answer_count)
			return wt_reader_error(reader, WT_ERROR_INPUT,
					       "there is no answer that a changed one belongs to");
		answers[at++] = changed[i];
	}
	value->answers = answers;
	return NULL;
}

static struct wt_error *no_value(const struct wt_reader *reader)
{
	return wt_reader_error(reader, WT_ERROR_INPUT,
			       "there is no value that the changes belong to");
}

/* Make an item whole that was to be read when it is asked for. */
static struct wt_error *read_deferred(struct wt_reader *reader, struct wt_held_item *held);

/* Changes against the value the key has. */
static struct wt_error *apply_changes(struct wt_reader *reader, const struct wt_packed_item *item,
				      const struct wt_key *key, struct wt_state *state)
{
	struct wt_held_item *held = wt_state_held(state, key);
	const struct wt_item *before = held ? &held->item : NULL;
	struct wt_held_item *own = item->keep ? NULL : wt_state_own(state, key);
	struct wt_error *error;
	struct wt_arena arena;
	struct wt_item after;

	if (held && held->unread) {
		error = read_deferred(reader, held);
		if (error)
			return error;
	}
	if (!before || (item->patch.count && !before->bytes))
		return no_value(reader);
	/* From moment to moment a state is built on, and few bytes of a value change. */
	if (own) {
		own->blob = 0;
		return patch(reader, item, &own->item.bytes);
	}
	error = wt_reader_work(reader, wt_item_size(before));
	if (error)
		return error;
	after = *before;
	after.bytes = wt_bytes_reference(before->bytes);
	wt_arena_init(&arena, 0);
	if (item->keep)
		error = change_answers(reader, &arena, item, &after);
	if (!error && item->patch.count)
		error = patch(reader, item, &after.bytes);
	if (!error)
		error = wt_state_set(state, &after);
	wt_arena_deinit(&arena);
	wt_bytes_release(after.bytes);
	return error;
}

/* The blob that is all of an item's bytes; 0: there is none such. */
static uint32_t only_blob(const struct wt_packed_item *item)
{
	return item->more_blob.count || item->size || item->patch.count ? 0 : item->blob;
}

/* The same bytes as an item had in the state before; NULL if it has others. */
static struct wt_bytes *bytes_before(const struct wt_state *before, const struct wt_key *key,
				     uint32_t blob)
{
	const struct wt_held_item *held = before && blob ? wt_state_held(before, key) : NULL;

	return held && held->blob == blob ? wt_bytes_reference(held->item.bytes) : NULL;
}

/* Keeps the blobs of an image, which a list of stops names. */
static bool keep_blobs(const struct wt_packed_item *item, struct wt_held_item *held)
{
	const uint32_t *more = item->more_blob.elements;

	if (item->size || item->patch.count || !item->blob)
		return true;
	held->stored = wt_stored_create(held->item.bytes, 1 + item->more_blob.count);
	if (!held->stored)
		return false;
	held->stored->blobs[0] = item->blob;
	for (size_t i = 0; i < item->more_blob.count; i++)
		held->stored->blobs[i + 1] = more[i];
	return true;
}

/* Take a value over into a state, with what is known of where its bytes are. */
static struct wt_error *state_hold_value(struct wt_state *state, const struct wt_item *value,
					 const struct wt_packed_item *item)
{
	struct wt_held_item *held = wt_held_item_create(value);
	struct wt_error *error;

	if (!held)
		return &wt_error_no_memory;
	held->blob = only_blob(item);
	if (value->key.type == WT_ITEM_IMAGE && !keep_blobs(item, held))
		error = &wt_error_no_memory;
	else
		error = wt_state_hold(state, held);
	wt_held_item_release(held);
	return error;
}

static struct wt_error *apply_value(struct wt_reader *reader, const struct wt_packed_item *item,
				    const struct wt_key *key, const struct wt_state *before,
				    struct wt_state *state)
{
	struct wt_item value = {
		.key = *key,
		.status = item->status,
		.answer_count = item->answer.count,
		.handles = item->handle.elements,
		.handle_count = item->handle.count,
		.numbers = item->number.elements,
		.number_count = item->number.count,
	};
	struct wt_error *error = NULL;
	struct wt_arena arena;

	wt_arena_init(&arena, 0);
	value.answers = wt_reader_answers(&arena, &item->answer);
	if (!value.answers)
		error = &wt_error_no_memory;
	if (!error && item->handle_blob)
		error = item_take_handles(reader, &arena, item->handle_blob, &value);
	if (!error && item->type != (uint32_t)key->type && !wt_older_item_value(&arena, &value))
		error = &wt_error_no_memory;
	if (!error)
		value.bytes = bytes_before(before, key, only_blob(item));
	if (!error && !value.bytes)
		error = item_bytes(reader, item, &value.bytes);
	if (!error)
		error = state_hold_value(state, &value, item);
	wt_bytes_release(value.bytes);
	wt_arena_deinit(&arena);
	return error;
}

/* Does it change the value that its key has? */
static bool is_change(const struct wt_packed_item *item)
{
	return (item->patch.count || item->keep) && !item->blob;
}

/* Note that an item is lost, by what its bytes could not be read for. */
static void leave_out(struct wt_reader *reader, const struct wt_key *key, struct wt_error *error)
{
	reader->states.items_lost = true;
	wt_reader_note(reader, WT_NO_OFFSET, 0, true,
		       "an item (type %d, owner %llu, address 0x%llx) is left out: %s",
		       (int)key->type, (unsigned long long)key->owner,
		       (unsigned long long)key->address, error->why);
	wt_error_destroy(error);
}

/* Append an Item to those of @held. False if there is no memory. */
static bool add_unread(struct wt_held_item *held, struct wt_cursor body)
{
	size_t before = held->unread ? held->unread->size : 0;
	size_t size = before + sizeof(uint64_t) + body.remaining;
	struct wt_unread *unread = realloc(held->unread, sizeof(*unread) + size);
	uint64_t length = htole64(body.remaining);

	if (!unread)
		return false;
	memcpy(unread->bodies + before, &length, sizeof(length));
	if (body.remaining)
		memcpy(unread->bodies + before + sizeof(length), body.data, body.remaining);
	unread->size = size;
	held->unread = unread;
	return true;
}

/* Set an item that is to be read when it is asked for: @body, after what @before is to be read from; NULL: it alone. */
static struct wt_error *defer(const struct wt_item *value, const struct wt_held_item *before,
			      struct wt_cursor body, struct wt_state *state)
{
	struct wt_held_item *held = wt_held_item_create(value);
	struct wt_error *error = NULL;

	if (!held)
		return &wt_error_no_memory;
	if (before) {
		size_t size = sizeof(*before->unread) + before->unread->size;

		held->unread = malloc(size);
		if (held->unread)
			memcpy(held->unread, before->unread, size);
		else
			error = &wt_error_no_memory;
	}
	if (!error && !add_unread(held, body))
		error = &wt_error_no_memory;
	if (!error)
		error = wt_state_hold(state, held);
	wt_held_item_release(held);
	return error;
}

/* May it be read later? Of a value that changes again and again the changes must not become more than it is. */
static bool item_may_wait(const struct wt_reader *reader, const struct wt_packed_item *item,
			  const struct wt_key *key, const struct wt_state *state)
{
	const struct wt_held_item *before;

	if (!reader->states.defers || key->type != WT_ITEM_REGISTERS)
		return false;
	if (!is_change(item))
		return true;
	before = wt_state_held(state, key);
	return !item->keep && before && before->unread && !before->lost &&
	       before->unread->size < UNREAD_MOST;
}

/* A value to be read later is added to the state, or to what the state has of it. */
static struct wt_error *apply_later(const struct wt_packed_item *item, struct wt_cursor body,
				    const struct wt_key *key, struct wt_state *state)
{
	const struct wt_item value = {.key = *key, .status = item->status};
	struct wt_held_item *own;

	if (!is_change(item))
		return defer(&value, NULL, body, state);
	own = wt_state_own(state, key);
	if (own)
		return add_unread(own, body) ? NULL : &wt_error_no_memory;
	own = wt_state_held(state, key);
	return defer(&own->item, own, body, state);
}

/* The handles of an item, for itself. */
static struct wt_error *keep_handles(struct wt_reader *reader, const struct wt_packed_item *item,
				     struct wt_held_item *held)
{
	struct wt_item value = {.handles = item->handle.elements,
				.handle_count = item->handle.count};
	struct wt_error *error = NULL;
	struct wt_arena arena;

	wt_arena_init(&arena, 0);
	if (item->handle_blob)
		error = item_take_handles(reader, &arena, item->handle_blob, &value);
	if (!error && value.handle_count) {
		held->handles = reallocarray(NULL, value.handle_count, sizeof(*held->handles));
		error = held->handles ? NULL : &wt_error_no_memory;
	}
	if (!error && value.handle_count) {
		memcpy(held->handles, value.handles, value.handle_count * sizeof(*held->handles));
		held->item.handles = held->handles;
		held->item.handle_count = value.handle_count;
	}
	wt_arena_deinit(&arena);
	return error;
}

/* The next of the items that were deferred. They were decoded before, so that they can be now. */
static struct wt_error *next_unread(struct wt_reader *reader, struct wt_cursor *bodies,
				    struct wt_packed_item *item_ret)
{
	uint64_t size = wt_cursor_next_u64(bodies);
	const uint8_t *body;

	wt_arena_reset(&reader->memory.deferred, 0);
	if (size > bodies->remaining || !wt_cursor_take(bodies, (size_t)size, &body) ||
	    wt_wire_decode(&wt_message_item, wt_cursor_init(body, (size_t)size),
			   &reader->memory.deferred, item_ret) != WT_DECODED)
		return &wt_error_no_memory;
	return NULL;
}

/* The value and its changes. */
static struct wt_error *read_unread(struct wt_reader *reader, struct wt_held_item *held,
				    struct wt_bytes **bytes)
{
	struct wt_cursor bodies = wt_cursor_init(held->unread->bodies, held->unread->size);
	struct wt_packed_item item = {0};
	struct wt_error *error = next_unread(reader, &bodies, &item);

	if (!error)
		error = item_bytes(reader, &item, bytes);
	if (!error)
		error = keep_handles(reader, &item, held);
	held->blob = only_blob(&item);
	while (!error && bodies.remaining) {
		held->blob = 0;
		error = next_unread(reader, &bodies, &item);
		if (!error && !*bytes)
			error = no_value(reader);
		if (!error)
			error = patch(reader, &item, bytes);
	}
	return error;
}

static struct wt_error *read_deferred(struct wt_reader *reader, struct wt_held_item *held)
{
	struct wt_bytes *bytes = NULL;
	struct wt_error *error = read_unread(reader, held, &bytes);

	if (error) {
		held->item.handles = NULL;
		held->item.handle_count = 0;
		free(wt_take(held->handles));
		wt_bytes_release(bytes);
		return error;
	}
	held->item.bytes = bytes;
	free(wt_take(held->unread));
	return NULL;
}

/* Make an item whole. False if something of it is lost, which is noted the first time. */
static bool make_whole(struct wt_reader *reader, struct wt_held_item *held)
{
	struct wt_error *error;

	if (!held->unread)
		return true;
	if (held->lost)
		return false;
	error = read_deferred(reader, held);
	if (!error)
		return true;
	/* Items that another error than damage kept from the state may be had the next time. */
	if (error->code == WT_ERROR_INPUT) {
		held->lost = true;
		leave_out(reader, &held->item.key, error);
	} else {
		wt_error_destroy(error);
	}
	return false;
}

const struct wt_item *wt_reader_registers(struct wt_reader *reader, const struct wt_state *state,
					  uint64_t wave)
{
	const struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave};
	struct wt_held_item *held = wt_state_held(state, &key);

	if (held && held->unread)
		reader->budget.spent = 0;
	return held && make_whole(reader, held) ? &held->item : NULL;
}

bool wt_reader_has_registers(struct wt_reader *reader, const struct wt_state *state, uint64_t wave)
{
	const struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave};
	const struct wt_held_item *held = wt_state_held(state, &key);
	struct wt_packed_item item;
	struct wt_cursor bodies;
	struct wt_error *error;

	/* No status is success. */
	if (!held || held->item.status || held->lost)
		return false;
	if (!held->unread)
		return held->item.handle_count;
	bodies = wt_cursor_init(held->unread->bodies, held->unread->size);
	error = next_unread(reader, &bodies, &item);
	wt_error_destroy(error);
	return !error && (item.handle.count || item.handle_blob);
}

/*
 * Apply an item to a state: set it, or remove what it removes. An item whose bytes are lost is left out, and that is
 * noted.
 */
static struct wt_error *item_apply(struct wt_reader *reader, const struct wt_packed_item *item,
				   struct wt_cursor body, const struct wt_state *before,
				   struct wt_state *state)
{
	struct wt_key key = {
		.type = (enum wt_item_type)item->type,
		.kind = item->kind,
		.owner = item->owner,
		.address = item->address,
	};
	struct wt_error *error;

	/* Types of a later minor version are not for us. */
	if (item->type < WT_ITEM_OBJECT || item->type > WT_ITEM_NEWEST)
		return NULL;
	wt_older_item_key(&reader->repeated.older, &reader->repeated.names, &key);
	if (reader->states.is_needed &&
	    !reader->states.is_needed(reader->states.needed_opaque, &key))
		return NULL;
	if (item->removed) {
		wt_state_remove(state, &key);
		return NULL;
	}
	if (item_may_wait(reader, item, &key, state))
		return apply_later(item, body, &key, state);
	error = is_change(item) ? apply_changes(reader, item, &key, state)
				: apply_value(reader, item, &key, before, state);
	if (!error || error->code != WT_ERROR_INPUT)
		return error;
	leave_out(reader, &key, error);
	wt_state_remove(state, &key);
	return NULL;
}

struct wt_error *wt_reader_check_items(struct wt_reader *reader, const struct wt_chunk *chunk,
				       const struct wt_packet *packet)
{
	struct wt_error *error;

	if (packet->checked)
		return NULL;
	error = wt_packet_decoded(
		reader, packet,
		wt_wire_check(wt_packet_messages[packet->field], wt_packet_body(chunk, packet)));
	chunk->packets[packet - chunk->packets].checked = !error;
	return error;
}

struct wt_error *wt_reader_apply_items(struct wt_reader *reader, const struct wt_chunk *chunk,
				       const struct wt_packet *packet,
				       const struct wt_state *before, struct wt_state *state)
{
	struct wt_cursor body = wt_packet_body(chunk, packet), packed;
	unsigned int field = wt_reader_items_field(packet);
	struct wt_packed_item item;
	struct wt_error *error = NULL;

	while (!error && wt_wire_each(&body, field, &packed)) {
		wt_arena_reset(&reader->memory.item, 0);
		error = wt_packet_decoded(
			reader, packet,
			wt_wire_decode(&wt_message_item, packed, &reader->memory.item, &item));
		if (!error)
			error = item_apply(reader, &item, packed, before, state);
	}
	return error;
}
