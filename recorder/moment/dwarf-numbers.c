/* SPDX-License-Identifier: MIT */
#include "recorder/moment/dwarf-numbers.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"
#include "recorder/recording/thread.h"

/*
 * DWARF numbers are found by trying: no function lists them. Those of registers go up to 3327 in every
 * architecture so far, those of spaces and classes to 6. A number beyond that a client asks for is added then.
 *
 * A number that is none takes AMD's library two microseconds, for it throws an exception, and most of 4,096 are none. But
 * each register tells its own number: those are asked for first, and besides them the numbers beside each, all that are low, and
 * a sample of the others. If one of these turns out to be a register's as well, all are asked for.
 */
#define REGISTERS 4096u
#define SPACES 64u
#define LOW 64u
#define SAMPLE 16u

static amd_dbgapi_status_t ask_dwarf(const struct wt_api *api, enum wt_function function,
				     uint64_t architecture, uint64_t number, uint64_t *handle_ret)
{
	const amd_dbgapi_architecture_id_t id = {architecture};
	amd_dbgapi_address_class_id_t class = {0};
	amd_dbgapi_address_space_id_t space = {0};
	amd_dbgapi_register_id_t reg = {0};
	amd_dbgapi_status_t status;

	switch ((int)function) {
	case WT_FUNCTION_DWARF_REGISTER_TO_REGISTER:
		status = api->dwarf_register_to_register(id, number, &reg);
		*handle_ret = reg.handle;
		return status;
	case WT_FUNCTION_DWARF_ADDRESS_CLASS_TO_ADDRESS_CLASS:
		status = api->dwarf_address_class_to_address_class(id, number, &class);
		*handle_ret = class.handle;
		return status;
	case WT_FUNCTION_DWARF_ADDRESS_SPACE_TO_ADDRESS_SPACE:
		status = api->dwarf_address_space_to_address_space(id, number, &space);
		*handle_ret = space.handle;
		return status;
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* Which numbers to ask for, and which of those are expected to be none. */
struct numbers {
	bool told[REGISTERS], probed[REGISTERS];
};

/* One after the other, into a map; false in @expected_ret if a number was a register's that none told. */
static void ask_all(struct wt_recorder *recorder, enum wt_function function, struct wt_item *map,
		    size_t limit, const struct numbers *numbers, bool *expected_ret)
{
	*expected_ret = true;
	map->handle_count = 0;
	wt_own_begin();
	for (uint64_t number = 0; number < limit; number++) {
		if (numbers && !numbers->told[number] && !numbers->probed[number])
			continue;
		if (ask_dwarf(&recorder->api, function, map->key.owner, number,
			      &map->handles[map->handle_count]) != AMD_DBGAPI_STATUS_SUCCESS)
			continue;
		*expected_ret &= !numbers || numbers->told[number];
		map->numbers[map->handle_count++] = number;
	}
	wt_own_end();
	map->number_count = map->handle_count;
}

static struct wt_error *take(struct wt_recorder *recorder, struct wt_state *facts,
			     enum wt_function function, uint64_t architecture, size_t limit,
			     const struct numbers *told)
{
	wt_cleanup_free uint64_t *numbers = calloc(limit, sizeof(*numbers));
	wt_cleanup_free uint64_t *handles = calloc(limit, sizeof(*handles));
	struct wt_item map = {.key = wt_key_function(recorder, WT_ITEM_MAP, function, architecture),
			      .numbers = numbers,
			      .handles = handles};
	bool expected;

	if (!numbers || !handles)
		return &wt_error_no_memory;
	ask_all(recorder, function, &map, limit, told, &expected);
	if (!expected)
		ask_all(recorder, function, &map, limit, NULL, &expected);
	return wt_state_set(facts, &map);
}

struct wt_error *wt_take_dwarf_spaces(struct wt_recorder *recorder, struct wt_state *facts,
				      uint64_t architecture)
{
	struct wt_error *error;

	wt_number_function(&recorder->numbers, WT_FUNCTION_DWARF_REGISTER_TO_REGISTER);
	error = take(recorder, facts, WT_FUNCTION_DWARF_ADDRESS_CLASS_TO_ADDRESS_CLASS,
		     architecture, SPACES, NULL);
	return error ? error
		     : take(recorder, facts, WT_FUNCTION_DWARF_ADDRESS_SPACE_TO_ADDRESS_SPACE,
			    architecture, SPACES, NULL);
}

/* The DWARF number that a register says of itself. False if there is no number, or one that is not looked at. */
static bool dwarf_number_find(struct wt_recorder *recorder, const struct wt_item *item,
			      uint64_t *number_ret)
{
	const struct wt_query *query =
		wt_query_find(WT_OBJECT_REGISTER, AMD_DBGAPI_REGISTER_INFO_DWARF);
	const struct wt_answer *answer =
		item && query ? wt_item_answer(item, wt_number_query(&recorder->numbers,
								     WT_OBJECT_REGISTER, query))
			      : NULL;

	if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS ||
	    answer->size != sizeof(*number_ret))
		return false;
	*number_ret = wt_value_load(answer->value, answer->size, false);
	return *number_ret < REGISTERS;
}

static void dwarf_numbers_choose(struct wt_recorder *recorder, const struct wt_state *facts,
				 const uint64_t *registers, size_t count, struct numbers *numbers)
{
	uint64_t number;
	size_t place = 0;

	for (size_t i = 0; i < count; i++) {
		const struct wt_key key = wt_key_object(recorder, WT_OBJECT_REGISTER, registers[i]);

		if (dwarf_number_find(recorder, wt_state_get_near(facts, &key, &place), &number))
			numbers->told[number] = true;
	}
	for (number = 0; number < REGISTERS; number++)
		numbers->probed[number] = number < LOW || number % SAMPLE == 0 ||
					  numbers->told[number - 1] ||
					  (number + 1 < REGISTERS && numbers->told[number + 1]);
}

struct wt_error *wt_take_dwarf_registers(struct wt_recorder *recorder, struct wt_state *facts,
					 uint64_t architecture, const uint64_t *registers,
					 size_t count)
{
	wt_cleanup_free struct numbers *numbers = calloc(1, sizeof(*numbers));

	if (!numbers)
		return &wt_error_no_memory;
	dwarf_numbers_choose(recorder, facts, registers, count, numbers);
	return take(recorder, facts, WT_FUNCTION_DWARF_REGISTER_TO_REGISTER, architecture,
		    REGISTERS, numbers);
}
