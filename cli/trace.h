/* SPDX-License-Identifier: MIT */
/* The trace that a verb reads: opening it, finding its stops, and saying what of it is damaged. */
#ifndef WT_CLI_TRACE_H
#define WT_CLI_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"
#include "cli/progress.h"
#include "replayer/view/stops.h"
#include "replayer/view/view.h"
#include "trace-format/reader/reader.h"

struct wt_cli_trace {
	/* The command line says these: see arguments.h. */
	const char *path;   /* FILE */
	const char *output; /* --output; NULL without it */
	bool json, has_stop;
	uint32_t stop;	     /* --stop: as the user counts, from 1 */
	uint64_t wave;	     /* --wave; 0 without it */
	const char *verb;    /* NULL where the command line was read by others */
	bool hides_progress; /* the verb takes the progress line away before it prints text */
	bool streams_json;   /* the verb prints its JSON itself, while it reads */
	/* Filled in while the trace is read: */
	struct wt_progress progress;
	uint32_t viewed; /* the stop that wt_cli_trace_view() opened, as the user counts; 0: none */
	struct wt_reader *reader;
	size_t damage_told; /* how much of the damage was printed */
	struct wt_stops stops;
	struct {
		uint32_t
			list; /* number of the name of the function that lists a wave's registers */
		bool values;
	} needed;
};

/**
 * Show something of a trace: as text on stdout, or, if trace->json, as an object, of which the file and the stop that is viewed need not say more.
 *
 * @options: of the verb. @json_ret: the object; nothing if trace->streams_json.
 */
typedef struct wt_error *(*wt_cli_show)(struct wt_cli_trace *trace, void *options,
					json_t **json_ret);

/** Open trace->path, and print what is found to be damaged so far. wt_cli_trace_close() also if this fails. */
struct wt_error *wt_cli_trace_open(struct wt_cli_trace *trace);

/** Read a trace that somebody else has opened. */
void wt_cli_trace_use(struct wt_cli_trace *trace, struct wt_reader *reader);

/**
 * Print the damage that was found since, and close. Legal on a trace that was not opened.
 *
 * @return: is it damaged, or did its recording end early? The latter is printed only if @code is WT_EXIT_FINE.
 */
bool wt_cli_trace_close(struct wt_cli_trace *trace, int code);

/** Open the trace, show, close. The exit code; WT_EXIT_PARTIAL for a trace that is damaged or ended early. */
int wt_cli_trace_run(struct wt_cli_trace *trace, wt_cli_show show, void *options);

/**
 * Open the state at the stop that --stop names; without --stop, at the last one with a fault, else at the last one.
 *
 * @stop_ret: its number as the user counts.
 */
struct wt_error *wt_cli_trace_view(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret);

/**
 * Leave the lists of waves' registers out of the states that are opened from now on, and their values, too, unless @values.
 * @trace must stay where it is.
 */
void wt_cli_trace_need_no_registers(struct wt_cli_trace *trace, bool values);

/** The error for a --wave that is not there at the stop. @action: "cannot show registers". */
struct wt_error *wt_cli_no_wave(const char *action, const struct wt_cli_trace *trace);

/**
 * Without --wave, take the first wave with a fault, else the first one whose registers were recorded; with it, look whether it
 * is there.
 */
struct wt_error *wt_cli_choose_wave(const char *action, struct wt_cli_trace *trace,
				    struct wt_view *view);

/* The text for --wave of verbs that look at one wave. */
#define WT_CLI_WAVE_HELP                                                                           \
	"of this wave (a number, or w and a number); without it, of the first with a fault"

/* ---- Damage ---- */

/**
 * Print the damage found since the last call to stderr: some of it is only found when its chunk is read.
 *
 * @told: how much was printed so far, 0 at first.
 */
void wt_cli_damage(const struct wt_reader *reader, const char *path, size_t *told);

/** Did the recording end before the session was over? Then this says so on stderr, with the reason. */
bool wt_cli_cut(const struct wt_reader *reader, const char *path);

#endif /* WT_CLI_TRACE_H */
