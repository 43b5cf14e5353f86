/* SPDX-License-Identifier: MIT */
/* `wavetape info` of a stop without a fault: where its waves stand, and what they wait for. */
#ifndef WT_CLI_LOOK_INFO_PLACES_H
#define WT_CLI_LOOK_INFO_PLACES_H

#include <jansson.h>

#include "replayer/view/wave-places.h"

/** Print the places with most waves, nothing where no wave has a pc; or give @json, if it is not NULL, all of them as "places". */
struct wt_error *wt_info_show_places(struct wt_view *view, struct wt_explainer *explainer,
				     const struct wt_places *places, json_t *json);

/* How many places are described, those with most waves first. */
#define WT_INFO_PLACES 8u

#endif /* WT_CLI_LOOK_INFO_PLACES_H */
