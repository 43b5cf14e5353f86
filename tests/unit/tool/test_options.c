/* SPDX-License-Identifier: MIT */
/* The words of WAVETAPE_AGENT. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <signal.h>

#include "tests/unit/with-cmocka.h"

#include "recorder/agent/tool-options.h"

static struct wt_tool_options parse(const char *text)
{
	struct wt_tool_options options;

	assert_true(wt_tool_options_parse(text, &options));
	return options;
}

static void test_nothing(void **state)
{
	static const char *const texts[] = {NULL, "", " ,, \t\n"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct wt_tool_options options = parse(texts[i]);

		assert_string_equal(options.output, WT_TOOL_PATTERN);
		assert_null(options.library);
		assert_int_equal(options.traces, WT_TOOL_TRACES);
		assert_int_equal(options.hang_after_ms, 0);
		assert_int_equal(options.signal, 0);
		assert_int_equal(options.keep.files, 0);
		assert_int_equal(options.keep.bytes, 0);
		assert_false(options.quiet);
		assert_null(options.on_trace);
		assert_int_equal(options.on_trace_within_ms, 30000);
		assert_string_equal(options.refused, "");
		wt_tool_options_deinit(&options);
	}
}

static void test_all(void **state)
{
	struct wt_tool_options options =
		parse("output=/a/%h.wtape,keep=3 keep-bytes=2G,traces=1,"
		      "library=/x.so,hang-after=90s\tsignal=SIGUSR1,quiet,source==/tree,"
		      "source=a=/b,source==/tree,on-trace=/bin/upload,on-trace-within=2m");

	(void)state;
	assert_string_equal(options.refused, "");
	assert_string_equal(options.output, "/a/%h.wtape");
	assert_string_equal(options.library, "/x.so");
	assert_int_equal(options.keep.files, 3);
	assert_int_equal(options.keep.bytes, UINT64_C(2) << 30);
	assert_int_equal(options.traces, 1);
	assert_int_equal(options.hang_after_ms, 90000);
	assert_string_equal(options.on_trace, "/bin/upload");
	assert_int_equal(options.on_trace_within_ms, 120000);
	assert_int_equal(options.signal, SIGUSR1);
	assert_true(options.quiet);
	assert_string_equal(options.sources[0], "=/tree");
	assert_string_equal(options.sources[1], "a=/b");
	assert_null(options.sources[2]);
	wt_tool_options_deinit(&options);
}

/* What would end a word is a part of it behind a backslash; one at the end stands for itself. */
static void test_backslash(void **state)
{
	struct wt_tool_options options =
		parse("output=/a\\ b\\,c/\\\\%p\\.wtape, keep=3 on-trace=/x\\\ty,source=a\\ "
		      "b=/c\\\nd,lo\\ud,library=/z\\");

	(void)state;
	assert_string_equal(options.output, "/a b,c/\\%p.wtape");
	assert_int_equal(options.keep.files, 3);
	assert_string_equal(options.on_trace, "/x\ty");
	assert_string_equal(options.sources[0], "a b=/c\nd");
	assert_string_equal(options.library, "/z\\");
	assert_string_equal(options.refused, "loud");
	wt_tool_options_deinit(&options);
}

/* As many maps as there may be, and none that is no map. */
static void test_sources(void **state)
{
	char text[1024] = "source=none,source==,";
	struct wt_tool_options options;

	(void)state;
	for (int i = 0; i <= WT_SOURCE_MAPS; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "source=a%d=b,", i);
	options = parse(text);
	assert_string_equal(options.refused, "source=none");
	assert_string_equal(options.sources[0], "a0=b");
	assert_string_equal(options.sources[WT_SOURCE_MAPS - 1], "a15=b");
	assert_null(options.sources[WT_SOURCE_MAPS]);
	wt_tool_options_deinit(&options);
}

static void test_precise(void **state)
{
	static const struct {
		const char *text;
		bool precise, precise_try;
	} rows[] = {{"quiet", false, false},
		    {"precise", true, false},
		    {"precise=try", true, true},
		    {"precise=try,precise", true, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct wt_tool_options options = parse(rows[i].text);

		assert_int_equal(options.precise, rows[i].precise);
		assert_int_equal(options.precise_try, rows[i].precise_try);
		assert_string_equal(options.refused, "");
		wt_tool_options_deinit(&options);
	}
}

static void test_trap(void **state)
{
	static const struct {
		const char *text;
		uint32_t trap;
		bool ends;
	} rows[] = {
		{"quiet", 0, false},
		{"trap=invalid", WT_TRAPPED_INVALID, false},
		{"trap=invalid+div0+overflow,on-trap=end",
		 WT_TRAPPED_INVALID | WT_TRAPPED_DIVISION | WT_TRAPPED_OVERFLOW, true},
		{"trap=underflow+denormal+inexact+intdiv0,on-trap=end,on-trap=continue",
		 WT_TRAPPED_UNDERFLOW | WT_TRAPPED_DENORMAL | WT_TRAPPED_INEXACT |
			 WT_TRAPPED_INTEGER_DIVISION,
		 false},
		{"trap=invalid,trap=div0", WT_TRAPPED_DIVISION, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct wt_tool_options options = parse(rows[i].text);

		assert_int_equal(options.trap, rows[i].trap);
		assert_int_equal(options.trap_ends, rows[i].ends);
		assert_string_equal(options.refused, "");
		wt_tool_options_deinit(&options);
	}
}

static void test_last_one_holds(void **state)
{
	struct wt_tool_options options =
		parse("output=a,output=b,library=c,library=d,keep=1,keep=2");

	(void)state;
	assert_string_equal(options.output, "b");
	assert_string_equal(options.library, "d");
	assert_int_equal(options.keep.files, 2);
	wt_tool_options_deinit(&options);
}

/* A wrong word is named, the first one, and changes nothing; the others hold. */
static void test_wrong_words(void **state)
{
	static const char *const words[] = {
		"output=",
		"output=%q",
		"keep",
		"keep=x",
		"keep=-1",
		"keep=1x",
		"keep-bytes=1T",
		"traces=0",
		"hang-after=0",
		"hang-after=soon",
		"hang-after=1d",
		"hang-after=99999999999h",
		"signal=KILL",
		"signal=STOP",
		"signal=NOTHING",
		"signal=0",
		"signal=9999999",
		"quiet=yes",
		"precise=",
		"trap",
		"trap=",
		"trap=nan",
		"trap=invalid+",
		"trap=+invalid",
		"trap=invalid:div0",
		"on-trap",
		"on-trap=stop",
		"precise=no",
		"on-trace",
		"on-trace=",
		"on-trace-within=0",
		"on-trace-within=soon",
		"loud",
		"library=",
		"Output=x",
		"=",
		"hang-after=1 0s2",
		"keep=99999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct wt_tool_options options;
		char text[128];
		size_t length = strcspn(words[i], " ");

		snprintf(text, sizeof(text), "traces=5,%s,keep=7,alsowrong", words[i]);
		options = parse(text);
		if (strncmp(words[i], "hang-after=1 ", 13)) {
			assert_int_equal(strlen(options.refused), length);
			assert_memory_equal(options.refused, words[i], length);
			assert_int_equal(options.hang_after_ms, 0);
		} else {
			assert_string_equal(options.refused, "0s2");
		}
		assert_string_equal(options.output, WT_TOOL_PATTERN);
		assert_int_equal(options.traces, 5);
		assert_int_equal(options.keep.files, 7);
		wt_tool_options_deinit(&options);
	}
}

/* A name that is nearly right is guessed; what a right one takes is said. */
static void test_why(void **state)
{
	static const struct {
		const char *text, *refused, *why;
	} rows[] = {
		{"keep=1,ouput=/tmp/x", "ouput=/tmp/x",
		 "there is no such word: did you mean output=?"},
		{"quite", "quite", "there is no such word: did you mean quiet?"},
		{"hang_after=1s,loud", "hang_after=1s",
		 "there is no such word: did you mean hang-after=?"},
		{"keep=x", "keep=x", "keep is a number of traces"},
		{"quiet=yes", "quiet=yes", "quiet has no value"},
		{"precise=no", "precise=no", "precise is said alone, or precise=try"},
		{"note=/x", "note=/x",
		 "there is no such word; there are output=, keep=, keep-bytes=, traces=, library=, "
		 "hang-after=, signal=, source=, precise, precise=, trap=, on-trap=, on-trace=, "
		 "on-trace-within=, quiet"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct wt_tool_options options = parse(rows[i].text);

		assert_string_equal(options.refused, rows[i].refused);
		assert_string_equal(options.why, rows[i].why);
		wt_tool_options_deinit(&options);
	}
}

static void test_long_word(void **state)
{
	static char text[9000] = "output=";
	struct wt_tool_options options;

	(void)state;
	memset(text + 7, 'x', sizeof(text) - 16);
	strcpy(text + sizeof(text) - 9, ",keep=4");
	options = parse(text);
	assert_string_equal(options.output, WT_TOOL_PATTERN);
	assert_int_equal(options.keep.files, 4);
	assert_int_equal(strlen(options.refused), 200);
	wt_tool_options_deinit(&options);
}

static void test_durations_and_signals(void **state)
{
	static const struct {
		const char *text;
		uint64_t ms;
	} durations[] = {{"hang-after=5", 5000},
			 {"hang-after=250ms", 250},
			 {"hang-after=2m", 120000},
			 {"hang-after=1h", 3600000}};
	static const struct {
		const char *text;
		int signal;
	} signals[] = {
		{"signal=USR2", SIGUSR2}, {"signal=SIGQUIT", SIGQUIT}, {"signal=10", SIGUSR1}};

	(void)state;
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		struct wt_tool_options options = parse(durations[i].text);

		assert_int_equal(options.hang_after_ms, durations[i].ms);
		wt_tool_options_deinit(&options);
	}
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct wt_tool_options options = parse(signals[i].text);

		assert_int_equal(options.signal, signals[i].signal);
		wt_tool_options_deinit(&options);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_precise),
		cmocka_unit_test(test_trap),
		cmocka_unit_test(test_last_one_holds),
		cmocka_unit_test(test_backslash),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_wrong_words),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_long_word),
		cmocka_unit_test(test_durations_and_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
