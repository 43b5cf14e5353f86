/* SPDX-License-Identifier: MIT */
/* What a stop of a real program leaves in the trace, over the simulated GPU. */
#include "tests/unit/recorder/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/agent.h"

#define PAGE 4096u

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t process,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = 4242;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)process;
	(void)address;
	(void)size;
	(void)read_buffer;
	(void)write_buffer;
	return AMD_DBGAPI_STATUS_ERROR;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	(void)message;
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = client_process_get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.xfer_global_memory = xfer_global_memory,
	.log_message = log_message,
};

/* A client that goes step by step, and the trace that it leaves. */
struct client {
	struct support_library library;
	const struct wt_api *api;
	amd_dbgapi_process_id_t process;
	char trace[256];
};

static void client_open(struct client *client, const char *workload, const char *options)
{
	char path[512];

	snprintf(path, sizeof(path), WORKLOADS "/%s.json", workload);
	setenv("WAVETAPE_WORKLOAD", path, 1);
	snprintf(client->trace, sizeof(client->trace), "%s", support_path("client.wtape"));
	client->library = support_load(SIMULATED_LIBRARY, client->trace, options);
	client->api = &client->library.api;
	assert_int_equal(client->api->initialize(&callbacks), 0);
	assert_int_equal(client->api->process_attach((amd_dbgapi_client_process_id_t)(void *)client,
						     &client->process),
			 0);
}

/* The trace, when the client is done. */
static struct wt_reader *client_close(struct client *client)
{
	struct wt_reader *reader;

	client->api->process_detach(client->process);
	client->api->finalize();
	support_unload(&client->library);
	support_must(wt_reader_open(client->trace, &reader));
	assert_null(wt_reader_damage(reader));
	return reader;
}

static amd_dbgapi_event_kind_t next_event(struct client *client, amd_dbgapi_event_id_t *event)
{
	amd_dbgapi_event_kind_t kind;

	assert_int_equal(client->api->process_next_pending_event(client->process, event, &kind), 0);
	return kind;
}

/* Go on until a wave stops by itself: its id. The event is processed if @process_it. */
static amd_dbgapi_wave_id_t run_to_stop(struct client *client, bool process_it)
{
	amd_dbgapi_wave_id_t wave = {0};
	amd_dbgapi_event_id_t event;

	for (int tries = 0; tries < 1000 && !wave.handle; tries++) {
		amd_dbgapi_event_kind_t kind = next_event(client, &event);

		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			continue;
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			assert_int_equal(client->api->event_get_info(event,
								     AMD_DBGAPI_EVENT_INFO_WAVE,
								     sizeof(wave), &wave),
					 0);
		if (kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP || process_it)
			assert_int_equal(client->api->event_processed(event), 0);
	}
	assert_true(wave.handle != 0);
	return wave;
}

/* Handle what is left, until there is none: the moment of the stop is written then. */
static void drain(struct client *client)
{
	amd_dbgapi_event_id_t event;

	while (next_event(client, &event) != AMD_DBGAPI_EVENT_KIND_NONE)
		assert_int_equal(client->api->event_processed(event), 0);
}

static uint32_t last_stop(struct wt_reader *reader)
{
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < wt_reader_moment_count(reader); i++) {
		const struct wt_moment *moment;

		support_must(wt_reader_moment(reader, i, &moment));
		if (moment->cause == WT_MOMENT_STOP)
			last = i;
	}
	assert_int_not_equal(last, UINT32_MAX);
	return last;
}

static struct wt_state *state_at(struct wt_reader *reader, uint32_t moment)
{
	struct wt_state *state;

	support_must(wt_reader_state(reader, moment, &state));
	return state;
}

static const struct wt_item *get(struct wt_reader *reader, const struct wt_state *state,
				 enum wt_item_type type, const char *kind, uint64_t owner,
				 uint64_t address)
{
	const struct wt_key key = {.type = type,
				   .kind = kind ? wt_reader_name_number(reader, kind) : 0,
				   .owner = owner,
				   .address = address};

	return wt_state_get(state, &key);
}

static const struct wt_answer *answer(struct wt_reader *reader, const struct wt_state *state,
				      const char *kind, uint64_t handle, const char *query)
{
	const struct wt_item *item = get(reader, state, WT_ITEM_OBJECT, kind, handle, 0);

	return item ? wt_item_answer(item, wt_reader_name_number(reader, query)) : NULL;
}

static uint64_t number(struct wt_reader *reader, const struct wt_state *state, const char *kind,
		       uint64_t handle, const char *query)
{
	const struct wt_answer *found = answer(reader, state, kind, handle, query);
	uint64_t value = 0;

	if (!found || found->status || found->size > sizeof(value))
		fail_msg("%s %lu has no %s", kind, (unsigned long)handle, query);
	memcpy(&value, found->value, found->size);
	return value;
}

/* A register's recorded value. */
static const uint8_t *register_value(struct wt_reader *reader, const struct wt_state *state,
				     uint64_t wave, uint64_t id, size_t *size_ret)
{
	const struct wt_item *item = get(reader, state, WT_ITEM_REGISTERS, NULL, wave, 0);
	size_t offset = 0;

	assert_non_null(item);
	for (size_t i = 0; i < item->handle_count; i++) {
		size_t size = (size_t)number(reader, state, "register", item->handles[i],
					     "AMD_DBGAPI_REGISTER_INFO_SIZE");

		assert_true(offset + size <= item->bytes->size);
		*size_ret = size;
		if (item->handles[i] == id)
			return item->bytes->data + offset;
		offset += size;
	}
	return NULL;
}

struct live_register {
	uint64_t id;
	size_t size;
	uint8_t value[256];
};

/* All registers of a wave, as the client reads them. */
static struct live_register *read_registers(const struct wt_api *api, amd_dbgapi_wave_id_t wave,
					    size_t *count_ret)
{
	amd_dbgapi_register_id_t *ids;
	struct live_register *live;

	assert_int_equal(api->wave_register_list(wave, count_ret, &ids), 0);
	live = calloc(*count_ret, sizeof(*live));
	for (size_t i = 0; i < *count_ret; i++) {
		amd_dbgapi_size_t size;

		live[i].id = ids[i].handle;
		assert_int_equal(api->register_get_info(ids[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
							sizeof(size), &size),
				 0);
		live[i].size = (size_t)size;
		assert_true(size <= sizeof(live[i].value));
		assert_int_equal(api->read_register(wave, ids[i], 0, size, live[i].value), 0);
	}
	free(ids);
	return live;
}

static void registers_of_a_stopped_wave_are_what_the_client_reads(void **unused)
{
	struct live_register *live;
	struct wt_reader *reader;
	struct wt_state *state;
	amd_dbgapi_wave_id_t wave;
	struct client client;
	size_t count;

	(void)unused;
	client_open(&client, "oob-store", NULL);
	wave = run_to_stop(&client, true);
	drain(&client);
	live = read_registers(client.api, wave, &count);
	reader = client_close(&client);
	state = state_at(reader, last_stop(reader));
	assert_true(count > 30);
	for (size_t i = 0; i < count; i++) {
		size_t size;
		const uint8_t *value =
			register_value(reader, state, wave.handle, live[i].id, &size);

		assert_non_null(value);
		assert_int_equal(size, live[i].size);
		assert_memory_equal(value, live[i].value, size);
	}
	assert_int_equal(
		get(reader, state, WT_ITEM_LIST, "amd_dbgapi_wave_register_list", wave.handle, 0)
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
	struct client client;
	FILE *file;

	(void)unused;
	client_open(&client, "oob-store", NULL);
	wave = run_to_stop(&client, true).handle;
	drain(&client);
	reader = client_close(&client);
	state = state_at(reader, last_stop(reader));
	for (size_t i = 0; i < wt_state_count(state); i++) {
		item = wt_state_at(state, i);
		if (item->key.type != WT_ITEM_MEMORY || !item->status)
			continue;
		assert_int_equal(item->status, AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
		assert_int_equal(unreadable, 0);
		unreadable = item->key.address;
	}
	assert_true(unreadable != 0);
	item = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
		   unreadable - PAGE);
	assert_non_null(item);
	assert_int_equal(item->bytes->size, PAGE);
	item = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
		   number(reader, state, "wave", wave, "AMD_DBGAPI_WAVE_INFO_PC") & ~(PAGE - 1ull));
	assert_non_null(item);
	dispatch = number(reader, state, "wave", wave, "AMD_DBGAPI_WAVE_INFO_DISPATCH");
	item = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
		   number(reader, state, "dispatch", dispatch,
			  "AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS") &
			   ~(PAGE - 1ull));
	assert_non_null(item);
	item = get(reader, state, WT_ITEM_PACKETS, NULL,
		   number(reader, state, "wave", wave, "AMD_DBGAPI_WAVE_INFO_QUEUE"), 0);
	assert_non_null(item);
	assert_int_equal(item->number_count, 2);
	assert_int_equal(item->bytes->size, (item->numbers[1] - item->numbers[0]) * 64);
	item = get(reader, state, WT_ITEM_LIST, "amd_dbgapi_process_code_object_list",
		   client.process.handle, 0);
	object = item->handles[0];
	image = get(reader, state, WT_ITEM_IMAGE, NULL, object, 0);
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
	struct client client;
	uint64_t dwarf_found = 0;

	(void)unused;
	client_open(&client, "vecadd", NULL);
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
	reader = client_close(&client);
	support_must(wt_reader_facts(reader, &facts));
	for (size_t c = 0; c < class_count; c++) {
		const struct wt_item *list =
			get(reader, facts, WT_ITEM_LIST, "amd_dbgapi_register_is_in_register_class",
			    classes[c].handle, 0);
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
			get(reader, facts, WT_ITEM_MAP, "amd_dbgapi_dwarf_register_to_register",
			    architecture.handle, 0);

		for (size_t i = 0; i < register_count; i++)
			for (size_t j = 0; j < map->number_count; j++)
				dwarf_found += map->numbers[j] == dwarf[i] &&
					       map->handles[j] == registers[i].handle;
		assert_true(map->number_count > 100);
		assert_int_equal(dwarf_found, map->number_count);
		map = get(reader, facts, WT_ITEM_MAP, "amd_dbgapi_get_architecture", 0, 0);
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
	struct client client;
	uint8_t code[4], trap[4] = {1, 2, 3, 4};
	size_t value_size;

	(void)unused;
	client_open(&client, "oob-store", NULL);
	wave = run_to_stop(&client, false);
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
	drain(&client);
	reader = client_close(&client);
	state = state_at(reader, last_stop(reader));
	assert_int_equal(number(reader, state, "wave", wave.handle, "AMD_DBGAPI_WAVE_INFO_PC"), pc);
	assert_memory_equal(
		register_value(reader, state, wave.handle, pc_register.handle, &value_size), &pc,
		sizeof(pc));
	page = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
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
	struct client client;
	amd_dbgapi_event_id_t event;
	const struct wt_item *item;

	(void)unused;
	client_open(&client, "vecadd", NULL);
	assert_int_equal(client.api->read_memory(client.process, AMD_DBGAPI_WAVE_NONE,
						 AMD_DBGAPI_LANE_NONE, global, ring_lookup + 5,
						 &size, &byte),
			 0);
	size = 1;
	assert_int_equal(client.api->read_memory(client.process, AMD_DBGAPI_WAVE_NONE,
						 AMD_DBGAPI_LANE_NONE, global, 0x1234567000, &size,
						 &byte),
			 AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
	next_event(&client, &event);
	reader = client_close(&client);
	state = state_at(reader, 0);
	item = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle, ring_lookup);
	assert_non_null(item);
	assert_int_equal(item->status, 0);
	assert_true(item->bytes->size > 5);
	item = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle, 0x1234567000);
	assert_non_null(item);
	assert_int_equal(item->status, AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
	wt_state_destroy(state);
	wt_reader_close(reader);
}

/* Where the third argument of the first dispatch points: from the packet in the queue. */
static uint64_t third_argument(struct client *client)
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
	struct client client;
	uint64_t address;

	(void)unused;
	client_open(&client, "vecadd", NULL);
	address = third_argument(&client) + 4;
	for (int i = 0; i < 2; i++) {
		amd_dbgapi_size_t size = sizeof(*words);

		assert_int_equal(client.api->read_memory(client.process, AMD_DBGAPI_WAVE_NONE,
							 AMD_DBGAPI_LANE_NONE, global, address,
							 &size, &words[i]),
				 0);
		for (int passes = 0; !i && passes < 100; passes++)
			drain(&client);
	}
	assert_int_equal(words[0], 0);
	assert_int_not_equal(words[1], 0);
	reader = client_close(&client);
	for (int i = 0; i < 2; i++) {
		state = state_at(reader, i ? wt_reader_moment_count(reader) - 1 : 0);
		page = get(reader, state, WT_ITEM_MEMORY, "global", client.process.handle,
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
	struct client client;
	uint64_t wave;
	uint32_t stop, last;
	size_t count;

	(void)unused;
	client_open(&client, "debug-trap", NULL);
	wave = run_to_stop(&client, true).handle;
	drain(&client);
	assert_int_equal(client.api->process_wave_list(client.process, &count, &waves, NULL), 0);
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		client.api->wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
					AMD_DBGAPI_EXCEPTION_NONE);
	free(waves);
	do {
		drain(&client);
		assert_int_equal(
			client.api->process_wave_list(client.process, &count, &waves, &changed), 0);
		for (size_t i = 0; i < count; i++)
			client.api->wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
						AMD_DBGAPI_EXCEPTION_NONE);
		free(waves);
	} while (count || changed == AMD_DBGAPI_CHANGED_NO);
	reader = client_close(&client);
	stop = last_stop(reader);
	last = wt_reader_moment_count(reader) - 1;
	before = state_at(reader, stop);
	after = state_at(reader, last);
	assert_non_null(get(reader, before, WT_ITEM_OBJECT, "wave", wave, 0));
	list = get(reader, after, WT_ITEM_LIST, "amd_dbgapi_process_wave_list",
		   client.process.handle, 0);
	assert_non_null(list);
	assert_int_equal(list->handle_count, 0);
	assert_null(get(reader, after, WT_ITEM_OBJECT, "wave", wave, 0));
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
	struct client client;
	uint32_t count, stop;

	(void)unused;
	client_open(&client, "debug-trap", NULL);
	wave = run_to_stop(&client, true);
	drain(&client);
	assert_int_equal(client.api->wave_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
						 AMD_DBGAPI_EXCEPTION_NONE),
			 0);
	assert_int_equal(client.api->wave_stop(wave), 0);
	drain(&client);
	reader = client_close(&client);
	count = wt_reader_moment_count(reader);
	stop = last_stop(reader);
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

static void run_agent(const char *library, const struct wt_agent_options *options,
		      const char *workload, struct wt_agent_summary *summary)
{
	char path[512];
	struct wt_api api;

	snprintf(path, sizeof(path), WORKLOADS "/%s.json", workload);
	setenv("WAVETAPE_WORKLOAD", path, 1);
	support_must(wt_api_load(library, &api));
	support_must(wt_agent_run(&api, options, summary));
}

/*
 * Run the agent in a process of its own, with a trace or without: process handles count up for as long as a
 * library lives.
 */
static void agent_apart(const char *trace, const char *workload, struct wt_agent_summary *summary)
{
	const struct wt_agent_options options = {.size = sizeof(options), .reproducible = true};
	struct wt_agent_summary *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	assert_true(shared != MAP_FAILED);
	child = fork();
	if (!child && trace) {
		struct support_library library =
			support_load(SIMULATED_LIBRARY, trace, "reproducible");

		run_agent(library.path, &options, workload, shared);
		support_unload(&library);
	} else if (!child) {
		run_agent(SIMULATED_LIBRARY, &options, workload, shared);
	}
	if (!child)
		_exit(0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	*summary = *shared;
	munmap(shared, sizeof(*shared));
}

static bool same_files(const char *a, const char *b)
{
	FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
	int c = 0;
	bool same;

	assert_non_null(x);
	assert_non_null(y);
	do {
		c = fgetc(x);
		same = c == fgetc(y);
	} while (same && c != EOF);
	fclose(x);
	fclose(y);
	return same;
}

static void the_agent_sees_the_same_and_records_it_twice_the_same(void **unused)
{
	static const char *const workloads[] = {"oob-store", "assert-trap", "debug-trap",
						"illegal",   "vecadd",	    "matmul-short-buffer"};

	(void)unused;
	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++) {
		struct wt_agent_summary plain, first, second;

		agent_apart(NULL, workloads[i], &plain);
		agent_apart(support_path("one.wtape"), workloads[i], &first);
		agent_apart(support_path("two.wtape"), workloads[i], &second);
		assert_true(plain.stops > 0);
		assert_memory_equal(&plain, &first, sizeof(plain));
		assert_memory_equal(&plain, &second, sizeof(plain));
		assert_true(same_files(support_path("one.wtape"), support_path("two.wtape")));
	}
}

static void the_agent_keeps_its_limits(void **unused)
{
	struct wt_agent_options options = {.size = sizeof(options), .stop_limit = 1};
	struct wt_agent_summary summary;

	(void)unused;
	run_agent(SIMULATED_LIBRARY, &options, "debug-trap", &summary);
	assert_int_equal(summary.end, WT_AGENT_STOP_LIMIT);
	assert_int_equal(summary.stops, 1);
	options.stop_limit = 0;
	run_agent(SIMULATED_LIBRARY, &options, "debug-trap", &summary);
	assert_int_equal(summary.end, WT_AGENT_IDLE);
	assert_true(summary.debug_traps > 0);
	run_agent(SIMULATED_LIBRARY, NULL, "oob-store", &summary);
	assert_int_equal(summary.end, WT_AGENT_FAULT);
	assert_int_equal(summary.fault_reasons, AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	assert_true(summary.fault_wave != 0);
}

static void the_agent_tells_why_it_cannot(void **unused)
{
	struct wt_agent_summary summary = {.stops = 77};
	struct wt_error *error;
	struct wt_api api;

	(void)unused;
	setenv("WAVETAPE_WORKLOAD", "/no/such/workload.json", 1);
	support_must(wt_api_load(SIMULATED_LIBRARY, &api));
	error = wt_agent_run(&api, NULL, &summary);
	assert_non_null(error);
	assert_non_null(strstr(error->where, "amd_dbgapi_process_attach"));
	assert_non_null(strstr(error->why, "/no/such/workload.json"));
	assert_int_equal(summary.stops, 77);
	wt_error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* First, while no library that its processes would inherit is loaded. */
		cmocka_unit_test(the_agent_sees_the_same_and_records_it_twice_the_same),
		cmocka_unit_test(registers_of_a_stopped_wave_are_what_the_client_reads),
		cmocka_unit_test(a_fault_takes_the_memory_around_it),
		cmocka_unit_test(facts_are_what_the_library_says),
		cmocka_unit_test(a_stop_is_what_the_events_tell_of),
		cmocka_unit_test(what_the_client_reads_comes_late),
		cmocka_unit_test(memory_that_changed_is_told_again),
		cmocka_unit_test(what_is_gone_is_removed),
		cmocka_unit_test(moments_tell_what_was_done),
		cmocka_unit_test(the_agent_keeps_its_limits),
		cmocka_unit_test(the_agent_tells_why_it_cannot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
