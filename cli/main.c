/* SPDX-License-Identifier: MIT */
/* `wavetape VERB ...`: find the verb and hand over. */
#include <argp.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guess.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/output.h"
#include "dbgapi/architecture/disassemble.h"
#include "trace-format/container/block.h"

static const struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"record", "record a session: a workload on the simulated GPU, or any debugger API client",
	 wt_command_record},
	{"snapshot", "let the agent in a running program take a trace", wt_command_snapshot},
	{"replay", "run a debugger API client over a trace", wt_command_replay},
	{"replays", "list the running replays", wt_command_replays},
	{"goto", "let a running replay go to a stop", wt_command_goto},
	{"next", "let a running replay go to the next stop", wt_command_next},
	{"previous", "let a running replay go back to the stop before", wt_command_previous},
	{"info", "one screen: what was recorded, and the crash", wt_command_info},
	{"browse", "look through a trace on the whole terminal", wt_command_browse},
	{"triage", "sort many traces by what crashed: groups, counts, hosts and ranks",
	 wt_command_triage},
	{"host", "what was recorded of the machine and the program", wt_command_host},
	{"stops", "list the stops", wt_command_stops},
	{"waves", "list the waves at a stop", wt_command_waves},
	{"explain", "where a bad address came from, and the cause", wt_command_explain},
	{"registers", "print registers of a wave", wt_command_registers},
	{"memory", "print memory at a stop", wt_command_memory},
	{"backtrace", "print the functions that a wave is in, inlined ones too",
	 wt_command_backtrace},
	{"locals", "print the variables of a function, lane by lane", wt_command_locals},
	{"print", "print the value of an expression, lane by lane", wt_command_print},
	{"way", "go back in what a wave executed before it stopped", wt_command_way},
	{"what-if", "go on from a stop with changed values, and see what comes out",
	 wt_command_what_if},
	{"disassemble", "disassemble code at a stop", wt_command_disassemble},
	{"code-objects", "list the code objects, or extract them", wt_command_code_objects},
	{"journal", "print every API call with its arguments and answers", wt_command_journal},
	{"report", "write a page for a browser that shows a trace", wt_command_report},
	{"diff", "say what differs between two traces, or two stops of one", wt_command_diff},
	{"export", "write a trace in a form that other tools read", wt_command_export},
	{"dap", "let an editor open a trace: the Debug Adapter Protocol", wt_command_dap},
	{"mcp", "let an assistant look at traces: the Model Context Protocol", wt_command_mcp},
	{"verify", "replay the journal and compare every answer", wt_command_verify},
	{"check", "say what of a trace is whole, and what is not", wt_command_check},
	{"recover", "write what is left of a damaged trace to a whole one", wt_command_recover},
	{"repack", "write a trace again, smaller", wt_command_repack},
	{"trim", "write some stops of a trace to a trace of its own", wt_command_trim},
	{"device", "run a command on a machine that has the simulated GPU", wt_command_device},
	{"simulate", "run a workload on the simulated GPU without recording", wt_command_simulate},
	{"doctor", "say whether programs on this machine's GPU can be recorded", wt_command_doctor},
	{"operand", "translate an instruction operand: its number to text, or back",
	 wt_command_operand},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static void print_help(FILE *file)
{
	fputs("Usage: wavetape VERB [OPTION...]\n"
	      "Record AMD GPU debug sessions and play them back.\n\n",
	      file);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(file, "  %-13s %s\n", commands[i].name, commands[i].summary);
	fputs("\n`wavetape VERB --help` explains a verb. Exit codes: 0 fine, 1 it failed or did "
	      "not\n"
	      "compare equal, 2 wrong usage, 3 partial (something is lost or damaged, and is\n"
	      "named).\n",
	      file);
}

static void verb_refuse(const char *word)
{
	struct wt_guess guess = wt_guess_begin(word);

	for (size_t i = 0; i < COMMAND_COUNT; i++)
		wt_guess_offer(&guess, commands[i].name);
	if (guess.nearest)
		fprintf(stderr,
			"wavetape: no such verb: %s: did you mean `wavetape %s`? `wavetape --help` "
			"lists them\n",
			word, guess.nearest);
	else
		fprintf(stderr, "wavetape: no such verb: %s: `wavetape --help` lists them\n", word);
}

/* The library that would be recorded, unless a debugger brings its own. */
static void print_debugger_library(void)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);
	const char *named = wt_cli_search_dbgapi(&search, NULL);
	const struct wt_search_place *taken = wt_search_taken(&search);

	if (taken)
		printf("debugger library %s (%s), level 0.%u\n", taken->path, taken->source,
		       taken->file.level);
	else if (named)
		printf("debugger library %s (WAVETAPE_DBGAPI): %s\n", named,
		       wt_library_state_text(search.places[0].file.state));
	else
		puts("debugger library: none was found; it records, and reading traces needs none");
	wt_search_deinit(&search);
}

static void print_version(bool verbose)
{
	const char *library;

	puts("wavetape " WT_VERSION);
	if (!verbose)
		return;
	library = wt_disassembler_library();
	printf("traces of format %u.%u, and of each before it\n", WT_FORMAT_MAJOR, WT_FORMAT_MINOR);
	print_debugger_library();
	printf("instructions by %s\n", library ? library : "nothing that was found");
	puts("built with " WT_BUILT);
}

/**
 * A standard stream that was closed would be the number of the next file that is opened: messages would go
 * into a trace. What is put in its place cannot be written, so that the loss is still seen.
 */
static bool hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			return false;
	return true;
}

/* The process whose output has not been checked yet; 0: there is none. */
static pid_t unchecked;

static int command_finish(int code)
{
	unchecked = 0;
	return wt_cli_finish(code);
}

/** For --help of a verb: who prints it ends the process. A child of ours checks its own output. */
static void output_check(void)
{
	if (unchecked == getpid() && command_finish(WT_EXIT_FINE) != WT_EXIT_FINE)
		_exit(WT_EXIT_FAILED);
}

int main(int argc, char **argv)
{
	argp_err_exit_status = WT_EXIT_USAGE;
	unchecked = getpid();
	if (!hold_standard_streams() || atexit(output_check))
		return WT_EXIT_FAILED;
	if (argc < 2) {
		print_help(stderr);
		return WT_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return command_finish(WT_EXIT_FINE);
	}
	if (!strcmp(argv[1], "--version")) {
		print_version(argc > 2 &&
			      (!strcmp(argv[2], "-v") || !strcmp(argv[2], "--verbose")));
		return command_finish(WT_EXIT_FINE);
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		char name[64];

		if (strcmp(commands[i].name, argv[1]))
			continue;
		snprintf(name, sizeof(name), "wavetape %s", argv[1]);
		argv[1] = name;
		return command_finish(commands[i].run(argc - 1, argv + 1));
	}
	verb_refuse(argv[1]);
	return WT_EXIT_USAGE;
}
