/* SPDX-License-Identifier: MIT */
#include "recorder/agent/ptrace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

static const char what[] = "cannot attach to the process";

/* The number behind a name in a file of /proc; -1: there is none. An empty name: the file is the number. */
static long proc_read_number(const char *path, const char *name)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t size = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	const char *place;

	if (size <= 0)
		return -1;
	text[size] = '\0';
	place = strstr(text, name);
	return place ? strtol(place + strlen(name), NULL, 10) : -1;
}

/* Why the kernel does not let one process trace another: the first thing that stands in the way. */
static struct wt_error *tracing_explain_refusal(pid_t process, const char *where)
{
	long scope = proc_read_number("/proc/sys/kernel/yama/ptrace_scope", "");
	struct stat owner;
	char path[64];
	long tracer;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
	tracer = proc_read_number(path, "\nTracerPid:");
	if (tracer > 0)
		return wt_error_create(WT_ERROR_USAGE, what, where,
				       "process %ld traces it: one debugger at a time", tracer);
	snprintf(path, sizeof(path), "/proc/%d", (int)process);
	if (!stat(path, &owner) && owner.st_uid != geteuid() && geteuid())
		return wt_error_create(
			WT_ERROR_USAGE, what, where,
			"it is of user %u: run this command as that user, or as root",
			(unsigned int)owner.st_uid);
	if (scope == 3)
		return wt_error_create(WT_ERROR_USAGE, what, where,
				       "kernel.yama.ptrace_scope is 3: nobody may trace on this "
				       "machine until it is started again");
	if (scope > 0 && geteuid())
		return wt_error_create(
			WT_ERROR_USAGE, what, where,
			"kernel.yama.ptrace_scope is %ld: run this command as root, or "
			"set it to 0",
			scope);
	return wt_error_create(WT_ERROR_USAGE, what, where,
			       "the capability SYS_PTRACE is missing, or a filter of system calls "
			       "forbids ptrace: in a container, --cap-add SYS_PTRACE");
}

struct wt_error *wt_trace_begin(pid_t process)
{
	char where[32];

	snprintf(where, sizeof(where), "process %d", (int)process);
	if (process == getpid() || process == getppid())
		return wt_error_create(WT_ERROR_USAGE, what, where, "that is this command itself");
	if (!ptrace(PTRACE_SEIZE, process, NULL, NULL))
		return NULL;
	if (errno == ESRCH)
		return wt_error_create(WT_ERROR_NOT_FOUND, what, where, "there is no such process");
	if (errno == EPERM || errno == EACCES)
		return tracing_explain_refusal(process, where);
	return wt_error_errno(errno, what, where);
}

/* Let a thread that stopped go on: a signal is handed on, and a stop of the whole process stays one. */
static void thread_go_on(pid_t process, int status)
{
	int event = status >> 16;

	if (event == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP)
		ptrace(PTRACE_LISTEN, process, NULL, NULL);
	else
		ptrace(PTRACE_CONT, process, NULL, (void *)(long)(event ? 0 : WSTOPSIG(status)));
}

bool wt_trace_serve(pid_t process)
{
	int status;

	for (;;) {
		pid_t got = waitpid(process, &status, WNOHANG | __WALL);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || (got > 0 && !WIFSTOPPED(status)))
			return false;
		if (!got)
			return true;
		thread_go_on(process, status);
	}
}

void wt_trace_end(pid_t process)
{
	int status;

	/* A tracer can only let go of a thread that stands still. */
	if (ptrace(PTRACE_INTERRUPT, process, NULL, NULL))
		return;
	while (waitpid(process, &status, __WALL) == process && WIFSTOPPED(status)) {
		int event = status >> 16;

		if (event == PTRACE_EVENT_STOP) {
			ptrace(PTRACE_DETACH, process, NULL, NULL);
			return;
		}
		ptrace(PTRACE_CONT, process, NULL, (void *)(long)WSTOPSIG(status));
	}
}
