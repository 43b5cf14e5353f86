/* SPDX-License-Identifier: MIT */
/* The words of WAVETAPE_OPTIONS and of `wavetape record`. */
#include <stdint.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "recorder/recording/options.h"

static void refuse(const char *word, const char *reason)
{
	struct wt_options options = wt_options_default(), before = options;
	struct wt_error *error = wt_options_set(&options, word);

	if (!error)
		fail_msg("%s was taken", word);
	if (!strstr(error->why, reason))
		fail_msg("%s: \"%s\" does not say \"%s\"", word, error->why, reason);
	assert_string_equal(error->where, word);
	assert_memory_equal(&options, &before, sizeof(options));
	wt_error_destroy(error);
}

static struct wt_options take(const char *text)
{
	struct wt_options options = wt_options_parse(text);

	if (options.refused[0])
		fail_msg("%s: %s", text, options.refused);
	return options;
}

static void without_words_the_defaults_hold(void **state)
{
	struct wt_options none = wt_options_parse(NULL), empty = wt_options_parse(" ,, ");

	(void)state;
	assert_int_equal(none.policy.waves, WT_WAVES_AUTO);
	assert_int_equal(none.policy.memory_bytes, WT_POLICY_MEMORY);
	assert_int_equal(none.sync_every, 1);
	assert_int_equal(none.keyframes, 0);
	assert_false(none.policy.redact);
	assert_memory_equal(&none, &empty, sizeof(none));
}

static void words_are_taken(void **state)
{
	struct wt_options options = take(
		"waves=all,sync=every=7 ring=3,max-bytes=2G,max-memory=4096k,max-stopped-ms=250,"
		"min-free=1M,redact,no-code,no-host,environment,reproducible,journal-only,"
		"keyframes=8,no-mapping,no-thread,lightweight");

	(void)state;
	assert_int_equal(options.policy.waves, WT_WAVES_ALL);
	assert_true(options.policy.lightweight);
	assert_int_equal(options.sync_every, 7);
	assert_int_equal(options.ring_stops, 3);
	assert_int_equal(options.keyframes, 8);
	assert_int_equal(options.max_bytes, 2ull << 30);
	assert_int_equal(options.max_memory, 4u << 20);
	assert_int_equal(options.max_stopped_ms, 250);
	assert_int_equal(options.min_free, 1u << 20);
	assert_true(options.policy.redact && options.policy.no_code && options.policy.no_host);
	assert_true(options.policy.environment && options.reproducible && options.journal_only);
	assert_true(options.no_mapping && options.no_thread);
	assert_int_equal(take("sync=none").sync_every, 0);
	assert_int_equal(take("waves=faulting").policy.waves, WT_WAVES_FAULTING);
	/* What decides about the content is kept for the trace, how it is kept is not. */
	assert_string_equal(take("sync=none waves=stopped,redact,keyframes=4,no-thread").content,
			    "waves=stopped redact keyframes=4");
}

static void memory_is_a_list(void **state)
{
	struct wt_options options = take("memory=none:0x1000+4K:0xffffffffffffffff+1");

	(void)state;
	assert_int_equal(options.policy.memory_bytes, 0);
	assert_int_equal(options.policy.range_count, 2);
	assert_int_equal(options.policy.ranges[0].address, 0x1000);
	assert_int_equal(options.policy.ranges[0].size, 4096);
	assert_int_equal(options.policy.ranges[1].address, UINT64_MAX);
	assert_int_equal(take("memory=64M").policy.memory_bytes, 64u << 20);
	assert_int_equal(take("memory=64M,memory=near").policy.memory_bytes, WT_POLICY_MEMORY);
	assert_true(take("memory=all").policy.all_memory);
	assert_true(take("memory=all:0x1000+4").policy.all_memory);
	assert_false(take("memory=all,memory=near").policy.all_memory);
	assert_false(take("memory=64M").policy.all_memory);
	options = take("memory=none:0x1000+4K,memory=0x2000+4K");
	assert_int_equal(options.policy.memory_bytes, WT_POLICY_MEMORY);
	assert_int_equal(options.policy.range_count, 1);
	assert_int_equal(options.policy.ranges[0].address, 0x2000);
	refuse("memory=", "near, none");
	refuse("memory=much", "near, none");
	refuse("memory=0x1000+0", "near, none");
	refuse("memory=0xffffffffffffffff+2", "near, none");
	refuse("memory=1Q", "near, none");
	refuse("memory=near:", "near, none");
	refuse("memory=-1", "near, none");
	refuse("memory=99999999999999999999", "near, none");
	refuse("memory=0x4000000000000000G", "near, none");
	refuse("memory=0+1:1+1:2+1:3+1:4+1:5+1:6+1:7+1:8+1:9+1:10+1:11+1:12+1:13+1:14+1:15+1:16+1",
	       "up to 16");
}

static void registers_are_named(void **state)
{
	static const char *const vector[] = {"general", "vector", NULL}, *const none[] = {NULL};
	struct wt_options options = take("registers=vcc:s0-s15:system");

	(void)state;
	assert_true(wt_policy_names(&options.policy, "vcc", none));
	assert_true(wt_policy_names(&options.policy, "s0", none));
	assert_true(wt_policy_names(&options.policy, "s15", none));
	assert_false(wt_policy_names(&options.policy, "s16", none));
	assert_false(wt_policy_names(&options.policy, "vcc_lo", none));
	assert_false(wt_policy_names(&options.policy, "v1", vector));
	options = take("registers=vector");
	assert_true(wt_policy_names(&options.policy, "v1", vector));
	assert_false(wt_policy_names(&options.policy, "s1", none));
	options = take("registers=vector,registers=all");
	assert_true(wt_policy_names(&options.policy, "s1", none));
	refuse("registers", "all, or a list of registers (pc, v7), runs (s0-s15) and classes");
	refuse("registers=", "'': an element is empty");
	refuse("registers=:", "'': an element is empty");
	refuse("registers=a::b", "'': an element is empty");
	refuse("registers=v[0]", "'v[0]': names have letters, digits and _");
	refuse("registers=pc:s7-s0", "'s7-s0': the run ends before it begins");
}

static void what_is_wrong_is_told(void **state)
{
	(void)state;
	refuse("waves=some", "auto, faulting, stopped or all");
	refuse("waves", "auto, faulting, stopped or all");
	refuse("redact=yes", "redact has no value");
	refuse("redcat", "there is no such word: did you mean redact?");
	refuse("max-byte=1M", "there is no such word: did you mean max-bytes?");
	refuse("loud", "there is no such word; there are waves=, registers=");
	refuse("sync=every=0", "every=N");
	refuse("ring=0", "above 0");
	refuse("keyframes=0", "keyframes is a number of moments above 0");
	refuse("keyframes", "above 0");
	refuse("keyframes=-1", "above 0");
	refuse("keyframes=8K", "above 0");
	refuse("keyframes=4294967296", "above 0");
	refuse("max-bytes=0", "max-bytes is a number of bytes from 128K on (512M)");
	refuse("max-memory=1", "max-memory is a number of bytes from 4M on");
	refuse("max-memory=4194303", "from 4M on");
	refuse("no-mapping=yes", "no-mapping has no value");
	refuse("max-stopped-ms=1K", "milliseconds");
}

/* It may have been meant to keep something out: the recording goes on without memory. */
static void an_unknown_word_leaves_memory_out(void **state)
{
	struct wt_options options = wt_options_parse("waves=all,redcat,ring=2");

	(void)state;
	assert_true(options.policy.redact);
	assert_int_equal(options.policy.waves, WT_WAVES_ALL);
	assert_int_equal(options.ring_stops, 2);
	assert_non_null(strstr(options.refused, "redcat: there is no such word"));
}

static void the_first_wrong_word_is_told(void **state)
{
	struct wt_options options = wt_options_default();
	char text[300] = "no-host,";
	struct wt_error *error;

	(void)state;
	assert_null(wt_options_set_all(&options, NULL));
	assert_null(wt_options_set_all(&options, " waves=all,,redact\t"));
	assert_string_equal(options.content, "waves=all redact");
	error = wt_options_set_all(&options, "ring=3 ring=0,redcat no-code");
	assert_non_null(error);
	assert_string_equal(error->where, "ring=0");
	assert_int_equal(options.ring_stops, 3);
	assert_false(options.policy.no_code);
	wt_error_destroy(error);
	memset(text + strlen(text), 'v', sizeof(text) - strlen(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error = wt_options_set_all(&options, text);
	assert_non_null(error);
	assert_string_equal(error->where, "a long word");
	assert_string_equal(error->why, "words have up to 255 bytes");
	assert_true(options.policy.no_host);
	wt_error_destroy(error);
	assert_string_equal(wt_options_parse(text).refused,
			    "a long word: words have up to 255 bytes");
}

/* What the trace is to say of them is whole: who repeats the recording goes by it. */
static void many_words_are_kept_whole(void **state)
{
	struct wt_options options = wt_options_default(), before;
	char word[240] = "registers=";
	struct wt_error *error = NULL;

	(void)state;
	memset(word + strlen(word), 'v', sizeof(word) - strlen(word) - 1);
	word[sizeof(word) - 1] = '\0';
	for (size_t kept = 0; kept < 8; kept++) {
		assert_null(wt_options_set(&options, word));
		assert_int_equal(strlen(options.content), kept * sizeof(word) + strlen(word));
	}
	before = take(options.content);
	assert_string_equal(before.content, options.content);
	before = options;
	error = wt_options_set(&options, word);
	assert_non_null(error);
	assert_non_null(strstr(error->why, "more than 2047 bytes"));
	assert_memory_equal(&options, &before, sizeof(options));
	wt_error_destroy(error);
	assert_null(wt_options_set(&options, "sync=none"));
	assert_null(wt_options_set(&options, "redact"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_words_the_defaults_hold),
		cmocka_unit_test(words_are_taken),
		cmocka_unit_test(memory_is_a_list),
		cmocka_unit_test(registers_are_named),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(an_unknown_word_leaves_memory_out),
		cmocka_unit_test(the_first_wrong_word_is_told),
		cmocka_unit_test(many_words_are_kept_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
