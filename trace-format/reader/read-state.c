/* SPDX-License-Identifier: MIT */
/* The states at moments. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/items.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/read-journal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/summary.h"

/* The packet of a moment within its chunk, by how many moments are before it there; NULL if there are no more. */
static const struct wt_packet *moment_packet(const struct wt_chunk *chunk, uint32_t skip)
{
	return skip < chunk->moment_count ? &chunk->packets[chunk->moments[skip].packet] : NULL;
}

static const uint32_t has_moment = 1u << WT_PACKET_MOMENT;
static const uint32_t has_late = 1u << WT_PACKET_LATE;
static const uint32_t has_facts = 1u << WT_PACKET_FACTS;

/*
 * Decode a MOMENT, all but its items: whether these can be decoded is found out.
 *
 * @moment_ret: valid until the next packet is decoded.
 * Errors: INPUT if anything in it is malformed; out of memory.
 */
static struct wt_error *reader_decode_moment(struct wt_reader *reader, const struct wt_chunk *chunk,
					     const struct wt_packet *packet,
					     const struct wt_packed_moment **moment_ret)
{
	const struct wt_packed_moment *moment;
	const void *message = NULL;
	struct wt_packet *noted;
	struct wt_error *error;

	wt_arena_reset(&reader->memory.scratch, 0);
	error = wt_packet_unpack(reader, &reader->memory.scratch, chunk, packet, &message);
	if (error)
		return error;
	moment = message;
	/* A moment is read for itself, and then for the state at it: what it says of itself is looked at once. */
	noted = &chunk->packets[packet - chunk->packets];
	noted->checked = true;
	if (packet->moment == moment->number && packet->keyframe == moment->keyframe)
		noted->whole = true;
	*moment_ret = moment;
	return NULL;
}

/* ---- What is kept of it, for as long as the reader lives ---- */

static struct wt_event *events_keep(struct wt_arena *arena, const struct wt_wire_list *from)
{
	const struct wt_packed_event *packed = from->elements;
	struct wt_event *events = wt_arena_array(arena, from->count, sizeof(*events));

	for (size_t i = 0; events && i < from->count; i++) {
		struct wt_answer *answers = wt_reader_answers(arena, &packed[i].answer);

		for (size_t j = 0; answers && j < packed[i].answer.count; j++) {
			answers[j].value = wt_arena_copy(arena, answers[j].value, answers[j].size);
			if (!answers[j].value)
				return NULL;
		}
		events[i] = (struct wt_event){
			.handle = packed[i].handle,
			.kind = packed[i].kind,
			.answers = answers,
			.answer_count = packed[i].answer.count,
		};
		if (!answers)
			return NULL;
	}
	return events;
}

static struct wt_log_message *log_keep(struct wt_arena *arena, const struct wt_wire_list *from)
{
	const struct wt_packed_log_message *packed = from->elements;
	struct wt_log_message *log = wt_arena_array(arena, from->count, sizeof(*log));

	for (size_t i = 0; log && i < from->count; i++) {
		const char *text = wt_arena_copy(arena, packed[i].text, strlen(packed[i].text) + 1);

		log[i] = (struct wt_log_message){packed[i].level, text, packed[i].event};
		if (!text)
			return NULL;
	}
	return log;
}

static struct wt_moment *moment_keep(struct wt_arena *arena, const struct wt_packed_moment *from)
{
	struct wt_moment *to = wt_arena_alloc(arena, sizeof(*to));
	struct wt_log_message *log = log_keep(arena, &from->log);
	struct wt_event *events = events_keep(arena, &from->event);
	uint64_t *asked = wt_arena_copy(arena, from->stop_requested.elements,
					from->stop_requested.count * sizeof(*asked));

	if (!to || !log || !events || !asked)
		return NULL;
	*to = (struct wt_moment){
		.number = from->number,
		.process = from->process,
		.cause = (enum wt_moment_cause)from->cause,
		.call = from->call,
		.time = from->time,
		.after_resume = from->after_resume,
		.function = from->function,
		.status = from->status,
		.events = events,
		.event_count = from->event.count,
		.stop_requested = asked,
		.stop_requested_count = from->stop_requested.count,
		.log = log,
		.log_count = from->log.count,
	};
	return to;
}

static struct wt_error *read_moment(struct wt_reader *reader, size_t position, uint32_t skip,
				    struct wt_moment **moment_ret)
{
	const struct wt_packed_moment *moment = NULL;
	const struct wt_packet *packet;
	struct wt_chunk *chunk;
	struct wt_error *error;

	error = wt_reader_load(reader, position, &chunk);
	if (error)
		return error;
	packet = moment_packet(chunk, skip);
	error = packet ? reader_decode_moment(reader, chunk, packet, &moment)
		       : wt_reader_error(reader, WT_ERROR_INTERNAL, "a moment is not in its chunk");
	if (!error) {
		*moment_ret = moment_keep(&reader->memory.lasting, moment);
		error = *moment_ret ? NULL : &wt_error_no_memory;
	}
	wt_chunk_release(chunk);
	return error;
}

struct wt_error *wt_reader_moment(struct wt_reader *reader, uint32_t number,
				  const struct wt_moment **moment_ret)
{
	struct wt_place *place;
	struct wt_error *error;
	size_t position;
	uint32_t skip;

	reader->budget.spent = 0;
	error = wt_reader_find_moment(reader, number, &position);
	if (error)
		return error;
	place = &reader->places.at[position];
	skip = number - place->entry.chunk.first_moment;
	if (!place->moments || !place->moments[skip]) {
		struct wt_moment *moment;

		error = read_moment(reader, position, skip, &moment);
		if (error)
			return error;
		/* Only a chunk that was found to hold them gets room for its moments. */
		if (!place->moments)
			place->moments =
				calloc(place->entry.chunk.moments, sizeof(*place->moments));
		if (!place->moments)
			return &wt_error_no_memory;
		place->moments[skip] = moment;
	}
	*moment_ret = place->moments[skip];
	wt_summary_compare_moment(reader, *moment_ret);
	return NULL;
}

/* The number of the newest keyframe in a chunk up to a moment of it. */
static uint32_t keyframe_in(const struct wt_chunk *chunk, uint32_t skip)
{
	uint32_t count = skip < chunk->moment_count ? chunk->moments[skip].keyframe : 0;

	return count ? (uint32_t)moment_packet(chunk, count - 1)->moment : WT_NO_MOMENT;
}

/*
 * The place among the states of a chunk that begins from moment @from on: a LATE before that moment is of an earlier
 * one.
 */
static size_t start_of(const struct wt_chunk *chunk, const struct wt_chunk_fields *fields,
		       uint32_t from)
{
	uint32_t skip = from - fields->first_moment;

	return from >= fields->first_moment && skip < chunk->moment_count
		       ? chunk->moments[skip].state
		       : 0;
}

static struct wt_error *cannot_rebuild(const struct wt_reader *reader, uint32_t number)
{
	return wt_reader_error(
		reader, WT_ERROR_INPUT,
		"the state at moment %u cannot be rebuilt: something before it is lost "
		"in a damaged part of the file; moments after the next keyframe can",
		number);
}

/* The newest keyframe that is not after a moment. */
static struct wt_error *find_keyframe(struct wt_reader *reader, uint32_t number,
				      uint32_t *keyframe_ret)
{
	struct wt_chunk *chunk;
	struct wt_error *error;
	uint32_t keyframe;
	size_t position;

	error = wt_reader_find_moment(reader, number, &position);
	if (!error)
		error = wt_reader_load(reader, position, &chunk);
	if (error)
		return error;
	keyframe =
		keyframe_in(chunk, number - reader->places.at[position].entry.chunk.first_moment);
	wt_chunk_release(chunk);
	if (keyframe == WT_NO_MOMENT && position && wt_reader_continues(reader, position - 1))
		keyframe = reader->places.at[position - 1].entry.chunk.keyframe;
	if (keyframe > number)
		return cannot_rebuild(reader, number);
	*keyframe_ret = keyframe;
	return NULL;
}

/* A state that is being built: from a moment on, up to and with another. */
struct build {
	struct wt_state *state;
	uint32_t from, to;
	uint32_t next; /* the moment whose packet comes next */
	bool done;
	bool anew;     /* the first moment must be a keyframe */
	bool torn;     /* the state is that of no moment: an error came in the middle of one */
	bool is_short; /* what came late for the last moment may be lost */
};

/* A keyframe: what it has of the state before it need not be read again. */
static struct wt_error *start_anew(struct wt_reader *reader, struct build *build,
				   const struct wt_chunk *chunk, const struct wt_packet *packet)
{
	struct wt_state *before = build->state;
	struct wt_error *error;

	build->torn = false;
	build->state = wt_state_create();
	error = build->state ? wt_reader_apply_items(reader, chunk, packet, before, build->state)
			     : &wt_error_no_memory;
	wt_state_destroy(before);
	return error;
}

/* The fields in which a MOMENT describes itself. */
struct named {
	uint64_t number;
	bool keyframe;
};

static struct wt_error *apply_moment(struct wt_reader *reader, struct build *build,
				     const struct wt_chunk *chunk, const struct wt_packet *packet,
				     const struct named *moment)
{
	struct wt_error *error;

	if (moment->number < build->from)
		return NULL;
	if (moment->number != build->next || (build->anew && !moment->keyframe))
		return cannot_rebuild(reader, build->to);
	build->next++;
	build->anew = false;
	error = moment->keyframe ? start_anew(reader, build, chunk, packet)
				 : wt_reader_apply_items(reader, chunk, packet, NULL, build->state);
	build->torn |= error != NULL;
	return error;
}

static struct wt_error *apply_late(struct wt_reader *reader, struct build *build,
				   const struct wt_chunk *chunk, const struct wt_packet *packet)
{
	struct wt_error *error = wt_reader_apply_items(reader, chunk, packet, NULL, build->state);

	build->torn |= error != NULL;
	return error;
}

/* Whether a packet can be decoded. @named_ret: of a MOMENT. */
static struct wt_error *packet_read_named(struct wt_reader *reader, const struct wt_chunk *chunk,
					  const struct wt_packet *packet, struct named *named_ret)
{
	const struct wt_packed_moment *moment;
	struct wt_error *error;

	if (packet->field != WT_PACKET_MOMENT)
		return wt_reader_check_items(reader, chunk, packet);
	error = reader_decode_moment(reader, chunk, packet, &moment);
	if (!error)
		*named_ret = (struct named){moment->number, moment->keyframe};
	return error;
}

static struct wt_error *apply_packet(struct wt_reader *reader, struct build *build,
				     const struct wt_chunk *chunk, const struct wt_packet *packet)
{
	struct named named = {packet->moment, packet->keyframe};
	struct wt_error *error;

	if (packet->moment < build->from)
		return NULL;
	/* Any other is damage: it would count or not, by where the building of a state began. */
	if (packet->field == WT_PACKET_LATE && !wt_packet_is_of_last(packet, build->next))
		return NULL;
	/* Whether the next moment can be decoded is nothing to this one. */
	build->done = packet->field == WT_PACKET_MOMENT && packet->moment > build->to;
	if (build->done)
		return NULL;
	error = wt_reader_work(reader, packet->size);
	if (error)
		return error;
	error = packet->whole ? NULL : packet_read_named(reader, chunk, packet, &named);
	if (!error && packet->field == WT_PACKET_MOMENT)
		return apply_moment(reader, build, chunk, packet, &named);
	if (!error)
		return apply_late(reader, build, chunk, packet);
	build->torn |= packet->field == WT_PACKET_LATE;
	return error;
}

/*
 * Apply what a place holds. What came late in a chunk that is lost is missing, and noted as damage.
 */
static struct wt_error *apply_place(struct wt_reader *reader, struct build *build, size_t position)
{
	const struct wt_chunk_fields *fields = &reader->places.at[position].entry.chunk;
	struct wt_chunk *chunk;
	struct wt_error *error;

	if (!(fields->contents & (has_moment | has_late)))
		return NULL;
	error = wt_reader_load(reader, position, &chunk);
	if (error && error->code == WT_ERROR_INPUT && build->next > build->to) {
		wt_error_destroy(error);
		build->done = build->is_short = true;
		return NULL;
	}
	/* The state may have had what came late for the moment before, which nothing else tells. */
	build->torn |= error && !(fields->contents & has_moment);
	if (error)
		return error;
	for (size_t i = start_of(chunk, fields, build->from);
	     i < chunk->state_count && !error && !build->done; i++)
		error = apply_packet(reader, build, chunk, &chunk->packets[chunk->states[i]]);
	wt_chunk_release(chunk);
	return error;
}

static struct wt_error *apply_range(struct wt_reader *reader, struct build *build)
{
	struct wt_error *error;
	size_t position;

	error = wt_reader_find_moment(reader, build->from, &position);
	for (; !error && !build->done && position < reader->places.count; position++) {
		error = apply_place(reader, build, position);
		if (error || wt_reader_continues(reader, position))
			continue;
		build->is_short = !build->done;
		return build->next <= build->to ? cannot_rebuild(reader, build->to) : NULL;
	}
	return error;
}

/*
 * The state that was built last is built on, where it is on the way; else it may still have what a keyframe has, too.
 * Nobody but the reader has it: what was given out shares its items.
 */
static void start_build(struct wt_reader *reader, uint32_t keyframe, struct build *build)
{
	build->anew = !reader->states.last || reader->states.last_is_short ||
		      reader->states.last_number < keyframe ||
		      reader->states.last_number >= build->to;
	build->from = build->next = build->anew ? keyframe : reader->states.last_number + 1;
	build->torn = !reader->states.last;
	build->state = reader->states.last ? wt_take(reader->states.last) : wt_state_create();
}

/*
 * The state without facts at @number, as reader->states.last. After an error that is the last one before it that could be built, or
 * what it was, so that nothing is built again for the next one.
 */
static struct wt_error *build_state(struct wt_reader *reader, uint32_t number)
{
	struct build build = {.to = number};
	uint32_t keyframe = 0;
	struct wt_error *error;

	if (reader->states.last && reader->states.last_number == number)
		return NULL;
	error = find_keyframe(reader, number, &keyframe);
	if (error)
		return error;
	start_build(reader, keyframe, &build);
	error = build.state ? apply_range(reader, &build) : &wt_error_no_memory;
	/* A state that another error than damage prevented may be had the next time. */
	if (error && (build.torn || error->code != WT_ERROR_INPUT)) {
		wt_state_destroy(build.state);
		return error;
	}
	reader->states.last = build.state;
	if (build.next > build.from) {
		reader->states.last_number = build.next - 1;
		reader->states.last_is_short = build.is_short;
	}
	return error;
}

static struct wt_error *apply_facts(struct wt_reader *reader, struct wt_place *place,
				    const struct wt_chunk *chunk, struct wt_state *state)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < chunk->packet_count && !error; i++) {
		if (chunk->packets[i].field != WT_PACKET_FACTS)
			continue;
		error = wt_reader_check_items(reader, chunk, &chunk->packets[i]);
		if (!error) {
			error = wt_reader_apply_items(reader, chunk, &chunk->packets[i], NULL,
						      state);
		} else if (error->code == WT_ERROR_INPUT) {
			wt_reader_note_malformed(reader, place, chunk, i, error->why);
			wt_error_destroy(error);
			error = NULL;
		}
	}
	return error;
}

/* All facts, as reader->states.facts. Those in damaged chunks are missing, and noted. */
static struct wt_error *read_facts(struct wt_reader *reader)
{
	struct wt_state *state;
	struct wt_error *error = NULL;

	if (reader->states.facts)
		return NULL;
	state = wt_state_create();
	if (!state)
		return &wt_error_no_memory;
	for (size_t i = 0; i < reader->places.count && !error; i++) {
		struct wt_chunk *chunk;

		if (!(reader->places.at[i].entry.chunk.contents & has_facts))
			continue;
		error = wt_reader_load(reader, i, &chunk);
		if (!error) {
			error = apply_facts(reader, &reader->places.at[i], chunk, state);
			wt_chunk_release(chunk);
		} else if (error->code == WT_ERROR_INPUT) {
			wt_error_destroy(error);
			error = NULL;
		}
	}
	if (error) {
		wt_state_destroy(state);
		return error;
	}
	reader->states.facts = state;
	return NULL;
}

struct wt_error *wt_reader_facts(struct wt_reader *reader, struct wt_state **state_ret)
{
	struct wt_state *copy;
	struct wt_error *error;

	reader->budget.spent = 0;
	error = read_facts(reader);
	if (error)
		return error;
	copy = wt_state_copy(reader->states.facts);
	if (!copy)
		return &wt_error_no_memory;
	*state_ret = copy;
	return NULL;
}

void wt_reader_need(struct wt_reader *reader,
		    bool (*is_needed)(void *opaque, const struct wt_key *key), void *opaque)
{
	reader->states.is_needed = is_needed;
	reader->states.needed_opaque = opaque;
	/* The last state has only what was needed before. */
	wt_state_destroy(reader->states.last);
	reader->states.last = NULL;
}

/* The list of stops, if it is used, has to agree with the state that was built. */
static struct wt_error *compare_state(struct wt_reader *reader, uint32_t number)
{
	const struct wt_moment *moment;
	struct wt_error *error;

	if (!reader->summary.looked_at)
		return NULL;
	error = wt_reader_moment(reader, number, &moment);
	return error ? error : wt_summary_compare_state(reader, moment, reader->states.last);
}

/* Whether registers are read at once. A state to build on must be like the one that is built. */
static void set_deferring(struct wt_reader *reader, bool defers)
{
	if (reader->states.defers == defers)
		return;
	wt_state_destroy(reader->states.last);
	reader->states.last = NULL;
	reader->states.defers = defers;
}

/*
 * Has a moment of a chunk, by how many are before it there, nothing that changes a state, nor anything behind it that came late? Of the last one that
 * is not known.
 */
static bool has_no_items(const struct wt_chunk *chunk, uint32_t skip)
{
	const struct wt_chunk_moment *moment = &chunk->moments[skip];
	const struct wt_packet *packet;
	struct wt_cursor body, item;

	if (skip >= chunk->moment_count || chunk->moment_count - skip < 2 ||
	    moment[1].state != moment->state + 1)
		return false;
	packet = &chunk->packets[moment->packet];
	body = wt_packet_body(chunk, packet);
	return !packet->keyframe && !wt_wire_each(&body, WT_FIELD_MOMENT_ITEM, &item) &&
	       !body.remaining;
}

/* Is a moment in the place before another, or in one from which nothing that states are made of lies between? And nothing is lost there. */
static bool is_right_before(const struct wt_reader *reader, uint32_t before, size_t position)
{
	for (; position && wt_reader_continues(reader, position - 1); position--) {
		const struct wt_chunk_fields *fields = &reader->places.at[position - 1].entry.chunk;

		if (fields->contents & (has_moment | has_late))
			return fields->moments &&
			       fields->first_moment + fields->moments == before + 1;
	}
	return false;
}

bool wt_reader_keeps_state(struct wt_reader *reader, uint32_t before, uint32_t number)
{
	struct wt_chunk *chunk;
	struct wt_error *error;
	size_t position;
	uint32_t first;
	bool keeps;

	reader->budget.spent = 0;
	if (before + 1 != number)
		return false;
	error = wt_reader_find_moment(reader, number, &position);
	first = error ? 0 : reader->places.at[position].entry.chunk.first_moment;
	/* Between two of one chunk nothing is lost. */
	if (error || (before < first && !is_right_before(reader, before, position))) {
		wt_error_destroy(error);
		return false;
	}
	error = wt_reader_load(reader, position, &chunk);
	if (error) {
		wt_error_destroy(error);
		return false;
	}
	keeps = has_no_items(chunk, number - first);
	wt_chunk_release(chunk);
	return keeps;
}

struct wt_error *wt_reader_own_state(struct wt_reader *reader, uint32_t number,
				     const struct wt_state **state_ret)
{
	struct wt_error *error;

	reader->budget.spent = 0;
	set_deferring(reader, false);
	error = build_state(reader, number);
	if (!error)
		error = compare_state(reader, number);
	if (!error)
		*state_ret = reader->states.last;
	return error;
}

static struct wt_error *whole_state(struct wt_reader *reader, uint32_t number, bool defers,
				    struct wt_state **state_ret)
{
	struct wt_state *copy;
	struct wt_error *error;

	reader->budget.spent = 0;
	error = read_facts(reader);
	set_deferring(reader, defers);
	if (!error)
		error = build_state(reader, number);
	if (!error)
		error = compare_state(reader, number);
	if (error)
		return error;
	error = wt_reader_work(reader, (wt_state_count(reader->states.facts) +
					wt_state_count(reader->states.last)) *
					       sizeof(struct wt_held_item *));
	if (error)
		return error;
	/* Who plays a session back has thousands of states, and looks at little of each. */
	copy = wt_state_lay(reader->states.facts, reader->states.last);
	if (!copy)
		return &wt_error_no_memory;
	*state_ret = copy;
	return NULL;
}

struct wt_error *wt_reader_state(struct wt_reader *reader, uint32_t number,
				 struct wt_state **state_ret)
{
	return whole_state(reader, number, false, state_ret);
}

struct wt_error *wt_reader_state_deferred(struct wt_reader *reader, uint32_t number,
					  struct wt_state **state_ret)
{
	return whole_state(reader, number, true, state_ret);
}
