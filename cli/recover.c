/* SPDX-License-Identifier: MIT */
/* `wavetape recover`: what is left of a damaged trace, as a trace that opens clean. */
#include <inttypes.h>

#include "cli/rewrite.h"

static int print_json(const struct wt_rewrite *rewrite)
{
	const struct wt_check *check = &rewrite->check;

	return wt_cli_json(json_pack(
		"{s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "loss", check->loss,
		"packets_unchanged", rewrite->as_it_was, "packets", (json_int_t)rewrite->packets,
		"moments", (json_int_t)rewrite->moments, "moments_lost",
		(json_int_t)check->moments.lost, "calls", (json_int_t)rewrite->calls, "calls_lost",
		(json_int_t)check->calls.lost, "old_bytes", (json_int_t)rewrite->old_size,
		"new_bytes", (json_int_t)rewrite->new_size));
}

static void print_count(const char *what, uint64_t kept, uint64_t lost)
{
	printf("%" PRIu64 " %s kept", kept, what);
	if (lost)
		printf(", %" PRIu64 " lost", lost);
}

static void print_result(const struct wt_cli_rewrite *options, const struct wt_rewrite *rewrite)
{
	wt_cli_put(stdout, options->output);
	printf(": ");
	print_count("moments", rewrite->moments, rewrite->check.moments.lost);
	printf("; ");
	print_count("calls", rewrite->calls, rewrite->check.calls.lost);
	putchar('\n');
}

int wt_command_recover(int argc, char **argv)
{
	static const struct argp_child children[] = {{&wt_cli_rewrite_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.args_doc = "FILE -o OUT",
		.doc = "Write what is whole in a trace to a new one that opens clean: every stop "
		       "whose state "
		       "can be rebuilt, and the journal without what is lost. What was lost is "
		       "printed, and "
		       "is noted in OUT. The exit code is 3 if something was lost, 0 if nothing "
		       "was. FILE is "
		       "never written.",
		.children = children,
	};
	struct wt_cli_rewrite options = {0};
	struct wt_reader *reader = NULL;
	struct wt_rewrite rewrite;
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	wt_cli_parse(&argp, argc, argv, &options);
	error = wt_cli_rewrite(&options, "recovering", wt_trace_recover, &reader, &rewrite);
	if (error)
		code = wt_cli_fail(error);
	else if (options.json)
		code = print_json(&rewrite);
	else
		print_result(&options, &rewrite);
	wt_reader_close(reader);
	return code == WT_EXIT_FINE && rewrite.check.loss ? WT_EXIT_PARTIAL : code;
}
