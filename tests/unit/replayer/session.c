/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

#define ARCHITECTURE (gfx_architecture_by_name("gfx942"))

/* The registers that the waves of the session have. */
static const char *const register_names[] = {"s0", "s1", "v0", "pc", "exec", "vcc", "status"};
#define REGISTERS (sizeof(register_names) / sizeof(*register_names))

amd_dbgapi_callbacks_t session_callbacks;
char session_log[4096];
unsigned session_allocations;

void session_must(struct wt_error *error)
{
	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
}

static char directory[64];

static void remove_directory(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		fprintf(stderr, "cannot remove %s\n", directory);
}

const char *session_path(const char *name)
{
	static char paths[16][128];
	static unsigned used;
	char *path = paths[used++ % 16];

	if (!directory[0]) {
		const char *base = getenv("TMPDIR");

		snprintf(directory, sizeof(directory), "%.40s/wavetape-XXXXXX",
			 base ? base : "/tmp");
		if (!mkdtemp(directory))
			fail_msg("no directory for files");
		atexit(remove_directory);
	}
	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

static void *test_allocate(size_t size)
{
	session_allocations++;
	return malloc(size ? size : 1);
}

static void test_deallocate(void *memory)
{
	free(memory);
}

static amd_dbgapi_status_t test_process_info(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_client_process_info_t query, size_t size,
					     void *value)
{
	amd_dbgapi_os_process_id_t id = 4711;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t test_insert(amd_dbgapi_client_process_id_t process,
				       amd_dbgapi_global_address_t address,
				       amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t test_remove(amd_dbgapi_client_process_id_t process,
				       amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t test_transfer(amd_dbgapi_client_process_id_t process,
					 amd_dbgapi_global_address_t address,
					 amd_dbgapi_size_t *size, void *read, const void *write)
{
	(void)process;
	(void)address;
	(void)size;
	(void)read;
	(void)write;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void test_log(amd_dbgapi_log_level_t level, const char *message)
{
	size_t used = strlen(session_log);

	snprintf(session_log + used, sizeof(session_log) - used, "%d %s\n", (int)level, message);
}

const struct wt_api *session_api(const char *path)
{
	static struct wt_api api;
	static bool loaded;

	session_callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = test_allocate,
		.deallocate_memory = test_deallocate,
		.client_process_get_info = test_process_info,
		.insert_breakpoint = test_insert,
		.remove_breakpoint = test_remove,
		.xfer_global_memory = test_transfer,
		.log_message = test_log,
	};
	if (path)
		setenv("WAVETAPE_TRACE", path, 1);
	else
		unsetenv("WAVETAPE_TRACE");
	if (!loaded)
		session_must(wt_api_load(getenv("WT_REPLAY_LIBRARY"), &api));
	loaded = true;
	session_log[0] = '\0';
	return &api;
}

const struct wt_api *session_begin(const char *path, amd_dbgapi_process_id_t *process_ret)
{
	const struct wt_api *api = session_api(path);

	assert_int_equal(api->initialize(&session_callbacks), AMD_DBGAPI_STATUS_SUCCESS);
	assert_int_equal(
		api->process_attach((amd_dbgapi_client_process_id_t)&session_log, process_ret),
		AMD_DBGAPI_STATUS_SUCCESS);
	assert_int_equal(process_ret->handle, SESSION_PROCESS);
	return api;
}

void session_end(const struct wt_api *api)
{
	assert_int_equal(api->finalize(), AMD_DBGAPI_STATUS_SUCCESS);
}

uint64_t session_pump(const struct wt_api *api, amd_dbgapi_event_kind_t expected)
{
	amd_dbgapi_event_id_t event = {99};
	amd_dbgapi_event_kind_t kind = (amd_dbgapi_event_kind_t)99;

	assert_int_equal(api->process_next_pending_event((amd_dbgapi_process_id_t){SESSION_PROCESS},
							 &event, &kind),
			 AMD_DBGAPI_STATUS_SUCCESS);
	assert_int_equal(kind, expected);
	assert_int_equal(event.handle != 0, expected != AMD_DBGAPI_EVENT_KIND_NONE);
	return event.handle;
}

uint64_t session_register(const char *name)
{
	struct gfx_register reg;

	assert_true(gfx_register_by_name(ARCHITECTURE, name, &reg));
	return reg.id;
}

uint64_t session_space(enum gfx_space space)
{
	return gfx_address_space_of(ARCHITECTURE, space)->id;
}

/* ---- The state, item by item ---- */

struct builder {
	struct wt_writer *writer;
	struct wt_state *state;
	const struct session_options *options;
};

static uint32_t name(struct builder *b, const char *text)
{
	uint32_t number = wt_writer_name(b->writer, text);

	assert_int_not_equal(number, 0);
	return number;
}

static void put(struct builder *b, struct wt_item *item)
{
	session_must(wt_state_set(b->state, item));
}

static void list(struct builder *b, enum wt_function function, uint64_t owner,
		 const uint64_t *handles, size_t count)
{
	struct wt_item item = {.key = {.type = WT_ITEM_LIST,
				       .kind = name(b, wt_functions[function].name),
				       .owner = owner},
			       .handles = (uint64_t *)(uintptr_t)handles,
			       .handle_count = count};

	put(b, &item);
}

static void map(struct builder *b, enum wt_function function, uint64_t owner, uint64_t number,
		uint64_t handle)
{
	struct wt_item item = {.key = {.type = WT_ITEM_MAP,
				       .kind = name(b, wt_functions[function].name),
				       .owner = owner},
			       .numbers = &number,
			       .number_count = 1,
			       .handles = &handle,
			       .handle_count = 1};

	put(b, &item);
}

/* Answers are added one by one to an object that is put last. */
struct object {
	struct wt_item item;
	struct wt_answer answers[20];
	uint8_t values[20][1024];
	enum wt_object kind;
};

static void begin_object(struct builder *b, struct object *object, enum wt_object kind,
			 uint64_t handle)
{
	memset(object, 0, sizeof(*object));
	object->kind = kind;
	object->item.key = (struct wt_key){
		.type = WT_ITEM_OBJECT, .kind = name(b, wt_objects[kind].name), .owner = handle};
	object->item.answers = object->answers;
}

static void answer(struct builder *b, struct object *object, uint32_t query, int64_t status,
		   const void *value, size_t size)
{
	const struct wt_query *known = wt_query_find(object->kind, query);
	size_t index = object->item.answer_count++;

	assert_non_null(known);
	assert_true(index < 20 && size <= 1024);
	if (b->options->hostile && size > 1)
		size--;
	if (size)
		memcpy(object->values[index], value, size);
	object->answers[index] = (struct wt_answer){.query = name(b, known->name),
						    .status = status,
						    .value = object->values[index],
						    .size = size};
}

static void number(struct builder *b, struct object *object, uint32_t query, uint64_t value)
{
	const struct wt_query *known = wt_query_find(object->kind, query);

	answer(b, object, query, 0, &value, known->size);
}

static void text(struct builder *b, struct object *object, uint32_t query, const char *value)
{
	answer(b, object, query, 0, value, strlen(value));
}

static void fails(struct builder *b, struct object *object, uint32_t query, int64_t status)
{
	answer(b, object, query, status, NULL, 0);
}

static void register_facts(struct builder *b)
{
	uint64_t ids[REGISTERS], class_id = ARCHITECTURE->classes[0].id;
	struct object object;

	for (size_t i = 0; i < REGISTERS; i++) {
		struct gfx_register reg;

		assert_true(gfx_register_by_name(ARCHITECTURE, register_names[i], &reg));
		ids[i] = reg.id;
		begin_object(b, &object, WT_OBJECT_REGISTER, reg.id);
		number(b, &object, AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE, ARCHITECTURE->id);
		text(b, &object, AMD_DBGAPI_REGISTER_INFO_NAME, reg.name);
		/* A size that no register has, or that leads past the values. */
		number(b, &object, AMD_DBGAPI_REGISTER_INFO_SIZE,
		       b->options->hostile && i == 2 ? 0xfffffff0 : reg.range->size);
		text(b, &object, AMD_DBGAPI_REGISTER_INFO_TYPE, reg.range->type);
		put(b, &object.item);
	}
	list(b, WT_FUNCTION_ARCHITECTURE_REGISTER_LIST, ARCHITECTURE->id, ids, REGISTERS);
	begin_object(b, &object, WT_OBJECT_REGISTER_CLASS, class_id);
	number(b, &object, AMD_DBGAPI_REGISTER_CLASS_INFO_ARCHITECTURE, ARCHITECTURE->id);
	text(b, &object, AMD_DBGAPI_REGISTER_CLASS_INFO_NAME, "general");
	put(b, &object.item);
	list(b, WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST, ARCHITECTURE->id, &class_id, 1);
	list(b, WT_FUNCTION_REGISTER_IS_IN_REGISTER_CLASS, class_id, ids, 3);
	map(b, WT_FUNCTION_DWARF_REGISTER_TO_REGISTER, ARCHITECTURE->id, 16, ids[3]);
}

static void space_facts(struct builder *b)
{
	uint64_t ids[8];
	struct object object;

	for (size_t i = 0; i < ARCHITECTURE->space_count; i++) {
		const struct gfx_address_space *space = &ARCHITECTURE->spaces[i];

		ids[i] = space->id;
		begin_object(b, &object, WT_OBJECT_ADDRESS_SPACE, space->id);
		text(b, &object, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME, space->name);
		number(b, &object, AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE, space->address_bits);
		put(b, &object.item);
	}
	list(b, WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST, ARCHITECTURE->id, ids,
	     ARCHITECTURE->space_count);
}

static void facts(struct builder *b)
{
	const struct wt_item *items[64];
	struct object object;
	size_t count;

	begin_object(b, &object, WT_OBJECT_ARCHITECTURE, ARCHITECTURE->id);
	text(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, "gfx942");
	number(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
	       ARCHITECTURE->elf_machine);
	number(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE, 4);
	answer(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION, 0,
	       ARCHITECTURE->breakpoint, 4);
	number(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, session_register("pc"));
	put(b, &object.item);
	map(b, WT_FUNCTION_GET_ARCHITECTURE, 0, 0x7777, 0);
	register_facts(b);
	space_facts(b);
	count = wt_state_count(b->state);
	assert_true(count <= 64);
	for (size_t i = 0; i < count; i++)
		items[i] = wt_state_at(b->state, i);
	session_must(wt_writer_facts(b->writer, items, count));
}

static void process_objects(struct builder *b)
{
	static const uint64_t one = 1;
	struct object object;

	begin_object(b, &object, WT_OBJECT_PROCESS, SESSION_PROCESS);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_NOTIFIER, 33);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_OS_ID, 1234);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED,
	       AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
	fails(b, &object, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
	      AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN);
	put(b, &object.item);
	begin_object(b, &object, WT_OBJECT_AGENT, 1);
	text(b, &object, AMD_DBGAPI_AGENT_INFO_NAME, "agent");
	number(b, &object, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, ARCHITECTURE->id);
	put(b, &object.item);
	begin_object(b, &object, WT_OBJECT_QUEUE, 1);
	number(b, &object, AMD_DBGAPI_QUEUE_INFO_AGENT, 1);
	fails(b, &object, AMD_DBGAPI_QUEUE_INFO_STATE, AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED);
	put(b, &object.item);
	begin_object(b, &object, WT_OBJECT_CODE_OBJECT, 1);
	text(b, &object, AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, "file:///tmp/a.co");
	put(b, &object.item);
	list(b, WT_FUNCTION_PROCESS_AGENT_LIST, SESSION_PROCESS, &one, 1);
	list(b, WT_FUNCTION_PROCESS_QUEUE_LIST, SESSION_PROCESS, &one, 1);
	list(b, WT_FUNCTION_PROCESS_CODE_OBJECT_LIST, SESSION_PROCESS, &one, 1);
}

static void packets(struct builder *b)
{
	uint64_t ids[2] = {4, 5};
	struct wt_item item = {.key = {.type = WT_ITEM_PACKETS, .owner = 1},
			       .numbers = ids,
			       .number_count = b->options->hostile ? 1 : 2,
			       .bytes = wt_bytes_create("packet", 6)};

	put(b, &item);
	wt_bytes_release(item.bytes);
}

static void page(struct builder *b, const char *space, uint64_t owner, uint64_t address,
		 uint8_t fill, size_t size)
{
	struct wt_item item = {.key = {.type = WT_ITEM_MEMORY,
				       .kind = name(b, space),
				       .owner = owner,
				       .address = address}};
	uint8_t bytes[4096];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(fill + i);
	item.bytes = wt_bytes_create(bytes, size);
	put(b, &item);
	wt_bytes_release(item.bytes);
}

static void registers(struct builder *b, uint64_t wave, uint64_t seed)
{
	wt_cleanup_buffer struct wt_buffer values = {0};
	uint64_t ids[REGISTERS];
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave},
			       .handles = ids,
			       .handle_count = REGISTERS};

	for (size_t i = 0; i < REGISTERS; i++) {
		struct gfx_register reg;

		assert_true(gfx_register_by_name(ARCHITECTURE, register_names[i], &reg));
		ids[i] = reg.id;
		for (uint32_t j = 0; j < reg.range->size; j++)
			wt_buffer_append(&values, &(uint8_t){(uint8_t)(seed + 16 * i + j)}, 1);
	}
	item.bytes = wt_bytes_create(values.data, values.size);
	put(b, &item);
	wt_bytes_release(item.bytes);
	list(b, WT_FUNCTION_WAVE_REGISTER_LIST, wave, ids, REGISTERS);
}

/* A wave that runs, or has stopped for a reason. */
static void wave(struct builder *b, uint64_t handle, bool stopped, uint32_t reason, uint64_t seed)
{
	const uint32_t coordinates[3] = {1, 2, 3};
	struct object object;

	begin_object(b, &object, WT_OBJECT_WAVE, handle);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_STATE,
	       stopped ? AMD_DBGAPI_WAVE_STATE_STOP : AMD_DBGAPI_WAVE_STATE_RUN);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_WORKGROUP, 1);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, ARCHITECTURE->id);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, SESSION_LANES);
	answer(b, &object, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, 0, coordinates, 12);
	fails(b, &object, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
	      AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	if (stopped) {
		number(b, &object, AMD_DBGAPI_WAVE_INFO_STOP_REASON, reason);
		number(b, &object, AMD_DBGAPI_WAVE_INFO_PC, 0x1000 + seed);
		number(b, &object, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, seed);
		fails(b, &object, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, 0);
		registers(b, handle, seed);
	} else {
		fails(b, &object, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
		      AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
		fails(b, &object, AMD_DBGAPI_WAVE_INFO_PC,
		      AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	}
	put(b, &object.item);
}

/* ---- Moments ---- */

struct event_source {
	uint64_t handle;
	uint32_t kind;
	uint64_t wave;
};

static void moment(struct builder *b, enum wt_moment_cause cause, enum wt_function function,
		   const struct event_source *sources, size_t count, bool after_resume,
		   uint64_t stop_requested)
{
	const struct wt_log_message log = {AMD_DBGAPI_LOG_LEVEL_WARNING, "a stop", 0};
	static struct object answers[4];
	struct wt_event events[4];
	struct wt_moment moment = {
		.process = SESSION_PROCESS,
		.cause = cause,
		.function = name(b, wt_functions[function].name),
		.events = events,
		.event_count = count,
		.after_resume = after_resume,
		.stop_requested = &stop_requested,
		.stop_requested_count = stop_requested != 0,
		.log = &log,
		.log_count = cause == WT_MOMENT_STOP,
	};

	for (size_t i = 0; i < count; i++) {
		begin_object(b, &answers[i], WT_OBJECT_EVENT, sources[i].handle);
		number(b, &answers[i], AMD_DBGAPI_EVENT_INFO_PROCESS, SESSION_PROCESS);
		number(b, &answers[i], AMD_DBGAPI_EVENT_INFO_KIND, sources[i].kind);
		if (sources[i].wave)
			number(b, &answers[i], AMD_DBGAPI_EVENT_INFO_WAVE, sources[i].wave);
		else
			fails(b, &answers[i], AMD_DBGAPI_EVENT_INFO_WAVE,
			      AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
		if (sources[i].kind == AMD_DBGAPI_EVENT_KIND_RUNTIME)
			number(b, &answers[i], AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
			       AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
		events[i] = (struct wt_event){.handle = sources[i].handle,
					      .kind = sources[i].kind,
					      .answers = answers[i].answers,
					      .answer_count = answers[i].item.answer_count};
	}
	session_must(wt_writer_moment(b->writer, &moment, b->state));
}

static void first_moments(struct builder *b)
{
	static const struct event_source runtime = {1, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0};

	process_objects(b);
	packets(b);
	list(b, WT_FUNCTION_PROCESS_WAVE_LIST, SESSION_PROCESS, NULL, 0);
	moment(b, WT_MOMENT_ATTACH, WT_FUNCTION_PROCESS_ATTACH, NULL, 0, false, 0);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, &runtime, 1, false, 0);
	moment(b, WT_MOMENT_PASS, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, NULL, 0, false, 0);
}

static void three_waves(struct builder *b)
{
	static const struct event_source stops[] = {{2, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1},
						    {3, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 2}};
	static const uint64_t waves[] = {1, 2, 3}, unknown[] = {1, 2, 3, 500, 0};
	struct object object;

	begin_object(b, &object, WT_OBJECT_WORKGROUP, 1);
	number(b, &object, AMD_DBGAPI_WORKGROUP_INFO_PROCESS, SESSION_PROCESS);
	put(b, &object.item);
	wave(b, 1, true, AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION, 0x10);
	wave(b, 2, true, AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP, 0x20);
	wave(b, 3, false, 0, 0);
	list(b, WT_FUNCTION_PROCESS_WAVE_LIST, SESSION_PROCESS,
	     b->options->hostile ? unknown : waves, b->options->hostile ? 5 : 3);
	page(b, "global", SESSION_PROCESS, SESSION_PAGE, 0, 4096);
	page(b, "global", SESSION_PROCESS, SESSION_PAGE + 4096, 7, SESSION_TAIL);
	page(b, "local", 1, 0, 0x40, SESSION_LOCAL);
	page(b, "private_wave", 1, 0, 0x80, SESSION_PRIVATE);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_WAVE_RESUME, stops, 2, false, 0);
}

/* The recorded client asked for an event once more, before it did anything else. */
static void poll_before(struct builder *b, unsigned next)
{
	if (b->options->polled_before == next)
		moment(b, WT_MOMENT_PASS, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, NULL, 0, false,
		       0);
}

static void last_moments(struct builder *b, unsigned last)
{
	static const struct event_source stepped = {4, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1},
					 asked = {5, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 3},
					 gone = {6, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED,
						 2};
	static const uint64_t waves[] = {3};
	const struct wt_key object = {.type = WT_ITEM_OBJECT, .kind = name(b, "wave"), .owner = 1};
	struct wt_key other = object;

	poll_before(b, 4);
	wave(b, 1, true, AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP, 0x30);
	page(b, "global", SESSION_PROCESS, SESSION_PAGE, 1, 4096);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, &stepped, 1, true, 0);
	if (last < 5)
		return;
	poll_before(b, 5);
	wave(b, 3, true, AMD_DBGAPI_WAVE_STOP_REASON_NONE, 0x40);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_WAVE_RESUME, &asked, 1, false, 3);
	moment(b, WT_MOMENT_PASS, WT_FUNCTION_PROCESS_SET_PROGRESS, NULL, 0, true, 0);
	wt_state_remove(b->state, &object);
	other.owner = 2;
	wt_state_remove(b->state, &other);
	list(b, WT_FUNCTION_PROCESS_WAVE_LIST, SESSION_PROCESS, waves, 1);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, &gone, 1, false, 0);
}

/* ---- The journal of a client that attached, asked this and that, and detached ---- */

static struct wt_value n(uint64_t value)
{
	return (struct wt_value){.form = WT_VALUE_NUMBER, .number = value};
}

static struct wt_value data(const void *bytes, size_t size)
{
	return (struct wt_value){.form = WT_VALUE_DATA, .data = bytes, .size = size};
}

static const struct wt_value given = {.form = WT_VALUE_PRESENT, .number = 1};
static const struct wt_value absent = {.form = WT_VALUE_ABSENT};

static void begin(struct builder *b, uint64_t call, enum wt_function function,
		  const struct wt_value *inputs, size_t count)
{
	const struct wt_call_begin record = {.number = call,
					     .function = name(b, wt_functions[function].name),
					     .thread = 1,
					     .inputs = inputs,
					     .input_count = count};

	session_must(wt_writer_call_begin(b->writer, &record));
}

static void end(struct builder *b, uint64_t call, int64_t status, const struct wt_value *outputs,
		size_t count)
{
	const struct wt_call_end record = {
		.number = call, .status = status, .outputs = outputs, .output_count = count};

	session_must(wt_writer_call_end(b->writer, &record));
}

static void called_back(struct builder *b, uint64_t call, const char *callback,
			const struct wt_value *inputs, size_t count, int64_t result,
			const struct wt_value *outputs, size_t output_count)
{
	const struct wt_callback record = {.call = call,
					   .function = name(b, callback),
					   .inputs = inputs,
					   .input_count = count,
					   .result = result,
					   .outputs = outputs,
					   .output_count = output_count};

	session_must(wt_writer_callback(b->writer, &record));
}

static void journal_before_attach(struct builder *b)
{
	const struct wt_value callbacks = n(0x7f), client = n(1), pid = data("\x01\x02\x00\x00", 4);
	const struct wt_value attach[] = {client, given}, process = n(SESSION_PROCESS);
	const struct wt_value question[] = {client, n(AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID), n(4),
					    given};
	const struct wt_value level = n(AMD_DBGAPI_LOG_LEVEL_WARNING);

	begin(b, 1, WT_FUNCTION_SET_LOG_LEVEL, &level, 1);
	end(b, 1, 0, NULL, 0);
	begin(b, 2, WT_FUNCTION_INITIALIZE, &callbacks, 1);
	end(b, 2, 0, NULL, 0);
	begin(b, 3, WT_FUNCTION_PROCESS_ATTACH, attach, 2);
	called_back(b, 3, "client_process_get_info", question, 4, 0, &pid, 1);
	end(b, 3, 0, &process, 1);
}

static void journal_after_attach(struct builder *b)
{
	const struct wt_value size = n(b->options->wrong_allocation ? 7 : 6);
	const struct wt_value agent[] = {n(1), n(AMD_DBGAPI_AGENT_INFO_NAME), n(8), given};
	const struct wt_value wrong_size[] = {n(1), n(AMD_DBGAPI_AGENT_INFO_NAME), n(3), given};
	const struct wt_value notifier[] = {n(SESSION_PROCESS), n(AMD_DBGAPI_PROCESS_INFO_NOTIFIER),
					    n(4), given};
	const struct wt_value text = data(b->options->wrong_output ? "agenT" : "agent", 5);
	const struct wt_value descriptor = data("\x63\x00\x00\x00", 4);
	const struct wt_value agents[] = {n(SESSION_PROCESS), given, given, given};
	const uint64_t one = 1;
	const struct wt_value list_outputs[] = {n(1), data(&one, 8), n(AMD_DBGAPI_CHANGED_YES)};
	const struct wt_value process = n(SESSION_PROCESS);
	const struct wt_value bytes8 = n(8);

	const struct wt_value pump[] = {process, given, given};
	const struct wt_value runtime[] = {n(1), n(AMD_DBGAPI_EVENT_KIND_RUNTIME)};
	const struct wt_value none[] = {n(0), n(0)};
	const struct wt_value message[] = {n(AMD_DBGAPI_LOG_LEVEL_WARNING), data("a stop", 6)};

	begin(b, 4, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump, 3);
	called_back(b, 4, "log_message", message, 2, 0, NULL, 0);
	end(b, 4, 0, runtime, 2);
	begin(b, 5, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump, 3);
	end(b, 5, 0, none, 2);
	begin(b, 6, WT_FUNCTION_AGENT_GET_INFO, agent, 4);
	called_back(b, 6, "allocate_memory", &size, 1, 1, NULL, 0);
	end(b, 6, b->options->wrong_status ? -1 : 0, &text, 1);
	begin(b, 7, WT_FUNCTION_AGENT_GET_INFO, wrong_size, 4);
	end(b, 7, AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY, &absent, 1);
	begin(b, 8, WT_FUNCTION_PROCESS_GET_INFO, notifier, 4);
	end(b, 8, 0, &descriptor, 1);
	begin(b, 9, WT_FUNCTION_PROCESS_AGENT_LIST, agents, 4);
	called_back(b, 9, "allocate_memory", &bytes8, 1, 1, NULL, 0);
	end(b, 9, 0, list_outputs, 3);
	begin(b, 10, WT_FUNCTION_PROCESS_DETACH, &process, 1);
	end(b, 10, 0, NULL, 0);
	begin(b, 11, WT_FUNCTION_FINALIZE, NULL, 0);
	if (!b->options->no_end)
		end(b, 11, 0, NULL, 0);
}

static void all_moments(struct builder *b, unsigned last)
{
	first_moments(b);
	if (last >= 3)
		three_waves(b);
	if (last >= 4)
		last_moments(b, last);
}

const char *session_write(const struct session_options *options)
{
	static unsigned written;
	const struct wt_writer_options writer = {.size = sizeof(writer),
						 .recorder = "a test",
						 .api_level = "0.77.0",
						 .library_version = "0.77.3",
						 .library_build_name = "built by hand",
						 .reproducible = true,
						 .keyframe_interval = 3};
	struct builder b = {.options = options, .state = wt_state_create()};
	/* The journal's client saw no more than the first moments. */
	unsigned last = options->journal       ? 2
			: options->last_moment ? options->last_moment
					       : SESSION_MOMENTS - 1;
	const char *path;
	char file[32];

	snprintf(file, sizeof(file), "session-%u.wtape", written++);
	path = session_path(file);
	session_must(wt_writer_create(path, &writer, &b.writer));
	facts(&b);
	if (options->journal)
		journal_before_attach(&b);
	if (options->attach_alone)
		session_must(wt_writer_notice(b.writer, WT_NOTICE_LOST, 0, "it was recovered"));
	else
		all_moments(&b, last);
	if (options->journal && !options->attach_alone)
		journal_after_attach(&b);
	wt_state_destroy(b.state);
	if (options->abandoned)
		wt_writer_abandon(b.writer);
	else
		session_must(wt_writer_close(b.writer, "finalized"));
	return path;
}
