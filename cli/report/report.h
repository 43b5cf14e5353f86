/* SPDX-License-Identifier: MIT */
/* A report while it is made: the page, the parts of the trace that are in it, and the state at one stop. */
#ifndef WT_CLI_REPORT_REPORT_H
#define WT_CLI_REPORT_REPORT_H

#include "cli/look/describe-cause.h"
#include "cli/report/page.h"
#include "cli/trace.h"
#include "replayer/view/sources.h"

/* A piece of code that is in the page. */
struct wt_report_code {
	uint64_t code_object; /* handle; 0: in none */
	uint64_t from, to;    /* addresses */
	size_t number;	      /* of its block; SIZE_MAX: it did not fit */
};

struct wt_report {
	struct wt_cli_trace *trace;
	const struct wt_source_maps *maps;
	struct wt_report_page page;
	json_t *left_out; /* sentences: what would have been too large */
	struct wt_report_code *codes;
	size_t code_count;
	json_t *shared;	     /* text of blocks that several waves have -> their number */
	uint64_t *registers; /* handles of those that waves in the page have, in ascending order */
	size_t register_count, register_capacity;
};

/** Say that something was left out, because the report would have become too large. */
__attribute__((format(printf, 2, 3))) void wt_report_leave_out(struct wt_report *report,
							       const char *format, ...);

/* How a wave stands; the page has the same numbers. */
enum wt_report_state {
	WT_REPORT_UNKNOWN, /* nothing but its handle is here */
	WT_REPORT_RUNNING,
	WT_REPORT_STOPPED, /* on request */
	WT_REPORT_REASON,  /* for a reason that is no fault: a breakpoint, a single step */
	WT_REPORT_FAULT,
};

struct wt_report_wave {
	uint64_t handle, dispatch;
	uint32_t group[3], number;
	uint64_t address; /* of the instruction that stopped it; 0 if it is not stopped */
	uint64_t code_object;
	enum wt_report_state state;
	size_t place;  /* in the stop's places; SIZE_MAX: none */
	bool is_first; /* of its place */
	bool in_page;  /* with its registers, calls and variables */
};

/* The state at a stop, with what is costly to make. */
struct wt_report_stop {
	uint32_t number; /* as the user counts */
	struct wt_view *view;
	struct wt_view *before; /* of the stop before; NULL if there is none, or it is lost */
	struct wt_explainer *explainer;
	struct wt_stacks *stacks;
	struct wt_sources *sources;
	struct wt_report_wave *waves;
	size_t wave_count;
	json_t *places;	 /* where waves stand, as the page has them */
	json_t *kernels; /* their names, by dispatch */
	json_t *access;	 /* by wave: what the first waves of each place with a fault accessed */
};

/* ---- section-stop.c ---- */

/**
 * Look at a stop of report->trace.
 *
 * @number: as the user counts.
 *
 * Errors: also those that wt_error_is_loss() takes for a loss.
 */
struct wt_error *wt_report_stop_open(struct wt_report *report, uint32_t number,
				     struct wt_report_stop *stop_ret);
void wt_report_stop_close(struct wt_report_stop *stop);

/** Add the map of a stop's waves: as many waves as fit into @room, those with a fault first. @added_ret: is there any? */
struct wt_error *wt_report_add_map(struct wt_report *report, struct wt_report_stop *stop,
				   size_t room, bool *added_ret);

/* ---- section-wave.c ---- */

/** Add registers, calls and variables of a wave, if they fit: wave->in_page says whether. */
struct wt_error *wt_report_add_wave(struct wt_report *report, struct wt_report_stop *stop,
				    struct wt_report_wave *wave, size_t room);

/** Add the names, types and classes of all registers that waves in the page have. Call it when all waves have been added. */
struct wt_error *wt_report_add_registers(struct wt_report *report);

#endif /* WT_CLI_REPORT_REPORT_H */
