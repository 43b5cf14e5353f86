/* SPDX-License-Identifier: MIT */
/* Scripts and other programs that start a client: looked into, so that the client is known before anything runs. */
#ifndef WT_CLI_LAUNCHER_H
#define WT_CLI_LAUNCHER_H

/** The beginning of a script, for the caller to free(); NULL if the file is none. */
char *wt_launcher_read(const char *path);

/* These characters stand between words of a script, as far as names of programs are concerned. */
#define WT_LAUNCHER_BLANKS " \t\r\n\"'`;|&(){}<>=,"

/**
 * The program that a command line leads to and that is linked with a library: the first word, a program that a script names or that
 * is called as the script is with something behind it (AMD's `rocgdb' starts a `rocgdb-py3.11' beside itself), or a later word, as
 * of `env CLIENT'.
 *
 * @command: NULL-terminated.
 * @soname: as wt_needed_find() has it.
 *
 * Return: its path, for the caller to free(); NULL if none can be seen.
 */
char *wt_launcher_find_linked(char *const *command, const char *soname);

#endif /* WT_CLI_LAUNCHER_H */
