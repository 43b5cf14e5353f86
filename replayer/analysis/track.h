/* SPDX-License-Identifier: MIT */
/*
 * A wave that is executed once more and can be brought back to any of its steps: every so many of them its state is kept, and the
 * rest is executed again.
 *
 * An instruction that does two operations is two steps here. What is too long is kept at both ends.
 */
#ifndef WT_REPLAYER_ANALYSIS_TRACK_H
#define WT_REPLAYER_ANALYSIS_TRACK_H

#include "replayer/analysis/rerun.h"

#define WT_TRACK_SEGMENT 4096u /* steps between two states that are kept, at the least */

struct wt_kept_state;

/* The steps from a state that is kept up to the next one. */
struct wt_track_segment {
	uint64_t step;	   /* how many were executed before it */
	uint64_t position; /* and how many instructions */
	struct wt_kept_state *state;
	uint64_t *
		pcs; /* of each of its steps; with WT_RERUN_HALF of the second half of an instruction */
	size_t count, room; /* of steps: there are, there can be */
};

struct wt_track_options {
	bool remembers; /* steps and references are kept, as by wt_rerun_create() */
	uint64_t bytes; /* for states that are kept; 0: none but the first */
	/* Called between two states that are kept; false to give up. May be NULL. */
	bool (*go_on)(void *opaque, uint64_t steps);
	void *opaque;
};

struct wt_track {
	struct wt_rerun *rerun; /* where the track stands */
	struct wt_track_options options;
	struct wt_analysis_initial initial;
	struct wt_track_segment *segments;
	size_t count, capacity;
	size_t bytes; /* that they take */
	size_t front; /* so many of them are its beginning; behind these some may have been cut out */
	uint64_t front_end;	   /* the step behind those */
	uint64_t front_positions;  /* and the position */
	uint64_t steps, positions; /* that were executed, where it was followed farthest */
	enum wt_analysis_end end;  /* of following it */
	uint64_t end_pc;
	size_t compared; /* register values that were known where it arrived, and are as recorded */
	/* By wt_track_keep_end(): who wrote what last there; and whether a lane has stored nobody knows where. */
	struct wt_rerun_end *end_registers;
	uint32_t *end_private, *end_local;
	bool end_anywhere;
	struct wt_written_words end_written;
	struct wt_written_words
		later; /* what changes before the stop, as earlier attempts have found */
	bool came_by, arrived, given_up, front_is_full;
};

/**
 * A wave where it begins.
 *
 * @input: must outlive it.
 * @track_ret: for the caller to wt_track_destroy().
 *
 * Errors: no memory.
 */
struct wt_error *wt_track_create(const struct wt_analysis_input *input,
				 const struct wt_track_options *options,
				 struct wt_track **track_ret);
void wt_track_destroy(struct wt_track *track);

static inline void wt_track_destroyp(struct wt_track **track)
{
	wt_track_destroy(*track);
}
#define wt_cleanup_track wt_cleanup(wt_track_destroyp)

/**
 * Execute on from where it was followed farthest until it is where it stopped, and as it was; from there on, until it is so once more.
 *
 * Errors: no memory. How it ended is in `end`; WT_ANALYSIS_LIMIT and `given_up` if `go_on` said so.
 */
struct wt_error *wt_track_follow(struct wt_track *track);

/**
 * The same, and on to the arrival before which an access can have failed, if the input is `late`: before that the wave went on. The first
 * one if there is none such (failed-access.c).
 */
struct wt_error *wt_track_arrive(struct wt_track *track);

/**
 * Take words as such that memory of the stop says nothing of before, and begin again.
 *
 * @words: those that the wave has written, or others; also without the order of a set.
 * @more_ret: false if they were all known to be: nothing was done.
 */
struct wt_error *wt_track_restart(struct wt_track *track, const struct wt_written_words *words,
				  bool *more_ret);

/** Begin again, with what is known by now: the input's `end`, and the words that are known to change. */
struct wt_error *wt_track_begin_again(struct wt_track *track);

/** Execute on, wherever that leads, until as many steps have been executed as it is known to be able to. */
struct wt_error *wt_track_advance(struct wt_track *track, uint64_t step);

/** Forget what is behind a number of steps, which must be there to go to. */
struct wt_error *wt_track_end_at(struct wt_track *track, uint64_t step);

/**
 * Go to where a number of steps has been executed.
 *
 * Return: false if that was cut out, or is behind its end, or memory ran out: see rerun->no_memory.
 */
bool wt_track_go(struct wt_track *track, uint64_t step);

/** The number of steps that are executed before an instruction of the wave, by its position, and the other way round; false if it was cut out. */
bool wt_track_step_of(const struct wt_track *track, uint64_t position, uint64_t *step_ret);
bool wt_track_position_of(const struct wt_track *track, uint64_t step, uint64_t *position_ret);

/** The pc of a step, from 0; false if it was cut out. */
bool wt_track_pc(const struct wt_track *track, uint64_t step, uint64_t *pc_ret);

/** Steps that were cut out: from the first one that cannot be gone to. Return: how many; 0: none. */
uint64_t wt_track_cut(const struct wt_track *track, uint64_t *from_ret, uint64_t *position_ret,
		      uint64_t *positions_ret);

/* ---- Values (track-word.c) ---- */

/** Keep who wrote what last where the track ends: it has arrived and stands there. False if memory ran out. */
bool wt_track_keep_end(struct wt_track *track);

/* The doubts in a value that was executed. */
enum wt_track_doubt {
	WT_TRACK_NO_DOUBT,
	WT_TRACK_NOT_WRITTEN, /* the wave has not written it, and nothing says what it began with */
	WT_TRACK_UNKNOWN,     /* it was made of what is not known */
	WT_TRACK_PLACED,      /* it hangs on where private memory is, which is made up */
	WT_TRACK_OTHERS,      /* another wave may have changed memory that it was made of */
	WT_TRACK_NO_REGISTER,
};

struct wt_track_word {
	uint32_t value;
	bool recorded; /* it is as the recording has it, since nothing writes it from here to the stop */
	enum wt_track_doubt doubt; /* in what was executed; of a recorded one it does not matter */
};

/**
 * A word of a register where the track stands, whose end was kept. It is known without a doubt, or recorded, or not known: then its value is
 * the one that was executed for WT_TRACK_OTHERS, and means nothing for others.
 */
struct wt_track_word wt_track_word(const struct wt_track *track, enum gfx_register_file file,
				   uint32_t number, uint32_t lane);

#endif /* WT_REPLAYER_ANALYSIS_TRACK_H */
