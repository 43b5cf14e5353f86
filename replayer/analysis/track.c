/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/track.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/analysis/rerun-launch.h"

/* ---- The state of a wave, kept to come back to: pages that are the same in two states are kept once ---- */

#define PAGE_BYTES 1024u
#define REGIONS 16u

struct page {
	uint32_t users;
	uint8_t bytes[PAGE_BYTES];
};

struct wt_kept_state {
	struct page **pages;
	size_t count, room;
	size_t written_capacity; /* words of global memory that there was room for */
};

struct region {
	void *data;
	size_t size;
};

/* All that changes while a wave is executed. The structure itself comes first: what points elsewhere in it is put back by who restores. */
static size_t rerun_regions(struct wt_rerun *rerun, struct region regions[REGIONS])
{
	const struct gfx_wave *wave = &rerun->wave;
	size_t lanes = GFX_MAX_LANES, words = rerun->private_words, local = wave->lds_size;
	const struct region all[] = {
		{rerun, sizeof(*rerun)},
		{wave->vgprs, wave->vgpr_count * lanes * sizeof(uint32_t)},
		{wave->agprs, wave->agpr_count * lanes * sizeof(uint32_t)},
		{wave->lds, local},
		{wave->scratch, words * lanes * sizeof(uint32_t)},
		{rerun->private_unknown, words * sizeof(*rerun->private_unknown)},
		{rerun->private_influence, words * sizeof(*rerun->private_influence)},
		{rerun->private_writers, words * lanes * sizeof(*rerun->private_writers)},
		{rerun->private_places, words * lanes},
		{rerun->private_stored, words * lanes},
		{rerun->local_unknown, local / 4 * sizeof(*rerun->local_unknown)},
		{rerun->local_writers, local / 4 * sizeof(*rerun->local_writers)},
		{rerun->writers->scalar, sizeof(rerun->writers->scalar)},
		{rerun->writers->vector, wave->vgpr_count * sizeof(rerun->writers->vector[0])},
		{rerun->writers->accumulation,
		 wave->agpr_count * sizeof(rerun->writers->accumulation[0])},
		{rerun->written.entries, rerun->written.capacity * sizeof(struct wt_written)},
	};

	_Static_assert(sizeof(all) / sizeof(all[0]) == REGIONS, "regions");
	memcpy(regions, all, sizeof(all));
	return REGIONS;
}

static size_t pages_of(size_t size)
{
	return (size + PAGE_BYTES - 1) / PAGE_BYTES;
}

/* Bytes behind the end of a region are zeros in a page. */
static struct page *page_keep(const uint8_t *data, size_t size, struct page *like, size_t *bytes)
{
	struct page *page;

	if (like && !memcmp(like->bytes, data, size)) {
		like->users++;
		return like;
	}
	page = calloc(1, sizeof(*page));
	if (!page)
		return NULL;
	page->users = 1;
	memcpy(page->bytes, data, size);
	*bytes += sizeof(*page);
	return page;
}

/* @bytes: lowered by what only this one took. */
static void kept_state_destroy(struct wt_kept_state *state, size_t *bytes)
{
	if (!state)
		return;
	for (size_t i = 0; i < state->count; i++)
		if (!--state->pages[i]->users) {
			free(state->pages[i]);
			*bytes -= sizeof(struct page);
		}
	*bytes -= sizeof(*state) + state->room * sizeof(struct page *);
	free(state->pages);
	free(state);
}

/*
 * Keep the state of a wave: registers, memory that it has written, and what is known of them. Steps and references that it remembers are
 * not a part of it: only how many there are.
 *
 * @before: a state that is like it, as the last one that was kept; may be NULL.
 * @bytes: raised by what this one takes.
 *
 * Return: for the caller to kept_state_destroy(); NULL if memory ran out.
 */
static struct wt_kept_state *kept_state_create(const struct wt_rerun *rerun,
					       const struct wt_kept_state *before, size_t *bytes)
{
	struct wt_kept_state *state = calloc(1, sizeof(*state));
	struct region regions[REGIONS];
	size_t count = rerun_regions((struct wt_rerun *)rerun, regions), pages = 0;

	if (!state)
		return NULL;
	for (size_t i = 0; i < count; i++)
		pages += pages_of(regions[i].size);
	state->pages = calloc(pages, sizeof(struct page *));
	state->room = pages;
	state->written_capacity = rerun->written.capacity;
	*bytes += sizeof(*state) + pages * sizeof(struct page *);
	if (!state->pages) {
		kept_state_destroy(state, bytes);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		for (size_t at = 0; at < regions[i].size; at += PAGE_BYTES) {
			size_t left = regions[i].size - at;
			struct page *like = before && state->count < before->count
						    ? before->pages[state->count]
						    : NULL;

			state->pages[state->count] =
				page_keep((const uint8_t *)regions[i].data + at,
					  left < PAGE_BYTES ? left : PAGE_BYTES, like, bytes);
			if (!state->pages[state->count]) {
				kept_state_destroy(state, bytes);
				return NULL;
			}
			state->count++;
		}
	return state;
}

static bool written_make_room(struct wt_rerun *rerun, size_t capacity)
{
	struct wt_written *entries;

	if (rerun->written.capacity == capacity)
		return true;
	entries = calloc(capacity + 1, sizeof(*entries));
	if (!entries)
		return false;
	free(rerun->written.entries);
	rerun->written.entries = entries;
	rerun->written.capacity = capacity;
	return true;
}

/* Bring a wave back into a state that was kept of it. False if memory ran out: then its state is none. */
static bool kept_state_restore(const struct wt_kept_state *state, struct wt_rerun *rerun)
{
	struct region regions[REGIONS];
	struct wt_step *steps = rerun->steps;
	struct wt_reference *references = rerun->references;
	size_t step_capacity = rerun->step_capacity;
	size_t reference_capacity = rerun->reference_capacity, count, at = 0;
	struct wt_stopped *stopped = rerun->stopped;
	struct wt_written *written;
	bool no_memory = rerun->no_memory;

	if (!written_make_room(rerun, state->written_capacity))
		return false;
	written = rerun->written.entries;
	count = rerun_regions(rerun, regions);
	for (size_t i = 0; i < count; i++)
		for (size_t offset = 0; offset < regions[i].size; offset += PAGE_BYTES) {
			size_t left = regions[i].size - offset;

			memcpy((uint8_t *)regions[i].data + offset, state->pages[at++]->bytes,
			       left < PAGE_BYTES ? left : PAGE_BYTES);
		}
	rerun->steps = steps;
	rerun->references = references;
	rerun->step_capacity = step_capacity;
	rerun->reference_capacity = reference_capacity;
	rerun->stopped = stopped;
	rerun->written.entries = written;
	rerun->no_memory = no_memory;
	return true;
}

/*
 * To keep a state takes as long as it has pages: segments of a wave that has written much are longer, so that its states do not take longer
 * than its instructions.
 */
static size_t state_segment_steps(const struct wt_kept_state *state)
{
	return state && state->room > WT_TRACK_SEGMENT ? state->room : WT_TRACK_SEGMENT;
}

/* The second half of an instruction does not begin a segment. */
static size_t segment_bytes(const struct wt_track_segment *segment)
{
	return (segment->room + 1) * sizeof(*segment->pcs);
}

static bool pc_is_half(uint64_t pc)
{
	return pc & WT_RERUN_HALF;
}

/* ---- Segments ---- */

static void segment_deinit(struct wt_track *track, struct wt_track_segment *segment)
{
	kept_state_destroy(segment->state, &track->bytes);
	if (segment->pcs)
		track->bytes -= segment_bytes(segment);
	free(segment->pcs);
}

static void track_remove(struct wt_track *track, size_t index)
{
	segment_deinit(track, &track->segments[index]);
	track->count--;
	memmove(&track->segments[index], &track->segments[index + 1],
		(track->count - index) * sizeof(track->segments[0]));
}

/*
 * One half of the room is for the beginning, the other one for the end, of which the oldest go. At the least there are the first
 * segment, the last whole one, and the one that is being filled.
 */
static void track_keep_within(struct wt_track *track)
{
	if (!track->front_is_full && track->bytes <= track->options.bytes / 2) {
		track->front = track->count;
		return;
	}
	track->front_is_full = true;
	while (track->bytes > track->options.bytes && track->count > track->front + 2)
		track_remove(track, track->front);
}

/* The state where the wave is becomes the beginning of a segment. */
static bool track_add(struct wt_track *track)
{
	struct wt_rerun *rerun = track->rerun;
	struct wt_track_segment *segment;

	if (track->count == track->capacity) {
		size_t capacity = track->capacity ? 2 * track->capacity : 64;
		struct wt_track_segment *segments =
			reallocarray(track->segments, capacity, sizeof(*segments));

		if (!segments)
			return false;
		track->segments = segments;
		track->capacity = capacity;
	}
	if (track->front == track->count) {
		track->front_end = rerun->step_count;
		track->front_positions = track->positions;
	}
	segment = &track->segments[track->count];
	*segment = (struct wt_track_segment){
		.step = rerun->step_count,
		.position = track->positions,
		.state = kept_state_create(
			rerun, track->count ? track->segments[track->count - 1].state : NULL,
			&track->bytes),
	};
	segment->room = state_segment_steps(segment->state);
	segment->pcs = malloc(segment_bytes(segment));
	if (segment->pcs)
		track->bytes += segment_bytes(segment);
	track->count++;
	if (!segment->state || !segment->pcs)
		return false;
	track_keep_within(track);
	return true;
}

/* The last segment that does not begin behind a step, or behind a position; NULL if there is none. */
static const struct wt_track_segment *track_segment_before(const struct wt_track *track,
							   uint64_t at, bool is_position)
{
	size_t low = 0, high = track->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct wt_track_segment *segment = &track->segments[middle];

		if ((is_position ? segment->position : segment->step) <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &track->segments[low - 1] : NULL;
}

/* The segment that has a step, or that ends with it where it is the last; NULL if it was cut out. */
static const struct wt_track_segment *track_find(const struct wt_track *track, uint64_t step)
{
	const struct wt_track_segment *segment = track_segment_before(track, step, false);

	return segment && step - segment->step <= segment->count ? segment : NULL;
}

/* ---- Making one ---- */

struct wt_error *wt_track_create(const struct wt_analysis_input *input,
				 const struct wt_track_options *options,
				 struct wt_track **track_ret)
{
	wt_cleanup_track struct wt_track *track = calloc(1, sizeof(*track));
	struct wt_error *error;

	if (!track)
		return &wt_error_no_memory;
	track->options = *options;
	track->end = WT_ANALYSIS_MISSED;
	error = wt_rerun_create(input, options->remembers, &track->rerun);
	if (error)
		return error;
	wt_rerun_begin(track->rerun, &track->initial);
	if (options->bytes && !track_add(track))
		return &wt_error_no_memory;
	*track_ret = wt_take(track);
	return NULL;
}

void wt_track_destroy(struct wt_track *track)
{
	if (!track)
		return;
	for (size_t i = 0; i < track->count; i++)
		segment_deinit(track, &track->segments[i]);
	free(track->segments);
	free(track->end_registers);
	free(track->end_private);
	free(track->end_local);
	free(track->end_written.entries);
	free(track->later.entries);
	wt_rerun_destroy(track->rerun);
	free(track);
}

static bool track_spends_too_much(const struct wt_rerun *rerun)
{
	return rerun->step_count * (rerun->remembers ? sizeof(*rerun->steps) : 0) +
		       rerun->reference_count * sizeof(*rerun->references) +
		       rerun->written.capacity * sizeof(*rerun->written.entries) >
	       rerun->input->memory_limit;
}

/* Notes the step that was just executed, which was at @pc. False if it is time to give up, or memory ran out. */
static bool track_note(struct wt_track *track, uint64_t pc)
{
	struct wt_rerun *rerun = track->rerun;
	struct wt_track_segment *last;

	track->steps = rerun->step_count;
	if (!pc_is_half(rerun->wave.pc))
		track->positions++;
	if (!track->count)
		return true;
	last = &track->segments[track->count - 1];
	last->pcs[last->count++] = pc;
	/* A state that is kept is one between two instructions. */
	if (last->count < last->room || pc_is_half(rerun->wave.pc))
		return true;
	if (track->options.go_on && !track->options.go_on(track->options.opaque, last->count)) {
		track->given_up = true;
		return false;
	}
	rerun->no_memory |= !track_add(track);
	return !rerun->no_memory;
}

/* Executes one step where it was followed farthest. Return: whether there is a way on; else how it ended is set. */
static bool track_step(struct wt_track *track)
{
	struct wt_rerun *rerun = track->rerun;
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	uint64_t pc = rerun->wave.pc;

	track->end = WT_ANALYSIS_INSTRUCTION;
	if (!code)
		return false;
	track->end = WT_ANALYSIS_LIMIT;
	if (rerun->no_memory || rerun->step_count >= rerun->input->step_limit ||
	    track_spends_too_much(rerun))
		return false;
	track->end = WT_ANALYSIS_MISSED;
	if (!wt_rerun_step(rerun, code, &track->end)) {
		if (track->end == WT_ANALYSIS_MISSED && track->came_by)
			track->end = WT_ANALYSIS_DIFFERENT;
		return false;
	}
	if (track_note(track, pc))
		return true;
	track->end = WT_ANALYSIS_LIMIT;
	return false;
}

struct wt_error *wt_track_follow(struct wt_track *track)
{
	bool leaves = track->arrived;

	if (track->rerun->step_count != track->steps && !wt_track_go(track, track->steps))
		return &wt_error_no_memory;
	while (leaves || !wt_rerun_has_arrived(track->rerun, &track->came_by)) {
		leaves = false;
		if (!track_step(track)) {
			track->end_pc = track->rerun->wave.pc & ~WT_RERUN_HALF;
			return track->rerun->no_memory ? &wt_error_no_memory : NULL;
		}
	}
	track->end_pc = track->rerun->wave.pc & ~WT_RERUN_HALF;
	track->end = WT_ANALYSIS_ARRIVED;
	track->compared = track->rerun->compared;
	track->arrived = true;
	return track->rerun->no_memory ? &wt_error_no_memory : NULL;
}

/* The words of one that has room for all of them, and those of another. */
static bool words_join(const struct wt_written_words *one, const struct wt_written_words *other,
		       struct wt_written_words *joined_ret)
{
	struct wt_written_words joined = {.capacity = 256};

	while (joined.capacity < 2 * (one->count + other->count))
		joined.capacity *= 2;
	joined.entries = calloc(joined.capacity, sizeof(*joined.entries));
	if (!joined.entries)
		return false;
	wt_written_add(&joined, one);
	wt_written_add(&joined, other);
	*joined_ret = joined;
	return true;
}

struct wt_error *wt_track_begin_again(struct wt_track *track)
{
	struct wt_rerun *rerun = NULL;
	struct wt_error *error =
		wt_rerun_create(track->rerun->input, track->options.remembers, &rerun);

	if (error)
		return error;
	rerun->later = &track->later;
	wt_rerun_destroy(track->rerun);
	track->rerun = rerun;
	while (track->count)
		track_remove(track, track->count - 1);
	track->front = 0;
	track->steps = track->positions = track->front_end = track->front_positions = 0;
	track->came_by = track->arrived = track->front_is_full = false;
	wt_rerun_begin(rerun, &track->initial);
	return track->options.bytes && !track_add(track) ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_track_restart(struct wt_track *track, const struct wt_written_words *words,
				  bool *more_ret)
{
	struct wt_written_words later;

	*more_ret = false;
	if (!words_join(&track->later, words, &later))
		return &wt_error_no_memory;
	if (later.count == track->later.count) {
		free(later.entries);
		return NULL;
	}
	free(track->later.entries);
	track->later = later;
	*more_ret = true;
	return wt_track_begin_again(track);
}

struct wt_error *wt_track_advance(struct wt_track *track, uint64_t step)
{
	while (track->steps < step && track_step(track))
		;
	return track->rerun->no_memory ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_track_end_at(struct wt_track *track, uint64_t step)
{
	struct wt_track_segment *last;

	if (!wt_track_position_of(track, step, &track->positions) || !wt_track_go(track, step))
		return &wt_error_no_memory;
	while (track->count > 1 && track->segments[track->count - 1].step > step)
		track_remove(track, track->count - 1);
	if (track->front > track->count)
		track->front = track->count;
	last = &track->segments[track->count - 1];
	last->count = step - last->step;
	track->steps = step;
	track->end = WT_ANALYSIS_ARRIVED;
	track->end_pc = track->rerun->wave.pc & ~WT_RERUN_HALF;
	return NULL;
}

/* ---- Going to a step ---- */

bool wt_track_go(struct wt_track *track, uint64_t step)
{
	const struct wt_track_segment *segment = track_find(track, step);
	struct wt_rerun *rerun = track->rerun;
	enum wt_analysis_end end;

	if (!segment || step > track->steps)
		return false;
	if (rerun->step_count > step || rerun->step_count < segment->step) {
		if (!kept_state_restore(segment->state, rerun)) {
			rerun->no_memory = true;
			return false;
		}
	}
	while (rerun->step_count < step) {
		const struct wt_rerun_code *code = wt_rerun_code(rerun);

		if (!code || !wt_rerun_step(rerun, code, &end))
			return false;
	}
	return !rerun->no_memory;
}

bool wt_track_step_of(const struct wt_track *track, uint64_t position, uint64_t *step_ret)
{
	const struct wt_track_segment *segment = track_segment_before(track, position, true);
	uint64_t at;

	if (!segment || position > track->positions)
		return false;
	at = segment->position;
	for (size_t i = 0; i < segment->count; i++) {
		if (pc_is_half(segment->pcs[i]))
			continue;
		if (at++ == position) {
			*step_ret = segment->step + i;
			return true;
		}
	}
	*step_ret = segment->step + segment->count;
	return at == position;
}

bool wt_track_position_of(const struct wt_track *track, uint64_t step, uint64_t *position_ret)
{
	const struct wt_track_segment *segment = track_find(track, step);
	uint64_t position;

	if (!segment)
		return false;
	position = segment->position;
	for (uint64_t i = segment->step; i < step; i++)
		position += !pc_is_half(segment->pcs[i - segment->step]);
	*position_ret = position;
	return true;
}

bool wt_track_pc(const struct wt_track *track, uint64_t step, uint64_t *pc_ret)
{
	const struct wt_track_segment *segment = track_find(track, step);

	if (!segment || step - segment->step >= segment->count)
		return false;
	*pc_ret = segment->pcs[step - segment->step];
	return true;
}

uint64_t wt_track_cut(const struct wt_track *track, uint64_t *from_ret, uint64_t *position_ret,
		      uint64_t *positions_ret)
{
	const struct wt_track_segment *next;

	if (track->front == track->count || track->segments[track->front].step == track->front_end)
		return 0;
	next = &track->segments[track->front];
	*from_ret = track->front_end;
	*position_ret = track->front_positions;
	*positions_ret = next->position - track->front_positions;
	return next->step - track->front_end;
}
