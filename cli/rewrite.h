/* SPDX-License-Identifier: MIT */
/* What `recover`, `repack` and `trim` share: a trace in, another one out, and a report. */
#ifndef WT_CLI_REWRITE_H
#define WT_CLI_REWRITE_H

#include "cli/command.h"
#include "trace-format/rewrite/rewrite.h"

/* What was asked for; a verb with options of its own has it as the first member. */
struct wt_cli_rewrite {
	struct wt_cli_trace trace;
	const char *output;
	int level; /* 0: not given */
};

/* FILE, --output, --json; and the same with --level. Their input is a struct wt_cli_rewrite. */
extern const struct argp wt_cli_rewrite_argp;
extern const struct argp wt_cli_rewrite_level_argp;

/* A verb. */
struct wt_cli_rewriter {
	const char *doing; /* for the progress line: "recovering" */
	struct wt_error *(*rewrite)(const struct wt_cli_rewrite *asked, struct wt_reader *reader,
				    const struct wt_rewrite_options *options,
				    struct wt_rewrite *rewrite_ret);
	json_t *(*json)(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite);
	void (*print)(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite);
};

/**
 * Rewrite with a progress line, and report. What is damaged is printed to stderr.
 *
 * @return: the exit code; WT_EXIT_PARTIAL if something was lost.
 */
int wt_cli_rewrite_run(const struct wt_cli_rewrite *asked, const struct wt_cli_rewriter *rewriter);

/** "N bytes, 12.3% of the M of FILE", and the end of the line. */
void wt_cli_rewrite_print_sizes(const struct wt_cli_rewrite *asked,
				const struct wt_rewrite *rewrite);

#endif /* WT_CLI_REWRITE_H */
