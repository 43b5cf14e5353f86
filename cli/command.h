/* SPDX-License-Identifier: MIT */
/*
 * What the verbs of `wavetape` share: exit codes, options, output as text or JSON, the trace and the stop
 * that were asked for.
 */
#ifndef WT_CLI_COMMAND_H
#define WT_CLI_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "replayer/view/explain.h"
#include "replayer/view/view.h"
#include "trace-format/reader/reader.h"

enum wt_exit {
	WT_EXIT_FINE = 0,
	WT_EXIT_FAILED = 1,
	WT_EXIT_USAGE = 2,
	WT_EXIT_PARTIAL = 3, /* something is lost or damaged, and is named */
};

struct wt_command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
};

/* One per verb, in its own file. argv[0] is "wavetape VERB". */
int wt_command_record(int argc, char **argv);
int wt_command_replay(int argc, char **argv);
int wt_command_replays(int argc, char **argv);
int wt_command_goto(int argc, char **argv);
int wt_command_next(int argc, char **argv);
int wt_command_previous(int argc, char **argv);
int wt_command_host(int argc, char **argv);
int wt_command_info(int argc, char **argv);
int wt_command_stops(int argc, char **argv);
int wt_command_waves(int argc, char **argv);
int wt_command_registers(int argc, char **argv);
int wt_command_memory(int argc, char **argv);
int wt_command_disassemble(int argc, char **argv);
int wt_command_code_objects(int argc, char **argv);
int wt_command_journal(int argc, char **argv);
int wt_command_verify(int argc, char **argv);
int wt_command_check(int argc, char **argv);
int wt_command_recover(int argc, char **argv);
int wt_command_repack(int argc, char **argv);
int wt_command_trim(int argc, char **argv);
int wt_command_simulate(int argc, char **argv);
int wt_command_operand(int argc, char **argv);

/** Print `wavetape: WHAT: WHERE: WHY` to stderr, free the error, and return the exit code it means. */
int wt_cli_fail(struct wt_error *error);

/** A number in decimal, 0x hexadecimal or 0 octal; false if @text is anything else. */
bool wt_cli_number(const char *text, uint64_t *number_ret);

/** The argument of --wave: a number as `wavetape waves` lists them, with or without w. Ends with an error. */
uint64_t wt_cli_wave(struct argp_state *state, const char *text);

/* Options of every verb that looks into a trace. Put WT_CLI_TRACE_ARGP into the verb's children. */
struct wt_cli_trace {
	const char *path;
	bool json;
	bool has_stop;
	uint32_t stop; /* as the user counts: from 1 */
	/* Filled in by wt_cli_trace_run(): */
	struct wt_reader *reader;
	size_t damage_told; /* how much of the damage was printed */
	uint32_t *stops;    /* moment numbers of the stops found so far, in order */
	uint32_t stop_count, stop_capacity;
	uint32_t looked_at; /* moments: the next stop is looked for behind them */
	/* What else a verb reads on the way, so that each chunk is read once: called before a moment is read. */
	void (*beside)(void *opaque, uint32_t moment);
	void *opaque;
};

extern const struct argp wt_cli_trace_argp;	  /* FILE, --json, --stop */
extern const struct argp wt_cli_trace_plain_argp; /* FILE, --json */

/**
 * Print what is not whole, without what was printed before: a damaged chunk may only be found when it is read.
 *
 * @told: how much was printed, 0 at first.
 */
void wt_cli_damage(const struct wt_reader *reader, const char *path, size_t *told);

/** Was a trace closed in order, but before the session was over? Says so on stderr, with the reason. */
bool wt_cli_cut(const struct wt_reader *reader, const char *path);

/**
 * Does an error only say that something of the trace is lost? Then it is freed: the damage has been noted by the
 * reader, and what is left can still be shown.
 */
bool wt_cli_is_loss(struct wt_error *error);

/* What the journal tells of losses, gathered on a walk through it. Zeros at first. */
struct wt_cli_losses {
	bool told; /* one that concerns no single call */
};

void wt_cli_losses_note(struct wt_cli_losses *losses, const struct wt_journal_record *record);

/** Is a word, without a value, among those that decided what was recorded? */
bool wt_cli_recorded_with(const struct wt_trace_info *info, const char *word);

#define WT_CLI_UNKNOWN_REASONS 6
#define WT_CLI_UNKNOWN_MAX 128

/* Why there may have been more than a trace has: who says that there is none of something, says this too. */
struct wt_cli_unknown {
	char reasons[WT_CLI_UNKNOWN_REASONS][WT_CLI_UNKNOWN_MAX];
	size_t count;
	bool complete; /* it was closed in order, not before its time, and nothing is lost */
};

/** Known is what was read so far: all of it should have been. */
void wt_cli_unknown_find(const struct wt_reader *reader, const struct wt_cli_losses *losses,
			 struct wt_cli_unknown *unknown_ret);

/** The same after a walk through the journal. */
struct wt_error *wt_cli_unknown_read(struct wt_reader *reader, struct wt_cli_unknown *unknown_ret);

#define WT_CLI_UNKNOWN_TEXT (WT_CLI_UNKNOWN_REASONS * WT_CLI_UNKNOWN_MAX)

/** The reasons in one line: "part of it is lost; the recording ended early: disk full". */
const char *wt_cli_unknown_text(const struct wt_cli_unknown *unknown,
				char buffer[WT_CLI_UNKNOWN_TEXT]);

json_t *wt_cli_unknown_json(const struct wt_cli_unknown *unknown);

/**
 * What a verb shows of a trace: as text on stdout, or, if trace->json, as a value in @json_ret.
 */
typedef struct wt_error *(*wt_cli_show)(struct wt_cli_trace *trace, void *options,
					json_t **json_ret);

/** Open the trace, show, close. The exit code; WT_EXIT_PARTIAL for a trace that is not whole. */
int wt_cli_trace_run(struct wt_cli_trace *trace, wt_cli_show show, void *options);

/** argp_parse() of a verb: ends the process for --help and wrong usage. */
void wt_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/**
 * The state at the stop that was asked for; without --stop at the last one with a fault, else at the last.
 * @stop_ret: its number as the user counts.
 */
struct wt_error *wt_cli_trace_view(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret);

/**
 * Look for the next stop, which then is the last of trace->stops. Stops are found in order, and a file is read no
 * further than they are asked for.
 *
 * @found_ret: false if there is none any more.
 */
struct wt_error *wt_cli_trace_next_stop(struct wt_cli_trace *trace, bool *found_ret);

/** Look for all stops that are left. */
struct wt_error *wt_cli_trace_find_stops(struct wt_cli_trace *trace);

/** The end of a process that wrote to stdout: what did not reach it is told, and makes @code a failure. */
int wt_cli_finish(int code);

/** Print a JSON value to stdout with a newline, and drop the reference. */
int wt_cli_json(json_t *value);

/** json_sprintf("0x%llx"): addresses and masks are hexadecimal strings, since 64 bits do not fit a double. */
json_t *wt_cli_json_hex(uint64_t value);

/**
 * Text from a trace or the command line, which may be any bytes: JSON holds Unicode alone, so that a byte
 * that is none becomes U+FFFD. Null for NULL.
 */
json_t *wt_cli_json_text(const char *text);

#define WT_CLI_CHARACTER_MAX 8

/**
 * Text from a trace or the command line, for a terminal: control characters and bytes that are no UTF-8 are
 * shown (\x1b, \n), so that nothing in a trace can act on the terminal or look like a line of ours.
 *
 * @text: NULL is an empty one.
 * @return: how many bytes were written.
 */
int wt_cli_put(FILE *file, const char *text);

/** The same on stdout, with blanks up to @width bytes. */
void wt_cli_put_padded(const char *text, int width);

/** The same for text of ours that has lines of its own: line ends stay. */
void wt_cli_put_lines(FILE *file, const char *text);

/** The same into a buffer of @size bytes, which is returned; what does not fit is cut. */
const char *wt_cli_visible(const char *text, char *buffer, size_t size);

/** Words of a bit set: "MEMORY_VIOLATION|SINGLE_STEP", "NONE" for 0. @prefix is left out of each name. */
const char *wt_cli_flags(const char *enumeration, uint64_t value, const char *prefix, char *buffer,
			 size_t size);

/* Where the three libraries are: beside the command in a build tree, or installed. */
enum wt_cli_library { WT_LIBRARY_SIMULATED, WT_LIBRARY_RECORD, WT_LIBRARY_REPLAY };
#define WT_CLI_SONAME "librocm-dbgapi.so.0"

/** The path of the program that a debugger runs in place of the recorded one; the caller frees it. */
struct wt_error *wt_cli_host(char **path_ret);

/** The path of the file that teaches GDB the `tape` commands; the caller frees it. */
struct wt_error *wt_cli_gdb_commands(char **path_ret);

/** The path of a library, absolute; the caller frees it. */
struct wt_error *wt_cli_library(enum wt_cli_library library, char **path_ret);

/** Put a library's folder in front of LD_LIBRARY_PATH, so that a client finds it before its own. */
struct wt_error *wt_cli_library_path(const char *library);

/** Where the shell would find a program; NULL if nowhere. The caller frees it. */
char *wt_cli_find_program(const char *name);

/** Run CLIENT ARGS... with the environment as it is now; the client's exit status, or an error. */
struct wt_error *wt_cli_run_client(char *const argv[], int *status_ret);

#endif /* WT_CLI_COMMAND_H */
