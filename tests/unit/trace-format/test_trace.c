/* SPDX-License-Identifier: MIT */
/* Traces that were closed in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "sample.h"
#include "trace-format/container/tape-defer.h"

static void moments_come_back(void **state)
{
	static const size_t sizes[] = {64, 1000, 40000};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct sample sample = {.seed = 11 + i,
					.moments = 100,
					.register_bytes = sizes[i],
					.keyframes_as_they_pay = i != 1};
		struct wt_reader *reader;
		const char *path = sample_path("moments.wtape");

		sample_write_file(&sample, path);
		assert_true(sample_is_zstd(path));
		sample_must(wt_reader_open(path, &reader));
		assert_null(wt_reader_damage(reader));
		assert_int_equal(wt_reader_moment_count(reader), 100);
		assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 100);
		assert_int_equal(sample_count_begins(reader, false), sample.begins);
		wt_reader_close(reader);
		sample_deinit(&sample);
	}
}

static void states_in_any_order(void **state)
{
	struct sample sample = {
		.seed = 5, .moments = 60, .register_bytes = 500, .keyframes_as_they_pay = true};
	struct wt_reader *reader;

	(void)state;
	sample_write_file(&sample, sample_path("order.wtape"));
	sample_must(wt_reader_open(sample_path("order.wtape"), &reader));
	for (uint32_t i = 0; i < 60; i++) {
		uint32_t number = i * 23 % 60;
		struct wt_state *found, *facts;

		sample_must(wt_reader_state(reader, number, &found));
		sample_must(wt_reader_facts(reader, &facts));
		assert_int_equal(wt_state_count(facts), wt_state_count(sample.facts));
		assert_int_equal(wt_state_count(found),
				 wt_state_count(sample.states[number]) + wt_state_count(facts));
		for (size_t k = 0; k < wt_state_count(sample.states[number]); k++) {
			const struct wt_item *item = wt_state_at(sample.states[number], k);

			assert_true(wt_item_equal(wt_state_get(found, &item->key), item));
		}
		wt_state_destroy(found);
		wt_state_destroy(facts);
	}
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static void a_moment_keeps_what_it_was_given(void **state)
{
	struct sample sample = {.seed = 5, .moments = 3, .register_bytes = 50};
	const struct wt_moment *moment, *again;
	struct wt_reader *reader;
	struct wt_error *error;

	(void)state;
	sample_write_file(&sample, sample_path("moment.wtape"));
	sample_must(wt_reader_open(sample_path("moment.wtape"), &reader));
	sample_must(wt_reader_moment(reader, 2, &moment));
	sample_must(wt_reader_moment(reader, 2, &again));
	assert_ptr_equal(moment, again);
	assert_int_equal(moment->number, 2);
	assert_int_equal(moment->process, 1);
	assert_int_equal(moment->event_count, 2);
	assert_int_equal(moment->events[0].handle, 5);
	assert_int_equal(moment->events[0].answer_count, 1);
	assert_int_equal(moment->events[0].answers[0].size, 2);
	assert_memory_equal(moment->events[0].answers[0].value, "xy", 2);
	assert_int_equal(moment->stop_requested_count, 1);
	assert_int_equal(moment->stop_requested[0], 77);
	assert_int_equal(moment->log_count, 1);
	assert_string_equal(moment->log[0].text, "said \xef\xbf\xbd something");
	error = wt_reader_moment(reader, 3, &moment);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_NOT_FOUND);
	wt_error_destroy(error);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static void events_may_be_without_answers(void **state)
{
	const struct wt_event events[2] = {{.handle = 5, .kind = 1}, {.handle = 6, .kind = 2}};
	const struct wt_moment written = {.cause = WT_MOMENT_STOP,
					  .events = (struct wt_event *)(uintptr_t)events,
					  .event_count = 2};
	struct wt_writer_options options = sample_options();
	struct wt_state *nothing = wt_state_create();
	const struct wt_moment *moment;
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)state;
	assert_non_null(nothing);
	sample_must(wt_writer_create(sample_path("events.wtape"), &options, &writer));
	sample_must(wt_writer_moment(writer, &written, nothing));
	sample_must(wt_writer_close(writer, NULL));
	wt_state_destroy(nothing);
	sample_must(wt_reader_open(sample_path("events.wtape"), &reader));
	sample_must(wt_reader_moment(reader, 0, &moment));
	assert_int_equal(moment->event_count, 2);
	assert_int_equal(moment->events[1].handle, 6);
	assert_int_equal(moment->events[1].answer_count, 0);
	wt_reader_close(reader);
}

static void the_header_comes_back(void **state)
{
	static const char *const command_line[] = {"program", "", "--x", NULL};
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	struct wt_trace_info info;
	struct wt_reader *reader;
	struct stat status;

	(void)state;
	options.reproducible = false;
	options.command_line = command_line;
	options.process_id = 4711;
	options.start_time = 99;
	sample_must(wt_writer_create(sample_path("header.wtape"), &options, &writer));
	sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "hello"));
	sample_must(wt_writer_close(writer, "process exit"));
	assert_int_equal(stat(sample_path("header.wtape"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	sample_must(wt_reader_open(sample_path("header.wtape"), &reader));
	wt_reader_info(reader, &info);
	assert_string_equal(info.recorder, "wavetape test");
	assert_string_equal(info.api_level, "0.77.0");
	assert_string_equal(info.library_version, "0.77.0");
	assert_string_equal(info.library_build_name, "sample");
	assert_string_equal(info.command_line[0], "program");
	assert_string_equal(info.command_line[1], "");
	assert_string_equal(info.command_line[2], "--x");
	assert_null(info.command_line[3]);
	assert_int_equal(info.start_time, 99);
	assert_int_equal(info.process_id, 4711);
	assert_false(info.reproducible);
	assert_true(info.complete);
	assert_string_equal(info.end_reason, "process exit");
	assert_int_equal(info.packets, 3);
	assert_int_equal(info.calls, 0);
	assert_int_equal(info.file_size, status.st_size);
	wt_reader_close(reader);
}

/* Options of a caller that was compiled before the last fields were added. */
static void shorter_options_are_legal(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	(void)state;
	options.compression = 999; /* beyond the size: must not be looked at */
	options.size = offsetof(struct wt_writer_options, compression);
	sample_must(wt_writer_create(sample_path("short.wtape"), &options, &writer));
	sample_must(wt_writer_close(writer, "detached"));
	sample_must(wt_writer_create(sample_path("short.wtape"), NULL, &writer));
	sample_must(wt_writer_close(writer, "detached"));
}

static void the_journal_comes_back_in_order(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_value inputs[] = {{.form = WT_VALUE_NUMBER},
				    {.form = WT_VALUE_DATA, .data = NULL, .size = 0},
				    {.form = WT_VALUE_PRESENT, .number = 1},
				    {.form = WT_VALUE_PRESENT, .number = 0},
				    {.form = WT_VALUE_ABSENT}};
	struct wt_call_begin begin = {
		.number = 1, .thread = 2, .start = 55, .inputs = inputs, .input_count = 5};
	struct wt_callback callback = {.call = 1,
				       .result = INT64_MIN,
				       .inputs = inputs,
				       .input_count = 1,
				       .outputs = inputs,
				       .output_count = 2};
	struct wt_call_end end = {
		.number = 1, .status = -3, .duration = 9, .outputs = inputs, .output_count = 3};
	struct wt_moment moment = {.cause = WT_MOMENT_PASS};
	struct wt_state *empty = wt_state_create();
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)state;
	options.reproducible = false;
	sample_must(wt_writer_create(sample_path("journal.wtape"), &options, &writer));
	begin.function = wt_writer_name(writer, "amd_dbgapi_initialize");
	callback.function = wt_writer_name(writer, "log_message");
	assert_int_equal(wt_writer_name(writer, "amd_dbgapi_initialize"), begin.function);
	sample_must(wt_writer_call_begin(writer, &begin));
	sample_must(wt_writer_callback(writer, &callback));
	sample_must(wt_writer_call_end(writer, &end));
	sample_must(wt_writer_moment(writer, &moment, empty));
	sample_must(wt_writer_notice(writer, WT_NOTICE_NOT_TAKEN, 1, "too much"));
	sample_must(wt_writer_close(writer, "detached"));

	sample_must(wt_reader_open(sample_path("journal.wtape"), &reader));
	assert_int_equal(wt_reader_name_number(reader, "log_message"), callback.function);
	assert_int_equal(wt_reader_name_number(reader, "nothing"), 0);
	assert_string_equal(wt_reader_name(reader, begin.function), "amd_dbgapi_initialize");
	sample_must(wt_journal_open(reader, &journal));
	sample_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_BEGIN);
	assert_int_equal(record->begin.function, begin.function);
	assert_int_equal(record->begin.thread, 2);
	assert_int_equal(record->begin.start, 55);
	assert_int_equal(record->begin.input_count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(record->begin.inputs[i].form, inputs[i].form);
		assert_int_equal(record->begin.inputs[i].number, inputs[i].number);
	}
	sample_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_CALLBACK);
	assert_true(record->callback.result == INT64_MIN);
	assert_int_equal(record->callback.output_count, 2);
	sample_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_END);
	assert_true(record->end.status == -3);
	assert_int_equal(record->end.duration, 9);
	assert_int_equal(record->end.output_count, 3);
	sample_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_MOMENT);
	assert_int_equal(record->moment, 0);
	sample_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_NOTICE);
	assert_int_equal(record->notice_kind, WT_NOTICE_NOT_TAKEN);
	assert_string_equal(record->notice, "too much");
	assert_int_equal(record->notice_call, 1);
	sample_must(wt_journal_next(journal, &record));
	assert_null(record);
	wt_journal_close(journal);
	wt_reader_close(reader);
	wt_state_destroy(empty);
}

/* A value longer than a blob and than a chunk; a record longer than the stage. */
static void large_values(void **state)
{
	const size_t size = 20000001;
	struct wt_writer_options options = sample_options();
	struct wt_bytes *bytes = wt_bytes_create(NULL, size);
	struct wt_value value = {.form = WT_VALUE_DATA, .size = 3000000};
	struct wt_call_begin begin = {.number = 1, .inputs = &value, .input_count = 1};
	struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	struct wt_state *written = wt_state_create(), *found;
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++)
		bytes->data[i] = (uint8_t)(i * i >> 7);
	value.data = bytes->data;
	sample_must(
		wt_state_set(written, &(struct wt_item){.key = {.type = WT_ITEM_IMAGE, .owner = 3},
							.bytes = bytes}));
	sample_must(wt_writer_create(sample_path("large.wtape"), &options, &writer));
	for (unsigned int i = 0; i < 20; i++) {
		sample_must(wt_writer_call_begin(writer, &begin));
		begin.number++;
		sample_must(wt_writer_moment(writer, &moment, written));
	}
	sample_must(wt_writer_close(writer, "detached"));
	assert_true(sample_is_zstd(sample_path("large.wtape")));
	sample_must(wt_reader_open(sample_path("large.wtape"), &reader));
	assert_null(wt_reader_damage(reader));
	for (uint32_t i = 0; i < 20; i += 19) {
		sample_must(wt_reader_state(reader, i, &found));
		assert_int_equal(wt_state_count(found), 1);
		assert_true(wt_item_equal(wt_state_at(found, 0), wt_state_at(written, 0)));
		wt_state_destroy(found);
	}
	sample_must(wt_journal_open(reader, &journal));
	sample_must(wt_journal_next(journal, &record));
	assert_int_equal(record->begin.inputs[0].size, 3000000);
	assert_memory_equal(record->begin.inputs[0].data, bytes->data, 3000000);
	wt_journal_close(journal);
	wt_reader_close(reader);
	wt_state_destroy(written);
	wt_bytes_release(bytes);
}

static void a_record_that_is_too_long_ends_the_trace(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_value value = {.form = WT_VALUE_DATA, .size = WT_LIMIT_RAW};
	struct wt_call_begin begin = {.number = 1, .inputs = &value, .input_count = 1};
	uint8_t *data = calloc(1, WT_LIMIT_RAW);
	struct wt_writer *writer;
	struct wt_trace_info info;
	struct wt_reader *reader;
	struct wt_error *error;

	(void)state;
	assert_non_null(data);
	value.data = data;
	sample_must(wt_writer_create(sample_path("long.wtape"), &options, &writer));
	error = wt_writer_call_begin(writer, &begin);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
	error = wt_writer_close(writer, "detached");
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
	sample_must(wt_reader_open(sample_path("long.wtape"), &reader));
	wt_reader_info(reader, &info);
	assert_string_equal(info.end_reason, "writer failed");
	assert_null(wt_reader_damage(reader));
	wt_reader_close(reader);
	free(data);
}

/* A value that changes in one place costs little; one that comes back costs nothing. */
static void only_what_changed_is_stored(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_bytes *bytes = wt_bytes_create(NULL, 100000);
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = 1}, .bytes = bytes};
	struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	uint64_t stored, raw, first, seed = 1;
	struct wt_writer *writer;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < bytes->size; i++, seed = seed * 6364136223846793005u + 1)
		bytes->data[i] = (uint8_t)(seed >> 56);
	sample_must(wt_writer_create(sample_path("delta.wtape"), &options, &writer));
	for (uint32_t i = 0; i < 40; i++) {
		struct wt_state *now = wt_state_create();

		item.bytes = wt_bytes_create(bytes->data, bytes->size);
		assert_non_null(item.bytes);
		item.bytes->data[i * 1000]++;
		sample_must(wt_state_set(now, &item));
		wt_bytes_release(item.bytes);
		sample_must(wt_writer_moment(writer, &moment, now));
		wt_state_destroy(now);
		wt_writer_sizes(writer, &stored, &raw);
		if (!i)
			first = raw;
	}
	assert_true(first > 100000);
	assert_true(raw - first < 10000);
	sample_must(wt_writer_close(writer, "detached"));
	wt_bytes_release(bytes);
}

static void reproducible_traces_are_the_same_file(void **state)
{
	struct sample sample = {.seed = 77, .moments = 50, .register_bytes = 3000};
	size_t first_size, second_size;
	uint8_t *first, *second;

	(void)state;
	sample_write_file(&sample, sample_path("first.wtape"));
	usleep(150000);
	sample_write_file(&sample, sample_path("second.wtape"));
	first = sample_read(sample_path("first.wtape"), &first_size);
	second = sample_read(sample_path("second.wtape"), &second_size);
	assert_int_equal(first_size, second_size);
	assert_memory_equal(first, second, first_size);
	free(first);
	free(second);
	sample_deinit(&sample);
}

/* Larger than what is compressed at once. */
static const struct sample large_stop = {
	.seed = 79, .moments = 1, .register_bytes = 100000, .changes = 9, .one_stop_each = true};

/* What a kill leaves behind such a stop; @late: not before other packets. */
static uint8_t *kill_after_stop(bool late, size_t *size_ret)
{
	struct sample sample = large_stop;
	struct wt_writer_options options = sample_options();
	const char *path = sample_path("stopped.wtape");
	struct wt_writer *writer;
	uint64_t stored, raw;

	sample_must(wt_writer_create(path, &options, &writer));
	sample_must(sample_record(&sample, writer));
	wt_writer_sizes(writer, &stored, &raw);
	assert_true(raw > 50000);
	assert_true(wt_tape_is_deferred(writer->tape));
	assert_int_equal(stored, WT_BLOCK_SIZE);
	usleep(late ? 100000 : 0);
	sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "more"));
	/* In a reproducible trace it does not depend on how fast a thread is. */
	assert_true(wt_tape_is_deferred(writer->tape));
	wt_writer_abandon(writer);
	sample_deinit(&sample);
	return sample_read(path, size_ret);
}

static void a_kill_behind_a_stop_leaves_the_same_file(void **state)
{
	size_t first_size, second_size;
	uint8_t *first = kill_after_stop(false, &first_size);
	uint8_t *second = kill_after_stop(true, &second_size);

	(void)state;
	assert_int_equal(first_size, second_size);
	assert_memory_equal(first, second, first_size);
	free(first);
	free(second);
}

/* Compressed while the program goes on, and written by the first call after that; one that is synced, before. */
static void a_stop_is_written_when_it_is_compressed(void **state)
{
	for (uint32_t sync_every = 0; sync_every < 2; sync_every++) {
		struct sample sample = large_stop;
		struct wt_writer_options options = sample_options();
		struct wt_writer *writer;
		unsigned int calls = 0;

		(void)state;
		options.reproducible = false;
		options.sync_every = sync_every;
		sample_must(wt_writer_create(sample_path("stop.wtape"), &options, &writer));
		sample_must(sample_record(&sample, writer));
		assert_int_equal(wt_tape_is_deferred(writer->tape), !sync_every);
		/* However busy the machine is. */
		for (; wt_tape_is_deferred(writer->tape) && calls < 10000; calls++) {
			usleep(calls < 100 ? 100 : 5000);
			sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "more"));
		}
		assert_true(calls < 10000);
		assert_true(wt_writer_stored(writer) > 1000);
		sample_must(wt_writer_close(writer, "detached"));
		sample_deinit(&sample);
	}
}

/* However slowly calls come: what they write is in the stage, and no chunk has a few of them. */
static void a_small_chunk_stays_open(void **state)
{
	static const char large[80000] = {[0 ... sizeof(large) - 2] = 'x'};
	struct wt_writer_options options = sample_options();
	struct wt_call_begin begin = {0};
	struct wt_writer *writer;
	unsigned int calls = 0;

	(void)state;
	options.reproducible = false;
	sample_must(wt_writer_create(sample_path("slow.wtape"), &options, &writer));
	for (begin.number = 1; begin.number < 4; begin.number++) {
		usleep(110000);
		sample_must(wt_writer_call_begin(writer, &begin));
		assert_int_equal(wt_writer_stored(writer), WT_BLOCK_SIZE);
	}
	sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, large));
	assert_int_equal(wt_writer_stored(writer), WT_BLOCK_SIZE);
	usleep(110000);
	/* Another thread may compress it. */
	for (; wt_writer_stored(writer) == WT_BLOCK_SIZE && calls < 10000;
	     calls++, begin.number++) {
		usleep(1000);
		sample_must(wt_writer_call_begin(writer, &begin));
	}
	assert_true(wt_writer_stored(writer) > WT_BLOCK_SIZE);
	sample_must(wt_writer_close(writer, "detached"));
}

static void a_budget_bounds_what_is_decoded(void **state)
{
	struct sample sample = {.seed = 4, .moments = 20, .register_bytes = 100000};
	struct wt_reader_options options = {.size = sizeof(options), .decode_budget = 400000};
	struct wt_reader *reader;
	struct wt_state *found = NULL;
	struct wt_error *error;

	(void)state;
	sample_write_file(&sample, sample_path("budget.wtape"));
	sample_must(wt_reader_open_with(sample_path("budget.wtape"), &options, &reader));
	error = wt_reader_state(reader, 19, &found);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	assert_null(found);
	wt_error_destroy(error);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

/* Standard tools read a trace: count the packets they see. */
static void standard_tools_read_it(void **state)
{
	struct sample sample = {.seed = 9, .moments = 30, .register_bytes = 2000};
	struct wt_trace_info info;
	struct wt_reader *reader;
	char command[1024], path[128], line[64] = "";
	FILE *output;

	(void)state;
	if (!WT_ZSTD[0] || !WT_PROTOC[0])
		skip();
	snprintf(path, sizeof(path), "%s", sample_path("tools.wtape"));
	sample_write_file(&sample, path);
	sample_must(wt_reader_open(path, &reader));
	wt_reader_info(reader, &info);
	snprintf(
		command, sizeof(command),
		"set -e; '%s' -dc '%s' >'%s.raw'; '%s' -I '%s' --decode=wavetape.Trace trace.proto "
		"<'%s.raw' >'%s.text'; grep -c '^packet {' '%s.text'",
		WT_ZSTD, path, path, WT_PROTOC, WT_PROTO_DIRECTORY, path, path, path);
	output = popen(command, "r");
	assert_non_null(output);
	assert_non_null(fgets(line, sizeof(line), output));
	assert_int_equal(pclose(output), 0);
	assert_int_equal(strtoull(line, NULL, 10), info.packets);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

/* More chunks than one index block covers. */
static void many_chunks(void **state)
{
	struct sample sample = {
		.seed = 8, .moments = 200, .register_bytes = 100, .one_stop_each = true};
	struct wt_reader *reader;

	(void)state;
	sample_write_file(&sample, sample_path("many.wtape"));
	sample_must(wt_reader_open(sample_path("many.wtape"), &reader));
	assert_null(wt_reader_damage(reader));
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 200);
	sample_must(wt_reader_check(reader));
	assert_null(wt_reader_damage(reader));
	wt_reader_close(reader);
	sample_deinit(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_come_back),
		cmocka_unit_test(states_in_any_order),
		cmocka_unit_test(a_moment_keeps_what_it_was_given),
		cmocka_unit_test(events_may_be_without_answers),
		cmocka_unit_test(the_header_comes_back),
		cmocka_unit_test(shorter_options_are_legal),
		cmocka_unit_test(the_journal_comes_back_in_order),
		cmocka_unit_test(large_values),
		cmocka_unit_test(a_record_that_is_too_long_ends_the_trace),
		cmocka_unit_test(only_what_changed_is_stored),
		cmocka_unit_test(reproducible_traces_are_the_same_file),
		cmocka_unit_test(a_kill_behind_a_stop_leaves_the_same_file),
		cmocka_unit_test(a_stop_is_written_when_it_is_compressed),
		cmocka_unit_test(a_small_chunk_stays_open),
		cmocka_unit_test(a_budget_bounds_what_is_decoded),
		cmocka_unit_test(standard_tools_read_it),
		cmocka_unit_test(many_chunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
