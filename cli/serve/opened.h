/* SPDX-License-Identifier: MIT */
/* A trace that is open for a client who asks one question after the other: the stop that it looks at, and what is costly to find there. */
#ifndef WT_CLI_SERVE_OPENED_H
#define WT_CLI_SERVE_OPENED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/trace.h"
#include "replayer/view/explain-lines.h"
#include "replayer/view/explain.h"
#include "replayer/view/sources.h"
#include "replayer/view/stack.h"
#include "replayer/way/way.h"

#define WT_OPENED_STACKS 16
#define WT_OPENED_WAYS 4

struct wt_opened {
	struct wt_cli_trace trace;
	char *path;
	bool is_temporary; /* the trace was made of a core, and goes with this */
	const struct wt_source_maps *maps;
	struct wt_sources *sources;
	/* The stop that is looked at, from 1, and its state. */
	uint32_t stop;
	struct wt_view *view;
	struct wt_explainer *explainer;
	struct wt_stacks *stacks;
	/* Calls of the waves that were asked for last. */
	struct wt_kept_stack {
		uint64_t wave;
		struct wt_stack *stack;
		uint64_t used;
	} kept[WT_OPENED_STACKS];
	/* Ways of the waves that were walked last. */
	struct wt_kept_way {
		uint64_t wave;
		struct wt_way *way;
		uint64_t used;
	} ways[WT_OPENED_WAYS];
	uint64_t clock;
};

/**
 * Open a trace, and look at a stop.
 *
 * @stop: from 1; 0: the last one with a fault, else the last one.
 * @maps: where source files are; it must outlive the trace.
 * @opened_ret: for the caller to wt_opened_close().
 */
struct wt_error *wt_opened_create(const char *path, const struct wt_source_maps *maps,
				  uint32_t stop, struct wt_opened **opened_ret);

/** Make a trace of a GPU core dump, and open that. */
struct wt_error *wt_opened_create_core(const char *core, const struct wt_source_maps *maps,
				       struct wt_opened **opened_ret);
void wt_opened_close(struct wt_opened *opened); /* NULL is legal */

/** Look at another stop. What was found at the one before is gone, unless this fails. */
struct wt_error *wt_opened_go(struct wt_opened *opened, uint32_t stop);

/**
 * The calls of a wave, with sources checked.
 *
 * @stack_ret: belongs to @opened, until the next call of a function here; NULL if the wave is not stopped.
 */
struct wt_error *wt_opened_stack(struct wt_opened *opened, uint64_t wave,
				 struct wt_stack **stack_ret);

/**
 * The way of a wave. The wave that was walked longest ago goes back to the stop where there are too many.
 *
 * @options: NULL for the usual ones; of a way that was made before they are without effect.
 * @way_ret: belongs to @opened. It may be one that was not found: see its summary.
 */
struct wt_error *wt_opened_way(struct wt_opened *opened, uint64_t wave,
			       const struct wt_way_options *options, struct wt_way **way_ret);

/** The way of a wave that stands elsewhere than at the stop; NULL if it is at the stop. */
struct wt_way *wt_opened_way_at(const struct wt_opened *opened, uint64_t wave);

/** Forget the calls of a wave: before its way goes anywhere. */
void wt_opened_leave(struct wt_opened *opened, uint64_t wave);

/** An error as one line for the caller to free, "cannot do: WHERE: WHY"; it is destroyed. NULL: there is no memory. */
char *wt_opened_error_line(struct wt_error *error);

#endif /* WT_CLI_SERVE_OPENED_H */
