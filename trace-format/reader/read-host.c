/* SPDX-License-Identifier: MIT */
/* The host's part of a recording out of its notice. */
#include "trace-format/state/host-facts.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/summary.h"

/* Lists that are as long as those of the message; the arena's limits hold for them. */
#define MAKE_LIST(host, list, number)                                                              \
	((host)->list = calloc((number) + 1, sizeof(*(host)->list)),                               \
	 (host)->list##_count = (host)->list ? (number) : 0, (host)->list != NULL)

static bool take_maps(struct wt_host *host, const struct wt_packed_host *from)
{
	const struct wt_packed_host_map *maps = from->map.elements;
	bool fine = MAKE_LIST(host, maps, from->map.count);

	for (size_t i = 0; fine && i < from->map.count; i++) {
		const struct wt_packed_host_map *map = &maps[i];
		struct wt_host_map *to = &host->maps[i];

		to->start = map->start;
		to->end = map->end;
		to->offset = map->offset;
		strncpy(to->access, map->access, sizeof(to->access) - 1);
		to->path = strdup(map->path);
		to->build_id_size = map->build_id.remaining < sizeof(to->build_id)
					    ? map->build_id.remaining
					    : sizeof(to->build_id);
		if (to->build_id_size)
			memcpy(to->build_id, map->build_id.data, to->build_id_size);
		fine = to->path;
	}
	return fine;
}

static bool host_take_frames(struct wt_host_frame **frames_ret, size_t *count_ret,
			     const struct wt_wire_list *from)
{
	const struct wt_packed_host_frame *is = from->elements;
	struct wt_host_frame *frames = calloc(from->count + 1, sizeof(*frames));

	*frames_ret = frames;
	for (size_t i = 0; frames && i < from->count; i++) {
		struct wt_host_frame *frame = &frames[(*count_ret)++];

		frame->address = is[i].address;
		frame->symbol_offset = is[i].symbol_offset;
		frame->line = is[i].line;
		frame->symbol = strdup(is[i].symbol);
		frame->path = strdup(is[i].path);
		frame->file = strdup(is[i].file);
		if (!frame->symbol || !frame->path || !frame->file)
			return false;
	}
	return frames;
}

static bool host_take_threads(struct wt_host *host, const struct wt_packed_host *from)
{
	const struct wt_packed_host_thread *threads = from->thread.elements;
	bool fine = MAKE_LIST(host, threads, from->thread.count);

	for (size_t i = 0; fine && i < from->thread.count; i++) {
		struct wt_host_thread *to = &host->threads[i];

		to->id = threads[i].id;
		to->name = strdup(threads[i].name);
		to->state = strdup(threads[i].state);
		to->waiting = strdup(threads[i].waiting);
		fine = to->name && to->state && to->waiting &&
		       host_take_frames(&to->frames, &to->frame_count, &threads[i].frame);
	}
	return fine;
}

static bool host_take_allocations(struct wt_host *host, const struct wt_packed_host *from)
{
	const struct wt_packed_host_allocation *allocations = from->allocation.elements;
	const struct wt_packed_host_stack *stacks = from->stack.elements;
	const struct wt_packed_host_device_fault *faults = from->device_fault.elements;
	bool fine = MAKE_LIST(host, allocations, from->allocation.count) &&
		    MAKE_LIST(host, stacks, from->stack.count) &&
		    MAKE_LIST(host, device_faults, from->device_fault.count);

	for (size_t i = 0; fine && i < from->allocation.count; i++) {
		const struct wt_packed_host_allocation *is = &allocations[i];
		struct wt_host_allocation *to = &host->allocations[i];

		to->address = is->address;
		to->size = is->size;
		to->kind = (uint32_t)is->kind;
		to->host_address = is->host_address;
		to->closed = is->closed;
		to->agent = strdup(is->agent);
		to->made = (struct wt_host_allocating){strdup(is->function), is->time, is->thread,
						       is->stack};
		to->freed = (struct wt_host_allocating){strdup(is->freed_by), is->freed_time,
							is->freed_thread, is->freed_stack};
		fine = to->agent && to->made.function && to->freed.function;
	}
	for (size_t i = 0; fine && i < from->stack.count; i++)
		fine = host_take_frames(&host->stacks[i].frames, &host->stacks[i].frame_count,
					&stacks[i].frame);
	for (size_t i = 0; fine && i < from->device_fault.count; i++)
		host->device_faults[i] =
			(struct wt_host_device_fault){faults[i].gpu_id, faults[i].address};
	host->allocations_known = from->allocations_known;
	host->memory_closed = from->memory_closed;
	return fine;
}

static bool take_pairs(struct wt_host *host, const struct wt_packed_host *from)
{
	const struct wt_packed_host_version *versions = from->version.elements;
	const struct wt_packed_host_variable *variables = from->environment.elements;
	bool fine = MAKE_LIST(host, versions, from->version.count) &&
		    MAKE_LIST(host, environment, from->environment.count);

	for (size_t i = 0; fine && i < from->version.count; i++) {
		host->versions[i].of = strdup(versions[i].of);
		host->versions[i].text = strdup(versions[i].text);
		fine = host->versions[i].of && host->versions[i].text;
	}
	for (size_t i = 0; fine && i < from->environment.count; i++) {
		const struct wt_packed_host_variable *variable = &variables[i];

		host->environment[i].name = strdup(variable->name);
		host->environment[i].value = variable->with_value ? strdup(variable->value) : NULL;
		fine = host->environment[i].name &&
		       (host->environment[i].value || !variable->with_value);
	}
	return fine;
}

static bool host_take_queue_error(struct wt_host *host, const struct wt_packed_host *from)
{
	const struct wt_packed_host_queue_error *error = from->queue_error;

	if (!error)
		return true;
	host->queue_error = calloc(1, sizeof(*host->queue_error));
	if (!host->queue_error)
		return false;
	host->queue_error->ring_address = error->ring_address;
	host->queue_error->status = error->status;
	host->queue_error->text = strdup(error->text);
	return host->queue_error->text;
}

static bool host_take_kernel_lines(struct wt_host *host, const struct wt_packed_host *from)
{
	const struct wt_packed_host_kernel_line *lines = from->kernel_line.elements;
	bool fine = MAKE_LIST(host, kernel_lines, from->kernel_line.count);

	for (size_t i = 0; fine && i < from->kernel_line.count; i++) {
		host->kernel_lines[i].time = lines[i].time;
		host->kernel_lines[i].text = strdup(lines[i].text);
		fine = host->kernel_lines[i].text;
	}
	return fine;
}

static bool take_texts(char **to, const struct wt_wire_list *from)
{
	const char *const *texts = from->elements;

	for (size_t i = 0; i < from->count; i++) {
		to[i] = strdup(texts[i]);
		if (!to[i])
			return false;
	}
	return true;
}

static struct wt_error *take_host(const struct wt_packed_host *from, struct wt_host **host_ret)
{
	struct wt_host *host = wt_host_create();
	bool fine = host && MAKE_LIST(host, command_line, from->command_line.count) &&
		    MAKE_LIST(host, missing, from->missing.count) &&
		    MAKE_LIST(host, device_dumps, from->device_dump.count);

	if (fine) {
		host->process_id = from->process_id;
		host->time = from->time;
		host->executable = *from->executable ? strdup(from->executable) : NULL;
		fine = (host->executable || !*from->executable) &&
		       take_texts(host->command_line, &from->command_line) &&
		       take_texts(host->missing, &from->missing) && take_maps(host, from) &&
		       host_take_threads(host, from) && take_pairs(host, from) &&
		       host_take_allocations(host, from) && host_take_queue_error(host, from) &&
		       host_take_kernel_lines(host, from) &&
		       take_texts(host->device_dumps, &from->device_dump);
	}
	if (!fine) {
		wt_host_destroy(host);
		return &wt_error_no_memory;
	}
	*host_ret = host;
	return NULL;
}

static struct wt_error *chunk_find_host(struct wt_reader *reader, size_t place,
					struct wt_arena *arena, struct wt_host **host_ret)
{
	struct wt_chunk *chunk = NULL;
	struct wt_error *error;

	reader->budget.spent = 0;
	error = wt_reader_load(reader, place, &chunk);
	/* Damage has been noted by now. */
	if (error && error->code == WT_ERROR_INPUT) {
		wt_error_destroy(error);
		return NULL;
	}
	for (size_t i = error ? 0 : chunk->packet_count; !error && !*host_ret && i > 0; i--) {
		const struct wt_packed_notice *notice;
		const void *message = NULL;

		if (chunk->packets[i - 1].field != WT_PACKET_NOTICE)
			continue;
		wt_arena_reset(arena, 0);
		error = wt_packet_unpack(reader, arena, chunk, &chunk->packets[i - 1], &message);
		notice = message;
		if (!error && notice->host)
			error = take_host(notice->host, host_ret);
		/* A packet that cannot be decoded is lost by itself; who reads the journal is told. */
		if (error && error->code == WT_ERROR_INPUT) {
			wt_error_destroy(error);
			error = NULL;
		}
	}
	wt_chunk_release(chunk);
	return error;
}

/* In the chunk that a summary names, so that no other need be read. */
static struct wt_error *look_where_told(struct wt_reader *reader, struct wt_arena *arena,
					struct wt_host **host_ret, bool *done_ret)
{
	struct wt_error *error = NULL;
	uint64_t packet;
	size_t place;

	*done_ret = wt_summary_host(reader, &packet);
	if (!*done_ret || !packet)
		return NULL;
	place = wt_reader_place_from(reader, WT_COUNTED_PACKETS, packet - 1);
	if (place < reader->places.count)
		error = chunk_find_host(reader, place, arena, host_ret);
	/* The host is not there, or its chunk is lost. */
	*done_ret = *host_ret;
	return error;
}

struct wt_error *wt_reader_host(struct wt_reader *reader, struct wt_host **host_ret)
{
	struct wt_error *error;
	struct wt_host *host = NULL;
	struct wt_arena arena;
	bool done;

	wt_arena_init(&arena, 0);
	error = look_where_told(reader, &arena, &host, &done);
	for (size_t i = done ? 0 : reader->places.count; !error && !host && i > 0; i--)
		if (reader->places.at[i - 1].entry.chunk.contents & 1u << WT_PACKET_NOTICE)
			error = chunk_find_host(reader, i - 1, &arena, &host);
	wt_arena_deinit(&arena);
	if (!error)
		*host_ret = host;
	return error;
}
