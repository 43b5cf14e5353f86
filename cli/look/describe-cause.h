/* SPDX-License-Identifier: MIT */
/* How the cause of a fault is put into words and JSON, the same in every verb. */
#ifndef WT_CLI_LOOK_DESCRIBE_CAUSE_H
#define WT_CLI_LOOK_DESCRIBE_CAUSE_H

#include <argp.h>

#include "cli/describe.h"
#include "replayer/view/explain-cause.h"
#include "replayer/view/explain-lines.h"

/* For the table of options of verbs that show source lines, with this key. */
#define WT_CLI_SOURCE_MAP_KEY 'M'
#define WT_CLI_SOURCE_MAP_OPTION                                                                   \
	{                                                                                          \
		"source-map", WT_CLI_SOURCE_MAP_KEY, "FROM=TO", 0,                                 \
			"show source lines: files whose names begin with FROM are in TO; may be "  \
			"given several times",                                                     \
			0                                                                          \
	}

/** Take the option's argument; ends with a usage error if it is none. */
void wt_cli_take_source_map(struct argp_state *state, struct wt_source_maps *maps,
			    const char *argument);

/** "source       FILE" and the lines around one, if the source is at hand. */
struct wt_error *wt_print_source(const struct wt_view *view, const struct wt_source_maps *maps,
				 const struct wavetape_place *code);

/** The same as "source_lines" of an object; nothing if the source is not at hand. */
struct wt_error *wt_describe_source_json(const struct wt_view *view,
					 const struct wt_source_maps *maps,
					 const struct wavetape_place *code, json_t *json);

/** "failed at    ...": the instruction that is explained, where the wave went on behind it; else nothing. */
/** Whose memory the address is, if that is known. */
void wt_print_cause_memory(const struct wt_cause *cause);

void wt_print_cause_late(const struct wt_cause *cause);

/** "cause        past the end: ...", or that none is certain and why. */
void wt_print_cause_sentence(const struct wt_cause *cause);

/** "arguments    out = 0x..., n = 1000": those of the source, not the compiler's own. Nothing if there are none. */
void wt_print_arguments(const struct wt_explain_arguments *arguments);

/** "near         ...": what the address is near. */
void wt_print_cause_near(const struct wt_cause *cause);

/** The instructions that made the address, the latest first: if not @all, the few that carry a value, without copies of it. */
void wt_print_cause_steps(const struct wt_cause *cause, bool all);

/** Adds to an object that has the wave the rest of the cause: cause, arguments, address, steps. */
void wt_describe_cause_into(const struct wt_cause *cause, bool steps, json_t *json);

#endif /* WT_CLI_LOOK_DESCRIBE_CAUSE_H */
