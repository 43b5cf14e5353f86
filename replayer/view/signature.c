/* SPDX-License-Identifier: MIT */
#include "replayer/view/signature.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char operator_word[] = "operator";
static const char anonymous[] = "(anonymous namespace)";
static const char offloading[] = "__omp_offloading_";

struct output {
	char *text;
	size_t length;
};

static void output_put(struct output *output, const char *text, size_t length)
{
	memcpy(output->text + output->length, text, length);
	output->length += length;
	output->text[output->length] = '\0';
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Does what was put end with the keyword, so that signs which follow are the operator's own? */
static bool after_operator(const struct output *output)
{
	size_t size = sizeof(operator_word) - 1;

	return output->length >= size &&
	       !memcmp(output->text + output->length - size, operator_word, size) &&
	       (output->length == size || !is_word(output->text[output->length - size - 1]));
}

/* Behind the bracket that closes the one at @text; NULL if none does. */
static const char *past_group(const char *text)
{
	size_t depth = 0;

	for (; *text; text++) {
		depth += *text == '(' || *text == '{' || *text == '[';
		if (*text == ')' || *text == '}' || *text == ']') {
			if (depth <= 1)
				return text + 1;
			depth--;
		}
	}
	return NULL;
}

/* The same for template arguments. In brackets `<` and `>` may be comparisons: they do not count there. */
static const char *past_arguments(const char *text)
{
	size_t depth = 0;

	while (text && *text) {
		if (*text == '(' || *text == '{' || *text == '[') {
			text = past_group(text);
			continue;
		}
		depth += *text == '<';
		if (*text == '>' && !--depth)
			return text + 1;
		text++;
	}
	return NULL;
}

/* The signs of an operator: "()", "[]", "<<", "->". The length; 0 for one that is a word, as `new`. */
static size_t operator_signs(const char *text)
{
	if (!strncmp(text, "()", 2) || !strncmp(text, "[]", 2))
		return 2;
	return strspn(text, "+-*/%^&|~!=<>,");
}

/* Put a name without arguments of any kind, up to what follows its last parameters. False if it is not well formed. */
static bool put_plain(const char *text, struct output *output)
{
	while (*text) {
		const char *next = text + 1;
		size_t signs = after_operator(output) ? operator_signs(text) : 0;

		if (signs) {
			/* "operator< <int>" and "operator<<int>" are written with a blank between. */
			output_put(output, text, signs);
			text += signs;
			text += *text == ' ' && text[1] == '<';
			continue;
		}
		if (!strncmp(text, anonymous, sizeof(anonymous) - 1)) {
			output_put(output, text, sizeof(anonymous) - 1);
			text += sizeof(anonymous) - 1;
			continue;
		}
		if (*text == '<')
			next = past_arguments(text);
		else if (*text == '(')
			next = past_group(text);
		else
			output_put(output, text, 1);
		if (!next)
			return false;
		/* Behind parameters there is the name of something local to the function, a closing brace, or nothing that counts. */
		if (*text == '(' && *next != '#' && strncmp(next, "::", 2) != 0)
			return true;
		text = next;
	}
	return true;
}

/* The name begins behind the last blank that is not one of its own, as in "operator new". */
static char *past_return_type(char *text)
{
	char *start = text, *end = strstr(text, operator_word);

	for (char *c = text; *c && (!end || c < end); c++) {
		if (!strncmp(c, anonymous, sizeof(anonymous) - 1))
			c += sizeof(anonymous) - 2;
		else if (*c == ' ' && c[1])
			start = c + 1;
	}
	return start;
}

/* "__omp_offloading_10302_b2a3c1_main_l12": the numbers are those of the source's device and inode. */
static void drop_numbers(char *name)
{
	char *from = name + sizeof(offloading) - 1;

	if (strncmp(name, offloading, sizeof(offloading) - 1) != 0)
		return;
	for (int i = 0; i < 2; i++) {
		size_t digits = strspn(from, "0123456789abcdef");

		if (!digits || from[digits] != '_')
			return;
		from += digits + 1;
	}
	memmove(name + sizeof(offloading) - 1, from, strlen(from) + 1);
}

/* "f.kd" and "f [clone .kd]". */
static void drop_suffix(char *name)
{
	size_t length = strlen(name);
	char *clone = strstr(name, " [clone ");

	if (clone)
		*clone = '\0';
	else if (length > 3 && !strcmp(name + length - 3, ".kd"))
		name[length - 3] = '\0';
}

char *wt_signature_name(const char *name)
{
	char *copy = strdup(name), *plain = malloc(strlen(name) + 1), *start;
	struct output output = {.text = plain};

	if (!copy || !plain) {
		free(copy);
		free(plain);
		return NULL;
	}
	drop_suffix(copy);
	plain[0] = '\0';
	if (!put_plain(copy, &output) || !*past_return_type(plain)) {
		free(plain);
		return copy;
	}
	start = past_return_type(plain);
	memmove(plain, start, strlen(start) + 1);
	drop_numbers(plain);
	free(copy);
	return plain;
}

uint64_t wt_signature_add(uint64_t hash, const char *text)
{
	/* Bytes that no text has in it. */
	static const char none[2] = {0, 1};

	if (!text)
		return XXH3_64bits_withSeed(none, sizeof(none), hash);
	return XXH3_64bits_withSeed(text, strlen(text), hash);
}
