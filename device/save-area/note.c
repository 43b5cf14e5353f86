/* SPDX-License-Identifier: MIT */
#include "device/save-area/note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_VERSION 1u
#define DRIVER_MINOR_MIN 13u
#define HEADER_BYTES 40u
#define RUNTIME_BYTES 16u
#define AGENT_BYTES 120u
#define QUEUE_BYTES 64u

#define MEMORY_LIMIT UINT64_C(0x7fffffffffff)

#define CAPABILITY_WATCHPOINTS_LOG2 2u
/* First and last bit of an address that an address watch register can leave out. */
#define WATCH_MASK(first, last) ((first) | (uint32_t)(last) << 4)

static const char what[] = "cannot read the core state";

static struct wt_error *core_note_bad(enum wt_error_code code, size_t offset, const char *why,
				      uint64_t value)
{
	char where[48];

	snprintf(where, sizeof(where), "note offset %zu", offset);
	return wt_error_create(code, what, where, "%s: %" PRIu64, why, value);
}

/* The head of a note, which describes the rest. */
struct head {
	uint64_t version, runtime_size;
	uint32_t driver_major, driver_minor;
	uint32_t agent_count, agent_size, queue_count, queue_size;
};

static void note_head_take(struct wt_cursor *cursor, struct head *head)
{
	head->version = wt_cursor_next_u64(cursor);
	head->driver_major = wt_cursor_next_u32(cursor);
	head->driver_minor = wt_cursor_next_u32(cursor);
	head->runtime_size = wt_cursor_next_u64(cursor);
	head->agent_count = wt_cursor_next_u32(cursor);
	head->agent_size = wt_cursor_next_u32(cursor);
	head->queue_count = wt_cursor_next_u32(cursor);
	head->queue_size = wt_cursor_next_u32(cursor);
}

static struct wt_error *check_versions(const struct head *head)
{
	if (head->version != NOTE_VERSION)
		return core_note_bad(WT_ERROR_INPUT, 0, "no such version of the note is known",
				     head->version);
	if (head->driver_major != WT_CORE_NOTE_DRIVER_MAJOR)
		return core_note_bad(WT_ERROR_UNSUPPORTED, 8,
				     "the driver interface is not version 1", head->driver_major);
	if (head->driver_minor < DRIVER_MINOR_MIN)
		return core_note_bad(WT_ERROR_UNSUPPORTED, 12,
				     "the driver interface is older than 1.13", head->driver_minor);
	return NULL;
}

/* Newer drivers may append fields to an entry, so it may be larger than what is known here. */
static struct wt_error *check_sizes(const struct head *head, size_t rest)
{
	uint64_t wanted;

	if (head->runtime_size % 8 || head->runtime_size < RUNTIME_BYTES ||
	    head->runtime_size > rest)
		return core_note_bad(WT_ERROR_INPUT, 16, "no size of the runtime's information",
				     head->runtime_size);
	if (head->agent_size % 8 || head->agent_size < AGENT_BYTES)
		return core_note_bad(WT_ERROR_INPUT, 28, "no size of an agent's entry",
				     head->agent_size);
	if (head->queue_size % 8 || head->queue_size < QUEUE_BYTES)
		return core_note_bad(WT_ERROR_INPUT, 36, "no size of a queue's entry",
				     head->queue_size);
	if (head->agent_count > WT_CORE_NOTE_MAX_AGENTS)
		return core_note_bad(WT_ERROR_LIMIT, 24, "too many agents", head->agent_count);
	if (head->queue_count > WT_CORE_NOTE_MAX_QUEUES)
		return core_note_bad(WT_ERROR_LIMIT, 32, "too many queues", head->queue_count);
	wanted = head->runtime_size + (uint64_t)head->agent_count * head->agent_size +
		 (uint64_t)head->queue_count * head->queue_size;
	if (wanted != rest)
		return core_note_bad(
			WT_ERROR_INPUT, HEADER_BYTES,
			"its parts do not add up to its size; bytes expected behind the head",
			wanted);
	return NULL;
}

static void take_agent(struct wt_cursor cursor, struct wt_core_note_agent *agent)
{
	uint64_t *const wide[] = {
		&agent->exceptions,   &agent->local_base,    &agent->local_limit,
		&agent->private_base, &agent->private_limit, &agent->memory_base,
		&agent->memory_limit,
	};
	uint32_t *const narrow[] = {
		&agent->gpu_id,
		&agent->location,
		&agent->vendor,
		&agent->device,
		&agent->revision,
		&agent->subsystem_vendor,
		&agent->subsystem_device,
		&agent->firmware,
		&agent->target,
		&agent->simd_count,
		&agent->waves_per_simd,
		&agent->array_count,
		&agent->arrays_per_engine,
		&agent->xcc_count,
		&agent->capability,
		&agent->debug_properties,
	};

	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		*wide[i] = wt_cursor_next_u64(&cursor);
	for (size_t i = 0; i < sizeof(narrow) / sizeof(*narrow); i++)
		*narrow[i] = wt_cursor_next_u32(&cursor);
}

static void note_queue_take(struct wt_cursor cursor, struct wt_core_note_queue *queue)
{
	queue->exceptions = wt_cursor_next_u64(&cursor);
	queue->ring_address = wt_cursor_next_u64(&cursor);
	queue->write_pointer_address = wt_cursor_next_u64(&cursor);
	queue->read_pointer_address = wt_cursor_next_u64(&cursor);
	queue->save_address = wt_cursor_next_u64(&cursor);
	queue->queue_id = wt_cursor_next_u32(&cursor);
	queue->gpu_id = wt_cursor_next_u32(&cursor);
	queue->ring_size = wt_cursor_next_u32(&cursor);
	queue->type = wt_cursor_next_u32(&cursor);
	queue->save_size = wt_cursor_next_u32(&cursor);
}

/* An agent whose counts are zero would be divided by. */
static struct wt_error *note_agent_check(const struct wt_core_note_agent *agent, size_t offset)
{
	if (!agent->simd_count || !agent->waves_per_simd || !agent->array_count ||
	    !agent->arrays_per_engine || !agent->xcc_count)
		return core_note_bad(WT_ERROR_INPUT, offset,
				     "a count of the agent is 0; its GPU id", agent->gpu_id);
	if (agent->xcc_count > WT_CORE_NOTE_MAX_XCCS)
		return core_note_bad(WT_ERROR_LIMIT, offset, "the agent has too many XCCs",
				     agent->xcc_count);
	return NULL;
}

static struct wt_error *note_entries_take(struct wt_cursor *cursor, const struct head *head,
					  size_t size, struct wt_core_note *note)
{
	const uint8_t *data = NULL;
	struct wt_error *error;

	for (uint32_t i = 0; i < head->agent_count; i++) {
		size_t offset = size - cursor->remaining;

		wt_cursor_take(cursor, head->agent_size, &data);
		take_agent(wt_cursor_init(data, head->agent_size), &note->agents[i]);
		error = note_agent_check(&note->agents[i], offset);
		if (error)
			return error;
		note->agent_count = i + 1;
	}
	for (uint32_t i = 0; i < head->queue_count; i++) {
		wt_cursor_take(cursor, head->queue_size, &data);
		note_queue_take(wt_cursor_init(data, head->queue_size), &note->queues[i]);
		note->queue_count = i + 1;
	}
	return NULL;
}

static void take_runtime(struct wt_cursor *cursor, const struct head *head,
			 struct wt_core_note *note)
{
	const uint8_t *data = NULL;
	struct wt_cursor inside;

	wt_cursor_take(cursor, (size_t)head->runtime_size, &data);
	inside = wt_cursor_init(data, (size_t)head->runtime_size);
	note->r_debug = wt_cursor_next_u64(&inside);
	note->runtime = wt_cursor_next_u32(&inside);
	note->ttmps_set_up = wt_cursor_next_u32(&inside) != 0;
}

struct wt_error *wt_core_note_parse(const void *data, size_t size, struct wt_core_note *note_ret)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);
	struct wt_core_note note = {0};
	struct wt_error *error;
	struct head head;

	if (size < HEADER_BYTES)
		return core_note_bad(WT_ERROR_INPUT, 0, "the note is shorter than its head; bytes",
				     size);
	if (size > WT_CORE_NOTE_MAX_BYTES)
		return core_note_bad(WT_ERROR_LIMIT, 0, "the note is too long; bytes", size);
	note_head_take(&cursor, &head);
	error = check_versions(&head);
	if (!error)
		error = check_sizes(&head, cursor.remaining);
	if (error)
		return error;
	note.driver_major = head.driver_major;
	note.driver_minor = head.driver_minor;
	take_runtime(&cursor, &head, &note);
	if (note.runtime > WT_CORE_NOTE_RUNTIME_ERROR)
		return core_note_bad(WT_ERROR_INPUT, HEADER_BYTES + 8, "no state of the runtime",
				     note.runtime);
	note.agents = calloc((size_t)head.agent_count + 1, sizeof(*note.agents));
	note.queues = calloc((size_t)head.queue_count + 1, sizeof(*note.queues));
	error = note.agents && note.queues ? note_entries_take(&cursor, &head, size, &note)
					   : &wt_error_no_memory;
	if (error)
		wt_core_note_deinit(&note);
	else
		*note_ret = note;
	return error;
}

void wt_core_note_deinit(struct wt_core_note *note)
{
	free(note->agents);
	free(note->queues);
	*note = (struct wt_core_note){0};
}

struct wt_core_note_agent wt_core_note_agent_init(const struct gfx_architecture *architecture)
{
	return (struct wt_core_note_agent){
		.local_base = architecture->local_aperture,
		.local_limit = architecture->local_aperture + WT_CORE_NOTE_APERTURE_LAST,
		.private_base = architecture->private_aperture,
		.private_limit = architecture->private_aperture + WT_CORE_NOTE_APERTURE_LAST,
		.memory_limit = MEMORY_LIMIT,
		.target = architecture->version,
		.array_count = 1,
		.arrays_per_engine = 1,
		.xcc_count = 1,
		.capability = WT_CORE_NOTE_CAPABILITY_WATCHPOINTS |
			      CAPABILITY_WATCHPOINTS_LOG2
				      << WT_CORE_NOTE_CAPABILITY_WATCHPOINTS_LOG2_SHIFT |
			      WT_CORE_NOTE_CAPABILITY_DEBUG |
			      (architecture->precise_memory ? WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY
							    : 0) |
			      WT_CORE_NOTE_CAPABILITY_FIRMWARE,
		.debug_properties =
			WT_CORE_NOTE_DEBUG_WATCHPOINTS_UNSHARED |
			(architecture->ttmps_always ? WT_CORE_NOTE_DEBUG_TTMPS_ALWAYS : 0) |
			WATCH_MASK(architecture->watch_first_bit, architecture->watch_last_bit),
	};
}

static void put_agent(struct wt_buffer *buffer, const struct wt_core_note_agent *agent)
{
	const uint64_t wide[] = {
		agent->exceptions,    agent->local_base,  agent->local_limit,  agent->private_base,
		agent->private_limit, agent->memory_base, agent->memory_limit,
	};
	const uint32_t narrow[] = {
		agent->gpu_id,
		agent->location,
		agent->vendor,
		agent->device,
		agent->revision,
		agent->subsystem_vendor,
		agent->subsystem_device,
		agent->firmware,
		agent->target,
		agent->simd_count,
		agent->waves_per_simd,
		agent->array_count,
		agent->arrays_per_engine,
		agent->xcc_count,
		agent->capability,
		agent->debug_properties,
	};

	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		wt_buffer_append_u64(buffer, wide[i]);
	for (size_t i = 0; i < sizeof(narrow) / sizeof(*narrow); i++)
		wt_buffer_append_u32(buffer, narrow[i]);
}

static void put_queue(struct wt_buffer *buffer, const struct wt_core_note_queue *queue)
{
	wt_buffer_append_u64(buffer, queue->exceptions);
	wt_buffer_append_u64(buffer, queue->ring_address);
	wt_buffer_append_u64(buffer, queue->write_pointer_address);
	wt_buffer_append_u64(buffer, queue->read_pointer_address);
	wt_buffer_append_u64(buffer, queue->save_address);
	wt_buffer_append_u32(buffer, queue->queue_id);
	wt_buffer_append_u32(buffer, queue->gpu_id);
	wt_buffer_append_u32(buffer, queue->ring_size);
	wt_buffer_append_u32(buffer, queue->type);
	wt_buffer_append_u32(buffer, queue->save_size);
	wt_buffer_append_u32(buffer, 0);
}

void wt_core_note_build(const struct wt_core_note *note, struct wt_buffer *buffer)
{
	wt_buffer_append_u64(buffer, NOTE_VERSION);
	wt_buffer_append_u32(buffer, note->driver_major);
	wt_buffer_append_u32(buffer, note->driver_minor);
	wt_buffer_append_u64(buffer, RUNTIME_BYTES);
	wt_buffer_append_u32(buffer, note->agent_count);
	wt_buffer_append_u32(buffer, AGENT_BYTES);
	wt_buffer_append_u32(buffer, note->queue_count);
	wt_buffer_append_u32(buffer, QUEUE_BYTES);
	wt_buffer_append_u64(buffer, note->r_debug);
	wt_buffer_append_u32(buffer, note->runtime);
	wt_buffer_append_u32(buffer, note->ttmps_set_up);
	for (uint32_t i = 0; i < note->agent_count; i++)
		put_agent(buffer, &note->agents[i]);
	for (uint32_t i = 0; i < note->queue_count; i++)
		put_queue(buffer, &note->queues[i]);
}
