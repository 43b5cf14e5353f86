/* SPDX-License-Identifier: MIT */
#include "cli/record/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "gfx/architecture/register-list.h"

#define VARIABLE "WAVETAPE_OPTIONS"
#define BYTES_ARE "max-bytes is a number of bytes from " WT_OPTIONS_BYTES_MIN " on (512M)"

/* In the order of the list below. */
enum { FIRST_KEY = 0x100 };

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "What is recorded at a stop:", 1},
	{"waves", FIRST_KEY, "WHICH", 0,
	 "waves whose registers are taken in full: faulting (those that have a stop reason), "
	 "stopped, all, "
	 "or auto, the default (faulting ones, and the others as long as they are few). Of other "
	 "stopped "
	 "waves pc, exec and the like are taken",
	 1},
	{"registers", FIRST_KEY + 1, "LIST", 0, WT_CLI_REGISTERS_TAKE, 1},
	{"memory", FIRST_KEY + 2, "WHAT", 0,
	 "near, the default (what the waves of --waves point to, up to 2M, their local and private "
	 "memory, "
	 "kernel arguments, code), none, all (whole buffers that kernel arguments lead to, as "
	 "`what-if` needs them), BYTES in place of 2M (64M), or ranges ADDRESS+SIZE; also a list "
	 "of these with commas",
	 1},
	{"redact", FIRST_KEY + 3, NULL, 0,
	 "leave the program's memory out altogether, also where the client reads or writes it. "
	 "Registers "
	 "and code objects are kept",
	 1},
	{"no-code", FIRST_KEY + 4, NULL, 0, "leave code objects out", 1},
	{"no-host", FIRST_KEY + 5, NULL, 0, "leave out what `wavetape host` shows", 1},
	{"environment", FIRST_KEY + 6, NULL, 0,
	 "take values of environment variables, not their names alone", 1},
	{NULL, 0, NULL, 0, "What it may cost (K, M and G are understood):", 2},
	{"max-bytes", FIRST_KEY + 7, "N", 0,
	 "end the trace before it has more than N bytes, " WT_OPTIONS_BYTES_MIN " at least", 2},
	{"max-stopped-ms", FIRST_KEY + 8, "N", 0,
	 "spend no more than about N ms to take a stop: what remains is left out. If writing it "
	 "makes it "
	 "longer, the trace says so",
	 2},
	{"max-memory", FIRST_KEY + 9, "N", 0,
	 "use no more than about N bytes of memory, 4M at least", 2},
	{"min-free", FIRST_KEY + 10, "N", 0,
	 "end the trace when the file system has fewer than N bytes left", 2},
	{"ring", FIRST_KEY + 11, "N", 0, "keep the newest N stops only", 2},
	{"sync", FIRST_KEY + 12, "WHEN", 0,
	 "wait for the disk: stop (after each stop, the default), every=N stops, or none", 2},
	{"keyframes", FIRST_KEY + 14, "N", 0,
	 "write the whole state at every Nth moment; without it as it pays, at the 64th at the "
	 "latest. "
	 "A smaller number loses fewer moments where the file is damaged, and takes more bytes",
	 2},
	{"no-mapping", FIRST_KEY + 15, NULL, 0,
	 "write each record with a system call. Without it records are stored through a mapping, "
	 "where the "
	 "file system allows it, and cutting the file while it is recorded may end the program "
	 "with SIGBUS",
	 2},
	{"no-thread", FIRST_KEY + 16, NULL, 0,
	 "start no thread in the program: what calls leave is then compressed while they wait", 2},
	{"hold", FIRST_KEY + 13, NULL, 0,
	 "while a running program is asked, hold it still: on a GPU one interruption in place of "
	 "many. Not "
	 "for the simulated GPU, a replay or a core, where going on again is itself an event",
	 2},
	{"reproducible", 'r', NULL, 0,
	 "no times, process ids, descriptors or facts of the host: two recordings of one workload "
	 "are the "
	 "same file",
	 2},
	{0},
};

struct wt_record_words wt_record_words_start(void)
{
	return (struct wt_record_words){.parsed = wt_options_default()};
}

/* The recording library would only say so in its log, and record nothing. */
static bool words_size_is_too_small(const struct wt_options *words)
{
	return words->max_bytes && words->max_bytes < WT_WRITER_BYTES_MIN;
}

/*
 * A name that no GPU has would take nothing. The recording library can only remark on it when it knows the GPU; here
 * nothing has run yet.
 */
static void words_check_registers(struct argp_state *state, const char *list)
{
	struct gfx_register_word unknown;

	wt_cli_check_registers(state, "--registers", list);
	if (gfx_register_list_find_unknown(list, &unknown))
		argp_error(state, "--registers: no GPU has '%.*s'; it takes " WT_CLI_REGISTERS_TAKE,
			   (int)unknown.length, unknown.text);
}

/* ---- The environment ---- */

struct wt_error *wt_record_words_check(const char *text)
{
	struct wt_options parsed = wt_options_default();
	struct wt_error *error = wt_options_set_all(&parsed, text);
	struct gfx_register_word unknown;

	/* An empty list stands for all. */
	if (!error && parsed.policy.registers[0] &&
	    gfx_register_list_find_unknown(parsed.policy.registers, &unknown))
		error = wt_error_create(WT_ERROR_USAGE, "cannot understand the option", "registers",
					"no GPU has '%.*s'", (int)unknown.length, unknown.text);
	if (!error && words_size_is_too_small(&parsed))
		error = wt_error_create(WT_ERROR_USAGE, "cannot understand the option", "max-bytes",
					BYTES_ARE);
	return wt_error_prefix(error, VARIABLE);
}

struct wt_error *wt_record_words_apply(struct wt_record_words *words, const char *first)
{
	const char *before = getenv(VARIABLE);
	wt_cleanup_free char *all = NULL;
	struct wt_error *error;

	before = before ? before : "";
	error = wt_record_words_check(before);
	if (error)
		return error;
	if (asprintf(&all, "%s%s%s%s%s", first, *first ? "," : "", before, *before ? "," : "",
		     words->text) < 0) {
		all = NULL;
		return &wt_error_no_memory;
	}
	words->parsed = wt_options_default();
	error = wt_options_set_all(&words->parsed, all);
	if (error)
		return wt_error_prefix(error, VARIABLE " and the command's options");
	return setenv(VARIABLE, all, 1) ? &wt_error_no_memory : NULL;
}

/* ---- Options ---- */

/* With the colons of the environment in place of the commas of a list. */
static void words_add(struct argp_state *state, struct wt_record_words *words, const char *name,
		      const char *value)
{
	size_t length = strlen(words->text);
	wt_cleanup_error struct wt_error *error = NULL;
	char word[WT_POLICY_WORDS];
	int size =
		snprintf(word, sizeof(word), "%s%s%s", name, value ? "=" : "", value ? value : "");

	if (!strcmp(name, "registers"))
		words_check_registers(state, value);
	for (char *c = word; *c; c++)
		if (*c == ',' || *c == ' ')
			*c = *c == ',' ? ':' : '?';
	if (size >= (int)sizeof(word) || length + (size_t)size + 2 > sizeof(words->text))
		argp_error(state, "--%s has too long a value", name);
	error = wt_options_set(&words->parsed, word);
	if (error)
		argp_error(state, "--%s, not '%s'", error->why, value ? value : "");
	if (words_size_is_too_small(&words->parsed))
		argp_error(state, "--" BYTES_ARE ", not '%s'", value);
	snprintf(words->text + length, sizeof(words->text) - length, "%s%s", length ? " " : "",
		 word);
}

static error_t words_parse(int key, char *argument, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (!options[i].name || options[i].key != key)
			continue;
		words_add(state, state->input, options[i].name, argument);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp wt_record_words_argp = {.options = options, .parser = words_parse};
