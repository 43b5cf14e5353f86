/* SPDX-License-Identifier: MIT */
/* A thread of ours: what the program around it sees of it. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/worker.h"

/* What the thread saw of itself. */
struct seen {
	char name[16];
	sigset_t blocked;
	pthread_t self;
	unsigned int times;
};

static void look(void *argument)
{
	struct seen *seen = argument;

	pthread_getname_np(pthread_self(), seen->name, sizeof(seen->name));
	pthread_sigmask(SIG_BLOCK, NULL, &seen->blocked);
	seen->self = pthread_self();
	seen->times++;
}

static void it_takes_no_signal(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGALRM, SIGSEGV, SIGCHLD, SIGUSR1, SIGPROF};
	struct wt_worker worker = {.started = false};
	struct seen seen = {.times = 0};
	sigset_t before, after;

	(void)state;
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	assert_true(wt_worker_start(&worker, look, &seen));
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	wt_worker_wait(&worker);
	assert_int_equal(seen.times, 1);
	assert_string_equal(seen.name, "wavetape");
	assert_false(pthread_equal(seen.self, pthread_self()));
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		assert_true(sigismember(&seen.blocked, signals[i]));
	/* The program's own are as they were. */
	for (int i = 1; i < SIGRTMAX; i++)
		assert_int_equal(sigismember(&before, i), sigismember(&after, i));
}

static void it_may_be_waited_for_at_any_time(void **state)
{
	struct wt_worker worker = {.started = false};
	struct seen seen = {.times = 0};

	(void)state;
	assert_true(wt_worker_is_done(&worker));
	wt_worker_wait(&worker);
	for (unsigned int i = 1; i < 50; i++) {
		assert_true(wt_worker_start(&worker, look, &seen));
		while (i % 2 && !wt_worker_is_done(&worker))
			usleep(10);
		wt_worker_wait(&worker);
		assert_true(wt_worker_is_done(&worker));
		wt_worker_wait(&worker);
		assert_int_equal(seen.times, i);
	}
}

static int pipes[2];

static void wait_for_byte(void *argument)
{
	char byte;

	(void)argument;
	while (read(pipes[0], &byte, 1) < 0)
		;
}

/* In a child there is no such thread, whatever the parent's is about. */
static void a_child_does_not_wait(void **state)
{
	struct wt_worker worker = {.started = false};
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	assert_true(wt_worker_start(&worker, wait_for_byte, NULL));
	assert_false(wt_worker_is_done(&worker));
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(20);
		wt_worker_wait(&worker);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(write(pipes[1], "x", 1), 1);
	wt_worker_wait(&worker);
	close(pipes[0]);
	close(pipes[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_takes_no_signal),
		cmocka_unit_test(it_may_be_waited_for_at_any_time),
		cmocka_unit_test(a_child_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
