/* SPDX-License-Identifier: MIT */
/*
 * A trace of waves that never ran, of any architecture: at given places of a code object, with registers and private memory whose
 * values say where they are. A test that knows the same formulas can tell what is to be shown, where no simulated GPU executes.
 *
 * Usage: planted TRACE ARCHITECTURE LANES CODE-OBJECT < WAVES
 *
 * The input is described in planted.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "dbgapi/table/api.h"
#include "gfx/architecture/architecture.h"
#include "tests/end-to-end/planted.h"
#include "trace-format/writer/writer.h"

#define PROCESS 7u
#define PRIVATE 0x4000u /* bytes of each lane */
#define SCALARS 102u
#define VECTORS 256u
#define PC 16u

struct planted {
	const struct gfx_architecture *architecture;
	uint32_t lanes;
	struct wt_writer *writer;
	struct wt_state *state;
};

static void must(struct wt_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "planted: %s: %s: %s\n", error->what, error->where, error->why);
	exit(1);
}

/* ---- Items ---- */

static uint32_t name_of(const struct planted *planted, const char *text)
{
	return wt_writer_name(planted->writer, text);
}

static void put_list(struct planted *planted, enum wt_function function, uint64_t owner,
		     uint64_t *handles, size_t count)
{
	struct wt_item item = {.key = {.type = WT_ITEM_LIST,
				       .kind = name_of(planted, wt_functions[function].name),
				       .owner = owner},
			       .handles = handles,
			       .handle_count = count};

	must(wt_state_set(planted->state, &item));
}

struct object {
	enum wt_object kind;
	uint64_t handle;
	struct wt_answer answers[12];
	uint64_t values[12][2];
	size_t count;
};

static void answer(const struct planted *planted, struct object *object, uint32_t query,
		   const void *value, size_t size)
{
	object->answers[object->count++] = (struct wt_answer){
		.query = name_of(planted, wt_query_find(object->kind, query)->name),
		.value = value,
		.size = size};
}

static void number(const struct planted *planted, struct object *object, uint32_t query,
		   uint64_t value)
{
	object->values[object->count][0] = value;
	answer(planted, object, query, object->values[object->count],
	       wt_query_find(object->kind, query)->size);
}

static void text(const struct planted *planted, struct object *object, uint32_t query,
		 const char *value)
{
	answer(planted, object, query, value, strlen(value));
}

static void put_object(struct planted *planted, struct object *object)
{
	struct wt_item item = {.key = {.type = WT_ITEM_OBJECT,
				       .kind = name_of(planted, wt_objects[object->kind].name),
				       .owner = object->handle},
			       .answers = object->answers,
			       .answer_count = object->count};

	must(wt_state_set(planted->state, &item));
}

static void put_bytes(struct planted *planted, struct wt_item *item, const void *data, size_t size)
{
	item->bytes = wt_bytes_create(data, size);
	must(item->bytes ? wt_state_set(planted->state, item) : &wt_error_no_memory);
	wt_bytes_release(item->bytes);
}

/* ---- What holds at every moment ---- */

/* By position: scalar registers, vector registers, pc. */
static struct gfx_register register_at(const struct planted *planted, uint32_t position)
{
	struct gfx_register found;
	uint64_t dwarf = PC;

	if (position < SCALARS)
		dwarf = position < 64 ? 32 + position : 1088 + position - 64;
	else if (position < SCALARS + VECTORS)
		dwarf = (planted->lanes == 32 ? 1536 : 2560) + position - SCALARS;
	if (!gfx_register_by_dwarf(planted->architecture, dwarf, &found))
		must(wt_error_create(WT_ERROR_NOT_FOUND, "cannot plant registers",
				     planted->architecture->name, "%u is missing", position));
	return found;
}

#define REGISTERS (SCALARS + VECTORS + 1)

static void put_facts(struct planted *planted)
{
	const struct gfx_architecture *architecture = planted->architecture;
	struct object object = {.kind = WT_OBJECT_ARCHITECTURE, .handle = architecture->id};
	static const struct wt_item *items[REGISTERS + 64];
	uint64_t ids[REGISTERS];
	size_t count;

	text(planted, &object, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, architecture->name);
	number(planted, &object, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
	       architecture->elf_machine);
	put_object(planted, &object);
	for (uint32_t i = 0; i < REGISTERS; i++) {
		const struct gfx_register found = register_at(planted, i);
		struct object one = {.kind = WT_OBJECT_REGISTER, .handle = found.id};

		ids[i] = found.id;
		number(planted, &one, AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE, architecture->id);
		text(planted, &one, AMD_DBGAPI_REGISTER_INFO_NAME, found.name);
		number(planted, &one, AMD_DBGAPI_REGISTER_INFO_SIZE, found.range->size);
		text(planted, &one, AMD_DBGAPI_REGISTER_INFO_TYPE, found.range->type);
		put_object(planted, &one);
	}
	put_list(planted, WT_FUNCTION_ARCHITECTURE_REGISTER_LIST, architecture->id, ids, REGISTERS);
	for (size_t i = 0; i < architecture->space_count; i++) {
		struct object space = {.kind = WT_OBJECT_ADDRESS_SPACE,
				       .handle = architecture->spaces[i].id};

		text(planted, &space, AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME,
		     architecture->spaces[i].name);
		put_object(planted, &space);
	}
	count = wt_state_count(planted->state);
	for (size_t i = 0; i < count; i++)
		items[i] = wt_state_at(planted->state, i);
	must(wt_writer_facts(planted->writer, items, count));
}

static void put_program(struct planted *planted, const char *path)
{
	struct wt_item image = {.key = {.type = WT_ITEM_IMAGE, .owner = 1}};
	struct object process = {.kind = WT_OBJECT_PROCESS, .handle = PROCESS};
	struct object agent = {.kind = WT_OBJECT_AGENT, .handle = 1};
	struct object code = {.kind = WT_OBJECT_CODE_OBJECT, .handle = 1};
	static uint8_t bytes[1u << 20];
	uint64_t one = 1;
	FILE *file = fopen(path, "re");
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (!size || size == sizeof(bytes) || fclose(file))
		must(wt_error_create(WT_ERROR_IO, "cannot read", path, "its size is not right"));
	put_bytes(planted, &image, bytes, size);
	number(planted, &process, AMD_DBGAPI_PROCESS_INFO_OS_ID, 4711);
	put_object(planted, &process);
	number(planted, &agent, AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, planted->architecture->id);
	put_object(planted, &agent);
	number(planted, &code, AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, PLANTED_LOAD);
	put_object(planted, &code);
	put_list(planted, WT_FUNCTION_PROCESS_AGENT_LIST, PROCESS, &one, 1);
	put_list(planted, WT_FUNCTION_PROCESS_CODE_OBJECT_LIST, PROCESS, &one, 1);
}

/* ---- Waves ---- */

static void put_registers(struct planted *planted, uint64_t handle, const struct planted_wave *wave)
{
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = handle},
			       .handle_count = REGISTERS};
	wt_cleanup_buffer struct wt_buffer values = {0};
	const uint64_t pc = wave->pc + PLANTED_LOAD;
	uint64_t ids[REGISTERS];

	for (uint32_t i = 0; i < REGISTERS; i++) {
		uint32_t lanes = i < SCALARS || i == REGISTERS - 1 ? 1 : planted->lanes;

		ids[i] = register_at(planted, i).id;
		for (uint32_t lane = 0; lane < lanes && i < REGISTERS - 1; lane++) {
			const uint32_t value = i < SCALARS
						       ? planted_scalar(wave, i)
						       : planted_vector(wave, i - SCALARS, lane);

			wt_buffer_append(&values, &value, sizeof(value));
		}
	}
	wt_buffer_append(&values, &pc, sizeof(pc));
	item.handles = ids;
	put_bytes(planted, &item, values.data, values.size);
	put_list(planted, WT_FUNCTION_WAVE_REGISTER_LIST, handle, ids, REGISTERS);
}

/* Four bytes of each lane stand side by side. */
static void put_private(struct planted *planted, uint64_t handle)
{
	static uint32_t page[WT_PAGE / 4];

	for (uint32_t at = 0; at < PRIVATE * planted->lanes; at += WT_PAGE) {
		struct wt_item item = {.key = {.type = WT_ITEM_MEMORY,
					       .kind = name_of(planted, "private_wave"),
					       .owner = handle,
					       .address = at}};

		for (uint32_t i = 0; i < WT_PAGE / 4; i++)
			page[i] = planted_private((at / 4 + i) % planted->lanes,
						  (at / 4 + i) / planted->lanes * 4);
		put_bytes(planted, &item, page, sizeof(page));
	}
}

static void put_wave(struct planted *planted, uint64_t handle, const struct planted_wave *wave)
{
	struct object object = {.kind = WT_OBJECT_WAVE, .handle = handle};
	struct object dispatch = {.kind = WT_OBJECT_DISPATCH, .handle = handle};

	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
	       wave->entry + PLANTED_LOAD);
	put_object(planted, &dispatch);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_STATE, AMD_DBGAPI_WAVE_STATE_STOP);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
	       AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, planted->architecture->id);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_PROCESS, PROCESS);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_DISPATCH, handle);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, planted->lanes);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_PC, wave->pc + PLANTED_LOAD);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_EXEC_MASK,
	       planted->lanes == 32 ? UINT32_MAX : UINT64_MAX);
	put_object(planted, &object);
	put_registers(planted, handle, wave);
	put_private(planted, handle);
}

static void put_stop(struct planted *planted, size_t waves)
{
	static uint64_t handles[PLANTED_WAVES];
	struct object event = {.kind = WT_OBJECT_EVENT, .handle = 1};
	struct wt_event stopped = {.handle = 1, .kind = AMD_DBGAPI_EVENT_KIND_WAVE_STOP};
	struct wt_moment moment = {
		.process = PROCESS,
		.cause = WT_MOMENT_ATTACH,
		.function = name_of(planted, wt_functions[WT_FUNCTION_PROCESS_ATTACH].name)};

	must(wt_writer_moment(planted->writer, &moment, planted->state));
	for (size_t i = 0; i < waves; i++)
		handles[i] = i + 1;
	put_list(planted, WT_FUNCTION_PROCESS_WAVE_LIST, PROCESS, handles, waves);
	number(planted, &event, AMD_DBGAPI_EVENT_INFO_KIND, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	number(planted, &event, AMD_DBGAPI_EVENT_INFO_WAVE, 1);
	stopped.answers = event.answers;
	stopped.answer_count = event.count;
	moment.cause = WT_MOMENT_STOP;
	moment.function =
		name_of(planted, wt_functions[WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT].name);
	moment.events = &stopped;
	moment.event_count = 1;
	must(wt_writer_moment(planted->writer, &moment, planted->state));
}

int main(int argc, char **argv)
{
	const struct wt_writer_options options = {.size = sizeof(options),
						  .recorder = "a test",
						  .api_level = "0.77.0",
						  .library_version = "0.77.3",
						  .library_build_name = "planted",
						  .reproducible = true};
	struct planted planted = {.state = wt_state_create()};
	struct planted_wave wave;
	size_t count = 0;

	if (argc != 5)
		return 2;
	planted.architecture = gfx_architecture_by_name(argv[2]);
	planted.lanes = (uint32_t)strtoul(argv[3], NULL, 10);
	if (!planted.architecture || !planted.state)
		return 2;
	must(wt_writer_create(argv[1], &options, &planted.writer));
	put_facts(&planted);
	put_program(&planted, argv[4]);
	while (count < PLANTED_WAVES && planted_read(&wave))
		put_wave(&planted, ++count, &wave);
	put_stop(&planted, count);
	wt_state_destroy(planted.state);
	must(wt_writer_close(planted.writer, "finalized"));
	return 0;
}
