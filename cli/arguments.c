/* SPDX-License-Identifier: MIT */
#include "cli/arguments.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"

/* Command lines that show what a verb is for. */
static const struct {
	const char *verb, *lines;
} verb_examples[] = {
	{"wavetape record", "  wavetape record -o crash.wtape -- rocgdb ./program\n"
			    "  wavetape record -o crash.wtape --workload oob-store.json\n"},
	{"wavetape snapshot", "  wavetape snapshot 4711\n"},
	{"wavetape replay", "  wavetape replay crash.wtape -- gdb\n"},
	{"wavetape replays", "  wavetape replays\n"},
	{"wavetape goto", "  wavetape goto 3\n"},
	{"wavetape next", "  wavetape next\n"},
	{"wavetape previous", "  wavetape previous\n"},
	{"wavetape info", "  wavetape info crash.wtape\n"
			  "  wavetape info crash.wtape --source-map /build=src\n"},
	{"wavetape browse", "  wavetape browse crash.wtape\n"},
	{"wavetape triage", "  wavetape triage traces/*.wtape\n"},
	{"wavetape host", "  wavetape host crash.wtape\n"
			  "  wavetape host crash.wtape --all\n"},
	{"wavetape stops", "  wavetape stops crash.wtape\n"},
	{"wavetape waves", "  wavetape waves crash.wtape --stop 2\n"},
	{"wavetape explain", "  wavetape explain crash.wtape\n"
			     "  wavetape explain crash.wtape --wave 3 --lane 61 --all\n"},
	{"wavetape memory", "  wavetape memory crash.wtape\n"
			    "  wavetape memory crash.wtape 0x210000000000 64\n"},
	{"wavetape backtrace", "  wavetape backtrace crash.wtape\n"
			       "  wavetape backtrace crash.wtape --all\n"},
	{"wavetape locals", "  wavetape locals crash.wtape --frame 1 --lane 3\n"},
	{"wavetape what-if", "  wavetape what-if crash.wtape --set v3=0\n"
			     "  wavetape what-if crash.wtape --lane 5 --set i=12 --seed 7\n"},
	{"wavetape disassemble", "  wavetape disassemble crash.wtape\n"
				 "  wavetape disassemble crash.wtape --kernel oob_store\n"},
	{"wavetape code-objects", "  wavetape code-objects crash.wtape\n"
				  "  wavetape code-objects crash.wtape --extract 1 -o kernel.co\n"},
	{"wavetape journal", "  wavetape journal crash.wtape --function wave --to 100\n"},
	{"wavetape report", "  wavetape report crash.wtape -o crash.html\n"},
	{"wavetape diff", "  wavetape diff good.wtape bad.wtape\n"
			  "  wavetape diff crash.wtape --stop 1 --stop 2\n"},
	{"wavetape verify", "  wavetape verify crash.wtape\n"},
	{"wavetape check", "  wavetape check crash.wtape\n"},
	{"wavetape recover", "  wavetape recover broken.wtape -o whole.wtape\n"},
	{"wavetape repack", "  wavetape repack crash.wtape -o small.wtape\n"},
	{"wavetape trim", "  wavetape trim long.wtape --stops 3..5 -o short.wtape\n"},
	{"wavetape device", "  wavetape device -- ./program\n"},
	{"wavetape dap", "  wavetape dap crash.wtape\n"
			 "  wavetape dap --port 4711 crash.wtape\n"},
	{"wavetape mcp", "  wavetape mcp\n"},
	{"wavetape doctor", "  wavetape doctor\n"
			    "  wavetape device -- wavetape doctor   (the simulated GPU)\n"},
	{"wavetape simulate", "  wavetape simulate workload.json --save out=out.bin\n"},
};

/* Lines of examples of a verb, "wavetape info"; NULL if its own text has some. */
static const char *verb_examples_find(const char *verb)
{
	for (size_t i = 0; i < sizeof(verb_examples) / sizeof(*verb_examples); i++)
		if (!strcmp(verb_examples[i].verb, verb))
			return verb_examples[i].lines;
	return NULL;
}

bool wt_cli_number(const char *text, uint64_t *number_ret)
{
	unsigned long long number;
	char *end;

	/* strtoull() accepts signs and blanks; here they are errors. */
	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || *end)
		return false;
	*number_ret = number;
	return true;
}

/* The verb whose help may be asked for: a filter of help is told of the input alone, which is the verb's own. */
static const char *parsed_verb;

/* Examples stand at the end of the help. */
static char *help_add_examples(int key, const char *text, void *input)
{
	const char *lines = verb_examples_find(parsed_verb);
	char *added;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA || !lines)
		return (char *)(uintptr_t)text;
	return asprintf(&added, "Examples:\n%.*s", (int)strlen(lines) - 1, lines) < 0 ? NULL
										      : added;
}

/* ---- Options that are misspelt ---- */

/* Is an option that has a name and a value written as this word, which may be cut short? */
static bool option_is_word(const struct argp_option *option, const char *word)
{
	return option->name && !strncmp(option->name, word, strcspn(word, "="));
}

static bool option_is_key(const struct argp_option *option, const char *letter)
{
	return option->key == (unsigned char)*letter;
}

/* Options end with one that has nothing; a heading has a text alone. */
static bool options_have(const struct argp_option *option)
{
	return option && (option->key || option->name || option->doc);
}

/* The first option of a verb that is meant by a text; NULL if none is. */
static const struct argp_option *option_find(const struct argp *argp, const char *text,
					     bool (*is_meant)(const struct argp_option *option,
							      const char *text))
{
	const struct argp_option *found = NULL;

	for (const struct argp_option *option = argp->options; options_have(option); option++)
		if (is_meant(option, text))
			return option;
	for (const struct argp_child *child = argp->children; child && child->argp && !found;
	     child++)
		found = option_find(child->argp, text, is_meant);
	return found;
}

static void guess_offer_options(struct wt_guess *guess, const struct argp *argp)
{
	for (const struct argp_option *option = argp->options; options_have(option); option++)
		if (option->name && !(option->flags & OPTION_HIDDEN))
			wt_guess_offer(guess, option->name);
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		guess_offer_options(guess, child->argp);
}

/* Does an option take the next argument as its value? @behind: what stands behind its name in the same argument. */
static bool option_takes_next(const struct argp_option *option, const char *behind)
{
	return option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && !*behind;
}

/* How many arguments options in one argument are, with the value of the last: "-jo FILE". 0 if getopt has to tell of one. */
static int options_count_short(const struct argp *argp, const char *letters)
{
	for (; *letters; letters++) {
		const struct argp_option *option = option_find(argp, letters, option_is_key);

		if (!option)
			return 0;
		if (option->arg)
			return option_takes_next(option, letters + 1) ? 2 : 1;
	}
	return 1;
}

/* The same of one with a long name; 0 if it has to be told of. */
static int options_count_long(const struct argp *argp, const char *word)
{
	const struct argp_option *option = option_find(argp, word, option_is_word);

	if (!option)
		return 0;
	return option_takes_next(option, word + strcspn(word, "=")) ? 2 : 1;
}

/* The first long option that this verb does not have; NULL if there is none before what getopt tells of. */
static const char *option_find_unknown(const struct argp *argp, int argc, char **argv)
{
	int step;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i += step) {
		const char *text = argv[i];
		bool is_long = !strncmp(text, "--", 2);

		step = 1;
		if (is_long)
			step = options_count_long(argp, text + 2);
		else if (text[0] == '-')
			step = options_count_short(argp, text + 1);
		else if (getenv("POSIXLY_CORRECT"))
			return NULL;
		if (!step)
			return is_long ? text + 2 : NULL;
	}
	return NULL;
}

/* A long option that is near to one of the verb is told of, and ends the process; getopt tells of the others. */
static void options_refuse_misspelt(const struct argp *argp, int argc, char **argv)
{
	static const struct argp_option of_all[] = {
		{.name = "help", .key = '?'}, {.name = "usage", .key = 1}, {0}};
	const struct argp_child verb[] = {{argp, 0, NULL, 0}, {0}};
	const struct argp all = {.options = of_all, .children = verb};
	const char *word = option_find_unknown(&all, argc, argv);
	char *name = word ? strndup(word, strcspn(word, "=")) : NULL;
	struct wt_guess guess;

	if (!name)
		return;
	guess = wt_guess_begin(name);
	guess_offer_options(&guess, &all);
	if (guess.nearest) {
		fprintf(stderr, "%s: unrecognized option '--%s': did you mean --%s?\n", argv[0],
			name, guess.nearest);
		argp_help(argp, stderr, ARGP_HELP_STD_ERR, argv[0]);
		exit(argp_err_exit_status);
	}
	free(name);
}

void wt_cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	struct argp with_examples = *argp;

	options_refuse_misspelt(argp, argc, argv);
	parsed_verb = argv[0];
	with_examples.help_filter = help_add_examples;
	argp_parse(&with_examples, argc, argv, 0, NULL, input);
}

void wt_cli_check_registers(struct argp_state *state, const char *where, const char *list)
{
	struct gfx_register_word wrong;
	const char *why = gfx_register_list_check(list, &wrong);

	if (why)
		argp_error(state, "%s: '%.*s': %s; it takes " WT_CLI_REGISTERS_TAKE, where,
			   (int)wrong.length, wrong.text, why);
}

/* ---- Verbs that take a trace ---- */

#define SHARED_OPTIONS 4

struct parsing {
	struct wt_cli_trace *trace;
	void *own; /* input of the verb's own parser */
};

static void arguments_take_stop(struct wt_cli_trace *trace, const char *text,
				struct argp_state *state)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || !number || number > UINT32_MAX)
		argp_error(state,
			   "--stop takes a number from 1, as `wavetape stops` lists them, not '%s'",
			   text);
	trace->has_stop = true;
	trace->stop = (uint32_t)number;
}

static void arguments_take_wave(struct wt_cli_trace *trace, const char *text,
				struct argp_state *state)
{
	if (!wt_cli_number(text[0] == 'w' ? text + 1 : text, &trace->wave) || !trace->wave)
		argp_error(state, "--wave takes a wave as `wavetape waves` lists them, not '%s'",
			   text);
}

static error_t arguments_take_file(struct wt_cli_trace *trace, const char *text,
				   struct argp_state *state)
{
	if (trace->path)
		return ARGP_ERR_UNKNOWN;
	if (!*text)
		argp_error(state, "which trace? FILE is an empty name");
	trace->path = text;
	return 0;
}

static error_t arguments_parse_shared(int key, char *argument, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct wt_cli_trace *trace = parsing->trace;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = parsing->own;
		return 0;
	case 'j':
		trace->json = true;
		return 0;
	case 's':
		arguments_take_stop(trace, argument, state);
		return 0;
	case 'w':
		arguments_take_wave(trace, argument, state);
		return 0;
	case 'o':
		if (!*argument)
			argp_error(state, "where to? --output is an empty name");
		trace->output = argument;
		return 0;
	case ARGP_KEY_ARG:
		return arguments_take_file(trace, argument, state);
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which trace? Name a FILE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The shared options that a verb has. */
static void verb_list_options(const struct wt_cli_verb *verb, struct argp_option *options)
{
	if (!verb->no_json)
		*options++ = (struct argp_option)WT_CLI_JSON_OPTION;
	if (verb->stop)
		*options++ = (struct argp_option){"stop", 's', "N", 0, verb->stop, 0};
	if (verb->wave)
		*options++ = (struct argp_option){"wave", 'w', "WAVE", 0, verb->wave, 0};
	if (verb->output)
		*options++ = (struct argp_option){"output", 'o', "OUT", 0, verb->output, 0};
}

void wt_cli_verb_parse(const struct wt_cli_verb *verb, int argc, char **argv,
		       struct wt_cli_trace *trace, void *input)
{
	const struct argp_child own[] = {{&verb->own, 0, NULL, 0}, {0}}, none[] = {{0}};
	struct argp_option options[SHARED_OPTIONS + 1] = {0};
	struct parsing parsing = {.trace = trace, .own = input};
	const struct argp argp = {
		.options = options,
		.parser = arguments_parse_shared,
		.args_doc = verb->arguments ? verb->arguments : "FILE",
		.doc = verb->doc,
		/* FILE is parsed before what stands behind it: the parent comes first. */
		.children = verb->own.parser ? own : none,
	};

	verb_list_options(verb, options);
	trace->verb = strchr(argv[0], ' ') ? strchr(argv[0], ' ') + 1 : argv[0];
	trace->hides_progress = verb->hides_progress;
	trace->streams_json = verb->streams_json;
	wt_cli_parse(&argp, argc, argv, &parsing);
}

int wt_cli_verb_run(const struct wt_cli_verb *verb, int argc, char **argv,
		    struct wt_cli_trace *trace, void *input)
{
	wt_cli_verb_parse(verb, argc, argv, trace, input);
	return wt_cli_trace_run(trace, verb->show, input);
}
