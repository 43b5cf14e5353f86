/* SPDX-License-Identifier: MIT */
/* Which value a register has at a step of a track, and how that is known. */
#include <stdlib.h>
#include <string.h>

#include "replayer/analysis/track.h"

bool wt_track_keep_end(struct wt_track *track)
{
	const struct wt_rerun *rerun = track->rerun;
	size_t words = rerun->private_words * GFX_MAX_LANES, local = rerun->wave.lds_size / 4;

	track->end_private = malloc((words + 1) * sizeof(*track->end_private));
	track->end_local = malloc((local + 1) * sizeof(*track->end_local));
	track->end_registers = wt_rerun_take_end(track->rerun);
	if (!track->end_registers || !track->end_private || !track->end_local)
		return false;
	/* There is nothing to copy of a wave without private or local memory, or which has written none. */
	if (words)
		memcpy(track->end_private, rerun->private_writers,
		       words * sizeof(*track->end_private));
	if (local)
		memcpy(track->end_local, rerun->local_writers, local * sizeof(*track->end_local));
	track->end_anywhere = rerun->private_anywhere;
	track->end_written = rerun->written;
	track->end_written.entries = calloc(rerun->written.capacity + 1, sizeof(struct wt_written));
	if (!track->end_written.entries)
		return false;
	if (rerun->written.capacity)
		memcpy(track->end_written.entries, rerun->written.entries,
		       rerun->written.capacity * sizeof(struct wt_written));
	return true;
}

static enum wt_track_doubt word_doubt(const struct wt_track *track, enum gfx_register_file file,
				      uint32_t number, uint32_t lane)
{
	const struct wt_rerun *rerun = track->rerun;
	uint64_t influence, placed;
	bool known;

	if (file == GFX_FILE_SCALAR) {
		known = !rerun->unknown.scalar[number];
		placed = rerun->placed.scalar[number];
		influence = rerun->influence.scalar[number];
		/* The lanes that are active are the wave's way itself. */
		if ((number | 1) == (GFX_CODE_EXEC | 1))
			influence = 0;
	} else {
		bool vector = file == GFX_FILE_VECTOR;

		known = wt_rerun_known(rerun, file, number) >> lane & 1;
		placed = (vector ? rerun->placed.vector[number]
				 : rerun->placed.accumulation[number]) >>
				 lane &
			 1;
		influence = vector ? rerun->influence.vector[number]
				   : rerun->influence.accumulation[number];
	}
	if (!known)
		return wt_rerun_writer(rerun, file, number, lane) ? WT_TRACK_UNKNOWN
								  : WT_TRACK_NOT_WRITTEN;
	if (placed)
		return WT_TRACK_PLACED;
	return influence & WT_INFLUENCE_OTHERS ? WT_TRACK_OTHERS : WT_TRACK_NO_DOUBT;
}

struct wt_track_word wt_track_word(const struct wt_track *track, enum gfx_register_file file,
				   uint32_t number, uint32_t lane)
{
	struct wt_track_word word = {.doubt = WT_TRACK_NO_REGISTER};
	uint32_t held = 0;

	if (file == GFX_FILE_SCALAR ? !wt_rerun_scalar(track->rerun, number, &number)
				    : number >= GFX_MAX_VGPRS || lane >= GFX_MAX_LANES)
		return word;
	word.value = wt_rerun_value(track->rerun, file, number, lane);
	word.doubt = word_doubt(track, file, number, lane);
	/* A load that failed, and was executed all the same, has left the register as it was recorded. */
	if (wt_rerun_is_held(track->end_registers, file, number, lane,
			     wt_rerun_writer(track->rerun, file, number, lane), &held) &&
	    (word.doubt != WT_TRACK_NO_DOUBT || held != word.value)) {
		word.recorded = true;
		word.value = held;
	}
	return word;
}
