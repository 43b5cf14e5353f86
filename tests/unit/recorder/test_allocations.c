/* SPDX-License-Identifier: MIT */
/* Memory that the client gives the library in a call: the journal is told of it when the call has returned, or before. */
#include "tests/unit/recorder/journal.h"

#include <setjmp.h>
#include <string.h>

static struct support_library *nested_library;

static void call_inside(void)
{
	uint32_t value;

	nested_library->api.wave_get_info((amd_dbgapi_wave_id_t){9}, AMD_DBGAPI_WAVE_INFO_STATE,
					  sizeof(value), &value);
}

#define NO_MEMORY 77u /* bytes that the client has not */

static uint8_t given[64]; /* what it gives: nothing that would have to be freed */

static void *give(size_t size)
{
	return size == NO_MEMORY ? NULL : given;
}

static void take_back(void *memory)
{
	assert_true(memory == given);
}

static amd_dbgapi_callbacks_t giving(void)
{
	amd_dbgapi_callbacks_t client = journal_callbacks;

	client.allocate_memory = give;
	client.deallocate_memory = take_back;
	return client;
}

/* Notices are not what is tested. */
static const struct wt_journal_record *next_record(struct wt_journal *journal)
{
	const struct wt_journal_record *record;

	do
		support_must(wt_journal_next(journal, &record));
	while (record && record->kind == WT_JOURNAL_NOTICE);
	assert_non_null(record);
	return record;
}

static void next_is(struct wt_journal *journal, enum wt_journal_kind kind, uint64_t call)
{
	const struct wt_journal_record *record = next_record(journal);

	assert_int_equal(record->kind, kind);
	assert_int_equal(kind == WT_JOURNAL_BEGIN ? record->begin.number : record->end.number,
			 call);
}

static void next_is_memory(struct wt_reader *reader, struct wt_journal *journal, uint64_t call,
			   size_t size)
{
	const struct wt_journal_record *record = next_record(journal);

	assert_int_equal(record->kind, WT_JOURNAL_CALLBACK);
	assert_int_equal(record->callback.call, call);
	assert_string_equal(wt_reader_name(reader, record->callback.function), "allocate_memory");
	assert_int_equal(record->callback.input_count, 1);
	assert_int_equal(record->callback.inputs[0].form, WT_VALUE_NUMBER);
	assert_int_equal(record->callback.inputs[0].number, size);
	assert_int_equal(record->callback.output_count, 0);
	assert_int_equal(record->callback.result, size != NO_MEMORY);
}

/* The end of a process_attach, whose other callbacks are tested in test_callbacks.c. */
static void skip_callbacks(struct wt_journal *journal)
{
	for (size_t i = 0; i < FAKE_CALLBACKS; i++)
		assert_int_equal(next_record(journal)->kind, WT_JOURNAL_CALLBACK);
}

static void set_allocations(size_t first, size_t second, size_t third, size_t fourth)
{
	const size_t sizes[] = {first, second, third, fourth};

	memcpy(journal_provider->allocations, sizes, sizeof(sizes));
}

static jmp_buf outside;

static void leave(void)
{
	longjmp(outside, 1);
}

static void ask(struct support_library *library)
{
	char *name = NULL;

	library->api.register_get_info((amd_dbgapi_register_id_t){4}, AMD_DBGAPI_REGISTER_INFO_NAME,
				       sizeof(name), &name);
	assert_true((uint8_t *)name == given);
}

/* Of the provider's text. */
static size_t size_of_name(void)
{
	return strlen((const char *)given) + 1;
}

/* The process's calls: attaches 2 to 4 and 6, of which the third has a call inside, and the last is left; questions 7 to 9. */
static void make_calls(struct support_library *library)
{
	amd_dbgapi_callbacks_t giving_callbacks = giving();
	amd_dbgapi_process_id_t process;

	journal_set_mode(&journal_modes[0]);
	nested_library = library;
	library->api.initialize(&giving_callbacks);
	set_allocations(8, 8, NO_MEMORY, 5000);
	library->api.process_attach(NULL, &process);
	set_allocations(NO_MEMORY, 0, 0, 0);
	library->api.process_attach(NULL, &process);
	set_allocations(300, 0, 0, 0);
	journal_provider->inside = call_inside;
	library->api.process_attach(NULL, &process);
	journal_provider->inside = leave;
	if (!setjmp(outside))
		library->api.process_attach(NULL, &process);
	journal_provider->inside = NULL;
	set_allocations(0, 0, 0, 0);
	for (size_t i = 0; i < 3; i++)
		ask(library);
}

static void allocations_stand_where_they_were_made(void **state)
{
	const char *trace = support_path("allocations.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	struct wt_journal *journal;
	struct wt_reader *reader;

	(void)state;
	make_calls(&library);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_is(journal, WT_JOURNAL_BEGIN, 1);
	next_is(journal, WT_JOURNAL_END, 1);
	next_is(journal, WT_JOURNAL_BEGIN, 2);
	skip_callbacks(journal);
	next_is_memory(reader, journal, 2, 8);
	next_is_memory(reader, journal, 2, 8);
	next_is_memory(reader, journal, 2, NO_MEMORY);
	next_is_memory(reader, journal, 2, 5000);
	next_is(journal, WT_JOURNAL_END, 2);
	next_is(journal, WT_JOURNAL_BEGIN, 3);
	skip_callbacks(journal);
	next_is_memory(reader, journal, 3, NO_MEMORY);
	next_is(journal, WT_JOURNAL_END, 3);
	next_is(journal, WT_JOURNAL_BEGIN, 4);
	skip_callbacks(journal);
	next_is_memory(reader, journal, 4, 300);
	next_is(journal, WT_JOURNAL_BEGIN, 5);
	next_is(journal, WT_JOURNAL_END, 5);
	next_is(journal, WT_JOURNAL_END, 4);
	next_is(journal, WT_JOURNAL_BEGIN, 6);
	skip_callbacks(journal);
	next_is_memory(reader, journal, 6, 300);
	for (uint64_t call = 7; call < 10; call++) {
		next_is(journal, WT_JOURNAL_BEGIN, call);
		next_is_memory(reader, journal, call, size_of_name());
		next_is(journal, WT_JOURNAL_END, call);
	}
	wt_journal_close(journal);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_stand_where_they_were_made),
	};

	return cmocka_run_group_tests(tests, journal_load_provider, NULL);
}
