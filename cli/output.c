/* SPDX-License-Identifier: MIT */
/* Errors, numbers, flags and JSON, the same for every verb. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/command.h"
#include "dbgapi/api.h"

int wt_cli_fail(struct wt_error *error)
{
	int code = error->code == WT_ERROR_USAGE ? WT_EXIT_USAGE : WT_EXIT_FAILED;

	fflush(stdout);
	if (error->where[0])
		fprintf(stderr, "wavetape: %s: %s: %s\n", error->what, error->where, error->why);
	else
		fprintf(stderr, "wavetape: %s: %s\n", error->what, error->why);
	wt_error_destroy(error);
	return code;
}

bool wt_cli_number(const char *text, uint64_t *number_ret)
{
	unsigned long long number;
	char *end;

	/* strtoull() takes signs and blanks, which are no part of a number here. */
	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || *end)
		return false;
	*number_ret = number;
	return true;
}

uint64_t wt_cli_wave(struct argp_state *state, const char *text)
{
	uint64_t wave = 0;

	if (!wt_cli_number(text[0] == 'w' ? text + 1 : text, &wave) || !wave)
		argp_error(state, "--wave takes a wave as `wavetape waves` lists them, not '%s'",
			   text);
	return wave;
}

int wt_cli_json(json_t *value)
{
	int failed;

	if (!value)
		return wt_cli_fail(&wt_error_no_memory);
	failed = json_dumpf(value, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(value);
	putchar('\n');
	/* What stdout did not take is told when the command ends. */
	return failed ? WT_EXIT_FAILED : WT_EXIT_FINE;
}

int wt_cli_finish(int code)
{
	if (!ferror(stdout) && !fflush(stdout))
		return code;
	fprintf(stderr, "wavetape: cannot write the output: stdout: %s\n", strerror(errno));
	return WT_EXIT_FAILED;
}

/** The length of the character at the start of @text, which is not empty; 0 if it is no UTF-8. */
static size_t character_length(const char *text)
{
	size_t most = strnlen(text, 4);

	for (size_t length = 1; length <= most; length++) {
		json_t *character = json_stringn(text, length);

		json_decref(character);
		if (character)
			return length;
	}
	return 0;
}

json_t *wt_cli_json_text(const char *text)
{
	static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
	wt_cleanup_free char *clean = NULL;
	json_t *string;
	size_t used = 0;

	if (!text)
		return json_null();
	string = json_string(text);
	if (string)
		return string;
	clean = malloc(strlen(text) * strlen(replacement) + 1);
	if (!clean)
		return NULL;
	while (*text) {
		size_t length = character_length(text);
		const char *from = length ? text : replacement;

		text += length ? length : 1;
		length = length ? length : strlen(replacement);
		memcpy(clean + used, from, length);
		used += length;
	}
	return json_stringn(clean, used);
}

struct wt_error *wt_cli_write_file(const char *what, const char *path, const void *data,
				   size_t size)
{
	wt_cleanup_fclose FILE *file = fopen(path, "wbe");

	if (!file || fwrite(data, 1, size, file) != size || fflush(file))
		return wt_error_errno(errno, what, path);
	return NULL;
}

json_t *wt_cli_json_hex(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

const char *wt_cli_flags(const char *enumeration, uint64_t value, const char *prefix, char *buffer,
			 size_t size)
{
	const struct wt_enumeration *flags = wt_enumeration_find(enumeration);
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; flags && i < flags->count; i++) {
		uint64_t flag = (uint64_t)flags->values[i].value;
		const char *name = flags->values[i].name;
		int length;

		if (flag ? !(value & flag) : value != 0)
			continue;
		if (!strncmp(name, prefix, strlen(prefix)))
			name += strlen(prefix);
		length = snprintf(buffer + used, size - used, "%s%s", used ? "|" : "", name);
		if (length < 0 || (size_t)length >= size - used)
			break;
		used += (size_t)length;
		value &= ~flag;
	}
	if (value)
		snprintf(buffer + used, size - used, "%s0x%" PRIx64, used ? "|" : "", value);
	return buffer;
}
