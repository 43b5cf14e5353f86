/* SPDX-License-Identifier: MIT */
/*
 * A trace whose values have wrong sizes and whose lists name what is not there, and a client that
 * calls anything in any order: whatever is answered, nothing crashes, hangs, or is written where it
 * was an error.
 */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "dbgapi/table/invoke.h"
#include "replayer/view/view.h"

/* splitmix64: the same numbers everywhere. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Memory that the library gave out in one call, to be freed after it. */
static void *given_out[64];
static size_t given_out_count;

static void *allocate(size_t size)
{
	void *memory = malloc(size ? size : 1);

	assert_true(given_out_count < 64);
	return given_out[given_out_count++] = memory;
}

static uint64_t pick(uint64_t *seed, const struct wt_parameter *parameter)
{
	const uint64_t numbers[] = {0,
				    1,
				    2,
				    3,
				    4,
				    7,
				    8,
				    500,
				    SESSION_PAGE,
				    SESSION_PAGE + 4095,
				    UINT32_MAX,
				    UINT64_MAX,
				    session_register("pc"),
				    session_register("v0"),
				    gfx_architecture_by_name("gfx942")->id,
				    session_space(GFX_SPACE_PRIVATE_LANE)};

	if (!strcmp(parameter->name, "process_id") && next(seed) % 8)
		return SESSION_PROCESS;
	if (parameter->enumeration && parameter->enumeration->count && next(seed) % 8)
		return (uint64_t)parameter->enumeration
			->values[next(seed) % parameter->enumeration->count]
			.value;
	return numbers[next(seed) % (sizeof(numbers) / sizeof(*numbers))];
}

/* Arguments for one call; sizes are those of the buffers, so that only the library can be wrong. */
static void fill(uint64_t *seed, const struct wt_function_info *info, struct wt_argument *arguments,
		 uint64_t (*places)[64])
{
	for (size_t i = 0; i < info->parameter_count; i++) {
		const struct wt_parameter *parameter = &info->parameters[i];

		arguments[i] = (struct wt_argument){.number = pick(seed, parameter)};
		memset(places[i], 0, sizeof(places[i]));
		if (!strcmp(parameter->name, "value_size"))
			arguments[i].number = 1 + next(seed) % 16;
		if (parameter->shape == WT_SHAPE_INOUT)
			places[i][0] = 1 + next(seed) % 256;
		if (parameter->shape == WT_SHAPE_OPAQUE)
			arguments[i].pointer = (void *)(uintptr_t)(next(seed) % 3);
		else if (parameter->shape != WT_SHAPE_VALUE &&
			 parameter->shape != WT_SHAPE_SYMBOLIZER && next(seed) % 16)
			arguments[i].pointer = places[i];
	}
}

static void call_anything(const struct wt_api *api, uint64_t *seed, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		enum wt_function function = (enum wt_function)(next(seed) % WT_FUNCTION_COUNT);
		struct wt_argument arguments[WT_ARGUMENTS] = {0};
		static uint64_t places[WT_ARGUMENTS][64];
		const char *text;
		int64_t status;

		/* More stops than resumes, else the session is over at once. */
		if (next(seed) % 4 == 0)
			function = WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT;
		fill(seed, &wt_functions[function], arguments, places);
		if (function == WT_FUNCTION_INITIALIZE)
			arguments[0].pointer = &session_callbacks;
		if ((function == WT_FUNCTION_PROCESS_DETACH || function == WT_FUNCTION_FINALIZE) &&
		    next(seed) % 16)
			continue;
		given_out_count = 0;
		wt_invoke(api, function, arguments, &status, &text);
		while (given_out_count)
			free(given_out[--given_out_count]);
		if (function == WT_FUNCTION_FINALIZE && !status)
			api->initialize(&session_callbacks);
	}
}

static void any_calls(bool hostile)
{
	const struct session_options options = {.hostile = hostile};
	const char *path = session_write(&options);
	const struct wt_api *api = session_api(path);

	session_callbacks.allocate_memory = allocate;
	for (uint64_t round = 0; round < 60; round++) {
		uint64_t seed = round;
		amd_dbgapi_process_id_t id;

		assert_int_equal(api->initialize(&session_callbacks), 0);
		assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id), 0);
		call_anything(api, &seed, 1500);
		api->finalize();
	}
}

static void test_any_calls(void **state)
{
	(void)state;
	any_calls(false);
}

static void test_any_calls_hostile(void **state)
{
	(void)state;
	any_calls(true);
}

/* The view of such a trace. */
static void test_view(void **state)
{
	const struct session_options options = {.hostile = true};
	struct wt_reader *reader;
	struct wt_view *view;
	struct wt_view_register reg;
	uint8_t bytes[64];
	uint64_t value;

	(void)state;
	session_must(wt_reader_open(session_write(&options), &reader));
	for (uint32_t moment = 0; moment < SESSION_MOMENTS; moment++) {
		const uint64_t *waves;
		size_t count;

		session_must(wt_view_open(reader, moment, &view));
		count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
		for (size_t i = 0; i < count; i++) {
			for (size_t j = 0; wt_view_register_at(view, waves[i], j, &reg); j++)
				assert_true(!reg.value || reg.size <= 256);
			wt_view_register_value(view, waves[i], "v0", 3, &value);
			wt_view_memory(view, "private_lane", waves[i], 9, 2, bytes, 64);
			wt_view_memory(view, "generic", waves[i], 9, UINT64_MAX - 3, bytes, 64);
		}
		wt_view_close(view);
	}
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_calls),
		cmocka_unit_test(test_any_calls_hostile),
		cmocka_unit_test(test_view),
	};

	return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
