/* SPDX-License-Identifier: MIT */
/* The frame and the lanes that a verb looks at: --frame, --lane and --lanes; and where its source is: --source-map. */
#ifndef WT_CLI_LOOK_FRAME_H
#define WT_CLI_LOOK_FRAME_H

#include <argp.h>
#include <jansson.h>

#include "cli/look/variable-value.h"
#include "cli/trace.h"
#include "replayer/view/explain-lines.h"

struct wt_cli_frame {
	/* The command line says these. */
	uint64_t number;
	bool has_number; /* else it is the innermost */
	uint64_t lane;
	bool has_lane;
	struct wt_cli_lanes lanes;
	struct wt_source_maps maps;
	/* Found by them: */
	uint32_t stop;
	struct wt_view *view;
	struct wt_stacks *stacks;
	struct wt_sources *sources;
	struct wt_stack *stack;
};

/* For a verb whose input begins with a struct wt_cli_frame. */
extern const struct argp_option wt_cli_frame_options[];
error_t wt_cli_frame_parse(int key, char *argument, struct argp_state *state);

/** Open the stop, choose the wave, and follow its calls. wt_cli_frame_close() also if this fails. */
struct wt_error *wt_cli_frame_open(struct wt_cli_frame *frame, struct wt_cli_trace *trace,
				   const char *action);
void wt_cli_frame_close(struct wt_cli_frame *frame);

/** A line that says which wave, lanes and frame are shown. */
void wt_cli_put_frame_head(const struct wt_cli_frame *frame, const struct wt_cli_trace *trace);

/** {"stop": .., "wave": .., "lanes": the active ones, "failed_lanes": those whose access failed, "frame": {...}} */
json_t *wt_cli_frame_head_json(const struct wt_cli_frame *frame, const struct wt_cli_trace *trace);

#endif /* WT_CLI_LOOK_FRAME_H */
