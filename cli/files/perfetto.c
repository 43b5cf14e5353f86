/* SPDX-License-Identifier: MIT */
#include "cli/files/perfetto.h"

#include "base/visible.h"
#include "cli/files/perfetto.pb-c.h"
#include "cli/output.h"
#include "trace-format/message/encode.h"

#define TEXT_MAX 512
#define WORDS_MAX 64
#define SEQUENCE 1
#define STATE_CLEARED 1
#define CLOCK_WALL 1
#define CLOCK_TRACE 6
#define FIELD_PACKET_TAG 0x0a /* Trace.packet: field 1, bytes */

void wt_perfetto_deinit(struct wt_perfetto *perfetto)
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

struct wt_error *wt_perfetto_put_start(struct wt_perfetto *perfetto, uint64_t start)
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

struct wt_error *wt_perfetto_put_process(struct wt_perfetto *perfetto, uint64_t track, int32_t pid,
					 const char *name, const char *const *cmdline)
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

struct wt_error *wt_perfetto_put_track(struct wt_perfetto *perfetto, uint64_t track,
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

void wt_perfetto_note_text(struct wt_perfetto_event *event, const char *name, const char *text)
{
	struct wt_perfetto_note *note = text ? event_add_note(event, name) : NULL;

	if (note)
		note->text = text;
}

void wt_perfetto_note_number(struct wt_perfetto_event *event, const char *name, uint64_t number,
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

struct wt_error *wt_perfetto_put_event(struct wt_perfetto *perfetto,
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
