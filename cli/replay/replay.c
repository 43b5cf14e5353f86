/* SPDX-License-Identifier: MIT */
/* `wavetape replay`: any debugger API client over a trace. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/output.h"
#include "cli/preload.h"
#include "cli/replay/replay.h"
#include "replayer/code/needed.h"
#include "replayer/host/image.h"
#include "trace-format/reader/reader.h"

enum wt_replay_choice { WT_REPLAY_BY_CLIENT, WT_REPLAY_YES, WT_REPLAY_NO };

struct wt_replay_command {
	const char *path;
	char **client;
	enum wt_replay_choice host, extract, debug_frame;
	bool gdb; /* the client is one, whatever it looks like */
};

/* ---- The environment and the command line of a client ---- */

/* A debugger without the library would debug the host program, and show no GPU: say so instead. */
static struct wt_error *check_debugger(const struct wt_replay_client *client)
{
	struct wt_needed needed;

	if (!client->program)
		return NULL; /* it was not found: running the client fails, or it knows better */
	needed = wt_needed_find(client->program, WT_CLI_SONAME);
	if ((needed.program || client->lldb) && !needed.needs)
		return wt_error_create(
			WT_ERROR_UNSUPPORTED, "cannot replay under this debugger", client->program,
			"it is not linked with " WT_CLI_SONAME
			", so that it knows nothing of GPUs: take ROCgdb, or a GDB "
			"of version 15 or later that was configured "
			"--with-amd-dbgapi; without one, `wavetape browse` shows the "
			"recording, and `wavetape dap` shows it in editors");
	return NULL;
}

/** A file without a name, which goes when the last process that has it goes. */
static struct wt_error *open_nameless(int *fd_ret)
{
	static const char what[] = "cannot keep the recorded memory for the debugger";
	const char *folder = wt_cli_temporary();
	char path[PATH_MAX];
	int fd;

	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		/* Not every file system knows files without a name. */
		snprintf(path, sizeof(path), "%s/wavetape-XXXXXX", folder);
		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
	}
	if (fd < 0)
		return wt_cli_temporary_failed(errno, what);
	*fd_ret = fd;
	return NULL;
}

/**
 * The image of the recorded memory, as a path by which other processes of this user can open it as
 * long as this one runs.
 */
static struct wt_error *debugger_write_image(struct wt_reader *reader, const char *trace,
					     char **path_ret,
					     struct wt_host_image_result *result_ret)
{
	struct wt_error *error;
	int fd;

	error = open_nameless(&fd);
	if (error)
		return error;
	/* The file stays open until the end of this process. */
	if (asprintf(path_ret, "/proc/%ld/fd/%d", (long)getpid(), fd) < 0) {
		*path_ret = NULL;
		return &wt_error_no_memory;
	}
	error = wt_host_image_write(reader, fd, trace, result_ret);
	if (!error && result_ret->left_out)
		fprintf(stderr,
			"wavetape: %s: %" PRIu64 " %s recorded where no program can have memory; "
			"only waves see %s\n",
			trace, result_ret->left_out,
			wt_plural(result_ret->left_out, "byte was", "bytes were"),
			wt_plural(result_ret->left_out, "it", "them"));
	return error;
}

/** Another of GDB's own arguments; NULL behind the last. What stands behind --args is another program's. */
static const char *next_option(char *const **client)
{
	const char *option = **client;

	if (!option || !strcmp(option, "--args") || !strcmp(option, "-args"))
		return NULL;
	(*client)++;
	/* One of two dashes will do. */
	return option[0] == '-' && option[1] == '-' ? option + 1 : option;
}

static bool begins_with(const char *option, const char *beginning)
{
	return !strncmp(option, beginning, strlen(beginning));
}

/** Does GDB attach to a process? */
static bool attaches(char *const *client)
{
	const char *option;

	while ((option = next_option(&client)))
		if (!strcmp(option, "-p") || !strcmp(option, "-pid") ||
		    begins_with(option, "-pid="))
			return true;
	return false;
}

/** Does a program talk to GDB? Emacs takes GDB for another program if anything is said before GDB speaks. */
static bool has_front_end(char *const *client)
{
	const char *option;

	while ((option = next_option(&client))) {
		if (!strcmp(option, "-i") || !strcmp(option, "-interpreter"))
			option = *client ? *client : "";
		else if (begins_with(option, "-i=") || begins_with(option, "-interpreter="))
			option = strchr(option, '=') + 1;
		else
			continue;
		if (begins_with(option, "mi") || !strcmp(option, "dap"))
			return true;
	}
	return false;
}

/* NULL is legal. */
static void replay_arguments_free(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++)
		free(arguments[i]);
	free(arguments);
}

/** Another argument, copied; false if there is no memory. @arguments has room for it. */
static bool add_argument(char **arguments, const char *text)
{
	while (*arguments)
		arguments++;
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): arguments has a NULL at its end: calloc made it */
	*arguments = strdup(text);
	return *arguments;
}

/** GDB's command that makes the host its program; NULL if there is no memory. */
static char *file_command(const char *host)
{
	char *command = malloc(sizeof("file \"\"") + 2 * strlen(host)), *end;

	if (!command)
		return NULL;
	end = stpcpy(command, "file \"");
	for (; *host; host++) {
		if (*host == '"' || *host == '\\')
			*end++ = '\\';
		*end++ = *host;
	}
	stpcpy(end, "\"");
	return command;
}

/**
 * GDB with our commands, and the host as its program, whatever other it is given; as it is where it attaches, or is
 * none.
 */
static struct wt_error *make_arguments(const struct wt_replay_command *command, bool gdb,
				       const char *host, char ***arguments_ret)
{
	wt_cleanup_free char *commands = NULL, *file = NULL;
	struct wt_error *error = NULL;
	bool added = true;
	size_t count = 0;
	char **arguments;

	while (command->client[count])
		count++;
	if (gdb)
		error = wt_cli_gdb_commands(&commands);
	if (error)
		return error;
	file = gdb && !attaches(command->client) ? file_command(host) : NULL;
	arguments = calloc(count + 6, sizeof(*arguments));
	if (!arguments)
		return &wt_error_no_memory;
	added = add_argument(arguments, command->client[0]);
	if (gdb)
		added = added && add_argument(arguments, "-ix") &&
			add_argument(arguments, commands);
	if (file)
		added = added && add_argument(arguments, "-ex") && add_argument(arguments, file);
	for (size_t i = 1; added && i < count; i++)
		added = add_argument(arguments, command->client[i]);
	if (!added) {
		replay_arguments_free(arguments);
		return &wt_error_no_memory;
	}
	*arguments_ret = arguments;
	return NULL;
}

static struct wt_error *set_options(bool host, bool extract, bool without_debug_frame)
{
	char words[64] = "";

	snprintf(words, sizeof(words), "%s%s%s", host ? ",host" : "", extract ? ",extract" : "",
		 without_debug_frame ? ",without-debug-frame" : "");
	if (*words ? setenv("WAVETAPE_REPLAY_OPTIONS", words + 1, 1)
		   : unsetenv("WAVETAPE_REPLAY_OPTIONS"))
		return &wt_error_no_memory;
	return NULL;
}

/**
 * Code objects are copies; GDB's unwinder ends GDB at what some compilers write into .debug_frame.
 */
static bool drops_debug_frame(const struct wt_replay_command *command, bool extract,
			      const struct wt_replay_client *client)
{
	if (!extract || command->debug_frame == WT_REPLAY_YES)
		return false;
	return command->debug_frame == WT_REPLAY_NO || (client->gdb && !client->rocgdb);
}

static struct wt_error *prepare_host(const struct wt_replay_command *command,
				     struct wt_reader *reader, bool gdb, bool says_frame,
				     char ***arguments_ret)
{
	struct wt_host_image_result result = {0};
	wt_cleanup_free char *host = NULL, *image = NULL, *own = NULL;
	struct wt_error *error = wt_cli_host(&host);

	if (!error)
		error = wt_cli_command(&own);
	if (!error)
		error = debugger_write_image(reader, command->path, &image, &result);
	if (!error &&
	    (setenv("WAVETAPE_HOST", host, 1) || setenv("WAVETAPE_HOST_IMAGE", image, 1) ||
	     setenv("WAVETAPE_COMMAND", own, 1)))
		error = &wt_error_no_memory;
	if (!error)
		error = make_arguments(command, gdb, host, arguments_ret);
	if (error)
		return error;
	if (says_frame && result.debug_frame)
		fprintf(stderr,
			"wavetape: %s: code objects are shown without their .debug_frame, at which "
			"GDB's backtrace may end GDB; --debug-frame keeps it\n",
			command->path);
	return NULL;
}

static struct wt_error *debugger_prepare(const struct wt_replay_command *command,
					 const struct wt_replay_client *client,
					 struct wt_reader *reader, char ***arguments_ret)
{
	bool host =
		command->host == WT_REPLAY_BY_CLIENT ? client->gdb : command->host == WT_REPLAY_YES;
	bool extract =
		command->extract == WT_REPLAY_BY_CLIENT ? host : command->extract == WT_REPLAY_YES;
	bool drops = drops_debug_frame(command, extract, client);
	struct wt_error *error = set_options(host, extract, drops);

	if (!error && (client->gdb || client->lldb))
		error = check_debugger(client);
	if (error)
		return error;
	if (host)
		return prepare_host(command, reader, client->gdb,
				    drops && command->debug_frame == WT_REPLAY_BY_CLIENT &&
					    !has_front_end(command->client),
				    arguments_ret);
	return make_arguments(command, false, NULL, arguments_ret);
}

/*
 * Prepare the environment, and for GDB the command line.
 *
 * @arguments_ret: what to run, NULL-terminated; the caller frees it with
 * replay_arguments_free().
 *
 * Errors: WT_ERROR_UNSUPPORTED for a GDB or an LLDB that does not use the library; those of the trace.
 */
static struct wt_error *replay_prepare_client(const struct wt_replay_command *command,
					      struct wt_reader *reader, char ***arguments_ret)
{
	struct wt_replay_client client;
	struct wt_error *error;

	wt_replay_client_find(command->client, command->gdb, &client);
	if (client.maybe_gdb && command->host == WT_REPLAY_BY_CLIENT)
		fprintf(stderr,
			"wavetape: %s: it is not taken for GDB, and gets no wavetape-host to "
			"debug; "
			"--gdb says that it is one\n",
			command->client[0]);
	error = debugger_prepare(command, &client, reader, arguments_ret);
	wt_replay_client_deinit(&client);
	return error;
}

/* ---- The verb ---- */

enum {
	OPTION_HOST = 256,
	OPTION_NO_HOST,
	OPTION_CODE_OBJECTS,
	OPTION_DEBUG_FRAME,
	OPTION_WITHOUT_DEBUG_FRAME,
	OPTION_GDB,
};

static void take_code_objects(struct argp_state *state, const char *argument,
			      struct wt_replay_command *command)
{
	if (!strcmp(argument, "extracted"))
		command->extract = WT_REPLAY_YES;
	else if (!strcmp(argument, "recorded"))
		command->extract = WT_REPLAY_NO;
	else
		argp_error(state, "--code-objects takes extracted or recorded, not '%s'", argument);
}

static void replay_choose(struct argp_state *state, enum wt_replay_choice *choice,
			  enum wt_replay_choice value, const char *both)
{
	if (*choice != WT_REPLAY_BY_CLIENT && *choice != value)
		argp_error(state, "%s contradict each other", both);
	*choice = value;
}

static error_t replay_parse(int key, char *argument, struct argp_state *state)
{
	struct wt_replay_command *command = state->input;

	switch (key) {
	case OPTION_HOST:
	case OPTION_NO_HOST:
		replay_choose(state, &command->host,
			      key == OPTION_HOST ? WT_REPLAY_YES : WT_REPLAY_NO,
			      "--host and --no-host");
		return 0;
	case OPTION_CODE_OBJECTS:
		take_code_objects(state, argument, command);
		return 0;
	case OPTION_DEBUG_FRAME:
	case OPTION_WITHOUT_DEBUG_FRAME:
		replay_choose(state, &command->debug_frame,
			      key == OPTION_DEBUG_FRAME ? WT_REPLAY_YES : WT_REPLAY_NO,
			      "--debug-frame and --without-debug-frame");
		return 0;
	case OPTION_GDB:
		command->gdb = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!command->path) {
			if (!*argument)
				argp_error(state, "which trace? FILE is an empty name");
			command->path = argument;
			return 0;
		}
		command->client = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!command->client)
			argp_error(state, "name a trace and, after --, a client to run");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static struct wt_error *replay_prepare(const struct wt_replay_command *command,
				       struct wt_reader *reader, struct wt_cli_gate *gate,
				       char ***arguments_ret)
{
	wt_cleanup_free char *absolute = realpath(command->path, NULL);
	wt_cleanup_free char *library = NULL;
	struct wt_error *error;

	if (!absolute)
		return wt_error_errno(errno, "cannot read the trace", command->path);
	error = wt_cli_library(WT_LIBRARY_REPLAY, &library);
	/* The second has its say before the first: what was in the user's environment would be replayed. */
	if (!error &&
	    (setenv("WAVETAPE_TRACE", absolute, 1) || setenv("WAVETAPE_REPLAY", absolute, 1)))
		error = &wt_error_no_memory;
	if (!error)
		error = wt_cli_gate_init(library, gate);
	return error ? error : replay_prepare_client(command, reader, arguments_ret);
}

/* A client that has run without the replaying library has shown nothing of the trace. */
static struct wt_error *check_use(const struct wt_replay_command *command,
				  const struct wt_cli_gate *gate)
{
	static const char what[] = "nothing was replayed";
	wt_cleanup_free char *why = NULL;

	switch (wt_cli_gate_look(gate, &why)) {
	case WT_CLI_GATE_USED:
		break;
	case WT_CLI_GATE_FAILED:
		return wt_error_create(WT_ERROR_IO, what, command->path,
				       "the replaying library could not be loaded: %s",
				       why ? why : "out of memory");
	case WT_CLI_GATE_UNUSED:
		return wt_error_create(WT_ERROR_NOT_FOUND, what, command->path,
				       "the client made no call of the replaying library: what it "
				       "may have shown of a GPU is not from the trace");
	}
	return NULL;
}

int wt_command_replay(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"host", OPTION_HOST, NULL, 0,
		 "the client debugs a process: keep the recorded memory for wavetape-host (always "
		 "for "
		 "gdb and rocgdb). WAVETAPE_HOST and WAVETAPE_HOST_IMAGE then name that program "
		 "and "
		 "its argument",
		 0},
		{"gdb", OPTION_GDB, NULL, 0,
		 "the client is gdb, or starts it: where that cannot be seen in its program, or in "
		 "the script",
		 0},
		{"no-host", OPTION_NO_HOST, NULL, 0, "no such process, whatever the client", 0},
		{"code-objects", OPTION_CODE_OBJECTS, "WHICH", 0,
		 "URIs that the client gets: of `extracted' copies in the user's cache (with a "
		 "host), "
		 "or as they were `recorded' (else)",
		 0},
		{"debug-frame", OPTION_DEBUG_FRAME, NULL, 0,
		 "leave .debug_frame in extracted code objects, also for gdb", 0},
		{"without-debug-frame", OPTION_WITHOUT_DEBUG_FRAME, NULL, 0,
		 "take it out, also for others", 0},
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = replay_parse,
		.args_doc = "FILE -- CLIENT [ARGUMENT...]",
		.doc = "Run a debugger API client (gdb, rocgdb, your own) over a trace: the "
		       "replaying library stands in for its own and answers from the file. The "
		       "client's exit status is passed on."
		       "\v"
		       "gdb and rocgdb get wavetape-host as their program: a small process that "
		       "has "
		       "the recorded memory at its addresses. Type `run', and continue from one "
		       "recorded stop to the next; after the last one it exits.",
	};
	char **arguments = NULL;
	struct wt_replay_command command = {0};
	struct wt_cli_gate gate = {0};
	struct wt_reader *reader = NULL;
	struct wt_error *error;
	bool damaged = false;
	int code = WT_EXIT_FINE;
	size_t told = 0;

	wt_cli_parse(&argp, argc, argv, &command);
	error = wt_reader_open(command.path, &reader);
	if (!error) {
		/* Say what is wrong with the trace here, where it can be said in full. */
		damaged = wt_reader_damage(reader) != NULL;
		wt_cli_damage(reader, command.path, &told);
		error = replay_prepare(&command, reader, &gate, &arguments);
	}
	wt_reader_close(reader);
	if (!error)
		error = wt_cli_run_client(arguments, &code);
	replay_arguments_free(arguments);
	if (!error)
		error = check_use(&command, &gate);
	wt_cli_gate_deinit(&gate);
	if (error) {
		int failed = wt_cli_fail(error);

		return code ? code : failed;
	}
	return damaged && !code ? WT_EXIT_PARTIAL : code;
}
