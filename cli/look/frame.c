/* SPDX-License-Identifier: MIT */
#include "cli/look/frame.h"

#include <inttypes.h>

#include "cli/arguments.h"
#include "cli/describe.h"
#include "cli/look/describe-cause.h"
#include "cli/output.h"
#include "replayer/view/explain-cause.h"
#include "replayer/view/sources.h"

enum { KEY_LANES = 0x100 };

const struct argp_option wt_cli_frame_options[] = {
	{"frame", 'f', "N", 0,
	 "of frame N as `wavetape backtrace` counts (default 0: where it stopped)", 0},
	{"lane", 'l', "LANE", 0, "in this lane only, which must be active", 0},
	{"lanes", KEY_LANES, NULL, 0, "all different values, however many", 0},
	{"source-map", WT_CLI_SOURCE_MAP_KEY, "FROM=TO", 0,
	 "files of the source whose names begin with FROM are in TO: what the compiler has left "
	 "out of a value is often certain by them; may be given several times",
	 0},
	{0},
};

error_t wt_cli_frame_parse(int key, char *argument, struct argp_state *state)
{
	struct wt_cli_frame *frame = state->input;

	switch (key) {
	case 'f':
		if (!wt_cli_number(argument, &frame->number))
			argp_error(state, "--frame takes a number, not '%s'", argument);
		frame->has_number = true;
		return 0;
	case 'l':
		if (!wt_cli_number(argument, &frame->lane) || frame->lane > 63)
			argp_error(state, "--lane takes 0 to 63, not '%s'", argument);
		frame->has_lane = true;
		return 0;
	case KEY_LANES:
		frame->lanes.each = true;
		return 0;
	case WT_CLI_SOURCE_MAP_KEY:
		wt_cli_take_source_map(state, &frame->maps, argument);
		return 0;
	case ARGP_KEY_END:
		if (frame->has_lane && frame->lanes.each)
			argp_error(state, "--lane and --lanes go not together");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static struct wt_error *choose_lanes(struct wt_cli_frame *frame, const struct wt_cli_trace *trace,
				     const char *action)
{
	uint32_t count;
	uint64_t active = wt_stack_lanes(frame->stack, &count);
	char text[WT_DESCRIBE_MAX];

	frame->lanes.lanes = active;
	if (!frame->has_lane)
		return NULL;
	frame->lanes.lanes = UINT64_C(1) << frame->lane;
	frame->lanes.one = true;
	if (active & frame->lanes.lanes)
		return NULL;
	return wt_error_create(WT_ERROR_NOT_FOUND, action, trace->path,
			       "lane %" PRIu64 " of wave %" PRIu64
			       " is not active here, so its variables are elsewhere; active: %s",
			       frame->lane, trace->wave, wt_describe_lanes(active, text));
}

static struct wt_error *check_frame(const struct wt_cli_frame *frame,
				    const struct wt_cli_trace *trace, const char *action)
{
	if (!frame->stack)
		return wt_error_create(WT_ERROR_NOT_FOUND, action, trace->path,
				       "wave %" PRIu64 " is not stopped at this stop", trace->wave);
	if (frame->number < wt_stack_count(frame->stack))
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, action, trace->path,
			       "there is no frame %" PRIu64 ": wave %" PRIu64
			       " has %zu, counted from 0",
			       frame->number, trace->wave, wt_stack_count(frame->stack));
}

static struct wt_error *find_failed_lanes(struct wt_cli_frame *frame, uint64_t wave)
{
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(frame->view, &explainer);

	if (!error)
		error = wt_explain_failed_lanes(explainer, wave, &frame->lanes.failed);
	wt_explainer_destroy(explainer);
	return error;
}

struct wt_error *wt_cli_frame_open(struct wt_cli_frame *frame, struct wt_cli_trace *trace,
				   const char *action)
{
	struct wt_error *error = wt_cli_trace_view(trace, &frame->view, &frame->stop);

	if (!error)
		error = wt_cli_choose_wave(action, trace, frame->view);
	if (!error)
		error = wt_stacks_create(frame->view, &frame->stacks);
	if (!error)
		error = wt_stack_create(frame->stacks, trace->wave, &frame->stack);
	if (!error)
		error = check_frame(frame, trace, action);
	if (!error)
		error = wt_sources_create_mapped(trace->reader, &frame->maps, &frame->sources);
	if (!error)
		error = wt_stack_use_sources(frame->stack, frame->sources);
	if (!error)
		error = find_failed_lanes(frame, trace->wave);
	return error ? error : choose_lanes(frame, trace, action);
}

void wt_cli_frame_close(struct wt_cli_frame *frame)
{
	wt_sources_destroy(frame->sources);
	wt_stack_destroy(frame->stack);
	wt_stacks_destroy(frame->stacks);
	wt_view_close(frame->view);
}

void wt_cli_put_frame_head(const struct wt_cli_frame *frame, const struct wt_cli_trace *trace)
{
	char text[WT_DESCRIBE_MAX];

	printf("stop %u, wave w%" PRIu64 ", %s %s", frame->stop, trace->wave,
	       frame->lanes.one ? "lane" : "lanes", wt_describe_lanes(frame->lanes.lanes, text));
	if (frame->lanes.failed && !frame->lanes.one)
		printf("; lanes whose access failed: %s",
		       wt_describe_lanes(frame->lanes.failed, text));
	putchar('\n');
	wt_cli_put_frame((size_t)frame->number, wt_stack_frame(frame->stack, frame->number));
}

json_t *wt_cli_frame_head_json(const struct wt_cli_frame *frame, const struct wt_cli_trace *trace)
{
	return json_pack("{s:I, s:o, s:o, s:o}", "wave", (json_int_t)trace->wave, "lanes",
			 wt_describe_lanes_json(frame->lanes.lanes), "failed_lanes",
			 wt_describe_lanes_json(frame->lanes.failed), "frame",
			 wt_cli_frame_json((size_t)frame->number,
					   wt_stack_frame(frame->stack, frame->number)));
}
