/* SPDX-License-Identifier: MIT */
/* A wave in a report: registers with what they were at the stop before, calls, and variables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/compare.h"
#include "base/text.h"
#include "cli/look/show.h"
#include "cli/look/variable-value.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "replayer/view/explain-cause.h"

/* ---- Code: the function around an address, or the part of it that is near, with source lines ---- */

#define MOST_BEFORE 160 /* instructions of a function that is long */
#define MOST_AFTER 96
#define MOST_BYTES (UINT64_C(1) << 20) /* that are walked over for it */

/* ---- Sources ---- */

struct sources {
	const struct wt_view *view;
	const struct wt_source_maps *maps;
	json_t *files; /* names */
	json_t *lines; /* by number of the file: object of texts by line */
};

static size_t sources_file_number(struct sources *sources, const char *file)
{
	json_t *name = wt_cli_json_text(file);
	size_t i = 0;

	while (i < json_array_size(sources->files) &&
	       !json_equal(json_array_get(sources->files, i), name))
		i++;
	if (i == json_array_size(sources->files)) {
		json_array_append(sources->files, name);
		json_array_append_new(sources->lines, json_object());
	}
	json_decref(name);
	return i;
}

/* The text of a line, if it is not there yet. */
static struct wt_error *sources_take_line(struct sources *sources, size_t file, const char *path,
					  uint32_t line)
{
	json_t *texts = json_array_get(sources->lines, file);
	char number[16];
	struct wt_lines lines;
	struct wt_error *error;

	snprintf(number, sizeof(number), "%u", line);
	if (json_object_get(texts, number))
		return NULL;
	error = wt_lines_read(sources->view, sources->maps, path, line, &lines);
	if (error)
		return error;
	for (size_t i = 0; i < lines.count; i++) {
		snprintf(number, sizeof(number), "%u", lines.first + (uint32_t)i);
		json_object_set_new(texts, number, wt_cli_json_text(lines.text[i]));
	}
	wt_lines_deinit(&lines);
	return NULL;
}

/* ---- Instructions ---- */

/* Append a row: the instruction's size in bytes, its text, the number of the file, the line. */
static struct wt_error *instruction_append(struct sources *sources,
					   const struct wavetape_place *code, json_t *rows)
{
	json_t *row = json_pack("[I]", (json_int_t)code->instruction_bytes);
	struct wt_error *error = NULL;
	char words[24];

	snprintf(words, sizeof(words), ".long 0x%08x", code->words[0]);
	json_array_append_new(row, wt_cli_json_text(code->instruction ? code->instruction : words));
	if (code->file && code->line) {
		size_t file = sources_file_number(sources, code->file);

		json_array_append_new(row, json_integer((json_int_t)file));
		json_array_append_new(row, json_integer(code->line));
		error = sources_take_line(sources, file, code->file, code->line);
	}
	json_array_append_new(rows, row);
	return error;
}

/* Is the code still of the function in which it began? */
static bool code_is_of_function(const struct wavetape_place *code, const char *symbol)
{
	return code->instruction_bytes && wt_same_text(code->symbol, symbol);
}

struct walk {
	struct wt_explainer *explainer;
	const struct gfx_architecture *architecture;
	const char *symbol;
	uint64_t from, address; /* of the first instruction; that is meant */
};

/* Begin so late that no more than MOST_BEFORE instructions come before the one that is meant. */
static struct wt_error *walk_skip_ahead(struct walk *walk)
{
	uint64_t window[MOST_BEFORE] = {0}, at = walk->from;
	size_t steps = 0;

	while (at < walk->address) {
		struct wavetape_place code;
		struct wt_error *error =
			wt_explain_address(walk->explainer, walk->architecture, at, &code);
		uint32_t size = error ? 0 : code.instruction_bytes;

		if (error)
			return error;
		wt_explain_code_deinit(&code);
		/* Instructions before it cannot be told apart: the list begins with the one that is meant. */
		if (!size) {
			walk->from = walk->address;
			return NULL;
		}
		window[steps++ % MOST_BEFORE] = at;
		at += size;
	}
	if (steps > MOST_BEFORE)
		walk->from = window[steps % MOST_BEFORE];
	if (at != walk->address)
		walk->from = walk->address;
	return NULL;
}

static struct wt_error *walk_list(const struct walk *walk, struct sources *sources, json_t *rows,
				  uint64_t *to_ret)
{
	struct wt_error *error = NULL;
	uint64_t at = walk->from;
	size_t after = 0;
	bool more = true;

	while (!error && more) {
		struct wavetape_place code;

		error = wt_explain_address(walk->explainer, walk->architecture, at, &code);
		if (error)
			break;
		more = code_is_of_function(&code, walk->symbol) && after <= MOST_AFTER;
		if (more) {
			error = instruction_append(sources, &code, rows);
			after += at >= walk->address;
			at += code.instruction_bytes;
		}
		wt_explain_code_deinit(&code);
	}
	*to_ret = at;
	return error;
}

static struct wt_error *code_json(struct wt_report *report, struct walk *walk, uint64_t *to_ret,
				  json_t **json_ret)
{
	json_t *rows = json_array();
	struct sources sources = {wt_explainer_view(walk->explainer), report->maps, json_array(),
				  json_array()};
	struct wt_error *error = walk_skip_ahead(walk);

	if (!error)
		error = walk_list(walk, &sources, rows, to_ret);
	*json_ret = json_pack("{s:o, s:o, s:o, s:o, s:o}", "from", wt_cli_json_hex(walk->from),
			      "symbol", wt_cli_json_text(walk->symbol), "files", sources.files,
			      "lines", sources.lines, "rows", rows);
	return error;
}

static struct wt_error *report_keep_code(struct wt_report *report, uint64_t code_object,
					 uint64_t from, uint64_t to, json_t *json,
					 size_t *number_ret)
{
	struct wt_report_code *grown =
		reallocarray(report->codes, report->code_count + 1, sizeof(*grown));
	struct wt_error *error;
	bool added;
	char id[32];

	if (!grown) {
		json_decref(json);
		return &wt_error_no_memory;
	}
	report->codes = grown;
	snprintf(id, sizeof(id), "code-%zu", report->code_count);
	error = wt_report_page_add(&report->page, id, json, SIZE_MAX, &added);
	if (error)
		return error;
	*number_ret = added ? report->code_count : SIZE_MAX;
	grown[report->code_count++] = (struct wt_report_code){
		.code_object = code_object, .from = from, .to = to, .number = *number_ret};
	if (!added)
		wt_report_leave_out(report, "the code at 0x%" PRIx64, from);
	return NULL;
}

/*
 * Have the code around an address in the page.
 *
 * @number_ret: of the block; SIZE_MAX if none was recorded there, or it did not fit.
 */
static struct wt_error *report_add_code(struct wt_report *report, struct wt_report_stop *stop,
					const struct gfx_architecture *architecture,
					uint64_t address, uint64_t code_object, size_t *number_ret)
{
	struct walk walk = {stop->explainer, architecture, NULL, address, address};
	struct wavetape_place code;
	struct wt_error *error;
	json_t *json = NULL;
	uint64_t to;

	for (size_t i = 0; i < report->code_count; i++) {
		const struct wt_report_code *old = &report->codes[i];

		*number_ret = old->number;
		if (old->code_object == code_object && address >= old->from && address < old->to)
			return NULL;
	}
	*number_ret = SIZE_MAX;
	error = wt_explain_address(stop->explainer, architecture, address, &code);
	if (error)
		return error;
	/* Instructions differ in length: what is before one is only known from the function's start on. */
	walk.symbol = code.symbol;
	if (code.symbol && code.symbol_offset <= MOST_BYTES)
		walk.from = address - code.symbol_offset;
	if (code.instruction_bytes)
		error = code_json(report, &walk, &to, &json);
	wt_explain_code_deinit(&code);
	if (error) {
		json_decref(json);
		return error;
	}
	return json ? report_keep_code(report, code_object, walk.from, to, json, number_ret) : NULL;
}

/* ---- The last steps of its way, with the values that each has written ---- */

#define SHOWN_STEPS 200u
#define SHOWN_INSTRUCTIONS UINT64_C(200000) /* a longer way is not followed for a page */

/* [name, value, changed]: values as `wavetape way` prints them. Before the step the list has names and values as they were. */
static json_t *step_values(const struct wt_way *way, const struct wt_way_step *step, uint32_t lane,
			   const json_t *before)
{
	json_t *values = json_array();

	for (size_t i = 0; i < step->touch_count; i++)
		for (uint32_t word = 0; word < step->touches[i].words; word++) {
			const struct wt_way_touch *touch = &step->touches[i];
			char name[24], text[WT_CLI_WAY_VALUE];
			struct wt_way_value value;
			const char *was, *is;

			if (!touch->write || touch->memory)
				continue;
			wt_cli_way_word(touch, word, name);
			if (!wt_way_register(way, name, lane, &value))
				continue;
			is = wt_cli_way_value(&value, text);
			was = json_string_value(
				json_array_get(json_array_get(before, json_array_size(values)), 1));
			json_array_append_new(values,
					      json_pack("[s, s, b]", name, is,
							before && (!was || strcmp(was, is))));
		}
	return values;
}

/* [position, "file:line", instruction, lane, values] */
static struct wt_error *step_row(struct wt_way *way, uint64_t next, json_t *rows)
{
	struct wt_way_step step;
	json_t *before = NULL, *row = NULL;
	uint32_t lane;
	bool has;
	struct wt_error *error = wt_way_step(way, &has, &step);

	if (error)
		return error;
	if (has) {
		lane = wt_way_lane(way, UINT32_MAX);
		before = step_values(way, &step, lane, NULL);
		row = json_pack("[I, o, I, o, I]", (json_int_t)step.position,
				wt_cli_json_text(step.place.file
							 ? wt_text_file_name(step.place.file)
							 : NULL),
				(json_int_t)step.place.line,
				wt_cli_json_text(step.place.instruction), (json_int_t)lane);
	}
	error = wt_way_go(way, next);
	if (!error && row) {
		json_array_append_new(row, step_values(way, &step, lane, before));
		json_array_append(rows, row);
	}
	json_decref(before);
	json_decref(row);
	if (has)
		wt_way_step_deinit(&step);
	return error;
}

static struct wt_error *way_rows(struct wt_way *way, json_t *rows)
{
	const struct wt_way_summary *summary = wt_way_summary(way);
	uint64_t from = summary->steps > SHOWN_STEPS ? summary->steps - SHOWN_STEPS : 0, next;
	struct wt_error *error = wt_way_go(way, from);

	while (!error && wt_way_next(way, false, &next))
		error = step_row(way, next, rows);
	return error;
}

/* Put the last steps of a wave's way: "way". */
static struct wt_error *report_put_way(struct wt_report_stop *stop, uint64_t wave, json_t *json)
{
	struct wt_way_options options = {.instructions = SHOWN_INSTRUCTIONS, .bytes = 16 << 20};
	wt_cleanup_free char *text = NULL;
	struct wt_way *way = NULL;
	json_t *rows = json_array();
	struct wt_error *error = wt_way_create(stop->explainer, wave, &options, &way);

	if (!error)
		error = wt_way_describe(way, &text);
	if (!error && wt_way_summary(way)->found)
		error = way_rows(way, rows);
	wt_way_destroy(way);
	if (error) {
		json_decref(rows);
		return error;
	}
	json_object_set_new(json, "way",
			    json_pack("{s:o, s:o}", "text", wt_cli_json_text(text), "rows", rows));
	return NULL;
}

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
	struct wt_error *error = report_add_code(report, stop, architecture, frame->place.address,
						 frame->place.code_object, &code);

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
		error = wt_stack_use_sources(stack, stop->sources);
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
		error = report_put_way(stop, wave->handle, json);
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
