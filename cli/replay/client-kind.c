/* SPDX-License-Identifier: MIT */
/*
 * Is the client of `wavetape replay` GDB? That is seen in its program, whatever it is called; of a script,
 * in the programs that the script names. Where nothing is found there the name counts. LLDB is known by its name, and by its library.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/launcher.h"
#include "cli/libraries.h"
#include "cli/replay/replay.h"
#include "replayer/code/needed.h"

/* Every GDB has this, for its first lines. */
#define GDB_TEXT "This GDB was configured as"
/* AMD's GDB names the place where it wants to be told of bugs. */
#define ROCGDB_TEXT "/ROCgdb/"

/* LLDB and its debug adapter are little more than calls of it. */
#define LLDB_LIBRARY "liblldb*.so*"

#define DEPTH 4 /* scripts that start scripts */

static const char *client_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool client_has_name(const char *path, const char *const *patterns)
{
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, client_base_name(path), 0))
			return true;
	return false;
}

/** By its name alone: is it GDB, and which? */
static void look_at_name(const char *path, struct wt_replay_client *client)
{
	static const char *const gdb[] = {"gdb", "gdb-[0-9]*", "gdb-multiarch", "*-gdb", NULL};
	static const char *const rocgdb[] = {"rocgdb", "rocgdb-[0-9p]*", NULL};

	client->rocgdb = client_has_name(path, rocgdb);
	client->gdb = client->rocgdb || client_has_name(path, gdb);
}

static bool client_look_at(const char *path, int depth, struct wt_replay_client *client);

/** Whether a word of a script can be the name of a debugger: it says so, and no character needs a shell. */
static bool may_be_debugger(const char *word)
{
	return strcasestr(client_base_name(word), "gdb") && !strpbrk(word, "$*?[");
}

/** A word of a script: as it stands, beside the script (whose folder it may have in a variable), or in PATH. */
static bool client_follow(const char *script, const char *word, int depth,
			  struct wt_replay_client *client)
{
	wt_cleanup_free char *beside = NULL, *in_path = NULL;
	const char *name = client_base_name(word);

	if (!may_be_debugger(name))
		return false;
	if (*word == '/' && client_look_at(word, depth, client))
		return true;
	if (asprintf(&beside, "%.*s%s", (int)(client_base_name(script) - script), script, name) <
	    0) {
		beside = NULL;
		return false;
	}
	if (client_look_at(beside, depth, client))
		return true;
	in_path = wt_cli_find_program(name);
	return in_path && client_look_at(in_path, depth, client);
}

/** A script that starts GDB names it somewhere. */
static bool look_at_script(const char *path, char *text, int depth, struct wt_replay_client *client)
{
	char *rest = NULL;

	for (char *word = strtok_r(text, WT_LAUNCHER_BLANKS, &rest); word;
	     word = strtok_r(NULL, WT_LAUNCHER_BLANKS, &rest))
		if (client_follow(path, word, depth, client))
			return true;
	return false;
}

/** Look at a file; true if it is GDB, or a script that starts it. */
static bool client_look_at(const char *path, int depth, struct wt_replay_client *client)
{
	wt_cleanup_free char *script = NULL;

	if (wt_needed_has_text(path, GDB_TEXT)) {
		look_at_name(path, client);
		client->rocgdb = client->rocgdb || wt_needed_has_text(path, ROCGDB_TEXT);
		client->gdb = true;
		free(client->program);
		client->program = strdup(path);
		return true;
	}
	script = depth ? wt_launcher_read(path) : NULL;
	return script && look_at_script(path, script, depth - 1, client);
}

/** One that uses the library by itself is a client of its own kind, and no program that starts one. */
static bool names_debugger(char *const *arguments, const char *path)
{
	if (wt_needed_find(path, WT_CLI_SONAME).needs)
		return false;
	for (; *arguments; arguments++)
		if (strcasestr(client_base_name(*arguments), "gdb"))
			return true;
	return false;
}

/**
 * LLDB, or what starts it: by its names, those of its debug adapter and of its server, or by its library, of whatever version. A program that uses
 * AMD's library is a client, whatever else it names. Return: its path, for the caller to free(); NULL if it is none.
 */
static char *client_find_lldb(char *const *arguments, const char *path)
{
	static const char *const lldb[] = {"lldb",	   "lldb-[0-9]*", "*-lldb",
					   "lldb-dap",	   "lldb-dap-*",  "lldb-vscode*",
					   "lldb-server*", "*-lldb-dap",  NULL};
	wt_cleanup_free char *client = wt_launcher_find_linked(arguments, WT_CLI_SONAME);
	char *found = client ? NULL : wt_launcher_find_linked(arguments, LLDB_LIBRARY);

	return found || client || !client_has_name(path, lldb) ? found : strdup(path);
}

void wt_replay_client_find(char *const *arguments, bool forced, struct wt_replay_client *client)
{
	wt_cleanup_free char *path = wt_cli_find_program(arguments[0]);
	wt_cleanup_free char *script = NULL;

	*client = (struct wt_replay_client){0};
	if (path && client_look_at(path, DEPTH, client))
		return;
	script = path ? wt_launcher_read(path) : NULL;
	/* A program that can be looked into is what it is; only what a script does may stay unknown. */
	if (script || forced)
		look_at_name(arguments[0], client);
	client->gdb = client->gdb || forced;
	if (!client->gdb && path)
		client->program = client_find_lldb(arguments, path);
	client->lldb = client->program;
	client->maybe_gdb = !client->gdb && path && names_debugger(arguments, path);
}

void wt_replay_client_deinit(struct wt_replay_client *client)
{
	free(client->program);
}
