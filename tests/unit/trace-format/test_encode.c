/* SPDX-License-Identifier: MIT */
/* What the encoder writes is what generated code reads; field numbers are those of trace.proto. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sample.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/fields.h"
#include "trace-format/reader/internal.h"
#include "trace-format/trace.pb-c.h"
#include "trace-format/writer/journal.h"

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
		size_t outer = wt_encode_begin(&buffer, WT_BEGIN_INPUT);
		uint8_t *data = calloc(1, sizes[i] + 1);
		Wavetape__CallBegin *begin;

		assert_non_null(data);
		memset(data, 0x42, sizes[i]);
		wt_encode_bytes(&buffer, WT_VALUE_FIELD_DATA, data, sizes[i]);
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
	for (size_t i = 0; i < reader->place_count; i++) {
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
	for (size_t i = 0; i < reader->place_count; i++) {
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

		wt_encode_signed(&buffer, WT_ITEM_STATUS, statuses[i]);
		wt_encode_packed(&buffer, WT_ITEM_HANDLE, handles, 4);
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

		wt_encode_string(&buffer, WT_NOTICE_FIELD_TEXT, cases[i].text, false);
		notice = wavetape__notice__unpack(NULL, buffer.size, buffer.data);
		assert_non_null(notice);
		assert_string_equal(notice->text, cases[i].expected);
		wavetape__notice__free_unpacked(notice, NULL);
	}
}

static void has_field(const ProtobufCMessageDescriptor *message, unsigned int number,
		      const char *name)
{
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field(message, number);

	if (!field || strcmp(field->name, name))
		fail_msg("%s: field %u is %s, not %s", message->name, number,
			 field ? field->name : "absent", name);
}

static void field_numbers_are_those_of_the_proto(void **state)
{
	static const struct {
		const ProtobufCMessageDescriptor *message;
		unsigned int number;
		const char *name;
	} fields[] = {
		{&wavetape__packet__descriptor, WT_PACKET_HEADER, "header"},
		{&wavetape__packet__descriptor, WT_PACKET_NAMES, "names"},
		{&wavetape__packet__descriptor, WT_PACKET_BLOB, "blob"},
		{&wavetape__packet__descriptor, WT_PACKET_CALL_BEGIN, "call_begin"},
		{&wavetape__packet__descriptor, WT_PACKET_CALLBACK, "callback"},
		{&wavetape__packet__descriptor, WT_PACKET_CALL_END, "call_end"},
		{&wavetape__packet__descriptor, WT_PACKET_FACTS, "facts"},
		{&wavetape__packet__descriptor, WT_PACKET_MOMENT, "moment"},
		{&wavetape__packet__descriptor, WT_PACKET_LATE, "late"},
		{&wavetape__packet__descriptor, WT_PACKET_NOTICE, "notice"},
		{&wavetape__packet__descriptor, WT_PACKET_END, "end"},
		{&wavetape__header__descriptor, WT_HEADER_RECORDER, "recorder"},
		{&wavetape__header__descriptor, WT_HEADER_API_LEVEL, "api_level"},
		{&wavetape__header__descriptor, WT_HEADER_LIBRARY_VERSION, "library_version"},
		{&wavetape__header__descriptor, WT_HEADER_LIBRARY_BUILD_NAME, "library_build_name"},
		{&wavetape__header__descriptor, WT_HEADER_START_TIME, "start_time"},
		{&wavetape__header__descriptor, WT_HEADER_REPRODUCIBLE, "reproducible"},
		{&wavetape__header__descriptor, WT_HEADER_COMMAND_LINE, "command_line"},
		{&wavetape__header__descriptor, WT_HEADER_PROCESS_ID, "process_id"},
		{&wavetape__header__descriptor, WT_HEADER_OPTIONS, "options"},
		{&wavetape__header__descriptor, WT_HEADER_REDACTED, "redacted"},
		{&wavetape__header__descriptor, WT_HEADER_CLIENT_LEVEL, "client_level"},
		{&wavetape__notice__descriptor, WT_NOTICE_FIELD_HOST, "host"},
		{&wavetape__host__descriptor, WT_HOST_VERSION, "version"},
		{&wavetape__host__descriptor, WT_HOST_PROCESS_ID, "process_id"},
		{&wavetape__host__descriptor, WT_HOST_EXECUTABLE, "executable"},
		{&wavetape__host__descriptor, WT_HOST_COMMAND_LINE, "command_line"},
		{&wavetape__host__descriptor, WT_HOST_MAP, "map"},
		{&wavetape__host__descriptor, WT_HOST_THREAD, "thread"},
		{&wavetape__host__descriptor, WT_HOST_ENVIRONMENT, "environment"},
		{&wavetape__host__descriptor, WT_HOST_MISSING, "missing"},
		{&wavetape__host__descriptor, WT_HOST_TIME, "time"},
		{&wavetape__host_version__descriptor, WT_HOST_VERSION_OF, "of"},
		{&wavetape__host_version__descriptor, WT_HOST_VERSION_TEXT, "text"},
		{&wavetape__host_map__descriptor, WT_HOST_MAP_START, "start"},
		{&wavetape__host_map__descriptor, WT_HOST_MAP_END, "end"},
		{&wavetape__host_map__descriptor, WT_HOST_MAP_OFFSET, "offset"},
		{&wavetape__host_map__descriptor, WT_HOST_MAP_ACCESS, "access"},
		{&wavetape__host_map__descriptor, WT_HOST_MAP_PATH, "path"},
		{&wavetape__host_map__descriptor, WT_HOST_MAP_BUILD_ID, "build_id"},
		{&wavetape__host_thread__descriptor, WT_HOST_THREAD_ID, "id"},
		{&wavetape__host_thread__descriptor, WT_HOST_THREAD_NAME, "name"},
		{&wavetape__host_thread__descriptor, WT_HOST_THREAD_STATE, "state"},
		{&wavetape__host_thread__descriptor, WT_HOST_THREAD_WAITING, "waiting"},
		{&wavetape__host_thread__descriptor, WT_HOST_THREAD_FRAME, "frame"},
		{&wavetape__host_frame__descriptor, WT_HOST_FRAME_ADDRESS, "address"},
		{&wavetape__host_frame__descriptor, WT_HOST_FRAME_SYMBOL, "symbol"},
		{&wavetape__host_frame__descriptor, WT_HOST_FRAME_SYMBOL_OFFSET, "symbol_offset"},
		{&wavetape__host_frame__descriptor, WT_HOST_FRAME_PATH, "path"},
		{&wavetape__host_variable__descriptor, WT_HOST_VARIABLE_NAME, "name"},
		{&wavetape__host_variable__descriptor, WT_HOST_VARIABLE_VALUE, "value"},
		{&wavetape__host_variable__descriptor, WT_HOST_VARIABLE_WITH_VALUE, "with_value"},
		{&wavetape__names__descriptor, WT_NAMES_FIRST, "first"},
		{&wavetape__names__descriptor, WT_NAMES_TEXT, "text"},
		{&wavetape__blob__descriptor, WT_BLOB_KEY, "key"},
		{&wavetape__blob__descriptor, WT_BLOB_ENCODING, "encoding"},
		{&wavetape__blob__descriptor, WT_BLOB_DATA, "data"},
		{&wavetape__value__descriptor, WT_VALUE_FIELD_NUMBER, "number"},
		{&wavetape__value__descriptor, WT_VALUE_FIELD_DATA, "data"},
		{&wavetape__value__descriptor, WT_VALUE_FIELD_PRESENT, "present"},
		{&wavetape__call_begin__descriptor, WT_BEGIN_NUMBER, "number"},
		{&wavetape__call_begin__descriptor, WT_BEGIN_FUNCTION, "function"},
		{&wavetape__call_begin__descriptor, WT_BEGIN_THREAD, "thread"},
		{&wavetape__call_begin__descriptor, WT_BEGIN_START, "start"},
		{&wavetape__call_begin__descriptor, WT_BEGIN_INPUT, "input"},
		{&wavetape__callback__descriptor, WT_CALLBACK_CALL, "call"},
		{&wavetape__callback__descriptor, WT_CALLBACK_FUNCTION, "function"},
		{&wavetape__callback__descriptor, WT_CALLBACK_INPUT, "input"},
		{&wavetape__callback__descriptor, WT_CALLBACK_RESULT, "result"},
		{&wavetape__callback__descriptor, WT_CALLBACK_OUTPUT, "output"},
		{&wavetape__call_end__descriptor, WT_END_NUMBER, "number"},
		{&wavetape__call_end__descriptor, WT_END_STATUS, "status"},
		{&wavetape__call_end__descriptor, WT_END_DURATION, "duration"},
		{&wavetape__call_end__descriptor, WT_END_OUTPUT, "output"},
		{&wavetape__item__descriptor, WT_ITEM_TYPE, "type"},
		{&wavetape__item__descriptor, WT_ITEM_KIND, "kind"},
		{&wavetape__item__descriptor, WT_ITEM_OWNER, "owner"},
		{&wavetape__item__descriptor, WT_ITEM_ADDRESS, "address"},
		{&wavetape__item__descriptor, WT_ITEM_REMOVED, "removed"},
		{&wavetape__item__descriptor, WT_ITEM_STATUS, "status"},
		{&wavetape__item__descriptor, WT_ITEM_ANSWER, "answer"},
		{&wavetape__item__descriptor, WT_ITEM_HANDLE, "handle"},
		{&wavetape__item__descriptor, WT_ITEM_BLOB, "blob"},
		{&wavetape__item__descriptor, WT_ITEM_SIZE, "size"},
		{&wavetape__item__descriptor, WT_ITEM_PATCH, "patch"},
		{&wavetape__item__descriptor, WT_ITEM_NUMBER, "number"},
		{&wavetape__item__descriptor, WT_ITEM_MORE_BLOB, "more_blob"},
		{&wavetape__item__descriptor, WT_ITEM_HANDLE_BLOB, "handle_blob"},
		{&wavetape__item__descriptor, WT_ITEM_KEEP, "keep"},
		{&wavetape__answer__descriptor, WT_ANSWER_QUERY, "query"},
		{&wavetape__answer__descriptor, WT_ANSWER_STATUS, "status"},
		{&wavetape__answer__descriptor, WT_ANSWER_VALUE, "value"},
		{&wavetape__patch__descriptor, WT_PATCH_OFFSET, "offset"},
		{&wavetape__patch__descriptor, WT_PATCH_DATA, "data"},
		{&wavetape__patch__descriptor, WT_PATCH_ENCODING, "encoding"},
		{&wavetape__facts__descriptor, WT_FACTS_ITEM, "item"},
		{&wavetape__event__descriptor, WT_EVENT_HANDLE, "handle"},
		{&wavetape__event__descriptor, WT_EVENT_KIND, "kind"},
		{&wavetape__event__descriptor, WT_EVENT_ANSWER, "answer"},
		{&wavetape__moment__descriptor, WT_MOMENT_NUMBER, "number"},
		{&wavetape__moment__descriptor, WT_MOMENT_PROCESS, "process"},
		{&wavetape__moment__descriptor, WT_MOMENT_CAUSE, "cause"},
		{&wavetape__moment__descriptor, WT_MOMENT_CALL, "call"},
		{&wavetape__moment__descriptor, WT_MOMENT_TIME, "time"},
		{&wavetape__moment__descriptor, WT_MOMENT_KEYFRAME, "keyframe"},
		{&wavetape__moment__descriptor, WT_MOMENT_EVENT, "event"},
		{&wavetape__moment__descriptor, WT_MOMENT_AFTER_RESUME, "after_resume"},
		{&wavetape__moment__descriptor, WT_MOMENT_STOP_REQUESTED, "stop_requested"},
		{&wavetape__moment__descriptor, WT_MOMENT_LOG, "log"},
		{&wavetape__moment__descriptor, WT_MOMENT_ITEM, "item"},
		{&wavetape__moment__descriptor, WT_MOMENT_STATUS, "status"},
		{&wavetape__log_message__descriptor, WT_LOG_LEVEL, "level"},
		{&wavetape__log_message__descriptor, WT_LOG_TEXT, "text"},
		{&wavetape__late__descriptor, WT_LATE_MOMENT, "moment"},
		{&wavetape__late__descriptor, WT_LATE_ITEM, "item"},
		{&wavetape__notice__descriptor, WT_NOTICE_FIELD_KIND, "kind"},
		{&wavetape__notice__descriptor, WT_NOTICE_FIELD_TEXT, "text"},
		{&wavetape__notice__descriptor, WT_NOTICE_FIELD_CALL, "call"},
		{&wavetape__end__descriptor, WT_END_PACKETS, "packets"},
		{&wavetape__end__descriptor, WT_END_MOMENTS, "moments"},
		{&wavetape__end__descriptor, WT_END_CALLS, "calls"},
		{&wavetape__end__descriptor, WT_END_REASON, "reason"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		has_field(fields[i].message, fields[i].number, fields[i].name);
	assert_int_equal(wavetape__trace__descriptor.n_fields, 1);
	assert_int_equal(WAVETAPE__ITEM__TYPE__OBJECT, WT_ITEM_OBJECT);
	assert_int_equal(WAVETAPE__ITEM__TYPE__MAP, WT_ITEM_MAP);
	assert_int_equal(WAVETAPE__BLOB__ENCODING__PLANES4, WT_BLOB_PLANES4);
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
		cmocka_unit_test(field_numbers_are_those_of_the_proto),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
