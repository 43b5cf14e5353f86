/* SPDX-License-Identifier: MIT */
/* Notices: remarks of the recorder, and the host's part of a recording. */
#include "trace-format/message/encode.h"
#include "trace-format/state/host-facts.h"
#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

#define HOST_TEXT "facts of the machine and the recorded program"

/* All notices begin with this; a host follows it. */
static void notice_encode(struct wt_buffer *packet, enum wt_notice_kind kind, uint64_t call,
			  const char *text)
{
	wt_encode_number(packet, WT_FIELD_NOTICE_KIND, kind);
	wt_encode_string(packet, WT_FIELD_NOTICE_TEXT, text, false);
	wt_encode_number(packet, WT_FIELD_NOTICE_CALL, call);
}

struct wt_error *wt_tape_notice(struct wt_tape *tape, enum wt_notice_kind kind, uint64_t call,
				const char *text)
{
	notice_encode(wt_tape_begin(tape, WT_PACKET_NOTICE), kind, call, text);
	return wt_tape_end(tape, 0);
}

/* ---- The host ---- */

static void encode_map(struct wt_buffer *packet, const struct wt_host_map *map)
{
	size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_MAP);

	wt_encode_number(packet, WT_FIELD_HOST_MAP_START, map->start);
	wt_encode_number(packet, WT_FIELD_HOST_MAP_END, map->end);
	wt_encode_number(packet, WT_FIELD_HOST_MAP_OFFSET, map->offset);
	wt_encode_string(packet, WT_FIELD_HOST_MAP_ACCESS, map->access, false);
	wt_encode_string(packet, WT_FIELD_HOST_MAP_PATH, map->path, false);
	if (map->build_id_size)
		wt_encode_bytes(packet, WT_FIELD_HOST_MAP_BUILD_ID, map->build_id,
				map->build_id_size);
	wt_encode_end(packet, mark);
}

static void encode_frames(struct wt_buffer *packet, unsigned int field,
			  const struct wt_host_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t mark = wt_encode_begin(packet, field);

		wt_encode_number(packet, WT_FIELD_HOST_FRAME_ADDRESS, frames[i].address);
		wt_encode_string(packet, WT_FIELD_HOST_FRAME_SYMBOL, frames[i].symbol, false);
		wt_encode_number(packet, WT_FIELD_HOST_FRAME_SYMBOL_OFFSET,
				 frames[i].symbol_offset);
		wt_encode_string(packet, WT_FIELD_HOST_FRAME_PATH, frames[i].path, false);
		wt_encode_string(packet, WT_FIELD_HOST_FRAME_FILE, frames[i].file, false);
		wt_encode_number(packet, WT_FIELD_HOST_FRAME_LINE, frames[i].line);
		wt_encode_end(packet, mark);
	}
}

static void encode_thread(struct wt_buffer *packet, const struct wt_host_thread *thread)
{
	size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_THREAD);

	wt_encode_number(packet, WT_FIELD_HOST_THREAD_ID, thread->id);
	wt_encode_string(packet, WT_FIELD_HOST_THREAD_NAME, thread->name, false);
	wt_encode_string(packet, WT_FIELD_HOST_THREAD_STATE, thread->state, false);
	wt_encode_string(packet, WT_FIELD_HOST_THREAD_WAITING, thread->waiting, false);
	encode_frames(packet, WT_FIELD_HOST_THREAD_FRAME, thread->frames, thread->frame_count);
	wt_encode_end(packet, mark);
}

static void encode_allocation(struct wt_buffer *packet, const struct wt_host_allocation *allocation)
{
	const struct wt_host_allocating *made = &allocation->made, *freed = &allocation->freed;
	size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_ALLOCATION);

	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_ADDRESS, allocation->address);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_SIZE, allocation->size);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_KIND, allocation->kind);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_HOST_ADDRESS, allocation->host_address);
	wt_encode_string(packet, WT_FIELD_HOST_ALLOCATION_AGENT, allocation->agent, false);
	wt_encode_string(packet, WT_FIELD_HOST_ALLOCATION_FUNCTION, made->function, false);
	wt_encode_signed(packet, WT_FIELD_HOST_ALLOCATION_TIME, made->time);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_THREAD, made->thread);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_STACK, made->stack);
	wt_encode_string(packet, WT_FIELD_HOST_ALLOCATION_FREED_BY, freed->function, false);
	wt_encode_signed(packet, WT_FIELD_HOST_ALLOCATION_FREED_TIME, freed->time);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_FREED_THREAD, freed->thread);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_FREED_STACK, freed->stack);
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATION_CLOSED, allocation->closed);
	wt_encode_end(packet, mark);
}

static void encode_allocations(struct wt_buffer *packet, const struct wt_host *host)
{
	for (size_t i = 0; i < host->allocations_count; i++)
		encode_allocation(packet, &host->allocations[i]);
	for (size_t i = 0; i < host->stacks_count; i++) {
		size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_STACK);

		encode_frames(packet, WT_FIELD_HOST_STACK_FRAME, host->stacks[i].frames,
			      host->stacks[i].frame_count);
		wt_encode_end(packet, mark);
	}
	for (size_t i = 0; i < host->device_faults_count; i++) {
		size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_DEVICE_FAULT);

		wt_encode_number(packet, WT_FIELD_HOST_DEVICE_FAULT_GPU_ID,
				 host->device_faults[i].gpu_id);
		wt_encode_number(packet, WT_FIELD_HOST_DEVICE_FAULT_ADDRESS,
				 host->device_faults[i].address);
		wt_encode_end(packet, mark);
	}
	wt_encode_number(packet, WT_FIELD_HOST_ALLOCATIONS_KNOWN, host->allocations_known);
	wt_encode_number(packet, WT_FIELD_HOST_MEMORY_CLOSED, host->memory_closed);
}

static void encode_pairs(struct wt_buffer *packet, const struct wt_host *host)
{
	for (size_t i = 0; i < host->versions_count; i++) {
		size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_VERSION);

		wt_encode_string(packet, WT_FIELD_HOST_VERSION_OF, host->versions[i].of, false);
		wt_encode_string(packet, WT_FIELD_HOST_VERSION_TEXT, host->versions[i].text, false);
		wt_encode_end(packet, mark);
	}
	for (size_t i = 0; i < host->environment_count; i++) {
		const struct wt_host_variable *variable = &host->environment[i];
		size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_ENVIRONMENT);

		wt_encode_string(packet, WT_FIELD_HOST_VARIABLE_NAME, variable->name, false);
		wt_encode_string(packet, WT_FIELD_HOST_VARIABLE_VALUE, variable->value, false);
		wt_encode_number(packet, WT_FIELD_HOST_VARIABLE_WITH_VALUE,
				 variable->value != NULL);
		wt_encode_end(packet, mark);
	}
}

static void encode_kernel_log(struct wt_buffer *packet, const struct wt_host *host)
{
	for (size_t i = 0; i < host->kernel_lines_count; i++) {
		size_t mark = wt_encode_begin(packet, WT_FIELD_HOST_KERNEL_LINE);

		wt_encode_signed(packet, WT_FIELD_HOST_KERNEL_LINE_TIME,
				 host->kernel_lines[i].time);
		wt_encode_string(packet, WT_FIELD_HOST_KERNEL_LINE_TEXT, host->kernel_lines[i].text,
				 false);
		wt_encode_end(packet, mark);
	}
	for (size_t i = 0; i < host->device_dumps_count; i++)
		wt_encode_string(packet, WT_FIELD_HOST_DEVICE_DUMP, host->device_dumps[i], true);
}

static void encode_queue_error(struct wt_buffer *packet, const struct wt_host_queue_error *error)
{
	size_t mark;

	if (!error)
		return;
	mark = wt_encode_begin(packet, WT_FIELD_HOST_QUEUE_ERROR);
	wt_encode_number(packet, WT_FIELD_HOST_QUEUE_ERROR_RING_ADDRESS, error->ring_address);
	wt_encode_signed(packet, WT_FIELD_HOST_QUEUE_ERROR_STATUS, error->status);
	wt_encode_string(packet, WT_FIELD_HOST_QUEUE_ERROR_TEXT, error->text, false);
	wt_encode_end(packet, mark);
}

static void host_encode(struct wt_buffer *packet, const struct wt_host *host)
{
	size_t mark = wt_encode_begin(packet, WT_FIELD_NOTICE_HOST);

	wt_encode_number(packet, WT_FIELD_HOST_PROCESS_ID, host->process_id);
	wt_encode_string(packet, WT_FIELD_HOST_EXECUTABLE, host->executable, false);
	for (size_t i = 0; i < host->command_line_count; i++)
		wt_encode_string(packet, WT_FIELD_HOST_COMMAND_LINE, host->command_line[i], true);
	for (size_t i = 0; i < host->maps_count; i++)
		encode_map(packet, &host->maps[i]);
	for (size_t i = 0; i < host->threads_count; i++)
		encode_thread(packet, &host->threads[i]);
	encode_pairs(packet, host);
	for (size_t i = 0; i < host->missing_count; i++)
		wt_encode_string(packet, WT_FIELD_HOST_MISSING, host->missing[i], true);
	wt_encode_number(packet, WT_FIELD_HOST_TIME, host->time);
	encode_allocations(packet, host);
	encode_queue_error(packet, host->queue_error);
	encode_kernel_log(packet, host);
	wt_encode_end(packet, mark);
}

static struct wt_error *write_host(struct wt_writer *writer, const struct wt_host *host)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_NOTICE, &packet);

	if (error)
		return error;
	notice_encode(packet, WT_NOTICE_CONTEXT, 0, HOST_TEXT);
	host_encode(packet, host);
	error = wt_tape_end(writer->tape, 1);
	return error ? error : wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_host(struct wt_writer *writer, const struct wt_host *host)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_host(writer, host));
}
