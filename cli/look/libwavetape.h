/* SPDX-License-Identifier: MIT */
/* What libwavetape gives, in the structures that describe.h puts into words. They borrow its texts: nothing is to be freed. */
#ifndef WT_CLI_LOOK_LIBWAVETAPE_H
#define WT_CLI_LOOK_LIBWAVETAPE_H

#include <wavetape/wavetape.h>

#include "base/error.h"
#include "replayer/view/explain.h"
#include "replayer/view/stop-summary.h"

/** A wave at a stop, with its place and its memory access. */
struct wt_error *wt_cli_take_wave(struct wavetape_stop *stop, uint64_t number,
				  struct wt_explain_wave *wave_ret);

/**
 * A stop of a list.
 *
 * @events: for its runs of events, which grow with realloc(); the caller frees them when all is done. May point to NULL.
 */
struct wt_error *wt_cli_take_stop(const struct wavetape_stops *stops, size_t index,
				  struct wt_stop_events **events,
				  struct wt_stop_summary *summary_ret);

#endif /* WT_CLI_LOOK_LIBWAVETAPE_H */
