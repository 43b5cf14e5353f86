/* SPDX-License-Identifier: MIT */
/* Names of functions as their authors wrote them. */
#ifndef WT_CLI_FUNCTION_NAMES_H
#define WT_CLI_FUNCTION_NAMES_H

#include <stdbool.h>

/** "fault(int*)" of "_Z5faultPi", for the caller to free(); NULL of what is no mangled name, or stands for too much. */
char *wt_cli_demangle(const char *name);

#define WT_CLI_NAME 256

/** A name for a line of text: demangled if it is mangled, and cut with "..." if it is long. */
const char *wt_cli_name(const char *name, char buffer[WT_CLI_NAME]);

/**
 * Does a user mean this function: by its symbol, as its author wrote it, or by its name alone, without parameters?
 *
 * @whole: with all that it is in; else all or some of that may be left out.
 */
bool wt_cli_name_is(const char *symbol, const char *wanted, bool whole);

#endif /* WT_CLI_FUNCTION_NAMES_H */
