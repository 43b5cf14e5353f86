/* SPDX-License-Identifier: MIT */
/* The callbacks that the wrapped library makes: the client gets them, and the journal holds them. */
#include "tests/unit/recorder/journal.h"

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

_Static_assert(sizeof(callbacks) / sizeof(*callbacks) == FAKE_CALLBACKS,
	       "the provider makes as many");

static void check_callbacks(struct wt_reader *reader, struct wt_journal *journal, uint64_t call)
{
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
		journal_compare_values(WT_FUNCTION_PROCESS_ATTACH, "callback input",
				       expected->inputs, expected->input_count,
				       record->callback.inputs, record->callback.input_count);
		journal_compare_values(WT_FUNCTION_PROCESS_ATTACH, "callback output",
				       expected->outputs, expected->output_count,
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
	journal_set_mode(&journal_modes[0]);
	library.api.initialize(&journal_callbacks);
	library.api.process_attach((amd_dbgapi_client_process_id_t)(void *)&journal_identity,
				   &process);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	journal_next_call(journal);
	journal_next_call(journal);
	record = journal_next_call(journal);
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
	journal_set_mode(&journal_modes[0]);
	library.api.initialize(&journal_callbacks);
	library.api.process_attach(NULL, &process);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	journal_next_call(journal);
	journal_next_call(journal);
	journal_next_call(journal);
	check_callbacks(reader, journal, 2);
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
	journal_set_mode(&journal_modes[0]);
	nested_library = &library;
	library.api.initialize(&journal_callbacks);
	journal_provider->inside = call_inside;
	library.api.process_attach(NULL, &process);
	journal_provider->inside = NULL;
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	journal_next_call(journal);
	journal_next_call(journal);
	assert_int_equal(journal_next_call(journal)->begin.number, 2);
	record = journal_next_call(journal);
	assert_int_equal(record->kind, WT_JOURNAL_BEGIN);
	assert_int_equal(record->begin.number, 3);
	assert_int_equal(journal_next_call(journal)->end.number, 3);
	assert_int_equal(journal_next_call(journal)->end.number, 2);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callbacks_are_forwarded_and_recorded),
		cmocka_unit_test(callbacks_tell_all_they_carry),
		cmocka_unit_test(a_call_from_a_callback_is_a_call_of_its_own),
	};

	return cmocka_run_group_tests(tests, journal_load_provider, NULL);
}
