/* SPDX-License-Identifier: MIT */
/*
 * What the library makes of a driver that fails: errors at every call, one by one, a program that dies between any two, answers and
 * save areas that contradict themselves. Calls answer by a status that is documented, and the program is never left standing.
 */
#include "tests/unit/kfd/live.h"
#include "tests/unit/share.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/* s_trap 1; s_nop; s_nop; end */
static const uint32_t stops[] = {0xbf920001, 0xbf800000, 0xbf800000, 0xbf810000};

#define ROUNDS 20 /* of asking for an event that may never come */
#define VALUES 5  /* that are put in the place of others */

/* ---- A session in which everything is done ---- */

/* What a call may answer when the driver fails or the program is gone. */
static void check(amd_dbgapi_status_t status)
{
	static const amd_dbgapi_status_t expected[] = {
		SUCCESS,
		AMD_DBGAPI_STATUS_FATAL,
		STATUS(RESTRICTION),
		STATUS(INVALID_WAVE_ID),
		STATUS(INVALID_BREAKPOINT_ID),
		STATUS(WAVE_NOT_STOPPED),
		STATUS(WAVE_NOT_RESUMABLE),
		STATUS(WAVE_OUTSTANDING_STOP),
		STATUS(WAVE_STOPPED),
		STATUS(REGISTER_NOT_AVAILABLE),
		STATUS(MEMORY_ACCESS),
		STATUS(NOT_SUPPORTED),
		STATUS(NO_WATCHPOINT_AVAILABLE),
		STATUS(INVALID_WATCHPOINT_ID),
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (status == expected[i])
			return;
	fail_msg("call %u: status %d", live_faults.calls, status);
}

/* Take what comes, until an event of a wave, or for some rounds. */
static amd_dbgapi_wave_id_t take_events(void)
{
	amd_dbgapi_wave_id_t wave = {0};

	for (int i = 0; i < ROUNDS && !wave.handle; i++) {
		amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
		amd_dbgapi_event_id_t event = {0};

		check(amd_dbgapi_process_next_pending_event(live.process, &event, &kind));
		if (!event.handle) {
			poll(NULL, 0, i < 2 ? 0 : 1);
			continue;
		}
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			check(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE,
							sizeof(wave), &wave));
		check(amd_dbgapi_event_processed(event));
	}
	return wave;
}

static void list_all(void)
{
	void *list = NULL;
	size_t count;

	check(amd_dbgapi_process_queue_list(live.process, &count, (void *)&list, NULL));
	free(list);
	list = NULL;
	check(amd_dbgapi_process_wave_list(live.process, &count, (void *)&list, NULL));
	free(list);
}

static void step_and_stop(amd_dbgapi_wave_id_t wave)
{
	uint32_t value = 1;

	check(amd_dbgapi_read_register(wave, live_register(wave, "s0"), 0, 4, &value));
	check(amd_dbgapi_write_register(wave, live_register(wave, "s0"), 0, 4, &value));
	check(amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
				     AMD_DBGAPI_EXCEPTION_NONE));
	take_events();
	check(amd_dbgapi_wave_stop(wave));
	take_events();
}

static void watch(void)
{
	amd_dbgapi_watchpoint_id_t watchpoint = {0};

	check(amd_dbgapi_set_watchpoint(live.process, 0x10000, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL,
					&watchpoint));
	check(amd_dbgapi_remove_watchpoint(watchpoint));
}

static void debug_it(uint64_t *packets)
{
	amd_dbgapi_process_id_t process = live.process;
	amd_dbgapi_wave_id_t wave;

	take_events();
	launch(&live.queue, stops, sizeof(stops) / 4);
	++*packets;
	wave = take_events();
	check(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	list_all();
	check(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
	if (wave.handle && amd_dbgapi_wave_stop(wave) == STATUS(WAVE_STOPPED))
		step_and_stop(wave);
	check(amd_dbgapi_set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	check(amd_dbgapi_process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_STOP));
	watch();
	check(amd_dbgapi_process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_NORMAL));
	list_all();
}

/* Return: how many calls of the driver were made. The program has executed all that it was given, if @completes. */
static unsigned int whole_session(uint64_t *packets, bool completes)
{
	amd_dbgapi_status_t status =
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &live.process);

	check(status);
	if (status == SUCCESS) {
		debug_it(packets);
		check(amd_dbgapi_process_detach(live.process));
	}
	live_faults.fail_at = 0;
	if (completes)
		assert_true(aql_wait(&live.queue, *packets));
	live.breakpoints = 0;
	return live_faults.calls;
}

/* ---- Errors ---- */

static void each_call_fails_once(void **state)
{
	static const int errors[] = {EIO, EPERM, EINVAL, ENOMEM, EAGAIN, ENODATA, EINTR};
	unsigned int calls, tried = 0;
	uint64_t packets = 0;

	live_begin(state, true);
	calls = whole_session(&packets, true);
	assert_true(calls > 40);
	for (unsigned int at = 1; at <= calls; at += (unsigned int)test_share(), tried++) {
		live_faults = (struct live_faults){
			.fail_at = at,
			.error = errors[at % (sizeof(errors) / sizeof(*errors))],
		};
		whole_session(&packets, true);
	}
	print_message("%u calls have failed\n", tried);
	live_end(packets);
}

/* From some call on the program is no longer there, or the driver answers nothing but errors. */
static void calls_fail_for_ever(void **state)
{
	static const int errors[] = {ESRCH, EIO};
	uint64_t packets = 0;
	unsigned int calls;

	live_begin(state, true);
	calls = whole_session(&packets, true);
	for (unsigned int at = 2; at <= calls; at += 3 * (unsigned int)test_share()) {
		live_faults = (struct live_faults){
			.fail_at = at, .error = errors[at / 3 % 2], .stays = true};
		whole_session(&packets, false);
		debug_call(&(struct debugger){.session = live.session, .target = getpid()},
			   KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
		/* Waves that were stopped then are let go by the next debugger. */
		live_faults.calls = 0;
		live_attach();
		while (take_events().handle)
			;
		live_detach();
		assert_true(aql_wait(&live.queue, packets));
	}
	live_end(packets);
}

/* ---- Answers ---- */

static enum kfd_debug_operation changed_operation;
static struct {
	size_t offset;
	uint32_t value;
} change;

/* A session ends as it can; in the next one nothing is wrong any more, and the program goes on. */
static void session_with_fault(uint64_t *packets)
{
	whole_session(packets, false);
	live_faults = (struct live_faults){0};
	live_attach();
	while (take_events().handle)
		;
	live_detach();
	assert_true(aql_wait(&live.queue, *packets));
}

static void change_answer(struct kfd_debug_trap *args)
{
	if (args->operation == (uint32_t)changed_operation)
		memcpy((uint8_t *)args + change.offset, &change.value, sizeof(change.value));
}

static void change_entry(struct kfd_debug_trap *args)
{
	if (args->operation == (uint32_t)changed_operation && args->snapshot.count)
		memcpy((uint8_t *)(uintptr_t)args->snapshot.buffer + change.offset, &change.value,
		       sizeof(change.value));
}

/* Counts and sizes without sense, and GPUs and queues that cannot be. */
static void answers_have_no_sense(void **state)
{
	static const uint32_t values[VALUES] = {0, 1, 63, 0x7fffffff, UINT32_MAX};
	static const struct {
		enum kfd_debug_operation operation;
		size_t offset;
		void (*change)(struct kfd_debug_trap *args);
	} rows[] = {
#define ANSWER(operation, field) {operation, offsetof(struct kfd_debug_trap, field), change_answer}
#define ENTRY(operation, type, field)                                                              \
	{                                                                                          \
		operation, offsetof(struct type, field), change_entry                              \
	}
		ANSWER(KFD_DEBUG_ENABLE, enable.info_size),
		ANSWER(KFD_DEBUG_DEVICE_SNAPSHOT, snapshot.count),
		ANSWER(KFD_DEBUG_DEVICE_SNAPSHOT, snapshot.entry_size),
		ANSWER(KFD_DEBUG_QUEUE_SNAPSHOT, snapshot.count),
		ANSWER(KFD_DEBUG_QUEUE_SNAPSHOT, snapshot.entry_size),
		ANSWER(KFD_DEBUG_QUERY_EVENT, query_event.queue_id),
		ANSWER(KFD_DEBUG_QUERY_EVENT, query_event.gpu_id),
		ANSWER(KFD_DEBUG_SET_WATCH, set_watch.id),
		ENTRY(KFD_DEBUG_DEVICE_SNAPSHOT, kfd_device_entry, simd_count),
		ENTRY(KFD_DEBUG_DEVICE_SNAPSHOT, kfd_device_entry, array_count),
		ENTRY(KFD_DEBUG_DEVICE_SNAPSHOT, kfd_device_entry, arrays_per_engine),
		ENTRY(KFD_DEBUG_DEVICE_SNAPSHOT, kfd_device_entry, xcc_count),
		ENTRY(KFD_DEBUG_DEVICE_SNAPSHOT, kfd_device_entry, target_version),
		ENTRY(KFD_DEBUG_DEVICE_SNAPSHOT, kfd_device_entry, capability),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, gpu_id),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, ring_size),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, type),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, save_size),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, save_address),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, read_pointer_address),
		ENTRY(KFD_DEBUG_QUEUE_SNAPSHOT, kfd_queue_entry, exceptions),
	};
	uint64_t packets = 0;

	live_begin(state, true);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t j = i % test_share(); j < VALUES; j += test_share()) {
			changed_operation = rows[i].operation;
			change.offset = rows[i].offset;
			change.value = values[j];
			live_faults = (struct live_faults){.after = rows[i].change};
			session_with_fault(&packets);
		}
	live_end(packets);
}

/* ---- Save areas ---- */

static uint32_t kept;
static bool corrupted;

static void corrupt(struct kfd_debug_trap *args)
{
	if (args->operation != KFD_DEBUG_SUSPEND_QUEUES || corrupted)
		return;
	memcpy(&kept, live.queue.save.data + change.offset, sizeof(kept));
	memcpy(live.queue.save.data + change.offset, &change.value, sizeof(change.value));
	corrupted = true;
}

/* The driver gets its own back. */
static void mend(const struct kfd_debug_trap *args)
{
	if (!corrupted ||
	    (args->operation != KFD_DEBUG_RESUME_QUEUES && args->operation != KFD_DEBUG_DISABLE))
		return;
	memcpy(live.queue.save.data + change.offset, &kept, sizeof(kept));
	corrupted = false;
}

/* Words of the head, and those of the control stack, whose place is found in a suspension without a fault. */
static void areas_contradict_themselves(void **state)
{
	static const uint32_t values[VALUES] = {0, 1, 0x40, 0x80000000, UINT32_MAX};
	uint64_t packets = 0;
	uint32_t stack;

	live_begin(state, true);
	whole_session(&packets, true);
	memcpy(&stack, live.queue.save.data, sizeof(stack));
	for (size_t word = 0; word < 10; word++)
		for (size_t j = word % test_share(); j < VALUES; j += test_share()) {
			change.offset = word < 6 ? 4 * word : stack + 4 * (word - 6);
			change.value = values[j];
			corrupted = false;
			live_faults = (struct live_faults){.before = mend, .after = corrupt};
			session_with_fault(&packets);
		}
	live_end(packets);
}

/* ---- The program dies ---- */

/* Its id may be another one's by then, of which nothing must be asked. */
static void the_program_is_killed(void **state)
{
	int status;

	live_begin(state, false);
	live.pid = fork();
	assert_true(live.pid >= 0);
	if (!live.pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(live.pid, &status, 0), live.pid);
	assert_success(
		amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &live.process));
	assert_int_equal(live_count(amd_dbgapi_process_agent_list), 1);
	kill(live.pid, SIGKILL);
	assert_int_equal(waitpid(live.pid, &status, 0), live.pid);
	take_events();
	live_faults.calls = 0;
	assert_int_equal(live_count(amd_dbgapi_process_agent_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	assert_success(
		amd_dbgapi_process_set_progress(live.process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	live_detach();
	assert_int_equal(live_faults.calls, 0);
	live_end(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_call_fails_once),  TEST(calls_fail_for_ever),
		TEST(answers_have_no_sense), TEST(areas_contradict_themselves),
		TEST(the_program_is_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
