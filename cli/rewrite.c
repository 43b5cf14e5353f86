/* SPDX-License-Identifier: MIT */
#include "cli/rewrite.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct wt_cli_rewrite *options = state->input;
	uint64_t level;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'o':
		options->output = argument;
		return 0;
	case 'l':
		if (!wt_cli_number(argument, &level) || level < 1 || level > 19)
			argp_error(state, "--level takes 1 to 19, not '%s'", argument);
		options->level = (int)level;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			return ARGP_ERR_UNKNOWN;
		options->path = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->path)
			argp_error(state, "which trace? Name a FILE");
		if (!options->output)
			argp_error(state, "where to? Name a file with --output");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

#define COMMON_OPTIONS                                                                             \
	{"output", 'o', "OUT", 0, "write the new trace to OUT", 0},                                \
	{                                                                                          \
		"json", 'j', NULL, 0, "print JSON", 0                                              \
	}

static const struct argp_option plain_options[] = {COMMON_OPTIONS, {0}};
static const struct argp_option level_options[] = {
	COMMON_OPTIONS,
	{"level", 'l', "N", 0, "zstd level, 1 (fast) to 19 (small, the default)", 0},
	{0},
};

const struct argp wt_cli_rewrite_argp = {.options = plain_options, .parser = parse};
const struct argp wt_cli_rewrite_level_argp = {.options = level_options, .parser = parse};

static void show_progress(void *opaque, uint64_t done, uint64_t total)
{
	wt_progress_update(opaque, "%u%%", total ? (unsigned int)(100 * done / total) : 100);
}

struct wt_error *wt_cli_rewrite(const struct wt_cli_rewrite *options, const char *doing,
				wt_cli_rewriter rewriter, struct wt_reader **reader_ret,
				struct wt_rewrite *rewrite_ret)
{
	struct wt_progress progress = wt_progress_start(doing);
	const struct wt_rewrite_options rewrite_options = {
		.size = sizeof(rewrite_options),
		.compression = options->level,
		.progress = show_progress,
		.opaque = &progress,
	};
	struct wt_error *error = wt_reader_open(options->path, reader_ret);
	size_t told = 0;

	if (!error)
		error = rewriter(*reader_ret, options->output, &rewrite_options, rewrite_ret);
	wt_progress_end(&progress);
	if (*reader_ret)
		wt_cli_damage(*reader_ret, options->path, &told);
	return error;
}
