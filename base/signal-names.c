/* SPDX-License-Identifier: MIT */
#include "base/signal-names.h"

#include <signal.h>
#include <stddef.h>

/* Some architectures lack a signal, and number them in their own way. */
static const char *const names[] = {
	[SIGHUP] = "HUP",	[SIGINT] = "INT",	[SIGQUIT] = "QUIT", [SIGILL] = "ILL",
	[SIGTRAP] = "TRAP",	[SIGABRT] = "ABRT",	[SIGBUS] = "BUS",   [SIGFPE] = "FPE",
	[SIGKILL] = "KILL",	[SIGUSR1] = "USR1",	[SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
	[SIGPIPE] = "PIPE",	[SIGALRM] = "ALRM",	[SIGTERM] = "TERM",
#ifdef SIGSTKFLT
	[SIGSTKFLT] = "STKFLT",
#endif
	[SIGCHLD] = "CHLD",	[SIGCONT] = "CONT",	[SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
	[SIGTTIN] = "TTIN",	[SIGTTOU] = "TTOU",	[SIGURG] = "URG",   [SIGXCPU] = "XCPU",
	[SIGXFSZ] = "XFSZ",	[SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH",
	[SIGPOLL] = "POLL",	[SIGPWR] = "PWR",	[SIGSYS] = "SYS",
};

const char *wt_signal_name(int number)
{
	const size_t count = sizeof(names) / sizeof(*names);

	return number > 0 && (size_t)number < count ? names[number] : NULL;
}
