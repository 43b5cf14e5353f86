/* SPDX-License-Identifier: MIT */
/* Errors, numbers, flags and JSON, the same for every verb. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
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

int wt_cli_usage(const char *verb, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "wavetape: wrong usage: %s: ", verb);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "; see `wavetape %s --help`\n", verb);
	return WT_EXIT_USAGE;
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

int wt_cli_json(json_t *value)
{
	int failed;

	if (!value)
		return wt_cli_fail(&wt_error_no_memory);
	failed = json_dumpf(value, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(value);
	putchar('\n');
	return failed ? WT_EXIT_FAILED : WT_EXIT_FINE;
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
