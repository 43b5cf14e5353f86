/* SPDX-License-Identifier: MIT */
/* What the encoder writes is what generated code reads; field numbers are those of trace.proto. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "sample.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/trace.pb-c.h"
#include "trace-format/writer/write-journal.h"

static void varints(void **state)
{
	static const struct {
		uint64_t value;
		size_t size;
		uint8_t bytes[10];
	} cases[] = {
		{0, 1, {0}},
		{127, 1, {0x7f}},
		{128, 2, {0x80, 1}},
		{300, 2, {0xac, 2}},
		{UINT64_MAX, 10, {255, 255, 255, 255, 255, 255, 255, 255, 255, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		wt_cleanup_buffer struct wt_buffer buffer = {0};

		wt_encode_varint(&buffer, cases[i].value);
		assert_int_equal(buffer.size, cases[i].size);
		assert_int_equal(wt_varint_size(cases[i].value), cases[i].size);
		assert_memory_equal(buffer.data, cases[i].bytes, cases[i].size);
	}
}

static void nested_messages_of_any_length(void **state)
{
	static const size_t sizes[] = {0, 1, 100, 125, 127, 128, 16383, 16384, 3000000};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		wt_cleanup_buffer struct wt_buffer buffer = {0};
		Wavetape__Value *value;
		size_t outer = wt_encode_begin(&buffer, WT_FIELD_CALL_BEGIN_INPUT);
		uint8_t *data = calloc(1, sizes[i] + 1);
		Wavetape__CallBegin *begin;

		assert_non_null(data);
		memset(data, 0x42, sizes[i]);
		wt_encode_bytes(&buffer, WT_FIELD_VALUE_DATA, data, sizes[i]);
		wt_encode_end(&buffer, outer);
		assert_false(buffer.failed);
		begin = wavetape__call_begin__unpack(NULL, buffer.size, buffer.data);
		assert_non_null(begin);
		assert_int_equal(begin->n_input, 1);
		value = begin->input[0];
		assert_int_equal(value->form_case, WAVETAPE__VALUE__FORM_DATA);
		assert_int_equal(value->data.len, sizes[i]);
		if (sizes[i])
			assert_memory_equal(value->data.data, data, sizes[i]);
		wavetape__call_begin__free_unpacked(begin, NULL);
		free(data);
	}
}

/* The packets of every chunk are, byte for byte, what generated code makes of them. */
static void is_as_generated(const char *path)
{
	struct wt_reader *reader;

	sample_must(wt_reader_open(path, &reader));
	for (size_t i = 0; i < reader->places.count; i++) {
		Wavetape__Trace *trace;
		struct wt_chunk *chunk;
		uint8_t *packed;

		sample_must(wt_reader_load(reader, i, &chunk));
		trace = wavetape__trace__unpack(NULL, chunk->size, chunk->raw);
		assert_non_null(trace);
		assert_int_equal(wavetape__trace__get_packed_size(trace), chunk->size);
		packed = malloc(chunk->size);
		assert_non_null(packed);
		wavetape__trace__pack(trace, packed);
		assert_memory_equal(packed, chunk->raw, chunk->size);
		free(packed);
		wavetape__trace__free_unpacked(trace, NULL);
		wt_chunk_release(chunk);
	}
	wt_reader_close(reader);
}

static void count_calls(const char *path, uint64_t *calls_ret, uint64_t *packets_ret)
{
	struct wt_reader *reader;

	*calls_ret = *packets_ret = 0;
	sample_must(wt_reader_open(path, &reader));
	for (size_t i = 0; i < reader->places.count; i++) {
		Wavetape__Trace *trace;
		struct wt_chunk *chunk;

		sample_must(wt_reader_load(reader, i, &chunk));
		trace = wavetape__trace__unpack(NULL, chunk->size, chunk->raw);
		assert_non_null(trace);
		for (size_t j = 0; j < trace->n_packet; j++)
			*calls_ret +=
				trace->packet[j]->body_case == WAVETAPE__PACKET__BODY_CALL_BEGIN;
		*packets_ret += trace->n_packet;
		wavetape__trace__free_unpacked(trace, NULL);
		wt_chunk_release(chunk);
	}
	wt_reader_close(reader);
}

static void write_call(struct wt_writer *writer, uint64_t number, struct wt_value *values,
		       size_t count)
{
	const struct wt_call_begin begin = {.number = number,
					    .function = (uint32_t)number,
					    .thread = (uint32_t)number >> 1,
					    .start = number,
					    .inputs = values,
					    .input_count = count};
	const struct wt_callback callback = {.call = number,
					     .inputs = values,
					     .input_count = count,
					     .result = (int64_t)number,
					     .outputs = values,
					     .output_count = count};
	const struct wt_call_end end = {.number = number,
					.status = -(int64_t)(number >> 1),
					.duration = number,
					.outputs = values,
					.output_count = count};

	sample_must(wt_writer_call_begin(writer, &begin));
	sample_must(wt_writer_callback(writer, &callback));
	sample_must(wt_writer_call_end(writer, &end));
}

/* Numbers of every length in it, and packets around each length. */
static void journal_packets_of_any_length(void **state)
{
	static const size_t around[] = {0, 64, 128, 16384, 2097152};
	static uint8_t data[2097152 + 48];
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	(void)state;
	options.reproducible = false;
	memset(data, 0x42, sizeof(data));
	sample_must(wt_writer_create(sample_path("calls.wtape"), &options, &writer));
	for (unsigned int bits = 0; bits < 64; bits++)
		for (uint64_t less = 0; less < 2; less++) {
			uint64_t number = (UINT64_C(1) << bits) - less;
			struct wt_value values[] = {
				{.form = WT_VALUE_NUMBER, .number = number},
				{.form = WT_VALUE_ABSENT},
				{.form = WT_VALUE_PRESENT, .number = number},
				{.form = WT_VALUE_NUMBER, .number = ~number},
			};

			write_call(writer, number, values, 4);
		}
	for (size_t i = 0; i < sizeof(around) / sizeof(*around); i++)
		for (size_t size = around[i] < 48 ? 0 : around[i] - 48;
		     size<around[i] + 48; size += around[i]> 20000 ? 5 : 1) {
			struct wt_value values[] = {
				{.form = WT_VALUE_DATA, .data = data, .size = size}};

			write_call(writer, 1, values, 1);
		}
	sample_must(wt_writer_close(writer, "detached"));
	is_as_generated(sample_path("calls.wtape"));
}

/* A writer that ends without an end leaves its packets in the stage: a reader sees there what it would see in the chunk. */
static void packets_are_staged_as_they_are(void **state)
{
	static uint8_t data[5000];
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	uint64_t number = 0, calls, packets;

	(void)state;
	memset(data, 0x24, sizeof(data));
	sample_must(wt_writer_create(sample_path("staged.wtape"), &options, &writer));
	for (size_t size = 0; size < sizeof(data); size += size < 300 ? 1 : 50) {
		struct wt_value value = {.form = WT_VALUE_DATA, .data = data, .size = size};

		write_call(writer, ++number, &value, 1);
		/* Another packet comes between them. */
		if (number % 8 == 0)
			sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, number, "between"));
	}
	wt_writer_abandon(writer);
	is_as_generated(sample_path("staged.wtape"));
	count_calls(sample_path("staged.wtape"), &calls, &packets);
	assert_int_equal(calls, number);
	/* A header, and of the last call its begin alone: what comes after that is in the file with the next begin. */
	assert_int_equal(packets, 1 + 3 * number - 2 + number / 8);
}

static void signed_numbers_and_lists(void **state)
{
	static const uint64_t handles[] = {0, 1, UINT64_MAX, 1000};
	static const int64_t statuses[] = {0, -1, 1, INT64_MIN, INT64_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		wt_cleanup_buffer struct wt_buffer buffer = {0};
		Wavetape__Item *item;

		wt_encode_signed(&buffer, WT_FIELD_ITEM_STATUS, statuses[i]);
		wt_encode_packed(&buffer, WT_FIELD_ITEM_HANDLE, handles, 4);
		item = wavetape__item__unpack(NULL, buffer.size, buffer.data);
		assert_non_null(item);
		assert_true(item->status == statuses[i]);
		assert_int_equal(item->n_handle, 4);
		assert_memory_equal(item->handle, handles, sizeof(handles));
		wavetape__item__free_unpacked(item, NULL);
	}
}

static void strings_are_utf8(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"plain", "plain"},
		{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
		{"\xf0\x9f\x98\x80!", "\xf0\x9f\x98\x80!"},
		{"a\xff"
		 "b",
		 "a\xef\xbf\xbd"
		 "b"},
		{"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"}, /* too long a form */
		{"\xed\xa0\x80",
		 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* half a surrogate pair */
		{"\xf4\x90\x80\x80",
		 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* too large */
		{"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		wt_cleanup_buffer struct wt_buffer buffer = {0};
		Wavetape__Notice *notice;

		wt_encode_string(&buffer, WT_FIELD_NOTICE_TEXT, cases[i].text, false);
		notice = wavetape__notice__unpack(NULL, buffer.size, buffer.data);
		assert_non_null(notice);
		assert_string_equal(notice->text, cases[i].expected);
		wavetape__notice__free_unpacked(notice, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(varints),
		cmocka_unit_test(nested_messages_of_any_length),
		cmocka_unit_test(journal_packets_of_any_length),
		cmocka_unit_test(packets_are_staged_as_they_are),
		cmocka_unit_test(signed_numbers_and_lists),
		cmocka_unit_test(strings_are_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
