/* SPDX-License-Identifier: MIT */
/* `wavetape info` of a fault: the source around it, the kernel's arguments, and the cause. */
#ifndef WT_CLI_LOOK_INFO_CAUSE_H
#define WT_CLI_LOOK_INFO_CAUSE_H

#include "cli/look/describe-cause.h"
#include "replayer/view/stack.h"

/** Print what is known of the cause of a wave's fault. What is not certain is left to `wavetape explain`. */
struct wt_error *wt_info_print_cause(struct wt_explainer *explainer, const struct wt_cause *cause,
				     const struct wt_source_maps *maps);

/** The same, into the object that has the wave. */
struct wt_error *wt_info_cause_into(struct wt_explainer *explainer, const struct wt_cause *cause,
				    const struct wt_source_maps *maps, json_t *json);

/** "called by ...": who called the function where a wave stands. @array: to append to it instead; NULL to print. */
struct wt_error *wt_info_show_callers(struct wt_stacks *stacks, uint64_t wave, json_t *array);

#endif /* WT_CLI_LOOK_INFO_CAUSE_H */
