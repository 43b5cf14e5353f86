/* SPDX-License-Identifier: MIT */
#include "tool/tool-options.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/recording/options.h"
#include "tool/on-trace.h"
#include "tool/signal-names.h"
#include "tool/trapping.h"

#define WORD_MAX 4096u
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

static const struct {
	const char *name;
	setter set;
	enum word_value value;
	bool listed; /* else it is the command's own */
} words[] = {
	{"output", set_output, VALUE_NEEDED, true},
	{"keep", set_keep, VALUE_NEEDED, true},
	{"keep-bytes", set_keep_bytes, VALUE_NEEDED, true},
	{"traces", set_traces, VALUE_NEEDED, true},
	{"library", set_library, VALUE_NEEDED, true},
	{"hang-after", set_hang_after, VALUE_NEEDED, true},
	{"signal", set_signal, VALUE_NEEDED, true},
	{"source", set_source, VALUE_NEEDED, true},
	{"precise", set_precise, VALUE_OPTIONAL, true},
	{"trap", set_trap, VALUE_NEEDED, true},
	{"on-trap", set_on_trap, VALUE_NEEDED, true},
	{"on-trace", set_on_trace, VALUE_NEEDED, true},
	{"on-trace-within", set_on_trace_within, VALUE_NEEDED, true},
	{"quiet", set_quiet, VALUE_NONE, true},
	{"notes", set_notes, VALUE_NEEDED, false},
};

void wt_tool_options_list(char *text_ret, size_t size)
{
	size_t length = 0;

	*text_ret = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && length < size; i++)
		if (words[i].listed)
			length += (size_t)snprintf(
				text_ret + length, size - length, "%s%s%s%s%s", length ? ", " : "",
				words[i].name, words[i].value == VALUE_OPTIONAL ? ", " : "",
				words[i].value == VALUE_OPTIONAL ? words[i].name : "",
				words[i].value == VALUE_NONE ? "" : "=");
}

static bool set_word(struct wt_tool_options *options, const char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word[length] ? word + length + 1 : NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == length && !memcmp(words[i].name, word, length))
			return (words[i].value == VALUE_OPTIONAL ||
				(words[i].value == VALUE_NEEDED) == (value != NULL)) &&
			       words[i].set(options, value);
	return false;
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
		size_t length = strcspn(text, ", \t\n");
		struct wt_tool_options changed = options;

		snprintf(word, sizeof(word), "%.*s", (int)(length < WORD_MAX ? length : WORD_MAX),
			 text);
		if (length && length < WORD_MAX && set_word(&changed, word))
			options = changed;
		else if (length && !options.refused[0])
			snprintf(options.refused, sizeof(options.refused), "%.*s",
				 (int)(length < 200 ? length : 200), text);
		text += length;
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
