/* SPDX-License-Identifier: MIT */
/* The host program, under ptrace. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <string.h>
#include <unistd.h>

struct host_target target = {.memory = -1};

__attribute__((noreturn, format(printf, 1, 2))) void host_die(const char *text, ...)
{
	va_list arguments;

	va_start(arguments, text);
	vprintf(text, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
	if (target.pid > 0)
		kill(target.pid, SIGKILL);
	exit(1);
}

void host_must(const char *what, amd_dbgapi_status_t status)
{
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		host_die("%s: %d", what, (int)status);
}

void host_poke(uint64_t address, uint8_t byte)
{
	if (pwrite(target.memory, &byte, 1, (off_t)address) != 1)
		host_die("cannot write to the host: %s", strerror(errno));
}

void host_wait_for_trap(const char *what)
{
	int status;

	if (waitpid(target.pid, &status, 0) != target.pid || !WIFSTOPPED(status) ||
	    WSTOPSIG(status) != SIGTRAP)
		host_die("%s: the host is not trapped: status 0x%x", what, (unsigned int)status);
}

void host_start(char **argv)
{
	char path[64];

	target.pid = fork();
	if (!target.pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[0], argv);
		_exit(127);
	}
	if (target.pid < 0)
		host_die("cannot fork");
	host_wait_for_trap("exec");
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)target.pid);
	target.memory = open(path, O_RDWR | O_CLOEXEC);
	if (target.memory < 0)
		host_die("cannot reach the host's memory: %s", strerror(errno));
}

void host_go_on(void)
{
	if (ptrace(PTRACE_CONT, target.pid, NULL, NULL))
		host_die("cannot let the host run: %s", strerror(errno));
}

/* The host has hit the breakpoint: it goes on where that was. */
void host_back_up(void)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, target.pid, NULL, &registers))
		host_die("cannot read the host's registers");
	if (registers.rip != target.breakpoint + 1)
		host_die("the host stopped at 0x%llx", registers.rip);
	registers.rip = target.breakpoint;
	if (ptrace(PTRACE_SETREGS, target.pid, NULL, &registers))
		host_die("cannot write the host's registers");
}

/* Past the breakpoint, which stays in. */
void host_step_over(void)
{
	host_poke(target.breakpoint, target.replaced);
	if (ptrace(PTRACE_SINGLESTEP, target.pid, NULL, NULL))
		host_die("cannot step the host: %s", strerror(errno));
	host_wait_for_trap("step");
	host_poke(target.breakpoint, TRAP);
}

void host_end(void)
{
	int status;

	if (!target.pid)
		return;
	kill(target.pid, SIGKILL);
	waitpid(target.pid, &status, 0);
	target.pid = 0;
}
