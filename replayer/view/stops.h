/* SPDX-License-Identifier: MIT */
/* The stops of a trace as users count them, from 1: finding them, and the one that tells most. */
#ifndef WT_REPLAYER_VIEW_STOPS_H
#define WT_REPLAYER_VIEW_STOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/view/view.h"
#include "trace-format/reader/reader.h"

/* Set `reader` and `path`; all else is zero at first. */
struct wt_stops {
	struct wt_reader *reader;
	const char *path;  /* for errors */
	uint32_t *moments; /* their numbers, of the stops found so far */
	uint32_t count, capacity;
	uint32_t looked_at; /* moments: the next stop is looked for behind them */
	/* Called before a moment is read, for who reads something else along with it: each chunk is read once. */
	void (*beside)(void *opaque, uint32_t moment);
	void *opaque;
};

void wt_stops_deinit(struct wt_stops *stops);

/**
 * Open the state at a stop.
 *
 * @number: which one; 0: the last one with a fault, else the last one.
 * @stop_ret: its number.
 *
 * Errors: USAGE if there are fewer stops; NOT_FOUND if there is none; those of reading.
 */
struct wt_error *wt_stops_view(struct wt_stops *stops, uint32_t number, struct wt_view **view_ret,
			       uint32_t *stop_ret);

/**
 * Find the next stop, which then is the last one found. Stops are found in order; a file is read no further than
 * needed.
 *
 * @found_ret: false if there are no more.
 */
struct wt_error *wt_stops_next(struct wt_stops *stops, bool *found_ret);

/** Find all stops that have not been found yet. */
struct wt_error *wt_stops_find(struct wt_stops *stops);

/** Is a stop among those that were found? The error says how many there are, or why there is none. */
struct wt_error *wt_stops_check(const struct wt_stops *stops, uint32_t number);

/**
 * Take the stops from the list that the trace repeats at its end: false if it has none, or it was found to be wrong. It is
 * wrong where what was read since contradicts it.
 */
bool wt_stops_take_list(struct wt_stops *stops);

/** Look for the stops from the start. */
void wt_stops_forget(struct wt_stops *stops);

/**
 * Does an error only mean that a part of the trace is lost? Then it is freed: the reader has noted the damage, and
 * the rest can still be shown.
 */
bool wt_error_is_loss(struct wt_error *error);

#endif /* WT_REPLAYER_VIEW_STOPS_H */
