/* SPDX-License-Identifier: MIT */
/* Moments, facts and what comes late: what changed. */
#include <string.h>

#include "trace-format/container/tape-pool.h"
#include "trace-format/message/encode.h"
#include "trace-format/state/held.h"
#include "trace-format/writer/ahead.h"
#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

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
		wt_writer_inherit_blobs(held, old);
	if (keyframe)
		error = wt_writer_put_whole(writer, WT_FIELD_MOMENT_ITEM, held);
	else if (!same)
		error = wt_writer_put_change(writer, WT_FIELD_MOMENT_ITEM, held, old);
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
				wt_writer_put_removal(writer, WT_FIELD_MOMENT_ITEM,
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
		wt_encode_answers(packet, WT_FIELD_EVENT_ANSWER, event->answers,
				  event->answer_count);
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

		error = held ? wt_writer_put_whole(writer, WT_FIELD_FACTS_ITEM, held)
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
		wt_writer_put_removal(writer, WT_FIELD_LATE_ITEM, &item->key);
		wt_state_remove(writer->state, &item->key);
	}
	if (item->removed || (old && wt_item_equal(&old->item, item)))
		return NULL;
	held = wt_held_item_create(item);
	if (!held)
		return &wt_error_no_memory;
	error = wt_writer_put_change(writer, WT_FIELD_LATE_ITEM, held, old);
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
