/* SPDX-License-Identifier: MIT */
/* Which DWARF numbers are asked for, of libraries that say more or less of their registers than those there are. */
#include <stdint.h>
#include "tests/unit/with-cmocka.h"
#include <stdlib.h>

#include "recorder/moment/dwarf-numbers.h"
#include "recorder/recording/question.h"
#include "recorder/recording/thread.h"

#define ARCHITECTURE 9u
#define NUMBERS 4096u
#define DWARF_NAME 7u

/* Of the library: the register of each number, 0 for none; and how often it was asked. */
static uint64_t registers_of[NUMBERS];
static size_t asked;

static amd_dbgapi_status_t find_register(amd_dbgapi_architecture_id_t architecture, uint64_t number,
					 amd_dbgapi_register_id_t *ret)
{
	assert_int_equal(architecture.handle, ARCHITECTURE);
	assert_true(number < NUMBERS);
	asked++;
	if (!registers_of[number])
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	ret->handle = registers_of[number];
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* What of the recorder is not what is tested. */

uint32_t wt_number_new_object(struct wt_numbers *numbers, enum wt_object object)
{
	(void)numbers;
	return (uint32_t)object;
}

struct wt_key wt_key_function(struct wt_recorder *recorder, enum wt_item_type type,
			      enum wt_function function, uint64_t owner)
{
	(void)recorder;
	return (struct wt_key){.type = type, .kind = (uint32_t)function, .owner = owner};
}

uint32_t wt_number_new_function(struct wt_numbers *numbers, enum wt_function function)
{
	(void)numbers;
	return (uint32_t)function;
}

uint32_t wt_number_new_query(struct wt_numbers *numbers, enum wt_object object,
			     const struct wt_query *query)
{
	(void)numbers;
	(void)object;
	assert_int_equal(query->value, AMD_DBGAPI_REGISTER_INFO_DWARF);
	return DWARF_NAME;
}

void wt_own_begin(void)
{
}

void wt_own_end(void)
{
}

/* 300 registers, 1000 to 1299, with the numbers 512 to 811; @telling: how many of them tell theirs. */
static void take(size_t telling, size_t *count_ret)
{
	struct wt_recorder *recorder = calloc(1, sizeof(*recorder));
	struct wt_state *facts = wt_state_create();
	const struct wt_key key = wt_key_function(
		recorder, WT_ITEM_MAP, WT_FUNCTION_DWARF_REGISTER_TO_REGISTER, ARCHITECTURE);
	uint64_t handles[300];
	const struct wt_item *map;

	assert_true(recorder && facts);
	recorder->api.dwarf_register_to_register = find_register;
	for (size_t i = 0; i < 300; i++) {
		uint64_t number = 512 + i;
		struct wt_answer answer = {.query = DWARF_NAME,
					   .status = i < telling ? 0 : -1,
					   .value = (const uint8_t *)&number,
					   .size = i < telling ? sizeof(number) : 0};
		const struct wt_item item = {
			.key = wt_key_object(recorder, WT_OBJECT_REGISTER, 1000 + i),
			.answers = &answer,
			.answer_count = 1};

		handles[i] = 1000 + i;
		assert_null(wt_state_set(facts, &item));
	}
	asked = 0;
	assert_null(wt_take_dwarf_registers(recorder, facts, ARCHITECTURE, handles, 300));
	map = wt_state_get(facts, &key);
	assert_non_null(map);
	assert_int_equal(map->number_count, map->handle_count);
	for (size_t i = 0; i < map->number_count; i++)
		assert_int_equal(map->handles[i], registers_of[map->numbers[i]]);
	*count_ret = map->number_count;
	wt_state_destroy(facts);
	free(recorder);
}

static int set_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < NUMBERS; i++)
		registers_of[i] = i >= 512 && i < 812 ? 1000 + i - 512 : 0;
	return 0;
}

static void what_registers_tell_is_enough(void **state)
{
	size_t count;

	(void)state;
	take(300, &count);
	assert_int_equal(count, 300);
	assert_true(asked < 700);
}

/* As a library whose registers tell a number that is not the one it finds them by. */
static void what_is_told_and_not_found_is_left_out(void **state)
{
	size_t count;

	(void)state;
	registers_of[600] = 0;
	take(300, &count);
	assert_int_equal(count, 299);
}

static void one_that_no_register_tells_has_all_asked(void **state)
{
	static const uint64_t others[] = {1, 16, 511, 812, 3200};
	size_t count;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		registers_of[others[i]] = 1005;
		/* Far from all that is looked at: only who asks for all finds it. */
		registers_of[2001] = 1006;
		take(300, &count);
		assert_int_equal(count, 302);
		assert_true(asked > NUMBERS);
		registers_of[others[i]] = 0;
	}
}

static void registers_that_tell_nothing_are_found(void **state)
{
	size_t count;

	(void)state;
	take(0, &count);
	assert_int_equal(count, 300);
	take(1, &count);
	assert_int_equal(count, 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_registers_tell_is_enough, set_up),
		cmocka_unit_test_setup(what_is_told_and_not_found_is_left_out, set_up),
		cmocka_unit_test_setup(one_that_no_register_tells_has_all_asked, set_up),
		cmocka_unit_test_setup(registers_that_tell_nothing_are_found, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
