/* SPDX-License-Identifier: MIT */
/*
 * A trace as lines of JSON, each an object whose "line" says what it is. They are written while the trace is read: at no time is there more
 * than one stop in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/describe.h"
#include "cli/files/journal-with-stops.h"
#include "cli/files/verb-export.h"
#include "cli/look/show.h"
#include "cli/look/journal-json.h"
#include "cli/look/verb-host.h"
#include "cli/output.h"
#include "replayer/view/sources.h"

#define IMAGE_BYTES (UINT64_C(64) << 10) /* of a file in one line */

const char *const wt_export_lines_types[WT_EXPORT_LINE_COUNT] = {
	[WT_EXPORT_TRACE] = "trace",
	[WT_EXPORT_HOST] = "host",
	[WT_EXPORT_ARCHITECTURE] = "architecture",
	[WT_EXPORT_SOURCE] = "source",
	[WT_EXPORT_STOP] = "stop",
	[WT_EXPORT_EVENT] = "event",
	[WT_EXPORT_AGENT] = "agent",
	[WT_EXPORT_QUEUE] = "queue",
	[WT_EXPORT_DISPATCH] = "dispatch",
	[WT_EXPORT_WORKGROUP] = "workgroup",
	[WT_EXPORT_CODE_OBJECT] = "code_object",
	[WT_EXPORT_IMAGE] = "image",
	[WT_EXPORT_WAVE] = "wave",
	[WT_EXPORT_REGISTERS] = "registers",
	[WT_EXPORT_MEMORY] = "memory",
	[WT_EXPORT_CALL] = "call",
	[WT_EXPORT_NOTICE] = "notice",
	[WT_EXPORT_END] = "end",
};

struct lines {
	struct wt_export *export;
	struct wt_cli_journal_with_stops beside;
	struct wt_cli_calls_json calls;
	struct wt_losses losses;
	uint64_t *images; /* code objects whose images have been written */
	size_t image_count;
};

static bool export_lines_want(const struct lines *lines, enum wt_export_line type)
{
	return lines->export->lines >> type & 1;
}

/** Write a line: the type, then what @json holds, which is released. @stop: 0 for none. */
static struct wt_error *export_lines_put(struct lines *lines, enum wt_export_line type,
					 uint32_t stop, json_t *json)
{
	FILE *stream = lines->export->output.stream;
	json_t *line = json_pack("{s:s}", "line", wt_export_lines_types[type]);
	bool failed;

	if (stop)
		json_object_set_new(line, "stop", json_integer(stop));
	failed = !json || json_object_update(line, json);
	json_decref(json);
	if (failed) {
		json_decref(line);
		return &wt_error_no_memory;
	}
	failed = json_dumpf(line, stream, JSON_COMPACT | JSON_PRESERVE_ORDER) ||
		 putc('\n', stream) == EOF;
	json_decref(line);
	return failed ? wt_cli_output_failed(&lines->export->output) : NULL;
}

static json_t *export_lines_bytes_json(const struct lines *lines, const uint8_t *data, size_t size)
{
	return lines->export->base64 ? wt_cli_json_base64(data, size)
				     : wt_cli_json_bytes(data, size);
}

/* ---- The journal ---- */

/* The objects of the walk are whole while no call is open. */
static struct wt_error *export_lines_put_calls(struct lines *lines)
{
	json_t *array = lines->calls.array, *json;
	struct wt_error *error = NULL;
	size_t i;

	json_array_foreach(array, i, json)
	{
		enum wt_export_line type =
			json_object_get(json, "notice") ? WT_EXPORT_NOTICE : WT_EXPORT_CALL;

		if (!error && export_lines_want(lines, type))
			error = export_lines_put(lines, type, 0, json_incref(json));
	}
	json_array_clear(array);
	return error;
}

static struct wt_error *export_lines_take_record(void *opaque,
						 const struct wt_journal_record *record)
{
	struct lines *lines = opaque;
	struct wt_error *error = wt_cli_calls_json_take(&lines->calls, record);

	wt_losses_note(&lines->losses, record);
	return error || lines->calls.call.open ? error : export_lines_put_calls(lines);
}

/* ---- A stop ---- */

static struct wt_error *export_lines_put_events(struct lines *lines, uint32_t stop,
						const struct wt_view *view)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < wt_view_moment(view)->event_count && !error; i++)
		error = export_lines_put(lines, WT_EXPORT_EVENT, stop,
					 wt_describe_event_json(view, i));
	return error;
}

static struct wt_error *export_lines_put_objects(struct lines *lines, uint32_t stop,
						 struct wt_view *view)
{
	static const struct {
		enum wt_object object;
		enum wt_export_line type;
	} kinds[] = {
		{WT_OBJECT_AGENT, WT_EXPORT_AGENT},
		{WT_OBJECT_QUEUE, WT_EXPORT_QUEUE},
		{WT_OBJECT_DISPATCH, WT_EXPORT_DISPATCH},
		{WT_OBJECT_WORKGROUP, WT_EXPORT_WORKGROUP},
	};
	struct wt_error *error = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const uint64_t *handles;
		size_t count = wt_view_objects(view, kinds[i].object, &handles);

		for (size_t j = 0; j < count && export_lines_want(lines, kinds[i].type) && !error;
		     j++)
			error = export_lines_put(
				lines, kinds[i].type, stop,
				wt_describe_object_json(view, kinds[i].object, handles[j]));
	}
	return error;
}

/** Note that an image is written. @new_ret: false if it was before. */
static struct wt_error *export_lines_note_image(struct lines *lines, uint64_t code_object,
						bool *new_ret)
{
	uint64_t *images;

	*new_ret = false;
	for (size_t i = 0; i < lines->image_count; i++)
		if (lines->images[i] == code_object)
			return NULL;
	images = reallocarray(lines->images, lines->image_count + 1, sizeof(*images));
	if (!images)
		return &wt_error_no_memory;
	lines->images = images;
	images[lines->image_count++] = code_object;
	*new_ret = true;
	return NULL;
}

static struct wt_error *export_lines_put_image(struct lines *lines, uint32_t stop,
					       const struct wt_view *view, uint64_t code_object)
{
	const uint8_t *image;
	struct wt_error *error;
	size_t size, step;
	bool is_new;

	if (!export_lines_want(lines, WT_EXPORT_IMAGE) ||
	    !wt_view_image(view, code_object, &image, &size))
		return NULL;
	error = export_lines_note_image(lines, code_object, &is_new);
	for (size_t done = 0; is_new && !error && done < size; done += step) {
		step = size - done < IMAGE_BYTES ? size - done : IMAGE_BYTES;
		error = export_lines_put(
			lines, WT_EXPORT_IMAGE, stop,
			json_pack("{s:I, s:I, s:o}", "code_object", (json_int_t)code_object,
				  "offset", (json_int_t)done, "data",
				  export_lines_bytes_json(lines, image + done, step)));
	}
	return error;
}

static struct wt_error *export_lines_put_code_objects(struct lines *lines, uint32_t stop,
						      struct wt_view *view)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(view, WT_OBJECT_CODE_OBJECT, &handles);
	struct wt_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++) {
		struct wavetape_code_object code;

		wt_view_code_object(view, handles[i], &code);
		if (export_lines_want(lines, WT_EXPORT_CODE_OBJECT))
			error = export_lines_put(
				lines, WT_EXPORT_CODE_OBJECT, stop,
				wt_code_object_facts_json(&code, json_boolean(code.bytes)));
		if (!error)
			error = export_lines_put_image(lines, stop, view, handles[i]);
	}
	return error;
}

static struct wt_error *export_lines_put_registers(struct lines *lines, uint32_t stop,
						   struct wt_view *view, uint64_t wave)
{
	size_t count = wt_view_register_count(view, wave);
	json_t *array;

	if (!count || !export_lines_want(lines, WT_EXPORT_REGISTERS))
		return NULL;
	array = json_array();
	for (size_t i = 0; i < count; i++) {
		struct wt_view_register reg;

		if (wt_view_register_at(view, wave, i, &reg))
			json_array_append_new(array, wt_describe_register_json(&reg));
	}
	return export_lines_put(
		lines, WT_EXPORT_REGISTERS, stop,
		json_pack("{s:I, s:o}", "wave", (json_int_t)wave, "registers", array));
}

static struct wt_error *export_lines_put_wave(struct lines *lines, uint32_t stop,
					      struct wt_view *view, struct wt_explainer *explainer,
					      uint64_t wave)
{
	struct wt_explain_wave explanation;
	struct wt_error *error;
	uint64_t dispatch;
	json_t *json;

	if (!export_lines_want(lines, WT_EXPORT_WAVE))
		return NULL;
	error = wt_explain_wave(explainer, wave, &explanation);
	if (error)
		return error;
	json = wt_describe_wave_json(&explanation);
	wt_explain_wave_deinit(&explanation);
	if (wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, &dispatch))
		json_object_set_new(json, "dispatch", json_integer((json_int_t)dispatch));
	return export_lines_put(lines, WT_EXPORT_WAVE, stop, json);
}

static struct wt_error *export_lines_put_waves(struct lines *lines, uint32_t stop,
					       struct wt_view *view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);

	for (size_t i = 0; i < count && !error; i++) {
		error = export_lines_put_wave(lines, stop, view, explainer, waves[i]);
		if (!error)
			error = export_lines_put_registers(lines, stop, view, waves[i]);
	}
	wt_explainer_destroy(explainer);
	return error;
}

static struct wt_error *export_lines_put_pages(struct lines *lines, uint32_t stop,
					       const struct wt_view *view, const char *space,
					       uint64_t owner)
{
	uint64_t address = 0, from, to;
	struct wt_error *error = NULL;

	while (!error && wt_view_memory_next(view, space, owner, address, &from, &to)) {
		uint64_t page = from / WT_PAGE * WT_PAGE;
		size_t size;
		const uint8_t *data = wt_view_page(view, space, owner, page, &size);

		if (data && from - page < size)
			error = export_lines_put(
				lines, WT_EXPORT_MEMORY, stop,
				json_pack("{s:s, s:I, s:o, s:I, s:o}", "space", space, "owner",
					  (json_int_t)owner, "address", wt_cli_json_hex(from),
					  "recorded_bytes", (json_int_t)(size - (from - page)),
					  "data",
					  export_lines_bytes_json(lines, data + (from - page),
								  size - (from - page))));
		address = page + WT_PAGE;
		if (address < page)
			break;
	}
	return error;
}

static struct wt_error *export_lines_put_memory(struct lines *lines, uint32_t stop,
						const struct wt_view *view)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(view, WT_OBJECT_WORKGROUP, &handles);
	struct wt_error *error;

	if (!export_lines_want(lines, WT_EXPORT_MEMORY))
		return NULL;
	error = export_lines_put_pages(lines, stop, view, "global", wt_view_moment(view)->process);
	for (size_t i = 0; i < count && !error; i++)
		error = export_lines_put_pages(lines, stop, view, "local", handles[i]);
	count = wt_view_objects(view, WT_OBJECT_WAVE, &handles);
	for (size_t i = 0; i < count && !error; i++)
		error = export_lines_put_pages(lines, stop, view, "private_wave", handles[i]);
	return error;
}

static struct wt_error *export_lines_put_state(struct lines *lines, uint32_t stop,
					       struct wt_view *view)
{
	struct wt_error *error = NULL;

	if (export_lines_want(lines, WT_EXPORT_EVENT))
		error = export_lines_put_events(lines, stop, view);
	if (!error)
		error = export_lines_put_objects(lines, stop, view);
	if (!error)
		error = export_lines_put_code_objects(lines, stop, view);
	if (!error)
		error = export_lines_put_waves(lines, stop, view);
	return error ? error : export_lines_put_memory(lines, stop, view);
}

static struct wt_error *export_lines_put_summary(struct lines *lines, uint32_t stop,
						 uint32_t moment, struct wt_view *view)
{
	struct wt_stop_summary summary;
	struct wt_error *error;

	if (!export_lines_want(lines, WT_EXPORT_STOP))
		return NULL;
	error = wt_stop_summary_make(lines->export->trace.reader, moment, view, &summary);
	if (error)
		return error;
	summary.number = stop;
	error = export_lines_put(lines, WT_EXPORT_STOP, 0, wt_describe_stop_json(&summary, true));
	wt_stop_summary_deinit(&summary);
	return error;
}

/* @view: NULL if its state is lost. */
static struct wt_error *export_lines_put_stop(struct lines *lines, uint32_t stop, uint32_t moment,
					      struct wt_view *view)
{
	struct wt_error *error = export_lines_put_summary(lines, stop, moment, view);

	if (!error && view)
		error = export_lines_put_state(lines, stop, view);
	wt_progress_update(&lines->export->progress, "stop %u", stop);
	return error;
}

/* ---- All of them ---- */

static struct wt_error *export_lines_put_all_stops(struct lines *lines)
{
	struct wt_cli_trace *trace = &lines->export->trace;
	struct wt_error *error;
	bool found;

	for (;;) {
		struct wt_view *view = NULL;
		uint32_t moment;

		error = wt_cli_journal_with_stops_next(&lines->beside, &trace->stops, &found);
		if (error || !found)
			return error;
		moment = trace->stops.moments[trace->stops.count - 1];
		error = wt_view_open(trace->reader, moment, &view);
		if (!error || wt_error_is_loss(error))
			error = export_lines_put_stop(lines, trace->stops.count, moment, view);
		wt_view_close(view);
		if (error)
			return error;
	}
}

static struct wt_error *export_lines_put_one_stop(struct lines *lines)
{
	struct wt_view *view = NULL;
	uint32_t stop;
	struct wt_error *error = wt_cli_trace_view(&lines->export->trace, &view, &stop);

	if (!error)
		error = export_lines_put_stop(lines, stop, wt_view_moment(view)->number, view);
	wt_view_close(view);
	return error;
}

/* One line for each architecture that the trace describes. */
static struct wt_error *export_lines_put_architectures(struct lines *lines)
{
	struct wt_view *view = NULL;
	const uint64_t *handles;
	struct wt_error *error;
	size_t count;

	if (!export_lines_want(lines, WT_EXPORT_ARCHITECTURE))
		return NULL;
	error = wt_view_open(lines->export->trace.reader, WT_VIEW_FACTS, &view);
	if (error)
		return wt_error_is_loss(error) ? NULL : error;
	count = wt_view_objects(view, WT_OBJECT_ARCHITECTURE, &handles);
	for (size_t i = 0; i < count && !error; i++)
		error = export_lines_put(
			lines, WT_EXPORT_ARCHITECTURE, 0,
			wt_describe_object_json(view, WT_OBJECT_ARCHITECTURE, handles[i]));
	wt_view_close(view);
	return error;
}

static struct wt_error *export_lines_put_source(struct lines *lines,
						const struct wt_source_file *file)
{
	struct wt_error *error = NULL;
	size_t done = 0, step;

	/* One line also of an empty file. */
	do {
		step = file->size - done < IMAGE_BYTES ? file->size - done : IMAGE_BYTES;
		error = export_lines_put(
			lines, WT_EXPORT_SOURCE, 0,
			json_pack("{s:o, s:I, s:o}", "file", wt_cli_json_text(file->name), "offset",
				  (json_int_t)done, "data",
				  export_lines_bytes_json(lines, file->data + done, step)));
		done += step;
	} while (!error && done < file->size);
	return error;
}

static struct wt_error *export_lines_put_sources(struct lines *lines)
{
	struct wt_sources *sources;
	struct wt_error *error;

	if (!export_lines_want(lines, WT_EXPORT_SOURCE))
		return NULL;
	error = wt_sources_create(lines->export->trace.reader, NULL, &sources);
	if (error)
		return wt_error_is_loss(error) ? NULL : error;
	for (size_t i = 0; !error && i < wt_sources_count(sources); i++)
		error = export_lines_put_source(lines, wt_sources_at(sources, i));
	wt_sources_destroy(sources);
	return error;
}

static struct wt_error *export_lines_put_head(struct lines *lines)
{
	struct wt_export *export = lines->export;
	struct wt_trace_info info;
	struct wt_host *host = NULL;
	struct wt_error *error = NULL;

	wt_reader_info(export->trace.reader, &info);
	if (export_lines_want(lines, WT_EXPORT_TRACE))
		error = export_lines_put(lines, WT_EXPORT_TRACE, 0,
					 wt_info_head_json(export->trace.path, &info, NULL, NULL));
	if (!error && export_lines_want(lines, WT_EXPORT_HOST))
		error = wt_reader_host(export->trace.reader, &host);
	if (!error && host)
		error = export_lines_put(lines, WT_EXPORT_HOST, 0, wt_host_json(host));
	wt_host_destroy(host);
	if (!error)
		error = export_lines_put_architectures(lines);
	return error ? error : export_lines_put_sources(lines);
}

/* Write what is known only when all was read. */
static struct wt_error *export_lines_put_end(struct lines *lines)
{
	const struct wt_cli_trace *trace = &lines->export->trace;
	struct wt_missing unknown;

	if (!export_lines_want(lines, WT_EXPORT_END))
		return NULL;
	wt_missing_find(trace->reader, &lines->losses, &unknown);
	return export_lines_put(lines, WT_EXPORT_END, 0,
				json_pack("{s:b, s:o, s:I}", "complete", unknown.complete,
					  "not_known", wt_describe_missing_json(&unknown), "stops",
					  (json_int_t)trace->stops.count));
}

static struct wt_error *export_lines_put_all(struct lines *lines)
{
	struct wt_cli_trace *trace = &lines->export->trace;
	struct wt_error *error = wt_cli_journal_with_stops_begin(&lines->beside, &trace->stops);

	if (!error)
		error = export_lines_put_all_stops(lines);
	if (!error)
		error = wt_cli_journal_with_stops_end(&lines->beside, &trace->stops);
	if (!error)
		error = export_lines_put_calls(lines);
	return error ? error : export_lines_put_end(lines);
}

struct wt_error *wt_export_lines(struct wt_export *export)
{
	struct lines lines = {
		.export = export,
		.calls = {.reader = export->trace.reader,
			  .filter = {.to = UINT64_MAX},
			  .array = json_array()},
	};
	struct wt_error *error;

	lines.beside = (struct wt_cli_journal_with_stops){.take = export_lines_take_record,
							  .opaque = &lines};
	error = export_lines_put_head(&lines);

	if (!error)
		error = export->trace.has_stop ? export_lines_put_one_stop(&lines)
					       : export_lines_put_all(&lines);
	wt_cli_journal_with_stops_deinit(&lines.beside);
	wt_cli_calls_json_deinit(&lines.calls);
	json_decref(lines.calls.array);
	free(lines.images);
	return error;
}
