/* SPDX-License-Identifier: MIT */
/* `recover`, `repack` and `trim`: read a trace, write another one, report. */
#ifndef WT_CLI_FILES_REWRITE_VERBS_H
#define WT_CLI_FILES_REWRITE_VERBS_H

#include "cli/arguments.h"
#include "trace-format/rewrite/rewrite.h"

/* The command line of such a verb. */
struct wt_cli_rewrite {
	struct wt_cli_trace trace;	/* FILE, --json and --output */
	int level;			/* --level; 0 without it */
	uint32_t first_stop, last_stop; /* --stops; 0 without it */
};

/* A verb. */
struct wt_cli_rewriter {
	const char *doing; /* for the progress line: "recovering" */
	const char *doc;
	bool level, stops; /* it has --level; it has --stops, and needs it */
	struct wt_error *(*rewrite)(const struct wt_cli_rewrite *asked, struct wt_reader *reader,
				    const struct wt_rewrite_options *options,
				    struct wt_rewrite *rewrite_ret);
	json_t *(*json)(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite);
	/* The line of the report, behind "OUT: " and without its end. */
	void (*print)(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite);
};

/**
 * Run the verb: parse the command line, rewrite with a progress line, report. Damage is printed to stderr.
 *
 * @return: the exit code; WT_EXIT_PARTIAL if something of the trace is lost.
 */
int wt_cli_rewrite_run(const struct wt_cli_rewriter *rewriter, int argc, char **argv);

/** Print "N bytes, 12.3% of the M of FILE". */
void wt_cli_rewrite_print_sizes(const struct wt_cli_rewrite *asked,
				const struct wt_rewrite *rewrite);

#endif /* WT_CLI_FILES_REWRITE_VERBS_H */
