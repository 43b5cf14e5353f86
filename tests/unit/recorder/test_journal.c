/* SPDX-License-Identifier: MIT */
/* Every function through the recording library: the client gets what it would get, and the journal holds it. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbgapi/client/marshal.h"
#include "tests/unit/recorder/cases.h"
#include "tests/unit/recorder/journal.h"

static struct wt_api direct;

const uint8_t fake_pattern[] = {0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
				0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf,
				0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7};

amd_dbgapi_status_t test_symbolizer(amd_dbgapi_symbolizer_id_t id,
				    amd_dbgapi_global_address_t address, char **text)
{
	(void)address;
	if ((void *)id != &journal_identity)
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

/* All cases in all modes, then the ones with NULL, in a fixed order. */
static void run_all(const struct wt_api *api, struct expected *results)
{
	size_t count = 0;

	for (size_t m = 0; m < JOURNAL_MODES; m++) {
		journal_set_mode(&journal_modes[m]);
		for (size_t i = 0; i < test_case_count; i++)
			test_cases[i](api, &results[count++]);
	}
	journal_set_mode(&journal_modes[0]);
	for (size_t i = 0; i < test_null_case_count; i++)
		test_null_cases[i](api, &results[count++]);
}

static size_t total(void)
{
	return JOURNAL_MODES * test_case_count + test_null_case_count;
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
	journal_compare_values(expected->function, "input", inputs, expected->input_count,
			       begin->inputs, begin->input_count);
}

static void check_journal(struct wt_reader *reader, const struct expected *results)
{
	struct wt_journal *journal;

	support_must(wt_journal_open(reader, &journal));
	for (size_t i = 0; i < total(); i++) {
		const struct expected *expected = &results[i];
		size_t mode = i < JOURNAL_MODES * test_case_count ? i / test_case_count : 0;
		const struct wt_journal_record *record = journal_next_call(journal);

		assert_non_null(record);
		assert_int_equal(record->kind, WT_JOURNAL_BEGIN);
		assert_int_equal(record->begin.number, i + 1);
		assert_string_equal(wt_reader_name(reader, record->begin.function),
				    wt_functions[expected->function].name);
		assert_int_equal(record->begin.thread, 1);
		check_inputs(expected, mode, &record->begin);
		record = journal_next_call(journal);
		assert_non_null(record);
		assert_int_equal(record->kind, WT_JOURNAL_END);
		assert_int_equal(record->end.number, i + 1);
		assert_int_equal(record->end.status, expected->returned);
		/* get_version and get_build_name know no errors. */
		if (wt_functions[expected->function].returns != WT_RETURNS_STATUS)
			mode = 0;
		journal_compare_values(expected->function, "output", expected->outputs[mode],
				       expected->output_count, record->end.outputs,
				       record->end.output_count);
	}
	assert_null(journal_next_call(journal));
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
	direct.initialize(&journal_callbacks);
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
	amd_dbgapi_wave_id_t *waves = (void *)&journal_identity;
	struct wt_journal *journal;
	struct wt_reader *reader;
	size_t count = 7;

	(void)state;
	journal_set_mode(&journal_modes[0]);
	journal_provider->empty = true;
	library.api.process_wave_list((amd_dbgapi_process_id_t){1}, &count, &waves, NULL);
	journal_provider->empty = false;
	assert_null(waves);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	journal_next_call(journal);
	record = journal_next_call(journal);
	assert_int_equal(record->end.output_count, 3);
	assert_int_equal(record->end.outputs[1].form, WT_VALUE_PRESENT);
	assert_int_equal(record->end.outputs[1].number, 0);
	assert_int_equal(record->end.outputs[2].form, WT_VALUE_ABSENT);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

static void errno_passes_in_both_directions(void **state)
{
	struct support_library library =
		support_load(FAKE_LIBRARY, support_path("errno.wtape"), NULL);
	uint32_t value;

	(void)state;
	journal_set_mode(&journal_modes[0]);
	library.api.initialize(&journal_callbacks);
	journal_provider->error_number = 77;
	errno = 33;
	library.api.wave_get_info((amd_dbgapi_wave_id_t){1}, AMD_DBGAPI_WAVE_INFO_STATE,
				  sizeof(value), &value);
	assert_int_equal(errno, 77);
	assert_int_equal(journal_provider->error_number_seen, 33);
	journal_provider->error_number = 0;
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
	journal_set_mode(&journal_modes[1]);
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

static amd_dbgapi_status_t long_symbolizer(amd_dbgapi_symbolizer_id_t id,
					   amd_dbgapi_global_address_t address, char **text)
{
	(void)id;
	(void)address;
	*text = malloc(WT_VALUE_DATA_MAX + 2);
	assert_non_null(*text);
	memset(*text, 'x', WT_VALUE_DATA_MAX + 1);
	(*text)[WT_VALUE_DATA_MAX + 1] = '\0';
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* What a call and the callbacks in it gave back last, and how many notices there were up to its end. */
static void check_answer(struct wt_journal *journal, enum wt_value_form form, size_t size,
			 bool of_callback, unsigned int *notices)
{
	const struct wt_journal_record *record;

	for (;;) {
		const struct wt_value *value = NULL;

		support_must(wt_journal_next(journal, &record));
		assert_non_null(record);
		*notices += record->kind == WT_JOURNAL_NOTICE &&
			    record->notice_kind == WT_NOTICE_NOT_TAKEN;
		if (record->kind == WT_JOURNAL_CALLBACK && of_callback &&
		    record->callback.input_count == 3)
			value = &record->callback.outputs[record->callback.output_count - 1];
		else if (record->kind == WT_JOURNAL_END && !of_callback)
			value = &record->end.outputs[record->end.output_count - 1];
		if (value) {
			assert_int_equal(value->form, form);
			assert_int_equal(value->size, size);
			assert_int_equal(value->number, form == WT_VALUE_PRESENT);
		}
		if (record->kind == WT_JOURNAL_END)
			return;
	}
}

/* More than the journal takes, and more than a trace takes in one piece: the recording goes on without it. */
static void long_answers_are_only_present(void **state)
{
	const char *trace = support_path("long.wtape");
	const size_t limit = WT_VALUE_DATA_MAX, most = (size_t)65 << 20;
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	const size_t answered[] = {limit, limit + 1, most, 16};
	uint8_t *buffer = calloc(1, most + 1);
	amd_dbgapi_size_t size = 4;
	struct wt_trace_info info;
	struct wt_journal *journal;
	struct wt_reader *reader;
	unsigned int notices = 0;
	char *text;

	(void)state;
	assert_non_null(buffer);
	journal_set_mode(&journal_modes[0]);
	library.api.initialize(&journal_callbacks);
	for (size_t i = 0; i < 4; i++) {
		/* The provider answers one byte fewer. */
		size = answered[i] + 1;
		library.api.read_memory((amd_dbgapi_process_id_t){1}, AMD_DBGAPI_WAVE_NONE,
					AMD_DBGAPI_LANE_NONE, (amd_dbgapi_address_space_id_t){1},
					0x1000, &size, buffer);
		assert_int_equal(size, answered[i]);
	}
	size = 4;
	library.api.disassemble_instruction((amd_dbgapi_architecture_id_t){1}, 0x1000, &size,
					    buffer, &text, NULL, long_symbolizer);
	free(text);
	support_unload(&library);
	free(buffer);
	support_must(wt_reader_open(trace, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	assert_int_equal(info.calls, 6);
	support_must(wt_journal_open(reader, &journal));
	assert_int_equal(journal_next_call(journal)->kind, WT_JOURNAL_BEGIN);
	assert_int_equal(journal_next_call(journal)->kind, WT_JOURNAL_END);
	check_answer(journal, WT_VALUE_DATA, limit, false, &notices);
	assert_int_equal(notices, 0);
	check_answer(journal, WT_VALUE_PRESENT, 0, false, &notices);
	assert_int_equal(notices, 1);
	check_answer(journal, WT_VALUE_PRESENT, 0, false, &notices);
	check_answer(journal, WT_VALUE_DATA, 16, false, &notices);
	check_answer(journal, WT_VALUE_PRESENT, 0, true, &notices);
	assert_int_equal(notices, 1);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

/* What the notices of a trace say, one after the other; @answers_ret: how many calls have an answer. */
static size_t read_notices(const char *trace, char texts[][160], size_t limit,
			   unsigned int *answers_ret)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_reader *reader;
	size_t count = 0;

	*answers_ret = 0;
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	for (;;) {
		support_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		*answers_ret += record->kind == WT_JOURNAL_END;
		if (record->kind != WT_JOURNAL_NOTICE)
			continue;
		assert_true(count < limit);
		snprintf(texts[count++], 160, "%s", record->notice);
	}
	wt_journal_close(journal);
	wt_reader_close(reader);
	return count;
}

/* Values of enumerations of a level that is not known yet: a notice names each once, and flags one by one. */
static void unknown_enumerators_are_named_once(void **state)
{
	static const char *const expected[] = {
		/* The fake answers with bytes that count up from the query's number. */
		"value 67305985 of amd_dbgapi_wave_state_t is not known: it is kept as it is",
		"flag 0x40000 of amd_dbgapi_wave_stop_reasons_t is not known: it is kept as it is",
		"flag 0x1000000 of amd_dbgapi_wave_stop_reasons_t is not known: it is kept as it "
		"is",
		"flag 0x4000000 of amd_dbgapi_wave_stop_reasons_t is not known: it is kept as it "
		"is",
		"value -99 of amd_dbgapi_status_t is not known: it is kept as it is",
	};
	const char *trace = support_path("enumerators.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	const struct wt_api *api = &library.api;
	const amd_dbgapi_wave_id_t wave = {1};
	amd_dbgapi_wave_stop_reasons_t reasons;
	amd_dbgapi_wave_state_t of_wave;
	amd_dbgapi_progress_t progress = AMD_DBGAPI_PROGRESS_NORMAL;
	char texts[16][160];
	unsigned int answers;

	(void)state;
	journal_set_mode(&journal_modes[0]);
	api->initialize(&journal_callbacks);
	for (int i = 0; i < 2; i++) {
		api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(of_wave), &of_wave);
		assert_int_equal(of_wave, 0x04030201);
		api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reasons),
				   &reasons);
		assert_int_equal(reasons, 0x05040302);
		journal_provider->status = (amd_dbgapi_status_t)-99;
		assert_int_equal(api->process_set_progress(AMD_DBGAPI_PROCESS_NONE, progress), -99);
		journal_provider->status = AMD_DBGAPI_STATUS_SUCCESS;
	}
	support_unload(&library);
	assert_int_equal(read_notices(trace, texts, 16, &answers),
			 sizeof(expected) / sizeof(*expected));
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_string_equal(texts[i], expected[i]);
	assert_int_equal(answers, 7);
}

/* Queries of a level that is not known yet: answers are kept as bytes, and a notice names each query once. */
static void unknown_queries_are_kept_as_bytes(void **state)
{
	static const uint8_t pattern[] = {0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7};
	const char *trace = support_path("unknown.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	const struct wt_journal_record *record;
	unsigned int ends = 0, notices = 0;
	struct wt_journal *journal;
	struct wt_reader *reader;
	uint8_t value[8];

	(void)state;
	journal_set_mode(&journal_modes[0]);
	library.api.initialize(&journal_callbacks);
	for (int i = 0; i < 2; i++) {
		memset(value, 0, sizeof(value));
		library.api.agent_get_info((amd_dbgapi_agent_id_t){1},
					   (amd_dbgapi_agent_info_t)FAKE_UNKNOWN_QUERY,
					   sizeof(value), value);
		assert_memory_equal(value, pattern, sizeof(value));
	}
	library.api.wave_get_info((amd_dbgapi_wave_id_t){1},
				  (amd_dbgapi_wave_info_t)FAKE_UNKNOWN_QUERY, 4, value);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	for (;;) {
		support_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		if (record->kind == WT_JOURNAL_NOTICE) {
			assert_non_null(strstr(record->notice,
					       notices++ ? "query 77 of a wave is not known"
							 : "query 77 of an agent is not known"));
			continue;
		}
		if (record->kind != WT_JOURNAL_END || !ends++)
			continue;
		assert_int_equal(record->end.outputs[0].form, WT_VALUE_DATA);
		assert_int_equal(record->end.outputs[0].size, ends == 4 ? 4 : 8);
		assert_memory_equal(record->end.outputs[0].data, pattern, ends == 4 ? 4 : 8);
	}
	assert_int_equal(ends, 4);
	assert_int_equal(notices, 2);
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
	journal_set_mode(&journal_modes[0]);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, call_often, &library.api), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	while ((record = journal_next_call(journal))) {
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

static int load_provider(void **state)
{
	support_must(wt_api_load(FAKE_LIBRARY, &direct));
	return journal_load_provider(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_function_is_forwarded_and_recorded),
		cmocka_unit_test(snapshots_change_no_answer),
		cmocka_unit_test(empty_arrays_are_told_as_null),
		cmocka_unit_test(errno_passes_in_both_directions),
		cmocka_unit_test(claimed_lengths_are_not_trusted),
		cmocka_unit_test(unknown_enumerators_are_named_once),
		cmocka_unit_test(unknown_queries_are_kept_as_bytes),
		cmocka_unit_test(long_answers_are_only_present),
		cmocka_unit_test(threads_do_not_corrupt_the_journal),
	};

	return cmocka_run_group_tests(tests, load_provider, NULL);
}
