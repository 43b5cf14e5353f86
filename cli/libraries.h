/* SPDX-License-Identifier: MIT */
/* Finding the files that the command needs at run time, and running a client over one of the libraries. */
#ifndef WT_CLI_LIBRARIES_H
#define WT_CLI_LIBRARIES_H

#include "base/error.h"
#include "dbgapi/finding/search.h"

#define WT_CLI_SONAME "librocm-dbgapi.so.0"

enum wt_cli_library { WT_LIBRARY_SIMULATED, WT_LIBRARY_RECORD, WT_LIBRARY_REPLAY };

/*
 * Paths, absolute, which the caller frees. A command that runs in its build directory takes the files from there, an
 * installed one from where they were installed. Errors: IO if there is no such file.
 */

/** One of our three libraries. */
struct wt_error *wt_cli_library(enum wt_cli_library library, char **path_ret);

/** wavetape-host: the program that a debugger runs in place of the recorded one. */
struct wt_error *wt_cli_host(char **path_ret);

/** The running command itself. */
struct wt_error *wt_cli_command(char **path_ret);

/** The program that `wavetape doctor --try` runs, and the folder of the code objects that are for it. */
struct wt_error *wt_cli_try_program(char **path_ret);
struct wt_error *wt_cli_try_code(char **path_ret);

/** The script with GDB's `tape` commands. */
struct wt_error *wt_cli_gdb_commands(char **path_ret);

/** The path of the library that is preloaded into programs on the simulated device; the caller frees it. */
struct wt_error *wt_cli_device_library(char **path_ret);

/** The agent, for HSA_TOOLS_LIB. */
struct wt_error *wt_cli_agent_library(char **path_ret);

/* Characters that would end a name in HSA_TOOLS_LIB, or a word of WAVETAPE_AGENT. */
#define WT_CLI_TOOLS_SPECIAL " \"\\"
#define WT_CLI_AGENT_SPECIAL ", \t\n\\"

/**
 * A text with @escape before each of its characters that are special. AMD's runtime and our agent take the character behind a backslash as it
 * is, and names of traces one percent sign for two. The caller frees it; NULL: no memory.
 */
char *wt_cli_escape(const char *text, char escape, const char *special);

/** The length of the first name in HSA_TOOLS_LIB, as AMD's runtime takes it: a blank ends it, unless it is in quotes or behind a backslash. */
size_t wt_cli_tool_length(const char *tools);

/** The recording library under a name of its own, to be preloaded into clients of libraries that it does not know. */
struct wt_error *wt_cli_preloaded_library(char **path_ret);

/** The gate is preloaded into clients, and brings one of our libraries in: see dbgapi/gate/gate.h. */
struct wt_error *wt_cli_gate_library(char **path_ret);

/** Put a file behind what is in LD_PRELOAD: what the user has there comes first, as the runtime of a sanitizer must. */
struct wt_error *wt_cli_preload(const char *library);

/** Put a library's folder in front of LD_LIBRARY_PATH, so that a client finds it before its own. */
struct wt_error *wt_cli_library_path(const char *library);

/** The folder for temporary files: what the user has in TMPDIR, which need be neither there nor absolute, or /tmp. */
const char *wt_cli_temporary(void);

/** No file can be made in it: @errnum says why, and the error which variable names it. */
__attribute__((returns_nonnull)) struct wt_error *wt_cli_temporary_failed(int errnum,
									  const char *cannot);

/**
 * Make an empty file for a trace in that folder, which nobody else can read.
 *
 * @cannot: what cannot be done without it. @path_ret: for the caller to unlink() and free().
 */
struct wt_error *wt_cli_temporary_trace(const char *cannot, char **path_ret);

/**
 * Load a library, in a process of its own, of which the loader may think otherwise than its file looks: another that it needs may be missing,
 * or its own code, which runs then, may end that process, or never end. It has 20 seconds.
 *
 * Return: why it cannot be loaded, for the caller to free; NULL: it can, or that could not be tried.
 */
char *wt_cli_try_library(const char *path);

/**
 * Look for AMD's debugger library: the one that the user names in WAVETAPE_DBGAPI, else in all places that are known.
 *
 * @runtime: a runtime beside which it may be, or NULL.
 *
 * Return: what the user names; NULL: nothing.
 */
const char *wt_cli_search_dbgapi(struct wt_search *search, const char *runtime);

/** The program that the shell would run for @name; NULL if there is none. The caller frees it. */
char *wt_cli_find_program(const char *name);

/**
 * Run a client in the present environment and wait for its end.
 *
 * @argv: the program and its arguments, NULL-terminated.
 * @status_ret: its exit status; 128 + the signal's number if a signal ended it.
 */
struct wt_error *wt_cli_run_client(char *const argv[], int *status_ret);

#endif /* WT_CLI_LIBRARIES_H */
