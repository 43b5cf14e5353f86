/* SPDX-License-Identifier: MIT */
/* What traces are called by a pattern, and which of them a directory keeps. */
#include "tests/unit/recorder/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/naming/place.h"
#include "recorder/recording/claim.h"
#include "trace-format/writer/writer.h"

static const struct wt_place_limits no_limits;

/* The environment of a test: names and values in turn, NULL-terminated. */
static const char *const *environment;

static char *variable(const char *name)
{
	for (const char *const *entry = environment; entry && *entry; entry += 2)
		if (!strcmp(*entry, name))
			return (char *)entry[1];
	return NULL;
}

static struct wt_name_facts some_facts(void)
{
	return (struct wt_name_facts){.host = "node1",
				      .rank = "3",
				      .job = "4711",
				      .executable = "train",
				      .process = 99,
				      .time = 1798761599};
}

/* ---- Patterns ---- */

static void test_letters(void **state)
{
	static const struct {
		const char *pattern, *path;
	} rows[] = {
		{"trace.wtape", "trace.wtape"},
		{"/var/%h/%j/%r-%p.wtape", "/var/node1/4711/3-99.wtape"},
		{"%e-%t", "train-20261231T235959Z"},
		{"100%%", "100%"},
		{"%%h%h", "%hnode1"},
		{"", ""},
	};
	const struct wt_name_facts facts = some_facts();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *path;

		support_must(wt_pattern_expand(rows[i].pattern, &facts, &path));
		assert_string_equal(path, rows[i].path);
		free(path);
	}
}

static void test_wrong_letters(void **state)
{
	static const struct {
		const char *pattern, *why;
	} rows[] = {
		{"a%q", "%q stands for nothing: there are %h host, %p process, %r rank, %j job, "
			"%t time, %e executable, and %%"},
		{"a%", "a % stands at its end: write %% for the sign itself"},
		{"%h%H", "%H stands for nothing: there are %h host, %p process, %r rank, %j job, "
			 "%t time, %e executable, and %%"},
	};
	const struct wt_name_facts facts = some_facts();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *path;
		struct wt_error *error = wt_pattern_expand(rows[i].pattern, &facts, &path);

		assert_non_null(error);
		assert_int_equal(error->code, WT_ERROR_USAGE);
		assert_string_equal(error->where, rows[i].pattern);
		assert_string_equal(error->why, rows[i].why);
		wt_error_destroy(error);
	}
}

/* What the environment says stays within its part of the name. */
static void test_words(void **state)
{
	static const struct {
		const char *text, *word;
	} rows[] = {
		{"a/b", "a_b"},
		{"..", "_."},
		{"../../etc", "_._.._etc"},
		{"two words", "two_words"},
		{"1234.server-2", "1234.server-2"},
		{"\xc3\xa4%h", "___h"},
		{"", ""},
	};
	char word[WT_NAME_WORD], many[300];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		wt_name_word(rows[i].text, word);
		assert_string_equal(word, rows[i].word);
	}
	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	wt_name_word(many, word);
	assert_int_equal(strlen(word), WT_NAME_WORD - 1);
}

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_ranks_and_jobs(void **state)
{
	static const char none[] = "none";
	const struct {
		const char *const *environment;
		const char *rank, *job;
	} rows[] = {
		{NULL, none, none},
		{SET("SLURM_JOB_ID", "71", "SLURM_PROCID", "5"), "5", "71"},
		/* mpirun, and torchrun, within a batch script's own step. */
		{SET("SLURM_JOB_ID", "71", "SLURM_PROCID", "0", "OMPI_COMM_WORLD_RANK", "6"), "6",
		 "71"},
		{SET("SLURM_JOB_ID", "71", "SLURM_PROCID", "0", "RANK", "9", "WORLD_SIZE", "16",
		     "TORCHELASTIC_RUN_ID", "none"),
		 "9", "71"},
		{SET("RANK", "9", "WORLD_SIZE", "16", "TORCHELASTIC_RUN_ID", "abc"), "9", "abc"},
		{SET("RANK", "colonel"), none, none},
		{SET("PMI_RANK", "2", "PBS_JOBID", "123.server"), "2", "123.server"},
		{SET("PMIX_RANK", "4", "PMIX_NAMESPACE", "prterun-1@1"), "4", "prterun-1_1"},
		{SET("KUBERNETES_SERVICE_HOST", "10.0.0.1", "HOSTNAME", "train-0-x7",
		     "JOB_COMPLETION_INDEX", "0"),
		 "0", "train-0-x7"},
		{SET("HOSTNAME", "train-0-x7"), none, none},
		{SET("SLURM_JOB_ID", "", "SLURM_PROCID", ""), none, none},
		{SET("SLURM_JOB_ID", "../../x"), none, "_._.._x"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct wt_name_facts facts;

		environment = rows[i].environment;
		facts = wt_name_facts_find(variable);
		assert_string_equal(facts.rank, rows[i].rank);
		assert_string_equal(facts.job, rows[i].job);
		assert_int_equal(facts.process, getpid());
		assert_int_equal(strncmp(facts.executable, "test_recorder_naming", 20), 0);
		assert_true(*facts.host && !strchr(facts.host, '/'));
	}
	environment = NULL;
}

static void test_globs(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool fits;
	} rows[] = {
		{"dir/%h-%p.wtape", "node1-99.wtape", true},
		{"dir/%h-%p.wtape", "node1-99.wtape.partial", false},
		{"dir/%h-%p.wtape", "node1.wtape", false},
		{"a[b]*%r", "a[b]*7", true},
		{"a[b]*%r", "abc7", false},
		{"100%%%r", "100%7", true},
		{"fixed.wtape", "fixed.wtape", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *glob = wt_pattern_glob(rows[i].pattern);

		assert_non_null(glob);
		assert_int_equal(!fnmatch(glob, rows[i].name, FNM_PERIOD), rows[i].fits);
		free(glob);
	}
}

/* ---- Places ---- */

/* A fresh directory for one test, with a slash at its end. */
static char *fresh(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s/", support_directory(), name) > 0);
	assert_int_equal(mkdir(path, 0700), 0);
	return path;
}

static char *in(const char *folder, const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s%s", folder, name) > 0);
	return path;
}

static void write_trace(const char *path, time_t time)
{
	const struct wt_writer_options options = {.size = sizeof(options), .recorder = "test"};
	const struct timespec times[2] = {{.tv_sec = time}, {.tv_sec = time}};
	struct wt_writer *writer;

	support_must(wt_writer_create(path, &options, &writer));
	support_must(wt_writer_close(writer, "finalized"));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* How many entries a directory has; removes them and the directory. */
static unsigned int sweep(char *folder)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;
	unsigned int count = 0;

	assert_non_null(entries);
	while ((entry = readdir(entries))) {
		if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.'))
			continue;
		assert_int_equal(unlinkat(dirfd(entries), entry->d_name, 0), 0);
		count++;
	}
	closedir(entries);
	rmdir(folder);
	free(folder);
	return count;
}

static bool is_there(const char *folder, const char *name)
{
	char *path = in(folder, name);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

static void test_directories(void **state)
{
	const struct wt_name_facts facts = some_facts();
	char *folder = fresh("deep"), *pattern = in(folder, "%j/%h//%r.wtape"), *path;
	struct stat status;

	(void)state;
	support_must(wt_place_make(pattern, &facts, &no_limits, &path));
	assert_string_equal(path + strlen(folder), "4711/node1//3.wtape");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(status.st_size, 0);
	unlink(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);
	free(path);
	path = in(folder, "4711");
	assert_int_equal(rmdir(path), 0);
	free(path);
	free(pattern);
	sweep(folder);
}

/* Many processes want one name: each gets a file of its own. */
static void test_never_shared(void **state)
{
	enum { RANKS = 20, EACH = 5 };
	const struct wt_name_facts facts = some_facts();
	char *folder = fresh("ranks"), *pattern = in(folder, "%r.wtape");
	int failed = 0, status;

	(void)state;
	for (int rank = 0; rank < RANKS; rank++)
		if (!fork()) {
			for (int i = 0; i < EACH; i++) {
				char *path;

				if (wt_place_make(pattern, &facts, &no_limits, &path))
					_exit(1);
			}
			_exit(0);
		}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	assert_true(is_there(folder, "3.wtape") && is_there(folder, "3-2.wtape") &&
		    is_there(folder, "3-100.wtape"));
	free(pattern);
	assert_int_equal(sweep(folder), RANKS * EACH);
}

static void expect_failure(const char *pattern, const char *why)
{
	const struct wt_name_facts facts = some_facts();
	char *path;
	struct wt_error *error = wt_place_make(pattern, &facts, &no_limits, &path);

	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->why, why);
	wt_error_destroy(error);
}

static void test_no_place(void **state)
{
	char *folder = fresh("none"), *file = in(folder, "file"), *below = in(folder, "file/%r");

	(void)state;
	close(open(file, O_CREAT | O_WRONLY, 0600));
	expect_failure(below, strerror(ENOTDIR));
	expect_failure("/proc/none/%r", strerror(ENOENT));
	free(file);
	free(below);
	sweep(folder);
}

static void write_five(const char *folder)
{
	for (int i = 1; i <= 5; i++) {
		char name[32], *path;

		snprintf(name, sizeof(name), "crash-%d.wtape", i);
		path = in(folder, name);
		write_trace(path, 1000 + i);
		free(path);
	}
}

/* The oldest go first, and nothing that is not such a trace goes at all. */
static void test_limit_of_files(void **state)
{
	const struct wt_place_limits limits = {.files = 3};
	struct wt_name_facts facts = some_facts();
	char *folder = fresh("files"), *pattern = in(folder, "crash-%p.wtape"), *path;
	char *other = in(folder, "other.wtape"), *text = in(folder, "crash-0.wtape");
	char *numbered = in(folder, "crash-1-2.wtape");
	int fd;

	(void)state;
	write_five(folder);
	write_trace(other, 1);
	write_trace(numbered, 1);
	fd = open(text, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, "no trace", 8), 8);
	close(fd);
	support_must(wt_place_make(pattern, &facts, &limits, &path));
	assert_true(is_there(folder, "crash-99.wtape") && is_there(folder, "crash-5.wtape") &&
		    is_there(folder, "crash-4.wtape"));
	assert_true(is_there(folder, "crash-0.wtape") && is_there(folder, "other.wtape"));
	free(path);
	free(pattern);
	free(other);
	free(text);
	free(numbered);
	assert_int_equal(sweep(folder), 5);
}

static void test_limit_of_bytes(void **state)
{
	struct wt_place_limits limits = {0};
	char *folder = fresh("bytes"), *pattern = in(folder, "crash-%p.wtape");
	char *newest = in(folder, "crash-5.wtape");
	struct stat status;

	(void)state;
	write_five(folder);
	assert_int_equal(stat(newest, &status), 0);
	limits.bytes = (uint64_t)status.st_blocks * 512 * 2;
	wt_place_tidy(pattern, newest, &limits);
	assert_true(is_there(folder, "crash-4.wtape") && !is_there(folder, "crash-3.wtape"));
	/* The newest stays, however large it is. */
	limits.bytes = 1;
	wt_place_tidy(pattern, newest, &limits);
	free(pattern);
	free(newest);
	assert_int_equal(sweep(folder), 1);
}

/* What a process records into stays. */
static void test_claimed(void **state)
{
	const struct wt_place_limits limits = {.files = 1};
	char *folder = fresh("claimed"), *pattern = in(folder, "crash-%p.wtape");
	char *newest = in(folder, "crash-5.wtape"), *held = in(folder, "crash-2.wtape");
	int claim;

	(void)state;
	write_five(folder);
	claim = wt_claim_hold(held);
	assert_true(claim >= 0);
	wt_place_tidy(pattern, newest, &limits);
	assert_true(is_there(folder, "crash-2.wtape"));
	wt_claim_release(claim, true);
	free(pattern);
	free(newest);
	free(held);
	assert_int_equal(sweep(folder), 2);
}

/* The environment of another process, as the system shows it: an entry that is cut off does not count. */
static void test_words_in(void **state)
{
	static const char text[] = "SLURM_PROCID_X=1\0XSLURM_PROCID=2\0SLURM_PROCID=3/4\0"
				   "SLURM_JOB_ID=99";
	char rank[WT_NAME_WORD], job[WT_NAME_WORD];

	(void)state;
	wt_name_words_in(text, sizeof(text), rank, job);
	assert_string_equal(rank, "3_4");
	assert_string_equal(job, "99");
	wt_name_words_in(text, sizeof(text) - 1, rank, job);
	assert_string_equal(rank, "3_4");
	assert_string_equal(job, "none");
	wt_name_words_in(NULL, 0, rank, job);
	assert_string_equal(rank, "none");
	assert_string_equal(job, "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_letters),	       cmocka_unit_test(test_wrong_letters),
		cmocka_unit_test(test_words),	       cmocka_unit_test(test_ranks_and_jobs),
		cmocka_unit_test(test_globs),	       cmocka_unit_test(test_directories),
		cmocka_unit_test(test_never_shared),   cmocka_unit_test(test_no_place),
		cmocka_unit_test(test_limit_of_files), cmocka_unit_test(test_limit_of_bytes),
		cmocka_unit_test(test_claimed),	       cmocka_unit_test(test_words_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
