/* SPDX-License-Identifier: MIT */
#include "question.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/client/marshal.h"
#include "dbgapi/table/invoke.h"

struct wt_api api;
uint64_t process;

static uint64_t hash_of(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static void print_status(amd_dbgapi_status_t status)
{
	printf(" = %s", wt_status_name(status));
}

amd_dbgapi_status_t get_info(enum wt_object object, uint64_t handle, uint32_t query, size_t size,
			     void *value)
{
	struct wt_argument arguments[WT_ARGUMENTS] = {
		{.number = handle}, {.number = query}, {.number = size}, {.pointer = value}};
	int64_t status = 0;
	const char *text;

	wt_invoke(&api, wt_objects[object].get_info, arguments, &status, &text);
	return (amd_dbgapi_status_t)status;
}

uint64_t *get_list(enum wt_function function, uint64_t owner, size_t *count_ret,
		   amd_dbgapi_status_t *status_ret)
{
	uint64_t *list = NULL;
	struct wt_argument arguments[WT_ARGUMENTS] = {
		{.number = owner}, {.pointer = count_ret}, {.pointer = &list}, {.pointer = NULL}};
	int64_t status = 0;
	const char *text;

	*count_ret = 0;
	wt_invoke(&api, function, arguments, &status, &text);
	*status_ret = (amd_dbgapi_status_t)status;
	return status == AMD_DBGAPI_STATUS_SUCCESS ? list : NULL;
}

static void ask_query(const struct question *question)
{
	enum wt_object object = (enum wt_object)question->what;
	const struct wt_query *query = wt_query_find(object, (uint32_t)question->number);
	uint8_t value[64] = {0};
	uint64_t length = 0;
	struct wt_buffer bytes = {.size = 0};
	amd_dbgapi_status_t status =
		get_info(object, question->owner, query->value, query->size, value);

	printf("%s %" PRIu64 " %s", wt_objects[object].name, question->owner, query->name);
	print_status(status);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || query->identity)
		return;
	if (query->result == WT_RESULT_BYTES)
		get_info(object, question->owner, query->length_of, sizeof(length), &length);
	wt_marshal_result(query, value, length, &bytes);
	printf(" %016" PRIx64, hash_of(bytes.data, bytes.size));
	if (bytes.size <= 8)
		for (size_t i = bytes.size; i-- > 0;)
			printf("%s%02x", i + 1 == bytes.size ? " " : "", bytes.data[i]);
	wt_buffer_deinit(&bytes);
	wt_marshal_release(query, value);
}

static void ask_list(const struct question *question)
{
	amd_dbgapi_status_t status;
	size_t count;
	wt_cleanup_free uint64_t *list =
		get_list((enum wt_function)question->what, question->owner, &count, &status);

	printf("%s(%" PRIu64 ")", wt_functions[question->what].name, question->owner);
	print_status(status);
	printf(" %zu %016" PRIx64, count, list ? hash_of(list, count * sizeof(*list)) : 0);
}

static void ask_register(const struct question *question)
{
	static uint8_t value[1024];
	uint64_t size = 0;
	amd_dbgapi_status_t status;

	get_info(WT_OBJECT_REGISTER, question->number, AMD_DBGAPI_REGISTER_INFO_SIZE, sizeof(size),
		 &size);
	memset(value, 0, sizeof(value));
	status = api.read_register((amd_dbgapi_wave_id_t){question->owner},
				   (amd_dbgapi_register_id_t){question->number}, 0,
				   size <= sizeof(value) ? size : 0, value);
	printf("wave %" PRIu64 " register %" PRIu64, question->owner, question->number);
	print_status(status);
	printf(" %016" PRIx64, hash_of(value, sizeof(value)));
}

static void ask_exists(const struct question *question)
{
	amd_dbgapi_register_exists_t exists = (amd_dbgapi_register_exists_t)0;
	amd_dbgapi_status_t status =
		api.wave_register_exists((amd_dbgapi_wave_id_t){question->owner},
					 (amd_dbgapi_register_id_t){question->number}, &exists);

	printf("wave %" PRIu64 " has register %" PRIu64, question->owner, question->number);
	print_status(status);
	printf(" %d", (int)exists);
}

static void ask_packets(const struct question *question)
{
	amd_dbgapi_os_queue_packet_id_t first = 0, past = 0;
	amd_dbgapi_size_t size = 0;
	void *bytes = NULL;
	amd_dbgapi_status_t status = api.queue_packet_list((amd_dbgapi_queue_id_t){question->owner},
							   &first, &past, &size, &bytes);

	printf("queue %" PRIu64 " packets", question->owner);
	print_status(status);
	printf(" %" PRIu64 " %" PRIu64 " %zu %016" PRIx64, first, past, (size_t)size,
	       hash_of(bytes, bytes ? size : 0));
	free(bytes);
}

static void ask_memory(const struct question *question)
{
	static uint8_t data[PAGE];
	amd_dbgapi_size_t size = sizeof(data);
	amd_dbgapi_status_t status = api.read_memory(
		(amd_dbgapi_process_id_t){process}, (amd_dbgapi_wave_id_t){question->owner},
		(amd_dbgapi_lane_id_t)question->lane,
		(amd_dbgapi_address_space_id_t){question->number}, question->address, &size, data);

	printf("memory wave %" PRIu64 " space %" PRIu64 " lane %" PRIu64 " 0x%" PRIx64,
	       question->owner, question->number, question->lane, question->address);
	print_status(status);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		printf(" %zu %016" PRIx64, (size_t)size, hash_of(data, size));
}

/* The instruction at the pc of a wave. */
static void ask_text(const struct question *question)
{
	amd_dbgapi_instruction_properties_t properties = (amd_dbgapi_instruction_properties_t)0;
	amd_dbgapi_instruction_kind_t kind = (amd_dbgapi_instruction_kind_t)0;
	amd_dbgapi_architecture_id_t architecture = {question->number};
	amd_dbgapi_size_t size = 8;
	uint8_t code[8] = {0};
	uint64_t pc = 0;
	char *text = NULL;

	get_info(WT_OBJECT_WAVE, question->owner, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc);
	api.read_memory((amd_dbgapi_process_id_t){process}, (amd_dbgapi_wave_id_t){question->owner},
			0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size, code);
	printf("wave %" PRIu64 " code at 0x%" PRIx64, question->owner, pc);
	print_status(api.disassemble_instruction(architecture, pc, &size, code, &text, NULL, NULL));
	printf(" %zu \"%s\"", (size_t)size, text ? text : "");
	free(text);
	size = sizeof(code);
	print_status(
		api.classify_instruction(architecture, pc, &size, code, &kind, &properties, NULL));
	printf(" %d %d", (int)kind, (int)properties);
}

static void ask_member(const struct question *question)
{
	amd_dbgapi_register_class_state_t state = (amd_dbgapi_register_class_state_t)0;
	amd_dbgapi_status_t status = api.register_is_in_register_class(
		(amd_dbgapi_register_class_id_t){question->owner},
		(amd_dbgapi_register_id_t){question->number}, &state);

	printf("class %" PRIu64 " register %" PRIu64, question->owner, question->number);
	print_status(status);
	printf(" %d", (int)state);
}

/* In the form that all libraries before 0.81 have, where the library has it: a replay has every form. */
static amd_dbgapi_status_t convert(const struct question *question,
				   amd_dbgapi_address_space_id_t from, uint64_t address,
				   amd_dbgapi_address_space_id_t to,
				   amd_dbgapi_segment_address_t *address_ret,
				   amd_dbgapi_size_t *size_ret)
{
	const amd_dbgapi_wave_id_t wave = {question->owner};
	const amd_dbgapi_lane_id_t lane = (amd_dbgapi_lane_id_t)question->lane;

	if (api.found_at[WT_FUNCTION_CONVERT_ADDRESS_SPACE_0_62])
		return api.convert_address_space_0_62(wave, lane, from, address, to, address_ret,
						      size_ret);
	return api.convert_address_space((amd_dbgapi_process_id_t){process}, wave, lane, from,
					 address, to, address_ret, size_ret);
}

/* What an address of one space depends on, what it is in another one, and what that is in the first one. */
static void ask_address(const struct question *question)
{
	amd_dbgapi_segment_address_dependency_t dependency =
		(amd_dbgapi_segment_address_dependency_t)0;
	amd_dbgapi_segment_address_t address = 0;
	amd_dbgapi_size_t size = 0;
	amd_dbgapi_address_space_id_t from = {question->number}, to = {question->other};

	printf("wave %" PRIu64 " lane %" PRIu64 " space %" PRIu64 " 0x%" PRIx64, question->owner,
	       question->lane, question->number, question->address);
	print_status(api.address_dependency((amd_dbgapi_process_id_t){process},
					    (amd_dbgapi_wave_id_t){question->owner}, from,
					    question->address, &dependency));
	printf(" %d in space %" PRIu64, (int)dependency, question->other);
	print_status(convert(question, from, question->address, to, &address, &size));
	printf(" 0x%" PRIx64 " %zu back", (uint64_t)address, (size_t)size);
	print_status(convert(question, to, address, from, &address, &size));
	printf(" 0x%" PRIx64 " %zu", (uint64_t)address, (size_t)size);
}

static void ask_class(const struct question *question)
{
	amd_dbgapi_address_class_state_t state = (amd_dbgapi_address_class_state_t)0;

	printf("wave %" PRIu64 " lane %" PRIu64 " space %" PRIu64 " 0x%" PRIx64
	       " in class %" PRIu64,
	       question->owner, question->lane, question->number, question->address,
	       question->other);
	print_status(api.address_is_in_address_class(
		(amd_dbgapi_wave_id_t){question->owner}, (amd_dbgapi_lane_id_t)question->lane,
		(amd_dbgapi_address_space_id_t){question->number}, question->address,
		(amd_dbgapi_address_class_id_t){question->other}, &state));
	printf(" %d", (int)state);
}

void ask(const struct question *question)
{
	static void (*const askers[])(const struct question *) = {
		[QUERY] = ask_query,	 [LIST] = ask_list,	 [REGISTER] = ask_register,
		[EXISTS] = ask_exists,	 [REGISTERS] = ask_list, [PACKETS] = ask_packets,
		[MEMORY] = ask_memory,	 [TEXT] = ask_text,	 [MEMBER] = ask_member,
		[ADDRESS] = ask_address, [CLASS] = ask_class,
	};

	askers[question->kind](question);
	putchar('\n');
}
