/* SPDX-License-Identifier: MIT */
/* `wavetape device`: a command on a machine that has the simulated GPU. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/output.h"
#include "driver/owner/owner.h"
#include "driver/wire/wire.h"

#define CANNOT_MAKE "cannot make the device"
#define DESCRIPTORS "/proc/self/fd"
#define DEFAULT_ARCHITECTURE "gfx90a"

struct options {
	struct wt_owner_options owner;
	char **command;
};

static uint32_t option_number(struct argp_state *state, const char *what, const char *text)
{
	uint64_t number;

	if (!wt_cli_number(text, &number) || number >= UINT32_MAX)
		argp_error(state, "%s takes a number, not '%s'", what, text);
	return (uint32_t)number;
}

static void device_complain(const char *text)
{
	fprintf(stderr, "wavetape: the device: %s\n", text);
}

static enum wt_engine_local option_local(struct argp_state *state, const char *text)
{
	if (!strcmp(text, "hardware"))
		return WT_ENGINE_LOCAL_HARDWARE;
	if (strcmp(text, "checked"))
		argp_error(state, "--local-memory takes checked or hardware, not '%s'", text);
	return WT_ENGINE_LOCAL_CHECKED;
}

static error_t device_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'a':
		options->owner.architecture = argument;
		return 0;
	case 'n':
		options->owner.agents = option_number(state, "--agents", argument);
		return 0;
	case 'u':
		options->owner.compute_units = option_number(state, "--compute-units", argument);
		return 0;
	case 's':
		if (!wt_cli_number(argument, &options->owner.seed))
			argp_error(state, "--seed takes a number, not '%s'", argument);
		return 0;
	case 'm':
		options->owner.local = option_local(state, argument);
		return 0;
	case 'l':
		options->owner.log = argument;
		return 0;
	case ARGP_KEY_ARGS:
		options->command = state->argv + state->next;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!options->command)
			argp_error(state, "which command? Name it behind --");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A directory for the session, the user's alone. */
static struct wt_error *device_make_directory(char **path_ret)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	bool is_temporary = !runtime || access(runtime, W_OK | X_OK);
	wt_cleanup_free char *path =
		wt_text("%s/wavetape-XXXXXX", is_temporary ? wt_cli_temporary() : runtime);

	if (!path)
		return &wt_error_no_memory;
	/* Programs open the device's files anew by their names there. */
	if (access(DESCRIPTORS, X_OK))
		return wt_error_errno(errno, CANNOT_MAKE, DESCRIPTORS);
	if (!mkdtemp(path))
		return is_temporary ? wt_cli_temporary_failed(errno, CANNOT_MAKE)
				    : wt_error_errno(errno, CANNOT_MAKE, path);
	*path_ret = wt_take(path);
	return NULL;
}

/*
 * The owner is a process of its own: a debugger stops every thread of the program. It ends with this one, however that
 * ends, and is not reached by the keys that interrupt the command.
 */
static pid_t owner_start(struct wt_owner *owner, const char *directory)
{
	pid_t parent = getpid(), child;
	sigset_t end, old;

	fflush(NULL);
	/* The end may come before the owner listens for it: a command can be that short. */
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, &old);
	child = fork();
	if (!child) {
		struct wt_error *error;

		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		error = getppid() == parent ? wt_owner_run(owner) : NULL;
		wt_owner_destroy(owner);
		rmdir(directory);
		_exit(error ? wt_cli_fail(error) : WT_EXIT_FINE);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return child;
}

/* Set the environment of the command. Host memory comes from the driver where the runtime can do that. */
static struct wt_error *device_set_environment(const char *directory, const char *library)
{
	struct wt_error *error = wt_cli_preload(library);

	if (error)
		return error;
	if (setenv(WT_WIRE_VARIABLE, directory, 1) || setenv("HSA_USERPTR_FOR_PAGED_MEM", "0", 0))
		return &wt_error_no_memory;
	return NULL;
}

static void owner_end(pid_t child)
{
	int status;

	if (child <= 0)
		return;
	kill(child, SIGTERM);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
}

static struct wt_error *device_run_command(struct options *options, int *status_ret)
{
	wt_cleanup_free char *directory = NULL, *library = NULL;
	struct wt_error *error = wt_cli_device_library(&library);
	struct wt_owner *owner = NULL;
	pid_t child = 0;

	if (!error)
		error = device_make_directory(&directory);
	if (error)
		return error;
	options->owner.directory = directory;
	error = wt_owner_create(&options->owner, &owner);
	if (error) {
		rmdir(directory);
		return error;
	}
	child = owner_start(owner, directory);
	/* The files of the directory are the child's now, if there is one. */
	if (child < 0) {
		error = wt_error_errno(errno, CANNOT_MAKE, directory);
		wt_owner_destroy(owner);
		rmdir(directory);
		return error;
	}
	wt_owner_release(owner);
	error = device_set_environment(directory, library);
	if (!error)
		error = wt_cli_run_client(options->command, status_ret);
	owner_end(child);
	return error;
}

int wt_command_device(int argc, char **argv)
{
	static const struct argp_option entries[] = {
		{"architecture", 'a', "NAME[,NAME...]", 0,
		 "gfx90a (default), gfx942, gfx1030, gfx1100 to gfx1103, gfx1150 to gfx1153, "
		 "gfx1200 or gfx1201; of several, the devices have them in turn",
		 0},
		{"agents", 'n', "N", 0, "so many devices (default: as many as are named)", 0},
		{"compute-units", 'u', "N", 0,
		 "compute units of each, which programs are told: the fewest that the GPU may have "
		 "(default; 8 of gfx90a), or a multiple",
		 0},
		{"seed", 's', "N", 0, "let waves have their turns in another order", 0},
		{"local-memory", 'm', "MODE", 0,
		 "checked: an access past a workgroup's local memory stops its wave; hardware: it "
		 "reads 0 and writes "
		 "nothing (default: checked while a debugger is attached)",
		 0},
		{"log", 'l', "FILE", 0, "write a line for each call of a program to FILE", 0},
		{0},
	};
	static const struct argp argp = {
		.options = entries,
		.parser = device_parse_option,
		.args_doc = "-- COMMAND [ARGUMENT...]",
		.doc = "Run COMMAND on a machine that has the simulated GPU: AMD's runtimes find "
		       "its driver. "
		       "Exits with COMMAND's status.",
	};
	struct options options = {
		.owner = {.architecture = DEFAULT_ARCHITECTURE,
			  .complain = device_complain,
			  .agents = WT_OWNER_AGENTS_AS_NAMED},
	};
	struct wt_error *error;
	int status = WT_EXIT_FAILED;

	wt_cli_parse(&argp, argc, argv, &options);
	error = device_run_command(&options, &status);
	return error ? wt_cli_fail(error) : status;
}
