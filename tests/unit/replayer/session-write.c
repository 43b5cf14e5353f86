/* SPDX-License-Identifier: MIT */
/* The session of session.h: its state item by item, its moments, and the file of it all. */
#include "session-write.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

/* The registers that the waves of the session have. */
static const char *const register_names[] = {"s0", "s1", "v0", "pc", "exec", "vcc", "status"};
#define REGISTERS (sizeof(register_names) / sizeof(*register_names))

/* ---- The state, item by item ---- */

uint32_t session_name(struct session_builder *b, const char *text)
{
	uint32_t number = wt_writer_name(b->writer, text);

	assert_int_not_equal(number, 0);
	return number;
}

static void put(struct session_builder *b, struct wt_item *item)
{
	session_must(wt_state_set(b->state, item));
}

static void list(struct session_builder *b, enum wt_function function, uint64_t owner,
		 const uint64_t *handles, size_t count)
{
	struct wt_item item = {.key = {.type = WT_ITEM_LIST,
				       .kind = session_name(b, wt_functions[function].name),
				       .owner = owner},
			       .handles = (uint64_t *)(uintptr_t)handles,
			       .handle_count = count};

	put(b, &item);
}

static void map(struct session_builder *b, enum wt_function function, uint64_t owner,
		uint64_t number, uint64_t handle)
{
	struct wt_item item = {.key = {.type = WT_ITEM_MAP,
				       .kind = session_name(b, wt_functions[function].name),
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

static void begin_object(struct session_builder *b, struct object *object, enum wt_object kind,
			 uint64_t handle)
{
	memset(object, 0, sizeof(*object));
	object->kind = kind;
	object->item.key = (struct wt_key){.type = WT_ITEM_OBJECT,
					   .kind = session_name(b, wt_objects[kind].name),
					   .owner = handle};
	object->item.answers = object->answers;
}

static void answer(struct session_builder *b, struct object *object, uint32_t query, int64_t status,
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
	object->answers[index] = (struct wt_answer){.query = session_name(b, known->name),
						    .status = status,
						    .value = object->values[index],
						    .size = size};
}

static void number(struct session_builder *b, struct object *object, uint32_t query, uint64_t value)
{
	const struct wt_query *known = wt_query_find(object->kind, query);

	answer(b, object, query, 0, &value, known->size);
}

static void text(struct session_builder *b, struct object *object, uint32_t query,
		 const char *value)
{
	answer(b, object, query, 0, value, strlen(value));
}

static void fails(struct session_builder *b, struct object *object, uint32_t query, int64_t status)
{
	answer(b, object, query, status, NULL, 0);
}

static size_t register_count(const struct session_builder *b)
{
	return REGISTERS - (b->options->no_status ? 1 : 0);
}

static void register_facts(struct session_builder *b)
{
	uint64_t ids[REGISTERS], class_id = SESSION_ARCHITECTURE->classes[0].id;
	char name[GFX_REGISTER_NAME];
	struct object object;

	for (size_t i = 0; i < register_count(b); i++) {
		struct gfx_register reg;

		assert_true(gfx_register_by_name(SESSION_ARCHITECTURE, register_names[i], &reg));
		ids[i] = reg.id;
		begin_object(b, &object, WT_OBJECT_REGISTER, reg.id);
		number(b, &object, AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE, SESSION_ARCHITECTURE->id);
		gfx_register_name(&reg, name);
		text(b, &object, AMD_DBGAPI_REGISTER_INFO_NAME, name);
		/* A size that no register has, or that leads past the values. */
		number(b, &object, AMD_DBGAPI_REGISTER_INFO_SIZE,
		       b->options->hostile && i == 2 ? 0xfffffff0 : reg.range->size);
		text(b, &object, AMD_DBGAPI_REGISTER_INFO_TYPE, reg.range->type);
		put(b, &object.item);
	}
	list(b, WT_FUNCTION_ARCHITECTURE_REGISTER_LIST, SESSION_ARCHITECTURE->id, ids,
	     register_count(b));
	begin_object(b, &object, WT_OBJECT_REGISTER_CLASS, class_id);
	number(b, &object, AMD_DBGAPI_REGISTER_CLASS_INFO_ARCHITECTURE, SESSION_ARCHITECTURE->id);
	text(b, &object, AMD_DBGAPI_REGISTER_CLASS_INFO_NAME, "general");
	put(b, &object.item);
	list(b, WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST, SESSION_ARCHITECTURE->id, &class_id,
	     1);
	list(b, WT_FUNCTION_REGISTER_IS_IN_REGISTER_CLASS, class_id, ids, 3);
	map(b, WT_FUNCTION_DWARF_REGISTER_TO_REGISTER, SESSION_ARCHITECTURE->id, 16, ids[3]);
}

static void space_facts(struct session_builder *b)
{
	uint64_t ids[8];
	struct object object;

	for (size_t i = 0; i < SESSION_ARCHITECTURE->space_count; i++) {
		const struct gfx_address_space *space = &SESSION_ARCHITECTURE->spaces[i];

		ids[i] = space->id;
		begin_object(b, &object, WT_OBJECT_ADDRESS_SPACE, space->id);
		text(b, &object, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME, space->name);
		number(b, &object, AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE, space->address_bits);
		put(b, &object.item);
	}
	list(b, WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST, SESSION_ARCHITECTURE->id, ids,
	     SESSION_ARCHITECTURE->space_count);
}

static void facts(struct session_builder *b)
{
	const struct wt_item *items[64];
	struct object object;
	size_t count;

	begin_object(b, &object, WT_OBJECT_ARCHITECTURE, SESSION_ARCHITECTURE->id);
	text(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, "gfx942");
	number(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
	       SESSION_ARCHITECTURE->elf_machine);
	number(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE, 4);
	answer(b, &object, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION, 0,
	       SESSION_ARCHITECTURE->breakpoint, 4);
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

static void process_objects(struct session_builder *b)
{
	static const uint64_t one = 1;
	struct object object;

	begin_object(b, &object, WT_OBJECT_PROCESS, SESSION_PROCESS);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_NOTIFIER, 33);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_OS_ID, 1234);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, b->options->unable ? 0 : 4);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_SHARE,
	       b->options->unable ? AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSUPPORTED
				  : AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSHARED);
	number(b, &object, AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED,
	       b->options->unable ? AMD_DBGAPI_MEMORY_PRECISION_NONE
				  : AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
	fails(b, &object, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
	      AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN);
	put(b, &object.item);
	begin_object(b, &object, WT_OBJECT_AGENT, 1);
	text(b, &object, AMD_DBGAPI_AGENT_INFO_NAME, "agent");
	number(b, &object, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, SESSION_ARCHITECTURE->id);
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

static void packets(struct session_builder *b)
{
	uint64_t ids[2] = {4, 5};
	struct wt_item item = {.key = {.type = WT_ITEM_PACKETS, .owner = 1},
			       .numbers = ids,
			       .number_count = b->options->hostile ? 1 : 2,
			       .bytes = wt_bytes_create("packet", 6)};

	put(b, &item);
	wt_bytes_release(item.bytes);
}

static void page(struct session_builder *b, const char *space, uint64_t owner, uint64_t address,
		 uint8_t fill, size_t size)
{
	struct wt_item item = {.key = {.type = WT_ITEM_MEMORY,
				       .kind = session_name(b, space),
				       .owner = owner,
				       .address = address}};
	uint8_t bytes[4096];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(fill + i);
	item.bytes = wt_bytes_create(bytes, size);
	put(b, &item);
	wt_bytes_release(item.bytes);
}

/* A page that was asked for, and is none. */
static void refused_page(struct session_builder *b, uint64_t address)
{
	struct wt_item item = {.key = {.type = WT_ITEM_MEMORY,
				       .kind = session_name(b, "global"),
				       .owner = SESSION_PROCESS,
				       .address = address},
			       .status = AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS};

	put(b, &item);
}

static void registers(struct session_builder *b, uint64_t wave, uint64_t seed)
{
	wt_cleanup_buffer struct wt_buffer values = {0};
	uint64_t ids[REGISTERS];
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave},
			       .handles = ids,
			       .handle_count = register_count(b)};

	for (size_t i = 0; i < register_count(b); i++) {
		struct gfx_register reg;

		assert_true(gfx_register_by_name(SESSION_ARCHITECTURE, register_names[i], &reg));
		ids[i] = reg.id;
		for (uint32_t j = 0; j < reg.range->size; j++)
			wt_buffer_append(&values, &(uint8_t){(uint8_t)(seed + 16 * i + j)}, 1);
	}
	item.bytes = wt_bytes_create(values.data, values.size);
	put(b, &item);
	wt_bytes_release(item.bytes);
	list(b, WT_FUNCTION_WAVE_REGISTER_LIST, wave, ids, register_count(b));
}

/* A wave that runs, or has stopped for a reason. */
static void wave(struct session_builder *b, uint64_t handle, bool stopped, uint32_t reason,
		 uint64_t seed)
{
	const uint32_t coordinates[3] = {1, 2, 3};
	struct object object;

	begin_object(b, &object, WT_OBJECT_WAVE, handle);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_STATE,
	       stopped ? AMD_DBGAPI_WAVE_STATE_STOP : AMD_DBGAPI_WAVE_STATE_RUN);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_WORKGROUP, 1);
	number(b, &object, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, SESSION_ARCHITECTURE->id);
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

static void moment(struct session_builder *b, enum wt_moment_cause cause, enum wt_function function,
		   const struct event_source *sources, size_t count, bool after_resume,
		   uint64_t stop_requested)
{
	const struct wt_log_message log = {AMD_DBGAPI_LOG_LEVEL_WARNING, "a stop", 0};
	static struct object answers[4];
	struct wt_event events[4];
	struct wt_moment moment = {
		.process = SESSION_PROCESS,
		.cause = cause,
		.call = b->call,
		.function = session_name(b, wt_functions[function].name),
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

static void refusals(struct session_builder *b)
{
	static const struct wt_log_message log = {AMD_DBGAPI_LOG_LEVEL_WARNING, "no access", 0};
	struct wt_moment moment = {
		.cause = WT_MOMENT_REFUSED,
		.function = session_name(b, "amd_dbgapi_process_attach"),
		.status = AMD_DBGAPI_STATUS_FATAL,
		.log = &log,
		.log_count = 1,
	};

	for (unsigned i = 0; i < b->options->refusals; i++)
		session_must(wt_writer_moment(b->writer, &moment, b->state));
}

static void first_moments(struct session_builder *b)
{
	static const struct event_source runtime = {1, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0};

	process_objects(b);
	packets(b);
	list(b, WT_FUNCTION_PROCESS_WAVE_LIST, SESSION_PROCESS, NULL, 0);
	moment(b, WT_MOMENT_ATTACH, WT_FUNCTION_PROCESS_ATTACH, NULL, 0, false, 0);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, &runtime, 1, false, 0);
	moment(b, WT_MOMENT_PASS, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, NULL, 0, false, 0);
}

static void three_waves(struct session_builder *b)
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
	wave(b, 3, b->options->stands, 0, 0);
	list(b, WT_FUNCTION_PROCESS_WAVE_LIST, SESSION_PROCESS,
	     b->options->hostile ? unknown : waves, b->options->hostile ? 5 : 3);
	page(b, "global", SESSION_PROCESS, SESSION_PAGE, 0, 4096);
	page(b, "global", SESSION_PROCESS, SESSION_PAGE + 4096, 7, SESSION_TAIL);
	refused_page(b, SESSION_REFUSED_PAGE);
	page(b, "local", 1, 0, 0x40, SESSION_LOCAL);
	page(b, "private_wave", 1, 0, 0x80, SESSION_PRIVATE);
	moment(b, WT_MOMENT_STOP, WT_FUNCTION_WAVE_RESUME, stops, 2, false, 0);
}

/* The recorded client asked for an event once more, before it did anything else. */
static void poll_before(struct session_builder *b, unsigned next)
{
	if (b->options->polled_before == next)
		moment(b, WT_MOMENT_PASS, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, NULL, 0, false,
		       0);
}

static void last_moments(struct session_builder *b, unsigned last)
{
	static const struct event_source stepped = {4, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1},
					 asked = {5, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 3},
					 gone = {6, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED,
						 2};
	static const uint64_t waves[] = {3};
	const struct wt_key object = {
		.type = WT_ITEM_OBJECT, .kind = session_name(b, "wave"), .owner = 1};
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

/* ---- The file ---- */

static void all_moments(struct session_builder *b, unsigned last)
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
	const struct wt_writer_options writer = {
		.size = sizeof(writer),
		.recorder = "a test",
		.api_level = "0.77.0",
		.library_version = options->library_version ? options->library_version : "0.77.3",
		.library_build_name = "built by hand",
		.reproducible = true,
		.keyframe_interval = 3};
	struct session_builder b = {.options = options, .state = wt_state_create()};
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
		session_journal_before_attach(&b);
	refusals(&b);
	if (options->refused_alone)
		session_must(
			wt_writer_notice(b.writer, WT_NOTICE_CONTEXT, 0, "nothing came of it"));
	else if (options->attach_alone)
		session_must(wt_writer_notice(b.writer, WT_NOTICE_LOST, 0, "it was recovered"));
	else
		all_moments(&b, last);
	if (options->journal && !options->attach_alone)
		session_journal_after_attach(&b);
	wt_state_destroy(b.state);
	if (options->abandoned)
		wt_writer_abandon(b.writer);
	else
		session_must(wt_writer_close(b.writer, "finalized"));
	return path;
}
