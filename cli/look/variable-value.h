/* SPDX-License-Identifier: MIT */
/* Values of variables, and where frames are, as text and JSON: the same in every verb. */
#ifndef WT_CLI_LOOK_VARIABLE_VALUE_H
#define WT_CLI_LOOK_VARIABLE_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/view/stack.h"

/* Shows a value of a lane into a sink. */
typedef void (*wt_cli_show_lane)(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink);

/* Lanes whose values are shown, and how many different ones. */
struct wt_cli_lanes {
	uint64_t lanes;
	uint64_t failed; /* those whose access failed are shown first */
	bool each;	 /* all of them, however many differ */
	bool one;	 /* a single lane was asked for: lanes go without saying */
};

/* The different values that something has, as text, each with its lanes: those of lanes that failed first. */
struct wt_cli_values {
	struct wt_cli_value {
		char *text;
		uint64_t lanes;
	} of[64];
	size_t count;
};

/** Find them. @values_ret: for the caller to wt_cli_values_deinit(). */
struct wt_error *wt_cli_values_find(const struct wt_cli_lanes *lanes, wt_cli_show_lane show,
				    void *opaque, struct wt_cli_values *values_ret);
void wt_cli_values_deinit(struct wt_cli_values *values);

/**
 * Print the value that something has in each of the lanes: one line if all agree, else one for each of the different values, with
 * the lanes that have it.
 *
 * @head: what comes first, already in a form for terminals: "int i".
 */
struct wt_error *wt_cli_put_values(const char *head, const struct wt_cli_lanes *lanes,
				   wt_cli_show_lane show, void *opaque);

/** The same as JSON: [{"lanes": [0, 1, 7], "value": ...}, ...]; "unknown" in place of "value" says why there is none. */
json_t *wt_cli_values_json(const struct wt_cli_lanes *lanes, wt_cli_show_lane show, void *opaque);

/** "#1 helper (inlined) at k.c:6:3" with a line end. */
void wt_cli_put_frame(size_t number, const struct wt_stack_frame *frame);
json_t *wt_cli_frame_json(size_t number, const struct wt_stack_frame *frame);

#endif /* WT_CLI_LOOK_VARIABLE_VALUE_H */
