/* SPDX-License-Identifier: MIT */
#include "cli/launcher.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/libraries.h"
#include "replayer/code/needed.h"

#define SCRIPT_SIZE 65536 /* more of a script is not read */
#define DEPTH 4		  /* scripts that start scripts */

char *wt_launcher_read(const char *path)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	char *text;
	ssize_t size;

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode))
		return NULL;
	text = malloc(SCRIPT_SIZE + 1);
	if (!text)
		return NULL;
	size = read(fd, text, SCRIPT_SIZE);
	if (size < 2 || text[0] != '#' || text[1] != '!') {
		free(text);
		return NULL;
	}
	text[size] = '\0';
	return text;
}

static char *launcher_look_at(const char *path, int depth, const char *soname);

/* Programs beside a script that have its name and something behind it. */
static char *launcher_find_beside(const char *script, const char *soname)
{
	wt_cleanup_free char *pattern = NULL;
	char *found = NULL;
	glob_t list;

	if (strpbrk(script, "*?[\\") || asprintf(&pattern, "%s-*", script) < 0) {
		pattern = NULL;
		return NULL;
	}
	if (!glob(pattern, 0, NULL, &list))
		for (size_t i = 0; i < list.gl_pathc && !found; i++)
			found = launcher_look_at(list.gl_pathv[i], 0, soname);
	globfree(&list);
	return found;
}

/* A word of a script: as it stands, beside the script (whose folder it may have in a variable), or in PATH. */
static char *launcher_follow(const char *script, const char *word, int depth, const char *soname)
{
	const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
	const char *folder = strrchr(script, '/');
	wt_cleanup_free char *beside = NULL, *in_path = NULL;
	char *found;

	if (!*name || strpbrk(name, "$*?[\\"))
		return NULL;
	if (*word == '/' && !strchr(word, '$')) {
		found = launcher_look_at(word, depth, soname);
		if (found)
			return found;
	}
	if (folder && asprintf(&beside, "%.*s/%s", (int)(folder - script), script, name) < 0) {
		beside = NULL;
		return NULL;
	}
	found = beside ? launcher_look_at(beside, depth, soname) : NULL;
	if (found || slash)
		return found;
	in_path = wt_cli_find_program(name);
	return in_path ? launcher_look_at(in_path, depth, soname) : NULL;
}

static char *launcher_look_into(const char *script, char *text, int depth, const char *soname)
{
	char *found = NULL, *rest = NULL;

	for (char *word = strtok_r(text, WT_LAUNCHER_BLANKS, &rest); word && !found;
	     word = strtok_r(NULL, WT_LAUNCHER_BLANKS, &rest))
		found = launcher_follow(script, word, depth, soname);
	return found;
}

/* The path of the program that a file leads to; @depth: how many scripts may still be looked into. */
static char *launcher_look_at(const char *path, int depth, const char *soname)
{
	wt_cleanup_free char *text = NULL, *script = NULL;
	char *found;

	if (wt_needed_find(path, soname).needs)
		return strdup(path);
	text = depth ? wt_launcher_read(path) : NULL;
	/* A link in /usr/bin leads to where the programs are. */
	script = text ? realpath(path, NULL) : NULL;
	if (!script)
		return NULL;
	found = launcher_find_beside(script, soname);
	return found ? found : launcher_look_into(script, text, depth - 1, soname);
}

char *wt_launcher_find_linked(char *const *command, const char *soname)
{
	char *found = NULL;

	for (; *command && !found; command++) {
		wt_cleanup_free char *program = wt_cli_find_program(*command);

		found = program ? launcher_look_at(program, DEPTH, soname) : NULL;
	}
	return found;
}
