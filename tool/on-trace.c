/* SPDX-License-Identifier: MIT */
#include "tool/on-trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"

#define STACK_BYTES (256u << 10)
#define LOOK_NS 5000000 /* how often it is looked whether the command has ended */

/* With these the command would be a program that is watched. */
static const char *const watching[] = {"HSA_TOOLS_LIB", "HSA_ENABLE_DEBUG", "WAVETAPE_AGENT"};

struct run {
	const char *command;
	char *argv[3];
	char **environment;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	uint64_t within_ms;
	int failure; /* of starting it */
	int status;  /* as waitpid() has it */
	bool late;
};

static bool variable_is_watching(const char *variable)
{
	for (size_t i = 0; i < sizeof(watching) / sizeof(*watching); i++) {
		size_t length = strlen(watching[i]);

		if (!strncmp(variable, watching[i], length) && variable[length] == '=')
			return true;
	}
	return false;
}

/* The program's own without those; its strings stay the program's. */
static char **environment_make(void)
{
	size_t count = 0, kept = 0;
	char **list;

	while (environ && environ[count])
		count++;
	list = calloc(count + 1, sizeof(*list));
	for (size_t i = 0; list && i < count && environ[i]; i++)
		if (!variable_is_watching(environ[i]))
			list[kept++] = environ[i];
	return list;
}

/* No file of the program's is handed on: what the command leaves running would keep it open. Linux closes them all from 5.9 on. */
static int files_prepare(posix_spawn_file_actions_t *files)
{
	DIR *open_files = opendir("/proc/self/fd");
	const struct dirent *entry;
	int failure = 0;

	for (int stream = 0; !failure && stream < 3; stream++)
		failure = posix_spawn_file_actions_addopen(files, stream, "/dev/null",
							   stream ? O_WRONLY : O_RDONLY, 0);
	while (open_files && !failure && (entry = readdir(open_files))) {
		int file = atoi(entry->d_name);

		if (file > 2)
			failure = posix_spawn_file_actions_addclose(files, file);
	}
	if (open_files)
		closedir(open_files);
	return failure;
}

/* A session of its own, with nothing blocked or ignored: the program's settings are its own. */
static int attributes_prepare(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	if (posix_spawnattr_setsigmask(attributes, &none) ||
	    posix_spawnattr_setsigdefault(attributes, &all))
		return EINVAL;
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
							    POSIX_SPAWN_SETSID);
}

/* In a process that has this one's memory and none of its children. All signals are blocked, as in the thread that made it. */
static int run_supervise(void *argument)
{
	const struct timespec nap = {.tv_nsec = LOOK_NS};
	struct run *run = argument;
	uint64_t end = wt_clock_ms() + run->within_ms;
	pid_t child, ended;

	/* This process has a table of open files of its own, and needs none. They need not have been found: /proc may not be mounted. */
	wt_file_close_from(STDERR_FILENO + 1);
	/* A program that ignores the signal of its children would not be told how they end. */
	signal(SIGCHLD, SIG_DFL);
	run->failure = posix_spawnp(&child, run->command, &run->files, &run->attributes, run->argv,
				    run->environment);
	if (run->failure)
		return 0;
	for (;;) {
		ended = waitpid(child, &run->status, WNOHANG);
		if (ended == child || (ended < 0 && errno != EINTR))
			return 0;
		if (wt_clock_ms() >= end)
			break;
		nanosleep(&nap, NULL);
	}
	run->late = true;
	kill(-child, SIGKILL);
	kill(child, SIGKILL);
	waitpid(child, &run->status, 0);
	return 0;
}

static int run_start(struct run *run)
{
	wt_cleanup_free char *stack = malloc(STACK_BYTES);
	int status;
	pid_t pid;

	if (!stack)
		return ENOMEM;
	/* Without a signal at its end the program's wait() does not find it; this thread waits until it has ended. */
	pid = clone(run_supervise, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, run);
	if (pid < 0)
		return errno;
	while (waitpid(pid, &status, (int)__WCLONE) < 0 && errno == EINTR)
		;
	return run->failure;
}

static void run_explain(const struct run *run, int failure, char *why_ret, size_t size)
{
	char text[128];

	*why_ret = '\0';
	if (failure)
		snprintf(why_ret, size, "it cannot be run: %s",
			 strerror_r(failure, text, sizeof(text)));
	else if (run->late)
		snprintf(why_ret, size, "it was ended after %" PRIu64 " ms", run->within_ms);
	else if (WIFSIGNALED(run->status))
		snprintf(why_ret, size, "it was ended by signal %d", WTERMSIG(run->status));
	else if (WEXITSTATUS(run->status))
		snprintf(why_ret, size, "it ended with %d", WEXITSTATUS(run->status));
}

void wt_on_trace_run(const char *command, const char *trace, uint64_t within_ms, char *why_ret,
		     size_t size)
{
	wt_cleanup_free char **environment = environment_make();
	wt_cleanup_free char *name = strdup(command), *path = strdup(trace);
	struct run run = {.command = command,
			  .argv = {name, path, NULL},
			  .environment = environment,
			  .within_ms = within_ms};
	int failure = ENOMEM;

	if (name && path && environment && !posix_spawn_file_actions_init(&run.files)) {
		if (!posix_spawnattr_init(&run.attributes)) {
			failure = files_prepare(&run.files);
			if (!failure)
				failure = attributes_prepare(&run.attributes);
			if (!failure)
				failure = run_start(&run);
			posix_spawnattr_destroy(&run.attributes);
		}
		posix_spawn_file_actions_destroy(&run.files);
	}
	run_explain(&run, failure, why_ret, size);
}
