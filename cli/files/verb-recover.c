/* SPDX-License-Identifier: MIT */
/* `wavetape recover`: what is left of a damaged trace, as a trace that opens clean. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/plural.h"
#include "cli/command.h"
#include "cli/files/rewrite-verbs.h"

static struct wt_error *recover_trace(const struct wt_cli_rewrite *asked, struct wt_reader *reader,
				      const struct wt_rewrite_options *options,
				      struct wt_rewrite *rewrite_ret)
{
	return wt_trace_recover(reader, asked->trace.output, options, rewrite_ret);
}

static json_t *recover_report_json(const struct wt_cli_rewrite *asked,
				   const struct wt_rewrite *rewrite)
{
	const struct wt_check *check = &rewrite->check;

	(void)asked;
	return json_pack("{s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "loss", check->loss,
			 "packets_unchanged", rewrite->as_it_was, "packets",
			 (json_int_t)rewrite->packets, "moments", (json_int_t)rewrite->moments,
			 "moments_lost", (json_int_t)check->moments.lost, "calls",
			 (json_int_t)rewrite->calls, "calls_lost", (json_int_t)check->calls.lost,
			 "old_bytes", (json_int_t)rewrite->old_size, "new_bytes",
			 (json_int_t)rewrite->new_size);
}

static void recover_print_count(const char *what, uint64_t kept, uint64_t lost)
{
	printf("%" PRIu64 " %s kept", kept, what);
	if (lost)
		printf(", %" PRIu64 " lost", lost);
}

static void recover_print(const struct wt_cli_rewrite *asked, const struct wt_rewrite *rewrite)
{
	(void)asked;
	recover_print_count(wt_plural(rewrite->moments, "moment", "moments"), rewrite->moments,
			    rewrite->check.moments.lost);
	printf("; ");
	recover_print_count(wt_plural(rewrite->calls, "call", "calls"), rewrite->calls,
			    rewrite->check.calls.lost);
}

int wt_command_recover(int argc, char **argv)
{
	static const struct wt_cli_rewriter rewriter = {
		.doing = "recovering",
		.doc = "Write what is whole in a trace to a new one that opens clean: every stop "
		       "whose state can be rebuilt, and the journal without what is lost. What "
		       "was lost is printed, and is noted in OUT. The exit code is 3 if something "
		       "was lost, 0 if nothing was. FILE is never written.",
		.rewrite = recover_trace,
		.json = recover_report_json,
		.print = recover_print,
	};

	return wt_cli_rewrite_run(&rewriter, argc, argv);
}
