/* SPDX-License-Identifier: MIT */
/*
 * Names of traces as patterns: `crash-%h-%r-%p.wtape`. In place of each letter stands what it means in the process that
 * records:
 *
 *   %h host   %p process id   %r rank   %j job   %t time (UTC)   %e executable   %% a percent sign
 *
 * Rank and job are those of Slurm, Open MPI, MPICH, MVAPICH2, PMIx, PBS, LSF, Flux, Kubernetes or torchrun. Where there
 * is none, `none` stands in its place. What the environment says never leads to another directory: each byte that is no
 * letter, digit, '.', '_' or '-' becomes '_', and so does a '.' at the start.
 *
 * The room `naming` says where a trace is to lie (this file), and makes that place: place.h. It must not know what a trace holds.
 */
#ifndef WT_RECORDER_NAMING_PATTERN_H
#define WT_RECORDER_NAMING_PATTERN_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

#define WT_NAME_WORD 64u /* bytes of each word, and of each pattern's letter, at most */

/* Texts for the letters of a pattern, as they may be in a name. */
struct wt_name_facts {
	char host[WT_NAME_WORD], rank[WT_NAME_WORD], job[WT_NAME_WORD], executable[WT_NAME_WORD];
	pid_t process;
	time_t time;
};

/**
 * The facts of this process, and of now.
 *
 * @variable: looks a variable of the environment up: getenv().
 */
struct wt_name_facts wt_name_facts_find(char *(*variable)(const char *name));

/**
 * Rank and job of a process by its environment; "none" where there is none.
 *
 * @text: @size bytes, as /proc/PID/environ has them: "NAME=VALUE", each with a NUL behind it.
 */
void wt_name_words_in(const char *text, size_t size, char rank[WT_NAME_WORD],
		      char job[WT_NAME_WORD]);

/** Put a text into a word of a name: what may not stand there is replaced, what does not fit is left out. */
void wt_name_word(const char *text, char word[WT_NAME_WORD]);

/** Has a text a letter that stands for something, or "%%"? Then it is a pattern, and else it is a name. */
bool wt_pattern_is(const char *text);

/**
 * The name that a pattern stands for. Directories in it are not made.
 *
 * @path_ret: to free().
 *
 * Errors: USAGE for a letter that stands for nothing; memory.
 */
struct wt_error *wt_pattern_expand(const char *pattern, const struct wt_name_facts *facts,
				   char **path_ret);

/**
 * The names without directories that the last part of a pattern may become, whatever the facts, as for fnmatch(). To
 * free(); NULL if there is no memory.
 */
char *wt_pattern_glob(const char *pattern);

#endif /* WT_RECORDER_NAMING_PATTERN_H */
