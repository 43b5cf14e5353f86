/* SPDX-License-Identifier: MIT */
#include "cli/function-names.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/demangle.h"

#define MANGLED_MAX 4096u
#define DEMANGLED_MAX 65536u
#define DEMANGLER_BYTES ((uint64_t)16 << 20) /* of memory */

/* The C++ ABI has this, in libstdc++, without a header for C. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status_ret);

/* Bytes of memory that this process may write to; 0 if that is not known. */
static uint64_t process_data_size(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;
	bool is_read;

	if (!file)
		return 0;
	is_read = fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) == 1;
	fclose(file);
	return is_read ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* A name of some hundred letters can stand for one that fills the memory: then it stays as it is. */
char *wt_cli_demangle(const char *name)
{
	struct rlimit before, bound;
	uint64_t used = process_data_size();
	char *demangled;

	if (strncmp(name, "_Z", 2) || strlen(name) > MANGLED_MAX || !used ||
	    getrlimit(RLIMIT_DATA, &before))
		return NULL;
	bound = before;
	if (bound.rlim_cur > used + DEMANGLER_BYTES)
		bound.rlim_cur = used + DEMANGLER_BYTES;
	if (setrlimit(RLIMIT_DATA, &bound))
		return NULL;
	demangled = wt_demangle(__cxa_demangle, name);
	setrlimit(RLIMIT_DATA, &before);
	if (demangled && strlen(demangled) > DEMANGLED_MAX) {
		free(demangled);
		return NULL;
	}
	return demangled;
}

const char *wt_cli_name(const char *name, char buffer[WT_CLI_NAME])
{
	wt_cleanup_free char *demangled = wt_cli_demangle(name);
	const char *shown = demangled ? demangled : name;

	if (strlen(shown) < WT_CLI_NAME)
		return strcpy(buffer, shown);
	snprintf(buffer, WT_CLI_NAME, "%.*s...", WT_CLI_NAME - 4, shown);
	return buffer;
}

/* The parameters of a function: the last brackets of its name; NULL if it has none. */
static const char *name_parameters(const char *demangled)
{
	const char *at = strrchr(demangled, ')');
	int depth = 0;

	for (; at && at >= demangled; at--) {
		depth += *at == ')';
		depth -= *at == '(';
		if (!depth)
			return at;
	}
	return NULL;
}

/* Behind what a template is made of, if that stands there: "<int>". */
static const char *name_skip_template(const char *at)
{
	int depth = 0;

	if (*at != '<')
		return at;
	do {
		depth += *at == '<';
		depth -= *at == '>';
	} while (*at++ && depth);
	return depth ? at - 1 : at;
}

/*
 * "part::mix", and "mix" unless it must be the whole, of "float part::mix<int>(int)": all of it, or all before the parameters, with what it
 * returns and is in or without.
 */
static bool name_is_called(const char *demangled, const char *wanted, bool whole)
{
	const char *parameters = name_parameters(demangled);
	size_t length = strlen(wanted);
	const char *at = demangled;

	if (!strcmp(demangled, wanted))
		return true;
	for (; parameters && length && (at = strstr(at, wanted)) && at < parameters; at++)
		if ((at == demangled || at[-1] == ' ' || (!whole && at[-1] == ':' && *at != ':')) &&
		    name_skip_template(at + length) == parameters)
			return true;
	return false;
}

bool wt_cli_name_is(const char *symbol, const char *wanted, bool whole)
{
	wt_cleanup_free char *demangled = NULL;

	if (!strcmp(symbol, wanted))
		return true;
	demangled = wt_cli_demangle(symbol);
	return demangled && name_is_called(demangled, wanted, whole);
}
