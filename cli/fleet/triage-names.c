/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/fleet/triage.h"
#include "cli/output.h"

static const char what[] = "cannot understand the pattern of names";

#define LETTERS_MAX 16u

/* The parts of a name that stand for the letters of a pattern. */
struct names {
	regex_t expression;
	char letters[LETTERS_MAX]; /* by group */
	size_t count;
};

/* The texts that a letter may become: recorder/naming/pattern.h. */
static const char *letter_shape(char letter)
{
	switch (letter) {
	case 'h':
	case 'j':
	case 'e':
		return "([A-Za-z0-9._-]+)";
	case 'r':
		return "([0-9]+|none)";
	case 'p':
		return "([0-9]+)";
	case 't':
		return "([0-9]{8}T[0-9]{6}Z)";
	default:
		return NULL;
	}
}

static struct wt_error *names_translate(const char *pattern, struct names *names,
					struct wt_buffer *buffer)
{
	wt_buffer_append_text(buffer, "^");
	for (const char *c = pattern; *c; c++) {
		char quoted[3] = {'\\', *c, '\0'};

		if (*c == '%' && c[1] != '%') {
			if (!letter_shape(c[1]) || names->count == LETTERS_MAX)
				return wt_error_create(WT_ERROR_USAGE, what, pattern,
						       "%%%c stands for nothing; there are %%h, "
						       "%%p, %%r, %%j, %%t, %%e and %%%%",
						       c[1] ? c[1] : ' ');
			names->letters[names->count++] = *++c;
			wt_buffer_append_text(buffer, letter_shape(*c));
			continue;
		}
		c += *c == '%';
		wt_buffer_append_text(buffer, isalnum((unsigned char)*c) || (*c & 0x80) ? quoted + 1
											: quoted);
	}
	wt_buffer_append(buffer, "$", 2);
	return buffer->failed ? &wt_error_no_memory : NULL;
}

static struct wt_error *names_init(struct names *names, const char *pattern)
{
	wt_cleanup_buffer struct wt_buffer buffer = {0};
	const char *slash = strrchr(pattern, '/');
	struct wt_error *error = names_translate(slash ? slash + 1 : pattern, names, &buffer);

	if (error)
		return error;
	if (regcomp(&names->expression, (const char *)buffer.data, REG_EXTENDED))
		return wt_error_create(WT_ERROR_USAGE, what, pattern, "it is no pattern of names");
	return NULL;
}

static void names_set(json_t *record, char letter, const char *text)
{
	const char *name = letter == 'h'   ? "host"
			   : letter == 'r' ? "rank"
			   : letter == 'j' ? "job"
					   : NULL;

	if (name && strcmp(text, "none") != 0 && !wt_triage_text(record, name))
		json_object_set_new(record, name, wt_cli_json_text(text));
}

/* The recorder put a number before the ending where a file of the name was there: "a-2.wtape". To free(); or NULL. */
static char *name_without_number(const char *name)
{
	const char *dot = strrchr(name, '.'), *dash = strrchr(name, '-');
	char *other;

	if (!dot || !dash || dash + 1 + strspn(dash + 1, "0123456789") != dot || dash + 1 == dot)
		return NULL;
	return asprintf(&other, "%.*s%s", (int)(dash - name), name, dot) < 0 ? NULL : other;
}

static void names_match(const struct names *names, const struct wt_triage_file *file)
{
	const char *slash = strrchr(file->path, '/');
	const char *name = slash ? slash + 1 : file->path;
	regmatch_t groups[LETTERS_MAX + 1];
	wt_cleanup_free char *other = NULL;

	if (regexec(&names->expression, name, names->count + 1, groups, 0)) {
		name = other = name_without_number(name);
		if (!other || regexec(&names->expression, name, names->count + 1, groups, 0))
			return;
	}
	for (size_t i = 0; i < names->count; i++) {
		wt_cleanup_free char *text =
			strndup(name + groups[i + 1].rm_so,
				(size_t)(groups[i + 1].rm_eo - groups[i + 1].rm_so));

		if (text)
			names_set(file->record, names->letters[i], text);
	}
}

struct wt_error *wt_triage_take_names(const char *pattern, struct wt_triage_files *files)
{
	struct names names = {.count = 0};
	struct wt_error *error = names_init(&names, pattern);

	if (error)
		return error;
	for (size_t i = 0; i < files->count; i++)
		names_match(&names, &files->files[i]);
	regfree(&names.expression);
	return NULL;
}
