/* SPDX-License-Identifier: MIT */
/* A process of one's own: what it has of its maker, and what its maker sees of it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/apart.h"

#define FILES_MAX 256
#define STREAMS 3

/* The process says this of itself. */
struct seen {
	pid_t process, session;
	int open_files; /* all of them */
	bool null_streams, ignores_signal, blocks_signal, has_core_limit;
};

static bool file_is_null(int file)
{
	struct stat status;

	return !fstat(file, &status) && S_ISCHR(status.st_mode) && major(status.st_rdev) == 1 &&
	       minor(status.st_rdev) == 3;
}

static void process_look(int socket)
{
	struct seen seen = {.process = getpid(), .session = getsid(0), .null_streams = true};
	struct rlimit limit;
	sigset_t blocked;

	for (int file = 0; file < FILES_MAX; file++)
		seen.open_files += fcntl(file, F_GETFD) >= 0;
	for (int file = 0; file < STREAMS; file++)
		seen.null_streams &= file_is_null(file);
	seen.ignores_signal = signal(SIGUSR1, SIG_DFL) != SIG_DFL;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	seen.blocks_signal = sigismember(&blocked, SIGUSR2);
	seen.has_core_limit = !getrlimit(RLIMIT_CORE, &limit) && !limit.rlim_cur;
	if (send(socket, &seen, sizeof(seen), MSG_NOSIGNAL) != (ssize_t)sizeof(seen))
		return;
	/* Until nobody holds the other end. */
	recv(socket, &seen, sizeof(seen), 0);
}

/* In a child, which has closed these standard streams. Return: 0, or the number of what is wrong. */
static int child_try(unsigned int closed)
{
	struct seen seen;
	sigset_t blocked;
	int socket;

	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	alarm(60);
	for (int file = 0; file < STREAMS; file++)
		if (closed >> file & 1)
			close(file);
	if (!wt_apart_begin(process_look, &socket))
		return 1;
	if (socket < STREAMS || recv(socket, &seen, sizeof(seen), 0) != (ssize_t)sizeof(seen))
		return 2;
	if (seen.process == getpid() || seen.session != seen.process)
		return 3;
	if (seen.open_files != STREAMS + 1 || !seen.null_streams)
		return 4;
	if (seen.ignores_signal || seen.blocks_signal || !seen.has_core_limit)
		return 5;
	/* Nobody has to wait for the process that decodes. */
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		return 6;
	close(socket);
	return 0;
}

static void it_has_nothing_of_its_maker(void **state)
{
	(void)state;
	for (unsigned int closed = 0; closed < 1u << STREAMS; closed++) {
		int status;
		pid_t child = fork();

		assert_true(child >= 0);
		if (!child)
			_exit(child_try(closed));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
}

static void what_cannot_be_had_is_said(void **state)
{
	struct rlimit before, few;
	int socket = -1;
	bool begun;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){STREAMS, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	begun = wt_apart_begin(process_look, &socket);
	assert_int_equal(errno, EMFILE);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(begun);
	assert_int_equal(socket, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_nothing_of_its_maker),
		cmocka_unit_test(what_cannot_be_had_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
