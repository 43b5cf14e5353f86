/* SPDX-License-Identifier: MIT */
/* How the cause of a fault is put into words and JSON, the same in every verb. */
#ifndef WT_CLI_DESCRIBE_CAUSE_H
#define WT_CLI_DESCRIBE_CAUSE_H

#include "cli/describe.h"
#include "replayer/view/explain-cause.h"

/** "cause        past the end: ...", or that none is certain and why. */
void wt_print_cause_sentence(const struct wt_cause *cause);

/** "arguments    out = 0x..., n = 1000": those of the source, not the compiler's own. Nothing if there are none. */
void wt_print_arguments(const struct wt_explain_arguments *arguments);

/** "near         ...": what the address is near. */
void wt_print_cause_near(const struct wt_cause *cause);

/** The instructions that made the address, the latest first, a line each. */
void wt_print_cause_steps(const struct wt_cause *cause);

json_t *wt_describe_arguments_json(const struct wt_explain_arguments *arguments);
json_t *wt_describe_cause_json(const struct wt_cause *cause);

#endif /* WT_CLI_DESCRIBE_CAUSE_H */
