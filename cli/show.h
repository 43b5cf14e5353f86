/* SPDX-License-Identifier: MIT */
/* What verbs print with --json, for those that show it in other ways. */
#ifndef WT_CLI_SHOW_H
#define WT_CLI_SHOW_H

#include <jansson.h>

#include "cli/trace.h"

struct wt_source_maps;

/** `wavetape info`: trace->stop counts. @maps: where source lines are. */
struct wt_error *wt_cli_info_json(struct wt_cli_trace *trace, struct wt_source_maps *maps,
				  json_t **json_ret);

/** `wavetape stops`. */
struct wt_error *wt_cli_stops_json(struct wt_cli_trace *trace, json_t **json_ret);

#endif /* WT_CLI_SHOW_H */
