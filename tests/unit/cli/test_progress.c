/* SPDX-License-Identifier: MIT */
/* The progress line: when it is drawn, and that it is gone where something else is printed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "cli/progress.h"

#define CLEAR "\r\033[K"

/* A terminal as stderr, and stderr as it was. */
static int outside, before;
static char shown[4096];

static int terminal_open(void **state)
{
	int inside;

	(void)state;
	outside = posix_openpt(O_RDWR | O_NOCTTY);
	if (outside < 0 || grantpt(outside) || unlockpt(outside))
		return -1;
	inside = open(ptsname(outside), O_RDWR | O_NOCTTY);
	before = dup(STDERR_FILENO);
	dup2(inside, STDERR_FILENO);
	close(inside);
	return 0;
}

/* stderr was the last one that wrote to the terminal: reading ends with an error. */
static int terminal_close(void **state)
{
	(void)state;
	close(outside);
	return 0;
}

static const char *terminal_read(void)
{
	size_t used = 0;
	ssize_t got;

	dup2(before, STDERR_FILENO);
	close(before);
	do {
		got = read(outside, shown + used, sizeof(shown) - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	} while (got > 0 && used + 1 < sizeof(shown));
	shown[used] = '\0';
	return shown;
}

static void wait_ms(long ms)
{
	const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static void test_silent_work(void **state)
{
	struct wt_progress progress = wt_progress_start("work");

	(void)state;
	wait_ms(1500);
	wt_progress_end(&progress);
	assert_string_equal(terminal_read(), CLEAR "work ..." CLEAR);
}

static void test_short_work(void **state)
{
	struct wt_progress progress = wt_progress_start("work");

	(void)state;
	for (unsigned int i = 0; i < 1000; i++)
		wt_progress_percent(&progress, i, 1000);
	wt_progress_end(&progress);
	assert_string_equal(terminal_read(), "");
}

static void test_how_far(void **state)
{
	struct wt_progress progress = wt_progress_start("work");

	(void)state;
	wt_progress_update(&progress, "%d of %d", 1, 2);
	wait_ms(1500);
	/* Only a line that is another one is drawn. */
	wt_progress_update(&progress, "%d of %d", 1, 2);
	wait_ms(800);
	wt_progress_update(&progress, "%d of %d", 2, 2);
	wait_ms(1500);
	wt_progress_end(&progress);
	assert_string_equal(terminal_read(), CLEAR "work: 1 of 2" CLEAR "work: 2 of 2" CLEAR);
}

static void test_hidden(void **state)
{
	struct wt_progress progress = wt_progress_start("work");

	(void)state;
	wait_ms(1500);
	wt_progress_hide();
	dprintf(STDERR_FILENO, "said");
	wait_ms(1500);
	wt_progress_end(&progress);
	assert_string_equal(terminal_read(), CLEAR "work ..." CLEAR "said");
}

/* A child has no line, and does not wait for one. */
static void test_child(void **state)
{
	struct wt_progress progress = wt_progress_start("work");
	pid_t child = fork();
	int status;

	(void)state;
	if (!child) {
		wt_progress_update(&progress, "child");
		wt_progress_hide();
		wt_progress_end(&progress);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	wt_progress_end(&progress);
	wt_progress_end(&progress);
	assert_string_equal(terminal_read(), "");
}

static void test_no_terminal(void **state)
{
	struct wt_progress progress;
	int ends[2];
	char byte;

	(void)state;
	terminal_read();
	before = dup(STDERR_FILENO);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	progress = wt_progress_start("work");
	wt_progress_update(&progress, "far");
	wait_ms(800);
	wt_progress_hide();
	wt_progress_end(&progress);
	dup2(before, STDERR_FILENO);
	close(before);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_silent_work, terminal_open, terminal_close),
		cmocka_unit_test_setup_teardown(test_short_work, terminal_open, terminal_close),
		cmocka_unit_test_setup_teardown(test_how_far, terminal_open, terminal_close),
		cmocka_unit_test_setup_teardown(test_hidden, terminal_open, terminal_close),
		cmocka_unit_test_setup_teardown(test_child, terminal_open, terminal_close),
		cmocka_unit_test_setup_teardown(test_no_terminal, terminal_open, terminal_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
