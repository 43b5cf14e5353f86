/* SPDX-License-Identifier: MIT */
/*
 * libwavetape: the public C library. Its header, <wavetape/wavetape.h>, is a promise: what it names stays. The functions here only
 * translate between it and replayer/view, where the answers are made; the command reads them there.
 *
 * A handle counts those who need it, so that a program may close handles in any order.
 *
 *     public-error.c                        errors as the public header has them
 *     open-trace.c, list.c                  traces, and lists of their stops
 *     stop-answers.c, wave-answers.c        one stop, its objects and waves
 *     dispatch-answers.c                    how kernels were launched, from which queues, on which agents
 *     register-answers.c, memory-answers.c  values; code objects are a kind of memory
 *     symbols.c                             symbols of code objects
 *     stack-answers.c                       calls, variables, and values as trees
 *     source-answers.c                      the text of source files
 *     cause.c                               why a wave crashed
 *     way-answers.c                         what it executed before
 *     journal-answers.c, host-answers.c     what the recorded client called, and where it ran
 */
#ifndef WT_LIBWAVETAPE_HANDLES_H
#define WT_LIBWAVETAPE_HANDLES_H

#include <wavetape/wavetape.h>

#include "base/error.h"
#include "replayer/view/explain.h"
#include "replayer/view/missing.h"
#include "replayer/view/stops.h"

struct wavetape_trace {
	uint32_t users; /* the handle itself, and what was opened from it */
	struct wt_reader *reader;
	struct wt_stops stops;
	struct wt_missing missing; /* as it was asked for last */
	char *path;
};

/* The findings about a wave, worked out when it is first asked for. */
struct wt_known_wave;

struct wavetape_stop {
	uint32_t users;
	struct wavetape_trace *trace;
	uint32_t number;
	struct wt_view *view;
	struct wt_explainer *explainer;
	struct wt_known_wave *waves;
	struct wavetape_place
		*places; /* of addresses that were asked for: their texts are handed out */
	size_t place_count;
	char *crash; /* the sentence, once asked for */
	/* The stop before, opened when registers are compared with it. */
	struct wt_view *before;
	bool has_looked_before;
};

/** Count a user less; the last one frees. NULL is legal. */
void wt_trace_release(struct wavetape_trace *trace);
void wt_stop_release(struct wavetape_stop *stop);

/** The error as the public header has it: the same object. */
static inline struct wavetape_error *wt_public(struct wt_error *error)
{
	return (struct wavetape_error *)error;
}

/** A wrong argument. @what: "cannot open the trace". */
__attribute__((returns_nonnull)) struct wavetape_error *wt_wrong_argument(const char *what,
									  const char *why);

/**
 * Hand a structure out: as much of it as the caller's own has room for, and zeros for what the caller knows beyond it.
 *
 * @result: begins with its size, which the caller has set.
 */
struct wavetape_error *wt_give(const char *what, const void *full, size_t full_size, void *result);

/** Explain a wave, once for each stop. Errors: NOT_FOUND if there is no such wave. */
struct wt_error *wt_stop_wave(struct wavetape_stop *stop, uint64_t wave,
			      const struct wt_explain_wave **wave_ret);
void wt_stop_forget_waves(struct wavetape_stop *stop);

#endif /* WT_LIBWAVETAPE_HANDLES_H */
