/* SPDX-License-Identifier: MIT */
/* Calls on /dev/kfd, right and wrong: each wrong one gets the kernel's errno, and the device goes on. */
#include "tests/unit/driver/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void the_version_is_told(void **state)
{
	struct session *session = *state;
	struct kfd_get_version version = {0};

	assert_int_equal(call(session, 0x01, &version), 0);
	assert_int_equal(version.major, 1);
	assert_true(version.minor >= 8);
}

static void unknown_calls_are_refused(void **state)
{
	struct session *session = *state;
	uint8_t argument[WT_WIRE_ARGUMENT_MAX] = {0};
	uint32_t served = 0;

	for (uint32_t number = 0; number < 256; number++) {
		uint32_t request =
			(uint32_t)_IOC(_IOC_READ | _IOC_WRITE, KFD_IOCTL_BASE, number, 0);
		int result = call_on(session->thread, WT_WIRE_KFD, request, argument, 0);

		assert_true(result == 0 || result == -EINVAL || result == -EFAULT ||
			    result == -ENODEV || result == -ENOSPC || result == -ESRCH ||
			    result == -EPERM);
		served += result == 0;
	}
	assert_true(served);
	assert_int_equal(
		call_on(session->thread, WT_WIRE_KFD, _IOC(_IOC_READ, 'x', 1, 8), argument, 8),
		-ENOTTY);
	assert_int_equal(
		call_on(session->thread, WT_WIRE_RENDER, _IOC(_IOC_READ, 'K', 1, 8), argument, 8),
		-ENOTTY);
	assert_int_equal(call_on(session->thread, WT_WIRE_RENDER, _IOC(_IOC_READ, 'd', 0x77, 8),
				 argument, 8),
			 -EINVAL);
	the_version_is_told(state);
}

static size_t count_in_log(const struct session *session, const char *what)
{
	FILE *log = fopen(session->log, "r");
	char line[512];
	size_t count = 0;

	assert_non_null(log);
	while (fgets(line, sizeof(line), log))
		count += !strcmp(line, what);
	fclose(log);
	return count;
}

/* Each is named once. One that a kernel may be built without is refused as by such a kernel, and no lack. */
static void what_is_not_there_is_named(void **state)
{
	struct session *session = *state;
	uint8_t argument[32] = {0};
	uint32_t memory_ranges = (uint32_t)_IOC(_IOC_READ | _IOC_WRITE, KFD_IOCTL_BASE, 0x20, 24);

	for (int i = 0; i < 3; i++) {
		assert_int_equal(call_on(session->thread, WT_WIRE_KFD,
					 _IOC(_IOC_READ | _IOC_WRITE, KFD_IOCTL_BASE, 0x81, 32),
					 argument, 32),
				 -EINVAL);
		assert_int_equal(call_on(session->thread, WT_WIRE_RENDER,
					 _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x77, 32), argument, 32),
				 -EINVAL);
		assert_int_equal(call_on(session->thread, WT_WIRE_KFD, memory_ranges, argument, 24),
				 -EPERM);
	}
	assert_int_equal(count_in_log(session, "not implemented: call 0x81 of /dev/kfd\n"), 1);
	assert_int_equal(count_in_log(session, "not implemented: call 0x77 of /dev/dri/renderD*\n"),
			 1);
	assert_int_equal(count_in_log(session, "not implemented: call 0x20 of /dev/kfd\n"), 0);
}

static void agents_that_are_not_there_are_refused(void **state)
{
	struct session *session = *state;
	struct kfd_acquire_vm acquire = {.gpu_id = 12345};
	struct kfd_allocate_memory allocate = {.address = PAGE, .size = PAGE};
	struct kfd_set_scratch_backing scratch = {.gpu_id = 1};
	struct kfd_set_trap_handler handler = {.gpu_id = 1};
	struct kfd_create_queue queue = {.ring_address = PAGE, .ring_size = 4096, .gpu_id = 1};

	session_acquire(session);
	assert_int_equal(call(session, 0x15, &acquire), -EINVAL);
	assert_int_equal(call(session, 0x16, &allocate), -EINVAL);
	assert_int_equal(call(session, 0x11, &scratch), -EINVAL);
	assert_int_equal(call(session, 0x13, &handler), -EINVAL);
	assert_int_equal(call(session, 0x02, &queue), -EINVAL);
}

static void memory_comes_after_acquiring(void **state)
{
	struct session *session = *state;
	struct kfd_apertures apertures = {0};
	struct kfd_get_apertures get = {.apertures = (uintptr_t)&apertures, .count = 1};
	struct kfd_allocate_memory allocate = {.address = PAGE, .size = PAGE, .flags = 1};

	assert_int_equal(call(session, 0x14, &get), 0);
	allocate.gpu_id = apertures.gpu_id;
	assert_int_equal(call(session, 0x16, &allocate), -ENODEV);
}

static void pointers_that_lead_nowhere_are_refused(void **state)
{
	struct session *session = *state;
	struct kfd_get_apertures get = {.apertures = 8, .count = 1};
	struct kfd_wait_events wait = {.events = 8, .count = 1, .timeout = 0};
	struct kfd_get_tile_config tiles = {.tiles = 8, .tile_count = 4};
	struct kfd_map_memory map = {.gpu_ids = 8, .count = 1};

	session_acquire(session);
	map.handle = session_memory(session, PAGE).handle;
	tiles.gpu_id = session->gpu_id;
	assert_int_equal(call(session, 0x14, &get), -EFAULT);
	assert_int_equal(call(session, 0x0c, &wait), -EFAULT);
	assert_int_equal(call(session, 0x12, &tiles), -EFAULT);
	assert_int_equal(call(session, 0x18, &map), -EFAULT);
}

static void handles_and_ids_out_of_range_are_refused(void **state)
{
	struct session *session = *state;
	const uint64_t numbers[] = {0, 1, 4095, 4096, UINT32_MAX, UINT64_MAX};

	session_acquire(session);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct kfd_free_memory memory = {.handle = numbers[i]};
		struct kfd_map_memory map = {.handle = numbers[i], .count = 1};
		struct kfd_event event = {.event_id = (uint32_t)numbers[i]};
		struct kfd_destroy_queue queue = {.queue_id = (uint32_t)numbers[i]};
		struct kfd_update_queue update = {.queue_id = (uint32_t)numbers[i]};

		assert_int_equal(call(session, 0x17, &memory), -EINVAL);
		assert_int_equal(call(session, 0x18, &map), -EINVAL);
		assert_int_equal(call(session, 0x19, &map), -EINVAL);
		assert_int_equal(call(session, 0x09, &event), -EINVAL);
		assert_int_equal(call(session, 0x0a, &event), -EINVAL);
		assert_int_equal(call(session, 0x0b, &event), -EINVAL);
		assert_int_equal(call(session, 0x03, &queue), -EINVAL);
		assert_int_equal(call(session, 0x07, &update), -EINVAL);
	}
}

static uint32_t make_event(struct session *session, uint32_t type, bool auto_reset)
{
	struct kfd_create_event create = {.type = type, .auto_reset = auto_reset};

	assert_int_equal(call(session, 0x08, &create), 0);
	assert_true(create.event_id && create.event_id < KFD_SIGNAL_EVENTS);
	return create.event_id;
}

static int wait_for(struct session *session, uint32_t *ids, uint32_t count, bool all,
		    uint32_t timeout, uint32_t *result_ret)
{
	struct kfd_event_data data[4] = {0};
	struct kfd_wait_events wait = {
		.events = (uintptr_t)data, .count = count, .all = all, .timeout = timeout};
	int result;

	for (uint32_t i = 0; i < count; i++)
		data[i].event_id = ids[i];
	result = call(session, 0x0c, &wait);
	*result_ret = wait.result;
	return result;
}

static void events_are_latches(void **state)
{
	struct session *session = *state;
	uint32_t ids[2] = {make_event(session, KFD_EVENT_SIGNAL, true),
			   make_event(session, KFD_EVENT_SIGNAL, false)};
	struct kfd_event event = {.event_id = ids[0]};
	uint32_t result;

	/* Nothing has happened. */
	assert_int_equal(wait_for(session, ids, 2, false, 0, &result), 0);
	assert_int_equal(result, KFD_WAIT_TIMEOUT);
	/* Signalled before the wait: it counts, once. */
	assert_int_equal(call(session, 0x0a, &event), 0);
	assert_int_equal(wait_for(session, ids, 2, true, 20, &result), 0);
	assert_int_equal(result, KFD_WAIT_TIMEOUT);
	assert_int_equal(wait_for(session, ids, 2, false, 0, &result), 0);
	assert_int_equal(result, KFD_WAIT_COMPLETE);
	assert_int_equal(wait_for(session, ids, 2, false, 0, &result), 0);
	assert_int_equal(result, KFD_WAIT_TIMEOUT);
	/* Without automatic reset it stays. */
	event.event_id = ids[1];
	assert_int_equal(call(session, 0x0a, &event), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(wait_for(session, ids + 1, 1, true, 0, &result), 0);
		assert_int_equal(result, KFD_WAIT_COMPLETE);
	}
	assert_int_equal(call(session, 0x0b, &event), 0);
	assert_int_equal(wait_for(session, ids + 1, 1, true, 10, &result), 0);
	assert_int_equal(result, KFD_WAIT_TIMEOUT);
}

static void waits_of_nothing_are_refused(void **state)
{
	struct session *session = *state;
	uint32_t none = 99, result;

	assert_int_equal(wait_for(session, &none, 1, false, 0, &result), -EINVAL);
	assert_int_equal(wait_for(session, &none, 0, false, 0, &result), -EINVAL);
}

/* A wait on one thread's connection, answered by what another thread does. */
static void a_wait_ends_when_its_event_is_gone(void **state)
{
	struct session *session = *state;
	uint32_t id = make_event(session, KFD_EVENT_SIGNAL, true);
	int other = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	struct kfd_event_data data = {.event_id = id};
	const struct kfd_wait_events wait = {
		.events = (uintptr_t)&data, .count = 1, .timeout = UINT32_MAX};
	struct wt_wire_call message = {.file = WT_WIRE_KFD,
				       .request = CALL(0x0c, struct kfd_wait_events)};
	struct kfd_event event = {.event_id = id};
	struct wt_wire_answer answer;

	assert_true(other >= 0);
	memcpy(message.argument, &wait, sizeof(wait));
	assert_int_equal(wt_wire_send(other, &message, sizeof(message)), 0);
	usleep(20000);
	assert_int_equal(call(session, 0x09, &event), 0);
	assert_int_equal(wt_wire_receive(other, &answer, sizeof(answer)), 0);
	assert_int_equal(answer.result, -EINVAL);
	close(other);
}

/* A wait that goes on has the list as it was: the program may write into it, and waits for the same events. */
static void a_wait_is_for_the_events_of_its_call(void **state)
{
	struct session *session = *state;
	struct kfd_event event = {.event_id = make_event(session, KFD_EVENT_SIGNAL, true)};
	int other = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	struct kfd_event_data data[2] = {{.event_id = event.event_id},
					 {.event_id = event.event_id}};
	const struct kfd_wait_events wait = {
		.events = (uintptr_t)data, .count = 2, .timeout = UINT32_MAX};
	struct wt_wire_call message = {.file = WT_WIRE_KFD,
				       .request = CALL(0x0c, struct kfd_wait_events)};
	struct wt_wire_answer answer;
	struct kfd_wait_events answered;

	assert_true(other >= 0);
	memcpy(message.argument, &wait, sizeof(wait));
	assert_int_equal(wt_wire_send(other, &message, sizeof(message)), 0);
	usleep(20000);
	data[0].event_id = data[1].event_id = 0;
	assert_int_equal(call(session, 0x0a, &event), 0);
	assert_int_equal(wt_wire_receive(other, &answer, sizeof(answer)), 0);
	assert_int_equal(answer.result, 0);
	memcpy(&answered, answer.argument, sizeof(answered));
	assert_int_equal(answered.result, KFD_WAIT_COMPLETE);
	close(other);
}

static void too_many_events_are_refused(void **state)
{
	struct session *session = *state;
	struct kfd_create_event create = {0};

	for (uint32_t i = 1; i < KFD_SIGNAL_EVENTS; i++)
		make_event(session, KFD_EVENT_SIGNAL, false);
	assert_int_equal(call(session, 0x08, &create), -ENOSPC);
	create.type = 9;
	assert_int_equal(call(session, 0x08, &create), -EINVAL);
}

/* What speaks another language is shut out, and only that. */
static void strangers_are_shut_out(void **state)
{
	struct session *session = *state;
	int files[WT_WIRE_FILES];
	struct wt_wire_answer answer;
	uint8_t noise[sizeof(struct wt_wire_call)];
	int other = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);

	memset(noise, 0xee, sizeof(noise));
	assert_int_equal(wt_wire_send(other, noise, 7), 0);
	assert_int_equal(wt_wire_receive(other, &answer, sizeof(answer)), -EPIPE);
	close(other);
	other = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	assert_int_equal(wt_wire_send(other, noise, sizeof(noise)), 0);
	assert_int_equal(wt_wire_receive(other, &answer, sizeof(answer)), -EPIPE);
	close(other);
	/* A process has one anchor. */
	assert_int_equal(wt_wire_connect(session->directory, WT_WIRE_ANCHOR, files, NULL), -EPIPE);
	the_version_is_told(state);
}

/* A process that dies takes what it had, and nothing else. */
static void the_dead_leave_nothing(void **state)
{
	struct session *session = *state;
	struct kfd_available_memory before = {0}, after = {0};
	int status;
	pid_t child;

	session_acquire(session);
	before.gpu_id = after.gpu_id = session->gpu_id;
	assert_int_equal(call(session, 0x23, &before), 0);
	child = fork();
	if (!child) {
		struct kfd_allocate_memory allocate = {.address = PAGE,
						       .size = 64 << 20,
						       .gpu_id = session->gpu_id,
						       .flags = KFD_MEMORY_VRAM};
		struct kfd_acquire_vm acquire = {.gpu_id = session->gpu_id};
		int files[WT_WIRE_FILES], thread;
		int anchor = wt_wire_connect(session->directory, WT_WIRE_ANCHOR, files, NULL);

		thread = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
		if (anchor < 0 || thread < 0)
			_exit(1);
		session->thread = thread;
		if (call(session, 0x15, &acquire) || call(session, 0x16, &allocate) ||
		    call(session, 0x23, &after) ||
		    after.available != before.available - allocate.size)
			_exit(2);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	for (int i = 0; i < 500 && after.available != before.available; i++) {
		assert_int_equal(call(session, 0x23, &after), 0);
		usleep(10000);
	}
	assert_int_equal(after.available, before.available);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_version_is_told),
		TEST(unknown_calls_are_refused),
		TEST(what_is_not_there_is_named),
		TEST(agents_that_are_not_there_are_refused),
		TEST(memory_comes_after_acquiring),
		TEST(pointers_that_lead_nowhere_are_refused),
		TEST(handles_and_ids_out_of_range_are_refused),
		TEST(events_are_latches),
		TEST(waits_of_nothing_are_refused),
		TEST(a_wait_ends_when_its_event_is_gone),
		TEST(a_wait_is_for_the_events_of_its_call),
		TEST(too_many_events_are_refused),
		TEST(strangers_are_shut_out),
		TEST(the_dead_leave_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
