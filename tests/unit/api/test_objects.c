/* SPDX-License-Identifier: MIT */
/* Queries of agents, queues, code objects, dispatches, workgroups and waves. */
#include "client.h"

#include <string.h>

#include "dbgapi/table/api.h"
#include "dbgapi/client/marshal.h"
#include "fake-device.h"

static amd_dbgapi_process_id_t process;
static amd_dbgapi_agent_id_t agent;
static amd_dbgapi_queue_id_t queue;
static amd_dbgapi_code_object_id_t code_object;
static amd_dbgapi_dispatch_id_t dispatch;
static amd_dbgapi_workgroup_id_t workgroup;
static amd_dbgapi_wave_id_t wave;

static enum wt_device_progress launch_two(struct fake_device *device)
{
	fake_launch(device, 2, NULL);
	return WT_DEVICE_RUNNING;
}

/* The last of a list that must have @expected entries. */
#define LAST(list_function, expected, handle_ret)                                                  \
	do {                                                                                       \
		__typeof__(handle_ret) list_;                                                      \
		size_t count_;                                                                     \
		assert_success(list_function(process, &count_, &list_, NULL));                     \
		assert_int_equal(count_, expected);                                                \
		*(handle_ret) = list_[count_ - 1];                                                 \
		free(list_);                                                                       \
	} while (0)

static int start(void **state)
{
	(void)state;
	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
	client_start();
	process = client_attach_ready(1);
	fake_next_run = launch_two;
	client_expect_none(process);
	LAST(amd_dbgapi_process_agent_list, 1, &agent);
	LAST(amd_dbgapi_process_queue_list, 1, &queue);
	LAST(amd_dbgapi_process_code_object_list, 1, &code_object);
	LAST(amd_dbgapi_process_dispatch_list, 1, &dispatch);
	LAST(amd_dbgapi_process_workgroup_list, 1, &workgroup);
	LAST(amd_dbgapi_process_wave_list, 2, &wave);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	return amd_dbgapi_finalize() == SUCCESS ? 0 : -1;
}

typedef amd_dbgapi_status_t (*get_info)(uint64_t handle, uint32_t query, size_t size, void *value);

/* One for each kind, so that what is true of all is tested once. */
#define GET_INFO(kind)                                                                             \
	static amd_dbgapi_status_t kind##_info(uint64_t handle, uint32_t query, size_t size,       \
					       void *value)                                        \
	{                                                                                          \
		return amd_dbgapi_##kind##_get_info((amd_dbgapi_##kind##_id_t){handle},            \
						    (amd_dbgapi_##kind##_info_t)query, size,       \
						    value);                                        \
	}
GET_INFO(agent)
GET_INFO(queue)
GET_INFO(code_object)
GET_INFO(dispatch)
GET_INFO(workgroup)
GET_INFO(wave)

static uint64_t ask(get_info function, uint64_t handle, uint32_t query, size_t size)
{
	uint64_t value = 0;

	assert_success(function(handle, query, size, &value));
	return value;
}

static void assert_text(get_info function, uint64_t handle, uint32_t query, const char *expected)
{
	char *text;

	assert_success(function(handle, query, sizeof(text), &text));
	assert_string_equal(text, expected);
	free(text);
}

/* Handle, query, availability, NULL, size: the same for every query of the table. */
static void check_all_queries(get_info function, enum wt_object kind, uint64_t handle)
{
	const struct wt_object_info *info = &wt_objects[kind];
	uint8_t untouched[32], value[32];

	memset(value, 0xa5, sizeof(value));
	memset(untouched, 0xa5, sizeof(untouched));
	for (size_t i = 0; i < info->query_count; i++) {
		const struct wt_query *query = &info->queries[i];
		amd_dbgapi_status_t status = function(handle, query->value, query->size, NULL);

		assert_status(function(99, query->value, 0, NULL), info->invalid);
		assert_status(function(0, query->value, query->size, value), info->invalid);
		if (status == STATUS(NOT_IMPLEMENTED) || status == STATUS(WAVE_NOT_STOPPED))
			continue;
		/* Of clusters, which no architecture here has. */
		if (query->since == 82) {
			assert_status(status, STATUS(NOT_AVAILABLE));
			continue;
		}
		assert_status(status, STATUS(INVALID_ARGUMENT));
		assert_status(function(handle, query->value, query->size + 1, value),
			      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
		assert_memory_equal(value, untouched, sizeof(value));
		if (query->result == WT_RESULT_STRING) {
			client_out_of_memory = true;
			assert_status(function(handle, query->value, query->size, value),
				      STATUS(CLIENT_CALLBACK));
			client_out_of_memory = false;
			assert_memory_equal(value, untouched, sizeof(value));
			continue;
		}
		assert_success(function(handle, query->value, query->size, value));
		assert_memory_equal(value + query->size, untouched, sizeof(value) - query->size);
		wt_marshal_release(query, value);
		memset(value, 0xa5, sizeof(value));
	}
	assert_status(function(handle, 0, 8, value), STATUS(INVALID_ARGUMENT));
	assert_status(function(handle, 99, 8, value), STATUS(INVALID_ARGUMENT));
}

static void test_all_queries(void **state)
{
	(void)state;
	check_all_queries(agent_info, WT_OBJECT_AGENT, agent.handle);
	check_all_queries(queue_info, WT_OBJECT_QUEUE, queue.handle);
	check_all_queries(code_object_info, WT_OBJECT_CODE_OBJECT, code_object.handle);
	check_all_queries(dispatch_info, WT_OBJECT_DISPATCH, dispatch.handle);
	check_all_queries(workgroup_info, WT_OBJECT_WORKGROUP, workgroup.handle);
	check_all_queries(wave_info, WT_OBJECT_WAVE, wave.handle);
	assert_success(amd_dbgapi_wave_stop(wave));
	client_take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	check_all_queries(wave_info, WT_OBJECT_WAVE, wave.handle);
}

static void test_agent(void **state)
{
	uint64_t id = agent.handle;

	(void)state;
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_PROCESS, 8), process.handle);
	assert_text(agent_info, id, AMD_DBGAPI_AGENT_INFO_NAME, "Fake GPU");
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, 8), 7);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_STATE, 4), 1);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_PCI_DOMAIN, 2), 0);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_PCI_SLOT, 2), 0x300);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_PCI_VENDOR_ID, 4), 0x1002);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_PCI_DEVICE_ID, 4), 0x74a1);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT, 8), 304);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_MAX_WAVES_PER_EXECUTION_UNIT, 8),
			 32);
	assert_int_equal(ask(agent_info, id, AMD_DBGAPI_AGENT_INFO_OS_ID, 8), 4711);
}

static void test_queue(void **state)
{
	uint64_t id = queue.handle, value;

	(void)state;
	assert_int_equal(ask(queue_info, id, AMD_DBGAPI_QUEUE_INFO_AGENT, 8), agent.handle);
	assert_int_equal(ask(queue_info, id, AMD_DBGAPI_QUEUE_INFO_ARCHITECTURE, 8), 7);
	assert_int_equal(ask(queue_info, id, AMD_DBGAPI_QUEUE_INFO_TYPE, 4),
			 AMD_DBGAPI_OS_QUEUE_TYPE_HSA_AQL);
	assert_int_equal(ask(queue_info, id, AMD_DBGAPI_QUEUE_INFO_ADDRESS, 8), FAKE_MEMORY);
	assert_int_equal(ask(queue_info, id, AMD_DBGAPI_QUEUE_INFO_SIZE, 8), 256);
	assert_int_equal(ask(queue_info, id, AMD_DBGAPI_QUEUE_INFO_OS_ID, 8), 12);
	assert_status(queue_info(id, AMD_DBGAPI_QUEUE_INFO_STATE, 4, &value),
		      STATUS(NOT_IMPLEMENTED));
	assert_status(queue_info(id, AMD_DBGAPI_QUEUE_INFO_ERROR_REASON, 4, &value),
		      STATUS(NOT_IMPLEMENTED));
}

/* Packets 3, 4 and 5 of a ring of four: the second lies at the start of the ring again. */
static void test_packets(void **state)
{
	uint64_t first = 0, end = 0;
	uint8_t ring[256];
	amd_dbgapi_size_t ring_size = sizeof(ring);
	uint8_t *packets = NULL;
	size_t size = 0;

	(void)state;
	assert_success(amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, FAKE_MEMORY,
					      &ring_size, ring));
	assert_success(amd_dbgapi_queue_packet_list(queue, &first, &end, &size, (void **)&packets));
	assert_int_equal(first, 3);
	assert_int_equal(end, 6);
	assert_int_equal(size, 192);
	assert_memory_equal(packets, ring + 192, 64);
	assert_memory_equal(packets + 64, ring, 128);
	free(packets);
	size = 0;
	assert_success(amd_dbgapi_queue_packet_list(queue, &first, &end, &size, NULL));
	assert_int_equal(size, 192);
	assert_status(amd_dbgapi_queue_packet_list(queue, &first, &end, NULL, NULL),
		      STATUS(INVALID_ARGUMENT));
	/* As AMD's library: the handle is looked at last. */
	assert_status(
		amd_dbgapi_queue_packet_list((amd_dbgapi_queue_id_t){9}, NULL, NULL, NULL, NULL),
		STATUS(INVALID_ARGUMENT));
	assert_status(
		amd_dbgapi_queue_packet_list((amd_dbgapi_queue_id_t){9}, &first, &end, &size, NULL),
		STATUS(INVALID_QUEUE_ID));
}

static void test_code_object(void **state)
{
	uint64_t id = code_object.handle;

	(void)state;
	assert_text(code_object_info, id, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
		    "file:///kernels/fake.co");
	assert_int_equal(ask(code_object_info, id, AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 8),
			 0x7f0000200000);
	assert_int_equal(ask(code_object_info, id, AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS, 8),
			 process.handle);
}

/* Byte i of the packet is 0x40 + i, so that every field shows where it was read. */
static void test_dispatch(void **state)
{
	uint64_t id = dispatch.handle;
	uint16_t sizes[3];
	uint32_t grid[3];

	(void)state;
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_QUEUE, 8), queue.handle);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_AGENT, 8), agent.handle);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_PROCESS, 8),
			 process.handle);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_ARCHITECTURE, 8), 7);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID, 8), 1);
	/* header 0x4140, setup 0x4342 */
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_BARRIER, 4), 1);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_ACQUIRE_FENCE, 4), 0);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_RELEASE_FENCE, 4), 0);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_GRID_DIMENSIONS, 4), 2);
	assert_success(
		dispatch_info(id, AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES, sizeof(sizes), sizes));
	assert_int_equal(sizes[0], 0x4544);
	assert_int_equal(sizes[2], 0x4948);
	assert_success(dispatch_info(id, AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES, sizeof(grid), grid));
	assert_int_equal(grid[0], 0x4f4e4d4c);
	assert_int_equal(grid[2], 0x57565554);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE, 8),
			 0x5b5a5958);
	assert_int_equal(ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE, 8),
			 0x5f5e5d5c);
	assert_int_equal(
		ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, 8),
		0x6766656463626160);
	assert_int_equal(
		ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, 8),
		0x6f6e6d6c6b6a6968);
	assert_int_equal(
		ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_KERNEL_COMPLETION_ADDRESS, 8),
		0x7f7e7d7c7b7a7978);
	assert_int_equal(
		ask(dispatch_info, id, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, 8),
		FAKE_PC);
}

static void test_workgroup_and_wave(void **state)
{
	uint32_t coordinates[3];

	(void)state;
	assert_int_equal(
		ask(workgroup_info, workgroup.handle, AMD_DBGAPI_WORKGROUP_INFO_DISPATCH, 8),
		dispatch.handle);
	assert_success(workgroup_info(workgroup.handle, AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD,
				      sizeof(coordinates), coordinates));
	assert_int_equal(coordinates[0], 3);
	assert_int_equal(coordinates[1], 2);
	assert_int_equal(coordinates[2], 1);
	memset(coordinates, 0, sizeof(coordinates));
	assert_success(wave_info(wave.handle, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
				 sizeof(coordinates), coordinates));
	assert_int_equal(coordinates[0], 3);
	assert_int_equal(coordinates[2], 1);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_WORKGROUP, 8),
			 workgroup.handle);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_DISPATCH, 8),
			 dispatch.handle);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_QUEUE, 8), queue.handle);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_AGENT, 8), agent.handle);
	assert_int_equal(
		ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, 4), 1);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 8), 64);
}

static void test_stopped_queries(void **state)
{
	amd_dbgapi_watchpoint_list_t watchpoints = {.count = 9};

	(void)state;
	assert_success(amd_dbgapi_wave_stop(wave));
	client_take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_PC, 8), FAKE_PC);
	assert_int_equal(ask(wave_info, wave.handle, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, 8),
			 UINT64_MAX);
	assert_success(wave_info(wave.handle, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, sizeof(watchpoints),
				 &watchpoints));
	assert_int_equal(watchpoints.count, 0);
	free(watchpoints.watchpoint_ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all_queries, start, finish),
		cmocka_unit_test_setup_teardown(test_agent, start, finish),
		cmocka_unit_test_setup_teardown(test_queue, start, finish),
		cmocka_unit_test_setup_teardown(test_packets, start, finish),
		cmocka_unit_test_setup_teardown(test_code_object, start, finish),
		cmocka_unit_test_setup_teardown(test_dispatch, start, finish),
		cmocka_unit_test_setup_teardown(test_workgroup_and_wave, start, finish),
		cmocka_unit_test_setup_teardown(test_stopped_queries, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
