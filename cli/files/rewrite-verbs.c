/* SPDX-License-Identifier: MIT */
#include "cli/files/rewrite-verbs.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/command.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/progress.h"

/* ---- The command line ---- */

/* The options of the verb's own table are parsed into this. */
struct parsing {
	const struct wt_cli_rewriter *rewriter;
	struct wt_cli_rewrite asked;
};

/* "N" or "A..B". */
static bool rewrite_parse_stops(const char *text, struct wt_cli_rewrite *asked)
{
	const char *dots = strstr(text, "..");
	wt_cleanup_free char *begin = strndup(text, dots ? (size_t)(dots - text) : strlen(text));
	uint64_t first, last;

	if (!begin || !wt_cli_number(begin, &first) ||
	    !wt_cli_number(dots ? dots + 2 : text, &last) || !first || first > last ||
	    last > UINT32_MAX)
		return false;
	asked->first_stop = (uint32_t)first;
	asked->last_stop = (uint32_t)last;
	return true;
}

static error_t rewrite_parse(int key, char *argument, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct wt_cli_rewrite *asked = &parsing->asked;
	uint64_t level;

	switch (key) {
	case 'l':
		if (!wt_cli_number(argument, &level) || level < 1 || level > 19)
			argp_error(state, "--level takes 1 to 19, not '%s'", argument);
		asked->level = (int)level;
		return 0;
	case 's':
		if (!rewrite_parse_stops(argument, asked))
			argp_error(state,
				   "--stops takes A..B or N, numbers from 1 as `wavetape stops` "
				   "lists them, the smaller one first, not '%s'",
				   argument);
		return 0;
	case ARGP_KEY_END:
		if (!asked->trace.output)
			argp_error(state, "where to? Name a file with --output");
		if (parsing->rewriter->stops && !asked->first_stop)
			argp_error(state, "which stops? Name them with --stops A..B");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void rewrite_parse_command_line(struct parsing *parsing, int argc, char **argv)
{
	struct argp_option options[3] = {0}, *next = options;
	const struct wt_cli_verb verb = {
		.arguments = "FILE -o OUT",
		.doc = parsing->rewriter->doc,
		.output = "write the new trace to OUT, in place of a file that is there. A link "
			  "is replaced, not followed; one to a device, pipe or directory is "
			  "refused",
		/* An empty table is left out: argp never frees what it makes of one for --help. */
		.own = {.options = parsing->rewriter->level || parsing->rewriter->stops ? options
											: NULL,
			.parser = rewrite_parse},
	};

	if (parsing->rewriter->level)
		*next++ = (struct argp_option){
			"level", 'l', "N", 0, "zstd level, 1 (fast) to 19 (small, the default)", 0};
	if (parsing->rewriter->stops)
		*next++ = (struct argp_option){
			"stops",
			's',
			"A..B",
			0,
			"keep stops A to B (or one stop, N), as `wavetape stops` lists them",
			0};
	wt_cli_verb_parse(&verb, argc, argv, &parsing->asked.trace, parsing);
}

/* ---- Rewriting ---- */

/* If a signal ends the command, the unfinished file goes. */
static void rewrite_note_unfinished(void *opaque, const char *path)
{
	(void)opaque;
	wt_cli_unfinished(path);
}

static struct wt_error *rewrite_open_and_run(const struct wt_cli_rewrite *asked,
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
		.progress = wt_progress_percent,
		.opaque = &progress,
		.making = rewrite_note_unfinished,
	};
	struct wt_error *error =
		wt_cli_check_directory("cannot write the trace", asked->trace.output);
	size_t told = 0;

	if (error)
		return error;
	error = rewrite_open_and_run(asked, rewriter, &options, reader_ret, rewrite_ret);

	/* The trace is still being recorded and has changed: take what is there now. */
	if (error && *reader_ret && wt_reader_is_outdated(*reader_ret)) {
		wt_error_destroy(error);
		wt_reader_close(*reader_ret);
		error = rewrite_open_and_run(asked, rewriter, &options, reader_ret, rewrite_ret);
	}
	wt_progress_end(&progress);
	if (*reader_ret)
		wt_cli_damage(*reader_ret, asked->trace.path, &told);
	return error;
}

static void rewrite_print_report(const struct wt_cli_rewriter *rewriter,
				 const struct wt_cli_rewrite *asked,
				 const struct wt_rewrite *rewrite)
{
	wt_cli_put(stdout, asked->trace.output);
	printf(": ");
	rewriter->print(asked, rewrite);
	putchar('\n');
}

int wt_cli_rewrite_run(const struct wt_cli_rewriter *rewriter, int argc, char **argv)
{
	struct parsing parsing = {.rewriter = rewriter};
	const struct wt_cli_rewrite *asked = &parsing.asked;
	struct wt_reader *reader = NULL;
	struct wt_rewrite rewrite = {0};
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	rewrite_parse_command_line(&parsing, argc, argv);
	error = rewrite_trace(asked, rewriter, &reader, &rewrite);
	if (error)
		code = wt_cli_fail(error);
	else if (asked->trace.json)
		code = wt_cli_json(asked->trace.path, 0, rewriter->json(asked, &rewrite));
	else
		rewrite_print_report(rewriter, asked, &rewrite);
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
}
