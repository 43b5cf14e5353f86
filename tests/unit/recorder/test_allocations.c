/* SPDX-License-Identifier: MIT */
/* Memory that the client gives the library in a call, in the journal. */
#include "tests/unit/recorder/journal.h"
#include "tests/unit/share.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/*
 * The process's calls: attaches 2 to 4 and 6, of which the third has a call inside, and the last is left; questions 7 to 9; and
 * attaches 10 and 11, with a size that is long as it is written.
 */
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
	set_allocations(SIZE_MAX, 0, 0, 0);
	for (size_t i = 0; i < 2; i++)
		library->api.process_attach(NULL, &process);
	set_allocations(0, 0, 0, 0);
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
	for (uint64_t call = 10; call < 12; call++) {
		next_is(journal, WT_JOURNAL_BEGIN, call);
		skip_callbacks(journal);
		next_is_memory(reader, journal, call, SIZE_MAX);
		next_is(journal, WT_JOURNAL_END, call);
	}
	wt_journal_close(journal);
	wt_reader_close(reader);
}

/* What is said of an answer comes behind what the call did. */
static void a_notice_of_an_answer_comes_after_the_allocation(void **state)
{
	const char *trace = support_path("said.wtape");
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	amd_dbgapi_callbacks_t giving_callbacks = giving();
	const struct wt_journal_record *record;
	amd_dbgapi_wave_id_t *waves;
	amd_dbgapi_changed_t changed;
	struct wt_journal *journal;
	struct wt_reader *reader;
	size_t count;

	(void)state;
	journal_set_mode(&journal_modes[0]);
	library.api.initialize(&giving_callbacks);
	library.api.process_wave_list((amd_dbgapi_process_id_t){1}, &count, &waves, &changed);
	support_unload(&library);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_is(journal, WT_JOURNAL_BEGIN, 1);
	next_is(journal, WT_JOURNAL_END, 1);
	next_is(journal, WT_JOURNAL_BEGIN, 2);
	support_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_CALLBACK);
	/* The provider's `changed` is no value that is known. */
	support_must(wt_journal_next(journal, &record));
	assert_int_equal(record->kind, WT_JOURNAL_NOTICE);
	next_is(journal, WT_JOURNAL_END, 2);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

static void end_the_process(void)
{
	exit(0);
}

static void an_allocation_is_there_if_the_process_ends_in_its_call(void **state)
{
	const char *trace = support_path("ended.wtape");
	struct wt_journal *journal;
	struct wt_reader *reader;
	int status;
	pid_t child;

	(void)state;
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
		amd_dbgapi_callbacks_t giving_callbacks = giving();
		amd_dbgapi_process_id_t process;

		journal_set_mode(&journal_modes[0]);
		library.api.initialize(&giving_callbacks);
		set_allocations(300, 0, 0, 0);
		journal_provider->inside = end_the_process;
		library.api.process_attach(NULL, &process);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	next_is(journal, WT_JOURNAL_BEGIN, 1);
	next_is(journal, WT_JOURNAL_END, 1);
	next_is(journal, WT_JOURNAL_BEGIN, 2);
	skip_callbacks(journal);
	next_is_memory(reader, journal, 2, 300);
	wt_journal_close(journal);
	wt_reader_close(reader);
}

/* ---- A signal handler interrupts the recorder behind the client's allocation: after each of its instructions ---- */

#ifdef __x86_64__
#include "tests/unit/recorder/stepping.h"

#define STEPPED 300u /* bytes: when so many are given the steps begin */

static volatile unsigned int steps_left; /* until the handler does what it does; 0: it has */
static volatile bool steps_are_over;	 /* the library had the memory before that */
static bool handler_leaves;		 /* by longjmp(); else it makes a call */
static bool client_calls;		 /* where it gives memory, from much further down */
static sigjmp_buf before_call;

static void step(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (steps_are_over || --steps_left)
		return;
	stepping_set(context, false);
	if (handler_leaves)
		siglongjmp(before_call, 1);
	ask(nested_library);
}

__attribute__((noinline)) static void call_deep_inside(void)
{
	volatile char deeper[32768];

	deeper[0] = 0;
	call_inside();
	(void)deeper[0];
}

static void *give_and_step(size_t size)
{
	if (size != STEPPED)
		return given;
	if (client_calls)
		call_deep_inside();
	raise(SIGUSR1);
	return given;
}

static void end_steps(void)
{
	/* Also this is interrupted. */
	if (steps_left) {
		steps_are_over = true;
		raise(SIGUSR2);
	}
}

/* What is called after one that was left is called from further up, however a compiler lays out its frames. */
__attribute__((noinline)) static void attach_deeper(struct support_library *library)
{
	amd_dbgapi_process_id_t process;
	volatile char deeper[4096];

	deeper[0] = 0;
	if (!sigsetjmp(before_call, 1))
		library->api.process_attach(NULL, &process);
	(void)deeper[0];
}

/* Return: how many calls there were that could be interrupted. */
static unsigned int make_interrupted_calls(struct support_library *library)
{
	amd_dbgapi_callbacks_t giving_callbacks = giving();
	/* Instructions from one call to the next: a sanitizer adds thousands, each of them a signal. */
	unsigned int stride = test_share_is_small() ? 7 : 1, count = 0;

	journal_set_mode(&journal_modes[0]);
	nested_library = library;
	giving_callbacks.allocate_memory = give_and_step;
	library->api.initialize(&giving_callbacks);
	set_allocations(STEPPED, 0, 0, 0);
	journal_provider->inside = end_steps;
	stepping_prepare(step);
	for (steps_are_over = false; !steps_are_over;) {
		steps_left = 1 + stride * count++;
		attach_deeper(library);
		ask(library);
	}
	journal_provider->inside = NULL;
	set_allocations(0, 0, 0, 0);
	return count;
}

static enum wt_function function_of(struct wt_reader *reader, const struct wt_journal_record *begin)
{
	const char *name = wt_reader_name(reader, begin->begin.function);
	unsigned int function = 0;

	while (strcmp(name, wt_functions[function].name) != 0)
		assert_true(++function < WT_FUNCTION_COUNT);
	return (enum wt_function)function;
}

/*
 * Each call has its own allocations in it, and no others; one that was left may be without the last. Where a handler has left the
 * recorder's work in the middle, the recording ends in a call. Return: how many were made.
 */
static unsigned int check_interrupted_calls(struct wt_reader *reader, struct wt_journal *journal,
					    bool left)
{
	struct {
		uint64_t number;
		enum wt_function function;
		unsigned int allocations;
	} calls[3], *call = calls;
	const struct wt_journal_record *record;
	unsigned int attaches = 0;

	for (support_must(wt_journal_next(journal, &record)); record;
	     support_must(wt_journal_next(journal, &record))) {
		if (record->kind == WT_JOURNAL_BEGIN) {
			const enum wt_function function = function_of(reader, record);

			call = function == WT_FUNCTION_PROCESS_ATTACH ? &calls[1] : call + 1;
			assert_true(call < calls + 3);
			call->number = record->begin.number;
			call->function = function;
			call->allocations = 0;
			attaches += function == WT_FUNCTION_PROCESS_ATTACH;
		} else if (record->kind == WT_JOURNAL_CALLBACK &&
			   !strcmp(wt_reader_name(reader, record->callback.function),
				   "allocate_memory")) {
			assert_int_equal(record->callback.call, call->number);
			assert_int_equal(record->callback.inputs[0].number,
					 call->function != WT_FUNCTION_PROCESS_ATTACH
						 ? size_of_name()
					 : call->allocations ? STEPPED
							     : 40);
			call->allocations++;
		} else if (record->kind == WT_JOURNAL_END) {
			assert_int_equal(record->end.number, call->number);
			assert_int_equal(call->allocations,
					 call->function == WT_FUNCTION_PROCESS_ATTACH	   ? 2
					 : call->function == WT_FUNCTION_REGISTER_GET_INFO ? 1
											   : 0);
			call--;
		}
	}
	assert_true(left || call == calls);
	return attaches;
}

static void interrupt_allocations(const char *trace, bool leaves, bool calls)
{
	struct support_library library = support_load(FAKE_LIBRARY, trace, "journal-only");
	struct wt_journal *journal;
	struct wt_reader *reader;
	unsigned int count;

	handler_leaves = leaves;
	client_calls = calls;
	count = make_interrupted_calls(&library);
	/* A recorder that was left in its work frees nothing: what it has is a leak where it is not there any more. */
	if (leaves)
		support_keep(&library);
	else
		support_unload(&library);
	print_message("interrupted after so many instructions of %u calls\n", count - 1);
	assert_true(count > 10);
	support_must(wt_reader_open(trace, &reader));
	support_must(wt_journal_open(reader, &journal));
	if (leaves)
		assert_in_range(check_interrupted_calls(reader, journal, true), 2, count - 1);
	else
		assert_int_equal(check_interrupted_calls(reader, journal, false), count);
	wt_journal_close(journal);
	wt_reader_close(reader);
}
#else
static void interrupt_allocations(const char *trace, bool leaves, bool calls)
{
	(void)trace;
	(void)leaves;
	(void)calls;
	skip();
}
#endif

static void a_handler_may_interrupt_an_allocation(void **state)
{
	(void)state;
	interrupt_allocations(support_path("interrupted.wtape"), false, false);
	interrupt_allocations(support_path("interrupted-called.wtape"), false, true);
}

static void a_handler_may_leave_an_allocation(void **state)
{
	(void)state;
	interrupt_allocations(support_path("left.wtape"), true, false);
	interrupt_allocations(support_path("left-called.wtape"), true, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_stand_where_they_were_made),
		cmocka_unit_test(a_notice_of_an_answer_comes_after_the_allocation),
		cmocka_unit_test(an_allocation_is_there_if_the_process_ends_in_its_call),
		cmocka_unit_test(a_handler_may_interrupt_an_allocation),
		cmocka_unit_test(a_handler_may_leave_an_allocation),
	};

	return cmocka_run_group_tests(tests, journal_load_provider, NULL);
}
