/* SPDX-License-Identifier: MIT */
#include "recorder/recording/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/guess.h"
#include "gfx/architecture/register-list.h"

static const char what[] = "cannot understand the option";

struct wt_options wt_options_default(void)
{
	return (struct wt_options){
		.policy = {.memory_bytes = WT_POLICY_MEMORY},
		.sync_every = 1,
	};
}

/* A decimal, 0x or 0 number without sign; what follows it in @end_ret. */
static bool number_parse(const char *text, const char **end_ret, uint64_t *number_ret)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text)
		return false;
	*end_ret = end;
	*number_ret = value;
	return true;
}

/* The same with K, M or G behind it. */
static bool size_number(const char *text, const char **end_ret, uint64_t *number_ret)
{
	static const char units[] = "KMG";
	const char *unit;
	uint64_t value;

	if (!number_parse(text, &text, &value))
		return false;
	unit = *text ? strchr(units, toupper((unsigned char)*text)) : NULL;
	if (unit) {
		unsigned int shift = 10 * (unsigned int)(unit - units + 1);

		if (value > UINT64_MAX >> shift)
			return false;
		value <<= shift;
		text++;
	}
	*end_ret = text;
	*number_ret = value;
	return true;
}

static bool text_is_whole(const char *end)
{
	return !*end;
}

bool wt_options_size(const char *text, uint64_t *bytes_ret)
{
	return size_number(text, &text, bytes_ret) && text_is_whole(text);
}

typedef bool (*setter)(struct wt_options *options, const char *value);

static bool set_waves(struct wt_options *options, const char *value)
{
	static const char *const names[] = {"auto", "faulting", "stopped", "all"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(value, names[i]))
			continue;
		options->policy.waves = (enum wt_policy_waves)i;
		return true;
	}
	return false;
}

/* Which registers there are is known only when the GPU is: a name need only be well formed. */
static bool options_set_registers(struct wt_options *options, const char *value)
{
	char *list = options->policy.registers;
	struct gfx_register_word wrong;

	if (strlen(value) >= sizeof(options->policy.registers) ||
	    gfx_register_list_check(value, &wrong))
		return false;
	strcpy(list, strcmp(value, "all") ? value : "");
	for (; *list; list++)
		if (*list == ',')
			*list = ':';
	return true;
}

static bool policy_add_range(struct wt_policy *policy, uint64_t address, const char *text,
			     const char **end_ret)
{
	uint64_t size;

	if (policy->range_count == WT_POLICY_RANGES || !size_number(text, end_ret, &size) ||
	    !size || size - 1 > UINT64_MAX - address)
		return false;
	policy->ranges[policy->range_count].address = address;
	policy->ranges[policy->range_count++].size = size;
	return true;
}

/* The budgets of the whole recording end it. */
static void policy_take_all(struct wt_policy *policy)
{
	policy->all_memory = true;
	policy->memory_bytes = UINT64_MAX;
}

static bool set_memory(struct wt_options *options, const char *value)
{
	struct wt_policy *policy = &options->policy;

	/* A later word says all of it: of an earlier one nothing is left. */
	policy->memory_bytes = WT_POLICY_MEMORY;
	policy->all_memory = false;
	policy->range_count = 0;
	for (;;) {
		size_t length = strcspn(value, ":,");
		const char *end = value + length;
		uint64_t first;

		if (length == 4 && !memcmp(value, "none", length))
			policy->memory_bytes = 0;
		else if (length == 4 && !memcmp(value, "near", length))
			policy->memory_bytes = WT_POLICY_MEMORY;
		else if (length == 3 && !memcmp(value, "all", length))
			policy_take_all(policy);
		else if (!size_number(value, &end, &first))
			return false;
		else if (*end != '+')
			policy->memory_bytes = first;
		else if (!policy_add_range(policy, first, end + 1, &end))
			return false;
		if (end != value + length)
			return false;
		if (!*end)
			return true;
		value = end + 1;
	}
}

static bool set_sync(struct wt_options *options, const char *value)
{
	const char *end;
	uint64_t count;

	if (!strcmp(value, "none"))
		options->sync_every = 0;
	else if (!strcmp(value, "stop"))
		options->sync_every = 1;
	else if (!strncmp(value, "every=", 6) && number_parse(value + 6, &end, &count) &&
		 text_is_whole(end) && count && count <= UINT32_MAX)
		options->sync_every = (uint32_t)count;
	else
		return false;
	return true;
}

static bool set_count(uint32_t *count_ret, const char *value)
{
	const char *end;
	uint64_t count;

	if (!number_parse(value, &end, &count) || !text_is_whole(end) || !count ||
	    count > UINT32_MAX)
		return false;
	*count_ret = (uint32_t)count;
	return true;
}

static bool set_ring(struct wt_options *options, const char *value)
{
	return set_count(&options->ring_stops, value);
}

static bool set_keyframes(struct wt_options *options, const char *value)
{
	return set_count(&options->keyframes, value);
}

static bool set_size(uint64_t *size, const char *value)
{
	const char *end;
	uint64_t bytes;

	if (!size_number(value, &end, &bytes) || !text_is_whole(end) || !bytes)
		return false;
	*size = bytes;
	return true;
}

static bool set_max_bytes(struct wt_options *options, const char *value)
{
	return set_size(&options->max_bytes, value);
}

/* With less not even the buffers for the smallest trace can be had. */
static bool set_max_memory(struct wt_options *options, const char *value)
{
	return set_size(&options->max_memory, value) &&
	       options->max_memory >= WT_OPTIONS_MEMORY_MIN;
}

static bool set_min_free(struct wt_options *options, const char *value)
{
	return set_size(&options->min_free, value);
}

static bool set_max_stopped(struct wt_options *options, const char *value)
{
	const char *end;
	uint64_t milliseconds;

	if (!number_parse(value, &end, &milliseconds) || !text_is_whole(end) || !milliseconds ||
	    milliseconds > UINT32_MAX)
		return false;
	options->max_stopped_ms = milliseconds;
	return true;
}

#define FLAG(name, field)                                                                          \
	static bool set_##name(struct wt_options *options, const char *value)                      \
	{                                                                                          \
		options->field = !value;                                                           \
		return !value;                                                                     \
	}
FLAG(redact, policy.redact)
FLAG(no_code, policy.no_code)
FLAG(no_host, policy.no_host)
FLAG(environment, policy.environment)
FLAG(hold, policy.hold)
FLAG(lightweight, policy.lightweight)
FLAG(no_mapping, no_mapping)
FLAG(no_thread, no_thread)
FLAG(reproducible, reproducible)
FLAG(journal_only, journal_only)

static const struct word {
	const char *name;
	setter set;
	const char *allowed; /* NULL: the word has no value */
	bool content;	     /* it decides what is in the trace */
} words[] = {
	{"waves", set_waves, "auto, faulting, stopped or all", true},
	{"registers", options_set_registers, "all, or a list of " GFX_REGISTER_LIST_TAKES, true},
	{"memory", set_memory,
	 "near, none, all, a number of bytes (64M), or up to 16 ranges ADDRESS+SIZE (0x7f0000+4K)",
	 true},
	{"redact", set_redact, NULL, true},
	{"no-code", set_no_code, NULL, true},
	{"no-host", set_no_host, NULL, true},
	{"environment", set_environment, NULL, true},
	{"max-bytes", set_max_bytes, "a number of bytes from " WT_OPTIONS_BYTES_MIN " on (512M)",
	 true},
	{"max-memory", set_max_memory, "a number of bytes from 4M on (256M)", true},
	{"max-stopped-ms", set_max_stopped, "a number of milliseconds above 0", true},
	{"min-free", set_min_free, "a number of bytes above 0 (1G)", false},
	{"ring", set_ring, "a number of stops above 0", true},
	{"sync", set_sync, "none, stop, or every=N stops", false},
	{"no-mapping", set_no_mapping, NULL, true},
	{"no-thread", set_no_thread, NULL, false},
	{"keyframes", set_keyframes, "a number of moments above 0", true},
	{"hold", set_hold, NULL, false},
	{"lightweight", set_lightweight, NULL, true},
	{"reproducible", set_reproducible, NULL, false},
	{"journal-only", set_journal_only, NULL, true},
};

#define WORD_COUNT (sizeof(words) / sizeof(*words))

/* Append to a text of limited length; what does not fit is left out. */
__attribute__((format(printf, 2, 3))) static void words_append(char text[WT_POLICY_WORDS],
							       const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, WT_POLICY_WORDS - length, format, arguments);
	va_end(arguments);
}

/* Which element of a list is wrong, and why; NULL if each is well formed. */
static struct wt_error *refuse_registers(const char *text)
{
	const char *list = strchr(text, '=');
	struct gfx_register_word wrong;
	const char *why = list ? gfx_register_list_check(list + 1, &wrong) : NULL;

	if (!why)
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, what, text, "'%.*s': %s", (int)wrong.length,
			       wrong.text, why);
}

/* The error names the word that may have been meant, or all of them. */
static struct wt_error *word_refuse_name(const char *text)
{
	wt_cleanup_free char *name = strndup(text, strcspn(text, "="));
	struct wt_guess guess = wt_guess_begin(name ? name : "");
	char names[WT_POLICY_WORDS] = "";

	for (size_t i = 0; i < WORD_COUNT; i++) {
		wt_guess_offer(&guess, words[i].name);
		words_append(names, "%s%s%s", i ? ", " : "", words[i].name,
			     words[i].allowed ? "=" : "");
	}
	if (guess.nearest)
		return wt_error_create(WT_ERROR_USAGE, what, text,
				       "there is no such word: did you mean %s?", guess.nearest);
	return wt_error_create(WT_ERROR_USAGE, what, text, "there is no such word; there are %s",
			       names);
}

static struct wt_error *word_refuse(const struct word *word, const char *text)
{
	struct wt_error *error = NULL;

	if (word && word->set == options_set_registers)
		error = refuse_registers(text);
	if (error)
		return error;
	if (word && word->allowed)
		return wt_error_create(WT_ERROR_USAGE, what, text, "%s is %s", word->name,
				       word->allowed);
	if (word)
		return wt_error_create(WT_ERROR_USAGE, what, text, "%s has no value", word->name);
	return word_refuse_name(text);
}

/* The words are whole or they say something else, and who repeats the recording goes by them. */
static bool content_keep_word(char content[WT_POLICY_CONTENT], const char *word)
{
	size_t length = strlen(content);
	int added = snprintf(content + length, WT_POLICY_CONTENT - length, "%s%s",
			     length ? " " : "", word);

	return added >= 0 && (size_t)added < WT_POLICY_CONTENT - length;
}

struct wt_error *wt_options_set(struct wt_options *options, const char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word[length] ? word + length + 1 : NULL;
	struct wt_options changed = *options;

	for (size_t i = 0; i < WORD_COUNT; i++) {
		if (strlen(words[i].name) != length || memcmp(words[i].name, word, length))
			continue;
		if ((words[i].allowed && !value) || !words[i].set(&changed, value))
			return word_refuse(&words[i], word);
		if (words[i].content && !content_keep_word(changed.content, word))
			return wt_error_create(
				WT_ERROR_USAGE, what, word,
				"with the words before it that is more than %u bytes",
				WT_POLICY_CONTENT - 1);
		*options = changed;
		return NULL;
	}
	return word_refuse(NULL, word);
}

/* The word that @text begins with, which is left behind; nothing if there is none before the next separator. */
static struct wt_error *set_next(struct wt_options *options, const char **text)
{
	size_t length = strcspn(*text, ", \t\n");
	char word[WT_POLICY_WORDS];

	snprintf(word, sizeof(word), "%.*s", (int)(length < sizeof(word) ? length : 0), *text);
	*text += length;
	*text += **text != '\0';
	if (length >= sizeof(word))
		return wt_error_create(WT_ERROR_USAGE, what, "a long word",
				       "words have up to %zu bytes", sizeof(word) - 1);
	return length ? wt_options_set(options, word) : NULL;
}

struct wt_error *wt_options_set_all(struct wt_options *options, const char *text)
{
	struct wt_error *error = NULL;

	while (text && *text && !error)
		error = set_next(options, &text);
	return error;
}

struct wt_options wt_options_parse(const char *text)
{
	struct wt_options options = wt_options_default();

	while (text && *text) {
		struct wt_error *error = set_next(&options, &text);

		if (!error)
			continue;
		words_append(options.refused, "%s%s: %s", options.refused[0] ? "; " : "",
			     error->where, error->why);
		options.policy.redact = true;
		wt_error_destroy(error);
	}
	return options;
}

bool wt_policy_names(const struct wt_policy *policy, const char *name, const char *const *classes)
{
	return !policy->registers[0] || gfx_register_list_names(policy->registers, name, classes);
}
