/* SPDX-License-Identifier: MIT */
/*
 * The places of the waves of a stop, from the list of stops that a trace repeats at its end: no state is read for it, only the
 * images of the code objects that they stood in.
 */
#ifndef WT_REPLAYER_VIEW_LISTED_H
#define WT_REPLAYER_VIEW_LISTED_H

#include "replayer/view/explain.h"
#include "trace-format/reader/summary.h"

struct wt_listed_places;

/** Keeps what is costly between stops. The reader must outlive it. */
struct wt_error *wt_listed_places_create(struct wt_reader *reader,
					 struct wt_listed_places **places_ret);
void wt_listed_places_destroy(struct wt_listed_places *places); /* NULL is legal */

/**
 * The place of the first wave of a group, as wt_explain_wave() has it, without the instruction; and the name of its kernel,
 * NULL if it is not known. Strings belong to @places.
 */
struct wt_error *wt_listed_place(struct wt_listed_places *places, const struct wt_stop *stop,
				 const struct wt_stop_group *group, struct wavetape_place *code_ret,
				 const char **kernel_ret);

#endif /* WT_REPLAYER_VIEW_LISTED_H */
