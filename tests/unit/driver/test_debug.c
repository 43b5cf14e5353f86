/* SPDX-License-Identifier: MIT */
/* The debug calls: who may make them, in which order, and what of a process they tell. */
#include "tests/unit/driver/debugger.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define R_DEBUG UINT64_C(0x123456789000)
#define RUNTIME KFD_EXCEPTION(KFD_EXCEPTION_RUNTIME)
#define NEW KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW)
#define NOBODY 0x3fffffff

/* ---- Who may ---- */

/* A process that does nothing; one that opens the device says so by a byte. */
static pid_t start_child(const struct session *session, bool opens, int *ready_ret)
{
	int ready[2];
	pid_t child;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		int files[WT_WIRE_FILES];

		if (opens)
			wt_wire_connect(session->directory, WT_WIRE_ANCHOR, files, NULL);
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	*ready_ret = ready[0];
	return child;
}

static void end_child(pid_t child, int ready)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ready);
}

static void wait_ready(int ready)
{
	char byte;

	assert_int_equal(read(ready, &byte, 1), 1);
}

static void seize(pid_t child)
{
	assert_int_equal(ptrace(PTRACE_SEIZE, child, 0, 0), 0);
}

static void only_who_traces_a_process_debugs_it(void **state)
{
	struct session *session = *state;
	struct kfd_runtime_info info;
	struct debugger debugger;
	int ready;
	pid_t child = start_child(session, true, &ready);

	wait_ready(ready);
	debugger = debugger_of(session, child);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), -EPERM);
	seize(child);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	assert_int_equal(info.state, KFD_RUNTIME_DISABLED);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), -EALREADY);
	/* Whoever has stopped tracing may still let go, and nothing else. */
	kill(child, SIGSTOP);
	assert_int_equal(waitpid(child, NULL, __WALL), child);
	assert_int_equal(ptrace(PTRACE_DETACH, child, 0, 0), 0);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EVENT, &(struct kfd_debug_trap){0}),
			 -EPERM);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0}),
			 -EINVAL);
	end_child(child, ready);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0}),
			 -ESRCH);
	debugger_close(&debugger);
}

static void a_process_is_debugged_before_it_opens_the_device(void **state)
{
	struct session *session = *state;
	struct kfd_device_entry device;
	struct kfd_debug_trap args = {.snapshot = {0, (uintptr_t)&device, 1, sizeof(device)}};
	struct kfd_runtime_info info;
	struct debugger debugger;
	int ready;
	pid_t child = start_child(session, false, &ready);

	wait_ready(ready);
	debugger = debugger_of(session, child);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), -ESRCH);
	seize(child);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args), -ESRCH);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	debug_must(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args);
	assert_int_equal(args.snapshot.count, 1);
	assert_int_equal(device.target_version, 90010);
	end_child(child, ready);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EVENT, &args), -ESRCH);
	debugger_close(&debugger);
}

static void nobody_is_debugged(void **state)
{
	struct debugger debugger = debugger_of(*state, NOBODY);
	struct kfd_runtime_info info;

	for (int operation = 0; operation < KFD_DEBUG_OPERATIONS + 3; operation++)
		assert_int_equal(debug_call(&debugger, (enum kfd_debug_operation)operation,
					    &(struct kfd_debug_trap){0}),
				 -ESRCH);
	debugger.target = 0;
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), -ESRCH);
	debugger_close(&debugger);
}

/* ---- In which order ---- */

static void attaching_needs_a_notifier_and_memory(void **state)
{
	struct debugger debugger = debugger_of(*state, getpid());
	uint64_t info[3] = {7, 7, 7};
	struct kfd_debug_trap args = {.enable = {RUNTIME, (uintptr_t)info, 8, 9999}};

	assert_int_equal(debug_call(&debugger, KFD_DEBUG_ENABLE, &args), -EBADF);
	args.enable.notifier = (uint32_t)debugger.notifier[1];
	args.enable.info = 8;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_ENABLE, &args), -EFAULT);
	/* As much as there is room for, and how much there would be. */
	args.enable.info = (uintptr_t)info;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_ENABLE, &args), 0);
	assert_int_equal(args.enable.info_size, 16);
	assert_int_equal(info[0], 0);
	assert_int_equal(info[1], 7);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &args);
	debugger_close(&debugger);
}

static void operations_need_a_debugger_and_a_runtime(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_runtime_info info;

	session_acquire(session);
	for (int operation = 1; operation < KFD_DEBUG_OPERATIONS + 3; operation++)
		assert_int_equal(debug_call(&debugger, (enum kfd_debug_operation)operation,
					    &(struct kfd_debug_trap){0}),
				 -EINVAL);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	for (int operation = KFD_DEBUG_LAUNCH_OVERRIDE; operation <= KFD_DEBUG_SET_FLAGS;
	     operation++)
		assert_int_equal(debug_call(&debugger, (enum kfd_debug_operation)operation,
					    &(struct kfd_debug_trap){0}),
				 -EPERM);
	for (int operation = KFD_DEBUG_OPERATIONS; operation < 40; operation++)
		assert_int_equal(debug_call(&debugger, (enum kfd_debug_operation)operation,
					    &(struct kfd_debug_trap){0}),
				 -EINVAL);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	debugger_close(&debugger);
}

/* ---- The runtime ---- */

struct coming {
	struct session *session;
	int connection, result;
};

static void *let_runtime_come(void *opaque)
{
	struct coming *coming = opaque;

	coming->result = runtime_comes(coming->session, coming->connection, R_DEBUG);
	return NULL;
}

static void runtimes_come_once_and_before_queues(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_runtime_enable leave = {0};
	struct kfd_runtime_info info;

	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), -EBUSY);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	assert_int_equal(info.state, KFD_RUNTIME_ENABLED);
	assert_int_equal(info.r_debug, R_DEBUG);
	assert_int_equal(info.ttmps_set_up, 1);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	assert_int_equal(call(session, 0x25, &leave), 0);
	session_queue(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), -EEXIST);
	debugger_close(&debugger);
}

/* The runtime waits until the debugger has seen it come, and the event says so in two steps. */
static void a_runtime_waits_for_the_debugger(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_runtime_info info = {0};
	struct kfd_debug_trap query = {0},
			      ask = {.query_exception = {(uintptr_t)&info, 16, 0, 48, 1}};
	struct kfd_debug_trap send = {.send = {RUNTIME, KFD_ALL_ONES, KFD_ALL_ONES}};
	struct coming coming = {.session = session, .result = 1};
	pthread_t thread;

	session_acquire(session);
	coming.connection = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EVENT, &query), -EAGAIN);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EXCEPTION, &ask), -ENODATA);
	assert_int_equal(pthread_create(&thread, NULL, let_runtime_come, &coming), 0);
	assert_true(debugger_notified(&debugger));
	/* What is not asked to be cleared stays. */
	for (int i = 0; i < 2; i++) {
		query.query_event.exceptions = 0x80000000;
		debug_must(&debugger, KFD_DEBUG_QUERY_EVENT, &query);
		assert_int_equal(query.query_event.exceptions, RUNTIME);
		assert_int_equal(query.query_event.gpu_id | query.query_event.queue_id, 0);
	}
	debug_must(&debugger, KFD_DEBUG_QUERY_EXCEPTION, &ask);
	assert_int_equal(info.state, KFD_RUNTIME_ENABLED);
	assert_int_equal(info.r_debug, R_DEBUG);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EXCEPTION, &ask), -ENODATA);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EVENT, &query), -EAGAIN);
	usleep(20000);
	assert_int_equal(coming.result, 1);
	debug_must(&debugger, KFD_DEBUG_SEND_RUNTIME_EVENT, &send);
	pthread_join(thread, NULL);
	assert_int_equal(coming.result, 0);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &send);
	close(coming.connection);
	debugger_close(&debugger);
}

/* Nor does it wait for one that lets go. */
static void a_runtime_goes_on_without_its_debugger(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct coming coming = {.session = session, .result = 1};
	struct kfd_runtime_info info;
	pthread_t thread;

	coming.connection = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	assert_int_equal(pthread_create(&thread, NULL, let_runtime_come, &coming), 0);
	assert_true(debugger_notified(&debugger));
	debug_must(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	pthread_join(thread, NULL);
	assert_int_equal(coming.result, 0);
	close(coming.connection);
	debugger_close(&debugger);
}

/* ---- What there is ---- */

static void devices_are_described(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_device_entry devices[2];
	struct kfd_debug_trap args = {.snapshot = {0, (uintptr_t)devices, 0, sizeof(devices[0])}};
	struct kfd_runtime_info info;

	session_acquire(session);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	memset(devices, 0xee, sizeof(devices));
	debug_must(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args);
	assert_int_equal(args.snapshot.count, 1);
	assert_int_equal(devices[0].gpu_id, 0xeeeeeeee);
	args.snapshot.count = 2;
	debug_must(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args);
	assert_int_equal(args.snapshot.count, 1);
	assert_int_equal(args.snapshot.entry_size, 120);
	assert_int_equal(devices[0].gpu_id, session->gpu_id);
	assert_int_equal(devices[0].lds_base, UINT64_C(1) << 48);
	assert_int_equal(devices[0].scratch_base, UINT64_C(2) << 48);
	assert_true(devices[0].simd_count && devices[0].waves_per_simd && devices[0].array_count &&
		    devices[0].arrays_per_engine && devices[0].xcc_count);
	/* Watch registers, four of them; debugging; precise memory; the firmware can. */
	assert_int_equal(devices[0].capability & 0x20048f80, 0x20048280);
	assert_int_equal(devices[0].debug_properties & 0x3ff, 6 | 29 << 4);
	assert_int_equal(devices[1].gpu_id, 0xeeeeeeee);
	/* Entries may be wanted shorter, and the room for each may be larger. */
	memset(devices, 0xee, sizeof(devices));
	args.snapshot.count = 1;
	args.snapshot.entry_size = 8;
	debug_must(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args);
	assert_int_equal(devices[0].lds_base, 0xeeeeeeeeeeeeeeee);
	args.snapshot.entry_size = 0;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args), -EINVAL);
	args.snapshot.entry_size = 120;
	args.snapshot.buffer = 8;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_DEVICE_SNAPSHOT, &args), -EFAULT);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &args);
	debugger_close(&debugger);
}

/* A queue is new until a snapshot that says so has been taken of it. */
static void queues_are_new_until_they_were_seen(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_queue_entry entries[3];
	struct kfd_debug_trap args = {.snapshot = {NEW, (uintptr_t)entries, 1, sizeof(entries[0])}};
	struct kfd_runtime_info info;
	struct aql queue, other;

	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	queue = session_queue(session);
	other = session_queue(session);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 0);
	debug_must(&debugger, KFD_DEBUG_QUEUE_SNAPSHOT, &args);
	assert_int_equal(args.snapshot.count, 2);
	assert_int_equal(entries[0].exceptions, NEW);
	assert_int_equal(entries[0].queue_id, queue.id);
	assert_int_equal(entries[0].gpu_id, session->gpu_id);
	assert_int_equal(entries[0].type, KFD_QUEUE_COMPUTE_AQL);
	assert_int_equal(entries[0].ring_address, queue.ring.address);
	assert_int_equal(entries[0].write_pointer_address, queue.structure.address + 56);
	assert_int_equal(entries[0].read_pointer_address, queue.structure.address + 128);
	assert_int_equal(entries[0].save_address, queue.save.address);
	assert_int_equal(entries[0].save_size, queue.save.size - PAGE);
	/* Only what was handed out is not new any more. */
	args.snapshot.count = 3;
	debug_must(&debugger, KFD_DEBUG_QUEUE_SNAPSHOT, &args);
	assert_int_equal(args.snapshot.count, 2);
	assert_int_equal(entries[0].exceptions, 0);
	assert_int_equal(entries[1].exceptions, NEW);
	assert_int_equal(entries[1].queue_id, other.id);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &args);
	debugger_close(&debugger);
}

/* ---- What is asked of waves ---- */

static struct debugger attached_with_runtime(struct session *session)
{
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_runtime_info info;

	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
	return debugger;
}

static void detach(struct debugger *debugger)
{
	debug_must(debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	debugger_close(debugger);
}

static void launches_have_modes_and_traps(void **state)
{
	struct debugger debugger = attached_with_runtime(*state);
	struct kfd_debug_trap args = {.launch_override = {KFD_OVERRIDE_OR, 0, 0, 0}};

	debug_must(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args);
	assert_int_equal(args.launch_override.support, 0x1ff);
	assert_int_equal(args.launch_override.enable, 0);
	args.launch_override.enable = 0xff;
	args.launch_override.support = 0x81;
	debug_must(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args);
	args.launch_override.mode = KFD_OVERRIDE_REPLACE;
	args.launch_override.enable = 0;
	args.launch_override.support = 1;
	debug_must(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args);
	assert_int_equal(args.launch_override.enable, 0x81);
	args.launch_override.support = 0x200;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args), -EACCES);
	assert_int_equal(args.launch_override.support, 0x1ff);
	args.launch_override.support = 0;
	debug_must(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args);
	assert_int_equal(args.launch_override.enable, 0x80);
	args.launch_override.mode = 2;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args), -EPERM);
	for (uint32_t mode = 0; mode < 6; mode++) {
		args.launch_mode.mode = mode;
		assert_int_equal(debug_call(&debugger, KFD_DEBUG_LAUNCH_MODE, &args),
				 mode < 2 || mode == 3 ? 0 : -EINVAL);
	}
	detach(&debugger);
}

static void flags_are_given_back(void **state)
{
	struct debugger debugger = attached_with_runtime(*state);
	struct kfd_debug_trap args = {.set_flags = {KFD_FLAG_PRECISE_MEMORY, 0}};

	debug_must(&debugger, KFD_DEBUG_SET_FLAGS, &args);
	assert_int_equal(args.set_flags.flags, 0);
	args.set_flags.flags = KFD_FLAG_PRECISE_ALU;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SET_FLAGS, &args), -EACCES);
	args.set_flags.flags = 0;
	debug_must(&debugger, KFD_DEBUG_SET_FLAGS, &args);
	assert_int_equal(args.set_flags.flags, KFD_FLAG_PRECISE_MEMORY);
	detach(&debugger);
}

static void watch_registers_are_four(void **state)
{
	struct session *session = *state;
	struct debugger debugger = attached_with_runtime(session);
	const struct kfd_debug_trap watch = {
		.set_watch = {0x1000, KFD_WATCH_ALL, 0xffffffc0, session->gpu_id, 77}};
	struct kfd_debug_trap args;

	for (uint32_t i = 0; i < 4; i++) {
		args = watch;
		debug_must(&debugger, KFD_DEBUG_SET_WATCH, &args);
		assert_int_equal(args.set_watch.id, i);
	}
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SET_WATCH, &args), -ENOMEM);
	args.clear_watch.gpu_id = session->gpu_id;
	args.clear_watch.id = 2;
	debug_must(&debugger, KFD_DEBUG_CLEAR_WATCH, &args);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_CLEAR_WATCH, &args), -EINVAL);
	args.clear_watch.id = 4;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_CLEAR_WATCH, &args), -EINVAL);
	args = watch;
	debug_must(&debugger, KFD_DEBUG_SET_WATCH, &args);
	assert_int_equal(args.set_watch.id, 2);
	args = watch;
	args.set_watch.gpu_id++;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SET_WATCH, &args), -ENODEV);
	args.clear_watch.gpu_id = 1;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_CLEAR_WATCH, &args), -ENODEV);
	detach(&debugger);
}

/* Whatever is in a call, the owner is there afterwards, and serves. */
static void any_call_is_answered(void **state)
{
	struct session *session = *state;
	struct debugger debugger = attached_with_runtime(session);
	struct aql queue = session_queue(session);
	static uint8_t room[4096];
	uint64_t random = 88172645463325252u;
	struct kfd_runtime_info info;
	int served = 0;

	for (int i = 0; i < 6000; i++) {
		const uint64_t choices[] = {
			0, 1, 2, 3, queue.id, session->gpu_id, (uintptr_t)room, UINT64_MAX, 48, 31};
		struct kfd_debug_trap args;
		uint32_t words[6];

		for (size_t w = 0; w < 6; w++) {
			random ^= random << 13, random ^= random >> 7, random ^= random << 17;
			words[w] = random & 1 ? (uint32_t)(random >> 20)
					      : (uint32_t)choices[(random >> 8) % 10];
			/* Addresses mostly lie where something may be written. */
			if (w % 2 == 0 && random & 2)
				memcpy(&words[w], (const uint64_t[]){(uintptr_t)room}, 8 * (w < 5));
		}
		memcpy((uint8_t *)&args + 8, words, sizeof(words));
		served += debug_call(&debugger, (enum kfd_debug_operation)(random >> 40) % 17,
				     &args) >= 0;
		debugger_attach(&debugger, random, &info);
	}
	assert_in_range(served, 500, 6000);
	detach(&debugger);
	launch(&queue, (const uint32_t[]){0xbf810000}, 1);
	assert_true(aql_wait(&queue, 1));
}

/* What the runtimes up to ROCm 5.6 say is the same, by another call. */
static void older_runtimes_say_the_same(void **state)
{
	struct session *session = *state;

	for (uint32_t set_up = 0; set_up < 2; set_up++) {
		struct kfd_debug_trap_old args = {.address = R_DEBUG,
						  .operation = KFD_DEBUG_OLD_RUNTIME_ENABLE,
						  .data = {1, set_up}};
		struct debugger debugger = debugger_of(session, getpid());
		struct kfd_runtime_info info;

		assert_int_equal(call(session, 0x82, &args), 0);
		assert_int_equal(debugger_attach(&debugger, RUNTIME, &info), 0);
		assert_int_equal(info.r_debug, R_DEBUG);
		assert_int_equal(info.state, KFD_RUNTIME_ENABLED);
		assert_int_equal(info.ttmps_set_up, set_up);
		detach(&debugger);
		args.data[0] = 0;
		assert_int_equal(call(session, 0x82, &args), 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_who_traces_a_process_debugs_it),
		TEST(a_process_is_debugged_before_it_opens_the_device),
		TEST(nobody_is_debugged),
		TEST(attaching_needs_a_notifier_and_memory),
		TEST(operations_need_a_debugger_and_a_runtime),
		TEST(runtimes_come_once_and_before_queues),
		TEST(a_runtime_waits_for_the_debugger),
		TEST(a_runtime_goes_on_without_its_debugger),
		TEST(older_runtimes_say_the_same),
		TEST(devices_are_described),
		TEST(queues_are_new_until_they_were_seen),
		TEST(launches_have_modes_and_traps),
		TEST(flags_are_given_back),
		TEST(watch_registers_are_four),
		TEST(any_call_is_answered),
	};

	return cmocka_run_group_tests_name("debug calls", tests, NULL, NULL);
}
