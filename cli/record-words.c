/* SPDX-License-Identifier: MIT */
#include "cli/record-words.h"

#include <string.h>

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
	{"registers", FIRST_KEY + 1, "LIST", 0,
	 "all, or a list with commas: registers (pc, v7), runs (s0-s15), classes (general, scalar, "
	 "vector, "
	 "system, trap)",
	 1},
	{"memory", FIRST_KEY + 2, "WHAT", 0,
	 "near, the default (what the waves of --waves point to, up to 2M, their local and private "
	 "memory, "
	 "kernel arguments, code), none, BYTES in place of 2M (64M), or ranges ADDRESS+SIZE; also "
	 "a list "
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
	{"max-bytes", FIRST_KEY + 7, "N", 0, "end the trace before it has more than N bytes", 2},
	{"max-stopped-ms", FIRST_KEY + 8, "N", 0,
	 "spend no more than about N ms at one stop: what remains is left out, and the trace says "
	 "so",
	 2},
	{"max-memory", FIRST_KEY + 9, "N", 0, "use no more than about N bytes of memory", 2},
	{"min-free", FIRST_KEY + 10, "N", 0,
	 "end the trace when the file system has fewer than N bytes left", 2},
	{"ring", FIRST_KEY + 11, "N", 0, "keep the newest N stops only", 2},
	{"sync", FIRST_KEY + 12, "WHEN", 0,
	 "wait for the disk: stop (after each stop, the default), every=N stops, or none", 2},
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

/* With the colons of the environment in place of the commas of a list. */
static void add(struct argp_state *state, struct wt_record_words *words, const char *name,
		const char *value)
{
	size_t length = strlen(words->text);
	wt_cleanup_error struct wt_error *error = NULL;
	char word[WT_POLICY_WORDS];
	int size =
		snprintf(word, sizeof(word), "%s%s%s", name, value ? "=" : "", value ? value : "");

	for (char *c = word; *c; c++)
		if (*c == ',' || *c == ' ')
			*c = *c == ',' ? ':' : '?';
	if (size >= (int)sizeof(word) || length + (size_t)size + 2 > sizeof(words->text))
		argp_error(state, "--%s has too long a value", name);
	error = wt_options_set(&words->parsed, word);
	if (error)
		argp_error(state, "--%s, not '%s'", error->why, value ? value : "");
	snprintf(words->text + length, sizeof(words->text) - length, "%s%s", length ? " " : "",
		 word);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (!options[i].name || options[i].key != key)
			continue;
		add(state, state->input, options[i].name, argument);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp wt_record_words_argp = {.options = options, .parser = parse};
