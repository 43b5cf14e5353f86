/* SPDX-License-Identifier: MIT */
/* `wavetape journal`: every API call with arguments, callbacks, answers and times. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "dbgapi/table/api.h"

#define TEXT_MAX 640
#define SHOWN_BYTES 32

struct options {
	struct wt_cli_trace trace;
	const char *function; /* only calls of functions whose names hold this */
	uint64_t from, to;
};

static bool names_a_function(const char *part)
{
	for (size_t i = 0; i < WT_FUNCTION_COUNT; i++)
		if (strstr(wt_functions[i].name, part))
			return true;
	return false;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'F':
		if (!names_a_function(argument))
			argp_error(state, "--function: no function of the API has '%s' in its name",
				   argument);
		options->function = argument;
		return 0;
	case 'f':
		if (!wt_cli_number(argument, &options->from))
			argp_error(state, "--from takes a call's number, not '%s'", argument);
		return 0;
	case 't':
		if (!wt_cli_number(argument, &options->to))
			argp_error(state, "--to takes a call's number, not '%s'", argument);
		return 0;
	case ARGP_KEY_END:
		if (options->from > options->to)
			argp_error(state, "--from %" PRIu64 " comes after --to %" PRIu64,
				   options->from, options->to);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

#define LOST_NAME_MAX 32

/* A name by its number, or in @lost that it is lost. */
static const char *name_of(const struct wt_reader *reader, uint32_t number,
			   char lost[LOST_NAME_MAX])
{
	const char *name = wt_reader_name(reader, number);

	if (name)
		return name;
	snprintf(lost, LOST_NAME_MAX, "(lost name %" PRIu32 ")", number);
	return lost;
}

/* A call whose begin has been read, and whose end may follow. */
struct call {
	const struct wt_function_info *function; /* NULL: a name we do not know */
	const char *name;
	char lost_name[LOST_NAME_MAX];
	struct wt_value *inputs; /* a copy: records live until the next one is read */
	size_t input_count;
	uint64_t number, start;
	uint32_t thread;
	bool open; /* begun and not ended */
	json_t *json;
};

/** A number as its enumerator, a handle, or decimal; large ones that are likely addresses in hex. */
static void number_text(uint64_t number, const struct wt_enumeration *enumeration, bool is_handle,
			char *text)
{
	const char *name = enumeration ? wt_enumerator_name(enumeration, (int64_t)number) : NULL;

	if (!name && enumeration)
		name = wt_enumerator_name(enumeration, (int32_t)number);
	if (name)
		snprintf(text, TEXT_MAX, "%s", name);
	else if (enumeration)
		wt_enumeration_flags(enumeration->name, number, "", text, TEXT_MAX);
	else if (is_handle)
		snprintf(text, TEXT_MAX, "#%" PRIu64, number);
	else if (number > 0xffff)
		snprintf(text, TEXT_MAX, "0x%" PRIx64, number);
	else
		snprintf(text, TEXT_MAX, "%" PRIu64, number);
}

static bool printable(const struct wt_value *value)
{
	for (size_t i = 0; i < value->size; i++)
		if (!isprint(value->data[i]))
			return false;
	return value->size > 0;
}

/** Bytes in hex, the first few and how many there are. */
static void bytes_text(const struct wt_value *value, char *text)
{
	size_t shown = value->size < SHOWN_BYTES ? value->size : SHOWN_BYTES, used = 0;

	for (size_t i = 0; i < shown; i++)
		used += (size_t)snprintf(text + used, TEXT_MAX - used, "%02x", value->data[i]);
	if (shown < value->size)
		snprintf(text + used, TEXT_MAX - used, "... (%zu bytes)", value->size);
	if (!value->size)
		strcpy(text, "(0 bytes)");
}

static uint64_t number_of(const struct wt_value *value)
{
	uint64_t number = 0;

	for (size_t i = 0; i < value->size && i < 8; i++)
		number |= (uint64_t)value->data[i] << (8 * i);
	return number;
}

static void handles_text(const struct wt_value *value, char *text)
{
	size_t count = value->size / 8, used;

	used = (size_t)snprintf(text, TEXT_MAX, "[");
	for (size_t i = 0; i < count && i < 16; i++) {
		struct wt_value element = {.data = value->data + 8 * i, .size = 8};

		used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s#%" PRIu64, i ? " " : "",
					 number_of(&element));
	}
	snprintf(text + used, TEXT_MAX - used, count > 16 ? " ... %zu]" : "]", count);
}

/** What a get_info gave, by its query. */
static void result_text(const struct call *call, const struct wt_parameter *parameter,
			const struct wt_value *value, char *text)
{
	const struct wt_value *query_value = &call->inputs[parameter->query_index];
	const struct wt_query *query =
		wt_query_find(call->function->object, (uint32_t)query_value->number);

	if (query && query->result == WT_RESULT_STRING)
		snprintf(text, TEXT_MAX, "\"%.*s\"", (int)(value->size < 400 ? value->size : 400),
			 (const char *)value->data);
	else if (query && query->result == WT_RESULT_HANDLES)
		handles_text(value, text);
	else if (query && query->result == WT_RESULT_FIXED && value->size <= 8)
		number_text(number_of(value), query->enumeration, query->is_handle, text);
	else
		bytes_text(value, text);
}

static void value_text(const struct call *call, const struct wt_parameter *parameter,
		       const struct wt_value *value, char *text)
{
	switch (value->form) {
	case WT_VALUE_ABSENT:
		strcpy(text, "NULL");
		return;
	case WT_VALUE_PRESENT:
		strcpy(text, value->number ? "*" : "NULL");
		return;
	case WT_VALUE_NUMBER:
		number_text(value->number, parameter ? parameter->enumeration : NULL,
			    parameter && parameter->is_handle, text);
		return;
	case WT_VALUE_DATA:
		break;
	}
	if (parameter && parameter->shape == WT_SHAPE_OUT_QUERY &&
	    (size_t)parameter->query_index < call->input_count)
		result_text(call, parameter, value, text);
	else if (parameter && parameter->shape == WT_SHAPE_OUT_ARRAY)
		handles_text(value, text);
	else if (printable(value) && (!parameter || parameter->shape == WT_SHAPE_OUT_STRING ||
				      parameter->shape == WT_SHAPE_OUT_STATIC_STRING))
		snprintf(text, TEXT_MAX, "\"%.*s\"", (int)(value->size < 400 ? value->size : 400),
			 (const char *)value->data);
	else
		bytes_text(value, text);
}

static void print_begin(const struct call *call)
{
	char text[TEXT_MAX];

	printf("%-6" PRIu64 " %10.3f ms  t%u  ", call->number, (double)call->start / 1e6,
	       call->thread);
	wt_cli_put(stdout, call->name);
	putchar('(');
	for (size_t i = 0; i < call->input_count; i++) {
		const struct wt_parameter *parameter =
			call->function && i < call->function->parameter_count
				? &call->function->parameters[i]
				: NULL;

		value_text(call, parameter, &call->inputs[i], text);
		printf("%s%s%s", i ? ", " : "", parameter ? parameter->name : "",
		       parameter ? "=" : "");
		wt_cli_put(stdout, text);
	}
	printf(")");
}

/** The parameter that the output at @index belongs to. */
static const struct wt_parameter *output_parameter(const struct call *call, size_t index)
{
	for (size_t i = 0; call->function && i < call->function->parameter_count; i++)
		if (wt_shape_is_output(call->function->parameters[i].shape) && !index--)
			return &call->function->parameters[i];
	return NULL;
}

/** Of a function that we do not know it is likely. */
static bool returns_status(const struct call *call)
{
	return !call->function || call->function->returns == WT_RETURNS_STATUS;
}

static void print_end(const struct call *call, const struct wt_call_end *end)
{
	char text[TEXT_MAX];
	const char *separator = "  ->  ";

	if (returns_status(call))
		printf(" = %s", wt_status_name(end->status));
	for (size_t i = 0; i < end->output_count; i++) {
		const struct wt_parameter *parameter = output_parameter(call, i);

		if (end->outputs[i].form == WT_VALUE_ABSENT)
			continue;
		value_text(call, parameter, &end->outputs[i], text);
		printf("%s%s=", separator, parameter ? parameter->name : "result");
		wt_cli_put(stdout, text);
		separator = ", ";
	}
	printf("  (%.3f us)\n", (double)end->duration / 1e3);
}

static json_t *value_json(const struct call *call, const struct wt_parameter *parameter,
			  const struct wt_value *value)
{
	char text[TEXT_MAX];

	if (value->form == WT_VALUE_ABSENT)
		return json_null();
	if (value->form == WT_VALUE_NUMBER && !(parameter && parameter->enumeration) &&
	    value->number <= INT64_MAX)
		return json_integer((json_int_t)value->number);
	value_text(call, parameter, value, text);
	return wt_cli_json_text(text);
}

static json_t *begin_json(const struct call *call)
{
	json_t *inputs = json_object();

	for (size_t i = 0; i < call->input_count; i++) {
		const struct wt_parameter *parameter =
			call->function && i < call->function->parameter_count
				? &call->function->parameters[i]
				: NULL;
		char name[24];

		snprintf(name, sizeof(name), "%zu", i);
		json_object_set_new(inputs, parameter ? parameter->name : name,
				    value_json(call, parameter, &call->inputs[i]));
	}
	return json_pack("{s:I, s:o, s:I, s:I, s:o}", "call", (json_int_t)call->number, "function",
			 wt_cli_json_text(call->name), "thread", (json_int_t)call->thread,
			 "start_ns", (json_int_t)call->start, "inputs", inputs);
}

static void end_json(const struct call *call, const struct wt_call_end *end)
{
	json_t *outputs = json_object();

	for (size_t i = 0; i < end->output_count; i++) {
		const struct wt_parameter *parameter = output_parameter(call, i);

		if (end->outputs[i].form == WT_VALUE_ABSENT)
			continue;
		json_object_set_new(outputs, parameter ? parameter->name : "result",
				    value_json(call, parameter, &end->outputs[i]));
	}
	/* The key is there for every call that returned. */
	json_object_set_new(call->json, "status",
			    returns_status(call) ? json_string(wt_status_name(end->status))
						 : json_null());
	json_object_set_new(call->json, "outputs", outputs);
	json_object_set_new(call->json, "duration_ns", json_integer((json_int_t)end->duration));
}

/* ---- The walk ---- */

struct walk {
	struct wt_cli_trace *trace;
	const struct options *options;
	struct call call;
	json_t *array; /* NULL: text */
	bool shown;    /* the current call passed the filter */
};

static struct wt_error *copy_inputs(struct call *call, const struct wt_call_begin *begin)
{
	size_t bytes = begin->input_count * sizeof(struct wt_value), offset = bytes;
	struct wt_value *copy;

	for (size_t i = 0; i < begin->input_count; i++)
		bytes += begin->inputs[i].size;
	free(call->inputs);
	call->inputs = copy = malloc(bytes ? bytes : 1);
	call->input_count = 0;
	if (!copy)
		return &wt_error_no_memory;
	call->input_count = begin->input_count;
	for (size_t i = 0; i < begin->input_count; i++) {
		uint8_t *data = (uint8_t *)copy + offset;

		copy[i] = begin->inputs[i];
		if (!copy[i].size)
			continue;
		memcpy(data, begin->inputs[i].data, copy[i].size);
		copy[i].data = data;
		offset += copy[i].size;
	}
	return NULL;
}

/** A call whose answer does not follow it: @why says what is known of that. */
static void finish_open(struct walk *walk, const char *why)
{
	if (!walk->call.open)
		return;
	walk->call.open = false;
	if (walk->shown && !walk->array)
		printf("  %s\n", why);
}

static bool in_range(const struct options *options, uint64_t call)
{
	return call >= options->from && call <= options->to;
}

/** An answer that does not follow its call: another one began between them, or the call itself is lost. */
static void show_answer_alone(const struct walk *walk, const struct wt_call_end *end)
{
	if (!in_range(walk->options, end->number) || walk->options->function)
		return;
	if (walk->array)
		json_array_append_new(walk->array,
				      json_pack("{s:I, s:s}", "call", (json_int_t)end->number,
						"status", wt_status_name(end->status)));
	else
		printf("%-6" PRIu64 " returned %s\n", end->number, wt_status_name(end->status));
}

static struct wt_error *show_begin(struct walk *walk, const struct wt_call_begin *begin)
{
	struct call *call = &walk->call;
	enum wt_function function;
	struct wt_error *error;

	finish_open(walk, "the next call follows before its answer");
	call->name = name_of(walk->trace->reader, begin->function, call->lost_name);
	function = wt_function_find(call->name);
	call->function = function == WT_FUNCTION_COUNT ? NULL : &wt_functions[function];
	call->number = begin->number;
	call->start = begin->start;
	call->thread = begin->thread;
	call->open = true;
	walk->shown = in_range(walk->options, begin->number) &&
		      (!walk->options->function || strstr(call->name, walk->options->function));
	error = copy_inputs(call, begin);
	if (error || !walk->shown)
		return error;
	if (walk->array) {
		call->json = begin_json(call);
		json_array_append_new(walk->array, call->json);
	} else {
		print_begin(call);
	}
	return NULL;
}

static void show_callback(struct walk *walk, const struct wt_callback *callback)
{
	char text[TEXT_MAX], lost[LOST_NAME_MAX];
	const char *name = name_of(walk->trace->reader, callback->function, lost);

	if (walk->array) {
		json_t *list = json_object_get(walk->call.json, "callbacks");

		if (!list) {
			list = json_array();
			json_object_set_new(walk->call.json, "callbacks", list);
		}
		json_array_append_new(list,
				      json_pack("{s:o, s:I}", "callback", wt_cli_json_text(name),
						"result", (json_int_t)callback->result));
		return;
	}
	printf("\n         callback ");
	wt_cli_put(stdout, name);
	putchar('(');
	for (size_t i = 0; i < callback->input_count; i++) {
		value_text(&walk->call, NULL, &callback->inputs[i], text);
		printf("%s%s", i ? ", " : "", text);
	}
	printf(") = %" PRId64 "\n        ", callback->result);
}

static bool is_open(const struct walk *walk, uint64_t call)
{
	return walk->call.open && walk->call.number == call;
}

static void show_end(struct walk *walk, const struct wt_call_end *end)
{
	if (!is_open(walk, end->number)) {
		show_answer_alone(walk, end);
		return;
	}
	walk->call.open = false;
	if (walk->shown && walk->array)
		end_json(&walk->call, end);
	else if (walk->shown)
		print_end(&walk->call, end);
}

static void print_notice(const char *notice)
{
	printf("notice: ");
	wt_cli_put(stdout, notice);
	putchar('\n');
}

static struct wt_error *show_record(struct walk *walk, const struct wt_journal_record *record)
{
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		return show_begin(walk, &record->begin);
	case WT_JOURNAL_CALLBACK:
		if (walk->shown && is_open(walk, record->callback.call))
			show_callback(walk, &record->callback);
		return NULL;
	case WT_JOURNAL_END:
		show_end(walk, &record->end);
		return NULL;
	case WT_JOURNAL_MOMENT:
		return NULL;
	case WT_JOURNAL_NOTICE:
		if (walk->array)
			json_array_append_new(
				walk->array,
				json_pack("{s:o}", "notice", wt_cli_json_text(record->notice)));
		else
			print_notice(record->notice);
		return NULL;
	}
	return NULL;
}

/* A --from behind the last call would show nothing. In a damaged trace nobody knows how many calls there were. */
static struct wt_error *check_from(const struct wt_cli_trace *trace, const struct options *options)
{
	struct wt_trace_info info;
	uint64_t last;

	wt_reader_info(trace->reader, &info);
	last = info.part.calls_before + info.calls;
	if (options->from <= last || !info.complete || wt_reader_damage(trace->reader))
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, "cannot show the journal", trace->path,
			       "there is no call %" PRIu64 ": the last one is %" PRIu64,
			       options->from, last);
}

static struct wt_error *show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct walk walk = {.trace = trace, .options = input};
	const struct wt_journal_record *record;
	struct wt_journal *journal = NULL;
	struct wt_error *error = check_from(trace, input);

	if (error)
		return error;

	if (trace->json)
		*json_ret = walk.array = json_array();
	error = wt_journal_open(trace->reader, &journal);
	while (!error) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		error = show_record(&walk, record);
	}
	if (!error)
		finish_open(&walk, "did not return");
	free(walk.call.inputs);
	wt_journal_close(journal);
	return error;
}

int wt_command_journal(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"function", 'F', "NAME", 0, "only functions whose names hold NAME", 0},
		{"from", 'f', "CALL", 0, "from this call on", 0},
		{"to", 't', "CALL", 0, "up to this call", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "Print every API call of the recorded session in order: number, time, "
		       "thread, arguments, the callbacks made during it, status and outputs.",
		.own = {.options = argp_options, .parser = parse},
		.show = show,
	};
	struct options options = {.to = UINT64_MAX};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
