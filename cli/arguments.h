/* SPDX-License-Identifier: MIT */
/*
 * Command lines. The options that many verbs have (--json, --stop, --wave, --output) and the argument FILE are
 * described and parsed here, once; a verb adds its own.
 */
#ifndef WT_CLI_ARGUMENTS_H
#define WT_CLI_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/trace.h"
#include "gfx/architecture/register-list.h"

/** A number in decimal, 0x hexadecimal or 0 octal, without a sign; false if @text is anything else. */
bool wt_cli_number(const char *text, uint64_t *number_ret);

/** argp_parse() of a verb: ends the process for --help and for wrong usage. */
void wt_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* A list of registers on the command line may be one of these. */
#define WT_CLI_REGISTERS_TAKE "all, or a list with commas of " GFX_REGISTER_LIST_TAKES

/** End with a usage error if a list of registers is not well formed. @where: what has the list: "--registers". */
void wt_cli_check_registers(struct argp_state *state, const char *where, const char *list);

/* --json, for the table of a verb that has no FILE. */
#define WT_CLI_JSON_OPTION                                                                         \
	{                                                                                          \
		"json", 'j', NULL, 0, "print JSON", 0                                              \
	}

/* The text for --stop of verbs that show one stop: wt_cli_trace_view(). */
#define WT_CLI_STOP_HELP                                                                           \
	"look at stop N (from 1); without it, at the last one with a fault, else at the last one"

/* The command line of a verb that takes a trace. All such verbs have FILE, and but for a few --json. */
struct wt_cli_verb {
	const char *arguments; /* for the usage line: "FILE [ADDRESS]"; NULL: "FILE" */
	const char *doc;
	/* The help of --stop, --wave and --output; NULL: it has no such option. */
	const char *stop, *wave, *output;
	bool no_json;	     /* it prints nothing that could be JSON */
	bool hides_progress; /* it calls wt_progress_hide() before it prints text */
	bool streams_json;   /* its `show` prints the object itself, and makes none */
	/* The verb's own options; a NULL parser if it has none. Arguments behind FILE go to this parser. */
	struct argp own;
	wt_cli_show show; /* for wt_cli_verb_run() */
};

/**
 * Parse the command line of a verb; ends the process for --help and for wrong usage.
 *
 * @trace: zeros; what the shared options say is filled in.
 * @input: of the verb's own parser.
 */
void wt_cli_verb_parse(const struct wt_cli_verb *verb, int argc, char **argv,
		       struct wt_cli_trace *trace, void *input);

/** Parse the command line, then show the trace with verb->show: the whole of most verbs. The exit code. */
int wt_cli_verb_run(const struct wt_cli_verb *verb, int argc, char **argv,
		    struct wt_cli_trace *trace, void *input);

#endif /* WT_CLI_ARGUMENTS_H */
