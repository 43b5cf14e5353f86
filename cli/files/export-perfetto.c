/* SPDX-License-Identifier: MIT */
/*
 * A trace as a timeline for Perfetto: API calls by thread, with what they took; stops; and below each agent its queues,
 * dispatches and waves.
 *
 * Calls and stops have times of their own. A dispatch or wave is known at the stops only: it begins at the first one that has
 * it and ends at the first one that has it no more, and a wave's state counts from one stop to the next. What is there at the
 * last stop does not end.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/buffer.h"
#include "base/visible.h"
#include "cli/describe.h"
#include "cli/files/journal-with-stops.h"
#include "cli/files/perfetto.pb-c.h"
#include "cli/files/verb-export.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "replayer/journal/call-text.h"
#include "trace-format/message/encode.h"
#include "trace-format/state/host-facts.h"

#define WT_PERFETTO_NOTES 8

enum wt_perfetto_type { WT_PERFETTO_BEGIN = 1, WT_PERFETTO_END, WT_PERFETTO_INSTANT };

/* A note of an event: a text if there is one, else a number. */
struct wt_perfetto_note {
	const char *name, *text;
	uint64_t number;
	bool address; /* the number is shown in hexadecimal */
};

struct wt_perfetto_event {
	enum wt_perfetto_type type;
	uint64_t track, time;	     /* nanoseconds since the recording began */
	const char *name, *category; /* NULL for an end */
	struct wt_perfetto_note notes[WT_PERFETTO_NOTES];
	size_t note_count;
};

/* Zeros but for `output`. */
struct wt_perfetto {
	struct wt_cli_output *output;
	struct wt_buffer buffer; /* of the packet that is written */
	bool begun;
};

/* ---- Packets of Perfetto's trace format: tracks, and events on them. Texts may be any bytes ---- */

#define TEXT_MAX 512
#define WORDS_MAX 64
#define SEQUENCE 1
#define STATE_CLEARED 1
#define CLOCK_WALL 1
#define CLOCK_TRACE 6
#define FIELD_PACKET_TAG 0x0a /* Trace.packet: field 1, bytes */

static void perfetto_deinit(struct wt_perfetto *perfetto)
{
	wt_buffer_deinit(&perfetto->buffer);
}

/* A string must be UTF-8, or readers refuse all of the file. Control characters are shown as everywhere. */
static char *text_make_visible(const char *text, char buffer[TEXT_MAX])
{
	wt_visible(text ? text : "", buffer, TEXT_MAX);
	return buffer;
}

static struct wt_error *perfetto_put_packet(struct wt_perfetto *perfetto,
					    Perfetto__Protos__TracePacket *packet)
{
	struct wt_buffer *buffer = &perfetto->buffer;
	uint8_t *room;
	size_t size;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->has_sequence_flags = !perfetto->begun;
	packet->sequence_flags = STATE_CLEARED;
	perfetto->begun = true;
	size = perfetto__protos__trace_packet__get_packed_size(packet);
	wt_buffer_clear(buffer);
	wt_encode_varint(buffer, FIELD_PACKET_TAG);
	wt_encode_varint(buffer, size);
	room = wt_buffer_extend(buffer, size);
	if (!room)
		return &wt_error_no_memory;
	perfetto__protos__trace_packet__pack(packet, room);
	if (fwrite(buffer->data, 1, buffer->size, perfetto->output->stream) != buffer->size)
		return wt_cli_output_failed(perfetto->output);
	return NULL;
}

/* Say when on the clock of the wall the recording began. @start: nanoseconds since 1970. */
static struct wt_error *perfetto_put_start(struct wt_perfetto *perfetto, uint64_t start)
{
	Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__ClockSnapshot snapshot = PERFETTO__PROTOS__CLOCK_SNAPSHOT__INIT;
	Perfetto__Protos__ClockSnapshot__Clock wall = PERFETTO__PROTOS__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__Protos__ClockSnapshot__Clock trace =
		PERFETTO__PROTOS__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__Protos__ClockSnapshot__Clock *clocks[] = {&wall, &trace};

	wall.has_clock_id = wall.has_timestamp = trace.has_clock_id = trace.has_timestamp = true;
	wall.clock_id = CLOCK_WALL;
	wall.timestamp = start;
	trace.clock_id = CLOCK_TRACE;
	snapshot.n_clocks = 2;
	snapshot.clocks = clocks;
	packet.clock_snapshot = &snapshot;
	return perfetto_put_packet(perfetto, &packet);
}

/* @cmdline: NULL-terminated; may be NULL. */
static struct wt_error *perfetto_put_process(struct wt_perfetto *perfetto, uint64_t track,
					     int32_t pid, const char *name,
					     const char *const *cmdline)
{
	Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__TrackDescriptor descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	Perfetto__Protos__ProcessDescriptor process = PERFETTO__PROTOS__PROCESS_DESCRIPTOR__INIT;
	char text[TEXT_MAX], texts[WORDS_MAX][TEXT_MAX];
	char *words[WORDS_MAX];

	for (; cmdline && *cmdline && process.n_cmdline < WORDS_MAX; cmdline++) {
		words[process.n_cmdline] = text_make_visible(*cmdline, texts[process.n_cmdline]);
		process.n_cmdline++;
	}
	process.cmdline = words;
	process.has_pid = true;
	process.pid = pid;
	process.process_name = text_make_visible(name, text);
	descriptor.has_uuid = true;
	descriptor.uuid = track;
	descriptor.process = &process;
	packet.track_descriptor = &descriptor;
	return perfetto_put_packet(perfetto, &packet);
}

static struct wt_error *perfetto_put_track(struct wt_perfetto *perfetto, uint64_t track,
					   uint64_t parent, const char *name)
{
	Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__TrackDescriptor descriptor = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	char text[TEXT_MAX];

	descriptor.has_uuid = descriptor.has_parent_uuid = true;
	descriptor.uuid = track;
	descriptor.parent_uuid = parent;
	descriptor.name = text_make_visible(name, text);
	packet.track_descriptor = &descriptor;
	return perfetto_put_packet(perfetto, &packet);
}

/* ---- Events ---- */

static struct wt_perfetto_note *event_add_note(struct wt_perfetto_event *event, const char *name)
{
	struct wt_perfetto_note *note = &event->notes[event->note_count];

	if (event->note_count == WT_PERFETTO_NOTES)
		return NULL;
	*note = (struct wt_perfetto_note){.name = name};
	event->note_count++;
	return note;
}

/* Add a note of an event; one more than there is room for is left out. */
static void perfetto_note_text(struct wt_perfetto_event *event, const char *name, const char *text)
{
	struct wt_perfetto_note *note = text ? event_add_note(event, name) : NULL;

	if (note)
		note->text = text;
}

static void perfetto_note_number(struct wt_perfetto_event *event, const char *name, uint64_t number,
				 bool address)
{
	struct wt_perfetto_note *note = event_add_note(event, name);

	if (!note)
		return;
	note->number = number;
	note->address = address;
}

static void note_fill(const struct wt_perfetto_note *note, char text[TEXT_MAX], char name[TEXT_MAX],
		      Perfetto__Protos__DebugAnnotation *annotation)
{
	perfetto__protos__debug_annotation__init(annotation);
	annotation->name = text_make_visible(note->name, name);
	if (note->text)
		annotation->string_value = text_make_visible(note->text, text);
	annotation->has_pointer_value = !note->text && note->address;
	annotation->pointer_value = note->number;
	annotation->has_uint_value = !note->text && !note->address;
	annotation->uint_value = note->number;
}

static struct wt_error *perfetto_put_event(struct wt_perfetto *perfetto,
					   const struct wt_perfetto_event *event)
{
	Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__TrackEvent track = PERFETTO__PROTOS__TRACK_EVENT__INIT;
	Perfetto__Protos__DebugAnnotation annotations[WT_PERFETTO_NOTES];
	Perfetto__Protos__DebugAnnotation *list[WT_PERFETTO_NOTES];
	char text[TEXT_MAX], names[WT_PERFETTO_NOTES][TEXT_MAX], texts[WT_PERFETTO_NOTES][TEXT_MAX];
	char *category = (char *)event->category;

	for (size_t i = 0; i < event->note_count; i++) {
		note_fill(&event->notes[i], texts[i], names[i], &annotations[i]);
		list[i] = &annotations[i];
	}
	track.n_debug_annotations = event->note_count;
	track.debug_annotations = list;
	track.has_type = track.has_track_uuid = true;
	track.type = (Perfetto__Protos__TrackEvent__Type)event->type;
	track.track_uuid = event->track;
	track.n_categories = category != NULL;
	track.categories = &category;
	track.name = event->name ? text_make_visible(event->name, text) : NULL;
	packet.has_timestamp = true;
	packet.timestamp = event->time;
	packet.track_event = &track;
	return perfetto_put_packet(perfetto, &packet);
}

#define TRACK_PROGRAM 1
#define TRACK_STOPS 2
#define INPUTS_SHOWN 4

/* Handles are counted from 1 in each kind: tracks of a kind begin at its number << KIND_SHIFT. */
#define KIND_SHIFT 56
enum kind { KIND_THREAD = 1, KIND_AGENT, KIND_QUEUE, KIND_DISPATCH, KIND_WAVE };

static uint64_t kind_track(enum kind kind, uint64_t handle)
{
	return (uint64_t)kind << KIND_SHIFT | handle;
}

/* A track that was announced, and what lasts on it. */
struct lasting {
	uint64_t track;
	uint32_t stop; /* the last one that has it */
	bool open;     /* a slice has begun */
	uint64_t pc;   /* of a wave: its state in that slice */
	uint32_t reasons;
	bool stopped;
	UT_hash_handle hh;
};

struct timeline {
	struct wt_export *export;
	struct wt_cli_journal_with_stops beside;
	struct wt_perfetto perfetto;
	struct wt_shown_call call;
	struct lasting *lasting;
	uint32_t stop; /* the one that is looked at */
	uint64_t time; /* its, in nanoseconds */
};

/* ---- Tracks ---- */

/** Find a track, or announce it. @new_ret: may be NULL. */
static struct wt_error *perfetto_take_track(struct timeline *timeline, uint64_t track,
					    uint64_t parent, const char *name,
					    struct lasting **lasting_ret)
{
	struct lasting *lasting;

	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no gaps */
	HASH_FIND(hh, timeline->lasting, &track, sizeof(track), lasting);
	*lasting_ret = lasting;
	if (lasting) {
		lasting->stop = timeline->stop;
		return NULL;
	}
	lasting = calloc(1, sizeof(*lasting));
	if (!lasting)
		return &wt_error_no_memory;
	lasting->track = track;
	lasting->stop = timeline->stop;
	HASH_ADD(hh, timeline->lasting, track, sizeof(lasting->track), lasting);
	if (!lasting->hh.tbl) {
		free(lasting);
		return &wt_error_no_memory;
	}
	*lasting_ret = lasting;
	return perfetto_put_track(&timeline->perfetto, track, parent, name);
}

static struct wt_error *perfetto_end_slice(struct timeline *timeline, struct lasting *lasting)
{
	const struct wt_perfetto_event event = {
		.type = WT_PERFETTO_END, .track = lasting->track, .time = timeline->time};

	if (!lasting->open)
		return NULL;
	lasting->open = false;
	return perfetto_put_event(&timeline->perfetto, &event);
}

/* End what the stop does not have any more. Threads stay: they are in no stop. */
static struct wt_error *perfetto_end_missing(struct timeline *timeline)
{
	struct wt_error *error = NULL;
	struct lasting *lasting, *next;

	HASH_ITER(hh, timeline->lasting, lasting, next)
	{
		if (error || lasting->stop == timeline->stop ||
		    lasting->track >> KIND_SHIFT == KIND_THREAD)
			continue;
		error = perfetto_end_slice(timeline, lasting);
		HASH_DEL(timeline->lasting, lasting);
		free(lasting);
	}
	return error;
}

static void perfetto_free_all(struct timeline *timeline)
{
	struct lasting *lasting, *next;

	HASH_ITER(hh, timeline->lasting, lasting, next)
	{
		HASH_DEL(timeline->lasting, lasting);
		free(lasting);
	}
}

/* ---- API calls ---- */

static struct wt_error *perfetto_put_begin(struct timeline *timeline,
					   const struct wavetape_entry *entry)
{
	const struct wt_shown_call *call = &timeline->call;
	char texts[INPUTS_SHOWN][WT_SHOWN_VALUE], name[64];
	struct wt_perfetto_event event = {.type = WT_PERFETTO_BEGIN,
					  .time = entry->time_ns,
					  .category = "api",
					  .name = entry->name};
	struct lasting *thread;
	struct wt_error *error;

	event.track = kind_track(KIND_THREAD, call->thread);
	snprintf(name, sizeof(name), "API calls of thread %" PRIu32, call->thread);
	error = perfetto_take_track(timeline, event.track, TRACK_PROGRAM, name, &thread);
	perfetto_note_number(&event, "call", call->number, false);
	for (size_t i = 0; i < call->input_count && i < INPUTS_SHOWN; i++) {
		const struct wt_parameter *parameter = wt_shown_call_input(call, i);

		wt_shown_value_text(call, parameter, &call->inputs[i], texts[i]);
		perfetto_note_text(&event, parameter ? parameter->name : "input", texts[i]);
	}
	return error ? error : perfetto_put_event(&timeline->perfetto, &event);
}

/* An end that does not follow its call has no thread: it is left out, and its slice does not end. */
static struct wt_error *perfetto_put_end(struct timeline *timeline,
					 const struct wavetape_entry *entry)
{
	const struct wt_shown_call *call = &timeline->call;
	struct wt_perfetto_event event = {.type = WT_PERFETTO_END,
					  .track = kind_track(KIND_THREAD, call->thread),
					  .time = call->start + entry->time_ns};

	if (!call->returned)
		return NULL;
	perfetto_note_text(&event, "status", entry->status);
	return perfetto_put_event(&timeline->perfetto, &event);
}

static struct wt_error *perfetto_take_record(void *opaque, const struct wt_journal_record *record)
{
	struct timeline *timeline = opaque;
	struct wavetape_entry entry = {0};
	struct wt_error *error = wt_shown_entry_take(
		&timeline->call, timeline->export->trace.reader, record, &entry);

	if (error)
		return error;
	if (record->kind == WT_JOURNAL_BEGIN)
		return perfetto_put_begin(timeline, &entry);
	return record->kind == WT_JOURNAL_END ? perfetto_put_end(timeline, &entry) : NULL;
}

/* ---- A stop ---- */

static struct wt_error *perfetto_put_summary(struct timeline *timeline, uint32_t moment,
					     struct wt_view *view)
{
	struct wt_reader *reader = timeline->export->trace.reader;
	char name[WT_DESCRIBE_MAX + 32], text[WT_DESCRIBE_MAX];
	struct wt_perfetto_event event = {.type = WT_PERFETTO_INSTANT,
					  .track = TRACK_STOPS,
					  .category = "stop",
					  .name = name};
	struct wt_stop_summary summary;
	struct wt_error *error = wt_stop_summary_make(reader, moment, view, &summary);

	if (error)
		return error;
	timeline->time = event.time = summary.time_ns;
	if (summary.state_lost)
		snprintf(name, sizeof(name), "stop %u: its state is lost", timeline->stop);
	else if (summary.reasons)
		snprintf(name, sizeof(name), "stop %u: %s", timeline->stop,
			 wt_describe_reasons_plainly(summary.reasons, text));
	else
		snprintf(name, sizeof(name), "stop %u", timeline->stop);
	perfetto_note_number(&event, "call", summary.call, false);
	if (!summary.state_lost) {
		perfetto_note_number(&event, "waves", summary.waves, false);
		perfetto_note_number(&event, "stopped", summary.stopped, false);
	}
	perfetto_note_text(&event, "kernel", summary.kernel);
	if (summary.has_place)
		perfetto_note_text(&event, "at", wt_describe_code(&summary.place, text));
	error = perfetto_put_event(&timeline->perfetto, &event);
	wt_stop_summary_deinit(&summary);
	return error;
}

static struct wt_error *perfetto_put_agents(struct timeline *timeline, struct wt_view *view)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(view, WT_OBJECT_AGENT, &handles);
	struct wt_error *error = NULL;
	struct lasting *lasting;
	char name[WT_DESCRIBE_MAX];

	for (size_t i = 0; i < count && !error; i++) {
		const char *text =
			wt_view_text(view, WT_OBJECT_AGENT, handles[i], AMD_DBGAPI_AGENT_INFO_NAME);

		snprintf(name, sizeof(name), "agent %" PRIu64 "%s%s", handles[i], text ? ": " : "",
			 text ? text : "");
		error = perfetto_take_track(timeline, kind_track(KIND_AGENT, handles[i]),
					    TRACK_PROGRAM, name, &lasting);
	}
	count = wt_view_objects(view, WT_OBJECT_QUEUE, &handles);
	for (size_t i = 0; i < count && !error; i++) {
		uint64_t agent = wt_view_number_or(view, WT_OBJECT_QUEUE, handles[i],
						   AMD_DBGAPI_QUEUE_INFO_AGENT, 0);

		snprintf(name, sizeof(name), "queue %" PRIu64, handles[i]);
		error = perfetto_take_track(timeline, kind_track(KIND_QUEUE, handles[i]),
					    agent ? kind_track(KIND_AGENT, agent) : TRACK_PROGRAM,
					    name, &lasting);
	}
	return error;
}

static struct wt_error *perfetto_put_dispatch(struct timeline *timeline, struct wt_view *view,
					      struct wt_explainer *explainer, uint64_t handle)
{
	uint64_t entry = wt_view_number_or(view, WT_OBJECT_DISPATCH, handle,
					   AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, 0);
	uint64_t queue = wt_view_number_or(view, WT_OBJECT_DISPATCH, handle,
					   AMD_DBGAPI_DISPATCH_INFO_QUEUE, 0);
	uint64_t track = kind_track(KIND_DISPATCH, handle), packet;
	struct wt_perfetto_event event = {.type = WT_PERFETTO_BEGIN,
					  .track = track,
					  .time = timeline->time,
					  .category = "dispatch"};
	struct wavetape_place code;
	uint32_t sizes[3];
	struct wt_error *error;
	struct lasting *lasting;
	char name[64], grid[64];

	snprintf(name, sizeof(name), "dispatch %" PRIu64, handle);
	error = perfetto_take_track(timeline, track,
				    queue ? kind_track(KIND_QUEUE, queue) : TRACK_PROGRAM, name,
				    &lasting);
	if (error || lasting->open)
		return error;
	lasting->open = true;
	if (wt_view_number(view, WT_OBJECT_DISPATCH, handle,
			   AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID, &packet))
		perfetto_note_number(&event, "packet", packet, false);
	if (wt_view_array(view, WT_OBJECT_DISPATCH, handle, AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES,
			  sizes, 3)) {
		snprintf(grid, sizeof(grid), "%u x %u x %u", sizes[0], sizes[1], sizes[2]);
		perfetto_note_text(&event, "grid", grid);
	}
	error = wt_explain_address(explainer, NULL, entry, &code);
	if (error)
		return error;
	event.name = code.symbol ? code.symbol : "kernel of unknown name";
	error = perfetto_put_event(&timeline->perfetto, &event);
	wt_explain_code_deinit(&code);
	return error;
}

static struct wt_error *perfetto_put_state(struct timeline *timeline,
					   const struct wt_explain_wave *wave,
					   struct lasting *lasting)
{
	char name[WT_DESCRIBE_MAX], code[WT_DESCRIBE_MAX], lanes[WT_DESCRIBE_MAX];
	struct wt_perfetto_event event = {.type = WT_PERFETTO_BEGIN,
					  .track = lasting->track,
					  .time = timeline->time,
					  .category = "wave",
					  .name = wt_wave_state_name(wave->state)};
	bool stopped = wave->state == WAVETAPE_WAVE_STOPPED;
	struct wt_error *error;

	if (lasting->open && lasting->stopped == stopped &&
	    (!stopped || (lasting->pc == wave->pc && lasting->reasons == wave->reasons)))
		return NULL;
	error = perfetto_end_slice(timeline, lasting);
	lasting->open = true;
	lasting->stopped = stopped;
	lasting->pc = wave->pc;
	lasting->reasons = wave->reasons;
	if (stopped) {
		event.name = wt_describe_reasons_plainly(wave->reasons, name);
		perfetto_note_text(&event, "at", wt_describe_code(&wave->code, code));
		perfetto_note_number(&event, "pc", wave->pc, true);
		perfetto_note_text(&event, "lanes", wt_describe_lanes(wave->exec, lanes));
	}
	return error ? error : perfetto_put_event(&timeline->perfetto, &event);
}

static struct wt_error *perfetto_put_wave(struct timeline *timeline, struct wt_view *view,
					  struct wt_explainer *explainer, uint64_t handle)
{
	uint64_t dispatch =
		wt_view_number_or(view, WT_OBJECT_WAVE, handle, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	char name[WT_DESCRIBE_MAX + 32], place[WT_DESCRIBE_MAX];
	struct wt_explain_wave wave;
	struct wt_error *error = wt_explain_wave(explainer, handle, &wave);
	struct lasting *lasting;

	if (error)
		return error;
	snprintf(name, sizeof(name), "w%" PRIu64 " %s", handle,
		 wt_describe_coordinates(&wave, place));
	error = perfetto_take_track(timeline, kind_track(KIND_WAVE, handle),
				    dispatch ? kind_track(KIND_DISPATCH, dispatch) : TRACK_PROGRAM,
				    name, &lasting);
	if (!error)
		error = perfetto_put_state(timeline, &wave, lasting);
	wt_explain_wave_deinit(&wave);
	return error;
}

static struct wt_error *perfetto_put_objects(struct timeline *timeline, struct wt_view *view)
{
	struct wt_explainer *explainer = NULL;
	const uint64_t *handles;
	size_t count = wt_view_objects(view, WT_OBJECT_DISPATCH, &handles);
	struct wt_error *error = perfetto_put_agents(timeline, view);

	if (!error)
		error = wt_explainer_create(view, &explainer);
	if (!error)
		wt_explainer_leave_text_out(explainer);
	for (size_t i = 0; i < count && !error; i++)
		error = perfetto_put_dispatch(timeline, view, explainer, handles[i]);
	count = wt_view_objects(view, WT_OBJECT_WAVE, &handles);
	for (size_t i = 0; i < count && !error; i++)
		error = perfetto_put_wave(timeline, view, explainer, handles[i]);
	wt_explainer_destroy(explainer);
	return error ? error : perfetto_end_missing(timeline);
}

static struct wt_error *perfetto_put_stop(struct timeline *timeline, uint32_t moment)
{
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(timeline->export->trace.reader, moment, &view);

	if (!error || wt_error_is_loss(error))
		error = perfetto_put_summary(timeline, moment, view);
	if (!error && view)
		error = perfetto_put_objects(timeline, view);
	wt_view_close(view);
	wt_progress_update(&timeline->export->trace.progress, "stop %u", timeline->stop);
	return error;
}

static struct wt_error *perfetto_put_stops(struct timeline *timeline)
{
	struct wt_stops *stops = &timeline->export->trace.stops;
	struct wt_error *error;
	bool found;

	for (;;) {
		error = wt_cli_journal_with_stops_next(&timeline->beside, stops, &found);
		if (error || !found)
			return error;
		timeline->stop = stops->count;
		error = perfetto_put_stop(timeline, stops->moments[stops->count - 1]);
		if (error)
			return error;
	}
}

/* ---- The whole ---- */

static struct wt_error *perfetto_put_program(struct timeline *timeline,
					     const struct wt_trace_info *info)
{
	struct wt_perfetto *perfetto = &timeline->perfetto;
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(timeline->export->trace.reader, &host);
	const char *name = timeline->export->trace.path;
	uint64_t pid = info->process_id;

	if (error)
		return error;
	if (host && host->executable)
		name = host->executable;
	if (host && host->process_id)
		pid = host->process_id;
	error = perfetto_put_start(perfetto, info->start_time);
	if (!error)
		error = perfetto_put_process(perfetto, TRACK_PROGRAM, (int32_t)pid, name,
					     info->command_line);
	if (!error)
		error = perfetto_put_track(perfetto, TRACK_STOPS, TRACK_PROGRAM, "stops");
	wt_host_destroy(host);
	return error;
}

struct wt_error *wt_export_perfetto(struct wt_export *export)
{
	struct timeline timeline = {.export = export, .perfetto = {.output = &export->output}};
	struct wt_stops *stops = &export->trace.stops;
	struct wt_trace_info info;
	struct wt_error *error;

	wt_reader_info(export->trace.reader, &info);
	if (info.reproducible || !info.start_time)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot export a timeline",
				       export->trace.path, "the trace has no times: %s",
				       info.reproducible ? "it was recorded with --reproducible"
							 : "its Header is lost");
	timeline.beside = (struct wt_cli_journal_with_stops){.take = perfetto_take_record,
							     .opaque = &timeline};
	error = perfetto_put_program(&timeline, &info);
	if (!error)
		error = wt_cli_journal_with_stops_begin(&timeline.beside, stops);
	if (!error)
		error = perfetto_put_stops(&timeline);
	if (!error)
		error = wt_cli_journal_with_stops_end(&timeline.beside, stops);
	wt_cli_journal_with_stops_deinit(&timeline.beside);
	wt_shown_call_deinit(&timeline.call);
	perfetto_deinit(&timeline.perfetto);
	perfetto_free_all(&timeline);
	return error;
}
