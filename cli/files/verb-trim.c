/* SPDX-License-Identifier: MIT */
/* `wavetape trim`: some stops of a trace, as a trace of its own. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/plural.h"
#include "cli/command.h"
#include "cli/files/rewrite-verbs.h"

static struct wt_error *trim_trace(const struct wt_cli_rewrite *asked, struct wt_reader *reader,
				   const struct wt_rewrite_options *options,
				   struct wt_rewrite *rewrite_ret)
{
	return wt_trace_trim(reader, asked->first_stop, asked->last_stop, asked->trace.output,
			     options, rewrite_ret);
}

static json_t *trim_report_json(const struct wt_cli_rewrite *asked,
				const struct wt_rewrite *rewrite)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "first_stop",
			 (json_int_t)asked->first_stop, "last_stop", (json_int_t)asked->last_stop,
			 "moments", (json_int_t)rewrite->moments, "calls",
			 (json_int_t)rewrite->calls, "packets", (json_int_t)rewrite->packets,
			 "old_bytes", (json_int_t)rewrite->old_size, "new_bytes",
			 (json_int_t)rewrite->new_size);
}

static void trim_print(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite)
{
	if (asked->first_stop == asked->last_stop)
		printf("stop %" PRIu32, asked->first_stop);
	else
		printf("stops %" PRIu32 " to %" PRIu32, asked->first_stop, asked->last_stop);
	printf(": %" PRIu64 " %s, %" PRIu64 " %s; ", rewrite->moments,
	       wt_plural(rewrite->moments, "moment", "moments"), rewrite->calls,
	       wt_plural(rewrite->calls, "call", "calls"));
	wt_cli_rewrite_print_sizes(asked, rewrite);
}

int wt_command_trim(int argc, char **argv)
{
	static const struct wt_cli_rewriter rewriter = {
		.doing = "trimming",
		.doc = "Write some stops of a trace to a trace of its own: their states, the calls "
		       "that were made on the way to them and at them, and all that these need. "
		       "OUT never takes more bytes than FILE. A trace of which something is lost "
		       "is refused: recover it first. FILE is never written.",
		.level = true,
		.stops = true,
		.rewrite = trim_trace,
		.json = trim_report_json,
		.print = trim_print,
	};

	return wt_cli_rewrite_run(&rewriter, argc, argv);
}
