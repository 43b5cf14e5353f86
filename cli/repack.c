/* SPDX-License-Identifier: MIT */
/* `wavetape repack`: the same trace in fewer bytes. */
#include <inttypes.h>

#include "cli/rewrite.h"

static int print_json(const struct wt_rewrite *rewrite)
{
	return wt_cli_json(json_pack("{s:I, s:I, s:I}", "packets", (json_int_t)rewrite->packets,
				     "old_bytes", (json_int_t)rewrite->old_size, "new_bytes",
				     (json_int_t)rewrite->new_size));
}

int wt_command_repack(int argc, char **argv)
{
	static const struct argp_child children[] = {{&wt_cli_rewrite_level_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.args_doc = "FILE -o OUT",
		.doc = "Write a trace again with stronger compression, in larger chunks. What it "
		       "holds stays "
		       "the same to the byte. A trace of which something is lost is refused: "
		       "recover it "
		       "first. FILE is never written.",
		.children = children,
	};
	struct wt_cli_rewrite options = {0};
	struct wt_reader *reader = NULL;
	struct wt_rewrite rewrite;
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	wt_cli_parse(&argp, argc, argv, &options);
	error = wt_cli_rewrite(&options, "packing", wt_trace_repack, &reader, &rewrite);
	if (error)
		code = wt_cli_fail(error);
	else if (options.json)
		code = print_json(&rewrite);
	else
		printf("%s: %" PRIu64 " bytes, %.1f%% of the %" PRIu64 " of %s\n", options.output,
		       rewrite.new_size,
		       100.0 * (double)rewrite.new_size / (double)rewrite.old_size,
		       rewrite.old_size, options.path);
	wt_reader_close(reader);
	return code;
}
