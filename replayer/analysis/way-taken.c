/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/way-taken.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/analysis/track.h"

/* A value that depends on where private memory is, which is made up here, is not known. */
static void call_take_scalars(const struct wt_rerun *rerun, struct wt_taken_call *call)
{
	for (uint32_t i = 0; i < WT_TAKEN_SCALARS && i < rerun->wave.sgpr_count; i++) {
		call->known[i] =
			wt_rerun_known(rerun, GFX_FILE_SCALAR, i) && !rerun->placed.scalar[i];
		call->scalars[i] = wt_rerun_value(rerun, GFX_FILE_SCALAR, i, 0);
	}
}

static bool call_take_vectors(const struct wt_rerun *rerun, struct wt_taken_call *call,
			      bool is_accumulation)
{
	const enum gfx_register_file file =
		is_accumulation ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR;
	const uint64_t *placed =
		is_accumulation ? rerun->placed.accumulation : rerun->placed.vector;
	uint32_t count = is_accumulation ? rerun->wave.agpr_count : rerun->wave.vgpr_count;

	call->vectors[is_accumulation] = calloc(count + 1, sizeof(*call->vectors[0]));
	call->lanes[is_accumulation] = calloc(count + 1, sizeof(*call->lanes[0]));
	if (!call->vectors[is_accumulation] || !call->lanes[is_accumulation])
		return false;
	call->count[is_accumulation] = count;
	for (uint32_t i = 0; i < count; i++) {
		call->lanes[is_accumulation][i] = wt_rerun_known(rerun, file, i) & ~placed[i];
		for (uint32_t lane = 0; lane < rerun->lanes; lane++)
			call->vectors[is_accumulation][i][lane] =
				wt_rerun_value(rerun, file, i, lane);
	}
	return true;
}

/* The registers at the innermost calls of a wave that has arrived: goes back to each. */
static struct wt_error *way_find_calls(struct wt_track *track, struct wt_taken *way)
{
	struct wt_rerun *rerun = track->rerun;
	size_t all = rerun->call_count, count = all < WT_TAKEN_CALLS ? all : WT_TAKEN_CALLS;
	uint64_t steps[WT_TAKEN_CALLS];

	if (!all || all > WT_RERUN_DEPTH)
		return NULL;
	way->calls = calloc(count, sizeof(*way->calls));
	if (!way->calls)
		return &wt_error_no_memory;
	way->call_count = count;
	for (size_t i = 0; i < count; i++) {
		way->calls[i].pc = rerun->calls[all - 1 - i];
		steps[i] = rerun->call_steps[all - 1 - i];
	}
	for (size_t i = count; i-- > 0;) {
		struct wt_taken_call *call = &way->calls[i];

		if (!wt_track_go(track, steps[i]))
			return &wt_error_no_memory;
		call_take_scalars(track->rerun, call);
		if (!call_take_vectors(track->rerun, call, false) ||
		    !call_take_vectors(track->rerun, call, true))
			return &wt_error_no_memory;
	}
	return wt_track_go(track, track->steps) ? NULL : &wt_error_no_memory;
}

static struct wt_error *way_follow(const struct wt_analysis_input *input, struct wt_taken *way)
{
	wt_cleanup_track struct wt_track *track = NULL;
	struct wt_error *error =
		wt_track_create(input, &(struct wt_track_options){.bytes = 0}, &track);

	if (!error)
		error = wt_track_follow(track);
	if (error)
		return error;
	way->end = track->end;
	if (way->end != WT_ANALYSIS_ARRIVED)
		return NULL;
	error = way_find_calls(track, way);
	if (error)
		return error;
	way->words = track->rerun->private_words;
	way->anywhere = track->rerun->private_anywhere;
	way->stored = wt_take(track->rerun->private_stored);
	return NULL;
}

struct wt_error *wt_taken_find(const struct wt_analysis_input *input, struct wt_taken *way_ret)
{
	struct wt_taken way = {.end = WT_ANALYSIS_PRIVATE};
	struct wt_error *error = NULL;

	if (input->launch.private_segment_size <= WT_ANALYSIS_PRIVATE_BYTES)
		error = way_follow(input, &way);
	if (error) {
		wt_taken_deinit(&way);
		return error;
	}
	*way_ret = way;
	return NULL;
}

void wt_taken_deinit(struct wt_taken *way)
{
	for (size_t i = 0; i < way->call_count; i++)
		for (size_t j = 0; j < 2; j++) {
			free(way->calls[i].vectors[j]);
			free(way->calls[i].lanes[j]);
		}
	free(way->calls);
	free(way->stored);
	*way = (struct wt_taken){.end = WT_ANALYSIS_MISSED};
}
