/* SPDX-License-Identifier: MIT */
/* Structures and functions that the files of this room share. */
#ifndef WT_REPLAYER_WAY_INTERNAL_H
#define WT_REPLAYER_WAY_INTERNAL_H

#include "replayer/analysis/track.h"
#include "replayer/view/explain-cause-internal.h"
#include "replayer/view/wave-machine.h"
#include "replayer/way/way.h"

/* The source line of an instruction: found once for each. */
struct wt_way_line {
	uint64_t pc;
	const char *file; /* NULL: not known */
	uint32_t line;
	bool used;
	/* The functions around it, as wt_source_functions() has them. */
	struct wt_source_function *functions;
	size_t function_count;
};

struct wt_way {
	struct wt_explainer *explainer;
	struct wt_view *view;
	uint64_t wave;
	struct wt_way_options options;
	struct wt_followed *followed;
	struct wt_analysis_input input; /* of the followed wave, and what the way adds */
	bool alone;			/* no other wave can have written memory */
	/* The stop that the way begins at; NULL: the launch. */
	struct wt_view *earlier;
	struct wt_explainer *earlier_explainer;
	struct wt_followed *first;
	struct wt_analysis_start start;
	/* How the wave was executed; NULL if no way was found. */
	struct wt_track *track;
	struct wt_way_summary summary;
	char *why_not;
	uint64_t position;
	size_t hidden; /* of the functions that are inlined there: one stands at the call of the outermost of these */
	struct wt_stacks *stacks;
	struct wt_machine_state state;
	struct wt_way_line *lines; /* a table with open addresses */
	size_t line_count, line_capacity;
};

/* The place of a register. */
struct wt_way_register_place {
	enum gfx_register_file file;
	uint32_t number;
	uint32_t words;
	bool is_pc, is_mode;
};

/** Find a register by its name; false if the wave has none such that is followed. */
bool wt_way_register_find(const struct wt_way *way, const char *name,
			  struct wt_way_register_place *place_ret);

/** The name of a scalar register by its operand code. */
void wt_way_scalar_name(const struct wt_way *way, uint32_t code, char name_ret[16]);

/** Does the way stand at the stop, so that all is as it was recorded? */
static inline bool wt_way_is_at_end(const struct wt_way *way)
{
	return way->position == way->summary.steps;
}

/** The line of an instruction; its file is NULL if that is not known. Its functions belong to the way. */
struct wt_error *wt_way_line_of(struct wt_way *way, uint64_t pc, struct wt_way_line *line_ret);

/** The code of an instruction, wherever the way stands; NULL if it is not known. Good until the next call. */
const struct wt_rerun_code *wt_way_code(struct wt_way *way, uint64_t pc);

/** The pc at a position; false if that cannot be visited. */
bool wt_way_pc_at(const struct wt_way *way, uint64_t position, uint64_t *pc_ret);

/** How the calls change by the step from a position: 1 by a call, -1 by its return, else 0. */
int wt_way_depth_change(struct wt_way *way, uint64_t position);

/** Let `go_on` know of work that is none of following. False to give up. */
bool wt_way_goes_on(const struct wt_way *way, uint64_t instructions);

/** Set up the state that calls and variables are found by. */
void wt_way_state_init(struct wt_way *way);

#endif /* WT_REPLAYER_WAY_INTERNAL_H */
