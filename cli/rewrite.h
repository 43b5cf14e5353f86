/* SPDX-License-Identifier: MIT */
/* What `recover` and `repack` share: a trace in, another one out. */
#ifndef WT_CLI_REWRITE_H
#define WT_CLI_REWRITE_H

#include "cli/command.h"
#include "cli/progress.h"
#include "trace-format/rewrite.h"

struct wt_cli_rewrite {
	const char *path, *output;
	bool json;
	int level; /* 0: not given */
};

/* FILE, --output, --json; and the same with --level. Their input is a struct wt_cli_rewrite. */
extern const struct argp wt_cli_rewrite_argp;
extern const struct argp wt_cli_rewrite_level_argp;

typedef struct wt_error *(*wt_cli_rewriter)(struct wt_reader *reader, const char *path,
					    const struct wt_rewrite_options *options,
					    struct wt_rewrite *rewrite_ret);

/**
 * Rewrite with a progress line. What is damaged is printed to stderr. The caller closes the reader,
 * which may be NULL after an error.
 */
struct wt_error *wt_cli_rewrite(const struct wt_cli_rewrite *options, const char *doing,
				wt_cli_rewriter rewriter, struct wt_reader **reader_ret,
				struct wt_rewrite *rewrite_ret);

#endif /* WT_CLI_REWRITE_H */
