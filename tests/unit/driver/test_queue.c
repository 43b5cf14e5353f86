/* SPDX-License-Identifier: MIT */
/* AQL queues without a runtime: barriers, signals, a kernel of a few words, and packets that are none. */
#include "tests/unit/driver/support.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SIGNAL_SIZE 64
#define AT_VALUE 8
#define BARRIER_AND 3
#define BARRIER_OR 5
#define DISPATCH 2
#define SYSTEM (2 << 9 | 2 << 11 | 1 << 8) /* scopes, and the barrier bit */

/* A signal in the queue's room, by number. */
static uint64_t signal_at(const struct aql *queue, size_t n)
{
	return queue->room.address + n * SIGNAL_SIZE;
}

static int64_t *value_of(const struct aql *queue, size_t n)
{
	return (int64_t *)(void *)(queue->room.data + n * SIGNAL_SIZE + AT_VALUE);
}

static void put(uint8_t *packet, size_t offset, const void *value, size_t size)
{
	memcpy(packet + offset, value, size);
}

static void submit_barrier(struct aql *queue, uint8_t type, const size_t *on, size_t count,
			   size_t completion)
{
	uint8_t *packet = aql_next(queue);
	uint64_t signal = signal_at(queue, completion);

	put(packet, 56, &signal, 8);
	for (size_t i = 0; i < count; i++) {
		signal = signal_at(queue, on[i]);
		put(packet, 8 + 8 * i, &signal, 8);
	}
	aql_submit(queue, type | SYSTEM);
}

static void barriers_wait_for_their_signals(void **state)
{
	struct session *session = *state;
	const size_t both[] = {1, 2};
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	for (size_t i = 0; i < 5; i++)
		*value_of(&queue, i) = 1;
	submit_barrier(&queue, BARRIER_AND, NULL, 0, 0);
	assert_true(aql_wait(&queue, 1));
	assert_int_equal(*value_of(&queue, 0), 0);
	submit_barrier(&queue, BARRIER_OR, both, 2, 3);
	submit_barrier(&queue, BARRIER_AND, both, 2, 4);
	__atomic_store_n(value_of(&queue, 2), 0, __ATOMIC_SEQ_CST);
	assert_true(aql_wait(&queue, 2));
	assert_int_equal(*value_of(&queue, 3), 0);
	assert_int_equal(*value_of(&queue, 4), 1);
	__atomic_store_n(value_of(&queue, 1), 0, __ATOMIC_SEQ_CST);
	assert_true(aql_wait(&queue, 3));
	assert_int_equal(*value_of(&queue, 4), 0);
	/* A packet that is done is invalid again. */
	assert_int_equal(queue.ring.data[0], 1);
}

/* A packet of the runtime's that waits for what a signal's value is. */
static void submit_value(struct aql *queue, uint32_t condition, int64_t value, size_t completion)
{
	uint8_t *packet = aql_next(queue);
	const uint64_t on = signal_at(queue, 1), done = signal_at(queue, completion);
	const int64_t mask = 0xff;
	const uint8_t format = 2;

	put(packet, 2, &format, 1);
	put(packet, 8, &on, 8);
	put(packet, 16, &value, 8);
	put(packet, 24, &mask, 8);
	put(packet, 32, &condition, 4);
	put(packet, 56, &done, 8);
	aql_submit(queue, SYSTEM);
}

static void barriers_wait_for_a_value(void **state)
{
	/* What is waited for, and a value of the signal with which that is so. */
	static const struct {
		uint32_t condition;
		int64_t value, met;
	} rows[] = {{0, 7, 0x107}, {1, 7, 6}, {2, 5, 4}, {3, 9, 9}};
	struct session *session = *state;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	for (uint64_t i = 0; i < 4; i++) {
		*value_of(&queue, 2) = 1;
		__atomic_store_n(value_of(&queue, 1), (int64_t[]){8, 7, 5, 8}[i], __ATOMIC_SEQ_CST);
		submit_value(&queue, rows[i].condition, rows[i].value, 2);
		/* Behind it is one that is done at once, but not before it. */
		submit_barrier(&queue, BARRIER_AND, NULL, 0, 3);
		usleep(20000);
		assert_int_equal(*value_of(&queue, 2), 1);
		__atomic_store_n(value_of(&queue, 1), rows[i].met, __ATOMIC_SEQ_CST);
		assert_true(aql_wait(&queue, 2 * i + 2));
		assert_int_equal(*value_of(&queue, 2), 0);
	}
}

/* s_load_dwordx2 s[2:3], s[0:1], 0; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; s_waitcnt; global_store v1, v2, s[2:3]; end */
static const uint32_t program[] = {
	0xc0060080, 0x00000000, 0x24020082, 0x7e040287,
	0xbf8c0000, 0xdc708000, 0x00020201, 0xbf810000,
};

#define AT_KERNEL 4096
#define AT_ARGUMENTS 8192
#define AT_RESULTS 12288

/* A kernel that stores 7 for each work-item, and a packet that launches it. */
static uint8_t *write_kernel(struct aql *queue)
{
	uint8_t *descriptor = queue->room.data + AT_KERNEL, *packet = aql_next(queue);
	uint64_t entry = 256, results = queue->room.address + AT_RESULTS;
	uint64_t kernel = queue->room.address + AT_KERNEL, signal = signal_at(queue, 0);
	uint64_t arguments = queue->room.address + AT_ARGUMENTS;
	const uint32_t rsrc1 = 1 | 2 << 6, rsrc2 = 2 << 1, rsrc3 = 1, one = 1, items = 64;
	const uint16_t properties = 1 << 3, dimensions = 1, group = 64, flat = 1;

	memset(descriptor, 0, 64);
	memcpy(descriptor + 16, &entry, 8);
	memcpy(descriptor + 44, &rsrc3, 4);
	memcpy(descriptor + 48, &rsrc1, 4);
	memcpy(descriptor + 52, &rsrc2, 4);
	memcpy(descriptor + 56, &properties, 2);
	memcpy(descriptor + 256, program, sizeof(program));
	memcpy(queue->room.data + AT_ARGUMENTS, &results, 8);
	put(packet, 2, &dimensions, 2);
	put(packet, 4, &group, 2);
	put(packet, 6, &flat, 2);
	put(packet, 8, &flat, 2);
	put(packet, 12, &items, 4);
	put(packet, 16, &one, 4);
	put(packet, 20, &one, 4);
	put(packet, 32, &kernel, 8);
	put(packet, 40, &arguments, 8);
	put(packet, 56, &signal, 8);
	return packet;
}

static void a_kernel_is_executed(void **state)
{
	struct session *session = *state;
	struct aql queue;
	uint32_t results[64];

	session_acquire(session);
	queue = session_queue(session);
	*value_of(&queue, 0) = 1;
	write_kernel(&queue);
	aql_submit(&queue, DISPATCH | SYSTEM);
	assert_true(aql_wait(&queue, 1));
	assert_int_equal(*value_of(&queue, 0), 0);
	memcpy(results, queue.room.data + AT_RESULTS, sizeof(results));
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(results[i], 7);
}

/* What the queue's save area says where to tell exceptions. */
static uint64_t *exceptions_of(const struct aql *queue)
{
	uint64_t at = queue->save.address + queue->save.size - PAGE;

	memcpy(queue->save.data + 24, &at, sizeof(at));
	return (uint64_t *)(void *)(queue->save.data + queue->save.size - PAGE);
}

static bool wait_for_word(const uint64_t *word)
{
	for (int i = 0; i < 20000; i++) {
		if (__atomic_load_n(word, __ATOMIC_ACQUIRE))
			return true;
		usleep(1000);
	}
	return false;
}

/* Each packet is wrong in one way, and each fails its own queue: another one goes on. */
static void wrong_packets_fail_their_queue(void **state)
{
	struct session *session = *state;
	const uint64_t nowhere = 0x1000;
	const uint32_t zero = 0, much = 1 << 20;
	const uint16_t large = 2000;
	const struct {
		size_t offset, size;
		const void *value;
		uint16_t type;
		uint64_t exception;
	} wrong[] = {
		{12, 4, &zero, DISPATCH, UINT64_C(1) << 15},
		{28, 4, &much, DISPATCH, UINT64_C(1) << 16},
		{32, 8, &nowhere, DISPATCH, UINT64_C(1) << 17},
		{4, 2, &large, DISPATCH, UINT64_C(1) << 19},
		{0, 0, NULL, 77, UINT64_C(1) << 21},
		{40, 8, &nowhere, DISPATCH, UINT64_C(1) << 4},
	};

	session_acquire(session);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct aql queue = session_queue(session);
		uint64_t *exceptions = exceptions_of(&queue);
		struct kfd_destroy_queue destroy = {.queue_id = queue.id};
		uint8_t *packet = write_kernel(&queue);

		memcpy(packet + wrong[i].offset, wrong[i].value ? wrong[i].value : &zero,
		       wrong[i].size);
		aql_submit(&queue, wrong[i].type | SYSTEM);
		assert_true(wait_for_word(exceptions));
		assert_int_equal(*exceptions, wrong[i].exception);
		assert_int_equal(*(uint64_t *)(void *)(queue.structure.data + 0x80), 0);
		assert_int_equal(call(session, 0x03, &destroy), 0);
		assert_int_equal(call(session, 0x03, &destroy), -EINVAL);
	}
	a_kernel_is_executed(state);
}

/* A kernel that waits by global wave sync, for itself alone, runs where the queue has been given it, and stops where not. */
static void global_wave_sync_is_of_one_queue(void **state)
{
	static const uint32_t barrier[] = {0xd93b0000, 0x00000002,
					   0xbf810000}; /* ds_gws_barrier v2 gds; end */
	struct session *session = *state;
	struct kfd_allocate_sync give = {.count = 64}, other = {.count = 64};
	struct aql with, without;
	uint64_t *exceptions;

	session_acquire(session);
	with = session_queue(session);
	without = session_queue(session);
	exceptions = exceptions_of(&without);
	give.queue_id = with.id;
	other.queue_id = without.id;
	assert_int_equal(call(session, 0x1e, &give), 0);
	assert_int_equal(give.first, 0);
	assert_int_equal(call(session, 0x1e, &give), -EBUSY);
	assert_int_equal(call(session, 0x1e, &other), -EBUSY);
	other.count = 0;
	assert_int_equal(call(session, 0x1e, &other), -EINVAL);
	other.queue_id = 12345;
	assert_int_equal(call(session, 0x1e, &other), -EINVAL);
	for (struct aql *queue = &with;; queue = &without) {
		write_kernel(queue);
		memcpy(queue->room.data + AT_KERNEL + 256 + sizeof(program) - 4, barrier,
		       sizeof(barrier));
		aql_submit(queue, DISPATCH | SYSTEM);
		if (queue == &without)
			break;
		assert_true(aql_wait(queue, 1));
	}
	assert_true(wait_for_word(exceptions));
	assert_int_equal(*exceptions, UINT64_C(1) << 3);
	give.count = 0;
	assert_int_equal(call(session, 0x1e, &give), 0);
	assert_int_equal(call(session, 0x1e, &give), -EINVAL);
}

static uint32_t make_event(struct session *session, uint32_t type)
{
	struct kfd_create_event event = {.type = type, .auto_reset = type == KFD_EVENT_SIGNAL};

	assert_int_equal(call(session, 0x08, &event), 0);
	return event.event_id;
}

/* The memory's event comes first: the queue's exception follows when a wait has returned it. */
static void a_violation_is_told_by_its_memory_first(void **state)
{
	struct session *session = *state;
	const uint64_t nowhere = 0x1000;
	struct kfd_event_data data = {0};
	struct kfd_wait_events wait = {.events = (uintptr_t)&data, .count = 1, .timeout = 20000};
	uint64_t *exceptions;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	exceptions = exceptions_of(&queue);
	data.event_id = make_event(session, KFD_EVENT_MEMORY);
	put(write_kernel(&queue), 40, &nowhere, sizeof(nowhere));
	aql_submit(&queue, DISPATCH | SYSTEM);
	usleep(200000);
	assert_int_equal(__atomic_load_n(exceptions, __ATOMIC_ACQUIRE), 0);
	assert_int_equal(call(session, 0x0c, &wait), 0);
	assert_int_equal(wait.result, KFD_WAIT_COMPLETE);
	assert_int_equal(data.memory.address, nowhere);
	assert_true(wait_for_word(exceptions));
	assert_int_equal(*exceptions, UINT64_C(1) << 4);
}

static volatile sig_atomic_t aborts;

static void note_abort(int number)
{
	(void)number;
	aborts++;
}

/* A program of which no thread comes to wait for the violation would stand for ever. */
static void a_program_that_does_not_hear_is_ended(void **state)
{
	struct session *session = *state;
	const uint64_t nowhere = 0x1000;
	struct sigaction noted = {.sa_handler = note_abort}, before;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	make_event(session, KFD_EVENT_MEMORY);
	put(write_kernel(&queue), 40, &nowhere, sizeof(nowhere));
	assert_int_equal(sigaction(SIGABRT, &noted, &before), 0);
	aql_submit(&queue, DISPATCH | SYSTEM);
	for (int i = 0; i < 600 && !aborts; i++)
		usleep(100000);
	sigaction(SIGABRT, &before, NULL);
	assert_int_equal(aborts, 1);
}

/* An access that begins in a page that is there is told by the page in which it fails. */
static void a_violation_names_the_page_that_is_missing(void **state)
{
	struct session *session = *state;
	struct kfd_event_data data = {0};
	struct kfd_wait_events wait = {.events = (uintptr_t)&data, .count = 1, .timeout = 20000};
	uint64_t end, edge;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	end = queue.room.address + queue.room.size;
	edge = end - 4;
	data.event_id = make_event(session, KFD_EVENT_MEMORY);
	put(write_kernel(&queue), 40, &edge, sizeof(edge));
	aql_submit(&queue, DISPATCH | SYSTEM);
	assert_int_equal(call(session, 0x0c, &wait), 0);
	assert_int_equal(wait.result, KFD_WAIT_COMPLETE);
	assert_int_equal(data.memory.address, end);
	assert_int_equal(data.memory.not_present, 1);
}

/* Another thread of the program, which waits for an event and for memory violations. */
struct listener {
	struct kfd_event_data data[2];
	bool looks_away; /* it waits for the first alone */
	int connection;
};

static void listener_wait(struct listener *listener)
{
	const struct kfd_wait_events wait = {
		.events = (uintptr_t)listener->data,
		.count = listener->looks_away ? 1 : 2,
		.timeout = UINT32_MAX,
	};
	struct wt_wire_call message = {.file = WT_WIRE_KFD,
				       .request = CALL(0x0c, struct kfd_wait_events)};

	memcpy(message.argument, &wait, sizeof(wait));
	assert_int_equal(wt_wire_send(listener->connection, &message, sizeof(message)), 0);
	usleep(20000);
}

static bool listener_wakes(const struct listener *listener, int milliseconds)
{
	struct pollfd poll_for = {.fd = listener->connection, .events = POLLIN};
	struct wt_wire_answer answer;

	if (poll(&poll_for, 1, milliseconds) != 1)
		return false;
	assert_int_equal(wt_wire_receive(listener->connection, &answer, sizeof(answer)), 0);
	assert_int_equal(answer.result, 0);
	return true;
}

/* One that has waited for a signal and for memory violations, and was woken by the signal. */
static struct listener listener_start(struct session *session, struct kfd_event *signal)
{
	struct listener listener = {
		.data = {{.event_id = signal->event_id},
			 {.event_id = make_event(session, KFD_EVENT_MEMORY)}},
		.connection = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL),
	};

	listener_wait(&listener);
	assert_int_equal(call(session, 0x0a, signal), 0);
	assert_true(listener_wakes(&listener, 5000));
	return listener;
}

static void queue_run_forever(struct aql *queue)
{
	const uint32_t forever[] = {0xbf82ffff}; /* s_branch to itself */

	write_kernel(queue);
	memcpy(queue->room.data + AT_KERNEL + 256, forever, sizeof(forever));
	aql_submit(queue, DISPATCH | SYSTEM);
	usleep(100000);
}

/* What wakes it is put off while a kernel runs, and not longer: here until its queue is gone, or there is none that works. */
static void a_listener_sleeps_while_a_kernel_runs(void **state)
{
	struct session *session = *state;
	struct kfd_destroy_queue destroy;
	struct listener listener;
	struct kfd_event event;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	event.event_id = make_event(session, KFD_EVENT_SIGNAL);
	listener = listener_start(session, &event);
	listener_wait(&listener);
	queue_run_forever(&queue);
	assert_int_equal(call(session, 0x0a, &event), 0);
	assert_false(listener_wakes(&listener, 200));
	destroy.queue_id = queue.id;
	assert_int_equal(call(session, 0x03, &destroy), 0);
	assert_true(listener_wakes(&listener, 5000));
	close(listener.connection);
}

/* Calls in which it waits for no violation, as those of a callback, end as those of any other thread. */
static void a_listener_wakes_from_other_calls(void **state)
{
	struct session *session = *state;
	struct kfd_destroy_queue destroy;
	struct listener listener;
	struct kfd_event event;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	event.event_id = make_event(session, KFD_EVENT_SIGNAL);
	listener = listener_start(session, &event);
	queue_run_forever(&queue);
	listener.looks_away = true;
	listener_wait(&listener);
	assert_int_equal(call(session, 0x0a, &event), 0);
	assert_true(listener_wakes(&listener, 5000));
	destroy.queue_id = queue.id;
	assert_int_equal(call(session, 0x03, &destroy), 0);
	close(listener.connection);
}

/* The program wakes it while it is on its way back to its call: it sleeps there as if it had been back. What the device signals comes through. */
static void a_listener_that_comes_back_sleeps_too(void **state)
{
	struct session *session = *state;
	struct kfd_create_event first = {.type = KFD_EVENT_SIGNAL, .auto_reset = 1};
	struct kfd_destroy_queue destroy;
	struct listener listener;
	struct kfd_event event;
	struct memory page;
	struct aql queue;

	session_acquire(session);
	page = session_memory(session, KFD_SIGNAL_EVENTS * sizeof(uint64_t));
	first.page_offset = page.handle;
	assert_int_equal(call(session, 0x08, &first), 0);
	event.event_id = first.event_id;
	queue = session_queue(session);
	listener = listener_start(session, &event);
	queue_run_forever(&queue);
	assert_int_equal(call(session, 0x0a, &event), 0);
	listener_wait(&listener);
	assert_false(listener_wakes(&listener, 200));
	/* The device does the same. */
	__atomic_store_n((uint64_t *)(void *)page.data + event.event_id, event.event_id,
			 __ATOMIC_SEQ_CST);
	assert_true(listener_wakes(&listener, 5000));
	__atomic_store_n((uint64_t *)(void *)page.data + event.event_id, event.event_id,
			 __ATOMIC_SEQ_CST);
	usleep(100000);
	assert_int_equal(call(session, 0x0a, &event), 0);
	listener_wait(&listener);
	assert_true(listener_wakes(&listener, 0));
	destroy.queue_id = queue.id;
	assert_int_equal(call(session, 0x03, &destroy), 0);
	close(listener.connection);
}

/*
 * Four workgroups of one wave each add to one word 32 times, and store what they have made of its values by their number:
 * s_load s[4:5]; one lane; loop: global_atomic_add v3; v4 = 31 * v4 + v3; store v4 at 64 + 4 * workgroup.
 */
static const uint32_t counts[] = {
	0xc0060100, 0x00000000, 0xbefe0181, 0x7e020280, 0x7e040281, 0x7e080280,
	0x7e0a029f, 0xb0060020, 0xbf8cc07f, 0xdd098000, 0x03040201, 0xbf8c0f70,
	0xd2850004, 0x00020b04, 0x68080704, 0x80868106, 0xbf078006, 0xbf85fff7,
	0x8e078202, 0x7e020207, 0xdc708040, 0x00040401, 0xbf810000,
};

/* What the order of the workgroups' turns is, as far as they see it. */
static uint64_t order_with(uint64_t seed)
{
	const uint32_t rsrc2 = 2 << 1 | 1 << 7, items = 256;
	struct session *session;
	uint64_t order = 0;
	struct aql queue;
	void *state;

	session_start_with(&state, "gfx90a", seed);
	session = state;
	session_acquire(session);
	queue = session_queue(session);
	put(write_kernel(&queue), 12, &items, 4);
	memcpy(queue.room.data + AT_KERNEL + 52, &rsrc2, 4);
	memcpy(queue.room.data + AT_KERNEL + 256, counts, sizeof(counts));
	aql_submit(&queue, DISPATCH | SYSTEM);
	assert_true(aql_wait(&queue, 1));
	assert_int_equal(*(uint32_t *)(void *)(queue.room.data + AT_RESULTS), 128);
	for (size_t i = 0; i < 4; i++) {
		uint32_t seen;

		memcpy(&seen, queue.room.data + AT_RESULTS + 64 + 4 * i, sizeof(seen));
		order = order * 31 + seen;
	}
	session_end(&state);
	return order;
}

static void a_seed_fixes_the_order(void **state)
{
	uint64_t orders[4];

	(void)state;
	for (uint64_t seed = 0; seed < 4; seed++) {
		orders[seed] = order_with(seed);
		assert_int_equal(order_with(seed), orders[seed]);
		for (uint64_t other = 0; other < seed; other++)
			assert_int_not_equal(orders[other], orders[seed]);
	}
}

static void wrong_queues_are_refused(void **state)
{
	struct session *session = *state;
	struct kfd_create_queue right, wrong;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	right = (struct kfd_create_queue){
		.ring_address = queue.ring.address,
		.write_pointer_address = queue.structure.address + 0x38,
		.read_pointer_address = queue.structure.address + 0x80,
		.ring_size = 4096,
		.gpu_id = session->gpu_id,
		.type = KFD_QUEUE_COMPUTE_AQL,
		.percentage = 100,
	};
#define REFUSED(field, value, error)                                                               \
	wrong = right;                                                                             \
	wrong.field = value;                                                                       \
	assert_int_equal(call(session, 0x02, &wrong), error)
	REFUSED(ring_size, 100, -EINVAL);
	REFUSED(ring_size, 0, -EINVAL);
	REFUSED(ring_address, 0, -EINVAL);
	REFUSED(percentage, 101, -EINVAL);
	REFUSED(priority, 16, -EINVAL);
	REFUSED(type, KFD_QUEUE_COMPUTE, -EINVAL);
	REFUSED(type, 9, -EINVAL);
	REFUSED(write_pointer_address, 3, -EFAULT);
	REFUSED(gpu_id, 0, -EINVAL);
}

/* A queue that has no share of the device, or no ring, does nothing until it is let go on. */
static void a_stopped_queue_waits(void **state)
{
	struct session *session = *state;
	struct aql queue;

	session_acquire(session);
	queue = session_queue(session);
	for (uint32_t i = 0; i < 3; i++) {
		struct kfd_update_queue update = {
			.ring_address = i == 1 ? 0 : queue.ring.address,
			.queue_id = queue.id,
			.ring_size = i == 2 ? 0 : (uint32_t)queue.ring.size,
			.percentage = i == 0 ? 0 : 100,
		};

		*value_of(&queue, 0) = 1;
		assert_int_equal(call(session, 0x07, &update), 0);
		write_kernel(&queue);
		aql_submit(&queue, DISPATCH | SYSTEM);
		usleep(30000);
		assert_int_equal(*value_of(&queue, 0), 1);
		update.ring_address = queue.ring.address;
		update.ring_size = (uint32_t)queue.ring.size;
		update.percentage = 100;
		assert_int_equal(call(session, 0x07, &update), 0);
		assert_true(aql_wait(&queue, i + 1));
		assert_int_equal(*value_of(&queue, 0), 0);
		update.ring_size = 1000;
		assert_int_equal(call(session, 0x07, &update), -EINVAL);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

/* Refused, and named in the log: they are not executed. */
static void a_queue_of_other_packets_is_refused(void **state)
{
	struct session *session = *state;
	struct memory ring;
	struct kfd_create_queue create = {
		.ring_size = 4096, .percentage = 100, .priority = 7, .type = KFD_QUEUE_COMPUTE};
	char text[8192];
	FILE *log;
	size_t size;

	session_acquire(session);
	ring = session_memory(session, 2 * PAGE);
	create.gpu_id = session->gpu_id;
	create.ring_address = ring.address;
	create.write_pointer_address = create.read_pointer_address = ring.address + PAGE;
	assert_int_equal(call(session, 0x02, &create), -EINVAL);
	log = fopen(session->log, "r");
	assert_non_null(log);
	size = fread(text, 1, sizeof(text) - 1, log);
	text[size] = '\0';
	fclose(log);
	assert_non_null(
		strstr(text, "not implemented: a queue of type 0, whose packets are PM4\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(barriers_wait_for_their_signals),
		TEST(barriers_wait_for_a_value),
		TEST(a_kernel_is_executed),
		TEST(wrong_packets_fail_their_queue),
		TEST(global_wave_sync_is_of_one_queue),
		TEST(a_violation_is_told_by_its_memory_first),
		TEST(a_program_that_does_not_hear_is_ended),
		TEST(a_violation_names_the_page_that_is_missing),
		TEST(a_listener_sleeps_while_a_kernel_runs),
		TEST(a_listener_wakes_from_other_calls),
		TEST(a_listener_that_comes_back_sleeps_too),
		TEST(wrong_queues_are_refused),
		TEST(a_queue_of_other_packets_is_refused),
		TEST(a_stopped_queue_waits),
		cmocka_unit_test(a_seed_fixes_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
