/* SPDX-License-Identifier: MIT */
#include "planted-items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PC 16u

void must(struct wt_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "planted: %s: %s: %s\n", error->what, error->where, error->why);
	exit(1);
}

uint32_t name_of(const struct planted *planted, const char *text)
{
	return wt_writer_name(planted->writer, text);
}

void put_list(struct planted *planted, enum wt_function function, uint64_t owner, uint64_t *handles,
	      size_t count)
{
	struct wt_item item = {.key = {.type = WT_ITEM_LIST,
				       .kind = name_of(planted, wt_functions[function].name),
				       .owner = owner},
			       .handles = handles,
			       .handle_count = count};

	must(wt_state_set(planted->state, &item));
}

void answer(const struct planted *planted, struct object *object, uint32_t query, const void *value,
	    size_t size)
{
	object->answers[object->count++] = (struct wt_answer){
		.query = name_of(planted, wt_query_find(object->kind, query)->name),
		.value = value,
		.size = size};
}

void number(const struct planted *planted, struct object *object, uint32_t query, uint64_t value)
{
	object->values[object->count][0] = value;
	answer(planted, object, query, object->values[object->count],
	       wt_query_find(object->kind, query)->size);
}

void text(const struct planted *planted, struct object *object, uint32_t query, const char *value)
{
	answer(planted, object, query, value, strlen(value));
}

void put_object(struct planted *planted, struct object *object)
{
	struct wt_item item = {.key = {.type = WT_ITEM_OBJECT,
				       .kind = name_of(planted, wt_objects[object->kind].name),
				       .owner = object->handle},
			       .answers = object->answers,
			       .answer_count = object->count};

	must(wt_state_set(planted->state, &item));
}

void put_bytes(struct planted *planted, struct wt_item *item, const void *data, size_t size)
{
	item->bytes = wt_bytes_create(data, size);
	must(item->bytes ? wt_state_set(planted->state, item) : &wt_error_no_memory);
	wt_bytes_release(item->bytes);
}

/* ---- What holds at every moment ---- */

struct gfx_register register_at(const struct planted *planted, uint32_t position)
{
	struct gfx_register found = {.range = NULL};
	bool there = false;

	if (position >= PLANTED_EXEC) {
		enum gfx_register_kind kind =
			position == PLANTED_EXEC ? GFX_REGISTER_EXEC : GFX_REGISTER_VCC;

		for (size_t i = 0; !there && gfx_register_at(planted->architecture, i, &found); i++)
			there = found.range->kind == kind &&
				found.range->size == planted->lanes / 8;
	} else {
		uint64_t dwarf = position == PLANTED_PC ? PC
				 : position < 64	? 32 + position
				 : position < SCALARS	? 1088 + position - 64
							: (planted->lanes == 32 ? 1536 : 2560) +
								position - SCALARS;

		there = gfx_register_by_dwarf(planted->architecture, dwarf, &found);
	}
	if (!there)
		must(wt_error_create(WT_ERROR_NOT_FOUND, "cannot plant registers",
				     planted->architecture->name, "%u is missing", position));
	return found;
}

static void put_facts(struct planted *planted)
{
	const struct gfx_architecture *architecture = planted->architecture;
	struct object object = {.kind = WT_OBJECT_ARCHITECTURE, .handle = architecture->id};
	static const struct wt_item *items[PLANTED_COUNT + 64];
	uint64_t ids[PLANTED_COUNT];
	size_t count;

	text(planted, &object, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, architecture->name);
	number(planted, &object, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
	       architecture->elf_machine);
	put_object(planted, &object);
	for (uint32_t i = 0; i < PLANTED_COUNT; i++) {
		const struct gfx_register found = register_at(planted, i);
		struct object one = {.kind = WT_OBJECT_REGISTER, .handle = found.id};
		char name[GFX_REGISTER_NAME];

		gfx_register_name(&found, name);
		ids[i] = found.id;
		number(planted, &one, AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE, architecture->id);
		text(planted, &one, AMD_DBGAPI_REGISTER_INFO_NAME, name);
		number(planted, &one, AMD_DBGAPI_REGISTER_INFO_SIZE, found.range->size);
		text(planted, &one, AMD_DBGAPI_REGISTER_INFO_TYPE, found.range->type);
		put_object(planted, &one);
	}
	put_list(planted, WT_FUNCTION_ARCHITECTURE_REGISTER_LIST, architecture->id, ids,
		 PLANTED_COUNT);
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

void put_program(struct planted *planted, const char *path)
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

void begin_trace(struct planted *planted, const char *path)
{
	const struct wt_writer_options options = {.size = sizeof(options),
						  .recorder = "a test",
						  .api_level = "0.77.0",
						  .library_version = "0.77.3",
						  .library_build_name = "planted",
						  .reproducible = true};

	planted->state = wt_state_create();
	must(planted->state ? wt_writer_create(path, &options, &planted->writer)
			    : &wt_error_no_memory);
	put_facts(planted);
}

void put_moment(struct planted *planted, bool stop)
{
	struct object event = {.kind = WT_OBJECT_EVENT, .handle = 1};
	struct wt_event stopped = {.handle = 1, .kind = AMD_DBGAPI_EVENT_KIND_WAVE_STOP};
	enum wt_function function =
		stop ? WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT : WT_FUNCTION_PROCESS_ATTACH;
	struct wt_moment moment = {.process = PROCESS,
				   .cause = stop ? WT_MOMENT_STOP : WT_MOMENT_ATTACH,
				   .function = name_of(planted, wt_functions[function].name)};

	number(planted, &event, AMD_DBGAPI_EVENT_INFO_KIND, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	number(planted, &event, AMD_DBGAPI_EVENT_INFO_WAVE, 1);
	stopped.answers = event.answers;
	stopped.answer_count = event.count;
	moment.events = stop ? &stopped : NULL;
	moment.event_count = stop;
	must(wt_writer_moment(planted->writer, &moment, planted->state));
}
