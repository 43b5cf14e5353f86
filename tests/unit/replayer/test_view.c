/* SPDX-License-Identifier: MIT */
/* A recorded state as the command line looks at it. */
#include "session.h"

#include "replayer/view/view.h"

static struct wt_reader *reader;

static struct wt_view *open_view(uint32_t moment)
{
	const struct session_options options = {0};
	struct wt_view *view;

	session_must(wt_reader_open(session_write(&options), &reader));
	session_must(wt_view_open(reader, moment, &view));
	return view;
}

static void close_view(struct wt_view *view)
{
	wt_view_close(view);
	wt_reader_close(reader);
}

static void test_objects(void **state)
{
	struct wt_view *view = open_view(3);
	const uint64_t *handles;
	uint32_t coordinates[5];
	const uint8_t *data;
	uint64_t number;
	size_t size;

	(void)state;
	assert_int_equal(wt_view_moment(view)->cause, WT_MOMENT_STOP);
	assert_int_equal(wt_view_objects(view, WT_OBJECT_WAVE, &handles), 3);
	assert_int_equal(handles[2], 3);
	assert_int_equal(wt_view_objects(view, WT_OBJECT_REGISTER, &handles), 7);
	assert_true(wt_view_exists(view, WT_OBJECT_WAVE, 2));
	assert_false(wt_view_exists(view, WT_OBJECT_WAVE, 4));
	assert_true(wt_view_number(view, WT_OBJECT_WAVE, 1, AMD_DBGAPI_WAVE_INFO_PC, &number));
	assert_int_equal(number, 0x1010);
	assert_false(wt_view_number(view, WT_OBJECT_WAVE, 3, AMD_DBGAPI_WAVE_INFO_PC, &number));
	assert_int_equal(wt_view_number_or(view, WT_OBJECT_WAVE, 3, AMD_DBGAPI_WAVE_INFO_PC, 5), 5);
	assert_int_equal(
		wt_view_answer(view, WT_OBJECT_WAVE, 3, AMD_DBGAPI_WAVE_INFO_PC, &data, &size),
		AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	assert_int_equal(
		wt_view_answer(view, WT_OBJECT_WAVE, 3, AMD_DBGAPI_WAVE_INFO_QUEUE, &data, &size),
		AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	assert_true(wt_view_array(view, WT_OBJECT_WAVE, 1, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
				  coordinates, 3));
	assert_int_equal(coordinates[2], 3);
	assert_false(wt_view_array(view, WT_OBJECT_WAVE, 1, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
				   coordinates, 5));
	assert_string_equal(wt_view_text(view, WT_OBJECT_AGENT, 1, AMD_DBGAPI_AGENT_INFO_NAME),
			    "agent");
	assert_ptr_equal(wt_view_text(view, WT_OBJECT_AGENT, 1, AMD_DBGAPI_AGENT_INFO_NAME),
			 wt_view_text(view, WT_OBJECT_AGENT, 1, AMD_DBGAPI_AGENT_INFO_NAME));
	assert_null(wt_view_text(view, WT_OBJECT_AGENT, 2, AMD_DBGAPI_AGENT_INFO_NAME));
	assert_ptr_equal(wt_view_architecture(view, WT_OBJECT_WAVE, 1),
			 gfx_architecture_by_name("gfx942"));
	close_view(view);
}

static void test_registers(void **state)
{
	struct wt_view *view = open_view(3);
	struct wt_view_register reg;
	uint64_t value;

	(void)state;
	assert_int_equal(wt_view_register_count(view, 1), 7);
	assert_int_equal(wt_view_register_count(view, 3), 0);
	assert_true(wt_view_has_registers(view, 1));
	assert_false(wt_view_has_registers(view, 3));
	assert_true(wt_view_register_at(view, 1, 2, &reg));
	assert_string_equal(reg.name, "v0");
	assert_true(reg.vector);
	assert_int_equal(reg.size, 256);
	assert_int_equal(reg.value[0], 0x30);
	assert_false(wt_view_register_at(view, 1, 7, &reg));
	assert_true(wt_view_register_value(view, 2, "s1", 0, &value));
	assert_int_equal(value, 0x33323130);
	assert_true(wt_view_register_value(view, 1, "v0", 2, &value));
	assert_int_equal(value, 0x3b3a3938);
	assert_false(wt_view_register_value(view, 1, "v0", 64, &value));
	assert_false(wt_view_register_value(view, 1, "s9", 0, &value));
	assert_true(wt_view_register_in_class(view, session_register("s0"), "general"));
	assert_false(wt_view_register_in_class(view, session_register("exec"), "general"));
	close_view(view);
}

static void test_memory(void **state)
{
	struct wt_view *view = open_view(3);
	uint64_t from, to;
	uint8_t bytes[300];

	(void)state;
	assert_int_equal(wt_view_memory(view, "global", 0, 0, SESSION_PAGE + 4000, bytes, 300),
			 96 + SESSION_TAIL);
	assert_int_equal(bytes[96], 7);
	assert_int_equal(wt_view_memory(view, "global", 0, 0, SESSION_PAGE - 8, bytes, 8), 0);
	assert_int_equal(wt_view_memory(view, "local", 1, 0, 8, bytes, 300), SESSION_LOCAL - 8);
	assert_int_equal(wt_view_memory(view, "private_lane", 1, 1, 4, bytes, 4), 4);
	assert_int_equal(bytes[0], (uint8_t)(0x80 + 256 + 4));
	assert_int_equal(wt_view_memory(view, "elsewhere", 1, 1, 4, bytes, 4), 0);
	assert_true(wt_view_memory_next(view, "global", 0, 0, &from, &to));
	assert_int_equal(from, SESSION_PAGE);
	assert_int_equal(to, SESSION_PAGE + 4096 + SESSION_TAIL);
	assert_true(wt_view_memory_next(view, "global", 0, SESSION_PAGE + 5, &from, &to));
	assert_int_equal(from, SESSION_PAGE + 5);
	assert_false(wt_view_memory_next(view, "global", 0, to, &from, &to));
	assert_true(wt_view_memory_next(view, "local", 1, 0, &from, &to));
	assert_int_equal(to, SESSION_LOCAL);
	close_view(view);
}

static void test_facts_alone(void **state)
{
	struct wt_view *view = open_view(WT_VIEW_FACTS);
	const uint64_t *handles;

	(void)state;
	assert_null(wt_view_moment(view));
	assert_int_equal(wt_view_objects(view, WT_OBJECT_ARCHITECTURE, &handles), 1);
	assert_string_equal(wt_view_text(view, WT_OBJECT_ARCHITECTURE, handles[0],
					 AMD_DBGAPI_ARCHITECTURE_INFO_NAME),
			    "gfx942");
	assert_int_equal(wt_view_objects(view, WT_OBJECT_WAVE, &handles), 0);
	close_view(view);
}

static void test_no_such_moment(void **state)
{
	const struct session_options options = {0};
	struct wt_view *view = NULL;
	struct wt_error *error;

	(void)state;
	session_must(wt_reader_open(session_write(&options), &reader));
	error = wt_view_open(reader, 100, &view);
	assert_non_null(error);
	assert_null(view);
	wt_error_destroy(error);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_objects),	       cmocka_unit_test(test_registers),
		cmocka_unit_test(test_memory),	       cmocka_unit_test(test_facts_alone),
		cmocka_unit_test(test_no_such_moment),
	};

	return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
