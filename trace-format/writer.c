/* SPDX-License-Identifier: MIT */
#include "trace-format/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "trace-format/encode.h"
#include "trace-format/writer-inside.h"

#define CANNOT_WRITE "cannot write the trace"

struct wt_error *wt_writer_check(const struct wt_writer *writer)
{
	if (!writer->failed)
		return NULL;
	if (writer->failure_code == WT_ERROR_MEMORY)
		return &wt_error_no_memory;
	return wt_error_create(writer->failure_code, CANNOT_WRITE, writer->tape->file.path,
			       "the recording has ended: %s",
			       writer->failure ? writer->failure : "for want of memory");
}

static struct wt_error *flush_names(struct wt_writer *writer)
{
	struct wt_buffer *packet;
	struct wt_error *error;
	uint32_t first = writer->names_written + 1, count = writer->names.count;

	if (first > count)
		return NULL;
	packet = wt_tape_begin(writer->tape, WT_PACKET_NAMES);
	wt_encode_number(packet, WT_NAMES_FIRST, first);
	for (uint32_t number = first; number <= count; number++)
		wt_encode_string(packet, WT_NAMES_TEXT, wt_names_text(&writer->names, number),
				 true);
	error = wt_tape_end(writer->tape, count - first + 1);
	if (!error)
		writer->names_written = count;
	return error;
}

struct wt_error *wt_writer_begin(struct wt_writer *writer, enum wt_packet_field field,
				 struct wt_buffer **buffer_ret)
{
	struct wt_error *error = flush_names(writer);

	if (!error)
		*buffer_ret = wt_tape_begin(writer->tape, field);
	return error;
}

struct wt_error *wt_tape_notice(struct wt_tape *tape, enum wt_notice_kind kind, uint64_t call,
				const char *text)
{
	struct wt_buffer *packet = wt_tape_begin(tape, WT_PACKET_NOTICE);

	wt_encode_number(packet, WT_NOTICE_FIELD_KIND, kind);
	wt_encode_string(packet, WT_NOTICE_FIELD_TEXT, text, false);
	wt_encode_number(packet, WT_NOTICE_FIELD_CALL, call);
	return wt_tape_end(tape, 0);
}

struct wt_error *wt_tape_end_trace(struct wt_tape *tape, const char *reason)
{
	const struct wt_chunk_fields *open = &tape->open;
	struct wt_buffer *packet = wt_tape_begin(tape, WT_PACKET_END);

	wt_encode_number(packet, WT_END_PACKETS, wt_tape_packets(tape) + 1);
	wt_encode_number(packet, WT_END_MOMENTS, open->first_moment + open->moments);
	wt_encode_number(packet, WT_END_CALLS, open->first_call + open->calls - 1);
	wt_encode_string(packet, WT_END_REASON, reason, false);
	return wt_tape_end(tape, 0);
}

static struct wt_error *finish(struct wt_writer *writer, const char *reason)
{
	struct wt_error *error = wt_tape_end_trace(writer->tape, reason);

	return error ? error : wt_tape_finish(writer->tape, writer->sync_stops);
}

struct wt_error *wt_writer_result(struct wt_writer *writer, struct wt_error *error)
{
	bool full;

	if (!error || writer->failed)
		return error;
	full = error->code == WT_ERROR_IO && wt_file_is_full(&writer->tape->file);
	writer->failed = true;
	writer->failure_code = error->code;
	writer->failure = error->why ? strdup(error->why) : NULL;
	/*
	 * What can still be said is said; if that fails too, the trace stays as a kill would leave
	 * it.
	 */
	wt_error_destroy(wt_tape_notice(writer->tape, WT_NOTICE_LOST, 0, error->why));
	wt_error_destroy(finish(writer, full ? WT_END_DISK_FULL : WT_END_WRITER_FAILED));
	wt_file_close_descriptor(&writer->tape->file);
	return error;
}

/* Options of a caller who knows fewer fields: the rest is as if they were zero. */
static struct wt_writer_options take_options(const struct wt_writer_options *options)
{
	struct wt_writer_options taken = {0};

	if (options)
		memcpy(&taken, options,
		       options->size < sizeof(taken) ? options->size : sizeof(taken));
	if (taken.reproducible)
		taken.process_id = taken.start_time = 0;
	return taken;
}

static void encode_header(struct wt_buffer *packet, const struct wt_writer_options *options)
{
	wt_encode_string(packet, WT_HEADER_RECORDER, options->recorder, false);
	wt_encode_string(packet, WT_HEADER_API_LEVEL, options->api_level, false);
	wt_encode_string(packet, WT_HEADER_LIBRARY_VERSION, options->library_version, false);
	wt_encode_string(packet, WT_HEADER_LIBRARY_BUILD_NAME, options->library_build_name, false);
	wt_encode_number(packet, WT_HEADER_START_TIME, options->start_time);
	wt_encode_number(packet, WT_HEADER_REPRODUCIBLE, options->reproducible);
	for (const char *const *word = options->command_line; word && *word; word++)
		wt_encode_string(packet, WT_HEADER_COMMAND_LINE, *word, true);
	wt_encode_number(packet, WT_HEADER_PROCESS_ID, options->process_id);
}

/* Random, or for a reproducible trace derived from what its header says. */
static struct wt_error *make_id(const struct wt_writer_options *options, uint8_t id[16])
{
	wt_cleanup_buffer struct wt_buffer header = {0};
	uint8_t key[WT_BLOB_KEY_SIZE];

	if (!options->reproducible) {
		if (getrandom(id, 16, 0) == 16)
			return NULL;
		return wt_error_errno(errno, "cannot create the trace", "random file id");
	}
	encode_header(&header, options);
	if (header.failed)
		return &wt_error_no_memory;
	wt_blob_key(header.data, header.size, key);
	memcpy(id, key, 16);
	return NULL;
}

static struct wt_error *open_tape(struct wt_writer *writer, const char *path,
				  const struct wt_writer_options *options,
				  const struct wt_io_ops *ops)
{
	struct wt_file file = {.fd = -1};
	struct wt_buffer *packet;
	struct wt_error *error;
	uint8_t id[16];

	error = make_id(options, id);
	if (!error)
		error = wt_file_create(path, ops, &file);
	if (error)
		return error;
	error = wt_tape_create(&file, id, options->compression ? options->compression : 1,
			       &writer->tape);
	if (error) {
		unlink(path);
		return error;
	}
	packet = wt_tape_begin(writer->tape, WT_PACKET_HEADER);
	encode_header(packet, options);
	error = wt_tape_end(writer->tape, 0);
	if (!error)
		error = wt_tape_flush(writer->tape);
	if (!error && options->sync_stops)
		error = wt_file_sync_name(&writer->tape->file);
	return error;
}

struct wt_error *wt_writer_create_with(const char *path, const struct wt_writer_options *options,
				       const struct wt_io_ops *ops, struct wt_writer **writer_ret)
{
	struct wt_writer_options taken = take_options(options);
	struct wt_writer *writer = calloc(1, sizeof(*writer));
	struct wt_error *error;

	if (!writer)
		return &wt_error_no_memory;
	writer->reproducible = taken.reproducible;
	writer->sync_stops = taken.sync_stops;
	writer->keyframe_interval = taken.keyframe_interval ? taken.keyframe_interval : 16;
	writer->state = wt_state_create();
	error = writer->state ? open_tape(writer, path, &taken, ops) : &wt_error_no_memory;
	if (error) {
		wt_writer_abandon(writer);
		return error;
	}
	*writer_ret = writer;
	return NULL;
}

struct wt_error *wt_writer_create(const char *path, const struct wt_writer_options *options,
				  struct wt_writer **writer_ret)
{
	return wt_writer_create_with(path, options, &wt_io_system, writer_ret);
}

void wt_writer_abandon(struct wt_writer *writer)
{
	if (!writer)
		return;
	wt_tape_destroy(writer->tape);
	wt_names_deinit(&writer->names);
	wt_blob_map_deinit(&writer->blobs);
	wt_state_destroy(writer->state);
	wt_buffer_deinit(&writer->items);
	free(writer->failure);
	free(writer);
}

struct wt_error *wt_writer_close(struct wt_writer *writer, const char *reason)
{
	struct wt_error *error = wt_writer_check(writer);

	if (!error)
		error = wt_writer_result(writer, finish(writer, reason));
	wt_writer_abandon(writer);
	return error;
}

uint32_t wt_writer_name(struct wt_writer *writer, const char *text)
{
	uint32_t number = wt_names_find(&writer->names, text);

	if (number)
		return number;
	number = writer->names.count + 1;
	return wt_names_set(&writer->names, number, text, strlen(text)) ? number : 0;
}

static void encode_values(struct wt_buffer *packet, unsigned int field,
			  const struct wt_value *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct wt_value *value = &values[i];
		size_t mark = wt_encode_begin(packet, field);

		if (value->form == WT_VALUE_NUMBER)
			wt_encode_present(packet, WT_VALUE_FIELD_NUMBER, value->number);
		else if (value->form == WT_VALUE_DATA)
			wt_encode_bytes(packet, WT_VALUE_FIELD_DATA, value->data, value->size);
		else if (value->form == WT_VALUE_PRESENT)
			wt_encode_present(packet, WT_VALUE_FIELD_PRESENT, value->number ? 1 : 0);
		wt_encode_end(packet, mark);
	}
}

static struct wt_error *write_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_CALL_BEGIN, &packet);

	if (error)
		return error;
	wt_encode_number(packet, WT_BEGIN_NUMBER, begin->number);
	wt_encode_number(packet, WT_BEGIN_FUNCTION, begin->function);
	wt_encode_number(packet, WT_BEGIN_THREAD, begin->thread);
	wt_encode_number(packet, WT_BEGIN_START, writer->reproducible ? 0 : begin->start);
	encode_values(packet, WT_BEGIN_INPUT, begin->inputs, begin->input_count);
	error = wt_tape_end(writer->tape, 0);
	if (error)
		return error;
	if (!writer->reproducible && wt_tape_is_old(writer->tape))
		return wt_tape_close_chunk(writer->tape, false);
	return wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_begin(writer, begin));
}

static struct wt_error *write_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_CALLBACK, &packet);

	if (error)
		return error;
	wt_encode_number(packet, WT_CALLBACK_CALL, callback->call);
	wt_encode_number(packet, WT_CALLBACK_FUNCTION, callback->function);
	encode_values(packet, WT_CALLBACK_INPUT, callback->inputs, callback->input_count);
	wt_encode_signed(packet, WT_CALLBACK_RESULT, callback->result);
	encode_values(packet, WT_CALLBACK_OUTPUT, callback->outputs, callback->output_count);
	return wt_tape_end(writer->tape, 0);
}

struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_callback(writer, callback));
}

static struct wt_error *write_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_CALL_END, &packet);

	if (error)
		return error;
	wt_encode_number(packet, WT_END_NUMBER, end->number);
	wt_encode_signed(packet, WT_END_STATUS, end->status);
	wt_encode_number(packet, WT_END_DURATION, writer->reproducible ? 0 : end->duration);
	encode_values(packet, WT_END_OUTPUT, end->outputs, end->output_count);
	return wt_tape_end(writer->tape, 0);
}

struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_call_end(writer, end));
}

struct wt_error *wt_writer_notice(struct wt_writer *writer, enum wt_notice_kind kind, uint64_t call,
				  const char *text)
{
	struct wt_error *error = wt_writer_check(writer);

	if (error)
		return error;
	error = wt_tape_notice(writer->tape, kind, call, text);
	return wt_writer_result(writer, error ? error : wt_tape_flush(writer->tape));
}

void wt_writer_sizes(const struct wt_writer *writer, uint64_t *stored_ret, uint64_t *raw_ret)
{
	*stored_ret = writer->tape->end;
	*raw_ret = writer->tape->raw_total + writer->tape->raw.size;
}
