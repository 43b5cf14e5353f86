/* SPDX-License-Identifier: MIT */
/* The device's work for a debugger alone: address watch registers, instructions out of place. */
#include <endian.h>
#include <string.h>

#include "device/machine/machine.h"
#include "device/exceptions.h"
#include "device/trap-handler.h"

#define MAX_INSTRUCTION_BYTES (WT_DEBUG_BUFFER_BYTES - 4) /* a trap is behind it */
#define ASSERT_TRAP 2

/* addr_watch 0 to 3 in trapsts. */
static const uint32_t watch_bits[WT_DEVICE_WATCHPOINTS] = {1u << 7, 1u << 12, 1u << 13, 1u << 14};

static bool watch_matches(const struct wt_watch *watch, uint64_t address, size_t size)
{
	uint64_t first = watch->range.address, bytes = watch->range.size;

	if (!watch->set)
		return false;
	return address < first ? size > first - address : address - first < bytes;
}

/*
 * Private memory is a part of the process's own, and is watched there. LDS has no such addresses: it is
 * not watched, as on hardware.
 */
static void note_access(void *opaque, uint64_t address, size_t size, bool write)
{
	struct wt_machine *machine = ((const struct wt_agent *)opaque)->machine;

	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++) {
		struct wt_watch *watch = &machine->watches[i];

		*(write ? &watch->written : &watch->read) |= watch_matches(watch, address, size);
	}
}

static bool watched_read(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	note_access(opaque, address, size, false);
	return memory->read(memory->opaque, address, data, size);
}

static bool watched_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	note_access(opaque, address, size, true);
	return memory->write(memory->opaque, address, data, size);
}

static bool watched_replace(void *opaque, uint64_t address, size_t size, const void *old,
			    const void *next)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	note_access(opaque, address, size, true);
	return memory->replace(memory->opaque, address, size, old, next);
}

static bool watched_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	return memory->fetch(memory->opaque, address, data, size);
}

static bool watched_probe(void *opaque, uint64_t address, size_t size, bool write)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	return memory->probe(memory->opaque, address, size, write);
}

struct gfx_memory wt_watch_memory(struct wt_agent *agent)
{
	struct gfx_memory watched = agent->memory;

	watched.opaque = agent;
	watched.read = watched_read;
	watched.write = watched_write;
	watched.fetch = watched_fetch;
	watched.map = NULL;
	watched.probe = watched.probe ? watched_probe : NULL;
	watched.replace = watched.replace ? watched_replace : NULL;
	watched.note_private = note_access;
	return watched;
}

void wt_watch_begin(struct wt_machine *machine)
{
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		machine->watches[i].read = machine->watches[i].written = false;
}

/* Only a read-modify-write both reads and writes; one that leaves the value alone writes it back. */
static bool is_hit(const struct wt_watch *watch)
{
	switch (watch->range.kind) {
	case WT_WATCH_LOAD:
		return watch->read && !watch->written;
	case WT_WATCH_RMW:
		return watch->read && watch->written;
	case WT_WATCH_STORE_AND_RMW:
		return watch->written;
	default:
		return watch->read || watch->written;
	}
}

uint32_t wt_watch_hits(const struct wt_machine *machine)
{
	uint32_t hits = 0;

	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		if (machine->watches[i].set && is_hit(&machine->watches[i]))
			hits |= watch_bits[i];
	return hits;
}

static void enable_group(struct wt_group *group, bool on)
{
	for (uint32_t i = 0; i < group->wave_count; i++) {
		struct wt_wave *wave = &group->waves[i];
		uint32_t *mode = &wave->gfx.mode;

		/* A wave that runs has it in mode on every GPU. */
		if (wave->wave.state == WT_WAVE_STOPPED)
			wt_wave_set_watching(&wave->gfx, on);
		else
			*mode = on ? *mode | WT_MODE_ADDRESS_WATCH : *mode & ~WT_MODE_ADDRESS_WATCH;
	}
}

/* With the first watchpoint the exception is enabled in every wave, with the last one disabled. */
static void watch_exception_enable(struct wt_machine *machine, bool on)
{
	for (size_t i = 0; i < machine->queue_count; i++) {
		struct wt_queue *queue = machine->queues[i];

		for (size_t g = 0; g < queue->resident_count; g++)
			enable_group(queue->resident[g], on);
	}
	machine->watching = on;
}

void wt_watch_set(struct wt_machine *machine, uint32_t index,
		  const struct wt_device_watchpoint *watchpoint)
{
	struct wt_watch *watch = &machine->watches[index];
	bool any = false;

	*watch = (struct wt_watch){.set = watchpoint != NULL};
	if (watchpoint)
		watch->range = *watchpoint;
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		any |= machine->watches[i].set;
	if (any != machine->watching)
		watch_exception_enable(machine, any);
}

void wt_wave_override(struct wt_wave *wave, const uint32_t *words, size_t count)
{
	wave->override_set = count && gfx_decode(wave->gfx.architecture, words, count,
						 &wave->override) == GFX_DECODE_OK;
}

/* The memory is made when first asked for: most sessions need none. */
static bool map_buffers(struct wt_queue *queue)
{
	const uint32_t guard =
		htole32(gfx_trap_word(queue->agent->agent.architecture, ASSERT_TRAP));
	struct wt_error *error;
	uint8_t *data;

	if (queue->buffers_address)
		return true;
	error = wt_memory_allocate(&queue->machine->memory, WT_MEMORY_QUEUES,
				   (uint64_t)WT_DEBUG_BUFFERS * WT_DEBUG_BUFFER_BYTES,
				   WT_MEMORY_READ | WT_MEMORY_EXECUTE, &queue->buffers_address,
				   &data);
	if (error) {
		wt_error_destroy(error);
		return false;
	}
	for (size_t i = 1; i <= WT_DEBUG_BUFFERS; i++)
		memcpy(data + i * WT_DEBUG_BUFFER_BYTES - sizeof(guard), &guard, sizeof(guard));
	return true;
}

/* The instruction stands right before the guard, so that a step of it ends there. */
uint64_t wt_buffer_allocate(struct wt_queue *queue, const void *instruction, size_t size)
{
	uint64_t address;

	if (!size || size > MAX_INSTRUCTION_BYTES || !map_buffers(queue))
		return 0;
	for (size_t i = 0; i < WT_DEBUG_BUFFERS; i++) {
		if (queue->buffer_used[i])
			continue;
		queue->buffer_used[i] = true;
		address = queue->buffers_address + (i + 1) * WT_DEBUG_BUFFER_BYTES -
			  sizeof(uint32_t) - size;
		wt_machine_poke(queue->machine, address, instruction, size);
		return address;
	}
	return 0;
}

void wt_buffer_free(struct wt_queue *queue, uint64_t address)
{
	queue->buffer_used[(address - queue->buffers_address) / WT_DEBUG_BUFFER_BYTES] = false;
}
