/* SPDX-License-Identifier: MIT */
/* Which queries of a wave are asked again at the next moment, of a library whose answers change. */
#include <stdint.h>
#include "tests/unit/with-cmocka.h"
#include <stdlib.h>
#include <string.h>

#include "recorder/recording/enumerator.h"
#include "recorder/recording/question.h"
#include "recorder/recording/thread.h"
#include "trace-format/state/held.h"

#define WAVE 5u
#define QUERIES 32u

/* Of the library: what it answers to each query of the wave, and how often it was asked. */
static struct {
	amd_dbgapi_status_t status;
	uint8_t byte; /* all bytes of the value */
	size_t asked;
} library[QUERIES];

amd_dbgapi_status_t wt_ask_get_info(const struct wt_api *api, enum wt_object object,
				    uint64_t handle, uint32_t query, size_t value_size, void *value)
{
	(void)api;
	assert_int_equal(object, WT_OBJECT_WAVE);
	assert_int_equal(handle, WAVE);
	assert_true(query < QUERIES);
	library[query].asked++;
	/* A list whose bytes are pointers is always empty. */
	if (library[query].status == AMD_DBGAPI_STATUS_SUCCESS)
		memset(value, query == AMD_DBGAPI_WAVE_INFO_WATCHPOINTS ? 0 : library[query].byte,
		       value_size);
	return library[query].status;
}

/* What of the recorder is not what is tested. */

amd_dbgapi_status_t wt_ask_list(const struct wt_api *api, enum wt_function function, uint64_t owner,
				size_t *count_ret, uint64_t **handles_ret)
{
	(void)api;
	(void)function;
	(void)owner;
	*count_ret = 0;
	*handles_ret = NULL;
	return AMD_DBGAPI_STATUS_ERROR;
}

uint32_t wt_number_new_query(struct wt_numbers *numbers, enum wt_object object,
			     const struct wt_query *query)
{
	(void)numbers;
	(void)object;
	return 100 + query->value;
}

uint32_t wt_number_new_object(struct wt_numbers *numbers, enum wt_object object)
{
	(void)numbers;
	return 1 + (uint32_t)object;
}

uint32_t wt_number_new_function(struct wt_numbers *numbers, enum wt_function function)
{
	(void)numbers;
	return 1 + (uint32_t)function;
}

bool wt_ordinal(struct wt_ordinals *ordinals, uintptr_t identity, uint64_t *ordinal_ret)
{
	(void)ordinals;
	*ordinal_ret = identity;
	return true;
}

void wt_enumerator_look(struct wt_recorder *recorder, const struct wt_enumeration *enumeration,
			uint32_t value)
{
	(void)recorder;
	(void)enumeration;
	(void)value;
}

void wt_own_begin(void)
{
}

void wt_own_end(void)
{
}

/* A moment: the state of the last one is what the recorder knows. */
static void next_moment(struct wt_recorder *recorder)
{
	struct wt_state *state = wt_state_create();

	assert_non_null(state);
	for (size_t i = 0; i < QUERIES; i++)
		library[i].asked = 0;
	assert_null(wt_take_object(recorder, state, WT_OBJECT_WAVE, WAVE));
	wt_state_destroy(recorder->session.state);
	recorder->session.state = state;
}

/* What the state has must be what the library answers, whether it was asked or not. */
static void check_answers(struct wt_recorder *recorder)
{
	const struct wt_key key = wt_key_object(recorder, WT_OBJECT_WAVE, WAVE);
	const struct wt_item *item = wt_state_get(recorder->session.state, &key);
	const struct wt_object_info *info = &wt_objects[WT_OBJECT_WAVE];

	assert_non_null(item);
	assert_int_equal(item->answer_count, info->query_count);
	for (size_t i = 0; i < info->query_count; i++) {
		const struct wt_query *query = &info->queries[i];
		const struct wt_answer *answer = wt_item_answer(item, 100 + query->value);
		bool success = library[query->value].status == AMD_DBGAPI_STATUS_SUCCESS;

		assert_non_null(answer);
		assert_int_equal(answer->status, library[query->value].status);
		if (query->result == WT_RESULT_FIXED)
			assert_int_equal(answer->size, success ? query->size : 0);
		for (size_t j = 0; j < answer->size; j++)
			assert_int_equal(answer->value[j], library[query->value].byte);
	}
}

static struct wt_recorder *begin(void)
{
	struct wt_recorder *recorder = calloc(1, sizeof(*recorder));

	assert_non_null(recorder);
	for (size_t i = 0; i < QUERIES; i++) {
		library[i].status = AMD_DBGAPI_STATUS_SUCCESS;
		library[i].byte = (uint8_t)(i + 1);
	}
	return recorder;
}

static void end(struct wt_recorder *recorder)
{
	wt_state_destroy(recorder->session.state);
	free(recorder->scratch.data);
	free(recorder);
}

static const uint32_t places[] = {AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
				  AMD_DBGAPI_WAVE_INFO_CLUSTER, AMD_DBGAPI_WAVE_INFO_CLUSTER_COORD,
				  AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD_IN_CLUSTER};
static const uint32_t owners[] = {
	AMD_DBGAPI_WAVE_INFO_WORKGROUP,	 AMD_DBGAPI_WAVE_INFO_DISPATCH,
	AMD_DBGAPI_WAVE_INFO_QUEUE,	 AMD_DBGAPI_WAVE_INFO_AGENT,
	AMD_DBGAPI_WAVE_INFO_PROCESS,	 AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
	AMD_DBGAPI_WAVE_INFO_LANE_COUNT, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
};
static const uint32_t moving[] = {AMD_DBGAPI_WAVE_INFO_STATE, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
				  AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, AMD_DBGAPI_WAVE_INFO_PC,
				  AMD_DBGAPI_WAVE_INFO_EXEC_MASK};

#define CHECK_ASKED(queries, times)                                                                \
	for (size_t i_ = 0; i_ < sizeof(queries) / sizeof(*(queries)); i_++)                       \
	assert_int_equal(library[(queries)[i_]].asked, times)

static void what_a_wave_has_for_life_is_asked_once(void **unused)
{
	struct wt_recorder *recorder = begin();

	(void)unused;
	/* The first workgroup, in no cluster. */
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		library[places[i]].byte = 0;
		library[places[i]].status =
			i ? AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE : AMD_DBGAPI_STATUS_SUCCESS;
	}
	next_moment(recorder);
	check_answers(recorder);
	CHECK_ASKED(places, 1);
	CHECK_ASKED(owners, 1);
	for (uint8_t moment = 0; moment < 3; moment++) {
		for (size_t i = 0; i < sizeof(moving) / sizeof(*moving); i++)
			library[moving[i]].byte = (uint8_t)(0x40 * moment + i);
		next_moment(recorder);
		check_answers(recorder);
		CHECK_ASKED(places, 0);
		CHECK_ASKED(owners, 0);
		CHECK_ASKED(moving, 1);
	}
	end(recorder);
}

static void what_is_not_known_yet_is_asked_again(void **unused)
{
	static const amd_dbgapi_status_t statuses[] = {AMD_DBGAPI_STATUS_SUCCESS,
						       AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE,
						       AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED};

	(void)unused;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		struct wt_recorder *recorder = begin();

		/* A null dispatch, or none that is told. */
		library[AMD_DBGAPI_WAVE_INFO_DISPATCH].status = statuses[i];
		library[AMD_DBGAPI_WAVE_INFO_DISPATCH].byte = 0;
		for (size_t j = 0; j < sizeof(places) / sizeof(*places); j++)
			library[places[j]].status = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		next_moment(recorder);
		check_answers(recorder);
		library[AMD_DBGAPI_WAVE_INFO_DISPATCH].status = AMD_DBGAPI_STATUS_SUCCESS;
		library[AMD_DBGAPI_WAVE_INFO_DISPATCH].byte = 9;
		for (size_t j = 0; j < sizeof(places) / sizeof(*places); j++)
			library[places[j]].status = AMD_DBGAPI_STATUS_SUCCESS;
		next_moment(recorder);
		check_answers(recorder);
		CHECK_ASKED(places, 1);
		next_moment(recorder);
		check_answers(recorder);
		CHECK_ASKED(places, 0);
		end(recorder);
	}
}

/* A refusal that says nothing about the wave: that it runs, or that the library failed. */
static void a_refusal_is_asked_again(void **unused)
{
	struct wt_recorder *recorder = begin();

	(void)unused;
	for (size_t i = 0; i < QUERIES; i++)
		library[i].status = i == AMD_DBGAPI_WAVE_INFO_DISPATCH
					    ? AMD_DBGAPI_STATUS_SUCCESS
					    : AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	next_moment(recorder);
	check_answers(recorder);
	for (size_t i = 0; i < QUERIES; i++)
		library[i].status = AMD_DBGAPI_STATUS_SUCCESS;
	next_moment(recorder);
	check_answers(recorder);
	CHECK_ASKED(places, 1);
	assert_int_equal(library[AMD_DBGAPI_WAVE_INFO_WORKGROUP].asked, 1);
	assert_int_equal(library[AMD_DBGAPI_WAVE_INFO_DISPATCH].asked, 0);
	end(recorder);
}

static struct wt_held_item *item_of(struct wt_recorder *recorder)
{
	const struct wt_key key = wt_key_object(recorder, WT_OBJECT_WAVE, WAVE);

	return wt_state_held(recorder->session.state, &key);
}

/* The last state has its item unchanged, whoever else has it. */
static void an_item_is_that_of_the_last_moment_until_an_answer_differs(void **unused)
{
	struct wt_recorder *recorder = begin();
	struct wt_held_item *first, *second;

	(void)unused;
	next_moment(recorder);
	first = wt_held_item_reference(item_of(recorder));
	next_moment(recorder);
	assert_ptr_equal(item_of(recorder), first);
	CHECK_ASKED(moving, 1);
	for (size_t i = 0; i < sizeof(moving) / sizeof(*moving); i++) {
		const uint32_t query = moving[i];
		const uint8_t before = library[query].byte;
		const struct wt_answer *answer = wt_item_answer(&first->item, 100 + query);

		if (query == AMD_DBGAPI_WAVE_INFO_WATCHPOINTS)
			continue;
		library[query].byte = 0xaa;
		next_moment(recorder);
		second = item_of(recorder);
		assert_ptr_not_equal(second, first);
		assert_int_equal(answer->value[0], before);
		check_answers(recorder);
		library[query].byte = before;
		next_moment(recorder);
		assert_true(wt_item_equal(&item_of(recorder)->item, &first->item));
	}
	wt_held_item_release(first);
	end(recorder);
}

/* It is asked once, whichever of the answers is the first that has another length. */
static void an_answer_may_get_another_length(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(moving) / sizeof(*moving); i++) {
		struct wt_recorder *recorder = begin();

		next_moment(recorder);
		library[AMD_DBGAPI_WAVE_INFO_STATE].byte = 0x7f;
		for (int turn = 0; turn < 2; turn++) {
			library[moving[i]].status = turn ? AMD_DBGAPI_STATUS_SUCCESS
							 : AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
			next_moment(recorder);
			check_answers(recorder);
			CHECK_ASKED(moving, 1);
			CHECK_ASKED(owners, 0);
		}
		end(recorder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_wave_has_for_life_is_asked_once),
		cmocka_unit_test(what_is_not_known_yet_is_asked_again),
		cmocka_unit_test(a_refusal_is_asked_again),
		cmocka_unit_test(an_item_is_that_of_the_last_moment_until_an_answer_differs),
		cmocka_unit_test(an_answer_may_get_another_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
