/* SPDX-License-Identifier: MIT */
/* Events, the visible state of waves, stop and resume, over a device that does what the test says.
 */
#include "client.h"

#include "fake-device.h"

#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define TERMINATED_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
#define RUN AMD_DBGAPI_WAVE_STATE_RUN
#define STEP AMD_DBGAPI_WAVE_STATE_SINGLE_STEP
#define STOP AMD_DBGAPI_WAVE_STATE_STOP
#define NORMAL AMD_DBGAPI_RESUME_MODE_NORMAL
#define SINGLE AMD_DBGAPI_RESUME_MODE_SINGLE_STEP

static amd_dbgapi_process_id_t process;
static amd_dbgapi_wave_id_t waves[4];

static enum wt_device_progress launch_three(struct fake_device *device)
{
	fake_launch(device, 3, NULL);
	return WT_DEVICE_RUNNING;
}

static struct wt_device_wave *fake_wave(size_t index)
{
	struct wt_device_wave *all[4];

	assert_true(fake_waves(fake_device, all, 4) > index);
	return all[index];
}

static enum wt_device_progress fault_first(struct fake_device *device)
{
	fake_stop(device, fake_wave(0), AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	return WT_DEVICE_EVENT;
}

static enum wt_device_progress step_first(struct fake_device *device)
{
	fake_stop(device, fake_wave(0), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	return WT_DEVICE_EVENT;
}

static enum wt_device_progress end_first(struct fake_device *device)
{
	fake_end(device, fake_wave(0));
	return WT_DEVICE_RUNNING;
}

static enum wt_device_progress end_all(struct fake_device *device)
{
	struct wt_device_wave *wave;

	while (fake_waves(device, &wave, 1))
		fake_end(device, wave);
	return WT_DEVICE_IDLE;
}

/* A process with three running waves, stopped making progress. */
static int start(void **state)
{
	(void)state;
	client_start();
	process = client_attach_ready(1);
	fake_next_run = launch_three;
	client_expect_none(process);
	assert_int_equal(client_waves(process, waves, 4), 3);
	assert_success(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	client_drain(process);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	fake_next_run = NULL;
	return amd_dbgapi_finalize() == SUCCESS && fake_alive == 0 ? 0 : -1;
}

/* Let the device run once with @script, then hold it again. */
static void run_once(fake_script script)
{
	fake_next_run = script;
	assert_success(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
	assert_success(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
}

static void test_runtime_event_first(void **state)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	uint32_t runtime = 0;
	uint64_t wave = 0;

	(void)state;
	client_start();
	process = client_attach(1);
	assert_int_equal(client_drain(process), 1);
	event = client_next(process, &kind);
	assert_int_equal(kind, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_int_equal(event.handle, 1);
	assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
						 sizeof(runtime), &runtime));
	assert_int_equal(runtime, AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
	assert_status(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, 8, &wave),
		      STATUS(INVALID_ARGUMENT));
	/* Nothing runs before the event is processed. */
	client_expect_none(process);
	assert_int_equal(fake_runs, 0);
	client_drain(process);
	assert_success(amd_dbgapi_event_processed(event));
	assert_int_equal(client_drain(process), 1);
	client_expect_none(process);
	assert_int_equal(fake_runs, 1);
	/* idle: nobody needs to come back */
	assert_int_equal(client_drain(process), 0);
}

static void test_budget_marks_notifier(void **state)
{
	(void)state;
	client_start();
	process = client_attach_ready(1);
	client_drain(process);
	fake_next_run = launch_three;
	client_expect_none(process);
	assert_int_equal(client_drain(process), 1);
	client_expect_none(process);
	assert_int_equal(client_drain(process), 0);
}

static void test_nothing_runs_without_progress(void **state)
{
	(void)state;
	fake_next_run = fault_first;
	client_expect_none(process);
	assert_int_equal(client_wave_state(waves[0]), RUN);
	run_once(fault_first);
	client_take(process, STOP_EVENT);
	client_expect_none(process);
}

static void test_stop_is_visible_when_reported(void **state)
{
	amd_dbgapi_event_id_t event;
	uint64_t value = 7;

	(void)state;
	run_once(fault_first);
	assert_int_equal(client_drain(process), 1);
	/* it has stopped, but the client does not know yet */
	assert_int_equal(client_wave_state(waves[0]), RUN);
	assert_status(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_PC, 8, &value),
		      STATUS(WAVE_NOT_STOPPED));
	assert_status(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0, NULL),
		      STATUS(WAVE_NOT_STOPPED));
	assert_int_equal(value, 7);
	assert_success(amd_dbgapi_read_register(waves[0], client_register("pc"), 0, 8, &value));
	assert_int_equal(value, FAKE_PC);
	assert_status(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(WAVE_NOT_STOPPED));

	assert_int_equal(client_expect(process, STOP_EVENT, &event).handle, waves[0].handle);
	assert_int_equal(client_wave_state(waves[0]), STOP);
	assert_int_equal(client_stop_reason(waves[0]),
			 AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	assert_int_equal(client_pc(waves[0]), FAKE_PC);
	assert_status(amd_dbgapi_wave_stop(waves[0]), STATUS(WAVE_STOPPED));
	assert_status(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(WAVE_NOT_RESUMABLE));
	assert_success(amd_dbgapi_event_processed(event));
	assert_success(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE));
	assert_int_equal(client_wave_state(waves[0]), RUN);
	assert_status(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(WAVE_NOT_STOPPED));
	assert_int_equal(client_drain(process), 1);
}

static void test_event_states(void **state)
{
	amd_dbgapi_event_id_t event, next;
	amd_dbgapi_event_kind_t kind;
	uint64_t value;

	(void)state;
	run_once(fault_first);
	/* Events of three waves come from here on: the handle of the queued one is known
	 * beforehand. */
	assert_status(amd_dbgapi_event_processed((amd_dbgapi_event_id_t){2}),
		      STATUS(INVALID_EVENT_ID));
	event = client_next(process, &kind);
	assert_int_equal(event.handle, 2);
	assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_PROCESS, 8, &value));
	assert_int_equal(value, process.handle);
	kind = AMD_DBGAPI_EVENT_KIND_NONE;
	assert_success(
		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_KIND, sizeof(kind), &kind));
	assert_int_equal(kind, STOP_EVENT);
	assert_status(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_BREAKPOINT, 8, &value),
		      STATUS(INVALID_ARGUMENT));
	assert_status(
		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE, 4, &value),
		STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_QUEUE, 8, &value),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_event_get_info(event, (amd_dbgapi_event_info_t)99, 8, &value),
		      STATUS(INVALID_ARGUMENT));
	assert_success(amd_dbgapi_event_processed(event));
	assert_status(amd_dbgapi_event_processed(event), STATUS(INVALID_EVENT_ID));
	assert_status(
		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_KIND, sizeof(kind), &kind),
		STATUS(INVALID_EVENT_ID));
	assert_status(
		amd_dbgapi_process_next_pending_event((amd_dbgapi_process_id_t){99}, NULL, &kind),
		STATUS(INVALID_ARGUMENT));
	assert_status(
		amd_dbgapi_process_next_pending_event((amd_dbgapi_process_id_t){99}, &next, &kind),
		STATUS(INVALID_PROCESS_ID));
}

static void test_wave_stop(void **state)
{
	amd_dbgapi_event_id_t event;

	(void)state;
	assert_status(amd_dbgapi_wave_stop((amd_dbgapi_wave_id_t){99}), STATUS(INVALID_WAVE_ID));
	assert_success(amd_dbgapi_wave_stop(waves[1]));
	assert_int_equal(client_drain(process), 1);
	assert_int_equal(client_wave_state(waves[1]), RUN);
	assert_status(amd_dbgapi_wave_stop(waves[1]), STATUS(WAVE_OUTSTANDING_STOP));
	assert_int_equal(client_expect(process, STOP_EVENT, &event).handle, waves[1].handle);
	assert_int_equal(client_stop_reason(waves[1]), AMD_DBGAPI_WAVE_STOP_REASON_NONE);
	assert_status(amd_dbgapi_wave_stop(waves[1]), STATUS(WAVE_STOPPED));
	assert_success(amd_dbgapi_event_processed(event));
	client_expect_none(process);
}

/* Clients read the notifier byte by byte: any number of events leaves one. */
static void test_one_byte_for_all_events(void **state)
{
	(void)state;
	assert_success(amd_dbgapi_wave_stop(waves[0]));
	assert_success(amd_dbgapi_wave_stop(waves[1]));
	assert_success(amd_dbgapi_wave_stop(waves[2]));
	assert_int_equal(client_drain(process), 1);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(client_take(process, STOP_EVENT).handle, waves[i].handle);
}

/* The event that is there answers the request, with its own reason; there is no second one. */
static void test_wave_stop_of_a_stopped_wave(void **state)
{
	(void)state;
	run_once(fault_first);
	assert_success(amd_dbgapi_wave_stop(waves[0]));
	assert_status(amd_dbgapi_wave_stop(waves[0]), STATUS(WAVE_OUTSTANDING_STOP));
	assert_int_equal(client_take(process, STOP_EVENT).handle, waves[0].handle);
	assert_int_equal(client_stop_reason(waves[0]),
			 AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	client_expect_none(process);
	assert_success(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE));
	assert_success(amd_dbgapi_wave_stop(waves[0]));
	assert_int_equal(client_take(process, STOP_EVENT).handle, waves[0].handle);
}

static void stop_first(void)
{
	assert_success(amd_dbgapi_wave_stop(waves[0]));
	client_take(process, STOP_EVENT);
}

static void test_single_step(void **state)
{
	(void)state;
	stop_first();
	assert_success(amd_dbgapi_wave_resume(waves[0], SINGLE, AMD_DBGAPI_EXCEPTION_NONE));
	assert_int_equal(client_wave_state(waves[0]), STEP);
	run_once(step_first);
	/* the reason has the bit: still stepping, as the client sees it */
	assert_int_equal(client_wave_state(waves[0]), STEP);
	client_take(process, STOP_EVENT);
	assert_int_equal(client_wave_state(waves[0]), STOP);
	assert_int_equal(client_stop_reason(waves[0]), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
}

static void test_stop_while_stepping(void **state)
{
	(void)state;
	stop_first();
	assert_success(amd_dbgapi_wave_resume(waves[0], SINGLE, AMD_DBGAPI_EXCEPTION_NONE));
	assert_success(amd_dbgapi_wave_stop(waves[0]));
	assert_int_equal(client_take(process, TERMINATED_EVENT).handle, waves[0].handle);
	/* its command ended, the wave did not */
	assert_int_equal(client_wave_state(waves[0]), STOP);
	assert_int_equal(client_stop_reason(waves[0]), AMD_DBGAPI_WAVE_STOP_REASON_NONE);
	assert_success(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE));
}

static void test_step_over_the_end(void **state)
{
	amd_dbgapi_event_id_t event;
	uint32_t value;

	(void)state;
	stop_first();
	assert_success(amd_dbgapi_wave_resume(waves[0], SINGLE, AMD_DBGAPI_EXCEPTION_NONE));
	run_once(end_first);
	assert_int_equal(client_waves(process, NULL, 0), 2);
	assert_status(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
		      STATUS(INVALID_WAVE_ID));
	assert_int_equal(client_expect(process, TERMINATED_EVENT, &event).handle, waves[0].handle);
	assert_success(amd_dbgapi_event_processed(event));
	client_expect_none(process);
}

/* A wave that ends of its own accord ends without an event. */
static void test_end_without_command(void **state)
{
	(void)state;
	run_once(end_first);
	assert_int_equal(client_waves(process, NULL, 0), 2);
	client_expect_none(process);
}

static void test_invalid_resume(void **state)
{
	(void)state;
	stop_first();
	assert_status(amd_dbgapi_wave_resume((amd_dbgapi_wave_id_t){99},
					     (amd_dbgapi_resume_mode_t)7,
					     AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(INVALID_WAVE_ID));
	assert_status(amd_dbgapi_wave_resume(waves[0], (amd_dbgapi_resume_mode_t)7,
					     AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(INVALID_ARGUMENT));
	assert_status(
		amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_PACKET_UNSUPPORTED),
		STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_wave_resume(waves[1], (amd_dbgapi_resume_mode_t)7,
					     AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(INVALID_ARGUMENT));
	assert_int_equal(client_wave_state(waves[0]), STOP);
}

/* All waves of the queue go; who waits for one is told. */
static void test_resume_with_exception(void **state)
{
	amd_dbgapi_event_id_t event;

	(void)state;
	run_once(fault_first);
	client_take(process, STOP_EVENT);
	assert_success(amd_dbgapi_wave_stop(waves[1]));
	assert_success(amd_dbgapi_wave_resume(waves[0], SINGLE,
					      AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION));
	/* not before the device runs */
	assert_false(fake_device->aborted);
	assert_int_equal(client_waves(process, NULL, 0), 3);
	run_once(NULL);
	assert_true(fake_device->aborted);
	assert_int_equal(client_waves(process, NULL, 0), 0);
	/* in the order in which they were queued: the stop of 1 was answered at once */
	assert_int_equal(client_expect(process, STOP_EVENT, &event).handle, waves[1].handle);
	assert_success(amd_dbgapi_event_processed(event));
	assert_int_equal(client_expect(process, TERMINATED_EVENT, &event).handle, waves[0].handle);
	assert_success(amd_dbgapi_event_processed(event));
	client_expect_none(process);
}

/* An event that was made is returned; it names a wave that is gone. */
static void test_unasked_stop_of_a_killed_wave(void **state)
{
	uint32_t value;

	(void)state;
	stop_first();
	run_once(NULL);
	assert_success(amd_dbgapi_wave_resume(waves[0], NORMAL, AMD_DBGAPI_EXCEPTION_NONE));
	run_once(fault_first);
	run_once(end_all);
	assert_int_equal(client_take(process, STOP_EVENT).handle, waves[0].handle);
	assert_status(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
		      STATUS(INVALID_WAVE_ID));
	client_expect_none(process);
	assert_int_equal(client_waves(process, NULL, 0), 0);
}

/* The step is done though the client does not know: it is told of it, and the wave is gone. */
static void test_killed_after_an_unseen_step(void **state)
{
	(void)state;
	stop_first();
	assert_success(amd_dbgapi_wave_resume(waves[0], SINGLE, AMD_DBGAPI_EXCEPTION_NONE));
	run_once(step_first);
	run_once(end_all);
	assert_int_equal(client_take(process, STOP_EVENT).handle, waves[0].handle);
	client_expect_none(process);
}

/* The event was fetched before the wave ended: it can still be processed. */
static void test_end_between_report_and_processed(void **state)
{
	amd_dbgapi_event_id_t event;

	(void)state;
	run_once(fault_first);
	client_expect(process, STOP_EVENT, &event);
	run_once(end_all);
	assert_success(amd_dbgapi_event_processed(event));
	client_expect_none(process);
}

static void expect_changed(amd_dbgapi_changed_t expected, size_t expected_count)
{
	amd_dbgapi_wave_id_t *list = waves;
	amd_dbgapi_changed_t changed;
	size_t count = 99;

	assert_success(amd_dbgapi_process_wave_list(process, &count, &list, &changed));
	assert_int_equal(changed, expected);
	assert_int_equal(count, expected_count);
	/* an empty list is memory, of no bytes */
	assert_int_equal(list != NULL, expected == AMD_DBGAPI_CHANGED_YES);
	free(list);
}

static void test_changed(void **state)
{
	(void)state;
	expect_changed(AMD_DBGAPI_CHANGED_YES, 3);
	expect_changed(AMD_DBGAPI_CHANGED_NO, 0);
	run_once(end_first);
	/* without the flag: neither read nor cleared */
	assert_int_equal(client_waves(process, NULL, 0), 2);
	expect_changed(AMD_DBGAPI_CHANGED_YES, 2);
	run_once(end_all);
	expect_changed(AMD_DBGAPI_CHANGED_YES, 0);
	expect_changed(AMD_DBGAPI_CHANGED_NO, 0);
}

static void test_changed_is_not_lost_without_memory(void **state)
{
	amd_dbgapi_wave_id_t *list = waves;
	amd_dbgapi_changed_t changed = AMD_DBGAPI_CHANGED_NO;
	size_t count = 99;

	(void)state;
	client_out_of_memory = true;
	assert_status(amd_dbgapi_process_wave_list(process, &count, &list, &changed),
		      STATUS(CLIENT_CALLBACK));
	assert_int_equal(count, 99);
	assert_ptr_equal(list, waves);
	assert_int_equal(changed, AMD_DBGAPI_CHANGED_NO);
	client_out_of_memory = false;
	expect_changed(AMD_DBGAPI_CHANGED_YES, 3);
}

static void test_list_errors(void **state)
{
	amd_dbgapi_wave_id_t *list;
	size_t count;

	(void)state;
	assert_status(amd_dbgapi_process_wave_list((amd_dbgapi_process_id_t){99}, NULL, NULL, NULL),
		      STATUS(INVALID_PROCESS_ID));
	assert_status(amd_dbgapi_process_wave_list(process, NULL, &list, NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_process_wave_list(process, &count, NULL, NULL),
		      STATUS(INVALID_ARGUMENT));
	assert_success(amd_dbgapi_finalize());
	assert_status(amd_dbgapi_process_wave_list(process, &count, &list, NULL),
		      STATUS(NOT_INITIALIZED));
	client_start();
	/* all of none */
	assert_success(amd_dbgapi_process_wave_list(AMD_DBGAPI_PROCESS_NONE, &count, &list, NULL));
	assert_int_equal(count, 0);
	assert_non_null(list);
	free(list);
}

/* A wave that is created while creation is stopped waits, unseen. */
static void test_wave_creation(void **state)
{
	amd_dbgapi_wave_id_t hidden;
	uint32_t value;

	(void)state;
	expect_changed(AMD_DBGAPI_CHANGED_YES, 3);
	assert_success(
		amd_dbgapi_process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_STOP));
	run_once(launch_three);
	expect_changed(AMD_DBGAPI_CHANGED_NO, 0);
	hidden.handle = waves[2].handle + 1;
	assert_status(amd_dbgapi_wave_get_info(hidden, AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
		      STATUS(INVALID_WAVE_ID));
	assert_int_equal(fake_wave(3)->state, WT_WAVE_STOPPED);
	client_expect_none(process);
	assert_success(
		amd_dbgapi_process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_NORMAL));
	expect_changed(AMD_DBGAPI_CHANGED_YES, 6);
	assert_int_equal(client_wave_state(hidden), RUN);
	assert_int_equal(fake_wave(3)->state, WT_WAVE_RUNNING);
}

static void test_two_processes(void **state)
{
	struct fake_device *first = fake_device;
	amd_dbgapi_process_id_t other = client_attach_ready(2);
	amd_dbgapi_wave_id_t all[8];

	(void)state;
	assert_ptr_not_equal(first, fake_device);
	fake_next_run = launch_three;
	client_expect_none(other);
	assert_int_equal(client_waves(AMD_DBGAPI_PROCESS_NONE, all, 8), 6);
	assert_int_equal(all[3].handle, waves[2].handle + 1);
	assert_int_equal(client_waves(other, all, 8), 3);
	assert_success(amd_dbgapi_wave_stop(all[0]));
	client_expect_none(process);
	assert_int_equal(client_take(AMD_DBGAPI_PROCESS_NONE, STOP_EVENT).handle, all[0].handle);
	assert_success(amd_dbgapi_process_detach(other));
	assert_int_equal(client_waves(AMD_DBGAPI_PROCESS_NONE, all, 8), 3);
}

/* What the device has to say reaches the log. */
static void test_messages(void **state)
{
	(void)state;
	client_messages = 0;
	fake_device->listener.message(fake_device->listener.opaque, true, "100% new");
	assert_int_equal(client_message_level, AMD_DBGAPI_LOG_LEVEL_WARNING);
	assert_string_equal(client_message, "100% new");
	fake_device->listener.message(fake_device->listener.opaque, false, "fine");
	assert_int_equal(client_message_level, AMD_DBGAPI_LOG_LEVEL_INFO);
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	fake_device->listener.message(fake_device->listener.opaque, false, "fine");
	assert_int_equal(client_messages, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_runtime_event_first, finish),
		cmocka_unit_test_teardown(test_budget_marks_notifier, finish),
		cmocka_unit_test_setup_teardown(test_nothing_runs_without_progress, start, finish),
		cmocka_unit_test_setup_teardown(test_stop_is_visible_when_reported, start, finish),
		cmocka_unit_test_setup_teardown(test_event_states, start, finish),
		cmocka_unit_test_setup_teardown(test_wave_stop, start, finish),
		cmocka_unit_test_setup_teardown(test_one_byte_for_all_events, start, finish),
		cmocka_unit_test_setup_teardown(test_wave_stop_of_a_stopped_wave, start, finish),
		cmocka_unit_test_setup_teardown(test_single_step, start, finish),
		cmocka_unit_test_setup_teardown(test_stop_while_stepping, start, finish),
		cmocka_unit_test_setup_teardown(test_step_over_the_end, start, finish),
		cmocka_unit_test_setup_teardown(test_end_without_command, start, finish),
		cmocka_unit_test_setup_teardown(test_invalid_resume, start, finish),
		cmocka_unit_test_setup_teardown(test_resume_with_exception, start, finish),
		cmocka_unit_test_setup_teardown(test_unasked_stop_of_a_killed_wave, start, finish),
		cmocka_unit_test_setup_teardown(test_killed_after_an_unseen_step, start, finish),
		cmocka_unit_test_setup_teardown(test_end_between_report_and_processed, start,
						finish),
		cmocka_unit_test_setup_teardown(test_changed, start, finish),
		cmocka_unit_test_setup_teardown(test_changed_is_not_lost_without_memory, start,
						finish),
		cmocka_unit_test_setup_teardown(test_list_errors, start, finish),
		cmocka_unit_test_setup_teardown(test_wave_creation, start, finish),
		cmocka_unit_test_setup_teardown(test_two_processes, start, finish),
		cmocka_unit_test_setup_teardown(test_messages, start, finish),
	};

	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
