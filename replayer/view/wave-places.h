/* SPDX-License-Identifier: MIT */
/*
 * The places at which the waves of a stop stand: waves of one kernel that have the same pc are at one place. A program that hangs
 * waits for what most of them do.
 */
#ifndef WT_REPLAYER_VIEW_WAVE_PLACES_H
#define WT_REPLAYER_VIEW_WAVE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/view/explain.h"

/* Waves of a place that are kept one by one. */
#define WT_PLACE_SOME 16u

struct wt_place {
	struct wt_view_kernel kernel;
	uint64_t pc;
	uint32_t reasons; /* of all of them, amd_dbgapi_wave_stop_reasons_t */
	uint64_t first;	  /* handle of one of them */
	size_t waves;
	uint64_t some
		[WT_PLACE_SOME]; /* handles: of all waves, or of as many as there is room for; the first one before all others */
};

struct wt_places {
	struct wt_place *places; /* most waves first; of as many, by pc */
	size_t count;
	size_t waves;	/* in all places */
	size_t unknown; /* that have no pc here: they run, or it was not recorded */
};

/** Find the places of a view. */
struct wt_error *wt_places_find(struct wt_view *view, struct wt_places *places_ret);
void wt_places_deinit(struct wt_places *places);

enum wt_activity {
	WT_ACTIVITY_UNKNOWN, /* nothing that waits is seen there */
	WT_ACTIVITY_BARRIER, /* it waits for the other waves of its workgroup */
	WT_ACTIVITY_WAIT,    /* it waits for memory, or for a message */
	WT_ACTIVITY_SLEEP,
	WT_ACTIVITY_LOOP, /* it is between a branch back and where that leads */
	WT_ACTIVITY_GRID, /* it waits for the other workgroups of its grid, or for other grids: at a global barrier */
};

struct wt_activity_found {
	enum wt_activity activity;
	uint64_t
		barrier; /* of a wave at one, or at a global one: its instruction, behind which the pc is */
	uint64_t from, to; /* of a loop: its first instruction, and the branch */
	bool sleeps;	   /* of a loop: the wave was found at an instruction that lets it sleep */
	/*
	 * No instruction of the loop can make a lane active, so that lanes which are not are out of it, and do nothing before
	 * it ends.
	 */
	bool keeps_out;
	bool endless; /* of a loop: no instruction of it leads out of it */
};

/** Tells what a wave does that stands at a pc, by the instructions there. A wave at a barrier has the pc behind it. */
void wt_place_activity(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       uint64_t pc, struct wt_activity_found *found_ret);

#endif /* WT_REPLAYER_VIEW_WAVE_PLACES_H */
