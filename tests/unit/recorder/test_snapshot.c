/* SPDX-License-Identifier: MIT */
/* What a stop of a real program leaves in the trace, over the simulated GPU. */
#include "tests/unit/recorder/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define PAGE 4096u

static void registers_of_a_stopped_wave_are_what_the_client_reads(void **unused)
{
	struct live_register *live;
	struct wt_reader *reader;
	struct wt_state *state;
	amd_dbgapi_wave_id_t wave;
	struct live_client client;
	size_t count;

	(void)unused;
	live_open(&client, "oob-store", NULL);
	wave = live_run_to_stop(&client, true);
	live_drain(&client);
	live = live_read_registers(client.api, wave, &count);
	reader = live_close(&client);
	state = live_state_at(reader, live_last_stop(reader));
	assert_true(count > 30);
	for (size_t i = 0; i < count; i++) {
		size_t size;
		const uint8_t *value =
			live_register_value(reader, state, wave.handle, live[i].id, &size);

		assert_non_null(value);
		assert_int_equal(size, live[i].size);
		assert_memory_equal(value, live[i].value, size);
	}
	assert_int_equal(live_item(reader, state, WT_ITEM_LIST, "amd_dbgapi_wave_register_list",
				   wave.handle, 0)
				 ->handle_count,
			 count);
	free(live);
	wt_state_destroy(state);
	wt_reader_close(reader);
}

/* The page that the store ran into, the one before it, code, arguments, and the code object. */
static void a_fault_takes_the_memory_around_it(void **unused)
{
	const struct wt_item *item, *image;
	uint64_t wave, dispatch, object, unreadable = 0;
	struct wt_reader *reader;
	struct wt_state *state;
	struct live_client client;
	FILE *file;

	(void)unused;
	live_open(&client, "oob-store", NULL);
	wave = live_run_to_stop(&client, true).handle;
	live_drain(&client);
	reader = live_close(&client);
	state = live_state_at(reader, live_last_stop(reader));
	for (size_t i = 0; i < wt_state_count(state); i++) {
		item = wt_state_at(state, i);
		if (item->key.type != WT_ITEM_MEMORY || !item->status)
			continue;
		assert_int_equal(item->status, AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
		assert_int_equal(unreadable, 0);
		unreadable = item->key.address;
	}
	assert_true(unreadable != 0);
	item = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
			 unreadable - PAGE);
	assert_non_null(item);
	assert_int_equal(item->bytes->size, PAGE);
	item = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
			 live_number(reader, state, "wave", wave, "AMD_DBGAPI_WAVE_INFO_PC") &
				 ~(PAGE - 1ull));
	assert_non_null(item);
	dispatch = live_number(reader, state, "wave", wave, "AMD_DBGAPI_WAVE_INFO_DISPATCH");
	item = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
			 live_number(reader, state, "dispatch", dispatch,
				     "AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS") &
				 ~(PAGE - 1ull));
	assert_non_null(item);
	item = live_item(reader, state, WT_ITEM_PACKETS, NULL,
			 live_number(reader, state, "wave", wave, "AMD_DBGAPI_WAVE_INFO_QUEUE"), 0);
	assert_non_null(item);
	assert_int_equal(item->number_count, 2);
	assert_int_equal(item->bytes->size, (item->numbers[1] - item->numbers[0]) * 64);
	item = live_item(reader, state, WT_ITEM_LIST, "amd_dbgapi_process_code_object_list",
			 client.process.handle, 0);
	object = item->handles[0];
	image = live_item(reader, state, WT_ITEM_IMAGE, NULL, object, 0);
	assert_non_null(image);
	file = fopen(WORKLOADS "/oob-store.co", "rb");
	assert_non_null(file);
	for (size_t i = 0; i < image->bytes->size; i++)
		assert_int_equal(image->bytes->data[i], fgetc(file));
	assert_int_equal(fgetc(file), EOF);
	fclose(file);
	wt_state_destroy(state);
	wt_reader_close(reader);
}

static void facts_are_what_the_library_says(void **unused)
{
	amd_dbgapi_register_class_id_t *classes;
	amd_dbgapi_register_id_t *registers;
	amd_dbgapi_architecture_id_t architecture, missing;
	size_t register_count, class_count;
	struct wt_reader *reader;
	struct wt_state *facts;
	struct live_client client;
	uint64_t dwarf_found = 0;

	(void)unused;
	live_open(&client, "vecadd", NULL);
	assert_int_equal(client.api->get_architecture(0x4c, &architecture), 0);
	assert_int_equal(client.api->get_architecture(0x7777, &missing),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE);
	assert_int_equal(
		client.api->architecture_register_list(architecture, &register_count, &registers),
		0);
	assert_int_equal(
		client.api->architecture_register_class_list(architecture, &class_count, &classes),
		0);
	wt_cleanup_free amd_dbgapi_register_class_state_t *members =
		calloc(class_count * register_count, sizeof(*members));
	wt_cleanup_free uint64_t *dwarf = calloc(register_count, sizeof(*dwarf));

	for (size_t i = 0; i < register_count; i++) {
		if (client.api->register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_DWARF,
						  sizeof(*dwarf), &dwarf[i]))
			dwarf[i] = UINT64_MAX;
		for (size_t c = 0; c < class_count; c++)
			assert_int_equal(
				client.api->register_is_in_register_class(
					classes[c], registers[i], &members[c * register_count + i]),
				0);
	}
	reader = live_close(&client);
	support_must(wt_reader_facts(reader, &facts));
	for (size_t c = 0; c < class_count; c++) {
		const struct wt_item *list =
			live_item(reader, facts, WT_ITEM_LIST,
				  "amd_dbgapi_register_is_in_register_class", classes[c].handle, 0);
		size_t next = 0;

		assert_non_null(list);
		for (size_t i = 0; i < register_count; i++)
			if (members[c * register_count + i] ==
			    AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER)
				assert_int_equal(list->handles[next++], registers[i].handle);
		assert_int_equal(next, list->handle_count);
	}
	{
		const struct wt_item *map =
			live_item(reader, facts, WT_ITEM_MAP,
				  "amd_dbgapi_dwarf_register_to_register", architecture.handle, 0);

		for (size_t i = 0; i < register_count; i++)
			for (size_t j = 0; j < map->number_count; j++)
				dwarf_found += map->numbers[j] == dwarf[i] &&
					       map->handles[j] == registers[i].handle;
		assert_true(map->number_count > 100);
		assert_int_equal(dwarf_found, map->number_count);
		map = live_item(reader, facts, WT_ITEM_MAP, "amd_dbgapi_get_architecture", 0, 0);
		assert_int_equal(map->number_count, 2);
		assert_int_equal(map->numbers[0], 0x4c);
		assert_int_equal(map->handles[0], architecture.handle);
		assert_int_equal(map->numbers[1], 0x7777);
		assert_int_equal(map->handles[1], 0);
	}
	free(registers);
	free(classes);
	wt_state_destroy(facts);
	wt_reader_close(reader);
}

/* What the client changes before it has asked for all events is in the stop as it was before. */
static void a_stop_is_what_the_events_tell_of(void **unused)
{
	const amd_dbgapi_address_space_id_t global = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL;
	amd_dbgapi_global_address_t pc, changed = 0x1000;
	amd_dbgapi_register_id_t pc_register;
	amd_dbgapi_architecture_id_t architecture;
	const struct wt_item *page;
	amd_dbgapi_size_t size = 4;
	struct wt_reader *reader;
	struct wt_state *state;
	amd_dbgapi_wave_id_t wave;
	struct live_client client;
	uint8_t code[4], trap[4] = {1, 2, 3, 4};
	size_t value_size;

	(void)unused;
	live_open(&client, "oob-store", NULL);
	wave = live_run_to_stop(&client, false);
	assert_int_equal(client.api->wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						   sizeof(architecture), &architecture),
			 0);
	assert_int_equal(client.api->architecture_get_info(architecture,
							   AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
							   sizeof(pc_register), &pc_register),
			 0);
	assert_int_equal(client.api->read_register(wave, pc_register, 0, sizeof(pc), &pc), 0);
	assert_int_equal(client.api->read_memory(client.process, wave, 0, global, pc, &size, code),
			 0);
	assert_int_equal(
		client.api->write_register(wave, pc_register, 0, sizeof(changed), &changed), 0);
	assert_int_equal(client.api->write_memory(client.process, wave, 0, global, pc, &size, trap),
			 0);
	live_drain(&client);
	reader = live_close(&client);
	state = live_state_at(reader, live_last_stop(reader));
	assert_int_equal(live_number(reader, state, "wave", wave.handle, "AMD_DBGAPI_WAVE_INFO_PC"),
			 pc);
	assert_memory_equal(
		live_register_value(reader, state, wave.handle, pc_register.handle, &value_size),
		&pc, sizeof(pc));
	page = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
			 pc & ~(PAGE - 1ull));
	assert_non_null(page);
	assert_memory_equal(page->bytes->data + pc % PAGE, code, sizeof(code));
	wt_state_destroy(state);
	wt_reader_close(reader);
}

/* Memory that no policy takes is in the trace once the client has looked at it. */
static void what_the_client_reads_comes_late(void **unused)
{
	const amd_dbgapi_address_space_id_t global = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL;
	const uint64_t ring_lookup = 0x200000000000;
	uint8_t byte;
	amd_dbgapi_size_t size = 1;
	struct wt_reader *reader;
	struct wt_state *state;
	struct live_client client;
	amd_dbgapi_event_id_t event;
	const struct wt_item *item;

	(void)unused;
	live_open(&client, "vecadd", NULL);
	assert_int_equal(client.api->read_memory(client.process, AMD_DBGAPI_WAVE_NONE,
						 AMD_DBGAPI_LANE_NONE, global, ring_lookup + 5,
						 &size, &byte),
			 0);
	size = 1;
	assert_int_equal(client.api->read_memory(client.process, AMD_DBGAPI_WAVE_NONE,
						 AMD_DBGAPI_LANE_NONE, global, 0x1234567000, &size,
						 &byte),
			 AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
	live_next_event(&client, &event);
	reader = live_close(&client);
	state = live_state_at(reader, 0);
	item = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
			 ring_lookup);
	assert_non_null(item);
	assert_int_equal(item->status, 0);
	assert_true(item->bytes->size > 5);
	item = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
			 0x1234567000);
	assert_non_null(item);
	assert_int_equal(item->status, AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
	wt_state_destroy(state);
	wt_reader_close(reader);
}

/* Where the third argument of the first dispatch points: from the packet in the queue. */
static uint64_t third_argument(struct live_client *client)
{
	const amd_dbgapi_address_space_id_t global = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL;
	amd_dbgapi_os_queue_packet_id_t first, end;
	amd_dbgapi_queue_id_t *queues;
	uint64_t arguments, pointer;
	amd_dbgapi_size_t pointer_size = sizeof(pointer);
	size_t count, size;
	void *packets;

	assert_int_equal(client->api->process_queue_list(client->process, &count, &queues, NULL),
			 0);
	assert_int_equal(client->api->queue_packet_list(queues[0], &first, &end, &size, &packets),
			 0);
	memcpy(&arguments, (const uint8_t *)packets + 40, sizeof(arguments));
	assert_int_equal(client->api->read_memory(client->process, AMD_DBGAPI_WAVE_NONE,
						  AMD_DBGAPI_LANE_NONE, global, arguments + 16,
						  &pointer_size, &pointer),
			 0);
	free(packets);
	free(queues);
	return pointer;
}

/* A page that the client reads before and after the program ran is in each moment as it was then. */
static void memory_that_changed_is_told_again(void **unused)
{
	const amd_dbgapi_address_space_id_t global = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL;
	uint32_t words[2] = {77, 77};
	const struct wt_item *page;
	struct wt_reader *reader;
	struct wt_state *state;
	struct live_client client;
	uint64_t address;

	(void)unused;
	live_open(&client, "vecadd", NULL);
	address = third_argument(&client) + 4;
	for (int i = 0; i < 2; i++) {
		amd_dbgapi_size_t size = sizeof(*words);

		assert_int_equal(client.api->read_memory(client.process, AMD_DBGAPI_WAVE_NONE,
							 AMD_DBGAPI_LANE_NONE, global, address,
							 &size, &words[i]),
				 0);
		for (int passes = 0; !i && passes < 100; passes++)
			live_drain(&client);
	}
	assert_int_equal(words[0], 0);
	assert_int_not_equal(words[1], 0);
	reader = live_close(&client);
	for (int i = 0; i < 2; i++) {
		state = live_state_at(reader, i ? wt_reader_moment_count(reader) - 1 : 0);
		page = live_item(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
				 address & ~(PAGE - 1ull));
		assert_non_null(page);
		assert_memory_equal(page->bytes->data + address % PAGE, &words[i], sizeof(*words));
		wt_state_destroy(state);
	}
	wt_reader_close(reader);
}

/* After a PASS, the client's own list says which waves are gone. */
static void what_is_gone_is_removed(void **unused)
{
	amd_dbgapi_changed_t changed;
	amd_dbgapi_wave_id_t *waves;
	const struct wt_item *list;
	struct wt_reader *reader;
	struct wt_state *before, *after;
	struct live_client client;
	uint64_t wave;
	uint32_t stop, last;
	size_t count;

	(void)unused;
	live_open(&client, "debug-trap", NULL);
	wave = live_run_to_stop(&client, true).handle;
	live_drain(&client);
	assert_int_equal(client.api->process_wave_list(client.process, &count, &waves, NULL), 0);
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		client.api->wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
					AMD_DBGAPI_EXCEPTION_NONE);
	free(waves);
	do {
		live_drain(&client);
		assert_int_equal(
			client.api->process_wave_list(client.process, &count, &waves, &changed), 0);
		for (size_t i = 0; i < count; i++)
			client.api->wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
						AMD_DBGAPI_EXCEPTION_NONE);
		free(waves);
	} while (count || changed == AMD_DBGAPI_CHANGED_NO);
	reader = live_close(&client);
	stop = live_last_stop(reader);
	last = wt_reader_moment_count(reader) - 1;
	before = live_state_at(reader, stop);
	after = live_state_at(reader, last);
	assert_non_null(live_item(reader, before, WT_ITEM_OBJECT, "wave", wave, 0));
	list = live_item(reader, after, WT_ITEM_LIST, "amd_dbgapi_process_wave_list",
			 client.process.handle, 0);
	assert_non_null(list);
	assert_int_equal(list->handle_count, 0);
	assert_null(live_item(reader, after, WT_ITEM_OBJECT, "wave", wave, 0));
	wt_state_destroy(before);
	wt_state_destroy(after);
	wt_reader_close(reader);
}

/* Moments tell how the client came to them. */
static void moments_tell_what_was_done(void **unused)
{
	const struct wt_moment *moment;
	amd_dbgapi_wave_id_t wave;
	struct wt_reader *reader;
	struct live_client client;
	uint32_t count, stop;

	(void)unused;
	live_open(&client, "debug-trap", NULL);
	wave = live_run_to_stop(&client, true);
	live_drain(&client);
	assert_int_equal(client.api->wave_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
						 AMD_DBGAPI_EXCEPTION_NONE),
			 0);
	assert_int_equal(client.api->wave_stop(wave), 0);
	live_drain(&client);
	reader = live_close(&client);
	count = wt_reader_moment_count(reader);
	stop = live_last_stop(reader);
	support_must(wt_reader_moment(reader, 0, &moment));
	assert_int_equal(moment->cause, WT_MOMENT_ATTACH);
	assert_string_equal(wt_reader_name(reader, moment->function), "amd_dbgapi_process_attach");
	assert_int_equal(moment->call, 2);
	support_must(wt_reader_moment(reader, stop, &moment));
	assert_int_equal(moment->process, client.process.handle);
	assert_true(moment->after_resume);
	assert_int_equal(moment->stop_requested_count, 1);
	assert_int_equal(moment->stop_requested[0], wave.handle);
	assert_int_equal(moment->event_count, 1);
	assert_int_equal(moment->events[0].kind, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED);
	assert_int_equal(moment->events[0].answer_count, 7);
	assert_true(stop < count);
	wt_reader_close(reader);
}

static uint64_t precision_at(struct wt_reader *reader, uint64_t process, uint32_t moment)
{
	struct wt_state *state = live_state_at(reader, moment);
	const struct wt_item *map =
		live_item(reader, state, WT_ITEM_MEMORY_PRECISION, NULL, process, 0);
	uint64_t mode;

	assert_non_null(map);
	assert_int_equal(map->number_count, 1);
	mode = map->numbers[0];
	wt_state_destroy(state);
	return mode;
}

/* A stop has the precision with which its waves ran: not what is set while they stand. */
static void a_stop_has_its_precision(void **unused)
{
	const struct wt_api *api;
	amd_dbgapi_wave_id_t wave;
	struct wt_reader *reader;
	struct live_client client;
	uint64_t process;
	uint32_t stop;

	(void)unused;
	live_open(&client, "debug-trap", NULL);
	api = client.api;
	process = client.process.handle;
	wave = live_run_to_stop(&client, true);
	live_drain(&client);
	assert_int_equal(
		api->set_memory_precision(client.process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE), 0);
	/* One that is refused changes nothing. */
	assert_int_equal(
		api->set_memory_precision(client.process, (amd_dbgapi_memory_precision_t)7),
		AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(api->wave_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
					  AMD_DBGAPI_EXCEPTION_NONE),
			 0);
	assert_int_equal(api->wave_stop(wave), 0);
	live_drain(&client);
	reader = live_close(&client);
	stop = live_last_stop(reader);
	assert_int_equal(precision_at(reader, process, 0), AMD_DBGAPI_MEMORY_PRECISION_NONE);
	assert_int_equal(precision_at(reader, process, stop - 1), AMD_DBGAPI_MEMORY_PRECISION_NONE);
	assert_int_equal(precision_at(reader, process, stop), AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_of_a_stopped_wave_are_what_the_client_reads),
		cmocka_unit_test(a_fault_takes_the_memory_around_it),
		cmocka_unit_test(facts_are_what_the_library_says),
		cmocka_unit_test(a_stop_is_what_the_events_tell_of),
		cmocka_unit_test(what_the_client_reads_comes_late),
		cmocka_unit_test(memory_that_changed_is_told_again),
		cmocka_unit_test(what_is_gone_is_removed),
		cmocka_unit_test(moments_tell_what_was_done),
		cmocka_unit_test(a_stop_has_its_precision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
