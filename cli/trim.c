/* SPDX-License-Identifier: MIT */
/* `wavetape trim`: some stops of a trace, as a trace of its own. */
#include <inttypes.h>
#include <string.h>

#include "cli/rewrite.h"

struct trim {
	struct wt_cli_rewrite rewrite;
	uint32_t first, last; /* 0: not given */
};

/* "N" or "A..B". */
static bool parse_range(char *text, struct trim *trim)
{
	char *dots = strstr(text, "..");
	uint64_t first, last;

	if (dots)
		*dots = '\0';
	if (!wt_cli_number(text, &first) || !wt_cli_number(dots ? dots + 2 : text, &last) ||
	    !first || first > last || last > UINT32_MAX)
		return false;
	trim->first = (uint32_t)first;
	trim->last = (uint32_t)last;
	return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct trim *trim = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &trim->rewrite;
		return 0;
	case 's':
		if (!parse_range(argument, trim))
			argp_error(state, "--stops takes A..B or N, numbers from 1 as `wavetape "
					  "stops` lists them, the smaller one first");
		return 0;
	case ARGP_KEY_END:
		if (!trim->first)
			argp_error(state, "which stops? Name them with --stops A..B");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The rewriter has no room for a range: there is one trim in a command. */
static const struct trim *asked;

static struct wt_error *trim_trace(struct wt_reader *reader, const char *path,
				   const struct wt_rewrite_options *options,
				   struct wt_rewrite *rewrite_ret)
{
	return wt_trace_trim(reader, asked->first, asked->last, path, options, rewrite_ret);
}

static int print_json(const struct trim *trim, const struct wt_rewrite *rewrite)
{
	return wt_cli_json(json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "first_stop", (json_int_t)trim->first,
		"last_stop", (json_int_t)trim->last, "moments", (json_int_t)rewrite->moments,
		"calls", (json_int_t)rewrite->calls, "packets", (json_int_t)rewrite->packets,
		"old_bytes", (json_int_t)rewrite->old_size, "new_bytes",
		(json_int_t)rewrite->new_size));
}

static void print_result(const struct trim *trim, const struct wt_rewrite *rewrite)
{
	printf("%s: stops %" PRIu32 " to %" PRIu32 ": %" PRIu64 " moments, %" PRIu64
	       " calls; %" PRIu64 " bytes, %.1f%% of the %" PRIu64 " of %s\n",
	       trim->rewrite.output, trim->first, trim->last, rewrite->moments, rewrite->calls,
	       rewrite->new_size, 100.0 * (double)rewrite->new_size / (double)rewrite->old_size,
	       rewrite->old_size, trim->rewrite.path);
}

int wt_command_trim(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"stops", 's', "A..B", 0,
		 "keep stops A to B (or one stop, N), as `wavetape stops` lists them", 0},
		{0},
	};
	static const struct argp_child children[] = {{&wt_cli_rewrite_level_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE -o OUT",
		.doc = "Write some stops of a trace to a trace of its own: their states, the calls "
		       "that were made on the way to them and at them, and all that these need. "
		       "OUT never takes more bytes than FILE. A trace of which something is lost "
		       "is "
		       "refused: recover it first. FILE is never written.",
		.children = children,
	};
	struct trim trim = {0};
	struct wt_reader *reader = NULL;
	struct wt_rewrite rewrite;
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	wt_cli_parse(&argp, argc, argv, &trim);
	asked = &trim;
	error = wt_cli_rewrite(&trim.rewrite, "trimming", trim_trace, &reader, &rewrite);
	if (error)
		code = wt_cli_fail(error);
	else if (trim.rewrite.json)
		code = print_json(&trim, &rewrite);
	else
		print_result(&trim, &rewrite);
	wt_reader_close(reader);
	return code;
}
