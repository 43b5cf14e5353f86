/* SPDX-License-Identifier: MIT */
#include "visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WAVES 8 /* of a stop */

void visit_must(struct wavetape_error *error, const char *call, const char *file, int line)
{
	char text[512];

	if (!error)
		return;
	wavetape_error_message(error, text, sizeof(text));
	wavetape_error_destroy(error);
	print_error("%s: %s\n", call, text);
	_fail(file, line);
}

void visit_must_fail(struct wavetape_error *error, int code, const char *part, const char *call,
		     const char *file, int line)
{
	char text[512] = "";
	int found = wavetape_error_code(error);

	wavetape_error_message(error, text, sizeof(text));
	wavetape_error_destroy(error);
	if (found == code && strstr(text, part))
		return;
	print_error("%s: code %d: %s\n", call, found, text);
	_fail(file, line);
}

struct wavetape_trace *visit_golden(void)
{
	struct wavetape_trace *trace;
	char path[512];

	snprintf(path, sizeof(path), "%s/format-1.3.wtape", getenv("WT_GOLDEN"));
	must(wavetape_trace_open(path, NULL, &trace));
	return trace;
}

static void add(struct visit *visit, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size; i++)
		visit->hash = (visit->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void add_number(struct visit *visit, uint64_t number)
{
	add(visit, &number, sizeof(number));
}

static void add_text(struct visit *visit, const char *text)
{
	if (text)
		add(visit, text, strlen(text) + 1);
}

/* Take an error: it must say something. */
static bool is_fine(struct visit *visit, struct wavetape_error *error)
{
	char text[512];

	if (!error)
		return true;
	assert_in_range(wavetape_error_code(error), WAVETAPE_ERROR_USAGE, WAVETAPE_ERROR_INTERNAL);
	assert_true(wavetape_error_message(error, text, sizeof(text)) > 10);
	assert_true(*wavetape_error_what(error) && *wavetape_error_why(error));
	add_text(visit, text);
	visit->errors++;
	wavetape_error_destroy(error);
	return false;
}

static void visit_place(struct visit *visit, const struct wavetape_place *place)
{
	add_number(visit, place->address);
	add_text(visit, place->symbol);
	add_text(visit, place->file);
	add_text(visit, place->instruction);
}

static void visit_registers(struct visit *visit, struct wavetape_stop *stop, uint64_t wave)
{
	struct wavetape_registers *registers;

	if (!is_fine(visit, wavetape_registers_open(stop, wave, NULL, &registers)))
		return;
	for (size_t i = 0; i < wavetape_registers_count(registers); i++) {
		struct wavetape_register one = {.size = sizeof(one)};
		int change = 7;

		visit->registers++;
		if (is_fine(visit, wavetape_registers_get(registers, i, &one))) {
			add_text(visit, one.name);
			if (one.value)
				add(visit, one.value, one.bytes);
		}
		if (i < 4 && is_fine(visit, wavetape_registers_change(registers, i, &change)))
			assert_in_range(change, WAVETAPE_CHANGE_UNKNOWN, WAVETAPE_CHANGE_CHANGED);
	}
	wavetape_registers_close(registers);
}

static void visit_value(struct visit *visit, const struct wavetape_value *value)
{
	struct wavetape_value_info info = {.size = sizeof(info)};

	must(wavetape_value_info(value, &info));
	assert_in_range(info.kind, WAVETAPE_VALUE_UNKNOWN, WAVETAPE_VALUE_MORE);
	add_text(visit, info.name);
	add_text(visit, info.text);
	add_number(visit, info.number);
	for (size_t i = 0; i < info.count; i++)
		visit_value(visit, wavetape_value_part(value, i));
	assert_null(wavetape_value_part(value, info.count));
}

static void visit_variables(struct visit *visit, struct wavetape_stack *stack, size_t frame,
			    uint32_t lane)
{
	size_t count = 0;

	is_fine(visit, wavetape_stack_variable_count(stack, frame, &count));
	for (size_t i = 0; i < count; i++) {
		struct wavetape_variable variable = {.size = sizeof(variable)};
		struct wavetape_value *value;

		must(wavetape_stack_variable(stack, frame, i, &variable));
		add_text(visit, variable.name);
		add_text(visit, variable.type);
		if (!is_fine(visit, wavetape_stack_value(stack, frame, i, lane, &value)))
			continue;
		visit_value(visit, value);
		wavetape_value_close(value);
	}
}

static void visit_stack(struct visit *visit, struct wavetape_stop *stop, uint64_t wave)
{
	struct wavetape_stack *stack;
	uint64_t active;
	uint32_t lanes;

	if (!is_fine(visit, wavetape_stack_open(stop, wave, &stack)))
		return;
	must(wavetape_stack_lanes(stack, &active, &lanes));
	add_text(visit, wavetape_stack_end(stack));
	for (size_t i = 0; i < wavetape_stack_count(stack); i++) {
		struct wavetape_frame frame = {.size = sizeof(frame)};
		struct wavetape_place place = {.size = sizeof(place)};

		must(wavetape_stack_frame(stack, i, &frame));
		add_text(visit, frame.function);
		must(wavetape_stack_place(stack, i, &place));
		visit_place(visit, &place);
		visit_variables(visit, stack, i, active ? (uint32_t)__builtin_ctzll(active) : 0);
	}
	wavetape_stack_close(stack);
}

static void visit_cause(struct visit *visit, struct wavetape_stop *stop, uint64_t wave)
{
	struct wavetape_cause_info info = {.size = sizeof(info)};
	struct wavetape_cause *cause;

	if (!is_fine(visit, wavetape_cause_open(stop, wave, -1, &cause)))
		return;
	must(wavetape_cause_info(cause, &info));
	add_text(visit, info.kind);
	add_text(visit, info.sentence);
	for (size_t i = 0; i < info.arguments; i++) {
		struct wavetape_argument argument = {.size = sizeof(argument)};

		must(wavetape_cause_argument(cause, i, &argument));
		add_text(visit, argument.name);
	}
	for (size_t i = 0; i < info.steps; i++) {
		struct wavetape_place place = {.size = sizeof(place)};
		struct wavetape_step step = {.size = sizeof(step)};

		must(wavetape_cause_step(cause, i, &step));
		must(wavetape_cause_place(cause, i, &place));
		add_text(visit, step.written);
		visit_place(visit, &place);
	}
	wavetape_cause_close(cause);
}

static void visit_wave(struct visit *visit, struct wavetape_stop *stop, uint64_t wave)
{
	struct wavetape_access access = {.size = sizeof(access)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_wave info = {.size = sizeof(info)};
	uint8_t bytes[64], known[64];
	size_t count;

	visit->waves++;
	if (!is_fine(visit, wavetape_wave_info(stop, wave, &info)))
		return;
	add_number(visit, info.pc);
	add_text(visit, info.kernel);
	if (is_fine(visit, wavetape_wave_place(stop, wave, &place)))
		visit_place(visit, &place);
	if (is_fine(visit, wavetape_wave_access(stop, wave, &access)))
		add(visit, access.addresses, sizeof(access.addresses));
	visit_registers(visit, stop, wave);
	visit_stack(visit, stop, wave);
	if (info.fault)
		visit_cause(visit, stop, wave);
	if (is_fine(visit, wavetape_memory_read(stop, "private_lane", wave, 1, 0, bytes, known,
						sizeof(bytes), &count)))
		add(visit, known, sizeof(known));
}

static void visit_memory(struct visit *visit, struct wavetape_stop *stop)
{
	uint64_t address = 0, from, to;

	while (is_fine(visit, wavetape_memory_next(stop, "global", 0, address, &from, &to)) &&
	       from != to) {
		uint8_t bytes[256], known[sizeof(bytes)];
		size_t count;

		add_number(visit, from);
		add_number(visit, to);
		if (is_fine(visit,
			    wavetape_memory_read(stop, "global", 0, 0, to - sizeof(bytes) / 2,
						 bytes, known, sizeof(bytes), &count)))
			add(visit, bytes, sizeof(bytes));
		if (to <= address)
			break;
		address = to;
	}
}

static void visit_symbols(struct visit *visit, struct wavetape_stop *stop, uint64_t code_object)
{
	struct wavetape_symbols *symbols;

	if (!is_fine(visit, wavetape_symbols_open(stop, code_object, &symbols)))
		return;
	for (size_t i = 0; i < wavetape_symbols_count(symbols); i++) {
		struct wavetape_symbol symbol = {.size = sizeof(symbol)};

		must(wavetape_symbols_get(symbols, i, &symbol));
		add_text(visit, symbol.name);
		add_number(visit, symbol.address);
	}
	wavetape_symbols_close(symbols);
}

static void visit_agents(struct visit *visit, struct wavetape_stop *stop)
{
	const uint64_t *numbers;
	size_t count;

	must(wavetape_stop_objects(stop, WAVETAPE_OBJECT_AGENT, &numbers, &count));
	for (size_t i = 0; i < count; i++) {
		struct wavetape_agent agent = {.size = sizeof(agent)};

		must(wavetape_agent(stop, numbers[i], &agent));
		add_text(visit, agent.name);
		add_text(visit, agent.architecture);
	}
	must(wavetape_stop_objects(stop, WAVETAPE_OBJECT_QUEUE, &numbers, &count));
	for (size_t i = 0; i < count; i++) {
		struct wavetape_queue queue = {.size = sizeof(queue)};

		must(wavetape_queue(stop, numbers[i], &queue));
		add_number(visit, queue.address);
	}
}

static void visit_dispatches(struct visit *visit, struct wavetape_stop *stop)
{
	const uint64_t *numbers;
	size_t count;

	if (!is_fine(visit,
		     wavetape_stop_objects(stop, WAVETAPE_OBJECT_DISPATCH, &numbers, &count)))
		return;
	for (size_t i = 0; i < count; i++) {
		struct wavetape_dispatch dispatch = {.size = sizeof(dispatch)};

		must(wavetape_dispatch(stop, numbers[i], &dispatch));
		add_text(visit, dispatch.kernel);
		add(visit, dispatch.grid, sizeof(dispatch.grid));
	}
}

static void visit_code(struct visit *visit, struct wavetape_stop *stop)
{
	const uint64_t *numbers;
	size_t count;

	if (!is_fine(visit,
		     wavetape_stop_objects(stop, WAVETAPE_OBJECT_CODE_OBJECT, &numbers, &count)))
		return;
	for (size_t i = 0; i < count; i++) {
		struct wavetape_code_object code = {.size = sizeof(code)};
		struct wavetape_place place = {.size = sizeof(place)};

		if (!is_fine(visit, wavetape_code_object(stop, numbers[i], &code)))
			continue;
		add_text(visit, code.uri);
		if (code.bytes)
			add(visit, code.bytes, code.byte_count);
		visit_symbols(visit, stop, numbers[i]);
		if (is_fine(visit, wavetape_stop_place(stop, code.load_address, &place)))
			visit_place(visit, &place);
	}
}

static void visit_stop(struct visit *visit, struct wavetape_stop *stop)
{
	struct wavetape_stop_info info = {.size = sizeof(info)};
	const uint64_t *waves;
	const char *sentence;
	uint64_t telling;
	size_t count;

	visit->stops++;
	if (is_fine(visit, wavetape_stop_crash(stop, &sentence)))
		add_text(visit, sentence);
	must(wavetape_stop_info(stop, &info));
	add_number(visit, info.call);
	if (is_fine(visit, wavetape_stop_telling_wave(stop, &telling)))
		add_number(visit, telling);
	must(wavetape_stop_objects(stop, WAVETAPE_OBJECT_WAVE, &waves, &count));
	for (size_t i = 0; i < count && i < MOST_WAVES; i++)
		visit_wave(visit, stop, waves[i]);
	visit_memory(visit, stop);
	visit_agents(visit, stop);
	visit_dispatches(visit, stop);
	visit_code(visit, stop);
}

static void visit_list(struct visit *visit, struct wavetape_trace *trace)
{
	struct wavetape_stops *stops;

	if (!is_fine(visit, wavetape_stops_open(trace, &stops)))
		return;
	for (size_t i = 0; i < wavetape_stops_count(stops); i++) {
		struct wavetape_stop_summary summary = {.size = sizeof(summary)};
		struct wavetape_events events = {.size = sizeof(events)};
		struct wavetape_place place = {.size = sizeof(place)};

		must(wavetape_stops_get(stops, i, &summary));
		add_number(visit, summary.waves);
		for (uint32_t run = 0; run < summary.event_runs; run++) {
			must(wavetape_stops_events(stops, i, run, &events));
			add_text(visit, events.kind);
		}
		if (is_fine(visit, wavetape_stops_place(stops, i, &place)))
			visit_place(visit, &place);
	}
	wavetape_stops_close(stops);
}

static void visit_state(struct visit *visit, struct wavetape_trace *trace)
{
	struct wavetape_trace_info info = {.size = sizeof(info)};
	size_t missing;

	must(wavetape_trace_info(trace, &info));
	add_number(visit, info.calls);
	add_text(visit, info.recorder);
	if (is_fine(visit, wavetape_trace_missing_count(trace, &missing)))
		for (size_t i = 0; i < missing; i++)
			add_text(visit, wavetape_trace_missing(trace, i));
	for (size_t i = 0; i < wavetape_trace_damage_count(trace); i++) {
		struct wavetape_damage damage = {.size = sizeof(damage)};

		must(wavetape_trace_damage(trace, i, &damage));
		add_text(visit, damage.text);
	}
}

static void visit_journal(struct visit *visit, struct wavetape_trace *trace)
{
	struct wavetape_entry entry = {.size = sizeof(entry), .kind = WAVETAPE_ENTRY_NOTICE};
	struct wavetape_journal *journal;

	if (!is_fine(visit, wavetape_journal_open(trace, &journal)))
		return;
	while (entry.kind != WAVETAPE_ENTRY_END &&
	       is_fine(visit, wavetape_journal_next(journal, &entry))) {
		add_text(visit, entry.name);
		add_number(visit, entry.call);
		for (size_t i = 0; i < entry.values; i++) {
			struct wavetape_argument_text value = {.size = sizeof(value)};

			must(wavetape_journal_value(journal, i, &value));
			add_text(visit, value.text);
		}
	}
	wavetape_journal_close(journal);
}

static void visit_host(struct visit *visit, struct wavetape_trace *trace)
{
	struct wavetape_host_info info = {.size = sizeof(info)};
	struct wavetape_host *host;

	if (!is_fine(visit, wavetape_host_open(trace, &host)))
		return;
	must(wavetape_host_info(host, &info));
	for (size_t i = 0; i < info.threads; i++) {
		struct wavetape_thread thread = {.size = sizeof(thread)};

		must(wavetape_host_thread(host, i, &thread));
		for (size_t j = 0; j < thread.frames; j++) {
			struct wavetape_host_frame frame = {.size = sizeof(frame)};

			must(wavetape_host_frame(host, i, j, &frame));
			add_text(visit, frame.symbol);
		}
	}
	for (size_t i = 0; i < info.maps; i++) {
		struct wavetape_map map = {.size = sizeof(map)};

		must(wavetape_host_map(host, i, &map));
		add_text(visit, map.path);
	}
	for (size_t i = 0; i < info.words; i++)
		add_text(visit, wavetape_host_word(host, i));
	for (size_t i = 0; i < info.kernel_lines; i++) {
		struct wavetape_kernel_line line = {.size = sizeof(line)};

		must(wavetape_host_kernel_line(host, i, &line));
		add_text(visit, line.text);
	}
	for (size_t i = 0; i < info.device_dumps; i++)
		add_text(visit, wavetape_host_device_dump(host, i));
	wavetape_host_close(host);
}

static void visit_sources(struct visit *visit, struct wavetape_trace *trace)
{
	struct wavetape_sources *sources;

	if (!is_fine(visit, wavetape_sources_open(trace, NULL, &sources)))
		return;
	for (size_t i = 0; i < wavetape_sources_count(sources); i++) {
		struct wavetape_source source = {.size = sizeof(source)}, same = source;
		const char *text;
		size_t length;

		must(wavetape_sources_get(sources, i, &source));
		add_text(visit, source.name);
		add(visit, source.bytes, source.byte_count);
		for (uint32_t line = 1; line <= source.lines; line++) {
			must(wavetape_sources_line(sources, source.name, line, &text, &length));
			add(visit, text, length);
		}
		must_fail(wavetape_sources_line(sources, source.name, (uint32_t)source.lines + 1,
						&text, &length),
			  WAVETAPE_ERROR_NOT_FOUND, "lines");
		must(wavetape_sources_find(sources, source.name, &same));
		assert_true(same.recorded);
	}
	wavetape_sources_close(sources);
}

struct visit visit_trace(const char *path)
{
	struct visit visit = {.hash = UINT64_C(0xcbf29ce484222325)};
	struct wavetape_trace *trace;
	uint32_t count = 0;

	if (!is_fine(&visit, wavetape_trace_open(path, NULL, &trace)))
		return visit;
	visit.opened = true;
	visit_state(&visit, trace);
	visit_list(&visit, trace);
	visit_journal(&visit, trace);
	visit_host(&visit, trace);
	visit_sources(&visit, trace);
	if (is_fine(&visit, wavetape_trace_stop_count(trace, &count)))
		add_number(&visit, count);
	for (uint32_t number = 0; number <= count; number++) {
		struct wavetape_stop *stop;

		if (!is_fine(&visit, wavetape_stop_open(trace, number, &stop)))
			continue;
		visit_stop(&visit, stop);
		wavetape_stop_close(stop);
	}
	wavetape_trace_close(trace);
	return visit;
}
