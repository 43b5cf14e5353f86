/* SPDX-License-Identifier: MIT */
/* Workloads that run to their end: results, order, queues, and what scheduling may not change. */
#include "tests/unit/device/support.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t read_number(struct support_session *session, uint64_t address, size_t size)
{
	uint64_t value = 0;

	assert_int_equal(
		session->device->operations->read_memory(session->device, address, &value, size),
		size);
	return value;
}

static void test_vecadd(void **state)
{
	struct support_session *session = support_open("vecadd.json");
	float *result;
	size_t size;

	(void)state;
	assert_int_equal(session->wave_count, 0);
	support_run_to_end(session);
	result = (float *)(void *)support_buffer(session, "c", &size);
	assert_int_equal(size, 4096);
	for (int i = 0; i < 1024; i++)
		assert_true(result[i] == (float)(i + 2));
	free(result);
	support_close(session);
}

static void test_events(void **state)
{
	static const char *const expected[] = {
		"dispatch 0 created",	     "workgroup 0 created 0,0,0", "wave 0 created in 0",
		"wave 1 created in 0",	     "wave 2 created in 0",	  "wave 3 created in 0",
		"workgroup 1 created 1,0,0",
	};
	struct support_session *session = support_open("vecadd.json");

	(void)state;
	support_run_to_end(session);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_string_equal(session->events[i], expected[i]);
	/* A dispatch, 4 workgroups and 16 waves, each with a beginning and an end. */
	assert_int_equal(session->event_count, 2 * (1 + 4 + 16));
	assert_string_equal(session->events[session->event_count - 1], "dispatch 0 ended");
	assert_string_equal(session->events[session->event_count - 2], "workgroup 3 ended");
	support_close(session);
}

/* The order of workgroups is x before y before z; at most four are there at a time. */
static void test_residency(void **state)
{
	struct support_session *session = support_open("geometry.json");
	uint32_t resident = 0, most = 0, next = 0;

	(void)state;
	support_run_to_end(session);
	for (size_t i = 0; i < session->event_count; i++) {
		uint32_t number, x, y, z;

		if (sscanf(session->events[i], "workgroup %u created %u,%u,%u", &number, &x, &y,
			   &z) == 4) {
			assert_int_equal(number, next);
			assert_int_equal(x, next % 5);
			assert_int_equal(y, next / 5 % 2);
			assert_int_equal(z, next / 10);
			next++;
			most = ++resident > most ? resident : most;
		} else if (strstr(session->events[i], "ended") &&
			   strncmp(session->events[i], "workgroup", 9) == 0) {
			resident--;
		}
	}
	assert_int_equal(next, 5 * 2 * 3);
	assert_int_equal(resident, 0);
	assert_int_equal(most, 4);
	support_close(session);
}

/* grid [70, 6, 3], workgroups of [16, 4, 1]: the last column is of 6, the last row of 2. */
static void test_partial_workgroups(void **state)
{
	struct support_session *session = support_open("geometry.json");
	uint64_t items = 0;

	(void)state;
	session->halt_new = true;
	for (enum wt_device_progress progress = WT_DEVICE_RUNNING; progress != WT_DEVICE_IDLE;) {
		progress = support_run(session);
		for (uint32_t i = 0; i < session->wave_count; i++) {
			struct wt_device_wave *wave = session->waves[i];
			const uint32_t *at;
			uint32_t size;

			if (!wave || wave->state != WT_WAVE_STOPPED)
				continue;
			at = wave->workgroup->coordinates;
			size = (at[0] == 4 ? 6u : 16u) * (at[1] == 1 ? 2u : 4u);
			assert_true(wave->gfx->exec == UINT64_MAX >> (64 - size));
			items += size;
			session->device->operations->wave_resume(session->device, wave, false);
		}
	}
	assert_int_equal(items, 70 * 6 * 3);
	support_close(session);
}

static void test_packet(void **state)
{
	struct support_session *session = support_open("matmul.json");
	const struct wt_device_queue *queue =
		session->device->operations->queue(session->device, 0);
	const struct wt_device_dispatch *dispatch;
	uint64_t signal;

	(void)state;
	assert_int_equal(queue->read_packet_id, 0);
	assert_int_equal(queue->write_packet_id, 1);
	assert_int_equal(queue->ring_size, 64 * 64);
	session->halt_new = true;
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	dispatch = session->waves[0]->workgroup->dispatch;
	assert_int_equal(dispatch->packet_address, queue->ring_address);
	assert_memory_equal(dispatch->packet,
			    "\x02\x15\x02\0\x10\0\x10\0\x01\0\0\0\x40\0\0\0\x40\0\0\0\x01\0\0\0",
			    24);
	/* Two tiles of 16 x 16 floats; the descriptor is what leads to the code. */
	assert_int_equal(read_number(session, dispatch->packet_address + 28, 4), 2048);
	assert_int_equal(
		read_number(session, dispatch->packet_address + 32, 8) +
			read_number(session,
				    read_number(session, dispatch->packet_address + 32, 8) + 16, 8),
		dispatch->kernel_entry);
	assert_int_equal(read_number(session,
				     read_number(session, dispatch->packet_address + 40, 8) + 24,
				     4),
			 64);
	signal = read_number(session, dispatch->packet_address + 56, 8);
	assert_int_equal(read_number(session, signal + 8, 8), 1);
	session->halt_new = false;
	for (uint32_t i = 0; i < session->wave_count; i++)
		session->device->operations->wave_resume(session->device, session->waves[i], false);
	support_run_to_end(session);
	assert_int_equal(read_number(session, signal + 8, 8), 0);
	assert_int_equal(read_number(session, queue->ring_address, 2) & 0xff, 1);
	assert_int_equal(queue->read_packet_id, 1);
	support_close(session);
}

/* A ring that is smaller than the number of dispatches: packets follow as others are done. */
static void test_ring_wraps(void **state)
{
	struct support_session *session;
	const struct wt_device_queue *queue;
	char text[4096];
	uint32_t *out;
	size_t size;

	(void)state;
	snprintf(text, sizeof(text),
		 "{\"architecture\":\"gfx942\",\"code_objects\":[\"%s\"],"
		 "\"queues\":[{\"packets\":2}],\"buffers\":{\"x\":{\"bytes\":256,\"fill\":{"
		 "\"constant\":"
		 "{\"type\":\"f32\",\"value\":1}}},\"y\":{\"bytes\":256}},\"dispatches\":[",
		 support_path("saxpy.co"));
	for (int i = 0; i < 5; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s{\"kernel\":\"saxpy\",\"grid\":[64,1,1],\"workgroup\":[64,1,1],"
			 "\"arguments\":[{\"f32\":%d},{\"buffer\":\"x\"},{\"buffer\":\"y\"},{"
			 "\"u32\":64}]}",
			 i ? "," : "", 1 << i);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "]}");
	session = support_open(text);
	queue = session->device->operations->queue(session->device, 0);
	assert_int_equal(queue->write_packet_id, 2);
	session->halt_new = true;
	for (uint32_t i = 0; i < 5; i++) {
		const struct wt_device_dispatch *dispatch;

		assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
		assert_int_equal(session->wave_count, i + 1);
		dispatch = session->waves[i]->workgroup->dispatch;
		assert_int_equal(dispatch->packet_id, i);
		assert_int_equal(dispatch->packet_address, queue->ring_address + i % 2 * 64);
		assert_int_equal(session->waves[i]->gfx->ttmps[11] >> 6 & 0x1ffffff, i % 2);
		assert_int_equal(queue->read_packet_id, i);
		assert_int_equal(queue->write_packet_id, i < 3 ? i + 2 : 5);
		session->device->operations->wave_resume(session->device, session->waves[i], false);
	}
	support_run_to_end(session);
	out = (uint32_t *)(void *)support_buffer(session, "y", &size);
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(out[i], 0x41f80000); /* 31.0f = 1 + 2 + 4 + 8 + 16 */
	free(out);
	support_close(session);
}

static void test_queues_take_turns(void **state)
{
	struct support_session *session = support_open("two-queues.json");

	(void)state;
	support_run_to_end(session);
	assert_string_equal(session->events[0], "dispatch 0 created");
	/* The second queue's waves are there before the first queue's dispatch has ended. */
	for (size_t i = 0; i < session->event_count; i++) {
		assert_string_not_equal(session->events[i], "dispatch 0 ended");
		if (strcmp(session->events[i], "dispatch 1 created") == 0)
			break;
	}
	support_close(session);
}

static void test_agents(void **state)
{
	struct support_session *session = support_open("two-agents.json");
	const struct wt_device_operations *operations = session->device->operations;
	const struct wt_device_agent *first = operations->agent(session->device, 0);
	const struct wt_device_agent *second = operations->agent(session->device, 1);

	(void)state;
	assert_int_equal(operations->agent_count(session->device), 2);
	assert_null(operations->agent(session->device, 2));
	assert_int_not_equal(first->os_id, second->os_id);
	assert_int_not_equal(first->pci_slot, second->pci_slot);
	assert_int_equal(second->number, 1);
	assert_int_equal(first->pci_vendor, 0x1002);
	assert_int_equal(operations->queue_count(session->device), 2);
	assert_null(operations->queue(session->device, 2));
	assert_ptr_equal(operations->queue(session->device, 1)->agent, second);
	assert_int_equal(operations->code_object_count(session->device), 2);
	assert_null(operations->code_object(session->device, 2));
	assert_non_null(strstr(operations->code_object(session->device, 1)->uri, "/saxpy.co"));
	assert_memory_equal(operations->code_object(session->device, 0)->uri, "file:///", 8);
	support_close(session);
}

static const char *const deterministic[] = {
	"vecadd.json",	  "two-kernels.json", "matmul.json",	"geometry.json",
	"histogram.json", "two-queues.json",  "reduce-O0.json",
};

/* Run with a budget per call. @budget 0: one call. */
static struct support_session *run_in_pieces(const char *workload, uint64_t budget)
{
	struct support_session *session = support_open(workload);
	enum wt_device_progress progress;

	do
		progress = session->device->operations->run(session->device,
							    budget ? budget : UINT64_MAX);
	while (progress == WT_DEVICE_RUNNING);
	assert_int_equal(progress, WT_DEVICE_IDLE);
	return session;
}

static void test_budget_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(deterministic) / sizeof(deterministic[0]); i++) {
		struct support_session *whole = run_in_pieces(deterministic[i], 0);
		struct support_session *pieces = run_in_pieces(deterministic[i], 1);

		assert_int_equal(whole->event_count, pieces->event_count);
		assert_memory_equal(whole->events, pieces->events, sizeof(whole->events));
		support_close(whole);
		support_close(pieces);
	}
}

/* The buffers of two sessions, byte by byte. */
static void compare(struct support_session *one, struct support_session *other,
		    const char *const *buffers)
{
	for (size_t i = 0; buffers[i]; i++) {
		size_t size, other_size;
		uint8_t *data = support_buffer(one, buffers[i], &size);
		uint8_t *other_data = support_buffer(other, buffers[i], &other_size);

		assert_int_equal(size, other_size);
		assert_memory_equal(data, other_data, size);
		free(data);
		free(other_data);
	}
}

static const struct {
	const char *workload;
	const char *buffers[3];
} compared[] = {
	{"vecadd.json", {"c"}},
	{"vecadd-O0.json", {"c"}},
	{"divergent.json", {"steps"}},
	{"reduce.json", {"sums"}},
	{"reduce-gfx90a-O0.json", {"sums"}},
	{"scan.json", {"out"}},
	{"histogram.json", {"bins"}},
	{"geometry.json", {"out"}},
	{"matmul.json", {"c"}},
	{"matmul-gfx90a.json", {"c"}},
	{"two-kernels.json", {"b", "c"}},
	{"private-sort.json", {"data"}},
};

/* A program leaves the same in memory however its waves are stopped, stepped and ordered. */
static void compare_manner(void (*run)(struct support_session *session))
{
	for (size_t i = 0; i < sizeof(compared) / sizeof(compared[0]); i++) {
		struct support_session *together = support_open(compared[i].workload);
		struct support_session *other = support_open(compared[i].workload);

		support_run_to_end(together);
		run(other);
		compare(together, other, compared[i].buffers);
		support_close(together);
		support_close(other);
	}
}

/* One wave until it ends or waits, then the next: the opposite of short turns. */
static void run_one_at_a_time(struct support_session *session)
{
	const struct wt_device_operations *operations = session->device->operations;
	enum wt_device_progress progress;

	session->halt_new = true;
	progress = support_run(session);
	while (progress == WT_DEVICE_BLOCKED) {
		for (uint32_t i = session->wave_count; i-- > 0;) {
			if (!session->waves[i])
				continue;
			operations->wave_resume(session->device, session->waves[i], false);
			progress = support_run(session);
			if (session->waves[i])
				operations->wave_halt(session->device, session->waves[i]);
		}
	}
	assert_int_equal(progress, WT_DEVICE_IDLE);
}

static void test_one_wave_at_a_time(void **state)
{
	(void)state;
	compare_manner(run_one_at_a_time);
}

/* Step every wave from its first instruction to its last. */
static void run_by_steps(struct support_session *session)
{
	const struct wt_device_operations *operations = session->device->operations;
	size_t steps = 0;

	session->halt_new = true;
	for (enum wt_device_progress progress = WT_DEVICE_RUNNING; progress != WT_DEVICE_IDLE;) {
		for (uint32_t i = 0; i < session->wave_count; i++)
			if (session->waves[i] && session->waves[i]->state == WT_WAVE_STOPPED)
				operations->wave_resume(session->device, session->waves[i], true);
		support_clear(session);
		progress = support_run(session);
		for (size_t i = 0; i < session->stopped_count; i++)
			assert_int_equal(session->stopped[i]->stop_reasons,
					 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
		steps += session->stopped_count;
	}
	/* A kernel of less than ten instructions does nothing of interest. */
	assert_true(steps > 10 * (size_t)session->wave_count);
}

static void test_single_steps(void **state)
{
	(void)state;
	compare_manner(run_by_steps);
}

/* Halt waves at any place, some of them or all, and let them go on. */
static void run_with_halts(struct support_session *session)
{
	const struct wt_device_operations *operations = session->device->operations;
	uint64_t random = 11, halts = 0;

	for (enum wt_device_progress progress = WT_DEVICE_RUNNING; progress != WT_DEVICE_IDLE;) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		progress = operations->run(session->device, 1 + (random >> 33) % 64);
		assert_true(progress == WT_DEVICE_RUNNING || progress == WT_DEVICE_IDLE);
		for (uint32_t i = 0; i < session->wave_count; i++) {
			/* The two highest bits: all waves each fourth time. */
			if (!session->waves[i] || (random >> 62 && random >> (i % 32) & 1))
				continue;
			operations->wave_halt(session->device, session->waves[i]);
			assert_int_equal(session->waves[i]->state, WT_WAVE_STOPPED);
			halts++;
		}
		support_resume_all(session);
	}
	assert_true(halts > 0);
}

static void test_halts(void **state)
{
	(void)state;
	compare_manner(run_with_halts);
}

static void test_idle_stays_idle(void **state)
{
	struct support_session *session = support_open("saxpy.json");

	(void)state;
	assert_int_equal(session->device->operations->run(session->device, 0), WT_DEVICE_RUNNING);
	assert_int_equal(session->wave_count, 0);
	support_run_to_end(session);
	support_run_to_end(session);
	assert_int_equal(session->device->operations->run(session->device, 0), WT_DEVICE_IDLE);
	support_close(session);
}

/* pointers.c: what relocations point to is what the program reads and writes. */
static void test_relocated_program(void **state)
{
	struct support_session *session;
	uint64_t *addresses;
	uint32_t *out;
	char text[1024];
	size_t size;

	(void)state;
	snprintf(text, sizeof(text),
		 "{\"architecture\":\"gfx942\",\"code_objects\":[\"%s\"],"
		 "\"buffers\":{\"out\":{\"bytes\":12},\"addresses\":{\"bytes\":32,\"fill\":"
		 "{\"constant\":{\"type\":\"u64\",\"value\":9}}}},\"dispatches\":[{\"kernel\":"
		 "\"pointers_kernel\",\"grid\":[1,1,1],\"workgroup\":[1,1,1],\"arguments\":["
		 "{\"buffer\":\"out\"},{\"buffer\":\"addresses\"},{\"u32\":1}]}]}",
		 support_path("../unit/device/pointers.co"));
	session = support_open(text);
	support_run_to_end(session);
	out = (uint32_t *)(void *)support_buffer(session, "out", &size);
	addresses = (uint64_t *)(void *)support_buffer(session, "addresses", &size);
	assert_int_equal(out[0], 2);
	assert_int_equal(out[1], 30);
	assert_int_equal(out[2], 1);
	assert_int_equal(read_number(session, addresses[0], 4), 2);
	assert_int_equal(addresses[0] - addresses[2], 4);
	assert_int_equal(addresses[3], 0);
	free(out);
	free(addresses);
	support_close(session);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vecadd),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_residency),
		cmocka_unit_test(test_partial_workgroups),
		cmocka_unit_test(test_packet),
		cmocka_unit_test(test_ring_wraps),
		cmocka_unit_test(test_queues_take_turns),
		cmocka_unit_test(test_agents),
		cmocka_unit_test(test_budget_changes_nothing),
		cmocka_unit_test(test_one_wave_at_a_time),
		cmocka_unit_test(test_single_steps),
		cmocka_unit_test(test_halts),
		cmocka_unit_test(test_idle_stays_idle),
		cmocka_unit_test(test_relocated_program),
	};

	return cmocka_run_group_tests_name("device-run", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
