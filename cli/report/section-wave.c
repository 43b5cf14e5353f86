/* SPDX-License-Identifier: MIT */
/* A wave in a report: registers with what they were at the stop before, calls, and variables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/compare.h"
#include "cli/look/variable-value.h"
#include "cli/output.h"
#include "cli/report/report.h"

#define MOST_FRAMES 16 /* whose variables are shown */

/* ---- Registers ---- */

static void number_append(struct wt_buffer *text, const char *format, unsigned long number)
{
	char digits[32];
	int length = snprintf(digits, sizeof(digits), format, number);

	wt_buffer_append(text, digits, (size_t)length);
}

static uint32_t lane_word(const uint8_t *value, uint32_t lane)
{
	struct wt_cursor cursor = wt_cursor_init(value + (size_t)lane * 4, 4);

	return wt_cursor_next_u32(&cursor);
}

/* How many lanes from one on have values that are each by @step more than the one before. */
static uint32_t lanes_in_steps(const uint8_t *value, uint32_t lane, uint32_t lanes, uint32_t step)
{
	uint32_t length = 1;

	while (lane + length < lanes &&
	       lane_word(value, lane + length) == lane_word(value, lane + length - 1) + step)
		length++;
	return length;
}

/*
 * A value for each lane in hexadecimal: "7f" is that of one, "0*40" of 64 (the count is in hexadecimal, too), "3c0+5*40" of 64
 * that grow by 5. Most registers are work-item numbers, addresses made of them, or the same in all lanes.
 */
static void lanes_append(struct wt_buffer *text, const uint8_t *value, uint32_t lanes)
{
	for (uint32_t lane = 0, length; lane < lanes; lane += length) {
		uint32_t word = lane_word(value, lane);
		uint32_t step = lane + 1 < lanes ? lane_word(value, lane + 1) - word : 0;

		length = lanes_in_steps(value, lane, lanes, step);
		if (step && length < 3)
			length = 1;
		number_append(text, lane ? ",%lx" : "%lx", word);
		if (step && length > 1)
			number_append(text, "+%lx", step);
		if (length > 1)
			number_append(text, "*%lx", length);
	}
}

/* A vector register's value is as lanes_append() has it, that of others the number in hexadecimal. */
static json_t *register_value_json(const struct wt_view_register *reg)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	uint32_t size = reg->size;

	if (reg->vector) {
		lanes_append(&text, reg->value, reg->size / 4);
	} else {
		while (size > 1 && !reg->value[size - 1])
			size--;
		for (uint32_t i = size; i-- > 0;)
			number_append(&text, i + 1 == size ? "%lx" : "%02lx", reg->value[i]);
	}
	return text.failed ? NULL : json_stringn((const char *)text.data, text.size);
}

/*
 * Have a block that several waves may have in the page once.
 *
 * @kind: of the block: "frames". @json: is taken over. @number_ret: SIZE_MAX if it does not fit.
 */
static struct wt_error *report_share_block(struct wt_report *report, const char *kind, json_t *json,
					   size_t *number_ret)
{
	wt_cleanup_free char *text = json ? json_dumps(json, JSON_COMPACT) : NULL, *key = NULL;
	json_t *known;
	struct wt_error *error;
	bool added;
	char id[48];

	*number_ret = SIZE_MAX;
	if (!text || asprintf(&key, "%s %s", kind, text) < 0) {
		json_decref(json);
		return &wt_error_no_memory;
	}
	known = json_object_get(report->shared, key);
	if (known) {
		*number_ret = (size_t)json_integer_value(known);
		json_decref(json);
		return NULL;
	}
	snprintf(id, sizeof(id), "%s-%zu", kind, json_object_size(report->shared));
	error = wt_report_page_add(&report->page, id, json, SIZE_MAX, &added);
	if (error || !added)
		return error;
	*number_ret = json_object_size(report->shared);
	json_object_set_new(report->shared, key, json_integer((json_int_t)*number_ret));
	return NULL;
}

static struct wt_error *report_note_register(struct wt_report *report, uint64_t id)
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

/* The same register at the stop before, where it is most often at the same position. */
static bool stop_find_old_register(struct wt_report_stop *stop, uint64_t wave, size_t position,
				   const struct wt_view_register *reg,
				   struct wt_view_register *old_ret)
{
	if (!stop->before || !wt_view_register_count(stop->before, wave))
		return false;
	if (wt_view_register_at(stop->before, wave, position, old_ret) && old_ret->id == reg->id)
		return true;
	return wt_view_register(stop->before, wave, reg->name, old_ret);
}

/* The value at the stop before; NULL if it was the same, or is not known. @known: set to true if it is known. */
static json_t *register_old_value_json(struct wt_report_stop *stop, uint64_t wave, size_t position,
				       const struct wt_view_register *reg, bool *known)
{
	struct wt_view_register old;

	if (!reg->value || !stop_find_old_register(stop, wave, position, reg, &old) || !old.value ||
	    old.size != reg->size)
		return NULL;
	*known = true;
	return memcmp(old.value, reg->value, reg->size) ? register_value_json(&old) : NULL;
}

/* A value, null if it was not recorded; with the value before, if that was another one. */
static json_t *register_row_json(struct wt_report_stop *stop, uint64_t wave, size_t position,
				 const struct wt_view_register *reg, bool *compared)
{
	json_t *old = register_old_value_json(stop, wave, position, reg, compared);
	json_t *value = reg->value ? register_value_json(reg) : json_null();

	return old ? json_pack("[o, o]", value, old) : value;
}

/* Values, and the number of the block that says of which registers they are. */
static struct wt_error *wave_put_registers(struct wt_report *report, struct wt_report_stop *stop,
					   uint64_t wave, json_t *json, bool *fits)
{
	size_t count = wt_view_register_count(stop->view, wave), layout;
	json_t *values = json_array(), *handles = json_array();
	struct wt_error *error = NULL;
	bool compared = false;

	for (size_t i = 0; !error && i < count; i++) {
		struct wt_view_register reg;

		if (!wt_view_register_at(stop->view, wave, i, &reg))
			continue;
		json_array_append_new(handles, json_integer((json_int_t)reg.id));
		json_array_append_new(values, register_row_json(stop, wave, i, &reg, &compared));
		error = report_note_register(report, reg.id);
	}
	json_object_set_new(json, "values", values);
	json_object_set_new(json, "compared", json_boolean(compared));
	if (error) {
		json_decref(handles);
		return error;
	}
	error = report_share_block(report, "layout", handles, &layout);
	*fits &= layout != SIZE_MAX;
	json_object_set_new(json, "layout", json_integer((json_int_t)layout));
	return error;
}

static uint32_t register_classes(struct wt_view *view, uint64_t id, const json_t *names)
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
			json_pack("[I, o, o, I, I]", (json_int_t)id,
				  wt_cli_json_text(wt_view_text(view, WT_OBJECT_REGISTER, id,
								AMD_DBGAPI_REGISTER_INFO_NAME)),
				  wt_cli_json_text(wt_view_text(view, WT_OBJECT_REGISTER, id,
								AMD_DBGAPI_REGISTER_INFO_TYPE)),
				  (json_int_t)register_classes(view, id, names),
				  (json_int_t)wt_view_number_or(view, WT_OBJECT_REGISTER, id,
								AMD_DBGAPI_REGISTER_INFO_SIZE, 0)));
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

static void variable_show_lane(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink)
{
	const struct shown *shown = opaque;

	wt_stack_show(shown->stack, shown->frame, shown->variable, lane, sink);
}

/* Write lanes as text, which is short; leave them out where all active lanes agree. */
static void values_shorten_lanes(json_t *values)
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
		struct wavetape_variable facts;
		json_t *values;

		wt_stack_variable(stack, frame, shown.variable, &variable);
		wt_variable_facts_take(&variable, &facts);
		values = wt_cli_values_json(&lanes, variable_show_lane, &shown);
		values_shorten_lanes(values);
		json_array_append_new(array, wt_variable_facts_json(&facts, values));
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
	struct wt_error *error = wt_report_add_code(
		report, stop, architecture, frame->place.address, frame->place.code_object, &code);

	if (!error && number < MOST_FRAMES)
		error = variables_json(stack, number, &variables);
	if (variables)
		json_object_set_new(json, "variables", variables);
	if (!error && code != SIZE_MAX)
		json_object_set_new(json, "code_block", json_integer((json_int_t)code));
	*json_ret = json;
	return error;
}

static struct wt_error *wave_put_frames(struct wt_report *report, struct wt_report_stop *stop,
					uint64_t wave, json_t *json, bool *fits)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(stop->view, WT_OBJECT_WAVE, wave);
	json_t *frames = json_array();
	struct wt_stack *stack = NULL;
	struct wt_error *error = wt_stack_create(stop->stacks, wave, &stack);
	uint32_t lanes = 0;
	size_t number;

	if (!error && stack)
		error = wt_sources_check_stack(stop->sources, stack);
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
	wt_stack_destroy(stack);
	if (error) {
		json_decref(frames);
		return error;
	}
	error = report_share_block(report, "frames", frames, &number);
	*fits &= number != SIZE_MAX;
	json_object_set_new(json, "frames", json_integer((json_int_t)number));
	return error;
}

/* The address is that of the first lane that failed, else of the first lane that accessed memory. */
static void wave_put_address(const struct wt_explain_wave *wave, json_t *json)
{
	uint64_t lanes = wave->failed_lanes ? wave->failed_lanes : wave->access.lanes;
	int lane = lanes ? __builtin_ctzll(lanes) : 0;

	if (!lanes)
		return;
	json_object_set_new(json, "lane", json_integer(lane));
	json_object_set_new(json, "address", wt_cli_json_hex(wave->access.addresses[lane]));
}

/* Put the access of the instruction that stopped the wave. */
static struct wt_error *wave_put_access(struct wt_report_stop *stop, uint64_t handle, json_t *json)
{
	struct wt_explain_wave wave;
	struct wt_error *error = wt_explain_wave(stop->explainer, handle, &wave);
	char text[WT_DESCRIBE_MAX];

	if (error)
		return error;
	if (wave.has_access) {
		json_object_set_new(json, "access", json_string(wt_describe_access(&wave, text)));
		json_object_set_new(json, "failed_lanes", wt_cli_json_hex(wave.failed_lanes));
		wave_put_address(&wave, json);
	}
	wt_explain_wave_deinit(&wave);
	return error;
}

struct wt_error *wt_report_add_wave(struct wt_report *report, struct wt_report_stop *stop,
				    struct wt_report_wave *wave, size_t room)
{
	json_t *json = json_object();
	struct wt_error *error;
	bool fits = true;
	char id[64];

	snprintf(id, sizeof(id), "wave-%u-%" PRIu64, stop->number, wave->handle);
	error = wave_put_access(stop, wave->handle, json);
	/* Waves that stopped at the same place have come there alike, as a rule. */
	if (!error && wave->state == WT_REPORT_FAULT && wave->is_first)
		error = wt_report_put_way(stop, wave->handle, json);
	if (!error)
		error = wave_put_frames(report, stop, wave->handle, json, &fits);
	if (!error)
		error = wave_put_registers(report, stop, wave->handle, json, &fits);
	if (error || !fits) {
		json_decref(json);
		return error;
	}
	return wt_report_page_add(&report->page, id, json, room, &wave->in_page);
}
