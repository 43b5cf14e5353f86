/* SPDX-License-Identifier: MIT */
/* Parts of verbs that others show in other ways, as JSON and as text. */
#ifndef WT_CLI_LOOK_SHOW_H
#define WT_CLI_LOOK_SHOW_H

#include <jansson.h>

#include "cli/trace.h"
#include "replayer/view/explain.h"
#include "replayer/view/stack.h"
#include "replayer/way/way.h"
#include "trace-format/reader/reader.h"

struct wt_missing;
struct wt_source_maps;

/** `wavetape info`: trace->stop counts. @maps: where source lines are. */
struct wt_error *wt_cli_info_json(struct wt_cli_trace *trace, struct wt_source_maps *maps,
				  json_t **json_ret);

/** File, recorder, command and timeline of `wavetape info` as JSON. @unknown, @stops: how many; NULL before the trace is read, which leaves them out. */
json_t *wt_info_head_json(const char *path, const struct wt_trace_info *info,
			  const struct wt_missing *unknown, const uint32_t *stops);

/** The list of `wavetape stops`. */
struct wt_error *wt_cli_stops_json(struct wt_cli_trace *trace, json_t **json_ret);

/** `wavetape info` as text on stdout. */
struct wt_error *wt_cli_info_print(struct wt_cli_trace *trace, const struct wt_source_maps *maps);

/** `wavetape explain` of a wave, the same. @stop: its number as users count. */
struct wt_error *wt_cli_explain_print(struct wt_explainer *explainer, uint64_t wave, uint32_t stop,
				      const struct wt_source_maps *maps);

/**
 * `wavetape locals` of a frame in its active lanes, the same.
 *
 * @number: of the frame, below wt_stack_count().
 * @each: all different values, however many.
 */
struct wt_error *wt_cli_locals_print(struct wt_stack *stack, size_t number, bool each);

/**
 * `wavetape print` of an expression in a frame, in its active lanes, the same.
 *
 * @number: of the frame, below wt_stack_count().
 * @each: all different values, however many.
 * Returns an error where the expression is wrong, or has no type here.
 */
struct wt_error *wt_cli_expression_print(struct wt_stack *stack, size_t number,
					 const char *expression, bool each);

/** The name of the register of a touch that is so many words behind its first. */
void wt_cli_way_word(const struct wt_way_touch *touch, uint32_t word, char name_ret[24]);

/** "v3 = 0x2a", "v3 = 0x2a?" of one that may be, "v3 = ?": a value as text. */
#define WT_CLI_WAY_VALUE 48
const char *wt_cli_way_value(const struct wt_way_value *value, char text_ret[WT_CLI_WAY_VALUE]);

struct wt_journal_printer;

/** `wavetape journal`, piece by piece. Begin at its start; the trace must outlive the printer. */
struct wt_error *wt_journal_printer_create(struct wt_cli_trace *trace,
					   struct wt_journal_printer **printer_ret);
void wt_journal_printer_destroy(struct wt_journal_printer *printer); /* NULL is legal */

/* Some records of the journal that can be printed without those before them. */
struct wt_journal_part {
	struct wt_journal_position position;
	size_t records, lines;
	uint64_t call; /* number of the first call in it; 0: there is none */
};

/**
 * Pass over at least so many records without printing them, and say what they are; far more only where a call does not end.
 *
 * @part_ret: its lines are those that will be printed, but for packets that turn out to be lost.
 * @ended_ret: was that the end?
 */
struct wt_error *wt_journal_printer_pass(struct wt_journal_printer *printer, size_t records,
					 struct wt_journal_part *part_ret, bool *ended_ret);

/** Print such a part, wherever the printer is. */
struct wt_error *wt_journal_printer_print_part(struct wt_journal_printer *printer,
					       const struct wt_journal_part *part);

#endif /* WT_CLI_LOOK_SHOW_H */
