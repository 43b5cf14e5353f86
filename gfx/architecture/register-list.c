/* SPDX-License-Identifier: MIT */
#include "gfx/architecture/register-list.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "gfx/architecture/architecture.h"

#define SEPARATORS ",:"
#define DIGITS_MAX 6 /* of a register's number */

/* "s4-s15": the registers of one kind with the numbers 4 to 15. */
struct run {
	const char *kind;
	size_t kind_length;
	uint32_t first, last;
};

bool gfx_register_list_next(const char **rest, struct gfx_register_word *word_ret)
{
	size_t length;

	if (!*rest)
		return false;
	length = strcspn(*rest, SEPARATORS);
	*word_ret = (struct gfx_register_word){*rest, length};
	*rest = (*rest)[length] ? *rest + length + 1 : NULL;
	return true;
}

static size_t digits(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && isdigit((unsigned char)text[count]))
		count++;
	return count;
}

/* A name's part before its number: 4 for "ttmp11", all of it without a number at the end. */
static size_t kind_length(const char *name, size_t length)
{
	while (length && isdigit((unsigned char)name[length - 1]))
		length--;
	return length;
}

/* @count: of digits, at most DIGITS_MAX. */
static uint32_t digits_number(const char *text, size_t count)
{
	uint32_t value = 0;

	for (size_t i = 0; i < count; i++)
		value = value * 10 + (uint32_t)(text[i] - '0');
	return value;
}

/* One end of a run: the number behind its kind. False if it has none, or too large a one. */
static bool parse_end(const char *text, size_t length, size_t kind, uint32_t *number_ret)
{
	if (kind == length || length - kind > DIGITS_MAX)
		return false;
	*number_ret = digits_number(text + kind, length - kind);
	return true;
}

/* An element with a dash in it. NULL if it is a run, else the reason why it is not. */
static const char *parse_run(const struct gfx_register_word *word, const char *dash,
			     struct run *run_ret)
{
	const char *first = word->text, *last = dash + 1;
	size_t first_length = (size_t)(dash - first);
	size_t last_length = word->length - first_length - 1;
	struct run run = {.kind = first, .kind_length = kind_length(first, first_length)};

	if (!parse_end(first, first_length, run.kind_length, &run.first) ||
	    !parse_end(last, last_length, kind_length(last, last_length), &run.last))
		return "a run has a register with a number at both ends (s0-s15), of up to 6 "
		       "digits";
	if (!run.kind_length || kind_length(last, last_length) != run.kind_length ||
	    memcmp(first, last, run.kind_length))
		return "the ends of a run are registers of one kind (s0-s15)";
	if (run.first > run.last)
		return "the run ends before it begins";
	*run_ret = run;
	return NULL;
}

static const char *check_word(const struct gfx_register_word *word)
{
	const char *dash = memchr(word->text, '-', word->length);
	struct run run;

	if (!word->length)
		return "an element is empty";
	for (size_t i = 0; i < word->length; i++)
		if (!isalnum((unsigned char)word->text[i]) && !strchr("_-", word->text[i]))
			return "names have letters, digits and _";
	return dash ? parse_run(word, dash, &run) : NULL;
}

const char *gfx_register_list_check(const char *list, struct gfx_register_word *wrong_ret)
{
	struct gfx_register_word word;

	while (gfx_register_list_next(&list, &word)) {
		const char *why = check_word(&word);

		if (!why)
			continue;
		*wrong_ret = word;
		return why;
	}
	return NULL;
}

static bool in_run(const struct run *run, const char *name)
{
	size_t length = strlen(name), count;

	if (length <= run->kind_length || memcmp(name, run->kind, run->kind_length))
		return false;
	count = length - run->kind_length;
	if (count > DIGITS_MAX || digits(name + run->kind_length, count) != count)
		return false;
	return run->first <= digits_number(name + run->kind_length, count) &&
	       digits_number(name + run->kind_length, count) <= run->last;
}

static bool is(const struct gfx_register_word *word, const char *text)
{
	return strlen(text) == word->length && !memcmp(word->text, text, word->length);
}

bool gfx_register_word_names(const struct gfx_register_word *word, const char *name,
			     const char *const *classes)
{
	const char *dash = memchr(word->text, '-', word->length);
	struct run run;

	if (dash)
		return !parse_run(word, dash, &run) && in_run(&run, name);
	if (is(word, "all") || is(word, name))
		return true;
	for (; *classes; classes++)
		if (is(word, *classes))
			return true;
	return false;
}

bool gfx_register_list_names(const char *list, const char *name, const char *const *classes)
{
	struct gfx_register_word word;

	while (gfx_register_list_next(&list, &word))
		if (gfx_register_word_names(&word, name, classes))
			return true;
	return false;
}

/* ---- Known registers ---- */

static bool names_register_of(const struct gfx_architecture *architecture,
			      const struct gfx_register_word *word)
{
	size_t count = gfx_register_count(architecture);

	for (size_t i = 0; i < count; i++) {
		const char *classes[GFX_CLASS_COUNT + 1] = {NULL};
		char name[GFX_REGISTER_NAME];
		struct gfx_register reg;
		size_t used = 0;

		if (!gfx_register_at(architecture, i, &reg))
			continue;
		for (size_t class = 0; class < GFX_CLASS_COUNT; class ++)
			if (reg.range->classes >> class & 1)
				classes[used++] = architecture->classes[class].name;
		gfx_register_name(&reg, name);
		if (gfx_register_word_names(word, name, classes))
			return true;
	}
	return false;
}

bool gfx_register_list_find_unknown(const char *list, struct gfx_register_word *unknown_ret)
{
	struct gfx_register_word word;

	while (gfx_register_list_next(&list, &word)) {
		bool known = false;

		for (size_t i = 0; !known && i < gfx_architecture_count(); i++)
			known = names_register_of(gfx_architecture_at(i), &word);
		if (known)
			continue;
		*unknown_ret = word;
		return true;
	}
	return false;
}
