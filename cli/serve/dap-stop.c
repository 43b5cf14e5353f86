/* SPDX-License-Identifier: MIT */
/* A stop, as an editor shows it: threads, calls, sources, code objects, and what happened. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "cli/serve/dap.h"
#include "replayer/view/explain-cause.h"

/* ---- Threads ---- */

struct thread {
	uint64_t wave, pc;
	struct wt_view_kernel kernel;
	bool fault, stopped, walked; /* it stands on its way */
	size_t order;
};

/* Waves with a fault come first, then those of a kernel together, and of those the ones at a place. */
static int thread_compare(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;
	int kernel = wt_view_kernel_compare(x->kernel, y->kernel);

	if (x->fault != y->fault)
		return x->fault ? -1 : 1;
	if (x->stopped != y->stopped)
		return x->stopped ? -1 : 1;
	if (kernel)
		return kernel;
	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void thread_find(const struct wt_dap *dap, uint64_t wave, size_t order,
			struct thread *thread)
{
	const struct wt_way *way = wt_opened_way_at(dap->opened, wave);
	struct wt_view *view = dap->opened->view;
	uint64_t reasons, dispatch;

	*thread = (struct thread){.wave = wave, .order = order, .walked = way != NULL};
	thread->fault = wt_view_wave_has_fault(view, wave);
	thread->stopped = wt_view_number(view, WT_OBJECT_WAVE, wave,
					 AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons);
	thread->pc =
		way ? wt_way_pc(way)
		    : wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, 0);
	if (wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, &dispatch))
		thread->kernel = wt_view_kernel(view, dispatch);
}

/* "fill k.c:12", of all waves of a kernel that are at one place. */
static char *thread_place_describe(struct wt_dap *dap, const struct thread *thread)
{
	struct wt_explainer *explainer = dap->opened->explainer;
	const char *kernel = wt_explainer_kernel(explainer, thread->kernel, NULL);
	char *text = NULL, name[WT_CLI_NAME];
	struct wavetape_place place;
	struct wt_error *error;

	kernel = wt_cli_name(kernel ? kernel : "?", name);
	if (!thread->stopped)
		return wt_text("%s, running", kernel);
	error = wt_explain_address(explainer, NULL, thread->pc, &place);
	if (error) {
		wt_error_destroy(error);
		return strdup(kernel);
	}
	if (place.file)
		text = wt_text("%s %s:%" PRIu32, kernel, wt_text_file_name(place.file), place.line);
	else
		text = wt_text("%s 0x%" PRIx64, kernel, thread->pc);
	wt_explain_code_deinit(&place);
	return text;
}

/* "fill k.c:12 (1,0,0)/2 w17: memory violation". */
static json_t *thread_name(struct wt_dap *dap, const struct thread *thread, const char *place)
{
	wt_cleanup_free char *position = wt_dap_position(dap, thread->wave);
	struct wt_view *view = dap->opened->view;
	uint32_t workgroup[3];
	char where[WT_DESCRIBE_MAX], reasons[WT_DESCRIBE_MAX];
	bool known = wt_view_array(view, WT_OBJECT_WAVE, thread->wave,
				   AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, workgroup, 3);
	wt_cleanup_free char *text = NULL;

	wt_describe_place(known ? workgroup : NULL,
			  (uint32_t)wt_view_number_or(view, WT_OBJECT_WAVE, thread->wave,
						      AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
						      0),
			  where);
	reasons[0] = '\0';
	if (position)
		snprintf(reasons, sizeof(reasons), "%s", position);
	else if (thread->fault)
		wt_describe_reasons_plainly(
			(uint32_t)wt_view_number_or(view, WT_OBJECT_WAVE, thread->wave,
						    AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0),
			reasons);
	text = wt_text("%s %s w%" PRIu64 "%s%s", place ? place : "?", where, thread->wave,
		       reasons[0] ? ": " : "", reasons);
	return wt_cli_json_visible(text);
}

static struct wt_error *handle_threads(struct wt_dap *dap, const json_t *arguments,
				       json_t **body_ret)
{
	struct wt_view *view = dap->opened->view;
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	wt_cleanup_free struct thread *threads = calloc(count + 1, sizeof(*threads));
	wt_cleanup_free char *place = NULL;
	json_t *array = json_array();

	(void)arguments;
	if (!threads)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++)
		thread_find(dap, waves[i], i, &threads[i]);
	qsort(threads, count, sizeof(*threads), thread_compare);
	for (size_t i = 0; i < count; i++) {
		const struct thread *thread = &threads[i];

		/* Numbers of threads are those of JSON, and of JavaScript. */
		if (thread->wave >= UINT64_C(1) << 53 || thread->wave == WT_DAP_NO_WAVE)
			continue;
		if (!place || wt_view_kernel_compare(thread->kernel, threads[i - 1].kernel) ||
		    thread->pc != threads[i - 1].pc || thread->stopped != threads[i - 1].stopped) {
			free(place);
			place = thread_place_describe(dap, thread);
		}
		json_array_append_new(array, json_pack("{s:I, s:o}", "id", (json_int_t)thread->wave,
						       "name", thread_name(dap, thread, place)));
	}
	if (!json_array_size(array))
		json_array_append_new(array,
				      json_pack("{s:I, s:s}", "id", (json_int_t)WT_DAP_NO_WAVE,
						"name", "no wave is here"));
	*body_ret = json_pack("{s:o}", "threads", array);
	return NULL;
}

struct wt_error *wt_dap_wave(struct wt_dap *dap, const json_t *arguments, const char *what,
			     uint64_t *wave_ret)
{
	const json_t *thread = json_object_get(arguments, "threadId");
	uint64_t wave = (uint64_t)json_integer_value(thread);

	if (!json_is_integer(thread))
		return wt_dap_wrong(what, "threadId is missing");
	if (wave == WT_DAP_NO_WAVE)
		wave = 0;
	else if (!wt_view_exists(dap->opened->view, WT_OBJECT_WAVE, wave))
		return wt_dap_wrong(what, "there is no thread %" PRId64 " at this stop",
				    (int64_t)json_integer_value(thread));
	*wave_ret = wave;
	return NULL;
}

/* ---- Sources ---- */

json_int_t wt_dap_line(const struct wt_dap *dap, uint32_t line)
{
	return line && dap->client.lines_from_0 ? (json_int_t)line - 1 : (json_int_t)line;
}

json_int_t wt_dap_column(const struct wt_dap *dap, uint32_t column)
{
	return column && dap->client.columns_from_0 ? (json_int_t)column - 1 : (json_int_t)column;
}

/* The number of a source that was kept with the trace, from 1; 0: it was not. */
static json_int_t source_number(const struct wt_dap *dap, const char *file)
{
	size_t count = wt_sources_count(dap->opened->sources);

	for (size_t i = 0; i < count && i < INT32_MAX; i++)
		if (!strcmp(wt_sources_at(dap->opened->sources, i)->name, file))
			return (json_int_t)i + 1;
	return 0;
}

static json_t *source_sum(const uint8_t *md5)
{
	char text[33];

	for (size_t i = 0; i < 16; i++)
		snprintf(text + 2 * i, 3, "%02x", md5[i]);
	return json_pack("[{s:s, s:s}]", "algorithm", "MD5", "checksum", text);
}

json_t *wt_dap_source(struct wt_dap *dap, const char *file, const uint8_t *md5, bool differs)
{
	wt_cleanup_free char *mapped = NULL;
	json_int_t number;
	json_t *source;

	if (!file)
		return NULL;
	number = source_number(dap, file);
	if (!number)
		mapped = wt_source_maps_path(&dap->maps, file);
	source = json_pack("{s:o, s:o}", "name", wt_cli_json_visible(wt_text_file_name(file)),
			   "path", wt_cli_json_text(mapped ? mapped : file));
	if (number) {
		json_object_set_new(source, "sourceReference", json_integer(number));
		json_object_set_new(source, "origin", json_string("recorded with the trace"));
	}
	if (differs)
		json_object_set_new(source, "origin", json_string(WT_CLI_SOURCE_DIFFERS));
	if (md5)
		json_object_set_new(source, "checksums", source_sum(md5));
	return source;
}

static struct wt_error *handle_source(struct wt_dap *dap, const json_t *arguments,
				      json_t **body_ret)
{
	static const char what[] = "cannot show the source";
	const json_t *source = json_object_get(arguments, "source");
	const char *path = wt_dap_text(source, "path");
	const struct wt_source_file *file = NULL;
	json_int_t number, fallback;
	struct wt_error *error =
		wt_dap_number(arguments, "sourceReference", 0, INT32_MAX, 0, &fallback);

	if (!error)
		error = wt_dap_number(source, "sourceReference", 0, INT32_MAX, fallback, &number);
	if (error)
		return error;
	if (number && (size_t)number <= wt_sources_count(dap->opened->sources))
		file = wt_sources_at(dap->opened->sources, (size_t)number - 1);
	else if (number)
		return wt_dap_wrong(what, "there is no source %" PRId64, (int64_t)number);
	else if (path)
		error = wt_sources_find(dap->opened->sources, path, &file);
	if (error)
		return error;
	if (!file)
		return wt_dap_wrong(what, "it was not recorded, and no sourceMap leads to it");
	*body_ret = json_pack("{s:o}", "content", wt_cli_json_text((const char *)file->data));
	return NULL;
}

static struct wt_error *handle_loaded_sources(struct wt_dap *dap, const json_t *arguments,
					      json_t **body_ret)
{
	size_t count = wt_sources_count(dap->opened->sources);
	json_t *array = json_array();

	(void)arguments;
	for (size_t i = 0; i < count; i++)
		json_array_append_new(
			array, wt_dap_source(dap, wt_sources_at(dap->opened->sources, i)->name,
					     NULL, false));
	*body_ret = json_pack("{s:o}", "sources", array);
	return NULL;
}

/* ---- Calls ---- */

struct wt_error *wt_dap_stack(struct wt_dap *dap, uint64_t wave, struct wt_stack **stack_ret)
{
	*stack_ret = NULL;
	return wave ? wt_opened_stack(dap->opened, wave, stack_ret) : NULL;
}

struct wt_error *wt_dap_frame_find(struct wt_dap *dap, const json_t *arguments, const char *what,
				   struct wt_dap_frame *frame_ret, struct wt_stack **stack_ret)
{
	struct wt_error *error;
	json_int_t number;

	error = wt_dap_number(arguments, "frameId", 0, INT32_MAX, 0, &number);
	if (error)
		return error;
	if (number && (size_t)number > dap->frame_count)
		return wt_dap_wrong(
			what, "there is no frame %" PRId64 ": frames end when something moves",
			(int64_t)number);
	*frame_ret = number ? dap->frames[number - 1] : (struct wt_dap_frame){dap->wave, 0};
	error = wt_dap_stack(dap, frame_ret->wave, stack_ret);
	if (error)
		return error;
	if (!*stack_ret)
		return wt_dap_wrong(what, "no wave is stopped here");
	if (frame_ret->index >= wt_stack_count(*stack_ret))
		return wt_dap_wrong(what, "this says why no more is known of the calls");
	return NULL;
}

static json_t *dap_frame_json(struct wt_dap *dap, uint64_t wave, const struct wt_stack *stack,
			      size_t index)
{
	const struct wt_stack_frame *frame = wt_stack_frame(stack, index);
	const struct wavetape_place *place = &frame->place;
	char name[WT_CLI_NAME];
	wt_cleanup_free char *text =
		wt_text("%s%s", wt_cli_name(frame->function ? frame->function : "?", name),
			frame->inlined ? " (inlined)" : "");
	json_t *json = json_pack(
		"{s:I, s:o, s:I, s:I, s:o}", "id", wt_dap_frame_number(dap, wave, index), "name",
		wt_cli_json_visible(text), "line", place->file ? wt_dap_line(dap, place->line) : 0,
		"column", place->file ? wt_dap_column(dap, place->column) : 0,
		"instructionPointerReference",
		wt_dap_memory_reference(GFX_SPACE_GLOBAL, 0, 0, place->address));

	if (place->file)
		json_object_set_new(json, "source",
				    wt_dap_source(dap, place->file, place->md5,
						  frame->source == WT_SOURCE_DIFFERS));
	if (place->code_object && place->code_object < UINT64_C(1) << 53)
		json_object_set_new(json, "moduleId", json_integer((json_int_t)place->code_object));
	return json;
}

/* A line in the list that says why it ends. */
static json_t *end_json(struct wt_dap *dap, uint64_t wave, const struct wt_stack *stack)
{
	wt_cleanup_free char *text = wt_text("outermost known frame: %s", wt_stack_end(stack));

	return json_pack("{s:I, s:o, s:i, s:i, s:s}", "id",
			 wt_dap_frame_number(dap, wave, wt_stack_count(stack)), "name",
			 wt_cli_json_text(text), "line", 0, "column", 0, "presentationHint",
			 "label");
}

static struct wt_error *handle_stack_trace(struct wt_dap *dap, const json_t *arguments,
					   json_t **body_ret)
{
	static const char what[] = "cannot show the frames";
	json_int_t start = 0, levels = 0;
	struct wt_stack *stack = NULL;
	json_t *array;
	uint64_t wave;
	size_t count, end;
	struct wt_error *error = wt_dap_wave(dap, arguments, what, &wave);

	if (!error)
		error = wt_dap_number(arguments, "startFrame", 0, INT32_MAX, 0, &start);
	if (!error)
		error = wt_dap_number(arguments, "levels", 0, INT32_MAX, 0, &levels);
	if (!error)
		error = wt_dap_stack(dap, wave, &stack);
	if (error)
		return error;
	array = json_array();
	count = stack ? wt_stack_count(stack) + (wt_stack_end(stack) != NULL) : 0;
	end = levels && (size_t)(start + levels) < count ? (size_t)(start + levels) : count;
	for (size_t i = (size_t)start; i < end; i++)
		json_array_append_new(array, i < wt_stack_count(stack)
						     ? dap_frame_json(dap, wave, stack, i)
						     : end_json(dap, wave, stack));
	if (wave)
		dap->wave = wave;
	*body_ret = json_pack("{s:o, s:I}", "stackFrames", array, "totalFrames", (json_int_t)count);
	return NULL;
}

/* ---- What happened ---- */

static struct wt_error *cause_text(struct wt_dap *dap, uint64_t wave, char **text_ret)
{
	struct wt_cli_capture capture;
	struct wt_error *error = wt_cli_capture_begin(&capture), *end;

	if (error)
		return error;
	error = wt_cli_explain_print(dap->opened->explainer, wave, dap->opened->stop, &dap->maps);
	end = wt_cli_capture_end(&capture, text_ret);
	if (!error)
		return end;
	wt_error_destroy(end);
	free(wt_take(*text_ret));
	return error;
}

static struct wt_error *dap_exception_json(struct wt_dap *dap, uint64_t wave, json_t **body_ret)
{
	wt_cleanup_free char *sentence = NULL, *text = NULL;
	char name[WT_DESCRIBE_MAX];
	uint64_t reasons;
	struct wt_error *error =
		wt_crash_sentence(dap->opened->explainer, wave, wt_cli_demangle, &sentence);

	if (!error)
		error = cause_text(dap, wave, &text);
	if (error)
		return error;
	reasons = wt_view_number_or(dap->opened->view, WT_OBJECT_WAVE, wave,
				    AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0);
	wt_describe_reasons((uint32_t)reasons, name);
	*body_ret = json_pack("{s:s, s:o, s:s, s:{s:o, s:s, s:o}}", "exceptionId", name,
			      "description", wt_cli_json_visible(sentence), "breakMode", "always",
			      "details", "message", wt_cli_json_visible(sentence), "typeName", name,
			      "stackTrace", wt_cli_json_text(text));
	return NULL;
}

/* Keeps one: to find out why a wave failed can take long. */
static void exception_choose(struct wt_dap *dap, uint64_t wave)
{
	if (dap->exception.wave == wave && dap->exception.stop == dap->opened->stop)
		return;
	json_decref(wt_take(dap->exception.body));
	json_decref(wt_take(dap->exception.facts));
	dap->exception.wave = wave;
	dap->exception.stop = dap->opened->stop;
}

struct wt_error *wt_dap_fault_facts(struct wt_dap *dap, uint64_t wave, json_t **facts_ret)
{
	struct wt_explain_wave explained;
	struct wt_cause cause;
	struct wt_error *error;

	exception_choose(dap, wave);
	if (!dap->exception.facts) {
		error = wt_explain_fault(dap->opened->explainer, &wave, 1, UINT32_MAX, NULL,
					 &cause);
		if (error)
			return error;
		explained = cause.wave;
		explained.code = *wt_cause_code(&cause);
		explained.certain = cause.certain;
		dap->exception.facts = wt_describe_wave_json(&explained);
		wt_cause_deinit(&cause);
	}
	*facts_ret = json_deep_copy(dap->exception.facts);
	return *facts_ret ? NULL : &wt_error_no_memory;
}

/* The cause is that of the stop, wherever the wave was walked to. */
static struct wt_error *handle_exception_info(struct wt_dap *dap, const json_t *arguments,
					      json_t **body_ret)
{
	static const char what[] = "cannot explain";
	uint64_t wave;
	struct wt_error *error = wt_dap_wave(dap, arguments, what, &wave);

	if (error)
		return error;
	if (!wave || !wt_view_wave_has_fault(dap->opened->view, wave))
		return wt_dap_wrong(what, "the wave has no fault");
	exception_choose(dap, wave);
	if (!dap->exception.body)
		error = dap_exception_json(dap, wave, &dap->exception.body);
	*body_ret = json_incref(dap->exception.body);
	return error;
}

/* ---- Code objects ---- */

static json_t *module_json(struct wt_view *view, uint64_t number)
{
	struct wavetape_code_object object = {0};
	wt_cleanup_free char *name = wt_text("code object %" PRIu64, number);
	json_t *json;

	wt_view_code_object(view, number, &object);
	json = json_pack("{s:I, s:o, s:s}", "id", (json_int_t)number, "name",
			 wt_cli_json_text(name), "symbolStatus",
			 object.bytes ? "recorded" : "not recorded");
	if (object.uri)
		json_object_set_new(json, "path", wt_cli_json_text(object.uri));
	json_object_set_new(json, "addressRange", json_sprintf("0x%" PRIx64, object.load_address));
	return json;
}

static struct wt_error *handle_modules(struct wt_dap *dap, const json_t *arguments,
				       json_t **body_ret)
{
	const uint64_t *numbers;
	size_t count = wt_view_objects(dap->opened->view, WT_OBJECT_CODE_OBJECT, &numbers), end;
	json_int_t start, wanted = 0;
	json_t *array;
	struct wt_error *error = wt_dap_number(arguments, "startModule", 0, INT32_MAX, 0, &start);

	if (!error)
		error = wt_dap_number(arguments, "moduleCount", 0, INT32_MAX, 0, &wanted);
	if (error)
		return error;
	array = json_array();
	end = wanted && (size_t)(start + wanted) < count ? (size_t)(start + wanted) : count;
	for (size_t i = (size_t)start; i < end; i++)
		json_array_append_new(array, module_json(dap->opened->view, numbers[i]));
	*body_ret = json_pack("{s:o, s:I}", "modules", array, "totalModules", (json_int_t)count);
	return NULL;
}

/* ---- Stops ---- */

static struct wt_error *handle_stops(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	json_t *stops = NULL;
	struct wt_error *error = wt_cli_stops_json(&dap->opened->trace, &stops);

	(void)arguments;
	if (!error)
		*body_ret = json_pack("{s:I, s:o}", "stop", (json_int_t)dap->opened->stop, "stops",
				      stops);
	return error;
}

const struct wt_dap_command wt_dap_stop_commands[] = {
	{"threads", handle_threads, false},
	{"stackTrace", handle_stack_trace, false},
	{"source", handle_source, false},
	{"loadedSources", handle_loaded_sources, false},
	{"exceptionInfo", handle_exception_info, false},
	{"modules", handle_modules, false},
	{"wavetape/stops", handle_stops, false},
	{NULL, NULL, false},
};
