/* SPDX-License-Identifier: MIT */
/* What the library says of a trace whose every answer is known: tests/golden/format-1.3.wtape. */
#include "visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT UINT64_C(0x210000000000) /* the buffer that is overrun */

static struct wavetape_stop *open_stop(uint32_t number)
{
	struct wavetape_trace *trace = visit_golden();
	struct wavetape_stop *stop;

	must(wavetape_stop_open(trace, number, &stop));
	/* The stop keeps what it needs of the trace. */
	wavetape_trace_close(trace);
	return stop;
}

static void test_trace(void **state)
{
	struct wavetape_trace_info info = {.size = sizeof(info)};
	struct wavetape_trace *trace = visit_golden();
	uint32_t stops;
	size_t missing;

	(void)state;
	must(wavetape_trace_info(trace, &info));
	assert_int_equal(info.size, sizeof(info));
	assert_string_equal(info.recorder, "wavetape 0.1.0");
	assert_string_equal(info.api_level, "0.77.0");
	assert_int_equal(info.calls, 3312);
	assert_string_equal(info.end_reason, "finalized");
	assert_true(info.closed && info.has_header && info.reproducible);
	assert_false(info.cut || info.redacted);
	must(wavetape_trace_stop_count(trace, &stops));
	assert_int_equal(stops, 3);
	must(wavetape_trace_missing_count(trace, &missing));
	assert_int_equal(missing, 0);
	assert_null(wavetape_trace_missing(trace, 0));
	assert_int_equal(wavetape_trace_damage_count(trace), 0);
	wavetape_trace_close(trace);
}

static void test_list(void **state)
{
	struct wavetape_stop_summary summary = {.size = sizeof(summary)};
	struct wavetape_events events = {.size = sizeof(events)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_trace *trace = visit_golden();
	struct wavetape_stops *stops;
	char reasons[64];

	(void)state;
	must(wavetape_stops_open(trace, &stops));
	wavetape_trace_close(trace);
	assert_int_equal(wavetape_stops_count(stops), 3);
	assert_null(wavetape_stops_failure(stops));
	must(wavetape_stops_get(stops, 0, &summary));
	assert_int_equal(summary.waves, 0);
	assert_false(summary.has_place);
	must_fail(wavetape_stops_place(stops, 0, &place), WAVETAPE_ERROR_NOT_FOUND, "stop 1");
	must(wavetape_stops_get(stops, 2, &summary));
	assert_int_equal(summary.number, 3);
	assert_int_equal(summary.call, 2906);
	assert_int_equal(summary.stopped, 2);
	assert_string_equal(summary.kernel, "oob_store");
	wavetape_reasons_text(summary.reasons, reasons, sizeof(reasons));
	assert_string_equal(reasons, "SINGLE_STEP|MEMORY_VIOLATION");
	assert_int_equal(summary.event_runs, 1);
	must(wavetape_stops_events(stops, 2, 0, &events));
	assert_string_equal(events.kind, "WAVE_STOP");
	assert_int_equal(events.count, 2);
	must(wavetape_stops_place(stops, 2, &place));
	assert_string_equal(place.symbol, "oob_store");
	assert_int_equal(place.symbol_offset, 0x60);
	assert_string_equal(place.file, "tests/kernels/oob-store.c");
	assert_int_equal(place.line, 16);
	assert_null(place.instruction);
	wavetape_stops_close(stops);
}

static void test_stop(void **state)
{
	struct wavetape_stop_info info = {.size = sizeof(info)};
	struct wavetape_stop *stop = open_stop(0);
	const uint64_t *numbers;
	uint64_t wave;
	size_t count;

	(void)state;
	must(wavetape_stop_info(stop, &info));
	assert_int_equal(info.number, 3);
	assert_int_equal(info.call, 2906);
	assert_int_equal(info.processes, 1);
	assert_int_equal(info.memory_precision, WAVETAPE_PRECISION_UNKNOWN);
	assert_true(info.fault);
	must(wavetape_stop_objects(stop, WAVETAPE_OBJECT_WAVE, &numbers, &count));
	assert_int_equal(count, 2);
	assert_int_equal(numbers[1], 3);
	must(wavetape_stop_objects(stop, WAVETAPE_OBJECT_AGENT, &numbers, &count));
	assert_int_equal(count, 1);
	must(wavetape_stop_telling_wave(stop, &wave));
	assert_int_equal(wave, 3);
	wavetape_stop_close(stop);
}

static void test_wave(void **state)
{
	struct wavetape_access access = {.size = sizeof(access)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_wave wave = {.size = sizeof(wave)};
	struct wavetape_stop *stop = open_stop(3);

	(void)state;
	must(wavetape_wave_info(stop, 3, &wave));
	assert_int_equal(wave.state, WAVETAPE_WAVE_STOPPED);
	assert_int_equal(wave.pc, 0x200000001960);
	assert_int_equal(wave.exec, UINT64_MAX);
	assert_int_equal(wave.lanes, 64);
	assert_int_equal(wave.number_in_workgroup, 2);
	assert_string_equal(wave.kernel, "oob_store");
	assert_string_equal(wave.architecture, "gfx942");
	assert_true(wave.fault && wave.memory_fault && wave.certain && wave.has_access);
	assert_true(wave.agent && wave.queue && wave.dispatch && wave.workgroup_number);
	must(wavetape_wave_place(stop, 3, &place));
	assert_string_equal(place.function, "oob_store");
	assert_int_equal(place.instruction_bytes, 8);
	assert_int_equal(place.words[0], 0xdc708000);
	must(wavetape_wave_access(stop, 3, &access));
	assert_string_equal(access.space, "global");
	assert_true(access.write && !access.read && !access.scalar);
	assert_int_equal(access.bytes, 4);
	assert_int_equal(access.unmapped_lanes, UINT64_C(7) << 61);
	assert_int_equal(access.addresses[61], OUT + 0x12f4);
	must_fail(wavetape_wave_access(stop, 1, &access), WAVETAPE_ERROR_NOT_FOUND, "wave 1");
	must_fail(wavetape_wave_info(stop, 2, &wave), WAVETAPE_ERROR_NOT_FOUND,
		  "there is no wave 2 at stop 3");
	wavetape_stop_close(stop);
}

static void test_registers(void **state)
{
	struct wavetape_register one = {.size = sizeof(one)};
	struct wavetape_stop *stop = open_stop(3);
	struct wavetape_registers *registers;
	uint64_t pc = 0;
	bool is_in;
	int change;

	(void)state;
	must(wavetape_registers_open(stop, 3, "v0,pc,s1-s3,exec", &registers));
	wavetape_stop_close(stop);
	assert_int_equal(wavetape_registers_count(registers), 6);
	must(wavetape_registers_get(registers, 0, &one));
	assert_string_equal(one.name, "v0");
	assert_int_equal(one.lanes, 64);
	assert_int_equal(one.bytes, 256);
	assert_int_equal(one.value[61 * 4 + 1], 0x12);
	must(wavetape_registers_in_class(registers, 0, "vector", &is_in));
	assert_true(is_in);
	must(wavetape_registers_change(registers, 0, &change));
	assert_int_equal(change, WAVETAPE_CHANGE_CHANGED);
	must(wavetape_registers_get(registers, 1, &one));
	assert_int_equal(one.lanes, 0);
	memcpy(&pc, one.value, one.bytes);
	assert_int_equal(pc, 0x200000001960);
	must(wavetape_registers_in_class(registers, 1, "vector", &is_in));
	assert_false(is_in);
	must(wavetape_registers_get(registers, 4, &one));
	assert_string_equal(one.name, "s3");
	must(wavetape_registers_change(registers, 5, &change));
	assert_int_equal(change, WAVETAPE_CHANGE_NONE);
	wavetape_registers_close(registers);
}

/* At the first stop with waves nothing is known of what was before. */
static void test_no_stop_before(void **state)
{
	struct wavetape_stop *stop = open_stop(2);
	struct wavetape_registers *registers;
	int change;

	(void)state;
	must(wavetape_registers_open(stop, 1, "pc", &registers));
	must(wavetape_registers_change(registers, 0, &change));
	assert_int_equal(change, WAVETAPE_CHANGE_UNKNOWN);
	wavetape_registers_close(registers);
	wavetape_stop_close(stop);
}

static void test_memory(void **state)
{
	struct wavetape_stop *stop = open_stop(3);
	uint8_t bytes[0x2000], known[sizeof(bytes)];
	uint64_t from, to;
	size_t count;

	(void)state;
	must(wavetape_memory_next(stop, "global", 0, OUT - 16, &from, &to));
	assert_int_equal(from, OUT);
	assert_int_equal(to, OUT + 0x1000);
	must(wavetape_memory_next(stop, "global", 0, UINT64_C(0x220000000140), &from, &to));
	assert_int_equal(from, to);
	memset(bytes, 0xa5, sizeof(bytes));
	must(wavetape_memory_read(stop, "global", 0, 0, OUT - 16, bytes, known, 64, &count));
	assert_int_equal(count, 48);
	for (int i = 0; i < 64; i++)
		assert_int_equal(known[i], i >= 16);
	assert_int_equal(bytes[0], 0);
	assert_int_equal(bytes[64], 0xa5);
	must(wavetape_memory_read(stop, "global", 0, 0, OUT - 16, bytes, NULL, 64, &count));
	assert_int_equal(count, 0);
	/* Recorded bytes on both sides of a gap. */
	must(wavetape_memory_read(stop, "global", 0, 0, UINT64_C(0x200000000000), bytes, known,
				  sizeof(bytes), &count));
	assert_int_equal(count, 2052 + 3456);
	assert_true(known[2051] && !known[2052] && !known[0xfff] && known[0x1000]);
	wavetape_stop_close(stop);
}

static void test_dispatch(void **state)
{
	struct wavetape_dispatch dispatch = {.size = sizeof(dispatch)};
	struct wavetape_agent agent;
	struct wavetape_queue queue;
	struct wavetape_stop *stop = open_stop(3);
	const uint64_t *numbers;
	size_t count;

	(void)state;
	must(wavetape_stop_objects(stop, WAVETAPE_OBJECT_DISPATCH, &numbers, &count));
	assert_int_equal(count, 1);
	must(wavetape_dispatch(stop, numbers[0], &dispatch));
	assert_int_equal(dispatch.number, numbers[0]);
	assert_true(dispatch.agent && dispatch.queue && dispatch.has_packet && dispatch.has_sizes);
	assert_int_equal(dispatch.packet, 0);
	assert_string_equal(dispatch.kernel, "oob_store");
	assert_int_equal(dispatch.dimensions, 1);
	assert_int_equal(dispatch.grid[0], 256);
	assert_int_equal(dispatch.grid[1], 1);
	assert_int_equal(dispatch.workgroup[0], 256);
	assert_int_equal(dispatch.entry, 0x200000001900);
	assert_int_equal(dispatch.arguments, 0x220000000000);
	assert_true(dispatch.descriptor);
	assert_int_equal(dispatch.local_bytes, 0);
	agent.size = sizeof(agent);
	must(wavetape_agent(stop, dispatch.agent, &agent));
	assert_int_equal(agent.number, dispatch.agent);
	assert_string_equal(agent.name, "Simulated AMD Instinct MI300X");
	assert_string_equal(agent.architecture, "gfx942");
	assert_int_equal(agent.vendor, 0x1002);
	assert_int_equal(agent.execution_units, 1216);
	assert_int_equal(agent.waves_of_unit, 8);
	queue.size = sizeof(queue);
	must(wavetape_queue(stop, dispatch.queue, &queue));
	assert_int_equal(queue.number, dispatch.queue);
	assert_int_equal(queue.agent, dispatch.agent);
	assert_int_equal(queue.address, 0x230000020000);
	assert_int_equal(queue.bytes, 4096);
	assert_int_equal(queue.error, 0);
	must_fail(wavetape_agent(stop, 9, &agent), WAVETAPE_ERROR_NOT_FOUND,
		  "there is no agent 9 at stop 3");
	must_fail(wavetape_queue(stop, 9, &queue), WAVETAPE_ERROR_NOT_FOUND,
		  "there is no queue 9 at stop 3");
	must_fail(wavetape_dispatch(stop, 9, &dispatch), WAVETAPE_ERROR_NOT_FOUND,
		  "there is no dispatch 9 at stop 3");
	wavetape_stop_close(stop);
}

/* The symbol of that name; it must be there. */
static struct wavetape_symbol symbol_named(const struct wavetape_symbols *symbols, const char *name)
{
	struct wavetape_symbol symbol = {.size = sizeof(symbol)};

	for (size_t i = 0; i < wavetape_symbols_count(symbols); i++) {
		must(wavetape_symbols_get(symbols, i, &symbol));
		assert_true(symbol.name && *symbol.name);
		assert_int_equal(symbol.address, 0x200000000000 + symbol.elf_address);
		if (!strcmp(symbol.name, name))
			return symbol;
	}
	print_error("there is no symbol %s\n", name);
	fail();
	return symbol;
}

static void test_symbols(void **state)
{
	struct wavetape_symbol symbol = {.size = sizeof(symbol)};
	struct wavetape_symbols *symbols;
	struct wavetape_stop *stop = open_stop(3);

	(void)state;
	must(wavetape_symbols_open(stop, 1, &symbols));
	/* They live on when the stop is closed. */
	wavetape_stop_close(stop);
	symbol = symbol_named(symbols, "oob_store");
	assert_int_equal(symbol.kind, WAVETAPE_SYMBOL_FUNCTION);
	assert_int_equal(symbol.address, 0x200000001900);
	assert_true(symbol.bytes > 0x60);
	symbol = symbol_named(symbols, "oob_store.kd");
	assert_int_equal(symbol.kind, WAVETAPE_SYMBOL_OBJECT);
	assert_int_equal(symbol.bytes, 64);
	must_fail(wavetape_symbols_get(symbols, wavetape_symbols_count(symbols), &symbol),
		  WAVETAPE_ERROR_USAGE, "shorter");
	wavetape_symbols_close(symbols);
}

static void test_code(void **state)
{
	struct wavetape_code_object code = {.size = sizeof(code)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_stop *stop = open_stop(3);

	(void)state;
	must(wavetape_code_object(stop, 1, &code));
	assert_string_equal(code.uri, "file:///tmp/wavetape-golden/oob-store.co");
	assert_int_equal(code.load_address, 0x200000000000);
	assert_int_equal(code.byte_count, 7072);
	assert_memory_equal(code.bytes,
			    "\x7f"
			    "ELF",
			    4);
	must(wavetape_stop_place(stop, 0x200000001908, &place));
	assert_string_equal(place.symbol, "oob_store");
	assert_int_equal(place.symbol_offset, 8);
	assert_string_equal(place.function, "group_id_x");
	assert_int_equal(place.code_object, 1);
	assert_int_equal(place.elf_address, 0x1908);
	must(wavetape_stop_place(stop, 0x10, &place));
	assert_int_equal(place.code_object, 0);
	assert_int_equal(place.instruction_bytes, 0);
	assert_null(place.file);
	wavetape_stop_close(stop);
}

static void test_stack(void **state)
{
	struct wavetape_variable variable = {.size = sizeof(variable)};
	struct wavetape_frame frame = {.size = sizeof(frame)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_value_info info = {.size = sizeof(info)};
	struct wavetape_stop *stop = open_stop(3);
	struct wavetape_stack *stack;
	struct wavetape_value *value;
	uint64_t active;
	uint32_t lanes;
	size_t count;

	(void)state;
	must(wavetape_stack_open(stop, 3, &stack));
	wavetape_stop_close(stop);
	assert_int_equal(wavetape_stack_count(stack), 1);
	assert_null(wavetape_stack_end(stack));
	must(wavetape_stack_lanes(stack, &active, &lanes));
	assert_int_equal(lanes, 64);
	assert_int_equal(active, UINT64_MAX);
	must(wavetape_stack_frame(stack, 0, &frame));
	assert_string_equal(frame.function, "oob_store");
	assert_false(frame.inlined);
	must(wavetape_stack_place(stack, 0, &place));
	assert_int_equal(place.line, 16);
	must(wavetape_stack_variable_count(stack, 0, &count));
	assert_int_equal(count, 6);
	must(wavetape_stack_variable(stack, 0, 5, &variable));
	assert_string_equal(variable.name, "index");
	assert_string_equal(variable.type, "u64");
	assert_false(variable.parameter);
	must(wavetape_stack_value(stack, 0, 5, 3, &value));
	must(wavetape_value_info(value, &info));
	assert_int_equal(info.kind, WAVETAPE_VALUE_UNKNOWN);
	assert_string_equal(info.text, "optimized out");
	assert_string_equal(info.rendered, "<optimized out>");
	wavetape_value_close(value);
	must(wavetape_stack_print(stack, 0, 61, "$v0 + 1", &value));
	must(wavetape_value_info(value, &info));
	assert_int_equal(info.kind, WAVETAPE_VALUE_UNSIGNED);
	assert_int_equal(info.number, 0x12f5);
	assert_string_equal(info.rendered, "4853");
	assert_string_equal(info.type, "unsigned int");
	wavetape_value_close(value);
	must_fail(wavetape_stack_print(stack, 0, 61, "$v0 +", &value), WAVETAPE_ERROR_INPUT,
		  "at character");
	must_fail(wavetape_stack_print(stack, 0, 64, "1", &value), WAVETAPE_ERROR_NOT_FOUND,
		  "not active");
	wavetape_stack_close(stack);
}

static void test_cause(void **state)
{
	struct wavetape_cause_info info = {.size = sizeof(info)};
	struct wavetape_argument argument = {.size = sizeof(argument)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_step step = {.size = sizeof(step)};
	struct wavetape_stop *stop = open_stop(3);
	struct wavetape_cause *cause;
	const char *sentence;

	(void)state;
	must(wavetape_stop_crash(stop, &sentence));
	assert_string_equal(
		sentence,
		"memory violation in kernel oob_store at tests/kernels/oob-store.c:16:13: past the "
		"end: lane "
		"61 stores to out[1213], 190 elements of 4 bytes past the last one that is mapped, "
		"out[1023]; its index was "
		"made from stray, which is 1024");
	must(wavetape_cause_open(stop, 3, -1, &cause));
	wavetape_stop_close(stop);
	must(wavetape_cause_info(cause, &info));
	assert_string_equal(info.kind, "past_end");
	assert_non_null(strstr(info.sentence, "out[1213]"));
	assert_int_equal(info.lane, 61);
	assert_int_equal(info.address, OUT + 0x12f4);
	assert_true(info.has_address && info.has_argument && info.has_element && info.has_end);
	assert_int_equal(info.element, 1213);
	assert_int_equal(info.end, OUT + 0x1000);
	must(wavetape_cause_argument(cause, info.argument, &argument));
	assert_string_equal(argument.name, "out");
	assert_true(argument.known && argument.pointer && !argument.hidden);
	assert_int_equal(argument.value, OUT);
	assert_true(info.steps > 8);
	must(wavetape_cause_step(cause, 1, &step));
	assert_string_equal(step.written, "v[0:1]");
	assert_int_equal(step.values[61], OUT + 0x12f4);
	assert_true(step.held && step.part && !step.comparison);
	must(wavetape_cause_place(cause, 1, &place));
	assert_string_equal(place.file, "tests/kernels/oob-store.c");
	wavetape_cause_close(cause);
}

static void test_journal(void **state)
{
	struct wavetape_argument_text value = {.size = sizeof(value)};
	struct wavetape_entry entry = {.size = sizeof(entry)};
	struct wavetape_trace *trace = visit_golden();
	struct wavetape_journal *journal;
	uint64_t calls = 0, returns = 0;

	(void)state;
	must(wavetape_journal_open(trace, &journal));
	wavetape_trace_close(trace);
	do {
		must(wavetape_journal_next(journal, &entry));
		calls += entry.kind == WAVETAPE_ENTRY_CALL;
		returns += entry.kind == WAVETAPE_ENTRY_RETURN;
		if (entry.kind == WAVETAPE_ENTRY_CALL && entry.call == 2) {
			assert_string_equal(entry.name, "amd_dbgapi_set_log_level");
			assert_int_equal(entry.values, 1);
			must(wavetape_journal_value(journal, 0, &value));
			assert_string_equal(value.name, "level");
			assert_string_equal(value.text, "AMD_DBGAPI_LOG_LEVEL_WARNING");
		}
		if (entry.kind == WAVETAPE_ENTRY_RETURN && entry.call == 1) {
			assert_null(entry.status);
			must(wavetape_journal_value(journal, 1, &value));
			assert_string_equal(value.name, "minor");
			assert_string_equal(value.text, "77");
			must_fail(wavetape_journal_value(journal, 3, &value), WAVETAPE_ERROR_USAGE,
				  "fewer");
		}
	} while (entry.kind != WAVETAPE_ENTRY_END);
	assert_int_equal(calls, 3312);
	assert_int_equal(returns, 3312);
	must(wavetape_journal_next(journal, &entry));
	assert_int_equal(entry.kind, WAVETAPE_ENTRY_END);
	wavetape_journal_close(journal);
}

/* What was kept goes before what a map leads to, and names lead nowhere else. */
/* What was kept is what was compiled; another file, another sum, and a place from before there were sums. */
static void assert_place_compares(struct wavetape_sources *sources)
{
	struct wavetape_stop *stop = open_stop(3);
	struct wavetape_place place = {.size = sizeof(place)};
	uint32_t match;

	must(wavetape_wave_place(stop, 3, &place));
	assert_string_equal(place.file, "tests/kernels/oob-store.c");
	assert_non_null(place.md5);
	must(wavetape_sources_compare(sources, &place, &match));
	assert_int_equal(match, WAVETAPE_SOURCE_SAME);
	place.md5 = (const uint8_t *)"another MD5 sum ";
	must(wavetape_sources_compare(sources, &place, &match));
	assert_int_equal(match, WAVETAPE_SOURCE_DIFFERS);
	place.size = offsetof(struct wavetape_place, md5);
	must(wavetape_sources_compare(sources, &place, &match));
	assert_int_equal(match, WAVETAPE_SOURCE_UNKNOWN);
	place.size = sizeof(place);
	place.file = "none.c";
	must(wavetape_sources_compare(sources, &place, &match));
	assert_int_equal(match, WAVETAPE_SOURCE_UNKNOWN);
	place.file = NULL;
	must(wavetape_sources_compare(sources, &place, &match));
	assert_int_equal(match, WAVETAPE_SOURCE_UNKNOWN);
	must_fail(wavetape_sources_compare(sources, NULL, &match), WAVETAPE_ERROR_USAGE, "NULL");
	wavetape_stop_close(stop);
}

static void test_sources(void **state)
{
	static const char kernel[] = "tests/kernels/oob-store.c";
	static const char other[] = "format-1.4.check.json";
	struct wavetape_source source = {.size = sizeof(source)};
	char path[512], map[512];
	const char *maps[] = {"none=/", map, NULL}, *text;
	struct wavetape_sources *sources;
	struct wavetape_trace *trace;
	size_t length;

	(void)state;
	snprintf(path, sizeof(path), "%s/format-1.4.wtape", getenv("WT_GOLDEN"));
	snprintf(map, sizeof(map), "=%s", getenv("WT_GOLDEN"));
	must(wavetape_trace_open(path, NULL, &trace));
	must_fail(wavetape_sources_open(trace, (const char *[]){"here", NULL}, &sources),
		  WAVETAPE_ERROR_USAGE, "here: not FROM=TO");
	must(wavetape_sources_open(trace, maps, &sources));
	wavetape_trace_close(trace);
	assert_int_equal(wavetape_sources_count(sources), 1);
	must(wavetape_sources_get(sources, 0, &source));
	assert_string_equal(source.name, kernel);
	assert_int_equal(source.byte_count, 533);
	assert_int_equal(strlen((const char *)source.bytes), 533);
	assert_int_equal(source.lines, 18);
	assert_true(source.recorded);
	must(wavetape_sources_line(sources, kernel, 16, &text, &length));
	assert_int_equal(length, strlen("\tout[index] = 3 * i;"));
	assert_memory_equal(text, "\tout[index] = 3 * i;", length);
	must_fail(wavetape_sources_line(sources, kernel, 19, &text, &length),
		  WAVETAPE_ERROR_NOT_FOUND, "it has 18 lines, counted from 1, and no line 19");
	must_fail(wavetape_sources_line(sources, kernel, 0, &text, &length),
		  WAVETAPE_ERROR_NOT_FOUND, "no line 0");
	must(wavetape_sources_find(sources, other, &source));
	assert_false(source.recorded);
	assert_int_equal(source.bytes[0], '{');
	must_fail(wavetape_sources_find(sources, path, &source), WAVETAPE_ERROR_NOT_FOUND,
		  "no map leads to it");
	must_fail(wavetape_sources_find(sources, "../golden/README.md", &source),
		  WAVETAPE_ERROR_NOT_FOUND, "no map leads to it");
	assert_int_equal(wavetape_sources_count(sources), 1);
	assert_place_compares(sources);
	wavetape_sources_close(sources);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trace),	  cmocka_unit_test(test_list),
		cmocka_unit_test(test_stop),	  cmocka_unit_test(test_wave),
		cmocka_unit_test(test_registers), cmocka_unit_test(test_no_stop_before),
		cmocka_unit_test(test_memory),	  cmocka_unit_test(test_code),
		cmocka_unit_test(test_dispatch),  cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_stack),	  cmocka_unit_test(test_cause),
		cmocka_unit_test(test_journal),	  cmocka_unit_test(test_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
