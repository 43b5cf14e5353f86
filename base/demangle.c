/* SPDX-License-Identifier: MIT */
#include "base/demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"

/*
 * Types of the Itanium C++ ABI that demanglers learnt late, and a type of as few letters that all know and no kernel has: names of both are
 * no candidates for substitution, so that nothing else of a mangled name changes its meaning.
 */
static const struct {
	const char *late, *known, *known_name, *name;
} types[] = {
	{"DF16_", "Dd", "decimal64", "_Float16"},
	{"DF16b", "De", "decimal128", "__bf16"},
};

#define TYPES (sizeof(types) / sizeof(types[0]))

static bool demangled_is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Appends a text, in which each @from is @to; of a whole word alone, if @words. */
static void append_replaced(struct wt_buffer *buffer, const char *text, const char *from,
			    const char *to, bool words)
{
	const char *begin = text, *found;
	size_t length = strlen(from);

	for (const char *at = text; (found = strstr(at, from)); at = found + length) {
		if (words && ((found > begin && demangled_is_letter(found[-1])) ||
			      demangled_is_letter(found[length])))
			continue;
		wt_buffer_append(buffer, text, (size_t)(found - text));
		wt_buffer_append_text(buffer, to);
		text = found + length;
	}
	wt_buffer_append_text(buffer, text);
}

static char *replace(const char *text, const char *from, const char *to, bool words)
{
	wt_cleanup_buffer struct wt_buffer buffer = {0};

	append_replaced(&buffer, text, from, to, words);
	return wt_buffer_take_text(&buffer);
}

char *wt_demangle(wt_demangler demangler, const char *name)
{
	wt_cleanup_free char *other = NULL;
	char *found;
	int status;

	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	found = demangler(name, NULL, NULL, &status);
	if (found || !strstr(name, "DF16"))
		return found;
	other = strdup(name);
	for (size_t i = 0; other && i < TYPES; i++) {
		char *next = strstr(name, types[i].known_name)
				     ? NULL
				     : replace(other, types[i].late, types[i].known, false);

		free(other);
		other = next;
	}
	found = other ? demangler(other, NULL, NULL, &status) : NULL;
	for (size_t i = 0; found && i < TYPES; i++) {
		char *next = replace(found, types[i].known_name, types[i].name, true);

		free(found);
		found = next;
	}
	return found;
}
