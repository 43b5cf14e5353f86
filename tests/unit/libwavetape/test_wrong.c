/* SPDX-License-Identifier: MIT */
/* Wrong arguments, wrong files, and callers of other versions. */
#include "visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE WAVETAPE_ERROR_USAGE

static void test_null(void **state)
{
	struct wavetape_trace *trace = NULL;
	struct wavetape_stops *stops = NULL;
	struct wavetape_stop *stop = NULL;
	struct wavetape_registers *registers = NULL;
	struct wavetape_place place = {.size = sizeof(place)};
	const uint64_t *numbers;
	uint64_t number;
	size_t size;
	int change;
	bool flag;

	(void)state;
	must_fail(wavetape_trace_open(NULL, NULL, &trace), USAGE, "NULL");
	must_fail(wavetape_trace_open("x", NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_trace_info(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_trace_missing_count(NULL, &size), USAGE, "NULL");
	must_fail(wavetape_trace_damage(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_trace_stop_count(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_stops_open(NULL, &stops), USAGE, "NULL");
	must_fail(wavetape_stops_get(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_stops_place(NULL, 0, &place), USAGE, "NULL");
	must_fail(wavetape_stops_events(NULL, 0, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_stop_open(NULL, 0, &stop), USAGE, "NULL");
	must_fail(wavetape_stop_info(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_stop_objects(NULL, 5, &numbers, &size), USAGE, "NULL");
	must_fail(wavetape_stop_place(NULL, 0, &place), USAGE, "NULL");
	must_fail(wavetape_stop_telling_wave(NULL, &number), USAGE, "NULL");
	must_fail(wavetape_wave_info(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_wave_place(NULL, 1, &place), USAGE, "NULL");
	must_fail(wavetape_wave_access(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_registers_open(NULL, 1, NULL, &registers), USAGE, "NULL");
	must_fail(wavetape_registers_get(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_registers_change(NULL, 0, &change), USAGE, "NULL");
	must_fail(wavetape_registers_in_class(NULL, 0, "vector", &flag), USAGE, "NULL");
	must_fail(wavetape_memory_read(NULL, "global", 0, 0, 0, &number, NULL, 8, &size), USAGE,
		  "NULL");
	must_fail(wavetape_memory_next(NULL, "global", 0, 0, &number, &number), USAGE, "NULL");
	must_fail(wavetape_code_object(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_dispatch(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_agent(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_queue(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_symbols_open(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_symbols_get(NULL, 0, NULL), USAGE, "NULL");
	assert_int_equal(wavetape_symbols_count(NULL), 0);
	wavetape_symbols_close(NULL);
	must_fail(wavetape_stack_open(NULL, 1, NULL), USAGE, "NULL");
	must_fail(wavetape_stack_lanes(NULL, &number, NULL), USAGE, "NULL");
	must_fail(wavetape_stack_frame(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_stack_place(NULL, 0, &place), USAGE, "NULL");
	must_fail(wavetape_stack_variable_count(NULL, 0, &size), USAGE, "NULL");
	must_fail(wavetape_stack_variable(NULL, 0, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_stack_value(NULL, 0, 0, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_stack_print(NULL, 0, 0, "1", NULL), USAGE, "NULL");
	must_fail(wavetape_value_info(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_stop_crash(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_cause_open(NULL, 1, -1, NULL), USAGE, "NULL");
	must_fail(wavetape_cause_info(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_cause_argument(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_cause_step(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_cause_place(NULL, 0, &place), USAGE, "NULL");
	must_fail(wavetape_journal_open(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_journal_next(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_journal_value(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_sources_open(NULL, NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_sources_get(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_sources_find(NULL, "x", NULL), USAGE, "NULL");
	must_fail(wavetape_sources_line(NULL, "x", 1, NULL, &size), USAGE, "NULL");
	must_fail(wavetape_host_open(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_host_info(NULL, NULL), USAGE, "NULL");
	must_fail(wavetape_host_version(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_host_variable(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_host_map(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_host_thread(NULL, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_host_frame(NULL, 0, 0, NULL), USAGE, "NULL");
	must_fail(wavetape_host_kernel_line(NULL, 0, NULL), USAGE, "NULL");
	assert_int_equal(wavetape_sources_count(NULL), 0);
	assert_null(wavetape_host_word(NULL, 0));
	assert_null(wavetape_host_missing(NULL, 0));
	assert_null(wavetape_host_device_dump(NULL, 0));
	assert_null(wavetape_value_part(NULL, 0));
	assert_null(wavetape_stack_end(NULL));
	assert_int_equal(wavetape_stack_count(NULL), 0);
	assert_int_equal(wavetape_trace_damage_count(NULL), 0);
	assert_null(wavetape_trace_missing(NULL, 0));
	assert_int_equal(wavetape_stops_count(NULL), 0);
	assert_null(wavetape_stops_failure(NULL));
	assert_int_equal(wavetape_registers_count(NULL), 0);
	wavetape_trace_close(NULL);
	wavetape_stops_close(NULL);
	wavetape_stop_close(NULL);
	wavetape_registers_close(NULL);
	wavetape_stack_close(NULL);
	wavetape_value_close(NULL);
	wavetape_cause_close(NULL);
	wavetape_journal_close(NULL);
	wavetape_host_close(NULL);
	wavetape_sources_close(NULL);
}

static void test_error(void **state)
{
	struct wavetape_trace *trace;
	struct wavetape_error *error = wavetape_trace_open("/nowhere/x.wtape", NULL, &trace);
	char text[16] = "unchanged";

	(void)state;
	assert_int_equal(wavetape_error_code(error), WAVETAPE_ERROR_IO);
	assert_string_equal(wavetape_error_what(error), "cannot read the trace");
	assert_string_equal(wavetape_error_where(error), "/nowhere/x.wtape");
	assert_string_equal(wavetape_error_why(error), "No such file or directory");
	assert_int_equal(wavetape_error_message(error, NULL, 0), 66);
	assert_int_equal(wavetape_error_message(error, text, sizeof(text)), 66);
	assert_string_equal(text, "cannot read the");
	wavetape_error_destroy(error);
	assert_int_equal(wavetape_error_code(NULL), 0);
	assert_string_equal(wavetape_error_why(NULL), "");
	assert_int_equal(wavetape_error_message(NULL, text, sizeof(text)), 0);
	wavetape_error_destroy(NULL);
}

static void test_no_trace(void **state)
{
	struct wavetape_trace *trace;

	(void)state;
	must_fail(wavetape_trace_open("/proc/self/exe", NULL, &trace), WAVETAPE_ERROR_INPUT, "ELF");
	must_fail(wavetape_trace_open("/", NULL, &trace), WAVETAPE_ERROR_INPUT, "directory");
}

/* A caller that was compiled against another header has other sizes. */
static void test_sizes(void **state)
{
	struct {
		struct wavetape_stop_info info;
		uint64_t later;
	} newer = {.info.size = sizeof(newer), .later = 5};
	struct wavetape_stop_info older;
	struct wavetape_options options = {0};
	struct wavetape_trace *trace = visit_golden();
	struct wavetape_trace *second;
	struct wavetape_stop *stop;

	(void)state;
	must(wavetape_stop_open(trace, 3, &stop));
	must(wavetape_stop_info(stop, &newer.info));
	assert_int_equal(newer.info.number, 3);
	assert_int_equal(newer.later, 0);
	memset(&older, 0x5a, sizeof(older));
	older.size = offsetof(struct wavetape_stop_info, call);
	must(wavetape_stop_info(stop, &older));
	assert_int_equal(older.size, offsetof(struct wavetape_stop_info, call));
	assert_int_equal(older.process, 1);
	assert_int_equal(older.call, UINT64_C(0x5a5a5a5a5a5a5a5a));
	older.size = 0;
	must_fail(wavetape_stop_info(stop, &older), USAGE, "`size`");
	must_fail(wavetape_stop_info(stop, NULL), USAGE, "NULL");
	must_fail(wavetape_trace_open("x", &options, &second), USAGE, "`size`");
	wavetape_stop_close(stop);
	wavetape_trace_close(trace);
}

static void test_not_there(void **state)
{
	struct wavetape_trace *trace = visit_golden();
	struct wavetape_registers *registers;
	struct wavetape_symbols *symbols;
	struct wavetape_stop *stop;
	const uint64_t *numbers;
	uint64_t from, to;
	uint8_t bytes[8];
	size_t count;

	(void)state;
	must_fail(wavetape_stop_open(trace, 4, &stop), USAGE,
		  "there is no stop 4: the trace has 3");
	must(wavetape_stop_open(trace, 1, &stop));
	must_fail(wavetape_stop_telling_wave(stop, &from), WAVETAPE_ERROR_NOT_FOUND, "stop 1");
	wavetape_stop_close(stop);
	must(wavetape_stop_open(trace, 3, &stop));
	for (int kind = -1; kind < 9; kind++)
		if (kind < 1 || kind > 6)
			must_fail(wavetape_stop_objects(stop, kind, &numbers, &count), USAGE,
				  "kind");
	must_fail(wavetape_registers_open(stop, 9, NULL, &registers), WAVETAPE_ERROR_NOT_FOUND,
		  "no registers of wave 9");
	must_fail(wavetape_registers_open(stop, 3, "s9-s2", &registers), USAGE, "s9-s2");
	must_fail(wavetape_registers_open(stop, 3, "pc,,exec", &registers), USAGE, "list");
	must_fail(wavetape_registers_open(stop, 3, "pc,x9", &registers), WAVETAPE_ERROR_NOT_FOUND,
		  "x9");
	must(wavetape_registers_open(stop, 3, "pc", &registers));
	must_fail(wavetape_registers_get(registers, 1, NULL), USAGE, "fewer");
	wavetape_registers_close(registers);
	must_fail(wavetape_memory_read(stop, "moon", 0, 0, 0, bytes, NULL, 8, &count), USAGE,
		  "the space is");
	must_fail(wavetape_memory_read(stop, "local", 0, 0, 0, bytes, NULL, 8, &count), USAGE,
		  "of a wave");
	must(wavetape_memory_read(stop, "global", 0, 0, UINT64_MAX - 3, bytes, bytes, 8, &count));
	assert_int_equal(count, 0);
	must(wavetape_memory_read(stop, "global", 0, 0, UINT64_MAX - 7, bytes, bytes, 0, &count));
	must_fail(wavetape_memory_next(stop, "generic", 1, 0, &from, &to), USAGE, "listed");
	must_fail(wavetape_memory_next(stop, "local", 0, 0, &from, &to), USAGE, "owner");
	must_fail(wavetape_code_object(stop, 2, NULL), WAVETAPE_ERROR_NOT_FOUND, "code object 2");
	must_fail(wavetape_symbols_open(stop, 2, &symbols), WAVETAPE_ERROR_NOT_FOUND,
		  "code object 2");
	wavetape_stop_close(stop);
	wavetape_trace_close(trace);
}

static void test_memory_limit(void **state)
{
	struct wavetape_options options = {.size = sizeof(options), .memory_limit = 4096};
	struct wavetape_trace *trace;
	struct wavetape_stop *stop;
	char path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/format-1.3.wtape", getenv("WT_GOLDEN"));
	must_fail(wavetape_trace_open(path, &options, &trace), WAVETAPE_ERROR_LIMIT, "");
	options.memory_limit = 1 << 20;
	must(wavetape_trace_open(path, &options, &trace));
	must(wavetape_stop_open(trace, 3, &stop));
	wavetape_stop_close(stop);
	wavetape_trace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_null),	  cmocka_unit_test(test_error),
		cmocka_unit_test(test_no_trace),  cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_not_there), cmocka_unit_test(test_memory_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
