/* SPDX-License-Identifier: MIT */
/*
 * Uses the library in ways that matter to who stands in front of it: what is done in the child of a fork, in
 * a program that inherits the environment, and by several threads. Knows the public header alone.
 *
 * Usage: loader-client WHAT...
 *
 *   session  attach, take the first event, list, detach
 *   fork     a child that makes a session of its own, and the session goes on
 *   vfork, spawn   another loader-client with the same environment, which makes a session
 *   threads  eight threads ask, at once, what can be asked without a process
 *   child    a shell that says what it has in LD_PRELOAD, and how many libraries of the API it has loaded
 *   hold     say that the library is in use, and wait for the end of the input
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/end-to-end/blind-callbacks.h"

extern char **environ;

static char *program;
static amd_dbgapi_process_id_t process;

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	if (level <= AMD_DBGAPI_LOG_LEVEL_WARNING)
		printf("log %d: %s\n", (int)level, message);
}

static void attach(void)
{
	amd_dbgapi_callbacks_t callbacks = {malloc,
					    free,
					    blind_process_get_info,
					    blind_insert_breakpoint,
					    blind_remove_breakpoint,
					    blind_xfer_global_memory,
					    log_message};

	printf("initialize %d\n", (int)amd_dbgapi_initialize(&callbacks));
	printf("attach %d\n", (int)amd_dbgapi_process_attach(
				      (amd_dbgapi_client_process_id_t)(void *)&process, &process));
}

static void look(void)
{
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_agent_id_t *agents = NULL;
	size_t count = 0;

	printf("event %d", (int)amd_dbgapi_process_next_pending_event(process, &event, &kind));
	printf(" kind %d\n", (int)kind);
	printf("agents %d", (int)amd_dbgapi_process_agent_list(process, &count, &agents, NULL));
	printf(" %zu\n", count);
	free(agents);
}

static void detach(void)
{
	printf("detach %d\n", (int)amd_dbgapi_process_detach(process));
	printf("finalize %d\n", (int)amd_dbgapi_finalize());
}

static void session(void)
{
	attach();
	look();
	detach();
}

static int end_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In the middle of a session, whose state the child has too. */
static void with_fork(void)
{
	pid_t child;

	attach();
	fflush(stdout);
	child = fork();
	if (!child) {
		look();
		detach();
		session();
		fflush(stdout);
		exit(0);
	}
	printf("child %d\n", end_of(child));
	look();
	detach();
}

static void with_vfork(void)
{
	pid_t child;

	attach();
	fflush(stdout);
	child = vfork();
	if (!child) {
		execl(program, program, "session", (char *)NULL);
		_exit(127);
	}
	printf("child %d\n", end_of(child));
	look();
	detach();
}

static void with_spawn(void)
{
	char word[] = "session", *arguments[] = {program, word, NULL};
	pid_t child;

	attach();
	fflush(stdout);
	if (posix_spawn(&child, program, NULL, NULL, arguments, environ))
		return;
	printf("child %d\n", end_of(child));
	look();
	detach();
}

static void *ask(void *opaque)
{
	size_t *good = opaque;

	for (int i = 0; i < 500; i++) {
		amd_dbgapi_architecture_id_t architecture = {0};
		char *name = NULL;

		if (amd_dbgapi_get_architecture(0x4c, &architecture) == AMD_DBGAPI_STATUS_SUCCESS &&
		    amd_dbgapi_architecture_get_info(
			    architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, sizeof(name), &name) ==
			    AMD_DBGAPI_STATUS_SUCCESS &&
		    !strcmp(name, "gfx942"))
			++*good;
		free(name);
	}
	return NULL;
}

static void with_threads(void)
{
	size_t good[8] = {0}, all = 0;
	pthread_t threads[8];

	attach();
	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, ask, &good[i]))
			abort();
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		all += good[i];
	}
	printf("threads %zu\n", all);
	look();
	detach();
}

static void child(void)
{
	attach();
	fflush(stdout);
	if (system("echo \"preload ${LD_PRELOAD-none}\"; "
		   "echo \"loaded $(grep -c librocm-dbgapi /proc/$$/maps)\""))
		printf("no shell\n");
	look();
	detach();
}

static void hold(void)
{
	attach();
	printf("holding\n");
	fflush(stdout);
	while (getchar() != EOF)
		;
	look();
	detach();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*perform)(void);
	} actions[] = {{"session", session},  {"fork", with_fork},	 {"vfork", with_vfork},
		       {"spawn", with_spawn}, {"threads", with_threads}, {"child", child},
		       {"hold", hold}};

	program = argv[0];
	alarm(40);
	for (int i = 1; i < argc; i++)
		for (size_t j = 0; j < sizeof(actions) / sizeof(*actions); j++)
			if (!strcmp(argv[i], actions[j].name))
				actions[j].perform();
	return 0;
}
