/* SPDX-License-Identifier: MIT */
/* The library that disassembles is found where a ROCm has it, by each way that leads to one. A process looks once: each has its own. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/with-cmocka.h"

#include "base/error.h"
#include "dbgapi/architecture/disassemble.h"
#include "gfx/architecture/architecture.h"

#ifdef NAME
#define FOLDER "lib/llvm/lib"
#define SHOWN "LLVM 39"
#else
#define NAME "libamd_comgr.so.4"
#define FOLDER "lib"
#define SHOWN "comgr"
#endif

static char root[] = "/tmp/wavetape-decoder-XXXXXX";

static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755))
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
}

/* A variable is set to a folder below the root, and a child looks: its exit code tells what it has found. */
static int child_look(const char *variable, const char *value, const char *path)
{
	char folder[PATH_MAX], expected[2 * PATH_MAX];
	static const uint8_t none[4] = {1}, illegal[4];
#ifdef DIES
	static const uint8_t deadly[64] = {0xde}, before[64] = {0, 0, 0, 0, 0xde};
#endif
	struct wt_disassembled result;
	struct wt_disassembler *disassembler;

	snprintf(folder, sizeof(folder), "%s/%s", root, value);
	if (setenv(variable, folder, 1))
		return 2;
	snprintf(expected, sizeof(expected), SHOWN " (%s)", path);
	if (!wt_disassembler_library() || strcmp(wt_disassembler_library(), expected) != 0) {
		print_error("%s: %s, not %s\n", variable, wt_disassembler_library(), expected);
		return 3;
	}
	if (wt_disassembler_create(gfx_architecture_by_name("gfx1100"), NULL, &disassembler))
		return 4;
	/* Its name for a word that it does not know is the instruction that a word of 0 is. */
	if (wt_disassembler_decode(disassembler, 0, none, sizeof(none), &result))
		return 5;
	if (!wt_disassembler_decode(disassembler, 0, illegal, sizeof(illegal), &result) ||
	    strcmp(result.text, "v_illegal") != 0 || result.size != 4)
		return 6;
#ifdef DIES
	/* Alone, behind another, and before another, which are decoded at once: one of which the library dies is none. */
	for (size_t size = 4; size <= sizeof(deadly) - 4; size += 16) {
		bool is_one = wt_disassembler_decode(disassembler, 0x1000, deadly, size, &result);

		if (is_one ||
		    !wt_disassembler_decode(disassembler, 0x1000, deadly + 4, size, &result) ||
		    wt_disassembler_decode(disassembler, 0x2000, deadly, 4, &result))
			return 7;
	}
	if (!wt_disassembler_decode(disassembler, 0x3000, before, sizeof(before), &result) ||
	    result.size != 4)
		return 8;
#endif
	wt_disassembler_destroy(disassembler);
	/* Nobody has to wait for the process that decodes. */
	return waitpid(-1, NULL, 0) != -1 || errno != ECHILD ? 9 : 0;
}

/* In a child. Return: 0 if a disassembler cannot be made for this reason. */
static int child_fail(const char *reason)
{
	struct wt_disassembler *disassembler;
	struct wt_error *error =
		wt_disassembler_create(gfx_architecture_by_name("gfx1100"), NULL, &disassembler);

	if (!error)
		return 2;
	if (error->code != WT_ERROR_IO || strcmp(error->why, reason) != 0) {
		print_error("%s, not %s\n", error->why, reason);
		return 3;
	}
	wt_error_destroy(error);
	return wt_disassembler_library() ? 4 : 0;
}

static void expect_failure(bool dies, rlim_t files, const char *reason)
{
	const struct rlimit limit = {files, files};
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child)
		_exit((dies && setenv("FAKE_DECODER_DIES", "1", 1)) ||
				      setrlimit(RLIMIT_NOFILE, &limit)
			      ? 1
			      : child_fail(reason));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Nobody says that no library was found where none was looked for. */
static void test_processes(void **state)
{
	(void)state;
	expect_failure(false, 3, "there can be no process that decodes: Too many open files");
#ifdef DIES
	char path[PATH_MAX], folder[PATH_MAX];

	snprintf(path, sizeof(path), "%s/libraries/" NAME, root);
	make_folders(path);
	assert_int_equal(symlink(FAKE_DECODER, path), 0);
	snprintf(folder, sizeof(folder), "%s/libraries", root);
	assert_int_equal(setenv("LD_LIBRARY_PATH", folder, 1), 0);
	expect_failure(true, 256,
		       "the process that decodes has ended while it looked for a library");
	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
	assert_int_equal(unlink(path), 0);
#endif
}

static void expect_found(const char *variable, const char *value, const char *place)
{
	char path[PATH_MAX];
	int status;
	pid_t child;

	snprintf(path, sizeof(path), "%s/%s/" NAME, root, place);
	make_folders(path);
	assert_int_equal(symlink(FAKE_DECODER, path), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(child_look(variable, value, path));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(unlink(path), 0);
}

static void test_places(void **state)
{
	(void)state;
	expect_found("LD_LIBRARY_PATH", "libraries", "libraries");
	expect_found("ROCM_PATH", "my rocm", "my rocm/" FOLDER);
	expect_found("VIRTUAL_ENV", "venv",
		     "venv/lib/python3.12/site-packages/_rocm_sdk_core/" FOLDER);
	expect_found("PYTHONPATH", "packages", "packages/_rocm_sdk_core/" FOLDER);
}

#ifdef DIES
static const uint8_t hanging[4] = {0xdf}, illegal_word[4];

static size_t times_hung(void)
{
	struct stat file;

	return stat(getenv("FAKE_DECODER_HANGS"), &file) ? 0 : (size_t)file.st_size;
}

static struct wt_disassembler *make_disassembler(void)
{
	struct wt_disassembler *disassembler = NULL;

	assert_null(
		wt_disassembler_create(gfx_architecture_by_name("gfx1100"), NULL, &disassembler));
	return disassembler;
}

static void *decode_hanging(void *disassembler)
{
	struct wt_disassembled result;

	return wt_disassembler_decode(disassembler, 0, hanging, sizeof(hanging), &result)
		       ? disassembler
		       : NULL;
}

/* One word of which the library does not come back is none, as one that it dies of: it is given up, and not tried for ever. */
static void test_hangs(void **state)
{
	char path[PATH_MAX], folder[PATH_MAX], note[PATH_MAX];
	struct wt_disassembler *first, *second;
	struct wt_disassembled result;
	pthread_t thread;
	void *decoded;
	int status;
	pid_t child;

	(void)state;
	snprintf(path, sizeof(path), "%s/hangs/" NAME, root);
	make_folders(path);
	assert_int_equal(symlink(FAKE_DECODER, path), 0);
	snprintf(folder, sizeof(folder), "%s/hangs", root);
	snprintf(note, sizeof(note), "%s/hung", root);
	assert_int_equal(setenv("LD_LIBRARY_PATH", folder, 1), 0);
	assert_int_equal(setenv("FAKE_DECODER_HANGS", note, 1), 0);
	first = make_disassembler();
	second = make_disassembler();
	assert_int_equal(pthread_create(&thread, NULL, decode_hanging, first), 0);
	while (!times_hung())
		usleep(1000);
	/* A child that forks off now has nobody who would ever give it the lock. */
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(60);
		_exit(!wt_disassembler_decode(second, 0, illegal_word, sizeof(illegal_word),
					      &result));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(pthread_join(thread, &decoded), 0);
	assert_null(decoded);
	/* The library hung twice: asked for the word with what may be behind it, and alone. */
	assert_int_equal(times_hung(), 2);
	assert_true(wt_disassembler_decode(first, 0, illegal_word, sizeof(illegal_word), &result));
	wt_disassembler_destroy(first);
	wt_disassembler_destroy(second);
	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_places),
#ifdef DIES
		cmocka_unit_test(test_hangs),
#endif
	};
	char command[64];
	int failed;

	if (!mkdtemp(root))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) ? 1 : failed;
}
