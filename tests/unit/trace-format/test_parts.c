/* SPDX-License-Identifier: MIT */
/* Parts of a recording: trimmed, kept in a ring, or cut short by a budget. */
#include "sample.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/rewrite/rewrite.h"
#include "trace-format/rewrite/ring.h"

#define RING 5u

static char source[128], target[128];

static void name_files(void)
{
	strcpy(source, sample_path("source.wtape"));
	strcpy(target, sample_path("target.wtape"));
	unlink(source);
	unlink(target);
}

static struct sample stops_sample(uint32_t moments)
{
	return (struct sample){.seed = 61,
			       .moments = moments,
			       .register_bytes = 200,
			       .one_stop_each = true,
			       .no_blocks_of_noise = true};
}

/* Is the state at @number what the sample had at moment @original? @all: the recording was not killed. */
static void compare(const struct sample *sample, struct wt_reader *reader, uint32_t number,
		    uint32_t original, bool all)
{
	size_t facts = 0;
	struct wt_state *state;

	sample_must(wt_reader_state(reader, number, &state));
	for (size_t i = 0; i < wt_state_count(state); i++) {
		const struct wt_item *item = wt_state_at(state, i);
		const struct wt_item *wanted = wt_state_get(sample->states[original], &item->key);

		if (!wanted) {
			wanted = wt_state_get(sample->facts, &item->key);
			facts++;
		}
		/* What came late may not have come before a kill. */
		if (!all && (!wanted || !wt_item_equal(item, wanted)))
			wanted = wt_state_get(sample->bare[original], &item->key);
		if (!wanted || !wt_item_equal(item, wanted))
			fail_msg("moment %u (%u): item %zu is wrong", number, original, i);
	}
	if (all) {
		assert_int_equal(facts, wt_state_count(sample->facts));
		assert_int_equal(wt_state_count(state) - facts,
				 wt_state_count(sample->states[original]));
	}
	wt_state_destroy(state);
}

/* Calls in the journal must be numbered one after the other from @first on. Return: how many. */
static uint64_t count_calls(struct wt_reader *reader, uint64_t first)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	uint64_t next = first, open = 0;

	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		if (record->kind == WT_JOURNAL_BEGIN) {
			assert_int_equal(record->begin.number, next);
			open = next++;
		} else if (record->kind == WT_JOURNAL_END) {
			assert_int_equal(record->end.number, open);
		}
	}
	wt_journal_close(journal);
	return next - first;
}

static bool has_notice(struct wt_reader *reader, enum wt_notice_kind kind)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	bool found = false;

	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		found |= record->kind == WT_JOURNAL_NOTICE && record->notice_kind == kind;
	}
	wt_journal_close(journal);
	return found;
}

static void trim(uint32_t first, uint32_t last)
{
	struct wt_rewrite result;
	struct wt_reader *reader;

	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_trace_trim(reader, first, last, target, NULL, &result));
	assert_true(result.new_size <= result.old_size);
	assert_int_equal(result.moments, last - first + 1);
	wt_reader_close(reader);
	assert_true(sample_is_zstd(target));
}

static void trimmed_to_any_stops(void **state)
{
	static const uint32_t ranges[][2] = {{1, 1},   {1, 60}, {60, 60}, {17, 17},
					     {20, 41}, {1, 16}, {33, 60}};
	struct sample sample = stops_sample(60);

	(void)state;
	sample.keyframes_as_they_pay = true;
	name_files();
	sample_write_file(&sample, source);
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		uint32_t first = ranges[i][0], last = ranges[i][1];
		struct wt_trace_info info;
		struct wt_reader *reader;

		trim(first, last);
		sample_must(wt_reader_open(target, &reader));
		assert_null(wt_reader_damage(reader));
		wt_reader_info(reader, &info);
		assert_true(info.complete);
		assert_string_equal(info.end_reason, last < 60 ? "trimmed" : "detached");
		assert_int_equal(info.part.stops_before, first - 1);
		assert_int_equal(!info.part.calls_before, first == 1);
		for (uint32_t n = first; n <= last; n++)
			compare(&sample, reader, n - first, n - 1, true);
		assert_int_equal(count_calls(reader, info.part.calls_before + 1), info.calls);
		wt_reader_close(reader);
	}
	sample_deinit(&sample);
}

/* A part of a part says what came before all of it; one of a packed trace is no larger, too. */
static void trimmed_again_and_packed(void **state)
{
	struct sample sample = stops_sample(60);
	struct wt_rewrite result;
	struct wt_trace_info info;
	struct wt_reader *reader;

	(void)state;
	sample.keyframes_as_they_pay = true;
	name_files();
	sample_write_file(&sample, source);
	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_trace_repack(reader, target, NULL, &result));
	wt_reader_close(reader);
	assert_int_equal(rename(target, source), 0);
	trim(11, 50);
	assert_int_equal(rename(target, source), 0);
	trim(6, 8);
	sample_must(wt_reader_open(target, &reader));
	wt_reader_info(reader, &info);
	assert_int_equal(info.part.stops_before, 15);
	for (uint32_t n = 0; n < 3; n++)
		compare(&sample, reader, n, 15 + n, true);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static void expect_refusal(uint32_t first, uint32_t last, enum wt_error_code code)
{
	struct wt_rewrite result;
	struct wt_reader *reader;
	struct wt_error *error;

	sample_must(wt_reader_open(source, &reader));
	error = wt_trace_trim(reader, first, last, target, NULL, &result);
	assert_non_null(error);
	assert_int_equal(error->code, code);
	wt_error_destroy(error);
	assert_int_not_equal(access(target, F_OK), 0);
	wt_reader_close(reader);
}

static void trimming_refuses_what_is_not_there(void **state)
{
	struct sample sample = stops_sample(40);
	uint8_t *data;
	size_t size;

	(void)state;
	name_files();
	sample_write_file(&sample, source);
	expect_refusal(0, 3, WT_ERROR_USAGE);
	expect_refusal(4, 3, WT_ERROR_USAGE);
	expect_refusal(39, 41, WT_ERROR_USAGE);
	data = sample_read(source, &size);
	/* More than a head, of which nothing is lost. */
	for (size_t i = 0; i < 256; i++)
		data[size / 2 + i] ^= 1;
	sample_save(source, data, size);
	expect_refusal(1, 2, WT_ERROR_INPUT);
	free(data);
	sample_deinit(&sample);
}

static struct wt_writer *ring_writer(uint32_t stops)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	options.ring_stops = stops;
	options.turn_ring = wt_ring_turn;
	sample_must(wt_writer_create(source, &options, &writer));
	return writer;
}

static void a_ring_keeps_the_newest_stops(void **state)
{
	static const uint32_t rings[] = {1, 2, 7, 59, 60, 100};
	struct sample sample = stops_sample(60);

	(void)state;
	for (size_t i = 0; i < sizeof(rings) / sizeof(*rings); i++) {
		uint32_t kept = rings[i] < 60 ? rings[i] : 60;
		struct wt_writer *writer;
		struct wt_trace_info info;
		struct wt_reader *reader;

		name_files();
		writer = ring_writer(rings[i]);
		sample_must(sample_record(&sample, writer));
		sample_must(wt_writer_close(writer, "detached"));
		assert_true(sample_is_zstd(source));
		sample_must(wt_reader_open(source, &reader));
		assert_null(wt_reader_damage(reader));
		wt_reader_info(reader, &info);
		assert_string_equal(info.end_reason, "detached");
		assert_int_equal(wt_reader_moment_count(reader), kept);
		assert_int_equal(info.part.stops_before, 60 - kept);
		assert_int_equal(has_notice(reader, WT_NOTICE_NOT_TAKEN), kept < 60);
		for (uint32_t n = 0; n < kept; n++)
			compare(&sample, reader, n, 60 - kept + n, true);
		count_calls(reader, info.part.calls_before + 1);
		wt_reader_close(reader);
		sample_deinit(&sample);
		sample = stops_sample(60);
	}
	sample_deinit(&sample);
}

static uint64_t longest;

static void watch_size(struct sample *sample)
{
	struct stat status;

	(void)sample;
	if (!stat(source, &status) && (uint64_t)status.st_blocks * 512 > longest)
		longest = (uint64_t)status.st_blocks * 512;
}

/* However long the recording: the file does not grow with it. */
static void a_ring_is_bounded(void **state)
{
	struct sample sample = {.seed = 62,
				.moments = 200,
				.register_bytes = 150000,
				.one_stop_each = true,
				.progress = watch_size};
	struct wt_writer *writer;
	uint64_t half;

	(void)state;
	name_files();
	longest = 0;
	writer = ring_writer(RING);
	sample_must(sample_record(&sample, writer));
	wt_writer_abandon(writer);
	assert_true(sample_is_zstd(source));
	half = longest;
	longest = 0;
	name_files();
	sample_deinit(&sample);
	sample = (struct sample){.seed = 62,
				 .moments = 200,
				 .register_bytes = 150000,
				 .one_stop_each = true,
				 .progress = watch_size};
	writer = ring_writer(200);
	sample_must(sample_record(&sample, writer));
	wt_writer_abandon(writer);
	if (half * 2 > longest)
		fail_msg("a ring of %u took up to %llu bytes, all stops %llu", RING,
			 (unsigned long long)half, (unsigned long long)longest);
	sample_deinit(&sample);
}

static void report(struct sample *sample)
{
	uint32_t stops = sample->stops;

	if (write(sample->progress_fd, &stops, sizeof(stops)) != sizeof(stops))
		_exit(1);
}

static pid_t start_ring(struct sample *sample, int *fd_ret)
{
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(ends[0]);
		sample->progress = report;
		sample->progress_fd = ends[1];
		wt_error_destroy(sample_record(sample, ring_writer(RING)));
		_exit(0);
	}
	close(ends[1]);
	*fd_ret = ends[0];
	return child;
}

/* Killed at any time, also while the file is being replaced: the newest stops are there. */
static void a_killed_ring_has_the_newest_stops(void **state)
{
	struct sample sample = stops_sample(100);
	uint32_t most = 0;

	(void)state;
	sample.keyframes_as_they_pay = true;
	name_files();
	sample_write_file(&sample, source);
	for (unsigned int round = 0; round < 40; round++) {
		uint32_t told = 0, next, count, reports = round * 9 + 1;
		struct wt_trace_info info;
		struct wt_reader *reader;
		int status, fd;
		pid_t child;

		unlink(source);
		child = start_ring(&sample, &fd);
		while (reports-- && read(fd, &next, sizeof(next)) == sizeof(next))
			told = next;
		if (round % 2)
			usleep(round * 37 % 500);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		while (read(fd, &next, sizeof(next)) == sizeof(next))
			told = next;
		close(fd);
		sample_must(wt_reader_open(source, &reader));
		wt_reader_info(reader, &info);
		count = wt_reader_moment_count(reader);
		assert_true(info.part.stops_before + count >= told);
		assert_true(count >= (told < RING ? told : RING));
		for (uint32_t n = 0; n < count; n++)
			compare(&sample, reader, n, (uint32_t)info.part.stops_before + n, false);
		wt_reader_close(reader);
		most = told > most ? told : most;
	}
	assert_true(most > 20);
	sample_deinit(&sample);
}

/* Whatever the budget: the file never has more, ends in order, and says why. */
static void a_budget_of_bytes_ends_the_trace(void **state)
{
	struct sample sample = {.seed = 63, .moments = 120, .register_bytes = 100000};
	uint32_t before = 0;

	(void)state;
	for (uint64_t budget = 400000; budget < 3600000; budget += 399989) {
		struct wt_writer_options options = sample_options();
		struct wt_trace_info info;
		struct wt_writer *writer;
		struct wt_reader *reader;
		struct wt_error *error;
		struct stat status;

		name_files();
		options.max_bytes = budget;
		sample_must(wt_writer_create(source, &options, &writer));
		error = sample_record(&sample, writer);
		assert_non_null(error);
		assert_int_equal(error->code, WT_ERROR_LIMIT);
		wt_error_destroy(error);
		assert_int_equal(stat(source, &status), 0);
		assert_true((uint64_t)status.st_size <= budget);
		error = wt_writer_close(writer, "detached");
		assert_non_null(error);
		wt_error_destroy(error);
		sample_must(wt_reader_open(source, &reader));
		assert_null(wt_reader_damage(reader));
		wt_reader_info(reader, &info);
		assert_true(info.complete && info.cut);
		assert_string_equal(info.end_reason, WT_END_MAX_BYTES);
		assert_true(has_notice(reader, WT_NOTICE_NOT_TAKEN));
		assert_true(wt_reader_moment_count(reader) >= before);
		before = wt_reader_moment_count(reader);
		/* What is reserved for the end is not much: most of the budget was used. */
		if (budget > 2000000)
			assert_true(info.file_size > budget / 4);
		wt_reader_close(reader);
		assert_true(sample_is_zstd(source));
		sample_deinit(&sample);
		sample = (struct sample){.seed = 63, .moments = 120, .register_bytes = 100000};
	}
	assert_true(before > 10);
	sample_deinit(&sample);
}

/* With the least budget that is promised to do a trace begins and ends in order; with less the error says how much would. */
static void the_least_budget_of_bytes(void **state)
{
	struct wt_writer_options options = sample_options();
	struct sample sample = {.seed = 64, .moments = 3, .register_bytes = 100};
	struct wt_trace_info info;
	struct wt_writer *writer;
	struct wt_reader *reader;
	struct wt_error *error;

	(void)state;
	name_files();
	options.max_bytes = WT_WRITER_BYTES_MIN;
	sample_must(wt_writer_create(source, &options, &writer));
	sample_must(sample_record(&sample, writer));
	sample_must(wt_writer_close(writer, "detached"));
	sample_must(wt_reader_open(source, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete && !info.cut);
	wt_reader_close(reader);
	for (options.max_bytes = 1; options.max_bytes < WT_WRITER_BYTES_MIN / 2;
	     options.max_bytes *= 2) {
		error = wt_writer_create(source, &options, &writer);
		assert_non_null(error);
		assert_int_equal(error->code, WT_ERROR_LIMIT);
		assert_non_null(strstr(error->why, "too few to begin: it takes up to 131072"));
		wt_error_destroy(error);
		assert_int_not_equal(access(source, F_OK), 0);
	}
	sample_deinit(&sample);
}

/* Memory that grows with the recording ends it, in order. */
static void a_budget_of_memory_ends_the_trace(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_trace_info info;
	struct wt_writer *writer;
	struct wt_reader *reader;
	struct wt_error *error = NULL;

	(void)state;
	name_files();
	/* A quarter of it is the caller's. */
	options.max_memory = 12000000;
	sample_must(wt_writer_create(source, &options, &writer));
	for (size_t size = 100000; !error && size < 100000000; size += size / 2) {
		struct wt_moment moment = {.cause = WT_MOMENT_STOP};
		struct wt_state *filled = wt_state_create();
		struct wt_item item = {.key = {.type = WT_ITEM_MEMORY},
				       .bytes = wt_bytes_create(NULL, size)};

		assert_non_null(filled);
		assert_non_null(item.bytes);
		memset(item.bytes->data, 1, size);
		sample_must(wt_state_set(filled, &item));
		wt_bytes_release(item.bytes);
		error = wt_writer_moment(writer, &moment, filled);
		wt_state_destroy(filled);
	}
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	assert_string_equal(error->why,
			    "the recording needs more than the 12000000 bytes of memory it "
			    "may have");
	wt_error_destroy(error);
	assert_true(wt_writer_has_ended(writer));
	error = wt_writer_close(writer, "detached");
	assert_non_null(error);
	wt_error_destroy(error);
	sample_must(wt_reader_open(source, &reader));
	assert_null(wt_reader_damage(reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete && info.cut);
	assert_string_equal(info.end_reason, WT_END_MAX_MEMORY);
	assert_true(has_notice(reader, WT_NOTICE_NOT_TAKEN));
	assert_true(wt_reader_moment_count(reader) > 3);
	wt_reader_close(reader);
}

/* Whoever reads a trace is told that the session went on behind it. */
static void an_end_before_the_session_is_a_cut(void **state)
{
	static const struct {
		const char *reason;
		bool cut;
	} ends[] = {
		{"disk full", true},	     {"writer failed", true},
		{"byte budget spent", true}, {"memory budget spent", true},
		{"disk budget spent", true}, {"recorder failed", true},
		{"detached", false},	     {"finalized", false},
		{"process exit", false},     {"trimmed", false},
	};

	(void)state;
	name_files();
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct wt_writer_options options = sample_options();
		struct wt_trace_info info;
		struct wt_writer *writer;
		struct wt_reader *reader;

		sample_must(wt_writer_create(source, &options, &writer));
		sample_must(wt_writer_close(writer, ends[i].reason));
		sample_must(wt_reader_open(source, &reader));
		wt_reader_info(reader, &info);
		assert_true(info.complete);
		assert_string_equal(info.end_reason, ends[i].reason);
		assert_int_equal(info.cut, ends[i].cut);
		wt_reader_close(reader);
	}
}

/* With a ring a budget of bytes drops more stops before it ends the trace. */
static void a_ring_within_a_budget(void **state)
{
	struct sample sample = stops_sample(150);
	struct wt_writer_options options = sample_options();
	struct wt_trace_info info;
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)state;
	name_files();
	options.max_bytes = 700000;
	options.ring_stops = 20;
	options.turn_ring = wt_ring_turn;
	sample_must(wt_writer_create(source, &options, &writer));
	sample_must(sample_record(&sample, writer));
	sample_must(wt_writer_close(writer, "detached"));
	sample_must(wt_reader_open(source, &reader));
	wt_reader_info(reader, &info);
	assert_false(info.cut);
	assert_int_equal(wt_reader_moment_count(reader), 20);
	for (uint32_t n = 0; n < 20; n++)
		compare(&sample, reader, n, 130 + n, true);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trimmed_to_any_stops),
		cmocka_unit_test(trimmed_again_and_packed),
		cmocka_unit_test(trimming_refuses_what_is_not_there),
		cmocka_unit_test(a_ring_keeps_the_newest_stops),
		cmocka_unit_test(a_ring_is_bounded),
		cmocka_unit_test(a_killed_ring_has_the_newest_stops),
		cmocka_unit_test(a_budget_of_bytes_ends_the_trace),
		cmocka_unit_test(the_least_budget_of_bytes),
		cmocka_unit_test(a_budget_of_memory_ends_the_trace),
		cmocka_unit_test(an_end_before_the_session_is_a_cut),
		cmocka_unit_test(a_ring_within_a_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
