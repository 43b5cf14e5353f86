/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/recorded.h"

#include <string.h>

const struct wt_item *wt_recorded_object(const struct wt_recorded *recorded, enum wt_object object,
					 uint64_t handle)
{
	struct wt_key key = {
		.type = WT_ITEM_OBJECT, .kind = recorded->names->objects[object], .owner = handle};

	return key.kind ? wt_state_get(recorded->state, &key) : NULL;
}

const struct wt_item *wt_recorded_function(const struct wt_recorded *recorded,
					   enum wt_item_type type, enum wt_function function,
					   uint64_t owner)
{
	struct wt_key key = {
		.type = type, .kind = recorded->names->functions[function], .owner = owner};

	return key.kind ? wt_state_get(recorded->state, &key) : NULL;
}

const struct wt_item *wt_recorded_plain(const struct wt_recorded *recorded, enum wt_item_type type,
					uint64_t owner)
{
	struct wt_key key = {.type = type, .owner = owner};

	if (type == WT_ITEM_REGISTERS && recorded->reader)
		return wt_reader_registers(recorded->reader, recorded->state, owner);
	return wt_state_get(recorded->state, &key);
}

const struct wt_answer *wt_recorded_find(const struct wt_recorded *recorded, enum wt_object object,
					 const struct wt_query *query,
					 const struct wt_answer *answers, size_t count)
{
	uint32_t name = wt_table_names_query(recorded->names, object, query);

	for (size_t i = 0; name && i < count; i++)
		if (answers[i].query == name)
			return &answers[i];
	return NULL;
}

const struct wt_answer *wt_recorded_answer(const struct wt_recorded *recorded,
					   enum wt_object object, uint64_t handle, uint32_t query)
{
	const struct wt_item *item = wt_recorded_object(recorded, object, handle);
	const struct wt_query *known = wt_query_find(object, query);

	if (!item || !known)
		return NULL;
	return wt_recorded_find(recorded, object, known, item->answers, item->answer_count);
}

bool wt_answer_number(const struct wt_answer *answer, uint64_t *number_ret)
{
	uint64_t number = 0;

	if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS || !answer->size ||
	    answer->size > sizeof(number))
		return false;
	for (size_t i = 0; i < answer->size; i++)
		number |= (uint64_t)answer->value[i] << 8 * i;
	*number_ret = number;
	return true;
}

bool wt_recorded_number(const struct wt_recorded *recorded, enum wt_object object, uint64_t handle,
			uint32_t query, uint64_t *number_ret)
{
	return wt_answer_number(wt_recorded_answer(recorded, object, handle, query), number_ret);
}

bool wt_recorded_map(const struct wt_item *item, uint64_t number, uint64_t *handle_ret)
{
	for (size_t i = 0; item && i < item->number_count && i < item->handle_count; i++) {
		if (item->numbers[i] == number) {
			*handle_ret = item->handles[i];
			return true;
		}
	}
	return false;
}

bool wt_recorded_lists(const struct wt_item *item, uint64_t handle)
{
	for (size_t i = 0; item && i < item->handle_count; i++)
		if (item->handles[i] == handle)
			return true;
	return false;
}

static const struct gfx_architecture *by_machine(const struct wt_recorded *recorded,
						 uint64_t architecture)
{
	const struct wt_answer *machine =
		wt_recorded_answer(recorded, WT_OBJECT_ARCHITECTURE, architecture,
				   AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE);
	uint32_t number;

	if (!machine || machine->status != AMD_DBGAPI_STATUS_SUCCESS ||
	    machine->size != sizeof(number))
		return NULL;
	memcpy(&number, machine->value, sizeof(number));
	return gfx_architecture_by_machine(number);
}

const struct gfx_architecture *wt_recorded_architecture(const struct wt_recorded *recorded,
							uint64_t architecture)
{
	const struct wt_answer *name = wt_recorded_answer(
		recorded, WT_OBJECT_ARCHITECTURE, architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME);
	const struct gfx_architecture *found = NULL;
	char text[64];

	if (!name || name->status != AMD_DBGAPI_STATUS_SUCCESS || !name->size ||
	    name->size >= sizeof(text))
		return NULL;
	memcpy(text, name->value, name->size);
	text[name->size] = '\0';
	found = gfx_architecture_by_name(text);
	/* AMD's library calls all that code can be generic for "generic". */
	return found ? found : by_machine(recorded, architecture);
}

struct wt_key wt_recorded_page_key(const struct wt_recorded *recorded, enum gfx_space space,
				   uint64_t owner, uint64_t page)
{
	return (struct wt_key){.type = WT_ITEM_MEMORY,
			       .kind = recorded->names->spaces[space],
			       .owner = owner,
			       .address = page};
}

bool wt_recorded_has_page(const struct wt_recorded *recorded, enum gfx_space space, uint64_t owner,
			  uint64_t page)
{
	struct wt_key key = wt_recorded_page_key(recorded, space, owner, page);

	return wt_overlay_get(recorded->overlay, &key) ||
	       (key.kind && wt_state_get(recorded->state, &key));
}

struct wt_bytes *wt_recorded_page(const struct wt_recorded *recorded, enum gfx_space space,
				  uint64_t owner, uint64_t page)
{
	struct wt_key key = wt_recorded_page_key(recorded, space, owner, page);
	struct wt_bytes *over = wt_overlay_get(recorded->overlay, &key);
	const struct wt_item *item;

	if (over)
		return over;
	item = key.kind ? wt_state_get(recorded->state, &key) : NULL;
	if (!item || item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return NULL;
	return item->bytes;
}

size_t wt_recorded_memory(const struct wt_recorded *recorded, enum gfx_space space, uint64_t owner,
			  uint64_t address, void *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		uint64_t at = address + done;
		size_t offset = at % WT_PAGE, part = WT_PAGE - offset;
		const struct wt_bytes *bytes =
			wt_recorded_page(recorded, space, owner, at - offset);
		size_t there = bytes && bytes->size < WT_PAGE ? bytes->size : WT_PAGE;

		/* An address past the last one is no address. */
		if (at < address || !bytes || offset >= there)
			break;
		if (part > there - offset)
			part = there - offset;
		if (part > size - done)
			part = size - done;
		memcpy((uint8_t *)data + done, bytes->data + offset, part);
		done += part;
		if ((offset + part) % WT_PAGE)
			break;
	}
	return done;
}
