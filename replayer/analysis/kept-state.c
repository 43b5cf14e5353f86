/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/kept-state.h"

#include <stdlib.h>
#include <string.h>

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

struct wt_kept_state *wt_kept_state_create(const struct wt_rerun *rerun,
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
		wt_kept_state_destroy(state, bytes);
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
				wt_kept_state_destroy(state, bytes);
				return NULL;
			}
			state->count++;
		}
	return state;
}

void wt_kept_state_destroy(struct wt_kept_state *state, size_t *bytes)
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

bool wt_kept_state_restore(const struct wt_kept_state *state, struct wt_rerun *rerun)
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
