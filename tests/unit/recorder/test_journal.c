/* SPDX-License-Identifier: MIT */
/* Every function through the recording library: the client gets what it would get, and the journal holds it. */
#include "tests/unit/recorder/support.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbgapi/marshal.h"
#include "tests/unit/recorder/cases.h"
#include "tests/unit/recorder/fake.h"

static struct fake *provider;
static struct wt_api direct;

char test_identity;
const uint8_t fake_pattern[] = {0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
				0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf,
				0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7};

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t process,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	(void)process;
	(void)query;
	memset(value, 0x42, value_size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_ERROR;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)process;
	(void)address;
	(void)write_buffer;
	if (read_buffer) {
		*size = 4;
		memcpy(read_buffer, "read", 4);
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_callbacks_t test_callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = client_process_get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = support_remove_breakpoint,
	.xfer_global_memory = xfer_global_memory,
	.log_message = support_log_message,
};

amd_dbgapi_status_t test_symbolizer(amd_dbgapi_symbolizer_id_t id,
				    amd_dbgapi_global_address_t address, char **text)
{
	(void)address;
	if ((void *)id != &test_identity)
		return AMD_DBGAPI_STATUS_ERROR;
	*text = strdup("symbol");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

void test_capture(struct expected *expected, const void *data, size_t size)
{
	wt_buffer_append(&expected->captured, data, size);
}

void test_capture_memory(struct expected *expected, const void *memory, size_t size, bool owned)
{
	test_capture(expected, memory ? "1" : "0", 1);
	if (memory)
		test_capture(expected, memory, size);
	if (owned)
		free((void *)(uintptr_t)memory);
}

void test_capture_query(struct expected *expected, enum wt_object object, uint32_t query,
			void *value)
{
	const struct wt_query *info = wt_query_find(object, query);
	void *first;

	memcpy(&first, value, sizeof(first));
	test_capture(expected, first ? "1" : "0", 1);
	if (first || info->result == WT_RESULT_HANDLES)
		wt_marshal_result(info, value, 4, &expected->captured);
	wt_marshal_release(info, value);
}

struct mode {
	amd_dbgapi_status_t status;
	bool writes;
};

static const struct mode modes[] = {
	{AMD_DBGAPI_STATUS_SUCCESS, true},
	{AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, false},
	{AMD_DBGAPI_STATUS_ERROR_RESTRICTION, true},
};

#define MODES 3

static void set_mode(const struct mode *mode)
{
	provider->status = mode->status;
	provider->writes = mode->writes;
}

/* All cases in all modes, then the ones with NULL, in a fixed order. */
static void run_all(const struct wt_api *api, struct expected *results)
{
	size_t count = 0;

	for (size_t m = 0; m < MODES; m++) {
		set_mode(&modes[m]);
		for (size_t i = 0; i < test_case_count; i++)
			test_cases[i](api, &results[count++]);
	}
	set_mode(&modes[0]);
	for (size_t i = 0; i < test_null_case_count; i++)
		test_null_cases[i](api, &results[count++]);
}

static size_t total(void)
{
	return MODES * test_case_count + test_null_case_count;
}

static struct expected *make_results(void)
{
	return calloc(total(), sizeof(struct expected));
}

static void free_results(struct expected *results)
{
	for (size_t i = 0; i < total(); i++)
		wt_buffer_deinit(&results[i].captured);
	free(results);
}

static void compare_values(const struct expected *expected, const char *what,
			   const struct wt_value *values, size_t count,
			   const struct wt_value *found, size_t found_count)
{
	const char *name = wt_functions[expected->function].name;

	if (count != found_count)
		fail_msg("%s: %zu %s, not %zu", name, found_count, what, count);
	for (size_t i = 0; i < count; i++) {
		const struct wt_value *a = &values[i], *b = &found[i];

		if (a->form != b->form)
			fail_msg("%s: %s %zu: form %d, not %d", name, what, i, b->form, a->form);
		if (a->number != b->number)
			fail_msg("%s: %s %zu: %#lx, not %#lx", name, what, i,
				 (unsigned long)b->number, (unsigned long)a->number);
		if (a->size != b->size || (a->size && memcmp(a->data, b->data, a->size)))
			fail_msg("%s: %s %zu: other data (%zu bytes, not %zu)", name, what, i,
				 b->size, a->size);
	}
}

/* A copy of what is needed of a begin: a record is good until the next. */
static const struct wt_journal_record *next_call(struct wt_journal *journal)
{
	const struct wt_journal_record *record;

	do
		support_must(wt_journal_next(journal, &record));
	while (record && record->kind != WT_JOURNAL_BEGIN && record->kind != WT_JOURNAL_END);
	return record;
}

/*
 * How long the saved instruction is depends on the wave's architecture: where the provider does not tell, the
 * bytes cannot be told either.
 */
static void check_inputs(const struct expected *expected, size_t mode,
			 const struct wt_call_begin *begin)
{
	struct wt_value inputs[8];

	assert_true(expected->input_count <= 8);
	memcpy(inputs, expected->inputs, expected->input_count * sizeof(*inputs));
	if (expected->function == WT_FUNCTION_DISPLACED_STEPPING_START && mode)
		inputs[1] = (struct wt_value){.form = WT_VALUE_PRESENT, .number = 1};
	compare_values(expected, "input", inputs, expected->input_count, begin->inputs,
		       begin->input_count);
}

static void check_journal(struct wt_reader *reader, const struct expected *results)
{
	struct wt_journal *journal;

	support_must(wt_journal_open(reader, &journal));
	for (size_t i = 0; i < total(); i++) {
		const struct expected *expected = &results[i];
		size_t mode = i < MODES * test_case_count ? i / test_case_count : 0;
		const struct wt_journal_record *record = next_call(journal);

		assert_non_null(record);
		assert_int_equal(record->kind, WT_JOURNAL_BEGIN);
		assert_int_equal(record->begin.number, i + 1);
		assert_string_equal(wt_reader_name(reader, record->begin.function),
				    wt_functions[expected->function].name);
		assert_int_equal(record->begin.thread, 1);
		check_inputs(expected, mode, &record->begin);
		record = next_call(journal);
		assert_non_null(record);
		assert_int_equal(record->kind, WT_JOURNAL_END);
		assert_int_equal(record->end.number, i + 1);
		assert_int_equal(record->end.status, expected->returned);
		/* get_version and get_build_name know no errors. */
		if (wt_functions[expected->function].returns != WT_RETURNS_STATUS)
			mode = 0;
		compare_values(expected, "output", expected->outputs[mode], expected->output_count,
			       record->end.outputs, record->end.output_count);
	}
	assert_null(next_call(journal));
	wt_journal_close(journal);
}

static void every_function_is_forwarded_and_recorded(void **state)
{
	const char *trace = support_path("all.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	struct expected *plain = make_results(), *recorded = make_results();
	struct wt_trace_info info;
	struct wt_reader *reader;

	(void)state;
	direct.initialize(&test_callbacks);
	run_all(&direct, plain);
	run_all(&library.api, recorded);
	for (size_t i = 0; i < total(); i++) {
		assert_int_equal(recorded[i].returned, plain[i].returned);
		assert_int_equal(recorded[i].captured.size, plain[i].captured.size);
		if (plain[i].captured.size)
			assert_memory_equal(recorded[i].captured.data, plain[i].captured.data,
					    plain[i].captured.size);
	}
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	assert_int_equal(info.calls, total());
	assert_string_equal(info.library_build_name, "a build");
	check_journal(reader, recorded);
	wt_reader_close(reader);
	free_results(plain);
	free_results(recorded);
}

/* With snapshots the answers are the same too, whatever the library says about its objects. */
static void snapshots_change_no_answer(void **state)
{
	const char *trace = support_path("snapshots.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, NULL);
	struct expected *plain = make_results(), *recorded = make_results();
	struct wt_trace_info info;
	struct wt_reader *reader;

	(void)state;
	run_all(&direct, plain);
	run_all(&library.api, recorded);
	for (size_t i = 0; i < total(); i++) {
		assert_int_equal(recorded[i].returned, plain[i].returned);
		assert_int_equal(recorded[i].captured.size, plain[i].captured.size);
		if (plain[i].captured.size)
			assert_memory_equal(recorded[i].captured.data, plain[i].captured.data,
					    plain[i].captured.size);
	}
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	assert_int_equal(info.calls, total());
	assert_true(wt_reader_moment_count(reader) > 0);
	check_journal(reader, recorded);
	wt_reader_close(reader);
	free_results(plain);
	free_results(recorded);
}

static void empty_arrays_are_told_as_null(void **state)
{
	const char *trace = support_path("empty.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	const struct wt_journal_record *record;
	amd_dbgapi_wave_id_t *waves = (void *)&test_identity;
	struct wt_journal *journal;
	struct wt_reader *reader;
	size_t count = 7;

	(void)state;
	set_mode(&modes[0]);
	provider->empty = true;
	library.api.process_wave_list((amd_dbgapi_process_id_t){1}, &count, &waves, NULL);
	provider->empty = false;
	assert_null(waves);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_call(journal);
	record = next_call(journal);
	assert_int_equal(record->end.output_count, 3);
	assert_int_equal(record->end.outputs[1].form, WT_VALUE_PRESENT);
	assert_int_equal(record->end.outputs[1].number, 0);
	assert_int_equal(record->end.outputs[2].form, WT_VALUE_ABSENT);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

/* The callbacks that the provider makes in process_attach, as they must be in the journal. */
static const struct expected_callback {
	const char *name;
	size_t input_count, output_count;
	int64_t result;
	struct wt_value inputs[5], outputs[2];
} callbacks[] = {
#define NUMBER(n)                                                                                  \
	{                                                                                          \
		.form = WT_VALUE_NUMBER, .number = (n)                                             \
	}
#define DATA(text)                                                                                 \
	{                                                                                          \
		.form = WT_VALUE_DATA, .data = (const uint8_t *)(text), .size = sizeof(text) - 1   \
	}
#define GIVEN                                                                                      \
	{                                                                                          \
		.form = WT_VALUE_PRESENT, .number = 1                                              \
	}
#define NOTHING                                                                                    \
	{                                                                                          \
		.form = WT_VALUE_ABSENT                                                            \
	}
	{"client_process_get_info",
	 4,
	 1,
	 0,
	 {NUMBER(1), NUMBER(1), NUMBER(4), GIVEN},
	 {DATA("BBBB")}},
	{"insert_breakpoint", 3, 0, -1, {NUMBER(1), NUMBER(0x1122334455), NUMBER(3)}, {NOTHING}},
	{"remove_breakpoint", 2, 0, 0, {NUMBER(1), NUMBER(3)}, {NOTHING}},
	{"xfer_global_memory",
	 5,
	 2,
	 0,
	 {NUMBER(1), NUMBER(0x5000), NUMBER(6), GIVEN, NOTHING},
	 {NUMBER(4), DATA("read")}},
	{"xfer_global_memory",
	 5,
	 2,
	 0,
	 {NUMBER(1), NUMBER(0x6000), NUMBER(3), NOTHING, DATA("abc")},
	 {NUMBER(3), NOTHING}},
	{"allocate_memory", 1, 0, 1, {NUMBER(40)}, {NOTHING}},
	{"deallocate_memory", 1, 0, 0, {GIVEN}, {NOTHING}},
	{"log_message", 2, 0, 0, {NUMBER(2), DATA("a warning")}, {NOTHING}},
};

static void check_callbacks(struct wt_reader *reader, struct wt_journal *journal, uint64_t call)
{
	static const struct expected as = {.function = WT_FUNCTION_PROCESS_ATTACH};
	const struct wt_journal_record *record;

	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++) {
		const struct expected_callback *expected = &callbacks[i];

		support_must(wt_journal_next(journal, &record));
		assert_non_null(record);
		assert_int_equal(record->kind, WT_JOURNAL_CALLBACK);
		assert_int_equal(record->callback.call, call);
		assert_string_equal(wt_reader_name(reader, record->callback.function),
				    expected->name);
		assert_int_equal(record->callback.result, expected->result);
		compare_values(&as, "callback input", expected->inputs, expected->input_count,
			       record->callback.inputs, record->callback.input_count);
		compare_values(&as, "callback output", expected->outputs, expected->output_count,
			       record->callback.outputs, record->callback.output_count);
	}
}

static void callbacks_are_forwarded_and_recorded(void **state)
{
	const char *trace = support_path("callbacks.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	amd_dbgapi_process_id_t process;
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_reader *reader;

	(void)state;
	set_mode(&modes[0]);
	library.api.initialize(&test_callbacks);
	library.api.process_attach((amd_dbgapi_client_process_id_t)(void *)&test_identity,
				   &process);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_call(journal);
	next_call(journal);
	record = next_call(journal);
	assert_int_equal(record->begin.number, 2);
	/* The client's own pointer was seen first; the library's is the second. */
	assert_int_equal(record->begin.inputs[0].number, 1);
	support_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_CALLBACK);
	assert_int_equal(record->callback.inputs[0].number, 2);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

/* The provider hands on a process of its own making, so it is number 1 if nothing came before it. */
static void callbacks_tell_all_they_carry(void **state)
{
	const char *trace = support_path("carry.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	struct wt_journal *journal;
	struct wt_reader *reader;
	amd_dbgapi_process_id_t process;

	(void)state;
	set_mode(&modes[0]);
	library.api.initialize(&test_callbacks);
	library.api.process_attach(NULL, &process);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_call(journal);
	next_call(journal);
	next_call(journal);
	check_callbacks(reader, journal, 2);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

static void errno_passes_in_both_directions(void **state)
{
	struct support_library library =
		support_load(FAKE_LIBRARY, support_path("errno.wtape"), NULL);
	uint32_t value;

	(void)state;
	set_mode(&modes[0]);
	library.api.initialize(&test_callbacks);
	provider->error_number = 77;
	errno = 33;
	library.api.wave_get_info((amd_dbgapi_wave_id_t){1}, AMD_DBGAPI_WAVE_INFO_STATE,
				  sizeof(value), &value);
	assert_int_equal(errno, 77);
	assert_int_equal(provider->error_number_seen, 33);
	provider->error_number = 0;
	support_unload(&library);
}

/* Lengths that the client only claims must not make us read what is not there. */
static void claimed_lengths_are_not_trusted(void **state)
{
	const char *trace = support_path("claimed.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	const amd_dbgapi_address_space_id_t global = {1};
	const struct wt_journal_record *record;
	amd_dbgapi_size_t size = 1u << 20;
	struct wt_journal *journal;
	struct wt_reader *reader;
	bool noticed = false;
	uint8_t byte = 5;

	(void)state;
	set_mode(&modes[1]);
	library.api.write_memory((amd_dbgapi_process_id_t){1}, AMD_DBGAPI_WAVE_NONE,
				 AMD_DBGAPI_LANE_NONE, global, 0x1000, &size, (void *)16);
	library.api.write_register((amd_dbgapi_wave_id_t){1}, (amd_dbgapi_register_id_t){1}, 0,
				   UINT64_MAX, &byte);
	library.api.wave_get_info((amd_dbgapi_wave_id_t){1}, AMD_DBGAPI_WAVE_INFO_PC, SIZE_MAX,
				  (void *)16);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	do {
		support_must(wt_journal_next(journal, &record));
		noticed |= record && record->kind == WT_JOURNAL_NOTICE &&
			   record->notice_kind == WT_NOTICE_NOT_TAKEN;
		if (!record || record->kind != WT_JOURNAL_BEGIN)
			continue;
		assert_int_equal(record->begin.inputs[record->begin.input_count - 1].form,
				 WT_VALUE_PRESENT);
	} while (record);
	assert_true(noticed);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

#define THREADS 4
#define CALLS 2000

static void *call_often(void *opaque)
{
	const struct wt_api *api = opaque;
	uint32_t value;

	for (int i = 0; i < CALLS; i++)
		api->wave_get_info((amd_dbgapi_wave_id_t){1}, AMD_DBGAPI_WAVE_INFO_STATE,
				   sizeof(value), &value);
	return NULL;
}

static void threads_do_not_corrupt_the_journal(void **state)
{
	const char *trace = support_path("threads.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	const struct wt_journal_record *record;
	uint64_t begun = 0, ended = 0;
	pthread_t threads[THREADS];
	struct wt_journal *journal;
	struct wt_reader *reader;
	uint32_t seen = 0;

	(void)state;
	set_mode(&modes[0]);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, call_often, &library.api), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	while ((record = next_call(journal))) {
		if (record->kind == WT_JOURNAL_BEGIN) {
			assert_int_equal(record->begin.number, ++begun);
			assert_in_range(record->begin.thread, 1, THREADS);
			seen |= 1u << record->begin.thread;
		} else {
			ended++;
		}
	}
	assert_int_equal(begun, THREADS * CALLS);
	assert_int_equal(ended, THREADS * CALLS);
	assert_int_equal(seen, ((1u << THREADS) - 1) << 1);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

static struct support_library *nested_library;

static void call_inside(void)
{
	uint32_t value;

	nested_library->api.wave_get_info((amd_dbgapi_wave_id_t){9}, AMD_DBGAPI_WAVE_INFO_STATE,
					  sizeof(value), &value);
}

static void a_call_from_a_callback_is_a_call_of_its_own(void **state)
{
	const char *trace = support_path("nested.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, NULL);
	const struct wt_journal_record *record;
	amd_dbgapi_process_id_t process;
	struct wt_journal *journal;
	struct wt_reader *reader;

	(void)state;
	set_mode(&modes[0]);
	nested_library = &library;
	library.api.initialize(&test_callbacks);
	provider->inside = call_inside;
	library.api.process_attach(NULL, &process);
	provider->inside = NULL;
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_call(journal);
	next_call(journal);
	assert_int_equal(next_call(journal)->begin.number, 2);
	record = next_call(journal);
	assert_int_equal(record->kind, WT_JOURNAL_BEGIN);
	assert_int_equal(record->begin.number, 3);
	assert_int_equal(next_call(journal)->end.number, 3);
	assert_int_equal(next_call(journal)->end.number, 2);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

static int load_provider(void **state)
{
	void *handle = dlopen(FAKE_LIBRARY, RTLD_NOW);

	(void)state;
	if (!handle)
		return -1;
	provider = dlsym(handle, "fake");
	support_must(wt_api_load(FAKE_LIBRARY, &direct));
	return provider ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_function_is_forwarded_and_recorded),
		cmocka_unit_test(snapshots_change_no_answer),
		cmocka_unit_test(empty_arrays_are_told_as_null),
		cmocka_unit_test(callbacks_are_forwarded_and_recorded),
		cmocka_unit_test(callbacks_tell_all_they_carry),
		cmocka_unit_test(errno_passes_in_both_directions),
		cmocka_unit_test(claimed_lengths_are_not_trusted),
		cmocka_unit_test(threads_do_not_corrupt_the_journal),
		cmocka_unit_test(a_call_from_a_callback_is_a_call_of_its_own),
	};

	return cmocka_run_group_tests(tests, load_provider, NULL);
}
