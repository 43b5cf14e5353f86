/* SPDX-License-Identifier: MIT */
#include "recorder/moment/memory-pages.h"

#include <string.h>

#include "base/cancel.h"

#include "recorder/moment/facts.h"
#include "recorder/recording/call.h"
#include "recorder/recording/question.h"

/* The segments of private memory end here: AMD's library does not come back from a read at its NULL address. */
#define PRIVATE_LIMIT 0xfffff000u

struct wt_range wt_range_global(struct wt_recorder *recorder, uint64_t process, uint64_t address,
				uint64_t size)
{
	return (struct wt_range){
		.kind = wt_number_global(&recorder->numbers),
		.owner = process,
		.process = process,
		.space = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle,
		.address = address,
		.size = size,
	};
}

static uint64_t wave_number(struct wt_recorder *recorder, uint64_t wave, uint32_t query)
{
	uint64_t number = 0;

	wt_ask_number(recorder, WT_OBJECT_WAVE, wave, query, &number);
	return number;
}

bool wt_range_of_wave(struct wt_recorder *recorder, uint64_t process, uint64_t wave,
		      uint64_t architecture, const char *name, uint64_t owner,
		      struct wt_range *range_ret)
{
	struct wt_range range = {.owner = owner, .process = process, .wave = wave};

	range.space = wt_facts_space(recorder, architecture, name);
	if (!range.space || !owner)
		return false;
	range.kind = wt_writer_name(recorder->writer, name);
	*range_ret = range;
	return true;
}

static uint64_t wave_architecture(struct wt_recorder *recorder, uint64_t wave)
{
	return wave_number(recorder, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE);
}

/* The local memory of a stopped wave's workgroup. */
static bool range_local(struct wt_recorder *recorder, uint64_t process, uint64_t wave,
			struct wt_range *range_ret)
{
	return wt_range_of_wave(recorder, process, wave, wave_architecture(recorder, wave), "local",
				wave_number(recorder, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP),
				range_ret);
}

static bool range_private(struct wt_recorder *recorder, uint64_t process, uint64_t wave,
			  struct wt_range *range_ret)
{
	return wt_range_of_wave(recorder, process, wave, wave_architecture(recorder, wave),
				"private_wave", wave, range_ret);
}

/* In the form that the library has. @size_ret: how many bytes are contiguous; not written in the oldest form. */
static amd_dbgapi_status_t ask_conversion(const struct wt_api *api, amd_dbgapi_process_id_t process,
					  amd_dbgapi_wave_id_t wave, uint32_t lane,
					  amd_dbgapi_address_space_id_t from, uint64_t address,
					  amd_dbgapi_address_space_id_t to, uint64_t *address_ret,
					  amd_dbgapi_size_t *size_ret)
{
	if (api->found_at[WT_FUNCTION_CONVERT_ADDRESS_SPACE])
		return api->convert_address_space(process, wave, lane, from, address, to,
						  address_ret, size_ret);
	if (api->found_at[WT_FUNCTION_CONVERT_ADDRESS_SPACE_0_62])
		return api->convert_address_space_0_62(wave, lane, from, address, to, address_ret,
						       size_ret);
	return api->convert_address_space_0_54(wave, lane, from, address, to, address_ret);
}

static bool convert(struct wt_recorder *recorder, uint64_t process, uint64_t wave, uint32_t lane,
		    uint64_t from, uint64_t address, uint64_t to, uint64_t *address_ret)
{
	amd_dbgapi_size_t contiguous;
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = ask_conversion(&recorder->api, (amd_dbgapi_process_id_t){process},
				(amd_dbgapi_wave_id_t){wave}, lane,
				(amd_dbgapi_address_space_id_t){from}, address,
				(amd_dbgapi_address_space_id_t){to}, address_ret, &contiguous);
	wt_own_end();
	return status == AMD_DBGAPI_STATUS_SUCCESS;
}

/* A lane's memory lies scattered in its wave's: from the first byte to the last is what is taken. */
static bool resolve_lane(struct wt_recorder *recorder, uint64_t process, uint64_t wave,
			 uint32_t lane, uint64_t space, uint64_t address, uint64_t size,
			 struct wt_range *range_ret)
{
	struct wt_range range;
	uint64_t first, last;

	if (!size || address + size < address || !range_private(recorder, process, wave, &range) ||
	    !convert(recorder, process, wave, lane, space, address, range.space, &first) ||
	    !convert(recorder, process, wave, lane, space, address + size - 1, range.space,
		     &last) ||
	    last < first)
		return false;
	range.address = first;
	range.size = last - first + 1;
	*range_ret = range;
	return true;
}

static bool resolve_generic(struct wt_recorder *recorder, uint64_t process, uint64_t wave,
			    uint32_t lane, uint64_t space, uint64_t address, uint64_t size,
			    struct wt_range *range_ret)
{
	uint64_t private_lane =
		wt_facts_space(recorder, wave_architecture(recorder, wave), "private_lane");
	uint64_t converted;

	if (convert(recorder, process, wave, lane, space, address,
		    AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle, &converted)) {
		*range_ret = wt_range_global(recorder, process, converted, size);
		return true;
	}
	if (range_local(recorder, process, wave, range_ret) &&
	    convert(recorder, process, wave, lane, space, address, range_ret->space, &converted)) {
		range_ret->address = converted;
		range_ret->size = size;
		return true;
	}
	return private_lane &&
	       convert(recorder, process, wave, lane, space, address, private_lane, &converted) &&
	       resolve_lane(recorder, process, wave, lane, private_lane, converted, size,
			    range_ret);
}

bool wt_range_resolve(struct wt_recorder *recorder, uint64_t process, uint64_t wave, uint32_t lane,
		      uint64_t space, uint64_t address, uint64_t size, struct wt_range *range_ret)
{
	const struct wt_answer *answer;
	char name[16] = "";

	if (space == AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle) {
		*range_ret = wt_range_global(recorder, process, address, size);
		return true;
	}
	answer = wt_facts_answer(recorder, WT_OBJECT_ADDRESS_SPACE, space,
				 AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME);
	if (!answer || answer->size >= sizeof(name) || !wave)
		return false;
	memcpy(name, answer->value, answer->size);
	if (!strcmp(name, "private_lane"))
		return resolve_lane(recorder, process, wave, lane, space, address, size, range_ret);
	if (!strcmp(name, "generic"))
		return resolve_generic(recorder, process, wave, lane, space, address, size,
				       range_ret);
	if (!strcmp(name, "local") ? !range_local(recorder, process, wave, range_ret)
				   : strcmp(name, "private_wave") ||
					     !range_private(recorder, process, wave, range_ret))
		return false;
	/* A library cuts what it is given to the width of a segment's addresses. */
	range_ret->address = address & UINT32_MAX;
	range_ret->size = size;
	return true;
}

struct wt_key wt_range_key(const struct wt_range *range, uint64_t address)
{
	return (struct wt_key){.type = WT_ITEM_MEMORY,
			       .kind = range->kind,
			       .owner = range->owner,
			       .address = address & ~(uint64_t)(WT_PAGE - 1)};
}

static amd_dbgapi_status_t read_range(struct wt_recorder *recorder, const struct wt_range *range,
				      uint64_t address, void *data, uint64_t *size)
{
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = recorder->api.read_memory(
		(amd_dbgapi_process_id_t){range->process}, (amd_dbgapi_wave_id_t){range->wave},
		range->wave ? 0 : AMD_DBGAPI_LANE_NONE,
		(amd_dbgapi_address_space_id_t){range->space}, address, size, data);
	wt_own_end();
	return status;
}

void wt_reservations_deinit(struct wt_reservations *reservations)
{
	wt_reserved_deinit(&reservations->reserved);
	reservations->known = false;
}

static void learn_reservations(struct wt_recorder *recorder, uint64_t process,
			       struct wt_reservations *reservations)
{
	uint64_t id;
	int state;

	reservations->known = true;
	if (!wt_ask_number(recorder, WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
			   &id))
		return;
	state = wt_cancel_disable();
	wt_reserved_read(id, &reservations->reserved);
	wt_cancel_restore(state);
}

/* Memory that is only reserved reads as zeros: so other bytes need no look. */
static bool is_reserved(struct wt_recorder *recorder, const struct wt_range *range,
			struct wt_reservations *reservations, uint64_t address, const uint8_t *data,
			uint64_t size)
{
	if (range->wave || !reservations || !size || data[0] ||
	    memcmp(data, data + 1, (size_t)size - 1))
		return false;
	if (!reservations->known)
		learn_reservations(recorder, range->process, reservations);
	return wt_reserved_has(&reservations->reserved, address);
}

struct wt_error *wt_take_page(struct wt_recorder *recorder, struct wt_state *state,
			      const struct wt_range *range, struct wt_reservations *reservations,
			      uint64_t page, bool keep_unreadable, size_t *size_ret)
{
	struct wt_item item = {.key = wt_range_key(range, page)};
	uint8_t data[WT_PAGE];
	uint64_t size = sizeof(data);

	if (size_ret)
		*size_ret = 0;
	if (recorder->options.policy.redact || (range->wave && item.key.address >= PRIVATE_LIMIT))
		return NULL;
	item.status = read_range(recorder, range, item.key.address, data, &size);
	if (item.status == AMD_DBGAPI_STATUS_SUCCESS &&
	    is_reserved(recorder, range, reservations, item.key.address, data, size))
		item.status = WT_PAGE_RESERVED;
	if (item.status != AMD_DBGAPI_STATUS_SUCCESS)
		return keep_unreadable && !recorder->options.policy.lightweight
			       ? wt_state_set(state, &item)
			       : NULL;
	if (size_ret)
		*size_ret = (size_t)size;
	return wt_take_bytes(state, &item, data, (size_t)size);
}

struct wt_error *wt_take_private_place(struct wt_recorder *recorder, struct wt_state *state,
				       uint64_t process, uint64_t wave, uint64_t architecture)
{
	const uint64_t space = wt_facts_space(
		recorder, architecture ? architecture : wave_architecture(recorder, wave),
		"private_wave");
	amd_dbgapi_segment_address_t address = 0;
	amd_dbgapi_size_t size = 0;
	uint64_t numbers[2] = {0, 0};
	struct wt_item place = {
		.key = wt_key_plain(WT_ITEM_PRIVATE_PLACE, wave),
		.numbers = numbers,
		.number_count = 2,
	};
	amd_dbgapi_status_t status;

	if (!space)
		return NULL;
	wt_own_begin();
	status = ask_conversion(&recorder->api, (amd_dbgapi_process_id_t){process},
				(amd_dbgapi_wave_id_t){wave}, AMD_DBGAPI_LANE_NONE,
				(amd_dbgapi_address_space_id_t){space}, 0,
				AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, &address, &size);
	wt_own_end();
	if (status != AMD_DBGAPI_STATUS_SUCCESS &&
	    status != AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION)
		return NULL;
	/* The oldest form has no size; then nothing is said, as in traces that are older, but for a wave that has none. */
	if (status == AMD_DBGAPI_STATUS_SUCCESS && !size)
		return NULL;
	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		numbers[0] = address;
		numbers[1] = size;
	}
	return wt_state_set(state, &place);
}

bool wt_read_global(struct wt_recorder *recorder, uint64_t process, uint64_t address, void *data,
		    size_t size)
{
	const struct wt_range range = wt_range_global(recorder, process, address, size);
	uint64_t done = size;

	return read_range(recorder, &range, address, data, &done) == AMD_DBGAPI_STATUS_SUCCESS &&
	       done == size;
}
