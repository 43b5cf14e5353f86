/* SPDX-License-Identifier: MIT */
/* `wavetape trim`: some stops of a trace, as a trace of its own. */
#include <inttypes.h>
#include <string.h>

#include "base/plural.h"
#include "cli/rewrite.h"

struct trim {
	struct wt_cli_rewrite rewrite; /* the first: see as_trim() */
	uint32_t first, last;	       /* 0: not given */
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

static const struct trim *as_trim(const struct wt_cli_rewrite *asked)
{
	return (const struct trim *)asked;
}

static struct wt_error *trim(const struct wt_cli_rewrite *asked, struct wt_reader *reader,
			     const struct wt_rewrite_options *options,
			     struct wt_rewrite *rewrite_ret)
{
	return wt_trace_trim(reader, as_trim(asked)->first, as_trim(asked)->last, asked->output,
			     options, rewrite_ret);
}

static json_t *report_json(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "first_stop",
			 (json_int_t)as_trim(asked)->first, "last_stop",
			 (json_int_t)as_trim(asked)->last, "moments", (json_int_t)rewrite->moments,
			 "calls", (json_int_t)rewrite->calls, "packets",
			 (json_int_t)rewrite->packets, "old_bytes", (json_int_t)rewrite->old_size,
			 "new_bytes", (json_int_t)rewrite->new_size);
}

static void print(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite)
{
	const struct trim *trim = as_trim(asked);

	wt_cli_put(stdout, asked->output);
	if (trim->first == trim->last)
		printf(": stop %" PRIu32, trim->first);
	else
		printf(": stops %" PRIu32 " to %" PRIu32, trim->first, trim->last);
	printf(": %" PRIu64 " %s, %" PRIu64 " %s; ", rewrite->moments,
	       wt_plural(rewrite->moments, "moment", "moments"), rewrite->calls,
	       wt_plural(rewrite->calls, "call", "calls"));
	wt_cli_rewrite_print_sizes(asked, rewrite);
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
	static const struct wt_cli_rewriter rewriter = {"trimming", trim, report_json, print};
	struct trim asked = {0};

	wt_cli_parse(&argp, argc, argv, &asked);
	return wt_cli_rewrite_run(&asked.rewrite, &rewriter);
}
