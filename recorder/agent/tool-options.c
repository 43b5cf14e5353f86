/* SPDX-License-Identifier: MIT */
#include "recorder/agent/tool-options.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/guess.h"
#include "base/signal-names.h"
#include "recorder/recording/options.h"

#define WORD_MAX 4096u /* with the byte behind it */
#define BETWEEN_WORDS ", \t\n"
#define DURATION_MAX_MS (UINT64_C(1000) * 60 * 60 * 24 * 365)

typedef bool (*setter)(struct wt_tool_options *options, const char *value);

static bool text_replace(char **text, const char *value)
{
	char *copy = *value ? strdup(value) : NULL;

	if (!copy)
		return false;
	free(*text);
	*text = copy;
	return true;
}

/* A pattern whose letters stand for something. */
static bool set_output(struct wt_tool_options *options, const char *value)
{
	static const struct wt_name_facts facts;
	wt_cleanup_free char *path = NULL;
	wt_cleanup_error struct wt_error *error = wt_pattern_expand(value, &facts, &path);

	return !error && text_replace(&options->output, value);
}

static bool set_library(struct wt_tool_options *options, const char *value)
{
	return text_replace(&options->library, value);
}

static bool set_notes(struct wt_tool_options *options, const char *value)
{
	return text_replace(&options->notes, value);
}

/* A decimal number, and what follows it. */
static bool option_number_parse(const char *text, char **end, uint64_t *number_ret)
{
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number_ret = strtoull(text, end, 10);
	return !errno;
}

static bool count_parse(const char *text, uint64_t *number_ret)
{
	char *end;

	return option_number_parse(text, &end, number_ret) && !*end;
}

static bool set_keep(struct wt_tool_options *options, const char *value)
{
	return count_parse(value, &options->keep.files);
}

static bool set_keep_bytes(struct wt_tool_options *options, const char *value)
{
	return wt_options_size(value, &options->keep.bytes);
}

static bool set_traces(struct wt_tool_options *options, const char *value)
{
	return count_parse(value, &options->traces) && options->traces;
}

/* A number with a unit; seconds without one. */
static bool duration_parse(const char *value, uint64_t *ms_ret)
{
	static const struct {
		const char *name;
		uint64_t ms;
	} units[] = {{"ms", 1}, {"s", 1000}, {"", 1000}, {"m", 60000}, {"h", 3600000}};
	uint64_t amount;
	char *unit;

	if (!option_number_parse(value, &unit, &amount) || !amount)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].name) && amount <= DURATION_MAX_MS / units[i].ms) {
			*ms_ret = amount * units[i].ms;
			return true;
		}
	return false;
}

static bool set_hang_after(struct wt_tool_options *options, const char *value)
{
	return duration_parse(value, &options->hang_after_ms);
}

static bool set_on_trace(struct wt_tool_options *options, const char *value)
{
	return text_replace(&options->on_trace, value);
}

static bool set_on_trace_within(struct wt_tool_options *options, const char *value)
{
	return duration_parse(value, &options->on_trace_within_ms);
}

/* The signal is one that a program can have a handler for; "USR2", "SIGUSR2" or its number. */
static bool set_signal(struct wt_tool_options *options, const char *value)
{
	const char *name = strncmp(value, "SIG", 3) ? value : value + 3;
	uint64_t wanted = 0;
	bool by_number = count_parse(value, &wanted);

	for (int signal = 1; signal < SIGRTMIN; signal++) {
		const char *known = wt_signal_name(signal);

		if (!known || (by_number ? (uint64_t)signal != wanted : strcmp(known, name) != 0))
			continue;
		if (signal == SIGKILL || signal == SIGSTOP)
			return false;
		options->signal = signal;
		return true;
	}
	return false;
}

/* A map that was named already is not added twice. */
static bool set_source(struct wt_tool_options *options, const char *value)
{
	struct wt_source_maps maps = {.count = 0};
	size_t count = 0;

	if (!wt_source_maps_add(&maps, value))
		return false;
	for (; options->sources[count]; count++)
		if (!strcmp(options->sources[count], value))
			return true;
	return count < WT_SOURCE_MAPS && text_replace(&options->sources[count], value);
}

static bool set_quiet(struct wt_tool_options *options, const char *value)
{
	options->quiet = true;
	return !value;
}

static bool set_precise(struct wt_tool_options *options, const char *value)
{
	options->precise = true;
	options->precise_try = value;
	return !value || !strcmp(value, "try");
}

/* Names with '+' between them. */
static bool set_trap(struct wt_tool_options *options, const char *value)
{
	static const struct {
		const char *name;
		uint32_t exception;
	} names[] = {
		{"invalid", WT_TRAPPED_INVALID},	  {"div0", WT_TRAPPED_DIVISION},
		{"overflow", WT_TRAPPED_OVERFLOW},	  {"underflow", WT_TRAPPED_UNDERFLOW},
		{"denormal", WT_TRAPPED_DENORMAL},	  {"inexact", WT_TRAPPED_INEXACT},
		{"intdiv0", WT_TRAPPED_INTEGER_DIVISION},
	};
	uint32_t trap = 0;

	for (;; value++) {
		size_t length = strcspn(value, "+"), i = 0;

		while (i < sizeof(names) / sizeof(*names) &&
		       (strlen(names[i].name) != length ||
			memcmp(names[i].name, value, length) != 0))
			i++;
		if (i == sizeof(names) / sizeof(*names))
			return false;
		trap |= names[i].exception;
		value += length;
		if (!*value)
			break;
	}
	options->trap = trap;
	return true;
}

static bool set_on_trap(struct wt_tool_options *options, const char *value)
{
	options->trap_ends = !strcmp(value, "end");
	return options->trap_ends || !strcmp(value, "continue");
}

enum word_value { VALUE_NONE, VALUE_NEEDED, VALUE_OPTIONAL };

#define TIME_ABOVE_0 "a time above 0 (500ms, 60s, 2m, 1h)"

static const struct word {
	const char *name;
	setter set;
	const char *allowed; /* NULL: the word has no value */
	enum word_value value;
	bool listed; /* else it is the command's own */
} words[] = {
	{"output", set_output, "a path, of which %e, %p and others are filled in", VALUE_NEEDED,
	 true},
	{"keep", set_keep, "a number of traces", VALUE_NEEDED, true},
	{"keep-bytes", set_keep_bytes, "a number of bytes (2G)", VALUE_NEEDED, true},
	{"traces", set_traces, "a number of traces above 0", VALUE_NEEDED, true},
	{"library", set_library, "a path", VALUE_NEEDED, true},
	{"hang-after", set_hang_after, TIME_ABOVE_0, VALUE_NEEDED, true},
	{"signal", set_signal, "a signal that a program can have a handler for (USR2)",
	 VALUE_NEEDED, true},
	{"source", set_source, "FROM=TO, up to 16 times", VALUE_NEEDED, true},
	{"precise", set_precise, "said alone, or precise=try", VALUE_OPTIONAL, true},
	{"trap", set_trap,
	 "invalid, div0, overflow, underflow, denormal, inexact or intdiv0, or several with + "
	 "between them",
	 VALUE_NEEDED, true},
	{"on-trap", set_on_trap, "end or continue", VALUE_NEEDED, true},
	{"on-trace", set_on_trace, "a command", VALUE_NEEDED, true},
	{"on-trace-within", set_on_trace_within, TIME_ABOVE_0, VALUE_NEEDED, true},
	{"quiet", set_quiet, NULL, VALUE_NONE, true},
	{"notes", set_notes, "a path", VALUE_NEEDED, false},
};

#define WORD_COUNT (sizeof(words) / sizeof(*words))

static const struct word *tool_word_find(const char *text)
{
	size_t length = strcspn(text, "=");

	for (size_t i = 0; i < WORD_COUNT; i++)
		if (strlen(words[i].name) == length && !memcmp(words[i].name, text, length))
			return &words[i];
	return NULL;
}

static bool tool_word_set(const struct word *word, struct wt_tool_options *options,
			  const char *text)
{
	const char *equal = strchr(text, '=');

	return (word->value == VALUE_OPTIONAL ||
		(word->value == VALUE_NEEDED) == (equal != NULL)) &&
	       word->set(options, equal ? equal + 1 : NULL);
}

/* The words that a user can say; one that can go without a value is there twice. */
static void tool_words_list(char *text_ret, size_t size)
{
	size_t length = (size_t)snprintf(text_ret, size, "there is no such word; there are ");

	for (size_t i = 0; i < WORD_COUNT && length < size; i++)
		if (words[i].listed)
			length += (size_t)snprintf(
				text_ret + length, size - length, "%s%s%s%s%s", i ? ", " : "",
				words[i].name, words[i].value == VALUE_OPTIONAL ? ", " : "",
				words[i].value == VALUE_OPTIONAL ? words[i].name : "",
				words[i].value == VALUE_NONE ? "" : "=");
}

/* The name of a word that may have been meant, or all of them. */
static void tool_word_guess(const char *text, char *why_ret, size_t size)
{
	wt_cleanup_free char *name = strndup(text, strcspn(text, "="));
	struct wt_guess guess = wt_guess_begin(name ? name : "");

	for (size_t i = 0; i < WORD_COUNT; i++)
		if (words[i].listed)
			wt_guess_offer(&guess, words[i].name);
	if (guess.nearest)
		snprintf(why_ret, size, "there is no such word: did you mean %s%s?", guess.nearest,
			 tool_word_find(guess.nearest)->value == VALUE_NEEDED ? "=" : "");
	else
		tool_words_list(why_ret, size);
}

/* Keep the first word that is wrong, and say why. */
static void tool_word_refuse(struct wt_tool_options *options, const struct word *word,
			     const char *text)
{
	if (options->refused[0])
		return;
	snprintf(options->refused, sizeof(options->refused), "%.200s", text);
	if (!word)
		tool_word_guess(text, options->why, sizeof(options->why));
	else if (word->allowed)
		snprintf(options->why, sizeof(options->why), "%s is %s", word->name, word->allowed);
	else
		snprintf(options->why, sizeof(options->why), "%s has no value", word->name);
}

/*
 * Takes a word, as much of it as there is room for, in which a character behind a backslash stands for itself. Returns what is behind it;
 * the length is that of the whole word.
 */
static const char *tool_word_take(const char *text, char word_ret[WORD_MAX], size_t *length_ret)
{
	size_t length = 0;

	for (; *text && !strchr(BETWEEN_WORDS, *text); text++, length++) {
		text += *text == '\\' && text[1];
		if (length < WORD_MAX)
			word_ret[length] = *text;
	}
	word_ret[length < WORD_MAX ? length : WORD_MAX - 1] = '\0';
	*length_ret = length;
	return text;
}

bool wt_tool_options_parse(const char *text, struct wt_tool_options *options_ret)
{
	struct wt_tool_options options = {.output = strdup(WT_TOOL_PATTERN),
					  .traces = WT_TOOL_TRACES,
					  .on_trace_within_ms = WT_ON_TRACE_WITHIN_MS};
	char word[WORD_MAX];

	if (!options.output)
		return false;
	while (text && *text) {
		struct wt_tool_options changed = options;
		const struct word *named;
		size_t length;

		text = tool_word_take(text, word, &length);
		named = tool_word_find(word);
		if (length && length < WORD_MAX && named && tool_word_set(named, &changed, word))
			options = changed;
		else if (length)
			tool_word_refuse(&options, named, word);
		text += *text != '\0';
	}
	*options_ret = options;
	return true;
}

void wt_tool_options_deinit(struct wt_tool_options *options)
{
	free(options->output);
	free(options->library);
	free(options->notes);
	free(options->on_trace);
	for (size_t i = 0; i < WT_SOURCE_MAPS; i++)
		free(options->sources[i]);
	*options = (struct wt_tool_options){0};
}
