/* SPDX-License-Identifier: MIT */
/* A wave in a report: registers with what they were at the stop before, calls, and variables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/compare.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "cli/value.h"

#define MOST_FRAMES 16 /* whose variables are shown */

/* ---- Registers ---- */

static void append_number(struct wt_buffer *text, const char *format, unsigned long number)
{
	char digits[32];
	int length = snprintf(digits, sizeof(digits), format, number);

	wt_buffer_append(text, digits, (size_t)length);
}

static uint32_t word_at(const uint8_t *value, uint32_t lane)
{
	struct wt_cursor cursor = wt_cursor_init(value + (size_t)lane * 4, 4);

	return wt_cursor_next_u32(&cursor);
}

/* Of a vector register: a value for each lane in hexadecimal, "3ff,0*63"; else all digits, "0000200000001960". */
static json_t *value_json(const struct wt_view_register *reg)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	uint32_t lanes = reg->vector ? reg->size / 4 : 0;

	for (uint32_t lane = 0, same; lane < lanes; lane += same) {
		for (same = 1; lane + same < lanes; same++)
			if (word_at(reg->value, lane + same) != word_at(reg->value, lane))
				break;
		append_number(&text, lane ? ",%lx" : "%lx", word_at(reg->value, lane));
		if (same > 1)
			append_number(&text, "*%lu", same);
	}
	for (uint32_t i = reg->vector ? 0 : reg->size; i-- > 0;)
		append_number(&text, "%02lx", reg->value[i]);
	return text.failed ? NULL : json_stringn((const char *)text.data, text.size);
}

static struct wt_error *note_register(struct wt_report *report, uint64_t id)
{
	size_t low = 0, high = report->register_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (report->registers[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < report->register_count && report->registers[low] == id)
		return NULL;
	if (report->register_count == report->register_capacity) {
		size_t capacity = report->register_capacity ? 2 * report->register_capacity : 256;
		uint64_t *grown = reallocarray(report->registers, capacity, sizeof(*grown));

		if (!grown)
			return &wt_error_no_memory;
		report->registers = grown;
		report->register_capacity = capacity;
	}
	memmove(&report->registers[low + 1], &report->registers[low],
		(report->register_count - low) * sizeof(*report->registers));
	report->registers[low] = id;
	report->register_count++;
	return NULL;
}

/* At the stop before; NULL where it was the same or is not known. @known: set if it is. */
static json_t *old_value_json(struct wt_report_stop *stop, uint64_t wave,
			      const struct wt_view_register *reg, bool *known)
{
	struct wt_view_register old;

	if (!stop->before || !reg->value ||
	    !wt_view_register(stop->before, wave, reg->name, &old) || !old.value ||
	    old.size != reg->size)
		return NULL;
	*known = true;
	return memcmp(old.value, reg->value, reg->size) ? value_json(&old) : NULL;
}

/* Rows of handle, value (null: not recorded), and the value before, if that was another one. */
static struct wt_error *put_registers(struct wt_report *report, struct wt_report_stop *stop,
				      uint64_t wave, json_t *json)
{
	size_t count = wt_view_register_count(stop->view, wave);
	json_t *rows = json_array();
	struct wt_error *error = NULL;
	bool compared = false;

	for (size_t i = 0; !error && i < count; i++) {
		struct wt_view_register reg;
		json_t *row, *old;

		if (!wt_view_register_at(stop->view, wave, i, &reg))
			continue;
		old = old_value_json(stop, wave, &reg, &compared);
		row = json_pack("[I, o]", (json_int_t)reg.id,
				reg.value ? value_json(&reg) : json_null());
		if (old)
			json_array_append_new(row, old);
		json_array_append_new(rows, row);
		error = note_register(report, reg.id);
	}
	json_object_set_new(json, "registers", rows);
	json_object_set_new(json, "compared", json_boolean(compared));
	return error;
}

static uint32_t classes_of(struct wt_view *view, uint64_t id, const json_t *names)
{
	uint32_t mask = 0;

	for (size_t i = 0; i < json_array_size(names) && i < 32; i++) {
		const char *name = json_string_value(json_array_get(names, i));

		if (name && wt_view_register_in_class(view, id, name))
			mask |= UINT32_C(1) << i;
	}
	return mask;
}

/* Each architecture has classes of the same names. */
static json_t *class_names(struct wt_view *view)
{
	const uint64_t *classes;
	size_t count = wt_view_objects(view, WT_OBJECT_REGISTER_CLASS, &classes);
	json_t *names = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *name =
			wt_cli_json_text(wt_view_text(view, WT_OBJECT_REGISTER_CLASS, classes[i],
						      AMD_DBGAPI_REGISTER_CLASS_INFO_NAME));
		size_t j = 0;

		while (j < json_array_size(names) && !json_equal(json_array_get(names, j), name))
			j++;
		if (j == json_array_size(names))
			json_array_append(names, name);
		json_decref(name);
	}
	return names;
}

struct wt_error *wt_report_add_registers(struct wt_report *report)
{
	json_t *rows = json_array(), *names;
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(report->trace->reader, WT_VIEW_FACTS, &view);

	if (error) {
		json_decref(rows);
		return error;
	}
	names = class_names(view);
	for (size_t i = 0; i < report->register_count; i++) {
		uint64_t id = report->registers[i];

		json_array_append_new(
			rows,
			json_pack("[I, o, o, I]", (json_int_t)id,
				  wt_cli_json_text(wt_view_text(view, WT_OBJECT_REGISTER, id,
								AMD_DBGAPI_REGISTER_INFO_NAME)),
				  wt_cli_json_text(wt_view_text(view, WT_OBJECT_REGISTER, id,
								AMD_DBGAPI_REGISTER_INFO_TYPE)),
				  (json_int_t)classes_of(view, id, names)));
	}
	wt_view_close(view);
	return wt_report_page_must_add(&report->page, "registers",
				       json_pack("{s:o, s:o}", "classes", names, "rows", rows));
}

/* ---- Calls and variables ---- */

struct shown {
	struct wt_stack *stack;
	size_t frame, variable;
};

static void show_lane(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink)
{
	const struct shown *shown = opaque;

	wt_stack_show(shown->stack, shown->frame, shown->variable, lane, sink);
}

/* Lanes as text, which is short, and none where all active lanes agree. */
static void shorten_lanes(json_t *values)
{
	for (size_t i = 0; i < json_array_size(values); i++) {
		json_t *value = json_array_get(values, i), *lanes = json_object_get(value, "lanes");
		char text[WT_DESCRIBE_MAX];
		uint64_t mask = 0;

		for (size_t j = 0; j < json_array_size(lanes); j++)
			mask |= UINT64_C(1) << json_integer_value(json_array_get(lanes, j));
		if (json_array_size(values) == 1)
			json_object_del(value, "lanes");
		else
			json_object_set_new(value, "lanes",
					    json_string(wt_describe_lanes(mask, text)));
	}
}

/* Rows of name, type, values, and whether it is of an outer block. */
static struct wt_error *variables_json(struct wt_stack *stack, size_t frame, json_t **json_ret)
{
	struct wt_cli_lanes lanes = {0};
	struct shown shown = {.stack = stack, .frame = frame};
	json_t *array = json_array();
	size_t count = 0;
	struct wt_error *error = wt_stack_variables(stack, frame, &count);
	uint32_t lane_count;

	lanes.lanes = wt_stack_lanes(stack, &lane_count);
	for (; !error && shown.variable < count; shown.variable++) {
		struct wt_stack_variable variable;
		json_t *values;

		wt_stack_variable(stack, frame, shown.variable, &variable);
		values = wt_cli_values_json(&lanes, show_lane, &shown);
		shorten_lanes(values);
		json_array_append_new(array,
				      json_pack("[o, o, o, b]", wt_cli_json_text(variable.name),
						wt_cli_json_text(variable.type), values,
						variable.is_shadowed));
	}
	*json_ret = array;
	return error;
}

static struct wt_error *frame_json(struct wt_report *report, struct wt_report_stop *stop,
				   struct wt_stack *stack, size_t number,
				   const struct gfx_architecture *architecture, json_t **json_ret)
{
	const struct wt_stack_frame *frame = wt_stack_frame(stack, number);
	json_t *json = wt_cli_frame_json(number, frame), *variables = NULL;
	size_t code;
	struct wt_error *error = wt_report_add_code(report, stop, architecture, frame->address,
						    frame->code_object, &code);

	if (!error && number < MOST_FRAMES)
		error = variables_json(stack, number, &variables);
	if (variables)
		json_object_set_new(json, "variables", variables);
	if (!error && code != SIZE_MAX)
		json_object_set_new(json, "code_block", json_integer((json_int_t)code));
	*json_ret = json;
	return error;
}

static struct wt_error *put_frames(struct wt_report *report, struct wt_report_stop *stop,
				   uint64_t wave, json_t *json)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(stop->view, WT_OBJECT_WAVE, wave);
	json_t *frames = json_array();
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stack_create(stop->stacks, wave, &stack);
	uint32_t lanes = 0;

	for (size_t i = 0; !error && stack && i < wt_stack_count(stack); i++) {
		json_t *frame;

		error = frame_json(report, stop, stack, i, architecture, &frame);
		json_array_append_new(frames, frame);
	}
	if (!error && stack) {
		json_object_set_new(json, "exec", wt_cli_json_hex(wt_stack_lanes(stack, &lanes)));
		json_object_set_new(json, "lanes", json_integer(lanes));
		if (wt_stack_end(stack))
			json_object_set_new(json, "outermost_known",
					    json_string(wt_stack_end(stack)));
	}
	json_object_set_new(json, "frames", frames);
	wt_stack_destroy(stack);
	return error;
}

/* Of the first lane that failed, or that accessed memory at all. */
static void put_address(const struct wt_explain_wave *wave, json_t *json)
{
	uint64_t lanes = wave->failed_lanes ? wave->failed_lanes : wave->access.lanes;
	int lane = lanes ? __builtin_ctzll(lanes) : 0;

	if (!lanes)
		return;
	json_object_set_new(json, "lane", json_integer(lane));
	json_object_set_new(json, "address", wt_cli_json_hex(wave->access.addresses[lane]));
}

/* What the instruction that stopped it accessed. */
static struct wt_error *put_access(struct wt_report_stop *stop, uint64_t handle, json_t *json)
{
	struct wt_explain_wave wave;
	struct wt_error *error = wt_explain_wave(stop->explainer, handle, &wave);
	char text[WT_DESCRIBE_MAX];

	if (error)
		return error;
	if (wave.has_access) {
		json_object_set_new(json, "access", json_string(wt_describe_access(&wave, text)));
		json_object_set_new(json, "failed_lanes", wt_cli_json_hex(wave.failed_lanes));
		put_address(&wave, json);
	}
	wt_explain_wave_deinit(&wave);
	return error;
}

struct wt_error *wt_report_add_wave(struct wt_report *report, struct wt_report_stop *stop,
				    struct wt_report_wave *wave, size_t room)
{
	json_t *json = json_object();
	struct wt_error *error;
	char id[64];

	snprintf(id, sizeof(id), "wave-%u-%" PRIu64, stop->number, wave->handle);
	error = put_access(stop, wave->handle, json);
	if (!error)
		error = put_frames(report, stop, wave->handle, json);
	if (!error)
		error = put_registers(report, stop, wave->handle, json);
	if (error) {
		json_decref(json);
		return error;
	}
	return wt_report_page_add(&report->page, id, json, room, &wave->in_page);
}
