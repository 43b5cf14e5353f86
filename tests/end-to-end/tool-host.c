/* SPDX-License-Identifier: MIT */
/*
 * Stands in for a program with the HSA runtime in it: it loads a tool as the runtime does at the end of hsa_init(), runs until its
 * standard input ends, and then ends as it is told.
 *
 *   tool-host TOOL END
 *
 * TOOL: as in HSA_TOOLS_LIB; "" for none. END: exit, return, _exit, abort, kill, unload, again (unload, load, exit), fork
 * (children exit, _exit and exec), exec (this program once more, which then exits), thread (exit() while another thread loads
 * the tool), signal (a handler for SIGUSR2 of its own, raised).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *tool;

/* The arguments are those of ROCr 5.2 to 7. */
static bool load(const char *name)
{
	/* major, minor, step, and no tables: none is ours to change. */
	static uint64_t table[64] = {1, 48, 0};
	bool (*on_load)(void *, uint64_t, uint64_t, const char *const *);

	if (!*name)
		return true;
	tool = dlopen(name, RTLD_LAZY);
	if (!tool) {
		printf("the tool is not loaded: %s\n", dlerror());
		return false;
	}
	on_load = (bool (*)(void *, uint64_t, uint64_t, const char *const *))dlsym(tool, "OnLoad");
	return on_load && on_load(table, 1, 0, NULL);
}

static void unload(void)
{
	void (*on_unload)(void) = tool ? (void (*)(void))dlsym(tool, "OnUnload") : NULL;

	if (!tool)
		return;
	if (on_unload)
		on_unload();
	dlclose(tool);
	tool = NULL;
}

static void wait_for_input(void)
{
	char text[64];

	while (read(STDIN_FILENO, text, sizeof(text)) > 0)
		;
}

static int run_child(int (*run)(char **), char **argv)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		_exit(run(argv));
	waitpid(child, &status, 0);
	return status;
}

static int child_exits(char **argv)
{
	(void)argv;
	exit(3);
}

static int child_ends(char **argv)
{
	(void)argv;
	return 4;
}

static int execute(char **argv)
{
	char *const arguments[] = {argv[0], argv[1], "exit", NULL};

	execv("/proc/self/exe", arguments);
	return 127;
}

static void fork_all(char **argv)
{
	printf("exit: %d\n", WEXITSTATUS(run_child(child_exits, argv)));
	printf("_exit: %d\n", WEXITSTATUS(run_child(child_ends, argv)));
	printf("exec: %d\n", WEXITSTATUS(run_child(execute, argv)));
}

static void handle(int number)
{
	static const char text[] = "the program's own handler\n";

	(void)number;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(9);
}

static void *load_late(void *name)
{
	load(name);
	return NULL;
}

static int end(char **argv)
{
	const char *how = argv[2];
	pthread_t thread;

	if (!strcmp(how, "_exit"))
		_exit(5);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "unload") || !strcmp(how, "again"))
		unload();
	if (!strcmp(how, "again"))
		printf("loaded again: %d\n", load(argv[1]));
	if (!strcmp(how, "fork"))
		fork_all(argv);
	if (!strcmp(how, "exec")) {
		fflush(NULL);
		return execute(argv);
	}
	if (!strcmp(how, "thread") && !pthread_create(&thread, NULL, load_late, argv[1]))
		exit(6);
	if (!strcmp(how, "signal"))
		raise(SIGUSR2);
	if (!strcmp(how, "exit"))
		exit(7);
	return 8;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	/* What the program prints must not depend on the tool. */
	printf("begins\n");
	fflush(stdout);
	if (!strcmp(argv[2], "signal"))
		signal(SIGUSR2, handle);
	if (strcmp(argv[2], "thread") != 0)
		printf("loaded: %d\n", load(argv[1]));
	fflush(stdout);
	wait_for_input();
	printf("ends\n");
	fflush(stdout);
	return end(argv);
}
