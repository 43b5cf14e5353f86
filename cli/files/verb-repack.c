/* SPDX-License-Identifier: MIT */
/* `wavetape repack`: the same trace in fewer bytes. */
#include "base/error.h"
#include "cli/command.h"
#include "cli/files/rewrite-verbs.h"

static struct wt_error *repack_trace(const struct wt_cli_rewrite *asked, struct wt_reader *reader,
				     const struct wt_rewrite_options *options,
				     struct wt_rewrite *rewrite_ret)
{
	return wt_trace_repack(reader, asked->trace.output, options, rewrite_ret);
}

static json_t *repack_report_json(const struct wt_cli_rewrite *asked,
				  const struct wt_rewrite *rewrite)
{
	(void)asked;
	return json_pack("{s:I, s:I, s:I}", "packets", (json_int_t)rewrite->packets, "old_bytes",
			 (json_int_t)rewrite->old_size, "new_bytes", (json_int_t)rewrite->new_size);
}

int wt_command_repack(int argc, char **argv)
{
	static const struct wt_cli_rewriter rewriter = {
		.doing = "packing",
		.doc = "Write a trace again with stronger compression, in larger chunks. What it "
		       "holds stays the same to the byte, but no chunk is in it twice: one byte "
		       "that is damaged later costs a chunk. OUT never takes more bytes than FILE: "
		       "where it would, as at a lower --level than FILE was packed with, nothing "
		       "is written and the exit code is 1. A trace of which something is lost is "
		       "refused: recover it first. FILE is never written.",
		.level = true,
		.rewrite = repack_trace,
		.json = repack_report_json,
		.print = wt_cli_rewrite_print_sizes,
	};

	return wt_cli_rewrite_run(&rewriter, argc, argv);
}
