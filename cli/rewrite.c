/* SPDX-License-Identifier: MIT */
#include "cli/rewrite.h"

#include <inttypes.h>

#include "base/plural.h"
#include "cli/output-file.h"
#include "cli/progress.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct wt_cli_rewrite *asked = state->input;
	uint64_t level;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &asked->trace;
		return 0;
	case 'o':
		if (!*argument)
			argp_error(state, "where to? --output is an empty name");
		asked->output = argument;
		return 0;
	case 'l':
		if (!wt_cli_number(argument, &level) || level < 1 || level > 19)
			argp_error(state, "--level takes 1 to 19, not '%s'", argument);
		asked->level = (int)level;
		return 0;
	case ARGP_KEY_END:
		if (!asked->output)
			argp_error(state, "where to? Name a file with --output");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

#define OUTPUT_OPTION                                                                              \
	{                                                                                          \
		"output", 'o', "OUT", 0,                                                           \
			"write the new trace to OUT, in place of a file that is there. A link "    \
			"is replaced, not followed; one to a device, pipe or directory is "        \
			"refused",                                                                 \
			0                                                                          \
	}

static const struct argp_child children[] = {{&wt_cli_trace_plain_argp, 0, NULL, 0}, {0}};
static const struct argp_option plain_options[] = {OUTPUT_OPTION, {0}};
static const struct argp_option level_options[] = {
	OUTPUT_OPTION,
	{"level", 'l', "N", 0, "zstd level, 1 (fast) to 19 (small, the default)", 0},
	{0},
};

const struct argp wt_cli_rewrite_argp = {
	.options = plain_options, .parser = parse, .children = children};
const struct argp wt_cli_rewrite_level_argp = {
	.options = level_options, .parser = parse, .children = children};

static void show_progress(void *opaque, uint64_t done, uint64_t total)
{
	wt_progress_update(opaque, "%u%%", total ? (unsigned int)(100 * done / total) : 100);
}

/* Whoever ends the command finds what was there before, and nothing beside it. */
static void tell_making(void *opaque, const char *path)
{
	(void)opaque;
	wt_cli_unfinished(path);
}

static struct wt_error *open_and_rewrite(const struct wt_cli_rewrite *asked,
					 const struct wt_cli_rewriter *rewriter,
					 const struct wt_rewrite_options *options,
					 struct wt_reader **reader_ret,
					 struct wt_rewrite *rewrite_ret)
{
	struct wt_error *error;

	*reader_ret = NULL;
	error = wt_reader_open(asked->trace.path, reader_ret);
	return error ? error : rewriter->rewrite(asked, *reader_ret, options, rewrite_ret);
}

static struct wt_error *rewrite_trace(const struct wt_cli_rewrite *asked,
				      const struct wt_cli_rewriter *rewriter,
				      struct wt_reader **reader_ret, struct wt_rewrite *rewrite_ret)
{
	struct wt_progress progress = wt_progress_start(rewriter->doing);
	const struct wt_rewrite_options options = {
		.size = sizeof(options),
		.compression = asked->level,
		.progress = show_progress,
		.opaque = &progress,
		.making = tell_making,
	};
	struct wt_error *error =
		open_and_rewrite(asked, rewriter, &options, reader_ret, rewrite_ret);
	size_t told = 0;

	/* Of a trace that is being recorded what is there by now. */
	if (error && *reader_ret && wt_reader_is_outdated(*reader_ret)) {
		wt_error_destroy(error);
		wt_reader_close(*reader_ret);
		error = open_and_rewrite(asked, rewriter, &options, reader_ret, rewrite_ret);
	}
	wt_progress_end(&progress);
	if (*reader_ret)
		wt_cli_damage(*reader_ret, asked->trace.path, &told);
	return error;
}

int wt_cli_rewrite_run(const struct wt_cli_rewrite *asked, const struct wt_cli_rewriter *rewriter)
{
	struct wt_reader *reader = NULL;
	struct wt_rewrite rewrite = {0};
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	error = rewrite_trace(asked, rewriter, &reader, &rewrite);
	if (error)
		code = wt_cli_fail(error);
	else if (asked->trace.json)
		code = wt_cli_json(rewriter->json(asked, &rewrite));
	else
		rewriter->print(asked, &rewrite);
	wt_reader_close(reader);
	return code == WT_EXIT_FINE && rewrite.check.loss ? WT_EXIT_PARTIAL : code;
}

void wt_cli_rewrite_print_sizes(const struct wt_cli_rewrite *asked,
				const struct wt_rewrite *rewrite)
{
	printf("%" PRIu64 " %s, %.1f%% of the %" PRIu64 " of ", rewrite->new_size,
	       wt_plural(rewrite->new_size, "byte", "bytes"),
	       100.0 * (double)rewrite->new_size / (double)rewrite->old_size, rewrite->old_size);
	wt_cli_put(stdout, asked->trace.path);
	putchar('\n');
}
