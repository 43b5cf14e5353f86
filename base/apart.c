/* SPDX-License-Identifier: MIT */
#include "base/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define SOCKET (STDERR_FILENO + 1)

/* All that it has of its maker is left; its socket becomes the first file that is no standard stream. */
static void apart_settle(int socket)
{
	const struct rlimit none = {0, 0};
	int null;

	setsid();
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &(sigset_t){{0}}, NULL);
	prctl(PR_SET_NAME, "wavetape-apart");
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	/* The socket comes first: where the maker has closed standard streams, it may have the number of one. */
	if (socket != SOCKET)
		dup2(socket, SOCKET);
	null = open("/dev/null", O_RDWR);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (!wt_file_close_from(SOCKET + 1))
		for (int fd = SOCKET + 1; fd < (int)sysconf(_SC_OPEN_MAX) && fd < 65536; fd++)
			close(fd);
}

/* The socket must not have the number of a standard stream that the caller has closed and prints to. Return: -1 if there is no other. */
static int socket_raise(int socket)
{
	int raised;

	if (socket >= SOCKET)
		return socket;
	raised = fcntl(socket, F_DUPFD_CLOEXEC, SOCKET);
	close(socket);
	return raised;
}

bool wt_apart_begin(void (*serve)(int socket), int *socket_ret)
{
	int sockets[2], errnum;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return false;
	sockets[0] = socket_raise(sockets[0]);
	child = sockets[0] < 0 ? -1 : fork();
	if (!child) {
		child = fork();
		if (!child) {
			apart_settle(sockets[1]);
			serve(SOCKET);
		}
		_exit(0);
	}
	errnum = errno;
	close(sockets[1]);
	if (child < 0) {
		if (sockets[0] >= 0)
			close(sockets[0]);
		errno = errnum;
		return false;
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	*socket_ret = sockets[0];
	return true;
}

/* Seconds of the clock for one that waits for something. */
#define LIMIT_OF_CLOCK 20u

static struct {
	int socket;
	const void *message;
	size_t size;
} limit;

static void limit_pass(int number)
{
	(void)number;
	_exit(send(limit.socket, limit.message, limit.size, MSG_NOSIGNAL) < 0);
}

void wt_apart_limit(int socket, long ms, const void *message, size_t size)
{
	const struct itimerval time = {.it_value = {ms / 1000, ms % 1000 * 1000}};
	const struct sigaction pass = {.sa_handler = limit_pass};

	limit.socket = socket;
	limit.message = message;
	limit.size = size;
	sigaction(SIGPROF, &pass, NULL);
	sigaction(SIGALRM, &pass, NULL);
	setitimer(ITIMER_PROF, &time, NULL);
	alarm(ms ? LIMIT_OF_CLOCK : 0);
}
