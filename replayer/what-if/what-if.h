/* SPDX-License-Identifier: MIT */
/*
 * A dispatch goes on from a recorded stop, with values that were changed: what would have come out?
 *
 *     prepared-stop.c   what of a stop is needed to go on, and whether all of it was recorded
 *     going-on.c        a simulated GPU over a copy of the recorded memory, with the waves of the stop in it
 *     changed-value.c   `v3=0`, `private 16:8=1`, `i=5`: what is meant, and putting it there
 *     what-came-out.c   both runs, with the changes and without them, and how they differ
 *
 * All waves of one dispatch are executed by the machine of the simulated GPU, those that had not begun at the stop too. The recording is
 * read alone: every run has its own copy of the memory. Nothing is made up: where a wave touches memory that was not recorded, and of which
 * it is not known that there is none, the question is refused by the name of what is missing.
 *
 * A run is one of those that were possible: in which order waves take turns, hardware decides each time anew. Of what the recording cannot
 * know it supposes, and says so: that workgroups which come behind the last one that is there have not begun, since they begin in order; and
 * that nobody else changes memory in the meantime.
 *
 * The room `what-if` must not print, nor change a view.
 */
#ifndef WT_REPLAYER_WHAT_IF_WHAT_IF_H
#define WT_REPLAYER_WHAT_IF_WHAT_IF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/architecture.h"
#include "replayer/view/explain.h"

struct wt_what_if;

struct wt_what_if_options {
	uint64_t seed; /* of the order of turns, as of the simulated GPU; 0: in order */
	/* Limits of each run: instructions of all waves, and seconds. 0: those of WT_WHAT_IF_... below. */
	uint64_t instructions, seconds;
};

#define WT_WHAT_IF_INSTRUCTIONS UINT64_C(100000000)
#define WT_WHAT_IF_SECONDS UINT64_C(20)

/**
 * Prepare a stop for going on.
 *
 * @explainer: of the stop; it must outlive what is made.
 * @wave: one of the dispatch that is to go on; changes of registers are its.
 * @options: NULL for the usual ones.
 * @what_if_ret: for the caller to wt_what_if_destroy().
 *
 * Errors: WT_ERROR_NOT_FOUND, which names what was not recorded; WT_ERROR_UNSUPPORTED for an architecture that the simulated GPU does not
 * execute; no memory, a damaged trace.
 */
struct wt_error *wt_what_if_create(struct wt_explainer *explainer, uint64_t wave,
				   const struct wt_what_if_options *options,
				   struct wt_what_if **what_if_ret);
void wt_what_if_destroy(struct wt_what_if *what_if); /* NULL is legal */

/**
 * Add a change, which is made before the dispatch goes on; changes are made in the order in which they were added.
 *
 * @text: WHAT=VALUE. What: a register ("v3", "s[4:5]", "exec", "pc"), of a lane "v3[5]"; memory, with the number of its bytes if these are
 *	not 4 ("0x7f0012345678:8", "local 0x40", "private 16"); or a variable of the innermost frame, or a part of one ("i", "p->x"), where
 *	its place is known. Value: a number, for a variable of a type with a point, and for a register, with a point ("1.5").
 * @lane: of a vector register, private memory or a variable; UINT32_MAX: all that are active.
 *
 * Errors: WT_ERROR_INPUT, which says what is wrong with the text.
 */
struct wt_error *wt_what_if_set(struct wt_what_if *what_if, const char *text, uint32_t lane);

/**
 * Run the dispatch twice: with the changes, and without them.
 *
 * Errors: as of wt_what_if_create(), for memory that a wave touches, which is found on the way.
 */
struct wt_error *wt_what_if_run(struct wt_what_if *what_if);

/* ---- What came out ---- */

enum wt_what_if_end {
	WT_WHAT_IF_ENDED,
	WT_WHAT_IF_STOPPED, /* for a reason */
	WT_WHAT_IF_HALTED,  /* by its own instruction */
	WT_WHAT_IF_WAITS,   /* at a barrier that does not open */
	WT_WHAT_IF_RUNS,    /* where the limit was reached */
};

/* How a wave came out of a run. */
struct wt_what_if_outcome {
	enum wt_what_if_end end;
	uint32_t reasons; /* STOPPED: amd_dbgapi_wave_stop_reasons_t */
	uint64_t pc;	  /* but of ENDED: the instruction that stopped it, or is next */
	/* If an access failed: */
	bool has_address, write;
	uint64_t address, lanes; /* of the first lane, and which */
	const char *why;	 /* static; NULL if there is no more to say */
};

struct wt_what_if_wave {
	uint64_t wave; /* its handle; 0: it had not begun at the stop */
	uint32_t workgroup[3], number_in_workgroup;
	uint64_t from; /* the address of the instruction from which it went on */
	struct wt_what_if_outcome changed, plain; /* `plain`: without the changes */
	bool in_changed, in_plain;		  /* has it begun there at all? */
	bool differs; /* it came out otherwise than without the changes */
};

struct wt_what_if_summary {
	uint64_t dispatch;
	const char *kernel; /* NULL if its name is not known */
	uint64_t seed;
	size_t waves, begun;   /* those of the stop; those that began afterwards */
	uint64_t not_begun;    /* workgroups that are supposed not to have begun at the stop */
	uint64_t instructions; /* with the changes */
	size_t others;	       /* other dispatches that were there, and stood still */
	size_t changed_ends;   /* waves that came out otherwise than without the changes */
	bool limit_reached;    /* of the run with the changes */
	const char *
		plain_why_not; /* why there is no run without the changes to compare with; else NULL */
	/* Memory that differs: bytes, and runs of them; private memory of waves is left out. */
	uint64_t from_recording, from_plain;
	size_t differences;
};

/** Strings belong to @what_if. */
void wt_what_if_summary(const struct wt_what_if *what_if, struct wt_what_if_summary *summary_ret);

/** One of `waves` + `begun`. */
void wt_what_if_wave(const struct wt_what_if *what_if, size_t index,
		     struct wt_what_if_wave *wave_ret);

/* A run of bytes that differ from the recording, or from the run without the changes. */
struct wt_what_if_difference {
	uint64_t address, size;
	/* The same number of bytes as they were recorded, as they came out, and as they came out without the changes. */
	const uint8_t *recorded, *changed, *plain; /* `plain` is NULL if there is no such run */
	bool from_recording, from_plain;	   /* from which they differ */
};

/** One of `differences`, by address. Bytes belong to @what_if. */
void wt_what_if_difference(const struct wt_what_if *what_if, size_t index,
			   struct wt_what_if_difference *difference_ret);

/** Whose memory a difference is in, for users; for the caller to free(); NULL if that is not known. */
struct wt_error *wt_what_if_whose(const struct wt_what_if *what_if, uint64_t address,
				  char **text_ret);

#endif /* WT_REPLAYER_WHAT_IF_WHAT_IF_H */
