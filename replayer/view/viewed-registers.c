/* SPDX-License-Identifier: MIT */
/* Registers and memory of a view. */
#include <string.h>

#include "replayer/view/internal.h"
#include "replayer/view/view.h"

static const struct wt_item *registers_of(const struct wt_view *view, uint64_t wave)
{
	const struct wt_item *item = wt_recorded_plain(&view->recorded, WT_ITEM_REGISTERS, wave);

	return item && item->status == AMD_DBGAPI_STATUS_SUCCESS ? item : NULL;
}

size_t wt_view_register_count(const struct wt_view *view, uint64_t wave)
{
	const struct wt_item *item = registers_of(view, wave);

	return item ? item->handle_count : 0;
}

bool wt_view_has_registers(const struct wt_view *view, uint64_t wave)
{
	return wt_reader_has_registers(view->reader, view->state, wave);
}

static const char *register_text(struct wt_view *view, uint64_t id, uint32_t query)
{
	const char *text = wt_view_text(view, WT_OBJECT_REGISTER, id, query);

	return text ? text : "?";
}

static void view_register_fill(struct wt_view *view, uint64_t wave, uint64_t id,
			       struct wt_view_register *register_ret)
{
	const uint8_t *value = NULL;
	uint32_t size = wt_recorded_register_size(&view->recorded, id);

	if (wt_recorded_register(&view->recorded, wave, id, &value, &size) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		value = NULL;
	*register_ret = (struct wt_view_register){
		.id = id,
		.name = register_text(view, id, AMD_DBGAPI_REGISTER_INFO_NAME),
		.type = register_text(view, id, AMD_DBGAPI_REGISTER_INFO_TYPE),
		.size = size,
		.value = value,
	};
	register_ret->vector = strchr(register_ret->type, '[');
}

bool wt_view_register_at(struct wt_view *view, uint64_t wave, size_t position,
			 struct wt_view_register *register_ret)
{
	const struct wt_item *item = registers_of(view, wave);

	if (!item || position >= item->handle_count)
		return false;
	view_register_fill(view, wave, item->handles[position], register_ret);
	return true;
}

/* Who asks for one lane after the other, and for one register after the other, finds each at once: the search begins where the last one ended. */
bool wt_view_register(struct wt_view *view, uint64_t wave, const char *name,
		      struct wt_view_register *register_ret)
{
	const struct wt_item *item = registers_of(view, wave);
	size_t count = item ? item->handle_count : 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = (view->register_found + i) % count;

		if (strcmp(register_text(view, item->handles[at], AMD_DBGAPI_REGISTER_INFO_NAME),
			   name) != 0)
			continue;
		view->register_found = at;
		view_register_fill(view, wave, item->handles[at], register_ret);
		return register_ret->value;
	}
	return false;
}

bool wt_view_register_lane(const struct wt_view_register *found, uint64_t lanes, uint32_t lane,
			   uint64_t *value_ret)
{
	uint64_t value = 0;
	uint32_t size = found->size, offset = 0;

	if (found->vector) {
		if (!lanes || found->size % lanes || lane >= lanes)
			return false;
		size = (uint32_t)(found->size / lanes);
		offset = size * lane;
	}
	if (size > sizeof(value))
		return false;
	for (uint32_t i = 0; i < size; i++)
		value |= (uint64_t)found->value[offset + i] << 8 * i;
	*value_ret = value;
	return true;
}

bool wt_view_register_value(struct wt_view *view, uint64_t wave, const char *name, uint32_t lane,
			    uint64_t *value_ret)
{
	struct wt_view_register found;
	uint64_t lanes;

	if (!wt_view_register(view, wave, name, &found))
		return false;
	lanes = found.vector ? wt_view_number_or(view, WT_OBJECT_WAVE, wave,
						 AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 0)
			     : 0;
	return wt_view_register_lane(&found, lanes, lane, value_ret);
}

bool wt_view_register_exists(const struct wt_view *view, uint64_t wave, uint64_t register_id)
{
	return wt_recorded_lists(wt_recorded_function(&view->recorded, WT_ITEM_LIST,
						      WT_FUNCTION_WAVE_REGISTER_LIST, wave),
				 register_id);
}

bool wt_view_register_in_class(struct wt_view *view, uint64_t register_id, const char *class_name)
{
	const uint64_t *classes;
	size_t count = wt_view_objects(view, WT_OBJECT_REGISTER_CLASS, &classes);

	for (size_t i = 0; i < count; i++) {
		const char *name = wt_view_text(view, WT_OBJECT_REGISTER_CLASS, classes[i],
						AMD_DBGAPI_REGISTER_CLASS_INFO_NAME);

		/* Each architecture has classes of the same names. */
		if (name && !strcmp(name, class_name) &&
		    wt_recorded_lists(
			    wt_recorded_function(&view->recorded, WT_ITEM_LIST,
						 WT_FUNCTION_REGISTER_IS_IN_REGISTER_CLASS,
						 classes[i]),
			    register_id))
			return true;
	}
	return false;
}

size_t wt_view_memory(struct wt_view *view, const char *space, uint64_t wave, uint32_t lane,
		      uint64_t address, void *data, size_t size)
{
	struct wt_access access;
	enum gfx_space number;

	if (!wt_table_names_space(space, &number) || !view->moment)
		return 0;
	access = wt_access_init(&view->recorded, view->moment->process, wave, lane);
	return wt_access_read(&access, number, address, data, size);
}

/* The recorded page of @key's space and owner at or after its address; NULL if there is none. */
static const struct wt_item *next_page(const struct wt_state *state, const struct wt_key *key)
{
	size_t count = wt_state_count(state);

	for (size_t i = wt_state_lower_bound(state, key); i < count; i++) {
		const struct wt_item *item = wt_state_at(state, i);

		if (item->key.type != key->type || item->key.kind != key->kind ||
		    item->key.owner != key->owner)
			return NULL;
		if (item->status == AMD_DBGAPI_STATUS_SUCCESS && item->bytes && item->bytes->size)
			return item;
	}
	return NULL;
}

static uint64_t page_end(const struct wt_item *item)
{
	return item->key.address + (item->bytes->size < WT_PAGE ? item->bytes->size : WT_PAGE);
}

/* Past the end of the recorded bytes that follow an address without a gap. */
static uint64_t run_end(const struct wt_view *view, const struct wt_item *item)
{
	uint64_t end = page_end(item);

	while (end % WT_PAGE == 0 && end) {
		struct wt_key key = item->key;

		key.address = end;
		item = next_page(view->state, &key);
		if (!item || item->key.address != end)
			break;
		end = page_end(item);
	}
	return end;
}

bool wt_view_memory_next(const struct wt_view *view, const char *space, uint64_t owner,
			 uint64_t address, uint64_t *from_ret, uint64_t *to_ret)
{
	struct wt_key key = {.type = WT_ITEM_MEMORY, .owner = owner};
	const struct wt_item *item;
	enum gfx_space number;

	if (!wt_table_names_space(space, &number))
		return false;
	if (!owner && view->moment)
		key.owner = view->moment->process;
	key.kind = view->names.spaces[number];
	key.address = address - address % WT_PAGE;
	item = key.kind ? next_page(view->state, &key) : NULL;
	if (item && page_end(item) <= address && key.address + WT_PAGE) {
		key.address += WT_PAGE;
		item = next_page(view->state, &key);
	}
	if (!item)
		return false;
	*from_ret = item->key.address > address ? item->key.address : address;
	*to_ret = run_end(view, item);
	return true;
}

const uint8_t *wt_view_page(const struct wt_view *view, const char *space, uint64_t owner,
			    uint64_t page, size_t *size_ret)
{
	struct wt_bytes *bytes = NULL;
	enum gfx_space number;

	if (!owner && view->moment)
		owner = view->moment->process;
	if (wt_table_names_space(space, &number))
		bytes = wt_recorded_page(&view->recorded, number, owner, page);
	if (!bytes || !bytes->size)
		return NULL;
	*size_ret = bytes->size < WT_PAGE ? bytes->size : WT_PAGE;
	return bytes->data;
}
